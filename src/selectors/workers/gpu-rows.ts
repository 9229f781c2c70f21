/** Workers that report a GPU. */
import { formatCount } from '../../base/format';
import type { EmptyText, PlotContext, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { GpuValues } from './gpu-values';
import { liveWorkers, type WorkerRow } from './worker-rows';

/** Values that show that a worker has a GPU. */
const MEASURED = ['memory', 'limit', 'utilization', 'rmmUsed'] as const satisfies readonly (keyof GpuValues)[];

/** Whether a worker reports a GPU. */
export function hasGpu({ gpu }: WorkerRow): boolean {
  return MEASURED.some(name => Number.isFinite(gpu[name]));
}

const known = new WeakMap<Run, { readonly rows: readonly WorkerRow[]; readonly with: readonly WorkerRow[] }>();

/** The present workers that report a GPU, by name. */
export function gpuWorkers(run: Run): readonly WorkerRow[] {
  const rows = liveWorkers(run);
  let found = known.get(run);
  if (found?.rows !== rows) {
    found = { rows, with: rows.filter(hasGpu) };
    known.set(run, found);
  }
  return found.with;
}

/** Why there is nothing to show of GPUs. */
export function noGpus(run: Run, { trans }: PlotContext): EmptyText {
  return {
    head: gpuWorkers(run).length > 0 ? trans.__('No worker reports this of its GPU.') : trans.__('No worker reports a GPU.'),
    body: trans.__(
      'Workers with an NVIDIA GPU report it if pynvml is installed in their environment, and distributed.diagnostics.nvml is true in the configuration of Dask, as it is by default.'
    )
  };
}

/** Workers that are not shown since they do not report what a plot shows. */
export function unreportedNote(run: Run, reporting: number, trans: Translate): string[] {
  const unreported = liveWorkers(run).length - reporting;
  return unreported === 0 || reporting === 0
    ? []
    : [trans._n('1 worker reports none', '%2 workers report none', unreported, formatCount(unreported))];
}

/** Says that sums may count a GPU several times: workers do not report which one they use. */
export function sharedNote(rows: readonly WorkerRow[], trans: Translate): string[] {
  return new Set(rows.map(({ host }) => host)).size < rows.length
    ? [trans.__('workers of one host may share a GPU; sums count it once for each worker')]
    : [];
}
