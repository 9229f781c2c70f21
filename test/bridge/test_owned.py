"""Runs of executions that belong to the same computation: what is known late, not at all, or not any more."""

from __future__ import annotations

import pytest

from dask_panes.scheduler.collector import owned as module
from dask_panes.scheduler.collector.owned import Owned


def runs(owned: Owned) -> list[list[int]]:
    found, cursor = [], 0
    version = max(owned._versions, default=0)
    while cursor < version:
        part, cursor = owned.read(cursor, version)
        found += part
    return found


def test_consecutive_rows_are_one_run_also_when_executed_again() -> None:
    owned = Owned()
    version = owned.note(0, [3] * 1_000, [], 0)
    version = owned.note(1_000, [3, ~3, ~3], [], version)
    assert (runs(owned), version, owned.end) == ([[0, 3, 1_003]], 2, 1_003)
    # What a reader has is not sent again; what has grown comes from its beginning.
    assert owned.read(version, version) == ([], version)
    version = owned.note(1_003, [4, 4, None, 3], [], version)
    assert runs(owned) == [[0, 3, 1_003], [1_003, 4, 2], [1_006, 3, 1]]
    assert owned.read(2, version) == ([[1_003, 4, 2], [1_006, 3, 1]], version)
    version = owned.note(1_007, [3], [], version)
    assert owned.read(version - 1, version) == ([[1_006, 3, 2]], version)


def test_rows_wait_for_those_before_them() -> None:
    owned = Owned()
    version = owned.note(0, [1, None, None, 2], [1, 2], 0)
    assert (runs(owned), owned.end) == ([[0, 1, 1]], 1)
    version = owned.note(4, [2, None], [1], version)
    owned.settle(2, 7)
    assert owned.seal(version) == version
    owned.settle(1, 7)
    version = owned.seal(version)
    assert (runs(owned), owned.end) == ([[0, 1, 1], [1, 7, 2], [3, 2, 2]], 5)
    # Rows that are known already, and none of the ring.
    owned.settle(1, 9)
    owned.settle(-3, 9)
    version = owned.seal(version, finally_=True)
    assert (runs(owned), owned.end) == ([[0, 1, 1], [1, 7, 2], [3, 2, 2]], 6)


def test_rows_that_were_not_noted_are_of_no_computation() -> None:
    owned = Owned()
    version = owned.note(100, [1, None], [1], 0)
    version = owned.note(110, [1], [], version)
    assert (runs(owned), owned.end) == ([[100, 1, 1], [110, 1, 1]], 111)
    # The ring starts over.
    version = owned.note(0, [5, 5], [], version)
    assert (runs(owned), owned.end) == ([[0, 5, 2]], 2)


def test_runs_are_bounded_and_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 100)
    monkeypatch.setattr(module, "CHUNK", 10)
    monkeypatch.setattr(module, "READ_RUNS", 7)
    owned, version = Owned(), 0
    for row in range(0, 1_000, 2):
        version = owned.note(row, [row, row + 1], [], version)
    found = runs(owned)
    assert 100 <= len(found) < 110
    assert found == [[row, row, 1] for row in range(1_000 - len(found), 1_000)]
    part, cursor = owned.read(0, version)
    assert (len(part), cursor < version) == (7, True)


def test_another_collector_goes_on() -> None:
    owned = Owned()
    version = owned.note(0, [1, None, 2], [1], 0)
    newer = Owned()
    newer.take(owned)
    newer.settle(1, 1)
    version = newer.seal(version)
    newer.note(3, [2], [], version)
    assert (runs(newer), newer.end) == ([[0, 1, 2], [2, 2, 2]], 4)
    assert runs(owned) == [[0, 1, 1]]
