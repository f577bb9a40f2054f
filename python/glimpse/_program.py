"""The program: what only it can do (POMDPX, formats of policies, experiments) is done by it.

It is looked for in this order:

1. ``GLIMPSE_PROGRAM``: a file. Nothing else is tried then.
2. Inside this package, where wheels have it.
3. Beside the library, and in ``bin`` of the prefix that the library is installed below.
4. The directories of ``PATH``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Iterator, List, NoReturn, Optional, Tuple, Union

from ._library import lib
from ._loading import VERSION, fits
from .errors import BadArgument, Error, ProgramNotFound

Argument = Union[str, "os.PathLike[str]"]
_NAME = "glimpse"


def _candidates() -> Iterator[str]:
    yield str(Path(__file__).resolve().parent / "bin" / _NAME)
    if os.path.isabs(lib.path):
        home = Path(lib.path).resolve().parent
        yield str(home / _NAME)
        for prefix in (home.parent, home.parent.parent):  # lib, or lib/ARCHITECTURE
            yield str(prefix / "bin" / _NAME)
    found = shutil.which(_NAME)
    if found:
        yield found


def _version(path: str) -> str:
    """Of the program, ``""`` if it is none."""
    try:
        result = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    words = result.stdout.decode(errors="replace").split()
    return words[1] if result.returncode == 0 and len(words) == 2 and words[0] == _NAME else ""


def program_path() -> str:
    """Where the program is; raises :class:`ProgramNotFound` where there is none of this version."""
    wish = os.environ.get("GLIMPSE_PROGRAM", "")
    problem = ""
    for path in [wish] if wish else _candidates():
        version = _version(path) if os.path.isfile(path) else ""
        if version and fits(version):
            return path
        if version:
            problem = f"the program glimpse {version} ({path}) does not fit the Python package glimpse {VERSION}"
    if wish and not problem:
        problem = f"GLIMPSE_PROGRAM: {wish} is not the program"
    raise ProgramNotFound(
        (problem or "the program 'glimpse' was not found, which this needs")
        + ": install it ('make install', or a wheel, which has it), or name its file in GLIMPSE_PROGRAM"
    )


def call(arguments: List[Argument], data: Optional[bytes] = None) -> Tuple[int, bytes, str]:
    """Exit status, output and complaints. Ctrl-C ends the program as it ends it in a terminal."""
    command = [program_path(), *(os.fspath(argument) for argument in arguments)]
    # A session of its own, so that Ctrl-C reaches it once, from here.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if data is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            output, complaints = process.communicate(data)
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
    return process.returncode, output, complaints.decode(errors="replace").strip()


def program(*arguments: Argument, input: Union[None, str, bytes] = None) -> str:
    """Runs the program with these arguments, as on the command line, and returns what it prints::

        glimpse.program("info", "tiger")

    ``input`` is its standard input (none by default). Raises :class:`~glimpse.errors.BadArgument` for a wrong usage and
    :class:`~glimpse.errors.Error` when it fails, with what it says.
    """
    status, output, complaints = call(list(arguments), input.encode() if isinstance(input, str) else input)
    if status:
        text = complaints or f"glimpse ended with status {status}"
        raise BadArgument(text) if status == 2 else Error(text)
    return output.decode()


def main() -> NoReturn:
    """The command ``glimpse`` that wheels install, and ``python3 -m glimpse``."""
    try:
        path = program_path()
    except ProgramNotFound as problem:
        sys.exit(f"glimpse: {problem}")
    os.execv(path, [_NAME, *sys.argv[1:]])
