/* Schema: the tables of a results file, for the one who writes (store.c) and for
 * those who read (reports, or anybody with the sqlite3 program).
 *
 * The file is an ordinary SQLite database.  Its application_id tells it from other
 * databases, its user_version is the version of the schema: a reader refuses one
 * above SCHEMA_VERSION, and knows those below: version 2 has episode.return_undiscounted,
 * version 3 episode.asked, which a writer adds to older files.  Times of day are UTC, "2026-01-31T12:00:00Z". */
#ifndef EXPERIMENT_SCHEMA_H
#define EXPERIMENT_SCHEMA_H

#define SCHEMA_APPLICATION 1735159152 /* "glmp" */
#define SCHEMA_VERSION 3

/* run: one call of `glimpse bench`; a resumed run has several.
 *   outcome 'running' (or killed, as long as no other run has followed), 'killed', 'complete', 'interrupted',
 *   'failed'
 *   spec is the specification as JSON, command the command line as it was typed
 *   timed: 1 if a budget is one of time; workers and ranks: how many worked
 *
 * experiment: a table or a figure of the specification.
 *   axis: what its settings run over, for a plot: '', 'budget', 'cost', or the name
 *   of a parameter of the environment
 *
 * setting: one cell of the grid, everything that decides its results, with the
 * episodes wanted.
 *   key: the canonical text of all of it, e.g.
 *     "robot-delivery:f=0.1,n=3 cost=0.1 discount=0.99 planner=aems-sr upper=qmdp ..."
 *     A file has its digest there, " file=" and 16 hexadecimal digits (FNV-1a of its bytes).
 *   environment: full name with the parameters that were given, "robot-delivery:n=3"
 *   cost: of asking for the state, or of the only inquiry; NULL when the agent may not ask, has other inquiries, or
 *   the price depends on the state
 *   upper: 'fib-sr', 'fib', 'qmdp'; NULL for planners without offline bounds
 *   lower: 'blind' or 'blind,always-ask'; NULL likewise
 *   improve: 'none', 'paper', 'sound'; NULL for planners that know nothing of it
 *   options: what else was set, "name=value name=value", names sorted; '' if nothing.
 *     The paper's algorithm has "paper=true" there.
 *   budget_kind: 'seconds' or 'expansions' (POMCP: simulations), per decision
 *   seed: of the first episode
 *
 * part: which settings an experiment shows, in the order of place.  A setting may be
 * part of several experiments; it is run once.
 *   paper_seconds: the time per step of the paper's row that it stands for, or NULL
 *
 * episode: one row per episode that was played to its end.
 *   seed: setting.seed + i; the same for all settings that start with the same seed
 *   return: discounted; return_undiscounted: rewards less prices (NULL in rows of version 1)
 *   ended: 1 in a terminal state, 0 cut off after max_steps; expansions: mean per step
 *   error_reduction: mean over steps, in percent, NULL without bounds
 *   lower, upper: of the start belief after the first decision
 *   seconds: of planning, all decisions together; decisions: steps and requests
 *   load: of the machine when the episode began (mean over one minute), NULL unknown
 *   core: the one that the worker was pinned to, NULL if it was not
 *   asked: how often each inquiry was asked, in the order of the model, "camera=3 state=0"; NULL in a model without
 *     inquiries and in rows before version 3
 *
 * policy: of a setting whose planner follows a policy, what that took and proves.
 *   lower, upper: of its certificate, NULL where it has none; requests: expected, discounted
 *   verified: 1 if the certificate was proved anew before the first episode
 *   seconds: of the processor, to solve it and to make the certificate; expansions: of its search; both NULL when it
 *   was read from a file
 *
 * trace: one search from the start belief (that of the first seed), looked at while it
 * goes on: expansions and seconds so far and the bounds at the root. */
/* Older files do not have it until somebody writes to them. */
#define SCHEMA_POLICY                                                                                                  \
  "CREATE TABLE IF NOT EXISTS policy("                                                                                 \
  " setting INTEGER PRIMARY KEY REFERENCES setting(id),"                                                               \
  " lower REAL,"                                                                                                       \
  " upper REAL,"                                                                                                       \
  " requests REAL,"                                                                                                    \
  " nodes INTEGER NOT NULL,"                                                                                           \
  " edges INTEGER NOT NULL,"                                                                                           \
  " verified INTEGER NOT NULL,"                                                                                        \
  " seconds REAL,"                                                                                                     \
  " expansions INTEGER);"

#define SCHEMA_TABLES                                                                                                  \
  "CREATE TABLE run("                                                                                                  \
  " id INTEGER PRIMARY KEY,"                                                                                           \
  " started TEXT NOT NULL,"                                                                                            \
  " finished TEXT,"                                                                                                    \
  " outcome TEXT NOT NULL,"                                                                                            \
  " name TEXT NOT NULL,"                                                                                               \
  " scale TEXT NOT NULL,"                                                                                              \
  " spec TEXT NOT NULL,"                                                                                               \
  " command TEXT NOT NULL,"                                                                                            \
  " version TEXT NOT NULL,"                                                                                            \
  " compiler TEXT NOT NULL,"                                                                                           \
  " system TEXT NOT NULL,"                                                                                             \
  " cpu TEXT NOT NULL,"                                                                                                \
  " cores INTEGER NOT NULL,"                                                                                           \
  " memory INTEGER,"                                                                                                   \
  " workers INTEGER NOT NULL,"                                                                                         \
  " ranks INTEGER NOT NULL,"                                                                                           \
  " timed INTEGER NOT NULL);"                                                                                          \
  "CREATE TABLE experiment("                                                                                           \
  " id INTEGER PRIMARY KEY,"                                                                                           \
  " name TEXT NOT NULL UNIQUE,"                                                                                        \
  " title TEXT NOT NULL,"                                                                                              \
  " axis TEXT NOT NULL);"                                                                                              \
  "CREATE TABLE setting("                                                                                              \
  " id INTEGER PRIMARY KEY,"                                                                                           \
  " key TEXT NOT NULL UNIQUE,"                                                                                         \
  " environment TEXT NOT NULL,"                                                                                        \
  " cost REAL,"                                                                                                        \
  " discount REAL NOT NULL,"                                                                                           \
  " planner TEXT NOT NULL,"                                                                                            \
  " upper TEXT,"                                                                                                       \
  " lower TEXT,"                                                                                                       \
  " improve TEXT,"                                                                                                     \
  " options TEXT NOT NULL,"                                                                                            \
  " budget_kind TEXT NOT NULL CHECK(budget_kind IN ('seconds', 'expansions')),"                                        \
  " budget REAL NOT NULL,"                                                                                             \
  " max_steps INTEGER NOT NULL,"                                                                                       \
  " seed INTEGER NOT NULL,"                                                                                            \
  " episodes INTEGER NOT NULL);"                                                                                       \
  "CREATE TABLE part("                                                                                                 \
  " experiment INTEGER NOT NULL REFERENCES experiment(id),"                                                            \
  " setting INTEGER NOT NULL REFERENCES setting(id),"                                                                  \
  " place INTEGER NOT NULL,"                                                                                           \
  " paper_seconds REAL,"                                                                                               \
  " PRIMARY KEY(experiment, setting)) WITHOUT ROWID;"                                                                  \
  "CREATE TABLE episode("                                                                                              \
  " setting INTEGER NOT NULL REFERENCES setting(id),"                                                                  \
  " seed INTEGER NOT NULL,"                                                                                            \
  " run INTEGER NOT NULL REFERENCES run(id),"                                                                          \
  " return REAL NOT NULL,"                                                                                             \
  " steps INTEGER NOT NULL,"                                                                                           \
  " requests INTEGER NOT NULL,"                                                                                        \
  " ended INTEGER NOT NULL,"                                                                                           \
  " decisions INTEGER NOT NULL,"                                                                                       \
  " expansions REAL NOT NULL,"                                                                                         \
  " error_reduction REAL,"                                                                                             \
  " lower REAL,"                                                                                                       \
  " upper REAL,"                                                                                                       \
  " seconds REAL NOT NULL,"                                                                                            \
  " load REAL,"                                                                                                        \
  " host TEXT NOT NULL,"                                                                                               \
  " rank INTEGER NOT NULL,"                                                                                            \
  " worker INTEGER NOT NULL,"                                                                                          \
  " core INTEGER,"                                                                                                     \
  " finished TEXT NOT NULL,"                                                                                           \
  " return_undiscounted REAL,"                                                                                         \
  " asked TEXT,"                                                                                                       \
  " PRIMARY KEY(setting, seed)) WITHOUT ROWID;"                                                                        \
  "CREATE TABLE trace("                                                                                                \
  " setting INTEGER NOT NULL REFERENCES setting(id),"                                                                  \
  " seed INTEGER NOT NULL,"                                                                                            \
  " expansions INTEGER NOT NULL,"                                                                                      \
  " seconds REAL NOT NULL,"                                                                                            \
  " lower REAL NOT NULL,"                                                                                              \
  " upper REAL NOT NULL,"                                                                                              \
  " PRIMARY KEY(setting, seed, expansions)) WITHOUT ROWID;" SCHEMA_POLICY

#endif
