"""Pure Python in four threads of one process; the twin has processes."""

from __future__ import annotations

from distributed import Client

CAUSE = "gil"
CLUSTER = {"n_workers": 1, "threads_per_worker": 4}
HEALTHY_CLUSTER = {"n_workers": 4, "threads_per_worker": 1}


def loop(count: int) -> int:
    """Holds the interpreter's lock."""
    total = 0
    for i in range(count):
        total += i % 7
    return total


def bad(client: Client) -> None:
    """Four threads, one at a time, for longer than a few samples of the CPU."""
    client.gather(client.map(loop, [1_500_000 + i for i in range(144)]))


healthy = bad
