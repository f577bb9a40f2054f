/* Maintenance: a machine of two parts that wear unseen, with a menu of inspections.
 *
 * State: wear of the tool and of the bearing, 0 (new) to 3 (broken): 16 states.  Actions:
 *
 *   run             earns 1, 0.9, 0.6, 0 by the tool's wear, or loses 2 if the bearing is broken; then the tool wears
 * by one with 0.25, the bearing with 0.15, each on its own change-tool     costs 0.5, the tool is new change-bearing
 * costs 2, the bearing is new overhaul        costs 2.2, both are new
 *
 * After `run` a piece is `good` or `scrap`, the latter with 0.02, 0.1, 0.4, 0.9 by the tool's wear as it is then; other
 * actions show `idle`.  Before an action one of these can be had:
 *
 *   listen   free: `quiet` or `loud`, loud with 0.1, 0.25, 0.6, 0.95 by the bearing's wear
 *   look     price `look`: the tool's wear
 *   state    price `c`: the machine is opened, everything is known
 *
 * It has no end. */
#include <stdio.h>

#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(look, "0.05", REAL(0, 1000), "price of looking at the tool")                                                       \
  X(c, "0.3", COST(), "price of opening the machine, which tells everything")                                          \
  X(gamma, "0.95", REAL(0.01, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { WEAR = 4, BROKEN = WEAR - 1, STATES = WEAR * WEAR };
enum { RUN, CHANGE_TOOL, CHANGE_BEARING, OVERHAUL, ACTIONS };
enum { GOOD, SCRAP, IDLE, OBSERVATIONS };

static const double earned[WEAR] = {1, 0.9, 0.6, 0}, scrap[WEAR] = {0.02, 0.1, 0.4, 0.9};
static const double loud[WEAR] = {0.1, 0.25, 0.6, 0.95}, price[ACTIONS] = {0, 0.5, 2, 2.2};
static const double tool_wears = 0.25, bearing_wears = 0.15, damage = -2;

static uint32_t state_of(int tool, int bearing) {
  return (uint32_t)(tool * WEAR + bearing);
}

static void add_run(glimpse_builder *builder, int tool, int bearing) {
  double next[STATES] = {0};
  for (int i = 0; i < 4; i++) {
    int worn = tool < BROKEN ? tool + (i & 1) : tool, rubbed = bearing < BROKEN ? bearing + (i >> 1) : bearing;
    next[state_of(worn, rubbed)] +=
        (i & 1 ? tool_wears : 1 - tool_wears) * (i >> 1 ? bearing_wears : 1 - bearing_wears);
  }
  uint32_t s = state_of(tool, bearing);
  for (uint32_t s2 = 0; s2 < STATES; s2++)
    if (next[s2] > 0) glimpse_builder_transition(builder, RUN, s, s2, next[s2]);
  glimpse_builder_reward(builder, RUN, s, GLIMPSE_ANY, GLIMPSE_ANY, bearing == BROKEN ? damage : earned[tool]);
}

static void add_state(glimpse_builder *builder, int tool, int bearing) {
  uint32_t s = state_of(tool, bearing);
  char name[64];
  snprintf(name, sizeof name, "tool%d-bearing%d", tool, bearing);
  glimpse_builder_name(builder, GLIMPSE_STATE, s, name);
  add_run(builder, tool, bearing);
  glimpse_builder_transition(builder, CHANGE_TOOL, s, state_of(0, bearing), 1);
  glimpse_builder_transition(builder, CHANGE_BEARING, s, state_of(tool, 0), 1);
  glimpse_builder_transition(builder, OVERHAUL, s, state_of(0, 0), 1);
  glimpse_builder_observation(builder, RUN, s, SCRAP, scrap[tool]);
  glimpse_builder_observation(builder, RUN, s, GOOD, 1 - scrap[tool]);
  for (uint32_t a = CHANGE_TOOL; a < ACTIONS; a++) {
    glimpse_builder_observation(builder, a, s, IDLE, 1);
    glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, -price[a]);
  }
}

static void add_menu(glimpse_builder *builder, const double *value) {
  static const char *const sounds[] = {"quiet", "loud"}, *const looks[WEAR] = {"new", "worn", "bad", "broken"};
  uint32_t listen, look;
  glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
  if (glimpse_builder_inquiry(builder, &(glimpse_inquiry){.name = "listen", .answers = 2}, &listen) ||
      glimpse_builder_inquiry(builder, &(glimpse_inquiry){.name = "look", .answers = WEAR}, &look))
    return;
  for (uint32_t z = 0; z < 2; z++) glimpse_builder_answer_name(builder, listen, z, sounds[z]);
  for (uint32_t z = 0; z < WEAR; z++) glimpse_builder_answer_name(builder, look, z, looks[z]);
  glimpse_builder_inquiry_price(builder, look, GLIMPSE_ANY, value[KEY_look]);
  for (int tool = 0; tool < WEAR; tool++) {
    for (int bearing = 0; bearing < WEAR; bearing++) {
      uint32_t s = state_of(tool, bearing);
      glimpse_builder_inquiry_answer(builder, listen, s, 1, loud[bearing]);
      glimpse_builder_inquiry_answer(builder, listen, s, 0, 1 - loud[bearing]);
      glimpse_builder_inquiry_answer(builder, look, s, (uint32_t)tool, 1);
    }
  }
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"run", "change-tool", "change-bearing", "overhaul"};
  static const char *const observations[] = {"good", "scrap", "idle"};
  glimpse_builder *builder = glimpse_builder_new(STATES, ACTIONS, OBSERVATIONS);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    gli_environment_names(builder, GLIMPSE_OBSERVATION, observations, OBSERVATIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_start(builder, state_of(0, 0), 1);
    for (int tool = 0; tool < WEAR; tool++)
      for (int bearing = 0; bearing < WEAR; bearing++) add_state(builder, tool, bearing);
    add_menu(builder, value);
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_maintenance = {
    {"maintenance", "parts that wear unseen: listen, look, open the machine, or change them", shown}, ranges, make};
