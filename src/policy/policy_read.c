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

#include "base/memory.h"
#include "base/report.h"
#include "formats/file.h"
#include "policy/policy.h"
#include "policy/policy_file.h"

enum {
  QUOTED = 40,          /* bytes of a word that a message shows */
  FREE_NAMES = 1 << 20, /* so many states may have no names in a text however short ... */
  NAMES_PER_BYTE = 64   /* ... and so many for each byte of it */
};

/* A run of bytes that are neither blanks nor line ends; empty: the line has ended. */
typedef struct word {
  const char *text;
  size_t length;
  uint64_t line, column;
} word;

typedef struct reader {
  const char *at, *end, *line_start;
  uint64_t line;
  size_t length; /* of the whole text */
  glimpse_report *report;
  glimpse_status status; /* the first error */
  glimpse_policy *policy;
} reader;

/* ------------------------------------------------------------------- words */

static bool fail(reader *r, const word *at, glimpse_status code, const char *format, ...) GLI_PRINTF(4, 5);

static bool fail(reader *r, const word *at, glimpse_status code, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gli_report_add(r->report, GLIMPSE_ERROR, code, at->line, at->column, "%s", text);
  if (!r->status) r->status = code;
  return false;
}

static bool no_memory(reader *r) {
  word here = {.line = r->line};
  return fail(r, &here, GLIMPSE_NO_MEMORY, "out of memory");
}

/* The word as it may be shown, in quotes. */
static const char *shown(const word *w, char text[QUOTED + 8]) {
  if (!w->length) return "the end of the line";
  size_t kept = w->length < QUOTED ? w->length : QUOTED, at = 0;
  text[at++] = '\'';
  for (size_t i = 0; i < kept; i++) {
    unsigned char c = (unsigned char)w->text[i];
    text[at++] = c < ' ' || c >= 127 ? '?' : (char)c;
  }
  for (size_t i = 0; i < 3 && kept < w->length; i++) text[at++] = '.';
  text[at++] = '\'';
  text[at] = 0;
  return text;
}

static bool expected(reader *r, const word *found, const char *what) {
  char text[QUOTED + 8];
  return fail(r, found, GLIMPSE_BAD_SYNTAX, "expected %s, found %s", what, shown(found, text));
}

static bool is(const word *w, const char *text) {
  return w->length == strlen(text) && !memcmp(w->text, text, w->length);
}

static word next_word(reader *r) {
  while (r->at < r->end && *r->at == ' ') r->at++;
  word w = {.text = r->at, .line = r->line, .column = (uint64_t)(r->at - r->line_start) + 1};
  while (r->at < r->end && *r->at != ' ' && *r->at != '\n') r->at++;
  w.length = (size_t)(r->at - w.text);
  return w;
}

/* Goes to the next line, whatever is left of this one. */
static void next_line(reader *r) {
  const char *end = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
  r->at = end ? end + 1 : r->end;
  r->line_start = r->at;
  r->line++;
}

static bool end_line(reader *r) {
  word w = next_word(r);
  return w.length || r->at == r->end ? expected(r, &w, "the end of the line") : (next_line(r), true);
}

static bool keyword(reader *r, const char *key) {
  char what[40];
  word w = next_word(r);
  if (is(&w, key)) return true;
  snprintf(what, sizeof what, "'%s'", key);
  if (!w.length && r->at == r->end) return fail(r, &w, GLIMPSE_BAD_SYNTAX, "expected %s, found the end", what);
  return expected(r, &w, what);
}

/* ----------------------------------------------------------------- numbers */

static bool digits(const word *w, uint64_t *count) {
  *count = 0;
  for (size_t i = 0; i < w->length; i++) {
    if (w->text[i] < '0' || w->text[i] > '9' || i > 18) return false;
    *count = 10 * *count + (uint64_t)(w->text[i] - '0');
  }
  return w->length;
}

static bool read_count(reader *r, const char *what, uint64_t low, uint64_t high, uint64_t *count) {
  char text[100];
  word w = next_word(r);
  if (digits(&w, count) && *count >= low && *count <= high) return true;
  snprintf(text, sizeof text, "%s, %" PRIu64 " to %" PRIu64, what, low, high);
  return expected(r, &w, text);
}

/* A number, infinite where `low` or `high` is. */
static bool number(reader *r, const word *w, const char *what, double low, double high, double *value) {
  bool read = w->length && glimpse_number_read(w->text, w->length, value) == w->length && isfinite(*value);
  if (is(w, "inf")) *value = (double)INFINITY, read = true;
  if (is(w, "-inf")) *value = -(double)INFINITY, read = true;
  return read && *value >= low && *value <= high ? true : expected(r, w, what);
}

static bool read_number(reader *r, const char *key, double low, double high, double *value) {
  if (!keyword(r, key)) return false;
  word w = next_word(r);
  return number(r, &w, "a number", low, high, value) && end_line(r);
}

/* ------------------------------------------------------------------- names */

/* The number of a name. */
static bool label(reader *r, const word *w, glimpse_kind kind, uint32_t *i) {
  static const char *const what[] = {"a state", "an action", "an observation"};
  const gli_names *names = &r->policy->names[kind];
  uint64_t count;
  *i = names->given ? gli_names_find(names, w->text, w->length) : GLIMPSE_ANY;
  if (!names->given && digits(w, &count) && count < names->count) *i = (uint32_t)count;
  return *i != GLIMPSE_ANY ? true : expected(r, w, what[kind]);
}

/* Takes "left:right" apart; the right word may be empty. */
static bool divide(reader *r, const word *w, word *left, word *right) {
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
  word w = next_word(r);
  if (!w.length) {
    if (n > FREE_NAMES && n / NAMES_PER_BYTE > r->length)
      return fail(r, &w, GLIMPSE_TOO_LARGE, "so short a text has no policy for %" PRIu64 " %s", n, key);
    return (gli_names_number(names) || no_memory(r)) && end_line(r);
  }
  if (n > r->length) return fail(r, &w, GLIMPSE_BAD_SYNTAX, "expected %" PRIu64 " names, but the text is too short", n);
  for (uint32_t i = 0; i < *count; i++, w = next_word(r)) {
    if (!gli_names_valid(w.text, w.length)) return expected(r, &w, "a name");
    gli_names_result result = gli_names_set(names, i, w.text, w.length);
    if (result == GLI_NAMES_NO_MEMORY) return no_memory(r);
    if (result == GLI_NAMES_TAKEN) return fail(r, &w, GLIMPSE_BAD_SYNTAX, "this name stands here twice");
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
  if (r->at < r->end && *r->at == ' ') r->at++;
  const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
  size_t room = end ? (size_t)(end - r->at) : 0, used = 0;
  if (!room) return end_line(r);
  *text = GLI_NEW(char, room + 1);
  if (!*text) return no_memory(r);
  for (const char *c = r->at; c < end; c++) {
    int high = end - c > 3 ? hex(c[2]) : -1, low = end - c > 3 ? hex(c[3]) : -1;
    word here = {c, 1, r->line, (uint64_t)(c - r->line_start) + 1};
    bool code = *c == '\\';
    if (code && (c + 1 == end || c[1] != 'x' || high < 0 || low < 0 || high + low == 0))
      return expected(r, &here, "two hexadecimal digits behind \\x");
    (*text)[used++] = code ? (char)(high << 4 | low) : *c;
    c += code ? 3 : 0;
  }
  r->at = end;
  return end_line(r);
}

static bool read_digest(reader *r) {
  if (!keyword(r, "digest")) return false;
  word w = next_word(r);
  bool right = w.length == 16;
  for (size_t i = 0; right && i < 16; i++) {
    right = hex(w.text[i]) >= 0;
    r->policy->digest = r->policy->digest << 4 | (uint64_t)(hex(w.text[i]) & 15);
  }
  return right ? end_line(r) : expected(r, &w, "16 hexadecimal digits");
}

/* Adds an entry of a belief, which begins with word w. */
static bool entry(reader *r, const word *w, size_t count, uint32_t last, uint32_t *s, double *p) {
  word left, right;
  if (!divide(r, w, &left, &right) || !label(r, &left, GLIMPSE_STATE, s)) return false;
  if (count && *s <= last) return fail(r, &left, GLIMPSE_BAD_SYNTAX, "the states of a belief do not ascend");
  if (!number(r, &right, "a probability above 0", 0, 1, p)) return false;
  return *p > 0 ? true : expected(r, &right, "a probability above 0");
}

/* The entries of a belief up to the word *w that has no colon, which is the next. */
typedef struct entries {
  uint32_t *state;
  double *mass;
  size_t count, state_room, mass_room;
} entries;

static bool read_belief(reader *r, entries *e, word *w) {
  double sum = 0;
  e->count = 0;
  for (*w = next_word(r); w->length && !is(w, "="); *w = next_word(r)) {
    if (!GLI_GROW(e->state, e->state_room, e->count + 1) || !GLI_GROW(e->mass, e->mass_room, e->count + 1))
      return no_memory(r);
    uint32_t last = e->count ? e->state[e->count - 1] : 0;
    if (!entry(r, w, e->count, last, &e->state[e->count], &e->mass[e->count])) return false;
    sum += e->mass[e->count++];
  }
  if (!(fabs(sum - 1) <= 1e-9)) return fail(r, w, GLIMPSE_BAD_SYNTAX, "the probabilities do not sum to 1");
  return true;
}

static bool read_start(reader *r) {
  entries e = {0};
  word w;
  bool read = keyword(r, "start") && read_belief(r, &e, &w);
  if (read && w.length) read = expected(r, &w, "the end of the line");
  r->policy->start_state = e.state;
  r->policy->start_mass = e.mass;
  r->policy->start_count = (uint32_t)e.count;
  return read && end_line(r);
}

static bool read_head(reader *r) {
  glimpse_policy *policy = r->policy;
  word first = next_word(r), format = next_word(r);
  if (!is(&first, "glimpse-policy")) return expected(r, &first, "'glimpse-policy', with which a policy begins");
  if (!is(&format, "1")) return expected(r, &format, "format 1, the only one that this version reads");
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
static bool read_edge(reader *r, const word *w, gli_edge_list *list) {
  word left, right;
  uint32_t seen;
  uint64_t to = 0, first = list->first[list->nodes - 1];
  bool ask = list->choice[list->nodes - 1] == GLIMPSE_ANY;
  if (!divide(r, w, &left, &right)) return false;
  if (!label(r, &left, ask ? GLIMPSE_STATE : GLIMPSE_OBSERVATION, &seen)) return false;
  if (!digits(&right, &to) || to >= r->policy->nodes) return expected(r, &right, "the number of a node");
  if (list->edges > first && list->seen[list->edges - 1] >= seen)
    return fail(r, &left, GLIMPSE_BAD_SYNTAX, "the edges of a node do not ascend");
  return gli_edge_list_edge(list, seen, (uint32_t)to) || no_memory(r);
}

static bool read_node(reader *r, uint32_t n, gli_edge_list *list) {
  uint64_t number = n;
  uint32_t choice = GLIMPSE_ANY;
  if (!keyword(r, "node") || !read_count(r, "the number of the node", n, n, &number)) return false;
  word how = next_word(r);
  if (is(&how, "do")) {
    word action = next_word(r);
    if (!label(r, &action, GLIMPSE_ACTION, &choice)) return false;
  } else if (!is(&how, "ask")) {
    return expected(r, &how, "'do' or 'ask'");
  }
  if (!gli_edge_list_node(list, choice)) return no_memory(r);
  for (word w = next_word(r); w.length; w = next_word(r))
    if (!read_edge(r, &w, list)) return false;
  return end_line(r);
}

/* The place of the edge in the text; for complaints. */
static word edge_place(const reader *begin, uint32_t n, uint64_t k) {
  reader r = *begin;
  for (uint32_t i = 0; i < n; i++) next_line(&r);
  word w = next_word(&r);
  for (uint64_t i = 0; i < k + 3; i++) w = next_word(&r); /* behind "node N ask" */
  return w;
}

/* P3: after asking comes an action. */
static void check_asking(reader *r, const reader *begin) {
  const glimpse_policy *policy = r->policy;
  for (uint32_t n = 0; n < policy->nodes; n++) {
    if (policy->choice[n] != GLIMPSE_ANY) continue;
    for (uint64_t e = policy->first[n]; e < policy->first[n + 1]; e++) {
      if (policy->choice[policy->to[e]] != GLIMPSE_ANY) continue;
      word at = {0};
      if (!gli_report_full(r->report, GLIMPSE_ERROR)) at = edge_place(begin, n, e - policy->first[n]);
      fail(r, &at, GLIMPSE_BAD_SYNTAX, "after asking comes an action, but node %" PRIu32 " asks again", policy->to[e]);
    }
  }
}

static bool read_nodes(reader *r) {
  glimpse_policy *policy = r->policy;
  uint64_t count = 0;
  size_t most = (size_t)(r->end - r->at) / (sizeof "node 0 ask" - 1);
  if (most >= GLIMPSE_ANY) most = GLIMPSE_ANY - 1;
  if (!keyword(r, "nodes") || !read_count(r, "a count of nodes that the text has room for", 1, most, &count))
    return false;
  if (!end_line(r)) return false;
  policy->nodes = (uint32_t)count;
  reader begin = *r;
  gli_edge_list list = {0};
  for (uint32_t n = 0; n < count && r->status != GLIMPSE_NO_MEMORY; n++) {
    if (!read_node(r, n, &list)) next_line(r);
    if (r->status && r->at == r->end) break; /* said of the line that is missing */
  }
  if (r->status) return gli_edge_list_free(&list), policy->nodes = 0, false;
  gli_policy_take(policy, &list);
  check_asking(r, &begin);
  return !r->status;
}

/* ----------------------------------------------------------------- ceiling */

static bool read_values(reader *r, double *values) {
  for (uint32_t a = 0; a < r->policy->actions; a++) {
    word w = next_word(r);
    if (!number(r, &w, "a number per action, or 'inf'", -1.7976931348623157e308, (double)INFINITY, &values[a]))
      return false;
  }
  return end_line(r);
}

static bool read_corner(reader *r, uint32_t s) {
  if (!keyword(r, "corner")) return false;
  uint32_t state;
  word w = next_word(r);
  if (!label(r, &w, GLIMPSE_STATE, &state)) return false;
  if (state != s) return fail(r, &w, GLIMPSE_BAD_SYNTAX, "expected the corner of state %" PRIu32 ", found another", s);
  return read_values(r, r->policy->ceiling->corner + (size_t)s * r->policy->actions);
}

static bool read_point(reader *r, entries *e, double *values) {
  word w;
  if (!keyword(r, "point") || !read_belief(r, e, &w)) return false;
  if (!is(&w, "=")) return expected(r, &w, "'='");
  if (!read_values(r, values)) return false;
  return gli_ceiling_add(r->policy->ceiling, (glimpse_row){e->count, e->state, e->mass}, values) || no_memory(r);
}

static bool read_points(reader *r, uint64_t points) {
  entries e = {0};
  double *values = GLI_NEW(double, r->policy->actions);
  if (!values) return no_memory(r);
  for (uint64_t i = 0; i < points && r->status != GLIMPSE_NO_MEMORY; i++) {
    if (!read_point(r, &e, values)) next_line(r);
    if (r->at == r->end && i + 1 < points && r->status) break;
  }
  gli_memory_free(e.state);
  gli_memory_free(e.mass);
  gli_memory_free(values);
  return !r->status;
}

static bool read_ceiling(reader *r) {
  glimpse_policy *policy = r->policy;
  uint64_t points = 0, left = (uint64_t)(r->end - r->at);
  if (!keyword(r, "ceiling")) return false;
  word w = next_word(r);
  if (is(&w, "none")) return end_line(r);
  if (!digits(&w, &points) || points > left)
    return expected(r, &w, "'none', or a count of points that the text has room for");
  if (!end_line(r)) return false;
  if ((uint64_t)policy->states * policy->actions > left / 2)
    return fail(r, &w, GLIMPSE_BAD_SYNTAX, "expected a number per state and action, but the text is too short");
  policy->ceiling = gli_ceiling_new(policy->states, policy->actions);
  if (!policy->ceiling) return no_memory(r);
  for (uint32_t s = 0; s < policy->states; s++) {
    if (!read_corner(r, s)) next_line(r);
    if (r->at == r->end && r->status) return false;
  }
  return read_points(r, points);
}

/* ------------------------------------------------------------------- whole */

/* Does the text end with its checksum?  Then r->end is where that begins. */
static bool find_tail(reader *r, const char *text, bool *right) {
  static const char head[] = "checksum ";
  *right = false;
  if (r->length < GLI_POLICY_FILE_TAIL) return false;
  const char *tail = text + r->length - GLI_POLICY_FILE_TAIL;
  if (memcmp(tail, head, sizeof head - 1) != 0 || (tail > text && tail[-1] != '\n')) return false;
  char wanted[GLI_POLICY_FILE_TAIL + 1];
  gli_policy_file_tail(gli_policy_file_hash(GLI_POLICY_FILE_HASH, text, (size_t)(tail - text)), wanted);
  *right = !memcmp(tail, wanted, GLI_POLICY_FILE_TAIL);
  r->end = tail;
  return true;
}

static void check_tail(reader *r, bool found, bool right) {
  word here = {.line = r->line, .column = (uint64_t)(r->at - r->line_start) + 1};
  if (!found)
    fail(r, &here, GLIMPSE_BAD_SYNTAX,
         "expected 'checksum' and 16 hexadecimal digits as the last line, found none: the "
         "text is not whole");
  else if (!right)
    fail(r, &here, GLIMPSE_BAD_SYNTAX, "the checksum is not that of the text, which was changed after it was written");
}

static void read_all(reader *r, const char *text) {
  bool right, found = find_tail(r, text, &right);
  bool read = read_head(r) && read_nodes(r) && read_ceiling(r);
  if (r->status == GLIMPSE_NO_MEMORY) return;
  if (read && r->at < r->end) {
    word w = next_word(r);
    expected(r, &w, "'checksum'");
  }
  while (r->at < r->end) next_line(r);
  if (r->at > r->line_start) r->line_start = r->at;
  check_tail(r, found, right);
  if (!r->status && !gli_policy_find_depth(r->policy)) no_memory(r);
  if (!r->status && !gli_policy_whole(r->policy)) {
    word nowhere = {0};
    fail(r, &nowhere, GLIMPSE_BAD_SYNTAX, "the policy is not consistent");
  }
}

glimpse_status glimpse_policy_read(const char *text, size_t length, const char *source, glimpse_report *report,
                                   glimpse_policy **policy) {
  *policy = NULL;
  gli_report_source(report, source ? source : "");
  const char *begin = length ? text : "";
  reader r = {.at = begin, .end = begin + length, .line_start = begin, .line = 1, .length = length, .report = report};
  r.policy = GLI_NEW(glimpse_policy, 1);
  if (!r.policy) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  read_all(&r, begin);
  if (r.status) glimpse_policy_free(r.policy);
  else *policy = r.policy;
  return r.status;
}

glimpse_status glimpse_policy_read_file(const char *path, glimpse_report *report, glimpse_policy **policy) {
  *policy = NULL;
  char *text;
  size_t length;
  bool standard = strcmp(path, "-") == 0;
  const char *source = standard ? "standard input" : path;
  gli_report_source(report, source);
  glimpse_status status = gli_file_read(standard ? NULL : path, report, &text, &length);
  if (status) return status;
  status = glimpse_policy_read(text, length, source, report, policy);
  gli_memory_free(text);
  return status;
}
