"""Policies: finite controllers that need neither a belief nor a search, with a certificate."""

from __future__ import annotations

import ctypes
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _appl, _batch, _xml
from ._html import table
from . import _library as native
from ._labels import hinting
from ._library import ACTION, ANY, OBSERVATION, STATE, lib
from ._native import Native, Report, check, choice, collect, count, interruptible, limit, save
from ._program import program
from .errors import BadArgument
from .belief import row_to_dict
from .model import Model

Path = Union[str, "os.PathLike[str]"]

#: How a policy is written for others, besides its own file.
FORMATS = ["text", "c", "alpha", "pg", "appl", "dot", "json"]


@dataclass(frozen=True)
class PolicyInfo:
    """What there is to know of a policy."""

    model: str  #: what its model was called; ``""``: nothing
    version: str  #: of the library that made it
    digest: int  #: of its model
    states: int
    actions: int
    observations: int
    nodes: int
    edges: int
    depth: int  #: steps from the start to the node that is farthest away
    points: int  #: of the upper function, besides the known states
    lower: float  #: of the value at the start, by the certificate
    upper: float
    requests: float  #: expected, discounted
    start: Dict[int, float]  #: the belief it starts from


@dataclass(frozen=True)
class Node:
    """A node of a policy."""

    ask: bool  #: it asks for the state ...
    action: Optional[int]  #: ... or does this
    edges: Dict[int, int]  #: the next node, by observation or, where it asks, by state


@dataclass(frozen=True)
class Proof:
    """What a check of a certificate has proved."""

    lower: float  #: what the policy earns from the start, at least
    upper: float  #: what no policy exceeds there
    value: float  #: what the policy earns, up to rounding
    requests: float  #: expected, discounted
    residual: float  #: largest error of an equation behind ``value``
    excess: float  #: by how much a number of the upper function is below its look ahead, at most
    pairs: int  #: of node and state that were evaluated
    numbers: int  #: of the upper function that were checked


class Policy(Native):
    """A finite controller, made by :meth:`solve` or read from a file::

        policy = glimpse.Policy.solve(model, relative=0.01)
        node = 0
        while running:
            action = policy.choice(node)  # None: ask
            node = policy.step(node, ask() if action is None else do(action))

    ``glimpse.Agent(model, "policy", policy=policy)`` follows it with a belief for what the policy does not know;
    ``glimpse.Agent(model, policy=policy)`` searches, and starts from its bounds.
    """

    def __init__(self) -> None:
        raise TypeError("a Policy is made by Policy.solve or Policy.read")

    @classmethod
    def _of(cls, pointer: Any) -> "Policy":
        assert pointer.value
        self = cls.__new__(cls)
        self._adopt(pointer.value, lib.policy_free)
        return self

    @classmethod
    @hinting
    def solve(
        cls,
        model: Model,
        *,
        epsilon: float = 0.0,
        relative: float = 0.0,
        time: float = 0.0,
        expansions: int = 0,
        max_memory: int = 0,
        jobs: int = 1,
        name: Optional[str] = None,
    ) -> "Policy":
        """Searches until the bounds of the certificate are within ``epsilon``, or ``relative`` of the value (default
        0.01), or the budget ends; 0 is no limit. Ctrl-C ends it without a policy."""
        flag = ctypes.c_int(0)
        options = native.SolveOptions(
            limit(epsilon, "epsilon"),
            limit(relative, "relative"),
            limit(time, "time"),
            count(expansions, "expansions", 64),
            count(max_memory, "max_memory", 64),
            count(jobs, "jobs", 16, 1),
            ctypes.pointer(flag),
        )
        result, pointer, world = native.SolveResult(), ctypes.c_void_p(), model._pointer
        text = (model.source if name is None else name).encode(errors="replace")
        use = model._use()  # noqa: F841; the cost does not change meanwhile
        with Report() as report:

            def call() -> int:
                return int(
                    lib.policy_solve(
                        world,
                        text,
                        ctypes.byref(options),
                        report.pointer,
                        ctypes.byref(result),
                        ctypes.byref(pointer),
                    )
                )

            status, interrupt = interruptible(call, flag, False)
            if interrupt is not None:
                lib.policy_free(pointer)
                raise interrupt
            report.check(status)
        return cls._of(pointer)

    @classmethod
    def read(cls, path: Path, model: Optional[Model] = None) -> "Policy":
        """Reads a policy that glimpse wrote or, with their model, the vectors of pomdp-solve (``.alpha``) or SARSOP
        (XML)."""
        if model is not None and _xml.begins(path):
            with open(path, "rb") as file:
                text = file.read()
            states = lib.model_count(model.planning._pointer, STATE)
            return cls.from_vectors(model, *_appl.read(text, os.fsdecode(path), states))
        pointer = ctypes.c_void_p()
        world = None if model is None else model._pointer
        with Report() as report:
            report.check(lib.policy_import_file(os.fsencode(path), world, report.pointer, ctypes.byref(pointer)))
        return cls._of(pointer)

    @classmethod
    def from_vectors(cls, model: Model, actions: Sequence[int], values: Sequence[Sequence[float]]) -> "Policy":
        """A policy of vectors over the states, as other solvers make them: an action for each, and its values, one per
        state. It acts by the vector that is worth most at the belief, and has no certificate. Where the model has
        inquiries or limits, states and actions are those of ``model.planning``."""
        states = lib.model_count(model.planning._pointer, STATE)
        if len(actions) != len(values) or any(len(vector) != states for vector in values):
            raise BadArgument(f"values: expected {len(actions)} vectors of {states} numbers, as there are states")
        flat = [float(value) for vector in values for value in vector]
        numbers = [count(action, "actions") for action in actions]
        pointer = ctypes.c_void_p()
        with Report() as report:
            status = lib.policy_from_vectors(
                model._pointer,
                len(numbers),
                (ctypes.c_uint32 * len(numbers))(*numbers),
                (ctypes.c_double * len(flat))(*flat),
                report.pointer,
                ctypes.byref(pointer),
            )
            report.check(status)
        return cls._of(pointer)

    def to_text(self, format: Optional[str] = None, model: Optional[Model] = None) -> str:
        """The policy as the text of its file or, with a format of :data:`FORMATS`, as the program's ``glimpse policy
        --format`` writes it: ``"text"`` for people, ``"c"`` as tables of C, ``"alpha"``, ``"pg"`` and ``"appl"`` for
        other solvers, ``"dot"`` for Graphviz, ``"json"``. These need the program (:func:`glimpse.program`). ``alpha``
        and ``appl``, and ``pg`` where the policy asks, need the ``model``; where it has requests they are about the
        equivalent POMDP, ``model.equivalent()``."""
        if format is None:
            with self._lock:
                pointer = self._pointer
                status, text = collect(lambda sink: lib.policy_write(pointer, sink, None))
            check(status)
            return text
        choice(format, FORMATS, "format")
        if model is None and (format in ("alpha", "appl") or (format == "pg" and any(node.ask for node in self))):
            raise BadArgument(f"the format {format} needs the model: to_text({format!r}, model)")
        with tempfile.TemporaryDirectory(prefix="glimpse-") as directory:
            file = os.path.join(directory, "it.policy")
            self.write(file)
            arguments = ["policy", file, "--format", format]
            if model is not None:
                model.write(os.path.join(directory, "it.pomdp"))
                arguments += ["--model", os.path.join(directory, "it.pomdp")]
            return program(*arguments)

    def write(self, path: Path, format: Optional[str] = None, model: Optional[Model] = None) -> None:
        """Writes it to a file, whole or not at all; ``format`` and ``model`` as in :meth:`to_text`."""
        if format is not None:
            save(path, self.to_text(format, model))
            return
        with Report() as report, self._lock:
            report.check(lib.policy_write_file(self._pointer, os.fsencode(path), report.pointer))

    @property
    def info(self) -> PolicyInfo:
        """Size, bounds and where it comes from."""
        with self._lock:
            i = lib.policy_measure(self._pointer)
            return PolicyInfo(
                i.model.decode(errors="replace"),
                i.version.decode(errors="replace"),
                i.digest,
                i.states,
                i.actions,
                i.observations,
                i.nodes,
                i.edges,
                i.depth,
                i.points,
                i.lower,
                i.upper,
                i.requests,
                row_to_dict(i.start),
            )

    def choice(self, node: int) -> Optional[int]:
        """What to do at a node: an action; ``None``: ask for the state."""
        with self._lock:
            choice = int(lib.policy_choice(self._pointer, self._place(node)))
            return None if choice == ANY else choice

    def step(self, node: int, seen: int) -> Optional[int]:
        """The node after an observation or, where it asked, a state; ``None``: the policy knows nothing of that."""
        with self._lock:
            place = self._place(node)
            to = int(lib.policy_step(self._pointer, place, count(seen, "seen")))
            return None if to == ANY else to

    def node(self, node: int) -> Node:
        """A node with its edges."""
        with self._lock:
            place = self._place(node)
            choice = int(lib.policy_choice(self._pointer, place))
            edges = lib.policy_get(self._pointer, place)
            n = edges.count
            pairs = dict(zip(edges.seen[:n], edges.to[:n])) if n else {}
            return Node(choice == ANY, None if choice == ANY else choice, pairs)

    def __reduce__(self) -> Any:
        return _remake, (self.to_text(),)

    def __len__(self) -> int:
        with self._lock:
            return int(lib.policy_measure(self._pointer).nodes)

    @property
    def nodes(self) -> List[Node]:
        """All nodes; the first is where it starts."""
        return [self.node(n) for n in range(len(self))]

    def name(self, kind: str, i: int) -> str:
        """The name of a ``"state"``, ``"action"`` or ``"observation"``."""
        kinds = {"state": STATE, "action": ACTION, "observation": OBSERVATION}
        if kind not in kinds:
            raise BadArgument(f"kind: there is no {kind!r}; there is {', '.join(kinds)}")
        with self._lock:
            text = lib.policy_name(self._pointer, kinds[kind], count(i, "i"))
            if text is None:
                raise BadArgument(f"there is no {kind} {i}")
            return str(text.decode())

    def values(self, model: Model) -> List[List[float]]:
        """What each node is worth in each state, at least: a list of lists."""
        with self._lock:
            info = self.info
            numbers = (ctypes.c_double * (info.nodes * info.states))()
            with Report() as report:
                report.check(lib.policy_values(self._pointer, model._pointer, report.pointer, numbers))
            return [list(numbers[n * info.states : (n + 1) * info.states]) for n in range(info.nodes)]

    def evaluate(self, model: Model, beliefs: Any) -> Tuple[Any, Any]:
        """What the policy is worth at many beliefs, at least, and at which node it would begin there. Beliefs are as
        in :meth:`glimpse.Bound.evaluate`, and so is what is given."""
        states, vectors = len(model.states), self.values(model)
        if _batch.is_matrix(beliefs):
            import numpy

            rows = numpy.array(_batch.dense(model, beliefs)).reshape(-1, states)
            worth = rows @ numpy.array(vectors)[:, :states].T
            best = worth.argmax(axis=1)
            return worth.max(axis=1), best
        values, nodes = [], []
        for belief in _batch.dense(model, beliefs):
            all_worth = [sum(p * v for p, v in zip(belief, vector)) for vector in vectors]
            nodes.append(max(range(len(all_worth)), key=all_worth.__getitem__))
            values.append(all_worth[nodes[-1]])
        return values, nodes

    def __iter__(self) -> Iterator[Node]:
        """Its nodes."""
        return (self.node(n) for n in range(len(self)))

    def verify(self, model: Model) -> Proof:
        """Checks the certificate, with code that has nothing in common with the search. Raises
        :class:`~glimpse.errors.NotApplicable` when it claims more than is proved."""
        proof = native.Proof()
        with Report() as report, self._lock:
            report.check(lib.policy_verify(self._pointer, model._pointer, report.pointer, ctypes.byref(proof)))
        return Proof(*(getattr(proof, field) for field, *_ in native.Proof._fields_))

    def _place(self, node: int) -> int:
        place = count(node, "node")
        nodes = int(lib.policy_measure(self._pointer).nodes)
        if place >= nodes:
            raise BadArgument(f"there is no node {place}; there are {nodes}")
        return place

    def _repr_html_(self) -> str:
        info = self.info
        rows: List[Tuple[str, Any]] = [("nodes", info.nodes), ("edges", info.edges), ("value", f"{info.lower:.6g} to {info.upper:.6g}")]
        rows += [("requests", f"{info.requests:.6g} expected, discounted"), ("made by", f"glimpse {info.version}")]
        return table(f"Policy of {info.model or 'a model'}", rows)

    def __repr__(self) -> str:
        if self.closed:
            return "<glimpse.Policy, closed>"
        info = self.info
        return f"<glimpse.Policy of {info.model or 'a model'}: {info.nodes} nodes, {info.lower} to {info.upper}>"


def _remake(text: str) -> Policy:
    """What :meth:`Policy.__reduce__` took apart."""
    data, pointer = text.encode(), ctypes.c_void_p()
    with Report() as report:
        report.check(lib.policy_read(data, len(data), b"pickle", report.pointer, ctypes.byref(pointer)))
    return Policy._of(pointer)
