"""Models of one's own that say how they look: in the terminal, in plots, in files."""

import pickle

import pytest

import glimpse
from glimpse import errors

ROOM = ["######", "#   G#", "######"]


def room(**more):
    """A robot that fetches a parcel from the left end: states are (cell, has it)."""

    def transition(state, action):
        cell, has = state
        there = min(max(cell + (1 if action == "right" else -1), 1), 4)
        return {(there, has or there == 1): 0.9, (cell, has): 0.1} if there != cell else (cell, has)

    return glimpse.Model.from_functions(
        actions=["left", "right"],
        transition=transition,
        observation=lambda next_state: "nothing",
        reward=lambda state, action: 1.0 if state == (4, True) else 0.0,
        discount=0.9,
        cost=0.1,
        start={(2, False): 0.5, (3, False): 0.5},
        **more,
    )


LOOK = glimpse.Grid(
    ROOM,
    {"robot": ("R", lambda s: (1, s[0])), "parcel": ("P", lambda s: "carried" if s[1] else (1, 1))},
    legend="G goal",
)


def test_it_is_what_was_given():
    for model in (room(scene=LOOK), room().with_scene(LOOK), pickle.loads(pickle.dumps(room(scene=LOOK)))):
        scene = model.scene
        assert (scene.rows, scene.columns, scene.background, scene.legend) == (3, 6, tuple(ROOM), "G goal")
        assert scene.names == ("robot", "parcel") and scene.marks == "RP" and scene.places == ("carried",)
        for s, (cell, has) in enumerate(model.states):
            assert scene.cells[0][s] == (1, cell) and scene.cells[1][s] == ("carried" if has else (1, 1))
        assert model.states == room().states  # labels stay what they were
    assert room().scene is None


def test_a_second_look_takes_the_place_of_the_first():
    model = room(scene=LOOK).with_scene(glimpse.Grid([" " * 5], {"robot": ("r", {(2, False): [0, 2]})}))
    assert model.scene.names == ("robot",) and model.scene.rows == 1 and model.scene.places == ()
    assert [cell for cell in model.scene.cells[0] if cell] == [(0, 2)]


def test_it_is_drawn_in_text(command, tmp_path):
    model = room(scene=LOOK)
    lines = model.draw((2, False)).splitlines()
    assert any(line.strip() == "# P R   G #" for line in lines), lines
    assert "G goal" in model.draw()
    # The program draws the file likewise.
    model.write(tmp_path / "room.pomdp")
    shown = command("info", tmp_path / "room.pomdp", "--draw").stdout
    assert all(line.strip() in shown for line in model.draw().splitlines())
    env = glimpse.RequestEnv(model, render_mode="ansi")
    env.reset(seed=1)
    assert model.draw(env.state) in env.render()


def test_it_is_drawn_in_plots(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    model = room(scene=LOOK)
    axes = glimpse.plots.grid(model.belief(), "robot")
    image = axes.images[0].get_array().tolist()
    assert image[1] == [0, 0, 0.5, 0.5, 0, 0] and not any(image[0])
    assert [text.get_text() for text in axes.texts] == ["G"]
    axes.figure.savefig(tmp_path / "grid.png")
    assert (tmp_path / "grid.png").stat().st_size > 1000


def test_from_arrays_with_inquiries():
    model = glimpse.Model.from_arrays(
        [[[0, 1], [1, 0]]],
        [[[1], [1]]],
        [[0, 1]],
        discount=0.9,
        cost=1,
        inquiries=[glimpse.Inquiry("side", 0.1, blocks={"left": [0], "right": [1]})],
        scene=glimpse.Grid(["  "], {"robot": ("R", {0: (0, 0), 1: (0, 1)})}),
    )
    assert model.scene.cells[0] == ((0, 0), (0, 1))
    assert [inquiry.name for inquiry in model.inquiries] == ["state", "side"]


def test_what_is_wrong():
    with pytest.raises(errors.BadArgument, match="of one length"):
        room(scene=glimpse.Grid(["##", "#"], {"robot": ("R", lambda s: None)}))
    with pytest.raises(errors.Error):
        room(scene=glimpse.Grid(ROOM, {"robot": ("R", lambda s: (7, 7))}))
    with pytest.raises(errors.BadArgument, match="expected .row, column."):
        room(scene=glimpse.Grid(ROOM, {"robot": ("R", lambda s: 3)}))
    with pytest.raises(errors.BadArgument, match="cannot be drawn"):
        room(scene=glimpse.Grid(["#\n#"], {}))
    with pytest.raises(TypeError, match="a function of the state"):
        room(scene=glimpse.Grid(ROOM, {"robot": ("R", 5)}))
    with pytest.raises(TypeError, match="glimpse.Grid"):
        room(scene=ROOM)
    with pytest.raises(errors.BadArgument, match="there is no state"):
        room(scene=glimpse.Grid(ROOM, {"robot": ("R", {"nowhere": (1, 1)})}))
