/* Ranks: the other processes of a cluster, as rank 0 sees them, and what they do.
 *
 *   rank r              rank 0
 *   HELLO   ------->              who I am and a fingerprint of the specification
 *           <-------    START     which settings have something to do
 *   READY   ------->              the bounds are computed
 *           <-------    TASKS
 *   OUTCOME ------->              and more TASKS, in any order
 *   ALIVE   <------>              now and then
 *           <-------    END       stop working
 *   BYE     ------->
 *           <-------    LEAVE     together, if all are there
 *
 * A rank that is silent for too long, or whose process is gone, is lost: its tasks are given to
 * others.  Should it speak again it is told to end.  Without rank 0 the others end: nobody stores what they do.
 * Silence is counted while the listener runs, so a job that is stopped and continued as a whole goes on. */
#ifndef EXPERIMENT_RANKS_H
#define EXPERIMENT_RANKS_H

#include "experiment/cluster.h"
#include "experiment/play.h"
#include "experiment/todo.h"

enum { RANKS_TASKS = 64 }; /* in one message */

enum message_kind {
  MESSAGE_HELLO = 1,
  MESSAGE_START,
  MESSAGE_READY,
  MESSAGE_TASKS,
  MESSAGE_OUTCOME,
  MESSAGE_ALIVE,
  MESSAGE_END,
  MESSAGE_BYE,
  MESSAGE_LEAVE
};

struct message {
  uint32_t kind, count;
  union {
    struct {
      uint64_t fingerprint;
      int64_t process;
      uint32_t threads;
      char host[64];
    } hello;
    struct {
      uint32_t together; /* LEAVE: all ranks are there */
      int64_t process;   /* START: of rank 0 */
      char host[64];
      unsigned char needed[16384]; /* START: bits by setting */
    } start;
    struct task tasks[RANKS_TASKS];
    struct outcome outcome;
  } body;
};

/* What two ranks must agree on. */
uint64_t ranks_fingerprint(const struct spec *spec);
/* Sends the head of a message and so many bytes of its body. */
bool ranks_send(const struct cluster *cluster, unsigned to, const struct message *message, size_t body);
/* Is a process of this machine gone? */
bool ranks_gone(const char *host, int64_t process, const char *here);

struct ranks;

/* `needed` tells for each setting whether there is anything to do.  NULL: no memory. */
struct ranks *ranks_new(const struct cluster *cluster, const struct spec *spec, const bool *needed);
void ranks_free(struct ranks *ranks);
/* Handles one message; true when it was an outcome, of a task that is still wanted from that rank.  *idle: there was
 * none. */
bool ranks_receive(struct ranks *ranks, struct outcome *outcome, bool *idle);
/* Gives work to those who have room. */
void ranks_feed(struct ranks *ranks, struct todo *todo);
/* Looks for ranks that were lost and takes their tasks back; how many ranks were lost now.  A text for people, or "",
 * goes to `news`. */
unsigned ranks_look(struct ranks *ranks, struct todo *todo, char news[200]);
/* Tasks that others have. */
size_t ranks_busy(const struct ranks *ranks);
unsigned ranks_threads(const struct ranks *ranks);
/* A rank that reads another specification: its number, 0 if there is none. */
unsigned ranks_stranger(const struct ranks *ranks);
/* Tells all that there is somebody, when it is time. */
void ranks_pulse(struct ranks *ranks);
/* Tells all to end, and waits until they have stopped.  Are they all there?  *stuck: one that is not may still exist.
 */
bool ranks_end(struct ranks *ranks, bool *stuck);

/* The work of a rank other than 0, until rank 0 says that it is over.  False with a complaint; *stuck: because of rank
 * 0, which may still exist. */
bool ranks_member(const struct cluster *cluster, struct spec *spec, unsigned threads, bool *stuck, complaint *why);

#endif
