"""One session per Client: reads the scheduler's collector once for all browser tabs.

This is its life, its facts, and what the control channel calls. The connection to the scheduler is in `link`, the way
of an answer to the tabs in `delivery`, topics that workers know in `gather`.

Guarantees: a session never keeps a Client alive and never delays its start or end by more than some 100 ms; after the
end its facts stay, everything else goes. Everything here runs on the Client's event loop; calls that are allowed from
other threads say so.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from ...scheduler.collector.plain import plain
from ...scheduler.collector.questions import HELD
from ..cell.ending import OwnCluster
from ..cell.facts import ENDED, Facts, facts, key_of
from ..cell.scaling import switched_off
from ..gather.probe import WorkerReach
from ..options import KernelOptions
from .delivery import Delivery
from .link import CLOSED, Link
from .subscriber import Subscriber
from .work import Work

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds that a closing Client waits for its tabs to receive the remaining data.
FAREWELL_PATIENCE = 0.2
#: Seconds that `Client()` waits for the registration.
REGISTRATION_PATIENCE = 0.1

#: Requests for which None is an answer.
UNANSWERED = frozenset(("key", "wake", "label_samples"))
#: Why there is no answer to another one, for users.
NO_COLLECTOR = "The scheduler has no collector of Dask Panes now."


class Session:
    """Reads the collector of one Client's scheduler.

    Parameters
    ----------
    client : distributed.Client
        Weakly referenced: a session never keeps a Client alive.
    changed : callable
        Called (on any thread) when `info` has changed.
    options : KernelOptions
        The configuration.
    lasting : bool
        Whether it lives as long as the Client: later panes show what it has read before.
    """

    def __init__(
        self, client: Client, changed: Callable[[], None], options: KernelOptions, lasting: bool = False
    ) -> None:
        self.key = key_of(client)
        self._client = weakref.ref(client, lambda _: self._gone())
        self._changed = changed
        self._options = options
        self._lasting = lasting
        self._closed_at: float | None = None
        #: Until when the facts stay as they are, `time.monotonic`: the cluster is being closed.
        self._settled_until = 0.0
        self._facts: Facts = facts(client)
        #: Facts that callers of `note` know, by name; never changed, but replaced.
        self._noted: dict[str, Any] = {}
        self._cluster = OwnCluster(client)
        self.work = Work(changed)
        self.link = Link(lambda: self.client, options, self.work, changed, self._gone)
        self.delivery = Delivery(self.link, self.work, WorkerReach(self.ask), options.intervals, lambda: self.closed)

    # -- life ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Register the collector and start serving; always returns within 100 ms."""
        self.link.begin()
        self.work.spawn(self.delivery.poll())
        if self._lasting:
            self.delivery.sources.keep_history(self._options.profile_history)
        await self.link.registration(REGISTRATION_PATIENCE)

    def close(self) -> None:
        """The Client closes: stop reading, notify the tabs. On the Client's loop."""
        self.work.cancel()
        self._gone()

    async def finish(self) -> None:
        """Close, after sending the tabs what ended since the last answer: ``with Client() as client: …``.

        On the Client's loop, while its scheduler still answers; takes little more than 200 ms at most.
        """
        await self.work.stop(FAREWELL_PATIENCE)
        try:
            await asyncio.wait_for(self.delivery.read_last(), FAREWELL_PATIENCE)
        except Exception:
            logger.debug("the last tasks could not be asked for", exc_info=True)
        finally:
            self.close()
            await self.work.stop(FAREWELL_PATIENCE)

    async def settle(self, interrupted: bool = False) -> None:
        """The cluster is about to be closed: its tabs keep what it was until now. On the Client's loop.

        Parameters
        ----------
        interrupted : bool
            Whether the kernel ends, whose processes Jupyter has interrupted before.
        """
        client = self.client
        if client is None or self.closed:
            return
        await self.ask("closing", {"interrupted": interrupted, "client": client.id})
        # The name of its variable is found when a tab asks, among what the user has then.
        self._facts = {**facts(client), "variable": self._facts["variable"]}
        self._settled_until = monotonic() + HELD

    async def stay_settled(self) -> None:
        """The cluster is still being closed. On the Client's loop."""
        if (client := self.client) is not None and not self.closed:
            self._settled_until = monotonic() + HELD
            await self.notify("closing", {"again": True, "client": client.id})

    async def resume(self) -> None:
        """The end of the cluster is over: if it goes on, its tabs are sent what it is now. On the Client's loop."""
        self._settled_until = 0.0
        if not self.closed:
            self.spawn(self.notify("closing", {"over": True}))

    def _gone(self) -> None:
        """No more requests are possible: keep only facts. Any thread."""
        # `info` may have detected the end before.
        if self._closed_at is None:
            self._closed_at = time()
        if not self.delivery.ended:
            self.delivery.end()
            # A waiting task would keep its data.
            self.work.cancel_from_anywhere()
            self.link.end()
            self._changed()

    @property
    def client(self) -> Client | None:
        """The Client, None when it is gone."""
        return self._client()

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The Client's event loop; None when the Client has closed or is gone."""
        client = self.client
        if client is None or self.closed:
            return None
        try:
            loop: asyncio.AbstractEventLoop = client.loop.asyncio_loop
        except (AttributeError, RuntimeError):
            # It is closing in another thread.
            return None
        return None if loop.is_closed() else loop

    @property
    def clock(self) -> float:
        """Current scheduler time, estimated from the newest answer, seconds."""
        return self.link.clock

    @property
    def closed(self) -> bool:
        """Whether the Client has closed or is gone."""
        return self._closed_at is not None

    @property
    def answered(self) -> float:
        """Time of the scheduler's last answer, `time.monotonic`; any thread."""
        return self.link.pulse.answered

    @property
    def patience(self) -> float:
        """Seconds without an answer after which the scheduler counts as silent; any thread."""
        return self.link.pulse.patience

    @property
    def beside(self) -> bool:
        """Whether the scheduler runs on the Client's loop; any thread."""
        return self.link.beside

    def info(self, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
        """Facts for the hello; any thread. After the close the last known ones, with ``closedAt``."""
        client = self.client
        if client is not None and not self.closed:
            found = facts(client, namespace)
            if found["status"] != "closed":
                self._facts = self._facts if monotonic() < self._settled_until else found
            elif self._closed_at is None:
                # Dask sets this before it tears down its preloads.
                self._closed_at = time()
        notice = " ".join([*self._options.problems, *self.work.problems()])
        limited = self.link.limited
        info: dict[str, Any] = {
            **self._facts,
            **self._noted,
            "limited": limited,
            "notice": notice,
            "actions": switched_off(),
        }
        if self._closed_at is not None:
            info.update(status="closed", closedAt=self._closed_at)
            if info["dashboard"] and self._cluster.ended():
                info.update(dashboard="", dashboardReason=ENDED)
        return info

    def note(self, name: str, fact: Any | None) -> None:
        """Add or change a fact that the caller knows, or remove it (None)."""
        noted = {key: value for key, value in self._noted.items() if key != name}
        if fact is not None:
            noted[name] = fact
        if noted != self._noted:
            self._noted = noted
            self._changed()

    # -- tabs ---------------------------------------------------------------------------------------------------

    def add(self, subscriber: Subscriber, topics: list[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with its topics and position; on the Client's loop."""
        # The channel may have asked for it just before the end.
        if not self.closed:
            self.delivery.add(subscriber, topics, feed, epoch, cursor)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a tab; on the Client's loop."""
        self.delivery.remove(subscriber)

    def retopic(self, subscriber: Subscriber, topics: list[str]) -> None:
        """Change the topics of a tab. On the Client's loop.

        Its position in a dropped topic is kept: if subscribed again, the topic continues from there.
        """
        self.delivery.retopic(subscriber, topics)

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has received frame `seq`. On the Client's loop."""
        self.delivery.acknowledge(subscriber, seq)

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine until it ends or the session does; its failure is reported. On the Client's loop."""
        return self.work.spawn(coroutine)

    def report(self, what: str, error: Exception | None) -> None:
        """Notify the tabs of a failure, or, without an error, that it is resolved; see `Work.report`."""
        self.work.report(what, error)

    # -- requests -----------------------------------------------------------------------------------------------

    async def ready(self) -> None:
        """Return when the scheduler has its collector, again where it was unregistered: a user asks for its data.

        Raises
        ------
        RuntimeError
            It does not permit one; with a message for users.
        OSError, TimeoutError
            It does not answer.
        """
        await self.link.ready()
        if await self.link.ask("size", {}) is None:
            await self.link.register()

    async def notify(self, op: str, args: dict[str, Any]) -> None:
        """Send the collector a message without waiting for an answer; a failure is only logged."""
        try:
            await self.ask(op, args)
        except Exception:
            logger.debug("the collector was not notified", exc_info=True)

    async def ask(self, op: str, args: dict[str, Any]) -> Any:
        """One request to the collector.

        Raises
        ------
        RuntimeError
            With a message for users: the client is closed, or the scheduler refuses the collector.
        ValueError
            With a message for users: the collector does not answer this request.
        """
        if self.client is None or self.closed:
            raise RuntimeError(CLOSED)
        await self.link.ready()
        answer = await self.link.ask(op, plain(args))
        if answer is None and op not in UNANSWERED:
            raise RuntimeError(NO_COLLECTOR)
        if isinstance(answer, dict) and answer.keys() == {"refused"}:
            raise ValueError(str(answer["refused"]))
        return answer
