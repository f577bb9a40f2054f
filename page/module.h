/* Module: what the parts of the module share; see module.c. */
#ifndef PAGE_MODULE_H
#define PAGE_MODULE_H

#include "common/json.h"
#include "common/text.h"
#include "glimpse.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* What was chosen and seen, so that another agent can be brought to where this one is. */
struct deed {
  glimpse_move move; /* both GLIMPSE_ANY: the state was asked for */
  uint32_t observation, answer;
};

struct page {
  char *room;
  size_t size;
  struct text out;
  glimpse_report *report;
  glimpse_model *model;
  char name[200];
  glimpse_offline *offline;
  glimpse_planner_options options;
  glimpse_planner *planner;
  glimpse_agent *agent;
  glimpse_prospect *prospects; /* room for all; the agent's where the model has inquiries or limits */
  uint32_t prospect_count;
  glimpse_belief *before;  /* the belief at the beginning of the step */
  struct deed *deeds;      /* of this episode */
  glimpse_answer *answers; /* of this step */
  size_t deed_count, deed_room, answer_room;
  glimpse_world *world;
  glimpse_step step;
  glimpse_decision decision; /* of the last slice */
  uint64_t expansions;       /* of all slices of this decision */
  uint64_t earlier;          /* of the decisions before it in this step, but for the first */
  double discount;           /* of this step */
  uint32_t requests;
  bool planned, over;
  bool settled; /* the agent has decided, in the phase of acting: other choices need page_return */
};

extern struct page page;

/* The model has inquiries or limits, so that planners plan on another one. */
bool page_layered(void);
/* What is known now, without more of a search. */
glimpse_status page_look(glimpse_decision *decision);
/* The agent anew where the episode stands, with nothing decided or searched there. */
glimpse_status page_return(void);
/* Tells the agent what was done and seen. */
glimpse_status page_tell(const struct deed *deed);

/* Begins an answer, and gives it. */
struct json page_answer(void);
const char *page_given(struct json *json);
/* How it went, with what was found on the way. */
const char *page_outcome(glimpse_status status);

#endif
