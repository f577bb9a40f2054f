"""Bounds on the value."""

import random

import pytest

import glimpse
from glimpse import errors

from conftest import random_tables


def test_the_values_are_those_of_the_program(program):
    told = program("bounds", "robot-delivery")
    found = glimpse.bounds(glimpse.load("robot-delivery"))
    assert set(found) == {"blind", "always-ask", "qmdp", "fib-sr", "tib-sr", "sequence"}
    for kind, bound in found.items():
        assert bound() == told[kind] and bound.kind == kind and bound.converged
        assert bound.side == ("lower" if kind in ("blind", "always-ask", "sequence") else "upper")


def test_known_values(tiger):
    """Asking and then opening the right door pays 10 - 1 at every step."""
    assert glimpse.Bound(tiger, "always-ask")() == pytest.approx(9 / 0.05)
    assert glimpse.Bound(tiger, "blind")() == pytest.approx(-1 / 0.05)
    assert glimpse.Bound(tiger, "fib-sr")("tiger-left") >= 180


def test_the_bound_is_the_largest_product():
    for seed in range(5):
        model = glimpse.Model.from_arrays(**random_tables(seed))
        weights = [random.Random(seed).random() for _ in model.states]
        belief = [w / sum(weights) for w in weights]
        for kind, bound in glimpse.bounds(model, threads=1).items():
            vectors = bound.vectors()
            counts = {"blind": 3, "always-ask": 1, "qmdp": 4, "fib-sr": 4, "tib-sr": 4}
            assert len(vectors) == counts[kind] if kind in counts else len(vectors) <= 32
            product = max(sum(b * x for b, x in zip(belief, vector)) for vector in vectors)
            if kind == "tib-sr":
                assert bound(belief) <= product + 1e-12, seed
            elif kind == "sequence":
                assert bound(belief) >= product - 1e-12, seed
            else:
                assert bound(belief) == pytest.approx(product, abs=1e-12), seed


def test_upper_bounds_are_above_lower_ones():
    for seed in range(10):
        model = glimpse.Model.from_arrays(**random_tables(seed))
        values = {kind: bound() for kind, bound in glimpse.bounds(model).items()}
        lower = max(values["blind"], values["always-ask"])
        assert lower <= values["sequence"] <= values["tib-sr"] <= values["fib-sr"] <= values["qmdp"] + 1e-9, seed


def test_the_offline_bounds_are_the_best_of_all(machine):
    with glimpse.OfflineBounds(machine) as offline:
        lower, upper = offline()
        assert glimpse.Bound(machine, "always-ask")() <= lower <= upper <= glimpse.Bound(machine, "fib-sr")()
        decision = glimpse.Planner(machine, "never-ask", offline=offline).plan()
        assert (decision.offline_lower, decision.offline_upper) == (lower, upper)


def test_options(machine):
    short = glimpse.Bound(machine, "qmdp", max_iterations=1)
    assert short.iterations == 1 and not short.converged
    assert short() >= glimpse.Bound(machine, "qmdp")()


def test_what_is_refused(machine):
    with pytest.raises(errors.NotApplicable, match="use fib-sr"):
        glimpse.Bound(machine, "fib")
    assert not glimpse.applies("fib", machine) and glimpse.applies("qmdp", machine)
    with pytest.raises(errors.BadArgument, match="there is blind, always-ask"):
        glimpse.Bound(machine, "best")
    with pytest.raises(errors.BadArgument, match="upper bound"):
        glimpse.OfflineBounds(machine, "blind")
    for wrong in ({"tolerance": -1}, {"max_iterations": -1}, {"max_iterations": 2**64}, {"threads": 2**32}):
        with pytest.raises(errors.BadArgument):
            glimpse.Bound(machine, "qmdp", **wrong)
    with pytest.raises(TypeError, match="whole number"):
        glimpse.Bound(machine, "qmdp", max_iterations=1.5)
    machine.cost = 0
    assert glimpse.OfflineBounds(machine).upper == "fib"
