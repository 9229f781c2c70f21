"""Recordings of real clusters: they hold what Dask says, whatever happens to the block, the client or the file."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import math
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from array import array
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

import dask_panes
from blocks import until_idle
from dask_panes.feed.schema import SCHEMA
from dask_panes.files.format.packing import DELTA, PLANES, Choices, pack, previous_rows, unpack
from dask_panes.files.recording import Recording, RecordingError
from dask_panes.scheduler import ship
from restart import restart, restartable

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
KINDS = SCHEMA["enums"]["kind"]


def inc(x: int) -> int:
    return x + 1


def slow(x: int) -> int:
    time.sleep(0.01)
    return x


def add(*xs: int) -> int:
    return sum(xs)


def fail(x: int) -> None:
    raise ValueError(x)


def executions(recording: Recording) -> list[dict[str, Any]]:
    """The task rows as dictionaries, with their keys and other intervals."""
    prefixes: list[str] = []
    lanes: list[list[int]] = []
    workers: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for frame in recording.frames():
        for names, known in (("prefixes", prefixes), ("lanes", lanes), ("workers", workers)):
            entries = frame["names"].get(names)
            if entries:
                known[entries["from"] :] = entries["values"]
        body = frame["topics"].get("tasks")
        if not body:
            continue
        columns = body["c"]
        first = len(rows)
        for i in range(len(columns["start"])):
            worker, thread = lanes[columns["lane"][i]]
            row = body["s"]["first"] + i
            rows.append(
                {
                    "row": row,
                    "worker": workers[worker]["address"],
                    "thread": thread,
                    "prefix": prefixes[columns["prefix"][i]],
                    "start": columns["start"][i],
                    "duration": columns["duration"][i],
                    "nbytes": columns["nbytes"][i],
                    "erred": bool(columns["status"][i]),
                    "moves": [],
                    **(recording.key(row) or {}),
                }
            )
        for at, kind, start in zip(*(body.get("m", {}).get(name, ()) for name in ("at", "kind", "start"))):
            rows[first + at]["moves"].append((KINDS[kind], start))
    return rows


def test_every_task_equals_dasks_own_task_stream(client, tmp_path):
    until_idle(client)
    before = len(client.get_task_stream())  # Dask's own plugin begins to note with the first call.
    with dask_panes.record(tmp_path / "run.dask-run", client) as recorder:
        values = client.map(inc, range(1500), pure=False)
        wait(values)
        tuples = client.get({("part", i, 2): (slow, i) for i in range(40)}, [("part", i, 2) for i in range(40)])
        assert len(tuples) == 40
        wait([client.submit(add, *values[:200], pure=False), client.submit(fail, 1, pure=False)])
    theirs = client.get_task_stream()[before:]
    with Recording(tmp_path / "run.dask-run") as recording:
        assert recording.complete
        assert recording.why == ""
        assert recording.tasks == recorder.tasks == len(theirs)
        ours = executions(recording)
    assert [row["row"] for row in ours] == list(range(ours[0]["row"], ours[0]["row"] + len(ours)))
    for mine, record in zip(ours, theirs):
        compute = [part for part in record["startstops"] if part["action"] == "compute"]
        assert mine["key"] == (record["key"] if isinstance(record["key"], str) else repr(record["key"]))
        assert mine["worker"] == record["worker"]
        assert mine["thread"] == record["thread"]
        assert mine["erred"] == (record["status"] == "error")
        if compute:
            assert mine["start"] == compute[-1]["start"]
            assert mine["duration"] == pytest.approx(compute[-1]["stop"] - compute[-1]["start"], rel=1e-6)
        if not mine["erred"]:
            assert mine["nbytes"] == record["nbytes"]
            assert mine["type"] == record["typename"] if "typename" in record else True
        moves = [part["action"] for part in record["startstops"] if part["action"] != "compute"]
        assert [kind for kind, _ in mine["moves"]] == moves


def test_tables_at_the_end_are_those_of_the_scheduler(client, tmp_path):
    with dask_panes.record(tmp_path / "run.dask-run", client):
        kept = client.map(inc, range(500), pure=False)
        wait(kept)
    memory: dict[str, int] = {}
    names: list[str] = []
    topics = set()
    with Recording(tmp_path / "run.dask-run") as recording:
        for frame in recording.frames():
            entries = frame["names"].get("prefixes")
            if entries:
                names[entries["from"] :] = entries["values"]
            topics.update(frame["topics"])
            columns = frame["topics"].get("prefixes", {}).get("c", {})
            for i, count in zip(columns.get("id", ()), columns.get("memory", ())):
                memory[names[i]] = count
    assert memory["inc"] == 500
    assert topics >= {"meta", "tasks", "workers", "prefixes"}


def test_asynchronous_clients(tmp_path):
    async def run() -> None:
        async with (
            LocalCluster(
                n_workers=1, threads_per_worker=2, processes=False, asynchronous=True, dashboard_address=None
            ) as made,
            Client(made, asynchronous=True) as client,
        ):
            with (
                pytest.raises(TypeError, match="async with"),
                dask_panes.record(tmp_path / "never.dask-run", client),
            ):
                pass
            async with dask_panes.record(tmp_path / "run.dask-run", client=client) as recorder:
                await client.gather(client.map(inc, range(50)))
            assert recorder.tasks == 50

    asyncio.run(run())
    assert not (tmp_path / "never.dask-run").exists()
    with Recording(tmp_path / "run.dask-run") as recording:
        assert recording.tasks == 50


def test_what_was_before_the_block_is_not_in_it(client, tmp_path):
    with dask_panes.record(tmp_path / "first.dask-run", client):
        wait(client.map(inc, range(20), pure=False))
    with dask_panes.record(tmp_path / "second.dask-run", client):
        wait(client.map(slow, range(10), pure=False))
    with Recording(tmp_path / "second.dask-run") as recording:
        assert {row["prefix"] for row in executions(recording)} == {"slow"}


def test_a_block_in_which_nothing_happens_says_so(client, tmp_path):
    """A topic that is missing would mean that it is not known."""
    wait(client.map(inc, range(20), pure=False))
    with dask_panes.record(tmp_path / "quiet.dask-run", client):
        pass
    sizes: dict[str, list[int]] = {}
    with Recording(tmp_path / "quiet.dask-run") as recording:
        assert recording.tasks == 0
        for frame in recording.frames():
            for topic in ("tasks", "events", "steals"):
                body = frame["topics"].get(topic)
                if body is not None:
                    sizes.setdefault(topic, []).append(max(map(len, body["c"].values())))
    assert sizes == {"tasks": [0], "events": [0], "steals": [0]}


def test_two_at_once_and_the_current_client(client, tmp_path):
    with dask_panes.record(tmp_path / "outer.dask-run") as outer:
        wait(client.map(inc, range(30), pure=False))
        with dask_panes.record(tmp_path / "inner.dask-run") as inner:
            wait(client.map(slow, range(20), pure=False))
        wait(client.map(inc, range(10), pure=False))
    assert (outer.tasks, inner.tasks) == (60, 20)
    with Recording(tmp_path / "inner.dask-run") as recording:
        assert {row["prefix"] for row in executions(recording)} == {"slow"}


def test_two_to_one_path_at_once_are_refused(client, tmp_path):
    path, link = tmp_path / "run.dask-run", tmp_path / "link.dask-run"
    link.symlink_to(path)
    with dask_panes.record(path) as outer:
        wait(client.map(inc, range(30), pure=False))
        with pytest.raises(FileExistsError, match="Another block is being written to"), dask_panes.record(link):
            pass
    assert outer.tasks == 30
    with dask_panes.record(path) as again:
        pass
    assert again.size > 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.dask-run", "run.dask-run"]


@pytest.mark.parametrize("seconds", [0, 0.3])
def test_a_restart_inside_the_block(tmp_path, seconds):
    """What was before the block stays out, also where nothing of the block had been read before the restart."""
    with restartable() as client:
        client.sync(ship.register, client)
        wait(client.map(add, range(10), pure=False))
        with dask_panes.record(tmp_path / "run.dask-run", client):
            wait(client.map(inc, range(30), pure=False))
            time.sleep(seconds)
            restart(client)
            wait(client.map(slow, range(20), pure=False))
    with Recording(tmp_path / "run.dask-run") as recording:
        rows = executions(recording)
        assert [row["prefix"] for row in rows] == ["inc"] * 30 + ["slow"] * 20
        assert len({row["key"] for row in rows}) == 50


def test_what_the_block_raises_goes_on(client, tmp_path):
    with pytest.raises(ZeroDivisionError), dask_panes.record(tmp_path / "run.dask-run", client):
        wait(client.map(inc, range(30), pure=False))
        1 / 0  # noqa: B018
    with Recording(tmp_path / "run.dask-run") as recording:
        assert recording.complete
        assert recording.tasks == 30


def test_a_client_that_is_closed_inside_the_block(cluster, tmp_path):
    with Client(cluster) as client, dask_panes.record(tmp_path / "run.dask-run", client) as recorder:
        wait(client.map(inc, range(30), pure=False))
        # What has not come when the client closes does not come any more.
        patience = time.monotonic() + 180
        while recorder._feed.writing.tasks < 30 and time.monotonic() < patience:
            time.sleep(0.05)
        client.close()
    with Recording(tmp_path / "run.dask-run") as recording:
        assert recording.complete
        assert "closed" in recording.why
        assert recording.tasks == 30


def open_files() -> set[str]:
    """Files that this process has open; none on a system that does not list them. Dask keeps sockets more or less."""
    found = set()
    for descriptor in Path("/proc/self/fd").glob("*"):
        # The listing itself is gone already.
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(descriptor))
    return {name for name in found if name.startswith("/") and "/proc/" not in name}


def test_nothing_is_left(client, tmp_path):
    def mine() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("dask-panes")]

    def tasks() -> int:
        async def count() -> int:
            # Dask keeps some connections more or less, each with a task that serves it.
            codes = [getattr(task.get_coro(), "cr_code", None) for task in asyncio.all_tasks()]
            return sum("dask_panes" in code.co_filename for code in codes if code is not None)

        return client.sync(count)

    with dask_panes.record(tmp_path / "zero.dask-run", client):
        wait(client.map(inc, range(3), pure=False))
    before = tasks()
    files = open_files()
    for i in range(5):
        with dask_panes.record(tmp_path / f"{i}.dask-run", client):
            wait(client.map(inc, range(30), pure=False))
    deadline = time.monotonic() + 180
    while left := (mine(), max(0, tasks() - before), open_files() - files):
        if not any(left):
            break
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
        gc.collect()


def test_a_file_that_cannot_be_made(client, tmp_path):
    with pytest.raises(FileNotFoundError), dask_panes.record(tmp_path / "no" / "folder.dask-run", client):
        pass


def test_a_file_that_vanishes(client, tmp_path):
    path = tmp_path / "run.dask-run"
    with pytest.raises(RecordingError, match="removed or replaced"), dask_panes.record(path, client):
        path.unlink()
        assert client.gather(client.map(inc, range(5))) == [1, 2, 3, 4, 5]


SCRIPT = """
import sys, time, warnings
from distributed import Client, LocalCluster, wait
import dask_panes

def inc(x):
    return x + 1

if __name__ == "__main__":
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
"""


def script(tmp_path: Path, body: str) -> subprocess.Popen[str]:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT + textwrap.indent(textwrap.dedent(body), " " * 8))
    return subprocess.Popen([sys.executable, str(file)], cwd=tmp_path, stdout=subprocess.PIPE, text=True)


def test_a_killed_process_leaves_everything_up_to_the_last_chunk(tmp_path):
    process = script(
        tmp_path,
        """
        import dask_panes.files.block.thread as thread, dask_panes.files.format.writer as writer
        thread.FLUSH_SECONDS = writer.CHUNK_SECONDS = 0.5
        with dask_panes.record("run.dask-run"):
            for i in range(1000):
                wait(client.map(inc, range(100), pure=False))
                print(i * 100 + 100, flush=True)
                time.sleep(0.1)
        """,
    )
    assert process.stdout is not None
    path = tmp_path / "run.dask-run"

    def written() -> int:
        with Recording(path) as recording:
            assert not recording.complete
            # Keys come into the file a moment after the executions that they belong to.
            return len(list(takewhile(lambda row: "key" in row, executions(recording))))

    for line in process.stdout:
        if int(line) >= 500:
            break
    # The block goes on meanwhile: what has ended comes into the file with the next chunks.
    patience = time.monotonic() + 180
    while (long_ago := written()) < 500:
        assert time.monotonic() < patience
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    process.stdout.close()
    with Recording(path) as recording:
        assert not recording.complete
        rows = executions(recording)
    assert len(rows) >= long_ago
    assert all(row["key"].startswith("inc-") for row in rows[:long_ago])


def test_a_full_disk_is_reported_at_the_end_and_breaks_nothing(tmp_path):
    process = script(
        tmp_path,
        """
        import resource
        import dask_panes.files.block.thread as thread, dask_panes.files.format.writer as writer
        # Some chunks are written before the disk is full.
        thread.FLUSH_SECONDS = writer.CHUNK_SECONDS = 0.3
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # The limit of a file's size stands for a full disk: writing beyond it is refused. That of a compiled module
            # would be cut off, for every process that imports it later.
            sys.dont_write_bytecode = True
            resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, resource.RLIM_INFINITY))

            def written():
                with dask_panes.open_recording("run.dask-run") as recording:
                    return recording.tasks

            try:
                with dask_panes.record("run.dask-run") as recorder:
                    client.gather(client.map(inc, range(50), pure=False))
                    while not written():
                        time.sleep(0.05)
                    while recorder._feed.writing.error is None:
                        assert sum(client.gather(client.map(inc, range(300), pure=False))) == sum(range(301))
                    print("computed", flush=True)
            except dask_panes.files.recording.RecordingError as error:
                print("raised:", error, flush=True)
            try:
                with dask_panes.record("again.dask-run") as recorder:
                    while recorder._feed.writing.error is None:
                        wait(client.map(inc, range(300), pure=False))
                    raise KeyError("mine")
            except KeyError:
                print("warned:", [str(w.message) for w in caught if "recording" in str(w.message)], flush=True)
        """,
    )
    output, _ = process.communicate(timeout=110)
    lines = output.splitlines()
    assert lines[0] == "computed"
    assert lines[1].startswith("raised: The recording ")
    assert "not complete" in lines[1]
    assert lines[2].startswith("warned: ['The recording ")
    with Recording(tmp_path / "run.dask-run") as recording:
        assert not recording.complete
        assert recording.tasks > 0


def test_the_fixture_says_what_it_said(tmp_path):
    expected = json.loads((FIXTURES / "run.json").read_text())
    with Recording(FIXTURES / "run.dask-run") as recording:
        assert recording.info == expected["info"]
        assert {str(row): recording.key(int(row)) for row in expected["keys"]} == expected["keys"]
        for frame, wanted in zip(recording.frames(), expected["frames"], strict=True):
            assert frame["time"] == wanted["time"]
            assert json.loads(json.dumps(frame["names"])) == wanted["names"]
            for topic, body in frame["topics"].items():
                for part in "cm":
                    for name, values in body.get(part, {}).items():
                        read = [None if math.isnan(value) else value for value in values]
                        assert read == wanted["topics"][topic][part][name]


def test_damaged_files_are_errors_of_ours(tmp_path):
    data = (FIXTURES / "run.dask-run").read_bytes()
    path = tmp_path / "odd.dask-run"
    path.write_bytes(b"<html>")
    with pytest.raises(RecordingError, match="not a recording"):
        Recording(path)
    path.write_bytes(b"")
    with pytest.raises(RecordingError, match="the file is empty"):
        Recording(path)
    for at in range(0, len(data), 211):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        try:
            with Recording(path) as recording:
                list(recording.frames())
                recording.key(3)
        except RecordingError:
            pass


@pytest.mark.parametrize("code", list("BHIfd"))
def test_columns_come_back_bit_for_bit(code):
    largest = {"B": 255, "H": 65535, "I": 2**32 - 1}.get(code, 1e30)
    values = array(code, [0, largest, 1, largest, 0, 7, 7, 8] * 40)
    if code in "fd":
        values.extend(array(code, [float("nan"), float("inf"), -0.0, -1.5e-20]))
    ids = [i % 5 for i in range(len(values))]
    for previous in (None, previous_rows(ids)):
        again = unpack(pack(values, previous), previous)
        assert again.typecode == values.typecode
        assert again.tobytes() == values.tobytes()


def test_a_choice_of_packing_holds_for_some_columns_and_loses_nothing():
    choices = Choices()
    rising = array("I", range(0, 3 * 2000, 3))
    rng = random.Random(1)
    noise = array("I", [rng.getrandbits(32) for _ in range(2000)])
    assert pack(rising, None, choices, "a")[1] == pack(noise, None, choices, "a")[1] == DELTA
    assert pack(noise, None, choices, "b")[1] == PLANES
    for values in (rising, noise, rising[:3]):
        for name in ("a", "b", "c"):
            assert unpack(pack(values, None, choices, name)) == values
