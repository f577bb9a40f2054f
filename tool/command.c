/* Commands: look-ups in their table. */
#include "command.h"

#include <string.h>

#include "common/nearest.h"
#include "message.h"

static const char *const names[] = {
#define X(id, name) #name,
    COMMAND_TABLE(X)
#undef X
};

/* What people may look for under another name. */
static const struct {
  const char *word, *line, *text;
} others[] = {
    {"watch", "glimpse run MODEL --watch", "shows episodes as they are played, with '--policy FILE' those of a policy"},
    {"simulate", "glimpse run MODEL", "plays episodes"},
    {"evaluate", "glimpse run MODEL --policy FILE",
     "plays episodes with a policy; 'glimpse verify' computes its value"},
};

const char *command_name(size_t i) {
  return names[i];
}

unsigned command_bit(const struct command *command) {
  for (unsigned i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(names[i], command->name)) return 1u << i;
  return 0;
}

int command_require(const struct commands *all, const char *name, const struct command **command) {
  struct nearest nearest = nearest_begin(name);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    nearest_offer(&nearest, names[i]);
    if (strcmp(names[i], name) != 0) continue;
    *command = all->at[i];
    return TOOL_OK;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(others[i].word, name))
      return message_usage(NULL, "there is no command '%s'; '%s' %s", name, others[i].line, others[i].text);
  if (nearest.best) return message_usage(NULL, "there is no command '%s'; did you mean '%s'?", name, nearest.best);
  return message_usage(NULL, "there is no command '%s'", name);
}
