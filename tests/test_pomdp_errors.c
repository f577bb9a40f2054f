/* Wrong .pomdp files: each error with its place and its words, several in one go,
 * no nonsense after the first, and no harm from what is no text at all.
 *
 * Covers src/formats/pomdp_message.c, src/formats/pomdp_places.c, src/formats/pomdp_read.c,
 * src/formats/pomdp_value.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pomdp.h"

#define HEAD "discount: 0.9\nvalues: reward\nstates: x y\nactions: a b\nobservations: u v\n"
#define REST "T: * identity\nO: * uniform\n"

/* One error each: tests/data/bad-NAME.pomdp. */
static const pomdp_wrong wrong[] = {
    {"action-unknown", GLIMPSE_BAD_SYNTAX, 8, 4,
     "expected an action name or number, found 'lisen'; did you mean 'listen'?"},
    {"actions-huge", GLIMPSE_TOO_LARGE, 4, 10, "expected at most 65536 actions, found '65537'"},
    {"actions-missing", GLIMPSE_BAD_SYNTAX, 5, 1, "expected 'actions:' before the first entry, found 'T:'"},
    {"binary", GLIMPSE_BAD_SYNTAX, 2, 9, "expected text, found the byte 0x00"},
    {"colon-missing", GLIMPSE_BAD_SYNTAX, 6, 3, "expected ':' after 'T', found 'listen'"},
    {"comments-only", GLIMPSE_BAD_SYNTAX, 4, 1, "expected a model, found the end of the file"},
    {"cost-missing", GLIMPSE_BAD_SYNTAX, 1, 16, "expected a cost after '# glimpse: cost', found the end of the line"},
    {"cost-negative", GLIMPSE_BAD_MODEL, 8, 17, "expected a cost that is not negative, found '-0.5'"},
    {"cost-state", GLIMPSE_BAD_SYNTAX, 8, 17, "expected a state name or number, found 'rihgt'; did you mean 'right'?"},
    {"cost-surplus", GLIMPSE_BAD_SYNTAX, 8, 26, "expected the end of the line, found '0.5'"},
    {"cost-word", GLIMPSE_BAD_SYNTAX, 6, 17, "expected a cost, found 'much'"},
    {"discount-comma", GLIMPSE_BAD_SYNTAX, 1, 11, "expected the discount (with a point, without commas), found '0,95'"},
    {"discount-range", GLIMPSE_BAD_MODEL, 1, 11, "expected a discount between 0 and 1, found '1.5'"},
    {"discount-word", GLIMPSE_BAD_SYNTAX, 1, 11, "expected the discount, found 'high'"},
    {"empty", GLIMPSE_BAD_SYNTAX, 1, 1, "expected a model, found the end of the file"},
    {"entry-ends", GLIMPSE_BAD_SYNTAX, 8, 12, "expected a state name or number, found the end of the file"},
    {"identity-not-square", GLIMPSE_BAD_SYNTAX, 7, 6,
     "expected as many observations as states for 'identity' in O: *, found 3 and 2"},
    {"index-missing", GLIMPSE_BAD_SYNTAX, 8, 13, "expected a state name or number, found ':'"},
    {"keyword-misspelt", GLIMPSE_BAD_SYNTAX, 5, 1,
     "expected an entry (T:, O:, R:) or an item such as 'states:', found 'observation'; did you mean 'observations:'?"},
    {"matrix-empty", GLIMPSE_BAD_SYNTAX, 9, 1, "expected a probability, 'uniform' or 'identity', found 'O:'"},
    {"matrix-long", GLIMPSE_BAD_SYNTAX, 10, 10,
     "expected 4 numbers (2 rows of 2) in the matrix of O: listen, found 5; line 10 has 3"},
    {"matrix-reward", GLIMPSE_BAD_SYNTAX, 11, 3,
     "expected 4 numbers (2 rows of 2) in the matrix of R: listen : left, found 5; line 10 has 1"},
    {"matrix-short", GLIMPSE_BAD_SYNTAX, 11, 1,
     "expected 4 numbers (2 rows of 2) in the matrix of T: listen, found 3; line 10 has 1"},
    {"mdp-observation", GLIMPSE_BAD_SYNTAX, 6, 16, "expected no observation in an MDP, found 'x'"},
    {"name-form", GLIMPSE_BAD_SYNTAX, 3, 14,
     "expected a state name (a letter, then letters, digits, _ and -), found '(right)'"},
    {"name-not-ascii", GLIMPSE_BAD_SYNTAX, 3, 15,
     "expected a state name (a letter, then letters, digits, _ and -), found 'höhle'"},
    {"name-twice", GLIMPSE_BAD_SYNTAX, 4, 5, "expected different names, found 'b' twice (state 1 has it)"},
    {"number-form", GLIMPSE_BAD_SYNTAX, 8, 26, "expected a probability, found '0.5x'"},
    {"number-huge", GLIMPSE_BAD_SYNTAX, 8, 18, "expected a reward of at most 1.8e308, found '1e999'"},
    {"number-signs", GLIMPSE_BAD_SYNTAX, 8, 20, "expected one sign before a number, found '-1'"},
    {"numbers-two", GLIMPSE_BAD_SYNTAX, 8, 30, "expected one number in T: listen : left : right, found 2"},
    {"observation-sum", GLIMPSE_BAD_MODEL, 9, 1, "the row O : listen : right sums to 1.1, expected 1"},
    {"observation-unknown", GLIMPSE_BAD_SYNTAX, 8, 20,
     "expected an observation name or number, found 'left' (observations are hear-left, hear-right)"},
    {"observations-late", GLIMPSE_BAD_SYNTAX, 6, 1, "expected 'observations:' before the first entry (line 5)"},
    {"observations-missing", GLIMPSE_BAD_SYNTAX, 6, 1, "expected 'observations:' before the first O, found none"},
    {"probability-missing", GLIMPSE_BAD_SYNTAX, 7, 1, "expected a probability, found 'T:'"},
    {"probability-negative", GLIMPSE_BAD_MODEL, 8, 30, "expected a probability between 0 and 1, found '-0.5'"},
    {"probability-range", GLIMPSE_BAD_MODEL, 8, 26, "expected a probability between 0 and 1, found '1.25'"},
    {"reset-observation", GLIMPSE_BAD_SYNTAX, 8, 18, "expected a probability or 'uniform', found 'reset'"},
    {"reward-matrix-of-action", GLIMPSE_BAD_SYNTAX, 9, 1, "expected ':' and a state, found '1'"},
    {"reward-word", GLIMPSE_BAD_SYNTAX, 8, 18, "expected a reward, found 'uniform'"},
    {"row-long", GLIMPSE_BAD_SYNTAX, 8, 27, "expected 2 numbers in the row of O: listen : left, found 3"},
    {"row-missing", GLIMPSE_BAD_MODEL, 9, 1, "the row T : open : right sums to 0, expected 1"},
    {"row-short", GLIMPSE_BAD_SYNTAX, 9, 1, "expected 2 numbers in the row of T: listen : left, found 1"},
    {"row-word-misspelt", GLIMPSE_BAD_SYNTAX, 6, 11,
     "expected a probability, 'uniform' or 'identity', found 'identiy'"},
    {"rows-few-words", GLIMPSE_TOO_LARGE, 4, 1,
     "expected at most 4194304 pairs of state and action from so short a text, found 33554432 (16777216 times 2)"},
    {"rows-few", GLIMPSE_BAD_MODEL, 7, 1, "T has 1111111 rows, one for each action and state, but only 0 assignments"},
    {"rows-huge", GLIMPSE_TOO_LARGE, 4, 1,
     "expected at most 134217728 pairs of state and action, found 150994944 (16777216 times 9)"},
    {"rewards-of-few-words", GLIMPSE_TOO_LARGE, 9, 1,
     "the rewards depend on the observation at more steps than so short a text may have"},
    {"start-behind", GLIMPSE_BAD_SYNTAX, 6, 16, "expected the next item or entry after start, found 'left'"},
    {"start-empty", GLIMPSE_BAD_SYNTAX, 7, 1, "expected probabilities, 'uniform' or a state, found 'T:'"},
    {"start-excluded", GLIMPSE_BAD_MODEL, 6, 1, "expected a state to start in, found all of them excluded"},
    {"start-include-empty", GLIMPSE_BAD_SYNTAX, 7, 1, "expected a state name or number, found 'T:'"},
    {"start-long", GLIMPSE_BAD_SYNTAX, 6, 17, "expected 2 probabilities in start, one per state, found 4"},
    {"start-name", GLIMPSE_BAD_SYNTAX, 6, 8, "expected a state name or number, found 'lfet'; did you mean 'left'?"},
    {"start-number", GLIMPSE_BAD_SYNTAX, 6, 8, "expected a state name or number, found '2' (states are left, right)"},
    {"start-probability", GLIMPSE_BAD_MODEL, 6, 8, "expected a probability between 0 and 1, found '1.5'"},
    {"start-short", GLIMPSE_BAD_SYNTAX, 7, 1, "expected 2 probabilities in start, one per state, found 1"},
    {"start-sum", GLIMPSE_BAD_MODEL, 6, 1, "the start belief sums to 1.1, expected 1"},
    {"state-fraction", GLIMPSE_BAD_SYNTAX, 8, 13,
     "expected a state name or number, found '0.5' (states are left, right)"},
    {"state-range", GLIMPSE_BAD_SYNTAX, 8, 8, "expected a state name or number, found '3' (states are 0 to 2)"},
    {"state-unknown", GLIMPSE_BAD_SYNTAX, 8, 13,
     "expected a state name or number, found 'middle' (states are left, right)"},
    {"states-fraction", GLIMPSE_BAD_SYNTAX, 3, 9, "expected the number of states or their names, found '2.5'"},
    {"states-huge", GLIMPSE_TOO_LARGE, 3, 9, "expected at most 16777216 states, found '1000000000000'"},
    {"states-missing", GLIMPSE_BAD_SYNTAX, 5, 1, "expected 'states:' before the first entry, found 'T:'"},
    {"states-misspelt", GLIMPSE_BAD_SYNTAX, 3, 1,
     "expected an entry (T:, O:, R:) or an item such as 'states:', found 'state'; did you mean 'states:'?"},
    {"states-mixed", GLIMPSE_BAD_SYNTAX, 3, 13, "expected a state name or the next item, found '3'"},
    {"states-negative", GLIMPSE_BAD_SYNTAX, 3, 9, "expected the number of states or their names, found '-3'"},
    {"states-none", GLIMPSE_BAD_SYNTAX, 4, 1, "expected the number of states or their names, found 'actions:'"},
    {"states-twice", GLIMPSE_BAD_SYNTAX, 6, 1, "expected one 'states:', found a second one (the first is in line 3)"},
    {"states-zero", GLIMPSE_BAD_SYNTAX, 3, 9, "expected at least one state, found '0'"},
    {"stray-number", GLIMPSE_BAD_SYNTAX, 9, 1, "expected one number in O: listen : left : hear-left, found 2"},
    {"stray-word", GLIMPSE_BAD_SYNTAX, 8, 1,
     "expected an entry (T:, O:, R:) or an item such as 'states:', found 'end'"},
    {"table-huge", GLIMPSE_TOO_LARGE, 8, 1,
     "expected at most 16777216 non-zeros in each of T, O and R from so short a text, found more"},
    {"transition-sum", GLIMPSE_BAD_MODEL, 8, 1, "the row T : listen : left sums to 1.5, expected 1"},
    {"values-late", GLIMPSE_BAD_SYNTAX, 8, 1, "expected 'values:' before the first entry (line 5)"},
    {"values-word", GLIMPSE_BAD_SYNTAX, 2, 9, "expected 'reward' or 'cost', found 'money'"},
};

static void finds_each_error(void **state) {
  (void)state;
  pomdp_check_wrong(glimpse_pomdp_read_file, "tests/data", "pomdp", wrong, sizeof wrong / sizeof *wrong);
}

#define ERROR(code, line, column, text)                                                                                \
  { GLIMPSE_ERROR, GLIMPSE_##code, (line), (column), (text) }

static void finds_several_errors(void **state) {
  (void)state;
  static const char text[] = "discount: 2\nvalues: gold\nstates: x y\nactions: a b\nobservations: u v\nstart: q\n"
                             "T: a : x : w 1\nT: c identity\nT: b\n1 0 0\n0 1\nO: a : x : u\nO: b : x : u 1 1\n"
                             "R: a : x : y : u five\nR: a : x : y : w 5\nR: a : x : y : u 5\nfoo\nR: * : * : * : * 1\n";
  static const pomdp_finding findings[] = {
      ERROR(BAD_MODEL, 1, 11, "expected a discount between 0 and 1, found '2'"),
      ERROR(BAD_SYNTAX, 2, 9, "expected 'reward' or 'cost', found 'gold'"),
      ERROR(BAD_SYNTAX, 6, 8, "expected a state name or number, found 'q' (states are x, y)"),
      ERROR(BAD_SYNTAX, 7, 12, "expected a state name or number, found 'w' (states are x, y)"),
      ERROR(BAD_SYNTAX, 8, 4, "expected an action name or number, found 'c' (actions are a, b)"),
      ERROR(BAD_SYNTAX, 11, 3, "expected 4 numbers (2 rows of 2) in the matrix of T: b, found 5; line 10 has 3"),
      ERROR(BAD_SYNTAX, 13, 1, "expected a probability, found 'O:'"),
      ERROR(BAD_SYNTAX, 13, 16, "expected one number in O: b : x : u, found 2"),
      ERROR(BAD_SYNTAX, 14, 18, "expected a reward, found 'five'"),
      ERROR(BAD_SYNTAX, 15, 16, "expected an observation name or number, found 'w' (observations are u, v)"),
      ERROR(BAD_SYNTAX, 17, 1, "expected an entry (T:, O:, R:) or an item such as 'states:', found 'foo'"),
  };
  pomdp_read_findings(text, sizeof text - 1, false, findings, sizeof findings / sizeof *findings);
}

/* All rows that are wrong, each where it was assigned last. */
static void finds_several_rows(void **state) {
  (void)state;
  static const char text[] =
      HEAD "T: * uniform\nT: a : x : x 0.75\n  T: a\n1 0\n0.5 0.25\nO: * : y\n.5 .6\nO: * : x uniform\n"
           "O: b : * : u 0.5\nT: * : x : y 0.25\n";
  static const pomdp_finding expected[] = {
      ERROR(BAD_MODEL, 15, 1, "the row T : a : x sums to 1.25, expected 1"),
      ERROR(BAD_MODEL, 10, 1, "the row T : a : y sums to 0.75, expected 1"),
      ERROR(BAD_MODEL, 15, 1, "the row T : b : x sums to 0.75, expected 1"),
      ERROR(BAD_MODEL, 12, 1, "the row O : a : y sums to 1.1, expected 1"),
      ERROR(BAD_MODEL, 14, 1, "the row O : b : y sums to 1.1, expected 1"),
  };
  pomdp_read_findings(text, sizeof text - 1, false, expected, sizeof expected / sizeof *expected);
}

static void warns_of_rows_that_are_mended(void **state) {
  (void)state;
  static const char text[] = HEAD "T: * identity\nO: * uniform\nO: b : y\n0.5 0.4995\n";
  static const pomdp_finding finding = {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 9, 1,
                                        "the row O : b : y sums to 0.9995; it was normalised to 1"};
  glimpse_model *model = pomdp_read_findings(text, sizeof text - 1, true, &finding, 1);
  assert_true(pomdp_o(model, 1, 1, 0) == 0.5 / 0.9995);
  glimpse_model_free(model);
}

/* The first twenty are kept, all are counted. */
static void counts_a_flood(void **state) {
  (void)state;
  enum { LINES = 3000 };
  char *text = malloc(200 + 32 * LINES);
  size_t n = (size_t)sprintf(text, HEAD REST);
  for (int i = 0; i < LINES; i++) n += (size_t)sprintf(text + n, "T: a : x%d : x 1\n", i);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(glimpse_pomdp_read(text, n, "flood", NULL, report, &model), GLIMPSE_BAD_SYNTAX);
  assert_int_equal(glimpse_report_kept(report), 20);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), LINES);
  assert_string_equal(glimpse_report_get(report, 19)->text,
                      "expected a state name or number, found 'x19' (states are x, y)");
  glimpse_report_free(report);
  free(text);
}

static void shows_long_lists_and_words_shortened(void **state) {
  (void)state;
  char text[3000], word[1000];
  size_t n = (size_t)sprintf(text, "discount: 0.9\nvalues: reward\nactions: 1\nobservations: 1\nstates:");
  for (int i = 0; i < 60; i++) n += (size_t)sprintf(text + n, " place-%d", i);
  memset(word, 'w', 999);
  word[999] = 0;
  sprintf(text + n, "\n" REST "T: 0 : %s : 0 1\n", word);
  pomdp_read_error(
      text, GLIMPSE_BAD_SYNTAX, 8, 8,
      "expected a state name or number, found 'wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww...' (states are place-0, "
      "place-1, place-2, place-3, place-4, place-5, place-6, place-7, place-8, ..., 60 in all)");
  sprintf(text + n, "\n" REST "T: 0 : plaec-7 : 0 1\n");
  pomdp_read_error(text, GLIMPSE_BAD_SYNTAX, 8, 8,
                   "expected a state name or number, found 'plaec-7'; did you mean 'place-7'?");
  sprintf(text + n, "\n" REST "T: 0 : a\xff\xc3\xa9\xe2\x82 : 0 1\n"); /* broken UTF-8 is not passed on */
  pomdp_read_error(
      text, GLIMPSE_BAD_SYNTAX, 8, 8,
      "expected a state name or number, found 'a?\xc3\xa9?\?' (states are place-0, place-1, place-2, place-3, "
      "place-4, place-5, place-6, place-7, place-8, ..., 60 in all)");
}

/* UTF-8 is shown as it is; bytes that are none are not passed on. */
static void quotes_utf8(void **state) {
  (void)state;
  static const struct {
    const char *word, *shown;
  } cases[] = {{"\xc3\xa9", "\xc3\xa9"},
               {"\xe2\x82\xac", "\xe2\x82\xac"},
               {"\xe0\xa0\x80", "\xe0\xa0\x80"},         /* the smallest of three bytes ... */
               {"\xe0\x9f\xbf", "???"},                  /* ... and one that needs two */
               {"\xed\x9f\xbf", "\xed\x9f\xbf"},         /* before the surrogates ... */
               {"\xed\xa0\x80", "???"},                  /* ... and the first of them */
               {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"}, /* the smallest of four ... */
               {"\xf0\x8f\xbf\xbf", "???"
                                    "?"},
               {"\xf1\x80\x80\x80", "\xf1\x80\x80\x80"},
               {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"}, /* the last of all ... */
               {"\xf4\x90\x80\x80", "???"
                                    "?"},
               {"\xf5\x80\x80\x80", "???"
                                    "?"},
               {"\xc1\xbf", "??"},
               {"\xe2\x82", "??"},
               {"\xc3zz", "?zz"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400], message[200];
    sprintf(text, HEAD REST "T: a : %s : x 1\n", cases[i].word);
    sprintf(message, "expected a state name or number, found '%s' (states are x, y)", cases[i].shown);
    pomdp_read_error(text, GLIMPSE_BAD_SYNTAX, 8, 8, message);
  }
}

/* What is much longer than any name is like none. */
static void compares_no_long_words(void **state) {
  (void)state;
  char text[600], name[45], message[600];
  memset(name, 'n', 44);
  name[44] = 0;
  sprintf(text, "discount: 0.9\nvalues: reward\nstates: %s n\nactions: 1\nobservations: 1\n" REST "T: 0 : m : 0 1\n",
          name);
  pomdp_read_error(text, GLIMPSE_BAD_SYNTAX, 8, 8,
                   "expected a state name or number, found 'm' (states are "
                   "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn, n)");
  sprintf(text, "discount: 0.9\nvalues: reward\n%s\nstates: 1\nactions: 1\nobservations: 1\n" REST, name);
  sprintf(message, "expected an entry (T:, O:, R:) or an item such as 'states:', found '%.40s...'", name);
  pomdp_read_error(text, GLIMPSE_BAD_SYNTAX, 3, 1, message);
}

/* The same flood where each line lacks something. */
static void counts_what_is_missing(void **state) {
  (void)state;
  enum { LINES = 50 };
  char text[200 + 32 * LINES];
  size_t n = (size_t)sprintf(text, HEAD REST);
  for (int i = 0; i < LINES; i++) n += (size_t)sprintf(text + n, "T: a : x : y\n");
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(glimpse_pomdp_read(text, n, "flood", NULL, report, &model), GLIMPSE_BAD_SYNTAX);
  assert_int_equal(glimpse_report_kept(report), 20);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), LINES);
  assert_string_equal(glimpse_report_get(report, 19)->text, "expected a probability, found 'T:'");
  glimpse_report_free(report);
}

/* Of states and actions the one that comes later is too many. */
static void blames_the_later_count(void **state) {
  (void)state;
  pomdp_read_error("discount: 0.9\nvalues: reward\nactions: 9\nstates: 16777216\nobservations: 1\n", GLIMPSE_TOO_LARGE,
                   4, 1, "expected at most 134217728 pairs of state and action, found 150994944 (16777216 times 9)");
  pomdp_read_error(HEAD REST "R: a : x : * : * + +1\n", GLIMPSE_BAD_SYNTAX, 8, 20,
                   "expected one sign before a number, found '+1'");
}

/* Numbers that are a good one again when only their last 64 bits are kept. */
static void sees_through_huge_numbers(void **state) {
  (void)state;
  pomdp_read_error(HEAD REST "T: a : 18446744073709551617 : x 1\n", GLIMPSE_BAD_SYNTAX, 8, 8,
                   "expected a state name or number, found '18446744073709551617' (states are x, y)");
  pomdp_read_error(HEAD REST "T: 36893488147419103232 : x : x 1\n", GLIMPSE_BAD_SYNTAX, 8, 4,
                   "expected an action name or number, found '36893488147419103232' (actions are a, b)");
  pomdp_read_error("discount: 0.9\nvalues: reward\nstates: 18446744073709551618\n" REST, GLIMPSE_TOO_LARGE, 3, 9,
                   "expected at most 16777216 states, found '18446744073709551618'");
}

/* More actions than there may be, by name: the place is that of the first too many. */
static void counts_names(void **state) {
  (void)state;
  enum { MOST = 65536 };
  char *text = malloc(100 + 8 * (MOST + 1));
  assert_non_null(text);
  size_t n = (size_t)sprintf(text, "discount: 0.9\nvalues: reward\nstates: 1\nobservations: 1\nactions:");
  for (int i = 0; i <= MOST; i++) n += (size_t)sprintf(text + n, i == MOST ? "\na%d" : " a%d", i);
  sprintf(text + n, "\n");
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(glimpse_pomdp_read(text, n + 1, NULL, NULL, report, &model), GLIMPSE_TOO_LARGE);
  const glimpse_message *first = glimpse_report_get(report, 0);
  assert_string_equal(first->text, "expected at most 65536 actions, found more");
  assert_true(first->line == 6 && first->column == 1);
  glimpse_report_free(report);
  free(text);
}

/* Bytes of every value in the place of others: perhaps the text is no model then,
 * but nothing else happens. */
static void survives_any_byte(void **state) {
  (void)state;
  static const char good[] = HEAD "start: x\n" REST "R: a : x : * : * 1\n";
  for (size_t at = 0; at < sizeof good - 1; at++)
    for (int byte = (int)(at % 4); byte < 256; byte += 4) {
      char text[sizeof good];
      memcpy(text, good, sizeof good);
      text[at] = (char)byte;
      glimpse_model *model;
      glimpse_pomdp_options options = {.strict = at % 2};
      glimpse_status status = glimpse_pomdp_read(text, sizeof good - 1, NULL, &options, NULL, &model);
      assert_true((status == GLIMPSE_OK) == (model != NULL));
      if (model && byte % 16 == 0) pomdp_check_round_trip(model);
      glimpse_model_free(model);
    }
}

/* Every beginning of a text. */
static void survives_any_end(void **state) {
  (void)state;
  static const char good[] = HEAD "# glimpse: cost x 0.5\n# glimpse: cost y 1\nstart include: x\n" REST
                                  "R: a : x : * : * 1\nT: a\n1 0 0 1\nO: a : x 1 0\n";
  for (size_t length = 0; length < sizeof good; length++) {
    char *text = malloc(length + 1); /* so that a sanitizer sees a step too far */
    memcpy(text, good, length);
    char *exact = realloc(text, length ? length : 1);
    glimpse_model *model;
    glimpse_report *report = glimpse_report_new();
    glimpse_status status = glimpse_pomdp_read(exact, length, NULL, NULL, report, &model);
    assert_true((status == GLIMPSE_OK) == (model != NULL));
    assert_true((status == GLIMPSE_OK) == (glimpse_report_count(report, GLIMPSE_ERROR) == 0));
    glimpse_report_free(report);
    glimpse_model_free(model);
    free(exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_each_error),
      cmocka_unit_test(finds_several_errors),
      cmocka_unit_test(finds_several_rows),
      cmocka_unit_test(warns_of_rows_that_are_mended),
      cmocka_unit_test(counts_a_flood),
      cmocka_unit_test(shows_long_lists_and_words_shortened),
      cmocka_unit_test(quotes_utf8),
      cmocka_unit_test(compares_no_long_words),
      cmocka_unit_test(counts_what_is_missing),
      cmocka_unit_test(blames_the_later_count),
      cmocka_unit_test(sees_through_huge_numbers),
      cmocka_unit_test(counts_names),
      cmocka_unit_test(survives_any_byte),
      cmocka_unit_test(survives_any_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
