"""Transfers and logs, gathered from the workers: what Dask's own logs say, both sides of a transfer in one row."""

from __future__ import annotations

import logging
import time
from array import array
from collections import deque
from collections.abc import Iterator
from math import isnan, nan
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, LocalCluster, wait

from dask_panes.kernel.gather.probes import logs as logs_probe
from dask_panes.kernel.gather.probes import transfers as transfers_probe
from dask_panes.kernel.gather.row_log import RowLog
from dask_panes.kernel.gather.transfers import ALONE, BOTH, INCOMING, OUTGOING, Side, TransfersSource, join
from tabs import Tab, session_of


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


def folded(tab: Tab, topic: str) -> list[dict[str, Any]]:
    """All rows of a topic, as a browser folds them."""
    rows: list[dict[str, Any]] = []
    for body in tab.bodies(topic):
        columns = {**body["c"], **{name: value for name, value in body["s"].items() if isinstance(value, list)}}
        if body["s"]["first"] == 0:
            rows = []
        assert body["s"]["first"] == len(rows)
        rows += [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows


def move_some(client: Client, count: int = 6) -> None:
    """Let one worker take results of the other."""
    here, there = list(client.nthreads())[:2]
    kept = [
        client.submit(lambda n: bytes(n * 100_000), n, workers=[here], pure=False, key=f"<b>kept</b>-{n}-{count}")
        for n in range(1, count + 1)
    ]
    wait(kept)
    wait([client.submit(len, each, workers=[there], pure=False) for each in kept])


def own_logs(client: Client, name: str) -> list[dict[str, Any]]:
    def read(dask_worker: Any, name: str = name) -> Any:
        return [{**entry, "keys": list(entry["keys"])} for entry in getattr(dask_worker, name)]

    return [{**entry, "worker": worker} for worker, log in client.run(read).items() for entry in log]


def both_logs(client: Client) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What receivers and senders have noted: a sender does so when the receiver has said that it has everything."""
    end = time.monotonic() + 180
    while True:
        incoming, outgoing = (own_logs(client, f"transfer_{name}_log") for name in ("incoming", "outgoing"))
        if len(incoming) == len(outgoing):
            return incoming, outgoing
        assert time.monotonic() < end, (incoming, outgoing)


def test_transfers_are_those_of_both_logs_joined(client: Client) -> None:
    move_some(client)
    incoming, outgoing = both_logs(client)
    # Several results may travel together.
    count = len(incoming)
    assert count > 0
    with session_of(client) as session:
        tab = Tab(client, session).want("meta", "workers", "transfers")
        tab.until(lambda tab: len(folded(tab, "transfers")) == count)
        rows = folded(tab, "transfers")
        addresses = [
            worker["address"]
            for frame in tab.frames
            for worker in frame.get("names", {}).get("workers", {}).get("values", [])
        ]
        found = sorted(rows, key=lambda row: row["start"])
        # Transfers at the same time may begin in another order for their senders.
        sent = {frozenset(entry["keys"]): entry for entry in outgoing}
        assert len(sent) == count
        for row, there in zip(found, sorted(incoming, key=lambda entry: entry["start"]), strict=True):
            here = sent[frozenset(there["keys"])]
            assert (row["start"], row["stop"], row["total"]) == (there["start"], there["stop"], there["total"])
            assert (row["compressed"], row["total"]) == (here["compressed"], here["total"])
            assert row["sides"] == BOTH
            assert addresses[row["receiver"] - 1] == there["worker"] == here["who"]
            assert addresses[row["sender"] - 1] == here["worker"] == there["who"]
            assert (row["keys"], row["names"]) == (len(there["keys"]), ", ".join(there["keys"][:3]))
        assert "<b>kept</b>-" in rows[0]["names"]

        move_some(client, 2)
        count = len(both_logs(client)[0])
        tab.until(lambda tab: len(folded(tab, "transfers")) == count)
        late = Tab(client, session).want("meta", "transfers")
        late.until(lambda tab: len(folded(tab, "transfers")) == count)
        assert folded(late, "transfers") == folded(tab, "transfers")


#: Part of the lines of a worker's log that our own questions cause.
OURS = "Run out-of-band function 'dask_panes_"


def test_logs_are_those_of_get_worker_logs_and_get_scheduler_logs(client: Client) -> None:
    def log(text: str) -> None:
        logging.getLogger("distributed.worker").warning(text)
        logging.getLogger("distributed.worker").error("second\nline")

    def log_there(dask_scheduler: Any) -> None:
        logging.getLogger("distributed.scheduler").critical("<img src=x onerror=alert(1)> %s", 7)

    client.run(log, "<script>alert(1)</script>")
    client.run_on_scheduler(log_there)
    with session_of(client) as session:
        tab = Tab(client, session).want("meta", "workers", "logs")

        def lines_of(tab: Tab) -> dict[str, list[tuple[str, str]]]:
            names = [w["address"] for f in tab.frames for w in f.get("names", {}).get("workers", {}).get("values", [])]
            lines: dict[str, list[tuple[str, str]]] = {}
            for row in folded(tab, "logs"):
                server = names[row["server"] - 1] if row["server"] else "scheduler"
                lines.setdefault(server, []).append((row["name"], row["text"]))
            return lines

        tab.until(lambda tab: len(lines_of(tab)) == 3)
        client.run(log, "later")
        tab.until(lambda tab: sum(text.endswith("later") for lines in lines_of(tab).values() for _, text in lines) == 2)

        def expected() -> dict[str, list[tuple[str, str]]]:
            logs = {**client.get_worker_logs(), "scheduler": client.get_scheduler_logs()}
            # Dask gives the newest first. The pane leaves out what only the installation of our probes caused.
            kept = {server: [tuple(line) for line in lines if OURS not in line[1]] for server, lines in logs.items()}
            return {server: lines[3::-1] for server, lines in kept.items()}

        # Servers may log something else at any time.
        tab.until(lambda tab: {server: lines[-4:] for server, lines in lines_of(tab).items()} == expected())
        assert {row["level"] for row in folded(tab, "logs")} >= {30, 40, 50}
        assert any("<img src=x" in row["text"] for row in folded(tab, "logs"))


def entry(number: int) -> dict[str, Any]:
    return {"start": number, "stop": number + 0.5, "total": number, "keys": {f"k{number}": 1}, "who": "tcp://peer"}


def test_the_probe_numbers_entries_that_have_no_number() -> None:
    server: Any = SimpleNamespace(
        address="tcp://a",
        scheduler_delay=0.0,
        transfer_incoming_log=deque(maxlen=10),
        transfer_outgoing_log=deque(),
    )
    log = server.transfer_incoming_log
    log.extend(entry(i) for i in range(4))

    def ask(after: int, limit: int = 5) -> tuple[list[float], dict[str, Any]]:
        side = transfers_probe.probe(server, incoming=after, limit=limit)["incoming"]
        return array("d", side["start"]).tolist(), side

    assert ask(0)[0] == [0, 1, 2, 3]
    log.extend(entry(i) for i in range(4, 9))
    starts, side = ask(4, 3)
    assert (starts, side["end"], side["more"], side["dropped"]) == ([4, 5, 6], 7, True, False)
    assert ask(7)[0] == [7, 8]
    # Two readers do not disturb each other, nor does what was read disturb the numbers.
    assert ask(4, 2)[0] == [4, 5]
    log.extend(entry(i) for i in range(9, 30))
    starts, side = ask(9, 100)
    assert starts == list(range(20, 30))
    assert side["dropped"]
    assert not ask(side["end"])[1]["dropped"]
    assert side["keys"][0] == ["k20"]
    assert ask(side["end"])[0] == []


def test_the_probe_of_logs_numbers_records_that_have_no_number() -> None:
    handler = SimpleNamespace(deque=deque(maxlen=5), format=lambda record: record.getMessage())
    server: Any = SimpleNamespace(_deque_handler=handler, scheduler_delay=2.0)

    def log(*texts: str) -> None:
        handler.deque.extend(logging.LogRecord("l", 30, "", 0, text, None, None) for text in texts)

    def ask(after: int, limit: int = 10) -> tuple[list[str], int]:
        answer = logs_probe.probe(server, after, limit)
        return [line[4] for line in answer["lines"]], answer["end"]

    assert ask(0) == ([], 0)
    log("a", "b")
    assert ask(0) == (["a", "b"], 2)
    log("a")
    assert ask(2) == (["a"], 3)
    assert ask(0, 2) == (["a", "b"], 2)
    record = handler.deque[-1]
    assert logs_probe.probe(server, 2)["lines"][0][:4] == [record.created + 2.0, 30, "WARNING", "l"]


def side(number: float, *, keys: int = 1, total: float = 10.0, sender: str = "a", size: float = nan) -> Side:
    return Side(sender, "b", number, number + 0.5, total, size, keys, ("k",))


def test_sides_are_joined_by_workers_size_and_time() -> None:
    waiting = [
        (2, INCOMING, side(1.0)),
        (2, INCOMING, side(5.0)),
        (2, OUTGOING, side(5.1, size=7.0)),
        (2, OUTGOING, side(1.1, size=6.0)),
        (2, OUTGOING, side(1.2, sender="c", size=1.0)),
        (1, INCOMING, side(9.0, total=11.0)),
        (1, OUTGOING, side(9.0, total=12.0, size=2.0)),
        (1, INCOMING, side(20.0)),
        (1, OUTGOING, side(40.0, size=3.0)),
    ]
    joined, left = join(waiting)
    assert [(entry.start, entry.compressed) for _, entry in joined] == [(1.0, 6.0), (5.0, 7.0)]
    assert {kind for kind, _ in joined} == {BOTH}
    assert len(left) == 5


def test_a_side_that_comes_much_later_is_no_transfer_of_its_own() -> None:
    source = TransfersSource()
    answers: Any = SimpleNamespace(of={}, failed={}, refusal="")

    def appended(*waiting: tuple[int, int, Side]) -> list[int]:
        before = source.end
        source._waiting += waiting
        source._append(answers, wait=False, last=False)
        return list(source.read(before)[0]["c"]["sides"][1])

    assert appended((0, INCOMING, side(1.0))) == [INCOMING]
    assert appended((0, OUTGOING, side(1.1, size=6.0))) == []
    # The next one that is alike is another transfer.
    assert appended((0, OUTGOING, side(1.2, size=6.0))) == [OUTGOING]
    assert appended((0, INCOMING, side(1.2, total=11.0))) == [INCOMING]
    assert appended((0, INCOMING, side(1.2))) == []
    for i in range(2 * ALONE):
        appended((0, INCOMING, side(100.0 * i)))
    assert len(source._alone) == ALONE


def test_a_log_of_rows_is_bounded_and_reports_facts_without_rows() -> None:
    log = RowLog({"n": "I"}, ("t",), limit=100)
    assert log.end == 0
    log.add([], {"silent": 0})
    body, cursor = log.read(0, 10)
    assert (body["s"]["first"], body["s"]["silent"], cursor) == (0, 0, log.end)
    log.add([], {"silent": 0})
    assert cursor == log.end
    log.add([{"n": i, "t": str(i)} for i in range(5)], {"silent": 0})
    assert log.end > cursor
    seen: list[str] = []
    while cursor < log.end:
        body, cursor = log.read(cursor, 2)
        assert body["s"]["first"] == len(seen)
        seen += body["s"]["t"]
    assert seen == list("01234")
    log.add([], {"silent": 1})
    assert log.end > cursor
    body, cursor = log.read(cursor, 2)
    assert (body["s"]["t"], body["s"]["silent"], cursor) == ([], 1, log.end)
    for i in range(5, 500):
        log.add([{"n": i, "t": str(i)}], {"silent": 1})
    body, cursor = log.read(cursor, 1000)
    assert body["s"]["t"][-1] == "499"
    assert 100 <= len(body["s"]["t"]) <= 111
    assert body["s"]["lost"] == 495 - len(body["s"]["t"])
    assert cursor == log.end


def test_nothing_is_reported_of_the_size_on_a_wire_that_is_none() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
        session_of(client) as session,
    ):
        move_some(client, 2)
        tab = Tab(client, session).want("meta", "transfers")
        tab.until(lambda tab: len(folded(tab, "transfers")) > 0)
        assert all(isnan(row["compressed"]) for row in folded(tab, "transfers"))
