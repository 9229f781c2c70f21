"""What docs/feed.md says of topics and requests is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dask_panes.kernel.channel.channel import NOT_FOR_PAGES
from dask_panes.kernel.gather.sources import LEAST_INTERVAL
from dask_panes.local import session
from dask_panes.scheduler.collector.parts import RING_ROWS, Parts

PAGE = (Path(__file__).parents[2] / "docs" / "feed.md").read_text(encoding="utf-8")


def _least_intervals() -> dict[str, float]:
    """Seconds by topic, from the table of topics."""
    rows = PAGE.split("| topic | rows |")[1].split("\n\n")[0].splitlines()[2:]
    found = [re.fullmatch(r"\| `(\w+)` \|.*\| ([\d.]+) (s|ms)\b.*\|", row) for row in rows]
    return {match[1]: float(match[2]) / (1 if match[3] == "s" else 1000) for match in found if match}


def test_the_least_interval_of_each_topic() -> None:
    served = {name: topic.interval for name, topic in Parts(RING_ROWS, {}, (0,), False).topics.items()}
    gathered = dict.fromkeys(("profile", "loops", "transfers", "logs"), LEAST_INTERVAL)
    assert _least_intervals() == pytest.approx({**served, **gathered, "cache": session.INTERVALS["cache"]})


def test_what_is_refused_to_pages() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `request` |"))
    named = re.search(r"What only actions and kernels send \(([^)]+)\) is refused", row)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) == NOT_FOR_PAGES
