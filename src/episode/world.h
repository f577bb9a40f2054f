/* World: a true state and the chance that moves it, for those that need no allocation. */
#ifndef GLI_EPISODE_WORLD_H
#define GLI_EPISODE_WORLD_H

#include "base/random.h"
#include "glimpse.h"

struct glimpse_world {
  const glimpse_model *model;
  gli_random random;
  uint32_t state;
  uint32_t before; /* the last action */
};

/* As glimpse_world_new. */
void gli_world_begin(glimpse_world *world, const glimpse_model *model, uint64_t seed, uint64_t episode);

#endif
