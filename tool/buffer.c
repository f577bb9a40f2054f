/* Buffer: see buffer.h. */
#include "buffer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "output.h"

void buffer_free(struct buffer *buffer) {
  free(buffer->text);
  *buffer = (struct buffer){NULL, 0, 0, false};
}

bool buffer_sink(void *context, const char *text, size_t length) {
  struct buffer *buffer = context;
  if (buffer->failed || !length) return !buffer->failed;
  if (!buffer->text || length > buffer->room - buffer->length) {
    size_t room = 2 * (buffer->room + length) + 256;
    char *larger = room > buffer->room + length ? realloc(buffer->text, room) : NULL;
    buffer->failed = !larger;
    if (!larger) return false;
    buffer->text = larger;
    buffer->room = room;
  }
  memcpy(buffer->text + buffer->length, text, length);
  buffer->length += length;
  return true;
}

void buffer_print(struct buffer *buffer, const char *format, ...) {
  char text[2001];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > 0) buffer_sink(buffer, text, strlen(text));
}

/* -------------------------------------------------------------------- files */

static int cannot_write(const char *path) {
  return message_error_in(path, "cannot be written: %s", strerror(errno));
}

int buffer_save(const char *path, const char *text, size_t length) {
  struct stat there;
  bool regular = stat(path, &there) || S_ISREG(there.st_mode);
  size_t size = strlen(path) + sizeof ".XXXXXX";
  char *beside = malloc(size);
  if (!beside) return message_no_memory();
  snprintf(beside, size, "%s.XXXXXX", path);
  int file = regular ? mkstemp(beside) : output_open(path);
  if (file < 0) {
    int status = cannot_write(path);
    free(beside);
    return status;
  }
  mode_t mask = umask(0);
  umask(mask);
  bool good = output_all(file, text, length) && (!regular || (!fchmod(file, 0666 & ~mask) && !fsync(file)));
  int error = errno; /* of the first failure */
  if (close(file) && good) {
    error = errno;
    good = false;
  }
  if (good && regular && rename(beside, path)) {
    error = errno;
    good = false;
  }
  errno = error;
  int status = good ? TOOL_OK : cannot_write(path);
  if (!good && regular) remove(beside);
  free(beside);
  return status;
}
