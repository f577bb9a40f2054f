"""Models and beliefs."""

from __future__ import annotations

import ctypes
import os
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Dict, Hashable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _build
from ._library import ACTION, ANY, OBSERVATION, STATE, PomdpOptions, Row, lib
from ._native import Native, Report, check, collect, number, number_text
from .errors import BadArgument, Error, Impossible, Message, OutOfMemory

#: A state, action or observation: its number, its name, or the label it was made from.
Label = Hashable
#: A belief, or what can be made one: ``None`` for the start, a state that is certain, a mapping from
#: states to weights, or one weight per state.
BeliefLike = Union[None, "Belief", Label, Mapping[Any, float], Sequence[float]]

_KINDS = ("state", "action", "observation")


def row_to_dict(row: Row) -> Dict[int, float]:
    n = row.count
    return dict(zip(row.index[:n], row.value[:n])) if n else {}


def dict_to_row(entries: Mapping[int, float]) -> Row:
    """The row keeps its arrays alive."""
    n = len(entries)
    return Row(n, (ctypes.c_uint32 * n)(*entries.keys()), (ctypes.c_double * n)(*entries.values()))


@dataclass(frozen=True)
class Sizes:
    """Sizes of a model, for information."""

    transitions: int  #: non-zeros of T
    observations: int  #: non-zeros of O
    rewards: int  #: stored entries of R
    terminals: int  #: terminal states
    bytes: int  #: memory held by the model


@dataclass(frozen=True)
class Scene:
    """How a grid environment looks: a background, and layers (the robot, the package …), each a mark in one
    cell that depends on the state."""

    rows: int
    columns: int
    background: Tuple[str, ...]  #: one string per row; ``"#"`` is a wall, ``" "`` floor
    legend: str  #: what the letters of the background mean
    names: Tuple[str, ...]  #: of the layers
    marks: str  #: one character per layer
    places: Tuple[str, ...]  #: what is not on the grid, such as ``"carried"``
    #: ``cells[layer][state]``: (row, column), or the name of a place, or ``None``: not there
    cells: Tuple[Tuple[Union[None, str, Tuple[int, int]], ...], ...]

    @classmethod
    def _of(cls, native: Any, states: int) -> "Scene":
        rows, columns = int(native.rows), int(native.columns)
        text = native.background.decode()
        places: Tuple[str, ...] = tuple(native.place_names[i].decode() for i in range(native.places))

        def place(cell: int) -> Union[None, str, Tuple[int, int]]:
            if cell == ANY:
                return None
            if cell < rows * columns:
                return cell // columns, cell % columns
            return places[cell - rows * columns]

        return cls(
            rows,
            columns,
            tuple(text[row * columns : (row + 1) * columns] for row in range(rows)),
            native.legend.decode(),
            tuple(native.names[i].decode() for i in range(native.layers)),
            native.marks.decode(),
            places,
            tuple(
                tuple(place(native.cells[layer * states + s]) for s in range(states))
                for layer in range(native.layers)
            ),
        )

    def chances(self, layer: Union[int, str], belief: "Belief") -> List[List[float]]:
        """The probability of the mark of a layer (its number or name) in each cell, row by row."""
        i = self.names.index(layer) if isinstance(layer, str) else layer
        grid = [[0.0] * self.columns for _ in range(self.rows)]
        for s, p in belief.probabilities().items():
            cell = self.cells[i][s]
            if isinstance(cell, tuple):
                grid[cell[0]][cell[1]] += p
        return grid


class Use:
    """Somebody relies on the cost and the discount of a model as long as this lives."""


class Model(Native):
    """A POMDP with state requests: sparse, validated, kept by the library.

    Make one with :meth:`read`, :meth:`parse`, :meth:`environment`, :meth:`from_arrays` or
    :meth:`from_functions`. Wherever a state, action or observation is asked for, its number, its name
    and the label that it was made from will do; results are numbers, and ``model.states[i]`` tells
    which state that is.

    A model does not change but for ``cost`` and ``discount``, and these only before something has been
    made for it. So any number of threads may share it.
    """

    def __init__(self) -> None:
        raise TypeError(
            "use Model.read, Model.parse, Model.environment, Model.from_arrays or Model.from_functions"
        )

    @classmethod
    def _of(
        cls,
        pointer: int,
        source: str,
        warnings: Sequence[Message] = (),
        labels: Optional[Sequence[Optional[Tuple[Label, ...]]]] = None,
    ) -> "Model":
        self = cls.__new__(cls)
        self._adopt(pointer, lib.model_free)
        self._users = weakref.WeakSet()
        self._labels = list(labels or (None, None, None))
        self._places = [None, None, None]
        self.source = source
        self.warnings = tuple(warnings)
        return self

    #: Where the model comes from: a path, an environment, ``"arrays"`` …
    source: str
    #: What the library found odd in it (also given as Python warnings).
    warnings: Tuple[Message, ...]

    _users: Any  # one Use for each of the bounds and planners that were made for it, or are being made
    _labels: List[Optional[Tuple[Label, ...]]]  # by kind; None: not asked for yet
    _places: List[Optional[Dict[Label, int]]]  # likewise

    # ------------------------------------------------------------------ making

    @classmethod
    def _make(cls, source: str, make: Callable[[Any, Any], Any]) -> "Model":
        pointer = ctypes.c_void_p()
        with Report() as report:
            messages = report.check(make(report.pointer, ctypes.byref(pointer)))
        assert pointer.value
        return cls._of(pointer.value, source, messages)

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"], *, strict: bool = False) -> "Model":
        """Reads a ``.pomdp`` file (Cassandra's format). With ``strict``, what the grammar does not allow
        is an error instead of a warning.

        Raises :class:`~glimpse.errors.CannotRead`, :class:`~glimpse.errors.BadSyntax` or
        :class:`~glimpse.errors.BadModel`, with the line and column of every finding.
        """
        name = os.fsencode(path)
        options = PomdpOptions(bool(strict))
        return cls._make(
            os.fspath(path), lambda report, out: lib.pomdp_read_file(name, ctypes.byref(options), report, out)
        )

    @classmethod
    def parse(cls, text: str, *, source: str = "text", strict: bool = False) -> "Model":
        """Reads a model in the same format from a string. ``source`` names it in messages."""
        data = text.encode()
        options = PomdpOptions(bool(strict))
        return cls._make(
            source,
            lambda report, out: lib.pomdp_read(
                data, len(data), source.encode(), ctypes.byref(options), report, out
            ),
        )

    @classmethod
    def environment(cls, name: str, **parameters: Any) -> "Model":
        """Makes a built-in environment: ``Model.environment("robot-delivery", n=5, f=0.2)``, or with the
        parameters in the name as on the command line, ``"robot-delivery:n=5,f=0.2"``.
        :func:`glimpse.environments` lists them.
        """
        given = [f"{key}={_parameter(value)}" for key, value in parameters.items()]
        spec = name
        if given:
            spec += ("," if ":" in name else ":") + ",".join(given)
        return cls._make(spec, lambda report, out: lib.environment_make(spec.encode(), report, out))

    @classmethod
    def from_arrays(
        cls,
        transitions: Any,
        observations: Any,
        rewards: Any,
        *,
        discount: float,
        cost: Any = 0.0,
        start: Any = None,
        state_names: Optional[Sequence[Label]] = None,
        action_names: Optional[Sequence[Label]] = None,
        observation_names: Optional[Sequence[Label]] = None,
    ) -> "Model":
        """Makes a model from tables.

        :param transitions: ``transitions[a][s][s2]``, the probability that action ``a`` leads from ``s``
            to ``s2``.
        :param observations: ``observations[a][s2][o]``, the probability to observe ``o`` after ``a`` has
            led to ``s2``.
        :param rewards: ``rewards[a][s]``, or ``[a][s][s2]``, or ``[a][s][s2][o]``.
        :param discount: in [0, 1); a model with discount 1 can be made but not planned on.
        :param cost: the price of asking for the state: one number, or one per state; where it is 0 asking
            is free, and 0 everywhere means no requests.
        :param start: the start belief, one probability per state or a mapping; default uniform.
        :param state_names: names or other labels; likewise for actions and observations.

        Tables may be nested lists, NumPy arrays, or lists of sparse matrices of SciPy; a row may also be
        a mapping from column to probability. Every row must sum to 1.
        """
        pointer, messages, labels = _build.from_arrays(
            transitions,
            observations,
            rewards,
            discount=discount,
            cost=cost,
            start=start,
            names=(state_names, action_names, observation_names),
        )
        return cls._of(pointer, "arrays", messages, labels)

    @classmethod
    def from_functions(
        cls,
        *,
        actions: Sequence[Label],
        transition: Callable[[Any, Any], Any],
        observation: Callable[[Any, Any], Any],
        reward: Callable[..., float],
        discount: float,
        states: Optional[Sequence[Label]] = None,
        observations: Optional[Sequence[Label]] = None,
        cost: Any = 0.0,
        start: Any = None,
        terminal: Optional[Callable[[Any], bool]] = None,
    ) -> "Model":
        """Makes a model from functions of your own states, actions and observations: any hashable values
        (strings, tuples, enumerations …; whole numbers only when they are 0, 1, 2 …).

        :param transition: ``transition(state, action)`` gives the distribution of the next state.
        :param observation: ``observation(action, next_state)`` gives that of the observation.
        :param reward: ``reward(state, action)``, or with ``next_state``, or with ``next_state`` and
            ``observation`` as further parameters.
        :param states: all states; without them, those are found that can be reached from ``start``.
        :param observations: all observations; default: those that ``observation`` speaks of.
        :param cost: the price of asking: a number, a mapping, or a function of the state.
        :param start: distribution of the first state; default uniform over ``states``.
        :param terminal: states in which the episode is over; ``transition`` and ``reward`` are not asked
            about them.

        A distribution is a mapping from values to probabilities, a list of such pairs, or a single value
        that is certain.
        """
        pointer, messages, labels = _build.from_functions(
            states=states,
            actions=actions,
            observations=observations,
            transition=transition,
            observation=observation,
            reward=reward,
            discount=discount,
            cost=cost,
            start=start,
            terminal=terminal,
        )
        return cls._of(pointer, "functions", messages, labels)

    def _use(self) -> "Use":
        """To be kept by what relies on cost and discount, and made before it looks at them."""
        with self._lock:
            self._pointer  # not closed
            use = Use()
            self._users.add(use)
            return use

    def equivalent(self) -> "Model":
        """The equivalent POMDP without requests: each step becomes a request phase and an action phase, the
        discount its square root, and V'(b) = sqrt(discount) V(b)."""
        with self._lock:
            return self._make(
                f"equivalent of {self.source}",
                lambda report, out: lib.model_equivalent(self._pointer, report, out),
            )

    # ----------------------------------------------------------------- writing

    def to_text(self) -> str:
        """The model as the text of a ``.pomdp`` file; read again it is the same model, bit for bit."""
        with self._lock:
            pointer = self._pointer
            status, text = collect(lambda sink: lib.pomdp_write(pointer, sink, None))
        check(status)
        return text

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a ``.pomdp`` file, whole or not at all."""
        with self._lock, Report() as report:
            report.check(lib.pomdp_write_file(self._pointer, os.fsencode(path), report.pointer))

    # ------------------------------------------------------------------ labels

    def _list(self, kind: int) -> Tuple[Label, ...]:
        known = self._labels[kind]
        if known is None:
            pointer = self._pointer
            known = tuple(
                lib.model_name(pointer, kind, i).decode() for i in range(lib.model_count(pointer, kind))
            )
            self._labels[kind] = known
        return known

    @property
    def states(self) -> Tuple[Label, ...]:
        """The states: their names, or the labels they were made from."""
        return self._list(STATE)

    @property
    def actions(self) -> Tuple[Label, ...]:
        """The actions, likewise."""
        return self._list(ACTION)

    @property
    def observations(self) -> Tuple[Label, ...]:
        """The observations, likewise."""
        return self._list(OBSERVATION)

    def _find(self, kind: int, label: Any) -> Optional[int]:
        places = self._places[kind]
        if places is None:
            places = {label: i for i, label in enumerate(self._list(kind))}
            self._places[kind] = places
        try:
            return places.get(label)
        except TypeError:  # not hashable
            return None

    def _index(self, kind: int, label: Any) -> int:
        if not isinstance(label, bool) and hasattr(label, "__index__"):
            i = int(label.__index__())
            n = lib.model_count(self._pointer, kind)
            if 0 <= i < n:
                return i
            raise BadArgument(f"there is no {_KINDS[kind]} {i}: the model has {n}, counted from 0")
        found = self._find(kind, label)
        if found is None:
            raise BadArgument(f"there is no {_KINDS[kind]} {label!r}")
        return found

    def state(self, label: Any) -> int:
        """The number of a state."""
        return self._index(STATE, label)

    def action(self, label: Any) -> int:
        """The number of an action."""
        return self._index(ACTION, label)

    def observation(self, label: Any) -> int:
        """The number of an observation."""
        return self._index(OBSERVATION, label)

    # ------------------------------------------------------------------- parts

    @property
    def discount(self) -> float:
        """In [0, 1]. May be set before anything has been made for the model."""
        return float(lib.model_discount(self._pointer))

    @discount.setter
    def discount(self, value: float) -> None:
        value = number(value, "discount")
        with self._lock:
            self._changeable("discount")
            check(lib.model_set_discount(self._pointer, value), f"the discount must lie in 0..1, not {value}")

    @property
    def negated(self) -> bool:
        """Was it read from a file that gives costs (``values: cost``)? Rewards and values are then the
        negative of these costs."""
        return bool(lib.model_negated(self._pointer))

    @property
    def requests(self) -> bool:
        """May the agent ask for the state?"""
        return bool(lib.model_requests(self._pointer))

    @property
    def cost(self) -> Optional[float]:
        """The price of asking, 0 when requests are off, ``None`` when it depends on the state (then see
        :meth:`cost_of`). May be set, to one price for all states, before anything has been made for the
        model; 0 switches requests off."""
        with self._lock:
            pointer = self._pointer
            return float(lib.model_cost(pointer, 0)) if lib.model_cost_uniform(pointer) else None

    @cost.setter
    def cost(self, value: float) -> None:
        value = number(value, "cost")
        with self._lock:
            self._changeable("cost")
            check(
                lib.model_set_cost(self._pointer, value),
                f"the cost must be positive and finite, or 0 for no requests, not {value}",
            )

    def _changeable(self, what: str) -> None:
        if len(self._users):
            raise Error(
                f"the {what} cannot change any more: bounds or planners use this model; set it before"
            )

    def cost_of(self, state: Label) -> float:
        """The price of asking in a state; 0 when it is free there or requests are off."""
        s = self.state(state)
        with self._lock:
            return float(lib.model_cost(self._pointer, s))

    @property
    def start(self) -> Dict[int, float]:
        """The start belief, as a mapping from state numbers to probabilities."""
        return self._row(lib.model_start)

    def _row(self, function: Any, *arguments: int) -> Dict[int, float]:
        handle = self._pointer  # kept until the row is copied
        return row_to_dict(function(handle, *arguments))

    def transition(self, action: Label, state: Label) -> Dict[int, float]:
        """Where ``action`` leads from ``state``, as a mapping from state numbers to probabilities."""
        return self._row(lib.model_transition, self.action(action), self.state(state))

    def observing(self, action: Label, next_state: Label) -> Dict[int, float]:
        """What is observed after ``action`` has led to ``next_state``, likewise."""
        return self._row(lib.model_observation, self.action(action), self.state(next_state))

    def reward(
        self, action: Label, state: Label, next_state: Label = None, observation: Label = None
    ) -> float:
        """The expected reward of ``action`` in ``state``; with ``next_state`` and ``observation``, the one
        of that step, which must be possible."""
        a, s = self.action(action), self.state(state)
        if next_state is None and observation is None:
            return float(lib.model_reward(self._pointer, a, s))
        if next_state is None or observation is None:
            raise TypeError("give both next_state and observation, or neither")
        return float(
            lib.model_reward_step(self._pointer, a, s, self.state(next_state), self.observation(observation))
        )

    def terminal(self, state: Label) -> bool:
        """Is the state absorbing and without reward?"""
        return bool(lib.model_terminal(self._pointer, self.state(state)))

    def sizes(self) -> Sizes:
        """How large the model is."""
        sizes = lib.model_measure(self._pointer)
        return Sizes(sizes.transitions, sizes.observations, sizes.rewards, sizes.terminals, sizes.bytes)

    def tables(self) -> Dict[str, Any]:
        """The whole model as nested lists, by the parameters of :meth:`from_arrays`; rewards are the
        expected ones. For small models, and for NumPy: ``numpy.array(tables["transitions"])``."""
        n, m, k = len(self.states), len(self.actions), len(self.observations)
        return {
            "transitions": [[_dense(self.transition(a, s), n) for s in range(n)] for a in range(m)],
            "observations": [[_dense(self.observing(a, s), k) for s in range(n)] for a in range(m)],
            "rewards": [[self.reward(a, s) for s in range(n)] for a in range(m)],
            "discount": self.discount,
            "cost": [self.cost_of(s) for s in range(n)] if self.cost is None else self.cost,
            "start": _dense(self.start, n),
            "state_names": self.states if lib.model_named(self._pointer, STATE) else None,
            "action_names": self.actions if lib.model_named(self._pointer, ACTION) else None,
            "observation_names": self.observations if lib.model_named(self._pointer, OBSERVATION) else None,
        }

    # ----------------------------------------------------------------- pictures

    @property
    def scene(self) -> Optional["Scene"]:
        """How the model looks, for pictures of one's own; ``None`` for models without a grid."""
        handle = self._pointer  # kept until all is copied
        pointer = lib.model_scene(handle)
        return Scene._of(pointer.contents, lib.model_count(handle, STATE)) if pointer else None

    def draw(self, belief: BeliefLike = None) -> str:
        """A belief (or a state) as a picture in text. Raises :class:`~glimpse.errors.NotApplicable` for
        models without a grid."""
        pointer = self._pointer
        with self.belief(belief) as b:
            row = lib.belief_row(b._pointer)
            status, text = collect(lambda sink: lib.model_draw(pointer, row, sink, None))
        check(status, "this model has no grid to draw" if status == 6 else "")
        return text

    # ----------------------------------------------------------------- beliefs

    def belief(self, like: BeliefLike = None) -> "Belief":
        """A new belief: the start belief, or one made from ``like``."""
        return Belief(self, like)

    def _distribution(self, like: Any) -> Dict[int, float]:
        """By number; of a mapping, a state that is certain, or one weight per state."""
        if isinstance(like, Mapping):
            return _merged((self.state(s), number(p, "a probability")) for s, p in like.items())
        n = lib.model_count(self._pointer, STATE)
        certain = isinstance(like, str) or (hasattr(like, "__index__") and not hasattr(like, "__len__"))
        if certain or self._find(STATE, like) is not None:
            return {self.state(like): 1.0}
        if not hasattr(like, "__len__"):
            raise TypeError(f"{like!r} is not a belief: give a state, a mapping or one probability per state")
        if len(like) != n:
            raise BadArgument(f"a belief as a list has {n} probabilities, one per state, not {len(like)}")
        weights = [number(p, "a probability") for p in like]
        return {s: p for s, p in enumerate(weights) if p != 0}

    def __repr__(self) -> str:
        if self.closed:
            return "<glimpse.Model, closed>"
        counts = ", ".join(
            f"{lib.model_count(self._pointer, kind)} {name}s" for kind, name in enumerate(_KINDS)
        )
        cost = self.cost
        price = "by state" if cost is None else number_text(cost)
        return (
            f"<glimpse.Model {self.source}: {counts}, discount {number_text(self.discount)}, "
            f"{'cost ' + price if self.requests else 'no requests'}>"
        )


def _parameter(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def _dense(entries: Mapping[int, float], n: int) -> List[float]:
    row = [0.0] * n
    for i, p in entries.items():
        row[i] = p
    return row


def _merged(pairs: Any) -> Dict[int, float]:
    found: Dict[int, float] = {}
    for s, p in pairs:
        if s in found:
            raise BadArgument(f"state {s} is given twice")
        found[s] = p
    return found


class Belief(Native):
    """An exact belief over the states of one model: a probability for each, sparse.

    It can be read like a mapping from states: ``belief["tiger-left"]``, ``len(belief)`` (the states that
    are possible), ``belief.items()``; and ``numpy.array(belief)`` is one probability per state.
    """

    def __init__(self, model: Model, like: BeliefLike = None) -> None:
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
            return row_to_dict(lib.belief_row(self._pointer))

    def items(self) -> List[Tuple[Label, float]]:
        """Possible states, as labels, with their probabilities; the most probable first."""
        states = self.model.states
        found = [(states[s], p) for s, p in self.probabilities().items()]
        return sorted(found, key=lambda pair: -pair[1])

    def dense(self) -> List[float]:
        """One probability per state."""
        return _dense(self.probabilities(), lib.model_count(self.model._pointer, STATE))

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

    def __iter__(self) -> Any:
        return iter([label for label, _ in self.items()])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.array(self.dense(), dtype=dtype)

    def __repr__(self) -> str:
        if self.closed:
            return "<glimpse.Belief, closed>"
        items = self.items()
        shown = ", ".join(f"{label}: {p:.3g}" for label, p in items[:4])
        return f"<glimpse.Belief {{{shown}{', ...' if len(items) > 4 else ''}}}>"


# ---------------------------------------------------------------- environments


@dataclass(frozen=True)
class Parameter:
    """A parameter of a built-in environment."""

    key: str
    default: str
    text: str  #: what it is, and its range


@dataclass(frozen=True)
class Environment:
    """A built-in environment; :meth:`Model.environment` makes it."""

    name: str
    text: str
    parameters: Tuple[Parameter, ...]


def environments() -> List[Environment]:
    """All built-in environments."""
    found: List[Environment] = []
    while True:
        pointer = lib.environment_get(len(found))
        if not pointer:
            return found
        native = pointer.contents
        parameters = []
        for parameter in native.parameters:  # a pointer has no end; its NULL key has
            if not parameter.key:
                break
            parameters.append(
                Parameter(parameter.key.decode(), parameter.value.decode(), parameter.text.decode())
            )
        found.append(Environment(native.name.decode(), native.text.decode(), tuple(parameters)))


def load(spec: str, **parameters: Any) -> Model:
    """A model as on the command line: a built-in environment such as ``"tag:prey=classic"``, or else a
    file."""
    name = spec.split(":", 1)[0]
    if parameters or any(environment.name == name for environment in environments()):
        return Model.environment(spec, **parameters)
    return Model.read(spec)
