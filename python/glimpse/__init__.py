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

from . import errors, plots
from ._loading import VERSION as __version__
from ._library import lib as _lib
from .bounds import BOUNDS, Bound, OfflineBounds, applies, bounds
from .episodes import Episode, Results, Statistic, Step, run
from .errors import Error, LibraryNotFound, Message, ModelWarning, ProgramNotFound
from .graph import Graph, GraphEdge, GraphNode
from .gymnasium import InquiryEnv, RequestEnv
from .maps import BeliefMap
from ._labels import Place
from .belief import Belief
from .environments import Environment, Parameter, environments, load
from .inquiries import TIMINGS, Inquiry, InquiryInfo, Limits
from ._parts import Sizes
from .model import Model
from .scene import Grid, Scene
from .policy import Node, Policy, PolicyInfo, Proof
from .agent import Agent
from .decisions import Choice, Decision, Forecast
from .options import ACTS, IMPROVEMENTS, PLANNERS, ROLLOUTS, RULES, Budget, PlannerOptions
from .planning import Planner
from ._program import program, program_path
from .experiments import ResultsFile, bench
from .price import Interval, PriceCurve, PricePoint, Worth
from .reasons import Reasons


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
    "Graph",
    "GraphEdge",
    "GraphNode",
    "Grid",
    "IMPROVEMENTS",
    "Inquiry",
    "InquiryEnv",
    "InquiryInfo",
    "Interval",
    "LibraryNotFound",
    "Limits",
    "Message",
    "Model",
    "ModelWarning",
    "Node",
    "OfflineBounds",
    "PLANNERS",
    "Parameter",
    "Place",
    "Planner",
    "PlannerOptions",
    "Policy",
    "PolicyInfo",
    "Proof",
    "PriceCurve",
    "ProgramNotFound",
    "PricePoint",
    "ROLLOUTS",
    "RULES",
    "Reasons",
    "RequestEnv",
    "Results",
    "ResultsFile",
    "Scene",
    "Sizes",
    "Statistic",
    "Step",
    "TIMINGS",
    "Worth",
    "__version__",
    "applies",
    "bench",
    "bounds",
    "environments",
    "errors",
    "library_path",
    "library_version",
    "load",
    "plots",
    "program",
    "program_path",
    "run",
]
