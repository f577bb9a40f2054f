/* Bench: see bench.h.
 *
 * One thread runs everything: it hands tasks to the crew and to the other ranks, collects outcomes, writes
 * them and reports progress.  Workers compute.  While it writes, outcomes pile up, and the next transaction takes
 * all of them: short episodes do not wait for the disk one by one.
 *
 * A row counts as stored, and is reported as stored, when its transaction is on the disk. */
#include "experiment/bench.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiment/crew.h"
#include "experiment/machine.h"
#include "experiment/ranks.h"
#include "experiment/store.h"
#include "experiment/todo.h"

enum { BATCH = 512, PATIENCE = 6, TOLD_FAILURES = 5 };

/* What is known of a setting while it runs. */
struct account {
  int64_t id;            /* in the store */
  unsigned char *stored; /* bits by episode */
  bool traced;
  uint64_t left, timed; /* episodes to do; those done by this run ... */
  double wall;          /* ... and what they took */
};

struct bench {
  struct spec *spec;
  const struct bench_options *options;
  complaint *why;
  struct machine machine;
  struct store *store;
  struct account *accounts;
  bool *needed;
  struct todo todo;
  struct crew *crew;
  struct ranks *ranks;
  unsigned threads;
  struct bench_progress progress;
  size_t traces; /* to do */
  struct outcome *outcomes;
  store_episode *rows;
  store_point *points;
  size_t batch;
  int stop; /* raised for the crew */
  bool lost;
  bool computed, bounded; /* for the thread that computes bounds */
};

static void tell(const struct bench *bench, const char *text) {
  if (bench->options->note) bench->options->note(bench->options->context, text);
}

static void warn(const struct bench *bench, const char *text) {
  if (bench->options->warn) bench->options->warn(bench->options->context, text);
}

static bool no_memory(struct bench *bench) {
  return complain(bench->why, "", "out of memory");
}

/* ------------------------------------------------------------------- resume */

/* What was begun may be continued by the same specification and the same program only: rows of others would be
 * compared as if they were of one kind. */
static bool check_last(struct bench *bench) {
  const char *path = bench->options->path;
  char *name, *scale, *version;
  uint64_t episodes;
  complaint *why = bench->why;
  if (!store_count(bench->store, &episodes, why) || !store_last_run(bench->store, &name, &scale, &version, why))
    return false;
  bool good = true;
  if (name && episodes && !bench->options->resume) {
    good = complain(why, path, "has %llu episodes of '%s' already", (unsigned long long)episodes, name);
    advise(why, "'--resume' runs what is missing; '--output FILE' starts another file");
  } else if (name && (strcmp(name, bench->spec->name) != 0 || strcmp(scale, bench->spec->scale) != 0)) {
    good =
        complain(why, path, "was begun with the specification '%s'%s%s, not '%s'%s%s", name, *scale ? " at scale " : "",
                 scale, bench->spec->name, *bench->spec->scale ? " at scale " : "", bench->spec->scale);
    advise(why, "'--output FILE' starts another file");
  } else if (version && strcmp(version, glimpse_version()) != 0 && episodes) {
    good = complain(why, path, "was begun with glimpse %s, and this is %s: their results may differ", version,
                    glimpse_version());
    advise(why, "continue with that version, or start another file with '--output FILE'");
  }
  free(name);
  free(scale);
  free(version);
  return good;
}

/* Nor are rows of one kind that come from a model file before and after a change. */
static bool check_files(struct bench *bench) {
  const struct catalogue *catalogue = &bench->spec->catalogue;
  for (size_t i = 0; i < catalogue->count; i++) {
    const struct catalogue_entry *entry = &catalogue->entries[i];
    if (!*entry->digest) continue;
    char mark[SETTING_MARK];
    bool differs;
    setting_mark(entry->digest, mark);
    if (!store_differs(bench->store, entry->environment, mark, &differs, bench->why)) return false;
    if (!differs) continue;
    complain(bench->why, bench->options->path, "has results of another '%s': the file has changed since",
             entry->environment);
    return advise(bench->why, "restore the file, or start another results file with '--output FILE'");
  }
  return true;
}

static bool describe(struct bench *bench) {
  const struct spec *spec = bench->spec;
  const struct bench_options *options = bench->options;
  unsigned ranks = options->cluster ? options->cluster->ranks : 1;
  store_run run = {.name = spec->name,
                   .scale = spec->scale,
                   .spec = options->text,
                   .command = options->command,
                   .version = glimpse_version(),
                   .compiler = bench->machine.compiler,
                   .system = bench->machine.system,
                   .cpu = bench->machine.cpu,
                   .memory = bench->machine.memory,
                   .cores = bench->machine.cores,
                   .workers = bench->threads * ranks,
                   .ranks = ranks,
                   .timed = spec_timed(spec)};
  /* What the specification has no more is nothing that is missing. */
  bool good = store_add_run(bench->store, &run, bench->why) && store_drop_wishes(bench->store, bench->why);
  for (size_t i = 0; good && i < spec->setting_count; i++) {
    const struct setting *s = &spec->settings[i];
    store_setting row = {.key = s->key,
                         .environment = s->environment,
                         .planner = glimpse_planner_key(s->planner.kind),
                         .options = s->options,
                         .budget_kind = setting_timed(s) ? "seconds" : "expansions",
                         .upper = s->upper_text,
                         .lower = s->lower_text,
                         .improve = s->improve_text,
                         .cost = s->cost,
                         .discount = s->discount,
                         .budget = setting_timed(s) ? s->budget.time : (double)s->budget.expansions,
                         .max_steps = s->max_steps,
                         .seed = s->seed,
                         .episodes = s->episodes};
    good = store_put_setting(bench->store, &row, &bench->accounts[i].id, bench->why);
  }
  for (size_t i = 0; good && i < spec->count; i++) {
    const struct spec_experiment *e = &spec->experiments[i];
    int64_t id = 0;
    good = store_put_experiment(bench->store, e->name, e->title, e->axis, &id, bench->why);
    for (size_t k = 0; good && k < e->count; k++)
      good = store_put_part(bench->store, id, bench->accounts[e->parts[k].setting].id, (unsigned)k,
                            e->parts[k].paper_seconds, bench->why);
  }
  return good;
}

/* ------------------------------------------------------------- what is missing */

struct seeds {
  const struct setting *setting;
  struct account *account;
};

static void note_seed(void *context, uint64_t seed) {
  struct seeds *seeds = context;
  uint64_t i = seed - seeds->setting->seed;
  if (seed < seeds->setting->seed || i >= seeds->setting->episodes) return;
  seeds->account->stored[i / 8] |= (unsigned char)(1u << i % 8);
  seeds->account->left--;
}

static bool is_stored(void *context, size_t setting, uint64_t episode) {
  const struct bench *bench = context;
  return bench->accounts[setting].stored[episode / 8] >> episode % 8 & 1;
}

static bool is_traced(void *context, size_t setting) {
  const struct bench *bench = context;
  return bench->accounts[setting].traced;
}

static bool find_missing(struct bench *bench) {
  for (size_t i = 0; i < bench->spec->setting_count; i++) {
    const struct setting *setting = &bench->spec->settings[i];
    struct account *account = &bench->accounts[i];
    account->left = setting->episodes;
    account->stored = calloc(setting->episodes / 8 + 1, 1);
    if (!account->stored) return no_memory(bench);
    struct seeds seeds = {setting, account};
    if (!store_seeds(bench->store, account->id, note_seed, &seeds, bench->why)) return false;
    if (setting->trace && !store_traced(bench->store, account->id, &account->traced, bench->why)) return false;
    bench->progress.total += setting->episodes;
    bench->progress.stored += setting->episodes - account->left;
    bench->traces += setting->trace && !account->traced;
    bench->needed[i] = account->left || (setting->trace && !account->traced);
  }
  return todo_make(&bench->todo, bench->spec, is_stored, is_traced, bench) || no_memory(bench);
}

static void tell_what(struct bench *bench, const char *what, const struct setting *setting) {
  char text[300];
  snprintf(text, sizeof text, "%s %.200s", what, setting->environment);
  tell(bench, text);
}

static bool find_bounds(struct bench *bench) {
  struct catalogue *catalogue = &bench->spec->catalogue;
  for (size_t i = 0; i < bench->spec->setting_count && !*bench->options->interrupt; i++) {
    const struct setting *setting = &bench->spec->settings[i];
    if (!bench->needed[i]) continue;
    if (setting_bounded(setting) && !catalogue_offline(catalogue, setting)) {
      tell_what(bench, "computing the bounds of", setting);
      if (!catalogue_bounds(catalogue, setting, 0, bench->why)) return false;
    }
    if (setting->policy && !catalogue_policy(catalogue, setting)) tell_what(bench, "solving", setting);
    if (!catalogue_solve(catalogue, setting, bench->options->interrupt, bench->why)) return false;
  }
  return true;
}

/* What the policies took and prove. */
static bool store_policies(struct bench *bench) {
  if (*bench->options->interrupt) return true;
  if (!store_begin(bench->store, bench->why)) return false;
  bool good = true;
  for (size_t i = 0; good && i < bench->spec->setting_count; i++) {
    const struct setting *setting = &bench->spec->settings[i];
    if (!bench->needed[i] || !setting->policy) continue;
    const struct policies_entry *entry = &bench->spec->catalogue.policies.entries[setting->policy - 1];
    store_policy row = {.setting = bench->accounts[i].id,
                        .lower = entry->info.lower,
                        .upper = entry->info.upper,
                        .requests = entry->info.requests,
                        .nodes = entry->info.nodes,
                        .edges = entry->info.edges,
                        .verified = entry->verified,
                        .seconds = entry->seconds,
                        .expansions = entry->expansions};
    good = store_put_policy(bench->store, &row, bench->why);
  }
  if (good) return store_end(bench->store, bench->why);
  store_undo(bench->store);
  return false;
}

/* Other ranks hear of rank 0 while it computes, however long that takes. */
static void *bounds_thread(void *context) {
  struct bench *bench = context;
  bench->bounded = find_bounds(bench);
  __atomic_store_n(&bench->computed, true, __ATOMIC_RELEASE);
  return NULL;
}

static bool find_bounds_with_ranks(struct bench *bench) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all); /* signals are for the thread that looks after the ranks */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&thread, NULL, bounds_thread, bench);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) return complain(bench->why, "", "cannot start the workers: %s", strerror(error));
  while (!__atomic_load_n(&bench->computed, __ATOMIC_ACQUIRE)) {
    struct outcome none;
    bool idle = false;
    while (!idle) ranks_receive(bench->ranks, &none, &idle);
    ranks_pulse(bench->ranks);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  pthread_join(thread, NULL);
  return bench->bounded;
}

static bool prepare(struct bench *bench) {
  const struct spec *spec = bench->spec;
  bench->accounts = calloc(spec->setting_count, sizeof *bench->accounts);
  bench->needed = calloc(spec->setting_count, sizeof *bench->needed);
  bench->outcomes = calloc(BATCH, sizeof *bench->outcomes);
  bench->rows = calloc(BATCH, sizeof *bench->rows);
  bench->points = calloc((size_t)BATCH * PLAY_POINTS, sizeof *bench->points);
  if (!bench->accounts || !bench->needed || !bench->outcomes || !bench->rows || !bench->points) return no_memory(bench);
  bench->store = store_open(bench->options->path, bench->why);
  if (!bench->store || !check_last(bench) || !check_files(bench) || !store_begin(bench->store, bench->why))
    return false;
  if (!describe(bench)) {
    store_undo(bench->store);
    return false;
  }
  if (!store_end(bench->store, bench->why) || !find_missing(bench)) return false;
  if (!bench->options->cluster) return find_bounds(bench) && store_policies(bench);
  bench->ranks = ranks_new(bench->options->cluster, spec, bench->needed);
  return bench->ranks ? find_bounds_with_ranks(bench) && store_policies(bench) : no_memory(bench);
}

/* ------------------------------------------------------------------ outcomes */

/* Episodes of a setting are alike; of those without any yet the mean of the others is the best guess. */
static double time_left(const struct bench *bench, unsigned workers) {
  double sum = 0, known = 0, unknown = 0, means = 0;
  for (size_t i = 0; i < bench->spec->setting_count; i++) {
    const struct account *account = &bench->accounts[i];
    if (!account->timed) {
      unknown += (double)account->left;
      continue;
    }
    double mean = account->wall / (double)account->timed;
    sum += mean * (double)account->left;
    means += mean;
    known++;
  }
  if (known == 0) return unknown > 0 ? (double)NAN : 0;
  return (sum + unknown * means / known) / workers;
}

static void tell_progress(struct bench *bench) {
  unsigned workers = bench->threads + (bench->ranks ? ranks_threads(bench->ranks) : 0);
  bench->progress.left = time_left(bench, workers);
  if (bench->options->progress) bench->options->progress(bench->options->context, &bench->progress);
}

static void note_failure(struct bench *bench, const struct outcome *outcome) {
  const struct setting *setting = &bench->spec->settings[outcome->task.setting];
  if (++bench->progress.failed > TOLD_FAILURES) return;
  char text[900], name[400];
  setting_text(setting, name, sizeof name);
  uint64_t seed = setting->seed + outcome->task.episode;
  snprintf(text, sizeof text, "%s, seed %" PRIu64 ": %s", name, seed, outcome->error);
  warn(bench, text);
}

/* Writes the outcomes that were collected. */
static bool write_batch(struct bench *bench) {
  size_t rows = 0, points = 0;
  for (size_t i = 0; i < bench->batch; i++) {
    struct outcome *outcome = &bench->outcomes[i];
    if (outcome->cut) continue;
    if (outcome->failed) {
      note_failure(bench, outcome);
      continue;
    }
    int64_t id = bench->accounts[outcome->task.setting].id;
    if (!outcome->task.trace) {
      bench->rows[rows] = outcome->row;
      bench->rows[rows++].setting = id;
    }
    for (uint32_t k = 0; k < outcome->points; k++) {
      bench->points[points] = outcome->point[k];
      bench->points[points++].setting = id;
    }
  }
  bool good = !(rows || points) || store_commit(bench->store, bench->rows, rows, bench->points, points, bench->why);
  for (int i = 0; !good && i < PATIENCE && store_busy(bench->store) && !*bench->options->interrupt; i++) {
    warn(bench, "the results file is locked by another program; waiting");
    if (bench->ranks) ranks_pulse(bench->ranks);
    good = store_commit(bench->store, bench->rows, rows, bench->points, points, bench->why);
  }
  if (!good) return false;
  for (size_t i = 0; i < bench->batch; i++) {
    const struct outcome *outcome = &bench->outcomes[i];
    if (outcome->cut) continue;
    if (outcome->task.trace) {
      bench->traces--;
      continue;
    }
    struct account *account = &bench->accounts[outcome->task.setting];
    account->left--;
    if (outcome->failed) continue;
    account->timed++;
    account->wall += outcome->wall;
    bench->progress.stored++;
  }
  bench->batch = 0;
  tell_progress(bench);
  return true;
}

/* --------------------------------------------------------------------- loop */

static void hand_out(struct bench *bench) {
  struct task task;
  /* With other ranks about, no more than is needed to keep busy. */
  size_t most = bench->ranks ? 2 * (size_t)bench->threads : SIZE_MAX;
  while (crew_room(bench->crew) && crew_busy(bench->crew) < most && todo_take(&bench->todo, &task))
    crew_give(bench->crew, task);
  if (bench->ranks) ranks_feed(bench->ranks, &bench->todo);
}

static void collect(struct bench *bench) {
  double wait = bench->ranks ? 0.001 : 0.05;
  bench->batch += crew_take(bench->crew, bench->outcomes + bench->batch, BATCH - bench->batch, wait);
  bool idle = !bench->ranks;
  while (!idle && bench->batch < BATCH)
    if (ranks_receive(bench->ranks, &bench->outcomes[bench->batch], &idle)) bench->batch++;
}

static bool busy(const struct bench *bench) {
  return bench->todo.next < bench->todo.count || crew_busy(bench->crew) || (bench->ranks && ranks_busy(bench->ranks));
}

static bool loop(struct bench *bench) {
  tell_progress(bench);
  while (busy(bench) && !*bench->options->interrupt) {
    hand_out(bench);
    collect(bench);
    if (bench->batch && !write_batch(bench)) return false;
    if (!bench->ranks) continue;
    char news[200];
    if (ranks_look(bench->ranks, &bench->todo, news)) {
      bench->lost = true;
      warn(bench, news);
    }
    if (ranks_stranger(bench->ranks))
      return complain(bench->why, "", "rank %u reads another specification than rank 0: all must see the same files",
                      ranks_stranger(bench->ranks));
  }
  return true;
}

/* Stops the crew; what was finished meanwhile is stored. */
static bool wind_up(struct bench *bench, bool good) {
  if (!bench->crew) return good;
  crew_forget(bench->crew);
  __atomic_store_n(&bench->stop, 1, __ATOMIC_RELAXED);
  while (crew_busy(bench->crew)) {
    bench->batch += crew_take(bench->crew, bench->outcomes + bench->batch, BATCH - bench->batch, 0.05);
    if (good && bench->batch && !write_batch(bench)) good = false;
    if (!good) bench->batch = 0;
  }
  crew_free(bench->crew);
  bench->crew = NULL;
  return good;
}

static bool work(struct bench *bench) {
  const struct bench_options *options = bench->options;
  if (bench->todo.next == bench->todo.count || *options->interrupt) return true;
  struct crew_options crew = {.threads = bench->threads,
                              .first = options->cluster ? options->cluster->local * bench->threads : 0,
                              .pin = spec_timed(bench->spec),
                              .host = bench->machine.host,
                              .interrupt = &bench->stop};
  bench->crew = crew_new(bench->spec, &crew);
  if (!bench->crew) return complain(bench->why, "", "cannot start the workers: %s", strerror(errno));
  return wind_up(bench, loop(bench));
}

/* For one rank of each machine.  Ranks may be bound to cores of their own, so that a rank's cores are not all that
 * there are. */
static void check_honesty(const struct bench *bench) {
  const struct cluster *cluster = bench->options->cluster;
  unsigned ranks = cluster ? cluster->locals : 1, cores = bench->machine.cores;
  uint64_t workers = bench->threads;
  if (!spec_timed(bench->spec) || (cluster && cluster->local)) return;
  if (workers <= cores) workers *= ranks, cores = bench->machine.online;
  if (workers <= cores) return;
  char text[300];
  snprintf(
      text, sizeof text,
      "%llu workers%s%s share %u core%s: with budgets of time they take it from each other, and the results suffer",
      (unsigned long long)workers, cluster ? " on " : "", cluster ? bench->machine.host : "", cores,
      cores == 1 ? "" : "s");
  warn(bench, text);
}

static void release(struct bench *bench) {
  if (bench->accounts)
    for (size_t i = 0; i < bench->spec->setting_count; i++) free(bench->accounts[i].stored);
  store_close(bench->store);
  ranks_free(bench->ranks);
  todo_free(&bench->todo);
  free(bench->accounts);
  free(bench->needed);
  free(bench->outcomes);
  free(bench->rows);
  free(bench->points);
}

static bench_end run(struct bench *bench) {
  const struct bench_options *options = bench->options;
  bool good = prepare(bench);
  if (good) check_honesty(bench);
  good = good && work(bench);
  /* A signal that comes when nothing is left to do has interrupted nothing; a trace that is missing is something. */
  bool interrupted = *options->interrupt && (bench->progress.stored < bench->progress.total || bench->traces);
  const char *outcome = !good ? "failed" : interrupted ? "interrupted" : bench->progress.failed ? "failed" : "complete";
  complaint ignored;
  if (bench->store && !store_finish(bench->store, outcome, good ? bench->why : &ignored)) good = false;
  return !good                    ? BENCH_FAILED
         : interrupted            ? BENCH_INTERRUPTED
         : bench->progress.failed ? BENCH_PARTIAL
                                  : BENCH_COMPLETE;
}

bench_end bench_run(struct spec *spec, const struct bench_options *options, struct bench_progress *progress,
                    complaint *why) {
  struct bench bench = {.spec = spec, .options = options, .why = why, .progress = {.left = NAN}};
  machine_look(&bench.machine);
  bench.threads = options->threads ? options->threads : options->cluster ? 1 : bench.machine.cores;
  *progress = bench.progress;
  if (options->cluster && options->cluster->rank) check_honesty(&bench);
  if (options->cluster && options->cluster->rank)
    return ranks_member(options->cluster, spec, bench.threads, &progress->stuck, why) ? BENCH_MEMBER : BENCH_FAILED;
  bench_end end = run(&bench);
  *progress = bench.progress;
  bool together = true;
  if (options->cluster) {
    struct ranks *ranks = bench.ranks ? bench.ranks : ranks_new(options->cluster, spec, bench.needed);
    together = ranks && ranks_end(ranks, &progress->stuck);
    bench.ranks = ranks;
  }
  release(&bench);
  if (options->cluster) options->cluster->leave(together);
  return end;
}
