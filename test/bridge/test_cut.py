"""What of each topic belongs to a block, on frames written by hand."""

from __future__ import annotations

import random
from array import array
from math import isnan
from typing import Any

import pytest

from dask_panes.files.block.cut import Cut
from dask_panes.files.block.shares import Shares

LOST, RUNNING = 8, 2
NAN = float("nan")
#: States in which a task has ended, and in which it has not.
ENDED = ("released", "memory", "erred", "forgotten", "forgotten_erred", "cancelled")
OPEN = ("waiting", "queued", "no_worker", "processing")
SUMS = ("nbytes", "compute", "suspicious")


def table(*rows: dict[str, float], **scalars: Any) -> dict[str, Any]:
    names = list(rows[0])
    floats = ("start", "stop", "last", "rate", "value", "since", "time", "until", "nbytes", "compute", "duration")
    floats = (*floats, "duration_average", "begun")
    columns = {name: array("d" if name in floats else "I", [row[name] for row in rows]) for name in names}
    return {"c": columns, **({"s": scalars} if scalars else {})}


def rows(body: Any) -> list[dict[str, float]]:
    names = list(body["c"])
    return [dict(zip(names, values)) for values in zip(*body["c"].values())]


class Frames:
    """Sends bodies of one topic through a cut."""

    def __init__(self, topic: str, time: float = 100.0, **first: int) -> None:
        self.topic, self.epoch = topic, 1
        self.cut = Cut(first, time)

    def send(self, body: dict[str, Any]) -> Any:
        frame = {"epoch": self.epoch, "other": 7, "topics": {self.topic: body}}
        found = self.cut.frame(frame)
        assert found["other"] == 7
        return found["topics"].get(self.topic)

    def rows(self, *rows_: dict[str, float]) -> list[dict[str, float]]:
        return rows(self.send(table(*rows_)))

    def begin(self) -> None:
        self.cut.begun = True


def counts(id: int, **given: float) -> dict[str, float]:
    row: dict[str, float] = dict.fromkeys((*ENDED, *OPEN, *SUMS), 0)
    return {"id": id, **row, **given}


def test_the_recent_mean_of_a_function_is_that_of_its_tasks_in_the_block() -> None:
    frames = Frames("prefixes")
    before = counts(1, memory=4, compute=40.0)
    assert frames.rows({**before, "duration_average": 10.0}) == []
    frames.begin()
    # It takes a tenth of the time now, and Dask's average still knows how it was.
    now = counts(1, memory=5, released=1, compute=42.0)
    (row,) = frames.rows({**now, "duration_average": 3.25})
    assert (row["compute"], row["duration_average"]) == (2.0, 1.0)
    # Of one that is new, it is Dask's.
    (row,) = frames.rows({**counts(2, memory=2, compute=3.0), "duration_average": 1.25})
    assert row["duration_average"] == 1.25


def test_counts_are_those_since_the_begin_and_work_under_way_belongs_to_the_block() -> None:
    frames = Frames("prefixes")
    # At the start, what has ended is not part of it, what has not ended is.
    assert frames.rows(counts(1, memory=4, nbytes=10, compute=2.5), counts(2, released=1, processing=3)) == [
        counts(2, processing=3)
    ]
    frames.begin()
    assert frames.rows(counts(1, memory=6, released=1, nbytes=17, compute=3.0)) == [
        counts(1, memory=2, released=1, nbytes=7, compute=0.5)
    ]
    assert frames.rows(counts(2, released=4)) == [counts(2, released=3)]
    # Reported once, it is reported again, even with zeros.
    assert frames.rows(counts(2, released=1)) == [counts(2)]
    assert frames.rows(counts(3, waiting=1, nbytes=5)) == [counts(3, waiting=1, nbytes=5)]
    assert frames.rows(counts(4, nbytes=5)) == []


def test_a_result_from_before_that_is_released_is_not_new() -> None:
    frames = Frames("prefixes")
    frames.rows(counts(1, memory=5, erred=1))
    frames.begin()
    assert frames.rows(counts(1, memory=3, released=2, erred=1)) == []
    # Forgotten ones are taken first, then released ones.
    assert frames.rows(counts(1, memory=0, released=4, forgotten=3, erred=1)) == [counts(1, released=2)]
    assert frames.rows(counts(1, memory=0, forgotten=5, forgotten_erred=1)) == [counts(1)]
    assert frames.rows(counts(1, memory=1, forgotten=8, forgotten_erred=1)) == [counts(1, memory=1, forgotten=3)]


EPISODE = ("since", "done_before", "erred_before", "memory_before")


def episode(id: int, since: float, done: int = 0, erred: int = 0, memory: int = 0, **given: float) -> dict[str, float]:
    """Counts with what was before the newest run of the function."""
    return counts(id, **given, **dict(zip(EPISODE, (since, done, erred, memory))))


def ended(row: dict[str, float]) -> dict[str, float]:
    """The counts of a row that are not zero."""
    return {name: row[name] for name in ENDED if row[name]}


def test_failed_tasks_that_are_tried_again_are_of_the_block() -> None:
    frames = Frames("prefixes", time=100.0)
    frames.rows({**episode(1, 40.0, compute=1.0), "memory": 2, "erred": 3})
    frames.begin()
    (row,) = frames.rows({**episode(1, 40.0, compute=1.0), "memory": 2, "processing": 3})
    assert (ended(row), row["processing"]) == ({}, 3)
    (row,) = frames.rows({**episode(1, 40.0, compute=1.5), "memory": 4, "erred": 1})
    # One has failed again.
    assert (ended(row), row["compute"]) == ({"memory": 2, "erred": 1}, 0.5)


def test_only_some_of_what_failed_before_is_tried_again_in_a_block() -> None:
    cut = Frames("computations")
    base = {"id": 1, "tasks": 6, "left": 0, "done": 0, "erred": 3, "failed": 3, "dropped": 3, "dropped_ever": 3}
    base |= {"submissions": 1, "since": 1.0, "last": 1.0, "stop": 2.0}
    cut.rows(base)
    cut.begin()
    (row,) = cut.rows({**base, "erred": 4, "dropped_ever": 4})
    assert [row[name] for name in ("tasks", "failed", "dropped", "dropped_ever")] == [2, 1, 1, 1]


def test_results_that_are_computed_again_are_of_the_block() -> None:
    frames = Frames("prefixes", time=100.0)
    frames.rows({**episode(1, 40.0), "memory": 6}, {**episode(2, 40.0), "memory": 6})
    frames.begin()
    # It was not seen that they were lost: the collector has, since a new run of the function began with them.
    (row,) = frames.rows({**episode(1, 105.0, done=3, memory=3, compute=0.9), "memory": 6})
    assert (ended(row), row["since"]) == ({"memory": 3}, 100.0)
    # Where nothing has, what they took is there.
    (row,) = frames.rows({**episode(2, 40.0, compute=0.9), "memory": 6})
    assert (ended(row), row["compute"]) == ({}, 0.9)


def test_results_of_before_that_are_replaced_by_new_ones_are_the_ones_that_are_forgotten() -> None:
    frames = Frames("prefixes", time=100.0)
    frames.rows({**episode(1, 40.0), "memory": 20})
    frames.begin()
    (row,) = frames.rows({**episode(1, 105.0, done=20, memory=20), "memory": 20, "processing": 20})
    assert ended(row) == {}
    (row,) = frames.rows({**episode(1, 105.0, done=20, memory=0), "memory": 20, "forgotten": 20})
    assert ended(row) == {"memory": 20}
    # A second run in the block: its own "before" has results of the block.
    (row,) = frames.rows({**episode(1, 120.0, done=40, memory=20), "memory": 25, "forgotten": 20})
    assert ended(row) == {"memory": 25}
    (row,) = frames.rows({**episode(1, 120.0, done=40, memory=0), "memory": 5, "forgotten": 40})
    assert ended(row) == {"memory": 5, "forgotten": 20}


def test_groups_know_what_is_known_of_their_function() -> None:
    cut = Cut({}, 100.0)

    def send(prefix: dict[str, float], of_group: dict[str, float]) -> dict[str, float]:
        topics = {"groups": table({**of_group, "prefix": 1}), "prefixes": table(prefix)}
        found = cut.frame({"epoch": 1, "topics": topics})["topics"]
        return rows(found["groups"])[0] if found["groups"]["c"]["id"] else {}

    assert send({**episode(1, 40.0), "memory": 20}, group(5, memory=20, forgotten=2, forgotten_erred=2)) == {}
    cut.begun = True
    row = send(
        {**episode(1, 105.0, done=20, memory=0), "memory": 20, "forgotten": 20},
        group(5, memory=20, forgotten=23, forgotten_erred=3),
    )
    assert {name: row[name] for name in ("memory", "forgotten", "forgotten_erred")} == {
        "memory": 20,
        "forgotten": 1,
        "forgotten_erred": 1,
    }


@pytest.mark.parametrize("seed", range(10))
def test_ended_tasks_of_a_block_are_as_many_as_ended_in_it(seed: int) -> None:
    """Tasks end in one state and move on to others: each row's sum is that of the tasks which ended in the block."""
    random_ = random.Random(seed)
    frames = Frames("prefixes")
    states = dict.fromkeys(ENDED, 0)
    ended = 0
    for step in range(60):
        if step == 15:
            ended = 0
            frames.begin()
        for _ in range(random_.randrange(4)):
            states[random_.choice(("memory", "memory", "erred", "cancelled"))] += 1
            ended += 1
        for a, b in (
            ("memory", "released"),
            ("released", "forgotten"),
            ("memory", "forgotten"),
            ("erred", "forgotten_erred"),
        ):
            some = random_.randrange(states[a] + 1) if random_.random() < 0.3 else 0
            states[a] -= some
            states[b] += some
        found = frames.rows(counts(1, **states))
        if step >= 15:
            assert sum(found[0][name] for name in ENDED) == ended if found else ended == 0
            assert all(0 <= row[name] <= states[name] for row in found for name in ENDED)


def test_the_block_is_one_episode() -> None:
    frames = Frames("prefixes", time=100.0)
    before = {"since": 40.0, "done_before": 3, "erred_before": 2, "memory_before": 1}
    clean = {"done_before": 0, "erred_before": 0, "memory_before": 0}
    assert frames.rows(counts(1, processing=1, **before)) == [counts(1, processing=1, since=100.0, **clean)]
    frames.begin()
    # Another episode in the block is part of it: the first one says since when.
    assert frames.rows(counts(1, memory=1, **{**before, "since": 130.0})) == [counts(1, memory=1, since=100.0, **clean)]
    assert frames.rows(counts(2, memory=1, **{**before, "since": 120.0})) == [counts(2, memory=1, since=120.0, **clean)]


def group(id: int, **given: float) -> dict[str, float]:
    names = ("released", "memory", "erred", "forgotten", "forgotten_erred", "cancelled", "nbytes", "duration")
    row: dict[str, float] = dict.fromkeys((*names, *OPEN), 0)
    return {"id": id, **row, "start": 0.0, "stop": 0.0, **given}


def test_a_group_that_ran_before_begins_with_the_block_and_its_links_come_along() -> None:
    frames = Frames("groups", time=100.0)
    assert frames.rows(group(1, memory=1, start=50.0, stop=60.0, duration=3.0)) == []
    frames.begin()
    body = table(
        group(1, memory=2, start=50.0, stop=120.0, duration=4.5),
        group(2, memory=1, start=110.0, stop=115.0),
        group(3, start=90.0),
    )
    body["m"] = {"source": array("I", [7, 8, 9]), "target": array("I", [1, 3, 2])}
    cut = frames.send(body)
    assert rows(cut) == [
        group(1, memory=1, start=100.0, stop=120.0, duration=1.5),
        group(2, memory=1, start=110.0, stop=115.0),
    ]
    assert {name: list(column) for name, column in cut["m"].items()} == {"source": [7, 9], "target": [1, 2]}
    # Its last task ended before: then not later than that.
    assert frames.rows(group(1, memory=2, start=50.0, stop=80.0)) == [group(1, memory=1, start=80.0, stop=80.0)]
    assert "m" not in frames.send(table(group(2, memory=1)))


def test_counts_that_an_older_collector_does_not_have_are_left_out() -> None:
    frames = Frames("prefixes")

    def older(**given: float) -> dict[str, float]:
        row = counts(1, since=50.0, done_before=0, erred_before=0, memory_before=0, **given)
        return {name: value for name, value in row.items() if name not in ("forgotten_erred", "cancelled", "compute")}

    frames.rows(older(memory=4))
    frames.begin()
    (row,) = frames.rows(older(memory=7, erred=1))
    assert (row["memory"], row["erred"]) == (3, 1)
    assert not {"forgotten_erred", "cancelled", "compute"} & row.keys()


def test_a_group_that_was_forgotten_and_made_again_counts_from_zero() -> None:
    frames = Frames("groups")
    frames.rows(group(1, memory=5, start=50.0), group(2, memory=5))
    frames.begin()
    assert frames.rows(group(1, memory=2, start=150.0)) == [group(1, memory=2, start=150.0)]
    assert frames.rows(group(1, memory=3, start=150.0)) == [group(1, memory=3, start=150.0)]
    # One that had not run yet has not begun again.
    assert frames.rows(group(2, memory=6, start=150.0)) == [group(2, memory=1, start=150.0)]


def test_attempts_are_those_since_the_begin() -> None:
    frames = Frames("attempts")
    assert frames.rows({"id": 1, "retried": 3, "lost": 1}, {"id": 2, "retried": 0, "lost": 2}) == []
    frames.begin()
    assert frames.rows({"id": 1, "retried": 4, "lost": 1}) == [{"id": 1, "retried": 1, "lost": 0}]
    assert frames.rows({"id": 2, "retried": 0, "lost": 2}) == []
    assert frames.rows({"id": 1, "retried": 2, "lost": 1}) == [{"id": 1, "retried": 0, "lost": 0}]
    assert frames.rows({"id": 0, "retried": 0, "lost": 1}) == [{"id": 0, "retried": 0, "lost": 1}]
    ends = {"number": array("I", [4, 5]), "end": array("d", [99.0, 101.0])}
    sent = frames.send({**table({"id": 1, "retried": 4, "lost": 1}), "m": ends})
    assert sent["m"] == {"number": array("I", [5]), "end": array("d", [101.0])}


def test_results_in_memory_are_the_state_of_the_cluster() -> None:
    frames = Frames("held")
    one, copies, none = (
        {"id": i, "results": r, "nbytes": 0.0, "copies": c} for i, r, c in ((1, 2, 0), (2, 0, 5), (3, 0, 0))
    )
    assert frames.rows(one, copies, none) == [one, copies]
    assert frames.rows({**one, "results": 0}, none) == [{**one, "results": 0}]


def test_a_worker_that_left_before_is_no_part_of_a_block() -> None:
    frames = Frames("workers")
    body = table({"id": 1, "status": RUNNING})
    assert frames.send(body) is body
    assert frames.rows({"id": 1, "status": LOST}, {"id": 2, "status": LOST}, {"id": 3, "status": RUNNING}) == [
        {"id": 1, "status": LOST},
        {"id": 3, "status": RUNNING},
    ]
    assert frames.cut.left == {1}
    assert frames.rows({"id": 3, "status": LOST}) == [{"id": 3, "status": LOST}]
    assert frames.cut.left == {1, 3}


def test_metrics_are_those_since_the_begin() -> None:
    frames = Frames("activities")
    names = [[1, "execute"], [2, "latency"], [3, "new"]]
    first = frames.send(table({"id": 1, "value": 5.0}, {"id": 2, "value": 7.0}, names=names, transitions=50.0))
    assert (rows(first), first["s"]) == ([], {"names": [], "transitions": 0.0})
    frames.begin()
    body = table(
        {"id": 1, "value": 6.5}, {"id": 2, "value": 7.0}, {"id": 3, "value": 1.0}, names=names, transitions=80.0
    )
    cut = frames.send(body)
    assert rows(cut) == [{"id": 1, "value": 1.5}, {"id": 3, "value": 1.0}]
    assert cut["s"] == {"names": [names[0], names[2]], "transitions": 30.0}
    assert frames.send(table({"id": 2, "value": 7.0}))["s"] == {"names": []}
    # Nothing is left of what was before the collector began, nor of rows that are left out.
    cut = frames.send(table({"id": 1, "value": 8.0}, {"id": 2, "value": 7.0}, base=[[1, 4.0], [2, 3.0]]))
    assert (rows(cut), cut["s"]) == ([{"id": 1, "value": 3.0}], {"names": [], "base": []})


def test_an_average_rate_that_has_not_changed_is_of_transfers_before_the_block() -> None:
    frames = Frames("bandwidth")
    scalars = {"total": 9.0, "types": [["int", 1.0], ["str", 2.0]]}
    first = frames.send(table({"id": 1, "rate": 5.0}, {"id": 2, "rate": 6.0}, **scalars))
    assert (rows(first), first["s"]) == ([], {"types": []})
    frames.begin()
    cut = frames.send(table({"id": 1, "rate": 5.0}, {"id": 2, "rate": 7.0}, {"id": 3, "rate": NAN}, **scalars))
    assert (rows(cut), cut["s"]) == ([{"id": 2, "rate": 7.0}], {"types": []})
    cut = frames.send(
        table({"id": 2, "rate": 6.0}, {"id": 4, "rate": 1.0}, total=9.5, types=[["int", 1.0], ["str", 3.0]])
    )
    assert rows(cut) == [{"id": 2, "rate": 6.0}, {"id": 4, "rate": 1.0}]
    assert cut["s"] == {"total": 9.5, "types": [["str", 3.0]]}
    # A pair that is gone is reported to those who have it; a type stays.
    cut = frames.send(table({"id": 2, "rate": NAN}, {"id": 1, "rate": NAN}, **scalars))
    assert [row["id"] for row in rows(cut)] == [2]
    assert isnan(rows(cut)[0]["rate"])
    assert cut["s"] == {"total": 9.0, "types": [["str", 2.0]]}


def test_nothing_is_earlier_than_a_block() -> None:
    frames = Frames("meta")
    assert frames.send({"s": {"earlier_tasks": 7, "title": "x"}})["s"] == {"earlier_tasks": 0, "title": "x"}
    assert frames.send({"s": {"title": "x"}})["s"] == {"title": "x"}
    unobserved = [[20.0, 90.0], [95.0, 101.0]]
    assert frames.send({"s": {"unobserved": unobserved}})["s"] == {"unobserved": unobserved[1:]}


@pytest.mark.parametrize("first", range(3, 14))
def test_events_of_a_block_are_those_from_its_first_on(first: int) -> None:
    frames = Frames("events", events=8)
    count = 4
    numbers = list(range(first, first + count))
    body = table(*({"time": float(i)} for i in numbers), first=first, topic=[f"t{i}" for i in numbers], other=["x"])
    body["s"].update(action=[str(i) for i in numbers], text=["" for _ in numbers], lost=5)
    cut = frames.send(body)
    kept = [i for i in numbers if i >= 8]
    assert list(cut["c"]["time"]) == kept
    assert (cut["s"]["topic"], cut["s"]["action"]) == ([f"t{i}" for i in kept], [str(i) for i in kept])
    assert len(cut["s"]["text"]) == len(kept)
    assert cut["s"]["other"] == ["x"]
    assert cut["s"]["first"] == max(8, first)
    assert cut["s"]["lost"] == max(0, min(5, first - 8))


def test_a_history_without_a_first_row_is_whole() -> None:
    cut = Frames("events").send(table({"time": 1.0}, first=0, topic=["a"]))
    assert list(cut["c"]["time"]) == [1.0]
    assert "lost" not in cut["s"]


def test_a_point_of_an_idle_cluster_begins_with_the_block() -> None:
    frames = Frames("series", time=100.0, series=2)
    points = [{"time": 60.0 + 30 * i, "until": 80.0 + 30 * i, "workers": 2} for i in range(4)]
    assert rows(frames.send(table(*points, first=1))) == [
        {"time": 100.0, "until": 110.0, "workers": 2},
        {"time": 120.0, "until": 140.0, "workers": 2},
        {"time": 150.0, "until": 170.0, "workers": 2},
    ]
    assert rows(frames.send(table({"time": 60.0, "until": 70.0, "workers": 2}, first=2))) == [
        {"time": 100.0, "until": 100.0, "workers": 2}
    ]


def test_memory_samples_come_with_the_runs_that_have_any() -> None:
    frames = Frames("memory_samples", memory_samples=1)
    runs = [{"id": 1}, {"id": 2}]
    samples = [{"run": 1, "time": 1.0, "nbytes": 1.0}, {"run": 2, "time": 2.0, "nbytes": 1.0}]
    cut = frames.send(table(*samples, first=0, runs=runs))
    assert (rows(cut), cut["s"]) == (samples[1:], {"first": 1, "runs": [{"id": 2}]})
    assert frames.send(table(samples[0], first=2, runs=runs))["s"]["runs"] == runs


def test_tasks_of_the_graph_are_those_from_the_first_of_the_block_on() -> None:
    frames = Frames("graph", graph=10)
    scalars = {"first": 8, "kept": 4, "latest": 9, "not_kept": 6, "first_edge": 20, "edges_not_kept": 20}
    cut = frames.send(table(*({"prefix": i} for i in range(8, 13)), **scalars))
    assert [row["prefix"] for row in rows(cut)] == [10, 11, 12]
    assert cut["s"] == {**scalars, "first": 10, "kept": 10, "latest": 10, "not_kept": 0, "edges_not_kept": 0}
    # Later: some of the block's own tasks and dependencies have been dropped, and some never were kept.
    later = {"first": 13, "kept": 12, "latest": 13, "not_kept": 17, "first_edge": 50, "edges_not_kept": 27}
    cut = frames.send(table({"prefix": 13}, **later))
    assert [row["prefix"] for row in rows(cut)] == [13]
    assert cut["s"] == {**later, "first": 13, "kept": 12, "latest": 13, "not_kept": 2 + 3, "edges_not_kept": 7}
    # All of a frame is from before.
    cut = Frames("graph", graph=20).send(table({"prefix": 8}, {"prefix": 9}, **scalars))
    assert (rows(cut), cut["s"]["first"]) == ([], 20)


def test_without_a_first_task_the_graph_begins_with_its_first_frame() -> None:
    frames = Frames("graph")
    scalars = {"first": 8, "kept": 4, "latest": 9}
    cut = frames.send(table({"prefix": 8}, **scalars))
    assert ([row["prefix"] for row in rows(cut)], cut["s"]["first"], cut["s"]["kept"]) == ([8], 8, 8)


def test_states_are_those_of_the_tasks_of_the_block() -> None:
    assert Frames("states").send(table({"state": 1}, first=0)) is None
    frames = Frames("states", graph=10)
    cut = frames.send(table(*({"state": i} for i in range(8, 13)), first=8))
    assert ([row["state"] for row in rows(cut)], cut["s"]) == ([10, 11, 12], {"first": 10})
    cut = frames.send(table({"state": 3}, first=12))
    assert ([row["state"] for row in rows(cut)], cut["s"]) == ([3], {"first": 12})
    # Without a number of its own, the list begins with the first task of all.
    cut = Frames("states", graph=3).send(table(*({"state": i} for i in range(5))))
    assert ([row["state"] for row in rows(cut)], cut["s"]) == ([3, 4], {"first": 3})
    changed = [{"number": 9, "state": 1}, {"number": 10, "state": 2}, {"number": 30, "state": 3}]
    assert rows(frames.send(table(*changed, first=0))) == changed[1:]


def test_a_scheduler_that_was_cleared_counts_from_zero() -> None:
    frames = Frames("prefixes", graph=10)
    frames.rows(counts(1, memory=4, since=50.0, done_before=0, erred_before=0, memory_before=0))
    frames.begin()
    frames.epoch = 2
    row = counts(1, memory=3, since=150.0, done_before=1, erred_before=0, memory_before=0)
    assert frames.rows(row) == [{**row, "done_before": 0}]
    frames.topic = "states"
    assert [row["state"] for row in rows(frames.send(table({"state": 1}, first=0)))] == [1]
    frames.topic = "workers"
    frames.rows({"id": 1, "status": RUNNING})
    frames.epoch = 3
    # Workers go on.
    assert frames.rows({"id": 1, "status": LOST}) == [{"id": 1, "status": LOST}]


def computation(id: int, **given: float) -> dict[str, float]:
    names = ("submissions", "tasks", "left", "dropped", "done", "erred", "erred_before", "unfollowed")
    return {"id": id, **dict.fromkeys(names, 0), "since": 90.0, "last": 90.0, "start": 91.0, "stop": 95.0, **given}


def share(computation: int, prefix: int, **given: float) -> dict[str, float]:
    names = ("tasks", "left", "dropped", "failed", "done")
    return {"computation": computation, "prefix": prefix, **dict.fromkeys(names, 0), "compute": 0.0, **given}


def columns_of(*shares: dict[str, float]) -> dict[str, array[Any]]:
    return {
        name: array("d" if name in ("compute", "longest") else "I", [row.get(name, 2.0) for row in shares])
        for name in (*share(0, 0), "longest")
    }


def test_tasks_that_had_failed_before_belong_to_the_block_that_asked_for_them() -> None:
    frames = Frames("computations")
    frames.send(table(computation(1, left=1, tasks=1, erred_before=5), texts=[]))
    frames.begin()
    (row,) = rows(frames.send(table(computation(1, tasks=1, done=1, erred_before=7), texts=[])))
    assert row["erred_before"] == 2


def test_the_line_of_a_cell_that_submitted_before_the_block_names_only_what_was_left_of_it() -> None:
    frames = Frames("computations")
    texts = [{"id": found, "code": "a\nb", "line": 1} for found in (1, 2)]
    begun = table(computation(1, tasks=4, done=4), computation(2, tasks=4, left=1, done=3), texts=texts)
    assert [(text["id"], text["line"]) for text in frames.send(begun)["s"]["texts"]] == [(2, 1)]
    frames.begin()
    later = (
        computation(1, tasks=6, left=2, done=4, submissions=1),
        computation(2, tasks=4, done=4),
        computation(3, tasks=1),
    )
    body = frames.send(table(*later, texts=[{"id": 3, "code": "c", "line": 1}]))
    assert [(text["id"], text["line"]) for text in body["s"]["texts"]] == [(1, 0), (3, 1)]


def test_runs_of_executions_begin_with_the_block() -> None:
    frames = Frames("computations", tasks=7)
    frames.begin()
    runs = [[0, 1, 5], [5, 2, 10], [15, 1, 5]]
    body = frames.send(table(computation(2), texts=[], rows=runs))
    assert body["s"]["rows"] == [[7, 2, 8], [15, 1, 5]]
    # An older version does not have them.
    assert "rows" not in frames.send(table(computation(2), texts=[]))["s"]


def test_functions_of_computations_belong_to_the_block_with_what_was_left() -> None:
    frames = Frames("computations")

    def send(body: dict[str, Any], *shares: dict[str, float]) -> list[dict[str, float]]:
        return rows({"c": frames.send({**body, "m": columns_of(*shares)})["m"]})

    begun = table(computation(1, tasks=4, done=4), computation(2, tasks=9, left=3, done=6), texts=[])
    kept = send(
        begun, share(1, 0, tasks=4, done=4), share(2, 0, tasks=6, done=6, compute=3.0), share(2, 1, tasks=3, left=3)
    )
    assert [(row["prefix"], row["tasks"], row["left"], row["done"], row["compute"]) for row in kept] == [
        (0, 0, 0, 0, 0.0),
        (1, 3, 3, 0, 0.0),
    ]
    frames.begin()
    ended = table(computation(2, tasks=9, done=9), computation(3, tasks=2, done=2, since=101.0), texts=[])
    kept = send(
        ended, share(2, 1, tasks=3, done=3, compute=1.5, longest=0.7), share(3, 0, tasks=2, done=2, longest=0.9)
    )
    assert [(row["computation"], row["tasks"], row["done"], row["compute"]) for row in kept] == [
        (2, 3, 3, 1.5),
        (3, 2, 2, 0.0),
    ]
    # The longest one of the first may have been before the block.
    assert isnan(kept[0]["longest"])
    assert kept[1]["longest"] == 0.9


def test_a_computation_that_was_submitted_before_the_block_begins_with_it() -> None:
    frames = Frames("computations", time=100.0)
    frames.send(table(computation(1, tasks=2, left=2, begun=90.0), texts=[]))
    frames.begin()
    body = table(computation(1, tasks=2, done=2, begun=90.0), computation(2, tasks=2, done=2, begun=100.5), texts=[])
    assert [(row["begun"], row["since"]) for row in rows(frames.send(body))] == [(100.0, 100.0), (100.5, 90.0)]


def test_a_task_that_was_computed_several_times_in_the_block_is_one_task() -> None:
    frames = Frames("computations")
    frames.send({**table(computation(1, tasks=10, left=10), texts=[]), "m": columns_of(share(1, 0, tasks=10, left=10))})
    frames.begin()
    # Three results were lost with a worker, and computed again.
    body = table(computation(1, tasks=10, done=13), texts=[])
    sent = frames.send({**body, "m": columns_of(share(1, 0, tasks=10, done=13))})
    assert [(row["tasks"], row["done"]) for row in (*rows(sent), *rows({"c": sent["m"]}))] == [(10, 13), (10, 13)]


def test_functions_of_computations_with_columns_of_different_lengths_are_refused() -> None:
    uneven = {"computation": array("I", [1, 2]), "prefix": array("I", [0])}
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        Shares().cut(uneven, False, [1])
