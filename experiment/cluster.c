/* Cluster: see cluster.h.  The module is looked for beside the program (a build tree), in lib/glimpse of
 * the tree it is installed in, and where the build meant it to be. */
#include "experiment/cluster.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef GLIMPSE_MODULE_DIRECTORY
#define GLIMPSE_MODULE_DIRECTORY "lib/glimpse"
#endif

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : 0;
}

bool cluster_expected(void) {
  /* Open MPI; PMI of MPICH and its relatives; srun with a PMI of Slurm.  A job step of one task is no cluster. */
  return number_of("OMPI_COMM_WORLD_SIZE") > 1 || number_of("PMI_SIZE") > 1 ||
         (number_of("SLURM_STEP_NUM_TASKS") > 1 && getenv("PMIX_RANK"));
}

double cluster_patience(void) {
  long seconds = number_of("GLIMPSE_SILENCE");
  return seconds > 0 ? (double)seconds : 300;
}

#if defined(GLIMPSE_MPI)

static void *open_in(const char *directory, const char *below) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%sglimpse_mpi.so", directory, below);
  /* RTLD_GLOBAL: Open MPI loads components of its own, which look for its symbols. */
  return access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

const struct cluster *cluster_join(complaint *why) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = 0;
  char *slash = strrchr(program, '/');
  if (slash) *slash = 0;
  dlerror();
  void *module = slash ? open_in(program, "") : NULL;
  if (!module && slash) module = open_in(program, "../" GLIMPSE_MODULE_RELATIVE "/");
  if (!module) module = open_in(GLIMPSE_MODULE_DIRECTORY, "");
  if (!module) {
    const char *error = dlerror();
    complain(why, "", "the MPI module of glimpse cannot be loaded: %s", error ? error : "glimpse_mpi.so was not found");
    return NULL;
  }
  cluster_start start;
  void *symbol = dlsym(module, CLUSTER_SYMBOL);
  memcpy(&start, &symbol, sizeof start); /* ISO C has no cast from an object to a function */
  if (start) return start(why, cluster_patience());
  complain(why, "", "the MPI module of glimpse is of another version");
  return NULL;
}

#else

const struct cluster *cluster_join(complaint *why) {
  complain(why, "", "this glimpse was built without MPI");
  advise(why, "build it where MPI is found (Debian: libopenmpi-dev, openmpi-bin), or run it without mpirun");
  return NULL;
}

#endif
