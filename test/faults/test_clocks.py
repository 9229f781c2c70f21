"""A worker whose whole computer has a wrong clock, by `faketime`: bars are where they belong anyway."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from distributed import Client, LocalCluster

from test_faults import check_bars


@pytest.mark.parametrize("ahead", [5.0, -5.0, 3600.0])
def test_bars_of_a_worker_on_a_computer_with_a_wrong_clock(ahead: float) -> None:
    faketime = shutil.which("faketime")
    assert faketime is not None
    # The monotonic clock counts from the start of a computer and is never set.
    wrong = [faketime, "-m", "--exclude-monotonic", "-f", f"{ahead:+.0f}s"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "2"]
    cluster = LocalCluster(n_workers=0, processes=False, protocol="tcp://", dashboard_address=":0")
    with cluster, Client(cluster) as client, subprocess.Popen([*wrong, *worker, cluster.scheduler_address]) as process:
        try:
            check_bars(client, ahead)
        finally:
            process.kill()
