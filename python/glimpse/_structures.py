"""The structures of ``include/glimpse.h`` for ctypes, and its table of options, from which one of them is made.

``tests/test_library.py`` compares them with the header, field by field with what a C compiler says.
"""

from __future__ import annotations

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
from typing import Any, Dict, List, Tuple

from ._loading import function

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
    get = function("planner_option_get")
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


class Rows(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("first", POINTER(c_uint64)),
        ("index", POINTER(c_uint32)),
        ("value", POINTER(c_double)),
    ]


class Inquiry(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("timing", c_uint),
        ("answers", c_uint32),
        ("unpaid", c_bool),
        ("state", c_bool),
        ("nothing", c_uint32),
        ("effect", c_bool),
    ]


class Limits(Structure):
    _fields_ = [("per_step", c_uint32), ("requests", c_uint32), ("horizon", c_uint32)]


class Move(Structure):
    _fields_ = [("action", c_uint32), ("inquiry", c_uint32)]


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


class GraphNode(Structure):
    _fields_ = [
        ("id", c_uint32),
        ("state", c_uint32),
        ("corner", c_bool),
        ("expanded", c_bool),
        ("ask", c_bool),
        ("action", c_uint32),
        ("lower", c_double),
        ("upper", c_double),
        ("depth", c_uint32),
        ("probability", c_double),
        ("hidden", c_size_t),
        ("belief", Row),
    ]


class GraphEdge(Structure):
    _fields_ = [
        ("from", c_uint32),
        ("to", c_uint32),
        ("ask", c_bool),
        ("action", c_uint32),
        ("observation", c_uint32),
        ("state", c_uint32),
        ("probability", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("plan", c_bool),
    ]


NodeFunction = CFUNCTYPE(c_bool, c_void_p, POINTER(GraphNode))
EdgeFunction = CFUNCTYPE(c_bool, c_void_p, POINTER(GraphEdge))


class Visit(Structure):
    _fields_ = [
        ("depth", c_uint32),
        ("probability", c_double),
        ("max_gap", c_double),
        ("min_gap", c_double),
        ("plan", c_bool),
        ("node", NodeFunction),
        ("edge", EdgeFunction),
        ("context", c_void_p),
    ]


class AgentOptions(Structure):
    _fields_ = [("ask_when_lost", c_bool)]


class Prospect(Structure):
    _fields_ = [("move", Move), ("ask", c_bool), ("worth", Choice)]


class Event(Structure):
    _fields_ = [
        ("move", Move),
        ("ask", c_bool),
        ("answer", c_uint32),
        ("observation", c_uint32),
        ("probability", c_double),
        ("lower", c_double),
        ("upper", c_double),
    ]


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
        ("inquiry", c_uint32),
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
        ("inquiry", c_char_p),
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
        ("inquiry", c_uint32),
    ]


class Stand(Structure):
    _fields_ = [("phase", c_uint), ("lost", c_bool), ("surprised", c_bool), ("probability", c_double), ("layer", c_uint32)]


STRUCTURES: Dict[str, Any] = {
    "glimpse_message": Message,
    "glimpse_row": Row,
    "glimpse_rows": Rows,
    "glimpse_inquiry": Inquiry,
    "glimpse_limits": Limits,
    "glimpse_move": Move,
    "glimpse_node": GraphNode,
    "glimpse_edge": GraphEdge,
    "glimpse_visit": Visit,
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
    "glimpse_prospect": Prospect,
    "glimpse_event": Event,
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
