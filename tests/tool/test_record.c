/* Moments and records: what a moment says of a real step, that a record read again is
 * the same and gives the same frames, and memory that runs out.
 *
 * Covers common/moment.c, common/moment_json.c, tool/record_read.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "frame.h"
#include "record.h"
#include "support/environment.h"
#include "support/failing_malloc.h"

enum { MOST = 200 };

struct film {
  glimpse_model *model;
  struct subject subject;
  struct moment *moments[MOST];
  size_t count;
  uint32_t requests;
};

/* The weights of a layer by another path: for each slot, over all states. */
static void check_layers(const struct film *film, const glimpse_step *step, const struct moment *moment) {
  const glimpse_scene *scene = film->subject.scene;
  assert_int_equal(moment->layers, scene ? scene->layers : 0);
  for (uint32_t i = 0; i < moment->layers; i++) {
    const struct moment_layer *layer = &moment->layer_list[i];
    uint32_t k = 0, slots = glimpse_scene_slots(scene);
    for (uint32_t slot = 0; slot < slots; slot++) {
      double weight = 0;
      for (size_t b = 0; b < step->belief.count; b++) {
        uint32_t cell = scene->cells[i * film->subject.states + step->belief.index[b]];
        if (cell == slot || (cell == GLIMPSE_ANY && slot == slots - 1)) weight += step->belief.value[b];
      }
      if (!(weight > 0)) continue;
      assert_true(k < layer->count && layer->weights[k].slot == slot);
      assert_true(layer->weights[k++].weight == weight);
    }
    assert_int_equal(k, layer->count);
    uint32_t cell = scene->cells[i * film->subject.states + step->state];
    assert_int_equal(layer->truth, cell == GLIMPSE_ANY ? slots - 1 : cell);
  }
}

static void check_lists(const struct film *film, const glimpse_step *step, const struct moment *moment) {
  uint32_t truths = 0, taken = 0;
  for (uint32_t i = 0; i < moment->states; i++) {
    const struct moment_state *state = &moment->state_list[i];
    uint32_t s = glimpse_model_find(film->model, GLIMPSE_STATE, state->name);
    truths += state->truth;
    assert_int_equal(state->truth, s == step->state);
    assert_true(i == 0 || i == MOMENT_LIST || state->probability <= moment->state_list[i - 1].probability);
  }
  assert_int_equal(truths, 1);
  for (uint32_t i = 0; i < moment->choices; i++) {
    const struct moment_choice *choice = &moment->choice_list[i];
    taken += choice->taken && !strcmp(choice->name, moment->action);
    if (!film->subject.simulates && i) assert_false(choice->upper > moment->choice_list[i - 1].upper);
  }
  assert_int_equal(taken, 1);
  uint32_t wanted = film->subject.actions + (film->subject.requests && !step->asked);
  assert_int_equal(moment->choices, wanted > MOMENT_LIST ? MOMENT_LIST : wanted);
}

static bool keep(void *context, const glimpse_step *step) {
  struct film *film = context;
  if (!step->step) film->requests = 0;
  struct moment *moment =
      moment_new(&film->subject, film->model, glimpse_agent_planner(step->agent), step, film->requests);
  assert_non_null(moment);
  film->requests = moment->requests;
  check_layers(film, step, moment);
  check_lists(film, step, moment);
  film->moments[film->count++] = moment;
  return film->count < MOST;
}

static void play(struct film *film, const char *spec, glimpse_planner_kind kind, glimpse_step_function step) {
  glimpse_episode results[3];
  glimpse_offline *offline = NULL;
  *film = (struct film){.model = environment_make(spec)};
  film->subject = (struct subject){.model = spec,
                                   .settings = "\"quoted\", caf\xc3\xa9",
                                   .episodes = 3,
                                   .states = glimpse_model_count(film->model, GLIMPSE_STATE),
                                   .actions = glimpse_model_count(film->model, GLIMPSE_ACTION),
                                   .observations = glimpse_model_count(film->model, GLIMPSE_OBSERVATION),
                                   .requests = glimpse_model_requests(film->model),
                                   .simulates = kind == GLIMPSE_PLANNER_POMCP,
                                   .scene = glimpse_model_scene(film->model)};
  assert_int_equal(glimpse_offline_new(film->model, glimpse_offline_upper(film->model), NULL, NULL, &offline), 0);
  glimpse_run run = {.episodes = 3,
                     .seed = 5,
                     .max_steps = 12,
                     .budget = {.expansions = 15},
                     .planner = {.kind = kind},
                     .step = step,
                     .context = film};
  assert_int_equal(glimpse_run_episodes(film->model, offline, &run, NULL, results), GLIMPSE_OK);
  glimpse_offline_free(offline);
}

static void end(struct film *film) {
  for (size_t i = 0; i < film->count; i++) moment_free(film->moments[i]);
  glimpse_model_free(film->model);
}

static void same_text(char *a, char *b) {
  assert_non_null(a);
  assert_non_null(b);
  assert_string_equal(a, b);
  free(a);
  free(b);
}

static void same_frame(const struct subject *a, const struct moment *ma, const struct subject *b,
                       const struct moment *mb, int rows, int columns) {
  struct canvas ca, cb;
  struct frame_tick ta = {ma->asked, ma->reward, ma->entropy}, tb = {mb->asked, mb->reward, mb->entropy};
  struct frame_mode mode = {.utf8 = true, .colour = true};
  assert_true(canvas_begin(&ca, rows, columns) && canvas_begin(&cb, rows, columns));
  frame_draw(&ca, a, ma, &ta, 1, &mode);
  frame_draw(&cb, b, mb, &tb, 1, &mode);
  assert_true(canvas_equal(&ca, &cb));
  canvas_end(&ca);
  canvas_end(&cb);
}

static void round_trip(const char *spec, glimpse_planner_kind kind) {
  static struct film film;
  struct record record;
  struct recording recording;
  char path[] = "/tmp/glimpse-record-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  play(&film, spec, kind, keep);
  assert_true(film.count > 3);
  assert_int_equal(record_begin(&record, path, &film.subject), TOOL_OK);
  for (size_t i = 0; i < film.count; i++) assert_true(record_moment(&record, film.moments[i]));
  assert_int_equal(record_end(&record, true), TOOL_OK);
  assert_int_equal(recording_read(&recording, path), TOOL_OK);
  remove(path);
  assert_true(recording.complete && !recording.cut);
  assert_int_equal(recording.count, film.count);
  same_text(moment_subject_line(&film.subject), moment_subject_line(&recording.subject));
  for (size_t i = 0; i < film.count; i++) {
    same_text(moment_line(film.moments[i]), moment_line(recording.moments[i]));
    same_frame(&film.subject, film.moments[i], &recording.subject, recording.moments[i], 24, 80);
    same_frame(&film.subject, film.moments[i], &recording.subject, recording.moments[i], 50, 190);
  }
  recording_free(&recording);
  end(&film);
}

static void environments_come_back(void **state) {
  (void)state;
  round_trip("robot-delivery:n=3", GLIMPSE_PLANNER_AEMS_SR);
  round_trip("tag", GLIMPSE_PLANNER_AEMS_SR); /* more states than the list keeps */
  round_trip("rock-sample:n=4,k=4", GLIMPSE_PLANNER_AEMS_SR);
  round_trip("tiger", GLIMPSE_PLANNER_POMCP);
  round_trip("toy", GLIMPSE_PLANNER_ASK_EVERY);
}

/* ------------------------------------------------------------- many choices */

/* More actions than the list keeps: the best of them, best first. */
static bool keep_first(void *context, const glimpse_step *step) {
  struct film *film = context;
  film->moments[film->count++] = moment_new(&film->subject, film->model, glimpse_agent_planner(step->agent), step, 0);
  return false;
}

static void the_best_choices_are_kept(void **state) {
  (void)state;
  enum { ACTIONS = 100 };
  static struct film film;
  glimpse_builder *builder = glimpse_builder_new(2, ACTIONS, 1);
  glimpse_builder_discount(builder, 0.5);
  glimpse_builder_transition(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  for (uint32_t a = 0; a < ACTIONS; a++) glimpse_builder_reward(builder, a, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, a);
  film = (struct film){0};
  assert_int_equal(glimpse_builder_finish(builder, NULL, &film.model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  film.subject = (struct subject){.states = 2, .actions = ACTIONS, .observations = 1};
  glimpse_offline *offline = NULL;
  glimpse_episode result;
  assert_int_equal(glimpse_offline_new(film.model, GLIMPSE_BOUND_FIB, NULL, NULL, &offline), GLIMPSE_OK);
  glimpse_run run = {.episodes = 1, .budget = {.expansions = 3}, .step = keep_first, .context = &film};
  assert_int_equal(glimpse_run_episodes(film.model, offline, &run, NULL, &result), GLIMPSE_OK);
  assert_int_equal(film.count, 1);
  const struct moment *moment = film.moments[0];
  assert_int_equal(moment->choices, MOMENT_LIST);
  assert_string_equal(moment->choice_list[0].name, "99");
  assert_true(moment->choice_list[0].taken);
  assert_string_equal(moment->choice_list[MOMENT_LIST - 1].name, "36");
  glimpse_offline_free(offline);
  end(&film);
}

/* ------------------------------------------------------------------- memory */

static bool try_each_failure(void *context, const glimpse_step *step) {
  struct film *film = context;
  long live = failing_malloc_live();
  struct moment *moment = NULL;
  unsigned long n = 0, failed = 0;
  /* realloc that cannot shrink is no failure, and a belief without memory has no entropy */
  for (bool disturbed = true; disturbed; moment_free(moment)) {
    failing_malloc_set(++n, false);
    moment = moment_new(&film->subject, film->model, glimpse_agent_planner(step->agent), step, 0);
    disturbed = failing_malloc_failures() > 0;
    failing_malloc_set(0, false);
    failed += !moment;
    assert_true(moment || disturbed);
  }
  assert_true(failed >= 6);
  assert_int_equal(failing_malloc_live(), live);
  return false;
}

static void memory_runs_out(void **state) {
  (void)state;
  static struct film film;
  play(&film, "robot-delivery:n=3", GLIMPSE_PLANNER_AEMS_SR, try_each_failure);
  end(&film);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(environments_come_back),
      cmocka_unit_test(the_best_choices_are_kept),
      cmocka_unit_test(memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
