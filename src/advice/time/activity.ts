/** What all threads together did in each step of a period. */
import type { Seconds } from '../../base/units';
import { WORKER_HEARTBEAT } from '../../feed/schema';
import { type Chunk, DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import { sumsOf } from '../../run/lanes/chunks/chunk-sums';
import { LaneTime, oneByOne, type SomeExecutions } from '../../selectors/selection/lane-time';
import { Grid, type Steps } from './grid';
import { type Usual, usualIn } from './usual';
import { lanesByWorker, type OwnLanes } from './workers/by-worker';
import { cancelledIn } from './workers/cancelled';
import type { Silence } from './workers/silences';
import { covers, type Standing, standingOf, withoutSilences } from './workers/standing';

/** Seconds of threads in each step. Of two things at once, the first counts. */
export interface Activity {
  readonly compute: Float64Array;
  readonly transfer: Float64Array;
  readonly disk: Float64Array;
  readonly serialise: Float64Array;
  /** Tasks that have not ended, and attempts without a record. */
  readonly running: Float64Array;
  /** Those of `compute` and `running` by tasks that take much longer than others of their function. */
  readonly outlying: Float64Array;
  /** Attempts that failed and were repeated, which leave no record: since their workers had them. Threads may have waited. */
  readonly retried: Float64Array;
  /** The same for those that ended with their worker. */
  readonly ended: Float64Array;
  /** Threads that go on with tasks that were cancelled, by samples. */
  readonly cancelled: Float64Array;
  /** Those of `compute` and `running` in which the worker was silent: whether they computed is not known. */
  readonly standing: Float64Array;
  readonly silences: Standing;
  /** Those of `outlying` that have ended, in no order; not all where there are very many. */
  readonly outliers: readonly Outlier[];
  /** Tasks that have run for longer than {@link SETTLED} at that time, and that have ended since. */
  readonly settled: Float64Array;
  /** Tasks that began in the step. */
  readonly starts: Uint32Array;
  /** Threads that executed something in the period. */
  readonly lanes: number;
}

/**
 * Workers report what they run twice a second on a small cluster; a task that has run for three times as long has been reported,
 * unless its worker is silent.
 */
export const SETTLED: Seconds = 1.5;

/** An execution that takes much longer than others of its function. */
export interface Outlier {
  readonly prefix: number;
  readonly row: number;
  readonly start: Seconds;
  readonly duration: Seconds;
}

/** Where durations of a function differ that much, single ones are not the reason. */
const MOST_OUTLIERS = 20_000;

/** Durations of a function from which on an execution is an outlier, by prefix; Infinity or absent if none can be. */
export type Limits = Float64Array;

/**
 * Of what a thread executed: executions overlap that much only where they are coroutines, which all run in one thread. Others
 * seem to by some per cent, since the clocks of workers are corrected at each heartbeat.
 */
const OVERLAP = 0.1;

/** Workers with more lanes than threads that are looked at by themselves: of many, it would take too long. */
const MOST_CROWDED = 50;

/** What threads did in each step. */
export function activityOf(run: Run, steps: Steps, limits: Limits): Activity {
  return new Walk(run, steps, limits).result();
}

class Walk {
  constructor(
    private readonly run: Run,
    private readonly steps: Steps,
    private readonly limits: Limits
  ) {
    const grid = (): Grid => new Grid(steps);
    this.grids = {
      compute: grid(),
      transfer: grid(),
      disk: grid(),
      serialise: grid(),
      running: grid(),
      outlying: grid(),
      retried: grid(),
      ended: grid(),
      settled: grid(),
      standing: grid()
    };
    this.starts = new Uint32Array(steps.count);
    this.shortestLimit = limits.reduce((least, limit) => Math.min(least, limit), SETTLED);
    this.usual = usualIn(run);
    this.time = new LaneTime(steps);
    this.workers = lanesByWorker(run);
    this.standing = standingOf(run, steps, this.workers);
  }

  result(): Activity {
    for (const { worker, lanes, threads } of this.workers) {
      this.silences = this.standing.byWorker.get(worker) ?? NONE;
      this.addWorker(lanes, threads);
    }
    this.addRunning();
    for (const { how, begin, end } of this.run.attempts.timed) {
      // What made up for something has a record. What asked to be rescheduled only waited: tasks behind a shuffle ask at once.
      if (how === 'retried' || how === 'lost') {
        this.grids[how === 'retried' ? 'retried' : 'ended'].add(begin, end);
      }
    }
    const { compute, transfer, disk, serialise, running, outlying, retried, ended, settled, standing } = this.grids;
    return {
      compute: plus(compute.seconds(), this.crowded),
      transfer: transfer.seconds(),
      disk: disk.seconds(),
      serialise: serialise.seconds(),
      running: running.seconds(),
      outlying: outlying.seconds(),
      standing: standing.seconds(),
      silences: this.standing,
      outliers: this.outliers,
      retried: retried.seconds(),
      ended: ended.seconds(),
      cancelled: cancelledIn(this.run, this.steps),
      settled: settled.seconds(),
      starts: this.starts,
      lanes: this.lanes
    };
  }

  /** A worker computes in no more threads than it has at once: what seceded has left its thread to others. */
  private addWorker(lanes: readonly Lane[], threads: number): void {
    const { steps, grids } = this;
    const crowded = threads > 0 && lanes.length > threads && this.mostCrowded > 0;
    const compute = crowded ? new Grid(steps) : grids.compute;
    const before = this.lanes;
    for (const lane of lanes) {
      this.addLane(lane, compute);
    }
    if (crowded) {
      this.lanes = Math.min(this.lanes, before + threads);
      this.mostCrowded -= 1;
      const most = threads * steps.width;
      this.crowded = plus(
        compute.seconds().map(seconds => Math.min(seconds, most)),
        this.crowded
      );
    }
  }

  private addLane(lane: Lane, compute: Grid): void {
    const { time, grids } = this;
    this.executed = 0;
    const busy = time.read(lane, this.look);
    this.lanes += time.computed.length > 0 ? 1 : 0;
    if (this.executed > (1 + OVERLAP) * busy) {
      // A worker runs as many coroutines at once as it has threads, and gives their places to nothing else.
      time.read(
        lane,
        oneByOne((start, duration) => compute.add(start, start + duration))
      );
    } else {
      compute.addAll(time.computed);
    }
    grids.transfer.addAll(time.transfers);
    grids.disk.addAll(time.disks);
    grids.serialise.addAll(time.others);
  }

  /** Looks at some executions: called for all of a million, so that all is in local variables. */
  private readonly look: SomeExecutions = (chunk, begin, stop) => {
    const sums = sumsOf(chunk, this.steps);
    if (sums !== null && sums.longest < this.shortestLimit) {
      this.executed += sums.total;
      return this.countStarts(chunk, begin, stop);
    }
    const { f64, f32, u32 } = chunk;
    const { starts, limits, usual, outliers, silences } = this;
    const { outlying, settled } = this.grids;
    const { from, to, count, width } = this.steps;
    const perSecond = 1 / width;
    let executed: Seconds = 0;
    for (let i = begin, word = begin * INTERVAL_WORDS; i < stop; i++, word += INTERVAL_WORDS) {
      const start = f64[i * START_STRIDE];
      const duration = f32[word + DURATION];
      const end = start + duration;
      const inside = (end < to ? end : to) - (start > from ? start : from);
      executed += inside > 0 ? inside : 0;
      if (start >= from && start < to) {
        const step = ((start - from) * perSecond) | 0;
        starts[step < count ? step : count - 1] += 1;
      }
      const prefix = u32[word + LOOKS] & LABEL_MASK;
      const known = silences.length === 0 ? duration : withoutSilences(start, end, silences);
      if (known >= limits[prefix] && !usual(prefix, start, known)) {
        outlying.add(start, end);
        if (outliers.length < MOST_OUTLIERS) {
          outliers.push({ prefix, row: u32[word + ROW], start, duration });
        }
      }
      if (duration > SETTLED) {
        settled.add(start + SETTLED, end);
      }
      if (known < duration) {
        this.addStanding(start, end);
      }
    }
    this.executed += executed;
  };

  private addStanding(start: Seconds, end: Seconds): void {
    for (const silence of this.silences.filter(each => covers(start, end, each))) {
      this.grids.standing.add(Math.max(start, silence.from), Math.min(end, silence.to));
    }
  }

  /** Of executions of which none is an outlier or has settled, and that all lie in the period. */
  private countStarts({ f64 }: Chunk, begin: number, stop: number): void {
    const { starts, steps } = this;
    const [from, perSecond, last] = [steps.from, 1 / steps.width, steps.count - 1];
    for (let at = begin * START_STRIDE; at < stop * START_STRIDE; at += START_STRIDE) {
      const step = ((f64[at] - from) * perSecond) | 0;
      starts[step < last ? step : last] += 1;
    }
  }

  /** At most as many tasks of a worker as it has threads, those that run longest. */
  private addRunning(): void {
    const { run, grids } = this;
    for (const worker of run.workers.ids) {
      const end = knownUntil(run, worker);
      const threads = run.workers.get(worker, 'nthreads');
      this.silences = this.standing.byWorker.get(worker) ?? NONE;
      let taken = 0;
      for (const { start, seceded, prefix } of run.running.of(worker)) {
        if (seceded || taken >= threads) {
          continue;
        }
        taken += 1;
        grids.running.add(start, end);
        this.addStanding(start, end);
        const known = withoutSilences(start, end, this.silences);
        if (known >= this.limits[prefix] && !this.usual(prefix, start, known)) {
          grids.outlying.add(start, end);
        }
      }
    }
  }

  private readonly grids: Record<
    'compute' | 'transfer' | 'disk' | 'serialise' | 'running' | 'outlying' | 'retried' | 'ended' | 'settled' | 'standing',
    Grid
  >;
  private readonly outliers: Outlier[] = [];
  private readonly starts: Uint32Array;
  /** Executions that are shorter are neither outliers nor settled. */
  private readonly shortestLimit: Seconds;
  private readonly usual: Usual;
  private lanes = 0;
  /** How long executions of the lane that is read take in the period, one by one. */
  private executed: Seconds = 0;
  /** What workers with more lanes than threads computed; `null` if there is none. */
  private crowded: Float64Array | null = null;
  private mostCrowded = MOST_CROWDED;
  private readonly time: LaneTime;
  private readonly workers: readonly OwnLanes[];
  private readonly standing: Standing;
  /** Those of the worker whose lanes are read. */
  private silences: readonly Silence[] = NONE;
}

const NONE: readonly Silence[] = [];

function plus(sum: Float64Array, more: Float64Array | null): Float64Array {
  for (let i = 0; more !== null && i < sum.length; i++) {
    sum[i] += more[i];
  }
  return sum;
}

/** The time up to which it is known what a worker does: that of the last heartbeat for a worker that sends none any more. */
export function knownUntil({ workers, clock }: Run, worker: number): Seconds {
  const silent = WORKER_HEARTBEAT[workers.get(worker, 'heartbeat')] === 'overdue';
  return silent ? Math.min(clock.latest, workers.get(worker, 'last_seen')) : clock.latest;
}

/** Seconds of threads that worked or waited for something of their own in a step. */
export function workOf({ compute, transfer, disk, serialise, running }: Activity, i: number): Seconds {
  return compute[i] + transfer[i] + disk[i] + serialise[i] + running[i];
}
