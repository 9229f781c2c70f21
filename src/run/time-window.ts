import { type ISignal, Signal } from '@lumino/signaling';
import type { Seconds } from '../base/units';
import { liveOf } from './frozen';
import type { Run } from './run';

/** A stretch of time, scheduler clock. */
export interface TimeSpan {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** Why the time shown has changed: a person zoomed or panned, or time went on. */
export type WindowChange = 'person' | 'time';

/**
 * The time that a timeline of a run shows: charts of the same run that share it stand below on the same axis.
 * The timeline that was drawn last decides; where none is in view there is no common time.
 */
export class TimeWindow {
  /** `null` where no timeline is in view. */
  get span(): TimeSpan | null {
    return this.shown;
  }

  get changed(): ISignal<this, WindowChange> {
    return this.changedSignal;
  }

  /** A timeline shows a time. */
  show(owner: object, span: TimeSpan, why: WindowChange): void {
    const { shown } = this;
    this.owner = owner;
    if (shown === null || shown.from !== span.from || shown.to !== span.to) {
      this.shown = span;
      this.changedSignal.emit(why);
    }
  }

  /** A timeline is out of view. */
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

/** The common time of the views of a run; a frozen run has that of the run that it was taken of. */
export function windowOf(run: Run): TimeWindow {
  const live = liveOf(run);
  let window = windows.get(live);
  if (window === undefined) {
    window = new TimeWindow();
    windows.set(live, window);
  }
  return window;
}
