/** The choice of one worker, which the plots share that can tell of one alone. */
import type { Run } from '../../run/run';
import type { PlotContext, PlotOption } from '../../plot/plot';
import { liveWorkers, workerLabel } from './worker-rows';

/** A menu of more workers than that is a list that nobody reads. */
const MOST_CHOICES = 300;

/** The workers of a run as choices: by address, which outlives a reload. */
export function workerChoices(run: Run): PlotOption['choices'] {
  return liveWorkers(run)
    .slice(0, MOST_CHOICES)
    .map(({ id }) => ({ value: run.workerNames[id]?.address ?? '', label: calledWorker(run, id) }));
}

/** What a worker is called where nothing else says that it is one: most have a number for a name. */
export function calledWorker(run: Run, id: number): string {
  const label = workerLabel(run.workerNames[id]);
  return /^\d+$/.test(label) ? `worker ${label}` : label;
}

/** The choice of whose part is shown. */
export const WORKER: PlotOption = {
  id: 'worker',
  label: 'Of',
  choices: [{ value: '', label: 'all workers' }],
  initial: '',
  found: workerChoices
};

/** The number of the worker at an address; `null` where there is none in this run. */
export function workerAt(run: Run, address: string): number | null {
  // A worker that came back at an address is another one: the newest.
  const found = address === '' ? -1 : run.workerNames.map(name => name?.address).lastIndexOf(address);
  return found < 0 ? null : found;
}

/** The worker that was chosen; `null` for all, or where a saved choice names one that is not in this run. */
export function chosenWorker(run: Run, { options }: PlotContext): number | null {
  return workerAt(run, options.worker ?? '');
}

/** What to say where a saved choice names a worker that is not in this run. */
export function missingWorker(run: Run, context: PlotContext): readonly string[] {
  const missing = (context.options.worker ?? '') !== '' && chosenWorker(run, context) === null;
  return missing ? [context.trans('the chosen worker is not in this run: all workers')] : [];
}
