/* Machine: see machine.h.  The one file that asks for more than POSIX: affinity and load are Linux's
 * and the BSDs'; elsewhere they are unknown. */
#if defined(__linux__)
/* The C library reserves this name, for those who ask it for affinity and load. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#endif
#include "experiment/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

/* "model name : ..." of /proc/cpuinfo; the machine's kind where there is none. */
static void find_cpu(char *text, size_t size, const char *otherwise) {
  char line[512];
  snprintf(text, size, "%s", otherwise);
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "model name", 10) != 0) continue;
    char *value = strchr(line, ':');
    if (!value) continue;
    value += 1 + strspn(value + 1, " \t");
    value[strcspn(value, "\n")] = 0;
    snprintf(text, size, "%.120s", value);
    break;
  }
  if (file) fclose(file);
}

static unsigned count_online(void) {
#if defined(_SC_NPROCESSORS_ONLN)
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores > 0) return (unsigned)cores;
#endif
  return 1;
}

static unsigned count_cores(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0) return (unsigned)CPU_COUNT(&set);
#endif
  return count_online();
}

void machine_look(struct machine *machine) {
  struct utsname name;
  *machine = (struct machine){.cores = count_cores(), .online = count_online()};
  if (uname(&name) < 0) memset(&name, 0, sizeof name);
  snprintf(machine->system, sizeof machine->system, "%.80s %.80s %.60s", name.sysname, name.release, name.machine);
  snprintf(machine->host, sizeof machine->host, "%.60s", name.nodename);
  find_cpu(machine->cpu, sizeof machine->cpu, name.machine);
#if defined(__clang__)
  snprintf(machine->compiler, sizeof machine->compiler, "clang %d.%d.%d", __clang_major__, __clang_minor__,
           __clang_patchlevel__);
#elif defined(__GNUC__)
  snprintf(machine->compiler, sizeof machine->compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  snprintf(machine->compiler, sizeof machine->compiler, "unknown");
#endif
#if defined(_SC_PHYS_PAGES)
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) machine->memory = (uint64_t)pages * (uint64_t)page;
#endif
}

double machine_load(void) {
#if defined(__linux__)
  double load;
  if (getloadavg(&load, 1) == 1) return load;
#endif
  return (double)NAN;
}

int machine_pin(unsigned i) {
#if defined(__linux__)
  /* The set of the process, not of this thread, which may have been pinned before. */
  cpu_set_t set, one;
  if (sched_getaffinity(getpid(), sizeof set, &set)) return -1;
  int count = CPU_COUNT(&set);
  if (count <= 0) return -1;
  int left = (int)(i % (unsigned)count), core = 0;
  for (;; core++)
    if (CPU_ISSET(core, &set) && left-- == 0) break;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  if (!sched_setaffinity(0, sizeof one, &one)) return core;
#else
  (void)i;
#endif
  return -1;
}

double machine_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void machine_date(char text[24]) {
  time_t seconds = time(NULL);
  struct tm day;
  if (!gmtime_r(&seconds, &day) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &day)) text[0] = 0;
}
