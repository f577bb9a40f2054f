/* Equivalent: the transformed model, solved as an ordinary POMDP, is worth
 * sqrt(discount) times the POMDP-SR (docs/ALGORITHM.md, erratum 1).
 *
 * Both sides are solved exactly over a finite horizon by naive recursion over
 * dense arrays.  The two recursions share nothing but the belief update: one
 * knows requests and no phases, the other knows neither requests nor phases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"
#include "model/model.h"
#include "support/failing_malloc.h"
#include "support/price.h"

enum { MOST = 12 }; /* states, actions or observations of a model in these tests */

/* ---- two exact solvers ---- */

typedef struct dense {
  uint32_t states, actions, observations;
  double discount, cost[MOST];
  double transition[MOST][MOST][MOST]; /* a, s, s' */
  double observe[MOST][MOST][MOST];    /* a, s', o */
  double reward[MOST][MOST];           /* a, s: expected, from single steps */
} dense;

static void spread(double *cells, glimpse_row row) {
  for (size_t i = 0; i < row.count; i++) cells[row.index[i]] = row.value[i];
}

static void unfold(const glimpse_model *model, dense *d) {
  memset(d, 0, sizeof *d);
  d->states = glimpse_model_count(model, GLIMPSE_STATE);
  d->actions = glimpse_model_count(model, GLIMPSE_ACTION);
  d->observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  assert_true(d->states <= MOST && d->actions <= MOST && d->observations <= MOST);
  d->discount = glimpse_model_discount(model);
  for (uint32_t s = 0; s < d->states; s++) d->cost[s] = price_in(model, s);
  for (uint32_t a = 0; a < d->actions; a++)
    for (uint32_t s = 0; s < d->states; s++) {
      spread(d->transition[a][s], glimpse_model_transition(model, a, s));
      spread(d->observe[a][s], glimpse_model_observation(model, a, s));
    }
  for (uint32_t a = 0; a < d->actions; a++)
    for (uint32_t s = 0; s < d->states; s++)
      for (uint32_t s2 = 0; s2 < d->states; s2++)
        for (uint32_t o = 0; o < d->observations; o++)
          d->reward[a][s] +=
              d->transition[a][s][s2] * d->observe[a][s2][o] * glimpse_model_reward_step(model, a, s, s2, o);
}

/* P(o|b,a), and the belief behind it. */
static double update(const dense *d, const double *b, uint32_t a, uint32_t o, double *next) {
  double total = 0;
  for (uint32_t s2 = 0; s2 < d->states; s2++) {
    next[s2] = 0;
    for (uint32_t s = 0; s < d->states; s++) next[s2] += b[s] * d->transition[a][s][s2];
    next[s2] *= d->observe[a][s2][o];
    total += next[s2];
  }
  for (uint32_t s2 = 0; s2 < d->states && total > 0; s2++) next[s2] /= total;
  return total;
}

typedef double (*value_of)(const dense *d, const double *b, int horizon);

/* max_a [ R(b,a) + discount sum_o P(o|b,a) V(tau(b,a,o)) ] */
static double best_action(const dense *d, const double *b, int horizon, value_of value) {
  double best = -INFINITY, next[MOST];
  for (uint32_t a = 0; a < d->actions; a++) {
    double q = 0;
    for (uint32_t s = 0; s < d->states; s++) q += b[s] * d->reward[a][s];
    for (uint32_t o = 0; o < d->observations && horizon > 1; o++) {
      double p = update(d, b, a, o, next);
      if (p > 0) q += d->discount * p * value(d, next, horizon - 1);
    }
    if (q > best) best = q;
  }
  return best;
}

static double solve_pomdp(const dense *d, const double *b, int horizon) {
  return horizon ? best_action(d, b, horizon, solve_pomdp) : 0;
}

static double solve_requests(const dense *d, const double *b, int horizon) {
  if (!horizon) return 0;
  double ask = 0, act = best_action(d, b, horizon, solve_requests);
  for (uint32_t s = 0; s < d->states; s++) {
    double corner[MOST] = {0};
    corner[s] = 1;
    if (b[s] > 0) ask += b[s] * (best_action(d, corner, horizon, solve_requests) - d->cost[s]);
  }
  return ask > act ? ask : act;
}

/* ---- models ---- */

static glimpse_model *finish(glimpse_builder *builder) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static glimpse_model *transformed(const glimpse_model *model) {
  glimpse_model *equivalent = NULL;
  assert_int_equal(glimpse_model_equivalent(model, NULL, &equivalent), GLIMPSE_OK);
  assert_non_null(equivalent);
  return equivalent;
}

static glimpse_model *tiger(double cost) {
  static const char *const side[2] = {"tiger-left", "tiger-right"};
  static const char *const action[3] = {"listen", "open-left", "open-right"};
  glimpse_builder *b = glimpse_builder_new(2, 3, 2);
  for (uint32_t i = 0; i < 2; i++) {
    glimpse_builder_name(b, GLIMPSE_STATE, i, side[i]);
    glimpse_builder_name(b, GLIMPSE_OBSERVATION, i, side[i]);
  }
  for (uint32_t a = 0; a < 3; a++) glimpse_builder_name(b, GLIMPSE_ACTION, a, action[a]);
  glimpse_builder_discount(b, 0.95);
  glimpse_builder_cost(b, GLIMPSE_ANY, cost);
  glimpse_builder_transition(b, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
  glimpse_builder_reward(b, 0, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, -1);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(b, 0, s, s, 1);
    glimpse_builder_transition(b, 0, s, 1 - s, 0);
    glimpse_builder_observation(b, 0, s, s, 0.85);
    glimpse_builder_observation(b, 0, s, 1 - s, 0.15);
    glimpse_builder_reward(b, 1 + s, s, GLIMPSE_ANY, GLIMPSE_ANY, -100);
    glimpse_builder_reward(b, 1 + s, 1 - s, GLIMPSE_ANY, GLIMPSE_ANY, 10);
  }
  return finish(b);
}

/* The model of Lemma 2: guess a coin that is tossed anew each step. */
static glimpse_model *coin(double discount, double cost) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 1);
  glimpse_builder_discount(b, discount);
  glimpse_builder_cost(b, GLIMPSE_ANY, cost);
  glimpse_builder_transition(b, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_reward(b, s, s, GLIMPSE_ANY, GLIMPSE_ANY, 1);
    glimpse_builder_reward(b, s, 1 - s, GLIMPSE_ANY, GLIMPSE_ANY, -1);
  }
  return finish(b);
}

/* A distribution with some zeros. */
static void draw(gli_random *random, double *p, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += p[i] = gli_random_below(random, 3) ? gli_random_unit(random) : 0;
  if (sum == 0) sum = p[gli_random_below(random, count)] = 1;
  for (uint32_t i = 0; i < count; i++) p[i] /= sum;
}

static glimpse_model *any_model(gli_random *random) {
  uint32_t states = 1 + gli_random_below(random, 3), actions = 1 + gli_random_below(random, 2);
  uint32_t observations = 1 + gli_random_below(random, 2);
  glimpse_builder *b = glimpse_builder_new(states, actions, observations);
  double p[MOST];
  glimpse_builder_discount(b, gli_random_below(random, 5) ? gli_random_unit(random) : 1);
  bool same = gli_random_below(random, 2);
  glimpse_builder_cost(b, GLIMPSE_ANY, 0.05 + gli_random_unit(random));
  for (uint32_t s = 0; s < states && !same; s++) glimpse_builder_cost(b, s, 0.05 + gli_random_unit(random));
  draw(random, p, states);
  for (uint32_t s = 0; s < states; s++) glimpse_builder_start(b, s, p[s]);
  for (uint32_t a = 0; a < actions; a++)
    for (uint32_t s = 0; s < states; s++) {
      draw(random, p, states);
      for (uint32_t s2 = 0; s2 < states; s2++) glimpse_builder_transition(b, a, s, s2, p[s2]);
      draw(random, p, observations);
      for (uint32_t o = 0; o < observations; o++) glimpse_builder_observation(b, a, s, o, p[o]);
      uint32_t shape = gli_random_below(random, 4); /* what the reward looks at */
      for (uint32_t s2 = 0; s2 < states; s2++)
        for (uint32_t o = 0; o < observations; o++)
          glimpse_builder_reward(b, a, s, shape & 1 ? s2 : GLIMPSE_ANY, shape & 2 ? o : GLIMPSE_ANY,
                                 4 * gli_random_unit(random) - 2);
    }
  return finish(b);
}

/* ---- equal value ---- */

static void check_value(const glimpse_model *model, const double *belief, int horizon, const char *what) {
  glimpse_model *equivalent = transformed(model);
  static dense original, phases;
  unfold(model, &original);
  unfold(equivalent, &phases);
  double expected = sqrt(original.discount) * solve_requests(&original, belief, horizon);
  double value = solve_pomdp(&phases, belief, 2 * horizon);
  if (!(fabs(value - expected) <= 1e-12 * (1 + fabs(expected))))
    fail_msg("%s, horizon %d: %.17g, expected %.17g", what, horizon, value, expected);
  glimpse_model_free(equivalent);
}

static void test_random_models(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    gli_random random = gli_random_stream(seed, "equivalent", 0);
    glimpse_model *model = any_model(&random);
    char what[40];
    snprintf(what, sizeof what, "seed %u", (unsigned)seed);
    double belief[MOST] = {0};
    spread(belief, glimpse_model_start(model));
    check_value(model, belief, 1 + (int)(seed % 3), what);
    memset(belief, 0, sizeof belief);
    draw(&random, belief, glimpse_model_count(model, GLIMPSE_STATE));
    check_value(model, belief, 2, what);
    glimpse_model_free(model);
  }
}

static void test_tiger(void **state) {
  (void)state;
  static const double costs[] = {0.5, 5, 8.8, 9.5, 20, 100};
  static const double uniform[MOST] = {0.5, 0.5};
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    glimpse_model *model = tiger(costs[i]);
    check_value(model, uniform, 2, "tiger");
    glimpse_model_free(model);
  }
  glimpse_model *model = tiger(1);
  check_value(model, uniform, 3, "tiger");
  /* Over one step: pay 1, open the right door; or listen. */
  static dense d;
  unfold(model, &d);
  assert_true(fabs(solve_requests(&d, uniform, 1) - 9) < 1e-12);
  glimpse_model_free(model);
}

/* Known in closed form: asking every time is worth (1-c)(1-g^h)/(1-g), c < 1. */
static void test_coin(void **state) {
  (void)state;
  static const double uniform[MOST] = {0.5, 0.5};
  static dense d;
  double discount = 0.9, cost = 0.25, sum = 0;
  glimpse_model *model = coin(discount, cost), *equivalent = transformed(model);
  unfold(equivalent, &d);
  for (int horizon = 1; horizon <= 4; horizon++) {
    sum = (1 - cost) + discount * sum;
    assert_true(fabs(solve_pomdp(&d, uniform, 2 * horizon) - sqrt(discount) * sum) < 1e-12);
  }
  glimpse_model_free(equivalent);
  glimpse_model_free(model);
}

/* The erratum.  With the printed request reward -c/g instead of -c g, g the
 * square root of the discount, the price is c/discount, and the plan changes. */
static void check_erratum(glimpse_model *model, int horizon, double right, double printed) {
  static const double uniform[MOST] = {0.5, 0.5};
  static dense d;
  glimpse_model *equivalent = transformed(model);
  unfold(equivalent, &d);
  static dense original;
  unfold(model, &original);
  assert_true(fabs(solve_requests(&original, uniform, horizon) - right) < 1e-12);
  double g = d.discount;
  uint32_t request = d.actions - 1;
  assert_true(fabs(solve_pomdp(&d, uniform, 2 * horizon) - g * right) < 1e-12);
  for (uint32_t s = 0; s < 2; s++) {
    assert_true(d.reward[request][s] == -price_in(model, s) * g);
    d.reward[request][s] = -price_in(model, s) / g;
  }
  assert_true(fabs(solve_pomdp(&d, uniform, 2 * horizon) - g * printed) < 1e-12);
  glimpse_model_free(equivalent);
  glimpse_model_free(model);
}

static void test_erratum(void **state) {
  (void)state;
  /* The figures of docs/ALGORITHM.md.  Coin: ask, worth 0.4 a step, while the
   * printed form, at a price of 1.2, never asks. */
  check_erratum(coin(0.5, 0.6), 1, 0.4, 0);
  check_erratum(coin(0.5, 0.6), 2, 0.6, 0);
  check_erratum(coin(0.5, 0.6), 3, 0.7, 0);
  /* Both ask, but at another price. */
  check_erratum(coin(0.5, 0.2), 3, 1.4, 1.05);
  /* Tiger over one step: ask and open (10 - c), or listen (-1). */
  check_erratum(tiger(10.5), 1, -0.5, -1);
}

/* ---- form ---- */

static uint64_t form_seed; /* of the model that is checked; 0: tiger */

#define CHECK(condition)                                                                                               \
  if (!(condition)) fail_msg("seed %u: not %s", (unsigned)form_seed, #condition)

static void check_row(glimpse_row row, uint32_t index, double value) {
  CHECK(row.count == 1);
  CHECK(row.index[0] == index);
  CHECK(row.value[0] == value);
}

static void check_same_row(glimpse_row left, glimpse_row right) {
  CHECK(left.count == right.count);
  CHECK(memcmp(left.index, right.index, left.count * sizeof *left.index) == 0);
  CHECK(memcmp(left.value, right.value, left.count * sizeof *left.value) == 0);
}

/* Number by number as in the head of equivalent.c. */
static void check_form(const glimpse_model *m) {
  glimpse_model *e = transformed(m);
  uint32_t states = glimpse_model_count(m, GLIMPSE_STATE), actions = glimpse_model_count(m, GLIMPSE_ACTION);
  uint32_t observations = glimpse_model_count(m, GLIMPSE_OBSERVATION);
  CHECK(glimpse_model_count(e, GLIMPSE_STATE) == 2 * states);
  CHECK(glimpse_model_count(e, GLIMPSE_ACTION) == actions + 1);
  CHECK(glimpse_model_count(e, GLIMPSE_OBSERVATION) == observations + states + 1);
  CHECK(!glimpse_model_requests(e));
  double g = sqrt(glimpse_model_discount(m));
  CHECK(glimpse_model_discount(e) == g);
  check_same_row(glimpse_model_start(e), glimpse_model_start(m));
  CHECK(glimpse_model_measure(e).terminals == 0);
  for (uint32_t action = 0; action <= actions; action++) {
    bool ask = action == actions;
    uint32_t a = ask ? 0 : action;
    for (uint32_t s = 0; s < states; s++) {
      check_row(glimpse_model_transition(e, action, s), states + s, 1);
      check_row(glimpse_model_observation(e, action, states + s), observations + (ask ? s : states), 1);
      CHECK(glimpse_model_reward(e, action, s) == (ask ? -price_in(m, s) * g : 0));
      check_same_row(glimpse_model_transition(e, action, states + s), glimpse_model_transition(m, a, s));
      check_same_row(glimpse_model_observation(e, action, s), glimpse_model_observation(m, a, s));
      CHECK(glimpse_model_reward(e, action, states + s) == glimpse_model_reward(m, a, s));
      glimpse_row next = glimpse_model_transition(m, a, s);
      for (size_t i = 0; i < next.count; i++) {
        glimpse_row seen = glimpse_model_observation(m, a, next.index[i]);
        for (size_t k = 0; k < seen.count; k++)
          CHECK(glimpse_model_reward_step(e, action, states + s, next.index[i], seen.index[k]) ==
                glimpse_model_reward_step(m, a, s, next.index[i], seen.index[k]));
      }
    }
  }
  glimpse_model_free(e);
}

static void test_form(void **state) {
  (void)state;
  glimpse_model *model = tiger(1);
  check_form(model);
  glimpse_model_free(model);
  for (form_seed = 1; form_seed <= 100; form_seed++) {
    gli_random random = gli_random_stream(form_seed, "equivalent-form", 0);
    model = any_model(&random);
    check_form(model);
    glimpse_model_free(model);
  }
}

/* A terminal state: worth nothing, and free to ask in, on either side. */
static void test_terminal(void **state) {
  (void)state;
  glimpse_builder *b = glimpse_builder_new(3, 2, 1);
  glimpse_builder_discount(b, 0.8);
  glimpse_builder_cost(b, 0, 0.5);
  glimpse_builder_cost(b, 1, 0.25);
  glimpse_builder_cost(b, 2, 0.75); /* the terminal state */
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(b, s, s, 2, 1);
    glimpse_builder_transition(b, 1 - s, s, s, 1);
    glimpse_builder_reward(b, s, s, GLIMPSE_ANY, GLIMPSE_ANY, 10);
    glimpse_builder_reward(b, 1 - s, s, GLIMPSE_ANY, GLIMPSE_ANY, -10);
  }
  glimpse_builder_transition(b, GLIMPSE_ANY, 2, 2, 1);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_model *model = finish(b);
  assert_true(glimpse_model_terminal(model, 2));
  static const double ended[MOST] = {0, 0, 1}, suspected[MOST] = {0.5, 0.25, 0.25};
  static dense d;
  for (int horizon = 1; horizon <= 4; horizon++) {
    check_value(model, ended, horizon, "terminal");
    check_value(model, suspected, horizon, "suspected");
  }
  unfold(model, &d);
  assert_true(solve_requests(&d, ended, 3) == 0);
  assert_true(fabs(solve_requests(&d, suspected, 1) - (0.75 * 10 - 0.25 - 0.0625)) < 1e-12);
  glimpse_model_free(model);
}

/* ---- names ---- */

static void assert_name(const glimpse_model *model, glimpse_kind kind, uint32_t i, const char *name) {
  assert_string_equal(glimpse_model_name(model, kind, i), name);
  assert_int_equal(glimpse_model_find(model, kind, name), i);
}

static void test_names(void **state) {
  (void)state;
  glimpse_model *model = tiger(1), *e = transformed(model);
  assert_name(e, GLIMPSE_STATE, 0, "tiger-left-ask");
  assert_name(e, GLIMPSE_STATE, 3, "tiger-right-act");
  assert_name(e, GLIMPSE_ACTION, 2, "open-right");
  assert_name(e, GLIMPSE_ACTION, 3, "request");
  assert_name(e, GLIMPSE_OBSERVATION, 1, "tiger-right");
  assert_name(e, GLIMPSE_OBSERVATION, 2, "is-tiger-left");
  assert_name(e, GLIMPSE_OBSERVATION, 4, "unasked");
  glimpse_model_free(e);
  glimpse_model_free(model);

  model = coin(0.9, 1); /* no names: numbers behind a letter */
  e = transformed(model);
  assert_name(e, GLIMPSE_STATE, 1, "s1-ask");
  assert_name(e, GLIMPSE_STATE, 2, "s0-act");
  assert_name(e, GLIMPSE_ACTION, 1, "a1");
  assert_name(e, GLIMPSE_ACTION, 2, "request");
  assert_name(e, GLIMPSE_OBSERVATION, 0, "o0");
  assert_name(e, GLIMPSE_OBSERVATION, 2, "is-s1");
  assert_name(e, GLIMPSE_OBSERVATION, 3, "unasked");
  glimpse_model_free(e);
  glimpse_model_free(model);
}

/* Names that are already what the transformation would like to make. */
static void test_names_taken(void **state) {
  (void)state;
  static const char *const states[] = {"a", "a-ask", "a-act"};
  static const char *const actions[] = {"request", "request-", "requests"};
  static const char *const observations[] = {"is-a", "is--a-ask", "isa", "unasked", "a"};
  glimpse_builder *b = glimpse_builder_new(3, 3, 5);
  for (uint32_t i = 0; i < 3; i++) glimpse_builder_name(b, GLIMPSE_STATE, i, states[i]);
  for (uint32_t i = 0; i < 3; i++) glimpse_builder_name(b, GLIMPSE_ACTION, i, actions[i]);
  for (uint32_t i = 0; i < 5; i++) glimpse_builder_name(b, GLIMPSE_OBSERVATION, i, observations[i]);
  glimpse_builder_cost(b, GLIMPSE_ANY, 1);
  glimpse_builder_transition(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_model *model = finish(b), *e = transformed(model);
  for (uint32_t i = 0; i < 3; i++) assert_name(e, GLIMPSE_ACTION, i, actions[i]);
  for (uint32_t i = 0; i < 5; i++) assert_name(e, GLIMPSE_OBSERVATION, i, observations[i]);
  assert_name(e, GLIMPSE_STATE, 1, "a-ask-ask");
  assert_name(e, GLIMPSE_STATE, 3, "a-act");
  assert_name(e, GLIMPSE_STATE, 2, "a-act-ask");
  assert_name(e, GLIMPSE_ACTION, 3, "request--");
  assert_name(e, GLIMPSE_OBSERVATION, 5, "is---a");
  assert_name(e, GLIMPSE_OBSERVATION, 6, "is---a-ask");
  assert_name(e, GLIMPSE_OBSERVATION, 8, "unasked-");
  glimpse_model_free(e);
  glimpse_model_free(model);
}

/* ---- refusals ---- */

static void assert_refused(const glimpse_model *model, glimpse_status status, const char *part) {
  glimpse_report *report = glimpse_report_new();
  glimpse_model *e = (glimpse_model *)(uintptr_t)1;
  assert_int_equal(glimpse_model_equivalent(model, report, &e), status);
  assert_null(e);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_int_equal(message->code, status);
  if (!strstr(message->text, part)) fail_msg("'%s' does not mention '%s'", message->text, part);
  glimpse_report_free(report);
  assert_int_equal(glimpse_model_equivalent(model, NULL, &e), status); /* also without a report */
}

static void test_refused(void **state) {
  (void)state;
  glimpse_model *model = tiger(1);
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  assert_refused(model, GLIMPSE_NOT_APPLICABLE, "no request cost");
  assert_int_equal(glimpse_model_set_cost(model, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_discount(model, 0), GLIMPSE_OK);
  assert_refused(model, GLIMPSE_NOT_APPLICABLE, "discount is 0");
  glimpse_model_free(model);

  /* Only the counts are looked at before the limits are. */
  glimpse_model large = {
      .states = GLIMPSE_MAX_COUNT / 2 + 1, .actions = 1, .observations = 1, .requests = true, .discount = 0.9};
  assert_refused(&large, GLIMPSE_TOO_LARGE, "16777218 states");
  large.states = 1;
  large.actions = GLIMPSE_MAX_ACTIONS;
  assert_refused(&large, GLIMPSE_TOO_LARGE, "65537 actions");
  large.actions = 1;
  large.observations = GLIMPSE_MAX_COUNT - 1;
  assert_refused(&large, GLIMPSE_TOO_LARGE, "16777217 observations");
  large.observations = 1;
  large.states = 1u << 20;
  large.actions = 64;
  assert_refused(&large, GLIMPSE_TOO_LARGE, "65 actions");
}

static glimpse_status job_equivalent(void *context) {
  glimpse_model *e = NULL;
  glimpse_status status = glimpse_model_equivalent(context, NULL, &e);
  assert_int_equal(status == GLIMPSE_OK, e != NULL);
  glimpse_model_free(e);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  glimpse_model *model = tiger(1);
  assert_true(failing_malloc_sweep(job_equivalent, model) > 20);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_models), cmocka_unit_test(test_tiger),       cmocka_unit_test(test_coin),
      cmocka_unit_test(test_erratum),       cmocka_unit_test(test_form),        cmocka_unit_test(test_terminal),
      cmocka_unit_test(test_names),         cmocka_unit_test(test_names_taken), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("equivalent", tests, NULL, NULL);
}
