/** The choice of one worker, for plots that can show a single worker. */
import type { Run } from '../../run/run';
import type { PlotContext, PlotOption } from '../../plot/plot';
import { liveWorkers, workerLabel } from './worker-rows';

/** A menu of more workers is too long to be useful: the table of workers leads to the others. */
export const MOST_CHOICES = 300;

/** The workers of a run as choices: by address, which survives a reload. */
export function workerChoices(run: Run): PlotOption['choices'] {
  return liveWorkers(run)
    .slice(0, MOST_CHOICES)
    .map(({ id }) => ({ value: run.workerNames[id]?.address ?? '', label: calledWorker(run, id) }));
}

/** Display name of a worker out of context: most names are only a number. */
export function calledWorker(run: Run, id: number): string {
  const label = workerLabel(run.workerNames[id]);
  return /^\d+$/.test(label) ? `worker ${label}` : label;
}

/** The choice of a worker to show. */
export const WORKER: PlotOption = {
  id: 'worker',
  label: 'Of',
  choices: [{ value: '', label: 'all workers' }],
  initial: '',
  found: workerChoices
};

/** The number of the worker at an address; `null` if there is none in this run. */
export function workerAt(run: Run, address: string): number | null {
  const ids = address === '' ? [] : run.workerNames.flatMap((name, id) => (name?.address === address ? [id] : []));
  // A restarted worker at the same address is a different one: use the newest. A recording knows the names of later ones, too.
  return ids.filter(id => run.workers.has(id)).at(-1) ?? ids.at(-1) ?? null;
}

/** The selected worker; `null` for all, or if a saved choice names one that is not in this run. */
export function chosenWorker(run: Run, { options }: PlotContext): number | null {
  return workerAt(run, options.worker ?? '');
}

/** The note for a saved choice that names a worker that is not in this run. */
export function missingWorker(run: Run, context: PlotContext): readonly string[] {
  const missing = (context.options.worker ?? '') !== '' && chosenWorker(run, context) === null;
  return missing ? [context.trans.__('the chosen worker is not in this run: all workers are shown')] : [];
}
