"""Actions of a page on a cluster: the request ``act`` (``docs/feed.md``).

An action is a name of ``ACTIONS`` or of ``CLIENT_ACTIONS`` with arguments that are checked; a page cannot send code.
What calls a cluster object runs in a separate thread, since the cluster may be of any class and may take minutes; what
a client does is a coroutine on the client's event loop. Neither the control channel nor a cell waits for it. Each
cluster and each client has at most one action that changes it at a time. Errors are returned as messages. A page that
asks with ``late`` hears of the end of an action that changes something also where it takes longer than a request may.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...scheduler.collector.plain import text
from ..channel.loops import STOPPED, is_stopped, spawn_on_loop_of
from .action_table import ACTIONS, CLIENT_ACTIONS, Action, ClientAction
from .closing import cluster_of

if TYPE_CHECKING:
    from ..channel.call import Call
    from ..session.session import Session

logger = logging.getLogger(__name__)

#: Seconds after which a page is notified that an action has not finished; less than the page's timeout.
PATIENCE = 20.0
#: Seconds for which the end of an action is kept for the page that has asked for it.
KEPT = 600.0
#: Longest text of an error.
MOST_TEXT = 500


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

    def __init__(self, name: str, target: Any, what: str, call: Call) -> None:
        self.name, self.target, self.what, self.call = name, target, what, call
        self.since = monotonic()
        #: The request that waits for the end.
        self.waiting: Call | None = call
        #: Value and message of a failure, when it has ended.
        self.ended: tuple[Any, str] | None = None
        self.timer: asyncio.TimerHandle | None = None


class Actions:
    """The actions of one kernel. Everything except the actions themselves runs on the control loop.

    Parameters
    ----------
    find : callable
        The session of a client's key. Raises LookupError if there was none.
    patience : float
        Seconds after which a page is notified that an action has not finished.
    """

    def __init__(self, find: Callable[[str], Session], patience: float = PATIENCE) -> None:
        self._find = find
        self._patience = patience
        #: Those that change something, by id of the cluster or of the session.
        self._running: dict[int, _Running] = {}
        #: Those whose pages will ask for their end, by the id with which they do.
        self._late: dict[str, _Running] = {}

    def handle(self, call: Call) -> None:
        """Start a page's action, or refuse it with a message."""
        try:
            name, given = str(call.arguments.get("name")), call.arguments.get("args")
            arguments = given if isinstance(given, dict) else {}
            if name == "outcome":
                self._outcome(str(arguments.get("id")), call)
            elif name in CLIENT_ACTIONS:
                self._begin_client(name, arguments, call)
            else:
                self._begin_cluster(name, arguments, call)
        except (ValueError, LookupError, RuntimeError) as error:
            call.fail(str(error.args[0]) if error.args else type(error).__name__)

    # -- through a client ---------------------------------------------------------------------------------------

    def _begin_client(self, name: str, given: Mapping[str, Any], call: Call) -> None:
        action = CLIENT_ACTIONS[name]
        arguments = {**action.check(given), **action.fixed}
        session = self._find(str(call.arguments.get("client", "")))
        if session.loop is None:
            raise RuntimeError("The client is closed: its cluster can be reached through another client only.")
        if is_stopped(session):
            # Carried out when it runs again, it would come as a surprise.
            raise RuntimeError(STOPPED)
        # Imported here: a kernel that has not imported dask must stay that way.
        from .scaling import switched_off

        off = switched_off()
        if off:
            raise RuntimeError(off)
        if action.changes:
            self._refuse_second(session)
        running = _Running(name, session, "client", call)
        self._watch(running, action.changes)
        if not spawn_on_loop_of(session, self._run_client(running, action, arguments)):
            self._end(running, None, "The client is closed.")

    async def _run_client(self, running: _Running, action: ClientAction, arguments: dict[str, Any]) -> None:
        from . import client_actions

        value, problem = None, ""
        try:
            value = await getattr(client_actions, action.run)(running.target, **arguments)
        except (ValueError, RuntimeError, LookupError) as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = text(str(error) or type(error).__name__, MOST_TEXT)
        except (asyncio.TimeoutError, TimeoutError) as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = text(f"It took too long. {error}".strip(), MOST_TEXT)
        except OSError as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = f"The scheduler does not answer ({text(error, MOST_TEXT)}). Check that it still runs."
        except BaseException as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = text(f"{type(error).__name__}: {text(error)}", MOST_TEXT)
        running.call.channel.on_loop(self._end, running, value, problem)

    # -- on a cluster object ------------------------------------------------------------------------------------

    def _begin_cluster(self, name: str, given: Mapping[str, Any], call: Call) -> None:
        action = ACTIONS.get(name)
        if action is None:
            raise ValueError(f"This version of dask_panes does not know the action {name[:40]!r}.")
        arguments = action.check(given)
        running = _Running(name, self._cluster(call), "cluster", call)
        if action.changes:
            self._refuse_second(running.target)
        self._watch(running, action.changes)
        thread = threading.Thread(
            target=self._run, args=(running, action, arguments), name=f"dask-panes-{running.name}", daemon=True
        )
        thread.start()

    def _cluster(self, call: Call) -> Any:
        key, handle = str(call.arguments.get("client", "")), str(call.arguments.get("handle", ""))
        if handle:
            cluster = _displayed.get(handle)
            if cluster is None:
                raise LookupError("This kernel does not have the cluster any more.")
        else:
            session = self._find(key)
            client = None if session.closed else session.client
            if client is None:
                raise RuntimeError("The client is closed.")
            cluster = cluster_of(client)
        # Imported here: a kernel that has not imported dask must stay that way.
        from .scaling import refusal

        reason = refusal(cluster)
        if reason:
            raise RuntimeError(reason)
        return cluster

    def _run(self, running: _Running, action: Action, arguments: dict[str, Any]) -> None:
        value, problem = None, ""
        try:
            value = action.run(running.target, **arguments)
        except BaseException as error:
            logger.debug("%s failed", running.name, exc_info=True)
            problem = text(f"{type(error).__name__}: {text(error)}", MOST_TEXT)
        running.call.channel.on_loop(self._end, running, value, problem)

    # -- both ---------------------------------------------------------------------------------------------------

    def _refuse_second(self, target: Any) -> None:
        running = self._running.get(id(target))
        if running is not None:
            seconds = monotonic() - running.since
            raise RuntimeError(
                f"{running.name!r} of {seconds:.0f} s ago has not finished yet: wait for it, then try again."
            )

    def _watch(self, running: _Running, changes: bool) -> None:
        if changes:
            # It keeps a reference to its target while it runs, so the id is not reused.
            self._running[id(running.target)] = running
        self._wait(running)

    def _wait(self, running: _Running) -> None:
        running.timer = asyncio.get_running_loop().call_later(self._patience, self._overdue, running)

    def _end(self, running: _Running, value: Any, problem: str) -> None:
        if self._running.get(id(running.target)) is running:
            del self._running[id(running.target)]
        if running.timer is not None:
            running.timer.cancel()
        running.ended = (value, problem)
        # A page may ask for its end for some time: the cluster is not kept so long.
        running.target = None
        if running in self._late.values():
            asyncio.get_running_loop().call_later(KEPT, self._forget, running)
        self._answer(running)

    def _answer(self, running: _Running) -> None:
        """Say how an action has ended, if a request waits for it."""
        call, running.waiting = running.waiting, None
        if call is None or running.ended is None:
            return
        value, problem = running.ended
        if problem:
            call.fail(problem)
        else:
            call.reply({"value": value})

    def _overdue(self, running: _Running) -> None:
        call, running.waiting = running.waiting, None
        if call is None:
            return
        late = f"{running.name!r} has not finished after {monotonic() - running.since:.0f} s."
        if self._running.get(id(running.target)) is not running:
            call.fail(late)
            return
        late += f" It continues in the kernel; until it ends, nothing else can be done with this {running.what}."
        asked = running.call.arguments.get("args")
        if isinstance(asked, dict) and asked.get("late") is True:
            call.reply({"value": {"outcome": self._keep(running), "message": late}})
        else:
            call.fail(late)

    # -- ends that come late --------------------------------------------------------------------------------------

    def _keep(self, running: _Running) -> str:
        """Let a page ask how an action ended; returns the id with which it does."""
        handle = uuid4().hex
        self._late[handle] = running
        return handle

    def _forget(self, running: _Running) -> None:
        self._late = {handle: late for handle, late in self._late.items() if late is not running}

    def _outcome(self, handle: str, call: Call) -> None:
        """Answer when an action has ended; until then like the request that began it."""
        running = self._late.pop(handle, None)
        if running is None:
            raise LookupError("The kernel does not know any more how this action ended.")
        running.waiting = call
        if running.ended is None:
            self._wait(running)
        else:
            self._answer(running)
