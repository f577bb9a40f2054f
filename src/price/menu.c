/* Menu: see menu.h.
 *
 * Prices of an inquiry reach the planning model (src/model/layered.c) by its rewards alone, in which they are linear:
 *
 *   R(x,c) at the factor f = R(x,c) where it is free - f * paid(x,c).
 *
 * So one planning model serves all factors, and so does the proof of the convexity: a plan that earns r where the
 * inquiry is free, other prices included, and pays n at the factor 1 is worth r - f n.
 *
 * Asking never.  Let Q(x,c) bound from above what choice c is worth in x where the inquiry is free (qmdp), and let
 * alpha(x) bound from below what a fixed choice for ever is worth that does not ask it (blind).  At a belief b asking
 * by c is worth at most sum_x b(x) (Q(x,c) - f paid(x,c)), not asking at least sum_x b(x) alpha(x).  So no plan needs
 * the inquiry if f paid(x,c) >= Q(x,c) - alpha(x) wherever it can be asked. */
#include "price/menu.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "model/layers.h"
#include "model/model.h"

void gli_menu_free(gli_menu *menu) {
  gli_memory_free(menu->inquiries);
  glimpse_model_free(menu->free);
  gli_memory_free(menu->paid);
  gli_memory_free(menu->reward);
  glimpse_model_free(menu->without);
  *menu = (gli_menu){0};
}

static size_t rows_of(const glimpse_model *model) {
  return (size_t)model->actions * model->states;
}

/* ------------------------------------------------------------------- making */

static glimpse_status make_free(gli_menu *menu, glimpse_report *report) {
  glimpse_model copy = *menu->model;
  copy.inquiries = menu->inquiries;
  gli_inquiry *asked = &menu->inquiries[menu->inquiry];
  asked->price = 0;
  asked->prices = NULL;
  return gli_layered_new(&copy, report, &menu->free);
}

/* What is paid is what is lost where nothing else is earned or paid. */
static glimpse_status make_paid(gli_menu *menu, glimpse_report *report) {
  glimpse_model copy = *menu->model, *planning = NULL;
  const gli_inquiry *own = menu->model->inquiries;
  glimpse_status status = GLIMPSE_NO_MEMORY;
  copy.inquiries = menu->inquiries;
  for (uint32_t i = 0; i < copy.inquiry_count; i++) {
    bool asked = i == menu->inquiry;
    copy.inquiries[i].price = asked;
    copy.inquiries[i].prices = asked ? own[i].prices : NULL;
  }
  copy.reward = GLI_NEW(double, rows_of(&copy));
  menu->paid = GLI_NEW(double, rows_of(menu->free));
  if (copy.reward && menu->paid) status = gli_layered_new(&copy, report, &planning);
  for (size_t r = 0; !status && r < rows_of(planning); r++) menu->paid[r] = fmax(-planning->reward[r], 0);
  glimpse_model_free(planning);
  gli_memory_free(copy.reward);
  return status;
}

static glimpse_status make_without(gli_menu *menu, glimpse_report *report) {
  uint32_t i = menu->inquiry, count = menu->model->inquiry_count;
  memcpy(menu->inquiries, menu->model->inquiries, count * sizeof *menu->inquiries);
  memmove(menu->inquiries + i, menu->inquiries + i + 1, (count - i - 1) * sizeof *menu->inquiries);
  glimpse_model off = gli_menu_off(menu);
  return off.inquiry_count || off.limits.horizon ? gli_layered_new(&off, report, &menu->without) : GLIMPSE_OK;
}

glimpse_status gli_menu_new(const glimpse_model *model, uint32_t inquiry, glimpse_report *report, gli_menu *menu) {
  *menu = (gli_menu){.model = model, .inquiry = inquiry};
  menu->inquiries = GLI_NEW(gli_inquiry, model->inquiry_count);
  glimpse_status status = menu->inquiries ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  if (!status) memcpy(menu->inquiries, model->inquiries, model->inquiry_count * sizeof *menu->inquiries);
  if (!status) status = make_free(menu, report);
  if (!status) status = make_paid(menu, report);
  if (!status) status = make_without(menu, report);
  if (!status && !(menu->reward = GLI_NEW(double, rows_of(menu->free)))) status = GLIMPSE_NO_MEMORY;
  return status == GLIMPSE_NO_MEMORY ? GLI_FAIL(report, status, "out of memory") : status;
}

/* ------------------------------------------------------------------- copies */

glimpse_model gli_menu_at(gli_menu *menu, double factor) {
  glimpse_model copy = *menu->model;
  menu->planning = *menu->free;
  menu->planning.reward = menu->reward;
  for (size_t r = 0; r < rows_of(menu->free); r++) menu->reward[r] = menu->free->reward[r] - factor * menu->paid[r];
  copy.planning = &menu->planning;
  return copy;
}

glimpse_model gli_menu_off(const gli_menu *menu) {
  glimpse_model copy = *menu->model;
  copy.inquiries = menu->inquiries;
  copy.inquiry_count--;
  copy.planning = menu->without;
  return copy;
}

/* -------------------------------------------------------------------- bounds */

static double largest_of(const double *values, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* Of something that comes at every step. */
static double for_ever(const gli_menu *menu, double each) {
  return gli_up(gli_up(each) / gli_down(1 - menu->free->discount));
}

double gli_menu_steepest(const gli_menu *menu) {
  return for_ever(menu, largest_of(menu->paid, rows_of(menu->free)));
}

/* A product and a sum, each off by half a step of what is not larger than both together. */
double gli_menu_slack(const gli_menu *menu, double factor) {
  size_t rows = rows_of(menu->free);
  double most = largest_of(menu->free->reward, rows) + factor * largest_of(menu->paid, rows);
  return for_ever(menu, 2 * DBL_EPSILON * most);
}

/* The factor at which a blind plan is as good as asking by any choice. */
static double never_by(const gli_menu *menu, const glimpse_bound *upper, const glimpse_bound *blind, uint32_t k,
                       bool priced) {
  const glimpse_model *planning = menu->free;
  double never = 0;
  for (uint32_t c = 0; c < planning->actions; c++)
    for (uint32_t x = 0; x < planning->states; x++) {
      uint32_t layer = x / menu->model->states;
      if (planning->terminal[x] || layer >= glimpse_planning_layers(planning)) continue;
      if (glimpse_planning_move(planning, layer, c).inquiry != menu->inquiry) continue;
      double gain = gli_up(glimpse_bound_entry(upper, c, x) - glimpse_bound_entry(blind, k, x));
      double paid = menu->paid[gli_model_row(planning, c, x)];
      if (!(gain > 0)) continue;
      if (paid > 0) never = fmax(never, gli_up(gain / paid));
      else if (!priced) never = INFINITY;
    }
  return never;
}

glimpse_status gli_menu_never(const gli_menu *menu, const glimpse_bound_options *options, glimpse_report *report,
                              double *never, double *scale) {
  glimpse_bound *upper = NULL, *blind = NULL;
  glimpse_status status = glimpse_bound_new(menu->free, GLIMPSE_BOUND_QMDP, options, report, &upper);
  if (!status) status = glimpse_bound_new(menu->free, GLIMPSE_BOUND_BLIND, options, report, &blind);
  *never = *scale = INFINITY;
  for (uint32_t k = 0; !status && k < menu->free->actions; k++) {
    if (glimpse_planning_meaning(menu->free, k).inquiry == menu->inquiry) continue;
    *never = fmin(*never, never_by(menu, upper, blind, k, false));
    *scale = fmin(*scale, never_by(menu, upper, blind, k, true));
  }
  glimpse_bound_free(upper);
  glimpse_bound_free(blind);
  return status;
}
