/* Random numbers: seeded, with named independent streams, the same everywhere. */
#ifndef GLI_BASE_RANDOM_H
#define GLI_BASE_RANDOM_H

#include <stdint.h>

typedef struct gli_random {
  uint64_t state[4];
} gli_random;

/* The stream `name` of `seed`, number `index`: different names or indices give
 * streams that have nothing to do with each other. */
gli_random gli_random_stream(uint64_t seed, const char *name, uint64_t index);
uint64_t gli_random_bits(gli_random *random);
/* Uniform in [0,1), a multiple of 2^-53. */
double gli_random_unit(gli_random *random);
/* Uniform in 0..count-1, without bias; count > 0. */
uint32_t gli_random_below(gli_random *random, uint32_t count);

#endif
