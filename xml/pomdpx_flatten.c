/* Flatten: the product of all variables as one model.
 *
 * A state is a value of each state variable, the last one counting fastest; actions likewise; an observation is a value
 * of each observation variable and of each fully observed state variable behind the action.  A row of T is the product
 * of the rows of the state variables' tables, walked depth first in an order in which parents come before their
 * children; a row of O and the start belief likewise.  Rewards are the sums of all reward variables, given to the
 * builder for no more than they depend on.
 *
 * Time and memory are linear in the rows and non-zeros of the result, both of which are limited. */
#include <inttypes.h>

#include "xml/pomdpx_parts.h"

struct product;
/* Receives one outcome of a walk; false: stop. */
typedef bool (*product_leaf)(struct product *product, uint32_t index, double p);

/* Variables whose values are drawn one after the other. */
struct link {
  const pomdpx_table *table;
  uint32_t stride;    /* of the variable */
  uint32_t *value;    /* where the drawn value goes */
  uint32_t next, end; /* during a walk: entries of the table that are left */
  uint32_t index;     /* and what the links before it have come to */
  double p;
};

struct chain {
  struct link *link;
  size_t count;
};

struct product {
  pomdpx *reading;
  uint32_t *value[POMDPX_GROUPS]; /* by the variable's number in its list */
  struct chain start, transition, observation;
  unsigned rewards;     /* groups that some reward depends on */
  uint32_t a, s, s2;    /* where the walk is */
  uint64_t counts[3];   /* non-zeros of T and of O, and steps whose reward was asked for */
  uint32_t first_shown; /* of the start: what is fully observed in the first state */
  bool started, unsure; /* it is not the same in all states */
};

enum { T, O, R };

/* ---- tables ---- */

static uint32_t row_of(const struct product *product, const pomdpx_table *table) {
  uint64_t row = 0;
  for (size_t i = 0; i < table->parents; i++)
    row += product->value[table->parent[i].group][table->parent[i].index] * table->parent[i].stride;
  return (uint32_t)row;
}

static void begin_link(const struct product *product, struct link *link, uint32_t index, double p) {
  uint32_t row = row_of(product, link->table);
  link->next = link->table->first[row];
  link->end = link->table->first[row + 1];
  link->index = index;
  link->p = p;
}

/* All outcomes of a chain, the last link fastest. */
static bool walk(struct product *product, struct chain *chain, product_leaf leaf) {
  if (!chain->count) return leaf(product, 0, 1);
  struct link *link = chain->link, *last = chain->link + chain->count - 1;
  begin_link(product, link, 0, 1);
  for (;;) {
    if (link->next == link->end) {
      if (link == chain->link) return true;
      link--;
      continue;
    }
    uint32_t i = link->next++;
    uint32_t index = link->index + link->table->column[i] * link->stride;
    double p = link->p * link->table->value[i];
    *link->value = link->table->column[i];
    if (link < last) begin_link(product, ++link, index, p);
    else if (!leaf(product, index, p)) return false;
  }
}

/* The values of the variables of a list at an index of their product. */
static void decode(const pomdpx_list *list, uint32_t index, uint32_t *value) {
  for (size_t i = 0; i < list->count; i++) {
    value[i] = index / list->item[i].stride;
    index %= list->item[i].stride;
  }
}

/* What is seen of a state, as a number below reading->seen. */
static uint32_t shown_of(const pomdpx *reading, const uint32_t *value) {
  const pomdpx_list *states = &reading->list[GLIMPSE_STATE];
  uint32_t shown = 0;
  for (size_t i = 0; i < states->count; i++)
    if (states->item[i].observed) shown = shown * states->item[i].count + value[i];
  return shown;
}

static bool count_one(struct product *product, int which) {
  static const char *const what[3] = {"non-zeros in T", "non-zeros in O", "steps with a reward of their own"};
  pomdpx *reading = product->reading;
  if (product->counts[which]++ < reading->most_entries) return true;
  return pomdpx_error(reading, reading->tree->root->at, GLIMPSE_TOO_LARGE,
                      "expected at most %" PRIu64 " %s%s, found more", reading->most_entries, what[which],
                      reading->most_entries < GLIMPSE_MAX_ENTRIES ? " from so short a text" : "");
}

/* Everything given to the builder is in range, so it can only be short of memory. */
static bool given(struct product *product, glimpse_status status) {
  return !status || pomdpx_stop(product->reading);
}

/* ---- rewards ---- */

static double reward_of(const struct product *product) {
  const pomdpx_list *rewards = &product->reading->list[POMDPX_REWARD];
  double sum = 0;
  for (size_t i = 0; i < rewards->count; i++) {
    const pomdpx_table *table = rewards->item[i].step;
    uint32_t row = row_of(product, table);
    if (table->first[row] < table->first[row + 1]) sum += table->value[table->first[row]];
  }
  return sum;
}

static bool reward_at(struct product *product, uint32_t s, uint32_t s2, uint32_t o) {
  pomdpx *reading = product->reading;
  if (!count_one(product, R)) return false;
  double reward = reward_of(product);
  if (reward - reward != 0)
    return pomdpx_error(reading, reading->tree->root->at, GLIMPSE_BAD_MODEL, "a sum of rewards is too large");
  return reward == 0 || given(product, glimpse_builder_reward(reading->builder, product->a, s, s2, o, reward));
}

static bool depends(const struct product *product, pomdpx_group group) {
  return product->rewards >> group & 1;
}

static bool leaf_reward(struct product *product, uint32_t o, double p) {
  const pomdpx *reading = product->reading;
  (void)p;
  uint32_t shown = shown_of(reading, product->value[POMDPX_CURRENT]);
  return reward_at(product, product->s, product->s2, (uint32_t)(o * reading->seen) + shown);
}

/* ---- rows ---- */

static bool leaf_transition(struct product *product, uint32_t s2, double p) {
  if (!count_one(product, T) ||
      !given(product, glimpse_builder_transition(product->reading->builder, product->a, product->s, s2, p)))
    return false;
  product->s2 = s2;
  if (depends(product, POMDPX_SEEN)) return walk(product, &product->observation, leaf_reward);
  if (depends(product, POMDPX_PREVIOUS) && depends(product, POMDPX_CURRENT))
    return reward_at(product, product->s, s2, GLIMPSE_ANY);
  return true;
}

static bool leaf_observation(struct product *product, uint32_t o, double p) {
  const pomdpx *reading = product->reading;
  uint32_t seen = (uint32_t)(o * reading->seen) + shown_of(reading, product->value[POMDPX_CURRENT]);
  return count_one(product, O) &&
         given(product, glimpse_builder_observation(reading->builder, product->a, product->s, seen, p));
}

static bool leaf_start(struct product *product, uint32_t s, double p) {
  uint32_t shown = shown_of(product->reading, product->value[POMDPX_PREVIOUS]);
  if (!product->started) product->first_shown = shown;
  product->started = true;
  product->unsure = product->unsure || shown != product->first_shown;
  return given(product, glimpse_builder_start(product->reading->builder, s, p));
}

/* Rewards that depend on the state before alone, or on the one behind alone, or on neither. */
static bool reward_state(struct product *product) {
  if (depends(product, POMDPX_SEEN)) return true;
  bool previous = depends(product, POMDPX_PREVIOUS), current = depends(product, POMDPX_CURRENT);
  if (previous && current) return true;
  if (!previous && !current && product->s) return true;
  return reward_at(product, previous ? product->s : GLIMPSE_ANY, current ? product->s : GLIMPSE_ANY, GLIMPSE_ANY);
}

static bool fill_state(struct product *product) {
  const pomdpx_list *states = &product->reading->list[GLIMPSE_STATE];
  decode(states, product->s, product->value[POMDPX_CURRENT]); /* first as the state behind the action */
  if (!walk(product, &product->observation, leaf_observation)) return false;
  decode(states, product->s, product->value[POMDPX_PREVIOUS]);
  return reward_state(product) && walk(product, &product->transition, leaf_transition);
}

static bool fill(struct product *product) {
  pomdpx *reading = product->reading;
  if (!walk(product, &product->start, leaf_start)) return false;
  if (product->unsure)
    pomdpx_warn(
        reading, reading->tree->root->at,
        "the start of fully observed variables is not certain: they are seen after the first action, not before");
  for (product->a = 0; product->a < reading->list[GLIMPSE_ACTION].product; product->a++) {
    decode(&reading->list[GLIMPSE_ACTION], product->a, product->value[POMDPX_ACTION]);
    for (product->s = 0; product->s < reading->list[GLIMPSE_STATE].product; product->s++)
      if (!fill_state(product)) return false;
  }
  return true;
}

/* ---- preparation ---- */

static bool make_chain(pomdpx *reading, struct chain *chain, size_t count) {
  chain->count = count;
  chain->link = arena_take(&reading->tree->arena, count, sizeof *chain->link);
  if (!chain->link) pomdpx_stop(reading);
  return chain->link;
}

static bool chain_states(struct product *product, struct chain *chain, bool start) {
  const pomdpx_list *states = &product->reading->list[GLIMPSE_STATE];
  size_t order[POMDPX_VARIABLES], circle;
  if (!make_chain(product->reading, chain, states->count)) return false;
  pomdpx_functions_order(product->reading, start, order, &circle); /* it was checked for circles */
  for (size_t i = 0; i < states->count; i++) {
    const pomdpx_variable *variable = &states->item[order[i]];
    chain->link[i] = (struct link){.table = start ? variable->start : variable->step,
                                   .stride = variable->stride,
                                   .value = &product->value[start ? POMDPX_PREVIOUS : POMDPX_CURRENT][order[i]]};
  }
  return true;
}

static bool chain_observations(struct product *product) {
  const pomdpx_list *list = &product->reading->list[GLIMPSE_OBSERVATION];
  struct chain *chain = &product->observation;
  if (!make_chain(product->reading, chain, list->count)) return false;
  for (size_t i = 0; i < list->count; i++)
    chain->link[i] = (struct link){
        .table = list->item[i].step, .stride = list->item[i].stride, .value = &product->value[POMDPX_SEEN][i]};
  return true;
}

static bool prepare(struct product *product) {
  static const int kind_of[POMDPX_GROUPS] = {GLIMPSE_ACTION, GLIMPSE_STATE, GLIMPSE_STATE, GLIMPSE_OBSERVATION};
  pomdpx *reading = product->reading;
  for (int group = 0; group < POMDPX_GROUPS; group++) {
    size_t count = reading->list[kind_of[group]].count;
    product->value[group] = arena_take(&reading->tree->arena, count, sizeof **product->value);
    if (product->value[group]) continue;
    pomdpx_stop(reading);
    return false;
  }
  const pomdpx_list *rewards = &reading->list[POMDPX_REWARD];
  for (size_t i = 0; i < rewards->count; i++)
    for (size_t k = 0; k < rewards->item[i].step->parents; k++)
      product->rewards |= 1u << rewards->item[i].step->parent[k].group;
  return chain_states(product, &product->start, true) && chain_states(product, &product->transition, false) &&
         chain_observations(product);
}

bool pomdpx_flatten(pomdpx *reading) {
  struct product product = {.reading = reading};
  uint64_t observations = reading->list[GLIMPSE_OBSERVATION].product * reading->seen;
  reading->builder = glimpse_builder_new((uint32_t)reading->list[GLIMPSE_STATE].product,
                                         (uint32_t)reading->list[GLIMPSE_ACTION].product, (uint32_t)observations);
  if (!reading->builder) return pomdpx_stop(reading);
  glimpse_builder_discount(reading->builder, reading->discount);
  for (int kind = 0; kind < 3; kind++)
    if (!pomdpx_names_give(reading, (glimpse_kind)kind)) return false;
  return prepare(&product) && fill(&product);
}
