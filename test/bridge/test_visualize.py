"""`visualize`: what finished profilers have recorded becomes an output, as it was recorded."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from collections import Counter
from typing import Any

import dask
import pytest
from dask.diagnostics import CacheProfiler, Profiler, ResourceProfiler
from dask.utils import key_split

import dask_panes
from dask_panes.feed import decode
from dask_panes.local.profilers import DESCRIBED, MIME_TYPE

HOSTILE = "<img src=x onerror=alert(1)>"


@dask.delayed(pure=False)
def inc(x: int) -> int:
    return x + 1


@dask.delayed(pure=False)
def total(parts: list[int]) -> int:
    return sum(parts)


def computed(metric: Any = None) -> tuple[Profiler, ResourceProfiler, CacheProfiler]:
    with Profiler() as prof, ResourceProfiler(dt=0.01) as rprof, CacheProfiler(metric=metric) as cprof:
        total([inc(i) for i in range(9)]).compute(scheduler="threads", num_workers=2)
    return prof, rprof, cprof


def output(shown: Any) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Payload, its one frame, and the words."""
    bundle = shown._repr_mimebundle_()
    payload = bundle[MIME_TYPE]
    (frame,) = (decode(b64decode(text)) for text in payload["frames"])
    assert frame["seq"] == 0
    return payload, frame, bundle["text/plain"]


def test_results_are_used_as_they_are() -> None:
    profilers = computed(metric=lambda value: 7)
    before = [list(profiler.results) for profiler in profilers]
    payload, frame, words = output(dask_panes.visualize(list(profilers)))
    assert [list(profiler.results) for profiler in profilers] == before
    prof, rprof, cprof = profilers
    assert payload["plots"] == ["local-tasks", "local-resources", "local-cache"]
    tasks, names = frame["topics"]["tasks"]["c"], frame["names"]["prefixes"]["values"]
    assert Counter(names[prefix] for prefix in tasks["prefix"]) == {"inc": 9, "total": 1}
    ordered = sorted(prof.results, key=lambda task: task.start_time)
    assert payload["keys"] == [str(task.key) for task in ordered]
    assert payload["tasks"] == [repr(task.task) for task in ordered]
    for row, task in enumerate(ordered):
        assert tasks["duration"][row] == pytest.approx(task.end_time - task.start_time, rel=1e-6)
    assert len(set(tasks["lane"])) == len({task.worker_id for task in ordered})
    # All three count from the same moment.
    offset = tasks["start"][0] - ordered[0].start_time
    series = frame["topics"]["series"]["c"]
    assert [time - offset for time in series["time"]] == pytest.approx([r.time for r in rprof.results], abs=1e-6)
    assert list(series["cpu_sum"]) == pytest.approx([r.cpu for r in rprof.results], rel=1e-6)
    assert list(series["process_sum"]) == pytest.approx([r.mem * 1e6 for r in rprof.results], rel=1e-6)
    held = frame["topics"]["cache"]["c"]
    assert len(held["time"]) == 2 * len(cprof.results)
    # Counts fall to 0, and the metric is what it was said to be.
    last = {prefix: (count, size) for prefix, count, size in zip(held["prefix"], held["count"], held["nbytes"])}
    assert set(last.values()) == {(0, 0.0)}
    assert max(held["count"]) == 9
    assert max(held["nbytes"]) == 63
    assert frame["topics"]["meta"]["s"]["local"]["metric"] == "<lambda>"
    assert words.startswith("Dask profile: 10 tasks in ")
    assert words.endswith("at most 9 results held.") or words.endswith("at most 10 results held.")


@pytest.mark.parametrize(("index", "plot"), [(0, "local-tasks"), (1, "local-resources"), (2, "local-cache")])
def test_one_profiler_is_shown_alone(index: int, plot: str) -> None:
    payload, frame, _ = output(dask_panes.visualize(computed()[index]))
    assert payload["plots"] == [plot]
    assert len({"tasks", "series", "cache"} & set(frame["topics"])) == 1


def test_without_results_it_says_so() -> None:
    payload, frame, words = output(dask_panes.visualize([Profiler(), ResourceProfiler(), CacheProfiler()]))
    assert payload["plots"] == ["local-tasks", "local-resources", "local-cache"]
    assert set(frame["topics"]) == {"meta"}
    assert words.startswith("Dask profile: no results.")


def test_what_is_no_profiler_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="not str"):
        dask_panes.visualize(["profiler"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="one metric at a time"):
        dask_panes.visualize([CacheProfiler(), CacheProfiler(metric=len)])


class Bad:
    """A callable that cannot write itself."""

    __name__ = HOSTILE

    def __call__(self) -> int:
        return 1

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_hostile_keys_and_tasks_stay_texts_and_short() -> None:
    graph = {(HOSTILE, 0): (Bad(),), "k" * 5000: (len, "ab")}
    with Profiler() as prof, CacheProfiler() as cprof:
        dask.get(graph, [(HOSTILE, 0), "k" * 5000])
    payload, frame, _ = output(dask_panes.visualize([prof, cprof]))
    assert len(payload["keys"]) == 2
    assert max(map(len, [*payload["keys"], *payload["tasks"]])) <= 300
    assert HOSTILE in " ".join(payload["keys"])
    assert key_split((HOSTILE, 0)) in frame["names"]["prefixes"]["values"]


def test_many_tasks_are_all_drawn_and_the_first_described() -> None:
    task = computed()[0].results[0]
    profiler = Profiler()
    profiler.results = [task._replace(key=("inc-x", i), start_time=i, end_time=i + 0.5) for i in range(DESCRIBED + 10)]
    bundle = dask_panes.visualize(profiler)._repr_mimebundle_()
    frames = [decode(b64decode(text)) for text in bundle[MIME_TYPE]["frames"]]
    assert [frame["seq"] for frame in frames] == list(range(len(frames)))
    assert sum(len(frame["topics"]["tasks"]["c"]["start"]) for frame in frames) == DESCRIBED + 10
    assert len({frame["feed"] for frame in frames}) == 1
    assert len(bundle[MIME_TYPE]["keys"]) == DESCRIBED


def test_the_package_imports_no_diagnostics_by_itself() -> None:
    code = "import sys, dask_panes; print(any(n.startswith('dask.diagnostics') or n == 'dask' for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
