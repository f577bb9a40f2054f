/* File: reading works on pipes as on files, so it asks for no size that it
 * depends on; a regular file's size only saves the growing.  A zero byte is in
 * no text, so reading stops behind the first one: what was meant to be a model
 * may be a device that never ends.
 *
 * Writing must never leave half a model under the name the user gave.  The text
 * goes to a new file in the same directory (opened with O_EXCL, so that nothing
 * is overwritten), is flushed to the disk, and takes the name by rename(2), which
 * is atomic.  On any failure the new file is removed and the old one is as it
 * was.  The mode of an existing file is kept, and a symbolic link is followed:
 * the file behind it is replaced, not the link.  A link that leads nowhere is
 * refused, since neither is meant by it. */
#define _XOPEN_SOURCE 700 /* for realpath; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "formats/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"

enum { FIRST_ROOM = 1 << 16, ATTEMPTS = 100 };

static glimpse_status complain(glimpse_report *report, glimpse_status status, const char *what, int error) {
  char reason[128];
  if (strerror_r(error, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", error);
  return GLI_FAIL(report, status, "%s: %s", what, reason);
}

/* ---- reading ---- */

/* The size of a regular file, else 0: a guess at what is to come. */
static size_t expected_size(FILE *file) {
  struct stat info;
  if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode) || info.st_size <= 0) return 0;
  return (uintmax_t)info.st_size < SIZE_MAX / 2 ? (size_t)info.st_size : 0;
}

static glimpse_status too_long(glimpse_report *report, char **text, size_t most) {
  gli_memory_free(*text);
  *text = NULL;
  return GLI_FAIL(report, GLIMPSE_TOO_LARGE, "expected at most %llu bytes, found more", (unsigned long long)most);
}

static glimpse_status read_all(FILE *file, size_t most, glimpse_report *report, char **text, size_t *length) {
  size_t capacity = 0, used = 0, got = 0, room = expected_size(file) + 1;
  bool binary = false;
  *text = NULL;
  if (room - 1 > most) return too_long(report, text, most);
  if (room < FIRST_ROOM) room = FIRST_ROOM;
  do {
    used += got;
    if (used > most) return too_long(report, text, most);
    if (!GLI_GROW(*text, capacity, used < room ? room : used + 1)) {
      gli_memory_free(*text);
      *text = NULL;
      return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory after %llu bytes of the file",
                      (unsigned long long)used);
    }
    size_t more = capacity - used, left = most - used + 1; /* one byte too many tells that there are */
    errno = 0;
    got = fread(*text + used, 1, more < left ? more : left, file);
    binary = got && memchr(*text + used, 0, got);
  } while (got > 0 && !binary);
  *length = used + got;
  if (binary || !ferror(file)) return GLIMPSE_OK;
  int error = errno;
  gli_memory_free(*text);
  *text = NULL;
  return complain(report, GLIMPSE_CANNOT_READ, "cannot read", error);
}

glimpse_status gli_file_read(const char *path, glimpse_report *report, char **text, size_t *length) {
  return gli_file_read_within(path, GLI_FILE_MOST, report, text, length);
}

glimpse_status gli_file_read_within(const char *path, size_t most, glimpse_report *report, char **text,
                                    size_t *length) {
  *text = NULL;
  *length = 0;
  if (!path) return read_all(stdin, most, report, text, length);
  FILE *file = fopen(path, "rb");
  if (!file) return complain(report, GLIMPSE_CANNOT_READ, "cannot open", errno);
  glimpse_status status = read_all(file, most, report, text, length);
  fclose(file);
  return status;
}

/* ---- writing ---- */

static bool to_file(void *context, const char *text, size_t length) {
  return fwrite(text, 1, length, context) == length;
}

/* Writes, flushes and closes.  On failure *error says why. */
static glimpse_status write_and_close(FILE *file, bool sync, gli_file_writer writer, const void *object, int *error) {
  errno = 0;
  glimpse_status status = writer(object, to_file, file);
  *error = errno;
  if (!status && (fflush(file) || (sync && fsync(fileno(file))))) {
    *error = errno;
    status = GLIMPSE_CANNOT_WRITE;
  }
  if (fclose(file) && !status) {
    *error = errno;
    status = GLIMPSE_CANNOT_WRITE;
  }
  return status;
}

static glimpse_status told(glimpse_report *report, glimpse_status status, int error) {
  if (status == GLIMPSE_CANNOT_WRITE) return complain(report, status, "cannot write", error);
  return status ? GLI_FAIL(report, status, "%s", glimpse_status_text(status)) : GLIMPSE_OK;
}

static glimpse_status write_directly(const char *path, gli_file_writer writer, const void *object,
                                     glimpse_report *report) {
  FILE *file = fopen(path, "wb");
  if (!file) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot open", errno);
  int error;
  glimpse_status status = write_and_close(file, false, writer, object, &error);
  return told(report, status, error);
}

/* Opens a new file in the directory of `path`; its name goes to `name`, of the
 * given size.  The name does not contain that of the file, which may be as long
 * as names can be. */
static int open_beside(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/');
  int directory = slash ? (int)(slash - path) + 1 : 0;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    snprintf(name, size, "%.*s.glimpse-%ld-%d", directory, path, (long)getpid(), attempt);
    int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

static glimpse_status replace(const char *path, const struct stat *old, char *name, size_t size, gli_file_writer writer,
                              const void *object, glimpse_report *report) {
  int descriptor = open_beside(path, name, size);
  if (descriptor < 0) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot open a new file beside it", errno);
  FILE *file = fdopen(descriptor, "wb");
  int error = errno;
  glimpse_status status = GLIMPSE_CANNOT_WRITE;
  if (file) status = write_and_close(file, true, writer, object, &error);
  else close(descriptor);
  if (!status && ((old && chmod(name, old->st_mode & 07777)) || rename(name, path))) {
    error = errno;
    status = GLIMPSE_CANNOT_WRITE;
  }
  if (status) unlink(name);
  return told(report, status, error);
}

glimpse_status gli_file_write(const char *path, gli_file_writer writer, const void *object, glimpse_report *report) {
  struct stat old, link;
  bool exists = stat(path, &old) == 0;
  int error = errno;
  if (!exists && lstat(path, &link) == 0)
    return complain(report, GLIMPSE_CANNOT_WRITE, "cannot follow the symbolic link", error);
  if (exists && S_ISDIR(old.st_mode)) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot write", EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_directly(path, writer, object, report);
  char real[PATH_MAX];
  if (exists && !realpath(path, real)) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot write", errno);
  const char *target = exists ? real : path;
  size_t size = strlen(target) + 64;
  char *name = GLI_NEW(char, size);
  glimpse_status status = name ? replace(target, exists ? &old : NULL, name, size, writer, object, report)
                               : GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  gli_memory_free(name);
  return status;
}
