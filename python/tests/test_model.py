"""Models from files, arrays and functions, and beliefs."""

import math
import random

import pytest

import glimpse
from glimpse import errors

from conftest import MACHINE, ROOT, random_tables

T = [[[0.9, 0.1], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]]
O = [[[0.8, 0.2], [0.4, 0.6]]] * 2
R = [[1, -1], [-2, -2]]
NAMES = {
    "state_names": ["good", "worn"],
    "action_names": ["run", "repair"],
    "observation_names": ["fine", "faulty"],
}


def from_arrays(transitions=T, observations=O, rewards=R, **more):
    settings = {"discount": 0.95, "cost": 0.5, "start": [1, 0], **NAMES, **more}
    return glimpse.Model.from_arrays(transitions, observations, rewards, **settings)


def from_functions(**more):
    settings = dict(
        states=["good", "worn"],
        actions=["run", "repair"],
        observations=["fine", "faulty"],
        transition=lambda s, a: "good" if a == "repair" else {"good": 0.9, "worn": 0.1} if s == "good" else "worn",
        observation=lambda a, s: [("fine", 0.8), ("faulty", 0.2)] if s == "good" else {"fine": 0.4, "faulty": 0.6},
        reward=lambda s, a: -2 if a == "repair" else 1 if s == "good" else -1,
        discount=0.95,
        cost=0.5,
        start="good",
    )
    settings.update(more)
    return glimpse.Model.from_functions(**settings)


# --------------------------------------------------------------- ways to make


def test_all_ways_make_the_same_model(machine, tmp_path):
    text = machine.to_text()
    machine.write(tmp_path / "machine.pomdp")
    (tmp_path / "original.pomdp").write_text(MACHINE)
    assert (tmp_path / "machine.pomdp").read_text() == text
    assert glimpse.Model.read(tmp_path / "original.pomdp").to_text() == text
    assert glimpse.load(str(tmp_path / "machine.pomdp")).to_text() == text
    assert from_arrays().to_text() == text
    assert from_functions().to_text() == text


def test_functions_find_states_and_observations(machine):
    model = from_functions(states=None, observations=None)
    assert model.to_text() == machine.to_text()


def test_rows_may_be_mappings(machine):
    transitions = [[{0: 0.9, 1: 0.1}, {1: 1.0}], [{0: 1}, {0: 1}]]
    observations = [[{0: 0.8, 1: 0.2}, {0: 0.4, 1: 0.6}]] * 2
    assert from_arrays(transitions, observations, start={0: 1}).to_text() == machine.to_text()


def test_asking_may_be_free_in_some_states():
    for model in (
        from_arrays(cost=[0.5, 0]),
        from_arrays(cost={0: 0.5}),
        from_functions(cost=lambda state: 0.5 if state == "good" else 0),
        from_functions(cost={"good": 0.5, "worn": 0}),
    ):
        assert model.requests and model.cost is None
        assert (model.cost_of("good"), model.cost_of("worn")) == (0.5, 0)
        assert not model.warnings
        assert glimpse.Model.parse(model.to_text()).cost_of("worn") == 0
        decision = glimpse.Planner(model).plan(expansions=50)
        assert decision.lower <= decision.upper
    with pytest.warns(glimpse.ModelWarning, match="1 of 2 states: asking there is free"):
        model = from_functions(cost={"good": 0.5})
    assert model.cost_of("worn") == 0
    assert not from_arrays(cost=[0, 0]).requests


def test_files_of_costs(machine):
    assert not machine.negated
    model = glimpse.Model.parse(MACHINE.replace("values: reward", "values: cost"))
    assert model.negated and model.reward("good", "repair") == 2
    assert not glimpse.Model.parse(model.to_text()).negated  # it is written with rewards


def test_numpy_arrays(machine):
    numpy = pytest.importorskip("numpy")
    arrays = [numpy.array(table) for table in (T, O, R)]
    model = from_arrays(*arrays, start=numpy.array([1.0, 0.0]), cost=numpy.array([0.5, 0.5]))
    assert model.to_text() == machine.to_text()
    assert model.action(numpy.int64(1)) == 1
    belief = machine.belief(numpy.array([0.6, 0.4]))
    assert numpy.array(belief).tolist() == pytest.approx([0.6, 0.4])


class Coordinates:
    """Stands in for a sparse matrix of SciPy."""

    class List(list):
        def tolist(self):
            return list(self)

    def __init__(self, rows):
        entries = [(i, j, v) for i, row in enumerate(rows) for j, v in enumerate(row) if v]
        self.shape = (len(rows), len(rows[0]))
        self.row, self.col, self.data = (self.List(part) for part in zip(*entries))

    def tocsr(self):
        return self

    tocoo = tocsr


def test_sparse_matrices(machine):
    model = from_arrays([Coordinates(t) for t in T], [Coordinates(o) for o in O])
    assert model.to_text() == machine.to_text()


def test_rewards_of_every_depth():
    """[a][s], [a][s][s2] and [a][s][s2][o] have the same expectation when they should."""
    for seed in range(5):
        tables = random_tables(seed)
        source = random.Random(seed)
        n, k = 4, 3
        deep = [[[[source.uniform(-1, 1) for _ in range(k)] for _ in range(n)] for _ in range(n)] for _ in range(3)]
        model = glimpse.Model.from_arrays(**{**tables, "rewards": deep})
        middle = [
            [
                [sum(tables["observations"][a][s2][o] * deep[a][s][s2][o] for o in range(k)) for s2 in range(n)]
                for s in range(n)
            ]
            for a in range(3)
        ]
        other = glimpse.Model.from_arrays(**{**tables, "rewards": middle})
        for a in range(3):
            for s in range(n):
                expected = sum(tables["transitions"][a][s][s2] * middle[a][s][s2] for s2 in range(n))
                assert model.reward(s, a) == pytest.approx(expected, abs=1e-12), seed
                assert other.reward(s, a) == pytest.approx(expected, abs=1e-12), seed
                for s2 in model.transition(s, a):
                    for o in model.observing(s2, a):
                        assert model.reward(s, a, s2, o) == deep[a][s][s2][o]


def test_rewards_as_functions_of_everything():
    seen = set()

    def reward(state, action, next_state, observation):
        seen.add((state, action, next_state, observation))
        return 1.0 if next_state == "worn" and observation == "faulty" else 0.0

    model = from_functions(reward=reward)
    assert model.reward("good", "run") == pytest.approx(0.1 * 0.6)
    assert ("good", "repair", "worn", "fine") not in seen  # impossible, so never asked
    three = from_functions(reward=lambda s, a, s2: 1.0 if s2 == "worn" else 0.0)
    assert three.reward("good", "run") == pytest.approx(0.1)


def test_labels_of_any_kind():
    """A corridor of cells; the last one ends the episode."""
    model = glimpse.Model.from_functions(
        actions=["left", "right"],
        transition=lambda cell, a: (0, min(max(cell[1] + (1 if a == "right" else -1), 0), 3)),
        observation=lambda a, cell: "end" if cell == (0, 3) else "dark",
        reward=lambda cell, a, following: 1.0 if following == (0, 3) else 0.0,
        terminal=lambda cell: cell == (0, 3),
        discount=0.9,
        cost=lambda cell: 0.1 + cell[1],
        start={(0, 0): 0.5, (0, 1): 0.5},
    )
    assert model.states == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert model.state((0, 2)) == 2 and model.terminal((0, 3)) and not model.terminal((0, 2))
    assert model.cost is None and model.cost_of((0, 2)) == 2.1
    assert model.reward((0, 2), "right") == 1 and model.reward((0, 3), "right") == 0
    assert model.belief((0, 1)).probabilities() == {1: 1.0}
    assert "s0-2" in model.to_text()
    # From cell 0 or 1 it takes three or two steps, without asking.
    decision = glimpse.Planner(model).plan(epsilon=1e-9)
    assert decision.label == "right" and not decision.ask
    assert decision.lower == pytest.approx(0.5 * 0.81 + 0.5 * 0.9) == decision.upper


def test_tables_make_the_model_again():
    for name in ("tiger", "robot-delivery", "toy"):
        model = glimpse.Model.environment(name)
        again = glimpse.Model.from_arrays(**model.tables())
        assert again.tables() == model.tables()


def test_environments():
    listed = {environment.name: environment for environment in glimpse.environments()}
    assert {"tiger", "tag", "robot-delivery", "rock-sample", "toy"} <= set(listed)
    for environment in listed.values():
        model = glimpse.Model.environment(environment.name)
        given = {parameter.key: parameter.default for parameter in environment.parameters}
        assert glimpse.Model.environment(environment.name, **given).to_text() == model.to_text()
    assert len(glimpse.Model.environment("robot-delivery", n=5).states) == 305
    assert glimpse.load("tag", prey="classic").to_text() == glimpse.load("tag:prey=classic").to_text()
    assert glimpse.Model.environment("tag:prey=classic", c=0.25).cost == 0.25


def test_the_equivalent_pomdp(machine):
    other = machine.equivalent()
    assert len(other.states) == 4 and not other.requests
    assert other.discount == pytest.approx(math.sqrt(0.95))
    tiger = glimpse.load("tiger")
    tiger.cost = 0
    with pytest.raises(errors.NotApplicable):
        tiger.equivalent()


# -------------------------------------------------------------------- reading


def test_the_parts(machine):
    assert machine.states == ("good", "worn") and machine.actions == ("run", "repair")
    assert machine.observations == ("fine", "faulty")
    assert machine.transition("good", "run") == {0: 0.9, 1: 0.1}
    assert machine.observing("worn", "run") == {0: 0.4, 1: 0.6}
    assert machine.reward(0, 1) == -2 and machine.start == {0: 1.0}
    assert machine.sizes().transitions == 5 and machine.sizes().terminals == 0
    assert repr(machine) == (
        "<glimpse.Model text: 2 states, 2 actions, 2 observations, discount 0.95, cost 0.5>"
    )


def test_cost_and_discount_change_only_before_they_are_used(machine):
    machine.cost, machine.discount = 0.25, 0.5
    assert (machine.cost, machine.discount, machine.cost_of("worn")) == (0.25, 0.5, 0.25)
    for bad in (-1, math.nan, math.inf):
        with pytest.raises(errors.BadArgument, match="cost"):
            machine.cost = bad
        with pytest.raises(errors.BadArgument, match="discount"):
            machine.discount = bad
    bound = glimpse.Bound(machine, "qmdp")
    with pytest.raises(glimpse.Error, match="cannot change any more"):
        machine.cost = 1
    bound.close()
    machine.cost = 0
    assert not machine.requests


def test_pictures(machine):
    model = glimpse.Model.environment("robot-delivery")
    assert "R" in model.draw(0) and "largest 0.33" in model.draw()
    assert machine.scene is None
    with pytest.raises(errors.NotApplicable, match="no grid"):
        machine.draw()


def test_scenes():
    model = glimpse.Model.environment("robot-delivery")
    scene = model.scene
    assert scene.names == ("robot", "package") and "carried" in scene.places
    lines = model.draw("row2col3-at1").splitlines()
    row, column = scene.cells[0][model.state("row2col3-at1")]
    drawn = [(r, line.index("R")) for r, line in enumerate(lines) if "R" in line and "#" in line or "W" in line[:1]]
    assert (row, 2 * column) in drawn
    assert scene.background[row][column] == " "
    belief = model.belief()
    chances = scene.chances("package", belief)
    assert sorted(p for line in chances for p in line if p) == pytest.approx([1 / 3] * 3)
    assert sum(map(sum, scene.chances(0, belief))) == pytest.approx(1)
    carried = [s for s in range(len(model.states)) if scene.cells[1][s] == "carried"]
    assert len(carried) == 22 and sum(map(sum, scene.chances(1, model.belief(carried[0])))) == 0


# -------------------------------------------------------------- what is wrong


def test_every_bad_file_is_an_exception():
    files = sorted((ROOT / "tests" / "data").glob("bad-*.pomdp"))
    assert len(files) > 50
    for path in files:
        with pytest.raises(glimpse.Error) as caught:
            glimpse.Model.read(path)
        first = caught.value.messages[0]
        assert first.severity == "error" and first.source == str(path) and first.text in str(caught.value)


def test_errors_have_their_places():
    text = MACHINE.replace(": worn", ": wrn").replace("0.9 0.1", "0.9 0.1 0.2")
    with pytest.raises(errors.BadSyntax) as caught:
        glimpse.Model.parse(text, source="here")
    assert [(m.source, m.line, m.column) for m in caught.value.messages] == [("here", 11, 5), ("here", 19, 10)]
    assert "here:19:10: expected a state name or number, found 'wrn'; did you mean 'worn'?" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(errors.CannotRead) as caught:
        glimpse.Model.read(tmp_path / "none.pomdp")
    assert isinstance(caught.value, OSError) and "none.pomdp" in str(caught.value)
    with pytest.raises(errors.CannotWrite):
        glimpse.load("tiger").write(tmp_path / "no" / "such.pomdp")


def test_warnings_are_warnings():
    with pytest.warns(glimpse.ModelWarning, match="sum"):
        model = glimpse.Model.parse(MACHINE.replace("0.8 0.2", "0.8 0.2004"), source="odd")
    assert model.warnings and model.warnings[0].severity == "warning"
    with pytest.warns(glimpse.ModelWarning):
        from_arrays(observations=[[[0.8, 0.2004], [0.4, 0.6]], O[1]])


@pytest.mark.parametrize(
    "change, kind, text",
    [
        (dict(transitions=[[[0.9, 0.2], [0, 1]], T[1]]), errors.BadModel, "run.*good"),
        (dict(transitions=[[[1.9, -0.9], [0, 1]], T[1]]), errors.BadArgument, r"transitions\[0\]\[0\]\[1\].*negative"),
        (dict(transitions=[[[math.nan, 1], [0, 1]], T[1]]), errors.BadArgument, r"transitions\[0\]\[0\]\[0\]"),
        (dict(transitions=[T[0], [[1.0, 0.0]]]), errors.BadArgument, r"transitions\[1\] must have 2 rows, not 1"),
        (dict(transitions=[[[0.9, 0.1, 0], [0, 1]], T[1]]), errors.BadArgument, r"transitions\[0\]\[0\] must have 2"),
        (dict(transitions=[[{7: 1}, [0, 1]], T[1]]), errors.BadArgument, "entry at 7"),
        (dict(transitions=[0.5]), errors.BadArgument, r"transitions\[a\]\[s\]\[s2\]"),
        (dict(observations=[O[0]]), errors.BadArgument, "2 actions, observations for 1"),
        (dict(rewards=[1, 2]), errors.BadArgument, r"rewards\[a\]\[s\]"),
        (dict(rewards=[[1, -1], [-2, math.inf]]), errors.BadArgument, r"rewards\[1\]\[1\].*finite"),
        (dict(rewards=[[1, -1, 3], [-2, 1, 1]]), errors.BadArgument, "must have 2 entries, not 3"),
        (dict(rewards=[[1, "much"], [-2, 1]]), TypeError, "number"),
        (dict(start=[0.5, 0.2]), errors.BadModel, "start"),
        (dict(start=[1]), errors.BadArgument, "start must have 2"),
        (dict(start=[0, 0]), errors.BadModel, "the start belief sums to 0"),
        (dict(start={}), errors.BadModel, "the start belief sums to 0"),
        (dict(start={1: 0}), errors.BadModel, "the start belief sums to 0"),
        (dict(cost=-1), errors.BadArgument, "^cost: "),
        (dict(cost=[0.5, -0.1]), errors.BadArgument, "cost of state 1"),
        (dict(discount=1.5), errors.BadArgument, "discount"),
        (dict(state_names=["good"]), errors.BadArgument, "2 states but 1"),
        (dict(state_names=["good", "good"]), errors.BadArgument, "twice"),
    ],
)
def test_arrays_that_are_wrong(change, kind, text):
    with pytest.raises(kind, match=text):
        from_arrays(**change)


@pytest.mark.parametrize(
    "change, kind, text",
    [
        (dict(transition=lambda s, a: "bad"), errors.BadArgument, r"transition\('good', 'run'\) speaks of 'bad'"),
        (dict(transition=lambda s, a: {"good": 0.5}), errors.BadModel, "0.5"),
        (dict(transition=lambda s, a: None), errors.BadArgument, r"transition\('good', 'run'\) gave None"),
        (dict(transition=lambda s, a: None, states=None), errors.BadArgument, "is a 'return' missing"),
        (dict(transition=lambda s, a: [1, 2]), errors.BadArgument, "no pair"),
        (dict(transition=lambda s, a: {"good": -1.0, "worn": 2.0}), errors.BadArgument, "transition.*negative"),
        (dict(observation=lambda a, s: "loud"), errors.BadArgument, r"observation\('good', 'run'\) speaks of 'loud'"),
        (dict(reward=lambda s, a: None), TypeError, r"reward\('good', 'run'\) must be a number"),
        (dict(reward=lambda s: 0), TypeError, "reward must take"),
        (dict(reward=lambda a, b, c, d, e: 0), TypeError, "no value for its parameter 'e'"),
        (dict(states=None, start=None), errors.BadArgument, "give the states"),
        (dict(start={}), errors.BadModel, "the start belief sums to 0"),
        (dict(start={"good": 0}), errors.BadModel, "the start belief sums to 0"),
        (dict(cost={"good": 1, "lost": 2}), errors.BadArgument, "lost"),
        (dict(states=["good", "good"]), errors.BadArgument, "twice"),
        (dict(states=[["good"], "worn"]), TypeError, "not hashable"),
        (dict(actions=[]), errors.BadModel, "at least one action"),
    ],
)
def test_functions_that_are_wrong(change, kind, text):
    with pytest.raises(kind, match=text):
        from_functions(**change)


def test_an_exception_in_a_function_is_the_callers():
    with pytest.raises(ZeroDivisionError):
        from_functions(reward=lambda s, a: 1 / 0)


@pytest.mark.parametrize("spec", ["no-such", "tiger:volume=11", "robot-delivery:n=0"])
def test_environments_that_are_wrong(spec):
    with pytest.raises(glimpse.Error) as caught:
        glimpse.Model.environment(spec)
    assert caught.value.messages
    with pytest.raises(errors.CannotRead):
        glimpse.load("no-such")


def test_labels_that_are_wrong(machine):
    for bad in ("lost", 2, -1, 1.5, None, [0]):
        with pytest.raises(errors.BadArgument, match="there is no state"):
            machine.state(bad)
    with pytest.raises(TypeError):
        machine.reward(0, 0, 1)
    with pytest.raises(TypeError):
        glimpse.Model()


# -------------------------------------------------------------------- beliefs


def naive_update(tables, belief, a, o):
    n = len(belief)
    new = [
        tables["observations"][a][s2][o] * sum(belief[s] * tables["transitions"][a][s][s2] for s in range(n))
        for s2 in range(n)
    ]
    return sum(new), new


def test_beliefs_follow_bayes():
    for seed in range(20):
        tables = random_tables(seed)
        model = glimpse.Model.from_arrays(**tables)
        source = random.Random(seed)
        belief, naive = model.belief(), tables["start"]
        for _ in range(10):
            a, o = source.randrange(3), source.randrange(3)
            p, new = naive_update(tables, naive, a, o)
            if p == 0:
                before = belief.dense()
                with pytest.raises(errors.Impossible):
                    belief.update(a, o)
                assert belief.dense() == before
                continue
            assert belief.update(a, o) == pytest.approx(p), seed
            naive = [x / p for x in new]
            assert belief.dense() == pytest.approx(naive, abs=1e-12), seed
            entropy = -sum(x * math.log2(x) for x in naive if x)
            assert belief.entropy == pytest.approx(entropy, abs=1e-9), seed


def test_beliefs_from_many_things(machine):
    for like in ({"good": 3, "worn": 1}, {0: 0.75, 1: 0.25}, [0.75, 0.25], (3, 1), machine.belief([3, 1])):
        belief = machine.belief(like)
        assert belief.dense() == [0.75, 0.25]
    assert belief["worn"] == 0.25 and len(belief) == 2 and list(belief) == ["good", "worn"]
    assert machine.belief("worn").items() == [("worn", 1.0)] == machine.belief(1).items()
    assert machine.belief().dense() == [1, 0]
    belief.reveal("worn")
    assert belief.probabilities() == {1: 1.0}
    assert repr(belief) == "<glimpse.Belief {worn: 1}>"


def test_beliefs_that_are_wrong(machine):
    belief = machine.belief([0.5, 0.5])
    for bad in ([1], [0, 0], [-1, 2], [math.nan, 1], {"lost": 1}, {}, {"good": 1, 0: 1}, 7, "lost"):
        with pytest.raises(errors.BadArgument):
            belief.set(bad)
    with pytest.raises(TypeError):
        belief.set(0.5)
    assert belief.dense() == [0.5, 0.5]
