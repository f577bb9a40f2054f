/* Tests of option: the table of options and the traits of planners. */
#include "planner/option.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"

/* Words of which other tests and the program count on nothing but their form. */
static void test_rows(void **state) {
  (void)state;
  const glimpse_planner_option *option, *other;
  size_t count = 0;
  for (; (option = glimpse_planner_option_get(count)); count++) {
    assert_int_equal(strlen(option->key), strlen(option->field));
    for (size_t i = 0; option->key[i]; i++)
      assert_true(option->key[i] == option->field[i] || (option->key[i] == '-' && option->field[i] == '_'));
    for (size_t i = 0; i < count; i++) {
      other = glimpse_planner_option_get(i);
      assert_true(strcmp(option->key, other->key) != 0 && option->offset > other->offset);
    }
    assert_true(option->traits && *option->text);
    assert_true(!option->argument == (option->kind == GLIMPSE_VALUE_FLAG));
    assert_true(option->low <= option->high);
    double preset = 0;
    if (option->preset && option->kind != GLIMPSE_VALUE_CHOICE)
      glimpse_number_read(option->preset, strlen(option->preset), &preset);
    assert_true(preset == 0 || option->low > 0); /* 0 in a field is the default, so it is no value */
    bool taken = false;
    for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
      taken |= (option->traits & glimpse_planner_traits(kind)) != 0;
    assert_true(taken);
  }
  assert_true(count > 0);
  assert_null(glimpse_planner_option_get(SIZE_MAX));
}

static void test_traits(void **state) {
  (void)state;
  static const struct {
    unsigned trait;
    const char *planners;
  } cases[] = {
      {GLIMPSE_TRAIT_SEARCHES, "aems-loop aems-sr aems pomcp "},
      {GLIMPSE_TRAIT_RULE, "never-ask always-ask ask-every ask-entropy act-then-measure spi "},
      {GLIMPSE_TRAIT_BOUNDS, "aems-loop aems-sr aems never-ask always-ask ask-every ask-entropy act-then-measure spi "},
      {GLIMPSE_TRAIT_GRAPH, "aems-loop aems-sr aems "},
      {GLIMPSE_TRAIT_RANDOM, "pomcp "},
      {GLIMPSE_TRAIT_ASKS, "always-ask ask-every ask-entropy act-then-measure "},
      {GLIMPSE_TRAIT_ACTS, "never-ask always-ask ask-every ask-entropy "},
      {GLIMPSE_TRAIT_IS(AEMS_LOOP), "aems-loop "},
      {GLIMPSE_TRAIT_IS(ASK_ENTROPY), "ask-entropy "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char planners[200] = "";
    for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
      if (glimpse_planner_traits(kind) & cases[i].trait) {
        strcat(planners, glimpse_planner_key(kind));
        strcat(planners, " ");
      }
    assert_string_equal(planners, cases[i].planners);
  }
  assert_int_equal(glimpse_planner_traits(GLIMPSE_PLANNER_KINDS), 0);
}

/* What planners promise by their traits is what they do. */
static void test_traits_are_true(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_offline *offline = NULL;
  assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_FIB_SR, NULL, NULL, &offline), GLIMPSE_OK);
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    unsigned traits = glimpse_planner_traits(kind);
    glimpse_planner_options options = {.kind = kind};
    if (traits & GLIMPSE_TRAIT_FOLLOWS) continue; /* test_follow.c has what it needs */
    glimpse_planner *planner = NULL;
    glimpse_decision d;
    bool needs = glimpse_planner_new(model, NULL, &options, NULL, &planner) == GLIMPSE_BAD_ARGUMENT;
    glimpse_planner_free(planner);
    assert_true(needs == glimpse_planner_needs_offline(&options) && needs == ((traits & GLIMPSE_TRAIT_BOUNDS) != 0));
    assert_int_equal(glimpse_planner_new(model, offline, &options, NULL, &planner), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(model), 0), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 10}, &d), GLIMPSE_OK);
    assert_true(isnan(d.lower) == !(traits & GLIMPSE_TRAIT_BOUNDS));
    assert_true((d.stop == GLIMPSE_STOP_RULE) == ((traits & GLIMPSE_TRAIT_RULE) != 0));
    assert_true((d.expansions > 0) == ((traits & GLIMPSE_TRAIT_SEARCHES) != 0));
    glimpse_visit visit = {0};
    glimpse_status shown = traits & GLIMPSE_TRAIT_GRAPH ? GLIMPSE_BAD_ARGUMENT : GLIMPSE_NOT_APPLICABLE;
    assert_int_equal(glimpse_planner_visit(planner, &visit), shown);
    glimpse_planner_free(planner);
  }
  glimpse_model_set_cost(model, 0);
  glimpse_offline_free(offline);
  assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_FIB, NULL, NULL, &offline), GLIMPSE_OK);
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    glimpse_planner *planner = NULL;
    if (glimpse_planner_traits(kind) & GLIMPSE_TRAIT_FOLLOWS) continue;
    glimpse_status status =
        glimpse_planner_new(model, offline, &(glimpse_planner_options){.kind = kind}, NULL, &planner);
    assert_int_equal(status, glimpse_planner_traits(kind) & GLIMPSE_TRAIT_ASKS ? GLIMPSE_NOT_APPLICABLE : GLIMPSE_OK);
    glimpse_planner_free(planner);
  }
  glimpse_offline_free(offline);
  glimpse_model_free(model);
}

static void test_defaults(void **state) {
  (void)state;
  glimpse_planner_options options = {0};
  assert_int_equal(gli_option_settle(&options, NULL), GLIMPSE_OK);
  assert_true(options.max_memory == (uint64_t)1 << 30 && options.seed == 1 && options.particles == 1000);
  assert_true(options.every == 5 && options.entropy == 0 && options.exploration == 0);
  assert_true(options.kind == GLIMPSE_PLANNER_AEMS_LOOP && options.improve == GLIMPSE_IMPROVE_SOUND);
  assert_true(options.graph == GLIMPSE_GRAPH_KEEP);
  glimpse_planner_options again = options;
  assert_int_equal(gli_option_settle(&again, NULL), GLIMPSE_OK);
  assert_memory_equal(&again, &options, sizeof options);
  options = (glimpse_planner_options){.paper = true, .max_memory = 77, .seed = 9, .particles = 3, .every = 2};
  assert_int_equal(gli_option_settle(&options, NULL), GLIMPSE_OK);
  assert_true(options.max_memory == 77 && options.seed == 9 && options.particles == 3 && options.every == 2);
  assert_true(options.kind == GLIMPSE_PLANNER_AEMS_SR && options.improve == GLIMPSE_IMPROVE_NONE);
  assert_true(options.graph == GLIMPSE_GRAPH_RESET);
  options = (glimpse_planner_options){.paper = true, .kind = GLIMPSE_PLANNER_AEMS, .improve = GLIMPSE_IMPROVE_PAPER};
  assert_int_equal(gli_option_settle(&options, NULL), GLIMPSE_OK);
  assert_true(options.kind == GLIMPSE_PLANNER_AEMS && options.improve == GLIMPSE_IMPROVE_PAPER);
  options = (glimpse_planner_options){.plain = true};
  assert_int_equal(gli_option_settle(&options, NULL), GLIMPSE_OK);
  assert_true(options.graph == GLIMPSE_GRAPH_RESET && options.improve == GLIMPSE_IMPROVE_SOUND);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    glimpse_planner_options options;
    const char *text;
  } cases[] = {
      {{.kind = GLIMPSE_PLANNER_KINDS}, "there is no such planner"},
      {{.rule = GLIMPSE_RULES}, "rule: there is no such choice; it is one of aems|bi-pomdp|satia-lave"},
      {{.improve = GLIMPSE_IMPROVES}, "improve: there is no such choice; it is one of sound|none|paper"},
      {{.graph = GLIMPSE_GRAPHS}, "graph: there is no such choice; it is one of keep|reset"},
      {{.act = GLIMPSE_ACTS}, "act: there is no such choice; it is one of qmdp|lower"},
      {{.every = 2000000000}, "every: 2000000000 is not between 1 and 1000000000"},
      {{.entropy = 25}, "entropy: 25 is not between 0 and 24"},
      {{.entropy = -1}, "entropy: -1 is not between 0 and 24"},
      {{.entropy = NAN}, "entropy: nan is not between 0 and 24"},
      {{.max_memory = UINT64_MAX}, "max-memory: 1.8446744073709552e19 is not between 65536 and 1000000000000000"},
      {{.seed = UINT64_MAX}, "seed: 1.8446744073709552e19 is not between 1 and 1e18"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_report *report = glimpse_report_new();
    glimpse_planner_options options = cases[i].options;
    assert_int_equal(gli_option_settle(&options, report), GLIMPSE_BAD_ARGUMENT);
    assert_string_equal(glimpse_report_get(report, 0)->text, cases[i].text);
    glimpse_report_free(report);
  }
}

/* Those that differ, "key=value". */
static void describe(const glimpse_planner_options *options, char text[400]) {
  char value[GLIMPSE_NUMBER_SIZE];
  const glimpse_planner_option *option;
  *text = 0;
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++)
    if (glimpse_planner_option_write(option, options, value))
      sprintf(text + strlen(text), "%s=%s ", option->key, value);
}

static void test_write(void **state) {
  (void)state;
  char text[400], value[GLIMPSE_NUMBER_SIZE];
  describe(&(glimpse_planner_options){0}, text);
  assert_string_equal(text, "");
  glimpse_planner_options options = {0};
  assert_int_equal(gli_option_settle(&options, NULL), GLIMPSE_OK);
  describe(&options, text); /* defaults that were filled in are defaults */
  assert_string_equal(text, "");
  options = (glimpse_planner_options){.rule = GLIMPSE_RULE_SATIA_LAVE,
                                      .paper = true,
                                      .keep_corners = true,
                                      .max_memory = 100000,
                                      .seed = 999999999999999999,
                                      .exploration = 0.5,
                                      .rollout = GLIMPSE_ROLLOUT_UPPER,
                                      .entropy = 1};
  describe(&options, text);
  assert_string_equal(text, "rule=satia-lave paper=true keep-corners=true max-memory=100000 seed=999999999999999999 "
                            "rollout=upper exploration=0.5 entropy=1 ");
  const glimpse_planner_option *every;
  for (size_t i = 0; strcmp((every = glimpse_planner_option_get(i))->key, "every") != 0; i++)
    ;
  assert_false(glimpse_planner_option_write(every, &options, value));
  assert_string_equal(value, "5");
  options.rule = GLIMPSE_RULES;
  assert_true(glimpse_planner_option_write(glimpse_planner_option_get(1), &options, value));
  assert_string_equal(value, "?");
}

/* The same decisions whether the default is given or not. */
static void test_default_seed(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_decision d[3];
  for (uint64_t seed = 0; seed < 3; seed++) {
    glimpse_planner *planner = NULL;
    glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POMCP, .seed = seed};
    assert_int_equal(glimpse_planner_new(model, NULL, &options, NULL, &planner), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 100}, &d[seed]), GLIMPSE_OK);
    glimpse_planner_free(planner);
  }
  assert_true(d[0].value == d[1].value && d[1].value != d[2].value);
  glimpse_model_free(model);
}

static void test_words(void **state) {
  (void)state;
  assert_string_equal(glimpse_word_today("", "seconds"), "time");
  assert_string_equal(glimpse_word_today("rollout", "qmdp"), "upper");
  assert_string_equal(glimpse_word_today("bound", "fib_sr"), "fib-sr");
  assert_null(glimpse_word_today("upper", "qmdp"));
  assert_null(glimpse_word_today("", "time"));
  /* What is a word today has no other spelling. */
  const glimpse_planner_option *option;
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++) assert_null(glimpse_word_today("", option->key));
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    assert_null(glimpse_word_today("bound", glimpse_bound_get((glimpse_bound_kind)kind)->key));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),     cmocka_unit_test(test_traits),       cmocka_unit_test(test_traits_are_true),
      cmocka_unit_test(test_defaults), cmocka_unit_test(test_refusals),     cmocka_unit_test(test_write),
      cmocka_unit_test(test_words),    cmocka_unit_test(test_default_seed),
  };
  return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}
