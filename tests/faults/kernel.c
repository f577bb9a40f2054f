/* Kernel: system calls that fail; see faults.h.
 *
 * A seccomp filter of the child reports the calls of one group to the parent (SECCOMP_RET_USER_NOTIF), which lets them
 * go on or answers with an error in their place.  It works for threads, for any library and under sanitizers; it
 * needs Linux 5.6.  Calls of programs that the child starts pass. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/faults.h"

static const struct call {
  int number;
  bool about; /* its first argument is a descriptor */
} calls[GROUPS][16] = {
    [GROUP_WRITE] = {{SYS_write, true}, {SYS_pwrite64, true}, {SYS_writev, true}, {SYS_pwritev, true}},
    [GROUP_SYNC] = {{SYS_fsync, true}, {SYS_fdatasync, true}, {SYS_ftruncate, true}, {SYS_fallocate, true}},
    [GROUP_NAME] =
        {
            {SYS_renameat, false},
            {SYS_renameat2, false},
            {SYS_linkat, false},
            {SYS_mkdirat, false},
            {SYS_unlinkat, false},
            {SYS_fchmod, false},
            {SYS_fchmodat, false},
#ifdef SYS_rename
            {SYS_rename, false},
            {SYS_link, false},
            {SYS_mkdir, false},
            {SYS_unlink, false},
            {SYS_rmdir, false},
            {SYS_chmod, false},
#endif
        },
    [GROUP_OPEN] =
        {
            {SYS_openat, false},
            {SYS_pipe2, false},
            {SYS_dup, false},
            {SYS_dup3, false},
#ifdef SYS_open
            {SYS_open, false},
            {SYS_creat, false},
            {SYS_pipe, false},
            {SYS_dup2, false},
#endif
        },
    [GROUP_LOCK] = {{SYS_fcntl, true}},
    [GROUP_READ] = {{SYS_read, true}, {SYS_pread64, true}, {SYS_readv, true}},
    [GROUP_CLOSE] = {{SYS_close, true}},
    [GROUP_MAP] = {{SYS_mmap, false}, {SYS_mremap, false}},
    [GROUP_START] =
        {
            {SYS_clone, false},
            {SYS_clone3, false},
            {SYS_execve, false},
#ifdef SYS_fork
            {SYS_fork, false},
            {SYS_vfork, false},
#endif
        },
    [GROUP_LOOK] =
        {
            {SYS_fstat, true},
            {SYS_newfstatat, false},
            {SYS_statx, false},
            {SYS_faccessat, false},
            {SYS_lseek, true},
            {SYS_getcwd, false},
            {SYS_readlinkat, false},
#ifdef SYS_stat
            {SYS_stat, false},
            {SYS_lstat, false},
            {SYS_access, false},
            {SYS_readlink, false},
#endif
        },
};

enum { MOST = sizeof calls[0] / sizeof *calls[0] };

static size_t count_of(enum group group) {
  size_t count = 0;
  while (count < MOST && (calls[group][count].number || calls[group][count].about)) count++;
  return count;
}

/* ------------------------------------------------------------------- filter */

/* A call that was reported is answered before a signal gets through, or half a write could be made twice; from
 * Linux 5.19 on. */
#define WAIT_KILLABLE (1UL << 5)

static int install(enum group group) {
  struct sock_filter filter[MOST + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  size_t count = count_of(group);
  for (size_t i = 0; i < count; i++)
    filter[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[group][i].number,
                                                 (uint8_t)(count - i), 0);
  filter[count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[count + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  struct sock_fprog program = {(unsigned short)(count + 3), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | WAIT_KILLABLE, &program);
  return listener < 0 ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) : listener;
}

static bool send_descriptor(int socket, int descriptor) {
  char byte = 0, space[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, 0) == 1;
}

static int receive_descriptor(int socket) {
  char byte, space[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
  return descriptor;
}

/* The listener stays open in the child: closing it might be one of the calls. */
bool kernel_trap(enum group group, int socket) {
  int listener = install(group);
  return listener >= 0 && send_descriptor(socket, listener);
}

/* ------------------------------------------------------------------- answers */

struct watch {
  pid_t child;
  int handle; /* pidfd */
  struct fault fault;
  const bool *disarmed;
  struct outcome_of_run outcome;
};

static const struct call *call_of(const struct watch *watch, int number) {
  for (size_t i = 0; i < count_of(watch->fault.group); i++)
    if (calls[watch->fault.group][i].number == number) return &calls[watch->fault.group][i];
  return NULL;
}

static bool is_thread_of(pid_t thread, pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/task/%ld", (long)process, (long)thread);
  return thread == process || !access(path, F_OK);
}

/* Writes half of it in the child's place; what it gave, or -1: not possible. */
static int64_t write_half(const struct watch *watch, const struct seccomp_data *data) {
  char piece[65536];
  size_t length = (size_t)data->args[2] / 2;
  if (length > sizeof piece) length = sizeof piece;
  if (length < 1 || (data->nr != SYS_write && data->nr != SYS_pwrite64)) return -1;
  struct iovec here = {piece, length}, there = {(void *)(uintptr_t)data->args[1], length};
  int file = (int)syscall(SYS_pidfd_getfd, watch->handle, (int)data->args[0], 0);
  if (file < 0) return -1;
  ssize_t put = -1;
  if (process_vm_readv(watch->child, &here, 1, &there, 1, 0) == (ssize_t)length)
    put = data->nr == SYS_write ? write(file, piece, length) : pwrite(file, piece, length, (off_t)data->args[3]);
  close(file);
  return put;
}

static void answer(struct watch *watch, const struct seccomp_notif *asked, struct seccomp_notif_resp *reply) {
  const struct call *call = call_of(watch, asked->data.nr);
  long descriptor = call && call->about ? (long)(int)asked->data.args[0] : -1;
  *reply = (struct seccomp_notif_resp){.id = asked->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  if (__atomic_load_n(watch->disarmed, __ATOMIC_RELAXED)) return;
  if (watch->fault.group == GROUP_LOCK && asked->data.args[1] != F_SETLK) return;
  if (watch->fault.only && descriptor != watch->fault.only) return;
  if (descriptor == STDERR_FILENO) return; /* what is wrong must be told somewhere */
  if (!is_thread_of((pid_t)asked->pid, watch->child)) return;
  unsigned long number = ++watch->outcome.count;
  const struct fault *fault = &watch->fault;
  if (!fault->n || number < fault->n || (number > fault->n && !fault->all)) return;
  int64_t value = -1;
  if (fault->error == FAULT_SHORT && (value = write_half(watch, &asked->data)) < 0) return;
  if (!watch->outcome.failures++) watch->outcome.descriptor = descriptor;
  reply->flags = 0;
  if (fault->error == FAULT_SHORT) reply->val = value;
  else reply->error = -fault->error;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void drain(struct pollfd *terminal, int shown) {
  char piece[4096];
  ssize_t got = read(terminal->fd, piece, sizeof piece);
  if (got <= 0 || write(shown, piece, (size_t)got) != got) terminal->fd = -1; /* the child has closed its end */
}

struct outcome_of_run kernel_watch(pid_t child, int socket, struct fault fault, double seconds, const bool *disarmed,
                                   int terminal, int shown) {
  struct watch watch = {.child = child, .fault = fault, .disarmed = disarmed, .outcome = {.descriptor = -1}};
  watch.handle = (int)syscall(SYS_pidfd_open, child, 0);
  bool blind = watch.handle < 0; /* as under valgrind */
  int listener = socket >= 0 ? receive_descriptor(socket) : -1;
  struct pollfd events[3] = {
      {.fd = watch.handle, .events = POLLIN}, {.fd = listener, .events = POLLIN}, {.fd = terminal, .events = POLLIN}};
  for (double end = now() + seconds;;) {
    int left = (int)(1000 * (end - now()));
    if (left <= 0 && !watch.outcome.late) {
      watch.outcome.late = true;
      kill(child, SIGKILL);
    }
    int pause = left > 0 ? left : 1000;
    if (blind && pause > 5) pause = 5;
    if (poll(events, 3, pause) < 0 && errno != EINTR) break;
    if (events[2].fd >= 0 && events[2].revents & POLLIN) {
      drain(&events[2], shown);
      continue; /* all of it, before the child's end is looked at */
    }
    if (events[2].revents) events[2].fd = -1;
    if (events[0].revents || (blind && waitpid(child, &watch.outcome.status, WNOHANG) == child)) break;
    if (events[1].revents & (POLLHUP | POLLERR | POLLNVAL) && !(events[1].revents & POLLIN)) events[1].fd = -1;
    if (!(events[1].revents & POLLIN)) continue;
    struct seccomp_notif asked = {0};
    struct seccomp_notif_resp reply;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked)) continue; /* it has gone meanwhile */
    answer(&watch, &asked, &reply);
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
  }
  /* The end of the terminal may have been seen before the last that it was given. */
  for (struct pollfd rest = {.fd = terminal, .events = POLLIN}; poll(&rest, 1, 0) > 0 && rest.revents & POLLIN;)
    drain(&rest, shown);
  while (waitpid(child, &watch.outcome.status, 0) < 0 && errno == EINTR) { /* else: it was waited for already */
  }
  if (listener >= 0) close(listener);
  if (!blind) close(watch.handle);
  return watch.outcome;
}

bool kernel_able(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
  pid_t child = fork();
  if (!child) {
    if (!kernel_trap(GROUP_CLOSE, ends[1])) _exit(1);
    _exit(close(ends[1]) && errno == EIO ? 0 : 2);
  }
  close(ends[1]);
  static const bool never;
  struct outcome_of_run outcome = {.status = -1};
  if (child > 0)
    outcome =
        kernel_watch(child, ends[0], (struct fault){.group = GROUP_CLOSE, .n = 1, .error = EIO}, 10, &never, -1, -1);
  close(ends[0]);
  return !outcome.status;
}
