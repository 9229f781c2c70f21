"""Values of single workers over time: their bound, and how they get fewer in slices."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Scheduler, Worker

from dask_panes.scheduler.collector import worker_series
from dask_panes.scheduler.collector.measures import WORKER_MEASURES
from dask_panes.scheduler.collector.plugin import Collector
from dask_panes.scheduler.collector.takeover import take_over
from dask_panes.scheduler.collector.worker_series import WorkerSeries
from test_series import row, values


def add_sample(series: WorkerSeries, second: float, rows: dict[int, tuple[float, ...]]) -> None:
    """A sample: the measures by worker."""
    series.add(second, [*rows], [list(column) for column in zip(*rows.values())])


def add(series: WorkerSeries, second: float, rows: dict[int, tuple[float, ...]]) -> None:
    """A sample, and all slices of what follows it."""
    add_sample(series, second, rows)
    for _ in series.tidy():
        pass


def test_values_of_single_workers_stay_within_the_bound() -> None:
    series = WorkerSeries(limit=500 * len(WORKER_MEASURES))
    for i in range(3_000):
        # The second worker joins late and leaves early.
        rows = {0: row(float(i))} | ({1: row(float(-i))} if 500 <= i < 1500 else {})
        add(series, float(i), rows)
        assert series._values <= 501 * len(WORKER_MEASURES)
    assert series.step > 1
    first = {name: values(column) for name, column in series.read(0).items()}
    assert len(first["time"]) == len(first["cpu"]) > 100
    # What is kept is what was sampled then, only thinner.
    assert first["cpu"] == first["time"]
    second = {name: values(column) for name, column in series.read(1).items()}
    assert second["cpu"] == [-t for t in second["time"]]
    assert 499 <= second["time"][0] <= 520
    assert series.read(7) == {}
    newer = {name: values(column) for name, column in series.read(0, after=2_900.0).items()}
    assert newer == {name: [v for v, t in zip(column, first["time"]) if t > 2_900] for name, column in first.items()}
    assert values(series.read(1, after=2_900.0)["time"]) == []


@pytest.mark.parametrize("start", [0, 1, 2, 3])
def test_thinning_keeps_columns_on_the_common_axis(start: int) -> None:
    series = WorkerSeries(limit=80)
    for i in range(64):
        add(series, float(i), {0: row(float(i))} | ({1: row(float(i))} if i >= start else {}))
    for worker in (0, 1):
        found = series.read(worker)
        assert values(found["cpu"]) == values(found["time"])


def test_values_of_workers_that_left_go_before_those_of_others_get_coarser(monkeypatch: pytest.MonkeyPatch) -> None:
    series = WorkerSeries(limit=4000)
    for second in range(400):
        # One stays; another one comes every second.
        add(series, float(second), {0: row(1.0), 1 + second: row(2.0)})
    assert series.step == 1
    assert series._values <= 4000
    assert len(values(series.read(0)["time"])) == 400
    assert series.read(1) == {}
    assert values(series.read(400)["cpu"]) == [2.0]
    monkeypatch.setattr("dask_panes.scheduler.collector.worker_series.MOST_LEFT", 20)
    add(series, 400.0, {0: row(1.0)})
    assert len(series._workers) <= 21


class Column(array):  # type: ignore[type-arg]
    """A column that counts the values that are looked through."""

    seen = 0

    def __getitem__(self, index: Any) -> Any:
        Column.seen += len(self) if isinstance(index, slice) else 1
        return super().__getitem__(index)


@pytest.mark.parametrize(("workers", "points"), [(1, 20_000), (300, 500), (5_000, 20)])
def test_thinning_goes_in_slices_and_readers_see_all_until_its_end(
    workers: int, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = workers * points * len(WORKER_MEASURES)
    series = WorkerSeries(limit=total - 1)
    series._times = array("d", range(points))
    columns = array("f", range(points))
    series._workers = {i: (0, tuple(Column("f", columns) for _ in WORKER_MEASURES)) for i in range(workers)}
    series._values = total
    monkeypatch.setattr(worker_series, "SLICE", total // 20)
    monkeypatch.setattr(worker_series, "COLUMN", 10)
    before, seen, thinned, freed = series.read(0), Column.seen, 0, 0
    for _ in series.thin():
        if series.step == 1:
            assert series.read(0) == before
            # A column more at most; those of this reading are not of the slice.
            assert Column.seen - seen <= total // 20 + 2 * points + len(WORKER_MEASURES) * points
            seen, thinned = Column.seen, thinned + 1
        else:
            freed += 1
    assert thinned >= len(WORKER_MEASURES)
    # What is no longer needed is freed in slices, too.
    assert freed == -(-workers // worker_series.FREED)
    assert series.step == 2
    assert series._values == workers * ((points + 1) // 2) * len(WORKER_MEASURES)
    assert values(series.read(workers - 1)["cpu"]) == list(range(0, points, 2))
    # There is nothing to do then.
    assert list(series.thin()) == []


def test_a_sample_that_comes_while_it_is_thinned_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_series, "SLICE", 1)
    series = WorkerSeries(limit=5 * len(WORKER_MEASURES))
    for i in range(6):
        add_sample(series, float(i), {0: row(float(i))})
    thinning = series.thin()
    next(thinning)
    add_sample(series, 6.0, {0: row(6.0)})
    assert list(thinning) == []
    assert (series.step, values(series.read(0)["time"])) == (1, [0, 1, 2, 3, 4, 5, 6])
    add(series, 7.0, {0: row(7.0)})
    assert (series.step, values(series.read(0)["cpu"])) == (2, [0, 2, 4, 6])


@pytest.mark.parametrize("slices", [False, True])
def test_newest_samples_are_read_before_and_after_they_are_in_the_columns(
    slices: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_series, "DIVIDED_WORKERS", 2)
    series, joined, left, draw = WorkerSeries(), {0: 0}, dict[int, int](), random.Random(3)
    tidying: Iterator[None] = iter(())
    for i in range(400):
        # Three of four samples are of the same workers as the one before.
        if draw.random() < 0.1 and len(joined) - len(left) > 1:
            left[draw.choice([found for found in joined if found not in left])] = i
        elif draw.random() < 0.15:
            joined[len(joined)] = i
        add_sample(series, float(i), {found: row(i + found / 8) for found in joined if found not in left})
        if slices and i % 7:
            # Another sample comes while one is under way.
            next(tidying, None)
        else:
            tidying = series.tidy()
        for found in draw.sample([*joined], min(3, len(joined))):
            columns = {name: values(column) for name, column in series.read(found).items()}
            assert columns["time"] == [float(j) for j in range(joined[found], left.get(found, i + 1))]
            assert columns["cpu"] == [j + found / 8 for j in columns["time"]]
            after = draw.randrange(-1, i + 1)
            newer = {name: values(column) for name, column in series.read(found, after=float(after)).items()}
            assert newer == {
                name: [v for v, t in zip(column, columns["time"]) if t > after] for name, column in columns.items()
            }
    assert len(left) > 5
    assert series._values == sum(left.get(found, 400) - at for found, at in joined.items()) * len(WORKER_MEASURES)


def test_samples_are_divided_by_worker_in_slices_and_not_each_time() -> None:
    series, pauses = WorkerSeries(), list[int]()
    rows = {found: row(1.0) for found in range(1_000)}
    for i in range(3 * worker_series.DIVIDED):
        add_sample(series, float(i), rows)
        pauses.append(len([*series.tidy()]))
    assert [i + 1 for i, count in enumerate(pauses) if count] == [worker_series.DIVIDED * k for k in (1, 2, 3)]
    assert max(pauses) == 1_000 // worker_series.DIVIDED_WORKERS
    # Other workers: what is there is divided before, in slices, too.
    add_sample(series, 90.0, rows)
    assert len([*series.prepare([*rows])]) == 0
    assert len([*series.prepare([*rows, 1_000])]) == 1_000 // worker_series.DIVIDED_WORKERS
    assert len(series._workers[999][1][0]) == 91


def test_a_newer_collector_takes_over_what_is_not_in_the_columns_yet() -> None:
    old, new = Collector(), Collector()
    for i in range(3):
        add_sample(old.worker_series, float(i), {0: row(float(i)), 1: row(9.0)})
    assert "worker_series" not in take_over(new, old)
    add_sample(new.worker_series, 3.0, {0: row(3.0)})
    assert values(new.worker_series.read(0)["cpu"]) == [0, 1, 2, 3]
    assert values(new.worker_series.read(1)["time"]) == [0, 1, 2]


async def test_the_values_of_workers_are_thinned_as_they_are_sampled() -> None:
    async with (
        Scheduler(dashboard=False, host="127.0.0.1", port=0) as scheduler,
        Worker(scheduler.address, dashboard=False),
    ):
        collector = Collector()
        await collector.start(scheduler)
        collector.worker_series._limit = limit = 10 * len(WORKER_MEASURES)
        for second in range(100):
            for _ in collector.upkeep.sampling.sample(scheduler, float(second), False):
                pass
            assert collector.worker_series._values <= limit
        assert collector.worker_series.step == 16
        assert values(collector.worker_series.read(0)["time"])[:3] == [0, 16, 32]
        await collector.close()
