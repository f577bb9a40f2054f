/* Notes: what a .pomdp file says to glimpse in comments that others ignore.
 *
 *   # glimpse: cost 0.1          the price of asking, in every state
 *   # glimpse: cost STATE 0.3    in one state; STATE may also be *
 *
 * The last one wins.  They may stand anywhere, also before the names of states
 * are known, so they are collected by the scanner and read at the end. */
#include "formats/pomdp.h"

static bool read_cost(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  gli_scanner ahead = pomdp->scanner;
  gli_scanner_next(&ahead);
  uint32_t s = GLIMPSE_ANY;
  if (token->kind == GLI_TOKEN_END) return gli_pomdp_expected(pomdp, "a cost after '# glimpse: cost'");
  if (ahead.token.kind != GLI_TOKEN_END && !gli_pomdp_index(pomdp, GLIMPSE_STATE, &s)) return false;
  gli_token number = *token;
  double cost;
  if (!gli_pomdp_number(pomdp, "a cost", &cost)) return false;
  char found[GLI_POMDP_TEXT];
  if (cost < 0)
    return gli_pomdp_error(pomdp, &number, GLIMPSE_BAD_MODEL, "expected a cost that is not negative, found %s",
                           gli_pomdp_found(&number, found));
  if (token->kind != GLI_TOKEN_END) return gli_pomdp_expected(pomdp, "the end of the line");
  glimpse_status status = glimpse_builder_cost(pomdp->builder, s, cost);
  return status ? gli_pomdp_stop(pomdp, status) : true;
}

void gli_pomdp_notes_read(gli_pomdp *pomdp) {
  static const char *const keys[] = {"cost", NULL};
  if (pomdp->notes.lost) gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  gli_scanner here = pomdp->scanner;
  for (size_t i = 0; i < pomdp->notes.count && !pomdp->stopped; i++) {
    const gli_note *note = &pomdp->notes.item[i];
    gli_scanner_start_at(&pomdp->scanner, note->text, note->end, note->line, note->column);
    const gli_token *token = &pomdp->scanner.token;
    if (gli_token_is(token, "cost")) {
      gli_scanner_next(&pomdp->scanner);
      if (pomdp->builder) read_cost(pomdp);
      continue;
    }
    char found[GLI_POMDP_TEXT];
    const char *near = token->kind == GLI_TOKEN_WORD ? gli_pomdp_nearest(token->text, token->length, keys) : NULL;
    gli_pomdp_warn(pomdp, token, "expected 'cost' in a '# glimpse:' comment, found %s%s",
                   token->kind == GLI_TOKEN_END ? "nothing" : gli_pomdp_found(token, found),
                   near ? "; did you mean 'cost'?" : "");
  }
  pomdp->scanner = here;
}
