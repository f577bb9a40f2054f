"""The built-in environments, and models as the command line names them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Tuple

from ._labels import nearest
from ._library import lib
from .errors import CannotRead
from .model import Model


@dataclass(frozen=True)
class Parameter:
    """A parameter of a built-in environment."""

    key: str
    default: str
    text: str  #: what it is, and its range


@dataclass(frozen=True)
class Environment:
    """A built-in environment; :meth:`Model.environment` makes it."""

    name: str
    text: str
    parameters: Tuple[Parameter, ...]


def environments() -> List[Environment]:
    """All built-in environments."""
    found: List[Environment] = []
    while True:
        pointer = lib.environment_get(len(found))
        if not pointer:
            return found
        native = pointer.contents
        parameters = []
        for parameter in native.parameters:  # a pointer has no end; its NULL key has
            if not parameter.key:
                break
            parameters.append(
                Parameter(parameter.key.decode(), parameter.value.decode(), parameter.text.decode())
            )
        found.append(Environment(native.name.decode(), native.text.decode(), tuple(parameters)))


def load(spec: str, **parameters: Any) -> Model:
    """A model as on the command line: a built-in environment such as ``"tag:prey=classic"``, or else a
    file."""
    name = spec.split(":", 1)[0]
    names = [environment.name for environment in environments()]
    if parameters or name in names:
        return Model.environment(spec, **parameters)
    try:
        return Model.read(spec)
    except CannotRead as error:
        hint = nearest(name, names).replace("did you mean", "did you mean the built-in environment")
        if not hint or os.path.exists(spec):
            raise
        raise CannotRead(f"{error}{hint}", error.messages) from None
