"""Compare what Dask Panes records of GPUs with NVML and RMM: ``python scripts/check-gpus.py FOLDER``.

Needs an NVIDIA GPU, CuPy, RMM and pynvml beside this package, so it is not part of ``npm test``. Two workers share the
first GPU and have a pool of RMM each; only the first counts its allocations. Writes ``gpu.dask-run`` and
``gpu-nvml.json`` to the folder, as they are in test/fixtures, prints one JSON line, and exits with 1 if a value
disagrees.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pynvml  # type: ignore[import-not-found, import-untyped, unused-ignore]
from distributed import Client, LocalCluster, wait

import dask_panes

GiB = 2**30
#: Seconds by which a value may be older than its frame: heartbeats are a second apart at most, NVML's own figure is one
#: of the last second, and the machine may be busy.
LATE = 2.5
#: Differences that are not sent: of the limit, and percentage points.
MEMORY_BAND = 0.005
UTILIZATION_BAND = 5.0


class Sample(NamedTuple):
    """What NVML says of the GPU: seconds since the epoch, bytes, bytes, per cent."""

    time: float
    used: int
    limit: int
    utilization: int


@contextmanager
def sampled(every: float = 0.1) -> Iterator[list[Sample]]:
    handle = pynvml.nvmlDeviceGetHandleByIndex(0)
    samples: list[Sample] = []
    done = threading.Event()

    def sample() -> None:
        while not done.wait(every):
            memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
            rates = pynvml.nvmlDeviceGetUtilizationRates(handle)
            samples.append(Sample(time.time(), memory.used, memory.total, rates.gpu))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()


def use_pool() -> None:
    import cupy
    import rmm
    from rmm.allocators.cupy import rmm_cupy_allocator

    rmm.reinitialize(pool_allocator=True, initial_pool_size=2 * GiB)
    cupy.cuda.set_allocator(rmm_cupy_allocator)


def count_allocations() -> None:
    import rmm

    rmm.mr.set_current_device_resource(rmm.mr.TrackingResourceAdaptor(rmm.mr.get_current_device_resource()))


def multiply(_: int, seconds: float = 2.0) -> float:
    import cupy

    a = cupy.random.random((4096, 4096), dtype=cupy.float32)
    end = time.time() + seconds
    while time.time() < end:
        b = a @ a
        cupy.cuda.Stream.null.synchronize()
    return float(b[0, 0])


def allocate(_: int) -> Any:
    """2 GiB of the GPU's memory."""
    import cupy

    return cupy.ones((512, 1024, 1024), dtype=cupy.float32)


def work(client: Client) -> None:
    time.sleep(2)
    held = client.map(allocate, range(4), pure=False)
    wait(held)
    time.sleep(2)
    wait(client.map(multiply, range(16), pure=False))
    del held
    time.sleep(4)
    held = client.map(allocate, range(6), pure=False)
    wait([*held, *client.map(multiply, range(8), pure=False)])
    time.sleep(2)


def near(samples: list[Sample], moment: float) -> list[Sample]:
    times = [sample.time for sample in samples]
    return samples[max(0, bisect_left(times, moment - LATE) - 1) : bisect_left(times, moment + 0.2) + 1]


def disagreements(path: Path, samples: list[Sample]) -> tuple[int, list[str]]:
    """The number of compared rows, and those in which the recording differs from NVML."""
    compared, wrong = 0, []
    with dask_panes.open_recording(path) as recording:
        for frame in recording.frames():
            columns = frame["topics"].get("workers", {}).get("c", {})
            around = near(samples, frame["time"])
            for row in range(len(columns.get("gpu_memory", ()))):
                compared += 1
                memory, limit, utilization = (
                    columns[f"gpu_{name}"][row] for name in ("memory", "limit", "utilization")
                )
                band = MEMORY_BAND * limit
                if not (
                    min(each.used for each in around) - band <= memory <= max(each.used for each in around) + band
                    and limit == around[0].limit
                    and min(each.utilization for each in around) - UTILIZATION_BAND
                    <= utilization
                    <= max(each.utilization for each in around) + UTILIZATION_BAND
                ):
                    wrong.append(f"{frame['time']:.1f}: {memory:.0f} of {limit:.0f} bytes, {utilization:.0f} %")
    return compared, wrong


def main(folder: Path) -> int:
    pynvml.nvmlInit()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "gpu.dask-run"
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster,
        Client(cluster) as client,
        sampled() as samples,
    ):
        client.run(use_pool)
        client.run(count_allocations, workers=[cluster.workers[0].worker_address])
        time.sleep(3)
        with dask_panes.record(path, client):
            work(client)
        time.sleep(0.5)
    (folder / "gpu-nvml.json").write_text(json.dumps({"columns": Sample._fields, "rows": samples}))
    compared, wrong = disagreements(path, samples)
    name = pynvml.nvmlDeviceGetName(pynvml.nvmlDeviceGetHandleByIndex(0))
    print(json.dumps({"gpu": name, "compared": compared, "wrong": wrong}))
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
