/* Policy text: policies as texts, for tests. */
#ifndef SUPPORT_POLICY_TEXT_H
#define SUPPORT_POLICY_TEXT_H

#include <stddef.h>

#include "glimpse.h"

/* The text with its checksum behind it; must be freed. */
char *policy_text_sealed(const char *body, size_t *length);
/* The policy as a text; must be freed. */
char *policy_text_write(const glimpse_policy *policy, size_t *length);
/* Reads a text without its checksum, in which nothing may be wrong. */
glimpse_policy *policy_text_read(const char *body);

#endif
