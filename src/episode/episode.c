/* Episode: a simulated world and an agent in it, many times over.
 *
 * Each episode draws from two streams of its own, one for the world and one for
 * the planner, numbered by the episode: nothing depends on which worker plays it
 * or on what was played before.  Workers take the episodes in order; each has one
 * planner and one agent, made once and begun anew for every episode. */
#include <math.h>
#include <stdatomic.h>

#include "base/flag.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/thread.h"
#include "episode/world.h"
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
  gli_lock lock;             /* of report, status and `done` */
  glimpse_status status;     /* of the first failure */
} runner;

static bool interrupted(const runner *r) {
  return atomic_load_explicit(&r->stopped, memory_order_relaxed) || gli_flag_raised(r->run->budget.interrupt);
}

/* Answers of a step, as many as there are. */
typedef struct answers {
  glimpse_answer *item;
  size_t capacity;
} answers;

/* The world answers an inquiry. */
static glimpse_status reply(glimpse_world *world, uint32_t inquiry, answers *given, glimpse_step *step) {
  if (!GLI_GROW(given->item, given->capacity, step->answers + 1)) return GLIMPSE_NO_MEMORY;
  glimpse_answer *answer = &given->item[step->answers];
  glimpse_status status = glimpse_world_ask(world, inquiry, answer);
  if (status) return status;
  step->answers++;
  step->cost += answer->price;
  step->answer = given->item;
  step->asked = true;
  return GLIMPSE_OK;
}

/* Asks, and tells the agent the answer. */
static glimpse_status ask(glimpse_world *world, glimpse_agent *agent, uint32_t inquiry, answers *given,
                          glimpse_step *step) {
  glimpse_status status = reply(world, inquiry, given, step);
  if (status) return status;
  return glimpse_agent_answer(agent, inquiry, given->item[step->answers - 1].answer, &step->after);
}

/* A step of a model with inquiries: decide, and ask until it acts, or until the episode is over, which an effect may
 * bring about: then there is nothing to act on, and nobody to pay. */
static glimpse_status inquire(const runner *r, glimpse_world *world, glimpse_agent *agent, answers *given,
                              glimpse_step *step) {
  glimpse_status status = glimpse_agent_decide(agent, &r->run->budget, &step->decision);
  glimpse_decision *last = &step->decision;
  step->asked = false;
  step->answers = 0;
  step->cost = 0;
  while (!status && last->ask && !glimpse_model_terminal(r->model, world->state)) {
    bool whole = glimpse_model_inquiry(r->model, last->inquiry).timing == GLIMPSE_TIMING_STEP;
    bool again = last == &step->after;
    uint64_t expansions = again ? last->expansions : 0;
    double seconds = again ? last->seconds : 0;
    status = ask(world, agent, last->inquiry, given, step);
    last = &step->after;
    last->expansions += expansions; /* of all decisions after the first */
    last->seconds += seconds;
    if (whole) break;
  }
  step->action = last->ask || glimpse_model_terminal(r->model, world->state) ? GLIMPSE_ANY : last->action;
  return status;
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

static glimpse_status move_world(glimpse_world *world, glimpse_step *step) {
  glimpse_outcome outcome;
  glimpse_status status = glimpse_world_act(world, step->action, &outcome);
  if (status) return status;
  step->next_state = outcome.state;
  step->observation = outcome.observation;
  step->reward = outcome.reward;
  return GLIMPSE_OK;
}

/* The world's part of it. */
static glimpse_status move_and_reply(glimpse_world *world, answers *given, glimpse_step *step) {
  const glimpse_decision *last = step->asked ? &step->after : &step->decision;
  uint32_t inquiry = last->inquiry;
  step->reward = 0;
  step->next_state = world->state;
  step->observation = GLIMPSE_ANY;
  if (step->action == GLIMPSE_ANY) return GLIMPSE_OK; /* asking was the step */
  glimpse_status status = move_world(world, step);
  if (status || inquiry == GLIMPSE_ANY) return status;
  if (!step->asked) {
    step->after = step->decision;
    step->after.expansions = 0; /* they count once */
    step->after.seconds = 0;
  }
  return reply(world, inquiry, given, step);
}

/* What the agent is told at the end of a step. */
static glimpse_status tell(const glimpse_model *model, glimpse_agent *agent, const glimpse_step *step) {
  if (step->action == GLIMPSE_ANY) return GLIMPSE_OK; /* the answer was told */
  const glimpse_answer *last = step->answers ? &step->answer[step->answers - 1] : NULL;
  if (last && glimpse_model_inquiry(model, last->inquiry).timing == GLIMPSE_TIMING_JOINT)
    return glimpse_agent_observe_answer(agent, step->action, step->observation, last->inquiry, last->answer);
  return glimpse_agent_observe(agent, step->action, step->observation);
}

static void account(glimpse_episode *result, const glimpse_step *step) {
  if (result->steps == 0) {
    result->lower = step->decision.lower;
    result->upper = step->decision.upper;
  }
  result->steps++;
  result->requests += step->answers ? step->answers : step->asked;
  result->expansions += (double)(step->decision.expansions + (step->asked ? step->after.expansions : 0));
  result->error_reduction += glimpse_decision_reduction(&step->decision);
  result->seconds += step->decision.seconds + (step->asked ? step->after.seconds : 0);
  result->total = step->total;
  result->undiscounted = step->undiscounted;
  result->refused = step->asked ? step->after.refused : step->decision.refused;
}

/* Plays one episode.  `before` holds a copy of the belief for the step function, `given` the answers of a step. */
static glimpse_status play(runner *r, glimpse_agent *agent, glimpse_belief *before, answers *given, uint64_t number,
                           glimpse_episode *result) {
  const glimpse_model *model = r->model;
  bool inquiries = glimpse_model_planning(model) != model;
  glimpse_world world;
  gli_world_begin(&world, model, r->run->seed, number);
  glimpse_status status = glimpse_agent_begin(agent, number);
  glimpse_step step = {.episode = number, .agent = agent, .state = world.state};
  double discount = 1;
  bool cut = false;
  for (; !status && step.step < r->max_steps && !glimpse_model_terminal(model, step.state); step.step++) {
    if ((cut = interrupted(r))) break;
    if (r->run->step) status = glimpse_belief_set(before, glimpse_belief_row(glimpse_agent_belief(agent)));
    step.belief = glimpse_belief_row(before);
    if (!status) status = inquiries ? inquire(r, &world, agent, given, &step) : choose(r, agent, &step);
    if (status) break;
    if ((cut = interrupted(r))) break; /* a decision cut short is not played */
    status = inquiries ? move_and_reply(&world, given, &step) : move_world(&world, &step);
    if (status) break;
    step.total += discount * (step.reward - step.cost);
    step.undiscounted += step.reward - step.cost;
    discount *= glimpse_model_discount(model);
    step.last = step.step + 1 == r->max_steps || glimpse_model_terminal(model, step.next_state);
    account(result, &step);
    if (r->run->step && !r->run->step(r->run->context, &step)) atomic_store(&r->stopped, 1);
    for (uint32_t i = 0; r->run->asked && i < step.answers; i++)
      r->run->asked[(number - r->run->first) * glimpse_model_inquiries(model) + step.answer[i].inquiry]++;
    status = inquiries ? tell(model, agent, &step) : glimpse_agent_observe(agent, step.action, step.observation);
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
  answers given = {NULL, 0};
  glimpse_status status = glimpse_planner_new(r->model, r->offline, &r->run->planner, report, &planner);
  if (!status &&
      (!(agent = glimpse_agent_new(r->model, planner, &r->run->agent)) || !(before = glimpse_belief_new(r->model))))
    status = GLIMPSE_NO_MEMORY;
  while (!status && !interrupted(r)) {
    uint64_t i = atomic_fetch_add(&r->next, 1);
    if (i >= r->run->episodes) break;
    glimpse_episode *result = &r->results[i];
    *result = (glimpse_episode){0};
    status = play(r, agent, before, &given, r->run->first + i, result);
    gli_lock_take(&r->lock);
    if (!isnan(result->total) && r->run->done) r->run->done(r->run->context, r->run->first + i, result);
    gli_lock_leave(&r->lock);
  }
  gli_memory_free(given.item);
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
    gli_lock_take(&r->lock);
    if (!r->status) {
      const glimpse_message *message = glimpse_report_get(report, 0);
      r->status = status;
      gli_report_add(r->report, GLIMPSE_ERROR, status, 0, 0, "%s",
                     message ? message->text : glimpse_status_text(status));
    }
    gli_lock_leave(&r->lock);
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
  if (!gli_lock_make(&r.lock)) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  atomic_init(&r.next, 0);
  atomic_init(&r.stopped, 0);
  uint32_t horizon = glimpse_model_limits(model).horizon;
  if (horizon && horizon < r.max_steps) r.max_steps = horizon;
  for (uint64_t i = 0; i < run->episodes; i++) results[i] = (glimpse_episode){.total = NAN};
  for (uint64_t i = 0; run->asked && i < run->episodes * glimpse_model_inquiries(model); i++) run->asked[i] = 0;
  unsigned jobs = run->jobs ? run->jobs : 1, started = 0;
  if (jobs > run->episodes) jobs = run->episodes ? (unsigned)run->episodes : 1;
  gli_thread *threads = GLI_NEW(gli_thread, jobs);
  while (threads && started + 1 < jobs && gli_thread_start(&threads[started], worker, &r)) started++;
  worker(&r); /* the caller works too: fewer threads than wanted are only slower */
  for (unsigned i = 0; i < started; i++) gli_thread_join(threads[i]);
  gli_memory_free(threads);
  gli_lock_end(&r.lock);
  return r.status;
}
