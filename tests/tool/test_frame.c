/* Frame: whole frames letter by letter, every size of window, shades, marks, the past.
 *
 * Covers tool/frame_scene.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"

/* -------------------------------------------------------------------- cases */

/* A robot on four cells, and a key that it may carry. */
static const char *const names[] = {"robot", "key"};
static const char *const places[] = {"carried"};
static const glimpse_scene scene = {.rows = 3,
                                    .columns = 6,
                                    .background = "#######    #######",
                                    .legend = "# wall",
                                    .layers = 2,
                                    .marks = "RK",
                                    .names = names,
                                    .places = 1,
                                    .place_names = places};

static const struct subject grid = {.model = "corridor",
                                    .settings = "aems-sr, 50 expansions per decision, seed 1",
                                    .episodes = 20,
                                    .states = 20,
                                    .actions = 2,
                                    .observations = 2,
                                    .requests = true,
                                    .scene = &scene};
static const struct subject words = {.model = "tiger",
                                     .settings = "pomcp",
                                     .episodes = 1,
                                     .states = 2,
                                     .actions = 3,
                                     .observations = 2,
                                     .requests = false,
                                     .simulates = true,
                                     .timed = true};

static struct moment_weight robot[] = {{7, 0.75}, {8, 0.2}, {9, 0.05}};
static struct moment_weight key[] = {{10, 0.4}, {18, 0.6}};
static struct moment_layer layers[] = {{.truth = 8, .count = 3, .weights = robot},
                                       {.truth = 18, .count = 2, .weights = key}};
static struct moment_state states[] = {{.name = "c1-carried", .probability = 0.45},
                                       {.name = "c1-lies", .probability = 0.3},
                                       {.name = "c2-carried", .probability = 0.12, .truth = true},
                                       {.name = "c2-lies", .probability = 0.08}};
static struct moment_choice choices[] = {{.name = "right", .taken = true, .lower = 1.5, .upper = 2.25, .value = NAN},
                                         {.name = "left", .lower = -0.125, .upper = 1.75, .value = NAN},
                                         {.name = "ask", .ask = true, .lower = NAN, .upper = NAN, .value = NAN}};

static struct moment quiet_moment(void) {
  struct moment moment = {.episode = 2,
                          .step = 4,
                          .decision = {1.5, 2.25, NAN, 62.5, NAN, 50, GLIMPSE_STOP_EXPANSIONS},
                          .reward = -1,
                          .total = -3.5,
                          .requests = 1,
                          .entropy = 1.75,
                          .support = 6,
                          .states = 4,
                          .state_list = states,
                          .choices = 3,
                          .choice_list = choices,
                          .layers = 2,
                          .layer_list = layers};
  strcpy(moment.state, "c2-carried");
  strcpy(moment.action, "right");
  strcpy(moment.observation, "nothing");
  strcpy(moment.next, "c3-carried");
  return moment;
}

static const struct frame_tick ticks[] = {
    {false, 0, 0}, {false, 2, 0.25}, {true, -1, 8}, {false, 0, 1}, {false, -1, 1.75}};

static void expect_rows(const struct canvas *canvas, const char *const *rows, size_t count) {
  char text[4 * CANVAS_LIMIT + 1];
  for (int i = 0; i < canvas->rows; i++) {
    canvas_row(canvas, i, text);
    assert_string_equal(text, (size_t)i < count ? rows[i] : "");
  }
}

static struct canvas drawn(int rows, int columns, const struct subject *subject, const struct moment *moment,
                           struct frame_mode mode) {
  struct canvas canvas;
  assert_true(canvas_begin(&canvas, rows, columns));
  frame_draw(&canvas, subject, moment, ticks, moment ? 5 : 0, &mode);
  return canvas;
}

/* -------------------------------------------------------------------- tests */

static void a_frame_of_plain_text(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  struct canvas canvas = drawn(24, 80, &grid, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  static const char *const rows[24] = {
      " glimpse  corridor  aems-sr, 50 expansions per decision, seed 1",
      " episode 3 of 20, step 5  return -3.5000  1 request  1.75 bits of doubt",
      "",
      " the world     R robot?      K key?        choices              lower     upper",
      " ###########   ###########   ###########   > right              1.500     2.250",
      " #   R     #   # &&R+--  #   #       **#     left              -0.125     1.750",
      " ###########   ###########   ###########     ask                    -         -",
      " key: carried                0.60 carried",
      [9] = " most probable states (> the true one)",
      [10] = "   c1-carried        0.4500 *****",
      [11] = "   c1-lies           0.3000 +++",
      [12] = " > c2-carried        0.1200 =",
      [13] = "   c2-lies           0.0800 -",
      [16] = "",
      [17] = " decides   right               worth 1.500 to 2.250  50 expansions",
      [18] = " outcome   sees nothing, reward -1; c2-carried -> c3-carried",
      [20] = " requests  ..?..",
      [21] = " rewards   .+-.-",
      [22] = " doubt     _.@-=",
      [23] = " paused  q quit  ? help  space pause  n step  b back  + faster  - slower  e end"};
  const char *filled[24];
  for (int i = 0; i < 24; i++) filled[i] = rows[i] ? rows[i] : "";
  expect_rows(&canvas, filled, 24);
  /* The styles of what carries meaning. */
  const struct cell *cells = canvas.cells;
  assert_int_equal(cells[0].style, STYLE_TITLE);
  assert_int_equal(cells[5 * 80 + 5].style, STYLE_TRUTH);   /* R in the world */
  assert_int_equal(cells[5 * 80 + 17].style, STYLE_SHADE7); /* 0.75 */
  assert_int_equal(cells[5 * 80 + 19].style, STYLE_SHADE4); /* 0.2, and R */
  assert_int_equal(cells[5 * 80 + 21].style, STYLE_SHADE2); /* 0.05 */
  assert_int_equal(cells[20 * 80 + 13].style, STYLE_ASK);
  assert_int_equal(cells[21 * 80 + 12].style, STYLE_GAIN);
  assert_int_equal(cells[21 * 80 + 13].style, STYLE_LOSS);
  canvas_end(&canvas);
}

/* A word is shown whole, or it ends in "..", in windows of every width. */
static void no_word_is_cut(void **state) {
  (void)state;
  enum { WIDE = 300 };
  struct moment moment = quiet_moment();
  static char wide[24 * (4 * WIDE + 2)], text[4 * CANVAS_LIMIT + 1];
  const struct subject *const subjects[] = {&grid, &words};
  for (int k = 0; k < 4; k++) {
    moment.asked = k % 2;
    moment.after = moment.decision;
    moment.last = true;
    wide[0] = 0;
    struct frame_mode mode = {.state = FRAME_PAUSED, .help = false};
    struct canvas whole = drawn(24, WIDE, subjects[k / 2], &moment, mode);
    for (int i = 0; i < 24; i++) {
      canvas_row(&whole, i, text);
      strcat(strcat(wide, " "), text);
    }
    strcat(wide, " ");
    canvas_end(&whole);
    for (int columns = 24; columns < 130; columns++) {
      struct canvas canvas = drawn(24, columns, subjects[k / 2], &moment, mode);
      for (int i = 0; i < 24; i++) {
        canvas_row(&canvas, i, text);
        char *last = strrchr(text, ' ');
        if ((int)strlen(text) < columns - 1 || !last || strspn(last, " .:-=+*%&@#?_") == strlen(last)) continue;
        size_t length = strlen(last);
        bool known = length > 2 && !strcmp(last + length - 2, "..");
        for (const char *at = wide; !known && (at = strstr(at, last)); at++) known = strchr(" ;,", at[length]) != NULL;
        if (!known) fail_msg("%d columns, row %d: '%s'", columns, i, text);
      }
      canvas_end(&canvas);
    }
  }
}

/* Where the name of a thing and its place do not fit below the world, its mark stands for the name. */
static void a_long_name_below_the_world(void **state) {
  (void)state;
  static const char *const longer[] = {"robot", "package"};
  glimpse_scene other = scene;
  struct subject subject = grid;
  struct moment moment = quiet_moment();
  char text[400];
  other.names = longer;
  subject.scene = &other;
  struct canvas canvas = drawn(24, 80, &subject, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 7, text);
  assert_string_equal(text, " K: carried                  0.60 carried");
  canvas_end(&canvas);
}

/* In a large window cells are several rows high, and the states are told, too. */
static void a_large_window(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  struct canvas canvas = drawn(50, 200, &grid, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  char text[900];
  static const char *const found[] = {" the world", " ####################################", ">"};
  int tall = 0, widest = 0;
  for (int i = 0; i < 50; i++) {
    canvas_row(&canvas, i, text);
    if (!strncmp(text, " ##########", 11)) tall++;
    if ((int)strlen(text) > widest) widest = (int)strlen(text);
  }
  canvas_row(&canvas, 3, text);
  assert_memory_equal(text, found[0], strlen(found[0]));
  if (tall < 6 || widest < 140) fail_msg("%d rows of walls, %d columns", tall, widest);
  canvas_end(&canvas);
}

static void asking_takes_a_line(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  char text[400];
  moment.asked = moment.last = true;
  moment.cost = 0.25;
  moment.after = moment.decision;
  moment.after.lower = 2;
  moment.after.seconds = 0.125;
  moment.after.expansions = 1;
  struct canvas canvas = drawn(24, 80, &grid, &moment, (struct frame_mode){.state = FRAME_PLAYING, .delay = 0.3});
  canvas_row(&canvas, 17, text);
  assert_string_equal(text, " decides   ask, for 0.25       worth 1.500 to 2.250  50 expansions");
  assert_int_equal(canvas.cells[17 * 80 + 11].style, STYLE_ASK);
  canvas_row(&canvas, 18, text);
  assert_string_equal(text, " then      right               worth 2.000 to 2.250  1 expansion in 0.125 s");
  canvas_row(&canvas, 19, text);
  assert_string_equal(text, " outcome   sees nothing, reward -1; c2-carried -> c3-carried; the episode ends");
  canvas_row(&canvas, 3, text);
  assert_non_null(strstr(text, "once told"));
  canvas_row(&canvas, 23, text);
  assert_memory_equal(text, " playing (0.3 s)  q quit", 24);
  canvas_end(&canvas);
}

static void colours_and_blocks(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  struct canvas colour = drawn(24, 80, &grid, &moment, (struct frame_mode){.colour = true});
  struct canvas blocks = drawn(24, 80, &grid, &moment, (struct frame_mode){.utf8 = true});
  /* With colours the background is the shade; the truth keeps its mark. */
  assert_int_equal(colour.cells[5 * 80 + 17].code, ' ');
  assert_int_equal(colour.cells[5 * 80 + 17].style, STYLE_SHADE7);
  assert_int_equal(colour.cells[5 * 80 + 19].code, 'R');
  assert_int_equal(blocks.cells[5 * 80 + 17].code, 0x2588);
  assert_int_equal(blocks.cells[5 * 80 + 19].code, 'R');
  assert_int_equal(blocks.cells[5 * 80 + 20].code, 0x2592);
  assert_int_equal(blocks.cells[5 * 80 + 21].code, 0x2591);
  assert_int_equal(blocks.cells[20 * 80 + 11].code, 0xb7);
  assert_int_equal(blocks.cells[22 * 80 + 13].code, 0x2588); /* eight bits */
  for (int i = 0; i < 24 * 80; i++) assert_true(colour.cells[i].code < 0x80);
  canvas_end(&colour);
  canvas_end(&blocks);
}

static void states_where_there_is_no_picture(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  moment.layers = 0;
  moment.layer_list = NULL;
  moment.decision.lower = moment.decision.upper = moment.decision.reduction = NAN;
  moment.decision.value = 4.5;
  moment.decision.seconds = 0.5;
  choices[0].value = 4.5;
  choices[0].visits = 37;
  struct canvas canvas = drawn(24, 80, &words, &moment, (struct frame_mode){.state = FRAME_ENDED});
  char text[400];
  static const char *const rows[] = {" most probable states (> the true one)     choices              value    visits",
                                     "   c1-carried        0.4500 *****          > right              4.500        37",
                                     "   c1-lies           0.3000 +++              left                   -         0",
                                     " > c2-carried        0.1200 =                ask                    -         0",
                                     "   c2-lies           0.0800 -"};
  for (int i = 0; i < 5; i++) {
    canvas_row(&canvas, 3 + i, text);
    assert_string_equal(text, rows[i]);
  }
  canvas_row(&canvas, 18, text);
  assert_string_equal(text, " decides   right               worth about 4.500  50 simulations in 0.500 s");
  /* No requests, no line about them. */
  canvas_row(&canvas, 21, text);
  assert_memory_equal(text, " rewards ", 9);
  canvas_end(&canvas);
  choices[0].value = NAN;
  choices[0].visits = 0;
  /* In a list that is too short the true state takes the last row. */
  canvas = drawn(8, 80, &words, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 2, text);
  assert_memory_equal(text, " believes  c1-carried 0.45, c1-lies 0.30", 40);
  canvas_end(&canvas);
  canvas = drawn(9, 80, &words, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 3, text);
  assert_memory_equal(text, " > c2-carried ", 14);
  assert_non_null(strstr(text, "> right "));
  canvas_end(&canvas);
  /* So does the choice that is taken. */
  choices[0].taken = false;
  choices[1].taken = true;
  canvas = drawn(9, 80, &words, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 3, text);
  assert_non_null(strstr(text, "> left "));
  canvas_end(&canvas);
  choices[0].taken = true;
  choices[1].taken = false;
}

/* Every size: the last row has the keys, the decision is there as soon as there are four
 * rows, and the same input gives the same frame. */
static void every_size(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  char text[4 * CANVAS_LIMIT + 1];
  for (int rows = 1; rows <= 40; rows++)
    for (int columns = 1; columns <= 130; columns += 3) {
      struct frame_mode mode = {
          .state = FRAME_PAUSED, .utf8 = columns % 2, .colour = rows % 2, .help = columns % 5 == 0};
      struct canvas canvas = drawn(rows, columns, &grid, &moment, mode);
      struct canvas again = drawn(rows, columns, &grid, &moment, mode);
      assert_true(canvas_equal(&canvas, &again));
      canvas_row(&canvas, rows - 1, text);
      if (rows > 1 && columns >= 7 && !mode.help) assert_memory_equal(text, " paused", 7);
      bool decided = false;
      for (int i = 0; i < rows; i++) {
        canvas_row(&canvas, i, text);
        decided = decided || !strncmp(text, " decides   right", 16);
      }
      if (rows >= 4 && columns >= 16 && !mode.help) assert_true(decided);
      canvas_end(&canvas);
      canvas_end(&again);
    }
}

static void small_pictures(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  char text[200];
  /* Narrow cells where wide ones do not fit: one character is the shade. */
  struct canvas canvas = drawn(12, 26, &grid, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 4, text);
  assert_string_equal(text, " # R  #   #&+- #   #   *#");
  canvas_end(&canvas);
  /* The world alone, where there is no room for the belief. */
  canvas = drawn(12, 13, &grid, &moment, (struct frame_mode){.state = FRAME_PAUSED});
  canvas_row(&canvas, 4, text);
  assert_string_equal(text, " #   R     #");
  canvas_end(&canvas);
  canvas = drawn(24, 80, &grid, NULL, (struct frame_mode){.state = FRAME_THINKING});
  canvas_row(&canvas, 1, text);
  assert_string_equal(text, " searching ...");
  canvas_end(&canvas);
}

static void the_past_is_cut_on_the_left(void **state) {
  (void)state;
  static struct frame_tick many[300];
  struct moment moment = quiet_moment();
  char text[400];
  for (int i = 0; i < 300; i++) many[i].asked = i % 10 == 9; /* the last step among them */
  struct canvas canvas;
  struct frame_mode mode = {.state = FRAME_PAUSED};
  assert_true(canvas_begin(&canvas, 24, 80));
  frame_draw(&canvas, &grid, &moment, many, 300, &mode);
  canvas_row(&canvas, 20, text);
  assert_int_equal(strlen(text), 11 + 68);
  assert_int_equal(text[11 + 67], '?');
  assert_int_equal(text[11 + 57], '?');
  assert_int_equal(text[11 + 58], '.');
  canvas_end(&canvas);
}

static void shades_are_ordered(void **state) {
  (void)state;
  static const double from[] = {0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9};
  static const char marks[] = ".:-=+*%&@"; /* as glimpse_model_draw has them */
  for (int i = 0; i < CANVAS_SHADES; i++) {
    assert_int_equal(frame_shade(from[i]), i);
    if (i) assert_int_equal(frame_shade(nextafter(from[i], 0)), i - 1);
    assert_int_equal(frame_shade_code(i, false), marks[i]);
    if (i) assert_true(strcmp(frame_shade_text(i), frame_shade_text(i - 1)) != 0);
  }
  assert_int_equal(frame_shade(1), CANVAS_SHADES - 1);
}

static void help_lies_over_it(void **state) {
  (void)state;
  struct moment moment = quiet_moment();
  struct canvas canvas = drawn(24, 80, &grid, &moment, (struct frame_mode){.state = FRAME_PAUSED, .help = true});
  char text[400], all[10000] = "";
  for (int i = 0; i < 24; i++) {
    canvas_row(&canvas, i, text);
    strcat(strcat(all, text), "\n");
  }
  assert_non_null(strstr(all, "space          pause, go on"));
  assert_non_null(strstr(all, "q, Ctrl-C      quit"));
  assert_non_null(strstr(all, "shades .<2% :<5% -<10% =<20% +<35% *<50% %<70% &<90% @more"));
  assert_non_null(strstr(all, "# wall"));
  canvas_end(&canvas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_frame_of_plain_text),
      cmocka_unit_test(asking_takes_a_line),
      cmocka_unit_test(colours_and_blocks),
      cmocka_unit_test(states_where_there_is_no_picture),
      cmocka_unit_test(every_size),
      cmocka_unit_test(small_pictures),
      cmocka_unit_test(the_past_is_cut_on_the_left),
      cmocka_unit_test(no_word_is_cut),
      cmocka_unit_test(a_long_name_below_the_world),
      cmocka_unit_test(a_large_window),
      cmocka_unit_test(shades_are_ordered),
      cmocka_unit_test(help_lies_over_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
