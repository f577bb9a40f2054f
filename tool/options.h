/* Options: one table from which the values, their defaults, the range checks,
 * --help, the man pages and the machine-readable list are made. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "glimpse.h"

/* title; in the order in which help shows them */
#define OPTION_GROUP_TABLE(X)                                                                                          \
  X(MODEL, "Model options")                                                                                            \
  X(BUDGET, "Budget of a decision")                                                                                    \
  X(SEARCH, "Computation options")                                                                                     \
  X(EPISODES, "Episodes")                                                                                              \
  X(OUTPUT, "Output options")

enum option_group {
#define X(id, title) GROUP_##id,
  OPTION_GROUP_TABLE(X)
#undef X
      GROUP_COUNT
};

/* Kinds: FLAG has no argument; COUNT is a whole number and NUMBER any number
 * from low to high; POSITIVE a number above 0; PRICE likewise, or "off", which
 * is 0; SIZE a COUNT of bytes that may end with K, M or G (2^10, 2^20, 2^30);
 * CHOICE one of the words "a|b|c" of the argument, kept as its place among them;
 * TEXT anything.
 *
 * The default is written as it would be typed.  One that is no value of the
 * option ("no limit"), or stands for a TEXT, is only shown: the field is then 0.
 * NULL: 0, and there is nothing to show.
 *
 * kind, field, name, letter, argument, default, low, high, commands, group, text */
#define OPTION_TABLE(X)                                                                                                \
  X(PRICE, cost, "cost", 0, "NUMBER|off", "the model's", 0, 0,                                                         \
    FOR_INFO | FOR_CONVERT | FOR_BOUNDS | FOR_SOLVE | FOR_VERIFY | FOR_POLICY | FOR_VALUES | FOR_PLANNING | FOR_VIEW,  \
    GROUP_MODEL, "price of asking for the state; \"off\": the agent may not ask")                                      \
  X(NUMBER, discount, "discount", 0, "NUMBER", "the model's", 0, 1,                                                    \
    FOR_INFO | FOR_CONVERT | FOR_BOUNDS | FOR_SOLVE | FOR_VERIFY | FOR_POLICY | FOR_VALUES | FOR_PLANNING,             \
    GROUP_MODEL, "worth of a reward one step later, relative to now")                                                  \
  X(FLAG, strict, "strict", 0, NULL, NULL, 0, 0,                                                                       \
    FOR_INFO | FOR_CHECK | FOR_CONVERT | FOR_BOUNDS | FOR_SOLVE | FOR_VERIFY | FOR_POLICY | FOR_VALUES | FOR_PLANNING, \
    GROUP_MODEL, "deviations from the grammar of .pomdp files are errors, not warnings")                               \
  X(FLAG, equivalent, "equivalent", 0, NULL, NULL, 0, 0, FOR_CONVERT, GROUP_MODEL,                                     \
    "write the equivalent POMDP without requests, for other solvers")                                                  \
  X(TEXT, belief, "belief", 0, "STATE|S=P,S=P,...", "the start", 0, 0, FOR_PLAN | FOR_EXPLAIN, GROUP_MODEL,            \
    "current belief: one state, or states with their probabilities")                                                   \
  X(TEXT, policy, "policy", 0, "FILE", NULL, 0, 0, FOR_PLANNING | FOR_MAP | FOR_VIEW, GROUP_SEARCH,                    \
    "follow the policy that 'glimpse solve' wrote to FILE, without search; with a limit of time or expansions: "       \
    "search, and start from its bounds; view: show it")                                                                \
  X(TEXT, model, "model", 0, "MODEL", NULL, 0, 0, FOR_POLICY, GROUP_MODEL,                                             \
    "the model of the policy, which alpha and appl need, and pg where the policy asks")                                \
  X(POSITIVE, tolerance, "tolerance", 0, "NUMBER", "1e-9", 0, 0, FOR_BOUNDS, GROUP_SEARCH,                             \
    "a bound has converged when no entry changes by more than this in an iteration")                                   \
  X(COUNT, max_iterations, "max-iterations", 0, "N", "1000000", 1, 1e15, FOR_BOUNDS, GROUP_SEARCH,                     \
    "stop each bound after this many iterations; it stays valid")                                                      \
  X(POSITIVE, max_time, "max-time", 0, "SECONDS", "no limit", 0, 0, FOR_BOUNDS, GROUP_SEARCH,                          \
    "stop each bound after this time; it stays valid")                                                                 \
  X(COUNT, threads, "threads", 0, "N", "the cores", 1, 1024, FOR_BOUNDS | FOR_BENCH, GROUP_SEARCH,                     \
    "number of threads (bench under mpirun: per rank, by default 1); results do not depend on it")                     \
  X(PRICE, time, "time", 0, "SECONDS|off", "0.1, or off with --expansions; solve: off", 0, 0,                          \
    FOR_PLANNING | FOR_VALUES | FOR_SOLVE, GROUP_BUDGET,                                                               \
    "end a search after this time; \"off\": no time limit. The offline bounds may take as long as a search, but at "   \
    "least 1 s, and 10 s where they serve many decisions")                                                             \
  X(COUNT, expansions, "expansions", 0, "N", "no limit", 1, 1e15, FOR_PLANNING | FOR_VALUES | FOR_SOLVE, GROUP_BUDGET, \
    "end a search after this many expansions (pomcp: simulations); results are then the same on every machine")        \
  X(NUMBER, epsilon, "epsilon", 0, "NUMBER", "0", 0, 1e300, FOR_PLANNING | FOR_VALUES | FOR_SOLVE, GROUP_BUDGET,       \
    "end a search when its bounds are this close; 0: never for this reason")                                           \
  X(NUMBER, relative, "relative", 0, "SHARE", "0.01, or 0 with --epsilon", 0, 1, FOR_SOLVE, GROUP_BUDGET,              \
    "end a search when its bounds are within this share of the value")                                                 \
  X(FLAG, decided, "decided", 0, NULL, NULL, 0, 0, FOR_PLANNING, GROUP_BUDGET,                                         \
    "end a search when no other choice can be better")                                                                 \
  X(CHOICE, planner, "planner", 0, (&(GLIMPSE_PLANNER_TABLE(PLANNER_WORD))[1]), "aems-loop", 0, 0, FOR_PLANNING,       \
    GROUP_SEARCH, "which planner" GLIMPSE_PLANNER_TABLE(PLANNER_MEANING))                                              \
  X(CHOICE, upper, "upper", 0, "fib-sr|fib|qmdp", "fib-sr, or fib where the agent may not ask", 0, 0, FOR_PLANNING,    \
    GROUP_SEARCH, "upper bound that a search starts from")                                                             \
  GLIMPSE_PLANNER_OPTION_TABLE(PLANNER_ROW)                                                                            \
  X(COUNT, episodes, "episodes", 0, "N", "20", 1, 1e7, FOR_RUN | FOR_BENCH, GROUP_EPISODES,                            \
    "number of episodes; bench: at most this many of each setting, by default as many as the specification says")      \
  X(COUNT, max_steps, "max-steps", 0, "N", "1000", 1, 1e9, FOR_RUN, GROUP_EPISODES,                                    \
    "end an episode after this many steps")                                                                            \
  X(COUNT, jobs, "jobs", 0, "N", "1", 1, 1024, FOR_RUN | FOR_SOLVE, GROUP_EPISODES,                                    \
    "number of episodes played at once, solve: of threads for the offline bounds and the certificate; with "           \
    "--expansions the results do not depend on it")                                                                    \
  X(FLAG, ask_when_lost, "ask-when-lost", 0, NULL, NULL, 0, 0, FOR_RUN | FOR_AGENT, GROUP_EPISODES,                    \
    "after an observation that the model excludes, ask for the state, or what there is, instead of failing")           \
  X(POSITIVE, patience, "patience", 0, "SECONDS", "60", 0, 0, FOR_AGENT, GROUP_EPISODES,                               \
    "end when a reply is not read for this long")                                                                      \
  X(TEXT, scale, "scale", 0, "NAME", "quick", 0, 0, FOR_BENCH, GROUP_EPISODES,                                         \
    "which scale of the specification; the built-in ones have quick and full")                                         \
  X(FLAG, resume, "resume", 0, NULL, NULL, 0, 0, FOR_BENCH, GROUP_EPISODES,                                            \
    "continue the results file: run what is missing")                                                                  \
  X(FLAG, dry_run, "dry-run", 0, NULL, NULL, 0, 0, FOR_BENCH, GROUP_EPISODES,                                          \
    "show what would be run, and run nothing")                                                                         \
  X(TEXT, output, "output", 'o', "FILE", "the standard output; bench: NAME-SCALE.db", 0, 0,                            \
    FOR_CONVERT | FOR_BENCH | FOR_SOLVE | FOR_POLICY | FOR_VIEW, GROUP_OUTPUT,                                         \
    "write to FILE, completely or not at all; bench: the results file; view: start no browser")                        \
  X(CHOICE, format, "format", 0, "text|markdown|csv|latex", "text", 0, 0, FOR_REPORT, GROUP_OUTPUT,                    \
    "how tables are written")                                                                                          \
  X(CHOICE, policy_format, "format", 0, "text|c|alpha|pg|appl|dot|json", "text", 0, 0, FOR_POLICY, GROUP_OUTPUT,       \
    "how the policy is written\ntext: for people\nc: tables and a function in C99, for programs without this "         \
    "library\n"                                                                                                        \
    "alpha: what each node is worth in each state, as pomdp-solve writes it\npg: the nodes, as pomdp-solve writes "    \
    "them\nappl: as alpha, in the XML of APPL and SARSOP\ndot: for Graphviz\njson: everything")                        \
  X(CHOICE, table, "table", 0, "all|results|published|comparison|runs", "all", 0, 0, FOR_REPORT, GROUP_OUTPUT,         \
    "which tables\nall: everything (csv: the results)\nresults: each setting with its means, and the paper's "         \
    "figures\npublished: the best possible, our planners and what other authors have published\ncomparison: "          \
    "differences between planners on the same episodes\nruns: when, where and by which version")                       \
  X(TEXT, against, "against", 0, "PLANNER", "aems-sr", 0, 0, FOR_REPORT, GROUP_OUTPUT,                                 \
    "which planner the others are compared with")                                                                      \
  X(TEXT, html, "html", 0, "FILE", NULL, 0, 0, FOR_REPORT, GROUP_OUTPUT,                                               \
    "write one self-contained page with all tables and plots")                                                         \
  X(TEXT, plots, "plots", 0, "DIRECTORY", NULL, 0, 0, FOR_REPORT, GROUP_OUTPUT,                                        \
    "write the plots as SVG and PNG files (needs gnuplot)")                                                            \
  X(FLAG, keep_data, "keep-data", 0, NULL, NULL, 0, 0, FOR_REPORT, GROUP_OUTPUT,                                       \
    "keep gnuplot's data and scripts beside the plots")                                                                \
  X(TEXT, dot, "dot", 0, "FILE", NULL, 0, 0, FOR_PLAN, GROUP_OUTPUT,                                                   \
    "write the graph of the search for Graphviz; \"-\": to the standard output, instead of the text")                  \
  X(COUNT, dot_depth, "dot-depth", 0, "N", "2", 1, 1e9, FOR_PLAN, GROUP_OUTPUT,                                        \
    "--dot: draw beliefs within this many steps")                                                                      \
  X(NUMBER, dot_probability, "dot-probability", 0, "NUMBER", "0.01", 0, 1, FOR_PLAN, GROUP_OUTPUT,                     \
    "--dot: leave out beliefs that are reached with a smaller probability")                                            \
  X(POSITIVE, dot_max_gap, "dot-max-gap", 0, "NUMBER", "no limit", 0, 0, FOR_PLAN, GROUP_OUTPUT,                       \
    "--dot: leave out beliefs whose bounds are further apart")                                                         \
  X(POSITIVE, dot_min_gap, "dot-min-gap", 0, "NUMBER", "no limit", 0, 0, FOR_PLAN, GROUP_OUTPUT,                       \
    "--dot: draw nothing below beliefs whose bounds are closer")                                                       \
  X(CHOICE, dot_choices, "dot-choices", 0, "all|plan", "all", 0, 0, FOR_PLAN, GROUP_OUTPUT,                            \
    "--dot: which choices\nall: all that the search has opened\nplan: only those of the plan")                         \
  X(COUNT, points, "points", 0, "N", "price: 16; map: 21", 2, 500, FOR_VALUES, GROUP_SEARCH,                           \
    "price: at most this many prices are searched; map: beliefs along an axis")                                        \
  X(POSITIVE, max_price, "max-price", 0, "NUMBER", "where asking never pays", 0, 0, FOR_PRICE, GROUP_SEARCH,           \
    "the largest price, or factor of prices")                                                                          \
  X(TEXT, inquiry, "inquiry", 0, "NAME", "the only one", 0, 0, FOR_PRICE, GROUP_SEARCH,                                \
    "whose price it is, in a model with inquiries; other prices stay as they are")                                     \
  X(POSITIVE, negligible, "negligible", 0, "NUMBER", "by the bounds", 0, 0, FOR_PRICE, GROUP_SEARCH,                   \
    "a gain up to this does not count as one")                                                                         \
  X(FLAG, csv, "csv", 0, NULL, NULL, 0, 0, FOR_VALUES, GROUP_OUTPUT, "comma-separated values instead of text")         \
  X(COUNT, top, "top", 0, "N", "20", 1, 1e9, FOR_MAP, GROUP_OUTPUT, "the table of states has at most this many")       \
  X(TEXT, plot, "plot", 0, "FILE", NULL, 0, 0, FOR_VALUES, GROUP_OUTPUT,                                               \
    "draw it; FILE ends with .svg, .png or .pdf (needs gnuplot)")                                                      \
  X(TEXT, trace, "trace", 0, "FILE", NULL, 0, 0, FOR_RUN, GROUP_OUTPUT,                                                \
    "write every step to FILE, one JSON object per line")                                                              \
  X(FLAG, show, "show", 0, NULL, NULL, 0, 0, FOR_RUN | FOR_BENCH, GROUP_OUTPUT,                                        \
    "show each step as it happens: the world, the belief, the decision and its outcome; bench: print the "             \
    "specification, and run nothing")                                                                                  \
  X(FLAG, watch, "watch", 0, NULL, NULL, 0, 0, FOR_RUN, GROUP_OUTPUT,                                                  \
    "watch the steps on the terminal: grid, belief, decision, bounds; keys pause, step, change the speed and quit; "   \
    "without a terminal, a line per step")                                                                             \
  X(TEXT, record, "record", 0, "FILE", NULL, 0, 0, FOR_RUN | FOR_VIEW, GROUP_OUTPUT,                                   \
    "write all that --watch shows to FILE; 'glimpse replay FILE' shows it again; view: show it")                       \
  X(FLAG, paused, "paused", 0, NULL, NULL, 0, 0, FOR_RUN | FOR_REPLAY, GROUP_OUTPUT,                                   \
    "start with a pause; a key continues")                                                                             \
  X(NUMBER, delay, "delay", 0, "SECONDS", "0.3 on a terminal, else 0", 0, 3600, FOR_RUN | FOR_REPLAY, GROUP_OUTPUT,    \
    "pause after each step that is shown")                                                                             \
  X(FLAG, draw, "draw", 0, NULL, NULL, 0, 0, FOR_INFO, GROUP_OUTPUT, "draw the start belief (grid environments)")      \
  X(TEXT, state, "state", 0, "NAME", NULL, 0, 0, FOR_INFO, GROUP_OUTPUT,                                               \
    "draw this state (name or number) instead of the start belief")                                                    \
  X(FLAG, list, "list", 0, NULL, NULL, 0, 0, FOR_HELP | FOR_BENCH, GROUP_OUTPUT,                                       \
    "only names: of the commands; bench: of the built-in specifications")                                              \
  X(FLAG, man, "man", 0, NULL, NULL, 0, 0, FOR_HELP, GROUP_OUTPUT, "the man page, in roff")                            \
  X(FLAG, markdown, "markdown", 0, NULL, NULL, 0, 0, FOR_HELP, GROUP_OUTPUT, "all commands and options as one page")   \
  X(CHOICE, completion, "completion", 0, "bash|zsh", NULL, 0, 0, FOR_HELP, GROUP_OUTPUT,                               \
    "a completion script for this shell")                                                                              \
  X(FLAG, json, "json", 0, NULL, NULL, 0, 0, FOR_ALL, GROUP_OUTPUT, "one JSON object instead of text")                 \
  X(FLAG, help, "help", 'h', NULL, NULL, 0, 0, FOR_ALL, GROUP_OUTPUT, "show how to use the command, and exit")

/* A row of the library's table of options as one of this table; X is what this table is given. */
#define PLANNER_ROW(kind, type, field, key, argument, preset, low, high, traits, scope, text)                          \
  X(kind, field, key, 0, argument, preset, low, high, SCOPE_##scope, GROUP_SEARCH, text)
#define SCOPE_SEARCH (FOR_PLANNING | FOR_VALUES | FOR_SOLVE)
#define SCOPE_DECISION FOR_PLANNING
#define SCOPE_STEPS (FOR_RUN | FOR_AGENT)
#define SCOPE_EPISODES (FOR_RUN | FOR_AGENT)

#define PLANNER_WORD(name, key, text, traits) "|" key
#define PLANNER_MEANING(name, key, text, traits) "\n" key ": " text

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
#define OPTION_TYPE_SIZE uint64_t
#define OPTION_TYPE_CHOICE unsigned
#define OPTION_TYPE_TEXT const char *

/* A command line, taken apart.  The fields are in the order of the table, which is
 * that of the help; there is only one such object. */
struct options {
#define X(kind, field, ...) OPTION_TYPE_##kind field;
  OPTION_TABLE(X)
#undef X
  bool given[OPTION_COUNT];        /* by option_id */
  const struct commands *commands; /* all there are */
  const struct command *command;   /* NULL when none was named */
  bool version;
  char **operand; /* those after the command; part of argv */
  size_t operands;
};

enum option_kind { KIND_FLAG, KIND_COUNT, KIND_NUMBER, KIND_POSITIVE, KIND_PRICE, KIND_SIZE, KIND_CHOICE, KIND_TEXT };

/* A row of the table, for those who describe options. */
struct option {
  const char *name;
  const char *argument; /* NULL for flags */
  const char *preset;   /* the default */
  const char *text;     /* what the words of a choice mean stands on lines of its own */
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
int options_parse(int argc, char **argv, const struct commands *commands, struct options *options);

#endif
