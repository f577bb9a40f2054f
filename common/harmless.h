/* Harmless: text from files, databases and the command line that a terminal can show
 * without obeying it. */
#ifndef COMMON_HARMLESS_H
#define COMMON_HARMLESS_H

#include <stddef.h>

/* Replaces each byte of a control character by '?', but keeps those of `keep`, such as
 * "\n\t". */
void harmless(char *text, size_t length, const char *keep);
/* Length of the UTF-8 sequence at the start of a text that ends with a 0; 0: there is none
 * (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t harmless_sequence(const unsigned char *text);

#endif
