"""Inquiries and limits: declared in Python, planned, answered, played."""

import copy
import gc
import itertools
import math
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import glimpse
from glimpse import Inquiry, errors

from conftest import ROOT

CELLS = [(room, place) for room in ("kitchen", "hall") for place in range(3)]


def walk(state, action):
    i = CELLS.index(state) + (1 if action == "right" else -1)
    return [(CELLS[min(max(i, 0), 5)], 0.8), (state, 0.2)]


def robot(*inquiries, **more):
    """A robot in six cells in a row that must dock in the middle of the hall."""
    settings = dict(
        states=CELLS + ["docked"],
        actions=["left", "right", "dock"],
        transition=lambda s, a: ("docked" if s == ("hall", 1) else s) if a == "dock" else walk(s, a),
        observation=lambda state: "done" if state == "docked" else "nothing",
        reward=lambda s, a: (10 if s == ("hall", 1) else -5) if a == "dock" else -0.1,
        terminal=lambda state: state == "docked",
        discount=0.95,
        start=[(cell, 1 / 6) for cell in CELLS],
        inquiries=inquiries,
    )
    settings.update(more)
    return glimpse.Model.from_functions(**settings)


ROOM = Inquiry("camera", 0.3, tells=lambda state: state if state == "docked" else state[0])


# ------------------------------------------------------------------ declaring


def test_kinds_that_say_the_same_are_the_same():
    blocks = {"kitchen": CELLS[:3], "hall": CELLS[3:], "docked": ["docked"]}
    by_block = robot(Inquiry("camera", 0.3, blocks=blocks))
    by_factor = robot(Inquiry("camera", 0.3, tells={**{cell: cell[0] for cell in CELLS}, "docked": "docked"}))
    assert by_block.to_text() == by_factor.to_text() == robot(ROOM).to_text()
    (camera,) = by_block.inquiries
    assert camera.answers == ("kitchen", "hall", "docked") and camera.price == 0.3 and camera.timing == "before"
    assert by_block.answering(("hall", 2), "camera") == {"hall": 1.0}
    assert by_block.price_of("camera", ("hall", 2)) == 0.3
    assert by_block.effect_of(("hall", 2), "camera") == {5: 1.0}


def test_factors_of_tuples():
    states = list(itertools.product("ab", range(2), "xy"))
    model = glimpse.Model.from_functions(
        states=states,
        actions=["go"],
        transition=lambda s, a: [(s2, 1 / 8) for s2 in states],
        observation=lambda s2: "nothing",
        reward=lambda s, a: s[1],
        discount=0.9,
        inquiries=[Inquiry("middle", 0.1, factors=1), Inquiry("ends", 0.2, factors=(0, 2))],
    )
    middle, ends = model.inquiries
    assert middle.answers == (0, 1) and set(ends.answers) == {("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")}
    for state in states:
        assert model.answering(state, "middle") == {state[1]: 1.0}
        assert model.answering(state, "ends") == {(state[0], state[2]): 1.0}
    with pytest.raises(errors.BadArgument, match="has no factor 3"):
        model.with_inquiries(Inquiry("more", factors=3))


def test_noise_failure_price_and_effect():
    model = robot(
        Inquiry("noisy", tells=ROOM.tells, noise=0.2, price=lambda state: 0.5 if state == "docked" else 0.1),
        Inquiry("gps", 1, failure={("hall", 0): 0.25}, unpaid=True),
        Inquiry("shout", 0.2, tells=lambda s: {"echo": 0.5, None: 0.5}, effect={("hall", 0): {("hall", 1): 0.5, ("hall", 0): 0.5}}),
        cost=2,
    )
    state, noisy, gps, shout = model.inquiries
    assert (state.name, state.price, state.state) == ("state", 2, True)
    assert model.answering(("hall", 0), "noisy") == pytest.approx({"kitchen": 0.1, "hall": 0.8, "docked": 0.1})
    assert noisy.price is None and model.price_of("noisy", "docked") == 0.5
    assert gps.fails and gps.unpaid and gps.answers[-1] is None and gps.answers[:-1] == model.states
    assert model.answering(("hall", 0), "gps") == {("hall", 0): 0.75, None: 0.25}
    assert model.answering(("hall", 1), "gps") == {("hall", 1): 1.0}
    assert shout.fails and shout.effect and model.answering("docked", "shout") == {"echo": 0.5, None: 0.5}
    assert model.effect_of(("hall", 0), "shout") == {3: 0.5, 4: 0.5}
    assert model.effect_of(("hall", 1), "shout") == {4: 1.0}
    assert glimpse.Model.parse(model.to_text()).to_text() == model.to_text()


def test_the_state_before_an_action_alone_is_the_request():
    model = robot(Inquiry("gps", 0.5))
    assert model.requests and model.cost == 0.5 and model.inquiries == ()
    assert model.to_text() == robot(cost=0.5).to_text()


def test_limits():
    model = robot(ROOM, limits={"horizon": 4, "requests": 2}, discount=1.0)
    assert model.limits == glimpse.Limits(horizon=4, requests=2, per_step=model.limits.per_step)
    agent = glimpse.Agent(model)
    for _ in range(4):
        assert not agent.over
        decision = agent.decide(expansions=50)
        while decision.ask:
            decision = agent.answer("kitchen")
        agent.observe("left", "nothing")
    assert agent.over
    with pytest.raises(errors.NotApplicable, match="horizon is reached"):
        agent.decide(expansions=5)
    agent.begin()
    assert not agent.over


@pytest.mark.parametrize(
    "inquiry, error, text",
    [
        (dict(timing="jont"), errors.BadArgument, "no timing 'jont'.*did you mean 'joint'"),
        (dict(price=-1), errors.BadArgument, "price -1.0 of"),
        (dict(price=math.inf), errors.BadArgument, "finite"),
        (dict(price="much"), TypeError, "must be a number"),
        (dict(price=[1, 2]), errors.BadArgument, "2 numbers for 7 states"),
        (dict(failure=1.5), errors.BadArgument, "failure 1.5"),
        (dict(noise=2), errors.BadArgument, "noise must lie"),
        (dict(tells=lambda s: "x", noise=0.1), errors.BadArgument, "at least two answers"),
        (dict(tells=lambda s: {"x": 0.5}), errors.BadModel, "sum"),
        (dict(tells={"docked": 1}), errors.BadArgument, "says nothing of"),
        (dict(tells=lambda s: "x", factors=0), errors.BadArgument, "one of tells and factors"),
        (dict(factors=9), errors.BadArgument, "no factor 9"),
        (dict(blocks={"a": CELLS}), errors.BadArgument, "says nothing of 'docked'"),
        (dict(blocks={"a": CELLS, "b": CELLS}), errors.BadArgument, "in two blocks"),
        (dict(blocks={"a": "docked"}), errors.BadArgument, "list of states"),
        (dict(blocks={"a": ["dokced"]}), errors.BadArgument, "did you mean 'docked'"),
        (dict(effect=lambda s: "nowhere"), errors.BadArgument, "none of the states"),
        (dict(name="two words"), errors.BadArgument, "not the name of an inquiry"),
        (dict(name="left"), errors.BadArgument, "an action has this name"),
    ],
)
def test_wrong_declarations(inquiry, error, text):
    with pytest.raises(error, match=text):
        robot(Inquiry(**{"name": "look", "price": 0.1, **inquiry}))


def test_wrong_lists():
    with pytest.raises(TypeError, match="glimpse.Inquiry objects"):
        robot("camera")
    with pytest.raises(errors.BadArgument, match="has this name"):
        robot(ROOM, ROOM)
    with pytest.raises(errors.BadArgument, match="has this name"):
        robot(ROOM).with_inquiries(ROOM)
    with pytest.raises(errors.BadArgument, match="did you mean 'horizon'"):
        robot(ROOM, limits={"horizn": 3})
    with pytest.raises(errors.BadArgument, match="horizon must lie"):
        robot(ROOM, limits={"horizon": 0})


# ------------------------------------------------------------------- deciding


def test_an_agent_asks_and_is_answered():
    model = glimpse.Model.read(ROOT / "examples" / "models" / "robot-sensors.pomdp")
    agent = glimpse.Agent(model)
    with pytest.raises(errors.BadArgument, match="not asked"):
        agent.answer("h1")
    decision = agent.decide(expansions=500)
    assert decision.ask and decision.inquiry == "localisation" and decision.action is None
    choices = agent.choices()
    assert [choice.inquiry for choice in choices] == [None, None, None, "camera", "localisation"]
    assert [choice.ask for choice in choices] == [False, False, False, True, True]
    assert [choice.label for choice in choices[:3]] == ["left", "right", "dock"]
    assert all(choice.lower <= choice.upper for choice in choices if choice.ask)
    course = agent.forecast()
    assert course[0].inquiry == "localisation" and course[0].ask and course[0].answer in model.states
    assert course[0].probability == pytest.approx(0.9 / 6)
    assert max(choice.upper for choice in choices) == pytest.approx(decision.upper)
    with pytest.raises(errors.BadArgument, match=r"answer\(…\) or no_answer\(\)"):
        agent.decide(expansions=5)
    with pytest.raises(errors.BadArgument, match="no answer of localisation 'h9'|there is no state 'h9'"):
        agent.answer("h9")
    with pytest.raises(errors.Impossible, match="excludes the answer 'docked' to localisation"):
        agent.answer("docked")
    decision = agent.answer("h1")
    assert agent.belief.items() == [("h1", 1.0)] and decision.label == "right" and decision.inquiry is None
    agent.observe("right", "free")
    agent.begin()
    agent.decide(expansions=500)
    decision = agent.answer("kitchen", "camera")  # another one than it wanted
    assert set(agent.belief) == {"k1", "k2", "k3"}
    agent.begin()
    agent.decide(expansions=500)
    decision = agent.no_answer()
    assert not decision.ask and len(agent.belief) == 6
    assert [choice.label for choice in agent.choices()][:3] == ["left", "right", "dock"]


def test_a_question_may_take_a_step():
    model = robot(Inquiry("gps", 0.1, timing="step"))
    agent = glimpse.Agent(model)
    decision = agent.decide(expansions=200)
    assert decision.ask and decision.inquiry == "gps"
    assert agent.answer(("hall", 0)) is None
    assert agent.phase == "decide" and agent.decision is None
    assert agent.decide(expansions=200).label == "right"


def test_a_question_may_come_with_the_action():
    model = robot(Inquiry("gps", 0.1, timing="joint"))
    agent = glimpse.Agent(model)
    decision = agent.decide(expansions=500)
    assert not decision.ask and decision.inquiry == "gps" and decision.label is not None
    assert agent.phase == "observation"
    with pytest.raises(errors.Impossible, match="with the answer"):
        agent.observe("left", "done", ("hall", 1))
    with pytest.raises(errors.BadArgument, match="'gps' together with the action, and its answer is missing"):
        agent.observe("left", "nothing")
    with pytest.raises(TypeError, match="excludes an answer"):
        agent.observe("left", "nothing", ("hall", 1), asked=False)
    agent.observe("left", "nothing", ("hall", 1))
    assert agent.belief.items() == [(("hall", 1), 1.0)]
    assert agent.decide(expansions=500).label == "dock"
    agent.observe("left", "nothing", asked=False)  # it did something else, and did not ask
    assert set(agent.belief) == {("hall", 0), ("hall", 1)}
    with pytest.raises(TypeError, match="give the answer"):
        agent.decide(expansions=50)
        agent.observe("left", "nothing", inquiry="gps")


@pytest.mark.parametrize("answers", [(2, 7), (7, 2, 1), ("near", "far"), (True, False)])
def test_no_answer_among_answers_that_are_numbers(answers):
    """``None`` has a place after the answers, and that place may be the name of one of them."""
    tells = {cell: answers[i % len(answers)] for i, cell in enumerate(CELLS + ["docked"])}
    agent = glimpse.Agent(robot(Inquiry("ear", 0.01, tells=tells, failure={CELLS[0]: 0.75, CELLS[3]: 0.25})))
    assert agent.decide(expansions=50).inquiry == "ear"
    agent.answer(None)
    assert dict(agent.belief.items()) == pytest.approx({CELLS[0]: 0.75, CELLS[3]: 0.25})


def test_no_answer_among_states_that_are_numbers():
    model = glimpse.Model.from_arrays(
        [[[1, 0], [0, 1]]] * 2, [[[1], [1]]] * 2, [[1, -1], [-1, 1]], discount=0.5, state_names=[2, 5],
        inquiries=[Inquiry("gps", 0.01, failure={2: 0.6, 5: 0.2})],
    )
    agent = glimpse.Agent(model)
    assert agent.decide(expansions=50).inquiry == "gps"
    agent.answer(None)
    assert dict(agent.belief.items()) == pytest.approx({2: 0.75, 5: 0.25})


@pytest.mark.parametrize("blocks, text", [([CELLS], "a mapping from answers"), ({"all": 3}, "'all' is a list of states")])
def test_blocks_that_are_none(blocks, text):
    with pytest.raises((TypeError, errors.BadArgument), match=text):
        robot(Inquiry("camera", 0.3, blocks=blocks))


def test_the_cost_of_a_model_with_inquiries():
    one, two = robot(ROOM), robot(ROOM, cost=1)
    assert one.with_cost(2).inquiries[0].price == 2
    assert repr(two).endswith("inquiries state, camera>")
    for model, cost in ((one, 0), (two, 2), (two, {"docked": 2}), (two, [2.0] * 7)):
        with pytest.raises(errors.BadArgument, match="use with_price"):
            model.with_cost(cost)


def test_planners_know_the_planning_model():
    model = robot(ROOM)
    planner = glimpse.Planner(model)
    with pytest.raises(errors.NotApplicable, match="model.planning"):
        planner.plan(expansions=5)
    planning = model.planning
    assert planning.planning is planning and robot().planning is not planning
    direct = glimpse.Planner(planning).plan(expansions=300)
    agent = glimpse.Agent(model, planner)
    decision = agent.decide(expansions=300)
    assert (direct.lower, direct.upper) == (decision.lower, decision.upper)
    with pytest.raises(errors.Error, match="cannot change"):
        planning.discount = 0.5
    with pytest.raises(errors.Error, match="cannot change"):
        model.discount = 0.5
    plain = robot()
    assert plain.planning is plain


def test_the_planning_model_outlives_its_names():
    planning = robot(ROOM).planning
    states = len(planning.states)
    assert states == 14 and glimpse.Planner(planning).plan(expansions=20).lower < 10
    model = robot(ROOM)
    planning = model.planning
    model.close()
    assert len(planning.states) == 14 and planning.transition(0, 0)


# ------------------------------------------------------------------ exact values


def random_model(seed):
    """A small model with random inquiries of all timings, and its tables for the oracle."""
    source = random.Random(seed)

    def row(n):
        weights = [source.choice([0, 1, 1, 2, 3]) for _ in range(n)]
        weights[source.randrange(n)] += 1
        return [w / sum(weights) for w in weights]

    n, m, k, horizon = 3, 2, 2, 3
    transitions = [[row(n) for _ in range(n)] for _ in range(m)]
    views = [[row(k) for _ in range(n)] for _ in range(m)]
    rewards = [[source.randint(-4, 4) / 2 for _ in range(n)] for _ in range(m)]
    asks = []
    for name, timing in (("p", "before"), ("q", source.choice(["before", "step", "joint"]))):
        asks.append((name, timing, source.choice([0.05, 0.2, 0.5]), [row(2) for _ in range(n)]))
    inquiries = [
        Inquiry(name, price, tells=lambda s, t=table: {z: p for z, p in zip("xy", t[s]) if p}, timing=timing)
        for name, timing, price, table in asks
    ]
    start = row(n)
    model = glimpse.Model.from_arrays(
        transitions, views, rewards, discount=0.9, start=start, state_names=range(n),
        inquiries=inquiries, limits=glimpse.Limits(horizon=horizon),
    )
    return model, (transitions, views, rewards, asks, start, horizon)


def exact(tables):
    """The value by looking at every course of events; nothing is shared with the library."""
    transitions, views, rewards, asks, start, horizon = tables
    n, m, k = len(start), len(rewards), len(views[0][0])

    def told(b, table, then):
        total = 0.0
        for z in range(2):
            weight = [b[s] * table[s][z] for s in range(n)]
            if sum(weight) > 0:
                total += sum(weight) * then([w / sum(weight) for w in weight])
        return total

    def act(b, a, left, joint=None):
        """Acts, and is shown something; the weight of what is seen multiplies what follows."""
        value = sum(b[s] * rewards[a][s] for s in range(n)) - (joint[2] if joint else 0.0)
        moved = [sum(b[s] * transitions[a][s][s2] for s in range(n)) for s2 in range(n)]
        for o in range(k):
            weight = [moved[s2] * views[a][s2][o] for s2 in range(n)]
            if sum(weight) == 0:
                continue
            belief = [w / sum(weight) for w in weight]
            follows = told(belief, joint[3], lambda c: step(c, left - 1)) if joint else step(belief, left - 1)
            value += 0.9 * sum(weight) * follows
        return value

    def step(b, left, may=True):
        if left == 0:
            return 0.0
        values = [act(b, a, left) for a in range(m)]
        for inquiry in asks:
            _, timing, price, table = inquiry
            if timing == "joint":
                values += [act(b, a, left, inquiry) for a in range(m)]
            elif timing == "before" and may:
                values.append(-price + told(b, table, lambda c: step(c, left, False)))
            elif timing == "step":
                values.append(-price + 0.9 * told(b, table, lambda c: step(c, left - 1)))
        return max(values)

    return step(start, horizon)


@pytest.mark.parametrize("seed", range(12))
def test_values_against_all_courses_of_events(seed):
    model, tables = random_model(seed)
    value = exact(tables)
    agent = glimpse.Agent(model)
    decision = agent.decide(epsilon=1e-7)
    assert decision.lower - 1e-9 <= value <= decision.upper + 1e-9, seed
    assert decision.upper - decision.lower < 1e-6, seed
    policy = glimpse.Policy.solve(model, epsilon=1e-6)
    assert policy.info.lower - 1e-9 <= value <= policy.info.upper + 1e-9, seed
    for bound in glimpse.bounds(model).values():
        assert (bound() <= value + 1e-9) if bound.side == "lower" else (bound() >= value - 1e-9), (seed, bound)


# --------------------------------------------------------- threads, lifetimes


def test_many_threads_share_a_model():
    model = robot(ROOM, Inquiry("gps", 0.5))
    expected = glimpse.Agent(model).decide(expansions=200)

    def decide(_):
        agent = glimpse.Agent(model)
        decision = agent.decide(expansions=200)
        assert len(agent.choices()) == 5 and model.inquiries[0].name == "camera" and len(agent.graph(depth=1)) > 1
        return decision.inquiry, decision.lower, decision.upper

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(decide, range(12))) == {(expected.inquiry, expected.lower, expected.upper)}


def test_what_is_given_outlives_the_search():
    agent = glimpse.Agent(robot(ROOM))
    agent.decide(expansions=100)
    graph, choices, course = agent.graph(depth=2), agent.choices(), agent.forecast()
    text = graph.dot()
    agent.model.close()
    agent.close()
    del agent
    gc.collect()
    assert graph.dot() == text and len(choices) == 4 and course[0].probability > 0
    model = robot(ROOM)
    planning = model.planning
    del model
    gc.collect()
    assert planning.transition(0, 0) and copy.deepcopy(planning).to_text() == planning.to_text()


def test_a_closed_model_is_not_asked():
    model = robot(ROOM)
    agent = glimpse.Agent(model)
    agent.decide(expansions=20)
    model.close()
    for call in (lambda: agent.answer("hall"), lambda: agent.decide(expansions=5), lambda: model.planning):
        with pytest.raises(errors.Error):
            call()


# ------------------------------------------------------------------- episodes


def test_episodes_count_what_is_asked(program):
    path = ROOT / "examples" / "models" / "robot-sensors.pomdp"
    model = glimpse.Model.read(path)
    steps = []
    results = glimpse.run(model, episodes=10, expansions=100, seed=3, on_step=steps.append)
    printed = program("run", str(path), "--episodes", "10", "--expansions", "100", "--seed", "3")
    assert results.total.mean == pytest.approx(printed["return"]["mean"], abs=1e-12)
    for episode in results:
        mine = [step for step in steps if step.episode == episode.number]
        for name in ("camera", "localisation"):
            assert episode.asked[name] == sum(a.inquiry == name for s in mine for a in s.answers)
        assert episode.requests == sum(episode.asked.values())
        paid = sum(a.price for step in mine for a in step.answers)
        assert paid == pytest.approx(sum(step.cost for step in mine))
        for step in mine:
            for answer in step.answers:
                if answer.inquiry == "camera":
                    assert answer.answer in ("kitchen", "hall")
                else:
                    assert answer.answer in (None, model.states[step.state])
    assert results.asked("localisation").mean == sum(e.asked["localisation"] for e in results) / 10


def test_steps_without_an_action():
    model = robot(Inquiry("gps", 0.1, timing="step"))
    steps = []
    glimpse.run(model, episodes=3, expansions=100, on_step=steps.append)
    waiting = [step for step in steps if step.action is None]
    assert waiting and all(s.observation is None and s.answers[0].answer == model.states[s.state] for s in waiting)


def test_a_policy_is_followed():
    model = robot(ROOM, Inquiry("gps", 0.5, timing="step"))
    policy = glimpse.Policy.solve(model, relative=0.05)
    assert policy.verify(model).lower == pytest.approx(policy.info.lower)
    agent = glimpse.Agent(model, "policy", policy=policy)
    decision = agent.decide()
    assert decision.lower <= decision.upper
    results = glimpse.run(model, "policy", policy=policy, episodes=400, seed=5)
    low, high = results.total.mean - 4 * results.total.se, results.total.mean + 4 * results.total.se
    assert low <= policy.verify(model).value <= high


def test_vectors_for_the_planning_model(tmp_path):
    model = robot(ROOM)
    planning = model.planning
    n, actions = len(planning.states), len(planning.actions)
    rows = [[float(a + s) for s in range(n)] for a in range(actions)]
    vectors = "".join(f'<Vector action="{a}">{" ".join(map(str, row))}</Vector>\n' for a, row in enumerate(rows))
    path = tmp_path / "vectors.policy"
    head = f'<Policy type="value"><AlphaVector vectorLength="{n}" numObsValue="1" numVectors="{actions}">'
    path.write_text(f'<?xml version="1.0"?>\n{head}\n{vectors}</AlphaVector></Policy>\n')
    policy = glimpse.Policy.read(path, model)
    assert policy.info.states == n and len(policy) == actions
    path.write_text(path.read_text().replace(f'"{n}"', '"7"'))
    with pytest.raises(errors.BadSyntax, match=f'expected vectorLength="{n}"'):
        glimpse.Policy.read(path, model)
