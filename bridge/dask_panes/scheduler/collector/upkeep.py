"""What is done four times per second: the ring is written, changes are looked for, workers are sampled.

Guarantees: nothing is computed for topics without readers, except the series and what would be gone from the
scheduler later; a topic is scanned at most once per interval; a part that fails is suspended and reported, and the
others go on; the work is sliced, so the scheduler's event loop is free after 2 ms.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import monotonic

from distributed.metrics import time

from .duties import Duties
from .graph import LIMIT as GRAPH_LIMIT
from .pace import LONGEST_POLL
from .parts import Parts
from .sampling import Sampling
from .series import STEP
from .topic import TICK

#: Checks of functions for inactivity, see `Episodes.settle`.
CHECKS = 5
#: Topics whose scans are sliced, and walk large structures of the scheduler.
_WALKED = ("prefixes", "groups", "held", "bandwidth", "activities")
#: Topics whose scans look at everything at once, with no budget of their own.
_WHOLE = frozenset(("workers",))
#: Topics whose scans are as frequent as ever, however much all scans cost: facts, and states that the hook has noted.
_NEVER_STRETCHED = frozenset(("meta", "states"))
#: Duties that are no scans: samples, and what is done once for each execution or forgotten task.
_NO_SCANS = frozenset(("series", "executions", "graph"))


class Upkeep:
    """Keeps the parts of a collector up to date."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.sampling = Sampling(
            parts.names,
            parts.clocks,
            parts.series,
            parts.worker_series,
            parts.faults,
            parts.looks,
            parts.workers.reports,
        )
        #: Remaining work of the newest tick.
        self._duties = Duties(parts.faults, parts.wake)
        self._walks = [parts.prefixes.quick, *(getattr(parts, topic).walk for topic in _WALKED)]
        self._scanned: dict[str, float] = {}
        self._watched: frozenset[str] = frozenset()
        self._next_sample = 0.0

    def tick(self) -> None:
        """Look for changes; readers that lack something are answered when that is done."""
        now = time()
        parts, duties = self._parts, self._duties
        guard = parts.faults.guard
        caught_up = not duties.left
        parts.write()
        guard("attempts", "settle", lambda: parts.attempts.settle(parts.scheduler), None)
        if parts.graph.busy:
            self._look_after_graph()
        missed = parts.looks.look(now)
        guard("idleness", "look", lambda: parts.idleness.look(parts.scheduler, now, missed), None)
        parts.pace.forget(now - 2 * LONGEST_POLL)
        if parts.names.must_renew_groups:
            guard("groups", "renumber", self._renew_groups, None)
        # Before the tables of functions and computations are looked at.
        duties.add("executions", parts.notes.counting())
        if caught_up:
            for _ in range(CHECKS):
                duties.once("prefixes", "look", lambda: parts.prefixes.episodes.settle(now))
            # Not only for readers: groups that have ended hold others.
            duties.once("groups", "tidy", parts.groups.tidy)
            # A finished run is gone from the scheduler.
            duties.once("memory_samples", "scan", lambda: parts.memory_samples.scan(parts.scheduler))
            duties.once("steals", "look", parts.steals.look)
            # An ended shuffle is gone, too.
            duties.once("shuffles", "look", lambda: parts.shuffles.look(parts.scheduler))
            if not now < self._next_sample <= now + STEP and parts.faults.rest("series") <= 0:
                # Where the clock was set forward or back, from now on.
                self._next_sample = min(max(self._next_sample + STEP, now), now + STEP)
                sampling = guard(
                    "series", "sample", lambda: self.sampling.sample(parts.scheduler, now, parts.idle), None
                )
                if sampling is not None:
                    duties.add("series", sampling)
        # A new subscription does not wait for a tick in progress.
        self._add_scans(now)
        duties.go_on()
        self._note_load()

    def _note_load(self) -> None:
        """Make the intervals of scans as long as their cost demands."""
        load, spent = self._parts.pace.load, self._duties.spent
        scanned = sum(seconds for part, seconds in spent.items() if part not in _NO_SCANS)
        load.note(monotonic(), scanned + sum(walk.total for walk in self._walks), spent["series"])
        for each in (*self._walks, self._parts.running):
            each.stretch = load.stretch

    async def scan(self, topics: Iterable[str]) -> None:
        """Scan topics now: a new subscription must not wait for the next tick."""
        for topic in topics:
            self._scanned.pop(topic, None)
        self.tick()
        await self._duties.finished()

    def finish(self) -> None:
        """Scan what readers want a last time, at once."""
        self._duties.stop()
        self._parts.drain()
        self._scanned.clear()
        self._add_scans(time())
        self._duties.finish()
        self._parts.graph_steps.stop()
        self._parts.halted_steps.stop()

    def _look_after_graph(self) -> None:
        parts = self._parts
        if parts.faults.rest("graph") <= 0:
            # Before states are looked at.
            self._duties.once("graph", "step", self._step_graph)
        elif len(parts.graph.gone) > GRAPH_LIMIT:
            # The hook's records must not pile up while the graph is suspended.
            parts.graph.drop_gone()

    def _step_graph(self) -> None:
        if self._parts.graph.step(tick=True):
            self._parts.graph_steps.begin()

    def _renew_groups(self) -> None:
        """After a million groups, indices start over, and readers with them."""
        parts = self._parts
        less = parts.names.renew_groups()
        parts.graph.renumber_groups(less)
        parts.groups.renumber(less)
        parts.epoch += 1

    def _add_scans(self, now: float) -> None:
        """Add duties that scan for changes in the topics that have readers."""
        wanted = self._parts.pace.wanted()
        if wanted != self._watched:
            self._watched ^= {name for name in wanted ^ self._watched if self._watch(name, name in wanted)}
        _, floors = self._parts.pace.floors()
        for name in wanted:
            topic = self._parts.topics[name]
            interval = topic.interval
            if name not in _NEVER_STRETCHED:
                interval *= self._parts.pace.load.stretch
            if name in _WHOLE:
                # Twice while it is sent once.
                interval = max(interval, floors.get(name, 0.0) / 2)
            # A tick may be slightly early: an interval is a number of ticks.
            # The clock may be set back.
            if topic.scan is not None and abs(now - self._scanned.get(name, 0.0)) > interval - TICK / 2:
                self._scanned[name] = now
                self._duties.once(name, "scan", topic.scan)

    def _watch(self, name: str, on: bool) -> bool:
        """Notify a topic whether it has readers; returns whether that succeeded."""
        watch = self._parts.topics[name].watch
        return watch is None or self._parts.faults.guard(name, "watch", lambda: (watch(on), True)[1], False)

    async def settle(self, seconds: float) -> None:
        """Complete all sliced and sampled work up to now, within a number of seconds."""
        parts = self._parts
        deadline = time() + seconds
        walks = self._walks

        async def settled() -> None:
            while time() < deadline and (parts.graph.busy or any(walk.walking for walk in walks)) and not parts.closed:
                parts.graph_steps.begin()
                await asyncio.sleep(0.005)

        guard = parts.faults.guard
        parts.write()
        for _ in parts.notes.counting():
            await asyncio.sleep(0)
        now = time()
        missed = parts.looks.look(now)
        guard("idleness", "look", lambda: parts.idleness.look(parts.scheduler, now, missed), None)
        guard("attempts", "settle", lambda: parts.attempts.settle(parts.scheduler), None)
        await settled()
        # A walk in progress may have passed data that has changed since it began.
        for walk in walks:
            walk.forgive()
        for topic in _WALKED:
            scan = parts.topics[topic].scan
            if scan is not None:
                guard(topic, "scan", scan, None)
        await settled()
        workers = parts.topics["workers"].scan
        if workers is not None:
            guard("workers", "scan", workers, None)
        guard("states", "scan", parts.graph.publish, None)
        guard("memory_samples", "scan", lambda: parts.memory_samples.scan(parts.scheduler), None)
        guard("steals", "look", parts.steals.look, None)
        guard("shuffles", "look", lambda: parts.shuffles.look(parts.scheduler), None)
        sampling = guard("series", "sample", lambda: self.sampling.sample(parts.scheduler, time(), parts.idle), None)
        for _ in sampling or ():
            await asyncio.sleep(0)
