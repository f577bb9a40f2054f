/* Module, graphs and curves: the plan that a search has found, a policy that was given, and the value over the
 * price of asking. */
#include <stdio.h>

#include "common/moment.h"
#include "common/reasons.h"
#include "page/module.h"

/* --------------------------------------------------------------------- plan */

enum { NODES = 600, ENTRIES = 3 };

struct visit {
  struct json *json;
  bool edges, cut;
  uint32_t most;             /* so many nodes, the first that were found */
  uint32_t layer[NODES + 1]; /* of each node, in a model with inquiries or limits: what its choices mean */
};

/* The state of the model, whatever the layer. */
static uint32_t state_of(uint32_t s) {
  return s == GLIMPSE_ANY ? s : s % glimpse_model_count(page.model, GLIMPSE_STATE);
}

static void put_entries(struct json *json, glimpse_row belief) {
  size_t place[ENTRIES], count = 0;
  for (size_t i = 0; i < belief.count; i++) {
    size_t at = count < ENTRIES ? count : ENTRIES - 1;
    if (count == ENTRIES && !(belief.value[i] > belief.value[place[at]])) continue;
    while (at && belief.value[i] > belief.value[place[at - 1]]) {
      place[at] = place[at - 1];
      at--;
    }
    place[at] = i;
    if (count < ENTRIES) count++;
  }
  json_array(json, "belief");
  for (size_t i = 0; i < count; i++) {
    json_array(json, NULL);
    json_count(json, NULL, state_of(belief.index[place[i]]));
    json_number(json, NULL, belief.value[place[i]]);
    json_close(json);
  }
  json_close(json);
  json_count(json, "support", belief.count);
}

static void put_number(struct json *json, const char *key, uint32_t value) {
  if (value == GLIMPSE_ANY) json_null(json, key);
  else json_count(json, key, value);
}

/* What a choice does in a layer, in words: "go on", "ask camera", "left", "left with camera". */
static void put_deed(struct json *json, uint32_t layer, uint32_t choice) {
  const glimpse_model *planning = glimpse_model_planning(page.model);
  glimpse_move move = glimpse_planning_move(planning, layer, choice);
  bool asks = move.inquiry != GLIMPSE_ANY, acts = move.action != GLIMPSE_ANY;
  char name[MOMENT_NAME] = "go on";
  if (asks || acts) reasons_name(page.model, &(glimpse_prospect){.move = move, .ask = !acts}, name, sizeof name);
  json_text(json, "does", name);
  json_bool(json, "asks", asks && !acts);
  json_bool(json, "passes", !asks && !acts);
}

static bool on_node(void *context, const glimpse_node *node) {
  struct visit *visit = context;
  struct json *json = visit->json;
  visit->cut |= node->id >= visit->most;
  if (node->id >= visit->most) return true;
  json_object(json, NULL);
  json_count(json, "id", node->id);
  uint32_t layer = page_layered() ? node->belief.index[0] / glimpse_model_count(page.model, GLIMPSE_STATE) : 0;
  double scale = page_layered() ? glimpse_planning_scale(glimpse_model_planning(page.model), layer) : 1;
  if (node->id <= NODES) visit->layer[node->id] = layer;
  put_number(json, "state", state_of(node->state));
  json_bool(json, "corner", node->corner);
  json_bool(json, "expanded", node->expanded);
  json_bool(json, "ask", node->ask);
  put_number(json, "action", node->action);
  if (page_layered() && node->action != GLIMPSE_ANY) put_deed(json, layer, node->action);
  json_number(json, "lower", node->lower * scale);
  json_number(json, "upper", node->upper * scale);
  json_count(json, "depth", node->depth);
  json_number(json, "probability", node->probability);
  put_entries(json, node->belief);
  json_close(json);
  return true;
}

static bool count_node(void *context, const glimpse_node *node) {
  uint32_t *nodes = context;
  (void)node;
  return ++*nodes <= NODES;
}

static bool count_edge(void *context, const glimpse_edge *edge) {
  (void)context, (void)edge;
  return true;
}

/* What is seen after a choice in a layer, in words. */
static void put_seen(struct json *json, uint32_t layer, const glimpse_edge *edge) {
  const glimpse_model *planning = glimpse_model_planning(page.model);
  uint32_t inquiry = glimpse_planning_move(planning, layer, edge->action).inquiry;
  glimpse_shown shown = glimpse_planning_shown(planning, edge->observation);
  const char *answer = glimpse_model_answer_name(page.model, inquiry, shown.answer);
  const char *sight =
      shown.observation == GLIMPSE_ANY ? NULL : glimpse_model_name(page.model, GLIMPSE_OBSERVATION, shown.observation);
  char text[2 * MOMENT_NAME + 4];
  snprintf(text, sizeof text, "%.60s%s%.60s", sight ? sight : "", sight && answer ? ", " : "", answer ? answer : "");
  json_text(json, "sees", text);
}

static bool on_edge(void *context, const glimpse_edge *edge) {
  struct visit *visit = context;
  struct json *json = visit->json;
  if (!visit->edges) { /* all nodes come before */
    json_close(json);
    json_array(json, "edges");
    visit->edges = true;
  }
  if (edge->from >= visit->most || edge->to >= visit->most) return true;
  json_object(json, NULL);
  json_count(json, "from", edge->from);
  json_count(json, "to", edge->to);
  json_bool(json, "ask", edge->ask);
  put_number(json, "action", edge->action);
  put_number(json, "observation", edge->observation);
  put_number(json, "state", edge->state);
  uint32_t layer = edge->from <= NODES ? visit->layer[edge->from] : 0;
  if (page_layered() && edge->action != GLIMPSE_ANY) put_deed(json, layer, edge->action);
  if (page_layered() && edge->action != GLIMPSE_ANY) put_seen(json, layer, edge);
  json_number(json, "probability", edge->probability);
  json_bool(json, "plan", edge->plan);
  json_close(json);
  return true;
}

/* The graph from here on: so many steps deep, paths of at least this probability; with `plan` only what
 * the plan chooses.  Where that is more than the page takes, the least probable paths are cut.  Where nothing is left
 * of what follows, because it is many things that are all improbable, the first of them are shown. */
const char *page_graph(uint32_t depth, double probability, int plan);
EXPORT(page_graph) const char *page_graph(uint32_t depth, double probability, int plan) {
  struct json json = page_answer();
  struct visit visit = {.json = &json};
  json_array(&json, "nodes");
  uint32_t nodes = 0;
  glimpse_visit way = {.depth = depth,
                       .probability = probability,
                       .plan = plan != 0,
                       .node = count_node,
                       .edge = count_edge,
                       .context = &nodes};
  glimpse_status status = page.planned ? glimpse_planner_visit(page.planner, &way) : GLIMPSE_NOT_APPLICABLE;
  for (; !status && nodes > NODES && (way.depth > 1 || way.probability < 1); visit.cut = true) {
    nodes = 0;
    if (way.probability < 0.05) way.probability = way.probability > 0 ? 2 * way.probability : 1e-4;
    else if (way.depth > 1) way.depth--;
    else way.probability = 1;
    status = glimpse_planner_visit(page.planner, &way);
  }
  if (nodes <= 1) {
    way.depth = 1;
    way.probability = 0;
  }
  visit.most = nodes <= 1 ? NODES : UINT32_MAX;
  way.node = on_node;
  way.edge = on_edge;
  way.context = &visit;
  if (!status) status = glimpse_planner_visit(page.planner, &way);
  json_close(&json);
  if (!visit.edges) {
    json_array(&json, "edges");
    json_close(&json);
  }
  json_bool(&json, "cut", visit.cut);
  json_text(&json, "status", status ? glimpse_status_text(status) : NULL);
  return page_given(&json);
}

/* ------------------------------------------------------------------- policy */

static void put_policy_names(struct json *json, const char *key, const glimpse_policy *policy, glimpse_kind kind,
                             uint32_t count) {
  json_array(json, key);
  for (uint32_t i = 0; i < count && i < 5000; i++) json_text(json, NULL, glimpse_policy_name(policy, kind, i));
  json_close(json);
}

static void put_policy(struct json *json, const glimpse_policy *policy) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  json_text(json, "model", info.model);
  json_number(json, "lower", info.lower);
  json_number(json, "upper", info.upper);
  json_number(json, "requests", info.requests);
  json_count(json, "size", info.nodes);
  put_policy_names(json, "state_names", policy, GLIMPSE_STATE, info.states);
  put_policy_names(json, "actions", policy, GLIMPSE_ACTION, info.actions);
  put_policy_names(json, "observations", policy, GLIMPSE_OBSERVATION, info.observations);
  json_array(json, "nodes");
  for (uint32_t i = 0; i < info.nodes && i < 5000; i++) {
    glimpse_policy_edges edges = glimpse_policy_get(policy, i);
    json_object(json, NULL);
    put_number(json, "choice", glimpse_policy_choice(policy, i));
    json_array(json, "edges");
    for (size_t k = 0; k < edges.count; k++) {
      json_array(json, NULL);
      json_count(json, NULL, edges.seen[k]);
      json_count(json, NULL, edges.to[k]);
      json_close(json);
    }
    json_close(json);
    json_close(json);
  }
  json_close(json);
}

/* The policy whose text is in the room. */
const char *page_policy(size_t length);
EXPORT(page_policy) const char *page_policy(size_t length) {
  if (!page.report) page.report = glimpse_report_new();
  glimpse_report_clear(page.report);
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_policy_read(page.room, length, "", page.report, &policy);
  if (status) return page_outcome(status);
  struct json json = page_answer();
  json_null(&json, "status");
  put_policy(&json, policy);
  glimpse_policy_free(policy);
  return page_given(&json);
}

/* -------------------------------------------------------------------- price */

static void put_interval(struct json *json, const char *key, glimpse_interval interval) {
  json_array(json, key);
  json_number(json, NULL, interval.low);
  json_number(json, NULL, interval.high);
  json_close(json);
}

/* The value over the price of asking for the state (GLIMPSE_ANY) or of an inquiry, by so many searches of so many
 * expansions. */
const char *page_curve(uint32_t inquiry, double expansions, uint32_t points);
EXPORT(page_curve) const char *page_curve(uint32_t inquiry, double expansions, uint32_t points) {
  glimpse_report_clear(page.report);
  glimpse_price_options options = {.budget = {.expansions = (uint64_t)expansions},
                                   .points = points,
                                   .max_memory = 16 << 20,
                                   .inquiry = glimpse_model_inquiry(page.model, inquiry).name};
  glimpse_price_curve *curve = NULL;
  glimpse_status status = glimpse_price_curve_new(page.model, &options, page.report, &curve);
  if (status) return page_outcome(status);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  struct json json = page_answer();
  json_null(&json, "status");
  json_bool(&json, "factor", all.factor);
  json_number(&json, "own", all.own);
  json_number(&json, "negligible", all.negligible);
  json_number(&json, "never", all.never);
  put_interval(&json, "off", all.off);
  put_interval(&json, "free", all.free);
  put_interval(&json, "even", all.even);
  json_array(&json, "points");
  for (size_t i = 0; i < all.points; i++) {
    const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
    json_object(&json, NULL);
    json_number(&json, "price", point->price);
    put_interval(&json, "value", point->value);
    json_bool(&json, "ask", point->ask);
    json_close(&json);
  }
  json_close(&json);
  glimpse_price_curve_free(curve);
  return page_given(&json);
}
