/* Layers: what the numbers of a planning model mean (layers.c), and how it is made (layered.c). */
#ifndef GLI_MODEL_LAYERS_H
#define GLI_MODEL_LAYERS_H

#include "glimpse.h"
#include "model/model.h"

/* A layer: how far an episode has come.  Always known to the agent. */
typedef struct gli_layer {
  uint32_t time;  /* steps made; 0 without a horizon */
  uint32_t used;  /* requests made; 0 without a limit, limit + 1: none is left, and nothing was asked for since */
  uint32_t phase; /* questions passed in this step; the last phase is that of acting */
  bool closed;    /* one was passed without asking, so that nothing is asked any more before the action; of no meaning,
                     and false, where there is but one question */
} gli_layer;

struct gli_layers {
  uint32_t states, actions, observations; /* of the model */
  uint32_t phases;                        /* questions before an action */
  uint32_t limit, horizon;                /* 0: none */
  double discount;                        /* of the planning model */
  uint32_t count;
  gli_layer *layer;
  double *scale;   /* per layer */
  uint32_t *at;    /* layer by (time * uses + used) * places + place in the step; GLIMPSE_ANY: never met */
  uint32_t uses;   /* values of `used` */
  uint64_t places; /* in a step: the phases 0 .. phases, then the closed ones 1 .. phases */

  uint32_t inquiries;
  glimpse_timing *timing; /* per inquiry */
  uint32_t *answers;      /* likewise */
  uint32_t *first_choice; /* likewise: its first choice */
  uint32_t *first_seen;   /* likewise: its first observation */
  uint64_t *first_pair;   /* likewise, inquiries + 1: of a joint one its first pair */
  uint64_t *pair;         /* observation << 32 | answer, ascending for each inquiry */
  uint32_t choices;
  uint32_t seen;    /* observations of the planning model */
  uint32_t nothing; /* what is seen where nothing is; GLIMPSE_ANY: there is no such moment */
};

/* Finds the layers of a model with inquiries or limits; TOO_LARGE, with a sentence, when there are too many. */
glimpse_status gli_layers_new(const glimpse_model *model, glimpse_report *report, gli_layers **layers);
void gli_layers_free(gli_layers *layers);

/* x^(1/n) for x in [0,1], the same bits on every machine. */
double gli_layers_root(double x, uint32_t n);

/* The planning model of a model with inquiries or limits. */
glimpse_status gli_layered_new(const glimpse_model *model, glimpse_report *report, glimpse_model **planning);

#endif
