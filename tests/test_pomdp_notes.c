/* The request cost in structured comments: its forms, where it may stand, what is
 * wrong with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pomdp.h"

#define HEAD "discount: 0.9\nvalues: reward\nstates: x y z\nactions: a\nobservations: u\n"
#define REST "T: * identity\nO: * uniform\n"

static void check(const char *text, bool requests, double x, double y, double z) {
  glimpse_model *model = pomdp_read(text);
  const double costs[3] = {x, y, z};
  assert_int_equal(glimpse_model_requests(model), requests);
  for (uint32_t s = 0; s < 3; s++)
    if (glimpse_model_cost(model, s) != costs[s])
      fail_msg("state %u costs %f", (unsigned)s, glimpse_model_cost(model, s));
  assert_int_equal(glimpse_model_cost_uniform(model), x == y && y == z);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

static void reads_costs(void **state) {
  (void)state;
  check(HEAD REST, false, 0, 0, 0);
  check(HEAD "# glimpse: cost 0.1\n" REST, true, 0.1, 0.1, 0.1);
  check(HEAD "#glimpse:cost .25\n" REST, true, 0.25, 0.25, 0.25);
  check(HEAD "#\t glimpse:  cost\t1e-3  # a low price\n" REST, true, 0.001, 0.001, 0.001);
  check(HEAD "# glimpse: cost * 2\r\n" REST, true, 2, 2, 2);
  check(HEAD "# glimpse: cost 0\n" REST, false, 0, 0, 0);
  check(HEAD "# glimpse: cost 2\n# glimpse: cost y 3\n" REST, true, 2, 3, 2);
  check(HEAD "# glimpse: cost 2 3\n# glimpse: cost y 2\n# glimpse: cost x 1\n" REST, true, 1, 2, 3);
  check(HEAD "# glimpse: cost y 3\n# glimpse: cost 2\n" REST, true, 2, 2, 2); /* the last one wins */
  check(HEAD "# glimpse: cost 2\n# glimpse: cost 0\n" REST, false, 0, 0, 0);
  check(HEAD "# glimpse: cost 2\n# glimpse: cost y 0\n" REST, true, 2, 0, 2); /* free in y */
  check(HEAD "# glimpse: cost 0\n# glimpse: cost y 3\n" REST, true, 0, 3, 0);
  check(HEAD "# glimpse: cost y 0\n" REST, false, 0, 0, 0);
  static const char some[] = HEAD REST "# glimpse: cost x 1\n# glimpse: cost y 1\n";
  pomdp_finding finding = {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 9, 11,
                           "no request cost is given for 1 of 3 states: asking there is free"};
  glimpse_model *model = pomdp_read_findings(some, sizeof some - 1, false, &finding, 1);
  assert_true(glimpse_model_cost(model, 0) == 1 && glimpse_model_cost(model, 2) == 0);
  glimpse_model_free(model);
}

/* Before the states are known, behind an entry, in the middle of one, at the end
 * without a line end. */
static void takes_any_place(void **state) {
  (void)state;
  check("# glimpse: cost y 3\n# glimpse: cost x 4 \n# glimpse: cost z 5\n" HEAD REST, true, 4, 3, 5);
  check("discount: 0.9\nvalues: reward\nstates: # glimpse: cost 7\n x y z\nactions: 1\nobservations: 1\n" REST, true, 7,
        7, 7);
  check(HEAD "start: # glimpse: cost 7\n 1 0 0\n" REST, true, 7, 7, 7);
  check(HEAD REST "T: a\n1 0 0 # glimpse: cost 7\n0 1 0\n0 0 1\n", true, 7, 7, 7);
  check(HEAD REST "# glimpse: cost 0.5", true, 0.5, 0.5, 0.5);
}

static void leaves_other_comments_alone(void **state) {
  (void)state;
  check(HEAD "# cost 1\n# Glimpse: cost 1\n# glimpse cost 1\n## glimpse: cost 1\n# a glimpse: cost 1\n" REST, false, 0,
        0, 0);
}

static void warns_of_unknown_keys(void **state) {
  (void)state;
  static const struct {
    const char *note, *text;
    unsigned column;
  } cases[] = {{"# glimpse: colour red",
                "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' "
                "comment, found "
                "'colour'",
                12},
               {"# glimpse: cots 1",
                "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' "
                "comment, found "
                "'cots'; did you mean 'cost'?",
                12},
               {"# glimpse: 0.1",
                "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' "
                "comment, found '0.1'",
                12},
               {"# glimpse:",
                "expected cost, scene, inquiry, limit, price, answer, failure, unpaid or effect in a '# glimpse:' "
                "comment, found "
                "nothing",
                11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int strict = 0; strict < 2; strict++) { /* a comment breaks no grammar */
      char text[300];
      int n = snprintf(text, sizeof text, HEAD REST "%s\n", cases[i].note);
      pomdp_finding finding = {GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 8, cases[i].column, cases[i].text};
      glimpse_model *model = pomdp_read_findings(text, (size_t)n, strict, &finding, 1);
      assert_false(glimpse_model_requests(model));
      glimpse_model_free(model);
    }
}

static void refuses_malformed_costs(void **state) {
  (void)state;
  pomdp_read_error(HEAD REST "# glimpse: cost\n", GLIMPSE_BAD_SYNTAX, 8, 16,
                   "expected a cost after '# glimpse: cost', found the end of the line");
  pomdp_read_error(HEAD "# glimpse: cost x\n" REST, GLIMPSE_BAD_SYNTAX, 6, 17, "expected a cost, found 'x'");
  pomdp_read_error("# glimpse: cost q 1\n" HEAD REST, GLIMPSE_BAD_SYNTAX, 1, 17,
                   "expected a state name or number, found 'q' (states are x, y, z)");
  pomdp_read_error(HEAD REST "# glimpse: cost 3 1\n", GLIMPSE_BAD_SYNTAX, 8, 17,
                   "expected a state name or number, found '3' (states are x, y, z)");
  pomdp_read_error(HEAD REST "  # glimpse: cost x -1\n", GLIMPSE_BAD_MODEL, 8, 21,
                   "expected a cost that is not negative, found '-1'");
  pomdp_read_error(HEAD REST "# glimpse: cost x 1 2\n", GLIMPSE_BAD_SYNTAX, 8, 21,
                   "expected the end of the line, found '2'");
  pomdp_read_error(HEAD REST "# glimpse: cost : 1\n", GLIMPSE_BAD_SYNTAX, 8, 17,
                   "expected a state name or number, found ':'");
  pomdp_read_error(HEAD REST "# glimpse: cost 1e999\n", GLIMPSE_BAD_SYNTAX, 8, 17,
                   "expected a cost of at most 1.8e308, found '1e999'");
  pomdp_read_error(HEAD REST "# glimpse: cost 0,5\n", GLIMPSE_BAD_SYNTAX, 8, 17,
                   "expected a cost (with a point, without commas), found '0,5'");
  pomdp_read_error(HEAD REST "# glimpse: cost 1 nan\n", GLIMPSE_BAD_SYNTAX, 8, 19, "expected a cost, found 'nan'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_costs),
      cmocka_unit_test(takes_any_place),
      cmocka_unit_test(leaves_other_comments_alone),
      cmocka_unit_test(warns_of_unknown_keys),
      cmocka_unit_test(refuses_malformed_costs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
