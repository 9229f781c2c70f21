"""Run workloads on a real LocalCluster and record them: `record.py FOLDER ROUND [NAME...]`.

Each workload of `workloads/` is a module with `CAUSE` (the cause of the slow variant, empty where there is none),
`ALSO` (what else is true of it), `CLUSTER` (arguments of `LocalCluster`; `HEALTHY_CLUSTER` where the remedy is another
cluster), `bad(client)` and `healthy(client)`. Every variant runs in a process and a cluster of its own. Writes
`NAME.VARIANT.ROUND.dask-run` and prints a JSON object a line: name, variant, cause, also, file, wall.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Processes that want a core, for each of them.
BUSY = 1.5
sys.path.insert(0, str(HERE))


def names() -> list[str]:
    """All workloads."""
    return sorted(path.stem for path in (HERE / "workloads").glob("[a-z]*.py"))


def record(name: str, variant: str, path: Path) -> None:
    """Run one variant and print what it was."""
    from distributed import Client, LocalCluster

    import dask_panes

    module = import_module(f"workloads.{name}")
    options = dict(module.CLUSTER)
    if variant == "healthy":
        options = dict(getattr(module, "HEALTHY_CLUSTER", options))
    with LocalCluster(dashboard_address=":0", **options) as cluster, Client(cluster) as client:
        # The first task of a worker imports much.
        client.run(int)
        client.gather(client.map(abs, range(8), pure=False))
        time.sleep(0.5)
        with dask_panes.record(path, client=client):
            begin = time.perf_counter()
            getattr(module, variant)(client)
            wall = time.perf_counter() - begin
    cause = module.CAUSE if variant == "bad" else ""
    also = [*getattr(module, "ALSO", ())] if variant == "bad" else []
    # On a machine that does much else they are true of every run: the first task of a kind imports something.
    also += ["late-event-loops", "late-start"] if os.getloadavg()[0] > BUSY * (os.cpu_count() or 1) else []
    row = {"name": name, "variant": variant, "cause": cause, "also": also, "file": str(path), "wall": round(wall, 3)}
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
                process.join()
                if process.exitcode:
                    failed += 1
                    print(f"{name} {variant}: exit status {process.exitcode}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
