/* Pomdp: see pomdp.h. */
#include "support/pomdp.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/same_model.h"

static void show(const glimpse_report *report) {
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    print_error("%u:%u: %s: %s\n", (unsigned)message->line, (unsigned)message->column,
                message->severity == GLIMPSE_ERROR ? "error" : "warning", message->text);
  }
}

static bool matches(const glimpse_message *message, const pomdp_finding *finding) {
  return message && message->severity == finding->severity && message->code == finding->code &&
         message->line == finding->line && message->column == finding->column &&
         strcmp(message->text, finding->text) == 0 && strcmp(message->source, "test") == 0;
}

static void check_wrong(pomdp_file_reader *read, const char *path, const pomdp_wrong *wrong) {
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  glimpse_status status = read(path, NULL, report, &model);
  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_null(model);
  if (status != wrong->code || glimpse_report_kept(report) != 1 || message->severity != GLIMPSE_ERROR ||
      message->code != wrong->code || message->line != wrong->line || message->column != wrong->column ||
      strcmp(message->text, wrong->text) != 0 || strcmp(message->source, path) != 0) {
    show(report);
    fail_msg("%s: not the expected error", path);
  }
  glimpse_report_free(report);
}

void pomdp_check_wrong(pomdp_file_reader *read, const char *directory, const char *ending, const pomdp_wrong *wrong,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    char path[200];
    snprintf(path, sizeof path, "%s/bad-%s.%s", directory, wrong[i].name, ending);
    check_wrong(read, path, &wrong[i]);
  }
  DIR *files = opendir(directory);
  assert_non_null(files);
  size_t found = 0;
  for (struct dirent *entry; (entry = readdir(files));) found += strncmp(entry->d_name, "bad-", 4) == 0;
  closedir(files);
  assert_int_equal(found, count);
}

glimpse_model *pomdp_read_findings(const char *text, size_t length, bool strict, const pomdp_finding *findings,
                                   size_t count) {
  return pomdp_read_findings_by(glimpse_pomdp_read, text, length, strict, findings, count);
}

glimpse_model *pomdp_read_findings_by(pomdp_reader *read, const char *text, size_t length, bool strict,
                                      const pomdp_finding *findings, size_t count) {
  glimpse_report *report = glimpse_report_new();
  assert_non_null(report);
  glimpse_pomdp_options options = {.strict = strict};
  glimpse_model *model;
  glimpse_status status = read(text, length, "test", &options, report, &model), expected = GLIMPSE_OK;
  bool good = glimpse_report_kept(report) == count;
  for (size_t i = 0; i < count; i++) {
    good = good && matches(glimpse_report_get(report, i), &findings[i]);
    if (findings[i].severity == GLIMPSE_ERROR && !expected) expected = findings[i].code;
  }
  if (!good) {
    print_error("expected these findings:\n");
    for (size_t i = 0; i < count; i++)
      print_error("%u:%u: %s\n", (unsigned)findings[i].line, (unsigned)findings[i].column, findings[i].text);
    print_error("found these:\n");
    show(report);
    fail_msg("other findings than expected");
  }
  glimpse_report_free(report);
  assert_int_equal(status, expected);
  assert_true((status == GLIMPSE_OK) == (model != NULL));
  return model;
}

glimpse_model *pomdp_read(const char *text) {
  return pomdp_read_findings(text, strlen(text), true, NULL, 0);
}

void pomdp_read_error(const char *text, glimpse_status code, uint64_t line, uint64_t column, const char *message) {
  pomdp_finding finding = {GLIMPSE_ERROR, code, line, column, message};
  pomdp_read_findings(text, strlen(text), false, &finding, 1);
}

glimpse_model *pomdp_read_loose(const char *text, uint64_t line, uint64_t column, const char *message) {
  pomdp_finding finding = {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, line, column, message};
  pomdp_read_findings(text, strlen(text), true, &finding, 1);
  finding.severity = GLIMPSE_WARNING;
  return pomdp_read_findings(text, strlen(text), false, &finding, 1);
}

typedef struct text {
  char *bytes;
  size_t length;
} text;

static bool append(void *context, const char *piece, size_t length) {
  text *t = context;
  char *moved = realloc(t->bytes, t->length + length + 1);
  if (!moved) return false;
  t->bytes = moved;
  memcpy(t->bytes + t->length, piece, length);
  t->length += length;
  t->bytes[t->length] = 0;
  return true;
}

char *pomdp_write(const glimpse_model *model, size_t *length) {
  text t = {0};
  assert_int_equal(glimpse_pomdp_write(model, append, &t), GLIMPSE_OK);
  if (length) *length = t.length;
  return t.bytes;
}

void pomdp_check_round_trip(const glimpse_model *model) {
  size_t length, length_again;
  char *written = pomdp_write(model, &length);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *again;
  glimpse_status status = glimpse_pomdp_read(written, length, "test", NULL, report, &again);
  if (status) show(report);
  assert_int_equal(status, GLIMPSE_OK);
  glimpse_report_free(report);
  same_model_check(model, again);
  char *written_again = pomdp_write(again, &length_again);
  assert_int_equal(length, length_again);
  assert_memory_equal(written, written_again, length);
  free(written);
  free(written_again);
  glimpse_model_free(again);
}

static double find(glimpse_row row, uint32_t column) {
  for (size_t i = 0; i < row.count; i++)
    if (row.index[i] == column) return row.value[i];
  return 0;
}

double pomdp_t(const glimpse_model *model, uint32_t a, uint32_t s, uint32_t s2) {
  return find(glimpse_model_transition(model, a, s), s2);
}

double pomdp_o(const glimpse_model *model, uint32_t a, uint32_t s2, uint32_t o) {
  return find(glimpse_model_observation(model, a, s2), o);
}

double pomdp_start(const glimpse_model *model, uint32_t s) {
  return find(glimpse_model_start(model), s);
}
