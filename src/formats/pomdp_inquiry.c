/* Inquiries in the structured comments of a .pomdp file:
 *
 *   # glimpse: inquiry NAME TIMING PRICE state
 *   # glimpse: inquiry NAME TIMING PRICE blocks ANSWER : STATE ... ANSWER : STATE ...
 *   # glimpse: inquiry NAME TIMING PRICE tells FACTOR            a part of the scene: pomdp_factor.c
 *   # glimpse: inquiry NAME TIMING PRICE answers ANSWER ...      or a number of answers, which are then numbers
 *   # glimpse: price NAME [STATE] PRICE
 *   # glimpse: answer NAME STATE ANSWER PROBABILITY
 *   # glimpse: failure NAME [STATE] PROBABILITY
 *   # glimpse: unpaid NAME
 *   # glimpse: effect NAME STATE STATE PROBABILITY
 *   # glimpse: limit requests N     and horizon N, per-step N
 *
 * TIMING is before, step or joint.  The ANSWER of an answer may be "nothing".  STATE may be * but among blocks, where
 * each state belongs to one.  What is said of an inquiry comes after its declaration. */
#include <string.h>

#include "formats/pomdp.h"
#include "formats/pomdp_factor.h"

/* The end of the line. */
static bool at_end(gli_pomdp *pomdp) {
  if (pomdp->scanner.token.kind == GLI_TOKEN_END) return true;
  return gli_pomdp_expected(pomdp, "the end of the line");
}

static bool failed(gli_pomdp *pomdp, const gli_token *token, glimpse_status status) {
  if (status == GLIMPSE_NO_MEMORY || status == GLIMPSE_TOO_LARGE) return gli_pomdp_stop(pomdp, status);
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_MODEL, "%s", gli_builder_failure(pomdp->builder));
}

/* A word, as text that ends with a 0. */
typedef char word[GLI_POMDP_TEXT];

static bool read_word(gli_pomdp *pomdp, const char *what, word text) {
  const gli_token *token = &pomdp->scanner.token;
  bool named = token->kind == GLI_TOKEN_WORD && gli_names_valid(token->text, token->length);
  if (!named || token->length >= GLI_POMDP_TEXT) return gli_pomdp_expected(pomdp, "%s", what);
  memcpy(text, token->text, token->length);
  text[token->length] = 0;
  gli_scanner_next(&pomdp->scanner);
  return true;
}

static bool read_amount(gli_pomdp *pomdp, const char *what, double *amount) {
  gli_token token = pomdp->scanner.token;
  if (!gli_pomdp_number(pomdp, what, amount)) return false;
  char found[GLI_POMDP_TEXT];
  if (*amount >= 0) return true;
  return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_MODEL, "expected %s that is not negative, found %s", what,
                         gli_pomdp_found(&token, found));
}

/* ---- declarations ---- */

static bool read_timing(gli_pomdp *pomdp, glimpse_timing *timing) {
  const gli_token *token = &pomdp->scanner.token;
  for (unsigned t = 0; t < GLIMPSE_TIMINGS; t++) {
    if (!gli_token_is(token, glimpse_timing_key((glimpse_timing)t))) continue;
    *timing = (glimpse_timing)t;
    gli_scanner_next(&pomdp->scanner);
    return true;
  }
  return gli_pomdp_expected(pomdp, "'before', 'step' or 'joint'");
}

/* Words up to the end of the line that stand before a colon, or all of them. */
static uint32_t count_answers(const gli_pomdp *pomdp, bool blocks) {
  gli_scanner ahead = pomdp->scanner;
  uint32_t count = 0;
  ahead.notes = NULL;
  while (ahead.token.kind != GLI_TOKEN_END) {
    bool wanted = !blocks || ahead.token.kind == GLI_TOKEN_COLON || ahead.token.kind == GLI_TOKEN_SECTION;
    count += wanted;
    gli_scanner_next(&ahead);
  }
  return count;
}

/* A number of answers alone on the rest of the line; 0: it is none. */
static uint32_t answer_number(const gli_pomdp *pomdp) {
  gli_scanner ahead = pomdp->scanner;
  double number;
  ahead.notes = NULL;
  if (!gli_token_digits(&ahead.token)) return 0;
  glimpse_number_read(ahead.token.text, ahead.token.length, &number);
  gli_scanner_next(&ahead);
  bool alone = ahead.token.kind == GLI_TOKEN_END && number >= 1 && number <= GLIMPSE_MAX_COUNT;
  return alone ? (uint32_t)number : 0;
}

static bool read_answers(gli_pomdp *pomdp, uint32_t i) {
  for (uint32_t z = 0; pomdp->scanner.token.kind != GLI_TOKEN_END; z++) {
    gli_token token = pomdp->scanner.token;
    word name;
    if (!read_word(pomdp, "the name of an answer", name)) return false;
    glimpse_status status = glimpse_builder_answer_name(pomdp->builder, i, z, name);
    if (status) return failed(pomdp, &token, status);
  }
  return true;
}

/* ANSWER : STATE ... : what is before a colon is an answer, what is not is a state. */
static bool read_blocks(gli_pomdp *pomdp, uint32_t i) {
  gli_scanner *scanner = &pomdp->scanner;
  for (uint32_t z = UINT32_MAX; scanner->token.kind != GLI_TOKEN_END;) {
    gli_token token = scanner->token;
    gli_scanner ahead = *scanner;
    ahead.notes = NULL;
    gli_scanner_next(&ahead);
    glimpse_status status;
    if (ahead.token.kind == GLI_TOKEN_COLON) {
      word name;
      if (!read_word(pomdp, "the name of an answer", name)) return false;
      gli_scanner_next(scanner);
      status = glimpse_builder_answer_name(pomdp->builder, i, ++z, name);
    } else {
      uint32_t s;
      if (z == UINT32_MAX) return gli_pomdp_expected(pomdp, "the name of an answer and a colon");
      if (token.kind == GLI_TOKEN_STAR) return gli_pomdp_expected(pomdp, "a state");
      if (!gli_pomdp_index(pomdp, GLIMPSE_STATE, &s)) return false;
      status = glimpse_builder_inquiry_answer(pomdp->builder, i, s, z, 1);
    }
    if (status) return failed(pomdp, &token, status);
  }
  return true;
}

/* Gives the inquiry to the builder. */
static bool declare(gli_pomdp *pomdp, const gli_token *name, const glimpse_inquiry *inquiry, double price,
                    uint32_t *i) {
  if (!GLI_GROW(pomdp->inquiries, pomdp->inquiry_capacity, pomdp->inquiry_count + 1))
    return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  glimpse_status status = glimpse_builder_inquiry(pomdp->builder, inquiry, i);
  if (status) return failed(pomdp, name, status);
  pomdp->inquiries[pomdp->inquiry_count++] = *name;
  glimpse_builder_inquiry_price(pomdp->builder, *i, GLIMPSE_ANY, price);
  return true;
}

static bool read_state(gli_pomdp *pomdp, const gli_token *name, glimpse_inquiry *inquiry, double price) {
  uint32_t i = 0;
  return declare(pomdp, name, inquiry, price, &i) && at_end(pomdp);
}

static bool read_blocks_of(gli_pomdp *pomdp, const gli_token *name, glimpse_inquiry *inquiry, double price) {
  uint32_t i = 0;
  inquiry->answers = count_answers(pomdp, true);
  if (!inquiry->answers) return gli_pomdp_expected(pomdp, "the name of an answer and a colon");
  return declare(pomdp, name, inquiry, price, &i) && read_blocks(pomdp, i);
}

static bool read_answers_of(gli_pomdp *pomdp, const gli_token *name, glimpse_inquiry *inquiry, double price) {
  uint32_t i = 0, number = answer_number(pomdp);
  inquiry->answers = number ? number : count_answers(pomdp, false);
  if (!inquiry->answers) return gli_pomdp_expected(pomdp, "the name of an answer");
  if (!declare(pomdp, name, inquiry, price, &i)) return false;
  if (!number) return read_answers(pomdp, i);
  gli_scanner_next(&pomdp->scanner);
  return at_end(pomdp);
}

static bool read_tells(gli_pomdp *pomdp, const gli_token *name, glimpse_inquiry *inquiry, double price) {
  gli_pomdp_factor factor;
  gli_token first = pomdp->scanner.token;
  uint32_t i = 0;
  bool made = gli_pomdp_factor_read(pomdp, &factor);
  inquiry->answers = factor.answers;
  made = made && declare(pomdp, name, inquiry, price, &i);
  glimpse_status status = made ? glimpse_builder_inquiry_tells(pomdp->builder, i, factor.answer) : GLIMPSE_OK;
  for (uint32_t z = 0; made && z < factor.answers && !status; z++) {
    word text;
    gli_pomdp_factor_name(pomdp, &factor, z, text);
    status = glimpse_builder_answer_name(pomdp->builder, i, z, text);
  }
  gli_pomdp_factor_free(&factor);
  return status ? failed(pomdp, &first, status) : made;
}

bool gli_pomdp_inquiry_read(gli_pomdp *pomdp) {
  static const char *const kinds[] = {"state", "blocks", "tells", "answers"};
  static bool (*const read[])(gli_pomdp *, const gli_token *, glimpse_inquiry *,
                              double) = {read_state, read_blocks_of, read_tells, read_answers_of};
  gli_token first = pomdp->scanner.token;
  glimpse_inquiry inquiry = {0};
  word name;
  double price = 0;
  if (!read_word(pomdp, "the name of an inquiry", name) || !read_timing(pomdp, &inquiry.timing)) return false;
  if (!read_amount(pomdp, "a price", &price)) return false;
  inquiry.name = name;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    if (!gli_token_is(&pomdp->scanner.token, kinds[kind])) continue;
    gli_scanner_next(&pomdp->scanner);
    return read[kind](pomdp, &first, &inquiry, price);
  }
  return gli_pomdp_expected(pomdp, "'state', 'blocks', 'tells' or 'answers'");
}

/* ---- what is said of one ---- */

static bool find_inquiry(gli_pomdp *pomdp, uint32_t *i) {
  const gli_token *token = &pomdp->scanner.token;
  const gli_drafts *drafts = gli_builder_drafts(pomdp->builder);
  for (*i = 0; *i < drafts->count; ++*i) {
    if (!gli_token_is(token, drafts->item[*i].name)) continue;
    gli_scanner_next(&pomdp->scanner);
    return true;
  }
  return gli_pomdp_expected(pomdp, "the name of an inquiry that was declared before");
}

/* STATE, unless the next token is the last. */
static bool maybe_state(gli_pomdp *pomdp, uint32_t *s) {
  gli_scanner ahead = pomdp->scanner;
  ahead.notes = NULL;
  gli_scanner_next(&ahead);
  *s = GLIMPSE_ANY;
  return ahead.token.kind == GLI_TOKEN_END || gli_pomdp_index(pomdp, GLIMPSE_STATE, s);
}

static bool find_answer(gli_pomdp *pomdp, uint32_t i, uint32_t *z) {
  const gli_token *token = &pomdp->scanner.token;
  const gli_inquiry_draft *draft = &gli_builder_drafts(pomdp->builder)->item[i];
  *z = token->kind == GLI_TOKEN_WORD ? gli_names_find(&draft->names, token->text, token->length) : UINT32_MAX;
  double number = 0;
  if (gli_token_is(token, "nothing")) *z = draft->answers;
  if (!draft->names.given && gli_token_digits(token) &&
      glimpse_number_read(token->text, token->length, &number) == token->length && number < draft->answers)
    *z = (uint32_t)number;
  if (*z == UINT32_MAX) return gli_pomdp_expected(pomdp, "an answer of inquiry '%.60s'", draft->name);
  gli_scanner_next(&pomdp->scanner);
  return true;
}

bool gli_pomdp_inquiry_detail(gli_pomdp *pomdp, gli_pomdp_detail detail) {
  gli_token first = pomdp->scanner.token;
  uint32_t i, s, other;
  double number;
  glimpse_status status = GLIMPSE_OK;
  if (!find_inquiry(pomdp, &i)) return false;
  switch (detail) {
    case GLI_DETAIL_PRICE:
      if (!maybe_state(pomdp, &s) || !read_amount(pomdp, "a price", &number)) return false;
      status = glimpse_builder_inquiry_price(pomdp->builder, i, s, number);
      break;
    case GLI_DETAIL_FAILURE:
      if (!maybe_state(pomdp, &s) || !read_amount(pomdp, "a probability", &number)) return false;
      status = glimpse_builder_inquiry_failure(pomdp->builder, i, s, number);
      break;
    case GLI_DETAIL_ANSWER:
      if (!gli_pomdp_index(pomdp, GLIMPSE_STATE, &s) || !find_answer(pomdp, i, &other)) return false;
      if (!gli_pomdp_probability(pomdp, &number)) return false;
      status = glimpse_builder_inquiry_answer(pomdp->builder, i, s, other, number);
      break;
    case GLI_DETAIL_EFFECT:
      if (!gli_pomdp_index(pomdp, GLIMPSE_STATE, &s) || !gli_pomdp_index(pomdp, GLIMPSE_STATE, &other)) return false;
      if (!gli_pomdp_probability(pomdp, &number)) return false;
      status = glimpse_builder_inquiry_effect(pomdp->builder, i, s, other, number);
      break;
    case GLI_DETAIL_UNPAID: gli_builder_drafts(pomdp->builder)->item[i].unpaid = true; break;
  }
  return status ? failed(pomdp, &first, status) : at_end(pomdp);
}

bool gli_pomdp_limit_read(gli_pomdp *pomdp) {
  glimpse_limits *limits = &gli_builder_drafts(pomdp->builder)->limits;
  const gli_token *token = &pomdp->scanner.token;
  uint32_t *limit = gli_token_is(token, "requests")   ? &limits->requests
                    : gli_token_is(token, "horizon")  ? &limits->horizon
                    : gli_token_is(token, "per-step") ? &limits->per_step
                                                      : NULL;
  if (!limit) return gli_pomdp_expected(pomdp, "'requests', 'horizon' or 'per-step'");
  gli_scanner_next(&pomdp->scanner);
  double number;
  bool digits = gli_token_digits(token);
  gli_token at = *token;
  if (!digits || !gli_pomdp_number(pomdp, "a limit", &number) || !(number >= 1 && number <= GLIMPSE_MAX_COUNT)) {
    if (digits) pomdp->scanner.token = at;
    return gli_pomdp_expected(pomdp, "a whole number from 1 to %u", (unsigned)GLIMPSE_MAX_COUNT);
  }
  *limit = (uint32_t)number;
  return at_end(pomdp);
}
