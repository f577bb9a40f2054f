/* Import: a policy made of the vectors of another solver.
 *
 * Each vector becomes a node; the first is the best at the start.  Edges are found from there: a vector that is met for
 * the first time is looked at where it is met, and each observation leads to the best vector behind it.  So a set that
 * an exact solver made becomes its policy graph.  What is never met has no edges; values.c says what then.  The vectors
 * themselves choose while the policy is followed, and are not believed when a bound is needed. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "belief/belief.h"
#include "formats/file.h"
#include "policy/policy.h"
#include "policy/vector_set.h"

static uint32_t best_vector(const gli_vector_set *set, glimpse_row belief) {
  uint32_t best = 0;
  double most = -INFINITY;
  for (uint32_t k = 0; k < set->count; k++) {
    const double *value = set->value + (size_t)k * set->states;
    double sum = 0;
    for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * value[belief.index[i]];
    if (sum > most) most = sum, best = k;
  }
  return best;
}

static void swap(gli_vector_set *set, uint32_t x, uint32_t y) {
  uint32_t action = set->action[x];
  set->action[x] = set->action[y];
  set->action[y] = action;
  for (uint32_t s = 0; s < set->states && x != y; s++) {
    double value = set->value[(size_t)x * set->states + s];
    set->value[(size_t)x * set->states + s] = set->value[(size_t)y * set->states + s];
    set->value[(size_t)y * set->states + s] = value;
  }
}

/* Looking for edges. */
typedef struct search {
  const gli_vector_set *set;
  gli_belief_work *work;
  gli_children children;
  gli_sparse *at;  /* per vector: the belief where it was met first; empty: not met */
  uint32_t *queue; /* of vectors that were met */
  size_t head, tail;
  gli_edge_list *edges; /* per vector, of one node each */
} search;

static bool meet(search *it, uint32_t vector, glimpse_row belief) {
  gli_sparse *at = &it->at[vector];
  if (at->count) return true;
  if (!gli_sparse_reserve(at, belief.count)) return false;
  memcpy(at->index, belief.index, belief.count * sizeof *belief.index);
  memcpy(at->value, belief.value, belief.count * sizeof *belief.value);
  at->count = belief.count;
  it->queue[it->tail++] = vector;
  return true;
}

static bool explore(search *it, glimpse_row start) {
  if (!meet(it, 0, start)) return false;
  while (it->head < it->tail) {
    uint32_t k = it->queue[it->head++];
    if (!gli_belief_children(it->work, gli_sparse_row(&it->at[k]), it->set->action[k], &it->children)) return false;
    for (size_t i = 0; i < it->children.count; i++) {
      glimpse_row next = gli_children_row(&it->children, i);
      uint32_t to = best_vector(it->set, next);
      if (!gli_edge_list_edge(&it->edges[k], it->children.observation[i], to) || !meet(it, to, next)) return false;
    }
  }
  return true;
}

/* All nodes with their edges, one after the other. */
static bool collect(const search *it, gli_edge_list *list) {
  for (uint32_t k = 0; k < it->set->count; k++) {
    if (!gli_edge_list_node(list, it->set->action[k])) return false;
    for (size_t e = 0; e < it->edges[k].edges; e++)
      if (!gli_edge_list_edge(list, it->edges[k].seen[e], it->edges[k].to[e])) return false;
  }
  return true;
}

static bool connect(glimpse_policy *policy, const glimpse_model *model, const gli_vector_set *set) {
  gli_edge_list list = {0};
  search it = {.set = set, .work = gli_belief_work_new(model)};
  it.at = GLI_NEW(gli_sparse, set->count);
  it.queue = GLI_NEW(uint32_t, set->count);
  it.edges = GLI_NEW(gli_edge_list, set->count);
  bool fine = it.work && it.at && it.queue && it.edges;
  for (size_t k = 0; k < set->count && fine; k++) fine = gli_edge_list_node(&it.edges[k], 0);
  fine = fine && explore(&it, gli_policy_start(policy)) && collect(&it, &list);
  if (fine) gli_policy_take(policy, &list);
  gli_edge_list_free(&list);
  for (size_t k = 0; k < set->count; k++) {
    if (it.at) gli_sparse_free(&it.at[k]);
    if (it.edges) gli_edge_list_free(&it.edges[k]);
  }
  gli_memory_free(it.at);
  gli_memory_free(it.queue);
  gli_memory_free(it.edges);
  gli_children_free(&it.children);
  gli_belief_work_free(it.work);
  return fine;
}

static glimpse_policy *make(const glimpse_model *model, gli_vector_set *set) {
  glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
  if (!policy) return NULL;
  swap(set, 0, best_vector(set, gli_policy_start(policy)));
  if (connect(policy, model, set) && gli_policy_find_depth(policy)) {
    policy->vector = set->value;
    set->value = NULL;
    return policy;
  }
  glimpse_policy_free(policy);
  return NULL;
}

glimpse_status glimpse_policy_from_vectors(const glimpse_model *model, size_t count, const uint32_t *action,
                                           const double *value, glimpse_report *report, glimpse_policy **policy) {
  *policy = NULL;
  model = glimpse_model_planning(model);
  gli_vector_set set = {.states = glimpse_model_count(model, GLIMPSE_STATE),
                        .actions = glimpse_model_count(model, GLIMPSE_ACTION)};
  if (!count || count >= GLIMPSE_ANY || !set.states || count > SIZE_MAX / set.states)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "expected vectors, found %zu", count);
  for (size_t k = 0; k < count; k++)
    if (action[k] >= set.actions)
      return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no action %lu, that of vector %zu",
                      (unsigned long)action[k], k);
  for (size_t i = 0; i < count * set.states; i++)
    if (!isfinite(value[i]))
      return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the value of vector %zu in state %zu is no finite number",
                      i / set.states, i % set.states);
  set.count = count;
  set.action = GLI_NEW(uint32_t, count);
  set.value = GLI_NEW(double, count *set.states);
  if (set.action && set.value) {
    memcpy(set.action, action, count * sizeof *action);
    memcpy(set.value, value, count * set.states * sizeof *value);
    *policy = make(model, &set);
  }
  gli_vector_set_free(&set);
  return *policy ? GLIMPSE_OK : GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
}

static glimpse_status import_alpha(const char *text, size_t length, const glimpse_model *model, glimpse_report *report,
                                   glimpse_policy **policy) {
  model = glimpse_model_planning(model);
  gli_words words = gli_words_start(text, length, report);
  gli_vector_set set = {.states = glimpse_model_count(model, GLIMPSE_STATE),
                        .actions = glimpse_model_count(model, GLIMPSE_ACTION)};
  bool read = gli_vector_set_alpha(&set, &words);
  if (read && set.count >= GLIMPSE_ANY) read = gli_words_no_memory(&words);
  if (read && !(*policy = make(model, &set))) gli_words_no_memory(&words);
  gli_vector_set_free(&set);
  return words.status;
}

glimpse_status glimpse_policy_import(const char *text, size_t length, const char *source, const glimpse_model *model,
                                     glimpse_report *report, glimpse_policy **policy) {
  *policy = NULL;
  size_t blank = 0;
  while (blank < length && text[blank] && strchr(" \r\t\n", text[blank])) blank++;
  char first = blank < length ? text[blank] : 0;
  gli_report_source(report, source ? source : "");
  bool digit = first >= '0' && first <= '9';
  if ((digit || first == '<') && !model)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "these are vectors of another solver, which need their model");
  if (first == '<')
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "this is XML, which the library does not read; the program and Python do");
  if (digit) return import_alpha(text, length, model, report, policy);
  return glimpse_policy_read(text, length, source, report, policy);
}

glimpse_status glimpse_policy_import_file(const char *path, const glimpse_model *model, glimpse_report *report,
                                          glimpse_policy **policy) {
  *policy = NULL;
  char *text;
  size_t length;
  bool standard = strcmp(path, "-") == 0;
  const char *source = standard ? "standard input" : path;
  gli_report_source(report, source);
  glimpse_status status = gli_file_read(standard ? NULL : path, report, &text, &length);
  if (status) return status;
  status = glimpse_policy_import(text, length, source, model, report, policy);
  gli_memory_free(text);
  return status;
}

glimpse_status glimpse_policy_read_file(const char *path, glimpse_report *report, glimpse_policy **policy) {
  return glimpse_policy_import_file(path, NULL, report, policy);
}
