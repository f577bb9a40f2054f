/* Parse: makes the tree of xml.h with expat.
 *
 * Expat calls back for each tag and each piece of text; the element that is open is where they go.  Text is
 * collected until the next tag and kept if that is the end of an element without children, together with the places
 * of its pieces: expat gives a piece for each line end, each reference and each run of characters.  Linear in the text;
 * memory is that of the tree.  The first thing that is wrong stops expat. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xml/xml.h"

enum { MESSAGE = 300 };

static glimpse_status fail(const xml *tree, size_t at, glimpse_status code, glimpse_report *report, const char *text) {
  char copy[MESSAGE];
  snprintf(copy, sizeof copy, "%s", text);
  xml_report(tree, at, GLIMPSE_ERROR, code, copy, report);
  return code;
}

#if GLIMPSE_EXPAT
#include <expat.h>

#include "common/text.h"

struct parser {
  XML_Parser expat;
  xml *tree;
  glimpse_report *report;
  glimpse_status status;
  xml_element *open;
  size_t depth, elements;
  bool narrow;                  /* a character is one byte of the source, whatever it is in UTF-8 */
  const xml_comment **comments; /* where the next one goes */
  struct text run;              /* text since the last tag */
  struct xml_piece *pieces;     /* of it */
  size_t piece_count, piece_capacity;
};

static size_t here(const struct parser *parser) {
  XML_Index at = XML_GetCurrentByteIndex(parser->expat);
  return at < 0 ? parser->tree->length : (size_t)at;
}

/* The first failure ends the parsing. */
static bool stop(struct parser *parser, size_t at, glimpse_status code, const char *text) {
  if (!parser->status) parser->status = fail(parser->tree, at, code, parser->report, text);
  XML_StopParser(parser->expat, XML_FALSE);
  return false;
}

static bool stop_memory(struct parser *parser) {
  return stop(parser, SIZE_MAX, GLIMPSE_NO_MEMORY, glimpse_status_text(GLIMPSE_NO_MEMORY));
}

static void forget_run(struct parser *parser) {
  text_clear(&parser->run);
  parser->piece_count = 0;
}

static size_t first_mark(const struct text *run) {
  const char *text = text_string(run);
  return strspn(text, " \t\r\n");
}

/* Text that stands beside children belongs to nobody; what is not blank is remembered. */
static void note_stray(struct parser *parser) {
  xml_element *element = parser->open;
  size_t mark = first_mark(&parser->run);
  if (!element || element->stray != SIZE_MAX || mark == parser->run.length) return;
  element->stray = parser->pieces[0].at + mark; /* near enough: an element with children has no text */
}

static bool add_attributes(struct parser *parser, xml_element *element, const XML_Char **pairs) {
  const xml_attribute **end = &element->attributes;
  for (; *pairs; pairs += 2) {
    xml_attribute *attribute = arena_take(&parser->tree->arena, 1, sizeof *attribute);
    if (!attribute) return false;
    attribute->name = arena_text(&parser->tree->arena, pairs[0], strlen(pairs[0]));
    attribute->value = arena_text(&parser->tree->arena, pairs[1], strlen(pairs[1]));
    if (!attribute->name || !attribute->value) return false;
    *end = attribute;
    end = &attribute->next;
  }
  return true;
}

static void link_element(struct parser *parser, xml_element *element) {
  element->parent = parser->open;
  if (!parser->open) parser->tree->root = element;
  else if (parser->open->last) parser->open->last->next = element;
  else parser->open->first = element;
  if (parser->open) parser->open->last = element;
  parser->open = element;
}

static bool open_element(struct parser *parser, const XML_Char *name, const XML_Char **attributes) {
  if (++parser->depth > XML_DEPTH)
    return stop(parser, here(parser), GLIMPSE_TOO_LARGE, "expected at most 64 levels of elements, found more");
  if (++parser->elements > XML_ELEMENTS)
    return stop(parser, here(parser), GLIMPSE_TOO_LARGE, "expected at most 16777216 elements, found more");
  if (parser->run.failed) return stop_memory(parser);
  note_stray(parser);
  forget_run(parser);
  xml_element *element = arena_take(&parser->tree->arena, 1, sizeof *element);
  if (!element || !(element->name = arena_text(&parser->tree->arena, name, strlen(name))) ||
      !add_attributes(parser, element, attributes))
    return stop_memory(parser);
  element->at = here(parser);
  element->stray = SIZE_MAX;
  element->text = "";
  link_element(parser, element);
  return true;
}

static bool close_element(struct parser *parser) {
  xml_element *element = parser->open;
  element->end = here(parser);
  if (parser->run.failed) return stop_memory(parser);
  if (element->first) {
    note_stray(parser);
  } else if (parser->run.length) {
    struct xml_piece *pieces = arena_take(&parser->tree->arena, parser->piece_count, sizeof *pieces);
    element->text = arena_text(&parser->tree->arena, parser->run.data, parser->run.length);
    if (!pieces || !element->text) return stop_memory(parser);
    memcpy(pieces, parser->pieces, parser->piece_count * sizeof *pieces);
    element->pieces = pieces;
    element->piece_count = parser->piece_count;
    element->length = parser->run.length;
  }
  forget_run(parser);
  parser->open = element->parent;
  parser->depth--;
  return true;
}

static bool add_piece(struct parser *parser, size_t at) {
  if (parser->piece_count) {
    const struct xml_piece *last = &parser->pieces[parser->piece_count - 1];
    if (at - last->at == parser->run.length - last->from) return true; /* goes on without a gap */
  }
  if (parser->piece_count == parser->piece_capacity) {
    size_t capacity = parser->piece_capacity ? 2 * parser->piece_capacity : 16;
    struct xml_piece *more = realloc(parser->pieces, capacity * sizeof *more);
    if (!more) return false;
    parser->pieces = more;
    parser->piece_capacity = capacity;
  }
  parser->pieces[parser->piece_count++] = (struct xml_piece){parser->run.length, at};
  return true;
}

static bool add_comment(struct parser *parser, const XML_Char *text) {
  xml_comment *comment = arena_take(&parser->tree->arena, 1, sizeof *comment);
  if (!comment || !(comment->text = arena_text(&parser->tree->arena, text, strlen(text)))) return stop_memory(parser);
  comment->at = here(parser);
  *parser->comments = comment;
  parser->comments = &comment->next;
  return true;
}

/* Expat may call some more of these after it was stopped. */
static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
  struct parser *parser = context;
  if (!parser->status) open_element(parser, name, attributes);
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
  (void)name;
  struct parser *parser = context;
  if (!parser->status) close_element(parser);
}

static void XMLCALL on_declaration(void *context, const XML_Char *version, const XML_Char *encoding, int alone) {
  (void)version, (void)alone;
  struct parser *parser = context;
  parser->narrow = encoding && !strcasecmp(encoding, "ISO-8859-1");
}

static bool is_long(char c) {
  return (unsigned char)c >= 0x80;
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length) {
  struct parser *parser = context;
  size_t at = parser->status ? 0 : here(parser), left = (size_t)length;
  while (left && !parser->status) { /* a piece ends behind a character that has another length in the source */
    size_t plain = 0, end = left;
    if (parser->narrow) {
      while (plain < left && !is_long(text[plain])) plain++;
      end = plain + 2 < left ? plain + 2 : left; /* two bytes in UTF-8 */
    }
    if (add_piece(parser, at)) text_add(&parser->run, text, end);
    else stop_memory(parser);
    at += plain + 1;
    text += end;
    left -= end;
  }
}

static void XMLCALL on_comment(void *context, const XML_Char *text) {
  struct parser *parser = context;
  if (!parser->status) add_comment(parser, text);
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation) {
  (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  struct parser *parser = context;
  stop(parser, here(parser), GLIMPSE_BAD_SYNTAX,
       "expected no declarations of entities, found one; write what it stands for");
}

static void XMLCALL on_skipped(void *context, const XML_Char *name, int parameter) {
  struct parser *parser = context;
  char text[MESSAGE], shown[XML_SHOWN];
  snprintf(text, sizeof text, "expected no reference to an entity, found '%c%s;'", parameter ? '%' : '&',
           xml_show(name, strlen(name), shown));
  stop(parser, here(parser), GLIMPSE_BAD_SYNTAX, text);
}

/* ASCII, but no '<'. */
static bool is_plain(char c) {
  return !is_long(c) && c != '<' && c;
}

/* What expat complains about. */
static bool explain(struct parser *parser) {
  enum XML_Error error = XML_GetErrorCode(parser->expat);
  if (error == XML_ERROR_NO_MEMORY) return stop_memory(parser);
  size_t first = 0;
  while (first < parser->tree->length && strchr(" \t\r\n", parser->tree->text[first])) first++;
  if (!parser->tree->root && (first == parser->tree->length || is_plain(parser->tree->text[first])))
    return stop(parser, first, GLIMPSE_BAD_SYNTAX, "expected XML, which begins with '<'");
  char text[MESSAGE], open[MESSAGE / 2] = "", shown[XML_SHOWN];
  const xml_element *element = parser->open;
  uint64_t line, column;
  if (element) {
    xml_place(parser->tree, element->at, &line, &column);
    snprintf(open, sizeof open, "; the <%s> of line %llu is open",
             xml_show(element->name, strlen(element->name), shown), (unsigned long long)line);
  }
  snprintf(text, sizeof text, "expected well-formed XML, found an error: %s%s", XML_ErrorString(error), open);
  return stop(parser, here(parser), GLIMPSE_BAD_SYNTAX, text);
}

static void parse(struct parser *parser) {
  XML_SetUserData(parser->expat, parser);
  XML_SetElementHandler(parser->expat, on_start, on_end);
  XML_SetXmlDeclHandler(parser->expat, on_declaration);
  XML_SetCharacterDataHandler(parser->expat, on_text);
  XML_SetCommentHandler(parser->expat, on_comment);
  XML_SetEntityDeclHandler(parser->expat, on_entity);
  XML_SetSkippedEntityHandler(parser->expat, on_skipped);
  enum { STEP = 1 << 28 }; /* expat counts bytes in int */
  const xml *tree = parser->tree;
  for (size_t at = 0; !parser->status;) {
    size_t step = tree->length - at < STEP ? tree->length - at : STEP;
    bool last = at + step == tree->length;
    if (XML_Parse(parser->expat, tree->text + at, (int)step, last) != XML_STATUS_OK && !parser->status) explain(parser);
    if (last) break;
    at += step;
  }
  if (!parser->status && parser->run.failed) stop_memory(parser);
}

glimpse_status xml_read(const char *text, size_t length, const char *source, glimpse_report *report, xml **out) {
  /* Expat allocates as we do, so that tests can make it fail. */
  static const XML_Memory_Handling_Suite memory = {malloc, realloc, free};
  *out = NULL;
  xml *tree = calloc(1, sizeof *tree);
  xml nothing = {.source = source};
  struct parser parser = {.tree = tree, .report = report, .expat = XML_ParserCreate_MM(NULL, &memory, NULL)};
  if (tree && parser.expat) {
    *tree = (xml){.source = source, .text = length ? text : "", .length = length};
    parser.comments = &tree->comments;
    parse(&parser);
  } else {
    parser.status = fail(&nothing, SIZE_MAX, GLIMPSE_NO_MEMORY, report, glimpse_status_text(GLIMPSE_NO_MEMORY));
  }
  if (parser.expat) XML_ParserFree(parser.expat);
  text_free(&parser.run);
  free(parser.pieces);
  if (parser.status) xml_free(tree);
  else *out = tree;
  return parser.status;
}

#else

glimpse_status xml_read(const char *text, size_t length, const char *source, glimpse_report *report, xml **out) {
  (void)text, (void)length;
  xml nothing = {.source = source};
  *out = NULL;
  return fail(&nothing, SIZE_MAX, GLIMPSE_NOT_APPLICABLE, report,
              "this is XML, and glimpse was built without expat (Debian: libexpat1-dev); build it again with it");
}

#endif
