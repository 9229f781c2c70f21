"""The bounds of memory that docs/security.md states are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from dask_panes.kernel.gather import logs, profile_log, transfers
from dask_panes.kernel.gather.probes import logs as log_lines
from dask_panes.local import ledger, record
from dask_panes.scheduler.collector import (
    activities,
    attempts,
    bandwidth,
    claims,
    computations,
    error_texts,
    errors,
    events,
    executed,
    graph,
    memory_samples,
    names,
    owned,
    parts,
    recent,
    running,
    shares,
    shuffles,
    steals,
    submission,
    wants,
    worker_series,
    workers,
)

PAGE = Path(__file__).parents[2] / "docs" / "security.md"


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (parts.RING_ROWS, "executions with their keys (%s: "),
        (graph.LIMIT, "the graph of %s tasks"),
        (graph.EDGE_LIMIT, "%s dependencies"),
        (executed.ROWS, "dependencies and %s executions"),
        (claims.LIMIT, "%s tasks that have not ended"),
        (2 * claims.KNOWN, "%s keys of ended ones"),
        (running.MOST_ROWS, "%s running tasks"),
        (attempts.TIMED, "%s attempts"),
        (steals.LIMIT, "%s steals"),
        (shuffles.SHUFFLES, "%s shuffles"),
        (errors.GROUPS, "%s groups of errors"),
        (
            error_texts.TYPE + error_texts.MESSAGE + errors.TRACEBACK + errors.KEY,
            "groups of errors with %s characters each",
        ),
        (errors.NAMED, "and %s names of workers and of functions"),
        (computations.LIMIT, "%s computations with"),
        (submission.CODE, "computations with %s characters of code"),
        (recent.LIMIT, "their newest %s graphs each"),
        (shares.LIMIT, "figures of %s of their functions"),
        (owned.LIMIT, "the rows of their tasks (%s runs)"),
        (computations.CELLS, "%s executions of cells"),
        (names.PREFIXES, "names of %s functions"),
        (names.GROUPS + names.GROUPS // 10, "%s groups of tasks"),
        (names.LONGEST, "groups of tasks, %s characters each"),
        (workers.LOST_LIMIT, "%s workers that left"),
        (names.LAST_INDEX, "%s threads of workers"),
        (wants.PLANS, "%s plans of actions"),
        (wants.MOST, "plans of actions with %s tasks each"),
        (worker_series.WORKER_VALUES, "%s values by worker (16 MB)"),
        (memory_samples.SAMPLES, "%s samples of `MemorySampler` (10 MB)"),
        (events.LIMIT, "%s events"),
        (events.TEXT_LIMIT, "events of %s characters"),
        (bandwidth.PAIRS, "the bandwidth of %s pairs"),
        (activities.ROWS, "%s fine metrics"),
        (transfers.ROWS, "%s transfers"),
        (logs.ROWS, "%s log lines"),
        (log_lines.TEXT, "log lines of %s characters"),
        (profile_log.ROWS, "%s rows of profiles (10 MB)"),
        (profile_log.STACKS, "with %s stacks"),
        (record.RING_ROWS, "of computations without a client %s executions"),
        (ledger.HELD_POINTS, "%s points of results"),
    ],
)
def test_bound(bound: int, words: str) -> None:
    assert words % f"{bound:,}" in PAGE.read_text(encoding="utf-8")
