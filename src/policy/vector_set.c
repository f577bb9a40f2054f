/* Vector set: the readers of .alpha files and of APPL's XML.
 *
 * An .alpha file is numbers with blanks between them, an action before the values of each vector; how they are broken
 * into lines does not matter.  Of the XML this reads what SARSOP writes for models without observed state variables:
 * one AlphaVector with a Vector per action and numbers in between.  Tags that it does not know are an error, since what
 * they hold might matter.  Memory is in proportion to the text. */
#include "policy/vector_set.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const double largest = 1.7976931348623157e308;

void gli_vector_set_free(gli_vector_set *set) {
  gli_memory_free(set->action);
  gli_memory_free(set->value);
  *set = (gli_vector_set){0};
}

/* Over line ends; \r and tabs are blanks. */
static gli_word next(gli_words *words) {
  for (;;) {
    while (words->at < words->end && (*words->at == '\r' || *words->at == '\t' || *words->at == ' ')) words->at++;
    if (words->at == words->end || *words->at != '\n') break;
    gli_words_next_line(words);
  }
  gli_word word = {.text = words->at, .line = words->line};
  word.column = (uint64_t)(words->at - words->line_start) + 1;
  while (words->at < words->end && !(*words->at && strchr(" \r\t\n<", *words->at))) words->at++;
  word.length = (size_t)(words->at - word.text);
  return word;
}

static bool add_action(gli_vector_set *set, gli_words *words, const gli_word *word) {
  uint64_t action = 0;
  if (!gli_word_digits(word, &action) || action >= set->actions)
    return gli_words_expected(words, word, "the number of an action");
  if (!GLI_GROW(set->action, set->action_capacity, set->count + 1)) return gli_words_no_memory(words);
  set->action[set->count] = (uint32_t)action;
  return true;
}

/* The numbers of the next vector, whose action is there. */
static bool add_values(gli_vector_set *set, gli_words *words) {
  for (uint32_t s = 0; s < set->states; s++) {
    size_t at = set->count * set->states + s;
    gli_word word = next(words);
    if (!word.length)
      return gli_words_fail(words, &word, GLIMPSE_BAD_SYNTAX,
                            "expected a number for each of %lu states, found %lu; are these vectors of this model?",
                            (unsigned long)set->states, (unsigned long)s);
    if (!GLI_GROW(set->value, set->value_capacity, at + 1)) return gli_words_no_memory(words);
    if (!gli_words_number(words, &word, "a number", -largest, largest, &set->value[at])) return false;
  }
  set->count++;
  return true;
}

static bool some(const gli_vector_set *set, gli_words *words) {
  gli_word end = next(words);
  return set->count || gli_words_fail(words, &end, GLIMPSE_BAD_SYNTAX, "expected a vector, found the end");
}

bool gli_vector_set_alpha(gli_vector_set *set, gli_words *words) {
  for (gli_word word = next(words); word.length; word = next(words))
    if (!add_action(set, words, &word) || !add_values(set, words)) return false;
  gli_word left = next(words);
  if (words->at < words->end) return gli_words_expected(words, &left, "a number");
  return some(set, words);
}

/* --------------------------------------------------------------------- XML */

/* A tag, from < to >. */
typedef struct tag {
  gli_word all; /* with both */
  gli_word name;
} tag;

static bool is_blank(char c) {
  return c && strchr(" \r\t\n", c);
}

/* The next tag; its text may have several lines.  Declarations and comments are passed over. */
static bool next_tag(gli_words *words, tag *t) {
  for (;;) {
    t->all = next(words);
    if (t->all.length || words->at == words->end) return gli_words_expected(words, &t->all, "a tag");
    const char *begin = words->at, *mark = ">";
    size_t length = (size_t)(words->end - begin);
    bool comment = length > 3 && !memcmp(begin, "<!--", 4);
    if (comment) mark = "-->";
    while (words->at < words->end &&
           ((size_t)(words->end - words->at) < strlen(mark) || memcmp(words->at, mark, strlen(mark)) != 0)) {
      if (*words->at == '\n') gli_words_next_line(words);
      else words->at++;
    }
    if (words->at == words->end) return gli_words_fail(words, &t->all, GLIMPSE_BAD_SYNTAX, "this tag does not end");
    words->at += strlen(mark);
    t->all.text = begin;
    t->all.length = (size_t)(words->at - begin);
    if (!comment && begin[1] != '?') break;
  }
  t->name = t->all;
  t->name.text++;
  t->name.column++;
  t->name.length = 0;
  while (!is_blank(t->name.text[t->name.length]) && t->name.text[t->name.length] != '>') t->name.length++;
  return true;
}

/* What stands in quotes behind name=; an empty word: there is none. */
static gli_word attribute(const tag *t, const char *name) {
  size_t n = strlen(name);
  gli_word value = t->all;
  value.length = 0;
  for (size_t i = 1; i + n + 2 < t->all.length; i++) {
    const char *at = t->all.text + i;
    if (!is_blank(at[-1]) || memcmp(at, name, n) != 0 || at[n] != '=' || (at[n + 1] != '"' && at[n + 1] != '\''))
      continue;
    const char *end = memchr(at + n + 2, at[n + 1], t->all.length - i - n - 2);
    if (!end) break;
    value.text = at + n + 2;
    value.length = (size_t)(end - value.text);
    break;
  }
  return value;
}

/* An attribute that must be this number. */
static bool require(gli_words *words, const tag *t, const char *name, uint64_t wanted, const char *why) {
  uint64_t count = 0;
  gli_word word = attribute(t, name);
  if (gli_word_digits(&word, &count) && count == wanted) return true;
  return gli_words_fail(words, &t->all, GLIMPSE_BAD_SYNTAX, "expected %s=\"%llu\"%s", name, (unsigned long long)wanted,
                        why);
}

static bool open_tag(gli_words *words, tag *t, const char *name) {
  return next_tag(words, t) && (gli_word_is(&t->name, name) || gli_words_expected(words, &t->name, name));
}

bool gli_vector_set_appl(gli_vector_set *set, gli_words *words) {
  tag t;
  if (!open_tag(words, &t, "Policy")) return false;
  gli_word type = attribute(&t, "type");
  if (!gli_word_is(&type, "value"))
    return gli_words_fail(words, &t.all, GLIMPSE_BAD_SYNTAX, "expected a policy of type=\"value\"");
  if (!open_tag(words, &t, "AlphaVector")) return false;
  if (!require(words, &t, "vectorLength", set->states, ", as many as the model has states") ||
      !require(words, &t, "numObsValue", 1, ": state variables that are observed are not read"))
    return false;
  for (;;) {
    if (!next_tag(words, &t)) return false;
    if (gli_word_is(&t.name, "/AlphaVector")) break;
    if (!gli_word_is(&t.name, "Vector")) return gli_words_expected(words, &t.name, "Vector");
    gli_word action = attribute(&t, "action");
    if (!add_action(set, words, &action) || !add_values(set, words)) return false;
    if (!open_tag(words, &t, "/Vector")) return false;
  }
  return open_tag(words, &t, "/Policy") && some(set, words);
}
