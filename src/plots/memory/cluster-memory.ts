import { byteTicks, niceByteEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { formatBytes, formatBytesOf, formatCount, formatPercent } from '../../base/format';
import type { Bytes } from '../../base/units';
import type { Run } from '../../run/run';
import { type BarChart, barPicture, type BarPlace, withTicks } from '../../charts/bars';
import { sharedWorkersNotes } from '../../selectors/shared-process';
import { haltedWords } from '../../selectors/workers/worker-words';
import {
  limitLines,
  memoryBar,
  memoryLegend,
  type MemoryParts,
  memoryTooltip,
  thresholdMarks,
  thresholdNotes
} from '../../charts/bars/memory-parts';
import type { PlotContext, VegaSize, VegaPlot } from '../../plot/plot';
import { noWorkers } from '../../charts/bars/worker-bars';
import { limitOf } from '../../selectors/workers/memory-limit';
import { countWorkers, liveWorkers, total, totalIfKnown, type WorkerRow, worstLevel } from '../../selectors/workers/worker-rows';

/** A line does not end between a figure and its unit. */
const NO_BREAK_SPACE = '\u00a0';

interface ClusterMemory extends MemoryParts {
  readonly process: Bytes;
  /** NaN if any worker has no limit: then the cluster has none. */
  readonly limit: Bytes;
}

function sums(rows: readonly WorkerRow[]): ClusterMemory {
  return {
    process: total(rows, row => row.process),
    managed: total(rows, row => row.managed),
    unmanaged: total(rows, row => row.unmanaged),
    recent: totalIfKnown(rows, row => row.recent),
    spilled: total(rows, row => row.spilled),
    limit: limitOf(rows)
  };
}

function place(height: number): BarPlace {
  const heads = height >= 60 ? 16 : 2;
  const bar = height >= 60 ? 20 : Math.max(8, Math.min(20, height - 24));
  return { top: heads, pitch: bar + 6, bar };
}

function chart(run: Run, context: PlotContext, size: VegaSize): BarChart {
  const { trans } = context;
  const rows = liveWorkers(run);
  const memory = sums(rows);
  const held = memory.process + memory.spilled;
  const fits = held <= memory.limit;
  const end = steadyEnd(run, context, fits ? memory.limit : niceByteEnd(held));
  const marks = thresholdMarks(run.thresholds, trans).map(({ share, text }) => ({ value: memory.limit * share, text }));
  return withTicks(byteTicks, size, {
    end,
    columns: [],
    gutter: 0,
    place: place(size.height),
    marks: memory.limit > 0 ? [...marks, { value: memory.limit, text: trans.__('limit') }] : [],
    rows: [
      {
        label: { text: '' },
        track: end,
        bars: [memoryBar(memory, worstLevel(rows), context)],
        lines: limitLines(memory.limit, run.thresholds, context),
        figures: [],
        tooltip: {
          title: countWorkers(rows, trans),
          state: haltedWords(rows, trans).join(', '),
          rows: [
            ...memoryTooltip(memory.process, memory, trans),
            [
              trans.__('Limit'),
              memory.limit > 0
                ? `${formatBytes(memory.limit)} · ${formatPercent(memory.process / memory.limit)}`
                : trans.__('none')
            ],
            ...marks.map(({ value, text }): [string, string] => [text, formatBytes(value)])
          ],
          hint: trans.__('Click: pin')
        }
      }
    ]
  });
}

/** Bytes stored by the whole cluster, compared with the sum of the workers' limits. */
export const clusterMemory: VegaPlot = {
  id: 'cluster-memory',
  icon: '<path d="M1 4h9v8H1z"/><path fill-opacity=".4" d="M10 4h4v8h-4z"/><path d="M14.4 3H15.4v10h-1z"/>',
  title: 'Bytes stored',
  caption: 'the whole cluster against its limit',
  group: 'memory',
  synonyms: ['memory', 'ram', 'cluster', 'spill', 'paused', 'limit', 'unmanaged'],
  howToRead:
    'The memory of all workers together: results that Dask manages, and what else the processes hold (paler; hatched where it is recent). ' +
    'What was written to disk is shown after the bar. ' +
    'The bar turns orange when a worker is near spilling or spills, and red as soon as one is paused, retiring or at its limit.',
  view: 'vega',
  topics: ['meta', 'workers'],
  empty: noWorkers,
  picture: (run, context) => barPicture(context.theme, size => chart(run, context, size)),
  titleLine: (run, { trans }) => {
    const rows = liveWorkers(run);
    const memory = sums(rows);
    return [
      { text: memory.limit > 0 ? formatBytesOf(memory.process, memory.limit) : formatBytes(memory.process), tone: 'strong' },
      ...haltedWords(rows, trans).map(text => ({ text, tone: 'bad' as const })),
      // Of memory, this figure is the next important one: beside a chip there may be room for it, and not for its words.
      ...(memory.spilled > 0
        ? [{ text: trans.__('%1 on disk', formatBytes(memory.spilled).replace(' ', NO_BREAK_SPACE)), cut: true }]
        : [])
    ];
  },
  legend: (run, { theme, trans }) => memoryLegend(worstLevel(liveWorkers(run)), theme, trans),
  notes: (run, { trans }) => {
    const rows = liveWorkers(run);
    const free = rows.filter(row => !(row.limit > 0)).length;
    return [
      ...sharedWorkersNotes(run, trans),
      ...thresholdNotes(run, trans),
      ...(free > 0 && free < rows.length
        ? [trans._n('1 worker has no limit', '%2 workers have no limit', free, formatCount(free))]
        : [])
    ];
  },
  table: (run, { trans }) => {
    const workers = liveWorkers(run);
    const memory = sums(workers);
    const row = (id: string, label: string, bytes: Bytes): { id: string; cells: { text: string; value: number | string }[] } => ({
      id,
      cells: [
        { text: label, value: label },
        { text: formatBytes(bytes), value: bytes },
        { text: formatPercent(bytes / memory.limit), value: bytes / memory.limit }
      ]
    });
    return {
      columns: [
        { id: 'what', label: trans.__('Memory'), align: 'left' },
        { id: 'bytes', label: trans.__('Bytes'), align: 'right' },
        { id: 'share', label: trans.__('Of limit'), align: 'right' }
      ],
      rows:
        workers.length === 0
          ? []
          : [
              row('process', trans.__('Process'), memory.process),
              row('managed', trans.__('Managed'), memory.managed),
              row('unmanaged', trans.__('Unmanaged'), memory.unmanaged),
              row('recent', trans.__('Unmanaged, recent'), memory.recent),
              row('spilled', trans.__('Spilled to disk'), memory.spilled),
              row('limit', trans.__('Limit'), memory.limit),
              ...thresholdMarks(run.thresholds, trans).map(({ share, text }) => row(text, text, memory.limit * share))
            ]
    };
  },
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const memory = sums(rows);
    const head =
      memory.limit > 0
        ? trans.__('%1 of %2 stored in memory', formatBytes(memory.process), formatBytes(memory.limit))
        : trans.__('%1 stored in memory', formatBytes(memory.process));
    const spilled = memory.spilled > 0 ? [trans.__('%1 spilled to disk', formatBytes(memory.spilled))] : [];
    return `${[head, ...spilled, ...haltedWords(rows, trans)].join(', ')}.`;
  }
};
