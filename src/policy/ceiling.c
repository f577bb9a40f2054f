/* Ceiling: its memory.  What it means is said in ceiling.h; settle.c makes one, prove.c says what it proves. */
#include "policy/ceiling.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

gli_ceiling *gli_ceiling_new(uint32_t states, uint32_t actions) {
  gli_ceiling *ceiling = GLI_NEW(gli_ceiling, 1);
  if (!ceiling) return NULL;
  size_t corners = (size_t)states * actions;
  ceiling->states = states;
  ceiling->actions = actions;
  ceiling->corner = GLI_NEW(double, corners);
  if (!ceiling->corner || !GLI_GROW(ceiling->first, ceiling->first_capacity, 1)) {
    gli_ceiling_free(ceiling);
    return NULL;
  }
  for (size_t i = 0; i < corners; i++) ceiling->corner[i] = INFINITY;
  ceiling->first[0] = 0;
  return ceiling;
}

void gli_ceiling_free(gli_ceiling *ceiling) {
  if (!ceiling) return;
  gli_memory_free(ceiling->corner);
  gli_memory_free(ceiling->first);
  gli_memory_free(ceiling->state);
  gli_memory_free(ceiling->mass);
  gli_memory_free(ceiling->value);
  gli_memory_free(ceiling);
}

bool gli_ceiling_add(gli_ceiling *ceiling, glimpse_row belief, const double *values) {
  size_t i = ceiling->points, first = ceiling->first[i], end = first + belief.count;
  size_t actions = ceiling->actions;
  if (!GLI_GROW(ceiling->first, ceiling->first_capacity, i + 2) ||
      !GLI_GROW(ceiling->state, ceiling->state_capacity, end) ||
      !GLI_GROW(ceiling->mass, ceiling->mass_capacity, end) ||
      !GLI_GROW(ceiling->value, ceiling->value_capacity, (i + 1) * actions))
    return false;
  memcpy(ceiling->state + first, belief.index, belief.count * sizeof *ceiling->state);
  memcpy(ceiling->mass + first, belief.value, belief.count * sizeof *ceiling->mass);
  memcpy(ceiling->value + i * actions, values, actions * sizeof *ceiling->value);
  ceiling->first[i + 1] = end;
  ceiling->points = i + 1;
  return true;
}
