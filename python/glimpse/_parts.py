"""What a model consists of: its labels, prices, tables and inquiries, read from the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

from . import _arrays
from . import inquiries as _inquiries
from ._labels import Labels, Place
from ._library import ACTION, OBSERVATION, STATE, lib
from ._native import Native, check, number, number_text
from .belief import Label, dense, row_to_dict
from .errors import BadArgument, Error
from .inquiries import InquiryInfo, Limits

KINDS = ("state", "action", "observation")


@dataclass(frozen=True)
class Sizes:
    """Sizes of a model, for information."""

    transitions: int  #: non-zeros of T
    observations: int  #: non-zeros of O
    rewards: int  #: stored entries of R
    terminals: int  #: terminal states
    bytes: int  #: memory held by the model


class Parts(Native):
    """The parts of a :class:`~glimpse.Model`."""

    _users: Any  # one Use for each of the bounds and planners that were made for it, or are being made
    _labels: List[Optional[Labels]]  # by kind; None: not asked for yet
    _answers: Dict[str, Tuple[Label, ...]]  # of inquiries that were declared with labels
    _inquiries: Optional[Tuple[InquiryInfo, ...]]  # None: not asked for yet

    # ------------------------------------------------------------------ labels

    def _kind(self, kind: int) -> Labels:
        known = self._labels[kind]
        if known is None:
            pointer = self._pointer
            known = Labels(
                KINDS[kind],
                [lib.model_name(pointer, kind, i).decode() for i in range(lib.model_count(pointer, kind))],
            )
            self._labels[kind] = known
        return known

    @property
    def states(self) -> Tuple[Label, ...]:
        """The states: their names, or the labels they were made from."""
        return self._kind(STATE).values

    @property
    def actions(self) -> Tuple[Label, ...]:
        """The actions, likewise."""
        return self._kind(ACTION).values

    @property
    def observations(self) -> Tuple[Label, ...]:
        """The observations, likewise."""
        return self._kind(OBSERVATION).values

    def _index(self, kind: int, label: Any) -> int:
        self._pointer  # not closed
        return self._kind(kind).index(label)

    def _pair(self, what: str, state: Any, action: Any) -> Tuple[int, int]:
        """The numbers of a state and an action; says so where they are given the other way round."""
        states, actions = self._kind(STATE), self._kind(ACTION)
        try:
            return self._index(STATE, state), self._index(ACTION, action)
        except BadArgument:
            if states.find(action) is not None and actions.find(state) is not None:
                raise BadArgument(
                    f"{what}({state!r}, {action!r}): the state comes first, then the action"
                ) from None
            raise

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
            if len(self.inquiries) > (value > 0):
                raise self._several_prices()
            check(
                lib.model_set_cost(self._pointer, value),
                f"the cost must be positive and finite, or 0 for no requests, not {value}",
            )
            self._inquiries = None

    def _several_prices(self) -> BadArgument:
        names = ", ".join(inquiry.name for inquiry in self.inquiries)
        return BadArgument(f"the prices of this model are those of its inquiries ({names}): use with_price(inquiry, price)")

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
        return self._kind(STATE).row(self._row(lib.model_start))

    def _row(self, function: Any, *arguments: int) -> Dict[int, float]:
        handle = self._pointer  # kept until the row is copied
        return row_to_dict(function(handle, *arguments))

    def transition(self, state: Label, action: Label) -> Dict[int, float]:
        """Where ``action`` leads from ``state``, as a mapping from state numbers to probabilities."""
        s, a = self._pair("transition", state, action)
        return self._kind(STATE).row(self._row(lib.model_transition, a, s))

    def observing(self, next_state: Label, action: Label) -> Dict[int, float]:
        """What is observed after ``action`` has led to ``next_state``, likewise."""
        s, a = self._pair("observing", next_state, action)
        return self._kind(OBSERVATION).row(self._row(lib.model_observation, a, s))

    def reward(
        self, state: Label, action: Label, next_state: Label = None, observation: Label = None
    ) -> float:
        """The expected reward of ``action`` in ``state``; with ``next_state`` and ``observation``, the one
        of that step, which must be possible."""
        s, a = self._pair("reward", state, action)
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
        expected ones. For small models; :meth:`arrays` and :meth:`sparse` are for large ones."""
        n, m, k = len(self.states), len(self.actions), len(self.observations)

        def rows(function: Any, width: int) -> List[List[List[float]]]:
            return [[dense(self._row(function, a, s), width) for s in range(n)] for a in range(m)]

        return {
            "transitions": rows(lib.model_transition, n),
            "observations": rows(lib.model_observation, k),
            "rewards": [lib.model_rewards(self._pointer, a)[:n] for a in range(m)],
            **self._rest([self.cost_of(Place(s)) for s in range(n)] if self.cost is None else self.cost),
        }

    def _rest(self, cost: Any) -> Dict[str, Any]:
        """The other arguments of :meth:`from_arrays`."""

        def names(kind: int) -> Optional[Tuple[Label, ...]]:
            values = self._kind(kind).values
            return None if all(label == str(i) for i, label in enumerate(values)) else values

        return {
            "discount": self.discount,
            "cost": cost,
            "start": dense(self._row(lib.model_start), len(self.states)),
            "state_names": names(STATE),
            "action_names": names(ACTION),
            "observation_names": names(OBSERVATION),
        }

    def sparse(self) -> Dict[str, Any]:
        """The same with a sparse matrix of SciPy for each action, and NumPy arrays; nothing is copied in a loop."""
        tables = _arrays.sparse(self._pointer, [len(self.states), len(self.actions), len(self.observations)])
        return {**tables, **self._rest(self._costs())}

    def arrays(self) -> Dict[str, Any]:
        """The same as dense NumPy arrays: ``transitions[a, s, s2]``, ``observations[a, s2, o]``, ``rewards[a, s]``."""
        tables = _arrays.dense(self._pointer, [len(self.states), len(self.actions), len(self.observations)])
        return {**tables, **self._rest(self._costs())}

    def _costs(self) -> Any:
        pointer, cost = self._pointer, self.cost
        return [lib.model_cost(pointer, s) for s in range(len(self.states))] if cost is None else cost

    # ---------------------------------------------------------------- inquiries

    @property
    def inquiries(self) -> Tuple[InquiryInfo, ...]:
        """What may be asked besides, or in other ways than, the state before an action."""
        with self._lock:
            if self._inquiries is None:
                self._inquiries = _inquiries.read(self._pointer, self._kind(STATE), self._answers)
            return self._inquiries

    @property
    def limits(self) -> Limits:
        """Limits on asking, and on the length of an episode."""
        return _inquiries.read_limits(self._pointer)

    def _inquiry(self, name: Any) -> int:
        names = Labels("inquiry", [inquiry.name for inquiry in self.inquiries])
        return names.index(name)

    def _answer(self, inquiry: int, answer: Any) -> int:
        """The number of an answer; ``None`` is that there is none."""
        info = self.inquiries[inquiry]
        kind = f"answer of {info.name}"
        if answer is None and not info.fails:
            raise BadArgument(f"{info.name} always answers in this model: there is no answer None")
        if info.state and answer is not None:
            return self.state(answer)
        return len(info.answers) - 1 if answer is None else Labels(kind, info.answers).index(answer)

    def _price_text(self, inquiry: Union[None, str, int] = None) -> str:
        """The price of an inquiry, or of asking for the state, for people."""
        n = len(self.states)
        if inquiry is None:
            prices = [float(lib.model_cost(self._pointer, s)) for s in range(n)]
        else:
            i = self._inquiry(inquiry)
            prices = [float(lib.model_inquiry_price(self._pointer, i, s)) for s in range(n)]
        least, most = number_text(min(prices)), number_text(max(prices))
        return least if least == most else f"{least} to {most}, depending on the state"

    def price_of(self, inquiry: Union[str, int], state: Label) -> float:
        """The price of an inquiry in a state."""
        return float(lib.model_inquiry_price(self._pointer, self._inquiry(inquiry), self.state(state)))

    def answering(self, state: Label, inquiry: Union[str, int]) -> Dict[Label, float]:
        """The answers of an inquiry in a state, as labels (``None``: none), with their probabilities."""
        i = self._inquiry(inquiry)
        row = self._row(lib.model_inquiry_answers, i, self.state(state))
        return {self.inquiries[i].answers[z]: p for z, p in row.items()}

    def effect_of(self, state: Label, inquiry: Union[str, int]) -> Dict[int, float]:
        """Where asking leads from a state, as a mapping from state numbers to probabilities."""
        i, s = self._inquiry(inquiry), self.state(state)
        kind = self._kind(STATE)
        return kind.row(self._row(lib.model_inquiry_effect, i, s) or {s: 1.0})
