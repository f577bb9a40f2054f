/* Tuning: the numbers of the search that are choices, each with its reason (docs/PERFORMANCE.md: what each trades). */
#ifndef GLI_GRAPH_TUNING_H
#define GLI_GRAPH_TUNING_H

#include <stdbool.h>
#include <stdint.h>

enum {
  /* One of so many beliefs of a pass (walked and fringe) is expanded before the next pass: fewer repeat walks, more
   * expand by a Psi that is out of date. */
  GLI_TUNING_BATCH = 6,
  /* The plan is walked and backed up in one of so many passes. */
  GLI_TUNING_PLAN = 8,
  /* One of so many walked nodes looks at vectors and points again in a pass. */
  GLI_TUNING_REFRESH = 16,
  /* One of so many walked nodes is offered as a point. */
  GLI_TUNING_OFFER = 4,
  /* Learnt vectors in use at first, at most: each is evaluated at each selected belief.  Later one more for so many
   * expansions, up to MORE and within so many bytes, where memory is at least 64 times that: a long search has beliefs
   * of more kinds. */
  GLI_TUNING_VECTORS = 64,
  GLI_TUNING_VECTORS_MORE = 256,
  GLI_TUNING_VECTORS_EACH = 256,
  GLI_TUNING_VECTORS_BYTES = 1 << 18,
  /* Bytes of the matrix of vectors at most: large models use fewer. */
  GLI_TUNING_MATRIX = 1 << 24,
  /* Work of one point backup or one new vector at most: what takes longer is not learnt. */
  GLI_TUNING_LEARN_WORK = 1 << 21,
  /* Work of a new vector, for each transition and observation of an action. */
  GLI_TUNING_NEW_WORK = 32,
  /* Points of the sawtooth at most. */
  GLI_TUNING_POINTS = 1024,
  /* Numbers of points that are compared with one belief, at most: where all beliefs have the same states, all points
   * would be. */
  GLI_TUNING_LOOKS = 2048,
  /* Points that lower a bound together, at most. */
  GLI_TUNING_PARTS = 2,
  /* Expansions after which points are compared with the table anew, besides one for so many states; at first sooner. */
  GLI_TUNING_EPOCH = 128,
  GLI_TUNING_EPOCH_STATES = 32,
  /* Steps of a sampled path at most. */
  GLI_TUNING_PATH = 60,
};

/* A selected belief whose gap vectors and points shrink below this share of it goes back instead of being expanded. */
#define GLI_TUNING_ENOUGH 0.9
/* Walks end where what is below could not have been chosen by the last pass, by this factor; after a pass that found
 * too little to choose from they go further, by the second factor. */
#define GLI_TUNING_CUT 0.5
#define GLI_TUNING_CUT_LESS 0.01
/* Walks of the plan end where the gap is below this share of the root's. */
#define GLI_TUNING_PLAN_CUT 0.01
/* What links between beliefs that are nearly equal may change of any value, together, relative to the largest. */
#define GLI_TUNING_MERGE 0x1p-26
/* Point backups per expansion, where only the lower bound of the root moves; and in the first so many expansions. */
#define GLI_TUNING_BACKUPS 0.25
#define GLI_TUNING_BACKUPS_FIRST 4096
/* Each pass forgets this share of how the root's bounds moved before it. */
#define GLI_TUNING_FORGET 0.03
/* A path is told of a change as long as the gap shrinks by this share. */
#define GLI_TUNING_TELL 0.02
/* A gap is closed that is not larger than this share of the largest value. */
#define GLI_TUNING_SOLVED 1e-6
/* A vector must be better by this share of the root's gap to be worth a place. */
#define GLI_TUNING_BETTER 1e-4
/* A point must lower the bound there by this share of its gap. */
#define GLI_TUNING_DEEPER 1e-2
/* Smaller weights of a point are none. */
#define GLI_TUNING_NEAR 1e-3

/* Trial: is something worth its cost?  Where it rarely helps it is tried less and less often. */
typedef struct gli_trial {
  uint32_t tried, helped, skip, wait;
} gli_trial;

enum { GLI_TRIAL_ROUND = 64, GLI_TRIAL_SHARE = 16, GLI_TRIAL_SKIP = 31 };

static inline bool gli_trial_due(gli_trial *trial) {
  if (!trial->wait) return true;
  trial->wait--;
  return false;
}
static inline void gli_trial_note(gli_trial *trial, bool helped) {
  trial->tried++;
  trial->helped += helped;
  if (trial->tried == GLI_TRIAL_ROUND) {
    bool pays = trial->helped * GLI_TRIAL_SHARE >= trial->tried;
    trial->skip = pays ? trial->skip / 2 : trial->skip < GLI_TRIAL_SKIP ? 2 * trial->skip + 1 : GLI_TRIAL_SKIP;
    trial->tried = trial->helped = 0;
  }
  trial->wait = trial->skip;
}

#endif
