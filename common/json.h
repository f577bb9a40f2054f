/* JSON: writes one object to a sink.
 *
 *   struct json json = json_begin_to(sink, context);
 *   json_number(&json, "discount", 0.95);
 *   json_array(&json, "names");
 *   json_text(&json, NULL, "listen");
 *   json_close(&json);
 *   json_end(&json);
 *
 * The key is NULL inside an array and only there. */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glimpse.h"

enum { JSON_DEPTH = 16 };

struct json {
  glimpse_sink sink;
  void *context;
  unsigned depth;
  struct {
    bool array, filled, flat;
  } level[JSON_DEPTH];
};

struct json json_begin_to(glimpse_sink sink, void *context);
/* An object in a single line. */
struct json json_begin_line(glimpse_sink sink, void *context);
void json_end(struct json *json);

void json_object(struct json *json, const char *key);
/* Arrays have one line per entry, flat ones and all in them a single line. */
void json_array(struct json *json, const char *key);
void json_array_flat(struct json *json, const char *key);
/* Closes the innermost object or array. */
void json_close(struct json *json);

/* Bytes that are not UTF-8 become U+FFFD; a NULL text is null. */
void json_text(struct json *json, const char *key, const char *text);
/* The shortest text that reads back as the same number; null for infinities and
 * NaN, which JSON does not have. */
void json_number(struct json *json, const char *key, double value);
void json_count(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* A value that is JSON already. */
void json_literal(struct json *json, const char *key, const char *text);

#endif
