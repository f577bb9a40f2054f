"""Exceptions: one for each status of the library, with the library's own messages.

All derive from :class:`Error`, and besides from the built-in exception that says the same
(``ValueError``, ``OSError``, ``MemoryError``), so either can be caught.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Sequence, Tuple, Type


@dataclass(frozen=True)
class Message:
    """One finding: a warning or an error, and its place where it has one."""

    severity: str  #: ``"warning"`` or ``"error"``
    source: str  #: file or environment; empty when there is none
    line: int  #: from 1; 0 when the finding has no place in a text
    column: int  #: from 1, in bytes; 0 likewise
    text: str  #: one sentence

    def __str__(self) -> str:
        place = self.source
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        return f"{place}: {self.text}" if place else self.text


class Error(Exception):
    """Something the library refused. ``messages`` holds all that it said about it."""

    messages: Tuple[Message, ...]

    def __init__(self, text: str, messages: Sequence[Message] = ()) -> None:
        super().__init__(text)
        self.messages = tuple(messages)


class LibraryNotFound(Error, ImportError):
    """The shared library is missing, broken or of another version."""


class ProgramNotFound(Error, OSError):
    """The program is missing, or of another version."""


class OutOfMemory(Error, MemoryError):
    """Out of memory."""


class BadArgument(Error, ValueError):
    """An argument is out of its range, or a call out of order."""


class BadSyntax(Error, ValueError):
    """The text does not follow the grammar of ``.pomdp`` files."""


class BadModel(Error, ValueError):
    """The model is not valid: a row that does not sum to 1, a number that is not finite, …"""


class TooLarge(Error, ValueError):
    """The model is larger than the limits allow."""


class NotApplicable(Error, ValueError):
    """The operation does not apply to this model (for example the bound ``fib`` with requests)."""


class Impossible(Error, ValueError):
    """The observation has probability zero; nothing has changed."""


class CannotRead(Error, OSError):
    """The file cannot be read."""


class CannotWrite(Error, OSError):
    """The file cannot be written."""


class Closed(Error, ValueError):
    """The object has been closed."""


class ModelWarning(UserWarning):
    """What the library found odd in a model, though it took it."""


#: By the number of the status; 0 is success.
STATUSES: Dict[int, Type[Error]] = {
    1: OutOfMemory,
    2: BadArgument,
    3: BadSyntax,
    4: BadModel,
    5: TooLarge,
    6: NotApplicable,
    7: Impossible,
    8: CannotRead,
    9: CannotWrite,
}
