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

#if defined(__wasm__)
/* In a web page there are no files: models come as texts. */
static glimpse_status no_files(glimpse_report *report, glimpse_status status) {
  return GLI_FAIL(report, status, "there are no files here");
}

glimpse_status gli_file_read(const char *path, glimpse_report *report, char **text, size_t *length) {
  return gli_file_read_within(path, GLI_FILE_MOST, report, text, length);
}

glimpse_status gli_file_read_within(const char *path, size_t most, glimpse_report *report, char **text,
                                    size_t *length) {
  (void)path, (void)most;
  *text = NULL;
  *length = 0;
  return no_files(report, GLIMPSE_CANNOT_READ);
}

glimpse_status gli_file_write(const char *path, gli_file_writer writer, const void *object, glimpse_report *report) {
  (void)path, (void)writer, (void)object;
  return no_files(report, GLIMPSE_CANNOT_WRITE);
}
#else

enum { FIRST_ROOM = 1 << 16, ATTEMPTS = 100 };

/* A stream needs memory, too: what fails for lack of it says nothing about the file. */
static glimpse_status complain(glimpse_report *report, glimpse_status status, const char *what, int error) {
  char reason[128];
  if (error == ENOMEM) status = GLIMPSE_NO_MEMORY;
  if (strerror_r(error, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", error);
  return GLI_FAIL(report, status, "%s: %s", what, reason);
}

/* ---- reading ---- */

/* The size of a regular file, else 0: a guess at what is to come. */
static size_t expected_size(int file) {
  struct stat info;
  if (fstat(file, &info) || !S_ISREG(info.st_mode) || info.st_size <= 0) return 0;
  return (uintmax_t)info.st_size < SIZE_MAX / 2 ? (size_t)info.st_size : 0;
}

/* Fills the room unless the end comes first; returns how much, -1: errno says why not. */
static ssize_t fill(int file, char *text, size_t room) {
  size_t used = 0;
  while (used < room) {
    size_t most = room - used < SSIZE_MAX ? room - used : SSIZE_MAX;
    ssize_t got = read(file, text + used, most);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (!got) break;
    used += (size_t)got;
    if (memchr(text + used - got, 0, (size_t)got)) break;
  }
  return (ssize_t)used;
}

static glimpse_status too_long(glimpse_report *report, char **text, size_t most) {
  gli_memory_free(*text);
  *text = NULL;
  return GLI_FAIL(report, GLIMPSE_TOO_LARGE, "expected at most %llu bytes, found more", (unsigned long long)most);
}

static glimpse_status read_all(int file, size_t most, glimpse_report *report, char **text, size_t *length) {
  size_t capacity = 0, used = 0, room = expected_size(file) + 1;
  *text = NULL;
  if (room - 1 > most) return too_long(report, text, most);
  if (room < FIRST_ROOM) room = FIRST_ROOM;
  for (;;) {
    if (used > most) return too_long(report, text, most);
    if (!GLI_GROW(*text, capacity, used < room ? room : used + 1)) {
      gli_memory_free(*text);
      *text = NULL;
      return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory after %llu bytes of the file",
                      (unsigned long long)used);
    }
    size_t left =
        capacity - used < most - used + 1 ? capacity - used : most - used + 1; /* one too many tells of more */
    ssize_t got = fill(file, *text + used, left);
    if (got < 0) break;
    bool more = (size_t)got == left && !memchr(*text + used, 0, (size_t)got);
    used += (size_t)got;
    if (more) continue;
    *length = used;
    return GLIMPSE_OK;
  }
  int error = errno;
  gli_memory_free(*text);
  *text = NULL;
  *length = 0;
  return complain(report, GLIMPSE_CANNOT_READ, "cannot read", error);
}

glimpse_status gli_file_read(const char *path, glimpse_report *report, char **text, size_t *length) {
  return gli_file_read_within(path, GLI_FILE_MOST, report, text, length);
}

glimpse_status gli_file_read_within(const char *path, size_t most, glimpse_report *report, char **text,
                                    size_t *length) {
  *text = NULL;
  *length = 0;
  if (!path) return read_all(STDIN_FILENO, most, report, text, length);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return complain(report, GLIMPSE_CANNOT_READ, "cannot open", errno);
  glimpse_status status = read_all(file, most, report, text, length);
  close(file);
  return status;
}

/* ---- writing ---- */

/* Collects pieces, because many are small. */
struct stream {
  int file, error; /* errno of the first failure */
  size_t used;
  char waiting[1 << 15];
};

static bool put(struct stream *stream, const char *text, size_t length) {
  while (length && !stream->error) {
    ssize_t written = write(stream->file, text, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) stream->error = errno;
    else text += written, length -= (size_t)written;
  }
  return !stream->error;
}

static bool flush(struct stream *stream) {
  size_t used = stream->used;
  stream->used = 0;
  return put(stream, stream->waiting, used);
}

static bool to_file(void *context, const char *text, size_t length) {
  struct stream *stream = context;
  if (length > sizeof stream->waiting - stream->used && !flush(stream)) return false;
  if (length > sizeof stream->waiting) return put(stream, text, length);
  memcpy(stream->waiting + stream->used, text, length);
  stream->used += length;
  return !stream->error;
}

/* Writes, flushes and closes.  On failure *error says why. */
static glimpse_status write_and_close(int file, bool sync, gli_file_writer writer, const void *object, int *error) {
  struct stream stream;
  stream.file = file;
  stream.error = 0;
  stream.used = 0;
  glimpse_status status = writer(object, to_file, &stream);
  if (!status && (!flush(&stream) || (sync && fsync(file)))) {
    if (!stream.error) stream.error = errno;
    status = GLIMPSE_CANNOT_WRITE;
  }
  if (close(file) && !status) {
    stream.error = errno;
    status = GLIMPSE_CANNOT_WRITE;
  }
  *error = stream.error;
  return status;
}

static glimpse_status told(glimpse_report *report, glimpse_status status, int error) {
  if (status == GLIMPSE_CANNOT_WRITE) return complain(report, status, "cannot write", error);
  return status ? GLI_FAIL(report, status, "%s", glimpse_status_text(status)) : GLIMPSE_OK;
}

static glimpse_status write_directly(const char *path, gli_file_writer writer, const void *object,
                                     glimpse_report *report) {
  int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (file < 0) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot open", errno);
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
  int error, file = open_beside(path, name, size);
  if (file < 0) return complain(report, GLIMPSE_CANNOT_WRITE, "cannot open a new file beside it", errno);
  glimpse_status status = write_and_close(file, true, writer, object, &error);
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
#endif

glimpse_status glimpse_text_read(const char *path, glimpse_report *report, char **text, size_t *length) {
  bool standard = strcmp(path, "-") == 0;
  gli_report_source(report, standard ? "standard input" : path);
  return gli_file_read(standard ? NULL : path, report, text, length);
}

void glimpse_text_free(char *text) {
  gli_memory_free(text);
}
