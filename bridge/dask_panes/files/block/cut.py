"""Cuts a feed to a block: its frames without earlier data.

Histories are cut by row number. Cumulative tables are converted to the change since the start of the block: a
reader's first rows are their baseline. The cluster's state (workers, results in memory) is not changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isnan, nan
from typing import Any

from .ended import Ended
from .errors import ErrorsCut
from .growth import grown
from .shares import Shares

Body = dict[str, Any]
Row = dict[str, float]

#: Counts of finished tasks, in the order in which a task that leaves one of them is searched for in the others: a
#: result from before the block that is released in it must not count as new.
_OVER = {
    "prefixes": ("forgotten", "released", "forgotten_erred", "cancelled", "memory", "erred"),
    "groups": ("forgotten", "released", "memory", "erred"),
}
#: Counts of unfinished tasks: work in progress at the start of the block ends in it, and belongs to it.
_UNDER_WAY = ("waiting", "queued", "no_worker", "processing")
#: Sums.
_SUMS = {
    "prefixes": ("nbytes", "compute", "transfer", "disk_read", "disk_write", "deserialize", "suspicious"),
    # Tasks that a group has forgotten without a result are part of its forgotten tasks.
    "groups": ("nbytes", "duration", "forgotten_erred", "cancelled"),
}
#: Sums of what ran.
_WORK = ("compute", "duration")
#: Counts and sums of a computation.
_OF_COMPUTATION = (
    *("submissions", "unfollowed", "again", "done", "erred", "compute", "transfer", "disk", "nbytes"),
    *("reading", "graph", "packing", "erred_before", "renewed", "dropped_ever"),
)
#: Code of the schema's enum ``workerStatus`` for a worker that has left.
_LOST = 8
#: Cumulative tables that start over with the next epoch.
_OF_EPOCH = ("prefixes", "groups", "attempts")


class Cut:
    """Cuts the frames of one feed to a block.

    Parameters
    ----------
    first : mapping of str to int
        Number of the first row that belongs to the block, by topic: tasks, events, steals, series, memory_samples,
        graph.
    time : float
        Scheduler's clock at the start of the block, seconds.
    """

    def __init__(self, first: Mapping[str, int], time: float) -> None:
        self._first = dict(first)
        self._time = time
        self._epoch: int | None = None
        #: Whether the block has begun: everything earlier is its baseline.
        self.begun = False
        #: Ids of workers that left during the block.
        self.left: set[int] = set()
        #: Rows at the start, by topic and id.
        self._base: dict[str, dict[int, Row]] = {}
        self._ended = {"prefixes": Ended(time, together=False), "groups": Ended(time, together=True)}
        self._scalars: dict[str, dict[str, Any]] = {}
        #: Ids already reported in the block: they are always reported again, even with zeros.
        self._reported: dict[str, set[int]] = {}
        #: Arrival of a prefix's first tasks, by id.
        self._since: dict[int, float] = {}
        self._runs: set[int] = set()
        #: Texts of computations that are not in the block yet, by number.
        self._texts: dict[int, dict[str, Any]] = {}
        self._shares = Shares()
        self._errors = ErrorsCut()
        self._types: set[str] = set()
        #: The collector's version, as it reports it; None before that.
        self._collector: list[int] | None = None
        #: Names of metrics by their number, and values by name at the start.
        self._metrics: dict[int, Any] = {}
        self._spent: dict[Any, float] = {}
        #: Rates by pair of workers at the start, and pairs already reported in the block.
        self._rates: dict[Any, float] = {}
        self._pairs: set[Any] = set()
        self._cutters: dict[str, Callable[[Body], Body | None]] = {
            "meta": self._meta,
            "workers": self._workers,
            "prefixes": lambda body: self._counts("prefixes", body),
            "groups": self._groups,
            "attempts": self._attempts,
            "errors": lambda body: self._errors.cut(body, self.begun),
            "computations": self._computations,
            "held": self._held,
            "activities": self._activities,
            "bandwidth": self._bandwidth,
            "events": lambda body: self._numbered("events", body),
            "steals": lambda body: self._numbered("steals", body),
            "shuffles": self._shuffles,
            "series": self._series,
            "memory_samples": self._memory_samples,
            "graph": self._graph,
            "executed": self._executed,
            "states": self._states,
        }

    def frame(self, frame: dict[str, Any]) -> dict[str, Any]:
        """The part of a frame that belongs to the block."""
        epoch = frame["epoch"]
        if self._epoch is not None and epoch != self._epoch:
            # Numbers of metrics are those of a collector.
            self._metrics.clear()
            if self._taken_over(frame):
                for ended in self._ended.values():
                    ended.take_over()
            else:
                # The scheduler was cleared on purpose: counts and task numbers start over.
                for topic in _OF_EPOCH:
                    self._base.pop(topic, None)
                    if topic in self._ended:
                        self._ended[topic].forget()
                    self._reported.pop(topic, None)
                self._since.clear()
                self._first["graph"] = 0
                self._scalars.pop("graph", None)
        self._epoch = epoch
        topics = {}
        # What is found out about functions is used for their groups.
        for topic in sorted(frame["topics"], key=lambda topic: topic != "prefixes"):
            body = frame["topics"][topic]
            cutter = self._cutters.get(topic)
            cut = body if cutter is None else cutter(body)
            if cut is not None:
                topics[topic] = cut
        return {**frame, "topics": topics}

    def _taken_over(self, frame: dict[str, Any]) -> bool:
        """Whether a frame is the first of a newer collector, which goes on with all counts and numbers.

        Its first frame has the topic meta.
        """
        meta = (frame["topics"].get("meta") or {}).get("s") or {}
        newer = "collector" in meta and self._collector is not None and meta["collector"] != self._collector
        # What could not be taken over is a problem.
        return newer and not meta.get("problems")

    # -- cumulative tables --------------------------------------------------------------------------------------

    def _relative(self, topic: str, row: Row) -> Row:
        """A row of counts as the change since the start."""
        known = self._base.get(topic, {})
        base = known.get(int(row["id"]))
        if base is not None and base.get("start", 0) != 0 and row["start"] != base["start"]:
            # Dask has forgotten the group and created another one with its name.
            del known[int(row["id"])]
            base = None
            self._ended[topic].forget(int(row["id"]))
        if base is None:
            return row
        sums = {name: max(0, row[name] - base.get(name, 0)) for name in _SUMS[topic] if name in row}
        results = self._ended["prefixes"].results(int(row["prefix"])) if "prefix" in row else inf
        ended = self._ended[topic].cut(row, results)
        if ended is not None:
            return {**row, **sums, **ended}
        changed = {name: row[name] - base.get(name, 0) for name in _OVER[topic] if name in row}
        debt = -sum(value for value in changed.values() if value < 0)
        for name in _OVER[topic]:
            if name in changed:
                value = max(0, changed[name])
                taken = min(debt, value)
                changed[name], debt = value - taken, debt - taken
        return {**row, **changed, **sums}

    def _counts(self, topic: str, body: Body) -> Body | None:
        rows = _rows(body)
        base, reported = self._base.setdefault(topic, {}), self._reported.setdefault(topic, set())
        kept = []
        for row in rows:
            found = int(row["id"])
            if not self.begun:
                base[found] = {name: value for name, value in row.items() if name not in _UNDER_WAY}
                self._ended[topic].begin(row)
            cut = self._relative(topic, row)
            if "duration_average" in cut and base.get(found, {}).get("compute", 0) > 0:
                # Dask's average is also of tasks before the block.
                cut = {**cut, "duration_average": _mean(cut)}
            if "done_before" in cut:
                # The block is the only episode of a recording, however often a function ran in it.
                since = self._since.setdefault(found, max(cut["since"], self._time))
                cut = {**cut, "since": since, "done_before": 0, "erred_before": 0, "memory_before": 0}
            # Work that is done again may leave all counts as they were.
            if found in reported or any(cut.get(name, 0) for name in (*_OVER[topic], *_UNDER_WAY, *_WORK)):
                reported.add(found)
                kept.append(cut)
        return {**body, "c": _columns(kept, body["c"])}

    def _groups(self, body: Body) -> Body | None:
        cut = self._counts("groups", body)
        if cut is None:
            return None
        base = self._base.get("groups", {})
        columns = cut["c"]
        for i, found in enumerate(columns["id"]):
            if base.get(found, {}).get("start"):
                # It had run before: its start within the block is unknown.
                columns["start"][i] = max(columns["start"][i], min(self._time, columns["stop"][i]))
        moves = body.get("m")
        if moves:
            ids = set(columns["id"])
            cut["m"] = _taken(moves, [i for i, target in enumerate(moves["target"]) if target in ids])
        return cut

    def _attempts(self, body: Body) -> Body:
        base, reported = self._base.setdefault("attempts", {}), self._reported.setdefault("attempts", set())
        kept = []
        for row in _rows(body):
            found = int(row["id"])
            if not self.begun:
                base[found] = row
            before = base.get(found, {})
            cut = {name: value if name == "id" else max(0, value - before.get(name, 0)) for name, value in row.items()}
            if found in reported or any(value for name, value in cut.items() if name != "id"):
                reported.add(found)
                kept.append(cut)
        ends = body.get("m")
        if ends:
            body = {**body, "m": _taken(ends, [i for i, end in enumerate(ends["end"]) if end >= self._time])}
        return {**body, "c": _columns(kept, body["c"])}

    def _computations(self, body: Body) -> Body:
        """Work of the block only; a computation that had begun before belongs to it with what was left."""
        base, reported = self._base.setdefault("computations", {}), self._reported.setdefault("computations", set())
        scalars = dict(body.get("s") or {})
        texts = {text["id"]: text for text in scalars.get("texts", ())}
        kept = []
        for row in _rows(body):
            found = int(row["id"])
            if not self.begun:
                base[found] = row
            cut = self._computation(row, base.get(found))
            if found in reported or any(cut.get(name, 0) for name in ("tasks", "erred", "submissions", "renewed")):
                reported.add(found)
                kept.append(cut)
        self._texts.update(texts)
        # They are of computations before the block, too.
        scalars.pop("kept", None)
        scalars.pop("older", None)
        ready = [self._texts.pop(found) for found in [*self._texts] if found in reported]
        # The line submitted before the block: where nothing was left of that, it is of none of the work.
        scalars["texts"] = [
            {**text, "line": 0} if text["id"] in base and not base[text["id"]]["left"] else text for text in ready
        ]
        if "rows" in scalars:
            begin = self._first.get("tasks", 0)
            runs = [
                [max(first, begin), found, first + count - max(first, begin)] for first, found, count in scalars["rows"]
            ]
            scalars["rows"] = [run for run in runs if run[2] > 0]
        shares = body.get("m")
        if shares:
            body = {**body, "m": self._shares.cut(shares, self.begun, [int(row["id"]) for row in kept])}
        return {**body, "c": _columns(kept, body["c"]), "s": scalars}

    def _computation(self, row: Row, base: Row | None) -> Row:
        if base is None:
            return row
        # A sum that is not known stays so: `max` would make it 0.
        sums = {name: row[name] - base.get(name, 0) for name in _OF_COMPUTATION if name in row}
        sums = {name: value if isnan(value) else max(0, value) for name, value in sums.items()}
        sums["dropped"] = grown(row, base, "dropped")
        begun: dict[str, float] = {
            name: max(row[name], self._time) for name in ("begun", "since", "last") if name in row
        }
        ran = sums["done"] or sums["erred"]
        # Its first start within the block, and what the workers could have done in it, are not known.
        times = {"start": nan, "stop": row["stop"] if ran else nan, "offered": nan}
        # Earlier failures and those that were tried again meanwhile cannot be distinguished.
        failed = min(row["failed"], sums["erred"]) if "failed" in row else sums["erred"]
        # A failed task that was tried again was none of those that were left.
        ended = sums["done"] + failed + sums["dropped"]
        tasks = max(0, row["tasks"] - base["tasks"] + base["left"], ended + row["left"] - row.get("renewing", 0))
        # One that was computed several times is one task.
        tasks = min(tasks, row["tasks"])
        return {**row, **sums, **begun, **times, "tasks": tasks, **({"failed": failed} if "failed" in row else {})}

    def _held(self, body: Body) -> Body:
        reported = self._reported.setdefault("held", set())
        kept = [row for row in _rows(body) if row["results"] or row["copies"] or int(row["id"]) in reported]
        reported.update(int(row["id"]) for row in kept)
        return {**body, "c": _columns(kept, body["c"])}

    def _workers(self, body: Body) -> Body:
        reported = self._reported.setdefault("workers", set())
        if _LOST not in body["c"]["status"]:
            reported.update(body["c"]["id"])
            return body
        kept = [row for row in _rows(body) if row["status"] != _LOST or int(row["id"]) in reported]
        reported.update(int(row["id"]) for row in kept)
        self.left.update(int(row["id"]) for row in kept if row["status"] == _LOST)
        return {**body, "c": _columns(kept, body["c"])}

    def _activities(self, body: Body) -> Body:
        scalars = dict(body.get("s") or {})
        self._metrics.update((names[0], tuple(names[1:])) for names in scalars.get("names", ()))
        rows = [(row, self._metrics.get(int(row["id"]), int(row["id"]))) for row in _rows(body)]
        if not self.begun:
            self._spent.update((name, row["value"]) for row, name in rows)
            self._scalars.setdefault("activities", {}).update(scalars)
        kept = []
        for row, name in rows:
            value = row["value"] - self._spent.get(name, 0.0)
            if value:
                kept.append({"id": row["id"], "value": value})
        ids = {int(row["id"]) for row in kept}
        scalars["names"] = [names for names in scalars.get("names", ()) if names[0] in ids]
        if "base" in scalars:
            # The values are those of the block: what was before the collector began is subtracted with the rest.
            scalars["base"] = []
        if "transitions" in scalars:
            scalars["transitions"] -= self._scalars.get("activities", {}).get("transitions", 0.0)
        return {"c": _columns(kept, body["c"]), "s": scalars}

    def _bandwidth(self, body: Body) -> Body:
        """Changed averages of Dask: an unchanged one is of transfers before the block."""
        known = self._scalars.setdefault("bandwidth", {"types": {}})
        scalars = dict(body.get("s") or {})
        rows = [(row, (row.get("receiver"), row.get("sender", row["id"]))) for row in _rows(body)]
        if not self.begun:
            self._rates.update((pair, row["rate"]) for row, pair in rows)
            known.update(total=scalars.get("total"), types=dict(scalars.get("types", ())))
        kept = []
        for row, pair in rows:
            if pair in self._pairs or not (isnan(row["rate"]) or row["rate"] == self._rates.get(pair)):
                self._pairs.add(pair)
                kept.append(row)
        self._types.update(name for name, rate in scalars.get("types", ()) if known["types"].get(name) != rate)
        scalars["types"] = [[name, rate] for name, rate in scalars.get("types", ()) if name in self._types]
        if not self._types:
            scalars.pop("total", None)
        return {"c": _columns(kept, body["c"]), "s": scalars}

    def _shuffles(self, body: Body) -> Body:
        """Shuffles that ended before the block are left out; one under way belongs to it with all its bytes."""
        reported = self._reported.setdefault("shuffles", set())
        kept = [
            row for row in _rows(body) if int(row["id"]) in reported or isnan(row["stop"]) or row["stop"] >= self._time
        ]
        reported.update(int(row["id"]) for row in kept)
        scalars = dict(body.get("s") or {})
        scalars["texts"] = [text for text in scalars.get("texts", ()) if text["id"] in reported]
        scalars["at"] = [entry for entry in scalars.get("at", ()) if entry[0] in reported]
        # It counts shuffles before the block.
        scalars.pop("kept", None)
        scalars.pop("older", None)
        return {**body, "c": _columns(kept, body["c"]), "s": scalars}

    def _meta(self, body: Body) -> Body:
        scalars = dict(body.get("s") or {})
        self._collector = scalars.get("collector", self._collector)
        # Of the whole scheduler; in the block there is nothing earlier.
        if "earlier_tasks" in scalars:
            scalars["earlier_tasks"] = 0
        if "unobserved" in scalars:
            scalars["unobserved"] = [period for period in scalars["unobserved"] if period[1] > self._time]
        return {**body, "s": scalars}

    # -- histories ----------------------------------------------------------------------------------------------

    def _numbered(self, topic: str, body: Body) -> Body:
        """Rows from the block's first on: after a restart of the cluster, all rows of a history are sent again."""
        begin = self._first.get(topic, 0)
        scalars = dict(body.get("s") or {})
        first = scalars.get("first", 0)
        skip = max(0, begin - first)
        count = len(next(iter(body["c"].values()), ()))
        scalars["first"] = first + skip
        if "lost" in scalars:
            scalars["lost"] = max(0, min(scalars["lost"], first - begin))
        # Columns of text are lists of the same length.
        lists = {name: value[skip:] for name, value in scalars.items() if name in ("topic", "action", "text")}
        columns = {name: values[skip:] for name, values in body["c"].items()} if skip < count else _no_rows(body["c"])
        return {**body, "c": columns, "s": {**scalars, **lists}}

    def _series(self, body: Body) -> Body:
        cut = self._numbered("series", body)
        times = cut["c"].get("time")
        if times is not None:
            # Points of 10 s, as a restart after more than an hour sends them, have numbers that others had before.
            ends, first = cut["c"].get("until", times), cut["s"]["first"]
            begin = self._first.get("series", 0)
            skip = sum(first + i > begin and end < self._time for i, end in enumerate(ends))
            cut["c"] = {name: values[skip:] for name, values in cut["c"].items()}
            cut["s"]["first"], times = first + skip, times[skip:]
            # The newest point of an idle cluster began long ago and is still valid.
            cut["c"]["time"] = array(times.typecode, [max(time, self._time) for time in times])
            until = cut["c"].get("until", times)
            cut["c"]["until"] = array(until.typecode, [max(time, self._time) for time in until])
        return cut

    def _memory_samples(self, body: Body) -> Body:
        cut = self._numbered("memory_samples", body)
        self._runs.update(cut["c"].get("run", ()))
        cut["s"]["runs"] = [run for run in cut["s"].get("runs", ()) if run.get("id") in self._runs]
        return cut

    def _graph(self, body: Body) -> Body:
        scalars = dict(body.get("s") or {})
        base = self._scalars.setdefault("graph", dict(scalars))
        first = self._first.setdefault("graph", scalars["first"])
        skip = min(max(0, first - scalars["first"]), len(body["c"].get("prefix", ())))
        dropped = max(0, scalars.get("kept", 0) - first)
        never = scalars.get("not_kept", 0) - scalars.get("kept", 0) - (base.get("not_kept", 0) - base.get("kept", 0))
        edges = scalars.get("edges_not_kept", 0) - base.get("first_edge", 0)
        scalars.update(
            first=max(first, scalars["first"]),
            kept=max(first, scalars.get("kept", 0)),
            latest=max(first, scalars.get("latest", 0)),
            not_kept=dropped + max(0, never),
            edges_not_kept=max(0, edges),
        )
        return {**body, "c": {name: values[skip:] for name, values in body["c"].items()}, "s": scalars}

    def _executed(self, body: Body) -> Body:
        # Its rows are those of the topic tasks. A number from before the block's first task names none in it.
        self._first.setdefault("executed", self._first.get("tasks", 0))
        return self._numbered("executed", body)

    def _states(self, body: Body) -> Body | None:
        first = self._first.get("graph")
        if first is None:
            # Of tasks from before the first of the block.
            return None
        columns, scalars = body["c"], dict(body.get("s") or {})
        numbers = columns.get("number")
        if numbers is not None:
            return {**body, "c": _taken(columns, [i for i, number in enumerate(numbers) if number >= first])}
        skip = max(0, first - scalars.get("first", 0))
        scalars["first"] = scalars.get("first", 0) + skip
        return {**body, "c": {name: values[skip:] for name, values in columns.items()}, "s": scalars}


def _mean(row: Row) -> float:
    """Seconds of compute for each of the tasks that have ended; -1 if there are none."""
    ended = sum(row[name] for name in _OVER["prefixes"] if name != "cancelled")
    return row["compute"] / ended if ended > 0 else -1.0


def _rows(body: Body) -> list[Row]:
    columns = body["c"]
    names = list(columns)
    return [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _columns(rows: Sequence[Row], like: Mapping[str, array[Any]]) -> dict[str, array[Any]]:
    """Rows as columns of their original types."""
    return {
        name: array(values.typecode, (row[name] if values.typecode in "fd" else int(row[name]) for row in rows))
        for name, values in like.items()
    }


def _taken(columns: Mapping[str, array[Any]], rows: Iterable[int]) -> dict[str, array[Any]]:
    places = list(rows)
    return {name: array(values.typecode, [values[i] for i in places]) for name, values in columns.items()}


def _no_rows(columns: Mapping[str, array[Any]]) -> dict[str, array[Any]]:
    return {name: values[:0] for name, values in columns.items()}
