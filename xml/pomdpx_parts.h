/* Pomdpx parts: a reading of a POMDPX text under way, shared by the parts of the reader. */
#ifndef XML_POMDPX_PARTS_H
#define XML_POMDPX_PARTS_H

#include "glimpse.h"
#include "xml/xml.h"

#if defined(__GNUC__)
#define POMDPX_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define POMDPX_PRINTF(text, rest)
#endif

/* What a variable's value may be asked for: an action, a state before it and behind it, what is seen. */
typedef enum pomdpx_group { POMDPX_ACTION, POMDPX_PREVIOUS, POMDPX_CURRENT, POMDPX_SEEN, POMDPX_GROUPS } pomdpx_group;

enum {
  POMDPX_REWARD = 3,     /* a list of variables besides those of glimpse_kind */
  POMDPX_VARIABLES = 256 /* of a kind, at most: in a product of more, nearly all have but one value */
};

struct pomdpx_value {
  const char *text;
  size_t length;
  uint32_t index;
};

typedef struct pomdpx_table pomdpx_table;

typedef struct pomdpx_variable {
  const char *name;    /* of a state variable: before the action */
  const char *current; /* of a state variable: behind it; else NULL */
  const xml_element *element;
  uint32_t count;              /* of values; 0: not known, because it was wrong */
  struct pomdpx_value *sorted; /* by name; NULL: they are numbered, behind a letter */
  char letter;                 /* s, a or o */
  const char **names;          /* by index, as glimpse names them; NULL: numbered likewise */
  bool observed;               /* fullyObs */
  uint32_t stride;             /* of its value in the index of its kind */
  pomdpx_table *start;         /* of a state variable */
  pomdpx_table *step;          /* transition, observation or reward */
} pomdpx_variable;

typedef struct pomdpx_list {
  pomdpx_variable *item;
  size_t count;
  uint64_t product; /* of their counts */
  size_t joint;     /* how many _ stand between two names */
} pomdpx_list;

/* A variable that a function depends on. */
typedef struct pomdpx_parent {
  const pomdpx_variable *variable;
  pomdpx_group group;
  uint32_t index;  /* in the list of its kind */
  uint64_t stride; /* of its value in the number of the row */
} pomdpx_parent;

/* A function: for each row (values of its parents) what is not zero of its columns (values of its variable; a reward
 * has one). */
struct pomdpx_table {
  const pomdpx_variable *variable;
  const xml_element *element, *parameter; /* CondProb or Func */
  bool reward;
  pomdpx_parent *parent;
  size_t parents;
  uint32_t rows, columns;
  uint32_t *first; /* rows + 1 */
  uint32_t *column;
  double *value;
  pomdpx_table *next; /* of all */
};

typedef struct pomdpx {
  xml *tree;
  glimpse_report *report; /* may be NULL */
  bool strict;
  size_t errors, warnings;
  glimpse_status status; /* of the first error */
  bool stopped;          /* out of memory */
  double discount;
  pomdpx_list list[4]; /* by glimpse_kind, and POMDPX_REWARD */
  uint64_t seen;       /* product of the state variables that are seen, which follow the observations */
  uint64_t most_rows, most_entries;
  pomdpx_table *tables;
  glimpse_builder *builder;
  uint64_t inquiries; /* declared so far */
} pomdpx;

/* ---- messages (pomdpx_message.c) ---- */

/* An error at a place; returns false. */
bool pomdpx_error(pomdpx *reading, size_t at, glimpse_status code, const char *format, ...) POMDPX_PRINTF(4, 5);
/* What the format does not know: a warning, an error when strict. */
void pomdpx_loose(pomdpx *reading, size_t at, const char *format, ...) POMDPX_PRINTF(3, 4);
void pomdpx_warn(pomdpx *reading, size_t at, const char *format, ...) POMDPX_PRINTF(3, 4);
/* Are further findings of this severity only counted? */
bool pomdpx_full(const pomdpx *reading, glimpse_severity severity);
/* Out of memory: nothing more is read.  Returns false. */
bool pomdpx_stop(pomdpx *reading);
/* "expected X, found 'word'", or that there is none; returns false. */
bool pomdpx_expected(pomdpx *reading, const xml_words *words, const char *format, ...) POMDPX_PRINTF(3, 4);
/* Says that an element is not known here, and which one of `known` (ends with NULL) was meant. */
void pomdpx_unknown(pomdpx *reading, const xml_element *element, const char *const *known);
/* Says that text stands between the children of an element, if it does. */
void pomdpx_no_text(pomdpx *reading, const xml_element *element);

/* The only child of this name, after a complaint about a second one; NULL: none. */
const xml_element *pomdpx_child(pomdpx *reading, const xml_element *element, const char *name);
/* The same, and one has to be there. */
const xml_element *pomdpx_need(pomdpx *reading, const xml_element *element, const char *name);
/* A finite number that is the current word. */
bool pomdpx_number(const xml_words *words, double *value);

/* ---- variables (pomdpx_variables.c) ---- */

/* Reads <Variable> and checks the size of what it makes; false: functions cannot be read. */
bool pomdpx_variables_read(pomdpx *reading, const xml_element *element);
/* Index of a value, GLIMPSE_ANY when there is none of that name or number. */
uint32_t pomdpx_value_find(const pomdpx_variable *variable, const char *text, size_t length);
/* How the file calls a value. */
const char *pomdpx_value_text(const pomdpx_variable *variable, uint32_t i, char shown[XML_SHOWN]);
/* The variable of a name and its group; NULL when there is none. */
const pomdpx_variable *pomdpx_variable_find(const pomdpx *reading, const char *text, size_t length, pomdpx_group *group,
                                            uint32_t *index);

/* ---- names (pomdpx_names.c) ---- */

/* Makes names of values into names of glimpse. */
bool pomdpx_names_make(pomdpx *reading, pomdpx_variable *variable);
/* A number of digits alone, below the limit; GLIMPSE_ANY: none. */
uint32_t pomdpx_names_index(const char *text, size_t length, uint32_t limit);
/* Gives the builder the names of a kind. */
bool pomdpx_names_give(pomdpx *reading, glimpse_kind kind);
/* Names the answers of an inquiry that tells the values of these variables: so many combinations. */
glimpse_status pomdpx_names_answers(pomdpx *reading, uint32_t inquiry, const pomdpx_variable *parts, size_t count,
                                    uint32_t total);
/* The state of a flattened name; GLIMPSE_ANY: none. */
uint32_t pomdpx_names_state(const pomdpx *reading, const char *text, size_t length);

/* ---- functions (pomdpx_functions.c, pomdpx_table.c) ---- */

/* One of the four sections with functions. */
void pomdpx_functions_read(pomdpx *reading, const xml_element *section);
/* After all of them: has each variable its function, and none of them a part in a circle? */
void pomdpx_functions_check(pomdpx *reading);
/* State variables, by their places in the list, in an order in which those that others depend on come first. */
bool pomdpx_functions_order(const pomdpx *reading, bool start, size_t order[POMDPX_VARIABLES], size_t *circle);
/* Fills a table from its entries. */
bool pomdpx_table_read(pomdpx *reading, pomdpx_table *table);
void pomdpx_table_free(pomdpx_table *table);

/* ---- the product (pomdpx_flatten.c) ---- */

bool pomdpx_flatten(pomdpx *reading);

/* ---- the structured comments (pomdpx_notes.c) ---- */

void pomdpx_notes_read(pomdpx *reading);
/* What stands behind `inquiry` in a comment at this place (pomdpx_inquiry.c). */
bool pomdpx_inquiry_read(pomdpx *reading, size_t at, xml_words *words);

#endif
