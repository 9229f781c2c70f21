"""Write a recording of many tasks through the real writer: ``million.py FILE TASKS``.

1,000 tasks a second on 16 workers of 4 threads, 30 functions, random keys; tables of workers and prefixes four times a
second and series once a second, as the collector sends them.
"""

from __future__ import annotations

import random
import sys
from array import array
from pathlib import Path
from typing import Any

from dask_panes.feed.schema import SCHEMA
from dask_panes.files.recording import RecordingWriter

WORKERS, THREADS, FUNCTIONS = 16, 4, 30
RATE = 1000
FRAMES_PER_SECOND = 4
CODES = {"u1": "B", "u2": "H", "u2|u4": "H", "u4": "I", "f4": "f", "f8": "d"}


def columns(topic: str, rows: int, values: dict[str, Any]) -> dict[str, Any]:
    columns_of: dict[str, Any] = {}
    for name, column in SCHEMA["topics"][topic]["columns"].items():
        names = [name] if "*" not in name else [name.replace("*", m) for m in SCHEMA["enums"]["measure"]]
        for each in names:
            code = CODES[column["dtype"]]
            columns_of[each] = values.get(each, array(code, [1] * rows if code in "BHI" else [1.0] * rows))
    return columns_of


def main() -> None:
    path, tasks = Path(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(1)
    begin = 1_790_000_000.0
    lanes = WORKERS * THREADS
    free = [begin] * lanes
    per = RATE // FRAMES_PER_SECOND
    done = array("I", [0] * FUNCTIONS)
    with path.open("wb", buffering=0) as file:
        writer = RecordingWriter(file, {"name": path.name, "workers": WORKERS, "threads": lanes})
        for first in range(0, tasks, per):
            rows = min(per, tasks - first)
            number = first // per
            now = begin + (number + 1) / FRAMES_PER_SECOND
            names: dict[str, Any] = {}
            if first == 0:
                facts = [
                    {
                        "address": f"tcp://10.0.0.{i}:4000",
                        "name": str(i),
                        "host": f"10.0.0.{i}",
                        "nthreads": THREADS,
                        "memory_limit": 2**33,
                    }
                    for i in range(WORKERS)
                ]
                names = {
                    "prefixes": {"from": 0, "values": [f"function_{i}" for i in range(FUNCTIONS)]},
                    "workers": {"from": 0, "values": facts},
                    "lanes": {"from": 0, "values": [[i // THREADS, i] for i in range(lanes)]},
                }
            body = {
                name: array(code)
                for name, code in (
                    ("lane", "H"),
                    ("prefix", "H"),
                    ("start", "d"),
                    ("duration", "f"),
                    ("status", "B"),
                    ("nbytes", "f"),
                )
            }
            for _ in range(rows):
                lane = rng.randrange(lanes)
                duration = min(rng.expovariate(1 / 0.04), max(0.0, now - free[lane]))
                prefix = min(FUNCTIONS - 1, int(rng.paretovariate(1.0)) - 1)
                body["lane"].append(lane)
                body["prefix"].append(prefix)
                body["start"].append(free[lane])
                body["duration"].append(duration)
                body["status"].append(0)
                body["nbytes"].append(rng.randrange(10**6))
                free[lane] += duration
                done[prefix] += 1
            topics: dict[str, Any] = {"tasks": {"c": body, "s": {"first": first, "end": first + rows}}}
            topics["workers"] = {
                "c": columns(
                    "workers",
                    WORKERS,
                    {
                        "id": array("H", range(WORKERS)),
                        "last_seen": array("d", [now - rng.random() for _ in range(WORKERS)]),
                        "cpu": array("f", [rng.randrange(400) for _ in range(WORKERS)]),
                        "process": array("d", [2e9 + rng.randrange(10**8) for _ in range(WORKERS)]),
                        "memory_limit": array("d", [2.0**33] * WORKERS),
                        "status": array("B", [2] * WORKERS),
                    },
                )
            }
            topics["prefixes"] = {
                "c": columns("prefixes", FUNCTIONS, {"id": array("H", range(FUNCTIONS)), "memory": array("I", done)})
            }
            if number % FRAMES_PER_SECOND == 0:
                topics["series"] = {
                    "c": columns("series", 1, {"time": array("d", [now]), "until": array("d", [now])}),
                    "s": {"first": number // FRAMES_PER_SECOND},
                }
            if first == 0:
                topics["meta"] = {
                    "c": {},
                    "s": {"address": "tcp://10.0.0.1:8786", "started": begin, "idle_since": None},
                }
            frame = {"feed": "million", "epoch": 0, "time": now, "names": names, "topics": topics}
            writer.add(frame)
            if writer.full:
                flush(writer, rng)
        flush(writer, rng)
        writer.finish()


def flush(writer: RecordingWriter, rng: random.Random) -> None:
    writer.flush()
    for first, rows in writer.unkeyed:
        packed = bytearray(rng.randbytes(17 * rows))
        packed[::17] = b"\x01" * rows
        writer.add_keys(
            first,
            {
                "length": array("B", [17]) * rows,
                "type": array("H", [1]) * rows,
                "packed": bytes(packed),
                "groups": {},
                "types": {1: "int"},
            },
        )
    writer.unkeyed.clear()


if __name__ == "__main__":
    main()
