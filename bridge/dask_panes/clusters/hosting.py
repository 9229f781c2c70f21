"""One life of a hosted cluster: started, monitored and ended on a separate event loop.

Unless Dask's configuration names another class, the cluster is a ``LocalCluster`` that listens on the loopback
interface only and speaks TLS with credentials that exist for it. Its workers are children of the kernel: Dask ends them
when it dies, whatever kills it. Other classes do it their way.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import threading
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, TimeoutError
from time import monotonic, time
from typing import Any, Literal

from ..kernel.cell.scaling import MOST_WORKERS
from ..kernel.presets import preset
from . import connection
from .figures import NOTHING
from .hosted import Hosted
from .options import ClusterOptions
from .rules import RULES

logger = logging.getLogger(__name__)

State = Literal["empty", "starting", "running", "closing", "closed", "failed"]

#: Seconds between two checks of the cluster.
_TICK = 1.0
#: Seconds for which a request waits for the class; after that it goes on by itself.
_PATIENCE = 5.0
#: Characters of an exception's text on a card.
_LONGEST = 2000
_LONGEST_TRACEBACK = 50_000
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
    main : asyncio.AbstractEventLoop, optional
        The loop of the kernel's main thread.
    """

    def __init__(
        self, active: Callable[[], None], interval: float = 60.0, main: asyncio.AbstractEventLoop | None = None
    ) -> None:
        self._active, self._interval, self._main_loop = active, interval, main
        self._lock = threading.Lock()
        self._state: State = "empty"
        self._since = time()
        self._error = ""
        self._problem = ""
        self._options: ClusterOptions | None = None
        self._hosted: Hosted | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._first: asyncio.Task[str] | None = None
        self._thread: threading.Thread | None = None

    # -- requests ------------------------------------------------------------------------------------------------

    def start(self, options: ClusterOptions) -> None:
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
                raise RuntimeError("This kernel already hosts a cluster")
            self._options = options
            self._error = self._problem = ""
            self._become("starting")
            self._thread = threading.Thread(target=self._main, args=(options,), name="dask-panes-host", daemon=True)
        self._thread.start()

    def scale(self, workers: int) -> None:
        """Request a number of workers; ends adaptive scaling. Like `adapt`, it waits for the class some seconds."""
        self._act(lambda hosted: hosted.scale(workers))

    def adapt(self, minimum: int, maximum: int) -> None:
        """Let Dask choose the number of workers by the load."""
        self._act(lambda hosted: hosted.adapt(minimum, maximum))

    @property
    def most(self) -> int:
        """The greatest number of workers to ask for: those of a `LocalCluster` are processes of this machine."""
        options = self._options
        return RULES["mostWorkers"] if options is None or preset(options.preset).local else MOST_WORKERS

    def stop(self) -> None:
        """Begin to end the cluster, or its start."""
        with self._lock:
            if self._state not in ("starting", "running"):
                return
            self._become("closing")
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._give_up)

    def join(self, timeout: float) -> None:
        """Wait until a cluster that was stopped has ended."""
        if self._thread is not None:
            self._thread.join(timeout)

    def facts(self) -> dict[str, Any]:
        """Content of a card; nothing in it is secret."""
        options, hosted, state = self._options, self._hosted, self._state
        silent = hosted.problem if hosted is not None and state == "running" else ""
        return {
            "state": state,
            "since": self._since,
            "name": options.name if options is not None else "",
            "error": self._error,
            "problem": silent or self._problem,
            "client": hosted.client if hosted is not None else "",
            **(hosted.figures() if hosted is not None else NOTHING),
        }

    # -- the cluster's own thread ---------------------------------------------------------------------------------

    def _become(self, state: State) -> None:
        self._state = state
        self._since = time()

    def _main(self, options: ClusterOptions) -> None:
        # `stop` cancels the task, perhaps before its first line.
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._host(options))

    def _give_up(self) -> None:
        # A cluster that is closing already must not be interrupted: it would never end.
        if self._task is not None:
            self._task.cancel()

    async def _host(self, options: ClusterOptions) -> None:
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
            self._error = traceback.format_exc()[-_LONGEST_TRACEBACK:]
        finally:
            self._task = None
            await self._close()
            with self._lock:
                self._loop = None
                self._become(outcome)

    async def _open(self, options: ClusterOptions) -> None:
        # After Dask's own, which must not find the cluster open: what is registered last is called first.
        import distributed  # noqa: F401

        atexit.register(end, self)
        self._hosted = hosted = Hosted(preset(options.preset), options, self._main_loop)
        await hosted.open()
        with self._lock:
            if self._state == "starting":
                self._become("running")
        # The class may take minutes for it; meanwhile the cluster is watched.
        self._first = asyncio.create_task(self._attempt(hosted.first_workers()))

    async def _watch(self) -> None:
        """Until the cluster ends or `stop` was called, report periodically that it is in use."""
        hosted, reported_at = self._hosted, -self._interval
        # Before Python 3.12, `asyncio.wait_for`, of Dask or of ours, loses a cancellation that comes together with what
        # it waits for.
        while hosted is not None and not hosted.over and self._state == "running":
            hosted.renew()
            await hosted.look()
            if hosted.busy and monotonic() - reported_at >= self._interval:
                reported_at = monotonic()
                self._active()
            await asyncio.sleep(min(_TICK, self._interval))

    async def _close(self) -> None:
        hosted, self._hosted = self._hosted, None
        if hosted is not None:
            await hosted.close()

    async def _attempt(self, request: Coroutine[Any, Any, None]) -> str:
        """Carry out a request to the class; what it raises is shown on the card, and returned."""
        problem = self._problem = ""
        try:
            await request
        except Exception as error:
            problem = self._problem = f"{type(error).__name__}: {error}"[:_LONGEST]
        return problem

    def _act(self, request: Callable[[Hosted], Coroutine[Any, Any, None]]) -> None:
        with self._lock:
            loop, hosted = self._loop, self._hosted
            if self._state != "running" or loop is None or hosted is None:
                raise RuntimeError("The cluster is not running")
        done = asyncio.run_coroutine_threadsafe(self._attempt(request(hosted)), loop)
        # So that the answer includes the request where the class is quick. Others take minutes, such as batch systems.
        problem = ""
        try:
            problem = done.result(_PATIENCE)
        except CancelledError:
            raise RuntimeError("The cluster is being shut down") from None
        except TimeoutError:
            pass
        if problem:
            raise RuntimeError(problem)


def end(host: Host) -> None:
    """The kernel exits: close the cluster and remove its file."""
    host.stop()
    host.join(_EXIT_PATIENCE)
