"""Tables of MDPs, in CSV and JSON, as the program reads them (docs/YOUR-MODEL.md, "Tables of MDPs").

Rows are state, action, next state, probability and reward. A state without rows, and one that all its rows keep with a
reward of 0, is an end, which shows ``done``; all others show ``running``. The first error ends the reading.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Tuple

from ._build import Builder, Made
from ._library import ACTION, ANY, OBSERVATION, STATE, lib
from .errors import BadSyntax, Message, TooLarge

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
_COLUMNS = ("state", "action", "next", "probability", "reward")


class Row(NamedTuple):
    state: int
    action: int
    next: int
    probability: float
    reward: float


class _Names:
    """Names in the order in which they are met, or numbers, if the first one begins with a digit."""

    def __init__(self, limit: int) -> None:
        self.names: Dict[str, int] = {}
        self.count, self.limit = 0, limit
        self.numbered: Optional[bool] = None

    def index(self, word: str, fail: Callable[..., NoReturn]) -> int:
        if not word:
            fail("expected a name or a number, found nothing")
        if self.numbered is None:
            self.numbered = word[0] in "0123456789"
        if not self.numbered:
            if word not in self.names:
                self.names[word] = self.count
                self.count += 1
            return self.names[word]
        if not (word.isascii() and word.isdigit()):
            fail(f"expected a whole number like the first one, found {word[:40]!r}")
        if int(word) >= self.limit:
            fail(f"number {word[:40]} is too large for a table of this length; numbers begin with 0", TooLarge)
        self.count = max(self.count, int(word) + 1)
        return int(word)


class Table:
    """The rows of a text, and the model that they make."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        limit = 2 * (1 + sum(text.count(c) for c in "\n:]"))
        self.states, self.actions = _Names(limit), _Names(limit)
        self.rows: Dict[Tuple[int, int, int], Row] = {}
        self.first: Optional[int] = None  # state of the first row
        self.start: Optional[int] = None
        self.end: Optional[int] = None
        self.discount, self.cost = 1.0, 0.0

    def fail(self, text: str, kind: Any = BadSyntax, line: int = 0) -> NoReturn:
        message = Message("error", self.source, line, 0, text)
        raise kind(str(message), [message])

    def at(self, line: int) -> Callable[..., NoReturn]:
        def fail(text: str, kind: Any = BadSyntax) -> NoReturn:
            self.fail(text, kind, line)

        return fail

    def add(self, row: Row, fail: Callable[..., NoReturn]) -> None:
        if row[:3] in self.rows:
            fail("this state, action and next state were given before: give one row with the whole probability and the "
                 "mean reward")
        if self.first is None:
            self.first = row.state
        self.rows[row[:3]] = row

    def finish(self) -> Made:
        if not self.rows:
            self.fail("there is no row: a table has at least one")
        runs = [False] * self.states.count
        for row in self.rows.values():
            if row.state != self.end and (row.next != row.state or row.reward != 0):
                runs[row.state] = True
        ends = not all(runs)
        with Builder((self.states.count, self.actions.count, 2 if ends else 1)) as builder:
            for kind, names in ((STATE, self.states), (ACTION, self.actions)):
                for name, i in names.names.items():
                    builder.put(lambda: self.source, lib.builder_name, kind, i, name.encode())
            for o, name in enumerate(["running", "done"][: 2 if ends else 1]):
                builder.put(lambda: self.source, lib.builder_name, OBSERVATION, o, name.encode())
            builder.put(lambda: f"{self.source}: discount", lib.builder_discount, self.discount)
            builder.costs([(ANY, self.cost)])
            begin = self.first if self.start is None else self.start
            builder.put(lambda: f"{self.source}: start", lib.builder_start, begin, 1.0)
            for row in self.rows.values():
                if runs[row.state]:
                    place = f"{self.source}: {row}"
                    where = (row.action, row.state, row.next)
                    builder.put(lambda: place, lib.builder_transition, *where, row.probability)
                    if row.reward:
                        builder.put(lambda: place, lib.builder_reward, *where, ANY, row.reward)
            for s, runs_on in enumerate(runs):
                builder.put(lambda: self.source, lib.builder_observation, ANY, s, 0 if runs_on else 1, 1.0)
                if not runs_on:
                    builder.put(lambda: self.source, lib.builder_transition, ANY, s, s, 1.0)
            pointer, messages = builder.finish()
        return pointer, messages, [None, None, None]


def _number(word: str, what: str, fail: Callable[..., NoReturn]) -> float:
    if not _NUMBER.match(word) or not math.isfinite(float(word)):
        fail(f"expected a {what}, found {word[:40]!r}")
    return float(word)


# ------------------------------------------------------------------------ CSV


def _fields(line: str, fail: Callable[..., NoReturn]) -> List[str]:
    found, rest = [], line
    while True:
        rest = rest.lstrip(" \t")
        if rest.startswith('"'):
            inside, quote, rest = rest[1:].partition('"')
            if not quote:
                fail("a quote is not closed")
            rest = rest.lstrip(" \t")
            if rest and not rest.startswith(","):
                fail("expected a comma behind the quote")
            found.append(inside.strip(" \t"))
            comma, rest = rest[:1], rest[1:]
        else:
            word, comma, rest = rest.partition(",")
            found.append(word.strip(" \t"))
        if not comma:
            return found


def read_csv(text: str, source: str) -> Made:
    table = Table(text, source)
    start: Optional[Tuple[str, Callable[..., NoReturn]]] = None
    place: Dict[str, int] = {}
    for i, raw in enumerate(text.split("\n"), 1):
        line, fail = raw.strip(" \t\r"), table.at(i)
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            key, value = key.strip(), value.strip()
            if colon and key == "start":
                start = (value, fail)
            elif colon and key in ("discount", "cost"):
                number = _number(value, key, fail)
                if number < 0 or (key == "discount" and number > 1):
                    fail(f"{key} {value}: expected a number from 0 on" + (" to 1" if key == "discount" else ""))
                setattr(table, key, number)
            continue
        if not line:
            continue
        fields = _fields(line, fail)
        if not place:
            place = {name: fields.index(name) for name in _COLUMNS if name in fields}
            missing = [name for name in _COLUMNS[:4] if name not in place]
            if missing:
                fail(f"the first line names the columns state, action, next, probability and reward; {missing[0]} is missing")
            continue
        if len(fields) <= max(place.values()):
            fail(f"expected {max(place.values()) + 1} columns, found {len(fields)}")
        words = {name: fields[at] for name, at in place.items()}
        row = Row(
            table.states.index(words["state"], fail),
            table.actions.index(words["action"], fail),
            table.states.index(words["next"], fail),
            _number(words["probability"], "probability", fail),
            _number(words["reward"], "reward", fail) if "reward" in words else 0.0,
        )
        table.add(row, fail)
    if start is not None:
        known = table.states.count
        table.start = table.states.index(*start)
        if table.start >= known:
            start[1](f"there is no state {start[0][:40]!r} in the table")
    return table.finish()


# ----------------------------------------------------------------------- JSON


def _twice(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} comes twice")
        found[key] = value
    return found


class _Json:
    def __init__(self, table: Table, root: Any) -> None:
        self.table, self.root = table, root

    def object(self, value: Any, what: str) -> Dict[str, Any]:
        if not isinstance(value, dict):
            self.table.fail(f"{what} must be an object")
        return dict(value)

    def number(self, value: Any, what: str, low: float = -math.inf, high: float = math.inf) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.table.fail(f"{what} must be a finite number, not {value!r}")
        if not low <= value <= high:
            self.table.fail(f"{what} must be a number from {low:g} to {high:g}, not {value}")
        return float(value)

    def index(self, names: _Names, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            self.table.fail(f"a state or an action must be a name or a number, not {value!r}")
        return names.index(str(value), self.table.fail)

    def read(self) -> Made:
        table = self.table
        root = self.object(self.root, 'a table, with "rows" or "P",')
        table.discount = self.number(root.get("discount", 1.0), "discount", 0, 1)
        table.cost = self.number(root.get("cost", 0.0), "cost", 0)
        if "rows" in root:
            self.rows(root)
        elif "P" in root:
            self.tables(root)
        else:
            table.fail('there is neither "rows" nor "P" in the object')
        return table.finish()

    def rows(self, root: Dict[str, Any]) -> None:
        table = self.table
        if not isinstance(root["rows"], list):
            table.fail("rows must be a list")
        for row in root["rows"]:
            if not isinstance(row, list) or not 4 <= len(row) <= 5:
                table.fail("a row is a list of state, action, next state, probability and, if not 0, reward")
            state, action = self.index(table.states, row[0]), self.index(table.actions, row[1])
            following = self.index(table.states, row[2])
            p = self.number(row[3], "a probability", 0, 1)
            reward = self.number(row[4], "a reward") if len(row) > 4 else 0.0
            table.add(Row(state, action, following, p, reward), table.fail)
        if "start" in root:
            known = table.states.count
            table.start = self.index(table.states, root["start"])
            if table.start >= known:
                table.fail(f"there is no state {str(root['start'])[:40]!r} in the table")

    def tables(self, root: Dict[str, Any]) -> None:
        """P and R by state, action and next state, as learned models were published."""
        table = self.table
        paid = root.get("R") if isinstance(root.get("R"), dict) else {}
        for state, actions in self.object(root["P"], "P").items():
            s = table.states.index(state, table.fail)
            for action, outcomes in self.object(actions, "P of a state").items():
                a = table.actions.index(action, table.fail)
                for following, chance in self.object(outcomes, "P of a state and an action").items():
                    s2 = table.states.index(following, table.fail)
                    p = self.number(chance, "a probability", 0, 1)
                    try:
                        reward = self.number(paid[state][action][following], "a reward")  # type: ignore[index]
                    except (KeyError, TypeError):
                        reward = 0.0
                    if p > 0:
                        table.add(Row(s, a, s2, p, reward), table.fail)
        self.sizes(root)

    def sizes(self, root: Dict[str, Any]) -> None:
        table = self.table
        if "StateSize" in root:
            size = self.number(root["StateSize"], "StateSize", 1, table.states.limit)
            if size != int(size) or size < table.states.count:
                table.fail(f"StateSize is {size:g}, but P has a state {table.states.count - 1}")
            if table.states.numbered:
                table.states.count, table.end = int(size), int(size) - 1
        start = self.number(root.get("s_init", 0), "s_init", 0, max(table.states.count - 1, 0))
        if start != int(start):
            table.fail(f"s_init must be a whole number, not {start}")
        table.start = int(start)
        table.cost = abs(self.number(root.get("MeasureCost", table.cost), "MeasureCost"))


def read_json(text: str, source: str) -> Made:
    table = Table(text, source)
    try:
        root = json.loads(text, object_pairs_hook=_twice)
    except json.JSONDecodeError as problem:
        table.fail(f"expected JSON, found an error: {problem.msg}", BadSyntax, problem.lineno)
    except (ValueError, RecursionError) as problem:
        table.fail(f"expected JSON, found an error: {problem}")
    return _Json(table, root).read()
