/* Commands: what `glimpse NAME ...` can be.
 *
 * A new command is one file command_NAME.c that defines command_NAME, one line
 * in COMMAND_TABLE, and its bit in the rows of OPTION_TABLE that it reads.
 * main.c has the list of them all and gives it to those who need it. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stddef.h>

/* In the order in which help lists them. */
#define COMMAND_TABLE(X)                                                                                               \
  X(INFO, info)                                                                                                        \
  X(CHECK, check)                                                                                                      \
  X(CONVERT, convert)                                                                                                  \
  X(BOUNDS, bounds)                                                                                                    \
  X(SOLVE, solve)                                                                                                      \
  X(VERIFY, verify)                                                                                                    \
  X(PLAN, plan)                                                                                                        \
  X(EXPLAIN, explain)                                                                                                  \
  X(POLICY, policy)                                                                                                    \
  X(PRICE, price)                                                                                                      \
  X(MAP, map)                                                                                                          \
  X(RUN, run)                                                                                                          \
  X(REPLAY, replay)                                                                                                    \
  X(VIEW, view)                                                                                                        \
  X(AGENT, agent)                                                                                                      \
  X(BENCH, bench)                                                                                                      \
  X(REPORT, report)                                                                                                    \
  X(HELP, help)

enum command_id {
#define X(id, name) COMMAND_##id,
  COMMAND_TABLE(X)
#undef X
      COMMAND_COUNT
};

/* Bits that say which commands read an option. */
enum command_bit {
#define X(id, name) FOR_##id = 1 << COMMAND_##id,
  COMMAND_TABLE(X)
#undef X
      FOR_VALUES = FOR_PRICE | FOR_MAP,
  FOR_PLANNING = FOR_PLAN | FOR_EXPLAIN | FOR_RUN | FOR_AGENT,
  FOR_ALL = (1 << COMMAND_COUNT) - 1
};

/* Exit status of the program; 128 and the number of the signal when a signal
 * ended the work early. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2, TOOL_SIGNAL = 128 };

struct options;

/* A command line that works when pasted, and what it does. */
struct example {
  const char *line, *text;
};

struct command {
  const char *name;
  const char *summary;            /* completes "glimpse NAME - ..." */
  const char *operands;           /* as in the usage line */
  unsigned least, most;           /* how many operands */
  const char *text;               /* paragraphs with an empty line between them */
  const struct example *examples; /* ends with a NULL line */
  int (*run)(const struct options *options);
};

#define X(id, name) extern const struct command command_##name;
COMMAND_TABLE(X)
#undef X

/* All of them, in the order of the table. */
struct commands {
  const struct command *at[COMMAND_COUNT];
};

/* The name of the i-th. */
const char *command_name(size_t i);
/* Its bit among those above. */
unsigned command_bit(const struct command *command);
/* The command of this name; a name that is none is a usage error, with a hint.
 * TOOL_OK or TOOL_USAGE. */
int command_require(const struct commands *all, const char *name, const struct command **command);

#endif
