import { listOf, numberOf, textOf } from '../../base/untrusted';
import { withRoom } from '../../base/arrays';
import type { Milliseconds, Seconds, Share } from '../../base/units';
import type { Column, TopicBody } from '../../feed/frame';

/** A function as seen by the profiler. All texts are untrusted. */
export interface ProfileFrame {
  readonly name: string;
  readonly file: string;
  /** Line of its definition. */
  readonly first: number;
  /** Line at which it was first seen, and its source text if the worker could read it. */
  readonly line: number;
  readonly text: string;
}

/** Status of the workers' profilers in the newest frame; counts of servers, and texts. */
export interface ProfileStatus {
  /** Time between two samples, and length of a cycle; 0 if unknown. */
  readonly interval: Seconds;
  readonly cycle: Seconds;
  readonly servers: number;
  readonly silent: number;
  readonly off: number;
  readonly python311: number;
  readonly gone: number;
  readonly dropped: number;
  readonly lost: number;
  readonly full: boolean;
  readonly limited: string;
  /** Scheduler time from which on the samples are known; 0 if not reported. */
  readonly known: Seconds;
  /** Whether the kernel also reads them while no pane is open; `null` in recordings. */
  readonly history: boolean | null;
}

/** Filter of samples. */
export interface ProfileFilter {
  /** Numbers of prefixes; all if missing. */
  readonly prefixes?: readonly number[];
  /** 1 + worker id, 0 for the scheduler; all if missing. */
  readonly workers?: readonly number[];
  /** Scheduler time; the middle of a row's period must be in the range. */
  readonly from?: Seconds;
  readonly to?: Seconds;
}

/** Samples by stack number. */
export interface ProfileFold {
  /** Samples in which the stack's last frame was the innermost. */
  readonly own: Float64Array;
  /** Samples of the stack and of everything that it called. Number 0 is the total. */
  readonly total: Float64Array;
}

const COLUMNS = ['at', 'span', 'worker', 'prefix', 'stack', 'samples'] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Maximum number of rows: results must be computed from them without a noticeable delay. */
const MOST_ROWS = 1_000_000;
/** Periods to which older rows are merged when there are too many; ten times as long where that does not free enough. */
const FIRST_STEP: Milliseconds = 10_000;
const LONGEST_STEP: Milliseconds = 100_000_000;

const NO_CALLEES = new Uint32Array(0);

const NOTHING: ProfileStatus = {
  interval: 0,
  cycle: 0,
  servers: 0,
  silent: 0,
  off: 0,
  python311: 0,
  gone: 0,
  dropped: 0,
  lost: 0,
  full: false,
  limited: '',
  known: 0,
  history: null
};

/**
 * Samples of statistical profilers: rows of (period, worker, prefix, stack, samples), see topic `profile` of the
 * schema. A stack is a number; its parent has a smaller one, and 0 is the empty stack. All results are computed from
 * the rows; nothing is stored by prefix, worker or period.
 */
export class ProfileStore {
  /** @param mostRows - maximum number of rows; beyond it, older rows are merged in time */
  constructor(private readonly mostRows = MOST_ROWS) {}

  /** Functions by number; number 0 stands for one of several that Dask does not distinguish. */
  readonly frames: (ProfileFrame | null)[] = [null];
  readonly prefixes: string[] = [];
  /** The latest status from the workers. */
  status: ProfileStatus = NOTHING;
  /** Rows dropped by this page. */
  dropped = 0;

  /** Number of changes of the rows so far, for caches of what is computed from them. */
  get changes(): number {
    return this.changeCount;
  }

  /** Number of rows kept. */
  get length(): number {
    return this.count;
  }

  /** Number of known stacks, including the empty one. */
  get stacks(): number {
    return this.stackCount;
  }

  /** Number of the calling stack. */
  parent(stack: number): number {
    return this.parents[stack];
  }

  /** The innermost function of a stack; `null` if Dask reports only one of several, and for the empty stack. */
  frame(stack: number): ProfileFrame | null {
    return this.frames[this.frameOf[stack]] ?? null;
  }

  /** Number of the innermost function of a stack; 0 for none. */
  frameNumber(stack: number): number {
    return this.frameOf[stack];
  }

  /** Stacks called by a stack, in order of first appearance. */
  callees(stack: number): Uint32Array {
    this.index();
    const [from, to] = [this.childrenFrom[stack], this.childrenFrom[stack + 1]];
    // Half of the boxes of a picture call nothing; a view of no numbers takes as long as one of many.
    return from === to ? NO_CALLEES : this.children.subarray(from, to);
  }

  /** Earliest and latest moment of the rows; NaN without rows. */
  get period(): { readonly from: Seconds; readonly to: Seconds } {
    return { from: this.earliest, to: this.latest };
  }

  /** Numbers of prefixes, or of workers, that have rows. */
  present(column: 'prefix' | 'worker'): readonly number[] {
    return [...this.seen[column].keys()].sort((a, b) => a - b);
  }

  /** Of {@link present}, as many as wanted: those with the most samples. */
  busiest(column: 'prefix' | 'worker', most: number): readonly number[] {
    const { [column]: samples } = this.seen;
    const chosen = [...samples.keys()].sort((a, b) => (samples.get(b) ?? 0) - (samples.get(a) ?? 0) || a - b).slice(0, most);
    return chosen.sort((a, b) => a - b);
  }

  /** Fold in one body. */
  apply(body: TopicBody): void {
    const { scalars, columns } = body;
    this.changeCount++;
    if (scalars.first === 0) {
      this.clear();
    }
    this.since = numberOf(scalars.since, this.since);
    this.status = readStatus(scalars);
    for (const frame of listOf(scalars.frames)) {
      this.frames.push(readFrame(frame));
    }
    for (const prefix of listOf(scalars.prefixes)) {
      this.prefixes.push(String(prefix));
    }
    this.appendStacks(body.moves?.parent, body.moves?.frame);
    this.appendRows(columns);
  }

  /**
   * An independent copy to which nothing may be appended. The arrays are shared: this store only writes behind the part
   * that the copy reads, or into new arrays.
   */
  copy(): ProfileStore {
    const copy = new ProfileStore(this.mostRows);
    for (const frame of this.frames.slice(1)) {
      copy.frames.push(frame);
    }
    for (const prefix of this.prefixes) {
      copy.prefixes.push(prefix);
    }
    for (const name of ['prefix', 'worker'] as const) {
      for (const [number, samples] of this.seen[name]) {
        copy.seen[name].set(number, samples);
      }
    }
    Object.assign(copy.rows, this.rows);
    const { status, dropped, count, stackCount, since, earliest, latest, parents, frameOf } = this;
    Object.assign(copy, { status, dropped, count, stackCount, since, earliest, latest, parents, frameOf });
    this.lent = true;
    return copy;
  }

  /** Clear everything. */
  clear(): void {
    this.changeCount++;
    this.takeBack();
    this.frames.length = 1;
    this.prefixes.length = 0;
    this.status = NOTHING;
    this.count = this.dropped = this.indexed = 0;
    this.stackCount = 1;
    this.earliest = this.latest = Number.NaN;
    this.seen.prefix.clear();
    this.seen.worker.clear();
  }

  /** Samples by stack, of the rows that pass a filter. */
  fold(filter: ProfileFilter = {}): ProfileFold {
    const own = new Float64Array(this.stackCount);
    this.visit(filter, row => {
      own[this.rows.stack[row]] += this.rows.samples[row];
    });
    const total = own.slice();
    for (let stack = this.stackCount - 1; stack > 0; stack--) {
      total[this.parents[stack]] += total[stack];
    }
    return { own, total };
  }

  /** Numbers of the prefixes in whose samples a function is anywhere on the stack. */
  prefixesWith(frame: number, filter: ProfileFilter = {}): ReadonlySet<number> {
    // 0 where it is not known yet, 1 without the function, 2 with it: often a few stacks are enough.
    const known = new Uint8Array(this.stackCount);
    known[0] = 1;
    const isWithin = (stack: number): boolean => {
      let caller = stack;
      while (known[caller] === 0 && this.frameOf[caller] !== frame) {
        caller = this.parents[caller];
      }
      const answer = known[caller] === 0 ? 2 : known[caller];
      for (let at = stack; at !== caller; at = this.parents[at]) {
        known[at] = answer;
      }
      known[caller] = answer;
      return answer === 2;
    };
    const found = new Set<number>();
    const { stack, prefix } = this.rows;
    const all = filter.prefixes === undefined ? this.seen.prefix.size : new Set(filter.prefixes).size;
    this.visit(filter, row => {
      if (!found.has(prefix[row]) && isWithin(stack[row])) {
        found.add(prefix[row]);
      }
      return found.size === all;
    });
    return found;
  }

  /**
   * Samples over time: each row is spread evenly over its period. `from` and `to` are the ends of all columns together.
   *
   * @param even - time that passes evenly along the columns; by default, scheduler time does
   */
  activity(filter: ProfileFilter, from: Seconds, to: Seconds, columns: number, even = (time: Seconds) => time): Float64Array {
    const sums = new Float64Array(columns);
    const start = even(from);
    const width = (even(to) - start) / columns;
    if (!(width > 0)) {
      return sums;
    }
    const { at, span, samples } = this.rows;
    this.visit({ ...filter, from: undefined, to: undefined }, row => {
      const time = this.since + at[row] / 1000;
      const end = (even(time) - start) / width;
      const begin = Math.min((even(time - span[row] / 1000) - start) / width, end - 1e-9);
      const first = Math.max(0, Math.floor(begin));
      const last = Math.min(columns - 1, Math.floor(end));
      for (let column = first; column <= last; column++) {
        const share: Share = (Math.min(end, column + 1) - Math.max(begin, column)) / (end - begin);
        sums[column] += share > 0 ? share * samples[row] : 0;
      }
    });
    return sums;
  }

  /** @param act - returns `true` to see no further rows */
  private visit(filter: ProfileFilter, act: (row: number) => unknown): void {
    const { at, span, worker, prefix } = this.rows;
    const from = filter.from === undefined ? Number.NEGATIVE_INFINITY : (filter.from - this.since) * 1000;
    const to = filter.to === undefined ? Number.POSITIVE_INFINITY : (filter.to - this.since) * 1000;
    const prefixes = filter.prefixes && new Set(filter.prefixes);
    const workers = filter.workers && new Set(filter.workers);
    for (let row = 0; row < this.count; row++) {
      if (prefixes?.has(prefix[row]) === false || workers?.has(worker[row]) === false) {
        continue;
      }
      const middle = at[row] - span[row] / 2;
      if (middle >= from && middle < to && act(row) === true) {
        return;
      }
    }
  }

  private appendStacks(parents: Column | undefined, frames: Column | undefined): void {
    if (parents === undefined || frames === undefined) {
      return;
    }
    this.parents = withRoom(this.parents, this.stackCount + parents.length, Uint32Array);
    this.frameOf = withRoom(this.frameOf, this.stackCount + parents.length, Uint32Array);
    for (let i = 0; i < parents.length; i++) {
      // A stack with an unknown parent is attached to the root: a damaged file must not create a cycle.
      this.parents[this.stackCount] = parents[i] < this.stackCount ? parents[i] : 0;
      this.frameOf[this.stackCount] = frames[i] < this.frames.length ? frames[i] : 0;
      this.stackCount += 1;
    }
  }

  private appendRows(columns: TopicBody['columns']): void {
    const length = columns.at?.length ?? 0;
    if (length === 0 || COLUMNS.some(name => columns[name] === undefined)) {
      return;
    }
    this.makeRoom(length);
    for (const name of COLUMNS) {
      this.rows[name] = withRoom(this.rows[name], this.count + length, Uint32Array);
      this.rows[name].set(columns[name], this.count);
    }
    const { at, span, worker, prefix, stack, samples } = this.rows;
    for (let row = this.count; row < this.count + length; row++) {
      stack[row] = stack[row] < this.stackCount ? stack[row] : 0;
      this.note('worker', worker[row], samples[row]);
      this.note('prefix', prefix[row], samples[row]);
      const end = this.since + at[row] / 1000;
      this.latest = this.latest >= end ? this.latest : end;
      this.earliest = this.earliest <= end - span[row] / 1000 ? this.earliest : end - span[row] / 1000;
    }
    this.count += length;
  }

  private note(column: 'prefix' | 'worker', number: number, samples: number): void {
    this.seen[column].set(number, (this.seen[column].get(number) ?? 0) + samples);
  }

  /** If there are too many rows, merge the older half; if that does not help, drop the oldest quarter. */
  private makeRoom(length: number): void {
    if (this.count + length <= this.mostRows) {
      return;
    }
    this.takeBack();
    const enough = this.mostRows * 0.9 - length;
    for (let step = FIRST_STEP; this.count > enough && step <= LONGEST_STEP; step *= 10) {
      this.condense(this.count >> 1, step);
    }
    if (this.count > enough) {
      const gone = Math.min(this.count, Math.max(this.count + length - this.mostRows, this.mostRows >> 2));
      this.remove(0, gone);
      this.dropped += gone;
    }
  }

  /** Copy the arrays before rows change that a copy may read. */
  private takeBack(): void {
    if (this.lent) {
      this.lent = false;
      for (const name of COLUMNS) {
        this.rows[name] = this.rows[name].slice();
      }
      this.parents = this.parents.slice();
      this.frameOf = this.frameOf.slice();
    }
  }

  /** Merge the first rows that differ only in time, by periods; their sample counts are preserved. */
  private condense(end: number, step: Milliseconds): void {
    const { at, span, worker, prefix, stack, samples } = this.rows;
    // One number for all four would be too large to be exact.
    const known = new Map<number, Map<number, number>>();
    let kept = 0;
    for (let row = 0; row < end; row++) {
      const period = Math.floor(at[row] / step);
      const place = period * 2 ** 32 + worker[row];
      const here = known.get(place) ?? new Map<number, number>();
      known.set(place, here);
      const code = prefix[row] * this.stackCount + stack[row];
      const same = here.get(code);
      if (same === undefined) {
        here.set(code, kept);
        for (const name of COLUMNS) {
          this.rows[name][kept] = this.rows[name][row];
        }
        kept += 1;
      } else {
        const begin = Math.min(at[same] - span[same], at[row] - span[row]);
        at[same] = Math.max(at[same], at[row]);
        span[same] = Math.max(0, at[same] - begin);
        samples[same] += samples[row];
      }
    }
    this.remove(kept, end);
  }

  /** Remove the rows from `from` to `to` (exclusive). */
  private remove(from: number, to: number): void {
    for (const name of COLUMNS) {
      this.rows[name].copyWithin(from, to, this.count);
    }
    this.count -= to - from;
  }

  /** Callees by caller, recomputed when stacks have arrived. */
  private index(): void {
    const count = this.stackCount;
    if (this.indexed === count) {
      return;
    }
    this.indexed = count;
    const from = new Uint32Array(count + 1);
    for (let stack = 1; stack < count; stack++) {
      from[this.parents[stack] + 1] += 1;
    }
    for (let stack = 0; stack < count; stack++) {
      from[stack + 1] += from[stack];
    }
    const next = from.slice();
    const children = new Uint32Array(count);
    for (let stack = 1; stack < count; stack++) {
      children[next[this.parents[stack]]++] = stack;
    }
    this.childrenFrom = from;
    this.children = children;
  }

  /** Whether a copy also reads the arrays. */
  private lent = false;
  private changeCount = 0;
  private count = 0;
  private stackCount = 1;
  private since: Seconds = 0;
  private earliest: Seconds = Number.NaN;
  private latest: Seconds = Number.NaN;
  private readonly rows = Object.fromEntries(COLUMNS.map(name => [name, new Uint32Array(64)])) as Record<
    ColumnName,
    Uint32Array<ArrayBuffer>
  >;
  private parents = new Uint32Array(64);
  private frameOf = new Uint32Array(64);
  private indexed = 0;
  private children = new Uint32Array(0);
  private childrenFrom = new Uint32Array(2);
  /** Samples of each prefix and of each worker so far, also of rows that have been dropped. */
  private readonly seen = { prefix: new Map<number, number>(), worker: new Map<number, number>() };
}

function readFrame(value: unknown): ProfileFrame {
  const [name, file, first, line, text] = listOf(value);
  return { name: textOf(name), file: textOf(file), first: numberOf(first), line: numberOf(line), text: textOf(text) };
}

function readStatus(scalars: TopicBody['scalars']): ProfileStatus {
  const number = (name: string): number => numberOf(scalars[name]);
  return {
    interval: number('interval'),
    cycle: number('cycle'),
    servers: number('servers'),
    silent: number('silent'),
    off: number('off'),
    python311: number('python311'),
    gone: number('gone'),
    dropped: number('dropped'),
    lost: number('lost'),
    full: scalars.full === true,
    limited: textOf(scalars.limited),
    known: number('known'),
    history: typeof scalars.history === 'boolean' ? scalars.history : null
  };
}
