import { formatBytes, formatBytesIn, formatPercent } from '../../base/format';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import type { VegaPlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import type { Run } from '../../run/run';
import { gpuWorkers, noGpus, sharedNote, unreportedNote } from '../../selectors/workers/gpu-rows';
import { sumOfLimits } from '../../selectors/workers/memory-limit';
import { countWorkers, total, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Workers that report how much memory of their GPU is in use. */
function reporting(run: Run): readonly WorkerRow[] {
  return gpuWorkers(run).filter(({ gpu }) => Number.isFinite(gpu.memory));
}

/** "24 GiB of 80 GiB"; the sum only where not every limit is known: it may be more than those that are. */
function used(rows: readonly WorkerRow[], of: (used: string, limit: string) => string): string {
  const memory = formatBytes(total(rows, row => row.gpu.memory));
  const limit = sumOfLimits(rows, row => row.gpu.limit);
  return Number.isFinite(limit) ? of(memory, formatBytes(limit)) : memory;
}

/** Memory of each worker's GPU, compared with what the GPU has. */
export const gpuMemory: VegaPlot = {
  ...workerBars({
    id: 'gpu-memory',
    icon: '<path fill-rule="evenodd" d="M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z"/><path d="M3.500 5.500h5v3h-5zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z"/>',
    title: 'GPU memory',
    caption: 'memory in use on the GPU of each worker',
    group: 'gpu',
    synonyms: ['cuda', 'nvidia', 'nvml', 'vram', 'device memory', 'pynvml'],
    howToRead:
      'Each bar is the memory in use on the GPU of a worker, as NVML measures it for the whole GPU; the line is the total memory of the GPU. ' +
      'Of several GPUs that a worker may use, Dask measures the first. Other processes count too, and workers that share a GPU show the same figure each, so sums may count it more than once. ' +
      'Dask counts results that are on a GPU as managed memory of their worker, up to the memory of its process, so the plots of memory may call all of it managed. ' +
      'A bar near its line comes before an out-of-memory error of CUDA: use smaller partitions, or let cuDF spill.',
    needs: 'gpu',
    use: row => row.gpu.memory,
    format: formatBytes,
    shade: (_row, { theme }) => theme.memory('blue')[0],
    heads: false,
    drawn: row => Number.isFinite(row.gpu.memory),
    scale: (run, context) => {
      const rows = reporting(run);
      const limit = rows.reduce((most, { gpu }) => Math.max(most, gpu.limit || 0), 0);
      const most = rows.reduce((greatest, { gpu }) => Math.max(greatest, gpu.memory), 0);
      return {
        end: limit >= most && limit > 0 ? limit : steadyEnd(run, context, niceByteEnd(most)),
        ticks: byteTicks,
        columns: [
          { width: 68, from: 200 },
          { width: 46, from: 320 }
        ]
      };
    },
    row: (row, context, scale) => {
      const { theme, trans } = context;
      const { memory, limit } = row.gpu;
      return {
        ...(limit > 0 ? { track: limit } : {}),
        bars: [{ segments: [{ size: memory, fill: theme.memory('blue')[0] }] }],
        lines: limit > 0 ? [{ value: limit, colour: theme.text }] : [],
        figures: [
          { text: formatBytesIn(scale.end)(memory) },
          { text: limit > 0 ? formatPercent(memory / limit) : '', colour: theme.textSecondary }
        ],
        tooltip: workerTooltip(row, context, [
          ...(row.gpuName === '' ? [] : [[trans.__('GPU'), row.gpuName] as const]),
          [trans.__('GPU memory'), formatBytes(memory)],
          [trans.__('Of the GPU'), limit > 0 ? `${formatBytes(limit)} · ${formatPercent(memory / limit)}` : trans.__('not known')]
        ])
      };
    },
    titleLine: (run, { trans }) => [
      { text: used(reporting(run), (part, whole) => trans.__('%1 of %2', part, whole)), tone: 'strong' }
    ],
    legend: () => [],
    notes: (run, { trans }) => [...unreportedNote(run, reporting(run).length, trans), ...sharedNote(reporting(run), trans)],
    table: (run, { trans }) => ({
      columns: [
        { id: 'name', label: trans.__('Worker'), align: 'left' },
        { id: 'gpu', label: trans.__('GPU'), align: 'left' },
        { id: 'memory', label: trans.__('GPU memory'), align: 'right' },
        { id: 'limit', label: trans.__('Of the GPU'), align: 'right' },
        { id: 'share', label: trans.__('Share'), align: 'right' }
      ],
      rows: tableRows(reporting(run), ({ label, gpuName, gpu }) => [
        { text: label, value: label },
        { text: gpuName, value: gpuName },
        { text: formatBytes(gpu.memory), value: gpu.memory },
        { text: formatBytes(gpu.limit), value: gpu.limit },
        { text: formatPercent(gpu.memory / gpu.limit), value: gpu.memory / gpu.limit }
      ])
    }),
    summary: (run, { trans }) => {
      const rows = reporting(run);
      const words = used(rows, (part, whole) => trans.__('%1 of %2', part, whole));
      return trans.__('%1 of GPU memory in use on %2.', words, countWorkers(rows, trans));
    }
  }),
  empty: (run, context) => (reporting(run).length > 0 ? null : noGpus(run, context))
};
