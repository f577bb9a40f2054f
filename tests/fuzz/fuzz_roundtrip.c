/* Reader and writer: each model that is read is written and read again as the same model, bit for
 * bit; so are its forms that 'glimpse convert' writes: with another price, another discount, and as
 * the equivalent model without requests.  Inputs that begin with a zero byte are not texts: the bytes
 * behind it are calls of the builder, whose numbers no text would have. */
#include <stdlib.h>

#include "fuzz.h"

struct tap {
  size_t left;
};

/* A sink that has enough after some bytes. */
static bool drip(void *context, const char *text, size_t length) {
  struct tap *tap = context;
  (void)text;
  if (length > tap->left) return false;
  tap->left -= length;
  return true;
}

static void check_forms(glimpse_model *model, size_t size) {
  fuzz_check_round_trip(model);
  struct tap tap = {size};
  glimpse_status status = glimpse_pomdp_write(model, drip, &tap);
  FUZZ_CHECK(!status || status == GLIMPSE_CANNOT_WRITE || status == GLIMPSE_NO_MEMORY, "status %d", (int)status);
  glimpse_model *equivalent = NULL;
  status = glimpse_model_equivalent(model, NULL, &equivalent);
  FUZZ_CHECK(!status == (equivalent != NULL), "status %d", (int)status);
  if (equivalent) {
    FUZZ_CHECK(!glimpse_model_requests(equivalent), "the equivalent model asks");
    fuzz_check_model(equivalent);
    fuzz_check_round_trip(equivalent);
  }
  glimpse_model_free(equivalent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  glimpse_model *model = NULL;
  if (size && !*data) {
    struct fuzz_input input = {data + 1, size - 1};
    model = fuzz_make_model(&input, true);
  } else {
    char *text = fuzz_copy(data, size);
    if (text) glimpse_pomdp_read(text, size, "fuzz", NULL, NULL, &model);
    free(text);
  }
  if (!model) return 0;
  fuzz_check_model(model);
  check_forms(model, size);
  FUZZ_CHECK(!glimpse_model_set_cost(model, 1. / 3), "a price of 1/3");
  FUZZ_CHECK(!glimpse_model_set_discount(model, 0.7), "a discount of 0.7");
  check_forms(model, size / 2);
  FUZZ_CHECK(!glimpse_model_set_cost(model, 0), "no requests");
  fuzz_check_model(model);
  fuzz_check_round_trip(model);
  glimpse_model_free(model);
  return 0;
}
