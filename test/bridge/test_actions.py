"""What a page does to a cluster: scale and adapt, by the control channel of a real kernel."""

from __future__ import annotations

import asyncio
import gc
import textwrap
import time
import weakref
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import LocalCluster

from dask_panes.kernel.cell.actions import Actions, _Running
from jupyter import RealKernel, Refused, becomes

MIME_TYPE = "application/vnd.dask-panes.client+json"
LOCAL = """
from distributed import Client, LocalCluster, SpecCluster, Scheduler, Worker
cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
client = Client(cluster)
"""
#: Workers that are started one after the other, as a batch system or ssh starts them.
SPEC = """
from distributed import SpecCluster, Scheduler, Worker
class BatchCluster(SpecCluster):
    pass
batch = BatchCluster(
    workers={}, worker={"cls": Worker, "options": {"nthreads": 1}},
    scheduler={"cls": Scheduler, "options": {"dashboard_address": None}},
)
"""
SLOW = """
import threading
held = threading.Event()
class SlowCluster(LocalCluster):
    def scale(self, n):
        # Dask scales to 0 when it closes.
        if n:
            held.wait()
        return super().scale(n)
class FailingCluster(LocalCluster):
    def scale(self, n):
        if n == 0:
            return super().scale(n)
        raise OSError("sbatch: error: \\udcff invalid account <b>")
class FixedCluster(LocalCluster):
    _supports_scaling = False
slow, failing, fixed = (
    each(n_workers=1, processes=False, dashboard_address=None) for each in (SlowCluster, FailingCluster, FixedCluster)
)
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[RealKernel]:
    with RealKernel(activated=True) as kernel:
        kernel.run(LOCAL)
        yield kernel


def until(condition: Callable[[], Any], seconds: float = 180) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)
    return found


def shown(kernel: RealKernel, what: str) -> dict[str, Any]:
    """The facts in the output of a cell that displays something."""
    for message in kernel.finish(kernel.start(what)):
        data = message["content"].get("data", {})
        if MIME_TYPE in data:
            return dict(data[MIME_TYPE])
    raise AssertionError("no output of ours")


def client_of(kernel: RealKernel, variable: str = "client") -> dict[str, Any]:
    def found() -> Any:
        return [c for c in kernel.ask("hello")["clients"] if c["variable"] == variable and c["status"] == "running"]

    return dict(until(found)[0])


def act(kernel: RealKernel, name: str, target: dict[str, str], **args: Any) -> Any:
    return kernel.ask("act", name=name, args=args, **target)["value"]


def test_a_cluster_is_scaled_and_adapted_through_its_client(kernel: RealKernel) -> None:
    target = {"client": client_of(kernel)["key"]}
    # Other tests scale the same cluster.
    act(kernel, "scale", target, workers=1)
    until(lambda: act(kernel, "scaling", target)["workers"] == 1)
    answer = act(kernel, "scaling", target)
    assert (answer["workers"], answer["asked"], answer["adaptive"]) == (1, 1, None)
    # The dialog says what so many workers may use of the machine that they share.
    assert 0 < answer["memory"] <= answer["machine"]
    assert act(kernel, "scale", target, workers=3)["asked"] == 3
    until(lambda: act(kernel, "scaling", target)["workers"] == 3)
    assert act(kernel, "adapt", target, minimum=1, maximum=2)["adaptive"] == [1, 2]
    until(lambda: act(kernel, "scaling", target)["workers"] <= 2)


def test_scaling_by_hand_stops_adapting(kernel: RealKernel) -> None:
    target = {"client": client_of(kernel)["key"]}
    act(kernel, "adapt", target, minimum=1, maximum=1)
    answer = act(kernel, "scale", target, workers=2)
    assert (answer["asked"], answer["adaptive"]) == (2, None)
    until(lambda: act(kernel, "scaling", target)["workers"] == 2)
    # Longer than Dask's interval of adapting: it would have taken the second worker away.
    kernel.run("import time; time.sleep(2.5)")
    answer = act(kernel, "scaling", target)
    assert (answer["workers"], answer["asked"], answer["adaptive"]) == (2, 2, None)
    assert kernel.run("print(cluster._adaptive.periodic_callback)").strip() == "None"


def test_a_cluster_without_a_client_is_scaled_by_the_handle_of_its_output(kernel: RealKernel) -> None:
    kernel.run(SPEC)
    facts = shown(kernel, "batch")
    assert (facts["key"], facts["scaling"]) == ("", "")
    target = {"handle": facts["handle"]}
    assert act(kernel, "scale", target, workers=2)["asked"] == 2
    until(lambda: act(kernel, "scaling", target)["workers"] == 2)
    assert shown(kernel, "batch")["handle"] == facts["handle"]
    kernel.run("batch.close()")
    with pytest.raises(Refused, match="closed"):
        act(kernel, "scale", target, workers=1)


def test_a_cluster_whose_scheduler_has_ended_is_closed(kernel: RealKernel) -> None:
    # Dask leaves the cluster itself running.
    kernel.run("""
over = LocalCluster(n_workers=1, processes=False, dashboard_address=None, scheduler_kwargs={"idle_timeout": "500 ms"})
""")
    target = {"handle": shown(kernel, "over")["handle"]}
    becomes(kernel, "over.scheduler.status.name", "closed")
    facts = shown(kernel, "over")
    assert (facts["status"], facts["scaling"]) == ("closed", "The cluster is closed.")
    with pytest.raises(Refused, match="The cluster is closed"):
        act(kernel, "scale", target, workers=2)
    kernel.run("over.close()")


def test_an_asynchronous_cluster_is_scaled_on_its_loop(kernel: RealKernel) -> None:
    kernel.run("own = await LocalCluster(n_workers=1, processes=False, dashboard_address=None, asynchronous=True)")
    target = {"handle": shown(kernel, "own")["handle"]}
    assert act(kernel, "scale", target, workers=2)["asked"] == 2
    until(lambda: act(kernel, "scaling", target)["workers"] == 2)
    kernel.run("await own.close()")


def test_errors_and_impossible_arguments_are_sentences(kernel: RealKernel) -> None:
    kernel.run(SLOW)
    target = {"handle": shown(kernel, "failing")["handle"]}
    with pytest.raises(Refused, match=r"^OSError: sbatch: error: \\udcff invalid account <b>$"):
        act(kernel, "scale", target, workers=2)
    # It is free for the next one.
    assert act(kernel, "scaling", target)["asked"] == 1
    for workers in (-1, 2.5, True, "2", 10**9, None):
        with pytest.raises(Refused, match="whole number from 0 to"):
            act(kernel, "scale", target, workers=workers)
    with pytest.raises(Refused, match="greater than the maximum"):
        act(kernel, "adapt", target, minimum=3, maximum=2)
    with pytest.raises(Refused, match="does not know the action"):
        act(kernel, "__import__", target)
    with pytest.raises(Refused, match="knows no client"):
        act(kernel, "scale", {"client": "Client-of-nobody"}, workers=1)
    with pytest.raises(Refused, match="does not have the cluster"):
        act(kernel, "scale", {"handle": "0" * 32}, workers=1)
    facts = shown(kernel, "fixed")
    assert facts["scaling"] == "A FixedCluster cannot be scaled."
    with pytest.raises(Refused, match="cannot be scaled"):
        act(kernel, "scale", {"handle": facts["handle"]}, workers=1)
    kernel.run("failing.close(); fixed.close(); slow.close()")


def test_a_cluster_with_a_fixed_list_of_workers_says_so(kernel: RealKernel) -> None:
    kernel.run(SPEC)
    # As SSHCluster makes it, a function that returns the general class.
    kernel.run(
        "ssh = SpecCluster(workers={0: {'cls': Worker, 'options': {'nthreads': 1}}}, name='SSHCluster', "
        "scheduler={'cls': Scheduler, 'options': {'dashboard_address': ':0'}})"
    )
    facts = shown(kernel, "ssh")
    assert facts["cluster"] == "SSHCluster"
    assert facts["scaling"].startswith("SSHCluster has a fixed number of workers: Dask can neither scale")
    with pytest.raises(Refused, match="neither scale nor adapt"):
        act(kernel, "adapt", {"handle": facts["handle"]}, minimum=1, maximum=2)
    kernel.run("ssh.close(); batch.close()")


def test_a_slow_class_is_timed_out_and_holds_nobody(kernel: RealKernel) -> None:
    kernel.run(SLOW)
    kernel.run("from dask_panes.kernel import activate; activate.channel()._actions._patience = 0.5")
    try:
        target = {"handle": shown(kernel, "slow")["handle"]}
        with pytest.raises(Refused, match=r"'scale' has not finished after \d+ s"):
            act(kernel, "scale", target, workers=2)
        with pytest.raises(Refused, match=r"'scale' of \d+ s ago has not finished yet"):
            act(kernel, "scale", target, workers=3)
        # What only reads is answered, also beside another that reads.
        assert act(kernel, "scaling", target)["workers"] >= 0
        # Another cluster is acted on, and a cell runs, meanwhile.
        assert act(kernel, "scaling", {"client": client_of(kernel)["key"]})["workers"] >= 0
        assert kernel.run("print(len([t for t in threading.enumerate() if t.name == 'dask-panes-scale']))") == "1\n"
        kernel.run("held.set()")
        until(lambda: act(kernel, "scaling", target)["asked"] == 2)
        becomes(kernel, "len([t for t in threading.enumerate() if t.name == 'dask-panes-scale'])", "0")
        # A page that can ask again learns how it ended.
        kernel.run("held.clear()")
        late = act(kernel, "scale", target, workers=1, late=True)
        assert "It continues in the kernel" in late["message"]
        later = act(kernel, "outcome", target, id=late["outcome"])
        assert later["outcome"] != late["outcome"]
        kernel.run("held.set()")
        becomes(kernel, "len([t for t in threading.enumerate() if t.name == 'dask-panes-scale'])", "0")
        assert act(kernel, "outcome", target, id=later["outcome"])["asked"] == 1
        with pytest.raises(Refused, match="does not know any more how this action ended"):
            act(kernel, "outcome", target, id=later["outcome"])
    finally:
        kernel.run("activate.channel()._actions._patience = 20; slow.close(); failing.close(); fixed.close()")


async def test_the_end_of_a_late_action_reaches_the_page_that_asks_again_and_is_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replies: list[Any] = []

    def call(**arguments: Any) -> Any:
        return SimpleNamespace(
            arguments=arguments,
            reply=lambda body: replies.append(body["value"]),
            fail=replies.append,
        )

    async def replied(count: int) -> Any:
        while len(replies) < count:
            await asyncio.sleep(0.01)
        return replies[-1]

    monkeypatch.setattr("dask_panes.kernel.cell.actions.KEPT", 0.0)
    actions, cluster = Actions(dict[str, Any]().__getitem__, patience=0.0), object()
    running = _Running("restart", cluster, "client", call(args={"late": True}))
    actions._watch(running, changes=True)
    outcome = (await replied(1))["outcome"]
    # It ends while the page waits, and while it does not.
    actions._patience = 300.0
    actions.handle(call(name="outcome", args={"id": outcome}))
    actions._end(running, None, "only 3 of 4 workers came back")
    assert await replied(2) == "only 3 of 4 workers came back"
    actions._patience = 0.0
    running = _Running("restart", cluster, "client", call(args={"late": True}))
    actions._watch(running, changes=True)
    outcome = (await replied(3))["outcome"]
    actions._end(running, {"workers": 4}, "")
    while actions._late:
        await asyncio.sleep(0.01)
    actions.handle(call(name="outcome", args={"id": outcome}))
    assert await replied(4) == "The kernel does not know any more how this action ended."


@pytest.mark.parametrize("late", [False, True])
async def test_a_cluster_is_not_kept_once_its_late_action_has_ended(late: bool) -> None:
    class Cluster:
        pass

    replies: list[Any] = []
    call: Any = SimpleNamespace(arguments={"args": {"late": late}}, reply=replies.append, fail=replies.append)
    actions, cluster = Actions(dict[str, Any]().__getitem__, patience=0.0), Cluster()
    gone = weakref.ref(cluster)
    running = _Running("scale", cluster, "cluster", call)
    actions._watch(running, changes=True)
    while not replies:
        await asyncio.sleep(0.01)
    actions._end(running, {"workers": 4}, "")
    ended = weakref.ref(running)
    del cluster, running
    gc.collect()
    assert gone() is None
    # Its end is kept for a page that can ask for it, and for no other.
    assert (ended() is not None) is late


async def test_only_what_changes_something_says_that_it_holds_others_up() -> None:
    problems: list[str] = []
    call: Any = SimpleNamespace(fail=problems.append, arguments={})
    # What reads is late beside an action of the same cluster, and where there is none.
    actions, cluster = Actions(dict[str, Any]().__getitem__, patience=0.0), object()
    for name, target, changes in (("scale", cluster, True), ("scaling", cluster, False), ("scaling", object(), False)):
        actions._watch(_Running(name, target, "cluster", call), changes)
    await asyncio.sleep(0.05)
    assert problems == [
        "'scale' has not finished after 0 s. It continues in the kernel; until it ends, nothing else can be done with "
        "this cluster.",
        *["'scaling' has not finished after 0 s."] * 2,
    ]


def test_a_client_by_address_scales_a_cluster_of_its_kernel(kernel: RealKernel) -> None:
    kernel.run("guest = Client(cluster.scheduler_address, set_as_default=False)")
    facts = client_of(kernel, "guest")
    assert facts["scaling"] == ""
    own = act(kernel, "scaling", {"client": client_of(kernel)["key"]})
    assert act(kernel, "scaling", {"client": facts["key"]}) == own
    kernel.run("guest.close()")
    with pytest.raises(Refused, match="The client is closed"):
        act(kernel, "scale", {"client": facts["key"]}, workers=1)


def test_a_client_by_address_of_another_process_says_why_it_cannot_be_scaled(kernel: RealKernel) -> None:
    with LocalCluster(n_workers=0, processes=False, protocol="tcp", dashboard_address=None) as cluster:
        kernel.run(f"guest = Client({cluster.scheduler_address!r}, set_as_default=False)")
        facts = client_of(kernel, "guest")
        assert facts["scaling"].startswith("This kernel has no cluster object")
        with pytest.raises(Refused, match="only an address"):
            act(kernel, "scale", {"client": facts["key"]}, workers=1)
        kernel.run("guest.close()")


def test_dasks_configuration_switches_actions_off(kernel: RealKernel) -> None:
    target = {"client": client_of(kernel)["key"]}
    code = """
        import dask
        dask.config.set({"dask-panes.actions": False})
    """
    kernel.run(textwrap.dedent(code))
    try:
        assert "dask-panes.actions" in client_of(kernel)["scaling"]
        assert kernel.ask("options")["value"]["actions"] is False
        with pytest.raises(Refused, match="switched off"):
            act(kernel, "scale", target, workers=1)
    finally:
        kernel.run('dask.config.set({"dask-panes.actions": True})')
