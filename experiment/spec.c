/* Spec: see spec.h.
 *
 * A specification is read in two steps: the JSON text becomes a document, and the
 * document is walked once per experiment and grid.  For each grid the product
 *
 *   environments x parameters x cost x planners x upper x improve x budgets
 *
 * is formed.  What a planner has no use for is dropped before the key of a setting is made, so that
 * the product has no row twice; settings that several experiments share are kept once. */
#include "experiment/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "experiment/field.h"
#include "experiment/spelling.h"

/* What an episode leaves to the next one would depend on who plays which: such options have no field. */
#define OPTION_KEY(kind, type, field, key, argument, preset, low, high, traits, scope, text) KEY_##scope(key)
#define KEY_SEARCH(key) key,
#define KEY_DECISION(key) key,
#define KEY_STEPS(key) key,
#define KEY_EPISODES(key)
#define OPTION_FIELDS GLIMPSE_PLANNER_OPTION_TABLE(OPTION_KEY) "upper", "epsilon", "decided", "ask-when-lost"
#define GRID_FIELDS                                                                                                    \
  OPTION_FIELDS, "environments", "parameters", "cost", "discount", "planners", "time", "expansions", "budgets",        \
      "episodes", "max-steps", "trace"

static const char *const top_fields[] = {GRID_FIELDS, "name", "title", "axis", "scales", "experiments", "grids", NULL};
static const char *const experiment_fields[] = {GRID_FIELDS, "name", "title", "axis", "scales", "grids", NULL};
static const char *const grid_fields[] = {GRID_FIELDS, "scales", NULL};
static const char *const scale_fields[] = {GRID_FIELDS, NULL};
static const char *const planner_fields[] = {OPTION_FIELDS, "planner", "policy", "relative", "solve-expansions", NULL};
static const char *const budget_fields[] = {"time", "expansions", "paper-time", "episodes", "max-steps", NULL};

#define WORD(name, key, text, ...) key,
static const char *const planner_words[] = {GLIMPSE_PLANNER_TABLE(WORD) NULL};
#undef WORD
#define WORD(name, key, text) key,
static const char *const improve_words[] = {GLIMPSE_IMPROVE_TABLE(WORD) NULL};
#undef WORD
static const char *const upper_words[] = {"fib-sr", "fib", "qmdp", NULL};

enum { MAX_SETTINGS = 100000, MAX_PARAMETERS = 16, TRACE_POINTS = 40 };

/* Where the walk is. */
struct walk {
  struct spec *spec;
  size_t experiment;
  struct fields fields;    /* of the grid, then of the planner */
  const document *planner; /* its object, NULL when it is only a name */
  double cost;             /* NaN: the model's; 0: off */
  struct setting setting;  /* what is settled so far */
};

static bool no_memory(const struct fields *fields) {
  return complain(fields->why, fields->source, "out of memory");
}

/* ----------------------------------------------------------------- settings */

/* Adds the setting, or finds it, and makes it part of the experiment. */
static bool add_setting(struct walk *walk, struct setting *setting, double paper_seconds) {
  struct spec *spec = walk->spec;
  size_t at = 0;
  while (at < spec->setting_count && strcmp(spec->settings[at].key, setting->key) != 0) at++;
  if (at == MAX_SETTINGS) return field_complain(&walk->fields, NULL, "experiments", "the grid has too many settings");
  if (at == spec->setting_capacity) {
    size_t capacity = spec->setting_capacity ? 2 * spec->setting_capacity : 64;
    struct setting *more = realloc(spec->settings, capacity * sizeof *more);
    if (!more) return no_memory(&walk->fields);
    spec->settings = more;
    spec->setting_capacity = capacity;
  }
  struct spec_experiment *experiment = &spec->experiments[walk->experiment];
  if (experiment->count == experiment->capacity) {
    size_t capacity = experiment->capacity ? 2 * experiment->capacity : 64;
    struct spec_part *more = realloc(experiment->parts, capacity * sizeof *more);
    if (!more) return no_memory(&walk->fields);
    experiment->parts = more;
    experiment->capacity = capacity;
  }
  if (at < spec->setting_count) { /* the larger wish counts */
    struct setting *known = &spec->settings[at];
    if (setting->episodes > known->episodes) known->episodes = setting->episodes;
    if (setting->trace > known->trace) known->trace = setting->trace;
    setting_free(setting);
  } else {
    spec->settings[spec->setting_count++] = *setting;
    *setting = (struct setting){0};
  }
  for (size_t i = 0; i < experiment->count; i++)
    if (experiment->parts[i].setting == at) return true;
  experiment->parts[experiment->count++] = (struct spec_part){at, paper_seconds};
  return true;
}

/* With a budget all is settled. */
static bool finish(struct walk *walk, const document *budget, double time, double expansions) {
  double paper_seconds = NAN;
  struct fields fields = walk->fields;
  if (budget) fields = field_inside(&fields, budget);
  struct setting setting = walk->setting;
  setting.episodes = 20;
  setting.max_steps = 1000;
  setting.budget.time = time;
  setting.budget.expansions = (uint64_t)expansions;
  if (!field_count(&fields, "episodes", 1, 1e7, &setting.episodes) ||
      !field_count(&fields, "max-steps", 1, 1e9, &setting.max_steps))
    return false;
  if (budget && !field_number(&fields, "paper-time", 0, 1e6, &paper_seconds)) return false;
  if (!(glimpse_planner_traits(setting.planner.kind) & GLIMPSE_TRAIT_GRAPH))
    setting.trace = 0; /* there are no bounds to look at */
  setting.environment = strdup(walk->setting.environment);
  const struct catalogue_entry *entry = &walk->spec->catalogue.entries[setting.model];
  bool good = setting.environment && setting_describe(&setting, entry->model, entry->digest);
  good = good ? add_setting(walk, &setting, paper_seconds) : no_memory(&walk->fields);
  setting_free(&setting);
  return good;
}

/* ------------------------------------------------------------------ budgets */

static bool one_budget(struct walk *walk, const document *item, const char *name) {
  const struct fields *fields = &walk->fields;
  bool timed = !strcmp(name, "time");
  if (item->kind != DOCUMENT_NUMBER)
    return field_complain(fields, item, name, "expected a number or a list of numbers");
  bool right = timed ? item->number > 0 && item->number <= 1e6
                     : item->number >= 1 && item->number <= 1e15 && item->number == floor(item->number);
  if (!right)
    return field_complain(fields, item, name, "%s is not a budget; expected a %s", item->text,
                          timed ? "number above 0" : "whole number, at least 1");
  return finish(walk, NULL, timed ? item->number : 0, timed ? 0 : item->number);
}

static bool described_budget(struct walk *walk, const document *item) {
  const struct fields *fields = &walk->fields;
  if (item->kind != DOCUMENT_OBJECT)
    return field_complain(fields, item, "budgets", "expected an object such as {\"time\": 0.5}");
  if (!field_known(fields, item, budget_fields)) return false;
  if (!document_get(item, "time") == !document_get(item, "expansions"))
    return field_complain(fields, item, "budgets", "expected either 'time' or 'expansions'");
  struct fields own = {.level = {item}, .count = 1, .source = fields->source, .why = fields->why};
  double time = 0;
  uint64_t expansions = 0;
  if (!field_number(&own, "time", 1e-9, 1e6, &time) || !field_count(&own, "expansions", 1, 1e15, &expansions))
    return false;
  return finish(walk, item, time, (double)expansions);
}

/* The innermost level that speaks of budgets says all about them. */
static bool all_budgets(struct walk *walk) {
  static const char *const names[] = {"budgets", "time", "expansions", NULL};
  const document *level = field_level(&walk->fields, names);
  if (!level) return field_complain(&walk->fields, NULL, "time", "there is no budget: neither 'time' nor 'expansions'");
  for (size_t i = 0; names[i]; i++) {
    const document *value = document_get(level, names[i]);
    if (!value) continue;
    if (!field_first(value)) return field_complain(&walk->fields, value, names[i], "the list is empty");
    for (const document *item = field_first(value); item; item = field_next(value, item))
      if (i ? !one_budget(walk, item, names[i]) : !described_budget(walk, item)) return false;
  }
  return true;
}

/* ----------------------------------------------------------------- planners */

/* Does the planner look at the option? */
static bool useful(const char *name, glimpse_planner_kind kind) {
  unsigned traits = glimpse_planner_traits(kind);
  const glimpse_planner_option *option;
  bool solved = kind == GLIMPSE_PLANNER_POLICY;
  if (!strcmp(name, "policy") || !strcmp(name, "relative") || !strcmp(name, "solve-expansions")) return solved;
  if (!strcmp(name, "epsilon")) return solved || traits & GLIMPSE_TRAIT_GRAPH;
  if (!strcmp(name, "decided")) return traits & GLIMPSE_TRAIT_GRAPH;
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++)
    if (!strcmp(option->key, name)) return option->traits & traits;
  return true;
}

/* An option that a planner is given itself must be of use to it; what it inherits need not be. */
static bool check_uses(struct walk *walk, const document *object, glimpse_planner_kind kind) {
  for (const document *child = object->first; child; child = child->next)
    if (!useful(child->key, kind))
      return field_complain(&walk->fields, child, child->key, "the planner %s does not take it",
                            glimpse_planner_key(kind));
  return true;
}

/* All but `improve`, of which a grid may have several. */
static bool read_options(struct walk *walk) {
  const struct fields *fields = &walk->fields;
  struct setting *setting = &walk->setting;
  glimpse_planner_options *p = &setting->planner;
  const glimpse_planner_option *option;
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++) {
    bool here = option->scope != GLIMPSE_SCOPE_EPISODES && strcmp(option->key, "improve") != 0;
    if (here && useful(option->key, p->kind) && !field_option(fields, option, p)) return false;
  }
  if (useful("decided", p->kind) && !field_number(fields, "epsilon", 0, 1e300, &setting->budget.epsilon)) return false;
  if (useful("decided", p->kind) && !field_bool(fields, "decided", &setting->budget.decided)) return false;
  if (!field_bool(fields, "ask-when-lost", &setting->ask_when_lost)) return false;
  setting->seed = p->seed ? p->seed : 1;
  p->seed = 0; /* each episode has its own */
  const document *given = field_find(fields, "graph");
  if (given && p->graph == GLIMPSE_GRAPH_KEEP && (p->paper || p->plain))
    return field_complain(fields, given, "graph", "'paper' and 'plain' reset the graph: they exclude 'keep'");
  return true;
}

/* `value` NULL: the default. */
static bool set_improve(struct walk *walk, const document *value) {
  glimpse_planner_options *p = &walk->setting.planner;
  unsigned improve = p->paper ? GLIMPSE_IMPROVE_NONE : GLIMPSE_IMPROVE_SOUND;
  if (value && !field_word_of(&walk->fields, value, "improve", improve_words, &improve)) return false;
  if (p->paper && improve == GLIMPSE_IMPROVE_SOUND)
    return field_complain(&walk->fields, value, "improve", "'sound' is not in the paper: 'paper' excludes it");
  if (improve == GLIMPSE_IMPROVE_PAPER && !p->paper && p->graph == GLIMPSE_GRAPH_KEEP && !p->plain)
    return field_complain(
        &walk->fields, value, "improve",
        "'paper' needs \"paper\": true or \"graph\": \"reset\", because a kept graph relies on the bounds");
  p->improve = (glimpse_improve)improve;
  return true;
}

static bool set_upper(struct walk *walk, const document *value) {
  unsigned upper = 0;
  walk->setting.upper = SETTING_UPPER_BEST;
  if (!value) return true;
  if (!field_word_of(&walk->fields, value, "upper", upper_words, &upper)) return false;
  bool asks = glimpse_model_requests(walk->spec->catalogue.entries[walk->setting.model].model);
  if (upper == 0 && !asks)
    return field_complain(&walk->fields, value, "upper",
                          "'fib-sr' is about asking, which the agent may not; 'fib' fits");
  if (upper == 1 && asks)
    return field_complain(&walk->fields, value, "upper",
                          "'fib' is not an upper bound where the agent may ask; 'fib-sr' is");
  if (upper == 2) walk->setting.upper = SETTING_UPPER_QMDP;
  return true;
}

static bool each_improve(struct walk *walk) {
  const document *value = useful("improve", walk->setting.planner.kind) ? field_find(&walk->fields, "improve") : NULL;
  if (!value) return set_improve(walk, NULL) && all_budgets(walk);
  if (!field_first(value)) return field_complain(&walk->fields, value, "improve", "the list is empty");
  for (const document *item = field_first(value); item; item = field_next(value, item))
    if (!set_improve(walk, item) || !all_budgets(walk)) return false;
  return true;
}

static bool each_upper(struct walk *walk) {
  const document *value = setting_bounded(&walk->setting) ? field_find(&walk->fields, "upper") : NULL;
  if (!value) return set_upper(walk, NULL) && each_improve(walk);
  if (!field_first(value)) return field_complain(&walk->fields, value, "upper", "the list is empty");
  for (const document *item = field_first(value); item; item = field_next(value, item))
    if (!set_upper(walk, item) || !each_improve(walk)) return false;
  return true;
}

/* Which policy the planner `policy` follows: a file, or one that is solved, to 1 % of the value unless told. */
static bool read_policy(struct walk *walk, const document *item) {
  struct catalogue *catalogue = &walk->spec->catalogue;
  struct policies_wish wish = {.model = walk->setting.model};
  walk->setting.policy = 0;
  walk->setting.policy_text = NULL;
  if (walk->setting.planner.kind != GLIMPSE_PLANNER_POLICY) return true;
  if (item->kind == DOCUMENT_OBJECT) {
    struct fields own = {.level = {item}, .count = 1, .source = walk->fields.source, .why = walk->fields.why};
    if (!field_text(&own, "policy", &wish.file) || !field_number(&own, "relative", 0, 1e300, &wish.relative) ||
        !field_number(&own, "epsilon", 0, 1e300, &wish.epsilon) ||
        !field_count(&own, "solve-expansions", 1, 1e15, &wish.solve_expansions))
      return false;
    if (wish.file && (wish.relative > 0 || wish.epsilon > 0 || wish.solve_expansions))
      return field_complain(&walk->fields, item, "policy",
                            "a policy is read from a file, or solved to a gap, not both");
  }
  if (!wish.file && !(wish.relative > 0) && !(wish.epsilon > 0)) wish.relative = 0.01;
  complaint why;
  size_t place;
  if (!policies_add(&catalogue->policies, &wish, catalogue->entries[wish.model].model,
                    catalogue->directory ? catalogue->directory : "", &place, &why))
    return field_complain(&walk->fields, item, "policy", "%s", why.text);
  walk->setting.policy = place + 1;
  walk->setting.policy_text = catalogue->policies.entries[place].text;
  return true;
}

/* Can the planner ask what there is to ask? */
static bool check_asking(const struct walk *walk, const struct fields *fields, const document *name,
                         glimpse_planner_kind kind) {
  const glimpse_model *model = walk->spec->catalogue.entries[walk->setting.model].model;
  bool asks = glimpse_model_requests(model) || glimpse_model_inquiries(model);
  if (!asks && glimpse_planner_traits(kind) & GLIMPSE_TRAIT_ASKS)
    return field_complain(fields, name, "planners", "%s needs an agent that may ask", planner_words[kind]);
  if (kind == GLIMPSE_PLANNER_SPI && glimpse_model_planning(model) != model)
    return field_complain(fields, name, "planners",
                          "%s follows a rule for asking for the state before an action, and '%s' has other inquiries "
                          "or limits",
                          planner_words[kind], walk->setting.environment);
  return true;
}

static bool one_planner(struct walk *walk, const document *item) {
  const document *name = item;
  struct fields outside = walk->fields;
  walk->setting.planner = (glimpse_planner_options){0};
  walk->setting.budget = (glimpse_budget){0};
  walk->setting.ask_when_lost = false;
  if (item->kind == DOCUMENT_OBJECT) {
    if (!field_known(&outside, item, planner_fields)) return false;
    name = document_get(item, "planner");
    if (!name) return field_complain(&outside, item, "planners", "the object has no 'planner'");
    walk->fields = field_inside(&outside, item);
  }
  unsigned kind = 0;
  bool good = field_word_of(&outside, name, "planners", planner_words, &kind);
  walk->setting.planner.kind = (glimpse_planner_kind)kind;
  if (good && item->kind == DOCUMENT_OBJECT) good = check_uses(walk, item, (glimpse_planner_kind)kind);
  good = good && check_asking(walk, &outside, name, (glimpse_planner_kind)kind) && read_options(walk) &&
         read_policy(walk, item) && each_upper(walk);
  walk->fields = outside;
  return good;
}

static bool each_planner(struct walk *walk) {
  const document *value = field_find(&walk->fields, "planners");
  if (!value) return field_complain(&walk->fields, NULL, "planners", "it is missing");
  if (!field_first(value)) return field_complain(&walk->fields, value, "planners", "the list is empty");
  for (const document *item = field_first(value); item; item = field_next(value, item))
    if (!one_planner(walk, item)) return false;
  return true;
}

/* ------------------------------------------------------------- environments */

/* Names with parameters in alphabetical order, so that a setting has one name. */
static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sort_parameters(const char *name) {
  char *copy = strdup(name), *sorted = copy ? strdup(name) : NULL, *parts[64] = {NULL};
  size_t count = 0;
  char *colon = copy ? strchr(copy, ':') : NULL;
  if (sorted && colon) {
    char *state = NULL;
    for (char *part = strtok_r(colon + 1, ",", &state); part && count < 64; part = strtok_r(NULL, ",", &state))
      parts[count++] = part;
    qsort(parts, count, sizeof *parts, by_text);
    size_t at = (size_t)(colon - copy);
    for (size_t i = 0; i < count; i++) {
      sorted[at++] = i ? ',' : ':';
      memcpy(sorted + at, parts[i], strlen(parts[i]));
      at += strlen(parts[i]);
    }
    sorted[at] = 0;
  }
  free(copy);
  return sorted;
}

static bool one_model(struct walk *walk, const document *place) {
  double discount = NAN;
  const struct fields *fields = &walk->fields;
  if (!field_number(fields, "discount", 0, 1, &discount)) return false;
  complaint why;
  if (!catalogue_model(&walk->spec->catalogue, walk->setting.environment, walk->cost, discount, &walk->setting.model,
                       &why)) {
    field_complain(fields, place, "environments", "%s", why.text);
    memcpy(fields->why->hint, why.hint, sizeof why.hint);
    return false;
  }
  return each_planner(walk);
}

static bool each_cost(struct walk *walk, const document *place) {
  const document *value = field_find(&walk->fields, "cost");
  walk->cost = NAN;
  if (!value) return one_model(walk, place);
  if (!field_first(value)) return field_complain(&walk->fields, value, "cost", "the list is empty");
  for (const document *item = field_first(value); item; item = field_next(value, item)) {
    bool off = item->kind == DOCUMENT_TEXT && !strcmp(item->text, "off");
    if (!off && (item->kind != DOCUMENT_NUMBER || !(item->number > 0) || !isfinite(item->number)))
      return field_complain(&walk->fields, item, "cost", "expected a number above 0, or \"off\"");
    walk->cost = off ? 0 : item->number;
    if (!one_model(walk, place)) return false;
  }
  return true;
}

/* Gives the environment's name the values of the remaining parameters, one combination after the other.  No deeper than
 * MAX_PARAMETERS; NOLINTNEXTLINE(misc-no-recursion) */
static bool each_parameter(struct walk *walk, const document *place, const char *name, const document *parameter) {
  if (!parameter) {
    char *sorted = sort_parameters(name);
    if (!sorted) return no_memory(&walk->fields);
    walk->setting.environment = sorted;
    bool good = each_cost(walk, place);
    walk->setting.environment = NULL;
    free(sorted);
    return good;
  }
  if (!field_first(parameter)) return field_complain(&walk->fields, parameter, parameter->key, "the list is empty");
  for (const document *item = field_first(parameter); item; item = field_next(parameter, item)) {
    if (item->kind != DOCUMENT_NUMBER && item->kind != DOCUMENT_TEXT)
      return field_complain(&walk->fields, item, parameter->key, "expected numbers or texts");
    struct text full = {0};
    text_print(&full, "%s%c%s=%s", name, strchr(name, ':') ? ',' : ':', parameter->key, item->text);
    bool good =
        full.failed ? no_memory(&walk->fields) : each_parameter(walk, place, text_string(&full), parameter->next);
    text_free(&full);
    if (!good) return false;
  }
  return true;
}

static bool each_environment(struct walk *walk) {
  const struct fields *fields = &walk->fields;
  const document *value = field_find(fields, "environments"), *parameters = field_find(fields, "parameters");
  if (!value) return field_complain(fields, NULL, "environments", "it is missing");
  if (!field_first(value)) return field_complain(fields, value, "environments", "the list is empty");
  if (parameters && (parameters->kind != DOCUMENT_OBJECT || parameters->count > MAX_PARAMETERS))
    return field_complain(fields, parameters, "parameters", "expected an object such as {\"n\": [3, 5, 7]}");
  for (const document *item = field_first(value); item; item = field_next(value, item)) {
    if (item->kind != DOCUMENT_TEXT || !*item->text)
      return field_complain(fields, item, "environments", "expected the name of an environment or a list of names");
    if (!each_parameter(walk, item, item->text, parameters ? parameters->first : NULL)) return false;
  }
  return true;
}

/* -------------------------------------------------------- grids, experiments */

/* Names of specifications and scales make the name of the results file. */
static bool is_name(const char *text) {
  return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")];
}

static bool check_scales(const struct fields *fields, const document *object) {
  const document *scales = document_get(object, "scales");
  if (!scales) return true;
  if (scales->kind != DOCUMENT_OBJECT)
    return field_complain(fields, scales, "scales", "expected an object such as {\"quick\": {\"episodes\": 10}}");
  for (const document *scale = scales->first; scale; scale = scale->next) {
    if (!is_name(scale->key))
      return field_complain(fields, scale, "scales", "'%s' is not a name of letters, digits, '.', '_' and '-'",
                            scale->key);
    if (scale->kind != DOCUMENT_OBJECT) return field_complain(fields, scale, scale->key, "expected an object");
    if (!field_known(fields, scale, scale_fields)) return false;
  }
  return true;
}

static bool read_grid(struct walk *walk, const struct fields *fields) {
  walk->fields = *fields;
  walk->setting = (struct setting){0};
  const document *trace = field_find(fields, "trace");
  uint64_t points = trace && trace->kind == DOCUMENT_BOOL && trace->truth ? TRACE_POINTS : 0;
  if (trace && trace->kind != DOCUMENT_BOOL && !field_count(fields, "trace", 0, TRACE_POINTS, &points)) return false;
  walk->setting.trace = (unsigned)points;
  return each_environment(walk);
}

static bool add_experiment(struct spec *spec, const struct fields *fields, const document *object) {
  const char *name = spec->name, *title = "", *axis = "";
  struct fields own = {.level = {object}, .count = 1, .source = fields->source, .why = fields->why};
  if (!field_text(&own, "name", &name) || !field_text(&own, "title", &title) || !field_text(&own, "axis", &axis))
    return false;
  for (size_t i = 0; i < spec->count; i++)
    if (!strcmp(spec->experiments[i].name, name))
      return field_complain(fields, object, "name", "there are two experiments '%s'", name);
  if (spec->count == spec->capacity) {
    size_t capacity = spec->capacity ? 2 * spec->capacity : 8;
    struct spec_experiment *more = realloc(spec->experiments, capacity * sizeof *more);
    if (!more) return no_memory(fields);
    spec->experiments = more;
    spec->capacity = capacity;
  }
  struct spec_experiment *experiment = &spec->experiments[spec->count++];
  *experiment = (struct spec_experiment){.name = strdup(name), .title = strdup(title), .axis = strdup(axis)};
  return (experiment->name && experiment->title && experiment->axis) || no_memory(fields);
}

static bool read_experiment(struct spec *spec, const struct fields *fields, const document *object) {
  struct walk walk = {.spec = spec, .experiment = spec->count};
  if (!add_experiment(spec, fields, object)) return false;
  const document *grids = document_get(object, "grids");
  if (!grids) return read_grid(&walk, fields);
  if (grids->kind != DOCUMENT_LIST || !grids->first)
    return field_complain(fields, grids, "grids", "expected a list of objects that is not empty");
  for (const document *grid = grids->first; grid; grid = grid->next) {
    if (grid->kind != DOCUMENT_OBJECT) return field_complain(fields, grid, "grids", "expected objects");
    if (!field_known(fields, grid, grid_fields) || !check_scales(fields, grid)) return false;
    struct fields inside = field_inside(fields, grid);
    if (!read_grid(&walk, &inside)) return false;
  }
  return true;
}

static bool read_experiments(struct spec *spec, const struct fields *fields, const document *root) {
  const document *list = document_get(root, "experiments");
  if (!list) return read_experiment(spec, fields, root);
  if (list->kind != DOCUMENT_LIST || !list->first)
    return field_complain(fields, list, "experiments", "expected a list of objects that is not empty");
  if (document_get(root, "grids"))
    return field_complain(fields, list, "grids", "belongs into one of the experiments when there are some");
  for (const document *object = list->first; object; object = object->next) {
    if (object->kind != DOCUMENT_OBJECT) return field_complain(fields, object, "experiments", "expected objects");
    if (!field_known(fields, object, experiment_fields) || !check_scales(fields, object)) return false;
    if (!document_get(object, "name")) return field_complain(fields, object, "name", "the experiment has no name");
    struct fields inside = field_inside(fields, object);
    if (!read_experiment(spec, &inside, object)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------ reading */

/* Which scale is meant.  A scale that only an inner object knows counts, too.  No deeper than the document, which is
 * limited; NOLINTNEXTLINE(misc-no-recursion) */
static bool has_scale(const document *object, const char *scale) {
  if (document_get(document_get(object, "scales"), scale)) return true;
  static const char *const lists[] = {"experiments", "grids"};
  for (size_t i = 0; i < 2; i++) {
    const document *list = document_get(object, lists[i]);
    for (const document *item = list ? list->first : NULL; item; item = item->next)
      if (has_scale(item, scale)) return true;
  }
  return false;
}

static bool choose_scale(struct spec *spec, struct fields *fields, const document *root, const char *scale) {
  const document *scales = document_get(root, "scales");
  if (!scale && has_scale(root, "quick")) scale = "quick";
  else if (!scale && scales && scales->first) scale = scales->first->key;
  else if (scale && !has_scale(root, scale))
    return complain(fields->why, fields->source, "has no scale '%s' (field 'scales')", scale);
  fields->scale = scale;
  spec->scale = strdup(scale ? scale : "");
  return spec->scale || no_memory(fields);
}

static bool read_root(struct spec *spec, const document *root, struct fields *fields, const char *scale) {
  if (root->kind != DOCUMENT_OBJECT)
    return complain(fields->why, fields->source, "expected an object, found %s", document_kind_text(root->kind));
  if (!field_known(fields, root, top_fields) || !check_scales(fields, root)) return false;
  const document *name = document_get(root, "name");
  if (!name || name->kind != DOCUMENT_TEXT || !is_name(name->text))
    return field_complain(fields, name, "name", "expected a text of letters, digits, '.', '_' and '-'");
  spec->name = strdup(name->text);
  if (!spec->name) return no_memory(fields);
  if (!choose_scale(spec, fields, root, scale)) return false;
  struct fields inside = field_inside(fields, root);
  return read_experiments(spec, &inside, root);
}

/* Model files are found from where the specification is. */
static bool find_directory(struct catalogue *catalogue, const char *source) {
  const char *slash = strrchr(source, '/');
  size_t length = slash ? (size_t)(slash - source) + 1 : 0;
  catalogue->directory = strndup(source, length);
  return catalogue->directory;
}

bool spec_read(struct spec *spec, const char *text, size_t length, const char *source, const char *scale,
               complaint *why) {
  *spec = (struct spec){0};
  if (!find_directory(&spec->catalogue, source)) return complain(why, source, "out of memory");
  document *root = document_read(text, length, source, why);
  if (!root) return false;
  struct fields fields = {.source = source, .why = why};
  bool good = spelling_update(root, source, &spec->hints, why) && read_root(spec, root, &fields, scale);
  document_free(root);
  return good;
}

void spec_free(struct spec *spec) {
  for (size_t i = 0; i < spec->count; i++) {
    free(spec->experiments[i].name);
    free(spec->experiments[i].title);
    free(spec->experiments[i].axis);
    free(spec->experiments[i].parts);
  }
  for (size_t i = 0; i < spec->setting_count; i++) setting_free(&spec->settings[i]);
  free(spec->experiments);
  free(spec->settings);
  free(spec->name);
  free(spec->scale);
  catalogue_free(&spec->catalogue);
  text_free(&spec->hints);
  *spec = (struct spec){0};
}

uint64_t spec_episodes(const struct spec *spec) {
  uint64_t sum = 0;
  for (size_t i = 0; i < spec->setting_count; i++) sum += spec->settings[i].episodes;
  return sum;
}

bool spec_timed(const struct spec *spec) {
  for (size_t i = 0; i < spec->setting_count; i++)
    if (setting_timed(&spec->settings[i])) return true;
  return false;
}
