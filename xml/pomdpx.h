/* Pomdpx: models in the POMDPX format of APPL (SARSOP), factored ones among them. */
#ifndef XML_POMDPX_H
#define XML_POMDPX_H

#include <stdbool.h>
#include <stddef.h>

#include "glimpse.h"

/* Reads a model from memory and flattens it; docs/YOUR-MODEL.md says how.  As glimpse_pomdp_read, with the same limits
 * in proportion to the text. */
glimpse_status pomdpx_read(const char *text, size_t length, const char *source, const glimpse_pomdp_options *options,
                           glimpse_report *report, glimpse_model **model);

#endif
