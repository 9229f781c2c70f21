import type { Run } from './run';

const origins = new WeakMap<Run, Run>();

/** The run that a frozen run is a copy of; a live run is its own origin. */
export function liveOf(run: Run): Run {
  return origins.get(run) ?? run;
}

/** A run that no longer changes: a paused view keeps drawing, sorting and scrolling it while the original goes on. */
export function frozen(run: Run): Run {
  const copy = run.copy();
  origins.set(copy, liveOf(run));
  return copy;
}
