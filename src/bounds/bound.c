/* Bound: what a bound says at beliefs, whatever its kind.
 *
 * Sums over a belief are moved outward by more than rounding can do (gli_bound_outward), so a bound stays valid. */
#include "bounds/bound.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

static const glimpse_bound_info infos[] = {
#define X(name, key, side, text) {key, side, text},
    GLIMPSE_BOUND_TABLE(X)
#undef X
};

const glimpse_bound_info *glimpse_bound_get(glimpse_bound_kind kind) {
  return (unsigned)kind < GLIMPSE_BOUND_KINDS ? &infos[kind] : NULL;
}

bool gli_bound_reserve(glimpse_bound *bound, uint32_t vectors) {
  if (bound->states > SIZE_MAX / vectors) return false;
  bound->vectors = vectors;
  size_t count = (size_t)bound->states * vectors;
  bound->value = GLI_NEW(double, count);
  return bound->value != NULL;
}

void gli_bound_join(glimpse_bound_result *result, const glimpse_bound_result *other) {
  result->converged = result->converged && other->converged;
  if (other->iterations > result->iterations) result->iterations = other->iterations;
  result->residual = fmax(result->residual, other->residual);
  result->error = fmax(result->error, other->error);
}

void glimpse_bound_free(glimpse_bound *bound) {
  if (!bound) return;
  if (bound->class && bound->class->free) bound->class->free(bound);
  gli_memory_free(bound->value);
  gli_memory_free(bound->known);
  gli_memory_free(bound->asking);
  gli_memory_free(bound->plan);
  gli_memory_free(bound->follow);
  gli_memory_free(bound->first);
  gli_memory_free(bound);
}

glimpse_bound_result glimpse_bound_measure(const glimpse_bound *bound) {
  return bound->result;
}

/* The sum errs by n u times the sum of the sizes (u = 2^-53), and the belief itself sums to 1 within
 * n u; of a known state it is exact. */
double gli_bound_outward(size_t count) {
  return count > 1 ? (2 * (double)count + 8) * (DBL_EPSILON / 2) : 0;
}

/* Entries are moved one by one, so that larger vectors still give larger values, bit by bit. */
double gli_bound_moved(const double *entries, size_t stride, glimpse_row belief, double by) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) {
    double entry = entries[(size_t)belief.index[i] * stride];
    sum += belief.value[i] * (entry + by * fabs(entry));
  }
  return sum;
}

double gli_bound_vector(const glimpse_bound *bound, uint32_t k, glimpse_row belief, double by) {
  return gli_bound_moved(bound->value + k, bound->vectors, belief, by);
}

double gli_bound_largest(const glimpse_bound *bound, glimpse_row belief, double least) {
  double by = gli_bound_outward(belief.count), largest = least;
  if (infos[bound->result.kind].side < 0) by = -by;
  for (uint32_t k = 0; k < bound->vectors; k++) largest = fmax(largest, gli_bound_vector(bound, k, belief, by));
  return largest;
}

double glimpse_bound_value(const glimpse_bound *bound, glimpse_row belief) {
  if (bound->class->value) return bound->class->value(bound, belief);
  return gli_bound_largest(bound, belief, -INFINITY);
}

gli_plan gli_bound_plan(const glimpse_bound *bound, uint32_t k) {
  return bound->plan[k];
}

double gli_bound_promise(const glimpse_bound *bound, uint32_t choice, glimpse_row belief) {
  double by = -gli_bound_outward(belief.count), largest = -INFINITY;
  if (choice == GLIMPSE_ANY && bound->asking && belief.count > 1) return gli_bound_moved(bound->asking, 1, belief, by);
  if (belief.count == 1 && bound->first && bound->first[belief.index[0]] == choice)
    largest = bound->known[belief.index[0]] * belief.value[0];
  for (uint32_t k = 0; bound->plan && k < bound->vectors; k++)
    if (bound->plan[k].action == choice) largest = fmax(largest, gli_bound_vector(bound, k, belief, by));
  return largest;
}

double gli_bound_known(const glimpse_bound *bound, uint32_t s) {
  if (bound->known) return bound->known[s];
  const double *line = bound->value + (size_t)s * bound->vectors;
  double largest = line[0];
  for (uint32_t k = 1; k < bound->vectors; k++) largest = fmax(largest, line[k]);
  return largest;
}

double glimpse_bound_entry(const glimpse_bound *bound, uint32_t k, uint32_t s) {
  return k < bound->vectors && s < bound->states ? bound->value[(size_t)s * bound->vectors + k] : NAN;
}
