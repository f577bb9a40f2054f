"""Why a decision was made, and how sure it is: what ``glimpse explain`` says, in the same words (common/reasons.c).

All statements follow from intervals. With asking worth [l, u], and the best action without asking between the largest
lower and the largest upper bound of such an action, [m, n], asking gains between l - n and u - m. A decision is certain
when its lower bound is not below the upper bound of any other choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Optional, Tuple

from ._ranges import high, low
from .belief import Label

#: What baselines do, as the header's table of planners says.
RULES = {
    "never-ask": "never ask",
    "always-ask": "ask before every action",
    "act-then-measure": "ask when knowing the state gains more than its price, if all were known afterwards",
    "spi": "do what the best known plan promises that acts blindly and then asks",
}
_NAME = 80  # of a name, not more is shown


@dataclass(frozen=True)
class Weighed:
    """A choice with an interval of its value."""

    label: Optional[Label]  #: of the action
    inquiry: Optional[str]
    ask: bool
    lower: float
    upper: float

    @property
    def name(self) -> str:
        """In the middle of a sentence."""
        with_it = "" if self.inquiry is None else self.inquiry[:_NAME]
        if self.ask:
            return f"asking {with_it}".rstrip()
        return f"'{str(self.label)[:_NAME]}'" + (f" with {with_it}" if with_it else "")

    @property
    def asks(self) -> bool:
        return self.ask or self.inquiry is not None


@dataclass(frozen=True)
class Grounds:
    """What a decision was made from."""

    made: str  #: what is done
    choice: Optional[Weighed]  #: the same among the choices; ``None``: it is none of them
    choices: List[Weighed]  #: the actions first and asking, or the last inquiry, last
    lower: float  #: of the decision
    upper: float
    estimates: bool  #: there are no bounds
    kind: str  #: of the planner
    by_rule: bool  #: it follows a rule or a policy, without a search
    rule: str
    acts: str  #: how a rule finds its action; ``""``: it needs none
    off_plan: bool  #: the policy does not begin here
    expansions: int
    prices: List[Tuple[str, bool, str]]  #: of inquiries: name, together with the action, price
    price: str  #: of asking for the state; ``""``: the agent may not ask
    known: bool  #: the state is known


@dataclass(frozen=True)
class Reasons:
    """Why a decision was made; ``str(reasons)`` says it in sentences."""

    choice: str  #: what is done
    certain: bool  #: no other choice can be better
    rival: Optional[str]  #: the other choice that may be worth most ...
    rival_upper: float  #: ... and how much at most; NaN without one
    gain_least: float  #: what asking gains over the best action without asking, at least; NaN where it is no choice
    gain_most: float
    why: str  #: why it was made, in sentences
    asking: str  #: what asking is worth, likewise

    @property
    def text(self) -> str:
        """All of it."""
        return f"Decision: {self.choice}. {self.why} {self.asking}"

    def __str__(self) -> str:
        return self.text


def name_of(action: Optional[Label], inquiry: Optional[str], ask: bool) -> str:
    """What a decision is called."""
    if ask:
        return "ask for the state" if inquiry is None else f"ask {inquiry[:_NAME]}"
    if action is None:
        return "act without asking"
    name = f"do '{str(action)[:_NAME]}'"
    return name if inquiry is None else f"{name} and ask {inquiry[:_NAME]}"


def _most(numbers: List[float], start: float) -> float:
    """The largest that is a number."""
    return max([number for number in numbers if not math.isnan(number)], default=start)


def weigh(grounds: Grounds) -> Reasons:
    """Of equal choices the first counts: asking comes first."""
    turns = grounds.choices[-1:] + grounds.choices[:-1]
    others = [w for w in turns if w is not grounds.choice and w.upper > -math.inf]
    rival = max(others, key=lambda w: w.upper, default=None)
    acts = [w for w in turns if not w.asks]
    asks = [w for w in turns if w.asks]
    act_low, act_high = (_most([getattr(w, side) for w in acts], -math.inf) for side in ("lower", "upper"))
    ask_low, ask_high = (_most([getattr(w, side) for w in asks], math.nan) for side in ("lower", "upper"))
    slack = 1e-9 * (1 + abs(grounds.upper))  # equal up to rounding is equal
    surely = math.nan if grounds.choice is None else grounds.choice.lower
    certain = not grounds.estimates and surely + slack >= (-math.inf if rival is None else rival.upper)
    if grounds.kind == "policy" and grounds.by_rule:
        why = _policy(grounds)
    elif grounds.by_rule:
        why = _rule(grounds, rival, certain, [w for w in turns if w is not grounds.choice])
    else:
        why = _search(grounds, rival, certain)
    return Reasons(
        grounds.made,
        certain,
        None if rival is None else rival.name,
        math.nan if rival is None else rival.upper,
        ask_low - act_high,
        ask_high - act_low,
        why,
        _asking(grounds, (act_low, act_high), (ask_low - act_high, ask_high - act_low)),
    )


# ------------------------------------------------------------------- decision


def _rivals(made: Weighed, rival: Weighed) -> Tuple[str, str]:
    """What the choice is worth at least, and the rival at most: in brief, but with as many digits as it takes to see
    which is more."""
    part, width, other = 1.0, made.upper - made.lower, rival.upper - rival.lower
    lower = upper = ""
    for _ in range(7):
        lower, upper = low(made.lower, made.lower + part * width), high(rival.upper - part * other, rival.upper)
        if "-" in (lower, upper) or (made.lower < rival.upper) == (float(lower) < float(upper)):
            break
        part /= 10
    return lower, upper


def _search(grounds: Grounds, rival: Optional[Weighed], certain: bool) -> str:
    if grounds.estimates:
        return (
            f"This follows the mean returns of {grounds.expansions} simulations, exploring ones among them: first whether "
            "to ask, then which action. They are estimates; there are no bounds that could make it certain."
        )
    if rival is None or grounds.choice is None:
        return "There is no other choice."
    lower, upper = _rivals(grounds.choice, rival)
    if certain:
        return f"This is certain: it is worth at least {lower}, and no other choice is worth more than {upper} ({rival.name})."
    return (
        f"This rests on the lower bounds: no other choice is sure to be worth more than the {lower} that this one is "
        f"worth at least. It is not certain, for {rival.name} may be worth up to {upper}; a longer search could change it."
    )


def _rule(grounds: Grounds, rival: Optional[Weighed], certain: bool, others: List[Weighed]) -> str:
    text = f"The planner follows a rule and does not search. The rule: {grounds.rule}.{grounds.acts}"
    made = grounds.choice
    if rival is None or made is None:
        return text
    sure = max((w for w in others if not math.isnan(w.lower)), key=lambda w: w.lower, default=rival)
    if certain:
        lower, upper = _rivals(made, rival)
        return f"{text} The bounds agree: it is worth at least {lower}, and no other choice is worth more than {upper} ({rival.name})."
    if sure.lower > made.upper + 1e-9 * (1 + abs(grounds.upper)):
        return (
            f"{text} The bounds disagree: it is worth at most {high(made.lower, made.upper)}, and {sure.name} is worth at "
            f"least {low(sure.lower, sure.upper)}."
        )
    return (
        f"{text} The bounds do not say whether it is the best choice: followed by the best plan it is worth between "
        f"{low(made.lower, made.upper)} and {high(made.lower, made.upper)}, and {rival.name} may be worth up to "
        f"{high(rival.lower, rival.upper)}."
    )


def _policy(grounds: Grounds) -> str:
    if grounds.off_plan:
        return "The policy does not begin at this belief. This is the choice of the node that is worth most here."
    lower, upper = low(grounds.lower, grounds.upper), high(grounds.lower, grounds.upper)
    return f"This is what the policy says at its start. It is worth at least {lower} there, and no policy more than {upper}."


# --------------------------------------------------------------------- asking


def _nothing(number: str) -> bool:
    """Is no digit but 0 shown?"""
    return not number.strip("-0.")


def _gain(what: str, price: str, least: float, most: float, estimates: bool) -> str:
    """What something that costs so much gains, between ``least`` and ``most``."""
    than = "compared with the best action without asking"
    begin = f"{what}, at a price of {price},"
    near = low(least, most) if least >= 0 else high(-most, -least)  # the most that is lost
    far = low(-most, -least) if most <= 0 else high(least, most)
    if estimates:
        return f"{begin} seems to {'gain' if least >= 0 else 'lose'} {near} {than}."
    if _nothing(near) and _nothing(far):
        return f"{begin} gains or loses less than 0.000001 {than}."
    if least >= 0 and _nothing(near):
        return f"{begin} gains at most {far} {than}."
    if near == far and (least >= 0 or most <= 0):
        return f"{begin} {'gains' if least >= 0 else 'loses'} {near} {than}."
    if least >= 0:
        return f"{begin} gains at least {near} and at most {far} {than}."
    if most <= 0 and _nothing(far):
        return f"{begin} loses at most {near} {than}."
    if most <= 0:
        return f"{begin} loses at least {far} and at most {near} {than}."
    return f"{begin} may gain up to {far} or lose up to {near} {than}: the intervals overlap."


def _asking(grounds: Grounds, act: Tuple[float, float], gain: Tuple[float, float]) -> str:
    none = "Nothing was searched, so nothing is known of asking."
    if grounds.prices:
        sentences = []
        for name, joint, price in grounds.prices:
            with_it = [w for w in grounds.choices if w.inquiry == name]
            lower, upper = (_most([getattr(w, side) for w in with_it], math.nan) for side in ("lower", "upper"))
            if math.isnan(lower) or math.isnan(act[0]) or math.isinf(act[1]):
                continue
            what = f"{'Acting with' if joint else 'Asking'} {name[:_NAME]}"
            sentences.append(_gain(what, price, lower - act[1], upper - act[0], grounds.estimates))
        if sentences:
            return " ".join(sentences)
        return none if grounds.by_rule else "Nothing can be asked now, or the search did not look at it."
    if not grounds.price:
        return "The agent may not ask."
    if math.isnan(gain[0]):
        if grounds.known:
            return "The state is known, so there is nothing to ask for."
        return none if grounds.by_rule else "The search did not look at asking."
    return _gain("Asking", grounds.price, *gain, grounds.estimates)
