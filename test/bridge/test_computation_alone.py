"""One computation, the table of computations and the graphs of each, without a cluster: every count and bound."""

from __future__ import annotations

from array import array
from collections import defaultdict
from math import inf, isnan, nan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import computations as table
from dask_panes.scheduler.collector.columns import DTYPES
from dask_panes.scheduler.collector.computation import HALTED_OWNER, Computation, number_of, renews
from dask_panes.scheduler.collector.computation_columns import columns_of, offered
from dask_panes.scheduler.collector.computations import Computations
from dask_panes.scheduler.collector.kept import Kept
from dask_panes.scheduler.collector.recent import RecentGraphs
from dask_panes.scheduler.collector.submission import Code, Submission

#: What is added to the number of a computation whose task is computed again after its end.
RENEWED = 1_099_511_627_776
CODES = {dtype: code for code, dtype in DTYPES.items()}


def values(column: tuple[str, bytes]) -> list[Any]:
    found = array(CODES[column[0]])
    found.frombytes(column[1])
    return list(found)


def submission(**given: Any) -> Submission:
    known = {"client": "c", "stimulus": "s", "begun": 0.0, "cell": None, "nbytes": None, "code": None, "spans": ("",)}
    return Submission(**{**known, **given})


def interval(action: str, start: float, stop: float) -> dict[str, Any]:
    return {"action": action, "start": start, "stop": stop}


def compute(start: float, stop: float) -> list[dict[str, Any]]:
    return [interval("compute", start, stop)]


# -- graphs of a computation ----------------------------------------------------------------------------------------


def test_the_largest_graph_is_known_also_where_it_is_of_nothing() -> None:
    recent = RecentGraphs()
    # Nothing was added that could have been read.
    recent.read(5.0)
    assert set(recent.describe()["most"].values()) == {None}
    recent.add(submission(nbytes=0, packing=0.0), 0, 1.0)
    recent.read(0.0)
    assert recent.describe() == {
        "count": 1,
        "most": {"tasks": 0, "graph": 0, "packing": 0.0, "reading": 0.0},
        "newest": {"time": [1.0], "tasks": [0], "graph": [0], "packing": [0.0], "reading": [0.0]},
    }
    for tasks, nbytes, packing, seconds in ((5, 1, 0.5, 0.125), (1, 5, 0.125, 0.5), (2, 2, 0.25, 0.25)):
        recent.add(submission(nbytes=nbytes, packing=packing), tasks, 2.0)
        recent.read(seconds)
    assert recent.describe()["most"] == {"tasks": 5, "graph": 5, "packing": 0.5, "reading": 0.5}
    for tasks, nbytes, packing, seconds in ((1, 2, 3.0, 4.0), (4, 3, 2.0, 1.0)):
        recent = RecentGraphs()
        for _ in range(2):
            recent.add(submission(nbytes=nbytes, packing=packing), tasks, 2.0)
            recent.read(seconds)
        most = {"tasks": tasks, "graph": nbytes, "packing": packing, "reading": seconds}
        assert recent.describe()["most"] == most


def test_the_values_of_a_graph_are_its_own() -> None:
    recent = RecentGraphs()
    for i in range(99):
        recent.add(submission(nbytes=10 + i, packing=20.0 + i), 30 + i, 40.0 + i)
        recent.read(50.0 + i)
    newest = recent.describe()["newest"]
    assert [newest[name][0] for name in ("time", "tasks", "graph", "packing", "reading")] == [89, 79, 59, 69, 99]
    assert [newest[name][-1] for name in ("time", "tasks", "graph", "packing", "reading")] == [138, 128, 108, 118, 148]
    assert {len(column) for column in newest.values()} == {50}
    assert len(recent._values) == 99 * 5
    recent.add(submission(), 1, 1.0)
    assert len(recent._values) == 50 * 5


# -- one computation ------------------------------------------------------------------------------------------------


def test_the_number_of_a_computation_is_in_every_entry_of_its_tasks() -> None:
    for owner, number, again in (
        (0, 0, False),
        (7, 7, False),
        (~0, 0, False),
        (~7, 7, False),
        (RENEWED - 1, RENEWED - 1, False),
        (RENEWED, 0, True),
        (RENEWED + 7, 7, True),
        (~RENEWED, 0, True),
        (~(RENEWED + 7), 7, True),
        # Halted ones.
        (2 * RENEWED + 7, 7, False),
        (3 * RENEWED + 7, 7, True),
    ):
        assert (number_of(owner), renews(owner)) == (number, again)


@pytest.mark.parametrize(
    ("begun", "packing", "expected"),
    # The clock of the scheduler may have been set back; 0 is not known.
    [(4.0, 0.5, 3.5), (4.0, None, 4.0), (5.0, None, 5.0), (5.5, 0.5, None), (0.0, 0.5, None)],
)
def test_it_begins_when_the_client_packs_its_first_graph(
    begun: float, packing: float | None, expected: float | None
) -> None:
    row = Computation(submission(begun=begun, packing=packing), 5.0)
    row.submit(submission(begun=8.0, packing=1.0), 3, 9.0)
    (found,) = values(columns_of([row], [])["begun"])
    assert isnan(found) if expected is None else found == expected


def test_sums_over_graphs_are_known_where_they_are_known_of_each() -> None:
    row = Computation(submission(client="me"), 5.0)
    assert (row.client, row.since, row.last, row.submissions) == ("me", 5.0, 5.0, 0)

    def sums() -> list[float]:
        columns = columns_of([row], [])
        return [values(columns[name])[0] for name in ("reading", "packing", "graph")]

    assert sums() == [0.0, 0.0, 0.0]
    row.submit(submission(nbytes=100, packing=0.5), 3, 6.0)
    row.reading, row.read = 0.25, 1
    assert sums() == [0.25, 0.5, 100.0]
    row.submit(submission(nbytes=20, packing=0.25), 3, 7.0)
    row.reading, row.read = 0.75, 2
    assert sums() == [0.75, 0.75, 120.0]
    assert (row.submissions, row.since, row.last, row.sized, row.packed, row.recent.count) == (2, 5.0, 7.0, 2, 2, 2)
    row.submit(submission(), 3, 8.0)
    assert all(map(isnan, sums()))


def test_the_first_four_spans_are_named_and_more_are_hinted_at() -> None:
    row = Computation(submission(spans=("a", "b")), 0.0)
    assert row.span == "a + b"
    assert not row.within(("b", "a"))
    assert row.within(("b", "c"))
    assert row.span == "a + b + c"
    assert row.within(("d",))
    assert row.span == "a + b + c + d"
    assert row.within(("e", "f"))
    assert (row.span, row.spans) == ("a + b + c + d + …", ("a", "b", "c", "d", "e"))
    assert not row.within(("g",))
    # Some of its tasks have none.
    assert Computation(submission(spans=("a", "")), 0.0).span == "a + …"
    assert Computation(submission(spans=("", "a")), 0.0).span == "a + …"
    assert Computation(submission(spans=("",)), 0.0).span == ""
    assert Computation(submission(spans=()), 0.0).spans == ()


def test_names_of_spans_are_cut_together() -> None:
    assert Computation(submission(spans=("x" * 200,)), 0.0).span == "x" * 200
    row = Computation(submission(spans=("x" * 150, "y" * 48)), 0.0)
    assert row.span == "x" * 150 + " + " + "y" * 46 + "…"
    assert len(row.span) == 200


def test_the_line_of_a_cell_is_within_its_code() -> None:
    for line, known in ((0, 0), (1, 1), (3, 3), (4, 0), (-1, 0)):
        row = Computation(submission(), 0.0)
        row.describe(9, "a\nb\nc", "id", line)
        assert (row.cell, row.cell_id, row.code, row.origin, row.line) == (9, "id", "a\nb\nc", "cell", known)
    row.describe(10, "", "other")
    assert (row.cell, row.cell_id, row.code) == (10, "other", "a\nb\nc")
    row.code, row.origin, row.line = "dask's", "dask", 2
    row.describe(11, "mine", "id", 1)
    assert (row.cell, row.code, row.origin, row.line) == (11, "dask's", "dask", 2)
    row.describe(1, "x", "id")
    assert row.texts == {
        "client": "c",
        "cell": 1,
        "cell_id": "id",
        "code": "dask's",
        "line": 2,
        "origin": "dask",
        "span": "",
    }


def test_an_older_collectors_computation_has_what_it_knew() -> None:
    old = Computation(submission(spans=("a",)), 3.0)
    old.submit(submission(nbytes=7), 2, 4.0)
    same = Computation.like(old)
    assert [getattr(same, name) for name in ("since", "last", "graph", "sized", "span")] == [3.0, 4.0, 7.0, 1, "a"]
    assert (same.recent.count, same.spans) == (1, ("a",))
    fewer = SimpleNamespace(
        **{name: getattr(old, name) for name in Computation.__slots__ if name not in ("packing", "spans", "recent")}
    )
    for name in ("erred_before", "renewing", "renewed", "lost", "packed", "failed"):
        delattr(fewer, name)
    fewer.erred = 2
    same = Computation.like(fewer)
    assert (same.erred_before, same.renewing, same.renewed, same.packing, same.packed) == (0, 0, 0, 0.0, 0)
    # Whether one was tried again is not known.
    assert same.failed == 2
    assert (isnan(same.lost), same.recent.count, same.spans) == (True, 0, ("a",))
    del fewer.since
    with pytest.raises(AttributeError):
        Computation.like(fewer)


def test_what_is_lost_after_the_end_is_renewed_and_before_it_is_left() -> None:
    row = Computation(submission(), 0.0)
    row.left = 1
    assert (row.lose(False, 5.0), row.left, row.renewing, isnan(row.lost)) == (0, 2, 0, True)
    row.left = 0
    # A graph of its own asks for it again.
    assert (row.lose(True, None), row.left, row.renewing) == (0, 1, 0)
    row.left = 0
    assert (row.lose(False, 6.0), row.left, row.renewing, row.lost) == (RENEWED, 1, 1, 6.0)
    # While only such tasks are left it has still ended; the time of the last loss stays.
    assert (row.lose(False, None), row.left, row.renewing, row.lost) == (RENEWED, 2, 2, 6.0)
    assert (row.lose(False, 7.0), row.left, row.renewing, row.lost) == (RENEWED, 3, 3, 7.0)
    row.drop(True)
    assert (row.left, row.renewing, row.dropped) == (2, 2, 0)
    row.left = 5
    row.drop(False)
    assert (row.left, row.renewing, row.dropped) == (4, 2, 1)
    # Needed again.
    row.drop(False, -1)
    assert (row.left, row.renewing, row.dropped) == (5, 2, 0)
    row.drop(False)
    row.drop_all()
    assert (row.left, row.renewing, row.dropped) == (0, 0, 3)


def test_executions_after_the_end_count_as_renewed_only() -> None:
    row = Computation(submission(), 0.0)
    row.left = row.renewing = 5
    assert row.renew([compute(1, 2)] * 3, [8] * 3, 1, False) == ()
    assert (row.left, row.renewing, row.erred, row.renewed, row.done, row.compute) == (2, 2, 1, 2, 0, 0.0)
    assert row.renew([compute(1, 2)], [8], 0, True) == ()
    assert (row.left, row.renewing, row.erred, row.renewed) == (2, 2, 1, 3)


def test_executions_add_to_the_times_and_bytes() -> None:
    row = Computation(submission(), 0.0)
    row.left = 9
    assert row.add([compute(10, 12), compute(11, 14)], [100, None], 1, False) == [2, 3]
    assert (row.left, row.erred, row.done, row.nbytes, row.compute) == (7, 1, 1, 100, 5)
    assert (row.start, row.stop, row.transfer, row.disk) == (10, 14, 0, 0)
    several = [interval("transfer", 1, 3), interval("disk-read", 3, 7), interval("disk-write", 7, 8)]
    several += [interval("deserialize", 8, 90), *compute(9, 13)]
    assert row.add([several], [1], 0, True) == [4]
    assert (row.left, row.erred, row.done, row.nbytes, row.compute) == (7, 1, 2, 101, 9)
    assert (row.start, row.stop, row.transfer, row.disk) == (9, 14, 2, 5)
    row.add([compute(20, 20.5)], [1], 0, False)
    assert (row.start, row.stop) == (9, 20.5)
    # Without a compute interval, as of a task whose data could not be fetched.
    assert row.add([[interval("transfer", 1, 2)]], [None], 1, False) == []
    assert (row.left, row.erred, row.done, row.transfer, row.start, row.stop) == (5, 2, 3, 3, 9, 20.5)


def test_of_a_task_whose_older_intervals_are_reported_again_the_newest_count() -> None:
    row = Computation(submission(), 0.0)
    older = [interval("transfer", 1, 2), *compute(2, 3)]
    newer = [interval("disk-read", 5, 6), *compute(6, 8)]
    assert row.add([older + newer, compute(8, 9)], [1, 1], 0, False) == [2, 1]
    assert (row.transfer, row.disk, row.compute, row.start, row.stop) == (0, 1, 3, 6, 9)
    assert row.add([compute(1, 2) + older + newer], [1], 0, False) == [2]
    assert (row.transfer, row.disk, row.compute) == (0, 2, 5)


@pytest.mark.parametrize("rows", [[[{}]], [None], [[*compute(1, 2), {"action": "compute"}]]])
def test_sums_of_times_are_not_known_after_intervals_that_cannot_be_read(rows: list[Any]) -> None:
    row = Computation(submission(), 0.0)
    row.left = 3
    assert row.add(rows, [7], 0, False) is None
    assert (row.left, row.done, row.nbytes) == (2, 1, 7)
    assert all(map(isnan, (row.compute, row.transfer, row.disk)))


def test_a_size_that_cannot_be_read_costs_the_sum_of_bytes_only() -> None:
    row = Computation(submission(), 0.0)
    row.left = 3
    assert row.add([compute(1, 2), compute(3, 5)], [7, "many"], 0, False) == [1, 2]
    assert (row.left, row.done, row.start, row.stop, row.compute) == (1, 2, 1, 5, 3)
    assert row.add([compute(6, 7)], [7], 0, False) == [1]
    assert isnan(row.nbytes)


def test_columns_are_those_of_the_counts_and_never_below_zero() -> None:
    rows = [Computation(submission(), 1.0), Computation(submission(), 2.0)]
    names = "submissions tasks unfollowed again left dropped done erred erred_before renewing renewed failed".split()
    for i, name in enumerate(names):
        setattr(rows[0], name, i)
        setattr(rows[1], name, -i - 1)
    rows[1].stop = 12.0
    columns = columns_of(rows, [(0.0, 4)])
    assert [values(columns[name]) for name in names] == [[i, 0] for i in range(len(names))]
    assert values(columns["since"]) == [1.0, 2.0]
    # Thread-seconds from the beginning of a computation to its end; one without an execution has none.
    (none, some) = values(columns["offered"])
    assert (isnan(none), some) == (True, 40.0)


def test_threads_are_summed_over_a_thousand_changes_wherever_these_are() -> None:
    many = [(float(i), 2) for i in range(4_000)]
    assert offered(many, 2_500.5, 3_499.5) == 2 * 999
    assert isnan(offered(many, 2_500.5, 3_500.5))
    assert offered(many, 2_500.0, 3_499.5) == 2 * 999.5
    assert isnan(offered(many, 2_500.0, 3_500.0))
    assert offered([(0.0, 2**31), (5.0, 1)], 5.0, 6.0) == 1
    # A change at the very beginning and end.
    assert offered([(0.0, 3), (4.0, 7), (6.0, 2)], 4.0, 6.0) == 14
    assert offered([(0.0, 3)], 0.0, 2.0) == 6
    assert isnan(offered([], 0.0, 2.0))
    assert isnan(offered([(0.0, 3)], 2.0, 2.0))
    assert isnan(offered([(0.0, 3)], 3.0, 2.0))


# -- the table ------------------------------------------------------------------------------------------------------


def made(**given: Any) -> Computations:
    return Computations(lambda: None, pytest.fail, lambda: [(0.0, 2)], defaultdict(int), **given)


def code(text: str) -> Code:
    return Code((text,), text, 2)


def test_submissions_from_the_same_code_belong_together_within_a_second() -> None:
    found = made()
    first = found.submit(submission(code=code("a")), [], 100.0)
    assert first == 0
    assert found.submit(submission(code=code("a")), [], 100.875) == first
    # It is the time at which Dask began to read that counts, where it is known.
    assert found.submit(submission(code=code("a"), begun=101.75), [], 105.0) == first
    assert found.submit(submission(code=code("a"), begun=0.0), [], 106.0) == 1
    assert found.submit(submission(code=code("a"), begun=-1.0), [], 107.0) == 2
    # A time in the future is not known, one of just now is.
    assert found.submit(submission(code=code("a"), begun=200.0), [], 107.5) == 2
    assert found.submit(submission(code=code("a"), begun=108.5), [], 108.5) == 3
    assert found.submit(submission(code=code("b")), [], 108.5) == 4
    assert found.submit(submission(code=code("a"), client="d"), [], 108.5) == 5
    assert found.submit(submission(code=code("a")), [], 108.75) == 3
    assert found.submit(submission(), [], 108.75) == 6
    assert found.submit(submission(), [], 109.0) == 6
    early = made()
    assert [early.submit(submission(begun=begun), [], now) for begun, now in ((0.0, 0.25), (0.5, 9.0))] == [0, 0]


def test_a_loop_outside_cells_is_one_computation_while_a_task_is_under_way_or_has_just_ended() -> None:
    found = made()
    first = found.submit(submission(), ["f-0"], 100.0)
    row = found._rows[first]
    row.left = 1
    assert found.submit(submission(), ["f-1"], 159.0) == first
    # What still runs a minute later may hang: it does not keep all that follows together for days.
    assert found.submit(submission(), ["f-2"], 220.0) == 1
    row = found._rows[1]
    row.left, row.stop = 1, 300.0
    assert found.submit(submission(), ["g-0"], 300.5) == 2
    assert found.submit(submission(), ["g-1"], 303.0) == 3
    row = found._rows[3]
    row.stop = 400.0
    assert found.submit(submission(), ["g-2"], 400.5) == 3


def test_submissions_of_one_cell_belong_together_however_long_it_takes() -> None:
    found = made()
    assert found.submit(submission(cell=1, code=code("a")), [], 100.0) == 0
    assert found.submit(submission(cell=1, code=code("b")), [], 900.0) == 0
    assert found.submit(submission(cell=2, code=code("b")), [], 900.0) == 1
    # Without a cell, its number is no cell's.
    assert found.submit(submission(cell=0), [], 900.0) == 2
    assert found.submit(submission(cell=0), [], 902.0) == 3


def test_code_that_dask_recorded_is_that_of_the_computation() -> None:
    found = made()
    number = found.submit(submission(code=code("a")), [], 1.0)
    texts = found.read(0)[0]["s"]["texts"]
    assert [(each["id"], each["code"], each["line"], each["origin"]) for each in texts] == [(number, "a", 2, "dask")]
    without = made(code=False)
    without.submit(submission(code=code("a")), [], 1.0)
    assert without.read(0)[0]["s"]["texts"][0]["code"] == ""


def test_what_a_cell_submits_after_a_restart_is_not_of_the_line_before_it() -> None:
    found = made()
    found.cell("c", 1, 7, "one\ntwo", "id1", 1)
    first = found.submit(submission(cell=1), [], 1.0)
    found.restart()
    second = found.submit(submission(cell=1), [], 2.0)
    assert [(t["id"], t["line"]) for t in found.read(0)[0]["s"]["texts"]] == [(first, 1), (second, 0)]
    found.cell("c", 1, 7, "one\ntwo", "id1", 2)
    assert [(t["id"], t["line"]) for t in found.read(0)[0]["s"]["texts"]] == [(first, 1), (second, 2)]


def test_a_description_of_a_cell_reaches_its_computation_before_and_after_it() -> None:
    found = made()
    found.cell("c", 1, 7, "one", "id1", 1)
    first = found.submit(submission(cell=1), [], 1.0)
    second = found.submit(submission(cell=2), [], 1.0)
    version = found.version
    found.cell("c", 2, 8, "two", "id2", 1)
    assert found.version == version + 1
    body, _ = found.read(0)
    assert [(t["id"], t["cell"], t["code"], t["cell_id"], t["line"]) for t in body["s"]["texts"]] == [
        (first, 7, "one", "id1", 1),
        (second, 8, "two", "id2", 1),
    ]
    # Only what changed is read again.
    body, cursor = found.read(version)
    assert ([t["id"] for t in body["s"]["texts"]], cursor) == ([second], version + 1)
    # One that is of no computation changes nothing.
    found.cell("c", 3, 8, "three", "id3")
    assert found.version == version + 1
    found.cell("c" * 300, 4, 9, "x" * 5_000, "i" * 300)
    (key, described) = list(found._cells.items())[-1]
    assert (key, [len(part) for part in described[1:3]]) == (("c" * 200, 4), [4_000, 200])


def test_the_newest_thousand_computations_are_kept_and_may_be_continued() -> None:
    found = made()
    for i in range(1, 1_001):
        found.submit(submission(cell=i), [], 1.0)
    assert found.read(0)[0]["s"]["kept"] == 0
    assert found.submit(submission(cell=1), [], 2.0) == 0
    assert found.submit(submission(cell=1_001), [], 2.0) == 1_000
    # The first one went on, the second one has left.
    scalars = found.read(0)[0]["s"]
    assert (scalars["kept"], scalars["older"], found.graphs(1), len(found._open)) == (2, [0], None, 1_000)
    assert found.graphs(0) == found._rows[0].recent.describe()
    assert found.submit(submission(cell=1_001), [], 3.0) == 1_000
    # The oldest one that could be continued is another computation now.
    assert found.submit(submission(cell=1), [], 2.0) == 1_001
    assert len(found._rows) == len(found._versions) == len(found._texts) == 1_000


def test_a_computation_in_progress_stays_when_older_and_newer_ones_that_have_ended_are_dropped() -> None:
    found = made()
    for i in range(1_100):
        found.submit(submission(cell=i + 1), [], 1.0)
        if i in (2, 50):
            found._claimed(i, ["load", "load"], 0, [], 0)
    assert list(found._rows) == [2, 50, *range(102, 1_100)]
    scalars = found.read(0)[0]["s"]
    assert (scalars["kept"], scalars["older"], scalars["unkept"]) == (102, [2, 50], 0)
    # It still learns of its tasks.
    found._drop(2, "load", tasks=2)
    assert found._rows[2].left == 0
    found.submit(submission(cell=1_101), [], 1.0)
    scalars = found.read(0)[0]["s"]
    assert (scalars["kept"], scalars["older"], len(found._rows)) == (102, [50], 1_000)


def test_which_are_kept_is_gone_on_with() -> None:
    rows = {2: Computation(submission(), 1.0), 5: Computation(submission(), 1.0)}
    # An older collector kept the newest ones only.
    for known, whole_from in ((rows, 2), ({}, 7)):
        kept = Kept()
        kept.take(known, SimpleNamespace(_next=7))
        assert (kept.whole_from, kept.older, kept.left) == (whole_from, [], 0)
    kept, old = Kept(), Kept()
    old.whole_from, old.left = 5, 3
    kept.take(rows, SimpleNamespace(kept=old, _next=7))
    assert (kept.whole_from, kept.older, kept.left, kept.end(2, 3)) == (5, [2], 3, True)


def test_a_long_computation_that_has_just_ended_is_not_the_first_to_leave() -> None:
    found = made()
    for i in range(1_000):
        found.submit(submission(cell=i + 1), [], float(i))
        found._claimed(i, ["load"], 0, [], 0)
        if i != 1:
            found._count(i, "load", [compute(i, i + 1)], [8], 0)
    found._count(1, "load", [compute(1, 2_000)], [8], 0)
    for i in range(1_000, 1_010):
        found.submit(submission(cell=i + 1), [], 2_001.0)
    scalars = found.read(0)[0]["s"]
    assert (scalars["kept"], scalars["older"], min(found._rows)) == (11, [1], 1)


def test_of_more_computations_in_progress_than_are_kept_it_is_known_how_many_tasks_are_left() -> None:
    found = made()
    for i in range(1_003):
        found.submit(submission(cell=i + 1), [], 1.0)
        found._claimed(i, ["load"] * 2, 0, [], 0)
    scalars = found.read(0)[0]["s"]
    assert (len(found._rows), scalars["kept"], scalars["older"], scalars["unkept"]) == (1_000, 3, [], 6)
    # A large graph is claimed when its computation is not kept any more.
    found._claimed(0, ["load"], 0, [], 0)
    found._drop(1, "load")
    found._count(0, "load", [compute(1, 2)] * 3, [8] * 3, 0)
    # Those that ended before are computed again.
    found._count(~2, "load", [compute(1, 2)], [8], 0)
    assert found.read(0)[0]["s"]["unkept"] == 3
    before = found.version
    found._count(2, "load", [compute(1, 2)] * 2, [8] * 2, 0)
    found._drop(1, "load")
    assert (found.read(0)[0]["s"]["unkept"], found.version) == (0, before + 1)
    found.restart()
    assert found.read(0)[0]["s"]["unkept"] == 0


def test_tasks_of_computations_that_are_not_kept_are_counted_when_they_run_again() -> None:
    found = made()
    found.submit(submission(cell=1), [], 1.0)
    for i in range(1_001):
        found.submit(submission(cell=i + 2), [], 1.0)
    assert 0 not in found._rows
    owners, again = found.claims.owners, HALTED_OWNER

    def unkept() -> int:
        return int(found.read(found.version)[0]["s"]["unkept"])

    # A result of it was lost, one is needed again, one had failed, and one had not run since that had.
    owners.update({"lost": ~0, "needed": ~0, "failed": ~0, "blamed": ~again})
    before = found.version
    found.lose("lost", "load", "s", True)
    assert found.version == before + 1, "readers hear of it"
    found.lose("needed", "load", "s", False)
    found.retry("failed", "load")
    found.retry("blamed", "load")
    assert (unkept(), set(owners.values())) == (4, {0})
    # They end: run, dropped, without an execution since their workers died, and since that has failed.
    owners["lost"] = ~0
    found._count(0, "load", [compute(1, 2)], [8], 0)
    found.claims.drop(owners.pop("needed"), "load")
    found.fail("failed", "load", itself=True)
    found.fail("blamed", "load", itself=False)
    assert (unkept(), owners) == (0, {"lost": ~0, "failed": ~0, "blamed": ~again})
    # What is not needed, and needed after all, is counted once.
    owners["lost"] = again
    found._drop(0, "load", tasks=-1)
    owners["lost"] = 0
    assert unkept() == 1
    found._count(0, "load", [compute(1, 2)], [8], 0)
    assert unkept() == 0
    # Tasks that are of none.
    found.fail("other", "load", itself=True)
    found.retry("other", "load")
    found.lose("other", "load", "s", True)
    assert (unkept(), "other" in owners) == (0, False)


def test_nothing_is_kept_of_a_computation_that_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "LIMIT", 1)
    found = made()
    for cell in (1, 2):
        found.shares.claim(found.submit(submission(cell=cell), [], 1.0), ["f"], [], 1)
    assert (list(found._rows), list(found.shares._of), list(found._versions), list(found._texts)) == ([1],) * 4


def test_graphs_without_a_cell_are_of_none_whatever_a_kernel_describes() -> None:
    found = made()
    found.cell("c", 0, 7, "code", "id")
    found.submit(submission(cell=0, code=code("a")), [], 1.0)
    assert (found._rows[0].cell, found._rows[0].cell_id) == (0, "")


def test_the_computation_begun_last_is_continued_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "LIMIT", 2)
    found = made()
    for text, now in (("a", 1.0), ("b", 1.0), ("a", 9.0), ("d", 9.0)):
        found.submit(submission(code=code(text)), [], now)
    assert found.submit(submission(code=code("a")), [], 9.5) == 2


def test_the_event_of_a_graph_has_how_long_it_was_read_once() -> None:
    found = made()
    event = {"action": "update-graph", "stimulus_id": "s", "metrics": {"duration_seconds": 0.5}}
    found.logged(event)
    number = found.submit(submission(), [], 1.0)
    row, version = found._rows[number], found.version
    found.logged({**event, "stimulus_id": "t"})
    assert (row.reading, row.read, found.version) == (0.0, 0, version)
    found.logged(event)
    found.logged(event)
    assert (row.reading, row.read, found.version) == (0.5, 1, version + 1)
    assert row.recent.describe()["newest"]["reading"] == [0.5]
    # What cannot be read says nothing, and the next event of that graph neither.
    for unknown in (inf, nan, None):
        found.submit(submission(), [], 1.25)
        found.logged({**event, "metrics": {"duration_seconds": unknown}})
        found.logged(event)
    assert (row.reading, row.read, row.submissions) == (0.5, 1, 4)


PREFIX = SimpleNamespace(name="f")


def tasks(*keys: str, state: str = "waiting") -> dict[str, Any]:
    return {key: SimpleNamespace(key=key, state=state, prefix=PREFIX) for key in keys}


def shares(found: Computations, cursor: int = 0) -> dict[str, Any]:
    return {name: values(column) for name, column in found.read(cursor)[0]["m"].items()}


def test_executions_count_in_their_computation_and_function() -> None:
    found = made()
    known = tasks("f-1", "f-2", "f-3", "f-4")
    found.begin(known)
    # What was there before is a computation of its own.
    assert [row.origin for row in found._rows.values()] == ["earlier"]
    assert (found._rows[0].tasks, found._rows[0].left, found._rows[0].client) == (4, 4, "")
    spans = [compute(1, 2), compute(2, 4)]
    both = [known["f-1"], known["f-2"]]
    found.ended(["f-1", "f-2"], both, [0, 0], spans, [8, 0], [1])
    row = found._rows[0]
    assert (row.left, row.done, row.erred, row.compute, row.nbytes) == (2, 1, 1, 3, 8)
    share = shares(found)
    assert [share[name] for name in ("tasks", "left", "done", "failed", "compute", "longest")] == [
        [4],
        [2],
        [1],
        [1],
        [3.0],
        [2.0],
    ]
    # Once more, and after its end; and of nobody.
    found.ended(["f-1", "f-1"], [known["f-1"]] * 2, [~0, None], [compute(5, 6)] * 2, [1, 1], [])
    assert (row.left, row.done, row.compute) == (2, 2, 4)
    found.ended(["f-1"], [known["f-1"]], [RENEWED], [compute(8, 9)], [1], [])
    assert (row.left, row.done, row.renewed, row.compute) == (1, 2, 1, 4)
    assert [shares(found)[name] for name in ("left", "done", "compute")] == [[1], [2], [4.0]]
    version = found.version
    found.ended(["f-1"], [known["f-1"]], [77], [compute(8, 9)], [1], [])
    assert (found.version, row.done) == (version, 2)


def test_rows_of_the_ring_are_runs_of_computations() -> None:
    found = made()
    known = tasks("f-1", "f-2")
    found.begin({})
    for _ in range(2):
        found.submit(submission(), [], 10.0 * found._next)
    found.ended(["f-1"] * 3, [known["f-1"]] * 3, [0, 0, 1], [compute(1, 2)] * 3, [1] * 3, [], 5)
    assert found.read(0)[0]["s"]["rows"] == [[5, 0, 2], [7, 1, 1]]


def test_a_task_that_errs_without_an_execution_is_an_error_only_if_it_did_itself() -> None:
    for itself, erred, dropped in ((True, 1, 0), (False, 0, 1)):
        found = made()
        found.begin(tasks("f-1", "f-2"))
        row, version = found._rows[0], found.version
        found.fail("never", "f", itself)
        assert (found.version, row.erred) == (version, 0)
        found.fail("f-1", "f", itself)
        assert (row.erred, row.failed, row.dropped, row.left) == (erred, erred, dropped, 1)
        assert found.claims.owners["f-1"] == (~0 if itself else ~(2 * RENEWED))
        assert [shares(found)[name] for name in ("left", "failed", "dropped")] == [[1], [1], [0]]
        # One that had been executed has left already.
        found.fail("f-1", "f", itself)
        assert (row.erred, row.dropped, row.left) == (2 * erred, dropped, 1)
        # One that was to be computed again had been counted.
        found.claims.owners["f-2"] = RENEWED
        row.renewing = 1
        found.fail("f-2", "f", itself)
        assert (row.erred, row.dropped, row.left, row.renewing) == (3 * erred, dropped, 0, 0)
        assert found.claims.owners["f-2"] == (~RENEWED if itself else ~(3 * RENEWED))
        # Both are tried again, the first of them only once.
        for key in ("f-1", "f-2", "f-1", "never"):
            found.retry(key, "f")
        assert (row.failed, row.dropped, row.left, row.renewing) == (erred, 0, 2, 1)
        assert [shares(found)[name] for name in ("left", "failed")] == [[2], [0]]
        assert (found.claims.owners["f-1"], found.claims.owners["f-2"]) == (0, RENEWED)


def test_a_halted_task_that_is_forgotten_has_been_dropped_already() -> None:
    found = made()
    found.begin(tasks("f-1", "f-2"))
    row = found._rows[0]
    found.claims.drop(0, "f")
    assert (row.left, row.dropped, shares(found)["dropped"]) == (1, 1, [1])
    version = found.version
    found.claims.drop(2 * RENEWED, "f")
    assert (row.left, row.dropped, found.version) == (1, 1, version)
    found.claims.drop(0, "f", tasks=-1)
    assert (row.left, row.dropped, shares(found)["left"], shares(found)["dropped"]) == (2, 0, [2], [0])


def test_a_task_of_a_computation_that_is_not_kept_may_err_or_be_lost() -> None:
    found = made()
    found.claims.owners["f-1"], found.claims.owners["f-2"] = 55, ~55
    found.fail("f-1", "f", True)
    found.lose("f-2", "f", "s", True)
    assert (found.claims.owners, found.version) == ({"f-1": ~55, "f-2": 55}, 1)


def test_a_result_that_is_computed_again_belongs_to_the_run_that_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "time", lambda: 50.0)
    for lost, stimulus, owner, when in (
        (True, "s", RENEWED, 50.0),
        (True, "other", RENEWED, 50.0),
        (False, "s", 0, None),
        (False, "other", RENEWED, None),
    ):
        found = made()
        found.begin({})
        number = found.submit(submission(), [], 1.0)
        found.claims.owners.update({"f-1": ~number, "f-2": number})
        found.shares.claim(number, ["f"], [], 0)
        row = found._rows[number]
        # One that has not been executed cannot be lost, nor can one of nobody.
        version = found.version
        found.lose("f-2", "f", stimulus, lost)
        found.lose("f-9", "f", stimulus, lost)
        assert (found.version, row.left) == (version, 0)
        found.lose("f-1", "f", stimulus, lost)
        assert (found.claims.owners["f-1"], row.left, row.renewing) == (owner, 1, int(owner > 0))
        assert (row.lost == when) if when else isnan(row.lost)
        assert (found.version, shares(found)["left"]) == (version + 1, [2])


def test_a_restart_drops_what_is_left_and_ends_every_computation() -> None:
    found = made()
    found.begin(tasks("f-1", "f-2"))
    found.submit(submission(cell=1), [], 1.0)
    cursor = found.version
    found.restart()
    row = found._rows[0]
    assert (row.left, row.dropped, found.version) == (0, 2, cursor + 1)
    body, _ = found.read(cursor)
    assert (values(body["c"]["id"]), values(body["m"]["dropped"])) == ([0], [2])
    assert found.submit(submission(cell=1), [], 2.0) == 2


def test_a_read_has_five_hundred_rows_and_fifty_texts() -> None:
    found = made()
    for i in range(1, 602):
        found.submit(submission(cell=i), [], 1.0)
    ids, texts, cursor = 0, [], 0
    sizes = []
    while cursor < found.version:
        body, cursor = found.read(cursor)
        sizes.append((len(values(body["c"]["id"])), len(body["s"]["texts"])))
        texts += [each["id"] for each in body["s"]["texts"]]
        ids = max(ids, *values(body["c"]["id"]))
    assert sizes[0] == (500, 50)
    assert (texts, ids) == (list(range(601)), 600)
    body, after = found.read(cursor)
    assert (values(body["c"]["id"]), body["s"]["texts"], after) == ([], [], cursor)
    # A span that comes later is a text.
    found.submit(submission(cell=601, spans=("late",)), [], 2.0)
    body, _ = found.read(cursor)
    assert [(each["id"], each["span"]) for each in body["s"]["texts"]] == [(600, "late + …")]


def test_without_a_computation_nothing_is_kept() -> None:
    assert made().read(0)[0]["s"] == {"kept": 0, "older": [], "unkept": 0, "texts": [], "rows": []}
