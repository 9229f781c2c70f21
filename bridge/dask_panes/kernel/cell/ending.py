"""Whether the cluster of a client has ended with it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from .facts import state_of

if TYPE_CHECKING:
    from distributed import Client


class OwnCluster:
    """Knows whether the cluster of a client has ended, also when the client is gone.

    Parameters
    ----------
    client : distributed.Client
        Neither it nor its cluster is kept alive.
    """

    def __init__(self, client: Client) -> None:
        # A client that was given no address started its cluster, and closes it.
        self._started = getattr(client, "_start_arg", "") is None
        try:
            self._cluster = weakref.ref(client.cluster) if client.cluster is not None else None
        except TypeError:
            # Classes of others may not permit it.
            self._cluster = None

    def ended(self) -> bool:
        """Whether it has, once the client has closed; False where that is not known."""
        cluster = self._cluster() if self._cluster is not None else None
        return self._started or (cluster is not None and state_of(cluster) == "closed")
