/* Xml: the tree, its places, and what is refused.
 *
 * Covers xml/arena.c, xml/parse.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/text.h"
#include "support/failing_malloc.h"
#include "xml/xml.h"

static xml *read_text(const char *text) {
  xml *tree;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status = xml_read(text, strlen(text), "x.xml", report, &tree);
  if (status) fail_msg("%s", glimpse_report_get(report, 0)->text);
  assert_int_equal(glimpse_report_kept(report), 0);
  glimpse_report_free(report);
  return tree;
}

static void check_place(const xml *tree, size_t at, uint64_t line, uint64_t column) {
  uint64_t l, c;
  xml_place(tree, at, &l, &c);
  assert_int_equal(l, line);
  assert_int_equal(c, column);
}

/* The next word, and where it stands. */
static void check_word(const xml *tree, xml_words *words, const char *word, uint64_t line, uint64_t column) {
  assert_true(xml_words_next(words));
  assert_int_equal(words->length, strlen(word));
  assert_memory_equal(words->text, word, words->length);
  check_place(tree, xml_words_at(words), line, column);
}

static void reads_elements(void **state) {
  (void)state;
  xml *tree = read_text("<?xml version='1.0'?>\n<!--one--><a k='v' empty=''>\n  <b/><c>t</c> x\n</a><!-- two -->\n");
  const xml_element *root = tree->root, *b = root->first, *c = b->next;
  assert_true(xml_is(root, "a") && xml_is(b, "b") && xml_is(c, "c"));
  assert_string_equal(xml_attribute_get(root, "k"), "v");
  assert_string_equal(xml_attribute_get(root, "empty"), "");
  assert_null(xml_attribute_get(root, "K"));
  assert_null(c->next);
  assert_ptr_equal(b->parent, root);
  assert_string_equal(b->text, "");
  assert_string_equal(c->text, "t");
  assert_string_equal(root->text, ""); /* it has children */
  check_place(tree, root->at, 2, 11);
  check_place(tree, c->at, 3, 7);
  check_place(tree, c->end, 3, 11);
  check_place(tree, root->stray, 3, 16);
  assert_true(b->stray == SIZE_MAX);
  assert_string_equal(tree->comments->text, "one");
  assert_string_equal(tree->comments->next->text, " two ");
  check_place(tree, tree->comments->next->at, 4, 5);
  xml_free(tree);
}

/* References, comments, CDATA, and all three line ends stand between words; places are those of the text. */
static void finds_words(void **state) {
  (void)state;
  xml *tree = read_text("<a> one\r\ntwo&#32;t&amp;h\r  four<!-- - -->five<![CDATA[ six<]]>\n</a>");
  xml_words words = xml_words_of(tree->root);
  check_word(tree, &words, "one", 1, 5);
  check_word(tree, &words, "two", 2, 1);
  check_word(tree, &words, "t&h", 2, 9);
  check_word(tree, &words, "fourfive", 3, 3);
  check_word(tree, &words, "six<", 3, 31);
  assert_false(xml_words_next(&words));
  check_place(tree, xml_words_at(&words), 4, 1); /* the end tag */
  xml_free(tree);
}

static void reads_encodings(void **state) {
  (void)state;
  xml *tree = read_text("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4\xf6 b c\xe4"
                        "d</a>");
  xml_words words = xml_words_of(tree->root);
  check_word(tree, &words, "\xc3\xa4\xc3\xb6", 1, 47);
  check_word(tree, &words, "b", 1, 50);
  check_word(tree, &words,
             "c\xc3\xa4"
             "d",
             1, 52);
  xml_free(tree);
  tree = read_text("\xef\xbb\xbf<a>\xc3\xa4 b</a>");
  words = xml_words_of(tree->root);
  check_word(tree, &words, "\xc3\xa4", 1, 7);
  check_word(tree, &words, "b", 1, 10);
  xml_free(tree);
}

static void shows_whole_characters(void **state) {
  (void)state;
  char shown[XML_SHOWN], text[] = "012345678901234567890123456789012345678\xc3\xa4";
  assert_string_equal(xml_show(text, 3, shown), "012");
  assert_string_equal(xml_show(text, sizeof text - 1, shown), "012345678901234567890123456789012345678...");
  assert_string_equal(xml_show(text, 39, shown), "012345678901234567890123456789012345678");
}

static void check_refused(const char *text, size_t length, glimpse_status code, uint64_t line, uint64_t column,
                          const char *message) {
  xml *tree;
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(xml_read(text, length, "x.xml", report, &tree), code);
  assert_null(tree);
  assert_int_equal(glimpse_report_kept(report), 1);
  const glimpse_message *finding = glimpse_report_get(report, 0);
  assert_string_equal(finding->text, message);
  assert_string_equal(finding->source, "x.xml");
  if (finding->line != line || finding->column != column)
    fail_msg("%s: at %u:%u", message, (unsigned)finding->line, (unsigned)finding->column);
  glimpse_report_free(report);
}

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t line, column;
    const char *message;
  } cases[] = {
      {"", 1, 1, "expected XML, which begins with '<'"},
      {"  \n", 2, 1, "expected XML, which begins with '<'"},
      {"<a>\n<b></a>", 2, 6, "expected well-formed XML, found an error: mismatched tag; the <b> of line 2 is open"},
      {"<a/><b/>", 1, 5, "expected well-formed XML, found an error: junk after document element"},
      {"<a x='1' x='2'/>", 1, 10, "expected well-formed XML, found an error: duplicate attribute"},
      {"<!DOCTYPE a [\n<!ENTITY e 'x'>]><a>&e;</a>", 2, 12,
       "expected no declarations of entities, found one; write what it stands for"},
      {"<!DOCTYPE a [<!ENTITY % e SYSTEM 'file:///etc/passwd'> %e;]><a/>", 1, 54,
       "expected no declarations of entities, found one; write what it stands for"},
      {"<a>\xff</a>", 1, 4,
       "expected well-formed XML, found an error: not well-formed (invalid token); the <a> of line 1 is open"},
      {"<?xml version='1.0' encoding='EBCDIC'?><a/>", 1, 31,
       "expected well-formed XML, found an error: unknown encoding"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_refused(cases[i].text, strlen(cases[i].text), GLIMPSE_BAD_SYNTAX, cases[i].line, cases[i].column,
                  cases[i].message);
  check_refused("<a>\0</a>", 8, GLIMPSE_BAD_SYNTAX, 1, 4,
                "expected well-formed XML, found an error: not well-formed (invalid token); the <a> of line 1 is open");
}

/* As deep as it may be, and one deeper. */
static void limits_the_depth(void **state) {
  (void)state;
  for (int extra = 0; extra < 2; extra++) {
    struct text text = {0};
    for (int i = 0; i < XML_DEPTH + extra; i++) text_put(&text, "<a>");
    for (int i = 0; i < XML_DEPTH + extra; i++) text_put(&text, "</a>");
    if (extra)
      check_refused(text.data, text.length, GLIMPSE_TOO_LARGE, 1, 193,
                    "expected at most 64 levels of elements, found more");
    else xml_free(read_text(text.data));
    text_free(&text);
  }
}

static glimpse_status read_job(void *context) {
  xml *tree;
  glimpse_status status = xml_read(context, strlen(context), "x.xml", NULL, &tree);
  xml_free(tree);
  return status;
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  struct text text = {0};
  text_put(&text, "<a k='v'><!-- c --><b>");
  for (int i = 0; i < 300; i++) text_put(&text, "a long text with &amp; and\r\n"); /* many pieces */
  for (int i = 0; i < 20000; i++) text_put(&text, "x");                            /* a block of its own */
  text_put(&text, "</b></a>");
  assert_true(failing_malloc_sweep(read_job, text.data) > 10);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_elements),          cmocka_unit_test(finds_words), cmocka_unit_test(reads_encodings),
      cmocka_unit_test(shows_whole_characters),  cmocka_unit_test(refuses),     cmocka_unit_test(limits_the_depth),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
