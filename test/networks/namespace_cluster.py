"""A cluster alone in a network namespace: brings its loopback interface up, says the address, ends with its input.

``python namespace_cluster.py PORT``
"""

import fcntl
import socket
import struct
import sys

from distributed import LocalCluster

SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40

if __name__ == "__main__":
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", IFF_UP | IFF_RUNNING, b""))
    with LocalCluster(
        processes=False,
        protocol="tcp://",
        scheduler_port=int(sys.argv[1]),
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=":0",
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
