/* Mdp from JSON, in two shapes.
 *
 * Rows, as in CSV; all but `rows` may be missing:
 *
 *   {"discount": 0.95, "cost": 0.05, "start": "here",
 *    "rows": [["here", "go", "there", 0.8, 0], ...]}
 *
 * Tables as in published files of learned models: "P" and "R" are objects of objects of objects, state, action, next
 * state, with probabilities and rewards (0 where there is none); "StateSize", of which the last state is the end,
 * "ActionSize", "MeasureCost" (its size counts, not its sign) and "s_init".  Other keys are passed over; a "discount"
 * may be given, as above. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/document.h"
#include "common/mdp.h"

static struct mdp_word word_of(const char *text) {
  return (struct mdp_word){text, strlen(text)};
}

static bool wrong(struct mdp *mdp, const document *value, const char *what, const char *wanted) {
  return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, value->line, 0, "%s must be %s, not %s", what, wanted,
                  document_kind_text(value->kind));
}

/* A number at a key that may be missing. */
static bool number_at(struct mdp *mdp, const document *root, const char *key, double low, double high, double *to) {
  const document *value = document_get(root, key);
  if (!value || value->kind == DOCUMENT_NULL) return true;
  if (value->kind != DOCUMENT_NUMBER) return wrong(mdp, value, key, "a number");
  if (!(value->number >= low && value->number <= high))
    return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, value->line, 0, "%s must be a number from %g to %g, not %s", key, low,
                    high, value->text);
  *to = value->number;
  return true;
}

/* A state or an action: a text, or a number as it was written. */
static uint32_t index_of(struct mdp *mdp, struct mdp_names *names, const document *value) {
  if (value->kind != DOCUMENT_TEXT && value->kind != DOCUMENT_NUMBER) {
    wrong(mdp, value, "a state or an action", "a name or a number");
    return GLIMPSE_ANY;
  }
  return mdp_index(mdp, names, word_of(value->text), value->line, 0);
}

static bool probability(struct mdp *mdp, const document *value, double *p) {
  if (value->kind != DOCUMENT_NUMBER) return wrong(mdp, value, "a probability", "a number");
  *p = value->number;
  return (*p >= 0 && *p <= 1) || mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, value->line, 0,
                                          "a probability is a number from 0 to 1, not %.40s", value->text);
}

static bool reward(struct mdp *mdp, const document *value, double *r) {
  if (value->kind != DOCUMENT_NUMBER || !isfinite(value->number))
    return wrong(mdp, value, "a reward", "a finite number");
  *r = value->number;
  return true;
}

/* --------------------------------------------------------------------- rows */

static bool take_row(struct mdp *mdp, const document *row) {
  if (row->kind != DOCUMENT_LIST || row->count < 4 || row->count > 5)
    return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, row->line, 0,
                    "a row is a list of state, action, next state, probability and, if not 0, reward");
  const document *state = row->first, *action = state->next, *next = action->next, *p = next->next, *r = p->next;
  struct mdp_row made = {.line = row->line};
  return (made.state = index_of(mdp, &mdp->states, state)) != GLIMPSE_ANY &&
         (made.action = index_of(mdp, &mdp->actions, action)) != GLIMPSE_ANY &&
         (made.next = index_of(mdp, &mdp->states, next)) != GLIMPSE_ANY && probability(mdp, p, &made.probability) &&
         (!r || reward(mdp, r, &made.reward)) && mdp_add(mdp, &made);
}

static bool take_rows(struct mdp *mdp, const document *root, const document *rows) {
  if (rows->kind != DOCUMENT_LIST) return wrong(mdp, rows, "rows", "a list");
  for (const document *row = rows->first; row; row = row->next)
    if (!take_row(mdp, row)) return false;
  const document *start = document_get(root, "start");
  if (!start) return true;
  uint32_t known = mdp->states.count;
  mdp->start = index_of(mdp, &mdp->states, start);
  if (mdp->start == GLIMPSE_ANY) return false;
  return mdp->start < known ||
         mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, start->line, 0, "there is no state '%.40s' in the table", start->text);
}

/* ------------------------------------------------------------------- tables */

/* The three levels of P, with R beside it. */
static bool take_next(struct mdp *mdp, struct mdp_row row, const document *outcomes, const document *paid) {
  if (outcomes->kind != DOCUMENT_OBJECT) return wrong(mdp, outcomes, "P of a state and an action", "an object");
  for (const document *p = outcomes->first; p; p = p->next) {
    const document *r = document_get(paid, p->key);
    row.next = mdp_index(mdp, &mdp->states, word_of(p->key), p->line, 0);
    row.reward = 0;
    row.line = p->line;
    if (row.next == GLIMPSE_ANY || !probability(mdp, p, &row.probability) || (r && !reward(mdp, r, &row.reward)))
      return false;
    if (row.probability > 0 && !mdp_add(mdp, &row)) return false;
  }
  return true;
}

static const document *object_at(const document *object, const char *key) {
  const document *value = document_get(object, key);
  return value && value->kind == DOCUMENT_OBJECT ? value : NULL;
}

static bool take_tables(struct mdp *mdp, const document *root, const document *p) {
  const document *r = object_at(root, "R");
  if (p->kind != DOCUMENT_OBJECT) return wrong(mdp, p, "P", "an object");
  for (const document *state = p->first; state; state = state->next) {
    struct mdp_row row = {.state = mdp_index(mdp, &mdp->states, word_of(state->key), state->line, 0)};
    if (row.state == GLIMPSE_ANY) return false;
    if (state->kind != DOCUMENT_OBJECT) return wrong(mdp, state, "P of a state", "an object");
    const document *paid = object_at(r, state->key);
    for (const document *action = state->first; action; action = action->next) {
      row.action = mdp_index(mdp, &mdp->actions, word_of(action->key), action->line, 0);
      if (row.action == GLIMPSE_ANY || !take_next(mdp, row, action, object_at(paid, action->key))) return false;
    }
  }
  return true;
}

/* "StateSize" and "s_init" against what P has. */
static bool take_sizes(struct mdp *mdp, const document *root) {
  double states = mdp->states.count, start = 0, cost = mdp->cost;
  if (!number_at(mdp, root, "StateSize", 1, (double)mdp->limit, &states)) return false;
  if (states != floor(states) || states < mdp->states.count)
    return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, document_get(root, "StateSize")->line, 0,
                    "StateSize is %.40s, but P has a state %u", document_get(root, "StateSize")->text,
                    (unsigned)mdp->states.count - 1);
  if (document_get(root, "StateSize") && mdp->states.numbered) {
    mdp->states.count = (uint32_t)states;
    mdp->end = (uint32_t)states - 1;
  }
  if (!number_at(mdp, root, "s_init", 0, states - 1, &start) ||
      !number_at(mdp, root, "MeasureCost", -1e300, 1e300, &cost))
    return false;
  if (start != floor(start))
    return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, document_get(root, "s_init")->line, 0,
                    "s_init must be a whole number, not %.40s", document_get(root, "s_init")->text);
  mdp->start = (uint32_t)start;
  mdp->cost = fabs(cost);
  return true;
}

static bool take(struct mdp *mdp, const document *root) {
  if (root->kind != DOCUMENT_OBJECT) return wrong(mdp, root, "a table", "an object with \"rows\" or \"P\"");
  if (!number_at(mdp, root, "discount", 0, 1, &mdp->discount) || !number_at(mdp, root, "cost", 0, 1e300, &mdp->cost))
    return false;
  const document *rows = document_get(root, "rows"), *p = document_get(root, "P");
  if (rows) return take_rows(mdp, root, rows);
  if (p) return take_tables(mdp, root, p) && take_sizes(mdp, root);
  return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, root->line, 0, "there is neither \"rows\" nor \"P\" in the object");
}

/* The complaint about a text that is no JSON names file and line in its place. */
static void report_complaint(struct mdp *mdp, const complaint *why) {
  const char *colon = strrchr(why->place, ':');
  size_t line = colon ? strtoul(colon + 1, NULL, 10) : 0;
  mdp_fail(mdp, strcmp(why->text, "out of memory") ? GLIMPSE_BAD_SYNTAX : GLIMPSE_NO_MEMORY, line, 0, "%s", why->text);
}

glimpse_status mdp_json_read(const char *text, size_t length, const char *source, glimpse_report *report,
                             glimpse_model **model) {
  *model = NULL;
  complaint why = {{0}, {0}, {0}};
  struct mdp mdp = mdp_begin(text, length, source, report);
  document *root = document_read(text, length, "", &why);
  if (!root) report_complaint(&mdp, &why);
  glimpse_status status = root && take(&mdp, root) ? mdp_finish(&mdp, model) : mdp.status;
  mdp_free(&mdp);
  document_free(root);
  return status;
}
