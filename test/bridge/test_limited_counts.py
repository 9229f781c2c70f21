"""Schedulers that take no plugin: what is read of Dask's own task stream and counts, however it arrives."""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from distributed.diagnostics.task_stream import TaskStreamPlugin
from distributed.metrics import time as distributed_time

from dask_panes.kernel.session.stand_in import StandIn
from dask_panes.scheduler.collector.columns import DTYPES, WireColumn
from dask_panes.scheduler.collector.reported import report_of
from dask_panes.scheduler.collector.topic import TICK
from dask_panes.scheduler.collector.workers import read_worker

WORKER = "tcp://10.0.0.1:1"
KEPT = 100
ENDS = ("memory", "erred", "forgotten", "forgotten_erred")


class Answers:
    """A scheduler's answers: Dask's own task stream, and states of functions.

    Parameters
    ----------
    numbered : bool
        Whether it numbers executions, as releases since 2026 do.
    """

    def __init__(self, numbered: bool) -> None:
        self.numbered = numbered
        self.stream = TaskStreamPlugin(None, maxlen=KEPT)
        # Releases before 2026 leave out tasks that they do not know.
        self.stream.scheduler = SimpleNamespace(tasks={})
        self.states: dict[str, dict[str, int]] = {}
        self.workers: dict[str, dict[str, Any]] = {}
        self.ended = 0

    async def call(self, name: str, **args: Any) -> Any:
        if name == "identity":
            return {"id": "scheduler", "address": "tcp://10.0.0.1:8786", "workers": self.workers}
        if name == "get_task_prefix_states":
            return self.states
        if name == "get_task_stream_index":
            return self.stream.index if self.numbered else None
        return self.stream.collect(**args)

    def end(self, key: str, stop: float | None = None, status: str = "OK") -> None:
        """An execution of 10 ms is reported; it ended now, or at the given time."""
        stop = time.time() if stop is None else stop
        self.ended += 1
        self.stream.scheduler.tasks[key] = None
        self.stream.transition(
            key,
            "processing",
            "erred" if status == "error" else "memory",
            worker=WORKER,
            thread=1,
            status=status,
            nbytes=1,
            typename="int",
            stimulus_id=f"task-finished-{self.ended}",
            startstops=[{"action": "compute", "start": stop - 0.01, "stop": stop}],
        )


@pytest.fixture(params=[True, False], ids=["numbered", "unnumbered"])
def answers(request: pytest.FixtureRequest) -> Answers:
    return Answers(request.param)


@pytest.fixture
async def limited(answers: Answers) -> AsyncIterator[StandIn]:
    stand_in = StandIn(answers.call)
    await stand_in.begin()
    yield stand_in
    await stand_in.close()


def keys(stand_in: StandIn) -> list[str]:
    described = [stand_in.history.describe(row) for row in range(stand_in.history.end)]
    return [row["key"] for row in described if row is not None]


async def test_tasks_appear_once_where_more_ran_between_two_looks_than_dask_keeps(
    answers: Answers, limited: StandIn
) -> None:
    for i in range(1000):
        answers.end(f"f-{i}")
    for i in range(1000, 1012):
        await limited._look()
        answers.end(f"f-{i}")
    await limited._look()
    assert keys(limited) == [f"f-{i}" for i in range(900, 1012)]


@pytest.mark.parametrize("blocked", [False, True])
async def test_versions_are_those_of_the_scheduler_and_not_of_the_kernel(answers: Answers, blocked: bool) -> None:
    async def call(name: str, **args: Any) -> Any:
        if name != "versions":
            return await answers.call(name, **args)
        if blocked:
            raise ValueError("The 'versions' handler has been explicitly disallowed in Scheduler")
        return {"packages": {"python": "3.9.1.final.0", "numpy": "1.26.0", "pandas": None}}

    limited = StandIn(call)
    await limited.begin()
    limited.meta.scan(limited.scheduler, 0.0, 0)
    facts = limited.meta.read(0)[0]["s"]
    known = ("", {}) if blocked else ("3.9.1", {"numpy": "1.26.0"})
    assert (facts["python"], facts["versions"], "worker_versions" in facts) == (*known, False)
    await limited.close()


async def test_the_configuration_of_the_kernel_is_not_said_to_be_that_of_the_cluster(limited: StandIn) -> None:
    limited.meta.scan(limited.scheduler, 0.0, 0)
    facts = limited.meta.read(0)[0]["s"]
    assert "thresholds" not in facts
    assert "thresholds" in facts["unknown"]


async def test_what_ran_before_the_first_look_is_not_taken(answers: Answers) -> None:
    for i in range(5):
        answers.end(f"f-{i}")
    limited = StandIn(answers.call)
    await limited.begin()
    answers.end("f-5")
    await limited._look()
    assert keys(limited) == ["f-5"]
    await limited.close()


@pytest.mark.parametrize("ahead", [-3600.0, 0.0, 3600.0])
async def test_a_task_that_ended_before_others_and_is_reported_after_them_appears_once(
    answers: Answers, limited: StandIn, ahead: float
) -> None:
    now = time.time() + ahead
    answers.end("f-0", now + 1.0)
    await limited._look()
    answers.end("f-1", now + 0.998)
    answers.end("f-2", now - 60)
    await limited._look()
    answers.end("f-3", now + 1.5)
    for _ in range(3):
        await limited._look()
    assert keys(limited) == ["f-0", "f-1", "f-2", "f-3"]


async def test_a_result_that_a_worker_reports_again_hides_no_others(answers: Answers, limited: StandIn) -> None:
    stop = time.time()
    answers.end("f-0", stop)
    await limited._look()
    answers.end("f-1")
    answers.end("f-0", stop)
    await limited._look()
    assert keys(limited) == ["f-0", "f-1", "f-0"]


def values(column: WireColumn) -> list[float]:
    found = array(next(code for code, dtype in DTYPES.items() if dtype == column[0]))
    found.frombytes(column[1])
    return [*found]


def counted(stand_in: StandIn, name: str, *more: str) -> dict[str, int]:
    """Tasks of a function, by how they ended, or in other states; those that count nothing are left out."""
    stand_in.prefixes.scan(stand_in._mirror)
    columns = {column: values(wire) for column, wire in stand_in.prefixes.read(-1)[0]["c"].items()}
    row = columns["id"].index(stand_in.names.prefix_ids[name])
    found = {state: int(columns[state][row]) for state in (*ENDS, *more)}
    return {state: count for state, count in found.items() if count}


async def test_tasks_that_are_forgotten_between_two_looks_are_counted(answers: Answers, limited: StandIn) -> None:
    for i in range(5):
        answers.end(f"f-{i}")
    await limited._look()
    assert counted(limited, "f") == {"forgotten": 5}
    for i in range(5, 8):
        answers.end(f"f-{i}")
    await limited._look()
    assert counted(limited, "f") == {"forgotten": 8}


async def test_failed_tasks_that_are_forgotten_have_failed(answers: Answers, limited: StandIn) -> None:
    answers.end("f-0")
    answers.end("f-1", status="error")
    answers.end("f-2", status="error")
    answers.states["f"] = {"memory": 1, "erred": 2}
    await limited._look()
    assert counted(limited, "f") == {"memory": 1, "erred": 2}
    answers.states["f"] = {"memory": 1, "erred": 1}
    await limited._look()
    assert counted(limited, "f") == {"memory": 1, "erred": 1, "forgotten_erred": 1}
    answers.states.clear()
    answers.end("f-3", status="error")
    for _ in range(2):
        await limited._look()
        assert counted(limited, "f") == {"forgotten": 1, "forgotten_erred": 3}


async def test_a_failed_task_that_is_tried_again_is_one_task(answers: Answers, limited: StandIn) -> None:
    answers.end("f-0", status="error")
    answers.states["f"] = {"erred": 1}
    await limited._look()
    answers.states["f"] = {"processing": 1}
    await limited._look()
    assert counted(limited, "f") == {}
    answers.end("f-0")
    answers.states["f"] = {"memory": 1}
    await limited._look()
    assert counted(limited, "f") == {"memory": 1}


async def test_results_from_before_the_first_look_hide_no_forgotten_tasks(answers: Answers) -> None:
    answers.states["f"] = {"memory": 4, "erred": 1}
    limited = StandIn(answers.call)
    await limited.begin()
    for i in range(3):
        answers.end(f"f-{i}")
    await limited._look()
    assert counted(limited, "f") == {"memory": 4, "erred": 1, "forgotten": 3}
    answers.states.clear()
    await limited._look()
    assert counted(limited, "f") == {"forgotten": 7, "forgotten_erred": 1}
    await limited.close()


async def test_tasks_that_failed_by_those_before_them_hide_no_forgotten_ones(
    answers: Answers, limited: StandIn
) -> None:
    for i in range(3):
        answers.end(f"f-{i}")
    answers.states["f"] = {"erred": 2}
    await limited._look()
    assert counted(limited, "f") == {"erred": 2, "forgotten": 3}


@pytest.mark.parametrize("ahead", [-3600.0, -60.0, 0.0, 60.0])
async def test_tasks_and_heartbeats_are_of_now_whatever_the_schedulers_clock_says(
    answers: Answers, ahead: float
) -> None:
    now = time.time()
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now + ahead - 0.3}
    limited = StandIn(answers.call)
    await limited.begin()
    answers.end("f-0", now + ahead - 0.2)
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now + ahead - 0.1}
    await limited._look()
    execution = limited.history.execution(0)
    assert execution is not None
    ended = execution["start"] + execution["duration"]
    assert now - 1 < ended < time.time()
    assert now - 1 < limited._mirror.workers[WORKER].last_seen < time.time()
    await limited.close()


async def test_workers_are_not_called_silent_while_nobody_reads(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now - 0.1}
    limited = StandIn(answers.call)
    # Ticks are those of the test.
    monkeypatch.setattr(limited, "_wait_for_tick", lambda: None)
    await limited.begin()
    for module in [module for name, module in sys.modules.items() if name.startswith("dask_panes.")]:
        if getattr(module, "time", None) is distributed_time:
            monkeypatch.setattr(module, "time", lambda: now)
    for _ in range(120):
        now += TICK
        limited._tick()
        await limited.upkeep._duties.finished()
    assert [longest for longest in values(limited.series.read(0)[0]["c"]["unheard_max"]) if longest > 5] == []
    limited.workers.scan(limited.scheduler, False)
    assert limited.workers._overdue == set()
    await limited.close()


async def test_workers_that_were_silent_at_first_do_not_set_the_clock(answers: Answers) -> None:
    now = time.time()
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now - 60}
    limited = StandIn(answers.call)
    await limited.begin()
    answers.workers["tcp://10.0.0.2:1"] = {"nthreads": 1, "last_seen": now - 0.1}
    await limited._look()
    assert limited._mirror.workers[WORKER].last_seen == now - 60
    await limited.close()


async def test_a_cluster_whose_workers_are_all_silent_is_not_taken_for_one_with_another_clock(answers: Answers) -> None:
    now = time.time()
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now - 60}
    limited = StandIn(answers.call)
    await limited.begin()
    assert limited._mirror.workers[WORKER].last_seen == now - 60
    # It had been asked nothing for an hour, and the worker was heard once meanwhile.
    limited._clock._noted -= 3600
    answers.workers[WORKER]["last_seen"] = now - 40
    await limited._look()
    assert limited._mirror.workers[WORKER].last_seen == now - 40
    await limited.close()


async def test_executions_wait_until_it_is_known_whether_the_clocks_differ(answers: Answers) -> None:
    now = time.time()
    answers.workers[WORKER] = {"nthreads": 1, "last_seen": now - 60.3}
    limited = StandIn(answers.call)
    await limited.begin()
    answers.end("f-0", now - 60.2)
    await limited._look()
    assert limited.history.end == 0
    answers.workers[WORKER]["last_seen"] = now - 60.1
    await limited._look()
    execution = limited.history.execution(0)
    assert execution is not None
    assert now - 1 < execution["start"] < time.time()
    await limited.close()


@pytest.mark.parametrize("state", ["processing", "waiting", "memory"])
async def test_tasks_that_leave_without_having_run_are_not_shown_any_more(
    answers: Answers, limited: StandIn, state: str
) -> None:
    # Cancelled ones, and data that was scattered.
    answers.states["f"] = {state: 2}
    await limited._look()
    assert counted(limited, "f", state) == {state: 2}
    answers.states.clear()
    await limited._look()
    assert counted(limited, "f", state) == {}


async def test_what_is_not_reported_is_not_denied(answers: Answers) -> None:
    answers.workers = {
        WORKER: {"nthreads": 2, "last_seen": time.time(), "metrics": {"task_counts": {"executing": 1}}},
        "tcp://10.0.0.2:1": {"nthreads": 2, "last_seen": time.time(), "metrics": {"task_counts": {"memory": 3}}},
    }
    limited = StandIn(answers.call)
    await limited.begin()
    limited.meta.scan(limited._mirror, 0.0, 0)
    facts = limited.meta.read(-1)[0]["s"]
    # Its mirror has neither a queue nor work stealing, whatever the scheduler has.
    assert {"queued", "no_worker"} <= {*facts["unknown"]}
    assert not {"stealing", "clients", "cores"} & {*facts}
    # Which workers are idle is known by their tasks.
    loads = [read_worker(limited._mirror, ws, report_of(ws))[1] for ws in limited._mirror.workers.values()]
    assert loads == [1, 0]
    await limited.close()
