import { formatBytes, formatBytesIn, formatCount, UNKNOWN } from '../../base/format';
import { type Colour, mix, type Pattern, type Theme } from '../../base/theme';
import type { Bytes } from '../../base/units';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { steadyEnd } from '../../plot/kept';
import type { EmptyText, PlotContext, Translate, VegaPlot } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import type { Run } from '../../run/run';
import { gpuWorkers, noGpus, sharedNote, unreportedNote } from '../../selectors/workers/gpu-rows';
import { countWorkers, total, totalIfKnown, type WorkerRow } from '../../selectors/workers/worker-rows';

/** Workers whose tasks allocate GPU memory through RMM. */
function reporting(run: Run): readonly WorkerRow[] {
  return gpuWorkers(run).filter(({ gpu }) => Number.isFinite(gpu.rmmUsed));
}

/**
 * Bytes that RMM has allocated in a worker, NaN if not known. Dask reports 0 for a memory resource that does not count them,
 * as those of dask-cuda do not without `--rmm-track-allocations` (measured on an H200, distributed 2026.8, rmm 26.10):
 * 0 may be that, or nothing.
 */
function allocatedBy({ gpu }: WorkerRow): Bytes {
  return gpu.rmmUsed > 0 ? gpu.rmmUsed : Number.NaN;
}

const isCounted = (row: WorkerRow): boolean => Number.isFinite(allocatedBy(row));

type PartId = 'used' | 'pool' | 'held' | 'other' | 'spilled';
interface Part {
  readonly id: PartId;
  readonly label: string;
  readonly bytes: Bytes;
  readonly colour: Colour;
  readonly pattern: Pattern;
}

/** GPU memory of a worker by kind, in the order of the bar; what is not known has no bytes. */
function partsOf(row: WorkerRow, theme: Theme, trans: Translate): readonly Part[] {
  const { rmmUsed, rmmPool, cudfSpilled } = row.gpu;
  const [full, pale, palest] = theme.memory('blue');
  const held = Math.max(rmmUsed, rmmPool || 0);
  const counted = isCounted(row);
  const bytes = (value: number): Bytes => (value > 0 ? value : 0);
  return [
    { id: 'used', label: trans.__('allocated'), bytes: bytes(rmmUsed), colour: full, pattern: 'none' },
    {
      id: 'pool',
      label: trans.__('rest of the pool'),
      bytes: counted ? bytes(held - rmmUsed) : 0,
      colour: pale,
      pattern: 'none'
    },
    {
      id: 'held',
      label: trans.__('pool, allocated or not'),
      bytes: counted ? 0 : bytes(held),
      colour: pale,
      pattern: 'dots'
    },
    { id: 'other', label: trans.__('outside RMM'), bytes: bytes(outside(row)), colour: palest, pattern: 'diagonal' },
    {
      id: 'spilled',
      label: trans.__('moved to the host'),
      bytes: bytes(cudfSpilled),
      colour: theme.spilled,
      pattern: 'light-bars'
    }
  ];
}

/** Kinds that the workers have: the legend. */
function kindsOf(rows: readonly WorkerRow[]): ReadonlySet<PartId> {
  const counted: readonly PartId[] = rows.some(isCounted) ? ['used', 'pool'] : [];
  const held: readonly PartId[] = rows.every(isCounted) ? [] : ['held'];
  const spilled: readonly PartId[] = total(rows, row => row.gpu.cudfSpilled) > 0 ? ['spilled'] : [];
  return new Set([...counted, ...held, 'other', ...spilled]);
}

/** GPU memory outside RMM; NaN where the GPU is not measured. */
function outside({ gpu }: WorkerRow): Bytes {
  return Math.max(0, gpu.memory - Math.max(gpu.rmmUsed, gpu.rmmPool || 0));
}

/** One line for each part that a worker has. */
function tooltipOf(row: WorkerRow, { theme, trans }: PlotContext): readonly (readonly [string, string])[] {
  const kinds = kindsOf([row]);
  const parts = partsOf(row, theme, trans).filter(({ id }) => kinds.has(id));
  return [
    ...(isCounted(row) ? [] : [[trans.__('allocated'), trans.__('not counted: see how to read')] as const]),
    ...parts.map(({ id, label, bytes }) => [label, formatBytes(id === 'other' ? outside(row) : bytes)] as const)
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
      ? noGpus(run, context)
      : {
          head: trans.__('No worker reports memory of RMM.'),
          body: trans.__('Workers with a GPU report it if the package rmm is installed in their environment, as dask-cuda does.')
        };
}

/** Workers whose allocations are not known. */
function uncountedNote(run: Run, trans: Translate): string[] {
  const uncounted = reporting(run).filter(row => !isCounted(row)).length;
  return uncounted === 0
    ? []
    : [
        trans._n(
          '1 worker counts no allocations, or has none',
          '%2 workers count no allocations, or have none',
          uncounted,
          formatCount(uncounted)
        )
      ];
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
      "Each bar is a worker's GPU memory by kind: what RMM has allocated for its tasks, the free rest of RMM's pool, what else is in use on the GPU, and, after a gap, what cuDF has moved to host memory. The line is the total memory of the GPU. " +
      'A worker that reports 0 bytes may not count its allocations: start dask-cuda with --rmm-track-allocations, or wrap the memory resource in rmm.mr.TrackingResourceAdaptor. ' +
      'A pool that is full and was largely free before suggests fragmentation or partitions that are too large; memory outside RMM belongs to CUDA itself or to other processes.',
    needs: 'gpu',
    use: row => row.gpu.rmmUsed,
    format: formatBytes,
    strip: (row, { hidden }) => (hidden.has('used') ? Number.NaN : allocatedBy(row)),
    shade: (_row, { theme }) => theme.memory('blue')[0],
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
        figures: [{ text: isCounted(row) ? formatBytesIn(scale.end)(row.gpu.rmmUsed) : UNKNOWN }],
        tooltip: workerTooltip(row, context, [
          ...(row.gpuName === '' ? [] : [[trans.__('GPU'), row.gpuName] as const]),
          ...tooltipOf(row, context),
          [trans.__('GPU memory'), formatBytes(row.gpu.memory)],
          [trans.__('Of the GPU'), limit > 0 ? formatBytes(limit) : trans.__('not known')]
        ])
      };
    },
    titleLine: (run, { trans }) => {
      const rows = reporting(run);
      const counted = rows.filter(isCounted);
      const pool = totalIfKnown(counted.length > 0 ? counted : rows, row => row.gpu.rmmPool);
      const used = formatBytes(total(counted, allocatedBy));
      const spilled = total(rows, row => row.gpu.cudfSpilled);
      const first =
        counted.length === 0
          ? trans.__('%1 in pools', formatBytes(pool))
          : counted.every(row => row.gpu.rmmPool > 0)
            ? trans.__('%1 of %2', used, formatBytes(pool))
            : used;
      return [
        { text: first, tone: 'strong' },
        { text: trans.__('%1 in use on the GPUs', formatBytes(totalIfKnown(rows, row => row.gpu.memory))) },
        ...(spilled > 0 ? [{ text: trans.__('%1 moved to the host', formatBytes(spilled)), tone: 'warn' as const }] : [])
      ];
    },
    legend: (run, { theme, trans }) => {
      const rows = reporting(run);
      const kinds = kindsOf(rows);
      return rows
        .slice(0, 1)
        .flatMap(row => partsOf(row, theme, trans))
        .flatMap(({ id, label, colour, pattern }) => (kinds.has(id) ? [{ id, label, colour, pattern }] : []));
    },
    notes: (run, { trans }) => [
      ...unreportedNote(run, reporting(run).length, trans),
      ...uncountedNote(run, trans),
      ...sharedNote(reporting(run), trans)
    ],
    table: (run, { trans }) => {
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
          isCounted(row) ? bytes(row.gpu.rmmUsed) : { text: UNKNOWN, value: Number.NaN },
          bytes(row.gpu.rmmPool),
          bytes(outside(row)),
          bytes(row.gpu.cudfSpilled),
          bytes(row.gpu.memory),
          bytes(row.gpu.limit)
        ])
      };
    },
    summary: (run, { trans }) => {
      const rows = reporting(run);
      const counted = rows.filter(isCounted);
      return counted.length > 0 || rows.length === 0
        ? trans.__('RMM has allocated %1 on %2.', formatBytes(total(counted, allocatedBy)), countWorkers(counted, trans))
        : trans.__(
            'RMM holds %1 on %2; how much of it is allocated is not counted.',
            formatBytes(totalIfKnown(rows, row => row.gpu.rmmPool)),
            countWorkers(rows, trans)
          );
    }
  }),
  empty
};
