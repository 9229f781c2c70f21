import { isMap, listOf, numberOf, textOf } from '../../base/untrusted';
import type { Bytes, Seconds, Share } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

/** What is known of the first samples of a run, which were dropped. */
export interface EarlierSamples {
  readonly start: Seconds;
  readonly first: Bytes;
  readonly peak: Bytes;
  /** Each times the time until the next one, up to the first that is kept; gaps are left out. */
  readonly area: number;
  /** The time until the first that is kept, without gaps. */
  readonly sampled: Seconds;
}

/** One run of Dask's `MemorySampler`. All texts are untrusted. */
export interface MemoryRun {
  readonly id: number;
  /** The uid assigned by Dask. */
  readonly key: string;
  /** The label given by the user; empty if there is none or the client did not report it. */
  readonly label: string;
  /** A measure of Dask's `MemoryState`; empty if unknown. */
  readonly measure: string;
  /** Time between two samples; 0 if unknown. */
  readonly interval: Seconds;
  readonly stopped: boolean;
  /** `null` if all samples are kept. */
  readonly earlier: EarlierSamples | null;
  /** Samples in order of time. */
  readonly times: readonly Seconds[];
  readonly values: readonly Bytes[];
}

interface OpenRun extends MemoryRun {
  readonly times: Seconds[];
  readonly values: Bytes[];
}

/** Most runs, and most samples of all runs together, as many as the collector keeps. */
const RUNS = 200;
const SAMPLES = 500_000;

/** Samples of `MemorySampler` by run, in order of the runs' start; see topic `memory_samples`. */
export class MemoryRuns {
  get list(): readonly MemoryRun[] {
    return [...this.runs.values()];
  }

  /** Samples that the collector's log dropped before they were read, and those dropped here for the bounds. */
  lost = 0;

  apply({ columns, scalars }: TopicBody): void {
    this.lost += numberOf(scalars.lost);
    for (const facts of listOf(scalars.runs)) {
      this.describe(facts);
    }
    const { run, time, nbytes } = columns;
    for (let i = 0; i < (run?.length ?? 0); i++) {
      const open = this.runs.get(run[i]);
      // A row without a value only announces a change of its run.
      if (open !== undefined && Number.isFinite(nbytes[i])) {
        open.times.push(time[i]);
        open.values.push(nbytes[i]);
        this.samples++;
      }
    }
    this.trim();
  }

  copy(): MemoryRuns {
    const copy = new MemoryRuns();
    copy.lost = this.lost;
    copy.samples = this.samples;
    for (const [id, run] of this.runs) {
      copy.runs.set(id, { ...run, times: run.times.slice(), values: run.values.slice() });
    }
    return copy;
  }

  clear(): void {
    this.runs.clear();
    this.lost = 0;
    this.samples = 0;
  }

  private describe(facts: unknown): void {
    if (!isMap(facts) || typeof facts.id !== 'number') {
      return;
    }
    const { earlier = null, times = [], values = [] } = this.runs.get(facts.id) ?? {};
    this.runs.set(facts.id, {
      id: facts.id,
      key: textOf(facts.key),
      label: textOf(facts.label),
      measure: textOf(facts.measure),
      interval: numberOf(facts.interval),
      stopped: facts.stopped === true,
      earlier,
      times,
      values
    });
  }

  /**
   * Drop the oldest runs that have stopped, but not the newest: what is kept of a run is compared with others. Where that is
   * not enough, those that are left lose their first samples, of which only sums are kept: one that goes on would begin again.
   */
  private trim(): void {
    const newest = [...this.runs.keys()].pop();
    for (const stopped of [true, false]) {
      for (const [id, run] of this.runs) {
        const tooMany = this.runs.size > RUNS || (stopped && this.samples > SAMPLES);
        if (tooMany && run.stopped === stopped && id !== newest) {
          this.runs.delete(id);
          this.drop(run.times.length);
        }
      }
    }
    if (this.samples > SAMPLES) {
      // A tenth more than needed, so that a long run is not moved with each frame.
      const dropped: Share = 1 - (SAMPLES * 0.9) / this.samples;
      for (const [id, run] of this.runs) {
        const count = Math.floor(dropped * run.times.length);
        this.runs.set(id, shortened(run, count));
        this.drop(count);
      }
    }
  }

  private drop(samples: number): void {
    this.samples -= samples;
    this.lost += samples;
  }

  /** Of all runs. */
  private samples = 0;
  private readonly runs = new Map<number, OpenRun>();
}

/** After this long without a sample, nothing is known: a number of sampling intervals, and a minimum. */
const GAP_INTERVALS = 4;
const GAP: Seconds = 5;

/** The longest time between two samples of a run of which they tell something. */
export function gapOf({ interval }: Pick<MemoryRun, 'interval'>): Seconds {
  return Math.max(GAP, GAP_INTERVALS * interval);
}

/** A run without its first samples. */
function shortened(run: OpenRun, count: number): OpenRun {
  const { earlier, times, values } = run;
  const gap = gapOf(run);
  let [peak, area, sampled] = [earlier?.peak ?? Number.NEGATIVE_INFINITY, earlier?.area ?? 0, earlier?.sampled ?? 0];
  for (let i = 0; i < count; i++) {
    peak = Math.max(peak, values[i]);
    const step = i + 1 < times.length ? times[i + 1] - times[i] : 0;
    if (step <= gap) {
      area += values[i] * step;
      sampled += step;
    }
  }
  const { start, first } = earlier ?? { start: times[0], first: values[0] };
  times.splice(0, count);
  values.splice(0, count);
  return count > 0 ? { ...run, earlier: { start, first, peak, area, sampled } } : run;
}
