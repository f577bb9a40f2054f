"""The graph of a search, as others see it: beliefs, choices between them, and a picture for Graphviz."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional

from . import _library as native
from ._library import ACTION, ANY, OBSERVATION, STATE, lib
from ._native import check, count, limit
from .belief import Label, row_to_dict
from .errors import NotApplicable

if TYPE_CHECKING:
    from .planning import Planner


@dataclass(frozen=True)
class GraphNode:
    """A belief in the graph of a search."""

    id: int  #: from 0, which is the current belief
    belief: Dict[int, float]  #: by the numbers of states
    state: Optional[int]  #: of a belief that is certain of it
    corner: bool  #: one node for this state, shared by all that lead to it
    expanded: bool  #: its choices were looked at ...
    ask: bool  #: ... and the plan asks here ...
    action: Optional[int]  #: ... or does this
    label: Optional[Label]  #: the same as a label
    lower: float
    upper: float
    depth: int  #: least number of steps from the current belief
    probability: float  #: of the most probable path to it, if its choices are made
    hidden: int  #: children in the graph that were not visited


@dataclass(frozen=True)
class GraphEdge:
    """What a choice leads to."""

    source: int  #: id of the node ...
    target: int  #: ... and of the one that follows
    ask: bool  #: the choice: to ask for the state ...
    action: Optional[int]  #: ... or this action
    observation: Optional[int]  #: what is observed ...
    state: Optional[int]  #: ... or, having asked, told
    probability: float  #: of this, after the choice
    lower: float  #: bounds of the choice
    upper: float
    plan: bool  #: the plan makes this choice


class Graph:
    """A part of the graph of a search: its nodes can be counted and walked through, ``edges`` lead between them.
    Numbers are of the states, actions and observations of ``model``, which is the one that was planned on."""

    nodes: List[GraphNode]
    edges: List[GraphEdge]

    def __init__(self, planner: "Planner", depth: int, probability: float, min_gap: float, plan: bool) -> None:
        self.model = planner.model.planning
        self.nodes, self.edges = [], []
        self._kinds = [self.model._kind(kind) for kind in range(3)]
        failure: List[BaseException] = []

        def guarded(take: Any) -> Any:
            def call(_context: Any, pointer: Any) -> bool:
                try:
                    take(pointer.contents)
                    return True
                except BaseException as error:
                    failure.append(error)
                    return False

            return call

        visit = native.Visit(
            depth=count(depth, "depth"),
            probability=limit(probability, "probability"),
            min_gap=limit(min_gap, "min_gap"),
            plan=bool(plan),
            node=native.NodeFunction(guarded(self._node)),
            edge=native.EdgeFunction(guarded(self._edge)),
        )
        status = lib.planner_visit(planner._pointer, ctypes.byref(visit))
        if failure:
            raise failure[0]
        if status == 6:
            raise NotApplicable(f"the planner {planner.options.kind} has no graph")
        check(status)

    def _some(self, kind: int, i: int) -> Optional[int]:
        return None if i == ANY else self._kinds[kind].place(i)

    def _node(self, n: native.GraphNode) -> None:
        action = self._some(ACTION, n.action)
        self.nodes.append(
            GraphNode(
                n.id,
                self._kinds[STATE].row(row_to_dict(n.belief)),
                self._some(STATE, n.state),
                n.corner,
                n.expanded,
                n.ask,
                action,
                None if action is None else self._kinds[ACTION].values[action],
                n.lower,
                n.upper,
                n.depth,
                n.probability,
                n.hidden,
            )
        )

    def _edge(self, e: native.GraphEdge) -> None:
        self.edges.append(
            GraphEdge(
                getattr(e, "from"),
                e.to,
                e.ask,
                self._some(ACTION, e.action),
                self._some(OBSERVATION, e.observation),
                self._some(STATE, e.state),
                e.probability,
                e.lower,
                e.upper,
                e.plan,
            )
        )

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self.nodes)

    def __getitem__(self, i: int) -> GraphNode:
        return self.nodes[i]

    def following(self, node: GraphNode) -> List[GraphEdge]:
        """The edges out of a node."""
        return [edge for edge in self.edges if edge.source == node.id]

    def dot(self) -> str:
        """A drawing for Graphviz: beliefs with their bounds, the plan's choices in bold."""
        lines = ["digraph search {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
        for node in self.nodes:
            likely = sorted(node.belief.items(), key=lambda pair: -pair[1])
            shown = [f"{self._kinds[STATE].values[s]} {p:.3g}" for s, p in likely[:3]] + ["…"] * (len(likely) > 3)
            text = "\n".join(shown + [f"{node.lower:.6g} to {node.upper:.6g}"])
            style = "" if node.expanded else ", style=dashed"
            lines.append(f"  n{node.id} [label={_quoted(text)}{style}];")
        for edge in self.edges:
            if edge.ask:
                done, seen = "ask", str(self._kinds[STATE].values[edge.state or 0])
            else:
                done = str(self._kinds[ACTION].values[edge.action or 0])
                seen = str(self._kinds[OBSERVATION].values[edge.observation or 0])
            style = ", penwidth=2" if edge.plan else ", color=gray"
            text = f"{done}: {seen} {edge.probability:.3g}"
            lines.append(f"  n{edge.source} -> n{edge.target} [label={_quoted(text)}{style}];")
        return "\n".join(lines + ["}", ""])

    def __repr__(self) -> str:
        return f"<glimpse.Graph of {self.model.source}: {len(self.nodes)} nodes, {len(self.edges)} edges>"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
