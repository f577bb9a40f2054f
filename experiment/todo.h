/* Todo: the tasks that are missing, in the order in which they are to be done. */
#ifndef EXPERIMENT_TODO_H
#define EXPERIMENT_TODO_H

#include "experiment/play.h"

struct todo {
  struct task *tasks; /* those before `next` were taken */
  size_t next, count, capacity;
};

/* Which tasks of a setting are stored. */
typedef bool (*todo_stored)(void *context, size_t setting, uint64_t episode);
typedef bool (*todo_traced)(void *context, size_t setting);

/* The first episode of every setting, then their traces, then the second of every setting, and so on: what is
 * there early covers everything.  False: no memory. */
bool todo_make(struct todo *todo, const struct spec *spec, todo_stored stored, todo_traced traced, void *context);
bool todo_take(struct todo *todo, struct task *task);
/* A task that was taken has to be done by somebody else.  Always possible. */
void todo_return(struct todo *todo, struct task task);
void todo_free(struct todo *todo);

#endif
