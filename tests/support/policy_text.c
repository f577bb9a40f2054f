/* Policy text: see policy_text.h.  The checksum is made anew here, byte by byte. */
#include "support/policy_text.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *policy_text_sealed(const char *body, size_t *length) {
  size_t n = strlen(body);
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)body[i]) * UINT64_C(1099511628211);
  char *text = malloc(n + 40);
  assert_non_null(text);
  *length = (size_t)sprintf(text, "%schecksum %016" PRIx64 "\n", body, hash);
  return text;
}

typedef struct text {
  char *bytes;
  size_t length, room;
} text;

static bool collect(void *context, const char *piece, size_t length) {
  text *all = context;
  if (all->length + length + 1 > all->room) {
    all->room = 2 * (all->length + length + 1);
    all->bytes = realloc(all->bytes, all->room);
    assert_non_null(all->bytes);
  }
  memcpy(all->bytes + all->length, piece, length);
  all->length += length;
  all->bytes[all->length] = 0;
  return true;
}

char *policy_text_write(const glimpse_policy *policy, size_t *length) {
  text all = {0};
  assert_int_equal(glimpse_policy_write(policy, collect, &all), GLIMPSE_OK);
  if (length) *length = all.length;
  return all.bytes;
}

glimpse_policy *policy_text_read(const char *body) {
  size_t length;
  char *sealed = policy_text_sealed(body, &length);
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status = glimpse_policy_read(sealed, length, "test", report, &policy);
  if (status) print_message("%s\n", glimpse_report_get(report, 0)->text);
  assert_int_equal(status, GLIMPSE_OK);
  assert_int_equal(glimpse_report_kept(report), 0);
  glimpse_report_free(report);
  free(sealed);
  return policy;
}
