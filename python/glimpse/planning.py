"""Planners, which decide from a belief."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from . import _library as native
from ._labels import hinting
from ._library import ACTION, ANY, OBSERVATION, STATE, lib
from ._native import Native, Report, check, choice, count, interruptible, number_text
from .belief import Belief, BeliefLike, Label
from .bounds import OfflineBounds
from .decisions import Choice, Decision, Forecast
from .errors import BadArgument, Impossible, NotApplicable, OutOfMemory
from .graph import Graph
from .model import Model
from .options import PLANNERS, Budget, make_options
from .reasons import RULES, Grounds, Reasons, Weighed, name_of, weigh

if TYPE_CHECKING:
    from .agent import Agent


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
        self.options = make_options(kind, options, ["offline", "upper"])
        settings = self.options._native()
        if offline is not None and upper is not None:
            raise TypeError("give offline bounds or the kind of the upper one, not both")
        use = model._use()
        with Report() as report:
            report.check(lib.model_plannable(model._pointer, report.pointer))
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
        self._decision: Optional[Decision] = None
        self._layered = model.planning is not model

    @property
    def _agent(self) -> Optional["Agent"]:
        agent: Optional["Agent"] = self._follows()
        return agent

    def _mine(self) -> None:
        if self._agent is not None:
            raise BadArgument("this planner follows an agent: use the agent's methods")
        if self._layered:
            raise NotApplicable(
                "this model has inquiries or limits, and only an agent knows what was asked: use glimpse.Agent(model), "
                "or plan on glimpse.Planner(model.planning), in which asking is an action"
            )

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

    @hinting
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
        if status == 7 and self._agent is not None:
            raise Impossible(self._agent._excluded)
        check(status)
        self._planned = True
        self._decision = Decision._of(self.model, result)
        return self._decision, interrupt

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
            if self._layered:
                agent = self._agent
                return [] if agent is None else agent.choices()
            numbers = list(range(lib.model_count(self.model._pointer, ACTION)))
            if self.model.requests:
                numbers.append(ANY)
            found = []
            for a in numbers:
                c = lib.planner_choice(self._pointer, a)
                action = None if a == ANY else self.model._kind(ACTION).place(a)
                label = None if a == ANY else self.model.actions[a]
                found.append(Choice(a == ANY, action, label, None, c.lower, c.upper, c.value, c.visits))
            return found

    def forecast(self, steps: int = 10) -> List[Forecast]:
        """The most likely course of the plan, up to so many steps."""
        steps = count(steps, "steps")
        with self._lock:
            self._known()
            if self._layered:
                agent = self._agent
                return [] if agent is None else agent.forecast(steps)
            kinds = [self.model._kind(kind) for kind in range(3)]
            rows = (native.Forecast * max(steps, 1))()
            n = lib.planner_forecast(self._pointer, rows, steps)
            if n > steps:
                raise OutOfMemory("out of memory")
            return [
                Forecast(
                    bool(f.ask),
                    kinds[STATE].place(f.state) if f.ask else None,
                    None if f.action == ANY else kinds[ACTION].place(f.action),
                    None if ANY in (f.action, f.observation) else kinds[OBSERVATION].place(f.observation),
                    f.probability,
                    f.lower,
                    f.upper,
                )
                for f in rows[:n]
            ]

    def graph(
        self, *, depth: int = 0, probability: float = 0.0, min_gap: float = 0.0, plan: bool = False
    ) -> Graph:
        """The graph of the last search: at most ``depth`` steps from the current belief (asking is no step), along
        paths that are at least so probable, not beyond beliefs whose bounds are closer than ``min_gap``; with
        ``plan`` only what the plan does. 0 is no limit."""
        with self._lock:
            self._known()
            return Graph(self, depth, probability, min_gap, plan)

    def explain(self) -> Reasons:
        """Why the last decision was made, and how sure it is."""
        with self._lock:
            self._known()
            assert self._decision is not None
            return weigh(self._grounds(self._decision))

    def _grounds(self, d: Decision) -> Grounds:
        model, options = self.model, self.options
        traits = lib.planner_traits(choice(options.kind, PLANNERS, "planner"))
        estimates = bool(traits & native.TRAIT_RANDOM)
        weighed = [
            Weighed(c.label, c.inquiry, c.ask, *((c.value, c.value) if estimates else (c.lower, c.upper)))
            for c in self.choices()
        ]
        if not self._layered and not model.requests:
            weighed.append(Weighed(None, None, True, math.nan, math.nan))
        made = (d.label, d.inquiry, d.ask)
        belief = self.belief
        assert belief is not None
        acts = ""
        if not d.ask and options.kind != "spi":
            known = "the best if the state were known for free from the next step on"
            plans = "the one of largest lower bound among the plans that the rule allows"
            acts = f" The action is {known if options.act == 'qmdp' else plans}."
        return Grounds(
            name_of(*made),
            next((w for w in weighed if (w.label, w.inquiry, w.ask) == made), None),
            weighed,
            d.lower,
            d.upper,
            estimates,
            options.kind,
            bool(traits & native.TRAIT_RULE or traits & native.TRAIT_FOLLOWS and self.offline is None),
            self._rule(belief),
            acts,
            d.stop == "off-plan",
            d.expansions,
            [(i.name, i.timing == "joint", model._price_text(i.name)) for i in model.inquiries] if self._layered else [],
            model._price_text() if model.requests else "",
            len(belief.items()) == 1,
        )

    def _rule(self, belief: Belief) -> str:
        """What the planner does, if it follows a rule."""
        options = self.options
        if options.kind == "ask-every":
            return f"ask at the first step and then every {options.every} step{'' if options.every == 1 else 's'}"
        if options.kind == "ask-entropy":
            joint = any(inquiry.timing == "joint" for inquiry in self.model.inquiries)
            bits, later = number_text(options.entropy), ", or will have after the action" if joint else ""
            plural = "" if options.entropy == 1 else "s"
            return f"ask when the belief has more than {bits} bit{plural}{later}; it has {belief.entropy:.3f}"
        return RULES.get(options.kind, "")

    def _known(self) -> None:
        if not self._planned:
            raise BadArgument("there is no search to look at yet: plan first")

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<glimpse.Planner {self.options.kind} for {self.model.source}{state}>"
