"""Notifies the sessions of a cluster's Clients that it is about to be closed.

A cluster is closed worker by worker while its scheduler still runs. What that says then (results are lost, tasks wait
for workers) is so, and of no use to anybody: what the panes keep is how it was before.

Guarantees: nothing of ours is raised where a cluster is closed or a kernel ends, and neither waits longer than
`PATIENCE`; a cluster that goes on after all is shown as it is again.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from functools import wraps
from inspect import isawaitable, iscoroutinefunction
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..channel.loops import is_stopped, spawn_on_loop_of
from .scaling import stop_adapting

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that the end of a cluster waits.
PATIENCE = 0.5
#: Seconds after which a collector is notified again that its cluster is being closed, which may take minutes:
#: workers wait for their threads.
AGAIN = 10.0
#: Names of the states in which a cluster is of no use to anybody.
OVER = ("closing", "closed", "failed")


class Settling:
    """The clusters of this process, and the sessions that are notified of their end."""

    def __init__(self) -> None:
        self._sessions: weakref.WeakKeyDictionary[Any, weakref.WeakSet[Any]] = weakref.WeakKeyDictionary()
        #: Clients may be made in one thread while a cluster is closed in another.
        self._lock = Lock()

    def watch(self, client: Client, session: Any) -> None:
        """Notify a session when the cluster of its Client is about to be closed; nothing if that cannot be known.

        Clusters of Dask close themselves with the coroutine ``_close``, however that is asked for.
        """
        try:
            cluster = cluster_of(client)
            if cluster is None or not iscoroutinefunction(getattr(type(cluster), "_close", None)):
                return
            with self._lock:
                self._sessions.setdefault(cluster, weakref.WeakSet()).add(session)
            if "_close" not in vars(cluster):
                cluster._close = self._closing(weakref.ref(cluster), type(cluster)._close)
        except Exception:
            # Classes of others may permit no weak references or no attributes.
            logger.debug("the end of a cluster will not be known before", exc_info=True)

    def watch_kernel(self, kernel: Any) -> None:
        """Settle all clusters when a kernel is asked to end or to restart: it first ends the processes of workers."""
        given = kernel.control_handlers.get("shutdown_request")
        if given is None:
            return

        @wraps(given)
        async def shutdown(*args: Any, **kwargs: Any) -> Any:
            await self._settle_all()
            result = given(*args, **kwargs)
            return await result if isawaitable(result) else result

        kernel.control_handlers["shutdown_request"] = shutdown

    async def _settle_all(self) -> None:
        try:
            with self._lock:
                clusters = list(self._sessions)
            await asyncio.gather(*(self.settle(cluster, with_kernel=True) for cluster in clusters))
        except Exception:
            logger.debug("the end of a kernel is shown", exc_info=True)

    async def settle(self, cluster: Any, with_kernel: bool = False) -> None:
        """A cluster is about to be closed; returns when its readers have what they lack, or after `PATIENCE`.

        Parameters
        ----------
        with_kernel : bool
            Whether it ends with the kernel, whose processes Jupyter has interrupted before.
        """
        try:
            if not _ends(cluster, with_kernel):
                return
            sessions = self._running(cluster)
            if sessions:
                await _together(spawn_on_loop_of(session, session.settle(with_kernel)) for session in sessions)
            else:
                # Its Clients have closed before it, and other kernels may read its scheduler.
                await _together([_ask_here(cluster, {"interrupted": with_kernel})])
        except Exception:
            logger.debug("the end of a cluster is shown", exc_info=True)

    def _go_on(self, cluster: Any) -> None:
        """Closing a cluster is over. It may have failed, and some classes only disconnect: their scheduler goes on."""
        try:
            for session in self._running(cluster):
                spawn_on_loop_of(session, session.resume())
            status = getattr(getattr(cluster, "scheduler", None), "status", None)
            if getattr(status, "name", "") == "running":
                _ask_here(cluster, {"over": True})
        except Exception:
            logger.debug("a cluster that goes on is shown as it was", exc_info=True)

    def _close_on(self, cluster: Any) -> None:
        """A cluster is still being closed."""
        try:
            sessions = self._running(cluster)
            for session in sessions:
                spawn_on_loop_of(session, session.stay_settled())
            if not sessions:
                _ask_here(cluster, {"again": True})
        except Exception:
            logger.debug("the end of a cluster is shown", exc_info=True)

    def _running(self, cluster: Any) -> list[Any]:
        with self._lock:
            sessions = list(self._sessions.get(cluster, ()))
        return [each for each in sessions if not each.closed and not is_stopped(each)]

    def _closing(
        self, found: Callable[[], Any], given: Callable[..., Coroutine[Any, Any, Any]]
    ) -> Callable[..., Coroutine[Any, Any, Any]]:
        # The cluster must not refer to itself: it would live until the garbage collector runs.
        @wraps(given)
        async def close(*args: Any, **kwargs: Any) -> Any:
            cluster = found()
            closing = _Repeated(AGAIN, lambda: self._close_on(cluster))
            try:
                _stop_adapting(cluster)
                await self.settle(cluster)
                closing.begin()
                return await given(cluster, *args, **kwargs)
            finally:
                closing.end()
                # Also where it was cancelled before it began.
                self._go_on(cluster)

        return close


class _Repeated:
    """Calls a function again and again. Not a task: nothing has to be awaited when it ends."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self._seconds, self._call = seconds, call
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Call it for the first time after some seconds."""
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._next)

    def _next(self) -> None:
        self._call()
        self.begin()

    def end(self) -> None:
        """Call it no more."""
        if self._timer is not None:
            self._timer.cancel()


#: That of this process.
settling = Settling()


def cluster_of(client: Client) -> Any:
    """The cluster of a Client, also of one that was given its address; None if it is not of this process."""
    if client.cluster is not None:
        return client.cluster
    from distributed.deploy.spec import SpecCluster

    address = client.scheduler.address if client.scheduler is not None else ""
    # Dask keeps those that have closed until they are collected, and another one may be at their address.
    clusters = [each for each in list(SpecCluster._instances) if each.status.name not in OVER]
    return next((each for each in clusters if each.scheduler_address == address), None)


def _ends(cluster: Any, with_kernel: bool) -> bool:
    """Whether the scheduler of a cluster ends when that is closed, or with the kernel."""
    from distributed import Scheduler
    from distributed.deploy.spec import SpecCluster

    if with_kernel and isinstance(getattr(cluster, "scheduler", None), Scheduler):
        return True
    stays = getattr(cluster, "shutdown_scheduler", True) is False
    if with_kernel or not isinstance(cluster, SpecCluster):
        # For a SpecCluster this says what happens at the end of the process: closing it takes its workers in any case.
        stays = stays or getattr(cluster, "shutdown_on_close", True) is False
    return not stays


def _stop_adapting(cluster: Any) -> None:
    """As closing does first: until it begins, workers would be started that nobody needs."""
    try:
        stop_adapting(cluster)
    except Exception:
        logger.debug("a cluster adapts while its end is awaited", exc_info=True)


def _ask_here(cluster: Any, args: dict[str, Any]) -> Future[Any] | None:
    """Ask the collector of a scheduler in this process what `closing` asks; None if there is none."""
    from ...scheduler.collector.plugin import PLUGIN_NAME

    loop = getattr(getattr(cluster, "loop", None), "asyncio_loop", None)
    collector = getattr(getattr(cluster, "scheduler", None), "plugins", {}).get(PLUGIN_NAME)
    if collector is None or loop is None or not loop.is_running():
        return None
    return asyncio.run_coroutine_threadsafe(collector.ask("closing", args), loop)


async def _together(spawned: Iterable[Future[Any] | None]) -> None:
    asked = [asyncio.wrap_future(each) for each in spawned if each is not None]
    if not asked:
        return
    try:
        await asyncio.wait(asked, timeout=PATIENCE)
    finally:
        # Also where nobody waits any longer: a cluster that goes on would be taken for one that is being closed.
        for each in asked:
            each.cancel()
    # What failed is not of the user's cell.
    await asyncio.gather(*asked, return_exceptions=True)
