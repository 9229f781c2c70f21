"""The parts of a collector and the table of the topics that they fill.

Guarantees: every part is here under the name by which a collector of another version finds it (`takeover`); all
parts share one dictionary of names, one list of faults and one pace. Parts know each other only through their
arguments, so each can be read, and tested, alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from distributed.metrics import time

from .activities import Activities
from .attempts import Attempts
from .bandwidth import Bandwidth
from .clocks import Clocks
from .computations import Computations
from .duties import Steps
from .errors import Errors
from .events import Events
from .executed import Executed
from .faults import Faults
from .graph import Graph, watching
from .groups import Groups
from .halted import Halted
from .hardware import Hardware
from .held import Held
from .history import History
from .idleness import Idleness
from .looks import Looks
from .memory_samples import MemorySamples
from .meta import Meta
from .names import Names
from .notes import Notes
from .pace import Pace
from .prefixes import Prefixes
from .reach import Reach
from .running import Running
from .series import STEP, Series
from .shuffles import Shuffles
from .steals import Steals
from .task import Tasks
from .topic import GROUPS_INTERVAL, PROMPT, TASK_ROWS, TICK, Topic
from .wants import Wants
from .worker_series import WorkerSeries
from .workers import Workers

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Executions kept on the scheduler (about 45 bytes each).
RING_ROWS = 1_000_000


class Parts:
    """What a collector keeps.

    Parameters
    ----------
    ring_rows : int
        Number of executions kept.
    intervals : dict of str to float
        Minimum seconds between two answers with a topic to one reader, overriding the topics' defaults.
    version : tuple of int
        Protocol and version of its package.
    code : bool
        Whether source code of computations is kept.

    Attributes
    ----------
    feed, epoch : str, int
        What positions of readers belong to.
    started : float
        Time of the first registration, seconds.
    earlier : int
        Tasks that had ended before it; 0 after a restart of the scheduler.
    marked : dict
        Keys with a mark of the module `marks`: those that erred, were released before they ran, or run again.
    topics : dict
        Every topic by its name in the schema.
    closed : bool
        Whether nothing is recorded any more.
    """

    #: Set at the start.
    scheduler: Scheduler
    reach: Reach
    tasks: Tasks
    #: Called by the scheduler for each transition; while the topic `states` has readers, it also notes moved tasks.
    transition: Callable[..., None]
    _hook: Callable[..., None]

    def __init__(self, ring_rows: int, intervals: dict[str, float], version: tuple[int, ...], code: bool) -> None:
        self.feed = os.urandom(8).hex()
        self.epoch = 0
        self.started = time()
        self.earlier = 0
        self.closed = False
        self.faults = Faults()
        self.pace = Pace()
        self.names = Names()
        self.history = History(self.names, ring_rows)
        self.clocks = Clocks(self.names)
        self.looks = Looks()
        self.workers = Workers(self.names, self.looks)
        self.halted = Halted()
        self.prefixes = Prefixes(
            *(self.names, self._failed("prefixes"), self.halted),
            lambda: (self.notes.end, self.notes.counted),
        )
        self.running = Running(self.names)
        self.errors = Errors(self.names, self.workers.at)
        self.marked: dict[Any, str] = {}
        self.attempts = Attempts(self.names, self.errors.retry, self.marked, lambda: self.scheduler.workers)
        self.held = Held(self.names, self.wake, self._failed("held"))
        self.series = Series()
        self.worker_series = WorkerSeries()
        self.events = Events()
        self.memory_samples = MemorySamples()
        self.steals = Steals(self.names)
        self.shuffles = Shuffles(self.names)
        self.bandwidth = Bandwidth(self.names, self._failed("bandwidth"))
        self.activities = Activities(self._failed("activities"))
        self.hardware = Hardware(self.names, self.wake)
        self.groups = Groups(self.names, self._failed("groups"), self.halted)
        self.graph = Graph(
            *(self.names, self.groups, self.prefixes.episodes.arrive, self.write), lambda: self.notes.end
        )
        self.executed = Executed(self.graph)
        self.history.wrote = lambda *rows: self.faults.guard("graph", "note", lambda: self.executed.note(*rows), None)
        self.graph_steps = Steps(lambda: self.faults.guard("graph", "step", self.graph.step, False))
        self.computations = Computations(
            self.drain,
            self._failed("computations"),
            lambda: self.scheduler.total_nthreads_history,
            self.names.prefix_ids,
            code,
        )
        self.halted.follow(self.computations.claims, self.marked)
        self.halted_steps = Steps(lambda: self.faults.guard("computations", "halt", self._halt, False))
        self.notes = Notes(self.history, self.prefixes.episodes, self.computations, self.faults)
        self.idleness = Idleness()
        self.wants = Wants(lambda: self.scheduler)
        parts = (self.idleness, self.looks, self.history, self.faults, self.workers.packages)
        self.meta = Meta(version, ring_rows, *parts)
        self.topics = self._serve()
        for name, seconds in intervals.items():
            if name in self.topics:
                self.topics[name] = self.topics[name]._replace(interval=seconds)

    def _serve(self) -> dict[str, Topic]:
        """Every topic, by its name in the schema: to add one, add a line."""
        return {
            "tasks": Topic(PROMPT, lambda: self.notes.end, lambda cursor: self.history.read(cursor, TASK_ROWS)),
            "workers": Topic(
                TICK,
                lambda: self.workers.version,
                lambda cursor: self.workers.read(self.scheduler, cursor),
                lambda: self.workers.scan(self.scheduler, self.idle),
            ),
            "running": Topic(
                PROMPT,
                lambda: self.running.version,
                self.running.read,
                lambda: self.running.scan(self.scheduler),
                self.running.watch,
            ),
            "attempts": Topic(TICK, lambda: self.attempts.version, self.attempts.read),
            "errors": Topic(TICK, lambda: self.errors.version, self.errors.read),
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
                lambda: self.activities.end,
                self.activities.read,
                lambda: self.activities.scan(self.scheduler, self.idle),
            ),
            "hardware": Topic(TICK, lambda: self.hardware.version, self.hardware.read),
            "memory_samples": Topic(TICK, lambda: self.memory_samples.end, self.memory_samples.read),
            "steals": Topic(STEP, lambda: self.steals.end, self.steals.read),
            "shuffles": Topic(STEP, lambda: self.shuffles.version, self.shuffles.read),
            "computations": Topic(TICK, lambda: self.computations.version, self.computations.read),
            "graph": Topic(TICK, lambda: self.graph.position, self.graph.read),
            "states": Topic(
                TICK,
                lambda: self.graph.version,
                self.graph.read_states,
                self.graph.publish,
                self._watch_states,
            ),
            "executed": Topic(TICK, lambda: self.executed.end, self.executed.read),
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
                lambda: self.meta.version,
                self.meta.read,
                lambda: self.meta.scan(self.scheduler, self.started, self.earlier),
            ),
        }

    def _failed(self, part: str) -> Callable[[Exception], None]:
        return lambda error: self.faults.note(part, error)

    def arrive(self, keys: list[Any], time: float, computation: int | None) -> None:
        """A graph has arrived; `computation` is None where neither a cell nor code tells it from others."""
        episodes = self.prefixes.episodes
        # After their first transitions it is known which will never run.
        if self.halted.arrive(keys, self.scheduler.tasks):
            self.halted_steps.begin()
        if (tasks := self.graph.collect(keys)) is not None:
            episodes.add(tasks, time, computation)
        else:
            episodes.submitted(time, computation)
            self.graph.submit(list(keys), time)
            self.graph_steps.begin()

    def _halt(self) -> bool:
        return self.halted.step(self.scheduler.tasks)

    def _watch_states(self, on: bool) -> None:
        self.graph.watch(on)
        self.transition = watching(self._hook, self.graph.moved) if on else self._hook
        self.graph_steps.begin()

    @property
    def idle(self) -> bool:
        """Whether the cluster has nothing to do."""
        return self.idleness.since is not None

    def hear(self, topic: str, msg: Any) -> None:
        """Record an event of `Scheduler.log_event`."""
        if topic == "stealing":
            self.steals.note(time(), msg)
            return
        if self.events.add(time(), topic, msg):
            self.wake()
        self.computations.logged(msg)
        self.attempts.logged(topic, msg)

    def write(self) -> None:
        """Write the recorded executions into the ring."""
        self.notes.write()

    def drain(self) -> None:
        """Write the recorded executions into the ring, and count them."""
        self.notes.drain()

    def restart_parts(self) -> None:
        """All tasks are gone, and what the scheduler knew of earlier ones."""
        self.earlier = 0
        parts = ("prefixes", "attempts", "errors", "graph", "executed", "groups", "held", "computations", "shuffles")
        for part in parts:
            try:
                getattr(self, part).restart()
            except Exception as error:
                # The others would keep the counts of tasks that are gone.
                self.faults.note(part, error)
        self.running.clear()

    def wake(self) -> None:
        """Make the polls of readers that lack something return."""
        self.pace.wake()

    def stir(self) -> None:
        """Something happened: the cluster is not idle."""
        self.idleness.end()
        self.wake()
