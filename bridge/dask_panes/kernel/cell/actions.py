"""Actions of a page on a cluster: the request ``act`` (``docs/feed.md``).

An action is a name of ``ACTIONS`` with arguments that are checked; a page cannot send code. It runs in a separate
thread, since the cluster may be of any class and may take minutes: neither the control channel nor a cell waits for
it. Each cluster has at most one at a time. Errors are returned as messages.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...scheduler.collector.plain import text

if TYPE_CHECKING:
    from distributed import Client

    from ..channel.call import Call

logger = logging.getLogger(__name__)

#: Seconds after which a page is notified that an action has not finished; less than the page's timeout.
PATIENCE = 20.0
#: Longest text of an error.
MOST_TEXT = 500


@dataclass(frozen=True)
class Action:
    """An action.

    Attributes
    ----------
    check : callable
        Converts a page's arguments to keyword arguments; raises ValueError with a message for users.
    run : callable
        Applies it to a cluster, in a separate thread; returns the reply's value.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    run: Callable[..., Any]


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
    "scaling": Action(_no_arguments, _scaling),
    "scale": Action(_check_scale, _scale),
    "adapt": Action(_check_adapt, _adapt),
}

#: Displayed clusters, by the handle in their output: some have no client that could identify them.
_displayed: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def handle_of(cluster: Any) -> str:
    """The handle with which pages refer to a cluster of this process."""
    for handle, known in list(_displayed.items()):
        if known is cluster:
            return handle
    handle = uuid4().hex
    _displayed[handle] = cluster
    return handle


class _Running:
    """An action in progress; the first of its end and its timeout answers the page."""

    def __init__(self, name: str, cluster: Any, call: Call) -> None:
        self.name, self.cluster, self.call = name, cluster, call
        self.since = monotonic()
        self.answered = False
        self.timer: asyncio.TimerHandle | None = None


class Actions:
    """The actions of one kernel. Everything except the actions themselves runs on the control loop.

    Parameters
    ----------
    find : callable
        The client of a key; None if it is closed. Raises LookupError if there was none.
    patience : float
        Seconds after which a page is notified that an action has not finished.
    """

    def __init__(self, find: Callable[[str], Client | None], patience: float = PATIENCE) -> None:
        self._find = find
        self._patience = patience
        self._running: dict[int, _Running] = {}

    def handle(self, call: Call) -> None:
        """Start a page's action, or refuse it with a message."""
        try:
            name, given = str(call.arguments.get("name")), call.arguments.get("args")
            action = ACTIONS.get(name)
            if action is None:
                raise ValueError(f"This version of dask_panes knows no action {name[:40]!r}.")
            arguments = action.check(given if isinstance(given, dict) else {})
            cluster = self._cluster(call)
            self._refuse_second(cluster)
        except (ValueError, LookupError, RuntimeError) as error:
            call.fail(str(error.args[0]) if error.args else type(error).__name__)
            return
        self._begin(_Running(name, cluster, call), action, arguments)

    def _cluster(self, call: Call) -> Any:
        key, handle = str(call.arguments.get("client", "")), str(call.arguments.get("handle", ""))
        if handle:
            cluster = _displayed.get(handle)
            if cluster is None:
                raise LookupError("This kernel does not have the cluster any more.")
        else:
            client = self._find(key)
            if client is None:
                raise RuntimeError("The client is closed.")
            cluster = client.cluster
        # Imported here: a kernel that has not imported dask must stay that way.
        from .scaling import refusal

        reason = refusal(cluster)
        if reason:
            raise RuntimeError(reason)
        return cluster

    def _refuse_second(self, cluster: Any) -> None:
        running = self._running.get(id(cluster))
        if running is not None:
            seconds = monotonic() - running.since
            raise RuntimeError(f"{running.name!r} of {seconds:.0f} s ago has not finished yet.")

    def _begin(self, running: _Running, action: Action, arguments: dict[str, Any]) -> None:
        # It keeps a reference to the cluster while it runs, so the id is not reused.
        self._running[id(running.cluster)] = running
        loop = asyncio.get_running_loop()
        running.timer = loop.call_later(self._patience, self._overdue, running)
        thread = threading.Thread(
            target=self._run, args=(running, action, arguments), name=f"dask-panes-{running.name}", daemon=True
        )
        thread.start()

    def _run(self, running: _Running, action: Action, arguments: dict[str, Any]) -> None:
        value, problem = None, ""
        try:
            value = action.run(running.cluster, **arguments)
        except BaseException as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = text(f"{type(error).__name__}: {text(error)}", MOST_TEXT)
        running.call.channel.on_loop(self._end, running, value, problem)

    def _end(self, running: _Running, value: Any, problem: str) -> None:
        self._running.pop(id(running.cluster), None)
        if running.timer is not None:
            running.timer.cancel()
        if running.answered:
            return
        running.answered = True
        if problem:
            running.call.fail(problem)
        else:
            running.call.reply({"value": value})

    def _overdue(self, running: _Running) -> None:
        running.answered = True
        running.call.fail(
            f"{running.name!r} has not finished after {self._patience:.0f} s. It goes on in the kernel; "
            f"until it ends, nothing else can be asked of this cluster."
        )
