/* Settle: makes a ceiling that proves itself and is low at the start.
 *
 * The numbers of known states begin as the fast informed bound, which proves itself without any point.  From there on
 * numbers only fall, to a look ahead each, and at any moment all is proved (slate.h).
 *
 * Work goes in passes.  A pass walks what the bound at the start rests on, from the start, and knows of everything it
 * meets by how much the bound would fall if this fell by one (its weight): a number rests on the nodes that follow, as
 * discount times their probability; a node rests on the number of its best action, if it is a point; else on the point
 * whose share makes its bound, and on known states for the rest; on known states alone where asking is best. It goes on
 * where weight times gap is above a threshold, and there a node that is no point becomes one.  On the way back each
 * number met is lowered to its look ahead, and actions that are now the best get numbers, too.  A pass that finds
 * little that is new lowers the threshold.
 *
 * Last, only what the bound rests on is kept (thin.c). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/memory.h"
#include "model/model.h"
#include "policy/seed.h"
#include "policy/thin.h"

/* A pass finds little if it opens less than one in so many of what it met; then the threshold falls by this factor. */
enum { LITTLE = 8 };
#define FALL 0.7
/* Sweeps over all numbers take so many times the work of passes: numbers that a pass does not meet hold others down,
 * too, and a number falls by no more than its look ahead at once.  The more the future counts, the more of them it
 * takes; without them passes add beliefs where there are enough.  This share of 1 / (1 - discount), but two at least.
 */
#define SWEEPS 0.1
enum { MOST_SWEEPS = 100 };
/* Passes begin with this share of the gap at the start. */
#define FIRST 0.25
/* What the fast informed bound may take where no time is left. */
#define LEAST_TIME 0.05
/* Gaps below this share of the largest number are closed. */
#define CLOSED 1e-10
/* It is given up when four times the work takes the bound down by less than this share of what is left to do; the first
 * look is after so many multiplications for each number of a known state. */
#define STALL 0.01
enum { LOOK = 4000, LOOK_MORE = 4 };

/* Nodes of the first seed, and for each state more.  The next has four times as many, which took up to nine times as
 * long, or if there is no time for that, twice as many. */
enum { SEED = 500, SEED_STATES = 2, SEED_FOUR = 9, SEED_TWO = 3 };

typedef struct settle {
  gli_slate *slate;
  const gli_settle *how;
  uint32_t start;
  double target; /* NAN: not asked for yet */
  double threshold;
  uint32_t pass;
  uint32_t *queue; /* nodes and numbers: 2 n and 2 k + 1 */
  size_t queued, queue_capacity;
  size_t opened;             /* in this pass */
  uint64_t owed, last_sweep; /* effort: that sweeps may take, that the last one took */
  bool full;                 /* no more memory may be used */
  uint64_t looked;           /* effort when it was last asked whether it is worth going on, ... */
  double then;               /* ... and the bound at the start */
} settle;

static bool over(const settle *t) {
  return gli_clock_now() >= t->how->until || gli_flag_raised(t->how->interrupt);
}

/* The bound at the start that is low enough. */
static double target(settle *t) {
  if (isnan(t->target)) t->target = t->how->await ? t->how->await(t->how->context) : t->how->target;
  return t->target;
}

static void copy_bound(const glimpse_model *model, const glimpse_bound *bound, double *corner) {
  for (uint32_t s = 0; s < model->states; s++)
    for (uint32_t a = 0; a < model->actions; a++)
      corner[(size_t)s * model->actions + a] = glimpse_bound_entry(bound, a, s);
}

/* Numbers of known states that prove themselves without any point are those of the fast informed bound: its equation
 * says just that.  False: out of memory. */
static bool begin_low(const settle *t, const glimpse_model *model, double *corner) {
  if (t->how->informed) {
    copy_bound(model, t->how->informed, corner);
    return true;
  }
  double left = t->how->until - gli_clock_now();
  glimpse_bound_options options = {.threads = t->how->jobs ? t->how->jobs : 1,
                                   .max_time = left == INFINITY ? 0 : fmax(left, LEAST_TIME)};
  glimpse_bound *bound = NULL;
  if (glimpse_bound_new(model, glimpse_offline_upper(model), &options, NULL, &bound)) return false;
  copy_bound(model, bound, corner);
  glimpse_bound_free(bound);
  return true;
}

/* ------------------------------------------------------------------- walking */

static bool queue(settle *t, uint32_t item) {
  if (!GLI_GROW(t->queue, t->queue_capacity, t->queued + 1)) return false;
  t->queue[t->queued++] = item;
  return true;
}

static bool meet_node(settle *t, uint32_t n, double weight) {
  gli_slate_node *node = &t->slate->node[n];
  if (node->walked == t->pass) {
    node->weight += weight;
    return true;
  }
  node->walked = t->pass;
  node->weight = weight;
  return queue(t, 2 * n);
}

static bool meet_number(settle *t, uint32_t k, double weight) {
  gli_slate_number *number = &t->slate->number[k];
  if (number->walked == t->pass) {
    number->weight += weight;
    return true;
  }
  number->walked = t->pass;
  number->weight = weight;
  return queue(t, 2 * k + 1);
}

static bool open_number(settle *t, uint32_t n, uint32_t a, uint32_t *k) {
  *k = gli_slate_open(t->slate, n, a);
  t->opened++;
  t->full = t->full || (t->how->max_bytes && gli_slate_bytes(t->slate) > t->how->max_bytes / 2); /* arrays double */
  return *k != GLI_SLATE_NONE;
}

/* What the bound of a node rests on when its best action has no number there. */
static bool meet_ground(settle *t, uint32_t n, uint32_t a, double weight) {
  gli_slate *slate = t->slate;
  const gli_slate_share *share = gli_slate_ground(slate, n, a);
  glimpse_row belief = gli_slate_belief(slate, n), of = {0, NULL, NULL};
  double part = 0;
  if (share) {
    uint32_t other = slate->point[share->point];
    part = share->weight;
    of = gli_slate_belief(slate, other);
    if (!meet_number(t, slate->number_of[(size_t)other * slate->actions + a], weight * part)) return false;
  }
  for (size_t i = 0, k = 0; i < belief.count; i++) {
    double rest = belief.value[i];
    while (k < of.count && of.index[k] < belief.index[i]) k++;
    if (k < of.count && of.index[k] == belief.index[i]) rest -= part * of.value[k];
    if (rest * weight > 0 &&
        !meet_number(t, slate->number_of[(size_t)belief.index[i] * slate->actions + a], weight * rest))
      return false;
  }
  return true;
}

static bool worth_it(settle *t, uint32_t n, double weight) {
  const gli_slate_node *node = &t->slate->node[n];
  return weight * (node->upper - gli_slate_lower(t->slate, n)) > t->threshold;
}

static bool walk_node(settle *t, uint32_t n) {
  gli_slate *slate = t->slate;
  if (!gli_slate_evaluate(slate, n)) return false;
  double weight = slate->node[n].weight;
  uint32_t a = slate->node[n].best;
  if (slate->node[n].point == GLI_SLATE_NONE && slate->node[n].twin != GLI_SLATE_NONE)
    return meet_node(t, slate->point[slate->node[n].twin], weight);
  if (a == GLIMPSE_ANY) {
    glimpse_row belief = gli_slate_belief(slate, n);
    for (size_t i = 0; i < belief.count; i++)
      if (!meet_node(t, belief.index[i], weight * belief.value[i])) return false;
    return true;
  }
  uint32_t k = slate->number_of[(size_t)n * slate->actions + a];
  if (k == GLI_SLATE_NONE && worth_it(t, n, weight) && !t->full && !open_number(t, n, a, &k)) return false;
  return k == GLI_SLATE_NONE ? meet_ground(t, n, a, weight) : meet_number(t, k, weight);
}

static bool walk_number(settle *t, uint32_t k) {
  gli_slate *slate = t->slate;
  double weight = slate->number[k].weight;
  if (!slate->number[k].open) { /* of a known state */
    uint32_t n = slate->number[k].node;
    if (!gli_slate_evaluate(slate, n)) return false;
    if (t->full || !worth_it(t, n, weight)) return true;
    if (!open_number(t, n, slate->number[k].action, &k)) return false;
  }
  gli_slate_number number = slate->number[k];
  if (weight * (gli_slate_number_value(slate, k) - gli_slate_number_lower(slate, k)) <= t->threshold) return true;
  for (uint32_t i = 0; i < number.count; i++) {
    gli_slate_edge edge = slate->edge[number.first + i];
    if (!meet_node(t, edge.node, weight * edge.weight)) return false;
  }
  return true;
}

/* Gives a number to each action that is in the way. */
static bool settle_node(settle *t, uint32_t n) {
  gli_slate *slate = t->slate;
  for (uint32_t tries = 0; tries < slate->actions; tries++) {
    if (!gli_slate_evaluate(slate, n)) return false;
    const gli_slate_node *node = &slate->node[n];
    uint32_t a = node->best;
    if (a == GLIMPSE_ANY || t->full) return true;
    if (n >= slate->states && node->point == GLI_SLATE_NONE) return true;
    uint32_t k = slate->number_of[(size_t)n * slate->actions + a];
    if (k != GLI_SLATE_NONE && slate->number[k].open) return true;
    if (!worth_it(t, n, node->weight)) return true;
    if (!open_number(t, n, a, &k)) return false;
  }
  return true;
}

static bool pass(settle *t) {
  gli_slate *slate = t->slate;
  t->pass++;
  t->queued = t->opened = 0;
  gli_slate_measure(slate);
  if (!meet_node(t, t->start, 1)) return false;
  for (size_t i = 0; i < t->queued; i++) {
    uint32_t item = t->queue[i];
    if (!(item & 1 ? walk_number(t, item / 2) : walk_node(t, item / 2))) return false;
    if (i % 64 == 0 && over(t)) break;
  }
  slate->now++;
  for (size_t i = t->queued; i-- > 0;) {
    uint32_t item = t->queue[i];
    if (item & 1) {
      if (slate->number[item / 2].open) gli_slate_back_up(slate, item / 2);
    } else if (!settle_node(t, item / 2)) return false;
    if (i % 64 == 0 && over(t)) break;
  }
  return true;
}

/* Lowers all numbers once. */
static bool sweep(settle *t) {
  gli_slate *slate = t->slate;
  gli_slate_measure(slate);
  for (size_t k = slate->numbers; k-- > 0;) {
    if (!slate->number[k].open) continue;
    for (uint32_t i = 0; i < slate->number[k].count; i++)
      if (!gli_slate_evaluate(slate, slate->edge[slate->number[k].first + i].node)) return false;
    gli_slate_back_up(slate, (uint32_t)k);
    if (k % 64 == 0 && over(t)) break;
  }
  return true;
}

/* A pass, and the sweeps that are due. */
static bool pass_and_sweep(settle *t) {
  gli_slate *slate = t->slate;
  uint64_t effort = gli_slate_effort(slate);
  if (!pass(t)) return false;
  double sweeps = fmin(fmax(2, SWEEPS / (1 - slate->model->discount)), MOST_SWEEPS);
  t->owed += (uint64_t)sweeps * (gli_slate_effort(slate) - effort);
  while (t->owed > t->last_sweep && !over(t)) {
    effort = gli_slate_effort(slate);
    if (!sweep(t)) return false;
    t->last_sweep = gli_slate_effort(slate) - effort;
    t->owed = t->last_sweep && t->owed > t->last_sweep ? t->owed - t->last_sweep : 0;
  }
  slate->now++;
  return gli_slate_evaluate(slate, t->start);
}

/* Is there little left, or little to hope for? */
static bool enough(settle *t, double least) {
  gli_slate *slate = t->slate;
  double upper = slate->node[t->start].upper;
  double left = fmin(upper - gli_slate_lower(slate, t->start), upper - target(t));
  if (left <= least) return true;
  uint64_t first = (uint64_t)LOOK * slate->states * slate->actions;
  if (gli_slate_effort(slate) < (t->looked ? LOOK_MORE * t->looked : first)) return false;
  bool stalled = t->looked && t->then - upper < STALL * left;
  t->looked = gli_slate_effort(slate);
  t->then = upper;
  return stalled;
}

static bool improve(settle *t) {
  gli_slate *slate = t->slate;
  if (!gli_slate_evaluate(slate, t->start)) return false;
  double largest = 0, fall = INFINITY, gap = slate->node[t->start].upper - gli_slate_lower(slate, t->start);
  for (size_t i = 0; i < (size_t)slate->states * slate->actions; i++) largest = fmax(largest, fabs(slate->corner[i]));
  double least = CLOSED * largest;
  t->threshold = fmax(FIRST * gap, least);
  while (slate->node[t->start].upper > target(t) && !enough(t, least) && !over(t)) {
    if (t->threshold <= least && !t->opened && fall <= least) break;
    double before = slate->node[t->start].upper;
    if (!pass_and_sweep(t)) return false;
    fall = before - slate->node[t->start].upper;
    if (t->opened * LITTLE < t->queued) t->threshold = fmax(FALL * t->threshold, least);
    if (t->how->progress) t->how->progress(t->how->context, slate->node[t->start].upper);
  }
  return true;
}

/* -------------------------------------------------------------------- begin */

static bool start_slate(settle *t, const glimpse_model *model, const double *corner, glimpse_row start) {
  gli_slate_free(t->slate);
  t->slate = gli_slate_new(model, t->how, corner);
  if (!t->slate) return false;
  t->start = gli_slate_find(t->slate, start);
  return t->start != GLI_SLATE_NONE && gli_slate_evaluate(t->slate, t->start);
}

/* Takes over what a search knows, with about so many nodes.  A seed that had too little time to settle is of no use, or
 * had to rise by a lot: then what there was before is kept.  *all: there were not more.  False: out of memory. */
static bool try_seed(settle *t, const glimpse_model *model, const double *corner, glimpse_row start, size_t most,
                     bool *all) {
  gli_slate *before = t->slate;
  uint32_t place = t->start;
  bool settled = false;
  t->slate = NULL;
  bool done = start_slate(t, model, corner, start) && gli_seed(t->slate, t->how->graph, most, &settled) &&
              gli_slate_evaluate(t->slate, t->start);
  bool better = done && settled && t->slate->node[t->start].upper <= before->node[place].upper;
  *all = done && t->slate->nodes <= most;
  gli_slate_free(better ? before : t->slate);
  if (!better) t->slate = before, t->start = place;
  return done;
}

/* Where time is limited a small seed comes first, then larger ones, as long as the next is likely to have time enough:
 * one that has not is wasted. */
static bool take_seed(settle *t, const glimpse_model *model, const double *corner, glimpse_row start) {
  size_t most = isinf(t->how->until) ? SIZE_MAX : SEED + SEED_STATES * (size_t)model->states;
  for (bool all = false;;) {
    double before = gli_clock_now();
    if (!try_seed(t, model, corner, start, most, &all)) return false;
    double now = gli_clock_now(), upper = t->slate->node[t->start].upper;
    if (t->how->progress) t->how->progress(t->how->context, upper);
    double times = (t->how->until - now) / fmax(now - before, 1e-9); /* that it could be done again */
    if (all || upper <= target(t) || over(t) || times < SEED_TWO) return true;
    most *= times < SEED_FOUR ? 2 : 4;
  }
}

static bool work(settle *t, gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, double *upper) {
  if (!begin_low(t, model, ceiling->corner) || !start_slate(t, model, ceiling->corner, start)) return false;
  if ((t->how->graph && !take_seed(t, model, ceiling->corner, start)) || !improve(t)) return false;
  *upper = t->slate->node[t->start].upper;
  return gli_thin(t->slate, t->start, ceiling);
}

bool gli_ceiling_settle(gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, const gli_settle *how,
                        double *upper) {
  settle t = {.how = how, .target = NAN};
  bool done = work(&t, ceiling, model, start, upper);
  if (how->full) *how->full = t.full;
  gli_slate_free(t.slate);
  gli_memory_free(t.queue);
  return done;
}
