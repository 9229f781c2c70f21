/** How many tasks run now. */
import type { Run } from '../../run/run';
import { liveWorkers, total } from './worker-rows';

/**
 * Number of running tasks; NaN where nothing reports it. A task is reported one by one with the heartbeat after its start; until
 * then it is among those that its worker counts.
 */
export function runningCount(run: Run): number {
  const counted = total(liveWorkers(run), worker => worker.executing);
  return run.has('running') ? Math.max(run.running.count, counted || 0) : counted;
}
