"""A real ipykernel in a process of its own, spoken to as a browser would: cells, and the control channel."""

from __future__ import annotations

import itertools
import os
import queue
import time
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
        import dask
        dask.config.refresh()
    channel = activate.channel()
    for tab in list(channel._tabs):
        channel.on_loop(channel._forget, tab)
    channel._sessions.clear()
    channel._told.clear()
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
        self._sockets = TemporaryDirectory(prefix="dask-panes-")
        self._manager = KernelManager(transport="ipc", ip=str(Path(self._sockets.name) / "kernel"))
        if python is not None:
            self._manager.kernel_spec.argv[0] = python
        self._activated = activated
        self._env = {**os.environ, "PYTHONPATH": str(BRIDGE), **(env or {})}
        self._seq = itertools.count(1)
        self.client: BlockingKernelClient

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
        self.client.wait_for_ready(timeout=60)
        if self._activated:
            self.finish(self.start(ACTIVATE, silent=True))

    def shutdown(self) -> None:
        """Ask the kernel to end, and kill it when it takes longer than Jupyter allows."""
        self._manager.shutdown_kernel()

    # -- cells ----------------------------------------------------------------------------------------------------

    def start(self, code: str, silent: bool = False) -> str:
        """Begin to run a cell; returns its message id."""
        return str(self.client.execute(code, silent=silent, store_history=not silent))

    def finish(self, cell: str, timeout: float = 60) -> list[dict[str, Any]]:
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

    def run(self, code: str, timeout: float = 60) -> str:
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

    def reply(self, request: str, timeout: float = 20) -> dict[str, Any]:
        """The next reply to a request; replies to others are dropped."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.control_channel.get_msg(timeout=max(0.05, end - time.monotonic()))
            if message["parent_header"].get("msg_id") == request:
                return dict(message)

    def ask(self, op: str, timeout: float = 20, **arguments: Any) -> Any:
        """One request of ours; the body of its reply."""
        content = self.reply(self.send("daskPanes", {"op": op, **arguments}), timeout)["content"]
        if not content.get("success"):
            raise Refused(content.get("body", {}).get("message", content))
        return content["body"]

    def subscribe(self, tab: str = "tab", sessions: Sequence[str] = ()) -> Subscription:
        return Subscription(self, tab, sessions)


class SharedKernel:
    """An activated kernel that many tests use, one after the other; another one where a test has spoilt it."""

    def __init__(self, env: dict[str, str] = ENVIRONMENT) -> None:
        self._env = env
        self._kernel: RealKernel | None = None

    def lend(self) -> RealKernel:
        """The kernel, as new but for what it has imported."""
        if self._kernel is None:
            self._kernel = RealKernel(env=self._env, activated=True).__enter__()
        return self._kernel

    def take_back(self) -> None:
        """End what the test has left in it."""
        assert self._kernel is not None
        try:
            self._kernel.run(CLEAN, 20)
        except (AssertionError, queue.Empty):
            self.end()

    def end(self) -> None:
        """End the kernel, if there is one."""
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            kernel.__exit__()


class Subscription:
    """What a browser tab does: subscribe, want, acknowledge. Frames are decoded; other pushes are kept."""

    def __init__(self, kernel: RealKernel, tab: str, sessions: Sequence[str] = ()) -> None:
        self._kernel, self.tab, self.id = kernel, tab, uuid4().hex
        self._request = self.send("subscribe", sessions=list(sessions))
        self.pushes: list[dict[str, Any]] = []
        self.clients: list[dict[str, Any]] = self.next(lambda push: push["kind"] == "clients")["clients"]

    def send(self, op: str, **arguments: Any) -> str:
        """Send a request of this subscription; returns its message id."""
        return self._kernel.send("daskPanes", {"op": op, "tab": self.tab, "subscription": self.id, **arguments})

    def ask(self, op: str, timeout: float = 20, **arguments: Any) -> Any:
        """One request of this subscription; the body of its reply."""
        return self._kernel.ask(op, timeout, tab=self.tab, subscription=self.id, **arguments)

    def want(self, client: str, topics: list[str], **where: Any) -> None:
        self.send("want", client=client, topics=topics, **where)

    def acknowledge(self, client: str, seq: int) -> None:
        self.send("ack", client=client, seq=seq)

    def next(self, wanted: Callable[[dict[str, Any]], bool], timeout: float = 20) -> dict[str, Any]:
        """The next push that is wanted; the others are dropped."""
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

    def frames(self, client: str, seconds: float, acknowledge: bool = True) -> Iterator[dict[str, Any]]:
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
