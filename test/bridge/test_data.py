"""Tables for users who compute with them: what they say equals what Dask says."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from distributed import Client, LocalCluster, wait

import dask_panes
from blocks import until_idle, work
from dask_panes.feed.codec import decode, encode
from dask_panes.files.block.cut import Cut
from dask_panes.files.blocks import RecordingError
from dask_panes.files.format.writer import RecordingWriter
from dask_panes.kernel.gather import transfers
from dask_panes.kernel.gather.row_log import RowLog
from dask_panes.scheduler.collector.measures import MEASURES
from dask_panes.scheduler.collector.names import ALIKE
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from dask_panes.scheduler.collector.series import COARSE, FINE_POINTS, Series, sample_cluster
from reader import Reader

COLUMNS = {
    "key": "object",
    "prefix": "category",
    "group": "object",
    "worker": "category",
    "thread": "int64",
    "start": "datetime64[ns, UTC]",
    "stop": "datetime64[ns, UTC]",
    "bytes": "float64",
    "type": "category",
    "status": "category",
}


def inc(x: int) -> int:
    return x + 1


def fail(x: int) -> None:
    raise ValueError(x)


def seconds(times: pd.Series) -> list[float]:
    return [value.timestamp() for value in times]


def test_tasks_of_a_client_and_of_a_recording_are_those_of_dasks_task_stream(client, tmp_path: Path) -> None:
    until_idle(client)
    before = len(client.get_task_stream())  # Dask's own plugin begins to note with the first call.
    with dask_panes.record(tmp_path / "run.dask-run", client):
        wait(client.map(inc, range(300), pure=False))
        client.get({("part", i, 2): (inc, i) for i in range(20)}, [("part", i, 2) for i in range(20)])
        wait(client.submit(fail, 1, key="fail-1"))
    theirs = client.get_task_stream()[before:]
    assert len(theirs) == 321
    ours = dask_panes.tasks(client).tail(321).reset_index(drop=True)
    for table in (ours, dask_panes.tasks(tmp_path / "run.dask-run")):
        assert {name: str(dtype) for name, dtype in table.dtypes.items()} == COLUMNS
        assert len(table) == len(theirs)
        compute = [[part for part in entry["startstops"] if part["action"] == "compute"][-1] for entry in theirs]
        assert list(table["key"]) == [str(entry["key"]) for entry in theirs]
        assert list(table["worker"]) == [entry["worker"] for entry in theirs]
        assert list(table["thread"]) == [entry["thread"] for entry in theirs]
        assert seconds(table["start"]) == pytest.approx([part["start"] for part in compute], abs=2e-6)
        assert seconds(table["stop"]) == pytest.approx([part["stop"] for part in compute], abs=2e-5)
        assert list(table["status"]) == ["erred" if entry["status"] == "error" else "OK" for entry in theirs]
        assert set(table["prefix"]) == {"inc", "part", "fail"}
        assert set(table["group"]) == {"inc", "part", "fail"}
        assert set(table[table["status"] == "OK"]["type"]) == {"int"}
        assert table["bytes"].max() == 28


class Unwritten(Exception):
    def __repr__(self) -> str:
        raise RuntimeError("no text")


def unwritten(x: int) -> None:
    raise Unwritten(x)


def test_an_error_that_cannot_be_written_has_no_row_and_is_counted(client) -> None:
    until_idle(client)
    before = len(dask_panes.tasks(client))
    wait([client.submit(fail, 1, key="fail-2"), client.submit(unwritten, 1, key="unwritten-1")])
    table = dask_panes.tasks(client)
    # Dask reports no times of it, so that its own task stream has nothing but its end.
    assert list(table["prefix"])[before:] == ["fail"]
    assert "``repr`` raises" in str(dask_panes.tasks.__doc__)
    errors = client.cluster.scheduler.plugins[PLUGIN_NAME].errors
    assert {text["type"] for text in errors._texts} >= {"ValueError", "RuntimeError"}
    reader = Reader(client)
    reader.read(["attempts"])
    assert [row["erred"] for row in reader.rows["attempts"].values()] == [1]


def test_the_group_of_a_task_is_the_one_that_dask_puts_it_in(client, tmp_path: Path) -> None:
    """Texts of keys do not say it: those of a number, of a tuple and of a text may be the same."""
    until_idle(client)
    keys = [5, 2.5, "5", ("a,b", 0), ("it's", 1), ("q\"'", 3), (("n", 1), 2), ("x-1", -5, 2**40), ("y", 1), "z-2"]
    with dask_panes.record(tmp_path / "run.dask-run", client):
        futures = client.get({key: (inc, 1) for key in keys}, keys, sync=False)
        wait(futures)
        theirs = client.run_on_scheduler(
            lambda dask_scheduler: [(str(task.key), task.group.name) for task in dask_scheduler.tasks.values()]
        )
        del futures
    table = dask_panes.tasks(tmp_path / "run.dask-run")
    assert len(table) == len(keys)
    found = sorted(zip(table["key"], table["group"], strict=True))
    assert found == sorted((key, str(group)) for key, group in theirs)


def test_functions_whose_names_differ_in_numbers_only_have_prefixes_of_their_own(client, tmp_path: Path) -> None:
    """In the feed those from the hundredth on share an entry."""
    until_idle(client)
    path, names = tmp_path / "run.dask-run", [f"numbered_{i}" for i in range(ALIKE + 9)]
    with dask_panes.record(path, client):
        wait([client.submit(inc, 1, key=f"{name}-1") for name in names])
        client.get({(f"{name}-ab", 0): (inc, 1) for name in names}, [(f"{name}-ab", 0) for name in names])
    for table in (dask_panes.tasks(path), dask_panes.tasks(client).tail(2 * len(names))):
        assert sorted(table["prefix"]) == sorted([*names, *(f"{name}-ab" for name in names)])


def test_a_recorder_and_a_recording_say_what_they_are(client, tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"
    recorder = dask_panes.record(path, client)
    assert repr(recorder) == f"<Recorder {path}: not started>"
    with recorder:
        assert repr(recorder) == f"<Recorder {path}: active>"
        client.gather(client.map(inc, range(3)))
    assert repr(recorder) == f"<Recorder {path}: 3 tasks, {path.stat().st_size:,} bytes>"
    with recorder:
        assert repr(recorder) == f"<Recorder {path}: active>"
        client.gather(client.map(inc, range(3), pure=False))
    with dask_panes.open_recording(path) as recording:
        assert re.fullmatch(rf"<Recording {path}: 3 tasks, \d+\.\d s>", repr(recording))
    path.write_bytes(path.read_bytes()[:-40])
    with dask_panes.open_recording(path) as recording:
        assert repr(recording).endswith(", not complete>")


def test_what_is_no_recording_is_an_error_with_its_path_and_what_to_do(tmp_path: Path) -> None:
    missing, other = tmp_path / "missing.dask-run", tmp_path / "other.dask-run"
    other.write_text("nothing of ours")
    with pytest.raises(FileNotFoundError, match=f"There is no recording {missing}: .* Is the path right"):
        dask_panes.open_recording(missing)
    with pytest.raises(
        RecordingError, match=rf"{other}: This is not a recording .* Give a file that dask_panes.record\(\) wrote\.$"
    ):
        dask_panes.tasks(str(other))
    data = bytearray((Path(__file__).parents[1] / "fixtures" / "run.dask-run").read_bytes())
    data[8] = 2
    other.write_bytes(data)
    with pytest.raises(RecordingError, match=r"version 2 .* knows 1\. Another version of Dask Panes reads it\.$"):
        dask_panes.open_recording(other)


def dtypes(table: Any) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in table.dtypes.items()}


def test_the_other_tables(client, tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"
    with dask_panes.record(path, client) as recorder:
        work(client, "beta")
    assert recorder.missing == []
    with dask_panes.open_recording(path) as recording:
        transfers, workers, series = (
            table(recording) for table in (dask_panes.transfers, dask_panes.workers, dask_panes.series)
        )
    # As docs/python.md has it.
    moments = "datetime64[ns, UTC]"
    assert dtypes(transfers) == {
        **dict.fromkeys(("sender", "receiver"), "category"),
        **dict.fromkeys(("start", "stop"), moments),
        **dict.fromkeys(("bytes", "compressed"), "float64"),
        **{"keys": "int64", "names": "object"},
    }
    named = {
        **dict.fromkeys(("address", "name", "host"), "object"),
        **{"status": "category", "nthreads": "int64", "last_seen": moments},
        **dict.fromkeys(("processing", "executing", "in_memory"), "int64"),
    }
    found = dtypes(workers)
    assert {name: found.pop(name) for name in named} == named
    assert set(found.values()) == {"float64"}
    assert {"memory_limit", "cpu", "process"} <= found.keys()
    found = dtypes(series)
    assert (str(series.index.dtype), series.index.name) == (moments, "time")
    assert (found.pop("until"), found.pop("workers")) == (moments, "int64")
    assert set(found.values()) == {"float64"}
    addresses = set(client.nthreads())
    assert set(workers["address"]) == addresses
    assert list(workers["nthreads"]) == [2, 2]
    assert set(workers["status"]) == {"running"}
    assert (workers["process"] > 1e6).all()
    assert len(transfers) == 2
    assert set(transfers["sender"]) == set(transfers["receiver"]) == addresses
    assert (transfers["bytes"] >= 3e6).all()
    assert (transfers["stop"] >= transfers["start"]).all()
    assert series.index.is_monotonic_increasing
    assert (series["workers"] == 2).all()
    assert series["process_sum"].max() > 1e6
    assert series["scheduler_memory"].max() > 1e6
    # What a worker spent is of the time between two heartbeats.
    assert series["spent_cpu"].max() > 0
    assert series["spent_network"].max() > 0
    assert len(dask_panes.workers(client)) >= 2
    assert set(dask_panes.transfers(client)["names"].str.split("-").str[0]) >= {"beta"}
    assert len(dask_panes.series(client)) >= len(series)


def test_the_series_of_hours_with_a_restart_is_in_order_of_time_and_of_the_block_only(tmp_path: Path) -> None:
    """After an hour, points of 10 s have taken the place of those of 1 s."""
    series, begin, restarted = Series(), 5000, 14_000

    def sample(end: int) -> None:
        for i in range(series.end, end):
            series.add(sample_cluster(float(i), [("a", (0.0,) * len(MEASURES))]), 0.0, False)

    def frame(epoch: int, cursor: int) -> dict[str, Any]:
        body, end = series.read(cursor)
        envelope = {"feed": "a", "epoch": epoch, "time": float(end), "names": {}, "cursor": {}}
        return decode(encode({**envelope, "topics": {"series": body}}, 0))

    sample(begin)
    cut = Cut({"series": begin}, float(begin))
    with (tmp_path / "run.dask-run").open("wb", buffering=0) as file:
        writer = RecordingWriter(file, {})
        for end in range(begin + 1000, restarted + 1, 1000):
            sample(end)
            writer.add(cut.frame(frame(0, end - 1000)))
        writer.add(cut.frame(frame(1, 0)))
        writer.finish()
    times = [int(time) for time in seconds(dask_panes.series(tmp_path / "run.dask-run").index)]
    fine = restarted - FINE_POINTS
    assert times == [*range(begin, fine, COARSE), *range(fine, restarted)]


def test_an_asynchronous_client_is_awaited() -> None:
    async def run() -> None:
        async with (
            LocalCluster(n_workers=1, processes=False, asynchronous=True, dashboard_address=None) as made,
            Client(made, asynchronous=True) as client,
        ):
            # A scheduler is observed from the first time that anybody asks.
            assert len(await dask_panes.tasks(client)) == 0
            await client.gather(client.map(inc, range(5)))
            assert len(await dask_panes.tasks(client)) == 5

    asyncio.run(run())


def test_pandas_is_imported_only_when_asked_for_and_its_lack_is_reported() -> None:
    script = """
import sys
sys.modules["pandas"] = None
import dask_panes
assert set(dask_panes.__all__) <= set(dir(dask_panes))
tasks = dask_panes.tasks
try:
    tasks("none.dask-run")
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=True)
    assert "pip install pandas" in done.stdout


def test_a_misspelt_plot_is_an_error_that_names_the_near_ones() -> None:
    with pytest.raises(ValueError, match="Did you mean 'task-stream'"):
        dask_panes.show("taskstream")
    with pytest.raises(ValueError, match=r"'progress'.*layout='progres'"):
        dask_panes.show("progres")


@pytest.mark.parametrize("name", ["My panes", "Status 2", "xyzzy", "", "\ud800"])
def test_other_names_may_be_those_of_saved_layouts(name: str) -> None:
    # They are the browser's to know; outside a kernel there is none.
    with pytest.raises(RuntimeError, match="works in a Jupyter kernel"):
        dask_panes.show(name)


@pytest.mark.parametrize("own_loop", [False, True])
def test_a_closed_client_is_reported_as_closed(tmp_path: Path, own_loop: bool) -> None:
    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        client = Client(cluster.scheduler_address if own_loop else cluster)
        assert len(dask_panes.tasks(client)) == 0
        client.close()
        for table in (dask_panes.tasks, dask_panes.transfers, dask_panes.workers, dask_panes.series):
            with pytest.raises(RuntimeError, match="client is closed"):
                table(client)
        path = tmp_path / "run.dask-run"
        with pytest.raises(RuntimeError, match="client is closed"), dask_panes.record(path, client=client):
            pass
        assert not path.exists()


def test_the_table_of_transfers_says_how_many_of_a_client_it_has() -> None:
    """A worker is asked for its share of these."""
    said = f"{transfers.ROWS:,}"
    assert said in (dask_panes.transfers.__doc__ or "")
    assert said in (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")


@pytest.mark.parametrize(("source", "words"), [(None, "not of None"), (5, "not of an object of the type int")])
def test_what_is_no_source_of_a_table_is_refused(source: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        dask_panes.tasks(source)  # type: ignore[arg-type]


def test_workers_that_ended_before_the_block_are_not_of_its_recording(tmp_path: Path) -> None:
    path = tmp_path / "run.dask-run"
    with LocalCluster(n_workers=3, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        wait(client.map(inc, range(12), pure=False))
        dask_panes.tasks(client)
        client.retire_workers([sorted(client.scheduler_info()["workers"])[0]])
        with dask_panes.record(path, client):
            wait(client.map(inc, range(12), pure=False))
    process = subprocess.run(
        [sys.executable, "-m", "dask_panes", "info", str(path), "--json"], capture_output=True, check=True
    )
    assert json.loads(process.stdout)["workers"] == len(dask_panes.workers(path)) == 2


def test_sums_count_a_process_once_for_each_of_its_workers() -> None:
    """As the documentation of the tables says."""
    with LocalCluster(n_workers=3, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        dask_panes.tasks(client)
        end = time.monotonic() + 60
        while not len(samples := dask_panes.series(client).query("workers == 3 and process_min > 0")):
            assert time.monotonic() < end
            time.sleep(0.2)
        newest = samples.iloc[-1]
        # Heartbeats of the three are some moments apart.
        assert 2.5 < newest["process_sum"] / newest["process_max"] <= 3


@pytest.mark.parametrize("name", ["tasks", "transfers", "workers", "series"])
def test_without_pandas_a_table_says_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="need pandas in this environment: pip install pandas"):
        getattr(dask_panes, name)("none.dask-run")


def test_a_worker_that_does_not_answer_is_named_with_the_transfers(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as made, Client(made) as client:
        ((_, process),) = client.run(os.getpid).items()
        dask_panes.tasks(client)
        ask = made.scheduler.plugins[PLUGIN_NAME].reach._one

        async def impatient(*question: Any) -> Any:
            return await asyncio.wait_for(ask(*question), 2)

        monkeypatch.setattr(made.scheduler.plugins[PLUGIN_NAME].reach, "_one", impatient)
        os.kill(process, signal.SIGSTOP)
        try:
            with pytest.warns(UserWarning, match="Rows of this table are missing. Worker 0 could not be read") as seen:
                dask_panes.transfers(client)
            # Python shows a warning once for each line: of ours, the second table would be without it.
            assert seen[0].filename == __file__
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                # The scheduler has these.
                dask_panes.tasks(client)
        finally:
            os.kill(process, signal.SIGCONT)


def test_transfers_that_the_kernel_no_longer_keeps_stay_in_a_recording_with_a_restart(tmp_path: Path) -> None:
    """After a restart those that are kept are sent again: the table has the older ones, too, and says why it ends."""
    path = tmp_path / "run.dask-run"
    log = RowLog(transfers.COLUMNS, transfers.TEXTS, 10)
    with path.open("wb") as file:
        writer = RecordingWriter(file, {"name": "x"}, 0)

        def put(epoch: int, body: dict[str, Any], at: float) -> None:
            frame = {"feed": "f", "epoch": epoch, "time": at, "cursor": {}, "names": {}, "topics": {"transfers": body}}
            writer.add(decode(encode(frame, 0)))

        read = 0
        for i in range(40):
            numbers = {"sender": 0, "receiver": 0, "total": 1.0, "compressed": 1.0, "keys": 1, "sides": 3}
            texts = {"names": f"k{i}", "sender_address": "a", "receiver_address": "b"}
            log.add([{**numbers, **texts, "start": 1e9 + i, "stop": 1e9 + i + 1}], {"servers": 2})
            body, read = log.read(read, 500)
            put(0, body, 1e9 + i)
        body, _ = log.read(0, 500)
        put(1, body, 1e9 + 50)
        writer.finish("The client was closed before the end of the block.", [])
    with pytest.warns(UserWarning, match="closed before the end of the block"):
        table = dask_panes.transfers(path)
    assert list(table["names"]) == [f"k{i}" for i in range(40)]
