/* Word: how far apart two words are, for "did you mean".
 *
 * The usual table of edit distances, of which three rows are kept: a swap of neighbours looks two rows back. */
#include <stdint.h>

#include "glimpse.h"

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t glimpse_word_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t rows[3][GLIMPSE_WORD_MAX + 1];
  if (n > GLIMPSE_WORD_MAX || m > GLIMPSE_WORD_MAX) return SIZE_MAX;
  for (size_t j = 0; j <= m; j++) rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      now[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}
