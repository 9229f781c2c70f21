"""How soon a search for keys finds something, and what it costs the scheduler.

A real scheduler whose ring is full: 1,000,000 executions with the keys of the workload, half of them with a token of
their own, half tuples of a collection. It executes some 200 tasks a second meanwhile. Requests go the way of a page's,
from the session beside the client.

Rows:

- key_search_first_ms, key_search_first_oldest_ms: from the request to the first answer with a row, p95 of 20 searches
  by the clock, for keys anywhere in the ring and for those of its oldest rows. The bar is 500.
- search_cpu_ms: CPU of the scheduler for one look through the whole ring, by what is looked for.
- search_core_percent: CPU of searches that go on for 20 s, of two readers that compare every key, above what may be
  spent at once. The bar is 1.
- longest_slice_ms: the longest turn of the event loop that a search took, in CPU time.
"""

from __future__ import annotations

import asyncio
import math
import random
import statistics
import sys
import time
from typing import Any

from distributed import Client, LocalCluster, as_completed

from _bridge import session_of
from _workload import SEED, Workload, reporter
from dask_panes.scheduler.collector import key_search as ours
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME

ROWS, PIECE = 1_000_000, 10_000
BAR = 500.0
SEARCHES, SECONDS = 20, 20.0

report = reporter("keys")


class Prefix:
    """As much of a TaskPrefix as the ring reads."""

    def __init__(self, name: str) -> None:
        self.name = name


class Task:
    """As much of a TaskState as the ring reads."""

    def __init__(self, name: str) -> None:
        self.prefix = Prefix(name)


def fill(history: Any) -> list[str]:
    """Fill the ring; returns the text of every key."""
    workload = Workload()
    tasks: dict[str, Task] = {}
    texts: list[str] = []
    while len(texts) < ROWS:
        notes: list[Any] = []
        for _ in range(PIECE):
            function = workload.draw().function
            key = workload.key(function, len(texts))
            texts.append(key if isinstance(key, str) else repr(key))
            task = tasks.setdefault(function, Task(function))
            span = [{"action": "compute", "start": float(len(texts)), "stop": len(texts) + 0.5}]
            notes += (key, task, "tcp://127.0.0.1:1", 1, span, 8, "int")
        history.extend(notes)
    return texts


async def look(session: Any, texts: list[str], name: str = "bench") -> tuple[float, dict[str, Any]]:
    """One search to its first rows: seconds, and the last answer."""
    begin, before = time.perf_counter(), None
    while True:
        args = {"search": name, "texts": texts, "of": "executions", "from": 0, "before": before}
        answer = await session.ask("search_keys", args)
        if answer["rows"] or answer["done"]:
            return time.perf_counter() - begin, answer
        before = answer["reached"]


async def through(session: Any, texts: list[str], name: str = "bench", until: float = float("inf")) -> int:
    """A search through the whole ring, or until a time; returns the number of rows."""
    before, count = None, 0
    while time.perf_counter() < until:
        args = {"search": name, "texts": texts, "of": "executions", "from": 0, "before": before}
        answer = await session.ask("search_keys", args)
        count += len(answer["rows"])
        before = answer["reached"]
        if answer["done"]:
            break
    return count


class Meter:
    """CPU that searches have used, by their own account."""

    def __init__(self) -> None:
        self.spent = self.longest = 0.0
        spend = ours_of().Purse.spend

        def counted(purse: Any, seconds: float) -> None:
            self.spent += seconds
            self.longest = max(self.longest, seconds)
            spend(purse, seconds)

        ours_of().Purse.spend = counted

    def take(self) -> float:
        """What was used since the last call, seconds."""
        spent, self.spent = self.spent, 0.0
        return spent


_MODULE: list[Any] = [ours]


def ours_of() -> Any:
    """The module that the scheduler runs: it was sent there as source text."""
    return _MODULE[-1]


async def rest(meter: Meter) -> None:
    """Wait until what was used since the last call may be used again."""
    await asyncio.sleep(meter.take() / ours.BUDGET)


def main() -> None:
    rng = random.Random(SEED)
    print(f"seed {SEED}")
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster,
        Client(cluster) as client,
        session_of(client) as session,
    ):
        plugin = cluster.scheduler.plugins[PLUGIN_NAME]
        _MODULE.append(sys.modules[type(plugin).__module__.rpartition(".")[0] + ".key_search"])
        texts = client.sync(filled, plugin.history)
        meter = Meter()
        busy = asyncio.run_coroutine_threadsafe(work(client), client.loop.asyncio_loop)
        client.sync(measure, session, meter, texts, rng)
        busy.cancel()


async def filled(history: Any) -> list[str]:
    return fill(history)


async def work(client: Client) -> None:
    """Some 200 tasks a second."""
    number = 0
    while True:
        futures = [client.submit(abs, number + i, pure=False) for i in range(20)]
        number += 20
        async for _ in as_completed(futures, loop=client.loop):
            pass
        await asyncio.sleep(0.1)


async def measure(session: Any, meter: Meter, texts: list[str], rng: random.Random) -> None:
    kept = texts[-ROWS + PIECE :]
    for name, chosen in (("", kept), ("_oldest", kept[:1000])):
        seconds = []
        for _ in range(SEARCHES):
            await rest(meter)
            took, answer = await look(session, [rng.choice(chosen)])
            assert len(answer["rows"]) == 1
            seconds.append(1000 * took)
        p95 = sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1]
        report(f"key_search_first{name}_ms", p95, "ms", BAR, median=round(statistics.median(seconds), 1))
    key = next(text for text in reversed(kept[:1000]) if not text.startswith("("))
    for what, text in (
        ("a key", key),
        ("eight digits of a key", key[-13:-5]),
        ("a function's name", key.split("-")[0]),
        ("one index of a tuple", ", 8, 0)"),
        ("nothing there", "not in any key"),
    ):
        await rest(meter)
        begin = time.perf_counter()
        count = await through(session, [text], until=begin + 30)
        wall = time.perf_counter() - begin
        report("search_cpu_ms", 1000 * meter.take(), "ms", None, what=what, rows=count, seconds=round(wall, 2))
    await rest(meter)
    begin = time.perf_counter()
    until = begin + SECONDS
    await asyncio.gather(*(through(session, [", 7"], name, until) for name in ("one", "two")))
    share = 100 * (meter.take() - ours.BURST) / (time.perf_counter() - begin)
    report("search_core_percent", share, "%", 1.0)
    report("longest_slice_ms", 1000 * meter.longest, "ms", 10.0)


if __name__ == "__main__":
    main()
