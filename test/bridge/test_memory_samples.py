"""Dask's MemorySampler, live: the same samples as Dask's own, labels known early, and nothing of it changed."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster
from distributed.diagnostics import MemorySampler

from dask_panes.feed.schema import DTYPES
from dask_panes.kernel.gather import samplers
from dask_panes.kernel.session.trim import trim
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import memory_samples
from dask_panes.scheduler.collector.memory_samples import MemorySamples
from dask_panes.scheduler.collector.plugin import ASK_HANDLER, PLUGIN_NAME, READ_HANDLER
from jupyter import ACTIVATE, PATIENT, RealKernel
from reader import Reader

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "memory-sampler.ipynb"
TOPIC = "memory_samples"


def rows(columns: dict[str, Any]) -> list[tuple[float, ...]]:
    arrays = [
        value.tolist() if isinstance(value, array) else array(DTYPES[value[0]]["array"], bytes(value[1])).tolist()
        for value in columns.values()
    ]
    return list(zip(*arrays))


class Log:
    """Folds the topic as a browser does: runs by id, samples by run."""

    def __init__(self) -> None:
        self.runs: dict[int, dict[str, Any]] = {}
        self.samples: dict[int, list[tuple[float, int]]] = {}
        self.end = 0

    def fold(self, body: dict[str, Any]) -> None:
        assert body["s"]["first"] == self.end
        self.runs = {run["id"]: run for run in body["s"]["runs"]}
        for run, at, nbytes in rows(body["c"]):
            self.end += 1
            if nbytes == nbytes:
                self.samples.setdefault(int(run), []).append((at, int(nbytes)))

    def of(self, label: str) -> list[tuple[float, int]]:
        return next(self.samples[found] for found, run in self.runs.items() if label in (run["label"], run["key"]))


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        yield client


@pytest.fixture(autouse=True)
def unwatched() -> Iterator[None]:
    given = MemorySampler.sample
    yield
    MemorySampler.sample = given


def read(client: Client, cursor: int = 0) -> dict[str, Any]:
    async def rpc() -> Any:
        answer = await getattr(client.scheduler, READ_HANDLER)(
            reader=f"test {time.monotonic()}", topics=[TOPIC], timeout=0
        )
        return answer["topics"].get(TOPIC, {"c": {}, "s": {"first": 0, "runs": []}})

    return dict(client.sync(rpc))


def log_of(client: Client) -> Log:
    log = Log()
    log.fold(read(client))
    return log


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def stopped(client: Client) -> bool:
    """Whether the log knows runs, and that all of them are over."""
    runs = log_of(client).runs.values()
    return bool(runs) and all(run["stopped"] for run in runs)


def notify(client: Client, key: str, label: str) -> None:
    async def rpc() -> None:
        await getattr(client.scheduler, ASK_HANDLER)(name="label_samples", args={"key": key, "label": label})

    client.sync(rpc)


def test_a_long_history_comes_in_parts_that_follow_at_once(client: Client) -> None:
    count = 2 * memory_samples.READ_ROWS + 7

    def sampled(dask_scheduler: Any) -> None:
        parts = dask_scheduler.plugins[PLUGIN_NAME].memory_samples
        dask_scheduler.extensions["memory_sampler"].samples["long"] = [(float(i), i) for i in range(count)]
        parts.scan(dask_scheduler)

    client.run_on_scheduler(sampled)
    reader, log = Reader(client), Log()
    for rows_of_part in (memory_samples.READ_ROWS, memory_samples.READ_ROWS, 7):
        before = log.end
        # Without waiting: the interval of the topic is for what is new.
        log.fold(reader.read([TOPIC])["topics"][TOPIC])
        assert log.end - before == rows_of_part
    assert log.of("long") == [(float(i), i) for i in range(count)]
    assert reader.cursor[TOPIC] == count
    assert TOPIC not in reader.read([TOPIC])["topics"]


MEASURES = [
    "process",
    "managed",
    "unmanaged",
    "unmanaged_old",
    "unmanaged_recent",
    "spilled",
    "managed_total",
    "optimistic",
]


def test_samples_of_every_measure_are_those_of_dask(client: Client) -> None:
    ms = MemorySampler()
    with contextlib.ExitStack() as stack:
        for measure in MEASURES:
            stack.enter_context(ms.sample(measure, measure=measure, interval=0.05))

        def sampled() -> bool:
            samples = log_of(client).samples.values()
            return len(samples) == len(MEASURES) and all(len(found) > 3 for found in samples)

        until(sampled)
        live = log_of(client)
        assert {run["measure"]: run["interval"] for run in live.runs.values()} == dict.fromkeys(MEASURES, 0.05)
        assert not any(run["stopped"] for run in live.runs.values())
        # The last samples are taken between two scans.
        time.sleep(0.1)
    until(lambda: stopped(client))
    log = log_of(client)
    by_measure = {run["measure"]: log.samples[found] for found, run in log.runs.items()}
    assert by_measure == ms.samples
    # The extension holds nothing any more, and neither do we hold its lists.
    assert client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.extensions["memory_sampler"].samples) == {}


def test_without_a_label_a_run_has_the_uid_that_dask_gives_it(client: Client) -> None:
    samplers.watch(notify)
    ms = MemorySampler()
    with ms.sample(interval=0.05):
        # Sent as soon as it began: no tick has to come for a run to be seen.
        (run,) = log_of(client).runs.values()
        assert (run["label"], run["stopped"]) == ("", False)
    assert list(ms.samples) == [run["key"]]
    until(lambda: stopped(client))
    assert log_of(client).of(run["key"]) == ms.samples[run["key"]]


def test_labels_are_known_while_it_samples(client: Client) -> None:
    samplers.watch(notify)
    samplers.watch(lambda *_: pytest.fail("watching twice"))
    ms = MemorySampler()
    with ms.sample("<b>run</b> 1"), ms.sample("run 2", measure="managed"):
        assert [run["label"] for run in log_of(client).runs.values()] == ["<b>run</b> 1", "run 2"]
    assert list(ms.samples) == ["run 2", "<b>run</b> 1"]


def test_an_asynchronous_client_too() -> None:
    async def main() -> None:
        async with (
            LocalCluster(n_workers=1, processes=False, asynchronous=True, dashboard_address=None) as cluster,
            Client(cluster, asynchronous=True, set_as_default=False) as client,
        ):
            await ship.register(client)
            noted: list[tuple[str, str]] = []
            samplers.watch(lambda client, key, label: noted.append((key, label)))
            ms = MemorySampler()

            async def read() -> Log:
                read = getattr(client.scheduler, READ_HANDLER)
                answer = await read(reader=f"r {time.monotonic()}", topics=[TOPIC], timeout=0)
                log = Log()
                log.fold(answer["topics"][TOPIC])
                return log

            async with ms.sample("run 1", client=client, interval=0.05):
                while not (await read()).samples:
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.1)
                assert [label for _, label in noted] == ["run 1"]
            with pytest.raises(ZeroDivisionError):
                async with ms.sample("run 2", client=client, interval=0.05):
                    raise ZeroDivisionError
            log = await read()
            while not all(run["stopped"] for run in log.runs.values()):
                await asyncio.sleep(0.02)
                log = await read()
            by_key = {run["key"]: log.samples[found] for found, run in log.runs.items()}
            # The second run may have come and gone between two scans.
            assert by_key[noted[0][0]] == ms.samples["run 1"]
            assert len(ms.samples["run 2"]) >= 1

    asyncio.run(main())


def test_what_dask_gives_stays_as_it_is(client: Client) -> None:
    own = {name: inspect.getattr_static(MemorySampler, name) for name in ("to_pandas", "plot", "__init__")}
    signature = inspect.signature(MemorySampler.sample)
    text = MemorySampler.sample.__doc__
    plain = type(MemorySampler().sample("x"))

    def failing(*_: object) -> None:
        raise RuntimeError("a note that fails is our affair")

    samplers.watch(failing)
    assert {name: inspect.getattr_static(MemorySampler, name) for name in own} == own
    assert inspect.signature(MemorySampler.sample) == signature
    assert MemorySampler.sample.__doc__ == text
    ms = MemorySampler()
    assert type(ms.sample("x")) is plain
    with ms.sample("kept") as value:
        assert value is None
    assert len(ms.samples["kept"]) == 1
    for error in (ValueError("mine"), StopIteration("mine"), GeneratorExit(), KeyboardInterrupt()):
        with pytest.raises(type(error)) as caught, ms.sample("failed"):
            raise error
        assert caught.value is error
    with pytest.raises(TypeError, match="takes from 1 to 2 positional arguments but 3 were given"):
        ms.sample("x", client)
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        ms.sample("x", intervall=1)
    with pytest.raises(Exception, match="no_such_measure"), ms.sample("x", measure="no_such_measure"):
        pass
    assert sorted(ms.samples) == ["failed", "kept"]


def test_a_decorated_function_samples_under_its_uid(client: Client) -> None:
    samplers.watch(notify)
    ms = MemorySampler()

    @ms.sample("decorated", interval=0.05)
    def work() -> int:
        until(lambda: any(len(found) > 1 for found in log_of(client).samples.values()))
        return 7

    assert work() == 7
    until(lambda: stopped(client))
    assert next(iter(log_of(client).samples.values())) == ms.samples["decorated"]


class FakeScheduler:
    """As much of a scheduler as the log looks at."""

    def __init__(self) -> None:
        self.samples: dict[str, list[tuple[float, int]]] = {}
        self.extensions = {"memory_sampler": self}
        self.periodic_callbacks: dict[str, Any] = {}


def test_the_log_is_bounded_and_says_what_it_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_samples, "SAMPLES", 1000)
    monkeypatch.setattr(memory_samples, "RUNS", 5)
    scheduler, log = FakeScheduler(), MemorySamples()
    for run in range(20):
        scheduler.samples = {str(run): [(float(i), i) for i in range(300)]}
        log.scan(scheduler)
        scheduler.samples = {}
        log.scan(scheduler)
    body, cursor = log.read(0)
    assert cursor == 20 * 301
    assert [run["key"] for run in body["s"]["runs"]] == ["15", "16", "17", "18", "19"]
    assert body["s"]["lost"] == body["s"]["first"] > 4000
    assert body["s"]["first"] + len(rows(body["c"])) == cursor
    # A scheduler without the extension, and one whose timer looks otherwise, are no faults.
    scheduler.extensions = {}
    log.scan(scheduler)
    assert log.end == cursor


def test_runs_are_bounded_beside_one_that_goes_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    collector = client.cluster.scheduler.plugins[PLUGIN_NAME]
    monkeypatch.setattr(sys.modules[type(collector.memory_samples).__module__], "RUNS", 3)
    sampler = MemorySampler()
    with sampler.sample("long", client=client, interval=0.05):
        for i in range(5):
            with sampler.sample(f"short-{i}", client=client, interval=0.05):
                until(lambda: len([run for run in log_of(client).runs.values() if not run["stopped"]]) == 2)
        until(lambda: len([run for run in log_of(client).runs.values() if not run["stopped"]]) == 1)
        runs = log_of(client).runs
        assert [(found, run["stopped"]) for found, run in runs.items()] == [(0, False), (4, True), (5, True)]
    with contextlib.ExitStack() as stack:
        for i in range(5):
            stack.enter_context(sampler.sample(f"at-once-{i}", client=client, interval=0.05))
        # None of them is dropped while it goes on.
        until(lambda: len([run for run in log_of(client).runs.values() if not run["stopped"]]) == 5)
    until(lambda: len(log_of(client).runs) == 3)


@pytest.mark.parametrize("have", [0, 1, 7, 30])
def test_tabs_that_share_a_read_get_each_sample_once(have: int) -> None:
    scheduler, log = FakeScheduler(), MemorySamples()
    scheduler.samples = {"a": [(float(i), i) for i in range(20)], "b": [(float(i), i) for i in range(10)]}
    log.scan(scheduler)
    body, cursor = log.read(0)
    answer = {"feed": "f", "epoch": 0, "time": 0.0, "names": {}, "cursor": {TOPIC: cursor}, "topics": {TOPIC: body}}
    cut = trim(answer, [TOPIC], {TOPIC: have})
    if have == 30:
        assert cut is None
        return
    assert cut is not None
    assert cut["topics"][TOPIC]["s"]["first"] == have
    assert rows(cut["topics"][TOPIC]["c"]) == rows(body["c"])[have:]
    assert len(cut["topics"][TOPIC]["s"]["runs"]) == 2


def test_nothing_is_kept_while_nothing_samples() -> None:
    scheduler, log = FakeScheduler(), MemorySamples()
    for _ in range(10):
        log.scan(scheduler)
    assert log.read(0)[1] == 0


def test_the_example_is_seen_live_in_a_kernel_with_its_labels() -> None:
    cells = [
        "".join(cell["source"]) for cell in json.loads(EXAMPLE.read_text())["cells"] if cell["cell_type"] == "code"
    ]
    with RealKernel() as kernel:
        kernel.run(ACTIVATE)
        kernel.run(PATIENT)
        for cell in cells[:-1]:
            kernel.run(cell)
        hello = kernel.ask("hello")
        (info,) = hello["clients"]
        tab = kernel.subscribe()
        tab.want(info["key"], [TOPIC])
        log = Log()
        cell = kernel.start(cells[-1])
        labels_live: set[str] = set()
        ended = threading.Event()

        def wait() -> None:
            kernel.finish(cell)
            ended.set()

        thread = threading.Thread(target=wait)
        thread.start()
        while not (ended.is_set() and log.runs and all(run["stopped"] for run in log.runs.values())):
            for frame in tab.frames(info["key"], 1):
                if TOPIC in frame["topics"]:
                    log.fold(frame["topics"][TOPIC])
                    labels_live |= {run["label"] for run in log.runs.values() if not run["stopped"]}
        thread.join()
        # The first sample may be there some milliseconds before its label.
        assert labels_live - {""} == {"collection 1", "collection 2"}
        recorded = json.loads(kernel.run("import json; print(json.dumps(ms.samples))"))
        for label, samples in recorded.items():
            assert log.of(label) == [tuple(sample) for sample in samples]
            assert len(samples) > 3
        # The first needs all blocks at once, the second never more than a few.
        peaks = [max(nbytes for _, nbytes in log.of(label)) for label in ("collection 1", "collection 2")]
        assert peaks[0] > 2 * peaks[1]
