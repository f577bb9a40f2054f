"""Labels of states, actions, observations and answers, and how they are found again.

A label is any hashable value. In results things have numbers, their places in the list of labels. Where labels are
whole numbers themselves, other than their places, a plain number is a label; the numbers in results are then of the
type :class:`Place`, so that they cannot be mistaken.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import numbers
import re
from typing import Any, Callable, Dict, Hashable, Iterable, Mapping, Optional, Sequence, Tuple, TypeVar

from .errors import BadArgument

#: More labels than this are not compared with one that is not among them.
_MANY = 20000


class Place(int):
    """A number that is a place in a list of labels, and never a label itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Place({int(self)})"

    __str__ = int.__repr__


def nearest(word: Any, words: Iterable[Any]) -> str:
    """``"; did you mean 'wait'?"`` for a text that is like one of the words, otherwise ``""``."""
    if not isinstance(word, str):
        return ""
    texts = [other for other in words if isinstance(other, str)]
    found = difflib.get_close_matches(word, texts, 1, 0.6) if len(texts) <= _MANY else []
    return f"; did you mean {found[0]!r}?" if found else ""


Function = TypeVar("Function", bound=Callable[..., Any])


def hinting(function: Function) -> Function:
    """The same function; what Python says of a misspelt keyword gets the one that was perhaps meant."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            inside = error.__traceback__ is not None and error.__traceback__.tb_next is not None
            found = None if inside else re.search(r"unexpected keyword argument '(\w+)'", str(error))
            if found is None:
                raise
            hint = nearest(found.group(1), inspect.signature(function).parameters)
        raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {found.group(1)!r}{hint}") from None

    return call  # type: ignore[return-value]


def _whole(label: Any) -> bool:
    return isinstance(label, numbers.Real) and label == label // 1


class Labels:
    """The labels of one kind, in their order."""

    def __init__(self, kind: str, values: Sequence[Hashable]) -> None:
        self.kind = kind
        self.values: Tuple[Hashable, ...] = tuple(values)
        self.places: Dict[Hashable, int] = {}
        for i, label in enumerate(self.values):
            try:
                if self.places.setdefault(label, i) != i:
                    raise BadArgument(f"{kind} {label!r} is given twice")
            except TypeError:
                raise TypeError(f"{kind} {label!r} is not hashable") from None
        #: Are there whole numbers among them that are not their places?
        self.numbered = any(_whole(label) and label != i for i, label in enumerate(self.values))

    def __len__(self) -> int:
        return len(self.values)

    def find(self, label: Any) -> Optional[int]:
        """The place of a label; ``None``: it is none."""
        try:
            return self.places.get(label)
        except TypeError:  # not hashable
            return None

    def index(self, label: Any) -> int:
        """The place of a label, or of a number that is a place."""
        place = isinstance(label, Place) or (
            not self.numbered and hasattr(label, "__index__") and not isinstance(label, bool)
        )
        if place:
            i = int(label.__index__())
            if 0 <= i < len(self.values):
                return i
            raise BadArgument(f"there is no {self.kind} {i}: the model has {len(self.values)}, counted from 0")
        found = self.find(label)
        if found is None:
            raise BadArgument(f"there is no {self.kind} {label!r}{nearest(label, self.values)}")
        return found

    def place(self, i: int) -> int:
        """A number for results."""
        return Place(i) if self.numbered else int(i)

    def row(self, entries: Mapping[int, float]) -> Dict[int, float]:
        """A row of results."""
        return {Place(i): p for i, p in entries.items()} if self.numbered else dict(entries)
