"""Which cell a computation is from: real kernels mark the graphs that their Clients submit."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster

from dask_panes.kernel.cells import Cells
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


def told(kernel: RealKernel, count: int) -> list[dict[str, Any]]:
    """Computations of the kernel's only client with their texts, oldest first, once so many are over."""
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
        if len(found) == count and all(row.get("left") == 0 and row.get("client") for row in found.values()):
            break
    return [found[number] for number in sorted(found)]


def test_computations_are_of_their_cells(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(CLIENT)
    cell = "# twice\nfor i in range(3):\n    wait(client.submit(pow, i, 2, pure=False))"
    kernel.run(cell)
    kernel.run("1 + 1")
    kernel.run(cell)
    first, second, third = told(kernel, 3)
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
    first, second = told(kernel, 2)
    assert first["origin"] == "cell"
    assert (second["cell"], second["origin"], second["code"]) == (0, "", "")
    # It is marked: only the cell is not there.
    assert second["graph"] > 50


def test_source_can_be_left_out(new_kernel: RealKernel) -> None:
    kernel = new_kernel
    kernel.run(RESTRICTED)
    kernel.run("dask.config.set({'distributed.diagnostics.computations.nframes': 1})" + CLIENT)
    (row,) = told(kernel, 1)
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
    yield SimpleNamespace(events=Events(), execution_count=1)


def test_cells_may_be_nested_and_interrupted(shell: SimpleNamespace) -> None:
    cells = Cells(shell, lambda *_: None)
    assert cells.running is None
    outer = shell.events.before(raw_cell="outer")
    inner = shell.events.before(raw_cell="inner")
    assert cells.running is not None
    assert cells.running.info is inner
    shell.events.after(inner)
    assert cells.running.info is outer
    # Subshells: the other one ends first.
    other = shell.events.before(raw_cell="other")
    shell.events.after(outer)
    assert cells.running.info is other
    shell.events.hooks["post_run_cell"]()
    assert cells.running is None
    for _ in range(1000):
        shell.events.before(raw_cell="never ends")
    assert len(cells._running) < 50


@pytest.mark.parametrize("ahead", [0, 1])
def test_the_number_of_a_cell_is_that_of_the_notebook(shell: SimpleNamespace, ahead: int) -> None:
    # Newer releases of IPython count before they tell that a cell begins.
    shell.history_manager = SimpleNamespace(input_hist_raw=["", "before"])
    cells = Cells(shell, lambda *_: None)
    for number in (2, 3, 4):
        shell.execution_count = number + ahead
        info = shell.events.before(raw_cell="x")
        assert cells.running is not None
        assert cells.running.shown == number
        # The history may lack cells.
        shell.events.hooks["post_run_cell"](SimpleNamespace(info=info, execution_count=number))


def test_a_large_cell_is_told_once_and_cut(shell: SimpleNamespace) -> None:
    sent: list[tuple[str, str, dict[str, Any]]] = []
    cells = Cells(shell, lambda *told: sent.append(told))
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        cells.mark(client)
        shell.events.before(raw_cell="x" * 1_000_000 + "\udcff")
        for i in range(10):
            client.submit(pow, i, 2).result()
        ((key, name, told),) = sent
        assert (key, name, told["id"], told["shown"]) == (client.id, "cell", "id", 1)
        assert told["code"] == "x" * CODE
        reader = Reader(client)
        reader.until(lambda: [row["done"] for row in reader.rows[TOPIC].values()] == [10.0], [TOPIC])
        # An older scheduler without our collector takes the same messages.
        reader.ask("remove")
        assert client.submit(pow, 11, 2).result() == 121


@pytest.mark.parametrize("known", [True, None])
async def test_cells_that_run_before_the_scheduler_answers(shell: SimpleNamespace, known: bool | None) -> None:
    sent: list[tuple[str, str, dict[str, Any]]] = []
    cells = Cells(shell, lambda *told: sent.append(told))
    async with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        answered = asyncio.Event()

        async def ask(*_: Any) -> bool | None:
            await answered.wait()
            return known

        cells.begin_early(client)
        beginning = asyncio.ensure_future(cells.begin_when_told(SimpleNamespace(client=client, key=client.id, ask=ask)))
        first = shell.events.before(raw_cell="first")
        assert await client.submit(pow, 2, 2) == 4
        shell.events.after(first)
        shell.events.before(raw_cell="second")
        assert await client.submit(pow, 2, 3) == 8
        assert sent == []
        answered.set()
        await beginning
        assert [told["code"] for _, _, told in sent] == (["first", "second"] if known else [])
        assert ("_send_to_scheduler" in vars(client)) is bool(known)
        assert await client.submit(pow, 2, 4) == 16
        assert len(sent) == (2 if known else 0)


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
