/* RobotDelivery(n, f, t, e): the paper's benchmark, reconstructed (docs/ENVIRONMENTS.md).
 *
 *   #############      o  pickup points 1..n, each at the end of a corridor of two cells
 *   # o # o # o #      A  start, the centre of a room of 3 rows and 2n-1 columns
 *   #   #   #   #      D  delivery cell, below the middle column
 *   #           #      E  exit, right of the middle row: open, but no cell
 *   W     A     E      W  waiting area: no cell, a wall to the robot
 *   #           #
 *   ##### D #####
 *   #############
 *
 * Cells, 8n-2 of them: pickup points, then the corridors' lower cells, the room row by row, D.  A package
 * is at one of the pickup points, waiting, carried, or there is none: n+3 values.  State number: cell *
 * (n+3) + package, and the last one is the end.  In all (8n-2)(n+3)+1: 133, 305, 541 for n = 3, 5, 7.
 *
 * One step, everything judged by the state before it:
 *  - The target of a move is the neighbouring cell, or the own cell before a wall.  A move fails with f and
 *    leaves the robot where it is, except into a pickup cell that holds the package, into D, and out
 *    through E; before a wall failing makes no difference.
 *  - Up, ending in the pickup cell that held the package before the step, picks it up: coming from below,
 *    or standing there already (then up is a move against the wall, and never fails).
 *  - Entering D with the package pays 1.  Then there is none any more with e, else it waits with 1-t or
 *    lies at a uniform pickup point with t.  A package that starts to wait does so until the next step.
 *  - A waiting package goes to a uniform pickup point with t, whatever the robot does.  When it arrives in
 *    the very cell that the robot enters or stands in, it is not picked up: the next up does that.
 *  - Leaving through E pays 1 and ends the episode.
 *  - Observation, of the reached state and the move: "arrived" after up on a pickup point with the package
 *    carried, and after down in D, even if the robot has stood there before; else the walls around the cell
 *    (E is open).  The end shows 3 walls.
 * Standing in D with the package cannot be reached; down there does not deliver, it is not an entering.
 *
 * Check (exit at once): always right from A returns (g(1-f)/(1-gf))^(n-1) for discount g.
 *
 * Cost: the entries of T number about 2 per row and 2(n+1) per row in which the package waits, in all about
 * 110 n^2; a model is made in time linear in that. */
#include <stdio.h>

#include "base/memory.h"
#include "base/report.h"
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(n, "3", WHOLE(1, 1000), "corridors, each with a pickup point")                                                     \
  X(f, "0.1", REAL(0, 1), "probability that a move fails")                                                             \
  X(t, "0.8", REAL(0, 1), "probability that a new or waiting package reaches a pickup point")                          \
  X(e, "1/3", REAL(0, 1), "probability that a delivery was the last")                                                  \
  X(c, "0.1", COST(), "price of a request")                                                                            \
  X(gamma, "0.99", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { UP, DOWN, LEFT, RIGHT, ACTIONS };
enum { ROOM_ROWS = 3, MIDDLE = 1, ARRIVED = 4, OBSERVATIONS, NAME_SIZE = 48 };
#define OUTSIDE GLIMPSE_ANY /* the target of the move through E */

typedef struct world {
  uint32_t n, width;                         /* of the room */
  uint32_t corridor, room, delivery, cells;  /* first cell of each part; pickup points begin at 0 */
  uint32_t waiting, carried, none, packages; /* packages 0..n-1 are at that pickup point */
  uint32_t end, states;
  double f, t, e;
} world;

static world world_make(const double *value) {
  world w = {.n = (uint32_t)value[KEY_n], .f = value[KEY_f], .t = value[KEY_t], .e = value[KEY_e]};
  w.width = 2 * w.n - 1;
  w.corridor = w.n;
  w.room = 2 * w.n;
  w.delivery = w.room + ROOM_ROWS * w.width;
  w.cells = w.delivery + 1;
  w.waiting = w.n;
  w.carried = w.n + 1;
  w.none = w.n + 2;
  w.packages = w.n + 3;
  w.end = w.cells * w.packages;
  w.states = w.end + 1;
  return w;
}

static uint32_t room_cell(const world *w, uint32_t row, uint32_t column) {
  return w->room + row * w->width + column;
}

static uint32_t room_target(const world *w, uint32_t a, uint32_t cell) {
  uint32_t row = (cell - w->room) / w->width, column = (cell - w->room) % w->width;
  switch (a) {
    case UP:
      if (row > 0) return cell - w->width;
      return column % 2 == 0 ? w->corridor + column / 2 : cell;
    case DOWN:
      if (row < ROOM_ROWS - 1) return cell + w->width;
      return column == w->n - 1 ? w->delivery : cell;
    case LEFT: return column > 0 ? cell - 1 : cell;
    default:
      if (column < w->width - 1) return cell + 1;
      return row == MIDDLE ? OUTSIDE : cell;
  }
}

/* Where the move a leads to from the cell when it does not fail. */
static uint32_t target(const world *w, uint32_t a, uint32_t cell) {
  if (cell >= w->room && cell < w->delivery) return room_target(w, a, cell);
  if (a == LEFT || a == RIGHT) return cell;
  if (cell == w->delivery) return a == UP ? room_cell(w, ROOM_ROWS - 1, w->n - 1) : cell;
  if (cell >= w->corridor) return a == UP ? cell - w->corridor : room_cell(w, 0, 2 * (cell - w->corridor));
  return a == DOWN ? cell + w->corridor : cell;
}

static uint32_t walls(const world *w, uint32_t cell) {
  uint32_t count = 0;
  for (uint32_t a = 0; a < ACTIONS; a++) count += target(w, a, cell) == cell;
  return count;
}

/* The package goes to a uniform pickup point with t and waits with 1-t, all that with probability p while
 * the robot ends in `cell`. */
static void add_arrival(glimpse_builder *builder, const world *w, uint32_t a, uint32_t s, uint32_t cell, double p) {
  uint32_t first = cell * w->packages;
  if (w->t > 0)
    for (uint32_t i = 0; i < w->n; i++) glimpse_builder_transition(builder, a, s, first + i, p * (w->t / w->n));
  if (w->t < 1) glimpse_builder_transition(builder, a, s, first + w->waiting, p * (1 - w->t));
}

/* The robot ends in `cell` with probability p; a package that lies or is carried stays so. */
static void add_move(glimpse_builder *builder, const world *w, uint32_t a, uint32_t s, uint32_t cell, double p) {
  uint32_t package = s % w->packages;
  if (p <= 0) return;
  if (package == w->waiting) add_arrival(builder, w, a, s, cell, p);
  else glimpse_builder_transition(builder, a, s, cell * w->packages + package, p);
}

static void add_step(glimpse_builder *builder, const world *w, uint32_t a, uint32_t s) {
  uint32_t cell = s / w->packages, package = s % w->packages, to = target(w, a, cell);
  bool delivers = to == w->delivery && to != cell && package == w->carried;
  if (delivers || to == OUTSIDE) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  if (to == OUTSIDE) {
    glimpse_builder_transition(builder, a, s, w->end, 1);
  } else if (delivers) {
    if (w->e > 0) glimpse_builder_transition(builder, a, s, to * w->packages + w->none, w->e);
    if (w->e < 1) add_arrival(builder, w, a, s, to, 1 - w->e);
  } else if (a == UP && package < w->n && to == package) { /* pickup points and cells have the same numbers */
    glimpse_builder_transition(builder, a, s, to * w->packages + w->carried, 1);
  } else if (to == cell || to == w->delivery) {
    add_move(builder, w, a, s, to, 1);
  } else {
    add_move(builder, w, a, s, to, 1 - w->f);
    add_move(builder, w, a, s, cell, w->f);
  }
}

static void add_rules(glimpse_builder *builder, const world *w) {
  for (uint32_t cell = 0; cell < w->cells; cell++) {
    uint32_t around = walls(w, cell);
    for (uint32_t package = 0; package < w->packages; package++) {
      uint32_t s = cell * w->packages + package;
      for (uint32_t a = 0; a < ACTIONS; a++) {
        bool arrived = (a == UP && cell < w->corridor && package == w->carried) || (a == DOWN && cell == w->delivery);
        glimpse_builder_observation(builder, a, s, arrived ? ARRIVED : around, 1);
        add_step(builder, w, a, s);
      }
    }
  }
  glimpse_builder_transition(builder, GLIMPSE_ANY, w->end, w->end, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, w->end, 3, 1);
  uint32_t centre = room_cell(w, MIDDLE, w->n - 1);
  for (uint32_t i = 0; i < w->n; i++) glimpse_builder_start(builder, centre * w->packages + i, 1.0 / w->n);
}

/* pickup2, corridor2, row1col3, delivery; everything counted from 1. */
static void cell_name(const world *w, uint32_t cell, char name[NAME_SIZE]) {
  if (cell < w->corridor) {
    snprintf(name, NAME_SIZE, "pickup%u", (unsigned)(cell + 1));
  } else if (cell < w->room) {
    snprintf(name, NAME_SIZE, "corridor%u", (unsigned)(cell - w->corridor + 1));
  } else if (cell < w->delivery) {
    uint32_t i = cell - w->room;
    snprintf(name, NAME_SIZE, "row%ucol%u", (unsigned)(i / w->width + 1), (unsigned)(i % w->width + 1));
  } else {
    snprintf(name, NAME_SIZE, "delivery");
  }
}

static void add_names(glimpse_builder *builder, const world *w) {
  static const char *const actions[ACTIONS] = {"up", "down", "left", "right"};
  static const char *const observations[OBSERVATIONS] = {"walls0", "walls1", "walls2", "walls3", "arrived"};
  static const char *const packages[] = {"waiting", "carried", "none"};
  gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
  gli_environment_names(builder, GLIMPSE_OBSERVATION, observations, OBSERVATIONS);
  char cell[NAME_SIZE], name[2 * NAME_SIZE];
  for (uint32_t i = 0; i < w->cells; i++) {
    cell_name(w, i, cell);
    for (uint32_t package = 0; package < w->packages; package++) {
      if (package < w->n) snprintf(name, sizeof name, "%s-at%u", cell, (unsigned)(package + 1));
      else snprintf(name, sizeof name, "%s-%s", cell, packages[package - w->n]);
      glimpse_builder_name(builder, GLIMPSE_STATE, i * w->packages + package, name);
    }
  }
  glimpse_builder_name(builder, GLIMPSE_STATE, w->end, "end");
}

/* ---- how it looks ---- */

enum { ROWS = 8, FLOOR = 3, LAYERS = 2, CARRIED = 0, NONE = 1, PLACES }; /* FLOOR: the picture's row of the room */

typedef struct picture {
  char *background;
  uint32_t *cells;
  uint32_t columns;
} picture;

/* The place of a cell in the picture. */
static uint32_t place(const world *w, uint32_t columns, uint32_t cell) {
  if (cell < w->corridor) return columns + 2 * cell + 1;
  if (cell < w->room) return 2 * columns + 2 * (cell - w->corridor) + 1;
  if (cell == w->delivery) return (FLOOR + ROOM_ROWS) * columns + w->n;
  uint32_t i = cell - w->room;
  return (FLOOR + i / w->width) * columns + i % w->width + 1;
}

static bool picture_make(picture *p, const world *w) {
  p->columns = w->width + 2;
  p->background = GLI_NEW(char, (size_t)ROWS * p->columns + 1);
  p->cells = GLI_NEW(uint32_t, (size_t)LAYERS * w->states);
  if (!p->background || !p->cells) return false;
  uint32_t size = ROWS * p->columns, waiting = (FLOOR + MIDDLE) * p->columns, exit = waiting + p->columns - 1;
  for (uint32_t i = 0; i < size; i++) p->background[i] = '#';
  for (uint32_t cell = 0; cell < w->cells; cell++)
    p->background[place(w, p->columns, cell)] = cell < w->corridor ? 'o' : cell == w->delivery ? 'D' : ' ';
  p->background[waiting] = 'W';
  p->background[exit] = 'E';
  uint32_t *robot = p->cells, *package = p->cells + w->states;
  for (uint32_t s = 0; s < w->end; s++) {
    uint32_t what = s % w->packages;
    robot[s] = place(w, p->columns, s / w->packages);
    package[s] = what < w->n          ? place(w, p->columns, what)
                 : what == w->waiting ? waiting
                 : what == w->carried ? size + CARRIED
                                      : size + NONE;
  }
  robot[w->end] = exit;
  package[w->end] = size + NONE;
  return true;
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const names[LAYERS] = {"robot", "package"}, *const places[PLACES] = {"carried", "none"};
  *model = NULL;
  world w = world_make(value);
  picture p = {0};
  glimpse_status status;
  if (picture_make(&p, &w)) {
    glimpse_builder *builder = glimpse_builder_new(w.states, ACTIONS, OBSERVATIONS);
    if (builder) {
      glimpse_builder_discount(builder, value[KEY_gamma]);
      glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
      add_names(builder, &w);
      add_rules(builder, &w);
    }
    glimpse_scene scene = {.rows = ROWS,
                           .columns = p.columns,
                           .background = p.background,
                           .legend = "o pickup point, D delivery, E exit, W waiting area",
                           .layers = LAYERS,
                           .marks = "RP",
                           .names = names,
                           .cells = p.cells,
                           .places = PLACES,
                           .place_names = places};
    status = gli_environment_finish(builder, &scene, report, model);
  } else {
    status = GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  }
  gli_memory_free(p.background);
  gli_memory_free(p.cells);
  return status;
}

const gli_environment gli_environment_robot_delivery = {
    {"robot-delivery", "fetch packages from n corridors, deliver them, leave in time", shown}, ranges, make};
