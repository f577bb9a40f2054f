/* Record, the writing: see record.h. */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "json.h"
#include "message.h"
#include "output.h"

static char *end_line(const struct record *record, bool complete) {
  struct text text = {0};
  struct json json = json_begin_line(text_sink, &text);
  json_bool(&json, "end", true);
  json_count(&json, "steps", record->moments);
  json_bool(&json, "complete", complete);
  json_end(&json);
  if (!text.failed) return text.data;
  text_free(&text);
  return NULL;
}

/* --------------------------------------------------------------------- file */

/* Frees the line.  What of it does not fit on the disk is taken back, where the file is one. */
static bool put_line(struct record *record, char *line) {
  if (!line) record->error = record->error ? record->error : ENOMEM;
  size_t length = line ? strlen(line) : 0;
  if (!record->error && !output_all(record->file, line, length)) {
    record->error = errno;
    if (!ftruncate(record->file, (off_t)record->whole)) length = 0;
  }
  record->whole += length;
  free(line);
  return !record->error;
}

static int failure(const struct record *record) {
  message_error("'%s' cannot be written: %s", record->path, strerror(record->error));
  return TOOL_FAILED;
}

int record_begin(struct record *record, const char *path, const struct subject *subject) {
  *record = (struct record){.path = path, .file = -1};
  if (!path) return TOOL_OK;
  record->file = output_open(path);
  if (record->file < 0) record->error = errno;
  else if (put_line(record, moment_subject_line(subject))) return TOOL_OK;
  else close(record->file);
  record->file = -1;
  return failure(record);
}

bool record_moment(struct record *record, const struct moment *moment) {
  if (record->file < 0) return true;
  record->moments++;
  return put_line(record, moment_line(moment));
}

int record_end(struct record *record, bool complete) {
  if (record->file < 0) return TOOL_OK;
  put_line(record, end_line(record, complete));
  if (close(record->file) && !record->error) record->error = errno;
  record->file = -1;
  return record->error ? failure(record) : TOOL_OK;
}
