"""Mutated frames and files: what the readers take is within its bounds, what they refuse is an error of ours."""

from __future__ import annotations

import random
import tracemalloc
from array import array
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgpack

from dask_panes.feed import SCHEMA, FrameError, FrameValidator, decode
from dask_panes.files.blocks import CHUNK, BlockReader, BlockWriter, RecordingError
from dask_panes.files.recording import Recording

FIXTURES = Path(__file__).parent.parent / "fixtures"

ODD: list[Any] = [
    *[0, -1, 0.5, 255, 65_536, 2**31, 2**32 - 1, 2**53, 2**64 - 1, -(2**63), 1e300, -1e300],
    *[float("nan"), float("inf"), float("-inf"), None, True, "", "x", "\0", "long " * 5000, b"abc"],
    *[[], [[]], {}, {"from": 2**32 - 1, "values": ["x"]}, [1, 2, 3, 4, 5, 6, 7]],
]


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some of them changed, left out or doubled."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed))
        kind = chance.random()
        if kind < 0.6:
            changed[at] = chance.randrange(256)
        elif kind < 0.8:
            width = min(chance.choice((2, 4, 8)), len(changed) - at)
            changed[at : at + width] = bytes([chance.choice((0, 0x7F, 0x80, 0xDD, 0xFF))]) * width
        elif kind < 0.9:
            del changed[max(1, at) :]
        else:
            changed[at:at] = changed[at : at + chance.randrange(40)]
    return bytes(changed)


def mutate(value: Any, chance: random.Random) -> Any:
    """A value of which one part, anywhere in it, is something odd, or missing."""
    if isinstance(value, dict) and value and chance.random() > 0.03:
        name = chance.choice(list(value))
        rest = {key: part for key, part in value.items() if key != name}
        return rest if chance.random() < 0.08 else {**rest, name: mutate(value[name], chance)}
    if isinstance(value, list) and value and chance.random() > 0.1:
        at = chance.randrange(len(value))
        return [mutate(part, chance) if i == at else part for i, part in enumerate(value)]
    if isinstance(value, msgpack.ExtType) and chance.random() > 0.1:
        return msgpack.ExtType(chance.choice((value.code, value.code, 5)), mutate_bytes(value.data or b"\0", chance))
    if isinstance(value, bytes) and value and chance.random() > 0.1:
        return mutate_bytes(value, chance)
    return chance.choice(ODD)


def packed(value: Any) -> bytes:
    """A value as msgpack; what has no form in it is null."""
    try:
        return bytes(msgpack.packb(value))
    except (TypeError, ValueError, OverflowError):
        return b"\xc0"


#: Times its bytes that a mutation may take while it is read, and bytes that any may take.
MOST_ALLOCATED, ROOM = 64, 2_000_000


#: Attempts: other threads of the process may allocate meanwhile.
ATTEMPTS = 3


def bounded(size: int, read: Callable[[], str]) -> str:
    """Call a function, and check the memory that it takes at its peak against the bytes that it reads."""
    limit = MOST_ALLOCATED * size + ROOM
    peaks: list[int] = []
    for _ in range(ATTEMPTS):
        tracemalloc.start()
        try:
            outcome = read()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        if peaks[-1] <= limit:
            return outcome
    raise AssertionError(f"{size} bytes made it allocate {min(peaks)}")


class FrameFuzz:
    """Mutates recorded frames, and reads them after those that came before."""

    def __init__(self) -> None:
        paths = sorted(FIXTURES.glob("*.frame"))
        self._frames = [path.read_bytes() for path in paths]
        #: A validator as it is before each frame.
        self._before: list[FrameValidator] = []
        validator = FrameValidator()
        for data in self._frames:
            self._before.append(deepcopy(validator))
            validator.check(decode(data))

    def run(self, seed: int) -> str:
        """Read one mutated frame; "taken", "partly" or "refused"."""
        chance = random.Random(seed)
        number = chance.randrange(len(self._frames))
        data = self._frames[number]
        if chance.random() < 0.3:
            data = mutate_bytes(data, chance)
        else:
            data = packed(mutate(msgpack.unpackb(data, strict_map_key=False), chance))
        return bounded(len(data), lambda: self._read(data, number))

    def _read(self, data: bytes, number: int) -> str:
        validator = deepcopy(self._before[number])
        try:
            frame = decode(data)
            problems = validator.check(frame)
        except FrameError:
            return "refused"
        check_bounds(frame)
        return "partly" if problems else "taken"


class FileFuzz:
    """Mutates a small recording: its bytes, or a chunk of it whose checksum is right.

    Parameters
    ----------
    folder : path
        Where the files are written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "fuzz.dask-run"
        self._whole = (FIXTURES / "run.dask-run").read_bytes()
        with (FIXTURES / "run.dask-run").open("rb") as file:
            reader = BlockReader(file)
            self._chunks = [reader.value(block) for block in reader.blocks if block.kind == CHUNK]

    def run(self, seed: int) -> str:
        """Read one mutated file; "taken" or "refused"."""
        chance = random.Random(seed)
        if chance.random() < 0.2:
            self._path.write_bytes(mutate_bytes(self._whole, chance))
        else:
            self._write(chance)
        return bounded(self._path.stat().st_size, self._read)

    def _read(self) -> str:
        try:
            with Recording(self._path) as recording:
                for frame in recording.frames():
                    check_bounds(frame)
                recording.key(0)
        except RecordingError:
            return "refused"
        return "taken"

    def _write(self, chance: random.Random) -> None:
        at = chance.randrange(len(self._chunks))
        with self._path.open("wb", buffering=0) as file:
            writer = BlockWriter(file)
            for i, chunk in enumerate(self._chunks):
                value = mutate(chunk, chance) if i == at else chunk
                writer.add(CHUNK, value if packed(value) != b"\xc0" else None, frames=1, times=(0.0, 1.0))
            writer.finish("")


def check_bounds(frame: dict[str, Any]) -> None:
    """What was taken has no number that cannot be."""
    for name, body in frame["topics"].items():
        for column, spec in SCHEMA["topics"].get(name, {"columns": {}})["columns"].items():
            values = (body.get("c") or {}).get(column)
            if values and "is" in spec and isinstance(values, array):
                rule = SCHEMA["rules"][spec["is"]]
                known = [value for value in values if value == value]
                assert all(rule["least"] <= value <= rule["most"] for value in known), (name, column)
