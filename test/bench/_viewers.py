"""Viewers of a scheduler, in a process of their own. Prints ``ready``, ends when its standard input does.

Use: ``python _viewers.py panes ADDRESS KERNELS TABS``: kernels are Clients, each with a session and tabs that show the
layout Status. ``python _viewers.py bokeh URL VIEWERS``: each has three pages of Dask's dashboard open, as raw websocket
clients that follow Bokeh's protocol. The last line says how many bytes came.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack

from distributed import Client
from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, websocket_connect

from _bridge import Session, Subscriber, session_of
from _workload import status_topics

STATUS = status_topics()
PAGES = ("individual-task-stream", "individual-progress", "individual-workers-memory")


class Counted:
    """A tab that counts bytes and decodes nothing: that is the browser's work."""

    def __init__(self, client: Client, session: Session) -> None:
        self.bytes = 0
        self._acknowledge: Callable[[int], object] = lambda seq: client.loop.asyncio_loop.call_soon(
            session.acknowledge, self.subscriber, seq
        )
        self.subscriber = Subscriber(self._take)

        async def add() -> None:
            session.add(self.subscriber, STATUS, "", -1, {})

        client.sync(add)

    def _take(self, data: bytes, seq: int) -> None:
        self.bytes += len(data)
        self._acknowledge(seq)


def panes(address: str, kernels: int, tabs: int) -> int:
    with ExitStack() as stack:
        counted = []
        for _ in range(kernels):
            client = stack.enter_context(Client(address, set_as_default=False))
            session = stack.enter_context(session_of(client))
            counted += [Counted(client, session) for _ in range(tabs)]
        print("ready", flush=True)
        sys.stdin.read()
        return sum(tab.bytes for tab in counted)


async def bokeh(url: str, viewers: int) -> int:
    sizes = [0]

    async def listen(socket: WebSocketClientConnection) -> None:
        while (message := await socket.read_message()) is not None:
            sizes[0] += len(message)

    tasks = []
    for _ in range(viewers):
        for page in PAGES:
            text = (await AsyncHTTPClient().fetch(f"{url}/{page}")).body.decode()
            found = re.search(r'"token":"([^"]+)"', text)
            assert found, "Bokeh's page has no token"
            address = f"{url.replace('http', 'ws', 1)}/{page}/ws"
            socket = await websocket_connect(address, subprotocols=["bokeh", found[1]], max_message_size=2**28)
            # What comes first is Bokeh's acknowledgement: header, metadata, content.
            for _ in range(3):
                await socket.read_message()
            for part in ({"msgid": "1", "msgtype": "PULL-DOC-REQ"}, {}, {}):
                await socket.write_message(json.dumps(part))
            tasks.append(asyncio.create_task(listen(socket)))
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    failed = [task for task in tasks if task.done()]
    assert not failed, f"{len(failed)} of {len(tasks)} pages were closed"
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return sizes[0]


def main() -> None:
    logging.disable(logging.WARNING)
    # The farm reports no versions of packages.
    warnings.simplefilter("ignore")
    kind, place, *counts = sys.argv[1:]
    numbers = [int(count) for count in counts]
    print(panes(place, *numbers) if kind == "panes" else asyncio.run(bokeh(place, *numbers)), flush=True)


if __name__ == "__main__":
    main()
