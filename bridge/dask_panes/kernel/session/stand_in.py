"""A collector in the kernel, for schedulers that take no plugin (``distributed.scheduler.blocked-handlers``).

It uses only Dask's standard RPCs, while there is a reader: ``identity`` for the workers, ``get_task_stream`` for what
ran, ``get_task_prefix_states`` for counts. The same code as in a scheduler creates frames from a mirror of the
scheduler. Data that those RPCs do not provide is missing: what ran before the first read, queued and unrunnable
tasks, occupancy, the graph, events, profiles. `UNKNOWN` names what would otherwise look like a zero.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import islice
from math import nan
from time import monotonic
from types import SimpleNamespace
from typing import Any

from dask.utils import key_split
from distributed.metrics import time

from ...scheduler.collector.episodes import active
from ...scheduler.collector.history import FIELDS
from ...scheduler.collector.packages import packages_of
from ...scheduler.collector.plugin import Collector
from ...scheduler.collector.topic import Topic
from .executions import Executions, SchedulerClock
from .mirror import Mirror, mirror_prefix, update_worker

logger = logging.getLogger(__name__)

#: Seconds between two reads of a small cluster; larger ones are read less often: `identity` grows with the workers.
LOOK_SECONDS = 0.5
WORKERS_PER_SECOND = 200
#: Seconds without a reader after which requests stop.
UNREAD_SECONDS = 5.0
#: The missing data, in the words of the panes.
MISSING = (
    "the scheduler allows no plugin, so its standard RPCs are used: tasks since the first request, counts, workers; "
    "no queue, occupancy, graph, computations, sizes of results, errors, steals, events, memory thresholds or profile"
)
#: The same, as names of facts and of columns (schema, `unknown` of topic meta). What Dask's configuration says here is
#: that of the kernel, not of the cluster.
UNKNOWN = ("stealing", "clients", "cores", "worker_versions", "thresholds", "queued", "no_worker")
TOPICS = frozenset({"meta", "tasks", "workers", "prefixes", "series"})
QUESTIONS = frozenset({"key", "search_keys", "series", "wake", "size"})


class StandIn(Collector):
    """Serves `read` and `ask` like a collector, in the Client's process.

    Parameters
    ----------
    call : callable
        Calls an RPC of the scheduler by name with keyword arguments; raises OSError if it does not answer.
    **options
        Keyword arguments of the collector.
    """

    def __init__(self, call: Callable[..., Any], **options: Any) -> None:
        super().__init__(**options)
        self.meta.unknown = UNKNOWN
        self._call = call
        self._mirror = Mirror()
        self._prefixes_seen: dict[str, SimpleNamespace] = {}
        #: By function: tasks that have ended, and keys of those that failed and that the scheduler has not forgotten.
        self._ended = Counter[str]()
        self._failures = defaultdict[str, dict[Any, None]](dict)
        self._ran, self._clock = Executions(call), SchedulerClock()
        self._looked = False
        self._looking: asyncio.Task[None] | None = None
        self._read_at = monotonic()
        #: Why the scheduler's newest answers could not be used.
        self._failure: Exception | None = None
        #: Whether the link has to make another one: another scheduler answers at the address, whose tasks and counts
        #: are not those that are mirrored here, or no more workers can be numbered.
        self.replaced = False

    def _serve(self) -> dict[str, Topic]:
        return {name: topic for name, topic in super()._serve().items() if name in TOPICS}

    async def begin(self) -> None:
        """Read once, and from then on while there is a reader; raises OSError if the scheduler does not answer."""
        self._loop = asyncio.get_running_loop()
        packages = await self._packages()
        self.meta.packages = lambda: packages
        await self.start(self._mirror)
        self._mirror.plugins[self.name] = self
        await self._look()
        self.earlier = sum(self._ended.values())

    async def read(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As `Collector.read`; keeps it active, and raises what keeps it from being up to date."""
        self._read_at = monotonic()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_while_read())
        # Unlike an RPC, a call here need not yield: a reader that calls it in a loop must let others run.
        await asyncio.sleep(0)
        if self._failure is not None:
            raise self._failure
        return await super().read(*args, **kwargs)

    async def ask(self, name: str, args: dict[str, Any] | None = None) -> Any:
        """As `Collector.ask`, for supported requests; otherwise RuntimeError with a message for users."""
        if name not in QUESTIONS:
            raise RuntimeError(f"Not available: {MISSING}.")
        return await super().ask(name, args)

    def end(self) -> None:
        """Stop; any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self.close()))

    def _tick(self) -> None:
        if self._looking is None or self._looking.done():
            # The mirror stays as it is while nobody reads: no worker is silent for that.
            self.looks.doubt(time())
        super()._tick()

    async def _begin_again(self) -> None:
        """The link makes another one."""

    async def close(self) -> None:
        """Stop."""
        if self._looking is not None:
            self._looking.cancel()
        await super().close()

    async def _packages(self) -> dict[str, str]:
        """Versions in the scheduler's process: that of the kernel may have others. Empty if they are not known."""
        try:
            return packages_of(await self._call("versions"))
        except Exception:
            # A site may have blocked it. If the scheduler does not answer at all, the first look says so.
            logger.debug("the versions of the scheduler are not known", exc_info=True)
            return {}

    # -- reading the scheduler ------------------------------------------------------------------------------------

    async def _look_while_read(self) -> None:
        while any(reader.future is not None for reader in self.pace.readers.values()) or (
            monotonic() - self._read_at < UNREAD_SECONDS
        ):
            try:
                await self._look()
                self._failure = None
            except (OSError, asyncio.TimeoutError):
                # The session's own reads continue; if the scheduler is gone, they close the client.
                logger.debug("the scheduler did not answer", exc_info=True)
            except Exception as error:
                # The next reads raise it; a task that ends with it prints it below the user's cell.
                self._failure = error
                self.pace.end()
            await asyncio.sleep(max(LOOK_SECONDS, len(self._mirror.workers) / WORKERS_PER_SECOND))

    async def _look(self) -> None:
        identity = await self._call("identity")
        self.replaced = self.names.used_up or self._mirror.id not in ("", str(identity.get("id", "")))
        if self.replaced:
            self.pace.end()
            return
        self._take_identity(identity)
        if not (self._looked and self._clock.doubtful):
            self._take_executions(self._clock.shifted(await self._ran.new()))
        self._take_states(await self._call("get_task_prefix_states") or {})
        self._looked = True
        self.wake()

    def _take_identity(self, identity: dict[str, Any]) -> None:
        mirror = self._mirror
        mirror.address, mirror.id = str(identity.get("address", "")), str(identity.get("id", ""))
        given = identity.get("workers") or {}
        self._clock.note(float(facts.get("last_seen", 0.0)) for facts in given.values())
        for address in [address for address in mirror.workers if address not in given]:
            self.workers.remove(address)
            del mirror.workers[address]
        for address, facts in given.items():
            ws = mirror.workers.get(address)
            if ws is None:
                ws = mirror.workers[address] = SimpleNamespace(
                    address=address,
                    name=facts.get("name", facts.get("id", address)),
                    host=str(facts.get("host", "")),
                    services=facts.get("services") or {},
                    extra={},
                    pid=0,
                    occupancy=nan,
                    time_delay=0.0,
                )
                update_worker(ws, facts, self._clock.ahead)
                self.workers.add(ws)
            else:
                update_worker(ws, facts, self._clock.ahead)
        # Which workers the scheduler considers saturated is not known.
        mirror.idle = {address: ws for address, ws in mirror.workers.items() if not ws.processing}

    def _take_executions(self, rows: list[dict[str, Any]]) -> None:
        notes: list[Any] = []
        failed: list[int] = []
        for row in rows:
            prefix = self._prefix(key_split(row["key"]))
            known = self._failures[prefix.name]
            if row["key"] in known:
                # It was tried again.
                del known[row["key"]]
                self._ended[prefix.name] -= 1
            if row.get("status") == "error":
                failed.append(len(notes) // FIELDS)
                known[row["key"]] = None
            startstops = row["startstops"]
            ts = SimpleNamespace(prefix=prefix)
            notes += (row["key"], ts, row["worker"], row["thread"], startstops, row.get("nbytes"), row.get("typename"))
            self._ended[prefix.name] += 1
            for interval in startstops:
                prefix.all_durations[interval["action"]] += interval["stop"] - interval["start"]
        if notes:
            self._mirror.transition_counter += len(rows)
            self.history.extend(notes, failed)
            self.prefixes.episodes.ended(notes[1::FIELDS], notes[4::FIELDS], failed, time())

    def _take_states(self, counts: dict[str, dict[str, int]]) -> None:
        for name in {*counts, *self._prefixes_seen}:
            prefix = self._prefix(name)
            states = Counter(counts.get(name, {}))
            failed = self._failures[name]
            if not self._looked:
                # Keys of tasks that ended before the first read are not known.
                self._ended[name] = states["memory"] + states["released"] + states["erred"]
                failed.update(dict.fromkeys(object() for _ in range(states["erred"])))
            gone = max(0, len(failed) - states["erred"])
            if gone and not active(states):
                for key in [*islice(failed, gone)]:
                    del failed[key]
                    self.prefixes.forget(name, "erred")
                gone = 0
            # A forgotten finished group is not reported any more; tasks that ended and are missing were forgotten.
            # Others failed without having run, and some that failed are perhaps being tried again.
            kept = states["memory"] + states["released"] + min(states["erred"], len(failed)) + gone
            forgotten = max(0, self._ended[name] - kept)
            if states == prefix.states and forgotten == prefix.state_counts["forgotten"]:
                continue
            prefix.states, prefix.state_counts["forgotten"] = states, forgotten
            prefix.state_counts["waiting"] += 1
            self._mirror.transition_counter += 1

    def _prefix(self, name: str) -> SimpleNamespace:
        found = self._prefixes_seen.get(name)
        if found is None:
            found = self._prefixes_seen[name] = self._mirror.task_prefixes[name] = mirror_prefix(name)
        return found
