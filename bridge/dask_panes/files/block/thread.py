"""The thread that writes the frames of a block to its file.

Guarantees: the Client's loop only puts frames into a queue, limited by a subscriber's credit, so a slow disk makes
frames fewer and larger but never slows down the computation; an error ends the writing and is kept for the end of the
block; what was written until then stays readable.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent import futures
from enum import Enum, auto
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from ...feed.codec import decode
from ..blocks import RecordingError
from ..format.writer import CHUNK_SECONDS, RecordingWriter
from .cut import Cut
from .keys import KeysKnown, first_keys
from .target import Target

logger = logging.getLogger(__name__)

#: Why a recording ends early where another scheduler or collector answers, or none.
REPLACED = (
    "The scheduler was replaced, or the collector of Dask Panes was removed from it: what happened after that was not "
    "recorded."
)
#: Seconds after which an incomplete chunk is written even if nothing more arrives, in the first day of a recording.
FLUSH_SECONDS = CHUNK_SECONDS
#: What waiting for another loop raises. Before Python 3.11 the three of a time-out are different.
_NO_ANSWER = (TimeoutError, asyncio.TimeoutError, futures.TimeoutError, asyncio.CancelledError, futures.CancelledError)


class _Mark(Enum):
    """Entries of the frame queue other than frames."""

    BEGUN = auto()
    ENDED = auto()


class WritingThread:
    """Writes the frames of one block.

    Parameters
    ----------
    target : Target
        The file.
    ask : callable
        Receives arguments of the request ``keys``; returns the collector's answer. Raises OSError or RuntimeError, or
        a time-out.
    acknowledge : callable
        Called with the number of each written frame that has one.
    unread : callable
        Returns messages about missing data, at the end.
    leave : callable
        Called when the writing has ended, however it ended.

    Attributes
    ----------
    error : Exception or None
        Why the writing ended early.
    why : str
        Why the recording ends early, for users; who puts the frames may set it, too.
    missing : list of str
        Messages about missing data; known after the end.
    """

    def __init__(
        self,
        target: Target,
        *,
        ask: Callable[[dict[str, int]], Any],
        acknowledge: Callable[[int], None],
        unread: Callable[[], list[str]],
        leave: Callable[[], None],
    ) -> None:
        self._target = target
        self._ask, self._acknowledge, self._unread, self._leave = ask, acknowledge, unread, leave
        self._queue: SimpleQueue[tuple[bytes, int | None] | _Mark] = SimpleQueue()
        self._keys_known = KeysKnown()
        #: Rows whose keys the scheduler no longer had.
        self._keyless = 0
        self._thread: threading.Thread | None = None
        #: Why keys could not be asked for.
        self._unasked = ""
        self.error: Exception | None = None
        self.why = ""
        self.missing: list[str] = []

    def start(self, writer: RecordingWriter, cut: Cut) -> None:
        """Start writing; frames may have been put before.

        Parameters
        ----------
        writer : RecordingWriter
            Writes to the file.
        cut : Cut
            Leaves out what is not of the block.
        """
        self._writer, self._cut = writer, cut
        self._thread = threading.Thread(target=self._write, name="dask-panes-recorder", daemon=True)
        self._thread.start()

    @property
    def started(self) -> bool:
        """Whether it was started: then it leaves by itself."""
        return self._thread is not None

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._writer.size

    @property
    def tasks(self) -> int:
        """Executions of tasks in the file."""
        return self._writer.rows

    def put(self, data: bytes, seq: int | None = None) -> None:
        """Add an encoded frame, with the number to acknowledge; any thread."""
        self._queue.put((data, seq))

    def begin(self) -> None:
        """The block begins: what came before is its baseline."""
        self._queue.put(_Mark.BEGUN)

    def end(self) -> None:
        """No more frames come: finish writing, then end."""
        self._queue.put(_Mark.ENDED)

    def drop(self) -> None:
        """The block did not begin: finish, and leave the file that is at the destination."""
        self.error = self.error or RecordingError("The block did not begin.")
        self.end()

    def join(self) -> None:
        """Wait for the end, if it was started."""
        if self._thread is not None:
            self._thread.join()

    # -- in the thread ------------------------------------------------------------------------------------------

    def _write(self) -> None:
        try:
            self._write_all()
            self._target.check()
        except OSError as error:
            self.error = error
        except Exception as error:
            logger.debug("recording failed", exc_info=True)
            self.error = error
        finally:
            self._leave()
            try:
                self._target.file.close()
            except OSError as error:
                self.error = self.error or error
            self._put()

    def _put(self) -> None:
        """Move the written file to its destination, if it is complete."""
        if self.error is None:
            try:
                self._target.put()
            except Exception as error:
                logger.debug("the recording could not be put into its place", exc_info=True)
                self.error = error

    def _write_all(self) -> None:
        written = monotonic()
        while True:
            patience = FLUSH_SECONDS * self._writer.lengthened
            try:
                item = self._queue.get(timeout=max(0.0, written + patience - monotonic()))
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
            if self._take(decode(data)) or monotonic() - written > patience:
                self._flush()
                written = monotonic()
            if seq is not None:
                self._acknowledge(seq)
        self._flush()
        self.missing = self._unread()
        if self._keyless:
            tasks = "1 task" if self._keyless == 1 else f"{self._keyless:,} tasks"
            self.missing.append(f"Keys of {tasks} are missing: the scheduler no longer had them.")
        if self._unasked and self.why:
            self.missing.append(self._unasked)
        self.why = self.why or self._unasked
        self._writer.finish(self.why, self.missing)
        if self.why:
            self.missing = [self.why, *self.missing]

    def _take(self, frame: dict[str, Any]) -> bool:
        """Pass a frame to the writer; returns whether its chunk is full."""
        if self._writer.feed and frame["feed"] != self._writer.feed:
            self.why = self.why or REPLACED
            return False
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
            if keys is None:
                return
            first = min(end, keys.get("first", end))
            count = min(end - first, len(keys.get("length", ())))
            if count <= 0:
                self._keyless += end - row
                return
            self._keyless += first - row
            self._writer.add_keys(keys["first"], first_keys(keys, count))
            row = keys["first"] + count

    def _ask_keys(self, first: int) -> dict[str, Any] | None:
        """Packed keys from a row on, without any if the scheduler no longer has them; None if it did not answer."""
        try:
            answer = self._ask(self._keys_known.question(first))
        except (OSError, RuntimeError, *_NO_ANSWER) as error:
            reason = (str(error) or "the scheduler did not answer").rstrip(".")
            self._unasked = self._unasked or f"Some keys of tasks are missing: {reason}."
            return None
        return {} if answer is None or "packed" not in answer else self._keys_known.take(answer)
