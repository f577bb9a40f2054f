/* Harmless: no byte sequence makes a terminal do anything, and no letter is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/harmless.h"

static void replaces_control_characters(void **state) {
  (void)state;
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"plain text", "plain text"},
      {"\033[2Jgone", "?[2Jgone"},
      {"\033]0;title\007", "?]0;title?"},
      {"a\rb\bc\177d", "a?b?c?d"},
      {"line\nnext\tcolumn", "line\nnext\tcolumn"},
      {"\xc2\x9b"
       "31m red",
       "??31m red"}, /* CSI as U+009B ... */
      {"\x9b"
       "31m red",
       "?31m red"},                                               /* ... and as a byte */
      {"\xc2\xa0\xc2\xb1 \xc3\x9b", "\xc2\xa0\xc2\xb1 \xc3\x9b"}, /* letters with such bytes in them */
      {"\xe2\x80\x9c\xf0\x9f\x98\x80", "\xe2\x80\x9c\xf0\x9f\x98\x80"},
      {"\xe2\x9b", "\xe2?"}, /* cut off: no letter */
      {"", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[64];
    size_t length = strlen(cases[i].text);
    memcpy(text, cases[i].text, length + 1);
    harmless(text, length, "\n\t");
    assert_string_equal(text, cases[i].shown);
  }
  char with_zero[] = "a\0b";
  harmless(with_zero, 3, "\n\t");
  assert_memory_equal(with_zero, "a?b", 4);
}

/* Whatever the bytes: doing it twice is doing it once, and what a terminal of either kind obeys is gone.
 * In UTF-8 the bytes from 0x80 on count only where they are no part of a letter. */
static void leaves_nothing_to_obey(void **state) {
  (void)state;
  uint32_t random = 12345;
  for (int round = 0; round < 20000; round++) {
    unsigned char text[16], again[16];
    for (size_t i = 0; i < sizeof text; i++) {
      random = random * 1664525 + 1013904223;
      static const unsigned char likely[] = {0x1b, 0xc2, 0x9b, 0x80, 0xe2, 0xf0, 0x9f, 'a', 0x7f, '\n'};
      text[i] = random >> 31 ? (unsigned char)(random >> 8) : likely[(random >> 16) % sizeof likely];
    }
    harmless((char *)text, sizeof text, "\n");
    memcpy(again, text, sizeof text);
    harmless((char *)again, sizeof again, "\n");
    assert_memory_equal(text, again, sizeof text);
    for (size_t i = 0; i < sizeof text; i++) {
      assert_true(text[i] >= ' ' || text[i] == '\n');
      assert_true(text[i] != 127);
      assert_false(i && text[i - 1] == 0xc2 && text[i] >= 0x80 && text[i] < 0xa0);
      assert_false(text[i] >= 0x80 && text[i] < 0xa0 && (i == 0 || text[i - 1] < 0x80)); /* alone */
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replaces_control_characters),
      cmocka_unit_test(leaves_nothing_to_obey),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
