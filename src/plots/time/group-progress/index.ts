import { MARK_TOPICS } from '../../../selectors/events/marks';
import { formatCount, formatDuration, formatElapsed, formatPercent } from '../../../base/format';
import { TEXT_PERIOD } from '../../../base/ticker';
import type { CssPixels, Milliseconds } from '../../../base/units';
import { multipleTicks, niceEnd } from '../../../charts/axis';
import { timePicture } from '../../../charts/over-time/data';
import { valuesThatFit } from '../../../charts/over-time/layout';
import type { TimeChart, TimeLine } from '../../../charts/over-time/model';
import { CHART_PAUSES, laterThanShown, SHARED_SPAN, untilNow, visibleEnd } from '../../../charts/over-time/span';
import { decimalsOf, type Span, thin } from '../../../charts/over-time/thin';
import { gutterWidth } from '../../../charts/time-gutter';
import { AXES } from '../../../plot/icon';
import type { LegendItem, PlotContext, TableData, TitlePart, Translate, VegaPlot, VegaSize } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { isEmpty } from '../../../run/selection/selection';
import { mixedNotes } from '../../../selectors/computations/selected-words';
import { attemptWords } from '../../../selectors/tasks/attempts';
import { mostThreads, sumOf, threadsIn } from '../../../selectors/tasks/busy-threads';
import { earlierWords } from '../../../selectors/tasks/past-words';
import { threadsText } from '../../../selectors/workers/running-count';
import { type Area, areas, clip, hits, nameOf, type Shown, shownOf, stacked } from './areas';

const THREADS = 'threads';
/** Executions that are summed in a millisecond, within a hundredth of a core. */
const SUMMED_PER_MS = 500;

/** The number of threads; no line where the feed does not report it. */
function capacity(run: Run, span: Span, { theme, hidden }: PlotContext): { line: TimeLine; greatest: number } {
  const { moments, greatest } = thin(run.series, 'threads', 'sum', untilNow(span, run));
  const common = { id: THREADS, colour: theme.text, dashed: true, band: false };
  return { line: { ...common, line: !hidden.has(THREADS), moments }, greatest };
}

/** Left of a narrower axis, labels have no unit. */
const UNIT_FROM: CssPixels = 70;

function chart(run: Run, context: PlotContext, size: VegaSize): TimeChart {
  const shown = shownOf(run, context);
  const span: Span = shown ?? { from: run.origin || 0, to: (run.origin || 0) + 1 };
  const all = shown === null ? [] : areas(run, shown, context);
  const stack = shown === null ? { lines: [], greatest: 0 } : stacked(all, shown, context.hidden);
  const threads = capacity(run, span, context);
  const end = visibleEnd(run, context, niceEnd(Math.max(1, stack.greatest, threads.greatest)));
  const { period } = context.selection;
  const gutter = shown?.shared ? gutterWidth(size.width) : null;
  // The title has the unit, too.
  const unit = gutter === null || gutter >= UNIT_FROM ? context.trans.__('threads') : '';
  return {
    span,
    origin: run.origin || span.from,
    end,
    ticks: multipleTicks(1, unit)(end, valuesThatFit(size.height)),
    lines: [...stack.lines.map(line => clip(line, { from: span.from, to: Math.min(span.to, run.clock.latest) })), threads.line],
    ...(gutter === null ? {} : { edges: { left: gutter, right: 0 } }),
    ...(period === null ? {} : { marked: [period] }),
    limit: Number.NaN,
    limitText: '',
    hits: shown === null ? [] : busyHits(run, shown, all, context)
  };
}

function busyHits(run: Run, shown: Shown, all: readonly Area[], { trans }: PlotContext): TimeChart['hits'] {
  const whole = sumOf(shown.busy);
  const busy = (i: number): readonly [string, string] => [
    trans.__('Busy threads'),
    threadsText(threadsIn(shown.busy, whole.seconds, i))
  ];
  return hits(run, shown, all, trans, threadsText, i => [busy(i)]);
}

/** Thread-seconds and time that passed in the visible time. */
function mean(shown: Shown): number {
  const passed = shown.busy.passed.reduce((sum, each) => sum + each, 0);
  return passed > 0 ? sumOf(shown.busy).total / passed : Number.NaN;
}

function busyWords(threads: string, trans: Translate): string {
  return threads === '1' ? trans.__('1 thread busy, mean') : trans.__('%1 threads busy, mean', threads);
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const shown = shownOf(run, context);
  if (shown === null || Number.isNaN(mean(shown))) {
    return laterThanShown(run, shown, trans);
  }
  const most = mostThreads(shown.busy, sumOf(shown.busy).seconds);
  return [
    { text: busyWords(threadsText(mean(shown)), context.trans), tone: 'strong' },
    { text: trans.__('at most %1', threadsText(most)) },
    { text: trans.__('means of %1', formatDuration(shown.busy.width)) },
    ...selectedParts(context)
  ];
}

/** Whether only some tasks count, in whatever period. */
function areSomeSelected({ selection }: PlotContext): boolean {
  return !isEmpty({ ...selection, period: null });
}

/** What the figures are of, if anything is selected: they are not of the period, which the picture marks. */
function selectedParts(context: PlotContext): readonly TitlePart[] {
  const { selection, trans } = context;
  return [
    ...(areSomeSelected(context) ? [{ text: trans.__('of what is selected') }] : []),
    ...(selection.period === null ? [] : [{ text: trans.__('over the whole visible time') }])
  ];
}

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  const { theme, trans } = context;
  const shown = shownOf(run, context);
  const all = shown === null ? [] : areas(run, shown, context);
  return [
    ...all.map(({ id, label, colour }): LegendItem => ({ id, label, colour, pattern: 'none' })),
    ...(run.series.column('threads_sum').some(Number.isFinite)
      ? [{ id: THREADS, label: trans.__('threads of the cluster (dashed)'), colour: theme.text, pattern: 'none' as const }]
      : [])
  ];
}

function notes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const { dropped, lost, unplaced, incompleteUntil } = run.tasks;
  const missing = lost + unplaced;
  const earlier = earlierWords(run, trans);
  const attempts = attemptWords(run, trans);
  return [
    ...(earlier === '' ? [] : [earlier]),
    ...(missing > 0
      ? [trans._n('1 task not kept counts as idle', '%2 tasks not kept count as idle', missing, formatCount(missing))]
      : []),
    ...(dropped > 0
      ? [trans.__('not shown before %1: only sums are kept for older tasks', formatElapsed(incompleteUntil - run.origin))]
      : []),
    ...mixedNotes(run, trans),
    ...(attempts.length > 0 ? [trans.__('attempts that are not drawn: %1', attempts.join(', '))] : [])
  ];
}

/** Every function, those of the area for others as well. */
function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const shown = shownOf(run, context);
  const functions = shown?.busy.functions ?? [];
  const whole = functions.reduce((sum, each) => sum + each.time, 0);
  const passed = shown?.busy.passed.reduce((sum, each) => sum + each, 0) ?? 0;
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      {
        id: 'time',
        label: trans.__('Time'),
        tooltip: areSomeSelected(context)
          ? trans.__('of the selected tasks, in the visible time')
          : trans.__('of all tasks, in the visible time'),
        align: 'right'
      },
      { id: 'share', label: trans.__('Of all'), align: 'right' },
      { id: 'mean', label: trans.__('Mean threads'), align: 'right' },
      { id: 'most', label: trans.__('Most threads'), tooltip: trans.__('in one of the periods'), align: 'right' },
      {
        id: 'first',
        label: trans.__('First'),
        tooltip: trans.__('after the start: when the first period with time of it begins'),
        align: 'right'
      },
      {
        id: 'last',
        label: trans.__('Last'),
        tooltip: trans.__('after the start: when the last period with time of it ends'),
        align: 'right'
      }
    ],
    rows: [...functions]
      .sort((a, b) => b.time - a.time)
      .map(({ prefix, seconds, total, time }) => {
        const { busy } = shown as Shown;
        const most = mostThreads(busy, seconds);
        const first = busy.from + seconds.findIndex(each => each > 0) * busy.width - run.origin;
        const end = seconds.reduce((last, each, i) => (each > 0 ? i + 1 : last), 0);
        const last = busy.from + end * busy.width - run.origin;
        const name = nameOf(run, prefix);
        return {
          id: String(prefix),
          cells: [
            { text: name, value: name },
            { text: formatDuration(time), value: time },
            { text: formatPercent(time / whole), value: time / whole },
            { text: threadsText(total / passed), value: total / passed },
            { text: threadsText(most), value: most },
            { text: formatElapsed(Math.max(0, first), decimalsOf(busy.width)), value: Math.max(0, first) },
            { text: formatElapsed(last, decimalsOf(busy.width)), value: last }
          ]
        };
      })
  };
}

/** Threads that compute each function, over time. */
export const groupProgress: VegaPlot = {
  id: 'group-progress',
  icon: `${AXES}<path fill-opacity=".45" d="M3 12V9l3-2 3 1 3-2 2.500 2v4z"/><path d="M3 8l3-4 3 2 3-3.500L14.500 5v2L12 5 9 7 6 6 3 8z"/>`,
  title: 'Busy threads by function',
  caption: 'how many threads compute each function, over time',
  group: 'time',
  synonyms: ['group progress', 'task group', 'occupancy', 'concurrency', 'parallelism', 'threads', 'area', 'utilization'],
  howToRead:
    'Each area is the number of threads that compute a function, as the mean of each period; the areas are stacked, so that their upper edge is the number of busy threads. ' +
    'The dashed line is the number of threads of the cluster: the space between it and the areas is threads that computed nothing. A long narrow end after a wide area means that all other threads wait for a few long tasks; gaps between areas are ' +
    'time in which nothing was computed. If tasks are selected, only these are counted, over the whole visible time. Running tasks count as far as heartbeats report them, so the newest moments fill up late.',
  view: 'vega',
  topics: ['meta', 'tasks', 'running', 'attempts', ...MARK_TOPICS],
  options: [SHARED_SPAN, CHART_PAUSES],
  sharesTime: true,
  followsSelection: true,
  pace: (run): Milliseconds => Math.max(TEXT_PERIOD, run.tasks.kept / SUMMED_PER_MS),
  empty: (run, context) =>
    shownOf(run, context) !== null
      ? null
      : {
          head: context.trans.__('No task has finished.'),
          body: context.trans.__('Threads appear here as soon as a task runs for a while or ends.'),
          awaited: true
        },
  picture: (run, context) => timePicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend,
  notes,
  table,
  summary: (run, context) =>
    `${[context.trans.__('Busy threads by function'), ...titleLine(run, context).map(part => part.text)].join(', ')}.`
};
