/* Live: see live.h.  A plain form that also reads well in a file: after each step
 * the world beside the belief, then what was decided and what came of it. */
#include "live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/moment.h"
#include "output.h"
#include "picture.h"

enum { WIDTH = 79, GAP = 4, STATES = 4 };

struct live live_begin(const glimpse_model *model, double delay) {
  return (struct live){.on = true, .delay = delay, .model = model};
}

/* ------------------------------------------------------------------ picture */

/* Is it a line that is the same in every picture: what letters and shades mean? */
static bool is_legend(const struct live *live, const char *line, size_t length) {
  const char *legend = glimpse_model_scene(live->model)->legend;
  return !strncmp(line, ". <", 3) || (length && strlen(legend) == length && !strncmp(line, legend, length));
}

/* Takes these lines out; the first time they are shown. */
static void strip_legend(const struct live *live, char *picture) {
  char *to = picture;
  for (char *line = picture; *line;) {
    size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
    bool legend = is_legend(live, line, length);
    if (legend && !live->explained) output_print("%.*s\n", (int)length, line);
    if (!legend) {
      memmove(to, line, whole);
      to += whole;
    }
    line += whole;
  }
  *to = 0;
}

static size_t width_of(const char *text) {
  size_t width = 0;
  for (size_t length; *text; text += length + (text[length] == '\n')) {
    length = strcspn(text, "\n");
    if (length > width) width = length;
  }
  return width;
}

/* Prints the first line of a text, without its end, and steps over it. */
static int put_line(const char **text) {
  int length = (int)strcspn(*text, "\n");
  output_print("%.*s", length, *text);
  *text += length + ((*text)[length] == '\n');
  return length;
}

/* Two pictures side by side if they fit, else one below the other. */
static void show_pair(const char *world, const char *belief) {
  int width = (int)width_of(world);
  if (width + GAP + (int)width_of(belief) > WIDTH) {
    output_print("%s%s", world, belief);
    return;
  }
  output_print("%-*s%*s%s\n", width, "the world", GAP, "", "the belief");
  while (*world || *belief) {
    int length = put_line(&world);
    if (*belief) output_print("%*s", width - length + GAP, "");
    put_line(&belief);
    output_print("\n");
  }
}

/* Without a picture: the name of the state and the largest entries of the belief. */
static void show_words(const struct live *live, const glimpse_step *step) {
  size_t places[STATES], count = moment_largest(step->belief, places, STATES);
  output_print("the world is in '%s'; believed:", glimpse_model_name(live->model, GLIMPSE_STATE, step->state));
  for (size_t i = 0; i < count; i++)
    output_print("%s %s %.1f %%", i ? "," : "",
                 glimpse_model_name(live->model, GLIMPSE_STATE, step->belief.index[places[i]]),
                 100 * step->belief.value[places[i]]);
  output_print(step->belief.count > count ? ", ...\n" : "\n");
}

static bool show_place(struct live *live, const glimpse_step *step) {
  double one = 1;
  glimpse_status status;
  char *world = picture_draw(live->model, (glimpse_row){1, &step->state, &one}, &status);
  char *belief = world ? picture_draw(live->model, step->belief, &status) : NULL;
  if (belief) {
    strip_legend(live, belief);
    live->explained = true;
    strip_legend(live, world);
    show_pair(world, belief);
  } else if (status != GLIMPSE_NO_MEMORY) {
    show_words(live, step);
  }
  free(belief);
  free(world);
  return status != GLIMPSE_NO_MEMORY;
}

/* --------------------------------------------------------------------- step */

static void show_value(const glimpse_decision *decision) {
  if (!isnan(decision->lower)) output_print("worth %.3f to %.3f", decision->lower, decision->upper);
  else if (!isnan(decision->value)) output_print("worth about %.3f", decision->value);
  else output_print("worth unknown");
}

static void pause_for(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  if (seconds > 0) nanosleep(&time, NULL); /* a signal ends it early, which is right */
}

static void show_choice(const glimpse_model *model, const glimpse_step *step) {
  if (step->asked) {
    output_print("ask        ");
    show_value(&step->decision);
    output_print("; told '%s' for %.4g\n", glimpse_model_name(model, GLIMPSE_STATE, step->state), step->cost);
  }
  output_print("%-10s ", glimpse_model_name(model, GLIMPSE_ACTION, step->action));
  show_value(step->asked ? &step->after : &step->decision);
  output_print("; sees '%s', reward %.4g\n", glimpse_model_name(model, GLIMPSE_OBSERVATION, step->observation),
               step->reward);
}

static const char *answer_name(const glimpse_model *model, const glimpse_answer *answer) {
  return glimpse_model_answer_name(model, answer->inquiry, answer->answer);
}

/* A line for each question before the action, then one for the action and what is asked together with it. */
static void show_inquiries(const glimpse_model *model, const glimpse_step *step) {
  uint32_t before = step->answers;
  if (before && glimpse_model_inquiry(model, step->answer[before - 1].inquiry).timing == GLIMPSE_TIMING_JOINT) before--;
  for (uint32_t i = 0; i < before; i++) {
    const glimpse_answer *answer = &step->answer[i];
    output_print("ask %-6s ", glimpse_model_inquiry(model, answer->inquiry).name);
    if (!i) show_value(&step->decision);
    output_print("%stold '%s' for %.4g\n", i ? "" : "; ", answer_name(model, answer), answer->price);
  }
  if (step->action == GLIMPSE_ANY) return; /* asking was the step */
  output_print("%-10s ", glimpse_model_name(model, GLIMPSE_ACTION, step->action));
  show_value(before ? &step->after : &step->decision);
  output_print("; sees '%s', reward %.4g\n", glimpse_model_name(model, GLIMPSE_OBSERVATION, step->observation),
               step->reward);
  if (before == step->answers) return;
  const glimpse_answer *last = &step->answer[before];
  output_print("with %-5s told '%s' for %.4g\n", glimpse_model_inquiry(model, last->inquiry).name,
               answer_name(model, last), last->price);
}

bool live_step(struct live *live, const glimpse_step *step) {
  if (!live->on) return true;
  const glimpse_model *model = live->model;
  if (!step->step) live->requests = 0;
  live->requests += glimpse_model_inquiries(model) ? step->answers : step->asked;
  output_print("-- episode %llu, step %u --\n", (unsigned long long)step->episode + 1, step->step + 1);
  if (!show_place(live, step)) return false;
  if (glimpse_model_planning(model) != model) show_inquiries(model, step);
  else show_choice(model, step);
  output_print("so far     return %.4f, %u request%s\n\n", step->total, live->requests, live->requests == 1 ? "" : "s");
  if (step->last) output_print("The episode ends here with a return of %.4f.\n\n", step->total);
  output_flush();
  pause_for(live->delay);
  return true;
}
