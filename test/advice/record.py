"""Run workloads on a real LocalCluster and record them: `record.py FOLDER ROUND [NAME...]`.

Each workload of `workloads/` is a module with `CAUSE` (the cause of the slow variant, empty where there is none),
`ALSO` (what else is true of it), `SELECTED` (the function of the computation whose time is examined, where it is not
the whole run), `CLUSTER` (arguments of `LocalCluster`; `HEALTHY_CLUSTER` where the remedy is another
cluster), `bad(client)` and `healthy(client)`. Every variant runs in a process and a cluster of its own. Writes
`NAME.VARIANT.ROUND.dask-run`, and `.frames` beside it if `$DASK_PANES_ADVICE_TOPICS` says which topics a tab wants: its
frames with the time at which each arrived. Prints a JSON object a line: name, variant, cause, also, selected, file,
frames, begin, wall, load (the machine's, of the last minute). What takes longer than `LIMIT` has failed.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

HERE = Path(__file__).resolve().parent
#: Processes that want a core, for each of them.
BUSY = 1.5
#: Seconds for one variant with its cluster; the longest takes 40 on a quiet machine.
LIMIT = 300
#: Seconds for which a tab still listens when the work is done: advice is computed each second.
AFTER = 2.5
#: Before each frame: Unix time of its arrival, and its length.
ARRIVAL = struct.Struct("<dI")
sys.path.insert(0, str(HERE))


def names() -> list[str]:
    """All workloads."""
    return sorted(path.stem for path in (HERE / "workloads").glob("[a-z]*.py"))


@contextmanager
def watched(client: Client, path: Path | None) -> Iterator[None]:
    """Keep the frames that a browser tab would get meanwhile, with the time at which each arrived."""
    from dask_panes.kernel.options import KernelOptions
    from dask_panes.kernel.session.session import Session
    from dask_panes.kernel.session.subscriber import Subscriber

    if path is None:
        yield
        return
    session = Session(client, lambda: None, KernelOptions())
    with path.open("wb") as file:

        def take(data: bytes, seq: int) -> None:
            if not file.closed:
                file.write(ARRIVAL.pack(time.time(), len(data)) + data)
            client.loop.asyncio_loop.call_soon(session.acknowledge, subscriber, seq)

        subscriber = Subscriber(take)

        async def subscribe() -> None:
            session.add(subscriber, json.loads(os.environ["DASK_PANES_ADVICE_TOPICS"]), "", -1, {})

        async def close() -> None:
            session.close()

        client.sync(session.start)
        client.sync(session.link.registration)
        client.sync(subscribe)
        yield
        time.sleep(AFTER)
        client.sync(close)


def record(name: str, variant: str, path: Path) -> None:
    """Run one variant and print what it was."""
    from distributed import Client, LocalCluster

    import dask_panes

    module = import_module(f"workloads.{name}")
    options = dict(module.CLUSTER)
    if variant == "healthy":
        options = dict(getattr(module, "HEALTHY_CLUSTER", options))
    frames = path.with_suffix(".frames") if "DASK_PANES_ADVICE_TOPICS" in os.environ else None
    with LocalCluster(dashboard_address=":0", **options) as cluster, Client(cluster) as client:
        # The first task of a worker imports much.
        client.run(int)
        client.gather(client.map(abs, range(8), pure=False))
        time.sleep(0.5)
        with watched(client, frames), dask_panes.record(path, client=client):
            begin = time.perf_counter()
            begun = time.time()
            getattr(module, variant)(client)
            wall = time.perf_counter() - begin
    cause = module.CAUSE if variant == "bad" else ""
    also = [*getattr(module, "ALSO", ())] if variant == "bad" else []
    load = os.getloadavg()[0]
    # On a machine that does much else they are true of every run: the first task of a kind imports something.
    also += ["late-event-loops", "late-start", "between-tasks"] if load > BUSY * (os.cpu_count() or 1) else []
    row = {"name": name, "variant": variant, "cause": cause, "also": also, "file": path.name}
    row["selected"] = getattr(module, "SELECTED", "")
    row |= {"frames": frames and frames.name, "begin": begun, "wall": round(wall, 3), "load": round(load, 1)}
    print(json.dumps(row), flush=True)


def main() -> int:
    """Run what the arguments name."""
    folder, number, *wanted = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    failed = 0
    for name in wanted or names():
        module = import_module(f"workloads.{name}")
        for variant in ("bad", "healthy"):
            if hasattr(module, variant):
                path = Path(folder) / f"{name}.{variant}.{number}.dask-run"
                process = context.Process(target=record, args=(name, variant, path))
                process.start()
                process.join(LIMIT)
                if process.is_alive():
                    process.terminate()
                    process.join(10)
                    process.kill()
                    process.join()
                    print(f"{name} {variant}: not done in {LIMIT} s", file=sys.stderr, flush=True)
                    failed += 1
                elif process.exitcode:
                    failed += 1
                    print(f"{name} {variant}: exit status {process.exitcode}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
