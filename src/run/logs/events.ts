import { listOf, numberOf, textOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

/** One event of the scheduler. All texts are untrusted. */
export interface SchedulerEvent {
  readonly time: Seconds;
  readonly topic: string;
  readonly action: string;
  /** The whole event as JSON text. */
  readonly text: string;
}

const LIMIT = 10_000;

/** The newest scheduler events, oldest first; at most 10,000. */
export class EventLog {
  readonly list: SchedulerEvent[] = [];
  /** Events dropped here or in the collector. */
  lost = 0;

  apply(body: TopicBody): void {
    const times = body.columns.time ?? new Float64Array(0);
    const text = (name: string, i: number): string => textOf(listOf(body.scalars[name])[i]);
    this.lost += numberOf(body.scalars.lost);
    for (let i = 0; i < times.length; i++) {
      this.list.push({ time: times[i], topic: text('topic', i), action: text('action', i), text: text('text', i) });
    }
    if (this.list.length > LIMIT) {
      this.lost += this.list.length - LIMIT;
      this.list.splice(0, this.list.length - LIMIT);
    }
  }

  /** An independent copy. */
  copy(): EventLog {
    const copy = new EventLog();
    copy.list.push(...this.list);
    copy.lost = this.lost;
    return copy;
  }

  clear(): void {
    this.list.length = 0;
    this.lost = 0;
  }
}
