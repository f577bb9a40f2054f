/* Policy files: what is written reads back as the same policy, bit for bit; what is wrong is refused with its place;
 * and no changed byte goes unnoticed.
 *
 * Covers src/formats/stream.c, src/policy/policy.c, src/policy/policy_read.c, src/policy/policy_write.c,
 * src/policy/words.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "policy/policy.h"
#include "support/comma_locale.h"
#include "support/failing_malloc.h"
#include "support/policy_text.h"

#define HEAD                                                                                                           \
  "glimpse-policy 1\nversion 0.1.0\nmodel a name, two words\ndigest 0123456789abcdef\n"                                \
  "states 2 left right\nactions 2 ask go\nobservations 2\n"
#define START "start left:0.25 right:0.75\n"
#define BOUNDS "lower -1.5\nupper 0.1\nrequests 0.5\n"
#define NODES "nodes 3\nnode 0 ask left:1 right:2\nnode 1 do go 0:0 1:2\nnode 2 do ask 1:2\n"
#define CEILING "ceiling 1\ncorner left 1 2.5\ncorner right inf -3\npoint left:0.5 right:0.5 = 1 inf\n"
#define WHOLE HEAD START BOUNDS NODES CEILING

/* ------------------------------------------------------------------ reading */

static void reads_this(void **state) {
  (void)state;
  glimpse_policy *policy = policy_text_read(WHOLE);
  glimpse_policy_info info = glimpse_policy_measure(policy);
  assert_string_equal(info.model, "a name, two words");
  assert_string_equal(info.version, "0.1.0");
  assert_true(info.digest == UINT64_C(0x0123456789abcdef));
  assert_int_equal(info.states, 2);
  assert_int_equal(info.actions, 2);
  assert_int_equal(info.observations, 2);
  assert_int_equal(info.nodes, 3);
  assert_int_equal(info.edges, 5);
  assert_int_equal(info.points, 1);
  assert_true(info.lower == -1.5 && info.upper == 0.1 && info.requests == 0.5);
  assert_int_equal(info.start.count, 2);
  assert_true(info.start.value[1] == 0.75);
  assert_string_equal(glimpse_policy_name(policy, GLIMPSE_STATE, 1), "right");
  assert_string_equal(glimpse_policy_name(policy, GLIMPSE_OBSERVATION, 1), "1");
  assert_int_equal(glimpse_policy_choice(policy, 0), GLIMPSE_ANY);
  assert_int_equal(glimpse_policy_choice(policy, 2), 0); /* an action that is called ask */
  assert_int_equal(glimpse_policy_step(policy, 0, 1), 2);
  assert_int_equal(glimpse_policy_step(policy, 1, 0), 0);
  assert_int_equal(glimpse_policy_step(policy, 2, 0), GLIMPSE_ANY);
  assert_true(policy->ceiling->corner[1] == 2.5 && isinf(policy->ceiling->corner[2]));
  assert_true(policy->ceiling->value[0] == 1 && isinf(policy->ceiling->value[1]));
  size_t length, given;
  char *text = policy_text_write(policy, &length), *sealed = policy_text_sealed(WHOLE, &given);
  assert_string_equal(text, sealed);
  assert_int_equal(length, given);
  free(text);
  free(sealed);
  glimpse_policy_free(policy);
}

/* ----------------------------------------------------------------- the same */

static void check_bits(const void *left, const void *right, size_t bytes) {
  if (bytes) assert_memory_equal(left, right, bytes);
}

static void check_same(const glimpse_policy *x, const glimpse_policy *y) {
  assert_int_equal(x->states, y->states);
  assert_int_equal(x->actions, y->actions);
  assert_int_equal(x->observations, y->observations);
  assert_true(x->digest == y->digest);
  assert_string_equal(glimpse_policy_measure(x).model, glimpse_policy_measure(y).model);
  assert_string_equal(glimpse_policy_measure(x).version, glimpse_policy_measure(y).version);
  assert_int_equal(x->start_count, y->start_count);
  check_bits(x->start_state, y->start_state, x->start_count * sizeof *x->start_state);
  check_bits(x->start_mass, y->start_mass, x->start_count * sizeof *x->start_mass);
  check_bits(&x->lower, &y->lower, sizeof x->lower);
  check_bits(&x->upper, &y->upper, sizeof x->upper);
  check_bits(&x->requests, &y->requests, sizeof x->requests);
  assert_int_equal(x->nodes, y->nodes);
  check_bits(x->choice, y->choice, x->nodes * sizeof *x->choice);
  check_bits(x->first, y->first, (x->nodes + 1) * sizeof *x->first);
  check_bits(x->seen, y->seen, x->first[x->nodes] * sizeof *x->seen);
  check_bits(x->to, y->to, x->first[x->nodes] * sizeof *x->to);
  assert_int_equal(!x->ceiling, !y->ceiling);
  for (int kind = 0; kind < 3; kind++) {
    assert_int_equal(x->names[kind].given, y->names[kind].given);
    for (uint32_t i = 0; i < x->names[kind].count; i++)
      assert_string_equal(gli_names_get(&x->names[kind], i), gli_names_get(&y->names[kind], i));
  }
  if (!x->ceiling) return;
  const gli_ceiling *a = x->ceiling, *b = y->ceiling;
  assert_int_equal(a->points, b->points);
  check_bits(a->corner, b->corner, (size_t)a->states * a->actions * sizeof *a->corner);
  check_bits(a->first, b->first, (a->points + 1) * sizeof *a->first);
  check_bits(a->state, b->state, a->first[a->points] * sizeof *a->state);
  check_bits(a->mass, b->mass, a->first[a->points] * sizeof *a->mass);
  check_bits(a->value, b->value, a->points * a->actions * sizeof *a->value);
}

static double any_number(gli_random *random) {
  double value = (gli_random_unit(random) - 0.5) * 1e3;
  return gli_random_below(random, 4) ? value : gli_random_below(random, 2) ? value * 1e-300 : floor(value);
}

/* A belief over some of the states; returns how many. */
static uint32_t any_belief(gli_random *random, uint32_t states, uint32_t *state, double *mass) {
  uint32_t count = 0;
  double sum = 0;
  for (uint32_t s = 0; s < states; s++)
    if (gli_random_below(random, 2) || (!count && s + 1 == states)) {
      state[count] = s;
      sum += mass[count++] = gli_random_unit(random) + 1e-9;
    }
  for (uint32_t i = 0; i < count; i++) mass[i] /= sum;
  return count;
}

static void any_nodes(gli_random *random, glimpse_policy *policy) {
  gli_edge_list list = {0};
  uint32_t nodes = 1 + gli_random_below(random, 9), acting = 1 + gli_random_below(random, nodes);
  for (uint32_t n = 0; n < nodes; n++) {
    bool ask = n >= acting;
    uint32_t labels = ask ? policy->states : policy->observations;
    assert_true(gli_edge_list_node(&list, ask ? GLIMPSE_ANY : gli_random_below(random, policy->actions)));
    for (uint32_t label = 0; label < labels; label++)
      if (gli_random_below(random, 3))
        assert_true(gli_edge_list_edge(&list, label, gli_random_below(random, ask ? acting : nodes)));
  }
  gli_policy_take(policy, &list);
}

static void any_ceiling(gli_random *random, glimpse_policy *policy) {
  uint32_t state[8];
  double mass[8], value[8];
  policy->ceiling = gli_ceiling_new(policy->states, policy->actions);
  assert_non_null(policy->ceiling);
  for (uint32_t i = 0; i < policy->states * policy->actions; i++)
    if (gli_random_below(random, 5)) policy->ceiling->corner[i] = any_number(random);
  for (uint32_t i = gli_random_below(random, 5); i > 0; i--) {
    uint32_t count = any_belief(random, policy->states, state, mass);
    for (uint32_t a = 0; a < policy->actions; a++)
      value[a] = gli_random_below(random, 5) ? any_number(random) : (double)INFINITY;
    assert_true(gli_ceiling_add(policy->ceiling, (glimpse_row){count, state, mass}, value));
  }
}

static glimpse_policy *any_policy(gli_random *random) {
  uint32_t counts[3], state[8];
  double mass[8];
  for (int kind = 0; kind < 3; kind++) counts[kind] = 1 + gli_random_below(random, 8);
  glimpse_builder *builder = glimpse_builder_new(counts[0], counts[1], counts[2]);
  glimpse_builder_transition(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  for (int kind = 0; kind < 3; kind++) {
    bool named = gli_random_below(random, 2);
    for (uint32_t i = 0; named && i < counts[kind]; i++) {
      static const char *const odd[] = {"ask", "do", "node", "start"};
      char name[20];
      snprintf(name, sizeof name, "n-%u", (unsigned)i);
      glimpse_builder_name(builder, (glimpse_kind)kind, i, i < 4 ? odd[i] : name);
    }
  }
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  static const char *const models[] = {NULL, "", "tiger", "a\\b\nc\x7f", " spaces ", "\xc3\xa4"};
  uint32_t count = any_belief(random, counts[0], state, mass);
  glimpse_policy *policy =
      gli_policy_new(model, models[gli_random_below(random, 6)], (glimpse_row){count, state, mass});
  glimpse_model_free(model);
  any_nodes(random, policy);
  policy->lower = gli_random_below(random, 4) ? any_number(random) : -(double)INFINITY;
  policy->upper = gli_random_below(random, 4) ? any_number(random) : (double)INFINITY;
  policy->requests = fabs(any_number(random));
  if (gli_random_below(random, 4)) any_ceiling(random, policy);
  return policy;
}

static void round_trips(void **state) {
  (void)state;
  bool comma = comma_locale_enter();
  for (uint64_t seed = 0; seed < 300; seed++) {
    gli_random random = gli_random_stream(seed, "policy file", 0);
    glimpse_policy *policy = any_policy(&random), *again = NULL;
    assert_true(gli_policy_whole(policy));
    size_t length;
    char *text = policy_text_write(policy, &length);
    glimpse_report *report = glimpse_report_new();
    glimpse_status status = glimpse_policy_read(text, length, "round trip", report, &again);
    if (status) print_message("seed %u: %s\n%s", (unsigned)seed, glimpse_report_get(report, 0)->text, text);
    assert_int_equal(status, GLIMPSE_OK);
    check_same(policy, again);
    char *second = policy_text_write(again, NULL);
    assert_string_equal(text, second);
    glimpse_report_free(report);
    free(text);
    free(second);
    glimpse_policy_free(policy);
    glimpse_policy_free(again);
  }
  if (comma) comma_locale_leave();
}

/* ------------------------------------------------------------- wrong inputs */

typedef struct finding {
  uint64_t line, column;
  const char *text;
} finding;

static void check_findings(const char *text, size_t length, glimpse_status code, const finding *findings,
                           size_t count) {
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  assert_int_equal(glimpse_policy_read(text, length, "wrong", report, &policy), code);
  assert_null(policy);
  for (size_t i = 0; i < glimpse_report_kept(report) && i < count; i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    assert_string_equal(message->text, findings[i].text);
    assert_int_equal(message->line, findings[i].line);
    assert_int_equal(message->column, findings[i].column);
    assert_string_equal(message->source, "wrong");
  }
  assert_int_equal(glimpse_report_kept(report), count);
  glimpse_report_free(report);
}

static void check_wrong(const char *body, glimpse_status code, uint64_t line, uint64_t column, const char *text) {
  size_t length;
  char *sealed = policy_text_sealed(body, &length);
  finding expected = {line, column, text};
  check_findings(sealed, length, code, &expected, 1);
  free(sealed);
}

#define WRONG(body, line, column, text) check_wrong(body, GLIMPSE_BAD_SYNTAX, line, column, text)

static void refuses_heads(void **state) {
  (void)state;
  WRONG("", 1, 1, "expected 'glimpse-policy', with which a policy begins, found the end of the line");
  WRONG("discount: 0.95\n", 1, 1, "expected 'glimpse-policy', with which a policy begins, found 'discount:'");
  WRONG("glimpse-policy 2\n", 1, 16, "expected format 1, the only one that this version reads, found '2'");
  WRONG("glimpse-policy 1 1\n", 1, 18, "expected the end of the line, found '1'");
  WRONG("glimpse-policy 1\nmodel x\n", 2, 1, "expected 'version', found 'model'");
  WRONG("glimpse-policy 1\nversion 1\nmodel a\\x0\n", 3, 8, "expected two hexadecimal digits behind \\x, found '\\'");
  WRONG("glimpse-policy 1\nversion 1\nmodel a\\x00\n", 3, 8, "expected two hexadecimal digits behind \\x, found '\\'");
#define UP_TO_MODEL "glimpse-policy 1\nversion 1\nmodel \n"
  WRONG("glimpse-policy 1\nversion 1\nmodel a\001\n", 3, 8, "expected \\x and two hexadecimal digits, found '?'");
  WRONG(UP_TO_MODEL "digest 123\n", 4, 8, "expected 16 hexadecimal digits, found '123'");
  WRONG(UP_TO_MODEL "digest 0123456789ABCDEF\n", 4, 8, "expected 16 hexadecimal digits, found '0123456789ABCDEF'");
#define UP_TO_DIGEST UP_TO_MODEL "digest 0123456789abcdef\n"
  WRONG(UP_TO_DIGEST "states 0\n", 5, 8, "expected a count, 1 to 16777216, found '0'");
  WRONG(UP_TO_DIGEST "states 99999999999999999999\n", 5, 8,
        "expected a count, 1 to 16777216, found '99999999999999999999'");
  check_wrong(UP_TO_DIGEST "states 16777216\n", GLIMPSE_TOO_LARGE, 5, 16,
              "so short a text has no policy for 16777216 states");
  WRONG(UP_TO_DIGEST "states 1000000 x\n", 5, 16, "expected 1000000 names, but the text is too short");
  WRONG(UP_TO_DIGEST "states 2 x x\n", 5, 12, "this name stands here twice");
  WRONG(UP_TO_DIGEST "states 2 x\n", 5, 11, "expected a name, found the end of the line");
  WRONG(UP_TO_DIGEST "states 2 x 1y\n", 5, 12, "expected a name, found '1y'");
  WRONG(UP_TO_DIGEST "states 2 x y z\n", 5, 14, "expected the end of the line, found 'z'");
  WRONG(UP_TO_DIGEST "states 2\nactions 65537\n", 6, 9, "expected a count, 1 to 65536, found '65537'");
}

static void refuses_starts_and_bounds(void **state) {
  (void)state;
  WRONG(HEAD "start\n", 8, 6, "the probabilities do not sum to 1");
  WRONG(HEAD "start left:0.5\n", 8, 15, "the probabilities do not sum to 1");
  WRONG(HEAD "start right:0.5 left:0.5\n", 8, 17, "the states of a belief do not ascend");
  WRONG(HEAD "start left:0 right:1\n", 8, 12, "expected a probability above 0, found '0'");
  WRONG(HEAD "start left:2 right:1\n", 8, 12, "expected a probability above 0, found '2'");
  WRONG(HEAD "start left:x right:1\n", 8, 12, "expected a probability above 0, found 'x'");
  WRONG(HEAD "start up:1\n", 8, 7, "expected a state, found 'up'");
  WRONG(HEAD "start 0:1\n", 8, 7, "expected a state, found '0'");
  WRONG(HEAD "start left\n", 8, 7, "expected a name, ':' and a number, found 'left'");
  WRONG(HEAD "start left:1 = 2\n", 8, 14, "expected the end of the line, found '='");
  WRONG(HEAD START "lower nan\n", 9, 7, "expected a number, found 'nan'");
  WRONG(HEAD START "lower 1e999\n", 9, 7, "expected a number, found '1e999'");
  WRONG(HEAD START "lower 1 2\n", 9, 9, "expected the end of the line, found '2'");
  WRONG(HEAD START "lower 1\nupper 2\nrequests -1\n", 11, 10, "expected a number, found '-1'");
  WRONG(HEAD START "lower 1\nupper 2\n", 11, 1, "expected 'requests', found the end");
}

static void refuses_nodes(void **state) {
  (void)state;
#define BEFORE HEAD START BOUNDS
  WRONG(BEFORE "nodes 0\n", 12, 7, "expected a count of nodes that the text has room for, 1 to 0, found '0'");
  WRONG(BEFORE "nodes 9999\nnode 0 ask\n", 12, 7,
        "expected a count of nodes that the text has room for, 1 to 2, found '9999'");
  WRONG(BEFORE "nodes 1\nnode 1 ask\nceiling none\n", 13, 6, "expected the number of the node, 0 to 0, found '1'");
  WRONG(BEFORE "nodes 1\nnode 0 wait\nceiling none\n", 13, 8, "expected 'do' or 'ask', found 'wait'");
  WRONG(BEFORE "nodes 1\nnode 0 do wait\nceiling none\n", 13, 11, "expected an action, found 'wait'");
  WRONG(BEFORE "nodes 1\nnode 0 do go 2:0\nceiling none\n", 13, 14, "expected an observation, found '2'");
  WRONG(BEFORE "nodes 1\nnode 0 do go 0:1\nceiling none\n", 13, 16, "expected the number of a node, found '1'");
  WRONG(BEFORE "nodes 1\nnode 0 do go 0:\nceiling none\n", 13, 16,
        "expected the number of a node, found the end of the line");
  WRONG(BEFORE "nodes 1\nnode 0 do go 1:0 0:0\nceiling none\n", 13, 18, "the edges of a node do not ascend");
  WRONG(BEFORE "nodes 1\nnode 0 do go 1:0 1:0\nceiling none\n", 13, 18, "the edges of a node do not ascend");
  WRONG(BEFORE "nodes 3\nnode 0 ask left:1 right:2\nnode 1 do go\nnode 2 ask\nceiling none\n", 13, 19,
        "after asking comes an action, but node 2 asks again");
  WRONG(BEFORE "nodes 2\nnode 0 do go 0:1\nceiling none\n", 14, 1, "expected 'node', found 'ceiling'");
}

static void refuses_ceilings(void **state) {
  (void)state;
#define NODED HEAD START BOUNDS NODES
  WRONG(NODED "ceiling some\n", 16, 9,
        "expected 'none', or a count of points that the text has room for, found 'some'");
  WRONG(NODED "ceiling 900\n", 16, 9, "expected 'none', or a count of points that the text has room for, found '900'");
  WRONG(NODED "ceiling 0\ncorner left 1 x\ncorner right 1 1\n", 17, 15,
        "expected a number per action, or 'inf', found 'x'");
  WRONG(NODED "ceiling 0\ncorner left 1 -inf\ncorner right 1 1\n", 17, 15,
        "expected a number per action, or 'inf', found '-inf'");
  WRONG(NODED "ceiling 0\ncorner left 1\ncorner right 1 1\n", 17, 14,
        "expected a number per action, or 'inf', found the end of the line");
  WRONG(NODED "ceiling 0\ncorner left 1 2 3\ncorner right 1 1\n", 17, 17, "expected the end of the line, found '3'");
  WRONG(NODED "ceiling 0\ncorner right 1 2\ncorner right 1 1\n", 17, 8,
        "expected the corner of state 0, found another");
#define CORNERED NODED "ceiling 1\ncorner left 1 1\ncorner right 1 1\n"
  WRONG(CORNERED "point left:1 1 1\n", 19, 14, "expected a name, ':' and a number, found '1'");
  WRONG(CORNERED "point left:1\n", 19, 13, "expected '=', found the end of the line");
  WRONG(CORNERED "point left:0.5 = 1 1\n", 19, 16, "the probabilities do not sum to 1");
  WRONG(CORNERED, 19, 1, "expected 'point', found the end");
  WRONG(NODED CEILING "point left:1 = 1 1\n", 20, 1, "expected 'checksum', found 'point'");
}

static void finds_several(void **state) {
  (void)state;
  size_t length;
  char *sealed = policy_text_sealed(
      HEAD START BOUNDS "nodes 3\nnode 0 do stay\nnode 1 wait\nnode 2 do go 0:7\nceiling none\n", &length);
  const finding findings[] = {{13, 11, "expected an action, found 'stay'"},
                              {14, 8, "expected 'do' or 'ask', found 'wait'"},
                              {15, 16, "expected the number of a node, found '7'"}};
  check_findings(sealed, length, GLIMPSE_BAD_SYNTAX, findings, 3);
  free(sealed);
}

/* A text without its end, at whatever byte it was cut. */
static void refuses_parts(void **state) {
  (void)state;
  size_t length;
  char *sealed = policy_text_sealed(WHOLE, &length);
  for (size_t cut = 0; cut < length; cut++) {
    glimpse_policy *policy = NULL;
    assert_int_equal(glimpse_policy_read(sealed, cut, NULL, NULL, &policy), GLIMPSE_BAD_SYNTAX);
    assert_null(policy);
  }
  free(sealed);
}

/* Any byte, changed in any way. */
static void notices_each_byte(void **state) {
  (void)state;
  size_t length;
  char *sealed = policy_text_sealed(WHOLE, &length);
  for (size_t at = 0; at < length; at++)
    for (int value = 0; value < 256; value++) {
      char before = sealed[at];
      if ((char)value == before) continue;
      sealed[at] = (char)value;
      glimpse_policy *policy = NULL;
      glimpse_status status = glimpse_policy_read(sealed, length, NULL, NULL, &policy);
      if (!status) print_message("byte %zu, %d instead of %d\n", at, value, before);
      assert_int_not_equal(status, GLIMPSE_OK);
      assert_null(policy);
      sealed[at] = before;
    }
  char *digit = strstr(sealed, "2.5"); /* still a number */
  digit[2] = '6';
  finding expected = {20, 1, "the checksum is not that of the text, which was changed after it was written"};
  check_findings(sealed, length, GLIMPSE_BAD_SYNTAX, &expected, 1);
  digit[2] = '5';
  sealed[length - 1] = 0;
  expected.text = "expected 'checksum' and 16 hexadecimal digits as the last line, found none: the text is not whole";
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  assert_int_equal(glimpse_policy_read(sealed, length - 1, "wrong", report, &policy), GLIMPSE_BAD_SYNTAX);
  assert_string_equal(glimpse_report_get(report, glimpse_report_kept(report) - 1)->text, expected.text);
  glimpse_report_free(report);
  free(sealed);
}

/* ----------------------------------------------------- memory and the disk */

static glimpse_status read_it(void *context) {
  glimpse_policy *policy = NULL;
  const char *text = context;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status =
      report ? glimpse_policy_read(text, strlen(text), "memory", report, &policy) : GLIMPSE_NO_MEMORY;
  assert_int_equal(!policy, status != GLIMPSE_OK);
  glimpse_policy_free(policy);
  glimpse_report_free(report);
  return status;
}

static bool swallow(void *context, const char *text, size_t length) {
  (void)context, (void)text, (void)length;
  return true;
}

static glimpse_status write_it(void *context) {
  return glimpse_policy_write(context, swallow, NULL);
}

static void runs_out_of_memory(void **state) {
  (void)state;
  size_t length;
  char *sealed = policy_text_sealed(WHOLE, &length);
  assert_true(failing_malloc_sweep(read_it, sealed) > 20);
  glimpse_policy *policy = policy_text_read(WHOLE);
  assert_true(failing_malloc_sweep(write_it, policy) >= 1);
  glimpse_policy_free(policy);
  free(sealed);
}

static bool refuse(void *context, const char *text, size_t length) {
  (void)text, (void)length;
  size_t *left = context;
  return *left && (*left)--;
}

static void writes_to_files(void **state) {
  (void)state;
  glimpse_policy *policy = policy_text_read(WHOLE), *again;
  size_t none = 0;
  assert_int_equal(glimpse_policy_write(policy, refuse, &none), GLIMPSE_CANNOT_WRITE);
  char path[] = "/tmp/glimpse-policy-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(glimpse_policy_write_file(policy, path, NULL), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_read_file(path, NULL, &again), GLIMPSE_OK);
  check_same(policy, again);
  glimpse_policy_free(again);
  unlink(path);
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_policy_read_file(path, report, &again), GLIMPSE_CANNOT_READ);
  assert_null(again);
  assert_string_equal(glimpse_report_get(report, 0)->source, path);
  assert_int_equal(glimpse_policy_write_file(policy, "/dev/full", report), GLIMPSE_CANNOT_WRITE);
  assert_int_equal(glimpse_policy_write_file(policy, "/nowhere/at/all", report), GLIMPSE_CANNOT_WRITE);
  glimpse_report_free(report);
  glimpse_policy_free(policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_this),        cmocka_unit_test(round_trips),
      cmocka_unit_test(refuses_heads),     cmocka_unit_test(refuses_starts_and_bounds),
      cmocka_unit_test(refuses_nodes),     cmocka_unit_test(refuses_ceilings),
      cmocka_unit_test(finds_several),     cmocka_unit_test(refuses_parts),
      cmocka_unit_test(notices_each_byte), cmocka_unit_test(runs_out_of_memory),
      cmocka_unit_test(writes_to_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
