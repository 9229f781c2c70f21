"""Classes of clusters as sites have them, for tests of clusters from Dask's configuration."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from typing import Any

from distributed import LocalCluster

#: Constructors of `Slow` and `SlowPlain` wait for `GO`, once they have said that they were called.
GO, CALLED = threading.Event(), threading.Event()
#: What was closed, by name.
CLOSED: list[str] = []

SMALL: dict[str, Any] = {"processes": False, "protocol": "tcp://", "n_workers": 1, "threads_per_worker": 1}
SMALL |= {"dashboard_address": None}


class Site(LocalCluster):
    """Made by ``asynchronous=True``, as most classes of Dask's family can be."""

    def __init__(self, **kwargs: Any) -> None:
        print("Launching … a browser page may open")
        self.given = kwargs
        super().__init__(**{**SMALL, **kwargs})

    @property
    def dashboard_link(self) -> str:
        return "https://hub.example/user/a/proxy/8787/status"


class Slow(Site):
    """Its constructor blocks the loop on which it is made."""

    def __init__(self, **kwargs: Any) -> None:
        CALLED.set()
        GO.wait(120)
        super().__init__(**kwargs)


class AsyncOnly(Site):
    def __init__(self, asynchronous: bool = False, **kwargs: Any) -> None:
        if not asynchronous:
            raise RuntimeError("only with asynchronous=True")
        super().__init__(asynchronous=True, **kwargs)


class Plain:
    """Knows nothing of ``asynchronous``, cannot scale, has no dashboard and is no class of Dask's."""

    def __init__(self, label: str = "plain", n_workers: int = 1) -> None:
        self.label = label
        self._inner = LocalCluster(**{**SMALL, "n_workers": n_workers})

    @property
    def scheduler_address(self) -> str:
        return str(self._inner.scheduler_address)

    @property
    def dashboard_link(self) -> str:
        raise RuntimeError("there is none")

    def close(self) -> None:
        self._inner.close()
        CLOSED.append(self.label)


class ByServer(Plain):
    """Something else adapts it, as for `KubeCluster`: it does not know afterwards whether and how."""

    def scale(self, n: int) -> None:
        pass

    def adapt(self, minimum: int = 0, maximum: int | None = None) -> None:
        pass


class Apart:
    """Its scheduler is in another process, as on another machine."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.start()

    @property
    def scheduler_address(self) -> str:
        return f"tcp://127.0.0.1:{self._port}"

    def start(self) -> None:
        where = ["--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_scheduler", *where], stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + 120
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port)).close()
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    self.kill()
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    close = kill


class SlowPlain(Plain):
    def __init__(self) -> None:
        CALLED.set()
        GO.wait(120)
        super().__init__("slow plain")


class SlowToEnd(Plain):
    """Ends by itself as soon as it runs; its `close` waits for `GO`, once it has said that it was called."""

    status = "closed"

    def __init__(self) -> None:
        super().__init__("slow to end")

    def close(self) -> None:
        CALLED.set()
        GO.wait(120)
        super().close()


class Strict(Site):
    """Passes what it does not know to something that refuses it."""

    def __init__(self, **kwargs: Any) -> None:
        if "asynchronous" in kwargs:
            raise TypeError("Strict.__init__() got an unexpected keyword argument 'asynchronous'")
        super().__init__(**kwargs)


async def made_by_a_function(**kwargs: Any) -> Site:
    return await Site(**kwargs)


def refuse(**_: Any) -> None:
    raise PermissionError("quota <b>exceeded</b>")


def leave(**_: Any) -> None:
    raise SystemExit(3)


def nothing(**_: Any) -> object:
    return object()


class Unscalable(Site):
    def scale(self, n: int = 0, memory: Any = None, cores: Any = None) -> None:
        raise ValueError("at most 0 workers on Sundays")
