"""Which cell a computation is from: real kernels mark the graphs that their Clients submit."""

from __future__ import annotations

import asyncio
import gc
import re
import weakref
from collections.abc import Iterator
from math import isnan
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster, Scheduler

from dask_panes.kernel.cells import _EXECUTION, Cells, current
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.submission import CODE
from jupyter import RealKernel
from reader import Reader

TOPIC = "computations"
CLIENT = """
from distributed import Client, wait
client = Client(processes=False, n_workers=1, dashboard_address=None)
wait(client.submit(sum, [1, 2]))
"""
RESTRICTED = "import dask; dask.config.set({'dask-panes.code': False})"


def computations_of(kernel: RealKernel, count: int, tasks: int | None = None) -> list[dict[str, Any]]:
    """Computations of the kernel's only client with their texts, oldest first, once so many are over; or so many tasks
    are, in at least as many computations.
    """
    key = kernel.ask("hello")["clients"][0]["key"]
    tab = kernel.subscribe(f"tab {count}")
    tab.want(key, [TOPIC])
    found: dict[int, dict[str, Any]] = {}
    for frame in tab.frames(key):
        body = frame["topics"].get(TOPIC, {"c": {}, "s": {}})
        columns = body["c"]
        for i, number in enumerate(columns.get("id", ())):
            found.setdefault(number, {}).update({name: values[i] for name, values in columns.items()})
        for text in body["s"].get("texts", ()):
            found.setdefault(text["id"], {}).update(text)
        complete = len(found) == count
        if tasks is not None:
            complete = len(found) >= count and sum(row.get("tasks", 0) for row in found.values()) == tasks
        if complete and all(row.get("left") == 0 and row.get("client") for row in found.values()):
            break
    return [found[number] for number in sorted(found)]


def test_computations_are_of_their_cells(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(CLIENT)
    cell = "# twice\nfor i in range(3):\n    wait(client.submit(pow, i, 2, pure=False))"
    kernel.run(cell)
    kernel.run("1 + 1")
    kernel.run(cell)
    first, second, third = computations_of(kernel, 3)
    assert [row["submissions"] for row in (first, second, third)] == [1, 3, 3]
    assert [row["done"] for row in (first, second, third)] == [1, 3, 3]
    assert first["code"] == CLIENT
    assert second["code"] == third["code"] == cell
    assert {row["origin"] for row in (first, second, third)} == {"cell"}
    # As the notebook numbers them: the cell in between submitted nothing.
    assert third["cell"] - second["cell"] == 2
    assert second["graph"] > 3 * 50


def test_a_thread_between_cells_has_no_cell_and_nothing_is_printed(new_kernel: RealKernel, tmp_path: Any) -> None:
    kernel = new_kernel
    assert kernel.run(CLIENT) == ""
    gate = tmp_path / "gate"
    kernel.run(
        "import threading, time, os\n"
        "def later():\n"
        f"    while not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
        "    wait(client.submit(pow, 3, 3))\n"
        "thread = threading.Thread(target=later); thread.start()"
    )
    gate.touch()
    first, second = computations_of(kernel, 2)
    assert first["origin"] == "cell"
    assert (second["cell"], second["origin"], second["code"]) == (0, "", "")
    # It is marked: only the cell is not there.
    assert second["graph"] > 50


LATER = """
import asyncio, os, threading, time
def pause(path):
    while not os.path.exists(path): time.sleep(0.01)
async def until(path):
    while not os.path.exists(path): await asyncio.sleep(0.01)
"""


def by_cell(rows: list[dict[str, Any]]) -> dict[int, float]:
    """Tasks by cell, that with the Client being 1; 0 for none."""
    found: dict[int, float] = {}
    for row in rows:
        assert bool(row["cell"]) == bool(row["code"])
        cell = row["cell"] - rows[0]["cell"] + 1 if row["cell"] else 0
        found[cell] = found.get(cell, 0) + row["tasks"]
    return found


def test_what_an_earlier_cell_left_running_is_not_of_the_cell_that_runs(new_kernel: RealKernel, tmp_path: Any) -> None:
    kernel, gate, done, called = new_kernel, tmp_path / "gate", tmp_path / "done", tmp_path / "called"
    kernel.run(CLIENT + LATER)
    # A thread that goes on, and a callback that is called in a thread of Dask's.
    kernel.run(
        "from distributed import Event\n"
        "def later():\n"
        f"    pause({str(gate)!r}); wait(client.submit(pow, 3, 3)); open({str(done)!r}, 'w').close()\n"
        "thread = threading.Thread(target=later); thread.start()\n"
        "def ended(_):\n"
        f"    wait(client.submit(pow, 4, 4)); open({str(called)!r}, 'w').close()\n"
        "event = Event('go'); late = client.submit(lambda event: event.wait(), event)\n"
        "late.add_done_callback(ended)"
    )
    # A task of asyncio, which runs while another cell awaits.
    awaited, over = tmp_path / "awaited", tmp_path / "over"
    kernel.run(
        "async def background():\n"
        f"    await until({str(awaited)!r}); wait(client.submit(pow, 5, 5))\n"
        f"    open({str(over)!r}, 'w').close()\n"
        "task = asyncio.ensure_future(background())"
    )
    kernel.run(f"open({str(gate)!r}, 'w').close(); pause({str(done)!r})")
    kernel.run(f"event.set(); pause({str(called)!r}); wait(client.submit(pow, 6, 6))")
    kernel.run(f"open({str(awaited)!r}, 'w').close(); await until({str(over)!r})")
    # The thread and the callback have no cell: they could be anybody's. They are one computation if less than a
    # second apart.
    assert by_cell(computations_of(kernel, 5, tasks=6)) == {0: 2, 1: 1, 2: 1, 3: 1, 5: 1}


def test_threads_and_tasks_that_a_cell_starts_are_of_the_cell_while_it_runs(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(
        CLIENT + LATER + "from concurrent.futures import ThreadPoolExecutor; from distributed import as_completed"
    )
    kernel.run(
        "def power(n): return wait(client.submit(pow, n, 2))\n"
        "threads = [threading.Thread(target=power, args=(n,)) for n in (2, 3)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "with ThreadPoolExecutor(2) as pool: list(pool.map(power, [4, 5]))"
    )
    kernel.run(
        "await asyncio.gather(*[asyncio.to_thread(power, n) for n in (6, 7)])\nclient.submit(pow, 8, 2).result()"
    )
    kernel.run(
        "first = [client.submit(pow, n, 3) for n in range(2, 5)]\n"
        "for future in as_completed(first): client.submit(pow, future.result(), 1, pure=False).result()"
    )
    kernel.run(
        "async def inner(): return client.submit(pow, 9, 2).result()\n"
        "get_ipython().run_cell('power(10)'); await inner()"
    )
    rows = computations_of(kernel, 6)
    assert [row["tasks"] for row in rows] == [1, 4, 3, 6, 1, 1]
    nested, outer = rows[4:]
    assert nested["code"] == "power(10)"
    assert "inner" in outer["code"]


def test_source_can_be_left_out(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(RESTRICTED)
    kernel.run("dask.config.set({'distributed.diagnostics.computations.nframes': 1})" + CLIENT)
    (row,) = computations_of(kernel, 1)
    assert row["cell"] > 0
    assert (row["code"], row["origin"]) == ("", "")


class Events:
    """IPython's events."""

    def __init__(self) -> None:
        self.hooks: dict[str, Any] = {}

    def register(self, name: str, hook: Any) -> None:
        self.hooks[name] = hook

    def before(self, **info: Any) -> SimpleNamespace:
        found = SimpleNamespace(store_history=True, cell_id="id", **info)
        self.hooks["pre_run_cell"](found)
        return found

    def after(self, info: Any) -> None:
        self.hooks["post_run_cell"](SimpleNamespace(info=info))


@pytest.fixture
def shell() -> Iterator[SimpleNamespace]:
    before = _EXECUTION.set(None)
    yield SimpleNamespace(events=Events(), execution_count=1)
    _EXECUTION.reset(before)


def ran() -> Any:
    """IPython's description of the cell that the calling code is from."""
    cell = current()
    return None if cell is None else cell.info


def test_cells_may_be_nested_and_interrupted(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)
    assert current() is None
    outer = shell.events.before(raw_cell="outer")
    inner = shell.events.before(raw_cell="inner")
    assert ran() is inner
    shell.events.after(inner)
    assert ran() is outer
    # Subshells: the other one ends first.
    other = shell.events.before(raw_cell="other")
    shell.events.after(outer)
    assert ran() is other
    shell.events.hooks["post_run_cell"]()
    assert current() is None
    for _ in range(1000):
        shell.events.before(raw_cell="never ends")
    assert len(cells._running) < 50


@pytest.mark.parametrize("ahead", [0, 1])
def test_the_number_of_a_cell_is_that_of_the_notebook(shell: SimpleNamespace, ahead: int) -> None:
    # Newer releases of IPython count before they notify that a cell begins.
    shell.history_manager = SimpleNamespace(input_hist_raw=["", "before"])
    Cells(shell, lambda *_: None)
    for number in (2, 3, 4):
        shell.execution_count = number + ahead
        info = shell.events.before(raw_cell="x")
        assert (running := current()) is not None
        assert running.shown == number
        # The history may lack cells.
        shell.events.hooks["post_run_cell"](SimpleNamespace(info=info, execution_count=number))


def test_a_large_cell_is_sent_once_and_cut(shell: SimpleNamespace) -> None:
    sent: list[tuple[str, str, dict[str, Any]]] = []
    cells = Cells(shell, lambda *call: sent.append(call))
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        cells.mark(client)
        shell.events.before(raw_cell="x" * 1_000_000 + "\udcff")
        for i in range(10):
            client.submit(pow, i, 2).result()
        ((key, name, description),) = sent
        assert (key, name, description["id"], description["shown"]) == (client.id, "cell", "id", 1)
        assert description["code"] == "x" * CODE
        reader = Reader(client)
        reader.until(lambda: [row["done"] for row in reader.rows[TOPIC].values()] == [10.0], [TOPIC])
        (row,) = reader.rows[TOPIC].values()
        assert 0 < row["packing"] < row["last"] - row["since"] + 5
        # An older scheduler without our collector takes the same messages.
        reader.ask("remove")
        assert client.submit(pow, 11, 2).result() == 121


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("known", [True, None])
async def test_cells_that_run_before_the_scheduler_answers(
    shell: SimpleNamespace, known: bool | None, lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dask_panes.kernel.cells.AGAIN", 0.01)
    losses = [OSError("the connection was lost"), asyncio.TimeoutError()] if lost else []
    sent: list[tuple[str, str, dict[str, Any]]] = []
    cells = Cells(shell, lambda *call: sent.append(call))
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        answered = asyncio.Event()

        async def ask(*_: Any) -> bool | None:
            if losses:
                raise losses.pop()
            await answered.wait()
            return known

        cells.begin_early(client)
        beginning = asyncio.ensure_future(
            cells.begin_when_answered(SimpleNamespace(client=client, key=client.id, ask=ask))
        )
        first = shell.events.before(raw_cell="first")
        assert await client.submit(pow, 2, 2) == 4
        shell.events.after(first)
        shell.events.before(raw_cell="second")
        assert await client.submit(pow, 2, 3) == 8
        assert sent == []
        answered.set()
        await beginning
        assert [description["code"] for _, _, description in sent] == (["first", "second"] if known else [])
        assert ("_send_to_scheduler" in vars(client)) is bool(known)
        assert await client.submit(pow, 2, 4) == 16
        assert len(sent) == (2 if known else 0)


async def test_a_cell_is_described_to_the_next_scheduler_too(shell: SimpleNamespace) -> None:
    """A scheduler ends while a cell runs; its Client, and a second one, find another at its address."""
    sent: list[tuple[str, str, dict[str, Any]]] = []
    cells = Cells(shell, lambda *call: sent.append(call))
    options = {"host": "127.0.0.1", "dashboard_address": None}
    first = await Scheduler(port=0, **options)
    async with Client(first.address, asynchronous=True) as client:
        cells.mark(client)
        shell.events.before(raw_cell="goes on")
        client.submit(pow, 2, 2)
        client.submit(pow, 2, 3)
        assert [(key, description["code"]) for key, _, description in sent] == [(client.id, "goes on")]
        connection = client.scheduler_comm
        await first.close()
        async with Scheduler(port=first.port, **options) as second:
            # Dask gives up by itself, but not where it never notices the end.
            deadline = monotonic() + 30
            while client.scheduler_comm in (None, connection):
                assert monotonic() < deadline, "the Client has not connected again"
                await asyncio.sleep(0.01)
            await ship.register(client)
            client.submit(pow, 2, 4)
            client.submit(pow, 2, 5)
            assert [(key, description["code"]) for key, _, description in sent] == [(client.id, "goes on")] * 2
            async with Client(second.address, asynchronous=True) as other:
                cells.mark(other)
                other.submit(pow, 2, 6)
                assert [key for key, _, _ in sent] == [client.id, client.id, other.id]


def test_a_cell_is_described_again_with_its_line_after_a_restart(shell: SimpleNamespace, monkeypatch: Any) -> None:
    sent: list[tuple[int, str]] = []
    cells = Cells(shell, lambda _, name, what: sent.append((what["line"], name)))
    lines = iter([1, 3])
    monkeypatch.setattr("dask_panes.kernel.cell.called.line_of", lambda *_: next(lines))

    class Sender:
        id = "Client-x"
        generation = 0

        def _send_to_scheduler(self, message: Any) -> None:
            pass

    sender: Any = Sender()
    cells.mark(sender)
    shell.events.before(raw_cell="a\nrestart\nb")
    for sender.generation in (0, 0, 1, 1):
        sender._send_to_scheduler({"op": "update-graph"})
    assert sent == [(1, "cell"), (3, "cell")]


@pytest.mark.parametrize("waits", [False, True], ids=["connected again", "submits before it is connected"])
def test_another_scheduler_receives_the_line_that_submits_to_it(
    shell: SimpleNamespace, monkeypatch: Any, waits: bool
) -> None:
    sent: list[int] = []
    cells = Cells(shell, lambda _, __, what: sent.append(what["line"]))
    lines = iter([1, 3])
    monkeypatch.setattr("dask_panes.kernel.cell.called.line_of", lambda *_: next(lines))

    class Connection:
        pass

    class Sender:
        id = "Client-x"
        scheduler_comm: Any = Connection()

        def _send_to_scheduler(self, message: Any) -> None:
            pass

    sender: Any = Sender()
    cells.mark(sender)
    shell.events.before(raw_cell="a\nreplaced\nb\nc")
    sender._send_to_scheduler({"op": "update-graph"})
    for connection in ([None] if waits else []) + [Connection()]:
        sender.scheduler_comm = connection
        for _ in range(2):
            sender._send_to_scheduler({"op": "update-graph"})
    assert sent == [1, *[3] * (2 if waits else 1)]


async def test_nothing_stays_of_a_client_that_closes_at_once(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)

    class Sender:
        id = "Client-x"

        def _send_to_scheduler(self, message: Any) -> None:
            pass

    sender: Any = Sender()

    def spawn(answer: Any) -> Any:
        task = asyncio.ensure_future(answer)
        task.cancel()
        return task

    cells.begin_early(sender)
    shell.events.before(raw_cell="x")
    sender._send_to_scheduler({"op": "update-graph"})
    assert cells._waiting
    await cells.begin(SimpleNamespace(key=sender.id, client=sender, spawn=spawn))
    assert not cells._waiting


def test_the_time_of_packing_is_that_of_the_client(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)

    class Slow:
        def __reduce__(self) -> tuple[Any, ...]:
            sleep(0.2)
            return (int, ())

    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        cells.mark(client)
        shell.events.before(raw_cell="x")
        assert client.submit(type, Slow()).result() is int
        reader = Reader(client)
        reader.until(lambda: [row["done"] for row in reader.rows[TOPIC].values()] == [1.0], [TOPIC])
        (row,) = reader.rows[TOPIC].values()
        assert row["packing"] >= 0.2
        # A graph whose packing nobody has timed makes the sum unknown, as one without a size does.
        vars(client).pop("_graph_to_futures")
        client.submit(pow, 2, 2).result()
        reader.until(lambda: [row["done"] for row in reader.rows[TOPIC].values()] == [2.0], [TOPIC])
        (row,) = reader.rows[TOPIC].values()
        assert isnan(row["packing"])
        cells.end()
        assert not {"_graph_to_futures", "_send_to_scheduler"} & vars(client).keys()


def test_the_method_of_another_extension_stays(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)

    class Sender:
        id = "Client-x"

        def _send_to_scheduler(self, message: Any) -> Any:
            return message

        def _graph_to_futures(self, graph: Any) -> Any:
            return self._send_to_scheduler({"op": "update-graph", "graph_frames": graph})

    client: Any = Sender()
    theirs = client._graph_to_futures = lambda graph: ("theirs", graph)
    cells.mark(client)
    assert client._graph_to_futures([b"x"]) == ("theirs", [b"x"])
    cells.end()
    assert client._graph_to_futures is theirs
    # Nor is one taken away where the scheduler does not know marks.
    client = Sender()
    own = client._send_to_scheduler = str
    cells.mark(client)
    cells._unmark(client)
    assert client._send_to_scheduler is own
    client = Sender()
    cells.mark(client)
    assert re.search(r" packed-us \d+ dask-panes 0 3$", client._graph_to_futures([b"xyz"])["stimulus_id"])
    # One that is sent by another way is not timed.
    sent = client._send_to_scheduler({"op": "update-graph", "graph_frames": [b"xyz"]})
    assert "packed-us" not in sent["stimulus_id"]


def test_a_client_of_a_release_that_sends_otherwise_is_not_marked(shell: SimpleNamespace) -> None:
    client: Any = SimpleNamespace(id="Client-x")
    cells = Cells(shell, lambda *_: None)
    cells.begin_early(client)
    assert [*vars(client)] == ["id"]
    cells.end()


def test_a_marked_client_is_freed_at_once(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)

    class Sender:
        id = "Client-x"

        def _send_to_scheduler(self, message: Any) -> Any:
            return message

    client: Any = Sender()
    cells.mark(client)
    assert client._send_to_scheduler({"op": "heartbeat"}) == {"op": "heartbeat"}
    # A message that cannot be read is sent as it is.
    assert client._send_to_scheduler({"op": "update-graph", "graph_frames": [1]}) == {
        "op": "update-graph",
        "graph_frames": [1],
    }
    found = weakref.ref(client)
    gc.disable()
    try:
        del client
        assert found() is None
    finally:
        gc.enable()
