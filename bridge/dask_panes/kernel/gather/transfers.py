"""Topic `transfers`: transfers between workers, with both sides of a transfer in one row."""

from __future__ import annotations

import asyncio
import sys
from array import array
from collections import deque
from collections.abc import Iterator, Mapping
from math import inf, nan
from typing import Any, NamedTuple

from .answers import Answers
from .probe import Probe, WorkerReach
from .row_log import RowLog
from .sources import LEAST_INTERVAL, Reading, Source

PROBE = Probe.of("transfers", f"{__package__}.probes", "transfers.py")

#: Maximum rows, and rows per frame.
ROWS = 50_000
FRAME_ROWS = 500
#: Entries of each log of a worker per answer.
LIMIT = 500
#: Minimum seconds between two answers of a worker that has more.
PAUSE = 0.05
#: Maximum difference in seconds between the two sides of one transfer: clocks are estimates.
APART = 1.0
#: Number of reads for which one side waits for the other: the other worker may not have answered.
WAITS = 2
#: Rows with one side that are remembered for their other side.
ALONE = 1_000
#: Workers that have left whose addresses are still known: their transfers are reported by others.
LEFT = 1_000

COLUMNS = {
    "sender": "I",
    "receiver": "I",
    "start": "d",
    "stop": "d",
    "total": "d",
    "compressed": "d",
    "keys": "I",
    "sides": "B",
}
TEXTS = ("names", "sender_address", "receiver_address")
INCOMING, OUTGOING, BOTH = 1, 2, 3


class Side(NamedTuple):
    """One worker's entry of a transfer; seconds of scheduler time, bytes."""

    sender: str
    receiver: str
    start: float
    stop: float
    total: float
    compressed: float
    keys: int
    names: tuple[str, ...]

    @property
    def what(self) -> tuple[Any, ...]:
        """Fields equal on both sides of a transfer."""
        return (self.sender, self.receiver, self.keys, self.total)


class TransfersSource(Source):
    """Reads every worker's transfer logs from its last position, and joins the two sides of each transfer."""

    topic = "transfers"

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin with nothing."""
        self._log = RowLog(COLUMNS, TEXTS, ROWS)
        #: Numbers of the next entries, by worker.
        self._next: dict[int, dict[str, int]] = {}
        #: Workers whose position is not known yet.
        self._late: set[int] = set()
        #: Scheduler time of the start: a transfer that was over by then is only reported if a later entry matches it.
        self._begun = -inf
        self._ids: dict[str, int] = {}
        self._waiting: list[tuple[int, int, Side]] = []
        #: Rows with one side, whose other side may still come: it is the same transfer.
        self._alone: deque[tuple[int, Side]] = deque(maxlen=ALONE)
        self._dropped = 0

    @property
    def end(self) -> int:
        """Cursor of a reader that has everything."""
        return self._log.end

    def read(self, cursor: int) -> Reading:
        """Transfers after a cursor, in order of discovery."""
        return self._log.read(cursor, FRAME_ROWS)

    async def begin(self, reach: WorkerReach) -> None:
        """Begin with the next transfer of every worker."""
        answers = await reach.workers(PROBE, {"now": True})
        self._begun = min((float(answer["time"]) for answer in answers.of.values()), default=-inf)
        self._take(answers)
        self._late = set(answers.failed)

    async def look(self, reach: WorkerReach, last: bool = False) -> bool:
        """Read every worker up to its newest transfer."""
        found = 0
        log = self._log
        more = True
        workers = await reach.count()
        # From a worker read for the first time: its equal share of all kept entries.
        arguments = {"limit": LIMIT, "newest": max(1, ROWS // max(1, workers))}
        while more:
            each: dict[int, dict[str, Any]] = {worker: {**at, "newest": 0} for worker, at in self._next.items()}
            each |= {worker: {"now": True} for worker in self._late}
            combined: Answers | None = None
            more = False
            async for answers in reach.slices(PROBE, arguments, each, hurry=last):
                if log is not self._log:
                    return True
                self._late -= answers.of.keys()
                more = self._take(answers) or more
                combined = answers if combined is None else combined.and_of(answers)
            assert combined is not None
            self.unread = combined.failed
            for worker in combined.gone(self._next):
                del self._next[worker]
            self._late -= combined.gone(self._late)
            found += self._append(combined, wait=more, last=last)
            self._forget_left()
            if more:
                await asyncio.sleep(PAUSE if last else max(PAUSE, answers.pace))
        self.interval = max(LEAST_INTERVAL, answers.pace)
        return found > 0 or bool(self._waiting) or not answers.idle

    def _forget_left(self) -> None:
        """Forget the addresses of those that left first."""
        left = [address for address, worker in self._ids.items() if worker not in self._next]
        for address in left[:-LEFT]:
            del self._ids[address]

    def _take(self, answers: Answers) -> bool:
        """Store workers' answers; returns whether there is more to read."""
        more = False
        for worker, answer in answers.of.items():
            self._ids[answer["address"]] = worker
            stand = self._next.setdefault(worker, {"incoming": 0, "outgoing": 0})
            for log, side in (("incoming", INCOMING), ("outgoing", OUTGOING)):
                part = answer[log]
                self._dropped += bool(part["dropped"])
                stand[log] = part["end"]
                more = more or part["more"]
                self._waiting += [(WAITS, side, entry) for entry in _entries(part, answer["address"], side)]
        return more

    def _append(self, answers: Answers, wait: bool, last: bool) -> int:
        """Append transfers with both sides, and those that have waited long enough; returns the number of rows."""
        rows, self._waiting = join(self._waiting)
        if not wait:
            late = [(side, entry) for patience, side, entry in self._waiting if last or patience <= 0]
            self._waiting = [
                (patience - 1, side, entry) for patience, side, entry in self._waiting if patience > 0 and not last
            ]
            # Of a transfer that was over at the start, one side may have been logged after it.
            rows += [(side, entry) for side, entry in late if entry.stop > self._begun and self._is_new(side, entry)]
        facts = {
            "servers": len(answers.of),
            "silent": len(answers.failed),
            "dropped": self._dropped,
            "limited": answers.refusal,
        }
        rows.sort(key=lambda row: row[1].stop)
        self._log.add([self._row(side, entry) for side, entry in rows], facts)
        return len(rows)

    def _is_new(self, side: int, entry: Side) -> bool:
        """Whether no row has the other side of this transfer; a worker may have answered much later than the other."""
        for known, other in self._alone:
            sides = (entry, other) if side == INCOMING else (other, entry)
            if known != side and other.what == entry.what and _meet(*sides):
                self._alone.remove((known, other))
                return False
        self._alone.append((side, entry))
        return True

    def _row(self, side: int, entry: Side) -> dict[str, Any]:
        known = [self._ids.get(address, -1) + 1 for address in (entry.sender, entry.receiver)]
        return {
            "sender": known[0],
            "receiver": known[1],
            "start": entry.start,
            "stop": entry.stop,
            "total": entry.total,
            "compressed": entry.compressed,
            "keys": entry.keys,
            "sides": side,
            "names": ", ".join(entry.names),
            # Workers that left before the first read have no number.
            "sender_address": "" if known[0] else entry.sender,
            "receiver_address": "" if known[1] else entry.receiver,
        }


def _entries(part: Mapping[str, Any], address: str, side: int) -> Iterator[Side]:
    columns = [_floats(part[name]) for name in ("start", "stop", "total", "compressed")]
    counts = array("I", bytes(part["count"]))
    if sys.byteorder == "big":
        counts.byteswap()
    for start, stop, total, size, count, peer, keys in zip(*columns, counts, part["peer"], part["keys"]):
        sender, receiver = (peer, address) if side == INCOMING else (address, peer)
        # Within one process nothing is written to a wire: what Dask logs there is not a size.
        compressed = nan if size < 0 or address.startswith("inproc:") else size
        yield Side(sender, receiver, start, stop, total, compressed, count, tuple(keys))


def _floats(data: bytes) -> array[float]:
    values = array("d", bytes(data))
    if sys.byteorder == "big":
        values.byteswap()
    return values


def join(
    waiting: list[tuple[int, int, Side]],
) -> tuple[list[tuple[int, Side]], list[tuple[int, int, Side]]]:
    """Find the two sides of each transfer.

    Parameters
    ----------
    waiting : list of (patience, side, entry)

    Returns
    -------
    (list of (side, entry), list of (patience, side, entry))
        Transfers with both sides, with the receiver's times and the sender's compressed size; entries without another
        side.
    """
    outgoing: dict[tuple[Any, ...], list[tuple[int, int, Side]]] = {}
    for item in waiting:
        if item[1] == OUTGOING:
            outgoing.setdefault(item[2].what, []).append(item)
    joined: list[tuple[int, Side]] = []
    left: list[tuple[int, int, Side]] = []
    for item in waiting:
        if item[1] != INCOMING:
            continue
        entry = item[2]
        candidates = outgoing.get(entry.what, [])
        found = min(candidates, key=lambda other: abs(other[2].stop - entry.stop), default=None)
        if found is None or not _meet(entry, found[2]):
            left.append(item)
            continue
        candidates.remove(found)
        joined.append((BOTH, entry._replace(compressed=found[2].compressed)))
    for items in outgoing.values():
        left += items
    return joined, left


def _meet(incoming: Side, outgoing: Side) -> bool:
    return incoming.start - APART <= outgoing.stop and outgoing.start <= incoming.stop + APART
