import { ERRED } from './lane-chunk';
import type { Chunk } from './lane-chunk';
import type { Pasts } from './past/past';
import type { TaskStore } from './task-store';

/** Intervals between two yields. */
const STEP = 10_000;
/** Flag of a row that has no place in a lane, or has not been read yet. */
const ABSENT = 0xff;

/**
 * All kept executions as columns by row number, for sorting and filtering: the store has them by lane.
 *
 * Guarantees: rows are in the order in which the scheduler learnt of them; {@link fill} reads what has come since, in
 * slices, and looks at whole chunks once. Several readers may fill it at the same time, and give up before the end.
 */
export class ExecutionList {
  constructor(private readonly store: TaskStore) {}

  /** Number of the first row that is kept. */
  base = 0;
  /** Rows from {@link base} on. */
  count = 0;
  start = new Float64Array(0);
  duration = new Float32Array(0);
  nbytes = new Float32Array(0);
  lane = new Uint32Array(0);
  prefix = new Uint16Array(0);
  flags = new Uint8Array(0);
  /** Where the rows are, if some in between are missing: they had not ended at the moment of a recording. */
  known: Uint32Array | null = null;

  /** Whether a row is known: one without a usable time is not. */
  has(i: number): boolean {
    return this.flags[i] !== ABSENT;
  }

  /** Whether the execution of row `i` raised an exception. */
  erred(i: number): boolean {
    return (this.flags[i] & ERRED) !== 0;
  }

  /** Read what has come since the last time. */
  *fill(): Generator<void, void, void> {
    const { store } = this;
    const end = store.nextRow;
    const kept = Math.max(store.listed, 1);
    // Rows that were not placed are among the numbers, too, and at a moment of a recording those that had not ended.
    const base = Math.max(0, end - Math.min(end, kept + store.unplaced + store.unended));
    this.reserve(base, end);
    let looked = 0;
    for (const [lane, state] of store.lanes.entries()) {
      const chunks = state?.compute.chunks ?? [];
      for (const chunk of chunks) {
        const { length } = chunk;
        if (length === 0) {
          continue;
        }
        // As many may have been dropped as have come.
        const [first, last] = [chunk.rowOf(0), chunk.rowOf(length - 1)];
        const before = this.read.get(chunk);
        if (before?.length === length && before.first === first && before.last === last) {
          continue;
        }
        let whole = true;
        // A late execution may be anywhere in the last chunk.
        for (let k = 0; k < length; k++) {
          whole = this.put(chunk, k, lane) && whole;
          if (++looked % STEP === 0) {
            yield;
          }
        }
        if (whole) {
          this.read.set(chunk, { length, first, last });
        }
      }
    }
    // Another reader may have been faster.
    this.count = Math.max(this.count, end - this.base);
    this.known = store.unended > 0 ? Uint32Array.from(this.flags.keys()).filter(i => i < this.count && this.has(i)) : null;
  }

  /** Returns whether there is room: rows may have come meanwhile. */
  private put(chunk: Chunk, k: number, lane: number): boolean {
    const i = chunk.rowOf(k) - this.base;
    if (i >= 0 && i < this.start.length) {
      this.start[i] = chunk.startOf(k);
      this.duration[i] = chunk.durationOf(k);
      this.nbytes[i] = chunk.detailOf(k);
      this.lane[i] = lane;
      this.prefix[i] = chunk.labelOf(k);
      this.flags[i] = chunk.flagsOf(k) & ERRED;
    }
    return i < this.start.length;
  }

  /** Make room for rows, and drop those before `base`. */
  private reserve(base: number, end: number): void {
    const { pasts } = this.store;
    if (pasts !== this.pasts) {
      // Another run has begun: its rows are numbered from the start.
      this.pasts = pasts;
      this.flags.fill(ABSENT);
      this.base = base;
      this.count = 0;
    }
    const drop = Math.max(0, base - this.base);
    const needed = end - (this.base + drop);
    const room = this.start.length;
    if (needed > room || drop > 0) {
      const size = needed > room ? Math.ceil(needed * 1.25) + 1024 : room;
      // Also what is beyond the count: another reader may be reading it, and looks at a chunk once.
      const move = <T extends Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array>(from: T, into: T): T => {
        into.set(from.subarray(drop) as never);
        return into;
      };
      this.start = move(this.start, new Float64Array(size));
      this.duration = move(this.duration, new Float32Array(size));
      this.nbytes = move(this.nbytes, new Float32Array(size));
      this.lane = move(this.lane, new Uint32Array(size));
      this.prefix = move(this.prefix, new Uint16Array(size));
      this.flags = move(this.flags, new Uint8Array(size).fill(ABSENT));
      this.base += drop;
      this.count = Math.max(0, this.count - drop);
    }
  }

  /** Those of the store, which has others in each run. */
  private pasts: Pasts | null = null;
  /** What was read of each chunk. */
  private readonly read = new WeakMap<Chunk, { readonly length: number; readonly first: number; readonly last: number }>();
}

const lists = new WeakMap<TaskStore, { readonly list: ExecutionList; readonly id: number }>();
let made = 0;

/** The executions of a store, for all who list them, and what distinguishes it from other stores. */
export function executionsOf(store: TaskStore): { readonly list: ExecutionList; readonly id: number } {
  const known = lists.get(store) ?? { list: new ExecutionList(store), id: made++ };
  lists.set(store, known);
  return known;
}
