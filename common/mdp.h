/* Mdp: tables of MDPs, from CSV and JSON, as models in which nothing is seen but whether it is over.
 *
 * A table has rows: state, action, next state, probability, reward.  States and actions are names or, if the first one
 * begins with a digit, numbers from 0.  A state without rows, and one that every row keeps with a reward of 0, is an
 * end, which shows `done`; all others show `running`.  docs/YOUR-MODEL.md has the formats.
 *
 * A row that comes twice is an error.  Memory is in proportion to the text: a number above twice the lines of the text
 * cannot be a state of it. */
#ifndef COMMON_MDP_H
#define COMMON_MDP_H

#include <stdbool.h>
#include <stddef.h>

#include "glimpse.h"

/* A word of the text, which has to live as long as the table. */
struct mdp_word {
  const char *text;
  size_t length;
};

/* A name, with the place where it was met first. */
struct mdp_name {
  struct mdp_word word;
  size_t line, column;
};

struct mdp_names {
  struct mdp_name *names; /* in the order in which they were met; unused where they are numbers */
  uint32_t count, capacity, *slots, slot_count;
  bool numbered;
};

struct mdp_row {
  uint32_t state, action, next;
  double probability, reward;
  size_t line; /* where it was given */
};

struct mdp {
  struct mdp_names states, actions;
  struct mdp_row *rows;
  size_t count, capacity, limit; /* limit: of numbers */
  uint32_t start, end;           /* GLIMPSE_ANY: of the first row; a state that ends whatever its rows say, or none */
  double discount, cost;
  const char *source;
  glimpse_report *report;
  glimpse_status status; /* of the last finding */
};

/* An empty table of a text. */
struct mdp mdp_begin(const char *text, size_t length, const char *source, glimpse_report *report);
void mdp_free(struct mdp *mdp);
/* The index of a state or an action, a new one if need be; GLIMPSE_ANY after a finding. */
uint32_t mdp_index(struct mdp *mdp, struct mdp_names *names, struct mdp_word word, size_t line, size_t column);
/* Adds a row; false after a finding. */
bool mdp_add(struct mdp *mdp, const struct mdp_row *row);
/* A finding; returns false.  Line and column from 1, 0: no place. */
bool mdp_fail(struct mdp *mdp, glimpse_status code, size_t line, size_t column, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
glimpse_status mdp_finish(struct mdp *mdp, glimpse_model **model);

glimpse_status mdp_csv_read(const char *text, size_t length, const char *source, glimpse_report *report,
                            glimpse_model **model);
glimpse_status mdp_json_read(const char *text, size_t length, const char *source, glimpse_report *report,
                             glimpse_model **model);

#endif
