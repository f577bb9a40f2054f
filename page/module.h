/* Module: what the parts of the module share; see module.c. */
#ifndef PAGE_MODULE_H
#define PAGE_MODULE_H

#include "common/json.h"
#include "common/text.h"
#include "glimpse.h"

#define EXPORT(name) __attribute__((export_name(#name)))

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
  glimpse_belief *belief, *before;
  glimpse_world *world;
  glimpse_step step;
  glimpse_decision decision; /* of the last slice */
  uint64_t expansions;       /* of all slices of this decision */
  double discount;           /* of this step */
  uint32_t requests;
  bool planned, over;
};

extern struct page page;

/* Begins an answer, and gives it. */
struct json page_answer(void);
const char *page_given(struct json *json);
/* How it went, with what was found on the way. */
const char *page_outcome(glimpse_status status);

#endif
