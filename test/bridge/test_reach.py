"""Every kind of Client is seen from its first task on: of processes, of threads, of a scheduler somewhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

from jupyter import ENVIRONMENT, PATIENT, RealKernel, Subscription
from processes import end

#: A scheduler with a worker, in an environment that has never heard of us; says its address, ends with its stdin.
REMOTE = """
import asyncio, importlib.util, sys
from distributed import Scheduler, Worker

async def main(waits):
    assert importlib.util.find_spec("dask_panes") is None
    async with Scheduler(port=0, dashboard_address=None) as scheduler, Worker(scheduler.address, nthreads=2):
        register = scheduler.handlers["register_scheduler_plugin"]

        async def slowly(*args, **kwargs):
            while waits and "go" not in scheduler.task_metadata:
                await asyncio.sleep(0.01)
            return await register(*args, **kwargs)

        scheduler.handlers["register_scheduler_plugin"] = slowly
        print(scheduler.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main(sys.argv[1] == "True"))
"""

#: Starts a scheduler, whose registration of a plugin waits for `GO` if that is wanted; gives its address.
GO = "client.set_metadata('go', True)"
Remote = Callable[[bool], str]
#: Lets `Client()` wait for the registration no longer than it does for a user.
IMPATIENT = "import dask_panes.kernel.session.session as _s; _s.REGISTRATION_PATIENCE = 0.1; del _s"


def clean() -> dict[str, str]:
    """The environment without what leads to the packages of this one; Dask logs only what goes wrong."""
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return {**kept, "DASK_LOGGING__DISTRIBUTED": "warning"}


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with distributed and without us."""
    folder = tmp_path_factory.mktemp("elsewhere") / "venv"
    uv, python = Path(sys.executable).parent / "uv", folder / "bin" / "python"
    for command in (
        [uv, "venv", "--python", sys.executable, folder],
        [uv, "pip", "install", "--python", python, f"distributed=={distributed.__version__}"],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=clean())
        assert done.returncode == 0, done.stderr
    return python


@pytest.fixture
def remote(elsewhere: Path) -> Iterator[Remote]:
    started: list[subprocess.Popen[str]] = []

    def start(waits: bool) -> str:
        command = [elsewhere, "-c", REMOTE, str(waits)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=clean())
        started.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip()

    yield start
    for process in started:
        _, log = end(process)
        assert process.returncode == 0
        assert log is not None
        # A scheduler warns of every question to a handler that it does not have (yet).
        assert "dask_panes" not in log


class Pane:
    """What a pane of the only client of a kernel receives."""

    def __init__(self, kernel: RealKernel) -> None:
        self._subscription: Subscription = kernel.subscribe()
        (self.client,) = (c for c in self._subscription.clients if c["status"] == "running")
        self._subscription.want(self.client["key"], ["meta", "tasks"])
        self.meta: dict[str, Any] = {}
        self.rows = 0

    def until(self, rows: int) -> Pane:
        """Take frames until there are this many executions, or a minute has passed."""
        for frame in self._subscription.frames(self.client["key"]):
            self.meta = frame["topics"].get("meta", {}).get("s", self.meta)
            self.rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
            if self.meta and self.rows >= rows:
                break
        return self


@pytest.mark.parametrize(
    ("arguments", "cluster"),
    [
        ("n_workers=2, threads_per_worker=1, dashboard_address=None", "LocalCluster"),
        ("n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False", "LocalCluster"),
        ("", "Scheduler"),
    ],
    ids=["processes", "threads", "elsewhere"],
)
def test_a_late_pane_sees_the_first_task(kernel: RealKernel, remote: Remote, arguments: str, cluster: str) -> None:
    kernel.run(f"from distributed import Client\nclient = Client({arguments or repr(remote(False))})")
    kernel.run("futures = client.map(lambda x: x + 1, range(50)); client.gather(futures)")
    pane = Pane(kernel).until(50)
    assert (pane.client["variable"], pane.client["cluster"], pane.client["limited"]) == ("client", cluster, "")
    assert (pane.rows, pane.meta["earlier_tasks"]) == (50, 0)


def test_a_second_kernel_sees_what_the_first_one_ran(kernel: RealKernel, remote: Remote) -> None:
    address = remote(False)
    kernel.run(f"from distributed import Client\nclient = Client({address!r})")
    kernel.run("client.gather(client.map(lambda x: x + 1, range(30))) and None")
    with RealKernel(env=ENVIRONMENT, activated=True) as second:
        second.run(PATIENT)
        second.run(f"from distributed import Client\nclient = Client({address!r})")
        pane = Pane(second).until(30)
        assert (pane.rows, pane.meta["earlier_tasks"]) == (30, 0)
        # What the first kernel leaves behind is not taken away from the second.
        kernel.run("client.close()")
        second.run("client.submit(abs, -1).result()")
        assert pane.until(31).rows == 31


def test_a_slow_registration_holds_nobody_up(kernel: RealKernel, remote: Remote) -> None:
    kernel.run(f"{IMPATIENT}\nfrom distributed import Client")
    address = remote(True)
    # The registration cannot end: that `Client()` returns shows that it is not waited for.
    kernel.run(f"client = Client({address!r})")
    assert kernel.run("print(client.submit(abs, -1).result(), end='')") == "1"
    kernel.run(
        "import dask_panes.kernel.activate as activate\nsession = activate.channel().clients.sessions[client.id]"
    )
    assert kernel.run("print(session.link.registered.done(), end='')") == "False"
    kernel.run(GO)
    assert Pane(kernel).until(0).meta["earlier_tasks"] == 1


def test_what_ended_before_a_slow_registration_is_counted(kernel: RealKernel, remote: Remote) -> None:
    kernel.run(f"{IMPATIENT}\nfrom distributed import Client\nclient = Client({remote(True)!r})")
    kernel.run("kept = client.map(lambda x: x + 1, range(20)); client.gather(kept)")
    kernel.run("def fail(): raise ValueError\nfailed = client.submit(fail); failed.exception()")
    # Results that nobody holds any more: the scheduler has forgotten these tasks.
    kernel.run("client.gather(client.map(lambda x: x + 2, range(10))) and None")
    kernel.run(GO)
    pane = Pane(kernel).until(0)
    assert (pane.rows, pane.meta["earlier_tasks"]) == (0, 31)
    kernel.run("client.gather(client.map(lambda x: x + 3, range(5))) and None")
    assert pane.until(5).rows == 5
