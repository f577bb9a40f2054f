/* Factors of a scene in .pomdp files: an inquiry that tells a row, a column or a cell is the same as one whose blocks
 * are written out, or counted from the scene itself; and each mistake has its message with a place. */
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

#define HEAD                                                                                                           \
  "discount: 0.9\nvalues: reward\nstates: a b c d e\nactions: go\nobservations: 1\n"                                   \
  "T: *\nuniform\nO: *\nuniform\nR: * : a : * : * 1\n"
#define SCENE                                                                                                          \
  "# glimpse: scene row ####\n# glimpse: scene row #  #\n# glimpse: scene row #  #\n"                                  \
  "# glimpse: scene place in hand\n# glimpse: scene place (x)\n"                                                       \
  "# glimpse: scene layer R the robot\n"                                                                               \
  "# glimpse: scene at 1 1 : *\n# glimpse: scene at 1 2 : b d\n# glimpse: scene at 2 1 : c\n"                          \
  "# glimpse: scene layer P parcel\n"                                                                                  \
  "# glimpse: scene at 2 2 : a b\n# glimpse: scene at (x) : c\n# glimpse: scene at in hand : d\n"                      \
  "# glimpse: scene layer x rock\n# glimpse: scene layer y rock\n"

static glimpse_status read(const char *notes, const char *more, glimpse_report *report, glimpse_model **model) {
  char text[4000];
  snprintf(text, sizeof text, HEAD "%s%s", notes, more);
  return glimpse_pomdp_read(text, strlen(text), "it", NULL, report, model);
}

/* What is told is what the blocks say, wherever the scene stands. */
static void test_meaning(void **state) {
  (void)state;
  static const struct {
    const char *tells, *blocks;
  } cases[] = {
      {"row", "row1: a b d e row2: c"},
      {"row of the robot", "row1: a b d e row2: c"},
      {"column", "column1: a c e column2: b d"},
      {"cell", "cell1-1: a e cell1-2: b d cell2-1: c"},
      {"row of parcel", "row2: a b in_hand: d place1: c nowhere: e"},
      {"column  of  parcel \t", "column2: a b in_hand: d place1: c nowhere: e"},
      {"cell of parcel", "cell2-2: a b in_hand: d place1: c nowhere: e"},
  };
  static const char *const timings[] = {"before", "step", "joint"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char tells[300], blocks[300];
    glimpse_model *one, *two, *three;
    const char *timing = timings[i % 3];
    snprintf(tells, sizeof tells, "# glimpse: inquiry it %s 0.25 tells %s\n# glimpse: failure it 0.5\n", timing,
             cases[i].tells);
    snprintf(blocks, sizeof blocks, "# glimpse: inquiry it %s 0.25 blocks %s\n# glimpse: failure it 0.5\n", timing,
             cases[i].blocks);
    if (read(SCENE, tells, NULL, &one) || read(tells, SCENE, NULL, &two) || read(SCENE, blocks, NULL, &three))
      fail_msg("%s is not read", cases[i].tells);
    if (glimpse_model_digest(one) != glimpse_model_digest(three)) fail_msg("%s", cases[i].tells);
    assert_true(glimpse_model_digest(one) == glimpse_model_digest(two));
    uint32_t answers = glimpse_model_inquiry(three, 0).answers;
    assert_int_equal(glimpse_model_inquiry(one, 0).answers, answers);
    for (uint32_t z = 0; z < answers; z++)
      assert_string_equal(glimpse_model_answer_name(one, 0, z), glimpse_model_answer_name(three, 0, z));
    glimpse_model_free(one);
    glimpse_model_free(two);
    glimpse_model_free(three);
  }
}

/* Built-in grids, written and read with a line more: the answer names the row of the first layer. */
static void test_grids(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery", "frozen-lake:size=8", "tag", "rock-sample"};
  static const char line[] = "# glimpse: inquiry compass before 0.25 tells row\n";
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]), *more;
    size_t length;
    char *text = pomdp_write(model, &length);
    text = realloc(text, length + sizeof line);
    assert_non_null(text);
    memcpy(text + length, line, sizeof line);
    assert_int_equal(glimpse_pomdp_read(text, strlen(text), "it", NULL, NULL, &more), GLIMPSE_OK);
    free(text);
    const glimpse_scene *scene = glimpse_model_scene(model);
    uint32_t compass = glimpse_model_inquiry_find(more, "compass");
    for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
      uint32_t cell = scene->cells[s], size = scene->rows * scene->columns;
      char name[100];
      if (cell < size) snprintf(name, sizeof name, "row%u", (unsigned)(cell / scene->columns));
      else snprintf(name, sizeof name, "%s", cell == GLIMPSE_ANY ? "nowhere" : scene->place_names[cell - size]);
      for (char *c = name; *c; c++) *c = *c == ' ' ? '_' : *c;
      glimpse_row row = glimpse_model_inquiry_answers(more, compass, s);
      assert_true(row.count == 1 && row.value[0] == 1);
      assert_string_equal(glimpse_model_answer_name(more, compass, row.index[0]), name);
    }
    glimpse_model_free(model);
    glimpse_model_free(more);
  }
}

static void test_mistakes(void **state) {
  (void)state;
  static const struct {
    const char *scene, *tells, *text;
    uint64_t line, column;
  } cases[] = {
      {"", " row", "'row' is a part of a scene, and there is none: add '# glimpse: scene' lines", 11, 38},
      {SCENE, "", "expected 'row', 'column' or 'cell' behind 'tells', found the end of the line", 26, 37},
      {SCENE, " colum", "found 'colum'; did you mean 'column'?", 26, 38},
      {SCENE, " weather", "expected 'row', 'column' or 'cell' behind 'tells', found 'weather'", 26, 38},
      {SCENE, " row parcel", "expected 'of' and a layer, or the end of the line, found 'parcel'", 26, 42},
      {SCENE, " row of", "found the end of the line; there is", 26, 44},
      {SCENE, " row of parsel", "found 'parsel'; did you mean 'parcel'?", 26, 45},
      {SCENE, " row of the robt", "found 'the robt'; did you mean 'the robot'?", 26, 45},
      {SCENE, " row of wardrobe", "found 'wardrobe'; there is", 26, 45},
      {SCENE, " row of rock", "the scene has 2 layers 'rock': name the states of each answer with 'blocks'", 26, 45},
      {"# glimpse: scene row ##\n", " row", "the scene has no layers", 12, 41},
      {"# glimpse: scene row ##\n# glimpse: scene place row0\n# glimpse: scene layer R r\n# glimpse: scene at 0 0 : a\n"
       "# glimpse: scene at row0 : b\n",
       " row", "named twice", 16, 38},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char tells[200];
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    snprintf(tells, sizeof tells, "# glimpse: inquiry it before 1 tells%s\n", cases[i].tells);
    glimpse_status status = read(cases[i].scene, tells, report, &model);
    const glimpse_message *message = glimpse_report_get(report, 0);
    if (!status || !message) fail_msg("%s: no error", tells);
    if (!strstr(message->text, cases[i].text) || message->line != cases[i].line || message->column != cases[i].column) {
      print_error("%s: found %llu:%llu %s\n", tells, (unsigned long long)message->line,
                  (unsigned long long)message->column, message->text);
      wrong++;
    }
    glimpse_report_free(report);
  }
  assert_int_equal(wrong, 0);
}

/* A few words cannot ask for much memory. */
static void test_few_words(void **state) {
  (void)state;
  static char text[20000];
  size_t n = (size_t)snprintf(text, sizeof text,
                              "discount: 0.9\nvalues: reward\nstates: 1000000\nactions: 1\nobservations: 1\n"
                              "T: * identity\nO: * uniform\n# glimpse: scene row ab\n# glimpse: scene layer R r\n");
  for (int i = 0; i < 100; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "# glimpse: inquiry i%d step 1 tells column\n", i);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(glimpse_pomdp_read(text, n, "it", NULL, report, &model), GLIMPSE_TOO_LARGE);
  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_string_equal(message->text, "the inquiries have more answers in 1000000 states than so short a text may have");
  assert_int_equal(message->line, 26); /* 2^24 is 16 of them */
  glimpse_report_free(report);
}

static glimpse_status job(void *context) {
  (void)context;
  glimpse_model *model;
  glimpse_status status = read(SCENE, "# glimpse: inquiry it before 0.25 tells cell of parcel\n", NULL, &model);
  if (!status) glimpse_model_free(model);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job, NULL) > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meaning),   cmocka_unit_test(test_grids),     cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_few_words), cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
