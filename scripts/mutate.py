#!/usr/bin/env python3
"""Breaks the library in the small ways of tests/mutants.txt and counts how many of them the tests notice.

    scripts/mutate.py [--check] [--list] [--jobs N] [--keep DIRECTORY] [NAME ...]

A copy of the sources is built once; then each mutant in turn is applied to the copy, and the unit tests are built and
run again, those named like the file first, then the quickest, until one fails.  A mutant that all of them let pass
is tried on the tests of the program, too.  A test that takes too long has noticed something, as well.  A mutant that
does not apply exactly once, or does not compile, is an error.

--check only says whether each mutant still applies.  NAME ...: these mutants alone.  --keep: the directory to work
in, which is not removed, so that the next run need not build everything.

The exit status is 0 if at least 96 % are noticed (48 of 50), and all could be tried.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "mutants.txt"
WANTED = 0.96
# What the build and the tests do not need of a checkout, and may be large.
LEFT_OUT = re.compile(r"build.*|\..*")
# Of the program: what survives the unit tests is tried on these.
PROGRAM_TESTS = "^cli-(info|check|convert|bounds|plan|explain|run|agent|baselines|dot|solve|verify|policy)$"


class Mutant:
    def __init__(self, name, path, what, old, new):
        self.name, self.path, self.what, self.old, self.new = name, path, what, old, new


def read_table():
    mutants = []
    text = "".join(line for line in open(TABLE, encoding="utf-8") if not line.startswith("#"))
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().splitlines()
        if not lines:
            continue
        name, path = lines[0].split()
        old = [line[2:].strip() for line in lines if line.startswith("- ")]
        new = [line[2:].strip() for line in lines if line.startswith("+ ")]
        if len(lines) != 2 + len(old) + len(new) or not old or old == new:
            sys.exit(f"{TABLE.name}: {name}: expected a description, '- ' lines and other '+ ' lines")
        mutants.append(Mutant(name, path, lines[1], old, new))
    if len({m.name for m in mutants}) != len(mutants):
        sys.exit(f"{TABLE.name}: two mutants have the same name")
    return mutants


def mutate(mutant, text):
    """The text with the mutant applied; None unless there is one place for it."""
    lines = text.split("\n")
    bare = [line.strip() for line in lines]
    count = len(mutant.old)
    places = [i for i in range(len(lines) - count + 1) if bare[i:i + count] == mutant.old]
    if len(places) != 1:
        return None
    at = places[0]
    indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
    # An empty statement keeps an 'if' or a loop in front of it what it was.
    new = [indent + line for line in mutant.new] or [indent + ";"]
    return "\n".join(lines[:at] + new + lines[at + count:])


def check(mutants):
    """Prints what does not apply; the number of those."""
    wrong = 0
    for mutant in mutants:
        path = ROOT / mutant.path
        if not path.is_file() or mutate(mutant, path.read_text(encoding="utf-8")) is None:
            print(f"{mutant.name}: its lines are not in {mutant.path} exactly once", file=sys.stderr)
            wrong += 1
    return wrong


def copy_if_changed(old, new):
    """What is the same keeps its time, so that it is not built again; what is not has the time of now."""
    if not old.is_file() or "__pycache__" in old.parts or "build" in old.parts[len(ROOT.parts):]:
        return
    if new.is_file() and new.read_bytes() == old.read_bytes():
        return
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(old, new)


class Workshop:
    """A copy of the sources and its build."""

    def __init__(self, directory, jobs):
        self.source, self.build, self.jobs = directory / "source", directory / "build", jobs
        self.log = directory / "log"

    def run(self, *command, seconds=900):
        """True: it succeeded.  Its output is the log; it is ended with all its children when it takes too long."""
        with open(self.log, "wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.source,
                                       start_new_session=True)
            try:
                return process.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                return False

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def compile(self, *targets):
        return self.run("cmake", "--build", str(self.build), "-j", str(self.jobs), "--target", *targets)

    def start(self):
        for part in ROOT.iterdir():
            if LEFT_OUT.fullmatch(part.name):
                continue
            for old in [part, *part.rglob("*")]:
                copy_if_changed(old, self.source / old.relative_to(ROOT))
        options = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_C_FLAGS_RELEASE": "-O1", "GLIMPSE_BUILD_TESTS": "ON",
                   "GLIMPSE_EXPERIMENTS": "OFF", "GLIMPSE_PYTHON": "OFF", "GLIMPSE_WERROR": "OFF"}
        if not self.run("cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja",
                        *[f"-D{name}={value}" for name, value in options.items()]):
            sys.exit(self.output() + "mutate: the copy cannot be configured")
        self.units = sorted(path.stem for path in (self.source / "tests").glob("test_*.c"))
        if not self.compile(*self.units, "glimpse_program"):
            sys.exit(self.output() + "mutate: the copy cannot be built")
        self.measure()

    def measure(self):
        """Runs each unit test once: all must pass, and the quickest will be first."""
        self.seconds = {}
        for unit in self.units:
            begin = time.monotonic()
            if not self.run(str(self.build / "tests" / unit)):
                sys.exit(self.output() + f"mutate: {unit} fails without any mutant")
            self.seconds[unit] = time.monotonic() - begin
        self.units.sort(key=self.seconds.get)

    def order(self, path):
        """The unit tests: those with the name of the file or of its layer first, then the quickest."""
        layer, stem = pathlib.Path(path).parts[-2], pathlib.Path(path).stem
        def rank(unit):
            name = unit[len("test_"):]
            return (name != stem, stem.split("_")[0] != name.split("_")[0] and name not in (layer, layer.rstrip("s")))
        return sorted(self.units, key=lambda unit: (rank(unit), self.seconds[unit]))

    def notice(self, path):
        """The test that notices what is in the sources; None: none does.  Few are built before the first is run."""
        units, size = self.order(path), 2
        while units:
            now, units, size = units[:size], units[size:], 2 * size
            if not self.compile(*now):
                raise SyntaxError(self.output())
            for unit in now:
                if not self.run(str(self.build / "tests" / unit), seconds=30 + 10 * self.seconds[unit]):
                    return unit
        if not self.compile("glimpse_program"):
            raise SyntaxError(self.output())
        if not self.run("ctest", "--test-dir", str(self.build), "-j", str(self.jobs), "--stop-on-failure", "-R",
                        PROGRAM_TESTS, seconds=900):
            failed = re.findall(r"Test +#\d+: (\S+) \.*\**(?!.*Passed)", self.output())
            return failed[-1] if failed else "a test of the program"
        return None

    def judge(self, mutant):
        """"noticed by ...", "survives" or "error: ..."."""
        path = self.source / mutant.path
        text = path.read_text(encoding="utf-8")
        try:
            path.write_text(mutate(mutant, text), encoding="utf-8")
            by = self.notice(mutant.path)
            return f"noticed by {by}" if by else "survives"
        except SyntaxError:
            return "error: does not compile"
        finally:
            path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true", help="only see whether every mutant still applies")
    parser.add_argument("--list", action="store_true", help="only list them")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIRECTORY")
    options = parser.parse_args()
    mutants = read_table()
    unknown = set(options.names) - {m.name for m in mutants}
    if unknown:
        sys.exit(f"mutate: no such mutant: {' '.join(sorted(unknown))}")
    mutants = [m for m in mutants if not options.names or m.name in options.names]
    if options.list:
        for m in mutants:
            print(f"{m.name:24} {m.path:32} {m.what}")
        return 0
    wrong = check(mutants)
    if wrong or options.check:
        print(f"{len(mutants) - wrong} of {len(mutants)} mutants apply")
        return 1 if wrong else 0

    directory = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="glimpse-mutate-"))
    begin, counts = time.monotonic(), {"noticed": 0, "survives": 0, "error:": 0}
    try:
        workshop = Workshop(directory.resolve(), options.jobs)
        workshop.start()
        print(f"{len(workshop.units)} unit tests pass without a mutant, in {sum(workshop.seconds.values()):.0f} s",
              flush=True)
        for i, mutant in enumerate(mutants, 1):
            verdict = workshop.judge(mutant)
            counts[verdict.split()[0]] += 1
            print(f"{i:3}/{len(mutants)} {time.monotonic() - begin:6.0f} s  {mutant.name:24} {verdict}", flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(directory, ignore_errors=True)
    print(f"{counts['noticed']} of {len(mutants)} mutants noticed, {counts['survives']} survive, "
          f"{counts['error:']} could not be tried")
    return 0 if counts["noticed"] >= WANTED * len(mutants) and not counts["error:"] else 1


if __name__ == "__main__":
    sys.exit(main())
