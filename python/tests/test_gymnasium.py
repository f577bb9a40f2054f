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


# ------------------------------------------------------------- plainer spaces


def test_flat_actions(machine):
    """The same course of events as with dicts."""
    flat, usual = glimpse.RequestEnv(machine, actions="flat"), glimpse.RequestEnv(machine)
    assert flat.action_space.n == 3
    flat.reset(seed=9)
    usual.reset(seed=9)
    for action in (0, 2, 1, 2, 0, 0):
        named = {"control": 0, "request": 1} if action == 2 else {"control": action, "request": 0}
        assert flat.step(action) == usual.step(named)
    for wrong in (3, -1, "run", {"control": 0}, None):
        with pytest.raises(errors.BadArgument, match="number from 0 to 2"):
            flat.step(wrong)
    assert glimpse.RequestEnv(machine.with_cost(0), actions="flat").action_space.n == 2
    with pytest.raises(errors.BadArgument, match="did you mean 'flat'"):
        glimpse.RequestEnv(machine, actions="flta")


def test_beliefs_as_observations(machine):
    pytest.importorskip("numpy")
    env = glimpse.RequestEnv(machine, actions="flat", observations="belief")
    usual = glimpse.RequestEnv(machine)
    belief = machine.belief()
    seen, _ = env.reset(seed=2)
    usual.reset(seed=2)
    assert seen in env.observation_space and seen.tolist() == [1.0, 0.0]
    for action in (0, 0, 2, 0, 1, 0, 0, 2):
        seen = env.step(action)[0]
        shown = usual.step({"control": min(action, 1), "request": int(action == 2)})[0]
        if action == 2:
            belief.reveal(shown["state"])
        else:
            belief.update(action, shown["observation"])
        assert seen in env.observation_space and seen.tolist() == pytest.approx(belief.dense(), abs=1e-6)
    env.reset(options={"state": "worn"})  # which the start excludes
    assert env.step(0)[0].tolist() == [0.0, 1.0]


def test_the_last_observation_alone(machine):
    env, usual = glimpse.RequestEnv(machine, observations="last"), glimpse.RequestEnv(machine)
    assert env.observation_space.n == 5
    assert env.reset(seed=1)[0] == 0 and usual.reset(seed=1)
    for i in range(10):
        action = {"control": 0, "request": i % 2}
        seen, shown = env.step(action)[0], usual.step(action)[0]
        assert seen == (3 + shown["state"] if i % 2 else 1 + shown["observation"]) and seen in env.observation_space


def test_labels_that_are_numbers():
    model = glimpse.Model.from_functions(
        states=[2, 1, 0], actions=[1, 0], transition=lambda s, a: s, observation=lambda s2: s2,
        reward=lambda s, a: 10 * s + a, discount=0.5, cost=1, start=2,
    )
    env = glimpse.RequestEnv(model)
    env.reset(seed=0)
    assert env.step({"control": 0, "request": 0})[1] == 21  # a number of the action space, not a label
    env.reset(options={"state": 0})
    assert env.state == 2 and env.step({"control": 1, "request": 0})[1] == 0


# ------------------------------------------------------------------ inquiries


def menu(machine, **more):
    return machine.with_inquiries(
        glimpse.Inquiry("ear", 0.05, tells=lambda s: {"fine": 0.9, None: 0.1} if s == "good" else {"bad": 1.0}, unpaid=True),
        glimpse.Inquiry("open", 0.2, timing="step", effect=lambda s: {s: 0.9, "worn": 0.1} if s == "good" else s),
        glimpse.Inquiry("after", 0.1, tells=lambda s: s, noise=0.1, timing="joint"),
        **more,
    )


def test_an_agent_among_inquiries(machine):
    """An agent and the environment believe the same, and the agent earns what it earns in the library's worlds."""
    pytest.importorskip("numpy")
    model = menu(machine.with_cost(0))
    shown, belief = (glimpse.InquiryEnv(model, max_steps=25, observations=o) for o in ("dict", "belief"))
    agent = glimpse.Agent(model)
    totals, kinds = [], set()
    for seed in range(60):
        shown.reset(seed=seed)
        belief.reset(seed=seed)
        agent.begin()
        cut = False
        while not cut:
            decision = agent.decide(expansions=30)
            while True:
                which = -1 if decision.inquiry is None else [q.name for q in model.inquiries].index(decision.inquiry)
                action = {"control": decision.action, "request": which + 1}
                seen, reward, done, cut, info = shown.step(action)
                mind = belief.step(action)[0]
                kinds.add(decision.inquiry)
                assert seen in shown.observation_space and seen["inquiry"] == which
                if decision.action is not None:
                    break
                decision = agent.answer(model.inquiries[which].answers[seen["answer"]])
                assert mind.tolist() == pytest.approx(agent.belief.dense(), abs=1e-6)
                if decision is None or cut:
                    break
            if decision is not None and decision.action is not None:
                told = [] if which < 0 else [model.inquiries[which].answers[seen["answer"]]]
                agent.observe(decision.action, seen["observation"], *told)
                assert mind.tolist() == pytest.approx(agent.belief.dense(), abs=1e-6)
        totals.append(info["return"])
    mine, theirs = glimpse.Statistic.of(totals), glimpse.run(model, episodes=200, max_steps=25, expansions=30).total
    assert abs(mine.mean - theirs.mean) < 4 * math.hypot(mine.se, theirs.se), (mine, theirs)
    assert kinds - {None}


def test_each_inquiry_by_hand(machine):
    """Prices, probabilities and time of every kind, by counting."""
    model = menu(machine.with_cost(0))
    env = glimpse.InquiryEnv(model, actions="flat")
    assert env.action_space.n == 2 + 1 + 1 + 2
    heard, worn, right, n = 0, 0, 0, 2000
    env.reset(seed=1)
    for _ in range(n):
        env.reset()
        seen, reward, _, _, info = env.step(2)
        assert reward == (-0.05 if seen["answer"] != 2 else 0.0) and info["time"] == 0 and env.state == 0
        heard += model.inquiries[0].answers[seen["answer"]] == "fine"
        seen, reward, _, _, info = env.step(3)
        assert (reward, info["time"], info["discount"]) == (-0.2, 1, 1.0) and seen["answer"] == env.state
        worn += env.state
        seen, reward, _, _, info = env.step(5)  # repair, and ask then
        assert reward == pytest.approx(-2.1) and info["time"] == 2 and info["discount"] == 0.95 and env.state == 0
        right += seen["answer"] == 0
    for found, expected in ((heard, 0.9), (worn, 0.1), (right, 0.9)):
        assert abs(found / n - expected) < 4 * math.sqrt(expected * (1 - expected) / n)


def test_whoever_samples_is_served(machine):
    for actions in ("dict", "flat"):
        env = glimpse.gymnasium.make(menu(machine, limits={"requests": 2, "horizon": 6}), actions=actions)
        env.action_space.seed(3)
        for seed in range(50):
            env.reset(seed=seed)
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(env.action_space.sample())
                over = terminated or truncated
            assert info["requests"] <= 2 and info["time"] <= 6


def test_limits_of_inquiries(machine):
    env = glimpse.gymnasium.make(menu(machine.with_cost(0), limits={"requests": 2, "horizon": 3}))
    assert type(env) is glimpse.InquiryEnv
    env.reset(seed=1)
    info = env.step({"request": 1})[4]
    assert info["allowed"] == [env.model.inquiries[i].timing != "before" for i in range(3)] and info["requests"] == 1
    seen, reward, _, _, info = env.step({"request": 1})  # one too many before an action: nothing happens
    assert seen["answer"] == seen["inquiry"] == -1 and reward == 0 and info["requests"] == 1 and info["time"] == 0
    assert env.step({"control": 0, "request": 0})[4]["allowed"] == [True] * 3
    env.step({"request": 2})
    seen, _, ended, _, info = env.step({"control": 0, "request": 3})  # no question is left: the control alone
    assert seen["answer"] == -1 and info["requests"] == 2 and info["allowed"] == [False] * 3
    assert ended and info["time"] == 3
    for wrong in ({"request": 4}, {"request": 3}, {"control": 9}, 0, {"request": "ear"}):
        env.reset()
        with pytest.raises(errors.BadArgument):
            env.step(wrong)
    with pytest.raises(errors.NotApplicable, match="InquiryEnv"):
        glimpse.RequestEnv(env.model)
    with pytest.raises(errors.NotApplicable, match="'dict' or 'belief'"):
        glimpse.InquiryEnv(env.model, observations="last")
    assert type(glimpse.gymnasium.make("maintenance")) is glimpse.InquiryEnv
    assert type(glimpse.gymnasium.make("tiger", max_steps=3)) is glimpse.RequestEnv


def test_several_at_once(machine):
    numpy = pytest.importorskip("numpy")
    from glimpse.gymnasium import VectorEnv, ids

    envs = VectorEnv([glimpse.RequestEnv(machine, actions="flat", max_steps=3 + i) for i in range(3)])
    single = [glimpse.RequestEnv(machine, actions="flat", max_steps=3 + i) for i in range(3)]
    seen, infos = envs.reset(seed=5)
    for i, env in enumerate(single):
        env.reset(seed=5 + i)
    assert seen["observation"].tolist() == [-1, -1, -1] and infos["requests"].tolist() == [0, 0, 0]
    ended = [False] * 3
    for t in range(12):
        actions = [t % 3, (t + 1) % 3, 0]
        seen, rewards, done, cut, infos = envs.step(actions)
        for i, env in enumerate(single):
            if ended[i]:
                expected = (env.reset()[0], 0.0, False, False)
            else:
                *expected, info = env.step(actions[i])
                expected = tuple(expected)
                assert {key: infos[key][i] for key in info} == info and all(infos["_" + key][i] for key in info)
            assert ({k: v[i] for k, v in seen.items()}, rewards[i], done[i], cut[i]) == expected
            ended[i] = expected[2] or expected[3]
    assert isinstance(rewards, numpy.ndarray)
    with pytest.raises(errors.BadArgument, match="2 actions for 3"):
        envs.step([0, 0])
    for actions in ({"control": [1, 0], "request": [0, 1]}, [{"control": 1, "request": 0}, {"control": 0, "request": 1}]):
        pair = VectorEnv([glimpse.RequestEnv(machine) for _ in range(2)])
        pair.reset(seed=1)
        assert pair.step(actions)[1].tolist() == [-2.0, -0.5]
    assert ids()["glimpse/RobotDelivery-v0"] == "robot-delivery" and len(ids()) == len(glimpse.environments())


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
    module.registered = {}
    module.register = lambda key, entry_point, kwargs: module.registered.update({key: (entry_point, kwargs)})
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
        assert module.registered["glimpse/Tiger-v0"] == ("glimpse.gymnasium:make", {"model": "tiger"})
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
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not there: the imitation above was tested")
    from gymnasium.utils.env_checker import check_env

    for name, text in glimpse.gymnasium.ids().items():
        inquiries = isinstance(glimpse.gymnasium.make(text), glimpse.InquiryEnv)
        for options in ({}, {"actions": "flat"}, {"observations": "belief"}, {"observations": "last"}):
            if not inquiries or options.get("observations") != "last":
                check_env(gymnasium.make(name, max_steps=20, **options).unwrapped, skip_render_check=True)
    env = gymnasium.make("glimpse/Tiger-v0", max_steps=3)
    env.reset(seed=1)
    assert [env.step({"control": 0, "request": 0})[3] for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("options", [{"actions": "flat", "max_steps": 3}, {"max_steps": 4}, {"observations": "belief"}])
def test_worlds_side_by_side_as_the_real_one_has_them(options):
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not there")
    numpy = pytest.importorskip("numpy")
    real = glimpse.gymnasium.vector("tiger", 3, **options)
    ours = glimpse.gymnasium.VectorEnv([glimpse.gymnasium.make("tiger", **options) for _ in range(3)])
    assert isinstance(real, gymnasium.vector.SyncVectorEnv)
    real.action_space.seed(7)

    def same(a, b):
        if isinstance(a, dict):
            assert sorted(a) == sorted(b)
            return all(same(a[key], b[key]) for key in a)
        return numpy.array_equal(a, b)

    assert same(real.reset(seed=1)[0], ours.reset(seed=1)[0])
    for _ in range(20):
        actions = real.action_space.sample()
        for a, b in zip(real.step(actions), ours.step(actions)):
            assert same(a, b)
