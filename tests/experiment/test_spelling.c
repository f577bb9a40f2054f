/* Tests of spelling: old words of specifications. */
#include "experiment/spelling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "experiment/spec.h"

static const char old_text[] =
    "{\"name\": \"e\", \"environments\": \"tiger\", \"max_steps\": 9, \"ask_when_lost\": true,\n"
    " \"planners\": [{\"planner\": \"pomcp\", \"rollout\": \"qmdp\", \"max_memory\": 100000},\n"
    " {\"planner\": \"pomcp\", \"rollout\": \"silent\"}], \"episodes\": 2,\n"
    " \"budgets\": [{\"seconds\": 0.5, \"paper_seconds\": 1}, {\"seconds\": 1}]}";
static const char new_text[] =
    "{\"name\": \"e\", \"environments\": \"tiger\", \"max-steps\": 9, \"ask-when-lost\": true,\n"
    " \"planners\": [{\"planner\": \"pomcp\", \"rollout\": \"upper\", \"max-memory\": 100000},\n"
    " {\"planner\": \"pomcp\", \"rollout\": \"silent\"}], \"episodes\": 2,\n"
    " \"budgets\": [{\"time\": 0.5, \"paper-time\": 1}, {\"time\": 1}]}";

static struct spec read_spec(const char *text) {
  struct spec spec;
  complaint why = {{0}, {0}, {0}};
  if (!spec_read(&spec, text, strlen(text), "x.json", NULL, &why)) fail_msg("%s: %s", why.place, why.text);
  return spec;
}

/* The same settings, and one hint for each word. */
static void test_same(void **state) {
  (void)state;
  struct spec old = read_spec(old_text), new = read_spec(new_text);
  assert_int_equal(old.setting_count, 4);
  assert_int_equal(new.setting_count, 4);
  for (size_t i = 0; i < 4; i++) assert_string_equal(old.settings[i].key, new.settings[i].key);
  assert_true(old.experiments[0].parts[0].paper_seconds == 1);
  assert_string_equal(text_string(&new.hints), "");
  assert_string_equal(text_string(&old.hints), "x.json:1: 'max_steps' is now 'max-steps'\n"
                                               "x.json:1: 'ask_when_lost' is now 'ask-when-lost'\n"
                                               "x.json:2: 'qmdp' is now 'upper'\n"
                                               "x.json:2: 'max_memory' is now 'max-memory'\n"
                                               "x.json:4: 'seconds' is now 'time'\n"
                                               "x.json:4: 'paper_seconds' is now 'paper-time'\n");
  spec_free(&old);
  spec_free(&new);
}

/* Words of others are left alone: parameters of an environment, and values of other fields. */
static void test_others(void **state) {
  (void)state;
  static const char text[] = "{\"parameters\": {\"seconds\": [1]}, \"upper\": [\"qmdp\"], \"act\": \"qmdp\",\n"
                             "\"rollout\": [\"qmdp\", {\"rollout\": 3}]}";
  complaint why;
  struct text hints = {0};
  document *root = document_read(text, strlen(text), "x", &why);
  assert_true(spelling_update(root, "x", &hints, &why));
  assert_non_null(document_get(document_get(root, "parameters"), "seconds"));
  assert_string_equal(document_get(root, "upper")->first->text, "qmdp");
  assert_string_equal(document_get(root, "act")->text, "qmdp");
  assert_string_equal(document_get(root, "rollout")->first->text, "upper");
  assert_string_equal(text_string(&hints), "x:2: 'qmdp' is now 'upper'\n");
  text_free(&hints);
  document_free(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_others)};
  return cmocka_run_group_tests_name("spelling", tests, NULL, NULL);
}
