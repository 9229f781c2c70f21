import { amountOf } from '../../base/untrusted';
import type { Bytes, Seconds } from '../../base/units';
import type { Column, TopicBody } from '../../feed/frame';
import { TASK_STATUS, type TasksColumn } from '../../feed/schema';
import { BusyPeriods } from './busy-periods';
import { ChangeLog } from './change-log';
import { ERRED, type Interval } from './lane-chunk';
import { LaneOrder } from './lane-order';
import { Track } from './lane-track';
import { Pasts } from './past/past';

/** Activity of one thread of one worker. */
export interface Lane {
  readonly compute: Track;
  /** Transfers, disk and deserialise intervals of the rows of this lane; `null` if there are none. */
  moves: Track | null;
}

/** Default number of executions kept individually. */
const KEPT_EXECUTIONS = 5_000_000;

/** Fraction of the limit that is freed at once, so that dropping costs little per execution. */
const FREED_AT_ONCE = 1 / 16;

/** Lanes that drop rows together at least. */
const LANES_AT_ONCE = 64;

/** Longer than any task: larger values in a frame count as unknown. */
const LONGEST: Seconds = 1e9;

/** Lanes whose memory is read ahead of their appends: what they need fits into the cache next to the processor. */
const TOUCHED_AT_ONCE = 128;

const LARGEST_LABEL = 0xffff;

const ERRED_STATUS = TASK_STATUS.indexOf('erred');

/**
 * Every execution in the browser's memory, by lane, with a summary pyramid for drawing (`docs/architecture.md`, "Dense
 * views", "Timeline"). Append is amortised O(1). The newest `limit` executions are kept; of older ones, which are
 * dropped, sums in cells of time remain.
 */
export class TaskStore {
  /**
   * @param limit - number of executions kept
   * @param changes - records changed lanes, for views
   */
  constructor(
    private limit: number = KEPT_EXECUTIONS,
    readonly changes: ChangeLog = new ChangeLog()
  ) {}

  /** Lanes by number in the dictionary of lanes; sparse. */
  readonly lanes: (Lane | undefined)[] = [];
  /** Executions appended so far. */
  count = 0;
  /** Of these, the ones that raised. */
  erred = 0;
  /** Transfers, disk and deserialise intervals appended so far. */
  moveCount = 0;
  /** Executions appended by prefix id; sparse. */
  readonly countOfPrefix: (number | undefined)[] = [];
  /** Transfers and I/O appended by kind code; sparse. */
  readonly countOfKind: (number | undefined)[] = [];
  /** Number of the row after the newest. */
  nextRow = 0;
  /** Number of executions kept. */
  kept = 0;
  /** Each row from this one on is kept; of earlier ones, some are for a while. */
  firstRow = 0;
  /** Of the rows from {@link firstRow} on, those that had not ended at the moment of {@link until}. */
  unended = 0;
  /** Executions dropped here because of `limit`. */
  dropped = 0;
  /** Time up to which the executions are incomplete because of `dropped`; -Infinity if none were dropped. */
  incompleteUntil: Seconds = Number.NEGATIVE_INFINITY;
  /** Executions without a usable time or lane: counted, not drawn. */
  unplaced = 0;
  /** Rows that had left the collector's ring before we could read them. */
  lost = 0;
  /** Earliest start of all compute intervals; Infinity if there are none. */
  firstStart: Seconds = Number.POSITIVE_INFINITY;
  /** Latest end of all intervals; -Infinity if there are none. */
  lastEnd: Seconds = Number.NEGATIVE_INFINITY;
  /** What is kept of dropped executions and their transfers: the summaries of all lanes. */
  pasts = new Pasts();
  /** Earliest start of what came with the last body: of what is kept, everything before it is as it was. */
  changedFrom: Seconds = Number.NEGATIVE_INFINITY;
  /** When any lane had anything, dropped executions included. */
  busy = new BusyPeriods();

  /** Memory used by executions, without transfers and I/O and without {@link pasts}. */
  get byteLength(): Bytes {
    return this.lanes.reduce((sum, lane) => sum + (lane?.compute.byteLength ?? 0), 0);
  }

  /** Number of the executions from {@link firstRow} on. */
  get listed(): number {
    return Math.min(this.kept, Math.max(0, this.nextRow - this.firstRow));
  }

  /**
   * Keep at most `limit` executions from now on.
   *
   * @returns whether this dropped any
   */
  keep(limit: number): boolean {
    this.limit = limit;
    const before = this.dropped;
    if (this.kept > limit) {
      this.forget();
    }
    return this.dropped > before;
  }

  /** Fold in one body of topic `tasks`, with its transfers and I/O. */
  apply(body: TopicBody): void {
    const { lane: lanes, start: starts } = body.columns;
    this.lost += amountOf(body.scalars.lost);
    this.changedFrom = Number.POSITIVE_INFINITY;
    if (lanes === undefined || starts === undefined) {
      return;
    }
    const first = amountOf(body.scalars.first);
    const { order } = this;
    const rows = rowsOf(body);
    this.nextRow = first + lanes.length;
    this.count += lanes.length;
    this.countRows(rows);
    order.sort(lanes);
    this.unplaced += order.strays;
    for (let from = 0; from < order.lanes.length; from += TOUCHED_AT_ONCE) {
      const to = Math.min(order.lanes.length, from + TOUCHED_AT_ONCE);
      this.touched = this.touch(from, to);
      for (let i = from; i < to; i++) {
        this.appendLane(order.lanes[i], rows, first);
      }
    }
    this.appendMoves(body, first);
    if (this.kept > this.limit) {
      this.forget();
    }
  }

  /**
   * Everything that had ended by a moment: a separate store that shares whole chunks and the change log with this one,
   * rebuilt for each moment. Counts of lost executions do not depend on the moment; that of dropped ones is an estimate.
   */
  until(moment: Seconds): TaskStore {
    const cut = new TaskStore(this.limit, this.changes);
    cut.pasts = this.pasts.others();
    for (const [number, lane] of this.lanes.entries()) {
      if (lane !== undefined) {
        // A lane stays even if nothing in it had ended: rows do not jump while the user moves through time.
        const [compute, moves] = [lane.compute.until(moment, cut.pasts), lane.moves?.until(moment, cut.pasts) ?? null];
        cut.lanes[number] = { compute, moves };
        cut.lastEnd = Math.max(cut.lastEnd, compute.end, moves?.end ?? Number.NEGATIVE_INFINITY);
        cut.dropped += compute.past?.count ?? 0;
      }
    }
    cut.firstRow = this.firstRow;
    cut.recount();
    cut.busy = this.busy.until(moment);
    cut.firstStart = this.firstStart < moment ? this.firstStart : Number.POSITIVE_INFINITY;
    cut.incompleteUntil = Math.min(this.incompleteUntil, moment);
    cut.lost = this.lost;
    return cut;
  }

  /** The current content: a separate store with its own change log that shares memory with this one. */
  copy(): TaskStore {
    const copy = new TaskStore(this.limit);
    copy.pasts = this.pasts.others();
    for (const [number, lane] of this.lanes.entries()) {
      if (lane !== undefined) {
        copy.lanes[number] = {
          compute: lane.compute.copy(copy.pasts),
          moves: lane.moves?.copy(copy.pasts) ?? null
        };
      }
    }
    copy.busy = this.busy.until(Number.POSITIVE_INFINITY);
    copy.countOfPrefix.push(...this.countOfPrefix);
    copy.countOfKind.push(...this.countOfKind);
    const { count, erred, moveCount, nextRow, kept, firstRow, unended } = this;
    const { dropped, incompleteUntil, unplaced, lost, firstStart, lastEnd } = this;
    return Object.assign(copy, {
      ...{ count, erred, moveCount, nextRow, kept, firstRow, unended },
      ...{ dropped, incompleteUntil, unplaced, lost, firstStart, lastEnd }
    });
  }

  /** Recount the content of the lanes, and number its rows: some in between may not have ended. */
  private recount(): void {
    let [first, last, listed] = [Number.POSITIVE_INFINITY, -1, 0];
    for (const lane of this.lanes) {
      for (const chunk of lane?.compute.chunks ?? []) {
        this.count += chunk.length;
        for (let i = 0; i < chunk.length; i++) {
          const [prefix, row] = [chunk.labelOf(i), chunk.rowOf(i)];
          if (row >= this.firstRow) {
            first = Math.min(first, row);
            last = Math.max(last, row);
            listed += 1;
          }
          this.erred += chunk.flagsOf(i) & ERRED;
          this.countOfPrefix[prefix] = (this.countOfPrefix[prefix] ?? 0) + 1;
        }
      }
      for (const chunk of lane?.moves?.chunks ?? []) {
        this.moveCount += chunk.length;
        for (let i = 0; i < chunk.length; i++) {
          const kind = chunk.labelOf(i);
          this.countOfKind[kind] = (this.countOfKind[kind] ?? 0) + 1;
        }
      }
    }
    this.kept = this.count;
    this.nextRow = Math.max(last + 1, this.firstRow);
    this.unended = listed === 0 ? 0 : last + 1 - first - listed;
  }

  /** Clear everything: another feed or epoch begins. */
  clear(): void {
    this.lanes.length = 0;
    this.pasts = new Pasts();
    this.turn = Number.POSITIVE_INFINITY;
    this.firstRow = 0;
    this.busy.clear();
    this.changes.reset();
    this.count = 0;
    this.erred = 0;
    this.moveCount = 0;
    this.countOfPrefix.length = 0;
    this.countOfKind.length = 0;
    this.nextRow = 0;
    this.unended = 0;
    this.kept = 0;
    this.dropped = 0;
    this.incompleteUntil = Number.NEGATIVE_INFINITY;
    this.unplaced = 0;
    this.lost = 0;
    this.firstStart = Number.POSITIVE_INFINITY;
    this.lastEnd = Number.NEGATIVE_INFINITY;
  }

  /** Count rows by function and by outcome. */
  private countRows({ prefix: prefixes, status: statuses }: Rows): void {
    for (let i = 0; i < prefixes.length; i++) {
      const prefix = Math.min(prefixes[i], LARGEST_LABEL);
      this.countOfPrefix[prefix] = (this.countOfPrefix[prefix] ?? 0) + 1;
      this.erred += statuses[i] === ERRED_STATUS ? 1 : 0;
    }
  }

  /** Append the rows of one lane. Going lane by lane improves memory locality. */
  private appendLane(number: number, rows: Rows, first: number): void {
    const { order, interval } = this;
    const { compute } = this.lane(number);
    let from = Number.POSITIVE_INFINITY;
    compute.reserve(order.count(number));
    for (let i = order.first(number); i >= 0; i = order.next(i)) {
      const start = rows.start[i];
      if (!isMoment(start)) {
        this.unplaced += 1;
        continue;
      }
      interval.start = start;
      interval.duration = length(rows.duration[i]);
      interval.label = Math.min(rows.prefix[i], LARGEST_LABEL);
      interval.flags = rows.status[i] === ERRED_STATUS ? ERRED : 0;
      interval.row = first + i;
      interval.detail = rows.nbytes[i];
      compute.append(interval);
      this.busy.add(start, start + interval.duration);
      this.kept += 1;
      from = Math.min(from, start);
    }
    if (from < Number.POSITIVE_INFINITY) {
      this.firstStart = Math.min(this.firstStart, from);
      this.lastEnd = Math.max(this.lastEnd, compute.end);
      this.changes.add(number, from);
      this.changedFrom = Math.min(this.changedFrom, from);
    }
  }

  /** {@link Track.touch} of some lanes of the order: halves the cost of frames with a few rows for each of many lanes. */
  private touch(from: number, to: number): number {
    const { lanes, order } = this;
    let sum = 0;
    for (let i = from; i < to; i++) {
      sum += lanes[order.lanes[i]]?.compute.touch() ?? 0;
    }
    return sum;
  }

  private appendMoves(body: TopicBody, first: number): void {
    const { at: rows, kind, start, duration, peer } = body.moves ?? {};
    const touched = new Map<number, Seconds>();
    for (let i = 0; i < (rows?.length ?? 0); i++) {
      const label = kind?.[i] ?? 0;
      this.moveCount += 1;
      this.countOfKind[label] = (this.countOfKind[label] ?? 0) + 1;
      const number = body.columns.lane[rows[i]] ?? -1;
      const lane = this.lanes[number];
      const begin = start?.[i] ?? 0;
      if (lane === undefined || !isMoment(begin)) {
        continue;
      }
      this.interval.start = begin;
      this.interval.duration = length(duration?.[i] ?? 0);
      this.interval.label = label;
      this.interval.flags = 0;
      this.interval.row = first + rows[i];
      this.interval.detail = peer?.[i] ?? 0;
      lane.moves ??= new Track();
      lane.moves.append(this.interval);
      this.busy.add(begin, begin + this.interval.duration);
      touched.set(number, Math.min(begin, touched.get(number) ?? begin));
    }
    for (const [number, from] of touched) {
      const moves = this.lanes[number]?.moves;
      this.lastEnd = Math.max(this.lastEnd, moves?.end ?? this.lastEnd);
      this.changes.add(number, from);
      this.changedFrom = Math.min(this.changedFrom, from);
    }
  }

  private lane(number: number): Lane {
    let lane = this.lanes[number];
    if (lane === undefined) {
      lane = { compute: new Track(), moves: null };
      this.lanes[number] = lane;
    }
    return lane;
  }

  /**
   * Drop rows that are older than the newest `limit`; sums of them remain. Lanes take turns, each with many rows at once: no
   * frame has to wait until thousands of lanes have dropped theirs.
   */
  private forget(): void {
    const { lanes, pasts } = this;
    const { width } = pasts;
    let [rounds, done] = [0, 0];
    while (rounds < 2 && (this.kept > this.limit || (done < LANES_AT_ONCE && this.turn < lanes.length))) {
      if (!(this.turn < lanes.length)) {
        rounds += 1;
        this.turn = 0;
        this.firstRow = this.nextRow - Math.floor(this.limit * (1 - FREED_AT_ONCE));
      }
      this.drop(this.turn, track => track.dropBefore(this.firstRow, pasts));
      this.turn += 1;
      done += 1;
    }
    // If row numbers do not grow they say nothing about age; the limit applies anyway.
    while (this.kept > Math.max(0, this.limit)) {
      for (const number of lanes.keys()) {
        this.drop(number, track => track.dropHalf(pasts));
      }
    }
    if (pasts.width !== width) {
      this.changes.reset();
    }
  }

  private drop(number: number, from: (track: Track) => number): void {
    const lane = this.lanes[number];
    if (lane !== undefined) {
      const first = Math.min(lane.compute.first, lane.moves?.first ?? Number.POSITIVE_INFINITY);
      const moved = lane.moves === null ? 0 : from(lane.moves);
      const count = from(lane.compute);
      this.kept -= count;
      this.dropped += count;
      this.incompleteUntil = Math.max(this.incompleteUntil, lane.compute.droppedUntil);
      if (count + moved > 0) {
        // What is dropped may change the whole cell in which it began.
        this.changes.add(number, Math.min(first, Math.floor(first / this.pasts.width) * this.pasts.width));
      }
    }
  }

  private readonly order = new LaneOrder();
  /** Keeps the reads of {@link touch} alive. */
  protected touched = 0;
  /** The lane that drops rows next. */
  private turn = Number.POSITIVE_INFINITY;
  /** The interval being appended: one reused object, since there may be 20,000 per second. */
  private readonly interval: Interval = { start: 0, duration: 0, label: 0, flags: 0, row: 0, detail: 0 };
}

/** The columns of executions. */
type Rows = Readonly<Record<'prefix' | 'start' | 'duration' | 'status' | 'nbytes', Column>>;

/** The columns of a body; zeros for missing ones. */
function rowsOf({ columns }: TopicBody): Rows {
  const column = (name: TasksColumn): Column => columns[name] ?? new Float64Array(columns.lane.length);
  return {
    prefix: column('prefix'),
    start: column('start'),
    duration: column('duration'),
    status: column('status'),
    nbytes: column('nbytes')
  };
}

function isMoment(time: Seconds): boolean {
  return time > 0 && time < 1e12;
}

/** A usable duration: unknown, negative and absurd ones become 0, which is still drawn. */
function length(duration: Seconds): Seconds {
  return duration > 0 && duration < LONGEST ? duration : 0;
}
