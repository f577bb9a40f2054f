/* Report as JSON: everything that the tables of a report have, with all digits. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "experiment/tables.h"

/* False: out of memory, and the object has nulls in place of names. */
bool report_json(const struct tables *tables, const char *path);

#endif
