"""Marks the graphs that Clients submit with the cell that is running.

Only a submission itself can tell which cell it is from: a second message could arrive before or after it. So the
stimulus of a graph, a text that Dask passes on to plugins, carries the number of the cell's execution. The source is
sent once per cell and Client, with the first graph. Submissions pay about 2 µs.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable
from time import time
from typing import TYPE_CHECKING, Any

from ..scheduler.collector.submission import CODE, MARK

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that `Client()` waits for the scheduler's answer: cells that run before it are described later.
PATIENCE = 0.05
#: Cells that are not described yet, of one client.
WAITING = 100
#: Nested executions (`get_ipython().run_cell` in a cell).
DEEPEST = 20

#: Sends the collector of a client a request, without waiting for the answer.
Tell = Callable[[str, str, dict[str, Any]], None]


class Cell:
    """One execution of a cell.

    Parameters
    ----------
    number : int
        Number of the execution in this kernel, from 1.
    info : object
        IPython's description of it.
    shown : int
        Number that the notebook shows, 0 if there is none.
    counted : int
        IPython's counter at its begin, 0 if it has no number.
    """

    def __init__(self, number: int, info: Any, shown: int, counted: int = 0) -> None:
        self.number, self.info, self.shown, self.counted = number, info, shown, counted
        #: Ids of the clients whose collector knows it.
        self.told: set[str] = set()

    def described(self, client: str, code: bool) -> dict[str, Any]:
        """What the collector is told."""
        source = getattr(self.info, "raw_cell", "") if code else ""
        return {
            "client": client,
            "cell": self.number,
            "shown": self.shown,
            "code": source[:CODE] if isinstance(source, str) else "",
            "id": str(getattr(self.info, "cell_id", None) or ""),
        }


class Cells:
    """Knows which cell of a kernel is running.

    Parameters
    ----------
    shell : object or None
        The kernel's shell.
    tell : callable
        Sends a request to the collector of a client.
    """

    def __init__(self, shell: Any, tell: Tell) -> None:
        self._shell, self._tell = shell, tell
        self._count = 0
        self._running: list[Cell] = []
        #: Whether the source of cells may be told.
        self.code = True
        #: By how much IPython's counter is ahead of the number of the cell that begins; None until a cell has ended.
        self._ahead: int | None = None
        #: The Client that was marked last.
        self._marked: weakref.ref[Client] | None = None
        #: By client, while its scheduler has not told whether it knows marks: the cells that it was marked with.
        self._waiting: dict[str, list[Cell]] = {}
        events = getattr(shell, "events", None)
        if events is not None:
            events.register("pre_run_cell", self._before)
            events.register("post_run_cell", self._after)

    def _before(self, info: Any = None) -> None:
        try:
            self._count += 1
            shown = self._number() if getattr(info, "store_history", False) else 0
            self._running = [*self._running[-DEEPEST:], Cell(self._count, info, shown, self._counter if shown else 0)]
        except Exception:
            logger.debug("a cell is not known", exc_info=True)

    @property
    def _counter(self) -> int:
        return int(getattr(self._shell, "execution_count", 0))

    def _number(self) -> int:
        """Number of the cell that begins. Newer releases of IPython have incremented their counter already."""
        count = self._counter
        if self._ahead is None:
            inputs = getattr(getattr(self._shell, "history_manager", None), "input_hist_raw", None)
            # Its first entry is of no cell.
            return min(count, len(inputs)) if inputs else count
        return count - self._ahead

    def _after(self, result: Any = None) -> None:
        info, running = getattr(result, "info", None), self._running
        ended = next((cell for cell in reversed(running) if cell.info is info), None)
        number = getattr(result, "execution_count", None)
        if ended is not None and ended.counted and isinstance(number, int):
            self._ahead = ended.counted - number
        # A cell that was interrupted may have no result.
        self._running = running[:-1] if ended is None else [cell for cell in running if cell is not ended]

    @property
    def running(self) -> Cell | None:
        """The cell that is running, None between cells; any thread."""
        running = self._running
        return running[-1] if running else None

    async def begin(self, session: Any) -> None:
        """Mark what the Client of a session submits, if its scheduler can tell marks; returns after 50 ms at the
        latest.
        """
        answer = session.spawn(self.begin_when_told(session))
        # A task that is cancelled before its first step runs nothing, not even what cleans up.
        answer.add_done_callback(lambda _: self._waiting.pop(session.key, None))
        await asyncio.wait({answer}, timeout=PATIENCE)

    def begin_early(self, client: Client) -> None:
        """Mark what a Client submits before `begin`: the cell that creates it often submits at once.

        To a scheduler that does not know marks they are a part of a name.
        """
        if "_send_to_scheduler" not in vars(client):
            self._waiting[client.id] = []
            self.mark(client)

    async def begin_when_told(self, session: Any) -> None:
        """The same as `begin`, but wait for the scheduler's answer."""
        told = None
        try:
            told = await session.ask("marks", {})
        except (RuntimeError, ValueError, OSError, asyncio.TimeoutError):
            # No collector, or an older one: computations are shown without their cells.
            logger.debug("graphs are not marked", exc_info=True)
        finally:
            client, waiting = session.client, self._waiting.pop(session.key, [])
            if told is not True and client is not None:
                vars(client).pop("_send_to_scheduler", None)
        if told is True and client is not None:
            self.mark(client)
            for cell in waiting:
                self._describe(cell, client.id)

    def mark(self, client: Client) -> None:
        """Mark what a Client submits from now on. Idempotent."""
        if "_send_to_scheduler" in vars(client):
            return
        # The Client must not refer to itself: it would live until the garbage collector runs.
        send_of, found, key = type(client)._send_to_scheduler, weakref.ref(client), client.id

        def send(message: Any) -> Any:
            try:
                if message.get("op") == "update-graph":
                    self._note(key, message)
            except Exception:
                logger.debug("a graph is not marked", exc_info=True)
            return send_of(found(), message)

        client._send_to_scheduler = send
        self._marked = weakref.ref(client)

    def end(self) -> None:
        """Mark nothing any more that the Client submits which `mark` was called for last."""
        client = self._marked() if self._marked is not None else None
        if client is not None:
            vars(client).pop("_send_to_scheduler", None)
        self._marked = None

    def _note(self, client: str, message: dict[str, Any]) -> None:
        cell = self.running
        if message.get("stimulus_id"):
            return
        message["stimulus_id"] = f"update-graph-{time()}" + MARK.format(cell.number if cell else 0, _size(message))
        waiting = self._waiting.get(client)
        if cell is not None and waiting is not None and cell not in waiting and len(waiting) < WAITING:
            waiting.append(cell)
        # The answer may have come meanwhile, on the Client's loop.
        if cell is not None and client not in self._waiting:
            self._describe(cell, client)

    def _describe(self, cell: Cell, client: str) -> None:
        """Tell the collector about a cell, once."""
        if client not in cell.told:
            cell.told.add(client)
            self._tell(client, "cell", cell.described(client, self.code))


def _size(message: dict[str, Any]) -> int:
    """Bytes of a graph as it is sent; 0 if they are not known."""
    frames = message.get("graph_frames") or getattr(message.get("expr_ser"), "frames", None) or ()
    return sum(getattr(frame, "nbytes", None) or len(frame) for frame in frames)
