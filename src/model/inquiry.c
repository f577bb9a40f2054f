/* Inquiry: from the drafts of a builder to the inquiries of a model, and access to these.
 *
 * A draft that says no more than "the state, at a price, before an action" becomes the cost of the model, which
 * planners know by themselves.  Where there is anything else, or a limit, it is the other way round: the cost becomes
 * the first inquiry, "state", and the model has no requests of its own.  So a model has either a cost or a list.
 *
 * A failure is mixed into the answers here: with probability p(s) the answer is "nothing", the last one. */
#include "model/inquiry.h"

#include <math.h>
#include <string.h>

#include "base/report.h"

/* ---- access ---- */

const char *glimpse_timing_key(glimpse_timing timing) {
  switch (timing) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_TIMING_##name: return key;
    GLIMPSE_TIMING_TABLE(X)
#undef X
    case GLIMPSE_TIMINGS: break;
  }
  return "?";
}

uint32_t glimpse_model_inquiries(const glimpse_model *model) {
  return model->inquiry_count;
}

glimpse_inquiry glimpse_model_inquiry(const glimpse_model *model, uint32_t i) {
  if (i >= model->inquiry_count) return (glimpse_inquiry){.nothing = GLIMPSE_ANY};
  const gli_inquiry *inquiry = &model->inquiries[i];
  return (glimpse_inquiry){.name = inquiry->name,
                           .timing = inquiry->timing,
                           .answers = inquiry->answers,
                           .unpaid = inquiry->unpaid,
                           .state = inquiry->state,
                           .nothing = inquiry->nothing,
                           .effect = inquiry->effect.row != NULL};
}

/* A number below count in text; GLIMPSE_ANY: it is none. */
static uint32_t number_of(const char *text, uint32_t count) {
  uint32_t number = 0;
  size_t length = strlen(text);
  if (length == 0 || length > 9 || strspn(text, "0123456789") != length) return GLIMPSE_ANY;
  for (const char *c = text; *c; c++) number = 10 * number + (uint32_t)(*c - '0');
  return number < count ? number : GLIMPSE_ANY;
}

uint32_t glimpse_model_inquiry_find(const glimpse_model *model, const char *name) {
  for (uint32_t i = 0; i < model->inquiry_count; i++)
    if (strcmp(model->inquiries[i].name, name) == 0) return i;
  return number_of(name, model->inquiry_count);
}

double glimpse_model_inquiry_price(const glimpse_model *model, uint32_t i, uint32_t s) {
  const gli_inquiry *inquiry = &model->inquiries[i];
  return inquiry->prices ? inquiry->prices[s] : inquiry->price;
}

bool glimpse_model_inquiry_price_uniform(const glimpse_model *model, uint32_t i) {
  return !model->inquiries[i].prices;
}

glimpse_row glimpse_model_inquiry_answers(const glimpse_model *model, uint32_t i, uint32_t s) {
  return gli_table_row(&model->inquiries[i].answer, s);
}

glimpse_row glimpse_model_inquiry_effect(const glimpse_model *model, uint32_t i, uint32_t s) {
  const gli_inquiry *inquiry = &model->inquiries[i];
  return inquiry->effect.row ? gli_table_row(&inquiry->effect, s) : (glimpse_row){0, NULL, NULL};
}

static const char nothing_name[] = "nothing";

const char *glimpse_model_answer_name(const glimpse_model *model, uint32_t i, uint32_t z) {
  if (i >= model->inquiry_count || z >= model->inquiries[i].answers) return NULL;
  const gli_inquiry *inquiry = &model->inquiries[i];
  if (z == inquiry->nothing) return nothing_name;
  return gli_names_get(inquiry->state ? &model->names[GLIMPSE_STATE] : &inquiry->names, z);
}

uint32_t glimpse_model_answer_find(const glimpse_model *model, uint32_t i, const char *name) {
  if (i >= model->inquiry_count) return GLIMPSE_ANY;
  const gli_inquiry *inquiry = &model->inquiries[i];
  if (inquiry->nothing != GLIMPSE_ANY && strcmp(name, nothing_name) == 0) return inquiry->nothing;
  const gli_names *names = inquiry->state ? &model->names[GLIMPSE_STATE] : &inquiry->names;
  uint32_t z = gli_names_find(names, name, strlen(name));
  return z == UINT32_MAX ? number_of(name, names->count) : z;
}

glimpse_limits glimpse_model_limits(const glimpse_model *model) {
  return model->limits;
}

double gli_inquiry_paid(const glimpse_model *model, const gli_inquiry *inquiry, uint32_t s, uint32_t s2) {
  if (model->terminal[s]) return 0;
  double price = inquiry->prices ? inquiry->prices[s] : inquiry->price;
  if (!inquiry->unpaid || inquiry->nothing == GLIMPSE_ANY) return price;
  glimpse_row row = gli_table_row(&inquiry->answer, s2);
  /* "nothing" is the last answer, so if it is there it is the last entry */
  bool fails = row.count && row.index[row.count - 1] == inquiry->nothing;
  return fails ? price * (1 - row.value[row.count - 1]) : price;
}

void gli_inquiries_free(gli_inquiry *inquiries, uint32_t count) {
  for (uint32_t i = 0; inquiries && i < count; i++) {
    gli_memory_free(inquiries[i].name);
    gli_memory_free(inquiries[i].prices);
    gli_table_free(&inquiries[i].answer);
    gli_table_free(&inquiries[i].effect);
    gli_names_free(&inquiries[i].names);
  }
  gli_memory_free(inquiries);
}

/* ---- drafts ---- */

static void draft_free(gli_inquiry_draft *draft) {
  gli_memory_free(draft->name);
  gli_memory_free(draft->prices);
  gli_memory_free(draft->failures);
  gli_log_free(&draft->answer);
  gli_log_free(&draft->effect);
  gli_names_free(&draft->names);
}

void gli_drafts_free(gli_drafts *drafts) {
  for (size_t i = 0; i < drafts->count; i++) draft_free(&drafts->item[i]);
  gli_memory_free(drafts->item);
  *drafts = (gli_drafts){0};
}

gli_inquiry_draft *gli_drafts_add(gli_drafts *drafts, const glimpse_inquiry *inquiry, uint32_t states) {
  if (!GLI_GROW(drafts->item, drafts->capacity, drafts->count + 1)) return NULL;
  gli_inquiry_draft *draft = &drafts->item[drafts->count];
  *draft = (gli_inquiry_draft){.timing = inquiry->timing, .unpaid = inquiry->unpaid, .state = inquiry->answers == 0};
  draft->name = gli_memory_text(inquiry->name);
  draft->answers = draft->state ? states : inquiry->answers;
  gli_log_start(&draft->answer, states, 1, draft->answers + 1);
  gli_log_start(&draft->effect, states, 1, states);
  gli_names_start(&draft->names, draft->answers);
  bool made = draft->name;
  if (made && draft->state) made = !gli_log_add(&draft->answer, GLIMPSE_ANY, GLIMPSE_ANY, GLI_LOG_IDENTITY, 0);
  if (made) {
    drafts->count++;
    return draft;
  }
  draft_free(draft);
  return NULL;
}

bool gli_draft_number(double *all, double **each, uint32_t states, uint32_t s, double value) {
  value += 0.0; /* -0 becomes 0 */
  if (s == GLIMPSE_ANY) {
    gli_memory_free(*each);
    *each = NULL;
    *all = value;
    return true;
  }
  if (!*each) {
    *each = GLI_NEW(double, states);
    if (!*each) return false;
    for (uint32_t i = 0; i < states; i++) (*each)[i] = *all;
  }
  (*each)[s] = value;
  return true;
}

/* One number where all are the same. */
static void collapse(double *all, double **each, uint32_t states) {
  if (!*each) return;
  for (uint32_t s = 1; s < states; s++)
    if ((*each)[s] != (*each)[0]) return;
  *all = (*each)[0];
  gli_memory_free(*each);
  *each = NULL;
}

/* ---- the gate ---- */

typedef struct judging {
  const gli_inquiry_gate *gate;
  const glimpse_model *model;
  const gli_inquiry_draft *draft;
  uint32_t index;
  const char *what;
} judging;

static void place_of(const gli_inquiry_gate *gate, uint32_t i, uint64_t *line, uint64_t *column) {
  *line = *column = 0;
  if (gate->find) gate->find(gate->context, i, line, column);
}

static bool judge(void *context, uint32_t a, uint32_t s, double sum) {
  (void)a;
  const judging *j = context;
  gli_log_verdict verdict = gli_log_judge_sum(sum);
  if (verdict == GLI_SUM_FINE) return true;
  char number[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(sum < 1000 ? round(sum * 1e12) / 1e12 : sum, number);
  uint64_t line, column;
  place_of(j->gate, j->index, &line, &column);
  bool valid = verdict == GLI_SUM_MENDED;
  gli_report_add(j->gate->report, valid ? GLIMPSE_WARNING : GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, line, column,
                 "%s of inquiry '%.60s' in state %.60s sum to %s%s", j->what, j->draft->name,
                 gli_names_get(&j->model->names[GLIMPSE_STATE], s), number,
                 valid ? "; they were normalised to 1" : ", expected 1");
  return valid;
}

/* Mixes the failures into the table: with probability p(s) the answer is `nothing`, the last one. */
static bool mix_failures(const gli_inquiry_draft *draft, uint32_t states, uint32_t nothing, gli_table *table) {
  uint64_t entries = table->row[states], n = 0;
  gli_table mixed = {GLI_NEW(uint64_t, (size_t)states + 1), GLI_NEW(uint32_t, entries + states),
                     GLI_NEW(double, entries + states)};
  bool made = mixed.row && mixed.column && mixed.value;
  for (uint32_t s = 0; made && s < states; s++) {
    double p = draft->failures ? draft->failures[s] : draft->failure;
    glimpse_row row = gli_table_row(table, s);
    bool last = row.count && row.index[row.count - 1] == nothing;
    for (size_t i = 0; i + last < row.count && p < 1; i++) {
      mixed.column[n] = row.index[i];
      mixed.value[n++] = p > 0 ? (1 - p) * row.value[i] : row.value[i];
    }
    if (p > 0 || last) {
      mixed.column[n] = nothing;
      mixed.value[n++] = last ? p + (1 - p) * row.value[row.count - 1] : p;
    }
    mixed.row[s + 1] = n;
  }
  gli_table swap = made ? *table : mixed;
  if (made) *table = mixed;
  gli_table_free(&swap);
  return made;
}

static bool fails(const gli_inquiry_draft *draft) {
  return draft->failures || draft->failure > 0;
}

static glimpse_status resolve_names(const judging *j, gli_inquiry_draft *draft, gli_inquiry *inquiry) {
  uint64_t line, column;
  place_of(j->gate, j->index, &line, &column);
  if (!draft->state && !draft->names.given && !gli_names_number(&draft->names)) return GLIMPSE_NO_MEMORY;
  uint32_t missing = draft->state ? draft->names.count : gli_names_missing(&draft->names);
  if (missing < draft->names.count) {
    gli_report_add(j->gate->report, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, line, column,
                   "some answers of inquiry '%.60s' have names, but number %u has none", draft->name,
                   (unsigned)missing);
    return GLIMPSE_BAD_MODEL;
  }
  inquiry->names = draft->names;
  draft->names = (gli_names){0};
  inquiry->name = draft->name;
  draft->name = NULL;
  return GLIMPSE_OK;
}

static glimpse_status resolve(judging *j, gli_inquiry_draft *draft, gli_inquiry *inquiry) {
  uint32_t states = j->model->states;
  gli_log_judge judged = {j, judge};
  glimpse_row none = {0, NULL, NULL};
  j->what = "the answers";
  glimpse_status status = gli_log_resolve(&draft->answer, none, judged, &inquiry->answer);
  j->what = "the effects";
  if (!status && draft->changes) status = gli_log_resolve(&draft->effect, none, judged, &inquiry->effect);
  collapse(&draft->price, &draft->prices, states);
  collapse(&draft->failure, &draft->failures, states);
  inquiry->timing = draft->timing;
  inquiry->state = draft->state;
  inquiry->unpaid = draft->unpaid;
  bool failing = fails(draft);
  if (!status && failing && !mix_failures(draft, states, draft->answers, &inquiry->answer)) status = GLIMPSE_NO_MEMORY;
  for (uint64_t i = 0; !status && i < inquiry->answer.row[states]; i++)
    failing |= inquiry->answer.column[i] == draft->answers;
  inquiry->answers = draft->answers + failing;
  inquiry->nothing = failing ? draft->answers : GLIMPSE_ANY;
  if (!status) status = resolve_names(j, draft, inquiry);
  inquiry->price = draft->price;
  inquiry->prices = draft->prices;
  draft->prices = NULL;
  return status;
}

/* Is this what planners know by themselves? */
static bool plain(const gli_inquiry_draft *draft) {
  bool priced = draft->prices || draft->price > 0;
  return draft->state && draft->timing == GLIMPSE_TIMING_BEFORE && !fails(draft) && !draft->changes && priced;
}

/* Is it what planning calls an action without a name: "a" and its number? */
static bool names_number(const glimpse_model *model, const char *name) {
  if (model->names[GLIMPSE_ACTION].given || *name != 'a' || (name[1] == '0' && name[2])) return false;
  return number_of(name + 1, model->actions) != GLIMPSE_ANY;
}

/* A name must not be that of an action, nor of another inquiry, nor "state" next to a cost. */
static glimpse_status check_names(const gli_drafts *drafts, const gli_inquiry_gate *gate, const glimpse_model *model) {
  for (uint32_t i = 0; i < drafts->count; i++) {
    const char *name = drafts->item[i].name, *other = NULL;
    if (gli_names_find(&model->names[GLIMPSE_ACTION], name, strlen(name)) != UINT32_MAX) other = "an action";
    if (names_number(model, name)) other = "an action, which has a number alone; name the actions";
    if (model->requests && strcmp(name, "state") == 0) other = "asking at the cost of the model";
    for (uint32_t k = 0; k < i; k++)
      if (strcmp(drafts->item[k].name, name) == 0) other = "an inquiry before it";
    if (!other) continue;
    uint64_t line, column;
    place_of(gate, i, &line, &column);
    gli_report_add(gate->report, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, line, column, "inquiry '%.60s' has the name of %s%s",
                   name, other, names_number(model, name) ? ", or call it something else" : "; call it something else");
    return GLIMPSE_BAD_MODEL;
  }
  return GLIMPSE_OK;
}

/* The cost becomes the first draft. */
static bool list_cost(gli_drafts *drafts, glimpse_model *model) {
  gli_inquiry_draft *last = gli_drafts_add(drafts, &(glimpse_inquiry){.name = "state"}, model->states);
  if (!last) return false;
  gli_inquiry_draft draft = *last;
  draft.price = model->cost;
  draft.prices = model->costs;
  memmove(drafts->item + 1, drafts->item, (drafts->count - 1) * sizeof *drafts->item);
  drafts->item[0] = draft;
  model->cost = 0;
  model->costs = NULL;
  model->requests = false;
  return true;
}

static glimpse_status resolve_all(gli_drafts *drafts, const gli_inquiry_gate *gate, glimpse_model *model, bool listed) {
  model->inquiries = GLI_NEW(gli_inquiry, drafts->count);
  if (!model->inquiries) return GLIMPSE_NO_MEMORY;
  model->inquiry_count = (uint32_t)drafts->count;
  glimpse_status status = GLIMPSE_OK;
  for (uint32_t i = 0; i < drafts->count; i++) {
    judging j = {.gate = gate, .model = model, .draft = &drafts->item[i], .index = listed ? i - 1 : i};
    glimpse_status found = resolve(&j, &drafts->item[i], &model->inquiries[i]);
    if (found && found != GLIMPSE_BAD_MODEL) return found;
    if (found) status = found;
  }
  return status;
}

glimpse_status gli_drafts_resolve(gli_drafts *drafts, const gli_inquiry_gate *gate, glimpse_model *model) {
  const glimpse_limits *limits = &drafts->limits;
  bool limited = limits->requests || limits->horizon || limits->per_step > 1;
  if (!drafts->count && !limited) return GLIMPSE_OK;
  glimpse_status status = check_names(drafts, gate, model);
  if (status) return status;
  if (!drafts->count && !model->requests && (limits->requests || limits->per_step > 1))
    return GLI_FAIL(gate->report, GLIMPSE_BAD_MODEL, "requests are limited, but the agent can ask nothing");
  gli_inquiry_draft *first = drafts->item;
  if (drafts->count == 1 && !limited && !model->requests && plain(first)) {
    collapse(&first->price, &first->prices, model->states);
    model->cost = first->prices ? 0 : first->price;
    model->costs = first->prices;
    first->prices = NULL;
    model->requests = true;
    return GLIMPSE_OK;
  }
  bool listed = model->requests;
  if (listed && !list_cost(drafts, model)) return GLIMPSE_NO_MEMORY;
  model->limits = *limits;
  model->most = drafts->most;
  return resolve_all(drafts, gate, model, listed);
}
