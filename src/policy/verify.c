/* Verify: is a certificate true?
 *
 * The lower bound is what the controller earns from the start (evaluate.c), the upper bound what the ceiling proves
 * there (prove.c).  Neither uses the search or anything it left behind but the controller and the numbers of the
 * ceiling.  A claim is refused that is better than what is proved by more than GIVE, relative to the largest of both
 * and all rewards (the numbers of requests: and 1): so much may another machine or another version differ in
 * rounding. */
#include <math.h>

#include "base/report.h"
#include "policy/policy.h"

#define GIVE 1e-9

static double give(double claimed, double proved, double size) {
  return GIVE * fmax(size, fmax(isfinite(claimed) ? fabs(claimed) : 0, isfinite(proved) ? fabs(proved) : 0));
}

static double largest_reward(const glimpse_model *model) {
  double most = 0;
  for (uint32_t a = 0; a < glimpse_model_count(model, GLIMPSE_ACTION); a++)
    for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++)
      most = fmax(most, fabs(glimpse_model_reward(model, a, s)));
  return most;
}

static bool same_model(const glimpse_policy *policy, const glimpse_model *model) {
  return policy->states == glimpse_model_count(model, GLIMPSE_STATE) &&
         policy->actions == glimpse_model_count(model, GLIMPSE_ACTION) &&
         policy->observations == glimpse_model_count(model, GLIMPSE_OBSERVATION) &&
         policy->digest == glimpse_model_digest(model);
}

static glimpse_status refuse(glimpse_report *report, const char *what, double claimed, double proved) {
  char claim[GLIMPSE_NUMBER_SIZE], proof[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(claimed, claim);
  glimpse_number_write(proved, proof);
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE, "the certificate claims %s of %s, but what is proved is %s", what,
                  claim, proof);
}

/* Infinite bounds claim nothing. */
static glimpse_status compare(const glimpse_policy *policy, const glimpse_proof *proof, double size,
                              glimpse_report *report) {
  glimpse_status status = GLIMPSE_OK;
  if (policy->lower != -INFINITY && !(policy->lower <= proof->lower + give(policy->lower, proof->lower, size)))
    status = refuse(report, "a lower bound", policy->lower, proof->lower);
  if (policy->upper != INFINITY && !(policy->upper >= proof->upper - give(policy->upper, proof->upper, size)))
    status = refuse(report, "an upper bound", policy->upper, proof->upper);
  if (!isnan(policy->requests) &&
      !(fabs(policy->requests - proof->requests) <= 1e3 * give(policy->requests, proof->requests, 1)))
    status = refuse(report, "a number of requests", policy->requests, proof->requests);
  return status;
}

glimpse_status glimpse_policy_verify(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                     glimpse_proof *proof) {
  model = glimpse_model_planning(model);
  *proof = (glimpse_proof){.lower = -INFINITY, .upper = INFINITY, .value = NAN, .requests = NAN, .excess = INFINITY};
  if (!same_model(policy, model))
    return GLI_FAIL(
        report, GLIMPSE_BAD_MODEL,
        "the policy was made for another model: sizes, discount, prices, probabilities and rewards must be the "
        "same");
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status) return status;
  gli_worth worth;
  status = gli_policy_evaluate(policy, model, report, &worth);
  if (status) return status;
  proof->lower = worth.lower;
  proof->value = worth.value;
  proof->requests = worth.requests;
  proof->residual = worth.residual;
  proof->pairs = worth.pairs;
  gli_proved proved = {.excess = INFINITY, .upper = INFINITY};
  if (policy->ceiling && !gli_ceiling_prove(policy->ceiling, model, gli_policy_start(policy), &proved))
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  proof->upper = proved.upper;
  proof->excess = proved.excess;
  proof->numbers = proved.numbers;
  return compare(policy, proof, largest_reward(model), report);
}
