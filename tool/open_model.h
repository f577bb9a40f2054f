/* Models from the command line. */
#ifndef OPEN_MODEL_H
#define OPEN_MODEL_H

#include "glimpse.h"
#include "json.h"
#include "options.h"

/* Makes the model of a MODEL argument: an environment or a file.  The findings
 * go to the report; --strict is honoured. */
glimpse_status open_model_load(const char *spec, const struct options *options, glimpse_report *report,
                               glimpse_model **model);
/* Prints why it failed.  Returns TOOL_FAILED. */
int open_model_failure(const char *spec, const glimpse_report *report, glimpse_status status);
/* Both for the first operand, with --cost and --discount applied and warnings
 * printed.  NULL on failure. */
glimpse_model *open_model(const struct options *options);
/* The same for a MODEL that stands elsewhere. */
glimpse_model *open_model_named(const struct options *options, const char *spec);

/* TOOL_OK when the model can be planned on; otherwise says why not and what helps,
 * and returns TOOL_FAILED. */
int open_model_plannable(const glimpse_model *model, const char *spec);

/* The state of a name or number that was typed.  TOOL_OK, or TOOL_FAILED after a
 * message that names some that there are. */
int open_model_state(const glimpse_model *model, const char *spec, const char *name, uint32_t *s);

/* The keys discount and cost, see below. */
void open_model_json_terms(const glimpse_model *model, struct json *json);
/* The keys that all commands tell about a model: states, actions, observations,
 * discount, cost (null: requests are off; an array when it depends on the state). */
void open_model_json(const glimpse_model *model, struct json *json);
/* "2 states, 3 actions, 2 observations" */
void open_model_counts(const glimpse_model *model, char text[120]);
/* What to say of values where the file gives costs; NULL where it gives rewards. */
const char *open_model_sign(const glimpse_model *model);

#endif
