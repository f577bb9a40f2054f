/* Moment: one step of an episode with all that a view of it shows.
 *
 * A live view and a replay show the same because both are made of moments and a
 * subject, and of nothing else.  Texts are cut at MOMENT_NAME, lists at MOMENT_LIST,
 * and numbers that JSON does not have are NaN, so that a moment that was written
 * and read again is the same. */
#ifndef MOMENT_H
#define MOMENT_H

#include "glimpse.h"

enum { MOMENT_NAME = 64, MOMENT_LIST = 64 };

/* What is watched: the same for all moments. */
struct subject {
  const char *model;    /* as it was typed */
  const char *settings; /* the planner and its budget, in words */
  uint64_t episodes;    /* how many were to be played */
  uint32_t states, actions, observations;
  bool requests;              /* the agent may ask */
  bool simulates;             /* values and visits instead of bounds (POMCP) */
  bool timed;                 /* a time budget: seconds are told */
  const glimpse_scene *scene; /* its cells are not used; NULL: a model without pictures */
};

struct moment_decision {
  double lower, upper, value;
  double reduction; /* percent of the offline gap that is closed */
  double seconds;   /* NaN unless timed */
  uint64_t expansions;
  glimpse_stop stop;
};

struct moment_state {
  char name[MOMENT_NAME];
  double probability;
  bool truth;
};

struct moment_choice {
  char name[MOMENT_NAME];
  bool ask, taken;
  double lower, upper, value;
  uint64_t visits;
};

struct moment_weight {
  uint32_t slot;
  double weight;
};

/* A layer of the scene.  Slots: cells of the grid, then places, then nowhere. */
struct moment_layer {
  uint32_t truth; /* the slot where it is */
  uint32_t count;
  const struct moment_weight *weights; /* where it is believed to be, slots ascending; a part of weight_list */
};

struct moment {
  uint64_t episode;
  uint32_t step; /* both from 0 */
  bool last;
  char state[MOMENT_NAME], action[MOMENT_NAME], observation[MOMENT_NAME], next[MOMENT_NAME];
  bool asked;
  struct moment_decision decision, after; /* after: when it asked */
  double reward, cost, total;
  uint32_t requests; /* of the episode, this step included */
  double entropy;    /* of the belief, in bits */
  uint32_t support;  /* states of the belief */
  uint32_t states;   /* the most probable of them, largest first, and the true one */
  struct moment_state *state_list;
  uint32_t choices; /* best first; of the last decision; the one taken is among them */
  struct moment_choice *choice_list;
  uint32_t layers;
  struct moment_layer *layer_list;
  struct moment_weight *weight_list; /* of all layers */
};

/* The moment of a step, to be freed; `requests`: of the episode before it.  NULL:
 * out of memory. */
struct moment *moment_new(const struct subject *subject, const glimpse_model *model, const glimpse_step *step,
                          uint32_t requests);
void moment_free(struct moment *moment);
/* Number of slots of a scene. */
uint32_t moment_slots(const glimpse_scene *scene);
/* The step in one line, for where no terminal shows it. */
void moment_tell(const struct moment *moment);

#endif
