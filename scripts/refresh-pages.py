#!/usr/bin/env python3
"""Runs the commands that documents show with a "$ ", and puts what they print into the documents.

    scripts/refresh-pages.py [--build DIRECTORY] PAGE ...        by default build/release

Look at the differences before you commit them: tests/pages.sh and tests/cli/readme.sh only say whether page and
program agree.  As there, a block whose fence names a file is that file, and a block that begins with "discount:" is
machine.pomdp.  In blocks of ```python that are followed by a block without "$", as in docs/PYTHON.md, what is
printed is that block.  Conversations of docs/AGENT.md ("> ", "< ") are held again.
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def converse(lines):
    """A command of `glimpse agent`, the messages sent to it and its replies."""
    sent = [line[2:] for line in lines[1:] if line.startswith("> ")]
    result = subprocess.run(lines[0][2:], shell=True, input="\n".join(sent) + "\n", stdout=subprocess.PIPE, text=True)
    replies = result.stdout.splitlines()
    return [lines[0]] + [text for pair in zip(sent, replies) for text in ("> " + pair[0], "< " + pair[1])]


def run(lines):
    """The lines of a block, with fresh output below each command."""
    if len(lines) > 1 and lines[1].startswith("> "):
        return converse(lines)
    fresh, last = [], len(lines) - 1
    for i, line in enumerate(lines):
        if not line.startswith("$ "):
            continue
        result = subprocess.run(["bash", "-c", line[2:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        output = [text for text in result.stdout.splitlines() if not text.startswith("glimpse: episode ")]
        following = next((j for j in range(i + 1, last + 1) if lines[j].startswith("$ ")), None)
        apart = following is not None and lines[following - 1] == ""
        fresh += [line] + output + ([""] if apart else [])
    return fresh


def refresh(page):
    text, names = page.read_text(encoding="utf-8"), {}
    pieces, printed = re.split(r"^(```[^\n]*\n.*?^```$)", text, flags=re.S | re.M), None
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        machine = re.search(r"^```[^\n]*\n(discount:.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
        Path("machine.pomdp").write_text(machine[1], encoding="utf-8")
        for i in range(1, len(pieces), 2):
            fence, *lines, end = pieces[i].split("\n")
            name = fence[3:].split()
            if len(name) > 1:
                Path(name[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
            elif name == ["python"] and page.name == "PYTHON.md":
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(compile("\n".join(lines), page.name, "exec"), names)
                printed = output.getvalue().rstrip("\n").split("\n")
            elif printed is not None:
                pieces[i], printed = "\n".join([fence, *printed, end]), None
            elif lines and lines[0].startswith("$ "):
                pieces[i] = "\n".join([fence, *run(lines), end])
        os.chdir(ROOT)
    page.write_text("".join(pieces), encoding="utf-8")


def main():
    arguments = sys.argv[1:]
    build = ROOT / "build" / "release"
    if arguments[:1] == ["--build"]:
        build, arguments = Path(arguments[1]).resolve(), arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as installed:
        subprocess.run(["cmake", "--install", str(build), "--prefix", installed], check=True, stdout=subprocess.DEVNULL)
        libraries = next(Path(installed).rglob("libglimpse.a")).parent
        packages = str(ROOT / "python")
        os.environ.update(PATH=f"{installed}/bin:{os.environ['PATH']}", PYTHONPATH=packages,
                          PKG_CONFIG_PATH=str(next(Path(installed).rglob("glimpse.pc")).parent),
                          LD_LIBRARY_PATH=str(libraries), GLIMPSE_LIBRARY=str(libraries / "libglimpse.so"))
        os.environ.pop("NO_COLOR", None)
        sys.path.insert(0, packages)
        for page in [Path(argument).resolve() for argument in arguments]:
            refresh(page)


if __name__ == "__main__":
    main()
