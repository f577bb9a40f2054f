/* Answers: what an agent that asks would do after each of the answers it may get. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "decide.h"
#include "json.h"

enum { ANSWERS_NAMED = 3 };

/* All answers that lead to one action. */
struct answer {
  uint32_t action; /* GLIMPSE_ANY: the search has not looked at what follows them */
  double probability;
  size_t states;
  uint32_t largest[ANSWERS_NAMED]; /* the most probable of them */
  double weight[ANSWERS_NAMED];
};

struct answers {
  uint32_t otherwise; /* the best action without asking, by its lower bound */
  struct answer *list;
  size_t count; /* the most probable first; 0: the planner does not ask, or does not tell */
};

/* False: out of memory.  answers_free is to be called in any case. */
bool answers_find(const struct decide *decide, struct answers *answers);
void answers_free(struct answers *answers);
/* Those that change the action, with their probabilities; some lines. */
void answers_show(const struct decide *decide, const struct answers *answers);
/* The key answers. */
void answers_json(const struct decide *decide, const struct answers *answers, struct json *json);

#endif
