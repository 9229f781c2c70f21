"""A reader of a collector that acts as a browser does."""

from __future__ import annotations

import uuid
from array import array
from collections.abc import Callable
from time import monotonic
from typing import Any

from distributed import Client

from dask_panes.feed import FrameValidator, decode, encode
from dask_panes.feed.schema import DTYPES, SCHEMA
from dask_panes.scheduler.collector.plugin import ASK_HANDLER, READ_HANDLER

#: Topics of the collector; the session gathers others from the workers, and some are of local schedulers only.
TOPICS = [name for name, topic in SCHEMA["topics"].items() if not {"gathered", "local"} & set(topic)]
#: Topics that an idle cluster does not send.
SILENT_WHILE_IDLE = ("series", "activities")


class Reader:
    """Reads a client's collector to its end and stores rows by topic, as a browser does."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.name = uuid.uuid4().hex
        self.feed, self.epoch, self.cursor = "", -1, {}
        self.names: dict[str, list[Any]] = no_names()
        #: Index of the first group name: older ones were dropped.
        self.first_group = 0
        self.tasks: list[dict[str, float]] = []
        self.moves: list[dict[str, float]] = []
        self.rows: dict[str, dict[int, dict[str, float]]] = no_rows()
        self.graph: list[dict[str, float]] = []
        self.states: dict[int, int] = {}
        #: Keys of running tasks by row, and the number without a row.
        self.keys: dict[int, str] = {}
        self.unlisted = 0
        #: Texts of computations by number.
        self.texts: dict[int, dict[str, Any]] = {}
        #: Their functions, by number of the computation and name of the function.
        self.shares: dict[tuple[int, str], dict[str, float]] = {}
        #: Computation of each execution, by row.
        self.owners: dict[int, int] = {}
        #: Number of the task of each execution, by row.
        self.executed: dict[int, int] = {}
        #: Texts of errors by group, the key that failed last, and counts by ("at" or "blocked", group, index).
        self.error_texts: dict[int, dict[str, Any]] = {}
        self.error_keys: dict[int, str] = {}
        self.error_lists: dict[tuple[str, int, int], int] = {}
        self.answers: list[dict[str, Any]] = []
        self._validator = FrameValidator()

    def read(self, topics: list[str] = TOPICS, timeout: float = 0.0) -> dict[str, Any]:
        async def rpc() -> Any:
            return await getattr(self.client.scheduler, READ_HANDLER)(
                reader=self.name,
                feed=self.feed,
                epoch=self.epoch,
                cursor=self.cursor,
                topics=topics,
                timeout=timeout,
            )

        answer = self.client.sync(rpc)
        assert self._validator.check(decode(encode(answer, 0))) == []
        if (answer["feed"], answer["epoch"]) != (self.feed, self.epoch):
            self.names, self.first_group = no_names(), 0
            self.tasks, self.moves, self.rows = [], [], no_rows()
            self.graph, self.states, self.shares, self.executed, self.owners = [], {}, {}, {}, {}
            self.edges: set[tuple[int, int]] = set()
            self.group_edges: set[tuple[int, int]] = set()
        self.feed, self.epoch, self.cursor = answer["feed"], answer["epoch"], answer["cursor"]
        for name, entries in answer["names"].items():
            if name == "groups" and not self.names[name]:
                self.first_group = entries["from"]
            assert entries["from"] == len(self.names[name]) + (self.first_group if name == "groups" else 0)
            self.names[name] += entries["values"]
        for topic, body in answer["topics"].items():
            self.fold(topic, body)
        self.answers.append(answer)
        return dict(answer)

    def fold(self, topic: str, body: dict[str, Any]) -> None:
        table = rows(body["c"])
        if topic == "tasks":
            first = body["s"]["first"]
            assert first == len(self.tasks)
            self.tasks += table
            self.moves += [{**row, "row": first + row["at"]} for row in rows(body.get("m", {}))]
        elif topic == "graph":
            assert body["s"]["first"] == len(self.graph)
            self.states.update((len(self.graph) + i, int(row["state"])) for i, row in enumerate(table))
            self.graph += table
            self.edges.update(edges(body))
        elif topic == "executed":
            # Those from before a restart or a takeover are not sent.
            assert body["s"]["first"] >= len(self.executed)
            self.executed.update((body["s"]["first"] + i, int(row["number"])) for i, row in enumerate(table))
        elif topic == "states":
            first = body["s"].get("first", 0)
            self.states.update((int(row.get("number", first + i)), int(row["state"])) for i, row in enumerate(table))
        elif topic in self.rows:
            self.rows[topic].update((int(row["id"]), row) for row in table)
            if topic == "running":
                self.keys.update(body["s"].get("keys", ()))
                self.unlisted = body["s"]["unlisted"]
            if topic == "computations":
                self.texts.update((item["id"], item) for item in body["s"]["texts"])
                for row in rows(body.get("m", {})):
                    self.shares[int(row["computation"]), self.names["prefixes"][int(row["prefix"])]] = row
                for first, found, count in body["s"]["rows"]:
                    self.owners.update(dict.fromkeys(range(first, first + count), found))
            if topic == "errors":
                for entry in body["s"]["texts"]:
                    self.error_texts.setdefault(entry["id"], {}).update(entry)
                # The lists of a row come whole with it.
                news = {int(row["id"]) for row in table}
                self.error_lists = {entry: count for entry, count in self.error_lists.items() if entry[1] not in news}
                for name in ("at", "blocked"):
                    self.error_lists.update(((name, i, at), count) for i, at, count in body["s"][name])
                self.error_keys.update(body["s"]["keys"])
            if topic == "groups":
                self.group_edges.update(edges(body))

    def until(self, condition: Callable[[], bool], topics: list[str] = TOPICS, seconds: float = 180) -> None:
        """Read until a condition is true."""
        end = monotonic() + seconds
        while not condition():
            assert monotonic() < end, {topic: list(rows.values()) for topic, rows in self.rows.items()}
            self.read(topics, timeout=0.2)

    def arrive(self, topics: list[str] = TOPICS) -> None:
        """Read until everything that the scheduler knows by now has arrived, whatever interval a topic has.

        Heartbeat data are as of the last heartbeat: see `beat`.
        """
        self.read(topics)
        end = self.ask("end", topics=topics, now=True)
        silent = SILENT_WHILE_IDLE if end["idle"] else ()
        wanted = {topic: at for topic, at in end["cursor"].items() if topic not in silent}
        self.until(
            lambda: self.epoch > end["epoch"] or all(self.cursor.get(topic, -1) >= at for topic, at in wanted.items()),
            topics,
        )

    def running(self) -> dict[str, dict[str, float]]:
        """Rows of running tasks by key."""
        return {self.keys[found]: row for found, row in self.rows["running"].items() if row["state"]}

    def state_names(self) -> dict[int, str]:
        """States of tasks by number, in Dask's words."""
        return {number: SCHEMA["enums"]["taskState"][code] for number, code in self.states.items()}

    def ask(self, name: str, **args: Any) -> Any:
        async def rpc() -> Any:
            return await getattr(self.client.scheduler, ASK_HANDLER)(name=name, args=args)

        return self.client.sync(rpc)


def rows(columns: dict[str, Any]) -> list[dict[str, float]]:
    """A table of wire columns as rows."""
    arrays = {name: array(DTYPES[dtype]["array"], bytes(data)) for name, (dtype, data) in columns.items()}
    return [dict(zip(arrays, values)) for values in zip(*arrays.values())]


def edges(body: dict[str, Any]) -> list[tuple[int, int]]:
    """The second table of a graph as pairs (dependency, dependent)."""
    return [(int(row["source"]), int(row["target"])) for row in rows(body.get("m", {}))]


def no_names() -> dict[str, list[Any]]:
    return {name: [] for name in SCHEMA["names"] if name != "doc"}


def no_rows() -> dict[str, dict[int, dict[str, float]]]:
    tables = ("workers", "running", "attempts", "errors", "prefixes", "groups", "held", "computations")
    return {topic: {} for topic in tables}


def beat(client: Client) -> None:
    """Make all workers send now what they would send with their next heartbeat."""

    async def heartbeat(dask_worker: Any) -> None:
        await dask_worker.heartbeat()

    client.run(heartbeat)
