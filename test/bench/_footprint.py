"""What a kernel pays for having the bridge: the rows import_ms and kernel_rss_bytes of the benchmark `footprint`."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

from distributed import LocalCluster

from _bridge import RealKernel
from _workload import median_interval, reporter, status_topics

ROUNDS = 7
#: Seconds for what a busy machine may be slow with.
PATIENCE = 300
STATUS = status_topics()
LOADED = "import sys, json; print(json.dumps([m for m in sys.modules if m.split('.')[0] == 'dask_panes']))"
#: As a kernel is when a Client is made: IPython, Dask and distributed are there.
IMPORT = """
import importlib, sys, time
import distributed, ipykernel.ipkernel
names = sys.argv[1:]
begin, wall = time.process_time(), time.perf_counter()
for name in names:
    importlib.import_module(name)
print(time.process_time() - begin, time.perf_counter() - wall)
"""
RSS = "import gc, psutil; gc.collect(); print(psutil.Process().memory_info().rss)"

report = reporter("footprint")


def modules(address: str) -> list[str]:
    """What of ours a kernel has loaded once it has a Client and a tab has shown the layout Status."""
    with RealKernel(activated=True) as kernel:
        use(kernel, address, panes=True)
        return ours(kernel)


def ours(kernel: RealKernel) -> list[str]:
    """Modules of ours that a kernel has loaded."""
    return list(json.loads(kernel.run(LOADED)))


def use(kernel: RealKernel, address: str, panes: bool) -> int:
    """Make a Client, compute; the kernel's resident bytes afterwards."""
    kernel.run(f"from distributed import Client; client = Client({address!r})", PATIENCE)
    if panes:
        tab = kernel.subscribe()
        (client,) = kernel.ask("hello")["clients"]
        tab.want(client["key"], STATUS)
        tab.next(lambda push: push["kind"] == "frame", PATIENCE)
    kernel.run("for _ in range(2): client.gather(client.map(abs, range(1000), pure=False));", PATIENCE)
    return int(kernel.run(RSS))


def main() -> None:
    logging.disable(logging.WARNING)
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address
        names = modules(address)
        cpu, wall = [], []
        for _ in range(ROUNDS):
            out = subprocess.run([sys.executable, "-c", IMPORT, *names], check=True, capture_output=True, text=True)
            spent = [float(value) * 1000 for value in out.stdout.split()]
            cpu.append(spent[0])
            wall.append(spent[1])
        for name, values in (("import_ms", wall), ("import_cpu_ms", cpu)):
            value, low, high = median_interval(values)
            report(name, value, "ms", interval=[round(low, 1), round(high, 1)], modules=len(names))
        added, total = [], []
        for _ in range(ROUNDS):
            with RealKernel() as kernel:
                bare = use(kernel, address, panes=False)
                assert not ours(kernel), "the bare kernel has modules of ours"
            with RealKernel(activated=True) as kernel:
                total.append(use(kernel, address, panes=True))
            added.append(total[-1] - bare)
        value, low, high = median_interval(added)
        report("kernel_rss_bytes", value, "B", interval=[low, high], total=median_interval(total)[0])


if __name__ == "__main__":
    main()
