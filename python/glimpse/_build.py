"""Models from tables and from functions, through the library's builder.

The builder is the gate that checks every model. What is refused here already is what only Python
can see: wrong shapes, unknown labels. Errors say where in the caller's data they are.
"""

from __future__ import annotations

import inspect
import re
from array import array
from bisect import bisect_left, bisect_right
from typing import Any, Callable, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import ctypes

from . import _arrays
from ._labels import Labels, nearest
from ._library import ACTION, ANY, OBSERVATION, STATE, TABLE_OBSERVATION, TABLE_REWARD, TABLE_TRANSITION, lib
from ._native import Report, number
from .errors import STATUSES, BadArgument, BadModel, Error, Message, TooLarge

Made = Tuple[int, List[Message], List[Optional[Tuple[Hashable, ...]]]]
_KINDS = ("state", "action", "observation")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


class Builder:
    """The library's builder; use as a context manager."""

    def __init__(self, counts: Sequence[int]) -> None:
        for kind, n in enumerate(counts):
            if n < 1:
                raise BadModel(f"a model needs at least one {_KINDS[kind]}")
        self.pointer = None
        if max(counts) < 2**32:
            self.pointer = lib.builder_new(*counts)
        if not self.pointer:
            raise TooLarge("{} states, {} actions, {} observations: that is too large".format(*counts))

    def __enter__(self) -> "Builder":
        return self

    def __exit__(self, *_: Any) -> None:
        lib.builder_free(self.pointer)

    def put(self, place: Callable[[], str], function: Callable[..., int], *arguments: Any) -> None:
        """One assignment; ``place`` says where its value comes from."""
        status = function(self.pointer, *arguments)
        if status:
            try:
                self.finish()
            except Error as error:
                raise STATUSES.get(status, Error)(f"{place()}: {error}", error.messages) from None

    def entries(self, table: int, a: int, matrix: "Entries", place: Callable[[int, int], str]) -> None:
        """All entries of an action; ``place`` says where that of a row and a column comes from."""
        refused = ctypes.c_size_t()
        status = lib.builder_entries(
            self.pointer, table, a, matrix.count, *matrix.pointers(), ctypes.byref(refused)
        )
        if status:
            i = refused.value
            column = ANY if matrix.column is None else int(matrix.column[i])
            self.put(lambda: place(int(matrix.row[i]), column), lambda _: int(status))

    def finish(self) -> Tuple[int, List[Message]]:
        pointer = ctypes.c_void_p()
        with Report() as report:
            messages = report.check(lib.builder_finish(self.pointer, report.pointer, ctypes.byref(pointer)))
        assert pointer.value
        return pointer.value, messages

    def label(self, kind: int, labels: Sequence[Hashable]) -> None:
        """Names for messages and files; labels that are no names are made ones where that is possible."""
        if all(isinstance(label, int) and label == i for i, label in enumerate(labels)):
            return
        names = [name_of(_KINDS[kind][0], label) for label in labels]
        if len(set(names)) < len(names):
            return
        for i, name in enumerate(names):
            self.put(lambda: f"{_KINDS[kind]} {labels[i]!r}", lib.builder_name, kind, i, name.encode())

    def costs(self, costs: Iterable[Tuple[int, float]]) -> None:
        for s, c in costs:
            self.put(lambda: "cost" if s == ANY else f"cost of state {s}", lib.builder_cost, s, c)


def name_of(letter: str, label: Hashable, exact: bool = False) -> str:
    """A name for files and messages that is like the label; with ``exact`` none, ``""``, where the label is no name."""
    text = str(getattr(label, "name", label))
    if _NAME.match(text):
        return text
    return "" if exact else letter + re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def check_labels(kind: int, labels: Sequence[Hashable]) -> Tuple[Hashable, ...]:
    return Labels(_KINDS[kind], labels).values


# --------------------------------------------------------------------- tables


def _shape(value: Any) -> Tuple[int, ...]:
    """Of an array, or of nested sequences by their first elements; rows that are mappings have -1."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return tuple(shape)
    if isinstance(value, Mapping):
        return (-1,)
    if not hasattr(value, "__len__") or isinstance(value, str):
        return ()
    return (len(value),) + (_shape(value[0]) if len(value) else (0,))


def _row(row: Any, columns: int, name: str) -> Iterator[Tuple[int, float]]:
    if isinstance(row, Mapping):
        for j, value in row.items():
            if isinstance(j, bool) or not hasattr(j, "__index__") or not 0 <= int(j) < columns:
                raise BadArgument(f"{name} has an entry at {j!r}: columns are 0 to {columns - 1}")
            yield int(j), number(value, name)
        return
    if not hasattr(row, "__len__") or len(row) != columns:
        size = len(row) if hasattr(row, "__len__") else repr(row)
        raise BadArgument(f"{name} must have {columns} entries, not {size}")
    for j, value in enumerate(row):
        value = number(value, name)
        if value != 0:
            yield j, value


class Entries:
    """Rows, columns and values of the entries of a matrix that are not zero, as arrays of the library's types."""

    def __init__(self, row: Any, column: Any, value: Any) -> None:
        self.row, self.column, self.value = row, column, value
        self.count = len(value)

    def pointers(self) -> List[Any]:
        kinds: Tuple[Any, ...] = (ctypes.c_uint32, ctypes.c_uint32, ctypes.c_double)
        return [
            (kind * self.count).from_buffer(part) if self.count and part is not None else None
            for kind, part in zip(kinds, (self.row, self.column, self.value))
        ]


def _matrix(matrix: Any, rows: int, columns: int, name: str) -> Entries:
    shape = getattr(matrix, "shape", None)
    if shape is not None and tuple(shape) != (rows, columns):
        raise BadArgument(f"{name} must have the shape ({rows}, {columns}), not {tuple(shape)}")
    if hasattr(matrix, "tocsr"):  # SciPy
        matrix = summed(matrix)
        return _columns(matrix.row, matrix.col, matrix.data, name)
    if shape is not None and hasattr(matrix, "__array__"):  # NumPy, and what can be made its array
        matrix = _arrays.numpy().asarray(matrix.filled(0) if hasattr(matrix, "filled") else matrix)
        where = matrix.nonzero()
        return _columns(where[0], where[1], matrix[where], name)
    if not hasattr(matrix, "__len__") or len(matrix) != rows:
        size = len(matrix) if hasattr(matrix, "__len__") else repr(matrix)
        raise BadArgument(f"{name} must have {rows} rows, not {size}")
    found = Entries(array("I"), array("I"), array("d"))
    for i in range(rows):
        for j, value in _row(matrix[i], columns, f"{name}[{i}]"):
            found.row.append(i)
            found.column.append(j)
            found.value.append(value)
    found.count = len(found.value)
    return found


def summed(matrix: Any) -> Any:
    """A sparse matrix by rows, with one entry for each place: SciPy means the sum where there are several."""
    rows = matrix.tocsr()
    if not getattr(rows, "has_canonical_format", True):
        rows = rows.copy()  # that of the caller stays as it is
        rows.sum_duplicates()
    return rows.tocoo()


def _columns(row: Any, column: Any, value: Any, name: str) -> Entries:
    """Columns of NumPy's, without a loop."""
    if getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError(f"{name} must have real numbers, not complex ones")
    try:
        parts = [part.astype(kind) for part, kind in ((row, "uint32"), (column, "uint32"), (value, "float64"))]
    except (AttributeError, TypeError, ValueError):
        values = [number(v, name) for v in value.tolist()]
        return Entries(array("I", row.tolist()), array("I", column.tolist()), array("d", values))
    return Entries(*(part if part.flags.c_contiguous and part.flags.writeable else part.copy() for part in parts))


def _several(values: Any) -> bool:
    """One number for each state, or one for all of them?"""
    return hasattr(values, "__len__") and not isinstance(values, str) and getattr(values, "shape", None) != ()


def _vector(
    values: Any, n: int, name: str, labels: Optional[Sequence[Hashable]] = None
) -> List[Tuple[int, float]]:
    """What is given for each state; a mapping may speak of states by their labels."""
    if not _several(values):
        raise BadArgument(f"{name} must be a list with a number for each of the {n} states, or a mapping, not {values!r}")
    if isinstance(values, Mapping) and labels is not None:
        found = Labels("state", labels)
        values = {found.index(label): value for label, value in values.items()}
    return list(_row(values, n, name))


def from_arrays(
    transitions: Any,
    observations: Any,
    rewards: Any,
    *,
    discount: float,
    cost: Any,
    start: Any,
    names: Sequence[Optional[Sequence[Hashable]]],
) -> Made:
    shape, seen = _shape(transitions), _shape(observations)
    if len(shape) < 2:
        raise BadArgument("transitions must be given as transitions[a][s][s2]")
    if len(seen) < 2:
        raise BadArgument("observations must be given as observations[a][s2][o]")
    actions, states = shape[0], shape[1]
    if seen[0] != actions:
        raise BadArgument(f"transitions are for {actions} actions, observations for {seen[0]}")
    if len(seen) > 2 and seen[2] >= 0:
        symbols = seen[2]
    elif names[OBSERVATION] is not None:
        symbols = len(names[OBSERVATION] or ())
    else:
        raise BadArgument("observations as mappings need observation_names, which tell how many there are")
    counts = (states, actions, symbols)
    labels = [None if given is None else check_labels(kind, given) for kind, given in enumerate(names)]
    for kind, given in enumerate(labels):
        if given is not None and len(given) != counts[kind]:
            raise BadArgument(f"there are {counts[kind]} {_KINDS[kind]}s but {len(given)} names for them")

    with Builder(counts) as builder:
        for kind, given in enumerate(labels):
            if given is not None:
                builder.label(kind, given)
        builder.put(lambda: "discount", lib.builder_discount, number(discount, "discount"))
        if _several(cost):
            builder.costs([(ANY, 0.0)] + _vector(cost, states, "cost", labels[STATE]))  # zeros are given, too
        else:
            builder.costs([(ANY, number(cost, "cost"))])
        if start is not None:
            builder.put(lambda: "start", lib.builder_start, ANY, 0.0)  # given, though perhaps not a single state
            for s, p in _vector(start, states, "start", labels[STATE]):
                builder.put(lambda: f"start[{s}]", lib.builder_start, s, p)
        for a in range(actions):
            moves = _matrix(transitions[a], states, states, f"transitions[{a}]")
            builder.entries(TABLE_TRANSITION, a, moves, lambda s, s2: f"transitions[{a}][{s}][{s2}]")
            views = _matrix(observations[a], states, symbols, f"observations[{a}]")
            builder.entries(TABLE_OBSERVATION, a, views, lambda s2, o: f"observations[{a}][{s2}][{o}]")
        _rewards(builder, rewards, counts)
        pointer, messages = builder.finish()
    return pointer, messages, labels


def _rewards(builder: Builder, rewards: Any, counts: Sequence[int]) -> None:
    states, actions, symbols = counts
    depth = len(_shape(rewards))
    if depth == 2:
        given = _matrix(rewards, actions, states, "rewards")
        for a in range(actions):
            here = slice(bisect_left(given.row, a), bisect_right(given.row, a))  # rows ascend
            part = Entries(given.column[here], None, given.value[here])
            builder.entries(TABLE_REWARD, a, part, lambda s, _: f"rewards[{a}][{s}]")
        return
    if depth not in (3, 4) or len(rewards) != actions:
        raise BadArgument(
            f"rewards must be given as rewards[a][s], [a][s][s2] or [a][s][s2][o], for {actions} actions"
        )
    for a in range(actions):
        if depth == 3:
            steps = _matrix(rewards[a], states, states, f"rewards[{a}]")
            builder.entries(TABLE_REWARD, a, steps, lambda s, s2: f"rewards[{a}][{s}][{s2}]")
            continue
        if len(rewards[a]) != states:
            raise BadArgument(f"rewards[{a}] must have {states} rows, not {len(rewards[a])}")
        for s in range(states):
            views = _matrix(rewards[a][s], states, symbols, f"rewards[{a}][{s}]")
            for s2, o, r in zip(views.row, views.column, views.value):
                place = f"rewards[{a}][{s}][{s2}][{o}]"
                builder.put(lambda: place, lib.builder_reward, a, s, int(s2), int(o), float(r))


# ------------------------------------------------------------------ functions


class Values:
    """Labels of one kind and their numbers; may grow when they are found on the way."""

    def __init__(self, kind: str, given: Optional[Sequence[Hashable]]) -> None:
        self.kind = kind
        self.open = given is None
        self.labels: List[Hashable] = list(Labels(kind, list(given or ())).values)
        self.numbers: Dict[Hashable, int] = {label: i for i, label in enumerate(self.labels)}

    def number(self, label: Any, place: str) -> int:
        try:
            found = self.numbers.get(label)
        except TypeError:
            raise BadArgument(f"{place} speaks of {label!r}, which is not hashable") from None
        if found is not None:
            return found
        if not self.open:
            hint = nearest(label, self.labels)
            raise BadArgument(f"{place} speaks of {label!r}, which is none of the {self.kind}s{hint}")
        self.numbers[label] = len(self.labels)
        self.labels.append(label)
        return self.numbers[label]

    def known(self, label: Any) -> bool:
        try:
            return label in self.numbers
        except TypeError:
            return False

    def distribution(self, result: Any, place: str) -> Dict[int, float]:
        if isinstance(result, Mapping):
            pairs: Iterable[Any] = result.items()
        elif isinstance(result, list) and not self.known(result):
            pairs = result
        elif result is None and self.kind == "state" and not self.known(None):
            raise BadArgument(f"{place} gave None, which is not a state: is a 'return' missing?")
        else:
            return {self.number(result, place): 1.0}
        found: Dict[int, float] = {}
        for pair in pairs:
            try:
                label, p = pair
            except (TypeError, ValueError):
                raise BadArgument(f"{place} gave {pair!r}: no pair of value and probability") from None
            i = self.number(label, place)
            found[i] = found.get(i, 0.0) + number(p, place)
        return found

    def reader(self, place: str) -> Callable[[Any], Dict[int, float]]:
        return lambda result: self.distribution(result, place)


#: What a parameter of a caller's function may be called.
_WORDS = {
    "state": {"state", "s"},
    "action": {"action", "a"},
    "next_state": {"next_state", "s2", "sp", "s_next", "next", "new_state"},
    "observation": {"observation", "o", "obs"},
}


class _Callback:
    """A function of the caller, which is called by the names of its parameters.

    A parameter whose name says what it is (``state`` or ``s``, ``action`` or ``a``, ...) gets that, wherever it
    stands. The others get what is left, in the order that is documented. So a function that takes state and action the
    other way round is called as it is meant. Where no name tells, and what it does makes no sense, it is tried the other
    way round, and the error says so if it does then.
    """

    def __init__(self, name: str, function: Callable[..., Any], order: Sequence[str]) -> None:
        self.name, self.function, self.order = name, function, order
        self.takes: List[str] = list(order[:2])
        self.named = False
        self.names: List[str] = []
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # of a function in C nothing is known
            return
        if any(p.kind == p.VAR_POSITIONAL for p in parameters):
            self.takes = list(order)
            return
        self.takes = self.assign([p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)])

    def assign(self, parameters: List[inspect.Parameter]) -> List[str]:
        """What each parameter gets."""
        words = {word: part for part in self.order for word in _WORDS[part]}
        if "state" not in self.order:  # there is only one state to speak of
            words.update({"state": "next_state", "s": "next_state"})
        known = [words.get(p.name) for p in parameters]
        self.named = any(known)
        self.names = [p.name for p in parameters]
        if not any(known) and self.name == "observation" and len(parameters) > 1:
            raise TypeError(
                f"observation({', '.join(p.name for p in parameters)}): call its parameters next_state and action, in "
                "any order, so that the two cannot be mistaken"
            )
        rest = [part for part in self.order if part not in known]
        found: List[str] = []
        for p, part in zip(parameters, known):
            if part is None and p.default is p.empty and rest:
                part = rest.pop(0)
            if part is None and p.default is not p.empty:
                break  # it has a value of its own, and so have all that follow
            if part is None or part in found:
                raise TypeError(
                    f"{self.name} may take {', '.join(self.order)}: there is no value for its parameter {p.name!r}"
                )
            found.append(part)
        least = 1 if self.name == "observation" else 2
        if len(found) < least:
            raise TypeError(f"{self.name} must take {' and '.join(self.order[:2])}" + (
                ", and may take next_state and observation" if len(self.order) > 2 else ""))
        return found

    def __call__(self, accept: Callable[[Any], Any], **values: Any) -> Any:
        """What ``accept`` makes of the result."""
        try:
            return accept(self.function(*[values[part] for part in self.takes]))
        except Exception as error:
            if self.named or not self.fits_swapped(accept, values):
                raise
            first, second = self.order[:2]
            names = ", ".join(self.names or ["..."])
            raise TypeError(
                f"{self.name}({names}) is called with {first} and {second}, and seems to take {second} and {first}: "
                f"name its parameters '{first}' and '{second}', then their order does not matter"
            ) from error

    def fits_swapped(self, accept: Callable[[Any], Any], values: Dict[str, Any]) -> bool:
        first, second = self.order[:2]
        if not {first, second} <= set(self.takes):
            return False
        other = {**values, first: values[second], second: values[first]}
        try:
            accept(self.function(*[other[part] for part in self.takes]))
        except Exception:
            return False
        return True


def from_functions(
    *,
    states: Optional[Sequence[Hashable]],
    actions: Sequence[Hashable],
    observations: Optional[Sequence[Hashable]],
    transition: Callable[[Any, Any], Any],
    observation: Callable[[Any, Any], Any],
    reward: Callable[..., float],
    discount: float,
    cost: Any,
    start: Any,
    terminal: Optional[Callable[[Any], bool]],
) -> Made:
    space, symbols = Values("state", states), Values("observation", observations)
    move = _Callback("transition", transition, ("state", "action"))
    view = _Callback("observation", observation, ("next_state", "action"))
    pay = _Callback("reward", reward, ("state", "action", "next_state", "observation"))
    choices = check_labels(ACTION, list(actions))
    if start is None and states is None:
        raise BadArgument("give the states, or a start from which they can be found")
    first = None if start is None else space.distribution(start, "start")

    # Where each action leads; states that are met for the first time join the end of the list.
    moves: List[List[Dict[int, float]]] = []
    ends: List[bool] = []
    while len(moves) < len(space.labels):
        s = len(moves)
        state = space.labels[s]
        ends.append(terminal is not None and bool(terminal(state)))
        moves.append(
            [
                {s: 1.0}
                if ends[s]
                else move(space.reader(f"transition({state!r}, {a!r})"), state=state, action=a)
                for a in choices
            ]
        )
    space.open = False
    views = [
        [
            view(symbols.reader(f"observation({state!r}, {a!r})"), next_state=state, action=a)
            for state in space.labels
        ]
        for a in choices
    ]
    labels = [check_labels(STATE, space.labels), choices, check_labels(OBSERVATION, symbols.labels)]

    with Builder([len(part) for part in labels]) as builder:
        for kind, part in enumerate(labels):
            builder.label(kind, part)
        builder.put(lambda: "discount", lib.builder_discount, number(discount, "discount"))
        builder.costs(_costs(cost, space))
        if first is not None:
            builder.put(lambda: "start", lib.builder_start, ANY, 0.0)
        for s, p in (first or {}).items():
            builder.put(lambda: f"start of {space.labels[s]!r}", lib.builder_start, s, p)
        for s, state in enumerate(space.labels):
            for a, action in enumerate(choices):
                for s2, p in moves[s][a].items():
                    builder.put(
                        lambda: f"transition({state!r}, {action!r})", lib.builder_transition, a, s, s2, p
                    )
                for o, p in views[a][s].items():
                    builder.put(
                        lambda: f"observation({state!r}, {action!r})", lib.builder_observation, a, s, o, p
                    )
                if not ends[s]:
                    _reward(builder, pay, labels, a, s, moves[s][a], views[a])
        pointer, messages = builder.finish()
    return pointer, messages, list(labels)


def _reward(
    builder: Builder,
    reward: "_Callback",
    labels: Sequence[Sequence[Hashable]],
    a: int,
    s: int,
    move: Mapping[int, float],
    views: Sequence[Mapping[int, float]],
) -> None:
    arguments: Dict[str, Any] = {"state": labels[STATE][s], "action": labels[ACTION][a]}
    if "observation" in reward.takes:
        steps: Iterable[Tuple[int, int]] = [(s2, o) for s2 in move for o in views[s2]]
    elif "next_state" in reward.takes:
        steps = [(s2, ANY) for s2 in move]
    else:
        steps = [(ANY, ANY)]
    for s2, o in steps:
        if s2 != ANY:
            arguments["next_state"] = labels[STATE][s2]
        if o != ANY:
            arguments["observation"] = labels[OBSERVATION][o]
        place = f"reward({', '.join(repr(arguments[name]) for name in reward.order if name in arguments)})"
        value = reward(lambda result: number(result, place), **arguments)
        builder.put(lambda: place, lib.builder_reward, a, s, s2, o, value)


def _costs(cost: Any, space: Values) -> List[Tuple[int, float]]:
    if callable(cost):
        return [(s, number(cost(state), f"cost({state!r})")) for s, state in enumerate(space.labels)]
    if isinstance(cost, Mapping):
        return [(space.number(state, "cost"), number(c, f"cost of {state!r}")) for state, c in cost.items()]
    if _several(cost):
        return [(ANY, 0.0)] + _vector(cost, len(space.labels), "cost")
    return [(ANY, number(cost, "cost"))]
