"""A real ipykernel in a process of its own, spoken to as a browser would: cells, and the control channel."""

from __future__ import annotations

import itertools
import os
import queue
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from jupyter_client import BlockingKernelClient, KernelManager

from dask_panes.feed import decode

BRIDGE = Path(__file__).resolve().parents[2] / "bridge"
ACTIVATE = "import dask_panes.kernel.activate as _a; _a.install(); del _a"
#: How Dask gets to know us where no page has activated us.
ENVIRONMENT = {"DASK_CONFIG": str(BRIDGE / "dask_panes.yaml")}
#: Lets `Client()` wait until its scheduler has the collector, so that the first task is seen: on a busy machine that
#: takes longer than a user would be let wait.
PATIENT = """
import dask_panes.kernel.session.session as _session
_session.REGISTRATION_PATIENCE = 60.0
del _session
"""
#: Lets workers be forked from a process that has imported Dask once: each costs a fifth of the CPU time of a new one.
#: Dask would import pandas, too, here and there.
FORK = """
import dask as _dask, distributed.utils as _utils, multiprocessing as _multiprocessing
_dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
# A cluster looks some seconds after a worker has left whether one of its name is there, and else closes its nanny: also
# when the worker is being restarted a second time at that moment.
_dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
_multiprocessing.get_context("forkserver").set_forkserver_preload(["distributed"])
_utils._forkserver_preload_set = True
del _dask, _utils, _multiprocessing
"""
#: Holds the GIL for some seconds: a call of a PyDLL keeps it, so that no thread of the process runs. The byte in the
#: file `mark` says that it holds it: between the two calls no other thread gets its turn.
HOLD_GIL = """
import ctypes, os, sys
_libc, _file, _interval = ctypes.PyDLL(None), os.open({mark!r}, os.O_WRONLY | os.O_CREAT), sys.getswitchinterval()
sys.setswitchinterval(1000)
_libc.write(_file, b"x", 1)
_libc.sleep({seconds})
sys.setswitchinterval(_interval)
os.close(_file)
"""
#: Waits, in a cell, until a test makes the file `gate`.
AWAIT = "while not __import__('os').path.exists({gate!r}): __import__('time').sleep(0.01)\n"
#: Ends what a test has left in a kernel: clients and clusters, tabs, variables and options.
CLEAN = """
def _clean():
    import sys
    import dask_panes.kernel.activate as activate
    if "distributed" in sys.modules:
        from distributed import Client
        from distributed.deploy.spec import SpecCluster
        for left in [*Client._instances, *SpecCluster._instances]:
            left.close()
    if "dask" in sys.modules:
        import dask
        dask.config.refresh()
    channel = activate.channel()
    for tab in list(channel.tabs.known):
        channel.on_loop(channel.tabs.forget, tab)
    channel.clients.sessions.clear()
    channel.clients.newest_facts.clear()
    shell = get_ipython()
    # Not IPython's own reset: it takes `__spec__` away as well, without which no process can be started.
    for name in [name for name in shell.user_ns if not name.startswith("_") and name not in shell.user_ns_hidden]:
        del shell.user_ns[name]
    shell.displayhook.flush()
_clean()
"""


class Refused(Exception):
    """The bridge answered that a request failed."""


class RealKernel:
    """Start with ``with``.

    Parameters
    ----------
    python : str, optional
        Path of the interpreter where another environment is wanted.
    env : dict, optional
        Environment variables in addition to ours.
    activated : bool
        Whether the line that the extension executes in a new kernel is executed at each start.
    """

    def __init__(
        self, python: str | None = None, env: dict[str, str] | None = None, *, activated: bool = False
    ) -> None:
        # Sockets by path: a port that is free now may be taken by another process before the kernel binds it.
        self._sockets = TemporaryDirectory(prefix="dask-panes-", ignore_cleanup_errors=True)
        self._manager = KernelManager(transport="ipc", ip=str(Path(self._sockets.name) / "kernel"))
        if python is not None:
            self._manager.kernel_spec.argv[0] = python
        self._activated = activated
        # It is killed in the end, and does not remove its temporary files. IPython prints into a cell where kernels of
        # other tests lock the history that they would share.
        folders = {"TMPDIR": Path(self._sockets.name) / "tmp", "IPYTHONDIR": Path(self._sockets.name) / "ipython"}
        for folder in folders.values():
            folder.mkdir()
        own = {name: str(folder) for name, folder in folders.items()}
        self._env = {**os.environ, "PYTHONPATH": str(BRIDGE), **own, **(env or {})}
        self._seq = itertools.count(1)
        #: Replies that have come while that to another request was waited for, by the id of their request.
        self._replies: defaultdict[str, deque[dict[str, Any]]] = defaultdict(deque)
        self.client: BlockingKernelClient

    @property
    def pid(self) -> int:
        """Number of the kernel's process."""
        return int(self._manager.provisioner.pid)

    def __enter__(self) -> RealKernel:
        self._manager.start_kernel(env=self._env)
        self.client = self._manager.client()
        self.client.start_channels()
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._sockets.cleanup()

    def restart(self) -> None:
        self._manager.restart_kernel(now=True)
        self._begin()

    def _begin(self) -> None:
        self.client.wait_for_ready(timeout=120)
        if self._activated:
            self.finish(self.start(ACTIVATE, silent=True))

    def shutdown(self) -> None:
        """Ask the kernel to end, and kill it when it takes longer than Jupyter allows."""
        self._manager.shutdown_kernel()

    # -- cells ----------------------------------------------------------------------------------------------------

    def start(self, code: str, silent: bool = False) -> str:
        """Begin to run a cell; returns its message id."""
        return str(self.client.execute(code, silent=silent, store_history=not silent))

    def finish(self, cell: str, timeout: float = 120) -> list[dict[str, Any]]:
        """Wait for a cell; all iopub messages that have it as parent, busy and idle included."""
        messages = []
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.1, end - time.monotonic()))
            if message["parent_header"].get("msg_id") != cell:
                continue
            messages.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return messages

    def run(self, code: str, timeout: float = 120) -> str:
        """Run a cell; its stdout. Raises AssertionError with the traceback when it fails."""
        out = ""
        for message in self.finish(self.start(code), timeout):
            if message["msg_type"] == "stream":
                out += message["content"]["text"]
            elif message["msg_type"] == "error":
                raise AssertionError("\n".join(message["content"]["traceback"]))
        return out

    # -- control channel ------------------------------------------------------------------------------------------

    def send(self, command: str, arguments: dict[str, Any]) -> str:
        """Send a debug request; returns its message id."""
        content = {"type": "request", "seq": next(self._seq), "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        return str(message["header"]["msg_id"])

    def reply(self, request: str, timeout: float = 60) -> dict[str, Any]:
        """The next reply to a request; replies to others are kept for their callers."""
        end = time.monotonic() + timeout
        while not self._replies[request]:
            message = dict(self.client.control_channel.get_msg(timeout=max(0.05, end - time.monotonic())))
            self._replies[message["parent_header"].get("msg_id")].append(message)
        return self._replies[request].popleft()

    def forget_replies(self) -> None:
        """Drop replies that were never awaited."""
        self._replies.clear()

    def ask(self, op: str, timeout: float = 60, **arguments: Any) -> Any:
        """One request of ours; the body of its reply."""
        content = self.reply(self.send("daskPanes", {"op": op, **arguments}), timeout)["content"]
        if not content.get("success"):
            raise Refused(content.get("body", {}).get("message", content))
        return content["body"]

    def subscribe(self, tab: str = "tab", sessions: Sequence[str] = ()) -> Subscription:
        return Subscription(self, tab, sessions)


class SharedKernel:
    """An activated kernel shared by many tests, one after the other; replaced after a test has broken it."""

    def __init__(self, env: dict[str, str] = ENVIRONMENT) -> None:
        self._env = env
        self._kernel: RealKernel | None = None

    def lend(self) -> RealKernel:
        """The kernel, like new except for its imports."""
        if self._kernel is None:
            self._kernel = RealKernel(env=self._env, activated=True).__enter__()
        self._kernel.run(PATIENT + FORK)
        self._kernel.forget_replies()
        return self._kernel

    def take_back(self) -> None:
        """Clean up after the test."""
        assert self._kernel is not None
        try:
            self._kernel.run(CLEAN)
        except (AssertionError, queue.Empty):
            self.end()

    def end(self) -> None:
        """End the kernel, if there is one."""
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            kernel.__exit__()


class Subscription:
    """Acts as a browser tab: subscribe, want, acknowledge. Frames are decoded; other pushes are stored."""

    def __init__(self, kernel: RealKernel, tab: str, sessions: Sequence[str] = ()) -> None:
        self._kernel, self.tab, self.id = kernel, tab, uuid4().hex
        self._request = self.send("subscribe", sessions=list(sessions))
        self.pushes: list[dict[str, Any]] = []
        self.clients: list[dict[str, Any]] = self.next(lambda push: push["kind"] == "clients")["clients"]

    def send(self, op: str, **arguments: Any) -> str:
        """Send a request of this subscription; returns its message id."""
        return self._kernel.send("daskPanes", {"op": op, "tab": self.tab, "subscription": self.id, **arguments})

    def ask(self, op: str, timeout: float = 60, **arguments: Any) -> Any:
        """One request of this subscription; the body of its reply."""
        return self._kernel.ask(op, timeout, tab=self.tab, subscription=self.id, **arguments)

    def want(self, client: str, topics: list[str], **where: Any) -> None:
        self.send("want", client=client, topics=topics, **where)

    def acknowledge(self, client: str, seq: int) -> None:
        self.send("ack", client=client, seq=seq)

    def next(self, wanted: Callable[[dict[str, Any]], bool], timeout: float = 60) -> dict[str, Any]:
        """The next matching push; others are dropped."""
        end = time.monotonic() + timeout
        while True:
            message = self._kernel.reply(self._request, max(0.05, end - time.monotonic()))
            assert message["content"]["success"], message["content"]
            push = dict(message["content"]["body"])
            if push["kind"] == "frame":
                push["bytes"] = len(bytes(message["buffers"][0]))
                push["frame"] = decode(bytes(message["buffers"][0]))
            self.pushes.append(push)
            if wanted(push):
                return push

    def client(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The only client of the kernel, once its reported facts match."""

        def fits(clients: list[dict[str, Any]]) -> bool:
            return len(clients) == 1 and wanted(clients[0])

        if fits(self.clients):
            return self.clients[0]
        listed = self.next(lambda push: push["kind"] == "clients" and fits(push["clients"]))["clients"]
        return dict(listed[0])

    def frames(self, client: str, seconds: float = 180, acknowledge: bool = True) -> Iterator[dict[str, Any]]:
        """Frames of a client for a while, each acknowledged when the caller asks for the next."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                push = self.next(
                    lambda push: push["kind"] == "frame" and push["client"] == client, end - time.monotonic()
                )
            except queue.Empty:
                return
            yield push["frame"]
            if acknowledge:
                self.acknowledge(client, push["seq"])


def wait_for_file(path: Path) -> None:
    """Wait until a file has content."""
    end = time.monotonic() + 180
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, path
        time.sleep(0.01)


def becomes(kernel: RealKernel, expression: str, wanted: str) -> None:
    """Wait until an expression has a value, as printed."""
    end = time.monotonic() + 180
    while (found := kernel.run(f"print({expression}, end='')")) != wanted:
        assert time.monotonic() < end, found
        time.sleep(0.05)
