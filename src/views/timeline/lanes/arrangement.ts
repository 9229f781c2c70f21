import type { DevicePixels, Share } from '../../../base/units';
import type { ShownRun } from '../../shown-run';
import { groupLanes, type HostLanes, type WorkerLanes } from './lanes';
import { type Layout, layOut } from './layout';
import { DRAWN_FROM } from '../paint/pending';
import { busyShare, isLost } from './worker-words';

/** Orders of workers by busy share. */
const SIGNS: ReadonlyMap<string, 1 | -1> = new Map<string, 1 | -1>([
  ['busiest', -1],
  ['idlest', 1]
]);

/** The lanes of a run in a window, laid out again only when they changed. */
export class Arrangement {
  constructor(private readonly shown: Pick<ShownRun, 'run'>) {}

  /** Order of the workers of a host: by name unless it is a known other one. */
  order: string = 'name';

  hosts: readonly HostLanes[] = [];
  layout: Layout = layOut([], () => 1, 0, 1);

  /**
   * Lay out for a window. Returns whether the layout changed.
   *
   * @param font - interface font size relative to the default
   */
  update(height: DevicePixels, ratio: number, font = 1): boolean {
    const { run } = this.shown;
    this.takePending();
    const seen = `${run.identity} ${run.version('tasks')} ${run.version('workers')} ${run.laneNames.length} ${run.workerNames.length} ${height} ${ratio} ${font} ${this.pending} ${this.order}`;
    if (seen === this.seen) {
      return false;
    }
    this.seen = seen;
    const state = `${this.fingerprint()} ${height} ${ratio} ${font} ${this.pending} ${this.order}`;
    if (state === this.state) {
      return false;
    }
    this.state = state;
    this.hosts = this.sorted(groupLanes(run.workerNames, run.laneNames, worker => isLost(run, worker)));
    this.layout = layOut(
      this.hosts,
      lane => run.tasks.lanes[lane]?.compute.rows ?? 1,
      height,
      ratio,
      worker => this.pending && !isLost(run, worker),
      font
    );
    this.byWorker = new Map(this.hosts.flatMap(host => host.workers.map(worker => [worker.worker, worker])));
    return true;
  }

  /** The lanes of a worker, with its name. */
  worker(id: number): WorkerLanes | undefined {
    return this.byWorker.get(id);
  }

  /** In the chosen order, as it was when it was chosen: rows that change places could not be followed. */
  private sorted(hosts: readonly HostLanes[]): readonly HostLanes[] {
    const { run } = this.shown;
    const chosen = `${run.identity} ${this.order}`;
    if (chosen !== this.chosen) {
      this.chosen = chosen;
      this.shares.clear();
    }
    const sign = SIGNS.get(this.order);
    if (sign === undefined) {
      return hosts;
    }
    const period = { from: run.origin, to: run.tasks.lastEnd, paused: 0 };
    const shareOf = (worker: WorkerLanes): Share => {
      const share = this.shares.get(worker.worker) ?? (busyShare(run, [worker], period) || 0);
      this.shares.set(worker.worker, share);
      return share;
    };
    return hosts.map(({ host, workers }) => ({ host, workers: [...workers].sort((a, b) => sign * (shareOf(a) - shareOf(b))) }));
  }

  /** Once any task has run long enough to be drawn, its row stays: rows that come and go would move the picture. */
  private takePending(): void {
    const { run } = this.shown;
    if (this.identity !== run.identity) {
      this.identity = run.identity;
      this.pending = false;
    }
    this.pending ||= run.running.earliest <= run.clock.latest - DRAWN_FROM;
  }

  /** A number that changes with a new lane, worker, lost worker or sub-lane. */
  private fingerprint(): string {
    const { run } = this.shown;
    const { laneNames, workerNames, tasks } = run;
    let hash = 0;
    for (const lane of tasks.lanes) {
      hash = (Math.imul(hash, 31) + (lane?.compute.rows ?? 0)) | 0;
    }
    for (let worker = 0; worker < workerNames.length; worker++) {
      hash = (Math.imul(hash, 31) + (isLost(run, worker) ? 1 : 2)) | 0;
    }
    return `${laneNames.length} ${workerNames.length} ${tasks.lanes.length} ${hash}`;
  }

  /** The order and the run of {@link shares}. */
  private chosen = '';
  /** Busy share of each worker when the order was chosen, or when the worker came. */
  private readonly shares = new Map<number, Share>();
  private identity = '';
  /** Whether workers have a row for running tasks. */
  private pending = false;
  /** The part of the run that has been processed. */
  private seen = '';
  private state = '';
  private byWorker = new Map<number, WorkerLanes>();
}
