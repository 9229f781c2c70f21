import type { Run } from './run';

const origins = new WeakMap<Run, Run>();

/** The run that a frozen one was taken of; a run that lives is its own. */
export function liveOf(run: Run): Run {
  return origins.get(run) ?? run;
}

/** A run that no longer changes: what a paused view goes on drawing, sorting and scrolling while the run itself goes on. */
export function frozen(run: Run): Run {
  const copy = run.copy();
  origins.set(copy, liveOf(run));
  return copy;
}
