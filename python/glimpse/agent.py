"""Agents, which keep a belief and drive a planner."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, List, Optional, Union

from . import _library as native
from ._labels import Place, hinting
from ._library import ACTION, ANY, lib
from ._native import Native, check, count
from .belief import Belief, BeliefLike, Label, row_to_dict
from .decisions import Choice, Decision, Forecast
from .errors import BadArgument, Impossible, NotApplicable, OutOfMemory
from .graph import Graph
from .model import Model
from .options import Budget
from .planning import Planner
from .reasons import Reasons

_STATE = native.keys(lib.phase_key).index("state")
#: No answer was given, not even that there is none.
_NO: Any = object()


class Agent(Native):
    """A belief and a planner, in the two phases of a step::

        agent = glimpse.Agent(model)
        while running:
            decision = agent.decide(time=0.1)
            if decision.ask:
                decision = agent.reveal(the_true_state())  # or agent.no_answer()
            agent.observe(decision.action, do(decision.action))

    Where the model has inquiries, ``decision.inquiry`` says which one::

            while decision is not None and decision.ask:
                decision = agent.answer(ask(decision.inquiry))  # None: that was a step, which is over

    and with a joint one the answer comes with the observation, ``agent.observe(action, observation, answer)``.

    :param planner: a :class:`Planner` that no other agent uses, or what makes one: a kind or
        :class:`PlannerOptions`.
    :param ask_when_lost: an observation that the model excludes makes the agent ask at its next decision,
        instead of being an error.
    :param options: for the planner that is made here.
    """

    def __init__(
        self, model: Model, planner: Any = "aems-loop", *, ask_when_lost: bool = False, **options: Any
    ) -> None:
        if not isinstance(planner, Planner):
            planner = Planner(model, planner, **options)
        elif options:
            raise TypeError("this planner has its settings already")
        if planner.model is not model:
            raise BadArgument("this planner is for another model")
        with planner._lock:
            if planner._agent is not None:
                raise BadArgument("this planner follows another agent: make one for each")
            settings = native.AgentOptions(bool(ask_when_lost))
            pointer = lib.agent_new(model._pointer, planner._pointer, ctypes.byref(settings))
            if not pointer:
                raise OutOfMemory("out of memory")
            self.model = model
            self.planner: Planner = planner
            self._adopt(pointer, lib.agent_free, [model._pointer, planner._pointer], lock=planner._lock)
            self._brief = False
            self._excluded = ""
            #: The last decision; ``None`` before the first one of an episode.
            self.decision: Optional[Decision] = None
            planner._follows = weakref.ref(self)
            self.begin()

    def begin(self, belief: BeliefLike = None, *, episode: int = 0) -> None:
        """A new episode at a belief (default: the start); ``episode`` numbers POMCP's random stream."""
        episode = count(episode, "episode", 64)
        with self._lock, self.model.belief(belief) as b:
            check(lib.agent_begin_at(self._pointer, lib.belief_row(b._pointer), episode))
            self.planner._planned = False
            self.decision = None

    @hinting
    def decide(
        self,
        *,
        time: Optional[float] = None,
        expansions: Optional[int] = None,
        epsilon: Optional[float] = None,
        decided: bool = False,
        seconds: Optional[float] = None,
    ) -> Decision:
        """Whether to ask and what to do, within a :class:`Budget`."""
        budget = Budget(time, expansions, epsilon, decided, seconds)
        with self._lock:
            if self.phase == "state":
                raise BadArgument(f"the agent has asked: call {self._wanted()}, then act")
            if self.over:
                raise NotApplicable("the horizon is reached: begin a new episode")
            self._brief = budget._brief()
            pointer, limits = self._pointer, ctypes.byref(budget._native(self.planner._flag))
            return self._note(
                *self.planner._search(lambda d: lib.agent_decide(pointer, limits, d), self._brief)
            )

    def _note(self, decision: Decision, interrupt: Optional[BaseException]) -> Decision:
        """The agent has moved on even when Ctrl-C keeps the decision from the caller."""
        self.decision = decision
        if interrupt is not None:
            raise interrupt
        return decision

    def reveal(self, state: Label) -> Decision:
        """The answer to a request, and then what to do, within what is left of the budget."""
        s = self.model.state(state)
        with self._lock:
            stand = self._stand()
            if stand.phase != _STATE and not stand.surprised:
                raise BadArgument("the agent has not asked for the state")
            pointer = self._pointer
            return self._note(*self.planner._search(lambda d: lib.agent_reveal(pointer, s, d), self._brief))

    def _wanted(self) -> str:
        return "answer(…) or no_answer()" if self.planner._layered else "reveal(state) or no_answer()"

    def answer(self, answer: Label, inquiry: Union[None, str, int] = None) -> Optional[Decision]:
        """The answer to what the decision asked (or to another inquiry of the same timing), and then what to do, which
        may be to ask again. ``None`` as an answer is that there was none, where the model knows of that; the result
        ``None`` is that the question was a step, which is over: :meth:`decide` comes next. Raises
        :class:`~glimpse.errors.Impossible`, and changes nothing, when the model excludes the answer."""
        with self._lock:
            if self.phase != "state":
                raise BadArgument("the agent has not asked anything")
            if not self.model.inquiries:
                return self.reveal(answer)
            last = self.decision
            i = self.model._inquiry(inquiry if inquiry is not None or last is None else last.inquiry)
            z, pointer = self.model._answer(i, answer), self._pointer
            decision, interrupt = self.planner._search(
                lambda d: self._possible(lib.agent_answer(pointer, i, z, d), i, answer), self._brief
            )
            if self.model.inquiries[i].timing == "step":
                self.planner._planned = False
                self.decision = None
                if interrupt is not None:
                    raise interrupt
                return None
            return self._note(decision, interrupt)

    def _possible(self, status: int, inquiry: int, answer: Label) -> int:
        self._excluded = ""
        if status == 7:
            name = self.model.inquiries[inquiry].name
            self._excluded = f"the model excludes the answer {answer!r} to {name} at this belief"
        return status

    def no_answer(self) -> Optional[Decision]:
        """Nobody answers: what to do at the belief as it is, within what is left of the budget. The agent does not
        ask again in this step. Where the model knows that the inquiry may fail, this is its answer ``None``."""
        with self._lock:
            if self.phase != "state":
                raise BadArgument("the agent has not asked anything")
            last = self.decision
            if self.model.inquiries and last is not None and last.inquiry is not None:
                if self.model.inquiries[self.model._inquiry(last.inquiry)].fails:
                    return self.answer(None)
            pointer = self._pointer
            return self._note(*self.planner._search(lambda d: lib.agent_no_answer(pointer, d), self._brief))

    def observe(
        self,
        action: Label,
        observation: Label,
        answer: Any = _NO,
        inquiry: Union[None, str, int] = None,
        *,
        asked: bool = True,
    ) -> None:
        """What was done and then seen. Where the decision asked together with the action, ``answer`` is what was
        answered (``inquiry``, if it was another one), and ``asked=False`` says that only the action was done. Raises :class:`~glimpse.errors.Impossible`, and changes nothing,
        when the model excludes that: observe something else, or :meth:`reveal` the state."""
        a, o = self.model.action(action), self.model.observation(observation)
        with self._lock:
            phase = self.phase
            if phase == "state":
                raise BadArgument(f"the agent has asked: call {self._wanted()} first")
            if phase == "decide":
                raise BadArgument("nothing was decided since the last observation: call decide() first")
            status = self._observe(a, o, answer, inquiry, asked)
            if status == 7:
                told = "" if answer is _NO else f" with the answer {answer!r}"
                raise Impossible(
                    f"after {self.model.actions[a]!r} the model excludes the observation "
                    f"{self.model.observations[o]!r}{told} at this belief: observe something else, "
                    "or reveal the state"
                )
            check(status)
            self.planner._planned = False

    def _observe(self, a: int, o: int, answer: Any, inquiry: Union[None, str, int], asked_too: bool) -> int:
        last = self.decision
        if answer is _NO:
            if inquiry is not None:
                raise TypeError("give the answer of the inquiry, too")
            if asked_too and last is not None and last.inquiry is not None:
                raise BadArgument(
                    f"the decision asked {last.inquiry!r} together with the action, and its answer is missing: "
                    "observe(action, observation, answer), or asked=False if only the action was done"
                )
            return int(lib.agent_observe(self._pointer, a, o))
        if not asked_too:
            raise TypeError("asked=False excludes an answer")
        asked = inquiry if inquiry is not None or last is None else last.inquiry
        if asked is None:
            raise BadArgument("the decision asked nothing together with the action: there is no answer to it")
        i = self.model._inquiry(asked)
        return int(lib.agent_observe_answer(self._pointer, a, o, i, self.model._answer(i, answer)))

    def choices(self) -> List[Choice]:
        """As :meth:`Planner.choices`, at the last decision; with inquiries to act, to ask something, or both together.
        Each is worth what it brings if the best is done afterwards."""
        if not self.planner._layered:
            return self.planner.choices()
        with self._lock:
            self.planner._known()
            room = (native.Prospect * max(1, lib.agent_prospects_most(self.model._pointer)))()
            n = lib.agent_prospects(self._pointer, room)
            if n == ANY:
                raise OutOfMemory("out of memory")
            return [self._prospect(prospect) for prospect in room[:n]]

    def _prospect(self, p: native.Prospect) -> Choice:
        action = None if p.move.action == ANY else self.model._kind(ACTION).place(p.move.action)
        return Choice(
            bool(p.ask),
            action,
            None if action is None else self.model.actions[action],
            self._inquiry(p.move),
            p.worth.lower,
            p.worth.upper,
            p.worth.value,
            p.worth.visits,
        )

    def _inquiry(self, move: native.Move) -> Optional[str]:
        asked = self.model.inquiries
        return asked[move.inquiry].name if asked and move.inquiry != ANY else None

    def forecast(self, steps: int = 10) -> List[Forecast]:
        """As :meth:`Planner.forecast`, from the last decision on; with inquiries, what is asked and answered, too."""
        steps = count(steps, "steps")
        if not self.planner._layered:
            return self.planner.forecast(steps)
        with self._lock:
            self.planner._known()
            rows = (native.Event * max(steps, 1))()
            n = lib.agent_forecast(self._pointer, rows, steps)
            if n > steps:
                raise OutOfMemory("out of memory")
            return [self._event(event) for event in rows[:n]]

    def _event(self, e: native.Event) -> Forecast:
        states, actions, symbols = (self.model._kind(kind) for kind in range(3))
        name = self._inquiry(e.move)
        info = None if name is None else self.model.inquiries[e.move.inquiry]
        known = info is not None and e.answer != ANY
        return Forecast(
            bool(e.ask),
            states.place(e.answer) if info is not None and known and info.state and e.answer < len(states) else None,
            None if e.move.action == ANY else actions.place(e.move.action),
            None if e.observation == ANY else symbols.place(e.observation),
            e.probability,
            e.lower,
            e.upper,
            name,
            info.answers[e.answer] if info is not None and known else None,
        )

    def graph(
        self, *, depth: int = 0, probability: float = 0.0, min_gap: float = 0.0, plan: bool = False
    ) -> Graph:
        """As :meth:`Planner.graph`; with inquiries, of the model that is planned on."""
        return self.planner.graph(depth=depth, probability=probability, min_gap=min_gap, plan=plan)

    def explain(self) -> Reasons:
        """As :meth:`Planner.explain`."""
        return self.planner.explain()

    def interrupt(self) -> None:
        """Ends the search that runs in another thread, with the best decision so far."""
        self.planner.interrupt()

    def _stand(self) -> native.Stand:
        stand: native.Stand = lib.agent_stand(self._pointer)
        return stand

    @property
    def phase(self) -> str:
        """What the agent waits for: ``"decide"``, ``"state"`` (it has asked) or ``"observation"``."""
        with self._lock:
            return str(lib.phase_key(self._stand().phase).decode())

    @property
    def over(self) -> bool:
        """Is the horizon of the model reached?"""
        with self._lock:
            return self.planner._layered and self._stand().layer == ANY

    @property
    def lost(self) -> bool:
        """Was an impossible observation let pass? It asks at its next decision then."""
        with self._lock:
            return bool(self._stand().lost)

    @property
    def probability(self) -> float:
        """Of the last observation, before it was made; 0 if it was impossible, NaN before the first one."""
        with self._lock:
            return float(self._stand().probability)

    @property
    def belief(self) -> Belief:
        """The present belief, as a copy."""
        with self._lock:
            row = lib.belief_row(lib.agent_belief(self._pointer))
            return Belief(self.model, {Place(s): p for s, p in row_to_dict(row).items()})

    def close(self) -> None:
        """Gives the agent up; its planner may then follow another one."""
        with self._lock.unless_ending():
            if self.planner._agent is self:
                self.planner._follows = lambda: None
                self.planner._belief = None
                self.planner._planned = False
            super().close()

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<glimpse.Agent with {self.planner.options.kind} for {self.model.source}{state}>"
