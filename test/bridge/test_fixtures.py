"""The recorded frames say in Python what they said when they were recorded; TypeScript reads the same files."""

from __future__ import annotations

import json
import math
from array import array
from pathlib import Path
from typing import Any

import pytest

from dask_panes.feed import PROTOCOL, FrameError, decode, encode
from dask_panes.feed.codec import msgpack

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FRAMES = sorted(FIXTURES.glob("*.frame"))


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, array):
        if ours.typecode != theirs["typecode"] or len(ours) != len(theirs["values"]):
            return False
        return all((b is None and math.isnan(a)) or a == b for a, b in zip(ours, theirs["values"]))
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


def test_there_are_frames() -> None:
    assert len(FRAMES) >= 5


@pytest.mark.parametrize("path", FRAMES, ids=lambda path: path.name)
def test_a_recorded_frame_reads_as_recorded(path: Path) -> None:
    expected = json.loads((FIXTURES / "expected.json").read_text())[int(path.stem)]
    assert same(decode(path.read_bytes()), expected)


def answer(**topics: Any) -> dict[str, Any]:
    return {"feed": "f", "epoch": 0, "time": 1.5, "cursor": {}, "names": {}, "topics": topics}


def test_every_kind_of_interval_survives() -> None:
    columns = {"kind": ("u1", bytes(range(5))), "start": ("f8", array("d", range(5)).tobytes())}
    frame = decode(encode(answer(tasks={"c": {}, "s": {"first": 0}, "m": columns}), 3))
    assert frame["seq"] == 3
    assert frame["topics"]["tasks"]["m"]["kind"].tolist() == [0, 1, 2, 3, 4]
    assert frame["topics"]["tasks"]["m"]["start"].tolist() == [0, 1, 2, 3, 4]


def test_unknown_topics_and_columns_are_kept_for_readers_to_skip() -> None:
    frame = decode(encode(answer(tomorrow={"c": {"new": ("u1", b"\x01")}, "s": {"text": "<b>"}}), 0))
    assert frame["topics"]["tomorrow"]["c"]["new"].tolist() == [1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a frame"),
        (b"\xc1", "not a frame"),
        (msgpack.packb([1]), "a frame is a map"),
        (msgpack.packb({"v": PROTOCOL + 1}), f"frame of protocol {PROTOCOL + 1}"),
        (msgpack.packb({"v": PROTOCOL}), "has no 'feed'"),
        (msgpack.packb(msgpack.ExtType(5, b"1234567")), "does not hold"),
    ],
)
def test_bad_bytes_are_refused_in_words(data: bytes, message: str) -> None:
    with pytest.raises(FrameError, match=message):
        decode(data)
