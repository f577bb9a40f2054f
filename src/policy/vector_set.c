/* Vector set: the reader of .alpha files.
 *
 * An .alpha file is numbers with blanks between them, an action before the values of each vector; how they are broken
 * into lines does not matter.  Memory is in proportion to the text. */
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
  while (words->at < words->end && !(*words->at && strchr(" \r\t\n", *words->at))) words->at++;
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

bool gli_vector_set_alpha(gli_vector_set *set, gli_words *words) {
  for (gli_word word = next(words); word.length; word = next(words))
    if (!add_action(set, words, &word) || !add_values(set, words)) return false;
  return true;
}
