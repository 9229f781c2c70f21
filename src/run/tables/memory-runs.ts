import type { Bytes, Seconds } from '../../base/units';
import type { Scalar, TopicBody } from '../../feed/frame';

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

/** Samples of `MemorySampler` by run, in order of the runs' start; see topic `memory_samples`. */
export class MemoryRuns {
  get list(): readonly MemoryRun[] {
    return [...this.runs.values()];
  }

  /** Samples that the collector's log dropped before they were read. */
  lost = 0;

  apply({ columns, scalars }: TopicBody): void {
    this.lost += typeof scalars.lost === 'number' ? scalars.lost : 0;
    for (const facts of Array.isArray(scalars.runs) ? scalars.runs : []) {
      this.describe(facts);
    }
    const { run, time, nbytes } = columns;
    for (let i = 0; i < (run?.length ?? 0); i++) {
      const open = this.runs.get(run[i]);
      // A row without a value only announces a change of its run.
      if (open !== undefined && Number.isFinite(nbytes[i])) {
        open.times.push(time[i]);
        open.values.push(nbytes[i]);
      }
    }
  }

  copy(): MemoryRuns {
    const copy = new MemoryRuns();
    copy.lost = this.lost;
    for (const [id, run] of this.runs) {
      copy.runs.set(id, { ...run, times: run.times.slice(), values: run.values.slice() });
    }
    return copy;
  }

  clear(): void {
    this.runs.clear();
    this.lost = 0;
  }

  private describe(facts: Scalar): void {
    if (typeof facts !== 'object' || facts === null || Array.isArray(facts) || typeof facts.id !== 'number') {
      return;
    }
    const text = (name: string): string => (typeof facts[name] === 'string' ? facts[name] : '');
    const { times = [], values = [] } = this.runs.get(facts.id) ?? {};
    this.runs.set(facts.id, {
      id: facts.id,
      key: text('key'),
      label: text('label'),
      measure: text('measure'),
      interval: typeof facts.interval === 'number' ? facts.interval : 0,
      stopped: facts.stopped === true,
      times,
      values
    });
  }

  private readonly runs = new Map<number, OpenRun>();
}
