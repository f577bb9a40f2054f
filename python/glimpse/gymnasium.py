"""A model as an environment in the style of Gymnasium, for agents of other kinds.

Gymnasium is not needed. Where it is installed, :class:`RequestEnv` is a ``gymnasium.Env`` with Gymnasium's
spaces; elsewhere it has the same methods, and small spaces of its own.
"""

from __future__ import annotations

import random
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _arrays
from ._labels import Place
from ._library import lib
from ._native import choice, count
from .errors import BadArgument, NotApplicable
from .belief import Label
from .environments import environments, load
from .model import Model

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


class Box:
    """Arrays of ``shape`` with numbers from ``low`` to ``high``; stands in for Gymnasium's space of that name."""

    def __init__(self, low: float, high: float, shape: Tuple[int, ...], dtype: Any = None) -> None:
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype
        self._random = random.Random()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random.seed(seed)

    def sample(self) -> Any:
        values = [self._random.uniform(self.low, self.high) for _ in range(self.shape[0])]
        return _arrays.numpy().array(values, dtype=self.dtype)

    def contains(self, x: Any) -> bool:
        return getattr(x, "shape", None) == self.shape and bool((x >= self.low).all() and (x <= self.high).all())

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high}, {self.shape})"


def _discrete(n: int) -> Any:
    return Discrete(n) if _gymnasium is None else _spaces.Discrete(n)


def _box(n: int) -> Any:
    box = Box if _gymnasium is None else _spaces.Box
    return box(0.0, 1.0, (n,), _arrays.numpy().float32)


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

    Agents that know only plain spaces get them with ``actions="flat"``, where an action is a number, the last one of
    which asks for the state (it is there where the agent may ask), and with ``observations="belief"``, the exact belief
    as an array, or ``"last"``, a number: 0 for nothing, then the observations, then the states that may be told.

    :param model: a model, or what :func:`glimpse.load` takes; ``parameters`` are those of the environment.
    :param actions: ``"dict"`` or ``"flat"``.
    :param observations: ``"dict"``, ``"belief"`` or ``"last"``.
    :param render_mode: ``None``, ``"ansi"`` (:meth:`render` returns text) or ``"human"`` (it prints).
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        model: Any,
        *,
        max_steps: int = 1000,
        render_mode: Optional[str] = None,
        actions: str = "dict",
        observations: str = "dict",
        **parameters: Any,
    ) -> None:
        if isinstance(model, Model) and parameters:
            raise TypeError(f"a model takes no parameters: {', '.join(parameters)}")
        if render_mode not in (None, "ansi", "human"):
            raise BadArgument(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        self.model: Model = model if isinstance(model, Model) else load(model, **parameters)
        self.max_steps = count(max_steps, "max_steps", 32, 1)
        self.render_mode = render_mode
        self._flat = choice(actions, ["dict", "flat"], "actions") == 1
        forms = ["dict", "belief", "last"]
        self._form = forms[choice(observations, forms, "observations")]
        self._make_spaces(len(self.model.states), len(self.model.actions), len(self.model.observations))
        self._belief = self.model.belief() if self._form == "belief" else None
        self._random = random.Random()
        self._state: Optional[int] = None
        self._over = True
        self._seen = NOTHING
        self._time = self._calls = self._requests = 0
        self._weight, self._return = 1.0, 0.0

    def _make_spaces(self, states: int, controls: int, symbols: int) -> None:
        if self.model.planning is not self.model:
            raise NotApplicable("this model has inquiries or limits: use glimpse.InquiryEnv")
        if self._flat:
            self.action_space = _discrete(controls + bool(self.model.requests))
        else:
            self.action_space = _space(control=(controls, 0), request=(2, 0))
        if self._form == "belief":
            self.observation_space = _box(states)
        elif self._form == "last":
            self.observation_space = _discrete(1 + symbols + states)
        else:
            self.observation_space = _space(observation=(symbols + 1, NOTHING), state=(states + 1, NOTHING))

    @property
    def state(self) -> Optional[int]:
        """The true state; ``None`` before the first :meth:`reset`."""
        return self._state

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
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
        self._over = self.model.terminal(Place(self._state))
        self._seen = NOTHING
        if self._belief is not None:
            self._belief.set(None)
            if start is not None and self._belief[Place(self._state)] == 0:  # the start excludes it: it is told
                self._belief.reveal(Place(self._state))
        self._time = self._calls = self._requests = 0
        self._weight, self._return = 1.0, 0.0
        return self._view(NOTHING), self._info(1.0)

    def step(
        self, action: Any
    ) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Asks or moves; returns observation, reward, terminated, truncated and info."""
        ask, control = self._action(action)
        if self._over or self._state is None:
            raise BadArgument("the episode is over, or none has begun: call reset()")
        state, weight, told = self._state, self._weight, NOTHING
        if ask:
            reward, told = -self.model.cost_of(Place(state)), state
            self._requests += 1
            if self._belief is not None:
                self._belief.reveal(Place(state))
        else:
            self._state = self._draw(self.model.transition(Place(state), control))
            self._seen = self._draw(self.model.observing(Place(self._state), control))
            reward = self.model.reward(Place(state), control, Place(self._state), Place(self._seen))
            if self._belief is not None:
                self._belief.update(control, Place(self._seen))
            self._weight *= self.model.discount
            self._time += 1
        return self._result(told, reward, weight, False)

    def _result(
        self, told: int, reward: float, weight: float, ended: bool
    ) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Counts a call, and whether it was the last."""
        assert self._state is not None
        self._calls += 1
        self._return += weight * reward
        terminated = ended or self.model.terminal(Place(self._state))
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
            text = self.model.draw(Place(self._state))
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
        if self._flat:
            if not self.action_space.contains(action):
                raise BadArgument(f"an action is a number from 0 to {self.action_space.n - 1}, not {action!r}")
            i = int(action)
            return i == len(self.model.actions), Place(i)
        if not isinstance(action, Mapping) or set(action) - {"control", "request"}:
            raise BadArgument(f"an action is {{'control': a, 'request': 0 or 1}}, not {action!r}")
        request = action.get("request", 0)
        if request not in (0, 1):
            raise BadArgument(f"request must be 0 or 1, not {request!r}")
        if request and not self.model.requests:
            raise BadArgument("this model has no state requests: its cost is 0")
        if not request and action.get("control") is None:
            raise BadArgument("an action without a request needs a control")
        return bool(request), None if request else self._control(action["control"])

    def _control(self, control: Any) -> Place:
        whole = hasattr(control, "__index__") and not isinstance(control, bool)  # a number of the action space
        return Place(self.model.action(Place(int(control)) if whole else control))

    def _draw(self, distribution: Mapping[int, float]) -> int:
        u = self._random.random()
        last = NOTHING
        for last, p in distribution.items():
            u -= p
            if u < 0:
                break
        return int(last)

    def _view(self, told: int) -> Any:
        if self._belief is not None:
            return _arrays.numpy().array(self._belief.dense(), dtype="float32")
        if self._form == "last":
            return 1 + len(self.model.observations) + told if told != NOTHING else 1 + self._seen
        return {"observation": self._seen, "state": told}

    def _info(self, weight: float) -> Dict[str, Any]:
        return {
            "time": self._time,
            "discount": weight,
            "return": self._return,
            "requests": self._requests,
        }

    def __str__(self) -> str:
        return f"<glimpse.{type(self).__name__} of {self.model.source}>"


class InquiryEnv(RequestEnv):
    """The same for models with inquiries or limits.

    An action is ``{"control": a, "request": r}``; ``request`` 0 asks nothing, ``r`` asks the inquiry number ``r - 1``
    of ``model.inquiries``. One that is asked together with an action needs a control, with the others it is ignored.
    With ``actions="flat"`` the numbers are those of the actions of ``model.planning``: the controls, then the
    inquiries, a joint one with each control.

    An observation is ``{"observation": o, "inquiry": i, "answer": z}``, the last two -1 where nothing was asked;
    ``z`` is a place in ``model.inquiries[i].answers``. With ``observations="belief"`` it is the exact belief.

    A question that the limits do not allow is not asked: of a joint one the control is left, of another nothing.
    ``info["allowed"]`` says of each inquiry whether it may be asked now. At the horizon an episode is terminated.
    """

    def _make_spaces(self, states: int, controls: int, symbols: int) -> None:
        inquiries = self.model.inquiries
        joint = [inquiry.timing == "joint" for inquiry in inquiries]
        #: What each number of a flat action does: control and inquiry.
        self._meanings: List[Tuple[Optional[int], Optional[int]]] = [(a, None) for a in range(controls)]
        for i, both in enumerate(joint):
            self._meanings += [(a, i) for a in range(controls)] if both else [(None, i)]
        if self._form == "last":
            raise NotApplicable("observations of models with inquiries are 'dict' or 'belief'")
        if self._flat:
            self.action_space = _discrete(len(self._meanings))
        else:
            self.action_space = _space(control=(controls, 0), request=(1 + len(inquiries), 0))
        if self._form == "belief":
            self.observation_space = _box(states)
        else:
            answers = max((len(inquiry.answers) for inquiry in inquiries), default=0)
            self.observation_space = _space(
                observation=(symbols + 1, NOTHING), inquiry=(len(inquiries) + 1, NOTHING), answer=(answers + 1, NOTHING)
            )
        self._limits = self.model.limits
        self._asked = 0  # before the next action
        self._told = (NOTHING, NOTHING)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        self._asked = 0
        self._told = (NOTHING, NOTHING)
        return super().reset(seed=seed, options=options)

    def step(self, action: Any) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Asks, moves, or both; returns observation, reward, terminated, truncated and info."""
        control, inquiry = self._meaning(action)
        if self._over or self._state is None:
            raise BadArgument("the episode is over, or none has begun: call reset()")
        if inquiry is not None and not self._allows(inquiry):
            inquiry = None
        state, weight, reward, timing = self._state, self._weight, 0.0, "before"
        if control is not None:
            self._state = self._draw(self.model.transition(Place(state), Place(control)))
            self._seen = self._draw(self.model.observing(Place(self._state), Place(control)))
            reward = self.model.reward(Place(state), Place(control), Place(self._state), Place(self._seen))
            if self._belief is not None:
                self._belief.update(Place(control), Place(self._seen))
        self._told = (NOTHING, NOTHING)
        if inquiry is not None:
            timing = self.model.inquiries[inquiry].timing
            reward -= self._ask(inquiry, state, control is None)
        if control is not None or timing == "step":
            self._weight *= self.model.discount
            self._time += 1
            self._asked = 0
        horizon = self._limits.horizon
        return self._result(NOTHING, reward, weight, horizon is not None and self._time >= horizon)

    def _meaning(self, action: Any) -> Tuple[Optional[int], Optional[int]]:
        if self._flat:
            if not self.action_space.contains(action):
                raise BadArgument(f"an action is a number from 0 to {self.action_space.n - 1}, not {action!r}")
            return self._meanings[int(action)]
        if not isinstance(action, Mapping) or set(action) - {"control", "request"}:
            raise BadArgument(f"an action is {{'control': a, 'request': r}}, not {action!r}")
        request = action.get("request", 0)
        if not hasattr(request, "__index__") or not 0 <= int(request) <= len(self.model.inquiries):
            raise BadArgument(f"request must be a number from 0 to {len(self.model.inquiries)}, not {request!r}")
        inquiry = int(request) - 1 if request else None
        if inquiry is not None and self.model.inquiries[inquiry].timing != "joint":
            return None, inquiry
        if action.get("control") is None:
            raise BadArgument("an action that moves the world needs a control")
        return int(self._control(action["control"])), inquiry

    def _allows(self, inquiry: int) -> bool:
        limits = self._limits
        if limits.requests is not None and self._requests >= limits.requests:
            return False
        return self.model.inquiries[inquiry].timing != "before" or self._asked < (limits.per_step or 1)

    def _info(self, weight: float) -> Dict[str, Any]:
        return {**super()._info(weight), "allowed": [self._allows(i) for i in range(len(self.model.inquiries))]}

    def _ask(self, inquiry: int, asked_in: int, effective: bool) -> float:
        """Draws the answer and, unless an action has moved the world, the effect; returns what is paid."""
        assert self._state is not None
        info = self.model.inquiries[inquiry]
        if effective and info.effect:
            self._state = self._draw(self.model.effect_of(Place(self._state), inquiry))
        answer = self._draw(self.model._row(lib.model_inquiry_answers, inquiry, self._state))
        self._told = (inquiry, answer)
        self._requests += 1
        self._asked += info.timing == "before"
        if self._belief is not None:
            self._weigh(inquiry, answer, effective and info.effect)
        failed = info.fails and answer == len(info.answers) - 1
        return 0.0 if failed and info.unpaid else self.model.price_of(inquiry, Place(asked_in))

    def _weigh(self, inquiry: int, answer: int, effect: bool) -> None:
        """The belief after an answer, by Bayes' rule."""
        assert self._belief is not None
        found: Dict[int, float] = {}
        for s, p in self._belief.probabilities().items():
            to = self.model.effect_of(Place(s), inquiry) if effect else {s: 1.0}
            for s2, d in to.items():
                heard = self.model._row(lib.model_inquiry_answers, inquiry, int(s2)).get(answer, 0.0)
                if heard:
                    found[Place(s2)] = found.get(Place(s2), 0.0) + p * d * heard
        self._belief.set(found)

    def _view(self, told: int) -> Any:
        if self._belief is not None:
            return super()._view(told)
        return {"observation": self._seen, "inquiry": self._told[0], "answer": self._told[1]}


class VectorEnv:
    """Several worlds of the same kind, stepped together; stands in for Gymnasium's vector environments.

    Observations, rewards and flags are NumPy arrays with a row for each world (of dicts: arrays by key), and so is
    what infos have under each key, with who has it under ``"_" + key``. Actions are a sequence with one for each, or
    arrays by key. A world whose episode is over begins a new one at the next step, which ignores its action and pays
    nothing.
    """

    def __init__(self, envs: Sequence[RequestEnv]) -> None:
        if not envs:
            raise BadArgument("at least one environment")
        self.envs = list(envs)
        self.num_envs = len(self.envs)
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self._ended = [False] * self.num_envs

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        """World i gets the seed ``seed + i``."""
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
        results = [env.reset(seed=s, options=options) for env, s in zip(self.envs, seeds)]
        self._ended = [False] * self.num_envs
        return _stacked([seen for seen, _ in results]), _gathered([info for _, info in results])

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        """Observations, rewards, terminated, truncated and infos."""
        if isinstance(actions, Mapping):
            actions = [dict(zip(actions, parts)) for parts in zip(*actions.values())]
        if len(actions) != self.num_envs:
            raise BadArgument(f"there are {len(actions)} actions for {self.num_envs} environments")
        np, results = _arrays.numpy(), []
        for i, (env, action) in enumerate(zip(self.envs, actions)):
            if self._ended[i]:
                seen, info = env.reset()
                results.append((seen, 0.0, False, False, info))
            else:
                results.append(env.step(action))
            self._ended[i] = results[-1][2] or results[-1][3]
        seen, rewards, terminated, truncated, infos = zip(*results)
        return _stacked(seen), np.array(rewards), np.array(terminated), np.array(truncated), _gathered(infos)

    def close(self) -> None:
        """Ends all episodes."""
        for env in self.envs:
            env.close()


def _stacked(seen: Sequence[Any]) -> Any:
    np = _arrays.numpy()
    if isinstance(seen[0], dict):
        return {key: np.array([one[key] for one in seen]) for key in seen[0]}
    return np.array(seen)


def _gathered(infos: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
    """Infos as Gymnasium's vector environments have them."""
    np, found = _arrays.numpy(), {}
    for i, info in enumerate(infos):
        for key, value in info.items():
            if key not in found:
                number = type(value) in (bool, int, float)
                found[key] = np.zeros(len(infos), type(value)) if number else np.full(len(infos), None)
                found["_" + key] = np.zeros(len(infos), bool)
            found[key][i] = value
            found["_" + key][i] = True
    return found


def vector(model: Any, count_of: int, **options: Any) -> Any:
    """So many environments side by side: Gymnasium's ``SyncVectorEnv`` where that is installed, otherwise a
    :class:`VectorEnv`. ``options`` are those of :class:`RequestEnv`."""
    n = count(count_of, "count_of", 32, 1)
    if _gymnasium is None:
        return VectorEnv([make(model, **options) for _ in range(n)])
    return _gymnasium.vector.SyncVectorEnv([lambda: make(model, **options) for _ in range(n)])


def make(model: Any, **options: Any) -> RequestEnv:
    """A :class:`RequestEnv` or, where the model has inquiries or limits, an :class:`InquiryEnv`."""
    spaces = ("max_steps", "render_mode", "actions", "observations")
    parameters = {key: value for key, value in options.items() if key not in spaces}
    if isinstance(model, Model) and parameters:
        raise TypeError(f"a model takes no parameters: {', '.join(parameters)}")
    made = model if isinstance(model, Model) else load(model, **parameters)
    kind = RequestEnv if made.planning is made else InquiryEnv
    return kind(made, **{key: value for key, value in options.items() if key in spaces})


def ids() -> Dict[str, str]:
    """The ids under which ``gymnasium.make`` knows the built-in environments once glimpse is imported, and which
    environment each is: ``"glimpse/RobotDelivery-v0"`` …"""
    found = {}
    for environment in environments():
        name = "".join(part.capitalize() for part in environment.name.split("-"))
        found[f"glimpse/{name}-v0"] = environment.name
    return found


def _register() -> None:
    register: Any = getattr(_gymnasium, "register", None)
    for key, name in ids().items() if register is not None else ():
        register(key, entry_point="glimpse.gymnasium:make", kwargs={"model": name})


_register()
