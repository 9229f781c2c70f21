import { slicedSort } from '../../../base/sliced-sort';
import type { Milliseconds } from '../../../base/units';
import type { LongRows, LongTable, TableRow } from '../../../plot/plot';
import type { Sort } from '../row-order';

/** Time for one frame's share of reading, searching and sorting. */
const BUDGET: Milliseconds = 5;
/** Rows searched between two yields. */
const STEP = 5_000;
/** Rows that a copy takes. */
export const COPIED = 100_000;

const NONE: ReadonlySet<string> = new Set();

/** What is shown of a long table: the numbers of its rows, in order. */
interface Shown {
  readonly rows: LongRows;
  /** `null` for all rows, the newest first. */
  readonly order: Uint32Array | null;
  /** {@link LongTable.settled} then. */
  readonly settled: number;
}

/**
 * The rows of a long table in the order that the user chose, found and sorted over some frames.
 *
 * Guarantees:
 * 1. One call of {@link work} takes about 5 ms, whatever the number of rows; until a new order is ready, the former one stays.
 * 2. In the table's own order, new rows come at once. A sorted or searched table stays as it is, so that rows do not move
 *    under the pointer: {@link newer} says how many rows came since, and {@link renew} takes them in.
 */
export class LongOrder {
  /** Number of rows shown. */
  get length(): number {
    return this.shown === null ? 0 : (this.shown.order?.length ?? this.shown.rows.count);
  }

  /** Number of all rows of the moment that is shown. */
  get count(): number {
    return this.shown?.rows.count ?? 0;
  }

  /** Rows that came before the others since the last call, in the table's own order. */
  takeGrown(): number {
    const { grownBy } = this;
    this.grownBy = 0;
    return grownBy;
  }

  /** Rows that came since, which a sorted or searched table does not show. */
  newer(table: LongTable): number {
    const settled = (table.settled ?? 0) - (this.shown?.settled ?? 0);
    return this.plain || this.shown === null ? 0 : Math.max(0, table.count - this.count, settled);
  }

  /** Whether a new order is on its way, which takes several frames. */
  get slow(): boolean {
    return !this.plain && this.steps !== null;
  }

  /** The row at a place; undefined beyond the end. */
  at(place: number): TableRow | undefined {
    const { shown } = this;
    if (shown === null || place < 0 || place >= this.length) {
      return undefined;
    }
    return shown.rows.row(shown.order === null ? shown.rows.count - 1 - place : shown.order[place]);
  }

  /** Find, search and sort again. */
  renew(): void {
    this.wanted = '';
    this.steps = null;
  }

  /**
   * Work towards what is wanted now.
   *
   * @param keyed - ids of rows found by their keys; another set each time there are more
   * @returns whether there is more to do
   */
  work(table: LongTable, sort: Sort, text: string, keyed: ReadonlySet<string> = NONE): boolean {
    const wanted = JSON.stringify([sort, text.trim(), table.identity]);
    this.plain = sort.column === '' && text.trim() === '';
    // Keys come one answer after another: a search that is under way is finished first, or it might never be.
    const more = this.steps === null && keyed !== this.keyed;
    if (wanted !== this.wanted || more || (this.plain && this.steps === null)) {
      this.wanted = wanted;
      this.keyed = keyed;
      this.steps = this.begin(table, sort, text.trim(), keyed);
    }
    const until = performance.now() + BUDGET;
    while (this.steps !== null) {
      const { done, value } = this.steps.next();
      if (done) {
        this.steps = null;
        this.grownBy +=
          this.shown !== null && value.order === null && this.shown.order === null ? value.rows.count - this.shown.rows.count : 0;
        this.shown = value;
      } else if (performance.now() >= until) {
        return true;
      }
    }
    return false;
  }

  private *begin(table: LongTable, sort: Sort, text: string, keyed: ReadonlySet<string>): Generator<void, Shown, void> {
    const { settled = 0 } = table;
    const rows = yield* table.rows();
    if (sort.column === '' && text === '') {
      return { rows, order: null, settled };
    }
    const order = yield* this.find(rows, text, keyed);
    if (sort.column !== '') {
      const keys = new Float64Array(rows.count);
      for (let i = 0; i < rows.count; i++) {
        keys[i] = rows.key(i, sort.column);
        if (i % STEP === STEP - 1) {
          yield;
        }
      }
      yield* slicedSort(order, keys, sort.descending ? -1 : 1);
    }
    return { rows, order, settled };
  }

  /** Numbers of the rows that a search finds, the newest first. */
  private *find(rows: LongRows, text: string, keyed: ReadonlySet<string>): Generator<void, Uint32Array, void> {
    const fits = rows.fits(text, keyed);
    const found = new Uint32Array(rows.count);
    let length = 0;
    for (let i = rows.count - 1; i >= 0; i--) {
      if (fits === null || fits(i)) {
        found[length++] = i;
      }
      if (i % STEP === 0) {
        yield;
      }
    }
    return found.slice(0, length);
  }

  private shown: Shown | null = null;
  private keyed: ReadonlySet<string> = NONE;
  private grownBy = 0;
  private wanted = '';
  private plain = true;
  private steps: Generator<void, Shown, void> | null = null;
}
