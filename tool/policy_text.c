/* A policy for people: what it is, and what each node does and leads to.
 *
 * Where the model has inquiries or limits the policy is one of its planning model, in which asking is an action, and
 * what a choice does depends on the layer (glimpse.h).  With the model at hand the layers in which nodes are met are
 * found by a walk from the start, and the text says what is done: asks, acts, or goes on to act without asking. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "policy_format.h"

enum { WIDTH = 79, INDENT = 4 };

/* Are some of its actions requests, which their names alone do not tell? */
static bool asks_by_actions(const glimpse_policy *policy) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  for (uint32_t n = 0; n < info.nodes; n++)
    if (glimpse_policy_choice(policy, n) == GLIMPSE_ANY) return false;
  return info.requests > 0;
}

/* ------------------------------------------------------------------- layers */

/* What nodes do; NULL where the model is its own planning model. */
struct meanings {
  glimpse_move *move; /* per node; where layers differ in it, what the choice means anywhere */
  bool *met;          /* per node: has a move */
};

struct walk {
  const glimpse_policy *policy;
  const glimpse_model *planning;
  uint64_t layers, count;
  bool *seen;      /* node * layers + layer */
  uint64_t *queue; /* likewise */
};

static void meet(struct walk *walk, uint64_t place) {
  if (walk->seen[place]) return;
  walk->seen[place] = true;
  walk->queue[walk->count++] = place;
}

static void follow(struct walk *walk, struct meanings *meanings) {
  meet(walk, 0);
  for (uint64_t i = 0; i < walk->count; i++) {
    uint32_t node = (uint32_t)(walk->queue[i] / walk->layers), layer = (uint32_t)(walk->queue[i] % walk->layers);
    uint32_t choice = glimpse_policy_choice(walk->policy, node);
    glimpse_move move = glimpse_planning_move(walk->planning, layer, choice), *known = &meanings->move[node];
    if (!meanings->met[node]) *known = move;
    else if (known->action != move.action || known->inquiry != move.inquiry)
      *known = glimpse_planning_meaning(walk->planning, choice);
    meanings->met[node] = true;
    uint32_t next = glimpse_planning_next(walk->planning, layer, choice);
    glimpse_policy_edges edges = glimpse_policy_get(walk->policy, node);
    for (size_t e = 0; e < edges.count && next != GLIMPSE_ANY; e++) meet(walk, edges.to[e] * walk->layers + next);
  }
}

static void meanings_free(struct meanings *meanings) {
  free(meanings->move);
  free(meanings->met);
}

/* False: out of memory. */
static bool meanings_find(struct meanings *meanings, const struct policy_format *job) {
  *meanings = (struct meanings){0};
  if (!job->model || glimpse_model_planning(job->model) == job->model) return true;
  uint32_t nodes = glimpse_policy_measure(job->policy).nodes;
  struct walk walk = {.policy = job->policy, .planning = glimpse_model_planning(job->model)};
  walk.layers = glimpse_planning_layers(walk.planning);
  walk.seen = calloc(nodes * walk.layers + 1, sizeof *walk.seen);
  walk.queue = calloc(nodes * walk.layers + 1, sizeof *walk.queue);
  meanings->move = calloc((size_t)nodes + 1, sizeof *meanings->move);
  meanings->met = calloc((size_t)nodes + 1, sizeof *meanings->met);
  bool fine = walk.seen && walk.queue && meanings->move && meanings->met;
  if (fine) follow(&walk, meanings);
  else meanings_free(meanings);
  free(walk.seen);
  free(walk.queue);
  return fine;
}

static void put_move(const struct policy_format *job, glimpse_move move) {
  const char *inquiry = glimpse_model_inquiry(job->model, move.inquiry).name;
  const char *action = glimpse_model_name(job->model, GLIMPSE_ACTION, move.action);
  if (action) text_print(job->out, "do %s%s", action, inquiry ? " and " : "");
  if (inquiry) text_print(job->out, "ask %s", inquiry);
  if (!action && !inquiry) text_print(job->out, "act without asking");
}

/* --------------------------------------------------------------------- text */

static void put_head(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  struct text *out = job->out;
  char name[100], worth[160];
  policy_worth(job->policy, worth);
  text_print(out, "Policy of %s: %u states, %u actions, %u observations.\n", policy_model(job->policy, name),
             info.states, info.actions, info.observations);
  text_print(out, "%u node%s, %llu edge%s, depth %u; %s", info.nodes, info.nodes == 1 ? "" : "s",
             (unsigned long long)info.edges, info.edges == 1 ? "" : "s", info.depth, worth);
  if (isfinite(info.lower) && isfinite(info.upper)) text_print(out, " (gap %.3g)", info.upper - info.lower);
  text_print(out, ".\nExpected requests, discounted: %.6g. ", info.requests);
  if (glimpse_policy_corner(job->policy, 0))
    text_print(out, "The upper function has %llu point%s besides the states. ", (unsigned long long)info.points,
               info.points == 1 ? "" : "s");
  if (!job->model && asks_by_actions(job->policy))
    text_print(out, "Asking is an action here; '--model MODEL' tells which actions ask. ");
  text_print(out, "Model digest %016llx, made by glimpse %s.\n\n", (unsigned long long)info.digest, info.version);
}

/* A line that is broken where it would be too long. */
struct line {
  struct text *out;
  size_t width;
};

static void put_word(struct line *line, const char *before, const char *word, const char *behind) {
  size_t length = strlen(before) + strlen(word) + strlen(behind);
  if (line->width + length > WIDTH && *before == ' ') {
    text_print(line->out, "\n%*s", 2 * INDENT - 1, "");
    line->width = 2 * INDENT - 1;
  }
  text_print(line->out, "%s%s%s", before, word, behind);
  line->width += length;
}

static const char *node_text(uint32_t node, char text[32]) {
  if (node) snprintf(text, 32, "node %u", node);
  else snprintf(text, 32, "start");
  return text;
}

static void put_ways(const struct policy_format *job, uint32_t node, const struct policy_way *ways, size_t count,
                     bool only) {
  struct line line = {job->out, INDENT};
  bool asks = glimpse_policy_choice(job->policy, node) == GLIMPSE_ANY;
  char text[32];
  text_print(job->out, "%*s", INDENT, "");
  if (only && count > 1) {
    text_print(job->out, "then %s\n", node_text(ways->to, text));
    return;
  }
  put_word(&line, asks ? "if told" : "if", "", "");
  for (size_t i = 0; i < count; i++)
    put_word(&line, i && i + 1 == count ? " or " : " ", policy_seen(job->policy, node, ways[i].seen),
             i + 2 < count ? "," : "");
  put_word(&line, " -> ", node_text(ways->to, text), "");
  text_print(job->out, "\n");
}

static void put_node(const struct policy_format *job, const struct meanings *meanings, uint32_t node,
                     struct policy_way *ways) {
  uint32_t choice = glimpse_policy_choice(job->policy, node);
  char text[32];
  size_t count = policy_ways(job->policy, node, ways);
  text_print(job->out, "%s: ", node_text(node, text));
  if (choice == GLIMPSE_ANY) text_print(job->out, "ask for the state");
  else if (meanings->met && meanings->met[node]) put_move(job, meanings->move[node]);
  else text_print(job->out, "do %s", glimpse_policy_name(job->policy, GLIMPSE_ACTION, choice));
  text_print(job->out, "\n");
  for (size_t i = 0, same; i < count; i += same) {
    same = policy_ways_same(ways + i, count - i);
    put_ways(job, node, ways + i, same, same == count);
  }
}

int policy_text(const struct policy_format *job) {
  struct policy_way *ways = policy_ways_new(job->policy);
  struct meanings meanings;
  if (!ways || !meanings_find(&meanings, job)) {
    free(ways);
    return message_no_memory();
  }
  put_head(job);
  for (uint32_t n = 0; n < glimpse_policy_measure(job->policy).nodes && !job->out->failed; n++)
    put_node(job, &meanings, n, ways);
  meanings_free(&meanings);
  free(ways);
  return TOOL_OK;
}
