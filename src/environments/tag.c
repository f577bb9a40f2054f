/* Tag: a robot that sees its own cell chases a prey that it sees only in its
 * own cell.  29 cells, numbered from the lower left (the order of the field):
 *
 *                  26 27 28
 *                  23 24 25
 *                  20 21 22
 *   10 11 12 13 14 15 16 17 18 19
 *    0  1  2  3  4  5  6  7  8  9
 *
 * State number robot * 29 + prey, and 841 is the end: 842 states.  The robot's
 * moves are certain and cost 1; into a wall it stays and pays as well.  Tagging
 * pays 10 in the prey's cell and ends the episode, else it costs 10.  After every
 * action but a successful tag, hence also after a failed one, the prey moves; it
 * sees the robot's cell before the robot's move.  Both preys stay with 0.2, then
 *
 *   paper    picks uniformly among the neighbouring cells with a larger Manhattan
 *            distance to the robot, and stays when there is none;
 *   classic  (the literature) flees with 0.4 along each axis; on an axis on which
 *            it is level with the robot, 0.2 to each side; into a wall it stays.
 *
 * Start: uniform over all 841 pairs, as in the literature. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/report.h"
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(prey, "paper", CHOICE("paper|classic"), "how the prey flees")                                                      \
  X(c, "1", COST(), "price of a request")                                                                              \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { WIDTH = 10, FLOOR = 2, HEIGHT = 5, LEFT = 5, RIGHT = 7 }; /* the tower stands on columns LEFT..RIGHT */
enum { CELLS = 29, TAGGED = CELLS * CELLS, STATES, SAME_CELL = CELLS, OBSERVATIONS };
enum { NORTH, SOUTH, EAST, WEST, TAG, ACTIONS };
enum { PAPER, CLASSIC };

static const int step_x[TAG] = {0, 0, 1, -1}, step_y[TAG] = {1, -1, 0, 0};
static const double stay = 0.2, flee_axis = 0.4;

typedef struct field {
  int x[CELLS], y[CELLS];
  uint32_t next[TAG][CELLS]; /* the cell itself where there is a wall */
} field;

static uint32_t cell_at(int x, int y) {
  if (y < 0 || y >= HEIGHT) return GLIMPSE_ANY;
  if (y < FLOOR) return x >= 0 && x < WIDTH ? (uint32_t)(y * WIDTH + x) : GLIMPSE_ANY;
  if (x < LEFT || x > RIGHT) return GLIMPSE_ANY;
  return (uint32_t)(FLOOR * WIDTH + (y - FLOOR) * (RIGHT - LEFT + 1) + x - LEFT);
}

static void field_make(field *f) {
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      uint32_t cell = cell_at(x, y);
      if (cell == GLIMPSE_ANY) continue;
      f->x[cell] = x;
      f->y[cell] = y;
      for (int a = 0; a < TAG; a++) {
        uint32_t to = cell_at(x + step_x[a], y + step_y[a]);
        f->next[a][cell] = to == GLIMPSE_ANY ? cell : to;
      }
    }
  }
}

static int manhattan(const field *f, uint32_t one, uint32_t two) {
  return abs(f->x[one] - f->x[two]) + abs(f->y[one] - f->y[two]);
}

/* The prey's next cell: p[i] is the probability of the move i, p[TAG] of staying. */
static void flee_paper(const field *f, uint32_t robot, uint32_t prey, double p[TAG + 1]) {
  int ways = 0;
  bool away[TAG];
  for (int a = 0; a < TAG; a++) ways += away[a] = manhattan(f, f->next[a][prey], robot) > manhattan(f, prey, robot);
  for (int a = 0; a < TAG; a++) p[a] = away[a] ? (1 - stay) / ways : 0;
  p[TAG] = ways ? stay : 1;
}

static void flee_classic(const field *f, uint32_t robot, uint32_t prey, double p[TAG + 1]) {
  int dx = f->x[prey] - f->x[robot], dy = f->y[prey] - f->y[robot];
  p[EAST] = dx > 0 ? flee_axis : dx == 0 ? flee_axis / 2 : 0;
  p[WEST] = dx < 0 ? flee_axis : dx == 0 ? flee_axis / 2 : 0;
  p[NORTH] = dy > 0 ? flee_axis : dy == 0 ? flee_axis / 2 : 0;
  p[SOUTH] = dy < 0 ? flee_axis : dy == 0 ? flee_axis / 2 : 0;
  p[TAG] = stay;
}

static void add_step(glimpse_builder *builder, const field *f, int kind, uint32_t a, uint32_t robot, uint32_t prey) {
  uint32_t s = robot * CELLS + prey;
  bool same = robot == prey;
  glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, a != TAG ? -1 : same ? 10 : -10);
  if (a == TAG && same) {
    glimpse_builder_transition(builder, a, s, TAGGED, 1);
    return;
  }
  uint32_t moved = a == TAG ? robot : f->next[a][robot];
  double p[TAG + 1];
  if (kind == PAPER) flee_paper(f, robot, prey, p);
  else flee_classic(f, robot, prey, p);
  double stays = p[TAG]; /* and where walls stop it */
  for (int way = 0; way < TAG; way++) {
    uint32_t to = f->next[way][prey];
    if (to == prey) stays += p[way];
    else if (p[way] > 0) glimpse_builder_transition(builder, a, s, moved * CELLS + to, p[way]);
  }
  glimpse_builder_transition(builder, a, s, moved * CELLS + prey, stays);
}

static void add_names(glimpse_builder *builder) {
  static const char *const actions[ACTIONS] = {"north", "south", "east", "west", "tag"};
  gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
  char name[32];
  for (uint32_t s = 0; s < TAGGED; s++) {
    snprintf(name, sizeof name, "robot%u-prey%u", (unsigned)(s / CELLS), (unsigned)(s % CELLS));
    glimpse_builder_name(builder, GLIMPSE_STATE, s, name);
  }
  glimpse_builder_name(builder, GLIMPSE_STATE, TAGGED, "tagged");
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    snprintf(name, sizeof name, "at%u", (unsigned)cell);
    glimpse_builder_name(builder, GLIMPSE_OBSERVATION, cell, name);
  }
  glimpse_builder_name(builder, GLIMPSE_OBSERVATION, SAME_CELL, "same-cell");
}

static void add_rules(glimpse_builder *builder, const field *f, int kind) {
  for (uint32_t robot = 0; robot < CELLS; robot++) {
    for (uint32_t prey = 0; prey < CELLS; prey++) {
      uint32_t s = robot * CELLS + prey;
      glimpse_builder_start(builder, s, 1.0 / TAGGED);
      glimpse_builder_observation(builder, GLIMPSE_ANY, s, robot == prey ? SAME_CELL : robot, 1);
      for (uint32_t a = 0; a < ACTIONS; a++) add_step(builder, f, kind, a, robot, prey);
    }
  }
  glimpse_builder_transition(builder, GLIMPSE_ANY, TAGGED, TAGGED, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, TAGGED, SAME_CELL, 1);
}

/* The field with a wall around it; north is up. */
enum { ROWS = HEIGHT + 2, COLUMNS = WIDTH + 2, LAYERS = 2 };

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  field f;
  field_make(&f);
  static const char *const names[LAYERS] = {"robot", "prey"}, *const places[] = {"done", "tagged"};
  char background[ROWS * COLUMNS + 1] = "";
  for (uint32_t i = 0; i < ROWS * COLUMNS; i++) background[i] = '#';
  uint32_t where[CELLS], *cells = GLI_NEW(uint32_t, (size_t)LAYERS * STATES);
  if (!cells) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    where[cell] = (uint32_t)((HEIGHT - f.y[cell]) * COLUMNS + f.x[cell] + 1);
    background[where[cell]] = ' ';
  }
  for (uint32_t s = 0; s < TAGGED; s++) {
    cells[s] = where[s / CELLS];
    cells[STATES + s] = where[s % CELLS];
  }
  cells[TAGGED] = ROWS * COLUMNS;
  cells[STATES + TAGGED] = ROWS * COLUMNS + 1;
  glimpse_scene scene = {.rows = ROWS,
                         .columns = COLUMNS,
                         .background = background,
                         .legend = "",
                         .layers = LAYERS,
                         .marks = "RP",
                         .names = names,
                         .cells = cells,
                         .places = 2,
                         .place_names = places};
  glimpse_builder *builder = glimpse_builder_new(STATES, ACTIONS, OBSERVATIONS);
  if (builder) {
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
    add_names(builder);
    add_rules(builder, &f, (int)value[KEY_prey]);
  }
  glimpse_status status = gli_environment_finish(builder, &scene, report, model);
  gli_memory_free(cells);
  return status;
}

const gli_environment gli_environment_tag = {{"tag", "chase a prey seen only from its own cell", shown}, ranges, make};
