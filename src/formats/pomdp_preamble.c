/* Preamble: discount, values, states, actions, observations, start.
 *
 * The items come in any order, and the builder needs all counts before it can be
 * given a name, so the preamble is read twice: the first time lists are counted
 * and their places kept, the second time, when the first entry shows that the
 * preamble is over, names and start go to the builder.  Nothing is allocated for
 * a list before it has been counted.
 *
 * Without observations the file is an MDP: the agent sees the state.  It becomes
 * a POMDP whose observations are the states. */
#include <inttypes.h>
#include <string.h>

#include "formats/pomdp.h"

static glimpse_kind kind_of(gli_section section) {
  return section == GLI_SECTION_STATES    ? GLIMPSE_STATE
         : section == GLI_SECTION_ACTIONS ? GLIMPSE_ACTION
                                          : GLIMPSE_OBSERVATION;
}

static const gli_section section_of[3] = {
    [GLIMPSE_STATE] = GLI_SECTION_STATES,
    [GLIMPSE_ACTION] = GLI_SECTION_ACTIONS,
    [GLIMPSE_OBSERVATION] = GLI_SECTION_OBSERVATIONS,
};

static const char *const a_kind[3] = {
    [GLIMPSE_STATE] = "a state",
    [GLIMPSE_ACTION] = "an action",
    [GLIMPSE_OBSERVATION] = "an observation",
};

static bool read_discount(gli_pomdp *pomdp) {
  gli_token token = pomdp->scanner.token;
  double value;
  if (!gli_pomdp_number(pomdp, "the discount", &value)) return false;
  char found[GLI_POMDP_TEXT];
  if (!(value >= 0 && value <= 1))
    return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_MODEL, "expected a discount between 0 and 1, found %s",
                           gli_pomdp_found(&token, found));
  pomdp->discount = value;
  return true;
}

static bool read_values(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  bool reward = gli_token_is(token, "reward"), cost = gli_token_is(token, "cost");
  bool rewards = gli_token_is(token, "rewards"), costs = gli_token_is(token, "costs");
  if (!reward && !cost && !rewards && !costs) return gli_pomdp_expected(pomdp, "'reward' or 'cost'");
  if (rewards || costs)
    gli_pomdp_loose(pomdp, token, "expected '%s', found '%s'", rewards ? "reward" : "cost",
                    rewards ? "rewards" : "costs");
  pomdp->sign = cost || costs ? -1 : 1;
  gli_scanner_next(&pomdp->scanner);
  return true;
}

/* A count, or names, which are only counted now. */
static bool read_count(gli_pomdp *pomdp, glimpse_kind kind) {
  gli_scanner *scanner = &pomdp->scanner;
  const gli_token *token = &scanner->token;
  if (token->kind != GLI_TOKEN_WORD) return gli_pomdp_count(pomdp, kind, &pomdp->counts[kind]);
  uint32_t limit = kind == GLIMPSE_ACTION ? GLIMPSE_MAX_ACTIONS : GLIMPSE_MAX_COUNT, count = 0;
  gli_token last = *token;
  for (; token->kind == GLI_TOKEN_WORD; gli_scanner_next(scanner)) {
    if (count++ == limit)
      return gli_pomdp_error(pomdp, token, GLIMPSE_TOO_LARGE, "expected at most %u %ss, found more", (unsigned)limit,
                             gli_pomdp_kind(kind));
    gli_section section = token->line > last.line ? gli_section_find(token->text, token->length) : GLI_SECTION_NONE;
    last = *token;
    if (section == GLI_SECTION_NONE) continue;
    gli_scanner_next(scanner); /* it could be a name in the middle of a line, but hardly here */
    return gli_pomdp_expected(pomdp, "':' after '%s'", gli_section_text(section));
  }
  pomdp->counts[kind] = count;
  if (token->kind == GLI_TOKEN_SECTION || token->kind == GLI_TOKEN_END) return true;
  if (token->kind != GLI_TOKEN_COLON) return gli_pomdp_expected(pomdp, "%s name or the next item", a_kind[kind]);
  pomdp->counts[kind] = count - 1; /* the last word was to be a keyword */
  return gli_pomdp_no_keyword(pomdp, &last);
}

/* Has the item been given before, or does it come too late?  False: it cannot be
 * taken. */
static bool admit(gli_pomdp *pomdp, gli_section section, bool *late) {
  const gli_token *token = &pomdp->scanner.token;
  const gli_pomdp_item *before = &pomdp->items[section];
  const char *name = gli_section_text(section);
  bool counted = section >= GLI_SECTION_STATES && section <= GLI_SECTION_OBSERVATIONS;
  *late = pomdp->prepared;
  if (before->given) {
    if (counted)
      return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX,
                             "expected one '%s:', found a second one (the first is in line %" PRIu64 ")", name,
                             before->token.line);
    gli_pomdp_loose(pomdp, token, "'%s:' replaces the one in line %" PRIu64, name, before->token.line);
  }
  if (!*late) return true;
  if (counted || (section == GLI_SECTION_VALUES && pomdp->rewarded)) {
    pomdp->items[section].given = true; /* no more complaints that it is missing */
    pomdp->unobserved = pomdp->unobserved || section == GLI_SECTION_OBSERVATIONS;
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX, "expected '%s:' before the first entry (line %" PRIu64 ")",
                           name, pomdp->first.line);
  }
  gli_pomdp_loose(pomdp, token, "expected '%s:' before the first entry (line %" PRIu64 ")", name, pomdp->first.line);
  return true;
}

void gli_pomdp_item_read(gli_pomdp *pomdp) {
  gli_scanner *scanner = &pomdp->scanner;
  gli_token token = scanner->token;
  gli_section section = token.section;
  bool start = section >= GLI_SECTION_START, late, good = false; /* the last of the items */
  gli_section item = start ? GLI_SECTION_START : section;
  bool admitted = admit(pomdp, item, &late);
  gli_scanner_next(scanner);
  if (admitted) {
    pomdp->items[item] = (gli_pomdp_item){true, token, *scanner};
    pomdp->items[item].value.notes = NULL;
    switch (item) {
      case GLI_SECTION_DISCOUNT: good = read_discount(pomdp); break;
      case GLI_SECTION_VALUES: good = read_values(pomdp); break;
      case GLI_SECTION_START: good = late && pomdp->builder && gli_pomdp_start_read(pomdp, section); break;
      default: good = read_count(pomdp, kind_of(section)); break;
    }
  }
  if (!good) gli_pomdp_recover(pomdp);
}

/* ---- the end of the preamble ---- */

static bool reserved(const gli_token *token) {
  static const char *const words[] = {"uniform", "identity", "reset", "include", "exclude", "reward", "cost", NULL};
  if (gli_section_find(token->text, token->length) != GLI_SECTION_NONE) return true;
  for (const char *const *word = words; *word; word++)
    if (gli_token_is(token, *word)) return true;
  return false;
}

static bool give_name(gli_pomdp *pomdp, glimpse_kind kind, uint32_t i, const gli_token *token) {
  gli_names *names = gli_builder_names(pomdp->builder, kind);
  char found[GLI_POMDP_TEXT];
  if (!gli_names_valid(token->text, token->length))
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX,
                           "expected %s name (a letter, then letters, digits, _ and -), found %s", a_kind[kind],
                           gli_pomdp_found(token, found));
  if (reserved(token))
    gli_pomdp_loose(pomdp, token, "%s is a reserved word, which other programs may not read as a name",
                    gli_pomdp_found(token, found));
  switch (gli_names_set(names, i, token->text, token->length)) {
    case GLI_NAMES_OK: return true;
    case GLI_NAMES_NO_MEMORY: return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
    case GLI_NAMES_TAKEN: break;
  }
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX, "expected different names, found %s twice (%s %u has it)",
                         gli_pomdp_found(token, found), gli_pomdp_kind(kind),
                         (unsigned)gli_names_find(names, token->text, token->length));
}

static void give_names(gli_pomdp *pomdp, glimpse_kind kind) {
  const gli_pomdp_item *item = &pomdp->items[section_of[kind]];
  if (!item->given || item->value.token.kind != GLI_TOKEN_WORD) return;
  gli_scanner scanner = item->value;
  for (uint32_t i = 0; i < pomdp->counts[kind] && !pomdp->stopped; i++, gli_scanner_next(&scanner))
    give_name(pomdp, kind, i, &scanner.token);
}

/* Observations and their names are those of the states; O says so. */
static void observe_states(gli_pomdp *pomdp) {
  gli_names *states = gli_builder_names(pomdp->builder, GLIMPSE_STATE);
  gli_names *observations = gli_builder_names(pomdp->builder, GLIMPSE_OBSERVATION);
  for (uint32_t i = 0; states->given && i < states->count; i++) {
    const char *name = gli_names_get(states, i);
    if (name && gli_names_set(observations, i, name, strlen(name)) == GLI_NAMES_NO_MEMORY) {
      gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
      return;
    }
  }
  glimpse_status status = gli_builder_row_identity(pomdp->builder, GLI_OBSERVATION, GLIMPSE_ANY, GLIMPSE_ANY);
  if (status) gli_pomdp_stop(pomdp, status);
}

/* With wildcards a few words could fill the memory.  So a text may make of itself what it has written out, many times
 * over, and any text as much as a small model needs. */
enum { FEW_ROWS = 1 << 22, FEW_ENTRIES = 1 << 24, FOLD = 64, QUESTIONS = 16 };

static uint64_t allowance(const gli_pomdp *pomdp, uint64_t few, uint64_t limit) {
  if (pomdp->length >= limit / FOLD) return limit;
  uint64_t earned = (uint64_t)pomdp->length * FOLD;
  return earned > few ? earned : few;
}

/* Is all there that entries need?  What is missing is told only where nothing
 * else went wrong, since a misspelt keyword is the likely reason. */
static bool complete(gli_pomdp *pomdp) {
  bool told = pomdp->errors > 0;
  for (int kind = GLIMPSE_STATE; kind <= GLIMPSE_ACTION; kind++) {
    if (pomdp->items[section_of[kind]].given || told) continue;
    gli_pomdp_expected(pomdp, "'%s:' before the first entry", gli_section_text(section_of[kind]));
  }
  if (!pomdp->counts[GLIMPSE_STATE] || !pomdp->counts[GLIMPSE_ACTION]) return false;
  bool observed = pomdp->items[GLI_SECTION_OBSERVATIONS].given;
  if (!observed && told) return false; /* an MDP, or the observations were lost on the way? */
  if (!observed) pomdp->counts[GLIMPSE_OBSERVATION] = pomdp->counts[GLIMPSE_STATE];
  if (!pomdp->counts[GLIMPSE_OBSERVATION]) return false;
  uint64_t rows = (uint64_t)pomdp->counts[GLIMPSE_STATE] * pomdp->counts[GLIMPSE_ACTION];
  uint64_t most = allowance(pomdp, FEW_ROWS, GLIMPSE_MAX_ROWS);
  if (rows <= most) return true;
  const gli_token *states = &pomdp->items[GLI_SECTION_STATES].token,
                  *actions = &pomdp->items[GLI_SECTION_ACTIONS].token;
  return gli_pomdp_error(pomdp, states->text > actions->text ? states : actions, GLIMPSE_TOO_LARGE,
                         "expected at most %" PRIu64 " pairs of state and action%s, found %" PRIu64 " (%u times %u)",
                         rows > GLIMPSE_MAX_ROWS ? GLIMPSE_MAX_ROWS : most,
                         rows > GLIMPSE_MAX_ROWS ? "" : " from so short a text", rows,
                         (unsigned)pomdp->counts[GLIMPSE_STATE], (unsigned)pomdp->counts[GLIMPSE_ACTION]);
}

void gli_pomdp_prepare(gli_pomdp *pomdp) {
  pomdp->prepared = true;
  pomdp->first = pomdp->scanner.token;
  if (!complete(pomdp)) return;
  pomdp->mdp = !pomdp->items[GLI_SECTION_OBSERVATIONS].given;
  pomdp->builder = glimpse_builder_new(pomdp->counts[GLIMPSE_STATE], pomdp->counts[GLIMPSE_ACTION],
                                       pomdp->counts[GLIMPSE_OBSERVATION]);
  if (!pomdp->builder) {
    gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
    return;
  }
  uint64_t entries = allowance(pomdp, FEW_ENTRIES, GLIMPSE_MAX_ENTRIES);
  gli_builder_limit(pomdp->builder, entries, QUESTIONS * entries);
  for (int kind = GLIMPSE_STATE; kind <= GLIMPSE_OBSERVATION; kind++) give_names(pomdp, (glimpse_kind)kind);
  if (pomdp->mdp) observe_states(pomdp);
  const gli_pomdp_item *start = &pomdp->items[GLI_SECTION_START];
  if (!start->given || pomdp->stopped) return;
  gli_scanner here = pomdp->scanner;
  pomdp->scanner = start->value;
  gli_pomdp_start_read(pomdp, start->token.section);
  pomdp->scanner = here;
}
