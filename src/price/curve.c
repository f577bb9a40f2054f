/* Curve: bounds on a convex function f that does not rise, of which only intervals at some places are known.
 *
 * Three facts do all the work.
 *  - It does not rise: what bounds f from above at a bounds it from above to the right of a; from below, to the left.
 *  - A chord lies above: between a and b, f is at most the line through (a, high(a)) and (b, high(b)).
 *  - A tangent lies below.  The fall of f (its slope without the sign) at a is at most (f(l) - f(a)) / (a - l) for each
 *    l < a, and at least (f(a) - f(r)) / (r - a) for each r > a.  With [low, high] for f this gives fall(a), an
 * interval that contains all slopes at a, also where f has a kink.  To the right of a, f is at least low(a) -
 * fall.high(a) * distance; to the left, at least low(a) + fall.low(a) * distance. Between two neighbours the function
 * therefore lies in a triangle (if its ends are known exactly).  Its corner, where the two tangents meet, is where
 * least is known; if f has one kink there, it is that corner.
 *
 * Everything is rounded outwards.  Cost: the square of the number of places. */
#include "price/curve.h"

enum { ROUNDS = 3 };

static double distance_up(double from, double to) {
  return gli_up(to - from);
}

static double distance_down(double from, double to) {
  return fmax(gli_down(to - from), 0);
}

/* The chord from a to b, not below it. */
static double chord(const gli_place *a, const gli_place *b, double at) {
  double fall = a->value.high - b->value.high;
  if (!(fall > 0)) return a->value.high;
  double share = gli_down(distance_down(a->at, at) / distance_up(a->at, b->at));
  return gli_up(a->value.high - gli_down(fmax(share, 0) * gli_down(fall)));
}

static double below_from_left(const gli_place *a, double at) {
  return gli_line_down(a->value.low, -a->fall.high, distance_up(a->at, at));
}

static double below_from_right(const gli_place *b, double at) {
  return gli_line_down(b->value.low, b->fall.low, distance_down(at, b->at));
}

/* The slopes at a place with this value, which need not be among those of the curve. */
static glimpse_interval falls_at(const gli_curve *curve, double at, glimpse_interval value) {
  double least = 0, most = at > curve->flat ? 0 : curve->steepest;
  for (size_t k = 0; k < curve->count; k++) {
    const gli_place *other = &curve->places[k];
    if (other->at < at) {
      double fall = fmax(gli_up(other->value.high - value.low), 0);
      most = fmin(most, gli_up(fall / distance_down(other->at, at)));
    } else if (other->at > at) {
      double fall = gli_down(value.low - other->value.high);
      if (fall > 0) least = fmax(least, gli_down(fall / distance_up(at, other->at)));
    }
  }
  return (glimpse_interval){fmin(least, most), most};
}

static void find_falls(gli_curve *curve) {
  for (size_t i = 0; i < curve->count; i++)
    curve->places[i].fall = falls_at(curve, curve->places[i].at, curve->places[i].value);
}

/* Not above the chord of any two places around it.  From left to right it is enough to look at the place before, which
 * is not above any chord itself, and at each one behind. */
static void lower_highs(gli_curve *curve) {
  gli_place *places = curve->places;
  for (size_t i = 1; i < curve->count; i++) places[i].value.high = fmin(places[i].value.high, places[i - 1].value.high);
  for (size_t i = 1; i + 1 < curve->count; i++)
    for (size_t k = i + 1; k < curve->count; k++)
      places[i].value.high = fmin(places[i].value.high, chord(&places[i - 1], &places[k], places[i].at));
}

static void raise_lows(gli_curve *curve) {
  gli_place *places = curve->places;
  for (size_t i = curve->count; i-- > 1;)
    places[i - 1].value.low = fmax(places[i - 1].value.low, below_from_right(&places[i], places[i - 1].at));
  for (size_t i = 1; i < curve->count; i++)
    places[i].value.low = fmax(places[i].value.low, below_from_left(&places[i - 1], places[i].at));
}

void gli_curve_tighten(gli_curve *curve) {
  for (int round = 0; round < ROUNDS; round++) {
    lower_highs(curve);
    find_falls(curve);
    raise_lows(curve);
  }
  find_falls(curve);
}

/* Lines below the curve between place i and the next, and above it, as values at the two ends: the first tangent, the
 * second, the chord. */
typedef struct frame {
  double from, to;
  double left[2], right[2], above[2];
} frame;

static frame frame_of(const gli_curve *curve, size_t i) {
  const gli_place *a = &curve->places[i], *b = a + 1;
  return (frame){a->at,
                 b->at,
                 {a->value.low, below_from_left(a, b->at)},
                 {below_from_right(b, a->at), b->value.low},
                 {a->value.high, b->value.high}};
}

/* Where the line with these values at the ends of the frame is zero, as a share of its length; for values of opposite
 * signs. */
static double zero_of(double first, double last) {
  return first / (first - last);
}

double gli_curve_doubt(const gli_curve *curve, size_t i, double *at) {
  frame f = frame_of(curve, i);
  double before = f.left[0] - f.right[0], after = f.left[1] - f.right[1];
  double share = before > 0 && after < 0 ? zero_of(before, after) : 0.5;
  *at = f.from + share * (f.to - f.from);
  glimpse_interval here = gli_curve_value(curve, *at);
  double ends =
      (1 - share) * (f.above[0] - curve->places[i].value.low) + share * (f.above[1] - curve->places[i + 1].value.low);
  return here.high - here.low - ends;
}

glimpse_interval gli_curve_value(const gli_curve *curve, double at) {
  const gli_place *places = curve->places;
  size_t i = 0;
  while (i + 1 < curve->count && places[i + 1].at <= at) i++;
  glimpse_interval value = {below_from_left(&places[i], at), places[i].value.high};
  if (!(places[i].at < at)) return places[i].value;
  if (i + 1 == curve->count) {
    value.low = fmax(value.low, places[i].at >= curve->flat ? places[i].value.low : curve->floor);
    return value;
  }
  value.low = fmax(fmax(value.low, places[i + 1].value.low), below_from_right(&places[i + 1], at));
  value.high = chord(&places[i], &places[i + 1], at);
  return value;
}

/* Slopes do not rise from left to right. */
gli_place gli_curve_at(const gli_curve *curve, double at) {
  gli_place here = {.at = at, .value = gli_curve_value(curve, at)};
  here.fall = falls_at(curve, at, here.value);
  for (size_t i = 0; i < curve->count; i++) {
    const gli_place *other = &curve->places[i];
    if (other->at < at) here.fall.high = fmin(here.fall.high, other->fall.high);
    if (other->at > at) here.fall.low = fmax(here.fall.low, other->fall.low);
  }
  return here;
}

/* The share of the frame up to which a line with these values at its ends is not above zero, and 1 if it never is. */
static double not_above(double first, double last) {
  if (first > 0) return 0;
  return last > 0 ? zero_of(first, last) : 1;
}

static double place_at(const frame *f, double share, bool down) {
  if (share <= 0) return f->from;
  if (share >= 1) return f->to;
  double at = f->from + share * (f->to - f->from), slack = 4 * (fabs(f->from) + fabs(f->to)) * 1.2e-16;
  return fmin(fmax(down ? at - slack : at + slack, f->from), f->to);
}

/* The difference is at most the chord of the one minus either tangent of the other, two lines: from the start of the
 * frame one of them has to be at most `most`, and where it ends to be, the other. */
static bool proved_small(const frame *one, const frame *other, double most, double *upto) {
  double left[2], right[2];
  for (int e = 0; e < 2; e++) {
    left[e] = gli_up(gli_up(one->above[e] - other->left[e]) - most);
    right[e] = gli_up(gli_up(one->above[e] - other->right[e]) - most);
  }
  double share = fmax(not_above(left[0], left[1]), not_above(right[0], right[1]));
  *upto = place_at(one, share, true);
  for (int side = 0; side < 2; side++) {
    const double *line = side ? right : left;
    if (line[0] > 0 && !(line[1] > 0) && place_at(one, zero_of(line[0], line[1]), false) <= *upto) *upto = one->to;
  }
  return *upto >= one->to;
}

/* The difference is at least either tangent of the one minus the chord of the other: where the first suffices. */
static bool proved_large(const frame *one, const frame *other, double most, double *from) {
  double best = INFINITY;
  for (int side = 0; side < 2; side++) {
    const double *below = side ? one->right : one->left;
    double first = gli_down(gli_down(below[0] - other->above[0]) - most);
    double last = gli_down(gli_down(below[1] - other->above[1]) - most);
    if (first > 0) best = 0;
    else if (last > 0) best = fmin(best, zero_of(first, last));
  }
  if (best > 1) return false;
  *from = place_at(one, best, false);
  return true;
}

glimpse_interval gli_curve_part(const gli_curve *one, const gli_curve *other, double most) {
  glimpse_interval part = {one->places[0].at, INFINITY};
  bool small = true;
  for (size_t i = 0; i + 1 < one->count; i++) {
    frame f = frame_of(one, i), g = frame_of(other, i);
    if (small) small = proved_small(&f, &g, most, &part.low);
    if (proved_large(&f, &g, most, &part.high)) break;
  }
  part.low = fmin(part.low, part.high);
  return part;
}

glimpse_interval gli_curve_reach(const gli_curve *curve, glimpse_interval level) {
  const gli_place *places = curve->places;
  glimpse_interval reach = {places[0].at, INFINITY};
  if (places[0].value.high <= level.low) reach.high = places[0].at;
  for (size_t i = 0; i + 1 < curve->count; i++) {
    frame f = frame_of(curve, i);
    for (int side = 0; side < 2; side++) {
      const double *below = side ? f.right : f.left;
      double first = gli_down(below[0] - level.high), last = gli_down(below[1] - level.high);
      if (first > 0) reach.low = fmax(reach.low, place_at(&f, last > 0 ? 1 : zero_of(first, last), true));
    }
    double first = gli_up(f.above[0] - level.low), last = gli_up(f.above[1] - level.low);
    if (first > 0 && last <= 0) reach.high = fmin(reach.high, place_at(&f, zero_of(first, last), false));
  }
  reach.low = fmin(reach.low, reach.high);
  return reach;
}
