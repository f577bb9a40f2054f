/* Messages: see message.h.
 *
 * Colour only where a terminal shows it and NO_COLOR does not forbid it.  Control
 * characters are replaced, because texts quote from files that may hold any byte. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/complaint.h"
#include "common/harmless.h"

/* Room for a path, a place and a sentence. */
enum { LINE_SIZE = 6000 };

static bool smart_terminal(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static bool coloured(void) {
  const char *no = getenv("NO_COLOR");
  return smart_terminal() && (!no || !*no);
}

static void clean(char *text) {
  harmless(text, strlen(text), "");
}

/* "place: label: text"; the label is coloured. */
static void put_line(const char *place, const char *label, const char *colour, const char *text) {
  char line[LINE_SIZE];
  if (snprintf(line, sizeof line, "%s", place) < 0) return;
  clean(line);
  bool paint = coloured();
  fprintf(stderr, "%s: %s%s:%s ", line, paint ? colour : "", label, paint ? "\033[0m" : "");
  if (snprintf(line, sizeof line, "%s", text) < 0) return;
  clean(line);
  fprintf(stderr, "%s\n", line);
}

#define RED "\033[1;31m"
#define MAGENTA "\033[1;35m"
#define CYAN "\033[1;36m"

static void TOOL_PRINTF(4, 0)
    put(const char *place, const char *label, const char *colour, const char *format, va_list arguments) {
  char text[LINE_SIZE];
  if (vsnprintf(text, sizeof text, format, arguments) < 0) return;
  put_line(place, label, colour, text);
}

void message_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put("glimpse", "error", RED, format, arguments);
  va_end(arguments);
}

int message_error_in(const char *subject, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put(subject, "error", RED, format, arguments);
  va_end(arguments);
  return TOOL_FAILED;
}

void message_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put("glimpse", "warning", MAGENTA, format, arguments);
  va_end(arguments);
}

void message_hint(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put("glimpse", "hint", CYAN, format, arguments);
  va_end(arguments);
}

int message_usage(const struct command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put("glimpse", "error", RED, format, arguments);
  va_end(arguments);
  message_hint("try 'glimpse %s%s'", command ? command->name : "help", command ? " --help" : "");
  return TOOL_USAGE;
}

static void put_finding(const glimpse_message *finding, const char *subject) {
  char place[LINE_SIZE];
  const char *source = *finding->source ? finding->source : subject;
  if (finding->line && finding->column)
    snprintf(place, sizeof place, "%s:%llu:%llu", source, (unsigned long long)finding->line,
             (unsigned long long)finding->column);
  else if (finding->line) snprintf(place, sizeof place, "%s:%llu", source, (unsigned long long)finding->line);
  else snprintf(place, sizeof place, "%s", source);
  bool error = finding->severity == GLIMPSE_ERROR;
  put_line(place, error ? "error" : "warning", error ? RED : MAGENTA, finding->text);
}

static size_t kept_of(const glimpse_report *report, glimpse_severity severity) {
  size_t kept = 0;
  for (size_t i = 0; i < glimpse_report_kept(report); i++) kept += glimpse_report_get(report, i)->severity == severity;
  return kept;
}

/* Findings that were counted but not kept: there are too many, or memory is short. */
static void put_rest(const glimpse_report *report, glimpse_severity severity, const char *noun) {
  enum { KEPT = 20 }; /* of each severity, as glimpse.h promises */
  size_t kept = kept_of(report, severity), more = glimpse_report_count(report, severity) - kept;
  if (more)
    fprintf(stderr, "... and %zu more %s%s%s\n", more, noun, more == 1 ? "" : "s",
            kept < KEPT ? ", for which there was no memory" : "");
}

void message_report(const glimpse_report *report, const char *subject) {
  message_progress_end();
  for (size_t i = 0; i < glimpse_report_kept(report); i++) put_finding(glimpse_report_get(report, i), subject);
  put_rest(report, GLIMPSE_ERROR, "error");
  put_rest(report, GLIMPSE_WARNING, "warning");
}

int message_failure(const glimpse_report *report, const char *subject, glimpse_status status) {
  message_progress_end();
  if (!kept_of(report, GLIMPSE_ERROR)) put_line(subject, "error", RED, glimpse_status_text(status));
  message_report(report, subject);
  return TOOL_FAILED;
}

int message_complaint(const complaint *why, const char *hint) {
  message_progress_end();
  if (*why->place) message_error_in(why->place, "%s", why->text);
  else message_error("%s", why->text);
  if (hint) message_hint("%s", hint);
  else if (*why->hint) message_hint("%s", why->hint);
  return TOOL_FAILED;
}

int message_no_memory(void) {
  message_error("%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  return TOOL_FAILED;
}

void message_note(const char *format, ...) {
  char text[LINE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  clean(text);
  fprintf(stderr, "glimpse: %s\n", text);
}

bool message_live(void) {
  return smart_terminal();
}

void message_progress(const char *format, ...) {
  if (!smart_terminal()) return;
  char text[LINE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  clean(text);
  fprintf(stderr, "\r\033[K%.79s", text);
}

void message_progress_end(void) {
  if (smart_terminal()) fputs("\r\033[K", stderr);
}
