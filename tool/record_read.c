/* Record, the reading: see record.h.
 *
 * Nothing in the file is trusted: every field that a frame uses is checked for its
 * kind and its range, and the first that is wrong is reported with its line.  Fields that
 * are not known are left alone, so that later programs can add some.  A last line
 * without its end is what a killed run leaves, and no error. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/document.h"
#include "message.h"
#include "record.h"

enum {
  MAX_SIDE = 65535,    /* rows, columns and places of a scene */
  MAX_BYTES = 1 << 30, /* of a file: more is no recording but a pipe that never ends */
  FIRST_ROOM = 4096
};

struct reader {
  const char *path;
  size_t line;
  struct recording *recording;
  bool ended;
  char *text;                 /* of the present line, with its end */
  size_t length, room, bytes; /* bytes: of all lines */
};

/* Says what is wrong with the line; returns false. */
static bool bad(const struct reader *reader, const char *format, ...) TOOL_PRINTF(2, 3);

static bool bad(const struct reader *reader, const char *format, ...) {
  char place[1200], text[400];
  snprintf(place, sizeof place, "%.1100s:%zu", reader->path, reader->line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  message_error_in(place, "%s", text);
  return false;
}

/* ------------------------------------------------------------------- fields */

static const document *get(const struct reader *reader, const document *object, const char *key, document_kind kind) {
  const document *value = document_get(object, key);
  if (value && value->kind == kind) return value;
  if (!value) bad(reader, "'%s' is missing", key);
  else bad(reader, "'%s' is %s, expected %s", key, document_kind_text(value->kind), document_kind_text(kind));
  return NULL;
}

static bool is_count(const document *value, double most) {
  return value->kind == DOCUMENT_NUMBER && value->number >= 0 && value->number <= most &&
         value->number == floor(value->number);
}

static bool get_count(const struct reader *reader, const document *object, const char *key, double most,
                      uint64_t *count) {
  const document *value = get(reader, object, key, DOCUMENT_NUMBER);
  if (!value) return false;
  if (!is_count(value, most)) return bad(reader, "'%s' is not a count from 0 to %.0f", key, most);
  *count = (uint64_t)value->number;
  return true;
}

static bool get_small(const struct reader *reader, const document *object, const char *key, double most,
                      uint32_t *count) {
  uint64_t value = 0;
  if (!get_count(reader, object, key, most, &value)) return false;
  *count = (uint32_t)value;
  return true;
}

static bool get_bool(const struct reader *reader, const document *object, const char *key, bool *truth) {
  const document *value = get(reader, object, key, DOCUMENT_BOOL);
  if (!value) return false;
  *truth = value->truth;
  return true;
}

/* null is NaN. */
static bool get_number(const struct reader *reader, const document *object, const char *key, double *number) {
  const document *value = document_get(object, key);
  *number = NAN;
  if (value && value->kind == DOCUMENT_NULL) return true;
  value = get(reader, object, key, DOCUMENT_NUMBER);
  if (!value) return false;
  if (!isfinite(value->number)) return bad(reader, "'%s' is too large", key);
  *number = value->number;
  return true;
}

static bool printable(const char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~') return false;
  return true;
}

/* Names are printed as they are. */
static bool is_name(const document *value) {
  return value->kind == DOCUMENT_TEXT && strlen(value->text) < MOMENT_NAME && printable(value->text);
}

static bool get_name(const struct reader *reader, const document *object, const char *key, char name[MOMENT_NAME]) {
  const document *value = get(reader, object, key, DOCUMENT_TEXT);
  if (!value) return false;
  if (!is_name(value)) return bad(reader, "'%s' is not a name", key);
  snprintf(name, MOMENT_NAME, "%s", value->text);
  return true;
}

/* ------------------------------------------------------------------ subject */

/* The texts of a list, which stay in the tree. */
static bool get_texts(const struct reader *reader, const document *object, const char *key, const char ***texts,
                      uint32_t *count) {
  const document *list = get(reader, object, key, DOCUMENT_LIST);
  if (!list) return false;
  if (list->count > MAX_SIDE) return bad(reader, "'%s' is too long", key);
  *texts = calloc(list->count + 1, sizeof **texts);
  if (!*texts) return bad(reader, "out of memory");
  for (const document *entry = list->first; entry; entry = entry->next) {
    if (entry->kind != DOCUMENT_TEXT || !printable(entry->text)) return bad(reader, "'%s' is not a list of names", key);
    (*texts)[(*count)++] = entry->text;
  }
  return true;
}

static bool read_scene(const struct reader *reader, const document *object, struct recording *recording) {
  glimpse_scene *scene = &recording->owned.scene;
  if (!get_small(reader, object, "rows", MAX_SIDE, &scene->rows) ||
      !get_small(reader, object, "columns", MAX_SIDE, &scene->columns) ||
      !get_texts(reader, object, "layers", &recording->owned.names, &scene->layers) ||
      !get_texts(reader, object, "places", &recording->owned.places, &scene->places))
    return false;
  const document *background = get(reader, object, "background", DOCUMENT_TEXT);
  const document *legend = background ? get(reader, object, "legend", DOCUMENT_TEXT) : NULL;
  const document *marks = legend ? get(reader, object, "marks", DOCUMENT_TEXT) : NULL;
  if (!marks) return false;
  uint64_t cells = (uint64_t)scene->rows * scene->columns;
  if (!cells || cells >= UINT32_MAX / 2 || strlen(background->text) != cells || !printable(background->text))
    return bad(reader, "'background' is not made of 'rows' times 'columns' characters");
  if (!scene->layers || strlen(marks->text) != scene->layers || !printable(marks->text))
    return bad(reader, "'marks' is not made of one character for each layer");
  if (!printable(legend->text)) return bad(reader, "'legend' is not a line of text");
  scene->background = background->text;
  scene->legend = legend->text;
  scene->marks = marks->text;
  scene->names = recording->owned.names;
  scene->place_names = recording->owned.places;
  return true;
}

static bool read_version(const struct reader *reader, const document *root) {
  const document *magic = document_get(root, "glimpse");
  uint64_t version = 0;
  if (!magic || magic->kind != DOCUMENT_TEXT || strcmp(magic->text, "record") != 0)
    return bad(reader, "this is not a file that 'glimpse run --record' has written");
  if (!get_count(reader, root, "version", 1e9, &version)) return false;
  if (version > MOMENT_VERSION)
    return bad(reader,
               "the file has version %llu of the format, this program reads up to %d; a newer glimpse is needed",
               (unsigned long long)version, MOMENT_VERSION);
  return version ? true : bad(reader, "there is no version 0 of the format");
}

static bool read_subject(struct reader *reader, document *root) {
  struct subject *subject = &reader->recording->subject;
  reader->recording->owned.root = root;
  if (!read_version(reader, root)) return false;
  const document *model = get(reader, root, "model", DOCUMENT_TEXT);
  const document *settings = model ? get(reader, root, "settings", DOCUMENT_TEXT) : NULL;
  if (!settings || !get_count(reader, root, "episodes", 1e15, &subject->episodes) ||
      !get_small(reader, root, "states", GLIMPSE_MAX_COUNT, &subject->states) ||
      !get_small(reader, root, "actions", GLIMPSE_MAX_ACTIONS, &subject->actions) ||
      !get_small(reader, root, "observations", GLIMPSE_MAX_COUNT, &subject->observations) ||
      !get_bool(reader, root, "requests", &subject->requests) ||
      !get_bool(reader, root, "simulates", &subject->simulates) || !get_bool(reader, root, "timed", &subject->timed))
    return false;
  subject->inquiries = document_get(root, "inquiries");
  subject->model = model->text;
  subject->settings = settings->text;
  const document *scene = document_get(root, "scene");
  if (scene && scene->kind == DOCUMENT_NULL) return true;
  scene = get(reader, root, "scene", DOCUMENT_OBJECT);
  if (!scene || !read_scene(reader, scene, reader->recording)) return false;
  subject->scene = &reader->recording->owned.scene;
  return true;
}

/* ------------------------------------------------------------------- moment */

static bool read_stop(const struct reader *reader, const document *object, glimpse_stop *stop) {
  const document *value = get(reader, object, "stop", DOCUMENT_TEXT);
  if (!value) return false;
  static const glimpse_stop all[] = {
#define X(name, key, text) GLIMPSE_STOP_##name,
      GLIMPSE_STOP_TABLE(X)
#undef X
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *stop = all[i];
    if (!strcmp(value->text, glimpse_stop_key(all[i]))) return true;
  }
  return bad(reader, "'%.40s' is not a reason to stop", value->text);
}

static bool read_decision(const struct reader *reader, const document *object, const char *key,
                          struct moment_decision *decision) {
  const document *from = get(reader, object, key, DOCUMENT_OBJECT);
  return from && get_number(reader, from, "lower", &decision->lower) &&
         get_number(reader, from, "upper", &decision->upper) && get_number(reader, from, "value", &decision->value) &&
         get_number(reader, from, "reduction", &decision->reduction) &&
         get_number(reader, from, "seconds", &decision->seconds) &&
         get_count(reader, from, "expansions", 1e16, &decision->expansions) && read_stop(reader, from, &decision->stop);
}

static bool is_probability(const document *value) {
  return value->kind == DOCUMENT_NUMBER && value->number >= 0 && value->number <= 1 + 1e-6;
}

static bool read_states(const struct reader *reader, const document *belief, struct moment *moment) {
  const document *list = get(reader, belief, "largest", DOCUMENT_LIST);
  if (!list) return false;
  if (list->count > MOMENT_LIST + 1) return bad(reader, "'largest' is too long");
  moment->state_list = calloc(list->count + 1, sizeof *moment->state_list);
  if (!moment->state_list) return bad(reader, "out of memory");
  for (const document *entry = list->first; entry; entry = entry->next) {
    const document *name = entry->kind == DOCUMENT_LIST && entry->count == 3 ? entry->first : NULL;
    if (!name || !is_name(name) || !is_probability(name->next) || name->next->next->kind != DOCUMENT_BOOL)
      return bad(reader, "an entry of 'largest' is not made of a name, a probability and whether it is the true state");
    struct moment_state *state = &moment->state_list[moment->states++];
    snprintf(state->name, sizeof state->name, "%s", name->text);
    state->probability = name->next->number;
    state->truth = name->next->next->truth;
  }
  return true;
}

/* Puts the weights of a layer at *next, where there is room for all that the line has. */
static bool read_layer(const struct reader *reader, const document *object, uint32_t slots, struct moment_layer *layer,
                       struct moment_weight **next) {
  const document *list = get(reader, object, "believed", DOCUMENT_LIST);
  if (!list || !get_small(reader, object, "at", slots - 1, &layer->truth)) return false;
  if (list->count > slots) return bad(reader, "'believed' is too long");
  layer->weights = *next;
  for (const document *entry = list->first; entry; entry = entry->next) {
    const document *slot = entry->kind == DOCUMENT_LIST && entry->count == 2 ? entry->first : NULL;
    if (!slot || !is_count(slot, slots - 1) || !is_probability(slot->next) ||
        (layer->count && slot->number <= layer->weights[layer->count - 1].slot))
      return bad(reader, "the entries of 'believed' are not made of ascending places in the scene and probabilities");
    *(*next)++ = (struct moment_weight){(uint32_t)slot->number, slot->next->number};
    layer->count++;
  }
  return true;
}

static bool read_layers(const struct reader *reader, const document *belief, struct moment *moment) {
  const glimpse_scene *scene = reader->recording->subject.scene;
  const document *list = get(reader, belief, "layers", DOCUMENT_LIST);
  if (!list) return false;
  if (list->count != (scene ? scene->layers : 0)) return bad(reader, "'layers' does not fit the scene");
  if (!scene) return true;
  size_t weights = 0;
  for (const document *entry = list->first; entry; entry = entry->next) {
    if (entry->kind != DOCUMENT_OBJECT) return bad(reader, "an entry of 'layers' is not an object");
    const document *believed = document_get(entry, "believed");
    weights += believed ? believed->count : 0;
  }
  moment->layer_list = calloc(list->count, sizeof *moment->layer_list);
  moment->weight_list = calloc(weights + 1, sizeof *moment->weight_list);
  if (!moment->layer_list || !moment->weight_list) return bad(reader, "out of memory");
  struct moment_weight *next = moment->weight_list;
  for (const document *entry = list->first; entry; entry = entry->next)
    if (!read_layer(reader, entry, glimpse_scene_slots(scene), &moment->layer_list[moment->layers++], &next))
      return false;
  return true;
}

static bool read_choices(const struct reader *reader, const document *root, struct moment *moment) {
  const document *list = get(reader, root, "choices", DOCUMENT_LIST);
  if (!list) return false;
  if (list->count > MOMENT_LIST) return bad(reader, "'choices' is too long");
  moment->choice_list = calloc(list->count + 1, sizeof *moment->choice_list);
  if (!moment->choice_list) return bad(reader, "out of memory");
  for (const document *entry = list->first; entry; entry = entry->next) {
    struct moment_choice *choice = &moment->choice_list[moment->choices++];
    if (entry->kind != DOCUMENT_OBJECT) return bad(reader, "an entry of 'choices' is not an object");
    if (!get_name(reader, entry, "name", choice->name) || !get_bool(reader, entry, "ask", &choice->ask) ||
        !get_bool(reader, entry, "taken", &choice->taken) || !get_number(reader, entry, "lower", &choice->lower) ||
        !get_number(reader, entry, "upper", &choice->upper) || !get_number(reader, entry, "value", &choice->value) ||
        !get_count(reader, entry, "visits", 1e16, &choice->visits))
      return false;
  }
  return true;
}

/* What was told in the step; a step without inquiries has no such list. */
static bool read_answers(const struct reader *reader, const document *root, struct moment *moment) {
  if (!document_get(root, "answers")) return true;
  const document *list = get(reader, root, "answers", DOCUMENT_LIST);
  if (!list || !get_bool(reader, root, "joint", &moment->joint)) return false;
  moment->answer_list = calloc(list->count + 1, sizeof *moment->answer_list);
  if (!moment->answer_list) return bad(reader, "out of memory");
  for (const document *entry = list->first; entry; entry = entry->next) {
    struct moment_answer *answer = &moment->answer_list[moment->answers++];
    if (entry->kind != DOCUMENT_OBJECT) return bad(reader, "an entry of 'answers' is not an object");
    if (!get_name(reader, entry, "inquiry", answer->inquiry) || !get_name(reader, entry, "answer", answer->answer) ||
        !get_number(reader, entry, "price", &answer->price))
      return false;
  }
  if (!moment->answers) return bad(reader, "'answers' is empty");
  return true;
}

static bool in_order(const struct reader *reader, const struct moment *moment) {
  const struct recording *recording = reader->recording;
  const struct moment *before = recording->count ? recording->moments[recording->count - 1] : NULL;
  if (before && moment->episode == before->episode && moment->step == before->step + 1 && !before->last) return true;
  if (moment->step == 0 && (!before || moment->episode > before->episode)) return true;
  return bad(reader, "step %u of episode %llu does not follow the step before it", moment->step,
             (unsigned long long)moment->episode);
}

static bool read_moment(const struct reader *reader, const document *root, struct moment *moment) {
  const document *belief = get(reader, root, "belief", DOCUMENT_OBJECT);
  return belief && get_count(reader, root, "episode", 1e15, &moment->episode) &&
         get_small(reader, root, "step", 1e9, &moment->step) && get_name(reader, root, "state", moment->state) &&
         get_small(reader, belief, "states", GLIMPSE_MAX_COUNT, &moment->support) &&
         get_number(reader, belief, "entropy", &moment->entropy) && read_states(reader, belief, moment) &&
         read_layers(reader, belief, moment) && get_bool(reader, root, "asked", &moment->asked) &&
         read_decision(reader, root, "decision", &moment->decision) &&
         (!moment->asked || read_decision(reader, root, "after", &moment->after)) &&
         read_answers(reader, root, moment) && read_choices(reader, root, moment) &&
         get_name(reader, root, "action", moment->action) && get_name(reader, root, "next_state", moment->next) &&
         get_name(reader, root, "observation", moment->observation) &&
         get_number(reader, root, "reward", &moment->reward) && get_number(reader, root, "cost", &moment->cost) &&
         get_number(reader, root, "return", &moment->total) &&
         get_small(reader, root, "requests", 1e9, &moment->requests) && get_bool(reader, root, "last", &moment->last) &&
         in_order(reader, moment);
}

static bool append(const struct reader *reader, struct moment *moment) {
  struct recording *recording = reader->recording;
  if (recording->count == recording->capacity) {
    size_t wanted = recording->capacity ? 2 * recording->capacity : 64;
    size_t bytes = wanted * sizeof *recording->moments; /* of pointers: NOLINT(bugprone-sizeof-expression) */
    struct moment **moved = realloc(recording->moments, bytes);
    if (!moved) return bad(reader, "out of memory");
    recording->moments = moved;
    recording->capacity = wanted;
  }
  recording->moments[recording->count++] = moment;
  return true;
}

/* --------------------------------------------------------------------- file */

static bool read_end(struct reader *reader, const document *root) {
  uint64_t steps = 0;
  if (!get_count(reader, root, "steps", 1e16, &steps) ||
      !get_bool(reader, root, "complete", &reader->recording->complete))
    return false;
  if (steps != reader->recording->count)
    return bad(reader, "the run had %llu steps, but the file has %zu", (unsigned long long)steps,
               reader->recording->count);
  return reader->ended = true;
}

static bool read_line(struct reader *reader, const char *text, size_t length) {
  complaint why = {0};
  reader->line++;
  if (reader->ended) return bad(reader, "there is a line after the end");
  document *root = document_read(text, length, reader->path, &why);
  if (!root || root->kind != DOCUMENT_OBJECT) {
    document_free(root);
    if (reader->line == 1 && strcmp(why.text, "out of memory") != 0)
      return bad(reader, "this is not a file that 'glimpse run --record' has written");
    return bad(reader, "%s", *why.text ? why.text : "the line is not an object");
  }
  if (reader->line == 1) return read_subject(reader, root);
  bool good;
  if (document_get(root, "end")) {
    good = read_end(reader, root);
  } else {
    struct moment *moment = calloc(1, sizeof *moment);
    good = moment ? read_moment(reader, root, moment) && append(reader, moment) : bad(reader, "out of memory");
    if (!good) moment_free(moment);
  }
  document_free(root);
  return good;
}

/* Gets the next line; reader->length is 0 at the end of the file.  False: after a message. */
static bool next_line(struct reader *reader, FILE *file) {
  reader->length = 0;
  for (int c = 0; c != '\n' && (c = getc(file)) != EOF;) {
    if (reader->length == reader->room) {
      size_t room = reader->room ? 2 * reader->room : FIRST_ROOM;
      char *text = realloc(reader->text, room);
      if (!text) return bad(reader, "out of memory");
      reader->text = text;
      reader->room = room;
    }
    reader->text[reader->length++] = (char)c;
    if (++reader->bytes > MAX_BYTES) return bad(reader, "expected at most %d bytes, found more", MAX_BYTES);
  }
  return true;
}

static bool read_lines(struct reader *reader, FILE *file) {
  bool good = true;
  errno = 0;
  while (good && (good = next_line(reader, file)) && reader->length) {
    if (reader->text[reader->length - 1] == '\n') good = read_line(reader, reader->text, reader->length);
    else if (reader->line) break; /* cut off */
    else good = read_line(reader, reader->text, reader->length) && bad(reader, "the file ends within its first line");
  }
  free(reader->text);
  if (good && ferror(file)) {
    message_error("'%s' cannot be read: %s", reader->path, strerror(errno));
    return false;
  }
  if (good && !reader->line) {
    message_error("'%s' is empty; 'glimpse run MODEL --record FILE' writes such files", reader->path);
    return false;
  }
  reader->recording->cut = !reader->ended;
  return good;
}

int recording_read(struct recording *recording, const char *path) {
  *recording = (struct recording){0};
  bool standard = !strcmp(path, "-");
  FILE *file = standard ? stdin : fopen(path, "r");
  if (!file) {
    message_error("'%s' cannot be read: %s", path, strerror(errno));
    return TOOL_FAILED;
  }
  struct reader reader = {.path = standard ? "standard input" : path, .recording = recording};
  bool good = read_lines(&reader, file);
  if (!standard) fclose(file);
  return good ? TOOL_OK : TOOL_FAILED;
}

void recording_free(struct recording *recording) {
  for (size_t i = 0; i < recording->count; i++) moment_free(recording->moments[i]);
  free(recording->moments);
  document_free(recording->owned.root);
  free(recording->owned.names);
  free(recording->owned.places);
  *recording = (struct recording){0};
}
