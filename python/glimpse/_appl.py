"""Policies of APPL and SARSOP: vectors in XML, read with Python's own expat.

Read is what SARSOP writes for models without observed state variables: one ``AlphaVector`` with a ``Vector`` for each
action. An element that is not known is an error, since what it holds might matter.
"""

from __future__ import annotations

import re
from typing import Dict, List, NoReturn, Tuple
from xml.parsers import expat

from .errors import BadSyntax, Message

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_PARENT = {"Policy": "", "AlphaVector": "Policy", "Vector": "AlphaVector"}


class _Reader:
    def __init__(self, source: str, states: int) -> None:
        self.source, self.states = source, states
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.entity
        self.open: List[str] = []
        self.seen = False
        self.pieces: List[str] = []
        self.actions: List[int] = []
        self.values: List[List[float]] = []

    def fail(self, text: str) -> NoReturn:
        raise self.error(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1, text)

    def error(self, line: int, column: int, text: str) -> BadSyntax:
        message = Message("error", self.source, line, column, text)
        return BadSyntax(str(message), [message])

    def entity(self, *_: object) -> None:
        self.fail("expected no declarations of entities, found one; write what it stands for")

    def require(self, attributes: Dict[str, str], name: str, wanted: str, why: str) -> None:
        if attributes.get(name) != wanted:
            self.fail(f'expected {name}="{wanted}"{why}, found {attributes.get(name, "")!r}')

    def start(self, name: str, attributes: Dict[str, str]) -> None:
        if name not in _PARENT or _PARENT[name] != (self.open[-1] if self.open else ""):
            self.fail(f"expected <Policy> with <AlphaVector> with <Vector>, found <{name}>")
        if name == "Policy":
            self.require(attributes, "type", "value", "")
        elif name == "AlphaVector":
            if self.seen:
                self.fail("expected one <AlphaVector>, found another")
            self.seen = True
            self.require(attributes, "vectorLength", str(self.states), ", as many as the model has states")
            self.require(attributes, "numObsValue", "1", " (state variables that are observed are not read)")
        else:
            action = attributes.get("action", "")
            if not (action.isascii() and action.isdigit() and len(action) < 10):
                self.fail(f'expected action="...", the number of an action, found {action[:20]!r}')
            self.actions.append(int(action))
            self.pieces = []
        self.open.append(name)

    def end(self, name: str) -> None:
        self.open.pop()
        if name != "Vector":
            return
        words = "".join(self.pieces).split()
        for word in words:
            if not _NUMBER.fullmatch(word):
                self.fail(f"expected a number, found {word[:20]!r}")
        numbers = [float(word) for word in words]
        if len(numbers) != self.states:
            self.fail(f"expected a number for each of {self.states} states, found {len(numbers)}")
        self.values.append(numbers)

    def text(self, piece: str) -> None:
        if self.open and self.open[-1] == "Vector":
            self.pieces.append(piece)
        elif piece.strip():
            self.fail("expected elements only, found text")

    def read(self, text: bytes) -> Tuple[List[int], List[List[float]]]:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as problem:
            reason = expat.errors.messages.get(problem.code, str(problem))
            raise self.error(
                problem.lineno, problem.offset + 1, f"expected well-formed XML, found an error: {reason}"
            ) from None
        return self.actions, self.values


def read(text: bytes, source: str, states: int) -> Tuple[List[int], List[List[float]]]:
    """Actions and values of the vectors."""
    return _Reader(source, states).read(text)
