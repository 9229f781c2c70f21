"""`dask_panes.record`: write the feed of a Client to a file while a block of code runs.

A recorder is a subscriber of the Client's session like any browser tab; its sink is a thread that writes. The
Client's loop only puts frames into a queue, limited by a subscriber's credit: a slow disk makes frames fewer and
larger, but never slows down the computation. Write errors are raised at the end of the block.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import warnings
from array import array
from collections.abc import Coroutine, Mapping
from enum import Enum, auto
from itertools import accumulate
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from ..feed.codec import decode, encode
from ..feed.schema import DTYPES, SCHEMA
from ..kernel.activate import channel
from ..kernel.options import options, require_enabled
from ..kernel.probe import Reach
from ..kernel.session import Session
from ..kernel.subscriber import Subscriber
from ..scheduler.collector.keys import groups_in
from .cut import Cut
from .gathering import Gathering
from .missing import missing
from .place import Place
from .recording import CHUNK_SECONDS, RecordingError, RecordingWriter

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: Seconds without progress after which the end of a block no longer waits for missing data.
PATIENCE = 10.0
#: Part of it that one worker may use to answer, seconds.
SERVER_PATIENCE = 4.0
#: Seconds between two checks whether everything has arrived.
LOOK = 0.02
#: Seconds after which an incomplete chunk is written even if nothing more arrives.
FLUSH_SECONDS = CHUNK_SECONDS
#: Group names written without checking whether all are used.
FEW_GROUPS = 64
#: Topics that an idle cluster does not send.
SILENT_WHILE_IDLE = ("series", "activities")

_T = TypeVar("_T")


class Recorder:
    """Records while a block runs; see `record`.

    Attributes
    ----------
    path : pathlib.Path or str
        The file; text if it is not on a file system of this machine.
    size : int
        Bytes of the file; known after the block.
    tasks : int
        Executions of tasks in the file; known after the block.
    missing : list of str
        Messages about missing data; known after the block.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        client: Client | None = None,
        storage_options: Mapping[str, Any] | None = None,
        what: str = "recording",
    ) -> None:
        self._place = Place(path, what, storage_options)
        #: The file; text if it is not on a file system of this machine.
        self.path: Path | str = self._place.path or str(self._place)
        #: Bytes and task executions in the file.
        self.size = 0
        self.tasks = 0
        #: Messages about missing data; known after the block.
        self.missing: list[str] = []
        self._given = client
        self._active = False

    # -- blocks -------------------------------------------------------------------------------------------------

    def __enter__(self) -> Recorder:
        client = self._begin()
        if client.asynchronous:
            self._abandon()
            raise TypeError("This Client is asynchronous: write `async with dask_panes.record(...)`.")
        try:
            self._on_loop(self._start(client)).result()
        except BaseException:
            self._abandon()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self._loop.is_closed():
                self._on_loop(self._arrive()).result()
        finally:
            self._stop()
            self._thread.join()
        self._conclude(error)

    async def __aenter__(self) -> Recorder:
        client = self._begin()
        try:
            await self._here(self._start(client))
        except BaseException:
            self._abandon()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self._loop.is_closed():
                await self._here(self._arrive())
        finally:
            self._stop()
            await asyncio.to_thread(self._thread.join)
        self._conclude(error)

    def _on_loop(self, coroutine: Coroutine[Any, Any, _T]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    async def _here(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        if asyncio.get_running_loop() is self._loop:
            return await coroutine
        result: _T = await asyncio.wrap_future(self._on_loop(coroutine))
        return result

    def _begin(self) -> Client:
        if self._active:
            raise RuntimeError("This recorder records already: make another one with dask_panes.record().")
        require_enabled()
        client = self._given or _current_client()
        self._loop: asyncio.AbstractEventLoop = client.loop.asyncio_loop
        self._place.refuse()
        target = self._place.path
        #: The file being written: next to an existing one, which stays until the new one is complete.
        self._written = target if target is not None and not target.is_file() else self._place.beside()
        try:
            self._file: BinaryIO = self._written.open("wb", buffering=0)
        except OSError as error:
            raise self._place.refused(error) from error
        self._queue: SimpleQueue[tuple[bytes, int | None] | _Mark] = SimpleQueue()
        self._error: Exception | None = None
        self._why = ""
        self._epoch = -1
        self._time = 0.0
        self._active = True
        return client

    def _abandon(self) -> None:
        """Nothing was recorded: do not leave an empty file."""
        self._file.close()
        # Only regular files: the destination may be a pipe.
        if self._written.is_file():
            self._written.unlink()
        self._active = False

    def _conclude(self, error: BaseException | None) -> None:
        self._active = False
        if self._error is None:
            return
        kept = "" if self._written == self._place.path else f" What there is of it is in {self._written}."
        text = f"The recording {self.path} is not complete: {self._error}{kept if self._written.exists() else ''}"
        if error is None:
            raise RecordingError(text) from self._error
        # An exception of the block takes precedence.
        warnings.warn(text, stacklevel=3)

    # -- on the Client's loop -----------------------------------------------------------------------------------

    async def _start(self, client: Client) -> None:
        found = channel()
        self._own = found is None or not found.known(client.id)
        if found is None or self._own:
            self._session = Session(client, lambda: None, options())
            await self._session.start()
        else:
            self._session = found.session(client)
        await self._session.ready()
        self._subscriber = Subscriber(self._take_frame)
        self._gathering = Gathering(Reach(self._session.ask, SERVER_PATIENCE), self._take_gathered, _TOPICS)
        # Workers have reported everything to the scheduler before its tables are read.
        await self._gathering.begin(PATIENCE)
        self._collected = [topic for topic in _TOPICS if topic not in self._gathering.topics]
        end = await self._session.ask("end", {"topics": self._collected, "now": True})
        info = self._session.info()
        facts = {name: info[name] for name in ("cluster", "address", "workers", "threads")}
        # Earlier history is not recorded, but the current state is: histories begin at their end, tables are sent
        # whole.
        cursor = {topic: end["cursor"].get(topic, 0) if topic in _HISTORIES else 0 for topic in self._collected}
        self._cut = Cut(end.get("first", cursor), end["time"])
        self._writer = RecordingWriter(self._file, {"name": self._place.name, **facts}, cursor.get("tasks", -1))
        self._keys_known = KeysKnown()
        self._thread = threading.Thread(target=self._write, name="dask-panes-recorder", daemon=True)
        self._thread.start()
        self._session.add(self._subscriber, self._collected, end["feed"], end["epoch"], cursor)
        # The current tables are the block's baseline.
        await self._await({topic: end["cursor"].get(topic, 0) for topic in _TABLES}, PATIENCE)
        self._queue.put(_Mark.BEGUN)

    def _take_frame(self, data: bytes, seq: int) -> None:
        self._queue.put((data, seq))
        if self._subscriber.epoch != self._epoch:
            anew, self._epoch = self._epoch >= 0, self._subscriber.epoch
            if anew:
                # With a new epoch a reader clears everything.
                asyncio.get_running_loop().call_soon(self._gathering.again)

    def _take_gathered(self, topics: dict[str, Any]) -> None:
        frame = {
            "feed": self._subscriber.feed,
            "epoch": self._subscriber.epoch,
            "time": self._session.clock,
            "names": {},
            "cursor": {},
            "topics": topics,
        }
        self._queue.put((encode(frame, 0), None))

    async def _arrive(self) -> None:
        """Wait until everything up to now has arrived, then leave the session."""
        try:
            client = self._session.client
            if self._session.closed or client is None or client.status in ("closed", "closing"):
                self._why = "The client was closed before the end of the block."
            elif self._error is None:
                await self._gathering.end(PATIENCE)
                end = await self._session.ask("end", {"topics": self._collected, "now": True})
                silent = SILENT_WHILE_IDLE if end.get("idle") else ()
                await self._await({topic: at for topic, at in end["cursor"].items() if topic not in silent}, PATIENCE)
        except (OSError, RuntimeError, asyncio.TimeoutError) as error:
            self._why = f"The scheduler did not answer at the end of the block: {error}"
        finally:
            self._gathering.stop()
            self._session.unsubscribe(self._subscriber)

    async def _await(self, end: Mapping[str, int], patience: float) -> None:
        before, since = dict(self._subscriber.cursor), monotonic()
        while any(self._subscriber.cursor.get(topic, 0) < at for topic, at in end.items()):
            await asyncio.sleep(LOOK)
            if self._error is not None or self._session.closed:
                return
            if self._subscriber.cursor != before:
                before, since = dict(self._subscriber.cursor), monotonic()
            elif monotonic() - since > patience:
                self._why = f"The scheduler sent nothing for {patience:.0f} s at the begin or the end of the block."
                return

    def _stop(self) -> None:
        """The thread finishes writing, then ends."""
        self._queue.put(_Mark.ENDED)

    # -- in the thread ------------------------------------------------------------------------------------------

    def _write(self) -> None:
        try:
            self._write_all()
            self._check_place()
        except OSError as error:
            self._error = error
        except Exception as error:
            logger.debug("recording failed", exc_info=True)
            self._error = error
        finally:
            self._leave()
            self.size, self.tasks = self._writer.size, self._writer.rows
            try:
                self._file.close()
            except OSError as error:
                self._error = self._error or error
            self._put()

    def _put(self) -> None:
        """Move the written file to its destination, if it is complete."""
        if self._error is None and self._written != self._place.path:
            try:
                self._place.take(self._written)
            except Exception as error:
                logger.debug("the recording could not be put into its place", exc_info=True)
                self._error = error

    def _write_all(self) -> None:
        written = monotonic()
        while True:
            try:
                item = self._queue.get(timeout=FLUSH_SECONDS)
            except Empty:
                self._flush()
                written = monotonic()
                continue
            if isinstance(item, _Mark):
                if item is _Mark.ENDED:
                    break
                self._cut.begun = True
                continue
            data, seq = item
            if self._take(decode(data)) or monotonic() - written > FLUSH_SECONDS:
                self._flush()
                written = monotonic()
            if seq is not None:
                self._call(self._session.acknowledge, self._subscriber, seq)
        self._flush()
        self.missing = self._unread()
        self._writer.finish(self._why, self.missing)
        if self._why:
            self.missing = [self._why, *self.missing]

    def _unread(self) -> list[str]:
        """Messages about missing data."""
        gathering, names = self._gathering, self._writer.names.get("workers", [])
        return missing(names, gathering.unread, gathering.late, self._cut.left)

    def _take(self, frame: dict[str, Any]) -> bool:
        """Pass a frame to the writer; returns whether its chunk is full."""
        if self._writer.feed and frame["feed"] != self._writer.feed:
            self._why = self._why or "The scheduler was replaced by another one."
            return False
        # The clock of gathered data is an estimate; frames are in order of time.
        self._time = frame["time"] = max(frame["time"], self._time)
        self._writer.add(self._cut.frame(frame))
        return self._writer.full

    def _flush(self) -> None:
        self._writer.flush()
        stretches, self._writer.unkeyed = self._writer.unkeyed, []
        for first, rows in stretches:
            self._add_keys(first, first + rows)

    def _add_keys(self, row: int, end: int) -> None:
        """Write the keys of rows; an answer ends with a chunk of the collector, and may begin later."""
        while row < end:
            keys = self._ask_keys(row)
            count = 0 if keys is None else min(end - keys["first"], len(keys["length"]))
            if keys is None or count <= 0:
                return
            self._writer.add_keys(keys["first"], first_keys(keys, count))
            row = keys["first"] + count

    def _ask_keys(self, first: int) -> dict[str, Any] | None:
        """Packed keys from a row on; None if the scheduler no longer has them."""
        known = self._keys_known
        question = self._session.ask("keys", known.question(first))
        try:
            answer = self._on_loop(question).result(PATIENCE)
        except (OSError, RuntimeError, TimeoutError, asyncio.TimeoutError, asyncio.CancelledError) as error:
            question.close()
            self._why = self._why or f"Some keys of tasks are missing: {error}"
            return None
        return None if answer is None or "packed" not in answer else known.take(answer)

    def _check_place(self) -> None:
        """A deleted file still accepts writes, but is gone."""
        try:
            there = os.path.samestat(self._written.stat(), os.fstat(self._file.fileno()))
        except FileNotFoundError:
            there = False
        if not there:
            raise RecordingError("the file was removed or replaced while it was written.")

    def _leave(self) -> None:
        self._call(self._session.unsubscribe, self._subscriber)
        if self._own:
            self._call(self._session.close)

    def _call(self, function: Any, *args: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            # The event loop is closed, and no more data can arrive.
            logger.debug("the client's loop is closed")


#: All topics of a feed, including those that later versions add to the schema.
_TOPICS = tuple(SCHEMA["topics"])
#: Topics whose rows before the block are not recorded.
_HISTORIES = frozenset(("tasks", "events", "series", "memory_samples", "graph"))
#: Topics that are sent whole at the start.
_TABLES = ("meta", "workers", "attempts", "prefixes", "computations", "groups", "held", "bandwidth", "activities")


class _Mark(Enum):
    """Entries of the frame queue other than frames."""

    BEGUN = auto()
    ENDED = auto()


class KeysKnown:
    """Names of groups and types received from the collector so far."""

    def __init__(self) -> None:
        self.chunk = -1
        self.groups: list[str] = []
        self.types: list[str] = []

    def question(self, row: int) -> dict[str, int]:
        """Arguments of the request ``keys``, from a row on."""
        return {"row": row, "chunk": self.chunk, "groups": len(self.groups), "types": len(self.types)}

    def take(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Store the names of an answer; returns its keys with the names that they use."""
        if answer["chunk"] != self.chunk:
            self.chunk, self.groups = answer["chunk"], []
        self.groups.extend(answer["groups"])
        self.types.extend(answer["types"])
        offsets = _column(answer["offsets"])
        packed = bytes(answer["packed"])
        return {
            "first": answer["first"],
            "length": _lengths(offsets, answer["begin"] + len(packed)),
            "packed": packed,
            "type": _column(answer["type"]),
            "all_groups": self.groups,
            "all_types": self.types,
        }


def _column(wire: tuple[str, bytes]) -> array[int]:
    dtype, data = wire
    values: array[int] = array(DTYPES[dtype]["array"])
    values.frombytes(data)
    return values


def _lengths(offsets: array[int], end: int) -> array[int]:
    """Bytes of each key, from where each begins and where the last ends."""
    ends = offsets[1:]
    ends.append(end)
    # Each end is after its start, so nothing is borrowed: as one long integer they are subtracted all at once.
    begins, beyond = (int.from_bytes(values.tobytes(), sys.byteorder) for values in (offsets, ends))
    lengths: array[int] = array(offsets.typecode)
    lengths.frombytes((beyond - begins).to_bytes(len(offsets) * offsets.itemsize, sys.byteorder))
    return lengths


def first_keys(keys: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The first keys, with the names that they use; if there are few names, all of them, since filtering takes
    longer.
    """
    lengths, kinds = keys["length"][:count], keys["type"][:count]
    packed = keys["packed"][: sum(lengths)]
    known = keys["all_groups"]
    groups = range(len(known)) if len(known) <= FEW_GROUPS else groups_in(packed, accumulate(lengths[:-1], initial=0))
    return {
        "length": lengths,
        "packed": packed,
        "type": kinds,
        "groups": {found: known[found] for found in groups},
        "types": {found: keys["all_types"][found] for found in sorted(set(kinds))},
    }


def _current_client() -> Client:
    from distributed.client import default_client

    client: Client = default_client()
    return client


def record(
    path: str | os.PathLike[str],
    client: Client | None = None,
    *,
    storage_options: Mapping[str, Any] | None = None,
) -> Recorder:
    """Record what a cluster does while a block of code runs.

    Parameters
    ----------
    path : str or path
        The file; JupyterLab opens those that end in ``.dask-run``. An existing one is replaced.
    client : distributed.Client, optional
        The Client whose cluster is recorded; without it the current one.
    storage_options : mapping, optional
        Arguments of the file system, for a `path` that is a URL (``s3://…``); see fsspec.

    Returns
    -------
    Recorder
        A context manager, for ``with`` and, with an asynchronous Client, for ``async with``.

    Raises
    ------
    RecordingError
        At the end of the block, where the file could not be written; what the block raises itself goes before it.
    OSError
        At its begin, where the file cannot be made.
    ValueError
        Where there is no Client, fsspec does not know the place, or `storage_options` are given for a plain path.
    ImportError
        Where fsspec lacks the package for the place.
    TypeError
        At the begin of a ``with`` block, for an asynchronous Client.
    RuntimeError
        At the begin of the block, where the scheduler allows no collector, the Client is closed, or with
        ``dask-panes.enabled: false``.

    Examples
    --------
    >>> with dask_panes.record("run.dask-run"):  # doctest: +SKIP
    ...     result.compute()
    >>> async with dask_panes.record("run.dask-run", client=client):  # doctest: +SKIP
    ...     await client.compute(result)
    """
    return Recorder(path, client, storage_options)
