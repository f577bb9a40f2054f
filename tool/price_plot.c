/* Price plot: see price_plot.h.
 *
 * Bands, not lines: everything between a lower and an upper bound. */
#include "price_plot.h"

#include <math.h>

#include "common/plotter.h"

enum { WIDTH = 860, HEIGHT = 900, SAMPLES = 400 };

double price_plot_end(const glimpse_price_curve *curve) {
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  double end = glimpse_price_curve_point(curve, all.points - 1)->price, shown = 0;
  if (isfinite(all.even.high) && all.even.high < all.never) shown = 1.3 * all.even.high;
  else shown = 3 * all.even.low;
  if (all.own > 0) shown = fmax(shown, 1.1 * all.own);
  return shown > 0 && shown < end ? shown : end;
}

static void put_worth(struct text *out, double price, glimpse_price_worth worth) {
  double numbers[] = {price,           worth.value.low, worth.value.high, worth.requests.low, worth.requests.high,
                      worth.gross.low, worth.gross.high};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    text_number(out, numbers[i]);
    text_put(out, i < 6 ? " " : "\n");
  }
}

/* Price, and the ends of value, requests and return, where the curve has a corner and in between. */
static void put_data(struct text *out, const glimpse_price_curve *curve, double end) {
  size_t next = 0;
  const glimpse_price_point *point = glimpse_price_curve_point(curve, 0);
  text_put(out, "$curve << EOD\n");
  for (int i = 0; i <= SAMPLES; i++) {
    double price = end * i / SAMPLES;
    for (; point && point->price < price; point = glimpse_price_curve_point(curve, ++next))
      put_worth(out, point->price, (glimpse_price_worth){point->value, point->requests, point->gross});
    put_worth(out, price, glimpse_price_curve_at(curve, price));
  }
  text_put(out, "EOD\n");
}

/* What the search met, as error bars. */
static void put_point_data(struct text *out, const glimpse_price_curve *curve, double end) {
  text_put(out, "$points << EOD\n");
  for (size_t i = 0; glimpse_price_curve_point(curve, i); i++) {
    const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
    if (point->searched && point->price <= end)
      put_worth(out, point->price, (glimpse_price_worth){point->value, point->requests, point->gross});
  }
  text_put(out, "EOD\n");
}

static void put_number(struct text *out, const char *before, double number, const char *after) {
  text_put(out, before);
  text_number(out, number);
  text_put(out, after);
}

/* A band over all panels where the break-even price is, and a line at the model's own. */
static void put_marks(struct text *out, const glimpse_price_summary *all, double end) {
  if (all->even.low < end && all->even.high > 0) {
    double least = end / 400, low = all->even.low, high = fmin(all->even.high, end);
    if (high - low < least) low -= least / 2, high = low + least;
    put_number(out, "set object 1 rectangle from ", low, ", graph 0 ");
    put_number(out, "to ", high, ", graph 1 behind fc rgb '#E69F00' fs transparent solid 0.35 noborder\n");
  }
  if (all->own > 0 && all->own <= end) {
    put_number(out, "set arrow 1 from ", all->own, ", graph 0 ");
    put_number(out, "to ", all->own, ", graph 1 nohead lt 1 lc rgb '#7F7F7F' dt 3 lw 1.5\n");
  }
}

/* Requests at small prices may be many without any proof: the axis has room for what is proved at the next price. */
static double most_requests(const glimpse_price_curve *curve) {
  const glimpse_price_point *first = glimpse_price_curve_point(curve, 0), *second = glimpse_price_curve_point(curve, 1);
  double most = second && second->requests.high < first->requests.high ? second->requests.high : first->requests.high;
  return most > 0 ? 1.15 * fmax(most, first->requests.low) : 1;
}

static void put_title(struct text *out, const glimpse_price_summary *all, const char *model) {
  struct text title = {0};
  text_print(&title, "What a request is worth: %s", model);
  text_put(out, "set label 1 ");
  plotter_quote(out, text_string(&title));
  text_put(out, " at screen 0.5,0.977 center font ',15'\nset label 2 '");
  text_put(out, "yellow: break-even price");
  if (all->own > 0) text_put(out, "; dotted: the price of the model");
  text_put(out, "' at screen 0.5,0.95 center textcolor rgb '#505050'\n");
  out->failed |= title.failed;
  text_free(&title);
}

static void put_panel(struct text *out, double bottom, const char *label) {
  text_put(out, "set origin 0,");
  text_fixed(out, bottom, 3);
  text_put(out, "\nset size 1,0.31\nset ylabel ");
  plotter_quote(out, label);
  text_put(out, "\n");
}

static void put_band(struct text *out, int first, const char *colour) {
  text_print(out, "using 1:%d:%d with filledcurves fc rgb '%s' fs transparent solid 0.45", first, first + 1, colour);
  for (int column = first; column < first + 2; column++)
    text_print(out, ", '' using 1:%d with lines lc rgb '%s' lw 1.5", column, colour);
}

bool price_plot(const glimpse_price_curve *curve, const char *model, const char *path, complaint *why) {
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  double end = price_plot_end(curve);
  struct text out = {0};
  put_data(&out, curve, end);
  put_point_data(&out, curve, end);
  plotter_begin(&out, path, WIDTH, HEIGHT);
  put_number(&out, "set multiplot\nset lmargin 12\nset rmargin 4\nset xrange [0:", end, "]\nunset key\n");
  text_put(&out, "set offsets 0,0,graph 0.04,graph 0.04\nset xtics\nset format x ''\n");
  put_marks(&out, &all, end);
  put_title(&out, &all, model);
  put_panel(&out, 0.63, "value");
  put_number(&out, "set key top right\nplot ", all.off.low,
             " with lines lc rgb '#7F7F7F' dt 2 lw 1 title 'without requests'");
  put_number(&out, ", ", all.off.high, " with lines lc rgb '#7F7F7F' dt 2 lw 1 notitle");
  text_put(&out, ", $curve using 1:2:3 with filledcurves fc rgb '#0072B2' fs transparent solid 0.4 title 'between its "
                 "bounds', '' using 1:2 with lines lc rgb '#0072B2' lw 1.5 notitle, '' using 1:3 with lines lc rgb "
                 "'#0072B2' lw 1.5 notitle, $points using 1:(($2+$3)/2) with points pt 7 ps 0.6 lc rgb '#0072B2' title "
                 "'prices that were searched'\nunset key\nunset label\n");
  put_panel(&out, 0.33, all.factor ? "paid at factor 1" : "discounted requests");
  put_number(&out, "set yrange [0:", most_requests(curve), "]\nunset offsets\nplot $curve ");
  put_band(&out, 4, "#D55E00");
  text_put(&out, "\nset yrange [*:*]\nset offsets 0,0,graph 0.04,graph 0.04\nset format x '%g'\nset xlabel ");
  plotter_quote(&out, all.factor ? "factor of the prices" : "price of a request");
  text_put(&out, "\n");
  put_panel(&out, 0.0, "return before paying");
  text_put(&out, "set size 1,0.34\nplot $curve ");
  put_band(&out, 6, "#009E73");
  text_put(&out, "\nunset multiplot\nunset output\n");
  bool good = plotter_draw(path, &out, why);
  text_free(&out);
  return good;
}
