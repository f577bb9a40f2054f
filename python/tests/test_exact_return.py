"""scripts/exact-return.py: what optimal plans earn without the discount."""

import os
import subprocess
import sys

from conftest import PYTHON, ROOT

# Worth the same with the discount, not without.
TIES = """\
discount: 0.5
values: reward
states: begin wait end
actions: now later
observations: running done
start: begin
T: now : * : end 1
T: later : begin : wait 1
T: later : wait : end 1
T: later : end : end 1
O: * : * : running 1
O: * : end : running 0
O: * : end : done 1
R: now : begin : * : * 1
R: * : wait : * : * 2
"""


def exact_return(*arguments, cwd=None):
    result = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "exact-return.py"), *arguments],
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    name, text = result.stdout.split(": ", 1)
    least, _, most = text.split(",")[0].split()
    return float(least), float(most)


def test_closed_forms():
    """One asks 1.25 times, or never; 0.9 is what strings of up to ten actions find in the lake."""
    assert exact_return("loss:c=0.1") == (0.875, 0.875)
    assert exact_return("loss:c=0.2") == (0.8, 0.8)
    assert exact_return("frozen-lake:kind=semi") == (0.9, 0.9)


def test_ties(tmp_path):
    (tmp_path / "ties.pomdp").write_text(TIES)
    assert exact_return("ties.pomdp", cwd=tmp_path) == (1, 2)


def test_risk_for_speed():
    """docs/SETTINGS.md: no plan that is optimal for a discount of 0.95 earns 0.3 there."""
    least, most = exact_return("frozen-lake:size=20,seed=1,gamma=0.95")
    assert 0.2767 < least <= most < 0.2768
