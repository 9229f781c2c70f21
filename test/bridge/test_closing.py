"""A cluster that is closed takes its workers first: what is shown in the end is how it was before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from jupyter import RealKernel, Subscription

TOPICS = ["meta", "tasks", "prefixes", "workers", "computations", "held"]


@pytest.fixture
def kernel() -> Iterator[RealKernel]:
    with RealKernel(activated=True) as kernel:
        yield kernel


class Shown:
    """What a tab knows of its client, until that is closed."""

    def __init__(self, kernel: RealKernel) -> None:
        self.subscription: Subscription = kernel.subscribe()
        self.key = str(self.subscription.clients[0]["key"])
        self.subscription.want(self.key, TOPICS)
        self.names: list[str] = []
        self.rows: dict[str, dict[int, dict[str, float]]] = {topic: {} for topic in TOPICS}
        self.tasks = 0
        self.info: dict[str, Any] = {}

    def take(self, push: dict[str, Any]) -> bool:
        """Fold what is pushed; returns whether the client is closed."""
        if push["kind"] == "clients":
            self.info = next(info for info in push["clients"] if info["key"] == self.key)
        if push["kind"] == "frame":
            frame = push["frame"]
            entries = frame["names"].get("prefixes")
            if entries is not None:
                self.names[entries["from"] :] = entries["values"]
            for topic, body in frame["topics"].items():
                columns = body.get("c", {})
                self.tasks += len(columns["start"]) if topic == "tasks" else 0
                for i, row in enumerate(columns.get("id", ())):
                    self.rows[topic][row] = {name: values[i] for name, values in columns.items()}
            self.subscription.acknowledge(self.key, push["seq"])
        return self.info.get("status") == "closed"

    def until_closed(self) -> None:
        self.subscription.next(self.take, 60)

    def function(self, name: str) -> dict[str, float]:
        return self.rows["prefixes"][self.names.index(name)]


CLUSTER = """
from distributed import Client, LocalCluster, wait
cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes={processes}, dashboard_address=None)
client = Client(cluster)
def f(x):
    return bytes(200_000)
"""


@pytest.mark.parametrize("processes", [True, False], ids=["processes", "threads"])
@pytest.mark.parametrize("end", ["cluster.close()", "client.shutdown()"])
def test_the_picture_stays_when_the_cluster_is_closed(kernel: RealKernel, processes: bool, end: str) -> None:
    kernel.run(CLUSTER.format(processes=processes))
    shown = Shown(kernel)
    # Also what ended a moment ago is there.
    assert kernel.run(f"kept = client.map(f, range(40)); wait(kept); {end}") == ""
    shown.until_closed()
    row = shown.function("f")
    assert (shown.tasks, row["memory"], row["queued"] + row["waiting"] + row["no_worker"]) == (40, 40, 0)
    (computation,) = shown.rows["computations"].values()
    assert (computation["done"], computation["left"], computation["renewing"]) == (40, 0, 0)
    workers = list(shown.rows["workers"].values())
    assert len([row for row in workers if row["left"] != row["left"]]) == 2
    assert sum(row["in_memory"] for row in workers) == 40
    assert (shown.info["workers"], shown.info["threads"]) == (2, 2)
    assert shown.info["memoryLimit"] > 0


def test_closing_takes_no_longer_and_fails_as_without_us(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.format(processes=False))
    begun = time.monotonic()
    printed = kernel.run("""
import asyncio
def broken(*args, **kwargs):
    raise RuntimeError("odd")
import dask_panes.kernel.session.session as session
session.Session.settle = broken
cluster.close()
print(cluster.status.name)
""")
    assert printed.strip() == "closed"
    assert time.monotonic() - begun < 30


def test_a_cluster_is_let_go_as_without_us(kernel: RealKernel) -> None:
    kernel.run(CLUSTER.format(processes=False))
    printed = kernel.run("""
import gc, weakref
found = weakref.ref(cluster)
gc.collect(); gc.disable()
method = vars(cluster)["_close"]
client.close(); cluster.close()
assert not any(cell.cell_contents is cluster for cell in method.__closure__)
print("ok")
""")
    assert printed.strip() == "ok"
