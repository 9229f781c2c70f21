"""Tasks refer to a model that scheduler and workers load when they unpack them; the twin loads it before."""

from __future__ import annotations

import time
from typing import Any

from distributed import Client

CAUSE = "late-start"
#: True as well.
ALSO = ("event-loop-blocked", "late-event-loops")
CLUSTER = {"n_workers": 2, "threads_per_worker": 2}


def loaded() -> str:
    """What importing a large package costs, once for each process."""
    import builtins

    known = builtins.__dict__
    if "dask_panes_loaded" not in known:
        time.sleep(4)
        known["dask_panes_loaded"] = "model"
    return str(known["dask_panes_loaded"])


class Model:
    """Unpacked by loading it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, ()


def predict(number: int, model: str) -> int:
    """One piece of work."""
    time.sleep(0.1)
    return number + len(model)


def run(client: Client) -> None:
    """Forty predictions."""
    client.gather(client.map(predict, range(40), model=Model(), pure=False))


def bad(client: Client) -> None:
    """Loaded with the first task."""
    run(client)


def healthy(client: Client) -> None:
    """Loaded before, where nobody waits for it."""
    client.run(loaded)
    client.run_on_scheduler(loaded)
    run(client)
