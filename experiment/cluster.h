/* Cluster: the processes of a job that mpirun started, as far as an experiment needs to know of MPI.
 *
 * MPI is in a module of its own, glimpse_mpi.so, which is loaded under mpirun only: with Open MPI's libraries
 * loaded the program takes twice as long to start (12 instead of 6 ms), for nothing in all other cases. */
#ifndef EXPERIMENT_CLUSTER_H
#define EXPERIMENT_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/complaint.h"

enum { CLUSTER_MESSAGE = 32768 }; /* longest message */

struct cluster {
  unsigned rank, ranks;
  unsigned local, locals; /* number of this one among the ranks on its machine, and how many these are */
  /* Sends a copy of the message without waiting for the other side; false: it cannot be sent. */
  bool (*send)(unsigned to, const void *data, size_t size);
  /* The next message, of at most CLUSTER_MESSAGE bytes; its size, 0: there is none. */
  size_t (*receive)(void *data, unsigned *from);
  /* The end: with all ranks together, or without them if one was lost. */
  void (*leave)(bool together);
  /* The end of all ranks, whatever they do: one of them neither works nor goes. */
  void (*abort)(int status);
};

/* Seconds of silence after which rank 0 is given up: GLIMPSE_SILENCE, else 300, because storing may take long. */
double cluster_patience(void);

/* Was this process started by mpirun, srun or the like, with others? */
bool cluster_expected(void);
/* Loads the module and joins the others.  NULL, with a complaint, when that fails. */
const struct cluster *cluster_join(complaint *why);

/* What the module defines; NULL, with a complaint.  Starting waits so many seconds for the other ranks. */
typedef const struct cluster *(*cluster_start)(complaint *why, double patience);
#define CLUSTER_SYMBOL "glimpse_cluster_start"

#endif
