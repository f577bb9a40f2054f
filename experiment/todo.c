/* Todo: see todo.h.  Tasks are taken from the front, so that a task that comes back finds room there. */
#include "experiment/todo.h"

#include <stdlib.h>

static bool add(struct todo *todo, struct task task) {
  if (todo->count == todo->capacity) {
    size_t capacity = todo->capacity ? 2 * todo->capacity : 256;
    struct task *more = realloc(todo->tasks, capacity * sizeof *more);
    if (!more) return false;
    todo->tasks = more;
    todo->capacity = capacity;
  }
  todo->tasks[todo->count++] = task;
  return true;
}

bool todo_make(struct todo *todo, const struct spec *spec, todo_stored stored, todo_traced traced, void *context) {
  *todo = (struct todo){0};
  uint64_t most = 0;
  for (size_t i = 0; i < spec->setting_count; i++)
    if (spec->settings[i].episodes > most) most = spec->settings[i].episodes;
  for (uint64_t episode = 0; episode < most; episode++) {
    for (size_t i = 0; i < spec->setting_count; i++) {
      if (episode >= spec->settings[i].episodes || stored(context, i, episode)) continue;
      if (!add(todo, (struct task){.setting = (uint32_t)i, .episode = episode})) return false;
    }
    for (size_t i = 0; !episode && i < spec->setting_count; i++) {
      if (!spec->settings[i].trace || traced(context, i)) continue;
      if (!add(todo, (struct task){.setting = (uint32_t)i, .trace = 1})) return false;
    }
  }
  return true;
}

bool todo_take(struct todo *todo, struct task *task) {
  if (todo->next == todo->count) return false;
  *task = todo->tasks[todo->next++];
  return true;
}

void todo_return(struct todo *todo, struct task task) {
  todo->tasks[--todo->next] = task;
}

void todo_free(struct todo *todo) {
  free(todo->tasks);
  *todo = (struct todo){0};
}
