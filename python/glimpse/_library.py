"""The shared library: its functions for ctypes, its structures and constants.

Everything here mirrors ``include/glimpse.h``; ``tests/test_library.py`` compares the two.
"""

from __future__ import annotations

from ctypes import POINTER, c_bool, c_char_p, c_double, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, List, Sequence, Tuple

from . import _loading
from ._structures import *

#: "Every one" in the builder, "asking" in choices, "unknown" in forecasts.
ANY = 0xFFFFFFFF
#: Bytes that a number may take as text.
NUMBER_SIZE = 32

STATE, ACTION, OBSERVATION = 0, 1, 2
WARNING, ERROR = 0, 1
TABLE_TRANSITION, TABLE_OBSERVATION, TABLE_REWARD = 0, 1, 2
#: Of the traits of planners: it follows a rule, knows bounds on the value, follows a policy.
TRAIT_RULE, TRAIT_RANDOM, TRAIT_FOLLOWS = 2, 16, 64


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
    "model_rows": (Rows, [c_void_p, c_uint, c_uint32]),
    "model_rewards": (POINTER(c_double), [c_void_p, c_uint32]),
    "model_measure": (ModelSizes, [c_void_p]),
    "model_plannable": (_status, [c_void_p, c_void_p]),
    "model_planning": (c_void_p, [c_void_p]),
    "timing_key": (c_char_p, [_kind]),
    "model_inquiries": (c_uint32, [c_void_p]),
    "model_inquiry": (Inquiry, [c_void_p, c_uint32]),
    "model_inquiry_price": (c_double, [c_void_p, c_uint32, c_uint32]),
    "model_inquiry_price_uniform": (c_bool, [c_void_p, c_uint32]),
    "model_inquiry_set_price": (_status, [c_void_p, c_uint32, c_double]),
    "model_inquiry_answers": (Row, [c_void_p, c_uint32, c_uint32]),
    "model_inquiry_effect": (Row, [c_void_p, c_uint32, c_uint32]),
    "model_answer_name": (c_char_p, [c_void_p, c_uint32, c_uint32]),
    "model_limits": (Limits, [c_void_p]),
    "builder_entries": (
        _status,
        [
            c_void_p,
            c_uint,
            c_uint32,
            c_size_t,
            POINTER(c_uint32),
            POINTER(c_uint32),
            POINTER(c_double),
            POINTER(c_size_t),
        ],
    ),
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
    "policy_read": (_status, [c_char_p, c_size_t, c_char_p, c_void_p, _out]),
    "policy_write": (_status, [c_void_p, Sink, c_void_p]),
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
    "planner_visit": (_status, [c_void_p, POINTER(Visit)]),
    "planner_forecast": (c_size_t, [c_void_p, POINTER(Forecast), c_size_t]),
    "agent_new": (c_void_p, [c_void_p, c_void_p, POINTER(AgentOptions)]),
    "agent_free": (None, [c_void_p]),
    "agent_begin_at": (_status, [c_void_p, Row, c_uint64]),
    "agent_decide": (_status, [c_void_p, POINTER(Budget), POINTER(Decision)]),
    "agent_reveal": (_status, [c_void_p, c_uint32, POINTER(Decision)]),
    "agent_answer": (_status, [c_void_p, c_uint32, c_uint32, POINTER(Decision)]),
    "agent_observe_answer": (_status, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32]),
    "agent_no_answer": (_status, [c_void_p, POINTER(Decision)]),
    "agent_prospects_most": (c_uint32, [c_void_p]),
    "agent_prospects": (c_uint32, [c_void_p, POINTER(Prospect)]),
    "agent_forecast": (c_size_t, [c_void_p, POINTER(Event), c_size_t]),
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
        self.path = _loading.path
        for name, (result, arguments) in FUNCTIONS.items():
            function = _loading.function(name)
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
