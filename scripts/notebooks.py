#!/usr/bin/env python3
"""Makes notebooks of the scripts in examples/notebooks, whose cells begin with '# %%'.

    scripts/notebooks.py [--check]

A cell that begins with '# %% [markdown]' is text, each of its lines behind '# '; all others are code. Notebooks have no
outputs: who opens one runs it. With --check nothing is written, and a notebook that is not in step is an error.
"""

import json
import sys
from pathlib import Path

DIRECTORY = Path(__file__).resolve().parent.parent / "examples" / "notebooks"


def cells(text):
    found = []
    for line in text.splitlines():
        if line.startswith("# %%"):
            found.append(("markdown" if line.strip().endswith("[markdown]") else "code", []))
        elif not found:
            if line.strip():
                raise SystemExit(f"expected '# %%' in the first line, found {line!r}")
        elif found[-1][0] == "markdown":
            if line and not line.startswith("#"):
                raise SystemExit(f"expected '# ' before each line of text, found {line!r}")
            found[-1][1].append(line[2:])
        else:
            found[-1][1].append(line)
    for _, lines in found:
        while lines and not lines[-1].strip():
            lines.pop()
    return found


def notebook(text):
    made = []
    for i, (kind, lines) in enumerate(cells(text)):
        cell = {"cell_type": kind, "id": f"cell-{i}", "metadata": {}}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        cell["source"] = [line + "\n" for line in lines[:-1]] + lines[-1:]
        made.append(cell)
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": made, "metadata": {"kernelspec": python}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        raise SystemExit(__doc__)
    stale = []
    for script in sorted(DIRECTORY.glob("*.py")):
        path = script.with_suffix(".ipynb")
        text = notebook(script.read_text(encoding="utf-8"))
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if not arguments:
            path.write_text(text, encoding="utf-8")
    known = {script.stem for script in DIRECTORY.glob("*.py")}
    strays = [path.name for path in DIRECTORY.glob("*.ipynb") if path.stem not in known]
    if arguments and stale:
        raise SystemExit(f"not in step: {', '.join(stale)}; run scripts/notebooks.py")
    if strays:
        raise SystemExit(f"without a script: {', '.join(strays)}")


if __name__ == "__main__":
    main(sys.argv[1:])
