/* The table of environments and the reading of "name:key=value,...".
 *
 * Covers src/environments/environment_finish.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/failing_malloc.h"

static void test_table(void **state) {
  (void)state;
  static const char *const names[] = {
      "robot-delivery", "tag",      "tiger", "toy",    "lemma2",    "rock-sample",       "loss",
      "frozen-lake",    "even-odd", "snake", "sepsis", "inventory", "two-state-sensing", "maintenance",
      "battery-robot"};
  size_t count = sizeof names / sizeof *names;
  for (size_t i = 0; i < count; i++) {
    const glimpse_environment *environment = glimpse_environment_get(i);
    assert_non_null(environment);
    assert_string_equal(environment->name, names[i]);
    assert_true(strlen(environment->text) > 10);
    int price = 0, discount = 0;
    for (const glimpse_parameter *p = environment->parameters; p->key; p++) {
      assert_true(strlen(p->text) > 10);
      price += !strcmp(p->key, "c");
      discount += !strcmp(p->key, "gamma");
    }
    assert_int_equal(price, 1);
    assert_int_equal(discount, 1);
  }
  assert_null(glimpse_environment_get(count));
  assert_null(glimpse_environment_get(SIZE_MAX));
}

static void check_same(const glimpse_model *one, const glimpse_model *two) {
  for (int kind = 0; kind < 3; kind++)
    assert_int_equal(glimpse_model_count(one, (glimpse_kind)kind), glimpse_model_count(two, (glimpse_kind)kind));
  assert_float_equal(glimpse_model_discount(one), glimpse_model_discount(two), 0);
  for (uint32_t s = 0; s < glimpse_model_count(one, GLIMPSE_STATE); s++) {
    assert_float_equal(glimpse_model_cost(one, s), glimpse_model_cost(two, s), 0);
    for (uint32_t a = 0; a < glimpse_model_count(one, GLIMPSE_ACTION); a++) {
      glimpse_row x = glimpse_model_transition(one, a, s), y = glimpse_model_transition(two, a, s);
      assert_int_equal(x.count, y.count);
      assert_memory_equal(x.index, y.index, x.count * sizeof *x.index);
      assert_memory_equal(x.value, y.value, x.count * sizeof *x.value);
    }
  }
}

/* The shown defaults, given one by one, make the same model as none at all. */
static void test_find(void **state) {
  (void)state;
  const glimpse_environment *tiger = glimpse_environment_find("tiger");
  assert_non_null(tiger);
  assert_string_equal(tiger->name, "tiger");
  assert_true(glimpse_environment_find("tiger:c=2") == tiger && glimpse_environment_find("tiger:no=1") == tiger);
  static const char *const none[] = {"", ":", "tige", "tigers", "Tiger", "tiger.pomdp", "./tiger"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_null(glimpse_environment_find(none[i]));
}

static void test_defaults_are_what_they_say(void **state) {
  (void)state;
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    char spec[200];
    int used = snprintf(spec, sizeof spec, "%s", environment->name);
    for (const glimpse_parameter *p = environment->parameters; p->key; p++)
      used += snprintf(spec + used, sizeof spec - (size_t)used, "%c%s=%s", p == environment->parameters ? ':' : ',',
                       p->key, p->value);
    glimpse_model *bare = environment_make(environment->name), *full = environment_make(spec);
    check_same(bare, full);
    glimpse_model_free(bare);
    glimpse_model_free(full);
  }
}

static void test_cost_and_discount(void **state) {
  (void)state;
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    char spec[100];
    snprintf(spec, sizeof spec, "%s:c=0,gamma=0.5", environment->name);
    glimpse_model *model = environment_make(spec);
    assert_false(glimpse_model_requests(model));
    assert_float_equal(glimpse_model_discount(model), 0.5, 0);
    glimpse_model_free(model);
    snprintf(spec, sizeof spec, "%s:gamma=1,c=0.25", environment->name);
    model = environment_make(spec);
    if (glimpse_model_inquiries(model)) { /* a menu, of which the request is one */
      uint32_t request = glimpse_model_inquiry_find(model, "state");
      assert_true(request != GLIMPSE_ANY);
      assert_float_equal(glimpse_model_inquiry_price(model, request, 0), 0.25, 0);
    } else {
      assert_true(glimpse_model_requests(model));
      assert_float_equal(glimpse_model_cost(model, 0), 0.25, 0);
    }
    assert_float_equal(glimpse_model_discount(model), 1, 0);
    glimpse_model_free(model);
  }
}

static void test_forms_of_numbers(void **state) {
  (void)state;
  static const char *const same[] = {"robot-delivery:n=2,e=0.25",    "robot-delivery:e=1/4,n=2",
                                     "robot-delivery:n=2,e=.25",     "robot-delivery:n=2,e=25e-2",
                                     "robot-delivery:n=2.0,e=+0.25", "robot-delivery:n=4/2,e=0.5/2"};
  glimpse_model *first = environment_make(same[0]);
  for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
    glimpse_model *model = environment_make(same[i]);
    check_same(first, model);
    glimpse_model_free(model);
  }
  glimpse_model_free(first);
}

typedef struct wrong {
  const char *spec, *source;
  const char *texts[4]; /* one message each */
} wrong;

#define NAMES                                                                                                          \
  "robot-delivery, tag, tiger, toy, lemma2, rock-sample, loss, frozen-lake, even-odd, snake, sepsis, inventory, "      \
  "two-state-sensing, maintenance, battery-robot"

static const wrong wrongs[] = {
    /* names */
    {"", "", {"there is no environment ''; there are " NAMES}},
    {":", "", {"there is no environment ''; there are " NAMES}},
    {"maze", "maze", {"there is no environment 'maze'; there are " NAMES}},
    {"robot-delivry:n=3",
     "robot-delivry",
     {"there is no environment 'robot-delivry', perhaps you mean 'robot-delivery'; there are " NAMES}},
    {"Tag", "Tag", {"there is no environment 'Tag', perhaps you mean 'tag'; there are " NAMES}},
    {"rock", "rock", {"there is no environment 'rock', perhaps you mean 'rock-sample'; there are " NAMES}},
    {"tag ", "tag ", {"there is no environment 'tag ', perhaps you mean 'tag'; there are " NAMES}},
    {"line\nend", "line?end", {"there is no environment 'line?end'; there are " NAMES}},
    /* items */
    {"tag:", "tag", {"expected key=value, found ''"}},
    {"tag:c", "tag", {"expected key=value, found 'c'"}},
    {"tag:=1", "tag", {"expected key=value, found '=1'"}},
    {"tag:c=1,", "tag", {"expected key=value, found ''"}},
    {"tag:c=1,c=1", "tag", {"c is given twice"}},
    {"tag:discount=0.9", "tag", {"there is no parameter 'discount'; there are prey, c, gamma"}},
    {"tag: c=1", "tag", {"there is no parameter ' c'; there are prey, c, gamma"}},
    {"lemma2:x=1", "lemma2", {"there is no parameter 'x'; there are c, gamma"}},
    /* values */
    {"tag:c=", "tag", {"c must be a positive number, or 0 for no requests, not ''"}},
    {"tag:c=-1", "tag", {"c must be a positive number, or 0 for no requests, not '-1'"}},
    {"tag:c=inf", "tag", {"c must be a positive number, or 0 for no requests, not 'inf'"}},
    {"tag:c=nan", "tag", {"c must be a positive number, or 0 for no requests, not 'nan'"}},
    {"tag:c=1e999", "tag", {"c must be a positive number, or 0 for no requests, not '1e999'"}},
    {"tag:c=1=2", "tag", {"c must be a positive number, or 0 for no requests, not '1=2'"}},
    {"tag:prey=Classic", "tag", {"prey must be one of paper|classic, not 'Classic'"}},
    {"tag:prey=paper|classic", "tag", {"prey must be one of paper|classic, not 'paper|classic'"}},
    {"tag:prey=", "tag", {"prey must be one of paper|classic, not ''"}},
    {"tag:gamma=1.01", "tag", {"gamma must be a number from 0 to 1, not '1.01'"}},
    {"toy:gamma=0", "toy", {"gamma must be a number from 0.01 to 1, not '0'"}},
    {"robot-delivery:n=0", "robot-delivery", {"n must be a whole number from 1 to 1000, not '0'"}},
    {"robot-delivery:n=2.5", "robot-delivery", {"n must be a whole number from 1 to 1000, not '2.5'"}},
    {"robot-delivery:n=1001", "robot-delivery", {"n must be a whole number from 1 to 1000, not '1001'"}},
    {"robot-delivery:n=1000000000000",
     "robot-delivery",
     {"n must be a whole number from 1 to 1000, not '1000000000000'"}},
    {"robot-delivery:n=three", "robot-delivery", {"n must be a whole number from 1 to 1000, not 'three'"}},
    {"robot-delivery:n=3x", "robot-delivery", {"n must be a whole number from 1 to 1000, not '3x'"}},
    {"robot-delivery:e=1/0", "robot-delivery", {"e must be a number from 0 to 1, not '1/0'"}},
    {"robot-delivery:e=1/", "robot-delivery", {"e must be a number from 0 to 1, not '1/'"}},
    {"robot-delivery:e=/3", "robot-delivery", {"e must be a number from 0 to 1, not '/3'"}},
    {"robot-delivery:f=-0.1", "robot-delivery", {"f must be a number from 0 to 1, not '-0.1'"}},
    {"rock-sample:n=16", "rock-sample", {"n must be a whole number from 1 to 15, not '16'"}},
    {"rock-sample:n=2,k=5", "rock-sample", {"k must be at most n*n = 4 for n=2, not '5'"}},
    {"frozen-lake:size=5",
     "frozen-lake",
     {"there are standard maps of size 4 and 8 only; for size 5 give a seed, such as seed=0"}},
    {"frozen-lake:size=201,seed=0", "frozen-lake", {"size must be a whole number from 2 to 200, not '201'"}},
    {"frozen-lake:seed=4294967296",
     "frozen-lake",
     {"seed must be a whole number from -1 to 4294967295, not '4294967296'"}},
    {"frozen-lake:kind=semi-slippery", "frozen-lake", {"kind must be one of det|semi|slippery, not 'semi-slippery'"}},
    {"even-odd:noise=-0.1", "even-odd", {"noise must be a number from 0 to 10, not '-0.1'"}},
    {"sepsis:from=720", "sepsis", {"from must be a whole number from 0 to 719, not '720'"}},
    {"sepsis:from=0", "sepsis", {"from must be a condition in which the patient is ill and alive, not 0"}},
    {"two-state-sensing:from=s3", "two-state-sensing", {"from must be one of s1|s2, not 's3'"}},
    /* several in one go, in their order */
    {"robot-delivery:n=0,m=3,f=2,e",
     "robot-delivery",
     {"n must be a whole number from 1 to 1000, not '0'", "there is no parameter 'm'; there are n, f, t, e, c, gamma",
      "f must be a number from 0 to 1, not '2'", "expected key=value, found 'e'"}},
    /* cut where it is too long to help */
    {"tag:c=1234567890123456789012345678901234567890x",
     "tag",
     {"c must be a positive number, or 0 for no requests, not '1234567890123456789012345678901234567...'"}},
};

static void test_wrong(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
    const wrong *w = &wrongs[i];
    glimpse_report *report = glimpse_report_new();
    int nothing;
    glimpse_model *model = (glimpse_model *)(void *)&nothing;
    glimpse_status status = glimpse_environment_make(w->spec, report, &model);
    if (status != GLIMPSE_BAD_ARGUMENT) fail_msg("'%s': status %s", w->spec, glimpse_status_text(status));
    assert_null(model);
    size_t expected = 0;
    while (expected < 4 && w->texts[expected]) expected++;
    if (glimpse_report_kept(report) != expected) fail_msg("'%s': %zu messages", w->spec, glimpse_report_kept(report));
    for (size_t k = 0; k < expected; k++) {
      const glimpse_message *message = glimpse_report_get(report, k);
      assert_string_equal(message->text, w->texts[k]);
      assert_string_equal(message->source, w->source);
      assert_int_equal(message->severity, GLIMPSE_ERROR);
      assert_int_equal(message->code, GLIMPSE_BAD_ARGUMENT);
      assert_int_equal(message->line, 0);
    }
    glimpse_report_free(report);
    assert_int_equal(glimpse_environment_make(w->spec, NULL, &model), GLIMPSE_BAD_ARGUMENT); /* no report, no crash */
  }
}

/* Any prefix, and any one byte replaced, is a model or an error, never a crash. */
static void test_mutilated(void **state) {
  (void)state;
  static const char spec[] = "robot-delivery:n=2,f=0.1,e=1/3,c=0.5";
  static const char bytes[] = "\x01 \"%,:=/.-9e\x7f\xff";
  char text[sizeof spec];
  glimpse_report *report = glimpse_report_new();
  for (size_t i = 0; i + 1 < sizeof spec; i++) {
    for (size_t k = 0; k < sizeof bytes; k++) { /* the last one is the zero: a prefix */
      memcpy(text, spec, sizeof spec);
      text[i] = bytes[k];
      if (!strncmp(text, "robot-delivery:n=9", 18)) continue;
      glimpse_model *model;
      glimpse_report_clear(report);
      glimpse_status status = glimpse_environment_make(text, report, &model);
      if (status) {
        assert_int_equal(status, GLIMPSE_BAD_ARGUMENT);
        assert_null(model);
        assert_true(glimpse_report_count(report, GLIMPSE_ERROR) > 0);
      } else {
        assert_non_null(model);
        assert_int_equal(glimpse_report_kept(report), 0);
      }
      glimpse_model_free(model);
    }
  }
  glimpse_report_free(report);
}

static glimpse_status make_and_free(void *context) {
  glimpse_model *model;
  glimpse_report *report = glimpse_report_new(); /* may be NULL: nothing is reported */
  glimpse_status status = glimpse_environment_make(context, report, &model);
  if (status) assert_null(model);
  glimpse_model_free(model);
  glimpse_report_free(report);
  return status;
}

static void test_out_of_memory(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=1",
                                      "tiger",
                                      "toy",
                                      "lemma2",
                                      "rock-sample:n=1,k=1",
                                      "loss",
                                      "frozen-lake:size=2,seed=1",
                                      "even-odd:noise=0",
                                      "inventory",
                                      "two-state-sensing",
                                      "maintenance"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    char spec[40];
    snprintf(spec, sizeof spec, "%s", specs[i]);
    assert_true(failing_malloc_sweep(make_and_free, spec) > 10);
  }
}

/* These are too large to try every allocation in a short test. */
static void check_out_of_memory(char *spec) {
  long live = failing_malloc_live();
  for (unsigned long n = 1; n < 60; n += 1 + n / 3) {
    failing_malloc_set(n, true);
    glimpse_status status = make_and_free(spec);
    unsigned long failures = failing_malloc_failures();
    failing_malloc_set(0, false);
    assert_true(failures > 0);
    assert_int_equal(status, GLIMPSE_NO_MEMORY);
    assert_int_equal(failing_malloc_live(), live);
  }
}

static void test_out_of_memory_in_large(void **state) {
  (void)state;
  char tag[] = "tag", snake[] = "snake", sepsis[] = "sepsis:steps=1", robot[] = "battery-robot";
  check_out_of_memory(tag);
  check_out_of_memory(snake);
  check_out_of_memory(sepsis);
  check_out_of_memory(robot);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_find),
      cmocka_unit_test(test_defaults_are_what_they_say),
      cmocka_unit_test(test_cost_and_discount),
      cmocka_unit_test(test_forms_of_numbers),
      cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_mutilated),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_out_of_memory_in_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
