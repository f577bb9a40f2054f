"""Labels of every kind, functions called by their parameters, and arrays in and out."""

import enum
import os
import time

import pytest

import glimpse
from glimpse import errors

from conftest import random_tables


#: Seconds of the processor for 10,000 states; sanitizers take their time.
ENOUGH = 20.0 if "LD_PRELOAD" in os.environ else 1.0


class Light(enum.Enum):
    RED = 1
    GREEN = 2


def chain(states, **more):
    """States in a row; ``on`` goes to the next one, the last one stays."""
    settings = dict(
        states=states,
        actions=["on", "stay"],
        transition=lambda state, action: states[min(states.index(state) + (action == "on"), len(states) - 1)],
        observation=lambda next_state: "dark",
        reward=lambda state, action: float(states.index(state)),
        discount=0.5,
        cost=0.1,
    )
    settings.update(more)
    return glimpse.Model.from_functions(**settings)


# --------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    "states",
    [
        ["a", "b", "c"],
        [(0, 1), (1, 0), (1, 1)],
        [Light.RED, Light.GREEN],
        [10, 20, 30],
        [2, 1, 0],
        [True, False],
        [0.5, 1.5, 2.0],
        [frozenset("ab"), frozenset(), None],
        [1, "1", (1,)],
        [-1, 0, 1],
    ],
)
def test_labels_come_back(states):
    model = chain(states)
    assert list(model.states) == states and [type(s) for s in model.states] == [type(s) for s in states]
    for i, state in enumerate(states):
        assert model.state(state) == i and model.state(glimpse.Place(i)) == i
        assert model.belief({state: 1.0}).items() == [(state, 1.0)]
        following = states[min(i + 1, len(states) - 1)]
        (to,) = model.transition(state, "on")
        assert model.states[to] == following and model.state(to) == states.index(following)
        assert model.reward(state, "on") == i
    policy = glimpse.Planner(model).plan(expansions=50)
    assert policy.lower <= policy.upper
    steps = []
    glimpse.run(model, episodes=1, max_steps=3, expansions=5, on_step=steps.append)
    for step in steps:
        assert model.reward(step.state, step.action) == step.reward
        assert model.belief(step.belief).probabilities() == step.belief


def test_actions_that_are_numbers():
    model = glimpse.Model.from_functions(
        states=["x"], actions=[-1, 0, 1], transition=lambda s, a: "x", observation=lambda s2: 0,
        reward=lambda s, a: a, discount=0.5, cost=0,
    )
    agent = glimpse.Agent(model)
    decision = agent.decide(expansions=20)
    assert decision.label == 1 and decision.action == 2
    agent.observe(decision.action, 0)  # what is in results means the same when it is given back
    assert model.reward("x", decision.action) == 1 and model.reward("x", 1) == 1 and model.reward("x", -1) == -1
    with pytest.raises(errors.BadArgument, match="there is no action 2"):
        model.action(2)
    assert repr(decision.action) == "Place(2)" and str(decision.action) == "2"


def misspelt(state):
    return {state: 1}


def test_labels_that_are_like_others(tiger):
    for call, text in (
        (lambda: tiger.state("tiger-lft"), "did you mean 'tiger-left'"),
        (lambda: tiger.action("lisen"), "did you mean 'listen'"),
        (lambda: glimpse.Planner(tiger, "aems-lop"), "did you mean 'aems-loop'"),
        (lambda: glimpse.Bound(tiger, "fib-rs"), "did you mean 'fib-sr'"),
        (lambda: chain(["a", "b"], transition=lambda state, action: "A"), "none of the states"),
        (lambda: glimpse.PlannerOptions(expansoins=3), "there is no setting"),
        (lambda: glimpse.PlannerOptions(max_memry=3), "did you mean 'max_memory'"),
        (lambda: glimpse.run(tiger, episode=3), "did you mean 'episodes'"),
        (lambda: glimpse.Planner(tiger, ofline=None), "did you mean 'offline'"),
        (lambda: glimpse.Planner(tiger).plan(expansion=3), r"plan\(\).*'expansion'; did you mean 'expansions'"),
        (lambda: glimpse.Agent(tiger).decide(expansion=3), "did you mean 'expansions'"),
        (lambda: glimpse.Policy.solve(tiger, epsilo=1), r"Policy\.solve\(\).*did you mean 'epsilon'"),
        (lambda: glimpse.PriceCurve(tiger, expansion=3), "did you mean 'expansions'"),
        (lambda: glimpse.BeliefMap(tiger, point=3), "did you mean 'points'"),
        (lambda: glimpse.Model.from_functions(acions=["a"]), "did you mean 'actions'"),
        (lambda: glimpse.Model.from_arrays([], [], [], discont=1), "did you mean 'discount'"),
        (lambda: glimpse.Planner(tiger).plan(nonsense=3), r"'nonsense'\Z"),
        (lambda: chain(["a", "b"], transition=lambda state, action: dict(**{"a": 1}, **misspelt(stae=1))), r"misspelt\(\).*'stae'\Z"),
        (lambda: glimpse.load("tigr"), "did you mean the built-in environment 'tiger'"),
    ):
        with pytest.raises((errors.BadArgument, errors.CannotRead, TypeError), match=text):
            call()


# ------------------------------------------------------------------ functions


def test_functions_are_called_by_the_names_of_their_parameters():
    states = ["a", "b", "c"]
    usual = chain(states).to_text()

    def swapped(action, state):
        return states[min(states.index(state) + (action == "on"), 2)]

    def shown(action, next_state):
        assert action in ("on", "stay") and next_state in states
        return "dark"

    def paid(observation, next_state, action, state):
        assert observation == "dark" and next_state == swapped(action, state)
        return float(states.index(state))

    assert chain(states, transition=swapped).to_text() == usual
    assert chain(states, observation=shown).to_text() == usual
    assert chain(states, observation=lambda cell, action: shown(action, cell)).to_text() == usual
    assert chain(states, observation=lambda action, cell: shown(action, cell)).to_text() == usual
    assert chain(states, reward=paid).to_text() == usual
    assert chain(states, reward=lambda a, s: paid("dark", swapped(a, s), a, s)).to_text() == usual
    assert chain(states, reward=lambda cell, move: paid("dark", swapped(move, cell), move, cell)).to_text() == usual
    assert chain(states, reward=lambda s, a, scale=1.0: scale * states.index(s)).to_text() == usual


def test_swapped_arguments_are_noticed_where_no_name_tells():
    """By an exception or a result that makes no sense, and makes sense the other way round."""
    states = ["a", "b", "c"]
    table = {("on", "a"): "b", ("on", "b"): "c", ("on", "c"): "c", ("stay", "a"): "a", ("stay", "b"): "b", ("stay", "c"): "c"}
    pay = {(move, state): float(move == "on") for move in ("on", "stay") for state in states}
    swapped = r"\(move, cell\) is called with state and action, and seems to take action and state"
    with pytest.raises(TypeError, match="transition" + swapped) as caught:
        chain(states, transition=lambda move, cell: table[move, cell])
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(TypeError, match="transition" + swapped):
        chain(states, transition=lambda move, cell: table.get((move, cell), "nowhere"))
    with pytest.raises(TypeError, match="reward" + swapped):
        chain(states, reward=lambda move, cell: pay[move, cell])
    # What is wrong either way, or has names, keeps its own error.
    with pytest.raises(ZeroDivisionError):
        chain(states, reward=lambda cell, move: 1 // 0)
    with pytest.raises(KeyError):
        chain(states, transition=lambda state, move: table[state, move])
    with pytest.raises(KeyError):
        chain(states, observation=lambda cell: {"on": "dark", "stay": "dark"}[cell])


@pytest.mark.parametrize(
    "change, text",
    [
        (dict(observation=lambda x, y: "dark"), "next_state and action, in any order"),
        (dict(transition=lambda s: s), "transition must take state and action"),
        (dict(transition=lambda s, a, o: s), "no value for its parameter 'o'"),
        (dict(transition=lambda state, s: state), "no value for its parameter 's'"),
        (dict(reward=lambda: 0), "reward must take state and action, and may take"),
    ],
)
def test_functions_that_take_something_else(change, text):
    with pytest.raises(TypeError, match=text):
        chain(["a", "b"], **change)


def test_the_state_comes_first(machine):
    for method in (machine.transition, machine.observing, machine.reward):
        with pytest.raises(errors.BadArgument, match="the state comes first, then the action"):
            method("run", "good")


# --------------------------------------------------------------------- arrays


@pytest.mark.parametrize("seed", range(3))
def test_arrays_out_and_in_again(seed):
    numpy = pytest.importorskip("numpy")
    tables = random_tables(seed)
    model = glimpse.Model.from_arrays(**tables)
    arrays = model.arrays()
    for name in ("transitions", "observations", "rewards"):
        assert numpy.allclose(arrays[name], tables[name], atol=1e-15)
    assert glimpse.Model.from_arrays(**arrays).to_text() == model.to_text()
    arrays["transitions"][:] = 0  # a copy
    assert glimpse.Model.from_arrays(**model.arrays()).to_text() == model.to_text()


def test_sparse_matrices_out_and_in_again():
    numpy = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    model = glimpse.load("robot-delivery", n=3)
    tables = model.sparse()
    assert sparse.issparse(tables["transitions"][0]) and tables["transitions"][1].shape == (133, 133)
    for a in range(len(model.actions)):
        for s in (0, 5, 132):
            row = tables["transitions"][a].getrow(s)
            assert dict(zip(row.indices.tolist(), row.data.tolist())) == model.transition(s, a)
            assert tables["rewards"][a][s] == model.reward(s, a)
    other = glimpse.Model.from_arrays(**tables)
    assert other.sizes().transitions == model.sizes().transitions
    again = other.sparse()
    for name in ("transitions", "observations"):
        assert all((x != y).nnz == 0 for x, y in zip(tables[name], again[name]))
    assert numpy.array_equal(again["rewards"], tables["rewards"])


def test_errors_in_arrays_have_a_place():
    numpy = pytest.importorskip("numpy")
    tables = {k: numpy.array(v) if k in ("transitions", "observations", "rewards") else v for k, v in random_tables(1).items()}
    tables["transitions"][1, 2, 3] = -0.5
    with pytest.raises(errors.BadArgument, match=r"transitions\[1\]\[2\]\[3\].*negative"):
        glimpse.Model.from_arrays(**tables)
    tables["transitions"][1, 2, 3] = 0.5
    tables["rewards"] = tables["rewards"].copy()
    tables["rewards"][2, 1] = numpy.nan
    with pytest.raises(errors.BadArgument, match=r"rewards\[2\]\[1\]"):
        glimpse.Model.from_arrays(**tables)


def test_sparse_entries_of_one_place_are_added():
    numpy = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")

    def twice(matrix):
        """Each entry as two halves, from the last column to the first."""
        rows = sparse.csr_matrix(matrix)
        order = [i for s in range(rows.shape[0]) for i in range(rows.indptr[s + 1] - 1, rows.indptr[s] - 1, -1)]
        data = numpy.repeat(rows.data[order] / 2, 2)
        return sparse.csr_matrix((data, numpy.repeat(rows.indices[order], 2), 2 * rows.indptr), shape=rows.shape)

    tables = {**random_tables(2)}
    model = glimpse.Model.from_arrays(**tables)
    halves = {name: [twice(part) for part in tables[name]] for name in ("transitions", "observations")}
    rewards = twice(tables["rewards"])
    again = glimpse.Model.from_arrays(**{**tables, **halves, "rewards": rewards})
    assert again.to_text() == model.to_text()
    assert rewards.nnz == 2 * numpy.count_nonzero(tables["rewards"])  # the caller's stays as it is
    bound = glimpse.Bound(model, "blind")
    beliefs = [[1 / len(model.states)] * len(model.states)]
    assert bound.evaluate(twice(beliefs)) == pytest.approx(bound.evaluate(beliefs), abs=1e-12)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_of_other_kinds():
    numpy = pytest.importorskip("numpy")
    tables = random_tables(1)
    model = glimpse.Model.from_arrays(**tables)
    matrices = [numpy.asmatrix(part) for part in tables["transitions"]]
    assert glimpse.Model.from_arrays(**{**tables, "transitions": matrices}).to_text() == model.to_text()
    with pytest.raises(TypeError, match="real numbers, not complex"):
        glimpse.Model.from_arrays(**{**tables, "rewards": numpy.array(tables["rewards"]) + 1j})
    hidden = numpy.ma.masked_array(numpy.array(tables["transitions"]), mask=True)
    with pytest.raises(errors.BadModel, match="sums to 0"):
        glimpse.Model.from_arrays(**{**tables, "transitions": hidden})
    assert glimpse.Model.from_arrays(**{**tables, "cost": numpy.array(0.5)}).cost == 0.5


def test_start_and_cost_by_label():
    tables = dict(transitions=[[[1, 0], [0, 1]]], observations=[[[1], [1]]], rewards=[[1, 2]], discount=0.5)
    model = glimpse.Model.from_arrays(**tables, state_names=[5, "worn"], start={"worn": 1}, cost={5: 2, "worn": 3})
    assert model.belief().items() == [("worn", 1.0)] and model.cost_of(5) == 2
    for start in ("worn", 1):
        with pytest.raises(errors.BadArgument, match="start must be a list with a number for each of the 2 states"):
            glimpse.Model.from_arrays(**tables, start=start)
    with pytest.raises(errors.BadArgument, match="did you mean 'worn'"):
        glimpse.Model.from_arrays(**tables, state_names=[5, "worn"], start={"wron": 1})


def test_ten_thousand_states_at_once():
    numpy = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    n, actions = 10000, 4
    rows = numpy.repeat(numpy.arange(n), 3)
    views = sparse.csr_matrix((numpy.ones(n), (numpy.arange(n), numpy.arange(n) % 7)), shape=(n, 7))
    moves = []
    for a in range(actions):
        columns = (rows + numpy.tile([0, a + 1, 2 * a + 3], n)) % n
        moves.append(sparse.csr_matrix((numpy.tile([0.5, 0.25, 0.25], n), (rows, columns)), shape=(n, n)))
    rewards = numpy.arange(actions * n, dtype=float).reshape(actions, n)
    begin = time.process_time()
    model = glimpse.Model.from_arrays(moves, [views] * actions, rewards, discount=0.9, cost=1.0)
    taken = time.process_time() - begin
    assert model.sizes().transitions == 3 * n * actions and model.reward(7, 2) == 20007
    assert model.transition(9999, 1) == {1: 0.25, 4: 0.25, 9999: 0.5}
    assert taken < ENOUGH, f"{taken:.2f} s"
    begin = time.process_time()
    out = model.sparse()
    taken = time.process_time() - begin
    assert all((x != y).nnz == 0 for x, y in zip(out["transitions"], moves)) and numpy.array_equal(out["rewards"], rewards)
    assert taken < ENOUGH, f"{taken:.2f} s"
