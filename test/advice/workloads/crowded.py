"""A computation that waits behind the work of another client; in the twin it has a higher priority than that."""

from __future__ import annotations

import time

from distributed import Client

CAUSE = "other-work"
#: It is the time of this computation that is examined, and whose length is compared.
SELECTED = "own"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def theirs(number: int) -> int:
    """A piece of the other work."""
    time.sleep(0.25)
    return number


def own(number: int) -> int:
    """A piece of what is waited for."""
    time.sleep(0.2)
    return number


def beside(client: Client, priority: int) -> None:
    """Other work of 9 s has begun when the computation is submitted; what is left of it is cancelled."""
    with Client(client.scheduler.address) as other:
        work = other.map(theirs, range(144), pure=False)
        time.sleep(1)
        client.gather(client.map(own, range(40), pure=False, priority=priority))
        other.cancel(work)


def bad(client: Client) -> None:
    """It waits for 8 s."""
    beside(client, 0)


def healthy(client: Client) -> None:
    """It runs at once."""
    beside(client, 10)
