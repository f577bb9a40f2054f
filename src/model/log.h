/* Log: the assignments to a table of probabilities, T or O, in the order in
 * which they were made, and the table that results from them. */
#ifndef GLI_MODEL_LOG_H
#define GLI_MODEL_LOG_H

#include "glimpse.h"
#include "model/model.h"

/* Columns with a meaning of their own. */
#define GLI_LOG_FILL UINT32_MAX           /* every column gets the value */
#define GLI_LOG_UNIFORM (UINT32_MAX - 1)  /* every column 1 / columns */
#define GLI_LOG_IDENTITY (UINT32_MAX - 2) /* 1 at the column of the row's state */
#define GLI_LOG_RESET (UINT32_MAX - 3)    /* the start belief */

typedef struct gli_log_entry {
  uint32_t group; /* which rows: see log.c */
  uint32_t column;
  double value;
} gli_log_entry;

typedef struct gli_log_wildcard {
  gli_log_entry entry;
  uint64_t order; /* among all wildcards */
  uint32_t place; /* number of plain entries made before it */
} gli_log_wildcard;

typedef struct gli_log {
  uint32_t states, actions, columns;
  gli_log_entry *plain; /* one row each: group = a * states + s */
  size_t plain_count, plain_capacity;
  gli_log_wildcard *wild[3]; /* (a,*): group a; (*,s): group s; (*,*): group 0 */
  size_t wild_count[3], wild_capacity[3];
  uint64_t wildcards;
  bool dense;    /* some entry fills whole rows */
  uint64_t most; /* non-zeros that the table may have */
} gli_log;

void gli_log_start(gli_log *log, uint32_t states, uint32_t actions, uint32_t columns);
void gli_log_free(gli_log *log);
/* NO_MEMORY or TOO_LARGE on failure.  Indices are trusted. */
glimpse_status gli_log_add(gli_log *log, uint32_t a, uint32_t s, uint32_t column, double value);

/* Tells the caller which row is out of order by how much. */
typedef struct gli_log_judge {
  void *context;
  /* Returns false when the row's sum makes it invalid. */
  bool (*sum)(void *context, uint32_t a, uint32_t s, double sum);
} gli_log_judge;

/* The table, its rows normalised.  `start` is the row of RESET.  When a row was
 * judged invalid the status is BAD_MODEL, after all rows were judged. */
glimpse_status gli_log_resolve(const gli_log *log, glimpse_row start, gli_log_judge judge, gli_table *table);
/* How far a sum of probabilities may be off: silently mended, mended with a warning, or wrong. */
typedef enum gli_log_verdict { GLI_SUM_FINE, GLI_SUM_MENDED, GLI_SUM_WRONG } gli_log_verdict;
gli_log_verdict gli_log_judge_sum(double sum);
/* Normalises count values that sum to `sum`; leaves them alone within 2^-51. */
void gli_log_normalise(double *value, size_t count, double sum);
void gli_table_free(gli_table *table);

#endif
