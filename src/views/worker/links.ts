import type { Topic } from '../../feed/schema';
import type { TooltipLink, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { WorkerRow } from '../../selectors/workers/worker-rows';
import { workerAt } from '../../selectors/workers/one-worker';

/**
 * Panes with more about a worker. Those without arguments show what the run's selection selects. Other panes name
 * workers by address only, so of two at one address they show the newest: for an earlier one there are no links.
 *
 * @param recorded - whether panes show only what the run has already
 */
export function linksOf(run: Run, { id }: WorkerRow, recorded: boolean, trans: Translate): readonly TooltipLink[] {
  const worker = run.workerNames[id]?.address ?? '';
  if (worker === '' || workerAt(run, worker) !== id) {
    return [];
  }
  const all: readonly (TooltipLink & { readonly topic: Topic })[] = [
    { label: trans.__('Task stream'), plot: 'task-stream', args: {}, topic: 'tasks' },
    { label: trans.__('Running tasks'), plot: 'running', args: { worker }, topic: 'running' },
    { label: trans.__('Profile'), plot: 'profile', args: { worker }, topic: 'profile' },
    { label: trans.__('Event loop'), plot: 'profile-server', args: { worker }, topic: 'loops' },
    { label: trans.__('Logs'), plot: 'logs', args: { servers: worker }, topic: 'logs' },
    { label: trans.__('Transfers'), plot: 'transfers', args: { worker }, topic: 'transfers' },
    { label: trans.__('CPU over time'), plot: 'cpu-timeseries', args: { worker }, topic: 'series' },
    { label: trans.__('Memory over time'), plot: 'memory-timeseries', args: { worker }, topic: 'series' },
    { label: trans.__('Network over time'), plot: 'network-timeseries', args: { worker }, topic: 'series' }
  ];
  return all.filter(({ topic }) => !recorded || run.has(topic)).map(({ label, plot, args }) => ({ label, plot, args }));
}
