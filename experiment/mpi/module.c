/* The MPI module: see experiment/cluster.h.  Only the thread that joined calls MPI.
 *
 * Errors are returned rather than fatal, and nobody waits for a certain rank, so that the others go on
 * when one dies, as far as mpirun lets them (its option --enable-recovery).  Sends are copies that are waited
 * for later; those to a rank that has died are never done, and are given up at the end.
 *
 * Starting waits for all ranks, and MPI knows no limit for that: an alarm ends a process that waits too long. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/cluster.h"

#pragma GCC visibility push(default)
const struct cluster *glimpse_cluster_start(complaint *why, double patience);
#pragma GCC visibility pop

enum { TAG = 7 };

struct parcel {
  struct parcel *next;
  MPI_Request request;
  char data[];
};

static struct parcel *parcels; /* under way; one job per process, as MPI has it */

/* Frees the parcels that have arrived. */
static void tidy(void) {
  for (struct parcel **at = &parcels; *at;) {
    int arrived = 0;
    struct parcel *parcel = *at;
    if (MPI_Test(&parcel->request, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && !arrived) {
      at = &parcel->next;
      continue;
    }
    *at = parcel->next;
    free(parcel);
  }
}

static bool send(unsigned to, const void *data, size_t size) {
  tidy();
  struct parcel *parcel = malloc(sizeof *parcel + size);
  if (!parcel) return false;
  memcpy(parcel->data, data, size);
  if (MPI_Isend(parcel->data, (int)size, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &parcel->request) != MPI_SUCCESS) {
    free(parcel);
    /* Nothing was sent, and nothing is waited for; tidy waits for what was. */
    return false; /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker) */
  }
  parcel->next = parcels;
  parcels = parcel;
  return true;
}

static size_t receive(void *data, unsigned *from) {
  int there = 0, size = 0;
  MPI_Status status;
  tidy();
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return 0;
  if (MPI_Get_count(&status, MPI_BYTE, &size) != MPI_SUCCESS || size <= 0 || size > CLUSTER_MESSAGE) return 0;
  if (MPI_Recv(data, size, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status) != MPI_SUCCESS) return 0;
  *from = (unsigned)status.MPI_SOURCE;
  return (size_t)size;
}

static void leave(bool together) {
  if (!together) return; /* finalizing waits for all, and one will not come */
  while (parcels) tidy();
  MPI_Finalize();
}

static void stop_all(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}

static void give_up(int signal) {
  static const char text[] = "glimpse: error: not all ranks of the MPI job have started: giving up\n";
  (void)signal;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
  _exit(1);
}

static bool start(double patience) {
  struct sigaction wake = {.sa_handler = give_up}, before;
  int provided;
  sigemptyset(&wake.sa_mask);
  sigaction(SIGALRM, &wake, &before);
  alarm((unsigned)patience);
  bool good = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
  alarm(0);
  sigaction(SIGALRM, &before, NULL);
  return good && provided >= MPI_THREAD_FUNNELED;
}

const struct cluster *glimpse_cluster_start(complaint *why, double patience) {
  static struct cluster cluster;
  int rank, ranks, local, locals;
  MPI_Comm here;
  if (!start(patience)) {
    complain(why, "", "MPI cannot be started");
    return NULL;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &local);
  MPI_Comm_size(here, &locals);
  MPI_Comm_free(&here);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  cluster = (struct cluster){.rank = (unsigned)rank,
                             .ranks = (unsigned)ranks,
                             .local = (unsigned)local,
                             .locals = (unsigned)locals,
                             .send = send,
                             .receive = receive,
                             .leave = leave,
                             .abort = stop_all};
  return &cluster;
}
