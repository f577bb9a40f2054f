/* Decimal: exact conversion by whole numbers of any length.
 *
 * Reading.  With D the digits as one whole number, the value is D 5^p 2^p, the
 * quotient n / d of whole numbers (d = 1 or n = D).  Both are shifted until the
 * quotient has 63 or 64 bits; those bits and whether a remainder is left decide
 * the rounding exactly.  No double, and no point halfway between two, has more
 * than 767 significant digits, so of a longer text the first 800 count, and a
 * further digit 1 stands for "and something more".
 *
 * Writing.  Steele and White's and Dybvig's free-format algorithm: with v = r/s
 * and m/s the distance to the nearest point that reads back as a neighbour,
 * take digits of r/s until the rest, or what the rest lacks to the next digit,
 * lies within that distance.
 *
 * Whole numbers live on the stack; 4096 bits hold everything that occurs:
 * D < 10^801 and 5^1125 < 2^2613 in reading (with shifts below 2^2800), 10^325
 * and 2^1080, once each, in writing.  Cost: about (digits + |exponent|)^2 / 100
 * steps. */
#include "base/decimal.h"

#include <stddef.h>

enum { LIMBS = 128, DIGITS_KEPT = 800, SMALLEST_POWER = -324, LARGEST_POWER = 309 };

/* limb[0] is the lowest; limb[count - 1] is not 0. */
typedef struct big {
  int count;
  uint32_t limb[LIMBS];
} big;

static void set(big *n, uint64_t value) {
  n->count = 0;
  for (; value; value >>= 32) n->limb[n->count++] = (uint32_t)value;
}

static void multiply(big *n, uint32_t factor, uint32_t carry) {
  uint64_t sum = carry;
  for (int i = 0; i < n->count; i++) {
    sum += (uint64_t)n->limb[i] * factor;
    n->limb[i] = (uint32_t)sum;
    sum >>= 32;
  }
  if (sum) n->limb[n->count++] = (uint32_t)sum;
}

static void multiply_power_of_5(big *n, int power) {
  enum { STEP = 13 }; /* 5^13 < 2^32 */
  for (; power >= STEP; power -= STEP) multiply(n, 1220703125, 0);
  uint32_t rest = 1;
  while (power-- > 0) rest *= 5;
  multiply(n, rest, 0);
}

static void shift(big *n, int bits) {
  int limbs = bits / 32, small = bits % 32;
  if (small) multiply(n, UINT32_C(1) << small, 0);
  if (!limbs || !n->count) return;
  memmove(n->limb + limbs, n->limb, (size_t)n->count * sizeof *n->limb);
  memset(n->limb, 0, (size_t)limbs * sizeof *n->limb);
  n->count += limbs;
}

static int bit_length(const big *n) {
  return n->count ? 32 * n->count + 32 - gli_decimal_zeros(n->limb[n->count - 1]) : 0;
}

static int compare(const big *a, const big *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count; i-- > 0;) {
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  }
  return 0;
}

static void add(big *a, const big *b) {
  uint64_t sum = 0;
  for (int i = 0; i < b->count || sum; i++) {
    if (i == a->count) a->limb[a->count++] = 0;
    sum += (uint64_t)a->limb[i] + (i < b->count ? b->limb[i] : 0);
    a->limb[i] = (uint32_t)sum;
    sum >>= 32;
  }
}

/* n -= factor * d, which is not larger than n. */
static void subtract(big *n, const big *d, uint32_t factor) {
  uint64_t carry = 0, borrow = 0;
  for (int i = 0; i < d->count || carry || borrow; i++) {
    carry += i < d->count ? (uint64_t)d->limb[i] * factor : 0;
    uint64_t difference = (uint64_t)n->limb[i] - (uint32_t)carry - borrow;
    n->limb[i] = (uint32_t)difference;
    borrow = difference >> 63;
    carry >>= 32;
  }
  while (n->count && !n->limb[n->count - 1]) n->count--;
}

/* The whole part of n / d, which must be below 2^32; n becomes the remainder.
 * The highest bit of d's highest limb must be set: then the guess from the
 * highest limbs is never too large and at most 3 too small. */
static uint32_t divide(big *n, const big *d) {
  if (n->count < d->count) return 0;
  uint64_t head = n->limb[d->count - 1];
  if (n->count > d->count) head |= (uint64_t)n->limb[d->count] << 32;
  uint32_t quotient = (uint32_t)(head / ((uint64_t)d->limb[d->count - 1] + 1));
  subtract(n, d, quotient);
  while (compare(n, d) >= 0) {
    subtract(n, d, 1);
    quotient++;
  }
  return quotient;
}

/* The bits by which n must be shifted to fill its highest limb. */
static int slack(const big *n) {
  return 32 * n->count - bit_length(n);
}

/* ----------------------------------------------------------------- reading */

static void read_digits(big *n, const char *digits, const char *end, int64_t count) {
  uint32_t chunk = 0, scale = 1;
  set(n, 0);
  for (const char *c = digits; c < end && count > 0; c++) {
    if (*c == '.') continue;
    chunk = chunk * 10 + (uint32_t)(*c - '0');
    scale *= 10;
    count--;
    if (scale < 1000000000 && count > 0) continue;
    multiply(n, scale, chunk);
    chunk = 0;
    scale = 1;
  }
}

double gli_decimal_read(const char *digits, const char *end, int64_t power) {
  int64_t count = 0;
  bool more = false;
  for (const char *c = digits; c < end; c++) {
    if (*c == '.') continue;
    count++;
    if (count > DIGITS_KEPT && *c != '0') more = true;
  }
  /* 10^(count + power - 1) <= value < 10^(count + power) */
  if (power > LARGEST_POWER - count) return gli_decimal_double(UINT64_C(0x7ff) << 52);
  if (power <= SMALLEST_POWER - count) return 0;

  big n, d;
  int64_t kept = count < DIGITS_KEPT ? count : DIGITS_KEPT;
  read_digits(&n, digits, end, kept);
  power += count - kept;
  if (more) {
    multiply(&n, 10, 1);
    power--;
  }
  set(&d, 1);
  multiply_power_of_5(power < 0 ? &d : &n, (int)(power < 0 ? -power : power));

  /* A quotient between 2^30 and 2^32, then 32 more of its bits. */
  int exponent = (int)power - 32, room = slack(&d);
  shift(&d, room);
  exponent += room;
  int up = bit_length(&d) + 31 - bit_length(&n);
  if (up < 0) { /* only with a long D; shift d instead, by whole limbs to keep it normal */
    int limbs = (31 - up) / 32;
    shift(&d, 32 * limbs);
    exponent += 32 * limbs;
    up += 32 * limbs;
  }
  shift(&n, up);
  exponent -= up;
  uint64_t mantissa = (uint64_t)divide(&n, &d) << 32;
  shift(&n, 32);
  mantissa |= divide(&n, &d);
  return gli_decimal_round(mantissa, exponent, n.count != 0);
}

/* ----------------------------------------------------------------- writing */

/* r/s is the part of the value that is not written yet; what lies between
 * (r - below)/s and (r + above)/s reads back as the value, the ends too if it
 * has an even mantissa. */
typedef struct rest {
  big r, s, below;
  bool lopsided; /* above is twice below (a power of two), otherwise it is the same */
  bool even;
} rest;

/* Does the distance upwards reach one unit of s? */
static bool reaches_up(const rest *v) {
  big sum = v->r;
  add(&sum, &v->below);
  if (v->lopsided) add(&sum, &v->below);
  int order = compare(&sum, &v->s);
  return order > 0 || (order == 0 && v->even);
}

static bool reaches_down(const rest *v) {
  int order = compare(&v->r, &v->below);
  return order < 0 || (order == 0 && v->even);
}

/* Sets v so that r/s = value / 10^*point and the first digit is the first one
 * behind the point. */
static void start(rest *v, double value, int *point) {
  uint64_t mantissa;
  int exponent;
  gli_decimal_split(value, &mantissa, &exponent);
  v->even = !(mantissa & 1);
  v->lopsided = mantissa == UINT64_C(1) << 52 && exponent > -1074;
  int units = v->lopsided ? 2 : 1; /* below = 1 when the value's last bit is 2^units */
  int power = gli_decimal_log2(exponent + 63 - gli_decimal_zeros(mantissa)) + 1;
  set(&v->r, mantissa);
  set(&v->s, 1);
  set(&v->below, 1);
  multiply_power_of_5(&v->s, power > 0 ? power : 0);
  multiply_power_of_5(&v->r, power < 0 ? -power : 0);
  multiply_power_of_5(&v->below, power < 0 ? -power : 0);
  int up = exponent - power; /* the power of two that is still missing in r and below */
  shift(&v->r, units + (up > 0 ? up : 0));
  shift(&v->below, up > 0 ? up : 0);
  shift(&v->s, units + (up < 0 ? -up : 0));
  if (reaches_up(v)) { /* the power was one too small */
    multiply(&v->s, 10, 0);
    power++;
  }
  int room = slack(&v->s);
  shift(&v->s, room);
  shift(&v->r, room);
  shift(&v->below, room);
  *point = power;
}

int gli_decimal_write(double value, char digits[GLI_DECIMAL_DIGITS], int *point) {
  rest v;
  start(&v, value, point);
  int count = 0;
  for (;;) {
    multiply(&v.r, 10, 0);
    multiply(&v.below, 10, 0);
    uint32_t digit = divide(&v.r, &v.s);
    bool down = reaches_down(&v), up = reaches_up(&v);
    if (down && up) { /* both digits do: the nearer, or of two equally near the even one */
      big twice = v.r;
      add(&twice, &v.r);
      int order = compare(&twice, &v.s);
      up = order > 0 || (order == 0 && (digit & 1));
    }
    digits[count++] = (char)('0' + digit + up);
    if (down || up) return count;
  }
}
