/* Builder: collects assignments and turns them into a model.
 *
 * gli_builder_pass is the one gate through which every model passes,
 * whether it was read, generated, transformed or made by a caller.  Behind it
 * the rest of the library trusts: indices are in range, rows are sorted, sum to
 * 1 and hold positive numbers, everything is finite. */
#include "model/builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "model/inquiry.h"
#include "model/log.h"
#include "model/model.h"
#include "model/rules.h"

/* So many rows without any assignment need not be named. */
static const uint64_t hopeless = 1 << 20;

struct glimpse_builder {
  uint32_t counts[3]; /* by glimpse_kind; 0 once finished, so that every index is out of range */
  gli_names names[3];
  double discount;
  double cost, *costs; /* costs: NULL while all are the same; NaN: never given */
  double *start;       /* NULL: never given */
  gli_log transition, observe;
  gli_rules rules;
  gli_drafts drafts;
  glimpse_scene *scene;    /* NULL: never given */
  gli_builder_finder find; /* NULL: the model comes from no text */
  void *find_context;
  glimpse_status failed; /* the first failure, for finish */
  char failure[200];
};

glimpse_builder *glimpse_builder_new(uint32_t states, uint32_t actions, uint32_t observations) {
  if (!states || !actions || !observations) return NULL;
  if (states > GLIMPSE_MAX_COUNT || observations > GLIMPSE_MAX_COUNT || actions > GLIMPSE_MAX_ACTIONS ||
      (uint64_t)states * actions > GLIMPSE_MAX_ROWS)
    return NULL;
  glimpse_builder *builder = GLI_NEW(glimpse_builder, 1);
  if (!builder) return NULL;
  builder->counts[GLIMPSE_STATE] = states;
  builder->counts[GLIMPSE_ACTION] = actions;
  builder->counts[GLIMPSE_OBSERVATION] = observations;
  for (int kind = 0; kind < 3; kind++) gli_names_start(&builder->names[kind], builder->counts[kind]);
  builder->discount = 1;
  builder->cost = NAN;
  gli_log_start(&builder->transition, states, actions, states);
  gli_log_start(&builder->observe, states, actions, observations);
  return builder;
}

void glimpse_builder_free(glimpse_builder *builder) {
  if (!builder) return;
  for (int kind = 0; kind < 3; kind++) gli_names_free(&builder->names[kind]);
  gli_memory_free(builder->costs);
  gli_memory_free(builder->start);
  gli_log_free(&builder->transition);
  gli_log_free(&builder->observe);
  gli_rules_free(&builder->rules);
  gli_drafts_free(&builder->drafts);
  gli_scene_free(builder->scene);
  gli_memory_free(builder);
}

glimpse_status gli_builder_fail(glimpse_builder *builder, glimpse_status status, const char *format, ...) {
  if (!status || builder->failed) return status;
  builder->failed = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(builder->failure, sizeof builder->failure, format, arguments);
  va_end(arguments);
  return status;
}

const char *gli_builder_failure(const glimpse_builder *builder) {
  return builder->failure;
}

gli_drafts *gli_builder_drafts(glimpse_builder *builder) {
  return &builder->drafts;
}

uint32_t gli_builder_count(const glimpse_builder *builder, glimpse_kind kind) {
  return builder->counts[kind];
}

static bool inside(const glimpse_builder *builder, glimpse_kind kind, uint32_t i) {
  return i < builder->counts[kind] || i == GLIMPSE_ANY;
}

gli_names *gli_builder_names(glimpse_builder *builder, glimpse_kind kind) {
  return &builder->names[kind];
}

glimpse_status glimpse_builder_name(glimpse_builder *builder, glimpse_kind kind, uint32_t i, const char *name) {
  size_t length = strlen(name);
  if (i >= builder->counts[kind])
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "name '%.80s' is for an index out of range", name);
  if (!gli_names_valid(name, length))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "'%.80s' is not a name: use a letter, then letters, digits, _ and -", name);
  switch (gli_names_set(&builder->names[kind], i, name, length)) {
    case GLI_NAMES_OK: return GLIMPSE_OK;
    case GLI_NAMES_TAKEN: return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "name '%.80s' is given twice", name);
    case GLI_NAMES_NO_MEMORY: break;
  }
  return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
}

glimpse_status glimpse_builder_discount(glimpse_builder *builder, double discount) {
  if (!(discount >= 0 && discount <= 1))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "the discount must lie in 0..1");
  builder->discount = discount + 0.0; /* -0 becomes 0 */
  return GLIMPSE_OK;
}

glimpse_status glimpse_builder_cost(glimpse_builder *builder, uint32_t s, double cost) {
  if (!inside(builder, GLIMPSE_STATE, s))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "cost of a state out of range");
  if (!isfinite(cost) || cost < 0)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a request cost must be finite and not negative");
  cost += 0.0; /* -0 becomes 0 */
  if (s == GLIMPSE_ANY) {
    gli_memory_free(builder->costs);
    builder->costs = NULL;
    builder->cost = cost;
    return GLIMPSE_OK;
  }
  uint32_t states = builder->counts[GLIMPSE_STATE];
  if (!builder->costs) {
    builder->costs = GLI_NEW(double, states);
    if (!builder->costs) return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
    for (uint32_t i = 0; i < states; i++) builder->costs[i] = builder->cost;
  }
  builder->costs[s] = cost;
  return GLIMPSE_OK;
}

static bool is_probability(double p) {
  return isfinite(p) && p >= 0;
}

glimpse_status glimpse_builder_start(glimpse_builder *builder, uint32_t s, double p) {
  if (!inside(builder, GLIMPSE_STATE, s))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "start in a state out of range");
  if (!is_probability(p))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a start probability is negative or not finite");
  uint32_t states = builder->counts[GLIMPSE_STATE];
  if (!builder->start && !(builder->start = GLI_NEW(double, states)))
    return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
  if (s == GLIMPSE_ANY)
    for (uint32_t i = 0; i < states; i++) builder->start[i] = p;
  else builder->start[s] = p;
  return GLIMPSE_OK;
}

void gli_builder_start_clear(glimpse_builder *builder) {
  gli_memory_free(builder->start);
  builder->start = NULL;
}

static glimpse_status add(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s, uint32_t column,
                          double value) {
  if (!inside(builder, GLIMPSE_ACTION, a) || !inside(builder, GLIMPSE_STATE, s))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "%s of an action or state out of range",
                            table == GLI_TRANSITION ? "transition" : "observation");
  gli_log *log = table == GLI_TRANSITION ? &builder->transition : &builder->observe;
  glimpse_status status = gli_log_add(log, a, s, column, value);
  return status ? gli_builder_fail(builder, status, "%s", glimpse_status_text(status)) : GLIMPSE_OK;
}

glimpse_status glimpse_builder_transition(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t s2, double p) {
  if (!inside(builder, GLIMPSE_STATE, s2))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "transition to a state out of range");
  if (!is_probability(p))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a transition probability is negative or not finite");
  return add(builder, GLI_TRANSITION, a, s, s2 == GLIMPSE_ANY ? GLI_LOG_FILL : s2, p);
}

glimpse_status glimpse_builder_observation(glimpse_builder *builder, uint32_t a, uint32_t s2, uint32_t o, double p) {
  if (!inside(builder, GLIMPSE_OBSERVATION, o))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "an observation is out of range");
  if (!is_probability(p))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "an observation probability is negative or not finite");
  return add(builder, GLI_OBSERVATION, a, s2, o == GLIMPSE_ANY ? GLI_LOG_FILL : o, p);
}

glimpse_status gli_builder_row_clear(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s) {
  return add(builder, table, a, s, GLI_LOG_FILL, 0);
}

glimpse_status gli_builder_row_uniform(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s) {
  return add(builder, table, a, s, GLI_LOG_UNIFORM, 0);
}

glimpse_status gli_builder_row_identity(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s) {
  if (table == GLI_OBSERVATION && builder->counts[GLIMPSE_OBSERVATION] != builder->counts[GLIMPSE_STATE])
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "identity needs as many observations as states");
  return add(builder, table, a, s, GLI_LOG_IDENTITY, 0);
}

glimpse_status gli_builder_row_reset(glimpse_builder *builder, uint32_t a, uint32_t s) {
  return add(builder, GLI_TRANSITION, a, s, GLI_LOG_RESET, 0);
}

glimpse_status glimpse_builder_reward(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t s2, uint32_t o,
                                      double r) {
  if (!inside(builder, GLIMPSE_ACTION, a) || !inside(builder, GLIMPSE_STATE, s) ||
      !inside(builder, GLIMPSE_STATE, s2) || !inside(builder, GLIMPSE_OBSERVATION, o))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a reward is for something out of range");
  if (!isfinite(r)) return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a reward is not finite");
  glimpse_status status = gli_rules_add(&builder->rules, a, s, s2, o, r);
  return status ? gli_builder_fail(builder, status, "%s", glimpse_status_text(status)) : GLIMPSE_OK;
}

glimpse_status glimpse_builder_scene(glimpse_builder *builder, const glimpse_scene *scene) {
  uint32_t states = builder->counts[GLIMPSE_STATE];
  if (!states) return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "the builder has already been finished");
  const char *wrong = gli_scene_fault(scene, states);
  if (wrong) return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "the scene: %s", wrong);
  glimpse_scene *copy = gli_scene_copy(scene, states);
  if (!copy) return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  gli_scene_free(builder->scene);
  builder->scene = copy;
  return GLIMPSE_OK;
}

static glimpse_status put_entry(glimpse_builder *builder, glimpse_table table, uint32_t a, uint32_t row,
                                uint32_t column, double value) {
  switch (table) {
    case GLIMPSE_TABLE_TRANSITION: return glimpse_builder_transition(builder, a, row, column, value);
    case GLIMPSE_TABLE_OBSERVATION: return glimpse_builder_observation(builder, a, row, column, value);
    case GLIMPSE_TABLE_REWARD: return glimpse_builder_reward(builder, a, row, column, GLIMPSE_ANY, value);
  }
  return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "entries of a table that is none");
}

glimpse_status glimpse_builder_entries(glimpse_builder *builder, glimpse_table table, uint32_t a, size_t count,
                                       const uint32_t *row, const uint32_t *column, const double *value,
                                       size_t *refused) {
  for (size_t i = 0; i < count; i++) {
    glimpse_status status = put_entry(builder, table, a, row[i], column ? column[i] : GLIMPSE_ANY, value[i]);
    if (!status) continue;
    if (refused) *refused = i;
    return status;
  }
  return GLIMPSE_OK;
}

void gli_builder_limit(glimpse_builder *builder, uint64_t most, uint64_t questions) {
  builder->transition.most = builder->observe.most = builder->rules.most = most;
  builder->rules.questions = questions;
  builder->drafts.most = most;
}

/* ---- the gate ---- */

typedef struct gate {
  glimpse_builder *builder;
  glimpse_report *report;
  gli_builder_part part; /* what is judged */
  bool endless;          /* there are too many steps to find the rewards of */
} gate;

void gli_builder_places(glimpse_builder *builder, gli_builder_finder find, void *context) {
  builder->find = find;
  builder->find_context = context;
}

/* The place of a part in the text, 0 and 0 when there is none. */
typedef struct place {
  uint64_t line, column;
} place;

static place place_of(const gate *g, gli_builder_part part, uint32_t a, uint32_t s) {
  place found = {0, 0};
  if (g->builder->find) g->builder->find(g->builder->find_context, part, a, s, &found.line, &found.column);
  return found;
}

/* The verdict on the sum of a row, or of the start belief. */
static bool judge_sum(void *context, uint32_t a, uint32_t s, double sum) {
  const gate *g = context;
  gli_log_verdict verdict = gli_log_judge_sum(sum);
  if (verdict == GLI_SUM_FINE) return true;
  bool valid = verdict == GLI_SUM_MENDED;
  glimpse_severity severity = valid ? GLIMPSE_WARNING : GLIMPSE_ERROR;
  if (gli_report_full(g->report, severity)) { /* a model can have 10^8 rows: no text for nothing */
    gli_report_add(g->report, severity, GLIMPSE_BAD_MODEL, 0, 0, "%s", "");
    return valid;
  }
  char what[200] = "the start belief", number[GLIMPSE_NUMBER_SIZE];
  if (g->part != GLI_PART_START)
    snprintf(what, sizeof what, "the row %s : %.60s : %.60s", g->part == GLI_PART_TRANSITION ? "T" : "O",
             gli_names_get(&g->builder->names[GLIMPSE_ACTION], a), gli_names_get(&g->builder->names[GLIMPSE_STATE], s));
  /* 0.333 three times is 0.999 to the reader, not 0.9990000000000001. */
  glimpse_number_write(sum < 1000 ? round(sum * 1e12) / 1e12 : sum, number);
  place at = place_of(g, g->part, a, s);
  gli_report_add(g->report, severity, GLIMPSE_BAD_MODEL, at.line, at.column, "%s sums to %s%s", what, number,
                 valid ? "; it was normalised to 1" : ", expected 1");
  return valid;
}

/* A text can claim many rows in a few bytes.  Says so before it costs memory. */
static glimpse_status pass_presence(const gate *g) {
  const gli_log *logs[2] = {&g->builder->transition, &g->builder->observe};
  glimpse_status status = GLIMPSE_OK;
  for (int i = 0; i < 2; i++) {
    uint64_t rows = (uint64_t)g->builder->counts[GLIMPSE_ACTION] * g->builder->counts[GLIMPSE_STATE];
    if (logs[i]->wildcards || logs[i]->plain_count + hopeless >= rows) continue;
    status = GLIMPSE_BAD_MODEL;
    place at = place_of(g, GLI_PART_WHOLE, 0, 0);
    gli_report_add(g->report, GLIMPSE_ERROR, status, at.line, at.column,
                   "%s has %llu rows, one for each action and state, but only %llu assignments", i ? "O" : "T",
                   (unsigned long long)rows, (unsigned long long)logs[i]->plain_count);
  }
  return status;
}

static glimpse_status pass_names(const gate *g) {
  static const char *const plural[3] = {"states", "actions", "observations"};
  for (int kind = 0; kind < 3; kind++) {
    gli_names *names = &g->builder->names[kind];
    if (!names->given) {
      if (!gli_names_number(names)) return GLIMPSE_NO_MEMORY;
      continue;
    }
    uint32_t missing = gli_names_missing(names);
    if (missing < names->count)
      return GLI_FAIL(g->report, GLIMPSE_BAD_MODEL, "some %s have names, but number %u has none", plural[kind],
                      (unsigned)missing);
  }
  return GLIMPSE_OK;
}

/* States whose price was never given are free, which is worth a warning where others are not. */
static void free_costs(const gate *g, uint32_t states) {
  double *costs = g->builder->costs;
  uint32_t missing = 0, positive = 0;
  for (uint32_t s = 0; s < states; s++) {
    positive += costs[s] > 0;
    if (!isnan(costs[s])) continue;
    costs[s] = 0;
    missing++;
  }
  if (!missing || !positive) return;
  place at = place_of(g, GLI_PART_COST, 0, 0);
  gli_report_add(g->report, GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, at.line, at.column,
                 "no request cost is given for %u of %u states: asking there is free", (unsigned)missing,
                 (unsigned)states);
}

static void pass_costs(const gate *g, glimpse_model *model) {
  glimpse_builder *builder = g->builder;
  if (builder->costs) free_costs(g, model->states);
  uint32_t same = 0;
  for (uint32_t s = 0; builder->costs && s < model->states; s++) same += builder->costs[s] == builder->costs[0];
  if (builder->costs && same == model->states) { /* given one by one, yet uniform */
    builder->cost = builder->costs[0];
    gli_memory_free(builder->costs);
    builder->costs = NULL;
  }
  model->costs = builder->costs;
  builder->costs = NULL;
  model->cost = model->costs || isnan(builder->cost) ? 0 : builder->cost;
  model->requests = model->costs || model->cost > 0; /* one of several prices is positive */
}

static glimpse_status pass_start(gate *g, glimpse_model *model) {
  const double *given = g->builder->start;
  gli_table *start = &model->start;
  start->row = GLI_NEW(uint64_t, 2);
  start->column = GLI_NEW(uint32_t, model->states);
  start->value = GLI_NEW(double, model->states);
  if (!start->row || !start->column || !start->value) return GLIMPSE_NO_MEMORY;
  gli_sum sum = {0, 0};
  size_t n = 0;
  for (uint32_t s = 0; s < model->states; s++) {
    double p = given ? given[s] : 1.0 / model->states;
    if (p == 0) continue;
    start->column[n] = s;
    start->value[n++] = p;
    gli_sum_add(&sum, p);
  }
  start->row[1] = n;
  g->part = GLI_PART_START;
  bool valid = judge_sum(g, 0, 0, gli_sum_value(sum));
  gli_log_normalise(start->value, n, gli_sum_value(sum)); /* also if not valid: a row of T may need it */
  start->column = gli_memory_trim(start->column, n, sizeof *start->column);
  start->value = gli_memory_trim(start->value, n, sizeof *start->value);
  return valid ? GLIMPSE_OK : GLIMPSE_BAD_MODEL;
}

static glimpse_status pass_tables(gate *g, glimpse_model *model) {
  glimpse_row start = gli_table_row(&model->start, 0);
  gli_log_judge judge = {g, judge_sum};
  g->part = GLI_PART_TRANSITION;
  glimpse_status first = gli_log_resolve(&g->builder->transition, start, judge, &model->transition);
  if (first && first != GLIMPSE_BAD_MODEL) return first;
  g->part = GLI_PART_OBSERVATION;
  glimpse_status second = gli_log_resolve(&g->builder->observe, start, judge, &model->observe);
  return first ? first : second;
}

/* Whether no inquiry changes it. */
static bool stays(const glimpse_model *model, uint32_t s) {
  for (uint32_t i = 0; i < model->inquiry_count; i++) {
    glimpse_row next = glimpse_model_inquiry_effect(model, i, s);
    if (next.count > 1 || (next.count == 1 && next.index[0] != s)) return false;
  }
  return true;
}

static glimpse_status find_terminals(glimpse_model *model) {
  model->terminal = GLI_NEW(uint8_t, model->states);
  if (!model->terminal) return GLIMPSE_NO_MEMORY;
  for (uint32_t s = 0; s < model->states; s++) {
    bool terminal = stays(model, s);
    for (uint32_t a = 0; a < model->actions && terminal; a++) {
      uint64_t row = gli_model_row(model, a, s);
      glimpse_row next = gli_table_row(&model->transition, row);
      terminal = next.count == 1 && next.index[0] == s && model->steps.row[row] == model->steps.row[row + 1];
    }
    model->terminal[s] = terminal;
    model->ends |= terminal;
  }
  return GLIMPSE_OK;
}

/* Start and both tables are judged before any of them fails, so that all findings come at once. */
static glimpse_status pass_numbers(gate *g, glimpse_model *model) {
  pass_costs(g, model);
  glimpse_status start = pass_start(g, model), tables = GLIMPSE_OK;
  if (start != GLIMPSE_NO_MEMORY) tables = pass_tables(g, model);
  if (start && start != GLIMPSE_BAD_MODEL) return start;
  return tables ? tables : start;
}

/* The log is freed once its table exists: the peak is what large models feel. */
static glimpse_status pass(gate *g, glimpse_model *model) {
  glimpse_builder *builder = g->builder;
  glimpse_status status = pass_presence(g);
  if (!status) status = pass_names(g);
  if (!status) status = pass_numbers(g, model);
  gli_log_free(&builder->transition);
  gli_log_free(&builder->observe);
  if (!status && !gli_rules_within(&builder->rules, model)) {
    g->endless = true;
    status = GLIMPSE_TOO_LARGE;
  }
  if (!status) status = gli_rules_resolve(&builder->rules, model);
  gli_rules_free(&builder->rules);
  if (status) return status;
  for (int kind = 0; kind < 3; kind++) {
    model->names[kind] = builder->names[kind];
    builder->names[kind] = (gli_names){0};
  }
  return GLIMPSE_OK;
}

static void find_inquiry(void *context, uint32_t i, uint64_t *line, uint64_t *column) {
  const glimpse_builder *builder = context;
  builder->find(builder->find_context, GLI_PART_INQUIRY, i, 0, line, column);
}

glimpse_status gli_builder_pass(glimpse_builder *builder, glimpse_report *report, glimpse_model **out) {
  *out = NULL;
  if (builder->failed) return GLI_FAIL(report, builder->failed, "%s", builder->failure);
  if (!builder->counts[GLIMPSE_STATE])
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the builder has already been finished");
  glimpse_model *model = GLI_NEW(glimpse_model, 1);
  if (!model) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  model->states = builder->counts[GLIMPSE_STATE];
  model->actions = builder->counts[GLIMPSE_ACTION];
  model->observations = builder->counts[GLIMPSE_OBSERVATION];
  model->discount = builder->discount;
  gate g = {.builder = builder, .report = report};
  uint64_t most = builder->transition.most;
  glimpse_status status = pass(&g, model);
  gli_inquiry_gate inquiries = {report, builder->find ? find_inquiry : NULL, builder};
  if (!status) status = gli_drafts_resolve(&builder->drafts, &inquiries, model);
  if (!status) status = find_terminals(model);
  memset(builder->counts, 0, sizeof builder->counts);
  if (status == GLIMPSE_NO_MEMORY || status == GLIMPSE_TOO_LARGE) {
    place at = place_of(&g, GLI_PART_WHOLE, 0, 0);
    if (status == GLIMPSE_NO_MEMORY)
      gli_report_add(report, GLIMPSE_ERROR, status, at.line, at.column, "%s", glimpse_status_text(status));
    else if (g.endless)
      gli_report_add(report, GLIMPSE_ERROR, status, at.line, at.column,
                     "the rewards depend on the observation at more steps than so short a text may have");
    else
      gli_report_add(report, GLIMPSE_ERROR, status, at.line, at.column,
                     "expected at most %" PRIu64 " non-zeros in each of T, O and R%s, found more", most,
                     most < GLIMPSE_MAX_ENTRIES ? " from so short a text" : "");
  }
  if (status) {
    glimpse_model_free(model);
    return status;
  }
  model->scene = builder->scene;
  builder->scene = NULL;
  *out = model;
  return GLIMPSE_OK;
}
