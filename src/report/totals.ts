import { numberOf } from '../base/untrusted';
import type { Seconds } from '../base/units';
import type { TopicBody } from '../feed/frame';
import { KIND, TASK_STATUS, type Kind } from '../feed/schema';

/** Executions of one function: of a task that was tried again, each. */
export interface FunctionTotals {
  tasks: number;
  erred: number;
  /** Compute time over all threads. */
  seconds: Seconds;
  longest: Seconds;
}

/** Executions and times of the recording itself, excluding the scheduler's earlier work: the figures of the summary. */
export class Totals {
  tasks = 0;
  erred = 0;
  /** Rows that left the scheduler's ring before they were recorded. */
  lost = 0;
  /** Seconds by kind, summed over all threads. */
  readonly seconds: Record<Kind, Seconds> = Object.fromEntries(KIND.map(kind => [kind, 0])) as Record<Kind, Seconds>;
  /** By index into the names of prefixes. */
  readonly functions = new Map<number, FunctionTotals>();
  firstStart: Seconds = Number.POSITIVE_INFINITY;
  lastEnd: Seconds = Number.NEGATIVE_INFINITY;

  /** Add rows of the topic `tasks`. */
  add(body: TopicBody): void {
    const { start, duration, status, prefix } = body.columns;
    const lost = body.scalars.lost;
    this.lost += numberOf(lost);
    this.tasks += start?.length ?? 0;
    for (let i = 0; i < (start?.length ?? 0); i++) {
      const erred = TASK_STATUS[status?.[i] ?? 0] === 'erred' ? 1 : 0;
      this.erred += erred;
      this.count('compute', start[i], duration?.[i] ?? 0);
      this.countFunction(prefix?.[i] ?? -1, erred, duration?.[i] ?? 0);
    }
    for (const [i, code] of (body.moves?.kind ?? []).entries()) {
      const kind = KIND[code];
      if (kind !== undefined) {
        this.count(kind, body.moves?.start?.[i] ?? 0, body.moves?.duration?.[i] ?? 0);
      }
    }
  }

  private countFunction(prefix: number, erred: number, duration: Seconds): void {
    const known = this.functions.get(prefix) ?? { tasks: 0, erred: 0, seconds: 0, longest: 0 };
    known.tasks += 1;
    known.erred += erred;
    if (duration >= 0) {
      known.seconds += duration;
      known.longest = Math.max(known.longest, duration);
    }
    this.functions.set(prefix, known);
  }

  private count(kind: Kind, start: Seconds, duration: Seconds): void {
    if (start > 0 && duration >= 0) {
      this.seconds[kind] += duration;
      this.firstStart = Math.min(this.firstStart, start);
      this.lastEnd = Math.max(this.lastEnd, start + duration);
    }
  }
}
