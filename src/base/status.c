/* Status codes, their texts, and the version. */
#include "glimpse.h"

const char *glimpse_version(void) {
  return GLIMPSE_VERSION;
}

const char *glimpse_status_text(glimpse_status status) {
  switch (status) {
#define X(name, text)                                                                                                  \
  case GLIMPSE_##name: return text;
    GLIMPSE_STATUS_TABLE(X)
#undef X
  }
  return "unknown status";
}
