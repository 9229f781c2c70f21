"""Idle workers take short tasks on results that are slow to send, and move them on; the twin spreads the results."""

from __future__ import annotations

import time

from distributed import Client, wait

CAUSE = "work-stealing"
#: True as well.
ALSO = ("serialisation", "uneven-workers", "transfers")
CLUSTER = {"n_workers": 4, "threads_per_worker": 1}
TASKS = 80


class Model:
    """Is written to a file and read into bytes to be sent, say: `sizeof` does not see what it holds."""

    def __reduce__(self) -> tuple[type[Model], tuple[()]]:
        """What a slow network would take for 20 MB."""
        time.sleep(0.2)
        return (Model, ())


def load(number: int) -> Model:
    """A model."""
    return Model()


def process(model: Model) -> int:
    """One piece of work: shorter than a move."""
    time.sleep(0.05)
    return 1


def run(client: Client, workers: list[str] | None) -> None:
    """Load on some workers, then use what was loaded, anywhere."""
    models = client.map(load, range(TASKS), workers=workers, pure=False)
    wait(models)
    client.gather(client.map(process, models, pure=False))


def bad(client: Client) -> None:
    """One worker has everything, and three ask it at the same time."""
    run(client, sorted(client.scheduler_info()["workers"])[:1])


def healthy(client: Client) -> None:
    """Each has a quarter."""
    run(client, None)
