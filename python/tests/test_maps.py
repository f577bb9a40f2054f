"""Maps over beliefs, and pictures of them and of price curves."""

import builtins

import pytest

import glimpse
from glimpse import errors


@pytest.fixture(scope="module")
def eight():
    model = glimpse.Model.environment("tiger")
    model.cost = 8
    return model


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    path = tmp_path_factory.mktemp("map") / "three.pomdp"
    path.write_text(
        "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go-a go-b go-c\nobservations: o\nT: * uniform\n"
        "O: * : * : o 1\nR: go-a : a : * : * 1\nR: go-b : b : * : * 1\nR: go-c : c : * : * 1\n"
    )
    model = glimpse.load(str(path))
    model.cost = 0.3
    return model


def test_the_values_are_those_of_the_program(program, eight, three, tmp_path):
    told = program("map", "tiger", "--cost", "8", "--points", "5", "--expansions", "300")
    ours = glimpse.BeliefMap(eight, points=5, expansions=300)
    assert [point["belief"] for point in told["points"]] == ours.beliefs
    assert [point["action"] for point in told["points"]] == ours.choices
    for point, lower, upper in zip(told["points"], ours.lower, ours.upper):
        assert lower <= point["upper"] + 1e-9 and point["lower"] <= upper + 1e-9
    for model, name, cost in ((eight, "tiger", "8"), (three, three.source, "0.3")):
        policy = glimpse.Policy.solve(model)
        path = tmp_path / "policy"
        policy.write(path)
        told = program("map", name, "--cost", cost, "--points", "4", "--policy", str(path))
        ours = glimpse.BeliefMap(model, points=4, policy=policy)
        assert [point["belief"] for point in told["points"]] == ours.beliefs
        assert [point["action"] for point in told["points"]] == ours.choices
        assert [point["node"] for point in told["points"]] == ours.nodes
        assert [point["lower"] for point in told["points"]] == pytest.approx(ours.lower, rel=1e-12)
        assert [vector["values"] for vector in told["vectors"]] == ours.vectors


def test_known_values(eight, three):
    line = glimpse.BeliefMap(eight, points=3)
    assert line.lower == pytest.approx([48, 40, 48], abs=1e-3) and line.choices == ["open-right", None, "open-left"]
    assert len(line) == 3 and not line.nodes and "3 beliefs" in repr(line)
    triangle = glimpse.BeliefMap(three, points=3)
    assert triangle.lower == pytest.approx([7.3, 7, 7, 7.3, 7, 7.3], abs=1e-4)
    assert triangle.choices == ["go-c", None, None, "go-a", None, "go-b"]


def test_refusals(eight):
    with pytest.raises(errors.BadArgument, match="two or three states"):
        glimpse.BeliefMap(glimpse.load("toy"))
    with pytest.raises(errors.BadArgument, match="points"):
        glimpse.BeliefMap(eight, points=1)
    with pytest.raises(errors.BadArgument, match="nothing is searched"):
        glimpse.BeliefMap(eight, policy=glimpse.Policy.solve(eight), time=1)


def test_arrays(eight):
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed (Debian: python3-numpy)")
    arrays = glimpse.BeliefMap(eight, points=3).arrays()
    assert arrays["belief"].shape == (3, 2) and arrays["lower"].dtype == float
    curve = glimpse.PriceCurve(eight, expansions=100, points=4)
    arrays = curve.arrays()
    assert list(arrays["price"]) == [point.price for point in curve.points]
    assert numpy.all(arrays["value_lower"] <= arrays["value_upper"]) and len(arrays) == 7


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.figure().subplots()
    pyplot.close("all")


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_pictures(axes, eight, three, tmp_path):
    line = glimpse.BeliefMap(eight, points=3)
    assert line.plot(axes) is axes
    assert legend(axes) == ["between bounds", "open-right", "ask", "open-left"]
    policy = glimpse.Policy.solve(eight)
    drawn = glimpse.BeliefMap(eight, points=3, policy=policy).plot()
    assert drawn is not axes
    assert legend(drawn) == ["each node", "the best", "open-right (node 1)", "ask (node 0)", "open-left (node 2)"]
    best = next(line for line in drawn.get_lines() if line.get_label() == "the best")
    assert list(best.get_ydata()) == pytest.approx([48, 40, 48], abs=1e-3)
    drawn = glimpse.BeliefMap(three, points=4).plot()
    assert sorted(legend(drawn)) == ["ask", "go-a", "go-b", "go-c"]
    drawn.figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000
    drawn = glimpse.PriceCurve(eight, expansions=100, points=4).plot()
    assert legend(drawn) == ["value", "searched", "without requests", "break-even price"]
    drawn.figure.savefig(tmp_path / "price.svg")


def test_without_matplotlib(eight, monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **options):
        if name.split(".")[0] in ("matplotlib", "numpy"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    line = glimpse.BeliefMap(eight, points=2)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="pictures need matplotlib .Debian: python3-matplotlib"):
        line.plot()
    with pytest.raises(ImportError, match="arrays need NumPy"):
        line.arrays()


def test_maps_with_inquiries(machine):
    """A look that tells the state is a request by another name; as a step it is another choice of its own."""
    asking = machine.with_cost(0).with_inquiries(
        glimpse.Inquiry("look", 0.5), glimpse.Inquiry("glance", 0.5, tells=lambda state: state)
    )
    usual, found = (glimpse.BeliefMap(m, points=9, expansions=300) for m in (machine, asking))
    for i, choice in enumerate(usual.choices):
        assert (found.choices[i] in ("look", "glance")) if choice is None else found.choices[i] == choice
        assert found.lower[i] <= usual.upper[i] + 1e-6 and usual.lower[i] <= found.upper[i] + 1e-6
    policy = glimpse.Policy.solve(asking, relative=0.01)
    worth = glimpse.BeliefMap(asking, points=9, policy=policy)
    assert all(low <= high + 1e-6 for low, high in zip(worth.lower, found.upper))
