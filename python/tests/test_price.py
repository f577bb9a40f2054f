"""What a request is worth."""

import math

import pytest

import glimpse
from glimpse import errors


def test_the_values_are_those_of_the_program(program):
    told = program("price", "robot-delivery:n=2", "--expansions", "50", "--points", "6")
    curve = glimpse.PriceCurve(glimpse.load("robot-delivery:n=2"), expansions=50, points=6)
    assert curve.even == (told["break_even_low"], told["break_even_high"])
    assert curve.always == (told["always_low"], told["always_high"])
    assert curve.off == (told["off_lower"], told["off_upper"])
    assert curve.never == told["never"] and curve.complete == told["complete"] and not curve.factor
    assert len(curve.points) == len(told["points"])
    for point, other in zip(curve.points, told["points"]):
        assert point.price == other["price"] and point.expansions == other["expansions"]
        assert point.value == (other["lower"], other["upper"])
        assert point.requests == (other["requests_lower"], other["requests_upper"])
        assert point.gross == (other["return_lower"], other["return_upper"])
        assert point.ask == other["ask"] and point.action == other["action"]


def test_tiger(tiger):
    """It asks before each action, or never."""
    curve = glimpse.PriceCurve(tiger, expansions=1000)
    assert curve.own == 1
    assert curve.even.low == pytest.approx(10 - 19.371368 / 20, abs=1e-4)
    assert curve.even.high == pytest.approx(10 - 19.371368 / 20, abs=1e-4)
    value, requests, gross = curve.at(4)
    assert value.low <= 120 <= value.high and value.high - value.low < 1e-3
    assert requests.low <= 20 + 1e-9 and requests.high >= 20 - 1e-9
    assert gross.low - 1e-9 <= 200 <= gross.high + 1e-9
    assert curve.points[0].ask and curve.points[0].action is None
    assert curve.points[-1].action == "listen" and not curve.points[-1].searched
    assert math.isnan(curve.at(-1).value.low)
    assert "break-even 9.03" in repr(curve)
    curve.close()
    with pytest.raises(errors.Closed):
        curve.at(1)
    assert "closed" in repr(curve)


def test_prices_of_states_are_factors():
    curve = glimpse.PriceCurve(glimpse.load("toy"), expansions=100)
    assert curve.factor and curve.own == 1
    assert curve.even.low == pytest.approx(2, abs=1e-4)


def test_no_requests(tiger):
    tiger.cost = 0
    curve = glimpse.PriceCurve(tiger, expansions=10, max_price=4)
    assert curve.own is None and curve.points[-1].price == 4


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": 1},
        {"points": 501},
        {"points": -1},
        {"max_price": -1},
        {"negligible": -1},
        {"max_price": math.inf},
        {"time": 0},
        {"expansions": 0},
    ],
)
def test_what_is_refused(tiger, wrong):
    with pytest.raises(errors.BadArgument):
        glimpse.PriceCurve(tiger, **wrong)


def test_a_discount_of_one(tiger):
    tiger.discount = 1
    with pytest.raises(errors.NotApplicable):
        glimpse.PriceCurve(tiger, expansions=10)
