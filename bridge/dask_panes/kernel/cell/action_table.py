"""The actions that pages can ask for, with their checks. Modules of actions are imported with the first of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Action:
    """An action.

    Attributes
    ----------
    check : callable
        Converts a page's arguments to keyword arguments; raises ValueError with a message for users.
    run : callable
        Applies it to a cluster, in a separate thread; returns the reply's value.
    changes : bool
        Whether it changes something; otherwise it does not wait for other actions to end.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    run: Callable[..., Any]
    changes: bool = True


def _scaling(cluster: Any) -> Any:
    from .scaling import scaling

    return scaling(cluster)


def _scale(cluster: Any, workers: int) -> Any:
    from .scaling import scale

    scale(cluster, workers)
    return _scaling(cluster)


def _adapt(cluster: Any, minimum: int, maximum: int) -> Any:
    from .scaling import adapt

    adapt(cluster, minimum, maximum)
    return _scaling(cluster)


def _no_arguments(_: Mapping[str, Any]) -> dict[str, Any]:
    return {}


def _check_scale(given: Mapping[str, Any]) -> dict[str, Any]:
    from .scaling import checked_workers

    return {"workers": checked_workers(given.get("workers"))}


def _check_adapt(given: Mapping[str, Any]) -> dict[str, Any]:
    from .scaling import checked_bounds

    minimum, maximum = checked_bounds(given)
    return {"minimum": minimum, "maximum": maximum}


#: Actions by their name in requests.
ACTIONS: Mapping[str, Action] = {
    "scaling": Action(_no_arguments, _scaling, changes=False),
    "scale": Action(_check_scale, _scale),
    "adapt": Action(_check_adapt, _adapt),
}


@dataclass(frozen=True)
class ClientAction:
    """An action through a client.

    Attributes
    ----------
    check : callable
        Converts a page's arguments to keyword arguments; raises ValueError with a message for users.
    run : str
        Name of a coroutine function of `client_actions`, which is called with the client's session.
    changes : bool
        Whether it changes something; otherwise it does not wait for other actions to end.
    fixed : mapping
        Further keyword arguments.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    run: str
    changes: bool = True
    fixed: Mapping[str, Any] = field(default_factory=dict)


def _one_of(*names: str, optional: bool = False) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    def check(given: Mapping[str, Any]) -> dict[str, Any]:
        from .client_actions import checked_text

        return {} if optional and not any(given.get(name) for name in names) else checked_text(given, *names)

    return check


#: Actions through a client, by their name in requests.
CLIENT_ACTIONS: Mapping[str, ClientAction] = {
    "stakes": ClientAction(_one_of("worker", optional=True), "stakes", changes=False),
    "retire": ClientAction(_one_of("worker"), "retire"),
    "restart_worker": ClientAction(_one_of("worker"), "restart_worker"),
    "restart": ClientAction(_no_arguments, "restart"),
    "trim": ClientAction(_one_of("worker", optional=True), "trim"),
    "benchmark": ClientAction(_no_arguments, "benchmark"),
    "plan_cancel": ClientAction(_one_of("key", "prefix"), "plan", changes=False, fixed={"action": "cancel"}),
    "plan_retry": ClientAction(_one_of("key", "prefix"), "plan", changes=False, fixed={"action": "retry"}),
    "cancel": ClientAction(_one_of("plan"), "carry_out"),
    "retry": ClientAction(_one_of("plan"), "carry_out", fixed={"cancels": False}),
}
