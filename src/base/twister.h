/* Twister: the random numbers of others, to make again what they made. */
#ifndef GLI_BASE_TWISTER_H
#define GLI_BASE_TWISTER_H

#include <stdint.h>

enum { GLI_TWISTER_SIZE = 624 };

typedef struct gli_twister {
  uint32_t word[GLI_TWISTER_SIZE];
  uint32_t used;
} gli_twister;

/* As NumPy's random.seed (one number) and the generator's init_genrand do it. */
void gli_twister_seed(gli_twister *twister, uint32_t seed);
uint32_t gli_twister_bits(gli_twister *twister);
/* Uniform in [0,1), a multiple of 2^-53, as NumPy's random.random_sample and the generator's genrand_res53. */
double gli_twister_unit(gli_twister *twister);

#endif
