/* Comparison: the difference of two planners on the same episodes.
 *
 * Planners of one environment play the same seeds, that is the same start and the same random numbers, so that much
 * of what makes returns vary is common to both and drops out of the difference: its interval is narrower
 * than that of two separate means.  Only seeds that both have played count. */
#include "experiment/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool compare_pair(struct comparison *comparison, const struct results_setting *a, const struct results_setting *b) {
  *comparison = (struct comparison){.a = a, .b = b};
  double *values = calloc((a->count < b->count ? a->count : b->count) + 1, sizeof *values);
  if (!values) return false;
  size_t n = 0;
  for (size_t i = 0, k = 0; i < a->count && k < b->count;) { /* both are sorted */
    if (a->episodes[i].seed < b->episodes[k].seed) i++;
    else if (a->episodes[i].seed > b->episodes[k].seed) k++;
    else {
      double difference = a->episodes[i++].total - b->episodes[k++].total;
      if (isfinite(difference)) values[n++] = difference;
    }
  }
  comparison->pairs = n;
  comparison->difference = glimpse_statistic_of(values, n);
  free(values);
  return true;
}

static bool equal(double a, double b) {
  return (isnan(a) && isnan(b)) || !(a < b || a > b || isnan(a) || isnan(b));
}

bool compare_fair(const struct results_setting *a, double a_seconds, const struct results_setting *b,
                  double b_seconds) {
  if (strcmp(a->environment, b->environment) != 0 || !equal(a->cost, b->cost)) return false;
  if (!equal(a->discount, b->discount) || a->max_steps != b->max_steps) return false;
  /* Numbers of expansions that stand for the same time of the paper are the same budget. */
  if (!isnan(a_seconds) && !isnan(b_seconds)) return equal(a_seconds, b_seconds);
  return a->timed == b->timed && equal(a->budget, b->budget);
}

struct place {
  const struct results_setting *setting;
  double seconds;
};

static struct place place_of(const struct results *results, const struct results_experiment *experiment, size_t i) {
  const struct results_part *part = &experiment->parts[i];
  return (struct place){&results->settings[part->setting], part->paper_seconds};
}

static bool same_text(const char *a, const char *b) {
  return !a || !b || !strcmp(a, b); /* one that has no use for it takes any */
}

/* The setting that the i-th is measured against: of the wanted planner the first fair one, or rather one that starts
 * from the same bounds and improves them in the same way, so that only the planners differ. */
static const struct results_setting *
reference(const struct results *results, const struct results_experiment *experiment, size_t i, const char *against) {
  struct place one = place_of(results, experiment, i);
  const struct results_setting *first = NULL, *wanted = NULL;
  const char *planner = against ? against : "aems-sr";
  for (size_t k = 0; k < experiment->count; k++) {
    struct place other = place_of(results, experiment, k);
    if (!compare_fair(one.setting, one.seconds, other.setting, other.seconds)) continue;
    if (!first) first = other.setting;
    if (strcmp(other.setting->planner, planner) != 0) continue;
    if (!strcmp(one.setting->planner, planner)) return other.setting;
    if (!wanted) wanted = other.setting;
    if (same_text(one.setting->upper, other.setting->upper) && same_text(one.setting->improve, other.setting->improve))
      return other.setting;
  }
  return wanted ? wanted : against ? NULL : first;
}

struct comparison *compare_all(const struct results *results, const struct results_experiment *experiment,
                               const char *against, size_t *count, bool *no_memory) {
  struct comparison *all = calloc(experiment->count + 1, sizeof *all);
  *count = 0;
  *no_memory = !all;
  for (size_t i = 0; all && i < experiment->count; i++) {
    const struct results_setting *b = place_of(results, experiment, i).setting;
    const struct results_setting *a = reference(results, experiment, i, against);
    if (!a || a == b) continue;
    if (!compare_pair(&all[*count], a, b)) {
      *no_memory = true;
      break;
    }
    if (all[*count].pairs) ++*count;
  }
  if (*no_memory || !*count) {
    free(all);
    all = NULL;
    *count = 0;
  }
  return all;
}

const char *compare_text(const struct comparison *comparison) {
  if (isnan(comparison->difference.se)) return "-";
  if (comparison->difference.low > 0) return "better";
  if (comparison->difference.high < 0) return "worse";
  return "no difference seen";
}
