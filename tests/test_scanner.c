/* Scanner: tokens, their places, what begins a section, and notes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "formats/scanner.h"

typedef struct expected {
  gli_token_kind kind;
  const char *text;
  uint64_t line, column;
} expected;

static void check(const char *text, size_t length, const expected *tokens, size_t count) {
  gli_scanner scanner;
  gli_scanner_start(&scanner, text, length, NULL);
  for (size_t i = 0; i < count; i++) {
    const gli_token *token = &scanner.token;
    if (token->kind != tokens[i].kind || token->length != strlen(tokens[i].text) ||
        memcmp(token->text, tokens[i].text, token->length) != 0 || token->line != tokens[i].line ||
        token->column != tokens[i].column)
      fail_msg("token %u: expected kind %d '%s' at %u:%u, found kind %d '%.*s' at %u:%u", (unsigned)i,
               (int)tokens[i].kind, tokens[i].text, (unsigned)tokens[i].line, (unsigned)tokens[i].column,
               (int)token->kind, (int)token->length, token->text, (unsigned)token->line, (unsigned)token->column);
    gli_scanner_next(&scanner);
  }
  assert_int_equal(scanner.token.kind, GLI_TOKEN_END);
  gli_scanner_next(&scanner); /* stays at the end */
  assert_int_equal(scanner.token.kind, GLI_TOKEN_END);
}

#define CHECK(text, ...)                                                                                               \
  do {                                                                                                                 \
    const expected list[] = {__VA_ARGS__};                                                                             \
    check((text), sizeof(text) - 1, list, sizeof list / sizeof *list);                                                 \
  } while (0)

static void reads_tokens(void **state) {
  (void)state;
  CHECK("T:listen : 0: *-1 +.5e-3 x_y-2", {GLI_TOKEN_SECTION, "T", 1, 1}, {GLI_TOKEN_WORD, "listen", 1, 3},
        {GLI_TOKEN_COLON, ":", 1, 10}, {GLI_TOKEN_NUMBER, "0", 1, 12}, {GLI_TOKEN_COLON, ":", 1, 13},
        {GLI_TOKEN_STAR, "*", 1, 15}, {GLI_TOKEN_NUMBER, "-1", 1, 16}, {GLI_TOKEN_NUMBER, "+.5e-3", 1, 19},
        {GLI_TOKEN_WORD, "x_y-2", 1, 26});
  CHECK("0.5a \"a\" (b)", {GLI_TOKEN_NUMBER, "0.5a", 1, 1}, {GLI_TOKEN_WORD, "\"a\"", 1, 6},
        {GLI_TOKEN_WORD, "(b)", 1, 10});
  gli_scanner scanner;
  gli_scanner_start(&scanner, "", 0, NULL);
  assert_int_equal(scanner.token.kind, GLI_TOKEN_END);
  assert_int_equal(scanner.token.line, 1);
  assert_int_equal(scanner.token.column, 1);
}

static void counts_lines(void **state) {
  (void)state;
  CHECK("a\n b\r\n\tc\rd\r\n\r\n e", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_WORD, "b", 2, 2},
        {GLI_TOKEN_WORD, "c", 3, 2}, {GLI_TOKEN_WORD, "d", 4, 1}, {GLI_TOKEN_WORD, "e", 6, 2});
  CHECK("a # b c\nd#\n#x\n  #y\r e", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_WORD, "d", 2, 1},
        {GLI_TOKEN_WORD, "e", 5, 2});
  CHECK("\xef\xbb\xbf"
        "a b",
        {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_WORD, "b", 1, 3});
  CHECK("a\r", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_END, "", 2, 1});
  CHECK("a\r\r\n", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_END, "", 3, 1});
}

static void finds_control_bytes(void **state) {
  (void)state;
  CHECK("a\x01"
        "b",
        {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_BYTE, "\x01", 1, 2}, {GLI_TOKEN_WORD, "b", 1, 3});
  CHECK("\x7f", {GLI_TOKEN_BYTE, "\x7f", 1, 1});
  CHECK("a\f\v b", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_BYTE, "\f", 1, 2}, {GLI_TOKEN_BYTE, "\v", 1, 3},
        {GLI_TOKEN_WORD, "b", 1, 5});
  CHECK("a # b\t\xc3\xa4 \f c\nd", {GLI_TOKEN_WORD, "a", 1, 1}, {GLI_TOKEN_BYTE, "\f", 1, 10},
        {GLI_TOKEN_WORD, "c", 1, 12}, {GLI_TOKEN_WORD, "d", 2, 1});
  gli_scanner scanner;
  gli_scanner_start(&scanner, "\0", 1, NULL);
  assert_int_equal(scanner.token.kind, GLI_TOKEN_BYTE);
  gli_scanner_start(&scanner, "#\0\n", 3, NULL);
  assert_int_equal(scanner.token.kind, GLI_TOKEN_BYTE);
  assert_int_equal(scanner.token.column, 2);
}

static gli_section section_of(const char *text) {
  gli_scanner scanner;
  gli_scanner_start(&scanner, text, strlen(text), NULL);
  return scanner.token.section;
}

static void finds_sections(void **state) {
  (void)state;
  static const char *const names[] = {"",      "discount",      "values",        "states", "actions", "observations",
                                      "start", "start include", "start exclude", "T",      "O",       "R"};
  assert_int_equal(sizeof names / sizeof *names, GLI_SECTIONS);
  for (int i = GLI_SECTION_DISCOUNT; i < GLI_SECTIONS; i++) {
    char text[40];
    strcpy(text, names[i]);
    assert_int_equal(section_of(text), GLI_SECTION_NONE); /* no colon */
    strcat(text, " x:");
    assert_int_equal(section_of(text), GLI_SECTION_NONE);
    strcpy(text, names[i]);
    strcat(text, " # why\n:");
    assert_int_equal(section_of(text), i);
    assert_string_equal(gli_section_text((gli_section)i), names[i]);
  }
  assert_int_equal(section_of("start\n include#\n:"), GLI_SECTION_START_INCLUDE);
  assert_int_equal(section_of("start-left:"), GLI_SECTION_NONE);
  assert_int_equal(section_of("Start:"), GLI_SECTION_NONE);
  assert_int_equal(section_of("TT:"), GLI_SECTION_NONE);
}

/* A keyword where only a name can stand is a name, even before a colon. */
static void takes_keywords_as_names(void **state) {
  (void)state;
  CHECK("T: T : O :R 1 T: states", {GLI_TOKEN_SECTION, "T", 1, 1}, {GLI_TOKEN_WORD, "T", 1, 4},
        {GLI_TOKEN_COLON, ":", 1, 6}, {GLI_TOKEN_WORD, "O", 1, 8}, {GLI_TOKEN_COLON, ":", 1, 10},
        {GLI_TOKEN_WORD, "R", 1, 11}, {GLI_TOKEN_NUMBER, "1", 1, 13}, {GLI_TOKEN_SECTION, "T", 1, 15},
        {GLI_TOKEN_WORD, "states", 1, 18});
  CHECK("states: T discount actions: start include\nx", {GLI_TOKEN_SECTION, "states", 1, 1},
        {GLI_TOKEN_WORD, "T", 1, 9}, {GLI_TOKEN_WORD, "discount", 1, 11}, {GLI_TOKEN_SECTION, "actions", 1, 20},
        {GLI_TOKEN_WORD, "start", 1, 29}, {GLI_TOKEN_WORD, "include", 1, 35}, {GLI_TOKEN_WORD, "x", 2, 1});
  CHECK("states: actions: a", {GLI_TOKEN_SECTION, "states", 1, 1}, {GLI_TOKEN_SECTION, "actions", 1, 9},
        {GLI_TOKEN_WORD, "a", 1, 18});
}

/* Looking for a colon passes over comments and comes back: each note once. */
static void collects_notes(void **state) {
  (void)state;
  static const char text[] =
      "# glimpse: cost 1\nT # glimpse:two\n# not glimpse: three\nstart #\tglimpse: four\r\nx #glimpse:";
  gli_notes notes = {0};
  gli_scanner scanner;
  gli_scanner_start(&scanner, text, sizeof text - 1, &notes);
  while (scanner.token.kind != GLI_TOKEN_END) gli_scanner_next(&scanner);
  static const struct {
    const char *text;
    uint64_t line, column;
  } found[] = {{" cost 1", 1, 11}, {"two", 2, 13}, {" four", 4, 17}, {"", 5, 12}};
  assert_int_equal(notes.count, sizeof found / sizeof *found);
  assert_false(notes.lost);
  for (size_t i = 0; i < notes.count; i++) {
    const gli_note *note = &notes.item[i];
    assert_int_equal(note->end - note->text, strlen(found[i].text));
    assert_memory_equal(note->text, found[i].text, strlen(found[i].text));
    assert_int_equal(note->line, found[i].line);
    assert_int_equal(note->column, found[i].column);
  }
  gli_memory_free(notes.item);
}

static void starts_in_the_middle(void **state) {
  (void)state;
  static const char text[] = "abc def\nghi";
  gli_scanner scanner;
  gli_scanner_start_at(&scanner, text + 4, text + 7, 7, 5);
  assert_int_equal(scanner.token.line, 7);
  assert_int_equal(scanner.token.column, 5);
  assert_true(gli_token_is(&scanner.token, "def"));
  gli_scanner_next(&scanner);
  assert_int_equal(scanner.token.kind, GLI_TOKEN_END);
  assert_int_equal(scanner.token.column, 8);
}

static void tells_digits(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool digits;
  } cases[] = {{"0", true},    {"0123456789", true}, {"-1", false}, {"1.", false},
               {"1e3", false}, {"a1", false},        {"+1", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gli_scanner scanner;
    gli_scanner_start(&scanner, cases[i].text, strlen(cases[i].text), NULL);
    assert_int_equal(gli_token_digits(&scanner.token), cases[i].digits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_tokens),
      cmocka_unit_test(counts_lines),
      cmocka_unit_test(finds_control_bytes),
      cmocka_unit_test(finds_sections),
      cmocka_unit_test(takes_keywords_as_names),
      cmocka_unit_test(collects_notes),
      cmocka_unit_test(starts_in_the_middle),
      cmocka_unit_test(tells_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
