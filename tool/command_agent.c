/* glimpse agent: the planner for other programs, line by line. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "lines.h"
#include "message.h"
#include "protocol.h"
#include "search.h"

/* Why the conversation ends; TOOL_OK where that is as it should be. */
static int farewell(enum line line, const struct lines *lines) {
  switch (line) {
    case LINE_LATE:
      message_error("nobody read the reply for %g s", lines->patience);
      message_hint("'--patience SECONDS' is how long a reader may take");
      return TOOL_FAILED;
    case LINE_NO_READER: return TOOL_FAILED; /* as for any closed pipe, without a word */
    default: return TOOL_OK;
  }
}

static int converse(struct session *session, struct lines *lines, struct text *reply) {
  while (!session->over && !interrupt_caught()) {
    const char *text;
    size_t length;
    enum line line = lines_read(lines, &text, &length);
    if (line == LINE_FAILED) {
      message_error("the standard input cannot be read: %s", strerror(errno));
      return TOOL_FAILED;
    }
    if (line != LINE_READ && line != LINE_TOO_LONG) return farewell(line, lines);
    protocol_answer(session, line == LINE_READ ? text : NULL, length, reply);
    if (!reply->length) return message_no_memory();
    line = lines_write(lines, reply->data, reply->length);
    if (line == LINE_FAILED) {
      message_error("the standard output cannot be written: %s", strerror(errno));
      return TOOL_FAILED;
    }
    if (line != LINE_READ) return farewell(line, lines);
  }
  return TOOL_OK;
}

static glimpse_status start(const struct options *options, struct session *session, glimpse_report *report) {
  struct decide *decide = &session->decide;
  struct search *search = &decide->search;
  glimpse_status status =
      glimpse_planner_new(search->model, search->offline, &search->planner, report, &decide->planner);
  if (status) return status;
  session->probe = glimpse_belief_new(search->model);
  session->agent = glimpse_agent_new(search->model, decide->planner,
                                     &(glimpse_agent_options){.ask_when_lost = options->ask_when_lost});
  if (!session->probe || !session->agent) return GLIMPSE_NO_MEMORY;
  decide->belief = glimpse_agent_belief(session->agent);
  return glimpse_agent_begin(session->agent, 0);
}

static int serve(const struct options *options, struct session *session) {
  glimpse_report *report = glimpse_report_new();
  if (!report) return message_no_memory();
  int result = TOOL_OK;
  glimpse_status status = start(options, session, report);
  if (status) result = search_failure(report, options, status);
  glimpse_report_free(report);
  if (result) return result;
  struct lines lines;
  struct text reply = {0};
  session->decide.search.budget.interrupt = interrupt_catch();
  bool open = lines_open(&lines, STDIN_FILENO, STDOUT_FILENO, options->patience);
  if (open && isatty(STDIN_FILENO))
    message_note("one JSON object per line, such as {\"do\":\"info\"} or {\"do\":\"decide\"}; Ctrl-D ends it");
  result = open ? converse(session, &lines, &reply) : message_no_memory();
  text_free(&reply);
  lines_close(&lines);
  return result;
}

static int run(const struct options *options) {
  if (!strcmp(options->operand[0], "-"))
    return message_usage(options->command, "the model cannot come from the standard input, which carries the messages");
  struct session session = {.decide = {.name = options->operand[0]}};
  int status = search_open(options, &session.decide.search);
  if (!status) status = serve(options, &session);
  glimpse_belief_free(session.probe);
  session.decide.agent = session.agent;
  decide_close(&session.decide);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"echo '{\"do\":\"decide\"}' | glimpse agent tiger", "the first decision"},
    {"printf '{\"do\":\"decide\"}\\n{\"state\":0}\\n' | glimpse agent tiger",
     "it asks, is told the state and says what to do"},
    {"glimpse agent robot-delivery:n=3 --time 0.05 </dev/null", "with 0.05 s for each decision"},
    {NULL, NULL}};

const struct command command_agent = {
    .name = "agent",
    .summary = "decide step by step for another program, in lines of JSON",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text =
        "Reads messages from the standard input and answers each with one line on the standard output; a line is "
        "one JSON object. {\"do\":\"decide\"} is answered with {\"ask\":true, ...}, and then {\"state\":NAME} tells "
        "the "
        "state, or with {\"ask\":false, \"act\":NAME, ...}, and then {\"observation\":NAME} tells what was seen, with "
        "\"action\":NAME if another action was done. Names may be numbers. \"time\", \"expansions\" and \"epsilon\" in "
        "a decide give it a budget of its own.\n\n"
        "In a model with inquiries a decision has \"inquiry\", what to ask (null: nothing), and {\"answer\":NAME} "
        "tells "
        "the answer, with \"inquiry\":NAME if something else was asked; where action and inquiry go together, "
        "{\"observation\":NAME, \"answer\":NAME} tells both. {\"do\":\"names\"} lists inquiries and answers.\n\n"
        "{\"do\":\"reset\"} begins an episode, at \"belief\" if it is there (a state, {STATE:P, ...} or a list of all "
        "probabilities); {\"do\":\"belief\"}, {\"do\":\"explain\"}, {\"do\":\"names\"} and {\"do\":\"info\"} tell "
        "about "
        "the agent, {\"do\":\"quit\"} or the end of the input ends it. An \"id\" comes back in the reply.\n\n"
        "A line that cannot be understood or carried out is answered with {\"error\":TEXT, \"hint\":TEXT, ...}, and "
        "the "
        "agent stays where it was. Each reply says in \"next\" what the agent waits for: decide, state, answer or "
        "observation. "
        "Lines are at most 1 MiB long. docs/AGENT.md describes all messages.",
    .examples = examples,
    .run = run,
};
