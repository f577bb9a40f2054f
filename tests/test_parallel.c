/* Parallel: every block once, by workers with numbers of their own, for many
 * shapes, over thousands of jobs, also when threads are refused.
 *
 * The pool is compiled here with pthread_create renamed, so that it can be
 * refused. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/failing_malloc.h"

static int threads_granted = INT_MAX;

static int limited_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  return threads_granted-- > 0 ? pthread_create(thread, attributes, body, argument) : EAGAIN;
}

#define pthread_create limited_create
#include "base/parallel.c" /* NOLINT(bugprone-suspicious-include): with its call replaced */
#undef pthread_create

static void rest(long microseconds) {
  struct timespec time = {0, microseconds * 1000};
  nanosleep(&time, NULL);
}

/* ------------------------------------------------------------ exactly once */

enum { MAX_ITEMS = 5000, WORKERS = 64 };

/* So many jobs a worker may miss before a test fails for it: a machine that is
 * busy with something else may take long to let it run. */
enum { PATIENCE = 20000 };

typedef struct tally {
  size_t count, block;
  unsigned threads;
  _Atomic unsigned calls;
  _Atomic unsigned wrong; /* calls with wrong arguments */
  _Atomic bool busy[WORKERS];
  _Atomic unsigned char seen[MAX_ITEMS];
} tally;

/* Runs in other threads, where cmocka's assertions do not work: only counts. */
static void note(void *context, size_t first, size_t last, unsigned worker) {
  tally *t = context;
  t->calls++;
  size_t expected = t->count - first < t->block ? t->count : first + t->block;
  if (first >= t->count || first % t->block != 0 || last != expected || worker >= t->threads) {
    t->wrong++;
    return;
  }
  if (atomic_exchange(&t->busy[worker], true)) t->wrong++; /* two with the same number at once */
  for (size_t i = first; i < last; i++) t->seen[i]++;
  t->busy[worker] = false;
}

static void check_once(gli_parallel *pool, size_t count, size_t block) {
  static tally t;
  memset(&t, 0, sizeof t);
  t.count = count;
  t.block = block ? block : 1;
  t.threads = gli_parallel_threads(pool);
  gli_parallel_run(pool, count, block, note, &t);
  assert_int_equal(t.wrong, 0);
  assert_int_equal(t.calls, count / t.block + (count % t.block != 0));
  for (size_t i = 0; i < count; i++) assert_int_equal(t.seen[i], 1);
}

static void every_block_once(void **state) {
  (void)state;
  static const unsigned threads[] = {0, 1, 2, 3, 5, 16};
  static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 64, 65, 1000, MAX_ITEMS};
  static const size_t blocks[] = {0, 1, 2, 7, 64, 999, 1000, 1001, SIZE_MAX / 2, SIZE_MAX};
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    gli_parallel *pool = gli_parallel_new(threads[t]);
    assert_non_null(pool);
    if (threads[t]) assert_int_equal(gli_parallel_threads(pool), threads[t]);
    assert_in_range(gli_parallel_threads(pool), 1, 1024);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) check_once(pool, counts[c], blocks[b]);
    }
    gli_parallel_free(pool);
  }
}

static void no_pool_is_one_thread(void **state) {
  (void)state;
  assert_int_equal(gli_parallel_threads(NULL), 1);
  check_once(NULL, 100, 7);
  check_once(NULL, 0, 7);
  gli_parallel_free(NULL);
}

/* ---------------------------------------------------------------- many jobs */

typedef struct numbers {
  size_t count;
  uint64_t values[300];
} numbers;

/* What a job reads was written by other threads in the job before. */
static void turn(void *context, size_t first, size_t last, unsigned worker) {
  (void)worker;
  numbers *n = context;
  const uint64_t *from = n->values;
  uint64_t *to = n->values + n->count;
  for (size_t i = first; i < last; i++) to[i] = from[(i + 1) % n->count] * 3 + i;
}

static void thousands_of_jobs(void **state) {
  (void)state;
  enum { COUNT = 100, JOBS = 5000 };
  numbers serial = {.count = COUNT}, pooled = {.count = COUNT};
  for (unsigned threads = 1; threads <= 4; threads++) {
    gli_parallel *pool = gli_parallel_new(threads);
    assert_non_null(pool);
    for (int job = 0; job < JOBS; job++) {
      gli_parallel_run(pool, COUNT, 9, turn, &pooled);
      turn(&serial, 0, COUNT, 0);
      memcpy(pooled.values, pooled.values + COUNT, COUNT * sizeof *pooled.values);
      memcpy(serial.values, serial.values + COUNT, COUNT * sizeof *serial.values);
    }
    assert_memory_equal(pooled.values, serial.values, COUNT * sizeof *serial.values);
    gli_parallel_free(pool);
  }
}

/* A sum per block, added in the order of the blocks. */
typedef struct sums {
  double *blocks;
} sums;

enum { BLOCK = 50 };

static void add_up(void *context, size_t first, size_t last, unsigned worker) {
  (void)worker;
  sums *s = context;
  double sum = 0;
  for (size_t i = first; i < last; i++) sum += 1.0 / (double)(i + 1);
  s->blocks[first / BLOCK] = sum;
}

static void results_do_not_depend_on_threads(void **state) {
  (void)state;
  enum { COUNT = 3333, BLOCKS = (COUNT + BLOCK - 1) / BLOCK };
  double expected = 0, blocks[BLOCKS];
  for (unsigned threads = 1; threads <= 6; threads++) {
    gli_parallel *pool = gli_parallel_new(threads);
    assert_non_null(pool);
    gli_parallel_run(pool, COUNT, BLOCK, add_up, &(sums){blocks});
    double total = 0;
    for (int i = 0; i < BLOCKS; i++) total += blocks[i];
    if (threads == 1) expected = total;
    assert_memory_equal(&total, &expected, sizeof total);
    gli_parallel_free(pool);
  }
  assert_true(expected > 8.6889 && expected < 8.6891); /* ln 3333 + 0.57722 + 1/6666 */
}

/* ------------------------------------------------------- sleeping and waking */

typedef struct nap {
  _Atomic unsigned done, by_others;
} nap;

/* Long enough that whoever waits falls asleep. */
static void sleep_a_little(void *context, size_t first, size_t last, unsigned worker) {
  nap *n = context;
  rest(300);
  n->done += (unsigned)(last - first);
  if (worker) n->by_others++;
}

static void sleepers_wake_up(void **state) {
  (void)state;
  gli_parallel *pool = gli_parallel_new(4);
  assert_non_null(pool);
  nap n = {0};
  for (unsigned job = 1; job <= 30 || (!n.by_others && job < PATIENCE); job++) {
    rest(500); /* the workers fall asleep */
    gli_parallel_run(pool, 7, 1, sleep_a_little, &n);
    assert_int_equal(n.done, 7 * job);
  }
  assert_true(n.by_others > 0);
  gli_parallel_free(pool);
}

/* The caller has nothing to do and waits for a worker that is asleep at work. */
static void slow_worker(void *context, size_t first, size_t last, unsigned worker) {
  nap *n = context;
  if (worker) {
    n->by_others++;
    rest(400);
  } else {
    rest(100);
  }
  n->done += (unsigned)(last - first);
}

static void caller_waits_for_the_last(void **state) {
  (void)state;
  gli_parallel *pool = gli_parallel_new(3);
  assert_non_null(pool);
  nap n = {0};
  for (unsigned job = 1; job <= 60 || (!n.by_others && job < PATIENCE); job++) {
    gli_parallel_run(pool, 6, 2, slow_worker, &n);
    assert_int_equal(n.done, 6 * job);
  }
  assert_true(n.by_others > 0);
  gli_parallel_free(pool);
}

static void pools_come_and_go(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    gli_parallel *pool = gli_parallel_new(3);
    assert_non_null(pool);
    if (i % 2) check_once(pool, 50, 3);
    if (i % 3 == 0) rest(200);
    gli_parallel_free(pool);
  }
}

/* ------------------------------------------------------------------- limits */

static void works_with_fewer_threads(void **state) {
  (void)state;
  for (int granted = 0; granted < 4; granted++) {
    threads_granted = granted;
    gli_parallel *pool = gli_parallel_new(4);
    threads_granted = INT_MAX;
    assert_non_null(pool);
    assert_int_equal(gli_parallel_threads(pool), granted + 1);
    check_once(pool, 100, 3);
    gli_parallel_free(pool);
  }
}

static void too_many_threads_are_capped(void **state) {
  (void)state;
  threads_granted = 2;
  gli_parallel *pool = gli_parallel_new(UINT_MAX);
  threads_granted = INT_MAX;
  assert_non_null(pool);
  assert_int_equal(gli_parallel_threads(pool), 3);
  gli_parallel_free(pool);
}

static glimpse_status new_and_free(void *context) {
  (void)context;
  gli_parallel *pool = gli_parallel_new(3);
  if (!pool) return GLIMPSE_NO_MEMORY;
  gli_parallel_free(pool);
  return GLIMPSE_OK;
}

static void out_of_memory(void **state) {
  (void)state;
  assert_int_equal(failing_malloc_sweep(new_and_free, NULL), 2);
}

/* --------------------------------------------------------------- signals */

typedef struct masks {
  _Atomic unsigned open, blocked;
} masks;

static void look_at_mask(void *context, size_t first, size_t last, unsigned worker) {
  (void)first;
  (void)last;
  masks *m = context;
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, NULL, &now);
  bool blocked = sigismember(&now, SIGINT) == 1 && sigismember(&now, SIGTERM) == 1;
  if (worker && blocked) m->blocked++;
  if (worker && !blocked) m->open++;
  rest(100); /* leave some for the others */
}

static void workers_take_no_signals(void **state) {
  (void)state;
  sigset_t before, after;
  sigemptyset(&before);
  sigemptyset(&after);
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  gli_parallel *pool = gli_parallel_new(3);
  assert_non_null(pool);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  for (int s = 1; s < 32; s++) assert_int_equal(sigismember(&after, s), sigismember(&before, s));
  masks m = {0};
  for (int i = 0; i < 10 || (!m.blocked && i < PATIENCE); i++) gli_parallel_run(pool, 9, 1, look_at_mask, &m);
  assert_int_equal(m.open, 0);
  assert_true(m.blocked > 0);
  gli_parallel_free(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_block_once),
      cmocka_unit_test(no_pool_is_one_thread),
      cmocka_unit_test(thousands_of_jobs),
      cmocka_unit_test(results_do_not_depend_on_threads),
      cmocka_unit_test(sleepers_wake_up),
      cmocka_unit_test(caller_waits_for_the_last),
      cmocka_unit_test(pools_come_and_go),
      cmocka_unit_test(works_with_fewer_threads),
      cmocka_unit_test(too_many_threads_are_capped),
      cmocka_unit_test(out_of_memory),
      cmocka_unit_test(workers_take_no_signals),
  };
  return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
