/* glimpse price: what a request is worth.  The curve is the library's; it is drawn in price_plot.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/plotter.h"
#include "common/range.h"
#include "common/reasons.h"
#include "decide.h"
#include "interrupt.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "price_plot.h"
#include "table.h"

struct pricing {
  const struct options *options;
  const glimpse_model *model;
  const glimpse_price_curve *curve;
  glimpse_price_summary all;
};

static const char *choice_name(const struct pricing *pricing, const glimpse_price_point *point, char text[200]) {
  glimpse_prospect first = {.move = {point->action, point->inquiry}, .ask = point->ask};
  reasons_name(pricing->model, &first, text, 200);
  return text;
}

static const char *inquiry_name(const struct pricing *pricing, uint32_t inquiry) {
  return glimpse_model_inquiry(pricing->model, inquiry).name;
}

/* --------------------------------------------------------------------- text */

static void show_table(const struct pricing *pricing) {
  const char *heads[] = {pricing->all.factor ? "factor" : "price", "value",
                         pricing->all.factor ? "paid at factor 1" : "requests", "return before paying", "first"};
  struct table table = table_begin("rrrrl");
  char text[RANGE_TEXT], name[200];
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) table_cell(&table, "%s", heads[i]);
  const glimpse_price_point *point;
  for (size_t i = 0; (point = glimpse_price_curve_point(pricing->curve, i)); i++) {
    table_cell(&table, "%.5g", point->price);
    table_cell(&table, "%s", range_text(point->value.low, point->value.high, text));
    table_cell(&table, "%s", range_text(point->requests.low, point->requests.high, text));
    table_cell(&table, "%s", range_text(point->gross.low, point->gross.high, text));
    table_cell(&table, "%s%s", choice_name(pricing, point, name), point->certain ? "" : "?");
  }
  table_end(&table, 0);
}

/* What has been proved, in sentences. */
static void show_summary(const struct pricing *pricing) {
  const glimpse_price_summary *all = &pricing->all;
  const char *unit = all->factor ? "factor" : "price", *inquiry = inquiry_name(pricing, all->inquiry);
  const char *what = inquiry ? inquiry : "requests";
  char one[RANGE_TEXT], two[RANGE_TEXT], line[700];
  output_print("\nWithout %s the value is %s, with %s %s.\n", what, range_text(all->off.low, all->off.high, one),
               inquiry ? "it free" : "free ones", range_text(all->free.low, all->free.high, two));
  snprintf(line, sizeof line,
           "Break-even %s: %s. At lower ones %s %s worth more than %.3g at the start, at higher ones at most that.",
           unit, range_text(all->even.low, all->even.high, one), what, inquiry ? "is" : "are", all->negligible);
  table_wrap(line, 0, 0);
  snprintf(line, sizeof line,
           "Always asking: asking whenever the state is not certain is within %.3g of the best up to a %s of %s.",
           all->negligible, unit, range_text(all->always.low, all->always.high, one));
  if (!inquiry) table_wrap(line, 0, 0);
  if (!isfinite(all->never)) output_print("In some states asking is free, so it may pay at any %s.\n", unit);
  else if (inquiry)
    output_print("From a %s of %.5g on %s never pays, whatever the belief.\n", unit, all->never, inquiry);
  else output_print("From a %s of %.5g on no request pays, whatever the belief.\n", unit, all->never);
}

static void show_text(const struct pricing *pricing) {
  char counts[120], discount[GLIMPSE_NUMBER_SIZE], cost[100];
  open_model_counts(pricing->model, counts);
  glimpse_number_write(glimpse_model_discount(pricing->model), discount);
  output_print("%s: %s, discount %s, ", pricing->options->operand[0], counts, discount);
  if (inquiry_name(pricing, pricing->all.inquiry)) {
    output_print("price of %s\n\n", inquiry_name(pricing, pricing->all.inquiry));
  } else {
    reasons_cost(pricing->model, cost);
    output_print("request cost %s\n\n", cost);
  }
  show_table(pricing);
  show_summary(pricing);
  if (pricing->all.factor) output_print("Prices depend on the state: a factor of 1 means those of the model.\n");
  if (open_model_sign(pricing->model)) output_print("Note: %s.\n", open_model_sign(pricing->model));
}

/* ---------------------------------------------------------------- JSON, CSV */

static void json_interval(struct json *json, const char *low, const char *high, glimpse_interval interval) {
  json_number(json, low, interval.low);
  json_number(json, high, interval.high);
}

static void show_json(const struct pricing *pricing) {
  const glimpse_price_summary *all = &pricing->all;
  bool inquiries = glimpse_model_inquiries(pricing->model);
  struct json json = json_begin();
  json_text(&json, "model", pricing->options->operand[0]);
  open_model_json(pricing->model, &json);
  if (inquiries) json_text(&json, "inquiry", inquiry_name(pricing, all->inquiry));
  json_text(&json, "axis", all->factor ? "factor" : "price");
  json_number(&json, "negligible", all->negligible);
  json_interval(&json, "off_lower", "off_upper", all->off);
  json_interval(&json, "free_lower", "free_upper", all->free);
  json_interval(&json, "break_even_low", "break_even_high", all->even);
  json_interval(&json, "always_low", "always_high", all->always);
  json_number(&json, "never", all->never);
  json_bool(&json, "complete", all->complete);
  json_array(&json, "points");
  const glimpse_price_point *point;
  for (size_t i = 0; (point = glimpse_price_curve_point(pricing->curve, i)); i++) {
    json_object(&json, NULL);
    json_number(&json, "price", point->price);
    json_interval(&json, "lower", "upper", point->value);
    json_interval(&json, "requests_lower", "requests_upper", point->requests);
    json_interval(&json, "return_lower", "return_upper", point->gross);
    json_interval(&json, "always_lower", "always_upper", point->always);
    json_bool(&json, "ask", point->ask);
    json_text(&json, "action", glimpse_model_name(pricing->model, GLIMPSE_ACTION, point->action));
    if (inquiries) json_text(&json, "inquiry", inquiry_name(pricing, point->inquiry));
    json_bool(&json, "certain", point->certain);
    json_count(&json, "expansions", point->expansions);
    json_number(&json, "seconds", decide_seconds(point->seconds));
    json_close(&json);
  }
  json_close(&json);
  json_end(&json);
}

static void show_csv(const struct pricing *pricing) {
  output_print("price,lower,upper,requests_lower,requests_upper,return_lower,return_upper,always_lower,always_upper,"
               "choice,certain,expansions\n");
  const glimpse_price_point *point;
  for (size_t i = 0; (point = glimpse_price_curve_point(pricing->curve, i)); i++) {
    double numbers[] = {point->price,        point->value.low,     point->value.high,
                        point->requests.low, point->requests.high, point->gross.low,
                        point->gross.high,   point->always.low,    point->always.high};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
      char text[GLIMPSE_NUMBER_SIZE];
      glimpse_number_write(numbers[k], text);
      output_print("%s,", text);
    }
    char name[200];
    output_print("%s,%d,%llu\n", choice_name(pricing, point, name), point->certain,
                 (unsigned long long)point->expansions);
  }
}

/* ---------------------------------------------------------------------- run */

static bool show_progress(void *context, const glimpse_price_point *point, size_t count, size_t most) {
  (void)context;
  message_progress("%zu of at most %zu prices; %.4g: value %.6g to %.6g", count, most, point->price, point->value.low,
                   point->value.high);
  return !interrupt_caught();
}

static int draw(const struct pricing *pricing) {
  complaint why = {{0}, {0}, {0}};
  if (!pricing->options->plot) return TOOL_OK;
  if (price_plot(pricing->curve, pricing->options->operand[0], pricing->options->plot, &why)) return TOOL_OK;
  return message_complaint(&why, NULL);
}

static int show(const struct pricing *pricing) {
  const struct options *options = pricing->options;
  if (options->json) show_json(pricing);
  else if (options->csv) show_csv(pricing);
  else show_text(pricing);
  if (pricing->all.refused) search_warn_refused();
  if (interrupt_caught()) {
    interrupt_given_in();
    message_warning("interrupted: all intervals are valid, but more prices and longer searches would narrow them");
  }
  return draw(pricing);
}

/* Of several inquiries one has to be named. */
static int check_inquiry(const struct options *options, const glimpse_model *model) {
  uint32_t count = glimpse_model_inquiries(model);
  char names[400] = "";
  bool known = count == 1 && !options->inquiry;
  for (uint32_t i = 0; i < count; i++) {
    const char *name = glimpse_model_inquiry(model, i).name;
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "", name);
    known = known || (options->inquiry && !strcmp(name, options->inquiry));
  }
  if (known || (!count && !options->inquiry)) return TOOL_OK;
  if (!count)
    message_error_in(options->operand[0], "'--inquiry %s' does not fit: the model has no inquiries", options->inquiry);
  else if (options->inquiry)
    message_error_in(options->operand[0], "there is no inquiry '%s'; there are %s", options->inquiry, names);
  else
    message_error_in(options->operand[0], "whose price? The model has the inquiries %s; '--inquiry NAME' names one",
                     names);
  return TOOL_FAILED;
}

static int price(const struct options *options, const glimpse_model *model, glimpse_report *report) {
  glimpse_price_options how = {
      .budget = {.time = options->time, .expansions = options->expansions, .epsilon = options->epsilon},
      .points = (uint32_t)options->points,
      .max_price = options->max_price,
      .negligible = options->negligible,
      .max_memory = options->max_memory,
      .done = show_progress,
      .inquiry = options->inquiry,
  };
  bool limited = options->given[OPTION_time] || options->given[OPTION_expansions];
  if (!limited) how.budget.time = GLIMPSE_DEFAULT_TIME;
  message_progress("computing the bounds without requests");
  how.budget.interrupt = interrupt_catch();
  glimpse_price_curve *curve;
  glimpse_status status = glimpse_price_curve_new(model, &how, report, &curve);
  message_progress_end();
  if (status) return search_failure(report, options, status);
  int result = show(&(struct pricing){options, model, curve, glimpse_price_curve_measure(curve)});
  glimpse_price_curve_free(curve);
  return result;
}

static int run(const struct options *options) {
  complaint why = {{0}, {0}, {0}};
  if (options->json && options->csv) return message_usage(options->command, "'--json' excludes '--csv'");
  if (options->time > 0 ? false
                        : options->given[OPTION_time] && !options->given[OPTION_expansions] && !(options->epsilon > 0))
    return message_usage(options->command,
                         "'--time off' needs '--expansions' or '--epsilon', or searches would not end");
  if (options->plot && !plotter_check(options->plot, &why))
    return message_usage(options->command, "'%s': %s", why.place, why.text);
  if (options->plot && !plotter_ready(&why)) return message_complaint(&why, NULL);
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  int status = open_model_plannable(model, options->operand[0]);
  if (!status) status = check_inquiry(options, model);
  if (!status) status = report ? price(options, model, report) : message_no_memory();
  glimpse_report_free(report);
  glimpse_model_free(model);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse price tiger", "up to 9.03 an agent pays to be told where the tiger is"},
    {"glimpse price robot-delivery:n=3 --time 1", "ten times longer at each price: narrower intervals"},
    {"glimpse price battery-robot --inquiry camera", "what the camera is worth, with the other sensors as they are"},
    {"glimpse price tiger --expansions 1000 --csv", "the same bytes on every machine, for other programs"},
    {NULL, NULL}};

const struct command command_price = {
    .name = "price",
    .summary = "find out what a request is worth",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text =
        "Bounds the optimal value at the start over the price of a request. The value never rises with the price, it "
        "is "
        "convex, and its slope is minus the expected discounted number of requests of the best plan; so bounds at a "
        "few "
        "prices give bounds on value, requests, and the return before requests are paid at all of them. Prices are "
        "chosen "
        "one by one, where least is known. Each is searched within the budget; more time, or more --points, give "
        "narrower intervals.\n\n"
        "Of each price the table shows the value, the discounted requests and the return before paying of the best "
        "plan, "
        "and the first choice at the start (with a question mark where another may be better). Where the best plan "
        "changes, several are best, and the requests are those of all of them. At price 0 asking is free; at the last "
        "price it never pays, unless --max-price is given. Where prices depend on the state the axis is a factor of "
        "the "
        "model's prices, and instead of requests it is shown what they cost at the factor 1.\n\n"
        "The break-even price is the smallest at which being allowed to ask is worth at most --negligible at the "
        "start. "
        "At every price below its interval asking is proved to be worth more, and above it proved to be worth at most "
        "that. "
        "Always asking means to ask whenever the state is not certain; the interval tells up to which price that is "
        "within "
        "--negligible of the best plan: at all prices below it this is proved, and at its end that it is not. By "
        "default "
        "what is negligible is twice the widest interval at prices where asking is not proved to gain, from 1e-6 to "
        "0.01 "
        "of the gain by free requests.\n\n"
        "In a model with inquiries it is the price of one of them, --inquiry, while all else stays as it is. Requests "
        "are "
        "then those of this inquiry, and the return is what is left after the others are paid. Inquiries need not tell "
        "the "
        "state, so nothing is said about always asking.\n\n"
        "With --json: model, states, actions, observations, discount, cost, axis (price or factor), negligible, "
        "off_lower, "
        "off_upper (without requests), free_lower, free_upper (at price 0), break_even_low, break_even_high, "
        "always_low, "
        "always_high, never (from this price on no request pays at any belief), complete (no other price was worth a "
        "search) and points (a list of price, lower, upper, requests_lower, requests_upper, return_lower, "
        "return_upper, "
        "always_lower, always_upper (the value of always asking), ask, action, certain, expansions, seconds); models "
        "with "
        "inquiries also have inquiry, there and in points (what is asked first; null: nothing), and null for always; "
        "null "
        "stands for infinity. --csv has a line per price.",
    .examples = examples,
    .run = run,
};
