"""Episodes of functions: counts of progress begin again with each run, on real clusters."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Client, Event, LocalCluster, as_completed, wait

from dask_panes.kernel.session.mirror import mirror_prefix
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import episodes as episodes_module
from dask_panes.scheduler.collector import prefix_pieces, prefix_rows, prefixes
from dask_panes.scheduler.collector.episodes import SLICE, Episode, Episodes, RecentEnds
from dask_panes.scheduler.collector.names import ALIKE, Names
from dask_panes.scheduler.collector.plugin import PLUGIN_NAME
from reader import Reader
from restart import restart, restartable


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def real_time(cluster: LocalCluster) -> Iterator[Client]:
    """A client with the real lengths of gaps."""
    with Client(cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")


@pytest.fixture
def client(real_time: Client) -> Iterator[Client]:
    with gap_of(real_time, 60):
        yield real_time


def inc(x: int) -> int:
    return x + 1


def held(gate: str) -> int:
    Event(gate).wait()
    return 1


class Counts:
    """What progress says of one function."""

    def __init__(self, row: dict[str, float]) -> None:
        get = {name: int(value) for name, value in row.items() if value == value}
        self.done = get["released"] + get["forgotten"] + get["memory"] - get["done_before"]
        self.erred = get["erred"] + get["forgotten_erred"] - get["erred_before"]
        self.memory = get["memory"] - get["memory_before"]
        self.all_memory = get["memory"]
        self.active = get["waiting"] + get["queued"] + get["no_worker"] + get["processing"]
        self.all_done = self.done + get["done_before"]
        self.since, self.until = row["since"], row["until"]
        self.order, self.recent = get["order"], get["recent"]


def counts(client: Client, name: str) -> Counts | None:
    """Of a reader that comes now, as a late pane or a second tab; None before the function's first counts."""
    reader = Reader(client)
    reader.read(["prefixes"])
    if name not in reader.names["prefixes"]:
        return None
    # A name is sent as soon as anything uses it, counts once the next walk has reached the function.
    row = reader.rows["prefixes"].get(reader.names["prefixes"].index(name))
    return None if row is None else Counts(row)


def until(client: Client, name: str, true: Callable[[Counts], bool]) -> Counts:
    """Read until something is so."""
    deadline = time.monotonic() + 180
    while True:
        found = counts(client, name)
        if found is not None and true(found):
            return found
        assert time.monotonic() < deadline, found and vars(found)
        time.sleep(0.05)


@contextmanager
def gap_of(client: Client, seconds: float) -> Iterator[None]:
    """Another length of the gap that ends a run: tests must not depend on how fast a machine is."""

    def change(seconds: float, dask_scheduler: Any) -> float:
        import sys

        episodes = dask_scheduler.plugins[PLUGIN_NAME].prefixes.episodes
        module: Any = sys.modules[type(episodes).__module__]
        before, module.GAP = module.GAP, seconds
        # Submissions without a cell are one computation, unless `pause` divides them.
        computations: Any = sys.modules[module.__name__.replace(".episodes", ".computations")]
        computations.APART = 3600.0 if seconds > 2 else 1.0
        return float(before)

    before = client.run_on_scheduler(change, seconds)
    try:
        yield
    finally:
        client.run_on_scheduler(change, before)


def pause(client: Client, name: str) -> None:
    """Let the function have been inactive for longer than a gap, and the client without a submission."""
    rest_long(client, name)
    apart(client)


def apart(client: Client) -> None:
    """What is submitted next is another computation."""

    def change(dask_scheduler: Any) -> None:
        for row in dask_scheduler.plugins[PLUGIN_NAME].computations._rows.values():
            row.last, row.stop = row.last - 7200, row.stop - 7200

    client.run_on_scheduler(change)


def rest_long(client: Client, name: str) -> None:
    """Let the function have been inactive for longer than a gap."""
    until(client, name, lambda c: c.until > 0)

    def rested(dask_scheduler: Any) -> None:
        from distributed.metrics import time

        collector = dask_scheduler.plugins[PLUGIN_NAME]
        episodes = collector.prefixes.episodes
        # Everything that has ended is noted first.
        collector.drain()
        while episodes.touched:
            episodes.settle(time())
        assert episodes._episodes[name].until > 0
        episodes._episodes[name].until -= 3600

    client.run_on_scheduler(rested)


def test_every_run_begins_at_zero(client: Client) -> None:
    for _ in range(9):
        wait(client.map(inc, range(100), pure=False))
    first = until(client, "inc", lambda c: c.until > 0)
    # Rounds that follow each other at once are one run.
    assert (first.done, first.all_done) == (900, 900)
    pause(client, "inc")
    gate = client.submit(held, "begins")
    last = client.map(inc, [gate] * 60, pure=False)
    begun = until(client, "inc", lambda c: c.active == 60)
    assert (begun.done, begun.memory, begun.recent, begun.all_done) == (0, 0, 0, 900)
    assert begun.since > first.until
    Event("begins").set()
    wait(last)
    ended = until(client, "inc", lambda c: c.until > 0)
    assert (ended.done, ended.memory, ended.recent, ended.all_done) == (60, 60, 60, 960)


def test_another_computation_begins_at_zero_without_a_pause(client: Client) -> None:
    def begin() -> Any:
        return client.map(inc, range(20), key="first")

    def again(count: int) -> Any:
        return client.map(inc, range(count), key=[(f"first-{count}", i) for i in range(count)])

    with dask.config.set({"distributed.diagnostics.computations.nframes": 1}):
        first = begin()
        wait(first)
        until(client, "first", lambda c: c.until > 0)
        # Results of the first are still there.
        second = again(5)
        wait(second)
        figures = until(client, "first", lambda c: c.until > 0 and c.all_done == 25)
        assert (figures.done, figures.memory, figures.active) == (5, 5, 0)
        # Tasks of the same computation go on, however long the pause is.
        rest_long(client, "first")
        wait(again(3))
    assert until(client, "first", lambda c: c.all_done == 28).done == 8


def computations(client: Client) -> int:
    """Number of computations since the client is observed, as a reader that comes now knows it."""
    reader = Reader(client)
    reader.arrive(["computations"])
    return len(reader.rows["computations"])


@pytest.mark.parametrize("seconds", [0.0, 1.3], ids=["short", "longer than the time between computations"])
def test_a_loop_over_results_is_one_run(real_time: Client, seconds: float) -> None:
    def looped(x: int) -> int:
        time.sleep(seconds)
        return x

    name = f"looped{seconds:.0f}"
    looped.__name__ = name
    since = set()
    for i in range(4):
        assert real_time.submit(looped, i, pure=False).result() == i
        # It is noticed that nothing is active.
        found = until(real_time, name, lambda c: c.until > 0)
        since.add(found.since)
    assert (len(since), found.done, computations(real_time)) == (1, 4, 1)


@pytest.mark.parametrize("seconds", [0.0, 1.3], ids=["short", "longer than the time between computations"])
def test_as_completed_that_adds_tasks_is_one_run(real_time: Client, seconds: float) -> None:
    def fed(x: int) -> int:
        time.sleep(seconds)
        return x

    name = f"fed{seconds:.0f}"
    fed.__name__ = name
    running = as_completed([real_time.submit(fed, i, pure=False) for i in range(3)])
    for i, future in enumerate(running):
        if i < 6:
            running.add(real_time.submit(fed, future.result() + 10, pure=False))
    found = until(real_time, name, lambda c: c.until > 0)
    assert (found.done, computations(real_time)) == (9, 1)


def test_work_of_another_function_is_another_computation_as_soon_as_a_moment_has_passed(real_time: Client) -> None:
    def first(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    def second(seconds: float) -> float:
        return seconds

    real_time.submit(first, 1.3).result()
    real_time.submit(second, 0).result()
    assert computations(real_time) == 2


def test_results_of_before_stay_out_of_the_new_run(client: Client) -> None:
    def kept(x: Any) -> Any:
        return x

    before = client.map(kept, range(20), pure=False)
    wait(before)
    pause(client, "kept")
    gate = client.submit(held, "kept")
    now = client.map(kept, [gate] * 5, pure=False)
    assert until(client, "kept", lambda c: c.active == 5).memory == 0
    Event("kept").set()
    wait(now)
    assert until(client, "kept", lambda c: c.until > 0).memory == 5
    # The old ones are let go: the new ones are still those in memory.
    del before
    found = until(client, "kept", lambda c: c.all_memory == 5)
    assert (found.memory, found.done, found.all_done) == (5, 5, 25)


def test_errors_of_before_are_not_of_the_new_run(client: Client) -> None:
    def shaky(x: int, gate: Any = None) -> int:
        if x < 0:
            raise ValueError(x)
        return x

    broken = client.map(shaky, [-1, -2, 3], pure=False)
    wait(broken)
    assert until(client, "shaky", lambda c: c.until > 0).erred == 2
    pause(client, "shaky")
    wait(client.map(shaky, range(4), pure=False))
    found = until(client, "shaky", lambda c: c.done == 4)
    assert found.erred == 0
    pause(client, "shaky")
    # Errors that are tried again are of the run that tries them, as is what they come to.
    for future in broken[:2]:
        future.retry()
    found = until(client, "shaky", lambda c: c.erred == 2)
    assert found.done == 0
    del broken
    assert until(client, "shaky", lambda c: c.erred == 2).done == 0


def test_cancelled_tasks_end_a_run(client: Client) -> None:
    def idle(x: Any) -> Any:
        return x

    gate = client.submit(held, "never")
    waiting = client.map(idle, [gate] * 9, pure=False)
    assert until(client, "idle", lambda c: c.active == 9).done == 0
    client.cancel(waiting)
    until(client, "idle", lambda c: c.until > 0 and c.active == 0)
    Event("never").set()
    pause(client, "idle")
    wait(client.map(idle, range(3), pure=False))
    found = until(client, "idle", lambda c: c.until > 0 and c.done > 0)
    assert (found.done, found.erred) == (3, 0)


def test_lost_results_are_computed_in_a_run_of_their_own() -> None:
    def costly(x: int) -> int:
        return x

    with restartable() as client:
        client.sync(ship.register, client)
        with gap_of(client, 60):
            values = client.map(costly, range(40), pure=False)
            wait(values)
            pause(client, "costly")
            places = client.who_has(values).values()
            address = next(iter(places))[0]
            count = sum(address in workers for workers in places)

            async def lose(dask_scheduler: Any) -> None:
                await dask_scheduler.remove_worker(address, stimulus_id="test")

            client.run_on_scheduler(lose)
            found = until(client, "costly", lambda c: c.until > 0 and c.all_done == 40 and c.done < 40)
            assert found.done == count


def test_functions_have_the_order_of_dask(client: Client) -> None:
    def first(x: int) -> int:
        return x

    def second(x: int) -> int:
        return x

    def third(*xs: int) -> int:
        return sum(xs)

    from dask import delayed

    total = delayed(third)(*[delayed(second)(delayed(first)(i)) for i in range(8)])
    assert client.compute(total).result() == 28
    found = [until(client, name, lambda c: c.until > 0) for name in ("first", "second", "third")]
    assert len({c.since for c in found}) == 1
    assert found[0].order < found[1].order < found[2].order


def test_a_restart_begins_with_nothing() -> None:
    with restartable() as client:
        client.sync(ship.register, client)
        wait(client.map(inc, range(10), pure=False))
        until(client, "inc", lambda c: c.done == 10)
        restart(client)
        wait(client.map(inc, range(3), pure=False))
        found = until(client, "inc", lambda c: c.until > 0)
        assert (found.done, found.all_done) == (3, 3)


def test_tasks_that_ended_are_counted_for_ten_seconds() -> None:
    recent = RecentEnds()

    def add(names: str, starts: list[float], now: float) -> None:
        recent.add(names, lambda: starts, Counter(names), now)

    for second in range(20):
        add("fffg"[: 3 + second % 2], [second - 0.5] * 4, float(second))
        recent.expire(float(second))
    assert (recent.of("f"), recent.of("g"), recent.of("h")) == ((30, -0.5), (5, 0.5), (0, 0.0))
    recent.forget("f")
    add("ff", [19.05, 19.02], 19.1)
    assert (recent.of("f"), recent.of("g")) == ((2, 19.02), (5, 0.5))
    recent.expire(40.0)
    assert (recent.of("f"), recent.of("g")) == ((0, 0.0), (0, 0.0))


def since_after(pause: float, computations: tuple[int | None, int | None] = (None, None)) -> list[float]:
    """When the episode of a function began: at first, and after tasks that arrive a pause after its last active one.

    The clock is that of the test; the times are exact in binary.
    """
    prefix = mirror_prefix("load")
    episodes = Episodes(lambda _: (prefix.states["memory"], 0), lambda _: None)
    episodes.begin({"load": prefix})
    task = SimpleNamespace(prefix=prefix, group=prefix, priority=None)
    arrived, begins = 1e9, []
    for computation in computations:
        if computation is not None:
            episodes.submitted(arrived, computation)
        prefix.states["waiting"] += 1
        episodes.arrive([task], arrived)
        episodes.settle(arrived)
        prefix.states["waiting"] -= 1
        prefix.states["memory"] += 1
        ended = arrived + 0.5
        episodes.ended([task], [[{"start": arrived}]], [], ended)
        episodes.settle(ended)
        begins.append(episodes.of(prefix, ended).since - 1e9)
        arrived = ended + pause
    return begins


@pytest.mark.parametrize("pause", [0.0, 1.0, 1.9])
def test_tasks_that_arrive_less_than_two_seconds_after_the_last_one_go_on_with_its_run(pause: float) -> None:
    assert since_after(pause) == [0, 0]


@pytest.mark.parametrize("pause", [2.0, 2.125, 60.0])
def test_tasks_that_arrive_two_seconds_after_the_last_one_begin_a_run(pause: float) -> None:
    assert since_after(pause) == [0, 0.5 + pause]


def test_where_computations_are_known_the_pause_does_not_matter() -> None:
    assert since_after(60.0, (1, 1)) == [0, 0]
    assert since_after(0.125, (1, 2)) == [0, 0.625]
    # Of one of them it is not known.
    assert since_after(1.9, (None, 2)) == since_after(1.9, (1, None)) == [0, 0]
    assert since_after(2.125, (None, 2)) == since_after(2.125, (1, None)) == [0, 2.625]


def test_many_functions_are_looked_at_in_slices() -> None:
    count = 10 * SLICE
    scheduler = SimpleNamespace(task_prefixes={f"load_{i}": mirror_prefix(f"load_{i}") for i in range(count)})
    episodes = Episodes(lambda _: (1, 0), lambda _: None)
    episodes.begin(scheduler.task_prefixes)
    tasks = [SimpleNamespace(prefix=prefix, group=prefix, priority=None) for prefix in scheduler.task_prefixes.values()]
    episodes.arrive(tasks, 1.0)
    sizes = [len(episodes.touched)]
    while episodes.touched:
        episodes.settle(2.0)
        sizes.append(len(episodes.touched))
    assert sizes == list(range(count, -1, -SLICE))


def test_functions_that_share_an_entry_have_one_run() -> None:
    names = [name for name, _ in prefix_rows.ROW_COLUMNS]

    def make(**values: float) -> tuple[float, ...]:
        return tuple(values.get(name, 0) for name in names)

    row = prefix_rows.together(
        [
            make(memory=5, erred=1, since=10.0, until=20.0, recent=5, recent_since=9.0),
            make(memory=4, done_before=1, since=100.0, until=101.0, order=7, recent=3, recent_since=99.0),
            make(processing=2, forgotten=6, done_before=6, since=102.0, order=9),
        ],
        begun=100.0,
    )
    figures = dict(zip(names, row, strict=True))
    assert figures == {
        **dict.fromkeys(names, 0),
        **{"memory": 9, "erred": 1, "processing": 2, "forgotten": 6, "since": 100.0, "until": 0, "order": 7},
        **{"done_before": 12, "erred_before": 1, "memory_before": 5, "recent": 3, "recent_since": 99.0},
    }


@pytest.mark.parametrize("seed", range(5))
def test_rows_of_functions_that_share_an_entry_are_combined_in_parts_of_any_size(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    known = {f"load_{i}": mirror_prefix(f"load_{i}") for i in range(rng.randint(1, 90))}
    for prefix in known.values():
        prefix.states.update({state: rng.randint(0, 5) for state in ("memory", "erred", "released", "waiting")})

    def look(piece: int) -> tuple[float, ...]:
        monkeypatch.setattr(prefixes, "PIECE", piece)
        monkeypatch.setattr(prefix_pieces, "PIECE", piece)
        names = Names()
        # All share the entry of the first.
        found = names.prefix_ids["load_0"]
        names.shared.add(found)
        names.prefix_ids.update(dict.fromkeys(known, found))
        topic = prefixes.Prefixes(names, lambda error: None)
        topic.episodes.begin(known)
        monkeypatch.setattr(prefixes, "time", lambda: 1000.0)
        for i, prefix in enumerate(known.values()):
            task = SimpleNamespace(prefix=prefix, group=prefix, priority=(0, i))
            topic.episodes.arrive([task], 10.0 if i % 3 else 100.0)
        for _ in topic._look(SimpleNamespace(task_prefixes=known)):
            pass
        return topic._rows[found]

    whole = look(1_000)
    assert [look(piece) for piece in (2, 3, 10)] == [whole] * 3, f"seed {seed}"


def test_episodes_of_many_functions_are_bounded_and_begin_again_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    limit, count, step = 1_000, 10_000, 500
    monkeypatch.setattr(episodes_module, "LIMIT", limit)
    names = Names()
    topic = prefixes.Prefixes(names, lambda error: None)
    episodes = topic.episodes
    known = {name: mirror_prefix(name) for name in ("inc", *(f"load_{i}" for i in range(count)))}
    episodes.begin(known)
    columns = [name for name, _ in prefix_rows.ROW_COLUMNS]
    ran: dict[str, Any] = {}

    def run(which: list[str], now: float, look: bool) -> dict[str, float]:
        tasks = [SimpleNamespace(prefix=known[name], group=known[name], priority=None) for name in which]
        ran.update((name, known[name]) for name in which)
        for name in which:
            known[name].states["waiting"] += 1
        episodes.arrive(tasks, now)
        for name in which:
            known[name].states.update({"waiting": -1, "memory": 1})
        episodes.ended(tasks, [[{"start": now}]] * len(tasks), [], now + 1)
        while episodes.touched:
            episodes.settle(now + 1)
        if not look:
            return {}
        for _ in topic._look(SimpleNamespace(task_prefixes=ran)):
            pass
        rows = {names.prefixes[found]: row for found, row in topic._rows.items()}
        return dict(zip(columns, rows["load_* (more)"], strict=True))

    loads = [name for name in known if name != "inc"]
    for i in range(0, count, step):
        figures = run(loads[i : i + step], 1e9 + 100 * i, look=i in (0, count - step))
        if figures:
            assert figures["memory"] - figures["done_before"] == (step - ALIKE if i == 0 else step)
            assert (figures["since"], figures["until"]) == (1e9 + 100 * i, 1e9 + 100 * i + 1)
        assert len(episodes._episodes) <= limit + step
    assert sum(map(len, episodes._resting.values())) <= limit + step
    # Functions that were dropped come again, a second and a third time.
    for again in (2e9, 3e9):
        figures = run([*loads[ALIKE : ALIKE + 300], "inc"], again, look=again == 3e9)
        assert not figures or (figures["memory"] - figures["done_before"], figures["since"]) == (300, again)
        assert len(episodes._episodes) <= limit + step


def test_a_run_that_was_noticed_by_its_work_begins_when_its_tasks_arrived() -> None:
    prefix = mirror_prefix("load")
    episodes = Episodes(lambda _: (prefix.states["memory"], 0), lambda _: None)
    episodes.begin({"load": prefix})
    task = SimpleNamespace(prefix=prefix, group=prefix, priority=(0, 1, 7))
    episodes.submitted(100.0, 3)
    prefix.states["processing"] += 2
    # A look came before the graph was walked.
    found = episodes.of(prefix, 110.0)
    assert (found.since, found.late, found.computation) == (110.0, True, None)
    # More tasks of an earlier graph may come later, and those of a later one belong to the same run.
    later = (120.0, 110.0, True)
    for arrived, since, late in (later, (110.0, 110.0, True), (100.0, 100.0, False), (90.0, 100.0, False)):
        episodes.arrive([task], arrived)
        assert (found.since, found.late) == (since, late)
    assert episodes.of(prefix, 130.0) is found
    assert (found.computation, found.order) == (3, 7)


def test_what_ended_again_is_taken_from_the_counts_of_before() -> None:
    prefix = mirror_prefix("load")
    found = Episode(0.0, False)
    found.rest(1.0, done=10, erred=6, held=0, recent=(0, 0.0))
    found.begin(2.0, True, prefix, None)
    assert (found.done, found.erred) == (10, 6)
    # Lost results and retried errors: they are counted once more, as results or as errors.
    found.execute(3, 1)
    found.execute(2, 1)
    found.trim(10, 6)
    assert (found.done, found.erred) == (5, 4)
    # Earlier counts do not grow, and are never below zero.
    found.trim(12, 9)
    assert (found.done, found.erred) == (5, 4)
    found.trim(1, 1)
    assert (found.done, found.erred) == (0, 0)
    # Of a run that began with its tasks, all executions are its own.
    found.rest(3.0, done=12, erred=8, held=0, recent=(0, 0.0))
    found.begin(4.0, False, prefix, None)
    found.execute(3, 2)
    found.trim(15, 10)
    assert (found.done, found.erred) == (12, 8)
