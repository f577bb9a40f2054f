/* Nearest: by edit distance.  A candidate is near when at most a third of the longer word was changed, or
 * when the word is the beginning of it. */
#include "common/nearest.h"

#include <string.h>

#include "glimpse.h"

struct nearest nearest_begin(const char *word) {
  return (struct nearest){word, NULL, GLIMPSE_WORD_MAX};
}

void nearest_offer(struct nearest *nearest, const char *candidate) {
  size_t n = strlen(nearest->word), m = strlen(candidate);
  if (n == 0 || n > GLIMPSE_WORD_MAX || m > GLIMPSE_WORD_MAX) return;
  size_t far = glimpse_word_distance(nearest->word, n, candidate, m);
  size_t longer = n > m ? n : m;
  if (n >= 2 && !strncmp(nearest->word, candidate, n)) far = 1;
  if (3 * far > longer || far >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = far;
}
