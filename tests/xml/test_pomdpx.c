/* Pomdpx: models against closed forms, against the built-in tiger, and against a naive product of random tables.
 *
 * Covers xml/pomdpx_flatten.c, xml/pomdpx_functions.c, xml/pomdpx_names.c, xml/pomdpx_notes.c, xml/pomdpx_read.c,
 * xml/pomdpx_table.c, xml/pomdpx_variables.c. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "common/text.h"
#include "support/failing_malloc.h"
#include "support/pomdp.h"
#include "support/same_model.h"
#include "xml/model_file.h"
#include "xml/pomdpx.h"

static void print_findings(const glimpse_report *report) {
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    print_error("%s:%u:%u: %s\n", message->source, (unsigned)message->line, (unsigned)message->column, message->text);
  }
}

/* A file that is read without any finding, strictly. */
static glimpse_model *read_file(const char *path) {
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  glimpse_status status = model_file_read(path, &(glimpse_pomdp_options){.strict = true}, report, &model);
  print_findings(report);
  assert_int_equal(status, GLIMPSE_OK);
  assert_int_equal(glimpse_report_kept(report), 0);
  glimpse_report_free(report);
  return model;
}

static void reads_tiger(void **state) {
  (void)state;
  glimpse_model *read = read_file("tests/data/pomdpx/tiger.pomdpx"), *made;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &made), GLIMPSE_OK);
  same_model_check(read, made);
  glimpse_model_free(read);
  glimpse_model_free(made);
}

/* ---- house.pomdpx, from its description ---- */

static double house_door(unsigned push, unsigned before, unsigned after) {
  static const double pushed[2][2] = {{0.25, 0.75}, {0.5, 0.5}};
  return push ? pushed[before][after] : before == after;
}

static double house_lamp(unsigned speed, unsigned door, unsigned before, unsigned after) {
  if (speed == 0 && before == 0) return door ? !after : after ? 0.125 : 0.875;
  if (speed == 1 && door == 1) return before == after;
  return 0.5;
}

static double house_sound(unsigned push, unsigned lamp, unsigned sound) {
  if (push) return 0.5;
  return lamp ? sound : sound ? 0.25 : 0.75;
}

static double house_reward(unsigned push, unsigned speed, unsigned lamp, unsigned door_after, unsigned sound) {
  double comfort = lamp ? (speed ? 0.5 : 1.5) : 0;
  return comfort - (push ? 1 + 2 * door_after + sound : 0);
}

static void check_house_step(const glimpse_model *model, unsigned a, unsigned s, unsigned s2) {
  unsigned push = a / 2, speed = a % 2, door = s / 2, lamp = s % 2, door2 = s2 / 2, lamp2 = s2 % 2;
  double p = house_door(push, door, door2) * house_lamp(speed, door2, lamp, lamp2);
  assert_true(pomdp_t(model, a, s, s2) == p);
  for (unsigned o = 0; o < 4; o++) {
    double q = o % 2 == door2 ? house_sound(push, lamp2, o / 2) : 0;
    assert_true(pomdp_o(model, a, s2, o) == q);
    if (p > 0 && q > 0)
      assert_true(glimpse_model_reward_step(model, a, s, s2, o) == house_reward(push, speed, lamp, door2, o / 2));
  }
}

static void reads_house(void **state) {
  (void)state;
  static const char *const states[] = {"open_s0", "open_s1", "shut_s0", "shut_s1"};
  static const char *const actions[] = {"no_a1", "no_a2", "yes_a1", "yes_a2"};
  static const char *const seen[] = {"hum__open", "hum__shut", "bang___open", "bang___shut"};
  static const double start[] = {0.5, 0.5, 0, 0}, cost[] = {0.25, 0.25, 0.25, 2};
  glimpse_model *model = read_file("tests/data/pomdpx/house.pomdpx");
  assert_true(glimpse_model_discount(model) == 0.9);
  for (int kind = 0; kind < 3; kind++) assert_int_equal(glimpse_model_count(model, (glimpse_kind)kind), 4);
  for (unsigned i = 0; i < 4; i++) {
    assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, i), states[i]);
    assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, i), actions[i]);
    assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, i), seen[i]);
    assert_true(pomdp_start(model, i) == start[i]);
    assert_true(glimpse_model_cost(model, i) == cost[i]);
  }
  for (unsigned a = 0; a < 4; a++)
    for (unsigned s = 0; s < 4; s++)
      for (unsigned s2 = 0; s2 < 4; s2++) check_house_step(model, a, s, s2);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

/* ---- random factored models ---- */

/* A table over some of the variables (by their place in `random`) and, last, its own. */
struct factor {
  unsigned places[8], count, sizes[8];
  unsigned own; /* values of its own; 1 for a reward */
  double value[4096];
};

struct random {
  gli_random stream;
  unsigned states, seen, rewards;
  unsigned sizes[2], actions, heard[2];
  bool observed[2];
  struct factor start[2], step[2], hear[2], reward[2];
  struct text text;
};

/* Values of everything: action, states before, states behind, observations. */
enum { ACTION, BEFORE, BEHIND = 3, HEARD = 5, PLACES = 7 };

static unsigned size_of(const struct random *random, unsigned place) {
  return place == ACTION  ? random->actions
         : place < BEHIND ? random->sizes[place - BEFORE]
         : place < HEARD  ? random->sizes[place - BEHIND]
                          : random->heard[place - HEARD];
}

static unsigned below(struct random *random, unsigned count) {
  return (unsigned)gli_random_below(&random->stream, count);
}

static const char *const names[PLACES] = {"act", "x_0", "y_0", "x_1", "y_1", "u", "v"};

static double value_at(const struct factor *factor, const unsigned *values, unsigned own) {
  size_t at = 0;
  for (unsigned i = 0; i < factor->count; i++) at = at * factor->sizes[i] + values[factor->places[i]];
  return factor->value[at * factor->own + own];
}

/* Draws parents from the places that may be, and numbers of 1/8. */
static void draw(struct random *random, struct factor *factor, const unsigned *may, unsigned count, unsigned own,
                 bool reward) {
  size_t rows = 1;
  *factor = (struct factor){.own = own};
  for (unsigned i = 0; i < count; i++)
    if (below(random, 3)) {
      factor->sizes[factor->count] = size_of(random, may[i]);
      rows *= factor->sizes[factor->count];
      factor->places[factor->count++] = may[i];
    }
  for (unsigned i = factor->count; i > 1; i--) { /* in any order */
    unsigned k = below(random, i), place = factor->places[k], size = factor->sizes[k];
    factor->places[k] = factor->places[i - 1], factor->sizes[k] = factor->sizes[i - 1];
    factor->places[i - 1] = place, factor->sizes[i - 1] = size;
  }
  for (size_t row = 0; row < rows; row++) {
    if (reward) factor->value[row] = (double)below(random, 9) - 4;
    for (unsigned left = reward ? 0 : 8; left; left--) factor->value[row * own + below(random, own)] += 0.125;
  }
}

static const char *value_name(unsigned place, unsigned i) {
  static const char *const words[3] = {"low", "mid", "high"};
  static char numbered[16];
  if (place % 2) return words[i]; /* some have names, some numbers */
  snprintf(numbered, sizeof numbered, "%c%u", place == ACTION ? 'a' : place < HEARD ? 's' : 'o', i);
  return numbered;
}

/* One entry: a row, or with `turns` the rows of all values of the last parent; `own`: a cell, UINT_MAX: all. */
static void put_entry(struct random *random, const struct factor *factor, unsigned own_place, size_t row, bool turns,
                      unsigned own, bool reward) {
  struct text *text = &random->text;
  const char *tag = reward ? "ValueTable" : "ProbTable";
  size_t left = 1, rest = row, from = row * factor->own + (own == UINT_MAX ? 0 : own), count = 1;
  for (unsigned i = 0; i < factor->count; i++) left *= factor->sizes[i];
  text_put(text, "<Entry><Instance>");
  for (unsigned i = 0; i < factor->count; i++) {
    left /= factor->sizes[i];
    bool turn = turns && i + 1 == factor->count;
    text_print(text, "%s ", turn ? "-" : value_name(factor->places[i], (unsigned)(rest / left)));
    if (turn) count *= factor->sizes[i];
    rest %= left;
  }
  if (!reward) text_put(text, own == UINT_MAX ? "-" : value_name(own_place, own));
  if (own == UINT_MAX) count *= factor->own;
  text_print(text, "</Instance><%s>", tag);
  for (size_t k = 0; k < count; k++) {
    text_number(text, factor->value[from + k]);
    text_put(text, k % 3 ? "\n" : " ");
  }
  text_print(text, "</%s></Entry>\n", tag);
}

/* All rows, overwriting a first entry of *. */
static void put_factor(struct random *random, const struct factor *factor, unsigned own_place, const char *element,
                       const char *name, bool reward) {
  struct text *text = &random->text;
  size_t rows = 1;
  text_print(text, "<%s><Var>%s</Var><Parent>", element, name);
  for (unsigned i = 0; i < factor->count; i++) {
    text_print(text, "%s ", names[factor->places[i]]);
    rows *= factor->sizes[i];
  }
  text_print(text, "%s</Parent><Parameter type=\"TBL\">\n", factor->count ? "" : "null");
  text_put(text, "<Entry><Instance>");
  for (unsigned i = 0; i < factor->count + !reward; i++) text_put(text, "* ");
  text_print(text, "</Instance><%s>0.5</%s></Entry>\n", reward ? "ValueTable" : "ProbTable",
             reward ? "ValueTable" : "ProbTable");
  bool turns = factor->count && below(random, 2);
  for (size_t row = 0; row < rows; row += turns ? factor->sizes[factor->count - 1] : 1) {
    if (reward || turns || below(random, 2)) put_entry(random, factor, own_place, row, turns, UINT_MAX, reward);
    else
      for (unsigned own = 0; own < factor->own; own++) put_entry(random, factor, own_place, row, false, own, false);
  }
  text_print(text, "</Parameter></%s>\n", element);
}

static void put_variable(struct random *random, unsigned place, const char *head) {
  struct text *text = &random->text;
  unsigned size = size_of(random, place);
  text_put(text, head);
  if (place % 2) {
    text_put(text, "<ValueEnum>");
    for (unsigned i = 0; i < size; i++) text_print(text, " %s", value_name(place, i));
    text_put(text, "</ValueEnum>");
  } else {
    text_print(text, "<NumValues>%u</NumValues>", size);
  }
}

static void draw_model(struct random *random, uint64_t seed) {
  *random = (struct random){.stream = gli_random_stream(seed, "pomdpx", 0)};
  random->states = 1 + below(random, 2), random->seen = below(random, 3), random->rewards = 1 + below(random, 2);
  random->actions = 1 + below(random, 3);
  for (unsigned i = 0; i < 2; i++) {
    random->sizes[i] = 1 + below(random, 3), random->heard[i] = 1 + below(random, 3);
    random->observed[i] = !below(random, 3);
  }
  unsigned may[PLACES], count;
  for (unsigned i = 0; i < random->states; i++) { /* y may depend on x of the same time */
    count = 0;
    if (i) may[count++] = BEFORE;
    draw(random, &random->start[i], may, count, random->sizes[i], false);
    count = 0;
    may[count++] = ACTION;
    for (unsigned k = 0; k < random->states; k++) may[count++] = BEFORE + k;
    if (i) may[count++] = BEHIND;
    draw(random, &random->step[i], may, count, random->sizes[i], false);
  }
  count = 0;
  may[count++] = ACTION;
  for (unsigned k = 0; k < random->states; k++) may[count++] = BEHIND + k;
  for (unsigned i = 0; i < random->seen; i++) draw(random, &random->hear[i], may, count, random->heard[i], false);
  for (unsigned k = 0; k < random->states; k++) may[count++] = BEFORE + k;
  for (unsigned k = 0; k < random->seen; k++) may[count++] = HEARD + k;
  for (unsigned i = 0; i < random->rewards; i++) draw(random, &random->reward[i], may, count, 1, true);
}

static void put_model(struct random *random) {
  struct text *text = &random->text;
  char head[100], name[20];
  text_put(text, "<pomdpx version=\"1.0\"><Discount>0.5</Discount><Variable>\n");
  for (unsigned i = 0; i < random->states; i++) {
    snprintf(head, sizeof head, "<StateVar vnamePrev=\"%c_0\" vnameCurr=\"%c_1\"%s>", "xy"[i], "xy"[i],
             random -> observed[i] ? " fullyObs=\"true\"" : "");
    put_variable(random, BEHIND + i, head);
    text_put(text, "</StateVar>\n");
  }
  put_variable(random, ACTION, "<ActionVar vname=\"act\">");
  text_put(text, "</ActionVar>\n");
  for (unsigned i = 0; i < random->seen; i++) {
    snprintf(head, sizeof head, "<ObsVar vname=\"%c\">", "uv"[i]);
    put_variable(random, HEARD + i, head);
    text_put(text, "</ObsVar>\n");
  }
  for (unsigned i = 0; i < random->rewards; i++) text_print(text, "<RewardVar vname=\"r%u\"/>", i);
  text_put(text, "</Variable>\n<InitialStateBelief>\n");
  for (unsigned i = 0; i < random->states; i++) {
    put_factor(random, &random->start[i], BEFORE + i, "CondProb", names[BEFORE + i], false);
  }
  text_put(text, "</InitialStateBelief>\n<StateTransitionFunction>\n");
  for (unsigned i = random->states; i-- > 0;) { /* children first */
    put_factor(random, &random->step[i], BEHIND + i, "CondProb", names[BEHIND + i], false);
  }
  text_put(text, "</StateTransitionFunction>\n<ObsFunction>\n");
  for (unsigned i = 0; i < random->seen; i++) {
    put_factor(random, &random->hear[i], HEARD + i, "CondProb", names[HEARD + i], false);
  }
  text_put(text, "</ObsFunction>\n<RewardFunction>\n");
  for (unsigned i = 0; i < random->rewards; i++) {
    snprintf(name, sizeof name, "r%u", i);
    put_factor(random, &random->reward[i], 0, "Func", name, true);
  }
  text_put(text, "</RewardFunction></pomdpx>\n");
}

/* What is observed at these values, as a number. */
static uint32_t seen_of(const struct random *random, const unsigned *values) {
  uint32_t o = 0;
  for (unsigned i = 0; i < random->seen; i++) o = o * random->heard[i] + values[HEARD + i];
  for (unsigned i = 0; i < random->states; i++)
    if (random->observed[i]) o = o * random->sizes[i] + values[BEHIND + i];
  return o;
}

static uint32_t state_of(const struct random *random, const unsigned *values) {
  uint32_t s = 0;
  for (unsigned i = 0; i < random->states; i++) s = s * random->sizes[i] + values[i];
  return s;
}

static void check_step(const struct random *random, const glimpse_model *model, const unsigned *values) {
  uint32_t a = values[ACTION], s = state_of(random, values + BEFORE), s2 = state_of(random, values + BEHIND);
  double start = 1, p = 1, q = 1, reward = 0;
  for (unsigned i = 0; i < random->states; i++) {
    start *= value_at(&random->start[i], values, values[BEFORE + i]);
    p *= value_at(&random->step[i], values, values[BEHIND + i]);
  }
  for (unsigned i = 0; i < random->seen; i++) q *= value_at(&random->hear[i], values, values[HEARD + i]);
  for (unsigned i = 0; i < random->rewards; i++) reward += value_at(&random->reward[i], values, 0);
  assert_true(pomdp_start(model, s) == start);
  assert_true(pomdp_t(model, a, s, s2) == p);
  assert_true(pomdp_o(model, a, s2, seen_of(random, values)) == q);
  if (p > 0 && q > 0) assert_true(glimpse_model_reward_step(model, a, s, s2, seen_of(random, values)) == reward);
}

static void check_random(uint64_t seed) {
  struct random *random = calloc(1, sizeof *random);
  draw_model(random, seed);
  put_model(random);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  glimpse_status status = pomdpx_read(random->text.data, random->text.length, "random", NULL, report, &model);
  if (status) {
    print_error("seed %llu\n%s\n", (unsigned long long)seed, random->text.data);
    print_findings(report);
  }
  assert_int_equal(status, GLIMPSE_OK);
  unsigned values[PLACES] = {0};
  for (unsigned place = 0; place < PLACES;) { /* an odometer over everything */
    check_step(random, model, values);
    for (place = 0; place < PLACES; place++) {
      unsigned i = place < BEHIND ? place - BEFORE : place < HEARD ? place - BEHIND : place - HEARD;
      bool there = place == ACTION || i < (place < HEARD ? random->states : random->seen);
      if (there && ++values[place] < size_of(random, place)) break;
      values[place] = 0;
    }
  }
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
  glimpse_report_free(report);
  text_free(&random->text);
  free(random);
}

static void reads_random_products(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) check_random(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_tiger),
      cmocka_unit_test(reads_house),
      cmocka_unit_test(reads_random_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
