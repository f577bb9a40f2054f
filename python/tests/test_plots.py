"""Pictures and tables for notebooks."""

import html.parser

import pytest

import glimpse
from glimpse import errors

from conftest import ROOT


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def saved(axes, path):
    axes.figure.savefig(path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 4000
    return axes


def test_a_belief(pyplot, tmp_path):
    model = glimpse.load("robot-delivery", n=3)
    axes = saved(glimpse.plots.belief(model.belief(), most=2), tmp_path / "belief.png")
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([1 / 3] * 3)
    assert axes.get_yticklabels()[2].get_text() == "1 more"


def test_a_grid(pyplot, tmp_path):
    model = glimpse.load("robot-delivery", n=3)
    belief = model.belief()
    name = model.scene.names[-1]
    axes = saved(glimpse.plots.grid(belief, name), tmp_path / "grid.png")
    assert axes.images[0].get_array().tolist() == model.scene.chances(name, belief)
    with pytest.raises(errors.NotApplicable, match="no grid"):
        glimpse.plots.grid(glimpse.load("tiger").belief())


def test_vectors(pyplot, tmp_path, tiger):
    bound = glimpse.Bound(tiger, "blind")
    axes = saved(glimpse.plots.vectors(bound), tmp_path / "vectors.png")
    assert len(axes.lines) == 4
    x, best = axes.lines[-1].get_data()
    assert [best[i] for i in (0, 50, 100)] == pytest.approx([bound([1 - x[i], x[i]]) for i in (0, 50, 100)])
    policy = glimpse.Policy.solve(tiger)
    saved(glimpse.plots.vectors(policy, tiger), tmp_path / "policy.png")
    with pytest.raises(TypeError, match="need its model"):
        glimpse.plots.vectors(policy)
    with pytest.raises(errors.BadArgument, match="two states"):
        glimpse.plots.vectors(glimpse.Bound(glimpse.load("toy"), "blind"))


def test_bounds_over_a_search(pyplot, tmp_path):
    model = glimpse.load("robot-delivery", n=3)
    figure, axes = pyplot.subplots()
    assert saved(glimpse.plots.bounds(model, axes, expansions=500), tmp_path / "bounds.png") is axes
    upper, lower = (line.get_ydata() for line in axes.lines)
    assert all(a >= b for a, b in zip(upper, upper[1:])) and all(a <= b for a, b in zip(lower, lower[1:]))
    expected = glimpse.Planner(model).plan(expansions=500)
    assert (lower[-1], upper[-1]) == (expected.lower, expected.upper)  # slices of a search are the same search
    with pytest.raises(errors.BadArgument):
        glimpse.plots.bounds(model, expansions=5)


class Checker(html.parser.HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_tables_for_notebooks():
    sensors = glimpse.Model.read(ROOT / "examples" / "models" / "robot-sensors.pomdp")
    odd = glimpse.Model.from_functions(
        states=["<b>", "&"], actions=["go"], transition=lambda s, a: s, observation=lambda s2: 0,
        reward=lambda s, a: 1, discount=0.5, cost=1,
    )
    agent = glimpse.Agent(odd)
    for thing, words in (
        (sensors, ["inquiry camera", "0.95"]),
        (odd, ["price of asking"]),
        (odd.belief(), ["<b>", "&", "0.5"]),
        (agent.decide(expansions=5), ["Do 'go'", "2 to 2"]),
        (glimpse.Policy.solve(odd), ["nodes"]),
        (glimpse.load("tag").belief(), ["…"]),
    ):
        texts = Checker(thing._repr_html_()).texts
        for word in words:
            assert any(word in text for text in texts), (word, texts)
