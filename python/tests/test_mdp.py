"""Tables of MDPs: read as the program reads them."""

import json
import os
import random
import subprocess

import pytest

import glimpse
from glimpse import errors

from conftest import ROOT

CSV = """\
# discount: 0.95
# cost: 0.05
# start: begin
state,action,next,probability,reward
begin,on,plus,0.8,0
begin,on,minus,0.2,0
begin,back,begin,1,0
plus,on,end,1,1
plus,back,begin,1,0
minus,on,end,1,-1
minus,back,begin,1,0
"""
ROWS = {
    "discount": 0.95,
    "cost": 0.05,
    "start": "begin",
    "rows": [
        [a, b, c, float(p), float(r)] for a, b, c, p, r in (line.split(",") for line in CSV.splitlines()[4:])
    ],
}


def convert(path):
    """What the program makes of it: a text, or None where it refuses."""
    program = os.environ.get("GLIMPSE") or str(ROOT / "build" / "release" / "glimpse")
    if not os.path.isfile(program):
        pytest.skip("the program is not there: set GLIMPSE")
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    result = subprocess.run(
        [program, "convert", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    return result.stdout if result.returncode == 0 else None


def read(path, text):
    path.write_text(text)
    return glimpse.Model.read(path)


def test_the_same_model_in_every_form(tmp_path):
    model = read(tmp_path / "a.csv", CSV)
    assert model.states == ("begin", "plus", "minus", "end") and model.observations == ("running", "done")
    assert model.terminal("end") and model.cost == 0.05 and model.start == {0: 1.0}
    assert read(tmp_path / "a.json", json.dumps(ROWS)).to_text() == model.to_text() == convert(tmp_path / "a.csv")
    quoted = CSV.replace("begin,on,plus", ' "begin" ,"on", "plus"').replace("\n", "\r\n")
    assert read(tmp_path / "b.csv", quoted).to_text() == model.to_text()
    assert glimpse.load(str(tmp_path / "a.csv")).to_text() == model.to_text()
    # By hand: on, then ask; go on where that pays 1, with .8, and otherwise back, which costs two steps.
    value = 0.95 * (0.8 - 0.05) / (1 - 0.95**2 * 0.2)
    assert glimpse.Planner(model).plan(epsilon=1e-9).lower == pytest.approx(value, abs=1e-6)


def test_learned_models(tmp_path):
    table = {
        "P": {"0": {"0": {"1": 0.5, "2": 0.5}, "1": {"0": 1.0}}, "1": {"0": {"2": 1.0}, "1": {"1": 1.0}}},
        "R": {"0": {"0": {"2": 2.0}}},
        "StateSize": 3,
        "MeasureCost": -0.1,
        "s_init": 1,
        "discount": 0.9,
    }
    model = read(tmp_path / "m.json", json.dumps(table))
    assert model.cost == 0.1 and model.start == {1: 1.0} and model.terminal(2)
    assert model.reward(0, 0) == 1.0 and model.to_text() == convert(tmp_path / "m.json")


@pytest.mark.parametrize(
    "old, new, text",
    [
        ("0.8", "most", r"a.csv:5: expected a probability, found 'most'"),
        ("0.8", "1e999", "expected a probability"),
        ("0.8", "0.7", "sums to 0.9"),
        ("plus,back", "plus,on", "was given before|were given before|sums to 2"),
        ("next,", "then,", "next is missing"),
        ("start: begin", "start: nowhere", "no state 'nowhere'"),
        ("discount: 0.95", "discount: 2", "discount 2"),
        ("begin,on,plus", '"begin,on,plus', "quote"),
        ("begin,on,plus", ",on,plus", "found nothing"),
        ("plus,on,end,1,1", "plus,on", "expected 5 columns, found 2"),
        (CSV, "", "no row"),
        (CSV, "state,action,next,probability\n0,0,9999,1\n", "too large for a table"),
        (CSV, "state,action,next,probability\n0,0,x,1\n", "whole number like the first one"),
    ],
)
def test_wrong_tables(tmp_path, old, new, text):
    with pytest.raises(ValueError, match=text):
        read(tmp_path / "a.csv", CSV.replace(old, new, 1))
    assert convert(tmp_path / "a.csv") is None


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 3}, {"rows": [[1, 2]]}, {"rows": [["a", "b", "c", 2]]}, {"rows": [["a", "b", "c", True]]},
        {"rows": [[None, "b", "c", 1]]}, {"start": "x"}, {"discount": "much"}, {"cost": -1}, {"rows": []},
    ],
)
def test_wrong_json(tmp_path, change):
    with pytest.raises(ValueError):
        read(tmp_path / "a.json", json.dumps({**ROWS, **change}))
    assert convert(tmp_path / "a.json") is None
    for text in ("{", "[]", '{"rows": [], "rows": []}', "{}", "\0", "[" * 100000):
        with pytest.raises(ValueError):
            read(tmp_path / "a.json", text)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(errors.CannotRead, match="No such file"):
        glimpse.Model.read(tmp_path / "none.csv")


def test_random_changes_are_taken_as_by_the_program(tmp_path):
    """What is changed at random is read by both, as the same model, or by neither."""
    seed = 11
    source, taken = random.Random(seed), 0
    for i in range(60):
        text = list(CSV)
        for _ in range(source.randint(1, 3)):
            at = source.randrange(len(text))
            text[at] = source.choice([",", "\n", "0", "1", "x", "", '"', "#", " ", "."])
        try:
            made = read(tmp_path / "a.csv", "".join(text)).to_text()
        except ValueError:
            made = None
        assert made == convert(tmp_path / "a.csv"), (seed, i, "".join(text))
        taken += made is not None
    assert 5 < taken < 55
