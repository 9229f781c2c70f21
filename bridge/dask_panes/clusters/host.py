"""The cluster of a hosting kernel: started, monitored and ended on a separate event loop.

The kernel has no document; the browser creates it for this cluster and communicates over the control channel
(requests ``host.*``, ``docs/feed.md``). Everything listens on the loopback interface only and speaks TLS with
credentials that exist for this cluster. The workers are children of the kernel: Dask ends them when it dies, whatever
kills it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import inspect
import logging
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future, TimeoutError
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Literal

from ..kernel.cell.scaling import checked_bounds, checked_workers, machine_memory, stop_adapting
from . import connection
from .options import Options
from .rules import RULES

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

    from ..kernel.channel.call import Call

logger = logging.getLogger(__name__)

State = Literal["empty", "starting", "running", "closing", "closed", "failed"]

#: Seconds between two checks of the cluster.
_TICK = 1.0
#: Maximum workers of a hosted cluster: all are processes of this machine.
_MOST: int = RULES["mostWorkers"]
#: Timeout of the cluster's event loop for a request, seconds.
_PATIENCE = 5.0
#: Seconds by which closing the cluster may delay the kernel's exit; Jupyter kills a kernel after five.
_EXIT_PATIENCE = 4.0


class Host:
    """One cluster and its facts. All methods may be called from any thread but the cluster's own.

    Parameters
    ----------
    active : callable
        Called periodically while the scheduler has tasks: the kernel is in use though it runs no cell.
    interval : float
        Seconds between two calls of `active`.
    """

    def __init__(self, active: Callable[[], None], interval: float = 60.0) -> None:
        self._active, self._interval = active, interval
        self._lock = threading.Lock()
        self._state: State = "empty"
        self._since = time()
        self._error = ""
        self._options: Options | None = None
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._connection: connection.Connection | None = None
        self._adaptive: tuple[int, int] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None

    # -- requests ------------------------------------------------------------------------------------------------

    def start(self, options: Options) -> None:
        """Begin to start a cluster; `facts` reports the progress.

        Raises
        ------
        FileExistsError
            A running cluster has the name.
        RuntimeError
            This kernel already hosts one.
        """
        connection.refuse_taken(options.name)
        with self._lock:
            if self._state in ("starting", "running", "closing"):
                raise RuntimeError("This kernel hosts a cluster already")
            self._options = options
            self._error = ""
            self._become("starting")
            self._thread = threading.Thread(target=self._main, args=(options,), name="dask-panes-host", daemon=True)
        self._thread.start()

    def scale(self, workers: int) -> None:
        """Request a number of workers; ends adaptive scaling."""
        self._adaptive = None

        def scale(cluster: LocalCluster) -> None:
            # An adaptive cluster undoes a requested number within seconds.
            stop_adapting(cluster)
            cluster.scale(workers)

        self._on_loop(scale)

    def adapt(self, minimum: int, maximum: int) -> None:
        """Let Dask choose the number of workers by the load."""
        self._adaptive = (minimum, maximum)
        self._on_loop(lambda cluster: cluster.adapt(minimum=minimum, maximum=maximum))

    def stop(self) -> None:
        """Begin to end the cluster, or its start."""
        with self._lock:
            if self._state not in ("starting", "running"):
                return
            self._become("closing")
            loop, task = self._loop, self._task
        if loop is not None and task is not None:
            loop.call_soon_threadsafe(task.cancel)

    def join(self, timeout: float) -> None:
        """Wait until a cluster that was stopped has ended."""
        if self._thread is not None:
            self._thread.join(timeout)

    def facts(self) -> dict[str, Any]:
        """Content of a card; nothing in it is secret."""
        options, client = self._options, self._client
        return {
            "state": self._state,
            "since": self._since,
            "name": options.name if options is not None else "",
            "error": self._error,
            "client": client.id if client is not None else "",
            "adaptive": list(self._adaptive) if self._adaptive is not None else None,
            **self._figures(),
        }

    def _figures(self) -> dict[str, Any]:
        cluster = self._cluster
        scheduler: Any = getattr(cluster, "scheduler", None)
        if cluster is None or not hasattr(scheduler, "workers"):
            nothing = {"workers": 0, "asked": 0, "threads": 0, "memory": 0, "machine": 0}
            return {**nothing, "tasks": 0, "clients": 0, "dashboard": ""}
        # Copied in one step: the scheduler's event loop changes them meanwhile.
        workers = list(scheduler.workers.values())
        own = {"fire-and-forget", self._client.id if self._client is not None else ""}
        return {
            "workers": len(workers),
            "asked": len(cluster.worker_spec),
            "threads": sum(worker.nthreads for worker in workers),
            "memory": sum(worker.memory_limit or 0 for worker in workers),
            "machine": machine_memory(),
            "tasks": len(scheduler.tasks),
            "clients": len([name for name in list(scheduler.clients) if name not in own]),
            "dashboard": cluster.dashboard_link if self._options is not None and self._options.dashboard else "",
        }

    # -- the cluster's own thread ---------------------------------------------------------------------------------

    def _become(self, state: State) -> None:
        self._state = state
        self._since = time()

    def _main(self, options: Options) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._host(options))

    async def _host(self, options: Options) -> None:
        with self._lock:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            stopped = self._state != "starting"
        outcome: State = "closed"
        try:
            if not stopped:
                await self._open(options)
                await self._watch()
        except asyncio.CancelledError:
            # Requested by `stop`.
            pass
        except BaseException:
            outcome = "failed"
            self._error = traceback.format_exc()
        finally:
            await self._close()
            with self._lock:
                self._loop = self._task = None
                self._become(outcome)

    async def _open(self, options: Options) -> None:
        from distributed import Client, LocalCluster
        from distributed.security import Security

        # After Dask's own, which must not find the cluster open: what is registered last is called first.
        atexit.register(_end, self)
        security = Security.temporary()
        self._cluster = LocalCluster(asynchronous=True, security=security, **_arguments(options))
        await self._cluster
        # Panes of the cluster itself use this client; it must not become the default of code that runs here.
        self._client = await Client(self._cluster, asynchronous=True, set_as_default=False)
        keys = security.get_tls_config_for_role("client")
        self._connection = connection.of_this_process(
            options.name, self._cluster.scheduler_address, keys["cert"], keys["key"], bool(options.dashboard)
        )
        connection.publish(self._connection)
        with self._lock:
            if self._state == "starting":
                self._become("running")

    async def _watch(self) -> None:
        """Until the cluster ends, report periodically that it is in use."""
        assert self._cluster is not None
        told = -self._interval
        while self._cluster.status.name == "running":
            if self._cluster.scheduler.tasks and monotonic() - told >= self._interval:
                told = monotonic()
                self._active()
            await asyncio.sleep(min(_TICK, self._interval))

    async def _close(self) -> None:
        """End everything; a failing step does not prevent the next."""
        if self._connection is not None:
            connection.withdraw(self._connection)
        for part in (self._client, self._cluster):
            try:
                if part is not None:
                    await part.close()
            except Exception:
                logger.debug("could not close %r", part, exc_info=True)
        self._connection = self._client = self._cluster = None
        self._adaptive = None

    def _on_loop(self, act: Callable[[LocalCluster], Any]) -> None:
        with self._lock:
            loop, cluster = self._loop, self._cluster
            if self._state != "running" or loop is None or cluster is None:
                raise RuntimeError("The cluster is not running")
        done: Future[None] = Future()

        def run() -> None:
            try:
                act(cluster)
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(None)

        loop.call_soon_threadsafe(run)
        # So that the answer includes the request, and the caller receives an error from Dask.
        try:
            done.result(_PATIENCE)
        except TimeoutError:
            raise RuntimeError(f"The cluster is busy: it has not answered for {_PATIENCE:.0f} s") from None


def _arguments(options: Options) -> dict[str, Any]:
    """The arguments of ``LocalCluster`` except its credentials."""
    arguments: dict[str, Any] = {
        "name": options.name,
        "n_workers": options.workers,
        "threads_per_worker": options.threads,
        "host": "127.0.0.1",
        "protocol": "tls://",
        # Dask serves something in any case; at its default port, the user's next cluster would report the port as
        # taken.
        "dashboard_address": options.dashboard or "127.0.0.1:0",
        "scheduler_kwargs": {"dashboard": bool(options.dashboard)},
    }
    if options.memory is not None:
        arguments["memory_limit"] = options.memory
    return arguments


_host: Host | None = None


def serve() -> None:
    """Answer the requests ``host.*`` in this kernel. Idempotent.

    Raises
    ------
    RuntimeError
        Not in a kernel with a control channel.
    """
    global _host
    if _host is not None:
        return
    from ..kernel.activate import channel, install

    install()
    found = channel()
    if found is None:
        raise RuntimeError("Only a Jupyter kernel with a control channel (ipykernel 6 or later) can host a cluster")
    host = _host = Host(found.mark_active, _interval())
    _end_with(found.kernel, host)

    def answer(act: Callable[[Mapping[str, Any]], object]) -> Callable[[Call], None]:
        def handle(call: Call) -> None:
            try:
                act(call.arguments)
            except (ValueError, FileExistsError, RuntimeError) as error:
                # Messages for users, displayed as they are.
                call.fail(str(error))
            else:
                call.reply({"value": host.facts()})

        return handle

    found.handle("host.state", answer(lambda _: None))
    found.handle("host.start", answer(lambda given: host.start(Options.read(given))))
    found.handle("host.scale", answer(lambda given: host.scale(checked_workers(given.get("workers"), most=_MOST))))
    found.handle("host.adapt", answer(lambda given: host.adapt(*checked_bounds(given, _MOST))))
    found.handle("host.stop", answer(lambda _: host.stop()))


def _interval() -> float:
    """Seconds between two signs of activity (``dask-panes.hosting.activity-interval``)."""
    import dask
    from dask.utils import parse_timedelta

    return float(parse_timedelta(dask.config.get("dask-panes.hosting.activity-interval", "60s")))


def _end_with(kernel: Any, host: Host) -> None:
    """End the cluster when the kernel is asked to shut down, before ipykernel ends all child processes.

    A worker that ipykernel ends is restarted by its nanny; the kernel would loop until Jupyter kills it.
    """
    given = kernel.do_shutdown

    async def do_shutdown(restart: bool) -> Any:
        await asyncio.to_thread(_end, host)
        content = given(restart)
        return await content if inspect.isawaitable(content) else content

    kernel.do_shutdown = do_shutdown


def _end(host: Host) -> None:
    """The kernel exits: close the cluster and remove its file."""
    host.stop()
    host.join(_EXIT_PATIENCE)
