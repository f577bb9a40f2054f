/* Writer of the .pomdp format.
 *
 * The same model always gives the same bytes, and these read again give the
 * same model, bit for bit: numbers are written as the shortest text that reads
 * back exactly, rows that sum to 1 are not touched by the gate, and rewards are
 * written in their canonical shape (model.h), which the gate finds again.
 *
 * T, O and R are written as single entries, row by row.  Rows that are the same
 * under every action come first, with `*` for the action; then each action has
 * the rows of its own.  Cost: linear in the model, with one buffer. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "formats/file.h"
#include "formats/pomdp_scene.h"
#include "formats/scanner.h"
#include "formats/stream.h"
#include "model/inquiry.h"
#include "model/model.h"

enum { LINE_WIDTH = 100 };

typedef struct writer {
  const glimpse_model *model;
  gli_stream out;
  uint8_t *shared; /* per state: is its row the same under every action? */
} writer;

static void put_index(writer *w, glimpse_kind kind, uint32_t i) {
  gli_stream_text(&w->out, i == GLIMPSE_ANY ? "*" : gli_names_get(&w->model->names[kind], i));
}

/* A list of words, in lines of a readable width. */
typedef struct list {
  writer *writer;
  size_t width; /* of the current line */
} list;

/* A keyword never stands first in a line: it would be read as one. */
static void put_item(list *l, const char *text, size_t length) {
  if (l->width + 1 + length > LINE_WIDTH && gli_section_find(text, length) == GLI_SECTION_NONE) {
    gli_stream_text(&l->writer->out, "\n ");
    l->width = 1;
  }
  gli_stream_text(&l->writer->out, " ");
  gli_stream_put(&l->writer->out, text, length);
  l->width += 1 + length;
}

/* ---- preamble ---- */

static void put_kind(writer *w, gli_section section, glimpse_kind kind) {
  const gli_names *names = &w->model->names[kind];
  list l = {w, strlen(gli_section_text(section)) + 1};
  gli_stream_text(&w->out, gli_section_text(section));
  gli_stream_text(&w->out, ":");
  if (!names->given) {
    gli_stream_text(&w->out, " ");
    gli_stream_count(&w->out, names->count);
  }
  for (uint32_t i = 0; names->given && i < names->count; i++) {
    const char *name = gli_names_get(names, i);
    put_item(&l, name, strlen(name));
  }
  gli_stream_text(&w->out, "\n");
}

static void put_costs(writer *w) {
  const glimpse_model *model = w->model;
  if (!model->requests) return;
  for (uint32_t s = 0; s < (model->costs ? model->states : 1); s++) {
    gli_stream_text(&w->out, "# glimpse: cost ");
    if (model->costs) {
      put_index(w, GLIMPSE_STATE, s);
      gli_stream_text(&w->out, " ");
    }
    gli_stream_number(&w->out, glimpse_model_cost(model, s));
    gli_stream_text(&w->out, "\n");
  }
}

/* ---- inquiries ---- */

static void put_note(writer *w, const char *key, const char *name) {
  gli_stream_text(&w->out, "# glimpse: ");
  gli_stream_text(&w->out, key);
  gli_stream_text(&w->out, " ");
  gli_stream_text(&w->out, name);
}

static void put_word(writer *w, const char *text) {
  gli_stream_text(&w->out, " ");
  gli_stream_text(&w->out, text);
}

static void put_note_number(writer *w, double value) {
  gli_stream_text(&w->out, " ");
  gli_stream_number(&w->out, value);
  gli_stream_text(&w->out, "\n");
}

static void put_note_state(writer *w, uint32_t s) {
  gli_stream_text(&w->out, " ");
  put_index(w, GLIMPSE_STATE, s);
}

/* A(z|s) and D(s'|s), line by line; of the state only when it fails. */
static void put_inquiry_rows(writer *w, uint32_t i) {
  const glimpse_model *model = w->model;
  glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
  for (uint32_t s = 0; s < model->states; s++) {
    glimpse_row row = glimpse_model_inquiry_answers(model, i, s);
    for (size_t n = 0; n < row.count; n++) {
      bool nothing = row.index[n] == inquiry.nothing;
      if (inquiry.state && !nothing) continue;
      put_note(w, inquiry.state ? "failure" : "answer", inquiry.name);
      put_note_state(w, s);
      if (!inquiry.state) put_word(w, glimpse_model_answer_name(model, i, row.index[n]));
      put_note_number(w, row.value[n]);
    }
    row = glimpse_model_inquiry_effect(model, i, s);
    for (size_t n = 0; n < row.count; n++) {
      put_note(w, "effect", inquiry.name);
      put_note_state(w, s);
      put_note_state(w, row.index[n]);
      put_note_number(w, row.value[n]);
    }
  }
}

static void put_inquiry(writer *w, uint32_t i) {
  const glimpse_model *model = w->model;
  glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
  bool uniform = glimpse_model_inquiry_price_uniform(model, i);
  put_note(w, "inquiry", inquiry.name);
  put_word(w, glimpse_timing_key(inquiry.timing));
  gli_stream_text(&w->out, " ");
  gli_stream_number(&w->out, uniform ? glimpse_model_inquiry_price(model, i, 0) : 0);
  put_word(w, inquiry.state ? "state" : "answers");
  const gli_names *names = &model->inquiries[i].names;
  if (!inquiry.state && !names->given) {
    gli_stream_text(&w->out, " ");
    gli_stream_count(&w->out, names->count);
  }
  for (uint32_t z = 0; !inquiry.state && names->given && z < names->count; z++) put_word(w, gli_names_get(names, z));
  gli_stream_text(&w->out, "\n");
  for (uint32_t s = 0; !uniform && s < model->states; s++) {
    put_note(w, "price", inquiry.name);
    put_note_state(w, s);
    put_note_number(w, glimpse_model_inquiry_price(model, i, s));
  }
  if (inquiry.unpaid) {
    put_note(w, "unpaid", inquiry.name);
    gli_stream_text(&w->out, "\n");
  }
  put_inquiry_rows(w, i);
}

static void put_inquiries(writer *w) {
  const glimpse_limits *limits = &w->model->limits;
  for (uint32_t i = 0; i < w->model->inquiry_count; i++) put_inquiry(w, i);
  const char *const keys[3] = {"requests", "horizon", "per-step"};
  uint32_t numbers[3] = {limits->requests, limits->horizon, limits->per_step};
  for (int k = 0; k < 3; k++) {
    if (!numbers[k]) continue;
    put_note(w, "limit", keys[k]);
    put_note_number(w, numbers[k]);
  }
}

/* Are these the numbers that the reader makes of a uniform distribution? */
static bool is_uniform(glimpse_row row) {
  for (size_t i = 0; i < row.count; i++)
    if (row.value[i] != 1.0 / (double)row.count) return false;
  return true;
}

/* The states of the start, or the others when these are fewer. */
static void put_state_list(writer *w, glimpse_row start) {
  const gli_names *names = &w->model->names[GLIMPSE_STATE];
  bool exclude = start.count > w->model->states / 2;
  /* a state called uniform would be read as the word if it stood alone */
  bool one = start.count == 1 && strcmp(gli_names_get(names, start.index[0]), "uniform") != 0;
  const char *head = one ? "start:" : exclude ? "start exclude:" : "start include:";
  list l = {w, strlen(head)};
  gli_stream_text(&w->out, head);
  for (uint32_t i = 0, s = 0; s < w->model->states; s++) {
    bool in = i < start.count && start.index[i] == s;
    i += in;
    if (in != exclude) put_item(&l, gli_names_get(names, s), strlen(gli_names_get(names, s)));
  }
}

static void put_vector(writer *w, glimpse_row start) {
  list l = {w, strlen("start:")};
  gli_stream_text(&w->out, "start:");
  for (size_t i = 0, s = 0; s < w->model->states; s++) {
    char text[GLIMPSE_NUMBER_SIZE];
    double p = i < start.count && start.index[i] == s ? start.value[i++] : 0;
    put_item(&l, text, glimpse_number_write(p, text));
  }
}

static void put_start(writer *w) {
  glimpse_row start = gli_table_row(&w->model->start, 0);
  if (!is_uniform(start)) put_vector(w, start);
  else if (start.count == w->model->states) gli_stream_text(&w->out, "start: uniform");
  else put_state_list(w, start);
  gli_stream_text(&w->out, "\n");
}

static void put_preamble(writer *w) {
  gli_stream_text(&w->out, "# A POMDP written by glimpse.\n");
  gli_stream_text(&w->out, "discount: ");
  gli_stream_number(&w->out, w->model->discount);
  gli_stream_text(&w->out, "\nvalues: reward\n");
  put_kind(w, GLI_SECTION_STATES, GLIMPSE_STATE);
  put_kind(w, GLI_SECTION_ACTIONS, GLIMPSE_ACTION);
  put_kind(w, GLI_SECTION_OBSERVATIONS, GLIMPSE_OBSERVATION);
  put_costs(w);
  put_inquiries(w);
  put_start(w);
}

/* ---- T and O ---- */

static bool same_row(glimpse_row left, glimpse_row right) {
  return left.count == right.count && memcmp(left.index, right.index, left.count * sizeof *left.index) == 0 &&
         memcmp(left.value, right.value, left.count * sizeof *left.value) == 0;
}

static void put_row(writer *w, char letter, glimpse_kind kind, uint32_t a, uint32_t s, glimpse_row row) {
  for (size_t i = 0; i < row.count && !w->out.refused; i++) {
    char head[] = {letter, ':', ' '};
    gli_stream_put(&w->out, head, sizeof head);
    put_index(w, GLIMPSE_ACTION, a);
    gli_stream_put(&w->out, " : ", 3);
    put_index(w, GLIMPSE_STATE, s);
    gli_stream_put(&w->out, " : ", 3);
    put_index(w, kind, row.index[i]);
    gli_stream_put(&w->out, " ", 1);
    gli_stream_number(&w->out, row.value[i]);
    gli_stream_put(&w->out, "\n", 1);
  }
}

static void put_table(writer *w, char letter, glimpse_kind kind, const gli_table *table) {
  const glimpse_model *model = w->model;
  gli_stream_text(&w->out, "\n");
  for (uint32_t s = 0; s < model->states; s++) {
    glimpse_row first = gli_table_row(table, s);
    w->shared[s] = model->actions > 1;
    for (uint32_t a = 1; a < model->actions && w->shared[s]; a++)
      w->shared[s] = same_row(first, gli_table_row(table, gli_model_row(model, a, s)));
    if (w->shared[s]) put_row(w, letter, kind, GLIMPSE_ANY, s, first);
  }
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++)
      if (!w->shared[s]) put_row(w, letter, kind, a, s, gli_table_row(table, gli_model_row(model, a, s)));
}

/* ---- R ---- */

static bool same_steps(const gli_steps *steps, uint64_t left, uint64_t right) {
  uint64_t l = steps->row[left], r = steps->row[right];
  size_t count = (size_t)(steps->row[left + 1] - l);
  if (steps->row[right + 1] - r != count) return false;
  return count == 0 ||
         (memcmp(steps->next + l, steps->next + r, count * sizeof *steps->next) == 0 &&
          memcmp(steps->observation + l, steps->observation + r, count * sizeof *steps->observation) == 0 &&
          memcmp(steps->value + l, steps->value + r, count * sizeof *steps->value) == 0);
}

static void put_steps(writer *w, uint32_t a, uint32_t s, uint64_t row) {
  const gli_steps *steps = &w->model->steps;
  for (uint64_t i = steps->row[row]; i < steps->row[row + 1] && !w->out.refused; i++) {
    gli_stream_put(&w->out, "R: ", 3);
    put_index(w, GLIMPSE_ACTION, a);
    gli_stream_put(&w->out, " : ", 3);
    put_index(w, GLIMPSE_STATE, s);
    gli_stream_put(&w->out, " : ", 3);
    put_index(w, GLIMPSE_STATE, steps->next[i]);
    gli_stream_put(&w->out, " : ", 3);
    put_index(w, GLIMPSE_OBSERVATION, steps->observation[i]);
    gli_stream_put(&w->out, " ", 1);
    gli_stream_number(&w->out, steps->value[i]);
    gli_stream_put(&w->out, "\n", 1);
  }
}

static void put_rewards(writer *w) {
  const glimpse_model *model = w->model;
  gli_stream_text(&w->out, "\n");
  for (uint32_t s = 0; s < model->states; s++) {
    w->shared[s] = model->actions > 1;
    for (uint32_t a = 1; a < model->actions && w->shared[s]; a++)
      w->shared[s] = same_steps(&model->steps, s, gli_model_row(model, a, s));
    if (w->shared[s]) put_steps(w, GLIMPSE_ANY, s, s);
  }
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++)
      if (!w->shared[s]) put_steps(w, a, s, gli_model_row(model, a, s));
}

glimpse_status glimpse_pomdp_write(const glimpse_model *model, glimpse_sink sink, void *context) {
  writer w = {.model = model, .shared = GLI_NEW(uint8_t, model->states)};
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (w.shared && gli_stream_start(&w.out, sink, context)) {
    put_preamble(&w);
    put_table(&w, 'T', GLIMPSE_STATE, &model->transition);
    put_table(&w, 'O', GLIMPSE_OBSERVATION, &model->observe);
    put_rewards(&w);
    bool drawn = gli_pomdp_scene_write(&w.out, model);
    status = gli_stream_end(&w.out);
    if (!drawn) status = GLIMPSE_NO_MEMORY;
  }
  gli_memory_free(w.shared);
  return status;
}

static glimpse_status write_model(const void *model, glimpse_sink sink, void *context) {
  return glimpse_pomdp_write(model, sink, context);
}

glimpse_status glimpse_pomdp_write_file(const glimpse_model *model, const char *path, glimpse_report *report) {
  gli_report_source(report, path);
  return gli_file_write(path, write_model, model, report);
}
