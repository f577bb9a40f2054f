/* Writer of policy files; policy_file.h has the format.
 *
 * The same policy always gives the same bytes.  Linear in the text, with one buffer. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/report.h"
#include "formats/file.h"
#include "formats/stream.h"
#include "policy/policy.h"
#include "policy/policy_file.h"

void gli_policy_file_tail(uint64_t hash, char text[GLI_POLICY_FILE_TAIL + 1]) {
  snprintf(text, GLI_POLICY_FILE_TAIL + 1, "checksum %016" PRIx64 "\n", hash);
}

/* Counts what passes by on its way to the caller's sink. */
typedef struct counted {
  glimpse_sink sink;
  void *context;
  uint64_t hash;
} counted;

static bool pass_on(void *context, const char *text, size_t length) {
  counted *c = context;
  c->hash = gli_hash(c->hash, text, length);
  return c->sink(c->context, text, length);
}

typedef struct writer {
  const glimpse_policy *policy;
  gli_stream out;
} writer;

static void put_word(writer *w, const char *before, const char *word) {
  gli_stream_text(&w->out, before);
  gli_stream_text(&w->out, word);
}

static void put_name(writer *w, glimpse_kind kind, uint32_t i) {
  const gli_names *names = &w->policy->names[kind];
  if (names->given) gli_stream_text(&w->out, gli_names_get(names, i));
  else gli_stream_count(&w->out, i);
}

/* "keyword text", in one line whatever the text holds. */
static void put_line(writer *w, const char *key, const char *text) {
  put_word(w, key, " ");
  for (const char *c = text; *c; c++) {
    char code[8];
    bool plain = (unsigned char)*c >= ' ' && *c != '\\' && *c != 127;
    if (!plain) snprintf(code, sizeof code, "\\x%02x", (unsigned char)*c);
    if (plain) gli_stream_put(&w->out, c, 1);
    else gli_stream_text(&w->out, code);
  }
  gli_stream_text(&w->out, "\n");
}

static void put_number(writer *w, const char *key, double value) {
  put_word(w, key, " ");
  gli_stream_number(&w->out, value);
  gli_stream_text(&w->out, "\n");
}

static void put_kind(writer *w, const char *key, glimpse_kind kind, uint32_t count) {
  put_word(w, key, " ");
  gli_stream_count(&w->out, count);
  for (uint32_t i = 0; w->policy->names[kind].given && i < count; i++) {
    gli_stream_text(&w->out, " ");
    put_name(w, kind, i);
  }
  gli_stream_text(&w->out, "\n");
}

static void put_belief(writer *w, glimpse_row belief) {
  for (size_t i = 0; i < belief.count && !w->out.refused; i++) {
    gli_stream_text(&w->out, " ");
    put_name(w, GLIMPSE_STATE, belief.index[i]);
    gli_stream_text(&w->out, ":");
    gli_stream_number(&w->out, belief.value[i]);
  }
}

static void put_head(writer *w) {
  const glimpse_policy *policy = w->policy;
  char digest[24];
  gli_stream_text(&w->out, GLI_POLICY_FILE_HEAD "\n");
  put_line(w, "version", policy->version ? policy->version : glimpse_version());
  put_line(w, "model", policy->model ? policy->model : "");
  snprintf(digest, sizeof digest, "%016" PRIx64, policy->digest);
  put_line(w, "digest", digest);
  put_kind(w, "states", GLIMPSE_STATE, policy->states);
  put_kind(w, "actions", GLIMPSE_ACTION, policy->actions);
  put_kind(w, "observations", GLIMPSE_OBSERVATION, policy->observations);
  gli_stream_text(&w->out, "start");
  put_belief(w, gli_policy_start(policy));
  gli_stream_text(&w->out, "\n");
  put_number(w, "lower", policy->lower);
  put_number(w, "upper", policy->upper);
  put_number(w, "requests", policy->requests);
}

static void put_nodes(writer *w) {
  const glimpse_policy *policy = w->policy;
  gli_stream_text(&w->out, "nodes ");
  gli_stream_count(&w->out, policy->nodes);
  gli_stream_text(&w->out, "\n");
  for (uint32_t n = 0; n < policy->nodes && !w->out.refused; n++) {
    bool ask = policy->choice[n] == GLIMPSE_ANY;
    gli_stream_text(&w->out, "node ");
    gli_stream_count(&w->out, n);
    gli_stream_text(&w->out, ask ? " ask" : " do ");
    if (!ask) put_name(w, GLIMPSE_ACTION, policy->choice[n]);
    for (uint64_t e = policy->first[n]; e < policy->first[n + 1] && !w->out.refused; e++) {
      gli_stream_text(&w->out, " ");
      put_name(w, ask ? GLIMPSE_STATE : GLIMPSE_OBSERVATION, policy->seen[e]);
      gli_stream_text(&w->out, ":");
      gli_stream_count(&w->out, policy->to[e]);
    }
    gli_stream_text(&w->out, "\n");
  }
}

static void put_values(writer *w, const double *values) {
  for (uint32_t a = 0; a < w->policy->actions; a++) {
    gli_stream_text(&w->out, " ");
    gli_stream_number(&w->out, values[a]);
  }
  gli_stream_text(&w->out, "\n");
}

static void put_ceiling(writer *w) {
  const gli_ceiling *ceiling = w->policy->ceiling;
  if (!ceiling) {
    gli_stream_text(&w->out, "ceiling none\n");
    return;
  }
  gli_stream_text(&w->out, "ceiling ");
  gli_stream_count(&w->out, ceiling->points);
  gli_stream_text(&w->out, "\n");
  for (uint32_t s = 0; s < ceiling->states && !w->out.refused; s++) {
    gli_stream_text(&w->out, "corner ");
    put_name(w, GLIMPSE_STATE, s);
    put_values(w, ceiling->corner + (size_t)s * ceiling->actions);
  }
  for (size_t i = 0; i < ceiling->points && !w->out.refused; i++) {
    gli_stream_text(&w->out, "point");
    put_belief(w, gli_ceiling_point(ceiling, i));
    gli_stream_text(&w->out, " =");
    put_values(w, ceiling->value + i * ceiling->actions);
  }
}

glimpse_status glimpse_policy_write(const glimpse_policy *policy, glimpse_sink sink, void *context) {
  counted count = {sink, context, GLI_HASH_START};
  writer w = {.policy = policy};
  if (!gli_stream_start(&w.out, pass_on, &count)) return GLIMPSE_NO_MEMORY;
  put_head(&w);
  put_nodes(&w);
  put_ceiling(&w);
  gli_stream_flush(&w.out);
  char tail[GLI_POLICY_FILE_TAIL + 1];
  gli_policy_file_tail(count.hash, tail);
  gli_stream_text(&w.out, tail);
  return gli_stream_end(&w.out);
}

static glimpse_status write_policy(const void *policy, glimpse_sink sink, void *context) {
  return glimpse_policy_write(policy, sink, context);
}

glimpse_status glimpse_policy_write_file(const glimpse_policy *policy, const char *path, glimpse_report *report) {
  gli_report_source(report, path);
  return gli_file_write(path, write_policy, policy, report);
}
