/* Comma locale: a locale whose decimal point is a comma, for tests that numbers
 * in text do not depend on it. */
#ifndef SUPPORT_COMMA_LOCALE_H
#define SUPPORT_COMMA_LOCALE_H

#include <stdbool.h>

/* Puts such a locale in force: one that the machine has, or one that is made for
 * the occasion.  False where neither can be done. */
bool comma_locale_enter(void);
/* Back to "C". */
void comma_locale_leave(void);

#endif
