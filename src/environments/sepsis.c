/* Sepsis: treating a patient for five steps, as in H. Nam, S. Fleming and E. Brunskill,
 * Reinforcement Learning with State Observation Costs in Action-Contingent Noiselessly
 * Observable MDPs (NeurIPS 2021), after the simulator of M. Oberst and D. Sontag (2019).
 *
 * A patient has a heart rate and a blood pressure (0 low, 1 normal, 2 high), oxygen (0
 * low, 1 normal) and glucose (0 to 4, 2 is normal), and three treatments that are on or
 * off: 3*3*2*5*2*2*2 = 720 conditions, numbered with the last varying fastest.  An
 * action sets the treatments.  Then, in this order,
 *
 *   antibiotics   on: heart rate and pressure 2 -> 1 (0.5 each)
 *                 just stopped: both 1 -> 2 (0.1 each)
 *   ventilation   on: oxygen 0 -> 1 (0.7)       just stopped: 1 -> 0 (0.1)
 *   vasopressors  on: pressure 0 -> 1, 1 -> 2 (0.7)
 *                 just stopped: pressure one down (0.1)
 *   the rest      heart rate if no antibiotics are on or were stopped, pressure if no
 *                 vasopressors are or were either, oxygen likewise with ventilation: one
 *                 down (0.1) or one up (0.1), within their range; glucose without
 *                 vasopressors: one down (0.1) or to min(1, one up) (0.1)
 *
 * (the last rule is the simulator's, and looks like a slip for min(4, ...)).  The new
 * condition pays: three or more of the four values abnormal 0, and the episode ends in
 * death; none abnormal and no treatment on 1, and it ends with discharge; otherwise
 * 0.25.  After `steps` steps it ends in any case, so that time is part of the state:
 * `steps` times the conditions that are neither death nor discharge (303), and `end`. */
#include <stdio.h>

#include "base/report.h"
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(steps, "5", WHOLE(1, 50), "steps of an episode")                                                                   \
  X(from, "256", WHOLE(0, 719), "the number of the condition at the beginning")                                        \
  X(c, "0.1", COST(), "price of a request")                                                                            \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.7", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { CONDITIONS = 720, ACTIONS = 8 };

typedef struct condition {
  int heart, pressure, oxygen, glucose;
  int antibiotics, vasopressors, ventilation;
} condition;

static condition condition_of(int i) {
  return (condition){i / 240, i / 80 % 3, i / 40 % 2, i / 8 % 5, i / 4 % 2, i / 2 % 2, i % 2};
}

static int number_of(const condition *x) {
  return (
      (((((x->heart * 3 + x->pressure) * 2 + x->oxygen) * 5 + x->glucose) * 2 + x->antibiotics) * 2 + x->vasopressors) *
          2 +
      x->ventilation);
}

static int abnormal(const condition *x) {
  return (x->heart != 1) + (x->pressure != 1) + (x->oxygen != 1) + (x->glucose != 2);
}

static bool treated(const condition *x) {
  return x->antibiotics || x->vasopressors || x->ventilation;
}

static bool is_over(const condition *x) {
  return abnormal(x) >= 3 || (!abnormal(x) && !treated(x));
}

static double worth(const condition *x) {
  return abnormal(x) >= 3 ? 0 : is_over(x) ? 1 : 0.25;
}

/* How one of the four values changes: p[v] is the probability of v afterwards.  Each is changed on its own, so that the
 * next condition is a product of four. */
typedef struct change {
  double heart[3], pressure[3], oxygen[2], glucose[5];
} change;

/* From v to `to` with probability q; what was there before counts, too. */
static void shift(double *p, int v, int to, double q) {
  double moved = p[v] * q;
  p[v] -= moved;
  p[to] += moved;
}

static void fluctuate(double *p, int v, int down, int up) {
  if (down != v) shift(p, v, down, 0.1);
  double left = down != v ? 0.1 / 0.9 : 0.1; /* of what is still there */
  if (up != v) shift(p, v, up, left);
}

static void treat_pressure(double p[3], int antibiotics, int stopped, int vasopressors, int fewer) {
  if (antibiotics) shift(p, 2, 1, 0.5);
  if (stopped) shift(p, 1, 2, 0.1);
  if (vasopressors) {
    shift(p, 1, 2, 0.7);
    shift(p, 0, 1, 0.7);
  }
  if (fewer) {
    shift(p, 1, 0, 0.1);
    shift(p, 2, 1, 0.1);
  }
}

static change step(const condition *x, const condition *next) {
  change to = {{0}, {0}, {0}, {0}};
  to.heart[x->heart] = to.pressure[x->pressure] = to.oxygen[x->oxygen] = to.glucose[x->glucose] = 1;
  bool stopped = x->antibiotics && !next->antibiotics, fewer = x->vasopressors && !next->vasopressors;
  if (next->antibiotics) shift(to.heart, 2, 1, 0.5);
  else if (stopped) shift(to.heart, 1, 2, 0.1);
  else fluctuate(to.heart, x->heart, x->heart ? x->heart - 1 : 0, x->heart < 2 ? x->heart + 1 : 2);
  if (next->antibiotics || stopped || next->vasopressors || fewer)
    treat_pressure(to.pressure, next->antibiotics, stopped, next->vasopressors, fewer);
  else fluctuate(to.pressure, x->pressure, x->pressure ? x->pressure - 1 : 0, x->pressure < 2 ? x->pressure + 1 : 2);
  if (next->ventilation) shift(to.oxygen, 0, 1, 0.7);
  else if (x->ventilation) shift(to.oxygen, 1, 0, 0.1);
  else fluctuate(to.oxygen, x->oxygen, 0, 1);
  if (!next->vasopressors)
    fluctuate(to.glucose, x->glucose, x->glucose ? x->glucose - 1 : 0, x->glucose < 1 ? x->glucose + 1 : 1);
  return to;
}

typedef struct ward {
  uint32_t steps, running;     /* conditions in which it goes on */
  uint32_t number[CONDITIONS]; /* among those; GLIMPSE_ANY: it is over */
} ward;

/* Action a in condition i, as rules of all times. */
static void add_step(glimpse_builder *builder, const ward *w, int i, uint32_t a) {
  condition x = condition_of(i), next = x;
  uint32_t end = w->steps * w->running;
  next.antibiotics = a >> 2 & 1;
  next.ventilation = a >> 1 & 1;
  next.vasopressors = a & 1;
  change to = step(&x, &next);
  double over = 0, paid = 0;
  for (int v = 0; v < 3 * 3 * 2 * 5; v++) {
    next.heart = v / 30;
    next.pressure = v / 10 % 3;
    next.oxygen = v / 5 % 2;
    next.glucose = v % 5;
    double p = to.heart[next.heart] * to.pressure[next.pressure] * to.oxygen[next.oxygen] * to.glucose[next.glucose];
    if (p <= 0) continue;
    paid += p * worth(&next);
    uint32_t s2 = w->number[number_of(&next)];
    if (s2 == GLIMPSE_ANY) over += p;
    for (uint32_t t = 0; s2 != GLIMPSE_ANY && t + 1 < w->steps; t++)
      glimpse_builder_transition(builder, a, t * w->running + w->number[i], (t + 1) * w->running + s2, p);
  }
  for (uint32_t t = 0; t < w->steps; t++) {
    uint32_t s = t * w->running + w->number[i];
    double p = t + 1 < w->steps ? over : 1;
    if (p > 0) glimpse_builder_transition(builder, a, s, end, p);
    glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, paid);
  }
}

static void add_name(glimpse_builder *builder, const ward *w, int i, uint32_t t) {
  condition x = condition_of(i);
  char name[96];
  snprintf(name, sizeof name, "t%u-h%dp%do%dg%d-%s%s%s%s", (unsigned)t, x.heart, x.pressure, x.oxygen, x.glucose,
           x.antibiotics ? "a" : "", x.vasopressors ? "p" : "", x.ventilation ? "v" : "", treated(&x) ? "" : "none");
  glimpse_builder_name(builder, GLIMPSE_STATE, t * w->running + w->number[i], name);
}

static void add_rules(glimpse_builder *builder, const ward *w, const double *value) {
  static const char *const actions[ACTIONS] = {"none",
                                               "vasopressors",
                                               "ventilation",
                                               "ventilation-vasopressors",
                                               "antibiotics",
                                               "antibiotics-vasopressors",
                                               "antibiotics-ventilation",
                                               "all"};
  gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
  glimpse_builder_discount(builder, value[KEY_gamma]);
  gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
  glimpse_builder_start(builder, w->number[(int)value[KEY_from]], 1);
  for (int i = 0; i < CONDITIONS; i++) {
    if (w->number[i] == GLIMPSE_ANY) continue;
    for (uint32_t t = 0; t < w->steps; t++) add_name(builder, w, i, t);
    for (uint32_t a = 0; a < ACTIONS; a++) add_step(builder, w, i, a);
  }
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  ward w = {.steps = (uint32_t)value[KEY_steps]};
  for (int i = 0; i < CONDITIONS; i++) {
    condition x = condition_of(i);
    w.number[i] = is_over(&x) ? GLIMPSE_ANY : w.running++;
  }
  if (w.number[(int)value[KEY_from]] == GLIMPSE_ANY)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "from must be a condition in which the patient is ill and alive, not %d", (int)value[KEY_from]);
  glimpse_builder *builder = gli_environment_unseen(w.steps * w.running + 1, ACTIONS, w.steps * w.running);
  if (builder) add_rules(builder, &w, value);
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_sepsis = {
    {"sepsis", "a patient to be treated for five steps, unseen (ACNO-MDP)", shown}, ranges, make};
