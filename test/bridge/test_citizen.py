"""We leave the user's cell alone: a real kernel streams frames while its cells do what cells do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from jupyter import AWAIT, PATIENT, RealKernel, Subscription

CLUSTER = """
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=None)
"""
WORK = """
import time
futures = client.map(lambda x: time.sleep(0.02) or x, range(2000), pure=False)
"""


@pytest.fixture(scope="module")
def with_cluster() -> Iterator[RealKernel]:
    with RealKernel(activated=True) as kernel:
        kernel.run(PATIENT + CLUSTER)
        yield kernel


@pytest.fixture
def kernel(with_cluster: RealKernel) -> Iterator[RealKernel]:
    """One kernel for all tests, with a cluster that computes while a test runs."""
    with_cluster.run(WORK)
    yield with_cluster
    with_cluster.run("client.cancel(futures); del futures")


@pytest.fixture
def stream(kernel: RealKernel) -> Iterator[tuple[Subscription, str]]:
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks", "workers", "prefixes", "series", "events"])
    assert next(subscription.frames(key))
    yield subscription, key


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """The file for which a cell waits while it is streamed."""
    return tmp_path / "gate"


def run_streaming(kernel: RealKernel, stream: tuple[Subscription, str], code: str, gate: Path) -> list[dict[str, Any]]:
    """Run a cell, in which WAIT stands for waiting until frames were taken and acknowledged; its iopub messages."""
    subscription, key = stream
    cell = kernel.start(code.replace("WAIT\n", AWAIT.format(gate=str(gate))))
    frames = list(islice(subscription.frames(key), 10))
    assert len(frames) == 10, "nothing was streamed while the cell ran: the test would prove nothing"
    gate.touch()
    return kernel.finish(cell)


def stdout(messages: list[dict[str, Any]]) -> str:
    return "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream")


def test_a_figure_across_a_running_cell_stays_one_figure(
    kernel: RealKernel, stream: tuple[Subscription, str], gate: Path
) -> None:
    kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt, time")
    code = "plt.plot([1, 2, 3])\nWAIT\nplt.plot([3, 2, 1]); print(len(plt.gca().lines))"
    messages = run_streaming(kernel, stream, code, gate)
    assert stdout(messages) == "2\n"
    assert [m["msg_type"] for m in messages].count("display_data") == 1


def test_a_thread_keeps_its_prints(kernel: RealKernel, stream: tuple[Subscription, str], gate: Path) -> None:
    code = """
import threading, time
def talk():
    for i in range(10):
        print("line", i); time.sleep(0.15)
thread = threading.Thread(target=talk); thread.start()
WAIT
thread.join()
"""
    messages = run_streaming(kernel, stream, code, gate)
    assert stdout(messages).split("\n")[:-1] == [f"line {i}" for i in range(10)]


def test_cell_hooks_run_once_per_cell(kernel: RealKernel, stream: tuple[Subscription, str], gate: Path) -> None:
    kernel.run(
        "calls, events = [], get_ipython().events\n"
        "hooks = {'pre_execute': lambda: calls.append('pre'), 'post_execute': lambda: calls.append('post')}\n"
        "for event, hook in hooks.items(): events.register(event, hook)"
    )
    kernel.run("calls.clear()")
    run_streaming(kernel, stream, "WAIT\n", gate)
    # The clearing cell's own post, the streamed cell's pair, this cell's pre.
    assert kernel.run("print(calls, end='')") == "['post', 'pre', 'post', 'pre']"
    kernel.run("for event, hook in hooks.items(): events.unregister(event, hook)")


def test_the_cell_publishes_nothing_but_its_own(
    kernel: RealKernel, stream: tuple[Subscription, str], gate: Path
) -> None:
    messages = run_streaming(kernel, stream, "WAIT\n1", gate)
    kinds = [m["msg_type"] for m in messages]
    assert kinds == ["status", "execute_input", "execute_result", "status"]
    assert messages[-2]["content"]["data"] == {"text/plain": "1"}


def test_breakpoints_stop_and_go_on_and_we_answer_meanwhile(
    kernel: RealKernel, stream: tuple[Subscription, str]
) -> None:
    def debug(command: str, **arguments: Any) -> Any:
        content = kernel.reply(kernel.send(command, arguments))["content"]
        assert content["success"], content
        return content.get("body", {})

    code = "total = 0\nfor i in range(3):\n    total += i\nprint(total, end='')"
    debug("initialize", clientID="test", adapterID="", pathFormat="path", linesStartAt1=True)
    debug("attach")
    source = debug("dumpCell", code=code)["sourcePath"]
    debug("setBreakpoints", source={"path": source}, breakpoints=[{"line": 3}], sourceModified=False)
    debug("configurationDone")
    cell = kernel.start(code)
    while True:
        message = kernel.client.get_iopub_msg(timeout=60)
        if message["msg_type"] == "debug_event" and message["content"]["event"] == "stopped":
            thread = message["content"]["body"]["threadId"]
            break
    assert kernel.ask("hello")["clients"]
    debug("setBreakpoints", source={"path": source}, breakpoints=[], sourceModified=False)
    debug("continue", threadId=thread)
    assert stdout(kernel.finish(cell)) == "3"
    debug("disconnect", restart=False, terminateDebuggee=False)


def test_widgets_keep_working(kernel: RealKernel, stream: tuple[Subscription, str], gate: Path) -> None:
    kernel.run("import ipywidgets; slider = ipywidgets.IntSlider(); seen = []\nslider.observe(seen.append, 'value')")
    model = kernel.run("print(slider.model_id, end='')")
    content = {"comm_id": model, "data": {"method": "update", "state": {"value": 7}, "buffer_paths": []}}
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_msg", content))
    run_streaming(kernel, stream, "WAIT\n", gate)
    assert kernel.run("print(slider.value, len(seen), end='')") == "7 1"
