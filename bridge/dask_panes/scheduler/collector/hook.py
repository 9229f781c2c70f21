"""The transition hook: what the scheduler calls for every change of a task's state, a million times an hour.

Guarantees: it only appends, sets and pops (2.7 µs per task with all its transitions); everything else happens in
batches. It never raises into the scheduler. It does the same whether anybody reads or not, except for the topics
`running` and `states`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .history import FIELDS
from .marks import AGAIN, ATTEMPT, ERRED, HALTED, LOST, RUNS_AGAIN
from .notes import BATCH
from .parts import Parts

if TYPE_CHECKING:
    from distributed.scheduler import Scheduler

#: Beginning of the stimulus of `Future.retry`.
RETRY = "stimulus-retry"


def _is_retry(stimulus_id: str | None) -> bool:
    return stimulus_id is not None and stimulus_id.startswith(RETRY)


def make_hook(scheduler: Scheduler, parts: Parts) -> Callable[..., None]:
    """The hook as a closure: half the cost of a method that looks its attributes up."""
    tasks = scheduler.tasks
    pending, failed = parts.notes.pending, parts.notes.failed
    note, owned = pending.extend, parts.notes.owners.append
    notes, pace = parts.notes, parts.pace
    polls = pace.open_polls
    forget, forget_of_group = parts.prefixes.forget, parts.groups.forget
    touched = parts.prefixes.episodes.touched
    gone = parts.graph.gone.append
    endings = parts.graph.endings
    # Nearly always empty: most tasks cost only a comparison or two.
    marked = parts.marked
    halt, resume = parts.halted.add, parts.halted.remove
    # Empty while there is no subscriber to the topic.
    running = parts.running.rows_of
    ended = parts.running.end
    claims = parts.computations.claims
    owners, owner_of, disown = claims.owners, claims.owners.get, claims.owners.pop
    # Empty unless a large graph has just arrived.
    unclaimed = claims.queue
    had_result = claims.results.append
    left = parts.attempts.leave
    fail_untimed = parts.attempts.fail
    lose_result, renew, forget_result = parts.attempts.lose_result, parts.attempts.renew, parts.attempts.forget_result
    repeats = parts.attempts.repeats
    fail, retry, lose = parts.computations.fail, parts.computations.retry, parts.computations.lose
    # Empty unless tasks are erred now.
    erring = parts.errors.erring
    erred, recover = parts.errors.fail, parts.errors.leave
    # Empty unless a shuffle is planned or under way.
    barriers = parts.shuffles.barriers
    faults = parts.faults

    def pass_barrier(key: str, start: str, finish: str) -> None:
        if finish == "forgotten":
            # Also while this part is suspended.
            barriers.discard(key)
        faults.guard("shuffles", "pass", lambda: parts.shuffles.passed(scheduler, key, start, finish), None)

    def transition(
        key: Any,
        start: str,
        finish: str,
        stimulus_id: str | None = None,
        worker: str | None = None,
        nbytes: int | None = None,
        typename: str | None = None,
        type: bytes | None = None,
        metadata: Any = None,
        run_id: int | None = None,
        thread: int | None = None,
        startstops: list[dict[str, Any]] | None = None,
        **kwargs: Any,
    ) -> None:
        try:
            if running and key in running:
                ended(key)
            if barriers and key in barriers:
                pass_barrier(key, start, finish)
            if erring and key in erring:
                if finish == "erred":
                    # It erred as it was assigned (its inputs do not fit the worker's memory): Dask says so a second
                    # time, as the end of the transition to the worker.
                    return
                recover(tasks[key], _is_retry(stimulus_id))
            if startstops:
                if start == "processing":
                    if finish == "erred":
                        failed.append(len(pending) // FIELDS)
                        marked[key] = ERRED
                    elif marked and marked.pop(key, None) in RUNS_AGAIN:
                        renew(tasks[key], startstops)
                    owner = owner_of(key)
                    if owner is None:
                        if unclaimed:
                            claims.execute(key)
                    elif owner >= 0:
                        owners[key] = ~owner
                    note((key, tasks[key], worker, thread, startstops, nbytes, typename))
                    owned(owner)
                    if polls:
                        pace.wake()
                    if len(pending) >= BATCH:
                        notes.write()
                    if finish == "erred":
                        erred(tasks[key], start, worker, kwargs)
            elif finish == "released":
                if start == "processing":
                    left(tasks[key], stimulus_id)
                if start == "memory":
                    ts = tasks[key]
                    if ts.who_wants or ts.waiters:
                        # Not released because nothing needs it any more, but lost with its worker, unless its user
                        # wants it computed again.
                        lost = not _is_retry(stimulus_id)
                        marked[key] = LOST if lost else AGAIN
                        lose(key, ts.prefix.name, stimulus_id, lost)
                        lose_result(key, stimulus_id, lost)
                elif start != "erred":
                    ts = tasks[key]
                    touched[ts.prefix.name] = None
                    if ts.nbytes < 0:
                        if marked.get(key) != HALTED:
                            halt(ts)
                        marked[key] = HALTED
            elif finish == "erred":
                if start == "processing":
                    fail_untimed(tasks[key], stimulus_id)
                ts = tasks[key]
                if marked and marked.get(key) == HALTED:
                    # Dask releases it first, and it fails with the same stimulus: it was not dropped before.
                    resume(ts, True)
                marked[key] = ERRED
                touched[ts.prefix.name] = None
                fail(key, ts.prefix.name, ts.exception_blame is ts)
                erred(tasks[key], start, worker, kwargs)
            elif finish == "forgotten":
                ts = tasks[key]
                gone(ts)
                if unclaimed:
                    claims.forget(key, key in marked)
                else:
                    owner = disown(key, None)
                    if owner is not None:
                        if owner >= 0:
                            claims.drop(owner, ts.prefix.name)
                        elif not marked or key not in marked:
                            had_result(key)
                if marked and key in marked:
                    end = marked.pop(key)
                    forget_result(key)
                    if end == HALTED:
                        resume(ts)
                    elif end in RUNS_AGAIN:
                        end = HALTED
                    endings[id(ts)] = end
                    forget(ts.prefix.name, end)
                    forget_of_group(ts.group, end)
            else:
                if marked and key in marked and marked[key] == HALTED:
                    del marked[key]
                    resume(tasks[key])
                    if repeats(key):
                        # An attempt was lost before, and none has ended since.
                        marked[key] = ATTEMPT
                elif start == "released":
                    owner = owner_of(key)
                    if owner is not None and owner < 0:
                        if marked.get(key) == ERRED:
                            retry(key, tasks[key].prefix.name)
                        else:
                            # Had been released, and is needed again: by a task that was lost, or that is new.
                            marked[key] = AGAIN
                            lose(key, tasks[key].prefix.name, stimulus_id, False)
                            lose_result(key, stimulus_id, False)
        except Exception as error:
            faults.note("transitions", error)

    return transition
