"""Pictures with matplotlib: beliefs, grids, vectors, and bounds over a search.

Each function draws on the ``axes`` that it is given or in a new figure, and returns the axes:
``glimpse.plots.belief(b).figure.savefig("belief.png")``. Maps and curves of prices draw themselves
(:meth:`glimpse.BeliefMap.plot`, :meth:`glimpse.PriceCurve.plot`).
"""

from __future__ import annotations

from typing import Any, List, Optional, Union

from . import _plotting
from .belief import Belief
from .bounds import Bound
from .errors import BadArgument, NotApplicable
from .model import Model
from .planning import Planner
from .policy import Policy


def belief(shown: Belief, axes: Any = None, *, most: int = 12) -> Any:
    """The most probable states, with their probabilities."""
    axes = _plotting.new_axes() if axes is None else axes
    items = shown.items()
    first = items[:most]
    names, values = [str(label) for label, _ in first], [p for _, p in first]
    if len(items) > most:
        names.append(f"{len(items) - most} more")
        values.append(sum(p for _, p in items[most:]))
    places = list(range(len(names)))
    axes.barh(places, values, color=_plotting.COLOURS[0])
    axes.set_yticks(places)
    axes.set_yticklabels(names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("probability")
    return axes


def grid(shown: Belief, layer: Union[int, str] = 0, axes: Any = None) -> Any:
    """Where the mark of a layer of a grid (the robot, the package …) may be."""
    scene = shown.model.scene
    if scene is None:
        raise NotApplicable("this model has no grid to draw")
    axes = _plotting.new_axes() if axes is None else axes
    chances = scene.chances(layer, shown)
    most = max(max(row) for row in chances) or 1.0
    image = axes.imshow(chances, cmap="Blues", vmin=0.0, vmax=most)
    for r, line in enumerate(scene.background):
        for c, sign in enumerate(line):
            if sign == "#":
                axes.add_patch(_rectangle(c, r))
            elif sign != " ":
                colour = "white" if 2 * chances[r][c] > most else "0.35"
                axes.text(c, r, sign, ha="center", va="center", color=colour)
    name = layer if isinstance(layer, str) else scene.names[layer]
    axes.figure.colorbar(image, ax=axes, label=f"probability of the {name}")
    axes.set_xticks([])
    axes.set_yticks([])
    return axes


def _rectangle(column: int, row: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, color="0.3")


def vectors(source: Union[Bound, Policy], model: Optional[Model] = None, axes: Any = None) -> Any:
    """The vectors of a bound or a policy (which needs its ``model``) over the beliefs of a model with two states, and
    their maximum."""
    if isinstance(source, Policy):
        if model is None:
            raise TypeError("the vectors of a policy need its model")
        lines, title = source.values(model), "value of each node"
    else:
        model, lines, title = source.model, source.vectors(), f"{source.kind} ({source.side} bound)"
    if len(model.states) != 2:
        raise BadArgument(f"vectors are drawn for models with two states; this one has {len(model.states)}")
    axes = _plotting.new_axes() if axes is None else axes
    x = [i / 100 for i in range(101)]
    for i, line in enumerate(lines):
        axes.plot([0, 1], line[:2], color="0.75", linewidth=0.9, label=None if i else "each vector")
    best = [max((1 - p) * line[0] + p * line[1] for line in lines) for p in x]
    axes.plot(x, best, color=_plotting.COLOURS[0], linewidth=2, label="the largest")
    height = (max(best) - min(best)) or 1.0
    axes.set_ylim(min(best) - height, max(best) + 0.1 * height)  # lines may go far down where another one is best
    axes.set_xlabel(f"probability of {model.states[1]}")
    axes.set_ylabel("value")
    axes.set_title(title)
    axes.legend(frameon=False)
    return axes


def bounds(model: Model, axes: Any = None, *, expansions: int = 1000, points: int = 40, planner: Any = "aems-loop") -> Any:
    """Lower and upper bound at the start while a search goes on, up to so many expansions."""
    if points < 2 or expansions < points:
        raise BadArgument("at least 2 points, and an expansion for each")
    axes = _plotting.new_axes() if axes is None else axes
    at: List[int] = []
    lower: List[float] = []
    upper: List[float] = []
    with Planner(model.planning, planner) as search:
        done = 0
        for i in range(points):
            wanted = round(expansions ** ((i + 1) / points))  # evenly over the logarithm
            if wanted <= done:
                continue
            decision = search.plan(expansions=wanted - done)
            done = done + decision.expansions if decision.expansions else wanted
            at.append(done)
            lower.append(decision.lower)
            upper.append(decision.upper)
            if decision.stop not in ("expansions", "time"):
                break
    axes.fill_between(at, lower, upper, color="0.85")
    axes.plot(at, upper, color=_plotting.COLOURS[1], label="upper bound")
    axes.plot(at, lower, color=_plotting.COLOURS[0], label="lower bound")
    axes.set_xscale("log")
    axes.set_xlabel("expansions")
    axes.set_ylabel("value at the start")
    axes.legend(frameon=False)
    return axes
