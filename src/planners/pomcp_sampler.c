/* Sampler: draws an entry of a sparse row with its probability.
 *
 * Short rows, which is all that large models usually have, are walked.  As soon as
 * one row is longer, running sums are made for the whole table and long rows are
 * searched by halving.  A row of one entry draws nothing.  What a row lacks of 1
 * falls to its last entry. */
#include "planners/pomcp.h"

enum { SHORT = 16 };

bool gli_pomcp_sampler_start(gli_pomcp_sampler *sampler, const gli_table *table, uint64_t rows) {
  *sampler = (gli_pomcp_sampler){.table = table};
  bool some_long = false;
  for (uint64_t r = 0; r < rows; r++) some_long |= table->row[r + 1] - table->row[r] > SHORT;
  if (!some_long) return true;
  sampler->sums = GLI_NEW(double, (size_t)table->row[rows]);
  if (!sampler->sums) return false;
  for (uint64_t r = 0; r < rows; r++) {
    double sum = 0;
    for (uint64_t i = table->row[r]; i < table->row[r + 1]; i++) sampler->sums[i] = sum += table->value[i];
  }
  return true;
}

void gli_pomcp_sampler_stop(gli_pomcp_sampler *sampler) {
  gli_memory_free(sampler->sums);
}

size_t gli_pomcp_sampler_search(const double *sums, size_t count, double u) {
  size_t low = 0, high = count - 1; /* the answer is in low..high */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (u < sums[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

uint32_t gli_pomcp_sampler_draw(const gli_pomcp_sampler *sampler, uint64_t row, gli_random *random) {
  uint64_t first = sampler->table->row[row];
  size_t count = (size_t)(sampler->table->row[row + 1] - first), i = 0;
  if (count > 1) {
    double u = gli_random_unit(random);
    if (count > SHORT) {
      i = gli_pomcp_sampler_search(sampler->sums + first, count, u);
    } else {
      for (const double *value = sampler->table->value + first; i + 1 < count && u >= value[i]; i++) u -= value[i];
    }
  }
  return sampler->table->column[first + i];
}
