/* Spelling: see spelling.h.
 *
 * The document is changed before anybody reads it, so that all others know one spelling.  The library has the list of
 * words (glimpse_word_today). */
#include "experiment/spelling.h"

#include <stdio.h>
#include <string.h>

#include "glimpse.h"

struct walk {
  const char *source;
  struct text *hints;
  complaint *why;
};

static void note(const struct walk *walk, size_t line, const char *old, const char *today) {
  char change[120];
  snprintf(change, sizeof change, ": '%.40s' is now '%.40s'\n", old, today);
  if (!strstr(text_string(walk->hints), change)) text_print(walk->hints, "%s:%zu%s", walk->source, line, change);
}

/* A value of the field, or one of several. */
static void update_word(const struct walk *walk, const char *field, document *value) {
  const char *today = value->kind == DOCUMENT_TEXT ? glimpse_word_today(field, value->text) : NULL;
  if (!today) return;
  note(walk, value->line, value->text, today);
  value->text = today;
}

static bool update_field(const struct walk *walk, const document *object, document *child) {
  const char *today = glimpse_word_today("", child->key);
  if (!today) return true;
  if (document_get(object, today)) {
    char place[1100];
    snprintf(place, sizeof place, "%.1000s:%zu", walk->source, child->line);
    return complain(walk->why, place, "the field '%s' is given twice: '%s' is its old name", today, child->key);
  }
  note(walk, child->line, child->key, today);
  child->key = today;
  return true;
}

/* No deeper than the document, which is limited; NOLINTNEXTLINE(misc-no-recursion) */
static bool update(const struct walk *walk, document *value) {
  for (document *child = value->first; child; child = child->next) {
    if (child->key && !update_field(walk, value, child)) return false;
    if (child->key && !strcmp(child->key, "parameters")) continue; /* their names are those of the environment */
    const char *field = child->key ? child->key : value->key;
    if (field) update_word(walk, field, child);
    if (!update(walk, child)) return false;
  }
  return true;
}

bool spelling_update(document *root, const char *source, struct text *hints, complaint *why) {
  struct walk walk = {source, hints, why};
  if (!update(&walk, root)) return false;
  return !hints->failed || complain(why, source, "out of memory");
}
