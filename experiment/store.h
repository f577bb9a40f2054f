/* Store: the results of experiments in an SQLite file.
 *
 * One process writes: it holds the lock FILE.lock as long as it does.  Rows that
 * store_commit has taken are on the disk when it returns, whatever happens after.
 * The journal is a rollback journal: between two transactions the results are one
 * file that can be copied, and file systems of clusters can hold it, which the
 * shared memory of a write-ahead log excludes. */
#ifndef EXPERIMENT_STORE_H
#define EXPERIMENT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/complaint.h"

struct sqlite3;
struct store;

/* A call of `glimpse bench`; see schema.h for the meaning of the fields. */
typedef struct store_run {
  const char *name, *scale, *spec, *command, *version, *compiler, *system, *cpu;
  uint64_t memory; /* 0: unknown */
  unsigned cores, workers, ranks;
  bool timed;
} store_run;

typedef struct store_setting {
  const char *key, *environment, *planner, *options, *budget_kind;
  const char *upper, *lower, *improve; /* NULL: does not apply */
  double cost;                         /* NaN: none */
  double discount, budget;
  uint64_t max_steps, seed, episodes;
} store_setting;

enum { STORE_ASKED = 1000 };

typedef struct store_episode {
  int64_t setting;
  uint64_t seed;
  double total, undiscounted;
  uint64_t steps, requests, decisions;
  bool ended;
  double expansions, error_reduction, lower, upper, seconds, load; /* NaN: NULL */
  char host[64];
  unsigned rank, worker;
  int core;                /* -1: not pinned */
  char finished[24];       /* time of day */
  char asked[STORE_ASKED]; /* see schema.h; empty: NULL */
} store_episode;

typedef struct store_point {
  int64_t setting;
  uint64_t seed, expansions;
  double seconds, lower, upper;
} store_point;

typedef struct store_policy {
  int64_t setting;
  double lower, upper, requests; /* not finite: NULL */
  uint64_t nodes, edges;
  bool verified;
  double seconds, expansions; /* NaN: NULL */
} store_policy;

/* Opens a file for writing and takes the lock.  It is made if it does not exist.
 * NULL, with a complaint: somebody else writes, no database, one of something else,
 * of a newer schema, damaged, not writable. */
struct store *store_open(const char *path, complaint *why);
/* Also ends the lock; NULL is allowed. */
void store_close(struct store *store);

/* How long a file that another program has locked is waited for; 10 s unless told. */
void store_patience(struct store *store, double seconds);

/* All that follow return false with a complaint on failure; nothing is changed then. */

/* Episodes in the file, of any setting. */
bool store_count(struct store *store, uint64_t *episodes, complaint *why);
/* The last run's name, scale and version as texts for the caller to free; NULL in a
 * file without one. */
bool store_last_run(struct store *store, char **name, char **scale, char **version, complaint *why);

/* Is there a setting of the environment whose key lacks the mark: results of another file of that name? */
bool store_differs(struct store *store, const char *environment, const char *mark, bool *differs, complaint *why);

/* Changes between these two are one transaction. */
bool store_begin(struct store *store, complaint *why);
bool store_end(struct store *store, complaint *why);
/* Gives up what was changed since store_begin. */
void store_undo(struct store *store);

bool store_add_run(struct store *store, const store_run *run, complaint *why);
/* Of every setting as many episodes are wanted as there are; store_put_setting says of which there are to be more. */
bool store_drop_wishes(struct store *store, complaint *why);
/* Adds or finds them by name and key; their other columns are brought up to date. */
bool store_put_experiment(struct store *store, const char *name, const char *title, const char *axis, int64_t *id,
                          complaint *why);
bool store_put_setting(struct store *store, const store_setting *setting, int64_t *id, complaint *why);
bool store_put_part(struct store *store, int64_t experiment, int64_t setting, unsigned place, double paper_seconds,
                    complaint *why);

/* What is there already stays as it is. */
bool store_put_policy(struct store *store, const store_policy *policy, complaint *why);

/* Seeds stored of a setting, ascending: calls `found` for each. */
bool store_seeds(struct store *store, int64_t setting, void (*found)(void *context, uint64_t seed), void *context,
                 complaint *why);
/* Is there a trace of the setting? */
bool store_traced(struct store *store, int64_t setting, bool *traced, complaint *why);

/* Writes the rows in one transaction of their own, durably.  A row that is there
 * already stays as it is. */
bool store_commit(struct store *store, const store_episode *episodes, size_t count, const store_point *points,
                  size_t point_count, complaint *why);
/* Did the last call fail because somebody else has locked the file?  Then it may be repeated. */
bool store_busy(const struct store *store);
/* How the present run ended: 'complete', 'interrupted' or 'failed'. */
bool store_finish(struct store *store, const char *outcome, complaint *why);

/* For reports: opens a file for reading only, also while somebody writes to it; the
 * caller closes it with sqlite3_close.  NULL, with a complaint, as for store_open. */
struct sqlite3 *store_read(const char *path, complaint *why);

#endif
