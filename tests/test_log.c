/* Log: the last assignment wins.  Random sequences of assignments, with every
 * mixture of wildcards and whole rows, against arrays that are assigned to
 * directly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/log.h"
#include "support/failing_malloc.h"

enum { MOST = 5 };

/* ---- the reference ---- */

typedef struct reference {
  uint32_t states, actions, columns;
  double cell[MOST][MOST][MOST]; /* a, s, column */
  double start[MOST];
} reference;

static void assign(reference *r, uint32_t a, uint32_t s, uint32_t column, double value) {
  for (uint32_t i = 0; i < r->actions; i++)
    for (uint32_t j = 0; j < r->states; j++) {
      if ((a != GLIMPSE_ANY && a != i) || (s != GLIMPSE_ANY && s != j)) continue;
      for (uint32_t c = 0; c < r->columns; c++) {
        double *cell = &r->cell[i][j][c];
        if (column == GLI_LOG_FILL || column == c) *cell = value;
        else if (column == GLI_LOG_UNIFORM) *cell = 1.0 / r->columns;
        else if (column == GLI_LOG_IDENTITY) *cell = c == j;
        else if (column == GLI_LOG_RESET) *cell = r->start[c];
      }
    }
}

/* ---- both at once ---- */

typedef struct sums {
  double sum[MOST][MOST];
  bool valid;
  uint32_t calls;
} sums;

static bool note_sum(void *context, uint32_t a, uint32_t s, double sum) {
  sums *noted = context;
  noted->sum[a][s] = sum;
  noted->calls++;
  return noted->valid;
}

static uint32_t any_index(gli_random *random, uint32_t count) {
  return gli_random_below(random, 3) ? gli_random_below(random, count) : GLIMPSE_ANY;
}

static uint32_t any_column(gli_random *random, const reference *r) {
  if (gli_random_below(random, 4)) return gli_random_below(random, r->columns);
  switch (gli_random_below(random, 4)) {
    case 0: return GLI_LOG_FILL;
    case 1: return GLI_LOG_UNIFORM;
    case 2: return r->columns == r->states ? GLI_LOG_IDENTITY : GLI_LOG_FILL;
    default: return r->columns == r->states ? GLI_LOG_RESET : GLI_LOG_UNIFORM;
  }
}

static void fill(gli_log *log, reference *r, gli_random *random) {
  static const double values[] = {0, 0, 0.25, 0.5, 1, 3};
  uint32_t length = gli_random_below(random, 60);
  for (uint32_t i = 0; i < length; i++) {
    uint32_t a = any_index(random, r->actions), s = any_index(random, r->states), c = any_column(random, r);
    double value = gli_random_below(random, 2) ? gli_random_unit(random) : values[gli_random_below(random, 6)];
    assert_int_equal(gli_log_add(log, a, s, c, value), GLIMPSE_OK);
    assign(r, a, s, c, value);
  }
}

static void compare_row(const reference *r, const sums *noted, glimpse_row row, uint32_t a, uint32_t s, unsigned seed) {
  double sum = 0;
  size_t n = 0;
  for (uint32_t c = 0; c < r->columns; c++) sum += r->cell[a][s][c];
  if (!(fabs(noted->sum[a][s] - sum) <= 1e-14 * (1 + sum)))
    fail_msg("seed %u: row (%u,%u) sums to %.17g, expected %.17g", seed, a, s, noted->sum[a][s], sum);
  for (uint32_t c = 0; c < r->columns; c++) {
    if (r->cell[a][s][c] == 0) continue;
    if (n >= row.count || row.index[n] != c) fail_msg("seed %u: row (%u,%u) lacks column %u", seed, a, s, c);
    double expected = r->cell[a][s][c] / sum;
    if (!(fabs(row.value[n] - expected) <= 1e-14)) fail_msg("seed %u: (%u,%u,%u) is wrong", seed, a, s, c);
    n++;
  }
  if (n != row.count) fail_msg("seed %u: row (%u,%u) has %zu entries, expected %zu", seed, a, s, row.count, n);
}

static void test_random_sequences(void **state) {
  (void)state;
  for (unsigned seed = 0; seed < 3000; seed++) {
    gli_random random = gli_random_stream(seed, "log", 0);
    static reference r;
    memset(&r, 0, sizeof r);
    r.states = 1 + gli_random_below(&random, MOST);
    r.actions = 1 + gli_random_below(&random, MOST);
    r.columns = gli_random_below(&random, 2) ? r.states : 1 + gli_random_below(&random, MOST);
    uint32_t indices[2] = {0, r.states - 1};
    double values[2] = {0.25, 0.75};
    glimpse_row start = {r.states > 1 ? 2 : 1, indices, r.states > 1 ? values : (double[]){1}};
    for (size_t i = 0; i < start.count; i++) r.start[start.index[i]] = start.value[i];
    gli_log log;
    gli_log_start(&log, r.states, r.actions, r.columns);
    fill(&log, &r, &random);
    sums noted = {.valid = true};
    gli_table table;
    assert_int_equal(gli_log_resolve(&log, start, (gli_log_judge){&noted, note_sum}, &table), GLIMPSE_OK);
    assert_int_equal(noted.calls, r.actions * r.states);
    for (uint32_t a = 0; a < r.actions; a++)
      for (uint32_t s = 0; s < r.states; s++)
        compare_row(&r, &noted, gli_table_row(&table, a * r.states + s), a, s, seed);
    gli_table_free(&table);
    gli_log_free(&log);
  }
}

/* Rows whose sum is 1 keep their bits; all rows are judged before it fails. */
static void test_bits_and_verdict(void **state) {
  (void)state;
  gli_log log;
  gli_log_start(&log, 2, 1, 3);
  for (uint32_t c = 0; c < 3; c++) {
    assert_int_equal(gli_log_add(&log, 0, 0, c, c == 1 ? 0.7 : 0.15), GLIMPSE_OK);
    assert_int_equal(gli_log_add(&log, 0, 1, c, 0.5), GLIMPSE_OK);
  }
  sums noted = {.valid = true};
  gli_table table;
  assert_int_equal(gli_log_resolve(&log, (glimpse_row){0}, (gli_log_judge){&noted, note_sum}, &table), GLIMPSE_OK);
  glimpse_row row = gli_table_row(&table, 0);
  assert_true(row.value[0] == 0.15 && row.value[1] == 0.7 && row.value[2] == 0.15);
  assert_true(gli_table_row(&table, 1).value[0] == 0.5 / 1.5);
  gli_table_free(&table);
  noted = (sums){.valid = false};
  assert_int_equal(gli_log_resolve(&log, (glimpse_row){0}, (gli_log_judge){&noted, note_sum}, &table),
                   GLIMPSE_BAD_MODEL);
  assert_int_equal(noted.calls, 2);
  assert_null(table.row);
  gli_log_free(&log);
}

static bool accept(void *context, uint32_t a, uint32_t s, double sum) {
  (void)context, (void)a, (void)s;
  return fabs(sum - 1) < 1e-9;
}

/* What is overwritten later in the same rows costs nothing.  Without that, the
 * first of these shapes takes 10^11 steps. */
static void test_overwritten_is_free(void **state) {
  (void)state;
  enum { STATES = 400, TIMES = 600000 };
  static const uint32_t rows[4][2] = {{GLIMPSE_ANY, GLIMPSE_ANY}, {0, GLIMPSE_ANY}, {GLIMPSE_ANY, 7}, {0, 7}};
  for (int shape = 0; shape < 4; shape++) {
    gli_log log;
    gli_log_start(&log, STATES, 1, STATES);
    assert_int_equal(gli_log_add(&log, GLIMPSE_ANY, GLIMPSE_ANY, GLI_LOG_IDENTITY, 0), GLIMPSE_OK);
    for (uint32_t i = 1; i <= TIMES; i++) {
      uint32_t column = i % 4 == 0 ? GLI_LOG_UNIFORM : i % 4 == 1 ? 3 : i % 4 == 2 ? GLI_LOG_FILL : GLI_LOG_RESET;
      assert_int_equal(gli_log_add(&log, rows[shape][0], rows[shape][1], column, 0.5), GLIMPSE_OK);
    }
    gli_table table;
    uint32_t zero = 0;
    double one = 1;
    assert_int_equal(gli_log_resolve(&log, (glimpse_row){1, &zero, &one}, (gli_log_judge){NULL, accept}, &table),
                     GLIMPSE_OK);
    for (uint32_t s = 0; s < STATES; s++) {
      bool assigned = rows[shape][1] == GLIMPSE_ANY || s == 7;
      assert_int_equal(gli_table_row(&table, s).count, assigned ? STATES : 1);
    }
    gli_table_free(&table);
    gli_log_free(&log);
  }
}

/* The same for a column that is assigned again and again: 10^10 steps. */
static void test_repeated_column_is_free(void **state) {
  (void)state;
  enum { STATES = 20000, TIMES = 1000000 };
  gli_log log;
  gli_log_start(&log, STATES, 1, 2);
  for (uint32_t i = 1; i <= TIMES; i++)
    assert_int_equal(gli_log_add(&log, i % 4 ? GLIMPSE_ANY : 0, GLIMPSE_ANY, i % 2, i < TIMES - 1 ? 3 : 0.5),
                     GLIMPSE_OK);
  gli_table table;
  assert_int_equal(gli_log_resolve(&log, (glimpse_row){0}, (gli_log_judge){NULL, accept}, &table), GLIMPSE_OK);
  assert_int_equal(table.row[STATES], 2 * STATES);
  gli_table_free(&table);
  gli_log_free(&log);
}

/* Tables that would be too large count as what they come to in the end: 25,000 rows of
 * 25,000 columns are more than there may be, but the rows need not be full. */
static void test_large_on_paper(void **state) {
  (void)state;
  enum { STATES = 25000 };
  static const struct {
    uint32_t column; /* what is said last of every row */
    double value;
    uint64_t count; /* entries of the table; 0: too large */
  } cases[] = {{GLI_LOG_IDENTITY, 1, STATES},   {GLI_LOG_RESET, 1, STATES}, {GLI_LOG_FILL, 0, 0},
               {GLI_LOG_FILL, 1.0 / STATES, 0}, {GLI_LOG_UNIFORM, 0, 0},    {7, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gli_log log;
    gli_log_start(&log, STATES, 1, STATES);
    assert_int_equal(gli_log_add(&log, GLIMPSE_ANY, GLIMPSE_ANY, GLI_LOG_UNIFORM, 0), GLIMPSE_OK);
    assert_int_equal(gli_log_add(&log, GLIMPSE_ANY, GLIMPSE_ANY, cases[i].column, cases[i].value), GLIMPSE_OK);
    gli_table table = {0};
    uint32_t start = 3;
    double one = 1;
    glimpse_status status =
        gli_log_resolve(&log, (glimpse_row){1, &start, &one}, (gli_log_judge){NULL, accept}, &table);
    if (cases[i].count) {
      assert_int_equal(status, GLIMPSE_OK);
      assert_int_equal(table.row[STATES], cases[i].count);
    } else { /* an empty row is no distribution */
      bool empty = cases[i].column == GLI_LOG_FILL && cases[i].value == 0;
      assert_int_equal(status, empty ? GLIMPSE_BAD_MODEL : GLIMPSE_TOO_LARGE);
    }
    gli_table_free(&table);
    gli_log_free(&log);
  }
}

static glimpse_status job_log(void *context) {
  (void)context;
  gli_log log;
  gli_log_start(&log, 3, 2, 20);
  glimpse_status status = GLIMPSE_OK;
  for (uint32_t i = 0; i < 60 && !status; i++)
    status = gli_log_add(&log, i % 3 ? i % 2 : GLIMPSE_ANY, i % 4 ? i % 3 : GLIMPSE_ANY, i % 20, 0.25);
  if (!status) status = gli_log_add(&log, GLIMPSE_ANY, GLIMPSE_ANY, GLI_LOG_UNIFORM, 0);
  gli_table table = {0};
  if (!status) status = gli_log_resolve(&log, (glimpse_row){0}, (gli_log_judge){NULL, accept}, &table);
  gli_table_free(&table);
  gli_log_free(&log);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job_log, NULL) > 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_sequences),    cmocka_unit_test(test_bits_and_verdict),
      cmocka_unit_test(test_overwritten_is_free), cmocka_unit_test(test_repeated_column_is_free),
      cmocka_unit_test(test_large_on_paper),      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
