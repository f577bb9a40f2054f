/* Layers: what the states, actions and observations of a planning model mean.
 *
 * The planning model (layered.c makes it) is the model times a counter that the agent always sees, the layer
 *
 *   (time, used, phase, closed)     time    steps made; counted only with a horizon H, 0 .. H-1
 *                                   used    requests made; counted only with a limit K, 0 .. K+1
 *                                   phase   questions passed in this step, 0 .. m; in phase m one acts
 *                                   closed  one was passed without asking; counted only with m > 1
 *
 * where m = 0 if nothing can be asked before an action.  A choice leads from a layer to one layer:
 *
 *   phase < m   go on                 (time, used', phase + 1, true)
 *               ask before            (time, used + 1, phase + 1, false)     while used < K and not closed
 *   phase = m   act                   (time + 1, used', 0, false)
 *               ask as a step, or     (time + 1, used + 1, 0, false)         while used < K
 *               together with an action
 *
 * with used' = used, but K + 1 after K.  Whoever goes on asks no more before the action.  So nobody asks later than he
 * could, and after an answer as many questions are left as the model says.
 *
 * A layer with used = K is entered by the last request, and one with K + 1 by anything else; one that is closed by
 * going on, and one that is not, in a phase after the first, by an answer (with m = 1 by either, but never by the same
 * choice).  So what is seen on entering a layer depends on the choice and the layer alone, as observations of a POMDP
 * must.  Choices that are not legal in a layer do what a legal one does, so they add nothing: in an early phase all but
 * the inquiries go on; an inquiry where none is left goes on, or is the first action, or the action that it goes
 * together with.
 *
 * Discounts.  A step of the model takes m + 1 of these, of which only one is discounted.  Let b be the discount of
 * the planning model and let values of a layer be divided by scale[layer].  The recursions agree if for each choice
 * with true discount g (1 for a question, the model's for a step) from layer l to layer l'
 *
 *   scale[l'] = scale[l] b / g.
 *
 * With discount < 1: b = discount^(1/(m+1)), scale = b^phase.  With discount 1 and a horizon: b = 2^(-1/(H(m+1))),
 * scale = b^(time (m+1) + phase), which is at least 1/2.  Layer 0 has scale 1.
 *
 * Cost: linear in layers, and sorting the pairs of joint observations. */
#include "model/layers.h"

#include <math.h>
#include <stdlib.h>

#include "base/report.h"
#include "model/inquiry.h"

void gli_layers_free(gli_layers *layers) {
  if (!layers) return;
  gli_memory_free(layers->layer);
  gli_memory_free(layers->scale);
  gli_memory_free(layers->at);
  gli_memory_free(layers->timing);
  gli_memory_free(layers->answers);
  gli_memory_free(layers->first_choice);
  gli_memory_free(layers->first_seen);
  gli_memory_free(layers->first_pair);
  gli_memory_free(layers->pair);
  gli_memory_free(layers);
}

/* ---- discount ---- */

static double power(double x, uint32_t n) {
  double result = 1;
  while (n) {
    if (n & 1) result *= x;
    x *= x;
    n >>= 1;
  }
  return result;
}

/* Newton's iteration for y^n = x from above, where it falls until rounding stops it.  Only operations that IEEE 754
 * defines to the last bit. */
double gli_layers_root(double x, uint32_t n) {
  if (n == 1 || x == 0 || x == 1) return x;
  if (n == 2) return sqrt(x);
  double y = 1;
  for (;;) {
    double next = y * ((n - 1) + x / power(y, n)) / n;
    if (!(next < y)) return y;
    y = next;
  }
}

static void set_scales(const glimpse_model *model, gli_layers *layers) {
  uint32_t steps = layers->phases + 1;
  bool endless = model->discount < 1 || !layers->horizon;
  layers->discount = endless ? gli_layers_root(model->discount, steps) : gli_layers_root(0.5, steps * layers->horizon);
  for (uint32_t l = 0; l < layers->count; l++) {
    const gli_layer *at = &layers->layer[l];
    layers->scale[l] = power(layers->discount, endless ? at->phase : at->time * steps + at->phase);
  }
}

/* ---- layers ---- */

static uint64_t place(const gli_layers *layers, gli_layer at) {
  return (at.time * (uint64_t)layers->uses + at.used) * layers->places + at.phase + (at.closed ? layers->phases : 0);
}

/* The layer at a place, whether it can be met or not. */
static gli_layer layer_at(const gli_layers *layers, uint64_t i) {
  uint64_t step = i / layers->places, in = i % layers->places;
  bool closed = in > layers->phases;
  return (gli_layer){(uint32_t)(step / layers->uses), (uint32_t)(step % layers->uses),
                     (uint32_t)(closed ? in - layers->phases : in), closed};
}

static bool may_ask(const gli_layers *layers, gli_layer at) {
  return (!layers->limit || at.used < layers->limit) && !(at.closed && at.phase < layers->phases);
}

/* The layer after a choice; time = horizon: it is over. */
static gli_layer follow(const gli_layers *layers, gli_layer at, bool asks) {
  if (layers->limit && (asks || at.used == layers->limit)) at.used++;
  if (at.phase < layers->phases) {
    at.phase++;
    at.closed = !asks && layers->phases > 1;
  } else {
    at.phase = 0;
    at.closed = false;
    at.time += layers->horizon > 0;
  }
  return at;
}

/* Marks what can be met from the start.  A layer leads to later places, or to layers of a loop that is met at once, so
 * passes over the grid end soon: two without a horizon, one with. */
static void mark(gli_layers *layers, uint64_t grid) {
  bool news = true;
  for (uint64_t i = 0; i < grid; i++) layers->at[i] = GLIMPSE_ANY;
  layers->at[0] = 0;
  while (news) {
    news = false;
    for (uint64_t i = 0; i < grid; i++) {
      if (layers->at[i] == GLIMPSE_ANY) continue;
      gli_layer at = layer_at(layers, i);
      for (int asks = 0; asks < 2; asks++) {
        if (asks && !may_ask(layers, at)) continue;
        gli_layer next = follow(layers, at, asks);
        if (layers->horizon && next.time == layers->horizon) continue;
        uint32_t *known = &layers->at[place(layers, next)];
        news |= *known == GLIMPSE_ANY;
        *known = 0;
      }
    }
  }
}

static glimpse_status find_layers(const glimpse_model *model, gli_layers *layers, glimpse_report *report) {
  uint64_t times = layers->horizon ? layers->horizon : 1;
  layers->uses = layers->limit ? layers->limit + 2 : 1;
  layers->places = (layers->phases > 1 ? 2 : 1) * (uint64_t)layers->phases + 1;
  bool large = layers->limit > GLIMPSE_MAX_COUNT || times > GLIMPSE_MAX_COUNT || layers->places > GLIMPSE_MAX_COUNT ||
               times * layers->uses > GLIMPSE_MAX_COUNT || times * layers->uses * layers->places > GLIMPSE_MAX_COUNT;
  if (!large) {
    uint64_t grid = times * layers->uses * layers->places;
    layers->at = GLI_NEW(uint32_t, grid);
    if (!layers->at) return GLIMPSE_NO_MEMORY;
    mark(layers, grid);
    for (uint64_t i = 0; i < grid; i++) layers->count += layers->at[i] != GLIMPSE_ANY;
    large = (uint64_t)layers->count * model->states + 1 > GLIMPSE_MAX_COUNT;
    layers->layer = GLI_NEW(gli_layer, large ? 0 : layers->count);
    layers->scale = GLI_NEW(double, large ? 0 : layers->count);
    if (!layers->layer || !layers->scale) return GLIMPSE_NO_MEMORY;
    uint32_t n = 0;
    for (uint64_t i = 0; i < grid && !large; i++) {
      if (layers->at[i] == GLIMPSE_ANY) continue;
      layers->layer[n] = layer_at(layers, i);
      layers->at[i] = n++;
    }
  }
  if (large)
    return GLI_FAIL(report, GLIMPSE_TOO_LARGE,
                    "planning with %u states, %u questions a step, a limit of %u requests and a horizon of %u steps "
                    "(0: none) would need more than %u states",
                    (unsigned)model->states, (unsigned)layers->phases, (unsigned)layers->limit,
                    (unsigned)layers->horizon, (unsigned)GLIMPSE_MAX_COUNT);
  return GLIMPSE_OK;
}

/* ---- choices and what is seen ---- */

static int compare(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

/* All pairs of an observation and an answer that may be seen together, each once.  Duplicates are taken out for each
 * state, so that actions that show the same cost no memory. */
static glimpse_status find_pairs(const glimpse_model *model, uint32_t i, gli_layers *layers, size_t *capacity) {
  uint64_t first = layers->first_pair[i], n = first;
  for (uint32_t s = 0; s < model->states; s++) {
    glimpse_row answers = gli_table_row(&model->inquiries[i].answer, s);
    uint64_t begin = n;
    for (uint32_t a = 0; a < model->actions; a++) {
      glimpse_row seen = gli_table_row(&model->observe, gli_model_row(model, a, s));
      if (n + seen.count * answers.count > GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
      if (!GLI_GROW(layers->pair, *capacity, n + seen.count * answers.count + 1)) return GLIMPSE_NO_MEMORY;
      for (size_t k = 0; k < seen.count; k++)
        for (size_t z = 0; z < answers.count; z++) layers->pair[n++] = (uint64_t)seen.index[k] << 32 | answers.index[z];
    }
    qsort(layers->pair + begin, n - begin, sizeof *layers->pair, compare);
    uint64_t end = begin;
    for (uint64_t k = begin; k < n; k++)
      if (k == begin || layers->pair[k] != layers->pair[k - 1]) layers->pair[end++] = layers->pair[k];
    n = end;
  }
  qsort(layers->pair + first, n - first, sizeof *layers->pair, compare);
  uint64_t end = first;
  for (uint64_t k = first; k < n; k++)
    if (k == first || layers->pair[k] != layers->pair[end - 1]) layers->pair[end++] = layers->pair[k];
  layers->first_pair[i + 1] = end;
  return GLIMPSE_OK;
}

static glimpse_status number(const glimpse_model *model, gli_layers *layers) {
  uint64_t choices = model->actions, seen = model->observations;
  size_t capacity = 0;
  for (uint32_t i = 0; i < layers->inquiries; i++) {
    const gli_inquiry *inquiry = &model->inquiries[i];
    bool joint = inquiry->timing == GLIMPSE_TIMING_JOINT;
    layers->timing[i] = inquiry->timing;
    layers->answers[i] = inquiry->answers;
    layers->first_choice[i] = (uint32_t)choices;
    layers->first_seen[i] = (uint32_t)seen;
    choices += joint ? model->actions : 1;
    layers->first_pair[i + 1] = layers->first_pair[i];
    glimpse_status status = joint ? find_pairs(model, i, layers, &capacity) : GLIMPSE_OK;
    if (status) return status;
    seen += joint ? layers->first_pair[i + 1] - layers->first_pair[i] : inquiry->answers;
    if (choices > GLIMPSE_MAX_ACTIONS || seen >= GLIMPSE_MAX_COUNT) return GLIMPSE_TOO_LARGE;
  }
  layers->nothing = layers->count > 1 || layers->horizon ? (uint32_t)seen++ : GLIMPSE_ANY;
  layers->choices = (uint32_t)choices;
  layers->seen = (uint32_t)seen;
  return GLIMPSE_OK;
}

static bool reserve(gli_layers *layers, uint32_t inquiries) {
  layers->inquiries = inquiries;
  layers->timing = GLI_NEW(glimpse_timing, inquiries);
  layers->answers = GLI_NEW(uint32_t, inquiries);
  layers->first_choice = GLI_NEW(uint32_t, inquiries);
  layers->first_seen = GLI_NEW(uint32_t, inquiries);
  layers->first_pair = GLI_NEW(uint64_t, (size_t)inquiries + 1);
  return layers->timing && layers->answers && layers->first_choice && layers->first_seen && layers->first_pair;
}

glimpse_status gli_layers_new(const glimpse_model *model, glimpse_report *report, gli_layers **out) {
  *out = NULL;
  gli_layers *layers = GLI_NEW(gli_layers, 1);
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (layers && reserve(layers, model->inquiry_count)) {
    layers->states = model->states;
    layers->actions = model->actions;
    layers->observations = model->observations;
    layers->limit = model->limits.requests;
    layers->horizon = model->limits.horizon;
    for (uint32_t i = 0; i < model->inquiry_count; i++)
      if (model->inquiries[i].timing == GLIMPSE_TIMING_BEFORE)
        layers->phases = model->limits.per_step ? model->limits.per_step : 1;
    status = find_layers(model, layers, report);
    if (!status && (status = number(model, layers)) == GLIMPSE_TOO_LARGE)
      status = GLI_FAIL(report, GLIMPSE_TOO_LARGE, "the inquiries have more choices or answers than the limits allow");
  }
  if (!status) set_scales(model, layers);
  if (status) gli_layers_free(layers);
  else *out = layers;
  return status;
}

/* ---- public ---- */

uint32_t glimpse_planning_layers(const glimpse_model *planning) {
  return planning->layers ? planning->layers->count : 1;
}

double glimpse_planning_scale(const glimpse_model *planning, uint32_t layer) {
  return planning->layers && layer < planning->layers->count ? planning->layers->scale[layer] : 1;
}

glimpse_move glimpse_planning_meaning(const glimpse_model *planning, uint32_t choice) {
  const gli_layers *layers = planning->layers;
  if (!layers || choice < layers->actions) return (glimpse_move){choice, GLIMPSE_ANY};
  if (choice >= layers->choices) return (glimpse_move){GLIMPSE_ANY, GLIMPSE_ANY};
  uint32_t i = layers->inquiries - 1;
  while (layers->first_choice[i] > choice) i--;
  bool joint = layers->timing[i] == GLIMPSE_TIMING_JOINT;
  return (glimpse_move){joint ? choice - layers->first_choice[i] : GLIMPSE_ANY, i};
}

glimpse_move glimpse_planning_move(const glimpse_model *planning, uint32_t layer, uint32_t choice) {
  const gli_layers *layers = planning->layers;
  glimpse_move move = glimpse_planning_meaning(planning, choice);
  if (!layers) return move;
  gli_layer at = layers->layer[layer];
  bool asks = move.inquiry != GLIMPSE_ANY && may_ask(layers, at);
  bool before = move.inquiry != GLIMPSE_ANY && layers->timing[move.inquiry] == GLIMPSE_TIMING_BEFORE;
  if (at.phase < layers->phases) return (glimpse_move){GLIMPSE_ANY, before && asks ? move.inquiry : GLIMPSE_ANY};
  if (before) return (glimpse_move){0, GLIMPSE_ANY};
  if (asks) return move;
  return (glimpse_move){move.action == GLIMPSE_ANY ? 0 : move.action, GLIMPSE_ANY};
}

uint32_t glimpse_planning_choice(const glimpse_model *planning, glimpse_move move) {
  const gli_layers *layers = planning->layers;
  if (move.inquiry == GLIMPSE_ANY || !layers) return move.action < planning->actions ? move.action : GLIMPSE_ANY;
  if (move.inquiry >= layers->inquiries) return GLIMPSE_ANY;
  if (layers->timing[move.inquiry] != GLIMPSE_TIMING_JOINT) return layers->first_choice[move.inquiry];
  return move.action < layers->actions ? layers->first_choice[move.inquiry] + move.action : GLIMPSE_ANY;
}

uint32_t glimpse_planning_next(const glimpse_model *planning, uint32_t layer, uint32_t choice) {
  const gli_layers *layers = planning->layers;
  if (!layers) return 0;
  bool asks = glimpse_planning_move(planning, layer, choice).inquiry != GLIMPSE_ANY;
  gli_layer next = follow(layers, layers->layer[layer], asks);
  return layers->horizon && next.time == layers->horizon ? GLIMPSE_ANY : layers->at[place(layers, next)];
}

static uint32_t find_pair(const gli_layers *layers, uint32_t i, uint32_t observation, uint32_t answer) {
  uint64_t pair = (uint64_t)observation << 32 | answer, low = layers->first_pair[i], high = layers->first_pair[i + 1];
  uint64_t first = low, end = high;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (layers->pair[middle] < pair) low = middle + 1;
    else high = middle;
  }
  if (low == end || layers->pair[low] != pair) return GLIMPSE_ANY;
  return layers->first_seen[i] + (uint32_t)(low - first);
}

uint32_t glimpse_planning_seen(const glimpse_model *planning, uint32_t layer, uint32_t choice, uint32_t observation,
                               uint32_t answer) {
  const gli_layers *layers = planning->layers;
  if (!layers) return observation < planning->observations ? observation : GLIMPSE_ANY;
  if (glimpse_planning_next(planning, layer, choice) == GLIMPSE_ANY) return layers->nothing;
  glimpse_move move = glimpse_planning_move(planning, layer, choice);
  if (move.inquiry == GLIMPSE_ANY) {
    if (move.action == GLIMPSE_ANY) return layers->nothing;
    return observation < layers->observations ? observation : GLIMPSE_ANY;
  }
  if (move.action != GLIMPSE_ANY) return find_pair(layers, move.inquiry, observation, answer);
  return answer < layers->answers[move.inquiry] ? layers->first_seen[move.inquiry] + answer : GLIMPSE_ANY;
}

glimpse_shown glimpse_planning_shown(const glimpse_model *planning, uint32_t seen) {
  const gli_layers *layers = planning->layers;
  glimpse_shown shown = {GLIMPSE_ANY, GLIMPSE_ANY};
  if (seen >= planning->observations) return shown;
  if (!layers || seen < layers->observations) {
    shown.observation = seen;
    return shown;
  }
  if (seen == layers->nothing) return shown;
  uint32_t i = layers->inquiries - 1;
  while (layers->first_seen[i] > seen) i--;
  uint32_t n = seen - layers->first_seen[i];
  if (layers->timing[i] != GLIMPSE_TIMING_JOINT) return (glimpse_shown){GLIMPSE_ANY, n};
  uint64_t pair = layers->pair[layers->first_pair[i] + n];
  return (glimpse_shown){(uint32_t)(pair >> 32), (uint32_t)pair};
}

glimpse_layer glimpse_planning_layer(const glimpse_model *planning, uint32_t layer) {
  const gli_layers *layers = planning->layers;
  if (!layers) return (glimpse_layer){.acts = layer == 0};
  if (layer >= layers->count) return (glimpse_layer){0};
  gli_layer at = layers->layer[layer];
  uint32_t used = at.used > layers->limit ? layers->limit : at.used;
  return (glimpse_layer){at.time, used, at.phase, at.phase == layers->phases};
}
