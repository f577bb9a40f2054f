/* Policies from the command line: see open_policy.h. */
#include "open_policy.h"

#include "message.h"
#include "xml/appl.h"

glimpse_policy *open_policy(const char *path, const glimpse_model *model) {
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) {
    message_no_memory();
    return NULL;
  }
  message_progress("reading %s", path);
  glimpse_status status = appl_import_file(path, model, report, &policy);
  message_progress_end();
  if (status) message_failure(report, path, status);
  glimpse_report_free(report);
  return policy;
}

int open_policy_check(const glimpse_policy *policy, const glimpse_model *model, const char *file, const char *spec) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  uint64_t digest = glimpse_model_digest(model);
  if (info.digest == digest) return TOOL_OK;
  message_error_in(file, "the policy is not of %s: it was made for a model with digest %016llx, this one has %016llx",
                   spec, (unsigned long long)info.digest, (unsigned long long)digest);
  message_hint("it was made for '%s'; '--cost' and '--discount' must be the same as then",
               *info.model ? info.model : "a model without a name");
  return TOOL_FAILED;
}
