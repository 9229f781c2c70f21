/** How long executions of a function usually take, for tasks that run much longer. */
import { type FrameClient, frameLoop } from '../../base/frame-loop';
import type { Milliseconds, Seconds, Share } from '../../base/units';
import { type Chunk, DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Run } from '../../run/run';

/** What is asked for: most executions take less. */
const QUANTILE: Share = 0.95;
/** Of fewer executions it says nothing. */
const LEAST_EXECUTIONS = 20;
/** Functions that are measured together. */
const MOST_FUNCTIONS = 20;
/** Work in one frame. */
const SLICE: Milliseconds = 0.3;
/** All executions are read again after this time, sooner where they were too few … */
const AGAIN_AFTER: Milliseconds = 20_000;
const SOONER: Milliseconds = 2000;
/** … or later, so that this takes at most this share of the time; for another function as early as that allows. */
const MOST: Share = 0.01;
/** Lower bits of a duration that are not distinguished: what is left is exact within 1 %. */
const COARSE_BITS = 17;
const BINS = 1 << (32 - 1 - COARSE_BITS);

/**
 * The 95th percentile of the durations of some functions of a run, since the oldest computation in progress arrived: under the
 * same name, earlier ones may have done other work. Without a computation in progress, of all executions.
 *
 * Guarantees: executions are read in slices, in frames of their own, only while a view asks, and within {@link MOST} of the time.
 */
export class UsualDurations implements FrameClient {
  constructor(private readonly run: Run) {}

  /** NaN while it is not known, or if too few executions of the function are kept; it is measured then. */
  p95(prefix: number, now: Milliseconds = performance.now()): Seconds {
    const { run } = this;
    if (this.identity !== run.identity) {
      this.identity = run.identity;
      this.known.clear();
      this.wanted.clear();
      this.left.length = 0;
      this.ended = Number.NEGATIVE_INFINITY;
      this.computations = -1;
    }
    this.follow();
    this.wanted.add(prefix);
    const version = run.version('tasks');
    const known = this.known.get(prefix);
    const again = known === undefined ? 0 : Number.isNaN(known) ? SOONER : AGAIN_AFTER;
    const due = now - this.ended >= Math.max(again, this.spent / MOST);
    if (due && this.left.length === 0 && (known === undefined || this.version !== version)) {
      this.version = version;
      this.begin();
    }
    return known ?? Number.NaN;
  }

  /** The same as far as it is known by now; nothing is measured for it. */
  known95(prefix: number): Seconds {
    return this.identity === this.run.identity ? (this.known.get(prefix) ?? Number.NaN) : Number.NaN;
  }

  /** Called by the frame loop. */
  paint(): void {
    const begin = performance.now();
    let now = begin;
    while (this.left.length > 0 && now < begin + SLICE) {
      this.count(this.left.pop());
      now = performance.now();
    }
    this.spent += now - begin;
    if (this.left.length > 0) {
      frameLoop.request(this);
    } else {
      this.end(now);
    }
  }

  /** See which computations are in progress. */
  private follow(): void {
    const { run } = this;
    const version = run.version('computations');
    if (version === this.computations) {
      return;
    }
    this.computations = version;
    const arrivals = run.computations.list.filter(({ values }) => values.left > 0).map(({ values }) => values.since);
    const oldest = Math.min(...arrivals);
    const since = Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
    // What was measured before, or without any, is of others. What also has executions since then is good until it is measured again.
    if (since > this.measuredAt || (since > this.since && this.since === Number.NEGATIVE_INFINITY)) {
      this.known.clear();
      this.counts.clear();
      this.left.length = 0;
    }
    this.since = since;
  }

  private begin(): void {
    const { run, since } = this;
    this.spent = 0;
    this.measuredAt = run.clock.latest;
    this.counts.clear();
    // Those that are not known, then those that were measured longest ago.
    const turns = new Map([...this.known.keys()].map((prefix, i) => [prefix, i]));
    const turn = (prefix: number): number => turns.get(prefix) ?? -1;
    for (const prefix of [...this.wanted].sort((a, b) => turn(a) - turn(b)).slice(0, MOST_FUNCTIONS)) {
      this.counts.set(prefix, new Uint32Array(BINS));
    }
    this.wanted.clear();
    this.left = run.tasks.lanes.flatMap(lane => lane?.compute.chunks.filter(({ end }) => end > since) ?? []);
    frameLoop.request(this);
  }

  private count(chunk: Chunk | undefined): void {
    const { f64, u32, length = 0 } = chunk ?? {};
    for (let i = 0; f64 !== undefined && u32 !== undefined && i < length; i++) {
      const counts = this.counts.get(u32[i * INTERVAL_WORDS + LOOKS] & LABEL_MASK);
      if (counts !== undefined && f64[i * START_STRIDE] >= this.since) {
        // Positive floats are in the order of their bits.
        counts[u32[i * INTERVAL_WORDS + DURATION] >>> COARSE_BITS] += 1;
      }
    }
  }

  private end(now: Milliseconds): void {
    for (const [prefix, counts] of this.counts) {
      // In the order in which they were measured.
      this.known.delete(prefix);
      this.known.set(prefix, quantile(counts));
    }
    this.counts.clear();
    this.ended = now;
  }

  private identity = '';
  private version = -1;
  /** Version of what is known of computations, and the arrival of the oldest one in progress. */
  private computations = -1;
  private since: Seconds = Number.NEGATIVE_INFINITY;
  /** Up to when the executions were known that were measured last. */
  private measuredAt: Seconds = Number.NEGATIVE_INFINITY;
  private readonly known = new Map<number, Seconds>();
  /** Functions that were asked for since the last measurement began. */
  private readonly wanted = new Set<number>();
  /** By function, how many executions have each duration, whose coarse bits are the index. */
  private readonly counts = new Map<number, Uint32Array>();
  private left: Chunk[] = [];
  private spent: Milliseconds = 0;
  private ended: Milliseconds = Number.NEGATIVE_INFINITY;
}

function quantile(counts: Uint32Array): Seconds {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all < LEAST_EXECUTIONS) {
    return Number.NaN;
  }
  let bin = 0;
  for (let sum = counts[0]; sum < QUANTILE * all; sum += counts[bin]) {
    bin += 1;
  }
  // The middle of what is not distinguished.
  const bits = (bin << COARSE_BITS) | (1 << (COARSE_BITS - 1));
  return new Float32Array(Uint32Array.of(bits).buffer)[0];
}

const usual = new WeakMap<Run, UsualDurations>();

/** The usual durations of a run, for all its views. */
export function usualDurations(run: Run): UsualDurations {
  const known = usual.get(run) ?? new UsualDurations(run);
  usual.set(run, known);
  return known;
}
