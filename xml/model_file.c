/* Model file: see model_file.h. */
#include "xml/model_file.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/mdp.h"
#include "xml/pomdpx.h"
#include "xml/xml.h"

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

glimpse_status model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                               glimpse_model **model) {
  char *text;
  size_t length;
  *model = NULL;
  glimpse_status status = glimpse_text_read(path, report, &text, &length);
  if (status) return status;
  const char *source = strcmp(path, "-") ? path : "standard input";
  if (ends_in(path, ".csv")) status = mdp_csv_read(text, length, source, report, model);
  else if (ends_in(path, ".json")) status = mdp_json_read(text, length, source, report, model);
  else if (ends_in(path, ".pomdpx") || xml_begins(text, length))
    status = pomdpx_read(text, length, source, options, report, model);
  else status = glimpse_pomdp_read(text, length, source, options, report, model);
  glimpse_text_free(text);
  return status;
}
