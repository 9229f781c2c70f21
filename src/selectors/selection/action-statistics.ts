/** Time of the selected tasks by action: computing, and the transfers and I/O that belong to these tasks. */
import { countLeading } from '../../base/arrays';
import type { Seconds } from '../../base/units';
import { KIND, type Kind } from '../../feed/schema';
import {
  type Chunk,
  DURATION,
  INTERVAL_WORDS,
  LABEL_MASK,
  LARGE_CHUNK_ROWS,
  LOOKS,
  ROW,
  START_STRIDE
} from '../../run/lanes/lane-chunk';
import { firstReaching } from '../../run/lanes/lane-search';
import type { Track } from '../../run/lanes/lane-track';
import type { Run } from '../../run/run';
import { Matcher } from '../../run/selection/matcher';
import type { Selection } from '../../run/selection/selection';
import { afterAllSteps } from '../all-steps';
import { Durations } from './executions/durations';
import { isWithin } from './intervals';

/** One action of the selected tasks. Mean and quantiles are those of whole intervals, also where the period cuts them. */
export interface ActionStatistics {
  readonly kind: Kind;
  readonly count: number;
  /** Time inside the period. */
  readonly total: Seconds;
  /** NaN without an interval. */
  readonly mean: Seconds;
  readonly p95: Seconds;
  /** The same time by function, largest first. */
  readonly functions: readonly FunctionShare[];
}

/** Time of one function. */
export interface FunctionShare {
  readonly prefix: number;
  readonly total: Seconds;
}

const COMPUTE = KIND.indexOf('compute');

/** A function that is not known: its execution has no place in a lane. */
const UNKNOWN = -1;

/** Statistics of each action, in the order of the feed. */
export function actionStatistics(run: Run, selection: Selection): readonly ActionStatistics[] {
  const sums = new Sums(new Matcher(run, selection));
  for (const [number, lane] of run.tasks.lanes.entries()) {
    if (lane !== undefined && sums.matcher.lane(number)) {
      sums.addExecutions(lane.compute);
      if (lane.moves !== null) {
        sums.addMoves(lane.moves, lane.compute);
      }
    }
  }
  return sums.result();
}

class Sums {
  constructor(readonly matcher: Matcher) {}

  addExecutions({ chunks }: Track): void {
    for (const chunk of chunks) {
      this.addChunk(chunk, (duration, looks, row, time) => {
        if (this.matcher.whole || this.matcher.fits(looks, duration, row)) {
          this.add(COMPUTE, looks & LABEL_MASK, duration, time);
        }
      });
    }
  }

  /** The moves of a lane: of what its selected executions needed. */
  addMoves({ chunks }: Track, executions: Track): void {
    const rows = new LaneRows(executions);
    for (const chunk of chunks) {
      this.addChunk(chunk, (duration, looks, row, time) => {
        const kind = looks & LABEL_MASK;
        const found = rows.find(row);
        if (kind === COMPUTE || kind >= KIND.length) {
          return;
        }
        if (this.matcher.whole || (found && this.matcher.fits(rows.looks, rows.duration, row))) {
          this.add(kind, found ? rows.looks & LABEL_MASK : UNKNOWN, duration, time);
        }
      });
    }
  }

  result(): readonly ActionStatistics[] {
    const known = afterAllSteps(this.durations.functions(KIND, 'all'));
    const found = new Map(known.map(each => [each.prefix, each]));
    return KIND.map((kind, i) => {
      const { count = 0, total = 0, mean = Number.NaN, p95 = Number.NaN } = found.get(i) ?? {};
      const functions = [...this.byFunction[i]].map(([prefix, seconds]) => ({ prefix, total: seconds }));
      return { kind, count, total, mean, p95, functions: functions.sort((a, b) => b.total - a.total || a.prefix - b.prefix) };
    });
  }

  /** Call `each` with every interval that overlaps the period, and its time in there. */
  private addChunk(chunk: Chunk, each: (duration: Seconds, looks: number, row: number, time: Seconds) => void): void {
    const { f64, f32, u32, length } = chunk;
    const { from, to } = this.matcher;
    if (chunk.end < from || chunk.first > to) {
      return;
    }
    const inside = chunk.first >= from && chunk.end <= to;
    const stop = inside ? length : chunk.upperBound(to);
    for (let i = inside ? 0 : firstReaching(chunk, from); i < stop; i++) {
      const word = i * INTERVAL_WORDS;
      const start = f64[i * START_STRIDE];
      const duration = f32[word + DURATION];
      const end = start + duration;
      if (inside || isWithin(start, end, from, to)) {
        const time = inside ? duration : Math.min(end, to) - Math.max(start, from);
        each(duration, u32[word + LOOKS], u32[word + ROW], time);
      }
    }
  }

  private add(kind: number, prefix: number, duration: Seconds, time: Seconds): void {
    this.durations.add(kind, duration, time, 0);
    const shares = this.byFunction[kind];
    shares.set(prefix, (shares.get(prefix) ?? 0) + time);
  }

  private readonly durations = new Durations();
  private readonly byFunction = KIND.map(() => new Map<number, Seconds>());
}

/** How far from where it is expected an execution is looked for before all of its lane are listed. */
const NEAR = 32;

/** Executions of a lane by row. Rows grow nearly with time, and moves come in nearly the same order. */
class LaneRows {
  constructor({ chunks }: Track) {
    this.chunks = chunks;
  }

  /** Packed label and flags of the execution that was found last, as its chunk has them; and its duration. */
  looks = 0;
  duration: Seconds = 0;

  /** Whether the lane has the execution of a row. */
  find(row: number): boolean {
    if (!this.near(row) && !this.search(row) && !this.listed(row)) {
      return false;
    }
    const chunk = this.chunks[this.chunk];
    this.looks = chunk.u32[this.place * INTERVAL_WORDS + LOOKS];
    this.duration = chunk.durationOf(this.place);
    return true;
  }

  /** Look at the current place and behind it. */
  private near(row: number): boolean {
    let { chunk, place } = this;
    for (let step = 0; step < NEAR && chunk < this.chunks.length; step++) {
      if (place >= this.chunks[chunk].length) {
        [chunk, place] = [chunk + 1, 0];
      } else if (this.chunks[chunk].rowOf(place) === row) {
        [this.chunk, this.place] = [chunk, place];
        return true;
      } else {
        place += 1;
      }
    }
    return false;
  }

  /** Look where it is if rows grow with time. */
  private search(row: number): boolean {
    const { chunks } = this;
    const chunk = Math.max(0, countLeading(chunks.length, i => chunks[i].length === 0 || chunks[i].rowOf(0) <= row) - 1);
    const place = countLeading(chunks[chunk]?.length ?? 0, i => chunks[chunk].rowOf(i) < row);
    [this.chunk, this.place] = [chunk, Math.max(0, place - NEAR / 2)];
    return this.near(row);
  }

  private listed(row: number): boolean {
    this.places ??= this.list();
    const at = this.places.get(row);
    if (at === undefined) {
      return false;
    }
    [this.chunk, this.place] = [Math.floor(at / LARGE_CHUNK_ROWS), at % LARGE_CHUNK_ROWS];
    return true;
  }

  private list(): ReadonlyMap<number, number> {
    const places = new Map<number, number>();
    for (const [number, chunk] of this.chunks.entries()) {
      for (let i = 0; i < chunk.length; i++) {
        places.set(chunk.rowOf(i), number * LARGE_CHUNK_ROWS + i);
      }
    }
    return places;
  }

  private readonly chunks: readonly Chunk[];
  private chunk = 0;
  private place = 0;
  private places: ReadonlyMap<number, number> | null = null;
}
