"""Gathers workers' own data (profiles, transfers, log lines) for one recording.

A recording has separate sources from those of the session: it begins at its block's start and requests nothing
earlier, while the panes' sources also include the past. Everything here runs on the Client's event loop.

It begins and ends when the next heartbeat of each worker has arrived: after that the scheduler knows what a worker did
up to then. Never call ``Worker.heartbeat``: a worker where a heartbeat begins before another one has read all metrics,
some of which wait, closes itself, and Dask guards only its own heartbeats against each other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from time import monotonic
from typing import Any

from ...kernel.gather.probe import SCHEDULER, Probe, WorkerReach
from ...kernel.gather.sources import Source
from ...kernel.gather.topics import make_sources

logger = logging.getLogger(__name__)

CLOCK = Probe.of("clock", "dask_panes.kernel.gather.probes", "clock.py")
#: Part of the time for the last read in which heartbeats have to arrive; seconds between two looks.
HEARD, LOOK = 0.9, 0.1

#: Receives bodies by topic, as in a frame.
Emit = Callable[[dict[str, Any]], None]


class Gathering:
    """The sources of one recording.

    Parameters
    ----------
    reach : WorkerReach
        Asks the workers.
    emit : callable
        Receives new data.
    topics : iterable of str
        Topics that are wanted; those without a source are skipped.

    Attributes
    ----------
    unread : dict of int to str
        Errors, by id of the worker that did not answer its last request.
    late : dict of int to str
        The same for workers that did not answer at the start.
    unheard : set of int
        Workers that answered at the end, but whose next heartbeat did not arrive.
    unheard_first : set of int
        The same at the start.
    refusal : str
        Why no worker took the last request, so that no heartbeat was waited for; else an empty text.
    refusal_first : str
        The same at the start.
    looked : int
        Number of topics with a completed final read, of all `topics`.
    """

    def __init__(self, reach: WorkerReach, emit: Emit, topics: Iterable[str]) -> None:
        wanted = set(topics)
        self._sources = [source for source in make_sources() if source.topic in wanted]
        self._reach, self._emit = reach, emit
        self._positions: dict[str, int] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._begun: list[asyncio.Task[None]] = []
        self._ending = asyncio.Event()
        #: Topics that have begun.
        self._standing: set[str] = set()
        self.unread: dict[int, str] = {}
        self.late: dict[int, str] = {}
        self.unheard = set[int]()
        self.unheard_first = set[int]()
        self.refusal = ""
        self.refusal_first = ""
        self.looked = 0

    @property
    def topics(self) -> frozenset[str]:
        """Topics gathered here."""
        return frozenset(source.topic for source in self._sources)

    async def begin(self, patience: float) -> None:
        """Begin at this moment; work that takes longer than `patience` (seconds) continues in the background."""
        clocks, self.unread, self.refusal = await clocks_of(self._reach, patience)
        self.late, self.refusal_first = dict(self.unread), self.refusal
        self.unheard_first, _ = await asyncio.gather(unheard(self._reach, clocks, patience), self._begin_all(patience))

    async def _begin_all(self, patience: float) -> None:
        # Installing a probe logs a line on the worker: lines are counted from after that.
        ordered = sorted(self._sources, key=lambda source: source.topic == "logs")
        for logs in (False, True):
            begun = [asyncio.create_task(self._start(source)) for source in ordered if (source.topic == "logs") is logs]
            self._begun += begun
            await self._at_most(begun, patience)
        self._tasks = [
            asyncio.create_task(self._watch(source, begun)) for source, begun in zip(ordered, self._begun, strict=True)
        ]

    async def _at_most(self, tasks: list[asyncio.Task[None]], seconds: float) -> None:
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _start(self, source: Source) -> None:
        try:
            await source.begin(self._reach)
            self._standing.add(source.topic)
        except Exception:
            # It begins with the next attempt: a read without a start would include the past.
            logger.debug("%s did not begin", source.topic, exc_info=True)

    async def _watch(self, source: Source, begun: asyncio.Task[None]) -> None:
        await begun
        while not self._ending.is_set():
            try:
                await asyncio.wait_for(self._ending.wait(), source.interval)
                break
            except asyncio.TimeoutError:
                await self._look(source)

    async def _look(self, source: Source, last: bool = False) -> None:
        if source.topic not in self._standing:
            await self._start(source)
        try:
            if source.topic not in self._standing:
                raise RuntimeError("the workers could not be asked")
            await source.look(self._reach, last)
        except Exception as error:
            self._fail(source, error, last)
        self._emit_of(source, last)
        self.looked += last

    def _emit_of(self, source: Source, last: bool = False) -> None:
        """Emit new data of a source; what fails must not end the watching, nor be printed below the user's cell."""
        try:
            self.emit_new(source)
        except Exception as error:
            self._fail(source, error, last)

    def _fail(self, source: Source, error: Exception, last: bool) -> None:
        logger.debug("could not look for %s", source.topic, exc_info=error)
        if last:
            self.unread.setdefault(SCHEDULER, str(error) or type(error).__name__)

    async def everything(self, patience: float) -> None:
        """Instead of `begin` and `end`: gather everything that servers have, once.

        What the scheduler has of the workers stays as old as their last heartbeats.
        """
        self._standing.update(self.topics)
        await self._end(self._read(), patience)

    async def end(self, patience: float) -> None:
        """Read everything one last time, within `patience` seconds."""
        await self._end(self._last(patience), patience)

    async def _end(self, work: Coroutine[Any, Any, None], patience: float) -> None:
        self._ending.set()
        task = asyncio.create_task(work)
        try:
            _, waiting = await asyncio.wait({task}, timeout=patience)
        except asyncio.CancelledError:
            task.cancel()
            raise
        for left in (*waiting, *self._tasks, *self._begun):
            left.cancel()
        await asyncio.gather(*waiting, *self._tasks, *self._begun, return_exceptions=True)
        if waiting:
            self.unread.setdefault(SCHEDULER, f"no answer within {patience:g} s")

    async def _last(self, patience: float) -> None:
        until = monotonic() + patience * HEARD
        # Workers that do not answer must not cost the others their last look.
        clocks, self.unread, self.refusal = await clocks_of(self._reach, patience / 2)
        # Where the read takes too long, this is what is left.
        self.unheard = set(clocks)
        self.unheard, _ = await asyncio.gather(unheard(self._reach, clocks, until - monotonic()), self._read())

    async def _read(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self._look(source, last=True) for source in self._sources))
        for source in self._sources:
            self.unread.update(source.unread)

    def stop(self) -> None:
        """Stop reading, whatever is missing."""
        self._ending.set()
        for task in (*self._tasks, *self._begun):
            task.cancel()

    def again(self) -> None:
        """The reader starts over: it receives everything again."""
        self._positions.clear()
        for source in self._sources:
            self._emit_of(source)

    def emit_new(self, source: Source) -> None:
        """Emit new data of a source; an empty state is sent once."""
        topic = source.topic
        while self._positions.get(topic, -1) < source.end:
            body, after = source.read(self._positions.get(topic, 0))
            self._positions[topic] = after
            self._emit({topic: body})


async def clocks_of(reach: WorkerReach, patience: float) -> tuple[dict[int, float], dict[int, str], str]:
    """The time of each worker that may have something to report, by its own clock; within `patience` seconds.

    Returns
    -------
    dict of int to float, dict of int to str, str
        Times by id of ``names.workers``, none if the cluster is idle; errors of workers that did not answer; why none
        takes requests, else an empty text.
    """
    try:
        answers = await asyncio.wait_for(reach.workers(CLOCK, insist=True), patience)
    except Exception:
        logger.debug("no clocks", exc_info=True)
        return {}, {}, ""
    # In the time after which a cluster counts as idle, all workers have sent heartbeats.
    clocks = {} if answers.idle else {server: each["time"] for server, each in answers.of.items() if "time" in each}
    return clocks, dict(answers.failed), answers.refusal


async def unheard(reach: WorkerReach, clocks: Mapping[int, float], patience: float) -> set[int]:
    """Wait for a heartbeat of each worker that began after its time of `clocks`.

    Returns
    -------
    set of int
        Workers of which none has arrived within `patience` seconds.
    """
    left, until = set(clocks), monotonic() + patience
    try:
        while left:
            left = set(await reach.collector("heartbeats", {"since": [[server, clocks[server]] for server in left]}))
            if left and monotonic() + LOOK > until:
                break
            await asyncio.sleep(LOOK if left else 0)
    except Exception:
        # An older collector does not know the request.
        logger.debug("no heartbeats", exc_info=True)
    return left
