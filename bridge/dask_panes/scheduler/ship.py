"""Send the collector to a scheduler as source text, with its bytecode for the same Python.

A scheduler does not need this package, and may run another Python: bytecode of one Python minor version crashes a
scheduler of another with a segmentation fault. Source text works on all of them, but compiling it holds the
scheduler's event loop for 100 ms, which `Client()` waits for: bytecode is used where both sides have the same magic
number, the one by which Python itself decides whether a cached ``.pyc`` file is valid.
"""

from __future__ import annotations

import asyncio
import logging
import marshal
import re
import zlib
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module, resources
from importlib.util import MAGIC_NUMBER
from types import CodeType
from typing import TYPE_CHECKING, Any

from distributed import Scheduler
from distributed.diagnostics.plugin import SchedulerPlugin
from distributed.protocol.pickle import dumps
from packaging.version import Version

from .._about import version
from .collector.plugin import PLUGIN_NAME, PROTOCOL, READ_HANDLER

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)

#: An import of one module of the collector by another: its name, or what is imported where it is all of the module.
_IMPORT = re.compile(r"^[ \t]*from \.(\w*) import (.+)", re.MULTILINE)

#: Runs on the scheduler: creates a package with a unique name from the texts and returns a Collector.
LOADER = """\
def load(package, sources, options, magic=None, packed=b""):
    import sys
    from types import ModuleType
    if package not in sys.modules:
        from importlib.util import MAGIC_NUMBER
        codes = {}
        if packed and magic == MAGIC_NUMBER:
            import marshal, zlib
            codes = marshal.loads(zlib.decompress(packed))
        root = ModuleType(package)
        root.__path__ = []
        sys.modules[package] = root
        try:
            for name, text in sources:
                module = ModuleType(package + "." + name)
                module.__package__ = package
                module.__file__ = "<dask_panes " + name + ">"
                sys.modules[module.__name__] = module
                exec(codes.get(name) or compile(text, module.__file__, "exec"), module.__dict__)
                setattr(root, name, module)
        except BaseException:
            for name in [n for n in sys.modules if n == package or n.startswith(package + ".")]:
                del sys.modules[name]
            raise
    return sys.modules[package + ".plugin"].Collector(**options)
"""


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Names and source texts of the collector's modules, each after those that it imports."""
    folder = resources.files(__package__).joinpath("collector")
    files = {file.name.removesuffix(".py"): file for file in folder.iterdir() if file.name.endswith(".py")}
    texts = {name: files[name].read_text("utf-8") for name in sorted(files) if name != "__init__"}
    # Lists, since sets have another order in each process.
    imported = {
        name: [each for module, names in _IMPORT.findall(text) for each in ([module] if module else names.split(", "))]
        for name, text in texts.items()
    }
    return tuple((name, texts[name]) for name in TopologicalSorter(imported).static_order())


@cache
def bytecode(texts: tuple[tuple[str, str], ...]) -> bytes:
    """Code of modules by name, for Pythons with the magic number of this one: marshalled and compressed.

    Taken from Python's own cache. A module of another text than the installed one is left out.

    Parameters
    ----------
    texts : tuple of (str, str)
        Names and source texts.
    """
    codes = {name: code for name, text in texts if (code := _code(name, text)) is not None}
    # The fastest level: with others, compression takes longer than all that follows.
    return zlib.compress(marshal.dumps(codes), 1)


def _code(name: str, text: str) -> CodeType | None:
    module = f"{__package__}.collector.{name}"
    try:
        loader: Any = import_module(module).__spec__.loader  # type: ignore[union-attr]
        code = loader.get_code(module) if loader.get_source(module) == text else None
    except (ImportError, AttributeError, OSError):
        # A module without code on disk, such as one that came from the page: the scheduler compiles its text.
        return None
    return code if isinstance(code, CodeType) else None


@cache
def _package_name() -> str:
    # The name identifies the text: another version in the same process has separate modules.
    from hashlib import sha256

    digest = sha256("".join(text for _, text in sorted(sources())).encode()).hexdigest()[:12]
    return f"_dask_panes_collector_{PROTOCOL}_{digest}"


class ShippedCollector(SchedulerPlugin):  # type: ignore[misc]
    """Represents the collector in a client; unpickles as the real one from source text or bytecode.

    Parameters
    ----------
    **options
        Keyword arguments of the collector: plain values.
    """

    name = PLUGIN_NAME
    idempotent = True

    def __init__(self, **options: Any) -> None:
        self.options = options

    def __reduce__(self) -> tuple[Any, ...]:
        # `eval` is the only builtin that can run a text; the expression executes the loader and calls it.
        expression = (
            "(lambda space: (exec(loader, space), space['load'](package, sources, options, magic, packed))[1])({})"
        )
        space = {
            "loader": LOADER,
            "package": _package_name(),
            "sources": sources(),
            "options": self.options,
            "magic": MAGIC_NUMBER,
            "packed": bytecode(sources()),
        }
        return eval, (expression, space)


def comparable(version: str) -> tuple[int, ...]:
    """A package version as comparable numbers: releases are later than their pre-releases."""
    parsed = Version(version)
    stages = {"a": 1, "b": 2, "rc": 3}
    stage, number = (stages.get(parsed.pre[0], 0), parsed.pre[1]) if parsed.pre else (4, 0)
    if parsed.dev is not None and not parsed.pre:
        stage, number = 0, parsed.dev
    major, minor, micro = (*parsed.release, 0, 0, 0)[:3]
    return PROTOCOL, major, minor, micro, stage, number


async def register(client: Client, **options: Any) -> None:
    """Register the collector with a client's scheduler, on the client's event loop.

    Data of an older version is taken over; a newer version stays.

    Parameters
    ----------
    client : distributed.Client
        A running client.
    **options
        Keyword arguments of the collector, if there is none yet.

    Raises
    ------
    ValueError
        The scheduler does not permit plugins (``distributed.scheduler.blocked-handlers``).
    OSError
        The connection is lost.
    """
    scheduler = getattr(client.cluster, "scheduler", None)
    if isinstance(scheduler, Scheduler) and "register_scheduler_plugin" in scheduler.blocked_handlers:
        # A scheduler in this process would log its refusal as an error, which a cell would show.
        raise ValueError("distributed.scheduler.blocked-handlers has register_scheduler_plugin")
    options = {"version": comparable(version()), **options}
    plugin = dumps(ShippedCollector(**options))
    # The RPC itself rather than Client.register_plugin, which differs between releases in what it awaits.
    send = client.scheduler.register_scheduler_plugin
    await send(plugin=plugin, name=PLUGIN_NAME, idempotent=True)
    try:
        if await _version_there(client) < tuple(options["version"]):
            await send(plugin=plugin, name=PLUGIN_NAME, idempotent=False)
    except (OSError, asyncio.TimeoutError):
        raise
    except Exception:
        # Any existing one is usable; a newer one may just have been registered.
        logger.debug("the collector that is there was not taken over", exc_info=True)


async def _version_there(client: Client) -> tuple[int, ...]:
    """Version of a scheduler's collector; empty for those from before versions were reported."""
    answer = await getattr(client.scheduler, READ_HANDLER)(reader=f"version/{client.id}", topics=["meta"])
    meta = answer["topics"].get("meta", {}).get("s", {}) if answer else {}
    return tuple(meta.get("collector", ()))
