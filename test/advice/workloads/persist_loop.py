"""Steps that the client waits for, with 0.5 s of its work after each; in the twin all are submitted at once."""

from __future__ import annotations

import time

from distributed import Client, Future, wait

CAUSE = "client-waits"
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}
STEPS = 16


def step(before: int, number: int) -> int:
    """A block of one step."""
    time.sleep(0.15)
    return before + number


def blocks(client: Client, before: list[Future] | list[int], number: int) -> list[Future]:
    """All blocks of one step."""
    return client.map(step, before, [number] * len(before), pure=False)


def bad(client: Client) -> None:
    """The workers wait for the client after each step."""
    state: list[Future] | list[int] = [0] * 16
    for number in range(STEPS):
        state = blocks(client, state, number)
        wait(state)
        time.sleep(0.5)


def healthy(client: Client) -> None:
    """All steps are submitted at once."""
    state: list[Future] | list[int] = [0] * 16
    for number in range(STEPS):
        state = blocks(client, state, number)
    wait(state)
