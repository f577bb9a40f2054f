/* JSON: see json.h.  The state is a stack with one entry per open bracket. */
#include "json.h"

#include <math.h>
#include <string.h>

#include "glimpse.h"
#include "output.h"

/* Length of the UTF-8 sequence at text, 0 when it is none (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t sequence(const unsigned char *text) {
  unsigned char c = text[0], low = 0x80, high = 0xbf;
  size_t length = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (c == 0xe0) low = 0xa0;
  if (c == 0xed) high = 0x9f;
  if (c == 0xf0) low = 0x90;
  if (c == 0xf4) high = 0x8f;
  for (size_t i = 1; i < length; i++) {
    if (text[i] < low || text[i] > high) return 0; /* also at the end of the text */
    low = 0x80;
    high = 0xbf;
  }
  return length;
}

static void put_text(const char *text) {
  static const char named[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
  output_print("\"");
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    const char *found = strchr(named, *c);
    size_t length = sequence(c);
    if (found) output_print("\\%c", letter[found - named]);
    else if (*c < 0x20 || *c == 0x7f) output_print("\\u%04x", *c);
    else if (length) output_text((const char *)c, length);
    else output_print("\\ufffd");
    c += length ? length : 1;
  }
  output_print("\"");
}

static void new_line(const struct json *json) {
  output_print("\n%*s", (int)(2 * json->depth), "");
}

/* What stands before a value: comma, line, key. */
static void prepare(struct json *json, const char *key) {
  bool flat = json->level[json->depth].flat;
  if (json->level[json->depth].filled) output_print(flat ? ", " : ",");
  if (!flat) new_line(json);
  json->level[json->depth].filled = true;
  if (key) {
    put_text(key);
    output_print(": ");
  }
}

static void enter(struct json *json, bool array, bool flat) {
  output_print(array ? "[" : "{");
  json->depth++;
  json->level[json->depth].array = array;
  json->level[json->depth].flat = flat;
  json->level[json->depth].filled = false;
}

struct json json_begin(void) {
  struct json json = {0};
  enter(&json, false, false);
  return json;
}

void json_close(struct json *json) {
  bool array = json->level[json->depth].array;
  bool broken = json->level[json->depth].filled && !json->level[json->depth].flat;
  json->depth--;
  if (broken) new_line(json);
  output_print(array ? "]" : "}");
}

void json_end(struct json *json) {
  json_close(json);
  output_print("\n");
}

void json_object(struct json *json, const char *key) {
  prepare(json, key);
  enter(json, false, false);
}

void json_array(struct json *json, const char *key) {
  prepare(json, key);
  enter(json, true, false);
}

void json_array_flat(struct json *json, const char *key) {
  prepare(json, key);
  enter(json, true, true);
}

void json_text(struct json *json, const char *key, const char *text) {
  prepare(json, key);
  if (text) put_text(text);
  else output_print("null");
}

void json_number(struct json *json, const char *key, double value) {
  prepare(json, key);
  char text[GLIMPSE_NUMBER_SIZE];
  size_t length = glimpse_number_write(value, text);
  if (isfinite(value)) output_text(text, length);
  else output_print("null");
}

void json_count(struct json *json, const char *key, uint64_t value) {
  prepare(json, key);
  output_print("%llu", (unsigned long long)value);
}

void json_bool(struct json *json, const char *key, bool value) {
  prepare(json, key);
  output_print(value ? "true" : "false");
}

void json_null(struct json *json, const char *key) {
  prepare(json, key);
  output_print("null");
}
