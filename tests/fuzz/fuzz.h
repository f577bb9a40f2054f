/* Fuzz: what the targets share.
 *
 * A target is one file fuzz_NAME.c with one function, LLVMFuzzerTestOneInput, which libFuzzer, AFL++
 * and replay.c call alike.  It ends the program when something is not as promised; anything a
 * sanitizer sees ends it, too.
 *
 * No input may take long or much memory, however large the model that it describes: an allocation
 * above FUZZ_LARGEST fails (out of memory is a status like any other), and a search sees a clock
 * that runs faster and faster, the same in each run. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glimpse.h"

enum { FUZZ_LARGEST = 1 << 19 }; /* bytes of one allocation */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what is wrong and ends the program. */
#define FUZZ_CHECK(condition, ...)                                                                                     \
  do {                                                                                                                 \
    if (!(condition)) fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                          \
  } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The clock of the library starts anew. */
void fuzz_clock_start(void);

/* ------------------------------------------------------------- bytes as choices */

struct fuzz_input {
  const uint8_t *data;
  size_t size;
};

/* A number below `count` (at least 1, at most 65536); 0 when no bytes are left. */
uint32_t fuzz_take(struct fuzz_input *input, uint32_t count);
/* Any number that eight bytes can be; 0 likewise. */
double fuzz_take_double(struct fuzz_input *input);

/* --------------------------------------------------------------- reports, models */

/* Does the report say what the status says?  `model`: was there one? */
void fuzz_check_report(const glimpse_report *report, glimpse_status status, bool model);
/* Does each finding have a place inside the text, and "fuzz" as its source?  What the builder finds in a model that
 * comes from no text of the library has neither. */
void fuzz_check_places(const glimpse_report *report, const char *text, size_t length);
/* A reader of models: whatever the bytes are, it says what is wrong at a place inside the text, or gives a model that
 * is what models promise to be; the strict reader accepts no more, and reads the same. */
typedef glimpse_status fuzz_reader(const char *text, size_t length, const char *source,
                                   const glimpse_pomdp_options *options, glimpse_report *report, glimpse_model **model);
void fuzz_check_reader(fuzz_reader *read, const uint8_t *data, size_t size);
/* Everything that a model promises. */
void fuzz_check_model(const glimpse_model *model);
/* Written, read and written again it is the same model and the same text. */
void fuzz_check_round_trip(const glimpse_model *model);
/* A small model out of bytes: up to 6 states, 4 actions and 4 observations.  With `wild` its rewards
 * and prices may be any numbers; else they can be planned with.  NULL: it is refused. */
glimpse_model *fuzz_make_model(struct fuzz_input *input, bool wild);

/* The text with a zero behind it and nothing readable behind that; to be freed.  NULL: no memory. */
char *fuzz_copy(const uint8_t *data, size_t size);

#endif
