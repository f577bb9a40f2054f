/* Random numbers: the generator is xoshiro256** (Blackman and Vigna), its state
 * filled by splitmix64 from a hash of seed, stream name and index.  Integer
 * arithmetic only, so every machine draws the same numbers. */
#include "base/random.h"

#include <string.h>

#include "base/hash.h"

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

gli_random gli_random_stream(uint64_t seed, const char *name, uint64_t index) {
  uint64_t x = seed;
  x = splitmix(&x) ^ index;
  x = splitmix(&x);
  x = gli_hash(x, name, strlen(name));
  gli_random random;
  for (int i = 0; i < 4; i++) random.state[i] = splitmix(&x);
  return random;
}

static uint64_t rotate(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

uint64_t gli_random_bits(gli_random *random) {
  uint64_t *s = random->state;
  uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double gli_random_unit(gli_random *random) {
  return (double)(gli_random_bits(random) >> 11) * 0x1p-53;
}

uint32_t gli_random_below(gli_random *random, uint32_t count) {
  /* Lemire: the high half of a product, rejecting the few biased low halves. */
  uint64_t product = (gli_random_bits(random) >> 32) * count;
  if ((uint32_t)product < count) {
    uint32_t threshold = (uint32_t)(-count) % count;
    while ((uint32_t)product < threshold) product = (gli_random_bits(random) >> 32) * count;
  }
  return (uint32_t)(product >> 32);
}
