"""The ring of executions and its packed keys against plain lists."""

from __future__ import annotations

import asyncio
import random
from array import array
from itertools import accumulate
from math import inf
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import numpy
import pytest

from dask_panes.scheduler.collector import history
from dask_panes.scheduler.collector.columns import DTYPES, unsigned
from dask_panes.scheduler.collector.history import History
from dask_panes.scheduler.collector.keys import KeyColumn, groups_in, unpacked
from dask_panes.scheduler.collector.names import ALIKE, Names
from dask_panes.scheduler.collector.plain import literal, text

CHUNK = 16
CODES = {dtype: code for code, dtype in DTYPES.items()}
KINDS = {"transfer": 1, "disk-read": 2, "disk-write": 3, "deserialize": 4}


def values(column: tuple[str, bytes]) -> list[Any]:
    found = array(CODES[column[0]])
    found.frombytes(column[1])
    return list(found)


def key_of(random_: random.Random, prefix: str) -> Any:
    kind = random_.randrange(10)
    number = random_.choice([0, 1, -1, 7, 2**31 - 1, -(2**31)])
    return [
        f"{prefix}-{random_.getrandbits(128):032x}",
        f"{prefix}-{random_.getrandbits(128):032X}A"[: len(prefix) + 33],
        f"{prefix}-{UUID(int=random_.getrandbits(128))}",
        f"{prefix}_{random_.getrandbits(128):032x}",
        f"{prefix}-{number}",
        (f"{prefix}-{random_.randrange(3)}", number),
        (f"{prefix}-{random_.randrange(3)}", number, random_.randrange(5)),
        (f"{prefix}-{random_.randrange(3)}", *(random_.randrange(4) for _ in range(random_.choice([0, 3, 16, 17])))),
        (f"{prefix}-a", random_.choice([2**31, -(2**31) - 1, True, 1.5, "x"]), 2),
        random_.choice([b"bytes", 17, 2.5, ("a", ("b", 1)), ()]),
    ][kind]


def written(key: Any) -> str:
    return key if isinstance(key, str) else repr(key)


@pytest.mark.parametrize("seed", range(6))
def test_keys_come_back_and_are_found_as_they_are_written(seed: int) -> None:
    random_ = random.Random(seed)
    column = KeyColumn()
    rows: list[tuple[Any, str]] = []
    for _ in range(60):
        part = [
            (key_of(random_, prefix), prefix) for prefix in random_.choices(["f", "load", ""], k=random_.randrange(9))
        ]
        column.extend([key for key, _ in part], [prefix for _, prefix in part])
        rows += part
        if random_.random() < 0.3:
            left = random_.randrange(len(rows) + 2)
            column.cut(left)
            del rows[left:]
        assert len(column) == len(rows)
    assert [column.text(i, prefix) for i, (_, prefix) in enumerate(rows)] == [written(key) for key, _ in rows]
    for key, prefix in rows:
        same = [i for i, (other, its) in enumerate(rows) if its == prefix and written(other) == written(key)]
        found = column.find(written(key), prefix)
        assert [i for i in found if rows[i][1] == prefix] == same
        # Keys of other prefixes may be among them, but none that is written in another way in its own prefix.
        assert all(unpacked_alike(rows[i], key, prefix) for i in found)
    for _ in range(50):
        low, high = sorted(random_.randrange(len(rows) + 1) for _ in range(2))
        packed = column.packed(low, high, 0)
        offsets = [at - packed["begin"] for at in values(packed["offsets"])]
        ends = [*offsets[1:], len(packed["packed"])]
        parts = [packed["packed"][a:b] for a, b in zip(offsets, ends)]
        assert [unpacked(part, rows[low + i][1], packed["groups"]) for i, part in enumerate(parts)] == [
            written(key) for key, _ in rows[low:high]
        ]
        groups = {packed["groups"].index(key[0]) for key, _ in rows[low:high] if packs(key)}
        assert groups_in(packed["packed"], offsets) == sorted(groups)
        assert column.packed(low, high, 2)["groups"] == packed["groups"][2:]
    assert column.nbytes == len(column.packed(0, len(rows), 0)["packed"]) + 4 * len(rows)


def packs(key: Any) -> bool:
    return (
        type(key) is tuple
        and 0 < len(key) <= 17
        and type(key[0]) is str
        and all(type(i) is int and -(2**31) <= i < 2**31 for i in key[1:])
    )


def unpacked_alike(row: tuple[Any, str], key: Any, prefix: str) -> bool:
    other, its = row
    if its == prefix:
        return written(other) == written(key)
    return written(other)[len(its) :] == written(key)[len(prefix) :] or written(other) == written(key)


def test_keys_take_as_few_bytes_as_they_need() -> None:
    column = KeyColumn()
    keys = ["f-" + "ab" * 16, f"f-{UUID(int=7)}", ("f-1", 3), ("f-1", 3, 4), ("f-1",), ("f-1", *range(16)), "f-ab"]
    sizes = [17, 17, 7, 11, 3, 3 + 64, 5]
    for key, size in zip(keys, sizes, strict=True):
        before = column.nbytes
        column.extend([key], ["f"])
        assert column.nbytes - before == size + 4


def test_text_that_does_not_come_back_from_its_digits_is_kept_as_text() -> None:
    hexadecimal, uuid = "ab" * 16, str(UUID(int=2**127 + 0xABCDEF))
    for key in (
        f"f-{hexadecimal.upper()}",
        f"f-{hexadecimal[:-2]}  ",
        f"f-{hexadecimal[:-1]}g",
        f"f+{hexadecimal}",
        f"g-{hexadecimal}",
        f"f-{uuid.upper()}",
        f"f-{uuid[:24]}{uuid[24:34]}  ",
        f"f-{uuid[:9]}    {uuid[13:]}",
        f"f-{uuid[:25]}-{uuid[26:]}",
        f"f-{uuid.replace('-', '0')}",
        f"f-{{{uuid[:-2]}}}",
        f"f+{uuid}",
        f"g-{uuid}",
        f"f-{'1' * 32}",
        f"f-{uuid[:35]}\N{ARABIC-INDIC DIGIT THREE}",
    ):
        column = KeyColumn()
        column.extend([key], ["f"])
        assert column.text(0, "f") == key
        assert column.find(key, "f") == [0]
        assert column.nbytes == 1 + len(key.encode()) + 4


def test_a_text_of_python_is_its_value_and_any_other_itself() -> None:
    assert literal("('a', 1)") == ("a", 1)
    assert literal("a-1") == "a-1"
    assert literal("(" * 1000) == "(" * 1000
    # A text key stays as it is, whatever it is like.
    assert literal("np.int64(1)-a") == "np.int64(1)-a"
    for number in (numpy.int64(-1), numpy.uint8(200), numpy.float32(0.5), numpy.float64(1e300)):
        assert {("x", number): "found"}[literal(repr(("x", number)))] == "found"
    for key in (inf, -inf, ("inf", inf, ("np.int64(3)", -inf)), ("x", numpy.float64(-inf))):
        assert literal(repr(key)) == key
    assert [literal(text) for text in ("inf-1", "inf + 1", "information")] == ["inf-1", "inf + 1", "information"]


@pytest.mark.parametrize(("largest", "dtype"), [(0, "u2"), (65535, "u2"), (65536, "u4")])
def test_small_integers_take_two_bytes(largest: int, dtype: str) -> None:
    assert DTYPES[unsigned([0, largest], largest).typecode] == dtype


class Model:
    """The same as lists of rows."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.rows: list[dict[str, Any]] = []
        self.first = 0
        self.refused = 0

    def add(self, row: dict[str, Any]) -> None:
        if len(self.rows) % CHUNK == 0:
            while self.first + CHUNK <= len(self.rows) and len(self.rows) - self.first > self.limit:
                self.first += CHUNK
        self.rows.append(row)


def execution(
    random_: random.Random, number: int, prefixes: list[Any]
) -> tuple[list[Any], dict[str, Any] | None, bool]:
    """What the hook notes, the row it should become (None if it cannot be written), and whether it failed."""
    prefix = random_.choice(prefixes)
    worker, thread = random_.choice(["tcp://a", "tcp://b"]), random_.randrange(3)
    failed = random_.random() < 0.2
    start = random_.randrange(1000)
    moves = [
        (
            random_.choice([*KINDS, "sleep"]),
            start + i,
            start + i + random_.randrange(3),
            random_.choice(["tcp://a", None]),
        )
        for i in range(random_.choice([0, 0, 1, 3]))
    ]
    startstops = [{"action": kind, "start": a, "stop": b, "source": source} for kind, a, b, source in moves]
    older = []
    if random_.random() < 0.2:
        older = [{"action": "transfer", "start": 1, "stop": 2}, {"action": "compute", "start": 2, "stop": 3}]
    compute: tuple[float, float]
    if failed and moves and random_.random() < 0.5:
        older = []
        compute = (max(b for _, _, b, _ in moves),) * 2
    else:
        compute = (start + 10, start + 10 + random_.randrange(4))
        startstops.append({"action": "compute", "start": compute[0], "stop": compute[1]})
    size = random_.choice([None, 5]) if failed else random_.choice([0, 7, 10**6])
    broken = random_.random() < 0.1
    key = f"{prefix.name}-{number % 40}"
    notes = [
        key,
        SimpleNamespace(prefix=prefix),
        worker,
        thread,
        older + startstops,
        "many" if broken else size,
        random_.choice(["int", "str", None, ""]),
    ]
    row = {
        "key": key,
        "prefix": prefix.name,
        "lane": (worker, thread),
        "start": float(compute[0]),
        "duration": float(compute[1] - compute[0]),
        "erred": failed,
        "nbytes": float(size or 0),
        "type": notes[6] or "",
        "moves": [
            (KINDS[kind], a + (delay(worker) if KINDS[kind] > 1 else 0.0), float(b - a), source)
            for kind, a, b, source in moves
            if kind in KINDS
        ],
    }
    return notes, None if broken else row, failed


def delay(worker: str) -> float:
    return 0.5 if worker == "tcp://b" else 0.0


def execution_of(names: Names, row: int, body: dict[str, Any], i: int) -> dict[str, Any]:
    columns = {name: values(column) for name, column in body["c"].items()}
    moves = {name: values(column) for name, column in body.get("m", {}).items()}
    mine = [m for m, at in enumerate(moves.get("at", ())) if at == i]
    lane = names.lanes[columns["lane"][i]]
    return {
        "prefix": names.prefixes[columns["prefix"][i]],
        "lane": (names.workers[lane[0]]["address"], lane[1]),
        "start": columns["start"][i],
        "duration": columns["duration"][i],
        "erred": bool(columns["status"][i]),
        "nbytes": columns["nbytes"][i],
        "moves": [
            (
                moves["kind"][m],
                moves["start"][m],
                moves["duration"][m],
                names.workers[moves["peer"][m] - 1]["address"] if moves["peer"][m] else None,
            )
            for m in mine
        ],
    }


@pytest.mark.parametrize("seed", range(6))
def test_rows_are_those_of_a_list(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "CHUNK_ROWS", CHUNK)
    random_ = random.Random(seed)
    names = Names()
    for address in ("tcp://a", "tcp://b"):
        names.add_worker({"address": address, "name": address})
    names.set_clock_delay("tcp://b", 0.5)
    limit = random_.choice([CHUNK, 40, 100])
    ring, model = History(names, limit), Model(limit)
    prefixes = [SimpleNamespace(name=name) for name in ("f", "load", "sum")]
    for step in range(30):
        notes: list[Any] = []
        failed = []
        for i in range(random_.choice([1, 2, 5, 40])):
            flat, row, bad = execution(random_, len(model.rows), prefixes)
            notes += flat
            if bad:
                failed.append(i)
            if row is None:
                model.refused += 1
            else:
                model.add(row)
        ring.extend(notes, failed)
        assert (ring.end, ring.refused) == (len(model.rows), model.refused), f"step {step}"
        assert ring.first == model.first
    if model.refused:
        assert "TypeError" in ring.refusal
    expected = [{name: row[name] for name in row if name not in ("key", "type")} for row in model.rows]
    for cursor in range(ring.end + 1):
        many = random_.choice([1, 5, 100])
        body, after = ring.read(cursor, many)
        first = max(cursor, ring.first)
        assert body["s"] == {"first": first, "end": ring.end, **({"lost": first - cursor} if first > cursor else {})}
        whole = min(ring.end, first + many, first - first % CHUNK + CHUNK)
        moves = accumulate(len(row["moves"]) for row in expected[first:whole])
        within = sum(count <= many for count in moves)
        assert after == min(whole, first + max(1, within))
        assert [execution_of(names, row, body, row - first) for row in range(first, after)] == expected[first:after]
        assert ("m" in body) == any(row["moves"] for row in expected[first:after])
    for row in range(-1, ring.end + 1):
        kept = ring.first <= row < ring.end
        assert ring.describe(row) == (
            {"key": model.rows[row]["key"], "type": model.rows[row]["type"]} if kept else None
        )
        found = ring.execution(row)
        if not kept:
            assert found is None
            continue
        assert found is not None
        moves = [(move["kind"], move["start"], move["duration"]) for move in found.pop("moves")]
        lane = names.lanes[found.pop("lane")]
        assert (names.workers[lane[0]]["address"], lane[1]) == model.rows[row]["lane"]
        assert moves == [move[:3] for move in model.rows[row]["moves"]]
        assert found == {
            "row": row,
            **{n: model.rows[row][n] for n in ("start", "duration", "erred", "nbytes", "type")},
        }
    for key in {row["key"] for row in model.rows}:
        newest = [i for i in range(ring.end - 1, ring.first - 1, -1) if model.rows[i]["key"] == key]
        assert asyncio.run(ring.find(key, key.split("-")[0], 3)) == newest[:3]
        assert asyncio.run(ring.find(key, None, 1000)) == newest


def test_keys_and_types_are_sent_to_the_end_of_a_chunk_and_names_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "CHUNK_ROWS", CHUNK)
    names = Names()
    ring = History(names, CHUNK)
    task = SimpleNamespace(prefix=SimpleNamespace(name="f"))
    notes: list[Any] = []
    count = 2 * CHUNK + 5
    for i in range(count):
        compute = [{"action": "compute", "start": i, "stop": i + 1}]
        notes += ((f"f-{i // 8}", i), task, "tcp://a", 1, compute, 0, f"t{i % 3}")
    ring.extend(notes)
    assert (ring.first, ring.end) == (CHUNK, count)
    for row in range(count + 1):
        found = ring.keys(row, -1, 9, 0)
        first = max(row, CHUNK)
        assert found["first"] == first
        if first == count:
            assert set(found) == {"first"}
            continue
        end = min(count, first - first % CHUNK + CHUNK)
        assert found["chunk"] == first - first % CHUNK
        assert found["types"] == ["", "t0", "t1", "t2"]
        assert [found["types"][i] for i in values(found["type"])] == [f"t{i % 3}" for i in range(first, end)]
        offsets = [at - found["begin"] for at in values(found["offsets"])]
        parts = [found["packed"][a:b] for a, b in zip(offsets, [*offsets[1:], len(found["packed"])])]
        texts = [unpacked(part, "f", found["groups"]) for part in parts]
        assert texts == [repr((f"f-{i // 8}", i)) for i in range(first, end)]
        again = ring.keys(row, found["chunk"], 1, 2)
        assert (again["groups"], again["types"]) == (found["groups"][1:], ["t1", "t2"])
    assert ring.nbytes > 0


def test_columns_are_as_wide_as_the_names_need() -> None:
    names = Names()
    names.prefixes = [""] * (65536 - history.CHUNK_ROWS - 1)
    assert history.Chunk(0, names).prefix.typecode == "H"
    names.prefixes.append("")
    assert history.Chunk(0, names).prefix.typecode == "I"
    names.workers = [{}] * (65536 - history.CHUNK_ROWS - 2)
    assert history.Chunk(0, names).move_peer.typecode == "H"
    names.workers.append({})
    assert history.Chunk(0, names).move_peer.typecode == "I"


def test_type_names_are_bounded() -> None:
    ring = History(Names(), 100)
    for i in range(65534):
        assert ring._typename_ids[f"t{i}"] == i + 1
    assert ring._typename_ids["one more"] == 0
    assert ring._typename_ids["t65533"] == 65534


def test_bytes_are_those_of_all_columns() -> None:
    ring = History(Names(), 100)
    task = SimpleNamespace(prefix=SimpleNamespace(name="f"))
    compute = {"action": "compute", "start": 1, "stop": 2}
    ring.extend(["f-1", task, "tcp://a", 1, [compute], 0, "int"])
    # Lane, prefix, start, duration, status, bytes, type, and form, text and offset of the key.
    assert ring.nbytes == 2 + 2 + 8 + 4 + 1 + 4 + 2 + 4 + 4
    ring.extend(["f-1", task, "tcp://a", 1, [{"action": "transfer", "start": 0, "stop": 1}, compute], 0, "int"])
    assert ring.nbytes == 2 * 31 + 2 + 1 + 8 + 4 + 2


def test_keys_of_prefixes_that_share_an_entry_or_are_too_long_are_restored() -> None:
    names = Names()
    names.add_worker({"address": "tcp://a", "name": "a"})
    ring = History(names, 1000)
    prefixes = [*(f"load_{i}" for i in range(ALIKE + 10)), "x" * 1500, "odd\udcff", "sum"]
    keys = [f"{prefix}-{i:032x}" for i, prefix in enumerate(prefixes)]
    span = [{"action": "compute", "start": 1.0, "stop": 2.0}]
    for key, prefix in zip(keys, prefixes):
        ring.extend([key, SimpleNamespace(prefix=SimpleNamespace(name=prefix)), "tcp://a", 1, span, 8, "int"])
    found = [ring.describe(row) for row in range(len(keys))]
    assert [each["key"] for each in found if each is not None] == [text(key) for key in keys]
    for row, (key, prefix) in enumerate(zip(keys, prefixes, strict=True)):
        # By the name, by the text that is stored of it, and by the key alone.
        for given in {prefix, text(prefix, 1000), None}:
            assert asyncio.run(ring.find(text(key), given, 5)) == [row]
    assert asyncio.run(ring.find(keys[0], "never", 5)) == []
