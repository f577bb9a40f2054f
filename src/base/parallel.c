/* Parallel: workers that come to an open job, take blocks from a counter, leave.
 *
 * All agreement is in one atomic word, `state`:
 *
 *     job number * 2^33  +  open * 2^32  +  workers inside
 *
 * The caller writes the job's fields while nobody is inside and no job is open,
 * opens it, works too, and when the counter has run out closes it and waits for
 * the workers inside.  A worker enters by a compare-and-swap that fails if the
 * job was closed meanwhile, so one that wakes up late finds no job and does not
 * hold up anybody: with fewer cores than threads the caller does not wait for
 * threads that never ran.  Entering (acquire) follows opening (release) and the
 * caller's last look (acquire) follows leaving (release), which is all the
 * ordering that the job's fields and the results need.
 *
 * Waking.  Jobs come in thousands, each about a millisecond long and with little
 * in between, so whoever waits first looks again for some tens of microseconds,
 * giving up the processor at each look, and only then sleeps on a condition.
 * Sleepers announce themselves in `idle` or `caller_waits` under the lock before
 * their last look at `state`, the other side changes `state` before it looks for
 * sleepers; both sides sequentially consistent, so one of them sees the other.
 *
 * Cost of a job beside its work: about a microsecond when the workers are awake,
 * tens when they must be woken. */
#include "base/parallel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"

#define OPEN (UINT64_C(1) << 32)
#define NEXT_JOB (UINT64_C(1) << 33)
#define INSIDE(state) ((uint32_t)(state))
#define JOB(state) ((state) / NEXT_JOB)

enum { MAX_THREADS = 1024 };
static const double spin_seconds = 40e-6;

typedef struct member {
  gli_parallel *pool;
  unsigned worker;
  gli_thread thread;
} member;

struct gli_parallel {
  _Atomic uint64_t state;
  _Atomic size_t next_block;

  /* The job; constant while it is open or somebody is inside. */
  gli_parallel_work work;
  void *context;
  size_t count, block, blocks;

  gli_lock lock;
  gli_bell opened, left;
  _Atomic unsigned idle;     /* workers asleep, or about to; changed under the lock */
  _Atomic bool caller_waits; /* likewise */
  _Atomic bool stop;

  unsigned threads; /* the caller and the members */
  member *members;
};

/* ----------------------------------------------------------------- working */

static void take_blocks(gli_parallel *pool, unsigned worker) {
  size_t i;
  while ((i = atomic_fetch_add_explicit(&pool->next_block, 1, memory_order_relaxed)) < pool->blocks) {
    size_t first = i * pool->block;
    size_t last = pool->count - first < pool->block ? pool->count : first + pool->block;
    pool->work(pool->context, first, last, worker);
  }
}

/* Does the open job's remaining blocks; false when there is no job that this
 * worker has not seen. */
static bool join_job(gli_parallel *pool, unsigned worker, uint64_t *last_job) {
  uint64_t state = atomic_load(&pool->state);
  do {
    if (!(state & OPEN) || JOB(state) == *last_job) return false;
  } while (!atomic_compare_exchange_weak(&pool->state, &state, state + 1));
  *last_job = JOB(state);
  take_blocks(pool, worker);
  state = atomic_fetch_sub(&pool->state, 1) - 1;
  if (!(state & OPEN) && INSIDE(state) == 0 && atomic_load(&pool->caller_waits)) {
    gli_lock_take(&pool->lock);
    gli_bell_ring(&pool->left);
    gli_lock_leave(&pool->lock);
  }
  return true;
}

static bool has_news(gli_parallel *pool, uint64_t last_job) {
  uint64_t state = atomic_load(&pool->state);
  return ((state & OPEN) && JOB(state) != last_job) || atomic_load(&pool->stop);
}

/* True as soon as the pool has news, false when there was none for a while. */
static bool watch(gli_parallel *pool, uint64_t last_job) {
  double end = gli_clock_now() + spin_seconds;
  do {
    if (has_news(pool, last_job)) return true;
    gli_thread_yield();
  } while (gli_clock_now() < end);
  return false;
}

static void *live(void *argument) {
  member *self = argument;
  gli_parallel *pool = self->pool;
  uint64_t last_job = 0;
  while (!atomic_load(&pool->stop)) {
    if (join_job(pool, self->worker, &last_job) || watch(pool, last_job)) continue;
    gli_lock_take(&pool->lock);
    atomic_fetch_add(&pool->idle, 1);
    while (!has_news(pool, last_job)) gli_bell_wait(&pool->opened, &pool->lock);
    atomic_fetch_sub(&pool->idle, 1);
    gli_lock_leave(&pool->lock);
  }
  return NULL;
}

/* Wakes up to `wanted` of those that sleep. */
static void wake(gli_parallel *pool, size_t wanted) {
  unsigned idle = atomic_load(&pool->idle);
  if (!idle) return;
  gli_lock_take(&pool->lock);
  if (wanted >= idle) {
    gli_bell_ring_all(&pool->opened);
  } else {
    while (wanted-- > 0) gli_bell_ring(&pool->opened);
  }
  gli_lock_leave(&pool->lock);
}

static void wait_until_empty(gli_parallel *pool) {
  double end = 0;
  while (INSIDE(atomic_load(&pool->state))) {
    double now = gli_clock_now();
    if (end == 0) end = now + spin_seconds;
    if (now < end) {
      gli_thread_yield();
      continue;
    }
    gli_lock_take(&pool->lock);
    atomic_store(&pool->caller_waits, true);
    while (INSIDE(atomic_load(&pool->state))) gli_bell_wait(&pool->left, &pool->lock);
    atomic_store(&pool->caller_waits, false);
    gli_lock_leave(&pool->lock);
  }
}

void gli_parallel_run(gli_parallel *pool, size_t count, size_t block, gli_parallel_work work, void *context) {
  if (block == 0) block = 1;
  size_t blocks = count / block + (count % block != 0);
  if (!pool || pool->threads == 1 || blocks <= 1) {
    for (size_t first = 0; first < count;) {
      size_t last = count - first < block ? count : first + block;
      work(context, first, last, 0);
      first = last;
    }
    return;
  }
  pool->work = work;
  pool->context = context;
  pool->count = count;
  pool->block = block;
  pool->blocks = blocks;
  atomic_store_explicit(&pool->next_block, 0, memory_order_relaxed);
  atomic_fetch_add(&pool->state, NEXT_JOB + OPEN);
  wake(pool, blocks - 1);
  take_blocks(pool, 0);
  atomic_fetch_sub(&pool->state, OPEN);
  wait_until_empty(pool);
}

/* -------------------------------------------------------------------- life */

/* Signals stay with the threads of the program. */
static void start_members(gli_parallel *pool, unsigned wanted) {
  gli_calm before = gli_thread_calm();
  for (unsigned i = 0; i + 1 < wanted; i++) {
    member *next = &pool->members[i];
    *next = (member){.pool = pool, .worker = i + 1};
    if (!gli_thread_start(&next->thread, live, next)) break;
    pool->threads++;
  }
  gli_thread_rouse(&before);
}

gli_parallel *gli_parallel_new(unsigned threads) {
  if (threads == 0) threads = gli_thread_cores();
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  gli_parallel *pool = GLI_NEW(gli_parallel, 1);
  member *members = GLI_NEW(member, threads);
  if (!pool || !members) goto no_memory;
  pool->members = members;
  pool->threads = 1;
  if (!gli_lock_make(&pool->lock)) goto no_memory;
  if (!gli_bell_make(&pool->opened)) goto no_opened;
  if (!gli_bell_make(&pool->left)) goto no_left;
  start_members(pool, threads);
  return pool;

no_left:
  gli_bell_end(&pool->opened);
no_opened:
  gli_lock_end(&pool->lock);
no_memory:
  gli_memory_free(members);
  gli_memory_free(pool);
  return NULL;
}

void gli_parallel_free(gli_parallel *pool) {
  if (!pool) return;
  gli_lock_take(&pool->lock);
  atomic_store(&pool->stop, true);
  gli_bell_ring_all(&pool->opened);
  gli_lock_leave(&pool->lock);
  for (unsigned i = 0; i + 1 < pool->threads; i++) gli_thread_join(pool->members[i].thread);
  gli_bell_end(&pool->left);
  gli_bell_end(&pool->opened);
  gli_lock_end(&pool->lock);
  gli_memory_free(pool->members);
  gli_memory_free(pool);
}

unsigned gli_parallel_threads(const gli_parallel *pool) {
  return pool ? pool->threads : 1;
}
