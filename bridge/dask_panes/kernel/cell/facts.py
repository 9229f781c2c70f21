"""Facts of a client or a cluster that are available at once, for the Client in a cell and for the hello.

Nothing here waits for the network, neither on the main thread nor on the client's loop: only what Dask has cached is
read (``Client._scheduler_identity``, which the client renews every two seconds, and ``Cluster.scheduler_info``, which
the scheduler keeps current). ``Client.scheduler_info()`` and ``Client.dashboard_link`` ask the scheduler and are
therefore not used.
"""

from __future__ import annotations

import importlib.util
import sys
import uuid
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from ...scheduler.collector.plain import text
from .closing import cluster_of
from .scaling import class_name, has_ended, refusal

if TYPE_CHECKING:
    from typing import TypeAlias

    from distributed import Client
    from distributed.deploy.cluster import Cluster

    ClientOrCluster: TypeAlias = Client | Cluster

Kind = Literal["client", "cluster"]
State = Literal["running", "connecting", "closed"]

#: Dask's client states that differ from ours; others mean a connection that is closing or closed.
_CLIENT_STATES: Mapping[str, State] = {
    "running": "running",
    "newly-created": "connecting",
    "connecting": "connecting",
}
#: The same for names of ``distributed.core.Status``.
_CLUSTER_STATES: Mapping[str, State] = {
    "running": "running",
    "undefined": "connecting",
    "created": "connecting",
    "init": "connecting",
    "starting": "connecting",
}
#: 100 ns intervals between the beginning of UUID time (15 October 1582) and the Unix epoch (RFC 9562, 5.1).
_UUID_EPOCH = 0x01B21DD213814000


_SWITCHED_OFF = "switched off for this cluster"
#: Why there is no dashboard.
ENDED = "the cluster is closed"
#: Addresses of schedulers in other processes that serve no dashboard, though they report a port for one.
WITHOUT_DASHBOARD: set[str] = set()


class Facts(TypedDict):
    """Static facts of one client: the fields of ``ClientInfo`` (``src/feed/kernel/kernel-channel.ts``).

    Attributes
    ----------
    key
        ``Client.id``; for a cluster that of the newest client of it in this process, else ``""``.
    variable
        The variable of the user's namespace that holds it, else ``""``.
    cluster
        Type of the cluster (``"LocalCluster"``); ``"Scheduler"`` for ``Client(address)``.
    address
        Address of the scheduler, ``""`` while there is none.
    scheduler
        The scheduler's id, ``""`` where unknown: distinguishes a scheduler from an earlier one at the same address.
    dashboard, dashboardReason
        Link to the original dashboard; where it is ``""``, the reason.
    memoryLimit
        Bytes, summed over the workers that have a limit; 0 where none has.
    created
        Wall clock of the kernel in seconds at the creation of the client; 0 where unknown.
    limited
        Why only a part can be shown; always ``""`` here, the session knows more.
    scaling
        Why its cluster cannot be scaled from this kernel; ``""`` where it can.
    """

    key: str
    variable: str
    cluster: str
    address: str
    scheduler: str
    dashboard: str
    dashboardReason: str
    status: State
    workers: int
    threads: int
    memoryLimit: int
    created: float
    limited: str
    scaling: str


class _Totals(NamedTuple):
    workers: int
    threads: int
    memory: int


def facts(source: ClientOrCluster, namespace: Mapping[str, object] | None = None) -> Facts:
    """Facts of a client or a cluster, without a request to the scheduler.

    Parameters
    ----------
    source
        A ``distributed.Client`` (in any state, synchronous or not) or a ``Cluster``.
    namespace
        The user's variables, to find the name of the source.
    """
    client, cluster = _parts(source)
    identity = _identity(client, cluster)
    key = key_of(client) if client is not None else ""
    state = state_of(source)
    dashboard, reason = _dashboard(client, cluster, identity)
    totals = _totals(identity, copied=identity is getattr(cluster, "scheduler_info", None))
    return {
        "key": key,
        "variable": _variable(source, namespace),
        "cluster": class_name(cluster) if cluster is not None else "Scheduler",
        "address": _address(client, cluster, identity),
        "scheduler": str(identity.get("id", "")),
        "dashboard": dashboard,
        "dashboardReason": reason,
        "status": state,
        "workers": totals.workers,
        "threads": totals.threads,
        "memoryLimit": totals.memory,
        "created": created(key),
        "limited": "",
        # A client that was given the address of a cluster of this kernel can scale it, too.
        "scaling": refusal(cluster_of(client) if cluster is None and client is not None else cluster),
    }


def key_of(client: Client) -> str:
    """The id of a Client as pages know it; a user may have put anything into its name."""
    return text(client.id)


def kind(source: ClientOrCluster) -> Kind:
    """Whether a source is a client or a cluster."""
    from distributed import Client

    return "client" if isinstance(source, Client) else "cluster"


def created(key: str) -> float:
    """Wall clock (seconds since the epoch) at which a client was made: its id ends in a UUID of version 1.

    Gives 0 for an id that does not.
    """
    try:
        stamp = uuid.UUID(key[-36:])
    except ValueError:
        return 0.0
    return (stamp.time - _UUID_EPOCH) / 1e7 if stamp.version == 1 else 0.0


def _parts(source: ClientOrCluster) -> tuple[Client | None, object]:
    from distributed import Client

    if isinstance(source, Client):
        return source, source.cluster
    return _newest_client(source), source


def _newest_client(cluster: Cluster) -> Client | None:
    from distributed import Client

    # Dask's own list of the clients of this process; WeakSet iterates over a guarded copy.
    clients: Iterable[Client] = list(getattr(Client, "_instances", ()))
    own = [c for c in clients if c.cluster is cluster and c.status != "closed"]
    return max(own, key=lambda c: created(c.id), default=None)


def _identity(client: Client | None, cluster: object) -> Mapping[str, Any]:
    """The cached answer of ``Scheduler.identity``."""
    info = getattr(cluster, "scheduler_info", None)
    if isinstance(info, Mapping) and info.get("address"):
        return info
    known = getattr(client, "_scheduler_identity", None)
    return known if isinstance(known, Mapping) else {}


def _totals(identity: Mapping[str, Any], *, copied: bool) -> _Totals:
    """Workers, threads and memory.

    The copy that a cluster holds (``copied``) has every worker, kept current, but the totals are those of its start.
    The copy of a client has current totals and, since distributed 2025, no workers.
    """
    if "n_workers" in identity and not copied:
        return _Totals(
            int(identity["n_workers"]),
            int(identity.get("total_threads", 0)),
            int(identity.get("total_memory", 0)),
        )
    # Copied in one step: the client's event loop adds and removes workers meanwhile.
    workers = list(identity.get("workers", {}).values())
    return _Totals(
        len(workers),
        sum(int(worker.get("nthreads") or 0) for worker in workers),
        sum(int(worker.get("memory_limit") or 0) for worker in workers),
    )


def state_of(source: object) -> State:
    """State of a client or a cluster; of a class of others too."""
    status = getattr(source, "status", None)
    if isinstance(status, str):
        return _CLIENT_STATES.get(status, "closed")
    return "closed" if has_ended(source) else _CLUSTER_STATES.get(getattr(status, "name", ""), "closed")


def _address(client: Client | None, cluster: object, identity: Mapping[str, Any]) -> str:
    known = identity.get("address") or getattr(cluster, "scheduler_address", "")
    if not known and client is not None:
        known = getattr(client.scheduler, "address", "")
    # A cluster that has not started yet says '<Not Connected>'.
    return known if isinstance(known, str) and not known.startswith("<") else ""


def _dashboard(client: Client | None, cluster: object, identity: Mapping[str, Any]) -> tuple[str, str]:
    """The link, or why there is none, by the rules of ``Client.dashboard_link``."""
    if cluster is not None and state_of(cluster) == "closed":
        return "", ENDED
    known = _address(client, cluster, identity) in WITHOUT_DASHBOARD
    absent = _SWITCHED_OFF if known else _not_served(cluster)
    if absent:
        return "", absent
    try:
        link = getattr(cluster, "dashboard_link", None)
        if link is None:
            link = _link_of(identity)
    except (KeyError, IndexError, ValueError) as error:
        # The template of the configuration names an environment variable that does not exist, or is malformed.
        return "", f"distributed.dashboard.link cannot be filled in: {error}"
    if isinstance(link, str) and link:
        return link, ""
    if client is not None and state_of(client) == "closed":
        return "", "the client is closed"
    return "", "the scheduler has none" if identity else "not connected to a scheduler yet"


def _link_of(identity: Mapping[str, Any]) -> str:
    """The link of a scheduler known only by its identity."""
    from distributed import utils

    format_link: Callable[[str, int], str] = utils.format_dashboard_link
    port = identity.get("services", {}).get("dashboard")
    protocol, _, rest = str(identity.get("address", "")).partition("://")
    if port is None or not rest:
        return ""
    host = "localhost" if protocol == "inproc" else rest.rsplit(":", 1)[0]
    return format_link(host, port)


def _not_served(cluster: object) -> str:
    """Why a scheduler of this process serves no dashboard; ``""`` where it does or lives elsewhere.

    Its web server runs in any case, so the port reported by Dask is not conclusive.
    """
    application = getattr(getattr(cluster, "scheduler", None), "http_application", None)
    served = getattr(application, "applications", None)
    return _bokeh_problem() if served == [] else ""


def _bokeh_problem() -> str:
    # Dask loads this module in place of the dashboard when it cannot import Bokeh: the check imports nothing.
    if "distributed.http.scheduler.missing_bokeh" not in sys.modules:
        return _SWITCHED_OFF
    if _has_bokeh():
        return "the installed Bokeh does not work with this version of Dask"
    return "Bokeh is not installed"


@cache
def _has_bokeh() -> bool:
    # Facts are read every two seconds, and this searches every folder of packages. What Dask found at its start stays.
    try:
        return importlib.util.find_spec("bokeh") is not None
    except (ImportError, ValueError):
        return False


def _variable(source: object, namespace: Mapping[str, object] | None) -> str:
    # IPython's own names (_, __, _12) begin with an underscore.
    names = (name for name, value in list((namespace or {}).items()) if value is source and not name.startswith("_"))
    return next(names, "")
