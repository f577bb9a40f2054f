"""POMDPX files, which the program reads: its findings, and the model as the text of a ``.pomdp`` file."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Tuple, Type, Union

from . import errors
from ._program import call
from .errors import STATUSES, CannotRead, Error, Message

Path = Union[str, "os.PathLike[str]"]


def begins(path: Path) -> bool:
    """Does a file begin as XML does? What is no file of its own can be read but once, and is for the library."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(1000).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    except OSError:
        return False


def is_pomdpx(path: Path) -> bool:
    """As the program decides it."""
    return os.path.isfile(path) and (os.fsencode(path).lower().endswith(b".pomdpx") or begins(path))


def _findings(found: List[Dict[str, Any]], severity: str, source: str) -> List[Message]:
    return [Message(severity, source, m["line"] or 0, m["column"] or 0, m["text"]) for m in found]


def _exception(code: str) -> Type[Error]:
    """The exception of a status, by its name in the header."""
    if code == "NO_MEMORY":
        return errors.OutOfMemory
    name = code.title().replace("_", "")
    return next((kind for kind in STATUSES.values() if kind.__name__ == name), Error)


def read_pomdpx(path: Path, strict: bool = False) -> Tuple[str, List[Message]]:
    """The model as the text of a ``.pomdp`` file, and what is odd in it."""
    source, file = os.fsdecode(path), os.path.abspath(path)
    status, output, complaints = call(["check", file, "--json", *(["--strict"] if strict else [])])
    if status not in (0, 1) or not output:
        raise CannotRead(complaints.replace(os.fsdecode(file), source) or f"{source}: the program could not read it")
    answer = json.loads(output)
    if not answer["valid"]:
        found = _findings(answer["errors"], "error", source)
        more = answer["error_count"] - len(found)
        text = "\n".join(map(str, found)) + (f"\n... and {more} more errors" if more else "")
        raise _exception(answer["errors"][0]["code"])(text, found + _findings(answer["warnings"], "warning", source))
    status, output, complaints = call(["convert", file])
    if status:
        raise CannotRead(complaints)
    return output.decode(), _findings(answer["warnings"], "warning", source)
