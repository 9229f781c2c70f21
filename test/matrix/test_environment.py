"""One pair of the version matrix: a kernel of one environment, a scheduler of the same or of another.

``npm run test:matrix`` makes the environments and names their interpreters in ``MATRIX_KERNEL`` and
``MATRIX_SCHEDULER``; this package is on the kernel's path only.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bridge"))

from jupyter import ACTIVATE, BRIDGE, RealKernel, becomes
from test_actions import act, client_of

KERNEL = os.environ["MATRIX_KERNEL"]
SCHEDULER = os.environ["MATRIX_SCHEDULER"]

#: A scheduler with a worker, without us; says its address, ends with its stdin.
REMOTE = """
import asyncio, importlib.util, sys
from distributed import Scheduler, Worker

async def main():
    assert importlib.util.find_spec("dask_panes") is None
    async with Scheduler(port=0, dashboard_address=":0") as scheduler, Worker(scheduler.address, nthreads=2):
        print(scheduler.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""

TOPICS = ["meta", "tasks", "workers", "prefixes", "series", "events"]


@pytest.fixture
def kernel() -> Iterator[RealKernel]:
    with RealKernel(KERNEL, env={"DASK_CONFIG": str(BRIDGE / "dask_panes.yaml")}) as running:
        running.finish(running.start(ACTIVATE, silent=True))
        yield running


@pytest.fixture
def remote() -> Iterator[str]:
    """Address of a scheduler of the other environment."""
    env = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    pipe = subprocess.PIPE
    process = subprocess.Popen([SCHEDULER, "-c", REMOTE], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    _, log = process.communicate(timeout=30)
    assert process.returncode == 0, log
    assert "Traceback" not in log
    # Dask's own line for each of the handlers that are put into a worker (docs/security.md), and nothing else of ours.
    ours = [line for line in log.splitlines() if "dask_panes" in line]
    assert all(" - INFO - Run out-of-band function 'dask_panes_" in line for line in ours), ours
    assert len(ours) <= 4


def watch(kernel: RealKernel, rows: int) -> dict[str, Any]:
    """Names, rows and the last states that a pane receives until there is this number of executions."""
    subscription = kernel.subscribe()
    (client,) = (c for c in subscription.clients if c["status"] == "running")
    assert client["limited"] == ""
    key = client["key"]
    subscription.want(key, TOPICS)
    seen: dict[str, Any] = {"key": key, "rows": 0, "prefixes": [], "topics": set(), "done": 0}
    for frame in subscription.frames(key, 20):
        seen["prefixes"] += frame["names"].get("prefixes", {}).get("values", [])
        seen["topics"] |= set(frame["topics"])
        seen["rows"] += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
        if "prefixes" in frame["topics"]:
            columns = frame["topics"]["prefixes"]["c"]
            seen["done"] = sum(columns["memory"])
        if seen["rows"] >= rows and seen["topics"].issuperset(TOPICS) and seen["done"] == rows:
            break
    return seen


def check(kernel: RealKernel, connect: str) -> None:
    # A function of the user would be sent as bytecode, which another Python cannot run; one of Python is sent by name.
    kernel.run(f"from distributed import Client\nclient = {connect}\nfutures = client.map(abs, range(-40, 0))")
    assert kernel.run("print(sum(client.gather(futures)))") == "820\n"
    seen = watch(kernel, 40)
    assert seen["rows"] == 40
    assert seen["done"] == 40
    assert seen["prefixes"] == ["abs"]
    assert seen["topics"].issuperset(TOPICS)
    found = {kernel.ask("request", client=seen["key"], name="key", args={"row": row})["key"] for row in range(40)}
    assert found == set(kernel.run("print(*(f.key for f in futures))").split())
    kinds = [message["msg_type"] for message in kernel.finish(kernel.start("client.submit(str, -1).result();"))]
    assert kinds == ["status", "execute_input", "status"]
    kernel.run("client.close()")


def test_cluster_of_processes(kernel: RealKernel) -> None:
    check(kernel, "Client(n_workers=2, threads_per_worker=1, dashboard_address=':0')")


def test_cluster_of_threads(kernel: RealKernel) -> None:
    check(kernel, "Client(processes=False, n_workers=1, dashboard_address=':0')")


def test_encrypted_cluster(kernel: RealKernel) -> None:
    kernel.run("from distributed import LocalCluster\nfrom distributed.security import Security")
    kernel.run("cluster = LocalCluster(n_workers=1, dashboard_address=':0', security=Security.temporary())")
    assert kernel.run("print(cluster.scheduler_address.split(':')[0])") == "tls\n"
    check(kernel, "Client(cluster)")


def test_scheduler_elsewhere(kernel: RealKernel, remote: str) -> None:
    check(kernel, f"Client({remote!r})")


def test_a_restart_of_the_cluster(kernel: RealKernel) -> None:
    kernel.run("from distributed import Client\nclient = Client(n_workers=1, dashboard_address=':0')")
    kernel.run("client.gather(client.map(abs, range(10)))\nclient.restart()")
    kernel.run("client.gather(client.map(str, range(15)))")
    seen = watch(kernel, 15)
    assert seen["rows"] == 25


#: Two workers that can be restarted, and functions to hold, to fail and to add.
ACTED_ON = """
from distributed import Client, Event, LocalCluster, wait
cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
client, scheduler = Client(cluster), cluster.scheduler
def held(number):
    Event("gate").wait()
    return number
def fails(gate):
    import os
    if not os.path.exists(gate):
        raise ValueError("not yet")
    return 1
"""


def test_actions_of_the_card_and_of_menus(kernel: RealKernel, tmp_path: Path) -> None:
    kernel.run(ACTED_ON)
    target = {"client": client_of(kernel)["key"]}
    kernel.run("from dask_panes.kernel import activate; activate.channel()._actions._patience = 300")

    assert act(kernel, "scale", target, workers=3)["asked"] == 3
    becomes(kernel, "len(scheduler.workers)", "3")
    assert act(kernel, "adapt", target, minimum=2, maximum=3)["adaptive"] == [2, 3]
    assert act(kernel, "scale", target, workers=2)["adaptive"] is None
    becomes(kernel, "len(scheduler.workers)", "2")

    kernel.run("waiting = client.map(held, range(8), key='held')")
    becomes(kernel, "len(scheduler.tasks)", "8")
    plan = act(kernel, "plan_cancel", target, prefix="held")
    assert act(kernel, "cancel", target, plan=plan["plan"])["done"] == 8
    assert kernel.run("print({f.status for f in waiting}, client.status)") == "{'cancelled'} running\n"
    kernel.run("Event('gate').set(); del waiting")

    gate = tmp_path / "gate"
    kernel.run(f"bad = client.map(fails, [{str(gate)!r}] * 3, key='bad', pure=False)\nwait(bad);")
    gate.touch()
    plan = act(kernel, "plan_retry", target, prefix="bad")
    assert act(kernel, "retry", target, plan=plan["plan"])["done"] == 3
    assert kernel.run("print(sum(client.gather(bad)))") == "3\n"

    assert act(kernel, "trim", target)["workers"] == 2
    first = kernel.run("print(sorted(scheduler.workers)[0])").strip()
    kernel.run("import os\nbefore = set(client.run(os.getpid).values())")
    act(kernel, "restart_worker", target, worker=first)
    becomes(kernel, "len(scheduler.workers)", "2")
    assert kernel.run("print(len(before & set(client.run(os.getpid).values())))") == "1\n"

    act(kernel, "retire", target, worker=kernel.run("print(sorted(scheduler.workers)[0])").strip())
    becomes(kernel, "len(scheduler.workers)", "1")
    # Whatever was computed on the worker that left has moved.
    assert kernel.run("print(sum(client.gather(bad)))") == "3\n"
    assert act(kernel, "restart", target)["workers"] == 1
    becomes(kernel, "len(scheduler.workers)", "1")
    assert kernel.run("print({f.status for f in bad})") == "{'cancelled'}\n"
    kernel.run("client.close(); cluster.close()")
