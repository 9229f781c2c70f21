"""Rows of the prefixes topic: their columns, and the row of functions that share an entry."""

from __future__ import annotations

from math import inf

from .episodes import GAP

STATES = ("released", "waiting", "queued", "no-worker", "processing", "memory", "erred")
COUNTERS = ("forgotten", "forgotten_erred", "cancelled")
DURATIONS = ("compute", "transfer", "disk-read", "disk-write", "deserialize")
#: Columns of a row in its order, with their array type codes.
ROW_COLUMNS = (
    *((state.replace("-", "_"), "I") for state in STATES),
    *((counter, "I") for counter in COUNTERS),
    ("nbytes", "d"),
    ("duration_average", "f"),
    ("max_exec_time", "f"),
    *((action.replace("-", "_"), "d") for action in DURATIONS),
    ("suspicious", "I"),
    ("since", "d"),
    ("until", "d"),
    ("order", "I"),
    ("done_before", "I"),
    ("erred_before", "I"),
    ("memory_before", "I"),
    ("recent", "I"),
    ("recent_since", "d"),
)
PLACES = {name: i for i, (name, _) in enumerate(ROW_COLUMNS)}
TIMES = slice(PLACES["compute"], PLACES["compute"] + len(DURATIONS))
SINCE, UNTIL = PLACES["since"], PLACES["until"]

#: Columns that count the tasks of a prefix that ended before an episode.
_BEFORE = {
    "done_before": ("released", "memory", "forgotten"),
    "erred_before": ("erred", "forgotten_erred"),
    "memory_before": ("memory",),
}


def together(rows: list[tuple[float, ...]], begun: float) -> tuple[float, ...]:
    """The row of prefixes that share an entry: the sum of each column, except for times and ranks.

    They have one episode: those without work since `begun` belong to earlier ones. Rows may be combined in parts, and
    these again.
    """
    names = [name for name, _ in ROW_COLUMNS]
    columns = dict(zip(names, zip(*rows)))
    total = {name: sum(values) for name, values in columns.items()}
    present = [i for i, until in enumerate(columns["until"]) if not until or until >= begun]
    old = set(range(len(rows))).difference(present)
    for name, parts in _BEFORE.items():
        total[name] += sum(columns[part][i] for part in parts for i in old) - sum(columns[name][i] for i in old)
    for name in ("duration_average", "max_exec_time"):
        total[name] = max(columns[name])
    shown = present or range(len(rows))
    total["since"] = min(columns["since"][i] for i in shown)
    total["order"] = min(columns["order"][i] for i in shown)
    untils = [columns["until"][i] for i in shown]
    total["until"] = 0.0 if 0.0 in untils else max(untils)
    total["recent"] = sum(columns["recent"][i] for i in present)
    total["recent_since"] = min((columns["recent_since"][i] for i in present if columns["recent"][i]), default=0.0)
    return tuple(total[name] for name in names)


class Share:
    """What some functions contribute to the entry that they share with others.

    Parameters
    ----------
    rows : list of tuple
        The rows of these functions.
    newest : float
        When the newest episode of the other functions of the entry began.

    Attributes
    ----------
    since : float
        When the newest of their episodes began.
    row : tuple
        Their rows, combined.
    """

    __slots__ = ("_begun", "_first", "row", "since")

    def __init__(self, rows: list[tuple[float, ...]], newest: float) -> None:
        self.since = max(row[SINCE] for row in rows)
        self._begun = max(newest, self.since) - GAP
        self.row = together(rows, self._begun)
        #: When the first of the functions that belong to the newest episode became inactive.
        self._first = min((until for row in rows if (until := row[UNTIL]) and until >= self._begun), default=inf)

    def holds(self, begun: float) -> bool:
        """Whether the same functions belong to an episode that has begun then, or none of them."""
        return begun >= self._begun and (self._first >= begun or 0.0 < self.row[UNTIL] < begun)
