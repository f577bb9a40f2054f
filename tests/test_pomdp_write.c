/* The writer of .pomdp files: its exact text, and that what it writes reads again
 * as the same model, bit for bit. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/comma_locale.h"
#include "support/failing_malloc.h"
#include "support/pomdp.h"
#include "support/random_model.h"
#include "support/same_model.h"

static void check_text(const char *given, const char *expected) {
  glimpse_model *model = pomdp_read(given);
  char *written = pomdp_write(model, NULL);
  assert_string_equal(written, expected);
  free(written);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

static void writes_this(void **state) {
  (void)state;
  check_text(
      "# glimpse: cost 0.1\ndiscount: 0.95 values: cost states: here there actions: go stay\n"
      "observations: dark light start: there\n"
      "T: go 0.25 0.75 0 1\nT: stay identity\nO: * 0.85 0.15 0 1\nO: stay : there uniform\n"
      "R: * : * : * : * 1\nR: go : here : there : * -5\nR: stay : there : * : dark 0.5\nR: go : there : * : * 0\n",
      "# A POMDP written by glimpse.\n"
      "discount: 0.95\n"
      "values: reward\n"
      "states: here there\n"
      "actions: go stay\n"
      "observations: dark light\n"
      "# glimpse: cost 0.1\n"
      "start: there\n"
      "\n"
      "T: * : there : there 1\n"
      "T: go : here : here 0.25\n"
      "T: go : here : there 0.75\n"
      "T: stay : here : here 1\n"
      "\n"
      "O: * : here : dark 0.85\n"
      "O: * : here : light 0.15\n"
      "O: go : there : light 1\n"
      "O: stay : there : dark 0.5\n"
      "O: stay : there : light 0.5\n"
      "\n"
      "R: go : here : here : * -1\n"
      "R: go : here : there : * 5\n"
      "R: stay : here : * : * -1\n"
      "R: stay : there : * : dark -0.5\n"
      "R: stay : there : * : light -1\n");
}

static void writes_numbers_without_names(void **state) {
  (void)state;
  check_text("discount: 1 values: reward states: 3 actions: 1 observations: 1 start: 0.5 0 .5\n"
             "# glimpse: cost 0 1\n# glimpse: cost 1 2\n# glimpse: cost 2 0.3\nT: 0 identity O: 0 uniform\n",
             "# A POMDP written by glimpse.\ndiscount: 1\nvalues: reward\nstates: 3\nactions: 1\nobservations: 1\n"
             "# glimpse: cost 0 1\n# glimpse: cost 1 2\n# glimpse: cost 2 0.3\nstart exclude: 1\n\n"
             "T: 0 : 0 : 0 1\nT: 0 : 1 : 1 1\nT: 0 : 2 : 2 1\n\nO: 0 : 0 : 0 1\nO: 0 : 1 : 0 1\nO: 0 : 2 : 0 1\n\n");
  check_text(
      "discount: 0.5 values: reward states: 2 actions: 1 observations: 1 start: 0.25 .75 T: 0 uniform O: 0 uniform\n",
      "# A POMDP written by glimpse.\ndiscount: 0.5\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\n"
      "start: 0.25 0.75\n\nT: 0 : 0 : 0 0.5\nT: 0 : 0 : 1 0.5\nT: 0 : 1 : 0 0.5\nT: 0 : 1 : 1 0.5\n\n"
      "O: 0 : 0 : 0 1\nO: 0 : 1 : 0 1\n\n");
}

/* Lists are wrapped; keywords among the names do not begin a line. */
static void wraps_lists(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(60, 1, 60);
  for (uint32_t i = 0; i < 60; i++) {
    char name[40];
    snprintf(name, sizeof name, "position-%u", (unsigned)i);
    glimpse_builder_name(builder, GLIMPSE_STATE, i, i == 8 ? "T" : i == 9 ? "discount" : name);
    glimpse_builder_transition(builder, 0, i, 59 - i, 1);
    glimpse_builder_observation(builder, 0, i, i, 1);
    glimpse_builder_start(builder, i, i % 2 ? 1.0 / 30 : 0);
  }
  glimpse_builder_name(builder, GLIMPSE_ACTION, 0, "uniform");
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  size_t length, width = 0;
  char *written = pomdp_write(model, &length);
  for (char *line = strtok(written, "\n"); line; line = strtok(NULL, "\n"))
    if (strlen(line) > width) width = strlen(line);
  assert_in_range(width, 90, 113); /* 100, and the two keywords that were not wrapped */
  free(written);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

/* ---- random models ---- */

static const char *const strange[] = {"T", "O", "R", "start", "uniform", "reset", "include", "states", "cost", "a_-9"};

static void add_names(glimpse_builder *builder, gli_random *random, glimpse_kind kind, uint32_t count) {
  uint32_t style = gli_random_below(random, 3);
  if (style == 0) return;
  for (uint32_t i = 0; i < count; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s-%u", kind == GLIMPSE_STATE ? "s" : "x", (unsigned)i);
    bool odd = style == 2 && i < sizeof strange / sizeof *strange;
    assert_int_equal(glimpse_builder_name(builder, kind, i, odd ? strange[i] : name), GLIMPSE_OK);
  }
}

static uint32_t pick(gli_random *random, uint32_t count) {
  uint32_t i = gli_random_below(random, count + 1);
  return i == count ? GLIMPSE_ANY : i;
}

static void add_row(glimpse_builder *builder, gli_random *random, bool transition, uint32_t a, uint32_t s,
                    uint32_t columns) {
  double left = 1;
  uint32_t most = 1 + gli_random_below(random, columns < 5 ? columns : 5), first = gli_random_below(random, columns);
  for (uint32_t k = 0; k < most; k++) {
    double p = k + 1 == most ? left : left * gli_random_unit(random);
    left -= p;
    if (transition) glimpse_builder_transition(builder, a, s, (first + k) % columns, p);
    else glimpse_builder_observation(builder, a, s, (first + k) % columns, p);
  }
}

static glimpse_model *random_model(uint64_t seed) {
  gli_random random = gli_random_stream(seed, "write", 0);
  uint32_t states = 1 + gli_random_below(&random, 12), actions = 1 + gli_random_below(&random, 4);
  uint32_t observations = 1 + gli_random_below(&random, 6);
  glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
  add_names(builder, &random, GLIMPSE_STATE, states);
  add_names(builder, &random, GLIMPSE_ACTION, actions);
  add_names(builder, &random, GLIMPSE_OBSERVATION, observations);
  glimpse_builder_discount(builder, gli_random_below(&random, 4) ? gli_random_unit(&random) : 1);
  uint32_t priced = gli_random_below(&random, 3);
  for (uint32_t s = 0; priced && s < states; s++)
    glimpse_builder_cost(builder, s, priced == 1 ? 0.1 : 1e-9 + 3 * gli_random_unit(&random));
  uint32_t start = gli_random_below(&random, 4);
  for (uint32_t s = 0, left = 1 + gli_random_below(&random, states); start && s < left; s++)
    glimpse_builder_start(builder, s,
                          start == 1   ? s == 0
                          : start == 2 ? 1.0 / left
                                       : (2.0 * s + 1) / ((double)left * left));
  for (uint32_t s = 0; s < states; s++) {
    bool shared = gli_random_below(&random, 3) == 0;
    for (uint32_t a = 0; a < (shared ? 1 : actions); a++) {
      add_row(builder, &random, true, shared ? GLIMPSE_ANY : a, s, states);
      add_row(builder, &random, false, shared ? GLIMPSE_ANY : a, s, observations);
    }
  }
  for (uint32_t k = gli_random_below(&random, 40); k > 0; k--)
    glimpse_builder_reward(builder, pick(&random, actions), pick(&random, states), pick(&random, states),
                           pick(&random, observations), 10 * gli_random_unit(&random) - 5);
  glimpse_model *model = NULL;
  glimpse_status status = glimpse_builder_finish(builder, NULL, &model);
  if (status) fail_msg("seed %u: %s", (unsigned)seed, glimpse_status_text(status));
  glimpse_builder_free(builder);
  return model;
}

static void random_models_read_back(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    glimpse_model *model = random_model(seed);
    size_t length;
    char *written = pomdp_write(model, &length);
    glimpse_model *again = NULL;
    glimpse_status status = glimpse_pomdp_read(written, length, "test", NULL, NULL, &again);
    const char *difference = status ? glimpse_status_text(status) : same_model_difference(model, again);
    if (difference) fail_msg("seed %u: %s", (unsigned)seed, difference);
    free(written);
    glimpse_model_free(again);
    glimpse_model_free(model);
  }
}

static void shared_random_models_read_back(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    random_shape shape = random_model_shape(seed, 8, 4, 5);
    glimpse_model *model = random_model_make(seed, &shape);
    size_t length;
    char *written = pomdp_write(model, &length);
    glimpse_model *again = NULL;
    assert_int_equal(glimpse_pomdp_read(written, length, "test", NULL, NULL, &again), GLIMPSE_OK);
    const char *difference = same_model_difference(model, again);
    if (difference) fail_msg("seed %u: %s", (unsigned)seed, difference);
    free(written);
    glimpse_model_free(again);
    glimpse_model_free(model);
  }
}

/* ---- circumstances ---- */

static void ignores_the_locale(void **state) {
  (void)state;
  static const char text[] =
      "# glimpse: cost 0.125\ndiscount: 0.95\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\n"
      "start: 0.25 0.75\nT: 0 0.5 0.5 0.1 0.9\nO: 0 uniform\nR: 0 : 0 : * : * -1.5\n";
  glimpse_model *plain = pomdp_read(text);
  char *before = pomdp_write(plain, NULL);
  if (!comma_locale_enter()) {
    free(before);
    glimpse_model_free(plain);
    print_message("skipped: no locale with a decimal comma can be had on this machine\n");
    skip();
  }
  char comma[16];
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  glimpse_model *model = pomdp_read(text);
  char *after = pomdp_write(model, NULL);
  comma_locale_leave();
  assert_string_equal(comma, "1,5"); /* it was in force */
  same_model_check(plain, model);
  assert_string_equal(before, after);
  free(before);
  free(after);
  glimpse_model_free(plain);
  glimpse_model_free(model);
}

typedef struct miser {
  size_t left, calls;
} miser;

static bool refuse(void *context, const char *text, size_t length) {
  (void)text;
  miser *m = context;
  m->calls++;
  if (length > m->left) return false;
  m->left -= length;
  return true;
}

/* A sink that refuses is not called again. */
static void stops_when_refused(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(4000, 2, 1);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < 4000; s++) glimpse_builder_transition(builder, a, s, (s + a) % 4000, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  miser generous = {SIZE_MAX, 0};
  assert_int_equal(glimpse_pomdp_write(model, refuse, &generous), GLIMPSE_OK);
  assert_true(generous.calls > 2);
  for (size_t calls = 0; calls < generous.calls; calls++) {
    miser m = {calls * 60000, 0};
    assert_int_equal(glimpse_pomdp_write(model, refuse, &m), GLIMPSE_CANNOT_WRITE);
    assert_true(m.calls <= calls + 1);
  }
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

/* The same in the middle of many rewards. */
static void stops_in_rewards(void **state) {
  (void)state;
  enum { STATES = 300, ROOM = 1 << 16 };
  glimpse_builder *builder = glimpse_builder_new(STATES, 1, 20);
  for (uint32_t s = 0; s < STATES; s++) glimpse_builder_transition(builder, 0, s, (s + 1) % STATES, 1);
  for (uint32_t o = 0; o < 20; o++) glimpse_builder_observation(builder, 0, GLIMPSE_ANY, o, 0.05);
  for (uint32_t s = 0; s < STATES; s++)
    for (uint32_t o = 0; o < 20; o++) glimpse_builder_reward(builder, 0, s, (s + 1) % STATES, o, s + o / 32.0 + 0.5);
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  miser generous = {SIZE_MAX, 0};
  assert_int_equal(glimpse_pomdp_write(model, refuse, &generous), GLIMPSE_OK);
  assert_true(generous.calls >= 3);
  for (size_t calls = 0; calls < generous.calls; calls++) {
    miser m = {calls * ROOM, 0};
    assert_int_equal(glimpse_pomdp_write(model, refuse, &m), GLIMPSE_CANNOT_WRITE);
    assert_int_equal(m.calls, calls + 1);
  }
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

/* A name that is longer than what is written at a time. */
static void writes_long_names(void **state) {
  (void)state;
  enum { LENGTH = 70000 };
  char *name = malloc(LENGTH + 1);
  assert_non_null(name);
  memset(name, 'n', LENGTH);
  name[LENGTH] = 0;
  glimpse_builder *builder = glimpse_builder_new(2, 1, 1);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 0, name), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 1, "short"), GLIMPSE_OK);
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_transition(builder, 0, s, 1 - s, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  free(name);
  pomdp_check_round_trip(model);
  size_t length;
  free(pomdp_write(model, &length));
  assert_true(length > 3 * LENGTH); /* in the list, and in both rows */
  for (size_t room = 0; room < length; room += LENGTH / 3) {
    miser m = {room, 0};
    assert_int_equal(glimpse_pomdp_write(model, refuse, &m), GLIMPSE_CANNOT_WRITE);
  }
  glimpse_model_free(model);
}

/* Starts of every form. */
static void writes_starts(void **state) {
  (void)state;
  static const struct {
    double p[4];
    const char *text;
  } cases[] = {{{0.25, 0, 0.75, 0}, "\nstart: 0.25 0 0.75 0\n"},
               {{0, 0.5, 0, 0.5}, "\nstart include: b d\n"},
               {{0, 0, 1, 0}, "\nstart: uniform\n"},
               {{0, 1, 0, 0}, "\nstart: b\n"},
               {{0.25, 0.25, 0.25, 0.25}, "\nstart: uniform\n"},
               {{1.0 / 3, 1.0 / 3, 0, 1.0 / 3}, "\nstart exclude:"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const char *const names[] = {"a", "b", "uniform", "d"};
    glimpse_builder *builder = glimpse_builder_new(4, 1, 1);
    for (uint32_t s = 0; s < 4; s++) {
      glimpse_builder_name(builder, GLIMPSE_STATE, s, names[s]);
      glimpse_builder_transition(builder, 0, s, s, 1);
      if (cases[i].p[s] > 0) glimpse_builder_start(builder, s, cases[i].p[s]);
    }
    glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
    glimpse_model *model;
    assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
    glimpse_builder_free(builder);
    char *text = pomdp_write(model, NULL);
    bool alone = i == 2; /* the state of that name must not be read as the word */
    assert_non_null(strstr(text, alone ? "\nstart include: uniform\n" : cases[i].text));
    free(text);
    pomdp_check_round_trip(model);
    glimpse_model_free(model);
  }
}

static bool swallow(void *context, const char *text, size_t length) {
  (void)text;
  *(size_t *)context += length;
  return true;
}

static glimpse_status read_and_write(void *context) {
  glimpse_model *model;
  glimpse_report *report = glimpse_report_new();
  if (!report) return GLIMPSE_NO_MEMORY;
  glimpse_status status = glimpse_pomdp_read(context, strlen(context), "test", NULL, report, &model);
  size_t length = 0;
  if (!status) status = glimpse_pomdp_write(model, swallow, &length);
  glimpse_report_free(report);
  glimpse_model_free(model);
  return status;
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  static char text[] =
      "# glimpse: cost left 1\n# glimpse: cost right 2\ndiscount: 0.9\nvalues: rewards\nstates: left right\n"
      "actions: go stay\nobservations: none some\nstart include: left\nT: go uniform\nT: stay identity\n"
      "O: * uniform\nO: go : left 0.5 0.4999\nR: go : * : left : some 1\nR: * : left : * : * 2\n";
  static char mdp[] = "discount: 0.9\nvalues: reward\nstates: left right\nactions: 2\nstart: 0.5 0.5\nT: * "
                      "identity\nR: * : left : * 1\n";
  assert_true(failing_malloc_sweep(read_and_write, text) > 20);
  assert_true(failing_malloc_sweep(read_and_write, mdp) > 10);
}

/* Reads one text over and over; true when it always gives the same model. */
static void *read_often(void *context) {
  const char *text = context;
  glimpse_model *first = NULL;
  bool good = glimpse_pomdp_read(text, strlen(text), "thread", NULL, NULL, &first) == GLIMPSE_OK;
  for (int i = 0; good && i < 200; i++) {
    glimpse_model *model = NULL;
    good = glimpse_pomdp_read(text, strlen(text), "thread", NULL, NULL, &model) == GLIMPSE_OK &&
           !same_model_difference(first, model);
    glimpse_model_free(model);
  }
  glimpse_model_free(first);
  return good ? context : NULL;
}

static void threads_read_at_once(void **state) {
  (void)state;
  static char texts[3][160] = {
      "discount: 0.5\nstates: x y\nactions: 1\nobservations: u\nT: 0 uniform\nO: 0 uniform\nR: 0 : x : * : u 1\n",
      "discount: 0.9\nstates: 3\nactions: a b\nT: * identity\n# glimpse: cost 2\nR: a : 1 : * 5\n",
      "states: T O R\nactions: R\nobservations: O\nT: R : * reset\nO: R uniform\nstart: T\n",
  };
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, read_often, texts[i]), 0);
  for (int i = 0; i < 3; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    assert_ptr_equal(result, texts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_this),
      cmocka_unit_test(writes_numbers_without_names),
      cmocka_unit_test(wraps_lists),
      cmocka_unit_test(random_models_read_back),
      cmocka_unit_test(shared_random_models_read_back),
      cmocka_unit_test(ignores_the_locale),
      cmocka_unit_test(stops_when_refused),
      cmocka_unit_test(stops_in_rewards),
      cmocka_unit_test(writes_long_names),
      cmocka_unit_test(writes_starts),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(threads_read_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
