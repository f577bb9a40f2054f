/* Beside: the table of our results and published figures, of results made by hand. */
#include "experiment/beside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SETTINGS = 8, EPISODES = 4 };

/* Episode i of a setting earns `total` + i and half as much more without the discount. */
static char names[SETTINGS][2][60], none[] = "", one[] = "one"; /* results own theirs, so these are no constants */
static struct results_episode episodes[SETTINGS][EPISODES];
static struct results_setting settings[SETTINGS];
static struct results_part parts[SETTINGS];
static struct summary summaries[SETTINGS];

static struct results_experiment experiment = {.name = one, .title = none, .axis = none, .parts = parts};
static struct results results = {.settings = settings};

static void add(const char *environment, double cost, double discount, const char *planner, double total, double lower,
                double upper) {
  size_t at = experiment.count++;
  for (size_t i = 0; i < EPISODES; i++)
    episodes[at][i] = (struct results_episode){.seed = i,
                                               .total = total + (double)i,
                                               .undiscounted = 2 * total,
                                               .steps = 3,
                                               .requests = 2,
                                               .lower = lower,
                                               .upper = upper,
                                               .ended = true};
  snprintf(names[at][0], sizeof names[at][0], "%s", environment);
  snprintf(names[at][1], sizeof names[at][1], "%s", planner);
  settings[at] = (struct results_setting){.environment = names[at][0],
                                          .planner = names[at][1],
                                          .options = none,
                                          .cost = cost,
                                          .discount = discount,
                                          .budget = 100,
                                          .wanted = EPISODES,
                                          .episodes = episodes[at],
                                          .count = EPISODES};
  parts[at] = (struct results_part){.setting = at, .paper_seconds = NAN};
  results.setting_count = experiment.count;
  assert_true(summary_of(&summaries[at], &settings[at], NAN));
}

static void empty(void) {
  experiment.count = results.setting_count = 0;
}

static struct sheet build(void) {
  struct sheet sheet;
  struct variety variety = variety_of(&results, &experiment);
  assert_true(beside_build(&sheet, &results, &experiment, summaries, &variety));
  return sheet;
}

/* The cell of a row in a column. */
static const struct sheet_cell *cell(const struct sheet *sheet, size_t row, const char *key) {
  for (size_t i = 0; i < sheet->column_count; i++)
    if (sheet->columns[i].key && !strcmp(sheet->columns[i].key, key)) {
      assert_true(row * sheet->column_count + i < sheet->count);
      return &sheet->cells[row * sheet->column_count + i];
    }
  fail_msg("no column %s", key);
  return NULL;
}

static void check_text(const struct sheet *sheet, size_t row, const char *key, const char *text) {
  const char *found = cell(sheet, row, key)->text;
  assert_string_equal(found ? found : "", text);
}

static void check_number(const struct sheet *sheet, size_t row, const char *key, double value) {
  double found = cell(sheet, row, key)->value.mean;
  if (isnan(value) ? !isnan(found) : !(fabs(found - value) < 1e-9))
    fail_msg("row %zu, %s: %.9g, not %.9g", row, key, found, value);
}

/* The best possible is what all planners together prove; then ours; then all published rows of that price. */
static void test_group(void **state) {
  (void)state;
  empty();
  add("loss:c=0.05", 0.05, 0.95, "aems-loop", 0.8, 0.86, 0.88);
  add("loss", 0.05, 0.95, "spi", 0.7, 0.85, 0.87);
  add("tiger", 0.05, 0.95, "spi", 0.7, 0.85, 0.87); /* nobody has published on it */
  add("loss", 0.77, 0.95, "spi", 0.7, 0.85, 0.87);  /* nor at this price */
  struct sheet sheet = build();
  size_t rows = sheet.count / sheet.column_count, others = 0;
  assert_true(beside_any(&sheet) && rows * sheet.column_count == sheet.count);
  check_text(&sheet, 0, "algorithm", "best possible");
  check_text(&sheet, 0, "source", "proved");
  check_number(&sheet, 0, "lower", 0.86); /* of the same model under two names */
  check_number(&sheet, 0, "upper", 0.87);
  check_number(&sheet, 0, "return", NAN);
  for (size_t i = 0; i < rows; i++) others += cell(&sheet, i, "file")->text != NULL;
  size_t published = 0;
  for (size_t i = 0; published_get(i); i++) published += published_of(published_get(i), "loss", 0.05);
  assert_true(published > 2 && others == published);
  check_text(&sheet, 1, "algorithm", "aems-loop");
  check_text(&sheet, 1, "budget", "100 expansions");
  check_number(&sheet, 1, "return", 0.8 + 1.5);
  check_number(&sheet, 1, "return_undiscounted", 1.6);
  check_text(&sheet, 2, "algorithm", "spi");
  check_text(&sheet, 2, "budget", ""); /* it does not search */
  check_text(&sheet, 2, "episodes", "4");
  check_number(&sheet, 2, "requests", 2);
  check_text(&sheet, 3, "source", "ATM, ICAPS 2023");
  check_number(&sheet, 3, "return", NAN); /* theirs is not discounted */
  assert_false(isnan(cell(&sheet, 3, "return_undiscounted")->value.mean));
  assert_non_null(strstr(text_string(&sheet.note), "LAVA-LAB/ATM be9c4e9"));
  assert_null(strstr(text_string(&sheet.note), "acno_mdp"));
  sheet_free(&sheet);
}

/* Requests that are paid with the action are beside the same figures, at their own price and apart from the others. */
static void test_joint(void **state) {
  (void)state;
  empty();
  add("sepsis", 0.1 / 0.7, 0.7, "aems-loop", 0.75, 0.7, 0.8);
  add("sepsis:timing=joint", 0.1, 0.7, "aems-loop", 0.5, 0.4, 0.6);
  struct sheet sheet = build();
  size_t rows = sheet.count / sheet.column_count, half = rows / 2;
  assert_int_equal(rows, 2 * (2 + 5)); /* the best possible, ours, and theirs */
  check_text(&sheet, 0, "environment", "sepsis");
  check_number(&sheet, 0, "lower", 0.7);
  check_number(&sheet, 1, "return", 0.75 + 1.5);
  for (size_t i = half; i < rows; i++) {
    check_text(&sheet, i, "environment", "sepsis:timing=joint");
    check_text(&sheet, i, "cost", "0.1");
  }
  check_text(&sheet, half, "source", "proved");
  check_number(&sheet, half, "lower", 0.4);
  check_number(&sheet, half + 1, "return", 0.5 + 1.5);
  check_text(&sheet, half + 1, "episodes", "4");
  sheet_free(&sheet);
}

/* Maps that a published figure is the mean of are taken together; discounts are not. */
static void test_pool(void **state) {
  (void)state;
  empty();
  add("frozen-lake:size=12,seed=0", 0.05, 0.95, "aems-loop", 1, 1, 2);
  add("frozen-lake:size=12,seed=1,kind=semi", 0.05, 0.95, "aems-loop", 3, 2, 4);
  add("frozen-lake:size=12,seed=0", 0.05, 0.99, "aems-loop", 5, 5, 6);
  add("frozen-lake:size=12,seed=0,kind=det", 0.05, 0.95, "aems-loop", 9, 9, 9); /* other ice */
  struct sheet sheet = build();
  check_text(&sheet, 0, "algorithm", "best possible");
  check_text(&sheet, 0, "discount", "0.95");
  check_text(&sheet, 0, "source", "proved, mean of the maps");
  check_number(&sheet, 0, "lower", 1.5);
  check_number(&sheet, 0, "upper", 3);
  check_number(&sheet, 1, "return", 2 + 1.5);
  check_text(&sheet, 1, "episodes", "8");
  check_text(&sheet, 2, "algorithm", "best possible");
  check_text(&sheet, 2, "discount", "0.99");
  check_number(&sheet, 2, "lower", 5);
  check_number(&sheet, 3, "return", 5 + 1.5);
  check_text(&sheet, 4, "source", "ATM, ICAPS 2023");
  sheet_free(&sheet);
}

/* Nothing published: no rows.  No bounds: no best possible. */
static void test_nothing(void **state) {
  (void)state;
  empty();
  add("tiger", 1, 0.95, "spi", 1, 1, 2);
  add("models/loss.pomdp", 0.05, 0.95, "spi", 1, 1, 2);
  add("loss", NAN, 0.95, "spi", 1, 1, 2);
  struct sheet sheet = build();
  assert_false(beside_any(&sheet));
  sheet_free(&sheet);
  empty();
  add("loss", 0.05, 0.95, "pomcp", 1, NAN, NAN);
  sheet = build();
  check_text(&sheet, 0, "algorithm", "pomcp");
  check_text(&sheet, 0, "budget", "100 simulations");
  sheet_free(&sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_group), cmocka_unit_test(test_joint),
                                     cmocka_unit_test(test_pool), cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests_name("beside", tests, NULL, NULL);
}
