import { numberOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { STEAL_OUTCOME, type StealOutcome } from '../../feed/schema';

/** A task that Dask tried to move from a busy worker to an idle one. */
export interface Steal {
  /** When the scheduler learnt what became of it. */
  readonly time: Seconds;
  readonly outcome: StealOutcome;
  /** Ids of the worker that had it and of the one that should get it; -1 if unknown. */
  readonly victim: number;
  readonly thief: number;
  readonly prefix: number;
  /** From the request to the answer; NaN if unknown. */
  readonly asked: Seconds;
  /** Dask's estimate of its work, with the transfers that it needs; NaN if unknown. */
  readonly cost: Seconds;
}

const LIMIT = 20_000;

/** The newest steals, oldest first; at most 20,000. See topic `steals` of the schema. */
export class Steals {
  readonly list: Steal[] = [];
  /** Steals dropped here or in the collector. */
  lost = 0;
  /** Number of changes: a reader compares it to detect a change. */
  version = 0;

  apply({ columns, scalars }: TopicBody): void {
    const { time, outcome, victim, thief, prefix, asked, cost } = columns;
    this.lost += numberOf(scalars.lost);
    for (let i = 0; i < (time?.length ?? 0); i++) {
      this.list.push({
        time: time[i],
        outcome: STEAL_OUTCOME[outcome?.[i] ?? -1] ?? 'outdated',
        victim: (victim?.[i] ?? 0) - 1,
        thief: (thief?.[i] ?? 0) - 1,
        prefix: prefix?.[i] ?? -1,
        asked: asked?.[i] ?? Number.NaN,
        cost: cost?.[i] ?? Number.NaN
      });
    }
    if (this.list.length > LIMIT) {
      this.lost += this.list.length - LIMIT;
      this.list.splice(0, this.list.length - LIMIT);
    }
    this.version += 1;
  }

  /** An independent copy. */
  copy(): Steals {
    const copy = new Steals();
    for (const steal of this.list) {
      copy.list.push(steal);
    }
    copy.lost = this.lost;
    copy.version = this.version;
    return copy;
  }

  clear(): void {
    this.list.length = 0;
    this.lost = 0;
    this.version += 1;
  }
}
