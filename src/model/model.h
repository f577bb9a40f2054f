/* Model: the sparse POMDP-SR as the library sees it.
 *
 * Rows of T are numbered a * states + s, rows of O likewise with the reached
 * state.  Row r of a table is column/value[row[r] .. row[r+1]), columns
 * ascending, values > 0.
 *
 * Rewards: reward[a * states + s] is the expectation, used by planning.  The
 * full form R(s,a,s',o) keeps, per row (a,s), the entries of the coarsest of
 * four shapes that tells all steps of positive probability apart:
 *   one number          (ANY, ANY)
 *   by reached state    (s', ANY)
 *   by observation      (ANY, o)
 *   by both             (s', o)
 * sorted by (s', o), zeros left out.  The shape is unique, which makes two equal
 * models equal bit for bit. */
#ifndef GLI_MODEL_MODEL_H
#define GLI_MODEL_MODEL_H

#include <assert.h>

#include "base/memory.h"
#include "glimpse.h"
#include "model/names.h"

typedef struct gli_table {
  uint64_t *row;    /* rows + 1 offsets */
  uint32_t *column; /* non-zeros */
  double *value;    /* non-zeros */
} gli_table;

typedef struct gli_steps { /* full rewards */
  uint64_t *row;           /* actions * states + 1 offsets */
  uint32_t *next;          /* s' or GLIMPSE_ANY */
  uint32_t *observation;   /* o or GLIMPSE_ANY */
  double *value;
} gli_steps;

typedef struct gli_inquiry gli_inquiry; /* inquiry.h */
typedef struct gli_layers gli_layers;   /* layers.h */

struct glimpse_model {
  uint32_t states, actions, observations;
  double discount;
  bool requests;
  bool negated;    /* read from a file of costs */
  double cost;     /* as given, when uniform */
  double *costs;   /* as given, one per state when not uniform, else NULL */
  gli_table start; /* one row */
  gli_table transition, observe;
  double *reward;
  gli_steps steps;
  uint8_t *terminal;    /* one byte per state, 0 or 1 */
  bool ends;            /* there is a terminal state */
  gli_names names[3];   /* by glimpse_kind */
  glimpse_scene *scene; /* NULL when there is none */
  gli_inquiry *inquiries;
  uint32_t inquiry_count;
  glimpse_limits limits;
  uint64_t most;           /* non-zeros that the planning model may have; 0: GLIMPSE_MAX_ENTRIES */
  glimpse_model *planning; /* the model to plan on; NULL: this one */
  gli_layers *layers;      /* of a planning model: what its numbers mean; NULL otherwise */
};

static inline glimpse_row gli_table_row(const gli_table *table, uint64_t row) {
  uint64_t first = table->row[row];
  return (glimpse_row){(size_t)(table->row[row + 1] - first), table->column + first, table->value + first};
}

static inline uint64_t gli_model_row(const glimpse_model *model, uint32_t a, uint32_t s) {
  assert(a < model->actions && s < model->states);
  return (uint64_t)a * model->states + s;
}

/* What is paid for asking in a state.  When the episode is over nobody is asked: 0 in a terminal state, whatever cost
 * was given for it. */
static inline double gli_model_price(const glimpse_model *model, uint32_t s) {
  if (model->terminal[s]) return 0;
  return model->costs ? model->costs[s] : model->cost;
}

/* Is the price the same in all states? */
static inline bool gli_model_one_price(const glimpse_model *model) {
  return !model->costs && !model->ends;
}

/* Expected price of asking at a belief. */
static inline double gli_model_price_at(const glimpse_model *model, glimpse_row belief) {
  if (gli_model_one_price(model)) return model->cost;
  double price = 0;
  for (size_t i = 0; i < belief.count; i++) price += belief.value[i] * gli_model_price(model, belief.index[i]);
  return price;
}

void gli_steps_free(gli_steps *steps);

/* Largest and smallest expected reward over all states and actions. */
void gli_model_reward_range(const glimpse_model *model, double *low, double *high);

/* What is wrong with a scene of so many states, for a message; NULL: nothing. */
#define GLI_SCENE_MOST_TEXT "256"
enum { GLI_SCENE_MOST = 256 }; /* layers, and places */
const char *gli_scene_fault(const glimpse_scene *scene, uint32_t states);
/* NULL: out of memory. */
glimpse_scene *gli_scene_copy(const glimpse_scene *scene, uint32_t states);
void gli_scene_free(glimpse_scene *scene);

#endif
