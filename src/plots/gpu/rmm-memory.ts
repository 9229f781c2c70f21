import { formatBytes, formatBytesIn } from '../../base/format';
import { type Colour, mix, type Pattern, type Theme } from '../../base/theme';
import type { Bytes } from '../../base/units';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { steadyEnd } from '../../plot/kept';
import type { EmptyText, PlotContext, Translate, VegaPlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import type { Run } from '../../run/run';
import { gpuWorkers, noGpus, unreportedNote } from '../../selectors/workers/gpu-rows';
import { countWorkers, total, totalIfKnown, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Workers whose tasks allocate GPU memory through RMM. */
function reporting(run: Run): readonly WorkerRow[] {
  return gpuWorkers(run).filter(({ gpu }) => Number.isFinite(gpu.rmmUsed));
}

type PartId = 'used' | 'pool' | 'other' | 'spilled';
interface Part {
  readonly id: PartId;
  readonly label: string;
  readonly bytes: Bytes;
  readonly colour: Colour;
  readonly pattern: Pattern;
}

/** GPU memory of a worker by kind, in the order of the bar; what is not known has no bytes. */
function partsOf({ gpu }: WorkerRow, theme: Theme, trans: Translate): readonly Part[] {
  const { memory, rmmUsed, rmmPool, cudfSpilled } = gpu;
  const [full, pale, palest] = theme.memory('blue');
  const held = Math.max(rmmUsed, rmmPool || 0);
  const bytes = (value: number): Bytes => (value > 0 ? value : 0);
  return [
    { id: 'used', label: trans.__('allocated'), bytes: bytes(rmmUsed), colour: full, pattern: 'none' },
    { id: 'pool', label: trans.__('rest of the pool'), bytes: bytes(held - rmmUsed), colour: pale, pattern: 'none' },
    { id: 'other', label: trans.__('outside RMM'), bytes: bytes(memory - held), colour: palest, pattern: 'diagonal' },
    {
      id: 'spilled',
      label: trans.__('moved to the host'),
      bytes: bytes(cudfSpilled),
      colour: theme.spilled,
      pattern: 'light-bars'
    }
  ];
}

function end(rows: readonly WorkerRow[]): Bytes {
  const length = ({ gpu }: WorkerRow): Bytes => Math.max(gpu.memory || 0, gpu.rmmUsed, gpu.rmmPool || 0) + (gpu.cudfSpilled || 0);
  return rows.reduce((most, row) => Math.max(most, length(row)), 0);
}

function empty(run: Run, context: PlotContext): EmptyText | null {
  const { trans } = context;
  return reporting(run).length > 0
    ? null
    : gpuWorkers(run).length === 0
      ? noGpus(context)
      : {
          head: trans.__('No worker reports memory of RMM.'),
          body: trans.__('Workers with a GPU report it if the package rmm is installed in their environment, as dask-cuda does.')
        };
}

/** GPU memory that RMM manages in each worker, beside the rest. */
export const rmmMemory: VegaPlot = {
  ...workerBars({
    id: 'rmm-memory',
    icon: '<path fill-rule="evenodd" d="M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z"/><path d="M3.500 5.500H6v3H3.500zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z"/><path fill-opacity=".45" d="M6.500 5.500h2.500v3H6.500z"/>',
    title: 'RMM memory',
    caption: 'GPU memory of each worker that RMM has allocated, holds in its pool, and the rest',
    group: 'gpu',
    synonyms: ['rapids memory manager', 'cuda', 'nvidia', 'pool', 'cudf', 'spill', 'vram', 'device memory'],
    howToRead:
      "Each bar is a worker's GPU memory by kind: what RMM has allocated for its tasks, the free rest of RMM's pool, what other programs use on the GPU, and, after a gap, what cuDF has moved to host memory. The line is the total memory of the GPU. " +
      'A pool that is full and was largely free before suggests fragmentation or partitions that are too large; memory outside RMM belongs to CUDA itself or to other processes.',
    needs: 'gpu',
    use: row => row.gpu.rmmUsed,
    heads: false,
    drawn: row => Number.isFinite(row.gpu.rmmUsed),
    scale: (run, context) => {
      const rows = reporting(run);
      const limit = rows.reduce((most, { gpu }) => Math.max(most, gpu.limit || 0), 0);
      const most = end(rows);
      return {
        end: limit > 0 && limit >= most ? limit : steadyEnd(run, context, niceByteEnd(most)),
        ticks: byteTicks,
        columns: [{ width: 68, from: 200 }]
      };
    },
    row: (row, context, scale) => {
      const { theme, trans, hidden } = context;
      const { limit } = row.gpu;
      const parts = partsOf(row, theme, trans);
      return {
        ...(limit > 0 ? { track: limit } : {}),
        bars: [
          {
            segments: parts.map(({ id, bytes, colour, pattern }) => ({
              size: hidden.has(id) ? 0 : bytes,
              fill: id === 'spilled' ? mix(colour, theme.background, 0.6) : colour,
              pattern,
              ink: id === 'spilled' ? colour : theme.memory('blue')[0],
              apart: id === 'spilled'
            }))
          }
        ],
        lines: limit > 0 ? [{ value: limit, colour: theme.text }] : [],
        figures: [{ text: formatBytesIn(scale.end)(row.gpu.rmmUsed) }],
        tooltip: workerTooltip(row, context, [
          ...(row.gpuName === '' ? [] : [[trans.__('GPU'), row.gpuName] as const]),
          ...parts.map(({ label, bytes }) => [label, formatBytes(bytes)] as const),
          [trans.__('GPU memory'), formatBytes(row.gpu.memory)],
          [trans.__('Of the GPU'), limit > 0 ? formatBytes(limit) : trans.__('not known')]
        ])
      };
    },
    titleLine: (run, { trans }) => {
      const rows = reporting(run);
      const used = formatBytes(total(rows, row => row.gpu.rmmUsed));
      const pool = totalIfKnown(rows, row => row.gpu.rmmPool);
      const spilled = total(rows, row => row.gpu.cudfSpilled);
      return [
        { text: Number.isFinite(pool) ? trans.__('%1 of %2', used, formatBytes(pool)) : used, tone: 'strong' },
        { text: trans.__('%1 in use on the GPUs', formatBytes(totalIfKnown(rows, row => row.gpu.memory))) },
        ...(spilled > 0 ? [{ text: trans.__('%1 moved to the host', formatBytes(spilled)), tone: 'warn' as const }] : [])
      ];
    },
    legend: (run, { theme, trans }) => {
      const [first] = reporting(run);
      const moved = total(reporting(run), row => row.gpu.cudfSpilled) > 0;
      return first === undefined
        ? []
        : partsOf(first, theme, trans).flatMap(({ id, label, colour, pattern }) =>
            id === 'spilled' && !moved ? [] : [{ id, label, colour, pattern }]
          );
    },
    notes: (run, { trans }) => unreportedNote(run, reporting(run).length, trans),
    table: (run, { theme, trans }) => {
      const bytes = (value: Bytes): { text: string; value: number } => ({ text: formatBytes(value), value });
      return {
        columns: [
          { id: 'name', label: trans.__('Worker'), align: 'left' },
          { id: 'gpu', label: trans.__('GPU'), align: 'left' },
          { id: 'used', label: trans.__('Allocated by RMM'), align: 'right' },
          { id: 'pool', label: trans.__('Held by RMM'), align: 'right' },
          { id: 'other', label: trans.__('Outside RMM'), align: 'right' },
          { id: 'spilled', label: trans.__('Moved to the host'), align: 'right' },
          { id: 'memory', label: trans.__('GPU memory'), align: 'right' },
          { id: 'limit', label: trans.__('Of the GPU'), align: 'right' }
        ],
        rows: tableRows(reporting(run), row => [
          { text: row.label, value: row.label },
          { text: row.gpuName, value: row.gpuName },
          bytes(row.gpu.rmmUsed),
          bytes(row.gpu.rmmPool),
          bytes(partsOf(row, theme, trans)[2].bytes),
          bytes(row.gpu.cudfSpilled),
          bytes(row.gpu.memory),
          bytes(row.gpu.limit)
        ])
      };
    },
    summary: (run, { trans }) => {
      const rows = reporting(run);
      return trans.__('RMM has allocated %1 on %2.', formatBytes(total(rows, row => row.gpu.rmmUsed)), countWorkers(rows, trans));
    }
  }),
  empty
};
