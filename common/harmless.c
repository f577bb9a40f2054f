/* Harmless: see harmless.h.
 *
 * What terminals obey are the control characters: C0 (below the space), DEL, and C1, which
 * are U+0080 to U+009F in UTF-8 and the bytes 0x80 to 0x9f elsewhere.  Such bytes within a
 * longer sequence of UTF-8 are parts of letters and stay. */
#include "common/harmless.h"

#include <stdbool.h>
#include <string.h>

size_t harmless_sequence(const unsigned char *text) {
  unsigned char c = text[0], low = 0x80, high = 0xbf;
  size_t length = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (c == 0xe0) low = 0xa0;
  if (c == 0xed) high = 0x9f;
  if (c == 0xf0) low = 0x90;
  if (c == 0xf4) high = 0x8f;
  for (size_t i = 1; i < length; i++) {
    if (text[i] < low || text[i] > high) return 0; /* also at the end of the text */
    low = 0x80;
    high = 0xbf;
  }
  return length;
}

void harmless(char *text, size_t length, const char *keep) {
  for (size_t i = 0; i < length;) {
    unsigned char here[5] = {0}; /* so that a sequence ends where the text does */
    memcpy(here, text + i, length - i < 4 ? length - i : 4);
    size_t size = harmless_sequence(here);
    bool kept = here[0] && strchr(keep, here[0]);
    bool control = (here[0] < ' ' && !kept) || here[0] == 127 || (!size && here[0] < 0xa0) ||
                   (here[0] == 0xc2 && size == 2 && here[1] < 0xa0);
    if (!size) size = 1;
    if (control) memset(text + i, '?', size);
    i += size;
  }
}
