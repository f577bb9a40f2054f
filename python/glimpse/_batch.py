"""Many beliefs at once: a matrix with a row for each (NumPy's or SciPy's), or any sequence of what can be made a belief."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator, List

from ._build import summed
from ._library import STATE, Row, lib
from .belief import row_to_dict
from .errors import BadArgument
from .model import Model


def is_matrix(beliefs: Any) -> bool:
    return len(getattr(beliefs, "shape", ())) == 2


def rows(model: Model, beliefs: Any) -> Iterator[Row]:
    """The library's row of each belief; valid until the next one is asked for."""
    if is_matrix(beliefs):
        yield from _matrix_rows(model, beliefs)
        return
    for like in beliefs:
        with model.belief(like) as belief:
            yield lib.belief_row(belief._pointer)


def _matrix_rows(model: Model, beliefs: Any) -> Iterator[Row]:
    """Without a loop over states."""
    import numpy

    states = lib.model_count(model._pointer, STATE)
    if beliefs.shape[1] != states:
        raise BadArgument(f"beliefs must have {states} columns, one per state, not {beliefs.shape[1]}")
    if hasattr(beliefs, "tocsr"):
        matrix = summed(beliefs)
        row, column, value = matrix.row, matrix.col, matrix.data.astype(float)
    else:
        dense = numpy.asarray(beliefs, dtype=float)
        row, column = dense.nonzero()
        value = dense[row, column]
    count = beliefs.shape[0]
    sums = numpy.bincount(row, weights=value, minlength=count)
    if not numpy.isfinite(value).all() or (value < 0).any() or not (sums > 0).all():
        bad = [int(i) for i in numpy.unique(row[~numpy.isfinite(value) | (value < 0)])] or numpy.flatnonzero(sums <= 0)
        raise BadArgument(
            f"row {int(bad[0])} is not a distribution: weights must be finite, not negative, and not all zero"
        )
    index = numpy.ascontiguousarray(column, dtype="uint32")
    weights = numpy.ascontiguousarray(value / sums[row])
    first = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(row, minlength=count))]).tolist()
    integers, doubles = ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_double)
    at, of = index.ctypes.data, weights.ctypes.data
    for i in range(count):
        begin, n = first[i], first[i + 1] - first[i]
        yield Row(n, ctypes.cast(at + 4 * begin, integers), ctypes.cast(of + 8 * begin, doubles))


def collected(values: List[Any], beliefs: Any) -> Any:
    """A NumPy array for a matrix, a list for other sequences."""
    if not is_matrix(beliefs):
        return values
    import numpy

    return numpy.array(values, dtype=float)


def dense(model: Model, beliefs: Any) -> List[List[float]]:
    """Each belief as a list of probabilities."""
    states = lib.model_count(model._pointer, STATE)
    found = []
    for row in rows(model, beliefs):
        line = [0.0] * states
        for s, p in row_to_dict(row).items():
            line[s] = p
        found.append(line)
    return found
