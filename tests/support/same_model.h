/* Same model: are two models equal in every array, bit for bit? */
#ifndef SUPPORT_SAME_MODEL_H
#define SUPPORT_SAME_MODEL_H

#include "glimpse.h"

/* What differs first, in words; NULL when nothing does.  Scenes are not looked
 * at. */
const char *same_model_difference(const glimpse_model *left, const glimpse_model *right);
/* Fails the test when something differs. */
void same_model_check(const glimpse_model *left, const glimpse_model *right);

#endif
