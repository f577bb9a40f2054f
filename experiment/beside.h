/* Beside: our results and the figures of other authors in one table. */
#ifndef EXPERIMENT_BESIDE_H
#define EXPERIMENT_BESIDE_H

#include "experiment/published.h"
#include "experiment/results.h"
#include "experiment/sheet.h"
#include "experiment/summary.h"

/* The table of an experiment; without rows where nobody has published anything on its environments at its prices.
 * `summaries` are those of its parts.  sheet_free is to be called in any case.  False: no memory. */
bool beside_build(struct sheet *sheet, const struct results *results, const struct results_experiment *experiment,
                  const struct summary *summaries, const struct variety *variety);
/* Has it rows? */
bool beside_any(const struct sheet *sheet);

#endif
