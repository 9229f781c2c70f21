"""Errors by function, type and message: what failed, where, how often, and what Dask still has of it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from distributed import Client, Event, LocalCluster, wait
from distributed.metrics import time as dask_time

from dask_panes.files.block.errors import ErrorsCut
from dask_panes.scheduler import ship
from dask_panes.scheduler.collector import errors as module
from dask_panes.scheduler.collector.error_texts import SHAPE, both_ends, parts_of, shape_of
from dask_panes.scheduler.collector.errors import Errors
from dask_panes.scheduler.collector.names import Names
from reader import Reader, rows

TOPICS = ["errors", "prefixes", "workers"]


@pytest.fixture(scope="module")
def errors_cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(errors_cluster: LocalCluster) -> Iterator[Client]:
    with Client(errors_cluster) as client:
        client.sync(ship.register, client)
        yield client
        Reader(client).ask("remove")
        client.run_on_scheduler(forget_errors)


def forget_errors(dask_scheduler: Any) -> None:
    """Dask's own list is no part of the next test."""
    dask_scheduler.erred_tasks.clear()


def raise_numbered(i: int) -> None:
    raise ValueError(f"no file {i} at 0x{i:08x}")


def raise_text(text: str) -> None:
    raise KeyError(text)


def raise_later(text: str, event: str) -> None:
    Event(event).wait()
    raise KeyError(text)


def use(*_: object) -> None:
    """Needs what fails."""


def fails_twice(key: str, path: str) -> int:
    with open(path, "a") as file:
        file.write("x")
    with open(path) as file:
        if len(file.read()) < 3:
            raise OSError("not yet")
    return 1


def listed(reader: Reader) -> dict[str, dict[str, Any]]:
    """Groups by function, type and message, as a pane shows them."""
    found = {}
    for i, row in reader.rows["errors"].items():
        text = reader.error_texts.get(i, {})
        name = reader.names["prefixes"][int(row["prefix"]) - 1] if row["prefix"] else "several"
        label = f"{name} {text['type']}: {text['shape'] or text['message']}"
        at = {at: count for (kind, group, at), count in reader.error_lists.items() if (kind, group) == ("at", i)}
        blocked = {
            reader.names["prefixes"][at]: count
            for (kind, group, at), count in reader.error_lists.items()
            if (kind, group) == ("blocked", i)
        }
        found[label] = {**row, **text, "at": at, "blocked": blocked, "key": reader.error_keys.get(i)}
    return found


def test_failures_with_messages_of_one_shape_are_one_group_also_in_the_second_run(client: Client) -> None:
    before = dask_time()
    first = client.map(raise_numbered, range(20), pure=False)
    wait(first)
    reader = Reader(client)
    reader.until(lambda: any(row["count"] == 20 for row in reader.rows["errors"].values()), TOPICS)
    [(label, found)] = listed(reader).items()
    assert label == "raise_numbered ValueError: no file … at …"
    assert (found["kind"], found["now"], found["dependents"], found["elsewhere"]) == (0, 20, 0, 0)
    assert sum(found["at"].values()) == 20
    assert before < found["first"] <= found["last"] <= dask_time()
    assert found["key"] in {future.key for future in first}
    assert "raise_numbered" in found["traceback"]
    # Nothing changes: nothing is sent.
    cursor = reader.cursor["errors"]
    reader.read(["errors"], timeout=0.6)
    assert reader.cursor["errors"] == cursor
    # A released future clears the error in Dask; the run's history keeps it.
    del first
    reader.until(lambda: all(row["now"] == 0 for row in reader.rows["errors"].values()), TOPICS)
    [found] = listed(reader).values()
    assert (found["count"], found["now"]) == (20, 0)
    second = client.map(raise_numbered, range(100, 103), pure=False)
    wait(second)
    reader.until(lambda: any(row["count"] == 23 for row in reader.rows["errors"].values()), TOPICS)
    [again] = listed(reader).values()
    assert (again["now"], again["first"]) == (3, found["first"])
    assert again["last"] > found["last"]
    # A reader that comes later has the same.
    late = Reader(client)
    late.until(lambda: len(late.rows["errors"]) == 1, TOPICS)
    assert listed(late) == listed(reader)


def test_tasks_that_need_what_failed_are_counted_with_it_by_function(client: Client) -> None:
    bad = client.submit(raise_text, "a", pure=False)
    used = client.map(use, [bad] * 5, range(5), pure=False)
    last = client.submit(use, used, pure=False, key="last-of-all")
    wait(last)
    reader = Reader(client)
    reader.until(lambda: any(row["dependents"] == 6 for row in reader.rows["errors"].values()), TOPICS)
    [(label, found)] = listed(reader).items()
    assert label == "raise_text KeyError: a"
    assert (found["count"], found["now"]) == (1, 7)
    assert found["blocked"] == {"use": 5, "last-of-all": 1}
    # What is erred in Dask is what is reported.
    erred = sum(row["erred"] for row in reader.rows["prefixes"].values())
    assert erred == found["now"]
    del bad, used
    client.cancel(last)
    reader.until(lambda: all(row["now"] == 0 for row in reader.rows["errors"].values()), TOPICS)


def test_what_is_retried_is_apart_and_what_fails_at_last_is_an_error(client: Client, tmp_path: Any) -> None:
    good = client.submit(fails_twice, "good", str(tmp_path / "good"), retries=3, pure=False)
    bad = client.submit(raise_text, "bad", retries=2, pure=False)
    wait([good, bad])
    assert (good.status, bad.status) == ("finished", "error")
    reader = Reader(client)
    reader.until(lambda: len(reader.rows["errors"]) == 3, TOPICS)
    found = listed(reader)
    assert {label: (row["kind"], row["count"], row["now"]) for label, row in found.items()} == {
        "fails_twice : ": (1, 2, 0),
        "raise_text : ": (1, 2, 0),
        "raise_text KeyError: bad": (0, 1, 1),
    }


def fails_once(i: int, path: str) -> int:
    try:
        open(f"{path}-{i}", "x").close()
    except FileExistsError:
        return i
    raise ValueError(i)


def test_what_a_user_tries_again_is_not_released(client: Client, tmp_path: Any) -> None:
    failed = client.map(fails_once, range(3), path=str(tmp_path / "once"))
    used = client.map(use, failed)
    other = client.submit(use, failed[0], key="other-1")
    wait([*used, other])
    reader = Reader(client)
    for retried, again, expected in (([], 0, (3, 7, 4)), (used[:1], 1, (3, 4, 2)), (used[1:], 3, (3, 0, 0))):
        # With a task, what needs it is tried again, too.
        for future in retried:
            future.retry()
        wait([*used, other])
        reader.arrive(TOPICS)
        [found] = listed(reader).values()
        assert (found["count"], found["now"], found["dependents"], found["again"]) == (*expected, again)
        assert sum(found["blocked"].values()) == expected[2]
    assert {future.status for future in [*failed, *used, other]} == {"finished"}
    # What is let go afterwards is nothing new.
    client.cancel([*failed, *used, other])
    reader.until(lambda: not client.cluster.scheduler.tasks, TOPICS, seconds=20)
    reader.arrive(TOPICS)
    [found] = listed(reader).values()
    assert (found["now"], found["again"]) == (0, 3)


def test_attempts_that_could_not_begin_are_retried_too(client: Client) -> None:
    with dask.annotate(executor="none"):
        bad = client.submit(use, 1, retries=2, pure=False)
    wait(bad)
    reader = Reader(client)
    reader.until(lambda: len(reader.rows["errors"]) == 2, [*TOPICS, "attempts"])
    assert {row["kind"]: (row["type"], row["count"], row["now"]) for row in listed(reader).values()} == {
        1: ("", 2, 0),
        0: ("ValueError", 1, 1),
    }
    reader.until(lambda: [row["retried"] for row in reader.rows["attempts"].values()] == [2], [*TOPICS, "attempts"])
    details = reader.ask("task", key=bad.key)
    assert [each["how"] for each in details["attempts"]] == ["retried", "retried"]


def test_odd_and_long_texts_are_kept_as_texts_and_cut(client: Client) -> None:
    odd = ["\udcff", "<img src=x onerror=alert(1)>", "x" * 1_000_000, "a\nb\0", "\u202e"]
    futures = [client.submit(raise_text, text, pure=False) for text in odd]
    wait(futures)
    reader = Reader(client)
    reader.until(lambda: len(reader.rows["errors"]) == len(odd), TOPICS)
    texts = reader.error_texts.values()
    assert all(text["type"] == "KeyError" and len(text["message"]) <= module.MESSAGE for text in texts)
    # Dask itself shortens what is longer than 10,000 characters.
    assert sum("xxxx" in text["message"] for text in texts) == 1
    assert sum(text["message"] == "<img src=x onerror=alert(1)>" for text in texts) == 1
    details = reader.ask("task", key=futures[0].key)
    assert "KeyError" in details["exception"]


def test_one_error_for_two_clients_is_one(client: Client, errors_cluster: LocalCluster) -> None:
    one = client.submit(raise_text, "shared", key="raise_text-1")
    wait(one)
    with Client(errors_cluster) as other:
        two = other.submit(raise_text, "shared", key="raise_text-1")
        wait(two)
        own = other.submit(raise_text, "shared", pure=False)
        wait(own)
        readers = [Reader(client), Reader(other)]
        for reader in readers:
            reader.until(lambda r=reader: any(row["count"] == 2 for row in r.rows["errors"].values()), TOPICS)
        assert listed(readers[0]) == listed(readers[1])
        assert len(readers[0].rows["errors"]) == 1
    # The other client has left, and takes its wishes with it.
    readers[0].until(lambda: all(row["now"] == 1 for row in readers[0].rows["errors"].values()), TOPICS)


def test_errors_of_before_are_those_that_dask_still_lists(errors_cluster: LocalCluster) -> None:
    with Client(errors_cluster) as client:
        futures = client.map(raise_later, ["b", "b"], event="both-are-there", pure=False)
        below = client.submit(use, futures[0], pure=False)
        Event("both-are-there").set()
        wait([*futures, below])
        client.sync(ship.register, client)
        reader = Reader(client)
        reader.until(lambda: any(row["now"] == 3 for row in reader.rows["errors"].values()), TOPICS)
        found = listed(reader)["raise_later KeyError: b"]
        assert (found["count"], found["dependents"], found["blocked"]) == (2, 1, {"use": 1})
        reader.ask("remove")


def hold(event: str) -> None:
    Event(event).wait()


def test_a_task_whose_worker_died_names_it_and_its_memory() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        future = client.submit(hold, "never", key="hold-1")
        reader = Reader(client)
        reader.until(lambda: any(client.processing().values()), TOPICS)
        address = next(worker for worker, keys in client.processing().items() if keys)

        async def kill(dask_scheduler: Any) -> None:
            dask_scheduler.allowed_failures = 0
            dask_scheduler.workers[address].metrics["memory"] = 7 << 20
            await dask_scheduler.remove_worker(address, stimulus_id="test")

        client.run_on_scheduler(kill)
        wait(future)
        reader.until(lambda: len(reader.rows["errors"]) == 1, TOPICS)
        [found] = listed(reader).values()
        assert (found["type"], found["message"], found["deaths"], found["memory"]) == ("KilledWorker", "", 1, 7 << 20)
        assert found["limit"] > 0
        assert [reader.names["workers"][at]["address"] for at in found["at"]] == [address]
        details = reader.ask("task", key="hold-1")
        assert (details["exception"], details["suspicious"]) == ("KilledWorker()", 1)
        # Restarted on purpose: its tasks are gone, the history stays.
        client.restart(wait_for_workers=False)
        reader.until(lambda: reader.epoch == 1 and len(reader.rows["errors"]) > 0, TOPICS)
        [again] = listed(reader).values()
        assert (again["count"], again["now"], again["message"]) == (1, 0, "")


def end_process() -> None:
    os._exit(1)


def test_each_attempt_that_killed_its_worker_at_once_is_counted() -> None:
    """No heartbeat reports it: KilledWorker says that there were three."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 2}),
        LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        future = client.submit(end_process, key="end_process-1")
        wait(future)
        assert type(future.exception()).__name__ == "KilledWorker"
        reader = Reader(client)
        reader.arrive(["attempts"])
        [row] = reader.rows["attempts"].values()
        assert (row["retried"], row["rescheduled"], row["lost"]) == (0, 0, 3)
        assert [each["how"] for each in reader.ask("task", key="end_process-1")["attempts"]] == ["left", "left"]


def test_a_killed_task_of_before_is_an_error_too() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        future = client.submit(hold, "never", key="hold-1")
        while not any(client.processing().values()):
            time.sleep(0.02)
        address = next(worker for worker, keys in client.processing().items() if keys)

        async def kill(dask_scheduler: Any) -> None:
            dask_scheduler.allowed_failures = 0
            await dask_scheduler.remove_worker(address, stimulus_id="test")

        client.run_on_scheduler(kill)
        wait(future)
        client.sync(ship.register, client)
        reader = Reader(client)
        reader.until(lambda: len(reader.rows["errors"]) == 1, TOPICS)
        [found] = listed(reader).values()
        assert (found["type"], found["deaths"], found["count"], found["now"]) == ("KilledWorker", 1, 1, 1)


class Counter:
    """An actor."""


def test_each_of_the_schedulers_own_exceptions_is_named() -> None:
    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}),
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)
        unfit = client.submit(use, 1, key="unfit-1", resources={"GPU": 1})
        actor = client.submit(Counter, actor=True, key="actor-1")
        wait([unfit, actor])
        [address] = client.nthreads()

        async def lose(dask_scheduler: Any) -> None:
            await dask_scheduler.remove_worker(address, stimulus_id="test")

        client.run_on_scheduler(lose)
        left = client.map(use, range(5), key=[f"left-{i}" for i in range(5)])
        while client.run_on_scheduler(lambda dask_scheduler: dask_scheduler._no_workers_since) is None:
            time.sleep(0.02)
        # Not in the queue: it names what a worker must have.
        late = client.submit(use, 1, key="late-1", resources={"GPU": 1})
        # What a client submits and what it runs on the scheduler come by different connections.
        while not client.run_on_scheduler(lambda dask_scheduler: "late-1" in dask_scheduler.tasks):
            time.sleep(0.02)
        states = {key: client.run_on_scheduler(state, key) for key in ("left-0", "late-1")}
        assert states == {"left-0": "queued", "late-1": "no-worker"}
        wait([*left, late, actor])
        names = {future.key: type(future.exception()).__name__ for future in (unfit, left[0], late, actor)}
        reader.until(lambda: sum(row["now"] for row in reader.rows["errors"].values()) == 8, TOPICS)
        found = listed(reader)
        assert {label: row["count"] for label, row in found.items()} == {
            "unfit NoValidWorkerError: ": 1,
            "left NoWorkerError: ": 5,
            "late NoWorkerError: ": 1,
            "actor RuntimeError: Worker holding Actor was lost": 1,
        }
        # As Dask tells its clients, and in the details of the tasks.
        assert names == {key: reader.ask("task", key=key)["exception"].partition("(")[0] for key in names}


class Large:
    """A result whose size Dask believes."""

    def __sizeof__(self) -> int:
        return 60_000_000


def test_a_task_whose_inputs_do_not_fit_is_one_error_and_has_its_reason() -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)

        def limit(dask_scheduler: Any) -> None:
            for worker in dask_scheduler.workers.values():
                worker.memory_limit = 100_000_000

        client.run_on_scheduler(limit)
        inputs = [client.submit(Large, pure=False) for _ in range(2)]
        wait(inputs)
        future = client.submit(use, *inputs, key="use-1")
        wait(future)
        assert isinstance(future.exception(), MemoryError)
        reader = Reader(client)
        reader.until(lambda: len(reader.rows["errors"]) > 0, [*TOPICS, "computations"])
        reader.arrive([*TOPICS, "computations"])
        [found] = listed(reader).values()
        assert (found["type"], found["count"], found["now"], sum(found["at"].values())) == ("MemoryError", 1, 1, 1)
        assert found["message"] == "the inputs of the task are larger than the memory limit of its worker"
        assert sum(row["erred"] for row in reader.rows["computations"].values()) == 1
        assert reader.ask("task", key="use-1")["exception"].startswith("MemoryError('the inputs")


def state(key: str, dask_scheduler: Any) -> str:
    return str(dask_scheduler.tasks[key].state)


# -- alone ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exception", "type_", "message"),
    [
        ("ValueError('x')", "ValueError", "x"),
        ("KeyError(5)", "KeyError", "5"),
        ("OSError(2, 'No such file')", "OSError", "2, 'No such file'"),
        ('a.b.Odd("it\'s")', "a.b.Odd", "it's"),
        ("Odd()", "Odd", ""),
        ("<Odd thing>", "", "<Odd thing>"),
        ("E('a', 'b')", "E", "'a', 'b'"),
        ("", "", ""),
        ("X" * 500, "", "X" * 500),
        ("KeyError('\udcff", "KeyError", "'\\udcff"),
    ],
)
def test_type_and_message_come_from_the_text(exception: str, type_: str, message: str) -> None:
    assert parts_of(exception) == (type_, message)


def test_a_shape_leaves_out_what_differs() -> None:
    assert shape_of("part 12 of 0xdeadBEEF, 1f9a2b3c-77: feedface 1.5") == "part … of …, …: feedface ….…"
    assert len(shape_of("9 " * 5000)) <= SHAPE
    assert both_ends("abc", 10) == "abc"
    long = both_ends("a" * 5_000 + "END", 4_000)
    assert len(long) <= 4_000
    assert long.startswith("aaa")
    assert long.endswith("aEND")
    assert len(both_ends("\udcff" * 5_000, 4_000)) <= 4_000


def task(key: str, name: str = "f", blame: Any = None, **more: Any) -> Any:
    ts = SimpleNamespace(key=key, prefix=SimpleNamespace(name=name), suspicious=0, exception_text="", traceback_text="")
    ts.exception, ts.actor = None, False
    ts.exception_blame = ts if blame is None else blame
    ts.__dict__.update(more)
    return ts


def read_all(errors: Errors, cursor: int = 0) -> tuple[dict[int, Any], dict[int, Any], int]:
    """Everything after a cursor, in as many reads as it takes."""
    found: dict[int, Any] = {}
    texts: dict[int, Any] = {}
    while cursor < errors.version:
        body, after = errors.read(cursor)
        assert cursor < after
        assert len(rows(body["c"])) + len(body["s"]["texts"]) <= module.READ_ROWS
        cursor = after
        found.update((int(row["id"]), row) for row in rows(body["c"]))
        texts.update((item["id"], item) for item in body["s"]["texts"])
    return found, texts, cursor


def fail(errors: Errors, ts: Any, exception: str) -> None:
    errors.fail(ts, "processing", "tcp://w", {"exception_text": exception, "traceback_text": "line"})


def test_a_hundred_thousand_errors_and_five_thousand_messages_are_bounded() -> None:
    errors = Errors(Names(), lambda address: None)
    for i in range(100_000):
        fail(errors, task(f"k{i}"), f"ValueError('no {i}')")
    found, texts, cursor = read_all(errors)
    assert [(row["count"], row["now"]) for row in found.values()] == [(100_000, 100_000)]
    assert texts[0]["shape"] == "no …"
    words = [f"{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(5_000)]
    for i, word in enumerate(words):
        fail(errors, task(f"m{i}", "g"), f"ValueError('{word}')")
    found, texts, cursor = read_all(errors, cursor)
    assert len(found) == module.ALIKE + 1
    assert sum(row["count"] for row in found.values()) == 5_000
    assert sum(text["more"] for text in texts.values()) == 1
    for i in range(5_000):
        fail(errors, task(f"n{i}", f"h{i % 300}"), f"E{i}('x')")
    found, texts, _ = read_all(errors, cursor)
    assert sum(row["count"] for row in found.values()) == 5_000
    assert max(found) <= module.GROUPS
    assert [row["count"] for i, row in found.items() if row["prefix"] == 0] == [5_000 - len(found) + 1]
    for i in range(100_000):
        errors.leave(task(f"k{i}", "f"), False)
    assert errors.erring.keys() == {f"m{i}" for i in range(5_000)} | {f"n{i}" for i in range(5_000)}


@pytest.mark.parametrize("seed", range(3))
def test_a_reader_has_every_row_and_text_wherever_it_stops(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READ_ROWS", 7)
    random_ = random.Random(seed)
    errors = Errors(Names(), lambda address: None)
    found: dict[int, Any] = {}
    texts: dict[int, Any] = {}
    cursor = 0
    for i in range(400):
        fail(errors, task(f"k{i}", f"f{random_.randrange(20)}"), f"E{random_.randrange(3)}('a {random_.randrange(2)}')")
        if random_.random() < 0.3:
            body, cursor = errors.read(cursor)
            found.update((int(row["id"]), row) for row in rows(body["c"]))
            texts.update((item["id"], item) for item in body["s"]["texts"])
    more, new_texts, _ = read_all(errors, cursor)
    whole, all_texts, _ = read_all(errors)
    assert {**found, **more} == whole
    assert {**texts, **new_texts} == all_texts
    assert sum(row["count"] for row in whole.values()) == 400


def test_functions_that_did_not_run_are_bounded_and_counted_right_also_when_they_are_tried_again() -> None:
    errors = Errors(Names(), lambda address: None)
    root = task("root")
    fail(errors, root, "ValueError('no')")
    blocked = [task(f"b{i}-{j}", f"g{i}", blame=root) for i in range(module.NAMED + 5) for j in range(2)]

    def listed() -> list[int]:
        return [count for _, _, count in errors.read(0)[0]["s"]["blocked"]]

    for ts in blocked:
        errors.fail(ts, "waiting", None, {})
    assert listed() == [2] * module.NAMED
    for ts in blocked:
        errors.leave(ts, True)
    assert (listed(), errors._blocked) == ([], [{}])
    for ts in blocked:
        errors.fail(ts, "waiting", None, {})
    assert listed() == [2] * module.NAMED
    (row,) = rows(errors.read(0)[0]["c"])
    assert (row["dependents"], row["dependents_ever"], row["again"]) == (len(blocked), 2 * len(blocked), 0)


def test_the_schedulers_own_exceptions_have_no_text() -> None:
    errors = Errors(Names(), lambda address: None)
    errors.fail(task("a"), "no-worker", None, {})
    errors.fail(task("b", suspicious=4), "processing", "tcp://w", {})
    errors.fail(task("c"), "memory", None, {})
    _, texts, _ = read_all(errors)
    assert [text["type"] for text in texts.values()] == ["NoValidWorkerError", "KilledWorker", ""]
    # One that needs what failed before anybody looked.
    blamed = task("z", "early", exception_text="ValueError('early')")
    errors.fail(task("d", blame=blamed), "waiting", None, {})
    found, texts, _ = read_all(errors)
    assert (texts[3]["message"], found[3]["count"], found[3]["dependents"], found[3]["now"]) == ("early", 0, 1, 1)


def test_a_block_has_its_own_failures_only() -> None:
    from array import array

    def body(*table: tuple[int, int, int, float, float], texts: tuple[int, ...] = ()) -> dict[str, Any]:
        columns = zip(*table)
        names = (("id", "H"), ("count", "I"), ("now", "I"), ("first", "d"), ("last", "d"))
        return {
            "c": {name: array(code, values) for (name, code), values in zip(names, columns)},
            "s": {
                "texts": [{"id": i, "message": f"m{i}"} for i in texts],
                "keys": [[row[0], "k"] for row in table],
                "at": [[row[0], 0, row[1]] for row in table],
                "blocked": [],
            },
        }

    cut = ErrorsCut()
    before = cut.cut(body((1, 5, 5, 1.0, 2.0), (2, 1, 0, 1.0, 1.0), texts=(1, 2)), False)
    assert (list(before["c"]["id"]), before["s"]["texts"], before["s"]["keys"]) == ([], [], [])
    after = cut.cut(body((1, 7, 7, 1.0, 9.0), (3, 1, 1, 8.0, 8.0), texts=(3,)), True)
    assert [list(after["c"][name]) for name in ("id", "count", "now", "first", "last")] == [
        [1, 3],
        [2, 1],
        [2, 1],
        [9.0, 8.0],
        [9.0, 8.0],
    ]
    assert (after["s"]["texts"], after["s"]["at"]) == (
        [{"id": 1, "message": "m1"}, {"id": 3, "message": "m3"}],
        [[1, 0, 2], [3, 0, 1]],
    )
    assert "again" not in after["c"]
    later = cut.cut(body((1, 8, 0, 1.0, 20.0)), True)
    assert [list(later["c"][name]) for name in ("count", "now", "first", "last")] == [[3], [0], [9.0], [20.0]]


def test_failures_before_a_block_that_are_tried_again_in_it_are_none_of_it() -> None:
    from array import array

    def body(count: int, now: int, dependents: int, again: int) -> dict[str, Any]:
        names = ("id", "count", "now", "dependents", "again", "first", "last")
        values = (1, count, now, dependents, again, 1.0, 2.0)
        return {"c": {name: array("d", [value]) for name, value in zip(names, values)}, "s": {}}

    cut = ErrorsCut()
    cut.cut(body(3, 7, 4, 1), False)
    assert not cut.cut(body(3, 0, 0, 4), True)["c"]["id"]
    # They fail again.
    failed = cut.cut(body(6, 5, 2, 4), True)["c"]
    assert [failed[name][0] for name in ("count", "now", "dependents", "again")] == [3, 5, 2, 0]
    # Two of the seven tasks that were erred before had failed themselves, the others are of the block.
    assert cut.cut(body(6, 0, 0, 8), True)["c"]["again"][0] == 3


def test_what_fails_again_in_a_block_without_a_frame_between_is_of_it() -> None:
    from array import array

    def body(count: int, now: int, dependents: int, again: int, ever: int, blocked: list[int]) -> dict[str, Any]:
        names = ("id", "count", "now", "dependents", "again", "dependents_ever", "first", "last")
        values = (1, count, now, dependents, again, ever, 1.0, 2.0)
        listed = [[1, prefix, number] for prefix, number in enumerate(blocked)]
        return {"c": {name: array("d", [value]) for name, value in zip(names, values)}, "s": {"blocked": listed}}

    def counts(cut: dict[str, Any]) -> list[float]:
        return [cut["c"][name][0] for name in ("count", "now", "dependents", "again")]

    cut = ErrorsCut()
    cut.cut(body(3, 8, 5, 0, 5, [3, 2]), False)
    again = cut.cut(body(6, 8, 5, 3, 10, [3, 2]), True)
    assert counts(again) == [3, 8, 5, 0]
    assert again["s"]["blocked"] == [[1, 0, 3], [1, 1, 2]]
    # Their futures are released: nobody has tried these again.
    assert counts(cut.cut(body(6, 0, 5, 3, 10, [3, 2]), True)) == [3, 0, 5, 0]


def test_the_line_that_a_pane_offers_runs_the_task_again_in_the_client() -> None:
    with (
        LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.sync(ship.register, client)
        reader = Reader(client)
        for key in ("again-1", ("again-2", 0)):
            failed = client.submit(raise_text, "again", key=key)
            wait(failed)
            reader.until(lambda: [row["now"] for row in reader.rows["errors"].values()] == [1], TOPICS)
            [row] = listed(reader).values()
            # As the pane writes it: a tuple is code, other keys are texts.
            line = f"client.recreate_task_locally({row['key'] if isinstance(key, tuple) else repr(row['key'])})"
            with pytest.raises(KeyError, match="again"):
                eval(line, {"client": client})
            del failed
            reader.until(lambda: [row["now"] for row in reader.rows["errors"].values()] == [0], TOPICS)
