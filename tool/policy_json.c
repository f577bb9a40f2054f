/* A policy as one JSON object: all that is in its file. */
#include <stdio.h>

#include "command.h"
#include "json.h"
#include "policy_format.h"

static void put_names(struct json *json, const char *key, const glimpse_policy *policy, glimpse_kind kind,
                      uint32_t count) {
  json_array_flat(json, key);
  for (uint32_t i = 0; i < count; i++) json_text(json, NULL, glimpse_policy_name(policy, kind, i));
  json_close(json);
}

/* [state, probability] */
static void put_belief(struct json *json, const char *key, glimpse_row belief) {
  json_array_flat(json, key);
  for (size_t i = 0; i < belief.count; i++) {
    json_array_flat(json, NULL);
    json_count(json, NULL, belief.index[i]);
    json_number(json, NULL, belief.value[i]);
    json_close(json);
  }
  json_close(json);
}

static void put_numbers(struct json *json, const char *key, const double *numbers, uint32_t count) {
  json_array_flat(json, key);
  for (uint32_t i = 0; i < count; i++) json_number(json, NULL, numbers[i]);
  json_close(json);
}

static void put_info(struct json *json, const glimpse_policy *policy, const glimpse_policy_info *info) {
  char digest[24];
  snprintf(digest, sizeof digest, "%016llx", (unsigned long long)info->digest);
  json_text(json, "model", *info->model ? info->model : NULL);
  json_text(json, "digest", digest);
  json_text(json, "version", info->version);
  put_names(json, "states", policy, GLIMPSE_STATE, info->states);
  put_names(json, "actions", policy, GLIMPSE_ACTION, info->actions);
  put_names(json, "observations", policy, GLIMPSE_OBSERVATION, info->observations);
  put_belief(json, "start", info->start);
  json_number(json, "lower", info->lower);
  json_number(json, "upper", info->upper);
  json_number(json, "requests", info->requests);
  json_count(json, "edges", info->edges);
  json_count(json, "depth", info->depth);
}

static void put_node(struct json *json, const glimpse_policy *policy, uint32_t node) {
  uint32_t choice = glimpse_policy_choice(policy, node);
  glimpse_policy_edges edges = glimpse_policy_get(policy, node);
  json_object(json, NULL);
  if (choice == GLIMPSE_ANY) json_null(json, "action");
  else json_count(json, "action", choice);
  json_array_flat(json, "edges");
  for (size_t i = 0; i < edges.count; i++) {
    json_array_flat(json, NULL);
    json_count(json, NULL, edges.seen[i]);
    json_count(json, NULL, edges.to[i]);
    json_close(json);
  }
  json_close(json);
  json_close(json);
}

static void put_ceiling(struct json *json, const glimpse_policy *policy, const glimpse_policy_info *info) {
  if (!glimpse_policy_corner(policy, 0)) {
    json_null(json, "corners");
    json_null(json, "points");
    return;
  }
  json_array(json, "corners");
  for (uint32_t s = 0; s < info->states; s++) put_numbers(json, NULL, glimpse_policy_corner(policy, s), info->actions);
  json_close(json);
  json_array(json, "points");
  for (uint64_t i = 0; i < info->points; i++) {
    glimpse_row belief;
    const double *values = glimpse_policy_point(policy, i, &belief);
    json_object(json, NULL);
    put_belief(json, "belief", belief);
    put_numbers(json, "values", values, info->actions);
    json_close(json);
  }
  json_close(json);
}

int policy_json(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  struct json json = json_begin_to(text_sink, job->out);
  put_info(&json, job->policy, &info);
  json_array(&json, "nodes");
  for (uint32_t n = 0; n < info.nodes && !job->out->failed; n++) put_node(&json, job->policy, n);
  json_close(&json);
  put_ceiling(&json, job->policy, &info);
  json_end(&json);
  return TOOL_OK;
}
