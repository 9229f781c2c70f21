"""4,000 tasks of next to nothing; the twin does the same work in 40."""

from __future__ import annotations

from distributed import Client

CAUSE = "small-tasks"
#: True as well.
ALSO = ("late-event-loops",)
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def increment(value: int) -> int:
    """One tiny piece of work."""
    return sum(range(2000)) + value


def increments(values: range) -> int:
    """A hundred of them."""
    return sum(increment(value) for value in values)


def bad(client: Client) -> None:
    """A task for each value."""
    client.gather(client.map(increment, range(4000)))


def healthy(client: Client) -> None:
    """A task for each hundred values."""
    client.gather(client.map(increments, [range(i, i + 100) for i in range(0, 4000, 100)]))
