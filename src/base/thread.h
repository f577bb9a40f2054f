/* Thread: what the library needs of threads, and the seam where there are none.
 *
 * On POSIX systems these are the functions of pthreads under other names.  WebAssembly
 * without shared memory has one thread: none can be started, which callers take as "fewer
 * threads than wanted", and a lock has nobody to keep out. */
#ifndef GLI_BASE_THREAD_H
#define GLI_BASE_THREAD_H

#include <stdbool.h>

#if defined(__wasm__)

typedef char gli_thread, gli_lock, gli_bell, gli_calm;

static inline unsigned gli_thread_cores(void) {
  return 1;
}
static inline bool gli_thread_start(gli_thread *thread, void *(*run)(void *), void *context) {
  (void)thread, (void)run, (void)context;
  return false;
}
static inline void gli_thread_join(gli_thread thread) {
  (void)thread;
}
static inline void gli_thread_yield(void) {}
static inline gli_calm gli_thread_calm(void) {
  return 0;
}
static inline void gli_thread_rouse(const gli_calm *calm) {
  (void)calm;
}

static inline bool gli_lock_make(gli_lock *lock) {
  *lock = 0;
  return true;
}
static inline void gli_lock_end(gli_lock *lock) {
  (void)lock;
}
static inline void gli_lock_take(gli_lock *lock) {
  (void)lock;
}
static inline void gli_lock_leave(gli_lock *lock) {
  (void)lock;
}

static inline bool gli_bell_make(gli_bell *bell) {
  *bell = 0;
  return true;
}
static inline void gli_bell_end(gli_bell *bell) {
  (void)bell;
}
static inline void gli_bell_wait(gli_bell *bell, gli_lock *lock) {
  (void)bell, (void)lock;
}
static inline void gli_bell_ring(gli_bell *bell) {
  (void)bell;
}
static inline void gli_bell_ring_all(gli_bell *bell) {
  (void)bell;
}

#else

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

typedef pthread_t gli_thread;
typedef pthread_mutex_t gli_lock;
typedef pthread_cond_t gli_bell;
typedef sigset_t gli_calm;

/* Processors; at least 1. */
static inline unsigned gli_thread_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : (unsigned)cores;
}
/* False: the system gives none. */
static inline bool gli_thread_start(gli_thread *thread, void *(*run)(void *), void *context) {
  return pthread_create(thread, NULL, run, context) == 0;
}
static inline void gli_thread_join(gli_thread thread) {
  pthread_join(thread, NULL);
}
static inline void gli_thread_yield(void) {
  sched_yield();
}
/* Threads started from here to `rouse` take no signals: those stay with the program's own. */
static inline gli_calm gli_thread_calm(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  return before;
}
static inline void gli_thread_rouse(const gli_calm *calm) {
  pthread_sigmask(SIG_SETMASK, calm, NULL);
}

static inline bool gli_lock_make(gli_lock *lock) {
  return pthread_mutex_init(lock, NULL) == 0;
}
static inline void gli_lock_end(gli_lock *lock) {
  pthread_mutex_destroy(lock);
}
static inline void gli_lock_take(gli_lock *lock) {
  pthread_mutex_lock(lock);
}
static inline void gli_lock_leave(gli_lock *lock) {
  pthread_mutex_unlock(lock);
}

/* A bell wakes those that wait for it; they hold the lock before and after. */
static inline bool gli_bell_make(gli_bell *bell) {
  return pthread_cond_init(bell, NULL) == 0;
}
static inline void gli_bell_end(gli_bell *bell) {
  pthread_cond_destroy(bell);
}
static inline void gli_bell_wait(gli_bell *bell, gli_lock *lock) {
  pthread_cond_wait(bell, lock);
}
static inline void gli_bell_ring(gli_bell *bell) {
  pthread_cond_signal(bell);
}
static inline void gli_bell_ring_all(gli_bell *bell) {
  pthread_cond_broadcast(bell);
}

#endif

#endif
