"""Why a decision was made: word by word what the program says, and what follows from the bounds."""

import math
import re

import pytest

import glimpse
from glimpse import _ranges
from glimpse.reasons import RULES

from conftest import MACHINE, ROOT

MODELS = {
    "machine": MACHINE,
    "never": MACHINE.replace("# glimpse: cost 0.5\n", ""),
    "dear": MACHINE.replace("cost 0.5", "cost 7"),
    "by-state": MACHINE.replace("cost 0.5", "cost good 0.25\n# glimpse: cost worn 1"),
    "tiger": None,
    "toy": None,
    "robot-delivery:n=2": None,
    "maintenance": None,
    "battery-robot": None,
    "frozen-lake:timing=joint": None,
}
SETTINGS = [
    {"expansions": 1},
    {"expansions": 10},
    {"expansions": 300},
    {"kind": "aems-sr", "expansions": 40},
    {"kind": "pomcp", "expansions": 200, "seed": 3},
    {"kind": "never-ask"},
    {"kind": "always-ask"},
    {"kind": "ask-every", "every": 2},
    {"kind": "ask-entropy", "entropy": 0.25},
    {"kind": "act-then-measure"},
    {"kind": "spi"},
    {"kind": "never-ask", "act": "qmdp"},
]


def options(settings):
    words = []
    for name, value in settings.items():
        words += ["--planner" if name == "kind" else f"--{name}", str(value)]
    return words


def said(text):
    """Of what the program prints: the decision, why, and what asking is worth."""
    made, why, asking = re.search(r"\nDecision: (.*)\n((?:.+\n)+)\n((?:.+\n)+)", text).groups()
    return made, " ".join(why.split()), " ".join(asking.split())


def explained(model, settings, belief):
    budget = {"expansions": settings["expansions"]} if "expansions" in settings else {}
    rest = {name: value for name, value in settings.items() if name != "expansions"}
    if model.planning is model:
        planner = glimpse.Planner(model, rest.pop("kind", "aems-loop"), **rest)
        planner.begin(belief)
        planner.plan(**budget)
        return planner.explain()
    agent = glimpse.Agent(model, rest.pop("kind", "aems-loop"), **rest)
    agent.begin(belief)
    agent.decide(**budget)
    return agent.explain()


@pytest.mark.parametrize("name", MODELS)
def test_the_words_are_those_of_the_program(name, command, tmp_path):
    text = MODELS[name]
    model = glimpse.load(name) if text is None else glimpse.Model.parse(text)
    path = tmp_path / "it.pomdp"
    model.write(path)
    first, last = model.states[0], model.states[-1]
    compared = 0
    for settings in SETTINGS:
        for belief in (None, {first: 1.0}, {first: 0.75, last: 0.25}):
            words = [] if belief is None else ["--belief", ",".join(f"{s}={p}" for s, p in belief.items())]
            result = command("explain", path, *options(settings), *words)
            if result.returncode:  # a planner that does not fit the model
                with pytest.raises(glimpse.Error):
                    explained(model, settings, belief)
                continue
            reasons = explained(model, settings, belief)
            assert (reasons.choice, reasons.why, reasons.asking) == said(result.stdout), (settings, belief)
            compared += 1
    assert compared >= 20


def test_a_policy_is_explained_likewise(command, tmp_path, tiger):
    policy = glimpse.Policy.solve(tiger, name="tiger")
    policy.write(tmp_path / "it.policy")
    for belief, words in ((None, []), ("tiger-left", ["--belief", "tiger-left"])):
        planner = glimpse.Planner(tiger, "policy", policy=policy)
        planner.begin(belief)
        planner.plan()
        reasons = planner.explain()
        result = command("explain", "tiger", "--planner", "policy", "--policy", tmp_path / "it.policy", *words)
        assert (reasons.choice, reasons.why, reasons.asking) == said(result.stdout)


def test_numbers_are_the_programs(program, machine, tmp_path):
    machine.write(tmp_path / "it.pomdp")
    planner = glimpse.Planner(machine)
    planner.begin({"good": 0.6, "worn": 0.4})
    planner.plan(expansions=25)
    reasons = planner.explain()
    printed = program("explain", tmp_path / "it.pomdp", "--expansions", "25", "--belief", "good=0.6,worn=0.4")
    for field in ("certain", "gain_least", "gain_most"):
        assert getattr(reasons, field) == printed[field]


def test_rules_are_those_of_the_header():
    header = (ROOT / "include" / "glimpse.h").read_text()
    table = re.search(r"#define GLIMPSE_PLANNER_TABLE\(X\)(.*?[^\\])\n", header, re.S).group(1)
    rows = dict(re.findall(r'"([a-z-]+)",[\s\\]*"baseline without search: (.*?)"', table))
    assert {kind: rows[kind] for kind in RULES} == RULES
    assert set(rows) - set(RULES) == {"ask-every", "ask-entropy"}


def test_what_is_rounded_is_rounded_outwards():
    assert (_ranges.low(1.23456789, 1.24), _ranges.high(1.23456789, 1.2401)) == ("1.2345", "1.2401")
    assert (_ranges.low(-3.5, 100), _ranges.high(-3.5, 99.2)) == ("-4", "100")
    assert _ranges.low(2.0, 2.0) == "2" and _ranges.high(0.1 + 0.2, 0.3) == "0.3"
    assert _ranges.low(-1e-12, -1e-12) in ("0", "-0") and _ranges.plain(math.nan) == "-"
    assert _ranges.low(2e9, 3e9) == "2.000000000e+09"
