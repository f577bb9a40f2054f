/* glimpse plan: one decision, and how sure it is. */
#include <string.h>

#include "decide.h"
#include "dot.h"
#include "interrupt.h"
#include "message.h"
#include "output.h"

static void show_json(const struct decide *decide) {
  struct json json = json_begin();
  decide_json(decide, &json);
  json_end(&json);
}

static void show_text(const struct decide *decide) {
  const glimpse_decision *d = &decide->decision;
  char text[200];
  output_print("decision   %s\n\n", decide_text(decide->search.model, d, text));
  decide_choices(decide);
  output_print("\n");
  decide_search(decide);
}

static int run(const struct options *options) {
  struct decide decide;
  int status = dot_check(options);
  if (status) return status;
  bool drawn = options->dot && !strcmp(options->dot, "-"); /* instead of the text */
  status = decide_open(options, &decide);
  if (!status && options->json) show_json(&decide);
  else if (!status && !drawn) show_text(&decide);
  if (!status && options->dot) status = dot_write(options, &decide);
  decide_close(&decide);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse plan robot-delivery:n=3", "what a robot does first, after 0.1 s of search"},
    {"glimpse plan tiger --expansions 200 --belief tiger-left=0.85,tiger-right=0.15", "at another belief"},
    {"glimpse plan toy --cost 2 --time off --epsilon 0.001", "until the value is known to 0.001"},
    {"glimpse plan tiger --cost 9.5 --expansions 20 --dot search.dot",
     "and draw it: dot -Tsvg search.dot -o search.svg"},
    {"glimpse plan tag --planner pomcp --expansions 1000 --json", "another planner, for other programs"},
    {NULL, NULL}};

const struct command command_plan = {
    .name = "plan",
    .summary = "decide whether to ask and what to do, once",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text = "Searches from the start belief of MODEL, or from --belief, until the budget is used up, and prints the "
            "decision: ask for the state, or which action to do. Below it is each choice with the bounds on its "
            "value, what the search did and why it stopped. The decision is the choice with the largest lower "
            "bound, or the choice of a baseline's rule. Ctrl-C ends the search with the best decision so far.\n\n"
            "With --dot the graph of the search is written for Graphviz: beliefs with their bounds, what each choice "
            "leads to, requests as dashed edges, known states in one row. Choices of the plan are bold. The --dot-... "
            "options say how much of it is drawn. In a model with inquiries or limits a belief says how far its step "
            "has come "
            "(may ask, acts) and the horizon and the limit if there are, and 'go on' is to act without asking.\n\n"
            "With --json: ask (true or false), action (null when it asks), lower, upper, offline_lower, "
            "offline_upper, error_reduction (in percent of the offline gap), expansions, nodes, corners, seconds, "
            "bytes, stop (time, expansions, memory, epsilon, decided, solved, rounding, interrupted, rule or "
            "off-plan), actions (a list of "
            "action, lower, upper), request_lower and request_upper (null when the agent may not ask), then model, "
            "discount, cost, planner and "
            "settings (in words). The planner "
            "pomcp has no bounds: they are null, and it adds value and visits to each action, request_value, "
            "request_visits and value. Models with inquiries or limits have inquiry (what to ask; null: nothing) and, "
            "instead of actions, choices: all that can be done now, a list of action and inquiry (null: none), lower "
            "and upper.",
    .examples = examples,
    .run = run,
};
