/* Digest: see digest.h. */
#include "experiment/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

bool digest_file(const char *path, char text[DIGEST_SIZE]) {
  uint64_t digest = DIGEST_START;
  struct stat kind;
  *text = 0;
  if (!stat(path, &kind) && !S_ISREG(kind.st_mode)) return true;
  FILE *file = fopen(path, "r");
  if (!file) return false;
  for (int c; (c = getc(file)) != EOF;) digest = digest_byte(digest, c);
  bool failed = ferror(file);
  fclose(file);
  snprintf(text, DIGEST_SIZE, "%016" PRIx64, digest);
  return !failed;
}
