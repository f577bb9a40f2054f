"""Models as arrays of NumPy and sparse matrices of SciPy, which are imported only here and only when they are asked for.

The library's rows are in the form of SciPy's ``csr_matrix`` already; they are copied, because the model may be freed
before them.
"""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Sequence, Tuple

from ._library import TABLE_OBSERVATION, TABLE_TRANSITION, lib


def numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy (Debian: python3-numpy; elsewhere: pip install numpy)") from None
    return numpy


def _copied(pointer: Any, first: int, count: int, dtype: str) -> Any:
    """So many numbers, from the first one on."""
    np = numpy()
    if not count:
        return np.zeros(0, dtype)
    address = ctypes.addressof(pointer.contents) + first * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address), dtype).copy()


def _rows(model: Any, table: int, a: int) -> Tuple[Any, Any, Any]:
    """Values, columns and where each row begins."""
    rows = lib.model_rows(model, table, a)
    first = _copied(rows.first, 0, rows.count + 1, "uint64").astype("int64")
    begin, end = int(first[0]), int(first[-1])
    value = _copied(rows.value, begin, end - begin, "float64")
    return value, _copied(rows.index, begin, end - begin, "uint32").astype("int32"), first - begin


def _rewards(model: Any, states: int, actions: int) -> Any:
    return numpy().array([_copied(lib.model_rewards(model, a), 0, states, "float64") for a in range(actions)])


def sparse(model: Any, counts: Sequence[int]) -> Dict[str, Any]:
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise ImportError("sparse matrices need SciPy (Debian: python3-scipy; elsewhere: pip install scipy)") from None
    states, actions, symbols = counts

    def matrices(table: int, columns: int) -> List[Any]:
        return [csr_matrix(_rows(model, table, a), shape=(states, columns)) for a in range(actions)]

    return {
        "transitions": matrices(TABLE_TRANSITION, states),
        "observations": matrices(TABLE_OBSERVATION, symbols),
        "rewards": _rewards(model, states, actions),
    }


def dense(model: Any, counts: Sequence[int]) -> Dict[str, Any]:
    np = numpy()
    states, actions, symbols = counts

    def table(which: int, columns: int) -> Any:
        result = np.zeros((actions, states, columns))
        for a in range(actions):
            value, column, first = _rows(model, which, a)
            result[a, np.repeat(np.arange(states), np.diff(first)), column] = value
        return result

    return {
        "transitions": table(TABLE_TRANSITION, states),
        "observations": table(TABLE_OBSERVATION, symbols),
        "rewards": _rewards(model, states, actions),
    }
