import type { Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { ATTEMPT_END, ATTEMPTS_COLUMNS, type AttemptEnd, type AttemptsColumn } from '../../feed/schema';
import { Table } from '../tables/table';

/** An execution without a result and without a record in Dask, or one that made up for a lost result or attempt. */
export interface Attempt {
  readonly prefix: number;
  readonly how: AttemptEnd;
  /** When its worker got it, or when it began if it is not a retried or a rescheduled one; NaN if unknown. */
  readonly begin: Seconds;
  readonly end: Seconds;
}

const LIMIT = 20_000;

/** Attempts by prefix, and the newest with their times, at most 20,000. See topic `attempts` of the schema. */
export class Attempts extends Table<AttemptsColumn> {
  constructor() {
    super(ATTEMPTS_COLUMNS);
  }

  /** In order of their ends. */
  readonly timed: Attempt[] = [];

  /** Whether all attempts that ended after a time are among {@link timed}: older collectors and recordings have no times. */
  knowsSince(time: Seconds): boolean {
    return this.known && (!this.lost || (this.timed[0]?.end ?? Number.POSITIVE_INFINITY) <= time);
  }

  override apply(body: TopicBody): void {
    super.apply(body);
    const { first } = body.scalars;
    if (typeof first === 'number') {
      this.known = true;
      this.lost ||= first > 0;
    }
    const { number, prefix, how, begin, end } = body.moves ?? {};
    for (let i = 0; i < (number?.length ?? 0); i++) {
      // A frame may repeat what has come.
      if (number[i] >= this.next) {
        this.next = number[i] + 1;
        this.timed.push({
          prefix: prefix?.[i] ?? -1,
          how: ATTEMPT_END[how?.[i] ?? -1] ?? 'lost',
          begin: begin?.[i] ?? Number.NaN,
          end: end?.[i] ?? Number.NaN
        });
      }
    }
    if (this.timed.length > LIMIT) {
      this.lost = true;
      this.timed.splice(0, this.timed.length - LIMIT);
    }
  }

  override copy(): Attempts {
    const copy = this.copyInto(new Attempts());
    for (const each of this.timed) {
      copy.timed.push(each);
    }
    copy.known = this.known;
    copy.lost = this.lost;
    copy.next = this.next;
    return copy;
  }

  override clear(): void {
    super.clear();
    this.timed.length = 0;
    this.known = false;
    this.lost = false;
    this.next = 0;
  }

  private known = false;
  private lost = false;
  private next = 0;
}
