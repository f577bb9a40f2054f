/* Ranks: see ranks.h; this is the side of rank 0. */
#include "experiment/ranks.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "experiment/digest.h"
#include "experiment/machine.h"

#define SILENCE 60 /* seconds after which a rank that works is lost */
#define PULSE 1    /* seconds between two signs of life */

enum state { STATE_NEW, STATE_STARTED, STATE_READY, STATE_GONE, STATE_LOST, STATE_STRANGER };

struct rank {
  enum state state;
  char host[64];
  int64_t process;
  uint32_t threads;
  double silent;                  /* seconds since it was heard */
  struct task tasks[RANKS_TASKS]; /* that it has */
  size_t count;
};

struct ranks {
  const struct cluster *cluster;
  const struct spec *spec;
  const bool *needed;
  struct rank *rank; /* by number; 0 is not used */
  uint64_t fingerprint;
  struct machine machine;
  struct message *message; /* room for one */
  double pulse, patience;
};

/* ------------------------------------------------------------ for both sides */

uint64_t ranks_fingerprint(const struct spec *spec) {
  uint64_t hash = DIGEST_START;
  for (size_t i = 0; i < spec->setting_count; i++)
    for (const char *c = spec->settings[i].key;; c++) {
      hash = digest_byte(hash, *c);
      if (!*c) break;
    }
  return hash;
}

bool ranks_send(const struct cluster *cluster, unsigned to, const struct message *message, size_t body) {
  return cluster->send(to, message, offsetof(struct message, body) + body);
}

bool ranks_gone(const char *host, int64_t process, const char *here) {
  return process > 0 && !strcmp(host, here) && kill((pid_t)process, 0) && errno == ESRCH;
}

/* -------------------------------------------------------------------- rank 0 */

struct ranks *ranks_new(const struct cluster *cluster, const struct spec *spec, const bool *needed) {
  struct ranks *ranks = calloc(1, sizeof *ranks);
  if (!ranks) return NULL;
  *ranks = (struct ranks){.cluster = cluster, .spec = spec, .needed = needed, .fingerprint = ranks_fingerprint(spec)};
  ranks->patience = fmin(SILENCE, cluster_patience());
  machine_look(&ranks->machine);
  ranks->rank = calloc(cluster->ranks, sizeof *ranks->rank);
  ranks->message = calloc(1, CLUSTER_MESSAGE);
  if (ranks->rank && ranks->message) return ranks;
  ranks_free(ranks);
  return NULL;
}

void ranks_free(struct ranks *ranks) {
  if (!ranks) return;
  free(ranks->rank);
  free(ranks->message);
  free(ranks);
}

static void send_word(struct ranks *ranks, unsigned to, enum message_kind kind, bool together) {
  struct message word = {.kind = kind};
  word.body.start.together = together;
  ranks_send(ranks->cluster, to, &word, sizeof word.body.start.together);
}

static void welcome(struct ranks *ranks, unsigned from) {
  struct rank *rank = &ranks->rank[from];
  const struct message *hello = ranks->message;
  rank->process = hello->body.hello.process;
  rank->threads = hello->body.hello.threads;
  memcpy(rank->host, hello->body.hello.host, sizeof rank->host);
  if (hello->body.hello.fingerprint != ranks->fingerprint) {
    rank->state = STATE_STRANGER;
    return;
  }
  rank->state = STATE_STARTED;
  struct message start = {.kind = MESSAGE_START};
  start.body.start.process = getpid();
  memcpy(start.body.start.host, ranks->machine.host, sizeof start.body.start.host);
  for (size_t i = 0; i < ranks->spec->setting_count; i++)
    if (ranks->needed[i]) start.body.start.needed[i / 8] |= (unsigned char)(1u << i % 8);
  ranks_send(ranks->cluster, from, &start, sizeof start.body.start);
}

static bool same(const struct task *a, const struct task *b) {
  return a->setting == b->setting && a->trace == b->trace && a->episode == b->episode;
}

/* Strikes a task off a rank's list; false: it was not on it. */
static bool strike(struct rank *rank, const struct task *task) {
  for (size_t i = 0; i < rank->count; i++) {
    if (!same(&rank->tasks[i], task)) continue;
    rank->tasks[i] = rank->tasks[--rank->count];
    return true;
  }
  return false;
}

bool ranks_receive(struct ranks *ranks, struct outcome *outcome, bool *idle) {
  unsigned from = 0;
  size_t size = ranks->cluster->receive(ranks->message, &from);
  *idle = !size;
  if (!size || !from || from >= ranks->cluster->ranks) return false;
  struct rank *rank = &ranks->rank[from];
  rank->silent = 0;
  if (rank->state == STATE_LOST) { /* it was only slow, but others have its tasks */
    if (ranks->message->kind != MESSAGE_BYE) send_word(ranks, from, MESSAGE_END, false);
    else send_word(ranks, from, MESSAGE_LEAVE, false);
    return false;
  }
  if (ranks->message->kind == MESSAGE_HELLO) welcome(ranks, from);
  if (ranks->message->kind == MESSAGE_READY && rank->state == STATE_STARTED) rank->state = STATE_READY;
  if (ranks->message->kind != MESSAGE_OUTCOME) return false;
  *outcome = ranks->message->body.outcome;
  return strike(rank, &outcome->task);
}

/* Some tasks in advance, so that no worker waits for the post. */
static size_t wanted(const struct rank *rank) {
  size_t most = 2 * (size_t)rank->threads;
  return most < RANKS_TASKS ? most : RANKS_TASKS;
}

void ranks_feed(struct ranks *ranks, struct todo *todo) {
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) {
    struct rank *rank = &ranks->rank[r];
    if (rank->state != STATE_READY || rank->count >= wanted(rank)) continue;
    struct message message = {.kind = MESSAGE_TASKS};
    struct task task;
    while (rank->count < wanted(rank) && todo_take(todo, &task)) {
      rank->tasks[rank->count++] = task;
      message.body.tasks[message.count++] = task;
    }
    if (message.count) ranks_send(ranks->cluster, r, &message, message.count * sizeof task);
  }
}

static bool at_work(const struct rank *rank) {
  return rank->state == STATE_STARTED || rank->state == STATE_READY;
}

void ranks_pulse(struct ranks *ranks) {
  double time = machine_clock(), passed = time - ranks->pulse;
  if (passed < PULSE) return;
  ranks->pulse = time;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) {
    struct rank *rank = &ranks->rank[r];
    struct message alive = {.kind = MESSAGE_ALIVE};
    rank->silent += fmin(passed, 2 * PULSE); /* if this process was stopped, others were not silent all the time */
    if (at_work(rank)) ranks_send(ranks->cluster, r, &alive, 0);
  }
}

unsigned ranks_look(struct ranks *ranks, struct todo *todo, char news[200]) {
  unsigned lost = 0;
  double last = ranks->pulse;
  news[0] = 0;
  ranks_pulse(ranks);
  if (!(ranks->pulse > last)) return 0;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) {
    struct rank *rank = &ranks->rank[r];
    if (!at_work(rank)) continue;
    /* One that is not ready computes bounds, which may take any time. */
    bool silent = rank->state == STATE_READY && rank->silent > ranks->patience;
    if (!silent && !ranks_gone(rank->host, rank->process, ranks->machine.host)) continue;
    snprintf(news, 200, "rank %u on %s is lost; its %zu unfinished episodes are run again", r, rank->host, rank->count);
    while (rank->count) todo_return(todo, rank->tasks[--rank->count]);
    rank->state = STATE_LOST;
    lost++;
  }
  return lost;
}

size_t ranks_busy(const struct ranks *ranks) {
  size_t busy = 0;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) busy += ranks->rank[r].count;
  return busy;
}

unsigned ranks_threads(const struct ranks *ranks) {
  unsigned threads = 0;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++)
    if (ranks->rank[r].state == STATE_READY) threads += ranks->rank[r].threads;
  return threads;
}

unsigned ranks_stranger(const struct ranks *ranks) {
  for (unsigned r = 1; r < ranks->cluster->ranks; r++)
    if (ranks->rank[r].state == STATE_STRANGER) return r;
  return 0;
}

/* Has every rank that is not lost said goodbye?  One of another machine, one that should be at work, or one that has
 * not said a word yet, gets some time; one that computes bounds on this machine is waited for. */
static bool stopped(struct ranks *ranks, double waited) {
  bool all = true;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) {
    struct rank *rank = &ranks->rank[r];
    if (rank->state == STATE_GONE || rank->state == STATE_LOST) continue;
    bool gone = ranks_gone(rank->host, rank->process, ranks->machine.host);
    bool here = rank->process > 0 && !strcmp(rank->host, ranks->machine.host);
    bool late = waited > ranks->patience / 2 && (!here || rank->state != STATE_STARTED);
    if (gone || late) rank->state = STATE_LOST;
    else all = false;
  }
  return all;
}

bool ranks_end(struct ranks *ranks, bool *stuck) {
  double start = machine_clock();
  bool together = true;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++)
    if (ranks->rank[r].state != STATE_LOST) send_word(ranks, r, MESSAGE_END, true);
  while (!stopped(ranks, machine_clock() - start)) {
    unsigned from = 0;
    if (!ranks->cluster->receive(ranks->message, &from)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    else if (ranks->message->kind == MESSAGE_BYE && from < ranks->cluster->ranks) ranks->rank[from].state = STATE_GONE;
  }
  *stuck = false;
  for (unsigned r = 1; r < ranks->cluster->ranks; r++) {
    const struct rank *rank = &ranks->rank[r];
    if (rank->state != STATE_LOST) continue;
    together = false;
    if (!ranks_gone(rank->host, rank->process, ranks->machine.host)) *stuck = true;
  }
  for (unsigned r = 1; r < ranks->cluster->ranks; r++)
    if (ranks->rank[r].state != STATE_LOST) send_word(ranks, r, MESSAGE_LEAVE, together);
  return together;
}
