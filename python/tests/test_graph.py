"""The graph of a search, reasons for a decision, and many beliefs at once."""

import math
import os
import shutil
import subprocess

import pytest

import glimpse
from glimpse import errors

from conftest import ROOT, random_tables


def test_edges_are_what_the_model_says(machine):
    planner = glimpse.Planner(machine)
    with pytest.raises(errors.BadArgument, match="plan first"):
        planner.graph()
    planner.begin({"good": 0.6, "worn": 0.4})
    decision = planner.plan(expansions=30)
    graph = planner.graph()
    root = graph[0]
    assert root.belief == pytest.approx({0: 0.6, 1: 0.4}) and (root.lower, root.upper) == (decision.lower, decision.upper)
    assert root.ask == decision.ask and len(graph) > 5 and list(graph) == graph.nodes
    for edge in graph.edges:
        before, after = graph[edge.source], graph[edge.target]
        if edge.ask:
            assert edge.probability == pytest.approx(before.belief[edge.state]) and after.belief == {edge.state: 1.0}
            continue
        belief = machine.belief(before.belief)
        assert belief.update(edge.action, edge.observation) == pytest.approx(edge.probability)
        assert after.belief == pytest.approx(belief.probabilities())
        assert edge.lower <= edge.upper
    for node in graph:
        done = {}
        for edge in graph.following(node):
            key = (edge.ask, edge.action)
            done[key] = done.get(key, 0.0) + edge.probability
        if node.expanded and not node.hidden:
            assert all(total == pytest.approx(1) for total in done.values())


def test_parts_of_the_graph(machine, tiger):
    planner = glimpse.Planner(machine)
    planner.plan(expansions=100)
    everything = planner.graph()
    near = planner.graph(depth=1)
    assert 1 < len(near) < len(everything) and all(node.depth <= 1 for node in near)
    plan = planner.graph(plan=True)
    assert len(plan) <= len(everything) and all(edge.plan for edge in plan.edges)
    with pytest.raises(errors.NotApplicable, match="pomcp has no graph"):
        simulated = glimpse.Planner(tiger, "pomcp")
        simulated.plan(expansions=10)
        simulated.graph()
    with pytest.raises(errors.BadArgument):
        planner.graph(probability=-1)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not there (Debian: graphviz)")
def test_graphviz_draws_it(tiger):
    planner = glimpse.Planner(tiger)
    planner.plan(expansions=20)
    text = planner.graph(depth=2).dot()
    plain = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, stdout=subprocess.PIPE, text=True, check=True, env=plain).stdout
    assert "tiger&#45;left" in drawn and drawn.count('class="node"') == len(planner.graph(depth=2))


def test_graphs_with_inquiries():
    agent = glimpse.Agent(glimpse.Model.read(ROOT / "examples" / "models" / "robot-sensors.pomdp"))
    agent.decide(expansions=50)
    graph = agent.graph(depth=1)
    assert "localisation" in {str(graph.model.actions[e.action]) for e in graph.edges if e.action is not None}
    assert "asking localisation" in str(agent.explain()).lower()


def test_reasons_follow_from_the_bounds(machine, program, tmp_path):
    for belief in ({"good": 1}, {"good": 0.6, "worn": 0.4}, {"worn": 1}):
        planner = glimpse.Planner(machine)
        planner.begin(belief)
        decision = planner.plan(expansions=25)
        why, choices = planner.explain(), planner.choices()
        act_low = max(c.lower for c in choices if not c.ask)
        act_high = max(c.upper for c in choices if not c.ask)
        ask = choices[-1]
        if not math.isnan(ask.lower):
            assert (why.gain_least, why.gain_most) == (ask.lower - act_high, ask.upper - act_low)
        mine = next(c for c in choices if c.ask == decision.ask and c.label == decision.label)
        other = max(c.upper for c in choices if c is not mine and not math.isnan(c.upper))
        assert why.certain == (mine.lower + 1e-9 * (1 + abs(mine.upper)) >= other) and why.rival_upper == other
        assert ("This is certain" in why.text) == why.certain
    machine.write(tmp_path / "machine.pomdp")
    printed = program("explain", str(tmp_path / "machine.pomdp"), "--expansions", "25")
    planner = glimpse.Planner(machine)
    planner.plan(expansions=25)
    assert printed["certain"] == planner.explain().certain


def test_reasons_of_estimates_and_rules(tiger):
    for kind, text in (("pomcp", "simulations"), ("always-ask", "follows a rule")):
        planner = glimpse.Planner(tiger, kind)
        planner.plan(expansions=50)
        assert text in str(planner.explain())


# ---------------------------------------------------------------------- batch


@pytest.mark.parametrize("seed", range(3))
def test_many_beliefs_at_once(seed):
    numpy = pytest.importorskip("numpy")
    model = glimpse.Model.from_arrays(**random_tables(seed))
    source = numpy.random.RandomState(seed)
    beliefs = source.rand(40, 4) * (source.rand(40, 4) < 0.7)
    beliefs[:, 0] += 0.01
    offline = glimpse.OfflineBounds(model)
    lower, upper = offline.evaluate(beliefs)
    policy = glimpse.Policy.solve(model, relative=0.1)
    worth, nodes = policy.evaluate(model, beliefs)
    values = numpy.array(policy.values(model))
    for i, row in enumerate(beliefs):
        assert (lower[i], upper[i]) == pytest.approx(offline(row), abs=1e-12)
        assert worth[i] == pytest.approx((values @ (row / row.sum())).max()) and worth[i] <= upper[i] + 1e-9
        assert values[nodes[i]] @ (row / row.sum()) == pytest.approx(worth[i])
    for bound in glimpse.bounds(model).values():
        assert bound.evaluate(beliefs).tolist() == pytest.approx([bound(row) for row in beliefs], abs=1e-12)
        assert list(bound) == bound.vectors()
        assert bound.evaluate([None, 0, {1: 1.0}]) == [bound(), bound(0), bound(1)]
    assert policy.evaluate(model, [0])[0][0] == pytest.approx(values[:, 0].max())
    assert list(policy) == policy.nodes


def test_many_beliefs_that_are_wrong(tiger):
    numpy = pytest.importorskip("numpy")
    bound = glimpse.Bound(tiger, "blind")
    for bad, text in (
        (numpy.ones((2, 3)), "2 columns"),
        (numpy.array([[1.0, 0.0], [0.0, 0.0]]), "row 1 is not a distribution"),
        (numpy.array([[1.0, -0.1]]), "row 0 is not a distribution"),
        (numpy.array([[1.0, numpy.nan]]), "row 0 is not a distribution"),
    ):
        with pytest.raises(errors.BadArgument, match=text):
            bound.evaluate(bad)
    assert bound.evaluate(numpy.zeros((0, 2))).shape == (0,)


def test_sparse_beliefs(tiger):
    pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    bound = glimpse.Bound(tiger, "qmdp")
    assert bound.evaluate(sparse.csr_matrix([[1.0, 0.0], [2.0, 2.0]])).tolist() == [bound(0), bound()]
