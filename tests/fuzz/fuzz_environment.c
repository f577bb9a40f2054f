/* Names of environments such as "robot-delivery:n=3,cost=0.5": they are refused with words, or make a
 * model that keeps every promise, can be drawn, written and read again. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { SMALL = 4000 }; /* rows of a model that is written, too */

struct picture {
  size_t pieces, length;
};

static bool look(void *context, const char *text, size_t length) {
  struct picture *picture = context;
  picture->pieces++;
  picture->length = length;
  for (size_t i = 0; i < length; i++)
    FUZZ_CHECK(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'), "byte %d in a picture", text[i]);
  return true;
}

static void check_scene(const glimpse_model *model) {
  const glimpse_scene *scene = glimpse_model_scene(model);
  struct picture picture = {0, 0};
  uint32_t last = glimpse_model_count(model, GLIMPSE_STATE) - 1;
  double one = 1;
  glimpse_row rows[2] = {glimpse_model_start(model), {1, &last, &one}};
  for (size_t i = 0; i < 2; i++) {
    glimpse_status status = glimpse_model_draw(model, rows[i], look, &picture);
    FUZZ_CHECK(status == (scene ? GLIMPSE_OK : GLIMPSE_NOT_APPLICABLE) || status == GLIMPSE_NO_MEMORY, "status %d",
               (int)status);
  }
  if (!scene) return;
  FUZZ_CHECK(strspn(scene->background, "\n") == 0, "the background has line ends");
  for (size_t i = 0; i < (size_t)scene->layers * (last + 1); i++)
    FUZZ_CHECK(scene->cells[i] == GLIMPSE_ANY || scene->cells[i] < scene->rows * scene->columns + scene->places,
               "cell %u", (unsigned)scene->cells[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *name = fuzz_copy(data, size);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  if (!name || !report) abort();
  glimpse_status status = glimpse_environment_make(name, report, &model);
  fuzz_check_report(report, status, model != NULL);
  FUZZ_CHECK(!status || status == GLIMPSE_BAD_ARGUMENT || status == GLIMPSE_NO_MEMORY || status == GLIMPSE_TOO_LARGE,
             "status %d", (int)status);
  if (model) {
    uint64_t rows = (uint64_t)glimpse_model_count(model, GLIMPSE_STATE) * glimpse_model_count(model, GLIMPSE_ACTION);
    fuzz_check_model(model);
    check_scene(model);
    if (rows <= SMALL) fuzz_check_round_trip(model);
  }
  glimpse_model_free(model);
  glimpse_report_free(report);
  free(name);
  return 0;
}
