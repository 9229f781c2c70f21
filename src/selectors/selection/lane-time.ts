/** What one thread did in a period, as disjoint intervals, so that each of its moments counts once. */
import { KIND } from '../../feed/schema';
import { sumsOf } from '../../run/lanes/chunks/chunk-sums';
import { type Chunk, DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../run/lanes/lane-chunk';
import { firstReaching } from '../../run/lanes/lane-search';
import type { Track } from '../../run/lanes/lane-track';
import type { Lane } from '../../run/lanes/task-store';
import type { Period } from '../../run/selection/selection';
import type { Seconds } from '../../base/units';
import { Intervals, subtract, union } from './intervals';

const TRANSFER = KIND.indexOf('transfer');
const DESERIALISE = KIND.indexOf('deserialize');

/**
 * Receives every execution that overlaps the period, and may receive others near it.
 *
 * @param looks - label and flags, as in a chunk
 */
export type EachExecution = (start: Seconds, duration: Seconds, looks: number, row: number) => void;

/** The same, as the executions from `begin` to `stop` (exclusive) of a chunk: a loop over them is faster than a call for each. */
export type SomeExecutions = (chunk: Chunk, begin: number, stop: number) => void;

/** Calls something for each execution. */
export function oneByOne(each: EachExecution): SomeExecutions {
  return ({ f64, f32, u32 }, begin, stop) => {
    for (let i = begin, word = begin * INTERVAL_WORDS; i < stop; i++, word += INTERVAL_WORDS) {
      each(f64[i * START_STRIDE], f32[word + DURATION], u32[word + LOOKS], u32[word + ROW]);
    }
  };
}

/** The time of one lane after another, in buffers that are used again. Of two things at once, the first counts. */
export class LaneTime {
  constructor(private readonly period: Period) {}

  /** Time in which something was executed. */
  readonly computed = new Intervals();
  /** Waited for inputs from other workers. */
  readonly transfers = new Intervals();
  /** Waited for spilled inputs. */
  readonly disks = new Intervals();
  /** Deserialized. */
  readonly others = new Intervals();

  /**
   * Like {@link read} without a callback. Of a lane that only executed, and of which everything is kept, the list of
   * executions is not made: only its length is of interest.
   */
  readUse(lane: Lane): Seconds {
    const simple = lane.moves === null && lane.compute.past === null;
    const busy = simple ? this.executed(lane.compute) : Number.NaN;
    if (Number.isNaN(busy)) {
      return this.read(lane, null);
    }
    for (const list of [this.transfers, this.disks, this.others]) {
      list.clear();
    }
    return busy;
  }

  /** Read a lane; the lists then are of it. Returns the time in which something was executed. */
  read({ compute, moves }: Lane, some: SomeExecutions | null): Seconds {
    const { computed, transfers, disks, others, raw } = this;
    for (const list of [computed, transfers, disks, others]) {
      list.clear();
    }
    for (const chunk of compute.chunks) {
      this.addExecutions(chunk, some);
    }
    const busy = union(computed);
    if (moves === null) {
      return busy;
    }
    for (const list of Object.values(raw)) {
      list.clear();
    }
    for (const chunk of moves.chunks) {
      this.addMoves(chunk);
    }
    for (const list of Object.values(raw)) {
      union(list);
    }
    subtract(raw.transfers, computed, transfers);
    this.subtractAll(raw.disks, [computed, raw.transfers], disks);
    this.subtractAll(raw.others, [computed, raw.transfers, raw.disks], others);
    return busy;
  }

  /** How much of a time within the period is known, of the lane that was read last: whatever it did then. */
  knownIn(from: Seconds, to: Seconds): Seconds {
    let known = 0;
    for (const { begins, ends, length } of [this.computed, this.transfers, this.disks, this.others]) {
      for (let i = 0; i < length && begins[i] < to; i++) {
        known += Math.max(0, Math.min(ends[i], to) - Math.max(begins[i], from));
      }
    }
    return known;
  }

  /** The time in which something was executed, of a lane that did nothing else: {@link read} without the lists. */
  private executed(compute: Track): Seconds {
    const { from, to } = this.period;
    // Up to `until` it is known what was executed; `before` is the last start so far.
    let [covered, until, before] = [0, from, from];
    for (const chunk of compute.chunks) {
      if (chunk.end <= from || chunk.first >= to) {
        continue;
      }
      const sums = chunk.first >= until ? sumsOf(chunk, this.period) : null;
      if (sums !== null) {
        covered += sums.covered;
        until = sums.last;
        before = chunk.startOf(chunk.length - 1);
        continue;
      }
      const { f64, f32 } = chunk;
      const begin = firstReaching(chunk, from);
      const stop = chunk.upperBound(to);
      if (f64[begin * START_STRIDE] < before && before > from) {
        // Out of order, which is rare: to be sorted first.
        return Number.NaN;
      }
      for (let i = begin; i < stop; i++) {
        const start = f64[i * START_STRIDE];
        const end = start + f32[i * INTERVAL_WORDS + DURATION];
        if (start >= until) {
          covered += end - start;
          until = end;
        } else if (end > until) {
          covered += end - until;
          until = end;
        }
      }
      before = Math.max(before, f64[(stop - 1) * START_STRIDE]);
    }
    return covered - Math.max(0, until - to);
  }

  private subtractAll(from: Intervals, covers: readonly Intervals[], out: Intervals): void {
    let [rest, next] = [from, this.rest];
    for (const [i, cover] of covers.entries()) {
      const target = i === covers.length - 1 ? out : next;
      subtract(rest, cover, target);
      [rest, next] = [target, next === this.rest ? this.left : this.rest];
    }
  }

  private addExecutions(chunk: Chunk, some: SomeExecutions | null): void {
    const { from, to } = this.period;
    if (chunk.end <= from || chunk.first >= to) {
      return;
    }
    const begin = firstReaching(chunk, from);
    const stop = chunk.upperBound(to);
    this.computed.addRecords(chunk, begin, stop, this.period);
    some?.(chunk, begin, stop);
  }

  private addMoves(chunk: Chunk): void {
    const { raw } = this;
    const { from, to } = this.period;
    if (chunk.end <= from || chunk.first >= to) {
      return;
    }
    const { f64, f32, u32 } = chunk;
    const stop = chunk.upperBound(to);
    for (let i = firstReaching(chunk, from); i < stop; i++) {
      const word = i * INTERVAL_WORDS;
      const start = f64[i * START_STRIDE];
      const label = u32[word + LOOKS] & LABEL_MASK;
      const list = label === TRANSFER ? raw.transfers : label === DESERIALISE ? raw.others : raw.disks;
      list.add(start, start + f32[word + DURATION], from, to);
    }
  }

  private readonly raw = { transfers: new Intervals(), disks: new Intervals(), others: new Intervals() };
  private readonly rest = new Intervals();
  private readonly left = new Intervals();
}

/** The time that disjoint intervals cover. */
export function lengthOf({ begins, ends, length }: Intervals): Seconds {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    sum += ends[i] - begins[i];
  }
  return sum;
}
