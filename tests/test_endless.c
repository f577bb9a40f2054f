/* Endless: episodes without an end in one kept graph.  What is left to expand weighs less
 * and less until it weighs nothing; then the search must say so, and neither the graph nor
 * the step may grow any more.  The value at each belief is known from exact.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/exact.h"
#include "support/planning.h"
#include "support/pomdp.h"

/* A machine that wears out unseen (README). */
static const char machine[] =
    "discount: 0.95\nvalues: reward\nstates: good worn\nactions: run repair\nobservations: fine faulty\n"
    "start: good\n# glimpse: cost 0.5\nT: run\n0.9 0.1\n0.0 1.0\nT: repair : * : good 1\nO: *\n0.8 0.2\n0.4 0.6\n"
    "R: run : good : * : * 1\nR: run : worn : * : * -1\nR: repair : * : * : * -2\n";

typedef struct watch {
  const exact_line *exact;
  uint64_t nodes; /* after 100 steps */
  unsigned solved;
} watch;

static bool step(void *context, const glimpse_step *step) {
  watch *w = context;
  const glimpse_decision *d = step->asked ? &step->after : &step->decision;
  double worn = step->belief.index[step->belief.count - 1] == 1 ? step->belief.value[step->belief.count - 1] : 0;
  double value = exact_line_value(w->exact, worn);
  assert_true(step->decision.lower <= value + 1e-8 && step->decision.upper >= value - 1e-8);
  if (step->step < 100) return true;
  if (step->step == 100) w->nodes = d->nodes;
  w->solved += d->stop == GLIMPSE_STOP_SOLVED;
  assert_true(d->nodes <= w->nodes + w->nodes / 4);
  assert_true(step->decision.upper - step->decision.lower < 1e-6);
  return true;
}

static void test_machine(void **state) {
  (void)state;
  planning p;
  planning_of(&p, pomdp_read(machine));
  exact_line *exact = exact_line_new(p.model);
  watch w = {.exact = exact};
  glimpse_run run = {
      .budget = {.expansions = 50}, .episodes = 1, .seed = 3, .max_steps = 300, .step = step, .context = &w};
  glimpse_episode result;
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &run, NULL, &result), GLIMPSE_OK);
  assert_int_equal(result.steps, 300);
  assert_true(w.nodes < 4000);
  assert_int_equal(w.solved, 200);
  exact_line_free(exact);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_machine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
