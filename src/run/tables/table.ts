import { withRoom } from '../../base/arrays';
import type { Column, TopicBody } from '../../feed/frame';

/**
 * Rows by id with typed columns, folded from row deltas: a row with the same id replaces the existing one. All values
 * are stored as f64; ids are small integers from the collector's dictionaries.
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
    return this.slots.has(id);
  }

  /** A value; NaN if the id has no row or the column never arrived. */
  get(id: number, column: C): number {
    return this.at(this.place(id), column);
  }

  /** Where the row of an id is until rows come or leave; -1 if it has none. Looked up once where many columns are read. */
  place(id: number): number {
    return this.slots.get(id) ?? -1;
  }

  /** A value by the place of its row; NaN if there is no such row or the column never arrived. */
  at(place: number, column: C): number {
    return place < 0 ? Number.NaN : this.columns[column][place];
  }

  /** Fold in the rows of one topic body, identified by column `id`. */
  apply(body: TopicBody): void {
    const ids = body.columns.id;
    if (ids === undefined) {
      return;
    }
    // A new row is appended whatever its id: ids may be sparse.
    const places = new Uint32Array(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const slot = this.slots.get(ids[i]) ?? this.order.length;
      places[i] = slot;
      if (slot === this.order.length) {
        this.slots.set(ids[i], slot);
        this.order.push(ids[i]);
      }
    }
    this.reserve(this.order.length);
    for (const name of this.names) {
      const source: Column | undefined = body.columns[name];
      const target = this.columns[name];
      for (let i = 0; i < ids.length; i++) {
        target[places[i]] = source === undefined ? Number.NaN : source[i];
      }
    }
  }

  /** Remove the rows of some ids. */
  drop(leave: ReadonlySet<number>): void {
    const kept = this.order.filter(id => !leave.has(id));
    for (const name of this.names) {
      const values = this.columns[name];
      for (const [slot, id] of kept.entries()) {
        values[slot] = values[this.slots.get(id) ?? 0];
      }
    }
    this.clear();
    for (const id of kept) {
      this.slots.set(id, this.order.push(id) - 1);
    }
  }

  /** An independent copy. */
  copy(): Table<C> {
    return this.copyInto(new Table(this.names));
  }

  protected copyInto<T extends Table<C>>(copy: T): T {
    for (const name of this.names) {
      copy.columns[name] = this.columns[name].slice();
    }
    for (const [slot, id] of this.order.entries()) {
      copy.order.push(id);
      copy.slots.set(id, slot);
    }
    return copy;
  }

  /** Forget all rows. */
  clear(): void {
    this.slots.clear();
    this.order.length = 0;
  }

  private reserve(count: number): void {
    for (const name of this.names) {
      this.columns[name] = withRoom(this.columns[name], count, Float64Array);
    }
  }

  private readonly columns: Record<C, Float64Array>;
  /** Index of an id's row in the columns. */
  private readonly slots = new Map<number, number>();
  private readonly order: number[] = [];
}
