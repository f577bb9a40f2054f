/* Values: numbers, probabilities, indices and counts as they stand in the file.
 * Each either moves past its token or adds an error at it. */
#include <math.h>

#include "formats/pomdp.h"

void gli_pomdp_recover(gli_pomdp *pomdp) {
  gli_scanner *scanner = &pomdp->scanner;
  while (scanner->token.kind != GLI_TOKEN_SECTION && scanner->token.kind != GLI_TOKEN_END && !pomdp->stopped) {
    if (scanner->token.kind == GLI_TOKEN_BYTE) gli_pomdp_expected(pomdp, "text");
    else gli_scanner_next(scanner);
  }
}

static bool is_sign(const gli_token *token) {
  return token->length == 1 && (*token->text == '-' || *token->text == '+');
}

bool gli_pomdp_number(gli_pomdp *pomdp, const char *what, double *value) {
  gli_scanner *scanner = &pomdp->scanner;
  gli_token *token = &scanner->token;
  double sign = 1;
  if (token->kind == GLI_TOKEN_NUMBER && is_sign(token)) { /* the grammar lets a sign stand apart */
    sign = *token->text == '-' ? -1 : 1;
    gli_scanner_next(scanner);
    if (token->kind == GLI_TOKEN_NUMBER && (*token->text == '-' || *token->text == '+'))
      return gli_pomdp_expected(pomdp, "one sign before a number");
  }
  if (token->kind != GLI_TOKEN_NUMBER) return gli_pomdp_expected(pomdp, "%s", what);
  if (glimpse_number_read(token->text, token->length, value) != token->length) {
    bool comma = false;
    for (size_t i = 0; i < token->length; i++) comma = comma || token->text[i] == ',';
    return gli_pomdp_expected(pomdp, "%s%s", what, comma ? " (with a point, without commas)" : "");
  }
  if (!isfinite(*value)) return gli_pomdp_expected(pomdp, "%s of at most 1.8e308", what);
  *value *= sign;
  gli_scanner_next(scanner);
  return true;
}

bool gli_pomdp_probability(gli_pomdp *pomdp, double *value) {
  gli_token token = pomdp->scanner.token;
  if (!gli_pomdp_number(pomdp, "a probability", value)) return false;
  if (*value >= 0 && *value <= 1.001) return true; /* rounded up by as much as the gate tolerates */
  char found[GLI_POMDP_TEXT];
  return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_MODEL, "expected a probability between 0 and 1, found %s",
                         gli_pomdp_found(&token, found));
}

/* The value of a token of digits, or UINT64_MAX when it is huge. */
static uint64_t integer(const gli_token *token) {
  uint64_t value = 0;
  for (size_t i = 0; i < token->length; i++) {
    if (value > UINT64_MAX / 100) return UINT64_MAX;
    value = 10 * value + (uint64_t)(token->text[i] - '0');
  }
  return value;
}

static const char *article(glimpse_kind kind) {
  return kind == GLIMPSE_STATE ? "a" : "an";
}

static bool unknown(gli_pomdp *pomdp, glimpse_kind kind) {
  const gli_token *token = &pomdp->scanner.token;
  char found[GLI_POMDP_TEXT], hint[GLI_POMDP_TEXT];
  if (token->kind != GLI_TOKEN_WORD && token->kind != GLI_TOKEN_NUMBER)
    return gli_pomdp_expected(pomdp, "%s %s name or number", article(kind), gli_pomdp_kind(kind));
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX, "expected %s %s name or number, found %s%s", article(kind),
                         gli_pomdp_kind(kind), gli_pomdp_found(token, found), gli_pomdp_hint(pomdp, kind, token, hint));
}

bool gli_pomdp_index(gli_pomdp *pomdp, glimpse_kind kind, uint32_t *index) {
  const gli_token *token = &pomdp->scanner.token;
  if (token->kind == GLI_TOKEN_WORD) {
    *index = gli_names_find(gli_builder_names(pomdp->builder, kind), token->text, token->length);
    if (*index == UINT32_MAX) return unknown(pomdp, kind);
  } else if (token->kind == GLI_TOKEN_STAR) {
    *index = GLIMPSE_ANY;
  } else if (gli_token_digits(token)) {
    uint64_t value = integer(token);
    if (value >= pomdp->counts[kind]) return unknown(pomdp, kind);
    *index = (uint32_t)value;
  } else {
    return unknown(pomdp, kind);
  }
  gli_scanner_next(&pomdp->scanner);
  return true;
}

bool gli_pomdp_count(gli_pomdp *pomdp, glimpse_kind kind, uint32_t *count) {
  const gli_token *token = &pomdp->scanner.token;
  uint32_t limit = kind == GLIMPSE_ACTION ? GLIMPSE_MAX_ACTIONS : GLIMPSE_MAX_COUNT;
  if (!gli_token_digits(token))
    return gli_pomdp_expected(pomdp, "the number of %ss or their names", gli_pomdp_kind(kind));
  uint64_t value = integer(token);
  if (value == 0) return gli_pomdp_expected(pomdp, "at least one %s", gli_pomdp_kind(kind));
  if (value > limit) {
    char found[GLI_POMDP_TEXT];
    return gli_pomdp_error(pomdp, token, GLIMPSE_TOO_LARGE, "expected at most %u %ss, found %s", (unsigned)limit,
                           gli_pomdp_kind(kind), gli_pomdp_found(token, found));
  }
  *count = (uint32_t)value;
  gli_scanner_next(&pomdp->scanner);
  return true;
}
