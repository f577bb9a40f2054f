/* World: see world.h.  A draw takes one number of the stream, so that what happens at a step
 * depends on the actions before it and on nothing else. */
#include "episode/world.h"

#include "base/memory.h"

/* One of the entries of a row, by their weights. */
static uint32_t draw(glimpse_world *world, glimpse_row row) {
  double u = gli_random_unit(&world->random);
  for (size_t i = 0; i + 1 < row.count; i++) {
    u -= row.value[i];
    if (u < 0) return row.index[i];
  }
  return row.index[row.count - 1];
}

void gli_world_begin(glimpse_world *world, const glimpse_model *model, uint64_t seed, uint64_t episode) {
  *world = (glimpse_world){.model = model, .random = gli_random_stream(seed ? seed : 1, "world", episode)};
  world->state = world->before = draw(world, glimpse_model_start(model));
}

glimpse_world *glimpse_world_new(const glimpse_model *model, uint64_t seed, uint64_t episode) {
  glimpse_world *world = GLI_NEW(glimpse_world, 1);
  if (world) gli_world_begin(world, model, seed, episode);
  return world;
}

void glimpse_world_free(glimpse_world *world) {
  gli_memory_free(world);
}

uint32_t glimpse_world_state(const glimpse_world *world) {
  return world->state;
}

glimpse_status glimpse_world_act(glimpse_world *world, uint32_t action, glimpse_outcome *outcome) {
  const glimpse_model *model = world->model;
  if (action >= glimpse_model_count(model, GLIMPSE_ACTION)) return GLIMPSE_BAD_ARGUMENT;
  uint32_t before = world->before = world->state;
  outcome->state = world->state = draw(world, glimpse_model_transition(model, action, before));
  outcome->observation = draw(world, glimpse_model_observation(model, action, outcome->state));
  outcome->reward = glimpse_model_reward_step(model, action, before, outcome->state, outcome->observation);
  return GLIMPSE_OK;
}

glimpse_status glimpse_world_ask(glimpse_world *world, uint32_t inquiry, glimpse_answer *answer) {
  const glimpse_model *model = world->model;
  glimpse_inquiry what = glimpse_model_inquiry(model, inquiry);
  if (!what.name) return GLIMPSE_BAD_ARGUMENT;
  uint32_t asked_in = what.timing == GLIMPSE_TIMING_JOINT ? world->before : world->state;
  glimpse_row effect = glimpse_model_inquiry_effect(model, inquiry, world->state);
  if (effect.count) world->state = draw(world, effect);
  *answer = (glimpse_answer){inquiry, draw(world, glimpse_model_inquiry_answers(model, inquiry, world->state)),
                             glimpse_model_inquiry_price(model, inquiry, asked_in)};
  if (what.unpaid && answer->answer == what.nothing) answer->price = 0;
  return GLIMPSE_OK;
}
