/* Report: keeps the first findings of each severity and counts the others, so
 * that a file with a million errors costs no more than one with twenty.  When
 * memory runs out a finding is counted but not kept. */
#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { KEPT_PER_SEVERITY = 20, TEXT_SIZE = 400 };

struct glimpse_report {
  glimpse_message kept[2 * KEPT_PER_SEVERITY];
  size_t kept_count;
  size_t counts[2];
  char *source; /* of findings to come; owned */
};

glimpse_report *glimpse_report_new(void) {
  return GLI_NEW(glimpse_report, 1);
}

/* Messages are const to those who read them; a number in between takes that away without a warning. */
static void free_text(const char *text) {
  gli_memory_free((char *)(uintptr_t)text); /* NOLINT(performance-no-int-to-ptr) */
}

void glimpse_report_clear(glimpse_report *report) {
  if (!report) return;
  for (size_t i = 0; i < report->kept_count; i++) {
    free_text(report->kept[i].source);
    free_text(report->kept[i].text);
  }
  report->kept_count = 0;
  report->counts[GLIMPSE_WARNING] = report->counts[GLIMPSE_ERROR] = 0;
}

void glimpse_report_free(glimpse_report *report) {
  if (!report) return;
  glimpse_report_clear(report);
  gli_memory_free(report->source);
  gli_memory_free(report);
}

size_t glimpse_report_kept(const glimpse_report *report) {
  return report ? report->kept_count : 0;
}

const glimpse_message *glimpse_report_get(const glimpse_report *report, size_t i) {
  return report && i < report->kept_count ? &report->kept[i] : NULL;
}

size_t glimpse_report_count(const glimpse_report *report, glimpse_severity severity) {
  return report ? report->counts[severity == GLIMPSE_ERROR] : 0;
}

bool gli_report_full(const glimpse_report *report, glimpse_severity severity) {
  return !report || report->counts[severity] >= KEPT_PER_SEVERITY;
}

void gli_report_source(glimpse_report *report, const char *source) {
  if (!report) return;
  gli_memory_free(report->source);
  report->source = gli_memory_text(source);
}

/* One more of a severity: is its text to be kept? */
static bool admit(glimpse_report *report, glimpse_severity severity) {
  return report->counts[severity]++ < KEPT_PER_SEVERITY;
}

static void keep(glimpse_report *report, const glimpse_message *finding) {
  char *source = gli_memory_text(finding->source), *text = gli_memory_text(finding->text);
  if (!source || !text) {
    gli_memory_free(source);
    gli_memory_free(text);
    return;
  }
  glimpse_message *kept = &report->kept[report->kept_count++];
  *kept = *finding;
  kept->source = source;
  kept->text = text;
}

void glimpse_report_add(glimpse_report *report, const glimpse_message *finding) {
  if (!report || !admit(report, finding->severity)) return;
  glimpse_message copy = *finding;
  if (!copy.source || !*copy.source) copy.source = report->source ? report->source : "";
  if (!copy.text) copy.text = "";
  keep(report, &copy);
}

void gli_report_add(glimpse_report *report, glimpse_severity severity, glimpse_status code, uint64_t line,
                    uint64_t column, const char *format, ...) {
  if (!report || !admit(report, severity)) return;
  char text[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length >= TEXT_SIZE) memcpy(text + TEXT_SIZE - 4, "...", 4);
  keep(report, &(glimpse_message){.severity = severity,
                                  .code = code,
                                  .source = report->source ? report->source : "",
                                  .line = line,
                                  .column = column,
                                  .text = length < 0 ? "" : text});
}
