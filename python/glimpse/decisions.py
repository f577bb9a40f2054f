"""What a search gives: the decision, what there was to choose from, and what is likely to follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from . import _library as native
from ._html import table
from ._library import ACTION, ANY, lib
from .belief import Label
from .model import Model
from .reasons import name_of


@dataclass(frozen=True)
class Decision:
    """What to do now, and how sure that is. NaN where the planner has no such number."""

    ask: bool  #: ask for the state first
    action: Optional[int]  #: otherwise: do this; ``None`` when it asks
    label: Optional[Label]  #: the same as a label
    #: Of a model with inquiries: ask this or, where there is an action, ask it together with that
    inquiry: Optional[str]
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

    def _repr_html_(self) -> str:
        rows = [("value", f"{self.lower:.6g} to {self.upper:.6g}"), ("before the search", f"{self.offline_lower:.6g} to {self.offline_upper:.6g}")]
        rows.append(("search", f"{self.expansions} expansions, {self.seconds:.3g} s, ended by {self.stop}"))
        return table(name_of(self.label, self.inquiry, self.ask).capitalize(), rows)

    @classmethod
    def _of(cls, model: Model, d: native.Decision) -> "Decision":
        action = None if d.ask or d.action == ANY else model._kind(ACTION).place(d.action)
        asked = model.inquiries
        return cls(
            bool(d.ask),
            action,
            None if action is None else model.actions[action],
            asked[d.inquiry].name if asked and d.inquiry != ANY else None,
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
    inquiry: Optional[str]  #: as in :class:`Decision`
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
    inquiry: Optional[str] = None  #: of a model with inquiries: what is asked, first or together with the action ...
    answer: Optional[Label] = None  #: ... and answered, most probably
