/* Replay: runs a target on files and on the files of directories, without a fuzzer.
 *
 *   fuzz_NAME PATH ...
 *
 * The name of each file is noted before it is tried, so that a crash tells which it was. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static int complain(const char *path) {
  perror(path);
  return 1;
}

static int try_file(const char *path, size_t *tried) {
  FILE *file = fopen(path, "rb");
  if (!file) return complain(path);
  static uint8_t room[1 << 20];
  size_t size = fread(room, 1, sizeof room, file);
  bool failed = ferror(file);
  fclose(file);
  if (failed) return complain(path);
  uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees a read beyond the end */
  if (!exact) return complain(path);
  memcpy(exact, room, size);
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  ++*tried;
  return 0;
}

static int try_path(const char *path, size_t *tried) {
  struct stat kind;
  if (stat(path, &kind)) return complain(path);
  if (!S_ISDIR(kind.st_mode)) return try_file(path, tried);
  DIR *directory = opendir(path);
  if (!directory) return complain(path);
  int failed = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char inside[4096];
    if (entry->d_name[0] == '.') continue;
    if ((size_t)snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) >= sizeof inside) continue;
    failed |= try_path(inside, tried);
  }
  closedir(directory);
  return failed;
}

int main(int count, char **paths) {
  int failed = 0;
  size_t tried = 0;
  for (int i = 1; i < count; i++) failed |= try_path(paths[i], &tried);
  printf("%zu inputs\n", tried);
  return failed || !tried; /* a corpus that is not there is a mistake */
}
