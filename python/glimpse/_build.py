"""Models from tables and from functions, through the library's builder.

The builder is the gate that checks every model. What is refused here already is what only Python
can see: wrong shapes, unknown labels. Errors say where in the caller's data they are.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import ctypes

from ._library import ACTION, ANY, OBSERVATION, STATE, lib
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

    def finish(self) -> Tuple[int, List[Message]]:
        pointer = ctypes.c_void_p()
        with Report() as report:
            messages = report.check(lib.builder_finish(self.pointer, report.pointer, ctypes.byref(pointer)))
        assert pointer.value
        return pointer.value, messages

    def label(self, kind: int, labels: Sequence[Hashable]) -> None:
        """Names for messages and files; labels that are no names are made ones where that is possible."""
        names = [_name(kind, label) for label in labels]
        if all(isinstance(label, int) for label in labels) or len(set(names)) < len(names):
            return
        for i, name in enumerate(names):
            self.put(lambda: f"{_KINDS[kind]} {labels[i]!r}", lib.builder_name, kind, i, name.encode())

    def costs(self, costs: Iterable[Tuple[int, float]]) -> None:
        for s, c in costs:
            self.put(lambda: "cost" if s == ANY else f"cost of state {s}", lib.builder_cost, s, c)


def _name(kind: int, label: Hashable) -> str:
    text = str(getattr(label, "name", label))
    if _NAME.match(text):
        return text
    return _KINDS[kind][0] + re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def check_labels(kind: int, labels: Sequence[Hashable]) -> Tuple[Hashable, ...]:
    seen: Dict[Hashable, int] = {}
    for i, label in enumerate(labels):
        if isinstance(label, int) and not isinstance(label, bool) and label != i:
            raise BadArgument(
                f"{_KINDS[kind]} {label} stands at place {i}: a whole number always means the place, so "
                "use strings or tuples for labels, or the numbers 0, 1, 2 ..."
            )
        if isinstance(label, bool):
            raise BadArgument(f"{label} is not a label: use a string")
        try:
            if seen.setdefault(label, i) != i:
                raise BadArgument(f"{_KINDS[kind]} {label!r} is given twice")
        except TypeError:
            raise TypeError(f"{_KINDS[kind]} {label!r} is not hashable") from None
    return tuple(labels)


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


def _matrix(matrix: Any, rows: int, columns: int, name: str) -> Iterator[Tuple[int, int, float]]:
    """The entries that are not zero."""
    shape = getattr(matrix, "shape", None)
    if shape is not None and tuple(shape) != (rows, columns):
        raise BadArgument(f"{name} must have the shape ({rows}, {columns}), not {tuple(shape)}")
    if hasattr(matrix, "tocsr"):  # SciPy
        matrix = matrix.tocsr().tocoo()
        yield from zip(matrix.row.tolist(), matrix.col.tolist(), map(float, matrix.data.tolist()))
    elif shape is not None and hasattr(matrix, "nonzero"):  # NumPy
        where = matrix.nonzero()
        yield from zip(where[0].tolist(), where[1].tolist(), map(float, matrix[where].tolist()))
    else:
        if not hasattr(matrix, "__len__") or len(matrix) != rows:
            size = len(matrix) if hasattr(matrix, "__len__") else repr(matrix)
            raise BadArgument(f"{name} must have {rows} rows, not {size}")
        for i in range(rows):
            for j, value in _row(matrix[i], columns, f"{name}[{i}]"):
                yield i, j, value


def _vector(values: Any, n: int, name: str) -> List[Tuple[int, float]]:
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
        if hasattr(cost, "__len__"):
            builder.costs([(ANY, 0.0)] + _vector(cost, states, "cost"))  # zeros are given, too
        else:
            builder.costs([(ANY, number(cost, "cost"))])
        if start is not None:
            builder.put(lambda: "start", lib.builder_start, ANY, 0.0)  # given, though perhaps not a single state
            for s, p in _vector(start, states, "start"):
                builder.put(lambda: f"start[{s}]", lib.builder_start, s, p)
        for a in range(actions):
            for s, s2, p in _matrix(transitions[a], states, states, f"transitions[{a}]"):
                builder.put(lambda: f"transitions[{a}][{s}][{s2}]", lib.builder_transition, a, s, s2, p)
            for s2, o, p in _matrix(observations[a], states, symbols, f"observations[{a}]"):
                builder.put(lambda: f"observations[{a}][{s2}][{o}]", lib.builder_observation, a, s2, o, p)
        _rewards(builder, rewards, counts)
        pointer, messages = builder.finish()
    return pointer, messages, labels


def _rewards(builder: Builder, rewards: Any, counts: Sequence[int]) -> None:
    states, actions, symbols = counts
    depth = len(_shape(rewards))
    if depth == 2:
        for a, s, r in _matrix(rewards, actions, states, "rewards"):
            builder.put(lambda: f"rewards[{a}][{s}]", lib.builder_reward, a, s, ANY, ANY, r)
        return
    if depth not in (3, 4) or len(rewards) != actions:
        raise BadArgument(
            f"rewards must be given as rewards[a][s], [a][s][s2] or [a][s][s2][o], for {actions} actions"
        )
    for a in range(actions):
        if depth == 3:
            for s, s2, r in _matrix(rewards[a], states, states, f"rewards[{a}]"):
                builder.put(lambda: f"rewards[{a}][{s}][{s2}]", lib.builder_reward, a, s, s2, ANY, r)
            continue
        if len(rewards[a]) != states:
            raise BadArgument(f"rewards[{a}] must have {states} rows, not {len(rewards[a])}")
        for s in range(states):
            for s2, o, r in _matrix(rewards[a][s], states, symbols, f"rewards[{a}][{s}]"):
                builder.put(lambda: f"rewards[{a}][{s}][{s2}][{o}]", lib.builder_reward, a, s, s2, o, r)


# ------------------------------------------------------------------ functions


class _Values:
    """Labels of one kind and their numbers; may grow when they are found on the way."""

    def __init__(self, kind: int, given: Optional[Sequence[Hashable]]) -> None:
        self.kind = kind
        self.open = given is None
        self.labels: List[Hashable] = list(check_labels(kind, list(given or ())))
        self.numbers: Dict[Hashable, int] = {label: i for i, label in enumerate(self.labels)}

    def number(self, label: Any, place: str) -> int:
        try:
            found = self.numbers.get(label)
        except TypeError:
            raise BadArgument(f"{place} speaks of {label!r}, which is not hashable") from None
        if found is not None:
            return found
        if not self.open:
            raise BadArgument(f"{place} speaks of {label!r}, which is none of the {_KINDS[self.kind]}s")
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
        elif result is None and self.kind == STATE and not self.known(None):
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


def _arity(reward: Callable[..., float]) -> int:
    try:
        parameters = inspect.signature(reward).parameters.values()
    except (TypeError, ValueError):
        return 2
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    least = sum(p.default is p.empty for p in positional)
    if any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return 4
    if least > 4 or len(positional) < 2:
        raise TypeError("reward must take state and action, and may take next_state and observation")
    return max(least, 2)


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
    space, symbols = _Values(STATE, states), _Values(OBSERVATION, observations)
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
                else space.distribution(transition(state, a), f"transition({state!r}, {a!r})")
                for a in choices
            ]
        )
    space.open = False
    views = [
        [
            symbols.distribution(observation(a, state), f"observation({a!r}, {state!r})")
            for state in space.labels
        ]
        for a in choices
    ]
    labels = [check_labels(STATE, space.labels), choices, check_labels(OBSERVATION, symbols.labels)]
    arity = _arity(reward)

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
                        lambda: f"observation({action!r}, {state!r})", lib.builder_observation, a, s, o, p
                    )
                if not ends[s]:
                    _reward(builder, reward, arity, labels, a, s, moves[s][a], views[a])
        pointer, messages = builder.finish()
    return pointer, messages, list(labels)


def _reward(
    builder: Builder,
    reward: Callable[..., float],
    arity: int,
    labels: Sequence[Sequence[Hashable]],
    a: int,
    s: int,
    move: Mapping[int, float],
    views: Sequence[Mapping[int, float]],
) -> None:
    state, action = labels[STATE][s], labels[ACTION][a]
    if arity == 2:
        steps: Iterable[Tuple[int, int]] = [(ANY, ANY)]
    elif arity == 3:
        steps = [(s2, ANY) for s2 in move]
    else:
        steps = [(s2, o) for s2 in move for o in views[s2]]
    for s2, o in steps:
        arguments: List[Hashable] = [state, action]
        if s2 != ANY:
            arguments.append(labels[STATE][s2])
        if o != ANY:
            arguments.append(labels[OBSERVATION][o])
        place = f"reward({', '.join(map(repr, arguments))})"
        value = number(reward(*arguments), place)
        builder.put(lambda: place, lib.builder_reward, a, s, s2, o, value)


def _costs(cost: Any, space: _Values) -> List[Tuple[int, float]]:
    if callable(cost):
        return [(s, number(cost(state), f"cost({state!r})")) for s, state in enumerate(space.labels)]
    if isinstance(cost, Mapping):
        return [(space.number(state, "cost"), number(c, f"cost of {state!r}")) for state, c in cost.items()]
    if hasattr(cost, "__len__"):
        return [(ANY, 0.0)] + _vector(cost, len(space.labels), "cost")
    return [(ANY, number(cost, "cost"))]
