/* Policy: the object, and following it.
 *
 * A step is a search among the edges of one node by halves: no memory, no belief. */
#include "policy/policy.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/model.h"

static bool copy_names(gli_names *names, const glimpse_model *model, glimpse_kind kind) {
  uint32_t count = glimpse_model_count(model, kind);
  gli_names_start(names, count);
  if (!glimpse_model_named(model, kind)) return gli_names_number(names);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = glimpse_model_name(model, kind, i);
    if (gli_names_set(names, i, name, strlen(name)) != GLI_NAMES_OK) return false;
  }
  return true;
}

glimpse_policy *gli_policy_new(const glimpse_model *model, const char *name, glimpse_row start) {
  glimpse_policy *policy = GLI_NEW(glimpse_policy, 1);
  if (!policy) return NULL;
  policy->states = model->states;
  policy->actions = model->actions;
  policy->observations = model->observations;
  policy->digest = glimpse_model_digest(model);
  policy->lower = -INFINITY;
  policy->upper = INFINITY;
  policy->start_count = (uint32_t)start.count;
  policy->start_state = gli_memory_copy(start.index, start.count, sizeof *start.index);
  policy->start_mass = gli_memory_copy(start.value, start.count, sizeof *start.value);
  policy->version = gli_memory_text(GLIMPSE_VERSION);
  policy->model = name ? gli_memory_text(name) : NULL;
  bool made = policy->start_state && policy->start_mass && policy->version && (!name || policy->model);
  for (int kind = 0; kind < 3 && made; kind++) made = copy_names(&policy->names[kind], model, (glimpse_kind)kind);
  if (made) return policy;
  glimpse_policy_free(policy);
  return NULL;
}

void glimpse_policy_free(glimpse_policy *policy) {
  if (!policy) return;
  void *all[] = {policy->model, policy->version, policy->start_state, policy->start_mass, policy->choice,
                 policy->first, policy->seen,    policy->to,          policy->vector};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  for (int kind = 0; kind < 3; kind++) gli_names_free(&policy->names[kind]);
  gli_ceiling_free(policy->ceiling);
  gli_memory_free(policy);
}

glimpse_policy_info glimpse_policy_measure(const glimpse_policy *policy) {
  return (glimpse_policy_info){.model = policy->model ? policy->model : "",
                               .version = policy->version,
                               .digest = policy->digest,
                               .states = policy->states,
                               .actions = policy->actions,
                               .observations = policy->observations,
                               .nodes = policy->nodes,
                               .edges = policy->nodes ? policy->first[policy->nodes] : 0,
                               .depth = policy->depth,
                               .points = policy->ceiling ? policy->ceiling->points : 0,
                               .lower = policy->lower,
                               .upper = policy->upper,
                               .requests = policy->requests,
                               .start = gli_policy_start(policy)};
}

const char *glimpse_policy_name(const glimpse_policy *policy, glimpse_kind kind, uint32_t i) {
  if ((unsigned)kind > GLIMPSE_OBSERVATION) return NULL;
  return gli_names_get(&policy->names[kind], i);
}

/* -------------------------------------------------------------- following */

uint32_t glimpse_policy_choice(const glimpse_policy *policy, uint32_t node) {
  return node < policy->nodes ? policy->choice[node] : GLIMPSE_ANY;
}

uint32_t glimpse_policy_step(const glimpse_policy *policy, uint32_t node, uint32_t seen) {
  if (node >= policy->nodes) return GLIMPSE_ANY;
  uint64_t edge = gli_policy_edge(policy, node, seen);
  return edge < policy->first[node + 1] ? policy->to[edge] : GLIMPSE_ANY;
}

glimpse_policy_edges glimpse_policy_get(const glimpse_policy *policy, uint32_t node) {
  if (node >= policy->nodes) return (glimpse_policy_edges){0, NULL, NULL};
  uint64_t first = policy->first[node];
  size_t count = (size_t)(policy->first[node + 1] - first);
  if (!count) return (glimpse_policy_edges){0, NULL, NULL}; /* there may be no edges at all */
  return (glimpse_policy_edges){count, policy->seen + first, policy->to + first};
}

const double *glimpse_policy_corner(const glimpse_policy *policy, uint32_t s) {
  if (!policy->ceiling || s >= policy->states) return NULL;
  return policy->ceiling->corner + (size_t)s * policy->actions;
}

const double *glimpse_policy_point(const glimpse_policy *policy, uint64_t i, glimpse_row *belief) {
  bool there = policy->ceiling && i < policy->ceiling->points;
  *belief = there ? gli_ceiling_point(policy->ceiling, (size_t)i) : (glimpse_row){0, NULL, NULL};
  return there ? policy->ceiling->value + (size_t)i * policy->actions : NULL;
}

/* ------------------------------------------------------------------ checks */

static bool whole_node(const glimpse_policy *policy, uint32_t node) {
  uint32_t choice = policy->choice[node], labels = choice == GLIMPSE_ANY ? policy->states : policy->observations;
  if (choice != GLIMPSE_ANY && choice >= policy->actions) return false;
  if (policy->first[node] > policy->first[node + 1]) return false;
  glimpse_policy_edges edges = glimpse_policy_get(policy, node);
  for (size_t i = 0; i < edges.count; i++) {
    if (edges.seen[i] >= labels || (i && edges.seen[i] <= edges.seen[i - 1])) return false;
    if (edges.to[i] >= policy->nodes) return false;
    if (choice == GLIMPSE_ANY && policy->choice[edges.to[i]] == GLIMPSE_ANY) return false;
  }
  return true;
}

bool gli_policy_whole(const glimpse_policy *policy) {
  if (!policy->nodes || policy->first[0]) return false;
  for (uint32_t node = 0; node < policy->nodes; node++)
    if (!whole_node(policy, node)) return false;
  double sum = 0;
  for (uint32_t i = 0; i < policy->start_count; i++) {
    if (policy->start_state[i] >= policy->states || !(policy->start_mass[i] > 0)) return false;
    if (i && policy->start_state[i] <= policy->start_state[i - 1]) return false;
    sum += policy->start_mass[i];
  }
  return fabs(sum - 1) < 1e-9;
}

/* ------------------------------------------------------------------ making */

bool gli_edge_list_node(gli_edge_list *list, uint32_t choice) {
  if (list->nodes >= GLIMPSE_ANY / 2) return false;
  if (!GLI_GROW(list->choice, list->choice_capacity, list->nodes + 1)) return false;
  if (!GLI_GROW(list->first, list->first_capacity, list->nodes + 2)) return false;
  list->choice[list->nodes++] = choice;
  list->first[list->nodes - 1] = list->first[list->nodes] = list->edges;
  return true;
}

bool gli_edge_list_edge(gli_edge_list *list, uint32_t seen, uint32_t to) {
  if (!GLI_GROW(list->seen, list->seen_capacity, list->edges + 1)) return false;
  if (!GLI_GROW(list->to, list->to_capacity, list->edges + 1)) return false;
  size_t at = list->edges;
  for (; at > list->first[list->nodes - 1] && list->seen[at - 1] > seen; at--) {
    list->seen[at] = list->seen[at - 1];
    list->to[at] = list->to[at - 1];
  }
  list->seen[at] = seen;
  list->to[at] = to;
  list->first[list->nodes] = ++list->edges;
  return true;
}

void gli_edge_list_free(gli_edge_list *list) {
  gli_memory_free(list->choice);
  gli_memory_free(list->first);
  gli_memory_free(list->seen);
  gli_memory_free(list->to);
  *list = (gli_edge_list){0};
}

void gli_policy_take(glimpse_policy *policy, gli_edge_list *list) {
  gli_memory_free(policy->choice);
  gli_memory_free(policy->first);
  gli_memory_free(policy->seen);
  gli_memory_free(policy->to);
  policy->nodes = (uint32_t)list->nodes;
  policy->choice = list->choice;
  policy->first = list->first;
  policy->seen = list->seen;
  policy->to = list->to;
  *list = (gli_edge_list){0};
}

/* ------------------------------------------------------------------ digest */

/* A number byte by byte, the least significant first, so that it is the same on every machine. */
static uint64_t mix_number(uint64_t digest, uint64_t number) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> (8 * i));
  return gli_hash(digest, bytes, sizeof bytes);
}

static uint64_t mix_double(uint64_t digest, double value) {
  uint64_t bits;
  value += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &value, sizeof bits);
  return mix_number(digest, bits);
}

static uint64_t mix_table(uint64_t digest, const gli_table *table, uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++) {
    glimpse_row row = gli_table_row(table, r);
    digest = mix_number(digest, row.count);
    for (size_t i = 0; i < row.count; i++) digest = mix_double(mix_number(digest, row.index[i]), row.value[i]);
  }
  return digest;
}

uint64_t glimpse_model_digest(const glimpse_model *model) {
  model = glimpse_model_planning(model);
  uint64_t digest = GLI_HASH_START, rows = (uint64_t)model->actions * model->states;
  digest = mix_number(digest, model->states);
  digest = mix_number(digest, model->actions);
  digest = mix_number(digest, model->observations);
  digest = mix_double(digest, model->discount);
  digest = mix_number(digest, model->requests);
  for (uint32_t s = 0; s < model->states && model->requests; s++)
    digest = mix_double(digest, gli_model_price(model, s));
  digest = mix_table(digest, &model->transition, rows);
  digest = mix_table(digest, &model->observe, rows);
  for (uint64_t r = 0; r < rows; r++) digest = mix_double(digest, model->reward[r]);
  return digest;
}
