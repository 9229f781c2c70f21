import { numberOf } from '../../base/untrusted';
import type { TopicBody } from '../../feed/frame';
import { Growing } from './task-graph';

/** Number of an execution whose task is not in the graph. */
const NONE = 2 ** 32 - 1;
/** Rows kept: what the collector keeps. */
const MOST_ROWS = 400_000;
/** Rows dropped together. */
const CHUNK = 65_536;

/** Which task of the graph each execution was of, by the row numbers of executions; folded from the topic `executed`. */
export class ExecutedRows {
  /** Row of the oldest execution whose task is known. */
  get first(): number {
    return this.base;
  }

  /** Row after the newest execution whose task is known. */
  get end(): number {
    return this.base + this.numbers.length;
  }

  /** Number of the task that a row was an execution of; -1 if it is not known or not in the graph. */
  task(row: number): number {
    const at = row - this.base;
    const number = at >= 0 && at < this.numbers.length ? this.numbers.values[at] : NONE;
    return number === NONE ? -1 : number;
  }

  /** Numbers of the tasks of all rows from {@link first} on, without a copy; above all others where it is not in the graph. */
  get tasks(): Uint32Array {
    return this.numbers.values.subarray(0, this.numbers.length);
  }

  /** Rows of the executions of a task that are known. */
  rows(task: number): readonly number[] {
    const { values, length } = this.numbers;
    const rows: number[] = [];
    for (let i = 0; i < length; i++) {
      if (values[i] === task) {
        rows.push(this.base + i);
      }
    }
    return rows;
  }

  /** Fold in a body; repeated rows change nothing. */
  apply({ columns, scalars }: TopicBody): void {
    const { number } = columns;
    const first = numberOf(scalars.first, this.end);
    if (number === undefined) {
      return;
    }
    if (first > this.end || first < this.base) {
      // These do not continue what there is.
      this.numbers.clear();
      this.base = first;
    }
    this.numbers.write(first - this.base, number);
    const excess = this.numbers.length - MOST_ROWS;
    if (excess >= CHUNK) {
      this.numbers.drop(excess);
      this.base += excess;
    }
  }

  clear(): void {
    this.numbers.clear();
    this.base = 0;
  }

  /** An independent copy. */
  copy(): ExecutedRows {
    const copy = new ExecutedRows();
    copy.base = this.base;
    copy.numbers = this.numbers.copy();
    return copy;
  }

  private base = 0;
  private numbers = new Growing(length => new Uint32Array(length));
}
