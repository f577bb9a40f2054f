/* Nearest: edit distance in which a swap of two neighbours counts as one edit.
 * A candidate is near when at most a third of the longer word was changed, or
 * when the word is the beginning of it. */
#include "nearest.h"

#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Three rows of the usual table: the current one and the two above it. */
static size_t distance(const char *a, size_t n, const char *b, size_t m) {
  size_t rows[3][LONGEST + 1];
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

struct nearest nearest_begin(const char *word) {
  return (struct nearest){word, NULL, LONGEST};
}

void nearest_offer(struct nearest *nearest, const char *candidate) {
  size_t n = strlen(nearest->word), m = strlen(candidate);
  if (n == 0 || n > LONGEST || m > LONGEST) return;
  size_t far = distance(nearest->word, n, candidate, m);
  size_t longer = n > m ? n : m;
  if (n >= 2 && !strncmp(nearest->word, candidate, n)) far = 1;
  if (3 * far > longer || far >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = far;
}
