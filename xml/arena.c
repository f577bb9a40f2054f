/* Arena: see arena.h.  Blocks of fixed size in a list, and one of its own for what is larger. */
#include "xml/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16, ALIGN = sizeof(max_align_t) };

struct arena_block {
  struct arena_block *next;
  max_align_t data[];
};

static struct arena_block *add(struct arena *arena, size_t room) {
  struct arena_block *block = room > SIZE_MAX - sizeof *block ? NULL : calloc(1, sizeof *block + room);
  if (!block) return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

void *arena_take(struct arena *arena, size_t count, size_t size) {
  if (size && count > (SIZE_MAX - ALIGN) / size) return NULL;
  size_t need = (count * size + ALIGN - 1) / ALIGN * ALIGN;
  if (need > ROOM / 4) { /* what is left of the block before is given up: blocks are few then */
    struct arena_block *block = add(arena, need);
    if (block) arena->left = 0;
    return block ? block->data : NULL;
  }
  if (need > arena->left || !arena->blocks) {
    if (!add(arena, ROOM)) return NULL;
    arena->left = ROOM;
  }
  char *place = (char *)arena->blocks->data + (ROOM - arena->left);
  arena->left -= need;
  return place;
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_take(arena, length + 1, 1);
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

void arena_free(struct arena *arena) {
  for (struct arena_block *block = arena->blocks; block;) {
    struct arena_block *next = block->next;
    free(block);
    block = next;
  }
  *arena = (struct arena){0};
}
