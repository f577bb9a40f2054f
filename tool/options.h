/* Options: one table from which the values, their defaults, the range checks,
 * --help, the man pages and the machine-readable list are made. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

/* title; in the order in which help shows them */
#define OPTION_GROUP_TABLE(X)                                                                                          \
  X(MODEL, "Model options")                                                                                            \
  X(SEARCH, "Computation options")                                                                                     \
  X(OUTPUT, "Output options")

enum option_group {
#define X(id, title) GROUP_##id,
  OPTION_GROUP_TABLE(X)
#undef X
      GROUP_COUNT
};

/* Kinds: FLAG has no argument; COUNT is a whole number and NUMBER any number
 * from low to high; POSITIVE a number above 0; PRICE likewise, or "off", which
 * is 0; TEXT anything.
 *
 * The default is written as it would be typed.  One that is no value of the
 * option ("no limit"), or stands for a TEXT, is only shown: the field is then 0.
 * NULL: 0, and there is nothing to show.
 *
 * kind, field, name, letter, argument, default, low, high, commands, group, text */
#define OPTION_TABLE(X)                                                                                                \
  X(PRICE, cost, "cost", 0, "NUMBER|off", "the model's", 0, 0, FOR_INFO | FOR_CONVERT | FOR_BOUNDS, GROUP_MODEL,       \
    "price of asking for the state; \"off\": the agent may not ask")                                                   \
  X(NUMBER, discount, "discount", 0, "NUMBER", "the model's", 0, 1, FOR_INFO | FOR_CONVERT | FOR_BOUNDS, GROUP_MODEL,  \
    "what a reward one step later is worth")                                                                           \
  X(FLAG, strict, "strict", 0, NULL, NULL, 0, 0, FOR_INFO | FOR_CHECK | FOR_CONVERT | FOR_BOUNDS, GROUP_MODEL,         \
    "what the grammar of .pomdp files does not allow is an error, not a warning")                                      \
  X(FLAG, equivalent, "equivalent", 0, NULL, NULL, 0, 0, FOR_CONVERT, GROUP_MODEL,                                     \
    "write the equivalent POMDP without requests, for solvers that know none")                                         \
  X(POSITIVE, tolerance, "tolerance", 0, "NUMBER", "1e-9", 0, 0, FOR_BOUNDS, GROUP_SEARCH,                             \
    "a bound has converged when no entry changes by more than this in an iteration")                                   \
  X(COUNT, max_iterations, "max-iterations", 0, "N", "no limit", 1, 1e15, FOR_BOUNDS, GROUP_SEARCH,                    \
    "stop each bound after so many iterations; it stays valid")                                                        \
  X(POSITIVE, max_seconds, "max-seconds", 0, "NUMBER", "no limit", 0, 0, FOR_BOUNDS, GROUP_SEARCH,                     \
    "stop each bound after this time; it stays valid")                                                                 \
  X(COUNT, threads, "threads", 0, "N", "the cores", 1, 1024, FOR_BOUNDS, GROUP_SEARCH,                                 \
    "how many threads to use; the results do not depend on it")                                                        \
  X(TEXT, output, "output", 'o', "FILE", "the standard output", 0, 0, FOR_CONVERT, GROUP_OUTPUT,                       \
    "write to FILE, whole or not at all")                                                                              \
  X(FLAG, draw, "draw", 0, NULL, NULL, 0, 0, FOR_INFO, GROUP_OUTPUT, "draw the start belief (grid environments)")      \
  X(TEXT, state, "state", 0, "NAME", NULL, 0, 0, FOR_INFO, GROUP_OUTPUT,                                               \
    "draw this state (name or number) instead of the start belief")                                                    \
  X(FLAG, list, "list", 0, NULL, NULL, 0, 0, FOR_HELP, GROUP_OUTPUT, "only the names of the commands")                 \
  X(FLAG, man, "man", 0, NULL, NULL, 0, 0, FOR_HELP, GROUP_OUTPUT, "the man page, in roff")                            \
  X(FLAG, json, "json", 0, NULL, NULL, 0, 0, FOR_ALL, GROUP_OUTPUT, "one JSON object instead of text")                 \
  X(FLAG, help, "help", 'h', NULL, NULL, 0, 0, FOR_ALL, GROUP_OUTPUT,                                                  \
    "show how to use the command, and do nothing else")

enum option_id {
#define X(kind, field, ...) OPTION_##field,
  OPTION_TABLE(X)
#undef X
      OPTION_COUNT
};

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_COUNT uint64_t
#define OPTION_TYPE_NUMBER double
#define OPTION_TYPE_POSITIVE double
#define OPTION_TYPE_PRICE double
#define OPTION_TYPE_TEXT const char *

/* A command line, taken apart. */
struct options {
#define X(kind, field, ...) OPTION_TYPE_##kind field;
  OPTION_TABLE(X)
#undef X
  bool given[OPTION_COUNT];      /* by option_id */
  const struct command *command; /* NULL when none was named */
  bool version;
  char **operand; /* those after the command; part of argv */
  size_t operands;
};

enum option_kind { KIND_FLAG, KIND_COUNT, KIND_NUMBER, KIND_POSITIVE, KIND_PRICE, KIND_TEXT };

/* A row of the table, for those who describe options. */
struct option {
  const char *name;
  const char *argument; /* NULL for flags */
  const char *preset;   /* the default */
  const char *text;
  double low, high;
  size_t offset; /* of the field in struct options */
  unsigned commands;
  enum option_kind kind;
  enum option_group group;
  char letter; /* 0: none */
};

/* The i-th option, NULL past the last. */
const struct option *option_get(size_t i);
const char *option_group_title(enum option_group group);
/* "0 to 1", "above 0", ...; "" where anything goes. */
void option_range(const struct option *option, char text[80]);

/* Takes argv apart; reorders it so that operands stand together.  TOOL_OK, or
 * TOOL_USAGE after a message. */
int options_parse(int argc, char **argv, struct options *options);

#endif
