/* Picture: beliefs and states for the eye: drawings of grids, largest entries. */
#ifndef PICTURE_H
#define PICTURE_H

#include "glimpse.h"
#include "json.h"

/* The drawing of a belief as lines of text, to be freed; NULL when the model has
 * none (*status NOT_APPLICABLE) or there is no memory. */
char *picture_draw(const glimpse_model *model, glimpse_row belief, glimpse_status *status);
/* The lines of a drawing as an array; the text is changed. */
void picture_json(struct json *json, const char *key, char *picture);
/* "belief": states, entropy (in bits) and the largest entries. */
void picture_belief_json(struct json *json, const glimpse_model *model, const glimpse_belief *belief);

#endif
