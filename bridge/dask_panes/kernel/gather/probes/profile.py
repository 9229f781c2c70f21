"""Sent as source text: the cycles of a server's statistical profiler that a reader lacks.

Dask keeps a tree of counts for each cycle (1 s) and prefix. Four facts decide how it is read:

- In the profile of tasks ``count`` of a frame has the samples of its callees' stacks only: the innermost frame of a
  stack is entered with count 0, so that its samples show as what its caller has more than all callees together. They
  belong to the callee if there is only one, else to an unknown one of several. Event loops have the innermost counted.
- ``get_profile(start, stop)`` takes one cycle too many on either side, so the history itself is read.
- A worker whose event loop was blocked ends its cycle late: the cycle lasts from the end of the one before.
- Times of cycles may go back, with each heartbeat that corrects the clock: a reader's newest cycle is found by time.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections import deque
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

import dask
from distributed.metrics import time
from distributed.profile import lock

#: Characters of a name, a file or a line of source.
TEXT = 400
#: Deepest stack that is read; Dask's own limit is 100.
DEEPEST = 120
#: Maximum seconds of an answer, with at least one cycle: the event loop also serves the tasks.
BUDGET = 0.01
#: Seconds: a longer cycle is one in which the machine slept, or its clock was set.
LONGEST = 60.0


class Interned:
    """Frames and stacks of one answer, each with a number in order of first appearance."""

    def __init__(self) -> None:
        self.frames: list[list[Any]] = []
        self._frame_ids: dict[str, int] = {}
        #: Pairs of parent and frame; the parent of an outermost frame is -1, the frame of an unknown callee too.
        self.stacks: list[tuple[int, int]] = []
        self._stack_ids: dict[tuple[int, int], int] = {}

    def frame(self, identifier: str, description: Any) -> int:
        """Number of a function: [name, file, first line, line seen first, its text]."""
        found = self._frame_ids.get(identifier)
        if found is None:
            found = self._frame_ids[identifier] = len(self.frames)
            entry = description if isinstance(description, dict) else {}
            line = int(entry.get("line_number") or 0)
            first = identifier.rpartition(";")[2]
            self.frames.append(
                [
                    str(entry.get("name", identifier))[:TEXT],
                    str(entry.get("filename", ""))[:TEXT],
                    int(first) if first.isdigit() else line,
                    line,
                    str(entry.get("line", "")).strip()[:TEXT],
                ]
            )
        return found

    def stack(self, parent: int, frame: int) -> int:
        """Number of a frame called from a stack."""
        pair = (parent, frame)
        found = self._stack_ids.get(pair)
        if found is None:
            found = self._stack_ids[pair] = len(self.stacks)
            self.stacks.append(pair)
        return found


def add_tree(tree: dict[str, Any], counts_innermost: bool, names: Interned, samples: dict[int, int]) -> None:
    """Add the samples of one tree to those by stack.

    Parameters
    ----------
    tree : dict
        As of ``distributed.profile.create``.
    counts_innermost : bool
        Whether ``count`` of a frame has the samples in which it was the innermost one.
    names : Interned
    samples : dict
        Samples by number of the stack that was innermost; -1 stands for the empty stack.
    """
    waiting = [(tree, -1, 0)]
    while waiting:
        node, at, depth = waiting.pop()
        callees = node["children"]
        rest = node["count"] - sum(callee["count"] for callee in callees.values())
        if depth < DEEPEST:
            known = {}
            for identifier, callee in callees.items():
                known[identifier] = names.stack(at, names.frame(identifier, callee["description"]))
                if callee["count"]:
                    waiting.append((callee, known[identifier], depth + 1))
            if rest > 0 and not counts_innermost:
                rest -= _sure(callees, known, rest, samples)
                if rest > 0 and len(known) > 0:
                    at = next(iter(known.values())) if len(known) == 1 else names.stack(at, -1)
        else:
            rest = node["count"]
        if rest > 0:
            samples[at] = samples.get(at, 0) + rest


def _sure(callees: dict[str, Any], known: dict[str, int], rest: int, samples: dict[int, int]) -> int:
    """A callee without a count was seen, so it was innermost at least once; returns how many samples that are."""
    unseen = [known[identifier] for identifier, callee in callees.items() if not callee["count"]]
    if len(callees) == 1 or len(unseen) > rest:
        return 0
    for stack in unseen:
        samples[stack] = samples.get(stack, 0) + 1
    return len(unseen)


def _newer(history: Any, after: float, limit: int) -> tuple[float, list[Any]]:
    """Time of the entry at a time, else of the last one up to it, else 0; and some entries after it, oldest first."""
    count = next((i for i, entry in enumerate(reversed(history)) if entry[0] == after), -1)
    if count < 0:
        count = next((i for i, entry in enumerate(reversed(history)) if entry[0] <= after), len(history))
    start = len(history) - count
    return float(history[start - 1][0]) if start > 0 else 0.0, list(islice(history, start, start + limit))


class Cycles(NamedTuple):
    """Cycles of a history after a time, and facts of the whole history."""

    #: When the first of them began; 0 if that is not known.
    before: float
    #: Time and trees by prefix.
    entries: list[tuple[float, dict[str, Any]]]
    #: Seconds to add to these times for those of the scheduler's clock.
    delay: float
    #: Whether others wait; whether some were dropped before they could be read.
    more: bool
    dropped: bool
    #: Time of the oldest of all, 0 for none; how many are kept, 0 for all; whether older ones were dropped.
    oldest: float
    most: int
    full: bool


def _cycles(server: Any, loop: bool, after: float, limit: int) -> Cycles:
    if not loop:
        history = server.profile_keys_history
    else:
        # A separate thread watches an event loop: it appends meanwhile, and writes to the newest entry. Dask does not
        # correct these times for the worker's clock.
        history = (getattr(server.io_loop, "profile", None) or deque()).copy()
        if history:
            history.pop()
        history = deque(((at, {"": tree}) for at, tree in history), history.maxlen)
    before, entries = _newer(history, after, limit)
    more = bool(entries) and entries[-1][0] != history[-1][0]
    # One less than full: the newest entry of a loop's history is excluded.
    full = history.maxlen is not None and len(history) >= history.maxlen - 1
    oldest = float(history[0][0]) if history else 0.0
    dropped = bool(after and full and before != after and oldest > after)
    delay = getattr(server, "scheduler_delay", 0.0) or 0.0 if loop else 0.0
    return Cycles(before, entries, delay, more, dropped, oldest, history.maxlen or 0, full)


def _unfinished(server: Any, loop: bool) -> tuple[float, dict[str, Any]]:
    """Now, and the trees by prefix of the cycle that has not ended yet."""
    now = time() + (getattr(server, "scheduler_delay", 0.0) or 0.0)
    if not loop:
        return now, dict(server.profile_keys)
    with lock:  # Dask's thread holds it while it writes a tree, which it does once.
        history = (getattr(server.io_loop, "profile", None) or deque()).copy()
    return now, {"": history[-1][1]} if history else {}


def _length(loop: bool, before: float, at: float, cycle: float) -> float:
    """Seconds of the cycle that ended at a time; `before` is the end of the one before it, 0 if that is not known."""
    # An event loop is sampled once in a cycle.
    return cycle if loop or before == 0.0 else min(LONGEST, max(0.0, at - before))


def _little(values: array[Any]) -> bytes:
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values.tobytes()


def _milliseconds(server: Any, name: str) -> float:
    callback = getattr(server, "periodic_callbacks", {}).get(name)
    return float(getattr(callback, "callback_time", 0.0) or 0.0)


def _count(
    trees: dict[str, Any],
    loop: bool,
    names: Interned,
    prefixes: dict[str, int],
    counts: dict[tuple[int, int], int],
) -> None:
    """Add the samples of a cycle, by numbers of prefix and stack."""
    for prefix, tree in trees.items():
        samples: dict[int, int] = {}
        add_tree(tree, loop, names, samples)
        number = prefixes.setdefault(str(prefix)[:1000], len(prefixes))
        for stack, count in samples.items():
            counts[number, stack] = counts.get((number, stack), 0) + count


def _columns(groups: list[tuple[float, float, dict[tuple[int, int], int]]]) -> dict[str, bytes]:
    """Of groups of cycles with their time, span and counts: a row for each prefix and stack."""
    kinds = {"time": "d", "span": "f", "prefix": "I", "stack": "I", "samples": "I"}
    rows = [(at, span, prefix, 1 + stack, n) for at, span, counts in groups for (prefix, stack), n in counts.items()]
    return {name: _little(array(kind, (row[i] for row in rows))) for i, (name, kind) in enumerate(kinds.items())}


def probe(
    server: Any,
    loop: bool = False,
    after: float = 0.0,
    limit: int = 120,
    step: float = 0.0,
    now: bool = False,
    last: bool = False,
) -> dict[str, Any]:
    """Cycles of the profiler after a time.

    Parameters
    ----------
    server : distributed.Worker or distributed.Scheduler
    loop : bool
        The event loop's profile rather than that of the tasks.
    after : float
        ``end`` of the last answer that the reader has; 0 for all.
    limit : int
        Cycles of one answer; fewer where they take more than `BUDGET`.
    step : float
        Cycles that end within this many seconds are merged; 0 for none.
    now : bool
        Only the cycle that has not ended yet.
    last : bool
        That cycle too, with the last answer: nobody will ask again.

    Returns
    -------
    dict
        ``end``: time of the newest cycle that had ended, as the server keeps it (s); ``more``: whether others wait;
        ``dropped``: whether Dask had dropped some; ``time``: now, on the scheduler's clock (s).
        ``since``: when the oldest cycle began that the server has, now if it has none; ``cut``: whether there was an
        older one; ``kept``: seconds for which the server keeps a cycle, 0 forever.
        ``frames``: [name, file, first line, line, text]; ``stacks``: u4 pairs of 1 + parent and 1 + frame;
        ``prefixes``; ``rows``: columns of time (f8, s), span (f4, s), prefix, 1 + stack and samples (u4).
        ``on``: whether Dask profiles at all; ``interval``, ``cycle``: of the profiler, seconds (of an event loop: as
        measured); ``watched``: what distinguishes one event loop from another; ``python``: its version.
    """
    history = _cycles(server, loop, float("inf") if now else after, 0 if now else max(1, limit))
    before, more = history.before, history.more
    moment, unfinished = _unfinished(server, loop)
    names = Interned()
    prefixes: dict[str, int] = {}
    groups: list[tuple[float, float, dict[tuple[int, int], int]]] = []
    cycle = _milliseconds(server, "profile-cycle") / 1000
    end = before if now else after
    begun = perf_counter()
    for kept_at, trees in history.entries:
        if groups and perf_counter() - begun > BUDGET:
            more = True
            break
        end, at = kept_at, kept_at + history.delay
        if groups and step and at - groups[-1][0] + groups[-1][1] <= step:
            first, span, counts = groups[-1]
            groups[-1] = (max(at, first), span + _length(loop, before, at, cycle), counts)
        else:
            counts = {}
            groups.append((at, _length(loop, before, at, cycle), counts))
        before = kept_at
        _count(trees, loop, names, prefixes, counts)
    if now or (last and not more):
        groups.append((moment, min(_length(loop, before, moment, cycle), max(0.0, moment - end - history.delay)), {}))
        _count(unfinished, loop, names, prefixes, groups[-1][2])
    times = [at for at, _ in history.entries]
    return {
        "time": moment,
        "end": end,
        "more": more,
        "dropped": history.dropped,
        "since": history.oldest + history.delay - cycle if history.oldest else moment,
        "cut": history.full,
        "kept": history.most * cycle,
        "frames": names.frames,
        "stacks": _little(array("I", (1 + number for pair in names.stacks for number in pair))),
        "prefixes": list(prefixes),
        "rows": _columns(groups),
        "on": bool(dask.config.get("distributed.worker.profile.enabled", True)),
        "interval": _milliseconds(server, "profile") / 1000,
        "cycle": (times[-1] - times[0]) / (len(times) - 1) if loop and len(times) > 1 else cycle,
        "watched": [str(getattr(server, "ip", "")), os.getpid(), id(server.io_loop)],
        "python": list(sys.version_info[:2]),
    }
