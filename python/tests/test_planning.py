"""Planners and agents."""

import dataclasses
import math
import threading
import time

import pytest

import glimpse
from glimpse import errors

from conftest import python


# ------------------------------------------------------------------- planners


@pytest.mark.parametrize("cost", [0.5, 1, 5, 9, 9.5])
def test_the_value_of_tiger(cost):
    """V = max(20 (10 - c), 19.371368...)."""
    model = glimpse.Model.environment("tiger")
    model.cost = cost
    decision = glimpse.Planner(model).plan(epsilon=1e-3, expansions=2000)
    value = max(20 * (10 - cost), 19.371368)
    assert decision.lower - 1e-5 <= value <= decision.upper + 1e-5
    if cost < 8:
        assert decision.upper - decision.lower <= 1e-3 and decision.ask


def test_the_same_as_the_program(program, tmp_path, machine):
    machine.write(tmp_path / "machine.pomdp")
    question = ["--belief", "good=0.6,worn=0.4", "--expansions", "200", "--time", "off"]
    told = program("plan", str(tmp_path / "machine.pomdp"), *question)
    planner = glimpse.Planner(machine)
    planner.begin({"good": 0.6, "worn": 0.4})
    decision = planner.plan(expansions=200)
    for key in ("lower", "upper", "offline_lower", "offline_upper", "expansions", "nodes", "corners", "stop"):
        assert getattr(decision, key) == told[key], key
    assert decision.ask is told["ask"] is True and decision.action is None and decision.label is None
    choices = planner.choices()
    assert [(c.label, c.lower, c.upper) for c in choices[:-1]] == [
        (a["action"], a["lower"], a["upper"]) for a in told["actions"]
    ]
    assert choices[-1].ask and (choices[-1].lower, choices[-1].upper) == (told["request_lower"], told["request_upper"])


def test_every_planner_decides(machine):
    bounds = glimpse.OfflineBounds(machine)
    made = glimpse.Policy.solve(machine, relative=0.1)
    for kind in glimpse.PLANNERS:
        policy = made if kind == "policy" else None
        planner = glimpse.Planner(machine, kind, offline=bounds, policy=policy)
        decision = planner.plan(expansions=50)
        assert decision.ask or decision.label in machine.actions
        assert len(planner.choices()) == 3
        if kind in ("aems-loop", "aems-sr", "aems"):
            assert decision.lower <= decision.upper and decision.stop in ("expansions", "solved")
            forecast = planner.forecast(4)
            assert forecast and forecast[0].ask == decision.ask and forecast[0].action is not None
            assert 0 < forecast[-1].probability <= forecast[0].probability <= 1
    assert decision.stop == "rule"


def test_pomcp_needs_no_bounds(machine):
    planner = glimpse.Planner(machine, "pomcp", seed=3)
    assert planner.offline is None
    first = planner.plan(expansions=500)
    assert math.isnan(first.lower) and not math.isnan(first.value)
    assert sum(c.visits for c in planner.choices()) == 500
    planner.begin()
    assert planner.plan(expansions=500).value == first.value
    assert glimpse.Planner(machine, "pomcp", rollout="upper").offline is not None


def test_a_planner_goes_on_and_moves(machine):
    planner = glimpse.Planner(machine)
    gaps = []
    for _ in range(4):
        decision = planner.plan(expansions=5)
        gaps.append(decision.upper - decision.lower)
    assert gaps == sorted(gaps, reverse=True) and gaps[-1] < gaps[0]
    planner.observe("run", "faulty")
    expected = machine.belief()
    expected.update("run", "faulty")
    assert planner.belief.dense() == expected.dense()
    with pytest.raises(errors.BadArgument, match="plan first"):
        planner.choices()
    planner.reveal("worn")
    assert planner.belief.dense() == [0, 1] and not planner.plan(expansions=10).ask


def test_settings(machine):
    planner = glimpse.Planner(machine, "aems_sr", rule="bi-pomdp", improve="none", graph="reset")
    assert planner.options.rule == "bi-pomdp"
    options = glimpse.PlannerOptions("ask-every", every=2)
    assert glimpse.Planner(machine, options).plan().ask
    paper = glimpse.Planner(machine, paper=True)
    assert paper.plan(expansions=5).expansions == 5
    small = glimpse.Planner(glimpse.load("tag"), max_memory=1000000)
    assert small.plan(expansions=2000).bytes <= 1000000


@pytest.mark.parametrize(
    "settings, kind, text",
    [
        (dict(kind="best"), errors.BadArgument, "planner: there is no 'best'; there is aems-loop"),
        (dict(rule="best"), errors.BadArgument, "rule"),
        (dict(sped=3), TypeError, "there is no setting 'sped'; there is kind, improve"),
        (dict(every=-1), errors.BadArgument, "every must lie in"),
        (dict(seed=2**64), errors.BadArgument, "seed must lie in"),
        (dict(particles="many"), TypeError, "particles must be a whole number"),
        (dict(kind="ask-entropy", entropy=-1), errors.BadArgument, "entropy"),
        (dict(kind="ask-entropy", entropy=25), errors.BadArgument, "entropy: 25 is not between 0 and 24"),
        (dict(kind="pomcp", particles=0), errors.BadArgument, "particles must lie in 1"),
        (dict(seed=0), errors.BadArgument, "seed must lie in 1"),
        (dict(kind="pomcp", exploration=0), errors.BadArgument, "exploration must be positive; None is the default"),
        (dict(kind="aems", particles=7), errors.BadArgument, "the planner aems does not take particles"),
        (dict(kind="pomcp", paper=True), errors.BadArgument, "the planner pomcp does not take paper"),
        (dict(kind="pomcp", rollout="uper"), errors.BadArgument, "rollout: there is no 'uper'"),
        (dict(upper="best"), errors.BadArgument, "upper"),
        (dict(paper=True, improve="sound"), errors.BadArgument, "improve must be 'none' or 'paper'"),
    ],
)
def test_settings_that_are_wrong(machine, settings, kind, text):
    with pytest.raises(kind, match=text):
        glimpse.Planner(machine, **settings)


def test_budgets_that_are_wrong(machine):
    planner = glimpse.Planner(machine)
    wrong_ones = [{"time": 0}, {"time": -1}, {"time": math.nan}, {"expansions": 0}, {"epsilon": -1}]
    for wrong in wrong_ones + [{"epsilon": math.nan}]:
        with pytest.raises(errors.BadArgument, match=next(iter(wrong))):
            planner.plan(**wrong)
    with pytest.raises(TypeError):
        planner.plan(time="long")


def test_epsilon_zero_ends_nothing(machine):
    planner = glimpse.Planner(machine)
    planner.begin()
    assert planner.plan(epsilon=0, expansions=7).stop == "expansions"
    assert planner.plan(epsilon=0).seconds < 1  # as without any limit
    assert planner.plan(epsilon=100).stop == "epsilon"


def test_discount_one_cannot_be_planned_on(machine):
    machine.discount = 1
    with pytest.raises(errors.NotApplicable, match="discount"):
        glimpse.Planner(machine)


# --------------------------------------------------------------------- agents


def test_an_agent_goes_through_its_phases(machine):
    agent = glimpse.Agent(machine)
    agent.begin({"good": 0.6, "worn": 0.4})
    decision = agent.decide(expansions=300)
    assert decision.ask and agent.decision == decision
    with pytest.raises(errors.BadArgument, match=r"call reveal\(state\)"):
        agent.decide()
    with pytest.raises(errors.BadArgument, match=r"call reveal\(state\)"):
        agent.observe("run", "fine")
    decision = agent.reveal("worn")
    assert decision.label == "repair" and not decision.ask and agent.belief.dense() == [0, 1]
    assert decision.expansions <= 1  # of the budget nothing was left
    with pytest.raises(errors.BadArgument, match="has not asked"):
        agent.reveal("worn")
    agent.observe(decision.action, "fine")
    assert agent.belief.dense() == [1, 0]
    with pytest.raises(errors.BadArgument, match=r"call decide\(\) first"):
        agent.observe("run", "fine")


def deaf():
    """Whoever does not move hears nothing."""
    return glimpse.Model.from_functions(
        states=["left", "right"],
        actions=["stay"],
        observations=["silence", "noise"],
        transition=lambda s, a: s,
        observation=lambda a, s: "silence",
        reward=lambda s, a: 1.0,
        discount=0.5,
        cost=1,
    )


def test_an_impossible_observation():
    agent = glimpse.Agent(deaf())
    agent.decide(expansions=10)
    with pytest.raises(errors.Impossible, match="'stay' the model excludes the observation 'noise'"):
        agent.observe("stay", "noise")
    assert agent.belief.dense() == [0.5, 0.5]
    assert agent.reveal("left").label == "stay"
    agent.observe("stay", "silence")
    lost = glimpse.Agent(deaf(), ask_when_lost=True)
    assert not lost.decide(expansions=10).ask
    lost.observe("stay", "noise")
    assert lost.decide(expansions=10).ask
    lost.reveal("right")


def test_a_planner_has_one_agent(machine):
    planner = glimpse.Planner(machine)
    agent = glimpse.Agent(machine, planner)
    for call in (planner.begin, planner.plan, lambda: planner.observe(0, 0), lambda: planner.reveal(0)):
        with pytest.raises(errors.BadArgument, match="follows an agent"):
            call()
    with pytest.raises(errors.BadArgument, match="another agent"):
        glimpse.Agent(machine, planner)
    agent.decide(expansions=10)
    assert len(planner.choices()) == 3
    agent.close()
    planner.plan(expansions=10)
    glimpse.Agent(machine, planner).decide(expansions=10)
    with pytest.raises(errors.BadArgument, match="another model"):
        glimpse.Agent(deaf(), glimpse.Planner(machine))
    with pytest.raises(TypeError, match="settings"):
        glimpse.Agent(machine, glimpse.Planner(machine), rule="aems")


# ------------------------------------------------------- threads and signals


def test_a_search_can_be_interrupted():
    agent = glimpse.Agent(glimpse.load("robot-delivery:n=25"))
    found = []
    thread = threading.Thread(target=lambda: found.append(agent.decide(time=60)))
    thread.start()
    while thread.is_alive():  # an interrupt before the search begins is lost
        agent.interrupt()
        time.sleep(0.01)
    thread.join()
    assert found[0].stop == "interrupted" and found[0].seconds < 30


def test_ctrl_c_ends_a_long_search():
    code = """if True:
        import glimpse, os, signal, threading, time
        agent = glimpse.Agent(glimpse.load("robot-delivery:n=25"))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            agent.decide(time=50)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 40, agent.decision.stop)
        if agent.decision.ask:
            agent.reveal(0)
        agent.begin()
        print(agent.decide(expansions=5).expansions)
    """
    result = python(code)
    assert result.stdout.split() == ["interrupted", "True", "interrupted", "5"], result.stderr
    assert result.returncode == 0


def test_threads_share_model_and_bounds():
    model = glimpse.load("robot-delivery")
    bounds = glimpse.OfflineBounds(model)
    expected = glimpse.Planner(model, offline=bounds).plan(expansions=2000)
    found = []

    def work():
        found.append(glimpse.Planner(model, offline=bounds).plan(expansions=2000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(d.lower, d.upper, d.nodes) for d in found] == [(expected.lower, expected.upper, expected.nodes)] * 4


def test_calls_to_one_agent_wait_for_one_another(machine):
    agent = glimpse.Agent(machine)
    problems = []

    def work():
        try:
            for _ in range(50):
                agent.begin({"good": 0.9, "worn": 0.1})
                agent.belief.entropy
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_a_request_that_nobody_answers(tiger):
    agent = glimpse.Agent(tiger)
    assert agent.phase == "decide" and not agent.lost and math.isnan(agent.probability)
    with pytest.raises(errors.BadArgument, match="has not asked"):
        agent.no_answer()
    assert agent.decide(expansions=20).ask and agent.phase == "state"
    with pytest.raises(errors.BadArgument, match=r"reveal\(state\) or no_answer\(\)"):
        agent.decide(expansions=20)
    decision = agent.no_answer()
    assert (decision.ask, decision.label, agent.phase) == (False, "listen", "observation")
    assert not agent.decide(expansions=20).ask  # not again in this step
    agent.observe("listen", "tiger-left")
    assert agent.probability == pytest.approx(0.5) and agent.phase == "decide"
    assert agent.belief["tiger-left"] == pytest.approx(0.85)
    assert agent.decide(expansions=20).ask


def test_an_agent_that_is_lost():
    model = glimpse.load("robot-delivery:n=3")
    agent = glimpse.Agent(model, ask_when_lost=True)
    agent.begin("corridor2-at2")
    agent.decide(expansions=20)
    agent.observe("left", "arrived")  # cannot be
    assert agent.lost and agent.probability == 0
    assert agent.decide(expansions=20).ask
    assert not agent.no_answer().ask and agent.lost
    other = glimpse.Agent(model)
    other.begin("corridor2-at2")
    other.decide(expansions=20)
    with pytest.raises(errors.Impossible):
        other.observe("left", "arrived")
    assert not other.lost and other.probability == 0 and other.phase == "observation"
    other.reveal("corridor2-at2")


def test_options_are_those_of_the_library():
    options = glimpse.PlannerOptions()
    assert (options.kind, options.seed, options.particles, options.every, options.entropy) == ("aems-loop", 1, 1000, 5, 0)
    assert options.max_memory == 2**30 and options.rule == "aems" and options.rollout == "random"
    assert options.improve is None and options.graph is None and options.exploration is None and not options.paper
    assert options == glimpse.PlannerOptions("aems-loop", seed=1) != glimpse.PlannerOptions(seed=2)
    assert dataclasses.replace(options, seed=5).seed == 5
    assert "particles" in glimpse.PlannerOptions.__doc__ and "default: 1000" in glimpse.PlannerOptions.__doc__
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.seed = 3


def test_old_names_are_understood(machine):
    """For this version, with a warning that points to the caller."""
    def renamed(text, call):
        with pytest.warns(DeprecationWarning, match=text) as caught:
            result = call()
        assert len(caught) == 1 and caught[0].filename == __file__
        return result

    planner = glimpse.Planner(machine)
    assert renamed("seconds is now time", lambda: planner.plan(seconds=0.01)).stop
    assert renamed("seconds is now time", lambda: glimpse.Agent(machine).decide(seconds=0.01)).stop
    assert len(renamed("seconds is now time", lambda: glimpse.run(machine, episodes=1, max_steps=1, seconds=0.01))) == 1
    assert renamed("seconds is now time", lambda: glimpse.Budget(seconds=3)) == glimpse.Budget(3)
    assert renamed("max_bytes is now max_memory", lambda: glimpse.PlannerOptions(max_bytes=70000)).max_memory == 70000
    assert renamed("reset is now graph", lambda: glimpse.PlannerOptions(reset=True)).graph == "reset"
    assert renamed("reset is now graph", lambda: glimpse.PlannerOptions(reset=False)).graph is None
    old = renamed("rollout: 'qmdp' is now 'upper'", lambda: glimpse.Planner(machine, "pomcp", rollout="qmdp"))
    assert old.offline is not None
    assert renamed("max_seconds is now max_time", lambda: glimpse.Bound(machine, "qmdp", max_seconds=9)).converged
    assert renamed("max_seconds is now max_time", lambda: glimpse.OfflineBounds(machine, max_seconds=9)).upper == "fib-sr"
    assert glimpse.Bound(machine, "fib_sr").kind == "fib-sr"
    every = glimpse.bounds(machine)
    assert renamed("'fib_sr' is now 'fib-sr'", lambda: every["fib_sr"]) is every["fib-sr"]
    with pytest.raises(KeyError):
        every["fib_rs"]


def test_a_seed_is_that_of_the_program(machine):
    """Of the worlds and of the planner, unless the planner has its own."""
    def totals(planner, **more):
        results = glimpse.run(machine, planner, episodes=4, max_steps=10, expansions=30, **more)
        return [episode.total for episode in results]

    assert totals("pomcp") == totals("pomcp", seed=1) == totals(glimpse.PlannerOptions("pomcp"))
    assert totals("pomcp", seed=2) == totals(glimpse.PlannerOptions("pomcp", seed=2), seed=2)
    assert totals("pomcp", seed=2) != totals(glimpse.PlannerOptions("pomcp", seed=3), seed=2)
