/* Start: the belief with which an episode begins.
 *
 *   start: p0 p1 ...           one probability per state
 *   start: 3      start: name  one state (a single number without a point is
 *                              a state, not a vector, unless there is only one)
 *   start: uniform
 *   start include: ...  start exclude: ...     uniform over a set
 *
 * Files also have `start:` with a list of names; it is read as include. */
#include "base/memory.h"
#include "formats/pomdp.h"

static bool put(gli_pomdp *pomdp, uint32_t s, double p) {
  glimpse_status status = glimpse_builder_start(pomdp->builder, s, p);
  return status ? gli_pomdp_stop(pomdp, status) : true;
}

static bool read_vector(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  uint32_t states = pomdp->counts[GLIMPSE_STATE];
  uint64_t seen = 0;
  gli_token surplus = *token;
  while (token->kind == GLI_TOKEN_NUMBER) {
    if (seen < states) {
      double p;
      if (!gli_pomdp_probability(pomdp, &p) || !put(pomdp, (uint32_t)seen, p)) return false;
    } else {
      if (seen == states) surplus = *token;
      gli_scanner_next(&pomdp->scanner);
    }
    seen++;
  }
  if (seen == states) return true;
  return gli_pomdp_error(pomdp, seen > states ? &surplus : token, GLIMPSE_BAD_SYNTAX,
                         "expected %u probabilities in start, one per state, found %llu", (unsigned)states,
                         (unsigned long long)seen);
}

/* The belief is uniform over the marked states, or over the others. */
static bool spread(gli_pomdp *pomdp, const uint8_t *marked, uint8_t wanted) {
  uint32_t states = pomdp->counts[GLIMPSE_STATE], count = 0;
  for (uint32_t s = 0; s < states; s++) count += marked[s] == wanted;
  if (!count)
    return gli_pomdp_error(pomdp, &pomdp->items[GLI_SECTION_START].token, GLIMPSE_BAD_MODEL,
                           "expected a state to start in, found all of them excluded");
  for (uint32_t s = 0; s < states; s++)
    if (marked[s] == wanted && !put(pomdp, s, 1.0 / count)) return false;
  return true;
}

static bool is_listed(const gli_token *token) {
  return token->kind == GLI_TOKEN_WORD || token->kind == GLI_TOKEN_NUMBER || token->kind == GLI_TOKEN_STAR;
}

static bool read_set(gli_pomdp *pomdp, uint8_t wanted, uint8_t *marked) {
  const gli_token *token = &pomdp->scanner.token;
  do {
    uint32_t s;
    if (!gli_pomdp_index(pomdp, GLIMPSE_STATE, &s)) return false;
    if (s != GLIMPSE_ANY) marked[s] = 1;
    else
      for (s = 0; s < pomdp->counts[GLIMPSE_STATE]; s++) marked[s] = 1;
  } while (is_listed(token));
  return spread(pomdp, marked, wanted);
}

static bool read_list(gli_pomdp *pomdp, uint8_t wanted) {
  uint8_t *marked = GLI_NEW(uint8_t, pomdp->counts[GLIMPSE_STATE]);
  if (!marked) return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  bool good = read_set(pomdp, wanted, marked);
  gli_memory_free(marked);
  return good;
}

/* What follows the current token? */
static gli_token peek(const gli_pomdp *pomdp) {
  gli_scanner ahead = pomdp->scanner;
  ahead.notes = NULL;
  gli_scanner_next(&ahead);
  return ahead.token;
}

static bool read_belief(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  if (gli_token_is(token, "uniform")) {
    gli_scanner_next(&pomdp->scanner);
    return true;
  }
  if (token->kind == GLI_TOKEN_WORD) {
    gli_token next = peek(pomdp);
    if (is_listed(&next)) gli_pomdp_loose(pomdp, token, "expected one state, found several: read as 'start include:'");
    return read_list(pomdp, 1);
  }
  if (token->kind != GLI_TOKEN_NUMBER) return gli_pomdp_expected(pomdp, "probabilities, 'uniform' or a state");
  gli_token next = peek(pomdp);
  bool single = gli_token_digits(token) && next.kind != GLI_TOKEN_NUMBER;
  bool one = pomdp->counts[GLIMPSE_STATE] == 1 && token->length == 1 && *token->text == '1';
  return single && !one ? read_list(pomdp, 1) : read_vector(pomdp);
}

bool gli_pomdp_start_read(gli_pomdp *pomdp, gli_section section) {
  gli_builder_start_clear(pomdp->builder);
  bool good = section == GLI_SECTION_START           ? read_belief(pomdp)
              : section == GLI_SECTION_START_INCLUDE ? read_list(pomdp, 1)
                                                     : read_list(pomdp, 0);
  if (!good) return false;
  gli_token_kind kind = pomdp->scanner.token.kind;
  if (kind == GLI_TOKEN_SECTION || kind == GLI_TOKEN_END) return true;
  return gli_pomdp_expected(pomdp, "the next item or entry after start");
}
