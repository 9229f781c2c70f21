import type { Run } from '../../run/run';
import type { CriticalPath } from './critical-path';

/** How attempts end that Dask keeps no record of. */
const UNRECORDED = ['retried', 'rescheduled', 'lost'] as const;

/**
 * Attempts at tasks of the functions of a path that ended without a result while its computation ran. Dask keeps neither
 * their keys nor their times with the executions, so no task of the path can have them. Where it is not known when they were,
 * those of the whole run.
 */
export function failedAttempts(run: Run, path: CriticalPath): number {
  const { attempts, graph } = run;
  const functions = new Set(path.tasks.map(({ number }) => graph.prefix(number)));
  if (!attempts.knowsSince(path.from)) {
    const of = (prefix: number): number => UNRECORDED.reduce((sum, how) => sum + (attempts.get(prefix, how) || 0), 0);
    return [...functions].reduce((sum, prefix) => sum + of(prefix), 0);
  }
  const until = path.from + path.wall;
  return attempts.timed.filter(
    ({ prefix, how, end }) =>
      functions.has(prefix) && end >= path.from && end <= until && UNRECORDED.some(unrecorded => unrecorded === how)
  ).length;
}
