/* Planner: what every planner offers; the public functions dispatch to it.
 *
 * A planner embeds glimpse_planner as its first member.  Its belief moves by
 * begin, reveal and observe; plan searches from where it stands. */
#ifndef GLI_PLANNER_PLANNER_H
#define GLI_PLANNER_PLANNER_H

#include "bounds/bound.h"
#include "glimpse.h"

struct glimpse_offline {
  const glimpse_model *model;
  /* All of them, which these own, in the order of GLIMPSE_BOUND_TABLE. */
  glimpse_bound *lowers[GLIMPSE_BOUND_KINDS], *uppers[GLIMPSE_BOUND_KINDS];
  uint32_t lower_count, upper_count;
  /* Those that some planner needs by name. */
  const glimpse_bound *upper, *blind, *always_ask; /* always_ask: NULL without requests */
  const glimpse_bound *tib, *sequence;
};

typedef struct gli_planner_class {
  void (*free)(glimpse_planner *planner);
  glimpse_status (*begin)(glimpse_planner *planner, glimpse_row belief, uint64_t episode);
  glimpse_status (*plan)(glimpse_planner *planner, const glimpse_budget *budget, glimpse_decision *decision);
  glimpse_choice (*choice)(const glimpse_planner *planner, uint32_t action);
  glimpse_status (*reveal)(glimpse_planner *planner, uint32_t s);
  glimpse_status (*observe)(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief);
  /* What a choice is worth after certain steps, each of which has one outcome, with the beliefs that follow them; NULL:
   * nothing is known of that. */
  glimpse_choice (*later)(const glimpse_planner *planner, const glimpse_row *path, size_t steps, uint32_t choice);
  uint32_t (*act)(const glimpse_planner *planner); /* gli_planner_act; NULL: the largest lower bound */
  size_t (*forecast)(const glimpse_planner *planner, glimpse_forecast *steps, size_t count);
  glimpse_status (*visit)(const glimpse_planner *planner, const glimpse_visit *visit); /* NULL: no graph */
  struct gli_graph *(*graph)(const glimpse_planner *planner); /* of the search; NULL: there is none */
} gli_planner_class;

struct glimpse_planner {
  const gli_planner_class *class;
  const glimpse_model *model;
  const glimpse_offline *offline;
  glimpse_planner_options options;
  uint64_t refused; /* allocations, by the system and not by the limit of the options */
};

/* What a choice is worth a few certain steps later, by search and offline bounds; see above. */
glimpse_choice gli_planner_later(const glimpse_planner *planner, const glimpse_row *path, size_t steps,
                                 uint32_t choice);
/* The best action of the last plan, where asking is out of the question. */
uint32_t gli_planner_act(const glimpse_planner *planner);

#endif
