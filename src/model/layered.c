/* Layered: makes the planning model of a model with inquiries or limits.
 *
 * With S states and the layers of layers.c:
 *   states        layer * S + s; with a horizon one more, the end
 *   actions       those of the model, then for each inquiry one or, of a joint one, one for each action
 *   observations  those of the model; for each inquiry its answers or, of a joint one, the pairs (observation, answer)
 *                 that may be seen together; "nothing" where there is more than one layer
 * States go
 *
 *   (l, s) --action a-------> (l', s')  with T(s'|s,a), seen O(o|a,s'),                   reward R(s,a) / scale
 *          --go on----------> (l', s)                   seen "nothing",                   0
 *          --ask i----------> (l', s')  with D(s'|s),   seen A(z|s'),                     -price(s) / scale
 *          --a with i-------> (l', s')  with T(s'|s,a), seen O(o|a,s') A(z|s'),           (R(s,a) - price(s)) / scale
 *
 * and to the end, where nothing is seen, after the last step of a horizon.  What a choice does in a layer is
 * glimpse_planning_move; rewards are expectations, and a price that a failure does not cost is its expectation.
 *
 * What is seen may depend on the choice and the place that is reached, not on where one comes from.  Layers are made
 * so that this is enough.  Terminal states go through the layers as all others do, since an agent that goes on must not
 * learn by that whether the episode is over.  Their places earn nothing and lead only to each other, so that each of
 * them is worth 0: all are marked as terminal.
 *
 * Cost: linear in the result, whose size is checked before anything is made. */
#include <string.h>

#include "base/report.h"
#include "model/builder.h"
#include "model/inquiry.h"
#include "model/layers.h"
#include "model/model.h"

typedef struct maker {
  const glimpse_model *model;
  const gli_layers *layers;
  const glimpse_model *shell; /* a model that has nothing but these layers, for the public functions */
  glimpse_builder *builder;   /* remembers what fails; finish tells */
  uint32_t end;               /* the state; GLIMPSE_ANY: none */
  char *text;                 /* room for the longest name that is made */
} maker;

/* ---- names ---- */

static void measure(const gli_names *names, size_t *longest, size_t *dashes) {
  for (uint32_t i = 0; i < names->count; i++) {
    const char *name = gli_names_get(names, i);
    if (!name) continue;
    size_t length = strlen(name);
    if (length > *longest) *longest = length;
    for (const char *c = strchr(name, '-'); c; c = strchr(c, '-')) {
      size_t run = strspn(c, "-");
      if (run > *dashes) *dashes = run;
      c += run;
    }
  }
}

/* Parts of a name are joined by more dashes than any name has in a row, so that no two names are the same. */
typedef struct joiner {
  char *text;
  size_t dashes;
} joiner;

static char *append(char *end, const char *text) {
  size_t length = strlen(text);
  memcpy(end, text, length + 1);
  return end + length;
}

static char *append_dashes(char *end, const joiner *j) {
  memset(end, '-', j->dashes);
  end[j->dashes] = 0;
  return end + j->dashes;
}

/* The name, or the number behind a letter, since a bare number is no name. */
static char *append_name(char *end, const glimpse_model *model, glimpse_kind kind, uint32_t i) {
  static const char *const letter[3] = {"s", "a", "o"};
  if (!glimpse_model_named(model, kind)) end = append(end, letter[kind]);
  return append(end, glimpse_model_name(model, kind, i));
}

static char *append_number(char *end, const char *letter, uint32_t number) {
  char digits[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write((double)number, digits);
  return append(append(end, letter), digits);
}

static void name_states(maker *m, const joiner *j) {
  if (m->layers->count == 1 && m->end == GLIMPSE_ANY && !glimpse_model_named(m->model, GLIMPSE_STATE)) return;
  for (uint32_t l = 0; l < m->layers->count; l++) {
    const gli_layer *layer = &m->layers->layer[l];
    for (uint32_t s = 0; s < m->model->states; s++) {
      char *end = append_name(j->text, m->model, GLIMPSE_STATE, s);
      if (l) end = append_dashes(end, j);
      if (m->layers->horizon && l) end = append_number(end, "t", layer->time);
      if (m->layers->limit && l) end = append_number(end, "u", layer->used);
      if (m->layers->phases && l) append_number(end, layer->closed ? "n" : "p", layer->phase);
      glimpse_builder_name(m->builder, GLIMPSE_STATE, l * m->model->states + s, j->text);
    }
  }
  if (m->end == GLIMPSE_ANY) return;
  append(append_dashes(append(j->text, "end"), j), "");
  glimpse_builder_name(m->builder, GLIMPSE_STATE, m->end, j->text);
}

static void name_choices(maker *m, const joiner *j) {
  for (uint32_t c = 0; c < m->layers->choices; c++) {
    glimpse_move move = glimpse_planning_meaning(m->shell, c);
    char *end = j->text;
    if (move.action != GLIMPSE_ANY) end = append_name(end, m->model, GLIMPSE_ACTION, move.action);
    if (move.action != GLIMPSE_ANY && move.inquiry != GLIMPSE_ANY) end = append_dashes(end, j);
    if (move.inquiry != GLIMPSE_ANY) append(end, m->model->inquiries[move.inquiry].name);
    glimpse_builder_name(m->builder, GLIMPSE_ACTION, c, j->text);
  }
}

static void name_seen(maker *m, const joiner *j) {
  const gli_layers *layers = m->layers;
  for (uint32_t o = 0; o < layers->observations; o++) {
    append_name(j->text, m->model, GLIMPSE_OBSERVATION, o);
    glimpse_builder_name(m->builder, GLIMPSE_OBSERVATION, o, j->text);
  }
  for (uint32_t i = 0; i < layers->inquiries; i++) {
    bool joint = layers->timing[i] == GLIMPSE_TIMING_JOINT;
    uint64_t first = layers->first_pair[i], count = joint ? layers->first_pair[i + 1] - first : layers->answers[i];
    for (uint64_t k = 0; k < count; k++) {
      char *end = j->text;
      if (joint)
        end = append_dashes(append_name(end, m->model, GLIMPSE_OBSERVATION, (uint32_t)(layers->pair[first + k] >> 32)),
                            j);
      end = append_dashes(append(end, m->model->inquiries[i].name), j);
      append(end, glimpse_model_answer_name(m->model, i, (uint32_t)(joint ? layers->pair[first + k] : k)));
      glimpse_builder_name(m->builder, GLIMPSE_OBSERVATION, layers->first_seen[i] + (uint32_t)k, j->text);
    }
  }
  if (layers->nothing == GLIMPSE_ANY) return;
  append_dashes(append(j->text, "nothing"), j);
  glimpse_builder_name(m->builder, GLIMPSE_OBSERVATION, layers->nothing, j->text);
}

static bool add_names(maker *m) {
  size_t longest = 0, room = 0, dashes = 0;
  for (int kind = 0; kind < 3; kind++) {
    longest = 0;
    measure(&m->model->names[kind], &longest, &dashes);
    room += longest;
  }
  for (uint32_t i = 0; i < m->model->inquiry_count; i++) {
    const gli_inquiry *inquiry = &m->model->inquiries[i];
    longest = 0;
    measure(&inquiry->names, &longest, &dashes);
    room += longest + strlen(inquiry->name);
    for (const char *c = strchr(inquiry->name, '-'); c; c = strchr(c, '-')) {
      size_t run = strspn(c, "-");
      if (run > dashes) dashes = run;
      c += run;
    }
  }
  joiner j = {.dashes = dashes + 1};
  j.text = m->text = GLI_NEW(char, room + 4 * j.dashes + (size_t)4 * GLIMPSE_NUMBER_SIZE);
  if (!m->text) return false;
  name_states(m, &j);
  name_choices(m, &j);
  name_seen(m, &j);
  return true;
}

/* ---- numbers ---- */

/* The place of a state in a layer; layer GLIMPSE_ANY: the end. */
static uint32_t place(const maker *m, uint32_t layer, uint32_t s) {
  return layer == GLIMPSE_ANY ? m->end : layer * m->model->states + s;
}

/* Where a choice leads from s: by an action, by an effect, or nowhere else. */
static glimpse_row reached(const maker *m, glimpse_move move, uint32_t s, uint32_t *stay, double *one) {
  if (move.action != GLIMPSE_ANY) return glimpse_model_transition(m->model, move.action, s);
  if (move.inquiry != GLIMPSE_ANY && m->model->inquiries[move.inquiry].effect.row)
    return gli_table_row(&m->model->inquiries[move.inquiry].effect, s);
  *stay = s;
  *one = 1;
  return (glimpse_row){1, stay, one};
}

static double reward(const maker *m, glimpse_move move, uint32_t s, glimpse_row next) {
  double sum = move.action == GLIMPSE_ANY ? 0 : glimpse_model_reward(m->model, move.action, s);
  if (move.inquiry == GLIMPSE_ANY) return sum;
  const gli_inquiry *inquiry = &m->model->inquiries[move.inquiry];
  double price = 0;
  if (!inquiry->unpaid) price = gli_inquiry_paid(m->model, inquiry, s, s);
  else
    for (size_t i = 0; i < next.count; i++)
      price += next.value[i] * gli_inquiry_paid(m->model, inquiry, s, next.index[i]);
  return sum - price;
}

static void add_moves(maker *m, uint32_t layer, uint32_t choice) {
  glimpse_move move = glimpse_planning_move(m->shell, layer, choice);
  uint32_t after = glimpse_planning_next(m->shell, layer, choice);
  for (uint32_t s = 0; s < m->model->states; s++) {
    uint32_t here = layer * m->model->states + s, stay;
    double one, paid;
    glimpse_row next = reached(m, move, s, &stay, &one);
    /* All that goes to the end goes to one state, whose probabilities add up. */
    double over = 0;
    for (size_t i = 0; i < next.count; i++) {
      uint32_t to = place(m, after, next.index[i]);
      double p = to == m->end ? (over += next.value[i]) : next.value[i];
      glimpse_builder_transition(m->builder, choice, here, to, p);
    }
    paid = reward(m, move, s, next);
    if (paid != 0)
      glimpse_builder_reward(m->builder, choice, here, GLIMPSE_ANY, GLIMPSE_ANY, paid / m->layers->scale[layer]);
  }
}

static void see(maker *m, uint32_t choice, uint32_t place, uint32_t first, glimpse_row row) {
  for (size_t i = 0; i < row.count; i++)
    glimpse_builder_observation(m->builder, choice, place, first + row.index[i], row.value[i]);
}

/* What a move shows on reaching s. */
static void see_move(maker *m, uint32_t choice, uint32_t place, glimpse_move move, uint32_t s) {
  const gli_layers *layers = m->layers;
  if (move.inquiry == GLIMPSE_ANY) {
    see(m, choice, place, 0, glimpse_model_observation(m->model, move.action, s));
    return;
  }
  glimpse_row answers = gli_table_row(&m->model->inquiries[move.inquiry].answer, s);
  if (move.action == GLIMPSE_ANY) {
    see(m, choice, place, layers->first_seen[move.inquiry], answers);
    return;
  }
  glimpse_row seen = glimpse_model_observation(m->model, move.action, s);
  const uint64_t *pairs = layers->pair + layers->first_pair[move.inquiry];
  size_t count = (size_t)(layers->first_pair[move.inquiry + 1] - layers->first_pair[move.inquiry]);
  for (size_t i = 0; i < seen.count; i++)
    for (size_t z = 0; z < answers.count; z++) {
      uint64_t pair = (uint64_t)seen.index[i] << 32 | answers.index[z];
      size_t low = 0, high = count;
      while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs[middle] < pair) low = middle + 1;
        else high = middle;
      }
      glimpse_builder_observation(m->builder, choice, place, layers->first_seen[move.inquiry] + (uint32_t)low,
                                  seen.value[i] * answers.value[z]);
    }
}

/* What a choice shows on reaching a layer. */
static void add_seen(maker *m, uint32_t layer, uint32_t choice) {
  const gli_layers *layers = m->layers;
  const gli_layer *at = &layers->layer[layer];
  glimpse_move move = glimpse_planning_meaning(m->shell, choice);
  bool before = move.inquiry != GLIMPSE_ANY && layers->timing[move.inquiry] == GLIMPSE_TIMING_BEFORE;
  bool none_left = layers->limit && at->used > layers->limit; /* an inquiry does not lead here */
  bool silent = at->phase > 0 && (!before || none_left || at->closed);
  glimpse_move act = move;
  if (at->phase == 0 && (before || none_left))
    act = (glimpse_move){move.action == GLIMPSE_ANY ? 0 : move.action, GLIMPSE_ANY};
  for (uint32_t s = 0; s < layers->states; s++) {
    uint32_t here = layer * layers->states + s;
    if (silent) glimpse_builder_observation(m->builder, choice, here, layers->nothing, 1);
    else see_move(m, choice, here, act, s);
  }
}

/* ---- size ---- */

/* At most so many non-zeros in T and O of one layer. */
static uint64_t entries(const glimpse_model *model) {
  uint64_t rows = (uint64_t)model->actions * model->states, t = model->transition.row[rows],
           o = model->observe.row[rows], moves = t, seen = o;
  for (uint32_t i = 0; i < model->inquiry_count; i++) {
    const gli_inquiry *inquiry = &model->inquiries[i];
    bool joint = inquiry->timing == GLIMPSE_TIMING_JOINT;
    uint64_t answers = inquiry->answer.row[model->states], longest = 0;
    for (uint32_t s = 0; s < model->states; s++) {
      uint64_t length = inquiry->answer.row[s + 1] - inquiry->answer.row[s];
      if (length > longest) longest = length;
    }
    moves += t; /* also where it is an alias of an action */
    if (inquiry->effect.row) moves += inquiry->effect.row[model->states];
    seen += joint ? o * longest : answers + o;
  }
  return moves > seen ? moves : seen;
}

static glimpse_status check_size(const glimpse_model *model, const gli_layers *layers, glimpse_report *report) {
  uint64_t states = (uint64_t)layers->count * model->states + (layers->horizon > 0);
  uint64_t rows = states * layers->choices, most = entries(model) + (uint64_t)model->states * layers->choices;
  uint64_t limit = model->most && model->most < GLIMPSE_MAX_ENTRIES ? model->most : GLIMPSE_MAX_ENTRIES;
  if (states <= GLIMPSE_MAX_COUNT && rows <= GLIMPSE_MAX_ROWS && rows <= limit && most <= limit / layers->count)
    return GLIMPSE_OK;
  return GLI_FAIL(
      report, GLIMPSE_TOO_LARGE,
      "planning with these inquiries and limits would need %llu states, %u actions and up to %llu non-zeros "
      "in each of %u layers, more than the limits allow",
      (unsigned long long)states, (unsigned)layers->choices, (unsigned long long)most, (unsigned)layers->count);
}

/* ---- all ---- */

static void add_numbers(maker *m) {
  glimpse_builder_discount(m->builder, m->layers->discount);
  glimpse_row start = glimpse_model_start(m->model);
  for (size_t i = 0; i < start.count; i++) glimpse_builder_start(m->builder, start.index[i], start.value[i]);
  for (uint32_t c = 0; c < m->layers->choices; c++) {
    for (uint32_t l = 0; l < m->layers->count; l++) {
      add_moves(m, l, c);
      add_seen(m, l, c);
    }
    if (m->end == GLIMPSE_ANY) continue;
    glimpse_builder_transition(m->builder, c, m->end, m->end, 1);
    glimpse_builder_observation(m->builder, c, m->end, m->layers->nothing, 1);
  }
}

static void mark_terminals(const glimpse_model *model, const gli_layers *layers, glimpse_model *planning) {
  planning->ends |= model->ends;
  for (uint32_t l = 0; l < layers->count; l++)
    for (uint32_t s = 0; s < model->states; s++)
      if (model->terminal[s]) planning->terminal[l * model->states + s] = 1;
}

glimpse_status gli_layered_new(const glimpse_model *model, glimpse_report *report, glimpse_model **planning) {
  *planning = NULL;
  gli_layers *layers = NULL;
  glimpse_status status = gli_layers_new(model, report, &layers);
  if (!status && layers->phases && model->discount == 0)
    status = GLI_FAIL(report, GLIMPSE_BAD_MODEL,
                      "the discount is 0, so an action that follows a question would have no weight; with inquiries "
                      "before an action it must be above 0");
  if (!status) status = check_size(model, layers, report);
  if (status) {
    gli_layers_free(layers);
    return status;
  }
  glimpse_model shell = {.layers = layers};
  uint32_t states = layers->count * model->states;
  maker m = {.model = model, .layers = layers, .shell = &shell, .end = layers->horizon ? states : GLIMPSE_ANY};
  m.builder = glimpse_builder_new(states + (layers->horizon > 0), layers->choices, layers->seen);
  if (m.builder && add_names(&m)) {
    add_numbers(&m);
    status = gli_builder_pass(m.builder, report, planning);
  } else {
    status = GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  }
  if (status) {
    gli_layers_free(layers);
  } else {
    mark_terminals(model, layers, *planning);
    (*planning)->layers = layers;
  }
  gli_memory_free(m.text);
  glimpse_builder_free(m.builder);
  return status;
}
