"""Experiments: what is run, stored and read back, against the program's own report."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

import glimpse
from glimpse import errors, experiments

SPEC = {
    "name": "small",
    "title": "A test",
    "environments": ["robot-delivery:n=2"],
    "planners": ["aems-sr", "never-ask"],
    "expansions": [5, 20],
    "max-steps": 10,
    "seed": 7,
    "episodes": 3,
}


@pytest.fixture
def results(tmp_path):
    try:
        return glimpse.bench(SPEC, tmp_path / "small.db", threads=1)
    except errors.Error as error:
        if "SQLite" not in str(error):
            raise
        pytest.skip("the program was built without SQLite")


def test_every_episode_is_that_of_run(results):
    """The same worlds and decisions as glimpse.run with the same seeds."""
    assert len(results.settings) == 4
    for setting in results.settings:
        played = results.episodes(setting=setting["id"])
        assert played["seed"] == [7, 8, 9] and setting["max_steps"] == 10
        for i, seed in enumerate(played["seed"]):
            (episode,) = glimpse.run(
                glimpse.load("robot-delivery:n=2"),
                setting["planner"],
                upper=setting["upper"],
                episodes=1,
                max_steps=10,
                seed=seed,
                expansions=int(setting["budget"]),
            )
            assert played["return"][i] == episode.total and played["steps"][i] == episode.steps
            assert played["requests"][i] == episode.requests
    assert sum(len(results.episodes(planner=name)["seed"]) for name in SPEC["planners"]) == 12
    assert repr(results).endswith("small.db: 12 of 12 episodes>")


def test_tables_and_arrays(results):
    numpy = pytest.importorskip("numpy")
    table, arrays = results.table("episode"), results.arrays("episode")
    assert list(table) == list(arrays) and len(table["return"]) == 12
    assert arrays["return"].tolist() == table["return"] and arrays["steps"].dtype == int
    settings = results.arrays("setting")
    assert set(settings["planner"]) == set(SPEC["planners"]) and numpy.isfinite(settings["cost"]).all()
    without = [value is None for value in results.table("episode")["core"]]
    assert numpy.isnan(arrays["core"].astype(float)).tolist() == without
    assert results.table("policy") == {} or results.table("policy")["nodes"] == []


def test_reports_are_those_of_the_program(results, command, tmp_path):
    assert results.report() == command("report", results.path).stdout
    for form in ("markdown", "csv"):
        expected = command("report", results.path, "--format", form, "--table", "results").stdout
        assert results.report(format=form, table="results") == expected
    summary = results.summary()
    assert summary == json.loads(command("report", results.path, "--json").stdout)
    mean = {s["id"]: sum(results.episodes(setting=s["id"])["return"]) / 3 for s in results.settings}
    found = [row["return"]["mean"] for row in summary["experiments"][0]["results"]]
    assert sorted(found) == pytest.approx(sorted(mean.values()))
    results.write_page(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text()


def test_going_on(results, tmp_path):
    with pytest.raises(errors.Error, match="resume"):
        glimpse.bench(SPEC, results.path)
    before = results.table("episode")
    again = glimpse.bench({**SPEC, "episodes": 4}, results.path, resume=True)
    assert len(again.table("episode")["seed"]) == 16
    first = glimpse.bench(SPEC, tmp_path / "one.db", episodes=1)
    assert first.table("episode")["return"] == [before["return"][i] for i in (0, 3, 6, 9)]


def test_what_is_wrong(results, tmp_path):
    with pytest.raises(errors.BadArgument, match="did you mean 'planner'"):
        results.episodes(planer="aems-sr")
    with pytest.raises(errors.BadArgument, match="did you mean 'episode'"):
        results.table("episodes")
    with pytest.raises(errors.CannotRead, match="no such file"):
        glimpse.ResultsFile(tmp_path / "nothing.db")
    (tmp_path / "text.db").write_text("no database")
    with pytest.raises(errors.CannotRead, match="not a results file"):
        glimpse.ResultsFile(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE episode(seed)")
    other.close()
    with pytest.raises(errors.CannotRead, match="not a results file"):
        glimpse.ResultsFile(tmp_path / "other.db")
    later = sqlite3.connect(results.path)
    later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(errors.CannotRead, match="later version"):
        glimpse.ResultsFile(results.path)
    with pytest.raises(errors.Error, match="did you mean"):
        glimpse.bench({**SPEC, "planner": ["aems-sr"]}, tmp_path / "bad.db")
    with pytest.raises(errors.BadArgument):
        glimpse.bench(SPEC, tmp_path / "bad.db", episodes=0)


def test_schema_is_that_of_the_program():
    """What the file says of itself is declared twice: in C and here."""
    header = (Path(__file__).parents[2] / "experiment" / "schema.h").read_text()
    for name, value in (("APPLICATION", experiments._APPLICATION), ("VERSION", experiments._SCHEMA)):
        assert re.search(rf"#define SCHEMA_{name} (\d+)", header).group(1) == str(value)
