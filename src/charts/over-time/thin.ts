/**
 * Downsamples a series of any length for its picture: the minimum and maximum mean of each of at most 150 equal time
 * columns, so that a day costs as much as a minute (`docs/architecture.md`, "Dense views").
 */
import type { Seconds } from '../../base/units';
import type { Measure } from '../../feed/schema';
import type { Series } from '../../run/tables/series';
import type { FoldedTime } from '../../run/folded-time';
import { niceStep } from '../axis';

/** Maximum number of time columns; an edge may add one. */
const COLUMNS = 149;
/** The collector samples once per second and is late while the scheduler is busy: a longer gap was not measured. */
const GAP: Seconds = 5;
/** Time between samples: one without length stands for as much. */
const SAMPLE: Seconds = 1;

/** A time span, in scheduler time. */
export interface Span {
  readonly from: Seconds;
  readonly to: Seconds;
  /** How pauses are folded on its axis; missing where time passes evenly. */
  readonly folded?: FoldedTime;
  /** Whether measurements after its end may be used; default: they are not known yet at the moment that is shown. */
  readonly goesOn?: boolean;
}

/** Time that passes evenly along the axis of a span: scheduler time, unless pauses are folded. */
export function evenTime({ folded }: Pick<Span, 'folded'>, time: Seconds): Seconds {
  return folded === undefined ? time : folded.evenOf(time);
}

/** The length of a span on its axis. */
export function evenLength(span: Span): Seconds {
  return evenTime(span, span.to) - evenTime(span, span.from);
}

/** A point of a line with the band around it. */
export interface Moment {
  readonly at: Seconds;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Points of different pieces are not connected: nothing is known of the time between them. */
  readonly piece: number;
}

/** Values of a time column. */
export interface Slot extends Span {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A downsampled measure. */
export interface Thinned {
  readonly moments: readonly Moment[];
  readonly slots: readonly Slot[];
  /** The last measured point; without one within the time, the one before it if that still holds; `null` if there is none. */
  readonly newest: Slot | null;
  /** Maximum of line and band; 0 if there is none. */
  readonly greatest: number;
}

/** A measure without data. */
export const NOTHING: Thinned = { moments: [], slots: [], newest: null, greatest: 0 };

/** The line of a measure: its mean over workers, or its sum over hosts. */
export type Line = 'mean' | 'sum';

interface Column {
  readonly index: number;
  readonly piece: number;
  readonly first: Seconds;
  last: Seconds;
  /** Sum of the values by the time for which they held, and that time. */
  sum: number;
  time: Seconds;
  low: number;
  high: number;
  least: { at: Seconds; value: number };
  greatest: { at: Seconds; value: number };
}

/**
 * Downsample a measure within a time span. Points without workers are gaps.
 *
 * @param gap - minimum duration of a gap, if longer than usual
 * @param most - maximum number of columns
 */
export function thin(series: Series, measure: Measure, line: Line, span: Span, gap: Seconds = 0, most = COLUMNS): Thinned {
  const width = columnWidth(span, most);
  const cut = new Cut(span, Math.max(GAP, width, gap));
  return withBefore(thinPoints(points(series, measure, line, cut), width, span), cut);
}

/**
 * Width of the columns of a time span, in even time.
 *
 * @param most - maximum number of columns
 */
export function columnWidth(span: Span, most = COLUMNS): Seconds {
  return niceStep(evenLength(span) / most);
}

/** Decimals of seconds with which times of columns of a width differ. */
export function decimalsOf(width: Seconds): number {
  return Math.max(0, Math.min(6, Math.ceil(-Math.log10(width) - 1e-9)));
}

/**
 * Downsample a column of the series that has one value at a time: what the scheduler's own process takes.
 *
 * @param most - maximum number of columns
 */
export function thinColumn(series: Series, name: string, span: Span, most = COLUMNS): Thinned {
  const width = columnWidth(span, most);
  const cut = new Cut(span, Math.max(GAP, width));
  return withBefore(thinPoints(columnPoints(series, name, cut), width, span), cut);
}

function withBefore(thinned: Thinned, { before }: Cut): Thinned {
  return thinned.newest === null && before !== null
    ? { ...thinned, newest: { ...before, from: before.at, to: before.until } }
    : thinned;
}

function* columnPoints(series: Series, name: string, cut: Cut): Generator<Point> {
  const [times, untils, values] = ['time', 'until', name].map(each => series.column(each));
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isFinite(value)) {
      yield* cut.add({ at: times[i], until: Math.max(untils[i], times[i]), value, low: value, high: value });
    }
  }
}

/**
 * Downsample points in order of time to columns of a width.
 *
 * @param axis - the span with its folded pauses; default: none
 */
export function thinPoints(points: Iterable<Point>, width: Seconds, axis: Pick<Span, 'folded'> = {}): Thinned {
  const columnOf = (time: Seconds): number => Math.floor(evenTime(axis, time) / width);
  const columns: Column[] = [];
  let newest: Slot | null = null;
  let greatest = 0;
  for (const point of points) {
    const held = point.until - point.at;
    place(columns, point, point.at, columnOf(point.at), held > 0 ? held : SAMPLE);
    if (held > 0) {
      place(columns, point, point.until, columnOf(point.until), SAMPLE);
    }
    if (point.between !== true) {
      newest = { from: point.at, to: point.until, value: point.value, low: point.low, high: point.high };
    }
    greatest = Math.max(greatest, point.value, point.high || 0);
  }
  const slots = columns.flatMap((column, i) => (column.time > 0 ? [slotOf(column, columns[i + 1], width)] : []));
  return { moments: columns.flatMap(momentsOf), slots, newest, greatest };
}

/** A measurement that held from `at` to `until`. */
export interface Point extends Moment {
  readonly until: Seconds;
  /** Not measured: where a line crosses the edge of the visible time. */
  readonly between?: boolean;
}

type Measured = Omit<Point, 'piece'>;

/** The points of a series within a time, with those where its line crosses the edges of that time. */
class Cut {
  constructor(
    private readonly span: Span,
    private readonly gap: Seconds
  ) {}

  /** The next measurement: what of it, and of the line to it, is within the time. */
  *add(point: Measured): Generator<Point> {
    const { from, to, goesOn = false } = this.span;
    const { last, gap } = this;
    const joined = last !== null && point.at - last.until <= gap;
    if (joined) {
      for (const edge of goesOn ? [from, to] : [from]) {
        if (last.until < edge && edge < point.at && (goesOn || point.at <= to)) {
          yield { ...crossing(last, point, edge), piece: this.piece };
        }
      }
    } else {
      this.piece += 1;
    }
    this.last = point;
    if (point.until < from) {
      this.earlier = point;
    }
    if (point.at <= to && point.until >= from) {
      yield { ...point, at: Math.max(point.at, from), until: Math.min(point.until, to), piece: this.piece };
    }
  }

  /** The measurement before the time, unless it is too long ago. */
  get before(): Measured | null {
    const { earlier, gap } = this;
    return earlier !== null && this.span.from - earlier.until <= gap ? earlier : null;
  }

  private earlier: Measured | null = null;
  private last: Measured | null = null;
  private piece = -1;
}

function crossing(before: Measured, after: Measured, at: Seconds): Measured {
  const share = (at - before.until) / (after.at - before.until);
  const mix = (a: number, b: number): number => a + share * (b - a);
  return {
    ...{ at, until: at, between: true, value: mix(before.value, after.value) },
    ...{ low: mix(before.low, after.low), high: mix(before.high, after.high) }
  };
}

function* points(series: Series, measure: Measure, line: Line, cut: Cut): Generator<Point> {
  const [times, untils, workers] = ['time', 'until', 'workers'].map(name => series.column(name));
  const [sums, lows, highs] = ['sum', 'min', 'max'].map(what => series.column(`${measure}_${what}`));
  for (let i = 0; i < series.length; i++) {
    const value = line === 'sum' ? sums[i] : sums[i] / workers[i];
    if (workers[i] > 0 && Number.isFinite(value)) {
      yield* cut.add({ at: times[i], until: Math.max(untils[i], times[i]), value, low: lows[i], high: highs[i] });
    }
  }
}

/** @param time - for which the value held: that of an idle cluster may hold for hours, beside samples of a second */
function place(columns: Column[], point: Point, at: Seconds, index: number, time: Seconds): void {
  const { value, low, high, piece } = point;
  const column = columns[columns.length - 1];
  const counted = point.between === true ? 0 : time;
  if (column === undefined || column.index !== index || column.piece !== piece) {
    const here = { at, value };
    const sum = counted * value;
    columns.push({ index, piece, first: at, last: at, sum, time: counted, low, high, least: here, greatest: here });
    return;
  }
  column.last = at;
  column.sum += counted * value;
  column.time += counted;
  column.low = Math.min(column.low, low);
  column.high = Math.max(column.high, high);
  column.least = value < column.least.value ? { at, value } : column.least;
  column.greatest = value > column.greatest.value ? { at, value } : column.greatest;
}

function momentsOf({ least, greatest, first, last, low, high, piece }: Column): Moment[] {
  const moment = ({ at, value }: Column['least']): Moment => ({ at, value, low, high, piece });
  if (least === greatest) {
    // A constant column has a start and an end.
    return first === last ? [moment(least)] : [first, last].map(at => moment({ at, value: least.value }));
  }
  return (least.at < greatest.at ? [least, greatest] : [greatest, least]).map(moment);
}

/** A column is valid until the start of the next, except for gaps. */
function slotOf(column: Column, next: Column | undefined, width: Seconds): Slot {
  const { first, last, low, high } = column;
  const to = next?.piece === column.piece ? next.first : Math.max(last, first + width / 2);
  return { from: first, to, value: column.sum / column.time, low, high };
}
