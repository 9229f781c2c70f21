"""One session per Client: reads the scheduler's collector once for all browser tabs.

A session long-polls from the most advanced cursor of its subscribers and passes the answer to every subscriber at
this position that has credit. A subscriber that is behind (new, slow, or with a new topic) catches up with separate
reads. Topics gathered from the workers (`sources`) are sent separately. Everything here runs on the Client's event
loop; calls that are allowed from other threads say so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import weakref
from collections.abc import Awaitable, Callable
from time import monotonic, time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from distributed import Scheduler

from ..feed.codec import encode
from ..feed.schema import SCHEMA
from ..scheduler.collector.plain import plain, text
from ..scheduler.collector.plugin import ASK_HANDLER, READ_HANDLER
from ..scheduler.ship import register
from .facts import Facts, facts
from .logs import LogsSource
from .options import Options
from .probe import Reach
from .profile import ProfileSource
from .pulse import Pulse
from .sources import Source, Sources
from .stand_in import MISSING, StandIn
from .subscriber import Subscriber
from .transfers import TransfersSource
from .trim import ahead, name_cursors, trim

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds of one long poll; proxies between kernel and scheduler see traffic.
POLL_SECONDS = 25.0
#: Seconds after its timeout at which a poll counts as lost (a half-open link never answers).
POLL_GRACE = 10.0
#: Seconds between two attempts to reach a scheduler that does not answer.
RETRY_SECONDS = 1.0
#: Seconds that a closing Client waits for its tabs to receive the remaining data.
FAREWELL_PATIENCE = 0.2
#: Seconds that `Client()` waits for the registration.
REGISTRATION_PATIENCE = 0.1

#: Seconds until a failed operation is retried: initial and maximum.
REST, LONGEST_REST = 1.0, 60.0
#: Maximum failures reported at the same time.
MOST_FAULTS = 5
#: Requests for which None is an answer.
UNANSWERED = frozenset(("key", "wake", "label_samples"))
#: Failure key of the head's reads.
READING = "What the scheduler tells"
#: Failure key of the reads for one tab.
TAB = "One page"

#: Every topic of the feed.
ALL = frozenset(SCHEMA["topics"])


def make_sources() -> list[Source]:
    """Topics gathered by the session itself."""
    return [ProfileSource("profile"), ProfileSource("loops"), TransfersSource(), LogsSource()]


class Session:
    """Reads the collector of one Client's scheduler.

    Parameters
    ----------
    client : distributed.Client
        Weakly referenced: a session never keeps a Client alive.
    changed : callable
        Called (on any thread) when `info` has changed.
    options : Options
        The configuration.
    """

    def __init__(self, client: Client, changed: Callable[[], None], options: Options) -> None:
        self.key: str = client.id
        self._client = weakref.ref(client, lambda _: self._gone())
        self._changed = changed
        self._options = options
        self._subscribers: set[Subscriber] = set()
        self._wanted = asyncio.Event()
        self._limited = ""
        self._stand_in: StandIn | None = None
        self._closed_at: float | None = None
        self._facts: Facts = facts(client)
        self._reader = uuid4().hex
        self._tasks: set[asyncio.Task[Any]] = set()
        self._registered: asyncio.Task[None] | None = None
        #: Feed and epoch of the newest answer.
        self._last_feed = ("", -1)
        #: Scheduler's clock minus ours (`time.monotonic`) at the newest answer.
        self._clock_offset = 0.0
        #: Current failures, as messages for users, by key.
        self._faults: dict[str, str] = {}
        self._sources = Sources(
            make_sources(), Reach(self.ask), self.spawn, self._serve_all, options.intervals, self.report
        )
        #: Topics of the poll in progress; every topic while there is none.
        self._polled = ALL
        self._pulse = Pulse(self._echo, self.spawn)
        #: Whether the tabs were notified that the connection to the scheduler is lost.
        self._told_lost = False

    # -- life ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Register the collector and start serving; always returns within 100 ms."""
        self._registered = self.spawn(self._register())
        self.spawn(self._head_loop())
        await asyncio.wait({self._registered}, timeout=REGISTRATION_PATIENCE)

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine until it ends or the session does; its failure is reported. On the Client's loop."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        # An exception that is never retrieved is printed below the user's cell.
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report("The panes", error)

    def report(self, what: str, error: Exception | None) -> None:
        """Notify the tabs of a failure, or, without an error, that it is resolved.

        Parameters
        ----------
        what : str
            The outdated data, as the beginning of a message.
        """
        if error is None:
            changed = self._faults.pop(what, None) is not None
        else:
            logger.debug("%s failed", what, exc_info=error)
            reason = text(f"{type(error).__name__}: {text(error)}", 300)
            sentence = f"{what}: not up to date, since our code in the kernel failed ({reason}). It is tried again."
            changed = self._faults.get(what) != sentence
            self._faults[what] = sentence
            while len(self._faults) > MOST_FAULTS:
                del self._faults[next(iter(self._faults))]
        if changed:
            self._changed()

    def close(self) -> None:
        """The Client closes: stop reading, notify the tabs. On the Client's loop."""
        for task in list(self._tasks):
            task.cancel()
        self._gone()

    async def finish(self) -> None:
        """Close, after sending the tabs what ended since the last answer: ``with Client() as client: …``.

        On the Client's loop, while its scheduler still answers; takes little more than 200 ms at most.
        """
        await self._stop()
        try:
            await asyncio.wait_for(self._tell_last(), FAREWELL_PATIENCE)
        except Exception:
            logger.debug("the last tasks could not be asked for", exc_info=True)
        finally:
            self.close()
            await self._stop()

    async def _stop(self) -> None:
        """End all tasks, so that none is left when the loop is inspected."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=FAREWELL_PATIENCE)

    async def _tell_last(self) -> None:
        head, client = self._head(), self.client
        if client is None or self._registered is None or not self._registered.done():
            return
        beside = self._beside(client)
        # A scheduler that has closed sent its last answer then.
        if not self._readable or not head.cursor or (beside is not None and READ_HANDLER not in beside.handlers):
            return
        answer = await self._read(head, f"{self._reader}/last", 0.0)
        if answer is not None:
            self._deliver(head, answer)

    def _gone(self) -> None:
        # `info` may have detected the end before.
        if self._closed_at is None:
            self._closed_at = time()
        if not self._sources.ended:
            self._subscribers.clear()
            self._let_go()
            self._end_stand_in()
            self._changed()

    def _let_go(self) -> None:
        """No more requests are possible: drop the gathered data, keep only facts. Any thread."""
        self._sources.ended = True
        self._sources = Sources([], Reach(self.ask), self.spawn, self._serve_all)
        self._sources.ended = True
        for task in list(self._tasks):
            # A waiting one would keep its data.
            with contextlib.suppress(RuntimeError):
                task.get_loop().call_soon_threadsafe(task.cancel)

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
            return None
        return None if loop.is_closed() else loop

    @property
    def clock(self) -> float:
        """Current scheduler time, estimated from the newest answer, seconds."""
        return monotonic() + self._clock_offset

    @property
    def closed(self) -> bool:
        """Whether the Client has closed or is gone."""
        return self._closed_at is not None

    @property
    def answered(self) -> float:
        """Time of the scheduler's last answer, `time.monotonic`; any thread."""
        return self._pulse.answered

    @property
    def patience(self) -> float:
        """Seconds without an answer after which the scheduler counts as silent; any thread."""
        return self._pulse.patience

    def info(self, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
        """Facts for the hello; any thread. After the close the last known ones, with ``closedAt``."""
        client = self.client
        if client is not None and not self.closed:
            self._facts = facts(client, namespace)
        info: dict[str, Any] = {**self._facts, "limited": self._limited, "notice": self._notice()}
        if info["status"] == "closed" and self._closed_at is None:
            # Dask sets this before it tears down its preloads.
            self._closed_at = time()
        if self._closed_at is not None:
            info.update(status="closed", closedAt=self._closed_at)
        return info

    def _notice(self) -> str:
        # Copied in one step: the Client's loop changes it meanwhile.
        return " ".join([*self._options.problems, *list(self._faults.values())])

    # -- subscribers --------------------------------------------------------------------------------------------

    def add(self, subscriber: Subscriber, topics: list[str], feed: str, epoch: int, cursor: dict[str, int]) -> None:
        """Add a tab with its topics and position; on the Client's loop."""
        self._subscribers.add(subscriber)
        subscriber.topics, subscriber.gathered = self._sources.split(topics)
        subscriber.move(feed, epoch, {name: count for name, count in cursor.items() if "@" not in name})
        subscriber.positions = self._sources.positions(cursor)
        self._begin(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a tab; on the Client's loop."""
        self._subscribers.discard(subscriber)
        self._attend()

    def retopic(self, subscriber: Subscriber, topics: list[str]) -> None:
        """Change the topics of a tab. On the Client's loop.

        Its position in a dropped topic is kept: if subscribed again, the topic continues from there.
        """
        subscriber.topics, subscriber.gathered = self._sources.split(topics)
        self._begin(subscriber)

    def _begin(self, subscriber: Subscriber) -> None:
        """A tab has other topics than before."""
        self._attend()
        self._advance(subscriber)
        if not subscriber.catching_up:
            # It is at the head's position, but the poll in progress may lack the topic that it subscribes to again.
            self._poll_for(subscriber)

    def _attend(self) -> None:
        wanted = {topic for subscriber in self._subscribers for topic in subscriber.gathered}
        self._sources.attend(wanted, bool(self._subscribers))
        self._pulse.attend(bool(self._subscribers))

    def acknowledge(self, subscriber: Subscriber, seq: int) -> None:
        """A tab has received frame `seq`. On the Client's loop."""
        subscriber.acknowledge(seq)
        self._advance(subscriber)

    def _advance(self, subscriber: Subscriber) -> None:
        self._wanted.set()
        self._serve(subscriber)
        if subscriber.topics and subscriber.credit and not subscriber.catching_up and self._behind(subscriber):
            subscriber.catching_up = True
            self.spawn(self._catch_up(subscriber))

    def _behind(self, subscriber: Subscriber) -> bool:
        head = self._head()
        if (subscriber.feed, subscriber.epoch) != (head.feed, head.epoch) or not subscriber.cursor:
            return True
        return self._lacks(subscriber, head)

    @staticmethod
    def _lacks(subscriber: Subscriber, head: Subscriber) -> bool:
        """Whether a tab in the head's feed has fewer rows or names than the head."""
        have, there = subscriber.cursor, head.cursor
        return any(have.get(topic, -1) < there.get(topic, 0) for topic in subscriber.topics) or any(
            have.get(name, 0) < there.get(name, 0) for name in name_cursors(subscriber.topics)
        )

    def _head(self) -> Subscriber:
        """The most advanced subscriber, as the position from which to poll: no sink, the union of topics."""
        head = Subscriber(lambda data, seq: None)
        topics: dict[str, None] = {}
        for subscriber in self._subscribers:
            topics.update(dict.fromkeys(subscriber.topics))
            if not subscriber.cursor:
                continue
            if subscriber.feed != head.feed or subscriber.epoch > head.epoch:
                # Feeds cannot be ordered: the one last received by this session wins.
                if not head.feed or (subscriber.feed, subscriber.epoch) == self._last_feed:
                    head.feed, head.epoch, head.cursor = (
                        subscriber.feed,
                        subscriber.epoch,
                        dict(subscriber.cursor),
                    )
                continue
            for name, value in subscriber.cursor.items():
                head.cursor[name] = max(head.cursor.get(name, 0), value)
        head.topics = tuple(topics)
        return head

    # -- reading ------------------------------------------------------------------------------------------------

    async def _register(self) -> None:
        client = self.client
        if client is None:
            return
        try:
            await register(client, **self._options.for_collector())
            self._limited = ""
            self._end_stand_in()
        except (OSError, asyncio.TimeoutError):
            # The first read will find no collector, and try again.
            logger.debug("connection lost while registering", exc_info=True)
        except Exception as error:
            logger.debug("collector refused", exc_info=True)
            await self._stand_in_for(str(error) or type(error).__name__)
        self._changed()

    async def _stand_in_for(self, reason: str) -> None:
        """The scheduler accepts no collector: use only its standard RPCs, and report it."""
        # If a site has disabled the handler, the message names it.
        self._limited = f"{reason}; {MISSING}"
        if self._stand_in is None:
            stand_in = StandIn(self._standard, **self._options.for_collector())
            try:
                await stand_in.begin()
            except Exception:
                logger.debug("the scheduler's standard answers do not do", exc_info=True)
                return
            self._stand_in = stand_in

    def _end_stand_in(self) -> None:
        if self._stand_in is not None:
            self._stand_in.end()
            self._stand_in = None

    @property
    def _readable(self) -> bool:
        return not self._limited or self._stand_in is not None

    async def _standard(self, name: str, **args: Any) -> Any:
        """One of Dask's own RPCs."""
        return await self._call(name, args, POLL_GRACE)

    async def ready(self) -> None:
        """Return when the scheduler has its collector.

        Raises
        ------
        RuntimeError
            It does not permit one; with a message for users.
        """
        await self._await_registration()
        if not self._readable:
            raise RuntimeError(f"The scheduler allows no collector: {self._limited}")

    async def _await_registration(self) -> None:
        """A scheduler logs a warning for a request to a handler that it does not have yet."""
        if self._registered is not None:
            await asyncio.wait({self._registered})

    async def _read(self, where: Subscriber, reader: str, timeout: float) -> dict[str, Any] | None:
        """One read, or None if the scheduler has no collector (a new scheduler at the old address)."""
        question = {
            "reader": reader,
            "feed": where.feed,
            "epoch": where.epoch,
            "cursor": where.cursor,
            "topics": list(where.topics),
            "timeout": timeout,
        }
        answer: dict[str, Any] | None = await self._call(READ_HANDLER, question, timeout + POLL_GRACE)
        self._pulse.note()
        if answer is not None:
            self._last_feed = (answer["feed"], answer["epoch"])
            self._clock_offset = answer["time"] - self.answered
            # An older collector does not report it.
            self._pulse.readers = answer.get("readers", 1)
            self._sources.belong(answer["feed"])
        return answer

    async def _call(self, handler: str, args: dict[str, Any], timeout: float) -> Any:
        """One RPC to the collector.

        Raises
        ------
        OSError
            The connection is lost, or was closed with the client.
        """
        client = self.client
        if client is None or client.scheduler is None:
            raise OSError("the client is closed")
        ours = handler in (READ_HANDLER, ASK_HANDLER)
        if self._stand_in is not None and ours:
            return await (self._stand_in.read if handler == READ_HANDLER else self._stand_in.ask)(**args)
        beside = self._beside(client) if ours else None
        if ours and beside is None and client.status == "connecting":
            # Another scheduler at the address lacks the handler, and would log a warning.
            raise OSError("the client has lost its scheduler")
        ask = beside.handlers.get(handler) if beside is not None else None
        if ask is None:
            ask = getattr(client.scheduler, handler)
        elif handler == READ_HANDLER:
            # It has its own timeout, and nothing can be lost in transit here. (`wait_for` is two more turns of the
            # loop, each a wait for the GIL.)
            return await ask(**args, beside=True)
        try:
            return await asyncio.wait_for(ask(**args), timeout)
        except RuntimeError as error:
            # "ConnectionPool is closed": the client was closed without a notification.
            if client.status in ("closed", "closing"):
                raise OSError("the client is closed") from error
            raise

    def _echo(self) -> Awaitable[Any] | None:
        """Send the scheduler an empty request; None if it runs on this loop."""
        client = self.client
        if client is None or client.scheduler is None or self._beside(client) is not None:
            return None
        answer: Awaitable[Any] = client.scheduler.echo(data=None)
        return answer

    def _beside(self, client: Client) -> Scheduler | None:
        """The scheduler if it runs on this loop, as for a ``LocalCluster``: no connection is needed.

        While the main thread computes, every system call of a connection is a wait for the GIL, of 5 ms
        (`sys.getswitchinterval`), and an answer over a connection takes a dozen. A closing scheduler still answers
        here when its connections are gone.
        """
        scheduler = getattr(client.cluster, "scheduler", None)
        return scheduler if isinstance(scheduler, Scheduler) and scheduler.loop is client.loop else None

    async def _head_loop(self) -> None:
        await self._await_registration()
        rest = REST
        while not self.closed:
            try:
                if self._readable:
                    await self._poll_once()
                    rest = REST
                    self.report(READING, None)
                    continue
                # Neither a collector nor the standard RPCs answer: reported in `limited`.
            except Exception as error:
                self.report(READING, error)
            await asyncio.sleep(rest)
            rest = min(2 * rest, LONGEST_REST)
            if not self._readable:
                await self._register()

    async def _poll_once(self) -> None:
        """Wait until a subscriber wants data, and pass on what there is."""
        ready = [s for s in self._subscribers if s.topics and s.cursor]
        if not ready:
            self._wanted.clear()
            await self._wanted.wait()
            return
        # At least one subscriber must have credit: else wait for an acknowledgement.
        if not any(s.credit and not self._behind(s) for s in ready):
            self._wanted.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), RETRY_SECONDS)
            return
        head = self._head()
        self._polled = frozenset(head.topics)
        try:
            answer = await self._read(head, self._reader, POLL_SECONDS)
        except (OSError, asyncio.TimeoutError):
            await self._recover()
            return
        finally:
            self._polled = ALL
        if answer is None:
            await self._recover()
        elif answer["topics"] or answer["names"] or answer["epoch"] != head.epoch or answer["feed"] != head.feed:
            self._deliver(head, answer)

    async def _recover(self) -> None:
        """The scheduler did not answer, or has no collector: wait, register, start over."""
        await asyncio.sleep(RETRY_SECONDS)
        client = self.client
        if client is None or client.status in ("closed", "closing"):
            self._gone()
            return
        if client.status == "running":
            self._told_lost = False
            await self._register()
        elif not self._told_lost:
            self._told_lost = True
            self._changed()

    def _deliver(self, head: Subscriber, answer: dict[str, Any]) -> None:
        for subscriber in list(self._subscribers):
            if not subscriber.topics or subscriber.catching_up:
                continue
            same = (subscriber.feed, subscriber.epoch) == (head.feed, head.epoch) and subscriber.cursor
            if not same or self._lacks(subscriber, head):
                self._advance(subscriber)
            elif subscriber.credit:
                try:
                    self._hand_on(head, answer, subscriber)
                except Exception as error:
                    # The others have theirs; this one reads separately.
                    self.report(TAB, error)
                    subscriber.catching_up = True
                    self.spawn(self._catch_up(subscriber))

    def _hand_on(self, head: Subscriber, answer: dict[str, Any], subscriber: Subscriber) -> None:
        if answer["feed"] == head.feed and answer["epoch"] == head.epoch:
            self._send(subscriber, trim(answer, subscriber.topics, subscriber.cursor))
        else:
            self._send(subscriber, answer)
            self._serve(subscriber)

    async def _catch_up(self, subscriber: Subscriber) -> None:
        """Read for one tab until it reaches the head's position."""
        rest = REST
        try:
            await self._await_registration()
            while subscriber in self._subscribers and subscriber.topics and subscriber.credit and self._readable:
                try:
                    arrived = await self._read_for(subscriber)
                    self.report(TAB, None)
                    if arrived:
                        break
                except (OSError, asyncio.TimeoutError):
                    await self._recover()
                except Exception as error:
                    self.report(TAB, error)
                    await asyncio.sleep(rest)
                    rest = min(2 * rest, LONGEST_REST)
        finally:
            subscriber.catching_up = False
            self._wanted.set()
            self._serve(subscriber)
            self._poll_for(subscriber)

    async def _read_for(self, subscriber: Subscriber) -> bool:
        """One read for one tab; returns whether it has reached the head, or is gone."""
        answer = await self._read(subscriber, f"{self._reader}/{id(subscriber)}", 0.0)
        if answer is None:
            await self._recover()
            return False
        if subscriber not in self._subscribers:
            return True
        anew = subscriber.seq > 0 and (subscriber.feed, subscriber.epoch) != self._last_feed
        if answer["topics"] or answer["names"] or anew:
            self._send(subscriber, answer)
        else:
            subscriber.move(answer["feed"], answer["epoch"], answer["cursor"])
        if not answer["topics"] and not answer["names"]:
            # The other topics had no result: there is no data yet, or an older collector does not know the topic, or
            # sends names only with topics.
            for topic in subscriber.topics:
                subscriber.cursor.setdefault(topic, 0)
            there = self._head().cursor
            for name in name_cursors(subscriber.topics):
                subscriber.cursor[name] = max(subscriber.cursor.get(name, 0), there.get(name, 0))
        return all(t in subscriber.cursor for t in subscriber.topics) and not self._behind(subscriber)

    def _poll_for(self, subscriber: Subscriber) -> None:
        if not self._polled.issuperset(subscriber.topics):
            self.spawn(self._end_poll())

    async def _end_poll(self) -> None:
        """The poll in progress lacks a newly wanted topic: make it return, so that the next one includes it."""
        with contextlib.suppress(OSError, RuntimeError, asyncio.TimeoutError):
            await self.ask("wake", {"reader": self._reader})

    def _send(self, subscriber: Subscriber, answer: dict[str, Any] | None) -> None:
        if answer is None:
            return
        topics = {name: body for name, body in answer["topics"].items() if name in subscriber.topics}
        if answer["feed"] == subscriber.feed and answer["epoch"] == subscriber.epoch:
            cursor = {**subscriber.cursor, **ahead(answer["cursor"], subscriber.cursor, subscriber.topics)}
        else:
            wanted = {*subscriber.topics, *name_cursors(subscriber.topics)}
            cursor = {name: count for name, count in answer["cursor"].items() if name in wanted}
        subscriber.move(answer["feed"], answer["epoch"], cursor)
        told = {**cursor, **self._sources.cursor(subscriber.positions)}
        subscriber.send(self._encoded({**answer, "topics": topics, "cursor": told}, subscriber.seq))

    def _encoded(self, answer: dict[str, Any], seq: int) -> bytes:
        """A frame; a topic that cannot be encoded is skipped and reported."""
        try:
            return encode(answer, seq)
        except Exception:
            topics: dict[str, Any] = {}
            for name, body in answer["topics"].items():
                try:
                    encode({**answer, "names": {}, "topics": {name: body}}, seq)
                    topics[name] = body
                except Exception as error:
                    self.report(name, error)
            return encode({**answer, "topics": topics}, seq)

    # -- topics gathered from the workers -----------------------------------------------------------------------

    def _serve_all(self) -> None:
        for subscriber in list(self._subscribers):
            self._serve(subscriber)

    def _serve(self, subscriber: Subscriber) -> None:
        """Send a tab what it lacks of the topics gathered here, while it has credit."""
        if (subscriber.feed, subscriber.epoch) != self._last_feed:
            # It has not reached this feed yet: data sent now would belong to another one.
            return
        while subscriber in self._subscribers and subscriber.credit:
            topics, after = self._sources.news(subscriber.gathered, subscriber.positions)
            if not topics:
                return
            subscriber.positions.update(after)
            frame = {
                "feed": subscriber.feed,
                "epoch": subscriber.epoch,
                "time": self.clock,
                "names": {},
                "cursor": {**subscriber.cursor, **self._sources.cursor(subscriber.positions)},
                "topics": topics,
            }
            subscriber.send(self._encoded(frame, subscriber.seq))

    # -- requests -----------------------------------------------------------------------------------------------

    async def tell(self, op: str, args: dict[str, Any]) -> None:
        """Send the collector a message without waiting for an answer; a failure is only logged."""
        try:
            await self.ask(op, args)
        except Exception:
            logger.debug("the collector was not told", exc_info=True)

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
            raise RuntimeError("The client is closed: what was seen stays, nothing more can be asked.")
        await self.ready()
        answer = await self._call(ASK_HANDLER, {"name": op, "args": plain(args)}, 30)
        self._pulse.note()
        if answer is None and op not in UNANSWERED:
            raise RuntimeError("The scheduler has no collector of Dask Panes now.")
        if isinstance(answer, dict) and answer.keys() == {"refused"}:
            raise ValueError(str(answer["refused"]))
        return answer
