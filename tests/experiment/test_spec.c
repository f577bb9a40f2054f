/* Spec: the product of a grid, inheritance and scales, settings that several experiments share, and an
 * error with the name of the field for everything that is wrong.
 *
 * Covers experiment/builtin.c, experiment/field.c, experiment/setting.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiment/builtin.h"
#include "experiment/spec.h"
#include "experiment/todo.h"

static struct spec read_spec(const char *text, const char *scale) {
  struct spec spec;
  complaint why = {{0}, {0}, {0}};
  if (!spec_read(&spec, text, strlen(text), "x.json", scale, &why)) fail_msg("%s: %s", why.place, why.text);
  return spec;
}

static void test_product(void **state) {
  (void)state;
  struct spec spec = read_spec("{\"name\": \"p\", \"environments\": [\"robot-delivery\", \"robot-delivery:t=0.7\"],"
                               " \"parameters\": {\"n\": [3, 5], \"f\": [0.1, 0.2, 0.3]}, \"cost\": [0.1, 0.25],"
                               " \"planners\": [\"aems-sr\", \"aems\", \"pomcp\"], \"upper\": [\"fib-sr\", \"qmdp\"],"
                               " \"improve\": [\"none\", \"sound\"], \"expansions\": [10, 20], \"time\": 0.5,"
                               " \"episodes\": 7, \"seed\": 11, \"max-steps\": 50}",
                               NULL);
  /* 2 x 2 x 3 environments, 2 costs, 3 budgets; two planners with 2 x 2 bounds, and one that knows none */
  assert_int_equal(spec.setting_count, 12 * 2 * 3 * (2 * 4 + 1));
  assert_int_equal(spec.catalogue.count, 24);
  assert_int_equal(spec.count, 1);
  assert_int_equal(spec.experiments[0].count, spec.setting_count);
  assert_int_equal(spec_episodes(&spec), 7 * spec.setting_count);
  assert_true(spec_timed(&spec));
  assert_string_equal(spec.settings[0].key,
                      "robot-delivery:f=0.1,n=3 cost=0.1 discount=0.99 planner=aems-sr upper=fib-sr "
                      "lower=blind,always-ask improve=none seconds=0.5 max_steps=50 seed=11");
  for (size_t i = 0; i < spec.setting_count; i++) {
    const struct setting *s = &spec.settings[i];
    assert_int_equal(s->seed, 11);
    assert_int_equal(s->max_steps, 50);
    assert_true((s->planner.kind == GLIMPSE_PLANNER_POMCP) == !s->upper_text);
    for (size_t k = 0; k < i; k++) assert_string_not_equal(s->key, spec.settings[k].key);
  }
  assert_string_equal(spec.settings[spec.setting_count - 1].environment, "robot-delivery:f=0.3,n=5,t=0.7");
  spec_free(&spec);
}

/* The innermost value counts, and the scale's before the plain one of the same level. */
static void test_levels(void **state) {
  (void)state;
  static const char text[] =
      "{\"name\": \"l\", \"environments\": \"tiger\", \"planners\": \"aems-sr\", \"expansions\": 5, \"episodes\": 1,"
      " \"scales\": {\"quick\": {\"episodes\": 2, \"max-steps\": 9}, \"full\": {\"expansions\": [6, 7]}},"
      " \"experiments\": ["
      "  {\"name\": \"a\"},"
      "  {\"name\": \"b\", \"title\": \"B\", \"axis\": \"cost\", \"episodes\": 3, \"scales\": {\"full\": "
      "{\"episodes\": 4}},"
      "   \"grids\": [{}, {\"cost\": [2, \"off\"], \"expansions\": 8, \"scales\": {\"quick\": {\"time\": 0.5}}},"
      "     {\"planners\": {\"planner\": \"ask-entropy\", \"entropy\": 0.5},"
      "      \"budgets\": [{\"expansions\": 9, \"episodes\": 20, \"paper-time\": 0.1}]}]}]}";
  struct spec quick = read_spec(text, NULL);
  assert_string_equal(quick.scale, "quick");
  assert_int_equal(quick.count, 2);
  assert_int_equal(quick.experiments[0].count, 1);
  assert_int_equal(quick.experiments[1].count, 4);
  assert_int_equal(quick.setting_count, 4); /* the first of b is that of a ... */
  assert_int_equal(quick.experiments[1].parts[0].setting, 0);
  assert_int_equal(quick.settings[0].episodes, 3); /* ... with the larger number of episodes */
  assert_int_equal(quick.settings[0].max_steps, 9);
  assert_true(quick.settings[1].cost == 2 && quick.settings[1].budget.time == 0.5);
  assert_true(isnan(quick.settings[2].cost));
  assert_string_equal(quick.settings[2].upper_text, "fib");
  assert_int_equal(quick.settings[3].budget.expansions, 9);
  assert_int_equal(quick.settings[3].episodes, 20);
  assert_string_equal(quick.settings[3].options, "act=qmdp entropy=0.5");
  assert_true(quick.experiments[1].parts[3].paper_seconds == 0.1 && isnan(quick.experiments[1].parts[0].paper_seconds));
  spec_free(&quick);
  struct spec full = read_spec(text, "full");
  assert_int_equal(full.experiments[0].count, 2);
  assert_int_equal(full.settings[0].budget.expansions, 6);
  assert_int_equal(full.settings[0].episodes, 4);
  assert_int_equal(full.settings[0].max_steps, 1000);
  assert_int_equal(full.settings[2].budget.expansions, 8);
  spec_free(&full);
}

#define FRAME(fields) "{\"name\": \"e\", \"environments\": \"tiger\",\n" fields ", \"episodes\": 2}"
#define GOOD "\"planners\": \"aems-sr\", \"expansions\": 5"

#define MENU "examples/models/robot-sensors.pomdp"

/* The price of the only inquiry is the cost; those of several are parameters of the file, whose digest is its own. */
static void test_prices(void **state) {
  (void)state;
  struct spec spec = read_spec("{\"name\": \"p\", \"experiments\": ["
                               "{\"name\": \"one\", \"environments\": \"loss:timing=joint\", \"cost\": [0.05, 0.1]},"
                               "{\"name\": \"menu\", \"environments\": \"" MENU "\","
                               " \"parameters\": {\"localisation\": 2, \"camera\": [0.25, 0.5]}}],"
                               "\"planners\": [\"aems-loop\", \"always-ask\"], \"expansions\": 10}",
                               NULL);
  assert_int_equal(spec.setting_count, 8);
  static const double costs[] = {0.05, 0.05, 0.1, 0.1}, cameras[] = {0.25, 0.25, 0.5, 0.5};
  for (size_t i = 0; i < 4; i++) {
    const struct setting *one = &spec.settings[i], *menu = &spec.settings[i + 4];
    assert_true(one->cost == costs[i] && isnan(menu->cost));
    const glimpse_model *model = spec.catalogue.entries[menu->model].model;
    assert_true(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "camera"), 0) == cameras[i]);
    assert_true(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "localisation"), 0) == 2);
    assert_string_equal(spec.catalogue.entries[menu->model].digest,
                        spec.catalogue.entries[spec.settings[4].model].digest);
    assert_true(*spec.catalogue.entries[menu->model].digest);
  }
  assert_non_null(strstr(spec.settings[0].key, "loss:timing=joint cost=0.05 discount=0.95 planner=aems-loop"));
  assert_string_equal(spec.settings[7].environment, MENU ":camera=0.5,localisation=2");
  spec_free(&spec);
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *place, *why;
  } cases[] = {
      {"[]", "x.json", "expected an object, found a list"},
      {"{}", "x.json", "field 'name': expected a text of letters, digits, '.', '_' and '-'"},
      {"{\"name\": \"a b\"}", "x.json:1", "field 'name': expected a text of letters"},
      {FRAME(GOOD ", \"episods\": 3"), "x.json:2",
       "field 'episods': there is no such field here; did you mean 'episodes'?"},
      {FRAME(GOOD ",\n \"colour\": 3"), "x.json:3", "field 'colour': there is no such field here"},
      {FRAME("\"planners\": \"aems-sr\""), "x.json",
       "field 'time': there is no budget: neither 'time' nor 'expansions'"},
      {FRAME("\"expansions\": 5"), "x.json", "field 'planners': it is missing"},
      {"{\"name\": \"e\", " GOOD "}", "x.json", "field 'environments': it is missing"},
      {"{\"name\": \"e\", \"environments\": [], " GOOD "}", "x.json:1", "field 'environments': the list is empty"},
      {"{\"name\": \"e\", \"environments\": 3, " GOOD "}", "x.json:1", "field 'environments': expected the name"},
      {"{\"name\": \"e\", \"environments\": \"tigger\", " GOOD "}", "x.json:1", "field 'environments': 'tigger': "},
      {"{\"name\": \"e\", \"environments\": \"ti\\ng\\u001b[2Jer\", " GOOD "}", "x.json:1",
       "field 'environments': 'ti?g?[2Jer': "}, /* what a terminal would obey */
      {"{\"name\": \"e\", \"environments\": \"robot-delivery:n=0\", " GOOD "}", "x.json:1",
       "field 'environments': 'robot-delivery:n=0': "},
      {FRAME("\"planners\": [], \"expansions\": 5"), "x.json:2", "field 'planners': the list is empty"},
      {FRAME("\"planners\": \"aems2\", \"expansions\": 5"), "x.json:2",
       "field 'planners': 'aems2' is not one of aems-loop, aems-sr,"},
      {FRAME("\"planners\": \"aems-sr\", \"time\": 5, \"seconds\": 5"), "x.json:2",
       "the field 'time' is given twice: 'seconds' is its old name"},
      {FRAME(GOOD ", \"max-stepps\": 5"), "x.json:2",
       "field 'max-stepps': there is no such field here; did you mean 'max-steps'?"},
      {FRAME(GOOD ", \"keep-corners\": true"), "x.json:2", "field 'keep-corners': there is no such field here"},
      {FRAME("\"planners\": [{\"planner\": \"pomcp\", \"rollout\": \"upperr\"}], \"expansions\": 5"), "x.json:2",
       "field 'rollout': 'upperr' is not one of random, silent, upper; did you mean 'upper'?"},
      {FRAME("\"planners\": [{\"planner\": \"pomcp\", \"exploration\": 0}], \"expansions\": 5"), "x.json:2",
       "field 'exploration': 0 is not between 1e-300 and"},
      {FRAME("\"planners\": [{\"planner\": \"pomcp\", \"particles\": 1.5}], \"expansions\": 5"), "x.json:2",
       "field 'particles': expected a whole number, found 1.5"},
      {FRAME(GOOD ", \"steps\": 5"), "x.json:2",
       "field 'steps': there is no such field here; did you mean 'max-steps'?"},
      {FRAME(GOOD ", \"model\": \"tag\""), "x.json:2",
       "field 'model': there is no such field here; did you mean 'environments'?"},
      {FRAME(GOOD ", \"colour\": 5"), "x.json:2", "field 'colour': there is no such field here"},
      {FRAME("\"planners\": [{\"planner\": \"aems-sr\", \"uper\": 1}], \"expansions\": 5"), "x.json:2",
       "field 'uper': there is no such field here; did you mean 'upper'?"},
      {FRAME("\"planners\": \"aems_sr\", \"expansions\": 5"), "x.json:2",
       "field 'planners': 'aems_sr' is not one of aems-loop, aems-sr, aems, "},
      {FRAME(GOOD ", \"rule\": \"bi_pomdp\""), "x.json:2",
       "field 'rule': 'bi_pomdp' is not one of aems, bi-pomdp, satia-lave; did you mean 'bi-pomdp'?"},
      {FRAME(GOOD ", \"improve\": \"sond\""), "x.json:2",
       "field 'improve': 'sond' is not one of sound, none, paper; did you mean 'sound'?"},
      {FRAME("\"planners\": 2, \"expansions\": 5"), "x.json:2", "field 'planners': expected a text, found 2"},
      {FRAME("\"planners\": [{\"rule\": \"aems\"}], \"expansions\": 5"), "x.json:2",
       "field 'planners': the object has no 'planner'"},
      {FRAME("\"planners\": [{\"planner\": \"pomcp\",\n\"rule\": \"aems\"}], \"expansions\": 5"), "x.json:3",
       "field 'rule': the planner pomcp does not take it"},
      {FRAME("\"planners\": [{\"planner\": \"ask-every\", \"every\": 0}], \"expansions\": 5"), "x.json:2",
       "field 'every': 0 is not between 1 and 1e+09"},
      {FRAME("\"planners\": \"aems-sr\", \"expansions\": []"), "x.json:2", "field 'expansions': the list is empty"},
      {FRAME("\"planners\": \"aems-sr\", \"expansions\": 0"), "x.json:2", "field 'expansions': 0 is not a budget"},
      {FRAME("\"planners\": \"aems-sr\", \"expansions\": 1.5"), "x.json:2", "field 'expansions': 1.5 is not a budget"},
      {FRAME("\"planners\": \"aems-sr\", \"time\": \"1\""), "x.json:2", "field 'time': expected a number"},
      {FRAME("\"planners\": \"aems-sr\", \"time\": -1"), "x.json:2", "field 'time': -1 is not a budget"},
      {FRAME("\"planners\": \"aems-sr\", \"budgets\": [{}]"), "x.json:2",
       "field 'budgets': expected either 'time' or 'expansions'"},
      {FRAME("\"planners\": \"aems-sr\", \"budgets\": [{\"second\": 1}]"), "x.json:2",
       "field 'second': there is no such field here; did you mean 'time'?"},
      {FRAME("\"planners\": \"aems-sr\", \"budgets\": 3"), "x.json:2", "field 'budgets': expected an object"},
      {FRAME(GOOD ", \"upper\": \"fib\""), "x.json:2",
       "field 'upper': 'fib' is not an upper bound where the agent may ask"},
      {FRAME(GOOD ", \"cost\": \"off\", \"upper\": \"fib-sr\""), "x.json:2", "field 'upper': 'fib-sr' is about asking"},
      {FRAME(GOOD ", \"upper\": []"), "x.json:2", "field 'upper': the list is empty"},
      {FRAME(GOOD ", \"improve\": \"paper\""), "x.json:2", "field 'improve': 'paper' needs"},
      {FRAME(GOOD ", \"improve\": \"sound\", \"paper\": true"), "x.json:2",
       "field 'improve': 'sound' is not in the paper"},
      {FRAME(GOOD ", \"graph\": \"keep\", \"paper\": true"), "x.json:2",
       "field 'graph': 'paper' and 'plain' reset the graph"},
      {FRAME(GOOD ", \"paper\": 1"), "x.json:2", "field 'paper': expected true or false, found 1"},
      {FRAME(GOOD ", \"cost\": 0"), "x.json:2", "field 'cost': expected a number above 0, or \"off\""},
      {FRAME(GOOD ", \"discount\": 1"), "x.json:1", "field 'environments': 'tiger': "},
      {FRAME(GOOD ", \"discount\": 2"), "x.json:2", "field 'discount': 2 is not between 0 and 1"},
      {FRAME(GOOD ", \"parameters\": []"), "x.json:2", "field 'parameters': expected an object"},
      {FRAME(GOOD ", \"parameters\": {\"n\": []}"), "x.json:2", "field 'n': the list is empty"},
      {FRAME(GOOD ", \"parameters\": {\"n\": [null]}"), "x.json:2", "field 'n': expected numbers or texts"},
      {FRAME(GOOD ", \"seed\": -1"), "x.json:2", "field 'seed': -1 is not between 1"},
      {FRAME(GOOD ", \"max-steps\": \"many\""), "x.json:2",
       "field 'max-steps': expected a whole number, found the text 'many'"},
      {FRAME(GOOD ", \"trace\": 1000"), "x.json:2", "field 'trace': 1000 is not between 0 and 40"},
      {FRAME(GOOD ", \"scales\": 1"), "x.json:2", "field 'scales': expected an object"},
      {FRAME(GOOD ", \"scales\": {\"../a\": {}}"), "x.json:2", "field 'scales': '../a' is not a name of letters"},
      {FRAME(GOOD ", \"scales\": {\"\": {}}"), "x.json:2", "field 'scales': '' is not a name of letters"},
      {FRAME(GOOD ", \"scales\": {\"quick\": {\"scales\": 1}}"), "x.json:2",
       "field 'scales': there is no such field here"},
      {FRAME(GOOD ", \"experiments\": []"), "x.json:2",
       "field 'experiments': expected a list of objects that is not empty"},
      {FRAME(GOOD ", \"experiments\": [{}]"), "x.json:2", "field 'name': the experiment has no name"},
      {FRAME(GOOD ", \"experiments\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"), "x.json:2",
       "field 'name': there are two experiments 'a'"},
      {FRAME(GOOD ", \"experiments\": [{\"name\": \"a\", \"grids\": []}]"), "x.json:2",
       "field 'grids': expected a list"},
      {FRAME(GOOD ", \"experiments\": [{\"name\": \"a\"}], \"grids\": [{}]"), "x.json:2",
       "field 'grids': belongs into"},
      {FRAME("\"planners\": \"always-ask\", \"expansions\": 1, \"cost\": \"off\""), "x.json:2",
       "field 'planners': always-ask needs an agent that may ask"},
      {FRAME("\"planners\": \"act-then-measure\", \"expansions\": 1, \"cost\": \"off\""), "x.json:2",
       "field 'planners': act-then-measure needs an agent that may ask"},
      {"{\"name\": \"e\", \"environments\": \"loss:timing=joint\", \"planners\": \"spi\", \"expansions\": 1}",
       "x.json:1",
       "field 'planners': spi follows a rule for asking for the state before an action, and 'loss:timing=joint' has "
       "other inquiries or limits"},
      {"{\"name\": \"e\", \"environments\": \"" MENU ":camra=1\", " GOOD "}", "x.json:1",
       "field 'environments': '" MENU ":camra=1': there is no inquiry 'camra'; did you mean 'camera'?"},
      {"{\"name\": \"e\", \"environments\": \"" MENU ":camera=-1\", " GOOD "}", "x.json:1",
       "field 'environments': '" MENU ":camera=-1': expected the name of an inquiry and its price"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct spec spec;
    complaint why = {{0}, {0}, {0}};
    if (spec_read(&spec, cases[i].text, strlen(cases[i].text), "x.json", NULL, &why))
      fail_msg("accepted: %s", cases[i].text);
    spec_free(&spec);
    if (strcmp(why.place, cases[i].place) != 0 || strncmp(why.text, cases[i].why, strlen(cases[i].why)) != 0)
      fail_msg("%s\n%s: %s\nshould be\n%s: %s", cases[i].text, why.place, why.text, cases[i].place, cases[i].why);
  }
  struct spec spec;
  complaint why;
  static const char good[] = FRAME(GOOD);
  assert_false(spec_read(&spec, good, sizeof good - 1, "x.json", "huge", &why));
  assert_string_equal(why.text, "has no scale 'huge' (field 'scales')");
  spec_free(&spec);
}

/* The built-in ones, at each scale: their sizes, and that all of the paper's rows are there. */
static void test_builtin(void **state) {
  (void)state;
  static const char *const scales[] = {"quick", "full"};
  assert_null(builtin_find("none"));
  for (size_t i = 0; builtin_get(i); i++)
    for (size_t k = 0; k < 2; k++) {
      struct spec spec = read_spec(builtin_get(i)->text, scales[k]);
      assert_string_equal(spec.name, builtin_get(i)->name);
      assert_true(spec.setting_count > 10);
      spec_free(&spec);
    }
  for (size_t k = 0; k < 2; k++) {
    struct spec spec = read_spec(builtin_find("paper")->text, scales[k]);
    static const size_t rows[] = {36, 24, 45, 45, 45};
    assert_int_equal(spec.count, 5);
    for (size_t i = 0; i < 5; i++) {
      assert_int_equal(spec.experiments[i].count, rows[i]);
      for (size_t r = 0; r < rows[i]; r++) {
        double seconds = spec.experiments[i].parts[r].paper_seconds;
        assert_true(seconds == 0.1 || seconds == 0.5 || seconds == 1);
      }
    }
    assert_int_equal(spec.setting_count, 195 - 9); /* POMCP knows no bounds: one row for two tables */
    assert_true(spec_timed(&spec) == (k == 1));
    spec_free(&spec);
  }
}

/* --------------------------------------------------------------------- todo */

static bool stored(void *context, size_t setting, uint64_t episode) {
  (void)context;
  return setting == 1 && episode == 0;
}

static bool traced(void *context, size_t setting) {
  (void)context;
  return setting == 0;
}

static void test_todo(void **state) {
  (void)state;
  struct spec spec =
      read_spec("{\"name\": \"t\", \"environments\": \"tiger\", \"planners\": \"aems-sr\", \"trace\": true,"
                " \"budgets\": [{\"expansions\": 1, \"episodes\": 3}, {\"expansions\": 2, \"episodes\": 2}]}",
                NULL);
  struct todo todo;
  assert_true(todo_make(&todo, &spec, stored, traced, NULL));
  static const unsigned wanted[][3] = {
      {0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 0, 2}}; /* setting, trace, episode */
  struct task task;
  for (size_t i = 0; i < 5; i++) {
    assert_true(todo_take(&todo, &task));
    assert_int_equal(task.setting, wanted[i][0]);
    assert_int_equal(task.trace, wanted[i][1]);
    assert_int_equal(task.episode, wanted[i][2]);
  }
  assert_false(todo_take(&todo, &task));
  todo_return(&todo, task);
  assert_true(todo_take(&todo, &task) && task.episode == 2);
  todo_free(&todo);
  spec_free(&spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_product), cmocka_unit_test(test_levels),  cmocka_unit_test(test_prices),
      cmocka_unit_test(test_errors),  cmocka_unit_test(test_builtin), cmocka_unit_test(test_todo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
