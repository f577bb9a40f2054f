/* Paper: looks up the row of the paper that belongs to a setting.
 *
 * Environments are compared by their parameters, not by their names, since "robot-delivery" and
 * "robot-delivery:f=0.1,n=3" are the same.  A parameter that the paper does not vary must have the paper's
 * value.  Our improvement `sound` has no counterpart in the paper; it stands beside the paper's improved
 * bounds, which it replaces. */
#include "experiment/paper.h"

#include <math.h>
#include <string.h>

static const struct paper_row rows[] = {
#define X(table, environment, corridors, failure, cost, planner, upper, improved, seconds, total, total_se,            \
          expansions, expansions_se, reduction, reduction_se)                                                          \
  {PAPER_##table,                                                                                                      \
   environment,                                                                                                        \
   corridors,                                                                                                          \
   failure,                                                                                                            \
   cost,                                                                                                               \
   planner,                                                                                                            \
   upper,                                                                                                              \
   improved,                                                                                                           \
   seconds,                                                                                                            \
   {total, total_se, 0.01},                                                                                            \
   {expansions, expansions_se, 1},                                                                                     \
   {reduction, reduction_se, 0.1}},
#include "experiment/paper_rows.h"
#undef X
};

enum { ROWS = sizeof rows / sizeof *rows };

const struct paper_row *paper_get(size_t i) {
  return i < ROWS ? &rows[i] : NULL;
}

const char *paper_table_name(enum paper_table table) {
  static const char *const names[] = {
#define X(id, name) name,
      PAPER_TABLE_TABLE(X)
#undef X
  };
  return (unsigned)table < PAPER_TABLES ? names[table] : "";
}

/* --------------------------------------------------------------- environment */

/* The text of a parameter and its length; NULL when it is not there. */
static const char *find_parameter(const char *environment, const char *key, size_t *length) {
  size_t wanted = strlen(key);
  const char *at = strchr(environment, ':');
  while (at) {
    at++;
    *length = strcspn(at, ",");
    if (*length > wanted && !strncmp(at, key, wanted) && at[wanted] == '=') {
      *length -= wanted + 1;
      return at + wanted + 1;
    }
    at = at[*length] ? at + *length : NULL;
  }
  return NULL;
}

bool paper_parameter(const char *environment, const char *key, double *value) {
  size_t length;
  const char *text = find_parameter(environment, key, &length);
  if (!text) return false;
  size_t used = glimpse_number_read(text, length, value);
  if (used && used < length && text[used] == '/') { /* 1/3 */
    double below;
    size_t rest = glimpse_number_read(text + used + 1, length - used - 1, &below);
    if (!rest || !(below > 0 || below < 0)) return false;
    *value /= below;
    used += 1 + rest;
  }
  return used && used == length;
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* A parameter that is not mentioned has the default. */
static double parameter(const char *environment, const char *key, double preset) {
  double value = preset;
  return paper_parameter(environment, key, &value) ? value : preset;
}

static bool has_name(const char *environment, const char *name) {
  size_t length = strlen(name);
  return !strncmp(environment, name, length) && (!environment[length] || environment[length] == ':');
}

static bool same_world(const struct paper_key *key, const struct paper_row *row) {
  const char *environment = key->environment;
  if (!has_name(environment, row->environment)) return false;
  bool tag = !strcmp(row->environment, "tag");
  if (!near(key->cost, row->cost) || !near(key->discount, tag ? 0.95 : 0.99)) return false;
  if (tag) {
    size_t length;
    const char *prey = find_parameter(environment, "prey", &length);
    return !prey || (length == 5 && !strncmp(prey, "paper", 5));
  }
  return near(parameter(environment, "n", 3), row->corridors) && near(parameter(environment, "f", 0.1), row->failure) &&
         near(parameter(environment, "t", 0.8), 0.8) && fabs(parameter(environment, "e", 1.0 / 3) - 1.0 / 3) < 1e-3;
}

static bool same_search(const struct paper_key *key, const struct paper_row *row) {
  if (strcmp(key->planner, row->planner) != 0) return false;
  if (!(isnan(key->seconds) ? near(key->expansions, row->expansions.mean) : near(key->seconds, row->seconds)))
    return false;
  if (!*row->upper) return true;
  if (!key->upper || !key->improve) return false;
  return !strcmp(key->upper, row->upper) && row->improved == (strcmp(key->improve, "none") != 0);
}

const struct paper_row *paper_find(const struct paper_key *key) {
  for (size_t i = 0; i < ROWS; i++)
    if (same_world(key, &rows[i]) && same_search(key, &rows[i])) return &rows[i];
  return NULL;
}

/* ----------------------------------------------------------------- agreement */

enum paper_verdict paper_compare(glimpse_statistic ours, struct paper_figure theirs) {
  if (isnan(theirs.mean) || isnan(ours.mean)) return PAPER_NO_FIGURE;
  if (isnan(ours.se)) return PAPER_TOO_FEW;
  double z = 1.959963984540054, rounded = theirs.unit / 2, half = (ours.high - ours.low) / 2;
  double their_half = isnan(theirs.se) ? 0 : z * (theirs.se + rounded);
  double allowed = sqrt(half * half + their_half * their_half) + rounded;
  double difference = ours.mean - theirs.mean;
  if (fabs(difference) <= allowed) return half > fabs(theirs.mean) / 4 ? PAPER_UNSURE : PAPER_AGREES;
  return difference > 0 ? PAPER_HIGHER : PAPER_LOWER;
}

const char *paper_verdict_text(enum paper_verdict verdict) {
  switch (verdict) {
    case PAPER_AGREES: return "agrees";
    case PAPER_UNSURE: return "unsure";
    case PAPER_HIGHER: return "higher";
    case PAPER_LOWER: return "lower";
    default: return "-";
  }
}
