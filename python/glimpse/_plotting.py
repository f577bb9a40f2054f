"""What pictures need: matplotlib and NumPy, which are imported only here and only when they are asked for."""

from __future__ import annotations

from typing import Any, Sequence

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#A0522D", "#7F7F7F")


def arrays(**columns: Sequence[float]) -> Any:
    """Each column as a NumPy array."""
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy (Debian: python3-numpy; elsewhere: pip install numpy)") from None
    return {name: numpy.array(column, dtype=float) for name, column in columns.items()}


def new_axes() -> Any:
    """The axes of a new figure."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError(
            "pictures need matplotlib (Debian: python3-matplotlib; elsewhere: pip install matplotlib)"
        ) from None
    return pyplot.subplots(layout="constrained")[1]
