/* Names: one block of text, an offset per name, and an open-addressing hash
 * table with linear probing that is made at the first name.  Setting, finding
 * and getting are constant time; memory is linear in the text. */
#include "model/names.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "glimpse.h"

void gli_names_start(gli_names *names, uint32_t count) {
  *names = (gli_names){.count = count};
}

void gli_names_free(gli_names *names) {
  gli_memory_free(names->text);
  gli_memory_free(names->offset);
  gli_memory_free(names->slot);
  *names = (gli_names){0};
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool gli_names_valid(const char *name, size_t length) {
  if (length == 0 || !is_letter(name[0])) return false;
  for (size_t i = 1; i < length; i++)
    if (!is_letter(name[i]) && !(name[i] >= '0' && name[i] <= '9') && name[i] != '_' && name[i] != '-') return false;
  return true;
}

static size_t hash(const char *name, size_t length) {
  uint64_t h = gli_hash(GLI_HASH_START, name, length);
  return (size_t)(h ^ (h >> 29));
}

/* The slot that holds the name, or the free slot where it would go. */
static size_t seek(const gli_names *names, const char *name, size_t length) {
  size_t mask = names->slots - 1, i = hash(name, length) & mask;
  while (names->slot[i]) {
    const char *other = names->text + names->offset[names->slot[i] - 1];
    if (strlen(other) == length && memcmp(other, name, length) == 0) break; /* name may hold zero bytes */
    i = (i + 1) & mask;
  }
  return i;
}

/* Makes offsets and slots at the first name.  Never more than two slots in
 * three are used, because each index takes at most one. */
static bool prepare(gli_names *names) {
  if (names->slots) return true;
  size_t slots = 16;
  while (slots < (size_t)names->count + names->count / 2 + 1) slots *= 2;
  size_t *offset = GLI_NEW(size_t, names->count);
  uint32_t *slot = GLI_NEW(uint32_t, slots);
  if (!offset || !slot) {
    gli_memory_free(offset);
    gli_memory_free(slot);
    return false;
  }
  for (uint32_t i = 0; i < names->count; i++) offset[i] = SIZE_MAX;
  names->offset = offset;
  names->slot = slot;
  names->slots = slots;
  return true;
}

static bool append(gli_names *names, uint32_t i, const char *name, size_t length) {
  if (!GLI_GROW(names->text, names->text_capacity, names->text_size + length + 1)) return false;
  names->offset[i] = names->text_size;
  memcpy(names->text + names->text_size, name, length);
  names->text[names->text_size + length] = 0;
  names->text_size += length + 1;
  return true;
}

gli_names_result gli_names_set(gli_names *names, uint32_t i, const char *name, size_t length) {
  if (!prepare(names)) return GLI_NAMES_NO_MEMORY;
  size_t at = seek(names, name, length);
  if (names->slot[at]) return names->slot[at] == i + 1 ? GLI_NAMES_OK : GLI_NAMES_TAKEN;
  if (names->offset[i] != SIZE_MAX) return GLI_NAMES_TAKEN; /* i has another name */
  if (!append(names, i, name, length)) return GLI_NAMES_NO_MEMORY;
  names->slot[at] = i + 1;
  names->given = true;
  return GLI_NAMES_OK;
}

uint32_t gli_names_missing(const gli_names *names) {
  if (!names->offset) return 0;
  for (uint32_t i = 0; i < names->count; i++)
    if (names->offset[i] == SIZE_MAX) return i;
  return names->count;
}

uint32_t gli_names_find(const gli_names *names, const char *name, size_t length) {
  if (!names->given || !names->slots) return UINT32_MAX;
  size_t at = seek(names, name, length);
  return names->slot[at] ? names->slot[at] - 1 : UINT32_MAX;
}

const char *gli_names_get(const gli_names *names, uint32_t i) {
  if (i >= names->count || !names->offset || names->offset[i] == SIZE_MAX) return NULL;
  return names->text + names->offset[i];
}

bool gli_names_number(gli_names *names) {
  if (!names->offset) {
    names->offset = GLI_NEW(size_t, names->count);
    if (!names->offset) return false;
  }
  for (uint32_t i = 0; i < names->count; i++) {
    char digits[GLIMPSE_NUMBER_SIZE];
    size_t length = glimpse_number_write((double)i, digits);
    if (!append(names, i, digits, length)) return false;
  }
  return true;
}
