"""The environment in the style of Gymnasium: without it, with a small imitation, and, where it is installed,
with the real one and its own checker."""

import math

import pytest

import glimpse
from glimpse import errors

from conftest import python


def play(env, agent, seed, **budget):
    """An episode of an agent of ours; returns the discounted return by its own bookkeeping."""
    seen, info = env.reset(seed=seed)
    agent.begin()
    total, done = 0.0, False
    while not done:
        decision = agent.decide(**budget)
        if decision.ask:
            seen, reward, done, cut, info = env.step({"control": 0, "request": 1})
            assert seen["state"] == env.state and not done
            total += info["discount"] * reward
            decision = agent.reveal(seen["state"])
            if cut:
                break
        seen, reward, done, cut, info = env.step({"control": decision.action, "request": 0})
        total += info["discount"] * reward
        agent.observe(decision.action, seen["observation"])
        done = done or cut
    assert info["return"] == pytest.approx(total)
    return total, info


def test_an_agent_in_it(tiger):
    """Asking before every step and opening the right door pays 9 each time, whatever is drawn."""
    env = glimpse.RequestEnv(tiger, max_steps=10)
    total, info = play(env, glimpse.Agent(tiger, "always-ask"), 1)
    assert total == pytest.approx(9 * (1 - 0.95**10) / 0.05)
    assert info["time"] == 10 == info["requests"]


def test_the_world_has_the_models_probabilities(machine):
    """Mean return of never asking and always running, against the closed form of the expectation."""
    env = glimpse.RequestEnv(machine, max_steps=5)
    p, expected = 1.0, 0.0
    for t in range(5):
        expected += 0.95**t * (2 * p - 1)
        p *= 0.9
    totals, faulty, good_steps = [], 0, 0
    env.reset(seed=5)
    for _ in range(1000):
        env.reset()
        cut = False
        while not cut:
            seen, reward, done, cut, info = env.step({"control": "run", "request": 0})
            assert not done and seen["state"] == -1
            if env.state == 0:
                good_steps += 1
                faulty += seen["observation"] == 1
        totals.append(info["return"])
    s = glimpse.Statistic.of(totals)
    assert abs(s.mean - expected) < 4 * s.se < 0.35
    assert abs(faulty / good_steps - 0.2) < 4 * math.sqrt(0.16 / good_steps)


def test_a_step_of_each_kind(machine):
    env = glimpse.RequestEnv(machine, max_steps=3)
    assert env.state is None
    seen, info = env.reset(seed=1)
    assert seen == {"observation": -1, "state": -1} and seen in env.observation_space
    assert info == {"time": 0, "discount": 1.0, "return": 0.0, "requests": 0}
    seen, reward, done, cut, info = env.step({"request": 1})
    assert (seen, reward, done, cut) == ({"observation": -1, "state": 0}, -0.5, False, False)
    assert info == {"time": 0, "discount": 1.0, "return": -0.5, "requests": 1}
    seen, reward, done, cut, info = env.step({"control": 1, "request": 0})
    assert (reward, seen["state"], info["time"], info["discount"]) == (-2, -1, 1, 1.0)
    seen, reward, done, cut, info = env.step({"control": "repair"})
    assert info["discount"] == 0.95 and info["return"] == pytest.approx(-0.5 - 2 - 2 * 0.95)
    last = seen["observation"]
    assert env.step({"request": 1})[0] == {"observation": last, "state": 0}
    assert env.step({"control": 1, "request": 0})[3]
    with pytest.raises(errors.BadArgument, match=r"call reset\(\)"):
        env.step({"control": 1, "request": 0})


def test_seeds(tiger):
    def course(seed, env):
        env.reset(seed=seed)
        env.action_space.seed(3)
        return [env.step({"control": 0, "request": 0})[0]["observation"] for _ in range(30)]

    env = glimpse.RequestEnv(tiger)
    assert course(1, env) == course(1, glimpse.RequestEnv("tiger")) != course(2, env)
    env.action_space.seed(1)
    first = [env.action_space.sample() for _ in range(20)]
    env.action_space.seed(1)
    assert [env.action_space.sample() for _ in range(20)] == first
    assert all(action in env.action_space for action in first) and len({str(a) for a in first}) > 2


def test_ends():
    env = glimpse.RequestEnv("robot-delivery", n=3, f=0, max_steps=50, render_mode="ansi")
    env.reset(seed=1)
    assert "R" in env.render()
    results = [env.step({"control": "right", "request": 0}) for _ in range(3)]
    assert [r[2] for r in results] == [False, False, True] and not results[-1][3] and results[-1][1] == 1
    # Asking for ever ends, too.
    env.reset(options={"state": 0})
    assert env.state == 0
    calls = 1
    while not env.step({"request": 1})[3]:
        calls += 1
    assert calls == 100


def test_pictures(machine, capsys):
    assert glimpse.RequestEnv(machine).render() is None
    env = glimpse.RequestEnv(machine, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "good\n"
    env = glimpse.RequestEnv(machine, render_mode="human")
    env.reset(seed=0)
    env.step({"control": "repair", "request": 0})
    assert capsys.readouterr().out == "good\n"


def test_what_is_refused(machine):
    env = glimpse.RequestEnv(machine)
    with pytest.raises(errors.BadArgument, match="reset"):
        env.step({"control": 0, "request": 0})
    env.reset(seed=0)
    for wrong in (0, {"request": 0}, {"control": 0, "request": 2}, {"control": 9}, {"wait": 1}, {"control": "fly"}):
        with pytest.raises(errors.BadArgument):
            env.step(wrong)
    with pytest.raises(errors.BadArgument, match="no option"):
        env.reset(options={"mood": 1})
    with pytest.raises(errors.BadArgument, match="render_mode"):
        glimpse.RequestEnv(machine, render_mode="smell")
    with pytest.raises(TypeError, match="takes no parameters"):
        glimpse.RequestEnv(machine, n=3)
    machine.cost = 0
    with pytest.raises(errors.BadArgument, match="no state requests"):
        env.step({"request": 1})


IMITATION = """if True:
    import sys, types
    class Env:
        seeds = []
        def reset(self, *, seed=None, options=None):
            self.seeds.append(seed)
    class Discrete:
        def __init__(self, n, seed=None, start=0):
            self.n, self.start = n, start
    class Dict:
        def __init__(self, spaces):
            self.spaces = spaces
    module = types.ModuleType("gymnasium")
    module.Env = Env
    module.spaces = types.ModuleType("gymnasium.spaces")
    module.spaces.Discrete, module.spaces.Dict = Discrete, Dict
    if INSTALLED:
        sys.modules["gymnasium"] = module
        sys.modules["gymnasium.spaces"] = module.spaces
    else:
        sys.modules["gymnasium"] = None  # not to be imported
    import glimpse
    env = glimpse.RequestEnv("tiger", max_steps=5)
    course = [env.reset(seed=11)]
    course += [env.step({"control": 0, "request": i % 2}) for i in range(8)]
    if INSTALLED:
        assert isinstance(env, Env) and env.seeds == [11]
        assert isinstance(env.action_space, Dict) and isinstance(env.observation_space, Dict)
        assert env.action_space.spaces["control"].n == 3 and env.observation_space.spaces["state"].start == -1
    else:
        assert type(env).__mro__[1] is object
        assert env.action_space["control"].n == 3 and env.observation_space["state"].start == -1
    print(course)
"""


def test_with_and_without_it_the_same_happens():
    results = [python(IMITATION.replace("INSTALLED", text)) for text in ("True", "False")]
    assert results[0].returncode == 0, results[0].stderr
    assert results[1].returncode == 0, results[1].stderr
    assert results[0].stdout == results[1].stdout and len(results[0].stdout) > 100


def test_the_real_one():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    check_env(glimpse.RequestEnv("tiger", max_steps=20), skip_render_check=True)
    gymnasium.register("glimpse/Tiger-v0", entry_point="glimpse:RequestEnv", kwargs={"model": "tiger"})
    env = gymnasium.make("glimpse/Tiger-v0", max_steps=3)
    env.reset(seed=1)
    assert [env.step({"control": 0, "request": 0})[3] for _ in range(3)] == [False, False, True]
