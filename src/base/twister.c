/* Twister: MT19937 (M. Matsumoto and T. Nishimura, ACM TOMACS 8, 1998).
 *
 * The library's own random numbers are those of random.c.  This generator is here
 * because published benchmarks were drawn with it, and a seed names such a draw.
 *
 * The state is a sequence x of words with x[k+624] = x[k+397] ^ A(high bit of x[k],
 * low 31 bits of x[k+1]), where A shifts right by one and adds a constant if the bit
 * shifted out was 1.  What is handed out is a word with its bits mixed ("tempered"). */
#include "base/twister.h"

enum { SIZE = GLI_TWISTER_SIZE, MIDDLE = 397 };

void gli_twister_seed(gli_twister *twister, uint32_t seed) {
  twister->word[0] = seed;
  for (uint32_t i = 1; i < SIZE; i++) {
    uint32_t last = twister->word[i - 1];
    twister->word[i] = UINT32_C(1812433253) * (last ^ (last >> 30)) + i;
  }
  twister->used = SIZE;
}

static void renew(gli_twister *twister) {
  for (uint32_t i = 0; i < SIZE; i++) {
    uint32_t pair = (twister->word[i] & UINT32_C(0x80000000)) | (twister->word[(i + 1) % SIZE] & UINT32_C(0x7fffffff));
    twister->word[i] = twister->word[(i + MIDDLE) % SIZE] ^ (pair >> 1) ^ (pair & 1 ? UINT32_C(0x9908b0df) : 0);
  }
  twister->used = 0;
}

uint32_t gli_twister_bits(gli_twister *twister) {
  if (twister->used == SIZE) renew(twister);
  uint32_t x = twister->word[twister->used++];
  x ^= x >> 11;
  x ^= (x << 7) & UINT32_C(0x9d2c5680);
  x ^= (x << 15) & UINT32_C(0xefc60000);
  return x ^ (x >> 18);
}

double gli_twister_unit(gli_twister *twister) {
  uint32_t high = gli_twister_bits(twister) >> 5, low = gli_twister_bits(twister) >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}
