import { formatCpu } from '../../base/format';
import { multipleTicks } from '../../charts/axis';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import type { VegaPlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import type { Run } from '../../run/run';
import { gpuWorkers, noGpus, unreportedNote } from '../../selectors/workers/gpu-rows';
import { countWorkers, total, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Workers that report how busy their GPU is. */
function reporting(run: Run): readonly WorkerRow[] {
  return gpuWorkers(run).filter(({ gpu }) => Number.isFinite(gpu.utilization));
}

function mean(rows: readonly WorkerRow[]): string {
  return formatCpu(total(rows, row => row.gpu.utilization) / rows.length);
}

/** How busy the GPU of each worker is. */
export const gpuUtilization: VegaPlot = {
  ...workerBars({
    id: 'gpu-utilization',
    icon: '<path fill-rule="evenodd" d="M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z"/><path d="M3.500 7.500h1.500V9H3.500zm2.500-1h1.500V9H6zm2.500-1H10V9H8.500zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z"/>',
    title: 'GPU utilization',
    caption: 'how busy the GPU of each worker is',
    group: 'gpu',
    synonyms: ['cuda', 'nvidia', 'nvml', 'gpu load', 'utilisation', 'percent', 'kernels'],
    howToRead:
      'Each bar is the share of time in which the GPU of a worker ran at least one kernel, as NVML measures it; it says nothing about how much of the GPU a kernel used. Of several GPUs that a worker may use, Dask measures the first. ' +
      'Low bars while workers have tasks mean that GPUs wait: for data from other workers or from disk, for the CPU, or because partitions are small. Workers that share a GPU show the same figure.',
    needs: 'gpu',
    use: row => row.gpu.utilization,
    format: formatCpu,
    heads: false,
    drawn: row => Number.isFinite(row.gpu.utilization),
    scale: run => ({
      // NVML measures up to 100; a metric of another make may not.
      end: Math.ceil(reporting(run).reduce((most, { gpu }) => Math.max(most, gpu.utilization), 100) / 100) * 100,
      ticks: multipleTicks(25, '%'),
      columns: [{ width: 52, from: 200 }]
    }),
    row: (row, context) => ({
      track: 100,
      bars: [{ segments: [{ size: row.gpu.utilization, fill: context.theme.worker.busy }] }],
      figures: [{ text: formatCpu(row.gpu.utilization) }],
      tooltip: workerTooltip(row, context, [
        ...(row.gpuName === '' ? [] : [[context.trans.__('GPU'), row.gpuName] as const]),
        [context.trans.__('GPU utilization'), formatCpu(row.gpu.utilization)]
      ])
    }),
    titleLine: (run, { trans }) => [
      { text: trans.__('mean %1', mean(reporting(run))), tone: 'strong' },
      { text: countWorkers(reporting(run), trans) }
    ],
    legend: () => [],
    notes: (run, { trans }) => unreportedNote(run, reporting(run).length, trans),
    table: (run, { trans }) => ({
      columns: [
        { id: 'name', label: trans.__('Worker'), align: 'left' },
        { id: 'gpu', label: trans.__('GPU'), align: 'left' },
        { id: 'utilization', label: trans.__('GPU utilization'), align: 'right' }
      ],
      rows: tableRows(reporting(run), ({ label, gpuName, gpu }) => [
        { text: label, value: label },
        { text: gpuName, value: gpuName },
        { text: formatCpu(gpu.utilization), value: gpu.utilization }
      ])
    }),
    summary: (run, { trans }) => {
      const rows = reporting(run);
      return trans.__('Mean GPU utilization %1 on %2.', mean(rows), countWorkers(rows, trans));
    }
  }),
  empty: (run, context) => (reporting(run).length > 0 ? null : noGpus(run, context))
};
