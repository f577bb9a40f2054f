"""What a search is given: its budget, and the settings of the planner."""

from __future__ import annotations

import ctypes
from dataclasses import InitVar, dataclass, fields, make_dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _library as native
from ._labels import nearest
from ._library import lib
from ._native import choice, count, limit, number, renamed, word_today
from .errors import BadArgument

#: What there is to choose from.
PLANNERS: List[str] = native.keys(lib.planner_key)
RULES: List[str] = native.keys(lib.rule_key)
IMPROVEMENTS: List[str] = native.keys(lib.improve_key)
ROLLOUTS: List[str] = native.keys(lib.rollout_key)
ACTS: List[str] = native.keys(lib.act_key)

#: Seconds for a decision when no limit is given, as in the program.
DEFAULT_TIME = 0.1
# Up to here Ctrl-C can wait for the library.
_BRIEF_SECONDS, _BRIEF_EXPANSIONS = 0.2, 100


@dataclass(frozen=True)
class Budget:
    """When a search ends: at the first limit that is met; ``None`` means no limit.

    With no limit at all a decision gets 0.1 s. With ``epsilon`` or ``decided`` alone the search goes on
    until that is reached or the planner's memory is used up.
    """

    time: Optional[float] = None  #: seconds
    expansions: Optional[int] = None  #: for POMCP: simulations; baselines search nothing
    epsilon: Optional[float] = None  #: the bounds at the root are so close; 0: never for this reason
    decided: bool = False  #: the best choice is certain
    seconds: InitVar[Optional[float]] = None  #: the old name of ``time``

    def __post_init__(self, seconds: Optional[float]) -> None:
        if seconds is not None:
            object.__setattr__(self, "time", renamed("seconds", seconds, "time"))

    def _native(self, flag: Any) -> native.Budget:
        time = self.time
        epsilon = 0.0 if self.epsilon is None else limit(self.epsilon, "epsilon")
        if time is None and self.expansions is None and not epsilon and not self.decided:
            time = DEFAULT_TIME
        if time is not None and not limit(time, "time") > 0:
            raise BadArgument("time must be positive; None means no limit")
        return native.Budget(
            0.0 if time is None else float(time),
            0 if self.expansions is None else count(self.expansions, "expansions", 64, 1),
            epsilon,
            bool(self.decided),
            ctypes.pointer(flag),
        )

    def _brief(self) -> bool:
        budget = self._native(ctypes.c_int(0))
        return bool(0 < budget.time <= _BRIEF_SECONDS or 0 < budget.expansions <= _BRIEF_EXPANSIONS)


def _words(option: native.PlannerOption) -> List[str]:
    words: List[str] = option.argument.decode().split("|") if option.kind == native.CHOICE else []
    return words


def _default(option: native.PlannerOption) -> Any:
    """As Python writes it; ``None`` where the library decides."""
    preset = (option.preset or b"").decode()
    if option.kind == native.FLAG:
        return False
    if option.kind == native.CHOICE:
        return preset if preset in _words(option) else None
    if option.kind == native.POSITIVE:
        return None
    return float(preset) if option.kind == native.NUMBER else int(preset.replace("G", "")) << (30 * preset.endswith("G"))


def _description() -> str:
    lines = ["The settings of a planner, by name; ``None`` is the default.", "", "``kind``: one of :data:`PLANNERS`."]
    for option in native.OPTIONS:
        text, default = option.text.decode().replace("\n", "; "), (option.preset or b"off").decode()
        lines.append(f"``{option.field.decode()}``: {text} (default: {default}).")
    lines.append("``policy``: a :class:`Policy`, which ``policy`` follows and other searches start from (default: none).")
    return "\n\n".join(lines)


_FIELDS: List[Tuple[str, Any, Any]] = [("kind", str, "aems-loop")]
_FIELDS += [(option.field.decode(), Any, _default(option)) for option in native.OPTIONS]
_FIELDS.append(("policy", Any, None))
_Options: Any = make_dataclass("_Options", _FIELDS, frozen=True)


def _check_names(names: Iterable[str], others: Sequence[str] = ()) -> None:
    known = [field.name for field in fields(_Options)]
    for name in names:
        if name not in known:
            hint = nearest(name, [*known, *others])
            raise TypeError(f"there is no setting {name!r}; there is {', '.join(known)}{hint}")


class PlannerOptions(_Options):  # type: ignore[misc]
    __doc__ = _description()

    def __init__(self, kind: str = "aems-loop", **options: Any) -> None:
        if "max_bytes" in options:
            options["max_memory"] = renamed("max_bytes", options.pop("max_bytes"), "max_memory") or None
        if "reset" in options:
            options["graph"] = "reset" if renamed("reset", options.pop("reset"), "graph") else None
        _check_names(options)
        super().__init__(kind, **options)

    def _native(self) -> native.PlannerOptions:
        result = native.PlannerOptions(choice(self.kind, PLANNERS, "planner"))
        traits = lib.planner_traits(result.kind)
        for option in native.OPTIONS:
            name = option.field.decode()
            value = getattr(self, name)
            if value is None:
                continue
            setattr(result, name, _value(option, name, value))
            if value != _default(option) and not option.traits & traits:
                raise BadArgument(f"the planner {self.kind} does not take {name}")
        if self.policy is not None:
            result.policy = self.policy._pointer._as_parameter_.value
        if self.paper and self.improve == "sound":
            raise BadArgument("with paper, improve must be 'none' or 'paper'")
        return result


def _value(option: native.PlannerOption, name: str, value: Any) -> Any:
    if option.kind == native.FLAG:
        return bool(value)
    if option.kind == native.CHOICE:
        return choice(word_today(name, value), _words(option), name)
    if option.kind in (native.COUNT, native.SIZE):
        return count(value, name, 64, 1)
    result = number(value, name)
    if option.kind == native.POSITIVE and not result > 0:
        raise BadArgument(f"{name} must be positive; None is the default")
    return result


def make_options(kind: Any, options: Dict[str, Any], others: Sequence[str] = ()) -> PlannerOptions:
    """``others``: what else the caller takes, for whoever has misspelt that."""
    _check_names([name for name in options if name not in ("max_bytes", "reset")], others)
    if isinstance(kind, PlannerOptions):
        if options:
            raise TypeError("give the settings in the PlannerOptions, or as arguments, not both")
        return kind
    return PlannerOptions(kind, **options)
