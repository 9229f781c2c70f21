/** Dask's fine metrics as rows: by function or by activity, in one unit. */
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { type Colour, mix, type Pattern, type Theme } from '../../../base/theme';
import {
  byteTicks,
  countTicks,
  durationTicks,
  niceByteEnd,
  niceDurationEnd,
  niceEnd,
  plainTicks,
  type Ticks
} from '../../../charts/axis';
import type { PlotContext, PlotOption, Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import { plainNumber } from '../../../selectors/plain-number';
import type { Activity } from '../../../run/tables/activities';
import type { Run } from '../../../run/run';
import { uncleared } from './uncleared';

/** How values of a unit are written and drawn. */
export interface Unit {
  readonly format: (value: number) => string;
  readonly end: (greatest: number) => number;
  readonly ticks: Ticks;
}

const PLAIN: Unit = { format: plainNumber, end: niceEnd, ticks: plainTicks };
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['seconds', { format: formatDuration, end: niceDurationEnd, ticks: durationTicks }],
  ['bytes', { format: formatBytes, end: niceByteEnd, ticks: byteTicks }],
  ['count', { format: formatCount, end: niceEnd, ticks: countTicks }]
]);

/** How values of a unit are written and drawn; units of user code are plain numbers. */
export function unitOf(name: string): Unit {
  return UNITS.get(name) ?? PLAIN;
}

/** The option for the unit, with those of user code. */
export const UNIT: PlotOption = {
  id: 'unit',
  label: 'Unit',
  choices: [
    { value: 'seconds', label: 'time' },
    { value: 'bytes', label: 'bytes' },
    { value: 'count', label: 'number' }
  ],
  initial: 'seconds',
  found: run =>
    [...new Set(run.activities.list.map(metric => metric.unit))]
      .filter(unit => unit !== '' && !UNITS.has(unit))
      .sort()
      .slice(0, 20)
      .map(unit => ({ value: unit, label: oneLine(unit) }))
};

/** The option for the rows. */
export const ROWS: PlotOption = {
  id: 'rows',
  label: 'Rows',
  choices: [
    { value: 'function', label: 'functions' },
    { value: 'activity', label: 'activities' },
    { value: 'span', label: 'spans' }
  ],
  initial: 'function'
};

/** The option for the beginning: sums that only grow hide what happens now. */
export const SINCE: PlotOption = {
  id: 'since',
  label: 'Since',
  choices: [
    { value: 'scheduler', label: 'start of the scheduler' },
    { value: 'seen', label: 'start of the observation' }
  ],
  initial: 'scheduler'
};

/** A part of a row: one activity, or one function. */
export interface Part {
  readonly id: string;
  readonly label: string;
  readonly value: number;
}

/** A row of the plot. */
export interface MetricRow {
  /** Stable for the lifetime of the run. */
  readonly id: number;
  readonly label: string;
  /** The function of a row of one function, as it is named; empty for other rows. */
  readonly prefix: string;
  /** The activity of a row of one activity. */
  readonly activity: string | null;
  /** Largest first. */
  readonly parts: readonly Part[];
  readonly value: number;
}

/** The metrics that the chosen rows are made of. */
export function chosenMetrics(run: Run, { options }: PlotContext): readonly Activity[] {
  return options.rows === 'span' ? run.activities.ofSpans : run.activities.list;
}

/** The name of a span; Dask calls the span of tasks without one "default". */
export function spanWords(name: string, trans: Translate): string {
  return name === 'default' ? trans.__('without a span') : oneLine(name) || '?';
}

/** Whether a metric is no amount that was spent: user code may measure anything. */
export function isOdd({ value }: Activity): boolean {
  return !(value >= 0);
}

/** The metrics of a unit that are not zero. What workers measure without a unit is not an activity. */
export function metricsOf(run: Run, context: PlotContext, unit: string): readonly Activity[] {
  return chosenMetrics(run, context).filter(metric => metric.unit === unit && unit !== '' && !isOdd(metric));
}

/** The value of a metric from the chosen beginning; sums never fall. */
export function amountOf(run: Run, metric: Activity, context: PlotContext): number {
  const { value, base } = metric;
  const all = uncleared(run, metric, context);
  return context.options.since === 'seen' ? Math.max(0, Math.min(all, value - base)) : all;
}

/** The name of the row that a metric belongs to. */
function labelOf(metric: Activity, { options, trans }: PlotContext): string {
  const { activity, prefix } = metric;
  switch (options.rows) {
    case 'span':
      return spanWords(prefix, trans);
    case 'activity':
      return metric.context === 'execute'
        ? activityWords(activity, trans)
        : `${activityWords(activity, trans)}, ${placeOf(metric, trans)}`;
    default:
      return prefix === '' ? placeOf(metric, trans) : oneLine(prefix);
  }
}

/** Rows with time, bytes or whatever the unit is, the largest first. */
export function metricRows(run: Run, context: PlotContext): readonly MetricRow[] {
  const byActivity = context.options.rows === 'activity';
  const byFunction = !byActivity && context.options.rows !== 'span';
  const found = new Map<string, { row: Omit<MetricRow, 'parts' | 'value'>; parts: Map<string, Part> }>();
  const unit = context.options.unit ?? UNIT.initial;
  const kind = Math.max(
    0,
    ROWS.choices.findIndex(({ value }) => value === context.options.rows)
  );
  for (const [i, metric] of chosenMetrics(run, context).entries()) {
    const value = amountOf(run, metric, context);
    if (metric.unit !== unit || unit === '' || !(value > 0)) {
      continue;
    }
    const { activity, prefix } = metric;
    const where = placeOf(metric, context.trans);
    const key = byActivity ? `${metric.context} ${activity}` : prefix === '' ? `context ${metric.context}` : `function ${prefix}`;
    const label = labelOf(metric, context);
    const part = byActivity ? (prefix === '' ? where : oneLine(prefix)) : activityWords(activity, context.trans);
    const entry = found.get(key) ?? {
      row: {
        id: ROWS.choices.length * i + kind,
        label,
        prefix: byFunction ? prefix : '',
        activity: byActivity ? activity : null
      },
      parts: new Map<string, Part>()
    };
    found.set(key, entry);
    const of = byActivity ? prefix : activity;
    entry.parts.set(of, { id: of, label: part, value: value + (entry.parts.get(of)?.value ?? 0) });
  }
  return [...found.values()]
    .map(({ row, parts }) => {
      const sorted = [...parts.values()].sort((a, b) => b.value - a.value);
      return { ...row, parts: sorted, value: sorted.reduce((sum, part) => sum + part.value, 0) };
    })
    .sort((a, b) => b.value - a.value);
}

/** Where an activity without a function takes place. */
function placeOf({ context }: Activity, trans: Translate): string {
  switch (context) {
    case 'execute':
      return trans.__('tasks');
    case 'gather-dep':
      return trans.__('receiving data');
    case 'get-data':
      return trans.__('sending data');
    case 'memory-monitor':
      return trans.__('spilling in the background');
    case 'p2p background-comms':
      return trans.__('sending shuffled data');
    case 'p2p background-disk':
      return trans.__('writing shuffled data');
    default:
      return oneLine(context);
  }
}

/** The name of an activity; those of user code as they are. */
export function activityWords(activity: string, trans: Translate): string {
  switch (activity) {
    case 'thread-cpu':
      return trans.__('on a CPU');
    case 'thread-noncpu':
      return trans.__('in the thread, not on a CPU');
    case 'executor':
      return trans.__('waiting for a thread');
    case 'network':
      return trans.__('network');
    case 'disk-read':
      return trans.__('reading from disk');
    case 'disk-write':
      return trans.__('writing to disk');
    case 'memory-read':
      return trans.__('found in memory');
    case 'serialize':
      return trans.__('serializing');
    case 'deserialize':
      return trans.__('deserializing');
    case 'compress':
      return trans.__('compressing');
    case 'decompress':
      return trans.__('decompressing');
    case 'other':
      return trans.__('other');
    default:
      return oneLine(activity);
  }
}

/** Colour and pattern of an activity: the same in every run, whatever others there are. */
export function activityLook(activity: string, theme: Theme): { readonly colour: Colour; readonly pattern: Pattern } {
  const { worker, background, textSecondary } = theme;
  switch (activity) {
    case 'thread-cpu':
      return { colour: worker.busy, pattern: 'none' };
    case 'thread-noncpu':
      return { colour: mix(worker.busy, background, 0.5), pattern: 'none' };
    case 'executor':
      return { colour: worker.saturated, pattern: 'none' };
    case 'network':
      return theme.kind('transfer');
    case 'disk-read':
      return theme.kind('disk-read');
    case 'disk-write':
      return { ...theme.kind('disk-write'), pattern: 'cross-hatch' };
    case 'memory-read':
      return { colour: theme.memory('blue')[1], pattern: 'none' };
    case 'serialize':
    case 'deserialize':
      return { ...theme.kind('deserialize'), pattern: activity === 'serialize' ? 'diagonal' : 'counter-diagonal' };
    case 'compress':
    case 'decompress':
      return { ...theme.kind('deserialize'), pattern: activity === 'compress' ? 'light-bars' : 'dots' };
    case 'other':
      return { colour: textSecondary, pattern: 'none' };
    default:
      return { colour: theme.prefix(slotOf(activity)).colour, pattern: 'dark-bars' };
  }
}

/** A colour slot from the name: an activity of user code keeps its colour when another one appears. */
function slotOf(name: string): number {
  let hash = 0;
  for (const glyph of name.slice(0, 200)) {
    hash = (hash * 31 + (glyph.codePointAt(0) ?? 0)) % 65_521;
  }
  return hash % 16;
}
