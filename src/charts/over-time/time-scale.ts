/** The time axis of charts over time: ticks relative to the start of a run, and where times are. */
import { formatDuration, formatElapsed } from '../../base/format';
import { type CssPixels, DAY, HOUR, MINUTE, type Seconds } from '../../base/units';
import type { TimeAxis } from '../../plot/plot';
import { niceStep, type Tick } from '../axis';
import { evenTime, type Span } from './thin';

/** Narrower folds have no length, and no sign: as in the task stream. */
const LENGTH_FROM: CssPixels = 40;
const SIGN_FROM: CssPixels = 12;

/** A folded pause on the axis, in the axis' time. */
export interface FoldedPause {
  readonly from: Seconds;
  readonly to: Seconds;
  /** Its length; '' where there is no room. */
  readonly text: string;
}

/**
 * The time axis of a chart. Its own time passes evenly from the left to the right edge and is what the Vega scale has; it
 * differs from scheduler time where the task stream whose time the chart shares folds pauses. Labels are true times.
 */
export class TimeScale {
  /** @param origin - of the labels */
  constructor(
    private readonly span: Span,
    private readonly origin: Seconds,
    private readonly left: CssPixels,
    private readonly right: CssPixels
  ) {
    this.from = this.at(span.from);
    this.to = this.at(span.to);
  }

  /** Edges, in the axis' time. */
  readonly from: Seconds;
  readonly to: Seconds;

  /** The axis' time of a scheduler time. */
  at(time: Seconds): Seconds {
    return evenTime(this.span, time) - this.origin;
  }

  /** Position of a scheduler time. */
  x(time: Seconds): CssPixels {
    return this.left + (this.at(time) - this.from) * this.perSecond;
  }

  /** Scheduler time at a position. */
  timeAt(x: CssPixels): Seconds {
    const even = this.from + (x - this.left) / this.perSecond + this.origin;
    return this.span.folded === undefined ? even : this.span.folded.timeOfEven(even);
  }

  /** Where scheduler times are in an area from `top` to `bottom`. */
  axis(top: CssPixels, bottom: CssPixels): TimeAxis {
    const { left, right } = this;
    return { left, right, top, bottom, at: time => this.x(time), timeAt: x => this.timeAt(x) };
  }

  /**
   * Labels and where they are: at the same step on both sides of a folded pause, and none so near to it that its own label
   * would be covered.
   *
   * @param most - number of labels that fit
   */
  ticks(most: number): readonly (Tick & { readonly x: CssPixels })[] {
    const { folded, from, to } = this.span;
    const placed = (list: readonly Tick[]) => list.map(tick => ({ ...tick, x: this.x(this.origin + tick.value) }));
    if (folded === undefined) {
      return placed(timeTicks(this.from, this.to, most));
    }
    const step = clockStep((this.to - this.from) / most);
    const half = (this.to - this.from) / most / 2 / folded.perColumn;
    const [begin, end] = [folded.columnOf(from), folded.columnOf(to)];
    const edges = new Set(folded.folds.flatMap(fold => [fold.from, fold.to]));
    return folded.stretches(begin, end).flatMap(stretch => {
      const first = folded.timeOf(stretch.from + (edges.has(stretch.from) ? half : 0)) - this.origin;
      const last = folded.timeOf(stretch.to - (edges.has(stretch.to) ? half : 0)) - this.origin;
      return first < last ? placed(ticksAt(first, last, step)) : [];
    });
  }

  /** The folded pauses in view. */
  get folds(): readonly FoldedPause[] {
    const { folded } = this.span;
    return (folded?.folds ?? []).flatMap(({ pause }) => {
      const [from, to] = [Math.max(this.from, this.at(pause.from)), Math.min(this.to, this.at(pause.to))];
      const width = (to - from) * this.perSecond;
      const sign = width >= SIGN_FROM ? '⋯' : '';
      const text = width >= LENGTH_FROM ? `⋯ ${formatDuration(pause.to - pause.from)}` : sign;
      return to > from ? [{ from, to, text }] : [];
    });
  }

  private get perSecond(): number {
    return (this.right - this.left) / (this.to - this.from);
  }
}

/** Usual steps of minutes and hours. */
const STEPS: readonly Seconds[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map(step => step * MINUTE),
  ...[1, 2, 3, 6, 12].map(step => step * HOUR),
  DAY
];

/** The smallest clock step that is at least `least`. */
function clockStep(least: Seconds): Seconds {
  return least <= 0.5 ? niceStep(least) : (STEPS.find(step => step >= least) ?? niceStep(least / DAY) * DAY);
}

/**
 * Ticks between two times after the start.
 *
 * @param most - number of labels that fit
 */
export function timeTicks(from: Seconds, to: Seconds, most: number): readonly Tick[] {
  return to > from ? ticksAt(from, to, clockStep((to - from) / most)) : [];
}

/** Ticks at a step between two times after the start. */
function ticksAt(from: Seconds, to: Seconds, step: Seconds): readonly Tick[] {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const value = (first + i) * step;
    return { value, label: formatElapsed(value, decimals) };
  });
}
