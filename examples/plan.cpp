/* The episode of plan.c in C++20, where objects free themselves and failures are exceptions.
 *
 *   c++ -std=c++20 plan.cpp $(pkg-config --cflags --libs glimpse) -o plan && ./plan [MODEL.pomdp]
 *
 * With the library as one file ('make amalgamation') there is nothing to install:
 *
 *   cc -std=c17 -O2 -c glimpse.c && c++ -std=c++20 plan.cpp glimpse.o -pthread -o plan
 */
#include <glimpse.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>

/* What the library gives, returned to it at the end of the scope. */
template <auto Free> struct Return {
  void operator()(auto *object) const {
    Free(object);
  }
};
using Model = std::unique_ptr<glimpse_model, Return<glimpse_model_free>>;
using Offline = std::unique_ptr<glimpse_offline, Return<glimpse_offline_free>>;
using Planner = std::unique_ptr<glimpse_planner, Return<glimpse_planner_free>>;
using Agent = std::unique_ptr<glimpse_agent, Return<glimpse_agent_free>>;

static void check(glimpse_status status) {
  if (status != GLIMPSE_OK) throw std::runtime_error(glimpse_status_text(status));
}

/* Calls a function that gives an object through its last argument. */
template <class Object> static Object make(auto function, auto... arguments) {
  typename Object::pointer made = nullptr;
  check(function(arguments..., &made));
  return Object(made);
}

/* The world that answers the agent: what is most likely happens. */
static uint32_t likeliest(glimpse_row row) {
  const std::span values(row.value, row.count);
  return row.index[std::ranges::max_element(values) - values.begin()];
}

static void play(const glimpse_model *model, glimpse_agent *agent) {
  glimpse_budget budget = {}; /* or .time, .epsilon, ... */
  budget.expansions = 200;
  uint32_t state = likeliest(glimpse_model_start(model));
  check(glimpse_agent_begin(agent, 0));
  for (int step = 0; step < 20 && !glimpse_model_terminal(model, state); step++) {
    glimpse_decision decision;
    check(glimpse_agent_decide(agent, &budget, &decision));
    std::printf("%2d  value %.2f to %.2f  ", step, decision.lower, decision.upper);
    if (decision.ask) {
      std::printf("asks, is told %s; ", glimpse_model_name(model, GLIMPSE_STATE, state));
      check(glimpse_agent_reveal(agent, state, &decision));
    }
    const uint32_t action = decision.action;
    state = likeliest(glimpse_model_transition(model, action, state));
    const uint32_t seen = likeliest(glimpse_model_observation(model, action, state));
    std::printf("does %s, sees %s\n", glimpse_model_name(model, GLIMPSE_ACTION, action),
                glimpse_model_name(model, GLIMPSE_OBSERVATION, seen));
    check(glimpse_agent_observe(agent, action, seen));
  }
}

int main(int argc, char **argv) try {
  const Model model = argc > 1 ? make<Model>(glimpse_pomdp_read_file, argv[1], nullptr, nullptr)
                               : make<Model>(glimpse_environment_make, "robot-delivery", nullptr);
  const Offline offline =
      make<Offline>(glimpse_offline_new, model.get(), glimpse_offline_upper(model.get()), nullptr, nullptr);
  const glimpse_planner_options options = {};
  const Planner planner = make<Planner>(glimpse_planner_new, model.get(), offline.get(), &options, nullptr);
  const Agent agent(glimpse_agent_new(model.get(), planner.get(), nullptr));
  check(agent ? GLIMPSE_OK : GLIMPSE_NO_MEMORY);
  play(model.get(), agent.get());
} catch (const std::exception &error) {
  std::fprintf(stderr, "plan: %s\n", error.what());
  return 1;
}
