"""Episodes and statistics."""

import math
import statistics
import time

import pytest

import glimpse
from glimpse import errors


def test_the_same_as_the_program(program):
    limits = ["--episodes", "8", "--expansions", "30", "--max-steps", "60", "--time", "off"]
    told = program("run", "robot-delivery", *limits)
    found = glimpse.run(glimpse.load("robot-delivery"), episodes=8, expansions=30, max_steps=60)
    assert len(found) == 8
    for key in ("mean", "se", "low", "high"):
        assert getattr(found.total, key) == told["return"][key], key
    assert found.requests.mean == told["requests"] and found.steps.mean == told["steps"]
    steps = sum(e.steps for e in found)
    assert sum(e.expansions * e.steps for e in found) / steps == pytest.approx(told["expansions"])


def test_results_do_not_depend_on_threads_or_order(machine):
    def play(**more):
        results = glimpse.run(machine, expansions=10, max_steps=20, seed=7, **more)
        return [(e.number, e.total, e.steps, e.requests, e.lower, e.upper) for e in results]

    whole = play(episodes=12)
    assert play(episodes=12, jobs=4) == whole
    assert play(episodes=5, first=7) == whole[7:]
    assert play(episodes=12, offline=glimpse.OfflineBounds(machine)) == whole


def test_steps_add_up(machine):
    steps, ended = [], []
    results = glimpse.run(
        machine, episodes=4, expansions=20, max_steps=60, on_step=steps.append, on_episode=ended.append
    )
    assert ended == list(results)
    for episode in results:
        mine = [step for step in steps if step.episode == episode.number]
        assert [step.step for step in mine] == list(range(60)) and [s.last for s in mine] == [False] * 59 + [True]
        total = sum(0.95**s.step * (s.reward - s.cost) for s in mine)
        assert episode.total == pytest.approx(total) and mine[-1].total == episode.total
        assert episode.undiscounted == pytest.approx(sum(s.reward - s.cost for s in mine))
        assert mine[-1].undiscounted == episode.undiscounted
        assert episode.requests == sum(s.asked for s in mine) > 0
        for s, following in zip(mine, mine[1:]):
            assert s.next_state == following.state and s.next_state in machine.transition(s.state, s.action)
            assert s.reward == machine.reward(s.state, s.action) and s.asked == s.decision.ask
            assert (s.after is not None) == s.asked and s.cost == (0.5 if s.asked else 0)
            belief = machine.belief(s.state if s.asked else s.belief)
            belief.update(s.action, s.observation)
            assert following.belief == pytest.approx(belief.probabilities())


def test_functions_are_called_one_at_a_time(machine):
    inside, most = [], []

    def step(step):
        inside.append(step.episode)
        most.append(len(inside))
        time.sleep(0.0005)  # lets others run
        inside.remove(step.episode)

    glimpse.run(machine, episodes=12, expansions=2, max_steps=5, jobs=4, on_step=step)
    assert len(most) == 60 and max(most) == 1


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_exception_in_a_function_ends_the_run(machine, jobs):
    def step(step):
        if step.step == 2:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        glimpse.run(machine, episodes=10, expansions=5, max_steps=50, jobs=jobs, on_step=step)

    def done(episode):
        raise KeyError("mine, too")

    with pytest.raises(KeyError, match="mine, too"):
        glimpse.run(machine, episodes=10, expansions=5, max_steps=5, jobs=jobs, on_episode=done)


def test_false_ends_the_run(machine):
    results = glimpse.run(
        machine, episodes=10, expansions=5, max_steps=5, on_step=lambda s: s.episode < 3 or s.step < 2
    )
    assert [episode.number for episode in results] == [0, 1, 2]


def test_planners_of_all_kinds_play(tiger):
    # Asking before every step and opening the right door pays 9 each time.
    expected = 9 * (1 - 0.95**10) / 0.05
    for kind in ("aems-loop", "always-ask"):
        results = glimpse.run(tiger, kind, episodes=3, expansions=20, max_steps=10)
        assert [e.total for e in results] == pytest.approx([expected] * 3)
        assert results.requests.mean == 10 and not results[0].finished
    assert glimpse.run(tiger, glimpse.PlannerOptions("never-ask"), episodes=2, max_steps=5).requests.mean == 0
    assert len(glimpse.run(tiger, "pomcp", episodes=2, max_steps=5, expansions=50, seed=2)) == 2


def test_statistics():
    values = [1.0, 2.5, -3.0, 0.25, 7.0]
    s = glimpse.Statistic.of(values)
    assert s.mean == pytest.approx(statistics.mean(values))
    assert s.se == pytest.approx(statistics.stdev(values) / math.sqrt(5))
    assert s.high - s.mean == pytest.approx(2.776445105 * s.se) == pytest.approx(s.mean - s.low)
    assert math.isnan(glimpse.Statistic.of([]).mean)
    one = glimpse.Statistic.of([3.0])
    assert one.mean == 3 and math.isnan(one.se)


def test_what_is_refused(machine):
    for wrong in ({"episodes": 0}, {"max_steps": 0}, {"jobs": 0}, {"seed": -1}, {"expansions": 0}):
        with pytest.raises(errors.BadArgument, match=next(iter(wrong))):
            glimpse.run(machine, **wrong)
    with pytest.raises(TypeError, match="no setting"):
        glimpse.run(machine, speed=3)
    other = glimpse.load("tiger")
    with pytest.raises(errors.BadArgument, match="another model"):
        glimpse.run(machine, episodes=1, expansions=1, offline=glimpse.OfflineBounds(other))
    machine.discount = 1
    with pytest.raises(errors.NotApplicable):
        glimpse.run(machine)
