/* Published: looks up the figures that belong to a setting.
 *
 * Environments are compared by their parameters, not by their names, since "robot-delivery" and
 * "robot-delivery:f=0.1,n=3" are the same: each parameter of the environment, as it was given or else its default.
 * Price and discount are compared on their own, since a specification may replace them.  A row of the paper has the
 * environment's own discount; figures of data files are compared whatever the discount that ours were planned with.
 *
 * Our improvement `sound` has no counterpart in the paper; it stands beside the paper's improved bounds, which it
 * replaces. */
#include "experiment/published.h"

#include <math.h>
#include <string.h>

static const struct published_row rows[] = {
#define PAPER(table, world, price, planner, bound, better, time, mean, mean_se, expanded, expanded_se, reduction,      \
              reduction_se)                                                                                            \
  {.source = PUBLISHED_##table,                                                                                        \
   .environment = (world),                                                                                             \
   .cost = (price),                                                                                                    \
   .algorithm = (planner),                                                                                             \
   .total = {mean, mean_se, 0.01},                                                                                     \
   .upper = (bound),                                                                                                   \
   .improved = (better),                                                                                               \
   .seconds = (time),                                                                                                  \
   .expansions = {expanded, expanded_se, 1},                                                                           \
   .error_reduction = {reduction, reduction_se, 0.1},                                                                  \
   .window = "",                                                                                                       \
   .steps = NAN,                                                                                                       \
   .requests = NAN},
#define OTHER(from, path, world, price, who, which, number, times, mean, deviation, length, measured)                  \
  {.source = PUBLISHED_##from,                                                                                         \
   .file = (path),                                                                                                     \
   .environment = (world),                                                                                             \
   .cost = (price),                                                                                                    \
   .algorithm = (who),                                                                                                 \
   .total = {mean, deviation, 0.00001},                                                                                \
   .upper = "",                                                                                                        \
   .seconds = NAN,                                                                                                     \
   .expansions = {NAN, NAN, 1},                                                                                        \
   .error_reduction = {NAN, NAN, 1},                                                                                   \
   .window = (which),                                                                                                  \
   .episodes = (number),                                                                                               \
   .runs = (times),                                                                                                    \
   .steps = (length),                                                                                                  \
   .requests = (measured)},
#include "experiment/published_rows.h"
#undef PAPER
#undef OTHER
};

enum { ROWS = sizeof rows / sizeof *rows };

const struct published_row *published_get(size_t i) {
  return i < ROWS ? &rows[i] : NULL;
}

/* -------------------------------------------------------------------- sources */

static const struct {
  const char *name, *place, *returns;
  bool discounted;
} sources[] = {
#define X(id, name, place, discounted, returns) {name, place, returns, discounted},
    PUBLISHED_SOURCE_TABLE(X)
#undef X
};

static bool is_source(enum published_source source) {
  return (unsigned)source < PUBLISHED_SOURCES;
}

const char *published_source_name(enum published_source source) {
  return is_source(source) ? sources[source].name : "";
}

const char *published_source_place(enum published_source source) {
  return is_source(source) ? sources[source].place : "";
}

const char *published_source_returns(enum published_source source) {
  return is_source(source) ? sources[source].returns : "";
}

bool published_source_discounted(enum published_source source) {
  return is_source(source) && sources[source].discounted;
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

/* A number or a fraction such as 1/3. */
static bool read_value(const char *text, size_t length, double *value) {
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

bool published_parameter(const char *environment, const char *key, double *value) {
  size_t length;
  const char *text = find_parameter(environment, key, &length);
  return text && read_value(text, length, value);
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Is a parameter the same, as a number or as a word? */
static bool same_value(const char *a, size_t a_length, const char *b, size_t b_length) {
  double x, y;
  if (read_value(a, a_length, &x) && read_value(b, b_length, &y)) return near(x, y);
  return a_length == b_length && !strncmp(a, b, a_length);
}

static bool same_parameter(const char *environment, const char *published, const glimpse_parameter *parameter) {
  size_t length, wanted;
  const char *value = find_parameter(environment, parameter->key, &length);
  const char *other = find_parameter(published, parameter->key, &wanted);
  if (!value) value = parameter->value, length = strlen(value);
  if (!other) other = parameter->value, wanted = strlen(other);
  if (wanted == 3 && !strncmp(other, "any", 3))
    return !same_value(value, length, parameter->value, strlen(parameter->value));
  return same_value(value, length, other, wanted);
}

bool published_joint(const char *environment) {
  size_t length;
  const char *timing = find_parameter(environment, "timing", &length);
  return timing && length == 5 && !strncmp(timing, "joint", length);
}

/* Whether the timing must be the same, too. */
static bool is_same(const char *environment, const char *published, bool timing) {
  const glimpse_environment *known = glimpse_environment_find(published);
  if (!known || glimpse_environment_find(environment) != known) return false;
  for (const glimpse_parameter *p = known->parameters; p->key; p++) {
    bool apart = !strcmp(p->key, "c") || !strcmp(p->key, "gamma") || (!timing && !strcmp(p->key, "timing"));
    if (!apart && !same_parameter(environment, published, p)) return false;
  }
  return true;
}

bool published_same(const char *environment, const char *published) {
  return is_same(environment, published, true);
}

static double own_discount(const char *environment) {
  const glimpse_environment *known = glimpse_environment_find(environment);
  double discount = NAN;
  for (const glimpse_parameter *p = known->parameters; p->key; p++)
    if (!strcmp(p->key, "gamma")) read_value(p->value, strlen(p->value), &discount);
  return discount;
}

/* Rows have prices of requests before an action.  One that is paid with the action before is the same without a
 * discount, and otherwise price / gamma. */
bool published_of(const struct published_row *row, const char *environment, double cost) {
  if (!row->file || !is_same(environment, row->environment, false)) return false;
  double discount = own_discount(environment);
  published_parameter(environment, "gamma", &discount);
  bool later = published_joint(environment) && published_source_discounted(row->source);
  return near(later ? cost / discount : cost, row->cost);
}

static bool same_world(const struct published_key *key, const struct published_row *row) {
  return near(key->cost, row->cost) && published_same(key->environment, row->environment) &&
         near(key->discount, own_discount(row->environment));
}

static bool same_search(const struct published_key *key, const struct published_row *row) {
  if (strcmp(key->planner, row->algorithm) != 0) return false;
  if (!(isnan(key->seconds) ? near(key->expansions, row->expansions.mean) : near(key->seconds, row->seconds)))
    return false;
  if (!*row->upper) return true;
  if (!key->upper || !key->improve) return false;
  return !strcmp(key->upper, row->upper) && row->improved == (strcmp(key->improve, "none") != 0);
}

const struct published_row *published_find(const struct published_key *key) {
  for (size_t i = 0; i < ROWS; i++)
    if (!rows[i].file && same_search(key, &rows[i]) && same_world(key, &rows[i])) return &rows[i];
  return NULL;
}

/* ----------------------------------------------------------------- agreement */

enum published_verdict published_compare(glimpse_statistic ours, struct published_figure theirs) {
  if (isnan(theirs.mean) || isnan(ours.mean)) return PUBLISHED_NO_FIGURE;
  if (isnan(ours.se)) return PUBLISHED_TOO_FEW;
  double z = 1.959963984540054, rounded = theirs.unit / 2, half = (ours.high - ours.low) / 2;
  double their_half = isnan(theirs.se) ? 0 : z * (theirs.se + rounded);
  double allowed = sqrt(half * half + their_half * their_half) + rounded;
  double difference = ours.mean - theirs.mean;
  if (fabs(difference) <= allowed) return half > fabs(theirs.mean) / 4 ? PUBLISHED_UNSURE : PUBLISHED_AGREES;
  return difference > 0 ? PUBLISHED_HIGHER : PUBLISHED_LOWER;
}

const char *published_verdict_text(enum published_verdict verdict) {
  switch (verdict) {
    case PUBLISHED_AGREES: return "agrees";
    case PUBLISHED_UNSURE: return "unsure";
    case PUBLISHED_HIGHER: return "higher";
    case PUBLISHED_LOWER: return "lower";
    default: return "-";
  }
}
