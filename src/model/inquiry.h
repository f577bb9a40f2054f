/* Inquiry: what a model's agent may ask besides the request for the state that planners know, and the drafts from
 * which the builder makes it. */
#ifndef GLI_MODEL_INQUIRY_H
#define GLI_MODEL_INQUIRY_H

#include "glimpse.h"
#include "model/log.h"
#include "model/model.h"

struct gli_inquiry {
  char *name;
  glimpse_timing timing;
  bool state, unpaid;
  uint32_t answers; /* "nothing" included */
  uint32_t nothing; /* the last answer, or GLIMPSE_ANY */
  double price;     /* as given, when uniform */
  double *prices;   /* as given, one per state when not uniform, else NULL */
  gli_table answer; /* one row per state */
  gli_table effect; /* likewise; row is NULL when there is none */
  gli_names names;  /* of answers; the names of states are not repeated */
};

/* What is paid on average for asking in s, when the answer is about s2: nothing when the episode is over, and for a
 * failure only where that is paid. */
double gli_inquiry_paid(const glimpse_model *model, const gli_inquiry *inquiry, uint32_t s, uint32_t s2);

void gli_inquiries_free(gli_inquiry *inquiries, uint32_t count);

/* An inquiry in the making. */
typedef struct gli_inquiry_draft {
  char *name;
  glimpse_timing timing;
  bool state, unpaid;
  bool changes;     /* it has an effect */
  uint32_t answers; /* without "nothing" */
  double price;     /* of all states while prices is NULL */
  double *prices;   /* NULL: all the same */
  double failure;   /* likewise */
  double *failures; /* likewise */
  gli_log answer, effect;
  gli_names names;
} gli_inquiry_draft;

typedef struct gli_drafts {
  gli_inquiry_draft *item;
  size_t count, capacity;
  glimpse_limits limits;
  uint64_t most; /* non-zeros that a planning model may have; 0: GLIMPSE_MAX_ENTRIES */
} gli_drafts;

void gli_drafts_free(gli_drafts *drafts);
/* A new one at the end; NULL: out of memory. */
gli_inquiry_draft *gli_drafts_add(gli_drafts *drafts, const glimpse_inquiry *inquiry, uint32_t states);
/* Sets one number per state, or that of all states; false: out of memory. */
bool gli_draft_number(double *all, double **each, uint32_t states, uint32_t s, double value);

/* Where findings go, and where in a text an inquiry stands (may be NULL). */
typedef struct gli_inquiry_gate {
  glimpse_report *report;
  void (*find)(void *context, uint32_t inquiry, uint64_t *line, uint64_t *column);
  void *context;
} gli_inquiry_gate;

/* Gives the model its inquiries and limits.  The model is otherwise complete. */
glimpse_status gli_drafts_resolve(gli_drafts *drafts, const gli_inquiry_gate *gate, glimpse_model *model);

#endif
