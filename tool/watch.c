/* Watch: see watch.h.
 *
 * A live view keeps the last steps, between KEPT and twice as many, so that one can
 * go back; more than any line along the episode shows, so that a frame does not
 * depend on what was forgotten. */
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interrupt.h"
#include "message.h"
#include "output.h"
#include "terminal.h"

enum { KEPT = CANVAS_LIMIT };
#define PATIENCE 0.25 /* seconds until a search is called thinking */
#define FASTEST 0.01
#define SLOWEST 10.0

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void watch_tell(const struct moment *moment, double delay) {
  struct timespec time = {(time_t)delay, (long)((delay - floor(delay)) * 1e9)};
  moment_tell(moment, output_sink, NULL);
  output_print("\n");
  output_flush();
  if (delay > 0) nanosleep(&time, NULL); /* a signal ends it early, which is right */
}

/* --------------------------------------------------------------- both sides */

int watch_begin(struct watch *watch, const struct subject *subject, const struct watch_options *options) {
  *watch = (struct watch){.subject = subject, .delay = options->delay, .paused = options->paused};
  if (pthread_mutex_init(&watch->lock, NULL)) return message_no_memory();
  if (pthread_cond_init(&watch->changed, NULL)) {
    pthread_mutex_destroy(&watch->lock);
    return message_no_memory();
  }
  output_flush();
  message_progress_end();
  if (!terminal_open()) {
    if (!terminal_keys()) watch->paused = false; /* nobody could end the pause */
    return TOOL_OK;
  }
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->lock);
  return TOOL_FAILED;
}

void watch_end(struct watch *watch) {
  terminal_close();
  for (size_t i = 0; !watch->borrowed && i < watch->count; i++) moment_free(watch->moments[i]);
  if (!watch->borrowed) free(watch->moments);
  moment_free(watch->incoming);
  canvas_end(&watch->shown);
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->lock);
}

void watch_lend(struct watch *watch, struct moment **moments, size_t count) {
  watch->moments = moments;
  watch->count = count;
  watch->borrowed = watch->ended = true;
}

bool watch_give(struct watch *watch, struct moment *moment) {
  pthread_mutex_lock(&watch->lock);
  watch->incoming = moment;
  watch->wanted = false;
  terminal_wake();
  while (!watch->wanted && !watch->quit) pthread_cond_wait(&watch->changed, &watch->lock);
  bool more = !watch->quit;
  pthread_mutex_unlock(&watch->lock);
  return more;
}

void watch_finish(struct watch *watch, bool error) {
  pthread_mutex_lock(&watch->lock);
  watch->finished = true;
  watch->error = error;
  terminal_wake();
  pthread_mutex_unlock(&watch->lock);
}

/* --------------------------------------------------------------------- tape */

/* Room for one more; the oldest are forgotten.  False: out of memory. */
static bool make_room(struct watch *watch) {
  if (watch->count == 2 * (size_t)KEPT) {
    for (size_t i = 0; i < KEPT; i++) moment_free(watch->moments[i]);
    memmove(watch->moments, watch->moments + KEPT, KEPT * sizeof(struct moment *));
    watch->count -= KEPT;
    watch->at = watch->at < KEPT ? 0 : watch->at - KEPT;
  }
  if (watch->moments) return true;
  watch->moments = calloc(2 * (size_t)KEPT, sizeof(struct moment *));
  return watch->moments != NULL;
}

/* Takes over what the player has given. */
static bool collect(struct watch *watch) {
  pthread_mutex_lock(&watch->lock);
  struct moment *moment = watch->incoming;
  watch->incoming = NULL;
  bool finished = watch->finished;
  watch->broken = watch->error;
  pthread_mutex_unlock(&watch->lock);
  if (moment) {
    if (!make_room(watch)) {
      moment_free(moment);
      watch->failed = true;
      return true;
    }
    bool follows = !watch->count || (watch->pending && watch->at + 1 == watch->count);
    watch->moments[watch->count++] = moment;
    if (follows) watch->at = watch->count - 1;
    watch->pending = false;
    watch->due = now() + (watch->skipping ? 0 : watch->delay);
  }
  if (finished) watch->ended = true, watch->pending = false;
  return moment || finished;
}

static void want_next(struct watch *watch) {
  watch->pending = true;
  watch->asked = now();
  pthread_mutex_lock(&watch->lock);
  watch->wanted = true;
  pthread_cond_signal(&watch->changed);
  pthread_mutex_unlock(&watch->lock);
}

static bool at_newest(const struct watch *watch) {
  return watch->at + 1 >= watch->count;
}

/* One step on; returns whether the frame is another. */
static bool advance(struct watch *watch) {
  if (!at_newest(watch)) {
    watch->at++;
    watch->due = now() + (watch->skipping ? 0 : watch->delay);
    return true;
  }
  if (watch->count && !watch->ended && !watch->pending) want_next(watch);
  return false;
}

/* Skipping ends with the episode, or with the run. */
static void stop_skipping(struct watch *watch) {
  if (!watch->skipping || !watch->count || watch->pending) return;
  bool over = watch->moments[watch->at]->last || (at_newest(watch) && watch->ended);
  if (!over) return;
  watch->skipping = false;
  watch->paused = !watch->resume;
  watch->due = now() + watch->delay;
}

/* --------------------------------------------------------------------- view */

static size_t ticks_of(const struct watch *watch, struct frame_tick ticks[KEPT]) {
  size_t first = watch->at, count = 0;
  uint64_t episode = watch->moments[first]->episode;
  while (first && watch->moments[first - 1]->episode == episode && watch->at - first + 1 < KEPT) first--;
  for (size_t i = first; i <= watch->at; i++) {
    const struct moment *moment = watch->moments[i];
    ticks[count++] = (struct frame_tick){moment->asked, moment->reward, moment->entropy};
  }
  return count;
}

static enum frame_state state_of(const struct watch *watch) {
  if (watch->pending || !watch->count) return watch->ended ? FRAME_ENDED : FRAME_THINKING;
  if (watch->ended && at_newest(watch)) return FRAME_ENDED;
  return watch->paused ? FRAME_PAUSED : FRAME_PLAYING;
}

static void draw(struct watch *watch) {
  struct frame_tick ticks[KEPT];
  struct frame_mode mode = {.utf8 = terminal_utf8(),
                            .colour = terminal_colour(),
                            .help = watch->help,
                            .state = state_of(watch),
                            .delay = watch->delay,
                            .note = watch->broken ? "the run has failed; q quits and shows why" : NULL};
  struct canvas canvas;
  int rows, columns;
  char *text = NULL;
  size_t size = 0;
  terminal_size(&rows, &columns);
  FILE *stream = canvas_begin(&canvas, rows, columns) ? open_memstream(&text, &size) : NULL;
  if (stream) {
    const struct moment *moment = watch->count ? watch->moments[watch->at] : NULL;
    frame_draw(&canvas, watch->subject, moment, ticks, moment ? ticks_of(watch, ticks) : 0, &mode);
    canvas_paint(&canvas, &watch->shown, mode.colour, stream);
  }
  if (!stream || fclose(stream) || !text) watch->failed = true; /* no text: it failed only when it was closed */
  else terminal_write(text, size); /* a terminal that is gone shows itself in terminal_wait */
  free(text);
  canvas_end(&watch->shown);
  watch->shown = canvas;
}

/* --------------------------------------------------------------------- keys */

static void change_delay(struct watch *watch, double factor) {
  double delay = watch->delay > 0 ? watch->delay * factor : factor > 1 ? FASTEST : 0;
  watch->delay = delay > SLOWEST ? SLOWEST : delay < FASTEST ? (factor > 1 ? FASTEST : 0) : delay;
  watch->due = now() + watch->delay;
}

static void skip(struct watch *watch) {
  watch->resume = !watch->paused;
  watch->skipping = true;
  watch->paused = false;
  watch->due = 0;
  advance(watch); /* from the end of an episode to that of the next */
}

/* False: quit. */
static bool press(struct watch *watch, int key) {
  switch (key) {
    case 'q':
    case 'Q':
    case 3: return false;
    case ' ':
    case 'p':
      watch->paused = watch->skipping ? true : !watch->paused;
      watch->skipping = false;
      watch->due = now();
      break;
    case 'n':
    case '\r':
    case '\n':
    case TERMINAL_RIGHT:
      watch->paused = true;
      watch->skipping = false;
      advance(watch);
      break;
    case 'b':
    case TERMINAL_LEFT:
      watch->paused = true;
      watch->skipping = false;
      if (watch->at) watch->at--;
      break;
    case '+':
    case '=':
    case TERMINAL_UP: change_delay(watch, 0.5); break;
    case '-':
    case '_':
    case TERMINAL_DOWN: change_delay(watch, 2); break;
    case 'e': skip(watch); break;
    case '?':
    case 'h': watch->help = !watch->help; break;
    default: break;
  }
  return true;
}

static bool press_all(struct watch *watch) {
  for (int key; (key = terminal_key());)
    if (!press(watch, key)) return false;
  return true;
}

/* --------------------------------------------------------------------- loop */

/* How long nothing needs to be done; below 0: for ever. */
static double idle(const struct watch *watch) {
  double time = now();
  if (watch->pending) return time - watch->asked < PATIENCE ? watch->asked + PATIENCE - time : -1;
  bool more = watch->count && (!at_newest(watch) || !watch->ended);
  if (watch->paused || !more) return -1;
  return watch->due > time ? watch->due - time : 0;
}

static void leave(struct watch *watch) {
  if (!watch->ended) interrupt_raise(INTERRUPT_QUIT); /* a signal that came before stays */
  pthread_mutex_lock(&watch->lock);
  watch->quit = true;
  pthread_cond_signal(&watch->changed);
  pthread_mutex_unlock(&watch->lock);
}

void watch_show(struct watch *watch) {
  bool changed = true;
  while (!watch->failed && !interrupt_caught()) {
    stop_skipping(watch);
    if (changed) draw(watch);
    changed = false;
    if (watch->ended && at_newest(watch) && !terminal_keys()) break; /* nobody could quit */
    unsigned events = terminal_wait(idle(watch));
    if (events & TERMINAL_ENDED) break;
    if (events & TERMINAL_REDRAW) canvas_end(&watch->shown), changed = true;
    if (events & TERMINAL_WOKEN) changed = collect(watch) || changed;
    if (events & TERMINAL_KEY) {
      if (!press_all(watch)) break;
      changed = true;
    }
    if (watch->pending && now() - watch->asked >= PATIENCE) changed = true; /* to say that it thinks */
    if (!events && !watch->paused && !watch->pending && now() >= watch->due) changed = advance(watch) || changed;
  }
  leave(watch);
}
