"""Beliefs over the states of a model."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Hashable, List, Mapping, Sequence, Tuple, Union

from ._html import table
from ._labels import Place
from ._library import STATE, Row, lib
from ._native import Native, check
from .errors import BadArgument, Impossible, OutOfMemory

if TYPE_CHECKING:
    from .model import Model

#: A state, action or observation: its number, its name, or the label it was made from.
Label = Hashable
#: A belief, or what can be made one: ``None`` for the start, a state that is certain, a mapping from
#: states to weights, or one weight per state.
BeliefLike = Union[None, "Belief", Label, Mapping[Any, float], Sequence[float]]


def row_to_dict(row: Row) -> Dict[int, float]:
    n = row.count
    return dict(zip(row.index[:n], row.value[:n])) if n else {}


def dict_to_row(entries: Mapping[int, float]) -> Row:
    """The row keeps its arrays alive."""
    n = len(entries)
    return Row(n, (ctypes.c_uint32 * n)(*entries.keys()), (ctypes.c_double * n)(*entries.values()))


def dense(entries: Mapping[int, float], n: int) -> List[float]:
    row = [0.0] * n
    for i, p in entries.items():
        row[i] = p
    return row


class Belief(Native):
    """An exact belief over the states of one model: a probability for each, sparse.

    It can be read like a mapping from states: ``belief["tiger-left"]``, ``len(belief)`` (the states that
    are possible), ``belief.items()``; and ``numpy.array(belief)`` is one probability per state.
    """

    def __init__(self, model: "Model", like: BeliefLike = None) -> None:
        self.model = model
        pointer = lib.belief_new(model._pointer)
        if not pointer:
            raise OutOfMemory("out of memory")
        self._adopt(pointer, lib.belief_free, [model._pointer])
        if like is not None:
            self.set(like)

    def set(self, like: BeliefLike) -> None:
        """Any distribution; it is normalised."""
        with self._lock:
            if like is None:
                row = dict_to_row(self.model.start)
            elif isinstance(like, Belief):
                if like.model is not self.model and len(like.model.states) != len(self.model.states):
                    raise BadArgument("this belief is of a model with other states")
                row = dict_to_row(like.probabilities())
            else:
                row = dict_to_row(self.model._distribution(like))
            check(
                lib.belief_set(self._pointer, row),
                "this is not a distribution: weights must be finite, not negative, and not all zero",
            )

    def reveal(self, state: Label) -> None:
        """The state is known."""
        with self._lock:
            check(lib.belief_reveal(self._pointer, self.model.state(state)))

    def update(self, action: Label, observation: Label) -> float:
        """After an action and an observation, whose probability is returned. Raises
        :class:`~glimpse.errors.Impossible`, and changes nothing, when the model excludes it."""
        a, o = self.model.action(action), self.model.observation(observation)
        probability = ctypes.c_double()
        with self._lock:
            status = lib.belief_update(self._pointer, a, o, ctypes.byref(probability))
            if status == 7:
                raise Impossible(
                    f"after {self.model.actions[a]!r} the model excludes the observation "
                    f"{self.model.observations[o]!r} at this belief"
                )
            check(status)
        return probability.value

    def probabilities(self) -> Dict[int, float]:
        """The probability of each possible state, by number."""
        with self._lock:
            return self.model._kind(STATE).row(row_to_dict(lib.belief_row(self._pointer)))

    def items(self) -> List[Tuple[Label, float]]:
        """Possible states, as labels, with their probabilities; the most probable first."""
        states = self.model.states
        found = [(states[s], p) for s, p in self.probabilities().items()]
        return sorted(found, key=lambda pair: -pair[1])

    def dense(self) -> List[float]:
        """One probability per state."""
        return dense(self.probabilities(), lib.model_count(self.model._pointer, STATE))

    @property
    def entropy(self) -> float:
        """In bits."""
        with self._lock:
            return float(lib.belief_entropy(self._pointer))

    def __getitem__(self, state: Label) -> float:
        with self._lock:
            return float(lib.belief_probability(self._pointer, self.model.state(state)))

    def __len__(self) -> int:
        with self._lock:
            return int(lib.belief_row(self._pointer).count)

    def __bool__(self) -> bool:
        return True

    def __reduce__(self) -> Any:
        return Belief, (self.model, {Place(s): p for s, p in self.probabilities().items()})

    def __iter__(self) -> Any:
        return iter([label for label, _ in self.items()])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.array(self.dense(), dtype=dtype)

    def _repr_html_(self) -> str:
        items = self.items()
        rows = [(label, f"{p:.6g}") for label, p in items[:12]] + [("…", f"{len(items) - 12} more")] * (len(items) > 12)
        return table(f"Belief, {self.entropy:.3f} bits", rows, ("state", "probability"))

    def __repr__(self) -> str:
        if self.closed:
            return "<glimpse.Belief, closed>"
        items = self.items()
        shown = ", ".join(f"{label}: {p:.3g}" for label, p in items[:4])
        return f"<glimpse.Belief {{{shown}{', ...' if len(items) > 4 else ''}}}>"
