import { type ISignal, Signal } from '@lumino/signaling';
import type { Seconds } from '../base/units';
import type { FoldedTime } from './folded-time';
import { liveOf } from './frozen';
import type { Run } from './run';

/** A time span, in scheduler time. */
export interface TimeSpan {
  readonly from: Seconds;
  readonly to: Seconds;
  /** How its pauses are folded; missing where time passes evenly. */
  readonly folded?: FoldedTime;
}

/** Why the visible time changed: the user zoomed or panned, or time advanced. */
export type WindowChange = 'person' | 'time';

/**
 * The visible time of a run's timeline: charts of the same run below it share its axis. The timeline drawn last
 * decides; without a visible timeline there is no common time.
 */
export class TimeWindow {
  /** `null` if no timeline is visible. */
  get span(): TimeSpan | null {
    return this.shown;
  }

  get changed(): ISignal<this, WindowChange> {
    return this.changedSignal;
  }

  /** A timeline shows a time span. */
  show(owner: object, span: TimeSpan, why: WindowChange): void {
    const { shown } = this;
    this.owner = owner;
    if (shown === null || shown.from !== span.from || shown.to !== span.to || shown.folded !== span.folded) {
      this.shown = span;
      this.changedSignal.emit(why);
    }
  }

  /** A timeline is no longer visible. */
  release(owner: object): void {
    if (this.owner === owner) {
      this.owner = null;
      this.shown = null;
      this.changedSignal.emit('person');
    }
  }

  private owner: object | null = null;
  private shown: TimeSpan | null = null;
  private readonly changedSignal = new Signal<this, WindowChange>(this);
}

const windows = new WeakMap<Run, TimeWindow>();

/** The common time of the views of a run; a frozen run shares that of its origin. */
export function windowOf(run: Run): TimeWindow {
  const live = liveOf(run);
  let window = windows.get(live);
  if (window === undefined) {
    window = new TimeWindow();
    windows.set(live, window);
  }
  return window;
}
