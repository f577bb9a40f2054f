/* Solve: a search from the start, the policy behind its lower bound, and a ceiling that proves its upper bound.
 *
 * The search goes on in slices of expansions that depend on nothing but the search, so without a limit of time the same
 * model gives the same policy on every machine.  What it ends with is a pair of bounds and a graph.  The certificate
 * has what can be proved without the graph: the value of the controller, found from its equations, and a ceiling, which
 * is lowered until it is as good as the search's upper bound.
 *
 * With several jobs the controller is written and evaluated while the ceiling begins with what the search knows: both
 * only read the graph, and neither needs the other until the ceiling asks how low it has to be.  So the result is that
 * of one job.
 *
 * Of a limited time the offline bounds get a tenth at most and the search up to half.  Writing the controller must end
 * when a quarter is left.  Then the ceiling is lowered until a tenth is left, which proving takes, but for a tenth at
 * least.  Likewise an interrupted search: its ceiling is lowered for a few seconds more. */
#include <math.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/thread.h"
#include "graph/graph.h"
#include "planner/planner.h"
#include "policy/extract.h"

enum { FIRST_SLICE = 64, SLICES = 16 };
enum { CERTIFICATE = 4 }; /* the search leaves it this part of the memory */
static const double offline_share = 0.1, search_share = 0.5, extract_share = 0.75, proof_share = 0.1;
static const double least_share = 0.1;
static const double late_share = 0.5, late_seconds = 5; /* after an interrupt: of the time it took, and at most */
static const double near_share = 0.03;  /* by this share of the search's gap the certificate's may be wider */
static const double closer_share = 0.9; /* of a gap: to double the expansions has to bring it below this */
static const double report_seconds = 0.25;

typedef struct solving {
  const glimpse_model *model;
  const glimpse_solve_options *options;
  double started, deadline; /* infinite: none */
  double reported;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_solve_result *result;
  glimpse_report *report;
  glimpse_policy *policy;
  /* The controller is written and evaluated while the ceiling begins, by a thread of its own if there may be several.
   * It uses what stands above and its part of the result; nobody else does before it has ended. */
  gli_thread controller;
  bool controlling; /* the thread is there */
  glimpse_status controlled;
  uint64_t refused;   /* by the system, to the thread */
  uint64_t mark;      /* expansions when the gap was looked at, since memory was full ... */
  double gap_at_mark; /* ... and the gap then; infinite: it was not full yet */
} solving;

static double wanted(const solving *it, double lower, double upper) {
  const glimpse_solve_options *options = it->options;
  double relative = options->relative > 0 ? options->relative : options->epsilon > 0 ? 0 : 0.01;
  return fmax(options->epsilon, relative * fmin(fabs(lower), fabs(upper)));
}

static void tell(solving *it, bool now) {
  double clock = gli_clock_now();
  it->result->progress.seconds = clock - it->started;
  if (!it->options->progress || (!now && clock - it->reported < report_seconds)) return;
  it->reported = clock;
  it->options->progress(it->options->context, &it->result->progress);
}

static uint64_t limit_of(const solving *it) {
  return it->options->max_memory ? it->options->max_memory : (uint64_t)1 << 30;
}

static glimpse_status prepare(solving *it) {
  glimpse_bound_options bounds = {.threads = it->options->jobs ? it->options->jobs : 1};
  if (it->options->time > 0) bounds.max_time = offline_share * it->options->time;
  glimpse_planner_options planner = {.kind = GLIMPSE_PLANNER_AEMS_LOOP,
                                     .max_memory = limit_of(it) - limit_of(it) / CERTIFICATE};
  glimpse_status status =
      glimpse_offline_new(it->model, glimpse_offline_upper(it->model), &bounds, it->report, &it->offline);
  if (!status) status = glimpse_planner_new(it->model, it->offline, &planner, it->report, &it->planner);
  if (!status) status = glimpse_planner_begin(it->planner, glimpse_model_start(it->model), 0);
  if (status == GLIMPSE_NO_MEMORY) gli_report_add(it->report, GLIMPSE_ERROR, status, 0, 0, "out of memory");
  return status;
}

/* How long the search may still take; 0: without limit. */
static double left_for_search(const solving *it) {
  if (isinf(it->deadline)) return 0;
  double end = it->started + search_share * it->options->time;
  return fmax(end - gli_clock_now(), 1e-9);
}

/* Without a budget: has the search forgotten beliefs for lack of memory, and has doing as much again hardly made the
 * gap smaller?  It would go on for ever like that. */
static bool crowded(solving *it, const glimpse_decision *decision, uint64_t done) {
  if (it->options->expansions || !isinf(it->deadline)) return false;
  if (!decision->dropped || done / 2 < it->mark) return false;
  double gap = decision->upper - decision->lower, last = it->gap_at_mark;
  it->gap_at_mark = gap;
  it->mark = done;
  return gap > closer_share * last;
}

/* One slice.  The result's stop is NONE as long as there is more to do. */
static glimpse_status slice(solving *it, uint64_t *done) {
  glimpse_solve_progress *progress = &it->result->progress;
  glimpse_decision decision;
  uint64_t part = *done / SLICES > FIRST_SLICE ? *done / SLICES : FIRST_SLICE;
  if (it->options->expansions && part > it->options->expansions - *done) part = it->options->expansions - *done;
  glimpse_budget budget = {.expansions = part,
                           .epsilon = *done ? wanted(it, progress->lower, progress->upper) : 0,
                           .time = left_for_search(it),
                           .interrupt = it->options->interrupt};
  glimpse_status status = glimpse_planner_plan(it->planner, &budget, &decision);
  if (status) return GLI_FAIL(it->report, status, "%s", glimpse_status_text(status));
  *done += decision.expansions;
  bool full = crowded(it, &decision, *done);
  progress->expansions = *done;
  progress->nodes = decision.nodes;
  progress->bytes = decision.bytes;
  progress->lower = decision.lower;
  progress->upper = decision.upper;
  bool close = decision.upper - decision.lower <= wanted(it, decision.lower, decision.upper);
  bool more = decision.stop == GLIMPSE_STOP_EXPANSIONS || decision.stop == GLIMPSE_STOP_EPSILON;
  it->result->stop = close                                                         ? GLIMPSE_STOP_EPSILON
                     : !more                                                       ? decision.stop
                     : it->options->expansions && *done >= it->options->expansions ? GLIMPSE_STOP_EXPANSIONS
                     : full                                                        ? GLIMPSE_STOP_MEMORY
                                                                                   : GLIMPSE_STOP_NONE;
  return GLIMPSE_OK;
}

static glimpse_status search(solving *it) {
  uint64_t done = 0;
  glimpse_status status = GLIMPSE_OK;
  it->result->progress.proved = INFINITY;
  while (!status && it->result->stop == GLIMPSE_STOP_NONE) {
    status = slice(it, &done);
    if (!status) tell(it, false);
  }
  return status;
}

static void proving(void *context, double upper) {
  solving *it = context;
  it->result->progress.proved = upper;
  tell(it, false);
}

/* The controller, and what it earns. */
static glimpse_status control(solving *it) {
  glimpse_policy *policy = it->policy;
  gli_graph *graph = it->planner->class->graph(it->planner);
  gli_worth worth;
  double until = it->started + extract_share * it->options->time;
  if (!gli_policy_extract(policy, graph, isinf(it->deadline) ? INFINITY : until))
    return GLI_FAIL(it->report, GLIMPSE_NO_MEMORY, "out of memory");
  glimpse_status status = gli_policy_evaluate(policy, it->model, it->report, &worth);
  if (status) return status;
  policy->lower = worth.lower;
  policy->requests = worth.requests;
  it->result->residual = worth.residual;
  return GLIMPSE_OK;
}

static void *control_beside(void *context) {
  solving *it = context;
  uint64_t refused = gli_memory_refused();
  it->controlled = control(it);
  it->refused = gli_memory_refused() - refused;
  return NULL;
}

static void begin_control(solving *it) {
  gli_calm before = gli_thread_calm();
  it->controlling = it->options->jobs > 1 && gli_thread_start(&it->controller, control_beside, it);
  gli_thread_rouse(&before);
  if (!it->controlling) it->controlled = control(it);
}

static glimpse_status end_control(solving *it) {
  if (it->controlling) gli_thread_join(it->controller);
  it->controlling = false;
  return it->controlled;
}

/* When the ceiling is to be low enough. */
static double settled_until(const solving *it) {
  double now = gli_clock_now(), time = it->options->time;
  double until = fmax(it->deadline - proof_share * time, now + least_share * time);
  if (isinf(it->deadline)) until = INFINITY;
  return it->result->stop == GLIMPSE_STOP_INTERRUPTED
             ? fmin(until, now + fmin(late_share * (now - it->started), late_seconds))
             : until;
}

/* The upper bound that is low enough: more than the search knows is not asked for, and the last bit of that takes
 * longest. */
static double low_enough(void *context) {
  solving *it = context;
  if (end_control(it)) return INFINITY;
  double lower = it->policy->lower, upper = it->result->progress.upper;
  return fmax(lower + wanted(it, lower, upper), upper + near_share * fmax(0, upper - lower));
}

/* The ceiling, and what it proves. */
static glimpse_status prove(solving *it) {
  gli_graph *graph = it->planner->class->graph(it->planner);
  glimpse_policy *policy = it->policy;
  uint64_t used = it->result->progress.bytes; /* by the search, which is still there */
  bool full = false, informed = glimpse_bound_measure(it->offline->upper).converged;
  gli_settle how = {.await = low_enough,
                    .until = settled_until(it),
                    .interrupt = it->result->stop == GLIMPSE_STOP_INTERRUPTED ? NULL : it->options->interrupt,
                    .lower = gli_extract_lower,
                    .lower_context = graph,
                    .graph = graph,
                    .informed = informed ? it->offline->upper : NULL,
                    .progress = proving,
                    .context = it,
                    .max_bytes = limit_of(it) - (used < limit_of(it) ? used : 0),
                    .full = &full,
                    .jobs = it->options->jobs ? it->options->jobs : 1};
  gli_proved proved;
  double upper;
  glimpse_row start = glimpse_model_start(it->model);
  bool settled = gli_ceiling_settle(policy->ceiling, it->model, start, &how, &upper);
  glimpse_status status = end_control(it); /* there may have been no need to wait for it */
  if (status) return status;
  if (!settled || !gli_ceiling_prove_by(policy->ceiling, it->model, start, how.jobs, &proved))
    return GLI_FAIL(it->report, GLIMPSE_NO_MEMORY, "out of memory");
  policy->upper = it->result->progress.proved = proved.upper;
  /* The search came near enough, and the certificate did not. */
  bool short_of = policy->upper - policy->lower > wanted(it, policy->lower, policy->upper);
  if (it->result->stop == GLIMPSE_STOP_EPSILON && short_of && full) it->result->stop = GLIMPSE_STOP_MEMORY;
  else if (it->result->stop == GLIMPSE_STOP_EPSILON && short_of && gli_clock_now() >= how.until)
    it->result->stop = GLIMPSE_STOP_TIME;
  return GLIMPSE_OK;
}

static bool sensible(const glimpse_solve_options *options) {
  const double *numbers[] = {&options->epsilon, &options->relative, &options->time};
  for (int i = 0; i < 3; i++)
    if (!(*numbers[i] >= 0 && *numbers[i] < INFINITY)) return false;
  return true;
}

static glimpse_status make(solving *it, const char *name) {
  glimpse_status status = glimpse_model_plannable(it->model, it->report);
  if (!status) status = prepare(it);
  if (!status) status = search(it);
  if (status) return status;
  it->policy = gli_policy_new(it->model, name, glimpse_model_start(it->model));
  if (it->policy) it->policy->ceiling = gli_ceiling_new(it->model->states, it->model->actions);
  if (!it->policy || !it->policy->ceiling) return GLI_FAIL(it->report, GLIMPSE_NO_MEMORY, "out of memory");
  it->result->progress.proving = true;
  tell(it, true);
  begin_control(it);
  status = it->controlling || !it->controlled ? prove(it) : it->controlled;
  tell(it, true);
  return status;
}

glimpse_status glimpse_policy_solve(const glimpse_model *model, const char *name, const glimpse_solve_options *options,
                                    glimpse_report *report, glimpse_solve_result *result, glimpse_policy **policy) {
  static const glimpse_solve_options defaults;
  glimpse_solve_result own = {0};
  solving it = {.model = glimpse_model_planning(model),
                .options = options ? options : &defaults,
                .result = result ? result : &own,
                .report = report,
                .started = gli_clock_now(),
                .gap_at_mark = INFINITY};
  uint64_t refused = gli_memory_refused();
  *it.result = (glimpse_solve_result){0};
  *policy = NULL;
  if (!sensible(it.options))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "epsilon and time must be finite and not negative");
  it.deadline = it.options->time > 0 ? it.started + it.options->time : INFINITY;
  glimpse_status status = make(&it, name);
  it.result->refused = gli_memory_refused() - refused + it.refused;
  if (status) glimpse_policy_free(it.policy);
  else *policy = it.policy;
  glimpse_planner_free(it.planner);
  glimpse_offline_free(it.offline);
  return status;
}
