"""The control channel of a real kernel with a real cluster."""

from __future__ import annotations

import queue
import time
from array import array
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from jupyter import ACTIVATE, AWAIT, PATIENT, RealKernel, Refused, Subscription, becomes, wait_for_file

PROCESSES = """
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=None)
"""
CLUSTER = PROCESSES.replace("n_workers", "processes=False, n_workers")
#: The cluster's own list follows the scheduler's.
LISTED = """
import time
while len(client.cluster.scheduler_info["workers"]) < 2:
    time.sleep(0.01)
"""


def test_hello_before_and_after_a_client(kernel: RealKernel) -> None:
    hello = kernel.ask("hello")
    assert hello["protocol"] == 1
    assert hello["clients"] == []
    kernel.run(PROCESSES + LISTED)
    (client,) = kernel.ask("hello")["clients"]
    assert client["cluster"] == "LocalCluster"
    assert client["variable"] == "client"
    assert client["workers"] == 2
    assert client["threads"] == 4
    assert client["key"] == kernel.run("print(client.id, end='')")


def test_activation_imports_neither_dask_nor_distributed(new_kernel: RealKernel) -> None:
    loaded = new_kernel.run(
        "import sys; print([n for n in ('dask', 'distributed', 'tornado.web') if n in sys.modules])"
    )
    assert "dask" not in loaded
    assert "distributed" not in loaded
    assert new_kernel.ask("hello")["clients"] == []
    assert new_kernel.ask("options") == {"value": None}
    assert new_kernel.run("print('dask' in sys.modules)") == "False\n"


def test_other_debug_requests_reach_the_debugger(kernel: RealKernel) -> None:
    reply = kernel.reply(kernel.send("debugInfo", {}))
    assert reply["content"]["success"]
    assert "breakpoints" in reply["content"]["body"]


def test_unknown_requests_are_refused_in_words(kernel: RealKernel) -> None:
    with pytest.raises(Refused, match="knows no request 'dance'"):
        kernel.ask("dance")
    with pytest.raises(Refused, match="no subscription"):
        kernel.ask("ack", tab="nobody", client="x", seq=0)
    with pytest.raises(Refused, match="no client 'x'"):
        kernel.ask("request", client="x", name="key", args={"row": 0})


def test_frames_carry_history_then_news(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + "client.gather(client.map(lambda x: x + 1, range(50)))")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["meta", "tasks", "workers", "prefixes"])
    rows = 0
    for frame in subscription.frames(key):
        if "tasks" in frame["topics"]:
            rows += len(frame["topics"]["tasks"]["c"]["start"])
        if rows >= 50:
            break
    assert rows == 50
    kernel.start("more = client.gather(client.map(lambda x: x + 2, range(30)))")
    for frame in subscription.frames(key):
        if "tasks" in frame["topics"]:
            body = frame["topics"]["tasks"]
            assert body["s"]["first"] == rows
            rows += len(body["c"]["start"])
        if rows >= 80:
            break
    assert rows == 80


def test_no_frame_beyond_the_credit(new_kernel: RealKernel) -> None:
    # The true credit would take a minute.
    kernel, credit = new_kernel, 12
    kernel.run(
        "import dask_panes.kernel.session.subscriber as s\n"
        f"assert s.CREDIT_FRAMES > {credit}; s.CREDIT_FRAMES = {credit}"
    )
    kernel.run(PATIENT + CLUSTER)
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks", "workers", "series"])
    tasks = 3 * credit
    cell = kernel.start(f"import time\nfor i in range({tasks}):\n    client.submit(hash, i).result(); time.sleep(0.06)")
    taken = list(islice(subscription.frames(key, acknowledge=False), credit))
    assert len(taken) == credit
    kernel.finish(cell)
    assert list(subscription.frames(key, 1, acknowledge=False)) == []
    subscription.acknowledge(key, credit - 1)
    rows = sum(len(f["topics"]["tasks"]["c"]["start"]) for f in taken if "tasks" in f["topics"])
    for frame in subscription.frames(key):
        if "tasks" in frame["topics"]:
            assert frame["topics"]["tasks"]["s"]["first"] == rows
            rows += len(frame["topics"]["tasks"]["c"]["start"])
        if rows == tasks:
            break
    assert rows == tasks


def test_frames_come_while_the_main_thread_is_busy(kernel: RealKernel, tmp_path: Path) -> None:
    kernel.run(PROCESSES)
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks"])
    kernel.run("futures = client.map(lambda x: __import__('time').sleep(0.02), range(2000), pure=False)")
    busy, gate = tmp_path / "busy", tmp_path / "gate"
    cell = kernel.start(
        f"import os\nopen({str(busy)!r}, 'w').write('x')\n"
        f"while not os.path.exists({str(gate)!r}):\n    for _ in range(100_000): pass"
    )
    wait_for_file(busy)
    # How many tasks get through a busy interpreter is Dask's affair; that what ended is seen is ours.
    begun = time.time()
    for frame in islice((frame for frame in subscription.frames(key) if frame["topics"].get("tasks")), 100):
        if frame["time"] > begun + 0.5:
            break
    else:
        pytest.fail("no frame came while the main thread was busy")
    assert kernel.ask("hello")["clients"]
    gate.touch()
    kernel.finish(cell)


def test_a_second_tab_and_a_new_topic_catch_up(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + "client.gather(client.map(lambda x: x + 1, range(50)))")
    first = kernel.subscribe("one")
    key = first.clients[0]["key"]
    first.want(key, ["meta"])
    next(first.frames(key))
    # The poll of the first tab is on its way and lacks the topic: the second must not wait for its end, 25 s.
    second = kernel.subscribe("two")
    second.want(key, ["tasks"])
    assert tasks_until(second, key, 50, 15) == 50
    kernel.run("client.submit(abs, -1).result()")
    assert tasks_until(second, key, 1, 15) == 1


def test_key_of_a_row(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + "future = client.submit(abs, -1, key='<script>alert(1)</script>'); future.result()")
    (client,) = kernel.ask("hello")["clients"]
    body = kernel.ask("request", client=client["key"], name="key", args={"row": 0})
    assert body == {"key": "<script>alert(1)</script>", "type": "int"}
    assert kernel.ask("request", client=client["key"], name="key", args={"row": 10}) is None


def test_close_and_a_new_client_in_the_same_kernel(kernel: RealKernel) -> None:
    kernel.run(CLUSTER)
    subscription = kernel.subscribe()
    old = subscription.clients[0]["key"]
    kernel.run("client.close()")
    push = subscription.next(lambda p: p["kind"] == "clients" and p["clients"][0]["status"] == "closed")
    assert push["clients"][0]["key"] == old
    assert push["clients"][0]["closedAt"] > 0
    kernel.run(CLUSTER)
    subscription.next(lambda p: p["kind"] == "clients" and [c["status"] for c in p["clients"]] == ["closed", "running"])


def tasks_of(subscription: Subscription, key: str, count: int) -> int:
    """Wait until a client's frames have had this number of tasks."""
    subscription.want(key, ["tasks"])
    return tasks_until(subscription, key, count)


def tasks_until(subscription: Subscription, key: str, count: int, seconds: float = 180) -> int:
    """Take frames of a client until they have had this number of tasks; returns how many they had."""
    seen = 0
    for frame in subscription.frames(key, seconds):
        seen += len(frame["topics"].get("tasks", {"c": {"start": ()}})["c"]["start"])
        if seen >= count:
            break
    return seen


def test_two_clients_of_one_kernel_are_two_feeds(kernel: RealKernel) -> None:
    one = "Client(processes=False, n_workers=1, dashboard_address=None, set_as_default=False)"
    kernel.run(f"from distributed import Client\nfirst, second = {one}, {one}")
    kernel.run("first.gather(first.map(abs, range(3))), second.gather(second.map(abs, range(5)))")
    subscription = kernel.subscribe()
    keys = {client["variable"]: client["key"] for client in subscription.clients}
    assert tasks_of(subscription, keys["first"], 3) == 3
    assert tasks_of(subscription, keys["second"], 5) == 5


def test_an_asynchronous_client_is_seen(kernel: RealKernel) -> None:
    made = "await Client(processes=False, n_workers=1, dashboard_address=None, asynchronous=True)"
    assert kernel.run(f"from distributed import Client\nclient = {made}") == ""
    assert kernel.run("print(sum(await client.gather(client.map(abs, range(4)))), end='')") == "6"
    subscription = kernel.subscribe()
    (client,) = subscription.clients
    assert (client["variable"], client["status"]) == ("client", "running")
    assert tasks_of(subscription, client["key"], 4) == 4
    assert kernel.run("await client.close()") == ""
    (closed,) = subscription.next(lambda push: push["kind"] == "clients" and push["clients"][0]["status"] == "closed")[
        "clients"
    ]
    assert closed["key"] == client["key"]


def test_an_asynchronous_client_whose_loop_is_stopped_answers_that(kernel: RealKernel) -> None:
    kernel.run("""
import asyncio, threading
from distributed import Client
cluster = Client(processes=False, n_workers=1, dashboard_address=None)
loop = asyncio.new_event_loop()
def run(make):
    def there():
        global made
        asyncio.set_event_loop(loop)
        made = loop.run_until_complete(make())
    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
async def connected():
    return await Client(cluster.scheduler.address, asynchronous=True)
run(connected)
stopped = made
""")
    key = kernel.run("print(stopped.id)").strip()
    with pytest.raises(Refused, match="event loop of this asynchronous client does not run"):
        kernel.ask("request", 20, client=key, name="size", args={})
    with pytest.raises(Refused, match="event loop of this asynchronous client does not run"):
        kernel.ask("act", client=key, name="stakes", args={"worker": "tcp://127.0.0.1:1"})
    kernel.run("run(stopped.close); loop.close(); cluster.close()")


@pytest.mark.parametrize("processes", [True, False])
@pytest.mark.parametrize("end", ["client.close()", "client.shutdown()"])
def test_what_ends_just_before_the_client_closes_is_reported(kernel: RealKernel, processes: bool, end: str) -> None:
    kernel.run(
        "from distributed import Client\n"
        f"client = Client(processes={processes}, n_workers=1, threads_per_worker=2, dashboard_address=None)"
    )
    subscription = kernel.subscribe()
    (client,) = subscription.clients
    subscription.want(client["key"], ["tasks", "prefixes"])
    assert next(subscription.frames(client["key"]))
    # On a busy machine it takes longer than a user would be let wait.
    kernel.run("import dask_panes.kernel.session.session as s; given, s.FAREWELL_PATIENCE = s.FAREWELL_PATIENCE, 5.0")
    cell = kernel.start(f"total = sum(client.gather(client.map(abs, range(50))))\n{end}\ns.FAREWELL_PATIENCE = given")
    reported, finished = 0, 0
    while reported < 50 or finished < 50:
        topics = subscription.next(lambda push: push["kind"] == "frame")["frame"]["topics"]
        reported += len(topics.get("tasks", {"c": {"start": ()}})["c"]["start"])
        if "prefixes" in topics:
            columns = topics["prefixes"]["c"]
            finished = int(sum(columns["memory"]) + sum(columns["released"]) + sum(columns["forgotten"]))
    assert "error" not in [message["msg_type"] for message in kernel.finish(cell)]


def test_nothing_of_ours_is_seen_in_a_cell(kernel: RealKernel, tmp_path: Path) -> None:
    kernel.finish(kernel.start(CLUSTER))
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks", "workers", "prefixes", "series", "events", "meta"])
    gate = tmp_path / "gate"
    cell = kernel.start(
        "import time\nfor i in range(20):\n    client.submit(hash, i).result(); time.sleep(0.05)\n"
        + AWAIT.format(gate=str(gate))
    )
    assert len(list(islice(subscription.frames(key), 8))) == 8
    gate.touch()
    kinds = [m["msg_type"] for m in kernel.finish(cell)]
    assert kinds == ["status", "execute_input", "status"]


def test_a_client_made_before_us_is_seen() -> None:
    with RealKernel() as kernel:
        kernel.run(CLUSTER)
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        subscription = kernel.subscribe()
        # The session is made on the client's loop, so the tab may be there first.
        clients = (
            subscription.clients or subscription.next(lambda p: p["kind"] == "clients" and p["clients"])["clients"]
        )
        assert [c["variable"] for c in clients] == ["client"]


def test_an_expired_lease_forgets_the_tab(new_kernel: RealKernel) -> None:
    new_kernel.run("import dask_panes.kernel.channel.tabs as c; c.LEASE_SECONDS = 0.5\n" + CLUSTER)
    subscription = new_kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks"])
    new_kernel.run("import dask_panes.kernel.activate as a")
    becomes(new_kernel, "len(a.channel().tabs.known)", "0")


def test_a_subscription_that_was_replaced_is_refused(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + "client.gather(client.map(abs, range(20)))")
    first = kernel.subscribe()
    key = first.clients[0]["key"]
    first.want(key, ["tasks"])
    assert next(first.frames(key))
    # The same page over the connection of another notebook.
    second = kernel.subscribe()
    second.want(key, ["tasks"])
    assert next(second.frames(key))
    for op in ("renew", "ack", "want"):
        content = kernel.reply(first.send(op, client=key, seq=0, topics=["meta"]))["content"]
        assert not content["success"]
        assert content["body"]["reason"] == "subscription"
        assert "subscribe again" in content["body"]["message"]
    # Late leave of the first takes nothing from the second, which still gets its frames.
    assert kernel.reply(first.send("unsubscribe"))["content"]["success"]
    kernel.run("client.gather(client.map(str, range(20)))")
    assert next(second.frames(key))
    assert kernel.reply(second.send("renew"))["content"]["success"]


def test_many_subscriptions_of_one_tab_have_one_lease(new_kernel: RealKernel) -> None:
    new_kernel.run(
        "import asyncio, dask_panes.kernel.channel.tabs as c\n"
        "leases, check = [], c.Tabs.check_lease\n"
        "def counted(*args):\n    leases.append(1)\n    check(*args)\n"
        "c.Tabs.check_lease = counted\nc.LEASE_SECONDS = 2\nimport dask_panes.kernel.activate as a"
    )
    for _ in range(20):
        subscription = new_kernel.subscribe()
    # That of the last subscription ends after those of all the others would have.
    becomes(new_kernel, "len(a.channel().tabs.known)", "0")
    # Each begins with a look. One chain ends the last subscription; those before ended theirs when they were replaced.
    assert 21 <= int(new_kernel.run("print(len(leases))")) <= 23
    assert not new_kernel.reply(subscription.send("renew"))["content"]["success"]


def test_the_number_of_workers_is_sent_once(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + LISTED)
    subscription = kernel.subscribe()
    assert subscription.clients[0]["workers"] == 2
    kernel.run("client.cluster.scale(3); client.wait_for_workers(3)")
    # The cluster's own list follows the scheduler's.
    kernel.run("import time\nwhile len(client.cluster.scheduler_info['workers']) < 3: time.sleep(0.1)")
    subscription.send("renew")
    renewal = subscription.next(lambda push: push["kind"] == "clients" and push["clients"][0]["workers"] == 3)
    assert renewal["clients"][0]["threads"] == 6
    kernel.reply(subscription.send("renew"))
    subscription.send("renew")
    with pytest.raises(queue.Empty):
        subscription.next(lambda push: push["kind"] == "clients", timeout=1)


def test_workers_that_come_while_no_cell_runs_are_counted_soon(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + LISTED)
    kernel.run("other = Client(client.scheduler.address)")
    subscription = kernel.subscribe()
    # The cell has ended by then, and no renewal is sent: it would be the next one, after 25 s.
    kernel.run("import threading; threading.Timer(3, lambda: client.cluster.scale(3)).start()")

    def grown(push: dict[str, Any]) -> bool:
        return push["kind"] == "clients" and {client["workers"] for client in push["clients"]} == {3}

    assert [client["threads"] for client in subscription.next(grown)["clients"]] == [6, 6]
    # Nothing is sent while nothing changes, and no looks go on without a page.
    with pytest.raises(queue.Empty):
        subscription.next(lambda push: push["kind"] == "clients", timeout=5)
    kernel.reply(subscription.send("unsubscribe"))
    kernel.run("from dask_panes.kernel import activate as a")
    becomes(kernel, "a.channel()._looking", "False")


def test_a_client_has_its_name_when_its_cell_ends(kernel: RealKernel) -> None:
    subscription = kernel.subscribe()
    kernel.run(CLUSTER)
    # No renewal is needed: pages would call it by its cluster until then.
    assert subscription.client(lambda client: client["variable"] == "client")["status"] == "running"
    kernel.run("renamed = client; del client")
    subscription.client(lambda client: client["variable"] == "renamed")


#: What still refers to the data that a closed client had gathered.
WHO = """
left = [ref() for ref in seen if ref() is not None]
print([(type(r), str(r)[:300]) for r in gc.get_referrers(left[0]) if r is not left])
"""


def test_closed_clients_are_dropped(kernel: RealKernel) -> None:
    kernel.run(
        "from distributed import Client, LocalCluster\n"
        "cluster = LocalCluster(n_workers=1, processes=False, dashboard_address=None)"
    )
    subscription = kernel.subscribe()
    loop = "import weakref\nseen = []\nfor _ in range(50):\n    with Client(cluster) as client:\n"
    loop += "        seen.append(weakref.ref(a.channel().clients.sessions[client.id].delivery.sources))"
    kernel.run(f"import dask_panes.kernel.activate as a\n{loop}")
    kernel.run("last = Client(cluster)")
    key = kernel.run("print(last.id, end='')")
    clients = subscription.next(lambda p: p["kind"] == "clients" and p["clients"][-1]["key"] == key)["clients"]
    # The newest ten of those that are closed, and the one that is open; no notice ever had more.
    assert [client["status"] for client in clients] == ["closed"] * 10 + ["running"]
    assert max(len(push["clients"]) for push in subscription.pushes if push["kind"] == "clients") <= 12
    assert (
        kernel.run("print(len(a.channel().clients.sessions), len(a.channel().clients.newest_facts), end='')") == "11 11"
    )
    # What was gathered for them is gone, also for those that stay listed.
    left = "import gc; gc.collect(); print(sum(ref() is not None for ref in seen), end='')"
    end = time.monotonic() + 180
    while kernel.run(left) != "0":
        assert time.monotonic() < end, kernel.run(WHO)


def test_a_client_that_cannot_say_what_it_is_hides_only_itself(kernel: RealKernel) -> None:
    make = "Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)"
    kernel.run(f"from distributed import Client\nother = {make}\nclient = {make}")
    kernel.run(LISTED + LISTED.replace("client.", "other."))
    assert [client["notice"] for client in kernel.ask("hello")["clients"]] == ["", ""]
    kernel.run(
        "from distributed.deploy import Cluster\n"
        "class Odd(Cluster):\n"
        "    @property\n    def name(self): raise KeyError('no such farm')\n"
        "    @property\n    def scheduler_info(self): raise OSError('the farm has burnt down')\n"
        "    @scheduler_info.setter\n    def scheduler_info(self, value): pass\n"
        "client.cluster.__class__ = type('Odd', (Odd, type(client.cluster)), {})"
    )
    odd, well = sorted(kernel.ask("hello")["clients"], key=lambda client: client["variable"] != "client")
    assert "the farm has burnt down" in odd["notice"] or "no such farm" in odd["notice"]
    assert odd["key"] == kernel.run("print(client.id, end='')")
    assert well["variable"] == "other"
    assert well["workers"] == 2
    assert well["notice"] == ""
    assert odd["workers"] == 2


def test_show_acts_in_the_page_whose_cell_ran_it(new_kernel: RealKernel) -> None:
    session = new_kernel.client.session.session
    ours = new_kernel.subscribe("ours", [session])
    theirs = new_kernel.subscribe("theirs", ["another connection"])
    new_kernel.run("import dask_panes, threading; dask_panes.show('progress')")
    assert ours.next(lambda push: push["kind"] == "show")["session"] == session
    # Nobody knows which page a thread belongs to: all of them, as one would expect of one page.
    new_kernel.run(
        "thread = threading.Thread(target=dask_panes.show, args=('workers',)); thread.start(); thread.join()"
    )
    assert ours.next(lambda push: push["kind"] == "show")["what"] == "workers"
    # The replies to both subscriptions come over one connection here: what was not asked for above was dropped.
    new_kernel.run("import dask_panes.kernel.activate as a, dask_panes.kernel.channel.tab as c")
    new_kernel.run(
        "pushed = []\nc.Tab.push = lambda tab, kind, **body: pushed.append((tuple(tab.sessions), body.get('what')))"
    )
    new_kernel.run("dask_panes.show('task-graph')")
    who = "[who for who, what in pushed if what == 'task-graph']"
    becomes(new_kernel, who, f"[('{session}',)]")
    # Others would be asked after a second.
    new_kernel.run("import time; time.sleep(1.5)")
    assert new_kernel.run(f"print({who}, end='')") == f"[('{session}',)]"
    new_kernel.run("thread = threading.Thread(target=dask_panes.show); thread.start(); thread.join()")
    becomes(new_kernel, "len([who for who, what in pushed if what == 'status'])", "2")
    assert theirs.tab == "theirs"


def test_show_waits_for_the_page_whose_cell_ran_it(new_kernel: RealKernel) -> None:
    session = new_kernel.client.session.session
    new_kernel.run("import dask_panes; dask_panes.show('progress')")
    # Another page comes first; ours has a moment to come.
    new_kernel.subscribe("theirs", ["another connection"])
    ours = new_kernel.subscribe("ours")
    new_kernel.send("daskPanes", {"op": "renew", "tab": "ours", "subscription": ours.id, "sessions": [session]})
    assert ours.next(lambda push: push["kind"] == "show")["what"] == "progress"


def test_show_of_a_front_end_without_us_acts_in_all_pages(new_kernel: RealKernel) -> None:
    theirs = new_kernel.subscribe("theirs", ["another connection"])
    new_kernel.run("import dask_panes; dask_panes.show('progress')")
    assert theirs.next(lambda push: push["kind"] == "show")["what"] == "progress"


def test_a_topic_that_the_collector_does_not_know_keeps_nobody_busy(kernel: RealKernel) -> None:
    kernel.run(CLUSTER + "client.gather(client.map(abs, range(10)))")
    # As a collector of an older version that another kernel has brought: the first registration stays.
    kernel.run("plugin = client.cluster.scheduler.plugins['dask-panes-1']\ndel plugin.topics['events']")
    kernel.run("reads, polls = [], plugin.polls\nanswer = polls.answer")
    kernel.run("polls.answer = lambda *args: (reads.append(1), answer(*args))[1]")
    subscription = kernel.subscribe()
    key = subscription.clients[0]["key"]
    subscription.want(key, ["tasks", "events"])
    assert tasks_until(subscription, key, 10) == 10
    kernel.run("reads.clear()")
    assert sum(len(frame["topics"]["tasks"]["c"]["start"]) for frame in subscription.frames(key, 2)) == 0
    assert int(kernel.run("print(len(reads))")) < 7


def test_answers_become_json() -> None:
    from dask_panes.feed.plain import for_json

    columns = {"time": ("f8", array("d", (1.5, 2.5)).tobytes()), "id": ("u2", array("H", (7,)).tobytes())}
    assert for_json({1: columns}) == {"1": {"time": [1.5, 2.5], "id": [7]}}
    # Two of anything are no column.
    assert for_json([{"key": "a"}, {"key": "b"}]) == [{"key": "a"}, {"key": "b"}]
    assert for_json(("u1", "text")) == ["u1", "text"]
