/* JSON: see json.h.  The state is a stack with one entry per open bracket. */
#include "common/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/harmless.h"

static void put(const struct json *json, const char *text) {
  json->sink(json->context, text, strlen(text));
}

static void put_text(const struct json *json, const char *text) {
  static const char named[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
  put(json, "\"");
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    const char *found = strchr(named, *c);
    size_t length = harmless_sequence(c);
    char escape[8];
    if (found) snprintf(escape, sizeof escape, "\\%c", letter[found - named]);
    else if (*c < 0x20 || *c == 0x7f) snprintf(escape, sizeof escape, "\\u%04x", *c);
    else if (*c == 0xc2 && length == 2 && c[1] < 0xa0) snprintf(escape, sizeof escape, "\\u%04x", c[1]);
    else if (length) escape[0] = 0;
    else snprintf(escape, sizeof escape, "\\ufffd");
    if (*escape) put(json, escape);
    else json->sink(json->context, (const char *)c, length);
    c += length ? length : 1;
  }
  put(json, "\"");
}

static void new_line(const struct json *json) {
  char line[2 * JSON_DEPTH + 2];
  snprintf(line, sizeof line, "\n%*s", (int)(2 * json->depth), "");
  put(json, line);
}

/* What stands before a value: comma, line, key. */
static void prepare(struct json *json, const char *key) {
  bool flat = json->level[json->depth].flat;
  if (json->level[json->depth].filled) put(json, flat ? ", " : ",");
  if (!flat) new_line(json);
  json->level[json->depth].filled = true;
  if (key) {
    put_text(json, key);
    put(json, ": ");
  }
}

static void enter(struct json *json, bool array, bool flat) {
  put(json, array ? "[" : "{");
  flat = flat || json->level[json->depth].flat;
  json->depth++;
  json->level[json->depth].array = array;
  json->level[json->depth].flat = flat;
  json->level[json->depth].filled = false;
}

struct json json_begin_to(glimpse_sink sink, void *context) {
  struct json json = {.sink = sink, .context = context};
  enter(&json, false, false);
  return json;
}

struct json json_begin_line(glimpse_sink sink, void *context) {
  struct json json = {.sink = sink, .context = context};
  enter(&json, false, true);
  return json;
}

void json_close(struct json *json) {
  bool array = json->level[json->depth].array;
  bool broken = json->level[json->depth].filled && !json->level[json->depth].flat;
  json->depth--;
  if (broken) new_line(json);
  put(json, array ? "]" : "}");
}

void json_end(struct json *json) {
  json_close(json);
  put(json, "\n");
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
  if (text) put_text(json, text);
  else put(json, "null");
}

void json_number(struct json *json, const char *key, double value) {
  prepare(json, key);
  char text[GLIMPSE_NUMBER_SIZE];
  size_t length = glimpse_number_write(value, text);
  if (isfinite(value)) json->sink(json->context, text, length);
  else put(json, "null");
}

void json_count(struct json *json, const char *key, uint64_t value) {
  prepare(json, key);
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  put(json, text);
}

void json_bool(struct json *json, const char *key, bool value) {
  prepare(json, key);
  put(json, value ? "true" : "false");
}

void json_null(struct json *json, const char *key) {
  prepare(json, key);
  put(json, "null");
}

void json_literal(struct json *json, const char *key, const char *text) {
  prepare(json, key);
  put(json, text);
}
