/* Scanner: one pass over the text, no allocation but for the notes.
 *
 * Words and numbers are runs of bytes other than blanks, ':', '#', '*' and
 * control bytes; what a run means is for the reader to say.  Line ends are \n,
 * \r\n or \r; they are blanks and only count lines.
 *
 * The grammar has reserved words but no mark where an item ends: a list of names
 * goes on until the next item begins.  Here an item begins with a keyword whose
 * next token is a colon, unless the keyword stands where only a name can stand:
 * behind a colon, or first in an entry.  So a state may be called `T` or
 * `discount`, and the reader knows where to go on after an error.
 *
 * Looking for the colon means to pass over blanks and comments and perhaps to
 * come back, once per gap between tokens: the cost stays linear. */
#include "formats/scanner.h"

#include <string.h>

#include "base/memory.h"

enum { RUN, BLANK, LINE_FEED, RETURN, HASH, COLON, STAR, CONTROL };

/* The class of each byte; those not listed belong to runs. */
static const unsigned char class_of[256] = {
    [0] = CONTROL,    [1] = CONTROL,   [2] = CONTROL,  [3] = CONTROL,  [4] = CONTROL,      [5] = CONTROL,
    [6] = CONTROL,    [7] = CONTROL,   [8] = CONTROL,  ['\t'] = BLANK, ['\n'] = LINE_FEED, ['\v'] = CONTROL,
    ['\f'] = CONTROL, ['\r'] = RETURN, [14] = CONTROL, [15] = CONTROL, [16] = CONTROL,     [17] = CONTROL,
    [18] = CONTROL,   [19] = CONTROL,  [20] = CONTROL, [21] = CONTROL, [22] = CONTROL,     [23] = CONTROL,
    [24] = CONTROL,   [25] = CONTROL,  [26] = CONTROL, [27] = CONTROL, [28] = CONTROL,     [29] = CONTROL,
    [30] = CONTROL,   [31] = CONTROL,  [' '] = BLANK,  ['#'] = HASH,   ['*'] = STAR,       [':'] = COLON,
    [127] = CONTROL};

static const char *const section_text[GLI_SECTIONS] = {
    [GLI_SECTION_NONE] = "",
    [GLI_SECTION_DISCOUNT] = "discount",
    [GLI_SECTION_VALUES] = "values",
    [GLI_SECTION_STATES] = "states",
    [GLI_SECTION_ACTIONS] = "actions",
    [GLI_SECTION_OBSERVATIONS] = "observations",
    [GLI_SECTION_START] = "start",
    [GLI_SECTION_START_INCLUDE] = "start include",
    [GLI_SECTION_START_EXCLUDE] = "start exclude",
    [GLI_SECTION_T] = "T",
    [GLI_SECTION_O] = "O",
    [GLI_SECTION_R] = "R",
};

const char *gli_section_text(gli_section section) {
  return section_text[section];
}

static bool equal(const char *text, size_t length, const char *word) {
  return length > 0 && *text == *word && strlen(word) == length && memcmp(text, word, length) == 0;
}

gli_section gli_section_find(const char *text, size_t length) {
  if (length == 1)
    return *text == 'T'   ? GLI_SECTION_T
           : *text == 'O' ? GLI_SECTION_O
           : *text == 'R' ? GLI_SECTION_R
                          : GLI_SECTION_NONE;
  if (length < 5 || length > 12) return GLI_SECTION_NONE;
  for (gli_section section = GLI_SECTION_DISCOUNT; section <= GLI_SECTION_START; section++)
    if (equal(text, length, section_text[section])) return section;
  return GLI_SECTION_NONE;
}

bool gli_token_is(const gli_token *token, const char *word) {
  return token->kind == GLI_TOKEN_WORD && equal(token->text, token->length, word);
}

bool gli_token_digits(const gli_token *token) {
  if (token->kind != GLI_TOKEN_NUMBER) return false;
  for (size_t i = 0; i < token->length; i++)
    if (token->text[i] < '0' || token->text[i] > '9') return false;
  return true;
}

static int class_at(const char *at) {
  return class_of[(unsigned char)*at];
}

/* Passes over a comment, up to its line end or to a control byte, which is an error there, too.  `at` is behind the
 * '#'. */
static const char *skip_comment(gli_scanner *scanner, const char *at) {
  static const char mark[] = "glimpse:";
  const char *end = at;
  while (end < scanner->end && *end != '\n' && *end != '\r' && class_at(end) != CONTROL) end++;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  size_t length = sizeof mark - 1;
  if (!scanner->notes || (size_t)(end - at) < length || memcmp(at, mark, length) != 0) return end;
  gli_notes *notes = scanner->notes;
  if (!GLI_GROW(notes->item, notes->capacity, notes->count + 1)) {
    notes->lost = true;
    return end;
  }
  const char *text = at + length;
  notes->item[notes->count++] = (gli_note){text, end, scanner->line, (uint64_t)(text - scanner->line_start) + 1};
  return end;
}

/* Passes over blanks, line ends and comments. */
static void skip(gli_scanner *scanner) {
  const char *at = scanner->at, *end = scanner->end;
  for (; at < end; at++) {
    switch (class_at(at)) {
      case BLANK: continue;
      case RETURN:
        if (at + 1 < end && at[1] == '\n') continue;
        /* fall through */
      case LINE_FEED:
        scanner->line++;
        scanner->line_start = at + 1;
        continue;
      case HASH: at = skip_comment(scanner, at + 1) - 1; continue;
      default: scanner->at = at; return;
    }
  }
  scanner->at = at;
}

static const char *skip_run(const char *at, const char *end) {
  while (at < end && class_at(at) == RUN) at++;
  return at;
}

static bool skip_colon(gli_scanner *scanner) {
  if (scanner->at < scanner->end && *scanner->at == ':') {
    scanner->at++;
    return true;
  }
  skip(scanner);
  if (scanner->at == scanner->end || *scanner->at != ':') return false;
  scanner->at++;
  return true;
}

/* Decides whether the word just read begins a section: its colon is then passed
 * over, too.  Otherwise nothing has happened. */
static void find_section(gli_scanner *scanner) {
  gli_token *token = &scanner->token;
  gli_section section = gli_section_find(token->text, token->length);
  if (section == GLI_SECTION_NONE) return;
  gli_scanner before = *scanner;
  size_t notes = scanner->notes ? scanner->notes->count : 0;
  bool found = skip_colon(scanner);
  if (!found && section == GLI_SECTION_START) {
    const char *word = scanner->at;
    size_t length = (size_t)(skip_run(word, scanner->end) - word);
    section = equal(word, length, "include")   ? GLI_SECTION_START_INCLUDE
              : equal(word, length, "exclude") ? GLI_SECTION_START_EXCLUDE
                                               : GLI_SECTION_NONE;
    scanner->at += length;
    found = section != GLI_SECTION_NONE && skip_colon(scanner);
  }
  if (found) {
    token->kind = GLI_TOKEN_SECTION;
    token->section = section;
    scanner->name_next = section >= GLI_SECTION_T;
  } else {
    *scanner = before;
    if (scanner->notes) scanner->notes->count = notes;
  }
}

void gli_scanner_next(gli_scanner *scanner) {
  skip(scanner);
  bool name_next = scanner->name_next;
  const char *at = scanner->at;
  gli_token *token = &scanner->token;
  token->section = GLI_SECTION_NONE;
  token->text = at;
  token->length = 1;
  token->line = scanner->line;
  token->column = (uint64_t)(at - scanner->line_start) + 1;
  scanner->name_next = false;
  if (at == scanner->end) {
    token->kind = GLI_TOKEN_END;
    token->length = 0;
    return;
  }
  scanner->at++;
  switch (class_at(at)) {
    case COLON:
      token->kind = GLI_TOKEN_COLON;
      scanner->name_next = true;
      return;
    case STAR: token->kind = GLI_TOKEN_STAR; return;
    case CONTROL: token->kind = GLI_TOKEN_BYTE; return;
    default: break;
  }
  scanner->at = skip_run(scanner->at, scanner->end);
  token->length = (size_t)(scanner->at - at);
  if ((*at >= '0' && *at <= '9') || *at == '.' || *at == '-' || *at == '+') {
    token->kind = GLI_TOKEN_NUMBER;
    return;
  }
  token->kind = GLI_TOKEN_WORD;
  if (!name_next) find_section(scanner);
}

void gli_scanner_start_at(gli_scanner *scanner, const char *text, const char *end, uint64_t line, uint64_t column) {
  *scanner = (gli_scanner){.at = text, .end = end, .line = line};
  scanner->line_start = text - (column - 1);
  gli_scanner_next(scanner);
}

void gli_scanner_start(gli_scanner *scanner, const char *text, size_t length, gli_notes *notes) {
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    text += 3;
    length -= 3;
  }
  *scanner = (gli_scanner){.at = text, .end = text + length, .line_start = text, .line = 1, .notes = notes};
  gli_scanner_next(scanner);
}
