"""The notebooks of examples/notebooks run as scripts, say what they should, and are in step with their .ipynb."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest

from conftest import PYTHON, ROOT

DIRECTORY = ROOT / "examples" / "notebooks"


def run(name, tmp_path):
    if "LD_PRELOAD" in os.environ:
        pytest.skip("too slow under sanitizers")
    pytest.importorskip("matplotlib", reason="matplotlib is not there (Debian: python3-matplotlib)")
    variables = {"PYTHONPATH": str(PYTHON), "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path / "matplotlib")}
    result = subprocess.run(
        [sys.executable, str(DIRECTORY / name)],
        env={**os.environ, **variables},
        cwd=str(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_first_model(tmp_path):
    said = run("first_model.py", tmp_path)
    assert "Decision: ask for the state. This is certain" in said and "\nrepair\n" in said
    asks, never = (float(re.search(word + r" (-?[0-9.]+) ±", said)[1]) for word in ("return", "without asking"))
    assert asks > never + 1


def test_a_figure_of_the_paper(tmp_path):
    said = run("paper_figure.py", tmp_path)
    assert float(re.search(r"formulas: (\S+)", said)[1]) < 1e-6
    better = ast.literal_eval(re.search(r"better at (.*)", said)[1])
    assert len(better) == 12 and min(better) > 1 and max(better) < 4


def test_a_menu_of_sensors(tmp_path):
    said = run("sensor_menu.py", tmp_path)
    assert "Decision: ask localisation." in said
    uses = [[float(x) for x in found] for found in re.findall(r"camera ([0-9.]+), localisation ([0-9.]+), return", said)]
    assert len(uses) == 5 and uses[0][1] > uses[-1][1] and uses[0][0] < uses[-1][0]


def test_the_notebooks_are_in_step():
    script = ROOT / "scripts" / "notebooks.py"
    result = subprocess.run([sys.executable, str(script), "--check"], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 0, result.stderr
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        book = json.loads(path.read_text(encoding="utf-8"))
        assert book["nbformat"] == 4 and {cell["cell_type"] for cell in book["cells"]} == {"markdown", "code"}
        for cell in book["cells"]:
            if cell["cell_type"] == "code":
                compile("".join(cell["source"]), path.name, "exec")
    assert len(list(DIRECTORY.glob("*.ipynb"))) == 3
