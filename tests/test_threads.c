/* Threads: many planners on one model and one set of bounds, in many threads at once, give bit
 * for bit what one thread gives; and a flag raised by another thread ends a search.
 *
 * Each job plays an episode, or does something else that takes a const model, and hashes the bits
 * of all it has seen.  The hashes are computed by one thread first.  Then the threads take all
 * jobs, each in an order of its own, so that different kinds meet.  The thread sanitizer
 * ("make tsan") sees what is shared and should not be. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/planning.h"

enum { THREADS = 12, STEPS = 12, MODELS = 3 };

/* ---------------------------------------------------------------------- hash */

static void add(uint64_t *hash, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < count; i++) *hash = (*hash ^ byte[i]) * UINT64_C(0x100000001b3);
}

static void add_count(uint64_t *hash, uint64_t count) {
  add(hash, &count, sizeof count);
}

static void add_number(uint64_t *hash, double number) {
  add(hash, &number, sizeof number);
}

static void add_decision(uint64_t *hash, const glimpse_decision *d) {
  add_count(hash, d->ask);
  add_count(hash, d->action);
  add_number(hash, d->lower);
  add_number(hash, d->upper);
  add_number(hash, d->value);
  add_count(hash, d->expansions);
  add_count(hash, d->nodes);
  add_count(hash, d->stop);
}

static bool hash_sink(void *context, const char *text, size_t length) {
  add(context, text, length);
  return true;
}

/* ---------------------------------------------------------------------- jobs */

typedef struct shared {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_policy *policy;
} shared;

static const char *const names[MODELS] = {"tiger", "robot-delivery:n=3", "tag"};

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uint32_t draw(uint64_t *state, glimpse_row row) {
  double u = (double)(next_random(state) >> 11) * 0x1p-53;
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((u -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

static bool on_node(void *context, const glimpse_node *node) {
  add_count(context, node->state);
  add_number(context, node->lower);
  add_number(context, node->upper);
  return true;
}

static bool on_edge(void *context, const glimpse_edge *edge) {
  add_number(context, edge->probability);
  return true;
}

static void look_at(const glimpse_planner *planner, uint64_t *hash) {
  glimpse_forecast steps[4];
  size_t count = glimpse_planner_forecast(planner, steps, 4);
  for (size_t i = 0; i < count; i++) add_number(hash, steps[i].probability);
  glimpse_choice choice = glimpse_planner_choice(planner, 0);
  add_number(hash, choice.lower);
  add_count(hash, choice.visits);
  glimpse_visit visit = {.depth = 2, .node = on_node, .edge = on_edge, .context = hash};
  glimpse_planner_visit(planner, &visit);
}

/* One episode with an agent, step by step. */
static glimpse_status play(const shared *s, const glimpse_planner_options *options, uint64_t expansions,
                           uint64_t *hash) {
  glimpse_planner *planner = NULL;
  glimpse_status status = glimpse_planner_new(s->model, s->offline, options, NULL, &planner);
  glimpse_agent *agent = status ? NULL : glimpse_agent_new(s->model, planner, NULL);
  if (!status && !agent) status = GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_begin(agent, 3);
  uint64_t chance = 88172645463325252u;
  uint32_t state = draw(&chance, glimpse_model_start(s->model));
  for (int i = 0; !status && i < STEPS && !glimpse_model_terminal(s->model, state); i++) {
    glimpse_decision d;
    status = glimpse_agent_decide(agent, &(glimpse_budget){.expansions = expansions}, &d);
    if (!status) add_decision(hash, &d), look_at(planner, hash);
    if (!status && d.ask) status = glimpse_agent_reveal(agent, state, &d);
    if (status) break;
    add_decision(hash, &d);
    state = draw(&chance, glimpse_model_transition(s->model, d.action, state));
    uint32_t o = draw(&chance, glimpse_model_observation(s->model, d.action, state));
    status = glimpse_agent_observe(agent, d.action, o);
    if (!status) add_number(hash, glimpse_belief_entropy(glimpse_agent_belief(agent)));
  }
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  return status;
}

/* Episodes by the library, in threads of its own. */
static void on_done(void *context, uint64_t episode, const glimpse_episode *result) {
  uint64_t *sum = context; /* one at a time, in any order */
  *sum += episode * (uint64_t)result->steps;
}

static glimpse_status play_many(const shared *s, uint64_t *hash) {
  glimpse_episode results[4];
  uint64_t sum = 0;
  glimpse_run how = {.episodes = 4,
                     .seed = 5,
                     .max_steps = 6,
                     .jobs = 3,
                     .budget = {.expansions = 20},
                     .done = on_done,
                     .context = &sum};
  glimpse_status status = glimpse_run_episodes(s->model, s->offline, &how, NULL, results);
  for (int i = 0; !status && i < 4; i++) add_number(hash, results[i].total), add_number(hash, results[i].upper);
  add_count(hash, sum);
  return status;
}

/* Bounds by threads of the library, written and read models, pictures, names. */
static glimpse_status compute(const shared *s, uint64_t *hash) {
  glimpse_offline *offline = NULL;
  glimpse_model *equivalent = NULL;
  glimpse_bound *bound = NULL;
  glimpse_bound_options how = {.threads = 2, .max_iterations = 20};
  glimpse_status status = glimpse_bound_new(s->model, GLIMPSE_BOUND_FIB_SR, &how, NULL, &bound);
  if (!status) add_number(hash, glimpse_bound_value(bound, glimpse_model_start(s->model)));
  if (!status) status = glimpse_model_equivalent(s->model, NULL, &equivalent);
  if (!status) add_count(hash, glimpse_model_measure(equivalent).transitions);
  if (!status) status = glimpse_pomdp_write(s->model, hash_sink, hash);
  if (!status && glimpse_model_scene(s->model))
    status = glimpse_model_draw(s->model, glimpse_model_start(s->model), hash_sink, hash);
  for (uint32_t o = 0; o < glimpse_model_count(s->model, GLIMPSE_OBSERVATION); o++) {
    const char *name = glimpse_model_name(s->model, GLIMPSE_OBSERVATION, o);
    add(hash, name, strlen(name));
    if (glimpse_model_find(s->model, GLIMPSE_OBSERVATION, name) != o) status = GLIMPSE_BAD_MODEL;
  }
  glimpse_bound_free(bound);
  glimpse_model_free(equivalent);
  glimpse_offline_free(offline);
  return status;
}

/* Wrong things leave findings in a report of one's own. */
static glimpse_status complain(uint64_t *hash) {
  static const char text[] = "discount: 2\nstates: 2\nactions: 0\nwrong\n";
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  if (!report) return GLIMPSE_NO_MEMORY;
  glimpse_status status = glimpse_pomdp_read(text, sizeof text - 1, "threads", NULL, report, &model);
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    add(hash, message->text, strlen(message->text));
  }
  glimpse_report_free(report);
  glimpse_model_free(model);
  return status && status != GLIMPSE_NO_MEMORY ? GLIMPSE_OK : GLIMPSE_BAD_SYNTAX;
}

enum { VARIANTS = GLIMPSE_PLANNER_KINDS + 6, JOBS = MODELS * VARIANTS };

static glimpse_status do_job(const shared *all, unsigned job, uint64_t *hash) {
  const shared *s = &all[job % MODELS];
  unsigned variant = job / MODELS;
  glimpse_planner_options options = {.seed = 9, .particles = 100, .every = 3, .max_memory = 1 << 20};
  uint64_t expansions = job % MODELS == 2 ? 25 : 40;
  *hash = UINT64_C(0xcbf29ce484222325);
  if (variant < GLIMPSE_PLANNER_KINDS) {
    options.kind = (glimpse_planner_kind)variant;
    options.policy = options.kind == GLIMPSE_PLANNER_POLICY ? s->policy : NULL;
    return play(s, &options, expansions, hash);
  }
  switch (variant - GLIMPSE_PLANNER_KINDS) {
    case 0: return play_many(s, hash);
    case 1: return compute(s, hash);
    case 2: return complain(hash);
    case 3: options.paper = true, options.improve = GLIMPSE_IMPROVE_NONE; break;
    case 4: options.keep_corners = true, options.rule = GLIMPSE_RULE_SATIA_LAVE; break;
    default: options.max_memory = 1 << 19, expansions *= 10; break; /* room is made all the time */
  }
  return play(s, &options, expansions, hash);
}

/* ------------------------------------------------------------------- threads */

typedef struct worker {
  pthread_t thread;
  const shared *all;
  const uint64_t *expected;
  unsigned number;
  unsigned wrong; /* a job that differed, from 1 */
} worker;

/* cmocka's assertions do not work in other threads. */
static void *work(void *context) {
  worker *w = context;
  static const unsigned strides[] = {1, 5, 11, 13, 17, 19};
  unsigned stride = strides[w->number % 6], job = w->number * 7 % JOBS;
  while (JOBS % stride == 0 && stride > 1) stride++;
  for (unsigned i = 0; i < JOBS; i++, job = (job + stride) % JOBS) {
    uint64_t hash;
    if (do_job(w->all, job, &hash) || hash != w->expected[job]) w->wrong = job + 1;
  }
  return NULL;
}

static void test_shared(void **state) {
  (void)state;
  shared all[MODELS];
  uint64_t expected[JOBS];
  worker workers[THREADS];
  for (int i = 0; i < MODELS; i++) {
    assert_int_equal(glimpse_environment_make(names[i], NULL, &all[i].model), GLIMPSE_OK);
    assert_int_equal(
        glimpse_offline_new(all[i].model, glimpse_offline_upper(all[i].model), NULL, NULL, &all[i].offline),
        GLIMPSE_OK);
  }
  for (int i = 0; i < MODELS; i++) {
    glimpse_solve_options few = {.expansions = 50};
    glimpse_solve_result result;
    assert_int_equal(glimpse_policy_solve(all[i].model, NULL, &few, NULL, &result, &all[i].policy), GLIMPSE_OK);
  }
  for (unsigned job = 0; job < JOBS; job++) {
    assert_int_equal(do_job(all, job, &expected[job]), GLIMPSE_OK);
    for (unsigned other = 0; other < job; other++) /* or the comparison would be of nothing */
      if (job / MODELS < GLIMPSE_PLANNER_NEVER_ASK) assert_true(expected[job] != expected[other]);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    workers[i] = (worker){.all = all, .expected = expected, .number = i};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
  for (unsigned i = 0; i < THREADS; i++)
    if (workers[i].wrong) fail_msg("thread %u: job %u differs from that of a single thread", i, workers[i].wrong - 1);
  for (int i = 0; i < MODELS; i++) {
    glimpse_policy_free(all[i].policy);
    glimpse_offline_free(all[i].offline);
    glimpse_model_free(all[i].model);
  }
}

/* ---------------------------------------------------------------- interrupts */

static union {
  atomic_int flag;
  int plain; /* as the library takes it */
} raised;

typedef struct patient {
  pthread_t thread;
  const shared *s;
  glimpse_planner_kind kind;
  atomic_int *begun;
  bool good;
} patient;

static void *search_on(void *context) {
  patient *p = context;
  glimpse_planner *planner = NULL;
  glimpse_decision d = {.stop = GLIMPSE_STOP_NONE};
  glimpse_planner_options options = {.kind = p->kind, .max_memory = 4 << 20};
  glimpse_budget budget = {.expansions = UINT64_MAX, .interrupt = &raised.plain};
  glimpse_status status = glimpse_planner_new(p->s->model, p->s->offline, &options, NULL, &planner);
  if (!status) status = glimpse_planner_begin(planner, glimpse_model_start(p->s->model), 0);
  atomic_fetch_add(p->begun, 1);
  if (!status) status = glimpse_planner_plan(planner, &budget, &d);
  /* A search for bounds may end by itself, if the others begin late; simulations do not. */
  bool endless = glimpse_planner_traits(p->kind) & GLIMPSE_TRAIT_RANDOM;
  p->good = !status && (d.stop == GLIMPSE_STOP_INTERRUPTED ||
                        (!endless && (d.stop == GLIMPSE_STOP_MEMORY || d.stop == GLIMPSE_STOP_SOLVED)));
  glimpse_planner_free(planner);
  return NULL;
}

/* Searches without an end, in all planners that search, and one who ends them. */
static void test_interrupt(void **state) {
  (void)state;
  shared s;
  patient patients[8];
  atomic_int begun = 0;
  assert_int_equal(glimpse_environment_make(names[1], NULL, &s.model), GLIMPSE_OK);
  assert_int_equal(glimpse_offline_new(s.model, GLIMPSE_BOUND_QMDP, NULL, NULL, &s.offline), GLIMPSE_OK);
  atomic_store(&raised.flag, 0);
  for (unsigned i = 0; i < 8; i++) {
    patients[i] = (patient){.s = &s, .kind = (glimpse_planner_kind)(i % 4), .begun = &begun};
    assert_int_equal(pthread_create(&patients[i].thread, NULL, search_on, &patients[i]), 0);
  }
  while (atomic_load(&begun) < 8) continue;
  atomic_store(&raised.flag, 1);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(pthread_join(patients[i].thread, NULL), 0);
    assert_true(patients[i].good);
  }
  glimpse_offline_free(s.offline);
  glimpse_model_free(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared), cmocka_unit_test(test_interrupt)};
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
