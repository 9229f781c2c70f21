"""The meta topic: facts about the scheduler and the collector, and messages about what is not as it should be.

Guarantees: plain values, whatever the configuration holds; one version per change, so an unchanged cluster sends
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import dask
from dask.system import CPU_COUNT

from .faults import Faults
from .history import History
from .idleness import Idleness, graphs_read
from .looks import Looks
from .packages import WorkerPackages, own_packages
from .plain import plain, text

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler


#: Ids of clients that are reported.
CLIENTS = 20


def clients_of(scheduler: Scheduler) -> dict[str, Any]:
    """How many clients are connected, and the ids of the first."""
    # Dask keeps what `fire_and_forget`, variables, queues and published data sets hold as if they were clients.
    connected = getattr(scheduler, "client_comms", {})
    found = [name for name in scheduler.clients if name in connected]
    return {"count": len(found), "names": [text(name, 200) for name in found[:CLIENTS]]}


def ended_in(scheduler: Scheduler) -> int:
    """How many tasks have ended in a scheduler so far."""
    counts = [prefix.state_counts for prefix in scheduler.task_prefixes.values()]
    return sum(each["memory"] + each["erred"] for each in counts)


class Meta:
    """The facts with the version at which they last changed.

    Parameters
    ----------
    collector : tuple of int
        Protocol and version of the collector's package.
    ring_rows : int
        Number of executions kept.

    Attributes
    ----------
    not_carried : str
        Data of an older collector that could not be taken over, as a message; or an empty text.
    unknown : tuple of str
        What the scheduler does not report: facts, which are left out, and columns of topic prefixes.
    packages : callable
        Returns the versions of packages in the scheduler's process, and of Python.
    """

    def __init__(
        self,
        collector: tuple[int, ...],
        ring_rows: int,
        idleness: Idleness,
        looks: Looks,
        history: History,
        faults: Faults,
        packages: WorkerPackages,
    ) -> None:
        self._collector, self._ring_rows = collector, ring_rows
        self._idleness, self._looks, self._history, self._faults = idleness, looks, history, faults
        self._of_workers = packages
        self.packages: Callable[[], dict[str, str]] = own_packages
        self._read: dict[str, Any] = {}
        self._facts: dict[str, Any] = {}
        self.not_carried = ""
        self.unknown: tuple[str, ...] = ()
        self.version = 0

    def read(self, cursor: int) -> tuple[dict[str, Any], int]:
        """All facts; the topic body and the cursor after it."""
        return {"c": {}, "s": self._facts}, self.version

    def scan(self, scheduler: Scheduler, started: float, earlier: int) -> None:
        """Read the facts; a change gets a new version.

        Parameters
        ----------
        started : float
            Time of the first registration, seconds.
        earlier : int
            Tasks that had ended before it.
        """
        config, reading, packages = dask.config.get, graphs_read(scheduler), self.packages()
        unknown = [*self.unknown, *(["reading"] if reading is None else [])]
        facts = {
            "address": scheduler.address,
            "id": scheduler.id,
            "started": started,
            "earlier_tasks": earlier,
            "idle_since": self._idleness.since,
            "unobserved": [list(period) for period in self._looks.unobserved],
            "reading": reading,
            "stealing": "stealing" in scheduler.periodic_callbacks,
            "clients": clients_of(scheduler),
            "ring_rows": self._ring_rows,
            "cores": CPU_COUNT,
            "python": packages.get("python", ""),
            "versions": {name: version for name, version in packages.items() if name != "python"},
            "worker_versions": self._of_workers.versions,
            "thresholds": {
                name: config(f"distributed.worker.memory.{name}", None) or None
                for name in ("target", "spill", "pause", "terminate")
            },
            "profile": {
                "interval": str(config("distributed.worker.profile.interval", "")),
                "cycle": str(config("distributed.worker.profile.cycle", "")),
            },
            "problems": self.problems(),
            "collector": list(self._collector),
            "unknown": unknown,
        }
        for name in unknown:
            facts.pop(name, None)
        # Compared as they were read: to make them plain costs more than to read them.
        if facts == self._read:
            return
        self._read, current = facts, plain(facts)
        if current != self._facts:
            self._facts = current
            self.version += 1

    def problems(self) -> list[str]:
        """Messages for users about anything not as it should be."""
        messages = [*([self.not_carried] if self.not_carried else []), *self._faults.messages()]
        if self._history.refused:
            messages.append(
                f"{self._history.refused} executions are not shown: what Dask reported about them could not be read "
                f"({self._history.refusal})."
            )
        return messages
