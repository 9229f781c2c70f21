"""Code that runs on workers, sent as source text.

Pickled bytecode of one Python minor version crashes a process of another, and workers may lack this package. So a
probe is the text of a module with one function ``probe(server, **arguments)``, which depends on the standard library
and on distributed only. It runs on the server's event loop: it must be quick, and may wait only where it is a
coroutine function (of a worker; that of the scheduler is called within another question).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from hashlib import sha256
from importlib import resources
from typing import Any
from uuid import uuid4

import msgpack
from distributed.protocol.pickle import dumps

from ...scheduler.ship import sources
from .answers import Answers

#: Sends one question to the collector: `Session.ask`.
Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]

#: Timeout per server, seconds.
PATIENCE = 10.0
#: Workers per request to the scheduler: their answers come back in one message.
SLICE = 64
#: Larger than any worker id.
_BEYOND = 2**53
#: Represents the scheduler where an id of ``names.workers`` represents a worker.
SCHEDULER = -1

#: Runs on the server: registers the probe as a handler with a unique name, so that requests are plain small messages.
#: Answers are converted there: values that cannot be sent would be an error in the server's log. So would be an
#: exception of a probe, which is an answer too.
INSTALLER = """\
def install(dask_worker, helper, text, op):
    helpers, space = {"__name__": op}, {"__name__": op}
    exec(compile(helper, "<dask_panes plain>", "exec"), helpers)
    exec(compile(text, "<dask_panes " + op + ">", "exec"), space)

    def answered(answer):
        return {"answer": helpers["plain"](answer)}

    def failed(error):
        return {"error": helpers["text"](type(error).__name__ + ": " + helpers["text"](error), 500)}

    async def awaited(answer):
        try:
            return answered(await answer)
        except Exception as error:
            return failed(error)

    def handler(**arguments):
        try:
            answer = space["probe"](dask_worker, **arguments)
            return awaited(answer) if hasattr(answer, "__await__") else answered(answer)
        except Exception as error:
            return failed(error)

    dask_worker.handlers[op] = handler
"""
#: Source of the module that converts values.
HELPER = dict(sources())["plain"]


class _Installer:
    """Unpickles as a function of one server that installs the probe there; contains only texts."""

    def __init__(self, text: str, op: str) -> None:
        self._space = {"installer": INSTALLER, "helper": HELPER, "text": text, "op": op}

    def __reduce__(self) -> tuple[Any, ...]:
        # `run` passes the server to an argument of this name; a lambda from a text needs no module to be found. The
        # worker logs the name of what it runs.
        made = "lambda dask_worker: (exec(installer, globals()), install(dask_worker, helper, text, op))[1]"
        return eval, (f"(lambda run: (setattr(run, '__name__', op), run)[1])({made})", self._space)


class Probe:
    """A question that servers are taught to answer.

    Parameters
    ----------
    name : str
        A word for the handler's name and for error messages.
    text : str
        Source of a module that defines ``probe(server, **arguments)``; arguments and answer are what msgpack knows.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text
        digest = sha256((INSTALLER + HELPER + text).encode()).hexdigest()[:12]
        #: Name of the handler; identifies the text, so that two versions do not disturb each other.
        self.op = f"dask_panes_{name}_{digest}"

    @classmethod
    def of(cls, name: str, package: str, file: str) -> Probe:
        """The probe whose text is a file of this package."""
        return cls(name, resources.files(package).joinpath(file).read_text("utf-8"))

    @cached_property
    def install(self) -> bytes:
        """Pickle of a function that installs the probe in the server that it is given."""
        data: bytes = dumps(_Installer(self._text, self.op))
        return data


class Slices:
    """Answers of all workers, and of the scheduler where it is asked, a slice after another.

    Between two slices the scheduler is left alone for as long as its 1 % of a core needs.

    Parameters
    ----------
    put : callable
        Asks one slice: takes the arguments by server and the id of its first worker.
    each : mapping
        Arguments by id of ``names.workers``.
    scheduler : mapping, optional
        Arguments for the scheduler, which is asked last; absent where it is not asked.
    ease : float
        Factor of the time between two slices; 0 for no pause.
    """

    def __init__(
        self,
        put: Callable[[Mapping[int, Mapping[str, Any]], int], Awaitable[Answers]],
        each: Mapping[int, Mapping[str, Any]],
        scheduler: Mapping[str, Any] | None,
        ease: float,
    ) -> None:
        self._put, self._each, self._scheduler, self._ease = put, each, scheduler, ease
        self._next = 0
        self._rest = 0.0

    def __aiter__(self) -> Slices:
        return self

    async def __anext__(self) -> Answers:
        if self._next < 0 and self._scheduler is None:
            raise StopAsyncIteration
        if self._rest:
            await asyncio.sleep(self._rest)
        if self._next < 0:
            asked, self._scheduler = {SCHEDULER: self._scheduler or {}}, None
            return await self._put(asked, 0)
        each = {server: more for server, more in self._each.items() if server >= self._next}
        answers = await self._put(each, self._next)
        self._next, self._rest = -1 if answers.refusal else answers.left, self._ease * answers.pace
        return answers


class WorkerReach:
    """Asks the servers of one session's cluster.

    Parameters
    ----------
    ask : callable
        Sends a request to the collector.
    patience : float
        Timeout per server, seconds.

    Attributes
    ----------
    heard : callable
        Called with the id of the feed of each answer.
    again : float
        Seconds until the workers are asked again without a pane; 0 where there is one.
    """

    def __init__(self, ask: Ask, patience: float = PATIENCE) -> None:
        self._ask = ask
        self._patience = patience
        self._asker = uuid4().hex
        self.heard: Callable[[str], None] = lambda feed: None
        self.again = 0.0

    async def workers(
        self,
        probe: Probe,
        arguments: Mapping[str, Any] | None = None,
        each: Mapping[int, Mapping[str, Any]] | None = None,
        insist: bool = False,
    ) -> Answers:
        """Ask all workers at once.

        Parameters
        ----------
        probe : Probe
        arguments : mapping, optional
            For every worker.
        each : mapping, optional
            Further arguments by id of ``names.workers``.
        insist : bool
            Ask also those that did not answer a moment ago, which are skipped for a while otherwise.

        Raises
        ------
        OSError, RuntimeError
            Where the scheduler cannot be asked, with a message for users.
        """
        whole: Answers | None = None
        async for answers in self.slices(probe, arguments, each, hurry=True, insist=insist):
            whole = answers if whole is None else whole.and_of(answers)
        assert whole is not None
        return whole

    def slices(
        self,
        probe: Probe,
        arguments: Mapping[str, Any] | None = None,
        each: Mapping[int, Mapping[str, Any]] | None = None,
        scheduler: Mapping[str, Any] | None = None,
        hurry: bool = False,
        ease: float = 1.0,
        insist: bool = False,
    ) -> Slices:
        """Ask all workers, some at a time: see `Slices` and `workers`; raises as `workers`."""

        async def put(each: Mapping[int, Mapping[str, Any]], begin: int) -> Answers:
            return await self._put(probe, arguments or {}, each, begin, insist)

        return Slices(put, each or {}, scheduler, 0.0 if hurry else ease)

    async def stand(self) -> Answers:
        """Facts of the cluster; none of its servers is asked. Raises as `workers`."""
        return await self._send("", b"", {}, {}, _BEYOND)

    async def count(self) -> int:
        """The number of workers; none of them is asked. Raises as `workers`."""
        return (await self.stand()).workers

    async def collector(self, name: str, args: Mapping[str, Any]) -> Any:
        """Ask the collector alone; raises as `workers`."""
        return await self._ask(name, dict(args))

    async def scheduler(self, probe: Probe, arguments: Mapping[str, Any] | None = None) -> Answers:
        """Ask the scheduler itself; raises as `workers`."""
        return await self._put(probe, {}, {SCHEDULER: arguments or {}})

    async def _put(
        self,
        probe: Probe,
        arguments: Mapping[str, Any],
        each: Mapping[int, Mapping[str, Any]],
        begin: int = 0,
        insist: bool = False,
    ) -> Answers:
        more: dict[str, Any] = {"asker": self._asker, "again": self.again}
        # Collectors of an older version do not know it.
        more.update({"insist": True} if insist else {})
        return await self._send(probe.op, probe.install, arguments, each, begin, **more)

    async def _send(
        self,
        op: str,
        install: bytes,
        arguments: Mapping[str, Any],
        each: Mapping[int, Mapping[str, Any]],
        begin: int,
        **more: Any,
    ) -> Answers:
        reply = await self._ask(
            "servers",
            {
                "op": op,
                "install": install,
                "arguments": dict(arguments),
                "each": [[server, dict(more)] for server, more in each.items()],
                "timeout": self._patience,
                "begin": begin,
                "at_most": SLICE,
                **more,
            },
        )
        failed = {int(server): str(text) for server, text in reply["failed"]}
        failed.update((int(server), str(answer["error"])) for server, answer in reply["answers"] if "error" in answer)
        feed = str(reply.get("feed", ""))
        if feed:
            self.heard(feed)
        return Answers(
            of={int(server): answer["answer"] for server, answer in reply["answers"] if "answer" in answer},
            failed=failed,
            refusal=str(reply["refusal"]),
            idle=bool(reply["idle"]),
            # A collector of an older version does not report these.
            readers=max(1, int(reply.get("readers", 1))),
            nbytes=len(msgpack.packb(reply["answers"])),
            workers=int(reply.get("workers", 0)),
            left=int(reply.get("next", -1)),
            feed=feed,
            executed=int(reply.get("executed", -1)),
            working=bool(reply.get("working", not reply["idle"])),
        )
