"""The request ``search_keys``: which executions, or tasks of the graph, have a key that contains texts.

A search is asked for in parts, each from where the last one ended to older rows, so nothing of it stays between two
requests. Guarantees: a part works in slices between the scheduler's other events, and all searches of all readers
together use at most 1 % of a core and `BURST` at once; an answer has a bounded number of rows; a request ends when the
same search asks again, is cancelled, or the collector closes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, Sequence
from time import perf_counter
from types import coroutine
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from .clock import cpu_time
from .faults import Refusal
from .key_text import folded, search
from .keys import KeyColumn
from .plain import text

#: Fraction of a core for all searches.
BUDGET = 0.01
#: CPU seconds that a search may use at once after a pause; a whole ring of keys takes about as much.
BURST = 0.1
#: CPU seconds of one slice.
SLICE = 2e-3
#: Rows of an answer.
ROWS = 5_000
#: Seconds after which a part is answered: with rows, and without.
PROMPT, PATIENCE = 0.1, 0.5
#: Texts of a search, characters of each and of the name of a search, and searches at once.
TEXTS, LONGEST, NAME, SEARCHES = 8, 1_000, 64, 16

Result = TypeVar("Result")


class Keys(NamedTuple):
    """Consecutive keys with the numbers that readers use: from `first`, `prefixes` of the first key on."""

    first: int
    column: KeyColumn
    prefixes: Sequence[int]


class Keeper(Protocol):
    """What keeps keys by number."""

    @property
    def first(self) -> int:
        """Number of the oldest key that is kept."""
        ...

    @property
    def end(self) -> int:
        """Number of the next key."""
        ...

    def keys_at(self, number: int) -> Keys | None:
        """The keys around a number; None if it is not kept."""


class Purse:
    """CPU time that may be spent: what was not spent is saved, up to a burst."""

    def __init__(self) -> None:
        self._left, self._counted = BURST, perf_counter()

    def wait(self) -> float:
        """Seconds until the next slice."""
        now = perf_counter()
        self._left = min(BURST, self._left + (now - self._counted) * BUDGET)
        self._counted = now
        return max(0.0, -self._left / BUDGET)

    def spend(self, seconds: float) -> None:
        """Some was spent."""
        self._left -= seconds


@coroutine
def paid(purse: Purse, work: Coroutine[Any, Any, Result]) -> Generator[Any, Any, Result]:
    """Await work that is done in slices, and pay for these alone, not for what the event loop does in between."""
    steps = work.__await__()
    while True:
        since = cpu_time()
        try:
            wait = next(steps)
        except StopIteration as end:
            return cast(Result, end.value)
        finally:
            purse.spend(cpu_time() - since)
        yield wait


class KeySearch:
    """Searches for keys.

    Parameters
    ----------
    keepers : mapping
        What can be searched, by the name that requests use.
    names : callable
        Returns the names of prefixes by id.
    closed : callable
        Whether the collector has closed.
    """

    def __init__(
        self,
        keepers: Mapping[str, Keeper],
        names: Callable[[], Sequence[str]],
        closed: Callable[[], bool],
    ) -> None:
        self._keepers, self._names, self._closed = keepers, names, closed
        self._purse = Purse()
        #: The newest request of each search that is under way.
        self._running: dict[str, object] = {}

    async def ask(self, args: dict[str, Any]) -> dict[str, Any]:
        """Answer one part of a search; see `Questions.ask`.

        Raises
        ------
        Refusal
            The request is invalid, or there are too many searches.
        """
        name = text(args["search"], NAME)
        texts = [folded(text(each, LONGEST)) for each in list(args.get("texts", ()))[:TEXTS] if each]
        keeper = self._keepers.get(str(args.get("of")))
        if keeper is None:
            raise Refusal("There are no such keys.")
        self._running.pop(name, None)
        if not texts:
            return {"cancelled": True}
        if len(self._running) >= SEARCHES:
            raise Refusal("The scheduler is searching for others: try again.")
        low, high = args.get("from"), args.get("before")
        least = 0 if low is None else int(low)
        before = keeper.end if high is None else min(int(high), keeper.end)
        mine = self._running[name] = object()
        try:
            return await self._part(keeper, texts, least, before, lambda: self._running.get(name) is mine)
        finally:
            if self._running.get(name) is mine:
                del self._running[name]

    async def _part(
        self, keeper: Keeper, texts: list[bytes], least: int, before: int, goes_on: Callable[[], bool]
    ) -> dict[str, Any]:
        rows: list[int] = []
        reached, begin, done = before, perf_counter(), False
        pieces = self._pieces(keeper, texts, least, before)
        while not done:
            await asyncio.sleep(self._purse.wait())
            if self._closed():
                raise Refusal("The scheduler has closed.")
            if not goes_on():
                return {"cancelled": True}
            since = cpu_time()
            while cpu_time() - since < SLICE and len(rows) < ROWS:
                piece = next(pieces, None)
                if piece is None:
                    done = True
                    break
                found, reached = piece
                rows += found
            self._purse.spend(cpu_time() - since)
            # A part without progress would be asked for again from the same row.
            if reached < before and (len(rows) >= ROWS or perf_counter() - begin > (PROMPT if rows else PATIENCE)):
                break
        first = keeper.first
        done = done or reached <= max(least, first)
        return {"rows": rows, "reached": reached, "before": before, "first": first, "done": done}

    def _pieces(self, keeper: Keeper, texts: list[bytes], least: int, before: int) -> Iterator[tuple[list[int], int]]:
        """Parts of the search: rows found, and the row down to which all are searched."""
        while before > least:
            keys = keeper.keys_at(before - 1)
            if keys is None:
                # Older ones have left since.
                return
            low = max(0, least - keys.first)
            for found in search(keys.column, keys.prefixes, self._names(), texts, low, before - keys.first):
                yield [keys.first + row for row in found.rows], keys.first + found.reached
            before = keys.first + low
