"""What a recording says of which functions, topic by topic: work before, in and after a block."""

from __future__ import annotations

import logging
import os
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from distributed import Client, get_worker, wait
from distributed.diagnostics import MemorySampler

from dask_panes.files.record import Recorder
from dask_panes.files.recording import Recording
from reader import Reader, beat

#: Each function makes results of a type of its own, large enough for Dask to measure their bandwidth.
MAKERS: dict[str, Callable[[int], Any]] = {
    "alpha": bytes,
    "beta": bytearray,
    "gamma": lambda size: array("b", bytes(size)),
}
SIZE = 3_000_000


def part(name: str, seconds: float, gate: str = "") -> Any:
    """Fail at first, then compute for a while, write a line into the worker's log, and return a large result.

    Where there is a gate, it computes until that file is there.
    """
    tried = get_worker().__dict__.setdefault("tried", set())
    key = get_worker().get_current_task()
    if key not in tried:
        tried.add(key)
        raise RuntimeError("at first")
    logging.getLogger("distributed.worker").warning("a line of %s", name)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or (gate and not os.path.exists(gate)):
        sum(range(1000))
    return MAKERS[name](SIZE)


def join(*parts: Any) -> int:
    """Take results of several workers."""
    return sum(map(len, parts))


def work(client: Client, name: str, recorder: Recorder | None = None, seconds: float = 0.4) -> None:
    """Make every topic say something of a function, and hold nothing afterwards.

    A recorder is waited for until it knows what ran and what was held: of that nothing is left at the end.
    """
    gate = "" if recorder is None else f"{recorder.path}.gate"
    sampler = MemorySampler()
    workers = list(client.nthreads())
    with sampler.sample(name, client=client, interval=0.1):
        parts = [
            client.submit(part, name, seconds, gate, key=f"{name}-{uuid4().hex}", workers=[worker], retries=1)
            for worker in workers
        ]
        joined = [client.submit(join, *parts, key=f"{name}_join-{uuid4().hex}", workers=[worker]) for worker in workers]
        if recorder is not None:
            # What runs is known from heartbeats.
            while not client.run_on_scheduler(executing):
                beat(client)
            until_reported(client, recorder, "running")
            Path(gate).touch()
        wait(joined)
        if recorder is not None:
            until_reported(client, recorder, "held")
    client.log_event("functions", {"action": name})
    del parts, joined
    until_idle(client)


def executing(dask_scheduler: Any) -> int:
    return sum(len(ws.executing) for ws in dask_scheduler.workers.values())


def until_reported(client: Client, recorder: Recorder, topic: str) -> None:
    """Wait until a recorder has what the scheduler knows of a topic now."""
    end = Reader(client).ask("end", topics=[topic], now=True)["cursor"][topic]
    patience = time.monotonic() + 180
    while recorder._feed._subscriber.cursor.get(topic, 0) < end:
        assert time.monotonic() < patience
        time.sleep(0.02)


def until_idle(client: Client) -> None:
    """Wait until the scheduler has forgotten all tasks."""
    patience = time.monotonic() + 180
    while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
        assert time.monotonic() < patience
        time.sleep(0.02)


class RecordedBlock:
    """The frames of a recording, folded as far as it takes to say what each topic is about."""

    def __init__(self, path: Path) -> None:
        with Recording(path) as recording:
            self.frames = list(recording.frames())
            self.why, self.missing, self.complete = recording.why, recording.missing, recording.complete
        self.names: dict[str, list[Any]] = defaultdict(list)
        for frame in self.frames:
            for name, entries in frame["names"].items():
                self.names[name][entries["from"] :] = entries["values"]

    def bodies(self, topic: str) -> Iterator[dict[str, Any]]:
        for frame in self.frames:
            if topic in frame["topics"]:
                yield frame["topics"][topic]

    def rows(self, topic: str) -> Iterator[dict[str, Any]]:
        """Rows of all bodies as dictionaries."""
        for body in self.bodies(topic):
            columns = body.get("c") or {}
            texts = {name: value for name, value in (body.get("s") or {}).items() if isinstance(value, list)}
            for i in range(len(next(iter(columns.values()), ()))):
                row = {name: values[i] for name, values in columns.items()}
                row.update({name: value[i] for name, value in texts.items() if len(value) > i})
                yield row

    def scalars(self, topic: str, name: str) -> Iterator[Any]:
        """Items of a list that bodies carry."""
        for body in self.bodies(topic):
            yield from (body.get("s") or {}).get(name, ())

    def state(self, topic: str) -> dict[int, dict[str, Any]]:
        """The newest row of each id."""
        return {row["id"]: row for row in self.rows(topic)}

    def prefixes(self, ids: Iterable[int]) -> set[str]:
        return {self.names["prefixes"][found] for found in ids}

    # -- what each topic is about ---------------------------------------------------------------------------------

    def about(self, topic: str) -> set[str]:
        """Functions in a topic's rows."""
        return {found.removesuffix("_join") for found in getattr(self, f"_{topic}")()}

    def _tasks(self) -> set[str]:
        return self.prefixes(row["prefix"] for row in self.rows("tasks"))

    def _prefixes(self) -> set[str]:
        return self.prefixes(row["id"] for row in self.rows("prefixes"))

    def _groups(self) -> set[str]:
        return {self.names["groups"][row["id"]].split("-")[0] for row in self.rows("groups")}

    def _numbers(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for body in self.bodies("graph"):
            for i, prefix in enumerate(body["c"]["prefix"]):
                found[body["s"]["first"] + i] = self.names["prefixes"][prefix]
        return found

    def _graph(self) -> set[str]:
        return set(self._numbers().values())

    def states(self) -> dict[int, int]:
        """The newest state of each task."""
        found: dict[int, int] = {}
        for body in self.bodies("states"):
            columns = body["c"]
            numbers = columns.get("number")
            for i, state in enumerate(columns.get("state", ())):
                found[numbers[i] if numbers is not None else body["s"]["first"] + i] = state
        return found

    def _states(self) -> set[str]:
        numbers = self._numbers()
        return {numbers.get(number, f"earlier task {number}") for number in self.states()}

    def _executed(self) -> set[str]:
        numbers = self._numbers()
        return {numbers.get(row["number"], "an earlier task") for row in self.rows("executed")}

    def _attempts(self) -> set[str]:
        return self.prefixes(row["id"] for row in self.rows("attempts") if row["retried"])

    def _errors(self) -> set[str]:
        return self.prefixes(row["prefix"] - 1 for row in self.rows("errors"))

    def _held(self) -> set[str]:
        return self.prefixes(row["id"] for row in self.rows("held"))

    def _events(self) -> set[str]:
        return {row["action"] for row in self.rows("events") if row["topic"] == "functions"}

    def _bandwidth(self) -> set[str]:
        types = {"bytes": "alpha", "bytearray": "beta", "array.array": "gamma"}
        return {types[name] for name, _ in self.scalars("bandwidth", "types") if name in types}

    def _activities(self) -> set[str]:
        return {names[2] for names in self.scalars("activities", "names") if names[1] == "execute" and names[2]}

    def _transfers(self) -> set[str]:
        return {name.split("-")[0] for row in self.rows("transfers") for name in row["names"].split(", ")}

    def _logs(self) -> set[str]:
        lines = [row["text"] for row in self.rows("logs") if "a line of" in row["text"]]
        return {line.rpartition(" ")[2] for line in lines}

    def _profile(self) -> set[str]:
        found: set[str] = set()
        names: list[str] = []
        for body in self.bodies("profile"):
            names = names if body["s"]["first"] else []
            names += body["s"]["prefixes"]
            found |= {names[prefix] for prefix, samples in zip(body["c"]["prefix"], body["c"]["samples"]) if samples}
        return found

    def times(self, topic: str) -> list[float]:
        """The times of a topic's rows, scheduler clock."""
        if topic in ("profile", "loops"):
            return [body["s"]["since"] + at / 1000 for body in self.bodies(topic) for at in (body.get("c") or {})["at"]]
        if topic == "memory_samples":
            return [row["time"] for row in self.rows(topic) if row["nbytes"] == row["nbytes"]]
        if topic == "computations":
            return [
                row[name] for row in self.rows(topic) for name in ("since", "last", "start", "stop") if row[name] > 0
            ]
        return [row["time"] for row in self.rows(topic)]
