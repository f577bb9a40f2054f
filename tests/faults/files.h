/* Files: what lies in a directory, to be compared with what lay there before.  Whatever
 * goes wrong here ends the test. */
#ifndef FAULTS_FILES_H
#define FAULTS_FILES_H

#include <stddef.h>

enum { FILES = 64 };

struct file {
  char name[80];
  char *text;
  size_t length;
};

struct files {
  struct file list[FILES];
  size_t count;
};

/* Ends the test with a message as of perror. */
void files_die(const char *what);
/* The text of a file, with a 0 behind it; to be freed. */
char *files_get(const char *path, size_t *length);
void files_put(const char *path, const char *text, size_t length);
/* The files of a directory and of the directories in it; a directory has no text. */
struct files files_read(const char *directory);
void files_free(struct files *files);
/* NULL: not there. */
const struct file *files_find(const struct files *files, const char *name);
/* Removes all that is in a directory. */
void files_empty(const char *directory);

#endif
