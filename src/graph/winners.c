/* Winners: a tournament.  Node i of the tree has children 2i and 2i+1; a leaf is
 * an item.  Changing a key replays the matches on one path: log2(items) of them,
 * fewer when the outcome above cannot have changed. */
#include "graph/winners.h"

#include <string.h>

#include "base/memory.h"

void gli_winners_free(gli_winners *winners) {
  gli_memory_free(winners->key);
  gli_memory_free(winners->winner);
  *winners = (gli_winners){0};
}

static uint32_t match(const gli_winners *winners, uint32_t left, uint32_t right) {
  return winners->key[right] > winners->key[left] ? right : left;
}

static void replay_all(gli_winners *winners) {
  for (size_t i = 0; i < winners->capacity; i++) winners->winner[winners->capacity + i] = (uint32_t)i;
  for (size_t i = winners->capacity; i-- > 1;)
    winners->winner[i] = match(winners, winners->winner[2 * i], winners->winner[2 * i + 1]);
}

bool gli_winners_grow(gli_winners *winners, size_t count) {
  if (count <= winners->capacity) return true;
  size_t capacity = winners->capacity ? winners->capacity : 64;
  while (capacity < count) capacity *= 2;
  double *key = GLI_NEW(double, capacity);
  uint32_t *winner = GLI_NEW(uint32_t, 2 * capacity);
  if (!key || !winner) {
    gli_memory_free(key);
    gli_memory_free(winner);
    return false;
  }
  if (winners->capacity) memcpy(key, winners->key, winners->capacity * sizeof *key);
  gli_winners_free(winners);
  *winners = (gli_winners){.key = key, .winner = winner, .capacity = capacity};
  replay_all(winners);
  return true;
}

/* The winner so far and its key go up in registers: no match waits for what the one before has written. */
void gli_winners_set(gli_winners *winners, uint32_t item, double key) {
  if (winners->key[item] == key) return;
  winners->key[item] = key;
  const double *keys = winners->key;
  uint32_t *winner = winners->winner, now = item;
  for (size_t i = winners->capacity + item; i > 1;) {
    uint32_t rival = winner[i ^ 1];
    bool lost = (keys[rival] > key) | ((keys[rival] == key) & (i & 1)); /* the left one wins among equals */
    now = lost ? rival : now;
    key = lost ? keys[rival] : key;
    i /= 2;
    if (winner[i] == now && now != item) break;
    winner[i] = now;
  }
}
