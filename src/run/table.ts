import type { Column, TopicBody } from '../feed/frame';

/**
 * Rows by id with typed columns, folded from row deltas: a row that comes again replaces the one that is there.
 * All values are kept as f64; ids are small integers handed out by the collector's dictionaries.
 */
export class Table<C extends string> {
  constructor(readonly names: readonly C[]) {
    this.columns = Object.fromEntries(names.map(name => [name, new Float64Array(16)])) as Record<C, Float64Array>;
  }

  /** Ids that have a row, in order of first appearance. */
  get ids(): readonly number[] {
    return this.order;
  }

  /** Number of rows. */
  get size(): number {
    return this.order.length;
  }

  /** Whether the id has a row. */
  has(id: number): boolean {
    return this.known.has(id);
  }

  /** A value; NaN where the id has no row or the frames never had the column. */
  get(id: number, column: C): number {
    return this.known.has(id) ? this.columns[column][id] : Number.NaN;
  }

  /** Take over the rows of one topic body, whose column `id` says which they are. */
  apply(body: TopicBody): void {
    const ids = body.columns.id;
    if (ids === undefined) {
      return;
    }
    let largest = -1;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      largest = Math.max(largest, id);
      if (!this.known.has(id)) {
        this.known.add(id);
        this.order.push(id);
      }
    }
    this.reserve(largest + 1);
    for (const name of this.names) {
      const source: Column | undefined = body.columns[name];
      const target = this.columns[name];
      for (let i = 0; i < ids.length; i++) {
        target[ids[i]] = source === undefined ? Number.NaN : source[i];
      }
    }
  }

  /** A table with the same rows that goes its own way. */
  copy(): Table<C> {
    const copy = new Table<C>(this.names);
    for (const name of this.names) {
      copy.columns[name] = this.columns[name].slice();
    }
    copy.order.push(...this.order);
    for (const id of this.order) {
      copy.known.add(id);
    }
    return copy;
  }

  /** Forget all rows. */
  clear(): void {
    this.known.clear();
    this.order.length = 0;
  }

  private reserve(count: number): void {
    for (const name of this.names) {
      const old = this.columns[name];
      if (old.length < count) {
        const grown = new Float64Array(Math.max(count, old.length * 2));
        grown.set(old);
        this.columns[name] = grown;
      }
    }
  }

  private readonly columns: Record<C, Float64Array>;
  private readonly known = new Set<number>();
  private readonly order: number[] = [];
}
