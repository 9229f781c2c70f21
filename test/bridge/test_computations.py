"""Computations: which submissions belong together, and the totals of their tasks, on real clusters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from math import isnan
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from dask import delayed
from distributed import Client, Event, Future, LocalCluster, as_completed, span, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import computations as module
from dask_panes.scheduler.collector import recent
from dask_panes.scheduler.collector.attempts import RENEWED
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from dask_panes.scheduler.collector.submission import CODE, MARK, Submission
from reader import Reader, rows
from restart import restart, restartable
from sizes import tasks

TOPICS = ["computations"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Submissions without a cell belong together however slow the machine is; a test that divides them says so."""
    monkeypatch.setattr(shipped("computations"), "APART", 3600.0)


def shipped(name: str) -> Any:
    """A module of the collector as schedulers of this process run it."""
    return __import__(f"{loaded()}.{name}", fromlist=["_"])


def loaded() -> str:
    space: dict[str, Any] = {}
    exec(ship.LOADER, space)
    space["load"](ship._package_name(), ship.sources(), {})
    return ship._package_name()


def inc(x: int) -> int:
    return x + 1


def fails(x: int) -> int:
    raise ValueError(x)


def held(gate: str) -> int:
    Event(gate).wait()
    return 1


class Marked:
    """Runs cells as a kernel's bridge marks them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._given = client._send_to_scheduler
        self.cell = 0
        client._send_to_scheduler = self._send

    def _send(self, message: dict[str, Any]) -> None:
        if message["op"] == "update-graph":
            message["stimulus_id"] = "update-graph-1.5" + MARK.format(self.cell, 1234)
        self._given(message)


def listed(client: Client) -> tuple[list[dict[str, float]], dict[int, dict[str, Any]]]:
    """Rows of computations, oldest first, and their texts."""
    reader = Reader(client)
    reader.arrive(TOPICS)
    return [reader.rows["computations"][found] for found in sorted(reader.rows["computations"])], reader.texts


def settled(client: Client) -> tuple[list[dict[str, float]], dict[int, dict[str, Any]]]:
    """The same when no task is left."""
    reader = Reader(client)
    # A first answer may have none.
    reader.until(lambda: [*{row["left"] == 0 for row in reader.rows["computations"].values()}] == [True], TOPICS)
    return listed(client)


def shares(client: Client) -> dict[tuple[int, str], dict[str, float]]:
    """Totals of functions, by number of the computation and name of the function, when no task is left."""
    settled(client)
    reader = Reader(client)
    reader.arrive(TOPICS)
    return reader.shares


def forgotten(client: Client) -> None:
    """Wait until the scheduler has forgotten all tasks: a result that it still has is not computed again."""
    reader = Reader(client)
    reader.until(lambda: not client.cluster.scheduler.tasks, TOPICS)
    # What is left would go on with what is submitted next.
    settled(client)


def test_a_loop_of_20000_submits_is_one_computation(client: Client) -> None:
    number = tasks(20_000)
    # Nothing satisfies the resource: workers would take a minute for the tasks.
    futures = [client.submit(inc, i, resources={"none": 1}) for i in range(number)]
    reader = Reader(client)
    reader.until(lambda: sum(row["tasks"] for row in reader.rows["computations"].values()) >= number, TOPICS)
    (row,), _ = listed(client)
    assert (row["submissions"], row["tasks"], row["left"]) == (number, number, number)
    # Each of the newest is listed, and all count for the extremes.
    graphs = reader.ask("graphs", computation=row["id"])
    newest = graphs["newest"]
    assert graphs["count"] == number
    assert {name: len(values) for name, values in newest.items()} == dict.fromkeys(recent.FIELDS, recent.LIMIT)
    assert newest["tasks"] == [1] * recent.LIMIT
    assert sorted(newest["time"]) == newest["time"]
    assert newest["time"][-1] == row["last"]
    assert 0 < max(newest["reading"]) <= graphs["most"]["reading"] < row["reading"]
    # Nothing marks them.
    assert {*newest["graph"], *newest["packing"], graphs["most"]["graph"]} == {None}
    assert (row["done"], row["dropped"], row["erred"], row["unfollowed"]) == (0, 0, 0, 0)
    futures.clear()
    (row,), _ = settled(client)
    assert (row["submissions"], row["tasks"], row["dropped"]) == (number, number, number)


def test_each_graph_of_a_computation_is_known(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    for count in (3, 1, 2):
        wait(client.map(inc, range(count), pure=False))
    cells.cell = 2
    wait(client.submit(inc, 1, pure=False))
    (first, second), _ = settled(client)
    reader = Reader(client)
    graphs = reader.ask("graphs", computation=first["id"])
    assert (graphs["count"], graphs["newest"]["tasks"]) == (3, [3, 1, 2])
    assert graphs["most"] == {**graphs["most"], "tasks": 3, "graph": 1234}
    assert graphs["newest"]["graph"] == [1234] * 3
    assert sum(graphs["newest"]["reading"]) == pytest.approx(first["reading"])
    assert reader.ask("graphs", computation=second["id"])["newest"]["tasks"] == [1]
    assert reader.ask("graphs", computation=99) is None


def test_a_loop_of_submits_is_one_computation_with_what_its_tasks_came_to(client: Client) -> None:
    futures = [client.submit(inc, i) for i in range(2_000)]
    wait(futures)
    (row,), texts = settled(client)
    assert (row["submissions"], row["tasks"], row["done"]) == (2_000, 2_000, 2_000)
    assert (row["left"], row["dropped"], row["erred"], row["unfollowed"]) == (0, 0, 0, 0)
    assert row["since"] - row["reading"] <= row["begun"] <= row["since"] <= row["last"]
    assert 0 < row["compute"] <= 4 * (row["stop"] - row["start"])
    assert row["compute"] <= row["offered"]
    assert row["nbytes"] == 2_000 * 28
    assert row["reading"] > 0
    # Nothing reported it.
    assert isnan(row["graph"])
    (description,) = texts.values()
    assert description == {
        **description,
        "client": client.id,
        "cell": 0,
        "code": "",
        "origin": "",
        "line": 0,
        "span": "",
    }


def test_a_quiet_computation_is_not_sent_again(client: Client) -> None:
    wait(client.map(inc, range(10)))
    settled(client)
    reader = Reader(client)
    reader.arrive(TOPICS)
    assert "computations" not in reader.read(TOPICS, timeout=1.0)["topics"]


def test_as_completed_in_one_cell_is_one_computation(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 7
    found = as_completed([client.submit(inc, i) for i in range(3)])
    for more, future in enumerate(found):
        if more < 20:
            found.add(client.submit(inc, future.result(), pure=False))
    (row,), _ = settled(client)
    assert (row["submissions"], row["tasks"], row["done"]) == (23, 23, 23)
    assert row["graph"] == 23 * 1234


def test_the_second_run_of_a_cell_is_another_computation(client: Client) -> None:
    cells = Marked(client)
    lazy = delayed(sum)([delayed(inc)(i) for i in range(5)])
    for cells.cell in (1, 2):
        assert client.compute(lazy).result() == 15
        forgotten(client)
    first, second = settled(client)[0]
    # The same keys both times, forgotten in between.
    assert (first["tasks"], first["done"], first["submissions"]) == (second["tasks"], second["done"], 1)
    assert first["tasks"] >= 1


def test_without_a_cell_pauses_divide(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.submit(inc, 1).result()
    # Tasks that are left are no pause.
    settled(client)
    monkeypatch.setattr(shipped("computations"), "APART", 0.0)
    client.submit(inc, 2).result()
    assert [row["tasks"] for row in settled(client)[0]] == [1, 1]


def test_two_clients_on_one_scheduler(cluster: LocalCluster, client: Client) -> None:
    with Client(cluster) as other:
        for i in range(5):
            client.submit(inc, i).result()
            other.submit(inc, 100 + i).result()
        rows, texts = settled(client)
        assert [row["done"] for row in rows] == [5, 5]
        assert [texts[int(row["id"])]["client"] for row in rows] == [client.id, other.id]


def test_tasks_that_two_computations_share_belong_to_the_first(client: Client) -> None:
    cells = Marked(client)
    gate = "shared"
    base = delayed(held)(gate)
    with dask.config.set({"optimization.fuse.active": False}):
        cells.cell = 1
        first = client.compute(delayed(inc)(base))
        cells.cell = 2
        second = client.compute(delayed(fails)(base))
        reader = Reader(client)
        reader.until(lambda: len(reader.rows["computations"]) == 2, TOPICS)
        Event(gate, client=client).set()
        wait([first, second])
    rows, _ = settled(client)
    assert sum(row["tasks"] for row in rows) == 3
    assert [row["done"] for row in rows] == [2, 0]
    assert [row["erred"] for row in rows] == [0, 1]


def test_a_result_that_is_there_is_not_asked_for_again(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    future = client.submit(inc, 1)
    future.result()
    cells.cell = 2
    client.submit(inc, future).result()
    assert [row["tasks"] for row in settled(client)[0]] == [1, 1]


@pytest.mark.parametrize("at_once", [500, 0])
def test_tasks_that_had_failed_before_are_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    # Graphs that are not claimed at once are claimed in slices.
    monkeypatch.setattr(shipped("claims"), "AT_ONCE", at_once)
    cells = Marked(client)
    cells.cell = 1
    failed = client.map(fails, range(40))
    wait(failed)
    # The computation that let them fail has not asked for them before.
    wait(client.map(fails, range(40)))
    for cells.cell, count in ((2, 40), (3, 41)):
        wait(client.map(fails, range(count)))
        # Asked for twice by the same cell: counted once.
        wait(client.map(fails, range(40)))
        wait(client.submit(inc, 0))
    cells.cell = 4
    after = client.submit(inc, failed[0])
    wait(after)
    rows, _ = settled(client)
    assert [(row["erred"], row["erred_before"]) for row in rows] == [(40, 0), (0, 40), (1, 40), (0, 1)]
    assert [row["tasks"] for row in rows[:3]] == [40, 1, 2]


def test_what_was_forgotten_and_is_asked_for_again_is_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped("computations"), "APART", 0.0)
    for _ in range(3):
        client.gather(client.map(inc, range(20)))
        forgotten(client)
    rows, _ = settled(client)
    assert [(row["tasks"], row["again"]) for row in rows] == [(20, 0), (20, 20), (20, 20)]


@pytest.mark.parametrize("at_once", [500, 0])
def test_what_never_had_a_result_is_not_counted_as_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(shipped("computations"), "APART", 0.0)
    # Graphs that are not claimed at once are claimed in slices.
    monkeypatch.setattr(shipped("claims"), "AT_ONCE", at_once)
    for _ in range(2):
        wait(client.map(fails, range(20), key="failed"))
        forgotten(client)
    # What was repaired has the same keys, and so have tasks that were cancelled before they ran.
    client.gather(client.map(inc, range(20), key="failed"))
    forgotten(client)
    cancelled = client.map(inc, range(20), key="cancelled", workers=["nobody"], allow_other_workers=False)
    Reader(client).until(lambda: len(client.cluster.scheduler.tasks) == 20, TOPICS)
    client.cancel(cancelled)
    del cancelled
    # The scheduler's answer would cancel the same keys again; this result is sent after that answer.
    client.submit(inc, 0, key="after").result()
    forgotten(client)
    client.gather(client.map(inc, range(20), key="cancelled"))
    forgotten(client)
    # Now they had one.
    client.gather(client.map(inc, range(20), key="failed") + client.map(inc, range(20), key="cancelled"))
    rows, _ = settled(client)
    assert [row["again"] for row in rows] == [0, 0, 0, 0, 0, 0, 20, 20]
    assert [row["erred"] for row in rows] == [20, 20, 0, 0, 0, 0, 0, 0]


def test_it_is_counted_of_which_functions(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped("computations"), "APART", 0.0)
    for count in (4, 6):
        parts = [delayed(inc, pure=True)(i) for i in range(count)]
        delayed(sum, pure=True)(parts).compute()
        forgotten(client)
    found = {name: row["again"] for (number, name), row in shares(client).items() if number == 1}
    assert found == {"inc": 4, "sum": 0}


def test_what_is_kept_is_not_asked_for_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped("computations"), "APART", 0.0)
    kept = client.map(inc, range(20))
    wait(kept)
    client.gather(client.map(inc, range(20)))
    rows, _ = settled(client)
    assert sum(row["again"] for row in rows) == 0


def test_tasks_that_never_run_are_dropped(client: Client) -> None:
    gate = "never"
    blocked = [client.submit(held, gate, key=f"held-{i}") for i in range(4)]
    rest = client.map(inc, range(50), workers=["nobody"], allow_other_workers=False)
    del rest
    failed = client.submit(fails, 1)
    after = client.submit(inc, failed)
    Event(gate, client=client).set()
    wait([*blocked, failed, after])
    (row,), _ = settled(client)
    assert (row["tasks"], row["done"], row["erred"]) == (56, 4, 1)
    assert (row["dropped"], row["left"]) == (51, 0)


def fails_then(gate: str, *needed: int) -> int:
    held(gate)
    raise ValueError(gate)


def joined(*values: int) -> int:
    return len(values)


def halted(client: Client, gate: str) -> tuple[Future, list[Future]]:
    """A task that others wait for, and failed ones, one of which alone needed 50 of these, which have not run."""
    slow = client.submit(held, f"{gate}-slow", key=f"{gate}-slow")
    failed = client.submit(fails_then, gate, key=f"{gate}-failed")
    keys = [f"{gate}-{i}" for i in range(50)]
    rest = client.map(inc, [slow] * 50, key=keys)
    total = client.submit(joined, failed, *rest, key=f"{gate}-total")
    tasks = client.cluster.scheduler.tasks
    Reader(client).until(lambda: total.key in tasks, TOPICS)
    del rest
    # What clients want is not halted.
    Reader(client).until(lambda: not any(tasks[key].who_wants for key in keys), TOPICS)
    Event(gate, client=client).set()
    wait(total)
    return slow, [failed, total]


def test_what_nothing_needs_since_another_task_failed_is_not_left_while_the_failure_is_kept(client: Client) -> None:
    slow, failed = halted(client, "halted")
    (row,), _ = listed(client)
    # Only the one that they would wait for is left.
    assert (row["tasks"], row["done"], row["erred"], row["dropped"], row["left"]) == (53, 0, 1, 51, 1)
    # They are needed again, with those that failed, and again by nothing.
    Event("halted", client=client).clear()
    client.retry(failed)
    reader = Reader(client)
    reader.until(lambda: [row["left"] for row in reader.rows["computations"].values()] == [53], TOPICS)
    Event("halted", client=client).set()
    reader.until(lambda: [row["left"] for row in reader.rows["computations"].values()] == [1], TOPICS)
    Event("halted-slow", client=client).set()
    slow.result()
    (row,), _ = settled(client)
    assert (row["tasks"], row["done"], row["dropped"], row["left"]) == (53, 1, 51, 0)
    assert sorted(share["dropped"] for share in shares(client).values()) == [0, 0, 0, 50]
    failed.clear()
    reader.until(lambda: "halted-0" not in client.cluster.scheduler.tasks, TOPICS)
    (row,), _ = settled(client)
    assert (row["tasks"], row["dropped"], row["left"]) == (53, 51, 0)


def test_a_task_that_fails_since_its_input_did_was_dropped_once(client: Client) -> None:
    """Dask releases it first: for a moment it is one that was released before it ran."""
    wait(needs := client.submit(inc, client.submit(fails, 1, pure=False), pure=False))
    rows, _ = settled(client)
    assert (rows[-1]["dropped"], rows[-1]["dropped_ever"]) == (1, 1)
    [share] = [share for (_, function), share in shares(client).items() if function == "inc"]
    assert (share["failed"], share["failed_ever"], share["dropped"], share["dropped_ever"]) == (1, 1, 0, 0)
    needs.release()


def test_what_a_known_key_would_have_needed_by_another_graph_never_runs(client: Client) -> None:
    """Dask warns of a different `run_spec`, keeps the known task, but makes what the other one needs."""
    x = client.submit(inc, 1, key="x")
    wait(x)
    y = client.get({"unlinked-1": (inc, 1), "x": (inc, "unlinked-1")}, "x", sync=False)
    assert y.result() == 2
    reader = Reader(client)
    reader.until(lambda: "unlinked-1" in client.cluster.scheduler.tasks, TOPICS)
    # It stays until a restart: nobody wants it, so nobody releases it.
    assert client.cluster.scheduler.tasks["unlinked-1"].state == "released"
    rows, _ = settled(client)
    assert [(row["left"], row["dropped"]) for row in rows][-1] == (0, 1)
    reader.arrive(["prefixes", "groups"])
    prefix = reader.rows["prefixes"][reader.names["prefixes"].index("unlinked")]
    assert (prefix["released"], prefix["cancelled"]) == (0, 1)
    # It runs if a client asks for it after all.
    again = client.get({"unlinked-1": (inc, 1)}, "unlinked-1", sync=False)
    wait(again)
    rows, _ = settled(client)
    assert sum(row["left"] for row in rows) == 0
    reader.arrive(["prefixes"])
    prefix = reader.rows["prefixes"][reader.names["prefixes"].index("unlinked")]
    assert (prefix["memory"], prefix["released"], prefix["cancelled"]) == (1, 0, 0)


def test_what_is_asked_for_again_after_a_failure_belongs_to_the_computation_that_runs_it(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    slow, failed = halted(client, "again")
    cells.cell = 2
    # The failed one is kept, as a cell that shows its exception does.
    again = client.map(inc, [slow] * 50, key=[f"again-{i}" for i in range(50)])
    reader = Reader(client)
    # Rows come in the order of their changes.
    reader.until(
        lambda: {row["id"]: row["left"] for row in reader.rows["computations"].values()} == {0: 1, 1: 50}, TOPICS
    )
    Event("again-slow", client=client).set()
    wait([*again, *failed])
    (first, second), _ = settled(client)
    assert (first["tasks"], first["done"], first["dropped"]) == (53, 1, 51)
    assert (second["tasks"], second["done"], second["dropped"]) == (50, 50, 0)


def test_tasks_whose_workers_died_are_errors_and_what_needs_them_never_runs() -> None:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        killed = client.submit(os._exit, 1)
        after = client.submit(abs, killed)
        wait([killed, after])
        assert type(killed.exception()).__name__ == "KilledWorker"
        (row,), _ = settled(client)
        assert (row["tasks"], row["done"], row["erred"], row["dropped"], row["left"]) == (2, 0, 1, 1, 0)
        found = shares(client)
        assert {name: (share["failed"], share["dropped"]) for (_, name), share in found.items()} == {
            "exit": (1, 0),
            "abs": (1, 0),
        }


def test_a_span_is_named(client: Client) -> None:
    with span("my workflow", "step \udcff"):
        client.submit(inc, 1, key="in-span").result()
    _, texts = settled(client)
    assert [description["span"] for description in texts.values()] == ["my workflow / step \\udcff"]


def test_a_cell_with_several_spans_has_the_names_of_all(client: Client) -> None:
    reader, cells = Reader(client), Marked(client)

    def submit(cell: int, *names: str) -> str:
        cells.cell = cell
        for name in names:
            with span(name) if name else nullcontext():
                client.submit(inc, 1, key=f"{name}x{cell}-1").result()
        reader.arrive(TOPICS)
        return str([*reader.texts.values()][-1]["span"])

    assert submit(1, "load") == "load"
    # What a reader has been sent is sent again.
    assert submit(1, "train", "load") == "load + train"
    assert submit(2, "only", "") == "only + …"
    assert submit(3, "", "") == ""
    assert submit(4, *[f"step {i}" for i in range(10)]) == "step 0 + step 1 + step 2 + step 3 + …"
    assert submit(5, "a" * 150, "b" * 150) == f"{'a' * 150} + {'b' * 46}…"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("load", "train"), "load + train"),
        (("only", ""), "only + …"),
        (("", ""), ""),
        ([f"s{i}" for i in range(10)], "s0 + s1 + s2 + s3 + …"),
    ],
)
def test_a_graph_with_tasks_of_several_spans_has_the_names_of_all(
    client: Client, names: Sequence[str], expected: str
) -> None:
    made: Any = 1
    for i, name in enumerate(names):
        with span(name) if name else nullcontext():
            made = delayed(inc)(made, dask_key_name=f"{name}part{i}-1")
    client.compute(made).result()
    _, texts = settled(client)
    assert [description["span"] for description in texts.values()] == [expected]


def test_code_that_dask_recorded(client: Client) -> None:
    with dask.config.set({"distributed.diagnostics.computations.nframes": 1}):
        line = "client.submit(inc, 5).result()  # this line"
        client.submit(inc, 5).result()  # this line
    client.submit(inc, 6).result()
    rows, texts = settled(client)
    (recorded, unknown) = (texts[int(row["id"])] for row in rows)
    assert recorded["origin"] == "dask"
    assert recorded["code"].splitlines()[recorded["line"] - 1].strip() == line
    # Dask joins both in its own record.
    assert (unknown["origin"], unknown["code"]) == ("", "")


def test_a_kernel_describes_its_cells(client: Client) -> None:
    reader, cells = Reader(client), Marked(client)
    hostile = "print('\udcff')\n" + "x" * 1_000_000
    given = {"client": client.id, "cell": 3, "shown": 12, "code": hostile, "id": "ab\udc00"}

    def describe(**more: Any) -> None:
        collector = client.cluster.scheduler.plugins[PLUGIN_NAME]
        client.sync(collector.ask, "cell", {**given, **more})

    cells.cell = 3
    client.submit(inc, 1).result()
    describe()
    # Before its first submission, too.
    describe(cell=4, shown=13, code="second", id="")
    cells.cell = 4
    client.submit(inc, 2).result()
    reader.arrive(TOPICS)
    first, second = reader.texts.values()
    assert first["cell"] == 12
    assert first["code"].startswith("print('\\udcff')")
    assert len(first["code"]) == CODE
    assert first["cell_id"] == "ab\\udc00"
    assert (second["cell"], second["code"], second["origin"]) == (13, "second", "cell")
    # Older kernels report no line; others one that the beginning of the code may not have.
    assert (first["line"], second["line"]) == (0, 0)
    for line, kept in [(1, 1), (2, 2), (3, 0), (-1, 0), (2**40, 0)]:
        describe(cell=4, code="a\nb", id="", line=line)
        reader.arrive(TOPICS)
        assert reader.texts[second["id"]]["line"] == kept


def test_large_graphs_are_claimed_in_slices(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    own = shipped("claims")
    monkeypatch.setattr(own, "AT_ONCE", 10)
    monkeypatch.setattr(own, "SLICE", 7)
    slices: list[int] = []
    step = own.Claims.step

    def counted(self: Any) -> None:
        slices.append(len(self.queue))
        step(self)

    monkeypatch.setattr(own.Claims, "step", counted)
    cells = Marked(client)
    for cells.cell in range(1, 4):
        # The second and third have the same keys again, after they were forgotten.
        assert client.gather(client.map(inc, range(500), key="again")) == list(range(1, 501))
        forgotten(client)
    rows, _ = settled(client)
    assert [(row["tasks"], row["done"], row["dropped"]) for row in rows] == [(500, 500, 0)] * 3
    assert len(slices) >= 3 * 500 // 7


def of_computations(client: Client, keys: dict[int, set[str]]) -> None:
    """Every execution is of the computation whose keys have its key."""
    reader = Reader(client)
    reader.arrive(["tasks", "computations"])
    assert len(reader.owners) == len(reader.tasks) == sum(map(len, keys.values()))
    for row, found in reader.owners.items():
        assert reader.ask("key", row=row)["key"] in keys[found]


@pytest.mark.parametrize("at_once", [500, 5])
def test_every_execution_has_its_computation(
    cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    own = shipped("claims")
    monkeypatch.setattr(own, "AT_ONCE", at_once)
    monkeypatch.setattr(own, "SLICE", 3)
    with Client(cluster) as other:
        # The same function at the same time, and tasks that end before a large graph has been claimed.
        graphs = [each.map(inc, range(60), pure=False) for each in (client, other, client, other)]
        wait(graphs[0] + graphs[2])
        other.gather(graphs[1] + graphs[3])
        of_clients = {client.id: graphs[0] + graphs[2], other.id: graphs[1] + graphs[3]}
        _, texts = settled(client)
        of_computations(
            client, {found: {future.key for future in of_clients[text["client"]]} for found, text in texts.items()}
        )


def test_a_run_of_executions_is_sent_once_more_where_it_has_grown(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    reader = Reader(client)
    for count in (1, 2, 3):
        wait(client.map(inc, range(20), pure=False))
        reader.until(lambda count=count: len(reader.owners) == 20 * count, TOPICS)
    runs = [
        run
        for answer in reader.answers
        for run in answer["topics"].get("computations", {"s": {"rows": []}})["s"]["rows"]
    ]
    assert {(first, found) for first, found, _ in runs} == {(0, runs[0][1])}
    counts = [count for *_, count in runs]
    assert counts == sorted(counts)
    # Executed again, it is the same task.
    cells.cell = 2
    wait(client.submit(inc, 1, pure=False))
    reader.until(lambda: len(reader.owners) == 61, TOPICS)
    assert reader.owners[60] == runs[0][1] + 1


def test_more_tasks_than_are_followed_are_reported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped("claims"), "LIMIT", 100)
    wait(client.map(inc, range(150)))
    (row,), _ = settled(client)
    assert (row["tasks"], row["unfollowed"], row["done"], row["left"]) == (150, 50, 100, 0)
    reader = Reader(client)
    reader.arrive(["tasks", "computations"])
    assert (len(reader.tasks), len(reader.owners)) == (150, 100)


def test_the_newest_1000_are_kept(client: Client) -> None:
    collector = client.cluster.scheduler.plugins[PLUGIN_NAME]
    part = collector.computations

    async def submit() -> None:
        for cell in range(1, 2_001):
            part.submit(Submission("c", "s", 0.0, cell, None, None, ("",)), [], 1.0)
            part.cell("c", cell, cell, "code", "")

    client.sync(submit)
    rows, texts = settled(client)
    assert len(rows) == module.LIMIT == len(texts)
    assert [row["id"] for row in rows] == list(range(1_000, 2_000))
    assert [description["cell"] for _, description in sorted(texts.items())] == list(range(1_001, 2_001))
    assert len(part._versions) == len(part._texts) == len(part._rows) == module.LIMIT
    assert len(part._open) == module.LIMIT
    assert len(part._cells) == module.CELLS


def test_an_array_in_progress_keeps_its_tasks_when_many_others_have_come_and_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped("computations"), "LIMIT", 5)
    cells = Marked(client)
    cells.cell = 1
    gate = Event("array", client=client)

    def wait_for_it(block: Any) -> Any:
        Event("array").wait()
        return block + 1

    blocks = da.ones(40, chunks=20).map_blocks(wait_for_it, meta=np.ones(1))
    waiting = client.persist(blocks)
    reader = Reader(client)
    reader.until(lambda: len(reader.rows["computations"]) == 1, TOPICS)
    for cells.cell in range(2, 12):
        assert da.ones(cells.cell, chunks=20).sum().compute() == cells.cell
    gate.set()
    wait(waiting)
    rows, _ = settled(client)
    assert [(int(row["id"]), row["left"]) for row in rows] == [(0, 0), *((i, 0) for i in range(7, 11))]
    assert rows[0]["tasks"] == rows[0]["done"] > 1
    reader.until(lambda: list(reader.owners.values()).count(0) == rows[0]["done"], TOPICS)


def test_a_computation_is_divided_by_function(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    failed = client.map(fails, range(3))
    after = client.submit(inc, failed[0])
    wait([*client.map(inc, range(5)), *failed, after])
    cells.cell = 2
    wait(client.map(inc, range(100, 102)))
    found = shares(client)
    first, second = sorted({number for number, _ in found})
    divided = {
        key: tuple(row[name] for name in ("tasks", "left", "dropped", "failed", "done")) for key, row in found.items()
    }
    assert divided == {
        (first, "inc"): (6, 0, 0, 1, 5),
        (first, "fails"): (3, 0, 0, 3, 0),
        (second, "inc"): (2, 0, 0, 0, 2),
    }
    rows, _ = settled(client)
    for row in rows:
        own = [share for (number, _), share in found.items() if number == row["id"]]
        assert sum(share["compute"] for share in own) == pytest.approx(row["compute"])
        assert max(share["longest"] for share in own) <= row["stop"] - row["start"] + 1e-6
    assert all(0 < row["longest"] <= row["compute"] for row in found.values())


def test_functions_that_change_later_are_sent_alone(client: Client) -> None:
    cells = Marked(client)
    cells.cell = 1
    gate = "later"
    blocked = client.submit(held, gate, key="held-1")
    wait(client.map(inc, range(5)))
    reader = Reader(client)
    reader.until(lambda: sum(row["done"] for row in reader.shares.values()) == 5, TOPICS)
    reader.shares.clear()
    Event(gate, client=client).set()
    wait(blocked)
    reader.until(lambda: bool(reader.shares), TOPICS)
    assert [(name, row["done"]) for (_, name), row in reader.shares.items()] == [("held", 1)]


def test_functions_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    own = shipped("shares")
    monkeypatch.setattr(own, "FUNCTIONS", 3)
    monkeypatch.setattr(own, "LIMIT", 8)
    cells = Marked(client)
    for cells.cell in range(1, 6):
        names = [f"{name}-{cells.cell}" for name in ("aa", "bb", "cc", "dd", "ee")]
        wait([client.submit(inc, 1, key=name) for name in names])
    found = shares(client)
    rows, _ = settled(client)
    newest = [int(row["id"]) for row in rows][-2:]
    assert {number for number, _ in found} == set(newest)
    assert [sum(number == each for number, _ in found) for each in newest] == [3, 3]
    assert [row["done"] for row in rows] == [5] * 5


def test_names_that_share_an_entry_share_their_counts(client: Client) -> None:
    wait([client.submit(inc, i, key=f"load_{i}") for i in range(150)])
    found = shares(client)
    assert sum(row["tasks"] for row in found.values()) == 150
    assert max(row["done"] for row in found.values()) == 50


def test_what_was_in_progress_before_is_one_computation(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        gate = "earlier"
        ended = client.submit(inc, 1)
        ended.result()
        waiting = [client.submit(held, gate, key=f"held-{i}") for i in range(3)]
        deadline = monotonic() + 60
        while len(cluster.scheduler.tasks) < 4:
            assert monotonic() < deadline
            sleep(0.01)
        client.sync(ship.register, client)
        after = client.submit(inc, 2)
        Event(gate, client=client).set()
        wait([*waiting, after])
        rows, texts = settled(client)
        assert [(row["tasks"], row["done"], row["submissions"]) for row in rows] == [(3, 3, 0), (1, 1, 1)]
        assert [texts[int(row["id"])]["origin"] for row in rows] == ["earlier", ""]
        # Registered again, nothing is left to claim.
        client.sync(ship.register, client)
        assert len(settled(client)[0]) == 2
        Reader(client).ask("remove")


def test_a_restart_drops_what_was_left() -> None:
    with restartable() as client:
        client.sync(ship.register, client)
        wait(client.map(inc, range(10)))
        blocked = client.submit(held, "nobody sets this")
        reader = Reader(client)
        reader.until(lambda: any(row["left"] for row in reader.rows["computations"].values()), TOPICS)
        restart(client)
        del blocked
        rows, _ = settled(client)
        assert sum(row["done"] for row in rows) == 10
        assert sum(row["dropped"] for row in rows) == 1
        assert {name: (row["left"], row["dropped"]) for (_, name), row in shares(client).items()} == {
            "inc": (0, 0),
            "held": (0, 1),
        }
        client.submit(inc, 3).result()
        assert sum(row["done"] for row in settled(client)[0]) == 11


def sums(values: list[int], gate: str) -> int:
    return sum(values) + held(gate)


def test_lost_results_are_to_be_done_again() -> None:
    with restartable() as client:
        client.sync(ship.register, client)
        scheduler = client.cluster.scheduler
        values = [delayed(inc)(i, dask_key_name=f"inc-{i}") for i in range(40)]
        total = client.compute(delayed(sums)(values, "lost-results"), optimize_graph=False)
        reader = Reader(client)
        reader.until(lambda: [row["left"] for row in reader.rows["computations"].values()] == [1], TOPICS)

        async def lose_all(dask_scheduler: Any) -> None:
            for address in list(dask_scheduler.workers):
                await dask_scheduler.remove_worker(address, stimulus_id="test")

        client.run_on_scheduler(lose_all)
        assert {ts.state for ts in scheduler.tasks.values()} <= {"waiting", "queued", "no-worker"}
        reader.arrive(TOPICS)
        (row,) = reader.rows["computations"].values()
        assert (row["tasks"], row["left"], row["dropped"]) == (41, 41, 0)
        # A task of it still ran: what is computed again belongs to it.
        assert (row["renewing"], row["renewed"], isnan(row["lost"])) == (0, 0, True)
        assert {share["left"] for share in reader.shares.values()} == {40, 1}
        total.cancel()
        reader.until(lambda: not scheduler.tasks, TOPICS)
        reader.arrive(TOPICS)
        (row,) = reader.rows["computations"].values()
        assert (row["tasks"], row["left"], row["dropped"]) == (41, 0, 41)
        prefixes = Reader(client)
        prefixes.arrive(["prefixes"])
        counts = [
            (each["cancelled"], each["forgotten"], each["released"]) for each in prefixes.rows["prefixes"].values()
        ]
        assert sorted(counts) == [(1, 0, 0), (40, 0, 0)]


def lose_worker(client: Client) -> None:
    address = next(iter(client.nthreads()))

    async def lose(dask_scheduler: Any) -> None:
        await dask_scheduler.remove_worker(address, stimulus_id="test")

    client.run_on_scheduler(lose)


def test_what_is_computed_again_after_the_end_does_not_stretch_a_computation() -> None:
    own = ("tasks", "since", "last", "start", "stop", "compute", "offered", "nbytes", "dropped", "erred")
    with restartable() as client:
        client.sync(ship.register, client)
        scheduler = client.cluster.scheduler
        futures = client.map(inc, range(40), key=[f"inc-{i}" for i in range(40)])
        wait(futures)
        (before,), _ = settled(client)
        (function,) = shares(client).values()
        assert (before["renewed"], isnan(before["lost"])) == (0, True)
        lost = len(next(iter(scheduler.workers.values())).has_what)
        assert 0 < lost < 40
        # Clocks of workers are estimated: the end may be a little later than now.
        while time() <= before["stop"]:
            sleep(0.01)
        lose_worker(client)
        wait(futures)
        (row,), _ = settled(client)
        assert {name: row[name] for name in own} == {name: before[name] for name in own}
        assert (row["renewing"], row["renewed"], row["done"]) == (0, lost, 40)
        assert row["lost"] >= before["stop"]
        reader = Reader(client)
        ends = rows(reader.read(["attempts"])["topics"]["attempts"]["m"])
        assert [each["how"] for each in ends] == [RENEWED] * lost
        assert all(row["lost"] <= each["begin"] <= each["end"] for each in ends)
        (again,) = shares(client).values()
        assert again == function
        # Lost for the second time, with nothing that could compute them; then nobody wants them any more.
        lose_worker(client)
        reader = Reader(client)
        reader.until(lambda: [each["renewing"] for each in reader.rows["computations"].values()] == [40], TOPICS)
        (row,) = reader.rows["computations"].values()
        assert (row["left"], row["stop"]) == (40, before["stop"])
        client.cancel(futures)
        (row,), _ = settled(client)
        assert (row["renewing"], row["dropped"], row["renewed"]) == (0, 0, lost)


def test_a_released_result_belongs_to_the_run_that_asks_for_it_again(client: Client) -> None:
    kernel = Marked(client)
    kernel.cell = 1
    outer = client.compute(
        delayed(inc)(delayed(inc)(1, dask_key_name="inner"), dask_key_name="outer"), optimize_graph=False
    )
    wait(outer)
    (first,), _ = settled(client)

    def ask() -> dict[str, float]:
        # The scheduler keeps the key, which `outer` depends on, but not its result.
        inner = client.submit(inc, 1, key="inner")
        wait(inner)
        row = settled(client)[0][0]
        del inner
        reader = Reader(client)
        reader.until(lambda: client.cluster.scheduler.tasks["inner"].state == "released", TOPICS)
        return row

    same = ask()
    assert (same["renewed"], same["done"], same["stop"] > first["stop"]) == (0, 3, True)
    kernel.cell = 2
    other = ask()
    assert (other["renewed"], other["done"], other["stop"], isnan(other["lost"])) == (1, 3, same["stop"], True)


def fails_once(x: int, at: str) -> int:
    path = f"{at}-{x}"
    if not os.path.exists(path):
        open(path, "w").close()
        raise ValueError(x)
    return x


def test_what_is_tried_again_is_left_and_then_no_error_any_more(client: Client, tmp_path: Path) -> None:
    failed = client.map(fails_once, range(3), at=str(tmp_path / "tried"))
    after = client.map(inc, failed)
    wait(after)
    gate = client.submit(held, "tries")
    Reader(client).until(lambda: gate.key in client.cluster.scheduler.tasks, TOPICS)

    def now() -> tuple[dict[str, float], dict[str, dict[str, float]]]:
        reader = Reader(client)
        reader.arrive(TOPICS)
        [row] = reader.rows["computations"].values()
        return row, {name: share for (_, name), share in reader.shares.items()}

    row, divided = now()
    assert [row[name] for name in ("tasks", "left", "dropped", "done", "erred", "failed")] == [7, 1, 3, 0, 3, 3]
    assert [divided[name]["failed"] for name in ("fails_once", "inc")] == [3, 3]
    for future in after:
        future.retry()
    wait(after)
    # Another task of the same computation still runs.
    row, divided = now()
    assert [row[name] for name in ("tasks", "left", "dropped", "done", "erred", "failed")] == [7, 1, 0, 6, 3, 0]
    assert [divided[name]["failed"] for name in ("fails_once", "inc")] == [0, 0]
    assert [divided[name]["left"] for name in ("fails_once", "inc", "held")] == [0, 0, 1]
    Event("tries").set()
    wait(gate)
    assert settled(client)[0][0]["left"] == 0


def test_what_fails_again_is_an_error_again(client: Client) -> None:
    failed = client.map(fails, range(3))
    after = client.submit(inc, failed[0])
    wait([*failed, after])
    for _ in range(2):
        for future in (*failed[1:], after):
            future.retry()
        wait([*failed, after])
    [row], _ = settled(client)
    assert [row[name] for name in ("tasks", "left", "dropped", "erred", "failed")] == [4, 0, 1, 9, 3]
    found = {name: (share["left"], share["failed"]) for (_, name), share in shares(client).items()}
    assert found == {"fails": (0, 3), "inc": (0, 1)}


def test_a_result_that_its_user_computes_again_was_not_lost(client: Client) -> None:
    futures = client.map(inc, range(3))
    wait(futures)
    settled(client)
    for future in futures:
        future.retry()
    wait(futures)
    [row], _ = settled(client)
    assert (row["left"], row["renewed"], isnan(row["lost"])) == (0, 3, True)
