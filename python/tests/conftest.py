"""What the tests share: the package of this source tree, a small model made in several ways, the program.

    GLIMPSE_LIBRARY   the library to test; by default that of build/release
    GLIMPSE           the program, to compare with; tests that need it are skipped without. The package uses it, too
"""

import atexit
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parent.parent
ROOT = PYTHON.parent
sys.path.insert(0, str(PYTHON))


def _without_preload(path):
    """What was preloaded for the library in Python is not for the program: its sanitizer would not start. A script that
    starts it without."""
    script = Path(tempfile.mkdtemp(prefix="glimpse-")) / "glimpse"
    atexit.register(shutil.rmtree, script.parent, ignore_errors=True)
    script.write_text(f"#!/bin/sh\nunset LD_PRELOAD\nexec {shlex.quote(path)} \"$@\"\n")
    script.chmod(0o755)
    return str(script)


if os.environ.get("GLIMPSE") and "GLIMPSE_PROGRAM" not in os.environ:
    path = os.environ["GLIMPSE"]
    os.environ["GLIMPSE_PROGRAM"] = _without_preload(path) if os.environ.get("LD_PRELOAD") else path

MACHINE = """\
discount: 0.95
values: reward
states: good worn
actions: run repair
observations: fine faulty
start: good
# glimpse: cost 0.5

T: run
0.9 0.1
0.0 1.0
T: repair : * : good 1

O: *
0.8 0.2
0.4 0.6

R: run : good : * : * 1
R: run : worn : * : * -1
R: repair : * : * : * -2
"""


@pytest.fixture
def machine():
    import glimpse

    return glimpse.Model.parse(MACHINE)


@pytest.fixture
def tiger():
    import glimpse

    return glimpse.Model.environment("tiger")


@pytest.fixture
def command():
    """Runs the program; returns its result."""
    path = os.environ.get("GLIMPSE") or str(ROOT / "build" / "release" / "glimpse")
    if not os.path.isfile(path):
        pytest.skip("the program is not there: set GLIMPSE")

    def call(*arguments):
        # What was preloaded for the library in Python is not for the program.
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        return subprocess.run(
            [path, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            env=environment,
        )

    return call


@pytest.fixture
def program(command):
    """Runs the program and returns the JSON that it prints."""

    def call(*arguments):
        result = command(*arguments, "--json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return call


def random_tables(seed, states=4, actions=3, observations=3):
    """A random model as nested lists, with some zeros."""
    source = random.Random(seed)

    def row(n):
        weights = [source.random() if source.random() < 0.7 else 0.0 for _ in range(n)]
        weights[source.randrange(n)] += 0.1
        return [w / sum(weights) for w in weights]

    return {
        "transitions": [[row(states) for _ in range(states)] for _ in range(actions)],
        "observations": [[row(observations) for _ in range(states)] for _ in range(actions)],
        "rewards": [[source.uniform(-1, 1) for _ in range(states)] for _ in range(actions)],
        "discount": 0.9,
        "cost": source.uniform(0.01, 0.5),
        "start": row(states),
    }


def python(code, **environment):
    """Runs code in a fresh interpreter; returns its result, with what it printed."""
    variables = {**os.environ, "PYTHONPATH": str(PYTHON), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        cwd="/",  # or the package here would come first
        env={key: value for key, value in variables.items() if value is not None},
    )
