/* Specifications of 'glimpse bench': JSON that is refused with a place and a sentence, or a grid of
 * settings that is whole.
 *
 * No file is read: environments that are not built in do not exist here.  After some models and
 * settings there is no memory for more, so that a small text with a large product ends soon. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/spec.h"
#include "fuzz.h"

enum { MOST_MODELS = 40, MOST_SETTINGS = 400 };

static unsigned models, settings;

glimpse_status __real_glimpse_environment_make(const char *spec, glimpse_report *report, glimpse_model **model);
bool __real_setting_describe(struct setting *setting, const glimpse_model *model, const char *digest);
glimpse_status __wrap_glimpse_environment_make(const char *spec, glimpse_report *report, glimpse_model **model);
bool __wrap_setting_describe(struct setting *setting, const glimpse_model *model, const char *digest);
glimpse_status __wrap_model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                                      glimpse_model **model);
glimpse_status __wrap_appl_import_file(const char *path, const glimpse_model *model, glimpse_report *report,
                                       glimpse_policy **policy);

glimpse_status __wrap_glimpse_environment_make(const char *spec, glimpse_report *report, glimpse_model **model) {
  if (++models <= MOST_MODELS) return __real_glimpse_environment_make(spec, report, model);
  *model = NULL;
  return GLIMPSE_NO_MEMORY;
}

bool __wrap_setting_describe(struct setting *setting, const glimpse_model *model, const char *digest) {
  return ++settings <= MOST_SETTINGS && __real_setting_describe(setting, model, digest);
}

glimpse_status __wrap_model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                                      glimpse_model **model) {
  (void)path, (void)options, (void)report;
  *model = NULL;
  return GLIMPSE_CANNOT_READ;
}

glimpse_status __wrap_appl_import_file(const char *path, const glimpse_model *model, glimpse_report *report,
                                       glimpse_policy **policy) {
  (void)path, (void)model, (void)report;
  *policy = NULL;
  return GLIMPSE_CANNOT_READ;
}

static void check_setting(const struct spec *spec, const struct setting *setting) {
  FUZZ_CHECK(setting->key && *setting->key && setting->environment && setting->options, "a setting has no key");
  FUZZ_CHECK(setting->model < spec->catalogue.count, "model %zu", setting->model);
  FUZZ_CHECK(setting->episodes >= 1 && setting->max_steps >= 1, "'%s'", setting->key);
  FUZZ_CHECK((setting->budget.time > 0) != (setting->budget.expansions > 0), "'%s' has not one budget", setting->key);
  FUZZ_CHECK(setting->planner.kind < GLIMPSE_PLANNER_KINDS && setting->planner.rule < GLIMPSE_RULES &&
                 setting->planner.improve < GLIMPSE_IMPROVES,
             "'%s'", setting->key);
  FUZZ_CHECK(!setting->policy == (setting->planner.kind != GLIMPSE_PLANNER_POLICY) &&
                 setting->policy <= spec->catalogue.policies.count,
             "'%s'", setting->key);
  FUZZ_CHECK(setting_bounded(setting) == (setting->upper_text != NULL), "'%s'", setting->key);
  const glimpse_model *model = spec->catalogue.entries[setting->model].model;
  FUZZ_CHECK(glimpse_model_plannable(model, NULL) == GLIMPSE_OK, "'%s' cannot be planned", setting->key);
  FUZZ_CHECK(setting->discount == glimpse_model_discount(model), "'%s'", setting->key);
  char text[200];
  setting_text(setting, text, sizeof text);
  FUZZ_CHECK(*text && strlen(text) < sizeof text, "'%s'", setting->key);
}

static void check_spec(const struct spec *spec) {
  uint64_t episodes = 0;
  bool timed = false;
  FUZZ_CHECK(*spec->name && spec->scale && spec->count >= 1 && spec->setting_count >= 1, "'%s'", spec->name);
  for (size_t i = 0; i < spec->setting_count; i++) {
    check_setting(spec, &spec->settings[i]);
    episodes += spec->settings[i].episodes;
    timed = timed || spec->settings[i].budget.time > 0;
    for (size_t k = 0; k < i; k++)
      FUZZ_CHECK(strcmp(spec->settings[i].key, spec->settings[k].key) != 0, "'%s' is there twice",
                 spec->settings[i].key);
  }
  FUZZ_CHECK(spec_episodes(spec) == episodes && spec_timed(spec) == timed, "%llu", (unsigned long long)episodes);
  for (size_t i = 0; i < spec->count; i++) {
    const struct spec_experiment *experiment = &spec->experiments[i];
    FUZZ_CHECK(experiment->count >= 1 && experiment->title && experiment->axis, "'%s'", experiment->name);
    for (size_t k = 0; k < experiment->count; k++)
      FUZZ_CHECK(experiment->parts[k].setting < spec->setting_count, "'%s'", experiment->name);
  }
}

/* "fuzz.json" or "fuzz.json:LINE", the line inside the text. */
static void check_complaint(const complaint *why, const char *text, size_t size) {
  unsigned long lines = 1;
  for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
  FUZZ_CHECK(*why->text && !strchr(why->text, '\n'), "'%s'", why->text);
  FUZZ_CHECK(!strncmp(why->place, "fuzz.json", 9), "'%s'", why->place);
  if (!why->place[9]) return;
  char *end;
  unsigned long line = strtoul(why->place + 10, &end, 10);
  FUZZ_CHECK(why->place[9] == ':' && !*end && line >= 1 && line <= lines, "'%s' of %lu lines", why->place, lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size ? size : 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  for (int full = 0; full < 2; full++) {
    struct spec spec;
    complaint why = {{0}, {0}, {0}};
    models = settings = 0;
    bool good = spec_read(&spec, text, size, "fuzz.json", full ? "full" : NULL, &why);
    if (good) check_spec(&spec);
    else check_complaint(&why, text, size);
    spec_free(&spec);
  }
  free(text);
  return 0;
}
