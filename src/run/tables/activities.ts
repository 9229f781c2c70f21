import { listOf, numberOf, textOf } from '../../base/untrusted';
import type { CpuPercent, Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

/** Metrics that the collector reads: the first ones. Also in `bridge/dask_panes/scheduler/collector/activities.py`. */
export const MOST_METRICS = 20_000;

/** The context of what spans took: the amounts of the other metrics again, under the names of spans. */
const SPAN = 'span';

/** One of Dask's fine metrics. All texts are untrusted. */
export interface Activity {
  readonly id: number;
  readonly context: string;
  /** Empty if the context has none. */
  readonly prefix: string;
  readonly activity: string;
  /** Of the value: `seconds`, `bytes`, `count`, or a unit from user code. */
  readonly unit: string;
  /** Cumulative since the scheduler started. */
  readonly value: number;
  /** The same at the time the collector started. */
  readonly base: number;
}

/** Dask's fine metrics and the scheduler's own load; see topic `activities` of the schema. */
export class Activities {
  /** Of one core, in the last minute; NaN if unknown. */
  schedulerCpu: CpuPercent = Number.NaN;
  /** Mean interval of the scheduler's event loop tick. */
  schedulerTick: Seconds = Number.NaN;
  transitions = Number.NaN;

  /** Whether the collector reads no further metrics: those of functions that came last may be missing in sums. */
  get full(): boolean {
    return this.byId.size + this.spansById.size >= MOST_METRICS;
  }

  /** All but those of spans. */
  get list(): readonly Activity[] {
    return [...this.byId.values()];
  }

  /** By span: its name is in the place of the function. Their amounts are in {@link list}, too. */
  get ofSpans(): readonly Activity[] {
    return [...this.spansById.values()];
  }

  /**
   * Sum of the values of a unit with matching context and activity, since the scheduler started; NaN if there are none.
   */
  sum(unit: string, fits: (metric: Activity) => boolean): number {
    return this.add(unit, fits, metric => metric.value);
  }

  /** The same since the collector started. */
  sumObserved(unit: string, fits: (metric: Activity) => boolean): number {
    return this.add(unit, fits, metric => Math.max(0, metric.value - metric.base));
  }

  private add(unit: string, fits: (metric: Activity) => boolean, value: (metric: Activity) => number): number {
    let sum = Number.NaN;
    for (const metric of this.byId.values()) {
      if (metric.unit === unit && fits(metric)) {
        sum = (Number.isNaN(sum) ? 0 : sum) + value(metric);
      }
    }
    return sum;
  }

  apply({ columns, scalars }: TopicBody): void {
    const names = new Map<number, readonly string[]>();
    for (const [id, ...texts] of listOf(scalars.names).map(listOf)) {
      if (typeof id === 'number') {
        names.set(id, texts.map(textOf));
      }
    }
    const bases = new Map<number, number>();
    for (const [id, base] of listOf(scalars.base).map(listOf)) {
      if (typeof id === 'number' && typeof base === 'number') {
        bases.set(id, base);
      }
    }
    const { id, value } = columns;
    for (let i = 0; i < (id?.length ?? 0); i++) {
      const [context = '', prefix = '', activity = '', unit = ''] = names.get(id[i]) ?? [];
      const rows = context === SPAN && unit !== '' ? this.spansById : this.byId;
      rows.set(id[i], { id: id[i], context, prefix, activity, unit, value: value[i], base: bases.get(id[i]) ?? 0 });
    }
    const number = (name: string, before: number): number => numberOf(scalars[name], before);
    this.schedulerCpu = number('scheduler_cpu', this.schedulerCpu);
    this.schedulerTick = number('scheduler_tick', this.schedulerTick);
    this.transitions = number('transitions', this.transitions);
  }

  /** An independent copy. */
  copy(): Activities {
    const copy = new Activities();
    copy.schedulerCpu = this.schedulerCpu;
    copy.schedulerTick = this.schedulerTick;
    copy.transitions = this.transitions;
    for (const [id, metric] of this.byId) {
      copy.byId.set(id, metric);
    }
    for (const [id, metric] of this.spansById) {
      copy.spansById.set(id, metric);
    }
    return copy;
  }

  clear(): void {
    this.byId.clear();
    this.spansById.clear();
    this.schedulerCpu = this.schedulerTick = this.transitions = Number.NaN;
  }

  private readonly byId = new Map<number, Activity>();
  private readonly spansById = new Map<number, Activity>();
}
