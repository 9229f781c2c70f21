"""What Dask and Python do without promising it, and we rely on: a release that does otherwise is noticed here."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pytest
from distributed import Client, LocalCluster, SpecCluster, wait

from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.hook import RETRY


@pytest.mark.parametrize(("name", "text"), ship.sources())
def test_schedulers_with_python_3_9_can_run_the_collector(name: str, text: str) -> None:
    """Dask 2024.8 runs there; kernels need a newer one."""
    tree = ast.parse(text, name, feature_version=(3, 9))
    zips = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip"]
    assert not any(keyword.arg == "strict" for call in zips for keyword in call.keywords)


def fail(_: int) -> None:
    raise ValueError("no")


def test_the_stimulus_of_tasks_that_are_tried_again_begins_as_it_did() -> None:
    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        failed = client.submit(fail, 1)
        wait(failed)
        failed.retry()
        stimuli = [entry[4] for entry in cluster.scheduler.transition_log if entry[:2] == (failed.key, "erred")]
        assert stimuli
        assert all(stimulus.startswith(RETRY) for stimulus in stimuli)


def test_the_clusters_of_a_process_are_listed() -> None:
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        assert cluster in list(SpecCluster._instances)


def test_a_module_says_whether_its_import_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "being_imported.py").write_text("during = __spec__._initializing\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("being_imported")
    try:
        assert module.during is True
        assert getattr(module.__spec__, "_initializing", False) is False
    finally:
        del sys.modules["being_imported"]
