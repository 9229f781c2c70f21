"""The collector: records what the scheduler does, and answers long polls with what a reader lacks.

This is its life: registered, replaced by a newer version, notified by Dask, closed. What it keeps and serves is in
`parts`; the transition hook in `hook`; the work of each tick in `upkeep`; the answers in `polls` and `questions`.

Guarantees: nothing is raised into the scheduler or its log; the history survives every further client, and a newer
version of this code; `close` leaves no timer or task, and of its handlers one that answers nothing. Cost: the
transition hook records seven values and the computation of each finished task; everything else happens in batches, four
times per second or on a read.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from distributed.comm import get_address_host
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.metrics import time

from .duties import run_at_once
from .faults import guarded
from .hook import make_hook
from .meta import ended_in
from .parts import RING_ROWS, Parts
from .polls import Polls
from .questions import Questions
from .reach import Reach
from .submission import Submission, observe
from .takeover import ALL, LAYOUT, begin_again, take_over, version_of
from .task import Tasks
from .topic import TICK
from .upkeep import Upkeep

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Version of the frame schema that this collector fills.
PROTOCOL = 1
#: Names in the scheduler, including the protocol: two versions do not disturb each other.
PLUGIN_NAME = f"dask-panes-{PROTOCOL}"
READ_HANDLER = f"dask_panes_read_{PROTOCOL}"
ASK_HANDLER = f"dask_panes_ask_{PROTOCOL}"


class Collector(Parts, SchedulerPlugin):  # type: ignore[misc]
    """Keeps the history, counts and series of one scheduler and serves them to any number of kernels.

    Parameters
    ----------
    ring_rows : int, optional
        Number of executions kept.
    intervals : dict of str to float, optional
        Minimum seconds between two answers with a topic to one reader, overriding the topics' defaults.
    version : tuple of int
        Protocol and version of its package.
    code : bool
        Whether source code of computations is kept.

    Notes
    -----
    ``idempotent``: the first registration stays, a later one of the same name changes nothing, so the history
    survives every further kernel.
    """

    idempotent = True
    name = PLUGIN_NAME

    def __init__(
        self,
        ring_rows: int = RING_ROWS,
        intervals: dict[str, float] | None = None,
        version: tuple[int, ...] = (),
        code: bool = True,
    ) -> None:
        #: Compared when another version registers.
        self.version = tuple(version)
        self.layout = LAYOUT
        super().__init__(ring_rows, intervals or {}, self.version, code)
        self.upkeep = Upkeep(self)
        self.polls = Polls(self, self.upkeep)
        self._questions = Questions(self, self.upkeep.settle, self._remove)
        self._ticker: asyncio.TimerHandle | None = None
        self._options: dict[str, Any] = {"ring_rows": ring_rows, "intervals": intervals, "code": code}

    # -- life ---------------------------------------------------------------------------------------------------

    async def start(self, scheduler: Scheduler) -> None:
        """Start; called by the scheduler at registration."""
        self.scheduler, self.started = scheduler, time()
        self.idleness.end()
        older = scheduler.plugins.get(self.name)
        restarted = set(ALL) if older is None else await self._replace(older)
        self.reach = Reach(scheduler, self.names)
        if "history" in restarted:
            self.earlier = self.faults.guard("earlier history", "count", lambda: ended_in(scheduler), 0)
        self.faults.guard("prefixes", "begin", lambda: self.prefixes.begin(scheduler, "prefixes" in restarted), None)
        if older is None:
            self.faults.guard("activities", "begin", lambda: self.activities.begin(scheduler), None)
        for ws in scheduler.workers.values():
            if "workers" in restarted or self.workers.of(self.names.worker_at(ws.address)) is not ws:
                self.workers.begin(scheduler, ws)
        self.attempts.begin(scheduler.workers.values())
        self.clocks.note(scheduler.workers)
        self.faults.guard("errors", "begin", lambda: self.errors.begin(scheduler), None)
        self.faults.guard("shuffles", "begin", lambda: self.shuffles.begin(scheduler), None)
        self.halted.mark_earlier(scheduler.tasks, self.marked)
        self.graph.begin(scheduler.tasks)
        self.computations.begin(scheduler.tasks)
        self.tasks = Tasks(scheduler, self.names, self.graph, self.history, self.marked, self.looks)
        self._hook = make_hook(scheduler, self)
        self.transition = self._hook
        scheduler.handlers[READ_HANDLER] = self.read
        scheduler.handlers[ASK_HANDLER] = self.ask
        self._wait_for_tick()

    async def _replace(self, older: Any) -> set[str]:
        """Replace an older collector, in one turn of the event loop; returns the parts that start over.

        Raises
        ------
        RuntimeError
            The other one is newer.
        """
        if version_of(older) > self.version:
            raise RuntimeError("dask_panes: the scheduler has a newer collector")
        restarted = list(ALL)
        try:
            older.drain()
            restarted = take_over(self, older)
            run_at_once(older.close())
        except Exception as error:
            self.faults.note("earlier history", error)
        self.scheduler.plugins.pop(self.name, None)
        if restarted:
            self.meta.not_carried = (
                "A newer version of Dask Panes has replaced an older one on the scheduler. Not taken over, and shown "
                f"only from then on: {', '.join(restarted)}."
            )
        return set(restarted)

    def _wait_for_tick(self) -> None:
        # A timer and not a task: nothing has to be awaited when it ends.
        self._ticker = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _tick(self) -> None:
        if self.closed:
            return
        if self._was_removed():
            run_at_once(self.close())
            return
        self._wait_for_tick()
        self.upkeep.tick()
        if self.names.used_up:
            self.faults.guard("names", "begin", lambda: run_at_once(self._begin_again()), None)

    def _was_removed(self) -> bool:
        """Whether it is no longer a plugin: `Client.unregister_scheduler_plugin` does not notify it."""
        return self.scheduler.plugins.get(self.name) is not self

    async def _begin_again(self) -> None:
        await begin_again(self, Collector(version=self.version, **self._options))

    async def close(self) -> None:
        """Undo everything; when the scheduler closes, and by `ask("remove")`. Suspends at its end, if at all."""
        if self.closed:
            return
        handlers = self.scheduler.handlers
        for handler, method in ((READ_HANDLER, self.read), (ASK_HANDLER, self.ask)):
            if handlers.get(handler) == method:
                # Without a handler, each request of a kernel that does not know would be a traceback in the
                # scheduler's log. It may ask at any time, so this stays until another collector is there.
                handlers[handler] = _gone
        self.reach.leave()
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None
        for part in (self.held, self.bandwidth, self.groups, self.prefixes, self.activities, self.computations.claims):
            part.stop()
        # No more requests can arrive: waiting readers receive the final state.
        self.upkeep.finish()
        self.closed = True
        self.pace.end()
        await self.hardware.end()

    async def _remove(self) -> None:
        self.scheduler.plugins.pop(self.name, None)
        await self.close()

    # -- what Dask calls ----------------------------------------------------------------------------------------

    @guarded("graph")
    def update_graph(self, scheduler: Scheduler, *, tasks: list[Any], **kwargs: Any) -> None:
        # Releases differ in the other arguments; in all of them, tasks are already linked when this is called.
        now = time()
        self.pace.release()
        guard = self.faults.guard
        computation = guard("computations", "submit", lambda: self._submit(observe(kwargs, tasks), tasks, now), None)
        guard("shuffles", "expect", lambda: self.shuffles.expect(scheduler, tasks), None)
        self.arrive(tasks, now, computation)

    def _submit(self, submission: Submission, tasks: list[Any], now: float) -> int | None:
        found = self.computations.submit(submission, tasks, now)
        return found if self.computations.is_identified(found) else None

    @guarded("clients")
    def add_client(self, scheduler: Scheduler, client: str) -> None:
        self.pace.release()

    @guarded("clients")
    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        self.pace.leave(client)

    @guarded("workers")
    def add_worker(self, scheduler: Scheduler, worker: str) -> None:
        self.drain()
        self.workers.add(scheduler.workers[worker], time())
        self.clocks.join(scheduler.workers[worker])
        self.stir()

    @guarded("workers")
    def remove_worker(self, scheduler: Scheduler, worker: str, **kwargs: Any) -> None:
        self.drain()
        if (lost := self.workers.at(worker)) is not None:
            if _is_process_beside(scheduler, worker):
                self.pace.doubt()
            self.attempts.lose(lost, kwargs.get("stimulus_id"))
            self.reach.forget(self.names.worker_at(worker))
        self.workers.remove(worker)
        self.running.leave(worker)
        self.stir()

    @guarded("restart")
    def restart(self, scheduler: Scheduler) -> None:
        self.drain()
        # The scheduler clears its tasks without a transition.
        self.marked.clear()
        self.restart_parts()
        self.epoch += 1
        self.stir()

    @guarded("events")
    def log_event(self, topic: str, msg: Any) -> None:
        self.hear(topic, msg)

    # -- what kernels ask ---------------------------------------------------------------------------------------

    async def read(
        self,
        reader: str,
        feed: str = "",
        epoch: int = -1,
        cursor: dict[str, int] | None = None,
        topics: list[str] | None = None,
        timeout: float = 0.0,
        beside: bool = False,
    ) -> dict[str, Any]:
        """Answer as soon as a topic has news for this reader, at most once per interval, at the latest after
        `timeout`.

        Parameters
        ----------
        reader : str
            Name of the reader: rates are per reader.
        feed, epoch : str, int
            What the cursor belongs to; with another feed or epoch the reader starts over.
        cursor : dict, optional
            Position of the reader, from the last answer.
        topics : list of str, optional
            Topics wanted; unknown ones are skipped.
        timeout : float
            Seconds to wait for news, at most 30.
        beside : bool
            Whether the reader shares this event loop, so that reading costs no RPC.

        Returns
        -------
        dict
            ``{feed, epoch, time, cursor, names, topics, readers}``; ``topics`` is empty after a time-out, ``readers``
            is the number of reading kernels.
        """
        return await self.polls.read(reader, feed, epoch, cursor, topics, timeout, beside)

    async def ask(self, name: str, args: dict[str, Any] | None = None) -> Any:
        """Answer one query, or carry out one action: see `Questions.ask`. None after it was removed."""
        if self._ticker is not None and self._was_removed():
            # It no longer observes what runs, so even the position of the end would be wrong.
            await self.close()
            return None
        return await self._questions.ask(name, args)


def _is_process_beside(scheduler: Scheduler, worker: str) -> bool:
    """Whether a worker is a process of the scheduler's host, as all are that a kernel may have started."""
    return not worker.startswith("inproc:") and get_address_host(worker) == get_address_host(scheduler.address)


async def _gone(**kwargs: Any) -> None:
    """Answers requests to a removed collector, as a scheduler without one would."""
