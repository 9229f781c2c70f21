"""What a newer collector takes from an older one, on a real scheduler that has run something; and who owns a task."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, Scheduler, Worker

from dask_panes.scheduler.collector import claims as claims_module
from dask_panes.scheduler.collector import takeover
from dask_panes.scheduler.collector.claims import Claims
from dask_panes.scheduler.collector.computation import HALTED_OWNER
from dask_panes.scheduler.collector.halted import Halted
from dask_panes.scheduler.collector.history import Chunk
from dask_panes.scheduler.collector.keys import KeyColumn
from dask_panes.scheduler.collector.names import Ids
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.prefix_rows import PLACES
from dask_panes.scheduler.collector.shares import Shares
from dask_panes.scheduler.collector.takeover import ALL, CARRIED, LATER, take_over, version_of
from reader import rows


def inc(x: Any) -> Any:
    return x + 1


def fails(_: Any) -> Any:
    raise ValueError("no")


async def observed(collector: Collector) -> None:
    """Let a collector see a cluster that runs some tasks, of which some fail and some are forgotten."""
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        await scheduler.register_scheduler_plugin(collector, name=collector.name, idempotent=True)
        async with Worker(scheduler.address, nthreads=1), Client(scheduler.address, asynchronous=True) as client:
            kept = client.map(inc, range(20), key=[f"inc-{i}" for i in range(20)])
            await client.gather(kept)
            failed = client.submit(fails, 1, key="fails-1")
            await failed.exception()
            gone = client.map(inc, range(20, 25), key=[f"gone-{i}" for i in range(5)])
            await client.gather(gone)
            del gone
            while any(key.startswith("gone") for key in scheduler.tasks):
                await asyncio.sleep(0.001)
            await collector.upkeep.settle(60.0)
            await collector.close()


@pytest.fixture(scope="module")
def old_of() -> Callable[[], Collector]:
    """A collector that has seen a cluster: a new one each time, since it is emptied."""

    def make() -> Collector:
        collector = Collector(version=(1, 2))
        asyncio.run(asyncio.wait_for(observed(collector), 60))
        return collector

    return make


def carried(collector: Collector) -> dict[tuple[str, str], Any]:
    return {
        (part, name): getattr(getattr(collector, part), name)
        for table in (CARRIED, LATER)
        for part, names in table.items()
        for name in names
    }


def test_all_that_an_older_one_has_is_moved(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector(version=(1, 3))
    assert old.history.end == 26
    before = carried(old)
    ids = {place: dict(value) for place, value in before.items() if isinstance(value, Ids)}
    own = {place: value for place, value in carried(new).items() if isinstance(value, Ids)}
    old.marked["x"] = "cancelled"
    # One computation, or more where the machine was busy between the graphs.
    owned = old.computations.owned.read(0, old.computations.version)[0]
    assert sum(rows for _, _, rows in owned) == 26
    assert take_over(new, old) == []
    for place, value in carried(new).items():
        if place in own:
            # The hook of the new one has references to them.
            assert value is own[place]
            assert dict(value) == ids[place]
        elif place[1] not in ("_versions", "version"):
            assert value is before[place] or (place[0] in ("names", "groups") and value == before[place]), place
    assert new.attempts._timed is old.attempts._timed
    assert new.history.execution(0) == old.history.execution(0)
    assert (new.feed, new.epoch) == (old.feed, old.epoch + 1)
    assert (new.earlier, new.started, new.marked) == (old.earlier, old.started, old.marked)
    assert [row.tasks for row in new.computations._rows.values()] == [
        row.tasks for row in old.computations._rows.values()
    ]
    # All executions are known, and the next one goes on.
    assert new.computations.owned.end == new.history.end
    assert new.computations.owned.read(0, new.computations.version)[0] == owned
    assert new.computations.graphs(0) == old.computations.graphs(0)
    for part in ("workers", "groups", "attempts"):
        assert getattr(new, part).version >= getattr(old, part).version


async def test_the_functions_of_the_scheduler_are_known_after_a_takeover() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        collectors = [Collector(version=(1, number)) for number in (2, 3)]
        for collector in collectors:
            await scheduler.register_scheduler_plugin(collector, name=collector.name, idempotent=False)
        old, new = collectors
        assert (new.epoch, new.meta.not_carried) == (old.epoch + 1, "")
        assert new.prefixes.episodes._prefixes is scheduler.task_prefixes


@pytest.mark.parametrize("kept", [True, False])
async def test_versions_of_packages_of_workers_are_known_after_a_takeover(kept: bool) -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler, Worker(scheduler.address):
        old, new = (Collector(version=(1, number)) for number in (2, 3))
        await scheduler.register_scheduler_plugin(old, name=old.name, idempotent=False)
        known = old.workers.packages.versions
        assert len(known["python"]) == len(known["distributed"]) == 1
        if kept:
            # Of a worker that has left.
            known["distributed"].append("1.0")
        else:
            del old.workers.packages
        await scheduler.register_scheduler_plugin(new, name=new.name, idempotent=False)
        assert new.meta._of_workers.versions == known


async def test_what_was_not_observed_and_since_when_nothing_happens_are_known_after_a_takeover() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        old, new = (Collector(version=(1, number)) for number in (2, 3))
        await scheduler.register_scheduler_plugin(old, name=old.name, idempotent=False)
        active = old.idleness.active_at
        old.idleness.look(scheduler, active + 0.1, old.looks.look(active + 0.1))
        # As of an older version, whose process was stopped twice, the second time while it was taken over.
        old.looks.unobserved = deque([(active - 60, active - 30)], maxlen=20)  # type: ignore[assignment]
        old.looks.at -= 20
        await scheduler.register_scheduler_plugin(new, name=new.name, idempotent=False)
        assert new.idleness.active_at == old.idleness.active_at
        new.looks.look(active + 0.2)
        assert new.looks.unobserved == [(active - 60, active - 30), (active + 0.1 - 20, active + 0.2)]


def test_one_that_did_not_look_begins_to_look_now(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    del old.looks
    at = new.looks.at
    assert take_over(new, old) == []
    assert (new.looks.unobserved, new.looks.at) == ([], at)


def test_an_earlier_version_noted_its_looks_with_its_idleness(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    del old.looks
    old.idleness.unobserved = [(1.0, 7.0)]  # type: ignore[attr-defined]
    old.idleness._looked_at = 8.0  # type: ignore[attr-defined]
    assert take_over(new, old) == []
    assert (new.looks.unobserved, new.looks.at) == ([(1.0, 7.0)], 8.0)


def test_one_that_did_not_keep_each_graph_and_execution_goes_on_with_the_next(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    graphs = old.computations.graphs(0)["count"]
    del old.computations.owned
    for row in old.computations._rows.values():
        del row.recent
    assert take_over(new, old) == []
    assert graphs > 0
    assert new.computations.graphs(0)["count"] == 0
    version = new.computations.owned.note(26, [0], [], 0)
    assert new.computations.owned.read(0, version)[0] == [[26, 0, 1]]


def test_attempts_of_one_that_counted_fewer_kinds_are_counted_on(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    old.attempts._rows[0], old.attempts._versions[0] = [2, 0, 1], 1
    assert take_over(new, old) == []
    assert rows(new.attempts.read(0)[0]["c"]) == [{"id": 0, "retried": 2, "rescheduled": 0, "lost": 1, "erred": 0}]


def test_tasks_that_did_not_run_are_none_of_those_that_failed(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    # An older one did not.
    del old.errors._again
    old.errors.erring.clear()
    old.errors.erring.update(root=0, blocked=0, forgotten=0)
    old.computations.claims.owners.update(root=~0, blocked=~0)
    root, blocked = SimpleNamespace(), SimpleNamespace()
    root.exception_blame = blocked.exception_blame = root
    old.scheduler = SimpleNamespace(tasks={"root": root, "blocked": blocked})  # type: ignore[assignment]
    take_over(new, old)
    assert new.errors.erring == {"root": 0, "blocked": ~0, "forgotten": 0}
    owners = new.computations.claims.owners
    assert (owners["root"], owners["blocked"]) == (~0, ~HALTED_OWNER)


def test_nothing_is_moved_from_another_layout_or_without_names(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    feed, end = new.feed, new.history.end
    old.layout = takeover.LAYOUT + 1
    assert take_over(new, old) == list(ALL)
    old.layout = takeover.LAYOUT
    del old.names._delays
    assert take_over(new, old) == list(ALL)
    assert (new.feed, new.epoch, new.history.end, new.names.prefixes) == (feed, 0, end, [])
    # One from before there were layouts.
    plain = SimpleNamespace(names=SimpleNamespace())
    assert take_over(new, plain) == list(ALL)


def test_a_part_that_is_another_starts_over_and_the_rest_goes_on(
    old_of: Callable[[], Collector], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = old_of(), Collector()
    del old.events._ring
    old.series = SimpleNamespace(**{name: getattr(old.series, name) for name in CARRIED["series"]})
    restarted: list[int] = []
    monkeypatch.setattr(new.executed, "restart", lambda: restarted.append(1))
    del old.graph._latest
    del old.computations
    started = new.started = -1.0
    assert take_over(new, old) == ["series", "events", "graph", "computations"]
    assert restarted == [1]
    assert new.history.end == old.history.end
    assert new.started == old.started != started
    assert new.events.end == 0


def test_without_the_history_it_has_begun_now(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    del old.history._typenames
    old.earlier, new.earlier, old.marked["x"] = 7, 3, "cancelled"
    started = new.started
    assert take_over(new, old) == ["history"]
    assert (new.earlier, new.started, new.marked, new.history.end) == (3, started, {}, 0)


def test_rows_of_another_form_are_not_moved(old_of: Callable[[], Collector]) -> None:
    class OtherChunk:
        __slots__ = (*Chunk.__slots__, "more")

    class OtherKeys:
        __slots__ = ("other",)

    old, new = old_of(), Collector()
    old.history._chunks.append(OtherChunk())
    assert take_over(new, old) == ["history"]
    old, new = old_of(), Collector()
    old.graph._keys.append(OtherKeys())
    assert take_over(new, old) == ["graph"]
    chunk = object.__new__(Chunk)
    chunk.keys = OtherKeys()
    old, new = old_of(), Collector()
    old.history._chunks.append(chunk)
    assert take_over(new, old) == ["history"]


def test_rows_of_the_same_form_have_the_code_of_the_new_one(old_of: Callable[[], Collector]) -> None:
    class SameChunk:
        __slots__ = Chunk.__slots__

    class SameKeys(KeyColumn):
        __slots__ = ()

    SameKeys.__slots__ = KeyColumn.__slots__
    old, new = old_of(), Collector()
    whole = next(iter(old.history._chunks), None) or Chunk.__new__(Chunk)
    copy = SameChunk()
    for name in Chunk.__slots__:
        if hasattr(whole, name):
            setattr(copy, name, getattr(whole, name))
    copy.keys = KeyColumn()
    old.history._chunks = type(old.history._chunks)([copy])
    assert take_over(new, old) == []
    assert [type(chunk) for chunk in new.history._chunks] == [Chunk]


def test_groups_of_an_older_form_are_held_again(old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    held: list[Any] = []
    group = object()
    names = LATER["groups"]
    old.groups = SimpleNamespace(
        **{name: getattr(old.groups, name) for name in names if name != "_kept"}, held={1: group}, dropped=0
    )
    new.groups.hold = held.append  # type: ignore[method-assign]
    assert take_over(new, old) == []
    assert held == [group]
    old, new = old_of(), Collector()
    new.groups.hold = held.append  # type: ignore[method-assign]
    take_over(new, old)
    assert held == [group]


def test_work_on_the_graph_is_finished_first_for_some_time(old_of: Callable[[], Collector]) -> None:
    class Busy:
        def __init__(self, graph: Any, left: int) -> None:
            self.__dict__.update(graph.__dict__)
            self.left = left

        @property
        def busy(self) -> bool:
            return self.left > 0

        def step(self) -> None:
            self.left -= 1

    for left, rest in ((3, 0), (30, 10)):
        old, new = old_of(), Collector()
        old.graph = Busy(old.graph, left)  # type: ignore[assignment]
        take_over(new, old)
        assert old.graph.left == rest  # type: ignore[attr-defined]


def test_versions_are_compared_where_there_are_any() -> None:
    assert version_of(SimpleNamespace(version=(1, 2))) == (1, 2)
    assert version_of(SimpleNamespace(version=[1, 2])) == (1, 2)
    assert version_of(SimpleNamespace(version="1.2")) == version_of(SimpleNamespace()) == ()


# -- who owns a task ------------------------------------------------------------------------------------------------


class RecordedClaims:
    """Claims on tasks with these states, and what they report."""

    def __init__(self, **states: str) -> None:
        self.tasks: dict[Any, Any] = {
            key: SimpleNamespace(state=state, prefix=SimpleNamespace(name=f"f-{key}")) for key, state in states.items()
        }
        self.noted: list[Any] = []
        note = self.noted.append
        self.claims = Claims(
            lambda number, functions, more, again, _: note(("claimed", number, functions, more, again)),
            lambda number, function: note(("dropped", number, function)),
            lambda: note("settle"),
            lambda error: note(("failed", str(error))),
        )
        self.claims.begin(self.tasks)

    def news(self) -> list[Any]:
        news, self.noted[:] = list(self.noted), []
        return news


def test_a_task_belongs_to_the_first_that_asked_for_it() -> None:
    stand = RecordedClaims(a="waiting", b="processing", c="memory", d="erred")
    stand.claims.submit(1, ["a", "c", "d", "e"])
    assert (stand.claims.owners, stand.news()) == ({"a": 1}, [("claimed", 1, ["f-a"], 0, [])])
    stand.claims.submit(2, ["a", "b"])
    assert (stand.claims.owners, stand.news()) == ({"a": 1, "b": 2}, [("claimed", 2, ["f-b"], 0, [])])
    assert stand.claims.busy is False
    assert list(stand.claims.queue) == []


def test_more_tasks_than_are_followed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "LIMIT", 3)
    stand = RecordedClaims(**dict.fromkeys("abcde", "waiting"))
    stand.claims.submit(1, ["a", "b"])
    stand.claims.submit(2, ["c", "d", "e"])
    assert stand.news() == [("claimed", 1, ["f-a", "f-b"], 0, []), ("claimed", 2, ["f-c"], 2, [])]
    stand.claims.submit(3, ["d"])
    # An earlier computation has asked for it, too, but it has had no result.
    assert (stand.news(), stand.claims.owners) == ([("claimed", 3, [], 1, [])], {"a": 1, "b": 1, "c": 2})


def test_a_key_that_comes_again_had_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "KNOWN", 2)
    stand = RecordedClaims(**dict.fromkeys("abcdefg", "waiting"))

    def again(*keys: str) -> list[str]:
        stand.claims.owners.clear()
        stand.claims.submit(1, list(keys))
        stand.claims.results.extend(keys)
        return stand.news()[0][4]

    assert (again("a", "b"), again("a"), again("c")) == ([], ["f-a"], [])
    # Three are more than are remembered in one part; they are the older part now.
    assert again("a", "d") == ["f-a"]
    assert again("e", "f", "g") == []
    # Now that there are again more, they are dropped.
    assert again("b") == ["f-b"]
    assert again("c") == []
    assert again("d") == ["f-d"]


def test_large_graphs_are_claimed_in_slices_and_forgotten_keys_wait_behind_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 2)
    monkeypatch.setattr(claims_module, "SLICE", 2)

    async def body() -> None:
        stand = RecordedClaims(**dict.fromkeys("abcdefg", "waiting"))
        claims = stand.claims
        claims.submit(1, ["a", "b"])
        assert (stand.news(), claims.busy) == ([("claimed", 1, ["f-a", "f-b"], 0, [])], False)
        claims.submit(2, ["c", "d", "e"])
        # One that is small waits behind a large one.
        claims.submit(3, ["f"])
        claims.forget("c")
        claims.forget("a")
        claims.submit(4, ["g"])
        claims.forget("g")
        assert (stand.news(), claims.busy, claims.unclaimed()) == ([], True, [])
        assert [number for number, _ in claims.queue] == [2, 3, None, 4, None]
        # Executed before they are claimed: one of them is.
        claims.execute("e")
        stand.tasks["e"].state = "memory"
        await asyncio.sleep(0)
        assert stand.news() == [("claimed", 2, ["f-c", "f-d"], 0, [])]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert stand.news() == [("claimed", 2, ["f-e"], 0, []), ("claimed", 3, ["f-f"], 0, [])]
        await asyncio.sleep(0)
        assert stand.news() == ["settle", ("dropped", 2, "c"), ("dropped", 1, "a")]
        await asyncio.sleep(0)
        assert (claims.busy, stand.news()) == (True, [("claimed", 4, ["f-g"], 0, [])])
        await asyncio.sleep(0)
        assert stand.news() == ["settle", ("dropped", 4, "g"), "settle"]
        assert (claims.busy, claims._early, claims.owners) == (False, set(), {"b": 1, "d": 2, "e": 2, "f": 3})
        await asyncio.sleep(0)
        assert stand.news() == []
        # Of those that ran, nothing is dropped, nor of those that nobody owned.
        claims.owners["b"] = ~1
        claims.submit(5, ["x", "y", "z"])
        claims.owners["d"] = ~2
        claims.forget("b")
        claims.forget("d", failed=True)
        claims.forget("unknown")
        for _ in range(4):
            await asyncio.sleep(0)
        assert [each for each in stand.news() if each[0] == "dropped"] == []
        assert "b" not in claims.owners
        # The other one failed.
        assert list(claims.results) == ["b"]

    asyncio.run(body())


def test_a_graph_that_cannot_be_claimed_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 0)

    async def body() -> None:
        stand = RecordedClaims(a="waiting")
        claims = stand.claims
        del stand.tasks["a"].prefix
        claims.submit(1, ["a"])
        claims.execute("a")
        await asyncio.sleep(0)
        ((kind, reason),) = stand.news()
        assert (kind, "prefix" in reason, claims.busy, claims._early, list(claims.queue)) == (
            "failed",
            True,
            False,
            set(),
            [],
        )
        await asyncio.sleep(0)
        stand.tasks["a"].prefix = SimpleNamespace(name="f")
        claims.owners.clear()
        claims.submit(2, ["a"])
        await asyncio.sleep(0)
        assert stand.news()[0][:3] == ("claimed", 2, ["f"])

    asyncio.run(body())


def test_claims_that_are_stopped_or_cleared_claim_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 0)

    async def body() -> None:
        stand = RecordedClaims(a="waiting", b="waiting")
        claims = stand.claims
        owners, queue = claims.owners, claims.queue
        claims.submit(1, ["a"])
        claims.execute("b")
        claims.keep([("b", 1, 2, False, 0)])
        claims.stop()
        await asyncio.sleep(0)
        assert (stand.news(), len(queue)) == ([], 1)
        # Another one goes on with it.
        other = RecordedClaims(a="waiting", b="waiting")
        other.claims.take(claims)
        assert (other.claims.owners is owners, other.claims.queue is queue, other.claims.busy) == (True, True, True)
        other.claims.begin(other.tasks)
        await asyncio.sleep(0)
        assert other.news()[0] == ("claimed", 1, ["f-a"], 0, [])
        claims.submit(2, ["b"])
        claims.clear()
        await asyncio.sleep(0)
        assert (stand.news(), claims.owners, claims.busy, claims._early, claims._late) == ([], {}, False, set(), [])
        assert (claims.owners is owners, claims.queue is queue, list(queue)) == (True, True, [])

    asyncio.run(body())


def test_executions_find_their_owner_also_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 1)
    monkeypatch.setattr(claims_module, "LATE", 2)
    monkeypatch.setattr(claims_module, "EARLY", 2)

    async def body() -> None:
        stand = RecordedClaims(**dict.fromkeys("abcdef", "waiting"))
        claims = stand.claims
        claims.submit(1, ["a"])
        found = claims.resolved(["a", "x"], [None, None])
        assert (found, claims.owners) == (([1, None], []), {"a": ~1})
        # Known already: left alone. One that was executed before has its mark.
        assert claims.resolved(["a", "b"], [7, None]) == ([7, None], [])
        assert claims.resolved(["a"], [None]) == ([~1], [])
        claims.submit(2, ["b", "c", "d"])
        assert claims.resolved(["b", "c", "d"], [None] * 3) == ([None] * 3, [0, 1, 2])
        claims.keep((key, f"r{i}", i, i == 2, i) for i, key in enumerate("bcd", 1))
        # Not more than are kept.
        late = [("b", "r1", 1, False, 1), ("c", "r2", 2, True, 2)]
        assert claims._late == late
        assert list(claims.settled()) == []
        assert len(claims._late) == 2
        for key in "bcd":
            claims.execute(key)
        assert claims._early == {"b", "c"}
        await asyncio.sleep(0)
        assert list(claims.settled()) == [(2, execution) for execution in late]
        assert (claims._late, claims.owners["b"], claims.owners["d"]) == ([], ~2, 2)

    asyncio.run(body())


def test_tasks_of_a_large_graph_that_were_halted_before_they_are_claimed_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 1)

    async def body() -> None:
        stand = RecordedClaims(a="released", b="waiting")
        for key, ts in stand.tasks.items():
            ts.key, ts.group = key, "g"
        halted, marked = Halted(), {"a": "cancelled"}
        halted.follow(stand.claims, marked)
        stand.claims.submit(1, ["a", "b"])
        halted.add(stand.tasks["a"])
        assert (stand.claims.owners, stand.news()) == ({}, [])
        await asyncio.sleep(0)
        assert stand.claims.owners == {"a": 1 + HALTED_OWNER, "b": 1}
        assert stand.news() == [("claimed", 1, ["f-a", "f-b"], 0, []), ("dropped", 1, "f-a"), "settle"]
        # It is forgotten, which drops nothing more: see Computations.
        stand.claims.submit(2, ["b", "c"])
        stand.claims.forget("a", True)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [each for each in stand.news() if each[0] == "dropped"] == [("dropped", 1 + HALTED_OWNER, "a")]

    asyncio.run(body())


def test_tasks_in_progress_without_an_owner_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    stand = RecordedClaims(a="waiting", b="memory", c="processing", d="released", e="waiting")
    stand.claims.submit(1, ["a"])
    assert stand.claims.unclaimed() == ["c", "e"]
    monkeypatch.setattr(claims_module, "EARLIER", 4)
    assert stand.claims.unclaimed() == ["c"]


def test_shares_of_functions_change_with_their_tasks() -> None:
    shares = Shares({"f": 3, "g": 4, "h": 3})
    shares.claim(1, ["f", "g", "f", "h"], ["g", "x"], 5)
    f, g = shares.of(1, "f", 6), shares.of(1, "g", 5)
    assert f is not None
    assert g is not None
    # Names with one entry have one share.
    assert shares.of(1, "h", 6) is f
    assert (f.tasks, f.left, f.version, g.tasks, g.left, g.again, g.version) == (3, 3, 6, 1, 1, 1, 5)
    assert (shares.of(1, "x", 9), shares.of(2, "f", 9)) == (None, None)
    shares.drop(1, "f", False, 7)
    shares.drop(1, "f", True, 8)
    shares.drop(1, "x", True, 8)
    assert (f.left, f.failed, f.dropped, f.version) == (1, 1, 1, 8)
    shares.drop_all(1, 9)
    shares.drop_all(2, 9)
    assert [(s.left, s.dropped, s.version) for s in (f, g)] == [(0, 2, 9), (0, 1, 9)]
    shares.drop_all(1, 10)
    assert (f.dropped, f.version) == (2, 9)
    other = Shares({"f": 3, "g": 4, "h": 3})
    other.take(shares)
    taken = other.of(1, "f", 11)
    assert taken is not None
    assert (taken is f, taken.tasks, taken.dropped, taken.failed) == (False, 3, 2, 1)
    assert (other.of(1, "h", 11) is taken, other._count, shares._count) == (True, 3, 3)
    other.forget(1)
    other.forget(1)
    assert (other._count, other.of(1, "f", 12)) == (0, None)


@pytest.mark.parametrize("part", ["workers", "groups", "attempts"])
def test_rows_that_had_one_version_together_are_read_one_after_the_other(part: str) -> None:
    old, new = Collector(version=(1, 2)), Collector(version=(1, 3))
    source, target = getattr(old, part), getattr(new, part)
    source._versions, source.version = dict.fromkeys(range(5), 2), 2
    take_over(new, old)
    assert list(target._versions) == list(range(5))
    assert sorted(set(target._versions.values())) == list(target._versions.values())
    # A reader at the newest version lacks nothing, and the next change is newer.
    assert target.version == max(target._versions.values())
    later = Collector(version=(1, 3))
    source._versions, source.version = {3: 70, 1: 90}, 100
    take_over(later, old)
    assert getattr(later, part).version == 100


async def test_functions_and_measurements_are_those_of_the_older_one() -> None:
    names = ("since", "until", "done_before", "memory_before", "recent", "recent_since", "memory", "order")
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        old = Collector(version=(1, 2))
        await scheduler.register_scheduler_plugin(old, name=old.name, idempotent=True)

        async def row(collector: Collector) -> dict[str, float]:
            await collector.upkeep.settle(10)
            values = collector.prefixes._rows[collector.names.prefix_ids["inc"]]
            return {name: values[PLACES[name]] for name in names}

        async with Worker(scheduler.address, nthreads=1), Client(scheduler.address, asynchronous=True) as client:
            first = client.map(inc, range(5))
            await client.gather(first)
            assert (await row(old))["done_before"] == 0
            old.prefixes.episodes._episodes["inc"].until -= 3600
            second = client.map(inc, range(5, 9))
            await client.gather(second)
            before = await row(old)
            assert (before["done_before"], before["memory"]) == (5, 9)
            worker = old.names.worker_at(next(iter(scheduler.workers)))
            old.hardware._rows, old.hardware._facts = [(worker, 0, 0, 1e6, 2e6)], {"state": "running", "failed": 0}
            new = Collector(version=(1, 3))
            await new.start(scheduler)
            scheduler.add_plugin(new, name=new.name)
            assert await row(new) == before
            body, _ = new.hardware.read(0)
            # It has ended with the older collector.
            assert (rows(body["c"])[0]["rate"], body["s"]["state"]) == (2e6, "failed")
        await new.close()


@pytest.mark.parametrize("missing", ["_episodes", "_resting", "_recent"])
def test_without_episodes_all_else_is_taken_over(missing: str, old_of: Callable[[], Collector]) -> None:
    old, new = old_of(), Collector()
    delattr(old.prefixes.episodes, missing)
    assert take_over(new, old) == []
    assert new.prefixes.episodes._episodes == {}


async def test_a_newer_one_replaces_an_older_one_and_no_other() -> None:
    async with Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler:
        old = Collector(version=(1, 2))
        await scheduler.register_scheduler_plugin(old, name=old.name, idempotent=True)
        async with Worker(scheduler.address, nthreads=1), Client(scheduler.address, asynchronous=True) as client:
            await client.gather(client.map(inc, range(5)))
            with pytest.raises(RuntimeError, match="newer collector"):
                await Collector(version=(1, 1)).start(scheduler)
            new = Collector(version=(1, 3))
            await new.start(scheduler)
            scheduler.add_plugin(new, name=new.name)
            assert (old.closed, new.feed, new.epoch) == (True, old.feed, old.epoch + 1)
            assert (new.history.end, new.earlier, new.meta.not_carried) == (5, old.earlier, "")
            assert new.names.prefixes == ["inc"]
            await client.gather(client.map(inc, range(5, 9)))
            new.drain()
            assert new.history.end == 9
        await new.close()
