/* Setting: see setting.h.
 *
 * The key is what makes a row of a results file recognisable: two settings with the same key
 * have the same results (with expansion budgets), two with different keys are kept apart.
 * It holds only what the planner looks at, so that an upper bound given to all planners does
 * not make two settings of a planner that has no use for it. */
#include "experiment/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

static bool has(const struct setting *setting, unsigned trait) {
  return glimpse_planner_traits(setting->planner.kind) & trait;
}

bool setting_bounded(const struct setting *setting) {
  return glimpse_planner_needs_offline(&setting->planner);
}

bool setting_timed(const struct setting *setting) {
  return setting->budget.time > 0;
}

static double budget_of(const struct setting *setting) {
  return setting_timed(setting) ? setting->budget.time : (double)setting->budget.expansions;
}

void setting_text(const struct setting *setting, char *text, size_t size) {
  char number[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(budget_of(setting), number);
  snprintf(text, size, "%s %s%s%s%s%s%s%s %s %s", setting->environment, glimpse_planner_key(setting->planner.kind),
           setting->upper_text ? " " : "", setting->upper_text ? setting->upper_text : "",
           setting->improve_text ? " improve=" : "", setting->improve_text ? setting->improve_text : "",
           *setting->options ? " " : "", setting->options, number, setting_timed(setting) ? "s" : "expansions");
}

static void put_number(struct text *text, const char *name, double value) {
  text_print(text, " %s=", name);
  text_number(text, value);
}

static int by_text(const void *a, const void *b) {
  return strcmp(a, b);
}

/* "name=value" of what is not its default, and of a rule all that it goes by; sorted behind what is said of a policy.
 */
static void put_options(struct text *text, const struct setting *setting) {
#define X(kind, type, field, ...) PLACE_##field,
  enum { GLIMPSE_PLANNER_OPTION_TABLE(X) OPTIONS, MOST = OPTIONS + 3 };
#undef X
  char pairs[MOST][100], value[GLIMPSE_NUMBER_SIZE];
  size_t count = 0;
  const glimpse_planner_option *option;
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++) {
    bool differs = glimpse_planner_option_write(option, &setting->planner, value);
    bool rule = has(setting, GLIMPSE_TRAIT_RULE) && !(option->traits & GLIMPSE_TRAIT_SEARCHES);
    bool own = option->offset == offsetof(glimpse_planner_options, improve); /* is a column */
    if (!own && (differs || rule) && has(setting, option->traits))
      snprintf(pairs[count++], sizeof *pairs, "%s=%s", option->field, value);
  }
  glimpse_number_write(setting->budget.epsilon, value);
  if (setting->budget.epsilon > 0) snprintf(pairs[count++], sizeof *pairs, "epsilon=%s", value);
  if (setting->budget.decided) snprintf(pairs[count++], sizeof *pairs, "decided=true");
  if (setting->ask_when_lost) snprintf(pairs[count++], sizeof *pairs, "ask_when_lost=true");
  qsort(pairs, count, sizeof *pairs, by_text);
  if (setting->policy_text) text_print(text, " %s", setting->policy_text);
  for (size_t i = 0; i < count; i++) text_print(text, " %s", pairs[i]);
}

void setting_mark(const char *digest, char mark[SETTING_MARK]) {
  snprintf(mark, SETTING_MARK, " file=%.20s", digest);
}

static void put_key(struct text *text, const struct setting *setting, const glimpse_model *model, const char *digest) {
  text_put(text, setting->environment);
  if (*digest) {
    char mark[SETTING_MARK];
    setting_mark(digest, mark);
    text_put(text, mark);
  }
  if (!glimpse_model_requests(model) && glimpse_model_inquiries(model) != 1) text_put(text, " cost=off");
  else if (isnan(setting->cost)) text_put(text, " cost=by-state");
  else put_number(text, "cost", setting->cost);
  put_number(text, "discount", setting->discount);
  text_print(text, " planner=%s", glimpse_planner_key(setting->planner.kind));
  if (setting->upper_text) text_print(text, " upper=%s", setting->upper_text);
  if (setting->lower_text) text_print(text, " lower=%s", setting->lower_text);
  if (setting->improve_text) text_print(text, " improve=%s", setting->improve_text);
  if (*setting->options) text_print(text, " %s", setting->options);
  put_number(text, setting_timed(setting) ? "seconds" : "expansions", budget_of(setting));
  text_print(text, " max_steps=%llu seed=%llu", (unsigned long long)setting->max_steps,
             (unsigned long long)setting->seed);
}

/* The one price that there is: of asking for the state, or of the only inquiry; NaN: none, or not the same everywhere.
 */
static double cost_of(const glimpse_model *model) {
  if (glimpse_model_requests(model))
    return glimpse_model_cost_uniform(model) ? glimpse_model_cost(model, 0) : (double)NAN;
  bool one = glimpse_model_inquiries(model) == 1 && glimpse_model_inquiry_price_uniform(model, 0);
  return one ? glimpse_model_inquiry_price(model, 0, 0) : (double)NAN;
}

bool setting_describe(struct setting *setting, const glimpse_model *model, const char *digest) {
  bool asks = glimpse_model_requests(model), bounded = setting_bounded(setting);
  setting->discount = glimpse_model_discount(model);
  setting->cost = cost_of(model);
  setting->upper_text = !bounded ? NULL : setting->upper == SETTING_UPPER_QMDP ? "qmdp" : asks ? "fib-sr" : "fib";
  setting->lower_text = !has(setting, GLIMPSE_TRAIT_BOUNDS) ? NULL
                        : setting->planner.paper || !asks   ? "blind"
                                                            : "blind,always-ask";
  setting->improve_text = has(setting, GLIMPSE_TRAIT_GRAPH) ? glimpse_improve_key(setting->planner.improve) : NULL;
  struct text options = {0}, key = {0};
  put_options(&options, setting);
  setting->options = strdup(options.length ? text_string(&options) + 1 : "");
  if (setting->options) put_key(&key, setting, model, digest);
  bool whole = setting->options && !options.failed && !key.failed;
  if (whole) setting->key = strdup(text_string(&key));
  text_free(&options);
  text_free(&key);
  return whole && setting->key;
}

void setting_free(struct setting *setting) {
  free(setting->environment);
  free(setting->key);
  free(setting->options);
  *setting = (struct setting){0};
}
