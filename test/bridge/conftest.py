"""Setup for every test of the bridge."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import dask
import pytest
from distributed import Client, LocalCluster

from jupyter import ENVIRONMENT, FORK, RealKernel, SharedKernel

# Most clusters of the tests have no dashboard: Bokeh takes a second to import. Each serves its metrics anyway,
# and warns where another one has the usual port. Kernels, workers and scripts inherit this.
os.environ["PYTHONWARNINGS"] = "ignore:Port 8787 is already in use"
# Dask warns of an event loop that was blocked for three seconds: on a busy machine this is not a fault, and would be
# output where a test expects none.
os.environ["DASK_DISTRIBUTED__ADMIN__TICK__LIMIT"] = "1 hour"
dask.config.set({"distributed.admin.tick.limit": "1 hour"})
# Every two seconds Dask drops copies of results that no task needs, including those that a test has just created.
dask.config.set({"distributed.scheduler.active-memory-manager.start": False})
# Kernels of their own and hosted clusters start their workers as they do for a user.
exec(FORK)


@pytest.fixture(autouse=True)
def every_client_is_closed() -> Iterator[None]:
    """A client left open would be found by the next test, which searches for all clients of the process."""
    yield
    left = [client for client in Client._instances if client.status not in ("closed", "closing")]
    for client in left:
        client.close()
    assert not left


@pytest.fixture(autouse=True)
def recorders_are_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine workers take longer to answer than the end of a block would let a user wait."""
    monkeypatch.setattr("dask_panes.files.block.feed.PATIENCE", 60.0)
    monkeypatch.setattr("dask_panes.files.block.feed.SERVER_PATIENCE", 20.0)


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    """Two workers in separate processes, for tests that do not change them."""
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


@pytest.fixture
def own_port() -> int:
    """A port that no process is given by chance: systems give out those from 32768 on."""
    begin = 20_000 + os.getpid() % 10_000
    for port in range(begin, 32_000):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@pytest.fixture(scope="session")
def shared_kernel() -> Iterator[SharedKernel]:
    shared = SharedKernel()
    yield shared
    shared.end()


@pytest.fixture
def kernel(shared_kernel: SharedKernel) -> Iterator[RealKernel]:
    """A shared kernel: for tests that change only clients and variables."""
    yield shared_kernel.lend()
    shared_kernel.take_back()


@pytest.fixture
def new_kernel() -> Iterator[RealKernel]:
    """A separate, activated kernel: for a test that needs a new one, or changes our modules."""
    with RealKernel(env=ENVIRONMENT, activated=True) as kernel:
        yield kernel
