/* Exact: see exact.h.
 *
 * The tree works on unnormalised dense beliefs: V(x b) = x V(b), so no probability of
 * an observation is needed.  Asking is cheap because N_h(s) is tabulated.
 *
 * The line keeps V as its upper envelope of straight lines over p = b(state 1).  The
 * sum over observations of convex functions is formed by walking their breakpoints,
 * so no cross sums blow up and nothing is lost but rounding. */
#include "support/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/price.h"

/* -------------------------------------------------------------------- tree */

struct exact_tree {
  const glimpse_model *model;
  uint32_t states, actions, observations;
  unsigned horizon;
  double low, high; /* of what can follow the horizon, discounted */
  double *corner;   /* N_h(s) at h * states + s */
};

static double tree_value(const exact_tree *tree, unsigned h, const double *belief);

static double tree_no_request(const exact_tree *tree, unsigned h, const double *belief) {
  const glimpse_model *model = tree->model;
  uint32_t states = tree->states, observations = tree->observations;
  double best = -INFINITY;
  double *next = calloc((size_t)states * observations, sizeof *next);
  assert_non_null(next);
  for (uint32_t a = 0; a < tree->actions; a++) {
    double value = 0;
    memset(next, 0, sizeof *next * states * observations);
    for (uint32_t s = 0; s < states; s++) {
      value += belief[s] * glimpse_model_reward(model, a, s);
      glimpse_row moves = glimpse_model_transition(model, a, s);
      for (size_t i = 0; i < moves.count; i++) {
        glimpse_row shows = glimpse_model_observation(model, a, moves.index[i]);
        for (size_t j = 0; j < shows.count; j++)
          next[shows.index[j] * states + moves.index[i]] += belief[s] * moves.value[i] * shows.value[j];
      }
    }
    for (uint32_t o = 0; o < observations; o++)
      value += glimpse_model_discount(model) * tree_value(tree, h - 1, next + (size_t)o * states);
    best = fmax(best, value);
  }
  free(next);
  return best;
}

static double tree_value(const exact_tree *tree, unsigned h, const double *belief) {
  double mass = 0, ask = 0;
  for (uint32_t s = 0; s < tree->states; s++) mass += belief[s];
  if (h == 0 || mass <= 0) return 0;
  double value = tree_no_request(tree, h, belief);
  if (!glimpse_model_requests(tree->model)) return value;
  for (uint32_t s = 0; s < tree->states; s++)
    ask += belief[s] * (tree->corner[(size_t)h * tree->states + s] - price_in(tree->model, s));
  return fmax(value, ask);
}

exact_tree *exact_tree_new(const glimpse_model *model, unsigned horizon) {
  exact_tree *tree = calloc(1, sizeof *tree);
  assert_non_null(tree);
  *tree = (exact_tree){.model = model,
                       .states = glimpse_model_count(model, GLIMPSE_STATE),
                       .actions = glimpse_model_count(model, GLIMPSE_ACTION),
                       .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION),
                       .horizon = horizon,
                       .low = INFINITY,
                       .high = -INFINITY};
  for (uint32_t a = 0; a < tree->actions; a++)
    for (uint32_t s = 0; s < tree->states; s++) {
      tree->low = fmin(tree->low, glimpse_model_reward(model, a, s));
      tree->high = fmax(tree->high, glimpse_model_reward(model, a, s));
    }
  double discount = glimpse_model_discount(model), left = 1 / (1 - discount);
  for (unsigned h = 0; h < horizon; h++) left *= discount;
  tree->low *= left;
  tree->high *= left;
  tree->corner = calloc((size_t)(horizon + 1) * tree->states, sizeof *tree->corner);
  double *known = calloc(tree->states, sizeof *known);
  assert_non_null(tree->corner);
  assert_non_null(known);
  for (unsigned h = 1; h <= horizon; h++)
    for (uint32_t s = 0; s < tree->states; s++) {
      known[s] = 1;
      tree->corner[(size_t)h * tree->states + s] = tree_no_request(tree, h, known);
      known[s] = 0;
    }
  free(known);
  return tree;
}

void exact_tree_free(exact_tree *tree) {
  if (!tree) return;
  free(tree->corner);
  free(tree);
}

void exact_tree_value(const exact_tree *tree, const double *belief, double *low, double *high) {
  double value = tree_value(tree, tree->horizon, belief);
  *low = value + tree->low;
  *high = value + tree->high;
}

unsigned exact_tree_horizon(const glimpse_model *model, double leaves) {
  double width = (double)glimpse_model_count(model, GLIMPSE_ACTION) * glimpse_model_count(model, GLIMPSE_OBSERVATION);
  unsigned horizon = 1;
  for (double reached = width; reached * width <= leaves && horizon < 30; reached *= width) horizon++;
  return horizon;
}

/* -------------------------------------------------------------------- line */

typedef struct straight { /* at p = 0 and at p = 1 */
  double left, right;
} straight;

/* The largest of some straight lines, each the largest somewhere, by slope. */
typedef struct envelope {
  straight *line;
  size_t count, capacity;
} envelope;

struct exact_line {
  const glimpse_model *model;
  double scale; /* of the values, for what counts as rounding */
  envelope value;
};

static double at(straight line, double p) {
  return line.left + (line.right - line.left) * p;
}

static double crossing(straight one, straight two) {
  double slope = (two.right - two.left) - (one.right - one.left);
  return (one.left - two.left) / slope;
}

static void add(envelope *e, straight line) {
  if (e->count == e->capacity) {
    e->capacity = e->capacity ? 2 * e->capacity : 16;
    e->line = realloc(e->line, e->capacity * sizeof *e->line);
    assert_non_null(e->line);
  }
  e->line[e->count++] = line;
}

static int by_slope(const void *one, const void *two) {
  const straight *x = one, *y = two;
  double a = x->right - x->left, b = y->right - y->left;
  if (a < b || a > b) return a < b ? -1 : 1;
  return x->left < y->left ? -1 : x->left > y->left;
}

/* Drops the lines that are nowhere in [0,1] above the others by more than `gain`.  By
 * ascending slope, each line takes over from the one before it at some p; a line that
 * had no lead to speak of when it took over is dropped. */
static void prune(envelope *e, double gain) {
  qsort(e->line, e->count, sizeof *e->line, by_slope);
  size_t kept = 0;
  for (size_t i = 0; i < e->count; i++) {
    straight line = e->line[i];
    for (; kept > 0; kept--) {
      straight last = e->line[kept - 1];
      double from = kept > 1 ? crossing(e->line[kept - 2], last) : 0;
      bool steeper = line.right - line.left > last.right - last.left;
      if (steeper && at(last, from) > at(line, from) + gain) break;
    }
    if (kept && line.right <= e->line[kept - 1].right + gain) continue;
    e->line[kept++] = line;
  }
  e->count = kept;
}

static double value_at(const envelope *e, double p) {
  double best = -INFINITY;
  for (size_t i = 0; i < e->count; i++) best = fmax(best, at(e->line[i], p));
  return best;
}

/* out = sum + next, both convex, by walking over the breakpoints of both. */
static void add_up(const envelope *sum, const envelope *next, envelope *out) {
  size_t i = 0, j = 0;
  out->count = 0;
  for (;;) {
    straight x = sum->line[i], y = next->line[j];
    add(out, (straight){x.left + y.left, x.right + y.right});
    double one = i + 1 < sum->count ? crossing(x, sum->line[i + 1]) : INFINITY;
    double two = j + 1 < next->count ? crossing(y, next->line[j + 1]) : INFINITY;
    if (isinf(one) && isinf(two)) return;
    if (one <= two) i++;
    if (two <= one) j++;
  }
}

/* Adds the lines of acting by a. */
static void act(const exact_line *line, uint32_t a, double gain, envelope *out) {
  const glimpse_model *model = line->model;
  double discount = glimpse_model_discount(model);
  envelope sum = {0}, part = {0}, both = {0};
  add(&sum, (straight){glimpse_model_reward(model, a, 0), glimpse_model_reward(model, a, 1)});
  for (uint32_t o = 0; o < glimpse_model_count(model, GLIMPSE_OBSERVATION); o++) {
    double move[2][2] = {{0}};
    for (uint32_t s = 0; s < 2; s++) {
      glimpse_row moves = glimpse_model_transition(model, a, s);
      for (size_t i = 0; i < moves.count; i++) {
        glimpse_row shows = glimpse_model_observation(model, a, moves.index[i]);
        for (size_t j = 0; j < shows.count; j++)
          if (shows.index[j] == o) move[s][moves.index[i]] = discount * moves.value[i] * shows.value[j];
      }
    }
    part.count = 0;
    for (size_t i = 0; i < line->value.count; i++) {
      straight v = line->value.line[i];
      add(&part, (straight){move[0][0] * v.left + move[0][1] * v.right, move[1][0] * v.left + move[1][1] * v.right});
    }
    prune(&part, gain);
    add_up(&sum, &part, &both);
    envelope swap = sum;
    sum = both;
    both = swap;
  }
  for (size_t i = 0; i < sum.count; i++) add(out, sum.line[i]);
  free(sum.line);
  free(part.line);
  free(both.line);
}

exact_line *exact_line_new(const glimpse_model *model) {
  exact_line *line = calloc(1, sizeof *line);
  assert_non_null(line);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 2);
  line->model = model;
  double discount = glimpse_model_discount(model), low = INFINITY, high = -INFINITY;
  uint32_t actions = glimpse_model_count(model, GLIMPSE_ACTION);
  for (uint32_t a = 0; a < actions; a++)
    for (uint32_t s = 0; s < 2; s++) {
      low = fmin(low, glimpse_model_reward(model, a, s));
      high = fmax(high, glimpse_model_reward(model, a, s));
    }
  line->scale = fmax(1e-300, fmax(fabs(low), fabs(high))) / (1 - discount);
  double gain = 1e-14 * line->scale, start = (low + high) / 2 / (1 - discount);
  add(&line->value, (straight){start, start});
  for (double error = 1; error > 1e-12; error *= discount) {
    envelope next = {0};
    for (uint32_t a = 0; a < actions; a++) act(line, a, gain, &next);
    prune(&next, gain);
    if (glimpse_model_requests(model)) {
      add(&next, (straight){value_at(&next, 0) - price_in(model, 0), value_at(&next, 1) - price_in(model, 1)});
      prune(&next, gain);
    }
    free(line->value.line);
    line->value = next;
  }
  return line;
}

void exact_line_free(exact_line *line) {
  if (!line) return;
  free(line->value.line);
  free(line);
}

double exact_line_value(const exact_line *line, double p) {
  return value_at(&line->value, p);
}
