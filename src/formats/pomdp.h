/* Pomdp: a reading of a .pomdp file under way, shared by the parts of the reader. */
#ifndef GLI_FORMATS_POMDP_H
#define GLI_FORMATS_POMDP_H

#include "base/report.h"
#include "formats/scanner.h"
#include "glimpse.h"
#include "model/builder.h"

/* An item of the preamble: where it stands, and where its value begins. */
typedef struct gli_pomdp_item {
  bool given;
  gli_token token;   /* the keyword */
  gli_scanner value; /* a bookmark at the first token behind it */
} gli_pomdp_item;

/* A name that was looked up, for the next entry, which often has it again. */
typedef struct gli_pomdp_recent {
  const char *text;
  size_t length; /* 0: none */
  glimpse_kind kind;
  uint32_t index;
} gli_pomdp_recent;

/* Where the rows of one table were assigned last, see pomdp_places.c. */
typedef struct gli_pomdp_places gli_pomdp_places;

/* A scene under way, see pomdp_scene.c. */
typedef struct gli_pomdp_scene gli_pomdp_scene;

typedef struct gli_pomdp {
  const char *text;
  size_t length;
  gli_scanner scanner;
  gli_notes notes;
  bool strict;
  glimpse_report *report;  /* may be NULL */
  size_t errors, warnings; /* found so far */
  glimpse_status status;   /* of the first error */
  bool stopped;            /* nothing more can be read: out of memory, not a text */

  gli_pomdp_item items[GLI_SECTIONS]; /* the forms of start are all under START */
  uint32_t counts[3];                 /* by glimpse_kind; 0: not known */
  bool mdp;                           /* no observations: the state is observed */
  double sign;                        /* of rewards: -1 when they are costs */
  double discount;
  bool rewarded;   /* an R entry was read */
  bool unobserved; /* an O entry was read in an MDP */

  gli_pomdp_recent recent[4]; /* by the place of the index in its entry */

  bool prepared;            /* the preamble is over */
  gli_token first;          /* what ended it */
  glimpse_builder *builder; /* NULL before that, or when the preamble is not usable */
  gli_pomdp_places *places; /* not NULL: entries only leave their place here */
  gli_token *inquiries;     /* where each was declared */
  size_t inquiry_count, inquiry_capacity;
  gli_pomdp_scene *scene; /* NULL: the file has none */
} gli_pomdp;

/* ---- messages (pomdp_message.c) ---- */

enum { GLI_POMDP_TEXT = 120 }; /* size of a piece of a message */

/* Adds an error at a token and returns false. */
bool gli_pomdp_error(gli_pomdp *pomdp, const gli_token *token, glimpse_status code, const char *format, ...)
    GLI_PRINTF(4, 5);
/* What the grammar does not allow but files do: a warning, an error when strict. */
void gli_pomdp_loose(gli_pomdp *pomdp, const gli_token *token, const char *format, ...) GLI_PRINTF(3, 4);
/* Always a warning. */
void gli_pomdp_warn(gli_pomdp *pomdp, const gli_token *token, const char *format, ...) GLI_PRINTF(3, 4);
/* "expected X, found Y" at the current token; returns false. */
bool gli_pomdp_expected(gli_pomdp *pomdp, const char *format, ...) GLI_PRINTF(2, 3);
/* Out of memory or beyond a limit of the builder: stops the reading, returns false. */
bool gli_pomdp_stop(gli_pomdp *pomdp, glimpse_status status);
/* A word where a keyword should stand; returns false. */
bool gli_pomdp_no_keyword(gli_pomdp *pomdp, const gli_token *token);
/* How a token is called in a message: 'word', the end of the file, ... */
const char *gli_pomdp_found(const gli_token *token, char text[GLI_POMDP_TEXT]);
/* "; did you mean 'x'?" or the list of what there is, or nothing. */
const char *gli_pomdp_hint(const gli_pomdp *pomdp, glimpse_kind kind, const gli_token *token,
                           char text[GLI_POMDP_TEXT]);
/* "state", "action", "observation" */
const char *gli_pomdp_kind(glimpse_kind kind);
/* The word of the table (it ends with NULL) that is nearest, NULL when none is near. */
const char *gli_pomdp_nearest(const char *text, size_t length, const char *const *words);

/* ---- values (pomdp_value.c) ---- */

/* Each reads the current token and goes on to the next; on false an error has
 * been added at the place. */
bool gli_pomdp_number(gli_pomdp *pomdp, const char *what, double *value);
bool gli_pomdp_probability(gli_pomdp *pomdp, double *value);
/* A name, a number or a star. */
bool gli_pomdp_index(gli_pomdp *pomdp, glimpse_kind kind, uint32_t *index);
/* How many of a kind: 1 .. limit. */
bool gli_pomdp_count(gli_pomdp *pomdp, glimpse_kind kind, uint32_t *count);
/* Passes over everything up to the next section. */
void gli_pomdp_recover(gli_pomdp *pomdp);

/* ---- the parts of a file ---- */

/* One item of the preamble; the current token is its keyword (pomdp_preamble.c). */
void gli_pomdp_item_read(gli_pomdp *pomdp);
/* Ends the preamble: makes the builder, gives it what was read (pomdp_preamble.c). */
void gli_pomdp_prepare(gli_pomdp *pomdp);
/* The value of start, the current token being the first of it (pomdp_start.c). */
bool gli_pomdp_start_read(gli_pomdp *pomdp, gli_section section);
/* One T, O or R entry; the current token is its keyword (pomdp_entries.c). */
void gli_pomdp_entry_read(gli_pomdp *pomdp);
/* The structured comments (pomdp_notes.c). */
void gli_pomdp_notes_read(gli_pomdp *pomdp);

/* ---- inquiries (pomdp_inquiry.c); the current token is behind the key ---- */

bool gli_pomdp_inquiry_read(gli_pomdp *pomdp);
typedef enum gli_pomdp_detail {
  GLI_DETAIL_PRICE,
  GLI_DETAIL_ANSWER,
  GLI_DETAIL_FAILURE,
  GLI_DETAIL_UNPAID,
  GLI_DETAIL_EFFECT
} gli_pomdp_detail;
bool gli_pomdp_inquiry_detail(gli_pomdp *pomdp, gli_pomdp_detail detail);
bool gli_pomdp_limit_read(gli_pomdp *pomdp);

/* ---- places (pomdp_places.c) ---- */

/* NULL: out of memory. */
gli_pomdp_places *gli_pomdp_places_new(uint32_t states, uint32_t actions);
void gli_pomdp_places_mark(gli_pomdp_places *places, gli_builder_table table, uint32_t a, uint32_t s,
                           const gli_token *token);
/* Where row s of an action was assigned last; false: nowhere. */
bool gli_pomdp_places_find(gli_pomdp_places *places, gli_builder_table table, uint32_t a, uint32_t s, uint64_t *line,
                           uint64_t *column);
void gli_pomdp_places_free(gli_pomdp_places *places);

#endif
