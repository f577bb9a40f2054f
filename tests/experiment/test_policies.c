/* Policies: from files and solved, in specifications; what interrupts or lacks memory.
 *
 * Covers experiment/digest.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "experiment/play.h"
#include "support/failing_malloc.h"

#define GRID(planners)                                                                                                 \
  "{\"name\": \"g\", \"environments\": \"tiger\", \"expansions\": 40, \"max-steps\": 15, \"planners\": " planners "}"

static void write_policy(const char *path, const char *environment) {
  glimpse_model *model;
  glimpse_policy *policy;
  glimpse_solve_result result;
  assert_int_equal(glimpse_environment_make(environment, NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_solve(model, NULL, &(glimpse_solve_options){0}, NULL, &result, &policy), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_write_file(policy, path, NULL), GLIMPSE_OK);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

/* Solved once for all settings that want the same, read where there is a file, and played as by hand. */
static void plays_policies(void **state) {
  const char *path = *state;
  char text[600];
  snprintf(text, sizeof text,
           GRID("[\"policy\", {\"planner\": \"policy\", \"relative\": 0.01, \"ask-when-lost\": true},"
                " {\"planner\": \"policy\", \"epsilon\": 2, \"solve-expansions\": 7},"
                " {\"planner\": \"policy\", \"policy\": \"%s\"}, \"aems-loop\"]"),
           path);
  struct spec spec;
  complaint why = {{0}, {0}, {0}};
  if (!spec_read(&spec, text, strlen(text), "x.json", NULL, &why)) fail_msg("%s: %s", why.place, why.text);
  assert_int_equal(spec.setting_count, 5);
  assert_int_equal(spec.catalogue.policies.count, 3);
  assert_string_equal(spec.settings[0].options, "relative=0.01");
  assert_string_equal(spec.settings[1].options, "relative=0.01 ask_when_lost=true");
  assert_string_equal(spec.settings[2].options, "epsilon=2 solve_expansions=7");
  assert_non_null(strstr(spec.settings[3].key, path));
  assert_int_equal(spec.settings[4].policy, 0);
  assert_null(catalogue_policy(&spec.catalogue, &spec.settings[4]));
  for (uint32_t i = 0; i < 4; i++) {
    const struct setting *s = &spec.settings[i];
    assert_true(catalogue_solve(&spec.catalogue, s, NULL, &why));
    const struct policies_entry *entry = &spec.catalogue.policies.entries[s->policy - 1];
    assert_true(entry->verified && entry->info.nodes == 3 && entry->info.lower <= 180 && entry->info.upper >= 180);
    assert_true(i == 3 ? isnan(entry->seconds) : entry->seconds >= 0 && entry->expansions == 1);
    struct outcome outcome;
    play(&spec, &(struct task){.setting = i, .episode = 2}, NULL, &outcome);
    assert_true(!outcome.failed && !outcome.cut);
    assert_true(outcome.row.requests == 15 && outcome.row.expansions == 0);
    assert_true(outcome.row.lower == entry->info.lower && outcome.row.upper == entry->info.upper);
  }
  spec_free(&spec);
}

static void check_wrong(const char *text, const char *message) {
  struct spec spec;
  complaint why = {{0}, {0}, {0}};
  assert_false(spec_read(&spec, text, strlen(text), "x.json", NULL, &why));
  if (!strstr(why.text, message)) fail_msg("'%s' is not '%s'", why.text, message);
  spec_free(&spec);
}

static void refuses(void **state) {
  const char *path = *state;
  char text[600];
  check_wrong(GRID("{\"planner\": \"policy\", \"policy\": \"nowhere.policy\"}"), "'nowhere.policy': cannot");
  check_wrong(GRID("{\"planner\": \"policy\", \"policy\": 7}"), "field 'policy'");
  check_wrong(GRID("{\"planner\": \"policy\", \"relative\": -1}"), "field 'relative'");
  check_wrong(GRID("{\"planner\": \"policy\", \"policy\": \"x\", \"epsilon\": 1}"), "not both");
  check_wrong(GRID("{\"planner\": \"pomcp\", \"policy\": \"x\"}"), "does not take it");
  write_policy(path, "toy");
  snprintf(text, sizeof text, GRID("{\"planner\": \"policy\", \"policy\": \"%s\"}"), path);
  check_wrong(text, "the policy is of another model");
}

/* Then there is none, and no complaint. */
static void stops_at_an_interrupt(void **state) {
  (void)state;
  struct policies policies = {0};
  struct policies_wish wish = {.relative = 1e-9};
  size_t place = 7;
  complaint why;
  glimpse_model *model;
  const int interrupt = 1;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=3", NULL, &model), GLIMPSE_OK);
  assert_true(policies_add(&policies, &wish, model, "", &place, &why));
  assert_int_equal(place, 0);
  assert_true(policies_make(&policies.entries[0], model, &interrupt, &why));
  assert_true(!policies.entries[0].policy && !policies.entries[0].checked);
  policies_free(&policies);
  glimpse_model_free(model);
}

struct job {
  const glimpse_model *model;
  const char *path;
};

static glimpse_status make_both(void *context) {
  const struct job *job = context;
  struct policies policies = {0};
  size_t place;
  complaint why = {{0}, {0}, {0}};
  bool good = true;
  for (int i = 0; i < 2 && good; i++) {
    struct policies_wish wish = {.file = i ? job->path : NULL, .relative = i ? 0 : 0.01};
    good = policies_add(&policies, &wish, job->model, "", &place, &why) &&
           policies_make(&policies.entries[place], job->model, NULL, &why) && policies.entries[place].verified;
  }
  policies_free(&policies);
  return good ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void runs_out_of_memory(void **state) {
  struct job job = {.path = *state};
  glimpse_model *model;
  write_policy(job.path, "tiger");
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  job.model = model;
  assert_true(failing_malloc_sweep(make_both, &job) > 50);
  glimpse_model_free(model);
}

static int set_up(void **state) {
  static char path[60];
  snprintf(path, sizeof path, "/tmp/glimpse-test_policies.%ld", (long)getpid());
  write_policy(path, "tiger");
  *state = path;
  return 0;
}

static int tear_down(void **state) {
  return remove(*state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plays_policies),
      cmocka_unit_test(refuses),
      cmocka_unit_test(stops_at_an_interrupt),
      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
