"""Record test/fixtures/run.dask-run from a real cluster, with what it says as JSON; both test suites read them.

Run after a change of the file format: ``.venv/bin/python scripts/record-fixture-run.py``.
"""

from __future__ import annotations

import asyncio
import json
import math
from array import array
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster, wait

import dask_panes
from dask_panes.files.format import writer as writing
from dask_panes.files.recording import Recording

TARGET = Path(__file__).resolve().parents[1] / "test" / "fixtures"


def inc(x: int) -> int:
    import time

    time.sleep(0.002)
    return x + 1


def total(*xs: int) -> int:
    return sum(xs)


def fail(x: int) -> None:
    raise ValueError(f"<b>{x}</b>")


async def record(path: Path) -> None:
    async with (
        LocalCluster(n_workers=2, threads_per_worker=2, asynchronous=True, dashboard_address=":0") as cluster,
        Client(cluster, asynchronous=True) as client,
        dask_panes.record(path, client),
    ):
        values = client.map(inc, range(60), pure=True)
        sums = client.map(total, *[values[i::8] for i in range(7)])
        await wait(sums)
        wanted = [("it's", i, -i) for i in range(9)]
        await asyncio.gather(*client.get({key: (inc, key[1]) for key in wanted}, wanted, sync=False))
        await asyncio.sleep(1.2)
        await wait([client.submit(fail, 1), client.submit(inc, 7, key="<img src=x onerror=alert(1)>")])
        await client.log_event("mine", {"action": "<script>", "text": "\u202e"})
        await client.restart()
        await wait(client.map(inc, range(5), key="again"))
        await asyncio.sleep(1.2)


def plain(value: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(value, array):
        return [None if math.isnan(v) else v for v in value.tolist()]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def main() -> None:
    path = TARGET / "run.dask-run"
    # A few seconds of work, in as many chunks and keyframes as a long run has.
    writing.CHUNK_SECONDS, writing.KEYFRAME_CHUNKS, writing.KEYFRAME_RATIO = 1.0, 1, 1
    asyncio.run(record(path))
    with Recording(path) as recording:
        frames = [{name: frame[name] for name in ("epoch", "time", "names", "topics")} for frame in recording.frames()]
        rows = [
            row
            for frame in frames
            if "tasks" in frame["topics"]
            for row in range(
                frame["topics"]["tasks"]["s"]["first"],
                frame["topics"]["tasks"]["s"]["first"] + len(frame["topics"]["tasks"]["c"]["start"]),
            )
        ]
        expected = {
            "info": recording.info,
            "start": recording.start,
            "end": recording.end,
            "tasks": recording.tasks,
            "keys": {row: recording.key(row) for row in rows},
            "frames": frames,
        }
    (TARGET / "run.json").write_text(json.dumps(plain(expected), ensure_ascii=True, separators=(",", ":")) + "\n")
    print(f"{path.stat().st_size} bytes, {len(rows)} tasks, {len(frames)} frames")


if __name__ == "__main__":
    main()
