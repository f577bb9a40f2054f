/* Random families: see random_family.h.  A seed stands for one model for ever, as long as
 * nobody reorders the calls below. */
#include "support/random_family.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

static const char *const keys[] = {
#define X(name, key, text) key,
    RANDOM_FAMILY_TABLE(X)
#undef X
};

const char *random_family_key(random_family family) {
  return keys[family];
}

enum { MOST = 128 }; /* states */

typedef struct plan { /* of a model */
  random_family family;
  gli_random random;
  random_course course;
  uint32_t layers, width; /* of a model that ends: states that can be met, one for the end besides */
  uint32_t states, actions, observations;
  uint32_t reached; /* states from here on are never met */
  double discount, cost;
  bool cost_by_state;
} plan;

static uint32_t below(plan *p, uint32_t count) {
  return gli_random_below(&p->random, count);
}

static uint32_t between(plan *p, uint32_t low, uint32_t high) {
  return low + below(p, high - low + 1);
}

static double unit(plan *p) {
  return gli_random_unit(&p->random);
}

/* A number of any size between two powers of 10; no pow(), which is not the same everywhere. */
static double power(plan *p, int low, int high) {
  double x = 1 + 9 * unit(p);
  int exponent = low + (int)below(p, (uint32_t)(high - low));
  for (; exponent > 0; exponent--) x *= 10;
  for (; exponent < 0; exponent++) x /= 10;
  return x;
}

static plan decide(random_family family, uint64_t seed) {
  static const double discounts[] = {0.3, 0.5, 0.9, 0.95, 0.99}, costs[] = {0, 0.003, 0.01, 0.03, 0.1, 0.3, 2};
  static const double least[] = {0, 1e-300, 1e-12, 1e-6, 1e-3, 0.01};
  static const double most[] = {0.99, 0.999, 0.9999, 0.99999, 0.999999, 1 - 1e-9, 1 - 1e-12};
  plan p = {.family = family, .random = gli_random_stream(seed, "family", (uint64_t)family)};
  p.course = (random_course)below(&p, RANDOM_COURSES);
  p.layers = between(&p, 1, 3);
  p.width = p.layers == 3 ? 2 : between(&p, 2, 3);
  p.actions = family == RANDOM_FAMILY_ONE_ACTION ? 1 : between(&p, 2, 3);
  p.observations = between(&p, 1, p.layers == 3 && p.actions == 3 ? 2 : 3);
  p.discount = discounts[below(&p, 5)];
  p.cost = costs[below(&p, 7)];
  p.cost_by_state = below(&p, 3) == 0;
  if (family == RANDOM_FAMILY_DISCOUNT_0) p.discount = least[below(&p, 6)];
  if (family == RANDOM_FAMILY_DISCOUNT_1) p.discount = most[below(&p, 7)];
  if ((family == RANDOM_FAMILY_FREE || family == RANDOM_FAMILY_HIDDEN) && p.cost == 0) p.cost = 0.1;
  if (family == RANDOM_FAMILY_HIDDEN && p.course == RANDOM_CLEAR) p.course = RANDOM_OPEN;
  if (family == RANDOM_FAMILY_COSTS || family == RANDOM_FAMILY_BOTH) p.cost = power(&p, -9, 9);
  if (family == RANDOM_FAMILY_OBSERVATIONS) {
    p.layers = between(&p, 1, 2);
    p.observations = between(&p, 1000, 4000);
    if (p.course == RANDOM_OPEN) p.course = RANDOM_ENDS;
  }
  if (family == RANDOM_FAMILY_LARGE) {
    p.course = RANDOM_ENDS;
    p.layers = between(&p, 1, 2);
    p.width = between(&p, 30, 60);
    p.actions = p.observations = 2;
  }
  p.states = p.course == RANDOM_ENDS ? p.layers * p.width + 1 : between(&p, 2, 5);
  if (family == RANDOM_FAMILY_ONE_STATE) p.states = 1, p.course = RANDOM_CLEAR;
  p.reached = p.states;
  if (family == RANDOM_FAMILY_UNREACHABLE) p.states += between(&p, 1, 4);
  if (p.course == RANDOM_CLEAR && p.observations < 2 * p.states) p.observations = 2 * p.states;
  return p;
}

/* --------------------------------------------------------------------- rows */

static void clear(double *row, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) row[i] = 0;
}

static void normalise(double *row, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += row[i];
  for (uint32_t i = 0; i < count; i++) row[i] /= sum;
}

/* Probabilities so small that products of them lose their digits, or vanish. */
static void fill_rare(plan *p, double *row, uint32_t count) {
  static const double tiny[] = {1e-17, 1e-155, 1e-160, 1e-300, 1e-310};
  for (uint32_t i = 0; i < count; i++) row[i] = unit(p) < 0.6 ? tiny[below(p, 5)] : 0;
  row[below(p, count)] = 1;
}

/* A distribution over `count` places, of the family's kind.  `pattern` is what nearly
 * equal rows are nearly equal to, `own` the place of the identity. */
static void fill(plan *p, double *row, uint32_t count, const double *pattern, uint32_t own) {
  clear(row, count);
  switch (p->family) {
    case RANDOM_FAMILY_SPARSE:
      for (uint32_t i = between(p, 1, 3); i-- > 0;) row[below(p, count)] += 0.05 + unit(p);
      break;
    case RANDOM_FAMILY_DETERMINISTIC: row[below(p, count)] = 1; break;
    case RANDOM_FAMILY_NEAR_SINGULAR: {
      double little = power(p, -16, -3);
      bool identity = pattern[0] > 0.5;
      for (uint32_t i = 0; i < count; i++) row[i] = (identity ? i == own % count : pattern[i]) + little * unit(p);
      break;
    }
    case RANDOM_FAMILY_RARE: fill_rare(p, row, count); break;
    case RANDOM_FAMILY_DENSE:
    case RANDOM_FAMILY_LARGE:
      for (uint32_t i = 0; i < count; i++) row[i] = 0.01 + unit(p);
      break;
    default:
      for (uint32_t i = 0; i < count; i++) row[i] = below(p, 3) ? unit(p) : 0;
      row[below(p, count)] += 0.05 + unit(p);
      break;
  }
  normalise(row, count);
}

static void fill_pattern(plan *p, double *row, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) row[i] = 0.1 + unit(p);
  normalise(row, count);
}

/* Is this the end?  Hidden ends are there whether or not plans end for sure. */
static bool is_end(const plan *p, uint32_t s) {
  return s == p->reached - 1 && (p->course == RANDOM_ENDS || p->family == RANDOM_FAMILY_HIDDEN);
}

/* Besides what a row says it may be over.  Returns the new length of the row. */
static uint32_t may_end(plan *p, double *row, uint32_t count, uint32_t end, bool must) {
  double over = must ? 1 : 0.7 * unit(p);
  for (; count <= end; count++) row[count] = 0;
  for (uint32_t i = 0; i < count; i++) row[i] *= 1 - over;
  row[end] += over;
  return count;
}

/* The states that can follow: of a model that ends those of the next layer. */
static void add_moves(glimpse_builder *builder, plan *p) {
  double row[MOST], pattern[MOST];
  for (uint32_t a = 0; a < p->actions; a++) {
    fill_pattern(p, pattern, p->states);
    for (uint32_t s = 0; s < p->states; s++) {
      uint32_t first = 0, count = p->reached, end = p->reached - 1;
      if (p->course == RANDOM_ENDS && s <= end) {
        uint32_t layer = s / p->width;
        first = s == end || layer + 1 == p->layers ? end : (layer + 1) * p->width;
        count = first == end ? 1 : p->width + (below(p, 3) == 0 && layer + 2 == p->layers);
      }
      if (s >= p->reached) count = p->states; /* from where nobody is, to anywhere */
      fill(p, row, count, pattern, s - (s < p->reached ? first : 0));
      if (p->family == RANDOM_FAMILY_HIDDEN) count = may_end(p, row, count, end - first, is_end(p, s));
      for (uint32_t i = 0; i < count; i++)
        if (row[i] > 0) glimpse_builder_transition(builder, a, s, first + i, row[i]);
    }
  }
}

static void add_sight(glimpse_builder *builder, plan *p) {
  uint32_t count = p->observations;
  double *row = calloc(count, sizeof *row), *pattern = calloc(count, sizeof *pattern);
  assert_true(row && pattern);
  for (uint32_t a = 0; a < p->actions; a++) {
    fill_pattern(p, pattern, count);
    for (uint32_t s = 0; s < p->states; s++) {
      clear(row, count);
      if (p->course == RANDOM_CLEAR && p->states > 1) {
        uint32_t own = count / p->states, used = p->family == RANDOM_FAMILY_DETERMINISTIC ? 1 : own;
        fill(p, row + (size_t)s * own, used, pattern, 0); /* its own observations */
      } else {
        fill(p, row, count, pattern, s);
      }
      for (uint32_t i = 0; i < count; i++)
        if (row[i] > 0) glimpse_builder_observation(builder, a, s, i, row[i]);
    }
  }
  free(row);
  free(pattern);
}

static void add_rewards(glimpse_builder *builder, plan *p) {
  bool wide = p->family == RANDOM_FAMILY_REWARDS || p->family == RANDOM_FAMILY_BOTH;
  double size = wide ? power(p, -12, 12) : 1;
  bool mixed = wide && below(p, 2), by_next = below(p, 3) == 0, some = below(p, 4) == 0;
  for (uint32_t a = 0; a < p->actions; a++)
    for (uint32_t s = 0; s < p->states; s++) {
      if (is_end(p, s)) continue;
      if (mixed) size = power(p, -12, 12);
      if (s >= p->reached) size = power(p, -3, 9);
      for (uint32_t s2 = 0; s2 < (by_next ? p->states : 1); s2++) {
        double r = some && below(p, 2) ? 0 : size * (2 * unit(p) - 1);
        glimpse_builder_reward(builder, a, s, by_next ? s2 : GLIMPSE_ANY, GLIMPSE_ANY, r);
      }
    }
}

static void add_start(glimpse_builder *builder, plan *p) {
  uint32_t count = p->course == RANDOM_ENDS && p->family != RANDOM_FAMILY_HIDDEN ? p->width : p->reached;
  bool certain = below(p, 5) == 0;
  uint32_t which = below(p, count);
  double row[MOST];
  for (uint32_t s = 0; s < count; s++) row[s] = certain ? s == which : 0.02 + unit(p);
  normalise(row, count);
  for (uint32_t s = 0; s < count; s++)
    if (row[s] > 0) glimpse_builder_start(builder, s, row[s]);
}

/* So many steps that the tree has some hundred leaves. */
static unsigned horizon(const plan *p) {
  if (p->course == RANDOM_ENDS) return p->layers;
  unsigned steps = 1;
  double width = (double)p->actions * p->observations;
  for (double leaves = width; leaves * width <= 300 && steps < 12; leaves *= width) steps++;
  return steps;
}

random_member random_family_make(random_family family, uint64_t seed) {
  plan p = decide(family, seed);
  glimpse_builder *builder = glimpse_builder_new(p.states, p.actions, p.observations);
  glimpse_report *report = glimpse_report_new();
  assert_true(builder && report);
  glimpse_builder_discount(builder, p.discount);
  for (uint32_t s = 0; s < p.states; s++) {
    bool wide = family == RANDOM_FAMILY_COSTS || family == RANDOM_FAMILY_BOTH;
    double factor = !p.cost_by_state ? 1 : wide ? power(&p, -9, 9) / p.cost : 0.5 + unit(&p);
    if (family == RANDOM_FAMILY_FREE && below(&p, 2)) factor = 0;
    glimpse_builder_cost(builder, s, p.cost * factor);
  }
  add_moves(builder, &p);
  add_sight(builder, &p);
  add_rewards(builder, &p);
  add_start(builder, &p);
  random_member member = {.course = p.course, .horizon = horizon(&p)};
  if (glimpse_builder_finish(builder, report, &member.model) != GLIMPSE_OK) {
    const glimpse_message *message = glimpse_report_get(report, 0);
    fail_msg("family %s, seed %llu: %s", keys[family], (unsigned long long)seed, message ? message->text : "refused");
  }
  glimpse_report_free(report);
  glimpse_builder_free(builder);
  return member;
}
