/* Files: see files.h. */
#include "faults/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void files_die(const char *what) {
  perror(what);
  exit(1);
}

char *files_get(const char *path, size_t *length) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0 || fstat(file, &info)) files_die(path);
  char *text = malloc((size_t)info.st_size + 1);
  *length = 0;
  for (ssize_t got; text && (got = read(file, text + *length, (size_t)info.st_size - *length)) > 0;)
    *length += (size_t)got;
  close(file);
  if (!text) files_die(path);
  text[*length] = 0;
  return text;
}

void files_put(const char *path, const char *text, size_t length) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || write(file, text, length) != (ssize_t)length) files_die(path);
  close(file);
}

/* With names as seen from the directory. */
static void add_files(struct files *files, const char *directory, const char *below) {
  char path[4000];
  snprintf(path, sizeof path, "%s/%s", directory, below);
  DIR *open_directory = opendir(path);
  if (!open_directory) files_die(path);
  for (struct dirent *entry; (entry = readdir(open_directory));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    char name[400];
    struct stat info;
    snprintf(name, sizeof name, "%s%s", below, entry->d_name);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &info)) continue;
    if (S_ISDIR(info.st_mode)) {
      strcat(name, "/");
      add_files(files, directory, name);
    }
    if (files->count == FILES || strlen(name) >= sizeof files->list->name) files_die("too many files");
    struct file *file = &files->list[files->count++];
    strcpy(file->name, name);
    file->text = NULL;
    file->length = 0;
    if (!S_ISDIR(info.st_mode)) file->text = files_get(path, &file->length);
  }
  closedir(open_directory);
}

struct files files_read(const char *directory) {
  struct files files = {.count = 0};
  add_files(&files, directory, "");
  return files;
}

void files_free(struct files *files) {
  for (size_t i = 0; i < files->count; i++) free(files->list[i].text);
  files->count = 0;
}

const struct file *files_find(const struct files *files, const char *name) {
  for (size_t i = 0; i < files->count; i++)
    if (!strcmp(files->list[i].name, name)) return &files->list[i];
  return NULL;
}

void files_empty(const char *directory) {
  DIR *open_directory = opendir(directory);
  if (!open_directory) files_die(directory);
  for (struct dirent *entry; (entry = readdir(open_directory));) {
    char path[4000];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || lstat(path, &info)) continue;
    if (S_ISDIR(info.st_mode)) files_empty(path);
    if (remove(path)) files_die(path);
  }
  closedir(open_directory);
}
