/* Save: see save.h. */
#include "save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "output.h"

static int cannot_write(const char *path) {
  return message_error_in(path, "cannot be written: %s", strerror(errno));
}

int save_file(const char *path, const char *text, size_t length) {
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
