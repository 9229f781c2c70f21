import type { Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { RUNNING_STATE } from '../../feed/schema';

/** A task that ran at the last heartbeat of its worker and has not ended since. The key is hostile. */
export interface RunningTask {
  readonly id: number;
  readonly worker: number;
  readonly prefix: number;
  /** Scheduler clock; late by the way of a heartbeat. */
  readonly start: Seconds;
  /** Arrival of the heartbeat that told of it; later ones of its worker confirm it. */
  readonly asOf: Seconds;
  /** Whether it has seceded, and so holds no thread of the pool. */
  readonly seceded: boolean;
  readonly key: string;
}

const NONE: readonly RunningTask[] = [];

/** The tasks that run; see topic `running` of the schema. */
export class RunningTasks {
  /** Running tasks that are too many to be told one by one. */
  unlisted = 0;
  /** Counts the changes: who remembers the number knows whether anything is different. */
  version = 0;

  /** Tasks that run, told or not. */
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

  /** When the first of them began; infinite where none runs. */
  get earliest(): Seconds {
    this.group();
    return this.first;
  }

  /** Running tasks of a worker, those that began first at the front. */
  of(worker: number): readonly RunningTask[] {
    this.group();
    return this.byWorker.get(worker) ?? NONE;
  }

  apply({ columns, scalars }: TopicBody): void {
    const keys = new Map<number, string>();
    for (const entry of Array.isArray(scalars.keys) ? scalars.keys : []) {
      if (Array.isArray(entry) && typeof entry[0] === 'number' && typeof entry[1] === 'string') {
        keys.set(entry[0], entry[1]);
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

  /** The same tasks, which then go their own way. */
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
