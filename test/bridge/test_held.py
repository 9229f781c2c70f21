"""What results in memory weigh: as Dask's own workers say, and falling when a future is released."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import held as held_module
from dask_panes.scheduler.collector import walk as walk_module
from dask_panes.scheduler.collector.names import Names
from reader import Reader, rows


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


class Task:
    """A result of ten bytes on one worker."""

    nbytes = 10

    def __init__(self, prefix: Any) -> None:
        self.prefix = prefix
        self.who_has = {1}

    def get_nbytes(self) -> int:
        return self.nbytes


def held(reader: Reader) -> dict[str, list[float]]:
    """The topic `held` by prefix name: results, their bytes, bytes of copies."""
    reader.arrive()
    return {
        reader.names["prefixes"][found]: [row["results"], row["nbytes"], row["copies"]]
        for found, row in reader.rows["held"].items()
        if row["results"]
    }


def test_bytes_in_memory_are_those_of_the_workers_and_fall_when_a_future_is_released(client: Client) -> None:
    def there(dask_scheduler: Any) -> Any:
        nbytes: dict[str, list[int]] = {}
        for ts in dask_scheduler.tasks.values():
            if ts.state == "memory":
                known = nbytes.setdefault(ts.prefix.name, [0, 0, 0])
                known[0] += 1
                known[1] += ts.get_nbytes()
                known[2] += ts.get_nbytes() * (len(ts.who_has) - 1)
        return nbytes, sum(ws.nbytes for ws in dask_scheduler.workers.values())

    def agree(results: int) -> dict[str, list[float]]:
        """Read until the pane's figures are those of a scheduler that holds this many results of `store`."""
        reader = Reader(client)
        end = monotonic() + 180
        while True:
            expected, whole = client.run_on_scheduler(there)
            found = held(reader)
            if (found == expected and found["store"][0] == results) or monotonic() > end:
                assert found == expected
                assert sum(row[1] + row[2] for row in found.values()) == whole
                return found

    def store(i: int) -> bytes:
        return bytes(i * 1000)

    def after(x: bytes) -> int:
        return len(x)

    stored = client.map(store, range(1, 40))
    scattered = client.scatter([bytes(5_000)] * 3, hash=False)
    used = client.map(after, stored)
    wait([*used, *scattered])
    client.replicate(stored[:5])
    found = agree(39)
    assert found["store"][1] == sum(i * 1000 for i in range(1, 40))
    assert found["store"][2] > 0
    del stored[10:]
    assert agree(10)["store"][1] == sum(i * 1000 for i in range(1, 11))


def test_a_walk_over_many_keys_goes_in_slices_and_stays_within_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        class Prefix:
            name = "f"

        prefix = Prefix()
        tasks = [SimpleNamespace(prefix=prefix, nbytes=2, who_has={1}) for _ in range(10)]
        workers = {str(i): SimpleNamespace(has_what=dict.fromkeys(range(0)), nbytes=0) for i in range(3)}
        workers["1"].has_what, workers["1"].nbytes = tasks, 20
        scheduler: Any = SimpleNamespace(workers=workers, transition_counter=1, replicated_tasks=set())
        monkeypatch.setattr(held_module, "PIECE", 4)
        monkeypatch.setattr(walk_module, "SLICE", 0.0)
        found = held_module.Held(Names(), lambda: None, lambda error: None)
        found.scan(scheduler)
        assert found.end == -1
        for _ in range(4):
            await asyncio.sleep(0)
        assert rows(found.read(0)[0]["c"]) == [{"id": 0, "results": 10, "nbytes": 20, "copies": 0}]
        # What has not moved is not counted again, and what moves at once after a walk waits for its budget.
        monkeypatch.setattr(walk_module, "BUDGET", 1e-9)
        monkeypatch.setattr(walk_module, "CHEAP", 0.0)
        monkeypatch.setattr(walk_module, "SLICE", 1.0)
        scheduler.transition_counter, workers["1"].has_what = 2, []
        found.walk._next = 0.0
        found.scan(scheduler)
        assert found.version == 2
        scheduler.transition_counter, workers["1"].has_what = 3, tasks
        found.scan(scheduler)
        assert found.version == 2

    asyncio.run(main())


async def test_copies_that_arrive_during_a_walk_take_no_other_result_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_module, "PIECE", 4)
    monkeypatch.setattr(walk_module, "SLICE", 0.0)

    class Prefix:
        def __init__(self, name: str) -> None:
            self.name = name

    one, other = Prefix("broadcast"), Prefix("f")
    copied = Task(one)
    tasks = [copied, *(Task(other) for _ in range(12))]
    worker = SimpleNamespace(has_what=tasks, nbytes=130)
    replicated: set[Any] = set()
    scheduler: Any = SimpleNamespace(workers={"a": worker}, transition_counter=1, replicated_tasks=replicated)
    names = Names()
    found = held_module.Held(names, lambda: None, pytest.fail)
    found.scan(scheduler)
    copied.who_has = {1, 2, 3, 4}
    replicated.add(copied)
    while found.walk.walking:
        await asyncio.sleep(0)
    counted = {names.prefixes[row["id"]]: row for row in rows(found.read(0)[0]["c"])}
    assert {name: (row["results"], row["nbytes"], row["copies"]) for name, row in counted.items()} == {
        "broadcast": (1, 10, 0),
        "f": (12, 120, 0),
    }
