"""Notifies the session of a Client that its cluster is about to be closed.

A cluster is closed worker by worker while its scheduler still runs. What that says then (results are lost, tasks wait
for workers) is so, and of no use to anybody: what the panes keep is how it was before.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..channel.loops import is_stopped, spawn_on_loop_of

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that the end of a cluster waits.
PATIENCE = 0.5


class Settling:
    """The sessions that are notified, by their cluster."""

    def __init__(self) -> None:
        self._sessions: weakref.WeakKeyDictionary[Any, weakref.WeakSet[Any]] = weakref.WeakKeyDictionary()

    def watch(self, client: Client, session: Any) -> None:
        """Notify a session when the cluster of its Client is about to be closed; nothing if that cannot be known.

        Clusters of Dask close themselves with the coroutine ``_close``, however that is asked for.
        """
        cluster: Any = client.cluster
        if cluster is None or not iscoroutinefunction(getattr(type(cluster), "_close", None)):
            return
        try:
            self._sessions.setdefault(cluster, weakref.WeakSet()).add(session)
            if "_close" not in vars(cluster):
                cluster._close = self._closing(weakref.ref(cluster), type(cluster)._close)
        except Exception:
            # Classes of others may permit no weak references or no attributes.
            logger.debug("the end of a cluster will not be known before", exc_info=True)

    def _closing(
        self, found: Callable[[], Any], given: Callable[..., Coroutine[Any, Any, Any]]
    ) -> Callable[..., Coroutine[Any, Any, Any]]:
        # The cluster must not refer to itself: it would live until the garbage collector runs.
        @wraps(given)
        async def close(*args: Any, **kwargs: Any) -> Any:
            cluster = found()
            sessions = [each for each in self._sessions.get(cluster, ()) if not is_stopped(each)]
            try:
                await self._settle(sessions)
            except Exception:
                logger.debug("the end of a cluster is shown", exc_info=True)
            try:
                return await given(cluster, *args, **kwargs)
            finally:
                # It may have failed, and some classes only disconnect: their scheduler goes on.
                for session in sessions:
                    spawn_on_loop_of(session, session.resume())

        return close

    async def _settle(self, sessions: list[Any]) -> None:
        spawned = [spawn_on_loop_of(session, session.settle()) for session in sessions]
        asked = [asyncio.wrap_future(each) for each in spawned if each is not None]
        if asked:
            _, waiting = await asyncio.wait(asked, timeout=PATIENCE)
            for each in waiting:
                each.cancel()
            # What failed is not of the user's cell.
            await asyncio.gather(*asked, return_exceptions=True)
