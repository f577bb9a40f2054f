"""Models: made from files, environments, arrays and functions, and changed into others."""

from __future__ import annotations

import ctypes
import os
import warnings as _warnings
import weakref
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from . import _build, _mdp, _xml
from . import inquiries as _inquiries
from . import scene as _scene
from ._html import some, table
from ._labels import Labels, hinting
from ._library import ACTION, STATE, PomdpOptions, lib
from ._native import Report, check, collect, number, number_text
from ._parts import KINDS, Parts
from .belief import Belief, BeliefLike, Label
from .errors import BadArgument, CannotRead, Error, Message, ModelWarning
from .inquiries import Inquiry, Limits
from .scene import Grid, Scene


class Use:
    """Somebody relies on the cost and the discount of a model as long as this lives."""


class Model(Parts):
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
        labels: Optional[Sequence[Optional[Sequence[Label]]]] = None,
        answers: Optional[Mapping[str, Tuple[Label, ...]]] = None,
        owner: Optional["Model"] = None,
    ) -> "Model":
        self = cls.__new__(cls)
        self._users = weakref.WeakSet()
        if owner is None:
            self._adopt(pointer, lib.model_free)
        else:  # a part of another model, which must not change as long as this one lives
            use = owner._use()
            self._adopt(pointer, lambda _: None, [owner._pointer], keep=use)
            self._users.add(use)
        given = labels or (None, None, None)
        self._labels = [None if part is None else Labels(KINDS[k], part) for k, part in enumerate(given)]
        self._answers = dict(answers or {})
        self._inquiries = None
        self.source = source
        self.warnings = tuple(warnings)
        return self

    #: Where the model comes from: a path, an environment, ``"arrays"`` …
    source: str
    #: What the library found odd in it (also given as Python warnings).
    warnings: Tuple[Message, ...]

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
        """Reads a ``.pomdp`` file (Cassandra's format), a POMDPX file (by the program, see :func:`glimpse.program`) or,
        where its name ends in ``.csv`` or ``.json``, a table of an MDP. With ``strict``, what the grammar does not allow is an error instead of a warning.

        Raises :class:`~glimpse.errors.CannotRead`, :class:`~glimpse.errors.BadSyntax` or
        :class:`~glimpse.errors.BadModel`, with the line and column of every finding.
        """
        name = os.fsencode(path)
        if name.lower().endswith((b".csv", b".json")):
            return cls._table(name, os.fspath(path))
        if _xml.is_pomdpx(path):
            text, messages = _xml.read_pomdpx(path, strict)
            for message in messages:
                _warnings.warn(str(message), ModelWarning, stacklevel=2)
            model = cls.parse(text, source=os.fsdecode(path))
            model.warnings = (*messages, *model.warnings)
            return model
        options = PomdpOptions(bool(strict))
        return cls._make(
            os.fspath(path), lambda report, out: lib.pomdp_read_file(name, ctypes.byref(options), report, out)
        )

    @classmethod
    def _table(cls, name: bytes, source: str) -> "Model":
        try:
            with open(name, encoding="utf-8-sig", errors="replace", newline="") as file:
                text = file.read()
        except OSError as error:
            raise CannotRead(f"{source}: {error.strerror}") from None
        made = _mdp.read_csv(text, source) if name.lower().endswith(b".csv") else _mdp.read_json(text, source)
        return cls._of(made[0], source, made[1])

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
    @hinting
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
        inquiries: Sequence[Inquiry] = (),
        limits: Union[None, Limits, Mapping[str, int]] = None,
        scene: Optional[Grid] = None,
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
        :param start: the start belief, one probability per state or a mapping from states; default uniform.
        :param state_names: names or other labels; likewise for actions and observations.
        :param inquiries: what else may be asked, as in :meth:`with_inquiries`; and ``limits``.
        :param scene: how it looks, a :class:`Grid`.

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
        return cls._of(pointer, "arrays", messages, labels)._asking(inquiries, limits, scene)

    @classmethod
    @hinting
    def from_functions(
        cls,
        *,
        actions: Sequence[Label],
        transition: Callable[..., Any],
        observation: Callable[..., Any],
        reward: Callable[..., float],
        discount: float,
        states: Optional[Sequence[Label]] = None,
        observations: Optional[Sequence[Label]] = None,
        cost: Any = 0.0,
        start: Any = None,
        terminal: Optional[Callable[[Any], bool]] = None,
        inquiries: Sequence[Inquiry] = (),
        limits: Union[None, Limits, Mapping[str, int]] = None,
        scene: Optional[Grid] = None,
    ) -> "Model":
        """Makes a model from functions of your own states, actions and observations: any hashable values
        (strings, tuples, enumerations, numbers …).

        Functions are called by the names of their parameters: what is called ``state`` (or ``s``), ``action``
        (``a``), ``next_state`` (``s2``, ``sp``) or ``observation`` (``o``) gets that, in any order. Other names get
        what is left, in the order given here.

        :param transition: ``transition(state, action)`` gives the distribution of the next state.
        :param observation: ``observation(next_state, action)``, or of ``next_state`` alone, gives that of the
            observation.
        :param reward: ``reward(state, action)``, or with ``next_state``, or with ``next_state`` and
            ``observation`` as further parameters.
        :param states: all states; without them, those are found that can be reached from ``start``.
        :param observations: all observations; default: those that ``observation`` speaks of.
        :param cost: the price of asking: a number, a mapping, or a function of the state.
        :param start: distribution of the first state; default uniform over ``states``.
        :param terminal: states in which the episode is over; ``transition`` and ``reward`` are not asked
            about them.
        :param inquiries: what else may be asked, as in :meth:`with_inquiries`; and ``limits``.
        :param scene: how it looks, a :class:`Grid`.

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
        return cls._of(pointer, "functions", messages, labels)._asking(inquiries, limits, scene)

    # ----------------------------------------------------------------- changing

    def _asking(self, inquiries: Sequence[Inquiry], limits: Any, scene: Optional[Grid]) -> "Model":
        model = self.with_inquiries(*inquiries, limits=limits) if inquiries or limits is not None else self
        return model if scene is None else model.with_scene(scene)

    def with_scene(self, scene: Grid) -> "Model":
        """The same model with another look."""
        return self._with_text(_scene.declaration(self._kind(STATE), scene), {}, "# glimpse: scene ")

    def with_inquiries(
        self, *inquiries: Inquiry, limits: Union[None, Limits, Mapping[str, int]] = None
    ) -> "Model":
        """A model in which the agent may ask these, too, besides what it could ask before; see :class:`Inquiry`.
        ``limits`` are :class:`Limits`, or a mapping such as ``{"horizon": 20}``."""
        names = [lib.model_name(self._pointer, ACTION, a).decode() for a in range(len(self.actions))]
        names += [inquiry.name for inquiry in self.inquiries]
        text, answers = _inquiries.declaration(self._kind(STATE), names, inquiries, limits)
        return self._with_text(text, answers)

    def _with_text(self, text: str, answers: Mapping[str, Tuple[Label, ...]] = {}, without: str = "\n") -> "Model":
        """This model with further comments at its end, and without lines that begin so."""
        lines = [line for line in self.to_text().splitlines(keepends=True) if not line.startswith(without)]
        try:
            other = self.parse("".join(lines) + text, source=self.source)
        except Error as error:  # places in this text say nothing to the caller
            findings = [message.text for message in error.messages if message.severity == "error"]
            raise type(error)("\n".join(findings) or str(error), error.messages) from None
        return self._alike(other, {**self._answers, **answers})

    def _alike(self, other: "Model", answers: Mapping[str, Tuple[Label, ...]]) -> "Model":
        """Gives another model the labels of this one."""
        return type(self)._dress(other, self.source, self.warnings, [k and k.values for k in self._labels], answers)

    @staticmethod
    def _dress(
        other: "Model", source: str, warnings: Any, labels: Any, answers: Mapping[str, Tuple[Label, ...]]
    ) -> "Model":
        other.source, other.warnings, other._answers = source, tuple(warnings), dict(answers)
        other._labels = [None if part is None else Labels(KINDS[k], part) for k, part in enumerate(labels)]
        return other

    def __reduce__(self) -> Any:
        """Pickles and copies are made of the text, which is the same model bit for bit."""
        labels = [None if part is None else part.values for part in self._labels]
        return _remake, (self.to_text(), self.source, self.warnings, labels, self._answers)

    def _copy(self) -> "Model":
        make, arguments = self.__reduce__()
        made: Model = make(*arguments)
        return made

    def with_cost(self, cost: Any) -> "Model":
        """The same model with another price of asking for the state: one number, one per state, or a mapping; 0
        switches requests off. Where there is one inquiry, a number is its price."""
        if isinstance(cost, Mapping):
            pairs = [(self.state(label), value) for label, value in cost.items()]
        elif hasattr(cost, "__len__") and getattr(cost, "shape", None) != ():
            if len(cost) != len(self.states):
                raise BadArgument(f"cost has {len(cost)} numbers for {len(self.states)} states")
            pairs = list(enumerate(cost))
        else:
            other = self._copy()
            other.cost = cost
            return other
        if any(inquiry.name == "state" for inquiry in self.inquiries):
            raise self._several_prices()
        lines = [f"# glimpse: cost {s} {number_text(number(c, 'cost'))}\n" for s, c in pairs]
        return self._with_text("# glimpse: cost 0\n" * (len(pairs) < len(self.states)) + "".join(lines))

    def with_discount(self, discount: float) -> "Model":
        """The same model with another discount."""
        other = self._copy()
        other.discount = discount
        return other

    def with_price(self, inquiry: Union[str, int], price: float) -> "Model":
        """The same model with another price of an inquiry, one for all states."""
        other = self._copy()
        i = other._inquiry(inquiry)
        value = number(price, "price")
        check(lib.model_inquiry_set_price(other._pointer, i, value), f"a price is a finite number from 0 on, not {value}")
        other._inquiries = None
        return other

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

    @property
    def planning(self) -> "Model":
        """The model that is planned on: with inquiries or limits an ordinary one, in which asking is an action and
        states know how much was asked; otherwise this model. It cannot change, and as long as it is used neither can
        this one."""
        with self._lock:
            pointer = lib.model_planning(self._pointer)
            if pointer == self._pointer._as_parameter_.value:
                return self
            return self._of(pointer, f"planning of {self.source}", owner=self)

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
        if certain or self._kind(STATE).find(like) is not None:
            return {self.state(like): 1.0}
        if not hasattr(like, "__len__"):
            raise TypeError(f"{like!r} is not a belief: give a state, a mapping or one probability per state")
        if len(like) != n:
            raise BadArgument(f"a belief as a list has {n} probabilities, one per state, not {len(like)}")
        weights = [number(p, "a probability") for p in like]
        return {s: p for s, p in enumerate(weights) if p != 0}

    def _repr_html_(self) -> str:
        rows = [("states", some(self.states)), ("actions", some(self.actions)), ("observations", some(self.observations))]
        rows.append(("discount", number_text(self.discount)))
        if self.requests:
            rows.append(("price of asking", "by state" if self.cost is None else number_text(self.cost)))
        for inquiry in self.inquiries:
            price = "by state" if inquiry.price is None else number_text(inquiry.price)
            rows.append((f"inquiry {inquiry.name}", f"{inquiry.timing}, price {price}, answers {some(inquiry.answers, 4)}"))
        rows.append(("start", some(self.belief().items(), 3)))
        return table(f"Model {self.source}", rows)

    def __repr__(self) -> str:
        if self.closed:
            return "<glimpse.Model, closed>"
        counts = ", ".join(
            f"{lib.model_count(self._pointer, kind)} {name}s" for kind, name in enumerate(KINDS)
        )
        cost = self.cost
        price = "cost by state" if cost is None else f"cost {number_text(cost)}"
        asked = [inquiry.name for inquiry in self.inquiries]
        if asked:
            price = f"inquiries {', '.join(asked)}"
        elif not self.requests:
            price = "no requests"
        return f"<glimpse.Model {self.source}: {counts}, discount {number_text(self.discount)}, {price}>"


def _parameter(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def _remake(text: str, source: str, warnings: Any, labels: Any, answers: Any) -> Model:
    """What :meth:`Model.__reduce__` took apart."""
    with _warnings.catch_warnings():
        _warnings.simplefilter("ignore", ModelWarning)  # it was warned of when it was made
        return Model._dress(Model.parse(text), source, warnings, labels, answers)


def _merged(pairs: Any) -> Dict[int, float]:
    found: Dict[int, float] = {}
    for s, p in pairs:
        if s in found:
            raise BadArgument(f"state {s} is given twice")
        found[s] = p
    return found
