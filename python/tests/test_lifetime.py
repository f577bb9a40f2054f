"""Objects of the library are freed: once, in order, and when nobody uses them any more."""

import ctypes
import gc
import os
import threading

import pytest

import glimpse
from glimpse import _library, _native, errors

from conftest import MACHINE, python


@pytest.fixture
def freed(monkeypatch):
    """The names of the functions that freed something, in order."""
    names = []
    original = _native._free

    def record(free, pointer, borrows):
        names.append(free.__name__.replace("glimpse_", "").replace("_free", ""))
        original(free, pointer, borrows)

    monkeypatch.setattr(_native, "_free", record)
    gc.collect()
    names.clear()
    return names


def test_forgotten_objects_are_freed_at_once(freed):
    agent = glimpse.Agent(glimpse.Model.parse(MACHINE))
    agent.decide(expansions=5)
    freed.clear()  # beliefs that were made on the way
    gc.disable()
    try:
        del agent
        assert sorted(freed) == ["agent", "model", "offline", "planner"]
    finally:
        gc.enable()
    assert freed.index("agent") < freed.index("planner") < freed.index("offline") < freed.index("model")


def test_what_is_borrowed_stays(freed):
    with glimpse.Model.parse(MACHINE) as model:
        planner = glimpse.Planner(model, offline=glimpse.OfflineBounds(model))
        bound = glimpse.Bound(model, "qmdp")
        planner.begin()
    planner.offline.close()
    freed.clear()
    assert model.closed and planner.offline.closed
    for use in (lambda: model.start, planner.plan, planner.begin, bound):
        with pytest.raises(errors.Closed, match="this Model has been closed"):
            use()
    # Nothing is freed under the planner, which closing the model does not stop.
    assert not freed
    native_plan(planner)
    del planner
    assert "planner" in freed and "offline" in freed and "model" not in freed
    bound.close()
    bound.close()
    assert freed[-1] == "model" and freed.count("model") == 1


def native_plan(planner):
    budget = glimpse.Budget(expansions=5)._native(planner._flag)
    decision = _library.Decision()
    assert _native.lib.planner_plan(planner._pointer, ctypes.byref(budget), ctypes.byref(decision)) == 0
    assert decision.expansions == 5


def test_closed_objects_say_so(machine):
    belief, bound = machine.belief(), glimpse.Bound(machine, "blind")
    planner = glimpse.Planner(machine)
    agent = glimpse.Agent(machine)
    for thing, use in (
        (belief, lambda: belief.entropy),
        (bound, bound),
        (planner, planner.plan),
        (agent, agent.decide),
        (machine, lambda: machine.discount),
    ):
        with thing:
            pass
        with pytest.raises(errors.Closed):
            use()
        assert "closed" in repr(thing)
        with pytest.raises(errors.Closed):
            thing.__enter__()


def test_a_failed_constructor_leaves_nothing(freed, machine):
    for wrong in (
        lambda: glimpse.Bound(machine, "fib"),
        lambda: glimpse.OfflineBounds(machine, "blind"),
        lambda: glimpse.Model.parse("nonsense"),
        lambda: glimpse.Planner(machine, paper=True, improve="sound"),
    ):
        with pytest.raises(glimpse.Error):
            wrong()
    gc.collect()
    assert set(freed) <= {"offline"}  # which the planner had made for itself
    machine.cost = 1  # nobody uses the model


def test_nothing_is_copied_or_pickled(machine):
    import copy
    import pickle

    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            attempt(machine)


def test_exit_with_living_objects():
    code = """if True:
        import glimpse
        model = glimpse.load("tiger")
        agent = glimpse.Agent(model)
        agent.decide(expansions=10)
        bounds = glimpse.bounds(model)
        loop = [agent, model]
        loop.append(loop)
        print("end")
    """
    result = python(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_may_use_what_it_inherits(machine):
    planner = glimpse.Planner(machine)
    planner.begin()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if planner.plan(expansions=20).expansions == 20 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert planner.plan(expansions=20).expansions == 20


def test_closing_while_others_read():
    """A model is closed in one thread while others use it: they work or are told, and nothing breaks."""
    problems = []
    for _ in range(20):
        model = glimpse.load("robot-delivery")

        def read():
            try:
                while True:
                    model.transition(0, 5), model.belief().entropy, model.start
            except errors.Closed:
                pass
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        model.close()
        for thread in threads:
            thread.join()
    assert not problems


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="sanitizers keep what is freed")
def test_memory_does_not_grow():
    def work():
        with glimpse.load("robot-delivery") as model:
            agent = glimpse.Agent(model)
            agent.decide(expansions=2000)
            glimpse.run(model, episodes=1, expansions=100, max_steps=3, on_step=lambda step: None)
            model.to_text()
            return agent.decision.bytes

    used = [work() for _ in range(5)][-1]
    before = resident()
    for _ in range(40):
        work()
    # A graph that leaked would be 40 times as much.
    assert resident() - before < 8 * used
