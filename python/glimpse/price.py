"""What a request is worth: the value at the start over the price of asking."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, List, NamedTuple, Optional

from . import _library as native
from . import _plotting
from ._labels import hinting
from ._library import ANY, PriceOptions, lib
from ._native import Native, Report, count, interruptible, limit, number
from .belief import Label
from .model import Model
from .options import Budget


class Interval(NamedTuple):
    """Some number from ``low`` to ``high``; the ends may be infinite."""

    low: float
    high: float

    @classmethod
    def _of(cls, interval: native.Interval) -> "Interval":
        return cls(interval.low, interval.high)


class Worth(NamedTuple):
    """What is known at a price, of every plan that is best there."""

    value: Interval
    requests: Interval  #: expected discounted requests; where prices are factors: what they cost at the factor 1
    gross: Interval  #: expected discounted return before requests are paid


@dataclass(frozen=True)
class PricePoint:
    """A price that was looked at."""

    price: float
    value: Interval
    requests: Interval  #: as in :class:`Worth`
    gross: Interval  #: likewise
    always: Interval  #: the value of the best plan that asks whenever the state is not certain
    ask: bool  #: does the search ask first?
    action: Optional[Label]  #: otherwise it does this
    certain: bool  #: no other first choice can be better
    searched: bool  #: false: the value is that without requests, by proof
    expansions: int
    seconds: float
    inquiry: Optional[str] = None  #: in a model with inquiries: what it asks first, or asks with the action


class PriceCurve(Native):
    """Bounds on the value at the start over the price of a request.

    The value is convex in the price and never rises; its slope is minus the expected discounted number of
    requests. So bounds at a few prices, chosen where least is known, give bounds at all of them.

    :param time, expansions, epsilon: budget of the search at each price, as in :class:`Budget`.
    :param points: most prices that are searched, from 2 to 500; 0: 16.
    :param inquiry: whose price it is in a model with inquiries; ``None``: the only one.
    :param max_price: end of the axis; 0: where asking never pays.
    :param negligible: a gain up to this does not count as one; 0: by the widths of the intervals.
    :param max_memory: limit of the memory of each search; 0: 1 GiB.

    ``curve.points`` are the prices, ``curve.at(price)`` is what is known at any. Ctrl-C raises
    ``KeyboardInterrupt``.
    """

    points: List[PricePoint]  #: by ascending price
    factor: bool  #: prices depend on the state: the axis is a factor of them
    own: Optional[float]  #: the price of the model; ``None``: its requests are off
    negligible: float  #: that was used
    off: Interval  #: the value without requests
    free: Interval  #: the value at price 0
    even: Interval  #: break-even price: below, requests gain more than ``negligible`` at the start; above, at most that
    always: Interval  #: up to here asking whenever the state is not certain is within ``negligible`` of the best
    never: float  #: from this price on no request pays, whatever the belief
    complete: bool  #: no other price was worth a search

    @hinting
    def __init__(
        self,
        model: Model,
        *,
        time: Optional[float] = None,
        expansions: Optional[int] = None,
        epsilon: Optional[float] = None,
        points: int = 0,
        max_price: float = 0.0,
        negligible: float = 0.0,
        max_memory: int = 0,
        inquiry: Optional[str] = None,
    ) -> None:
        flag = ctypes.c_int(0)
        options = PriceOptions(
            Budget(time, expansions, epsilon)._native(flag),
            count(points, "points"),
            limit(max_price, "max_price"),
            limit(negligible, "negligible"),
            count(max_memory, "max_memory", 64),
            inquiry=None if inquiry is None else inquiry.encode(),
        )
        model._use()
        pointer = ctypes.c_void_p()
        with Report() as report:
            status, interrupt = interruptible(
                lambda: lib.price_curve_new(
                    model._pointer, ctypes.byref(options), report.pointer, ctypes.byref(pointer)
                ),
                flag,
                False,
            )
            if interrupt is not None:
                if pointer.value:
                    lib.price_curve_free(pointer)
                raise interrupt
            report.check(status)
        assert pointer.value
        self.model = model
        self._adopt(pointer.value, lib.price_curve_free, [])
        summary = lib.price_curve_measure(self._pointer)
        self.points = [self._point(i) for i in range(summary.points)]
        self.factor = bool(summary.factor)
        self.own = None if summary.own != summary.own else summary.own
        self.negligible = summary.negligible
        self.off = Interval._of(summary.off)
        self.free = Interval._of(summary.free)
        self.even = Interval._of(summary.even)
        self.always = Interval._of(summary.always)
        self.never = summary.never
        self.complete = bool(summary.complete)

    def _point(self, i: int) -> PricePoint:
        point = lib.price_curve_point(self._pointer, i).contents
        action = None if point.action == ANY else self.model.actions[point.action]
        return PricePoint(
            point.price,
            Interval._of(point.value),
            Interval._of(point.requests),
            Interval._of(point.gross),
            Interval._of(point.always),
            bool(point.ask),
            action,
            bool(point.certain),
            bool(point.searched),
            point.expansions,
            point.seconds,
            None if point.inquiry == ANY else self.model.inquiries[point.inquiry].name,
        )

    def at(self, price: float) -> Worth:
        """What is known at a price, whether it was searched or not; NaN below 0."""
        worth = lib.price_curve_at(self._pointer, number(price, "price"))
        return Worth(Interval._of(worth.value), Interval._of(worth.requests), Interval._of(worth.gross))

    def arrays(self) -> Any:
        """The points as NumPy arrays, by name: ``price``, and ``lower`` and ``upper`` ends of ``value``, ``requests``
        and ``gross``."""
        columns = {"price": [point.price for point in self.points]}
        for name in ("value", "requests", "gross"):
            columns[f"{name}_lower"] = [getattr(point, name).low for point in self.points]
            columns[f"{name}_upper"] = [getattr(point, name).high for point in self.points]
        return _plotting.arrays(**columns)

    def plot(self, axes: Any = None, points: int = 200) -> Any:
        """Draws the value over the price with matplotlib, on ``axes`` or in a new figure, and returns the axes: what is
        known at ``points`` prices, the prices that were searched, the value without requests and the break-even price."""
        axes = _plotting.new_axes() if axes is None else axes
        last = self.points[-1].price
        prices = sorted({last * i / (points - 1) for i in range(points)} | {point.price for point in self.points})
        worth = [self.at(price).value for price in prices]
        axes.fill_between(
            prices, [w.low for w in worth], [w.high for w in worth], color="#56B4E9", alpha=0.6, label="value"
        )
        searched = [point for point in self.points if point.searched]
        middle = [(point.value.low + point.value.high) / 2 for point in searched]
        axes.plot([point.price for point in searched], middle, "o", markersize=4, color="#0072B2", label="searched")
        for i in range(2):  # of each interval both ends
            style = {"linestyle": "--", "linewidth": 1}
            axes.axhline(self.off[i], color="0.5", label=None if i else "without requests", **style)
            if self.even[i] <= last:
                axes.axvline(self.even[i], color="#D55E00", label=None if i else "break-even price", **style)
        axes.set_xlim(0, last)
        axes.set_xlabel("factor of the prices" if self.factor else "price of a request")
        axes.set_ylabel("value at the start")
        axes.legend(frameon=False)
        return axes

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        low, high = self.even
        return f"<glimpse.PriceCurve of {self.model.source}: break-even {low:.6g} to {high:.6g}{state}>"
