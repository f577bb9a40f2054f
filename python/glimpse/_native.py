"""Objects of the library: who owns them, when they are freed, and what went wrong with them.

A :class:`Handle` owns one object of the library and keeps the handles of all that the object
borrows. So a model that was closed, or forgotten, lives on as long as a planner uses it. Two things
may come between:

* In a cycle of references Python finalizes objects in any order. Handles therefore count those who
  borrow them: an object of the library is freed after the last object that borrows it. A handle that
  was finalized can no longer be used, also when other finalizers of the cycle still see it.
* At the interpreter's end nothing is freed any more, because a daemon thread may still be in the
  library. The end has two parts. When exit handlers run, searches in daemon threads are interrupted
  and these threads begin no new ones; the main thread may still do everything. When the interpreter is
  taken apart, every use raises :class:`glimpse.errors.Closed`.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import math
import operator
import os
import sys
import tempfile
import threading
import time
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

from ._labels import nearest
from ._library import ERROR, NUMBER_SIZE, Sink, lib
from .errors import STATUSES, BadArgument, CannotWrite, Closed, Error, Message, ModelWarning, OutOfMemory

Self = TypeVar("Self", bound="Native")


class Handle:
    """Owns one object of the library, which ``free`` returns; ``keep`` is kept as long."""

    def __init__(
        self, pointer: int, free: Callable[[Any], None], borrows: Sequence["Handle"] = (), keep: Any = None
    ) -> None:
        # ctypes passes this in a call, and keeps the handle meanwhile: no other thread can free it.
        self._as_parameter_ = ctypes.c_void_p(pointer)
        self.free = free
        self.borrows = tuple(borrows)
        self.keep = keep
        # One claim for the owner, and above it one for each that borrows. Who takes the last one frees.
        # (Steps of a list cannot be interrupted by other threads or finalizers; a counter can.)
        self.claims = [True]
        for other in self.borrows:
            other.claims.append(False)
        self.usable = True

    def __del__(self) -> None:
        self.usable = False
        self.release()

    def release(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        if self.claims.pop() and not ending():
            self.free(self._as_parameter_)
            for other in self.borrows:
                other.release()


class Native:
    """Base of everything that holds an object of the library.

    Objects are freed when nothing refers to them any more. ``close()``, or a ``with`` block, gives
    them up at once; afterwards every use raises :class:`glimpse.errors.Closed`.

    Each object has a lock, so that calls from several threads wait for one another. While the
    library works, other Python threads run.
    """

    _handle: Optional[Handle]
    _lock: Any

    def _adopt(
        self,
        pointer: int,
        free: Callable[[Any], None],
        borrows: Sequence[Handle] = (),
        *,
        lock: Any = None,
        keep: Any = None,
    ) -> None:
        self._handle = Handle(pointer, free, borrows, keep)
        self._lock = lock if lock is not None else Lock()

    @property
    def _pointer(self) -> Handle:
        """What to pass to the library, and what other objects keep that borrow this one."""
        refuse_at_the_end()
        handle = self._handle
        if handle is None or not handle.usable:
            raise Closed(f"this {type(self).__name__} has been closed")
        return handle

    @property
    def closed(self) -> bool:
        """Has :meth:`close` been called?"""
        return self._handle is None

    def close(self) -> None:
        """Gives the object up; may be called again. Bounds, planners and agents that were made from it can no
        longer be used, and when the last of them has gone its memory is freed, too."""
        with self._lock.unless_ending():
            self._handle = None

    def __enter__(self: Self) -> Self:
        self._pointer
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} objects live in the library and cannot be copied or pickled")


# -------------------------------------------------------------------- the end

_exiting = False
_END = "Python is exiting: glimpse can no longer be used"
#: The flags that interrupt the searches under way, by their addresses.
_searches: Dict[int, Any] = {}
# So long the exit waits for searches that were interrupted.
_PATIENCE_SECONDS = 2.0


@atexit.register
def _exit() -> None:
    """No search runs any more when the interpreter is taken apart: it might call functions of Python."""
    global _exiting
    _exiting = True
    last = time.monotonic() + _PATIENCE_SECONDS
    while _searches and time.monotonic() < last:
        for flag in list(_searches.values()):
            flag.value = 1
        time.sleep(0.001)


def refuse_at_the_end() -> None:
    if sys.is_finalizing():
        raise Closed(_END)


class Lock:
    """A lock that may be taken again by its thread. A daemon thread that ends with the interpreter never
    gives it back, so it is not waited for at the end."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        refuse_at_the_end()
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()

    def unless_ending(self) -> Any:
        """The lock, or at the end nothing, instead of an exception."""
        return contextlib.nullcontext() if sys.is_finalizing() else self


# -------------------------------------------------------------------- failure


class Report:
    """What the library has to say about one call; use as a context manager."""

    def __enter__(self) -> "Report":
        refuse_at_the_end()
        self.pointer = lib.report_new()
        if not self.pointer:
            raise OutOfMemory("out of memory")
        return self

    def __exit__(self, *_: Any) -> None:
        lib.report_free(self.pointer)

    def messages(self) -> List[Message]:
        found = []
        for i in range(lib.report_kept(self.pointer)):
            message = lib.report_get(self.pointer, i).contents
            found.append(
                Message(
                    "error" if message.severity == ERROR else "warning",
                    message.source.decode(errors="replace"),
                    message.line,
                    message.column,
                    message.text.decode(errors="replace"),
                )
            )
        return found

    def check(self, status: int) -> List[Message]:
        """Raises for a failure; otherwise warns of what was odd, and returns that."""
        messages = self.messages()
        if status:
            errors = [message for message in messages if message.severity == "error"]
            more = lib.report_count(self.pointer, ERROR) - len(errors)
            text = "\n".join(str(message) for message in errors) or _sentence(status)
            if more > 0:
                text += f"\n... and {more} more errors"
            raise STATUSES.get(status, Error)(text, messages)
        for message in messages:
            warnings.warn(str(message), ModelWarning, stacklevel=4)
        return messages


def _sentence(status: int) -> str:
    return str(lib.status_text(status).decode())


def check(status: int, text: str = "") -> None:
    """Raises for a failure, with ``text`` instead of the library's general sentence."""
    if status:
        raise STATUSES.get(status, Error)(text or _sentence(status))


# ---------------------------------------------------------- numbers and texts


def count(value: Any, name: str, bits: int = 32, least: int = 0) -> int:
    """A whole number that fits. ctypes would cut off the rest silently."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    # The last number of 32 bits means "any".
    last = 2**bits - (2 if bits == 32 else 1)
    if not least <= number <= last:
        raise BadArgument(f"{name} must lie in {least}..{last}, not {number}")
    return number


def number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None


def limit(value: Any, name: str) -> float:
    """A limit: not negative, not NaN."""
    result = number(value, name)
    if math.isnan(result) or result < 0:
        raise BadArgument(f"{name} must not be negative, and is {result}")
    return result


def choice(value: str, keys: Sequence[str], name: str) -> int:
    """The number of a key. Both ``-`` and ``_`` will do."""
    text = str(value).replace("_", "-")
    plain = [key.replace("_", "-") for key in keys]
    if text not in plain:
        raise BadArgument(f"{name}: there is no {value!r}; there is {', '.join(keys)}{nearest(text, plain)}")
    return plain.index(text)


def _deprecated(text: str) -> None:
    """Warns of the line outside of this package that led here."""
    frame, level = sys._getframe(1), 1
    home = os.path.dirname(__file__)
    while frame.f_back and (frame.f_code.co_filename.startswith("<") or os.path.dirname(frame.f_code.co_filename) == home):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, DeprecationWarning, stacklevel=level + 1)


def renamed(name: str, value: Any, today: str) -> Any:
    """The value of an argument that earlier versions called ``name``."""
    _deprecated(f"the argument {name} is now {today}")
    return value


def word_today(of: str, word: Any) -> Any:
    """The word, or its spelling today."""
    today = lib.word_today(of.encode(), str(word).encode())
    if today is None:
        return word
    _deprecated(f"{of}: {word!r} is now {today.decode()!r}")
    return today.decode()


def number_text(value: float) -> str:
    """The fewest digits that read back as this number, as the library writes them."""
    text = ctypes.create_string_buffer(NUMBER_SIZE)
    lib.number_write(value, text)
    return text.value.decode()


def collect(write: Callable[[Any], Any]) -> Tuple[int, str]:
    """Calls ``write`` with a sink, and returns its status and what the sink got."""
    pieces: List[bytes] = []

    def take(_context: Any, text: Any, length: int) -> bool:
        pieces.append(ctypes.string_at(text, length))
        return True

    status = int(write(Sink(take)))
    return status, b"".join(pieces).decode()


def save(path: Any, text: str) -> None:
    """Writes a file, whole or not at all: beside it first."""
    name = os.fspath(path)
    try:
        if os.path.exists(name) and not os.path.isfile(name):  # a pipe or a device
            with open(name, "wb") as file:
                file.write(text.encode())
            return
        handle, beside = tempfile.mkstemp(prefix=".", dir=os.path.dirname(os.path.abspath(name)))
        try:
            with open(handle, "wb") as file:
                file.write(text.encode())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(beside, 0o666 & ~mask)
            os.replace(beside, name)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise CannotWrite(f"{name}: {error.strerror}") from None


# ------------------------------------------------------------------ long work


def interruptible(call: Callable[[], Any], flag: Any, brief: bool) -> Tuple[int, Optional[BaseException]]:
    """Runs ``call``, and makes Ctrl-C work meanwhile by setting ``flag``. Returns the status and the
    exception, if any, that the caller must raise once it has noted what happened.

    Python looks at signals only between its own instructions, so a long call in the main thread
    would make it deaf. Such a call is made in another thread, for which the main one waits.
    """
    main = threading.current_thread() is threading.main_thread()
    _searches[id(flag)] = flag
    try:
        if _exiting and not main:  # asked when the flag can be seen, so that no search is missed
            raise Closed(_END)
        return _in_a_thread(call, flag) if main and not brief else (int(call()), None)
    finally:
        del _searches[id(flag)]


def _in_a_thread(call: Callable[[], Any], flag: Any) -> Tuple[int, Optional[BaseException]]:
    outcome: List[int] = []
    done = threading.Event()

    def work() -> None:
        try:
            outcome.append(int(call()))
        finally:
            done.set()

    interrupt: Optional[BaseException] = None
    thread = threading.Thread(target=work, name="glimpse", daemon=True)
    try:
        thread.start()
    except BaseException as error:
        if thread.ident is None:
            if isinstance(error, RuntimeError):  # there are no new threads when Python exits
                return int(call()), None
            raise
        interrupt = error
    while not done.is_set():
        if interrupt is not None:
            flag.value = 1
        try:
            done.wait()
        except BaseException as error:
            interrupt = error
    return outcome[0], interrupt
