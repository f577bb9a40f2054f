/* Model file: a model from a file in any format that is known. */
#ifndef XML_MODEL_FILE_H
#define XML_MODEL_FILE_H

#include "glimpse.h"

/* Reads a .pomdp or a POMDPX file, whichever it is: the name ends in .pomdpx, or the text begins with '<'; and a table
 * of an MDP, whose name ends in .csv or .json.  Otherwise as glimpse_pomdp_read_file. */
glimpse_status model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                               glimpse_model **model);

#endif
