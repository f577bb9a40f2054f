#include "support/inquiries.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

enum { MOST = 8 }; /* states */

typedef struct oracle {
  const glimpse_model *model;
  glimpse_limits limits;
  uint32_t states, actions, observations, inquiries, per_step;
  double discount, tail; /* what 0 steps are worth */
} oracle;

static double value(const oracle *o, const double *b, uint32_t k, uint32_t h, uint32_t j);

/* Whether the episode is over in s: nothing leads away from there, and nothing is earned. */
static bool over(const oracle *o, uint32_t s) {
  for (uint32_t a = 0; a < o->actions; a++) {
    glimpse_row row = glimpse_model_transition(o->model, a, s);
    if (row.count != 1 || row.index[0] != s || glimpse_model_reward(o->model, a, s) != 0) return false;
  }
  for (uint32_t i = 0; i < o->inquiries; i++) {
    glimpse_row row = glimpse_model_inquiry_effect(o->model, i, s);
    if (row.count > 1 || (row.count == 1 && row.index[0] != s)) return false;
  }
  return true;
}

/* The dense belief over the states that follow: by action a, or by the effect of inquiry i, or none. */
static void push(const oracle *o, const double *b, uint32_t a, uint32_t i, double *out) {
  memset(out, 0, MOST * sizeof *out);
  for (uint32_t s = 0; s < o->states; s++) {
    glimpse_row row =
        a != GLIMPSE_ANY ? glimpse_model_transition(o->model, a, s) : glimpse_model_inquiry_effect(o->model, i, s);
    if (row.count == 0) out[s] += b[s];
    else
      for (size_t n = 0; n < row.count; n++) out[row.index[n]] += b[s] * row.value[n];
  }
}

static double at(glimpse_row row, uint32_t index) {
  for (size_t i = 0; i < row.count; i++)
    if (row.index[i] == index) return row.value[i];
  return 0;
}

/* Expected price of inquiry i at b, with action a or GLIMPSE_ANY. */
static double price(const oracle *o, const double *b, uint32_t a, uint32_t i) {
  glimpse_inquiry inquiry = glimpse_model_inquiry(o->model, i);
  double sum = 0;
  for (uint32_t s = 0; s < o->states; s++) {
    if (over(o, s)) continue;
    double paid = 1, one[MOST] = {0}, next[MOST];
    one[s] = 1;
    push(o, one, a, i, next);
    if (inquiry.unpaid && inquiry.nothing != GLIMPSE_ANY)
      for (uint32_t t = 0; t < o->states; t++)
        paid -= next[t] * at(glimpse_model_inquiry_answers(o->model, i, t), inquiry.nothing);
    sum += b[s] * paid * glimpse_model_inquiry_price(o->model, i, s);
  }
  return sum;
}

/* sum over what is seen (an observation after a, an answer of i, or both) of P V. */
static double follow(const oracle *o, const double *b, uint32_t a, uint32_t i, uint32_t k, uint32_t h, uint32_t j) {
  double pushed[MOST], sum = 0;
  push(o, b, a, i, pushed);
  uint32_t seen = a == GLIMPSE_ANY ? 1 : o->observations;
  uint32_t answers = i == GLIMPSE_ANY ? 1 : glimpse_model_inquiry(o->model, i).answers;
  for (uint32_t x = 0; x < seen; x++)
    for (uint32_t z = 0; z < answers; z++) {
      double next[MOST] = {0}, p = 0;
      for (uint32_t s = 0; s < o->states; s++) {
        next[s] = pushed[s];
        if (a != GLIMPSE_ANY) next[s] *= at(glimpse_model_observation(o->model, a, s), x);
        if (i != GLIMPSE_ANY) next[s] *= at(glimpse_model_inquiry_answers(o->model, i, s), z);
        p += next[s];
      }
      if (p < 1e-14) continue;
      for (uint32_t s = 0; s < o->states; s++) next[s] /= p;
      sum += p * value(o, next, k, h, j);
    }
  return sum;
}

/* What a move is worth; minus infinity where it cannot be made. */
static double worth(const oracle *o, const double *b, glimpse_move move, uint32_t k, uint32_t h, uint32_t j) {
  uint32_t a = move.action, i = move.inquiry;
  double reward = 0;
  for (uint32_t s = 0; s < o->states && a != GLIMPSE_ANY; s++) reward += b[s] * glimpse_model_reward(o->model, a, s);
  if (i == GLIMPSE_ANY) return reward + o->discount * follow(o, b, a, i, k, h - 1, 0);
  if (!k) return -INFINITY;
  glimpse_timing timing = glimpse_model_inquiry(o->model, i).timing;
  if ((timing == GLIMPSE_TIMING_JOINT) != (a != GLIMPSE_ANY)) return -INFINITY;
  reward -= price(o, b, a, i);
  if (timing != GLIMPSE_TIMING_BEFORE) return reward + o->discount * follow(o, b, a, i, k - 1, h - 1, 0);
  return j < o->per_step ? reward + follow(o, b, a, i, k - 1, h, j + 1) : -INFINITY;
}

static double value(const oracle *o, const double *b, uint32_t k, uint32_t h, uint32_t j) {
  double best = -INFINITY, running = 0;
  for (uint32_t s = 0; s < o->states; s++) running += over(o, s) ? 0 : b[s];
  if (running == 0) return 0;
  if (h == 0) return o->limits.horizon ? 0 : o->tail;
  for (uint32_t a = 0; a <= o->actions; a++)
    for (uint32_t i = 0; i <= o->inquiries; i++) {
      glimpse_move move = {a < o->actions ? a : GLIMPSE_ANY, i < o->inquiries ? i : GLIMPSE_ANY};
      if (move.action == GLIMPSE_ANY && move.inquiry == GLIMPSE_ANY) continue;
      best = fmax(best, worth(o, b, move, k, h, j));
    }
  return best;
}

/* How many beliefs follow one in a step, at most. */
static double branching(const oracle *o) {
  double acting = (double)o->actions * o->observations, asking = 1, all = 1;
  for (uint32_t i = 0; i < o->inquiries; i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(o->model, i);
    if (inquiry.timing == GLIMPSE_TIMING_BEFORE) asking += inquiry.answers;
    else acting += inquiry.answers * (inquiry.timing == GLIMPSE_TIMING_JOINT ? o->actions * o->observations : 1.0);
  }
  for (uint32_t j = 0; j < o->per_step; j++) all *= asking;
  return all * acting;
}

static void bound(const glimpse_model *model, glimpse_row belief, uint32_t j, const glimpse_move *move, double leaves,
                  double *low, double *high) {
  oracle o = {.model = model, .limits = glimpse_model_limits(model), .discount = glimpse_model_discount(model)};
  o.states = glimpse_model_count(model, GLIMPSE_STATE);
  o.actions = glimpse_model_count(model, GLIMPSE_ACTION);
  o.observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  o.inquiries = glimpse_model_inquiries(model);
  o.per_step = o.limits.per_step ? o.limits.per_step : 1;
  assert_true(o.states <= MOST);
  double least = 0, most = 0, b[MOST] = {0};
  for (uint32_t a = 0; a < o.actions; a++)
    for (uint32_t s = 0; s < o.states; s++) {
      least = fmin(least, glimpse_model_reward(model, a, s));
      most = fmax(most, glimpse_model_reward(model, a, s));
    }
  for (size_t i = 0; i < belief.count; i++) b[belief.index[i]] = belief.value[i];
  uint32_t k = o.limits.requests ? o.limits.requests : UINT32_MAX;
  uint32_t steps = 1;
  for (double n = branching(&o), all = n * n; all < leaves; all *= n) steps++;
  if (o.limits.horizon) steps = o.limits.horizon;
  o.tail = o.limits.horizon ? 0 : least / (1 - o.discount);
  *low = move ? worth(&o, b, *move, k, steps, j) : value(&o, b, k, steps, j);
  o.tail = o.limits.horizon ? 0 : most / (1 - o.discount);
  *high = *low;
  if (!o.limits.horizon) *high = move ? worth(&o, b, *move, k, steps, j) : value(&o, b, k, steps, j);
}

void inquiries_value(const glimpse_model *model, glimpse_row belief, double leaves, double *low, double *high) {
  bound(model, belief, 0, NULL, leaves, low, high);
}

void inquiries_later(const glimpse_model *model, glimpse_row belief, uint32_t asked, double leaves, double *low,
                     double *high) {
  bound(model, belief, asked, NULL, leaves, low, high);
}

void inquiries_worth(const glimpse_model *model, glimpse_row belief, const glimpse_move *move, double leaves,
                     double *low, double *high) {
  bound(model, belief, 0, move, leaves, low, high);
}

/* ---- models at random ---- */

static uint32_t below(gli_random *random, uint32_t n) {
  return (uint32_t)(gli_random_unit(random) * n);
}

/* A random distribution, with some zeros. */
static void draw_row(gli_random *random, uint32_t n, double *row) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += row[i] = below(random, 3) ? gli_random_unit(random) : 0;
  if (sum == 0) sum = row[below(random, n)] = 1;
  for (uint32_t i = 0; i < n; i++) row[i] /= sum;
}

static void add_inquiry(gli_random *random, glimpse_builder *builder, const inquiries_wish *wish, uint32_t states,
                        uint32_t n) {
  char name[8] = {'i', (char)('a' + n), 0};
  uint32_t timing, index, answers = wish->state ? 0 : below(random, 4);
  do timing = below(random, GLIMPSE_TIMINGS);
  while (!(wish->timings >> timing & 1));
  glimpse_inquiry inquiry = {.name = name, .timing = (glimpse_timing)timing, .answers = answers};
  inquiry.unpaid = below(random, 2);
  assert_int_equal(glimpse_builder_inquiry(builder, &inquiry, &index), GLIMPSE_OK);
  bool same = wish->state || below(random, 2);
  if (same) glimpse_builder_inquiry_price(builder, index, GLIMPSE_ANY, 0.1 * gli_random_unit(random) + 0.01);
  for (uint32_t s = 0; s < states; s++) {
    double row[MOST];
    if (!same) glimpse_builder_inquiry_price(builder, index, s, 0.1 * gli_random_unit(random));
    if (!answers) continue;
    draw_row(random, answers, row);
    for (uint32_t z = 0; z < answers; z++) glimpse_builder_inquiry_answer(builder, index, s, z, row[z]);
  }
  if (wish->state) return;
  if (!below(random, 3)) glimpse_builder_inquiry_failure(builder, index, GLIMPSE_ANY, 0.5 * gli_random_unit(random));
  if (!below(random, 3)) glimpse_builder_inquiry_failure(builder, index, below(random, states), 1);
  if (below(random, 3) || timing == GLIMPSE_TIMING_JOINT) return;
  bool ends = wish->ends && below(random, 4); /* mostly it leaves a state where the episode is over as it is */
  for (uint32_t s = 0; s < states; s++) {
    double row[MOST];
    bool stays = ends && s == 0;
    draw_row(random, states, row);
    for (uint32_t t = 0; t < states; t++) glimpse_builder_inquiry_effect(builder, index, s, t, stays ? t == s : row[t]);
  }
}

static void add_world(gli_random *random, glimpse_builder *builder, const inquiries_wish *wish, uint32_t states,
                      uint32_t actions, uint32_t observations) {
  bool ends = wish->ends && below(random, 2);
  double row[MOST];
  draw_row(random, states, row);
  for (uint32_t s = 0; s < states; s++) glimpse_builder_start(builder, s, row[s]);
  for (uint32_t a = 0; a < actions; a++)
    for (uint32_t s = 0; s < states; s++) {
      bool over = ends && s == 0;
      draw_row(random, states, row);
      for (uint32_t t = 0; t < states; t++) glimpse_builder_transition(builder, a, s, t, over ? t == s : row[t]);
      draw_row(random, observations, row);
      for (uint32_t o = 0; o < observations; o++) glimpse_builder_observation(builder, a, s, o, row[o]);
      double reward = gli_random_unit(random) * 2 - (wish->gains ? 0 : 1);
      if (!over) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, reward);
    }
}

glimpse_model *inquiries_make(const inquiries_wish *wish, uint64_t seed) {
  gli_random random = gli_random_stream(seed, "inquiries", 0);
  uint32_t states = 2 + below(&random, 3), actions = 1 + below(&random, 2);
  uint32_t observations = wish->observations ? wish->observations : 1 + below(&random, 2);
  glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
  assert_non_null(builder);
  add_world(&random, builder, wish, states, actions, observations);
  double unit = wish->undiscounted ? 1 : gli_random_unit(&random);
  glimpse_builder_discount(builder, wish->undiscounted ? 1 : wish->patient ? 0.95 + 0.04 * unit : 0.05 + 0.25 * unit);
  for (uint32_t n = 0; n < wish->inquiries; n++) add_inquiry(&random, builder, wish, states, n);
  if (!wish->state && below(&random, 2)) glimpse_builder_cost(builder, GLIMPSE_ANY, 0.2 * gli_random_unit(&random));
  glimpse_limits limits = {.per_step = below(&random, 3)};
  if (wish->limit) limits.requests = below(&random, 4);
  if (wish->horizon) limits.horizon = 1 + below(&random, 2);
  if (wish->roomy) limits = (glimpse_limits){.requests = 40};
  if (!wish->state || wish->roomy) glimpse_builder_limits(builder, &limits);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  if (glimpse_builder_finish(builder, report, &model))
    fail_msg("seed %llu: %s", (unsigned long long)seed, glimpse_report_get(report, 0)->text);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
  return model;
}
