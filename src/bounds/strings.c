/* Strings: a table of pairs (action, rest), each kept once, found by hashing. */
#include "bounds/strings.h"

#include "base/memory.h"

enum { NONE = 0 };

static size_t hash_of(gli_string string) {
  uint64_t hash = (((uint64_t)string.action << 32) | string.next) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(hash ^ (hash >> 31));
}

static size_t place(const uint32_t *slot, size_t slots, const gli_string *all, gli_string wanted) {
  size_t at = hash_of(wanted) & (slots - 1);
  while (slot[at] != NONE && (all[slot[at]].action != wanted.action || all[slot[at]].next != wanted.next))
    at = (at + 1) & (slots - 1);
  return at;
}

/* Room for one more in both tables. */
static bool grow(gli_strings *strings) {
  if (!GLI_GROW(strings->string, strings->capacity, (size_t)strings->count + 1)) return false;
  if (2 * (size_t)strings->count < strings->slots) return true;
  size_t slots = strings->slots ? 2 * strings->slots : 64;
  while (slots <= 2 * (size_t)strings->count) slots *= 2;
  uint32_t *slot = GLI_NEW(uint32_t, slots);
  if (!slot) return false;
  for (uint32_t i = strings->ends; i < strings->count; i++)
    slot[place(slot, slots, strings->string, strings->string[i])] = i;
  gli_memory_free(strings->slot);
  strings->slot = slot;
  strings->slots = slots;
  return true;
}

bool gli_strings_start(gli_strings *strings, uint32_t actions) {
  *strings = (gli_strings){.ends = actions + 1, .count = actions + 1};
  if (!GLI_GROW(strings->string, strings->capacity, strings->ends)) return false;
  strings->string[0] = (gli_string){UINT32_MAX, 0};
  for (uint32_t k = 0; k < actions; k++) strings->string[k + 1] = (gli_string){k, k + 1};
  return true;
}

void gli_strings_free(gli_strings *strings) {
  gli_memory_free(strings->string);
  gli_memory_free(strings->slot);
  *strings = (gli_strings){0};
}

bool gli_strings_add(gli_strings *strings, uint32_t action, uint32_t next, uint32_t *made) {
  gli_string wanted = {action, next};
  if (strings->count == UINT32_MAX || !grow(strings)) return false;
  size_t at = place(strings->slot, strings->slots, strings->string, wanted);
  if (strings->slot[at] == NONE) {
    strings->string[strings->count] = wanted;
    strings->slot[at] = strings->count++;
  }
  *made = strings->slot[at];
  return true;
}
