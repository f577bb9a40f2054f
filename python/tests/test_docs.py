"""The examples of docs/PYTHON.md print what it says, and the tour runs."""

import contextlib
import io
import os
import re
import subprocess
import sys

import pytest

from conftest import PYTHON, ROOT

PAGE = (ROOT / "docs" / "PYTHON.md").read_text(encoding="utf-8")


def test_the_page_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```$", PAGE, re.S | re.M)
    assert len(blocks) == PAGE.count("```python\n") >= 10  # each has its output
    names = {}
    for code, expected in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, "PYTHON.md", "exec"), names)
        assert output.getvalue() == expected, code


def test_every_command_has_its_line(command):
    commands = re.findall(r"^  ([a-z]+)  +\S", command("help").stdout.split("\nCommands:\n")[1].split("\n\n")[0], re.M)
    table = PAGE[PAGE.index("| command | in Python |") :].split("\n\n")[0]
    assert len(commands) >= 18 and re.findall(r"^\| `([a-z]+)` \| ", table, re.M) == commands


def test_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "machine.pomdp").write_text(re.search(r"^```\n(discount:.*?)^```$", readme, re.S | re.M).group(1))
    (code,) = re.findall(r"^```python\n(.*?)^```$", readme, re.S | re.M)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == "run <glimpse.Belief {good: 0.75, worn: 0.25}>\n"


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="too slow under sanitizers")
def test_the_tour(tmp_path):
    pytest.importorskip("matplotlib")
    result = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "python" / "tour.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(PYTHON), "MPLCONFIGDIR": str(tmp_path / "matplotlib")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    for name in ("bounds.png", "returns.png", "episode.png", "belief.png"):
        picture = (tmp_path / name).read_bytes()
        assert picture.startswith(b"\x89PNG") and len(picture) > 8000, name
    assert re.search(r"^(ask for the state|do (up|down|left|right))$", result.stdout, re.M)  # by the bounds, near a tie
    value = float(re.search(r"^aems-loop +return (-?[0-9.]+)", result.stdout, re.M)[1])
    assert 2.1 < value < 2.95, value  # the optimum is 2.5, the episodes are few
