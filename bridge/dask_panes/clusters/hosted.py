"""One cluster of a hosting kernel and its client, whatever class it is of."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..kernel.activate import attach
from ..kernel.cell.closing import settling
from ..kernel.cell.facts import key_of
from ..kernel.cell.scaling import class_name, scaling, stop_adapting, unscalable, wait_for_decision
from ..kernel.presets import Preset
from ..scheduler.collector.stakes import is_client
from . import connection
from .factory import Making
from .figures import NOTHING, link_of, tasks_of, threads_of
from .options import ClusterOptions, local_arguments

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds between two requests to a scheduler of another process.
_LOOK = 2.0
#: Timeout of such a request, seconds: a scheduler that does not answer is asked again with the next one.
_PATIENCE = 5.0
#: Seconds after which a scheduler that has not answered such requests is not merely busy.
_UNANSWERED = 10.0
_OVER = ("closing", "closed", "failed", "stopping", "stopped")


class Hosted:
    """On the host's event loop; `figures` from any thread.

    Parameters
    ----------
    preset : Preset
        How the cluster is made.
    options : ClusterOptions
        What the user chose.
    main : asyncio.AbstractEventLoop, optional
        The loop of the main thread.
    """

    def __init__(self, preset: Preset, options: ClusterOptions, main: asyncio.AbstractEventLoop | None = None) -> None:
        self._preset, self._options = preset, options
        kwargs = local_arguments(options, preset.kwargs) if preset.local else preset.kwargs
        self._making = Making(replace(preset, kwargs=kwargs), main)
        self._cluster: Any = None
        #: One at a time: scaling ends adaptive scaling first, which must not begin again before the number is set.
        self._requests = asyncio.Lock()
        self._adaptive: tuple[int, int] | None = None
        self._client: Client | None = None
        self._connection: connection.Connection | None = None
        #: Tasks of a scheduler that is not in this process, as of the last request.
        self._tasks = 0
        self._looked = -_LOOK
        #: When the first of the requests was made that it has not answered since.
        self._unanswered: float | None = None
        self._renewed = 0.0
        self._renewing: threading.Thread | None = None

    async def open(self) -> None:
        """Make the cluster and its client, and publish how to reach it.

        Raises
        ------
        Exception
            Whatever the class raises; `close` is to be called in any case.
        """
        cluster = await self._making.make()
        if cluster.scheduler_address.startswith("inproc:"):
            raise ValueError(
                f"A {class_name(cluster)} without processes and network can only be used in its own process: give it "
                "processes: true, or protocol: tcp://, in Dask's configuration"
            )
        self._cluster = cluster
        # Kept before it is connected: a start that is given up closes it.
        self._client = self._client_of(cluster)
        await self._client
        await attach(self._client, asked=True)
        self._connection = connection.of_cluster(self._options.name, cluster, self._serves_dashboard())
        connection.publish(self._connection)
        self._renewed = monotonic()

    async def first_workers(self) -> None:
        """Ask for the initial workers that the user, or else the configuration, wants."""
        options, preset = self._options, self._preset
        if options.adapt is not None:
            await self.adapt(*options.adapt)
        elif options.workers is not None:
            if not preset.local:
                await self.scale(options.workers)
        elif preset.adapt is not None:
            self._refuse()
            bounds = preset.adapt
            async with self._requests:
                await self._making.call(lambda: self._cluster.adapt(**bounds))
            least, most = bounds.get("minimum", 0), bounds.get("maximum")
            if isinstance(least, int) and isinstance(most, int):
                self._adaptive = (least, most)
        elif preset.workers is not None:
            await self.scale(preset.workers)

    @property
    def client(self) -> str:
        """Key of the client; ``""`` before there is one."""
        # Read once: `close` removes it in another thread.
        client = self._client
        return key_of(client) if client is not None else ""

    @property
    def over(self) -> bool:
        """Whether the cluster, or its scheduler, has ended by itself: after an idle timeout only the latter knows."""
        found = [getattr(each, "status", "") for each in (self._cluster, self._in_process())]
        return any(str(getattr(status, "name", status)) in _OVER for status in found)

    @property
    def busy(self) -> bool:
        """Whether its scheduler has tasks; what a scheduler had that is gone keeps no kernel alive."""
        return self._task_count() > 0 and not self._lost

    @property
    def problem(self) -> str:
        """Why the numbers are old; ``""`` if they are not."""
        since = self._unanswered
        late = since is not None and monotonic() - since > _UNANSWERED
        return "The scheduler does not answer: the numbers are those of its last answer." if late or self._lost else ""

    async def look(self) -> None:
        """Ask a scheduler of another process for its tasks, now and then."""
        if self._client is None or self._in_process() is not None or monotonic() - self._looked < _LOOK:
            return
        self._looked = began = monotonic()
        try:
            if self._client.status == "closed":
                # Dask's client has given up, but the scheduler, or the network, may be there again.
                await self._connect()
            self._tasks = await asyncio.wait_for(tasks_of(self._client.scheduler), _PATIENCE)
            self._unanswered = None
        except (OSError, asyncio.TimeoutError):
            # It may be busy; what was known stays.
            logger.debug("the scheduler did not answer", exc_info=True)
            self._unanswered = began if self._unanswered is None else self._unanswered
        except Exception:
            # A refusal is an answer.
            logger.debug("the scheduler returned no counts", exc_info=True)
            self._unanswered = None

    def renew(self) -> None:
        """Renew the file of the cluster, now and then.

        In a thread that nobody waits for: a home directory on a network may block, the scheduler's loop must not.
        """
        mine, renewing = self._connection, self._renewing is not None and self._renewing.is_alive()
        if mine is None or renewing or monotonic() - self._renewed < connection.RENEWAL:
            return
        self._renewed = monotonic()
        self._renewing = threading.Thread(target=self._renew, args=(mine,), name="dask-panes-renewal", daemon=True)
        self._renewing.start()

    def _renew(self, mine: connection.Connection) -> None:
        try:
            connection.renew(mine)
        except (OSError, ValueError):
            logger.debug("the file could not be renewed", exc_info=True)
        # `close` may have removed it meanwhile.
        if self._connection is None:
            connection.withdraw(mine)

    async def scale(self, workers: int) -> None:
        """Request a number of workers; ends adaptive scaling."""
        async with self._requests:
            self._refuse()
            cluster = self._cluster
            self._adaptive = None
            # An adaptive cluster undoes a requested number within seconds.
            await self._making.call(lambda: stop_adapting(cluster))
            await asyncio.to_thread(wait_for_decision, cluster)
            await self._making.call(lambda: cluster.scale(workers))

    async def adapt(self, minimum: int, maximum: int) -> None:
        """Let Dask choose the number of workers by the load."""
        async with self._requests:
            self._refuse()
            await self._making.call(lambda: self._cluster.adapt(minimum=minimum, maximum=maximum))
            self._adaptive = (minimum, maximum)

    def figures(self) -> dict[str, Any]:
        """Numbers of a card, without a request."""
        cluster, scheduler = self._cluster, self._in_process()
        if cluster is None:
            return {**NOTHING, "class": self._preset.factory}
        state = scaling(cluster)
        workers, threads, memory, clients = state["workers"], threads_of(cluster), state["memory"], 0
        if scheduler is not None:
            # Copied in one step: the scheduler's event loop changes them meanwhile.
            there = list(scheduler.workers.values())
            workers, threads = len(there), sum(worker.nthreads for worker in there)
            memory = sum(worker.memory_limit or 0 for worker in there)
            clients = sum(is_client(scheduler, name) for name in list(scheduler.clients) if name != self.client)
        # What was asked for, where the class does not say whether it still adapts.
        reported = hasattr(getattr(cluster, "_adaptive", None), "periodic_callback")
        adaptive = state["adaptive"] if reported else self._adaptive
        return {
            "class": class_name(cluster),
            "fixed": unscalable(cluster),
            "workers": workers,
            "asked": state["asked"],
            "threads": threads,
            "memory": memory,
            "machine": state["machine"],
            "grouped": state["grouped"],
            "adaptive": list(adaptive) if adaptive is not None else None,
            "tasks": self._task_count(),
            "clients": clients,
            "dashboard": self._dashboard(),
        }

    async def close(self) -> None:
        """End everything; a failing step does not prevent the next."""
        # Before it is removed: a renewal that goes on must not write it again.
        published, self._connection = self._connection, None
        if published is not None:
            connection.withdraw(published)
        client, self._client = self._client, None
        cluster, self._cluster = self._cluster, None
        # Before its own client goes: those of notebooks keep how it was.
        await _try_to_close((lambda: settling.settle(cluster)) if cluster is not None else None)
        await _try_to_close(client.close if client is not None else None)
        await _try_to_close(self._making.close)

    async def _connect(self) -> None:
        client = self._client_of(self._cluster)
        try:
            await asyncio.wait_for(client, _PATIENCE)
            await attach(client, asked=True)
        except BaseException:
            await _try_to_close(client.close)
            raise
        # From now on the kernel knows its key, by which a card opens panes.
        self._client = client

    def _client_of(self, cluster: Any) -> Client:
        from distributed import Client

        # Panes of the cluster itself use this client, also where those of users are not attached. It must not become
        # the default of code that runs here.
        if self._making.asynchronous:
            return Client(cluster, asynchronous=True, set_as_default=False)
        # The cluster has a loop of its own: the client must not use it.
        security = getattr(cluster, "security", None)
        return Client(cluster.scheduler_address, security=security, asynchronous=True, set_as_default=False)

    def _refuse(self) -> None:
        reason = unscalable(self._cluster)
        if reason:
            raise RuntimeError(reason)

    def _in_process(self) -> Any:
        """The scheduler's object, if it is in this process."""
        scheduler: Any = getattr(self._cluster, "scheduler", None)
        return scheduler if isinstance(getattr(scheduler, "tasks", None), dict) else None

    @property
    def _lost(self) -> bool:
        """Whether there is no connection to a scheduler of another process."""
        client = self._client
        return client is not None and self._in_process() is None and client.status != "running"

    def _task_count(self) -> int:
        scheduler = self._in_process()
        return self._tasks if scheduler is None else len(scheduler.tasks)

    def _serves_dashboard(self) -> bool:
        # Dask names a port in any case; a link must not lead nowhere.
        if self._preset.local:
            return bool(self._options.dashboard or self._preset.kwargs.get("dashboard_address"))
        return link_of(self._cluster) != ""

    def _dashboard(self) -> str:
        return (link_of(self._cluster) or "") if self._serves_dashboard() else ""


async def _try_to_close(close: Callable[[], Any] | None) -> None:
    try:
        result = close() if close is not None else None
        if inspect.isawaitable(result):
            await result
    except Exception:
        logger.debug("could not close %r", close, exc_info=True)
