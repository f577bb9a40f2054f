"""Experiments: grids of environments, planners and budgets, run by the program, and their results."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from ._labels import nearest
from ._native import count
from ._program import program
from .errors import BadArgument, CannotRead

Path = Union[str, "os.PathLike[str]"]
_APPLICATION, _SCHEMA = 1735159152, 3  # as experiment/schema.h has them
#: The tables of a results file; experiment/schema.h says what their columns are.
TABLES = ["run", "experiment", "setting", "part", "episode", "trace", "policy"]


def bench(
    spec: Union[Path, Mapping[str, Any]],
    output: Path,
    *,
    scale: Optional[str] = None,
    episodes: Optional[int] = None,
    threads: Optional[int] = None,
    resume: bool = False,
) -> "ResultsFile":
    """Runs experiments, as ``glimpse bench`` does, and stores every episode in the results file ``output``.

    :param spec: a built-in specification (``"demo"``), a file, or the specification itself as a mapping, in the format
        of docs/EXPERIMENTS.md.
    :param scale: of the specification; the built-in ones have ``"quick"`` (the default) and ``"full"``.
    :param episodes: at most so many of each setting.
    :param threads: by default as many as there are cores; results do not depend on it where budgets count expansions.
    :param resume: go on with a results file, and run what is missing.

    Needs the program (:func:`glimpse.program`), with SQLite. Ctrl-C ends it; what was played is stored.
    """
    given = isinstance(spec, Mapping)
    arguments: List[Path] = ["bench", "-" if isinstance(spec, Mapping) else spec, "--output", os.path.abspath(output)]
    if scale is not None:
        arguments += ["--scale", scale]
    if episodes is not None:
        arguments += ["--episodes", str(count(episodes, "episodes", 64, 1))]
    if threads is not None:
        arguments += ["--threads", str(count(threads, "threads", 16, 1))]
    if resume:
        arguments.append("--resume")
    program(*arguments, input=json.dumps(spec) if given else None)
    return ResultsFile(output)


class ResultsFile:
    """The results of experiments, which :func:`bench` or ``glimpse bench`` has written or is still writing::

        results = glimpse.ResultsFile("demo.db")
        for setting in results.settings:
            returns = results.episodes(setting=setting["id"])["return"]
        print(results.report())
    """

    def __init__(self, path: Path) -> None:
        self.path = os.path.abspath(path)
        if not os.path.isfile(self.path):
            raise CannotRead(f"{os.fspath(path)}: there is no such file")
        try:
            found = [self._rows(f"PRAGMA {name}")[1][0][0] for name in ("application_id", "user_version")]
        except CannotRead:
            found = [0, 0]
        if found[0] != _APPLICATION:
            raise CannotRead(f"{os.fspath(path)}: not a results file of glimpse bench")
        if found[1] > _SCHEMA:
            raise CannotRead(f"{os.fspath(path)}: written by a later version of glimpse")

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        import sqlite3

        try:
            database = sqlite3.connect(f"file:{quote(self.path)}?mode=ro", uri=True)
        except sqlite3.Error as error:
            raise CannotRead(f"{self.path}: {error}") from None
        try:
            cursor = database.execute(query, values)
            return [column[0] for column in cursor.description], cursor.fetchall()
        except sqlite3.Error as error:
            raise CannotRead(f"{self.path}: {error}") from None
        finally:
            database.close()

    def _columns(self, query: str, values: Sequence[Any] = ()) -> Dict[str, List[Any]]:
        names, rows = self._rows(query, values)
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def table(self, name: str) -> Dict[str, List[Any]]:
        """A table of the file, one of ``run``, ``experiment``, ``setting``, ``part``, ``episode``, ``trace`` and
        ``policy``: a list for each column, ``None`` where there is no value."""
        if name not in TABLES:
            raise BadArgument(f"there is no table {name!r}; there is {', '.join(TABLES)}{nearest(name, TABLES)}")
        there = self._rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", [name])[1]
        return self._columns(f"SELECT * FROM {name}") if there else {}  # older files have no policies

    def arrays(self, name: str) -> Dict[str, Any]:
        """The same as NumPy arrays: numbers with NaN where there is none, and texts."""
        return {key: _array(values) for key, values in self.table(name).items()}

    @property
    def settings(self) -> List[Dict[str, Any]]:
        """The cells of the grid: ``environment``, ``planner``, ``cost``, ``budget`` ..., each with its ``id``."""
        names, rows = self._rows("SELECT * FROM setting ORDER BY id")
        return [dict(zip(names, row)) for row in rows]

    def episodes(self, **where: Any) -> Dict[str, List[Any]]:
        """The episodes, by seed, of the settings that have these values: ``episodes(planner="aems-sr", budget=100)``. A
        list for each column; ``setting`` is the ``id`` of its setting, and may be asked for, too."""
        known = ["setting", *self._rows("SELECT * FROM setting LIMIT 0")[0]]
        for name in where:
            if name not in known:
                raise BadArgument(f"a setting has no {name!r}; it has {', '.join(known)}{nearest(name, known)}")
        tests = [f"{'id' if name == 'setting' else name} IS ?" for name in where]
        chosen = f"SELECT id FROM setting{' WHERE ' if tests else ''}{' AND '.join(tests)}"
        query = f"SELECT * FROM episode WHERE setting IN ({chosen}) ORDER BY setting, seed"
        return self._columns(query, list(where.values()))

    def report(self, *, format: str = "text", table: str = "all", against: Optional[str] = None) -> str:
        """The tables of ``glimpse report``: means with intervals, the paper's figures beside them, differences between
        planners. ``format`` is ``text``, ``markdown``, ``csv`` or ``latex``; ``table`` is ``all``, ``results``,
        ``published``, ``comparison`` or ``runs``; ``against`` is the planner that others are compared with."""
        more = [] if against is None else ["--against", against]
        return program("report", self.path, "--format", format, "--table", table, *more)

    def summary(self) -> Dict[str, Any]:
        """The same as data: what ``glimpse report --json`` prints."""
        found: Dict[str, Any] = json.loads(program("report", self.path, "--json"))
        return found

    def write_page(self, path: Path) -> None:
        """One page of HTML with all tables and, where gnuplot is installed, plots."""
        program("report", self.path, "--html", os.path.abspath(path))

    def write_plots(self, directory: Path) -> None:
        """The plots as SVG and PNG files; needs gnuplot."""
        program("report", self.path, "--plots", os.path.abspath(directory))

    def __repr__(self) -> str:
        played, wanted = self._rows("SELECT (SELECT count(*) FROM episode), (SELECT sum(episodes) FROM setting)")[1][0]
        return f"<glimpse.ResultsFile {self.path}: {played} of {wanted} episodes>"


def _array(values: List[Any]) -> Any:
    import numpy

    if any(isinstance(value, str) for value in values):
        return numpy.array(["" if value is None else value for value in values])
    if any(value is None or isinstance(value, float) for value in values):
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
    return numpy.array(values, dtype=int)
