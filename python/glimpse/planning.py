"""Planners, which decide, and agents, which keep a belief and drive a planner."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import InitVar, dataclass, fields, make_dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _library as native
from ._library import ACTION, ANY, lib
from ._native import Native, Report, check, choice, count, interruptible, limit, number, renamed, word_today
from .bounds import OfflineBounds
from .errors import BadArgument, Impossible, NotApplicable, OutOfMemory
from .model import Belief, BeliefLike, Label, Model, row_to_dict
from .policy import Policy

#: What there is to choose from.
PLANNERS: List[str] = native.keys(lib.planner_key)
RULES: List[str] = native.keys(lib.rule_key)
IMPROVEMENTS: List[str] = native.keys(lib.improve_key)
ROLLOUTS: List[str] = native.keys(lib.rollout_key)
ACTS: List[str] = native.keys(lib.act_key)
_STATE = native.keys(lib.phase_key).index("state")

#: Seconds for a decision when no limit is given, as in the program.
DEFAULT_TIME = 0.1
# Up to here Ctrl-C can wait for the library.
_BRIEF_SECONDS, _BRIEF_EXPANSIONS = 0.2, 100


@dataclass(frozen=True)
class Budget:
    """When a search ends: at the first limit that is met; ``None`` means no limit.

    With no limit at all a decision gets 0.1 s. With ``epsilon`` or ``decided`` alone the search goes on
    until that is reached or the planner's memory is used up.
    """

    time: Optional[float] = None  #: seconds
    expansions: Optional[int] = None  #: for POMCP: simulations; baselines search nothing
    epsilon: Optional[float] = None  #: the bounds at the root are so close; 0: never for this reason
    decided: bool = False  #: the best choice is certain
    seconds: InitVar[Optional[float]] = None  #: the old name of ``time``

    def __post_init__(self, seconds: Optional[float]) -> None:
        if seconds is not None:
            object.__setattr__(self, "time", renamed("seconds", seconds, "time"))

    def _native(self, flag: Any) -> native.Budget:
        time = self.time
        epsilon = 0.0 if self.epsilon is None else limit(self.epsilon, "epsilon")
        if time is None and self.expansions is None and not epsilon and not self.decided:
            time = DEFAULT_TIME
        if time is not None and not limit(time, "time") > 0:
            raise BadArgument("time must be positive; None means no limit")
        return native.Budget(
            0.0 if time is None else float(time),
            0 if self.expansions is None else count(self.expansions, "expansions", 64, 1),
            epsilon,
            bool(self.decided),
            ctypes.pointer(flag),
        )

    def _brief(self) -> bool:
        budget = self._native(ctypes.c_int(0))
        return bool(0 < budget.time <= _BRIEF_SECONDS or 0 < budget.expansions <= _BRIEF_EXPANSIONS)


def _words(option: native.PlannerOption) -> List[str]:
    return option.argument.decode().split("|") if option.kind == native.CHOICE else []


def _default(option: native.PlannerOption) -> Any:
    """As Python writes it; ``None`` where the library decides."""
    preset = (option.preset or b"").decode()
    if option.kind == native.FLAG:
        return False
    if option.kind == native.CHOICE:
        return preset if preset in _words(option) else None
    if option.kind == native.POSITIVE:
        return None
    return float(preset) if option.kind == native.NUMBER else int(preset.replace("G", "")) << (30 * preset.endswith("G"))


def _description() -> str:
    lines = ["The settings of a planner, by name; ``None`` is the default.", "", "``kind``: one of :data:`PLANNERS`."]
    for option in native.OPTIONS:
        text, default = option.text.decode().replace("\n", "; "), (option.preset or b"off").decode()
        lines.append(f"``{option.field.decode()}``: {text} (default: {default}).")
    lines.append("``policy``: a :class:`Policy`, which ``policy`` follows and other searches start from (default: none).")
    return "\n\n".join(lines)


_FIELDS: List[Tuple[str, Any, Any]] = [("kind", str, "aems-loop")]
_FIELDS += [(option.field.decode(), Any, _default(option)) for option in native.OPTIONS]
_FIELDS.append(("policy", Any, None))
_Options: Any = make_dataclass("_Options", _FIELDS, frozen=True)


class PlannerOptions(_Options):  # type: ignore[misc]
    __doc__ = _description()

    def __init__(self, kind: str = "aems-loop", **options: Any) -> None:
        if "max_bytes" in options:
            options["max_memory"] = renamed("max_bytes", options.pop("max_bytes"), "max_memory") or None
        if "reset" in options:
            options["graph"] = "reset" if renamed("reset", options.pop("reset"), "graph") else None
        known = [field.name for field in fields(_Options)]
        for name in options:
            if name not in known:
                raise TypeError(f"there is no setting {name!r}; there is {', '.join(known)}")
        super().__init__(kind, **options)

    def _native(self) -> native.PlannerOptions:
        result = native.PlannerOptions(choice(self.kind, PLANNERS, "planner"))
        traits = lib.planner_traits(result.kind)
        for option in native.OPTIONS:
            name = option.field.decode()
            value = getattr(self, name)
            if value is None:
                continue
            setattr(result, name, _value(option, name, value))
            if value != _default(option) and not option.traits & traits:
                raise BadArgument(f"the planner {self.kind} does not take {name}")
        if self.policy is not None:
            result.policy = self.policy._pointer._as_parameter_.value
        if self.paper and self.improve == "sound":
            raise BadArgument("with paper, improve must be 'none' or 'paper'")
        return result


def _value(option: native.PlannerOption, name: str, value: Any) -> Any:
    if option.kind == native.FLAG:
        return bool(value)
    if option.kind == native.CHOICE:
        return choice(word_today(name, value), _words(option), name)
    if option.kind in (native.COUNT, native.SIZE):
        return count(value, name, 64, 1)
    result = number(value, name)
    if option.kind == native.POSITIVE and not result > 0:
        raise BadArgument(f"{name} must be positive; None is the default")
    return result


def make_options(kind: Any, options: Dict[str, Any]) -> PlannerOptions:
    if isinstance(kind, PlannerOptions):
        if options:
            raise TypeError("give the settings in the PlannerOptions, or as arguments, not both")
        return kind
    return PlannerOptions(kind, **options)


@dataclass(frozen=True)
class Decision:
    """What to do now, and how sure that is. NaN where the planner has no such number."""

    ask: bool  #: ask for the state first
    action: Optional[int]  #: otherwise: do this; ``None`` when it asks
    label: Optional[Label]  #: the same as a label
    lower: float  #: bounds on the value here
    upper: float
    offline_lower: float  #: without any search
    offline_upper: float
    value: float  #: what the planner expects (POMCP)
    expansions: int  #: of this decision
    nodes: int  #: beliefs held
    corners: int  #: known states that were expanded
    bytes: int  #: memory of the graph or tree
    dropped: int  #: beliefs forgotten for lack of memory, in this episode
    refused: int  #: allocations that the system refused: the search did with less
    seconds: float
    stop: str  #: why the search ended: ``"time"``, ``"expansions"``, ``"decided"`` …

    @classmethod
    def _of(cls, model: Model, d: native.Decision) -> "Decision":
        action = None if d.ask or d.action == ANY else int(d.action)
        return cls(
            bool(d.ask),
            action,
            None if action is None else model.actions[action],
            d.lower,
            d.upper,
            d.offline_lower,
            d.offline_upper,
            d.value,
            d.expansions,
            d.nodes,
            d.corners,
            d.bytes,
            d.dropped,
            d.refused,
            d.seconds,
            lib.stop_key(d.stop).decode(),
        )


@dataclass(frozen=True)
class Choice:
    """One choice at the present belief. NaN where the planner has no such number."""

    ask: bool
    action: Optional[int]  #: ``None`` for asking
    label: Optional[Label]
    lower: float
    upper: float
    value: float
    visits: int  #: POMCP: simulations through it


@dataclass(frozen=True)
class Forecast:
    """One step of the most likely course of a plan."""

    ask: bool  #: it asks here …
    state: Optional[int]  #: … and is told this, most probably
    action: Optional[int]  #: then it does this; ``None``: not searched that far
    observation: Optional[int]  #: and sees this, most probably; ``None``: not searched that far
    probability: float  #: of all this, from the start of the forecast
    lower: float  #: bounds at the belief before it
    upper: float


class Planner(Native):
    """Decides, from a belief, whether to ask for the state and what to do.

    :param kind: one of :data:`PLANNERS` (``"aems-loop"``, ``"aems-sr"``, ``"aems"``, ``"pomcp"``, the
        baselines and ``"policy"``), or :class:`PlannerOptions`.
    :param offline: bounds to share with other planners; by default they are computed here.
    :param upper: the upper bound of those that are computed here.
    :param options: the fields of :class:`PlannerOptions`.

    A planner follows one course of events: :meth:`begin`, then :meth:`plan`, :meth:`reveal` and
    :meth:`observe`. :class:`Agent` calls them in order and keeps the belief.
    """

    def __init__(
        self,
        model: Model,
        kind: Any = "aems-loop",
        *,
        offline: Optional[OfflineBounds] = None,
        upper: Optional[str] = None,
        **options: Any,
    ) -> None:
        self.options = make_options(kind, options)
        settings = self.options._native()
        if offline is not None and upper is not None:
            raise TypeError("give offline bounds or the kind of the upper one, not both")
        use = model._use()
        with Report() as report:
            report.check(lib.model_plannable(model._pointer, report.pointer))
        if lib.model_planning(model._pointer) != model._pointer._as_parameter_.value:
            raise NotApplicable(
                "planners and agents in Python know only requests for the state before an action, and this model has "
                "other inquiries or limits: episodes, policies and the program know them"
            )
        if offline is None and (lib.planner_needs_offline(ctypes.byref(settings)) or upper is not None):
            offline = OfflineBounds(model, upper)
        pointer = ctypes.c_void_p()
        with Report() as report:
            report.check(
                lib.planner_new(
                    model._pointer,
                    None if offline is None else offline._pointer,
                    ctypes.byref(settings),
                    report.pointer,
                    ctypes.byref(pointer),
                )
            )
        assert pointer.value
        self.model = model
        #: The bounds that it starts from; ``None`` for POMCP and policies, which need none.
        self.offline = offline
        borrows = [model._pointer] + ([] if offline is None else [offline._pointer])
        if self.options.policy is not None:
            borrows.append(self.options.policy._pointer)
        self._adopt(pointer.value, lib.planner_free, borrows, keep=use)
        # Weak, so that an agent and its planner are freed as soon as they are forgotten.
        self._follows: Any = lambda: None
        self._flag = ctypes.c_int(0)
        self._belief: Optional[Belief] = None
        self._planned = False

    @property
    def _agent(self) -> Optional["Agent"]:
        agent: Optional["Agent"] = self._follows()
        return agent

    def _mine(self) -> None:
        if self._agent is not None:
            raise BadArgument("this planner follows an agent: use the agent's methods")

    def begin(self, belief: BeliefLike = None, *, episode: int = 0) -> None:
        """A new episode at a belief (default: the start); ``episode`` numbers POMCP's random stream."""
        episode = count(episode, "episode", 64)
        with self._lock:
            self._mine()
            new = self.model.belief(belief)
            check(lib.planner_begin(self._pointer, lib.belief_row(new._pointer), episode))
            self._belief = new
            self._planned = False

    @property
    def belief(self) -> Optional[Belief]:
        """The present belief, as a copy; ``None`` before :meth:`begin`."""
        agent = self._agent
        if agent is not None:
            return agent.belief
        with self._lock:
            return None if self._belief is None else Belief(self.model, self._belief)

    def plan(
        self,
        *,
        time: Optional[float] = None,
        expansions: Optional[int] = None,
        epsilon: Optional[float] = None,
        decided: bool = False,
        seconds: Optional[float] = None,
    ) -> Decision:
        """Searches from the present belief (the start, when nothing was begun) within a :class:`Budget`.
        May be called again, to go on with the search."""
        budget = Budget(time, expansions, epsilon, decided, seconds)
        with self._lock:
            self._mine()
            if self._belief is None:
                self.begin()
            pointer, limits = self._pointer, ctypes.byref(budget._native(self._flag))
            decision, interrupt = self._search(
                lambda result: lib.planner_plan(pointer, limits, result), budget._brief()
            )
            if interrupt is not None:
                raise interrupt
            return decision

    def _search(
        self, call: Callable[[Any], Any], brief: bool
    ) -> Tuple[Decision, Optional[BaseException]]:
        """The caller holds the lock, and raises the exception when it has noted the decision."""
        self.model._pointer  # not closed
        self._flag.value = 0
        result = native.Decision()
        status, interrupt = interruptible(lambda: call(ctypes.byref(result)), self._flag, brief)
        if status and interrupt is not None:
            raise interrupt
        check(status)
        self._planned = True
        return Decision._of(self.model, result), interrupt

    def interrupt(self) -> None:
        """Ends the search that runs in another thread; it returns the best decision so far, with ``stop`` as
        ``"interrupted"``."""
        self._flag.value = 1

    def reveal(self, state: Label) -> None:
        """The state was told: from here on no asking before the next observation."""
        s = self.model.state(state)
        with self._lock:
            self._mine()
            if self._belief is None:
                raise BadArgument("begin an episode first")
            check(lib.planner_reveal(self._pointer, s))
            self._belief.reveal(s)
            self._planned = False

    def observe(self, action: Label, observation: Label) -> None:
        """The action was done, and this observed."""
        a, o = self.model.action(action), self.model.observation(observation)
        with self._lock:
            self._mine()
            if self._belief is None:
                raise BadArgument("begin an episode first")
            self._belief.update(a, o)
            row = lib.belief_row(self._belief._pointer)
            check(lib.planner_observe(self._pointer, a, o, row))
            self._planned = False

    def choices(self) -> List[Choice]:
        """All choices at the belief of the last search, the actions first and asking, where it is possible,
        last."""
        with self._lock:
            self._known()
            numbers = list(range(lib.model_count(self.model._pointer, ACTION)))
            if self.model.requests:
                numbers.append(ANY)
            found = []
            for a in numbers:
                c = lib.planner_choice(self._pointer, a)
                action = None if a == ANY else a
                label = None if a == ANY else self.model.actions[a]
                found.append(Choice(a == ANY, action, label, c.lower, c.upper, c.value, c.visits))
            return found

    def forecast(self, steps: int = 10) -> List[Forecast]:
        """The most likely course of the plan, up to so many steps."""
        steps = count(steps, "steps")
        with self._lock:
            self._known()
            rows = (native.Forecast * max(steps, 1))()
            n = lib.planner_forecast(self._pointer, rows, steps)
            if n > steps:
                raise OutOfMemory("out of memory")
            return [
                Forecast(
                    bool(f.ask),
                    int(f.state) if f.ask else None,
                    _some(f.action),
                    _some(f.observation) if f.action != ANY else None,
                    f.probability,
                    f.lower,
                    f.upper,
                )
                for f in rows[:n]
            ]

    def _known(self) -> None:
        if not self._planned:
            raise BadArgument("there is no search to look at yet: plan first")

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<glimpse.Planner {self.options.kind} for {self.model.source}{state}>"


def _some(value: int) -> Optional[int]:
    return None if value == ANY else int(value)


class Agent(Native):
    """A belief and a planner, in the two phases of a step::

        agent = glimpse.Agent(model)
        while running:
            decision = agent.decide(time=0.1)
            if decision.ask:
                decision = agent.reveal(the_true_state())  # or agent.no_answer()
            agent.observe(decision.action, do(decision.action))

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
                raise BadArgument("the agent has asked for the state: call reveal(state) or no_answer(), then act")
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

    def no_answer(self) -> Decision:
        """Nobody answers the request: what to do at the belief as it is, within what is left of the budget. The
        agent does not ask again in this step."""
        with self._lock:
            if self.phase != "state":
                raise BadArgument("the agent has not asked for the state")
            pointer = self._pointer
            return self._note(*self.planner._search(lambda d: lib.agent_no_answer(pointer, d), self._brief))

    def observe(self, action: Label, observation: Label) -> None:
        """What was done and then seen. Raises :class:`~glimpse.errors.Impossible`, and changes nothing, when
        the model excludes that: observe something else, or :meth:`reveal` the state."""
        a, o = self.model.action(action), self.model.observation(observation)
        with self._lock:
            phase = self.phase
            if phase == "state":
                raise BadArgument("the agent has asked for the state: call reveal(state) or no_answer() first")
            if phase == "decide":
                raise BadArgument("nothing was decided since the last observation: call decide() first")
            status = lib.agent_observe(self._pointer, a, o)
            if status == 7:
                raise Impossible(
                    f"after {self.model.actions[a]!r} the model excludes the observation "
                    f"{self.model.observations[o]!r} at this belief: observe something else, "
                    "or reveal the state"
                )
            check(status)
            self.planner._planned = False

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
            return Belief(self.model, row_to_dict(row))

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
