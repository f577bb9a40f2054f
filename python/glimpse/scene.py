"""How models look whose states are places on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Sequence, Tuple, Union

from ._labels import Labels
from ._library import ANY
from .errors import BadArgument

if TYPE_CHECKING:
    from .belief import Belief


@dataclass(frozen=True)
class Grid:
    """How a model of one's own looks, for its argument ``scene``::

        glimpse.Grid(["#####", "#  G#", "#####"], {"robot": ("R", lambda cell: (1, cell))}, legend="G goal")

    Then ``model.draw``, ``model.scene`` and ``glimpse.plots.grid`` draw it, and so do the live view and the page with
    the file that ``model.write`` makes.
    """

    background: Sequence[str]  #: rows from the top, of one length: ``"#"`` is a wall, ``" "`` floor
    #: what moves: its name, the mark that it is drawn with, and where it is: a function of the state, or a mapping from
    #: states, that gives (row, column) from 0, a name that is no place of the grid (``"carried"``), or ``None``: nowhere
    layers: Mapping[str, Tuple[str, Any]]
    legend: str = ""  #: what the letters of the background mean


Cell = Union[None, str, Tuple[int, int]]


def _cells(states: Labels, name: str, where: Any) -> List[Cell]:
    if isinstance(where, Mapping):
        cells: List[Any] = [None] * len(states)
        for label, cell in where.items():
            cells[states.index(label)] = cell
    elif callable(where):
        cells = [where(label) for label in states.values]
    else:
        raise TypeError(f"scene: the layer {name!r} is where a function of the state, or a mapping, says, not {where!r}")
    for label, cell in zip(states.values, cells):
        if not (cell is None or isinstance(cell, str) or (isinstance(cell, Sequence) and len(cell) == 2)):
            raise BadArgument(f"scene: {name!r} is at {cell!r} in {label!r}; expected (row, column), a name or None")
    return cells


def _lines(states: Labels, grid: Grid) -> Iterator[str]:
    layers = {name: (mark, _cells(states, name, where)) for name, (mark, where) in grid.layers.items()}
    for row in grid.background:
        yield f"row {row}"
    if grid.legend:
        yield f"legend {grid.legend}"
    for place in dict.fromkeys(cell for _, cells in layers.values() for cell in cells if isinstance(cell, str)):
        yield f"place {place}"
    for name, (mark, cells) in layers.items():
        yield f"layer {mark} {name}"
        where: Dict[Any, List[int]] = {}
        for s, cell in enumerate(cells):
            if cell is not None:
                where.setdefault(cell if isinstance(cell, str) else tuple(cell), []).append(s)
        for key, there in where.items():
            text = key if isinstance(key, str) else f"{int(key[0])} {int(key[1])}"
            yield f"at {text} : {' '.join(map(str, there))}"


def declaration(states: Labels, grid: Grid) -> str:
    """The comments of a ``.pomdp`` file that declare a scene."""
    if not isinstance(grid, Grid):
        raise TypeError(f"a scene is a glimpse.Grid, not {grid!r}")
    if len({len(row) for row in grid.background}) > 1:
        raise BadArgument("scene: the rows of the background are not of one length")
    lines = list(_lines(states, grid))
    for line in lines:
        if not line.isprintable():
            raise BadArgument(f"scene: {line!r} has characters that cannot be drawn")
    return "".join(f"# glimpse: scene {line}\n" for line in lines)


@dataclass(frozen=True)
class Scene:
    """How a grid looks: a background, and layers (the robot, the package …), each a mark in one
    cell that depends on the state."""

    rows: int
    columns: int
    background: Tuple[str, ...]  #: one string per row; ``"#"`` is a wall, ``" "`` floor
    legend: str  #: what the letters of the background mean
    names: Tuple[str, ...]  #: of the layers
    marks: str  #: one character per layer
    places: Tuple[str, ...]  #: what is not on the grid, such as ``"carried"``
    #: ``cells[layer][state]``: (row, column), or the name of a place, or ``None``: not there
    cells: Tuple[Tuple[Union[None, str, Tuple[int, int]], ...], ...]

    @classmethod
    def _of(cls, native: Any, states: int) -> "Scene":
        rows, columns = int(native.rows), int(native.columns)
        text = native.background.decode()
        places: Tuple[str, ...] = tuple(native.place_names[i].decode() for i in range(native.places))

        def place(cell: int) -> Union[None, str, Tuple[int, int]]:
            if cell == ANY:
                return None
            if cell < rows * columns:
                return cell // columns, cell % columns
            return places[cell - rows * columns]

        return cls(
            rows,
            columns,
            tuple(text[row * columns : (row + 1) * columns] for row in range(rows)),
            native.legend.decode(),
            tuple(native.names[i].decode() for i in range(native.layers)),
            native.marks.decode(),
            places,
            tuple(
                tuple(place(native.cells[layer * states + s]) for s in range(states))
                for layer in range(native.layers)
            ),
        )

    def chances(self, layer: Union[int, str], belief: "Belief") -> List[List[float]]:
        """The probability of the mark of a layer (its number or name) in each cell, row by row."""
        i = self.names.index(layer) if isinstance(layer, str) else layer
        grid = [[0.0] * self.columns for _ in range(self.rows)]
        for s, p in belief.probabilities().items():
            cell = self.cells[i][s]
            if isinstance(cell, tuple):
                grid[cell[0]][cell[1]] += p
        return grid
