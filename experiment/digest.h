/* Digest: FNV-1a of 64 bits, to recognise files and texts that have changed. */
#ifndef EXPERIMENT_DIGEST_H
#define EXPERIMENT_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)
enum { DIGEST_SIZE = 20 };

static inline uint64_t digest_byte(uint64_t digest, int byte) {
  return (digest ^ (unsigned char)byte) * UINT64_C(0x100000001b3);
}

/* 16 hexadecimal digits of a file's bytes.  A pipe cannot be read twice and has none: the text is empty.  False: it
 * cannot be read. */
bool digest_file(const char *path, char text[DIGEST_SIZE]);

#endif
