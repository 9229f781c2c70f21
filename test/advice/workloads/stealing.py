"""Short tasks on results that are slow to send, all on one worker; the twin loads them on both workers.

Dask weighs a move by `sizeof` of the inputs: 48 bytes for an object of a class without `__sizeof__`, whatever it holds.
The other worker has nothing to do and gets such tasks again and again.
"""

from __future__ import annotations

import time

from distributed import Client, wait

CAUSE = "work-stealing"
#: True as well.
ALSO = ("serialisation", "uneven-workers")
CLUSTER = {"n_workers": 2, "threads_per_worker": 1}
TASKS = 60


class Model:
    """Is written to a file and read into bytes to be sent, say."""

    def __reduce__(self) -> tuple[type[Model], tuple[()]]:
        """What a slow network would take for 40 MB."""
        time.sleep(0.4)
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
    """One worker has everything; without work stealing it would be done after three seconds."""
    run(client, sorted(client.scheduler_info()["workers"])[:1])


def healthy(client: Client) -> None:
    """Both workers have half of it."""
    run(client, None)
