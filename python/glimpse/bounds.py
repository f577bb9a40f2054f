"""Bounds on the optimal value, computed before any search."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import _batch
from ._library import BoundOptions, lib
from ._native import Native, Report, choice, count, limit, renamed, word_today
from .belief import BeliefLike
from .model import Model

_INFO: List[Any] = []
while True:
    _pointer = lib.bound_get(len(_INFO))
    if not _pointer:
        break
    _INFO.append(_pointer.contents)

#: The kinds of bounds: ``blind``, ``always-ask``, ``qmdp``, ``fib``, ``fib-sr``, ``tib``, ``tib-sr``, ``sequence``.
BOUNDS: List[str] = [info.key.decode() for info in _INFO]


def _options(
    tolerance: float,
    max_iterations: int,
    max_time: float,
    threads: int,
    effort: float,
    max_seconds: Optional[float],
) -> BoundOptions:
    if max_seconds is not None:
        max_time = renamed("max_seconds", max_seconds, "max_time")
    return BoundOptions(
        limit(tolerance, "tolerance"),
        count(max_iterations, "max_iterations", 64),
        limit(max_time, "max_time"),
        count(threads, "threads"),
        limit(effort, "effort"),
    )


class Bound(Native):
    """A bound on the optimal value of a model: vectors over its states, whose largest product with a belief
    bounds the value there. Valid at whatever moment its iteration was stopped.

    :param kind: ``"blind"``, ``"always-ask"`` and ``"sequence"`` are lower bounds, ``"qmdp"``, ``"fib"`` and
        ``"tib"`` (only without requests), ``"fib-sr"`` and ``"tib-sr"`` upper ones.
    :param tolerance: the iteration stops when its residual is not above it; 0: 1e-9.
    :param max_iterations: 0: a million; ``max_time`` in seconds, 0: no limit.
    :param threads: 0: the cores; results do not depend on it.
    :param effort: of ``tib``, ``tib-sr`` and ``sequence``: work in multiples of what the bounds took that they
        start from; 0: 20.

    ``bound(belief)`` is the bound at a belief; ``tib``, ``tib-sr`` and ``sequence`` are there at least as good as
    their vectors.
    """

    kind: str  #: the key
    side: str  #: ``"lower"`` or ``"upper"``
    text: str  #: what it means
    converged: bool  #: was the tolerance reached?
    iterations: int
    residual: float
    error: float  #: how far the vectors may be from their fixed point
    seconds: float

    def __init__(
        self,
        model: Model,
        kind: str,
        *,
        tolerance: float = 0.0,
        max_iterations: int = 0,
        max_time: float = 0.0,
        threads: int = 0,
        effort: float = 0.0,
        max_seconds: Optional[float] = None,
    ) -> None:
        number = choice(kind, BOUNDS, "bound")
        options = _options(tolerance, max_iterations, max_time, threads, effort, max_seconds)
        use = model._use()
        pointer = ctypes.c_void_p()
        with Report() as report:
            report.check(
                lib.bound_new(
                    model._pointer, number, ctypes.byref(options), report.pointer, ctypes.byref(pointer)
                )
            )
        assert pointer.value
        self.model = model
        self._adopt(pointer.value, lib.bound_free, [model._pointer], keep=use)
        self.kind = BOUNDS[number]
        self.side = "lower" if _INFO[number].side < 0 else "upper"
        self.text = _INFO[number].text.decode()
        result = lib.bound_measure(self._pointer)
        self.converged = bool(result.converged)
        self.iterations = result.iterations
        self.residual = result.residual
        self.error = result.error
        self.seconds = result.seconds
        self._vectors = result.vectors

    def __call__(self, belief: BeliefLike = None) -> float:
        """The bound at a belief; default: at the start."""
        with self.model.belief(belief) as b:
            return float(lib.bound_value(self._pointer, lib.belief_row(b._pointer)))

    def evaluate(self, beliefs: Any) -> Any:
        """The bound at many beliefs: the rows of a matrix (NumPy or SciPy; the result is an array), or any sequence
        of beliefs (a list)."""
        pointer = self._pointer
        values = [float(lib.bound_value(pointer, row)) for row in _batch.rows(self.model, beliefs)]
        return _batch.collected(values, beliefs)

    def __iter__(self) -> Iterator[List[float]]:
        """Its vectors."""
        return iter(self.vectors())

    def vectors(self) -> List[List[float]]:
        """The vectors: one per action and, for ``fib-sr``, ``tib-sr`` and for ``qmdp`` with requests, one more
        for asking; ``always-ask`` has one, and with inquiries some for each;
        ``sequence`` up to 128."""
        pointer = self._pointer
        states = range(len(self.model.states))  # of a model with inquiries or limits: where nothing was asked yet
        return [[lib.bound_entry(pointer, k, s) for s in states] for k in range(self._vectors)]

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<glimpse.Bound {self.kind} ({self.side}) of {self.model.source}{state}>"


def applies(kind: str, model: Model) -> bool:
    """Is a kind of bound valid for the model?"""
    return bool(lib.bound_applies(choice(kind, BOUNDS, "bound"), model._pointer))


class _Bounds(Dict[str, Bound]):
    """Finds bounds by old spellings of their keys, too."""

    def __missing__(self, key: str) -> Bound:
        today = word_today("bound", key)
        if today == key:
            raise KeyError(key)
        return self[today]


def bounds(model: Model, **options: Any) -> Dict[str, Bound]:
    """All bounds that apply to the model, by their keys; the options are those of :class:`Bound`."""
    return _Bounds((kind, Bound(model, kind, **options)) for kind in BOUNDS if applies(kind, model))


class OfflineBounds(Native):
    """The bounds that planners start from: an upper bound and ``tib-sr`` (or ``tib``), blind, with requests
    always-ask, and sequence. They are computed once, and any number of planners in any number of threads may
    share them.

    :param upper: ``"fib-sr"``, ``"fib"`` or ``"qmdp"``; default: the tightest of these that is valid.
    :param max_time: for all of them together; the other options are those of :class:`Bound`.

    ``offline(belief)`` is the best lower and the best upper bound at a belief.
    """

    def __init__(
        self,
        model: Model,
        upper: Optional[str] = None,
        *,
        tolerance: float = 0.0,
        max_iterations: int = 0,
        max_time: float = 0.0,
        threads: int = 0,
        effort: float = 0.0,
        max_seconds: Optional[float] = None,
    ) -> None:
        use = model._use()
        if upper is None:
            number = lib.offline_upper(model._pointer)
        else:
            number = choice(upper, BOUNDS, "upper")
        options = _options(tolerance, max_iterations, max_time, threads, effort, max_seconds)
        pointer = ctypes.c_void_p()
        with Report() as report:
            report.check(
                lib.offline_new(
                    model._pointer, number, ctypes.byref(options), report.pointer, ctypes.byref(pointer)
                )
            )
        assert pointer.value
        self.model = model
        self.upper = BOUNDS[number]  #: the key of the upper bound
        self._adopt(pointer.value, lib.offline_free, [model._pointer], keep=use)

    def __call__(self, belief: BeliefLike = None) -> Tuple[float, float]:
        """The best lower and the best upper bound at a belief; default: at the start."""
        lower, upper = ctypes.c_double(), ctypes.c_double()
        with self.model.belief(belief) as b:
            row = lib.belief_row(b._pointer)
            lib.offline_value(self._pointer, row, ctypes.byref(lower), ctypes.byref(upper))
        return lower.value, upper.value

    def evaluate(self, beliefs: Any) -> Tuple[Any, Any]:
        """Lower and upper bounds at many beliefs, as :meth:`Bound.evaluate`."""
        pointer, lower, upper = self._pointer, ctypes.c_double(), ctypes.c_double()
        lows, highs = [], []
        for row in _batch.rows(self.model, beliefs):
            lib.offline_value(pointer, row, ctypes.byref(lower), ctypes.byref(upper))
            lows.append(lower.value)
            highs.append(upper.value)
        return _batch.collected(lows, beliefs), _batch.collected(highs, beliefs)

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<glimpse.OfflineBounds {self.upper} of {self.model.source}{state}>"
