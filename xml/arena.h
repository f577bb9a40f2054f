/* Arena: memory that is freed in one go. */
#ifndef XML_ARENA_H
#define XML_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero is an empty one. */
struct arena {
  struct arena_block *blocks; /* the last one first */
  size_t left;                /* bytes of it */
};

/* `count` times `size` bytes, zeroed, good for any type; NULL: out of memory. */
void *arena_take(struct arena *arena, size_t count, size_t size);
/* A copy with a zero behind it. */
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_free(struct arena *arena);

#endif
