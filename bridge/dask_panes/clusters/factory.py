"""Makes a cluster of any class, as its class does it: awaited on a loop, or in a thread where it blocks."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from ..kernel.channel.threads import in_thread
from ..kernel.presets import Preset


class Making:
    """One attempt to make a cluster. On the host's loop.

    A class whose constructor takes ``asynchronous`` is made on this loop, as dask-labextension does it; any other, or
    one with ``asynchronous: false`` among its configured arguments, in a thread, as in a notebook.

    Parameters
    ----------
    preset : Preset
        What to make.
    main : asyncio.AbstractEventLoop, optional
        The loop of the main thread, on which the class is imported: some modules, such as dask_jobqueue, handle signals
        and can be imported nowhere else.

    Attributes
    ----------
    made
        What the constructor returned; None before. It is to be closed even if it was never awaited.
    asynchronous
        Whether its methods are called, and awaited, on this loop.
    """

    def __init__(self, preset: Preset, main: asyncio.AbstractEventLoop | None = None) -> None:
        self.preset, self._main = preset, main
        self.made: Any = None
        self.asynchronous = False

    async def make(self) -> Any:
        """The running cluster.

        Raises
        ------
        ImportError
            The class cannot be imported.
        TypeError
            What was made is no cluster.
        Exception
            Whatever the class raises.
        """
        factory = await self._found()
        arguments = self.preset.kwargs
        self.asynchronous = bool(arguments.get("asynchronous", takes_asynchronous(factory)))
        if self.asynchronous:
            try:
                self.made = factory(*self.preset.args, **{"asynchronous": True, **arguments})
            except TypeError as error:
                # A class that passes its arguments on, to one that does not take it.
                if "'asynchronous'" not in str(error) or "asynchronous" in arguments:
                    raise
                self.asynchronous = False
        if not self.asynchronous:
            self.made = await in_thread(lambda: factory(*self.preset.args, **arguments), close_now)
        if self.asynchronous or inspect.iscoroutine(self.made):
            self.made = await _awaited(self.made)
        if not isinstance(getattr(self.made, "scheduler_address", None), str):
            name = f"{self.preset.module}.{self.preset.factory}"
            raise TypeError(
                f"{name} did not return a cluster, but a {type(self.made).__name__} without scheduler_address"
            )
        return self.made

    async def _found(self) -> Callable[..., Any]:
        if self._main is None:
            return found(self.preset)

        async def there() -> Callable[..., Any]:
            return found(self.preset)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(there(), self._main))

    async def call(self, function: Callable[[], Any]) -> Any:
        """Call something of the cluster as its class expects it, and wait for it."""
        result = function() if self.asynchronous else await in_thread(function)
        return await result if inspect.isawaitable(result) else result

    async def close(self) -> None:
        """Close what was made, if anything."""
        made, self.made = self.made, None
        close = getattr(made, "close", None)
        if callable(close):
            await self.call(close)


def found(preset: Preset) -> Callable[..., Any]:
    """The class of a preset.

    Raises
    ------
    ImportError
        With the key of the configuration, for users.
    """
    name = f"{preset.module}.{preset.factory}"
    try:
        factory: Any = importlib.import_module(preset.module)
        for part in preset.factory.split("."):
            factory = getattr(factory, part)
    except (ImportError, AttributeError) as error:
        raise ImportError(
            f"{preset.key} in Dask's configuration names {name}, which this kernel's environment cannot import: {error}"
        ) from error
    if not callable(factory):
        raise ImportError(f"{preset.key} in Dask's configuration names {name}, which is not a class")
    return factory  # type: ignore[no-any-return]


def takes_asynchronous(factory: Callable[..., Any]) -> bool:
    """Whether a class can be made on a running loop, by its signature."""
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return False
    return "asynchronous" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def close_now(made: Any) -> None:
    """Close a cluster that nobody wants any more, in the thread in which it was made."""
    close = getattr(made, "close", None)
    if callable(close):
        # Nobody waits for it, and classes log their own failures.
        with contextlib.suppress(Exception):
            close()


async def _awaited(made: Any) -> Any:
    """The result of an awaitable; the awaitable itself if that is None, as with a class that starts when awaited."""
    if not inspect.isawaitable(made):
        return made
    result = await made
    return made if result is None else result
