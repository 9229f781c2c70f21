import { byteTicks, niceByteEnd } from '../../charts/axis';
import { steadyEnd } from '../../plot/kept';
import { formatBytes, formatBytesIn, formatCount, formatPercent } from '../../base/format';
import type { MemoryLevel } from '../../base/theme';
import {
  barWithin,
  limitLines,
  memoryBar,
  memoryLegend,
  memoryTooltip,
  thresholdMarks,
  thresholdNotes
} from '../../charts/bars/memory-parts';
import type { LegendItem, TitlePart, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { tableRows } from '../../plot/table-rows';
import { workerBars, workerTooltip } from '../../charts/bars/worker-bars';
import { sharedWorkersNotes } from '../../selectors/shared-process';
import { haltedWords } from '../../selectors/workers/worker-words';
import { countWorkers, isHalted, liveWorkers, total, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';

/** Legend ids of hues: a click hides the workers with that hue. */
const LEVEL_LEGEND: Readonly<Record<MemoryLevel, string>> = { blue: 'level:blue', orange: 'level:orange', red: 'level:red' };

/** Memory and disk use of a worker. */
function held(row: WorkerRow): number {
  return (row.process || 0) + (row.spilled || 0);
}

/** Parts of it, by their legend ids. */
const HIDEABLE = ['managed', 'unmanaged', 'recent', 'spilled'] as const;

/** How many workers above their target already write results to disk, and how many soon will. */
function spillWords(rows: readonly WorkerRow[], trans: Translate): string[] {
  const over = rows.filter(row => row.level === 'orange');
  const spilling = over.filter(row => row.spilled > 0).length;
  const near = over.length - spilling;
  return [
    ...(spilling > 0 ? [trans.__('%1 spilling', spilling)] : []),
    ...(near > 0 ? [trans.__('%1 near spilling', near)] : [])
  ];
}

/** From which threshold on a worker is near spilling; `null` where both are switched off. */
function nearest({ thresholds: { target, spill } }: Run): 'target' | 'spill' | null {
  return target === null && spill === null ? null : target !== null && !(spill !== null && spill < target) ? 'target' : 'spill';
}

/** The same if all workers have a limit: others are never under it. */
function threshold(run: Run): ReturnType<typeof nearest> {
  return liveWorkers(run).every(row => row.limit > 0) ? nearest(run) : null;
}

/** "8 workers under target"; without a threshold, how many there are. */
function underWords(run: Run, rows: readonly WorkerRow[], trans: Translate): string {
  switch (threshold(run)) {
    case 'target':
      return trans._n('1 worker under target', '%2 workers under target', rows.length, formatCount(rows.length));
    case 'spill':
      return trans._n(
        '1 worker under spill threshold',
        '%2 workers under spill threshold',
        rows.length,
        formatCount(rows.length)
      );
    case null:
      return countWorkers(rows, trans);
  }
}

/** The symbol after a value: the reason for the bar's hue. */
function sign(row: WorkerRow): string {
  return row.level === 'red' ? (row.status === 'paused' ? '‖' : isHalted(row) ? '→' : '▲') : row.level === 'orange' ? '▲' : '';
}

/** Bytes stored by each worker, compared with its own limit and thresholds. */
export const workersMemory = workerBars({
  id: 'workers-memory',
  icon: '<path d="M1 2h7v3H1zm0 4.5h10v3H1zM1 11h5v3H1z"/><path fill-opacity=".4" d="M8 2h3v3H8zm3 4.5h2v3h-2zM6 11h4v3H6z"/><path d="M14.4 1.5h1v13h-1z"/>',
  title: 'Bytes stored per worker',
  short: 'Per worker',
  caption: 'each worker against its own limit',
  group: 'memory',
  synonyms: ['memory', 'ram', 'spill', 'paused', 'limit', 'unmanaged', 'bytes stored'],
  howToRead:
    'Each bar is the memory of a worker process: results that Dask manages, and what else the process holds (paler; hatched where it is recent). ' +
    'The solid line is its limit; dotted lines are where it begins to write results to disk and where it stops taking tasks, ' +
    'by the configuration of the scheduler (a worker may have its own). ' +
    'Orange workers are near spilling, or spill already: what is on disk follows the bar. A red worker is paused, retiring or about to be terminated.',
  use: held,
  format: formatBytes,
  strip: (row, { hidden }) => HIDEABLE.reduce((rest, part) => rest - (hidden.has(part) ? row[part] || 0 : 0), held(row)),
  shade: (row, { theme }) => theme.memory(row.level)[0],
  heads: false,
  drawn: (row, context) => !context.hidden.has(LEVEL_LEGEND[row.level]),
  scale: (run, context, rows) => {
    const limits = rows.reduce((most, row) => Math.max(most, row.limit || 0), 0);
    const most = rows.reduce((greatest, row) => Math.max(greatest, held(row)), 0);
    // Limits do not change with memory use, so an axis that ends at the largest limit does not move.
    const end = limits > 0 ? limits : steadyEnd(run, context, niceByteEnd(most));
    return {
      end,
      ticks: byteTicks,
      columns: [
        { width: 62, from: 200 },
        { width: most > end ? 24 : 14, from: 0, align: 'left', signs: true }
      ]
    };
  },
  row: (row, context, scale, run) => {
    const { theme, trans } = context;
    const beyond = held(row) > scale.end;
    const colour = row.level === 'red' ? theme.bad : row.level === 'orange' ? theme.warn : theme.text;
    const marks = thresholdMarks(run.thresholds, trans).map(({ share, text }): [string, string] => [
      text,
      formatBytes(row.limit * share)
    ]);
    return {
      track: row.limit > 0 ? row.limit : scale.end,
      bars: [barWithin(memoryBar(row, row.level, context), scale.end)],
      lines: limitLines(row.limit, run.thresholds, context),
      figures: [{ text: formatBytesIn(scale.end)(row.process) }, { text: beyond ? `»${sign(row)}` : sign(row), colour }],
      tooltip: workerTooltip(row, context, [
        ...memoryTooltip(row.process, row, trans),
        ...(beyond ? [[trans.__('» Beyond the axis'), formatBytes(held(row) - scale.end)] as const] : []),
        [
          trans.__('Limit'),
          row.limit > 0 ? `${formatBytes(row.limit)} · ${formatPercent(row.process / row.limit)}` : trans.__('none')
        ],
        ...(row.limit > 0 ? marks : [])
      ])
    };
  },
  titleLine: (run, context): TitlePart[] => {
    const { trans } = context;
    const rows = liveWorkers(run);
    const over = rows.filter(row => row.level === 'red' && !isHalted(row)).length;
    const parts: TitlePart[] = [
      ...spillWords(rows, trans).map(text => ({ text, tone: 'warn' as const })),
      ...(over > 0
        ? [
            {
              text: trans._n('1 worker at its limit', '%2 workers at their limits', over, formatCount(over)),
              tone: 'bad' as const
            }
          ]
        : []),
      ...haltedWords(rows, trans).map(text => ({ text, tone: 'bad' as const }))
    ];
    const words = rows.length === 0 ? trans.__('no workers') : underWords(run, rows, trans);
    const spilled = total(rows, row => row.spilled);
    return [
      ...(parts.length > 0 ? parts : [{ text: words }]),
      ...(spilled > 0 ? [{ text: trans.__('%1 on disk', formatBytes(spilled)) }] : [])
    ];
  },
  legend: (run, { theme, trans }): LegendItem[] => {
    const under = { target: trans.__('under target'), spill: trans.__('under spill threshold') };
    const over = { target: trans.__('▲ over target'), spill: trans.__('▲ over spill threshold') };
    const level = (name: MemoryLevel, label: string): LegendItem => ({
      ...{ id: LEVEL_LEGEND[name], label, colour: theme.memory(name)[0], pattern: 'none' }
    });
    const [all, near] = [threshold(run), nearest(run)];
    return [
      level('blue', all === null ? trans.__('none of these') : under[all]),
      ...(near === null ? [] : [level('orange', over[near])]),
      level('red', trans.__('‖ paused, → retiring, ▲ at limit')),
      ...memoryLegend('blue', theme, trans).slice(1)
    ];
  },
  notes: (run, { trans }) => [...sharedWorkersNotes(run, trans), ...thresholdNotes(run, trans)],
  table: (run, context) => {
    const { trans, theme } = context;
    const bytes = (value: number): { text: string; value: number } => ({ text: formatBytes(value), value });
    return {
      columns: [
        { id: 'name', label: trans.__('Worker'), align: 'left' },
        { id: 'status', label: trans.__('Status'), align: 'left' },
        { id: 'process', label: trans.__('Process'), align: 'right' },
        { id: 'managed', label: trans.__('Managed'), align: 'right' },
        { id: 'unmanaged', label: trans.__('Unmanaged'), align: 'right' },
        { id: 'recent', label: trans.__('Unmanaged, recent'), align: 'right' },
        { id: 'spilled', label: trans.__('Spilled'), align: 'right' },
        { id: 'limit', label: trans.__('Limit'), align: 'right' },
        { id: 'share', label: trans.__('Of limit'), align: 'right' }
      ],
      rows: tableRows(liveWorkers(run), row => {
        const word = workerWord(row, theme, trans);
        return [
          { text: row.label, value: row.label },
          { text: word.word, value: word.word, sign: word.sign, ...(word.tone ? { tone: word.tone } : {}) },
          bytes(row.process),
          bytes(row.managed),
          bytes(row.unmanaged),
          bytes(row.recent),
          bytes(row.spilled),
          bytes(row.limit),
          { text: formatPercent(row.process / row.limit), value: row.process / row.limit }
        ];
      })
    };
  },
  summary: (run, { trans }) => {
    const rows = liveWorkers(run);
    const spilled = total(rows, row => row.spilled);
    const words = [
      trans.__('%1 in memory on %2', formatBytes(total(rows, row => row.process)), countWorkers(rows, trans)),
      ...(spilled > 0 ? [trans.__('%1 on disk', formatBytes(spilled))] : []),
      ...spillWords(rows, trans),
      ...haltedWords(rows, trans)
    ];
    return `${words.join(', ')}.`;
  }
});
