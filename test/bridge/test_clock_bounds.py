"""Offsets of workers' clocks, by heartbeats whose true delays are known."""

from __future__ import annotations

import random
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from dask_panes.scheduler.collector.clocks import WINDOW, Clocks
from dask_panes.scheduler.collector.names import Names

A = "tcp://a"


def heartbeat(address: str, delay: float, seen: float, latency: Any = None) -> Any:
    metrics = {} if latency is None else {"digests_total_since_heartbeat": {"latency": latency}}
    return SimpleNamespace(address=address, time_delay=delay, last_seen=seen, metrics=metrics)


class Offsets:
    """The offsets after each heartbeat of one worker."""

    def __init__(self) -> None:
        self.names = Names()
        self.clocks = Clocks(self.names)

    def after(self, delay: float, seen: float, latency: Any = None) -> float:
        self.clocks.note({A: heartbeat(A, delay, seen, latency)})
        return self.names.clock_delay(A)


def test_the_least_delay_is_an_upper_bound_and_a_round_trip_gives_a_lower_one() -> None:
    offsets = Offsets()
    assert offsets.after(5.0, 100.0) == 5.0
    # The round trip of the first heartbeat: the offset is from 4.6 to 5.
    assert offsets.after(5.2, 100.5, 0.4) == pytest.approx(4.8)
    # From 5.2 - 0.1 on would be above 5: the round trip is of another heartbeat.
    assert offsets.after(4.9, 101.0, 0.1) == pytest.approx(4.9)
    assert offsets.after(4.9, 101.5, 0.2) == pytest.approx(4.8)


@pytest.mark.parametrize("latency", [None, 0, 0.0, -1.0, "0.4", float("nan")])
def test_without_a_round_trip_there_is_only_an_upper_bound(latency: Any) -> None:
    offsets = Offsets()
    offsets.after(5.0, 100.0)
    assert offsets.after(5.5, 100.5, latency) == 5.0


def test_a_heartbeat_counts_once_and_one_without_a_time_not_at_all() -> None:
    offsets = Offsets()
    assert offsets.after(0.0, 99.0) == 0.0
    offsets.after(5.0, 100.0)
    assert offsets.after(1.0, 100.0) == 5.0
    assert offsets.after(0.0, 100.5) == 5.0
    assert offsets.after(1.0, 101.0) == 1.0


def test_a_bound_counts_for_its_window_and_the_next() -> None:
    offsets = Offsets()
    assert offsets.after(1.0, 0.5) == 1.0
    assert offsets.after(3.0, 0.5 + WINDOW - 0.25) == 1.0
    # The next window begins, and the one before still counts: for as long as this one lasts.
    assert offsets.after(4.0, 0.5 + WINDOW) == 1.0
    assert offsets.after(2.0, 0.5 + 2 * WINDOW - 0.25) == 1.0
    assert offsets.after(5.0, 0.5 + 2 * WINDOW) == 2.0
    # The clock of the scheduler was set back: its windows begin again.
    assert offsets.after(7.0, 3.0) == 5.0
    assert offsets.after(6.0, 2.0) == 6.0


def test_a_worker_that_is_gone_or_joins_again_has_no_bounds_of_the_past() -> None:
    offsets = Offsets()
    offsets.after(1.0, 100.0)
    offsets.clocks.note({})
    assert offsets.after(5.0, 100.0) == 5.0
    offsets.clocks.join(heartbeat(A, 9.0, 101.0))
    assert offsets.names.clock_delay(A) == 9.0
    offsets.clocks.note({A: heartbeat(A, 8.0, 102.0), "tcp://b": heartbeat("tcp://b", 3.0, 102.0)})
    assert (offsets.names.clock_delay(A), offsets.names.clock_delay("tcp://b")) == (8.0, 3.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_estimate_is_within_the_best_bounds_of_two_windows(seed: int) -> None:
    random_ = random.Random(seed)
    offset = random_.uniform(-1e3, 1e3)
    offsets = Offsets()
    now, since = 1e6, 1e6
    #: Of the previous heartbeat: its delay and its round trip.
    delay, trip = 0.0, 0.0
    bounds, before = (-inf, inf), (-inf, inf)
    for _ in range(300):
        if now - since >= WINDOW:
            since, before, bounds = now, bounds, (-inf, inf)
        there, back = random_.expovariate(20), random_.expovariate(20)
        low = delay - trip if trip else -inf
        bounds = (max(bounds[0], low), min(bounds[1], offset + there))
        found = offsets.after(offset + there, now, trip or None)
        delay, trip = offset + there, there + back
        best = (max(bounds[0], before[0]), min(bounds[1], before[1]))
        assert best[0] - 1e-9 <= offset <= best[1] + 1e-9
        assert found == pytest.approx(sum(best) / 2 if best[0] > -inf else best[1], abs=1e-6)
        now += random_.uniform(0.2, 3.0)
