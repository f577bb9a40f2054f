/* Model file: a model from a file in any format that is known. */
#ifndef XML_MODEL_FILE_H
#define XML_MODEL_FILE_H

#include <stddef.h>

#include "glimpse.h"

/* Reads a .pomdp or a POMDPX file, whichever it is: the name ends in .pomdpx, or the text begins with '<'; and a table
 * of an MDP, whose name ends in .csv or .json.  Otherwise as glimpse_pomdp_read_file.
 *
 * Behind the name there may be prices of inquiries, "robot.pomdp:camera=0.1,gps=2", unless a file has all that as its
 * name. */
glimpse_status model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                               glimpse_model **model);
/* How long the name of the file itself is, without prices. */
size_t model_file_length(const char *path);

#endif
