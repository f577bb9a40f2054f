/* Environments: the table of the built-in ones, and what each gives to it.
 *
 * An environment declares its parameters once, as a list of
 *
 *   X(key, default, RANGE, text)
 *
 * with RANGE one of WHOLE(low, high), REAL(low, high), COST() and
 * CHOICE("one|two"), and makes from it the three things that are needed:
 *
 *   enum { PARAMETERS(GLI_PARAMETER_INDEX) };                 value[KEY_n]
 *   static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
 *   static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};
 *
 * so that the help text, the default and the check cannot disagree. */
#ifndef GLI_ENVIRONMENTS_ENVIRONMENT_H
#define GLI_ENVIRONMENTS_ENVIRONMENT_H

#include "glimpse.h"

typedef enum gli_parameter_kind {
  GLI_WHOLE, /* a whole number in low..high */
  GLI_REAL,  /* a number in low..high, also as a fraction such as 1/3 */
  GLI_COST,  /* 0 or a positive finite number */
  GLI_CHOICE /* one of the words in `choices`; its value is its place there */
} gli_parameter_kind;

typedef struct gli_parameter_range {
  gli_parameter_kind kind;
  double low, high;
  const char *choices; /* separated by | */
  const char *text;    /* what is allowed, in words */
} gli_parameter_range;

#define GLI_TEXT_WHOLE(low, high) "a whole number from " #low " to " #high
#define GLI_TEXT_REAL(low, high) "a number from " #low " to " #high
#define GLI_TEXT_COST() "a positive number, or 0 for no requests"
#define GLI_TEXT_CHOICE(words) "one of " words

#define GLI_LIMITS_WHOLE(low, high) GLI_WHOLE, low, high, NULL
#define GLI_LIMITS_REAL(low, high) GLI_REAL, low, high, NULL
#define GLI_LIMITS_COST() GLI_COST, 0, 0, NULL
#define GLI_LIMITS_CHOICE(words) GLI_CHOICE, 0, 0, words

#define GLI_PARAMETER_INDEX(key, value, range, text) KEY_##key,
#define GLI_PARAMETER_SHOWN(key, value, range, text) {#key, value, text " (" GLI_TEXT_##range ")"},
#define GLI_PARAMETER_RANGE(key, value, range, text) {GLI_LIMITS_##range, GLI_TEXT_##range},

/* The parameter of environments whose setting asks together with an action; gli_environment_ask makes it so. */
#define GLI_TIMING_PARAMETER(X)                                                                                        \
  X(timing, "before", CHOICE("before|joint"), "ask before an action, or with one for the state that follows")

/* No environment has more parameters. */
enum { GLI_PARAMETERS_MAX = 12 };

typedef struct gli_environment {
  glimpse_environment shown;
  const gli_parameter_range *ranges; /* in the order of shown.parameters */
  /* Makes the model; value[i] belongs to parameter i and is in its range. */
  glimpse_status (*make)(const double *value, glimpse_report *report, glimpse_model **model);
} gli_environment;

/* All of them, in the order in which they are listed; each is in the file of its name. */
#define GLI_ENVIRONMENT_TABLE(X)                                                                                       \
  X(robot_delivery)                                                                                                    \
  X(tag)                                                                                                               \
  X(tiger)                                                                                                             \
  X(toy)                                                                                                               \
  X(two_state)                                                                                                         \
  X(rock_sample)                                                                                                       \
  X(loss)                                                                                                              \
  X(frozen_lake)                                                                                                       \
  X(even_odd)                                                                                                          \
  X(snake)                                                                                                             \
  X(sepsis)                                                                                                            \
  X(inventory)                                                                                                         \
  X(two_state_sensing)                                                                                                 \
  X(maintenance)                                                                                                       \
  X(battery_robot)

#define X(name) extern const gli_environment gli_environment_##name;
GLI_ENVIRONMENT_TABLE(X)
#undef X

/* The common end of every environment: finishes and frees the builder (NULL: it
 * could not be had), gives the model its scene (NULL: none). */
glimpse_status gli_environment_finish(glimpse_builder *builder, const glimpse_scene *scene, glimpse_report *report,
                                      glimpse_model **model);

/* A builder of a model in which nothing is seen but whether it is over: every state shows `running`, but those from
 * `end` on, which keep themselves and show `done`; an only one is called `end` (GLIMPSE_ANY: there is none).  NULL:
 * out of memory. */
glimpse_builder *gli_environment_unseen(uint32_t states, uint32_t actions, uint32_t end);

/* Requests for the state at the price c, by the value of the parameter `timing`; none where c is 0. */
void gli_environment_ask(glimpse_builder *builder, int timing, double c);

/* Names all of a kind from a list. */
void gli_environment_names(glimpse_builder *builder, glimpse_kind kind, const char *const *names, uint32_t count);

#endif
