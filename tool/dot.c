/* Dot: see dot.h.
 *
 * Beliefs are boxes with their largest entries and bounds; corners, the known states, stand
 * in one row, because all requests share them.  Edges say what is done and seen, requests are
 * dashed, and what the plan does is bold; its other choices are grey.  Where several ways lead
 * from one belief to another they are one edge, which names them all: Graphviz would write the labels
 * of parallel edges over each other.  A belief whose children are not all drawn says how many are
 * missing. */
#include "dot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/moment.h"
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

static void put_belief(const struct drawing *drawing, struct text *out, const glimpse_node *node) {
  char text[32];
  size_t places[ENTRIES], count = moment_largest(node->belief, places, ENTRIES);
  for (size_t i = 0; i < count; i++) {
    put_name(drawing, out, GLIMPSE_STATE, node->belief.index[places[i]]);
    if (node->belief.count > 1) text_print(out, " %s", percent(node->belief.value[places[i]], text));
    put(out, "\n");
  }
  if (node->belief.count > count) text_print(out, "and %zu more\\n", node->belief.count - count);
}

static bool put_node(void *context, const glimpse_node *node) {
  struct drawing *drawing = context;
  struct text *out = &drawing->nodes;
  char lower[32], upper[32];
  text_print(out, "  b%u [label=\"", node->id);
  put_belief(drawing, out, node);
  text_print(out, "%s to %s", number(node->lower, lower), number(node->upper, upper));
  if (node->expanded) {
    text_print(out, "\\n");
    if (node->ask) text_print(out, "ask");
    else put_name(drawing, out, GLIMPSE_ACTION, node->action);
  }
  if (node->hidden) text_print(out, "\\n(%zu not drawn)", node->hidden);
  text_print(out, "\"");
  if (node->corner) text_print(out, ", fillcolor=\"#fff2cc\"");
  else if (!node->expanded) text_print(out, ", fillcolor=\"#eeeeee\", color=\"#999999\"");
  if (!node->id) text_print(out, ", penwidth=2.5");
  text_print(out, "];\n");
  if (node->corner) text_print(&drawing->corners, " b%u;", node->id);
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
      if (!again) {
        put_name(drawing, out, GLIMPSE_ACTION, way->action);
        text_print(out, "  \\n  ");
      }
      put_name(drawing, out, GLIMPSE_OBSERVATION, way->observation);
    }
    text_print(out, " %s  ", percent(way->probability, text));
  }
}

static void put_edges(struct drawing *drawing) {
  struct text *out = &drawing->edges;
  if (drawing->way_count) qsort(drawing->ways, drawing->way_count, sizeof *drawing->ways, by_ends);
  for (size_t i = 0, count; i < drawing->way_count; i += count) {
    const glimpse_edge *first = &drawing->ways[i];
    for (count = 1; i + count < drawing->way_count; count++)
      if (first[count].from != first->from || first[count].to != first->to) break;
    text_print(out, "  b%u -> b%u [label=\"", first->from, first->to);
    put_ways(drawing, first, count);
    text_print(out, "\"");
    if (first->ask) text_print(out, ", style=dashed");
    if (first->plan) text_print(out, ", penwidth=2.2");
    else text_print(out, ", color=\"#888888\", fontcolor=\"#555555\"");
    text_print(out, "];\n");
  }
}

/* What the picture is of. */
static void put_title(const struct drawing *drawing, struct text *out) {
  const struct decide *decide = drawing->decide;
  const glimpse_decision *d = &decide->decision;
  char lower[32], upper[32], settings[SEARCH_TEXT];
  put(out, decide->name);
  if (d->ask) put(out, ": ask for the state");
  else put(out, ": do '"), put(out, decide_name(decide, d->action)), put(out, "'");
  text_print(out, ", worth %s to %s\\n", number(d->lower, lower), number(d->upper, upper));
  search_text(&decide->search, settings);
  put(out, settings);
  if (drawing->hidden)
    text_print(out, "\\n%zu beliefs are drawn; the search holds %llu\\n ", drawing->shown,
               (unsigned long long)d->nodes);
  else text_print(out, "\\nall %zu beliefs are drawn\\n ", drawing->shown);
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
  text_sink(out, drawing->nodes.data, drawing->nodes.length);
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

int dot_write(const struct options *options, const struct decide *decide) {
  struct drawing drawing = {.decide = decide};
  struct text out = {0};
  glimpse_visit visit = {.depth = (uint32_t)options->dot_depth,
                         .probability = options->dot_probability,
                         .max_gap = options->dot_max_gap,
                         .min_gap = options->dot_min_gap,
                         .plan = options->dot_choices != 0,
                         .node = put_node,
                         .edge = take_edge,
                         .context = &drawing};
  glimpse_status status = glimpse_planner_visit(decide->planner, &visit);
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
  text_free(&drawing.corners);
  text_free(&out);
  return result;
}
