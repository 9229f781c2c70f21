"""Workers without work: one process that holds a real connection to the scheduler for each of many workers.

Real workers in one process would measure themselves (monitor, profiler, heartbeat). Here each has what the scheduler
sees of one: a registered stream, an answer to every compute-task after the drawn time, heartbeats over a connection
pool at the interval that the scheduler gives, with metrics recorded from a real worker, and an address at which Dask's
own server listens, with a worker's ``run`` and a profile: of nothing, or of recorded cycles.

Use: ``python _farm.py ADDRESS WORKERS THREADS METRICS SEED``; METRICS is a pickled list of what heartbeats reported,
and a list of the trees of cycles of a profiler. Prints ``ready`` when all have registered. Each line of its standard
input is a number of cycles that pass, from the first of which on there are no heartbeats; it ends with its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import random
import sys
import time
import traceback
from collections import deque
from pathlib import Path
from typing import Any

from distributed.batched import BatchedSend
from distributed.comm import Comm, connect
from distributed.core import ConnectionPool, Server
from distributed.worker import run
from tornado.ioloop import IOLoop

from _workload import LIVE_LONGEST, Workload

MEMORY_LIMIT = 4 * 2**30
TYPE = pickle.dumps(int)
#: When the profilers of all workers began.
BEGUN = time.time()


class Farm:
    """All workers of the process."""

    def __init__(
        self, address: str, threads: int, metrics: list[dict[str, Any]], cycles: list[dict[str, Any]], seed: int
    ) -> None:
        self.address, self.threads, self.metrics, self.cycles = address, threads, metrics, cycles
        #: Cycles of the profilers that have passed.
        self.passed = 0
        self.workload = Workload(seed, LIVE_LONGEST)
        self.random = random.Random(seed)
        self.pool = ConnectionPool(limit=64)
        self.workers: list[Worker] = []

    async def start(self, count: int) -> None:
        """Let all workers join; some at a time, as a cluster that grows."""
        await self.pool.start()
        self.workers = [Worker(self, i) for i in range(count)]
        for i in range(0, count, 50):
            await asyncio.gather(*(worker.join() for worker in self.workers[i : i + 50]))


class Door(Server):
    """Where a worker is asked questions."""

    def __init__(self, farm: Farm, number: int) -> None:
        super().__init__({"run": self._run}, needs_workdir=False)
        self._farm, self._number = farm, number
        self._history = deque[Any](maxlen=1_000)
        self._passed = 0
        self.profile_keys: dict[str, Any] = {}

    @property
    def profile_keys_history(self) -> deque[Any]:
        """Cycles of 1 s, each worker at another place of the record."""
        cycles = self._farm.cycles
        while self._passed < self._farm.passed:
            self._passed += 1
            self._history.append((BEGUN + self._passed, cycles[(self._passed + self._number) % len(cycles)]))
        return self._history

    async def _run(self, comm: Comm, function: bytes, **given: Any) -> Any:
        return await run(self, comm, function, **given)


class Worker:
    """What a scheduler sees of one worker."""

    def __init__(self, farm: Farm, number: int) -> None:
        self.farm, self.number = farm, number
        self.address = ""
        self.door = Door(farm, number)
        self.interval = 1.0
        #: Thread and start by key.
        self.running: dict[Any, tuple[int, float]] = {}
        self.waiting: deque[dict[str, Any]] = deque()
        self.stream = BatchedSend(interval="2ms", loop=IOLoop.current())
        self._beat = farm.random.randrange(10_000)
        #: What is unlike between workers; each figure of the record moves on top of it.
        self._scale = farm.random.uniform(0.7, 1.3)
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self) -> None:
        """Register and go to work."""
        await self.door.listen("tcp://127.0.0.1:0", allow_offload=False)
        self.address = self.door.address
        comm = await connect(self.farm.address, deserialize=False)
        await comm.write(
            {
                "op": "register-worker",
                "reply": False,
                "address": self.address,
                "status": "running",
                "nthreads": self.farm.threads,
                "name": f"farm-{self.number}",
                "now": time.time(),
                "resources": {},
                "memory_limit": MEMORY_LIMIT,
                "local_directory": "",
                "services": {},
                "nanny": None,
                "pid": 1,
                "versions": {},
                "metrics": self._metrics(),
                "extra": {},
                "stimulus_id": f"worker-connect-{time.time()}",
                "server_id": f"Worker-{self.number}",
            },
            serializers=["msgpack"],
        )
        answer = await comm.read()
        if answer["status"] != "OK":
            raise RuntimeError(answer["message"])
        self.interval = answer["heartbeat-interval"]
        self.stream.start(comm)
        self._tasks = [asyncio.create_task(self._listen(comm)), asyncio.create_task(self._heartbeat())]
        for task in self._tasks:
            task.add_done_callback(_must_not_fail)

    async def _listen(self, comm: Comm) -> None:
        with contextlib.suppress(OSError):
            while True:
                for message in await comm.read():
                    if message["op"] == "compute-task":
                        self.waiting.append(message)
                    elif message["op"] == "close":
                        return
                self._go_on()

    def _go_on(self) -> None:
        while self.waiting and len(self.running) < self.farm.threads:
            message = self.waiting.popleft()
            drawn = self.farm.workload.draw()
            threads = set(range(self.farm.threads)) - {thread for thread, _ in self.running.values()}
            thread = min(threads)
            start = time.time()
            self.running[message["key"]] = (thread, start)
            startstops = [{"action": "compute", "start": start, "stop": start + drawn.seconds}]
            if drawn.transfer:
                peer = self.farm.random.choice(self.farm.workers).address
                transfer = {"action": "transfer", "start": start - drawn.transfer, "stop": start, "source": peer}
                startstops.insert(0, transfer)
            finished = {
                "op": "task-finished",
                "status": "OK",
                "key": message["key"],
                "run_id": message["run_id"],
                "nbytes": drawn.nbytes,
                "type": TYPE,
                "typename": "int",
                "metadata": {},
                "thread": 140_000_000_000_000 + thread,
                "startstops": startstops,
                "stimulus_id": f"task-finished-{start}",
            }
            loop = asyncio.get_running_loop()
            loop.call_later(drawn.seconds, self._end, message["key"])
            loop.call_later(drawn.seconds + drawn.late, self._report, finished)

    def _end(self, key: Any) -> None:
        self.running.pop(key, None)
        self._go_on()

    def _report(self, message: dict[str, Any]) -> None:
        if not self.stream.closed():
            self.stream.send(message)

    def _executing(self, now: float) -> dict[Any, float]:
        return {key: now - start for key, (_, start) in self.running.items()}

    async def _heartbeat(self) -> None:
        # Not all at once: real workers start one after the other.
        await asyncio.sleep(self.farm.random.uniform(0, self.interval))
        scheduler = self.farm.pool(self.farm.address)
        with contextlib.suppress(OSError):
            while not self.farm.passed:
                begin = time.time()
                answer = await scheduler.heartbeat_worker(
                    address=self.address,
                    now=begin,
                    metrics=self._metrics(),
                    executing=self._executing(begin),
                    extensions={},
                )
                if answer["status"] == "missing":
                    return
                self.interval = answer["heartbeat-interval"]
                await asyncio.sleep(max(0, begin + self.interval - time.time()))

    def _metrics(self) -> dict[str, Any]:
        self._beat += 1
        recorded: dict[str, Any] = self.farm.metrics[self._beat % len(self.farm.metrics)]
        return {name: self._vary(name, value) for name, value in recorded.items()}

    def _vary(self, name: str, value: Any) -> Any:
        """The same figure of a somewhat different worker."""
        if name in ("bandwidth", "digests_total_since_heartbeat", "task_counts"):
            return value
        if isinstance(value, dict):
            return {part: self._vary(name, item) for part, item in value.items()}
        if isinstance(value, float):
            return value * self._scale
        return int(value * self._scale) if type(value) is int else value


def _must_not_fail(task: asyncio.Task[None]) -> None:
    """A farm of which a part stands still would be measured as a quiet cluster."""
    if not task.cancelled() and task.exception() is not None:
        traceback.print_exception(task.exception())
        os._exit(1)


async def main() -> None:
    address, workers, threads, metrics, seed = sys.argv[1:]
    logging.disable(logging.WARNING)
    farm = Farm(address, int(threads), *pickle.loads(Path(metrics).read_bytes()), int(seed))
    await farm.start(int(workers))
    print("ready", flush=True)

    def listen() -> None:
        for line in sys.stdin:
            farm.passed += int(line)

    # Until the process that started this one ends, or closes our standard input.
    await asyncio.get_running_loop().run_in_executor(None, listen)


if __name__ == "__main__":
    asyncio.run(main())
