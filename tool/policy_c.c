/* A policy as C99: tables of the smallest types that hold them, and the functions that read them.
 *
 * The text includes stdint.h alone, so that it compiles with -ffreestanding for any machine.  A step takes as many
 * comparisons as the number of a node's edges has bits. */
#include <stdio.h>

#include "message.h"
#include "policy_format.h"

enum { LISTED = 64, PER_LINE = 20 }; /* names in a comment, numbers in a line */

static unsigned bits(uint64_t most) {
  return most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : 32;
}

/* A comment cannot end within what it tells. */
static void put_comment(struct text *out, const char *text) {
  for (const char *c = text; *c; c++) text_print(out, "%c", *c == '/' && c > text && c[-1] == '*' ? '?' : *c);
}

static void put_names(const struct policy_format *job, glimpse_kind kind, const char *what, uint32_t count) {
  text_print(job->out, " * %s:", what);
  for (uint32_t i = 0; i < count && i < LISTED; i++)
    text_print(job->out, "%s %u %s",
               i && i % 6 == 0 ? ",\n *  "
               : i             ? ","
                               : "",
               i, glimpse_policy_name(job->policy, kind, i));
  text_print(job->out, "%s\n", count > LISTED ? ", ..." : "");
}

static void put_head(const struct policy_format *job, const glimpse_policy_info *info) {
  char name[100], worth[160];
  policy_worth(job->policy, worth);
  text_print(job->out, "/* Policy of ");
  put_comment(job->out, policy_model(job->policy, name));
  text_print(job->out, ", %s.\n * Written by glimpse %s; the model's digest is %016llx.\n *\n", worth,
             glimpse_version(), (unsigned long long)info->digest);
  put_names(job, GLIMPSE_ACTION, "actions", info->actions);
  put_names(job, GLIMPSE_OBSERVATION, "observations", info->observations);
  put_names(job, GLIMPSE_STATE, "states", info->states);
  text_print(job->out, " *\n * Following it:\n"
                       " *   uint32_t node = 0;\n"
                       " *   for (;;) {\n"
                       " *     uint32_t choice = policy_choice(node), seen;\n"
                       " *     if (choice == POLICY_ASK) seen = ask_for_the_state();\n"
                       " *     else seen = act_and_observe(choice);\n"
                       " *     node = policy_step(node, seen);\n"
                       " *     if (node == POLICY_LOST) ...  the plan knows nothing of what was seen\n"
                       " *   }\n */\n#include <stdint.h>\n\n");
  text_print(job->out, "enum { POLICY_NODES = %u, POLICY_ACTIONS = %u, POLICY_ASK = %u, POLICY_LOST = %u };\n\n",
             info->nodes, info->actions, info->actions, info->nodes);
  text_print(job->out,
             "uint32_t policy_choice(uint32_t node);\nuint32_t policy_step(uint32_t node, uint32_t seen);\n\n");
}

/* One table, number by number. */
struct table_out {
  struct text *out;
  uint64_t count;
};

static struct table_out begin(struct text *out, const char *name, uint64_t size, uint64_t most) {
  text_print(out, "static const uint%u_t %s[%llu] = {", bits(most), name, (unsigned long long)(size ? size : 1));
  if (!size) text_print(out, "\n  0"); /* no table is empty in C */
  return (struct table_out){out, 0};
}

static void add(struct table_out *table, uint64_t number) {
  const char *before = table->count % PER_LINE ? ", " : table->count ? ",\n  " : "\n  ";
  text_print(table->out, "%s%llu", before, (unsigned long long)number);
  table->count++;
}

static void end(struct table_out *table) {
  text_print(table->out, "\n};\n");
}

static void put_tables(const struct policy_format *job, const glimpse_policy_info *info) {
  uint64_t edges = 0;
  uint32_t labels = info->states > info->observations ? info->states : info->observations;
  struct table_out table = begin(job->out, "choices", info->nodes, info->actions);
  for (uint32_t n = 0; n < info->nodes; n++) {
    uint32_t choice = glimpse_policy_choice(job->policy, n);
    add(&table, choice == GLIMPSE_ANY ? info->actions : choice);
  }
  end(&table);
  table = begin(job->out, "first", (uint64_t)info->nodes + 1, info->edges);
  for (uint32_t n = 0; n <= info->nodes; n++) {
    add(&table, edges);
    edges += glimpse_policy_get(job->policy, n).count;
  }
  end(&table);
  for (int pass = 0; pass < 2; pass++) {
    table = begin(job->out, pass ? "next" : "label", info->edges, pass ? info->nodes - 1 : labels - 1);
    for (uint32_t n = 0; n < info->nodes && !job->out->failed; n++) {
      glimpse_policy_edges node = glimpse_policy_get(job->policy, n);
      for (size_t i = 0; i < node.count; i++) add(&table, pass ? node.to[i] : node.seen[i]);
    }
    end(&table);
  }
}

int policy_c(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  if (info.edges >= UINT32_MAX || info.nodes > INT32_MAX)
    return message_error_in(job->file, "the policy is too large for tables in C");
  put_head(job, &info);
  put_tables(job, &info);
  text_print(job->out, "\n/* What to do at a node: an action, or POLICY_ASK. */\n"
                       "uint32_t policy_choice(uint32_t node) {\n  return choices[node];\n}\n\n"
                       "/* The node after an observation or, where it asked, after the state that was told. */\n"
                       "uint32_t policy_step(uint32_t node, uint32_t seen) {\n"
                       "  uint32_t low = first[node], end = first[node + 1], high = end;\n"
                       "  while (low < high) {\n"
                       "    uint32_t middle = low + (high - low) / 2;\n"
                       "    if (label[middle] < seen) low = middle + 1;\n"
                       "    else high = middle;\n"
                       "  }\n"
                       "  return low < end && label[low] == seen ? next[low] : (uint32_t)POLICY_LOST;\n"
                       "}\n");
  return TOOL_OK;
}
