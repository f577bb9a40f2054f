/* Reader of the POMDPX format: a tree of elements, tables of functions, and their product.
 *
 * The format is described in docs/YOUR-MODEL.md.  An error is reported with its place and reading goes on with the
 * next element, so that one reading finds them all; functions are passed over in silence when the variables are
 * wrong.  The model is made only from a text without errors. */
#include <string.h>

#include "xml/pomdpx.h"
#include "xml/pomdpx_parts.h"

static void read_discount(pomdpx *reading, const xml_element *element) {
  xml_words words = xml_words_of(element);
  xml_words_next(&words);
  char shown[XML_SHOWN];
  if (!pomdpx_number(&words, &reading->discount)) {
    pomdpx_expected(reading, &words, "the discount");
  } else if (!(reading->discount >= 0 && reading->discount <= 1)) {
    pomdpx_error(reading, xml_words_at(&words), GLIMPSE_BAD_MODEL, "expected a discount between 0 and 1, found '%s'",
                 xml_show(words.text, words.length, shown));
  } else if (xml_words_next(&words)) {
    pomdpx_expected(reading, &words, "one number");
  }
}

static bool is_section(const xml_element *element) {
  return xml_is(element, "InitialStateBelief") || xml_is(element, "StateTransitionFunction") ||
         xml_is(element, "ObsFunction") || xml_is(element, "RewardFunction");
}

static void read_sections(pomdpx *reading, bool functions) {
  static const char *const known[] = {
      "Description", "Discount",       "Variable", "InitialStateBelief", "StateTransitionFunction",
      "ObsFunction", "RewardFunction", NULL};
  for (const xml_element *child = reading->tree->root->first; child && !reading->stopped; child = child->next) {
    if (is_section(child)) {
      if (functions) pomdpx_functions_read(reading, child);
    } else if (xml_is(child, "TerminalStateRewardFunction")) {
      pomdpx_error(reading, child->at, GLIMPSE_NOT_APPLICABLE,
                   "rewards of terminal states (<%s>) are not read; give them in <RewardFunction>", child->name);
    } else if (!xml_is(child, known[0]) && !xml_is(child, known[1]) && !xml_is(child, known[2])) {
      pomdpx_unknown(reading, child, known);
    }
  }
}

static void read_root(pomdpx *reading) {
  const xml_element *root = reading->tree->root;
  char shown[XML_SHOWN];
  if (!xml_is(root, "pomdpx")) {
    pomdpx_error(reading, root->at, GLIMPSE_BAD_SYNTAX, "expected <pomdpx>, found <%s>",
                 xml_show(root->name, strlen(root->name), shown));
    return;
  }
  const xml_element *discount = pomdpx_need(reading, root, "Discount"),
                    *variables = pomdpx_need(reading, root, "Variable");
  if (discount) read_discount(reading, discount);
  bool functions = variables && pomdpx_variables_read(reading, variables);
  pomdpx_no_text(reading, root);
  read_sections(reading, functions);
  if (!reading->errors) pomdpx_functions_check(reading);
  if (!reading->errors && pomdpx_flatten(reading)) pomdpx_notes_read(reading);
}

/* A short text cannot make a large model: see glimpse_pomdp_read. */
static uint64_t allowance(size_t length, uint64_t few, uint64_t limit) {
  enum { FOLD = 64 };
  if (length >= limit / FOLD) return limit;
  uint64_t earned = (uint64_t)length * FOLD;
  return earned > few ? earned : few;
}

static void release(pomdpx *reading) {
  glimpse_builder_free(reading->builder);
  while (reading->tables) {
    pomdpx_table *next = reading->tables->next;
    pomdpx_table_free(reading->tables);
    reading->tables = next;
  }
}

glimpse_status pomdpx_read(const char *text, size_t length, const char *source, const glimpse_pomdp_options *options,
                           glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  xml *tree;
  glimpse_status status = xml_read(text, length, source ? source : "", report, &tree);
  if (status) return status;
  pomdpx reading = {.tree = tree,
                    .report = report,
                    .strict = options && options->strict,
                    .most_rows = allowance(length, 1 << 22, GLIMPSE_MAX_ROWS),
                    .most_entries = allowance(length, 1 << 24, GLIMPSE_MAX_ENTRIES)};
  read_root(&reading);
  status = reading.errors ? reading.status : glimpse_builder_finish(reading.builder, report, model);
  release(&reading);
  xml_free(tree);
  return status;
}
