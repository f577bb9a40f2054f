/* Baseline: a planner that follows a rule (baseline.c), the rules (baseline_rule.c) and what they choose from a menu
 * (baseline_menu.c). */
#ifndef GLI_PLANNERS_BASELINE_H
#define GLI_PLANNERS_BASELINE_H

#include "belief/belief.h"
#include "planner/planner.h"

typedef struct gli_baseline {
  glimpse_planner planner;
  gli_belief_work *work; /* of a model with inquiries or limits; otherwise NULL ... */
  gli_children children; /* ... and room for what follows a choice there */
  bool failed;           /* there was no such room */
  gli_sparse belief;     /* empty: not begun */
  uint64_t since;        /* steps since the state was told; at the start: enough to ask */
  bool told;             /* in this step */
  bool silent, constant; /* never asks, always asks */
  double slack;          /* rounding of B_w, as bounds must not exceed the truth */
} gli_baseline;

/* B_w of an action at a belief: one step ahead with a value w per state. */
double gli_baseline_ahead(const glimpse_model *model, glimpse_row belief, uint32_t a, const double *w);
/* What the rule for actions goes by. */
double gli_baseline_score(const gli_baseline *self, glimpse_row belief, uint32_t a);
/* The first of the best actions. */
uint32_t gli_baseline_best(const gli_baseline *self, glimpse_row belief);
/* On the optimal value after an action, or after asking (GLIMPSE_ANY), which must be possible. */
glimpse_choice gli_baseline_bounds(const gli_baseline *self, glimpse_row belief, uint32_t action);
/* Between what the optimal value lies; `told`: asking is no choice. */
void gli_baseline_bracket(const gli_baseline *self, glimpse_row belief, bool told, double *lower, double *upper);
/* Is the episode over, whatever the state? */
bool gli_baseline_over(const glimpse_model *model, glimpse_row belief);
/* Should it ask here, when the state was told so many steps ago? */
bool gli_baseline_asks(const gli_baseline *self, glimpse_row belief, uint64_t since);

/* ---- models with inquiries or limits: baseline_menu.c ---- */

/* The layer of a belief of the planning model; GLIMPSE_ANY: the end of a horizon. */
uint32_t gli_baseline_layer(const glimpse_model *model, glimpse_row belief);
/* The best choice that asks nothing: an action or, in an early phase, to go on. */
uint32_t gli_baseline_quiet(const gli_baseline *self, glimpse_row belief, uint32_t layer);
/* The choice by the rule; self->failed: there was no memory. */
uint32_t gli_baseline_choose(gli_baseline *self, glimpse_row belief, bool told, uint64_t since);
/* What a choice in a layer changes in what the rule counts. */
void gli_baseline_count(const glimpse_model *model, uint32_t layer, uint32_t c, bool *told, uint64_t *since);

#endif
