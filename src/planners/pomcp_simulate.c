/* Simulate: one walk from the root to a new node, and what is learnt from it.
 *
 * A step has two phases, each with its own legal choices and its own UCB1:
 *
 *   request phase   ask (pay c(s), the node becomes the corner of s) or do not
 *   action phase    a: reward R(s,a), then s' ~ T, o ~ O, the child of (a,o)
 *
 * The request phase takes no time: a return before it is the price and the return
 * behind it, undiscounted (docs/ALGORITHM.md, "The problem").  After asking, at corners, and where
 * requests are off there is no request phase.  Expected rewards R(s,a) stand for
 * those of the concrete step, and the expected price for the random requests of a
 * rollout: the means are the same and the variance is less.
 *
 * A terminal state ends the simulation.  A node's first visit is judged by one
 * state of it (pomcp.h: leaves, or a rollout); when memory is used up, so are all
 * visits where the tree would have to grow.
 *
 * Cost: depth of the tree times the number of actions, and the rollout. */
#include "planners/pomcp.h"

#include <math.h>

#include "base/number.h"

void gli_pomcp_tabulate(gli_pomcp *pomcp) {
  for (uint32_t n = 1; n < GLI_POMCP_TABLE; n++) {
    pomcp->logs[n] = gli_number_log(n);
    pomcp->inverse_roots[n] = 1 / sqrt(n);
  }
}

/* Within 0.002 of the logarithm, which is more than UCB1 needs to know. */
static double rough_log(const gli_pomcp *pomcp, uint64_t n) {
  double doublings = 0;
  for (; n >= GLI_POMCP_TABLE; n >>= 1) doublings++;
  return pomcp->logs[n] + doublings * 0.6931471805599453;
}

static double inverse_root(const gli_pomcp *pomcp, uint32_t n) {
  return n < GLI_POMCP_TABLE ? pomcp->inverse_roots[n] : 1 / sqrt(n);
}

/* UCB1: largest mean plus exploration * sqrt(log(all visits) / visits).  Untried
 * choices come first, in random order; of equals the one with fewer visits, so that
 * all are tried as long as all returns are the same. */
static uint32_t choose(gli_pomcp *pomcp, const gli_pomcp_cell *cells, uint32_t count) {
  if (count == 1) return 0;
  uint64_t visits = 0;
  uint32_t untried = 0;
  for (uint32_t i = 0; i < count; i++) {
    visits += cells[i].visits;
    untried += !cells[i].visits;
  }
  if (untried) {
    uint32_t skip = untried > 1 ? gli_random_below(&pomcp->random, untried) : 0, i = 0;
    for (;; i++)
      if (!cells[i].visits && !skip--) return i;
  }
  double exploration = pomcp->base.options.exploration;
  if (!(exploration > 0)) exploration = pomcp->share * (pomcp->most - pomcp->least);
  double weight = exploration * sqrt(rough_log(pomcp, visits)), largest = 0;
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++) {
    double score = cells[i].value + weight * inverse_root(pomcp, cells[i].visits);
    if (best < count && (score < largest || (score == largest && cells[i].visits >= cells[best].visits))) continue;
    best = i;
    largest = score;
  }
  return best;
}

/* Return of random choices from s on, at that depth. */
static double roll_out(gli_pomcp *pomcp, uint32_t s, bool told, uint32_t depth) {
  const glimpse_model *model = pomcp->base.model;
  double total = 0, factor = 1;
  for (; depth < pomcp->depth; depth++) {
    if (!told) total -= factor * pomcp->ask_rate * gli_model_price(model, s);
    told = false;
    uint32_t a = pomcp->rolled > 1 ? gli_random_below(&pomcp->random, pomcp->rolled) : 0;
    uint64_t row = gli_model_row(model, a, s);
    total += factor * model->reward[row];
    s = gli_pomcp_sampler_draw(&pomcp->transitions, row, &pomcp->random);
    if (model->terminal[s]) break;
    factor *= model->discount;
  }
  return total;
}

/* What a node is worth, judged by one state of it that is not terminal. */
static double judge(gli_pomcp *pomcp, uint32_t s, bool told, uint32_t depth) {
  return pomcp->leaves ? pomcp->leaves[s] : roll_out(pomcp, s, told, depth);
}

/* Walks down from the root and leaves the steps in the path; returns their number
 * and, in *behind, the return behind the last one. */
static uint32_t descend(gli_pomcp *pomcp, uint32_t s, double *behind) {
  const glimpse_model *model = pomcp->base.model;
  gli_pomcp_tree *tree = &pomcp->tree;
  uint32_t length = 0, depth = 0, node = tree->root;
  bool told = pomcp->told;
  for (;;) {
    gli_pomcp_node *at = node == GLI_POMCP_NONE ? NULL : gli_pomcp_node_at(tree, node);
    bool first = !at || !at->visits++;
    if (!at || depth >= pomcp->depth || (first && node != tree->root) || !gli_pomcp_tree_open(tree, at)) {
      *behind = judge(pomcp, s, told, depth);
      return length;
    }
    gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, at->cells);
    if (model->requests && !told) {
      uint32_t phase = tree->actions + choose(pomcp, cells + tree->actions, 2);
      bool ask = phase == tree->actions;
      pomcp->path[length++] = (gli_pomcp_step){cells + phase, ask ? -gli_model_price(model, s) : 0, 1};
      if (ask) {
        told = true;
        node = gli_pomcp_tree_child(tree, cells + phase, s, true);
        continue;
      }
    }
    uint32_t a = choose(pomcp, cells, tree->actions);
    uint64_t row = gli_model_row(model, a, s);
    pomcp->path[length++] = (gli_pomcp_step){cells + a, model->reward[row], model->discount};
    s = gli_pomcp_sampler_draw(&pomcp->transitions, row, &pomcp->random);
    depth++;
    *behind = 0;
    if (model->terminal[s]) return length;
    uint32_t o = gli_pomcp_sampler_draw(&pomcp->observations, gli_model_row(model, a, s), &pomcp->random);
    told = false;
    node = gli_pomcp_tree_child(tree, cells + a, o, false);
    if (node != GLI_POMCP_NONE) gli_pomcp_tree_keep(tree, gli_pomcp_node_at(tree, node), s);
  }
}

void gli_pomcp_simulate(gli_pomcp *pomcp) {
  uint32_t pick = gli_random_below(&pomcp->random, pomcp->particle_count);
  double value = 0;
  uint32_t length = descend(pomcp, pomcp->particles[pick], &value);
  while (length--) {
    const gli_pomcp_step *step = &pomcp->path[length];
    value = step->reward + step->factor * value;
    step->cell->visits++;
    step->cell->value += (value - step->cell->value) / step->cell->visits;
  }
  if (value < pomcp->least) pomcp->least = value;
  if (value > pomcp->most) pomcp->most = value;
}
