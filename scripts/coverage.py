#!/usr/bin/env python3
"""Says which lines and branches of the sources the tests of a coverage build have executed.

    scripts/coverage.py [--list] BUILD-DIRECTORY

Prints a row for each layer of the library, then for the program and the experiments, and fails when the library as a
whole has fewer than 95 % of its lines or of its branches.  --list: also each branch of the library that was never
taken, grouped by the reason.

A branch is one outcome of one condition in the sources.  Left out is only what gcov itself calls unreachable.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WANTED = 95  # per cent, of lines and of branches
LAYERS = ["base", "model", "formats", "transform", "environments", "belief", "bounds", "graph", "planner", "planners",
          "agent", "episode"]

# Why a branch was not taken: the first reason whose pattern is found in "file: text of the line".
REASONS = [
    ("an allocation fails, or the limit of memory is met, at this place and not before it",
     r"GLI_GROW|reserve\(|NO_MEMORY|out of memory|_sync\(|stand_at|set_exact|sampler_start|sampler->sums|"
     r"records && beliefs|plain_select|widen\(|add\(share|grow_parents|link_node|link_children|reach_origin|"
     r"room && count|collect\(graph|child == GLI_NONE|if \(!offline\)|if \(make\(graph|no room|"
     r"alone \|\| task.pool|gli_names_set|pomdp_stop\(|stopped|push\(&r->row|if \(builder\)|"
     r"agent.c: if|choose\(r|choose\(search|open_root\(|lighten\(|unmet|origin == GLI_NONE|"
     r"origin < walk->count|GLI_ALIAS\) < walk->count|if \(node\) step->state|node && node->cells|"
     r"plain\w*.c: return false|record == GLI_NONE \? GLI_NONE|!put\("),
    ("the operating system refuses what it hardly ever refuses: a mutex, a clock, a file that is open already",
     r"pthread_(mutex|cond|create)|clock_gettime|strerror_r|getrlimit|is_scarce|no_left|no_opened|cores|formats/file.c"),
    ("a size that is allowed and does not fit into a test: 2^29 entries, 2^31 nodes, 2^63 bytes",
     r"SIZE_MAX|MAX_ENTRIES|GLI_ALIAS\)|>= GLI_NONE|NAMES_SEARCHED|UINT32_MAX"),
    ("the clock or the order of threads decides",
     r"base/parallel.c|base/flag.h|deadline|interval|gli_clock_now|sweep_work|hurry|interrupted|seconds"),
    ("cannot happen as far as is known; a guard, or asked for by the compiler",
     r"base/report.c|base/memory.c|bit_length|decimal.c|switch \(|environment.c|pomdp_places.c|pomdp_read.c|"
     r"share.c: if \((known->count|share->state)|names.c|number.c|pomcp_tree.c|builder.c|log.c|bound.c"),
]
OTHERS = "a rare state of the search or of the input that no test has met"


def measure(build):
    """What gcovr found in the build, as its JSON has it."""
    with tempfile.TemporaryDirectory() as directory:
        result = pathlib.Path(directory) / "coverage.json"
        subprocess.run(["gcovr", "--root", str(ROOT), "--filter", "src/", "--filter", "tool/", "--filter",
                        "experiment/", "--exclude-unreachable-branches", "--exclude-throw-branches", "--json",
                        str(result), str(build)], cwd=ROOT, check=True)
        return json.loads(result.read_text())["files"]


def lines_of(file):
    return [line for line in file["lines"] if not line.get("gcovr/noncode")]


def count(files):
    """Lines, lines executed, branches, branches taken."""
    lines = [line for file in files for line in lines_of(file)]
    branches = [branch for line in lines for branch in line["branches"]]
    return (len(lines), sum(line["count"] > 0 for line in lines),
            len(branches), sum(branch["count"] > 0 for branch in branches))


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def show(name, files):
    lines, executed, branches, taken = count(files)
    print(f"{name:20} {executed:6} of {lines:6} {percent(executed, lines):6.1f} %"
          f" {taken:7} of {branches:6} {percent(taken, branches):6.1f} %")
    return percent(executed, lines), percent(taken, branches)


def show_rest(files):
    """Each line with branches that were never taken, by reason."""
    groups = {}
    for file in files:
        text = (ROOT / file["file"]).read_text(encoding="utf-8").split("\n")
        for line in lines_of(file):
            missing = sum(branch["count"] == 0 for branch in line["branches"])
            if not missing and line["count"]:
                continue
            source = text[line["line_number"] - 1].strip()
            where = f"{file['file']}: {source}"
            reason = next((reason for reason, pattern in REASONS if re.search(pattern, where)), OTHERS)
            groups.setdefault(reason, []).append((file["file"], line["line_number"], missing, source))
    for reason in [reason for reason, _ in REASONS] + [OTHERS]:
        items = groups.get(reason, [])
        print(f"\n{reason} ({sum(item[2] for item in items)} branches)")
        for file, number, missing, source in items:
            print(f"  {file}:{number}: {missing or 'line'}  {source}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", action="store_true", help="list the branches that were never taken")
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    files = measure(options.build)
    library = [file for file in files if file["file"].startswith("src/")]
    print(f"{'':20} {'lines':>15}          {'branches':>16}")
    for layer in LAYERS:
        show(f"src/{layer}", [file for file in library if file["file"].startswith(f"src/{layer}/")])
    reached = show("src, in all", library)
    for part in ("tool", "experiment"):
        show(part, [file for file in files if file["file"].startswith(f"{part}/")])
    if options.list:
        show_rest(library)
    if min(reached) < WANTED:
        print(f"coverage: the library has less than {WANTED} % of its lines or branches executed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
