/* The reader of POMDPX texts; fuzz.h says what has to hold. */
#include "fuzz.h"
#include "xml/pomdpx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_check_reader(pomdpx_read, data, size);
  return 0;
}
