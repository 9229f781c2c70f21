"""Marks the graphs that Clients submit with the execution of a cell that they are from.

An execution is known by its context (`contextvars`): that of its own code, of the asyncio tasks that it creates, and
of what it hands to other threads with its context, as `asyncio.to_thread` and `Client.sync` do. A thread that the cell
starts has none: it is known from its start, and counts for as long as the cell runs, since it may go on with the work
of others. Anything else has no cell: a thread of an earlier cell, a callback of a future.

Only a submission itself can show which cell it is from: a second message could arrive before or after it. So the
stimulus of a graph, a text that Dask passes on to plugins, carries the number of the cell's execution. The source is
sent once per cell and Client, with the first graph and its line, and again after a restart. Submissions pay about
4 µs, with the time of packing (`cell.packing`).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from time import time
from typing import TYPE_CHECKING, Any

from ..scheduler.collector.submission import CODE, MARK
from .cell import packing
from .cell.called import Line, note_line
from .cell.facts import key_of

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that `Client()` waits for the scheduler's answer: cells that run before it are described later.
PATIENCE = 0.05
#: Seconds until a question is asked again that was lost with the connection.
AGAIN = 1.0
#: Cells that are not described yet, of one client.
WAITING = 100
#: Nested executions (`get_ipython().run_cell` in a cell).
DEEPEST = 20

#: Attribute of a thread: the execution of a cell that started it.
_STARTED_IN = "_dask_panes_cell"

#: Sends the collector of a client a request, without waiting for the answer.
Notify = Callable[[str, str, dict[str, Any]], None]


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
        IPython's counter at its start, 0 if it has no number.
    outer : Cell or None
        The execution whose code runs this one.
    """

    def __init__(self, number: int, info: Any, shown: int, counted: int = 0, outer: Cell | None = None) -> None:
        self.number, self.info, self.shown, self.counted, self.outer = number, info, shown, counted, outer
        self.thread = threading.get_ident()
        self.running = True
        #: Connections of Clients to schedulers whose collector knows it.
        self.known_to = weakref.WeakSet[Any]()
        #: By client.
        self.lines: dict[str, Line] = {}

    def described(self, client: str, code: bool) -> dict[str, Any]:
        """What is reported to the collector."""
        source = getattr(self.info, "raw_cell", "") if code else ""
        return {
            "client": client,
            "cell": self.number,
            "shown": self.shown,
            "code": source[:CODE] if isinstance(source, str) else "",
            "id": str(getattr(self.info, "cell_id", None) or ""),
            "line": self.lines[client].number if code and client in self.lines else 0,
        }


#: The execution that the code of a context is from.
_EXECUTION: ContextVar[Cell | None] = ContextVar("dask_panes_execution", default=None)


def current() -> Cell | None:
    """The execution of a cell that the calling code is from, if that is certain; any thread."""
    cell = _EXECUTION.get()
    if cell is not None:
        # What it left behind in another thread, such as a Client's event loop, works for other cells, too.
        return cell if cell.running or cell.thread == threading.get_ident() else None
    if asyncio._get_running_loop() is not None:
        return None
    cell = getattr(threading.current_thread(), _STARTED_IN, None)
    return cell if cell is not None and cell.running else None


def _follow_threads() -> None:
    """Record for each new thread which execution of a cell started it. Idempotent."""
    start = threading.Thread.start
    if hasattr(start, _STARTED_IN):
        return

    @wraps(start)
    def noted(self: threading.Thread) -> None:
        cell = current()
        if cell is not None and _may_start(cell):
            setattr(self, _STARTED_IN, cell)
        start(self)

    setattr(noted, _STARTED_IN, None)
    threading.Thread.start = noted  # type: ignore[method-assign]


def _may_start(cell: Cell) -> bool:
    """Whether the calling thread is the cell's own, or one that it started."""
    here = threading.current_thread()
    return here.ident == cell.thread or getattr(here, _STARTED_IN, None) is cell


class Cells:
    """Knows which cells of a kernel run.

    Parameters
    ----------
    shell : object or None
        The kernel's shell.
    notify : callable
        Sends a request to the collector of a client.
    """

    def __init__(self, shell: Any, notify: Notify) -> None:
        self._shell, self._notify = shell, notify
        self._count = 0
        self._running: list[Cell] = []
        #: Whether the source of cells may be sent.
        self.code = True
        #: By how much IPython's counter is ahead of the number of the cell that begins; None until a cell has ended.
        self._ahead: int | None = None
        #: The Client that was marked last.
        self._marked: weakref.ref[Client] | None = None
        #: By client, while its scheduler has not reported whether it knows marks: the cells that it was marked with.
        self._waiting: dict[str, list[Cell]] = {}
        events = getattr(shell, "events", None)
        if events is not None:
            events.register("pre_run_cell", self._before)
            events.register("post_run_cell", self._after)
            _follow_threads()

    def _before(self, info: Any = None) -> None:
        try:
            self._count += 1
            shown = self._number() if getattr(info, "store_history", False) else 0
            outer = _EXECUTION.get()
            cell = Cell(self._count, info, shown, self._counter if shown else 0, outer)
            running = [*self._running, cell]
            for lost in running[:-DEEPEST]:
                lost.running, lost.outer = False, None
            self._running = running[-DEEPEST:]
            _EXECUTION.set(cell)
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
        if ended is None and running:
            # A cell that was interrupted may have no result.
            ended = running[-1]
        self._running = [cell for cell in running if cell is not ended]
        if ended is not None:
            ended.running = False
            # The code of a cell with `await` had a context of its own, which ends with it.
            if _EXECUTION.get() is ended:
                outer = ended.outer
                _EXECUTION.set(outer if outer is not None and outer.running else None)

    async def begin(self, session: Any) -> None:
        """Mark what the Client of a session submits, if its scheduler recognises marks; returns within 50 ms."""
        answer = session.spawn(self.begin_when_answered(session))
        # A task that is cancelled before its first step runs nothing, not even what cleans up.
        answer.add_done_callback(lambda _: self._waiting.pop(session.key, None))
        await asyncio.wait({answer}, timeout=PATIENCE)

    def begin_early(self, client: Client) -> None:
        """Mark what a Client submits before `begin`: the cell that creates it often submits at once.

        To a scheduler that does not know marks they are a part of a name.
        """
        if "_send_to_scheduler" not in vars(client):
            self._waiting[key_of(client)] = []
            self.mark(client)

    async def begin_when_answered(self, session: Any) -> None:
        """The same as `begin`, but wait for the scheduler's answer."""
        answer = None
        try:
            answer = await _knows_marks(session)
        except (RuntimeError, ValueError):
            # No collector, or an older one: computations are shown without their cells.
            logger.debug("graphs are not marked", exc_info=True)
        finally:
            client, waiting = session.client, self._waiting.pop(session.key, [])
            if answer is not True and client is not None:
                self._unmark(client)
        if answer is True and client is not None:
            self.mark(client)
            for cell in waiting:
                self._describe(cell, key_of(client), client)

    def mark(self, client: Client) -> None:
        """Mark what a Client submits from now on. Idempotent."""
        if "_send_to_scheduler" in vars(client):
            return
        # In a release without it, computations are shown without their cells.
        if (send_of := getattr(type(client), "_send_to_scheduler", None)) is None:
            return
        # The Client must not refer to itself: it would live until the garbage collector runs.
        found, key = weakref.ref(client), key_of(client)

        def send(message: Any) -> Any:
            sender = found()
            try:
                if message.get("op") == "update-graph" and not message.get("stimulus_id"):
                    self._note(key, message, sender)
            except Exception:
                logger.debug("a graph is not marked", exc_info=True)
            return send_of(sender, message)

        send.marks_cells = True  # type: ignore[attr-defined]
        client._send_to_scheduler = send
        packing.begin(client)
        self._marked = weakref.ref(client)

    def end(self) -> None:
        """Stop marking what the Client submits for which `mark` was last called."""
        client = self._marked() if self._marked is not None else None
        if client is not None:
            self._unmark(client)
        self._marked = None

    def _unmark(self, client: Client) -> None:
        if hasattr(vars(client).get("_send_to_scheduler"), "marks_cells"):
            del client._send_to_scheduler
        packing.end(client)

    def _note(self, client: str, message: dict[str, Any], sender: Client | None) -> None:
        cell = current()
        mark = MARK.format(cell.number if cell else 0, packing.size(message))
        message["stimulus_id"] = f"update-graph-{time()}{packing.mark()}{mark}"
        if cell is not None:
            note_line(cell, client, sender, getattr(self._shell, "user_ns", None))
        waiting = self._waiting.get(client)
        if cell is not None and waiting is not None and cell not in waiting and len(waiting) < WAITING:
            waiting.append(cell)
        # The answer may have come meanwhile, on the Client's loop.
        if cell is not None and client not in self._waiting:
            self._describe(cell, client, sender)

    def _describe(self, cell: Cell, client: str, sender: Client | None) -> None:
        """Report a cell to the collector, once for each connection: after its loss, another scheduler may be there."""
        connection = getattr(sender, "scheduler_comm", None) or sender
        if connection not in cell.known_to:
            cell.known_to.add(connection)
            self._notify(client, "cell", cell.described(client, self.code))


async def _knows_marks(session: Any) -> Any:
    """Whether the scheduler knows marks. A connection that is lost says nothing about it: it is asked again."""
    while True:
        try:
            return await session.ask("marks", {})
        except (OSError, asyncio.TimeoutError):
            logger.debug("the scheduler was not asked whether it knows marks", exc_info=True)
            await asyncio.sleep(AGAIN)
