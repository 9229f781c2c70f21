import { isMap, listOf, numberOf, textOf } from '../../base/untrusted';
import type { Bytes, Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

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
    const { times = [], values = [] } = this.runs.get(facts.id) ?? {};
    this.runs.set(facts.id, {
      id: facts.id,
      key: textOf(facts.key),
      label: textOf(facts.label),
      measure: textOf(facts.measure),
      interval: numberOf(facts.interval),
      stopped: facts.stopped === true,
      times,
      values
    });
  }

  /**
   * Drop the oldest runs: those that have stopped before those that have not, and not the newest. What is kept of a run is whole, since
   * its peak and its start are compared with those of others; only a run that is left alone loses its first samples.
   */
  private trim(): void {
    const newest = [...this.runs.keys()].pop();
    for (const stopped of [true, false]) {
      for (const [id, run] of this.runs) {
        if (this.runs.size <= RUNS && this.samples <= SAMPLES) {
          return;
        }
        if (run.stopped === stopped && id !== newest) {
          this.runs.delete(id);
          this.drop(run.times.length);
        }
      }
    }
    for (const { times, values } of this.runs.values()) {
      // A tenth more than needed, so that a long run is not moved with each frame.
      const count = this.samples - SAMPLES * 0.9;
      if (this.samples > SAMPLES) {
        times.splice(0, count);
        values.splice(0, count);
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
