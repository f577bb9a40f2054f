/* Protocol: parts of a message; see protocol.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "protocol.h"

static void note(char *text, size_t size, const char *format, va_list arguments) TOOL_PRINTF(3, 0);

static void note(char *text, size_t size, const char *format, va_list arguments) {
  if (vsnprintf(text, size, format, arguments) < 0) *text = 0;
}

bool protocol_refuse(struct session *session, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note(session->error, sizeof session->error, format, arguments);
  va_end(arguments);
  return false;
}

bool protocol_advise(struct session *session, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note(session->hint, sizeof session->hint, format, arguments);
  va_end(arguments);
  return false;
}

/* --------------------------------------------------------------------- text */

/* Where the first byte stands that is no UTF-8; `length` when all is well.  Overlong forms,
 * surrogates and what lies beyond U+10FFFF are none. */
static size_t valid_utf8(const char *text, size_t length) {
  const unsigned char *c = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    size_t more = c[i] < 0x80 ? 0 : c[i] < 0xc2 ? 4 : c[i] < 0xe0 ? 1 : c[i] < 0xf0 ? 2 : c[i] < 0xf5 ? 3 : 4;
    if (more == 4 || more >= length - i) return i;
    unsigned char low = 0x80, high = 0xbf;
    if (c[i] == 0xe0) low = 0xa0;
    if (c[i] == 0xed) high = 0x9f;
    if (c[i] == 0xf0) low = 0x90;
    if (c[i] == 0xf4) high = 0x8f;
    for (size_t k = 1; k <= more; k++, low = 0x80, high = 0xbf)
      if (c[i + k] < low || c[i + k] > high) return i;
    i += 1 + more;
  }
  return length;
}

document *protocol_read(struct session *session, const char *text, size_t length) {
  size_t valid = valid_utf8(text, length);
  if (valid < length) {
    protocol_refuse(session, "the line is not UTF-8: see byte %zu", valid + 1);
    return NULL;
  }
  complaint why = {{0}, {0}, {0}};
  document *message = length && *text == '#' ? NULL : document_read(text, length, "line", &why);
  if (message && message->kind == DOCUMENT_OBJECT) return message;
  if (message) protocol_refuse(session, "the line is %s, not an object", document_kind_text(message->kind));
  else if (!*why.text) protocol_refuse(session, "the line is not JSON: there are no comments");
  else protocol_refuse(session, "the line is not JSON: %s", why.text);
  protocol_advise(session, "a message is one object in one line, such as {\"do\":\"decide\"}");
  document_free(message);
  return NULL;
}

/* ------------------------------------------------------------------ numbers */

bool protocol_positive(struct session *session, const document *value, double *number) {
  *number = value->number;
  if (value->kind == DOCUMENT_NUMBER && value->number > 0 && isfinite(value->number)) return true;
  return protocol_refuse(session, "'%.40s' has to be a number above 0", value->key);
}

bool protocol_number(struct session *session, const document *value, double *number) {
  *number = value->number;
  if (value->kind == DOCUMENT_NUMBER && value->number >= 0 && isfinite(value->number)) return true;
  return protocol_refuse(session, "'%.40s' has to be a number that is not negative", value->key);
}

bool protocol_count(struct session *session, const document *value, uint64_t most, uint64_t *count) {
  double number = value->kind == DOCUMENT_NUMBER ? value->number : 0;
  if (!(number >= 1 && number <= (double)most) || floor(number) != number)
    return protocol_refuse(session, "'%.40s' has to be a whole number from 1 to %llu", value->key,
                           (unsigned long long)most);
  *count = (uint64_t)number;
  return true;
}

/* -------------------------------------------------------------------- names */

static const char *kind_noun(glimpse_kind kind) {
  return kind == GLIMPSE_STATE ? "state" : kind == GLIMPSE_ACTION ? "action" : "observation";
}

static bool find(struct session *session, const char *name, glimpse_kind kind, uint32_t *index) {
  const glimpse_model *model = session->decide.search.model;
  *index = glimpse_model_find(model, kind, name);
  if (*index != GLIMPSE_ANY) return true;
  struct nearest nearest = nearest_begin(name);
  uint32_t count = glimpse_model_count(model, kind);
  for (uint32_t i = 0; i < count && glimpse_model_named(model, kind); i++)
    nearest_offer(&nearest, glimpse_model_name(model, kind, i));
  protocol_refuse(session, "there is no %s '%.60s'", kind_noun(kind), name);
  if (nearest.best) return protocol_advise(session, "did you mean '%.60s'?", nearest.best);
  if (!glimpse_model_named(model, kind))
    return protocol_advise(session, "they are numbered 0 to %lu", (unsigned long)count - 1);
  return protocol_advise(session, "{\"do\":\"names\"} lists them");
}

bool protocol_index(struct session *session, const document *value, glimpse_kind kind, uint32_t *index) {
  uint32_t count = glimpse_model_count(session->decide.search.model, kind);
  if (value->kind == DOCUMENT_TEXT) return find(session, value->text, kind, index);
  if (value->kind != DOCUMENT_NUMBER)
    return protocol_refuse(session, "'%.40s' has to be the name of %s %s, or its number", value->key,
                           kind == GLIMPSE_STATE ? "a" : "an", kind_noun(kind));
  if (value->number >= 0 && value->number < count && floor(value->number) == value->number) {
    *index = (uint32_t)value->number;
    return true;
  }
  protocol_refuse(session, "there is no %s %.40s", kind_noun(kind), value->text);
  return protocol_advise(session, "they are numbered 0 to %lu", (unsigned long)count - 1);
}

/* ------------------------------------------------------------------- belief */

struct entries {
  size_t count;
  uint32_t *index;
  double *value;
};

static bool add_entry(struct session *session, struct entries *entries, uint32_t s, const document *value) {
  const glimpse_model *model = session->decide.search.model;
  if (value->kind != DOCUMENT_NUMBER || !(value->number >= 0 && value->number <= 1))
    return protocol_refuse(session, "the probability of '%.60s' has to be a number from 0 to 1",
                           glimpse_model_name(model, GLIMPSE_STATE, s));
  entries->index[entries->count] = s;
  entries->value[entries->count++] = value->number;
  return true;
}

static bool read_entries(struct session *session, const document *value, struct entries *entries) {
  uint32_t states = glimpse_model_count(session->decide.search.model, GLIMPSE_STATE), s = 0;
  if (value->kind == DOCUMENT_LIST && value->count != states)
    return protocol_refuse(session, "a belief as a list has a probability for each of the %lu states, not %zu",
                           (unsigned long)states, value->count);
  double sum = 0;
  for (const document *child = value->first; child; child = child->next, s++) {
    if (child->key && !find(session, child->key, GLIMPSE_STATE, &s)) return false;
    if (!add_entry(session, entries, s, child)) return false;
    sum += child->number;
  }
  /* As for the rows of a model: what is off by more is a mistake, not rounding. */
  if (!(fabs(sum - 1) <= 1e-3))
    return protocol_refuse(session, "the probabilities of the belief sum to %.6g, not to 1", sum);
  glimpse_status status =
      glimpse_belief_set(session->probe, (glimpse_row){entries->count, entries->index, entries->value});
  if (status == GLIMPSE_BAD_ARGUMENT)
    return protocol_refuse(session, "the belief names a state twice, by its name and its number");
  return !status || protocol_refuse(session, "%s", glimpse_status_text(status));
}

bool protocol_belief(struct session *session, const document *value) {
  if (value->kind != DOCUMENT_OBJECT && value->kind != DOCUMENT_LIST) {
    uint32_t s = 0;
    if (value->kind != DOCUMENT_TEXT && value->kind != DOCUMENT_NUMBER)
      return protocol_refuse(session, "'belief' has to be a state, an object {\"STATE\":P,...} or a list of all "
                                      "probabilities");
    if (!protocol_index(session, value, GLIMPSE_STATE, &s)) return false;
    return !glimpse_belief_reveal(session->probe, s) || protocol_refuse(session, "out of memory");
  }
  struct entries entries = {0, NULL, NULL};
  entries.index = calloc(value->count + 1, sizeof *entries.index);
  entries.value = calloc(value->count + 1, sizeof *entries.value);
  bool good = entries.index && entries.value ? read_entries(session, value, &entries)
                                             : protocol_refuse(session, "out of memory");
  free(entries.value);
  free(entries.index);
  return good;
}
