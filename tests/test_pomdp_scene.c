/* Scenes in .pomdp files: what is written reads as the same scene, lines mean what they say, and each mistake has its
 * message with a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/pomdp.h"

static void same_texts(const char *const *one, const char *const *two, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) assert_string_equal(one[i], two[i]);
}

static void same_scene(const glimpse_model *model, const glimpse_model *again) {
  const glimpse_scene *one = glimpse_model_scene(model), *two = glimpse_model_scene(again);
  assert_non_null(one);
  assert_non_null(two);
  assert_int_equal(one->rows, two->rows);
  assert_int_equal(one->columns, two->columns);
  assert_string_equal(one->background, two->background);
  assert_string_equal(one->legend, two->legend);
  assert_string_equal(one->marks, two->marks);
  assert_int_equal(one->places, two->places);
  same_texts(one->names, two->names, one->layers);
  same_texts(one->place_names, two->place_names, one->places);
  size_t cells = (size_t)one->layers * glimpse_model_count(model, GLIMPSE_STATE);
  assert_memory_equal(one->cells, two->cells, cells * sizeof *one->cells);
}

static void test_round_trip(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery", "rock-sample", "tag", "frozen-lake:size=8", "snake"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]), *again;
    char *first = pomdp_write(model, NULL);
    assert_int_equal(glimpse_pomdp_read(first, strlen(first), "it", NULL, NULL, &again), GLIMPSE_OK);
    same_scene(model, again);
    char *second = pomdp_write(again, NULL);
    assert_string_equal(first, second);
    free(first);
    free(second);
    glimpse_model_free(again);
    glimpse_model_free(model);
  }
}

#define HEAD                                                                                                           \
  "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go\nobservations: 1\n"                                       \
  "T: *\nuniform\nO: *\nuniform\nR: * : a : * : * 1\n"
enum { HEAD_LINES = 10 };
#define S "# glimpse: scene "

static glimpse_status read(const char *notes, glimpse_report *report, glimpse_model **model) {
  char text[4000];
  snprintf(text, sizeof text, HEAD "%s", notes);
  return glimpse_pomdp_read(text, strlen(text), "it", NULL, report, model);
}

static void test_meaning(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(read(S "row ###\n" S "row # \n" S "row \n" S "row\n" S "legend  two  blanks \n" S
                          "place not there\n" S "layer R a robot\n" S "at 1 1 : a\n" S "at not there : b 2\n" S
                          "at  0   2 :  b\n" S "layer P parcel\n" S "at 3 0 : a\n" S "at 2 2 : *\n" S "at 1 0 : c\n",
                        NULL, &model),
                   GLIMPSE_OK);
  const glimpse_scene *scene = glimpse_model_scene(model);
  assert_int_equal(scene->rows, 4);
  assert_int_equal(scene->columns, 3);
  assert_string_equal(scene->background, "####        ");
  assert_string_equal(scene->legend, " two  blanks ");
  assert_string_equal(scene->marks, "RP");
  assert_string_equal(scene->names[0], "a robot");
  assert_int_equal(scene->places, 1);
  static const uint32_t cells[6] = {4, 2, 12, 8, 8, 3}; /* the last wins, a star included */
  assert_memory_equal(scene->cells, cells, sizeof cells);
  glimpse_model_free(model);

  assert_int_equal(read(S "row .\n" S "layer R robot\n" S "at 0 0 : b\n", NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_scene(model)->cells[0], GLIMPSE_ANY); /* not named: nowhere */
  glimpse_model_free(model);
  assert_int_equal(read("", NULL, &model), GLIMPSE_OK);
  assert_null(glimpse_model_scene(model));
  glimpse_model_free(model);
}

/* Notes, and the first error: its line behind the head, its column, and a part of what it says. */
typedef struct mistake {
  const char *notes;
  unsigned line, column;
  const char *text;
} mistake;

static const mistake mistakes[] = {
    {S "\n", 1, 18, "expected row, legend, place, layer or at behind 'scene'"},
    {S "rows #\n", 1, 18, "expected row, legend, place, layer or at behind 'scene', found 'rows'"},
    {S "row #\n", 1, 18, "the scene has no layers"},
    {S "legend x\n", 1, 18, "the scene has no layers"},
    {S "row #\t#\n" S "layer R robot\n", 1, 22, "expected a row of a scene in ASCII, without tabs"},
    {S "row \xc3\xa4\n", 1, 22, "expected a row of a scene in ASCII"},
    {S "row .\n" S "legend \xc3\xa4\n", 2, 25, "expected the legend of a scene in ASCII"},
    {S "layer R robot\n", 1, 24, "expected 'scene row' lines before the first layer"},
    {S "row\n" S "layer R robot\n", 2, 24, "expected 'scene row' lines before the first layer"},
    {S "row .\n" S "layer robot\n", 2, 24, "expected the mark of a layer"},
    {S "row .\n" S "layer R\n", 2, 24, "expected the mark of a layer"},
    {S "row .\n" S "layer\n", 2, 23, "expected the mark of a layer"},
    {S "row .\n" S "layer R r\n" S "row .\n", 3, 22, "expected the rows of a scene before its first layer"},
    {S "row .\n" S "layer R r\n" S "place x\n", 3, 24, "expected the places of a scene before its first layer"},
    {S "row .\n" S "place 2nd\n", 2, 24, "expected the name of a place"},
    {S "row .\n" S "place a:b\n", 2, 24, "expected the name of a place"},
    {S "row .\n" S "place \n", 2, 24, "expected the name of a place"},
    {S "row .\n" S "place x\n" S "place x\n", 3, 24, "two places of this name"},
    {S "row .\n" S "at 0 0 : a\n", 2, 21, "expected a 'scene layer' line before"},
    {S "row .\n" S "layer R r\n" S "at 0 0 a\n", 3, 21, "expected a colon and states"},
    {S "row .\n" S "layer R r\n" S "at 0 : a\n", 3, 21, "expected a row and a column, as in"},
    {S "row .\n" S "layer R r\n" S "at 0 0 0 : a\n", 3, 21, "expected a row and a column, as in"},
    {S "row ..\n" S "layer R r\n" S "at 1 0 : a\n", 3, 21, "a row from 0 to 0 and a column from 0 to 1"},
    {S "row ..\n" S "layer R r\n" S "at 0 99999999999999999999 : a\n", 3, 21, "a column from 0 to 1"},
    {S "row .\n" S "layer R r\n" S "at x : a\n", 3, 21, "a place that a 'scene place' line has named"},
    {S "row .\n" S "layer R r\n" S "at  : a\n", 3, 22, "a place that a 'scene place' line has named"},
    {S "row .\n" S "layer R r\n" S "at 0 0 :\n", 3, 26, "expected a state name or number"},
    {S "row .\n" S "layer R r\n" S "at 0 0 : a d\n", 3, 29, "expected a state name or number, found 'd'"},
};

static void test_mistakes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const mistake *m = &mistakes[i];
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    assert_int_not_equal(read(m->notes, report, &model), GLIMPSE_OK);
    assert_null(model);
    const glimpse_message *message = glimpse_report_get(report, 0);
    if (!message || !strstr(message->text, m->text) || message->line != HEAD_LINES + m->line ||
        message->column != m->column)
      fail_msg("mistake %zu: %llu:%llu %s", i, (unsigned long long)(message ? message->line - HEAD_LINES : 0),
               (unsigned long long)(message ? message->column : 0), message ? message->text : "no message");
    glimpse_report_free(report);
  }
}

/* Too many layers, places and cells are refused where they begin. */
static void test_limits(void **state) {
  (void)state;
  static char text[1 << 21];
  static const char *const found[] = {"at most 256 layers", "at most 256 places", "at most 1048576 cells"};
  for (int kind = 0; kind < 3; kind++) {
    size_t length = (size_t)snprintf(text, sizeof text, HEAD S "row .\n");
    for (int i = 0; i < (kind == 2 ? 1 : 257); i++) {
      char *to = text + length;
      size_t room = sizeof text - length;
      length += (size_t)(kind == 0   ? snprintf(to, room, S "layer R r\n")
                         : kind == 1 ? snprintf(to, room, S "place p%d\n", i)
                                     : snprintf(to, room, S "row %01048575d\n", i));
    }
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    assert_int_equal(glimpse_pomdp_read(text, length, "it", NULL, report, &model), GLIMPSE_BAD_MODEL);
    assert_non_null(strstr(glimpse_report_get(report, 0)->text, found[kind]));
    assert_int_equal(glimpse_report_get(report, 0)->line, HEAD_LINES + 1 + (kind == 2 ? 1 : 257));
    glimpse_report_free(report);
  }
}

static const char good[] =
    S "row ..\n" S "place off\n" S "legend x y\n" S "layer R r\n" S "at 0 1 : a b\n" S "at off : c\n";

static glimpse_status read_good(void *context) {
  (void)context;
  glimpse_model *model;
  glimpse_status status = read(good, NULL, &model);
  glimpse_model_free(model);
  return status;
}

static bool swallow(void *context, const char *text, size_t length) {
  (void)context;
  return length > 0 && text;
}

static glimpse_status write_good(void *context) {
  return glimpse_pomdp_write(context, swallow, NULL);
}

static void test_out_of_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(read_good, NULL) > 12);
  glimpse_model *model;
  assert_int_equal(read(good, NULL, &model), GLIMPSE_OK);
  assert_int_equal(failing_malloc_sweep(write_good, model), 4); /* shared, the stream, first and next */
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_meaning),       cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_limits),     cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
