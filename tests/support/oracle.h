/* Oracle: between which two numbers the value of a belief lies, with proof.
 *
 * Written naively from the recursion in exact.h, with the public accessors alone and in
 * precise numbers (precise.h) that know their own error, so that a bound of the library
 * can be compared with NO tolerance: what the oracle excludes is wrong.
 *
 * The model is the one whose rows of T and O and whose belief are the stored numbers
 * divided by their sum (a stored row sums to 1 within rounding only), and whose expected
 * rewards, prices and discount are the stored ones.
 *
 * How narrow the interval is:  models in which every plan ends after a known number of
 * steps, and models in which every observation tells the state, whatever the discount:
 * about 1e-25 of the value.  Others: discount^horizon of it. */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include "glimpse.h"
#include "support/precise.h"

typedef struct oracle oracle;

typedef struct oracle_range {
  precise low, high;
} oracle_range;

/* `horizon` steps are looked ahead (fewer where the model ends or shows the state).
 * Fails the test when out of memory. */
oracle *oracle_new(const glimpse_model *model, unsigned horizon);
void oracle_free(oracle *o);
/* V at a belief. */
oracle_range oracle_value(const oracle *o, glimpse_row belief);
/* The value of an action, or of asking (GLIMPSE_ANY), and then of the best plan. */
oracle_range oracle_choice(const oracle *o, glimpse_row belief, uint32_t action);
/* Every observation tells the state. */
bool oracle_clear(const oracle *o);

#endif
