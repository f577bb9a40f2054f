"""Value and best choice over beliefs, of searches or of a policy."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional

from . import _plotting
from ._labels import hinting
from ._native import count
from .errors import BadArgument
from .belief import Label
from .model import Model
from .agent import Agent
from .policy import Policy

_ROOT = math.sqrt(3) / 2  # height of the triangle


class BeliefMap:
    """Value and best choice over the beliefs of a model with two or three states, as ``glimpse map`` shows them.

    :param points: beliefs from one state to another, at least 2.
    :param policy: map what the nodes of this policy are worth, and the choice of the best; nothing is searched.
    :param planner: the planner that searches otherwise, or its name.
    :param time, expansions, epsilon: budget of the search at each belief; by default 200 expansions.

    ``beliefs``, ``lower``, ``upper`` and ``choices`` have an entry for each belief; :meth:`arrays` has the numbers for
    NumPy, :meth:`plot` draws them with matplotlib.
    """

    model: Model
    policy: Optional[Policy]
    beliefs: List[List[float]]  #: a probability per state
    lower: List[float]  #: bounds on the value; of a policy, what it is worth at least
    upper: List[float]
    choices: List[Optional[Label]]  #: the action that is best, or the inquiry; ``None``: ask for the state
    nodes: List[int]  #: of a policy: the node that is best; otherwise empty
    vectors: List[List[float]]  #: of a policy: what each node is worth in each state; otherwise empty

    @hinting
    def __init__(
        self,
        model: Model,
        *,
        points: int = 21,
        policy: Optional[Policy] = None,
        planner: str = "aems-loop",
        time: Optional[float] = None,
        expansions: Optional[int] = None,
        epsilon: Optional[float] = None,
    ) -> None:
        states = len(model.states)
        points = count(points, "points")
        if states not in (2, 3):
            raise BadArgument(f"a map needs a model with two or three states; this one has {states}")
        if points < 2:
            raise BadArgument("points: at least 2")
        if policy is not None and not (time is None and expansions is None and epsilon is None):
            raise BadArgument("policy: nothing is searched then; it excludes time, expansions and epsilon")
        self.model, self.policy = model, policy
        self.beliefs = _line(points) if states == 2 else _triangle(points)
        self.lower, self.upper, self.choices, self.nodes, self.vectors = [], [], [], [], []
        if policy is not None:
            self._look(policy)
        else:
            if time is None and epsilon is None and expansions is None:
                expansions = 200
            self._search(planner, {"time": time, "expansions": expansions, "epsilon": epsilon})

    def _search(self, kind: str, budget: Dict[str, Any]) -> None:
        with Agent(self.model, kind) as agent:
            for belief in self.beliefs:
                agent.begin(belief)
                decision = agent.decide(**budget)
                self.lower.append(decision.lower)
                self.upper.append(decision.upper)
                self.choices.append(decision.inquiry if decision.ask and decision.inquiry else decision.label)

    def _look(self, policy: Policy) -> None:
        self.vectors = policy.values(self.model)
        actions = self.model.planning.actions  # with inquiries, asking is one of them
        labels = [None if node.ask else actions[node.action or 0] for node in policy.nodes]
        for belief in self.beliefs:
            worth = [sum(p * v for p, v in zip(belief, vector)) for vector in self.vectors]
            best = max(range(len(worth)), key=worth.__getitem__)
            self.lower.append(worth[best])
            self.upper.append(worth[best])
            self.choices.append(labels[best])
            self.nodes.append(best)

    def arrays(self) -> Any:
        """``belief`` (a row for each), ``lower`` and ``upper`` as NumPy arrays, by name."""
        return _plotting.arrays(belief=self.beliefs, lower=self.lower, upper=self.upper)  # type: ignore[arg-type]

    def plot(self, axes: Any = None) -> Any:
        """Draws it with matplotlib, on ``axes`` or in a new figure, and returns the axes. Two states: the value between
        its bounds, or the lines of a policy's nodes and their maximum. Three: a triangle, coloured by the choice."""
        axes = _plotting.new_axes() if axes is None else axes
        line = len(self.model.states) == 2
        (self._plot_line if line else self._plot_triangle)(axes)
        axes.set_title("What a policy is worth" if self.policy else "Value and best choice", pad=6 if line else 20)
        axes.legend(loc="best" if line else "upper right", frameon=False)
        return axes

    def _series(self) -> Dict[str, List[int]]:
        """Which beliefs have a choice; of a policy with few nodes, which have a node."""
        few = self.nodes and len(set(self.nodes)) <= len(_plotting.COLOURS)
        series: Dict[str, List[int]] = {}
        for i, choice in enumerate(self.choices):
            name = "ask" if choice is None else str(choice)
            series.setdefault(f"{name} (node {self.nodes[i]})" if few else name, []).append(i)
        return series

    def _plot_line(self, axes: Any) -> None:
        x = [belief[1] for belief in self.beliefs]
        if self.policy:
            for i, vector in enumerate(self.vectors):
                axes.plot([0, 1], vector, color="0.75", linewidth=0.8, label=None if i else "each node")
            axes.plot(x, self.lower, color="0.25", linewidth=1.5, label="the best")
            low, high = min(self.lower), max(self.lower)
            height = (high - low) or 1.0
            axes.set_ylim(low - height, high + 0.1 * height)  # lines may go far down where another one is best
        else:
            axes.fill_between(x, self.lower, self.upper, color="0.8", label="between bounds")
        for k, (name, places) in enumerate(self._series().items()):
            y = [(self.lower[i] + self.upper[i]) / 2 for i in places]
            colour = _plotting.COLOURS[k % len(_plotting.COLOURS)]
            axes.plot([x[i] for i in places], y, "o", markersize=4, color=colour, label=name)
        axes.set_xlabel(f"probability of {self.model.states[1]}")
        axes.set_ylabel("value")

    def _plot_triangle(self, axes: Any) -> None:
        size = max(2.0, 300.0 / math.sqrt(2 * len(self.beliefs)))  # they touch in a figure of the usual size
        for k, (name, places) in enumerate(self._series().items()):
            x = [self.beliefs[i][1] + self.beliefs[i][2] / 2 for i in places]
            y = [self.beliefs[i][2] * _ROOT for i in places]
            colour = _plotting.COLOURS[k % len(_plotting.COLOURS)]
            axes.plot(x, y, "o", markersize=size, color=colour, label=name, markeredgewidth=0)
        for state, (x0, y0, where) in zip(self.model.states, [(0, -0.05, "top"), (1, -0.05, "top"), (0.5, 0.92, "bottom")]):
            axes.text(x0, y0, str(state), ha="center", va=where)
        axes.set_aspect("equal")
        axes.set_axis_off()

    def __len__(self) -> int:
        return len(self.beliefs)

    def __repr__(self) -> str:
        kind = "a policy" if self.policy else "searches"
        return f"<glimpse.BeliefMap of {self.model.source}: {len(self)} beliefs, by {kind}>"


def _line(points: int) -> List[List[float]]:
    return [[1 - i / (points - 1), i / (points - 1)] for i in range(points)]


def _triangle(points: int) -> List[List[float]]:
    last = points - 1
    return [
        [(row - column) / last, column / last, (last - row) / last]
        for row in range(points)
        for column in range(row + 1)
    ]
