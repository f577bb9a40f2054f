/* Commands: the table and look-ups in it. */
#include "command.h"

#include <string.h>

#include "common/nearest.h"
#include "message.h"

static const struct command *const table[] = {
#define X(id, name) &command_##name,
    COMMAND_TABLE(X)
#undef X
};

const struct command *command_get(size_t i) {
  return i < COMMAND_COUNT ? table[i] : NULL;
}

const struct command *command_find(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(table[i]->name, name)) return table[i];
  return NULL;
}

unsigned command_bit(const struct command *command) {
  for (unsigned i = 0; i < COMMAND_COUNT; i++)
    if (table[i] == command) return 1u << i;
  return 0;
}

int command_require(const char *name, const struct command **command) {
  *command = command_find(name);
  if (*command) return TOOL_OK;
  struct nearest nearest = nearest_begin(name);
  for (size_t i = 0; i < COMMAND_COUNT; i++) nearest_offer(&nearest, table[i]->name);
  if (nearest.best) return message_usage(NULL, "there is no command '%s'; did you mean '%s'?", name, nearest.best);
  return message_usage(NULL, "there is no command '%s'", name);
}
