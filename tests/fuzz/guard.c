/* Guard: limits that hold for every input; see fuzz.h.  Linked into the targets with --wrap. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);
double __wrap_gli_clock_now(void);

void *__wrap_malloc(size_t size) {
  return size > FUZZ_LARGEST ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return size && count > FUZZ_LARGEST / size ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
  return size > FUZZ_LARGEST ? NULL : __real_realloc(old, size);
}

void __wrap_free(void *old) {
  __real_free(old);
}

/* Any deadline comes after some dozens of looks. */
static double clock_now;

void fuzz_clock_start(void) {
  clock_now = 0;
}

double __wrap_gli_clock_now(void) {
  return clock_now += 1e-4 + clock_now;
}

void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%d: %s does not hold: ", file, line, condition);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  abort();
}

char *fuzz_copy(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) return NULL;
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  return copy;
}

uint32_t fuzz_take(struct fuzz_input *input, uint32_t count) {
  uint32_t value = 0;
  for (uint32_t room = 1; room < count && input->size; room *= 256) {
    value = 256 * value + *input->data++;
    input->size--;
  }
  return value % count;
}

double fuzz_take_double(struct fuzz_input *input) {
  double value = 0;
  if (input->size < sizeof value) return 0;
  memcpy(&value, input->data, sizeof value);
  input->data += sizeof value;
  input->size -= sizeof value;
  return value;
}
