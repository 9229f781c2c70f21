import { formatCount, formatEstimate, formatExactCount, formatPercent, formatRate, UNKNOWN } from '../../base/format';
import { mix } from '../../base/theme';
import { clearedOf } from '../../run/cleared';
import type { Run } from '../../run/run';
import { type BarColumn, type BarRow, type BarSegment, rowPicture } from '../../charts/bars';
import { forgetBySize, keepBySize } from '../../plot/kept';
import type {
  LegendItem,
  PlotContext,
  PlotLink,
  PlotOption,
  TableData,
  TitlePart,
  Translate,
  VegaPicture,
  VegaPlot,
  VegaSize
} from '../../plot/plot';
import { errorsLink, errorsOf } from '../../selectors/errors/link';
import { computationsText, countsOf, counted, UNIT, unitNotes } from '../../selectors/computations/unit';
import { functionSubject, type PrefixCounts, prefixCounts, taskTotals } from '../../selectors/tasks/prefix-counts';
import { repetition } from '../../charts/prefix-fill';
import { type Rate, rateOf } from '../../selectors/tasks/rates';
import { textWidth } from '../../plot/text';
import { searchedFor } from '../../selectors/search/row-search';
import { atWorkFirst, presentWork } from '../../selectors/tasks/work-order';
import { compareNames } from '../../selectors/workers/worker-rows';

/** How far the colour of released tasks is blended with the background (`docs/look.md`, "Colours"). */
const RELEASED = 0.55;

const ORDER: PlotOption = {
  id: 'sort',
  label: 'Order',
  choices: [
    { value: 'first', label: 'at work first, by first task' },
    { value: 'size', label: 'by number of tasks' },
    { value: 'name', label: 'by name' }
  ],
  initial: 'first'
};

/** Functions that the user has not cleared: those that had unfinished tasks at that time. */
function shown(run: Run, { cleared, options }: Pick<PlotContext, 'cleared' | 'options'>): readonly PrefixCounts[] {
  const before = clearedOf(run, cleared)?.before ?? Number.NEGATIVE_INFINITY;
  return countsOf(run, options).filter(each => each.active > 0 || !(each.until <= before));
}

/** Functions in the chosen order. */
function ordered(run: Run, context: PlotContext): readonly PrefixCounts[] {
  const order = context.options.sort ?? ORDER.initial;
  const counts = shown(run, context);
  if (order === 'size') {
    return keepBySize(run, context, counts, each => each.all);
  }
  forgetBySize(run, context);
  return order === 'name'
    ? [...counts].sort((a, b) => compareNames(a.label, b.label) || a.id - b.id)
    : atWorkFirst(counts, run.clock.latest);
}

/** The columns on the right: erred, done of all, rate, time left. */
function columns(trans: Translate, counts: readonly PrefixCounts[]): BarColumn[] {
  const widest = (text: (each: PrefixCounts) => string, least: number): number =>
    counts.reduce((most, each) => Math.max(most, textWidth(text(each)) + 10), least);
  return [
    { width: counts.some(each => each.erred > 0) ? widest(erredText, 24) : 0, from: 0 },
    { width: widest(doneText, 66), head: trans.__('done / all'), from: 240 },
    { width: 50, head: trans.__('rate'), from: 420 },
    { width: 60, head: trans.__('left'), from: 340 }
  ];
}

function erredText({ erred }: PrefixCounts): string {
  return erred > 0 ? `✕ ${formatCount(erred)}` : '';
}

function doneText({ done, all }: PrefixCounts): string {
  return `${formatCount(done)} / ${formatCount(all)}`;
}

/** Results in memory; `≤` where some may be of another computation. */
function memoryText({ memory, memoryKnown }: Pick<PrefixCounts, 'memory' | 'memoryKnown'>, format: typeof formatCount): string {
  return `${memoryKnown ? '' : '≤ '}${format(memory)}`;
}

function leftText({ active, erred }: PrefixCounts, rate: Rate): string {
  if (active > 0) {
    return formatEstimate(rate.left);
  }
  return erred > 0 ? UNKNOWN : '✓';
}

/** A stacked bar: its full length is all tasks of the function. */
function segments(counts: PrefixCounts, { theme, hidden }: PlotContext): BarSegment[] {
  const { colour } = theme.prefix(counts.id);
  const share = (id: string, count: number): number => (hidden.has(id) ? 0 : count / counts.all);
  return [
    { size: share('released', counts.released), fill: mix(colour, theme.background, RELEASED) },
    { size: share('memory', counts.memory), fill: colour, ...repetition(theme, counts.id) },
    { size: share('erred', counts.erred), fill: theme.erred.colour, pattern: 'cross-hatch', ink: theme.background, least: 3 },
    { size: share('processing', counts.processing), fill: mix(colour, theme.background, 0.75), pattern: 'diagonal', ink: colour },
    { size: share('queued', counts.queued), fill: theme.track, pattern: 'diagonal', ink: theme.task.queued },
    { size: share('no-worker', counts.noWorker), fill: theme.background, pattern: 'cross-hatch', ink: theme.task['no-worker'] }
  ];
}

function row(run: Run, counts: PrefixCounts, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const { colour, pattern } = theme.prefix(counts.id);
  const speed = rateOf(run, counts);
  const exact = (name: string, count: number): [string, string] => [name, formatExactCount(count)];
  return {
    label: { text: counts.label },
    track: 1,
    bars: [{ segments: segments(counts, context), frame: { to: 1, colour } }],
    figures: [
      { text: erredText(counts), strong: true },
      { text: doneText(counts), strong: counts.done < counts.all },
      { text: counts.active === 0 || !(speed.perSecond > 0) ? '' : formatRate(speed.perSecond), colour: theme.textSecondary },
      { text: leftText(counts, speed), colour: theme.textSecondary }
    ],
    tooltip: {
      title: counts.label,
      subject: { kind: 'function', prefix: run.prefixNames[counts.id] ?? counts.label },
      state: trans.__('%1 done', formatPercent(counts.done / counts.all)),
      colour,
      pattern,
      rows: [
        exact(trans.__('All'), counts.all),
        exact(trans.__('Released'), counts.released),
        [trans.__('In memory'), memoryText(counts, formatExactCount)],
        exact(trans.__('Erred'), counts.erred),
        exact(trans.__('Processing'), counts.processing),
        exact(trans.__('Queued'), counts.queued),
        exact(trans.__('No worker fits'), counts.noWorker),
        exact(trans.__('Waiting'), counts.waiting),
        [trans.__('Rate, last 10 s'), formatRate(speed.perSecond)],
        [trans.__('Time left'), leftText(counts, speed)],
        ...everRows(counts, trans)
      ],
      hint: trans.__('Click: pin, select its tasks'),
      ...(counts.ever.erred > 0 ? { links: [{ label: trans.__('Errors'), ...errorsOf(run, counts.id) }] } : {})
    }
  };
}

/** Counts before the current run of a function, if any. */
function everRows({ all, ever }: PrefixCounts, trans: Translate): [string, string][] {
  const some = (count: number, name: string): [string, string][] => (count > 0 ? [[name, formatExactCount(count)]] : []);
  const cancelled = some(ever.cancelled, trans.__('Cancelled, all runs'));
  return ever.all === all
    ? cancelled
    : [
        [trans.__('Done, all runs'), `${formatExactCount(ever.done)} / ${formatExactCount(ever.all)}`],
        [trans.__('In memory, all runs'), formatExactCount(ever.memory)],
        ...some(ever.erred, trans.__('Erred, all runs')),
        ...cancelled
      ];
}

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = ordered(run, context);
  return rowPicture(context.theme, size, {
    items: all,
    search: { wanted: searchedFor(context), texts: ({ label }) => [label] },
    row: each => row(run, each, context),
    parts: { heads: true, axis: false, title: false },
    end: 1,
    columns: columns(context.trans, all),
    gutter: all.reduce((most, each) => Math.max(most, textWidth(each.label)), 0)
  });
}

/** Parts of the title: each state that some task of the current work is in. */
function title(run: Run, context: PlotContext): TitlePart[] {
  const { trans } = context;
  const computations = counted(run, context.options);
  const counts = shown(run, context);
  const totals = taskTotals(computations === null ? presentWork(counts) : counts);
  const figures = [totals.erred, totals.processing, totals.queued, totals.waiting, totals.noWorker];
  const [erred, processing, queued, waiting, noWorker] = figures.map(formatCount);
  const some = (count: number, text: string, tone?: TitlePart['tone'], opens?: PlotLink): TitlePart[] =>
    count > 0 ? [{ text, ...(tone ? { tone } : {}), ...(opens ? { opens } : {}) }] : [];
  return [
    { text: trans.__('%1 / %2 done', formatCount(totals.done), formatCount(totals.all)), tone: 'strong' },
    ...some(totals.erred, trans.__('%1 erred', erred), 'bad', errorsLink()),
    ...some(totals.processing, trans.__('%1 processing', processing)),
    ...some(totals.queued, trans.__('%1 queued', queued)),
    ...some(totals.waiting, trans.__('%1 waiting', waiting)),
    ...some(totals.memory, trans.__('%1 in memory', memoryText(totals, formatCount))),
    ...some(totals.noWorker, trans.__('%1 without a worker that fits', noWorker), 'bad'),
    ...(computations === null ? [] : [{ text: computationsText(computations, trans) }])
  ];
}

function legend(_run: Run, { theme, trans }: PlotContext): LegendItem[] {
  const { colour } = theme.prefix(0);
  return [
    { id: 'released', label: trans.__('released'), colour: mix(colour, theme.background, RELEASED), pattern: 'none' },
    { id: 'memory', label: trans.__('in memory'), colour, pattern: 'none' },
    { id: 'erred', label: trans.__('erred'), colour: theme.erred.colour, pattern: 'cross-hatch' },
    { id: 'processing', label: trans.__('processing'), colour, pattern: 'diagonal' },
    { id: 'queued', label: trans.__('queued'), colour: theme.task.queued, pattern: 'diagonal' },
    { id: 'no-worker', label: trans.__('no worker fits'), colour: theme.task['no-worker'], pattern: 'cross-hatch' },
    { id: 'waiting', label: trans.__('waiting'), colour: theme.task.waiting, pattern: 'hollow' }
  ];
}

/** Index of the erred ones among the counts of a row of the table. */
const ERRED = 4;

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const labels = {
    function: trans.__('Function'),
    done: trans.__('Done'),
    all: trans.__('All'),
    released: trans.__('Released'),
    memory: trans.__('In memory'),
    erred: trans.__('Erred'),
    processing: trans.__('Processing'),
    queued: trans.__('Queued'),
    'no-worker': trans.__('No worker fits'),
    waiting: trans.__('Waiting'),
    rate: trans.__('Rate'),
    left: trans.__('Left'),
    'ever-done': trans.__('Done, all runs'),
    'ever-all': trans.__('All, all runs'),
    'ever-erred': trans.__('Erred, all runs'),
    'ever-cancelled': trans.__('Cancelled, all runs')
  };
  return {
    columns: Object.entries(labels).map(([id, label]) => ({ id, label, align: id === 'function' ? 'left' : 'right' })),
    rows: ordered(run, context).map(each => {
      const speed = rateOf(run, each);
      const counts = [
        each.done,
        each.all,
        each.released,
        each.memory,
        each.erred,
        each.processing,
        each.queued,
        each.noWorker,
        each.waiting
      ];
      return {
        id: String(each.id),
        cells: [
          { text: each.label, value: each.label },
          ...counts.map((value, i) => ({
            text: formatExactCount(value),
            value,
            ...(i === ERRED && value > 0 ? { tone: 'bad' as const, opens: errorsOf(run, each.id) } : {})
          })),
          { text: formatRate(speed.perSecond), value: speed.perSecond },
          { text: leftText(each, speed), value: speed.left },
          ...[each.ever.done, each.ever.all, each.ever.erred, each.ever.cancelled].map(value => ({
            text: formatExactCount(value),
            value
          }))
        ]
      };
    })
  };
}

/** Progress of each function. */
export const progress: VegaPlot = {
  id: 'progress',
  icon: '<path d="M1 2h11v3H1zm0 4.5h7v3H1zM1 11h4v3H1z"/><path fill-opacity=".4" d="M12 2h3v3h-3zM8 6.5h7v3H8zM5 11h10v3H5z"/>',
  title: 'Progress',
  caption: 'done, running and waiting, by function',
  group: 'tasks',
  synonyms: ['tasks', 'done', 'remaining', 'queued', 'waiting', 'eta', 'states', 'prefix'],
  howToRead:
    'One bar for each function of the computations in progress and of the newest one, as long as all its tasks in them. From the left: finished and released (paler), finished and held in memory, erred, running on a worker, ' +
    'queued on the scheduler; the empty rest waits for other tasks. Where computations are not known, and for all functions, tasks count since the function last had a pause of 2 seconds; the tooltip and the table also have the counts of all runs. ' +
    'Rate and time left come from the last 10 seconds; new tasks make the estimate longer.',
  view: 'vega',
  topics: ['meta', 'prefixes', 'computations'],
  options: [UNIT, ORDER],
  clearable: true,
  acts: (run, row) => functionSubject(run, Number(row)),
  clearedTasks: (run, cleared) => taskTotals(countsOf(run, {})).all - taskTotals(shown(run, { cleared, options: {} })).all,
  empty: (run, { options, trans }) =>
    prefixCounts(run).length > 0 || countsOf(run, options).length > 0
      ? null
      : { head: trans.__('No tasks yet.'), body: trans.__('Each function appears here with its first task.') },
  picture,
  titleLine: title,
  legend,
  notes: unitNotes,
  table,
  summary: (run, context) =>
    `${title(run, context)
      .map(part => part.text)
      .join(', ')}.`
};
