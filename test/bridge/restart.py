"""Restarts a cluster in a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, LocalCluster

WORKERS = 2


@contextmanager
def restartable() -> Iterator[Client]:
    """A client of a cluster whose workers are in this process, for use with `restart`."""
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def restart(client: Client) -> None:
    """Restart as `Client.restart` does, and give the scheduler new workers.

    Workers in separate processes would be restarted by their nannies. On a busy machine this sometimes fails: a nanny
    that kills its worker races with the one that restarts it, and Dask then waits until its time-out, for nothing.
    """
    client.restart(wait_for_workers=False)
    client.cluster.scale(len(client.cluster.worker_spec) + WORKERS)
    client.wait_for_workers(WORKERS)
