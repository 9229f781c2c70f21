import type { TopicBody } from '../../feed/frame';
import { PREFIXES_COLUMNS, type PrefixesColumn } from '../../feed/schema';
import { Table } from './table';

/** Counts of tasks by function. */
export class Prefixes extends Table<PrefixesColumn> {
  constructor() {
    super(PREFIXES_COLUMNS);
  }

  /** Number of an execution before which the counts know of all; Infinity where the collector does not tell it. */
  counted = Number.POSITIVE_INFINITY;

  override apply(body: TopicBody): void {
    const { counted } = body.scalars;
    // While more rows follow, as before.
    this.counted = typeof counted === 'number' ? counted : this.counted;
    super.apply(body);
  }

  override copy(): Prefixes {
    return Object.assign(this.copyInto(new Prefixes()), { counted: this.counted });
  }

  override clear(): void {
    super.clear();
    this.counted = Number.POSITIVE_INFINITY;
  }
}
