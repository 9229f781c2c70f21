/** What is known of the scheduler and of its workers over time: the quantities of a plot, in the visible time. */
import type { Seconds } from '../../base/units';
import type { Measure, SeriesColumn } from '../../feed/schema';
import { alignsWithStream, commonSpan, spanOf, untilNow } from '../over-time/span';
import { columnWidth, evenTime, NOTHING, type Slot, type Span, thin, thinColumn, type Thinned } from '../over-time/thin';
import type { PlotContext, PlotLink, PlotOption, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Ticks } from '../axis';

/** A quantity with an axis of its own. */
export interface OwnQuantity {
  readonly id: string;
  /** Its name; in English. */
  readonly name: string;
  /** Its unit, and what it is a measure of, where the values do not say it; in English, may be empty. */
  readonly axisTitle: string;
  /** Column of the series with the scheduler's value. */
  readonly own: SeriesColumn;
  /** The same for the workers, or for their hosts; default: not measured. */
  readonly workers?: Measure;
  /** Values measured per host: the series does not contain the number of hosts, so there is no mean. */
  readonly hosts?: boolean;
  /** What else of the workers says how the quantity is, in the same unit: its maximum, with a name in English; default: nothing. */
  readonly beside?: { readonly measure: Measure; readonly name: string };
  readonly format: (value: number) => string;
  /** Upper end of the axis. */
  readonly end: (greatest: number) => number;
  readonly ticks: Ticks;
  /** Why it may not be known, in a few words and with how it gets known; default: Dask does not measure it here. */
  readonly unknown?: (trans: Translate) => { readonly brief: string; readonly remedy: string };
  /** The plot that says why the scheduler's value is high, with its name; in English. */
  readonly explained?: PlotLink & { readonly title: string };
}

/** A quantity in the visible time. */
export interface OwnCourse {
  readonly quantity: OwnQuantity;
  readonly own: Thinned;
  readonly workers: Thinned;
  /** Of {@link OwnQuantity.beside}. */
  readonly beside: Thinned;
}

/** The visible time with what is known of it. */
export interface OwnCourses {
  readonly span: Span;
  /** Whether the axis is that of a visible task stream. */
  readonly shared: boolean;
  readonly width: Seconds;
  readonly list: readonly OwnCourse[];
}

/** Columns of time; each has the least and the greatest value. */
const COLUMNS = 100;

/** The option for one quantity or all. */
export function quantityOption(quantities: readonly OwnQuantity[]): PlotOption {
  return {
    id: 'quantity',
    label: 'Show',
    choices: [{ value: '', label: 'everything' }, ...quantities.map(({ id, name }) => ({ value: id, label: name }))],
    initial: ''
  };
}

/** The chosen quantity, or all. */
export function chosenQuantities(all: readonly OwnQuantity[], options: PlotContext['options']): readonly OwnQuantity[] {
  const chosen = all.filter(({ id }) => id === options.quantity);
  return chosen.length > 0 ? chosen : all;
}

/** Whether the feed has anything of the scheduler's own process; older collectors do not report it. */
export function knowsScheduler(run: Run): boolean {
  return run.series.column('scheduler_cpu').length > 0;
}

/** Whether a column of the series has anything, in the visible time or not. */
export function isMeasured(run: Run, column: string): boolean {
  return run.series.column(column).some(Number.isFinite);
}

/** Whether the scheduler or its workers measure a quantity. */
export function isKnown(run: Run, { own, workers }: OwnQuantity): boolean {
  return isMeasured(run, own) || (workers !== undefined && isMeasured(run, `${workers}_sum`));
}

/** The chosen quantities in the visible time; `null` before the first measurement. */
export function ownCourses(all: readonly OwnQuantity[], run: Run, context: PlotContext): OwnCourses | null {
  const own = spanOf(run, context);
  if (own === null || !knowsScheduler(run)) {
    return null;
  }
  const span = commonSpan(run, context) ?? own;
  const until = untilNow(span, run);
  const list = chosenQuantities(all, context.options).map(quantity => ({
    quantity,
    own: thinColumn(run.series, quantity.own, until, COLUMNS),
    workers:
      quantity.workers === undefined
        ? NOTHING
        : thin(run.series, quantity.workers, quantity.hosts ? 'sum' : 'mean', until, 0, COLUMNS),
    beside: quantity.beside === undefined ? NOTHING : thin(run.series, quantity.beside.measure, 'mean', until, 0, COLUMNS)
  }));
  return { span, shared: alignsWithStream(run, context), width: columnWidth(until, COLUMNS), list };
}

/** A slot of a course by the number of its column. */
export function slotsByColumn({ slots }: Thinned, { span, width }: OwnCourses): ReadonlyMap<number, Slot> {
  return new Map(slots.map(slot => [Math.floor(evenTime(span, slot.from) / width), slot]));
}

/** Why a quantity is not known, in a few words and with how it gets known. */
export function unknownText(
  { unknown }: OwnQuantity,
  { trans }: PlotContext
): { readonly brief: string; readonly remedy: string } {
  const text = trans.__('not known: Dask does not measure it here');
  return unknown?.(trans) ?? { brief: text, remedy: text };
}
