"""The collector: records what the scheduler does, and answers long polls with what a reader lacks.

Cost: the transition hook records seven values per finished task; everything else happens in batches, four times per
second or on a read. Nothing is computed for topics without subscribers, except the series.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import dask
import distributed
from distributed.core import Status
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.metrics import time

from .activities import Activities
from .attempts import Attempts
from .bandwidth import Bandwidth
from .clock import cpu_time
from .clocks import Clocks
from .events import Events
from .faults import Faults
from .graph import LIMIT as GRAPH_LIMIT
from .graph import Graph, watching
from .groups import Groups
from .held import Held
from .history import FIELDS, History
from .memory_samples import MemorySamples
from .names import Names
from .pace import Pace, Reader
from .plain import plain
from .prefixes import Prefixes
from .questions import Questions
from .reach import Reach
from .running import Running
from .series import STEP, Series, WorkerSeries, sample, sample_cluster
from .takeover import CARRIED as PARTS
from .takeover import LAYOUT, take_over, version_of
from .task import Tasks
from .workers import Workers

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Version of the frame schema that this collector fills.
PROTOCOL = 1
#: Names in the scheduler, including the protocol: two versions do not disturb each other.
PLUGIN_NAME = f"dask-panes-{PROTOCOL}"
READ_HANDLER = f"dask_panes_read_{PROTOCOL}"
ASK_HANDLER = f"dask_panes_ask_{PROTOCOL}"

#: Executions kept on the scheduler (about 45 bytes each).
RING_ROWS = 1_000_000
#: Rows per read.
READ_ROWS = 16_384
#: Minimum seconds between two answers with rows of tasks or events to one reader.
PROMPT = 0.05
#: A few rows are sent sooner: a slow stream is shown at once, a fast one in frames large enough for their envelope.
SOON = 0.02
FEW_ROWS = 20
#: Seconds between two scans.
TICK = 0.25
#: Rows of workers per second to one reader, about 130 B each: on a busy cluster all rows change within a tick, and
#: thousands of workers at that rate would be most of the traffic, and more than a user can read.
WORKER_ROWS = 1500
#: Seconds between two scans of all task groups: a thousand cost 0.3 ms.
GROUPS_INTERVAL = 1.0
#: Seconds without a transition after which the cluster counts as idle.
IDLE_AFTER = 10.0
#: Values of pending executions beyond which the ring is written at once and not with the next tick or read.
BATCH = 2_000 * FIELDS
#: CPU seconds of a tick in one turn of the event loop, and of building an answer.
TURN = 2e-3
ANSWER = 4e-3
#: Maximum pause of a topic after it was sent in many parts, seconds.
LONGEST_DEBT = 5.0
#: Workers sampled in one go.
SAMPLED = 200
#: Seconds for which late requests to a removed collector are answered.
LATE = 5.0
#: Maximum duration of a long poll, seconds: proxies see traffic.
LONGEST_POLL = 30.0


class Topic(NamedTuple):
    """How one topic is served."""

    #: Minimum seconds between two answers with it to one reader.
    interval: float
    #: The newest position: a reader with this cursor lacks nothing.
    end: Callable[[], int]
    #: Receives a cursor; returns the body of what a reader there lacks, and the cursor after it.
    read: Callable[[int], tuple[dict[str, Any], int]]
    #: Scans the scheduler for changes: with the tick, at most once per interval, while a reader wants the topic.
    scan: Callable[[], None] | None = None
    #: Called when the first reader wants the topic, and when the last one leaves.
    watch: Callable[[bool], None] | None = None


def _hook(part: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A method that Dask calls: its errors are recorded as a fault of a part."""

    def decorate(method: Callable[..., None]) -> Callable[..., None]:
        @wraps(method)
        def guarded(self: Collector, *args: Any, **kwargs: Any) -> None:
            try:
                method(self, *args, **kwargs)
            except Exception as error:
                self.faults.note(part, error)

        return guarded

    return decorate


class Collector(SchedulerPlugin):  # type: ignore[misc]
    """Keeps the history, counts and series of one scheduler and serves them to any number of kernels.

    Parameters
    ----------
    ring_rows : int, optional
        Number of executions kept.
    intervals : dict of str to float, optional
        Minimum seconds between two answers with a topic to one reader, overriding the topics' defaults.
    version : tuple of int
        Protocol and version of its package.

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
    ) -> None:
        #: Compared when another version registers.
        self.version = tuple(version)
        self.layout = LAYOUT
        self.ring_rows = ring_rows
        self.feed = os.urandom(8).hex()
        self.epoch = 0
        self.names = Names()
        self.history = History(self.names, ring_rows)
        self.clocks = Clocks(self.names)
        self.workers = Workers(self.names)
        self.prefixes = Prefixes(self.names, lambda error: self.faults.note("prefixes", error))
        self.running = Running(self.names)
        self.attempts = Attempts(self.names)
        self.held = Held(self.names, self.wake, lambda error: self.faults.note("held", error))
        self.series = Series()
        self.worker_series = WorkerSeries()
        self.events = Events()
        self.memory_samples = MemorySamples()
        self.bandwidth = Bandwidth(self.names, lambda error: self.faults.note("bandwidth", error))
        self.activities = Activities()
        self.groups = Groups(self.names, lambda error: self.faults.note("groups", error))
        self.graph = Graph(self.names, self.groups, self.prefixes.episodes.arrive)
        #: Notes of executions that are not in the ring yet, flat, and which of them failed.
        self._pending: list[Any] = []
        self._failed: list[int] = []
        self._waiting: list[asyncio.Future[bool]] = []
        #: Remaining work of the newest tick, in slices.
        self._duties: deque[Iterator[None]] = deque()
        self._on_duty = False
        #: Keys that have erred, or were released before they ran ("cancelled"), for their later `forgotten`
        #: transition.
        self._marked: dict[Any, str] = {}
        self.pace = Pace()
        self.faults = Faults()
        self._questions = Questions(self)
        self._scanned: dict[str, float] = {}
        self._watched: frozenset[str] = frozenset()
        self._graph_works = False
        self._closed = False
        self._meta: dict[str, Any] = {}
        self._meta_version = 0
        self.idle_since: float | None = None
        self._transitions = -1
        self._changed_at = 0.0
        self._next_sample = 0.0
        self._ticker: asyncio.TimerHandle | None = None
        #: Data of an older collector that could not be taken over, as a message; or an empty text.
        self._not_carried = ""
        self.topics = self._serve()
        for name, seconds in (intervals or {}).items():
            if name in self.topics:
                self.topics[name] = self.topics[name]._replace(interval=seconds)

    def _serve(self) -> dict[str, Topic]:
        """Every topic, by its name in the schema: to add one, add a line."""
        return {
            "tasks": Topic(PROMPT, self._tasks_end, lambda cursor: self.history.read(cursor, READ_ROWS)),
            "workers": Topic(
                TICK,
                lambda: self.workers.version,
                lambda cursor: self.workers.read(self.scheduler, cursor),
                lambda: self.workers.scan(self.scheduler, self.idle_since is not None),
            ),
            "running": Topic(
                PROMPT,
                lambda: self.running.version,
                self.running.read,
                lambda: self.running.scan(self.scheduler),
                self.running.watch,
            ),
            "attempts": Topic(TICK, lambda: self.attempts.version, self.attempts.read),
            "prefixes": Topic(
                TICK,
                lambda: self.prefixes.end,
                self.prefixes.read,
                lambda: self.prefixes.scan(self.scheduler),
            ),
            "held": Topic(
                TICK,
                lambda: self.held.end,
                self.held.read,
                lambda: self.held.scan(self.scheduler),
            ),
            "series": Topic(STEP, lambda: self.series.end, self.series.read),
            "events": Topic(PROMPT, lambda: self.events.end, self.events.read),
            "bandwidth": Topic(
                STEP,
                lambda: self.bandwidth.end,
                self.bandwidth.read,
                lambda: self.bandwidth.scan(self.scheduler),
            ),
            "activities": Topic(
                STEP,
                lambda: self.activities.version,
                self.activities.read,
                lambda: self.activities.scan(self.scheduler, self.idle_since is not None),
            ),
            "memory_samples": Topic(TICK, lambda: self.memory_samples.end, self.memory_samples.read),
            "graph": Topic(TICK, lambda: self.graph.position, self.graph.read),
            "states": Topic(
                TICK,
                lambda: self.graph.version,
                self.graph.read_states,
                self.graph.publish,
                self._watch_states,
            ),
            "groups": Topic(
                GROUPS_INTERVAL,
                lambda: self.groups.end,
                self.groups.read,
                lambda: self.groups.scan(
                    self.scheduler.task_groups, self.scheduler.transition_counter, len(self.scheduler.tasks)
                ),
            ),
            "meta": Topic(
                TICK,
                lambda: self._meta_version,
                lambda cursor: ({"c": {}, "s": self._meta}, self._meta_version),
                self._note_meta,
            ),
        }

    # -- life ---------------------------------------------------------------------------------------------------

    async def start(self, scheduler: Scheduler) -> None:
        """Start; called by the scheduler at registration."""
        self.scheduler = scheduler
        self.started = self._changed_at = time()
        older = scheduler.plugins.get(self.name)
        anew = set(PARTS) if older is None else await self._replace(older)
        self.reach = Reach(scheduler, self.names)
        if "history" in anew:
            self.earlier = sum(
                prefix.state_counts["memory"] + prefix.state_counts["erred"]
                for prefix in scheduler.task_prefixes.values()
            )
        if "prefixes" in anew:
            self.prefixes.begin(scheduler)
        if older is None:
            self.activities.begin(scheduler)
        for ws in scheduler.workers.values():
            if "workers" in anew or self.workers.of(self.names.worker_at(ws.address)) is not ws:
                self.workers.add(ws)
        self.clocks.note(scheduler.workers)
        self.graph.begin(scheduler.tasks)
        self.tasks = Tasks(scheduler, self.names, self.graph, self.history)
        self._hook = self._make_hook(scheduler)
        self.transition: Callable[..., None] = self._hook
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
        anew = list(PARTS)
        try:
            older.drain()
            anew = take_over(self, older)
            if "names" not in anew:
                # The same feed, which readers start over: version numbers have changed.
                self.feed, self.epoch = older.feed, older.epoch + 1
            if "history" not in anew:
                self.earlier, self.started = older.earlier, older.started
                self._marked.update(older._marked)
            await older.close()
        except Exception as error:
            self.faults.note("earlier history", error)
        self.scheduler.plugins.pop(self.name, None)
        if anew:
            self._not_carried = (
                "A newer version of Dask Panes has replaced an older one on the scheduler. Not taken over, and shown "
                f"from then on only: {', '.join(anew)}."
            )
        return set(anew)

    async def close(self) -> None:
        """Undo everything; called when the scheduler closes, and by `ask("remove")`. Does not suspend."""
        if self._closed:
            return
        handlers = self.scheduler.handlers
        for handler, method in ((READ_HANDLER, self.read), (ASK_HANDLER, self.ask)):
            if handlers.get(handler) == method:
                # Pending requests get no answer; without a handler each would be a warning in the scheduler's log,
                # with a traceback.
                handlers[handler] = _gone
        if self.scheduler.status == Status.running:
            asyncio.get_running_loop().call_later(LATE, _forget_handlers, handlers)
        self.reach.leave()
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None
        for part in (self.held, self.bandwidth, self.groups, self.prefixes):
            part.stop()
        # No more requests can arrive: waiting readers receive the final state.
        self._duties.clear()
        self._scanned.clear()
        for duty in self._scans(time()):
            for _ in duty:
                pass
        self._closed = True
        for reader in self.pace.readers.values():
            if reader.future is not None:
                _resolve(reader.future)

    # -- hooks --------------------------------------------------------------------------------------------------

    def _make_hook(self, scheduler: Scheduler) -> Callable[..., None]:
        """The transition hook as a closure: half the cost of a method that looks its attributes up."""
        tasks = scheduler.tasks
        pending = self._pending
        note = pending.extend
        failed = self._failed
        waiting = self._waiting
        forget, forget_of_group = self.prefixes.forget, self.groups.forget
        touched = self.prefixes.episodes.touched
        gone = self.graph.gone.append
        ends = self.graph.ends
        # Nearly always empty: most tasks cost only a comparison or two.
        marked = self._marked
        # Empty while there is no subscriber to the topic.
        running = self.running.rows_of
        ended = self.running.end
        left = self.attempts.leave
        give_up = self.attempts.give_up

        def transition(
            key: Any,
            start: str,
            finish: str,
            stimulus_id: str | None = None,
            worker: str | None = None,
            nbytes: int | None = None,
            typename: str | None = None,
            type: bytes | None = None,
            metadata: Any = None,
            run_id: int | None = None,
            thread: int | None = None,
            startstops: list[dict[str, Any]] | None = None,
            **kwargs: Any,
        ) -> None:
            try:
                if running and key in running:
                    ended(key)
                if startstops:
                    if start == "processing":
                        if finish == "erred":
                            failed.append(len(pending) // FIELDS)
                            marked[key] = "erred"
                        elif marked:
                            marked.pop(key, None)
                        note((key, tasks[key], worker, thread, startstops, nbytes, typename))
                        if waiting:
                            self.wake()
                        if len(pending) >= BATCH:
                            self.drain()
                elif finish == "released":
                    if start == "processing":
                        left(tasks[key], stimulus_id)
                    if start != "memory" and start != "erred":
                        ts = tasks[key]
                        touched[ts.prefix.name] = None
                        if ts.nbytes < 0:
                            marked[key] = "cancelled"
                elif finish == "erred":
                    if start == "processing":
                        give_up(tasks[key], stimulus_id)
                    marked[key] = "erred"
                    touched[tasks[key].prefix.name] = None
                elif finish == "forgotten":
                    ts = tasks[key]
                    gone(ts)
                    if marked and key in marked:
                        ends[key] = marked.pop(key)
                        forget(ts.prefix.name, ends[key])
                        forget_of_group(ts.group, ends[key])
                elif marked and key in marked and marked[key] == "cancelled":
                    del marked[key]
            except Exception as error:
                self.faults.note("transitions", error)

        return transition

    # Dask writes a plugin's exceptions into the scheduler's log; for a cluster in a kernel, that is below the user's
    # cell.

    @_hook("graph")
    def update_graph(self, scheduler: Scheduler, *, tasks: list[Any], **kwargs: Any) -> None:
        # Releases differ in the other arguments; in all of them, tasks are already linked when this is called.
        self.graph.submit(list(tasks), time())
        self._work_on_graph()

    @_hook("workers")
    def add_worker(self, scheduler: Scheduler, worker: str) -> None:
        self.drain()
        self.workers.add(scheduler.workers[worker])
        self.clocks.join(scheduler.workers[worker])
        self._stir()

    @_hook("workers")
    def remove_worker(self, scheduler: Scheduler, worker: str, **kwargs: Any) -> None:
        self.drain()
        lost = self.workers.at(worker)
        if lost is not None:
            self.attempts.lose(lost, kwargs.get("stimulus_id"))
        self.workers.remove(worker)
        self.running.leave(worker)
        self._stir()

    @_hook("restart")
    def restart(self, scheduler: Scheduler) -> None:
        self.drain()
        # The scheduler clears its tasks without a transition.
        self._marked.clear()
        self.prefixes.restart()
        self.running.clear()
        self.attempts.restart()
        self.graph.restart()
        self.groups.restart()
        self.held.restart()
        self.epoch += 1
        self._stir()

    @_hook("events")
    def log_event(self, topic: str, msg: Any) -> None:
        if self.events.add(time(), topic, msg):
            self.wake()

    # -- upkeep -------------------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Write the recorded executions into the ring."""
        if self._pending:
            notes, failed = self._pending[:], self._failed[:]
            self._pending.clear()
            self._failed.clear()
            self.history.extend(notes, failed)
            executed = (notes[1::FIELDS], notes[4::FIELDS], failed, time())
            self.faults.guard("prefixes", "note", lambda: self.prefixes.episodes.ended(*executed), None)

    def _work_on_graph(self) -> None:
        """Process the graph in slices between the scheduler's other events, until it is done."""
        if not self._graph_works:
            self._graph_works = True
            asyncio.get_running_loop().call_soon(self._step_graph)

    def _step_graph(self) -> None:
        self._graph_works = False
        if not self._closed and self.faults.guard("graph", "step", self.graph.step, False):
            self._work_on_graph()

    def _watch_states(self, on: bool) -> None:
        self.graph.watch(on)
        self.transition = watching(self._hook, self.graph.moved) if on else self._hook
        self._work_on_graph()

    def wake(self) -> None:
        """Scan for readers."""
        waiting = self._waiting[:]
        self._waiting.clear()
        for future in waiting:
            if not future.done():
                future.set_result(False)

    def _stir(self) -> None:
        """Something happened: the cluster is not idle."""
        self._changed_at = time()
        self.idle_since = None
        self.wake()

    def _wait_for_tick(self) -> None:
        # A timer and not a task: nothing has to be awaited when it ends.
        self._ticker = asyncio.get_running_loop().call_later(TICK, self._tick_again)

    def _tick_again(self) -> None:
        if self._closed:
            return
        if self.scheduler.plugins.get(self.name) is not self:
            # `Client.unregister_scheduler_plugin` does not notify the plugin.
            _run_at_once(self.close())
            return
        self._wait_for_tick()
        self._tick()

    def _tick(self) -> None:
        now = time()
        guard = self.faults.guard
        self.drain()
        self.attempts.settle()
        if self.graph.busy:
            self._look_after_graph()
        guard("idleness", "look", lambda: self._note_activity(now), None)
        self.pace.forget(now - 2 * LONGEST_POLL)
        if self.names.must_renew_groups:
            guard("groups", "renumber", self._renew_groups, None)
        if not self._duties:
            self._duties.append(self._once("prefixes", "look", lambda: self.prefixes.episodes.settle(now)))
            # Not only for readers: a finished run is gone from the scheduler.
            self._duties.append(self._once("memory_samples", "scan", lambda: self.memory_samples.scan(self.scheduler)))
            if now >= self._next_sample and self.faults.rest("series") <= 0:
                self._next_sample = max(self._next_sample + STEP, now)
                sampling = guard("series", "sample", lambda: self._sample(now), None)
                self._duties.extend([sampling] if sampling is not None else [])
        # A new subscription does not wait for a tick in progress.
        self._duties.extend(self._scans(now))
        self._go_on()

    def _renew_groups(self) -> None:
        """After a million groups, indices start over, and readers with them."""
        less = self.names.renew_groups()
        self.graph.renumber_groups(less)
        self.groups.renumber(less)
        self.epoch += 1

    def _once(self, part: str, what: str, call: Callable[[], None]) -> Iterator[None]:
        """A duty that is done in one go."""
        self.faults.guard(part, what, call, None)
        yield

    def _go_on(self) -> None:
        """Do the work of a tick, yielding to the scheduler in between."""
        begin = cpu_time()
        while self._duties:
            duty = self._duties[0]
            try:
                over = next(duty, duty) is duty
            except Exception as error:
                self.faults.note("series", error)
                over = True
            if over:
                self._duties.popleft()
            if cpu_time() - begin > TURN:
                break
        if self._duties:
            if not self._on_duty:
                self._on_duty = True
                asyncio.get_running_loop().call_soon(self._go_on_later)
        else:
            self.wake()

    def _go_on_later(self) -> None:
        self._on_duty = False
        if not self._closed:
            self._go_on()

    async def _done(self) -> None:
        """Wait until the newest tick is complete."""
        while self._duties and not self._closed:
            await asyncio.sleep(0)

    def _look_after_graph(self) -> None:
        if self.faults.rest("graph") <= 0:
            self._work_on_graph()
        elif len(self.graph.gone) > GRAPH_LIMIT:
            # The hook's records must not pile up while the graph is suspended.
            self.graph.gone.clear()
            self.graph.ends.clear()

    def _scans(self, now: float) -> list[Iterator[None]]:
        """Duties: scan for changes in the topics that have readers."""
        duties = []
        wanted = self.pace.wanted()
        if wanted != self._watched:
            self._watched ^= {name for name in wanted ^ self._watched if self._watch(name, name in wanted)}
        for name in wanted:
            topic = self.topics[name]
            # A tick may be slightly early: an interval is a number of ticks.
            if topic.scan is not None and now - self._scanned.get(name, 0.0) > topic.interval - TICK / 2:
                self._scanned[name] = now
                duties.append(self._once(name, "scan", topic.scan))
        return duties

    def _watch(self, name: str, on: bool) -> bool:
        """Tell a topic whether it has readers; returns whether that succeeded."""
        watch = self.topics[name].watch
        return watch is None or self.faults.guard(name, "watch", lambda: (watch(on), True)[1], False)

    def _note_activity(self, now: float) -> None:
        scheduler = self.scheduler
        moved = scheduler.transition_counter != self._transitions
        self._transitions = scheduler.transition_counter
        waiting = scheduler.queued or scheduler.unrunnable or self._graphs_read()
        if moved or waiting or any(w.processing for w in scheduler.workers.values()):
            self._changed_at = now
            self.idle_since = None
        elif self.idle_since is None and now - self._changed_at > IDLE_AFTER:
            self.idle_since = self._changed_at

    def _graphs_read(self) -> int:
        """Number of graphs that the scheduler is unpacking and ordering: up to minutes without a transition."""
        return int(getattr(self.scheduler, "_active_graph_updates", 0))

    def _sample(self, now: float) -> Iterator[None]:
        """Sample the figures of all workers, in slices."""
        self.faults.guard("clocks", "look", lambda: self.clocks.note(self.scheduler.workers), None)
        yield
        workers = list(self.scheduler.workers.values())
        rows: dict[int, tuple[str, tuple[float, ...]]] = {}
        for i in range(0, len(workers), SAMPLED):
            rows.update(sample(workers[i : i + SAMPLED], self.names))
            yield
        limit = sum(ws.memory_limit or 0 for ws in workers)
        before = self.series.end
        self.series.add(sample_cluster(now, list(rows.values())), limit, self.idle_since is not None)
        yield
        if self.series.end != before:
            self.worker_series.add(now, {found: values for found, (_, values) in rows.items()})

    async def settle(self, seconds: float) -> None:
        """Complete all sliced and sampled work up to now, within a number of seconds."""
        deadline = time() + seconds
        walks = [self.prefixes.walk, self.groups.walk, self.held.walk, self.bandwidth.walk]

        async def settled() -> None:
            while time() < deadline and (self.graph.busy or any(walk.walking for walk in walks)) and not self._closed:
                self._work_on_graph()
                await asyncio.sleep(0.005)

        self._note_activity(time())
        await settled()
        # A walk in progress may have passed data that has changed since it began.
        for walk in walks:
            walk.forgive()
        for topic in ("prefixes", "groups", "held", "bandwidth"):
            scan = self.topics[topic].scan
            if scan is not None:
                scan()
        await settled()
        self.graph.publish()
        self.memory_samples.scan(self.scheduler)
        for _ in self._sample(time()):
            await asyncio.sleep(0)

    def hurry(self) -> None:
        """Send all readers what they lack now, not at their next turn."""
        for reader in self.pace.readers.values():
            reader.sent.clear()
            if reader.future is not None:
                reader.wake()

    def _note_meta(self) -> None:
        config = dask.config.get
        meta = {
            "address": self.scheduler.address,
            "id": self.scheduler.id,
            "started": self.started,
            "earlier_tasks": self.earlier,
            "idle_since": self.idle_since,
            "reading": self._graphs_read(),
            "ring_rows": self.ring_rows,
            "python": ".".join(map(str, sys.version_info[:3])),
            "versions": {"dask": dask.__version__, "distributed": distributed.__version__},
            "thresholds": {
                name: config(f"distributed.worker.memory.{name}", None) or None
                for name in ("target", "spill", "pause", "terminate")
            },
            "profile": {
                "interval": str(config("distributed.worker.profile.interval", "")),
                "cycle": str(config("distributed.worker.profile.cycle", "")),
            },
            "problems": self._problems(),
            "collector": list(self.version),
        }
        meta = plain(meta)
        if meta != self._meta:
            self._meta = meta
            self._meta_version += 1

    def _problems(self) -> list[str]:
        """Messages for users about anything not as it should be."""
        told = [*([self._not_carried] if self._not_carried else []), *self.faults.told()]
        if self.history.refused:
            told.append(
                f"{self.history.refused} executions are not shown: what Dask told of them could not be read "
                f"({self.history.refusal})."
            )
        return told

    # -- reading ------------------------------------------------------------------------------------------------

    def _tasks_end(self) -> int:
        return self.history.end + len(self._pending) // FIELDS

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
        state = self.pace.reader(reader)
        wanted = [topic for topic in topics or () if topic in self.topics]
        fresh = frozenset(wanted) - state.wanted
        state.seen, state.wanted = time(), frozenset(wanted)
        if fresh:
            # A new subscription must not wait for the next tick.
            for topic in fresh:
                self._scanned.pop(topic, None)
            self._tick()
            await self._done()
        state.polls, state.beside = state.polls or timeout > 0, beside
        deadline = time() + (0.0 if state.woken else min(timeout, LONGEST_POLL))
        state.woken = False
        where = dict(cursor or {}) if feed == self.feed and epoch == self.epoch else {}
        began = self.epoch
        while True:
            state.seen = now = time()
            if began != self.epoch:
                where, began = {}, self.epoch
            if self._closed:
                # The scheduler closes: this is the last answer, regardless of the rate.
                last = [topic for topic in wanted if self._end(topic, where) != where.get(topic, -1)]
                return self._answer(last, where, state, now)
            due, wait = self._due(wanted, where, state, now)
            if due or now >= deadline:
                return self._answer(due, where, state, now)
            if await self._news(state, min(wait, deadline - now)):
                deadline = 0.0

    async def ask(self, name: str, args: dict[str, Any] | None = None) -> Any:
        """Answer one query, or carry out one action: see `Questions.ask`."""
        return await self._questions.ask(name, args)

    def _due(self, wanted: list[str], where: dict[str, int], state: Reader, now: float) -> tuple[list[str], float]:
        """Topics to send now, and how long to wait if there are none."""
        due: list[str] = []
        wait = LONGEST_POLL
        floor, dear = self.pace.floors()
        for topic in wanted:
            if self.faults.rest(topic) > 0:
                wait = min(wait, self.faults.rest(topic))
                continue
            end = self._end(topic, where)
            # A first request for a topic is answered even if it is empty.
            if end == where.get(topic, -1):
                state.cut.discard(topic)
                continue
            interval = self._interval(topic)
            if interval == PROMPT and topic == "tasks" and end - where.get(topic, 0) < FEW_ROWS:
                interval = SOON
            rest = state.sent.get(topic, 0.0) + max(interval, dear.get(topic, floor)) - now
            if rest <= 0 or topic not in where or topic in state.cut or self._behind(topic, where):
                due.append(topic)
            else:
                wait = min(wait, rest)
        return due, wait

    def _end(self, topic: str, where: dict[str, int]) -> int:
        """The newest position of a topic; for a failing one, that of the reader, which then receives nothing."""
        return self.faults.guard(topic, "end", self.topics[topic].end, where.get(topic, -1))

    def _interval(self, topic: str) -> float:
        """Minimum seconds between two answers with a topic to one reader."""
        least = self.topics[topic].interval
        return max(least, len(self.scheduler.workers) / WORKER_ROWS) if topic == "workers" else least

    def _behind(self, topic: str, where: dict[str, int]) -> bool:
        """A reader that catches up with the ring is not rate-limited: it would never finish."""
        return topic == "tasks" and self._tasks_end() - where.get(topic, 0) >= READ_ROWS

    async def _news(self, state: Reader, timeout: float) -> bool:
        """Wait; returns whether the reader recalled its poll (`ask("wake")`)."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        timer = loop.call_later(max(timeout, 0.001), _resolve, future)
        # Within the interval nothing can be sent: a wake-up is only useful after it.
        if timeout > max(self.pace.interval, PROMPT):
            self._waiting.append(future)
        state.future = future
        try:
            await future
        finally:
            state.future = None
            timer.cancel()
            if future in self._waiting:
                self._waiting.remove(future)
        return future.result()

    def _answer(self, due: list[str], where: dict[str, int], state: Reader, now: float) -> dict[str, Any]:
        begin, dear = cpu_time(), 0.0
        self.drain()
        names, whole = self.names.since(where, state.wanted)
        if not whole:
            # Rows are sent after the names they refer to; a frame has at least one topic.
            due = ["meta"]
        bodies: dict[str, Any] = {}
        # Longest-waiting topics first, so that no other blocks one.
        for topic in sorted(due, key=lambda topic: state.sent.get(topic, 0.0)):
            before = cpu_time()
            if bodies and before - begin > ANSWER:
                # The others follow with the next answer, soon.
                state.cut.add(topic)
                continue
            told = self.faults.guard(topic, "read", partial(self.topics[topic].read, where.get(topic, 0)), None)
            if told is None:
                continue
            bodies[topic], where[topic] = told
            # Parts sent in sequence are charged when all have been sent.
            paid = state.sent.get(topic, 0.0) + self.pace.interval if topic in state.cut else 0.0
            state.sent[topic] = min(max(now, paid), now + LONGEST_DEBT)
            if where[topic] < self._end(topic, where):
                state.cut.add(topic)
            else:
                state.cut.discard(topic)
            # The cost of a table depends on its rows; a history costs more for a while when a reader catches up.
            if self.topics[topic].scan is not None:
                cost = cpu_time() - before
                dear += cost if self.pace.note_table(topic, cost) else 0.0
        answer = {
            "feed": self.feed,
            "epoch": self.epoch,
            "time": now,
            "names": names,
            "cursor": where,
            "topics": bodies,
            "readers": len(self.pace.readers),
        }
        self.pace.note_answer(cpu_time() - begin - dear)
        return answer


async def _gone(**kwargs: Any) -> None:
    """Answers late requests to a removed collector for a while, as a scheduler without one would."""


def _forget_handlers(handlers: dict[str, Any]) -> None:
    for handler in (READ_HANDLER, ASK_HANDLER):
        if handlers.get(handler) is _gone:
            del handlers[handler]


def _run_at_once(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that does not suspend."""
    with suppress(StopIteration):
        coroutine.send(None)


def _resolve(future: asyncio.Future[bool]) -> None:
    if not future.done():
        future.set_result(False)
