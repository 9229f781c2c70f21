"""The feed of one block: what the Client's session and the workers report while it runs, from its start to its end.

Guarantees: it begins with the state of the cluster at the start of the block, and ends when everything up to the end of
the block has arrived, or when nothing has arrived for 10 s, which the recording then says. Everything here runs on the
Client's event loop; `ask_keys` may be called from other threads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...feed.codec import encode
from ...feed.schema import SCHEMA
from ...kernel.activate import session_of
from ...kernel.cells import Cells
from ...kernel.gather.probe import WorkerReach
from ...kernel.session.session import NO_COLLECTOR, Session
from ...kernel.session.subscriber import Subscriber
from ..format.writer import RecordingWriter
from .cut import Cut
from .gathering import Gathering
from .missing import missing
from .progress import EndProgress
from .target import Target
from .thread import REPLACED, WritingThread

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds without progress after which the end of a block no longer waits for missing data.
PATIENCE = 10.0
#: Part of it that one worker may use to answer, seconds.
SERVER_PATIENCE = 4.0
#: Seconds that a block or a table waits until the scheduler has its collector: it may be reading a large graph.
REGISTERED = 300.0
#: Seconds between two checks whether everything has arrived.
LOOK = 0.02
#: Why a recording ends early, for users.
CLIENT_CLOSED = "The client was closed before the end of the block."
#: Why a block does not run, for users.
NOT_BEGUN = "The scheduler does not answer: the block did not run, and nothing was recorded. Try again when it answers."
#: Topics that an idle cluster does not send.
SILENT_WHILE_IDLE = ("series", "activities")
#: All topics of a feed, including those that later versions add to the schema.
_TOPICS = tuple(SCHEMA["topics"])
#: Topics whose rows before the block are not recorded.
_HISTORIES = frozenset(("tasks", "events", "steals", "series", "memory_samples", "graph"))
#: Topics that are sent whole at the start.
_TABLES = (
    *("meta", "workers", "attempts", "errors", "prefixes", "computations", "groups", "held", "bandwidth"),
    *("activities", "shuffles", "hardware"),
)


#: Histories that may stay empty in a block.
_WRITTEN_EMPTY = frozenset(("tasks", "events", "steals"))
#: Lists of text, which have the length of the columns.
_EMPTY: dict[str, dict[str, list[str]]] = {"events": {"topic": [], "action": [], "text": []}}


def _no_rows(topic: str) -> dict[str, tuple[str, bytes]]:
    """Empty columns of a topic, as the collector sends them."""
    columns = SCHEMA["topics"][topic]["columns"]
    return {name: (column["dtype"].split("|")[0], b"") for name, column in columns.items()}


class BlockFeed:
    """Subscribes to a Client's session for one block, and gathers the workers' own data.

    Parameters
    ----------
    client : distributed.Client
        A running client.
    target : Target
        The file.
    name : str
        Name of the file, for users.
    what : str
        What is made of the block: ``"recording"`` or ``"report"``.

    Attributes
    ----------
    writing : WritingThread
        Writes what is received, once `start` has begun.
    """

    #: Set at the start.
    _session: Session
    #: Whether the session was made for this block.
    _own: bool
    _subscriber: Subscriber
    _gathering: Gathering
    _progress: EndProgress
    #: Topics that the session's collector reports.
    _collected: list[str]
    _cut: Cut
    _writer: RecordingWriter

    def __init__(self, client: Client, target: Target, name: str, what: str = "recording") -> None:
        self._client, self._target, self._name, self._what = client, target, name, what
        self._loop: asyncio.AbstractEventLoop = client.loop.asyncio_loop
        self._epoch = -1
        #: What was gathered before the block has begun: neither its feed nor the scheduler's clock is known until then.
        self._early: list[dict[str, Any]] | None = []
        self._cells = Cells(None, lambda *_: None)
        self.writing = WritingThread(
            target, ask=self.ask_keys, acknowledge=self._acknowledge, unread=self._unread, leave=self._leave
        )

    async def start(self) -> None:
        """Begin the block.

        Raises
        ------
        OSError, RuntimeError, TimeoutError
            The scheduler does not answer, or permits no collector.
        """
        self._session, self._own = session_of(self._client)
        self._subscriber = Subscriber(self._take_frame)
        self._gathering = Gathering(WorkerReach(self._session.ask, SERVER_PATIENCE), self._take_gathered, _TOPICS)
        self._progress = EndProgress(self._session, self._gathering, self._what)
        try:
            await self._begin()
        except BaseException:
            self._gathering.stop()
            if not self.writing.started:
                self._leave()
            raise

    async def _begin(self) -> None:
        if self._own:
            await self._session.start()
        try:
            await asyncio.wait_for(self._session.ready(), REGISTERED)
        except asyncio.TimeoutError:
            raise TimeoutError(NOT_BEGUN) from None
        if self._own:
            # In a script nothing else reports the size of graphs to the collector.
            await self._cells.begin_when_answered(self._session)
        # Workers have reported everything to the scheduler before its tables are read.
        await self._gathering.begin(PATIENCE)
        self._collected = [topic for topic in _TOPICS if topic not in self._gathering.topics]
        try:
            end = await self._session.ask("end", {"topics": self._collected, "now": True})
        except asyncio.TimeoutError:
            raise TimeoutError(NOT_BEGUN) from None
        info = self._session.info()
        facts = {name: info[name] for name in ("cluster", "address", "workers", "threads")}
        # Earlier history is not recorded, but the current state is: histories begin at their end, tables are sent
        # whole, also where they are empty: a reader knows then that nothing happened.
        cursor = {topic: end["cursor"].get(topic, 0) for topic in self._collected if topic in _HISTORIES}
        self._cut = Cut(end.get("first", cursor), end["time"])
        self._writer = RecordingWriter(self._target.file, {"name": self._name, **facts}, cursor.get("tasks", -1))
        self.writing.start(self._writer, self._cut)
        self._session.add(self._subscriber, self._collected, end["feed"], end["epoch"], cursor)
        # The current tables are the block's baseline.
        await self._await({topic: end["cursor"].get(topic, 0) for topic in _TABLES}, PATIENCE)
        self.writing.begin()
        early, self._early = self._early or [], None
        for topics in early:
            self._take_gathered(topics)
        self._write_empty(cursor)

    def _write_empty(self, cursor: Mapping[str, int]) -> None:
        """Write that histories are empty so far: a feed sends them only when something happens."""
        self._take_gathered(
            {
                topic: {"c": _no_rows(topic), "s": {"first": first, **_EMPTY.get(topic, {})}}
                for topic, first in cursor.items()
                if topic in _WRITTEN_EMPTY
            }
        )

    def _take_frame(self, data: bytes, seq: int) -> None:
        self.writing.put(data, seq)
        if self._subscriber.epoch != self._epoch:
            restarted, self._epoch = self._epoch >= 0, self._subscriber.epoch
            if restarted:
                # With a new epoch a reader clears everything.
                asyncio.get_running_loop().call_soon(self._gathering.again)

    def _take_gathered(self, topics: dict[str, Any]) -> None:
        if self._early is not None:
            self._early.append(topics)
            return
        frame = {
            "feed": self._subscriber.feed,
            "epoch": self._subscriber.epoch,
            "time": self._session.clock,
            "names": {},
            "cursor": {},
            "topics": topics,
        }
        self.writing.put(encode(frame, 0))

    def reachable(self) -> bool:
        """Whether the client's loop still runs, so that `arrive` can; any thread."""
        if not self._loop.is_running():
            self.writing.why = CLIENT_CLOSED
            return False
        return True

    async def arrive(self) -> None:
        """Wait until everything up to now has arrived, then leave the session."""
        try:
            client = self._session.client
            if self._session.closed or client is None or client.status in ("closed", "closing"):
                self.writing.why = CLIENT_CLOSED
            elif self.writing.error is None:
                self._progress.begin()
                await self._gathering.end(PATIENCE)
                self._progress.doing = "history"
                asked = self._session.ask("end", {"topics": self._collected, "now": True})
                end = await asyncio.wait_for(asked, PATIENCE)
                if end["feed"] != self._subscriber.feed:
                    # Its positions say nothing about those of the one that was recorded.
                    self.writing.why = REPLACED
                    return
                silent = SILENT_WHILE_IDLE if end.get("idle") else ()
                await self._await({topic: at for topic, at in end["cursor"].items() if topic not in silent}, PATIENCE)
        except (OSError, RuntimeError, asyncio.TimeoutError) as error:
            reason = str(error) or f"no answer within {PATIENCE:.0f} s"
            self.writing.why = (
                REPLACED
                if reason == NO_COLLECTOR
                else f"The scheduler did not answer at the end of the block: {reason.rstrip('.')}."
            )
        finally:
            self._progress.doing = "file"
            self._gathering.stop()
            self._session.unsubscribe(self._subscriber)

    async def _await(self, end: Mapping[str, int], patience: float) -> None:
        before, since = dict(self._subscriber.cursor), monotonic()
        while any(self._subscriber.cursor.get(topic, 0) < at for topic, at in end.items()):
            await asyncio.sleep(LOOK)
            if self.writing.error is not None or self._session.closed:
                return
            if self._subscriber.cursor != before:
                before, since = dict(self._subscriber.cursor), monotonic()
            elif monotonic() - since > patience:
                self.writing.why = (
                    f"The scheduler sent nothing for {patience:.0f} s at the beginning or the end of the block."
                )
                return

    def ask_keys(self, question: dict[str, int]) -> Any:
        """Keys of rows; waits in another thread than the loop's."""
        asked = self._session.ask("keys", question)
        try:
            answer = asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError:
            # The loop is closed.
            asked.close()
            raise
        try:
            return answer.result(PATIENCE)
        finally:
            # On its loop: nothing that it waits for may be touched here.
            answer.cancel()

    def _unread(self) -> list[str]:
        """Messages about missing data."""
        names, read = self._writer.names.get("workers", []), self._gathering
        unheard, refusals = (read.unheard, read.unheard_first), (read.refusal, read.refusal_first)
        return missing(names, read.unread, read.late, self._cut.left, *unheard, *refusals)

    def _acknowledge(self, seq: int) -> None:
        self._call(self._session.acknowledge, self._subscriber, seq)

    def _leave(self) -> None:
        self._call(self._progress.end)
        self._call(self._session.unsubscribe, self._subscriber)
        if self._own:
            self._call(self._cells.end)
            self._call(self._session.close)

    def _call(self, function: Any, *args: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            # The event loop is closed, and no more data can arrive.
            logger.debug("the client's loop is closed")
