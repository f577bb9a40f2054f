/* Summary: collects one number per episode and hands them to glimpse_statistic_of.
 *
 * A number that is missing (an error reduction without bounds, a rate where no time was measured) is left
 * out, so that nothing here is ever NaN that has a value. */
#include "experiment/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double summary_seconds(const struct results_episode *episode) {
  return episode->steps > 0 ? episode->seconds / episode->steps : NAN;
}

double summary_rate(const struct results_episode *episode) {
  double expansions = episode->expansions * episode->steps; /* none: a planner that does not search */
  return episode->seconds > 0 && expansions > 0 ? expansions / episode->seconds : NAN;
}

#define FIELD(name, field)                                                                                             \
  static double name##_of(const struct results_episode *episode) {                                                     \
    return episode->field;                                                                                             \
  }
FIELD(total, total)
FIELD(undiscounted, undiscounted)
FIELD(requests, requests)
FIELD(steps, steps)
FIELD(expansions, expansions)
FIELD(error_reduction, error_reduction)
FIELD(lower, lower)
FIELD(upper, upper)
FIELD(load, load)
#undef FIELD
#define seconds_of summary_seconds
#define rate_of summary_rate

static glimpse_statistic collect(const struct results_setting *const *settings, size_t count,
                                 double (*get)(const struct results_episode *), double *values) {
  size_t n = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < settings[k]->count; i++) {
      double value = get(&settings[k]->episodes[i]);
      if (isfinite(value)) values[n++] = value;
    }
  return glimpse_statistic_of(values, n);
}

bool summary_pool(struct summary *summary, const struct results_setting *const *settings, size_t count) {
  *summary = (struct summary){0};
  for (size_t k = 0; k < count; k++) {
    summary->episodes += settings[k]->count;
    summary->wanted += settings[k]->wanted;
    for (size_t i = 0; i < settings[k]->count; i++) summary->cut += !settings[k]->episodes[i].ended;
  }
  double *values = calloc(summary->episodes + 1, sizeof *values);
  if (!values) return false;
#define X(name) summary->name = collect(settings, count, name##_of, values);
  SUMMARY_TABLE(X)
#undef X
  summary->load = collect(settings, count, load_of, values).mean;
  free(values);
  return true;
}

bool summary_of(struct summary *summary, const struct results_setting *setting, double paper_seconds) {
  if (!summary_pool(summary, &setting, 1)) return false;
  struct published_key key = {.environment = setting->environment,
                              .cost = setting->cost,
                              .discount = setting->discount,
                              .planner = setting->planner,
                              .upper = setting->upper,
                              .improve = setting->improve,
                              .seconds = isnan(paper_seconds) && setting->timed ? setting->budget : paper_seconds,
                              .expansions = setting->timed ? NAN : setting->budget};
  summary->paper = published_find(&key);
  if (summary->paper) {
    summary->total_verdict = published_compare(summary->total, summary->paper->total);
    summary->reduction_verdict = published_compare(summary->error_reduction, summary->paper->error_reduction);
  }
  return true;
}

/* --------------------------------------------------------------------- names */

/* Two texts that are there and differ. */
static bool differ(const char *a, const char *b) {
  return a && b && strcmp(a, b) != 0;
}

struct variety variety_of(const struct results *results, const struct results_experiment *experiment) {
  struct variety variety = {0};
  for (size_t i = 0; i < experiment->count; i++)
    for (size_t k = 0; k < i; k++) {
      const struct results_setting *a = &results->settings[experiment->parts[i].setting];
      const struct results_setting *b = &results->settings[experiment->parts[k].setting];
      if (strcmp(a->planner, b->planner) != 0) continue; /* the planner tells them apart */
      variety.upper |= differ(a->upper, b->upper);
      variety.lower |= differ(a->lower, b->lower);
      variety.improve |= differ(a->improve, b->improve);
      variety.options |= differ(a->options, b->options);
    }
  return variety;
}

void variety_name(const struct variety *variety, const struct results_setting *setting, struct text *text) {
  text_put(text, setting->planner);
  if (variety->upper && setting->upper) text_print(text, ", %s", setting->upper);
  if (variety->lower && setting->lower) text_print(text, ", %s", setting->lower);
  if (variety->improve && setting->improve) text_print(text, ", improve %s", setting->improve);
  if (variety->options && *setting->options) text_print(text, ", %s", setting->options);
}

static bool has(const struct results_setting *setting, unsigned trait) {
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    if (!strcmp(glimpse_planner_key(kind), setting->planner)) return glimpse_planner_traits(kind) & trait;
  return false;
}

bool summary_searches(const struct results_setting *setting) {
  return has(setting, GLIMPSE_TRAIT_SEARCHES);
}

void budget_name(const struct results_setting *setting, struct text *text) {
  text_number(text, setting->budget);
  if (setting->timed) text_put(text, " s");
  else text_put(text, has(setting, GLIMPSE_TRAIT_RANDOM) ? " simulations" : " expansions");
}
