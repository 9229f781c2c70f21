"""Readers of frames and recordings against mutations of both; `npm run test:fuzz` tries a million."""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fuzz import FileFuzz, FrameFuzz

#: Another run of the same mutations begins with the seed that this one prints.
SEED = int(os.environ.get("FUZZ_SEED", "20261122"))
FRAMES = int(os.environ.get("FUZZ_FRAMES", "1000"))
FILES = int(os.environ.get("FUZZ_FILES", "100"))
#: Whatever comes, a reader takes no more than this for it, KiB.
MOST_MEMORY = 200 * 1024


def run_all(count: int, run: Callable[[int], str]) -> Counter[str]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcomes: Counter[str] = Counter()
    for seed in range(SEED, SEED + count):
        try:
            outcomes[run(seed)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY
    return outcomes


def test_mutated_frames_are_taken_or_refused_in_words() -> None:
    outcomes = run_all(FRAMES, FrameFuzz().run)
    assert min(outcomes[end] for end in ("taken", "partly", "refused")) > FRAMES / 100, (SEED, outcomes)


def test_mutated_recordings_are_read_or_refused_in_words(tmp_path: Path) -> None:
    outcomes = run_all(FILES, FileFuzz(tmp_path).run)
    assert min(outcomes[end] for end in ("taken", "refused")) > FILES / 100, (SEED, outcomes)
