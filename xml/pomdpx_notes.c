/* Notes: what a POMDPX file says to glimpse in comments that others ignore, as .pomdp files do.
 *
 *   <!-- glimpse: cost 0.1 -->          the price of asking, in every state
 *   <!-- glimpse: cost STATE 0.3 -->    in one state, by its flattened name; STATE may also be *
 *   <!-- glimpse: inquiry ... -->       pomdpx_inquiry.c
 *
 * The last one wins. */
#include <string.h>

#include "xml/pomdpx_parts.h"

static bool read_cost(pomdpx *reading, size_t at, xml_words *words) {
  if (!xml_words_next(words))
    return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected a cost behind 'glimpse: cost', found none");
  xml_words ahead = *words;
  uint32_t s = GLIMPSE_ANY;
  char shown[XML_SHOWN];
  if (xml_words_next(&ahead)) {
    bool star = words->length == 1 && *words->text == '*';
    if (!star) s = pomdpx_names_state(reading, words->text, words->length);
    if (!star && s == GLIMPSE_ANY)
      return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX,
                          "expected the name of a state behind 'glimpse: cost', found '%s'",
                          xml_show(words->text, words->length, shown));
    *words = ahead;
  }
  double cost;
  if (!pomdpx_number(words, &cost) || cost < 0)
    return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected a cost that is not negative, found '%s'",
                        xml_show(words->text, words->length, shown));
  if (xml_words_next(words))
    return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected the end of the comment, found '%s'",
                        xml_show(words->text, words->length, shown));
  return !glimpse_builder_cost(reading->builder, s, cost) || pomdpx_stop(reading);
}

void pomdpx_notes_read(pomdpx *reading) {
  for (const xml_comment *comment = reading->tree->comments; comment && !reading->stopped; comment = comment->next) {
    xml_element text = {.text = comment->text, .length = strlen(comment->text)}; /* for its words */
    xml_words words = xml_words_of(&text);
    char shown[XML_SHOWN];
    if (!xml_words_next(&words) || words.length != 8 || memcmp(words.text, "glimpse:", 8) != 0) continue;
    bool some = xml_words_next(&words);
    if (some && words.length == 4 && !memcmp(words.text, "cost", 4)) read_cost(reading, comment->at, &words);
    else if (some && words.length == 7 && !memcmp(words.text, "inquiry", 7))
      pomdpx_inquiry_read(reading, comment->at, &words);
    else
      pomdpx_warn(reading, comment->at, "expected 'cost' or 'inquiry' in a 'glimpse:' comment, found %s%s%s",
                  some ? "'" : "nothing", some ? xml_show(words.text, words.length, shown) : "", some ? "'" : "");
  }
}
