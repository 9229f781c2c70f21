"""Record test/fixtures/*.frame from a real cluster, with what they say as JSON; both test suites read them.

Run after a change of the frame format: ``.venv/bin/python scripts/record-fixtures.py``.
"""

from __future__ import annotations

import asyncio
import json
import math
from array import array
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster, wait

from dask_panes.feed import decode, encode
from dask_panes.feed.schema import SCHEMA
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector.plugin import READ_HANDLER

TARGET = Path(__file__).resolve().parents[1] / "test" / "fixtures"


def inc(x: int) -> int:
    import time

    time.sleep(0.002)
    return x + 1


def total(*xs: int) -> int:
    return sum(xs)


def fail(x: int) -> None:
    raise ValueError(f"<b>{x}</b>")


# Tracebacks must not name a folder of the machine that records them.
for function in (inc, total, fail):
    function.__code__ = function.__code__.replace(co_filename="/home/user/p/scripts/record-fixture.py")


def plain(value: Any) -> Any:
    """JSON has no arrays of numbers with a type, and no NaN."""
    if isinstance(value, array):
        return {"typecode": value.typecode, "values": [None if math.isnan(v) else v for v in value.tolist()]}
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


async def record() -> list[bytes]:
    frames: list[bytes] = []
    async with (
        LocalCluster(n_workers=2, threads_per_worker=2, asynchronous=True, dashboard_address=":0") as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        await ship.register(client)
        answer: dict[str, Any] = {"feed": "", "epoch": -1, "cursor": {}}

        async def read() -> None:
            nonlocal answer
            await asyncio.sleep(1.1)
            answer = await getattr(client.scheduler, READ_HANDLER)(
                reader="fixtures",
                feed=answer["feed"],
                epoch=answer["epoch"],
                cursor=answer["cursor"],
                topics=list(SCHEMA["topics"]),
                timeout=0.0,
            )
            frames.append(encode(answer, len(frames)))

        await read()
        values = client.map(inc, range(40))
        sums = client.map(total, *[values[i::8] for i in range(8)])
        await wait(sums)
        await read()
        await wait([client.submit(fail, 1), client.submit(inc, 7, key="<img src=x onerror=alert(1)>")])
        await client.log_event("mine", {"action": "<script>", "text": "\u202e"})
        await read()
        del values, sums
        await read()
        await client.restart()
        await wait(client.map(inc, range(5)))
        await read()
    return frames


def main() -> None:
    frames = asyncio.run(record())
    for old in TARGET.glob("*.frame"):
        old.unlink()
    for i, data in enumerate(frames):
        (TARGET / f"{i}.frame").write_bytes(data)
    expected = [plain(decode(data)) for data in frames]
    (TARGET / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=True) + "\n")
    print(f"{len(frames)} frames, {sum(map(len, frames))} bytes")


if __name__ == "__main__":
    main()
