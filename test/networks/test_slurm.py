"""A ``SLURMCluster`` of dask-jobqueue on one node, from Dask's configuration: made, scaled, used by a notebook, ended.

``npm run test:networks`` names the interpreter, which has dask-jobqueue. The daemons (munged, slurmctld, slurmd) are
the test's own, with their own configuration, on ports of their own; nothing in /etc is read or changed.
"""

from __future__ import annotations

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

from jupyter import ACTIVATE, RealKernel

CLIENT = os.environ["DASK_PANES_TEST_SLURM_CLIENT"]
SBIN = os.environ["DASK_PANES_TEST_SLURM_SBIN"]

pytestmark = pytest.mark.timeout(300)

#: MiB that the node offers to jobs.
MEMORY = 2000

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
InactiveLimit=0
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A batch system of one node; the variables of the environment by which its commands find it."""
    folder = tmp_path_factory.mktemp("slurm")
    folder.chmod(0o755)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "key").write_bytes(os.urandom(1024))
    (folder / "key").chmod(0o600)
    ports = free_ports(2)
    given = {"host": socket.gethostname().split(".")[0], "ports": ports, "folder": folder, "cores": os.cpu_count()}
    (folder / "slurm.conf").write_text(CONFIGURATION.format(**given, memory=MEMORY))
    env = {"SLURM_CONF": str(folder / "slurm.conf")}
    munged = [f"--{name}={folder / file}" for name, file in MUNGE_FILES.items()]
    commands = [
        ["munged", "--foreground", "--force", *munged],
        ["slurmctld", "-D", "-f", env["SLURM_CONF"]],
        ["slurmd", "-D", "-f", env["SLURM_CONF"]],
    ]
    ready: list[Callable[[], bool]] = [
        (folder / "munge.sock").exists,
        lambda: answers(ports[0]),
        lambda: "idle" in output_of(["sinfo", "--noheader", "--format=%t"], env),
    ]
    daemons: list[subprocess.Popen[bytes]] = []
    try:
        for command, is_ready in zip(commands, ready, strict=True):
            with (folder / f"{command[0]}.log").open("w") as log:
                program = [str(Path(SBIN) / command[0]), *command[1:]]
                daemons.append(subprocess.Popen(program, stdout=log, stderr=log, env={**os.environ, **env}))
            until(is_ready, 60)
        yield env
    finally:
        output_of(["scancel", "--state=RUNNING,PENDING", "--user=root"], env)
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(30)


MUNGE_FILES = {
    "key-file": "key",
    "socket": "munge.sock",
    "pid-file": "munge.pid",
    "log-file": "log",
    "seed-file": "seed",
}


def free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def output_of(command: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


def until(condition: Callable[[], Any], seconds: float = 120) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.2)
    return found


def state(host: RealKernel) -> dict[str, Any]:
    facts = dict(host.ask("host.state")["value"])
    assert facts["state"] != "failed", facts["error"]
    return facts


def test_jobs_are_its_workers(slurm: dict[str, str], tmp_path: Path) -> None:
    arguments = {"cores": 1, "memory": "400 MiB", "processes": 1, "interface": "lo", "python": CLIENT}
    arguments |= {"log_directory": str(tmp_path), "local_directory": str(tmp_path)}
    arguments |= {"scheduler_options": {"dashboard_address": ":0"}}
    factory = {"module": "dask_jobqueue", "class": "SLURMCluster", "kwargs": arguments}
    # JSON is YAML.
    site = {"labextension": {"factory": factory, "default": {"workers": 1}}}
    (tmp_path / "site.yaml").write_text(json.dumps(site))
    env = {**slurm, "DASK_CONFIG": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}

    def jobs() -> list[str]:
        return output_of(["squeue", "--noheader", "--format=%t"], slurm).split()

    with RealKernel(CLIENT, env=env) as host, RealKernel(CLIENT, env=env) as notebook:
        host.run("import dask_panes.clusters.host as host; host.serve()")
        host.ask("host.start", name="batch")
        facts = until(lambda: (found := state(host))["workers"] == 1 and found)
        assert (facts["state"], facts["class"], facts["fixed"]) == ("running", "SLURMCluster", "")
        assert facts["dashboard"].startswith("http://127.0.0.1:")
        assert jobs() == ["R"]

        notebook.run(ACTIVATE + "\nimport dask_panes; client = dask_panes.connect('batch')")
        assert notebook.run("print(client.submit(abs, -2).result())") == "2\n"
        host.ask("host.scale", workers=2)
        until(lambda: state(host)["workers"] == 2)
        host.ask("host.adapt", minimum=0, maximum=1)
        facts = until(lambda: (found := state(host))["workers"] <= 1 and found)
        assert facts["adaptive"] == [0, 1]
        notebook.run("client.close()")
        host.ask("host.stop")
        until(lambda: state(host)["state"] == "closed")
        until(lambda: jobs() == [])
