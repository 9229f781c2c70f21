"""Tasks wait for tasks that they submit, and keep their threads meanwhile; the twin's let them go."""

from __future__ import annotations

import contextlib
import time

from distributed import Client, get_client, wait, worker_client

CAUSE = "nested-tasks"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def part(number: int) -> int:
    """A piece of the work of another task."""
    time.sleep(0.2)
    return number


def keeps(number: int) -> int:
    """Waits in a thread that its pieces need."""
    client = get_client()
    return sum(client.gather(client.map(part, range(number, number + 4), pure=False)))


def lets_go(number: int) -> int:
    """The thread is free while it waits."""
    with worker_client() as client:
        return sum(client.gather(client.map(part, range(number, number + 4), pure=False)))


def bad(client: Client) -> None:
    """All threads wait; it would never end."""
    with contextlib.suppress(TimeoutError):
        wait(client.map(keeps, range(16), pure=False), timeout=25)


def healthy(client: Client) -> None:
    """The same work."""
    client.gather(client.map(lets_go, range(16), pure=False))
