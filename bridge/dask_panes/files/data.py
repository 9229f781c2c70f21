"""Data of a scheduler or a recording as pandas DataFrames; pandas is imported only here, and only when needed."""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import Awaitable, Callable, Iterator, Mapping
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ..feed.schema import SCHEMA
from ..scheduler.collector.names import MORE, OTHER
from .blocks import KEYS, holding
from .recording import Recording, RecordingError

if TYPE_CHECKING:
    from distributed import Client

#: Sources of tables: a running client, a recording, or the path of one.
ClientOrRecording = Union["Client", Recording, str, "os.PathLike[str]"]

#: A ``pandas.DataFrame``: pandas need not be here for its types.
DataFrame = Any

_TASK_STATUS: list[str] = SCHEMA["enums"]["taskStatus"]
_WORKER_STATUS: list[str] = SCHEMA["enums"]["workerStatus"]
_MEASURES: list[str] = SCHEMA["enums"]["measure"]
_MISSING = "Rows of this table are missing. {}"
_NOT_OF_WORKERS = [name for name in SCHEMA["topics"]["series"]["columns"] if name.startswith(("scheduler_", "spent_"))]


def open_recording(path: str | os.PathLike[str], *, storage_options: Mapping[str, Any] | None = None) -> Recording:
    """Open a recording that ``dask_panes.record`` wrote.

    Parameters
    ----------
    path : str or path
        The file, or a URL that fsspec knows (``s3://…``); it stays open until ``close``, or the end of a ``with``
        block.
    storage_options : mapping, optional
        Arguments of the file system, for a `path` that is a URL, as `record` takes them; see fsspec.

    Returns
    -------
    Recording
        Its frames, keys and facts; `tasks`, `transfers`, `workers` and `series` of this module make tables of it.

    Raises
    ------
    RecordingError
        Where it is not a recording.
    OSError
        Where it cannot be read.
    ValueError, ImportError
        Where fsspec does not know the place or lacks the package for it, or `storage_options` are given for a plain
        path.

    Examples
    --------
    >>> with dask_panes.open_recording("run.dask-run") as recording:  # doctest: +SKIP
    ...     print(recording.info, recording.complete, recording.missing)
    ...     tasks = dask_panes.tasks(recording)
    """
    # A URL is no path: it would lose a slash.
    return Recording(path if isinstance(path, str) and "://" in path else Path(path), storage_options)


def tasks(source: ClientOrRecording) -> Any:
    """Every execution of a task, as a DataFrame.

    Parameters
    ----------
    source : distributed.Client, Recording, str or path
        A client: what has ended since its scheduler is observed (since the first client that was shown, or asked for
        a table), up to the last 1,000,000 executions. A recording, or the path of one: what happened in its block.

    Returns
    -------
    pandas.DataFrame
        One row for each execution that ended, in the order in which the scheduler learnt of it (an asynchronous Client:
        awaitable). Those of which Dask reports no times have none: attempts that were retried, what was cancelled, and
        errors whose exception cannot be written, since its ``repr`` raises. The pane *Errors* counts these.

        ========== ==================== ==============================================================
        key        object (str)         tuples as Python writes them; None where it is not known
        prefix     category             the function's name, as Dask groups keys
        group      object (str)         Dask's task group
        worker     category             address
        thread     int64                as the worker's system numbers it
        start      datetime64[ns, UTC]  of the computation, scheduler's clock
        stop       datetime64[ns, UTC]
        bytes      float64              size of the result; 0 for erred tasks, NaN where it is not known
        type       category             of the result; empty where it is not known
        status     category             ``OK`` or ``erred``
        ========== ==================== ==============================================================

    Raises
    ------
    ImportError
        Where pandas is not installed.
    RecordingError
        Where the path is not a recording.
    RuntimeError, OSError
        For a path, where the file cannot be read. For a Client that is closed, whose scheduler does not answer or
        allows no collector, or with ``dask-panes.enabled: false``.

    Examples
    --------
    >>> tasks = dask_panes.tasks(client)  # doctest: +SKIP
    >>> seconds = (tasks["stop"] - tasks["start"]).dt.total_seconds()  # doctest: +SKIP
    >>> seconds.groupby(tasks["prefix"], observed=True).sum()  # doctest: +SKIP
    """
    return _table(source, ("tasks",), _tasks)


def transfers(source: ClientOrRecording) -> Any:
    """What workers sent each other, as a DataFrame.

    Parameters
    ----------
    source : distributed.Client, Recording, str or path
        A client: the newest that the workers' logs still have: 50,000 by all workers, of each log an equal share. Dask
        keeps 1,000 in each, so of more than 50 workers the older ones are missing. A recording: what was sent in its
        block.

    Returns
    -------
    pandas.DataFrame
        One row for each transfer: ``sender`` and ``receiver`` (category: addresses; empty where not known), ``start``
        and ``stop`` (datetime64[ns, UTC], scheduler's clock), ``bytes`` (float64: of the results in memory),
        ``compressed`` (float64: on the wire; NaN where not known), ``keys`` (int64: how many results) and ``names``
        (object: the first keys).

    Raises
    ------
    ImportError
        Where pandas is not installed.
    RecordingError
        Where the path is not a recording.
    RuntimeError, OSError
        For a path, where the file cannot be read. For a Client that is closed, whose scheduler does not answer or
        allows no collector, or with ``dask-panes.enabled: false``.

    Examples
    --------
    >>> transfers = dask_panes.transfers("run.dask-run")  # doctest: +SKIP
    >>> transfers.groupby("receiver", observed=True)["bytes"].sum()  # doctest: +SKIP
    """
    return _table(source, ("transfers", "workers"), _transfers)


def workers(source: ClientOrRecording) -> Any:
    """The workers, as a DataFrame.

    Parameters
    ----------
    source : distributed.Client, Recording, str or path
        A client: as its workers are now, with those that left. A recording: as they were at its end.

    Returns
    -------
    pandas.DataFrame
        One row for each worker: ``address``, ``name``, ``host`` (object), ``status`` (category), ``nthreads`` (int64),
        ``memory_limit`` (float64, bytes; 0 without one), ``last_seen`` (datetime64[ns, UTC]), ``cpu`` (float64, per
        cent of one core), ``processing``, ``executing``, ``in_memory`` (int64), ``process``, ``managed``,
        ``unmanaged_old``, ``unmanaged_recent``, ``spilled`` (float64, bytes), ``net_read``, ``net_write``,
        ``disk_read``, ``disk_write`` (float64, bytes a second of the whole host). Workers that share a process
        (``processes=False``) report ``cpu`` and ``process`` of all of it, each.

    Raises
    ------
    ImportError
        Where pandas is not installed.
    RecordingError
        Where the path is not a recording.
    RuntimeError, OSError
        For a path, where the file cannot be read. For a Client that is closed, whose scheduler does not answer or
        allows no collector, or with ``dask-panes.enabled: false``.

    Examples
    --------
    >>> dask_panes.workers(client)[["name", "nthreads", "process", "memory_limit"]]  # doctest: +SKIP
    """
    return _table(source, ("workers",), _workers)


def series(source: ClientOrRecording) -> Any:
    """CPU, memory, network and disk over time, as a DataFrame.

    Parameters
    ----------
    source : distributed.Client, Recording, str or path
        A client: the last hour in steps of 1 s, the day before it in steps of 10 s. A recording: its block.

    Returns
    -------
    pandas.DataFrame
        One row for each sample: index ``time`` (datetime64[ns, UTC], scheduler's clock), ``until`` (when it last held),
        ``workers`` (int64), and for each measure (``cpu`` per cent of one core, ``process``, ``managed``, ``spilled``
        bytes, ``net_read``, ``net_write``, ``disk_read``, ``disk_write`` bytes a second, ``processing``, ``executing``,
        ``threads`` …) the columns ``<measure>_sum``, ``<measure>_min`` and ``<measure>_max`` over
        the workers, of network and disk over their hosts, each counted once (float64). Workers that share a process
        (``processes=False``) report ``cpu`` and ``process`` of all of it, so the sum counts it once for each. Then what
        the scheduler's own process takes: ``scheduler_cpu``, ``scheduler_memory``, ``scheduler_net_read``,
        ``scheduler_tick`` (seconds between two turns of its event loop) … (float64, NaN where it is not measured), and
        what workers spent time on, in seconds per second: ``spent_cpu``, ``spent_network`` …

    Raises
    ------
    ImportError
        Where pandas is not installed.
    RecordingError
        Where the path is not a recording.
    RuntimeError, OSError
        For a path, where the file cannot be read. For a Client that is closed, whose scheduler does not answer or
        allows no collector, or with ``dask-panes.enabled: false``.

    Examples
    --------
    >>> dask_panes.series("run.dask-run")["cpu_sum"].plot()  # doctest: +SKIP
    """
    return _table(source, ("series",), _series)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("Tables of dask_panes need pandas in this environment: pip install pandas.") from None
    return pandas


def _table(source: ClientOrRecording, topics: tuple[str, ...], make: Callable[[Recording], DataFrame]) -> Any:
    _pandas()
    if isinstance(source, Recording):
        return make(source)
    if isinstance(source, (str, os.PathLike)):
        with open_recording(source) as recording:
            table = make(recording)
            _warn(source, recording)
        return table
    from distributed import Client

    from ..kernel.session.link import CLOSED

    if not isinstance(source, Client):
        what = "None" if source is None else f"an object of the type {type(source).__name__}"
        raise TypeError(f"A table is made of a Client, of a Recording or of the path of one, not of {what}.")
    if source.status == "closed":
        # Its loop may have ended.
        raise RuntimeError(CLOSED)
    found = source.sync(_of_client, source, topics, make)
    if isawaitable(found):
        return _awaited(found)
    table, missing = found
    if missing:
        warnings.warn(_MISSING.format(" ".join(missing)), stacklevel=3)
    return table


async def _awaited(found: Awaitable[tuple[DataFrame, list[str]]]) -> DataFrame:
    table, missing = await found
    if missing:
        warnings.warn(_MISSING.format(" ".join(missing)), stacklevel=2)
    return table


def _warn(path: str | os.PathLike[str], recording: Recording) -> None:
    """Warn of problems that the caller cannot look up: a path has no `problems`."""
    problems = [
        *([] if recording.complete else ["It was not finished, or its end is damaged."]),
        *recording.problems,
        *([f"{recording.damaged:,} bytes are cut off or damaged."] if recording.damaged else []),
    ]
    if problems:
        more = ["`problems` of dask_panes.open_recording() lists more."] if len(problems) > 2 else []
        text = " ".join([*problems[:2], *more])
        warnings.warn(f"{os.fspath(path)} could not be read in full. {text}", stacklevel=4)


async def _of_client(
    client: Client, topics: tuple[str, ...], make: Callable[[Recording], DataFrame]
) -> tuple[DataFrame, list[str]]:
    """A table of what a scheduler has, read from a temporary recording, and why rows of it are missing.

    The caller warns: from this loop, the warning would name no line of the user's, and so appear only once.
    """
    from .history import history

    with tempfile.TemporaryFile() as file:
        await history(client, topics, file)

        def read() -> tuple[DataFrame, list[str]]:
            with Recording(file) as recording:
                return make(recording), recording.missing

        return await asyncio.to_thread(read)


class _Names:
    """Dictionaries of a recording, as they grow with its frames."""

    def __init__(self) -> None:
        self.prefixes: list[str] = []
        self.workers: list[dict[str, Any]] = []
        self.lanes: list[list[int]] = []

    def learn(self, frame: dict[str, Any]) -> None:
        for name, entries in frame["names"].items():
            known = getattr(self, name, None)
            if known is not None:
                known[entries["from"] : entries["from"] + len(entries["values"])] = entries["values"]

    def address(self, worker: int) -> str:
        return str(self.workers[worker]["address"]) if 0 <= worker < len(self.workers) else ""


def _bodies(recording: Recording, topic: str, names: _Names) -> Iterator[dict[str, Any]]:
    for frame in recording.frames():
        names.learn(frame)
        body = frame["topics"].get(topic)
        if body is not None:
            yield {"s": {}, **body}


#: The last whole second, since the epoch, that whole nanoseconds in 64 bits can say.
_LAST = 2**63 // 10**9


def _times(values: Any) -> Any:
    """Seconds since the epoch as times; what cannot be one becomes missing."""
    pandas = _pandas()
    seconds = pandas.Series(values, dtype="float64")
    # Whole nanoseconds: floats of seconds have a resolution of some hundred, which matches Dask's clocks.
    nanoseconds = seconds.where(seconds.between(0, _LAST, inclusive="left")) * 1e9
    return pandas.to_datetime(nanoseconds, unit="ns", utc=True).astype("datetime64[ns, UTC]")


def _signed(thread: float) -> int:
    """The number of a thread in 64 bits: systems have unsigned ones."""
    return (int(thread) + 2**63) % 2**64 - 2**63


def _tasks(recording: Recording) -> DataFrame:
    pandas = _pandas()
    names = _Names()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("row", "prefix", "worker", "thread", "start", "duration", "bytes", "status")
    }
    for body in _bodies(recording, "tasks", names):
        received, first = body["c"], body["s"].get("first", 0)
        lanes = [names.lanes[lane] for lane in received.get("lane", ())]
        columns["row"].extend(range(first, first + len(lanes)))
        columns["prefix"].extend(names.prefixes[prefix] for prefix in received.get("prefix", ()))
        columns["worker"].extend(names.address(worker) for worker, _ in lanes)
        columns["thread"].extend(_signed(thread) for _, thread in lanes)
        columns["start"].extend(received.get("start", ()))
        columns["duration"].extend(received.get("duration") or [float("nan")] * len(lanes))
        columns["bytes"].extend(received.get("nbytes") or [float("nan")] * len(lanes))
        columns["status"].extend(received.get("status") or [0] * len(lanes))
    keys, groups, types = _keys(recording, columns["row"], columns["prefix"])
    start = pandas.Series(columns["start"], dtype="float64")
    return pandas.DataFrame(
        {
            "key": pandas.Series(keys, dtype="object"),
            "prefix": pandas.Categorical(columns["prefix"]),
            "group": pandas.Series(groups, dtype="object"),
            "worker": pandas.Categorical(columns["worker"]),
            "thread": pandas.Series(columns["thread"], dtype="int64"),
            "start": _times(start),
            "stop": _times(start + pandas.Series(columns["duration"], dtype="float64")),
            "bytes": pandas.Series(columns["bytes"], dtype="float64"),
            "type": pandas.Categorical(types),
            "status": pandas.Categorical.from_codes(columns["status"], categories=_TASK_STATUS),
        }
    )


def _keys(
    recording: Recording, rows: list[int], prefixes: list[str]
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Keys, groups and types of executions; a damaged part of the file costs only its own, and `problems` says so.

    Where several prefixes share an entry of the dictionary, those of the keys take its place in `prefixes`.
    """
    from dask.utils import key_split
    from distributed.utils import key_split_group

    def named(split: Callable[[Any], Any], key: Any) -> str:
        try:
            return str(split(key))
        except (IndexError, TypeError, ValueError):
            # No key of Dask: a file may say anything.
            return ""

    keys: list[str | None] = []
    groups: list[str | None] = []
    types: list[str] = []
    damaged = range(0)
    for i, row in enumerate(rows):
        try:
            entry = None if row in damaged else recording._entry(row)
        except RecordingError as error:
            entry = None
            # Not read again for each of its rows.
            held = holding([block for block in recording.blocks if block.kind == KEYS], row)
            damaged = range(row, row + 1 if held is None else row + held[0].rows - held[1])
            count = "The key of 1 task is" if len(damaged) == 1 else f"Keys of {len(damaged):,} tasks are"
            recording._note(f"{count} left out: {error}")
        keys.append(None if entry is None else entry[0])
        types.append("" if entry is None else entry[1])
        groups.append(None if entry is None else named(key_split_group, entry[2]))
        if entry is not None and prefixes[i].endswith((MORE, OTHER)):
            prefixes[i] = named(key_split, entry[2]) or prefixes[i]
    return keys, groups, types


_TEXTS = ("names", "sender_address", "receiver_address")


def _transfers(recording: Recording) -> DataFrame:
    pandas = _pandas()
    names = _Names()
    # After a restart those that are still kept are sent again; the file has the older ones, too.
    numbered: dict[int, dict[str, Any]] = {}
    for body in _bodies(recording, "transfers", names):
        number = body["s"].get("first", 0) + body["s"].get("lost", 0)
        if not number:
            numbered.clear()
        received, count = body["c"], len(body["c"].get("start", ()))
        texts = {name: [*body["s"].get(name, ()), *[""] * count] for name in _TEXTS}
        known = received | texts
        numbered.update((number + i, {name: values[i] for name, values in known.items()}) for i in range(count))
    rows = [numbered[number] for number in sorted(numbered)]

    def of(name: str) -> list[Any]:
        return [row.get(name, float("nan")) for row in rows]

    def who(side: str) -> list[str]:
        return [row[f"{side}_address"] or names.address(row[side] - 1) for row in rows]

    return pandas.DataFrame(
        {
            "sender": pandas.Categorical(who("sender")),
            "receiver": pandas.Categorical(who("receiver")),
            "start": _times(of("start")),
            "stop": _times(of("stop")),
            "bytes": pandas.Series(of("total"), dtype="float64"),
            "compressed": pandas.Series(of("compressed"), dtype="float64"),
            "keys": pandas.Series(of("keys"), dtype="int64"),
            "names": pandas.Series(of("names"), dtype="object"),
        }
    )


_COUNTS = ("processing", "executing", "in_memory")
_FIGURES = (
    "cpu process managed unmanaged_old unmanaged_recent spilled net_read net_write disk_read disk_write"
).split()


def _workers(recording: Recording) -> DataFrame:
    pandas = _pandas()
    names = _Names()
    #: The newest row of each, with its time.
    newest: dict[int, tuple[float, dict[str, Any]]] = {}

    def learn(frame: dict[str, Any]) -> None:
        names.learn(frame)
        columns = frame["topics"].get("workers", {"c": {}})["c"]
        for i, found in enumerate(columns.get("id", ())):
            if found not in newest or frame["time"] >= newest[found][0]:
                newest[found] = (frame["time"], {name: values[i] for name, values in columns.items()})

    for frame in recording.frames():
        learn(frame)
    if recording.is_damaged:
        # A later keyframe has the rows of a damaged part.
        for frame in recording.keyframes():
            learn(frame)
    rows = [row for _, row in newest.values()]
    about = [names.workers[found] for found in newest]
    table = {
        name: pandas.Series([facts.get(name, "") for facts in about], dtype="object")
        for name in ("address", "name", "host")
    }
    table["status"] = pandas.Categorical.from_codes([row.get("status", -1) for row in rows], categories=_WORKER_STATUS)
    table["nthreads"] = pandas.Series([row.get("nthreads", 0) for row in rows], dtype="int64")
    table["memory_limit"] = pandas.Series([row.get("memory_limit", float("nan")) for row in rows], dtype="float64")
    table["last_seen"] = _times([row.get("last_seen", float("nan")) for row in rows])
    for name in _COUNTS:
        table[name] = pandas.Series([row.get(name, 0) for row in rows], dtype="int64")
    for name in _FIGURES:
        table[name] = pandas.Series([row.get(name, float("nan")) for row in rows], dtype="float64")
    return pandas.DataFrame(table)


def _series(recording: Recording) -> DataFrame:
    pandas = _pandas()
    # A repeated point replaces the earlier one; after a restart all are sent again, and may have other numbers.
    points: dict[int, dict[str, float]] = {}
    epoch = None
    for frame in recording.frames():
        body = frame["topics"].get("series")
        if body is None:
            continue
        if frame["epoch"] != epoch:
            epoch = frame["epoch"]
            points.clear()
        first = body.get("s", {}).get("first", 0)
        for i in range(len(body["c"].get("time", ()))):
            points[first + i] = {name: values[i] for name, values in body["c"].items()}
    rows = [points[number] for number in sorted(points)]
    table = {
        "until": _times([row["until"] for row in rows]),
        "workers": pandas.Series([row.get("workers", 0) for row in rows], dtype="int64"),
    }
    for measure in _MEASURES:
        for part in ("sum", "min", "max"):
            name = f"{measure}_{part}"
            table[name] = pandas.Series([row.get(name, float("nan")) for row in rows], dtype="float64")
    for name in _NOT_OF_WORKERS:
        table[name] = pandas.Series([row.get(name, float("nan")) for row in rows], dtype="float64")
    frame = pandas.DataFrame(table)
    return frame.set_index(pandas.DatetimeIndex(_times([row["time"] for row in rows]), name="time"))
