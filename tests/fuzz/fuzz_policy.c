/* The readers of policies: whatever the bytes are, they say what is wrong at a place inside the text, or give a policy
 * that is whole and is written as it was read.  The checksum would keep a fuzzer out of everything behind it, so each
 * text is read once more with the right one. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fuzz.h"
#include "policy/policy.h"
#include "policy/policy_file.h"
#include "xml/appl.h"

typedef struct copy {
  char *text;
  size_t length, room;
} copy;

static bool collect(void *context, const char *text, size_t length) {
  copy *c = context;
  if (c->length + length > c->room) {
    c->room = 2 * (c->length + length);
    c->text = realloc(c->text, c->room);
    if (!c->text) abort();
  }
  memcpy(c->text + c->length, text, length);
  c->length += length;
  return true;
}

static void check_places(const glimpse_report *report, const char *text, size_t length) {
  uint64_t lines = 1;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n' || text[i] == '\r';
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    if (message->code == GLIMPSE_NO_MEMORY) continue;
    FUZZ_CHECK(message->line <= lines && message->column <= length + 1, "line %llu of %llu: %s",
               (unsigned long long)message->line, (unsigned long long)lines, message->text);
  }
}

static glimpse_policy *read(const char *text, size_t length, const glimpse_model *model) {
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) abort();
  glimpse_status status = appl_import(text, length, "fuzz", model, report, &policy);
  fuzz_check_report(report, status, policy != NULL);
  check_places(report, text, length);
  glimpse_report_free(report);
  if (policy) FUZZ_CHECK(gli_policy_whole(policy), "the policy is not whole");
  return policy;
}

/* Written, read and written again it is the same text. */
static void check_round_trip(const glimpse_policy *policy) {
  copy once = {0}, twice = {0};
  if (!glimpse_policy_write(policy, collect, &once)) {
    glimpse_policy *again = read(once.text, once.length, NULL);
    if (again && !glimpse_policy_write(again, collect, &twice))
      FUZZ_CHECK(once.length == twice.length && !memcmp(once.text, twice.text, once.length), "another text");
    glimpse_policy_free(again);
  }
  free(once.text);
  free(twice.text);
}

static void read_sealed(const char *text, size_t length) {
  char *sealed = malloc(length + GLI_POLICY_FILE_TAIL + 1);
  if (!sealed) return;
  if (length) memcpy(sealed, text, length);
  gli_policy_file_tail(gli_hash(GLI_HASH_START, text, length), sealed + length);
  glimpse_policy *policy = read(sealed, length + GLI_POLICY_FILE_TAIL, NULL);
  if (policy) check_round_trip(policy);
  glimpse_policy_free(policy);
  free(sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static glimpse_model *model; /* of the vectors */
  if (!model && glimpse_environment_make("tiger", NULL, &model)) abort();
  char *text = malloc(size ? size : 1); /* no zero behind it */
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  glimpse_policy *policy = read(text, size, model);
  if (policy) check_round_trip(policy);
  glimpse_policy_free(policy);
  read_sealed(text, size);
  free(text);
  return 0;
}
