/* Thin: keeps the numbers that others rest on.
 *
 * From the start: of each action some number must hold it down to U there, unless known states do so alone.  A number
 * that is kept must not be below its look ahead: at each node that follows, numbers must hold all actions down to what
 * it can bear.  All numbers of known states are kept.  One that is kept already is taken before one that is not; else
 * the one that makes the bound.  Numbers that nobody asks for are left out, and points without numbers. */
#include "policy/thin.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/line.h"

typedef struct thin {
  gli_slate *slate;
  uint8_t *kept;  /* per point and action */
  uint32_t *list; /* numbers whose look ahead is to be held */
  size_t listed, list_capacity;
} thin;

static bool keep(thin *t, uint32_t point, uint32_t a) {
  uint8_t *kept = &t->kept[(size_t)point * t->slate->actions + a];
  if (*kept) return true;
  if (!GLI_GROW(t->list, t->list_capacity, t->listed + 1)) return false;
  *kept = 1;
  t->list[t->listed++] = t->slate->number_of[(size_t)t->slate->point[point] * t->slate->actions + a];
  return true;
}

/* Holds action a of a node, whose bound by known states is `sum`, down to `most`. */
static bool hold_action(thin *t, uint32_t n, uint32_t a, double sum, double most) {
  const gli_slate_node *node = &t->slate->node[n];
  uint32_t best = GLI_SLATE_NONE;
  double least = 0;
  for (size_t i = 0; i < node->shares; i++) {
    size_t at = (size_t)node->share[i].point * t->slate->actions + a;
    double down = node->share[i].weight * t->slate->depth[at];
    if (t->kept[at] && sum + down <= most) return true;
    if (down < least) {
      least = down;
      best = node->share[i].point;
    }
  }
  return best == GLI_SLATE_NONE || keep(t, best, a);
}

static bool hold(thin *t, uint32_t n, double most) {
  gli_slate *slate = t->slate;
  if (n < slate->states) return true;
  glimpse_row belief = gli_slate_belief(slate, n);
  for (uint32_t a = 0; a < slate->actions; a++) {
    double sum = 0;
    for (size_t i = 0; i < belief.count; i++)
      sum += belief.value[i] * slate->table[(size_t)belief.index[i] * gli_line_even(slate->actions) + a];
    if (sum > most && !hold_action(t, n, a, sum, most)) return false;
  }
  return true;
}

/* What follows a number must not become more than it bears. */
static bool hold_number(thin *t, uint32_t k) {
  gli_slate *slate = t->slate;
  const gli_slate_number *number = &slate->number[k];
  double spare = gli_slate_number_value(slate, k) - number->reward, weights = 0;
  for (uint32_t i = 0; i < number->count; i++) {
    gli_slate_edge edge = slate->edge[number->first + i];
    if (!gli_slate_evaluate(slate, edge.node)) return false;
    spare -= edge.weight * slate->node[edge.node].upper;
    weights += edge.weight;
  }
  spare = spare > 0 && weights > 0 ? spare / weights : 0;
  for (uint32_t i = 0; i < number->count; i++) {
    uint32_t n = slate->edge[number->first + i].node;
    if (!hold(t, n, slate->node[n].upper + spare)) return false;
  }
  return true;
}

static bool choose(thin *t, uint32_t start) {
  gli_slate *slate = t->slate;
  gli_slate_measure(slate);
  if (!gli_slate_evaluate(slate, start) || !hold(t, start, slate->node[start].upper)) return false;
  for (uint32_t k = 0; k < slate->states * slate->actions; k++)
    if (slate->number[k].open && !hold_number(t, k)) return false;
  for (size_t i = 0; i < t->listed; i++)
    if (!hold_number(t, t->list[i])) return false;
  return true;
}

static bool fill(const thin *t, gli_ceiling *ceiling) {
  const gli_slate *slate = t->slate;
  uint32_t actions = slate->actions;
  memcpy(ceiling->corner, slate->corner, (size_t)slate->states * actions * sizeof *slate->corner);
  ceiling->points = 0;
  for (size_t i = 0; i < slate->points; i++) {
    double *values = slate->value + i * actions;
    bool any = false;
    for (uint32_t a = 0; a < actions; a++) {
      any = any || t->kept[i * actions + a];
      if (!t->kept[i * actions + a]) values[a] = INFINITY;
    }
    if (any && !gli_ceiling_add(ceiling, gli_slate_belief(slate, slate->point[i]), values)) return false;
  }
  return true;
}

bool gli_thin(gli_slate *slate, uint32_t start, gli_ceiling *ceiling) {
  thin t = {.slate = slate, .kept = GLI_NEW(uint8_t, slate->points * slate->actions)};
  bool done = t.kept && choose(&t, start) && fill(&t, ceiling);
  gli_memory_free(t.kept);
  gli_memory_free(t.list);
  return done;
}
