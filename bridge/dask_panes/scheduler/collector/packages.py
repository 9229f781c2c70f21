"""Versions of Python and of packages, as Dask reads them in the scheduler's process and in those of workers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from distributed.versions import get_versions

from .plain import text

if TYPE_CHECKING:
    from distributed.scheduler import WorkerState

#: Packages that are kept, versions of each, and characters of a name or a version.
PACKAGES, VERSIONS, LONGEST = 40, 10, 100


def packages_of(versions: object) -> dict[str, str]:
    """The packages, and Python, in what Dask reads of a process; those that are not installed are left out."""
    packages: Any = versions.get("packages") if isinstance(versions, dict) else None
    if not isinstance(packages, dict):
        return {}
    known = ((text(name, LONGEST), text(version, LONGEST)) for name, version in packages.items() if version)
    # Dask writes of Python also the kind and the number of the release: 3.11.7.final.0.
    return {name: ".".join(found.split(".")[:3]) if name == "python" else found for name, found in known}


@cache
def own_packages() -> dict[str, str]:
    """Those of this process, which do not change."""
    return packages_of(get_versions())


class WorkerPackages:
    """Which versions the workers have had so far.

    Attributes
    ----------
    versions : dict of str to list of str
        By package; replaced when something is added.
    """

    def __init__(self) -> None:
        self.versions: dict[str, list[str]] = {}

    def take(self, older: object, workers: Iterable[WorkerState]) -> None:
        """Go on with those of an older collector, which may not have kept any, and of the workers that it observed."""
        known = getattr(older, "versions", None)
        if isinstance(known, dict):
            self.versions = known
        for ws in workers:
            self.note(packages_of(getattr(ws, "versions", None)))

    def note(self, packages: dict[str, str]) -> None:
        """A worker has these."""
        for name, version in islice(packages.items(), PACKAGES):
            known = self.versions.get(name, [])
            if version not in known and len(known) < VERSIONS and (known or len(self.versions) < PACKAGES):
                self.versions = {**self.versions, name: [*known, version]}
