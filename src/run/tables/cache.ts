import { numberOf } from '../../base/untrusted';
import { countLeading, withRoom } from '../../base/arrays';
import type { Bytes, Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

/** Amount of a function's results from a moment on. */
export interface HeldPoint {
  readonly time: Seconds;
  readonly count: number;
  readonly nbytes: Bytes;
}

/** The value to examine in a point. */
export type HeldValue = 'count' | 'nbytes';

/** Maximum number of points per function; the oldest eighth is dropped at once. */
const LIMIT = 100_000;

/** Largest valid function id: ids come from a dictionary that grows by one at a time. */
const LARGEST_PREFIX = 0xffff;

/**
 * Number of results of each function that a local scheduler keeps, over time: steps, since a value holds until the next
 * one.
 */
export class CachedResults {
  /** Ids of the functions that ever had results, in order of appearance. */
  readonly prefixes: number[] = [];
  /** Points lost from the kernel's ring or dropped here. */
  lost = 0;

  /** Fold in one body of topic `cache`. */
  apply(body: TopicBody): void {
    const { time, prefix, count, nbytes } = body.columns;
    this.lost += numberOf(body.scalars.lost);
    if (time === undefined || prefix === undefined) {
      return;
    }
    for (let i = 0; i < time.length; i++) {
      if (prefix[i] <= LARGEST_PREFIX && Number.isFinite(time[i])) {
        this.stepsOf(prefix[i]).push(time[i], count?.[i] ?? 0, nbytes?.[i] ?? 0);
      }
    }
    for (const prefix of this.prefixes) {
      this.lost += this.steps[prefix]?.limit() ?? 0;
    }
  }

  /** Number of points of a function. */
  length(prefix: number): number {
    return this.steps[prefix]?.length ?? 0;
  }

  /** Point `i` of a function, oldest first. */
  point(prefix: number, i: number): HeldPoint {
    return this.steps[prefix]?.at(i) ?? NOTHING;
  }

  /** Number of points of a function up to and including a time. */
  upTo(prefix: number, time: Seconds): number {
    return this.steps[prefix]?.upTo(time) ?? 0;
  }

  /** Amount of a function's results at a time. */
  at(prefix: number, time: Seconds): HeldPoint {
    const i = this.upTo(prefix, time) - 1;
    return i < 0 ? NOTHING : this.point(prefix, i);
  }

  /** Indices of the minimum, maximum and last of the points `from` to `to` of a function, in order. */
  extremes(prefix: number, from: number, to: number, by: HeldValue): readonly number[] {
    return this.steps[prefix]?.extremes(from, to, by) ?? [];
  }

  copy(): CachedResults {
    const copy = new CachedResults();
    for (const prefix of this.prefixes) {
      copy.prefixes.push(prefix);
      copy.steps[prefix] = this.steps[prefix]?.copy();
    }
    copy.lost = this.lost;
    return copy;
  }

  clear(): void {
    this.steps.length = 0;
    this.prefixes.length = 0;
    this.lost = 0;
  }

  private stepsOf(prefix: number): Steps {
    let steps = this.steps[prefix];
    if (steps === undefined) {
      steps = new Steps();
      this.steps[prefix] = steps;
      this.prefixes.push(prefix);
    }
    return steps;
  }

  private readonly steps: (Steps | undefined)[] = [];
}

const NOTHING: HeldPoint = { time: Number.NEGATIVE_INFINITY, count: 0, nbytes: 0 };

/** The points of one function, in order of time. */
class Steps {
  length = 0;

  push(time: Seconds, count: number, nbytes: Bytes): void {
    this.times = withRoom(this.times, this.length + 1, Float64Array);
    this.counts = withRoom(this.counts, this.length + 1, Float64Array);
    this.sizes = withRoom(this.sizes, this.length + 1, Float64Array);
    this.times[this.length] = time;
    this.counts[this.length] = count;
    this.sizes[this.length] = nbytes;
    this.length += 1;
  }

  at(i: number): HeldPoint {
    return { time: this.times[i], count: this.counts[i], nbytes: this.sizes[i] };
  }

  upTo(time: Seconds): number {
    return countLeading(this.length, i => this.times[i] <= time);
  }

  extremes(from: number, to: number, by: HeldValue): readonly number[] {
    const values = by === 'count' ? this.counts : this.sizes;
    let [least, greatest] = [from, from];
    for (let i = from + 1; i < to; i++) {
      least = values[i] < values[least] ? i : least;
      greatest = values[i] > values[greatest] ? i : greatest;
    }
    return to > from ? [...new Set([least, greatest, to - 1])].sort((a, b) => a - b) : [];
  }

  /** Drop the oldest if there are too many. Returns the number of dropped points. */
  limit(): number {
    if (this.length <= LIMIT) {
      return 0;
    }
    const dropped = this.length - LIMIT + LIMIT / 8;
    // Allocate new arrays: a copy may read the old ones.
    this.times = this.times.slice(dropped);
    this.counts = this.counts.slice(dropped);
    this.sizes = this.sizes.slice(dropped);
    this.length -= dropped;
    return dropped;
  }

  /** A copy. The arrays are shared: this one only writes behind the part that the copy reads, or into new arrays. */
  copy(): Steps {
    const copy = new Steps();
    const { length, times, counts, sizes } = this;
    return Object.assign(copy, { length, times, counts, sizes });
  }

  private times = new Float64Array(64);
  private counts = new Float64Array(64);
  private sizes = new Float64Array(64);
}
