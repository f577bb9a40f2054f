/* Normal: masses of the normal distribution, the same bits on every machine.
 *
 * erf and exp of the C library differ in their last bits between machines, so
 * everything here is made of +, -, *, / and ldexp.
 *
 * With T(z) = integral of exp(-t*t/2) from z to infinity, z >= 0,
 *
 *   T(z) exp(z*z/2) = M(z)                                    Mills' ratio
 *   M(z) = sqrt(pi/2) exp(z*z/2) - (z + z^3/3 + z^5/(3*5) + ...)    z < 2
 *   M(z) = 1/(z + 1/(z + 2/(z + 3/(z + ...))))                      z >= 2
 *
 * All terms of the series are positive; the difference loses one digit at z = 2,
 * where M is 0.42 and its parts are 9.  Behind 120 levels the fraction changes in
 * no digit.  Masses are taken relative to exp(-n*n/2), n being the nearest point of
 * the cut distribution to its mean, so that nothing underflows where the cut is a
 * thousand deviations away. */
#include "base/normal.h"

#include <math.h>

static const double half_log = 0.34657359027997264;                                   /* ln 2 / 2 */
static const double log_high = 0x1.62e42fefa0000p-1, log_low = 0x1.cf79abc9e3b3ap-40; /* their sum is ln 2 */
static const double root_half_pi = 1.2533141373155002512, root_two_pi = 2.5066282746310005024;

double gli_normal_decay(double x) {
  if (!(x < 708)) return 0;
  double n = floor((x + half_log) / (2 * half_log));
  double r = n * log_low - (x - n * log_high), sum = 1; /* exp(-x) = 2^-n exp(r), |r| < 0.35 */
  for (int i = 16; i > 0; i--) sum = 1 + r * sum / i;
  return ldexp(sum, -(int)n);
}

double gli_normal_mills(double z) {
  if (z >= 2) {
    double rest = z;
    for (int i = 120; i > 0; i--) rest = z + i / rest;
    return 1 / rest;
  }
  double term = z, sum = 0;
  for (int i = 3; sum + term > sum; i += 2) {
    sum += term;
    term *= z * z / i;
  }
  return root_half_pi / gli_normal_decay(z * z / 2) - sum;
}

/* exp(n*n/2) T(z), z >= n >= 0. */
static double tail(double z, double n) {
  return gli_normal_decay((z - n) * (z + n) / 2) * gli_normal_mills(z);
}

/* exp(n*n/2) times the mass of from..to, with no point of it nearer to 0 than n. */
static double mass(double from, double to, double n) {
  if (from >= 0) return tail(from, n) - tail(to, n);
  if (to <= 0) return tail(-to, n) - tail(-from, n);
  return root_two_pi - tail(-from, 0) - tail(to, 0); /* 0 lies inside: n is 0 */
}

double gli_normal_share(double mean, double sd, double low, double high, double from, double to) {
  double a = (low - mean) / sd, b = (high - mean) / sd;
  double x = ((from < low ? low : from) - mean) / sd, y = ((to > high ? high : to) - mean) / sd;
  double nearest = a > 0 ? a : b < 0 ? -b : 0;
  return x < y ? mass(x, y, nearest) / mass(a, b, nearest) : 0;
}
