/* Reader of policy files; policy_file.h has the format.
 *
 * Everything is checked: the order of the lines, names, ranges, that labels ascend and lead to nodes, P1 to P4 of
 * policy.h, and the checksum, which notices any other change.  What a count asks to be allocated is compared with the
 * bytes that are left first.  The first error in the head ends the reading; behind it each line is read, so that
 * several errors are found in one go.  Linear in the text. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "policy/policy.h"
#include "policy/policy_file.h"
#include "policy/words.h"

enum {
  FREE_NAMES = 1 << 20, /* so many states may have no names in a text however short ... */
  NAMES_PER_BYTE = 64   /* ... and so many for each byte of it */
};

typedef struct reader {
  gli_words words;
  size_t length; /* of the whole text */
  glimpse_policy *policy;
} reader;

/* ------------------------------------------------------------------- words */

static bool expected(reader *r, const gli_word *found, const char *what) {
  return gli_words_expected(&r->words, found, what);
}

static bool end_line(reader *r) {
  return gli_words_end_line(&r->words);
}

static bool keyword(reader *r, const char *key) {
  char what[40];
  gli_word w = gli_words_next(&r->words);
  if (gli_word_is(&w, key)) return true;
  snprintf(what, sizeof what, "'%s'", key);
  if (!w.length && r->words.at == r->words.end)
    return gli_words_fail(&r->words, &w, GLIMPSE_BAD_SYNTAX, "expected %s, found the end", what);
  return expected(r, &w, what);
}

/* ----------------------------------------------------------------- numbers */

static bool read_count(reader *r, const char *what, uint64_t low, uint64_t high, uint64_t *count) {
  char text[100];
  gli_word w = gli_words_next(&r->words);
  if (gli_word_digits(&w, count) && *count >= low && *count <= high) return true;
  snprintf(text, sizeof text, "%s, %" PRIu64 " to %" PRIu64, what, low, high);
  return expected(r, &w, text);
}

static bool read_number(reader *r, const char *key, double low, double high, double *value) {
  if (!keyword(r, key)) return false;
  gli_word w = gli_words_next(&r->words);
  return gli_words_number(&r->words, &w, "a number", low, high, value) && end_line(r);
}

/* ------------------------------------------------------------------- names */

/* The number of a name. */
static bool label(reader *r, const gli_word *w, glimpse_kind kind, uint32_t *i) {
  static const char *const what[] = {"a state", "an action", "an observation"};
  const gli_names *names = &r->policy->names[kind];
  uint64_t count;
  *i = names->given ? gli_names_find(names, w->text, w->length) : GLIMPSE_ANY;
  if (!names->given && gli_word_digits(w, &count) && count < names->count) *i = (uint32_t)count;
  return *i != GLIMPSE_ANY ? true : expected(r, w, what[kind]);
}

/* Takes "left:right" apart; the right word may be empty. */
static bool divide(reader *r, const gli_word *w, gli_word *left, gli_word *right) {
  const char *colon = w->length ? memchr(w->text, ':', w->length) : NULL;
  if (!colon) return expected(r, w, "a name, ':' and a number");
  *left = *right = *w;
  left->length = (size_t)(colon - w->text);
  right->text = colon + 1;
  right->length = w->length - left->length - 1;
  right->column += left->length + 1;
  return true;
}

static bool read_kind(reader *r, const char *key, glimpse_kind kind, uint64_t most, uint32_t *count) {
  gli_names *names = &r->policy->names[kind];
  uint64_t n = 0;
  if (!keyword(r, key) || !read_count(r, "a count", 1, most, &n)) return false;
  *count = (uint32_t)n;
  gli_names_start(names, *count);
  gli_word w = gli_words_next(&r->words);
  if (!w.length) {
    if (n > FREE_NAMES && n / NAMES_PER_BYTE > r->length)
      return gli_words_fail(&r->words, &w, GLIMPSE_TOO_LARGE, "so short a text has no policy for %" PRIu64 " %s", n,
                            key);
    return (gli_names_number(names) || gli_words_no_memory(&r->words)) && end_line(r);
  }
  if (n > r->length)
    return gli_words_fail(&r->words, &w, GLIMPSE_BAD_SYNTAX, "expected %" PRIu64 " names, but the text is too short",
                          n);
  for (uint32_t i = 0; i < *count; i++, w = gli_words_next(&r->words)) {
    if (!gli_names_valid(w.text, w.length)) return expected(r, &w, "a name");
    gli_names_result result = gli_names_set(names, i, w.text, w.length);
    if (result == GLI_NAMES_NO_MEMORY) return gli_words_no_memory(&r->words);
    if (result == GLI_NAMES_TAKEN)
      return gli_words_fail(&r->words, &w, GLIMPSE_BAD_SYNTAX, "this name stands here twice");
  }
  return w.length ? expected(r, &w, "the end of the line") : end_line(r);
}

/* -------------------------------------------------------------------- head */

static int hex(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The rest of the line, where \xHH stands for a byte. */
static bool read_text(reader *r, const char *key, char **text) {
  if (!keyword(r, key)) return false;
  if (r->words.at < r->words.end && *r->words.at == ' ') r->words.at++;
  const char *end = memchr(r->words.at, '\n', (size_t)(r->words.end - r->words.at));
  size_t room = end ? (size_t)(end - r->words.at) : 0, used = 0;
  if (!room) return end_line(r);
  *text = GLI_NEW(char, room + 1);
  if (!*text) return gli_words_no_memory(&r->words);
  for (const char *c = r->words.at; c < end; c++) {
    int high = end - c > 3 ? hex(c[2]) : -1, low = end - c > 3 ? hex(c[3]) : -1;
    gli_word here = {c, 1, r->words.line, (uint64_t)(c - r->words.line_start) + 1};
    bool code = *c == '\\';
    if (code && (c + 1 == end || c[1] != 'x' || high < 0 || low < 0 || high + low == 0))
      return expected(r, &here, "two hexadecimal digits behind \\x");
    if ((unsigned char)*c < ' ' || *c == 127) return expected(r, &here, "\\x and two hexadecimal digits");
    (*text)[used++] = code ? (char)(high << 4 | low) : *c;
    c += code ? 3 : 0;
  }
  r->words.at = end;
  return end_line(r);
}

static bool read_digest(reader *r) {
  if (!keyword(r, "digest")) return false;
  gli_word w = gli_words_next(&r->words);
  bool right = w.length == 16;
  for (size_t i = 0; right && i < 16; i++) {
    right = hex(w.text[i]) >= 0;
    r->policy->digest = r->policy->digest << 4 | (uint64_t)(hex(w.text[i]) & 15);
  }
  return right ? end_line(r) : expected(r, &w, "16 hexadecimal digits");
}

/* Adds an entry of a belief, which begins with word w. */
static bool entry(reader *r, const gli_word *w, size_t count, uint32_t last, uint32_t *s, double *p) {
  gli_word left, right;
  if (!divide(r, w, &left, &right) || !label(r, &left, GLIMPSE_STATE, s)) return false;
  if (count && *s <= last)
    return gli_words_fail(&r->words, &left, GLIMPSE_BAD_SYNTAX, "the states of a belief do not ascend");
  if (!gli_words_number(&r->words, &right, "a probability above 0", 0, 1, p)) return false;
  return *p > 0 ? true : expected(r, &right, "a probability above 0");
}

/* The entries of a belief up to the gli_word *w that has no colon, which is the next. */
typedef struct entries {
  uint32_t *state;
  double *mass;
  size_t count, state_room, mass_room;
} entries;

static bool read_belief(reader *r, entries *e, gli_word *w) {
  double sum = 0;
  e->count = 0;
  for (*w = gli_words_next(&r->words); w->length && !gli_word_is(w, "="); *w = gli_words_next(&r->words)) {
    if (!GLI_GROW(e->state, e->state_room, e->count + 1) || !GLI_GROW(e->mass, e->mass_room, e->count + 1))
      return gli_words_no_memory(&r->words);
    uint32_t last = e->count ? e->state[e->count - 1] : 0;
    if (!entry(r, w, e->count, last, &e->state[e->count], &e->mass[e->count])) return false;
    sum += e->mass[e->count++];
  }
  if (!(fabs(sum - 1) <= 1e-9))
    return gli_words_fail(&r->words, w, GLIMPSE_BAD_SYNTAX, "the probabilities do not sum to 1");
  return true;
}

static bool read_start(reader *r) {
  entries e = {0};
  gli_word w;
  bool read = keyword(r, "start") && read_belief(r, &e, &w);
  if (read && w.length) read = expected(r, &w, "the end of the line");
  r->policy->start_state = e.state;
  r->policy->start_mass = e.mass;
  r->policy->start_count = (uint32_t)e.count;
  return read && end_line(r);
}

static bool read_head(reader *r) {
  glimpse_policy *policy = r->policy;
  gli_word first = gli_words_next(&r->words), format = gli_words_next(&r->words);
  if (!gli_word_is(&first, "glimpse-policy"))
    return expected(r, &first, "'glimpse-policy', with which a policy begins");
  if (!gli_word_is(&format, "1")) return expected(r, &format, "format 1, the only one that this version reads");
  return end_line(r) && read_text(r, "version", &policy->version) && read_text(r, "model", &policy->model) &&
         read_digest(r) && read_kind(r, "states", GLIMPSE_STATE, GLIMPSE_MAX_COUNT, &policy->states) &&
         read_kind(r, "actions", GLIMPSE_ACTION, GLIMPSE_MAX_ACTIONS, &policy->actions) &&
         read_kind(r, "observations", GLIMPSE_OBSERVATION, GLIMPSE_MAX_COUNT, &policy->observations) && read_start(r) &&
         read_number(r, "lower", -(double)INFINITY, (double)INFINITY, &policy->lower) &&
         read_number(r, "upper", -(double)INFINITY, (double)INFINITY, &policy->upper) &&
         read_number(r, "requests", 0, (double)INFINITY, &policy->requests);
}

/* ------------------------------------------------------------------- nodes */

/* An edge of the last node of the list. */
static bool read_edge(reader *r, const gli_word *w, gli_edge_list *list) {
  gli_word left, right;
  uint32_t seen;
  uint64_t to = 0, first = list->first[list->nodes - 1];
  bool ask = list->choice[list->nodes - 1] == GLIMPSE_ANY;
  if (!divide(r, w, &left, &right)) return false;
  if (!label(r, &left, ask ? GLIMPSE_STATE : GLIMPSE_OBSERVATION, &seen)) return false;
  if (!gli_word_digits(&right, &to) || to >= r->policy->nodes) return expected(r, &right, "the number of a node");
  if (list->edges > first && list->seen[list->edges - 1] >= seen)
    return gli_words_fail(&r->words, &left, GLIMPSE_BAD_SYNTAX, "the edges of a node do not ascend");
  return gli_edge_list_edge(list, seen, (uint32_t)to) || gli_words_no_memory(&r->words);
}

static bool read_node(reader *r, uint32_t n, gli_edge_list *list) {
  uint64_t number = n;
  uint32_t choice = GLIMPSE_ANY;
  if (!keyword(r, "node") || !read_count(r, "the number of the node", n, n, &number)) return false;
  gli_word how = gli_words_next(&r->words);
  if (gli_word_is(&how, "do")) {
    gli_word action = gli_words_next(&r->words);
    if (!label(r, &action, GLIMPSE_ACTION, &choice)) return false;
  } else if (!gli_word_is(&how, "ask")) {
    return expected(r, &how, "'do' or 'ask'");
  }
  if (!gli_edge_list_node(list, choice)) return gli_words_no_memory(&r->words);
  for (gli_word w = gli_words_next(&r->words); w.length; w = gli_words_next(&r->words))
    if (!read_edge(r, &w, list)) return false;
  return end_line(r);
}

/* The place of the edge in the text; for complaints. */
static gli_word edge_place(const reader *begin, uint32_t n, uint64_t k) {
  reader r = *begin;
  for (uint32_t i = 0; i < n; i++) gli_words_next_line(&r.words);
  gli_word w = gli_words_next(&r.words);
  for (uint64_t i = 0; i < k + 3; i++) w = gli_words_next(&r.words); /* behind "node N ask" */
  return w;
}

/* P3: after asking comes an action. */
static void check_asking(reader *r, const reader *begin) {
  const glimpse_policy *policy = r->policy;
  for (uint32_t n = 0; n < policy->nodes; n++) {
    if (policy->choice[n] != GLIMPSE_ANY) continue;
    for (uint64_t e = policy->first[n]; e < policy->first[n + 1]; e++) {
      if (policy->choice[policy->to[e]] != GLIMPSE_ANY) continue;
      gli_word at = {0};
      if (!gli_report_full(r->words.report, GLIMPSE_ERROR)) at = edge_place(begin, n, e - policy->first[n]);
      gli_words_fail(&r->words, &at, GLIMPSE_BAD_SYNTAX,
                     "after asking comes an action, but node %" PRIu32 " asks again", policy->to[e]);
    }
  }
}

static bool read_nodes(reader *r) {
  glimpse_policy *policy = r->policy;
  uint64_t count = 0;
  size_t most = (size_t)(r->words.end - r->words.at) / (sizeof "node 0 ask" - 1);
  if (most >= GLIMPSE_ANY) most = GLIMPSE_ANY - 1;
  if (!keyword(r, "nodes") || !read_count(r, "a count of nodes that the text has room for", 1, most, &count))
    return false;
  if (!end_line(r)) return false;
  policy->nodes = (uint32_t)count;
  reader begin = *r;
  gli_edge_list list = {0};
  for (uint32_t n = 0; n < count && r->words.status != GLIMPSE_NO_MEMORY; n++) {
    if (!read_node(r, n, &list)) gli_words_next_line(&r->words);
    if (r->words.status && r->words.at == r->words.end) break; /* said of the line that is missing */
  }
  if (r->words.status) return gli_edge_list_free(&list), policy->nodes = 0, false;
  gli_policy_take(policy, &list);
  check_asking(r, &begin);
  return !r->words.status;
}

/* ----------------------------------------------------------------- ceiling */

static bool read_values(reader *r, double *values) {
  for (uint32_t a = 0; a < r->policy->actions; a++) {
    gli_word w = gli_words_next(&r->words);
    if (!gli_words_number(&r->words, &w, "a number per action, or 'inf'", -1.7976931348623157e308, (double)INFINITY,
                          &values[a]))
      return false;
  }
  return end_line(r);
}

static bool read_corner(reader *r, uint32_t s) {
  if (!keyword(r, "corner")) return false;
  uint32_t state;
  gli_word w = gli_words_next(&r->words);
  if (!label(r, &w, GLIMPSE_STATE, &state)) return false;
  if (state != s)
    return gli_words_fail(&r->words, &w, GLIMPSE_BAD_SYNTAX, "expected the corner of state %" PRIu32 ", found another",
                          s);
  return read_values(r, r->policy->ceiling->corner + (size_t)s * r->policy->actions);
}

static bool read_point(reader *r, entries *e, double *values) {
  gli_word w;
  if (!keyword(r, "point") || !read_belief(r, e, &w)) return false;
  if (!gli_word_is(&w, "=")) return expected(r, &w, "'='");
  if (!read_values(r, values)) return false;
  return gli_ceiling_add(r->policy->ceiling, (glimpse_row){e->count, e->state, e->mass}, values) ||
         gli_words_no_memory(&r->words);
}

static bool read_points(reader *r, uint64_t points) {
  entries e = {0};
  double *values = GLI_NEW(double, r->policy->actions);
  if (!values) return gli_words_no_memory(&r->words);
  for (uint64_t i = 0; i < points && r->words.status != GLIMPSE_NO_MEMORY; i++) {
    if (!read_point(r, &e, values)) gli_words_next_line(&r->words);
    if (r->words.at == r->words.end && i + 1 < points && r->words.status) break;
  }
  gli_memory_free(e.state);
  gli_memory_free(e.mass);
  gli_memory_free(values);
  return !r->words.status;
}

static bool read_ceiling(reader *r) {
  glimpse_policy *policy = r->policy;
  uint64_t points = 0, left = (uint64_t)(r->words.end - r->words.at);
  if (!keyword(r, "ceiling")) return false;
  gli_word w = gli_words_next(&r->words);
  if (gli_word_is(&w, "none")) return end_line(r);
  if (!gli_word_digits(&w, &points) || points > left)
    return expected(r, &w, "'none', or a count of points that the text has room for");
  if (!end_line(r)) return false;
  if ((uint64_t)policy->states * policy->actions > left / 2)
    return gli_words_fail(&r->words, &w, GLIMPSE_BAD_SYNTAX,
                          "expected a number per state and action, but the text is too short");
  policy->ceiling = gli_ceiling_new(policy->states, policy->actions);
  if (!policy->ceiling) return gli_words_no_memory(&r->words);
  for (uint32_t s = 0; s < policy->states; s++) {
    if (!read_corner(r, s)) gli_words_next_line(&r->words);
    if (r->words.at == r->words.end && r->words.status) return false;
  }
  return read_points(r, points);
}

/* ------------------------------------------------------------------- whole */

/* Does the text end with its checksum?  Then r->words.end is where that begins. */
static bool find_tail(reader *r, const char *text, bool *right) {
  static const char head[] = "checksum ";
  *right = false;
  if (r->length < GLI_POLICY_FILE_TAIL) return false;
  const char *tail = text + r->length - GLI_POLICY_FILE_TAIL;
  if (memcmp(tail, head, sizeof head - 1) != 0 || (tail > text && tail[-1] != '\n')) return false;
  char wanted[GLI_POLICY_FILE_TAIL + 1];
  gli_policy_file_tail(gli_hash(GLI_HASH_START, text, (size_t)(tail - text)), wanted);
  *right = !memcmp(tail, wanted, GLI_POLICY_FILE_TAIL);
  r->words.end = tail;
  return true;
}

static void check_tail(reader *r, bool found, bool right) {
  gli_word here = {.line = r->words.line, .column = (uint64_t)(r->words.at - r->words.line_start) + 1};
  if (!found)
    gli_words_fail(&r->words, &here, GLIMPSE_BAD_SYNTAX,
                   "expected 'checksum' and 16 hexadecimal digits as the last line, found none: the "
                   "text is not whole");
  else if (!right)
    gli_words_fail(&r->words, &here, GLIMPSE_BAD_SYNTAX,
                   "the checksum is not that of the text, which was changed after it was written");
}

static void read_all(reader *r, const char *text) {
  bool right, found = find_tail(r, text, &right);
  bool read = read_head(r) && read_nodes(r) && read_ceiling(r);
  if (r->words.status == GLIMPSE_NO_MEMORY) return;
  if (read && r->words.at < r->words.end) {
    gli_word w = gli_words_next(&r->words);
    expected(r, &w, "'checksum'");
  }
  while (r->words.at < r->words.end) gli_words_next_line(&r->words);
  check_tail(r, found, right);
  if (!r->words.status && !gli_policy_find_depth(r->policy)) gli_words_no_memory(&r->words);
  if (!r->words.status && !gli_policy_whole(r->policy)) {
    gli_word nowhere = {0};
    gli_words_fail(&r->words, &nowhere, GLIMPSE_BAD_SYNTAX, "the policy is not consistent");
  }
}

glimpse_status glimpse_policy_read(const char *text, size_t length, const char *source, glimpse_report *report,
                                   glimpse_policy **policy) {
  *policy = NULL;
  gli_report_source(report, source ? source : "");
  const char *begin = length ? text : "";
  reader r = {.words = gli_words_start(begin, length, report), .length = length};
  r.policy = GLI_NEW(glimpse_policy, 1);
  if (!r.policy) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  read_all(&r, begin);
  if (r.words.status) glimpse_policy_free(r.policy);
  else *policy = r.policy;
  return r.words.status;
}
