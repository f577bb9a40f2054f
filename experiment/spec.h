/* Spec: the description of experiments in JSON, and the grid of settings it stands for.
 * docs/EXPERIMENTS.md describes the format. */
#ifndef EXPERIMENT_SPEC_H
#define EXPERIMENT_SPEC_H

#include "common/complaint.h"
#include "common/text.h"
#include "experiment/catalogue.h"
#include "experiment/setting.h"

struct spec_part {
  size_t setting;
  double paper_seconds; /* NaN: none */
};

struct spec_experiment {
  char *name, *title, *axis;
  struct spec_part *parts;
  size_t count, capacity;
};

struct spec {
  char *name, *scale;
  struct spec_experiment *experiments;
  size_t count, capacity;
  struct setting *settings; /* each once, in the order in which they were met */
  size_t setting_count, setting_capacity;
  struct catalogue catalogue;
  struct text hints; /* old spellings that were met, one per line */
};

/* Reads text[0..length) and makes the grid for a scale (NULL: "quick" if the specification has it, else the
 * first it has, else none).  `source` names it in complaints, and names
 * of model files are relative to its directory.  False with a complaint; spec_free is
 * to be called in any case. */
bool spec_read(struct spec *spec, const char *text, size_t length, const char *source, const char *scale,
               complaint *why);
void spec_free(struct spec *spec);

/* Episodes in all. */
uint64_t spec_episodes(const struct spec *spec);
/* Is there a budget of time? */
bool spec_timed(const struct spec *spec);

#endif
