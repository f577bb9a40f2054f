"""Objects of the library: who owns them, when they are freed, and what went wrong with them.

A :class:`Handle` owns one object of the library and keeps the handles of all that the object
borrows. So a model that was closed, or forgotten, lives on as long as a planner uses it, and
objects are freed in an order that the library allows: also at the interpreter's exit, where
finalizers run from the youngest to the oldest.
"""

from __future__ import annotations

import ctypes
import math
import operator
import threading
import warnings
import weakref
from typing import Any, Callable, List, Optional, Sequence, Tuple, TypeVar

from ._library import ERROR, NUMBER_SIZE, Sink, lib
from .errors import STATUSES, BadArgument, Closed, Error, Message, ModelWarning, OutOfMemory

Self = TypeVar("Self", bound="Native")


class Handle:
    """Owns one object of the library, which ``free`` returns."""

    def __init__(self, pointer: int, free: Callable[[int], None], borrows: Sequence["Handle"] = ()) -> None:
        # ctypes passes this in a call, and keeps the handle meanwhile: no other thread can free it.
        self._as_parameter_ = ctypes.c_void_p(pointer)
        # The finalizer holds what is borrowed until it has run.
        weakref.finalize(self, _free, free, pointer, tuple(borrows))


def _free(free: Callable[[int], None], pointer: int, _borrows: Tuple[Handle, ...]) -> None:
    free(pointer)


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
        self, pointer: int, free: Callable[[int], None], borrows: Sequence[Handle] = (), lock: Any = None
    ) -> None:
        self._handle = Handle(pointer, free, borrows)
        self._lock = lock if lock is not None else threading.RLock()

    @property
    def _pointer(self) -> Handle:
        """What to pass to the library, and what other objects keep that borrow this one."""
        handle = self._handle
        if handle is None:
            raise Closed(f"this {type(self).__name__} has been closed")
        return handle

    @property
    def closed(self) -> bool:
        """Has :meth:`close` been called?"""
        return self._handle is None

    def close(self) -> None:
        """Gives the object up; may be called again. Bounds, planners and agents that were made from it can no
        longer be used, and when the last of them has gone its memory is freed, too."""
        with self._lock:
            self._handle = None

    def __enter__(self: Self) -> Self:
        self._pointer
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} lives in the library and cannot be copied or pickled")


# -------------------------------------------------------------------- failure


class Report:
    """What the library has to say about one call; use as a context manager."""

    def __enter__(self) -> "Report":
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
        raise BadArgument(f"{name}: there is no {value!r}; there is {', '.join(keys)}")
    return plain.index(text)


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


# ------------------------------------------------------------------ long work


def interruptible(call: Callable[[], Any], flag: Any, brief: bool) -> Tuple[int, Optional[BaseException]]:
    """Runs ``call``, and makes Ctrl-C work meanwhile by setting ``flag``. Returns the status and the
    exception, if any, that the caller must raise once it has noted what happened.

    Python looks at signals only between its own instructions, so a long call in the main thread
    would make it deaf. Such a call is made in another thread, for which the main one waits.
    """
    if brief or threading.current_thread() is not threading.main_thread():
        return int(call()), None
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
