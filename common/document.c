/* Document: see document.h.
 *
 * A recursive descent over the bytes.  All nodes and texts of a tree are blocks in one
 * list that hangs on the root, so that it is freed in one go and a failure has nothing to
 * unwind.  The depth is limited, because the text may come from anybody. */
#include "common/document.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glimpse.h"

enum { MAX_DEPTH = 32, FEW = 16 }; /* levels; keys that are compared with each other one by one */

struct block {
  struct block *next;
};

/* The root is the first node of the list of blocks. */
struct tree {
  struct block *blocks;
  document node;
};

struct reader {
  const char *text;
  size_t at, length, line;
  const char *source;
  complaint *why;
  struct block *blocks;
};

static void *allot(struct reader *reader, size_t size) {
  struct block *block = size > SIZE_MAX - sizeof *block ? NULL : calloc(1, sizeof *block + size);
  if (!block) {
    complain(reader->why, reader->source, "out of memory");
    return NULL;
  }
  block->next = reader->blocks;
  reader->blocks = block;
  return block + 1;
}

static bool expected(struct reader *reader, const char *what) {
  char place[1100];
  snprintf(place, sizeof place, "%.1000s:%zu", reader->source, reader->line);
  if (reader->at >= reader->length) return complain(reader->why, place, "expected %s, found the end of the text", what);
  const unsigned char *bytes = (const unsigned char *)reader->text + reader->at;
  size_t left = reader->length - reader->at, span = 1;
  if (*bytes < ' ' || *bytes == 127)
    return complain(reader->why, place, "expected %s, found a control character", what);
  /* A word, or the beginning of a long one, but no part of a character. */
  while (span < left && bytes[span] > ' ' && (span < 20 || (bytes[span] & 0xc0) == 0x80) && span < 24) span++;
  return complain(reader->why, place, "expected %s, found '%.*s'", what, (int)span, reader->text + reader->at);
}

static void blank(struct reader *reader) {
  bool fresh = reader->at == 0; /* nothing but blanks in this line so far */
  for (; reader->at < reader->length; reader->at++) {
    char c = reader->text[reader->at];
    if (c == '\n') {
      reader->line++;
      fresh = true;
    } else if (c == '#' && fresh) {
      while (reader->at + 1 < reader->length && reader->text[reader->at + 1] != '\n') reader->at++;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

static bool take(struct reader *reader, const char *token) {
  size_t length = strlen(token);
  if (reader->length - reader->at < length || strncmp(reader->text + reader->at, token, length) != 0) return false;
  reader->at += length;
  return true;
}

/* ------------------------------------------------------------------- texts */

static bool read_hex(struct reader *reader, uint32_t *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    char c = reader->at < reader->length ? reader->text[reader->at] : 0;
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 16;
    if (digit == 16) return expected(reader, "four hexadecimal digits");
    *code = 16 * *code + digit;
  }
  return true;
}

static size_t put_utf8(uint32_t code, char *out) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
  if (code < 0x10000) {
    out[0] = (char)(0xe0 | code >> 12), out[1] = (char)(0x80 | (code >> 6 & 63)), out[2] = (char)(0x80 | (code & 63));
    return 3;
  }
  out[0] = (char)(0xf0 | code >> 18), out[1] = (char)(0x80 | (code >> 12 & 63));
  out[2] = (char)(0x80 | (code >> 6 & 63)), out[3] = (char)(0x80 | (code & 63));
  return 4;
}

/* After the backslash. */
static bool read_escape(struct reader *reader, char **out) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = reader->at < reader->length ? reader->text[reader->at] : 0;
  const char *found = c ? strchr(letters, c) : NULL;
  if (found) {
    *(*out)++ = meanings[found - letters];
    reader->at++;
    return true;
  }
  if (c != 'u') return expected(reader, "an escape such as \\n or \\u00e9");
  reader->at++;
  uint32_t code, low;
  if (!read_hex(reader, &code)) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (!take(reader, "\\u")) return expected(reader, "the second half of a surrogate pair");
    if (!read_hex(reader, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return expected(reader, "the second half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (!code || (code >= 0xdc00 && code <= 0xdfff)) return expected(reader, "a character that can stand in a text");
  *out += put_utf8(code, *out);
  return true;
}

static char *read_text(struct reader *reader) {
  size_t end = ++reader->at;
  while (end < reader->length && reader->text[end] != '"') end += reader->text[end] == '\\' ? 2 : 1;
  if (end > reader->length) end = reader->length;
  char *text = allot(reader, end - reader->at + 1), *out = text; /* escapes only shrink */
  if (!text) return NULL;
  while (reader->at < reader->length && reader->text[reader->at] != '"') {
    unsigned char c = (unsigned char)reader->text[reader->at];
    if (c < ' ') break;
    reader->at++;
    if (c != '\\') *out++ = (char)c;
    else if (!read_escape(reader, &out)) return NULL;
  }
  return take(reader, "\"") ? text : (expected(reader, "the '\"' that ends the text"), NULL);
}

/* ------------------------------------------------------------------ values */

static bool read_value(struct reader *reader, document *node, unsigned depth);

/* Values in values, no deeper than MAX_DEPTH; NOLINTBEGIN(misc-no-recursion) */

static bool append(struct reader *reader, document *parent, document **last, const char *key, unsigned depth) {
  document *child = allot(reader, sizeof *child);
  if (!child) return false;
  if (*last) (*last)->next = child;
  else parent->first = child;
  *last = child;
  parent->count++;
  child->key = key;
  return read_value(reader, child, depth + 1);
}

static bool read_list(struct reader *reader, document *node, unsigned depth) {
  document *last = NULL;
  reader->at++;
  blank(reader);
  if (take(reader, "]")) return true;
  for (;;) {
    if (!append(reader, node, &last, NULL, depth)) return false;
    blank(reader);
    if (take(reader, "]")) return true;
    if (!take(reader, ",")) return expected(reader, "',' or ']'");
  }
}

static bool twice(struct reader *reader, const char *key, size_t line) {
  char place[1100];
  snprintf(place, sizeof place, "%.1000s:%zu", reader->source, line);
  return complain(reader->why, place, "the field '%s' is given twice", key);
}

static int by_key(const void *a, const void *b) {
  return strcmp((*(document *const *)a)->key, (*(document *const *)b)->key);
}

/* A large object is looked through when it is whole, in an order that brings equal keys together. */
static bool all_differ(struct reader *reader, const document *node) {
  if (node->count <= FEW) return true;
  /* Here and in qsort the size of a pointer is meant, which the check takes for a slip. */
  document **children = malloc(node->count * sizeof(document *)); /* NOLINT(bugprone-sizeof-expression) */
  if (!children) return complain(reader->why, reader->source, "out of memory");
  size_t count = 0;
  for (document *child = node->first; child; child = child->next) children[count++] = child;
  qsort(children, count, sizeof(document *), by_key); /* NOLINT(bugprone-sizeof-expression) */
  bool differ = true;
  for (size_t i = 1; i < count && differ; i++)
    if (!strcmp(children[i - 1]->key, children[i]->key)) differ = twice(reader, children[i]->key, children[i]->line);
  free(children);
  return differ;
}

static bool read_object(struct reader *reader, document *node, unsigned depth) {
  document *last = NULL;
  reader->at++;
  blank(reader);
  if (take(reader, "}")) return true;
  for (;;) {
    blank(reader);
    if (reader->at >= reader->length || reader->text[reader->at] != '"') return expected(reader, "a key in quotes");
    size_t line = reader->line;
    char *key = read_text(reader);
    if (!key) return false;
    if (node->count < FEW && document_get(node, key)) return twice(reader, key, line);
    blank(reader);
    if (!take(reader, ":")) return expected(reader, "':'");
    if (!append(reader, node, &last, key, depth)) return false;
    blank(reader);
    if (take(reader, "}")) return all_differ(reader, node);
    if (!take(reader, ",")) return expected(reader, "',' or '}'");
  }
}

static size_t digits(const struct reader *reader, size_t at) {
  size_t count = 0;
  while (at + count < reader->length && reader->text[at + count] >= '0' && reader->text[at + count] <= '9') count++;
  return count;
}

/* JSON is stricter about numbers than glimpse_number_read: no +, no leading zero, digits on
 * both sides of the point. */
static bool read_number(struct reader *reader, document *node) {
  const char *text = reader->text;
  size_t start = reader->at, at = start + (text[start] == '-'), whole = digits(reader, at);
  if (!whole || (whole > 1 && text[at] == '0')) return expected(reader, "a value");
  at += whole;
  if (at < reader->length && text[at] == '.') {
    size_t part = digits(reader, at + 1);
    if (!part) return expected(reader, "a number");
    at += 1 + part;
  }
  if (at < reader->length && (text[at] == 'e' || text[at] == 'E')) {
    size_t sign = at + 1 < reader->length && (text[at + 1] == '+' || text[at + 1] == '-');
    size_t power = digits(reader, at + 1 + sign);
    if (!power) return expected(reader, "a number");
    at += 1 + sign + power;
  }
  char *copy = allot(reader, at - start + 1);
  if (!copy) return false;
  memcpy(copy, text + start, at - start);
  node->kind = DOCUMENT_NUMBER;
  node->text = copy;
  glimpse_number_read(copy, at - start, &node->number);
  reader->at = at;
  return true;
}

static bool read_value(struct reader *reader, document *node, unsigned depth) {
  blank(reader);
  node->line = reader->line;
  if (depth > MAX_DEPTH) return expected(reader, "fewer levels");
  char c = reader->at < reader->length ? reader->text[reader->at] : 0;
  if (c == '{') return node->kind = DOCUMENT_OBJECT, read_object(reader, node, depth);
  if (c == '[') return node->kind = DOCUMENT_LIST, read_list(reader, node, depth);
  if (c == '"') return node->kind = DOCUMENT_TEXT, (node->text = read_text(reader)) != NULL;
  if (c == '-' || (c >= '0' && c <= '9')) return read_number(reader, node);
  if (take(reader, "null")) return true;
  node->kind = DOCUMENT_BOOL;
  if (take(reader, "true")) return node->truth = true;
  return take(reader, "false") || expected(reader, "a value");
}

/* NOLINTEND(misc-no-recursion) */

static void free_blocks(struct block *block) {
  while (block) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
}

document *document_read(const char *text, size_t length, const char *source, complaint *why) {
  size_t mark = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* that some editors put before UTF-8 */
  struct reader reader = {.text = text + mark, .length = length - mark, .line = 1, .source = source, .why = why};
  struct tree *tree = calloc(1, sizeof *tree);
  if (!tree) {
    complain(why, source, "out of memory");
    return NULL;
  }
  bool whole = read_value(&reader, &tree->node, 0);
  if (whole) {
    blank(&reader);
    if (reader.at < reader.length) whole = expected(&reader, "nothing more");
  }
  tree->blocks = reader.blocks;
  if (whole) return &tree->node;
  document_free(&tree->node);
  return NULL;
}

void document_free(document *root) {
  if (!root) return;
  struct tree *tree = (struct tree *)(void *)((char *)root - offsetof(struct tree, node));
  free_blocks(tree->blocks);
  free(tree);
}

const document *document_get(const document *object, const char *key) {
  if (!object) return NULL;
  for (const document *child = object->first; child; child = child->next)
    if (child->key && !strcmp(child->key, key)) return child;
  return NULL;
}

const char *document_kind_text(document_kind kind) {
  static const char *const texts[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
  return texts[kind];
}
