"""The notebooks of ``docs/examples`` that show what the seeds describe: executed as they are, and what they show has
the shape that their words promise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jupyter import ACTIVATE, PATIENT, RealKernel

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def cells(name: str) -> list[str]:
    """Code of a clean notebook."""
    notebook = json.loads((EXAMPLES / f"{name}.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    return ["".join(cell["source"]) for cell in code]


def run_all(kernel: RealKernel, name: str) -> list[dict[str, Any]]:
    """Run all cells; the MIME bundle of each output."""
    bundles: list[dict[str, Any]] = []
    for source in cells(name):
        for message in kernel.finish(kernel.start(source), timeout=240):
            assert message["msg_type"] != "error", "\n".join(message["content"]["traceback"])
            if message["msg_type"] in ("execute_result", "display_data"):
                bundles.append(message["content"]["data"])
    return bundles


#: Cores' worth of threads of this process that run or wait for a core, over time: a busy machine changes what a process
#: gets, not what it asks for.
DEMAND = """
import glob, threading, time
def _wanted():
    total = 0
    for path in glob.glob("/proc/self/task/*/schedstat"):
        try:
            with open(path) as file:
                run, wait, _ = file.read().split()
            total += int(run) + int(wait)
        except OSError:
            pass
    return total / 1e9
_demand = []
def _watch():
    last, seen = time.perf_counter(), _wanted()
    while not _over.wait(0.25):
        now, wanted = time.perf_counter(), _wanted()
        _demand.append((last, now, (wanted - seen) / (now - last)))
        last, seen = now, wanted
_over = threading.Event()
threading.Thread(target=_watch, daemon=True).start()
"""

SHAPE = """
_over.set()
import json
from dask.utils import key_split
def _mean(begin, end):
    inside = [(min(b, end) - max(a, begin), d) for a, b, d in _demand if b > begin and a < end]
    return sum(w * d for w, d in inside) / sum(w for w, _ in inside)
tasks = [(key_split(t.key), t.start_time, t.end_time, t.worker_id) for t in prof.results]
reduction = max((t for t in tasks if t[0] == "qr"), key=lambda t: t[2] - t[1])
(stack,) = [t for t in tasks if t[0] == "stack"]
last = [t for t in tasks if t[0].startswith("sum")]
def held(at):
    return sum(1 for c in cprof.results if c.cache_time <= at < c.free_time)
print(json.dumps({
    "tasks": len(tasks),
    "threads": len({t[3] for t in tasks}),
    "begin": held(min(t[1] for t in tasks)),
    "before": held(stack[1]),
    "peak": max(held(c.cache_time) for c in cprof.results),
    "after": held(reduction[1]),
    "end": held(max(t[2] for t in tasks) + 1),
    "sums": len(last),
    "ending": _mean(min(t[1] for t in last), max(t[2] for t in last)),
    "reduction": _mean(reduction[1], reduction[2]),
    "samples": len(rprof.results),
}))
"""


def test_qr_holds_blocks_until_the_reduction_and_ends_on_several_cores() -> None:
    with RealKernel() as kernel:
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        kernel.run(DEMAND)
        bundles = run_all(kernel, "qr")
        shape = json.loads(kernel.run(SHAPE))
        (local,) = kernel.ask("hello")["clients"]
        assert local["kind"] == "local"
        assert local["threads"] >= 2, "the example needs two cores"
        # Both factors of all ten blocks are held when they are combined; then one of each goes.
        assert (shape["begin"], shape["end"]) == (0, 0)
        assert shape["before"] >= 20
        assert shape["before"] >= shape["peak"] - 1
        assert shape["after"] <= shape["before"] - 9
        # One task runs alone, the last ones run together: on more than one core.
        assert shape["sums"] >= 10
        assert shape["ending"] > 1.1
        assert shape["ending"] > shape["reduction"]
        assert shape["samples"] > 5
        profile = bundles[-1]["application/vnd.dask-panes.profile+json"]
        assert profile["plots"] == ["local-tasks", "local-resources", "local-cache"]
        assert len(profile["keys"]) == shape["tasks"]
        # What the panes show live is the same.
        subscription = kernel.subscribe()
        subscription.want(local["key"], ["meta", "tasks", "cache", "prefixes"])
        rows, held = 0, []
        for frame in subscription.frames(local["key"]):
            rows += len(frame["topics"].get("tasks", {}).get("c", {}).get("start", ()))
            held += frame["topics"].get("cache", {}).get("c", {}).get("count", ())
            if rows >= shape["tasks"] and held:
                break
        assert rows == shape["tasks"]
        assert max(held) >= 10


def test_inc_dec_add_counts_each_function_and_lets_results_go() -> None:
    with RealKernel() as kernel:
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        kernel.run(PATIENT)
        bundles = run_all(kernel, "inc-dec-add")
        # (0 + 1) + (0 - 1) + … of 0 to 99
        assert bundles[-1]["text/plain"] == str(2 * sum(range(100)))
        (client,) = kernel.ask("hello")["clients"]
        assert (client["workers"], client["threads"]) == (2, 4)
        subscription = kernel.subscribe()
        subscription.want(client["key"], ["tasks", "prefixes"])
        names: list[str] = []
        counts: dict[str, int] = {}
        states: dict[str, dict[str, int]] = {}
        expected = {"inc": 100, "dec": 100, "add": 100, "sum": 1}
        for frame in subscription.frames(client["key"]):
            names += frame["names"].get("prefixes", {}).get("values", [])
            topics = frame["topics"]
            for prefix in topics.get("tasks", {}).get("c", {}).get("prefix", ()):
                counts[names[prefix]] = counts.get(names[prefix], 0) + 1
            columns = topics.get("prefixes", {}).get("c", {})
            for row, found in enumerate(columns.get("id", ())):
                states[names[found]] = {name: int(column[row]) for name, column in columns.items()}
            if counts == expected and states.get("sum", {}).get("memory") == 1:
                break
        assert counts == expected
        # Futures were deleted: everything but the sum has been let go, and is counted anyway.
        done = {name: row["released"] + row["memory"] + row["forgotten"] for name, row in states.items()}
        assert done == expected
        assert {name: row["memory"] for name, row in states.items()} == {"inc": 0, "dec": 0, "add": 0, "sum": 1}
