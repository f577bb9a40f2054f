/* Moment: one step of an episode with all that a view of it shows.
 *
 * A live view and a replay show the same because both are made of moments and a
 * subject, and of nothing else.  Texts are cut at MOMENT_NAME, lists at MOMENT_LIST,
 * and numbers that JSON does not have are NaN, so that a moment that was written
 * and read again is the same. */
#ifndef COMMON_MOMENT_H
#define COMMON_MOMENT_H

#include "common/json.h"
#include "common/text.h"
#include "glimpse.h"

enum { MOMENT_NAME = 64, MOMENT_LIST = 64 };
enum { MOMENT_VERSION = 1 }; /* of recordings */

/* What is watched: the same for all moments. */
struct subject {
  const char *model;    /* as it was typed */
  const char *settings; /* the planner and its budget, in words */
  uint64_t episodes;    /* how many were to be played */
  uint32_t states, actions, observations;
  bool requests;              /* the agent may ask */
  bool inquiries;             /* its model has inquiries or limits: moments have answers */
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

/* An inquiry that was answered in the step. */
struct moment_answer {
  char inquiry[MOMENT_NAME], answer[MOMENT_NAME];
  double price; /* that was paid */
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
  uint32_t answers;                       /* of inquiries, in their order */
  bool joint;                             /* the last of them is about the state after the action */
  struct moment_answer *answer_list;
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

/* The moment of a step, by a planner that is still at its belief, to be freed; `requests`: of the
 * episode before it.  Where the model has inquiries or limits its choices are those of step->agent.  A step that has
 * not been made yet has the observation and next state GLIMPSE_ANY.  NULL: out of memory. */
struct moment *moment_new(const struct subject *subject, const glimpse_model *model, const glimpse_planner *planner,
                          const glimpse_step *step, uint32_t requests);
void moment_free(struct moment *moment);
/* The step in one line, without its end. */
void moment_tell(const struct moment *moment, glimpse_sink sink, void *context);
/* A subject and a moment as JSON, each a line with its end, to be freed; NULL: out of memory. */
char *moment_subject_line(const struct subject *subject);
char *moment_line(const struct moment *moment);
/* The keys of a moment, into an object that is open. */
void moment_json(const struct moment *moment, struct json *json);

/* The key "scene" of an object: null for no scene. */
void moment_scene(const glimpse_scene *scene, struct json *json);

/* Places in the row of its largest entries, largest first, of equal ones the
 * first; returns how many, at most `most`. */
size_t moment_largest(glimpse_row belief, size_t *places, size_t most);

#endif
