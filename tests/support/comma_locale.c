/* Comma locale: see comma_locale.h.  Most machines for building have no locale
 * but C; glibc's localedef makes one from five lines where it finds its character
 * maps (Debian: package locales). */
#include "support/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool in_force(const char *name) {
  return setlocale(LC_ALL, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Makes DIRECTORY/comma. */
static bool compile(const char *directory) {
  char path[256], command[600];
  snprintf(path, sizeof path, "%s/source", directory);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fputs("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n", file);
  fclose(file);
  snprintf(command, sizeof command, "localedef -c -i %s %s/comma >/dev/null 2>&1", path, directory);
  /* Both commands are made of constants and a name that mkdtemp has made: NOLINTNEXTLINE(cert-env33-c) */
  int code = system(command); /* 1: with warnings about the categories left out */
  (void)code;
  return true;
}

static bool make(void) {
  char directory[] = "/tmp/glimpse-locale-XXXXXX", command[64];
  if (!mkdtemp(directory)) return false;
  bool made = compile(directory) && setenv("LOCPATH", directory, 1) == 0 && in_force("comma");
  snprintf(command, sizeof command, "rm -rf %s", directory); /* the locale is in memory now */
  int code = system(command);                                /* NOLINT(cert-env33-c) */
  (void)code;
  return made;
}

bool comma_locale_enter(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "fr_FR.utf8",
                                      "nl_NL.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (in_force(names[i])) return true;
  if (make()) return true;
  comma_locale_leave();
  return false;
}

void comma_locale_leave(void) {
  setlocale(LC_ALL, "C");
}
