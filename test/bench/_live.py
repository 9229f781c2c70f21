"""A cluster of the farm at 1,000 tasks/s. Prints its address, works until its standard input ends.

Use: ``python _live.py [WORKERS THREADS]``.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings

from distributed import Client

from _cluster import Cluster, Submitter, record_metrics

RATE = 1000
SIZE = (8, 8)


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    workers, threads = map(int, sys.argv[1:3] or SIZE)
    with Cluster(workers, threads, record_metrics()) as cluster, Client(cluster.address) as client:
        print(cluster.address, flush=True)
        threading.Thread(target=listen, daemon=True).start()
        submitter = Submitter(client, RATE)
        while not ended.is_set():
            submitter.run(1)


if __name__ == "__main__":
    main()
