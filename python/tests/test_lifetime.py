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
    original = _native.Handle.__init__

    def make(handle, pointer, free, *rest):
        def record(pointer):
            names.append(free.__name__.replace("glimpse_", "").replace("_free", ""))
            free(pointer)

        original(handle, pointer, record, *rest)

    monkeypatch.setattr(_native.Handle, "__init__", make)
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


def ends_well(code, output):
    """The interpreter neither crashes nor hangs, and says what it should."""
    result = python(code)
    assert result.returncode == 0, result
    assert result.stdout == output
    return result.stderr


def test_exit_while_a_daemon_thread_plans():
    for use in (
        "planner.plan(time=100)",
        "planner.plan(expansions=3)",
        "glimpse.run(model, time=0.01, jobs=3, on_step=lambda step: None, on_episode=lambda e: None)",
    ):
        code = f"""if True:
            import threading, time, glimpse
            model = glimpse.load("rock-sample")
            planner = glimpse.Planner(model)

            def work():
                while True:
                    {use}

            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.3)
            print("end")
        """
        ends_well(code, "end\n")  # the thread's own exception may be cut short by the end


def test_finalizers_at_the_end_are_refused():
    code = """if True:
        import glimpse

        class Robot:
            def __init__(self):
                self.model = glimpse.load("tiger")
                self.planner = glimpse.Planner(self.model)
                self.agent = glimpse.Agent(self.model)
            def __del__(self):
                uses = (lambda: self.planner.plan(expansions=500), lambda: self.agent.decide(time=0.5),
                        lambda: self.model.cost, lambda: glimpse.load("tiger"),
                        lambda: glimpse.run(self.model, episodes=1))
                for use in uses:
                    try:
                        print(use())
                    except glimpse.errors.Closed as error:
                        print(error)
                self.agent.close()
                self.planner.close()

        robot = Robot()
    """
    assert ends_well(code, 5 * "Python is exiting: glimpse can no longer be used\n") == ""


def test_a_lock_that_a_daemon_thread_keeps():
    code = """if True:
        import threading, glimpse
        model = glimpse.load("rock-sample")

        class Robot:
            planner = glimpse.Planner(model)
            def __del__(self):
                try:
                    self.planner.plan(expansions=10)
                except glimpse.errors.Closed as error:
                    print(error)
                self.planner.close()

        robot = Robot()
        thread = threading.Thread(target=robot.planner._lock.__enter__)  # taken, and never given back
        thread.start()
        thread.join()
    """
    assert ends_well(code, "Python is exiting: glimpse can no longer be used\n") == ""


def test_exit_handlers_may_use_everything():
    code = """if True:
        import atexit
        atexit.register(lambda: print("early", planner.plan(expansions=500).expansions > 0, model.cost))
        import glimpse
        atexit.register(lambda: print("late", planner.plan(expansions=500).expansions > 0))
        model = glimpse.load("tag")
        planner = glimpse.Planner(model)
    """
    assert ends_well(code, "late True\nearly True 1.0\n") == ""


def test_finalizers_in_a_cycle():
    """They run in any order: what they use works, or says that it is closed."""
    code = """if True:
        import gc, glimpse
        gc.disable()
        seen = set()

        class Robot:
            def __init__(self, model):
                self.model = model
                self.me = self
            def __del__(self):
                for use in (lambda: self.agent.decide(expansions=50), lambda: self.planner.plan(expansions=50),
                            lambda: self.bound(), lambda: self.model.start, lambda: self.belief.entropy,
                            lambda: glimpse.Planner(self.model).plan(expansions=5)):
                    try:
                        use()
                        seen.add("works")
                    except glimpse.errors.Closed as error:
                        seen.add("has been closed" in str(error))
                kept.append(self)

        kept = []
        for order in range(6):
            parts = ["bound", "belief", "planner", "agent"]
            robot = Robot(glimpse.load("tiger"))
            for name in parts[order % 4:] + parts[: order % 4]:
                make = {"bound": lambda m: glimpse.Bound(m, "qmdp"), "belief": lambda m: m.belief(),
                        "planner": glimpse.Planner, "agent": glimpse.Agent}[name]
                setattr(robot, name, make(robot.model))
            del robot
            gc.collect()
        for robot in kept:  # brought back to life by their finalizers
            try:
                robot.planner.plan(expansions=10)
            except glimpse.errors.Closed:
                pass
        print(seen <= {"works", True}, len(kept))
    """
    assert ends_well(code, "True 6\n") == ""


def test_what_is_borrowed_is_freed_last_in_a_cycle(freed):
    for _ in range(5):
        model = glimpse.Model.parse(MACHINE)
        loop = [model, glimpse.Agent(model), glimpse.Planner(model)]
        loop.append(loop)
        del model, loop
    freed.clear()
    gc.collect()
    assert freed.count("model") == 5 and freed.count("planner") == 10 and freed.count("agent") == 5
    model, planner, offline = freed.index("model"), freed.index("planner"), freed.index("offline")
    assert planner < offline < model and freed.index("agent") < model


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
                    model.transition(5, 0), model.belief().entropy, model.start
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


def test_a_price_does_not_change_under_others():
    """Prices are set in one thread while others make planners: each planner knows one price."""
    problems = []
    for _ in range(8):
        model = glimpse.load("robot-delivery")
        done = threading.Event()

        def change():
            try:
                price = 0
                while not done.is_set():
                    price = price % 7 + 1
                    try:
                        model.cost = price
                    except glimpse.Error as error:
                        assert "cannot change any more" in str(error)
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=change) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(3):
                planner = glimpse.Planner(model)
                price = model.cost
                decision = planner.plan(expansions=10)
                lower, upper = planner.offline()
                same = glimpse.Planner(glimpse.load("robot-delivery", c=price))
                assert (lower, upper) == same.offline() and lower <= upper
                assert decision.lower == same.plan(expansions=10).lower <= decision.upper
                del planner, decision
        finally:
            done.set()
            for thread in threads:
                thread.join()
    assert not problems


def test_bounds_of_another_model_are_refused(machine, tiger):
    offline = glimpse.OfflineBounds(tiger)
    for use in (lambda: glimpse.Planner(machine, offline=offline), lambda: glimpse.run(machine, offline=offline)):
        with pytest.raises(glimpse.Error):
            use()


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
