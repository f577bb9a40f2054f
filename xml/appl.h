/* Appl: policies of APPL (SARSOP), which are vectors in XML; and policies from a file in any format that is known. */
#ifndef XML_APPL_H
#define XML_APPL_H

#include "glimpse.h"

/* Reads vectors for this model.  Otherwise as glimpse_policy_from_vectors. */
glimpse_status appl_read(const char *text, size_t length, const char *source, const glimpse_model *model,
                         glimpse_report *report, glimpse_policy **policy);

/* As glimpse_policy_import, and the same for XML, which begins with '<'. */
glimpse_status appl_import(const char *text, size_t length, const char *source, const glimpse_model *model,
                           glimpse_report *report, glimpse_policy **policy);
/* The same from a file; "-" is the standard input. */
glimpse_status appl_import_file(const char *path, const glimpse_model *model, glimpse_report *report,
                                glimpse_policy **policy);

#endif
