/* The protocol of 'glimpse agent': lines of any bytes, as they come from a pipe.  Each gets one line
 * of JSON; what is refused leaves the agent where it was.
 *
 * The first byte chooses the model, the second the planner, the third its options.  A budget is
 * never large, whatever the message says, and time passes as guard.c has it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "lines.h"
#include "protocol.h"

enum { MOST_EXPANSIONS = 60, MOST_SECONDS = 1000, MOST_LINES = 60 };

bool __real_protocol_count(struct session *session, const document *value, uint64_t most, uint64_t *count);
bool __wrap_protocol_count(struct session *session, const document *value, uint64_t most, uint64_t *count);
bool __real_protocol_positive(struct session *session, const document *value, double *number);
bool __wrap_protocol_positive(struct session *session, const document *value, double *number);

bool __wrap_protocol_count(struct session *session, const document *value, uint64_t most, uint64_t *count) {
  bool good = __real_protocol_count(session, value, most, count);
  if (good && *count > MOST_EXPANSIONS) *count = MOST_EXPANSIONS;
  return good;
}

bool __wrap_protocol_positive(struct session *session, const document *value, double *number) {
  bool good = __real_protocol_positive(session, value, number);
  if (good && *number > MOST_SECONDS) *number = MOST_SECONDS;
  return good;
}

/* ------------------------------------------------------------------- session */

static const char *const names[] = {"tiger", "lemma2", "toy", "tiger:c=0", "robot-delivery:n=1", "rock-sample:n=2,k=1"};
enum { NAMES = sizeof names / sizeof *names };

/* Models and bounds are const and made once. */
static glimpse_model *models[NAMES];
static glimpse_offline *bounds[NAMES];

static void prepare(uint32_t which) {
  if (bounds[which]) return;
  glimpse_bound_options options = {.threads = 1, .max_iterations = 300};
  if (glimpse_environment_make(names[which], NULL, &models[which])) abort();
  if (glimpse_offline_new(models[which], glimpse_offline_upper(models[which]), &options, NULL, &bounds[which])) abort();
}

static bool open_session(struct session *session, struct fuzz_input *input) {
  uint32_t which = fuzz_take(input, NAMES);
  prepare(which);
  struct decide *decide = &session->decide;
  struct search *search = &decide->search;
  glimpse_planner_kind kind = (glimpse_planner_kind)fuzz_take(input, GLIMPSE_PLANNER_POLICY);
  uint32_t bits = fuzz_take(input, 256);
  bool small = glimpse_model_count(models[which], GLIMPSE_STATE) <= 4; /* the plain form is slow */
  decide->name = names[which];
  search->model = models[which];
  search->offline = bounds[which];
  search->planner = (glimpse_planner_options){.kind = kind,
                                              .graph = bits & 1 ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP,
                                              .plain = bits & 2 && small,
                                              .keep_corners = bits & 4,
                                              .max_memory = bits & 8 ? 60000 : 4000000,
                                              .rule = (glimpse_rule)((bits >> 6) % GLIMPSE_RULES),
                                              .particles = 50,
                                              .every = 2};
  search->budget = (glimpse_budget){.expansions = 12, .epsilon = bits & 16 ? 0.5 : 0};
  session->ask_when_lost = bits & 32;
  if (glimpse_planner_new(search->model, search->offline, &search->planner, NULL, &decide->planner)) return false;
  session->probe = glimpse_belief_new(search->model);
  session->agent = glimpse_agent_new(search->model, decide->planner,
                                     &(glimpse_agent_options){.ask_when_lost = session->ask_when_lost});
  if (!session->probe || !session->agent) abort();
  decide->belief = glimpse_agent_belief(session->agent);
  return !glimpse_agent_begin(session->agent, 0);
}

static void close_session(struct session *session) {
  glimpse_agent_free(session->agent);
  glimpse_belief_free(session->probe);
  glimpse_planner_free(session->decide.planner);
}

/* -------------------------------------------------------------------- checks */

/* Where the agent is: a refusal must not change it. */
struct place {
  glimpse_phase next;
  bool lost, over;
  uint64_t episode, step, belief;
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *c = bytes;
  for (size_t i = 0; i < size; i++) hash = (hash ^ c[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static struct place place_of(const struct session *session) {
  glimpse_row row = glimpse_belief_row(session->decide.belief);
  uint64_t hash = mix(row.count, row.index, row.count * sizeof *row.index);
  double sum = 0;
  for (size_t i = 0; i < row.count; i++) {
    FUZZ_CHECK(row.value[i] > 0 && row.value[i] <= 1, "%.17g", row.value[i]);
    sum += row.value[i];
  }
  FUZZ_CHECK(fabs(sum - 1) < 1e-9, "the belief sums to %.17g", sum);
  glimpse_stand stand = glimpse_agent_stand(session->agent);
  return (struct place){stand.phase,      stand.lost,    session->over,
                        session->episode, session->step, mix(hash, row.value, row.count * sizeof *row.value)};
}

static double number(const document *reply, const char *key) {
  const document *value = document_get(reply, key);
  return value && value->kind == DOCUMENT_NUMBER ? value->number : (double)NAN;
}

static void check_decision(const struct session *session, const document *reply) {
  const document *ask = document_get(reply, "ask");
  if (!ask) return;
  const glimpse_decision *decision = &session->decide.decision;
  FUZZ_CHECK(ask->kind == DOCUMENT_BOOL && ask->truth == decision->ask, "%s", "ask");
  FUZZ_CHECK(!decision->ask || glimpse_model_requests(session->decide.search.model), "it asks for nothing");
  FUZZ_CHECK(decision->ask || decision->action < glimpse_model_count(session->decide.search.model, GLIMPSE_ACTION),
             "action %u", (unsigned)decision->action);
  double lower = number(reply, "lower"), upper = number(reply, "upper");
  FUZZ_CHECK(isnan(lower) || isnan(upper) || lower <= upper, "%.17g to %.17g", lower, upper);
  const document *explained = document_get(reply, "why");
  glimpse_phase next = glimpse_agent_stand(session->agent).phase;
  FUZZ_CHECK(explained || next == (decision->ask ? GLIMPSE_PHASE_STATE : GLIMPSE_PHASE_OBSERVATION), "next %d",
             (int)next);
}

static void check_reply(const struct session *session, const struct text *line, struct place before) {
  static const char *const words[] = {"decide", "state", "observation"};
  complaint why = {{0}, {0}, {0}};
  FUZZ_CHECK(line->length >= 3 && line->data[line->length - 1] == '\n', "%zu bytes", line->length);
  FUZZ_CHECK(!memchr(line->data, '\n', line->length - 1), "more than one line");
  document *reply = document_read(line->data, line->length, "reply", &why);
  FUZZ_CHECK(reply && reply->kind == DOCUMENT_OBJECT, "%s: %.*s", why.text, (int)line->length, line->data);
  const document *error = document_get(reply, "error"), *next = document_get(reply, "next");
  FUZZ_CHECK(document_get(reply, "bye") ? session->over : next != NULL, "%s", line->data);
  glimpse_phase phase = glimpse_agent_stand(session->agent).phase;
  bool answer = next && phase == GLIMPSE_PHASE_STATE && glimpse_model_inquiries(session->decide.search.model) &&
                !strcmp(next->text, "answer");
  if (next) FUZZ_CHECK(answer || !strcmp(next->text, words[phase]), "%s", line->data);
  if (error) {
    FUZZ_CHECK(*error->text, "no words");
    struct place after = place_of(session);
    bool same = before.next == after.next && before.lost == after.lost && before.over == after.over &&
                before.episode == after.episode && before.step == after.step && before.belief == after.belief;
    FUZZ_CHECK(same || !strcmp(error->text, glimpse_status_text(GLIMPSE_NO_MEMORY)), "%s moved the agent", error->text);
  } else {
    check_decision(session, reply);
  }
  document_free(reply);
}

/* ---------------------------------------------------------------------- main */

static void converse(struct session *session, struct lines *lines) {
  struct text reply = {0};
  const char *text;
  size_t length;
  for (unsigned i = 0; i < MOST_LINES && !session->over && lines_read(lines, &text, &length) == LINE_READ; i++) {
    struct place before = place_of(session);
    char *exact = malloc(length ? length : 1);
    if (!exact) abort();
    if (length) memcpy(exact, text, length);
    protocol_answer(session, exact, length, &reply);
    free(exact);
    check_reply(session, &reply, before);
  }
  text_free(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  struct session session = {.error = ""};
  int ends[2];
  fuzz_clock_start();
  if (open_session(&session, &input) && input.size <= 4096 && !pipe(ends)) { /* what any pipe takes at once */
    bool sent = !input.size || write(ends[1], input.data, input.size) == (ssize_t)input.size;
    close(ends[1]);
    struct lines lines = {.in = ends[0], .out = -1, .room = 16}; /* lines_open would take the fuzzer's signals */
    lines.buffer = malloc(lines.room);
    if (sent && lines.buffer) converse(&session, &lines);
    lines_close(&lines);
    close(ends[0]);
  }
  close_session(&session);
  return 0;
}
