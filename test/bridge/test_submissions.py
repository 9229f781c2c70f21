"""What is known of each graph and of its computation, without a cluster."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from math import nan
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import claims as claims_module
from dask_panes.scheduler.collector.computation import Computation
from dask_panes.scheduler.collector.computation_columns import CHANGES, offered
from dask_panes.scheduler.collector.computations import CELLS, Computations
from dask_panes.scheduler.collector.recent import FIELDS, LIMIT, RecentGraphs
from dask_panes.scheduler.collector.submission import Submission, observe, reading


def submission(**given: Any) -> Submission:
    known = {"client": "c", "stimulus": "s", "begun": 0.0, "cell": 1, "nbytes": 100, "code": None, "spans": ("",)}
    return Submission(**{**known, **given})


# -- graphs of a computation ----------------------------------------------------------------------------------------


def test_graphs_are_listed_with_the_largest_of_all() -> None:
    recent = RecentGraphs()
    assert recent.describe() == {
        "count": 0,
        "most": dict.fromkeys(("tasks", "graph", "packing", "reading")),
        "newest": {name: [] for name in FIELDS},
    }
    given = [(3, 100, 0.25, 0.5), (9, None, None, 0.75), (2, 50, 0.125, 0.25)]
    for i, (tasks, nbytes, packing, seconds) in enumerate(given):
        recent.add(submission(nbytes=nbytes, packing=packing), tasks, float(i))
        assert recent.describe()["newest"]["reading"][-1] is None
        recent.read(seconds)
    assert recent.describe() == {
        "count": 3,
        "most": {"tasks": 9, "graph": 100, "packing": 0.25, "reading": 0.75},
        "newest": {
            "time": [0.0, 1.0, 2.0],
            "tasks": [3, 9, 2],
            "graph": [100, None, 50],
            "packing": [0.25, None, 0.125],
            "reading": [0.5, 0.75, 0.25],
        },
    }


def test_the_newest_fifty_graphs_are_listed_and_all_are_counted() -> None:
    recent = RecentGraphs()
    for i in range(5 * LIMIT):
        recent.add(submission(nbytes=5 * LIMIT - i), 1, float(i))
        assert len(recent._values) < 2 * LIMIT * len(FIELDS)
        newest = recent.describe()["newest"]["time"]
        assert newest == [float(j) for j in range(max(0, i + 1 - LIMIT), i + 1)]
    found = recent.describe()
    # The largest one has left the list long ago.
    assert (LIMIT, found["count"], found["most"]["graph"]) == (50, 5 * LIMIT, 5 * LIMIT)


def test_a_graph_of_an_older_collector_that_kept_none_may_still_be_read() -> None:
    recent = RecentGraphs.like(None)
    recent.read(0.5)
    assert (recent.describe()["count"], recent.describe()["newest"]["reading"]) == (0, [])
    recent.add(submission(), 4, 1.0)
    recent.read(0.25)
    same = RecentGraphs.like(recent)
    recent.add(submission(), 40, 2.0)
    assert same.describe()["most"] == {"tasks": 4, "graph": 100, "packing": None, "reading": 0.25}
    assert same.describe()["newest"]["tasks"] == [4]


# -- what Dask's call says ------------------------------------------------------------------------------------------


def _create_taskstate_from_graph(start: float, code: Any, stimulus_id: str, depth: int) -> Submission:
    def below(depth: int) -> Submission:
        return below(depth - 1) if depth else observe({"client": "c"}, [])

    return below(depth)


def other(start: float, code: Any, stimulus_id: str, depth: int) -> Submission:
    """The same variables, in a function that is not Dask's."""
    return other(start, code, stimulus_id, depth - 1) if depth else observe({"client": "c"}, [])


FRAME = SimpleNamespace(code="x = 1\nf(x)", filename="cell", lineno_relative=2, lineno_frame=8)


@pytest.mark.parametrize("depth", [0, 3])
def test_a_submission_is_read_from_the_call_of_dask(depth: int) -> None:
    found = _create_taskstate_from_graph(7.0, (None, FRAME), "update-graph-1 packed-us 500 dask-panes 3 1234", depth)
    assert (found.begun, found.cell, found.nbytes, found.packing) == (7.0, 3, 1234, 5e-4)
    assert found.code is not None
    assert (found.code.text, found.code.line) == ("x = 1\nf(x)", 3)


@pytest.mark.parametrize("depth", [0, 20])
def test_variables_of_other_functions_are_not_those_of_dask(depth: int) -> None:
    found = other(7.0, (None, FRAME), "update-graph-1 dask-panes 3 1234", depth)
    assert found == Submission("c", "", 0.0, None, None, None, ("",))


def test_a_submission_is_read_where_few_functions_call_it() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(observe({"client": "c", "stimulus_id": "s"}, [])))
    thread.start()
    thread.join()
    assert found == [Submission("c", "s", 0.0, None, None, None, ("",))]


def test_how_long_a_graph_was_read_is_taken_from_its_own_event() -> None:
    event = {"action": "update-graph", "stimulus_id": "s", "metrics": {"duration_seconds": 0.5}}
    assert reading(event, "s") == 0.5
    assert reading(event, "t") is None
    assert reading({**event, "action": "add-worker"}, "s") is None
    assert reading("update-graph", "s") is None
    for metrics in (None, {}, {"duration_seconds": "soon"}):
        assert str(reading({**event, "metrics": metrics}, "s")) == "nan"


# -- computations ---------------------------------------------------------------------------------------------------


def computations(code: bool = True) -> Computations:
    return Computations(lambda: None, lambda error: None, list, defaultdict(int), code)


def test_nothing_is_reported_of_a_cell_that_is_not_known() -> None:
    texts = {"client": "c", "cell": 0, "cell_id": "", "code": "", "line": 0, "origin": "", "span": ""}
    assert Computation(submission(), 0.0).texts == texts
    found = computations()
    number = found.submit(submission(cell=1), [], 1.0)
    # The description of another cell, and of the same one of another client.
    found.cell("c", 2, 9, "second", "id")
    found.cell("d", 1, 9, "other", "id")
    assert found._rows[number].texts == texts


@pytest.mark.parametrize("before", [True, False])
def test_source_code_is_not_kept_where_it_must_not_be(before: bool) -> None:
    for code in (True, False):
        found = computations(code)
        if before:
            found.cell("c", 1, 9, "secret()", "id", 1)
        number = found.submit(submission(), [], 1.0)
        if not before:
            found.cell("c", 1, 9, "secret()", "id", 1)
        texts = found._rows[number].texts
        assert (texts["cell"], texts["cell_id"], texts["code"]) == (9, "id", "secret()" if code else "")
        assert code or "secret" not in repr(found._cells)


def test_descriptions_of_cells_are_bounded() -> None:
    found = computations()
    for i in range(CELLS + 5):
        found.cell("c", i, i, "", "")
    assert list(found._cells) == [("c", i) for i in range(5, CELLS + 5)]


PREFIX = SimpleNamespace(name="f")


@pytest.mark.parametrize("first", [40, None])
async def test_what_ends_while_its_graph_is_claimed_belongs_to_it(
    first: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims_module, "AT_ONCE", 2)
    monkeypatch.setattr(claims_module, "SLICE", 2)
    found = computations()
    tasks = {f"f-{i}": SimpleNamespace(key=f"f-{i}", state="waiting", prefix=PREFIX) for i in range(6)}
    found.claims.begin(tasks)
    number = found.submit(submission(), list(tasks), 1.0)
    assert found.claims.busy
    ended = ["f-4", "f-5"]
    span = [{"action": "compute", "start": 2.0, "stop": 2.5}]
    found.ended(ended, ["f", "f"], [None, None], [span, span], [8, 8], [1], first)
    while found.claims.busy:
        await asyncio.sleep(0)
    found._settle()
    row = found._rows[number]
    assert (row.tasks, row.done, row.erred, row.compute) == (6, 1, 1, 1.0)
    # Where the executions are in the ring is known where the ring has them.
    assert found.owned.read(0, found.version)[0] == ([] if first is None else [[40, number, 2]])


def test_what_threads_offered_is_summed_over_their_changes() -> None:
    history = [(10.0, 2), (20.0, 4), (30.0, 1)]
    assert offered(history, 10.0, 40.0) == 20 + 40 + 10
    assert offered(history, 15.0, 25.0) == 10 + 20
    assert offered(history, 20.0, 30.0) == 40
    for start, stop in ((9.0, 12.0), (12.0, 12.0), (13.0, 12.0), (nan, 12.0), (12.0, nan)):
        assert str(offered(history, start, stop)) == "nan"
    # More changes than are summed.
    many = [(float(i), 1) for i in range(2 * CHANGES)]
    assert offered(many, 0.0, CHANGES - 0.5) == CHANGES - 0.5
    assert str(offered(many, 0.0, CHANGES + 0.5)) == "nan"
