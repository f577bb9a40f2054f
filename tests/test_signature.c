/* The search behaves as it did: see support/signature.h.  When a change of behaviour is
 * meant, put the new number here and into the commit message. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/signature.h"

static const uint64_t expected = UINT64_C(0x668421b4bee529a9);

static void test_signature(void **state) {
  (void)state;
  uint64_t signature = signature_of_search();
  if (signature != expected) print_error("signature: %016" PRIx64 "\n", signature);
  assert_true(signature == expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_signature)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
