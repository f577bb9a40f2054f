/* Scenes: pictures of states and beliefs, letter by letter; wrong scenes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "support/environment.h"
#include "support/failing_malloc.h"

typedef struct page {
  char text[20000];
  size_t length;
  int calls;
  bool refuse;
} page;

static bool write_page(void *context, const char *text, size_t length) {
  page *p = context;
  p->calls++;
  if (p->refuse) return false;
  assert_true(p->length + length < sizeof p->text);
  memcpy(p->text + p->length, text, length);
  p->length += length;
  p->text[p->length] = 0;
  return true;
}

enum { MAX_ENTRIES = 8 };

typedef struct entry {
  const char *name;
  double p;
} entry;

/* Draws a belief given by names, which ends with a NULL. */
static void draw(const glimpse_model *model, const entry *entries, page *p) {
  uint32_t index[MAX_ENTRIES];
  double value[MAX_ENTRIES];
  size_t count = 0;
  for (; entries[count].name; count++) {
    index[count] = environment_find(model, GLIMPSE_STATE, entries[count].name);
    value[count] = entries[count].p;
  }
  p->length = 0;
  p->calls = 0;
  p->refuse = false;
  assert_int_equal(glimpse_model_draw(model, (glimpse_row){count, index, value}, write_page, p), GLIMPSE_OK);
  assert_int_equal(p->calls, 1);
}

#define DRAWS(model, expected, ...)                                                                                    \
  do {                                                                                                                 \
    static page drawn;                                                                                                 \
    draw(model, (const entry[]){__VA_ARGS__, {NULL, 0}}, &drawn);                                                      \
    assert_string_equal(drawn.text, expected);                                                                         \
  } while (0)

#define SCALE ". <2%  : <5%  - <10%  = <20%  + <35%  * <50%  % <70%  & <90%  @ more\n"
#define ROBOT_LEGEND "o pickup point, D delivery, E exit, W waiting area\n"

static void test_robot_delivery_states(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery");
  DRAWS(model,
        "#############\n"
        "# P # o # o #\n"
        "#   #   #   #\n"
        "#           #\n"
        "W     R     E\n"
        "#           #\n"
        "##### D #####\n"
        "#############\n"
        "R robot, P package\n" ROBOT_LEGEND,
        {"row2col3-at1", 1});
  DRAWS(model,
        "#############\n"
        "# o # o # o #\n"
        "#   # R #   #\n"
        "#           #\n"
        "W           E\n"
        "#           #\n"
        "##### D #####\n"
        "#############\n"
        "R robot, P package: carried\n" ROBOT_LEGEND,
        {"corridor2-carried", 1});
  DRAWS(model, /* the package has arrived where the robot stands */
        "#############\n"
        "# o # o # * #\n"
        "#   #   #   #\n"
        "#           #\n"
        "W           E\n"
        "#           #\n"
        "##### D #####\n"
        "#############\n"
        "R robot, P package\n"
        "* robot and package\n" ROBOT_LEGEND,
        {"pickup3-at3", 1});
  DRAWS(model,
        "#############\n"
        "# o # o # o #\n"
        "#   #   #   #\n"
        "#           #\n"
        "P           E\n"
        "#           #\n"
        "##### R #####\n"
        "#############\n"
        "R robot, P package\n" ROBOT_LEGEND,
        {"delivery-waiting", 1});
  DRAWS(model,
        "#############\n"
        "# o # o # o #\n"
        "#   #   #   #\n"
        "#           #\n"
        "W           R\n"
        "#           #\n"
        "##### D #####\n"
        "#############\n"
        "R robot, P package: none\n" ROBOT_LEGEND,
        {"end", 1});
  glimpse_model_free(model);
}

static void test_robot_delivery_beliefs(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery");
  DRAWS(model, /* the start */
        "R robot         P package\n"
        "#############   #############\n"
        "# o # o # o #   # + # + # + #\n"
        "#   #   #   #   #   #   #   #\n"
        "#           #   #           #\n"
        "W     R     E   W           E\n"
        "#           #   #           #\n"
        "##### D #####   ##### D #####\n"
        "#############   #############\n"
        "                largest 0.33\n" SCALE ROBOT_LEGEND,
        {"row2col3-at1", 1.0 / 3}, {"row2col3-at2", 1.0 / 3}, {"row2col3-at3", 1.0 / 3});
  DRAWS(model, /* weights need not sum to 1; places are told in words */
        "R robot         P package\n"
        "#############   #############\n"
        "# o # o # o #   # o # - # o #\n"
        "#   #   #   #   #   #   #   #\n"
        "# . =       #   #           #\n"
        "W   &       E   &           E\n"
        "#           #   #           #\n"
        "##### : #####   ##### D #####\n"
        "#############   #############\n"
        "largest 0.80    largest 0.80\n"
        "                carried 0.10\n"
        "                none 0.04\n" SCALE ROBOT_LEGEND,
        {"row2col2-waiting", 80}, {"row1col2-carried", 10}, {"delivery-none", 4}, {"row1col1-at2", 1},
        {"row1col2-at2", 5});
  DRAWS(model, /* certain in one layer, and nearly so */
        "R robot         P package\n"
        "#############   #############\n"
        "# o # o # o #   # o # o # o #\n"
        "#   #   #   #   #   #   #   #\n"
        "#           #   #           #\n"
        "W   @ .     E   W           E\n"
        "#           #   #           #\n"
        "##### D #####   ##### D #####\n"
        "#############   #############\n"
        "largest >0.99   carried\n" SCALE ROBOT_LEGEND,
        {"row2col2-carried", 0.999}, {"row2col3-carried", 0.001});
  glimpse_model_free(model);
}

static void test_tag(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tag");
  DRAWS(model,
        "#######################\n"
        "###########     P #####\n"
        "###########       #####\n"
        "###########       #####\n"
        "#                     #\n"
        "# R                   #\n"
        "#######################\n"
        "R robot, P prey\n",
        {"robot0-prey28", 1});
  DRAWS(model,
        "#######################\n"
        "###########       #####\n"
        "###########       #####\n"
        "###########       #####\n"
        "#                     #\n"
        "#                     #\n"
        "#######################\n"
        "R robot: done, P prey: tagged\n",
        {"tagged", 1});
  DRAWS(model,
        "R robot                   P prey\n"
        "#######################   #######################\n"
        "###########       #####   ###########       #####\n"
        "###########       #####   ########### +     #####\n"
        "###########       #####   ###########       #####\n"
        "# *                   #   #                     #\n"
        "#                     #   #     -               #\n"
        "#######################   #######################\n"
        "largest 0.40              largest 0.35\n" /* 0.349 */
        "done 0.60                 tagged 0.60\n" SCALE,
        {"tagged", 0.6}, {"robot10-prey23", 0.3491}, {"robot10-prey2", 0.0509});
  glimpse_model_free(model);
}

static void test_rock_sample(void **state) {
  (void)state;
  glimpse_model *model = environment_make("rock-sample");
  DRAWS(model,
        "###########\n"
        "#   G     E\n"
        "#         E\n"
        "#     o * E\n"
        "#   o     E\n"
        "###########\n"
        "R rover, G good rock\n"
        "* rover and good rock\n"
        "o other rock, E exit\n",
        {"x3y1-gbgb", 1});
  DRAWS(model, /* all rocks in one picture: 1 good for certain, 2 bad, 3 and 4 open */
        "R rover         G good rock\n"
        "###########     ###########\n"
        "#   o     E     #   &     E\n"
        "# R       E     #         E\n"
        "#     o o E     #     o G E\n"
        "#   o     E     #   +     E\n"
        "###########     ###########\n"
        "                largest 0.75\n" SCALE "o other rock, E exit\n",
        {"x0y2-gbgb", 0.75}, {"x0y2-gbbg", 0.25});
  DRAWS(model,
        "R rover         G good rock\n"
        "###########     ###########\n"
        "#   o     E     #   o     E\n"
        "#         E     #         E\n"
        "#     o o E     #     % o E\n"
        "#   %     E     #   o     E\n"
        "###########     ###########\n"
        "largest 0.50    largest 0.50\n"
        "gone 0.50\n" SCALE "o other rock, E exit\n",
        {"end", 1}, {"x1y0-bgbb", 1});
  glimpse_model_free(model);
}

/* Each threshold of the scale, just below and at it. */
static void test_shades(void **state) {
  (void)state;
  static const struct {
    double p;
    char shade;
  } table[] = {{1e-7, '.'},   {0.0199, '.'}, {0.0201, ':'}, {0.0499, ':'}, {0.0501, '-'}, {0.0999, '-'},
               {0.1001, '='}, {0.1999, '='}, {0.2001, '+'}, {0.3499, '+'}, {0.3501, '*'}, {0.4999, '*'},
               {0.5001, '%'}, {0.6999, '%'}, {0.7001, '&'}, {0.8999, '&'}, {0.9001, '@'}, {0.999, '@'}};
  static page drawn;
  glimpse_model *model = environment_make("tag");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    draw(model, (const entry[]){{"robot0-prey0", table[i].p}, {"robot0-prey9", 1 - table[i].p}, {NULL, 0}}, &drawn);
    /* The sixth line has R first, then the prey's row. */
    const char *line = drawn.text;
    for (int skip = 0; skip < 6; skip++) line = strchr(line, '\n') + 1;
    assert_memory_equal(line, "# R ", 4);
    if (line[28] != table[i].shade) fail_msg("%g is drawn '%c', should be '%c'", table[i].p, line[28], table[i].shade);
  }
  glimpse_model_free(model);
}

static size_t widest(const char *text) {
  size_t width = 0;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    if (length > width) width = length;
    line += length + 1;
  }
  return width;
}

/* Whatever the state or the belief: ASCII, no spaces at line ends, 80 columns. */
static void test_width(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=1",
                                      "robot-delivery:n=7",
                                      "robot-delivery:n=9",
                                      "robot-delivery:n=10",
                                      "robot-delivery:n=19",
                                      "robot-delivery:n=30",
                                      "tag",
                                      "rock-sample:n=7,k=2",
                                      "rock-sample:n=15,k=1"};
  static page drawn;
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]);
    const char *last = glimpse_model_name(model, GLIMPSE_STATE, glimpse_model_count(model, GLIMPSE_STATE) - 1);
    const char *first = glimpse_model_name(model, GLIMPSE_STATE, 0);
    for (int kind = 0; kind < 3; kind++) {
      if (kind == 0) draw(model, (const entry[]){{first, 1}, {NULL, 0}}, &drawn);
      if (kind == 1) draw(model, (const entry[]){{first, 1}, {last, 1}, {NULL, 0}}, &drawn);
      if (kind == 2) {
        drawn.length = 0;
        assert_int_equal(glimpse_model_draw(model, glimpse_model_start(model), write_page, &drawn), GLIMPSE_OK);
      }
      if (widest(drawn.text) > 80) fail_msg("%s is %zu wide", specs[i], widest(drawn.text));
      assert_null(strstr(drawn.text, " \n"));
      assert_int_equal(drawn.text[drawn.length - 1], '\n');
      for (const char *c = drawn.text; *c; c++) assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
    }
    glimpse_model_free(model);
  }
}

/* Two beside each other while 80 columns allow, else one below the other. */
static void test_stacked(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=9", "robot-delivery:n=10"};
  for (int wide = 0; wide < 2; wide++) {
    static page drawn;
    drawn.length = 0;
    glimpse_model *model = environment_make(specs[wide]);
    assert_int_equal(glimpse_model_draw(model, glimpse_model_start(model), write_page, &drawn), GLIMPSE_OK);
    const char *package = strstr(drawn.text, "P package\n");
    assert_memory_equal(drawn.text, wide ? "R robot\n" : "R robot ", 8);
    assert_non_null(package);
    assert_int_equal(package[-1], wide ? '\n' : ' ');
    glimpse_model_free(model);
  }
}

static void test_refusals(void **state) {
  (void)state;
  static page drawn;
  glimpse_model *model = environment_make("tag"), *plain = environment_make("tiger");
  uint32_t index[2] = {0, 842};
  double value[2] = {1, 0};
  drawn.refuse = true;
  assert_int_equal(glimpse_model_draw(model, (glimpse_row){1, index, value}, write_page, &drawn), GLIMPSE_CANNOT_WRITE);
  assert_int_equal(drawn.calls, 1);
  drawn.refuse = false;
  assert_null(glimpse_model_scene(plain));
  assert_int_equal(glimpse_model_draw(plain, (glimpse_row){1, index, value}, write_page, &drawn),
                   GLIMPSE_NOT_APPLICABLE);
  assert_int_equal(glimpse_model_draw(model, (glimpse_row){2, index, value}, write_page, &drawn), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_model_draw(model, (glimpse_row){0, index, value}, write_page, &drawn), GLIMPSE_BAD_ARGUMENT);
  static const double huge[2] = {1e308, 1e308}; /* the sum is not finite */
  uint32_t two[2] = {0, 1};
  assert_int_equal(glimpse_model_draw(model, (glimpse_row){2, two, huge}, write_page, &drawn), GLIMPSE_BAD_ARGUMENT);
  static const double bad[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(glimpse_model_draw(model, (glimpse_row){1, index, &bad[i]}, write_page, &drawn),
                     GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(drawn.calls, 1); /* nothing was written */
  glimpse_model_free(model);
  glimpse_model_free(plain);
}

/* ---- the gate for scenes ---- */

static const char *const layer_names[] = {"a", "b"}, *const place_names[] = {"off"}, *const bad_names[] = {"a", "b\n"};

/* Two states, two layers on a grid of 1 x 3. */
static const uint32_t good_cells[4] = {0, 1, 2, 3}, bad_cells[4] = {0, 1, 2, 4}, any_cells[4] = {0, 1, 2, GLIMPSE_ANY};

static glimpse_scene good_scene(void) {
  return (glimpse_scene){.rows = 1,
                         .columns = 3,
                         .background = "# #",
                         .legend = "",
                         .layers = 2,
                         .marks = "AB",
                         .names = layer_names,
                         .places = 1,
                         .place_names = place_names,
                         .cells = good_cells};
}

/* A model of two states with a scene; without one the status says why. */
static glimpse_status with_scene(const glimpse_scene *scene, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  glimpse_builder *builder = glimpse_builder_new(2, 1, 1);
  if (!builder) return GLIMPSE_NO_MEMORY;
  glimpse_builder_name(builder, GLIMPSE_STATE, 0, "tiger-left");
  glimpse_builder_name(builder, GLIMPSE_STATE, 1, "tiger-right");
  glimpse_builder_transition(builder, 0, GLIMPSE_ANY, 0, 1);
  glimpse_builder_observation(builder, 0, GLIMPSE_ANY, 0, 1);
  glimpse_status status = glimpse_builder_scene(builder, scene),
                 finished = glimpse_builder_finish(builder, report, model);
  assert_true(!status || status == finished);
  glimpse_builder_free(builder);
  return finished;
}

static glimpse_model *made_with(const glimpse_scene *scene) {
  glimpse_model *model;
  assert_int_equal(with_scene(scene, NULL, &model), GLIMPSE_OK);
  return model;
}

static void test_set_scene(void **state) {
  (void)state;
  glimpse_scene scene = good_scene();
  glimpse_model *model = made_with(&scene);
  const glimpse_scene *copy = glimpse_model_scene(model);
  assert_ptr_not_equal(copy->background, scene.background);
  assert_string_equal(copy->background, "# #");
  assert_string_equal(copy->names[1], "b");
  assert_string_equal(copy->place_names[0], "off");
  assert_memory_equal(copy->cells, good_cells, sizeof good_cells);
  DRAWS(model, "A   B\nA a, B b\n", {"tiger-left", 1});
  DRAWS(model, "# A #\nA a, B b: off\n", {"tiger-right", 1});
  glimpse_model_free(model);
  scene.cells = any_cells;
  scene.legend = "a legend";
  model = made_with(&scene);
  DRAWS(model, "# A #\nA a\na legend\n", {"tiger-right", 1});
  DRAWS(model,
        "A a             B b\n"
        "% % #           #   %\n"
        "largest 0.50    largest 0.50\n"
        "                nowhere 0.50\n" SCALE "a legend\n",
        {"tiger-left", 1}, {"tiger-right", 1});
  glimpse_model_free(model);
}

/* Columns are as wide as the longest name of a layer or place asks for. */
static void test_long_names(void **state) {
  (void)state;
  static const char *const layers[] = {"a layer with a long name", "b"}, *const places[] = {
                                                                             "a place with an even longer name"};
  glimpse_scene scene = good_scene();
  scene.names = layers;
  glimpse_model *model = made_with(&scene);
  DRAWS(model,
        "A a layer with a long name   B b\n"
        "% % #                        #   %\n"
        "largest 0.50                 largest 0.50\n"
        "                             off 0.50\n" SCALE,
        {"tiger-left", 1}, {"tiger-right", 1});
  glimpse_model_free(model);
  scene.place_names = places;
  model = made_with(&scene);
  DRAWS(model,
        "A a layer with a long name               B b\n"
        "@ . #                                    #   @\n"
        "largest >0.99                            largest >0.99\n"
        "                                         a place with an even longer name <0.01\n" SCALE,
        {"tiger-left", 0.999}, {"tiger-right", 0.001});
  glimpse_model_free(model);
}

/* The last scene that was given counts; a builder that is finished takes none. */
static void test_scene_again(void **state) {
  (void)state;
  glimpse_scene scene = good_scene();
  glimpse_builder *builder = glimpse_builder_new(2, 1, 1);
  glimpse_builder_transition(builder, 0, GLIMPSE_ANY, 0, 1);
  glimpse_builder_observation(builder, 0, GLIMPSE_ANY, 0, 1);
  assert_int_equal(glimpse_builder_scene(builder, &scene), GLIMPSE_OK);
  scene.marks = "XY";
  assert_int_equal(glimpse_builder_scene(builder, &scene), GLIMPSE_OK);
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  assert_string_equal(glimpse_model_scene(model)->marks, "XY");
  assert_int_equal(glimpse_builder_scene(builder, &scene), GLIMPSE_BAD_ARGUMENT);
  glimpse_builder_free(builder);
  glimpse_model_free(model);
}

static void test_wrong_scenes(void **state) {
  (void)state;
  static const char *const bad_places[] = {"2nd", "a: b", " a", "a ", ""}, *const twice[] = {"off", "off"};
  enum { WRONG = 20 };
  glimpse_scene wrong[WRONG];
  for (int i = 0; i < WRONG; i++) wrong[i] = good_scene();
  wrong[0].background = "# # ";
  wrong[1].background = "#\t#";
  wrong[2].marks = "A";
  wrong[3].marks = "A\n";
  wrong[4].names = bad_names;
  wrong[5].cells = bad_cells;
  wrong[6].layers = 0;
  wrong[7].rows = 0;
  wrong[8].legend = "two\nlines";
  wrong[9].place_names = bad_names + 1;
  wrong[10].legend = "caf\x7f";
  wrong[11].places = GLIMPSE_ANY;
  for (int i = 0; i < 5; i++) wrong[12 + i].place_names = bad_places + i;
  wrong[17].places = 2;
  wrong[17].place_names = twice;
  wrong[18].marks = "A ";
  wrong[19].names = bad_places + 3;
  for (int i = 0; i < WRONG; i++) {
    glimpse_model *model;
    glimpse_report *report = glimpse_report_new();
    if (with_scene(&wrong[i], report, &model) != GLIMPSE_BAD_ARGUMENT) fail_msg("wrong scene %d is accepted", i);
    assert_null(model);
    assert_int_equal(glimpse_report_kept(report), 1);
    assert_memory_equal(glimpse_report_get(report, 0)->text, "the scene: ", strlen("the scene: "));
    glimpse_report_free(report);
  }
}

/* ---- out of memory ---- */

static glimpse_status set_again(void *context) {
  (void)context;
  glimpse_scene scene = good_scene();
  glimpse_model *model;
  glimpse_status status = with_scene(&scene, NULL, &model);
  glimpse_model_free(model);
  return status;
}

static bool swallow(void *context, const char *text, size_t length) {
  (void)context;
  return text[length - 1] == '\n';
}

static glimpse_status draw_start(void *context) {
  const glimpse_model *model = context;
  return glimpse_model_draw(model, glimpse_model_start(model), swallow, NULL);
}

/* Weights of slots against sums over all states. */
static void test_weigh(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=3", "tag", "rock-sample:n=4,k=4"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]);
    const glimpse_scene *scene = glimpse_model_scene(model);
    uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), slots = glimpse_scene_slots(scene);
    assert_int_equal(slots, scene->rows * scene->columns + scene->places + 1);
    glimpse_row belief = glimpse_model_start(model);
    double *weights = calloc(slots, sizeof *weights);
    for (uint32_t layer = 0; layer < scene->layers; layer++) {
      assert_int_equal(glimpse_model_weigh(model, layer, belief, weights), GLIMPSE_OK);
      for (uint32_t slot = 0; slot < slots; slot++) {
        double sum = 0;
        for (size_t k = 0; k < belief.count; k++) {
          uint32_t cell = scene->cells[(size_t)layer * states + belief.index[k]];
          if (cell == slot || (cell == GLIMPSE_ANY && slot == slots - 1)) sum += belief.value[k];
        }
        assert_true(fabs(weights[slot] - sum) < 1e-12);
      }
      for (uint32_t s = 0; s < states; s++) {
        uint32_t cell = scene->cells[(size_t)layer * states + s];
        assert_int_equal(glimpse_model_slot(model, layer, s), cell == GLIMPSE_ANY ? slots - 1 : cell);
      }
    }
    uint32_t wrong = states;
    glimpse_row outside = {1, &wrong, &(double){1}};
    assert_int_equal(glimpse_model_weigh(model, 0, outside, weights), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_model_weigh(model, scene->layers, belief, weights), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_model_slot(model, scene->layers, 0), GLIMPSE_ANY);
    assert_int_equal(glimpse_model_slot(model, 0, states), GLIMPSE_ANY);
    free(weights);
    glimpse_model_free(model);
  }
  glimpse_model *tiger = environment_make("tiger");
  assert_int_equal(glimpse_model_weigh(tiger, 0, glimpse_model_start(tiger), NULL), GLIMPSE_NOT_APPLICABLE);
  assert_int_equal(glimpse_model_slot(tiger, 0, 0), GLIMPSE_ANY);
  glimpse_model_free(tiger);
}

static void test_out_of_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(set_again, NULL) > 6);
  glimpse_model *model = environment_make("robot-delivery");
  assert_true(failing_malloc_sweep(draw_start, model) > 4);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_robot_delivery_states),
      cmocka_unit_test(test_robot_delivery_beliefs),
      cmocka_unit_test(test_tag),
      cmocka_unit_test(test_rock_sample),
      cmocka_unit_test(test_shades),
      cmocka_unit_test(test_width),
      cmocka_unit_test(test_stacked),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_set_scene),
      cmocka_unit_test(test_long_names),
      cmocka_unit_test(test_scene_again),
      cmocka_unit_test(test_wrong_scenes),
      cmocka_unit_test(test_weigh),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
