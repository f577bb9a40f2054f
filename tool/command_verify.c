/* glimpse verify: is what a policy's certificate says true? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glimpse.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"

struct verdict {
  glimpse_status status;
  glimpse_proof proof;
  glimpse_policy_info claim;
  bool elsewhere; /* it starts from another belief than the model */
};

static bool same_start(glimpse_row one, glimpse_row other) {
  if (one.count != other.count) return false;
  for (size_t i = 0; i < one.count; i++)
    if (one.index[i] != other.index[i] || fabs(one.value[i] - other.value[i]) > 1e-12) return false;
  return true;
}

static const char *number(double value, char text[GLIMPSE_NUMBER_SIZE]) {
  if (!isfinite(value)) snprintf(text, GLIMPSE_NUMBER_SIZE, "none");
  else snprintf(text, GLIMPSE_NUMBER_SIZE, fabs(value) < 1e9 ? "%.9f" : "%.9e", value);
  return text;
}

static void show_json(const struct options *options, const struct verdict *v) {
  struct json json = json_begin();
  json_text(&json, "model", options->operand[0]);
  json_text(&json, "policy", options->operand[1]);
  json_bool(&json, "proved", !v->status);
  json_number(&json, "lower", v->proof.lower);
  json_number(&json, "upper", v->proof.upper);
  json_number(&json, "gap", v->proof.upper - v->proof.lower);
  json_number(&json, "value", v->proof.value);
  json_number(&json, "requests", v->proof.requests);
  json_number(&json, "claimed_lower", v->claim.lower);
  json_number(&json, "claimed_upper", v->claim.upper);
  json_number(&json, "residual", v->proof.residual);
  json_number(&json, "excess", v->proof.excess);
  json_count(&json, "pairs", v->proof.pairs);
  json_count(&json, "numbers", v->proof.numbers);
  json_bool(&json, "start_of_model", !v->elsewhere);
  json_end(&json);
}

static void show_text(const glimpse_model *model, const struct verdict *v) {
  const glimpse_proof *p = &v->proof;
  char lower[GLIMPSE_NUMBER_SIZE], upper[GLIMPSE_NUMBER_SIZE], gap[GLIMPSE_NUMBER_SIZE];
  double size = fmin(fabs(p->lower), fabs(p->upper));
  output_print("claimed   lower %s, upper %s\n", number(v->claim.lower, lower), number(v->claim.upper, upper));
  output_print("lower     %s: the controller earns %.9f; %llu equations, the largest error of one is %.2g\n",
               number(p->lower, lower), p->value, (unsigned long long)p->pairs, p->residual);
  if (isfinite(p->upper))
    output_print("upper     %s: none of %llu numbers is below its look ahead by more than %.2g\n",
                 number(p->upper, upper), (unsigned long long)p->numbers, p->excess);
  else output_print("upper     none: the policy has no upper function\n");
  output_print("gap       %s", number(p->upper - p->lower, gap));
  if (size > 0 && isfinite(p->upper)) output_print(" (%.3g %%)", 100 * (p->upper - p->lower) / size);
  output_print("\n");
  if (glimpse_model_requests(model) || glimpse_model_inquiries(model))
    output_print("requests  %.6f, expected and discounted\n", p->requests);
  if (v->elsewhere) output_print("start     the policy's own, which is not the start of the model\n");
  output_print("%s\n", v->status ? "REFUSED" : "proved");
  if (open_model_sign(model)) output_print("Note: %s.\n", open_model_sign(model));
}

/* What was proved is shown, also where it is not enough. */
static int verify(const struct options *options, const glimpse_model *model, const glimpse_policy *policy,
                  glimpse_report *report) {
  struct verdict v = {.claim = glimpse_policy_measure(policy)};
  v.status = glimpse_policy_verify(policy, model, report, &v.proof);
  v.elsewhere = v.status != GLIMPSE_BAD_MODEL && !same_start(v.claim.start, glimpse_model_start(model));
  bool shown = !v.status || (v.status == GLIMPSE_NOT_APPLICABLE && isfinite(v.proof.lower));
  if (shown && options->json) show_json(options, &v);
  else if (shown) show_text(model, &v);
  if (!v.status) return TOOL_OK;
  output_flush();
  int failed = message_failure(report, options->operand[1], v.status);
  if (v.status == GLIMPSE_BAD_MODEL) message_hint("if it was solved with --cost or --discount, give them here, too");
  return failed;
}

static int run(const struct options *options) {
  if (!strcmp(options->operand[0], "-") && !strcmp(options->operand[1], "-"))
    return message_usage(&command_verify, "MODEL and POLICY cannot both be the standard input");
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  int done = TOOL_FAILED;
  if (!report) {
    done = message_no_memory();
  } else {
    glimpse_status status = glimpse_policy_read_file(options->operand[1], report, &policy);
    done = status ? message_failure(report, options->operand[1], status) : verify(options, model, policy, report);
  }
  glimpse_policy_free(policy);
  glimpse_report_free(report);
  glimpse_model_free(model);
  return done;
}

static const struct example examples[] = {
    {"glimpse solve tiger -o - | glimpse verify tiger -", "prove what was just found"},
    {"glimpse solve toy -o - | glimpse verify toy - --json", "for other programs"},
    {NULL, NULL}};

const struct command command_verify = {
    .name = "verify",
    .summary = "check the certificate of a policy",
    .operands = "MODEL POLICY",
    .least = 2,
    .most = 2,
    .text =
        "Proves anew what the certificate of POLICY says of MODEL, with code that has nothing in common with the "
        "search.\n\n"
        "The lower bound is what the controller earns from the start: the equations of all pairs of node and state are "
        "solved. The upper bound rests on numbers for known states and for some beliefs. Each of them is compared "
        "with what one look ahead makes of all of them together: if none is below that, no policy earns more. What "
        "rounding may have changed is added (docs/ALGORITHM.md has the proof).\n\n"
        "It prints what is claimed and what is proved. Exit status 0: all that the certificate claims is proved. Exit "
        "status 1: it is not, or the policy is not of this model, or cannot be read.\n\n"
        "With --json one object: model, policy, proved, lower, upper, gap and value (of the controller, up to "
        "rounding), requests (expected, discounted), claimed_lower, claimed_upper, residual (largest error of an "
        "equation), excess (by how much a number is below its look ahead, at most), pairs, numbers (checked), "
        "start_of_model.",
    .examples = examples,
    .run = run,
};
