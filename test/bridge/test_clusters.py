"""Clusters in a kernel of their own: started by the control channel, found by name, ended whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import re
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from distributed.comm import connect
from distributed.security import Security

import dask_panes
from dask_panes.clusters import connection, owner
from dask_panes.clusters.hosted import Hosted
from dask_panes.clusters.options import ClusterOptions
from dask_panes.kernel.cell.facts import facts as client_facts
from dask_panes.kernel.presets import Preset
from jupyter import BRIDGE, RealKernel, Refused

SERVE = "import dask_panes.clusters.host as _host; _host.serve(); del _host"
SMALL = {"workers": 2, "threads": 1, "memory": "512 MiB"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealKernel, Path]]:
    """One hosted cluster, `tests`, for all who do it no harm, and the runtime directory in which it is found."""
    folder = tmp_path_factory.mktemp("runtime")
    env = {"JUPYTER_RUNTIME_DIR": str(folder), "DASK_DASK_PANES__HOSTING__ACTIVITY_INTERVAL": "500ms"}
    with hosting(env) as kernel:
        started(kernel, dashboard="127.0.0.1:0")
        yield kernel, folder


@pytest.fixture
def cluster(shared: tuple[RealKernel, Path], monkeypatch: pytest.MonkeyPatch) -> RealKernel:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(shared[1]))
    return shared[0]


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime directory of the test's own, for this process and for its kernels."""
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder))
    return folder


def hosting(env: dict[str, str] | None = None) -> Any:
    class Hosting(RealKernel):
        def __enter__(self) -> Hosting:
            super().__enter__()
            self.finish(self.start(SERVE, silent=True))
            return self

    return Hosting(env=env)


def until(kernel: RealKernel, *states: str) -> dict[str, Any]:
    """What the kernel hosts, once it is in one of these states."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        facts = kernel.ask("host.state")["value"]
        if facts["state"] in states:
            return dict(facts)
        assert facts["state"] not in ("failed", "closed"), facts
        time.sleep(0.1)
    raise AssertionError(facts)


def started(kernel: RealKernel, name: str = "tests", **options: Any) -> dict[str, Any]:
    kernel.ask("host.start", name=name, **{**SMALL, **options})
    return until(kernel, "running")


def eventually(condition: Callable[[], bool], seconds: float = 180) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def workers_of(kernel: psutil.Process) -> list[psutil.Process]:
    """The worker processes of a kernel; Python's own helper of multiprocessing is not one."""
    children = kernel.children(recursive=True)
    found = []
    for child in children:
        # One that has just ended says nothing of itself.
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.is_running() and "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


def process_of(kernel: RealKernel) -> psutil.Process:
    return psutil.Process(kernel.pid)


# -- a cluster that runs ----------------------------------------------------------------------------------------------


def test_it_says_what_it_is_and_computes_for_each_client_that_connects(cluster: RealKernel) -> None:
    # Clients of other tests leave a moment after they have closed.
    assert eventually(lambda: until(cluster, "running")["clients"] == 0)
    facts = until(cluster, "running")
    assert (facts["workers"], facts["threads"], facts["memory"]) == (2, 2, 2 * 512 * 2**20)
    assert facts["name"] == "tests" and facts["clients"] == 0
    assert facts["dashboard"].startswith("http://127.0.0.1:")
    with dask_panes.connect("tests") as client:
        assert client.submit(sum, [1, 2, 3]).result(timeout=30) == 6
        assert until(cluster, "running")["clients"] == 1
        client.publish_dataset(kept=[client.submit(max, 1, 2)])
    # Nobody is connected any more: what is published stays.
    assert eventually(lambda: until(cluster, "running")["clients"] == 0, seconds=30)
    with dask_panes.connect("tests") as client:
        assert client.get_dataset("kept")[0].result(timeout=30) == 2
        client.unpublish_dataset("kept")

        def nested() -> Any:
            from distributed import get_client

            return get_client().submit(max, 1, 3).result()

        # The client of a worker stays connected, and is nobody's.
        assert client.submit(nested).result(timeout=60) == 3
        assert until(cluster, "running")["clients"] == 1
    assert eventually(lambda: until(cluster, "running")["clients"] == 0, seconds=30)
    # Panes of the hosting kernel go by its own client.
    assert [info["key"] for info in cluster.ask("hello")["clients"]] == [facts["client"]]


async def test_asynchronous_clients_connect_too(cluster: RealKernel) -> None:
    async with dask_panes.connect("tests", asynchronous=True) as client:
        assert await client.submit(max, 1, 2) == 2


async def test_only_tls_with_its_own_credentials_on_the_loopback_interface(cluster: RealKernel) -> None:
    own = process_of(cluster)
    address = connection.read("tests").address
    assert address.startswith("tls://127.0.0.1:")
    strange = Security.temporary().get_connection_args("client")
    for where, how in ((address, {}), (address.replace("tls://", "tcp://"), {}), (address, strange)):
        with pytest.raises((OSError, TypeError)):
            await connect(where, timeout=2, **how)
    with socket.create_connection(("127.0.0.1", int(address.rsplit(":", 1)[1]))) as peer:
        peer.settimeout(5)
        # A TLS server says nothing before the client's hello, and ends the conversation after nonsense.
        peer.sendall(b"\0" * 64)
        heard = b""
        with contextlib.suppress(ConnectionError, TimeoutError):
            while part := peer.recv(4096):
                heard += part
        # At most an alert record of TLS (type 21), never a frame of Dask's own protocol.
        assert heard == b"" or heard[0] == 21, heard
    ports = [
        listener.laddr
        for process in [own, *own.children(recursive=True)]
        for listener in process.net_connections()
        if listener.status == psutil.CONN_LISTEN
    ]
    assert len(ports) >= 6
    assert {port.ip for port in ports} <= {"127.0.0.1", "::1"}


def test_the_file_is_its_owners_alone_and_nothing_secret_is_sent(
    cluster: RealKernel, shared: tuple[RealKernel, Path]
) -> None:
    path = connection.path_of("tests")
    assert path.parent == shared[1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = connection.read("tests")
    answers = json.dumps([cluster.ask("host.state"), cluster.ask("hello")])
    secret = found.key.splitlines()[3]
    assert "PRIVATE KEY" in found.key
    assert secret not in answers and "PRIVATE KEY" not in answers
    assert secret not in repr(found) and secret not in found.certificate


def test_a_kernel_hosts_one_cluster_and_a_name_is_given_once(cluster: RealKernel) -> None:
    with pytest.raises(Refused, match="'tests' is running already"):
        cluster.ask("host.start", name="tests", **SMALL)
    with pytest.raises(Refused, match="already hosts a cluster"):
        cluster.ask("host.start", name="second", **SMALL)
    with pytest.raises(Refused, match="name of a cluster"):
        cluster.ask("host.start", name="../tests", **SMALL)


def test_a_cluster_with_tasks_says_so_to_the_server_an_idle_one_is_silent(cluster: RealKernel) -> None:
    def signs(seconds: float, enough: int = 100) -> int:
        """Signs of activity in some seconds, or until there are enough."""
        end, count = time.monotonic() + seconds, 0
        while (rest := end - time.monotonic()) > 0 and count < enough:
            with contextlib.suppress(queue.Empty):
                message = cluster.client.get_iopub_msg(timeout=rest)
                count += message["content"].get("comm_id") == "dask-panes-activity"
        return count

    def without_tasks() -> None:
        """Wait until there is no task, and until every sign has come that was given before."""
        assert eventually(lambda: until(cluster, "running")["tasks"] == 0)
        # It is answered by the loop that gives the signs.
        cluster.ask("host.scale", workers=SMALL["workers"])
        cluster.run("pass")

    without_tasks()
    assert signs(2) == 0
    with dask_panes.connect("tests") as client:
        future = client.submit(abs, -1)
        assert future.result(timeout=30) == 1
        # A result that is held in memory would be lost: that is use too.
        assert signs(60, 3) == 3
        del future
    without_tasks()
    assert signs(2) == 0


def test_nothing_else_waits_for_a_class_that_takes_its_time(cluster: RealKernel) -> None:
    cluster.run(
        """
import asyncio, threading
from dask_panes.clusters import hosting
from dask_panes.clusters.hosted import Hosted
adapt, patience, go = Hosted.adapt, hosting._PATIENCE, threading.Event()
async def slow(self, minimum, maximum):
    while not go.is_set():
        await asyncio.sleep(0.05)
    raise ValueError("no more machines")
Hosted.adapt, hosting._PATIENCE = slow, 120
"""
    )
    try:
        asked = cluster.send("daskPanes", {"op": "host.adapt", "minimum": 1, "maximum": 2})
        # The class has not answered yet.
        assert until(cluster, "running")["problem"] == ""
        cluster.run("go.set()")
        body = cluster.reply(asked)["content"]["body"]
        assert body["message"] == "ValueError: no more machines"
    finally:
        cluster.run("go.set(); Hosted.adapt, hosting._PATIENCE = adapt, patience")
        cluster.ask("host.scale", workers=SMALL["workers"])


# -- starting ---------------------------------------------------------------------------------------------------------


def test_a_failure_reports_its_traceback_and_leaves_nothing(runtime: Path) -> None:
    with hosting({"DASK_DISTRIBUTED__WORKER__PRELOAD": "no_such_module_to_load"}) as kernel:
        own = process_of(kernel)
        kernel.ask("host.start", name="tests", **SMALL)
        facts = until(kernel, "failed")
        assert "Traceback (most recent call last)" in facts["error"]
        assert "Nanny failed to start" in facts["error"] or "no_such_module_to_load" in facts["error"]
        assert not connection.path_of("tests").exists()

        assert eventually(lambda: workers_of(own) == [])
        assert kernel.ask("host.state")["value"]["workers"] == 0


def test_panes_of_a_cluster_are_fed_where_clients_of_users_are_not_attached(runtime: Path) -> None:
    with hosting({"DASK_DASK_PANES__ATTACH": "false"}) as kernel:
        facts = started(kernel)
        hello = kernel.ask("hello")
        assert [info["key"] for info in hello["clients"]] == [facts["client"]]
        assert "notice" not in hello


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"name": "../../evil"}, "name of a cluster"),
        ({"name": "a/b"}, "name of a cluster"),
        ({"name": "<img src=x>"}, "name of a cluster"),
        ({"name": ".hidden"}, "name of a cluster"),
        ({"name": "a\n"}, "name of a cluster"),
        ({"name": ""}, "name of a cluster"),
        ({"name": "a" * 65}, "name of a cluster"),
        ({"name": 7}, "name of a cluster"),
        ({"workers": -1}, "from 0 to 512"),
        ({"workers": "2"}, "from 0 to 512"),
        ({"workers": True}, "from 0 to 512"),
        ({"threads": 0}, "from 1 to 512"),
        ({"threads": 513}, "from 1 to 512"),
        ({"memory": "4"}, "with a unit"),
        ({"memory": "much"}, "with a unit"),
        ({"memory": "1 MiB"}, "at least 128 MiB"),
        ({"dashboard": ":99999"}, "this machine only"),
        ({"dashboard": "0.0.0.0:8787"}, "this machine only"),
        ({"dashboard": "example.org:80"}, "this machine only"),
    ],
)
def test_wrong_options_are_refused_in_words(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ClusterOptions.read({"name": "good", **options})


def test_options_are_read() -> None:
    assert ClusterOptions.read({"name": "a.b-c_1"}) == ClusterOptions("a.b-c_1")
    assert ClusterOptions.read({"name": "a", "workers": 0}) == ClusterOptions("a", 0)
    given = {"name": "x", "workers": 2, "threads": 3, "memory": " 1.5 GiB", "dashboard": ":8787"}
    assert ClusterOptions.read(given) == ClusterOptions("x", 2, 3, 3 * 2**29, "127.0.0.1:8787")


# -- scaling and ending -----------------------------------------------------------------------------------------------


def test_it_scales_adapts_and_stops_and_so_does_its_start(runtime: Path) -> None:
    def closed() -> bool:
        return bool(kernel.ask("host.state")["value"]["state"] == "closed")

    with hosting() as kernel:
        found = started(kernel, workers=0)
        assert (found["dashboard"], found["workers"], found["asked"]) == ("", 0, 0)
        with dask_panes.connect("tests") as client:
            # Dask names a port in any case; ours is no link that leads nowhere.
            assert client_facts(client)["dashboard"] == "" and "off" in client_facts(client)["dashboardReason"]
            assert "Client" in client._repr_html_()
        own = process_of(kernel)
        kernel.ask("host.scale", workers=3)
        assert eventually(lambda: until(kernel, "running")["workers"] == 3)
        assert kernel.ask("host.adapt", minimum=1, maximum=2)["value"]["adaptive"] == [1, 2]
        assert eventually(lambda: until(kernel, "running")["workers"] <= 2)
        with pytest.raises(Refused, match="greater than the maximum"):
            kernel.ask("host.adapt", minimum=3, maximum=2)
        with pytest.raises(Refused, match="from 0 to 512"):
            kernel.ask("host.scale", workers=-1)
        assert kernel.ask("host.stop")["value"]["state"] == "closing"
        assert eventually(closed)
        assert list(runtime.glob("dask-panes-*")) == []
        assert eventually(lambda: workers_of(own) == [])
        with pytest.raises(Refused, match="not running"):
            kernel.ask("host.scale", workers=1)
        kernel.ask("host.start", name="tests", **SMALL)
        kernel.ask("host.stop")
        assert eventually(closed)
        assert list(runtime.glob("dask-panes-*")) == []
        assert eventually(lambda: workers_of(own) == [])


@pytest.mark.parametrize("how", ["shutdown", "kill"])
def test_no_process_outlives_the_kernel(how: str, runtime: Path) -> None:
    with hosting() as kernel:
        started(kernel)
        own = process_of(kernel)
        children = own.children(recursive=True)
        assert len(children) >= 2
        if how == "shutdown":
            # What Jupyter does when it stops: it asks, and kills after five seconds.
            kernel.shutdown()
        else:
            own.kill()
        _, alive = psutil.wait_procs([own, *children], timeout=60)
        assert not alive
    # A kernel that is asked has the time to tidy up.
    if how == "shutdown":
        assert not connection.path_of("tests").exists()
    with pytest.raises((ConnectionError, LookupError), match=r"has ended|There is no cluster"):
        dask_panes.connect("tests")
    assert list(runtime.glob("dask-panes-*")) == []


PARENT = """
import sys, time
sys.path[:0] = [{bridge!r}, {here!r}]
from test_clusters import hosting, started, process_of
kernel = hosting().__enter__()
started(kernel)
own = process_of(kernel)
print(*[process.pid for process in [own, *own.children(recursive=True)]], flush=True)
time.sleep(600)
"""


def test_no_process_outlives_a_jupyter_that_is_killed(runtime: Path) -> None:
    code = PARENT.format(bridge=str(BRIDGE), here=str(Path(__file__).parent))
    with (
        # What is killed does not remove its temporary files.
        TemporaryDirectory(ignore_cleanup_errors=True) as temporary,
        subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": temporary},
        ) as jupyter,
    ):
        try:
            assert jupyter.stdout is not None
            processes = [psutil.Process(int(pid)) for pid in jupyter.stdout.readline().split()]
            assert len(processes) >= 3
        finally:
            jupyter.kill()
        _, alive = psutil.wait_procs(processes, timeout=60)
        for process in alive:
            process.kill()
        assert not alive


# -- connecting -------------------------------------------------------------------------------------------------------


def a_file(name: str = "tests", **changes: Any) -> Path:
    """A file of a cluster as this process would write it."""
    data = {
        "version": 3,
        "name": name,
        "address": "tls://127.0.0.1:1",
        "certificate": "C",
        "key": "K",
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "space": owner.space(),
        "birth": owner.birth(os.getpid()),
        "dashboard": False,
        "authority": "C",
        "module": "",
        **changes,
    }
    path = connection.path_of(name)
    path.touch(mode=0o600)
    path.write_text(json.dumps(data))
    return path


def renewed_before(path: Path, seconds: float) -> Path:
    """A file that nobody has renewed for some seconds."""
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_an_unknown_name_lists_the_known_ones(runtime: Path) -> None:
    with pytest.raises(LookupError, match=r"no cluster 'tests'. None is running: start one"):
        dask_panes.connect("tests")
    a_file("one")
    a_file("two")
    with pytest.raises(LookupError, match=r"no cluster 'tests'. Running: 'one', 'two'"):
        dask_panes.connect("tests")


def test_a_link_and_a_pipe_are_no_clusters(runtime: Path) -> None:
    a_file("one")
    file = next(runtime.glob("dask-panes-cluster-one*"))
    (runtime / file.name.replace("one", "link")).symlink_to(file)
    os.mkfifo(runtime / file.name.replace("one", "pipe"), 0o600)
    with pytest.raises(PermissionError, match="is a link: its credentials are not used"):
        dask_panes.connect("link")
    with pytest.raises(PermissionError, match="is not a file"):
        dask_panes.connect("pipe")
    with pytest.raises(LookupError, match="Running: 'one'"):
        dask_panes.connect("tests")


@pytest.mark.parametrize("name", ["../one", "/etc/passwd", "a b", "", "x\0y"])
def test_a_name_that_is_none_reaches_no_file(runtime: Path, name: str) -> None:
    with pytest.raises(ValueError, match="name of a cluster"):
        dask_panes.connect(name)


def test_the_file_of_a_dead_cluster_is_removed(runtime: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as short:
        short.wait()
    # In the second case the number of the process has been given again.
    for changes in ({"pid": short.pid}, {"birth": owner.birth(1)}):
        path = a_file(**changes)
        with pytest.raises(ConnectionError, match="has ended"):
            dask_panes.connect("tests")
        assert not path.exists()
        a_file(**changes)
        assert connection.names() == []
        assert not path.exists()


def test_a_cluster_that_does_not_answer_keeps_its_file(runtime: Path) -> None:
    keys = Security.temporary().get_tls_config_for_role("client")
    path = a_file(certificate=keys["cert"], key=keys["key"])
    with pytest.raises(ConnectionError, match="does not answer"):
        dask_panes.connect("tests", timeout=1)
    assert path.exists()


def test_a_scheduler_that_other_machines_reach_is_used_from_them(runtime: Path) -> None:
    # No credentials: its class uses none. Nothing answers at this address.
    path = a_file(host="elsewhere", pid=1, address="tcp://127.1.2.3:1", certificate="", key="", authority="")
    with pytest.raises(ConnectionError, match="runs on elsewhere"):
        dask_panes.connect("tests")
    path.unlink()
    a_file(host="elsewhere", pid=1, address="tcp://0.0.0.0:1", certificate="", key="", authority="")
    assert connection.names() == ["tests"]
    with pytest.raises(ConnectionError, match="does not answer"):
        dask_panes.connect("tests", timeout=1)


def test_a_protocol_of_a_class_is_known_by_importing_its_module(runtime: Path) -> None:
    a_file(address="gateway://127.0.0.1:1/a", module="no_such_gateway")
    with pytest.raises(ConnectionError, match="uses gateway://, which this kernel does not know: No module named"):
        dask_panes.connect("tests")


def test_a_cluster_of_another_machine_is_reported_and_left_alone(runtime: Path) -> None:
    path = a_file(host="elsewhere", pid=1)
    with pytest.raises(ConnectionError, match="runs on elsewhere"):
        dask_panes.connect("tests")
    assert path.exists()


def test_a_file_that_another_machine_left_is_named_with_what_to_do(runtime: Path) -> None:
    left = dict(host="3f2a9c", pid=1, space="another", birth="1")
    path = renewed_before(a_file(**left), 4 * 60)
    with pytest.raises(FileExistsError, match="running already on 3f2a9c: choose another name"):
        connection.refuse_taken("tests")
    assert connection.names() == ["tests"]
    renewed_before(path, 10 * 60)
    words = (
        rf"has not renewed its file since \d{{4}}-\d\d-\d\d \d\d:\d\d: if it has ended, remove {re.escape(str(path))}"
    )
    with pytest.raises(FileExistsError, match=words):
        connection.refuse_taken("tests")
    with pytest.raises(ConnectionError, match=words):
        dask_panes.connect("tests")
    assert connection.names() == []
    # It may still run.
    assert path.exists()
    path.unlink()
    reached = dict(address="tcp://0.0.0.0:1", certificate="", key="", authority="")
    path = renewed_before(a_file(**left, **reached), 10 * 60)
    with pytest.raises(ConnectionError, match=f"does not answer.*{words}"):
        dask_panes.connect("tests", timeout=1)
    assert path.exists()


def test_the_file_of_a_cluster_from_before_the_machine_started_again_is_removed(runtime: Path) -> None:
    # A container of the same name may be another one: its processes are not seen.
    keys = Security.temporary().get_tls_config_for_role("client")
    path = a_file(space="another", pid=2**22 + 1, certificate=keys["cert"], key=keys["key"], authority=keys["cert"])
    renewed_before(path, 3.5 * 60)
    assert connection.names() == ["tests"]
    words = r"Its file was renewed at .*\d\d:\d\d, by another container or before a restart: try again in 2 min"
    with pytest.raises(FileExistsError, match=f"may still run. {words}, or choose another name"):
        connection.refuse_taken("tests")
    with pytest.raises(ConnectionError, match=f"does not answer.*{words}"):
        dask_panes.connect("tests", timeout=1)
    renewed_before(path, 10 * 60)
    assert connection.names() == []
    assert not path.exists()


@pytest.mark.parametrize(("boot", "step"), [(True, 3600), (False, 1)])
def test_a_clock_that_is_set_ends_no_cluster(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, boot: bool, step: float
) -> None:
    """As after a sleep of WSL 2: psutil adds the time of the machine's start, which is derived from the clock."""
    if not boot:
        # As on macOS: what psutil says is all there is.
        monkeypatch.setattr(owner, "_BOOT", runtime / "none")
        assert owner.space() == ""
    mine = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    connection.publish(mine)
    created = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda self: created(self) + step)
    renewed_before(connection.path_of("tests"), 3600)
    assert connection.names() == ["tests"]
    with pytest.raises(FileExistsError, match="running already"):
        connection.publish(mine)
    if not boot:
        # Another process that got the number.
        monkeypatch.setattr(psutil.Process, "create_time", lambda self: created(self) + 60)
        assert connection.names() == []


def test_a_cluster_renews_its_file_and_writes_it_again(runtime: Path) -> None:
    mine = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    connection.publish(mine)
    path = renewed_before(connection.path_of("tests"), 3600)
    assert connection.read("tests").silent
    connection.renew(mine)
    assert not connection.read("tests").silent
    path.unlink()
    connection.renew(mine)
    assert connection.read("tests") == mine and stat.S_IMODE(path.stat().st_mode) == 0o600
    # The name is another one's since.
    path.unlink()
    a_file(address="tls://127.0.0.1:2")
    renewed_before(path, 3600)
    connection.renew(mine)
    assert connection.read("tests").silent and connection.read("tests") != mine


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_credentials_that_others_may_know_are_refused(runtime: Path, mode: int) -> None:
    path = a_file()
    path.chmod(mode)
    with pytest.raises(PermissionError, match=f"mode {mode:04o}"):
        dask_panes.connect("tests")
    assert path.exists()


def test_a_file_of_another_user_is_refused(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = a_file().stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        dask_panes.connect("tests")


def test_a_link_is_not_followed(runtime: Path, tmp_path: Path) -> None:
    target = a_file("real").rename(tmp_path / "target.json")
    connection.path_of("tests").symlink_to(target)
    with pytest.raises(OSError):
        dask_panes.connect("tests")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', '{"version": 3, "name": "tests"}'])
def test_a_damaged_file_is_refused_in_words(runtime: Path, text: str) -> None:
    path = a_file()
    path.write_text(text)
    with pytest.raises(ValueError, match=r"is damaged|another version"):
        dask_panes.connect("tests")


def test_a_name_in_a_file_of_another_version_is_refused_with_its_path_and_what_to_do(runtime: Path) -> None:
    path = a_file(version=2)
    words = f"{re.escape(str(path))} was written by another version.*remove the file if that cluster has ended"
    with pytest.raises(FileExistsError, match=words):
        connection.refuse_taken("tests")
    assert path.exists()


def test_two_that_take_one_name_at_a_time_get_one_file(runtime: Path) -> None:
    mine = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    connection.publish(mine)
    with pytest.raises(FileExistsError, match="is running already"):
        connection.publish(mine)
    other = connection.Connection(**{**mine.__dict__, "address": "tls://127.0.0.1:2"})
    connection.withdraw(other)
    assert connection.read("tests") == mine
    connection.withdraw(mine)
    assert connection.names() == []


def test_a_file_has_its_name_when_it_is_whole(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another kernel finds while it is written, and what a crash in that moment leaves."""
    mine = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    found: list[list[str]] = []
    dump = json.dump

    def watched(data: Any, file: Any) -> None:
        file.write("{")
        file.flush()
        found.append([path.name for path in runtime.glob("dask-panes-cluster-*")])
        connection.refuse_taken("tests")
        file.seek(0)
        dump(data, file)

    monkeypatch.setattr(json, "dump", watched)
    connection.publish(mine)
    assert found == [[]]
    assert connection.read("tests") == mine
    assert [path.name for path in runtime.iterdir()] == [connection.path_of("tests").name]


def test_two_that_write_at_one_moment_get_one_file(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    other = connection.of_this_process("tests", "tls://127.0.0.1:2", "C", "K")
    dump = json.dump

    def slow(data: Any, file: Any) -> None:
        monkeypatch.setattr(json, "dump", dump)
        connection.publish(other)
        dump(data, file)

    for no_links in (False, True):
        monkeypatch.setattr(json, "dump", slow)
        if no_links:
            monkeypatch.setattr(os, "link", fails)
        with pytest.raises(FileExistsError):
            connection.publish(mine)
        assert connection.read("tests") == other
        assert [path.name for path in runtime.iterdir()] == [connection.path_of("tests").name]
        connection.withdraw(other)


def fails(*_: Any) -> None:
    raise PermissionError("no links here")


def test_the_key_of_a_client_that_ends_at_that_moment_is_no_error() -> None:
    class Ending(Hosted):
        """Its loop removes the client whenever another thread has looked for it."""

        @property
        def _client(self) -> Any:
            return vars(self).pop("client_once", None)

        @_client.setter
        def _client(self, client: Any) -> None:
            vars(self)["client_once"] = client

    hosted = Ending(Preset(""), ClusterOptions("tests"))
    hosted._client = SimpleNamespace(id="Client-1")
    assert [hosted.client, hosted.client] == ["Client-1", ""]


async def test_a_home_directory_that_blocks_holds_nothing_up_and_gets_no_file_back(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, renew = threading.Event(), threading.Event(), connection.renew

    def slow(mine: connection.Connection) -> None:
        begun.set()
        assert go.wait(60)
        renew(mine)

    monkeypatch.setattr(connection, "renew", slow)
    hosted: Any = Hosted(Preset(""), ClusterOptions("tests"))
    hosted._connection = connection.of_this_process("tests", "tls://127.0.0.1:1", "C", "K")
    hosted._renewed = -3600
    connection.publish(hosted._connection)
    # The test ends here if it waits.
    hosted.renew()
    assert begun.wait(60)
    await hosted.close()
    assert not connection.path_of("tests").exists()
    go.set()
    hosted._renewing.join(60)
    assert not connection.path_of("tests").exists()


async def test_adaptive_scaling_does_not_begin_while_a_number_is_being_set(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go, calls = asyncio.Event(), asyncio.Event(), []

    async def stopping(cluster: Any) -> None:
        calls.append("stop")
        begun.set()
        await go.wait()

    async def call(function: Callable[[], Any]) -> Any:
        result = function()
        return await result if asyncio.iscoroutine(result) else result

    monkeypatch.setattr("dask_panes.clusters.hosted.stop_adapting", stopping)
    monkeypatch.setattr("dask_panes.clusters.hosted.wait_for_decision", id)
    hosted: Any = Hosted(Preset(""), ClusterOptions("tests"))
    hosted._making = SimpleNamespace(call=call)
    hosted._cluster = Scaled(calls)
    scaling = asyncio.create_task(hosted.scale(3))
    await begun.wait()
    adapting = asyncio.create_task(hosted.adapt(1, 2))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(scaling, adapting)
    assert calls == ["stop", "scale", "adapt"]
    assert hosted._adaptive == (1, 2)


class Scaled:
    """Notes what it is asked for."""

    def __init__(self, calls: list[str]) -> None:
        self.calls = calls

    def scale(self, n: int) -> None:
        self.calls.append("scale")

    def adapt(self, **_: int) -> None:
        self.calls.append("adapt")


class Attempt:
    """A client that does not connect, or is connected already."""

    id, status = "Client-2", "running"

    def __init__(self, failure: BaseException | None = None, scheduler: Any = None) -> None:
        self.failure, self.scheduler, self.closed = failure, scheduler, False

    def __await__(self) -> Any:
        if self.failure is not None:
            raise self.failure
        yield from asyncio.sleep(0).__await__()

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("failure", [OSError("nobody there"), asyncio.CancelledError()])
async def test_a_card_keeps_the_key_that_the_kernel_knows_until_another_client_is_connected(
    failure: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted: Any = Hosted(Preset(""), ClusterOptions("tests"))
    hosted._client = SimpleNamespace(id="Client-1", status="closed")
    attempt = Attempt(failure)
    hosted._client_of = lambda _: attempt
    with contextlib.suppress(asyncio.CancelledError):
        await hosted.look()
    assert (hosted.client, attempt.closed) == ("Client-1", True)
    attempt.failure, hosted._looked = None, -60

    async def attach(*_: Any, asked: bool) -> None:
        assert hosted.client == "Client-1"

    monkeypatch.setattr("dask_panes.clusters.hosted.attach", attach)
    await hosted.look()
    assert hosted.client == "Client-2"


@pytest.mark.parametrize(
    ("failure", "problem"),
    [(ValueError("explicitly disallowed"), ""), (OSError("timed out"), "The scheduler does not answer")],
)
async def test_a_scheduler_that_refuses_is_not_called_silent(failure: Exception, problem: str) -> None:
    class Refusing:
        async def get_task_prefix_states(self) -> Any:
            raise failure

    hosted: Any = Hosted(Preset(""), ClusterOptions("tests"))
    hosted._client = Attempt(scheduler=Refusing())
    hosted._unanswered = time.monotonic() - 60
    await hosted.look()
    assert hosted.problem.startswith(problem) and bool(hosted.problem) == bool(problem)
