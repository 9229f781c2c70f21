"""The search for keys against plain lists, and as requests to a scheduler."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, Event, LocalCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import key_search
from dask_panes.scheduler.collector.faults import Refusal
from dask_panes.scheduler.collector.key_search import Keys, KeySearch, Purse
from dask_panes.scheduler.collector.key_text import folded, search
from dask_panes.scheduler.collector.keys import KeyColumn
from reader import Reader
from test_ring import key_of, written

PREFIXES = ["f", "load", "", "Sum-x", "é-b", "dead"]


def column_of(random_: random.Random, count: int) -> tuple[KeyColumn, list[int], list[str]]:
    """A column, the ids of its prefixes, and its keys as text."""
    column = KeyColumn()
    prefixes = [random_.randrange(len(PREFIXES)) for _ in range(count)]
    names = [PREFIXES[found] for found in prefixes]
    keys = [
        random_.choice([f'{name}-\udc80 It\'s "É"\n', f"KEY-{name}"])
        if random_.random() < 0.1
        else key_of(random_, name)
        for name in names
    ]
    column.extend(keys, names)
    return column, prefixes, [written(key) for key in keys]


def needle_of(random_: random.Random, texts: list[str]) -> str:
    """A part of a key, in other case, with a change, or something else."""
    text = random_.choice(texts)
    start = random_.randrange(len(text) or 1)
    part = text[start : start + random_.choice([1, 2, 3, 5, 9, 40])]
    other = ["-", "'", "', ", ", ", ")", "a-f", "load-", "\udc80", "É", "\x00", "0", "it's", "\\udc80"]
    return random_.choice([part, part, part.upper(), part + "0", text, random_.choice(other)]) or "f"


@pytest.mark.parametrize("seed", range(8))
def test_a_search_finds_what_contains_the_texts(seed: int) -> None:
    random_ = random.Random(seed)
    found_any = 0
    for _ in range(20):
        column, prefixes, texts = column_of(random_, random_.choice([1, 8, 60, 700]))
        for _ in range(40):
            needles = [folded(needle_of(random_, texts)) for _ in range(random_.choice([1, 1, 1, 2]))]
            low, high = sorted(random_.randrange(len(texts) + 1) for _ in range(2))
            expected = [i for i in reversed(range(low, high)) if all(each in folded(texts[i]) for each in needles)]
            found: list[int] = []
            reached = high
            for part in search(column, prefixes, PREFIXES, needles, low, high):
                # Nothing that was passed is found later.
                assert all(part.reached <= row < reached for row in part.rows), (seed, needles)
                found += part.rows
                reached = part.reached
            assert (found, reached) == (expected, low), (seed, needles, texts)
            found_any += bool(found)
    assert found_any > 100


def test_many_groups_of_one_column_are_searched() -> None:
    column = KeyColumn()
    keys = [(f"x-{i:04d}", i, 0) for i in range(3_000)]
    column.extend(keys, ["x"] * len(keys))

    def found(text: str) -> list[int]:
        return [row for part in search(column, [0] * len(keys), ["x"], [folded(text)], 0, 3_000) for row in part.rows]

    assert found("x-1234") == [1234]
    assert found("('x-1234', 1234") == [1234]
    assert found("4', 1234,") == [1234]
    assert found("x-123") == list(range(1239, 1229, -1))
    assert found(", 2999, 0)") == [2999]
    assert found("x-1234', 4") == []


class Shelf:
    """Keys in columns of eight."""

    def __init__(self, keys: list[str]) -> None:
        self.first, self.end = 0, len(keys)
        self.columns = []
        for at in range(0, len(keys), 8):
            column = KeyColumn()
            column.extend(keys[at : at + 8], ["f"] * len(keys[at : at + 8]))
            self.columns.append(column)

    def keys_at(self, number: int) -> Keys | None:
        if not self.first <= number < self.end:
            return None
        column = self.columns[number // 8]
        return Keys(number // 8 * 8, column, [0] * len(column))


def searching(shelf: Shelf, closed: list[bool] | None = None) -> KeySearch:
    return KeySearch({"executions": shelf}, lambda: ["f"], lambda: bool(closed))


def asked(**more: Any) -> dict[str, Any]:
    return {"search": "a", "texts": ["f-"], "of": "executions", "from": 0, "before": None, **more}


def test_parts_of_a_search_are_bounded_and_leave_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_search, "ROWS", 3)
    shelf = Shelf([f"f-{i}" if i % 2 else f"g{i}" for i in range(50)])

    async def run() -> None:
        find = searching(shelf)
        rows: list[int] = []
        before = None
        for _ in range(50):
            answer = await find.ask(asked(before=before))
            rows += answer["rows"]
            # A whole piece is at most eight rows here.
            assert len(answer["rows"]) <= 3 + 8
            assert answer["done"] or answer["reached"] < answer["before"]
            before = answer["reached"]
            if answer["done"]:
                break
        assert rows == list(range(49, 0, -2))
        newer = await find.ask(asked(**{"from": 45}))
        assert newer["rows"] == [49, 47, 45]
        assert (newer["before"], newer["reached"], newer["done"]) == (50, 45, True)
        assert not find._running

    asyncio.run(run())


def test_keys_that_have_left_are_not_searched_and_are_reported_as_gone() -> None:
    shelf = Shelf([f"f-{i}" for i in range(40)])
    shelf.first = 16

    async def run() -> None:
        find = searching(shelf)
        answer = await find.ask(asked())
        assert answer["rows"] == list(range(39, 15, -1))
        assert (answer["first"], answer["done"]) == (16, True)
        gone = await find.ask(asked(before=10))
        assert (gone["rows"], gone["done"]) == ([], True)

    asyncio.run(run())


def test_a_new_search_ends_the_former_one_and_the_close_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_search, "SEARCHES", 2)
    shelf = Shelf(["f-1"])
    closed: list[bool] = []

    async def run() -> None:
        find = searching(shelf, closed)
        # Nothing may be spent for a while, so requests wait.
        find._purse.spend(key_search.BURST + 1e-3)
        former = asyncio.ensure_future(find.ask(asked()))
        await asyncio.sleep(0)
        latter = asyncio.ensure_future(find.ask(asked(texts=["1"])))
        other = asyncio.ensure_future(find.ask(asked(search="b")))
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="try again"):
            await find.ask(asked(search="c"))
        assert await find.ask(asked(search="b", texts=[])) == {"cancelled": True}
        assert await former == {"cancelled": True}
        assert await other == {"cancelled": True}
        assert (await latter)["rows"] == [0]
        find._purse.spend(key_search.BURST + 1e-3)
        last = asyncio.ensure_future(find.ask(asked()))
        await asyncio.sleep(0)
        closed.append(True)
        with pytest.raises(Refusal, match="closed"):
            await last
        assert not find._running

    asyncio.run(run())


def test_odd_requests_are_refused_or_find_nothing() -> None:
    shelf = Shelf(["f-1", "f-\udcff"])

    async def run() -> None:
        find = searching(shelf)
        with pytest.raises(Refusal):
            await find.ask(asked(of="nothing"))
        assert (await find.ask(asked(texts=["\udcff"])))["rows"] == [1]
        assert (await find.ask(asked(texts=["x" * 10_000])))["rows"] == []
        assert (await find.ask(asked(texts=["f"] * 100)))["rows"] == [1, 0]
        assert (await find.ask(asked(before=-5)))["done"]
        assert (await find.ask(asked(before=2**70, **{"from": -(2**70)})))["rows"] == [1, 0]

    asyncio.run(run())


def test_searches_use_what_was_saved_and_then_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(key_search, "perf_counter", lambda: now[0])
    purse = Purse()
    assert purse.wait() == 0
    purse.spend(key_search.BURST)
    assert purse.wait() == 0
    purse.spend(0.002)
    assert purse.wait() == pytest.approx(0.2)
    now[0] += 0.2
    assert purse.wait() == pytest.approx(0)
    # What is saved has a bound.
    now[0] += 1e6
    purse.wait()
    purse.spend(key_search.BURST + 0.001)
    assert purse.wait() == pytest.approx(0.1)


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


def find(client: Client, text: str, of: str = "executions") -> dict[str, Any]:
    answer: dict[str, Any] = Reader(client).ask("search_keys", **asked(texts=[text], of=of))
    return answer


def test_a_scheduler_finds_executions_and_tasks_that_have_not_ended(client: Client) -> None:
    done = client.map(abs, range(20), key=[("block-7", i) for i in range(20)])
    wait(done)
    event = Event("go", client=client)
    waiting = client.submit(Event.wait, event, key="later-1", pure=False)
    reader = Reader(client)
    # `submit` does not wait for the scheduler.
    end = time.monotonic() + 60
    while not find(client, "LATER", "graph")["rows"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    answer = find(client, "('block-7', 3)")
    assert [reader.ask("key", row=row)["key"] for row in answer["rows"]] == ["('block-7', 3)"]
    assert answer["done"]
    assert find(client, "later")["rows"] == []
    graph = find(client, "LATER", "graph")
    assert reader.ask("numbers", numbers=graph["rows"]) == ["later-1"]
    event.set()
    wait(waiting)
    assert len(find(client, "later")["rows"]) == 1


def test_two_clients_search_at_once(client: Client) -> None:
    wait(client.map(abs, range(50)))
    assert client.cluster is not None
    with Client(client.cluster) as other:
        answers = [find(each, "abs-") for each in (client, other)]
    assert [len(each["rows"]) for each in answers] == [50, 50]
