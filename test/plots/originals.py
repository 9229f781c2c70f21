"""What the original dashboard has of each plot: the data sources of its components, on the same scheduler.

Every function of :data:`ORIGINALS` takes the scheduler and gives rows by columns of our own table, in units of ours.
Where the original is wrong, the rows have the right value and ``why`` says what is wrong there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from distributed import Scheduler
from distributed.dashboard.components import rmm
from distributed.dashboard.components import scheduler as components
from distributed.dashboard.components.shared import SystemMonitor
from distributed.metrics import time
from distributed.utils import key_split


class Original(NamedTuple):
    """Rows that our table has to have."""

    columns: str
    rows: list[list[Any]]
    #: Why our table may have further rows; empty if it may not.
    more: str = ""
    #: What is wrong in the original; empty if nothing is.
    why: str = ""


def source(component: Any, name: str = "source") -> dict[str, list[Any]]:
    """The columns of a component's data source, renewed as a session of the dashboard does."""
    # Without its pause between two updates.
    component.last = 0
    component.update()
    return {key: list(values) for key, values in getattr(component, name).data.items()}


def _columns(data: dict[str, list[Any]], names: str) -> list[list[Any]]:
    return [list(row) for row in zip(*(data[name] for name in names.split()), strict=True)]


def _label(scheduler: Scheduler, address: str) -> str:
    ws = scheduler.workers.get(address)
    return str(ws.name) if ws is not None else address


def _by_worker(scheduler: Scheduler, data: dict[str, list[Any]], names: str) -> list[list[Any]]:
    return [[_label(scheduler, row[0]), *row[1:]] for row in _columns(data, f"worker {names}")]


def task_stream(scheduler: Scheduler) -> Original:
    data = source(STREAM["stream"])
    rows = [
        [name, _label(scheduler, worker), milliseconds / 1000]
        for name, worker, milliseconds, key in _columns(data, "name worker duration key")
        if name == key_split(key)
    ]
    return Original("function worker duration", rows, more="running tasks, which the original does not draw")


def progress(scheduler: Scheduler) -> Original:
    names = "name all released memory erred processing queued no_worker"
    rows = _columns(source(components.TaskProgress(scheduler)), names)
    return Original("function all released memory erred processing queued no-worker", rows)


def cluster_memory(scheduler: Scheduler) -> Original:
    data = source(components.ClusterMemory(scheduler))
    names = {
        "Process": "proc_memory",
        "Managed": "managed",
        "Unmanaged": "unmanaged_old",
        "Unmanaged, recent": "unmanaged_recent",
        "Spilled to disk": "spilled",
    }
    limit = sum(ws.memory_limit or 0 for ws in scheduler.workers.values())
    rows = [[label, data[name][0]] for label, name in names.items()]
    return Original("what bytes", [*rows, ["Limit", limit]], more="thresholds, which the original does not draw")


def workers_memory(scheduler: Scheduler) -> Original:
    data = source(components.WorkersMemory(scheduler))
    rows = _by_worker(scheduler, data, "proc_memory managed unmanaged_old unmanaged_recent spilled")
    # One row for each segment there.
    once = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    return Original("name process managed unmanaged recent spilled", once)


def nprocessing(scheduler: Scheduler) -> Original:
    rows = _by_worker(scheduler, source(components.CurrentLoad(scheduler)), "nprocessing")
    return Original("name processing", rows)


def cpu(scheduler: Scheduler) -> Original:
    return Original("name cpu", _by_worker(scheduler, source(components.CurrentLoad(scheduler)), "cpu"))


def occupancy(scheduler: Scheduler) -> Original:
    rows = _by_worker(scheduler, source(components.Occupancy(scheduler)), "occupancy")
    return Original("name occupancy", rows, why="its bars end at half of this value; the value is that of its source")


def workers_transfer_bytes(scheduler: Scheduler) -> Original:
    data = source(components.WorkersTransferBytes(scheduler))
    return Original("name in out", _by_worker(scheduler, data, "transfer_incoming_bytes transfer_outgoing_bytes"))


def workers(scheduler: Scheduler) -> Original:
    data = source(components.WorkerTable(scheduler))
    names = "name nthreads cpu memory memory_limit memory_managed memory_spilled num_fds address"
    rows = [
        [str(name), threads, share * 100, *rest]
        # The first row is the sum.
        for name, threads, share, *rest in _columns(data, names)[1:]
    ]
    return Original("name threads cpu memory limit managed spilled fds address", rows)


def _mean(scheduler: Scheduler, *names: str) -> list[list[Any]]:
    data = components.SystemTimeseries(scheduler).get_data()
    return [[data[name][0] for name in names]]


def cpu_timeseries(scheduler: Scheduler) -> Original:
    return Original("cpu 0,", _mean(scheduler, "cpu"), more=EARLIER)


def memory_timeseries(scheduler: Scheduler) -> Original:
    return Original("process 0,", _mean(scheduler, "memory"), more=EARLIER)


def network_timeseries(scheduler: Scheduler) -> Original:
    return Original(
        "net_read 0,net_write 0", _mean(scheduler, "host_net_io.read_bps", "host_net_io.write_bps"), more=EARLIER
    )


def disk_timeseries(scheduler: Scheduler) -> Original:
    return Original(
        "disk_read 0,disk_write 0", _mean(scheduler, "host_disk_io.read_bps", "host_disk_io.write_bps"), more=EARLIER
    )


def _of_host(scheduler: Scheduler, reads: str, writes: str, columns: str) -> Original:
    data = source(components.WorkerNetworkBandwidth(scheduler))
    rows = [[read, write, len(scheduler.workers)] for read, write in _columns(data, f"{reads} {writes}")]
    why = "it draws the rates of the host once for each worker of the host"
    return Original(f"{columns} workers", rows[:1], why=why)


def workers_network(scheduler: Scheduler) -> Original:
    return _of_host(scheduler, "x_read", "x_write", "netRead netWrite")


def workers_disk(scheduler: Scheduler) -> Original:
    return _of_host(scheduler, "x_read_disk", "x_write_disk", "diskRead diskWrite")


def memory_by_key(scheduler: Scheduler) -> Original:
    data = source(components.MemoryByKey(scheduler))
    once: dict[str, list[int]] = {}
    for ts in scheduler.tasks.values():
        if ts.who_has:
            total = once.setdefault(key_split(ts.key), [0, 0])
            total[0] += ts.nbytes
            total[1] += 1
    rows = [[name, nbytes - once[name][0], *once[name]] for name, nbytes in _columns(data, "name nbytes")]
    return Original("name copies bytes count", rows, why="it counts each copy of a result as a result")


def compute_time_per_key(scheduler: Scheduler) -> Original:
    rows = _columns(source(components.ComputePerKey(scheduler), "compute_source"), "names times")
    return Original("name time", rows, more="functions below 2 % of the greatest, which the original leaves out")


def aggregate_time_per_action(scheduler: Scheduler) -> Original:
    rows = _columns(source(components.AggregateAction(scheduler), "action_source"), "names times")
    named = [[action.replace("-", " "), seconds] for action, seconds in rows]
    return Original("action time", named, more="actions that took no time, which the original leaves out")


def task_graph(scheduler: Scheduler) -> Original:
    rows = _columns(source(components.TaskGraph(scheduler), "node_source"), "name state")
    return Original("function state", [[name, STATE_ORDER.index(state)] for name, state in rows])


def task_groups(scheduler: Scheduler) -> Original:
    columns = "name tasks"
    try:
        data = source(components.TaskGroupGraph(scheduler), "nodes_source")
    except Exception as fault:
        rows = [[name, sum(group.states.values())] for name, group in scheduler.task_groups.items()]
        return Original(columns, rows, why=f"it draws nothing of these groups: {fault!r}")
    return Original(columns, _columns(data, "name tot_tasks"))


def group_progress(scheduler: Scheduler) -> Original:
    plugin = STREAM["groups"].plugin
    found: dict[str, float] = {}
    for group, seconds in plugin.compute.items():
        name = scheduler.task_groups[group].prefix.name if group in scheduler.task_groups else key_split(group)
        found[name] = found.get(name, 0.0) + sum(seconds)
    rows = [[name, seconds] for name, seconds in found.items()]
    return Original("function time", rows, more="running and failed tasks, which the original leaves out")


def events(scheduler: Scheduler) -> Original:
    # Ours begin with the bridge; the original keeps the newest earlier ones, too.
    recorded = [(when, event) for when, event in scheduler.get_events("all") if when >= STREAM["began"]]
    rows = [[event["action"], when] for when, event in recorded if "action" in event]
    return Original("action time", rows, more="other topics, which the original does not read")


def bandwidth_types(scheduler: Scheduler) -> Original:
    return Original("type rate", _columns(source(components.BandwidthTypes(scheduler)), "type bandwidth"))


def bandwidth_workers(scheduler: Scheduler) -> Original:
    data = source(components.BandwidthWorkers(scheduler))
    rows = _columns(data, "destination source bandwidth")
    why = "its source is the receiver: workers report what they received"
    return Original("from to average", rows, more="pairs without a transfer above 1 MB", why=why)


def contention(scheduler: Scheduler) -> Original:
    component = components.Contention(scheduler)
    component.update()
    data = dict(zip(component.data["names"], component.data["values"], strict=True))
    rows = [[data["Scheduler", "Event Loop"], data["Workers", "Event Loop"]]]
    return Original("event-loop 0,event-loop 1", rows, more=EARLIER)


def system(scheduler: Scheduler) -> Original:
    data = SystemMonitor(scheduler).source.data
    names = "cpu", "memory", "host_net_io.read_bps", "host_net_io.write_bps", "num_fds"
    own = [data[name][-1] for name in names]
    # The workers are beside it in our plot only.
    workers = _mean(scheduler, "cpu", "memory")[0]
    return Original("cpu 0,memory 0,received 0,sent 0,files 0,cpu 1,memory 1", [own + workers], more=EARLIER)


def fine_metrics(scheduler: Scheduler) -> Original:
    component = components.FinePerformanceMetrics(scheduler)
    component.update()
    metrics = scheduler.cumulative_worker_metrics
    drawn = dict(_columns(component.task_exec_by_activity_src.data, "activity value"))
    rows = []
    for key, value in metrics.items():
        if isinstance(key, tuple) and len(key) == 4 and key[0] == "execute" and key[3] == "seconds":
            rows.append([key[1], key[3], str(key[2]), value])
    for activity in {row[2] for row in rows}:
        total = sum(row[3] for row in rows if row[2] == activity)
        if abs(drawn[activity] - total) > 1e-9 * max(1.0, total):
            raise AssertionError(f"{activity}: the original draws {drawn[activity]} of {total}")
    return Original("function unit name value", rows, more="gather-dep and other units, which the original leaves out")


def errors(scheduler: Scheduler) -> Original:
    data = source(components.ExceptionsTable(scheduler))
    groups: dict[tuple[str, str], list[Any]] = {}
    for task, exception, where in _columns(data, "Task Exception Worker(s)"):
        group = groups.setdefault((exception.partition("(")[0], key_split(task)), [0, _label(scheduler, where), task])
        group[0] += 1
    rows = [[*kind, *facts] for kind, facts in groups.items()]
    return Original("type function count workers key", rows, why="it has a row for each task: equal ones are one here")


def rmm_memory(scheduler: Scheduler) -> Original:
    source(rmm.RMMMemoryUsage(scheduler))
    rows = []
    for ws in scheduler.workers.values():
        used, pool = ws.metrics["rmm"]["rmm-used"], ws.metrics["rmm"]["rmm-total"]
        rows.append([str(ws.name), used, pool, ws.metrics["gpu"]["memory-used"] - pool])
    return Original("name used pool other", rows)


EARLIER = "earlier moments"
#: As our tables sort states.
STATE_ORDER = ["waiting", "no-worker", "queued", "processing", "erred", "memory", "released", "forgotten"]
#: Components that must be there before the work, since the original knows nothing of what was before them.
STREAM: dict[str, Any] = {}
ORIGINALS: dict[str, Callable[[Scheduler], Original]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        *(task_stream, progress, cluster_memory, workers_memory, nprocessing, cpu, occupancy, workers_transfer_bytes),
        *(workers, cpu_timeseries, memory_timeseries, network_timeseries, disk_timeseries, workers_network),
        *(workers_disk, memory_by_key, compute_time_per_key, aggregate_time_per_action, task_graph, task_groups),
        *(group_progress, events, bandwidth_types, bandwidth_workers, contention, system, fine_metrics),
        *(errors, rmm_memory),
    )
}


def begin(dask_scheduler: Scheduler) -> None:
    """Open the original's plots that record from when they are opened."""
    STREAM["stream"] = components.TaskStream(dask_scheduler, n_rectangles=100_000, clear_interval="1h")
    STREAM["groups"] = components.TaskGroupProgress(dask_scheduler)
    STREAM["began"] = time()


def freeze(dask_scheduler: Scheduler) -> None:
    """Give the scheduler and each worker figures of its own, which nothing changes any more."""
    for name in ("monitor", "ticks"):
        dask_scheduler.periodic_callbacks[name].stop()
    dask_scheduler._tick_interval_observed = 0.07
    quantities = dask_scheduler.monitor.quantities
    own = {"cpu": 53.0, "memory": 900_000_000, "num_fds": 321}
    for name, value in {**own, "host_net_io.read_bps": 4e6, "host_net_io.write_bps": 6e6}.items():
        # Ours are means of the samples of a second.
        quantities[name][-1] = quantities[name][-2] = value
    for i, ws in enumerate(dask_scheduler.workers.values(), 1):
        rates = {"read_bps": 3e6, "write_bps": 2e6}
        # A heartbeat replaces what a worker has reported.
        ws.metrics = {
            **ws.metrics,
            "cpu": 31.0 * i,
            "memory": 400_000_000 * i,
            "num_fds": 40 + i,
            "event_loop_interval": 0.02 * i,
            "host_net_io": rates,
            "host_disk_io": {"read_bps": 5e6, "write_bps": 7e6},
            "transfer": {"incoming_bytes": 5_000_000 * i, "outgoing_bytes": 1_000_000 * i},
            "spilled_bytes": {"memory": 0, "disk": 60_000_000 * i},
        }
        ws._memory_unmanaged_old = 70_000_000 * i
        ws.last_seen = time()
