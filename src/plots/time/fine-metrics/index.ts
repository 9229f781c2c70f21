import { formatPercent } from '../../../base/format';
import type { Theme } from '../../../base/theme';
import { type BarRow, rowPicture } from '../../../charts/bars';
import { repetition } from '../../../charts/prefix-fill';
import { keepBySize, steadyEnd } from '../../../plot/kept';
import type { LegendItem, PlotContext, TableData, VegaPicture, VegaPlot, VegaSize } from '../../../plot/plot';
import { oneLine, textWidth } from '../../../plot/text';
import { searchedFor } from '../../../selectors/search/row-search';
import { functionSubject } from '../../../selectors/tasks/prefix-counts';
import type { Run } from '../../../run/run';
import { clearedAt, nothingSince, sinceNotes, sinceSummary, sinceTitle } from '../../../selectors/since-cleared';
import {
  activityLook,
  activityWords,
  chosenMetrics,
  metricRows,
  type MetricRow,
  metricsOf,
  type Part,
  ROWS,
  SINCE,
  spanWords,
  UNIT,
  unitOf,
  amountOf,
  isOdd
} from './metrics';
import { metricsNotes, oddNotes } from './notes';
import { metricSums, uncleared } from './uncleared';

/** Parts that a tooltip lists. */
const LISTED = 12;

/** The rows of one drawing, in an order that lasts while they grow. */
function ordered(run: Run, context: PlotContext): readonly MetricRow[] {
  return keepBySize(run, context, metricRows(run, context), row => row.value, clearedAt(run, context));
}

/** Numbers of functions by name: a row may have a part for each of very many. */
type Functions = ReadonlyMap<string, number>;

/** @param prefix - of the part, if it is a function; else -1 */
function look({ id }: Part, { activity }: MetricRow, prefix: number, theme: Theme): ReturnType<typeof activityLook> {
  return prefix < 0 ? activityLook(activity ?? id, theme) : theme.prefix(prefix);
}

function barRow(row: MetricRow, whole: number, run: Run, functions: Functions, context: PlotContext): BarRow {
  const { theme, trans, hidden } = context;
  const unit = unitOf(context.options.unit ?? UNIT.initial);
  const share = formatPercent(row.value / whole);
  const subject = functionSubject(run, functions.get(row.prefix) ?? -1);
  const parts = row.activity === null ? inOrder(row.parts).filter(part => !hidden.has(part.id)) : row.parts;
  return {
    label: { text: row.label },
    bars: [
      {
        segments: parts.map(part => {
          const prefix = row.activity === null ? -1 : (functions.get(part.id) ?? -1);
          const { colour, pattern } = look(part, row, prefix, theme);
          return {
            ...{ size: part.value, fill: colour, ink: theme.background, least: 1 },
            ...(prefix < 0 ? { pattern } : repetition(theme, prefix))
          };
        })
      }
    ],
    figures: [{ text: unit.format(row.value) }, { text: share, colour: theme.textSecondary }],
    tooltip: {
      title: row.label,
      state: unit.format(row.value),
      rows: [
        [trans.__('Of all'), share],
        ...row.parts
          .slice(0, LISTED)
          .map((part): [string, string] => [part.label, `${unit.format(part.value)} (${formatPercent(part.value / row.value)})`]),
        ...(row.parts.length > LISTED ? [[trans.__('More'), String(row.parts.length - LISTED)] as const] : [])
      ],
      ...(subject === null ? { hint: trans.__('Click: pin') } : { subject, hint: trans.__('Click: pin, select its tasks') })
    }
  };
}

/** The same order in each bar, so that bars can be compared. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  const rank = ({ id }: Part): number => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
  return [...parts].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

function sum(rows: readonly MetricRow[]): number {
  return rows.reduce((all, row) => all + row.value, 0);
}

function axisTitle({ options, trans }: PlotContext): string {
  switch (options.unit ?? UNIT.initial) {
    case 'seconds':
      return trans.__('time, summed over all threads and event loops');
    case 'bytes':
      return trans.__('bytes');
    case 'count':
      return trans.__('number');
    default:
      return oneLine(options.unit);
  }
}

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const rows = ordered(run, context);
  const whole = sum(rows);
  const name = context.options.unit ?? UNIT.initial;
  const unit = unitOf(name);
  const greatest = rows.reduce((most, row) => Math.max(most, row.value), 0);
  const functions = new Map(run.prefixNames.map((name, prefix) => [name, prefix]));
  return rowPicture(context.theme, size, {
    items: rows,
    search: { wanted: searchedFor(context), texts: ({ label }) => [label] },
    row: each => barRow(each, whole, run, functions, context),
    parts: { heads: false, axis: true, title: true },
    end: steadyEnd(run, context, unit.end(greatest), `${name} ${context.options.rows ?? ''} ${clearedAt(run, context)}`),
    ticks: unit.ticks,
    axisTitle: axisTitle(context),
    columns: [
      { width: 80, from: 200 },
      { width: 46, from: 320 }
    ],
    leastBars: 60,
    gutter: rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0)
  });
}

/** Activities in the order of Dask's work on a task, those of user code last. */
const ORDER = [
  ...['thread-cpu', 'thread-noncpu', 'executor', 'network', 'disk-read', 'disk-write', 'memory-read'],
  ...['serialize', 'deserialize', 'compress', 'decompress', 'other']
];

function legend(run: Run, context: PlotContext): readonly LegendItem[] {
  const { theme, trans, options } = context;
  if (options.rows === 'activity') {
    return [];
  }
  const found = new Set(metricsOf(run, context, options.unit ?? UNIT.initial).map(metric => metric.activity));
  const own = [...found].filter(activity => !ORDER.includes(activity)).sort();
  return [...ORDER.filter(activity => found.has(activity)), ...own].map(activity => ({
    id: activity,
    label: activityWords(activity, trans),
    ...activityLook(activity, theme)
  }));
}

/** Values that are not known come last, and do not disturb the order of the others. */
function rankOf(value: number): number {
  return Number.isFinite(value) ? value : -Number.MAX_VALUE;
}

/** Every metric in every unit, also those that have no bar. */
function table(run: Run, context: PlotContext): TableData {
  const { trans, options } = context;
  const bySpan = options.rows === 'span';
  const metrics = chosenMetrics(run, context).filter(({ unit }) => unit !== '');
  return {
    columns: [
      { id: 'context', label: trans.__('Of'), tooltip: trans.__('the part of the worker, as Dask names it'), align: 'left' },
      { id: 'function', label: bySpan ? trans.__('Span') : trans.__('Function'), align: 'left' },
      { id: 'activity', label: trans.__('Activity'), align: 'left' },
      { id: 'unit', label: trans.__('Unit'), align: 'left' },
      { id: 'value', label: trans.__('Value'), align: 'right' },
      { id: 'name', label: trans.__("Dask's name"), align: 'left' }
    ],
    rows: metrics
      .map((metric, i) => ({ metric, i, value: isOdd(metric) ? metric.value : amountOf(run, metric, context) }))
      .sort((a, b) => a.metric.unit.localeCompare(b.metric.unit) * -1 || rankOf(b.value) - rankOf(a.value))
      .map(({ metric, i, value }) => {
        const [of, dasks, unit] = [metric.context, metric.activity, metric.unit].map(each => oneLine(each));
        const name = bySpan ? spanWords(metric.prefix, trans) : oneLine(metric.prefix);
        const activity = activityWords(metric.activity, trans);
        return {
          id: String(i),
          cells: [
            { text: of, value: of },
            { text: name, value: name },
            { text: activity, value: activity },
            { text: unit, value: unit },
            { text: unitOf(metric.unit).format(value), value },
            { text: dasks, value: dasks }
          ]
        };
      })
  };
}

/** Dask's fine metrics: what workers spend time on and what they move, by function and by activity. */
export const fineMetrics: VegaPlot = {
  id: 'fine-metrics',
  icon: '<path d="M1 2h4v3H1zm0 4.500h8v3H1zM1 11h6v3H1z"/><path fill-opacity=".55" d="M5 2h5v3H5zm4 4.500h2v3H9zM7 11h2v3H7z"/><path fill-opacity=".3" d="M10 2h4v3h-4zm1 4.500h4v3h-4zM9 11h3v3H9z"/>',
  title: 'Time and bytes by activity',
  caption: "Dask's fine metrics: what workers spend time on and what they move, by function or by activity",
  group: 'time',
  synonyms: [
    'fine performance metrics',
    'fine metrics',
    'activity',
    'serialization',
    'compression',
    'thread cpu',
    'context_meter',
    'span'
  ],
  howToRead:
    'One bar for each function, divided by what its tasks spent their time on: on a CPU, in the thread but not on a CPU (waiting for a lock, a file, the GIL or other threads; all of the time of coroutines), waiting for a thread, disk, (de)serializing; receiving and sending data have bars of their own, because Dask does not know for which function. ' +
    'A large share that is not on a CPU suggests the GIL or I/O in the task; much (de)serializing suggests large or costly objects. Bytes and numbers have axes of their own, and so do the units of your own metrics. ' +
    'By span, each bar is what the tasks of a span took, under the name given to distributed.span(); spans with the same name share a bar, and only the newest 200 spans still grow. ' +
    'The sums count from the start of the scheduler, or from when observation began; in a recording they are those of the recording.',
  view: 'vega',
  followsSelection: true,
  topics: ['meta', 'activities'],
  options: [UNIT, ROWS, SINCE],
  clearable: true,
  clearedTasks: null,
  sums: metricSums,
  empty: (run, context) => {
    const { trans, options } = context;
    if (metricsOf(run, context, options.unit ?? UNIT.initial).some(metric => amountOf(run, metric, context) > 0)) {
      return null;
    }
    return run.activities.list.some(metric => metric.unit !== '' && uncleared(run, metric, context) > 0)
      ? {
          head: trans.__('No activities match this choice.'),
          body: trans.__('Others were measured: choose another unit, other rows or another beginning in the menu of the pane.')
        }
      : (nothingSince(run, context) ?? {
          head: trans.__('No activities have been measured.'),
          body: trans.__(
            'Workers report with their heartbeats what tasks spent time on; this appears here when the first task has ended.'
          ),
          awaited: true
        });
  },
  picture,
  titleLine: (run, context) => {
    const { trans } = context;
    const unit = unitOf(context.options.unit ?? UNIT.initial);
    const rows = metricRows(run, context);
    const [most] = rows;
    return most === undefined
      ? []
      : [
          { text: unit.format(sum(rows)), tone: 'strong' },
          ...sinceTitle(run, context),
          { text: trans.__('most: %1, %2', most.label, unit.format(most.value)) }
        ];
  },
  legend,
  notes: (run, context) => {
    const { trans, options } = context;
    const seen = options.since === 'seen';
    const since = seen ? trans.__('since the observation began') : trans.__('since the scheduler or the recording started');
    return [...sinceNotes(run, context, since), ...oddNotes(run, context), ...metricsNotes(run, trans)];
  },
  table,
  summary: (run, context) => {
    const unit = unitOf(context.options.unit ?? UNIT.initial);
    const rows = metricRows(run, context).slice(0, 5);
    const words = [context.trans.__('Time and bytes by activity'), ...rows.map(row => `${row.label} ${unit.format(row.value)}`)];
    return sinceSummary(run, context, `${words.join(', ')}.`);
  }
};
