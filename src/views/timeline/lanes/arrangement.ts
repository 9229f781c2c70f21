import type { DevicePixels, Seconds } from '../../../base/units';
import type { TaskStore } from '../../../run/lanes/task-store';
import type { Run } from '../../../run/run';
import type { ShownRun } from '../../shown-run';
import { groupLanes, type HostLanes, type WorkerLanes } from './lanes';
import { LaneGroups } from '../groups/groups';
import { type Band, lanesOf, type Layout, layOut } from './layout';
import { DRAWN_FROM } from '../paint/pending';
import { WorkerOrder } from './worker-order';
import { isLost } from './lane-words';

/** The lanes of a run in a window, laid out again only when they changed. */
export class Arrangement {
  /** @param groups - what is pinned and collapsed */
  constructor(
    private readonly shown: Pick<ShownRun, 'run'>,
    readonly groups: LaneGroups = new LaneGroups('')
  ) {}

  /** Order of hosts and workers: by name unless it is a known other one. */
  order: string = 'name';

  hosts: readonly HostLanes[] = [];
  layout: Layout = layOut([], () => 1, 0, 1);

  /**
   * Lay out for a window. Returns whether the layout changed.
   *
   * @param font - interface font size relative to the default
   * @param from - start of the time in view; workers that have left and have nothing in it take no room
   */
  update(height: DevicePixels, ratio: number, font = 1, from: Seconds = Number.NaN, to: Seconds = Number.NaN): boolean {
    const { run } = this.shown;
    this.takePending();
    const seen = `${run.identity} ${run.version('tasks')} ${run.version('workers')} ${run.laneNames.length} ${run.workerNames.length} ${height} ${ratio} ${font} ${this.pending} ${this.order} ${this.groups.version} ${from} ${to}`;
    if (seen === this.seen) {
      return false;
    }
    this.seen = seen;
    const print = `${run.identity} ${this.fingerprint()}`;
    if (print !== this.print) {
      this.print = print;
      this.all = groupLanes(run.workerNames, run.laneNames, worker => isLost(run, worker));
      const workers = this.all.flatMap(host => host.workers);
      this.gone = workers.filter(({ worker }) => isLost(run, worker));
      this.present = workers.length - this.gone.length;
    }
    const hidden = this.hiddenWorkers(from, to);
    const state = `${print} ${[...hidden].join()} ${height} ${ratio} ${font} ${this.pending} ${this.order} ${this.groups.version}`;
    if (state === this.state) {
      return false;
    }
    this.state = state;
    const byHost = this.all.map(({ host, workers }) => ({ host, workers: workers.filter(({ worker }) => !hidden.has(worker)) }));
    this.hosts = this.grouped(
      this.sorting.sort(
        run,
        this.order,
        byHost.filter(({ workers }) => workers.length > 0)
      )
    );
    this.layout = layOut(
      this.hosts,
      lane => run.tasks.lanes[lane]?.compute.rows ?? 1,
      height,
      ratio,
      worker => this.pending && !isLost(run, worker),
      font
    );
    this.byWorker = new Map(this.hosts.flatMap(host => host.workers.map(worker => [worker.worker, worker])));
    this.byLane = new Map(this.layout.bands.flatMap(band => lanesOf(band).map(lane => [lane, band])));
    return true;
  }

  /** The band in which a lane is drawn, as a band of this lane if it is drawn with others. */
  bandOf(lane: number): Band | undefined {
    const band = this.byLane.get(lane);
    return band?.group === undefined ? band : { ...band, lane, worker: this.shown.run.laneNames[lane]?.[0] ?? -1 };
  }

  /** The band that shows the first of a worker's lanes. */
  bandOfWorker(worker: number): Band | undefined {
    return this.layout.bands.find(band => band.worker === worker || band.group?.workers.some(each => each.worker === worker));
  }

  /** Address of a worker; empty if it is not known. */
  addressOf(worker: number): string {
    return String(this.shown.run.workerNames[worker]?.address ?? '');
  }

  /** All workers of a host, also those that are pinned, or that have left and have nothing in view. */
  workersOn(host: string): readonly WorkerLanes[] {
    return this.all.find(each => each.host === host)?.workers ?? [];
  }

  /** The lanes of a worker, with its name. */
  worker(id: number): WorkerLanes | undefined {
    return this.byWorker.get(id);
  }

  /** The pinned workers above all others, and what is collapsed marked. */
  private grouped(hosts: readonly HostLanes[]): readonly HostLanes[] {
    const { groups } = this;
    // Workers that had an address one after the other are pinned together.
    const pinned = new Map<string, WorkerLanes[]>();
    const rest = hosts.map(({ host, workers }): HostLanes => {
      const own: WorkerLanes[] = [];
      for (const worker of workers) {
        const address = this.addressOf(worker.worker);
        const marked = { ...worker, collapsed: groups.isCollapsed(address) };
        if (groups.pinned.has(address)) {
          pinned.set(address, [...(pinned.get(address) ?? []), marked]);
        } else {
          own.push(marked);
        }
      }
      return { host, workers: own, all: workers, collapsed: groups.isHostCollapsed(host) };
    });
    const top = [...groups.pinned].flatMap(address => pinned.get(address) ?? []);
    const others = rest.filter(({ workers }) => workers.length > 0);
    // A single host has no rule that would say what is collapsed, and nothing to be distinguished from.
    const plain = rest.length === 1 && top.length === 0 ? others.map(host => ({ ...host, collapsed: false })) : others;
    return top.length > 0 ? [{ host: '', workers: top, pinned: true }, ...plain] : plain;
  }

  /** Workers that have left and have nothing between two times; none if no other worker would remain. */
  private hiddenWorkers(from: Seconds, to: Seconds): ReadonlySet<number> {
    const { run } = this.shown;
    const outside = (lane: number): boolean => {
      const { compute } = run.tasks.lanes[lane] ?? {};
      // Where there are only sums of executions, these are drawn.
      return compute === undefined || !(compute.end > from && Math.min(compute.first, compute.past?.first ?? compute.first) < to);
    };
    const gone = to > from ? this.gone : [];
    const hidden = gone.filter(({ worker, lanes }) => !this.groups.pinned.has(this.addressOf(worker)) && lanes.every(outside));
    const others = this.present + this.gone.length - hidden.length;
    return new Set(others > 0 ? hidden.map(({ worker }) => worker) : []);
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

  /** Changes with a new lane, worker, lost worker or sub-lane. */
  private fingerprint(): string {
    const { laneNames, workerNames, tasks } = this.shown.run;
    this.takeRows(tasks);
    return `${laneNames.length} ${workerNames.length} ${tasks.lanes.length} ${this.rowsVersion} ${this.lostWorkers()}`;
  }

  /** Count changes of the rows of lanes. Only changed lanes are read: there may be thousands, in each frame. */
  private takeRows(tasks: TaskStore): void {
    const { rows } = this;
    const take = (lane: number): void => {
      const own = tasks.lanes[lane]?.compute.rows ?? 0;
      if (own !== (rows[lane] ?? 0)) {
        rows[lane] = own;
        this.rowsVersion += 1;
      }
    };
    if (tasks !== this.tasks || !tasks.changes.since(this.changesSeen, take)) {
      for (let lane = 0; lane < Math.max(rows.length, tasks.lanes.length); lane++) {
        take(lane);
      }
    }
    this.tasks = tasks;
    this.changesSeen = tasks.changes.head;
  }

  /** A text that changes with the workers that are lost. */
  private lostWorkers(): string {
    const { run } = this.shown;
    const state = `${run.identity} ${run.version('workers')} ${run.workerNames.length}`;
    if (state !== this.lostState || run !== this.lostOf) {
      this.lostState = state;
      this.lostOf = run;
      let hash = 0;
      for (let worker = 0; worker < run.workerNames.length; worker++) {
        hash = (Math.imul(hash, 31) + (isLost(run, worker) ? 1 : 2)) | 0;
      }
      this.lost = String(hash);
    }
    return this.lost;
  }

  private readonly sorting = new WorkerOrder();
  private identity = '';
  /** Whether workers have a row for running tasks. */
  private pending = false;
  /** The part of the run that has been processed. */
  private seen = '';
  private print = '';
  private all: readonly HostLanes[] = [];
  private gone: readonly WorkerLanes[] = [];
  /** Workers that have not left. */
  private present = 0;
  private state = '';
  /** Rows of each lane, how often any changed, and how much of the changes has been read. */
  private readonly rows: number[] = [];
  private rowsVersion = 0;
  private tasks: TaskStore | null = null;
  private changesSeen = Number.NEGATIVE_INFINITY;
  private lost = '';
  private lostState = '';
  private lostOf: Run | null = null;
  private byWorker = new Map<number, WorkerLanes>();
  private byLane = new Map<number, Band>();
}
