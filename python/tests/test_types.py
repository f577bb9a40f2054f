"""The type hints hold, in the package and for those who use it."""

import subprocess
import sys

import pytest

from conftest import PYTHON, ROOT

USER = """\
from typing import Optional

import glimpse

model: glimpse.Model = glimpse.load("tiger")
agent = glimpse.Agent(model)
decision = agent.decide(time=0.1)
action: Optional[int] = decision.action
gap: float = decision.upper - decision.lower
results = glimpse.run(model, episodes=3, on_step=lambda step: step.reward > 0)
mean: float = results.total.mean
"""


def test_the_hints_hold(tmp_path):
    """One run for all, because mypy takes its time: the package and the user are right but for the last line."""
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER + "wrong: str = decision.upper\n")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
        + ["--cache-dir", str(tmp_path), str(tmp_path / "user.py")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=str(PYTHON),
    )
    first, last = result.stdout.splitlines()
    assert "user.py:12: error: Incompatible types in assignment" in first
    assert last.startswith("Found 1 error in 1 file")
