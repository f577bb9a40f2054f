/* Play: see play.h.
 *
 * Episode i of a setting has the seed `setting.seed + i` for the world and for the planner, so that
 * `glimpse run ... --episodes 1 --seed SEED` plays a row again, and rows of different planners with the same
 * seed met the same world.
 *
 * A trace is one search from the start belief, taken in slices: each slice goes on with the graph of
 * the ones before. */
#include "experiment/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/machine.h"

static void note_failure(struct outcome *outcome, const glimpse_report *report, glimpse_status status) {
  const glimpse_message *message = report ? glimpse_report_get(report, 0) : NULL;
  outcome->failed = 1;
  snprintf(outcome->error, sizeof outcome->error, "%.280s", message ? message->text : glimpse_status_text(status));
}

/* ----------------------------------------------------------------- episode */

/* "camera=3 state=0"; what does not fit is left out. */
static void note_asked(const glimpse_model *model, const uint32_t *asked, char text[STORE_ASKED]) {
  size_t used = 0;
  for (uint32_t i = 0; i < glimpse_model_inquiries(model); i++) {
    int more = snprintf(text + used, STORE_ASKED - used, "%s%s=%lu", i ? " " : "", glimpse_model_inquiry(model, i).name,
                        (unsigned long)asked[i]);
    if (more < 0 || (size_t)more >= STORE_ASKED - used) {
      text[used] = 0;
      return;
    }
    used += (size_t)more;
  }
}

static void play_episode(const struct spec *spec, const struct setting *setting, const volatile int *interrupt,
                         glimpse_report *report, struct outcome *outcome) {
  const glimpse_model *model = spec->catalogue.entries[setting->model].model;
  uint64_t seed = setting->seed + outcome->task.episode;
  glimpse_run run = {.episodes = 1,
                     .seed = seed,
                     .max_steps = (uint32_t)setting->max_steps,
                     .jobs = 1,
                     .budget = setting->budget,
                     .planner = setting->planner,
                     .agent = {.ask_when_lost = setting->ask_when_lost}};
  run.planner.seed = seed;
  run.planner.policy = catalogue_policy(&spec->catalogue, setting);
  run.budget.interrupt = interrupt;
  glimpse_episode result;
  double load = machine_load();
  char asked[STORE_ASKED] = "";
  uint32_t inquiries = glimpse_model_inquiries(model);
  run.asked = inquiries ? calloc(inquiries, sizeof *run.asked) : NULL;
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (run.asked || !inquiries)
    status = glimpse_run_episodes(model, catalogue_offline(&spec->catalogue, setting), &run, report, &result);
  if (!status && inquiries) note_asked(model, run.asked, asked);
  free(run.asked);
  if (status) {
    note_failure(outcome, report, status);
    return;
  }
  if (isnan(result.total)) {
    outcome->cut = 1;
    return;
  }
  if (result.refused) { /* an episode that its seed does not give again */
    note_failure(outcome, NULL, GLIMPSE_NO_MEMORY);
    return;
  }
  outcome->row = (store_episode){.seed = seed,
                                 .total = result.total,
                                 .undiscounted = result.undiscounted,
                                 .steps = result.steps,
                                 .requests = result.requests,
                                 .decisions = (uint64_t)result.steps + result.requests,
                                 .ended = result.finished,
                                 .expansions = result.expansions,
                                 .error_reduction = result.error_reduction,
                                 .lower = result.lower,
                                 .upper = result.upper,
                                 .seconds = result.seconds,
                                 .load = load,
                                 .core = -1};
  if (!result.steps) outcome->row.error_reduction = outcome->row.lower = outcome->row.upper = NAN;
  machine_date(outcome->row.finished);
  snprintf(outcome->row.asked, sizeof outcome->row.asked, "%s", asked);
}

/* ------------------------------------------------------------------- trace */

/* Slices of the search: 1, 2, 3, 4, 6, 8, 11, 16 ... expansions in all, or what the number of points
 * allows up to the budget. */
static double next_total(double total, double ratio) {
  double next = floor(total * ratio + 0.5);
  return next > total ? next : total + 1;
}

static double slice_ratio(const struct setting *setting, unsigned points) {
  if (setting_timed(setting)) return 1.5;
  double least = 1.05, most = 1e6;
  for (int i = 0; i < 60; i++) { /* the smallest ratio that reaches the budget */
    double middle = sqrt(least * most), total = 1;
    for (unsigned k = 1; k < points; k++) total = next_total(total, middle);
    if (total < (double)setting->budget.expansions) least = middle;
    else most = middle;
  }
  return most;
}

static glimpse_status search(const struct setting *setting, glimpse_planner *planner, const volatile int *interrupt,
                             struct outcome *outcome) {
  unsigned points = setting->trace < PLAY_POINTS ? setting->trace : PLAY_POINTS;
  double ratio = slice_ratio(setting, points), goal = 1, seconds = 0;
  uint64_t done = 0;
  while (outcome->points < points) {
    if (!setting_timed(setting) && goal > (double)setting->budget.expansions) goal = (double)setting->budget.expansions;
    if (goal <= (double)done) break;
    glimpse_budget budget = setting->budget;
    budget.interrupt = interrupt;
    budget.expansions = (uint64_t)goal - done;
    if (setting_timed(setting)) budget.time = setting->budget.time - seconds;
    if (setting_timed(setting) && budget.time <= 0) break;
    glimpse_decision decision;
    glimpse_status status = glimpse_planner_plan(planner, &budget, &decision);
    if (status) return status;
    if (decision.stop == GLIMPSE_STOP_INTERRUPTED) {
      outcome->cut = 1;
      return GLIMPSE_OK;
    }
    if (decision.refused) return GLIMPSE_NO_MEMORY; /* a search that nobody would see again */
    done += decision.expansions;
    seconds += decision.seconds;
    if (isnan(decision.lower) || (outcome->points && !decision.expansions)) break;
    outcome->point[outcome->points++] = (store_point){.seed = setting->seed,
                                                      .expansions = done,
                                                      .seconds = seconds,
                                                      .lower = decision.lower,
                                                      .upper = decision.upper};
    if (decision.stop != GLIMPSE_STOP_EXPANSIONS) break;
    goal = next_total(goal, ratio);
  }
  return GLIMPSE_OK;
}

static void play_trace(const struct spec *spec, const struct setting *setting, const volatile int *interrupt,
                       glimpse_report *report, struct outcome *outcome) {
  const glimpse_model *model = spec->catalogue.entries[setting->model].model;
  glimpse_planner_options options = setting->planner;
  options.seed = setting->seed;
  glimpse_planner *planner = NULL;
  glimpse_status status =
      glimpse_planner_new(model, catalogue_offline(&spec->catalogue, setting), &options, report, &planner);
  if (!status) status = glimpse_planner_begin(planner, glimpse_model_start(model), 0);
  if (!status) status = search(setting, planner, interrupt, outcome);
  if (status) note_failure(outcome, report, status);
  glimpse_planner_free(planner);
}

void play(const struct spec *spec, const struct task *task, const volatile int *interrupt, struct outcome *outcome) {
  double start = machine_clock();
  memset(outcome, 0, sizeof *outcome);
  outcome->task = *task;
  const struct setting *setting = &spec->settings[task->setting];
  glimpse_report *report = glimpse_report_new();
  if (!report) note_failure(outcome, NULL, GLIMPSE_NO_MEMORY);
  else if (task->trace) play_trace(spec, setting, interrupt, report, outcome);
  else play_episode(spec, setting, interrupt, report, outcome);
  glimpse_report_free(report);
  outcome->wall = machine_clock() - start;
}
