"""A model as an environment in the style of Gymnasium, for agents of other kinds.

Gymnasium is not needed. Where it is installed, :class:`RequestEnv` is a ``gymnasium.Env`` with Gymnasium's
spaces; elsewhere it has the same methods, and small spaces of its own.
"""

from __future__ import annotations

import random
from typing import Any, Dict, Mapping, Optional, Tuple

from ._native import count
from .errors import BadArgument, NotApplicable
from .model import Label, Model, load

try:
    import gymnasium as _gymnasium
    from gymnasium import spaces as _spaces

    _Base: Any = _gymnasium.Env
except ImportError:
    _gymnasium = None
    _Base = object

#: "No such thing" in observations: nothing was seen, the state was not told.
NOTHING = -1


class Discrete:
    """``n`` whole numbers from ``start`` on; stands in for Gymnasium's space of that name."""

    def __init__(self, n: int, start: int = 0) -> None:
        self.n, self.start = n, start
        self._random = random.Random()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random.seed(seed)

    def sample(self) -> int:
        return self.start + self._random.randrange(self.n)

    def contains(self, x: Any) -> bool:
        return hasattr(x, "__index__") and self.start <= int(x.__index__()) < self.start + self.n

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Discrete({self.n}, start={self.start})"


class DictSpace:
    """Several spaces by name; stands in for Gymnasium's ``Dict``."""

    def __init__(self, spaces: Mapping[str, Discrete]) -> None:
        self.spaces = dict(spaces)

    def __getitem__(self, key: str) -> Discrete:
        return self.spaces[key]

    def seed(self, seed: Optional[int] = None) -> None:
        source = random.Random(seed)
        for space in self.spaces.values():
            space.seed(source.randrange(2**32))

    def sample(self) -> Dict[str, int]:
        return {key: space.sample() for key, space in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        if not isinstance(x, Mapping) or set(x) != set(self.spaces):
            return False
        return all(x[key] in space for key, space in self.spaces.items())

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Dict({self.spaces})"


def _space(**parts: Tuple[int, int]) -> Any:
    discrete = Discrete if _gymnasium is None else _spaces.Discrete
    spaces = {key: discrete(n, start=start) for key, (n, start) in parts.items()}
    return DictSpace(spaces) if _gymnasium is None else _spaces.Dict(spaces)


class RequestEnv(_Base):  # type: ignore[misc]
    """A simulated world with state requests.

    An action is ``{"control": a, "request": r}``.

    * With ``request`` 0 the world moves by ``control`` and shows an observation; the reward is the model's.
    * With ``request`` 1 the state is told, for its price: the reward is minus the cost. This takes no time:
      the world does not move and ``control`` is ignored (and may be left out). The next step can act on what
      was told. Asking twice for the same state costs twice.

    An observation is ``{"observation": o, "state": s}``, each -1 where there is none: after :meth:`reset`
    both are; after a request the state is there and the observation is the last one; after a move there is
    the observation alone.

    ``info`` holds ``time`` (moves so far), ``discount`` (the weight of this step's reward in the discounted
    return), ``return`` (that return so far) and ``requests``. It does not hold the state; :attr:`state` does,
    for those who want to cheat or to draw.

    An episode is ``terminated`` in a terminal state, and ``truncated`` after ``max_steps`` moves, or after
    twice as many calls, so that asking for ever ends, too.

    :param model: a model, or what :func:`glimpse.load` takes; ``parameters`` are those of the environment.
    :param render_mode: ``None``, ``"ansi"`` (:meth:`render` returns text) or ``"human"`` (it prints).
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self, model: Any, *, max_steps: int = 1000, render_mode: Optional[str] = None, **parameters: Any
    ) -> None:
        if isinstance(model, Model) and parameters:
            raise TypeError(f"a model takes no parameters: {', '.join(parameters)}")
        if render_mode not in (None, "ansi", "human"):
            raise BadArgument(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        self.model: Model = model if isinstance(model, Model) else load(model, **parameters)
        self.max_steps = count(max_steps, "max_steps", 32, 1)
        self.render_mode = render_mode
        states, actions = len(self.model.states), len(self.model.actions)
        self.action_space = _space(control=(actions, 0), request=(2, 0))
        self.observation_space = _space(
            observation=(len(self.model.observations) + 1, NOTHING), state=(states + 1, NOTHING)
        )
        self._random = random.Random()
        self._state: Optional[int] = None
        self._over = True
        self._seen = NOTHING
        self._time = self._calls = self._requests = 0
        self._weight, self._return = 1.0, 0.0

    @property
    def state(self) -> Optional[int]:
        """The true state; ``None`` before the first :meth:`reset`."""
        return self._state

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Dict[str, int], Dict[str, Any]]:
        """A new episode. ``seed`` makes this episode and those after it repeatable, with and without
        Gymnasium; ``options={"state": s}`` starts in a certain state."""
        if _gymnasium is not None:
            super().reset(seed=seed)
        if seed is not None:
            self._random.seed(count(seed, "seed", 64))
        unknown = set(options or ()) - {"state"}
        if unknown:
            raise BadArgument(f"reset has no option {', '.join(sorted(map(str, unknown)))}; there is state")
        start = None if options is None else options.get("state")
        self._state = self._draw(self.model.start) if start is None else self.model.state(start)
        self._over = self.model.terminal(self._state)
        self._seen = NOTHING
        self._time = self._calls = self._requests = 0
        self._weight, self._return = 1.0, 0.0
        return self._view(NOTHING), self._info(1.0)

    def step(
        self, action: Mapping[str, Any]
    ) -> Tuple[Dict[str, int], float, bool, bool, Dict[str, Any]]:
        """Asks or moves; returns observation, reward, terminated, truncated and info."""
        ask, control = self._action(action)
        if self._over or self._state is None:
            raise BadArgument("the episode is over, or none has begun: call reset()")
        state, weight, told = self._state, self._weight, NOTHING
        if ask:
            reward, told = -self.model.cost_of(state), state
            self._requests += 1
        else:
            self._state = self._draw(self.model.transition(control, state))
            self._seen = self._draw(self.model.observing(control, self._state))
            reward = self.model.reward(control, state, self._state, self._seen)
            self._weight *= self.model.discount
            self._time += 1
        self._calls += 1
        self._return += weight * reward
        terminated = self.model.terminal(self._state)
        truncated = not terminated and (self._time >= self.max_steps or self._calls >= 2 * self.max_steps)
        self._over = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return self._view(told), reward, terminated, truncated, self._info(weight)

    def render(self) -> Optional[str]:
        """The true state: a picture for grids, its name elsewhere."""
        if self.render_mode is None or self._state is None:
            return None
        try:
            text = self.model.draw(self._state)
        except NotApplicable:
            text = f"{self.model.states[self._state]}\n"
        if self.render_mode == "ansi":
            return text
        print(text, end="", flush=True)
        return None

    def close(self) -> None:
        """Ends the episode. The model may have other users and is left alone."""
        self._over = True

    def _action(self, action: Any) -> Tuple[bool, Label]:
        if not isinstance(action, Mapping) or set(action) - {"control", "request"}:
            raise BadArgument(f"an action is {{'control': a, 'request': 0 or 1}}, not {action!r}")
        request = action.get("request", 0)
        if request not in (0, 1):
            raise BadArgument(f"request must be 0 or 1, not {request!r}")
        if request and not self.model.requests:
            raise BadArgument("this model has no state requests: its cost is 0")
        if not request and action.get("control") is None:
            raise BadArgument("an action without a request needs a control")
        return bool(request), None if request else self.model.action(action["control"])

    def _draw(self, distribution: Mapping[int, float]) -> int:
        u = self._random.random()
        last = NOTHING
        for last, p in distribution.items():
            u -= p
            if u < 0:
                break
        return last

    def _view(self, told: int) -> Dict[str, int]:
        return {"observation": self._seen, "state": told}

    def _info(self, weight: float) -> Dict[str, Any]:
        return {
            "time": self._time,
            "discount": weight,
            "return": self._return,
            "requests": self._requests,
        }

    def __str__(self) -> str:
        return f"<glimpse.RequestEnv of {self.model.source}>"
