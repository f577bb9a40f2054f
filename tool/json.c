/* JSON of the program: see json.h. */
#include "json.h"

#include "output.h"

struct json json_begin(void) {
  return json_begin_to(output_sink, NULL);
}
