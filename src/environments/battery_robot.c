/* Battery robot: a robot in a corridor whose battery may run out, with a menu of sensors.
 *
 *   cells  0 1 2 | 3 4 5 | 6 7 8       three rooms of three cells
 *          dock                 work
 *
 * State: cell and battery level 1 to 4, and `end`: 37 states.  `left` and `right` go one cell (0.8) or stay; walls
 * stop.  `work` pays 1 in the last cell, `charge` fills the battery in the first; elsewhere both do nothing.
 * Everything but charging at the dock drains one level with 0.1.  An empty battery costs 10 and ends it.  Nothing is
 * seen but that.  Before an action the robot may use one of
 *
 *   gauge    free: `low` or `high`, right with 0.8 (levels 1 and 2 are low)
 *   camera   price `camera`: which room
 *   state    price `c`: everything
 *
 * so that it pays to know when which of them is enough. */
#include <stdio.h>

#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(camera, "0.05", REAL(0, 1000), "price of the camera")                                                              \
  X(c, "0.3", COST(), "price of a request for the whole state")                                                        \
  X(gamma, "0.95", REAL(0.01, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { CELLS = 9, ROOM = 3, ROOMS = CELLS / ROOM, LEVELS = 4, END = CELLS * LEVELS, STATES };
enum { LEFT, RIGHT, WORK, CHARGE, ACTIONS };

static const double slip = 0.2, drain = 0.1, pay = 1, stranded = -10, truth = 0.8;

static uint32_t state_of(int cell, int level) {
  return (uint32_t)(cell * LEVELS + level - 1);
}

/* What becomes of a cell, with weight p: the battery holds, or loses a level. */
static void land(double next[STATES], int cell, int level, double p) {
  next[state_of(cell, level)] += p * (1 - drain);
  next[level > 1 ? state_of(cell, level - 1) : END] += p * drain;
}

static void add_step(glimpse_builder *builder, uint32_t a, int cell, int level) {
  double next[STATES] = {0};
  uint32_t s = state_of(cell, level);
  bool docked = a == CHARGE && cell == 0, works = a == WORK && cell == CELLS - 1;
  int to = a == LEFT && cell > 0 ? cell - 1 : a == RIGHT && cell < CELLS - 1 ? cell + 1 : cell;
  if (docked) {
    next[state_of(cell, LEVELS)] = 1;
  } else if (to == cell) {
    land(next, cell, level, 1);
  } else {
    land(next, cell, level, slip);
    land(next, to, level, 1 - slip);
  }
  for (uint32_t s2 = 0; s2 < STATES; s2++)
    if (next[s2] > 0) glimpse_builder_transition(builder, a, s, s2, next[s2]);
  if (works) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, pay);
  if (next[END] > 0) glimpse_builder_reward(builder, a, s, END, GLIMPSE_ANY, (works ? pay : 0) + stranded);
}

/* Of no use at the end, where every answer is the first. */
static void add_menu(glimpse_builder *builder, const double *value) {
  static const char *const levels[] = {"low", "high"}, *const rooms[ROOMS] = {"left-room", "middle-room", "right-room"};
  uint32_t gauge, camera;
  glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
  if (glimpse_builder_inquiry(builder, &(glimpse_inquiry){.name = "gauge", .answers = 2}, &gauge) ||
      glimpse_builder_inquiry(builder, &(glimpse_inquiry){.name = "camera", .answers = ROOMS}, &camera))
    return;
  for (uint32_t z = 0; z < 2; z++) glimpse_builder_answer_name(builder, gauge, z, levels[z]);
  for (uint32_t z = 0; z < ROOMS; z++) glimpse_builder_answer_name(builder, camera, z, rooms[z]);
  glimpse_builder_inquiry_price(builder, camera, GLIMPSE_ANY, value[KEY_camera]);
  for (int cell = 0; cell < CELLS; cell++) {
    for (int level = 1; level <= LEVELS; level++) {
      uint32_t s = state_of(cell, level), right = level > LEVELS / 2;
      glimpse_builder_inquiry_answer(builder, gauge, s, right, truth);
      glimpse_builder_inquiry_answer(builder, gauge, s, 1 - right, 1 - truth);
      glimpse_builder_inquiry_answer(builder, camera, s, (uint32_t)(cell / ROOM), 1);
    }
  }
  glimpse_builder_inquiry_answer(builder, gauge, END, 0, 1);
  glimpse_builder_inquiry_answer(builder, camera, END, 0, 1);
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"left", "right", "work", "charge"};
  glimpse_builder *builder = gli_environment_unseen(STATES, ACTIONS, END);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_start(builder, state_of(0, LEVELS), 1);
    for (int cell = 0; cell < CELLS; cell++) {
      for (int level = 1; level <= LEVELS; level++) {
        char name[64];
        snprintf(name, sizeof name, "cell%d-level%d", cell, level);
        glimpse_builder_name(builder, GLIMPSE_STATE, state_of(cell, level), name);
        for (uint32_t a = 0; a < ACTIONS; a++) add_step(builder, a, cell, level);
      }
    }
    add_menu(builder, value);
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_battery_robot = {
    {"battery-robot", "work far from the dock, with a gauge, a camera and a request to choose from", shown},
    ranges,
    make};
