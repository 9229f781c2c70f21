import { type ISignal, Signal } from '@lumino/signaling';
import type { Seconds } from '../base/units';
import type { FoldedTime } from './folded-time';
import { liveOf } from './frozen';
import type { Run } from './run';
import type { Period } from './selection/selection';

/** A time span, in scheduler time. */
export interface TimeSpan {
  readonly from: Seconds;
  readonly to: Seconds;
  /** How its pauses are folded; missing where time passes evenly. */
  readonly folded?: FoldedTime;
}

/** Why the visible time changed: the user zoomed or panned, or time advanced. */
export type WindowChange = 'person' | 'time';

/** Where a view other than a timeline wants all views of the run to be; `null`: where they were before the user went away. */
export interface Wanted {
  readonly period: Period | null;
}

/**
 * The visible time of a run. A visible timeline decides about it (of several, the one drawn last): charts of the same run share
 * its axis, and what they ask for, it does. Without one, there is a common time only while the user has gone to a period.
 */
export class TimeWindow {
  /** What a visible timeline shows; `null` if none is visible. */
  get span(): TimeSpan | null {
    return this.shown;
  }

  /** The period that the user has gone to in any view; `null` while views show what they show by themselves. */
  get chosen(): TimeSpan | null {
    return this.gone;
  }

  /** What charts asked for last; another object each time. */
  get wanted(): Wanted | null {
    return this.asked;
  }

  /** The period that views will show next: {@link chosen}, unless a timeline has yet to go to another one. */
  get next(): Period | null {
    return this.pending === null ? this.gone : this.pending.period;
  }

  get changed(): ISignal<this, WindowChange> {
    return this.changedSignal;
  }

  /** There is something new to do for timelines: {@link wanted}. */
  get requested(): ISignal<this, void> {
    return this.requestedSignal;
  }

  /**
   * A timeline shows a time span.
   *
   * @param chosen - whether the user has gone there
   */
  show(owner: object, span: TimeSpan, why: WindowChange, chosen = false): void {
    const { shown, gone } = this;
    this.owner = owner;
    this.pending = null;
    const same = shown !== null && shown.from === span.from && shown.to === span.to && shown.folded === span.folded;
    if (!same || chosen !== (gone !== null)) {
      const back = gone !== null && !chosen;
      this.shown = span;
      this.gone = chosen ? span : null;
      // Where no data arrives, as in a recording, nothing else updates the text about the time.
      this.changedSignal.emit(back ? 'person' : why);
    }
  }

  /** Another view wants to be at a period, or (`null`) back where views were. */
  go(period: Period | null): void {
    this.asked = { period };
    if (this.owner === null) {
      this.gone = period;
      this.changedSignal.emit('person');
    } else {
      this.pending = this.asked;
      this.requestedSignal.emit();
    }
  }

  /** A timeline is no longer visible. The period that the user has gone to stays. */
  release(owner: object): void {
    if (this.owner === owner) {
      this.owner = null;
      this.shown = null;
      this.pending = null;
      this.changedSignal.emit('person');
    }
  }

  /** The run has started over: its times are others. */
  reset(): void {
    const before = this.shown ?? this.gone;
    this.owner = null;
    this.shown = null;
    this.gone = null;
    this.asked = null;
    this.pending = null;
    if (before !== null) {
      this.changedSignal.emit('person');
    }
  }

  private owner: object | null = null;
  private shown: TimeSpan | null = null;
  private gone: TimeSpan | null = null;
  private asked: Wanted | null = null;
  /** What a visible timeline has yet to do. */
  private pending: Wanted | null = null;
  private readonly changedSignal = new Signal<this, WindowChange>(this);
  private readonly requestedSignal = new Signal<this, void>(this);
}

const windows = new WeakMap<Run, TimeWindow>();

/** The common time of the views of a run; a frozen run shares that of its origin. */
export function windowOf(run: Run): TimeWindow {
  const live = liveOf(run);
  let window = windows.get(live);
  if (window === undefined) {
    const made = new TimeWindow();
    window = made;
    windows.set(live, made);
    live.began.connect(() => made.reset());
  }
  return window;
}
