"""Copies: pickles and deep copies of models, beliefs, policies and environments; models with another number."""

import copy
import gc
import multiprocessing
import pickle

import pytest

import glimpse
from glimpse import errors

from conftest import ROOT

SENSORS = ROOT / "examples" / "models" / "robot-sensors.pomdp"


def labelled():
    return glimpse.Model.from_functions(
        states=[("a", 1), ("b", 2)],
        actions=[10, 20],
        transition=lambda state, action: state,
        observation=lambda next_state: frozenset("x"),
        reward=lambda state, action: action * state[1],
        discount=0.5,
        cost=1,
        inquiries=[glimpse.Inquiry("part", 0.25, factors=1)],
    )


@pytest.mark.parametrize("through", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_models(through):
    for model in (
        glimpse.load("tiger"),
        glimpse.load("robot-delivery:n=3"),
        glimpse.load("sepsis"),
        glimpse.Model.read(SENSORS),
        labelled(),
    ):
        other = through(model)
        text = model.to_text()
        assert other is not model and other.to_text() == text
        assert (other.source, other.states, other.actions) == (model.source, model.states, model.actions)
        assert other.inquiries == model.inquiries and (other.scene is None) == (model.scene is None)
        model.close()
        gc.collect()
        assert other.to_text() == text


def test_what_was_set_stays_set():
    model = glimpse.load("tag")
    model.cost, model.discount = 3, 0.9
    other = pickle.loads(pickle.dumps(model))
    assert other.cost == 3 and other.discount == 0.9 and other.draw() == model.draw()
    assert other.to_text() == model.to_text()
    assert pickle.loads(pickle.dumps(other)).cost == 3
    off = model.with_cost(0)
    assert not pickle.loads(pickle.dumps(off)).requests
    priced = labelled().with_price("part", 0.75)
    assert copy.deepcopy(priced).inquiries[-1].price == 0.75


def test_models_with_another_number(tiger):
    glimpse.Planner(tiger)
    other = tiger.with_cost(5)
    assert (tiger.cost, other.cost, other.discount) == (1, 5, 0.95)
    assert tiger.with_discount(0.5).discount == 0.5 and tiger.discount == 0.95
    by_state = tiger.with_cost({"tiger-left": 2})
    assert by_state.cost is None
    assert (by_state.cost_of("tiger-left"), by_state.cost_of("tiger-right")) == (2, 0)
    assert tiger.with_cost([3, 4]).cost_of("tiger-right") == 4
    for bad in (-1, float("nan"), [1], {"tiger": 1}, "dear"):
        with pytest.raises((errors.BadArgument, TypeError)):
            tiger.with_cost(bad)
    with pytest.raises(errors.BadArgument, match="did you mean 'part'"):
        labelled().with_price("prat", 1)
    with pytest.raises(errors.BadArgument, match="finite number"):
        labelled().with_price("part", -1)


def test_beliefs_and_policies(tiger):
    belief = tiger.belief([0.3, 0.7])
    other = pickle.loads(pickle.dumps(belief))
    assert other.probabilities() == belief.probabilities() and other.model is not tiger
    policy = glimpse.Policy.solve(tiger)
    for again in (copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))):
        assert again.nodes == policy.nodes and again.info == policy.info
        assert again.verify(tiger).lower == policy.verify(tiger).lower


def test_environments(tiger):
    env = glimpse.RequestEnv(tiger, max_steps=20)
    env.reset(seed=4)
    other = pickle.loads(pickle.dumps(env))
    action = {"control": 0, "request": 0}
    assert [env.step(action) for _ in range(10)] == [other.step(action) for _ in range(10)]


def test_what_is_under_way_is_not_copied(tiger):
    for thing in (glimpse.Planner(tiger), glimpse.Agent(tiger), glimpse.OfflineBounds(tiger)):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            pickle.dumps(thing)


def value(model):
    return glimpse.Planner(model).plan(expansions=200).lower


def test_other_processes(tiger):
    models = [tiger.with_cost(c) for c in (1, 5, 9.5)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(value, models) == [value(model) for model in models]


def test_joblib(tiger):
    joblib = pytest.importorskip("joblib", reason="joblib is not there")
    models = [tiger.with_cost(c) for c in (1, 5, 9.5)]
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(value)(model) for model in models)
    assert found == [value(model) for model in models]
