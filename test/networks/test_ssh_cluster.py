"""A real ``SSHCluster`` over a daemon of the test's own: workers without dask_panes, a user with our wheel.

``npm run test:networks`` names the daemon's program and the interpreters of the user and of the machines. Keys and
configuration are the test's own; nothing in ``~/.ssh`` is read or changed.
"""

from __future__ import annotations

import getpass
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bridge"))

from jupyter import ACTIVATE, RealKernel, Refused

SSHD = os.environ["DASK_PANES_TEST_SSHD"]
CLIENT = os.environ["DASK_PANES_TEST_SSH_CLIENT"]
MACHINES = os.environ["DASK_PANES_TEST_SSH_MACHINES"]

MIME_TYPE = "application/vnd.dask-panes.client+json"

pytestmark = pytest.mark.timeout(300)

MAKE = """
import json
from distributed import Client, SSHCluster
cluster = SSHCluster(
    ["127.0.0.1"] * 3, connect_options=json.loads({options!r}), remote_python={python!r},
    scheduler_options={{"port": 0, "dashboard_address": ":0"}}, worker_options={{"nthreads": 2}},
)
client = Client(cluster)
"""
TASK = """
def inside(x):
    from distributed import get_client, worker_client
    with worker_client() as own:
        first = own.submit(abs, x).result()
    return first + get_client().submit(abs, x + 1).result()
def package():
    import importlib.util
    return importlib.util.find_spec("dask_panes") is not None
"""


@pytest.fixture(scope="module")
def connecting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """How to connect to the daemon: ``connect_options`` of an ``SSHCluster``."""
    folder = tmp_path_factory.mktemp("ssh")
    folder.chmod(0o700)
    for name in ("host-key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lines = [
        f"ListenAddress 127.0.0.1:{port}",
        f'HostKey "{folder / "host-key"}"',
        f'AuthorizedKeysFile "{folder / "key.pub"}"',
        "PidFile none",
        "StrictModes no",
        "UsePAM no",
        "PasswordAuthentication no",
        "KbdInteractiveAuthentication no",
        "PermitRootLogin prohibit-password",
    ]
    (folder / "sshd-config").write_text("\n".join(lines) + "\n")
    if os.geteuid() == 0:
        # The daemon of the machine makes it when it starts, and none may run here.
        Path("/run/sshd").mkdir(mode=0o755, parents=True, exist_ok=True)
    with (folder / "log").open("w") as log:
        daemon = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "sshd-config"], stderr=log)
    try:
        until(lambda: answers(port))
        options = {"port": port, "username": getpass.getuser(), "client_keys": [str(folder / "key")]}
        options |= {"known_hosts": None, "config": None}
        yield options
    finally:
        daemon.terminate()
        daemon.wait(10)


@pytest.fixture(scope="module")
def make(connecting: dict[str, Any]) -> str:
    """Source that makes `cluster` and `client`."""
    return MAKE.format(options=json.dumps(connecting), python=MACHINES)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(condition: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.1)
    return found


def test_a_script_whose_task_calls_get_client(make: str, tmp_path: Path) -> None:
    body = make + "print(client.submit(inside, -30).result(), any(client.run(package).values()))\n"
    body += "client.close()\ncluster.close()\n"
    script = tmp_path / "script.py"
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    script.write_text(f"{TASK}\nif __name__ == '__main__':\n{indented}")
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(
        [CLIENT, script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "59 False\n"
    assert "dask_panes" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def kernel(make: str) -> Iterator[RealKernel]:
    with RealKernel(CLIENT, env={"PYTHONPATH": ""}) as running:
        running.finish(running.start(ACTIVATE, silent=True))
        running.run(make, timeout=120)
        yield running
        running.run("client.close(); cluster.close()")


def test_panes_show_its_tasks_and_the_card_says_what_works(kernel: RealKernel) -> None:
    kernel.run(TASK)
    assert kernel.run("print(client.submit(inside, -30).result())") == "59\n"
    assert kernel.run("print(any(client.run(package).values()))") == "False\n"
    subscription = kernel.subscribe()
    (facts,) = (client for client in subscription.clients if client["status"] == "running")
    assert (facts["cluster"], facts["workers"], facts["limited"]) == ("SSHCluster", 2, "")
    subscription.want(facts["key"], ["tasks", "prefixes"])
    rows = 0
    for frame in subscription.frames(facts["key"], 30):
        rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
        if rows == 3:
            break
    assert rows == 3

    # Dask itself cannot add workers to it: cluster.scale(3) would make workers of None.
    sentence = "SSHCluster has a fixed number of workers: Dask can neither scale nor adapt it. Create a new one."
    assert facts["scaling"] == sentence
    for name, arguments in (("scale", {"workers": 3}), ("adapt", {"minimum": 1, "maximum": 2})):
        with pytest.raises(Refused, match="SSHCluster has a fixed number of workers"):
            kernel.ask("act", client=facts["key"], name=name, args=arguments)
    shown = [message["content"].get("data", {}) for message in kernel.finish(kernel.start("cluster"))]
    (card,) = [data for data in shown if MIME_TYPE in data]
    assert card[MIME_TYPE]["scaling"] == sentence
    assert "SSHCluster" in card["text/html"]
    assert kernel.run("print(len(cluster.scheduler_info['workers']))") == "2\n"


def test_it_is_hosted_where_the_configuration_says_so(connecting: dict[str, Any], tmp_path: Path) -> None:
    arguments = {
        "hosts": ["127.0.0.1"] * 3,
        "connect-options": connecting,
        "remote-python": MACHINES,
        "scheduler-options": {"port": 0, "dashboard_address": ":0"},
        "worker-options": {"nthreads": 2},
    }
    factory = {"module": "distributed", "class": "SSHCluster", "kwargs": arguments}
    # JSON is YAML.
    (tmp_path / "site.yaml").write_text(json.dumps({"labextension": {"factory": factory}}))
    env = {"PYTHONPATH": "", "DASK_CONFIG": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    with RealKernel(CLIENT, env=env) as host, RealKernel(CLIENT, env=env) as notebook:
        host.run("import dask_panes.clusters.host as host; host.serve()")
        host.ask("host.start", name="machines")
        facts = until(lambda: settled(host), 120)
        assert (facts["state"], facts["class"], facts["error"]) == ("running", "SSHCluster", "")
        assert facts["fixed"].startswith("SSHCluster has a fixed number of workers")
        facts = until(lambda: (found := state(host))["workers"] == 2 and found)
        assert facts["threads"] == 4
        with pytest.raises(Refused, match="can neither scale nor adapt it"):
            host.ask("host.scale", workers=3)
        notebook.run(ACTIVATE + "\nimport dask_panes; client = dask_panes.connect('machines')")
        assert notebook.run("future = client.submit(abs, -2); print(future.result())") == "2\n"
        # Its scheduler is another process.
        until(lambda: state(host)["tasks"] == 1)
        notebook.run("client.close()")
        host.ask("host.stop")
        until(lambda: state(host)["state"] == "closed")
        assert list((tmp_path / "runtime").glob("dask-panes-*")) == []


def state(host: RealKernel) -> dict[str, Any]:
    return dict(host.ask("host.state")["value"])


def settled(host: RealKernel) -> dict[str, Any] | None:
    facts = state(host)
    return facts if facts["state"] != "starting" else None
