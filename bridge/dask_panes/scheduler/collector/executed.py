"""The executed topic: which task of the topic graph each execution of the topic tasks was of.

Guarantees: numbers are looked up when executions are written into the ring, in one go for all of them (0.1 µs each),
whether anybody reads or not: later, the scheduler may have forgotten the key. An execution whose task has no number
yet, because its graph is still being read, gets it when it has one; readers get it then.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from .columns import wire
from .graph import LIMIT, Graph

if TYPE_CHECKING:
    from distributed.scheduler import TaskState

#: The task is not in the graph. Also in `src/run/graph/executed-rows.ts`.
NONE = 2**32 - 1
#: Rows kept: more than tasks, since some are executed again.
ROWS = 2 * LIMIT
#: Rows dropped together.
CHUNK = 16_384
#: Rows per answer.
READ_ROWS = 16_384


class Executed:
    """Task numbers of the newest executions, by row of the ring.

    Parameters
    ----------
    graph : Graph
        Gives numbers to keys; reports those that it gives.

    Attributes
    ----------
    first : int
        Row of the ring of the oldest number that is kept.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.first = 0
        self._numbers = array("I")
        #: Rows whose tasks have no number yet, by key, in ascending order.
        self._late: dict[Any, int] = {}
        graph.numbered = self._numbered

    def restart(self) -> None:
        """The scheduler was cleared on purpose: numbers of tasks start over, rows of the ring go on."""
        self.first += len(self._numbers)
        del self._numbers[:]
        self._late.clear()

    def note(self, first: int, keys: list[Any]) -> None:
        """Executions were written into the ring, from row `first` on."""
        if first != self.first + len(self._numbers):
            # A collector that has been taken over did not keep these numbers, or not all.
            self.restart()
            self.first = first
        found = self._graph.numbers_of(keys, NONE)
        self._numbers.fromlist(found)
        if self._graph.reading and NONE in found:
            for i, number in enumerate(found):
                if number == NONE:
                    # The newest row is the last one, whatever came of an earlier one.
                    self._late.pop(keys[i], None)
                    self._late[keys[i]] = first + i
        while len(self._numbers) > ROWS + CHUNK:
            del self._numbers[:CHUNK]
            self.first += CHUNK
        while len(self._late) > LIMIT:
            del self._late[next(iter(self._late))]

    def _numbered(self, tasks: list[TaskState], number: int) -> None:
        """The graph has numbered tasks, from `number` on."""
        if self._late:
            for i, ts in enumerate(tasks):
                at = self._late.pop(ts.key, -1) - self.first
                if 0 <= at < len(self._numbers):
                    self._numbers[at] = number + i

    @property
    def end(self) -> int:
        """Row after the last one whose task is known, or known not to be in the graph."""
        if self._late and not self._graph.reading:
            # More tasks arrived than are kept.
            self._late.clear()
        return next(iter(self._late.values()), self.first + len(self._numbers))

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """Numbers after a cursor: the topic body and the cursor after it."""
        first = min(max(cursor, self.first), self.end)
        to = min(first + READ_ROWS, self.end)
        body = {
            "c": {"number": wire(self._numbers[max(0, first - self.first) : max(0, to - self.first)])},
            "s": {"first": first},
        }
        return body, to

    @property
    def nbytes(self) -> int:
        """Bytes of the numbers."""
        return len(self._numbers) * self._numbers.itemsize
