import { formatDuration, formatPercent, formatTick } from '../../../base/format';
import { type Colour, mix, type Theme } from '../../../base/theme';
import type { Seconds } from '../../../base/units';
import { multipleTicks, niceEnd } from '../../../charts/axis';
import { timePicture } from '../../../charts/over-time/data';
import { valuesThatFit } from '../../../charts/over-time/layout';
import type { TimeChart } from '../../../charts/over-time/model';
import {
  CHART_PAUSES,
  laterThanShown,
  seriesNotes,
  SPAN,
  visibleEnd,
  visibleSpan,
  wholeSpan
} from '../../../charts/over-time/span';
import type { Span } from '../../../charts/over-time/thin';
import { AXES } from '../../../plot/icon';
import type { LegendItem, PlotContext, TableData, TitlePart, Translate, VegaPlot, VegaSize } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { MARK_TOPICS } from '../../../selectors/events/marks';
import { eachSpent } from '../../../selectors/profile/spent-time';
import { type BusyThreads, mostThreads } from '../../../selectors/tasks/busy-threads';
import { type Area, clip, hits, type Shown, stacked, widthIn } from '../group-progress/areas';
import { activityLook, activityWords } from './metrics';
import { ratesNotes } from './notes';

/** Columns of the series, from the bottom of the stack to its top. */
const KINDS = ['cpu', 'noncpu', 'executor', 'network', 'disk', 'serialize', 'compress', 'shuffle', 'other'] as const;
type Kind = (typeof KINDS)[number];

function wordsOf(kind: Kind, trans: Translate): string {
  switch (kind) {
    case 'cpu':
      return activityWords('thread-cpu', trans);
    case 'noncpu':
      return activityWords('thread-noncpu', trans);
    case 'executor':
      return activityWords('executor', trans);
    case 'network':
      return activityWords('network', trans);
    case 'disk':
      return trans.__('reading from and writing to disk');
    case 'serialize':
      return trans.__('serializing and deserializing');
    case 'compress':
      return trans.__('compressing and decompressing');
    case 'shuffle':
      return trans.__('shuffling (P2P)');
    case 'other':
      return trans.__('everything else, including your own activities');
  }
}

/** The colours of the bars of the same activities; areas have no patterns. */
function colourOf(kind: Kind, theme: Theme): Colour {
  switch (kind) {
    case 'cpu':
      return activityLook('thread-cpu', theme).colour;
    case 'noncpu':
      return activityLook('thread-noncpu', theme).colour;
    case 'disk':
      return activityLook('disk-read', theme).colour;
    case 'compress':
      return mix(activityLook('compress', theme).colour, theme.text, 0.5);
    default:
      return activityLook(kind, theme).colour;
  }
}

interface Spent extends Shown {
  readonly areas: readonly Area[];
}

/** What was spent in a time, by default the visible one; `null` before the first measurement. */
function spentOf(run: Run, context: PlotContext, span: Span | null = visibleSpan(run, context)): Spent | null {
  const columns = KINDS.map(kind => run.series.column(`spent_${kind}`));
  if (span === null || columns[0].length === 0) {
    return null;
  }
  const to = Math.min(span.to, run.clock.latest);
  const width = widthIn(span);
  const from = Math.floor(span.from / width) * width;
  const count = Math.max(1, Math.ceil((to - from) / width));
  const passed = new Float64Array(count);
  const sums = KINDS.map(() => new Float64Array(count));
  eachSpent(run, { from, to }, (begin, end, i) => {
    const last = Math.min(count - 1, Math.floor((end - from) / width));
    for (let at = Math.floor((begin - from) / width); at <= last; at++) {
      const seconds = Math.min(end, from + (at + 1) * width) - Math.max(begin, from + at * width);
      passed[at] += Math.max(0, seconds);
      for (const [k, column] of columns.entries()) {
        sums[k][at] += Math.max(0, seconds) * Math.max(0, column[i] || 0);
      }
    }
  });
  const busy: BusyThreads = { from, width, count, passed, functions: [] };
  const areas = KINDS.map(
    (kind, k): Area => ({
      id: kind,
      label: wordsOf(kind, context.trans),
      colour: colourOf(kind, context.theme),
      of: { prefix: k, seconds: sums[k], total: sums[k].reduce((sum, each) => sum + each, 0) }
    })
  ).filter(area => area.of.total > 0);
  return { ...span, shared: false, busy, areas };
}

/** Seconds that were spent in a second. */
function rateText(rate: number): string {
  return `${rate > 0 && rate < 0.005 ? `< ${formatTick(0.01)}` : formatTick(Math.round(rate * 100) / 100)} s/s`;
}

function chart(run: Run, context: PlotContext, size: VegaSize): TimeChart {
  const spent = spentOf(run, context);
  const span: Span = spent ?? { from: run.origin || 0, to: (run.origin || 0) + 1 };
  const stack = spent === null ? { lines: [], greatest: 0 } : stacked(spent.areas, spent, context.hidden);
  const end = visibleEnd(run, context, niceEnd(Math.max(1, stack.greatest)), context.options.span ?? SPAN.initial);
  return {
    span,
    origin: run.origin || span.from,
    end,
    ticks: multipleTicks(1, context.trans.__('s/s'))(end, valuesThatFit(size.height)),
    lines: stack.lines.map(line => clip(line, span)),
    limit: Number.NaN,
    limitText: '',
    hits: spent === null ? [] : hits(run, spent, spent.areas, context.trans, rateText)
  };
}

/** All that was spent, and the areas with the most first. */
function totals(spent: Spent | null): { whole: Seconds; most: readonly Area[] } {
  const most = [...(spent?.areas ?? [])].sort((a, b) => b.of.total - a.of.total);
  return { whole: most.reduce((sum, { of }) => sum + of.total, 0), most };
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const spent = spentOf(run, context);
  const { whole, most } = totals(spent);
  return spent === null || most.length === 0
    ? laterThanShown(run, spent, trans)
    : [
        { text: formatDuration(whole), tone: 'strong' },
        { text: trans.__('most: %1, %2', most[0].label, formatPercent(most[0].of.total / whole)) },
        { text: trans.__('means of %1', formatDuration(spent.busy.width)) }
      ];
}

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  return (spentOf(run, context)?.areas ?? []).map(({ id, label, colour }) => ({ id, label, colour, pattern: 'none' }));
}

/** A row for each activity in the visible time. */
function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const spent = spentOf(run, context);
  const { whole, most } = totals(spent);
  const passed = spent?.busy.passed.reduce((sum, each) => sum + each, 0) ?? 0;
  return {
    columns: [
      { id: 'activity', label: trans.__('Activity'), align: 'left' },
      {
        id: 'time',
        label: trans.__('Time'),
        tooltip: trans.__('of all threads and event loops, in the visible time'),
        align: 'right'
      },
      { id: 'share', label: trans.__('Of all'), align: 'right' },
      { id: 'mean', label: trans.__('Mean'), tooltip: trans.__('seconds spent per second that passed'), align: 'right' },
      { id: 'most', label: trans.__('Most'), tooltip: trans.__('in one of the periods'), align: 'right' }
    ],
    rows: most.map(({ id, label, of }) => {
      const { busy } = spent as Spent;
      const greatest = mostThreads(busy, of.seconds);
      return {
        id,
        cells: [
          { text: label, value: label },
          { text: formatDuration(of.total), value: of.total },
          { text: formatPercent(of.total / whole), value: of.total / whole },
          { text: rateText(of.total / passed), value: of.total / passed },
          { text: rateText(greatest), value: greatest }
        ]
      };
    })
  };
}

/** Dask's fine metrics over time: what workers spend time on, by kind of activity. */
export const activityTimeseries: VegaPlot = {
  id: 'activity-timeseries',
  icon: `${AXES}<path fill-opacity=".55" d="M3 12V9h3V7h3v2h3V8h2.500v4z"/><path d="M3 8V5h3V3h3v3h3V4h2.500v3H11v1H8V6H7v2z"/>`,
  title: 'Activities over time',
  caption: "Dask's fine metrics over time: what workers spend time on, second by second",
  group: 'time',
  synonyms: ['fine metrics', 'fine performance metrics', 'activity', 'serialization', 'spill', 'thread cpu', 'timeline'],
  howToRead:
    'Each area is the time that all threads and event loops together spent on an activity in a second: 3 s/s on a CPU is what three busy threads spend. Areas are stacked. ' +
    'A period in which disk, network or serializing takes more than the CPU shows when the cluster did not compute; the event markers above it may show why. ' +
    'Shuffling is what P2P shuffles do to split, send and join data, in tasks and in the background. ' +
    'Workers report the time of a task when it ends, so a long task is a peak at its end, higher than the number of threads. With more than 2,000 metrics the values are updated only every few seconds.',
  view: 'vega',
  topics: ['meta', ...MARK_TOPICS],
  options: [SPAN, CHART_PAUSES],
  sharesTime: true,
  empty: (run, context) =>
    (spentOf(run, context, wholeSpan(run))?.areas.length ?? 0) > 0
      ? null
      : {
          head: context.trans.__('No activities have been measured.'),
          body: context.trans.__(
            'Workers report with their heartbeats what tasks spent time on; this appears here when the first task has ended.'
          ),
          awaited: true
        },
  picture: (run, context) => timePicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend,
  notes: (run, context) => [...seriesNotes(run, visibleSpan(run, context), context.trans), ...ratesNotes(run, context.trans)],
  table,
  summary: (run, context) =>
    `${[context.trans.__('Activities over time'), ...titleLine(run, context).map(part => part.text)].join(', ')}.`
};
