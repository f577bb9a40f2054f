"""The shared library: where it is found.

The library is looked for in this order:

1. ``GLIMPSE_LIBRARY``: a file, or a directory that holds it. Nothing else is tried then.
2. ``_location.txt`` beside this file, which ``make install`` and wheels write.
3. The build directory of the source tree that this file is part of.
4. The dynamic linker's own search (``LD_LIBRARY_PATH``, ``ldconfig``), then common directories.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

from .errors import LibraryNotFound

#: The version of this package, and of the library that it was written for.
VERSION = "0.2.0"
#: The number in the library's file name: it changes when programs must be linked anew.
SOVERSION = "0"


def file_names() -> List[str]:
    """What the library may be called, the most definite name first."""
    if sys.platform == "darwin":
        return [f"libglimpse.{SOVERSION}.dylib", "libglimpse.dylib"]
    return [f"libglimpse.so.{SOVERSION}", "libglimpse.so"]


def _inside(directory: Path) -> Iterator[str]:
    for name in file_names():
        if (directory / name).is_file():
            yield str(directory / name)


def candidates() -> Iterator[str]:
    """What to load, in this order: paths of files that exist, and bare names for the linker."""
    here = Path(__file__).resolve().parent
    location = here / "_location.txt"
    if location.is_file():
        yield from _inside((here / location.read_text(encoding="utf-8").strip()).resolve())
    tree = here.parent.parent
    if (tree / "include" / "glimpse.h").is_file():
        yield from _inside(tree / "build" / "release")
    yield from file_names()
    for prefix in (Path(sys.prefix), Path("/usr/local"), Path("/usr")):
        yield from _inside(prefix / "lib")
        yield from _inside(prefix / "lib64")
        multiarch = getattr(sys.implementation, "_multiarch", "")
        if multiarch:
            yield from _inside(prefix / "lib" / multiarch)


def fits(version: str) -> bool:
    """Before 1.0 the second number changes with the interface."""
    return version.split(".")[:2] == VERSION.split(".")[:2]


def _open(name: str) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    function = library.glimpse_version
    function.restype = ctypes.c_char_p
    version = function().decode()
    if not fits(version):
        raise LibraryNotFound(
            f"libglimpse {version} ({name}) does not fit the Python package glimpse {VERSION}: install the "
            "two together, or name another library in GLIMPSE_LIBRARY"
        )
    return library


def _choose() -> Tuple[ctypes.CDLL, str]:
    wish = os.environ.get("GLIMPSE_LIBRARY", "")
    if wish:
        found = list(_inside(Path(wish))) if os.path.isdir(wish) else [wish]
        if not found:
            raise LibraryNotFound(f"GLIMPSE_LIBRARY: the directory {wish} has no {' or '.join(file_names())}")
        try:
            return _open(found[0]), found[0]
        except (OSError, AttributeError) as error:
            raise LibraryNotFound(f"GLIMPSE_LIBRARY: {found[0]} cannot be loaded: {error}") from None
    problem: Optional[str] = None
    for name in candidates():
        try:
            return _open(name), name
        except OSError as error:
            # That a bare name is unknown to the linker is no news; that a file is broken is.
            if os.path.isabs(name):
                problem = str(error)
        except (AttributeError, LibraryNotFound) as error:
            problem = str(error)
    raise LibraryNotFound(
        (f"{problem}; and there is no other libglimpse. " if problem else "libglimpse was not found. ")
        + "Install glimpse ('make install', then 'ldconfig'), or set GLIMPSE_LIBRARY to the file "
        + file_names()[0]
    )


_library, path = _choose()


def function(name: str) -> Any:
    try:
        return getattr(_library, "glimpse_" + name)
    except AttributeError:
        raise LibraryNotFound(
            f"{path} has no function glimpse_{name}: it is older than this package; install the two together"
        ) from None
