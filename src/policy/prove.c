/* Prove: what a ceiling proves, found with plain code of its own.
 *
 * Every number, of a known state or of a point, is compared with its look ahead (ceiling.h).  Nothing is believed: the
 * model is read by its public accessors, beliefs are pushed forward here, and nothing is shared with the code that made
 * the ceiling.
 *
 * Measures instead of beliefs: U(k b) = k U(b) for k > 0 when it is read as a function of masses, so that nothing is
 * divided by the probability of an observation, P(o|b,a) U(tau(b,a,o)) = U(m_o) with m_o(s') = O(o|a,s') sum_s b(s)
 * T(s'|s,a).  Likewise a point whose stored masses sum to t stands for the number t U_i(a) at these masses.
 *
 * Rounding.  Let u = 2^-53, n the length of the longest sum, M the largest of all numbers and rewards, and let rows of
 * T and O sum to 1 within r.  In units of u M, up to second order:
 *
 *   m_o errs by n + 2 in each entry, and 2 r, which changes U by three times that;
 *   <m,u_a> errs by n + 1, the depth of a point, its number less <b_i,u_a>, by 2 n + 4;
 *   weight times depth, and adding it, by 7 more;
 *   the sum over observations errs by n + 1, R(b,a) by n + 3, dividing by t by n + 1.
 *
 * Together (9 n + 29) u M + 6 r M; twice that is allowed for.  Where asking is best its price is at most 2 M, or it
 * would not be best, and it errs by less.  Masses below TINY count as none where a weight is found: this makes U larger
 * and keeps all else far from where doubles lose precision.
 *
 * Cost: a number takes one push and, per observation, the points whose likeliest state the belief has, the deepest
 * first, until none can lower the bound more; a signature of the support tells most of those that are not inside.
 * What is found inside is remembered for the other actions, which go on where the last one stopped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "policy/ceiling.h"

#define UNIT 0x1p-53
/* Nothing is proved of numbers so large that a sum of them may overflow. */
#define MOST 1e300
#define TINY 1e-200

enum { BLOCK = 64 };   /* numbers that a worker checks in one go */
enum { INSIDE = 256 }; /* points inside a measure that are remembered */

typedef struct measure {
  size_t count;
  const uint32_t *state;
  const double *mass;
} measure;

typedef struct point {
  double ratio; /* its depth at most, for each unit of its likeliest state */
  uint64_t signature;
  double likeliest; /* mass of that state */
  size_t number;    /* in the ceiling */
  measure m;
} point;

typedef struct inside { /* a point in the measure that is looked at */
  size_t point;
  double weight; /* that it has there, or more if not `exact` */
  bool exact;
} inside;

typedef struct proof {
  const glimpse_model *model;
  const gli_ceiling *ceiling;
  uint32_t states, actions, observations;
  double *told; /* per state: what is had there when it is told, the price paid */
  bool asks;
  point *points;  /* those with the same likeliest state stand together */
  size_t *first;  /* per state: of the points of which it is the likeliest; one more */
  double *depth;  /* per point and action: t U_i(a) - <m_i,u_a>, or 0 */
  double largest; /* M */
  size_t longest; /* n */
  double off;     /* r */
  double worst;   /* excess of the numbers that were checked, without rounding */
  bool failed;    /* out of memory */
  /* Scratch: each worker has a proof of its own, which shares all above with the others and has its own n and below. */
  double *present; /* per state, 0 between uses: the measure that is looked at */
  double *sum;     /* per action */
  double *pushed;  /* per state, 0 between uses */
  uint32_t *reached;
  size_t *place; /* per observation: where its measure begins; one more */
  size_t *next;  /* per entry of the measure that is looked at: the first of its points that nobody looked at */
  inside *met;   /* of those that somebody did */
  size_t met_count;
  uint32_t *state;
  double *mass;
  size_t state_capacity, mass_capacity;
} proof;

/* ------------------------------------------------------------------ the data */

static void note(proof *p, double value) {
  p->largest = fmax(p->largest, fabs(value));
}

static void note_length(proof *p, size_t count) {
  p->longest = count > p->longest ? count : p->longest;
}

static double total_of(measure m) {
  double total = 0;
  for (size_t i = 0; i < m.count; i++) total += m.mass[i];
  return total;
}

static measure measure_of(glimpse_row row) {
  return (measure){row.count, row.index, row.value};
}

/* States ascend and exist, masses are positive and not extreme. */
static bool is_measure(const proof *p, measure m) {
  for (size_t i = 0; i < m.count; i++)
    if (m.state[i] >= p->states || (i && m.state[i] <= m.state[i - 1]) || !(m.mass[i] > 0 && m.mass[i] < 2))
      return false;
  double total = total_of(m);
  return total > 0.5 && total < 2;
}

static void look_at_row(proof *p, glimpse_row row) {
  p->off = fmax(p->off, fabs(total_of(measure_of(row)) - 1) + (double)row.count * UNIT);
  note_length(p, row.count);
}

static void look_at_model(proof *p) {
  for (uint32_t a = 0; a < p->actions; a++)
    for (uint32_t s = 0; s < p->states; s++) {
      look_at_row(p, glimpse_model_transition(p->model, a, s));
      look_at_row(p, glimpse_model_observation(p->model, a, s));
      note(p, glimpse_model_reward(p->model, a, s));
    }
  note_length(p, p->observations);
}

/* False: a number is missing, or none. */
static bool look_at_corners(proof *p) {
  for (uint32_t s = 0; s < p->states; s++) {
    const double *corner = p->ceiling->corner + (size_t)s * p->actions;
    double best = -INFINITY, price = glimpse_model_terminal(p->model, s) ? 0 : glimpse_model_cost(p->model, s);
    for (uint32_t a = 0; a < p->actions; a++) {
      if (!isfinite(corner[a])) return false;
      note(p, corner[a]);
      best = fmax(best, corner[a]);
    }
    p->told[s] = best - price;
  }
  return true;
}

static uint64_t signature_of(measure m) {
  uint64_t signature = 0;
  for (size_t i = 0; i < m.count; i++) signature |= (uint64_t)1 << m.state[i] % 64;
  return signature;
}

static void sum_up(proof *p, measure m, double *sum) {
  for (uint32_t a = 0; a < p->actions; a++) sum[a] = 0;
  for (size_t i = 0; i < m.count; i++) {
    const double *corner = p->ceiling->corner + (size_t)m.state[i] * p->actions;
    for (uint32_t a = 0; a < p->actions; a++) sum[a] += m.mass[i] * corner[a];
  }
}

static size_t likeliest_of(measure m) {
  size_t best = 0;
  for (size_t k = 1; k < m.count; k++) best = m.mass[k] > m.mass[best] ? k : best;
  return best;
}

/* The depths of a point.  False: it has no number where it says so. */
static bool look_at_point(proof *p, const point *here, double *depth) {
  const double *value = p->ceiling->value + here->number * p->actions;
  double total = total_of(here->m);
  note_length(p, here->m.count);
  sum_up(p, here->m, p->sum);
  for (uint32_t a = 0; a < p->actions; a++) {
    depth[a] = 0;
    if (value[a] == INFINITY) continue;
    if (!isfinite(value[a])) return false;
    note(p, value[a]);
    depth[a] = fmin(0, total * value[a] - p->sum[a]);
  }
  return true;
}

static int deepest_first(const void *x, const void *y) {
  const point *one = x, *two = y;
  if (one->ratio != two->ratio) return one->ratio < two->ratio ? -1 : 1;
  return one->number < two->number ? -1 : one->number > two->number;
}

/* Puts points in their places and looks at them.  False: one is none. */
static bool look_at_points(proof *p) {
  size_t points = p->ceiling->points, *first = p->first;
  for (size_t i = 0; i < points; i++) {
    measure m = measure_of(gli_ceiling_point(p->ceiling, i));
    if (!is_measure(p, m)) return false;
    first[m.state[likeliest_of(m)] + 1]++;
  }
  for (uint32_t s = 0; s < p->states; s++) first[s + 1] += first[s];
  for (size_t i = 0; i < points; i++) {
    measure m = measure_of(gli_ceiling_point(p->ceiling, i));
    size_t likeliest = likeliest_of(m);
    point *here = &p->points[first[m.state[likeliest]]++];
    *here = (point){.m = m, .number = i, .signature = signature_of(m), .likeliest = m.mass[likeliest]};
    if (!look_at_point(p, here, p->depth)) return false; /* which is written anew below */
    for (uint32_t a = 0; a < p->actions; a++) here->ratio = fmin(here->ratio, p->depth[a] / here->likeliest);
  }
  memmove(first + 1, first, p->states * sizeof *first); /* placing moved each first to its end */
  first[0] = 0;
  for (uint32_t s = 0; s < p->states; s++)
    if (first[s + 1] > first[s]) qsort(p->points + first[s], first[s + 1] - first[s], sizeof *p->points, deepest_first);
  for (size_t i = 0; i < points; i++)
    if (!look_at_point(p, &p->points[i], p->depth + i * p->actions)) return false;
  return true;
}

/* ------------------------------------------------------------ the upper function */

/* What asking is worth at a measure. */
static double ask_at(const proof *p, measure m) {
  if (!p->asks) return -INFINITY;
  double value = 0;
  for (size_t i = 0; i < m.count; i++) value += m.mass[i] * p->told[m.state[i]];
  return value;
}

/* What U is at a measure without points; the sums <m,u_a> are left in p->sum. */
static double value_by_corners(proof *p, measure m, double ask) {
  double best = ask;
  sum_up(p, m, p->sum);
  for (uint32_t a = 0; a < p->actions; a++) best = p->sum[a] > best ? p->sum[a] : best;
  return best;
}

/* How much of a point there is in the measure in p->present, or more of what is `enough` at most. */
static void weigh(const proof *p, inside *at, double enough) {
  measure m = p->points[at->point].m;
  for (size_t k = 0; k < m.count; k++) {
    double there = p->present[m.state[k]];
    if (there >= at->weight * m.mass[k]) continue;
    at->weight = there < TINY ? 0 : there / m.mass[k];
    if (at->weight <= enough) return;
  }
  at->exact = true;
}

/* What the bound of action a falls by, which was `down`, by a point inside the measure in p->present. */
static double deepen(const proof *p, inside *at, uint32_t a, double down) {
  double depth = p->depth[at->point * p->actions + a];
  if (at->weight * depth >= down) return down;
  if (!at->exact) weigh(p, at, down / depth);
  double there = at->weight * depth;
  return there < down && at->exact ? there : down;
}

/* Looks at points of entry i that nobody looked at, as long as they may be deeper than `down`. */
static double deepen_by(proof *p, measure m, size_t i, uint64_t outside, uint32_t a, double down) {
  size_t end = p->first[m.state[i] + 1];
  bool room = true;
  for (size_t k = p->next[i]; k < end && m.mass[i] * p->points[k].ratio < down; k++) {
    if (!(p->points[k].signature & outside)) {
      inside at = {k, m.mass[i] / p->points[k].likeliest, false};
      room = room && p->met_count < INSIDE;
      down = deepen(p, &at, a, down);
      if (room) p->met[p->met_count++] = at;
    }
    if (room) p->next[i] = k + 1;
  }
  return down;
}

/* U_a at the measure in p->present, or something larger that is not above `enough`. */
static double lower(proof *p, measure m, size_t likeliest, uint64_t outside, uint32_t a, double enough) {
  double down = 0, sum = p->sum[a];
  for (size_t i = 0; i < p->met_count; i++) down = deepen(p, &p->met[i], a, down);
  for (size_t i = 0; i < m.count && sum + down > enough; i++) /* the likeliest first, which has the deepest */
    down = deepen_by(p, m, i ? i - (i <= likeliest) : likeliest, outside, a, down);
  return sum + down > enough ? sum + down : enough;
}

static double value_at(proof *p, measure m) {
  double best = ask_at(p, m);
  if (!(value_by_corners(p, m, best) > best)) return best; /* points cannot lower what asking gives */
  p->met_count = 0;
  for (size_t i = 0; i < m.count; i++) {
    p->present[m.state[i]] = m.mass[i];
    p->next[i] = p->first[m.state[i]];
  }
  uint64_t outside = ~signature_of(m);
  size_t likeliest = likeliest_of(m);
  for (;;) { /* actions, the most promising first, as long as one may be better */
    uint32_t next = 0;
    for (uint32_t a = 1; a < p->actions; a++) next = p->sum[a] > p->sum[next] ? a : next;
    if (p->sum[next] <= best) break;
    best = fmax(best, lower(p, m, likeliest, outside, next, best));
    p->sum[next] = -INFINITY;
  }
  for (size_t i = 0; i < m.count; i++) p->present[m.state[i]] = 0;
  return best;
}

/* --------------------------------------------------------------- looking ahead */

/* Masses of the states reached by action a, into p->pushed and p->reached; how many. */
static size_t push(proof *p, measure m, uint32_t a) {
  size_t count = 0;
  for (size_t i = 0; i < m.count; i++) {
    glimpse_row next = glimpse_model_transition(p->model, a, m.state[i]);
    for (size_t k = 0; k < next.count; k++) {
      double *there = &p->pushed[next.index[k]], mass = m.mass[i] * next.value[k];
      if (mass == 0) continue; /* too small for a double, which nothing below would notice */
      if (*there == 0) p->reached[count++] = next.index[k];
      *there += mass;
    }
  }
  note_length(p, count);
  return count;
}

/* The measures m_o of all observations, one after the other.  False: out of memory. */
static bool observe(proof *p, size_t count, uint32_t a) {
  size_t *place = p->place;
  memset(place, 0, ((size_t)p->observations + 1) * sizeof *place);
  for (size_t i = 0; i < count; i++) {
    glimpse_row shown = glimpse_model_observation(p->model, a, p->reached[i]);
    for (size_t k = 0; k < shown.count; k++) place[shown.index[k] + 1]++;
  }
  for (uint32_t o = 0; o < p->observations; o++) place[o + 1] += place[o];
  size_t total = place[p->observations];
  bool room = GLI_GROW(p->state, p->state_capacity, total) && GLI_GROW(p->mass, p->mass_capacity, total);
  for (size_t i = 0; i < count; i++) {
    uint32_t s = p->reached[i];
    glimpse_row shown = glimpse_model_observation(p->model, a, s);
    for (size_t k = 0; room && k < shown.count; k++) {
      size_t at = place[shown.index[k]]++;
      p->state[at] = s;
      p->mass[at] = p->pushed[s] * shown.value[k];
    }
    p->pushed[s] = 0;
  }
  memmove(place + 1, place, p->observations * sizeof *place); /* filling moved each begin to its end */
  place[0] = 0;
  return room;
}

static measure seen(const proof *p, uint32_t o) {
  size_t first = p->place[o];
  return (measure){p->place[o + 1] - first, p->state + first, p->mass + first};
}

/* By how much `number` is below the look ahead of action a at a measure; not told exactly where it is no more than
 * `known`.  False: out of memory. */
static bool check(proof *p, measure m, uint32_t a, double number, double known, double *excess) {
  double reward = 0, total = total_of(m), discount = glimpse_model_discount(p->model);
  for (size_t i = 0; i < m.count; i++) reward += m.mass[i] * glimpse_model_reward(p->model, a, m.state[i]);
  if (!observe(p, push(p, m, a), a)) return false;
  double later = 0;
  for (uint32_t o = 0; o < p->observations; o++)
    if (seen(p, o).count) later += value_by_corners(p, seen(p, o), ask_at(p, seen(p, o)));
  *excess = (reward + discount * later) / total - number;
  if (*excess <= known) return true;
  later = 0;
  for (uint32_t o = 0; o < p->observations; o++)
    if (seen(p, o).count) later += value_at(p, seen(p, o));
  *excess = (reward + discount * later) / total - number;
  return true;
}

/* Checks some of all numbers: those of known states, then those of points. */
static void check_some(void *context, size_t first, size_t last, unsigned worker) {
  proof *p = (proof *)context + worker;
  size_t corners = (size_t)p->states * p->actions;
  for (size_t i = first; i < last && !p->failed; i++) {
    uint32_t s = (uint32_t)(i / p->actions), a = (uint32_t)(i % p->actions);
    double one = 1, excess, number = i < corners ? p->ceiling->corner[i] : p->ceiling->value[i - corners];
    if (number == INFINITY) continue;
    measure m = i < corners ? (measure){1, &s, &one} : measure_of(gli_ceiling_point(p->ceiling, s - p->states));
    if (check(p, m, a, number, p->worst, &excess)) p->worst = isnan(excess) ? INFINITY : fmax(p->worst, excess);
    else p->failed = true;
  }
}

/* ------------------------------------------------------------------- the proof */

static void stop_scratch(proof *p) {
  void *all[] = {p->present, p->sum, p->pushed, p->reached, p->place, p->state, p->mass, p->next, p->met};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

static bool begin_scratch(proof *p) {
  p->present = GLI_NEW(double, p->states);
  p->sum = GLI_NEW(double, p->actions);
  p->pushed = GLI_NEW(double, p->states);
  p->reached = GLI_NEW(uint32_t, p->states);
  p->place = GLI_NEW(size_t, (size_t)p->observations + 1);
  p->next = GLI_NEW(size_t, p->states);
  p->met = GLI_NEW(inside, INSIDE);
  return p->present && p->sum && p->pushed && p->reached && p->place && p->next && p->met;
}

static void stop(proof *p) {
  void *all[] = {p->told, p->points, p->first, p->depth};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  stop_scratch(p);
}

static bool begin(proof *p) {
  size_t points = p->ceiling->points;
  p->told = GLI_NEW(double, p->states);
  p->points = GLI_NEW(point, points);
  p->first = GLI_NEW(size_t, (size_t)p->states + 1);
  p->depth = GLI_NEW(double, points * p->actions);
  return begin_scratch(p) && p->told && p->points && p->first && p->depth;
}

/* The largest excess of all numbers, without rounding, into p->worst: the same however many workers there are, for what
 * one does not find out exactly is not the largest.  False: out of memory. */
static bool check_all(proof *p, unsigned jobs) {
  gli_parallel *pool = jobs > 1 ? gli_parallel_new(jobs) : NULL; /* without it goes on alone */
  unsigned workers = gli_parallel_threads(pool);
  proof *all = GLI_NEW(proof, workers);
  bool done = all != NULL;
  for (unsigned i = 0; all && i < workers; i++) {
    all[i] = *p;
    all[i].present = all[i].sum = all[i].pushed = all[i].mass = NULL;
    all[i].reached = all[i].state = NULL;
    all[i].place = all[i].next = NULL;
    all[i].met = NULL;
    all[i].state_capacity = all[i].mass_capacity = 0;
    done = begin_scratch(&all[i]) && done;
  }
  size_t numbers = ((size_t)p->states + p->ceiling->points) * p->actions;
  if (done) gli_parallel_run(pool, numbers, BLOCK, check_some, all);
  for (unsigned i = 0; all && i < workers; i++) {
    done = done && !all[i].failed;
    p->worst = fmax(p->worst, all[i].worst);
    note_length(p, all[i].longest);
    stop_scratch(&all[i]);
  }
  gli_memory_free(all);
  gli_parallel_free(pool);
  return done;
}

static uint64_t count_numbers(const gli_ceiling *ceiling) {
  uint64_t count = (uint64_t)ceiling->states * ceiling->actions;
  for (size_t i = 0; i < ceiling->points * ceiling->actions; i++) count += ceiling->value[i] != INFINITY;
  return count;
}

/* False: the ceiling is none. */
static bool look_at_all(proof *p, glimpse_row start) {
  const gli_ceiling *ceiling = p->ceiling;
  if (ceiling->states != p->states || ceiling->actions != p->actions) return false;
  look_at_model(p);
  if (!is_measure(p, measure_of(start)) || !look_at_corners(p)) return false;
  note_length(p, start.count);
  return look_at_points(p) && glimpse_model_discount(p->model) < 1 && p->largest < MOST;
}

/* What rounding changes of a number or of U, at most. */
static double rounding_of(const proof *p) {
  return p->largest * ((18 * (double)p->longest + 58) * UNIT + 12 * p->off);
}

/* By how much U may be below the value. */
static double rise_of(const proof *p) {
  double rounding = rounding_of(p), excess = p->worst + rounding;
  return excess / (1 - glimpse_model_discount(p->model)) + rounding;
}

/* What is proved of the value at a measure. */
static double upper_at(proof *p, measure m) {
  double upper = value_at(p, m) / total_of(m), more = rise_of(p);
  return upper + more + 8 * UNIT * (fabs(upper) + more);
}

bool gli_ceiling_prove(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, gli_proved *proved) {
  return gli_ceiling_prove_by(ceiling, model, start, 1, proved);
}

/* Leaves in p what tells the upper bound at any belief.  False: out of memory. */
static bool prove(proof *p, const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, unsigned jobs,
                  gli_proved *proved) {
  *proved = (gli_proved){.excess = INFINITY, .upper = INFINITY};
  *p = (proof){.model = model,
               .ceiling = ceiling,
               .states = glimpse_model_count(model, GLIMPSE_STATE),
               .actions = glimpse_model_count(model, GLIMPSE_ACTION),
               .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION),
               .asks = glimpse_model_requests(model)};
  if (!begin(p)) return false;
  if (!look_at_all(p, start)) return true;
  if (!check_all(p, jobs)) return false;
  proved->numbers = count_numbers(ceiling);
  proved->excess = p->worst + rounding_of(p);
  proved->upper = upper_at(p, measure_of(start));
  return true;
}

bool gli_ceiling_prove_by(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, unsigned jobs,
                          gli_proved *proved) {
  proof p;
  bool done = prove(&p, ceiling, model, start, jobs, proved);
  stop(&p);
  return done;
}

struct gli_proof {
  proof p;
  gli_proved proved;
};

gli_proof *gli_proof_new(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start,
                         gli_proved *proved) {
  gli_proof *it = GLI_NEW(gli_proof, 1);
  if (it && prove(&it->p, ceiling, model, start, 1, &it->proved)) {
    *proved = it->proved;
    return it;
  }
  gli_proof_free(it);
  return NULL;
}

void gli_proof_free(gli_proof *it) {
  if (it) stop(&it->p);
  gli_memory_free(it);
}

double gli_proof_upper(gli_proof *it, glimpse_row belief) {
  measure m = measure_of(belief);
  if (!isfinite(it->proved.excess) || !is_measure(&it->p, m)) return INFINITY;
  note_length(&it->p, m.count);
  return upper_at(&it->p, m);
}
