/* A policy for Graphviz.  Nodes that act are boxes, nodes that ask are round and have dashed edges; edges that lead
 * from one node to the same other are one, which tells all that may be seen. */
#include <stdlib.h>

#include "message.h"
#include "policy_format.h"

enum { SHOWN = 6, LARGE = 300 }; /* labels of an edge; nodes of a picture that can be read */

static void put_text(struct text *out, const char *text) {
  for (const char *c = text; *c; c++) text_print(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
}

static void put_node(const struct policy_format *job, uint32_t node) {
  uint32_t choice = glimpse_policy_choice(job->policy, node);
  text_print(job->out, "  n%u [label=\"", node);
  if (choice == GLIMPSE_ANY) text_print(job->out, "ask");
  else put_text(job->out, glimpse_policy_name(job->policy, GLIMPSE_ACTION, choice));
  text_print(job->out, "\\n%u\"", node);
  if (choice == GLIMPSE_ANY) text_print(job->out, ", shape=ellipse, style=filled, fillcolor=\"#fff2cc\"");
  if (!node) text_print(job->out, ", penwidth=2.5");
  text_print(job->out, "];\n");
}

static void put_edge(const struct policy_format *job, uint32_t node, const struct policy_way *ways, size_t count,
                     bool only) {
  bool asks = glimpse_policy_choice(job->policy, node) == GLIMPSE_ANY;
  size_t shown = count > SHOWN ? SHOWN - 1 : count;
  text_print(job->out, "  n%u -> n%u [label=\"", node, ways->to);
  if (only && count > 1) text_print(job->out, "  any  ");
  for (size_t i = 0; i < shown && !(only && count > 1); i++) {
    text_print(job->out, i ? "\\n  " : "  "); /* blanks keep the text off the line */
    put_text(job->out, policy_seen(job->policy, node, ways[i].seen));
    text_print(job->out, "  ");
  }
  if (count > shown && !only) text_print(job->out, "\\n  and %zu more  ", count - shown);
  text_print(job->out, "\"%s];\n", asks ? ", style=dashed" : "");
}

int policy_dot(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  struct policy_way *ways = policy_ways_new(job->policy);
  char name[100], worth[160];
  if (!ways) return message_no_memory();
  policy_worth(job->policy, worth);
  text_print(job->out, "// A policy, written by glimpse %s.\n// Graphviz draws it: dot -Tsvg THIS-FILE -o policy.svg\n",
             glimpse_version());
  text_print(job->out, "digraph policy {\n  graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, labelloc=t, "
                       "ranksep=0.6, nodesep=0.25,\n         label=\"");
  put_text(job->out, policy_model(job->policy, name));
  text_print(job->out, ": %u nodes\\n%s\\n \"];\n", info.nodes, worth);
  text_print(job->out, "  node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, shape=box, "
                       "style=\"rounded,filled\", fillcolor=white];\n"
                       "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7];\n");
  for (uint32_t n = 0; n < info.nodes && !job->out->failed; n++) {
    put_node(job, n);
    size_t count = policy_ways(job->policy, n, ways);
    for (size_t i = 0, same; i < count; i += same) {
      same = policy_ways_same(ways + i, count - i);
      put_edge(job, n, ways + i, same, same == count);
    }
  }
  text_print(job->out, "}\n");
  free(ways);
  if (info.nodes > LARGE)
    message_hint("%u nodes make a large picture; a larger gap gives a smaller policy", info.nodes);
  return TOOL_OK;
}
