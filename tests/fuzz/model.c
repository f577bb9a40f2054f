/* Model: what a fuzzer knows about models and reports; see fuzz.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/same_model.h"

/* ------------------------------------------------------------------ reports */

void fuzz_check_report(const glimpse_report *report, glimpse_status status, bool model) {
  size_t errors = glimpse_report_count(report, GLIMPSE_ERROR), kept = glimpse_report_kept(report), seen = 0;
  FUZZ_CHECK(model == !status, "status %d", (int)status);
  FUZZ_CHECK(status || !errors, "%zu errors", errors);
  FUZZ_CHECK(!status || errors || status == GLIMPSE_NO_MEMORY, "status %d without a word", (int)status);
  FUZZ_CHECK(kept <= 40 && kept <= errors + glimpse_report_count(report, GLIMPSE_WARNING), "%zu kept", kept);
  FUZZ_CHECK(!glimpse_report_get(report, kept), "one more than %zu", kept);
  for (size_t i = 0; i < kept; i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    FUZZ_CHECK(*message->text && message->source && !message->line == !message->column, "message %zu", i);
    for (const char *c = message->text; *c; c++)
      FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 127, "byte %d in '%s'", *c, message->text);
    FUZZ_CHECK(message->code != GLIMPSE_OK, "'%s' has the code of success", message->text);
    if (message->severity != GLIMPSE_ERROR) continue;
    if (status == GLIMPSE_NO_MEMORY) continue; /* whatever was wrong before */
    FUZZ_CHECK(seen++ || message->code == status, "status %d, but first error %d", (int)status, (int)message->code);
  }
}

/* Bytes of a line, counted from 1; SIZE_MAX when there is none.  \n, \r\n and \r end a line. */
static size_t line_length(const char *text, size_t length, uint64_t line) {
  size_t start = 0;
  for (uint64_t at = 1;; at++) {
    size_t end = start;
    while (end < length && text[end] != '\n' && text[end] != '\r') end++;
    if (at == line) return end - start;
    if (end == length) return SIZE_MAX;
    start = end + 1;
    if (text[end] == '\r' && start < length && text[start] == '\n') start++;
  }
}

void fuzz_check_places(const glimpse_report *report, const char *text, size_t length) {
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    if (!message->line && (message->code == GLIMPSE_NO_MEMORY || !*message->source)) continue;
    size_t room = line_length(text, length, message->line);
    FUZZ_CHECK(message->line >= 1 && room != SIZE_MAX, "line %llu: %s", (unsigned long long)message->line,
               message->text);
    FUZZ_CHECK(message->column >= 1 && message->column <= room + 1, "column %llu of %zu in line %llu: %s",
               (unsigned long long)message->column, room, (unsigned long long)message->line, message->text);
    FUZZ_CHECK(!strcmp(message->source, "fuzz"), "source '%s'", message->source);
  }
}

/* ------------------------------------------------------------------- models */

static void check_row(glimpse_row row, uint32_t count, const char *what) {
  double sum = 0;
  FUZZ_CHECK(row.count >= 1 && row.count <= count, "%s: %zu entries", what, row.count);
  for (size_t i = 0; i < row.count; i++) {
    FUZZ_CHECK(row.index[i] < count && (!i || row.index[i] > row.index[i - 1]), "%s: index %u", what,
               (unsigned)row.index[i]);
    FUZZ_CHECK(row.value[i] > 0 && row.value[i] <= 1, "%s: value %.17g", what, row.value[i]);
    sum += row.value[i];
  }
  FUZZ_CHECK(fabs(sum - 1) <= 1e-12 * (double)(row.count + 1), "%s: sum %.17g", what, sum);
}

static void check_names(const glimpse_model *model, glimpse_kind kind) {
  uint32_t count = glimpse_model_count(model, kind);
  FUZZ_CHECK(count >= 1, "kind %d", (int)kind);
  FUZZ_CHECK(!glimpse_model_name(model, kind, count), "kind %d", (int)kind);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = glimpse_model_name(model, kind, i);
    FUZZ_CHECK(name && *name && glimpse_model_find(model, kind, name) == i, "name '%s'", name);
  }
}

static void check_state(const glimpse_model *model, uint32_t s) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  uint32_t observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  bool stays = true;
  double cost = glimpse_model_cost(model, s);
  FUZZ_CHECK(glimpse_model_requests(model) ? cost >= 0 && isfinite(cost) : cost == 0, "cost %.17g", cost);
  FUZZ_CHECK(cost > 0 || !glimpse_model_requests(model) || !glimpse_model_cost_uniform(model), "state %u", (unsigned)s);
  for (uint32_t a = 0; a < glimpse_model_count(model, GLIMPSE_ACTION); a++) {
    glimpse_row next = glimpse_model_transition(model, a, s), seen = glimpse_model_observation(model, a, s);
    double reward = glimpse_model_reward(model, a, s);
    check_row(next, states, "T");
    check_row(seen, observations, "O");
    FUZZ_CHECK(isfinite(reward), "reward %.17g", reward);
    stays = stays && next.count == 1 && next.index[0] == s && reward == 0;
    double step = glimpse_model_reward_step(model, a, s, next.index[0],
                                            glimpse_model_observation(model, a, next.index[0]).index[0]);
    FUZZ_CHECK(isfinite(step), "reward of a step %.17g", step);
  }
  FUZZ_CHECK(stays || !glimpse_model_terminal(model, s), "state %u is terminal", (unsigned)s);
}

void fuzz_check_model(const glimpse_model *model) {
  double discount = glimpse_model_discount(model);
  FUZZ_CHECK(discount >= 0 && discount <= 1, "discount %.17g", discount);
  FUZZ_CHECK((glimpse_model_plannable(model, NULL) == GLIMPSE_OK) == (discount < 1), "discount %.17g", discount);
  for (int kind = GLIMPSE_STATE; kind <= GLIMPSE_OBSERVATION; kind++) check_names(model, (glimpse_kind)kind);
  check_row(glimpse_model_start(model), glimpse_model_count(model, GLIMPSE_STATE), "start");
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) check_state(model, s);
}

/* ------------------------------------------------------------------ readers */

static glimpse_model *read_text(fuzz_reader *read, const char *text, size_t length, bool strict) {
  glimpse_pomdp_options options = {.strict = strict};
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) abort();
  glimpse_status status = read(text, length, "fuzz", &options, report, &model);
  fuzz_check_report(report, status, model != NULL);
  fuzz_check_places(report, text, length);
  glimpse_report_free(report);
  return model;
}

void fuzz_check_reader(fuzz_reader *read, const uint8_t *data, size_t size) {
  char *text = malloc(size ? size : 1); /* no zero behind it */
  if (!text) return;
  if (size) memcpy(text, data, size);
  glimpse_model *loose = read_text(read, text, size, false), *strict = read_text(read, text, size, true);
  FUZZ_CHECK(loose || !strict, "only the strict reader accepts it");
  if (loose) fuzz_check_model(loose);
  if (strict) {
    const char *difference = same_model_difference(loose, strict);
    FUZZ_CHECK(!difference, "the strict reader differs in %s", difference);
  }
  glimpse_model_free(loose);
  glimpse_model_free(strict);
  free(text);
}

/* --------------------------------------------------------------- round trip */

struct text {
  char *bytes;
  size_t length, room;
};

static bool append(void *context, const char *piece, size_t length) {
  struct text *text = context;
  if (text->length + length > text->room) {
    size_t room = 2 * (text->length + length);
    char *moved = realloc(text->bytes, room);
    if (!moved) return false;
    text->bytes = moved;
    text->room = room;
  }
  memcpy(text->bytes + text->length, piece, length);
  text->length += length;
  return true;
}

/* False: no memory for it. */
static bool write(const glimpse_model *model, struct text *text) {
  glimpse_status status = glimpse_pomdp_write(model, append, text);
  FUZZ_CHECK(!status || status == GLIMPSE_NO_MEMORY || status == GLIMPSE_CANNOT_WRITE, "status %d", (int)status);
  return !status;
}

void fuzz_check_round_trip(const glimpse_model *model) {
  struct text text = {NULL, 0, 0}, second = {NULL, 0, 0};
  glimpse_model *again = NULL;
  glimpse_report *report = glimpse_report_new();
  if (report && write(model, &text)) {
    glimpse_pomdp_options strict = {.strict = true};
    glimpse_status status = glimpse_pomdp_read(text.bytes, text.length, "again", &strict, report, &again);
    const glimpse_message *message = glimpse_report_get(report, 0);
    FUZZ_CHECK(!status || status == GLIMPSE_NO_MEMORY, "status %d: %s", (int)status, message ? message->text : "");
    FUZZ_CHECK(status || !message, "what was written is read with the warning: %s", message ? message->text : "");
  }
  if (again) {
    const char *difference = same_model_difference(model, again);
    FUZZ_CHECK(!difference, "read again it differs in %s", difference);
    if (write(again, &second))
      FUZZ_CHECK(text.length == second.length && !memcmp(text.bytes, second.bytes, text.length),
                 "written again it is another text of %zu bytes, not %zu", second.length, text.length);
  }
  glimpse_model_free(again);
  glimpse_report_free(report);
  free(text.bytes);
  free(second.bytes);
}

/* ------------------------------------------------------------ models of bytes */

static double take_number(struct fuzz_input *input, bool wild) {
  static const double plain[] = {0,   1,    -1,   2,   -3,   10,   0.5,  -100, 0.1,   -0.3, 7,
                                 1e3, -1e4, 1e-3, 1e6, -1e6, 1e-6, 1e-9, 1e9,  1e-12, 1e12, -1e9};
  uint32_t which = fuzz_take(input, 32);
  if (wild && which >= 24) return fuzz_take_double(input);
  return which < sizeof plain / sizeof *plain ? plain[which] : 0;
}

/* A row of a table, by weights of which one at least is not 0. */
static void take_row(struct fuzz_input *input, uint32_t count, double *row) {
  double sum = 0;
  uint32_t kind = fuzz_take(input, 4 + count);
  for (uint32_t i = 0; i < count; i++) {
    row[i] = kind >= 4 ? kind - 4 == i : kind == 3 ? 1 : fuzz_take(input, 16);
    if (kind == 2 && row[i] > 1) row[i] = pow(10, -row[i]);
    sum += row[i];
  }
  if (sum == 0) row[0] = sum = 1;
  for (uint32_t i = 0; i < count; i++) row[i] /= sum;
}

static void take_rewards(struct fuzz_input *input, glimpse_builder *builder, uint32_t states, uint32_t actions,
                         uint32_t observations, bool wild) {
  for (uint32_t rules = fuzz_take(input, 16); rules > 0; rules--) {
    uint32_t index[4], count[4] = {actions, states, states, observations};
    for (size_t i = 0; i < 4; i++) {
      index[i] = fuzz_take(input, count[i] + 1);
      if (index[i] == count[i]) index[i] = GLIMPSE_ANY;
    }
    glimpse_builder_reward(builder, index[0], index[1], index[2], index[3], take_number(input, wild));
  }
}

static void take_price(struct fuzz_input *input, glimpse_builder *builder, uint32_t states, bool wild) {
  bool each = fuzz_take(input, 4) == 3;
  for (uint32_t s = 0; s < (each ? states : 1); s++)
    glimpse_builder_cost(builder, each ? s : GLIMPSE_ANY, fabs(take_number(input, wild)));
}

glimpse_model *fuzz_make_model(struct fuzz_input *input, bool wild) {
  static const double discounts[] = {0.9, 0, 0.5, 0.95, 0.99, 0.3, 0.999, 0.9999};
  uint32_t states = 1 + fuzz_take(input, 6), actions = 1 + fuzz_take(input, 4), observations = 1 + fuzz_take(input, 4);
  double row[6];
  glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
  if (!builder) return NULL;
  uint32_t discount = fuzz_take(input, wild ? 10 : 8);
  glimpse_builder_discount(builder, discount < 8 ? discounts[discount] : discount == 8 ? 1 : fuzz_take_double(input));
  take_price(input, builder, states, wild);
  for (uint32_t a = 0; a < actions; a++)
    for (uint32_t s = 0; s < states; s++) {
      take_row(input, states, row);
      for (uint32_t i = 0; i < states; i++) glimpse_builder_transition(builder, a, s, i, row[i]);
      take_row(input, observations, row);
      for (uint32_t i = 0; i < observations; i++) glimpse_builder_observation(builder, a, s, i, row[i]);
    }
  take_rewards(input, builder, states, actions, observations, wild);
  if (fuzz_take(input, 2)) {
    take_row(input, states, row);
    for (uint32_t i = 0; i < states; i++) glimpse_builder_start(builder, i, row[i]);
  }
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (report) {
    glimpse_status status = glimpse_builder_finish(builder, report, &model);
    fuzz_check_report(report, status, model != NULL);
  }
  glimpse_report_free(report);
  glimpse_builder_free(builder);
  return model;
}
