/* glimpse map: values and choices over beliefs.  What is mapped and how it looks is in map.h. */
#include <math.h>
#include <stdlib.h>

#include "common/plotter.h"
#include "common/reasons.h"
#include "decide.h"
#include "interrupt.h"
#include "map.h"
#include "message.h"
#include "open_model.h"
#include "open_policy.h"
#include "output.h"

#define ALL_SECONDS 5.0 /* for all beliefs together, unless told otherwise */
#define DEFAULT_POINTS 21

/* What differs by less is the same for a choice: of two ways that are equally good each is best. */
#define TIE 1e-6

struct mapping {
  const struct options *options;
  struct search search;
  glimpse_planner *planner;
  glimpse_agent *agent;
  glimpse_prospect *prospects; /* room for the choices at a belief */
  glimpse_report *report;
  uint64_t refused; /* allocations */
};

/* A map_function: one search. */
static bool look(void *context, glimpse_row belief, struct map_cell *cell) {
  struct mapping *mapping = context;
  const glimpse_model *planning = glimpse_model_planning(mapping->search.model);
  glimpse_decision decision;
  uint32_t count = 0;
  glimpse_status status = glimpse_agent_begin_at(mapping->agent, belief, 0);
  if (!status) status = glimpse_agent_decide(mapping->agent, &mapping->search.budget, &decision);
  if (!status && (count = glimpse_agent_prospects(mapping->agent, mapping->prospects)) == UINT32_MAX)
    status = GLIMPSE_NO_MEMORY;
  if (status) {
    message_progress_end();
    search_failure(mapping->report, mapping->options, status);
    return false;
  }
  glimpse_move move = {decision.ask ? GLIMPSE_ANY : decision.action, decision.inquiry};
  mapping->refused = decision.refused;
  *cell = (struct map_cell){.lower = decision.lower,
                            .upper = decision.upper,
                            .choice = glimpse_planning_choice(planning, move),
                            .certain = true};
  double enough = decision.lower + TIE * (1 + fabs(decision.lower));
  for (uint32_t i = 0; i < count; i++) {
    const glimpse_prospect *other = &mapping->prospects[i];
    if (other->move.action == move.action && other->move.inquiry == move.inquiry) continue;
    if (other->worth.upper > enough) cell->certain = false;
  }
  return true;
}

static void show_progress(size_t done, size_t all) {
  message_progress("%zu of %zu beliefs", done, all);
}

static int show(const struct mapping *mapping, const struct map *map) {
  const struct options *options = mapping->options;
  const glimpse_model *model = mapping->search.model;
  complaint why = {{0}, {0}, {0}};
  if (options->json) {
    struct json json = json_begin();
    json_text(&json, "model", map->name);
    open_model_json(model, &json);
    map_json(map, &json);
    json_end(&json);
  } else if (options->csv) map_csv(map);
  else {
    char counts[120], cost[100];
    open_model_counts(model, counts);
    reasons_cost(model, cost);
    if (glimpse_model_inquiries(model)) output_print("%s: %s\n\n", map->name, counts);
    else output_print("%s: %s, request cost %s\n\n", map->name, counts, cost);
    map_show(map);
    if (open_model_sign(model)) output_print("Note: %s.\n", open_model_sign(model));
  }
  if (mapping->refused) search_warn_refused();
  if (interrupt_caught()) {
    interrupt_given_in();
    message_warning("interrupted: all intervals are valid, but some are those of the offline bounds");
  }
  if (options->plot && !map_plot(map, options->plot, &why)) return message_complaint(&why, NULL);
  return TOOL_OK;
}

static int fill(struct mapping *mapping) {
  const struct options *options = mapping->options;
  struct map map;
  unsigned points = options->points ? (unsigned)options->points : DEFAULT_POINTS;
  uint32_t top = options->top < UINT32_MAX ? (uint32_t)options->top : UINT32_MAX;
  int result = TOOL_OK;
  if (!map_begin(&map, mapping->search.model, options->operand[0], points, top)) result = message_no_memory();
  /* Neighbours teach each other, by what is learnt about known states. */
  mapping->search.planner.keep_corners = true;
  if (!options->given[OPTION_time] && !options->given[OPTION_expansions] && map.count)
    mapping->search.budget.time = fmin(GLIMPSE_DEFAULT_TIME, ALL_SECONDS / (double)map.count);
  mapping->search.budget.interrupt = interrupt_catch();
  glimpse_status status = GLIMPSE_OK;
  if (!result)
    status = glimpse_planner_new(mapping->search.model, mapping->search.offline, &mapping->search.planner,
                                 mapping->report, &mapping->planner);
  if (!result && !status) {
    mapping->agent = glimpse_agent_new(mapping->search.model, mapping->planner, NULL);
    mapping->prospects = calloc(glimpse_agent_prospects_most(mapping->search.model), sizeof *mapping->prospects);
    if (!mapping->agent || !mapping->prospects) status = GLIMPSE_NO_MEMORY;
  }
  if (status) result = search_failure(mapping->report, options, status);
  if (!result && !map_fill(&map, look, mapping, show_progress)) result = TOOL_FAILED;
  message_progress_end();
  if (!result) result = show(mapping, &map);
  map_free(&map);
  return result;
}

/* What a policy is worth, without a search. */
static int fill_policy(struct mapping *mapping) {
  const struct options *options = mapping->options;
  struct search *search = &mapping->search;
  struct map_policy nodes = {0};
  struct map map = {0};
  unsigned points = options->points ? (unsigned)options->points : DEFAULT_POINTS;
  uint32_t top = options->top < UINT32_MAX ? (uint32_t)options->top : UINT32_MAX;
  int result = TOOL_OK;
  glimpse_status status = map_policy_begin(&nodes, search->policy, search->model, mapping->report);
  if (status) result = message_failure(mapping->report, options->policy, status);
  else if (!map_begin(&map, search->model, options->operand[0], points, top)) result = message_no_memory();
  map.policy = &nodes;
  if (!result && !map_fill(&map, map_policy_look, &nodes, NULL)) result = TOOL_FAILED;
  if (!result) result = show(mapping, &map);
  map_free(&map);
  map_policy_free(&nodes);
  return result;
}

static int run_policy(const struct options *options) {
  if (options->given[OPTION_time] || options->given[OPTION_expansions])
    return message_usage(options->command,
                         "with '--policy' nothing is searched: it excludes '--time' and '--expansions'");
  struct mapping mapping = {.options = options};
  int status = TOOL_FAILED;
  mapping.report = glimpse_report_new();
  if (!mapping.report) status = message_no_memory();
  else mapping.search.model = open_model(options);
  if (mapping.search.model) status = open_model_plannable(mapping.search.model, options->operand[0]);
  if (!status) mapping.search.policy = open_policy(options->policy, mapping.search.model);
  if (!status)
    status = !mapping.search.policy
                 ? TOOL_FAILED
                 : open_policy_check(mapping.search.policy, mapping.search.model, options->policy, options->operand[0]);
  if (!status) status = fill_policy(&mapping);
  glimpse_policy_free(mapping.search.policy);
  glimpse_model_free(mapping.search.model);
  glimpse_report_free(mapping.report);
  return status;
}

static int run(const struct options *options) {
  complaint why = {{0}, {0}, {0}};
  if (options->json && options->csv) return message_usage(options->command, "'--json' excludes '--csv'");
  if (options->plot && !plotter_check(options->plot, &why))
    return message_usage(options->command, "'%s': %s", why.place, why.text);
  if (options->plot && !plotter_ready(&why)) return message_complaint(&why, NULL);
  if (options->policy) return run_policy(options);
  struct mapping mapping = {.options = options};
  int status = search_open(options, &mapping.search);
  if (!status) {
    mapping.report = glimpse_report_new();
    status = mapping.report ? fill(&mapping) : message_no_memory();
  }
  glimpse_agent_free(mapping.agent);
  free(mapping.prospects);
  glimpse_planner_free(mapping.planner);
  glimpse_report_free(mapping.report);
  search_close(&mapping.search);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse map tiger --cost 8", "when to listen, when to ask and when to open a door"},
    {"glimpse map robot-delivery:n=2 --expansions 100", "where the robot goes, for each place of the package"},
    {"glimpse map tiger --cost 8 --csv", "the same for other programs"},
    {"glimpse solve tiger --cost 8 -o - | glimpse map tiger --cost 8 --policy -", "what a policy is worth where"},
    {NULL, NULL}};

const struct command command_map = {
    .name = "map",
    .summary = "show the value and the best choice over beliefs",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text =
        "Searches from many beliefs and shows for each the bounds on its value and the best choice. For two states "
        "these "
        "are --points beliefs from the one to the other; for three, a triangle with --points along each side, the "
        "first "
        "state at the lower left, the second at the lower right, the third at the top. For grid environments they are "
        "the "
        "known states: one picture for each state of all but what moves, with the choice in each cell. For other "
        "models "
        "they are the known states in a table. --top limits pictures and table.\n\n"
        "A choice is a letter, or an arrow where its name is a direction; ! is to ask. A question mark says that "
        "within the budget another choice may still be better, by more than a millionth of the value. Unless told "
        "otherwise "
        "a search takes at most 0.1 s, and all of them together about 5 s. What a search has learnt about known states "
        "serves the next ones.\n\n"
        "With --policy FILE nothing is searched: the map shows what the nodes of the policy are worth, and the choice "
        "of the best. Each node is worth a vector, a number for each state. A plot for two states has their lines, for "
        "three the triangle shows where each is best.\n\n"
        "With --json: model, states, actions, observations, discount, cost, map (line, triangle, grid or list), "
        "left_out "
        "(pictures or states, by --top) and points (a list of belief or state, for grids picture, row and column, then "
        "lower, upper, ask, action, certain, and the node of a policy; then vectors, a list of node, ask, action and "
        "values). --csv has a line per belief.\n\n"
        "In models with inquiries or limits the map is of the first moment: nothing has been asked before, and no step "
        "was "
        "made. What is asked has a letter of its own; with --json each point and vector has inquiry (null: nothing).",
    .examples = examples,
    .run = run,
};
