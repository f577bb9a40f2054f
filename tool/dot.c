/* Dot: see dot.h.
 *
 * Beliefs are boxes with their largest entries and bounds; corners, the known states, stand
 * in one row, because all requests share them.  Edges say what is done and seen, requests are
 * dashed, and what the plan does is bold; its other choices are grey.  Where several ways lead
 * from one belief to another they are one edge, which names them all: Graphviz would write the labels
 * of parallel edges over each other.  A belief whose children are not all drawn says how many are
 * missing.
 *
 * In a model with inquiries or limits the graph is that of its planning model, told in words of the model: each belief
 * says how far the step has come, and choices that do the same there are one. */
#include "dot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/moment.h"
#include "common/reasons.h"
#include "common/text.h"
#include "message.h"
#include "output.h"
#include "picture.h"
#include "save.h"
#include "search.h"

enum { ENTRIES = 3, WAYS = 6 }; /* of a belief, of an edge that are shown */

struct drawing {
  const struct decide *decide;
  struct text nodes, edges, corners; /* corners: their ids, for the row */
  glimpse_edge *ways;                /* all that lead somewhere, before they are merged */
  size_t way_count, way_capacity;
  const glimpse_model *planning; /* the model itself where it has no inquiries and limits */
  struct place {
    uint32_t layer;
    bool drawn;
    size_t text; /* where its text begins */
  } * at;        /* of each node */
  size_t at_capacity;
  size_t shown, hidden; /* beliefs; edges that are not drawn */
};

/* ------------------------------------------------------------------- labels */

/* Appends to a label: quotes and backslashes are escaped, line ends become \n. */
static void put(struct text *label, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') text_sink(label, "\\", 1);
    if (*text == '\n') text_sink(label, "\\n", 2);
    else text_sink(label, (unsigned char)*text < ' ' ? "?" : text, 1);
  }
}

static const char *number(double value, char text[32]) {
  if (fabs(value) < 5e-4) value = 0;
  snprintf(text, 32, fabs(value) < 1e6 ? "%.3f" : "%.4g", value);
  return text;
}

static const char *percent(double probability, char text[32]) {
  snprintf(text, 32, probability < 0.0995 ? "%.2g %%" : "%.0f %%", 100 * probability);
  return text;
}

static void put_name(const struct drawing *drawing, struct text *out, glimpse_kind kind, uint32_t i) {
  put(out, glimpse_model_name(drawing->decide->search.model, kind, i));
}

/* -------------------------------------------------------------------- graph */

static bool has_layers(const struct drawing *drawing) {
  return drawing->planning != drawing->decide->search.model;
}

/* What a choice does in a layer: "go on", "ask camera", "left", "left with camera". */
static void put_choice(const struct drawing *drawing, struct text *out, uint32_t layer, uint32_t choice) {
  glimpse_prospect it = {.move = glimpse_planning_move(drawing->planning, layer, choice)};
  char name[200] = "go on";
  it.ask = it.move.action == GLIMPSE_ANY;
  if (!it.ask || it.move.inquiry != GLIMPSE_ANY) reasons_name(drawing->decide->search.model, &it, name, sizeof name);
  put(out, name);
}

static bool may_ask(const struct drawing *drawing, uint32_t layer) {
  for (uint32_t c = 0; c < glimpse_model_count(drawing->planning, GLIMPSE_ACTION); c++)
    if (glimpse_planning_move(drawing->planning, layer, c).inquiry != GLIMPSE_ANY) return true;
  return false;
}

/* Where one is in an episode and a step. */
static void put_layer(const struct drawing *drawing, struct text *out, uint32_t layer) {
  glimpse_limits limits = glimpse_model_limits(drawing->decide->search.model);
  glimpse_layer at = glimpse_planning_layer(drawing->planning, layer);
  if (layer >= glimpse_planning_layers(drawing->planning)) {
    text_print(out, "the end\\n");
    return;
  }
  if (limits.horizon) text_print(out, "step %u of %u, ", at.time + 1, limits.horizon);
  if (limits.requests) text_print(out, "%u of %u requests, ", at.used, limits.requests);
  const char *before = !may_ask(drawing, layer) ? "asks no more" : at.phase ? "may ask again" : "may ask";
  text_print(out, "%s\\n", at.acts ? "acts" : before);
}

static void put_belief(const struct drawing *drawing, struct text *out, const glimpse_node *node) {
  char text[32];
  uint32_t states = glimpse_model_count(drawing->decide->search.model, GLIMPSE_STATE);
  size_t places[ENTRIES], count = moment_largest(node->belief, places, ENTRIES);
  if (has_layers(drawing)) put_layer(drawing, out, node->belief.index[0] / states);
  if (node->belief.index[0] / states >= glimpse_planning_layers(drawing->planning)) return;
  for (size_t i = 0; i < count; i++) {
    put_name(drawing, out, GLIMPSE_STATE, node->belief.index[places[i]] % states);
    if (node->belief.count > 1) text_print(out, " %s", percent(node->belief.value[places[i]], text));
    put(out, "\n");
  }
  if (node->belief.count > count) text_print(out, "and %zu more\\n", node->belief.count - count);
}

/* Beliefs of different layers never mix, so any state of a belief tells its layer. */
static bool note_layer(struct drawing *drawing, const glimpse_node *node) {
  if (node->id >= drawing->at_capacity) {
    size_t capacity = 2 * (size_t)node->id + 64;
    struct place *more = realloc(drawing->at, capacity * sizeof *more);
    if (!more) return false;
    drawing->at = more;
    drawing->at_capacity = capacity;
  }
  uint32_t states = glimpse_model_count(drawing->decide->search.model, GLIMPSE_STATE);
  drawing->at[node->id] = (struct place){node->belief.index[0] / states, true, drawing->nodes.length};
  return true;
}

static bool put_node(void *context, const glimpse_node *node) {
  struct drawing *drawing = context;
  struct text *out = &drawing->nodes;
  char lower[32], upper[32];
  if (!note_layer(drawing, node)) {
    out->failed = true;
    return false;
  }
  uint32_t layer = drawing->at[node->id].layer;
  double scale = glimpse_planning_scale(drawing->planning, layer);
  text_print(out, "  b%u [label=\"", node->id);
  put_belief(drawing, out, node);
  text_print(out, "%s to %s", number(node->lower * scale, lower), number(node->upper * scale, upper));
  if (node->expanded && layer < glimpse_planning_layers(drawing->planning)) {
    text_print(out, "\\n");
    if (node->ask) text_print(out, "ask");
    else put_choice(drawing, out, layer, node->action);
  }
  if (node->hidden) text_print(out, "\\n(%zu not drawn)", node->hidden);
  text_print(out, "\"");
  if (node->corner) text_print(out, ", fillcolor=\"#fff2cc\"");
  else if (!node->expanded) text_print(out, ", fillcolor=\"#eeeeee\", color=\"#999999\"");
  if (!node->id) text_print(out, ", penwidth=2.5");
  text_print(out, "];\n");
  if (node->corner && !has_layers(drawing)) text_print(&drawing->corners, " b%u;", node->id);
  drawing->shown++;
  drawing->hidden += node->hidden;
  return !out->failed;
}

static bool take_edge(void *context, const glimpse_edge *edge) {
  struct drawing *drawing = context;
  if (drawing->way_count == drawing->way_capacity) {
    size_t capacity = drawing->way_capacity ? 2 * drawing->way_capacity : 256;
    glimpse_edge *more = realloc(drawing->ways, capacity * sizeof *more);
    if (!more) {
      drawing->edges.failed = true;
      return false;
    }
    drawing->ways = more;
    drawing->way_capacity = capacity;
  }
  drawing->ways[drawing->way_count++] = *edge;
  return true;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Those between the same beliefs together: first what the plan does, then asking, then by action and observation. */
static int by_ends(const void *a, const void *b) {
  const glimpse_edge *one = a, *two = b;
  int order = ORDER(one->from, two->from);
  if (!order) order = ORDER(one->to, two->to);
  if (!order) order = ORDER(two->plan, one->plan);
  if (!order) order = ORDER(two->ask, one->ask);
  if (!order) order = ORDER(one->action, two->action);
  return order ? order : ORDER(one->observation, two->observation);
}

/* What is seen: an observation, an answer, or both. */
static void put_seen(const struct drawing *drawing, struct text *out, uint32_t layer, const glimpse_edge *way) {
  const glimpse_model *model = drawing->decide->search.model;
  glimpse_shown shown = glimpse_planning_shown(drawing->planning, way->observation);
  uint32_t inquiry = glimpse_planning_move(drawing->planning, layer, way->action).inquiry;
  if (shown.observation != GLIMPSE_ANY) put_name(drawing, out, GLIMPSE_OBSERVATION, shown.observation);
  if (shown.observation != GLIMPSE_ANY && shown.answer != GLIMPSE_ANY) put(out, ", ");
  if (shown.answer != GLIMPSE_ANY) put(out, glimpse_model_answer_name(model, inquiry, shown.answer));
}

/* The first of the choices that do the same in a layer. */
static uint32_t first_like(const struct drawing *drawing, uint32_t layer, uint32_t choice) {
  glimpse_move move = glimpse_planning_move(drawing->planning, layer, choice);
  for (uint32_t c = 0; c < choice; c++) {
    glimpse_move other = glimpse_planning_move(drawing->planning, layer, c);
    if (other.action == move.action && other.inquiry == move.inquiry) return c;
  }
  return choice;
}

/* What is chosen where, as it is done first by the plan; `state` is free for the choice as the graph has it. */
static int by_choice(const void *a, const void *b) {
  const glimpse_edge *one = a, *two = b;
  int order = ORDER(one->from, two->from);
  if (!order) order = ORDER(one->action, two->action);
  if (!order) order = ORDER(two->plan, one->plan);
  return order ? order : ORDER(one->state, two->state);
}

/* Of choices that do the same in a layer one is drawn, that of the plan if it is among them, and of beliefs those that
 * are still reached. */
static void join_ways(struct drawing *drawing) {
  size_t kept = 0, first = 0;
  for (size_t i = 0; i < drawing->way_count; i++) {
    glimpse_edge *way = &drawing->ways[i];
    way->state = way->action;
    way->action = first_like(drawing, drawing->at[way->from].layer, way->action);
  }
  qsort(drawing->ways, drawing->way_count, sizeof *drawing->ways, by_choice);
  for (size_t i = 0; i < drawing->way_count; i++) {
    const glimpse_edge *way = &drawing->ways[i];
    if (!kept || way->from != drawing->ways[first].from || way->action != drawing->ways[first].action) first = kept;
    if (first == kept || way->state == drawing->ways[first].state) drawing->ways[kept++] = *way;
  }
  drawing->way_count = kept;
  bool news = true;
  for (size_t id = 1; id < drawing->shown; id++) drawing->at[id].drawn = false;
  while (news) {
    news = false;
    for (size_t i = 0; i < kept; i++) {
      struct place *to = &drawing->at[drawing->ways[i].to];
      if (!drawing->at[drawing->ways[i].from].drawn || to->drawn) continue;
      news = to->drawn = true;
    }
  }
}

/* What leads from one belief to another, a line for each. */
static void put_ways(struct drawing *drawing, const glimpse_edge *ways, size_t count) {
  struct text *out = &drawing->edges;
  char text[32];
  for (size_t i = 0; i < count; i++) {
    const glimpse_edge *way = &ways[i];
    if (i) text_print(out, "\\n");
    if (i == WAYS - 1 && count > WAYS) {
      text_print(out, "  and %zu more  ", count - i);
      return;
    }
    text_print(out, way->ask ? "  ask" : "  "); /* blanks keep the text off the line */
    if (!way->ask) {
      bool again = i && !ways[i - 1].ask && ways[i - 1].action == way->action;
      uint32_t layer = drawing->at[way->from].layer;
      if (!again) {
        put_choice(drawing, out, layer, way->action);
        text_print(out, "  \\n  ");
      }
      put_seen(drawing, out, layer, way);
    }
    text_print(out, " %s  ", percent(way->probability, text));
  }
}

static void put_edges(struct drawing *drawing) {
  struct text *out = &drawing->edges;
  if (has_layers(drawing)) join_ways(drawing);
  if (drawing->way_count) qsort(drawing->ways, drawing->way_count, sizeof *drawing->ways, by_ends);
  for (size_t i = 0, count; i < drawing->way_count; i += count) {
    const glimpse_edge *first = &drawing->ways[i];
    bool drawn = drawing->at[first->from].drawn;
    for (count = 1; i + count < drawing->way_count; count++)
      if (first[count].from != first->from || first[count].to != first->to) break;
    if (!drawn) continue;
    text_print(out, "  b%u -> b%u [label=\"", first->from, first->to);
    put_ways(drawing, first, count);
    text_print(out, "\"");
    bool asks = first->ask;
    if (!asks) {
      glimpse_move move = glimpse_planning_move(drawing->planning, drawing->at[first->from].layer, first->action);
      asks = move.action == GLIMPSE_ANY && move.inquiry != GLIMPSE_ANY;
    }
    if (asks) text_print(out, ", style=dashed");
    if (first->plan) text_print(out, ", penwidth=2.2");
    else text_print(out, ", color=\"#888888\", fontcolor=\"#555555\"");
    text_print(out, "];\n");
  }
}

/* What the picture is of. */
static void put_title(const struct drawing *drawing, struct text *out) {
  size_t drawn = 0;
  for (size_t id = 0; id < drawing->shown; id++) drawn += drawing->at[id].drawn;
  const struct decide *decide = drawing->decide;
  const glimpse_decision *d = &decide->decision;
  char lower[32], upper[32], settings[SEARCH_TEXT];
  char choice[200];
  put(out, decide->name);
  put(out, ": ");
  put(out, decide_text(decide->search.model, d, choice));
  text_print(out, ", worth %s to %s\\n", number(d->lower, lower), number(d->upper, upper));
  search_text(&decide->search, settings);
  put(out, settings);
  if (drawing->hidden)
    text_print(out, "\\n%zu beliefs are drawn; the search holds %llu\\n ", drawn, (unsigned long long)d->nodes);
  else text_print(out, "\\nall %zu beliefs are drawn\\n ", drawn);
}

static void put_graph(const struct drawing *drawing, struct text *out) {
  text_print(out, "// The graph of a search, written by glimpse %s.\n", glimpse_version());
  text_print(out, "// Graphviz draws it: dot -Tsvg THIS-FILE -o graph.svg\n");
  text_print(out, "digraph glimpse {\n  graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, labelloc=t, "
                  "ranksep=0.7, nodesep=0.25,\n         label=\"");
  put_title(drawing, out);
  text_print(out, "\"];\n");
  text_print(out, "  node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, shape=box, style=\"rounded,filled\", "
                  "fillcolor=white];\n");
  text_print(out, "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7];\n");
  for (size_t id = 0; id < drawing->shown; id++) {
    size_t end = id + 1 < drawing->shown ? drawing->at[id + 1].text : drawing->nodes.length;
    if (drawing->at[id].drawn) text_sink(out, drawing->nodes.data + drawing->at[id].text, end - drawing->at[id].text);
  }
  if (drawing->corners.length) {
    text_print(out, "  subgraph corners { rank=same;");
    text_sink(out, drawing->corners.data, drawing->corners.length);
    text_print(out, " }\n");
  }
  if (drawing->edges.length) text_sink(out, drawing->edges.data, drawing->edges.length);
  text_print(out, "}\n");
}

/* ------------------------------------------------------------------ options */

int dot_check(const struct options *options) {
  static const enum option_id filters[] = {OPTION_dot_depth, OPTION_dot_probability, OPTION_dot_max_gap,
                                           OPTION_dot_min_gap, OPTION_dot_choices};
  for (size_t i = 0; i < sizeof filters / sizeof *filters && !options->dot; i++)
    if (options->given[filters[i]])
      return message_usage(options->command, "'--%s' says what '--dot FILE' writes, which is not given",
                           option_get(filters[i])->name);
  bool standard = options->dot && !strcmp(options->dot, "-");
  if (standard && options->json)
    return message_usage(options->command, "'--dot -' and '--json' both want the standard output; name a file");
  if (options->dot && !(glimpse_planner_traits(search_kind(options)) & GLIMPSE_TRAIT_GRAPH))
    return message_usage(options->command, "the planner %s has no graph for '--dot'; aems-loop, aems-sr and aems have",
                         glimpse_planner_key(search_kind(options)));
  return TOOL_OK;
}

/* An agent that went on through the layers of a step has left its first belief behind: the search goes back there. */
static glimpse_status go_back(const struct decide *decide, const glimpse_model *planning) {
  if (!decide->agent || !glimpse_agent_stand(decide->agent).layer) return GLIMPSE_OK;
  glimpse_belief *first = glimpse_belief_new(planning);
  glimpse_decision again;
  glimpse_status status = first ? glimpse_belief_set(first, glimpse_belief_row(decide->belief)) : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_planner_begin(decide->planner, glimpse_belief_row(first), 0);
  if (!status) status = glimpse_planner_plan(decide->planner, &decide->search.budget, &again);
  glimpse_belief_free(first);
  return status;
}

/* Choices of the planning model in one step of the model. */
static uint32_t moves_in_step(const glimpse_model *planning) {
  uint32_t moves = 1;
  for (uint32_t layer = 0; !glimpse_planning_layer(planning, layer).acts; moves++)
    layer = glimpse_planning_next(planning, layer, 0);
  return moves;
}

int dot_write(const struct options *options, const struct decide *decide) {
  struct drawing drawing = {.decide = decide, .planning = glimpse_model_planning(decide->search.model)};
  struct text out = {0};
  uint64_t depth = options->dot_depth * moves_in_step(drawing.planning);
  glimpse_visit visit = {.depth = depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX,
                         .probability = options->dot_probability,
                         .max_gap = options->dot_max_gap,
                         .min_gap = options->dot_min_gap,
                         .plan = options->dot_choices != 0,
                         .node = put_node,
                         .edge = take_edge,
                         .context = &drawing};
  glimpse_status status = go_back(decide, drawing.planning);
  if (!status) status = glimpse_planner_visit(decide->planner, &visit);
  if (!status) put_edges(&drawing);
  if (!status) put_graph(&drawing, &out);
  int result = TOOL_OK;
  if (status || drawing.nodes.failed || drawing.edges.failed || drawing.corners.failed || out.failed)
    result = message_no_memory();
  else if (!strcmp(options->dot, "-")) output_text(out.data, out.length);
  else result = save_file(options->dot, out.data, out.length);
  if (!result && drawing.shown > 500)
    message_hint(
        "%zu beliefs make a large picture; '--dot-depth', '--dot-probability' and '--dot-choices plan' make it "
        "smaller",
        drawing.shown);
  text_free(&drawing.nodes);
  text_free(&drawing.edges);
  free(drawing.ways);
  free(drawing.at);
  text_free(&drawing.corners);
  text_free(&out);
  return result;
}
