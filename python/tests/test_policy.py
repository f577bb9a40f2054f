"""Policies: made, written, read, followed."""

import math

import pytest

import glimpse
from glimpse import errors


@pytest.fixture(scope="module")
def tiger():
    model = glimpse.Model.environment("tiger")
    return model, glimpse.Policy.solve(model)


def test_solving_and_looking(tiger):
    model, policy = tiger
    info = policy.info
    assert info.model == "tiger" and info.nodes == len(policy) == 3 and info.edges == 6
    assert info.lower <= 180 <= info.upper and info.upper - info.lower < 0.01 * 180
    assert info.start == {0: 0.5, 1: 0.5}
    assert [node.ask for node in policy.nodes] == [True, False, False]
    assert policy.node(0).edges == {0: 1, 1: 2} and policy.node(0).action is None
    assert policy.name("action", policy.choice(1)) == "open-right"
    assert policy.name("state", 1) == "tiger-right" and policy.name("observation", 0) == "tiger-left"
    assert "3 nodes" in repr(policy)


def test_following(tiger):
    _, policy = tiger
    assert policy.choice(0) is None
    node = policy.step(0, 1)
    assert policy.choice(node) == 1 and policy.step(node, 0) == 0
    assert policy.step(0, 5) is None
    with pytest.raises(errors.BadArgument):
        policy.choice(3)
    with pytest.raises(errors.BadArgument):
        policy.step(0, -1)
    with pytest.raises(errors.BadArgument):
        policy.name("colour", 0)
    with pytest.raises(errors.BadArgument):
        policy.name("state", 2)


def test_files(tiger, tmp_path):
    model, policy = tiger
    path = tmp_path / "tiger.policy"
    policy.write(path)
    again = glimpse.Policy.read(path)
    assert again.info == policy.info and again.nodes == policy.nodes
    text = path.read_text().replace("requests ", "requests 1", 1)
    path.write_text(text)
    with pytest.raises(errors.BadSyntax, match="checksum"):
        glimpse.Policy.read(path)
    with pytest.raises(errors.CannotRead):
        glimpse.Policy.read(tmp_path / "nowhere")
    with pytest.raises(errors.CannotWrite):
        policy.write(tmp_path / "no" / "where")


def test_vectors_of_other_solvers(tmp_path):
    model = glimpse.Model.environment("tiger")
    model.cost = 0
    path = tmp_path / "tiger.alpha"
    path.write_text("0\n19.3 19.3\n\n0\n24.6 3\n\n0\n3 24.6\n\n2\n28.4 -81.5\n\n1\n-81.5 28.4\n")
    with pytest.raises(errors.BadArgument):
        glimpse.Policy.read(path)
    policy = glimpse.Policy.read(path, model)
    assert len(policy) == 5 and math.isinf(policy.info.lower)
    values = policy.values(model)
    assert sum(values[0]) / 2 == pytest.approx(19.371368, abs=1e-5)
    agent = glimpse.Agent(model, "policy", policy=policy)
    agent.begin({0: 0.99, 1: 0.01})
    assert agent.decide().label == "open-right"


XML = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<Policy version="0.1" type="value" model="tiger">\n'
    '<AlphaVector vectorLength="2" numObsValue="1" numVectors="5">\n'
    '<Vector action="1" obsValue="0">-81.6003 28.3997 </Vector>\n<Vector action="0">3.01174 24.6927 </Vector>\n'
    '<Vector action="2" obsValue="0">28.3999 -81.6001 </Vector>\n<Vector action="0">24.6929 3.0121 </Vector>\n'
    '<Vector action="0" obsValue="0">19.3687 19.3686 </Vector>\n</AlphaVector> </Policy>\n'
)


def test_vectors_in_xml(tmp_path):
    model = glimpse.Model.environment("tiger")
    model.cost = 0
    path = tmp_path / "tiger.xml"
    path.write_text(XML)
    with pytest.raises(errors.BadArgument, match="need their model"):
        glimpse.Policy.read(path)
    policy = glimpse.Policy.read(path, model)
    assert len(policy) == 5 and policy.choice(0) == 0
    assert sum(policy.values(model)[0]) / 2 == pytest.approx(19.371368, abs=1e-5)
    for old, new, message in [
        ("</Policy>", "", ":10:1: expected well-formed XML"),
        ('type="value"', 'type="graph"', ":2:1: expected type="),
        ('vectorLength="2"', 'vectorLength="3"', ":3:1: expected vectorLength="),
        ('numObsValue="1"', "", ":3:1: expected numObsValue="),
        ("<Vector action", "<Sparse action", ":4:1: expected <Policy> with"),
        ('action="1"', 'action="-1"', ":4:1: expected action="),
        ('action="1"', 'action="7"', "there is no action 7"),
        ("28.3997 ", "", ":4:42: expected a number for each of 2 states, found 1"),
        ("28.3997", "x", ":4:44: expected a number, found 'x'"),
        ("28.3997", "inf", "expected a number, found 'inf'"),
        ("28.3997", "1_0", "expected a number, found '1_0'"),
        ("28.3997", "1e999", "no finite number"),
        ('action="1"', f'action="{"9" * 5000}"', ":4:1: expected action="),
        ("</AlphaVector>", '</AlphaVector><AlphaVector vectorLength="2" numObsValue="1"/>', "expected one <AlphaVector>"),
        ("\n<Vector", "\nword<Vector", ": expected elements only"),
        ("<Policy", '<!DOCTYPE p [<!ENTITY e "x">]><Policy', ": expected no declarations of entities"),
    ]:
        path.write_text(XML.replace(old, new, 1))
        with pytest.raises((errors.BadSyntax, errors.BadArgument)) as caught:
            glimpse.Policy.read(path, model)
        assert message in str(caught.value)


def test_vectors_from_memory():
    model = glimpse.Model.environment("tiger")
    model.cost = 0
    policy = glimpse.Policy.from_vectors(model, [0, 1], [[1, 2], [3, 0]])
    assert len(policy) == 2 and math.isinf(policy.info.upper)
    for actions, values in [([], []), ([0], [[1]]), ([0, 1], [[1, 2]]), ([3], [[1, 2]]), ([0], [[1, math.nan]])]:
        with pytest.raises(errors.BadArgument):
            glimpse.Policy.from_vectors(model, actions, values)


def test_agents(tiger):
    model, policy = tiger
    agent = glimpse.Agent(model, "policy", policy=policy)
    decision = agent.decide()
    assert decision.ask and decision.stop == "rule" and decision.lower == policy.info.lower
    assert agent.reveal("tiger-left").label == "open-right"
    agent.observe("open-right", "tiger-left")
    assert agent.decide().ask
    searching = glimpse.Agent(model, policy=policy)
    decision = searching.decide(expansions=1)
    assert decision.lower >= policy.info.lower - 1e-6 and decision.expansions <= 1
    other = glimpse.Model.environment("tiger")
    other.cost = 3
    with pytest.raises(errors.BadModel):
        glimpse.Agent(other, "policy", policy=policy)
    with pytest.raises(errors.BadArgument):
        glimpse.Agent(model, "policy")
    with pytest.raises(errors.BadModel):
        policy.values(other)


def test_episodes_earn_what_it_promises(tiger):
    model, policy = tiger
    results = glimpse.run(model, "policy", policy=policy, episodes=50, max_steps=300)
    assert results.total.mean == pytest.approx(180, abs=1e-3)


def test_a_planner_keeps_its_policy(tiger):
    model, _ = tiger
    policy = glimpse.Policy.solve(model, relative=0.05)
    planner = glimpse.Planner(model, "policy", policy=policy)
    policy.close()
    with pytest.raises(errors.Closed):
        policy.info
    assert planner.plan().ask


def test_verifying(tiger):
    model, policy = tiger
    proof = policy.verify(model)
    assert proof.lower <= proof.value <= proof.upper + 1e-6
    assert proof.numbers > 0 and proof.pairs > 0


def test_it_cannot_be_made_otherwise():
    with pytest.raises(TypeError):
        glimpse.Policy()
