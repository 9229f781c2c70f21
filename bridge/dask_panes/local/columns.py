"""The columns of executions of a local scheduler, which has no task states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scheduler.collector.history import CHUNK_ROWS, History


class Executions(History):
    """The ring of executions, filled column by column."""

    def append(
        self,
        keys: Sequence[Any],
        prefixes: Sequence[int],
        lanes: Sequence[int],
        starts: Sequence[float],
        durations: Sequence[float],
        sizes: Sequence[float],
        types: Sequence[str],
        erred: bool = False,
    ) -> None:
        """Append executions.

        Parameters
        ----------
        keys : sequence
            Dask keys.
        prefixes, lanes : sequence of int
            Ids in the dictionaries.
        starts, durations : sequence of float
            Seconds.
        sizes : sequence of float
            Bytes of the results, NaN where unknown.
        types : sequence of str
            Names of the types of the results.
        erred : bool
            Whether all of them raised.
        """
        done = 0
        while done < len(keys):
            chunk = self._tail
            if chunk is None or len(chunk) >= CHUNK_ROWS:
                chunk = self._roll()
            end = min(len(keys), done + CHUNK_ROWS - len(chunk))
            part = slice(done, end)
            names = self._names.prefixes
            chunk.keys.extend(keys[part], [names[prefix] for prefix in prefixes[part]])
            chunk.prefix.extend(prefixes[part])
            chunk.lane.extend(lanes[part])
            chunk.duration.extend(durations[part])
            chunk.status.frombytes(bytes([erred]) * (end - done))
            chunk.nbytes.extend(sizes[part])
            chunk.typename.extend(map(self._typename_ids.__getitem__, types[part]))
            chunk.start.extend(starts[part])
            self.end += end - done
            done = end

    def prefix(self, row: int) -> int:
        """Prefix id of a row; -1 where it has left the ring."""
        chunk = self._chunk_of(row)
        return -1 if chunk is None else int(chunk.prefix[row - chunk.first])
