/* Scanner: the tokens of a .pomdp file, each with its place. */
#ifndef GLI_FORMATS_SCANNER_H
#define GLI_FORMATS_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gli_token_kind {
  GLI_TOKEN_END,
  GLI_TOKEN_SECTION, /* a keyword with its colon */
  GLI_TOKEN_COLON,
  GLI_TOKEN_STAR,
  GLI_TOKEN_WORD,   /* begins with anything but a digit, a sign or a point */
  GLI_TOKEN_NUMBER, /* begins with one of these; its form is not checked */
  GLI_TOKEN_BYTE    /* a control byte, which no text has */
} gli_token_kind;

typedef enum gli_section {
  GLI_SECTION_NONE,
  GLI_SECTION_DISCOUNT,
  GLI_SECTION_VALUES,
  GLI_SECTION_STATES,
  GLI_SECTION_ACTIONS,
  GLI_SECTION_OBSERVATIONS,
  GLI_SECTION_START,
  GLI_SECTION_START_INCLUDE,
  GLI_SECTION_START_EXCLUDE,
  GLI_SECTION_T,
  GLI_SECTION_O,
  GLI_SECTION_R,
  GLI_SECTIONS
} gli_section;

typedef struct gli_token {
  gli_token_kind kind;
  gli_section section; /* NONE unless kind is SECTION */
  const char *text;    /* in the text that is scanned; not terminated */
  size_t length;
  uint64_t line;   /* from 1 */
  uint64_t column; /* from 1, in bytes */
} gli_token;

/* A comment that begins "glimpse:", for the reader to interpret. */
typedef struct gli_note {
  const char *text;      /* behind the colon */
  const char *end;       /* of its line */
  uint64_t line, column; /* of `text` */
} gli_note;

typedef struct gli_notes {
  gli_note *item;
  size_t count, capacity;
  bool lost; /* out of memory: some are missing */
} gli_notes;

/* A copy of a scanner is a bookmark; set its `notes` to NULL, lest the notes
 * behind it be collected twice. */
typedef struct gli_scanner {
  const char *at, *end;
  const char *line_start;
  uint64_t line;
  gli_token token;  /* the current one */
  bool name_next;   /* what follows is a name, even if it reads like a keyword */
  gli_notes *notes; /* may be NULL */
} gli_scanner;

/* Begins and reads the first token.  A byte order mark is passed over. */
void gli_scanner_start(gli_scanner *scanner, const char *text, size_t length, gli_notes *notes);
/* Begins in the middle of a text, at a known place. */
void gli_scanner_start_at(gli_scanner *scanner, const char *text, const char *end, uint64_t line, uint64_t column);
/* Reads the next token into scanner->token. */
void gli_scanner_next(gli_scanner *scanner);

/* "T", "states", "start include": as it is written, without the colon. */
const char *gli_section_text(gli_section section);
/* The section whose keyword this is; NONE when there is none. */
gli_section gli_section_find(const char *text, size_t length);
bool gli_token_is(const gli_token *token, const char *word);
/* Digits only. */
bool gli_token_digits(const gli_token *token);

#endif
