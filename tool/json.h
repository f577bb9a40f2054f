/* JSON of the program: one object, to the standard output; common/json.h has the rest. */
#ifndef JSON_H
#define JSON_H

#include "common/json.h"

struct json json_begin(void);

#endif
