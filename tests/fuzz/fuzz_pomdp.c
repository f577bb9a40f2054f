/* The reader of .pomdp texts: whatever the bytes are, it says what is wrong at a place inside the
 * text, or gives a model that is what models promise to be. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/same_model.h"

/* Bytes of a line, counted from 1; SIZE_MAX when there is none.  \n, \r\n and \r end a line. */
static size_t line_length(const char *text, size_t length, uint64_t line) {
  size_t start = 0;
  for (uint64_t at = 1;; at++) {
    size_t end = start;
    while (end < length && text[end] != '\n' && text[end] != '\r') end++;
    if (at == line) return end - start;
    if (end == length) return SIZE_MAX;
    start = end + 1;
    if (text[end] == '\r' && start < length && text[start] == '\n') start++;
  }
}

static void check_places(const glimpse_report *report, const char *text, size_t length) {
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    if (message->code == GLIMPSE_NO_MEMORY && !message->line) continue;
    size_t room = line_length(text, length, message->line);
    FUZZ_CHECK(message->line >= 1 && room != SIZE_MAX, "line %llu: %s", (unsigned long long)message->line,
               message->text);
    FUZZ_CHECK(message->column >= 1 && message->column <= room + 1, "column %llu of %zu in line %llu: %s",
               (unsigned long long)message->column, room, (unsigned long long)message->line, message->text);
    FUZZ_CHECK(!strcmp(message->source, "fuzz"), "source '%s'", message->source);
  }
}

static glimpse_model *read(const char *text, size_t length, bool strict, glimpse_status *status) {
  glimpse_pomdp_options options = {.strict = strict};
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) abort();
  *status = glimpse_pomdp_read(text, length, "fuzz", &options, report, &model);
  fuzz_check_report(report, *status, model != NULL);
  check_places(report, text, length);
  glimpse_report_free(report);
  return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  glimpse_status loose_status, strict_status;
  char *text = malloc(size ? size : 1); /* no zero behind it */
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  glimpse_model *loose = read(text, size, false, &loose_status), *strict = read(text, size, true, &strict_status);
  FUZZ_CHECK(loose || !strict, "only the strict reader accepts it");
  if (loose) fuzz_check_model(loose);
  if (strict) {
    const char *difference = same_model_difference(loose, strict);
    FUZZ_CHECK(!difference, "the strict reader differs in %s", difference);
  }
  glimpse_model_free(loose);
  glimpse_model_free(strict);
  free(text);
  return 0;
}
