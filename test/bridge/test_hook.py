"""The transition hook by itself: what it notes of each transition."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector import hook as module
from dask_panes.scheduler.collector.history import FIELDS
from dask_panes.scheduler.collector.hook import make_hook

KEPT: dict[str, Any] = {"nbytes": -1, "who_wants": None, "waiters": None, "exception_blame": None}
STARTSTOPS = [{"action": "compute", "start": 1.0, "stop": 2.0}]


class Hook:
    """The hook with parts that write down their calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

        def noted(name: str) -> Any:
            return lambda *arguments: self.calls.append((name, *arguments))

        self.tasks = {
            key: SimpleNamespace(key=key, prefix=SimpleNamespace(name=f"p-{key}"), group=f"g-{key}", **KEPT)
            for key in "abcd"
        }
        self.pending: list[Any] = []
        self.failed: list[int] = []
        self.touched: dict[str, None] = {}
        self.marked: dict[str, str] = {}
        #: Keys of released tasks that have not run.
        self.halted: list[str] = []
        self.gone: list[Any] = []
        self.endings: dict[int, str] = {}
        self.running: dict[str, int] = {}
        #: Tasks that are erred now, and what was reported of errors: key, state before, worker, exception.
        self.erring: dict[str, int] = {}
        self.errors: list[tuple[Any, ...]] = []
        self.polls: list[Any] = []
        #: Which computation asked for a task, by key, and by execution.
        self.owners: dict[str, int] = {}
        self.executed_for: list[int | None] = []
        #: Keys that are not claimed yet, and what was reported of computations.
        self.unclaimed: list[Any] = []
        self.claims: list[tuple[Any, ...]] = []
        #: Keys of attempts that were lost.
        self.repeating: set[str] = set()
        #: Keys that were forgotten after they had had a result.
        self.results: list[Any] = []
        #: Keys of tasks at which shuffles begin and end.
        self.barriers: set[str] = set()

        def claimed(name: str) -> Any:
            return lambda *arguments: self.claims.append((name, *arguments))

        parts = SimpleNamespace(
            notes=SimpleNamespace(
                pending=self.pending, failed=self.failed, owners=self.executed_for, write=noted("write")
            ),
            pace=SimpleNamespace(open_polls=self.polls, wake=noted("wake")),
            prefixes=SimpleNamespace(forget=noted("forget"), episodes=SimpleNamespace(touched=self.touched)),
            groups=SimpleNamespace(forget=noted("forget_of_group")),
            graph=SimpleNamespace(gone=self.gone, endings=self.endings),
            marked=self.marked,
            halted=SimpleNamespace(
                add=lambda ts: self.halted.append(ts.key), remove=lambda ts, _=False: self.halted.remove(ts.key)
            ),
            running=SimpleNamespace(rows_of=self.running, end=noted("ended")),
            computations=SimpleNamespace(
                claims=SimpleNamespace(
                    owners=self.owners,
                    queue=self.unclaimed,
                    results=self.results,
                    execute=claimed("execute"),
                    forget=claimed("forget"),
                    drop=claimed("drop"),
                ),
                fail=claimed("fail"),
                retry=claimed("retry"),
                lose=claimed("lose"),
            ),
            attempts=SimpleNamespace(
                leave=noted("left"),
                fail=noted("fail_untimed"),
                lose_result=claimed("lose_result"),
                renew=noted("renew"),
                forget_result=noted("forget_result"),
                repeats=lambda key: key in self.repeating,
            ),
            errors=SimpleNamespace(erring=self.erring, fail=self.note_error, leave=noted("recovered")),
            shuffles=SimpleNamespace(
                barriers=self.barriers, passed=lambda scheduler, *change: self.calls.append(("passed", *change))
            ),
            faults=SimpleNamespace(note=noted("fault"), guard=lambda part, step, function, otherwise: function()),
        )
        self.transition = make_hook(SimpleNamespace(tasks=self.tasks), parts)  # type: ignore[arg-type]

    def note_error(self, ts: Any, start: str, worker: str | None, details: dict[str, Any]) -> None:
        self.errors.append((ts.key, start, worker, details.get("exception_text")))

    def ended(self, key: str, finish: str = "memory") -> None:
        self.transition(
            key, "processing", finish, "why", worker="w", nbytes=7, typename="int", thread=3, startstops=STARTSTOPS
        )


def test_an_execution_is_noted_with_whether_it_failed() -> None:
    hook = Hook()
    hook.ended("a")
    hook.ended("b", "erred")
    hook.ended("c")
    assert len(hook.pending) == 3 * FIELDS
    assert hook.pending[FIELDS : 2 * FIELDS] == ["b", hook.tasks["b"], "w", 3, STARTSTOPS, 7, "int"]
    assert (hook.failed, hook.marked) == ([1], {"b": "erred"})
    # It worked at last.
    hook.ended("b")
    assert (hook.failed, hook.marked, hook.calls) == ([1], {}, [])
    # Intervals of a task that was not being processed are of no execution.
    hook.transition("a", "released", "memory", startstops=STARTSTOPS)
    assert len(hook.pending) == 4 * FIELDS


def test_a_batch_is_written_and_open_polls_are_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 2 * FIELDS)
    hook = Hook()
    hook.ended("a")
    assert hook.calls == []
    hook.ended("b")
    assert hook.calls == [("write",)]
    hook.pending.clear()
    hook.polls.append(object())
    hook.ended("c")
    assert hook.calls[1:] == [("wake",)]


def test_a_task_that_is_released_without_a_result_is_cancelled_unless_it_goes_on() -> None:
    hook = Hook()
    hook.transition("a", "waiting", "released", "why")
    hook.transition("b", "queued", "released", "why")
    assert (hook.marked, hook.touched) == ({"a": "cancelled", "b": "cancelled"}, {"p-a": None, "p-b": None})
    hook.transition("d", "processing", "released", "why")
    hook.transition("d", "processing", "released", "why")
    assert hook.halted == ["a", "b", "d"]
    hook.transition("d", "released", "erred", "why")
    hook.transition("a", "released", "waiting", "why")
    hook.transition("c", "released", "waiting", "why")
    assert (hook.marked, hook.halted) == ({"b": "cancelled", "d": "erred"}, ["b"])
    gone = hook.tasks["b"]
    hook.calls.clear()
    hook.transition("b", "released", "forgotten", "why")
    assert (hook.marked, hook.endings, hook.gone) == ({"d": "erred"}, {id(gone): "cancelled"}, [gone])
    assert hook.halted == []
    assert hook.calls == [
        ("forget_result", "b"),
        ("forget", "p-b", "cancelled"),
        ("forget_of_group", "g-b", "cancelled"),
    ]


def test_a_lost_attempt_is_still_to_be_repeated_when_its_task_leaves_another_worker() -> None:
    hook = Hook()
    hook.marked["a"] = "attempt"
    hook.repeating.add("a")
    hook.transition("a", "processing", "released", "why")
    assert (hook.marked, hook.halted) == ({"a": "cancelled"}, ["a"])
    hook.transition("a", "released", "waiting", "why")
    assert (hook.marked, hook.halted) == ({"a": "attempt"}, [])


def test_a_released_result_or_error_is_not_cancelled() -> None:
    hook = Hook()
    hook.transition("a", "memory", "released", "why")
    hook.transition("b", "erred", "released", "why")
    assert (hook.marked, hook.touched, hook.calls) == ({}, {}, [])
    hook.tasks["c"].nbytes = 5
    hook.transition("c", "processing", "released", "why")
    assert (hook.marked, hook.touched, hook.calls) == ({}, {"p-c": None}, [("left", hook.tasks["c"], "why")])
    hook.transition("a", "released", "forgotten", "why")
    assert (hook.gone, hook.endings, len(hook.calls)) == ([hook.tasks["a"]], {}, 1)


def test_an_error_stays_one_until_the_task_is_forgotten() -> None:
    hook = Hook()
    hook.transition("a", "processing", "erred", "why")
    hook.transition("b", "waiting", "erred", "why")
    assert hook.calls == [("fail_untimed", hook.tasks["a"], "why")]
    assert (hook.marked, hook.touched) == ({"a": "erred", "b": "erred"}, {"p-a": None, "p-b": None})
    hook.transition("a", "erred", "waiting", "why")
    assert hook.marked == {"a": "erred", "b": "erred"}
    hook.transition("c", "released", "forgotten", "why")
    assert (hook.endings, len(hook.calls)) == ({}, 1)
    hook.transition("a", "erred", "forgotten", "why")
    assert (hook.endings, hook.marked) == ({id(hook.tasks["a"]): "erred"}, {"b": "erred"})


def test_an_error_is_reported_with_its_text_until_the_task_is_tried_again() -> None:
    hook = Hook()
    hook.ended("a", "erred")
    hook.transition("b", "processing", "erred", "why", worker="w", exception_text="ValueError(1)")
    hook.transition("c", "waiting", "erred", "why")
    assert hook.errors == [
        ("a", "processing", "w", None),
        ("b", "processing", "w", "ValueError(1)"),
        ("c", "waiting", None, None),
    ]
    hook.erring.update(a=0, c=0)
    hook.calls.clear()
    hook.transition("a", "erred", "waiting", "stimulus-retry-1.5")
    hook.transition("c", "erred", "released", "why")
    hook.transition("b", "erred", "released", "why")
    assert hook.calls == [("recovered", hook.tasks["a"], True), ("recovered", hook.tasks["c"], False)]


def test_an_error_that_dask_reports_twice_is_one() -> None:
    hook = Hook()
    # Its inputs do not fit in the worker's memory: it errs as it is assigned.
    hook.transition("a", "processing", "erred", "why", worker="w", cause="a", exception=b"MemoryError")
    hook.erring["a"] = 0
    hook.transition("a", "waiting", "erred", "why")
    assert hook.errors == [("a", "processing", "w", None)]
    assert (hook.claims, hook.calls) == ([("fail", "a", "p-a", False)], [("fail_untimed", hook.tasks["a"], "why")])


def test_a_running_task_has_ended_whatever_comes() -> None:
    hook = Hook()
    hook.running["a"] = 0
    hook.transition("a", "processing", "waiting", "why")
    hook.transition("b", "processing", "waiting", "why")
    assert hook.calls == [("ended", "a")]


def test_it_never_raises() -> None:
    hook = Hook()
    hook.transition("unknown", "processing", "released", "why")
    ((name, part, error),) = hook.calls
    assert (name, part, type(error)) == ("fault", "transitions", KeyError)


def test_an_execution_belongs_to_the_computation_that_asked_for_its_task() -> None:
    hook = Hook()
    hook.owners["a"] = 4
    hook.ended("a")
    hook.ended("a")
    hook.ended("b")
    # Executed tasks stay owned, marked as no longer left.
    assert (hook.owners, hook.executed_for, hook.claims) == ({"a": ~4}, [4, ~4, None], [])
    hook.unclaimed.append("a large graph")
    hook.ended("c")
    assert hook.claims == [("execute", "c")]


def test_a_task_that_is_forgotten_or_fails_is_reported_to_its_computation() -> None:
    hook = Hook()
    hook.owners.update(a=4, b=~4, d=~4)
    hook.marked["d"] = "erred"
    for key in "abcd":
        hook.transition(key, "released", "forgotten")
    # Of those that were executed, one failed.
    assert (hook.owners, hook.claims, hook.results) == ({}, [("drop", 4, "p-a")], ["b"])
    hook.unclaimed.append("a large graph")
    hook.transition("a", "released", "forgotten")
    hook.transition("b", "waiting", "erred")
    hook.tasks["c"].exception_blame = hook.tasks["c"]
    hook.transition("c", "processing", "erred")
    assert hook.claims[1:] == [("forget", "a", False), ("fail", "b", "p-b", False), ("fail", "c", "p-c", True)]


def test_a_result_that_is_still_needed_is_lost_and_one_that_is_not_is_done() -> None:
    hook = Hook()
    hook.owners.update(a=~4, b=~4, c=~4)
    hook.tasks["a"].who_wants = {"client"}
    hook.tasks["b"].waiters = {"task"}
    for key in "abc":
        hook.tasks[key].nbytes = 7
        hook.transition(key, "memory", "released", "why")
    assert hook.marked == {"a": "lost", "b": "lost"}
    assert hook.claims == [
        *(("lose", "a", "p-a", "why", True), ("lose_result", "a", "why", True)),
        *(("lose", "b", "p-b", "why", True), ("lose_result", "b", "why", True)),
    ]
    # Queued for the second time, cancelled, and forgotten: there is no result of it.
    hook.owners["a"] = 4
    for start, finish in (("released", "waiting"), ("waiting", "queued"), ("queued", "released")):
        hook.transition("a", start, finish, "why")
    hook.transition("a", "released", "forgotten", "why")
    hook.ended("b")
    assert hook.marked == {}
    assert hook.calls == [
        ("forget_result", "a"),
        ("forget", "p-a", "cancelled"),
        ("forget_of_group", "g-a", "cancelled"),
        ("renew", hook.tasks["b"], STARTSTOPS),
    ]
    assert hook.endings == {id(hook.tasks["a"]): "cancelled"}
    # Released, since nothing needed it; something that was lost, or is new, needs it now.
    hook.transition("c", "released", "waiting", "why")
    assert hook.marked == {"c": "again"}
    assert hook.claims[-2:] == [("lose", "c", "p-c", "why", False), ("lose_result", "c", "why", False)]
    hook.transition("c", "released", "forgotten", "why")
    assert (hook.marked, hook.endings[id(hook.tasks["c"])]) == ({}, "cancelled")


def test_an_error_that_is_tried_again_is_not_a_lost_result() -> None:
    hook = Hook()
    hook.owners["a"] = ~4
    hook.ended("a", "erred")
    for start, finish in (("erred", "released"), ("released", "waiting")):
        hook.transition("a", start, finish, "why")
    assert (hook.marked, hook.claims) == ({"a": "erred"}, [("retry", "a", "p-a")])
    # One that is tried again already is not left a second time.
    hook.owners["a"] = 4
    hook.transition("a", "released", "waiting", "why")
    assert len(hook.claims) == 1


def test_a_result_that_its_user_computes_again_is_not_lost() -> None:
    hook = Hook()
    hook.owners["a"] = ~4
    hook.tasks["a"].who_wants = {"client"}
    hook.transition("a", "memory", "released", "stimulus-retry-1.5")
    assert hook.marked == {"a": "again"}
    assert hook.claims == [
        ("lose", "a", "p-a", "stimulus-retry-1.5", False),
        ("lose_result", "a", "stimulus-retry-1.5", False),
    ]


def test_an_error_that_is_tried_again_is_not_a_lost_result_either_when_its_worker_is_lost() -> None:
    hook = Hook()
    hook.owners["a"] = ~0
    hook.marked["a"] = "erred"
    hook.transition("a", "processing", "released", "handle-worker-cleanup-1")
    hook.transition("a", "released", "waiting", "handle-worker-cleanup-1")
    assert (hook.marked, hook.claims) == ({}, [])


def test_the_hook_reports_each_change_of_a_barrier_and_no_other() -> None:
    hook = Hook()
    hook.barriers.add("a")
    for key in "ab":
        for start, finish in (("waiting", "processing"), ("memory", "released"), ("released", "forgotten")):
            hook.transition(key, start, finish, "why")
    passed = [call[1:] for call in hook.calls if call[0] == "passed"]
    assert passed == [("a", "waiting", "processing"), ("a", "memory", "released"), ("a", "released", "forgotten")]
