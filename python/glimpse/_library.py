"""The shared library: where it is found, and its functions and structures for ctypes.

Everything here mirrors ``include/glimpse.h``; ``tests/test_library.py`` compares the two, the
structures field by field with what a C compiler says.

The library is looked for in this order:

1. ``GLIMPSE_LIBRARY``: a file, or a directory that holds it. Nothing else is tried then.
2. ``_location.txt`` beside this file, which ``make install`` writes.
3. The build directory of the source tree that this file is part of.
4. The dynamic linker's own search (``LD_LIBRARY_PATH``, ``ldconfig``), then common directories.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_size_t,
    c_uint,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .errors import LibraryNotFound

#: The version of this package, and of the library that it was written for.
VERSION = "0.1.0"
#: The number in the library's file name: it changes when programs must be linked anew.
SOVERSION = "0"
#: "Every one" in the builder, "asking" in choices, "unknown" in forecasts.
ANY = 0xFFFFFFFF
#: Bytes that a number may take as text.
NUMBER_SIZE = 32

STATE, ACTION, OBSERVATION = 0, 1, 2
WARNING, ERROR = 0, 1


# ------------------------------------------------------------------- finding


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


def _fits(version: str) -> bool:
    """Before 1.0 the second number changes with the interface."""
    return version.split(".")[:2] == VERSION.split(".")[:2]


def _open(name: str) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    function = library.glimpse_version
    function.restype = c_char_p
    version = function().decode()
    if not _fits(version):
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


_native, _path = _choose()


def _function(name: str) -> Any:
    try:
        return getattr(_native, "glimpse_" + name)
    except AttributeError:
        raise LibraryNotFound(
            f"{_path} has no function glimpse_{name}: it is older than this package; install the two together"
        ) from None


# ------------------------------------------------------------------- options


class PlannerOption(Structure):
    """A row of the library's table of options."""

    _fields_ = [
        ("kind", c_uint),
        ("field", c_char_p),
        ("key", c_char_p),
        ("offset", c_size_t),
        ("argument", c_char_p),
        ("preset", c_char_p),
        ("low", c_double),
        ("high", c_double),
        ("traits", c_uint),
        ("scope", c_uint),
        ("text", c_char_p),
    ]


#: The kinds of values, and how they are kept.
FLAG, CHOICE, COUNT, SIZE, NUMBER, POSITIVE = range(6)
_KEPT: Dict[int, Any] = {
    FLAG: c_bool,
    CHOICE: c_uint,
    COUNT: c_uint64,
    SIZE: c_uint64,
    NUMBER: c_double,
    POSITIVE: c_double,
}


def _options() -> List[PlannerOption]:
    get = _function("planner_option_get")
    get.restype, get.argtypes = POINTER(PlannerOption), [c_size_t]
    found: List[PlannerOption] = []
    while get(len(found)):
        found.append(get(len(found)).contents)
    return found


#: The options of planners.
OPTIONS = _options()


# ---------------------------------------------------------------- structures


class Message(Structure):
    _fields_ = [
        ("severity", c_uint),
        ("code", c_uint),
        ("source", c_char_p),
        ("line", c_uint64),
        ("column", c_uint64),
        ("text", c_char_p),
    ]


class Row(Structure):
    _fields_ = [("count", c_size_t), ("index", POINTER(c_uint32)), ("value", POINTER(c_double))]


class ModelSizes(Structure):
    _fields_ = [
        ("transitions", c_uint64),
        ("observations", c_uint64),
        ("rewards", c_uint64),
        ("terminals", c_uint32),
        ("bytes", c_uint64),
    ]


class PomdpOptions(Structure):
    _fields_ = [("strict", c_bool)]


class Parameter(Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p), ("text", c_char_p)]


class Environment(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("parameters", POINTER(Parameter))]


class Scene(Structure):
    _fields_ = [
        ("rows", c_uint32),
        ("columns", c_uint32),
        ("background", c_char_p),
        ("legend", c_char_p),
        ("layers", c_uint32),
        ("marks", c_char_p),
        ("names", POINTER(c_char_p)),
        ("places", c_uint32),
        ("place_names", POINTER(c_char_p)),
        ("cells", POINTER(c_uint32)),
    ]


class BoundInfo(Structure):
    _fields_ = [("key", c_char_p), ("side", c_int), ("text", c_char_p)]


class BoundOptions(Structure):
    _fields_ = [
        ("tolerance", c_double),
        ("max_iterations", c_uint64),
        ("max_time", c_double),
        ("threads", c_uint),
        ("effort", c_double),
    ]


class BoundResult(Structure):
    _fields_ = [
        ("kind", c_uint),
        ("converged", c_bool),
        ("iterations", c_uint64),
        ("residual", c_double),
        ("error", c_double),
        ("seconds", c_double),
        ("vectors", c_uint32),
    ]


class Budget(Structure):
    _fields_ = [
        ("time", c_double),
        ("expansions", c_uint64),
        ("epsilon", c_double),
        ("decided", c_bool),
        ("interrupt", POINTER(c_int)),
    ]


_OPTION_FIELDS: List[Tuple[str, Any]] = [("kind", c_uint)]
_OPTION_FIELDS += [(option.field.decode(), _KEPT[option.kind]) for option in OPTIONS]


class PlannerOptions(Structure):
    _fields_ = _OPTION_FIELDS + [("policy", c_void_p)]


class Decision(Structure):
    _fields_ = [
        ("ask", c_bool),
        ("action", c_uint32),
        ("inquiry", c_uint32),
        ("lower", c_double),
        ("upper", c_double),
        ("offline_lower", c_double),
        ("offline_upper", c_double),
        ("value", c_double),
        ("expansions", c_uint64),
        ("nodes", c_uint64),
        ("corners", c_uint64),
        ("bytes", c_uint64),
        ("dropped", c_uint64),
        ("refused", c_uint64),
        ("seconds", c_double),
        ("stop", c_uint),
    ]


class Choice(Structure):
    _fields_ = [("lower", c_double), ("upper", c_double), ("value", c_double), ("visits", c_uint64)]


class Forecast(Structure):
    _fields_ = [
        ("ask", c_bool),
        ("state", c_uint32),
        ("action", c_uint32),
        ("observation", c_uint32),
        ("probability", c_double),
        ("lower", c_double),
        ("upper", c_double),
    ]


class AgentOptions(Structure):
    _fields_ = [("ask_when_lost", c_bool)]


class Answer(Structure):
    _fields_ = [("inquiry", c_uint32), ("answer", c_uint32), ("price", c_double)]


class Step(Structure):
    _fields_ = [
        ("episode", c_uint64),
        ("step", c_uint32),
        ("state", c_uint32),
        ("agent", c_void_p),
        ("belief", Row),
        ("decision", Decision),
        ("after", Decision),
        ("asked", c_bool),
        ("answers", c_uint32),
        ("answer", POINTER(Answer)),
        ("action", c_uint32),
        ("next_state", c_uint32),
        ("observation", c_uint32),
        ("reward", c_double),
        ("cost", c_double),
        ("total", c_double),
        ("undiscounted", c_double),
        ("last", c_bool),
    ]


class Episode(Structure):
    _fields_ = [
        ("status", c_uint),
        ("total", c_double),
        ("undiscounted", c_double),
        ("steps", c_uint32),
        ("requests", c_uint32),
        ("finished", c_bool),
        ("expansions", c_double),
        ("error_reduction", c_double),
        ("seconds", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("refused", c_uint64),
    ]


Sink = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
StepFunction = CFUNCTYPE(c_bool, c_void_p, POINTER(Step))
DoneFunction = CFUNCTYPE(None, c_void_p, c_uint64, POINTER(Episode))


class Run(Structure):
    _fields_ = [
        ("episodes", c_uint64),
        ("first", c_uint64),
        ("seed", c_uint64),
        ("max_steps", c_uint32),
        ("jobs", c_uint),
        ("budget", Budget),
        ("planner", PlannerOptions),
        ("agent", AgentOptions),
        ("step", StepFunction),
        ("done", DoneFunction),
        ("asked", POINTER(c_uint32)),
        ("context", c_void_p),
    ]


class Statistic(Structure):
    _fields_ = [("mean", c_double), ("se", c_double), ("low", c_double), ("high", c_double)]


class PolicyInfo(Structure):
    _fields_ = [
        ("model", c_char_p),
        ("version", c_char_p),
        ("digest", c_uint64),
        ("states", c_uint32),
        ("actions", c_uint32),
        ("observations", c_uint32),
        ("nodes", c_uint32),
        ("edges", c_uint64),
        ("depth", c_uint32),
        ("points", c_uint64),
        ("lower", c_double),
        ("upper", c_double),
        ("requests", c_double),
        ("start", Row),
    ]


class PolicyEdges(Structure):
    _fields_ = [("count", c_size_t), ("seen", POINTER(c_uint32)), ("to", POINTER(c_uint32))]


class SolveProgress(Structure):
    _fields_ = [
        ("seconds", c_double),
        ("expansions", c_uint64),
        ("nodes", c_uint64),
        ("bytes", c_uint64),
        ("lower", c_double),
        ("upper", c_double),
        ("proving", c_bool),
        ("proved", c_double),
    ]


ProgressFunction = CFUNCTYPE(None, c_void_p, POINTER(SolveProgress))


class SolveOptions(Structure):
    _fields_ = [
        ("epsilon", c_double),
        ("relative", c_double),
        ("time", c_double),
        ("expansions", c_uint64),
        ("max_memory", c_uint64),
        ("jobs", c_uint),
        ("interrupt", POINTER(c_int)),
        ("progress", ProgressFunction),
        ("context", c_void_p),
    ]


class Interval(Structure):
    _fields_ = [("low", c_double), ("high", c_double)]


class PricePoint(Structure):
    _fields_ = [
        ("price", c_double),
        ("value", Interval),
        ("requests", Interval),
        ("gross", Interval),
        ("always", Interval),
        ("ask", c_bool),
        ("action", c_uint32),
        ("certain", c_bool),
        ("searched", c_bool),
        ("expansions", c_uint64),
        ("seconds", c_double),
    ]


class PriceWorth(Structure):
    _fields_ = [("value", Interval), ("requests", Interval), ("gross", Interval)]


PriceDone = CFUNCTYPE(c_bool, c_void_p, POINTER(PricePoint), c_size_t, c_size_t)


class PriceOptions(Structure):
    _fields_ = [
        ("budget", Budget),
        ("points", c_uint32),
        ("max_price", c_double),
        ("negligible", c_double),
        ("max_memory", c_uint64),
        ("done", PriceDone),
        ("context", c_void_p),
    ]


class SolveResult(Structure):
    _fields_ = [("stop", c_uint), ("progress", SolveProgress), ("residual", c_double), ("refused", c_uint64)]


class Proof(Structure):
    _fields_ = [
        ("lower", c_double),
        ("upper", c_double),
        ("value", c_double),
        ("requests", c_double),
        ("residual", c_double),
        ("excess", c_double),
        ("pairs", c_uint64),
        ("numbers", c_uint64),
    ]


class PriceSummary(Structure):
    _fields_ = [
        ("points", c_size_t),
        ("factor", c_bool),
        ("own", c_double),
        ("negligible", c_double),
        ("off", Interval),
        ("free", Interval),
        ("even", Interval),
        ("always", Interval),
        ("never", c_double),
        ("refused", c_uint64),
        ("complete", c_bool),
    ]


class Stand(Structure):
    _fields_ = [("phase", c_uint), ("lost", c_bool), ("surprised", c_bool), ("probability", c_double), ("layer", c_uint32)]


STRUCTURES: Dict[str, Any] = {
    "glimpse_message": Message,
    "glimpse_row": Row,
    "glimpse_model_sizes": ModelSizes,
    "glimpse_pomdp_options": PomdpOptions,
    "glimpse_parameter": Parameter,
    "glimpse_environment": Environment,
    "glimpse_scene": Scene,
    "glimpse_bound_info": BoundInfo,
    "glimpse_bound_options": BoundOptions,
    "glimpse_bound_result": BoundResult,
    "glimpse_budget": Budget,
    "glimpse_planner_options": PlannerOptions,
    "glimpse_planner_option": PlannerOption,
    "glimpse_decision": Decision,
    "glimpse_choice": Choice,
    "glimpse_forecast": Forecast,
    "glimpse_agent_options": AgentOptions,
    "glimpse_stand": Stand,
    "glimpse_answer": Answer,
    "glimpse_step": Step,
    "glimpse_episode": Episode,
    "glimpse_run": Run,
    "glimpse_statistic": Statistic,
    "glimpse_policy_info": PolicyInfo,
    "glimpse_policy_edges": PolicyEdges,
    "glimpse_solve_progress": SolveProgress,
    "glimpse_solve_options": SolveOptions,
    "glimpse_solve_result": SolveResult,
    "glimpse_proof": Proof,
    "glimpse_interval": Interval,
    "glimpse_price_point": PricePoint,
    "glimpse_price_worth": PriceWorth,
    "glimpse_price_options": PriceOptions,
    "glimpse_price_summary": PriceSummary,
}

# ----------------------------------------------------------------- functions

_out = POINTER(c_void_p)
_status = c_uint
_kind = c_uint

#: name: (result, arguments). Pointers to opaque objects are ``c_void_p``.
FUNCTIONS: Dict[str, Tuple[Any, Sequence[Any]]] = {
    "version": (c_char_p, []),
    "status_text": (c_char_p, [_status]),
    "report_new": (c_void_p, []),
    "report_free": (None, [c_void_p]),
    "report_kept": (c_size_t, [c_void_p]),
    "report_get": (POINTER(Message), [c_void_p, c_size_t]),
    "report_count": (c_size_t, [c_void_p, c_uint]),
    "number_write": (c_size_t, [c_double, c_char_p]),
    "model_free": (None, [c_void_p]),
    "model_count": (c_uint32, [c_void_p, _kind]),
    "model_name": (c_char_p, [c_void_p, _kind, c_uint32]),
    "model_named": (c_bool, [c_void_p, _kind]),
    "model_discount": (c_double, [c_void_p]),
    "model_set_discount": (_status, [c_void_p, c_double]),
    "model_negated": (c_bool, [c_void_p]),
    "model_requests": (c_bool, [c_void_p]),
    "model_cost": (c_double, [c_void_p, c_uint32]),
    "model_cost_uniform": (c_bool, [c_void_p]),
    "model_set_cost": (_status, [c_void_p, c_double]),
    "model_start": (Row, [c_void_p]),
    "model_transition": (Row, [c_void_p, c_uint32, c_uint32]),
    "model_observation": (Row, [c_void_p, c_uint32, c_uint32]),
    "model_reward": (c_double, [c_void_p, c_uint32, c_uint32]),
    "model_reward_step": (c_double, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32]),
    "model_terminal": (c_bool, [c_void_p, c_uint32]),
    "model_measure": (ModelSizes, [c_void_p]),
    "model_plannable": (_status, [c_void_p, c_void_p]),
    "model_planning": (c_void_p, [c_void_p]),
    "builder_new": (c_void_p, [c_uint32, c_uint32, c_uint32]),
    "builder_free": (None, [c_void_p]),
    "builder_name": (_status, [c_void_p, _kind, c_uint32, c_char_p]),
    "builder_discount": (_status, [c_void_p, c_double]),
    "builder_cost": (_status, [c_void_p, c_uint32, c_double]),
    "builder_start": (_status, [c_void_p, c_uint32, c_double]),
    "builder_transition": (_status, [c_void_p, c_uint32, c_uint32, c_uint32, c_double]),
    "builder_observation": (_status, [c_void_p, c_uint32, c_uint32, c_uint32, c_double]),
    "builder_reward": (_status, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, c_double]),
    "builder_finish": (_status, [c_void_p, c_void_p, _out]),
    "pomdp_read": (_status, [c_char_p, c_size_t, c_char_p, POINTER(PomdpOptions), c_void_p, _out]),
    "pomdp_read_file": (_status, [c_char_p, POINTER(PomdpOptions), c_void_p, _out]),
    "pomdp_write": (_status, [c_void_p, Sink, c_void_p]),
    "pomdp_write_file": (_status, [c_void_p, c_char_p, c_void_p]),
    "model_equivalent": (_status, [c_void_p, c_void_p, _out]),
    "environment_get": (POINTER(Environment), [c_size_t]),
    "environment_make": (_status, [c_char_p, c_void_p, _out]),
    "model_scene": (POINTER(Scene), [c_void_p]),
    "model_draw": (_status, [c_void_p, Row, Sink, c_void_p]),
    "belief_new": (c_void_p, [c_void_p]),
    "belief_free": (None, [c_void_p]),
    "belief_row": (Row, [c_void_p]),
    "belief_set": (_status, [c_void_p, Row]),
    "belief_reveal": (_status, [c_void_p, c_uint32]),
    "belief_update": (_status, [c_void_p, c_uint32, c_uint32, POINTER(c_double)]),
    "belief_probability": (c_double, [c_void_p, c_uint32]),
    "belief_entropy": (c_double, [c_void_p]),
    "bound_get": (POINTER(BoundInfo), [_kind]),
    "bound_applies": (c_bool, [_kind, c_void_p]),
    "bound_new": (_status, [c_void_p, _kind, POINTER(BoundOptions), c_void_p, _out]),
    "bound_free": (None, [c_void_p]),
    "bound_measure": (BoundResult, [c_void_p]),
    "bound_value": (c_double, [c_void_p, Row]),
    "bound_entry": (c_double, [c_void_p, c_uint32, c_uint32]),
    "stop_key": (c_char_p, [c_uint]),
    "offline_new": (_status, [c_void_p, _kind, POINTER(BoundOptions), c_void_p, _out]),
    "offline_free": (None, [c_void_p]),
    "offline_value": (None, [c_void_p, Row, POINTER(c_double), POINTER(c_double)]),
    "offline_upper": (_kind, [c_void_p]),
    "planner_key": (c_char_p, [_kind]),
    "rule_key": (c_char_p, [c_uint]),
    "improve_key": (c_char_p, [c_uint]),
    "rollout_key": (c_char_p, [c_uint]),
    "act_key": (c_char_p, [c_uint]),
    "policy_free": (None, [c_void_p]),
    "policy_measure": (PolicyInfo, [c_void_p]),
    "policy_name": (c_char_p, [c_void_p, _kind, c_uint32]),
    "policy_choice": (c_uint32, [c_void_p, c_uint32]),
    "policy_step": (c_uint32, [c_void_p, c_uint32, c_uint32]),
    "policy_get": (PolicyEdges, [c_void_p, c_uint32]),
    "policy_values": (_status, [c_void_p, c_void_p, c_void_p, POINTER(c_double)]),
    "policy_solve": (
        _status,
        [c_void_p, c_char_p, POINTER(SolveOptions), c_void_p, POINTER(SolveResult), _out],
    ),
    "policy_verify": (_status, [c_void_p, c_void_p, c_void_p, POINTER(Proof)]),
    "policy_import_file": (_status, [c_char_p, c_void_p, c_void_p, _out]),
    "policy_from_vectors": (
        _status,
        [c_void_p, c_size_t, POINTER(c_uint32), POINTER(c_double), c_void_p, _out],
    ),
    "policy_write_file": (_status, [c_void_p, c_char_p, c_void_p]),
    "model_digest": (c_uint64, [c_void_p]),
    "graph_key": (c_char_p, [c_uint]),
    "planner_traits": (c_uint, [_kind]),
    "planner_option_get": (POINTER(PlannerOption), [c_size_t]),
    "planner_needs_offline": (c_bool, [POINTER(PlannerOptions)]),
    "word_today": (c_char_p, [c_char_p, c_char_p]),
    "planner_new": (_status, [c_void_p, c_void_p, POINTER(PlannerOptions), c_void_p, _out]),
    "planner_free": (None, [c_void_p]),
    "planner_begin": (_status, [c_void_p, Row, c_uint64]),
    "planner_plan": (_status, [c_void_p, POINTER(Budget), POINTER(Decision)]),
    "planner_choice": (Choice, [c_void_p, c_uint32]),
    "planner_reveal": (_status, [c_void_p, c_uint32]),
    "planner_observe": (_status, [c_void_p, c_uint32, c_uint32, Row]),
    "planner_forecast": (c_size_t, [c_void_p, POINTER(Forecast), c_size_t]),
    "agent_new": (c_void_p, [c_void_p, c_void_p, POINTER(AgentOptions)]),
    "agent_free": (None, [c_void_p]),
    "agent_begin_at": (_status, [c_void_p, Row, c_uint64]),
    "agent_decide": (_status, [c_void_p, POINTER(Budget), POINTER(Decision)]),
    "agent_reveal": (_status, [c_void_p, c_uint32, POINTER(Decision)]),
    "agent_no_answer": (_status, [c_void_p, POINTER(Decision)]),
    "agent_stand": (Stand, [c_void_p]),
    "phase_key": (c_char_p, [c_uint]),
    "agent_observe": (_status, [c_void_p, c_uint32, c_uint32]),
    "agent_belief": (c_void_p, [c_void_p]),
    "run_episodes": (_status, [c_void_p, c_void_p, POINTER(Run), c_void_p, POINTER(Episode)]),
    "price_curve_new": (_status, [c_void_p, POINTER(PriceOptions), c_void_p, _out]),
    "price_curve_free": (None, [c_void_p]),
    "price_curve_measure": (PriceSummary, [c_void_p]),
    "price_curve_point": (POINTER(PricePoint), [c_void_p, c_size_t]),
    "price_curve_at": (PriceWorth, [c_void_p, c_double]),
    "statistic_of": (Statistic, [POINTER(c_double), c_size_t]),
}


class Library:
    """The loaded library; its functions are attributes without the prefix ``glimpse_``."""

    def __init__(self) -> None:
        self.path = _path
        for name, (result, arguments) in FUNCTIONS.items():
            function = _function(name)
            function.restype = result
            function.argtypes = list(arguments)
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for type checkers: the functions
        raise AttributeError(name)


lib = Library()


def keys(function: Any) -> List[str]:
    """All keys of one of the library's tables, in the order of its numbers."""
    found: List[str] = []
    while True:
        key = function(len(found)).decode()
        if key == "?":
            return found
        found.append(key)
