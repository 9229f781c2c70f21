"""Dask's fine metrics by span, under the names that users gave their spans.

Guarantees: reads the newest spans only, and of them as many metrics as there is room for; a sum never falls.
"""

from __future__ import annotations

from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

from .fine_metrics import is_counted
from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Context of the metrics of spans. The same amounts are in Dask's other metrics, by function.
CONTEXT = "span"
#: Spans that are read, the newest; their metrics that are read; and sums that are kept: names by activities by units.
NEWEST = 200
READ = 5_000
SUMS = 4_000
#: Longest name of a span, in characters, and of each of the tags in it.
NAME = 200

#: Name of the span, activity, unit.
Label = tuple[str, str, str]


class Spans:
    """Sums of the metrics of spans with one name."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[Any, float]] = {}
        self._sums: dict[Label, float] = {}

    def sums(self, scheduler: Scheduler) -> dict[Label, float]:
        """The sums, with what was added since the last call."""
        extension = getattr(scheduler, "extensions", {}).get("spans")
        spans = getattr(extension, "spans", None) or {}
        seen: dict[str, dict[Any, float]] = {}
        room = READ
        for span in islice(reversed(spans.values()), NEWEST):
            metrics = getattr(span, "_cumulative_worker_metrics", None)
            if not metrics or room <= 0:
                continue
            before, now = self._seen.get(span.id, {}), dict(islice(metrics.items(), room))
            if now != before:
                name = text(" / ".join(text(tag, NAME) for tag in span.name[:10]), NAME)
                for key, total in now.items():
                    added = number(total) - number(before.get(key, 0.0))
                    if added and isfinite(added) and len(key) > 2 and is_counted(key):
                        self._add((name, text(key[-2], NAME), text(key[-1], NAME)), added)
            room -= len(now)
            seen[span.id] = now
        self._seen = seen
        return self._sums

    def _add(self, label: Label, amount: float) -> None:
        if label in self._sums or len(self._sums) < SUMS:
            self._sums[label] = self._sums.get(label, 0.0) + amount
