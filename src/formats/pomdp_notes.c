/* Notes: what a .pomdp file says to glimpse in comments that others ignore.
 *
 *   # glimpse: cost 0.1          the price of asking, in every state
 *   # glimpse: cost STATE 0.3    in one state; STATE may also be *
 *   # glimpse: scene ...         how the states look: pomdp_scene.c
 *   # glimpse: inquiry ...       and what belongs to it: pomdp_inquiry.c
 *
 * The last one wins.  They may stand anywhere, also before the names of states are known, so they are collected by the
 * scanner and read at the end: first the scene, since inquiries may tell a part of it. */
#include "formats/pomdp.h"
#include "formats/pomdp_scene.h"

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

enum { COST, SCENE, INQUIRY, LIMIT, DETAIL };

/* The keys, in this order; those from `price` to `effect` are details of an inquiry. */
static const char *const keys[] = {"cost",   "scene",   "inquiry", "limit",  "price",
                                   "answer", "failure", "unpaid",  "effect", NULL};

static void read_note(gli_pomdp *pomdp, size_t key) {
  static const gli_pomdp_detail details[] = {GLI_DETAIL_PRICE, GLI_DETAIL_ANSWER, GLI_DETAIL_FAILURE, GLI_DETAIL_UNPAID,
                                             GLI_DETAIL_EFFECT};
  gli_scanner_next(&pomdp->scanner);
  if (!pomdp->builder) return;
  if (key == COST) read_cost(pomdp);
  else if (key == SCENE) gli_pomdp_scene_read(pomdp);
  else if (key == INQUIRY) gli_pomdp_inquiry_read(pomdp);
  else if (key == LIMIT) gli_pomdp_limit_read(pomdp);
  else gli_pomdp_inquiry_detail(pomdp, details[key - DETAIL]);
}

static void no_key(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  char found[GLI_POMDP_TEXT];
  const char *near = token->kind == GLI_TOKEN_WORD ? gli_pomdp_nearest(token->text, token->length, keys) : NULL;
  gli_pomdp_warn(pomdp, token,
                 "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' "
                 "comment, found %s%s%s%s",
                 token->kind == GLI_TOKEN_END ? "nothing" : gli_pomdp_found(token, found),
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The lines of a scene, or all others. */
static void read_notes(gli_pomdp *pomdp, bool scene) {
  for (size_t i = 0; i < pomdp->notes.count && !pomdp->stopped; i++) {
    const gli_note *note = &pomdp->notes.item[i];
    gli_scanner_start_at(&pomdp->scanner, note->text, note->end, note->line, note->column);
    size_t key = 0;
    while (keys[key] && !gli_token_is(&pomdp->scanner.token, keys[key])) key++;
    if ((key == SCENE) != scene) continue;
    if (keys[key]) read_note(pomdp, key);
    else no_key(pomdp);
  }
}

void gli_pomdp_notes_read(gli_pomdp *pomdp) {
  if (pomdp->notes.lost) gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  gli_scanner here = pomdp->scanner;
  read_notes(pomdp, true);
  read_notes(pomdp, false);
  pomdp->scanner = here;
  if (!pomdp->stopped) gli_pomdp_scene_finish(pomdp);
}
