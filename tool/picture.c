/* Picture: see picture.h. */
#include "picture.h"

#include <string.h>

#include "common/moment.h"
#include "common/text.h"

enum { LARGEST = 8 }; /* entries of a belief that are told */

char *picture_draw(const glimpse_model *model, glimpse_row belief, glimpse_status *status) {
  struct text text = {0};
  *status = glimpse_model_draw(model, belief, text_sink, &text);
  text_put(&text, ""); /* there is a text, however short */
  if (text.failed) *status = GLIMPSE_NO_MEMORY;
  if (!*status) return text.data;
  text_free(&text);
  return NULL;
}

void picture_json(struct json *json, const char *key, char *picture) {
  json_array(json, key);
  for (char *line = picture; *line;) {
    size_t length = strcspn(line, "\n");
    bool more = line[length];
    line[length] = 0;
    json_text(json, NULL, line);
    line += length + more;
  }
  json_close(json);
}

void picture_belief_json(struct json *json, const glimpse_model *model, const glimpse_belief *belief) {
  glimpse_row row = glimpse_belief_row(belief);
  size_t places[LARGEST], count = moment_largest(row, places, LARGEST);
  json_object(json, "belief");
  json_count(json, "states", row.count);
  json_number(json, "entropy", glimpse_belief_entropy(belief));
  json_array(json, "largest");
  for (size_t i = 0; i < count; i++) {
    json_object(json, NULL);
    json_text(json, "state", glimpse_model_name(model, GLIMPSE_STATE, row.index[places[i]]));
    json_number(json, "probability", row.value[places[i]]);
    json_close(json);
  }
  json_close(json);
  json_close(json);
}
