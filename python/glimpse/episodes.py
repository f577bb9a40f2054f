"""Simulated episodes and their statistics."""

from __future__ import annotations

import ctypes
import inspect
import math
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _library as native
from ._library import ANY, lib
from ._native import Report, count, interruptible
from .bounds import OfflineBounds
from .belief import Label, row_to_dict
from .model import Model
from .decisions import Decision
from .options import Budget, PlannerOptions, make_options


@dataclass(frozen=True)
class Answer:
    """An inquiry that was answered."""

    inquiry: str
    answer: Label  #: ``None``: there was none
    price: float  #: that was paid

    @classmethod
    def _of(cls, model: Model, answer: native.Answer) -> "Answer":
        info = model.inquiries[answer.inquiry]
        return cls(info.name, info.answers[answer.answer], answer.price)


@dataclass(frozen=True)
class Step:
    """One step of an episode."""

    episode: int
    step: int  #: from 0
    state: int  #: the true one, before the action
    belief: Dict[int, float]  #: before asking
    decision: Decision  #: the first one: ask or act
    after: Optional[Decision]  #: when it asked: the last one
    asked: bool
    answers: Tuple[Answer, ...]  #: of a model with inquiries: what was asked in this step, in this order
    action: Optional[int]  #: ``None``: nobody acted, because an inquiry took the step
    next_state: int
    observation: Optional[int]  #: likewise
    reward: float  #: of the action, without the price of asking
    cost: float  #: paid for asking
    total: float  #: discounted return so far, this step included
    undiscounted: float  #: the same without the discount: rewards less prices
    last: bool

    @classmethod
    def _of(cls, model: Model, s: native.Step) -> "Step":
        states, actions, symbols = (model._kind(kind) for kind in range(3))
        return cls(
            s.episode,
            s.step,
            states.place(s.state),
            states.row(row_to_dict(s.belief)),
            Decision._of(model, s.decision),
            Decision._of(model, s.after) if s.asked else None,
            bool(s.asked),
            tuple(Answer._of(model, s.answer[i]) for i in range(s.answers)) if model.inquiries else (),
            None if s.action == ANY else actions.place(s.action),
            states.place(s.next_state),
            None if s.observation == ANY else symbols.place(s.observation),
            s.reward,
            s.cost,
            s.total,
            s.undiscounted,
            bool(s.last),
        )


@dataclass(frozen=True)
class Episode:
    """What came of one episode."""

    number: int
    total: float  #: discounted return
    undiscounted: float  #: rewards less prices, each at its full value
    steps: int
    requests: int
    finished: bool  #: a terminal state was reached before the step cap
    expansions: float  #: mean per step
    error_reduction: float  #: mean over steps, in percent; NaN without bounds
    seconds: float  #: of planning, in all
    lower: float  #: bounds at the first decision
    upper: float
    refused: int  #: allocations that the system refused to the planner, here or in an episode before
    asked: Dict[str, int] = field(default_factory=dict)  #: of a model with inquiries: how often each was made


@dataclass(frozen=True)
class Statistic:
    """Mean, standard error and 95 % interval (Student's t); NaN for fewer than two numbers."""

    mean: float
    se: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Statistic":
        """Of some numbers."""
        n = len(values)
        if n == 0:
            return cls(math.nan, math.nan, math.nan, math.nan)
        s = lib.statistic_of((ctypes.c_double * n)(*values), n)
        return cls(s.mean, s.se, s.low, s.high)

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.se:.4f}"


class Results(Sequence[Episode]):
    """The episodes of one run, as a sequence, and their statistics."""

    def __init__(self, episodes: List[Episode]) -> None:
        self._episodes = episodes

    def __getitem__(self, i: Any) -> Any:
        return self._episodes[i]

    def __len__(self) -> int:
        return len(self._episodes)

    def statistic(self, name: str = "total") -> Statistic:
        """Of a field of :class:`Episode`."""
        return Statistic.of([float(getattr(episode, name)) for episode in self._episodes])

    def asked(self, inquiry: str) -> Statistic:
        """Of how often an inquiry was made."""
        return Statistic.of([float(episode.asked[inquiry]) for episode in self._episodes])

    @property
    def total(self) -> Statistic:
        """Of the discounted return."""
        return self.statistic("total")

    @property
    def undiscounted(self) -> Statistic:
        """Of the return without the discount."""
        return self.statistic("undiscounted")

    @property
    def requests(self) -> Statistic:
        """Of the number of requests."""
        return self.statistic("requests")

    @property
    def steps(self) -> Statistic:
        """Of the number of steps."""
        return self.statistic("steps")

    def __repr__(self) -> str:
        return f"<glimpse.Results of {len(self)} episodes: return {self.total}>"


def run(
    model: Model,
    planner: Any = "aems-loop",
    *,
    episodes: int = 20,
    first: int = 0,
    seed: int = 1,
    max_steps: int = 1000,
    jobs: int = 1,
    time: Optional[float] = None,
    expansions: Optional[int] = None,
    epsilon: Optional[float] = None,
    decided: bool = False,
    offline: Optional[OfflineBounds] = None,
    upper: Optional[str] = None,
    ask_when_lost: bool = False,
    on_step: Optional[Callable[[Step], Any]] = None,
    on_episode: Optional[Callable[[Episode], Any]] = None,
    seconds: Optional[float] = None,
    **options: Any,
) -> Results:
    """Plays episodes in simulated worlds.

    :param planner: a kind, with ``options`` as its settings, or :class:`~glimpse.PlannerOptions`.
    :param first: number of the first episode; an episode depends on its number and ``seed`` alone.
    :param jobs: threads. Results do not depend on it when the budget is one of expansions.
    :param seed: of the worlds and, unless ``planner`` is :class:`~glimpse.PlannerOptions`, of the planner.
    :param time: the budget of each step, as for :class:`~glimpse.Budget`.
    :param on_step: called after each step; ``False`` as its result ends all episodes.
    :param on_episode: called after each episode.

    The functions are called from the threads that play, one at a time. An exception in them ends the run
    and is raised here; so does Ctrl-C. Episodes that did not end because of ``False`` are left out.
    """
    if not isinstance(planner, PlannerOptions):
        options["seed"] = seed
    settings: PlannerOptions = make_options(planner, options, list(inspect.signature(run).parameters))
    budget = Budget(time, expansions, epsilon, decided, seconds)
    flag = ctypes.c_int(0)
    n = count(episodes, "episodes", 32, 1)
    first = count(first, "first", 64)
    order = native.Run(
        episodes=n,
        first=first,
        seed=count(seed, "seed", 64, 1),
        max_steps=count(max_steps, "max_steps", 32, 1),
        jobs=count(jobs, "jobs", 16, 1),
        budget=budget._native(flag),
        planner=settings._native(),
        agent=native.AgentOptions(bool(ask_when_lost)),
    )
    use = model._use()  # the cost does not change meanwhile
    with Report() as report:
        report.check(lib.model_plannable(model._pointer, report.pointer))
    if offline is not None and upper is not None:
        raise TypeError("give offline bounds or the kind of the upper one, not both")
    if offline is None and (lib.planner_needs_offline(ctypes.byref(order.planner)) or upper is not None):
        offline = OfflineBounds(model, upper)
    calls = _Calls(model, flag, on_step, on_episode)
    if on_step is not None:
        order.step = native.StepFunction(calls.step)
    if on_episode is not None:
        order.done = native.DoneFunction(calls.done)
    results = (native.Episode * n)()
    inquiries = [inquiry.name for inquiry in model.inquiries]
    asked = (ctypes.c_uint32 * max(1, n * len(inquiries)))()
    order.asked = asked
    # Held here, so that closing them meanwhile frees nothing.
    world, known = model._pointer, None if offline is None else offline._pointer
    followed = None if settings.policy is None else settings.policy._pointer  # noqa: F841
    with Report() as report:

        def call() -> int:
            return int(
                lib.run_episodes(world, known, ctypes.byref(order), report.pointer, results)
            )

        status, interrupt = interruptible(call, flag, False)
        if calls.failure is not None:
            raise calls.failure
        if interrupt is not None:
            raise interrupt
        report.check(status)
    k = len(inquiries)
    return Results(
        [
            _episode(first + i, r, dict(zip(inquiries, asked[i * k : (i + 1) * k])))
            for i, r in enumerate(results)
            if not math.isnan(r.total)
        ]
    )


class _Calls:
    """The caller's functions, from the library's threads."""

    def __init__(self, model: Model, flag: Any, on_step: Any, on_episode: Any) -> None:
        self.model = model
        self.flag = flag
        self.on_step = on_step
        self.on_episode = on_episode
        self.failure: Optional[BaseException] = None
        self.lock = threading.Lock()  # Python may change threads in the middle of a call

    def step(self, _context: Any, step: Any) -> bool:
        with self.lock:
            if self.failure is not None:
                return False
            try:
                return self.on_step(Step._of(self.model, step.contents)) is not False
            except BaseException as error:
                self.fail(error)
                return False

    def done(self, _context: Any, number: int, episode: Any) -> None:
        with self.lock:
            if self.failure is not None:
                return
            try:
                self.on_episode(_episode(number, episode.contents))
            except BaseException as error:
                self.fail(error)

    def fail(self, error: BaseException) -> None:
        self.failure = error
        self.flag.value = 1


def _episode(number: int, r: native.Episode, asked: Optional[Dict[str, int]] = None) -> Episode:
    return Episode(
        number,
        r.total,
        r.undiscounted,
        r.steps,
        r.requests,
        bool(r.finished),
        r.expansions,
        r.error_reduction,
        r.seconds,
        r.lower,
        r.upper,
        r.refused,
        asked or {},
    )
