/* A policy for people: what it is, and what each node does and leads to. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "policy_format.h"

enum { WIDTH = 79, INDENT = 4 };

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

static void put_node(const struct policy_format *job, uint32_t node, struct policy_way *ways) {
  uint32_t choice = glimpse_policy_choice(job->policy, node);
  char text[32];
  size_t count = policy_ways(job->policy, node, ways);
  if (choice == GLIMPSE_ANY) text_print(job->out, "%s: ask for the state\n", node_text(node, text));
  else
    text_print(job->out, "%s: do %s\n", node_text(node, text),
               glimpse_policy_name(job->policy, GLIMPSE_ACTION, choice));
  for (size_t i = 0, same; i < count; i += same) {
    same = policy_ways_same(ways + i, count - i);
    put_ways(job, node, ways + i, same, same == count);
  }
}

int policy_text(const struct policy_format *job) {
  struct policy_way *ways = policy_ways_new(job->policy);
  if (!ways) return message_no_memory();
  put_head(job);
  for (uint32_t n = 0; n < glimpse_policy_measure(job->policy).nodes && !job->out->failed; n++) put_node(job, n, ways);
  free(ways);
  return TOOL_OK;
}
