/* Spelling: words of specifications that earlier versions spelt differently. */
#ifndef EXPERIMENT_SPELLING_H
#define EXPERIMENT_SPELLING_H

#include "common/complaint.h"
#include "common/document.h"
#include "common/text.h"

/* Gives fields and words of the document the spelling of today.  Adds a line to the hints for each word that it
 * changes, once: "spec.json:3: 'seconds' is now 'time'".  False with a complaint where both spellings are given. */
bool spelling_update(document *root, const char *source, struct text *hints, complaint *why);

#endif
