"""glimpse: planning in POMDPs with state requests.

Before every action the agent may pay a price and be told the true state. glimpse decides, within a budget,
whether to ask and then what to do, and says how sure it is::

    import glimpse

    model = glimpse.Model.environment("tiger")
    agent = glimpse.Agent(model)
    decision = agent.decide(expansions=1000)
    if decision.ask:
        decision = agent.reveal("tiger-left")
    print(decision.label, decision.lower, decision.upper)

Models come from files, environments, arrays or functions (:class:`Model`); :class:`Bound` and
:func:`bounds` bound their value; :class:`PriceCurve` is what a request is worth; :class:`Planner` and :class:`Agent` decide; :class:`Policy` is a plan made before; :func:`run` plays episodes;
:class:`RequestEnv` is an environment in the style of Gymnasium.

Threads: while the library works, other Python threads run. Models and offline bounds may be shared by all;
calls to one planner, agent or belief wait for one another.
"""

from . import errors
from ._library import VERSION as __version__
from ._library import lib as _lib
from .bounds import BOUNDS, Bound, OfflineBounds, applies, bounds
from .episodes import Episode, Results, Statistic, Step, run
from .errors import Error, LibraryNotFound, Message, ModelWarning
from .gymnasium import RequestEnv
from .maps import BeliefMap
from .model import Belief, Environment, Model, Parameter, Scene, Sizes, environments, load
from .policy import Node, Policy, PolicyInfo, Proof
from .planning import (
    ACTS,
    IMPROVEMENTS,
    PLANNERS,
    ROLLOUTS,
    RULES,
    Agent,
    Budget,
    Choice,
    Decision,
    Forecast,
    Planner,
    PlannerOptions,
)
from .price import Interval, PriceCurve, PricePoint, Worth


def library_path() -> str:
    """The shared library that was loaded: its path, or its name when the linker found it."""
    return str(_lib.path)


def library_version() -> str:
    """The version of the library that was loaded; :data:`__version__` is that of this package."""
    return str(_lib.version().decode())


__all__ = [
    "ACTS",
    "Agent",
    "BOUNDS",
    "Belief",
    "BeliefMap",
    "Bound",
    "Budget",
    "Choice",
    "Decision",
    "Environment",
    "Episode",
    "Error",
    "Forecast",
    "IMPROVEMENTS",
    "Interval",
    "LibraryNotFound",
    "Message",
    "Model",
    "ModelWarning",
    "Node",
    "OfflineBounds",
    "PLANNERS",
    "Parameter",
    "Planner",
    "PlannerOptions",
    "Policy",
    "PolicyInfo",
    "Proof",
    "PriceCurve",
    "PricePoint",
    "ROLLOUTS",
    "RULES",
    "RequestEnv",
    "Results",
    "Scene",
    "Sizes",
    "Statistic",
    "Step",
    "Worth",
    "__version__",
    "applies",
    "bounds",
    "environments",
    "errors",
    "library_path",
    "library_version",
    "load",
    "run",
]
