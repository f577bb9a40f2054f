/* Episode: a simulated world and an agent in it, many times over.
 *
 * Each episode draws from two streams of its own, one for the world and one for
 * the planner, numbered by the episode: nothing depends on which worker plays it
 * or on what was played before.  Workers take the episodes in order; each has one
 * planner and one agent, made once and begun anew for every episode. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/flag.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/report.h"
#include "glimpse.h"

typedef struct runner {
  const glimpse_model *model;
  const glimpse_offline *offline;
  const glimpse_run *run;
  glimpse_report *report;
  glimpse_episode *results;
  uint32_t max_steps;
  atomic_uint_fast64_t next; /* episode to play */
  atomic_int stopped;        /* a step function has said so, or a planner failed */
  pthread_mutex_t lock;      /* of report, status and `done` */
  glimpse_status status;     /* of the first failure */
} runner;

static uint32_t draw(gli_random *world, glimpse_row row) {
  double u = gli_random_unit(world);
  for (size_t i = 0; i + 1 < row.count; i++) {
    u -= row.value[i];
    if (u < 0) return row.index[i];
  }
  return row.index[row.count - 1];
}

/* Percent of the offline gap that the search has closed; all of it where none was open but for rounding. */
/* A rule searches nothing and reduces nothing. */
static double reduction(const glimpse_decision *decision) {
  double offline = decision->offline_upper - decision->offline_lower, now = decision->upper - decision->lower;
  if (isnan(offline) || isnan(now) || decision->stop == GLIMPSE_STOP_RULE) return NAN;
  if (offline <= 1e-9 * fmax(1, fabs(decision->offline_upper))) return 100;
  return 100 * (1 - now / offline);
}

static bool interrupted(const runner *r) {
  return atomic_load_explicit(&r->stopped, memory_order_relaxed) || gli_flag_raised(r->run->budget.interrupt);
}

/* The agent's part of a step: decide and, when it asks, be told. */
static glimpse_status choose(const runner *r, glimpse_agent *agent, glimpse_step *step) {
  glimpse_status status = glimpse_agent_decide(agent, &r->run->budget, &step->decision);
  step->action = step->decision.action;
  step->asked = step->decision.ask;
  step->cost = 0;
  if (status || !step->asked) return status;
  step->cost = glimpse_model_cost(r->model, step->state);
  status = glimpse_agent_reveal(agent, step->state, &step->after);
  step->action = step->after.action;
  return status;
}

static void move_world(const glimpse_model *model, gli_random *world, glimpse_step *step) {
  step->next_state = draw(world, glimpse_model_transition(model, step->action, step->state));
  step->observation = draw(world, glimpse_model_observation(model, step->action, step->next_state));
  step->reward = glimpse_model_reward_step(model, step->action, step->state, step->next_state, step->observation);
}

static void account(glimpse_episode *result, const glimpse_step *step) {
  if (result->steps == 0) {
    result->lower = step->decision.lower;
    result->upper = step->decision.upper;
  }
  result->steps++;
  result->requests += step->asked;
  result->expansions += (double)(step->decision.expansions + (step->asked ? step->after.expansions : 0));
  result->error_reduction += reduction(&step->decision);
  result->seconds += step->decision.seconds + (step->asked ? step->after.seconds : 0);
  result->total = step->total;
  result->undiscounted = step->undiscounted;
  result->refused = step->asked ? step->after.refused : step->decision.refused;
}

/* Plays one episode.  `before` holds a copy of the belief for the step function. */
static glimpse_status play(runner *r, glimpse_agent *agent, glimpse_belief *before, uint64_t number,
                           glimpse_episode *result) {
  const glimpse_model *model = r->model;
  gli_random world = gli_random_stream(r->run->seed ? r->run->seed : 1, "world", number);
  glimpse_status status = glimpse_agent_begin(agent, number);
  glimpse_step step = {.episode = number, .agent = agent, .state = draw(&world, glimpse_model_start(model))};
  double discount = 1;
  bool cut = false;
  for (; !status && step.step < r->max_steps && !glimpse_model_terminal(model, step.state); step.step++) {
    if ((cut = interrupted(r))) break;
    if (r->run->step) status = glimpse_belief_set(before, glimpse_belief_row(glimpse_agent_belief(agent)));
    step.belief = glimpse_belief_row(before);
    if (!status) status = choose(r, agent, &step);
    if (status) break;
    if ((cut = interrupted(r))) break; /* a decision cut short is not played */
    move_world(model, &world, &step);
    step.total += discount * (step.reward - step.cost);
    step.undiscounted += step.reward - step.cost;
    discount *= glimpse_model_discount(model);
    step.last = step.step + 1 == r->max_steps || glimpse_model_terminal(model, step.next_state);
    account(result, &step);
    if (r->run->step && !r->run->step(r->run->context, &step)) atomic_store(&r->stopped, 1);
    status = glimpse_agent_observe(agent, step.action, step.observation);
    step.state = step.next_state;
  }
  result->finished = !status && glimpse_model_terminal(model, step.state);
  if (result->steps) {
    result->expansions /= result->steps;
    result->error_reduction /= result->steps;
  }
  if (cut) *result = (glimpse_episode){.total = NAN};
  return result->status = status;
}

static glimpse_status work(runner *r, glimpse_report *report) {
  glimpse_planner *planner = NULL;
  glimpse_agent *agent = NULL;
  glimpse_belief *before = NULL;
  glimpse_status status = glimpse_planner_new(r->model, r->offline, &r->run->planner, report, &planner);
  if (!status &&
      (!(agent = glimpse_agent_new(r->model, planner, &r->run->agent)) || !(before = glimpse_belief_new(r->model))))
    status = GLIMPSE_NO_MEMORY;
  while (!status && !interrupted(r)) {
    uint64_t i = atomic_fetch_add(&r->next, 1);
    if (i >= r->run->episodes) break;
    glimpse_episode *result = &r->results[i];
    *result = (glimpse_episode){0};
    status = play(r, agent, before, r->run->first + i, result);
    pthread_mutex_lock(&r->lock);
    if (!isnan(result->total) && r->run->done) r->run->done(r->run->context, r->run->first + i, result);
    pthread_mutex_unlock(&r->lock);
  }
  glimpse_belief_free(before);
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  return status;
}

static void *worker(void *context) {
  runner *r = context;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status = work(r, report);
  if (status) {
    atomic_store(&r->stopped, 1);
    pthread_mutex_lock(&r->lock);
    if (!r->status) {
      const glimpse_message *message = glimpse_report_get(report, 0);
      r->status = status;
      gli_report_add(r->report, GLIMPSE_ERROR, status, 0, 0, "%s",
                     message ? message->text : glimpse_status_text(status));
    }
    pthread_mutex_unlock(&r->lock);
  }
  glimpse_report_free(report);
  return NULL;
}

glimpse_status glimpse_run_episodes(const glimpse_model *model, const glimpse_offline *offline, const glimpse_run *run,
                                    glimpse_report *report, glimpse_episode *results) {
  runner r = {.model = model,
              .offline = offline,
              .run = run,
              .report = report,
              .results = results,
              .max_steps = run->max_steps ? run->max_steps : 1000};
  if (pthread_mutex_init(&r.lock, NULL)) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  atomic_init(&r.next, 0);
  atomic_init(&r.stopped, 0);
  for (uint64_t i = 0; i < run->episodes; i++) results[i] = (glimpse_episode){.total = NAN};
  unsigned jobs = run->jobs ? run->jobs : 1, started = 0;
  if (jobs > run->episodes) jobs = run->episodes ? (unsigned)run->episodes : 1;
  pthread_t *threads = GLI_NEW(pthread_t, jobs);
  while (threads && started + 1 < jobs && !pthread_create(&threads[started], NULL, worker, &r)) started++;
  worker(&r); /* the caller works too: fewer threads than wanted are only slower */
  for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
  gli_memory_free(threads);
  pthread_mutex_destroy(&r.lock);
  return r.status;
}
