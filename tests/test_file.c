/* Reading and writing whole files: what cannot be read or written says why, and a
 * failure leaves everything as it was. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "formats/file.h"
#include "support/failing_malloc.h"
#include "support/same_model.h"

static char directory[] = "/tmp/glimpse-file-XXXXXX";

static const char *in_directory(const char *name) {
  static char path[400];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static int set_up(void **state) {
  (void)state;
  return mkdtemp(directory) ? 0 : 1;
}

static int tear_down(void **state) {
  (void)state;
  return rmdir(directory); /* each test removes what it made */
}

/* How many files there are, hidden ones too. */
static size_t files(void) {
  DIR *open_directory = opendir(directory);
  assert_non_null(open_directory);
  size_t count = 0;
  while (readdir(open_directory)) count++;
  closedir(open_directory);
  return count - 2;
}

static void put_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void check_text(const char *path, const char *expected) {
  char *text;
  size_t length;
  assert_int_equal(gli_file_read(path, NULL, &text, &length), GLIMPSE_OK);
  assert_int_equal(length, strlen(expected));
  assert_memory_equal(text, expected, length);
  gli_memory_free(text);
}

static void check_report(glimpse_report *report, glimpse_status code, const char *text) {
  assert_int_equal(glimpse_report_kept(report), 1);
  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_int_equal(message->severity, GLIMPSE_ERROR);
  assert_int_equal(message->code, code);
  assert_int_equal(message->line, 0);
  assert_string_equal(message->text, text);
  glimpse_report_clear(report);
}

static const char tiny[] =
    "discount: 0.5\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\nT: 0 identity\nO: 0 uniform\n";

static glimpse_model *tiny_model(void) {
  glimpse_model *model;
  assert_int_equal(glimpse_pomdp_read(tiny, sizeof tiny - 1, NULL, NULL, NULL, &model), GLIMPSE_OK);
  return model;
}

/* ---- reading ---- */

static void reads_files(void **state) {
  (void)state;
  char path[400];
  strcpy(path, in_directory("text"));
  put_text(path, "");
  check_text(path, "");
  put_text(path, "some text");
  check_text(path, "some text");
  char *large = malloc(300001);
  for (size_t i = 0; i < 300000; i++) large[i] = (char)('a' + i % 26);
  large[300000] = 0;
  put_text(path, large);
  check_text(path, large);
  free(large);
  remove(path);
}

static void tells_why_it_cannot_read(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  const char *path = in_directory("not-there");
  assert_int_equal(glimpse_pomdp_read_file(path, NULL, report, &model), GLIMPSE_CANNOT_READ);
  assert_null(model);
  assert_string_equal(glimpse_report_get(report, 0)->source, path);
  check_report(report, GLIMPSE_CANNOT_READ, "cannot open: No such file or directory");
  assert_int_equal(glimpse_pomdp_read_file(directory, NULL, report, &model), GLIMPSE_CANNOT_READ);
  check_report(report, GLIMPSE_CANNOT_READ, "cannot read: Is a directory");
  assert_int_equal(glimpse_pomdp_read_file("", NULL, report, &model), GLIMPSE_CANNOT_READ);
  check_report(report, GLIMPSE_CANNOT_READ, "cannot open: No such file or directory");
  assert_int_equal(glimpse_pomdp_read_file("/dev/null", NULL, report, &model), GLIMPSE_BAD_SYNTAX); /* empty */
  assert_string_equal(glimpse_report_get(report, 0)->text, "expected a model, found the end of the file");
  glimpse_report_free(report);
}

static void *feed(void *context) {
  int end = *(int *)context;
  for (size_t i = 0; i < sizeof tiny - 1; i += 7) { /* in pieces */
    size_t left = sizeof tiny - 1 - i;
    ssize_t written = write(end, tiny + i, left < 7 ? left : 7);
    (void)written;
  }
  close(end);
  return NULL;
}

static void reads_the_standard_input(void **state) {
  (void)state;
  int ends[2], kept = dup(0);
  pthread_t thread;
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(dup2(ends[0], 0), 0);
  close(ends[0]);
  assert_int_equal(pthread_create(&thread, NULL, feed, &ends[1]), 0);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model, *same = tiny_model();
  glimpse_status status = glimpse_pomdp_read_file("-", NULL, report, &model);
  pthread_join(thread, NULL);
  clearerr(stdin);
  dup2(kept, 0);
  close(kept);
  assert_int_equal(status, GLIMPSE_OK);
  same_model_check(same, model);
  glimpse_model_free(same);
  glimpse_model_free(model);
  glimpse_report_free(report);
}

/* A file by its size, and a pipe, which has none, by what comes: up to the limit, and no byte more. */
static void reads_within_a_limit(void **state) {
  (void)state;
  char path[400], *text;
  size_t length;
  strcpy(path, in_directory("long"));
  put_text(path, "0123456789");
  glimpse_report *report = glimpse_report_new();
  for (size_t most = 8; most < 12; most++) {
    bool fits = most >= 10;
    int ends[2], kept = dup(0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], 0), 0);
    close(ends[0]);
    assert_int_equal(write(ends[1], "0123456789", 10), 10);
    close(ends[1]);
    for (int standard = 0; standard < 2; standard++) {
      glimpse_status status = gli_file_read_within(standard ? NULL : path, most, report, &text, &length);
      assert_int_equal(status, fits ? GLIMPSE_OK : GLIMPSE_TOO_LARGE);
      if (fits) assert_int_equal(length, 10);
      else assert_null(text);
      if (!fits)
        check_report(report, GLIMPSE_TOO_LARGE,
                     most == 8 ? "expected at most 8 bytes, found more" : "expected at most 9 bytes, found more");
      gli_memory_free(text);
    }
    while (getchar() != EOF) continue; /* what was too much is still in the stream */
    clearerr(stdin);
    dup2(kept, 0);
    close(kept);
  }
  remove(path);
  glimpse_report_free(report);
}

/* ---- writing ---- */

static void writes_files(void **state) {
  (void)state;
  char path[400];
  strcpy(path, in_directory("model.pomdp"));
  glimpse_model *model = tiny_model(), *again;
  assert_int_equal(glimpse_pomdp_write_file(model, path, NULL), GLIMPSE_OK);
  assert_int_equal(files(), 1);
  assert_int_equal(glimpse_pomdp_read_file(path, NULL, NULL, &again), GLIMPSE_OK);
  same_model_check(model, again);
  glimpse_model_free(again);
  struct stat before, after; /* the mode stays, and so does a link */
  assert_int_equal(chmod(path, 0640), 0);
  char link[400];
  strcpy(link, in_directory("link"));
  assert_int_equal(symlink("model.pomdp", link), 0);
  assert_int_equal(stat(path, &before), 0);
  assert_int_equal(glimpse_pomdp_write_file(model, link, NULL), GLIMPSE_OK);
  assert_int_equal(files(), 2);
  assert_int_equal(lstat(link, &after), 0);
  assert_true(S_ISLNK(after.st_mode));
  assert_int_equal(stat(path, &after), 0);
  assert_int_equal(after.st_mode & 0777, 0640);
  assert_true(after.st_ino != before.st_ino); /* a new file took the name */
  remove(link);
  remove(path);
  char name[256];
  memset(name, 'n', 255);
  name[255] = 0;
  strcpy(path, in_directory(name)); /* as long as a name can be */
  assert_int_equal(glimpse_pomdp_write_file(model, path, NULL), GLIMPSE_OK);
  remove(path);
  glimpse_model_free(model);
}

static void tells_why_it_cannot_write(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = tiny_model();
  const char *path = in_directory("link"); /* a link that leads nowhere stays what it is */
  assert_int_equal(symlink("nowhere", path), 0);
  assert_int_equal(glimpse_pomdp_write_file(model, path, report), GLIMPSE_CANNOT_WRITE);
  check_report(report, GLIMPSE_CANNOT_WRITE, "cannot follow the symbolic link: No such file or directory");
  struct stat info;
  assert_int_equal(lstat(path, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  remove(path);
  path = in_directory("none/model.pomdp");
  assert_int_equal(glimpse_pomdp_write_file(model, path, report), GLIMPSE_CANNOT_WRITE);
  assert_string_equal(glimpse_report_get(report, 0)->source, path);
  check_report(report, GLIMPSE_CANNOT_WRITE, "cannot open a new file beside it: No such file or directory");
  assert_int_equal(glimpse_pomdp_write_file(model, directory, report), GLIMPSE_CANNOT_WRITE);
  check_report(report, GLIMPSE_CANNOT_WRITE, "cannot write: Is a directory");
  assert_int_equal(glimpse_pomdp_write_file(model, "", report), GLIMPSE_CANNOT_WRITE);
  glimpse_report_clear(report);
  if (access("/dev/full", W_OK) == 0) { /* a device is written to, not replaced */
    assert_int_equal(glimpse_pomdp_write_file(model, "/dev/full", report), GLIMPSE_CANNOT_WRITE);
    check_report(report, GLIMPSE_CANNOT_WRITE, "cannot write: No space left on device");
  }
  assert_int_equal(glimpse_pomdp_write_file(model, "/dev/null", report), GLIMPSE_OK);
  assert_int_equal(stat("/dev/null", &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  assert_int_equal(files(), 0);
  glimpse_model_free(model);
  glimpse_report_free(report);
}

/* Half way through, the file system says no: the old file is as it was and
 * nothing else is left. */
static void keeps_the_old_file(void **state) {
  (void)state;
  char path[400];
  strcpy(path, in_directory("model.pomdp"));
  put_text(path, "precious");
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = tiny_model();
  struct rlimit old, low;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  low = old;
  low.rlim_cur = 100;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  assert_int_equal(sigaction(SIGXFSZ, &ignore, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
  glimpse_status status = glimpse_pomdp_write_file(model, path, report);
  setrlimit(RLIMIT_FSIZE, &old);
  sigaction(SIGXFSZ, &before, NULL);
  assert_int_equal(status, GLIMPSE_CANNOT_WRITE);
  check_report(report, GLIMPSE_CANNOT_WRITE, "cannot write: File too large");
  check_text(path, "precious");
  assert_int_equal(files(), 1);
  remove(path);
  glimpse_model_free(model);
  glimpse_report_free(report);
}

/* All names that a new file could have are taken: by another process of that number that
 * died, say.  They are left alone. */
static void gives_up_when_all_names_are_taken(void **state) {
  (void)state;
  enum { NAMES = 100 };
  char path[400], taken[64];
  strcpy(path, in_directory("model.pomdp"));
  for (int i = 0; i < NAMES; i++) {
    snprintf(taken, sizeof taken, ".glimpse-%ld-%d", (long)getpid(), i);
    put_text(in_directory(taken), "not yours");
  }
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = tiny_model();
  assert_int_equal(glimpse_pomdp_write_file(model, path, report), GLIMPSE_CANNOT_WRITE);
  check_report(report, GLIMPSE_CANNOT_WRITE, "cannot open a new file beside it: File exists");
  assert_int_equal(files(), NAMES);
  snprintf(taken, sizeof taken, ".glimpse-%ld-%d", (long)getpid(), NAMES - 1);
  check_text(in_directory(taken), "not yours");
  remove(in_directory(taken)); /* one is enough */
  assert_int_equal(glimpse_pomdp_write_file(model, path, report), GLIMPSE_OK);
  assert_int_equal(files(), NAMES);
  remove(path);
  for (int i = 0; i < NAMES - 1; i++) {
    snprintf(taken, sizeof taken, ".glimpse-%ld-%d", (long)getpid(), i);
    remove(in_directory(taken));
  }
  glimpse_model_free(model);
  glimpse_report_free(report);
}

static glimpse_status write_half(const void *object, glimpse_sink sink, void *context) {
  (void)object;
  sink(context, "half", 4);
  return GLIMPSE_NO_MEMORY;
}

static void keeps_the_old_file_when_the_writer_fails(void **state) {
  (void)state;
  char path[400];
  strcpy(path, in_directory("model.pomdp"));
  glimpse_report *report = glimpse_report_new();
  for (int exists = 0; exists < 2; exists++) {
    if (exists) put_text(path, "precious");
    assert_int_equal(gli_file_write(path, write_half, NULL, report), GLIMPSE_NO_MEMORY);
    check_report(report, GLIMPSE_NO_MEMORY, "out of memory");
    assert_int_equal(files(), (size_t)exists);
  }
  check_text(path, "precious");
  remove(path);
  glimpse_report_free(report);
}

static glimpse_status write_once(void *context) {
  char path[400];
  strcpy(path, in_directory("sweep"));
  glimpse_status status = glimpse_pomdp_write_file(context, path, NULL);
  assert_int_equal(files(), status ? 0 : 1);
  remove(path);
  return status;
}

static glimpse_status read_once(void *context) {
  char *text;
  size_t length;
  glimpse_status status = gli_file_read(context, NULL, &text, &length);
  gli_memory_free(text);
  return status;
}

/* What comes through a pipe has no size that is known before: the text grows. */
static glimpse_status read_pipe(void *context) {
  static char page[1 << 16];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  memset(page, '#', sizeof page);
  assert_int_equal(write(ends[1], page, sizeof page), sizeof page); /* a pipe holds as much */
  close(ends[1]);
  char path[40], *text;
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  size_t length;
  glimpse_status status = gli_file_read(path, NULL, &text, &length);
  if (!status) assert_int_equal(length, sizeof page);
  else assert_null(text);
  if (!status) assert_memory_equal(text, page, sizeof page);
  gli_memory_free(text);
  close(ends[0]);
  ++*(int *)context;
  return status;
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  glimpse_model *model = tiny_model();
  assert_true(failing_malloc_sweep(write_once, model) >= 1);
  glimpse_model_free(model);
  char path[400];
  strcpy(path, in_directory("text"));
  put_text(path, "some text");
  assert_true(failing_malloc_sweep(read_once, path) > 0);
  int runs = 0;
  assert_true(failing_malloc_sweep(read_pipe, &runs) >= 2);
  assert_true(runs > 2);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_files),
      cmocka_unit_test(tells_why_it_cannot_read),
      cmocka_unit_test(reads_the_standard_input),
      cmocka_unit_test(reads_within_a_limit),
      cmocka_unit_test(writes_files),
      cmocka_unit_test(tells_why_it_cannot_write),
      cmocka_unit_test(keeps_the_old_file),
      cmocka_unit_test(gives_up_when_all_names_are_taken),
      cmocka_unit_test(keeps_the_old_file_when_the_writer_fails),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
