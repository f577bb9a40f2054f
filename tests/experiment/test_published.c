/* Published: the data against sums and figures read off the paper and the data files by hand, the look-up, and the rule
 * of agreement against its formula worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "experiment/published.h"

enum { TABLES = PUBLISHED_QMDP_C + 1 };

static void check_close(double a, double b) {
  if (!(fabs(a - b) <= 1e-9)) fail_msg("%.17g, should be %.17g", a, b);
}

/* Rows, and the sums of the columns of each table. */
static void test_data(void **state) {
  (void)state;
  static const struct {
    size_t rows;
    double returns, expansions, reductions; /* sums */
  } known[TABLES] = {{36, -53.25, 70311, 592.1},
                     {24, -2.49, 55436, 1041.2},
                     {45, 58.01, 120981, 831.1},
                     {45, 54.12, 120844, 644.1},
                     {45, 47.72, 148672, 445.6}};
  size_t rows[TABLES] = {0};
  double returns[TABLES] = {0}, expansions[TABLES] = {0}, reductions[TABLES] = {0};
  for (size_t i = 0; published_get(i); i++) {
    const struct published_row *row = published_get(i);
    assert_true(!row->file == ((int)row->source < TABLES));
    if (row->file) continue;
    rows[row->source]++;
    returns[row->source] += row->total.mean;
    bool pomcp = !strcmp(row->algorithm, "pomcp");
    assert_true(pomcp == isnan(row->expansions.mean) && pomcp == isnan(row->error_reduction.mean));
    assert_true(pomcp == !*row->upper && !isnan(row->total.se));
    if (pomcp) continue;
    expansions[row->source] += row->expansions.mean;
    reductions[row->source] += row->error_reduction.mean;
  }
  for (int t = 0; t < TABLES; t++) {
    assert_int_equal(rows[t], known[t].rows);
    if (fabs(returns[t] - known[t].returns) > 1e-6 || fabs(expansions[t] - known[t].expansions) > 1e-6 ||
        fabs(reductions[t] - known[t].reductions) > 1e-6)
      fail_msg("%s: sums %.2f %.0f %.1f", published_source_name((enum published_source)t), returns[t], expansions[t],
               reductions[t]);
  }
}

/* Rows of data files: their number and the sums of their returns, and that each is well formed. */
static void test_files(void **state) {
  (void)state;
  static const struct {
    size_t rows;
    double returns;
  } known[PUBLISHED_SOURCES] = {
      [PUBLISHED_ATM] = {127, 76.02974}, [PUBLISHED_RAM] = {4, 2.48626}, [PUBLISHED_ACNO] = {5, 3.12093}};
  size_t rows[PUBLISHED_SOURCES] = {0};
  double returns[PUBLISHED_SOURCES] = {0};
  for (size_t i = 0; published_get(i); i++) {
    const struct published_row *row = published_get(i);
    if (!row->file) continue;
    rows[row->source]++;
    returns[row->source] += row->total.mean;
    assert_true(*row->file && *row->window && row->episodes > 0 && row->runs > 0 && row->cost > 0);
    assert_true(isnan(row->total.se) == (row->runs == 1) && isnan(row->steps) == isnan(row->requests));
    assert_true(*published_source_place(row->source) && *published_source_returns(row->source));
  }
  for (int t = TABLES; t < PUBLISHED_SOURCES; t++)
    if (rows[t] != known[t].rows || fabs(returns[t] - known[t].returns) > 1e-6)
      fail_msg("%s: %zu rows, sum %.5f", published_source_name((enum published_source)t), rows[t], returns[t]);
  assert_string_equal(published_source_name(PUBLISHED_SOURCES), "");
  assert_string_equal(published_source_place(PUBLISHED_MAIN_1), "");
}

static const struct published_row *find(const char *environment, double cost, double discount, const char *planner,
                                        const char *upper, const char *improve, double seconds, double expansions) {
  struct published_key key = {environment, cost, discount, planner, upper, improve, seconds, expansions};
  return published_find(&key);
}

static void test_found(void **state) {
  (void)state;
  static const struct {
    const char *environment;
    double cost, discount;
    const char *planner, *upper, *improve;
    double seconds, expansions, total, se, reduction;
  } known[] = {
      {"robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN, 1.38, 0.01, 24.1},
      {"robot-delivery", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.5, NAN, 2.49, 0.03, 42.4},
      {"robot-delivery:f=0.1,e=1/3,n=5,t=.8", 0.1, 0.99, "aems-sr", "fib-sr", "paper", 1, NAN, 2.21, 0.02, 67.4},
      {"robot-delivery:n=7", 0.1, 0.99, "aems", "qmdp", "none", 0.1, NAN, 0.94, 0.00, 2.5},
      {"robot-delivery:n=5,f=0.2", 0.1, 0.99, "aems-sr", "qmdp", "paper", 0.5, NAN, 2.10, 0.03, 50.4},
      {"robot-delivery:n=3", 0.25, 0.99, "aems-sr", "qmdp", "none", 1, NAN, 1.65, 0.00, 37.6},
      {"tag", 1, 0.95, "aems-sr", "fib-sr", "sound", 1, NAN, -4.53, 0.09, 82.2},
      {"tag:prey=paper", 1, 0.95, "aems", "fib-sr", "none", 0.1, NAN, -6.30, 0.06, 54.7},
      {"tag", 1, 0.95, "pomcp", NULL, NULL, 0.5, NAN, -17.45, 0.06, NAN},
      {"robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", NAN, 20035, 2.50, 0.03, 43.7},
      {"robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, 77, 1.38, 0.01, 24.1}, /* the time decides */
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct published_row *row = find(known[i].environment, known[i].cost, known[i].discount, known[i].planner,
                                           known[i].upper, known[i].improve, known[i].seconds, known[i].expansions);
    if (!row) fail_msg("%s, %s: not found", known[i].environment, known[i].planner);
    check_close(row->total.mean, known[i].total);
    check_close(row->total.se, known[i].se);
    if (isnan(known[i].reduction)) assert_true(isnan(row->error_reduction.mean));
    else check_close(row->error_reduction.mean, known[i].reduction);
  }
}

static void test_not_found(void **state) {
  (void)state;
  assert_null(find("robot-delivery:n=4", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3,f=0.3", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3,t=0.5", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3,e=0.5", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.2, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", NAN, 0.99, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.95, "aems-sr", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-loop", "fib-sr", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib", "none", 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-sr", NULL, NULL, 0.1, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", 0.2, NAN));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", NAN, 2526));
  assert_null(find("robot-delivery:n=3", 0.1, 0.99, "aems-sr", "fib-sr", "none", NAN, NAN));
  assert_null(find("tag:prey=classic", 1, 0.95, "aems", "fib-sr", "none", 0.1, NAN));
  assert_null(find("tagged", 1, 0.95, "aems", "fib-sr", "none", 0.1, NAN));
  assert_null(find("models/tag.pomdp", 1, 0.95, "aems", "fib-sr", "none", 0.1, NAN));
}

/* Names of environments: defaults, numbers and words, any value; price and discount do not count. */
static void test_same(void **state) {
  (void)state;
  assert_true(published_same("frozen-lake", "frozen-lake:kind=semi,size=4"));
  assert_true(published_same("frozen-lake:c=3,gamma=0.5,size=4", "frozen-lake"));
  assert_false(published_same("frozen-lake:kind=det", "frozen-lake"));
  assert_false(published_same("frozen-lake:size=8", "frozen-lake"));
  assert_true(published_same("frozen-lake:size=8,seed=3", "frozen-lake:size=8,seed=any"));
  assert_false(published_same("frozen-lake:size=8", "frozen-lake:size=8,seed=any")); /* the standard map */
  assert_false(published_same("frozen-lake:size=9,seed=3", "frozen-lake:size=8,seed=any"));
  assert_false(published_same("frozen-lake:seed=1000", "frozen-lake:seed=1001"));
  assert_true(published_same("robot-delivery:e=1/3", "robot-delivery"));
  assert_false(published_same("loss:timing=joint", "loss"));
  assert_true(published_joint("loss:c=1,timing=joint") && !published_joint("loss:timing=before"));
  assert_false(published_joint("loss"));
  assert_false(published_same("tiger", "toy"));
  assert_false(published_same("tiger.pomdp", "tiger.pomdp"));
  assert_false(published_same("frozen-lakes", "frozen-lake"));
}

/* Rows of data files by environment and price, whatever planner and discount. */
static void test_of(void **state) {
  (void)state;
  static const struct {
    const char *environment;
    double cost;
    size_t rows;
  } known[] = {{"loss", 0.05, 4},
               {"loss:gamma=0.99", 0.05, 4},
               {"loss", 0.055, 0},
               {"loss:p=0.7", 0.05, 0},
               {"loss", 0.01, 1},
               {"frozen-lake:size=4,kind=semi", 0.05, 5},
               {"frozen-lake:size=12,seed=2", 0.05, 3},
               {"snake", 0.001, 4},
               {"sepsis", 0.1 / 0.7, 5},
               {"sepsis", 0.1, 0},
               {"sepsis:timing=joint", 0.1, 5}, /* paid with the action, as published */
               {"sepsis:timing=joint", 0.1 / 0.7, 0},
               {"sepsis:gamma=0.5,timing=joint", 0.1, 0},
               {"loss:timing=joint", 0.05, 4}, /* not discounted: the same price */
               {"loss:timing=joint", 0.055, 0},
               {"robot-delivery", 0.1, 0}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t rows = 0;
    for (size_t i = 0; published_get(i); i++)
      rows += published_of(published_get(i), known[k].environment, known[k].cost);
    if (rows != known[k].rows) fail_msg("%s: %zu rows", known[k].environment, rows);
  }
}

static void test_parameter(void **state) {
  (void)state;
  double value = 7;
  assert_true(published_parameter("a:n=3,f=0.25", "n", &value));
  check_close(value, 3);
  assert_true(published_parameter("a:n=3,f=0.25", "f", &value));
  check_close(value, 0.25);
  assert_true(published_parameter("a:e=1/4", "e", &value));
  check_close(value, 0.25);
  assert_false(published_parameter("a:n=3", "m", &value));
  assert_false(published_parameter("n=3", "n", &value));
  assert_false(published_parameter("a:nn=3", "n", &value));
  assert_false(published_parameter("a:n=", "n", &value));
  assert_false(published_parameter("a:n=three", "n", &value));
  assert_false(published_parameter("a:n=3x", "n", &value));
  assert_false(published_parameter("a:n=1/0", "n", &value));
  assert_false(published_parameter("a", "n", &value));
}

/* Ours 1 +- h; the paper's 1 + d with s.e. 0.01 and unit 0.01: half of its interval is 1.96 * 0.015 = 0.0294, so
 * that with h = 0.0392 the roots add up to 0.0490 and the rounding to 0.0540. */
static void test_agreement(void **state) {
  (void)state;
  glimpse_statistic ours = {1, 0.02, 1 - 0.0392, 1 + 0.0392};
  assert_int_equal(published_compare(ours, (struct published_figure){1 + 0.0539, 0.01, 0.01}), PUBLISHED_AGREES);
  assert_int_equal(published_compare(ours, (struct published_figure){1 - 0.0539, 0.01, 0.01}), PUBLISHED_AGREES);
  assert_int_equal(published_compare(ours, (struct published_figure){1 + 0.0541, 0.01, 0.01}), PUBLISHED_LOWER);
  assert_int_equal(published_compare(ours, (struct published_figure){1 - 0.0541, 0.01, 0.01}), PUBLISHED_HIGHER);
  /* Nothing varies: what is printed may have been rounded from ours. */
  glimpse_statistic certain = {0.978, 0, 0.978, 0.978};
  assert_int_equal(published_compare(certain, (struct published_figure){0.98, 0, 0.01}), PUBLISHED_AGREES);
  assert_int_equal(published_compare(certain, (struct published_figure){0.95, 0, 0.01}), PUBLISHED_HIGHER);
  /* An interval in which anything fits proves nothing, one that excludes the figure does. */
  glimpse_statistic wide = {1.2, 0.3, 0.6, 1.8};
  assert_int_equal(published_compare(wide, (struct published_figure){1, 0.01, 0.01}), PUBLISHED_UNSURE);
  assert_int_equal(published_compare(wide, (struct published_figure){3, 0.01, 0.01}), PUBLISHED_LOWER);
  glimpse_statistic negative = {-4.5, 0.5, -5.5, -3.5};
  assert_int_equal(published_compare(negative, (struct published_figure){-4.66, 0.06, 0.01}), PUBLISHED_AGREES);
  glimpse_statistic single = {1, NAN, NAN, NAN}, none = {NAN, NAN, NAN, NAN};
  assert_int_equal(published_compare(single, (struct published_figure){1, 0.01, 0.01}), PUBLISHED_TOO_FEW);
  assert_int_equal(published_compare(none, (struct published_figure){1, 0.01, 0.01}), PUBLISHED_NO_FIGURE);
  assert_int_equal(published_compare(ours, (struct published_figure){NAN, NAN, 0.01}), PUBLISHED_NO_FIGURE);
  assert_string_equal(published_verdict_text(PUBLISHED_LOWER), "lower");
  assert_string_equal(published_verdict_text(PUBLISHED_TOO_FEW), "-");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_data),      cmocka_unit_test(test_files),
                                     cmocka_unit_test(test_same),      cmocka_unit_test(test_of),
                                     cmocka_unit_test(test_found),     cmocka_unit_test(test_not_found),
                                     cmocka_unit_test(test_parameter), cmocka_unit_test(test_agreement)};
  return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
