/** What all threads together did in each step of a period. */
import { KIND } from '../../feed/schema';
import { DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Chunk } from '../../run/lanes/lane-chunk';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import { Intervals, subtract, union } from '../../selectors/selection/intervals';
import { Grid, type Steps } from './grid';

/** Seconds of threads in each step. Of two things at once, the first counts. */
export interface Activity {
  readonly compute: Float64Array;
  readonly transfer: Float64Array;
  readonly disk: Float64Array;
  readonly serialise: Float64Array;
  /** Tasks that have not ended. */
  readonly running: Float64Array;
  /** Those of `compute` and `running` by tasks that take much longer than others of their function. */
  readonly outlying: Float64Array;
  /** Tasks that began in the step. */
  readonly starts: Uint32Array;
  /** Threads that executed something in the period. */
  readonly lanes: number;
}

/** Durations of a function from which on an execution is an outlier, by prefix; Infinity or absent if none can be. */
export type Limits = Float64Array;

const TRANSFER = KIND.indexOf('transfer');
const DESERIALISE = KIND.indexOf('deserialize');

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
    this.grids = { compute: grid(), transfer: grid(), disk: grid(), serialise: grid(), running: grid(), outlying: grid() };
    this.starts = new Uint32Array(steps.count);
  }

  result(): Activity {
    for (const lane of this.run.tasks.lanes) {
      if (lane !== undefined) {
        this.addLane(lane);
      }
    }
    this.addRunning();
    const { compute, transfer, disk, serialise, running, outlying } = this.grids;
    return {
      compute: compute.seconds(),
      transfer: transfer.seconds(),
      disk: disk.seconds(),
      serialise: serialise.seconds(),
      running: running.seconds(),
      outlying: outlying.seconds(),
      starts: this.starts,
      lanes: this.lanes
    };
  }

  private addLane({ compute, moves }: Lane): void {
    const { all, transfers, disks, others, rest, left, grids } = this;
    for (const list of [all, transfers, disks, others]) {
      list.clear();
    }
    for (const chunk of compute.chunks) {
      this.addTasks(chunk);
    }
    this.lanes += all.length > 0 ? 1 : 0;
    union(all);
    put(all, grids.compute);
    if (moves === null) {
      return;
    }
    for (const chunk of moves.chunks) {
      this.addMoves(chunk);
    }
    union(transfers);
    union(disks);
    union(others);
    subtract(transfers, all, rest);
    put(rest, grids.transfer);
    subtract(disks, all, left);
    subtract(left, transfers, rest);
    put(rest, grids.disk);
    subtract(others, all, left);
    subtract(left, transfers, rest);
    subtract(rest, disks, left);
    put(left, grids.serialise);
  }

  private addTasks({ f64, f32, u32, length, end, first }: Chunk): void {
    const { limits, all, starts, steps } = this;
    const { from, to, width, count } = steps;
    if (end <= from || first >= to) {
      return;
    }
    for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
      const start = f64[i * START_STRIDE];
      const duration = f32[word + DURATION];
      all.add(start, start + duration, from, to);
      if (start >= from && start < to) {
        starts[Math.min(count - 1, Math.floor((start - from) / width))] += 1;
      }
      if (duration >= limits[u32[word + LOOKS] & LABEL_MASK]) {
        this.grids.outlying.add(start, start + duration);
      }
    }
  }

  private addMoves({ f64, f32, u32, length, end, first }: Chunk): void {
    const { from, to } = this.steps;
    if (end <= from || first >= to) {
      return;
    }
    for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
      const start = f64[i * START_STRIDE];
      const label = u32[word + LOOKS] & LABEL_MASK;
      const list = label === TRANSFER ? this.transfers : label === DESERIALISE ? this.others : this.disks;
      list.add(start, start + f32[word + DURATION], from, to);
    }
  }

  /** At most as many tasks of a worker as it has threads, those that run longest. */
  private addRunning(): void {
    const { run, grids } = this;
    const end = run.clock.latest;
    for (const worker of run.workers.ids) {
      const threads = run.workers.get(worker, 'nthreads');
      let taken = 0;
      for (const { start, seceded, prefix } of run.running.of(worker)) {
        if (seceded || taken >= threads) {
          continue;
        }
        taken += 1;
        grids.running.add(start, end);
        if (end - start >= this.limits[prefix]) {
          grids.outlying.add(start, end);
        }
      }
    }
  }

  private readonly grids: Record<'compute' | 'transfer' | 'disk' | 'serialise' | 'running' | 'outlying', Grid>;
  private readonly starts: Uint32Array;
  private lanes = 0;
  private readonly all = new Intervals();
  private readonly transfers = new Intervals();
  private readonly disks = new Intervals();
  private readonly others = new Intervals();
  private readonly rest = new Intervals();
  private readonly left = new Intervals();
}

function put({ begins, ends, length }: Intervals, grid: Grid): void {
  for (let i = 0; i < length; i++) {
    grid.add(begins[i], ends[i]);
  }
}
