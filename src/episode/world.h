/* World: a true state and the chance that moves it, for those that need no allocation. */
#ifndef GLI_EPISODE_WORLD_H
#define GLI_EPISODE_WORLD_H

#include "base/random.h"
#include "glimpse.h"

struct glimpse_world {
  const glimpse_model *model;
  gli_random random;
  uint32_t state;
};

/* One of the entries of a row, by their weights. */
uint32_t gli_world_draw(glimpse_world *world, glimpse_row row);
/* As glimpse_world_new. */
void gli_world_begin(glimpse_world *world, const glimpse_model *model, uint64_t seed, uint64_t episode);

#endif
