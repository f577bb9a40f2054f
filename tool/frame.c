/* Frame: see frame.h.
 *
 * From above: a title, how far the episode is, the world and the belief with the
 * choices beside or below them, the decision and what came of it, the lines along
 * the episode, and what the keys do.  In a small window the decision comes first,
 * then the pictures (a line of words when they do not fit), then the rest.  Nothing
 * moves between two moments of a run in a window of one size, except that the
 * decision needs one line more when the agent asks, which is always kept free. */
#include "frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 10, CHOICES_WIDTH = 30, CHOICES_MOST = 40, STATES_LEAST = 6, DECISION = 3, LINES = 3 };

/* -------------------------------------------------------------- small texts */

static const char *number(double value, int digits, char text[32]) {
  if (isnan(value)) snprintf(text, 32, "-");
  else if (fabs(value) >= 1e7) snprintf(text, 32, "%.3g", value);
  else snprintf(text, 32, "%.*f", digits, value);
  return text;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static void put_title(struct canvas *canvas, const struct subject *subject) {
  const char *slash = strrchr(subject->model, '/');
  size_t length = strlen(subject->model) + strlen(subject->settings) + sizeof "glimpse    ";
  canvas_blank(canvas, 0, 0, canvas->columns, STYLE_TITLE);
  bool fits = length < (size_t)canvas->columns; /* else a file is named without its directory */
  canvas_print(canvas, 0, 1, STYLE_TITLE, "glimpse  %s  %s", slash && !fits ? slash + 1 : subject->model,
               subject->settings);
}

/* If all of it fits; returns where it ends. */
static int put_piece(struct canvas *canvas, int row, int at, enum canvas_style style, const char *text) {
  if (at + (int)strlen(text) > canvas->columns) return at;
  return canvas_text(canvas, row, at, style, text);
}

static void put_status(struct canvas *canvas, int row, const struct subject *subject, const struct moment *moment) {
  char text[120], digits[32];
  int at =
      canvas_print(canvas, row, 1, STYLE_STRONG, "episode %llu of %llu, step %u",
                   (unsigned long long)moment->episode + 1, (unsigned long long)subject->episodes, moment->step + 1);
  snprintf(text, sizeof text, "  return %s", number(moment->total, 4, digits));
  at = put_piece(canvas, row, at, STYLE_PLAIN, text);
  snprintf(text, sizeof text, "  %u request%s", moment->requests, plural(moment->requests));
  if (subject->requests) at = put_piece(canvas, row, at, STYLE_PLAIN, text);
  snprintf(text, sizeof text, "  %s bits of doubt", number(moment->entropy, 2, digits));
  put_piece(canvas, row, at, STYLE_PLAIN, text);
}

/* ----------------------------------------------------------------- decision */

/* Returns where it ends, or where what stands before it does. */
static int put_worth(struct canvas *canvas, int row, int column, const struct moment_decision *decision) {
  char text[80] = "", a[32], b[32];
  if (!isnan(decision->lower))
    snprintf(text, sizeof text, "worth %s to %s", number(decision->lower, 3, a), number(decision->upper, 3, b));
  else if (!isnan(decision->value)) snprintf(text, sizeof text, "worth about %s", number(decision->value, 3, a));
  int at = put_piece(canvas, row, column, STYLE_PLAIN, text);
  return at > column ? at : column - 2;
}

/* How it was found; what does not fit is left out. */
static void put_search(struct canvas *canvas, int row, int column, const struct subject *subject,
                       const struct moment_decision *decision) {
  if (decision->stop == GLIMPSE_STOP_RULE) {
    canvas_text(canvas, row, column, STYLE_QUIET, "by rule");
    return;
  }
  char text[120], rest[60] = "";
  if (!isnan(decision->seconds)) snprintf(rest, sizeof rest, " in %.3f s", decision->seconds);
  snprintf(text, sizeof text, "%llu %s%s%s", (unsigned long long)decision->expansions,
           subject->simulates ? "simulation" : "expansion", plural(decision->expansions), rest);
  if (column + (int)strlen(text) > canvas->columns) return;
  int at = canvas_text(canvas, row, column, STYLE_QUIET, text);
  snprintf(text, sizeof text, ", %.0f %% of the gap closed", decision->reduction);
  if (isnan(decision->reduction) || at + (int)strlen(text) > canvas->columns) return;
  canvas_text(canvas, row, at, STYLE_QUIET, text);
}

static void put_decided(struct canvas *canvas, int row, const char *label, const char *what, enum canvas_style style,
                        const struct subject *subject, const struct moment_decision *decision) {
  canvas_text(canvas, row, 1, STYLE_QUIET, label);
  int at = canvas_cut(canvas, row, 1 + LABEL, canvas->columns, style, what);
  if (at < 1 + LABEL + 18) at = 1 + LABEL + 18; /* so that the bounds stand below each other */
  at = put_worth(canvas, row, at + 2, decision);
  put_search(canvas, row, at + 2, subject, decision);
}

/* The questions that came before the action, and what was answered: "ask gauge: high, camera: door, for 0.3". */
static void put_questions(const struct moment *moment, char *text, size_t size) {
  double paid = 0;
  size_t used = (size_t)snprintf(text, size, "ask");
  for (uint32_t i = 0; i < moment->answers - moment->joint && used < size; i++) {
    const struct moment_answer *answer = &moment->answer_list[i];
    used += (size_t)snprintf(text + used, size - used, "%s %s: %s", i ? "," : "", answer->inquiry, answer->answer);
    paid += answer->price;
  }
  if (used < size) snprintf(text + used, size - used, ", for %.4g", moment->answers ? paid : moment->cost);
}

/* The action, and what was asked together with it. */
static void put_deed(const struct moment *moment, char *text, size_t size) {
  const struct moment_answer *last = moment->joint ? &moment->answer_list[moment->answers - 1] : NULL;
  if (!*moment->action) snprintf(text, size, "the answer was the step");
  else if (last) snprintf(text, size, "%s with %s, for %.4g", moment->action, last->inquiry, last->price);
  else snprintf(text, size, "%s", moment->action);
}

/* In up to `rows` rows; the first are the most important. */
static void put_decision(struct canvas *canvas, int row, int rows, const struct subject *subject,
                         const struct moment *moment) {
  int end = row + rows;
  char told[4 * MOMENT_NAME];
  bool first = moment->asked && moment->answers != moment->joint; /* something was asked before the action */
  if (!moment->answers) first = moment->asked;
  if (first && rows > 0) {
    put_questions(moment, told, sizeof told);
    put_decided(canvas, row++, "decides", told, STYLE_ASK, subject, &moment->decision);
  }
  put_deed(moment, told, sizeof told);
  if (row < end)
    put_decided(canvas, row++, first ? "then" : "decides", told, STYLE_STRONG, subject,
                first ? &moment->after : &moment->decision);
  if (row >= end) return;
  canvas_text(canvas, row, 1, STYLE_QUIET, "outcome");
  int at = 1 + LABEL;
  if (*moment->observation) at = canvas_print(canvas, row, at, STYLE_PLAIN, "sees %s, ", moment->observation);
  if (moment->joint) {
    const struct moment_answer *last = &moment->answer_list[moment->answers - 1];
    at = canvas_print(canvas, row, at, STYLE_ASK, "%s: %s, ", last->inquiry, last->answer);
  }
  enum canvas_style style = moment->reward > 0 ? STYLE_GAIN : moment->reward < 0 ? STYLE_LOSS : STYLE_PLAIN;
  char reward[40];
  snprintf(reward, sizeof reward, "reward %.4g", moment->reward);
  at = put_piece(canvas, row, at, style, reward);
  char moved[2 * MOMENT_NAME + 8];
  snprintf(moved, sizeof moved, "; %s -> %s", moment->state, moment->next);
  at = put_piece(canvas, row, at, STYLE_PLAIN, moved);
  if (moment->last) put_piece(canvas, row, at, STYLE_PLAIN, "; the episode ends");
}

/* ------------------------------------------------------------------ choices */

static void put_choice(struct canvas *canvas, int row, int column, int width, const struct subject *subject,
                       const struct moment_choice *choice) {
  int first = column + width - 19, second = column + width - 9;
  enum canvas_style style = choice->taken ? STYLE_STRONG : choice->ask ? STYLE_ASK : STYLE_PLAIN;
  char text[32];
  if (choice->taken) canvas_text(canvas, row, column, style, ">");
  canvas_cut(canvas, row, column + 2, first, style, choice->name);
  canvas_print(canvas, row, first, style, "%9s", number(subject->simulates ? choice->value : choice->lower, 3, text));
  if (subject->simulates) canvas_print(canvas, row, second, style, "%9llu", (unsigned long long)choice->visits);
  else canvas_print(canvas, row, second, style, "%9s", number(choice->upper, 3, text));
}

/* In as many columns as there is room for.  The choice that is taken is always told, if
 * need be in the last place. */
static void put_choices(struct canvas *canvas, struct frame_box box, const struct subject *subject,
                        const struct moment *moment) {
  if (box.rows < 2 || box.columns < CHOICES_WIDTH) return;
  uint32_t fits = (uint32_t)box.rows - 1;
  int across = (box.columns + 3) / (CHOICES_WIDTH + 3), wanted = (int)((moment->choices + fits - 1) / fits);
  if (across > wanted) across = wanted;
  int width = across ? (box.columns + 3) / across - 3 : 0;
  if (width > CHOICES_MOST) width = CHOICES_MOST;
  uint32_t last = (uint32_t)across * fits - 1, taken = 0;
  while (taken + 1 < moment->choices && !moment->choice_list[taken].taken) taken++;
  for (int i = 0; i < across; i++) {
    int column = box.column + i * (width + 3);
    canvas_text(canvas, box.row, column, STYLE_STRONG, moment->asked ? "once told" : "choices");
    canvas_print(canvas, box.row, column + width - 19, STYLE_QUIET, "%9s %9s", subject->simulates ? "value" : "lower",
                 subject->simulates ? "visits" : "upper");
    for (uint32_t k = 0, at = (uint32_t)i * fits; k < fits && at < moment->choices; k++, at++)
      put_choice(canvas, box.row + 1 + (int)k, column, width, subject,
                 &moment->choice_list[at == last && taken > at && moment->choice_list[taken].taken ? taken : at]);
  }
}

/* ------------------------------------------------------------------- states */

/* A model without pictures: the most probable states, with bars.  The true one is
 * always told, if need be in the last row. */
static void put_states(struct canvas *canvas, struct frame_box box, const struct moment *moment,
                       const struct frame_mode *mode) {
  int name = box.columns / 2 > 24 ? 24 : box.columns / 2, bar = box.column + name + 8, width = box.columns - name - 9;
  if (box.rows < 2) return;
  canvas_cut(canvas, box.row, box.column, box.column + box.columns, STYLE_STRONG,
             "most probable states (> the true one)");
  uint32_t fits = (uint32_t)box.rows - 1, truth = 0;
  while (truth + 1 < moment->states && !moment->state_list[truth].truth) truth++;
  for (uint32_t i = 0; i < moment->states && i < fits; i++) {
    const struct moment_state *state = &moment->state_list[i + 1 == fits && truth > i ? truth : i];
    int row = box.row + 1 + (int)i;
    if (state->truth) canvas_text(canvas, row, box.column, STYLE_TRUTH, ">");
    canvas_cut(canvas, row, box.column + 2, box.column + name, state->truth ? STYLE_TRUTH : STYLE_PLAIN, state->name);
    canvas_print(canvas, row, box.column + name + 1, STYLE_PLAIN, "%.4f", state->probability);
    int shade = frame_shade(state->probability), length = (int)(state->probability * width + 0.5);
    for (int k = 0; k < length && k < width; k++)
      canvas_code(canvas, row, bar + k, (enum canvas_style)(STYLE_SHADE0 + shade),
                  mode->colour ? ' ' : frame_shade_code(shade, mode->utf8));
  }
}

/* Where nothing else fits. */
static void put_words(struct canvas *canvas, struct frame_box box, const struct moment *moment) {
  if (box.rows < 1) return;
  canvas_text(canvas, box.row, 1, STYLE_QUIET, "believes");
  int at = 1 + LABEL;
  for (uint32_t i = 0; i < moment->states; i++) {
    char text[MOMENT_NAME + 16];
    snprintf(text, sizeof text, "%s%s %.2f", i ? ", " : "", moment->state_list[i].name,
             moment->state_list[i].probability);
    int next = put_piece(canvas, box.row, at, moment->state_list[i].truth ? STYLE_TRUTH : STYLE_PLAIN, text);
    if (next == at) return; /* no room */
    at = next;
  }
}

static void put_middle(struct canvas *canvas, struct frame_box box, const struct subject *subject,
                       const struct moment *moment, const struct frame_mode *mode) {
  struct frame_box used = {box.row, box.column, 0, 0};
  if (subject->scene) {
    used = frame_scene(canvas, box, subject, moment, mode);
  } else if (box.rows >= 2) {
    used = box;
    if (box.columns >= 43 + CHOICES_WIDTH) used.columns = box.columns > 86 ? box.columns - 43 : box.columns / 2;
    else if (box.rows >= 9) used.rows = box.rows / 2;
    put_states(canvas, used, moment, mode);
  }
  if (!used.rows) {
    put_words(canvas, box, moment);
    return;
  }
  int left = box.columns - used.columns - 3;
  struct frame_box side = {box.row, box.column + used.columns + 3, box.rows, left};
  struct frame_box below = {box.row + used.rows, box.column, box.rows - used.rows, box.columns};
  put_choices(canvas, left >= CHOICES_WIDTH ? side : below, subject, moment);
  struct frame_box rest = {below.row + 1, below.column, below.rows - 1, used.columns};
  if (subject->scene && left >= CHOICES_WIDTH && rest.rows >= STATES_LEAST) put_states(canvas, rest, moment, mode);
}

/* -------------------------------------------------------- along the episode */

static uint32_t doubt_code(double bits, bool utf8) {
  static const double from[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  static const char marks[] = ".:-=+*%@";
  if (!(bits > 1e-9)) return utf8 ? 0xb7 : '_'; /* certain */
  int level = 7;
  while (level && bits < from[level]) level--;
  return utf8 ? 0x2581 + (uint32_t)level : (unsigned char)marks[level];
}

/* One character per step, this step last. */
static void put_lines(struct canvas *canvas, int row, int rows, const struct subject *subject,
                      const struct frame_tick *ticks, size_t count, bool utf8) {
  static const char *const labels[LINES] = {"requests", "rewards", "doubt"};
  size_t room = canvas->columns > LABEL + 2 ? (size_t)(canvas->columns - LABEL - 2) : 0;
  uint32_t dot = utf8 ? 0xb7 : '.';
  if (count > room) {
    ticks += count - room;
    count = room;
  }
  for (int line = 0; line < LINES; line++) {
    if (line == 0 && !subject->requests) continue;
    if (rows-- <= 0) return;
    canvas_text(canvas, row, 1, STYLE_QUIET, labels[line]);
    for (size_t i = 0; i < count; i++) {
      const struct frame_tick *tick = &ticks[i];
      enum canvas_style style = STYLE_QUIET;
      uint32_t code = dot;
      if (line == 0 && tick->asked) code = '?', style = STYLE_ASK;
      if (line == 1 && tick->reward > 0) code = '+', style = STYLE_GAIN;
      if (line == 1 && tick->reward < 0) code = '-', style = STYLE_LOSS;
      if (line == 2) code = doubt_code(tick->entropy, utf8), style = STYLE_PLAIN;
      canvas_code(canvas, row, 1 + LABEL + (int)i, style, code);
    }
    row++;
  }
}

/* --------------------------------------------------------------------- keys */

static void put_keys(struct canvas *canvas, int row, const struct frame_mode *mode) {
  static const char *const states[] = {"playing", "paused", "thinking", "the end"};
  canvas_blank(canvas, row, 0, canvas->columns, STYLE_TITLE);
  int at = canvas_text(canvas, row, 1, STYLE_TITLE, states[mode->state]);
  if (mode->note) {
    canvas_print(canvas, row, at + 2, STYLE_TITLE, "%s", mode->note);
    return;
  }
  if (mode->state == FRAME_PLAYING) at = canvas_print(canvas, row, at + 1, STYLE_TITLE, "(%.3g s)", mode->delay);
  static const char *const keys[] = {"q quit", "? help",   "space pause", "n step",
                                     "b back", "+ faster", "- slower",    "e end"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) /* the help has them all */
    if (at + 2 + (int)strlen(keys[i]) < canvas->columns) at = canvas_text(canvas, row, at + 2, STYLE_TITLE, keys[i]);
}

static void put_help(struct canvas *canvas, const struct subject *subject, const struct frame_mode *mode) {
  static const char *const lines[] = {"space          pause, go on",  "n, right       one step",
                                      "b, left        one step back", "+, up          faster",
                                      "-, down        slower",        "e              to the end of the episode",
                                      "q, Ctrl-C      quit",          "?              close this help"};
  enum { COUNT = sizeof lines / sizeof *lines, WIDTH = 62 };
  int width = canvas->columns < WIDTH ? canvas->columns : WIDTH, left = (canvas->columns - width) / 2;
  int rows = COUNT + 4 + (subject->scene != NULL), top = (canvas->rows - rows) / 2, row = top < 1 ? 1 : top;
  int end = left + width - 1;
  for (int i = 0; i < rows; i++) canvas_blank(canvas, row + i, left, width, STYLE_PLAIN);
  canvas_blank(canvas, row, left, width, STYLE_TITLE);
  canvas_cut(canvas, row++, left + 1, end, STYLE_TITLE, "keys");
  for (int i = 0; i < COUNT; i++) canvas_cut(canvas, row++, left + 1, end, STYLE_PLAIN, lines[i]);
  int at = canvas_cut(canvas, row, left + 1, end, STYLE_PLAIN, "shades");
  for (int i = 0; i < CANVAS_SHADES && at + 6 < end; i++) {
    canvas_code(canvas, row, at + 1, (enum canvas_style)(STYLE_SHADE0 + i),
                mode->colour ? ' ' : frame_shade_code(i, mode->utf8));
    at = canvas_cut(canvas, row, at + 2, end, STYLE_PLAIN, frame_shade_text(i));
  }
  canvas_cut(canvas, ++row, left + 1, end, STYLE_PLAIN, "doubt: the more bits, the higher; requests: ? asked");
  if (subject->scene) canvas_cut(canvas, ++row, left + 1, end, STYLE_PLAIN, subject->scene->legend);
  canvas_blank(canvas, row + 1, left, width, STYLE_TITLE);
}

/* -------------------------------------------------------------------- frame */

void frame_draw(struct canvas *canvas, const struct subject *subject, const struct moment *moment,
                const struct frame_tick *ticks, size_t count, const struct frame_mode *mode) {
  int last = canvas->rows - 1;
  int picture = subject->scene ? (int)subject->scene->rows : 0;
  bool airy = canvas->rows >= (picture > 6 ? 26 : 20); /* rows to spare for blank lines */
  put_title(canvas, subject);
  if (last > 0) put_keys(canvas, last, mode);
  if (last < 2) return;
  if (!moment) {
    canvas_text(canvas, 1, 1, STYLE_PLAIN, mode->state == FRAME_ENDED ? "no step was played" : "searching ...");
    if (mode->help) put_help(canvas, subject, mode);
    return;
  }
  put_status(canvas, 1, subject, moment);
  int left = last - 2; /* rows between the status and the keys */
  int decision = left < DECISION ? left : DECISION, lines = 0;
  left -= decision;
  if (left >= 1) lines = left >= 12 ? LINES : 1;
  if (lines == LINES && !subject->requests) lines--;
  left -= lines;
  struct frame_box middle = {2 + airy, 1, left - 2 * airy, canvas->columns - 2};
  if (middle.rows > 0) put_middle(canvas, middle, subject, moment, mode);
  put_decision(canvas, last - lines - decision, decision, subject, moment);
  put_lines(canvas, last - lines, lines, subject, ticks, count, mode->utf8);
  if (mode->help) put_help(canvas, subject, mode);
}
