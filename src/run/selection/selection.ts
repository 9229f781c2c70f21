import { type ISignal, Signal } from '@lumino/signaling';
import type { Seconds } from '../../base/units';
import { liveOf } from '../frozen';
import type { Run } from '../run';

/** A period of scheduler time; `from` is before `to`. */
export interface Period {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** A thread of a worker, by the address of the worker and the number of the thread. */
export interface ThreadName {
  readonly worker: string;
  /** `null` for a thread that has executed nothing, which has no number; there may be several of a worker. */
  readonly thread: number | null;
}

/** Durations from `least` to `most`, both included. */
export interface DurationRange {
  readonly least: Seconds;
  readonly most: Seconds;
}

/** A computation by its number, which is valid for one run only. */
export interface SelectedComputation {
  /** `Run.identity`. */
  readonly run: string;
  readonly id: number;
}

/** Executions by their row numbers, which are valid for one run only. */
export interface SelectedRows {
  /** `Run.identity`. */
  readonly run: string;
  readonly numbers: readonly number[];
}

/**
 * Part of a run: the executions that satisfy every condition that is not `null`. Workers and functions are named, not
 * numbered, because the dictionaries of a run are filled in another order when it starts over.
 */
export interface Selection {
  /** Executions that overlap this period. */
  readonly period: Period | null;
  readonly threads: readonly ThreadName[] | null;
  /** Workers by address. */
  readonly workers: readonly string[] | null;
  /** Functions by the name of their prefix. */
  readonly functions: readonly string[] | null;
  readonly rows: SelectedRows | null;
  /**
   * Only executions of this computation. Where it is not known which these are, the condition has no effect: its period and
   * functions are selected with it.
   */
  readonly computation: SelectedComputation | null;
  /** Executions that took as long as this. */
  readonly durations: DurationRange | null;
  /** Only executions that raised an exception. */
  readonly erred: boolean;
  /** Only executions that ended with a result. */
  readonly finished: boolean;
}

/** The selection without a condition. */
export const NOTHING_SELECTED: Selection = {
  period: null,
  threads: null,
  workers: null,
  functions: null,
  rows: null,
  computation: null,
  durations: null,
  erred: false,
  finished: false
};

/** Whether a selection has no condition. */
export function isEmpty(selection: Selection): boolean {
  return Object.values(selection).every(value => value === null || value === false);
}

/** Whether two selections have the same conditions. */
function isSame(a: Selection, b: Selection): boolean {
  const { durations } = a;
  const { durations: other } = b;
  // JSON has no infinity, which is the end of a range of durations without one.
  return durations?.most === other?.most && JSON.stringify(a) === JSON.stringify(b);
}

/** The selection and the time cursor of one run, shared by all views of that run. */
export class RunSelection {
  /** What is selected; {@link NOTHING_SELECTED} by default. */
  get current(): Selection {
    return this.selection;
  }

  /** Time under the pointer in any view of the run; NaN if there is none. */
  get cursor(): Seconds {
    return this.time;
  }

  /** The selection changed. */
  get changed(): ISignal<this, Selection> {
    return this.changedSignal;
  }

  /** The selection changed and is not expected to change again at once, as it does while it is dragged. */
  get settled(): ISignal<this, Selection> {
    return this.settledSignal;
  }

  /** The time cursor moved. */
  get cursorMoved(): ISignal<this, Seconds> {
    return this.cursorSignal;
  }

  /**
   * Replace some conditions; `null` removes one. Another period alone is not that of a computation any more.
   *
   * @param moving - whether further changes follow at once: {@link settle} is called after the last one
   */
  change(conditions: Partial<Selection>, moving = false): void {
    const another = 'period' in conditions ? { computation: null } : {};
    const next: Selection = { ...this.selection, ...another, ...conditions };
    if (!isSame(next, this.selection)) {
      this.selection = next;
      this.unsettled = true;
      this.changedSignal.emit(next);
    }
    if (!moving) {
      this.settle();
    }
  }

  /** Whether anything was selected or cleared since the run began: what was saved before is out of date then. */
  get used(): boolean {
    return this.wasUsed || this.unsettled;
  }

  /** A view had saved that nothing was selected: what others have saved is out of date, too. */
  stayEmpty(): void {
    this.wasUsed = true;
  }

  /** The last of several changes was made. */
  settle(): void {
    if (this.unsettled) {
      this.unsettled = false;
      this.wasUsed = true;
      this.settledSignal.emit(this.selection);
    }
  }

  /** Whether these conditions, and no others, are selected. */
  has(conditions: Partial<Selection>): boolean {
    return isSame({ ...NOTHING_SELECTED, ...conditions }, this.selection);
  }

  /** Replace all conditions. */
  select(conditions: Partial<Selection>): void {
    this.change({ ...NOTHING_SELECTED, ...conditions });
  }

  /** Replace all conditions, and ask timelines to show the selected period: it may be outside of what they show. */
  show(conditions: Partial<Selection>): void {
    this.selection = { ...NOTHING_SELECTED, ...conditions };
    this.asked = this.selection;
    this.unsettled = true;
    this.changedSignal.emit(this.selection);
    this.settle();
  }

  /** The selection, if timelines were asked to show it; another object each time. `null` otherwise. */
  get toShow(): Selection | null {
    return this.asked === this.selection ? this.asked : null;
  }

  /** Select nothing. */
  clear(): void {
    this.change(NOTHING_SELECTED);
  }

  /** Another run begins: nothing is selected, and nothing was. */
  begin(): void {
    this.clear();
    this.wasUsed = false;
  }

  /** Move the time cursor; NaN removes it. */
  moveCursor(time: Seconds): void {
    if (!Object.is(time, this.time)) {
      this.time = time;
      this.cursorSignal.emit(time);
    }
  }

  private selection: Selection = NOTHING_SELECTED;
  private asked: Selection | null = null;
  private time: Seconds = Number.NaN;
  private unsettled = false;
  private wasUsed = false;
  private readonly changedSignal = new Signal<this, Selection>(this);
  private readonly settledSignal = new Signal<this, Selection>(this);
  private readonly cursorSignal = new Signal<this, Seconds>(this);
}

const selections = new WeakMap<Run, RunSelection>();

/** The selection of a run; a frozen copy shares that of its origin. A run that starts over begins without one. */
export function selectionOf(run: Run): RunSelection {
  const live = liveOf(run);
  let selection = selections.get(live);
  if (selection === undefined) {
    const made = new RunSelection();
    selection = made;
    selections.set(live, made);
    live.began.connect(() => made.begin());
  }
  return selection;
}
