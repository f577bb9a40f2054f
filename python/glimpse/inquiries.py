"""What else an agent may ask: inquiries, their answers and prices, and limits.

They are declared with values of the caller's own (:class:`Inquiry`), written as the comments of ``.pomdp`` files and
read by the library together with the text of the model, so that there is one way to declare them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _library as native
from ._build import Values, name_of
from ._labels import Labels, nearest
from ._library import ANY, lib
from ._native import count, number, number_text
from .errors import BadArgument

#: When one asks: before an action, as a step of its own, or together with an action.
TIMINGS: List[str] = native.keys(lib.timing_key)
#: One number for all states, a mapping from states, or a function of the state.
ByState = Union[float, Mapping[Any, float], Callable[[Any], float]]
_NOTHING = "nothing"


@dataclass(frozen=True)
class Inquiry:
    """Something that the agent may ask. Without further words it is told the state::

        glimpse.Inquiry("gps", 1)                                               # the state
        glimpse.Inquiry("camera", 0.3, blocks={"kitchen": ["k1", "k2"], "hall": ["h1", "h2"]})
        glimpse.Inquiry("row", 0.1, factors=0)                                  # of states that are tuples
        glimpse.Inquiry("side", 0.1, tells=lambda state: "left" if state < 3 else "right")
        glimpse.Inquiry("ear", 0.1, tells=lambda state: {"loud": 0.8, "quiet": 0.2}, timing="step")

    One of ``tells``, ``blocks`` and ``factors`` says what the answer is; ``None`` as an answer is that there is none.
    """

    name: str  #: letters, digits, ``_`` and ``-``; not that of an action
    price: ByState = 0.0
    #: A function of the state, or a mapping: the answer, or a distribution of answers (a mapping or a list of pairs).
    tells: Union[None, Callable[[Any], Any], Mapping[Any, Any]] = None
    #: Answers, each with its states. Every state belongs to one.
    blocks: Optional[Mapping[Any, Iterable[Any]]] = None
    #: Of states that are tuples: the place that is told, or several.
    factors: Union[None, int, Sequence[int]] = None
    timing: str = "before"  #: one of :data:`TIMINGS`
    noise: float = 0.0  #: with this probability the answer is another one, each of them as likely
    failure: ByState = 0.0  #: with this probability there is no answer
    unpaid: bool = False  #: a failure costs nothing
    #: What asking does to the state, a function of it or a mapping: a state or a distribution. The answer is about the
    #: new state. States that a mapping leaves out stay.
    effect: Union[None, Callable[[Any], Any], Mapping[Any, Any]] = None


@dataclass(frozen=True)
class Limits:
    """Limits on asking and on the length of an episode; ``None``: the default."""

    per_step: Optional[int] = None  #: inquiries before one action; default 1
    requests: Optional[int] = None  #: answers in an episode; default: no limit
    horizon: Optional[int] = None  #: steps of an episode, with which a discount of 1 can be planned on


@dataclass(frozen=True)
class InquiryInfo:
    """An inquiry of a model."""

    name: str
    timing: str  #: one of :data:`TIMINGS`
    price: Optional[float]  #: ``None``: it depends on the state
    answers: Tuple[Hashable, ...]  #: in their order; ``None``, the last one, where it may fail
    state: bool  #: the answer is the state
    fails: bool  #: there may be no answer
    unpaid: bool  #: a failure costs nothing
    effect: bool  #: it changes the state


# ----------------------------------------------------------------- declaring


def declaration(
    states: Labels, actions: Sequence[str], inquiries: Iterable[Inquiry], limits: Any
) -> Tuple[str, Dict[str, Tuple[Hashable, ...]]]:
    """The comments that declare them, and the answers of each, by its name."""
    lines: List[str] = []
    answers: Dict[str, Tuple[Hashable, ...]] = {}
    for inquiry in inquiries:
        if not isinstance(inquiry, Inquiry):
            raise TypeError(f"inquiries are glimpse.Inquiry objects, not {inquiry!r}")
        if inquiry.name in answers or inquiry.name in actions:
            raise BadArgument(f"inquiry {inquiry.name!r}: another inquiry or an action has this name")
        told = _Writer(states, inquiry).write(lines)
        if told is not None:
            answers[inquiry.name] = told
    lines += _limits(limits)
    return "".join(f"# glimpse: {line}\n" for line in lines), answers


def _limits(limits: Any) -> Iterator[str]:
    if limits is None:
        return
    if isinstance(limits, Mapping):
        for key in limits:
            if key not in Limits.__dataclass_fields__:
                raise BadArgument(f"limits: there is no {key!r}{nearest(key, Limits.__dataclass_fields__)}")
        limits = Limits(**limits)
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are glimpse.Limits or a mapping, not {limits!r}")
    for name in Limits.__dataclass_fields__:
        value = getattr(limits, name)
        if value is not None:
            yield f"limit {name.replace('_', '-')} {count(value, name, 32, 1)}"


class _Writer:
    def __init__(self, states: Labels, inquiry: Inquiry) -> None:
        self.states, self.inquiry = states, inquiry
        self.place = f"inquiry {inquiry.name!r}"

    def write(self, lines: List[str]) -> Optional[Tuple[Hashable, ...]]:
        q = self.inquiry
        if not name_of("", q.name, exact=True):
            raise BadArgument(f"{q.name!r} is not the name of an inquiry: use a letter, then letters, digits, _ and -")
        if q.timing not in TIMINGS:
            raise BadArgument(
                f"{self.place}: there is no timing {q.timing!r}; there is {', '.join(TIMINGS)}{nearest(q.timing, TIMINGS)}"
            )
        prices = self.numbers(q.price, "price")
        uniform = len(set(prices)) == 1
        head = f"inquiry {q.name} {q.timing} {number_text(prices[0] if uniform else 0.0)}"
        rows = self.answers()
        told: Optional[Tuple[Hashable, ...]] = None
        if rows is None:
            lines.append(head + " state")
        else:
            told, words = self.words(rows, lines, head)
        if not uniform:
            lines += [f"price {q.name} {s} {number_text(p)}" for s, p in enumerate(prices)]
        if rows is not None:
            for s, row in enumerate(rows[1]):
                lines += [f"answer {q.name} {s} {words[z]} {number_text(p)}" for z, p in row.items()]
        failures = self.numbers(q.failure, "failure")
        lines += [f"failure {q.name} {s} {number_text(p)}" for s, p in enumerate(failures) if p]
        if q.unpaid:
            lines.append(f"unpaid {q.name}")
        for s, row in enumerate(self.effects()):
            lines += [f"effect {q.name} {s} {s2} {number_text(p)}" for s2, p in row.items()]
        return told

    def words(self, rows: Any, lines: List[str], head: str) -> Tuple[Tuple[Hashable, ...], List[str]]:
        """The answers, and what they are called in the text: their names, or else their numbers."""
        labels = [label for label in rows[0] if label is not None]
        names = [name_of("a", label) for label in labels]
        plain = all(isinstance(label, int) for label in labels)
        if plain or _NOTHING in names or len(set(names)) < len(names):
            names = [str(i) for i in range(len(labels))]
            lines.append(f"{head} answers {max(len(labels), 1)}")
        else:
            lines.append(f"{head} answers {' '.join(names)}")
        given = iter(names)
        return tuple(labels), [_NOTHING if label is None else next(given) for label in rows[0]]

    def of_state(self, given: Any, s: int, what: str) -> Any:
        """What is said of a state, by a function or a mapping."""
        label = self.states.values[s]
        if isinstance(given, Mapping):
            if label in given:
                return given[label]
            raise BadArgument(f"{self.place}: {what} says nothing of {label!r}")
        return given(label)

    def numbers(self, given: Any, what: str) -> List[float]:
        """One for each state, finite and not negative."""
        n = len(self.states)
        if callable(given):
            values = [number(given(label), f"{self.place}: {what} of {label!r}") for label in self.states.values]
        elif isinstance(given, Mapping):
            values = [0.0] * n
            for label, value in given.items():
                values[self.states.index(label)] = number(value, f"{self.place}: {what} of {label!r}")
        elif hasattr(given, "__len__") and not isinstance(given, str):
            if len(given) != n:
                raise BadArgument(f"{self.place}: {what} has {len(given)} numbers for {n} states")
            values = [number(value, f"{self.place}: {what}") for value in given]
        else:
            values = [number(given, f"{self.place}: {what}")] * n
        for label, value in zip(self.states.values, values):
            if not math.isfinite(value) or value < 0 or (what == "failure" and value > 1):
                raise BadArgument(f"{self.place}: {what} {value} of {label!r}: expected a number from 0 on" + (
                    " to 1" if what == "failure" else ", and finite"))
        return values

    def answers(self) -> Optional[Tuple[List[Hashable], List[Dict[int, float]]]]:
        """The answers, and their distribution in each state; ``None``: the state itself."""
        q = self.inquiry
        given = [word for word in ("tells", "blocks", "factors") if getattr(q, word) is not None]
        if len(given) > 1:
            raise BadArgument(f"{self.place}: give one of {' and '.join(given)}, not both")
        if not given and not q.noise:
            return None
        values = Values("answer", None)
        tells = self.block() if q.blocks is not None else self.factor() if q.factors is not None else q.tells
        if tells is None:  # the state, but not for sure
            tells = {label: [(label, 1.0)] for label in self.states.values}
        rows = [
            values.distribution(self.of_state(tells, s, given[0] if given else "noise"), f"{self.place} in {label!r}")
            for s, label in enumerate(self.states.values)
        ]
        return values.labels, self.noisy(values.labels, rows)

    def noisy(self, labels: List[Hashable], rows: List[Dict[int, float]]) -> List[Dict[int, float]]:
        noise = number(self.inquiry.noise, f"{self.place}: noise")
        if not 0 <= noise <= 1:
            raise BadArgument(f"{self.place}: noise must lie in 0..1, not {noise}")
        real = [z for z, label in enumerate(labels) if label is not None]
        if not noise:
            return rows
        if len(real) < 2:
            raise BadArgument(f"{self.place}: noise needs at least two answers")
        result = []
        for row in rows:
            heard = math.fsum(row.get(z, 0.0) for z in real)
            other = {z: noise * (heard - row.get(z, 0.0)) / (len(real) - 1) for z in real}
            mixed = {z: (1 - noise) * row.get(z, 0.0) + other[z] for z in real}
            result.append({z: mixed.get(z, row.get(z, 0.0)) for z in sorted(set(row) | set(mixed)) if mixed.get(z, 1.0)})
        return result

    def block(self) -> Mapping[Any, Any]:
        found: Dict[Any, Any] = {}
        blocks: Any = self.inquiry.blocks
        if not isinstance(blocks, Mapping):
            raise TypeError(f"{self.place}: blocks are a mapping from answers to lists of states, not {blocks!r}")
        for answer, members in blocks.items():
            if isinstance(members, str) or not hasattr(members, "__iter__"):
                raise BadArgument(f"{self.place}: block {answer!r} is a list of states, not {members!r}")
            for member in members:
                label = self.states.values[self.states.index(member)]
                if label in found:
                    raise BadArgument(f"{self.place}: state {label!r} is in two blocks")
                found[label] = [(answer, 1.0)]
        return found

    def factor(self) -> Callable[[Any], Any]:
        places = self.inquiry.factors
        single = hasattr(places, "__index__")

        def part(state: Any) -> Any:
            try:
                told = state[places] if single else tuple(state[i] for i in places)  # type: ignore[union-attr]
            except (TypeError, IndexError, KeyError):
                raise BadArgument(f"{self.place}: state {state!r} has no factor {places!r}") from None
            return [(told, 1.0)]

        return part

    def effects(self) -> Iterator[Dict[int, float]]:
        effect = self.inquiry.effect
        if effect is None:
            return
        values = Values("state", self.states.values)
        for s, label in enumerate(self.states.values):
            if isinstance(effect, Mapping) and label not in effect:
                yield {s: 1.0}
            else:
                yield values.distribution(self.of_state(effect, s, "effect"), f"{self.place}: effect in {label!r}")


# ------------------------------------------------------------------- reading


def read(pointer: Any, states: Labels, labels: Mapping[str, Tuple[Hashable, ...]]) -> Tuple[InquiryInfo, ...]:
    """The inquiries of a model."""
    found = []
    for i in range(lib.model_inquiries(pointer)):
        q = lib.model_inquiry(pointer, i)
        name = q.name.decode()
        n = q.answers - (q.nothing != ANY)
        if q.state:
            answers: Tuple[Hashable, ...] = states.values
        else:
            answers = labels.get(name) or tuple(lib.model_answer_name(pointer, i, z).decode() for z in range(n))
        if q.nothing != ANY:
            answers += (None,)
        uniform = lib.model_inquiry_price_uniform(pointer, i)
        price = float(lib.model_inquiry_price(pointer, i, 0)) if uniform else None
        found.append(
            InquiryInfo(
                name,
                TIMINGS[q.timing],
                price,
                answers,
                bool(q.state),
                q.nothing != ANY,
                bool(q.unpaid),
                bool(q.effect),
            )
        )
    return tuple(found)


def read_limits(pointer: Any) -> Limits:
    limits = lib.model_limits(pointer)
    return Limits(limits.per_step or None, limits.requests or None, limits.horizon or None)
