/* Play: an episode is that of glimpse_run_episodes, a trace that of one search; what interrupts or lacks memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiment/crew.h"
#include "support/failing_malloc.h"

static struct spec read_spec(const char *text) {
  struct spec spec;
  complaint why = {{0}, {0}, {0}};
  if (!spec_read(&spec, text, strlen(text), "x.json", NULL, &why)) fail_msg("%s: %s", why.place, why.text);
  for (size_t i = 0; i < spec.setting_count; i++)
    assert_true(catalogue_bounds(&spec.catalogue, &spec.settings[i], 1, &why));
  return spec;
}

static const char grid[] =
    "{\"name\": \"g\", \"environments\": [\"robot-delivery:n=3\", \"tiger\"], \"expansions\": 40,"
    " \"planners\": [\"aems-sr\", \"pomcp\", {\"planner\": \"aems\", \"paper\": true}, \"never-ask\"],"
    " \"upper\": \"qmdp\", \"max-steps\": 15, \"seed\": 5, \"trace\": 9}";

static void test_episode(void **state) {
  (void)state;
  struct spec spec = read_spec(grid);
  for (uint32_t i = 0; i < spec.setting_count; i++) {
    const struct setting *s = &spec.settings[i];
    const glimpse_model *model = spec.catalogue.entries[s->model].model;
    struct outcome outcome;
    play(&spec, &(struct task){.setting = i, .episode = 3}, NULL, &outcome);
    assert_true(!outcome.failed && !outcome.cut);
    glimpse_run run = {.episodes = 1, .seed = 8, .max_steps = 15, .planner = s->planner, .budget = {.expansions = 40}};
    run.planner.seed = 8;
    glimpse_episode result;
    assert_int_equal(glimpse_run_episodes(model, catalogue_offline(&spec.catalogue, s), &run, NULL, &result),
                     GLIMPSE_OK);
    assert_int_equal(outcome.row.seed, 8);
    assert_true(outcome.row.total == result.total && outcome.row.undiscounted == result.undiscounted &&
                outcome.row.steps == result.steps);
    assert_true(outcome.row.requests == result.requests && outcome.row.ended == result.finished);
    assert_int_equal(outcome.row.decisions, result.steps + result.requests);
    assert_true(outcome.row.expansions == result.expansions);
    assert_true(isnan(result.lower) ? isnan(outcome.row.lower) : outcome.row.lower == result.lower);
    assert_int_equal(strlen(outcome.row.finished), 20);
  }
  spec_free(&spec);
}

/* Points ascend, bounds close, and the last point is the search with the whole budget. */
static void test_trace(void **state) {
  (void)state;
  struct spec spec = read_spec(grid);
  const struct setting *s = &spec.settings[0];
  struct outcome outcome;
  play(&spec, &(struct task){.setting = 0, .trace = 1}, NULL, &outcome);
  assert_true(!outcome.failed && outcome.points >= 5 && outcome.points <= 9);
  for (uint32_t i = 0; i < outcome.points; i++) {
    assert_true(outcome.point[i].lower <= outcome.point[i].upper);
    if (!i) continue;
    assert_true(outcome.point[i].expansions > outcome.point[i - 1].expansions);
    assert_true(outcome.point[i].upper <= outcome.point[i - 1].upper + 1e-12);
    assert_true(outcome.point[i].lower >= outcome.point[i - 1].lower - 1e-12);
  }
  const store_point *last = &outcome.point[outcome.points - 1];
  assert_int_equal(last->expansions, 40);
  const glimpse_model *model = spec.catalogue.entries[s->model].model;
  glimpse_planner *planner;
  glimpse_decision decision;
  assert_int_equal(glimpse_planner_new(model, catalogue_offline(&spec.catalogue, s), &s->planner, NULL, &planner),
                   GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(model), 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 40}, &decision), GLIMPSE_OK);
  assert_true(fabs(decision.upper - last->upper) < 1e-9 && fabs(decision.lower - last->lower) < 1e-9);
  glimpse_planner_free(planner);
  assert_int_equal(spec.settings[1].trace, 0); /* POMCP has no bounds to look at */
  spec_free(&spec);
}

static void test_interrupt(void **state) {
  (void)state;
  struct spec spec = read_spec(grid);
  struct outcome outcome;
  int stop = 1;
  play(&spec, &(struct task){.setting = 0}, &stop, &outcome);
  assert_true(outcome.cut && !outcome.failed);
  play(&spec, &(struct task){.setting = 0, .trace = 1}, &stop, &outcome);
  assert_true(outcome.cut && !outcome.failed);
  spec_free(&spec);
}

static void check_starved(const struct outcome *found, const struct outcome *wanted) {
  assert_false(found->cut);
  if (found->failed) {
    assert_string_equal(found->error, glimpse_status_text(GLIMPSE_NO_MEMORY));
    return;
  }
  assert_true(found->row.total == wanted->row.total && found->row.steps == wanted->row.steps);
  assert_true(found->row.requests == wanted->row.requests && found->row.expansions == wanted->row.expansions);
  assert_int_equal(found->points, wanted->points);
  for (uint32_t i = 0; i < found->points; i++) {
    assert_int_equal(found->point[i].expansions, wanted->point[i].expansions);
    assert_true(found->point[i].lower == wanted->point[i].lower && found->point[i].upper == wanted->point[i].upper);
  }
}

/* Whatever allocation fails: what is told is what its seed gives, or nothing is. */
static void test_starved(void **state) {
  (void)state;
  struct spec spec = read_spec(grid);
  unsigned long tried = 0;
  for (uint32_t i = 0; i < spec.setting_count; i++)
    for (unsigned trace = 0; trace < (spec.settings[i].trace ? 2 : 1); trace++) {
      struct task task = {.setting = i, .episode = trace ? 0 : 3, .trace = trace};
      struct outcome wanted, found;
      play(&spec, &task, NULL, &wanted);
      assert_false(wanted.failed);
      for (unsigned long n = 1; n < 100000; n++) {
        failing_malloc_set(n, false);
        play(&spec, &task, NULL, &found);
        bool happened = failing_malloc_failures();
        failing_malloc_set(0, false);
        if (!happened) break;
        check_starved(&found, &wanted);
        tried++;
      }
    }
  print_message("%lu failures\n", tried);
  assert_true(tried > 300);
  spec_free(&spec);
}

/* All that is given comes back, once, whatever the number of threads. */
static void test_crew(void **state) {
  (void)state;
  struct spec spec = read_spec(grid);
  double totals[2][40];
  for (unsigned round = 0; round < 2; round++) {
    unsigned threads = round ? 3 : 1, given = 0, taken = 0;
    int stop = 0;
    struct crew_options options = {.threads = threads, .rank = 2, .host = "here", .interrupt = &stop};
    struct crew *crew = crew_new(&spec, &options);
    assert_non_null(crew);
    assert_int_equal(crew_threads(crew), threads);
    while (taken < 40) {
      while (given < 40 && crew_room(crew)) {
        crew_give(crew, (struct task){.setting = given % 8, .episode = given / 8});
        given++;
      }
      struct outcome outcomes[3];
      size_t count = crew_take(crew, outcomes, 3, 5);
      assert_true(count > 0);
      for (size_t i = 0; i < count; i++, taken++) {
        assert_true(outcomes[i].row.rank == 2 && outcomes[i].row.worker < threads && outcomes[i].row.core == -1);
        totals[round][outcomes[i].task.episode * 8 + outcomes[i].task.setting] = outcomes[i].row.total;
      }
    }
    assert_int_equal(crew_busy(crew), 0);
    for (unsigned i = 0; i < 8; i++) crew_give(crew, (struct task){.setting = i});
    crew_forget(crew);
    crew_free(crew); /* with some still being played */
  }
  assert_memory_equal(totals[0], totals[1], sizeof totals[0]);
  spec_free(&spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_episode), cmocka_unit_test(test_trace), cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_starved), cmocka_unit_test(test_crew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
