import type { Run } from './run';

const origins = new WeakMap<Run, Run>();

/** The run that a frozen one was taken of; a run that lives is its own. */
export function liveOf(run: Run): Run {
  return origins.get(run) ?? run;
}

/**
 * A run that no longer changes: what a paused view goes on drawing, sorting and scrolling while the run itself moves on.
 *
 * @returns a run with copies of the tables and of the clock; it never gets frames and fires no signals
 */
export function frozen(run: Run): Run {
  const versions = new Map<string, number>();
  const clock = run.clock.copy();
  const fixed: PropertyDescriptorMap = {
    workers: { value: run.workers.copy() },
    attempts: { value: run.attempts.copy() },
    running: { value: run.running.copy() },
    prefixes: { value: run.prefixes.copy() },
    held: { value: run.held.copy() },
    bandwidth: { value: run.bandwidth.copy() },
    activities: { value: run.activities.copy() },
    tasks: { value: run.tasks.copy() },
    series: { value: run.series.copy() },
    events: { value: run.events.copy() },
    graph: { value: run.graph.copy() },
    groups: { value: run.groups.copy() },
    transfers: { value: run.transfers.copy() },
    logs: { value: run.logs.copy() },
    profile: { value: run.profile.copy() },
    loops: { value: run.loops.copy() },
    prefixNames: { value: [...run.prefixNames] },
    groupNames: { value: [...run.groupNames] },
    workerNames: { value: [...run.workerNames] },
    userMetrics: { value: new Map(run.userMetrics) },
    meta: { value: run.meta },
    clock: { value: clock }
  };
  const now = [
    'meta',
    'workers',
    'attempts',
    'running',
    'prefixes',
    'held',
    'bandwidth',
    'activities',
    'tasks',
    'series',
    'events',
    'graph',
    'states',
    'groups',
    'transfers',
    'logs',
    'profile',
    'loops'
  ] as const;
  for (const topic of now) {
    versions.set(topic, run.version(topic));
  }
  fixed.version = { value: (topic: Parameters<Run['version']>[0]) => versions.get(topic) ?? run.version(topic) };
  const copy: Run = Object.create(run, fixed);
  origins.set(copy, run);
  return copy;
}
