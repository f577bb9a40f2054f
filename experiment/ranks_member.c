/* Ranks: the side of a rank other than 0; see ranks.h.
 *
 * Signals are left to rank 0, which gets them from mpirun, too, and ends the whole.
 * Its main thread carries messages between rank 0 and the crew.  It ends when rank 0 says so, or when
 * rank 0 is gone: what it has then is played again after --resume. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "experiment/crew.h"
#include "experiment/machine.h"
#include "experiment/ranks.h"

struct member {
  const struct cluster *cluster;
  struct spec *spec;
  struct machine machine;
  struct crew_options options;
  struct crew *crew;
  struct message *message;
  struct outcome *outcomes;
  char host[64]; /* of rank 0 */
  int64_t process;
  double silent, pulse; /* seconds since a word of rank 0; the time of the last sign of life */
  int stop;             /* raised for the crew */
  bool ended, over, together;
};

enum { OUTCOMES = 16 };

static void greet(struct member *member) {
  struct message hello = {.kind = MESSAGE_HELLO};
  hello.body.hello.fingerprint = ranks_fingerprint(member->spec);
  hello.body.hello.process = getpid();
  hello.body.hello.threads = member->options.threads;
  memcpy(hello.body.hello.host, member->machine.host, sizeof hello.body.hello.host);
  ranks_send(member->cluster, 0, &hello, sizeof hello.body.hello);
}

/* The bounds of what there is to do, and the crew. */
static bool prepare(struct member *member, complaint *why) {
  const unsigned char *needed = member->message->body.start.needed;
  memcpy(member->host, member->message->body.start.host, sizeof member->host);
  member->process = member->message->body.start.process;
  for (size_t i = 0; i < member->spec->setting_count; i++) {
    if (!(needed[i / 8] >> i % 8 & 1)) continue;
    if (!catalogue_bounds(&member->spec->catalogue, &member->spec->settings[i], member->options.threads, why) ||
        !catalogue_solve(&member->spec->catalogue, &member->spec->settings[i], NULL, why))
      return false;
  }
  member->crew = crew_new(member->spec, &member->options);
  if (!member->crew) return complain(why, "", "cannot start the workers: %s", strerror(errno));
  struct message ready = {.kind = MESSAGE_READY};
  return ranks_send(member->cluster, 0, &ready, 0) || complain(why, "", "rank 0 cannot be reached");
}

/* No more work; what was not delivered is not wanted. */
static void stop(struct member *member) {
  __atomic_store_n(&member->stop, 1, __ATOMIC_RELAXED);
  crew_free(member->crew);
  member->crew = NULL;
  member->ended = true;
  struct message bye = {.kind = MESSAGE_BYE};
  ranks_send(member->cluster, 0, &bye, 0);
}

static bool handle(struct member *member, complaint *why) {
  const struct message *message = member->message;
  member->silent = 0;
  if (message->kind == MESSAGE_START && !member->crew && !member->ended) return prepare(member, why);
  if (message->kind == MESSAGE_TASKS && member->crew)
    for (uint32_t i = 0; i < message->count && i < RANKS_TASKS; i++) crew_give(member->crew, message->body.tasks[i]);
  if (message->kind == MESSAGE_END) stop(member);
  if (message->kind == MESSAGE_LEAVE) {
    member->over = true;
    member->together = message->body.start.together;
  }
  return true;
}

static void deliver(struct member *member) {
  size_t count = crew_take(member->crew, member->outcomes, OUTCOMES, 0.001);
  for (size_t i = 0; i < count; i++) {
    struct message *message = member->message;
    message->kind = MESSAGE_OUTCOME;
    message->body.outcome = member->outcomes[i];
    ranks_send(member->cluster, 0, message, sizeof message->body.outcome);
  }
}

/* Is rank 0 gone, or stuck? */
static bool lonely(const struct member *member, bool *stuck, complaint *why) {
  double patience = cluster_patience();
  bool gone = ranks_gone(member->host, member->process, member->machine.host);
  if (!gone && member->silent <= patience) return false;
  *stuck = !gone;
  if (gone) complain(why, "", "rank 0 is gone");
  else complain(why, "", "rank 0 has been silent for %.0f s: the job is ended", patience);
  advise(why, "what it has stored is safe, and '--resume' runs what is missing");
  return true;
}

static bool serve(struct member *member, bool *stuck, complaint *why) {
  greet(member);
  member->pulse = machine_clock();
  while (!member->over) {
    unsigned from;
    bool idle = true;
    while (!member->over && member->cluster->receive(member->message, &from)) {
      idle = false;
      if (!handle(member, why)) return false;
    }
    if (member->crew) deliver(member);
    else if (idle) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    double time = machine_clock(), passed = time - member->pulse;
    if (passed < 1) continue;
    member->silent += fmin(passed, 2); /* if this process was stopped, rank 0 was not silent all the time */
    member->pulse = time;
    struct message alive = {.kind = MESSAGE_ALIVE};
    ranks_send(member->cluster, 0, &alive, 0);
    if (lonely(member, stuck, why)) return false;
  }
  return true;
}

bool ranks_member(const struct cluster *cluster, struct spec *spec, unsigned threads, bool *stuck, complaint *why) {
  struct member *member = calloc(1, sizeof *member);
  if (!member) return complain(why, "", "out of memory");
  *member = (struct member){.cluster = cluster, .spec = spec};
  machine_look(&member->machine);
  member->options = (struct crew_options){.threads = threads,
                                          .first = cluster->local * threads,
                                          .pin = spec_timed(spec),
                                          .rank = cluster->rank,
                                          .host = member->machine.host,
                                          .interrupt = &member->stop};
  member->message = calloc(1, CLUSTER_MESSAGE);
  member->outcomes = calloc(OUTCOMES, sizeof *member->outcomes);
  bool good = member->message && member->outcomes ? serve(member, stuck, why) : complain(why, "", "out of memory");
  __atomic_store_n(&member->stop, 1, __ATOMIC_RELAXED);
  crew_free(member->crew);
  bool together = good && member->together;
  free(member->message);
  free(member->outcomes);
  free(member);
  cluster->leave(together);
  return good;
}
