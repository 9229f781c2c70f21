import { listOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { RUNNING_STATE } from '../../feed/schema';

/** A task that ran at the last heartbeat of its worker and has not ended since. The key is untrusted. */
export interface RunningTask {
  readonly id: number;
  readonly worker: number;
  readonly prefix: number;
  /** Scheduler time; late by the delay of a heartbeat. */
  readonly start: Seconds;
  /** Arrival of the heartbeat that reported it; later heartbeats of its worker confirm it. */
  readonly asOf: Seconds;
  /** Whether it has seceded, so that it does not occupy a thread of the pool. */
  readonly seceded: boolean;
  readonly key: string;
}

/** Tasks that are listed of a worker, those that run longest, and of all workers. */
export const LISTED = 100;
export const LISTED_OF_ALL = 20_000;
/** The collector cuts keys at this length, in characters. */
export const LONGEST_KEY = 200;

/** Whether a key of topic `running` is complete: one that was cut cannot be asked for. */
export function isWholeKey(key: string): boolean {
  return key.length < LONGEST_KEY;
}

const NONE: readonly RunningTask[] = [];

/** Running tasks; see topic `running` of the schema. */
export class RunningTasks {
  /** Number of running tasks beyond those reported individually. */
  unlisted = 0;
  /** Number of changes: a reader compares it to detect a change. */
  version = 0;

  /** Number of running tasks, including those not reported individually. */
  get count(): number {
    return this.byId.size + this.unlisted;
  }

  /** Running tasks, in no order. */
  get list(): Iterable<RunningTask> {
    return this.byId.values();
  }

  /** Whether a task still runs. */
  has(task: RunningTask): boolean {
    const now = this.byId.get(task.id);
    return now !== undefined && now.key === task.key && now.worker === task.worker;
  }

  /** Earliest start; infinite if none runs. */
  get earliest(): Seconds {
    this.group();
    return this.first;
  }

  /** Running tasks of a worker, earliest start first. */
  of(worker: number): readonly RunningTask[] {
    this.group();
    return this.byWorker.get(worker) ?? NONE;
  }

  apply({ columns, scalars }: TopicBody): void {
    const keys = new Map<number, string>();
    for (const [id, key] of listOf(scalars.keys).map(listOf)) {
      if (typeof id === 'number' && typeof key === 'string') {
        keys.set(id, key);
      }
    }
    const { id, state, worker, prefix, start, as_of: asOf } = columns;
    for (let i = 0; i < (id?.length ?? 0); i++) {
      const name = RUNNING_STATE[state?.[i] ?? 0] ?? 'ended';
      if (name === 'ended' || !Number.isFinite(start?.[i])) {
        this.byId.delete(id[i]);
        continue;
      }
      this.byId.set(id[i], {
        id: id[i],
        worker: worker?.[i] ?? -1,
        prefix: prefix?.[i] ?? -1,
        start: start[i],
        asOf: asOf?.[i] ?? Number.NaN,
        seceded: name === 'long-running',
        key: keys.get(id[i]) ?? ''
      });
    }
    if (typeof scalars.unlisted === 'number') {
      this.unlisted = Math.max(0, scalars.unlisted);
    }
    this.version += 1;
  }

  /** An independent copy. */
  copy(): RunningTasks {
    const copy = new RunningTasks();
    copy.unlisted = this.unlisted;
    for (const [id, task] of this.byId) {
      copy.byId.set(id, task);
    }
    return copy;
  }

  clear(): void {
    this.byId.clear();
    this.unlisted = 0;
    this.version += 1;
  }

  private group(): void {
    if (this.grouped === this.version) {
      return;
    }
    this.grouped = this.version;
    this.byWorker.clear();
    this.first = Number.POSITIVE_INFINITY;
    for (const task of this.byId.values()) {
      this.first = Math.min(this.first, task.start);
      const list = this.byWorker.get(task.worker);
      if (list === undefined) {
        this.byWorker.set(task.worker, [task]);
      } else {
        list.push(task);
      }
    }
    for (const list of this.byWorker.values()) {
      list.sort((a, b) => a.start - b.start);
    }
  }

  private readonly byId = new Map<number, RunningTask>();
  private readonly byWorker = new Map<number, RunningTask[]>();
  private grouped = -1;
  private first: Seconds = Number.POSITIVE_INFINITY;
}
