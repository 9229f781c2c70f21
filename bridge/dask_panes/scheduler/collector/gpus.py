"""What workers report about their GPU, in the shapes of Dask and of dask-cuda.

- Dask's system monitor, where NVML is there: the metrics ``gpu_memory_used``, ``gpu-memory-total`` and
  ``gpu_utilization`` of a heartbeat.
- ``distributed.worker.add_gpu_metrics``, which dask-cuda calls: the metric ``gpu`` with ``memory-used`` and
  ``utilization``, and the startup information ``gpu`` with ``memory-total`` and ``name``.
- RMM and cuDF, where they are installed: the metrics ``rmm`` with ``rmm-used`` and ``rmm-total``, and ``cudf`` with
  ``cudf-spilled``.

Guarantees: whatever is there instead is not known (NaN).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any

from . import bands
from .plain import number, text

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Columns of the topic ``workers`` about GPUs: absent from a frame whose workers have none.
COLUMNS = ("gpu_memory", "gpu_limit", "gpu_utilization", "rmm_used", "rmm_pool", "cudf_spilled")
#: Metrics that report a GPU.
_METRICS = frozenset(("gpu_memory_used", "gpu-memory-total", "gpu_utilization", "gpu", "rmm", "cudf"))
#: Maximum of an amount, bytes; of the schema's rule ``bytes``.
_MOST = 1e24


def _amount(value: object) -> float:
    """A measured amount; NaN if it is not a number, or one that cannot be."""
    found = nan if isinstance(value, bool) else number(value, nan)
    return found if 0 <= found <= _MOST else nan


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(*values: object) -> float:
    """The first value that is known."""
    return next((found for found in map(_amount, values) if found == found), nan)


def read_gpu(ws: WorkerState) -> dict[str, float]:
    """The columns of a worker that reports a GPU, NaN where a value is not known; empty for all others."""
    metrics = ws.metrics
    if _METRICS.isdisjoint(metrics):
        return {}
    gpu, rmm, startup = _map(metrics.get("gpu")), _map(metrics.get("rmm")), _map((ws.extra or {}).get("gpu"))
    row = {
        "gpu_memory": _first(metrics.get("gpu_memory_used"), gpu.get("memory-used")),
        "gpu_limit": _first(metrics.get("gpu-memory-total"), startup.get("memory-total")),
        "gpu_utilization": _first(metrics.get("gpu_utilization"), gpu.get("utilization")),
        "rmm_used": _amount(rmm.get("rmm-used")),
        "rmm_pool": _amount(rmm.get("rmm-total")),
        "cudf_spilled": _amount(_map(metrics.get("cudf")).get("cudf-spilled")),
    }
    return row if any(value == value for value in row.values()) else {}


def gpu_name(ws: WorkerState) -> str:
    """The name of a worker's GPU; empty if not reported."""
    name = _map((ws.extra or {}).get("gpu")).get("name")
    return text(name, 200) if name else ""


def same_gpu(now: Mapping[str, float], reported: Mapping[str, float]) -> bool:
    """Whether two rows differ by no more than the natural variation of an idle GPU."""
    if now.keys() != reported.keys():
        return False
    limit = now.get("gpu_limit", 0.0)
    memory = bands.memory_band(limit if limit == limit else 0.0)
    for name, value in now.items():
        band, before = bands.CPU if name == "gpu_utilization" else memory, reported[name]
        both_unknown = value != value and before != before
        if not both_unknown and not abs(value - before) <= band:
            return False
    return True
