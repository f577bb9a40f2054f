/* Table: the entries of a <Parameter> as a sparse table.
 *
 * An <Instance> has a word for each parent and, unless it is of a reward, one for the variable: a value, * for every
 * value, or - for every value in turn, for which the numbers follow, those of the last - fastest.  Later entries
 * overwrite earlier ones; what no entry gives is 0.
 *
 * Entries become assignments to single cells or whole rows, in the order of the text; `*` of parents is multiplied
 * out.  Then they are sorted by row (stable, by counting), and in each row the last assignment of a column counts.
 * Linear in the number of assignments, which is limited before they are made. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "xml/pomdpx_parts.h"

#define EACH UINT32_MAX       /* * */
#define TURN (UINT32_MAX - 1) /* - */
#define FILL UINT32_MAX       /* a column: all of the row */

enum { WORDS = 4 * POMDPX_VARIABLES + 1 }; /* of an instance: parents are variables of three kinds, states twice */

struct assignment {
  uint32_t row, column;
  double value;
};

struct filling {
  pomdpx *reading;
  pomdpx_table *table;
  const xml_element *entry;
  uint32_t choice[2 * WORDS]; /* by the word of the instance */
  size_t words;
  double *number;
  size_t numbers, number_capacity;
  enum { NUMBERS, UNIFORM, IDENTITY } kind;
  struct assignment *log;
  size_t count, capacity;
};

/* ---- one entry ---- */

static const pomdpx_variable *variable_of(const pomdpx_table *table, size_t word) {
  return word < table->parents ? table->parent[word].variable : table->variable;
}

/* "; did you mean 'x'?" or what values there are. */
static const char *hint_value(const pomdpx_variable *variable, const xml_words *words, char hint[200]) {
  char word[XML_SHOWN], candidate[XML_SHOWN], best[XML_SHOWN] = "";
  struct nearest nearest = nearest_begin(xml_show(words->text, words->length, word));
  *hint = 0;
  for (uint32_t i = 0; variable->sorted && i < variable->count && i < 50000; i++) {
    const struct pomdpx_value *value = &variable->sorted[i];
    if (value->length > GLIMPSE_WORD_MAX) continue;
    size_t distance = nearest.distance;
    nearest_offer(&nearest, xml_show(value->text, value->length, candidate));
    if (nearest.distance < distance) memcpy(best, candidate, sizeof best);
  }
  if (*best) {
    snprintf(hint, 200, "; did you mean '%s'?", best);
  } else if (!variable->sorted) {
    snprintf(hint, 200, " (they are %c0 to %c%u)", variable->letter, variable->letter, (unsigned)variable->count - 1);
  } else {
    char first[XML_SHOWN], second[XML_SHOWN] = "";
    pomdpx_value_text(variable, 0, first);
    if (variable->count > 1) pomdpx_value_text(variable, 1, second);
    snprintf(hint, 200, " (they are %s%s%s%s)", first, *second ? ", " : "", second, variable->count > 2 ? ", ..." : "");
  }
  return hint;
}

static bool read_choice(struct filling *filling, const xml_words *words, size_t word) {
  const pomdpx_variable *variable = variable_of(filling->table, word);
  uint32_t *choice = &filling->choice[word];
  bool single = words->length == 1;
  if (single && *words->text == '*') *choice = EACH;
  else if (single && *words->text == '-') *choice = TURN;
  else *choice = pomdpx_value_find(variable, words->text, words->length);
  if (*choice != GLIMPSE_ANY || (single && *words->text == '*')) return true;
  char hint[200], shown[XML_SHOWN];
  return pomdpx_error(
      filling->reading, xml_words_at(words), GLIMPSE_BAD_SYNTAX, "expected a value of '%s', found '%s'%s",
      word < filling->table->parents && filling->table->parent[word].group == POMDPX_CURRENT ? variable->current
                                                                                             : variable->name,
      xml_show(words->text, words->length, shown),
      pomdpx_full(filling->reading, GLIMPSE_ERROR) ? "" : hint_value(variable, words, hint));
}

static bool read_instance(struct filling *filling) {
  const pomdpx_table *table = filling->table;
  const xml_element *element = pomdpx_need(filling->reading, filling->entry, "Instance");
  if (!element) return false;
  size_t wanted = table->parents + !table->reward, found = 0, before = filling->reading->errors;
  xml_words words = xml_words_of(element);
  while (xml_words_next(&words)) {
    if (found < wanted) read_choice(filling, &words, found);
    found++;
  }
  if (found != wanted)
    return pomdpx_error(filling->reading, element->at, GLIMPSE_BAD_SYNTAX,
                        "expected %zu word%s in <Instance>, one for each parent%s, found %zu", wanted,
                        wanted == 1 ? "" : "s", table->reward ? "" : " and one for the variable", found);
  filling->words = wanted;
  return filling->reading->errors == before;
}

static bool is_word(const xml_words *words, const char *keyword) {
  if (words->length != strlen(keyword)) return false;
  for (size_t i = 0; i < words->length; i++)
    if ((words->text[i] | 0x20) != keyword[i]) return false;
  return true;
}

static bool add_number(struct filling *filling, double value) {
  if (filling->numbers == filling->number_capacity) {
    size_t capacity = filling->number_capacity ? 2 * filling->number_capacity : 64;
    double *more = realloc(filling->number, capacity * sizeof *more);
    if (!more) return pomdpx_stop(filling->reading);
    filling->number = more;
    filling->number_capacity = capacity;
  }
  filling->number[filling->numbers++] = value;
  return true;
}

/* How many numbers the - of an instance ask for; SIZE_MAX: too many for any text. */
static size_t wanted_numbers(const struct filling *filling) {
  size_t wanted = 1;
  for (size_t i = 0; i < filling->words; i++) {
    if (filling->choice[i] != TURN) continue;
    uint32_t count = variable_of(filling->table, i)->count;
    if (wanted > SIZE_MAX / count) return SIZE_MAX;
    wanted *= count;
  }
  return wanted;
}

static bool read_number(struct filling *filling, const xml_words *words) {
  bool reward = filling->table->reward;
  double value;
  char shown[XML_SHOWN];
  if (!pomdpx_number(words, &value))
    return pomdpx_expected(filling->reading, words, "%s", reward ? "a reward" : "a probability");
  if (!reward && !(value >= 0 && value <= 1))
    return pomdpx_error(filling->reading, xml_words_at(words), GLIMPSE_BAD_MODEL,
                        "expected a probability between 0 and 1, found '%s'",
                        xml_show(words->text, words->length, shown));
  return add_number(filling, value);
}

static bool read_numbers(struct filling *filling, xml_words *words) {
  size_t wanted = wanted_numbers(filling), found = 0;
  for (filling->numbers = 0; words->length && filling->numbers < wanted; xml_words_next(words))
    if (!read_number(filling, words)) return false;
  size_t at = xml_words_at(words);
  for (found = filling->numbers; words->length; xml_words_next(words)) found++;
  if (found != wanted)
    pomdpx_error(filling->reading, at, GLIMPSE_BAD_SYNTAX, "expected %zu number%s for this <Instance>, found %zu",
                 wanted, wanted == 1 ? "" : "s", found);
  return found == wanted;
}

/* identity is of the variable and of one parent with as many values. */
static bool check_identity(struct filling *filling, const xml_words *words) {
  const pomdpx_table *table = filling->table;
  size_t turns = 0, place = 0;
  for (size_t i = 0; i < table->parents; i++) {
    if (filling->choice[i] != TURN) continue;
    turns++;
    place = i;
  }
  if (turns == 1 && filling->choice[table->parents] == TURN && table->parent[place].variable->count == table->columns)
    return true;
  return pomdpx_error(filling->reading, xml_words_at(words), GLIMPSE_BAD_MODEL,
                      "'identity' needs '-' for the variable and for one parent with as many values");
}

static bool read_values(struct filling *filling) {
  static const char *const names[2] = {"ProbTable", "ValueTable"};
  bool reward = filling->table->reward;
  const xml_element *element = pomdpx_need(filling->reading, filling->entry, names[reward]);
  if (!element) return false;
  xml_words words = xml_words_of(element);
  xml_words_next(&words);
  filling->kind = reward                        ? NUMBERS
                  : is_word(&words, "uniform")  ? UNIFORM
                  : is_word(&words, "identity") ? IDENTITY
                                                : NUMBERS;
  if (filling->kind == NUMBERS) return read_numbers(filling, &words);
  xml_words more = words;
  if (xml_words_next(&more)) return pomdpx_expected(filling->reading, &more, "the keyword alone");
  if (filling->kind == IDENTITY) return check_identity(filling, &words);
  if (filling->choice[filling->table->parents] >= TURN) return true;
  return pomdpx_error(filling->reading, xml_words_at(&words), GLIMPSE_BAD_MODEL,
                      "'uniform' needs '-' or '*' for the variable");
}

/* ---- assignments ---- */

static bool assign(struct filling *filling, uint64_t row, uint32_t column, double value) {
  pomdpx *reading = filling->reading;
  if (filling->count >= reading->most_entries)
    return pomdpx_error(reading, filling->entry->at, GLIMPSE_TOO_LARGE,
                        "expected at most %" PRIu64 " assignments to one function from so short a text, found more",
                        reading->most_entries);
  if (filling->count == filling->capacity) {
    size_t capacity = filling->capacity ? 2 * filling->capacity : 256;
    struct assignment *more = realloc(filling->log, capacity * sizeof *more);
    if (!more) return pomdpx_stop(reading);
    filling->log = more;
    filling->capacity = capacity;
  }
  filling->log[filling->count++] = (struct assignment){(uint32_t)row, column, value};
  return true;
}

/* `at`: the number of the row's first cell; `turn`: the value of the parent whose turn it is, for identity. */
static bool assign_row(struct filling *filling, uint64_t row, size_t at, uint32_t turn) {
  const pomdpx_table *table = filling->table;
  uint32_t column = table->reward ? 0 : filling->choice[table->parents];
  if (filling->kind == UNIFORM) return assign(filling, row, FILL, 1.0 / table->columns);
  if (filling->kind == IDENTITY) return assign(filling, row, FILL, 0) && assign(filling, row, turn, 1);
  if (column == EACH) return assign(filling, row, FILL, filling->number[at]);
  if (column != TURN) return assign(filling, row, column, filling->number[at]);
  bool good = assign(filling, row, FILL, 0);
  for (uint32_t i = 0; i < table->columns && good; i++)
    if (filling->number[at + i] != 0) good = assign(filling, row, i, filling->number[at + i]);
  return good;
}

/* All rows that the parents' words match, as an odometer. */
static bool assign_rows(struct filling *filling) {
  const pomdpx_table *table = filling->table;
  uint32_t *value = filling->choice + WORDS; /* the reading of the odometer */
  size_t parents = table->parents;
  for (size_t i = 0; i < parents; i++) value[i] = filling->choice[i] < TURN ? filling->choice[i] : 0;
  for (;;) {
    uint64_t row = 0;
    size_t at = 0;
    uint32_t turn = 0;
    for (size_t i = 0; i < parents; i++) {
      row += value[i] * table->parent[i].stride;
      if (filling->choice[i] != TURN) continue;
      at = at * table->parent[i].variable->count + value[i];
      turn = value[i];
    }
    if (!table->reward && filling->choice[parents] == TURN) at *= table->columns;
    if (!assign_row(filling, row, at, turn)) return false;
    size_t i = parents;
    while (i-- > 0) {
      if (filling->choice[i] < TURN) continue;
      if (++value[i] < table->parent[i].variable->count) break;
      value[i] = 0;
    }
    if (i == SIZE_MAX) return true;
  }
}

static bool fill_entry(struct filling *filling, const xml_element *entry) {
  static const char *const known[] = {"Instance", "ProbTable", "ValueTable", NULL};
  filling->entry = entry;
  for (const xml_element *child = entry->first; child; child = child->next)
    if (!xml_is(child, known[0]) && !xml_is(child, known[1]) && !xml_is(child, known[2]))
      pomdpx_unknown(filling->reading, child, known);
  pomdpx_no_text(filling->reading, entry);
  return read_instance(filling) && read_values(filling) && assign_rows(filling);
}

/* ---- the table ---- */

struct resolving {
  uint32_t *order; /* of assignments, by row */
  uint32_t *start; /* rows + 1 */
  uint32_t *stamp; /* by column: the row + 1 for which it was seen last */
  size_t capacity; /* of the table's columns */
};

static bool sort_by_row(struct filling *filling, struct resolving *resolving) {
  uint32_t rows = filling->table->rows;
  for (size_t i = 0; i < filling->count; i++) resolving->start[filling->log[i].row + 1]++;
  for (uint32_t row = 0; row < rows; row++) resolving->start[row + 1] += resolving->start[row];
  for (size_t i = 0; i < filling->count; i++)
    resolving->order[resolving->start[filling->log[i].row]++] = (uint32_t)i; /* start becomes the end */
  return true;
}

static bool keep(struct filling *filling, struct resolving *resolving, size_t *n, uint32_t column, double value) {
  pomdpx_table *table = filling->table;
  if (value == 0) return true;
  if (*n >= filling->reading->most_entries)
    return pomdpx_error(filling->reading, table->element->at, GLIMPSE_TOO_LARGE,
                        "expected at most %" PRIu64 " non-zeros of one function from so short a text, found more",
                        filling->reading->most_entries);
  if (*n == resolving->capacity) {
    size_t capacity = resolving->capacity ? 2 * resolving->capacity : 256;
    uint32_t *columns = realloc(table->column, capacity * sizeof *columns);
    if (columns) table->column = columns;
    double *values = columns ? realloc(table->value, capacity * sizeof *values) : NULL;
    if (!values) return pomdpx_stop(filling->reading);
    table->value = values;
    resolving->capacity = capacity;
  }
  table->column[*n] = column;
  table->value[(*n)++] = value;
  return true;
}

/* From the last assignment to the first: a column counts once, and FILL is for those that are left. */
static bool resolve_row(struct filling *filling, struct resolving *resolving, uint32_t row, size_t *n) {
  uint32_t begin = row ? resolving->start[row - 1] : 0; /* the end of the row before */
  for (uint32_t i = resolving->start[row]; i-- > begin;) {
    const struct assignment *made = &filling->log[resolving->order[i]];
    if (made->column != FILL) {
      if (resolving->stamp[made->column] == row + 1) continue;
      resolving->stamp[made->column] = row + 1;
      if (!keep(filling, resolving, n, made->column, made->value)) return false;
      continue;
    }
    for (uint32_t k = 0; k < filling->table->columns && made->value != 0; k++)
      if (resolving->stamp[k] != row + 1 && !keep(filling, resolving, n, k, made->value)) return false;
    break;
  }
  return true;
}

static bool resolve(struct filling *filling) {
  pomdpx_table *table = filling->table;
  struct resolving resolving = {.order = malloc((filling->count + 1) * sizeof(uint32_t)),
                                .start = calloc((size_t)table->rows + 1, sizeof(uint32_t)),
                                .stamp = calloc(table->columns, sizeof(uint32_t))};
  table->first = calloc((size_t)table->rows + 1, sizeof *table->first);
  bool good = resolving.order && resolving.start && resolving.stamp && table->first;
  if (!good) pomdpx_stop(filling->reading);
  good = good && sort_by_row(filling, &resolving);
  size_t n = 0;
  for (uint32_t row = 0; row < table->rows && good; row++) {
    good = resolve_row(filling, &resolving, row, &n);
    table->first[row + 1] = (uint32_t)n;
  }
  free(resolving.order);
  free(resolving.start);
  free(resolving.stamp);
  return good;
}

/* ---- sums ---- */

/* The entry that matches the row last; NULL: none does.  Only for tables that were read without an error. */
static const xml_element *entry_of(struct filling *filling, uint32_t row) {
  const pomdpx_table *table = filling->table;
  const xml_element *found = NULL;
  for (const xml_element *entry = table->parameter->first; entry; entry = entry->next) {
    if (!xml_is(entry, "Entry")) continue;
    filling->entry = entry;
    bool match = read_instance(filling);
    for (size_t i = 0; i < table->parents; i++) {
      uint32_t value = (uint32_t)(row / table->parent[i].stride % table->parent[i].variable->count);
      match = match && (filling->choice[i] >= TURN || filling->choice[i] == value);
    }
    if (match) found = entry;
  }
  return found;
}

static void describe_row(const pomdpx_table *table, uint32_t row, char text[200]) {
  size_t used = 0;
  *text = 0;
  for (size_t i = 0; i < table->parents && used < 190; i++) {
    char shown[XML_SHOWN];
    uint32_t value = (uint32_t)(row / table->parent[i].stride % table->parent[i].variable->count);
    pomdpx_value_text(table->parent[i].variable, value, shown);
    int length = snprintf(text + used, 200 - used, "%s%s", i ? " " : " for ", shown);
    used += length < 0 ? 0 : (size_t)length;
  }
}

/* The limits are those of the builder's gate, which has only the product to judge. */
static bool judge_sum(struct filling *filling, uint32_t row, double sum) {
  static const double silent = 1e-5 + 1e-12, tolerated = 1e-3 + 1e-12;
  pomdpx *reading = filling->reading;
  const pomdpx_table *table = filling->table;
  double off = sum > 1 ? sum - 1 : 1 - sum;
  if (off <= silent) return true;
  bool valid = off <= tolerated;
  if (pomdpx_full(reading, valid ? GLIMPSE_WARNING : GLIMPSE_ERROR)) { /* no text for nothing */
    if (valid) pomdpx_warn(reading, 0, "%s", "");
    else pomdpx_error(reading, 0, GLIMPSE_BAD_MODEL, "%s", "");
    return valid;
  }
  char what[200], number[GLIMPSE_NUMBER_SIZE];
  describe_row(table, row, what);
  /* 0.333 three times is 0.999 to the reader, not 0.9990000000000001. */
  glimpse_number_write(sum < 1000 ? (double)(int64_t)(sum * 1e12 + 0.5) / 1e12 : sum, number);
  const xml_element *entry = entry_of(filling, row);
  const char *name =
      xml_is(table->element->parent, "StateTransitionFunction") ? table->variable->current : table->variable->name;
  size_t at = entry ? entry->at : table->parameter->at;
  if (valid)
    pomdpx_warn(reading, at, "the probabilities of '%s'%s sum to %s; they were normalised to 1", name, what, number);
  else
    pomdpx_error(reading, at, GLIMPSE_BAD_MODEL, "the probabilities of '%s'%s sum to %s, expected 1", name, what,
                 number);
  return valid;
}

/* Compensated, as in the builder, so that it finds nothing left to do. */
static double sum_of(const double *value, size_t count) {
  double total = 0, lost = 0;
  for (size_t i = 0; i < count; i++) {
    double next = total + value[i];
    lost += total >= value[i] ? (total - next) + value[i] : (value[i] - next) + total;
    total = next;
  }
  return total + lost;
}

static bool check_sums(struct filling *filling) {
  const pomdpx_table *table = filling->table;
  bool good = true;
  for (uint32_t row = 0; row < table->rows; row++) {
    double *value = table->value ? table->value + table->first[row] : NULL;
    size_t count = value ? table->first[row + 1] - table->first[row] : 0; /* NULL: all are 0 */
    double sum = sum_of(value, count);
    if (!judge_sum(filling, row, sum)) good = false;
    else if (sum - 1 > 0x1p-51 || 1 - sum > 0x1p-51)
      for (size_t i = 0; i < count; i++) value[i] /= sum;
  }
  return good;
}

bool pomdpx_table_read(pomdpx *reading, pomdpx_table *table) {
  static const char *const known[] = {"Entry", NULL};
  size_t before = reading->errors;
  struct filling filling = {.reading = reading, .table = table};
  for (const xml_element *child = table->parameter->first; child && !reading->stopped; child = child->next) {
    if (!xml_is(child, "Entry")) pomdpx_unknown(reading, child, known);
    else if (!fill_entry(&filling, child) && reading->status == GLIMPSE_TOO_LARGE) break;
  }
  pomdpx_no_text(reading, table->parameter);
  bool good = reading->errors == before && resolve(&filling) && (table->reward || check_sums(&filling));
  free(filling.number);
  free(filling.log);
  return good;
}

void pomdpx_table_free(pomdpx_table *table) {
  free(table->first);
  free(table->column);
  free(table->value);
}
