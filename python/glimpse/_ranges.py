"""Bounds for people, as common/range.c writes them: only the digits that are certain, rounded outwards."""

from __future__ import annotations

import math
from typing import Callable

_DIGITS = 6


def plain(value: float) -> str:
    """A number with six digits behind the point; ``-`` where there is none."""
    if math.isnan(value):
        return "-"
    value = 0.0 if abs(value) < 5e-7 else value
    return f"{value:.6f}" if abs(value) < 1e9 else f"{value:.9e}"


def _rounded(value: float, width: float, off: Callable[[float], float]) -> str:
    if math.isnan(value) or math.isnan(width) or abs(value) >= 1e9:
        return plain(value)
    exact = not width > 1e-9 * (1 + abs(value))
    digits = _DIGITS if exact else 0
    while digits < _DIGITS and width * 10.0**digits < 10:
        digits += 1
    scale = 10.0**digits
    near = math.copysign(math.floor(abs(value * scale) + 0.5), value * scale)
    # What differs by rounding alone is that number.
    shown = near if abs(value * scale - near) < 1e-9 * max(1.0, abs(near)) else float(off(value * scale))
    text = f"{(near if exact else shown) / scale + 0.0:.{digits}f}"
    return text.rstrip("0").rstrip(".") if exact else text


def low(lower: float, upper: float) -> str:
    """The lower end of an interval."""
    return _rounded(lower, upper - lower, math.floor)


def high(lower: float, upper: float) -> str:
    """Its upper end."""
    return _rounded(upper, upper - lower, math.ceil)
