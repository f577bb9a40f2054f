/* Policies in the formats of other solvers: pomdp-solve's .pg and .alpha, and the XML of APPL (SARSOP).
 *
 * Their models have no requests; a policy that asks was made one of the equivalent POMDP before.  A .pg file has a line
 * per node: its number, its action, and the next node for each observation, - where there is none.  The others have a
 * vector per node: its action, and what it is worth in each state. */
#include <stdint.h>
#include <stdlib.h>

#include "message.h"
#include "policy_format.h"

int policy_pg(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  for (uint32_t n = 0; n < info.nodes && !job->out->failed; n++) {
    glimpse_policy_edges edges = glimpse_policy_get(job->policy, n);
    size_t i = 0;
    text_print(job->out, "%u %u ", n, glimpse_policy_choice(job->policy, n));
    for (uint32_t o = 0; o < info.observations; o++) {
      if (i < edges.count && edges.seen[i] == o) text_print(job->out, " %u", edges.to[i++]);
      else text_print(job->out, " -");
    }
    text_print(job->out, "\n");
  }
  return TOOL_OK;
}

/* What each node is worth; to be freed.  NULL after a message. */
static double *find_values(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  glimpse_report *report = glimpse_report_new();
  double *values = NULL;
  if (info.nodes <= SIZE_MAX / sizeof *values / info.states)
    values = malloc((size_t)info.nodes * info.states * sizeof *values);
  if (!values || !report) {
    message_no_memory();
    glimpse_report_free(report);
    free(values);
    return NULL;
  }
  message_progress("computing what each node is worth in each state");
  glimpse_status status = glimpse_policy_values(job->policy, job->model, report, values);
  message_progress_end();
  if (status) {
    message_failure(report, job->file, status);
    free(values);
    values = NULL;
  }
  glimpse_report_free(report);
  return values;
}

static void put_values(struct text *out, const double *values, uint32_t count) {
  for (uint32_t s = 0; s < count; s++) {
    char text[GLIMPSE_NUMBER_SIZE];
    if (s) text_sink(out, " ", 1);
    text_sink(out, text, glimpse_number_write(values[s], text));
  }
}

int policy_alpha(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  double *values = find_values(job);
  if (!values) return TOOL_FAILED;
  for (uint32_t n = 0; n < info.nodes && !job->out->failed; n++) {
    text_print(job->out, "%u\n", glimpse_policy_choice(job->policy, n));
    put_values(job->out, values + (size_t)n * info.states, info.states);
    text_print(job->out, "\n\n");
  }
  free(values);
  return TOOL_OK;
}

static void put_xml(struct text *out, const char *text) {
  for (const char *c = text; *c; c++) {
    const char *entity = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '"' ? "&quot;" : NULL;
    if (entity) text_print(out, "%s", entity);
    else text_sink(out, c, 1);
  }
}

int policy_appl(const struct policy_format *job) {
  glimpse_policy_info info = glimpse_policy_measure(job->policy);
  char name[100];
  double *values = find_values(job);
  if (!values) return TOOL_FAILED;
  text_print(job->out,
             "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<Policy version=\"0.1\" type=\"value\" model=\"");
  put_xml(job->out, policy_model(job->policy, name));
  text_print(job->out, "\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                       "xsi:noNamespaceSchemaLocation=\"policyx.xsd\">\n");
  text_print(job->out, "<AlphaVector vectorLength=\"%u\" numObsValue=\"1\" numVectors=\"%u\">\n", info.states,
             info.nodes);
  for (uint32_t n = 0; n < info.nodes && !job->out->failed; n++) {
    text_print(job->out, "<Vector action=\"%u\" obsValue=\"0\">", glimpse_policy_choice(job->policy, n));
    put_values(job->out, values + (size_t)n * info.states, info.states);
    text_print(job->out, " </Vector>\n");
  }
  text_print(job->out, "</AlphaVector> </Policy>\n");
  free(values);
  return TOOL_OK;
}
