/* The reader of POMDPX texts: whatever the bytes are, it says what is wrong at a place inside the text, or gives a
 * model that is what models promise to be. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/same_model.h"
#include "xml/pomdpx.h"

static glimpse_model *read(const char *text, size_t length, bool strict, glimpse_status *status) {
  glimpse_pomdp_options options = {.strict = strict};
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) abort();
  *status = pomdpx_read(text, length, "fuzz", &options, report, &model);
  fuzz_check_report(report, *status, model != NULL);
  fuzz_check_places(report, text, length);
  glimpse_report_free(report);
  return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  glimpse_status loose_status, strict_status;
  char *text = malloc(size ? size : 1); /* no zero behind it */
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  glimpse_model *loose = read(text, size, false, &loose_status), *strict = read(text, size, true, &strict_status);
  FUZZ_CHECK(loose || !strict, "only the strict reader accepts it");
  if (loose) fuzz_check_model(loose);
  if (strict) {
    const char *difference = same_model_difference(loose, strict);
    FUZZ_CHECK(!difference, "the strict reader differs in %s", difference);
  }
  glimpse_model_free(loose);
  glimpse_model_free(strict);
  free(text);
  return 0;
}
