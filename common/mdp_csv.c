/* Mdp from CSV: one row per line, behind a line that names the columns.
 *
 *   # discount: 0.95
 *   # cost: 0.05
 *   # start: here
 *   state,action,next,probability,reward
 *   here,go,there,0.8,0
 *
 * Columns may come in any order, `reward` may be missing, others are passed over.  A field may stand in double quotes.
 * Lines that begin with # are comments, of which those three are read; without them the discount is 1, nothing can be
 * asked, and the first row's state is the start.  The first error ends the reading. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mdp.h"

enum { STATE, ACTION, NEXT, PROBABILITY, REWARD, COLUMNS, FIELDS = 64, SHOWN = 40 };

static const char *const heads[COLUMNS] = {"state", "action", "next", "probability", "reward"};

struct csv {
  struct mdp mdp;
  const char *text;
  size_t at, length, line;
  struct mdp_word start; /* as it was given, with its place */
  size_t start_line, start_column;
  size_t begin; /* of the line */
  struct mdp_word fields[FIELDS];
  size_t columns[FIELDS], count; /* where each begins, from 1 */
  int place[COLUMNS];            /* of a column among the fields; -1: none */
};

static int shown(struct mdp_word word) {
  return (int)(word.length < SHOWN ? word.length : SHOWN);
}

static struct mdp_word trimmed(const char *text, size_t length) {
  while (length && (*text == ' ' || *text == '\t')) text++, length--;
  while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r')) length--;
  return (struct mdp_word){text, length};
}

/* Takes the next line; false at the end. */
static bool take_line(struct csv *csv, struct mdp_word *line) {
  if (csv->at >= csv->length) return false;
  const char *from = csv->text + csv->at, *end = memchr(from, '\n', csv->length - csv->at);
  size_t length = end ? (size_t)(end - from) : csv->length - csv->at;
  csv->begin = csv->at;
  csv->at += length + 1;
  csv->line++;
  *line = trimmed(from, length);
  return true;
}

static size_t column_of(const struct csv *csv, const char *at) {
  return (size_t)(at - (csv->text + csv->begin)) + 1;
}

/* Splits a line at its commas. */
static bool split(struct csv *csv, struct mdp_word line) {
  const char *at = line.text, *end = line.text + line.length;
  csv->count = 0;
  for (;;) {
    if (csv->count == FIELDS)
      return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, column_of(csv, at), "more than %d columns", FIELDS);
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    const char *from = at, *stop;
    bool quoted = at < end && *at == '"';
    if (quoted) {
      from++;
      stop = memchr(from, '"', (size_t)(end - from));
      if (!stop) return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, column_of(csv, at), "a quote is not closed");
      at = stop + 1;
      while (at < end && (*at == ' ' || *at == '\t')) at++;
      if (at < end && *at != ',')
        return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, column_of(csv, at),
                        "expected a comma behind the quote");
    } else {
      stop = memchr(at, ',', (size_t)(end - at));
      if (!stop) stop = end;
      at = stop;
    }
    csv->columns[csv->count] = column_of(csv, from);
    csv->fields[csv->count++] = trimmed(from, (size_t)(stop - from));
    if (at == end) return true;
    at++;
  }
}

static bool number(struct csv *csv, int column, double *value) {
  int i = csv->place[column];
  struct mdp_word word = csv->fields[i];
  if (word.length && glimpse_number_read(word.text, word.length, value) == word.length && isfinite(*value)) return true;
  return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, csv->columns[i], "expected a %s, found '%.*s'",
                  heads[column], shown(word), word.text);
}

/* "# key: value", of the keys that are known; any other comment is passed over. */
static bool take_comment(struct csv *csv, struct mdp_word line) {
  struct mdp_word rest = trimmed(line.text + 1, line.length - 1);
  const char *colon = memchr(rest.text, ':', rest.length);
  if (!colon) return true;
  struct mdp_word key = trimmed(rest.text, (size_t)(colon - rest.text));
  struct mdp_word value = trimmed(colon + 1, (size_t)(rest.text + rest.length - colon) - 1);
  size_t column = column_of(csv, value.text);
  if (key.length == 5 && !memcmp(key.text, "start", 5)) {
    csv->start = value;
    csv->start_line = csv->line;
    csv->start_column = column;
    return true;
  }
  bool discount = key.length == 8 && !memcmp(key.text, "discount", 8);
  if (!discount && !(key.length == 4 && !memcmp(key.text, "cost", 4))) return true;
  double x;
  if (!value.length || glimpse_number_read(value.text, value.length, &x) != value.length || !(x >= 0) || !isfinite(x) ||
      (discount && x > 1))
    return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, column, "expected %s, found '%.*s'",
                    discount ? "a discount from 0 to 1" : "a price, 0 or more", shown(value), value.text);
  *(discount ? &csv->mdp.discount : &csv->mdp.cost) = x;
  return true;
}

static bool take_heads(struct csv *csv) {
  for (int c = 0; c < COLUMNS; c++) {
    csv->place[c] = -1;
    for (size_t i = 0; i < csv->count; i++) {
      if (csv->fields[i].length != strlen(heads[c]) || memcmp(csv->fields[i].text, heads[c], strlen(heads[c])) != 0)
        continue;
      if (csv->place[c] >= 0)
        return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, csv->columns[i], "the column '%s' comes twice",
                        heads[c]);
      csv->place[c] = (int)i;
    }
    if (csv->place[c] < 0 && c != REWARD)
      return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, 1,
                      "there is no column '%s'; the first line names the columns: state,action,next,probability,reward",
                      heads[c]);
  }
  return true;
}

static uint32_t word_at(struct csv *csv, struct mdp_names *names, int column) {
  int i = csv->place[column];
  return mdp_index(&csv->mdp, names, csv->fields[i], csv->line, csv->columns[i]);
}

static bool take_row(struct csv *csv, size_t wanted) {
  if (csv->count != wanted)
    return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, 1, "expected %zu columns, found %zu", wanted, csv->count);
  struct mdp_row row = {.line = csv->line};
  if ((row.state = word_at(csv, &csv->mdp.states, STATE)) == GLIMPSE_ANY ||
      (row.action = word_at(csv, &csv->mdp.actions, ACTION)) == GLIMPSE_ANY ||
      (row.next = word_at(csv, &csv->mdp.states, NEXT)) == GLIMPSE_ANY)
    return false;
  if (!number(csv, PROBABILITY, &row.probability)) return false;
  if (csv->place[REWARD] >= 0 && !number(csv, REWARD, &row.reward)) return false;
  if (!(row.probability >= 0 && row.probability <= 1))
    return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->line, csv->columns[csv->place[PROBABILITY]],
                    "a probability is a number from 0 to 1, not '%.*s'", shown(csv->fields[csv->place[PROBABILITY]]),
                    csv->fields[csv->place[PROBABILITY]].text);
  return mdp_add(&csv->mdp, &row);
}

static bool take_all(struct csv *csv) {
  struct mdp_word line;
  size_t wanted = 0;
  while (take_line(csv, &line)) {
    if (!line.length) continue;
    if (*line.text == '#') {
      if (!take_comment(csv, line)) return false;
      continue;
    }
    if (!split(csv, line)) return false;
    if (wanted) {
      if (!take_row(csv, wanted)) return false;
    } else {
      if (!take_heads(csv)) return false;
      wanted = csv->count;
    }
  }
  if (!csv->start.text) return true;
  uint32_t known = csv->mdp.states.count;
  uint32_t start = mdp_index(&csv->mdp, &csv->mdp.states, csv->start, csv->start_line, csv->start_column);
  if (start == GLIMPSE_ANY) return false;
  if (start >= known)
    return mdp_fail(&csv->mdp, GLIMPSE_BAD_SYNTAX, csv->start_line, csv->start_column,
                    "there is no state '%.*s' in the table", shown(csv->start), csv->start.text);
  csv->mdp.start = start;
  return true;
}

glimpse_status mdp_csv_read(const char *text, size_t length, const char *source, glimpse_report *report,
                            glimpse_model **model) {
  *model = NULL;
  size_t mark = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* of UTF-8 */
  struct csv csv = {.mdp = mdp_begin(text, length, source, report), .text = text, .at = mark, .length = length};
  glimpse_status status = take_all(&csv) ? mdp_finish(&csv.mdp, model) : csv.mdp.status;
  mdp_free(&csv.mdp);
  return status;
}
