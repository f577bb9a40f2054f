/* Same model: see same_model.h.  Numbers are compared as bytes, so that -0 is not
 * 0 and a change in the last bit is seen. */
#include "support/same_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

static bool same(const void *left, const void *right, size_t count, size_t size) {
  return count == 0 || memcmp(left, right, count * size) == 0;
}

static bool same_table(const gli_table *left, const gli_table *right, size_t rows) {
  if (!same(left->row, right->row, rows + 1, sizeof *left->row)) return false;
  size_t count = (size_t)left->row[rows];
  return same(left->column, right->column, count, sizeof *left->column) &&
         same(left->value, right->value, count, sizeof *left->value);
}

static bool same_steps(const gli_steps *left, const gli_steps *right, size_t rows) {
  if (!same(left->row, right->row, rows + 1, sizeof *left->row)) return false;
  size_t count = (size_t)left->row[rows];
  return same(left->next, right->next, count, sizeof *left->next) &&
         same(left->observation, right->observation, count, sizeof *left->observation) &&
         same(left->value, right->value, count, sizeof *left->value);
}

static bool same_names(const gli_names *left, const gli_names *right) {
  if (left->given != right->given || left->count != right->count) return false;
  for (uint32_t i = 0; i < left->count; i++)
    if (strcmp(gli_names_get(left, i), gli_names_get(right, i)) != 0) return false;
  return true;
}

const char *same_model_difference(const glimpse_model *left, const glimpse_model *right) {
  if (left->states != right->states) return "the number of states";
  if (left->actions != right->actions) return "the number of actions";
  if (left->observations != right->observations) return "the number of observations";
  size_t rows = (size_t)left->states * left->actions;
  if (!same(&left->discount, &right->discount, 1, sizeof left->discount)) return "the discount";
  if (left->requests != right->requests) return "whether there are requests";
  if (!same(&left->cost, &right->cost, 1, sizeof left->cost)) return "the cost";
  if (!left->costs != !right->costs) return "whether the cost is uniform";
  if (left->costs && !same(left->costs, right->costs, left->states, sizeof *left->costs)) return "the cost of a state";
  if (!same_table(&left->start, &right->start, 1)) return "the start";
  if (!same_table(&left->transition, &right->transition, rows)) return "T";
  if (!same_table(&left->observe, &right->observe, rows)) return "O";
  if (!same(left->reward, right->reward, rows, sizeof *left->reward)) return "the expected rewards";
  if (!same_steps(&left->steps, &right->steps, rows)) return "the rewards of steps";
  if (!same(left->terminal, right->terminal, left->states, sizeof *left->terminal)) return "the terminal states";
  if (!same_names(&left->names[GLIMPSE_STATE], &right->names[GLIMPSE_STATE])) return "the names of states";
  if (!same_names(&left->names[GLIMPSE_ACTION], &right->names[GLIMPSE_ACTION])) return "the names of actions";
  if (!same_names(&left->names[GLIMPSE_OBSERVATION], &right->names[GLIMPSE_OBSERVATION]))
    return "the names of observations";
  return NULL;
}

void same_model_check(const glimpse_model *left, const glimpse_model *right) {
  const char *difference = same_model_difference(left, right);
  if (difference) fail_msg("the models differ in %s", difference);
}
