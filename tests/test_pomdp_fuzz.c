/* Texts made from good ones by chance: pieces are cut out, doubled, moved, bytes
 * changed, words of the grammar thrown in.  Whatever comes out, the reader ends,
 * touches nothing it should not (a sanitizer sees), says what is wrong with a
 * place inside the text, and what it reads is written and read again as the same
 * model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/pomdp.h"

enum { ROUNDS = 6000, ROOM = 4096 };

static const char *const seeds[] = {
    ("discount: 0.95\nvalues: reward\nstates: left right\nactions: listen open-left open-right\n"
     "observations: hear-left hear-right\n# glimpse: cost 0.5\nstart: uniform\nT: listen\nidentity\nT: open-left "
     "uniform\n"
     "T: open-right uniform\nO: listen\n0.85 0.15\n0.15 0.85\nO: open-left uniform\nO: open-right uniform\n"
     "R: listen : * : * : * -1\nR: open-left : left : * : * -100\nR: open-left : right : * : * 10\n"),
    ("discount: 1.0\nvalues: cost\nstates: 3\nactions: 2\nobservations: 2\nstart: 0.5 0.25 0.25\n"
     "T: 0 : 0 : 1 1\nT: 0 : 1 : 2 .5\nT: 0 : 1 : 0 5e-1\nT: 0 : 2 reset\nT: 1 : *\n0 0 1\n"
     "O: * : * : 0 0.25\nO: * : * : 1 0.75\nR: 0 : 0\n1 2\n3 4\n5 6\nR: 1 : 2 : 0 - 3 4\n"),
    ("# glimpse: cost b 2\n# glimpse: cost a 1\ndiscount: 0\nvalues: reward\nstates: a b\nactions: x\nstart exclude: "
     "a\n"
     "T: x : a : b 1.0\nT: x : b : * 0.5\nR: x : * : a 3\n"),
};

static const char *const pieces[] = {
    "T:",
    "O:",
    "R:",
    ":",
    " : ",
    "*",
    "\n",
    " ",
    "#",
    "# glimpse: cost ",
    "start:",
    "start include:",
    "start exclude:",
    "states:",
    "actions:",
    "observations:",
    "discount:",
    "values:",
    "uniform",
    "identity",
    "reset",
    "reward",
    "cost",
    "0",
    "1",
    "2",
    "0.5",
    "-1",
    "1e999",
    "99999999999999999999",
    "16777216",
    "left",
    "a",
    "-",
    "+",
    ".",
    "\r\n",
    "\xef\xbb\xbf",
    "\xff",
    "\t",
};

static size_t insert(char *text, size_t length, size_t at, const char *piece, size_t size) {
  if (length + size > ROOM) return length;
  memmove(text + at + size, text + at, length - at);
  memcpy(text + at, piece, size);
  return length + size;
}

static size_t mutate(gli_random *random, char *text, size_t length) {
  size_t at = gli_random_below(random, (uint32_t)length + 1),
         size = 1 + gli_random_below(random, gli_random_below(random, 2) ? 30 : 2);
  const char *piece = pieces[gli_random_below(random, sizeof pieces / sizeof *pieces)];
  char copy[32];
  if (size > length - at) size = length - at;
  switch (gli_random_below(random, 5)) {
    case 0: /* cut */ memmove(text + at, text + at + size, length - at - size); return length - size;
    case 1: /* double */
      memcpy(copy, text + at, size);
      return insert(text, length, gli_random_below(random, (uint32_t)length + 1), copy, size);
    case 2: /* change a byte */
      if (size) text[at] = (char)gli_random_below(random, 256);
      return length;
    default: return insert(text, length, at, piece, strlen(piece));
  }
}

static uint64_t lines_of(const char *text, size_t length) {
  uint64_t lines = 1;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n' || text[i] == '\r';
  return lines;
}

static void check(const char *text, size_t length, uint64_t round) {
  char *exact = malloc(length ? length : 1);
  assert_non_null(exact);
  memcpy(exact, text, length);
  glimpse_report *report = glimpse_report_new();
  glimpse_pomdp_options options = {.strict = round % 4 == 0};
  glimpse_model *model;
  glimpse_status status = glimpse_pomdp_read(exact, length, "fuzz", &options, report, &model);
  bool good = (status == GLIMPSE_OK) == (model != NULL) &&
              (status == GLIMPSE_OK) == (glimpse_report_count(report, GLIMPSE_ERROR) == 0);
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    good = good && message->line >= 1 && message->line <= lines_of(text, length) && message->column >= 1 &&
           message->column <= length + 1 && *message->text;
  }
  if (!good) fail_msg("round %u: status %d", (unsigned)round, (int)status);
  if (model) pomdp_check_round_trip(model);
  glimpse_model_free(model);
  glimpse_report_free(report);
  free(exact);
}

static void survives_chance(void **state) {
  (void)state;
  unsigned models = 0;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    gli_random random = gli_random_stream(20, "fuzz", round);
    char text[ROOM];
    const char *seed = seeds[round % 3];
    size_t length = strlen(seed);
    memcpy(text, seed, length);
    for (uint32_t times = 1 + gli_random_below(&random, 3); times > 0; times--) length = mutate(&random, text, length);
    glimpse_model *model;
    models += glimpse_pomdp_read(text, length, NULL, NULL, NULL, &model) == GLIMPSE_OK && model;
    glimpse_model_free(model);
    check(text, length, round);
  }
  assert_in_range(models, ROUNDS / 50, ROUNDS - ROUNDS / 50); /* both kinds occur */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(survives_chance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
