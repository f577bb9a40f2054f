/* Price: the value at the start over the price of asking.
 *
 * Each price is planned for on a copy of the model, with bounds and a search of its own, which gives an interval for
 * the value.  curve.c knows what intervals at some prices say of others.  The first prices are 0, the model's own, and
 * the end of the axis; then, by turns, the price where least is known of the curve, the middle of what is known of the
 * break-even price, and the middle of that up to which always asking is best.  Whoever has nothing to gain from another
 * search passes.  Results depend on nothing but the intervals, so they are the same where these are.
 *
 * At the end of the axis, unless the caller has set one, asking pays at no belief (always.c), and the value is that
 * without requests: no search is needed there.
 *
 * In a model with inquiries the axis is the price of one of them (menu.c).  The rest is the same. */
#include <float.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/report.h"
#include "model/model.h"
#include "price/always.h"
#include "price/curve.h"
#include "price/menu.h"

enum { DEFAULT_POINTS = 16, MOST_POINTS = 500 };

static const double least_seconds = 1; /* for the bounds at a price */
/* Of the gain of free requests: what does not count, at least and at most, and what another point has to promise. */
static const double least_share = 1e-6, most_share = 0.01, worthwhile_share = 1e-3;
/* What another point has to promise, of the widths at its neighbours: a search there will not do much better. */
static const double promise_share = 0.15;
/* The search without requests, on which all others depend, may take so many times their budget. */
static const double off_share = 4;
/* Of the prices that matter: when an interval of them is narrow enough. */
static const double narrow_share = 0.005;
/* Ends of an interval in the ratio of which its middle is that of their logarithms. */
static const double wide_ratio = 4;

struct glimpse_price_curve {
  glimpse_price_point *points;
  gli_curve value, always; /* the same places as the points */
  glimpse_price_summary summary;
};

typedef struct work {
  gli_scaled scaled; /* requests at a cost ... */
  gli_always always;
  bool menu; /* ... or an inquiry */
  gli_menu asked;
  glimpse_price_options options;
  glimpse_bound_options limits;
  glimpse_report *report;
  glimpse_price_curve *curve;
  glimpse_price_point off; /* the search without requests */
  double end;              /* of the axis */
  size_t searched;
  bool stopped;
} work;

/* ------------------------------------------------------------------- a price */

/* The first choice of a search, and whether another may be better. */
static bool note_choice(const glimpse_agent *agent, const glimpse_model *model, const glimpse_decision *decision,
                        glimpse_price_point *point) {
  glimpse_prospect *list = GLI_NEW(glimpse_prospect, glimpse_agent_prospects_most(model));
  uint32_t count = list ? glimpse_agent_prospects(agent, list) : UINT32_MAX;
  point->ask = decision->ask;
  point->action = decision->ask ? GLIMPSE_ANY : decision->action;
  point->inquiry = decision->inquiry;
  point->certain = true;
  for (uint32_t i = 0; count != UINT32_MAX && i < count; i++) {
    bool chosen = list[i].move.action == point->action && list[i].move.inquiry == point->inquiry;
    if (!chosen && list[i].worth.upper > decision->lower) point->certain = false;
  }
  gli_memory_free(list);
  return count != UINT32_MAX;
}

static glimpse_status search(work *w, const glimpse_model *model, const glimpse_budget *budget,
                             glimpse_price_point *point) {
  double begun = gli_clock_now();
  glimpse_planner_options how = {.max_memory = w->options.max_memory};
  glimpse_offline *offline = NULL;
  glimpse_planner *planner = NULL;
  glimpse_agent *agent = NULL;
  glimpse_decision decision;
  glimpse_status status = glimpse_offline_new(model, glimpse_offline_upper(model), &w->limits, w->report, &offline);
  if (!status) status = glimpse_planner_new(model, offline, &how, w->report, &planner);
  if (!status && !(agent = glimpse_agent_new(model, planner, NULL))) status = GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_begin(agent, 0);
  if (!status) status = glimpse_agent_decide(agent, budget, &decision);
  if (!status && !note_choice(agent, model, &decision, point)) status = GLIMPSE_NO_MEMORY;
  if (!status) {
    point->value = (glimpse_interval){decision.lower, decision.upper};
    point->expansions = decision.expansions;
    point->seconds = gli_clock_now() - begun;
    point->searched = true;
    w->curve->summary.refused += decision.refused;
    if (decision.stop == GLIMPSE_STOP_INTERRUPTED) w->stopped = true;
  }
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  return status;
}

/* ----------------------------------------------------------------- the points */

static size_t place_of(const glimpse_price_curve *curve, double price) {
  size_t i = 0;
  while (i < curve->value.count && curve->points[i].price < price) i++;
  return i;
}

static void insert_place(gli_curve *curve, size_t i, double at, glimpse_interval value) {
  memmove(curve->places + i + 1, curve->places + i, (curve->count - i) * sizeof *curve->places);
  curve->places[i] = (gli_place){.at = at, .value = value};
  curve->count++;
}

static glimpse_status add(work *w, glimpse_price_point point) {
  glimpse_price_curve *curve = w->curve;
  glimpse_status status = GLIMPSE_OK;
  point.always = (glimpse_interval){NAN, NAN};
  if (!w->menu) status = gli_always_value(&w->always, point.price, &w->limits, w->report, &point.always);
  if (status) return status;
  if ((w->menu || w->scaled.unit) && point.searched) { /* the prices of the copy are products, rounded */
    double slack =
        w->menu ? gli_menu_slack(&w->asked, point.price) : gli_up(point.price * curve->value.steepest * DBL_EPSILON);
    point.value = (glimpse_interval){gli_down(point.value.low - slack), gli_up(point.value.high + slack)};
  }
  point.value.low = fmax(fmax(point.value.low, point.always.low), w->off.value.low);
  size_t i = place_of(curve, point.price);
  memmove(curve->points + i + 1, curve->points + i, (curve->value.count - i) * sizeof *curve->points);
  curve->points[i] = point;
  insert_place(&curve->value, i, point.price, point.value);
  insert_place(&curve->always, i, point.price, point.always);
  return GLIMPSE_OK;
}

/* Known from there on: the value is that without requests. */
static bool is_flat(const work *w, double price) {
  return price >= w->curve->summary.never;
}

static glimpse_status add_price(work *w, double price) {
  glimpse_price_point point = w->off;
  point.price = price;
  point.searched = false;
  point.expansions = 0;
  point.seconds = 0;
  if (!is_flat(w, price)) {
    glimpse_model model = w->menu ? gli_menu_at(&w->asked, price) : gli_scaled_at(&w->scaled, price);
    glimpse_status status = search(w, &model, &w->options.budget, &point);
    if (status) return status;
    w->searched++;
  }
  glimpse_status status = add(w, point);
  const glimpse_price_point *made = &w->curve->points[place_of(w->curve, price)];
  if (!status && w->options.done && !w->options.done(w->options.context, made, w->searched, w->options.points))
    w->stopped = true;
  return status;
}

/* What is known by now. */
static void settle(work *w) {
  glimpse_price_curve *curve = w->curve;
  glimpse_price_summary *summary = &curve->summary;
  gli_curve_tighten(&curve->value);
  if (!w->menu) gli_curve_tighten(&curve->always);
  const gli_place *first = &curve->value.places[0], *last = &curve->value.places[curve->value.count - 1];
  summary->off = gli_interval_meet(w->off.value, (glimpse_interval){-INFINITY, last->value.high});
  summary->free = first->value;
  double width = summary->off.high - summary->off.low, gain = fmax(first->value.high - summary->off.low, 0);
  for (size_t i = 0; i < curve->value.count; i++) {
    glimpse_interval here = curve->value.places[i].value;
    if (here.low <= summary->off.high) width = fmax(width, here.high - here.low);
  }
  double small = fmin(fmax(2 * width, least_share * gain), most_share * gain);
  if (w->options.negligible > 0) small = w->options.negligible;
  summary->negligible = small;
  summary->even = gli_curve_reach(
      &curve->value, (glimpse_interval){gli_down(summary->off.low + small), gli_up(summary->off.high + small)});
  summary->even.high = fmin(summary->even.high, summary->never);
  summary->always = (glimpse_interval){NAN, NAN};
  if (!w->menu) summary->always = gli_curve_part(&curve->value, &curve->always, small);
  summary->points = curve->value.count;
}

/* -------------------------------------------------------------- where to look */

/* Is there a point so near that another would tell nothing new? */
static bool is_near(const work *w, double price, double distance) {
  const glimpse_price_curve *curve = w->curve;
  size_t i = place_of(curve, price);
  return (i < curve->value.count && curve->points[i].price - price <= distance) ||
         (i && price - curve->points[i - 1].price <= distance);
}

/* The middle of an interval of prices; false: it is narrow, or was looked at. */
static bool halve(const work *w, glimpse_interval part, double *price) {
  double high = fmin(part.high, w->end), width = high - part.low;
  double narrow = narrow_share * fmin(w->curve->summary.even.high, w->end);
  if (!(width > narrow)) return false;
  bool far = part.low > narrow && high > wide_ratio * part.low;
  *price = far ? sqrt(part.low) * sqrt(high) : part.low + width / 2;
  return !is_near(w, *price, fmin(width / 6, (*price - part.low) / 2));
}

/* Where the curve is least known.  Where a search at one end of a stretch has not found out much the next one keeps
 * away from it. */
static bool doubtful(const work *w, double *price) {
  const gli_curve *curve = &w->curve->value;
  double gain = curve->places[0].value.high - w->off.value.low, most = worthwhile_share * gain;
  double least = 1e-3 * fmin(w->curve->summary.even.high, w->end); /* smaller differences matter to nobody */
  bool found = false;
  for (size_t i = 0; i + 1 < curve->count; i++) {
    const gli_place *from = &curve->places[i], *to = from + 1;
    double at, doubt = gli_curve_doubt(curve, i, &at), length = to->at - from->at;
    if (from->value.high - from->value.low > doubt / 2) at = fmax(at, from->at + 0.1 * length);
    if (to->value.high - to->value.low > doubt / 2) at = fmin(at, to->at - 0.1 * length);
    double known = fmax(from->value.high - from->value.low, to->value.high - to->value.low);
    if (!(doubt > most && doubt > promise_share * known) || is_near(w, at, fmax(least, 1e-3 * length)) ||
        is_flat(w, from->at))
      continue;
    most = doubt;
    *price = at;
    found = true;
  }
  return found;
}

/* The next price, by turns; false: none is worth a search. */
static bool choose(const work *w, unsigned *turn, double *price) {
  for (int tried = 0; tried < 3; tried++) {
    const glimpse_price_summary *summary = &w->curve->summary;
    unsigned now = (*turn)++ % 3;
    if (now == 0 && doubtful(w, price)) return true;
    if (now == 1 && halve(w, summary->even, price)) return true;
    if (now == 2 && !w->menu && halve(w, summary->always, price)) return true;
  }
  return false;
}

/* ------------------------------------------------------------------ the whole */

/* What is asked, and from which price on it is not. */
static glimpse_status begin_axis(work *w, double *scale) {
  double *never = &w->curve->summary.never;
  const glimpse_model *model = w->scaled.model;
  if (w->menu) {
    glimpse_status status = gli_menu_new(model, w->curve->summary.inquiry, w->report, &w->asked);
    return status ? status : gli_menu_never(&w->asked, &w->limits, w->report, never, scale);
  }
  glimpse_status status = gli_always_never(&w->scaled, &w->limits, w->report, never, scale);
  return status ? status : gli_always_new(&w->scaled, &w->always);
}

/* What is paid at the factor 1, at most. */
static double steepest(const work *w) {
  if (w->menu) return gli_menu_steepest(&w->asked);
  double unit = 1;
  for (uint32_t s = 0; w->scaled.unit && s < w->scaled.model->states; s++)
    unit = s ? fmax(unit, gli_scaled_unit(&w->scaled, s)) : gli_scaled_unit(&w->scaled, s);
  return gli_up(gli_up(unit / gli_down(1 - w->scaled.model->discount)));
}

static glimpse_status begin(work *w) {
  glimpse_price_summary *summary = &w->curve->summary;
  double scale;
  glimpse_status status = begin_axis(w, &scale);
  if (status) return status;
  w->end = w->options.max_price > 0 ? w->options.max_price : isfinite(summary->never) ? summary->never : scale;
  if (!(w->end > 0)) w->end = 1; /* nobody needs to know: any axis will do */
  gli_curve *curves[] = {&w->curve->value, &w->curve->always};
  for (int i = 0; i < 2; i++) {
    curves[i]->steepest = steepest(w);
    curves[i]->flat = i ? INFINITY : summary->never;
    curves[i]->floor = -INFINITY;
  }
  glimpse_model off = w->menu ? gli_menu_off(&w->asked) : gli_scaled_off(&w->scaled);
  glimpse_budget budget = w->options.budget;
  budget.time *= off_share;
  budget.expansions = budget.expansions > UINT64_MAX / 8 ? budget.expansions : (uint64_t)off_share * budget.expansions;
  status = search(w, &off, &budget, &w->off);
  if (w->off.inquiry != GLIMPSE_ANY) w->off.inquiry += w->off.inquiry >= summary->inquiry; /* there is one less */
  w->curve->value.floor = w->off.value.low;
  return status;
}

static glimpse_status explore(work *w) {
  glimpse_price_summary *summary = &w->curve->summary;
  glimpse_status status = begin(w);
  if (!status) status = add_price(w, 0);
  if (!status && !(w->stopped && !is_flat(w, w->end))) status = add_price(w, w->end);
  if (!status && !w->stopped && summary->own > 0 && summary->own < w->end) status = add_price(w, summary->own);
  unsigned turn = 0;
  double price = 0;
  while (!status) {
    settle(w);
    if (w->stopped || w->searched >= w->options.points) break;
    summary->complete = !choose(w, &turn, &price);
    if (summary->complete) break;
    status = add_price(w, price);
  }
  return status;
}

/* What the best plans at a price earn before they pay: where their line meets the axis of values.  It is not above the
 * curve at any price a to the left: with V(a) <= U and V(c) >= L, it is at most (c U - a L) / (c - a). */
static glimpse_interval gross_of(const gli_curve *curve, const gli_place *here) {
  double c = here->at, most = gli_line_up(here->value.high, here->fall.high, c);
  if (!(c > 0)) return here->value;
  for (size_t k = 0; k < curve->count && curve->places[k].at < c; k++) {
    const gli_place *left = &curve->places[k];
    double a = left->at, high = gli_up(c * left->value.high), low = gli_down(a * here->value.low);
    double top = gli_up(high - low), length = c - a;
    most = fmin(most, gli_up(top / (top > 0 ? gli_down(length) : gli_up(length))));
  }
  return (glimpse_interval){gli_line_down(here->value.low, here->fall.low, c), most};
}

/* Intervals of the curve go to the points. */
static void finish(glimpse_price_curve *curve) {
  for (size_t i = 0; i < curve->value.count; i++) {
    glimpse_price_point *point = &curve->points[i];
    const gli_place *here = &curve->value.places[i];
    point->value = here->value;
    point->requests = here->fall;
    point->gross = gross_of(&curve->value, here);
    point->always = curve->always.places[i].value;
  }
}

static glimpse_status refuse(const glimpse_model *model, const glimpse_price_options *options, glimpse_report *report) {
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status) return status;
  if (options->points == 1 || options->points > MOST_POINTS)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the number of prices must be from 2 to 500");
  if (!(options->budget.time >= 0 && options->budget.epsilon >= 0))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "time and epsilon of a search must not be negative");
  if (!(options->max_price >= 0 && isfinite(options->max_price)))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the largest price must be a finite number and not negative");
  if (!(options->negligible >= 0 && isfinite(options->negligible)))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "what is negligible must be a finite number and not negative");
  return GLIMPSE_OK;
}

/* The inquiry whose price is meant; GLIMPSE_ANY: a request at a cost. */
static glimpse_status find_inquiry(const glimpse_model *model, const char *name, glimpse_report *report,
                                   uint32_t *inquiry) {
  uint32_t count = model->inquiry_count;
  *inquiry = count == 1 && !name ? 0 : GLIMPSE_ANY;
  for (uint32_t i = 0; name && i < count; i++)
    if (!strcmp(model->inquiries[i].name, name)) *inquiry = i;
  if (*inquiry != GLIMPSE_ANY) return GLIMPSE_OK;
  if (name && !count)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no inquiry '%.60s': the model has none", name);
  if (name)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no inquiry '%.60s'; the first is '%.60s'", name,
                    model->inquiries[0].name);
  if (count)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "the model has %u inquiries, from '%.60s' to '%.60s': say whose price is meant", (unsigned)count,
                    model->inquiries[0].name, model->inquiries[count - 1].name);
  if (!model->planning) return GLIMPSE_OK;
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                  "the model has a horizon and nothing that can be asked, so there is no price");
}

static void apply_defaults(work *w, const glimpse_price_options *options) {
  w->options = *options;
  w->options.budget.decided = false;
  glimpse_budget *budget = &w->options.budget;
  if (!(budget->time > 0) && !budget->expansions && !(budget->epsilon > 0)) budget->time = GLIMPSE_DEFAULT_TIME;
  if (budget->time > 0) w->limits.max_time = fmax(budget->time, least_seconds);
  if (!w->options.points) w->options.points = DEFAULT_POINTS;
}

/* Room for all that is made: the prices that are searched, three of them in any case. */
static bool reserve(work *w, const glimpse_model *model) {
  size_t most = (size_t)w->options.points + 3;
  glimpse_price_curve *curve = w->curve = GLI_NEW(glimpse_price_curve, 1);
  w->scaled = (gli_scaled){.model = model};
  if (!curve) return false;
  curve->points = GLI_NEW(glimpse_price_point, most);
  curve->value.places = GLI_NEW(gli_place, most);
  curve->always.places = GLI_NEW(gli_place, most);
  if (!curve->points || !curve->value.places || !curve->always.places) return false;
  curve->summary.inquiry = GLIMPSE_ANY;
  if (!model->requests || !model->costs) return true;
  w->scaled.unit = model->costs;
  w->scaled.costs = GLI_NEW(double, model->states);
  return w->scaled.costs;
}

void glimpse_price_curve_free(glimpse_price_curve *curve) {
  if (!curve) return;
  gli_memory_free(curve->points);
  gli_memory_free(curve->value.places);
  gli_memory_free(curve->always.places);
  gli_memory_free(curve);
}

/* The price of the model itself. */
static void note_own(const work *w, const glimpse_model *model, uint32_t inquiry) {
  glimpse_price_summary *summary = &w->curve->summary;
  summary->inquiry = inquiry;
  summary->factor = w->menu ? model->inquiries[inquiry].prices != NULL : w->scaled.unit != NULL;
  if (summary->factor) summary->own = 1;
  else summary->own = w->menu ? model->inquiries[inquiry].price : model->requests ? model->cost : NAN;
}

glimpse_status glimpse_price_curve_new(const glimpse_model *model, const glimpse_price_options *options,
                                       glimpse_report *report, glimpse_price_curve **out) {
  static const glimpse_price_options none = {0};
  uint32_t inquiry;
  *out = NULL;
  if (!options) options = &none;
  glimpse_status status = refuse(model, options, report);
  if (!status) status = find_inquiry(model, options->inquiry, report, &inquiry);
  if (status) return status;
  work w = {.report = report, .menu = inquiry != GLIMPSE_ANY};
  apply_defaults(&w, options);
  if (reserve(&w, model)) {
    note_own(&w, model, inquiry);
    status = explore(&w);
  } else status = GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  if (!status) finish(w.curve);
  gli_always_free(&w.always);
  gli_menu_free(&w.asked);
  gli_memory_free(w.scaled.costs);
  if (status) glimpse_price_curve_free(w.curve);
  else *out = w.curve;
  return status;
}

glimpse_price_summary glimpse_price_curve_measure(const glimpse_price_curve *curve) {
  return curve->summary;
}

const glimpse_price_point *glimpse_price_curve_point(const glimpse_price_curve *curve, size_t i) {
  return i < curve->value.count ? &curve->points[i] : NULL;
}

glimpse_price_worth glimpse_price_curve_at(const glimpse_price_curve *curve, double price) {
  static const glimpse_interval none = {NAN, NAN};
  if (!(price >= 0)) return (glimpse_price_worth){none, none, none};
  gli_place here = gli_curve_at(&curve->value, price);
  return (glimpse_price_worth){here.value, here.fall, gross_of(&curve->value, &here)};
}
