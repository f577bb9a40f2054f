/* Xml: an XML text as a tree whose elements, words and comments know their place in the text.
 *
 * What is not needed for data is refused: declarations of entities (so nothing can be expanded without
 * end), more than XML_DEPTH levels, more than XML_ELEMENTS elements.  A document type is passed over; nothing
 * outside of the text is ever read.  UTF-8, UTF-16, ISO-8859-1 and US-ASCII are read; what is in the tree is UTF-8.
 *
 * Without expat the program is built all the same, and xml_read says what is missing. */
#ifndef XML_XML_H
#define XML_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "glimpse.h"
#include "xml/arena.h"

enum { XML_DEPTH = 64, XML_ELEMENTS = 1 << 24 };

/* A place is a byte of the text, counted from 0. */
typedef struct xml_attribute xml_attribute;
struct xml_attribute {
  const char *name, *value;
  const xml_attribute *next;
};

/* From here on a piece of decoded text stands in the source without a gap. */
struct xml_piece {
  size_t from; /* byte of the decoded text */
  size_t at;   /* its place */
};

typedef struct xml_element xml_element;
struct xml_element {
  const char *name;
  size_t at; /* of its '<' */
  const xml_attribute *attributes;
  xml_element *parent, *first, *last, *next; /* last: child; next: sibling */
  /* Only of an element without children. */
  const char *text; /* ends with a 0; never NULL */
  size_t length;
  const struct xml_piece *pieces;
  size_t piece_count;
  size_t end;   /* place of the end tag */
  size_t stray; /* place of text between children; SIZE_MAX: none */
};

typedef struct xml_comment xml_comment;
struct xml_comment {
  const char *text;
  size_t at; /* of its '<' */
  const xml_comment *next;
};

typedef struct xml {
  const char *source; /* borrowed, as the text is: both have to live as long as the tree */
  const char *text;
  size_t length;
  xml_element *root;
  const xml_comment *comments; /* in the order of the text */
  struct arena arena;          /* of the tree; more may be taken from it */
} xml;

/* The tree of a text, to be returned with xml_free.  On failure NULL in *tree, a status, and one error in the
 * report. */
glimpse_status xml_read(const char *text, size_t length, const char *source, glimpse_report *report, xml **tree);
void xml_free(xml *tree);

/* Does a text begin as XML does, with '<' behind blanks and the mark of UTF-8? */
bool xml_begins(const char *text, size_t length);

/* Line and column of a place, both from 1, the column in bytes. */
void xml_place(const xml *tree, size_t at, uint64_t *line, uint64_t *column);
/* The value of an attribute, NULL when there is none. */
const char *xml_attribute_get(const xml_element *element, const char *name);
bool xml_is(const xml_element *element, const char *name);

/* Adds a finding at a place (SIZE_MAX: none) to a report, with '?' for control characters, and without the rest of a
 * character that was cut off at the end of the text. */
void xml_report(const xml *tree, size_t at, glimpse_severity severity, glimpse_status code, char *text,
                glimpse_report *report);

enum { XML_SHOWN = 48 };
/* The beginning of a text for a message: up to 40 bytes, whole characters, then "..." where it goes on. */
const char *xml_show(const char *text, size_t length, char shown[XML_SHOWN]);

/* Words of the text of an element, separated by blanks. */
typedef struct xml_words {
  const xml_element *element;
  size_t next;      /* byte of the text where the search goes on */
  const char *text; /* the current word, without a 0 behind it */
  size_t length;
} xml_words;

xml_words xml_words_of(const xml_element *element);
/* Goes on to the next word, the first at first; false when there is none. */
bool xml_words_next(xml_words *words);
/* The place of the current word; of the end tag when there is none. */
size_t xml_words_at(const xml_words *words);

#endif
