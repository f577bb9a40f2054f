/* Certified: values of the benchmarks of neighbouring settings, found before by other programs, lie in our intervals,
 * which are narrower than 1e-4 (relative to the scale of the rewards).  Each was computed by a program of its own or
 * by strings of actions; `digits` is how many of them are known.  Covers src/environments/environment_finish.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/planning.h"

typedef struct certified {
  const char *spec;
  double low, high; /* the value is in between, roundings of the source included */
  double scale;     /* of the rewards: a gap of 1e-4 of it is asked for */
} certified;

#define VALUE(x, unit) (x) - (unit) / 2, (x) + (unit) / 2

static const certified table[] = {
    {"loss", VALUE(0.86943, 1e-5), 1},
    {"loss:c=0.1", VALUE(0.81147, 1e-5), 1},
    {"loss:c=0.15", VALUE(0.76, 1e-9), 1},
    {"loss:c=0.2", VALUE(0.76, 1e-9), 1},
    {"frozen-lake:size=4,kind=det", VALUE(0.77378, 1e-5), 1},
    {"frozen-lake:size=4,kind=semi", VALUE(0.685244, 1e-6), 1},
    {"frozen-lake:size=4,kind=slippery", 0.038447, 0.038457, 1},
    {"frozen-lake:size=8,kind=semi", VALUE(0.594189, 1e-6), 1},
    {"frozen-lake:size=4,kind=det,gamma=0.99", VALUE(0.95099, 1e-5), 1},
    {"frozen-lake:size=4,kind=semi,gamma=0.99", VALUE(0.85307, 1e-5), 1},
    {"frozen-lake:size=4,kind=slippery,gamma=0.99", 0.05869, 0.05877, 1},
    {"frozen-lake:size=8,kind=semi,gamma=0.99", VALUE(0.89635, 1e-5), 1},
    {"frozen-lake:size=4,kind=semi,gamma=0.999", VALUE(0.895211, 1e-6), 1},
    {"frozen-lake:size=4,kind=semi,gamma=0.9999", 0.8995195, 0.8995295, 1},
    {"frozen-lake:size=4,kind=slippery,gamma=0.9999", 0.06559, 0.06568, 1},
    /* four digits, of intervals of up to 1e-4 */
    {"frozen-lake:size=8,seed=0", VALUE(0.4875, 2e-4), 1},
    {"frozen-lake:size=8,seed=1", VALUE(0.5931, 2e-4), 1},
    {"frozen-lake:size=8,seed=2", VALUE(0.6039, 2e-4), 1},
    {"frozen-lake:size=8,seed=3", VALUE(0.6038, 2e-4), 1},
    {"frozen-lake:size=8,seed=4", VALUE(0.5863, 2e-4), 1},
    {"frozen-lake:size=10,seed=0", VALUE(0.2453, 2e-4), 1},
    {"frozen-lake:size=10,seed=1", VALUE(0.4168, 2e-4), 1},
    {"frozen-lake:size=10,seed=2", VALUE(0.4710, 2e-4), 1},
    {"frozen-lake:size=10,seed=3", VALUE(0.4786, 2e-4), 1},
    {"frozen-lake:size=10,seed=4", VALUE(0.2042, 2e-4), 1},
    {"frozen-lake:size=12,seed=0", VALUE(0.320778, 1e-6), 1},
    {"frozen-lake:size=12,seed=1", VALUE(0.2749, 2e-4), 1},
    {"frozen-lake:size=12,seed=2", VALUE(0.3450, 2e-4), 1},
    {"frozen-lake:size=12,seed=3", VALUE(0.3402, 2e-4), 1},
    {"frozen-lake:size=12,seed=4", VALUE(0.3206, 2e-4), 1},
    {"frozen-lake:size=12,seed=0,gamma=0.99", VALUE(0.710698, 1e-5), 1},
    {"frozen-lake:size=16,seed=0", VALUE(0.1460, 2e-4), 1},
    {"frozen-lake:size=16,seed=1", VALUE(0.0551, 2e-4), 1},
    {"frozen-lake:size=16,seed=2", VALUE(0.2561, 2e-4), 1},
    {"frozen-lake:size=16,seed=3", VALUE(0.2300, 2e-4), 1},
    {"frozen-lake:size=16,seed=4", VALUE(0.0809, 2e-4), 1},
    {"frozen-lake:size=20,seed=0", VALUE(0.06964, 1e-5), 1},
    {"frozen-lake:size=20,seed=1", 0.03897, 0.03906, 1},
    {"frozen-lake:size=20,seed=2", VALUE(0.0609, 2e-4), 1},
    {"frozen-lake:size=20,seed=3", VALUE(0.0819, 2e-4), 1},
    {"frozen-lake:size=20,seed=4", VALUE(0.0326, 2e-4), 1},
    {"frozen-lake:size=20,seed=3,gamma=0.99", 0.493, 0.532, 1},
    {"even-odd:noise=0,mean=inside", VALUE(233.806, 2e-3), 300},
    {"even-odd:noise=0.1,mean=inside", VALUE(233.805, 2e-3), 300},
    {"even-odd:noise=0.2,mean=inside", VALUE(224.332, 2e-3), 300},
    {"even-odd:noise=0.3,mean=inside", VALUE(175.714, 2e-3), 300},
    {"even-odd:noise=0.4,mean=inside", VALUE(132.451, 2e-3), 300},
    {"even-odd:noise=0.5,mean=inside", VALUE(103.527, 2e-3), 300},
    {"snake", 0.22882, 0.22891, 1},
    {"snake:gamma=0.95", -0.07302, -0.07298, 1},
    {"sepsis", VALUE(0.755597, 1e-6), 1},
    {"sepsis:c=1/70", VALUE(0.802990, 1e-6), 1},
    {"sepsis:from=96,c=1/14", VALUE(0.644235, 1e-6), 1},
    /* decided and paid with the action */
    {"sepsis:timing=joint,c=0.1", VALUE(0.755597, 1e-6), 1},
    {"sepsis:timing=joint,c=0.05", VALUE(0.755597, 1e-6), 1},
    {"sepsis:timing=joint,c=0.04", VALUE(0.761014, 1e-6), 1},
    {"sepsis:timing=joint,c=0.03", VALUE(0.772378, 1e-6), 1},
    {"sepsis:timing=joint,c=0.02", VALUE(0.786500, 1e-6), 1},
    {"sepsis:timing=joint,c=0.01", VALUE(0.802128, 1e-6), 1},
    {"sepsis:timing=joint,c=0.005", VALUE(0.810440, 1e-6), 1},
    {"inventory:timing=joint,c=0.02", VALUE(5.65, 1e-6), 1},
    {"inventory:timing=joint,c=0.04", VALUE(5.55, 1e-6), 1},
    {"inventory:timing=joint,c=0.08", VALUE(5.405556, 1e-6), 1},
    {"inventory:timing=joint", VALUE(5.441111, 1e-6), 1},
    {"two-state-sensing:timing=joint,c=0.01", VALUE(-0.588182, 1e-6), 1},
    {"two-state-sensing:timing=joint", VALUE(-0.698565, 1e-6), 1},
    {"two-state-sensing:timing=joint,from=s2", VALUE(-0.882522, 1e-6), 1},
    {"two-state-sensing:timing=joint,c=0.025", VALUE(-0.615934, 1e-6), 1},
    {"two-state-sensing:timing=joint,c=0.05", VALUE(-0.659341, 1e-6), 1},
    {"two-state-sensing:timing=joint,c=0.25,from=s2", VALUE(-0.883333, 1e-6), 1},
    {"two-state-sensing:timing=joint,numbers=counter,c=0.005", VALUE(-0.367018, 1e-6), 1},
    {"two-state-sensing:timing=joint,numbers=counter,c=0.005,from=s2", VALUE(-0.679543, 1e-6), 1},
    /* their price k is paid with the action before: k/gamma, paid before the next */
    {"inventory:c=0.025", VALUE(5.65, 1e-6), 1},
    {"inventory:c=0.05", VALUE(5.55, 1e-6), 1},
    {"inventory:c=0.08", VALUE(5.441111, 1e-6), 1},
    {"inventory:c=0.1", VALUE(5.405556, 1e-6), 1},
    {"two-state-sensing:c=0.02", VALUE(-0.588182, 1e-6), 1},
    {"two-state-sensing:c=0.02,from=s2", VALUE(-0.815455, 1e-6), 1},
    {"two-state-sensing:c=0.05", VALUE(-0.615934, 1e-6), 1},
    {"two-state-sensing:c=0.05,from=s2", VALUE(-0.835714, 1e-6), 1},
    {"two-state-sensing:c=0.1", VALUE(-0.659341, 1e-6), 1},
    {"two-state-sensing:c=0.1,from=s2", VALUE(-0.857143, 1e-6), 1},
    {"two-state-sensing:c=0.25", VALUE(-0.698565, 1e-6), 1},
    {"two-state-sensing:c=0.25,from=s2", VALUE(-0.882522, 1e-6), 1},
    {"two-state-sensing:c=0.5", VALUE(-0.7, 1e-6), 1},
    {"two-state-sensing:c=0.5,from=s2", VALUE(-0.883333, 1e-6), 1},
    {"two-state-sensing:numbers=counter,c=0.01", VALUE(-0.367018, 1e-6), 1},
    {"two-state-sensing:numbers=counter,c=0.01,from=s2", VALUE(-0.679543, 1e-6), 1},
};

static void test_values(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const certified *t = &table[i];
    planning p;
    planning_start(&p, t->spec);
    planning_planner(&p, NULL);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 20000});
    if (!(d.upper - d.lower <= 1e-4 * t->scale))
      fail_msg("%s: the gap of %.9g to %.9g is too wide", t->spec, d.lower, d.upper);
    if (!(d.lower <= t->high && d.upper >= t->low))
      fail_msg("%s: %.9g to %.9g, but the value is %.9g to %.9g", t->spec, d.lower, d.upper, t->low, t->high);
    planning_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
