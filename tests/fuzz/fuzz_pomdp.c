/* The reader of .pomdp texts; fuzz.h says what has to hold. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_check_reader(glimpse_pomdp_read, data, size);
  return 0;
}
