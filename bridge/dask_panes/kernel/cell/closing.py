"""Notifies the sessions of a cluster's Clients that it is about to be closed.

A cluster is closed worker by worker while its scheduler still runs. What that says then (results are lost, tasks wait
for workers) is so, and of no use to anybody: what the panes keep is how it was before.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from inspect import isawaitable, iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..channel.loops import is_stopped, spawn_on_loop_of

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that the end of a cluster waits.
PATIENCE = 0.5


class Settling:
    """The clusters of this process, and the sessions that are notified of their end."""

    def __init__(self) -> None:
        self._sessions: weakref.WeakKeyDictionary[Any, weakref.WeakSet[Any]] = weakref.WeakKeyDictionary()

    def watch(self, client: Client, session: Any) -> None:
        """Notify a session when the cluster of its Client is about to be closed; nothing if that cannot be known.

        Clusters of Dask close themselves with the coroutine ``_close``, however that is asked for.
        """
        try:
            cluster = _cluster_of(client)
            if cluster is None or not iscoroutinefunction(getattr(type(cluster), "_close", None)):
                return
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
            await _quietly(asyncio.gather(*(self.settle(cluster, interrupted=True) for cluster in list(self._sessions))))
            result = given(*args, **kwargs)
            return await result if isawaitable(result) else result

        kernel.control_handlers["shutdown_request"] = shutdown

    async def settle(self, cluster: Any, interrupted: bool = False) -> None:
        """A cluster is about to be closed; returns when its readers have what they lack, or after `PATIENCE`.

        Parameters
        ----------
        interrupted : bool
            Whether the kernel ends, whose processes Jupyter has interrupted before.
        """
        sessions = self._running(cluster)
        if sessions:
            await _together(spawn_on_loop_of(session, session.settle(interrupted)) for session in sessions)
            return
        from ...scheduler.collector.plugin import PLUGIN_NAME

        # Its Clients have closed before it, and other kernels may read its scheduler, if that is in this process.
        loop = getattr(getattr(cluster, "loop", None), "asyncio_loop", None)
        collector = getattr(getattr(cluster, "scheduler", None), "plugins", {}).get(PLUGIN_NAME)
        if collector is not None and loop is not None and loop.is_running():
            await _together([asyncio.run_coroutine_threadsafe(collector.ask("closing", {"interrupted": interrupted}), loop)])

    def _running(self, cluster: Any) -> list[Any]:
        return [each for each in self._sessions.get(cluster, ()) if not each.closed and not is_stopped(each)]

    def _closing(
        self, found: Callable[[], Any], given: Callable[..., Coroutine[Any, Any, Any]]
    ) -> Callable[..., Coroutine[Any, Any, Any]]:
        # The cluster must not refer to itself: it would live until the garbage collector runs.
        @wraps(given)
        async def close(*args: Any, **kwargs: Any) -> Any:
            cluster = found()
            await _quietly(self.settle(cluster))
            try:
                return await given(cluster, *args, **kwargs)
            finally:
                # It may have failed, and some classes only disconnect: their scheduler goes on.
                for session in self._running(cluster):
                    spawn_on_loop_of(session, session.resume())

        return close


#: That of this process.
settling = Settling()


def _cluster_of(client: Client) -> Any:
    """The cluster of a Client, also of one that was given its address; None if it is not of this process."""
    if client.cluster is not None:
        return client.cluster
    from distributed.deploy.spec import SpecCluster

    address = client.scheduler.address if client.scheduler is not None else ""
    return next((each for each in list(SpecCluster._instances) if each.scheduler_address == address), None)


async def _together(spawned: Iterable[Any]) -> None:
    asked = [asyncio.wrap_future(each) for each in spawned if each is not None]
    if asked:
        _, waiting = await asyncio.wait(asked, timeout=PATIENCE)
        for each in waiting:
            each.cancel()
        # What failed is not of the user's cell.
        await asyncio.gather(*asked, return_exceptions=True)


async def _quietly(settled: Awaitable[Any]) -> None:
    try:
        await settled
    except Exception:
        logger.debug("the end of a cluster is shown", exc_info=True)
