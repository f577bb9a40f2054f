/* Fixpoint: value iteration that can be stopped at any moment.
 *
 * Let F be a Bellman operator: monotone, with F(v + k) = F(v) + discount * k for a
 * number k added to every entry.  Let a sweep take v to w and change every entry
 * by something in [low, high].
 *
 * Jacobi sweep (w = F(v)).  w <= v + high gives F(w) <= w + discount * high, hence
 * u = w + discount * high / (1 - discount) has F(u) <= u, and since F^n(u) falls to
 * the fixed point v*, v* <= u.  Likewise from below (MacQueen's bounds).
 *
 * Gauss-Seidel sweep.  Entry w(s) was made from a mixture m of v and w.  Where m is
 * w there is no difference, elsewhere w <= m + high; so with high >= 0 again
 * F(w)(s) <= F(m)(s) + discount * high <= w(s) + discount * high.  The same holds
 * when s itself is solved for (see mdp.c).  So the range must be widened to contain
 * 0, and then the same formulas hold.
 *
 * Rounding.  If a computed backup is off by at most e, the inequality above reads
 * F(w) <= w + discount * high + e, so e / (1 - discount) on either side covers all
 * rounding of all sweeps: only the last one matters.
 *
 * Gauss-Seidel sweeps carry values along whole paths in one go, which is what models
 * with an end need; every other sweep goes backward, since paths lead both ways.  In a
 * model without an end what remains after a while is one number common to all states.
 * A sweep lessens it by no more than the discount, but for a Jacobi sweep it is no
 * error at all: [low, high] is then narrow though far from 0.  So terminal states
 * decide between the two.  (Measured: 50 to 200 times fewer sweeps for Hallway, 4x3 and
 * ALOHA at a discount of 0.999 than the other way, 2 to 10 times for Tag and
 * RobotDelivery.)
 *
 * Blocks depend on the model alone and every entry is computed from the same
 * values in the same order whoever does it, so the result is the same for any
 * number of threads. */
#include "bounds/fixpoint.h"

#include <assert.h>
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "model/model.h"

typedef struct sweep_run {
  const gli_operator *bellman;
  gli_sweep sweep;
  gli_range *change; /* one per worker */
} sweep_run;

static void sweep_block(void *context, size_t first, size_t last, unsigned worker) {
  sweep_run *run = context;
  gli_range change = run->bellman->sweep(run->bellman->context, run->sweep, (uint32_t)first, (uint32_t)last, worker);
  gli_range *total = &run->change[worker];
  total->low = fmin(total->low, change.low);
  total->high = fmax(total->high, change.high);
}

/* The range of all changes; min and max do not care who did what. */
static gli_range sweep_all(const gli_bound_task *task, sweep_run *run, unsigned workers) {
  for (unsigned i = 0; i < workers; i++) run->change[i] = GLI_RANGE_NONE;
  gli_parallel_run(task->pool, run->bellman->items, run->bellman->block, sweep_block, run);
  gli_range total = GLI_RANGE_NONE;
  for (unsigned i = 0; i < workers; i++) {
    total.low = fmin(total.low, run->change[i].low);
    total.high = fmax(total.high, run->change[i].high);
  }
  run->bellman->turn(run->bellman->context);
  return total;
}

/* Sweeps after which exact arithmetic is below the tolerance: the error shrinks by
 * the discount in each, from at most 2 * size, and a change is at most twice the
 * error.  A guard: rounding alone cannot keep the iteration going for ever. */
static double sweeps_enough(double discount, double tolerance, double size) {
  if (discount <= 0 || tolerance >= size) return 2;
  return 2 + gli_number_log(tolerance / (8 * size)) / gli_number_log(discount);
}

bool gli_fixpoint_run(const gli_bound_task *task, const gli_operator *bellman, gli_fixpoint_outcome *outcome) {
  unsigned workers = task->pool ? gli_parallel_threads(task->pool) : 1;
  sweep_run run = {.bellman = bellman, .change = GLI_NEW(gli_range, workers)};
  if (!run.change) return false;
  double discount = task->model->discount, steps = discount / (1 - discount);
  double tolerance = fmax(task->tolerance, 4 * bellman->rounding(bellman->context, bellman->size));
  double enough = sweeps_enough(discount, tolerance, bellman->size);
  run.sweep.jacobi = !task->model->ends;
  *outcome = (gli_fixpoint_outcome){0};
  for (bool stop = false; !stop;) {
    gli_range change = sweep_all(task, &run, workers);
    if (!run.sweep.jacobi) change = (gli_range){fmin(change.low, 0), fmax(change.high, 0)};
    outcome->iterations++;
    outcome->residual = change.high - change.low;
    outcome->low = steps * change.low;
    outcome->high = steps * change.high;
    assert(outcome->low <= outcome->high);
    outcome->converged = outcome->residual <= tolerance;
    stop = outcome->converged || outcome->iterations >= task->max_iterations || (double)outcome->iterations >= enough ||
           gli_clock_now() >= task->deadline;
    run.sweep.backward = !run.sweep.backward;
  }
  gli_memory_free(run.change);
  return true;
}

double gli_fixpoint_slack(const gli_bound_task *task, double rounding) {
  return rounding / (1 - task->model->discount);
}
