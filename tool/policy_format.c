/* Policy formats: what several of them need; see policy_format.h. */
#include "policy_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct policy_way *policy_ways_new(const glimpse_policy *policy) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  size_t most = 1;
  for (uint32_t n = 0; n < info.nodes; n++) {
    size_t count = glimpse_policy_get(policy, n).count;
    most = count > most ? count : most;
  }
  return calloc(most, sizeof(struct policy_way));
}

static int by_target(const void *a, const void *b) {
  const struct policy_way *one = a, *two = b;
  if (one->to != two->to) return one->to < two->to ? -1 : 1;
  return one->seen < two->seen ? -1 : one->seen > two->seen;
}

size_t policy_ways(const glimpse_policy *policy, uint32_t node, struct policy_way *ways) {
  glimpse_policy_edges edges = glimpse_policy_get(policy, node);
  for (size_t i = 0; i < edges.count; i++) ways[i] = (struct policy_way){edges.to[i], edges.seen[i]};
  if (edges.count) qsort(ways, edges.count, sizeof *ways, by_target);
  return edges.count;
}

size_t policy_ways_same(const struct policy_way *ways, size_t count) {
  size_t same = 0;
  while (same < count && ways[same].to == ways[0].to) same++;
  return same;
}

const char *policy_seen(const glimpse_policy *policy, uint32_t node, uint32_t seen) {
  bool asks = glimpse_policy_choice(policy, node) == GLIMPSE_ANY;
  return glimpse_policy_name(policy, asks ? GLIMPSE_STATE : GLIMPSE_OBSERVATION, seen);
}

const char *policy_model(const glimpse_policy *policy, char text[100]) {
  const char *name = glimpse_policy_measure(policy).model;
  snprintf(text, 100, "%s", *name ? name : "a model without a name");
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  return text;
}

void policy_worth(const glimpse_policy *policy, char text[160]) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  double lower = floor(info.lower * 1e6) / 1e6, upper = ceil(info.upper * 1e6) / 1e6; /* claim no more than is proved */
  if (!isfinite(lower)) snprintf(text, 160, "without a certificate");
  else if (!isfinite(upper)) snprintf(text, 160, "worth at least %.6f at the start", lower);
  else snprintf(text, 160, "worth at least %.6f at the start, where no policy is worth more than %.6f", lower, upper);
}
