/* Pages: ranges of addresses that get their memory when it is needed. */
#ifndef GLI_BASE_PAGES_H
#define GLI_BASE_PAGES_H

#include <stddef.h>

/* Addresses for so many bytes, zeroed or not; NULL: the system gives none, or they would be
 * missing elsewhere. */
char *gli_pages_reserve(size_t bytes);
void gli_pages_release(char *start, size_t bytes);
/* Takes the memory of the bytes from..to at once, which is cheaper than page by page. */
void gli_pages_take(char *start, size_t from, size_t to);
/* Gives back the memory behind the first `from` of the `held` bytes that have some; their contents are lost.  Returns
 * how many still have memory. */
size_t gli_pages_give(char *start, size_t from, size_t held);

#endif
