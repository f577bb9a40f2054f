/* Hash: FNV-1a of 64 bits.  Each step is one to one, so that one changed byte always shows. */
#ifndef GLI_BASE_HASH_H
#define GLI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define GLI_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t gli_hash(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < count; i++) hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
