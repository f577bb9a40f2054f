"""The type hints hold, in the package and for those who use it."""

import subprocess
import sys

import pytest

from conftest import PYTHON

USER = """\
from typing import Optional

import glimpse

model: glimpse.Model = glimpse.load("tiger")
agent = glimpse.Agent(model)
decision = agent.decide(seconds=0.1)
action: Optional[int] = decision.action
gap: float = decision.upper - decision.lower
results = glimpse.run(model, episodes=3, on_step=lambda step: step.reward > 0)
mean: float = results.total.mean
"""


def mypy(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "mypy", *arguments], stdout=subprocess.PIPE, text=True, cwd=str(PYTHON), timeout=300
    )


def test_the_package_is_typed(tmp_path):
    pytest.importorskip("mypy")
    result = mypy("--cache-dir", str(tmp_path))
    assert result.returncode == 0, result.stdout
    (tmp_path / "user.py").write_text(USER)
    right = mypy("--cache-dir", str(tmp_path), "--strict", str(tmp_path / "user.py"))
    assert right.returncode == 0, right.stdout
    (tmp_path / "user.py").write_text(USER.replace("gap: float", "gap: str"))
    wrong = mypy("--cache-dir", str(tmp_path), "--strict", str(tmp_path / "user.py"))
    assert wrong.returncode == 1 and "user.py:9: error: Incompatible types in assignment" in wrong.stdout
