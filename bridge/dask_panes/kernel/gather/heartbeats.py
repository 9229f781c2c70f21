"""Waits for the next heartbeat of each worker, after which the scheduler knows what it did up to now.

Never call ``Worker.heartbeat``: a worker where a heartbeat begins before another one has read all metrics, some of
which wait, closes itself, and Dask guards only its own heartbeats against each other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from time import monotonic

from .probe import Probe, WorkerReach

logger = logging.getLogger(__name__)

CLOCK = Probe.of("clock", "dask_panes.kernel.gather.probes", "clock.py")
#: Seconds between two looks.
LOOK = 0.1


async def clocks_of(reach: WorkerReach, patience: float) -> tuple[dict[int, float], dict[int, str]]:
    """The time of each worker that may have something to report, by its own clock; within `patience` seconds.

    Returns
    -------
    dict of int to float, dict of int to str
        Times by id of ``names.workers``, none if the cluster is idle; errors of workers that did not answer.
    """
    try:
        answers = await asyncio.wait_for(reach.workers(CLOCK, insist=True), patience)
    except Exception:
        logger.debug("no clocks", exc_info=True)
        return {}, {}
    # In the time after which a cluster counts as idle, all workers have sent heartbeats.
    clocks = {} if answers.idle else {server: each["time"] for server, each in answers.of.items() if "time" in each}
    return clocks, dict(answers.failed)


async def unheard(reach: WorkerReach, clocks: Mapping[int, float], patience: float) -> set[int]:
    """Wait for a heartbeat of each worker that began after its time of `clocks`.

    Returns
    -------
    set of int
        Workers of which none has arrived within `patience` seconds.
    """
    left, until = set(clocks), monotonic() + patience
    try:
        while left:
            left = set(await reach.collector("heartbeats", {"since": [[server, clocks[server]] for server in left]}))
            if left and monotonic() + LOOK > until:
                break
            await asyncio.sleep(LOOK if left else 0)
    except Exception:
        # An older collector does not know the request.
        logger.debug("no heartbeats", exc_info=True)
    return left
