"""The local schedulers as one more client of the kernel, served on the control thread so that a compute does not
block it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any
from uuid import uuid4

from ..feed.codec import encode
from ..kernel.session.subscriber import Subscriber
from ..kernel.session.work import Work
from .record import TOPICS, Record

#: Seconds between two reads of the record while a compute runs.
PERIOD = 0.05
#: Seconds until the next read after one that failed.
RETRY_SECONDS = 1.0
#: What is not up to date after that, as the beginning of a message.
SERVING = "Local schedulers"
#: Minimum seconds between two frames with a topic to one tab.
INTERVALS = {"meta": 0.25, "tasks": PERIOD, "running": PERIOD, "prefixes": 0.25, "series": 0.25, "cache": PERIOD}
#: While a compute runs, its functions are counted again after these seconds at least, and after this many times as long
#: as it took: 1 % of a core at most.
COUNT_PERIOD, COUNT_PAUSE = 0.2, 100


class LocalSession:
    """Serves a record to browser tabs; the same interface as a Client's session.

    Parameters
    ----------
    record : Record
    control_loop : callable
        The loop that answers the control channel, None before it has been used. Subscribers are served on it.
    looked : callable
        Called on that loop when the first tab subscribes or the last one leaves.
    changed : callable
        Called when `info` has changed.
    """

    closed = False
    #: There is no scheduler that could be silent.
    patience = inf
    #: Nor one on the control loop.
    beside = False

    def __init__(
        self,
        record: Record,
        control_loop: Callable[[], asyncio.AbstractEventLoop | None],
        looked: Callable[[], None],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.key = f"local-{uuid4().hex[:12]}"
        self._record = record
        self._control_loop = control_loop
        self._looked = looked
        self._work = Work(changed)
        self._created = record.now()
        self._sent: dict[Subscriber, dict[str, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        #: When functions are counted again.
        self._count_at = 0.0

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop for the methods below."""
        return self._control_loop()

    @property
    def answered(self) -> float:
        """There is no scheduler in between that could be silent."""
        return monotonic()

    def info(self, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
        """Facts for the hello; any thread."""
        compute = self._record.compute
        return {
            "key": self.key,
            "kind": "local",
            "variable": "",
            "cluster": compute.place.scheduler if compute else "",
            "address": "",
            "scheduler": self._record.feed,
            "dashboard": "",
            "dashboardReason": "local schedulers have none",
            "status": "running",
            "workers": compute.place.workers if compute else 0,
            "threads": compute.place.workers if compute else 0,
            "memoryLimit": 0,
            "created": self._created,
            "limited": "",
            "notice": " ".join(self._work.problems()),
        }

    def wants(self, topic: str) -> bool:
        """Whether any tab wants a topic; any thread."""
        return any(topic in subscriber.topics for subscriber in list(self._sent))

    # -- subscribers --------------------------------------------------------------------------------------------

    def add(self, subscriber: Subscriber, topics: list[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with its topics and position."""
        subscriber.topics = tuple(topic for topic in topics if topic in TOPICS)
        subscriber.feed, subscriber.epoch, subscriber.cursor = feed, epoch, dict(cursor)
        self._sent[subscriber] = {}
        self._looked()
        self.pump()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a tab."""
        self._sent.pop(subscriber, None)
        self._looked()

    def retopic(self, subscriber: Subscriber, topics: list[str]) -> None:
        """Change the topics of a tab; its position in dropped ones is kept."""
        subscriber.topics = tuple(topic for topic in topics if topic in TOPICS)
        self._looked()
        self.pump()

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has received frame `seq`."""
        subscriber.acknowledge(seq)
        self.pump()

    async def ask(self, op: str, args: dict[str, Any]) -> Any:
        """One request.

        Raises
        ------
        ValueError
            It is unknown.
        """
        if op == "key":
            return self._record.describe(int(args["row"]))
        raise ValueError(f"dask_panes: local schedulers know no request {op!r}")

    # -- serving ------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Send due frames, and repeat while more will follow. On the control loop."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._sent:
            return
        pause = PERIOD
        try:
            goes_on = self._serve_all() or self._record.running
        except Exception as error:
            # A timer would print it below the user's cell.
            self.report(SERVING, error)
            goes_on, pause = True, RETRY_SECONDS
        else:
            self.report(SERVING, None)
        loop = self.loop
        if loop is not None and goes_on:
            self._timer = loop.call_later(pause, self.pump)

    def report(self, what: str, error: Exception | None) -> None:
        """Notify the tabs of a failure, or, without an error, that it is resolved; see `Work.report`."""
        self._work.report(what, error)

    def _serve_all(self) -> bool:
        """Send all tabs what they lack; returns whether anything is left that is not held back by credit."""
        self._scan()
        now = monotonic()
        return any([self._serve(subscriber, sent, now) for subscriber, sent in list(self._sent.items())])

    def _scan(self) -> None:
        began = monotonic()
        counts = not self._record.running or began >= self._count_at
        self._record.scan(live=self.wants("running"), counts=counts)
        if counts:
            self._count_at = began + max(COUNT_PERIOD, COUNT_PAUSE * (monotonic() - began))

    def _serve(self, subscriber: Subscriber, sent: dict[str, float], now: float) -> bool:
        """Send one tab what it lacks; returns whether anything is left that is not held back by credit."""
        record = self._record
        while subscriber.credit:
            same = (subscriber.feed, subscriber.epoch) == (record.feed, record.epoch)
            behind = [t for t in subscriber.topics if record.end(t) != (subscriber.cursor.get(t, 0) if same else 0)]
            due = [t for t in behind if now - sent.get(t, 0.0) >= INTERVALS[t] or not same]
            if not due:
                return bool(behind)
            answer = record.read(due, subscriber.feed, subscriber.epoch, subscriber.cursor)
            subscriber.feed, subscriber.epoch, subscriber.cursor = answer["feed"], answer["epoch"], answer["cursor"]
            subscriber.send(encode(answer, subscriber.seq))
            # The rest of a split frame is not rate-limited.
            sent.update({t: now for t in due if record.end(t) == subscriber.cursor.get(t)})
        return False
