/* Signature: one number that changes when the search behaves differently. */
#ifndef TESTS_SUPPORT_SIGNATURE_H
#define TESTS_SUPPORT_SIGNATURE_H

#include <stdint.h>

/* Plays a few episodes of every built-in environment with fixed seeds and expansion
 * budgets and hashes the bits of all results.  0: something failed. */
uint64_t signature_of_search(void);

#endif
