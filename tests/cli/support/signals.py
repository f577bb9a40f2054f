"""Signals at seeded moments in every command; called by tests/cli/signals.sh.

    signals.py GLIMPSE DIRECTORY [ROUNDS [SEED [CASE ...]]]

Each command is run once undisturbed, and then ROUNDS times per kind of disturbance:
  SIGINT, SIGTERM, SIGHUP   once, somewhere in its running time
  two of them               the second shortly after the first
  SIGPIPE                   which has no effect once the program has begun
  closed                    the reader of the standard output goes away
  full                      a signal while the reader of the standard output is slow
In a terminal, SIGTSTP, SIGCONT and SIGWINCH come before the signal.  With strace and
GLIMPSE_SIGNALS_CALLS=1 the moment is the n-th system call of the main thread instead, in a
terminal the n-th that deals with it.

What must hold at any moment, and so does not depend on which one it is: the exit status is
that of a success or of the signal; no hang, no process left; no file but those that were
asked for, and each of them is the old one or a whole new one; results stay, and --resume
does the rest; the terminal is as it was.
"""
import fcntl
import json
import os
import random
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time

GLIMPSE, HOME = sys.argv[1], os.path.abspath(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
ONLY = sys.argv[5:]
PATIENCE = 120  # seconds after which something hangs, also under valgrind
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
OLD = "the file as it was before\n"
BY_CALLS = bool(os.environ.get("GLIMPSE_SIGNALS_CALLS"))
tally = {}


class Failure(Exception):
    pass


def check(holds, text):
    if not holds:
        raise Failure(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def count(what):
    tally[what] = tally.get(what, 0) + 1


# ------------------------------------------------------------------- processes


def stragglers(session):
    """Processes of a session that are still there; zombies do not count."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        if not name.isdigit():
            continue
        try:
            state, _, _, its = read("/proc/%s/stat" % name).decode().rsplit(")", 1)[1].split()[:4]
        except (OSError, ValueError):
            continue
        if int(its) == session and state != "Z":
            found.append(int(name))
    return found


def nobody_left(session):
    end = time.monotonic() + PATIENCE
    while stragglers(session):
        check(time.monotonic() < end, "processes are left: %s" % stragglers(session))
        time.sleep(0.01)


class Outcome:
    def __init__(self, status, out, err, sent):
        self.status, self.out, self.err, self.sent = status, out, err, sent
        self.ended = status >= 0  # by itself, and not by the signal
        self.cut = False  # nobody has read all of its output

    def __str__(self):
        return "status %d, signals %s\n-- stdout\n%s\n-- stderr\n%s" % (
            self.status, [s.name for s in self.sent], self.out[-2000:].decode("utf8", "replace"),
            self.err[-2000:].decode("utf8", "replace"))


def drain(process, until, out, err, full):
    """Reads both outputs until a moment (None: their end); `full`: nothing is read from stdout."""
    ends = {process.stdout.fileno(): out, process.stderr.fileno(): err}
    for fd in list(ends):
        if ends[fd] is None:
            del ends[fd]
    deadline = time.monotonic() + PATIENCE
    while ends:
        left = (deadline if until is None else until) - time.monotonic()
        if left <= 0:
            check(until is not None, "it hangs")
            return
        ready = select.select([fd for fd in ends if not (full and fd == process.stdout.fileno())], [], [], left)[0]
        for fd in ready:
            piece = os.read(fd, 65536)
            if piece:
                ends[fd] += piece
            else:
                del ends[fd]
    if until is not None and until > time.monotonic() and process.poll() is None:
        time.sleep(max(0, min(until - time.monotonic(), PATIENCE)))


def launch(case, where, strace=(), narrow=False):
    environment = dict(os.environ, TMPDIR=os.path.join(where, "tmp"))
    if strace:  # the leak checker does not work under it
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        environment["LSAN_OPTIONS"] = "detect_leaks=0"
    width = {"pipesize": 4096} if narrow and sys.version_info >= (3, 10) else {}
    return subprocess.Popen(
        list(strace) + [GLIMPSE] + case.arguments, cwd=where, env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **width,
        preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in ENDING + [signal.SIGPIPE]])


def run(case, where, moments=(), closed=None, strace=(), full=False):
    """Runs the command; moments: (seconds from the last one, signal)."""
    process = launch(case, where, strace, full)
    out, err, sent = bytearray(), bytearray(), []
    feeder = None
    if case.input:
        feeder = os.fork()
        if not feeder:  # a process of its own, which nobody has to wait for
            for stream in (process.stdout, process.stderr):
                os.close(stream.fileno())
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.write(process.stdin.fileno(), case.input)
            os._exit(0)
    process.stdin.close()
    try:
        end = time.monotonic() + PATIENCE
        while full and not struct.unpack("i", fcntl.ioctl(process.stdout.fileno(), termios.FIONREAD, b"0000"))[0]:
            check(time.monotonic() < end, "it hangs")  # until it writes, and then soon waits for the reader
            time.sleep(0.005)
        for seconds, number in moments:
            drain(process, time.monotonic() + seconds, out, err, full)
            if process.poll() is None:
                process.send_signal(number)
                sent.append(number)
                if full:
                    time.sleep(0.1)  # else there may be room before the signal is seen
        if closed is not None:
            end = time.monotonic() + PATIENCE
            while len(out) < closed:
                check(time.monotonic() < end, "it hangs")
                piece = os.read(process.stdout.fileno(), closed - len(out))
                if not piece:
                    break
                out += piece
            process.stdout.close()
            process.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "rb")
        drain(process, None, out, err, False)
        status = process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()
        if feeder:
            os.kill(feeder, signal.SIGKILL)
            os.waitpid(feeder, 0)
    nobody_left(process.pid)
    return Outcome(status, bytes(out), bytes(err), sent)


# -------------------------------------------------------------------- terminal


class Terminal:
    """A terminal with a shell that can do no more than put its one job into the foreground."""

    def __init__(self, case, where, strace):
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.news, news = os.pipe()
        orders, self.orders = os.pipe()
        self.shell = os.fork()
        if not self.shell:
            os.close(self.news)
            os.close(self.orders)
            try:
                self.be_shell(list(strace) + [GLIMPSE] + case.arguments, where, news, orders)
            finally:
                os._exit(99)
        os.close(news)
        os.close(orders)
        self.out = bytearray()
        self.status = None
        self.pid = int(self.hear("job"))

    def be_shell(self, command, where, news, orders):
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        start, started = os.pipe()
        job = os.fork()
        if not job:
            os.setpgid(0, 0)
            os.read(start, 1)
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            for number in ENDING + [signal.SIGPIPE]:
                signal.signal(number, signal.SIG_DFL)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.closerange(3, 64)
            os.chdir(where)
            os.execvpe(command[0], command, dict(
                os.environ, TERM="xterm-256color", TMPDIR=os.path.join(where, "tmp")))
        try:
            os.setpgid(job, job)
        except OSError:
            pass
        os.tcsetpgrp(self.slave, job)
        os.write(news, b"job %d\n" % job)
        os.write(started, b"x")
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            os.tcsetpgrp(self.slave, os.getpid())
            if os.WIFSTOPPED(status):
                os.write(news, b"stopped 0\n")
                if not os.read(orders, 1):
                    os._exit(0)
                os.tcsetpgrp(self.slave, job)
                os.killpg(job, signal.SIGCONT)
                continue
            os.write(news, b"ended %d\n" % (os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)))
            os._exit(0)

    def hear(self, *words):
        """The next piece of news, which must be one of these."""
        line = b""
        end = time.monotonic() + PATIENCE
        while not line.endswith(b"\n"):
            self.listen(0)
            check(time.monotonic() < end, "it hangs: no %s" % (words,))
            if select.select([self.news, self.master], [], [], 1)[0] and select.select([self.news], [], [], 0)[0]:
                piece = os.read(self.news, 1)
                check(piece, "the shell has gone")
                line += piece
        word, number = line.decode().split()
        check(word in words, "%s instead of %s" % (word, words))
        if word == "ended":
            self.status = int(number)
        return number

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while True:
            if select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                self.out += os.read(self.master, 65536)
            elif time.monotonic() >= end:
                return

    def alive(self):
        return self.status is None and not select.select([self.news], [], [], 0)[0]

    def sane(self, when):
        """The screen, the cursor and the modes are as they were."""
        self.listen(0.05)
        modes = termios.tcgetattr(self.slave)
        check(modes == self.before, "other modes %s: %s, before %s" % (when, modes[:4], self.before[:4]))
        for number, usual in ((b"1049", b"l"), (b"25", b"h"), (b"7", b"h")):
            said = re.findall(rb"\033\[\?" + number + rb"([hl])", bytes(self.out))
            check(not said or said[-1] == usual, "the terminal's mode %s is %s %s" % (number, said[-1:], when))

    def close(self):
        for number in (signal.SIGKILL,):
            for pid in (self.pid, self.shell):
                try:
                    if self.status is None or pid == self.shell:
                        os.kill(pid, number)
                except ProcessLookupError:
                    pass
        os.waitpid(self.shell, 0)
        for fd in (self.master, self.slave, self.news, self.orders):
            os.close(fd)


def run_in_terminal(case, where, moments, strace=()):
    """moments: (seconds, signal); SIGTSTP stops, and the shell goes on with it."""
    terminal = Terminal(case, where, strace)
    sent = []
    try:
        if strace:  # and should there be fewer calls than that:
            terminal.listen(0.5)
            os.write(terminal.master, b"q")
        for seconds, number in moments:
            terminal.listen(seconds)
            if not terminal.alive():
                break
            try:
                os.kill(terminal.pid, number)
            except ProcessLookupError:  # it has ended in between
                break
            sent.append(number)
            count(number.name)
            if number in (signal.SIGTSTP, signal.SIGSTOP):
                terminal.hear("stopped", "ended")
                if terminal.status is not None:
                    break
                if number == signal.SIGTSTP:
                    terminal.sane("while it is stopped")
                os.write(terminal.orders, b"x")
        if terminal.status is None:
            terminal.hear("ended")
        terminal.sane("after the end")
        outcome = Outcome(terminal.status, bytes(terminal.out), b"", sent)
    except Failure as failure:
        raise Failure("%s; signals %s, the last of its output: %r" % (failure, [s.name for s in sent], bytes(terminal.out[-300:])))
    finally:
        terminal.close()
    nobody_left(terminal.shell)
    return outcome


# ----------------------------------------------------------------------- cases


def whole_lines(data, parse=json.loads):
    check(not data or data.endswith(b"\n"), "it ends within a line: %r" % data[-80:])
    for line in data.splitlines():
        parse(line)
    return data.count(b"\n")


class Case:
    """A command with the files that it writes."""

    def __init__(self, name, arguments, outputs=(), data=b"", terminal=False, undisturbed=(0,)):
        self.name, self.arguments, self.outputs, self.input = name, arguments, outputs, data
        self.terminal, self.undisturbed = terminal, undisturbed
        self.inputs, self.new = set(), {}

    def prepare(self, where, old):
        shutil.rmtree(where, ignore_errors=True)
        os.makedirs(os.path.join(where, "tmp"))
        shutil.copy(os.path.join(HOME, "spec.json"), where)
        for extra in ("small.db", "small.jsonl"):
            if os.path.exists(os.path.join(HOME, extra)):
                shutil.copy(os.path.join(HOME, extra), where)
        self.inputs = set(os.listdir(where))
        if old:
            for name in self.outputs:
                with open(os.path.join(where, name), "w") as file:
                    file.write(OLD)

    def stray(self, where):
        names = set(os.listdir(where)) - self.inputs - set(self.outputs)
        temporary = [name for name in os.listdir(os.path.join(where, "tmp")) if not name.startswith("tsan.")]  # the sanitizer's own
        return sorted(names) + sorted(temporary)

    def verify(self, where, outcome, killed):
        for name in self.outputs:
            path = os.path.join(where, name)
            text = read(path) if os.path.exists(path) else None
            if text is not None and text != OLD.encode():
                self.whole(name, text, outcome)

    def whole(self, name, text, outcome):
        check(text == self.new[name], "%s is neither the old one nor the new one" % name)


class Dot(Case):
    def whole(self, name, text, outcome):
        check(re.match(rb"(//[^\n]*\n)*\s*digraph", text) and text.endswith(b"}\n"), "%s is not whole" % name)


class Run(Case):
    """Traces and records are written as the run goes on; what there is consists of whole lines."""

    def verify(self, where, outcome, killed):
        super().verify(where, outcome, killed)
        if outcome.ended and not outcome.cut and not self.terminal:
            report = json.loads(outcome.out)
            check(report["interrupted"] or report["episodes"] == 6, "it says nothing of the interruption")

    def whole(self, name, text, outcome):
        if text == b"":
            return
        whole_lines(text)
        if name == "record.jsonl" and outcome.ended:
            check(json.loads(text.splitlines()[-1]).get("end") is True, "the record has no end")


class Lines(Case):
    def verify(self, where, outcome, killed):
        if self.terminal or killed or outcome.cut:
            return
        check(self.new[""].startswith(outcome.out) or not outcome.out, "other output than without the signal")
        check(not outcome.out or outcome.out.endswith(b"\n"), "the output ends within a line")


class Agent(Case):
    def verify(self, where, outcome, killed):
        if not killed and not outcome.cut:
            whole_lines(outcome.out)


class Report(Case):
    def stray(self, where):
        return [name for name in super().stray(where) if name != "plots"]

    def verify(self, where, outcome, killed):
        super().verify(where, outcome, killed)
        plots = os.path.join(where, "plots")
        for name in os.listdir(plots) if os.path.isdir(plots) and not killed else []:
            text = read(os.path.join(plots, name))
            if name.endswith(".svg"):
                check(text.rstrip().endswith(b"</svg>"), "half of %s" % name)
            elif name.endswith(".png"):
                check(text[-8:-4] == b"IEND", "half of %s" % name)
            else:
                raise Failure("%s is left in the directory of the plots" % name)


def rows(path, condition="1"):
    with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as database:
        check(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "%s is damaged" % path)
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []
        return database.execute(
            "SELECT key, episode.seed, return, steps, requests FROM episode JOIN setting ON setting.id = setting"
            " WHERE %s ORDER BY key, episode.seed" % condition).fetchall()


class Bench(Case):
    def prepare(self, where, old):
        super().prepare(where, False)

    def verify(self, where, outcome, killed):
        path = os.path.join(where, "bench.db")
        again = Case(self.name, self.arguments + ["--resume"])
        if killed and os.path.exists(path + "-journal"):
            check(run(Case("report", ["report", "bench.db"]), where).status in (0, 1), "it cannot be read")
        stored = rows(path) if os.path.exists(path) else []
        check(not [row for row in stored if row not in self.new[""]], "other rows")
        if outcome.ended and not outcome.cut:
            check(json.loads(outcome.out)["stored"] == len(stored), "another number of rows than it says")
        count("bench: rows kept")
        tally["bench: rows kept"] += len(stored) - 1
        rest = run(again, where)
        check(rest.status == 0, "--resume: %s" % rest)
        check(rows(path) == self.new[""], "--resume: other rows than without a signal")
        check(len(stored) == len(rows(path, "run = 1")) or not stored, "--resume: rows were repeated")


def cases():
    budget = ["--expansions", "60"]
    delivery = "robot-delivery:n=3"
    conversation = b"".join(
        b'{"do":"reset","id":%d}\n{"do":"decide","expansions":400}\n' % i for i in range(60)) + b'{"do":"quit"}\n'
    play = ["run", delivery, "--episodes", "6", "--max-steps", "30", "--trace", "trace.jsonl", "--record", "record.jsonl"]
    found = [
        Case("info", ["info", "robot-delivery:n=15"]),
        Case("check", ["check", "-"], data=subprocess.run(
            [GLIMPSE, "convert", "robot-delivery:n=9"], stdout=subprocess.PIPE, check=True).stdout),
        Case("convert", ["convert", "robot-delivery:n=15", "-o", "new.pomdp"], ["new.pomdp"]),
        Case("bounds", ["bounds", "robot-delivery:n=5"]),
        Dot("plan", ["plan", delivery, "--expansions", "3000", "--dot", "plan.dot", "--dot-depth", "3"], ["plan.dot"]),
        Case("explain", ["explain", delivery, "--time", "0.1"]),
        Run("run", play + budget + ["--json"], ["trace.jsonl", "record.jsonl"]),
        Lines("replay", ["replay", "small.jsonl"]),
        Agent("agent", ["agent", delivery], data=conversation),
        Bench("bench", ["bench", "spec.json", "-o", "bench.db", "--threads", "2", "--json"], ["bench.db"]),
        Run("watch", play + budget + ["--watch", "--delay", "0.005"], ["trace.jsonl", "record.jsonl"], terminal=True,
            undisturbed=(0, 129, 130, 143)),
        Case("progress", ["run", delivery, "--episodes", "6", "--max-steps", "30"] + budget, terminal=True),
        Lines("replay-watch", ["replay", "small.jsonl", "--delay", "0.005"], terminal=True, undisturbed=(0, 129, 130, 143)),
        Report("report", ["report", "small.db", "--html", "page.html", "--plots", "plots"], ["page.html"]),
    ]
    if not shutil.which("gnuplot"):
        found[-1] = Report("report", ["report", "small.db", "--html", "page.html"], ["page.html"])
    return [case for case in found if not ONLY or case.name in ONLY]


# ---------------------------------------------------------------------- rounds


def prepare_inputs():
    with open(os.path.join(HOME, "spec.json"), "w") as file:
        json.dump({"name": "signals", "environments": ["tiger", "robot-delivery:n=3"], "planners": ["aems-sr", "pomcp"],
                   "expansions": [5, 30], "episodes": 12, "max-steps": 12}, file)
    for name in ("small.db", "small.jsonl"):
        if os.path.exists(os.path.join(HOME, name)):
            os.remove(os.path.join(HOME, name))
    for arguments in (["bench", "small.json", "-o", "small.db"],
                      ["run", "tiger", "--episodes", "3", "--max-steps", "40", "--expansions", "5", "--record", "small.jsonl"]):
        where = os.path.join(HOME, "made")
        Case("small", []).prepare(where, False)
        with open(os.path.join(where, "small.json"), "w") as file:
            json.dump({"name": "small", "environments": "tiger", "planners": "aems-sr", "expansions": [5, 10], "episodes": 2,
                       "max-steps": 5, "axis": "budget"}, file)
        check(run(Case("small", arguments), where).status == 0, "%s failed" % arguments)
        for name in ("small.db", "small.jsonl"):
            if os.path.exists(os.path.join(where, name)):
                shutil.copy(os.path.join(where, name), HOME)


def measure(case, where):
    """One undisturbed run: what it writes, and how long it takes."""
    case.prepare(where, True)
    begun = time.monotonic()
    if case.terminal:
        # What is shown waits for the viewer at its end.
        outcome = run_in_terminal(case, where, [(0.7, signal.SIGINT)] if case.undisturbed != (0,) else [])
    else:
        outcome = run(case, where)
    check(outcome.status in case.undisturbed, "undisturbed: %s" % outcome)
    case.seconds = min(time.monotonic() - begun, 1)
    for name in case.outputs:
        case.new[name] = read(os.path.join(where, name))
        check(case.new[name] != OLD.encode(), "%s was not written" % name)
    case.new[""] = rows(os.path.join(where, "bench.db")) if isinstance(case, Bench) else outcome.out
    check(not case.stray(where), "undisturbed: %s is left" % case.stray(where))


def calls_of(case, where):
    case.prepare(where, True)
    log = os.path.join(HOME, "calls")
    process = launch(case, where, ["strace", "-o", log])
    process.communicate(case.input or None, PATIENCE)
    return read(log).count(b"\n")


def expected(outcome, sent, kind):
    """Of the signals that came before the last one some may have had no effect yet."""
    statuses = {0} | {128 + s for s in sent} | {-s for s in sent}
    if kind == "closed":
        statuses.add(1)
    if kind == "pipe":
        statuses.add(-signal.SIGPIPE)  # in the first moments of the process
    return outcome.status in statuses


def disturb(case, where, kind, chance):
    length = case.seconds * 1.05
    moments = []
    if case.terminal:
        before = [chance.choice([signal.SIGTSTP, signal.SIGWINCH, signal.SIGCONT, signal.SIGSTOP])
                  for _ in range(chance.randrange(3))]
        moments = [(chance.random() * length / (1 + len(before)), number) for number in before]
    case.prepare(where, chance.random() < 0.5)
    number = chance.choice(ENDING)
    strace = []
    closed = None
    if kind == "closed":
        closed = chance.randrange(1 + len(case.new[""])) if isinstance(case.new[""], bytes) else 0
    elif BY_CALLS and kind == "once":
        at = 1 + chance.randrange(12 if case.terminal else case.calls)
        moments = []
        strace = ["strace", "-qq", "-o", os.devnull, "-e", "trace=all", "-e", "inject=%s:signal=%s:when=%d" % (
            "ioctl" if case.terminal else "all", number.name, at)]
        count("at a system call")
    else:
        if kind == "pipe":
            number = signal.SIGPIPE
        moments.append((0.05 if kind == "full" else chance.random() * length, number))
        if kind == "twice":
            moments.append((chance.random() * min(0.05, length), chance.choice(ENDING)))
        if case.terminal and case.undisturbed != (0,) and kind == "pipe":
            moments.append((0.1, signal.SIGINT))
    if case.terminal:
        outcome = run_in_terminal(case, where, moments, strace)
    else:
        outcome = run(case, where, moments, closed, strace, full=kind == "full")
    sent = outcome.sent + ([number] if strace else [])
    fatal = [s for s in sent if s in ENDING]
    try:
        check(expected(outcome, fatal, kind), "exit status %d" % outcome.status)
        check(b"anitizer" not in outcome.err, "a sanitizer complains")
        killed = len(fatal) > 1 and outcome.status < 0
        outcome.cut = closed is not None
        case.verify(where, outcome, killed)
        # What is killed by the second signal may leave a file that nobody could take for another one.
        stray = [name for name in case.stray(where) if not (killed and re.search(r"lock|journal|glimpse|\.[A-Za-z0-9]{6}$|gp$|dat$|log$", name))]
        check(not stray, "%s is left" % stray)
    except (Failure, ValueError, sqlite3.Error) as failure:
        raise Failure("%s\nsignals %s after %s, %s: %s" % (failure, [s.name for s in sent], moments, strace, outcome))
    count("disturbed")
    if fatal:
        count("status 0" if outcome.status == 0 else "caught" if outcome.status > 0 else "not caught")
    for s in sent if not case.terminal else []:
        count(s.name)


def has_terminals():
    try:
        for end in os.openpty():
            os.close(end)
        return True
    except OSError:
        print("this machine has no pseudo-terminals (is /dev/pts mounted?): commands are not disturbed on one", flush=True)
        return False


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    prepare_inputs()
    bad = 0
    terminals = has_terminals()
    for case in cases():
        if case.terminal and not terminals:
            continue
        where = os.path.join(HOME, case.name)
        chance = random.Random("%d %s" % (SEED, case.name))
        kinds = ["once", "twice"] + (["once", "pipe"] if ROUNDS > 1 else []) + ([] if case.terminal else ["closed"]) + (["full"] if case.name == "replay" else [])
        begun = time.monotonic()
        kind = "undisturbed"
        try:
            measure(case, where)
            case.calls = calls_of(case, where) if BY_CALLS and not case.terminal else 0
            for i in range(ROUNDS):
                for kind in kinds:
                    disturb(case, where, kind, chance)
            print("%s: %d disturbances, %.1f s" % (case.name, ROUNDS * len(kinds), time.monotonic() - begun), flush=True)
        except Failure as failure:
            bad += 1
            print("FAILED: %s, %s, seed %d: %s" % (case.name, kind, SEED, failure), flush=True)
    print(", ".join("%s %d" % item for item in sorted(tally.items())))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
