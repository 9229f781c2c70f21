/** A registry of clients whose feeds a test plays by hand; the runs are real. */
import { DisposableDelegate } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import { DEFAULT_SETTINGS, Settings, type SettingValues } from '../../../src/base/jupyter/settings';
import type { Binding, Clients, KernelEntry, LiveClient } from '../../../src/clients/model';
import type { Feed, FeedState } from '../../../src/feed/feed';
import type { Column, Frame, Scalar, TopicBody } from '../../../src/feed/frame';
import type { ClientInfo, ShowRequest } from '../../../src/feed/kernel/kernel-channel';
import {
  MEASURE,
  PREFIXES_COLUMNS,
  type Topic,
  WORKER_STATUS,
  WORKERS_COLUMNS,
  type WorkerStatus
} from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';

/** Settings that a test changes. */
export function fakeSettings(): { values: SettingValues; readonly changed: Signal<Settings, void> } {
  // Nobody asks a signal who sends it.
  const sender = new Settings(null, Promise.resolve());
  return { values: DEFAULT_SETTINGS, changed: new Signal<Settings, void>(sender) };
}

/** A feed that counts who listens to what. */
export class FakeFeed implements Feed {
  readonly frame: Signal<Feed, Frame> = new Signal(this);
  readonly stateChanged: Signal<Feed, FeedState> = new Signal(this);
  state: FeedState = { status: 'live', answered: 0, reason: '' };
  readonly topics: Topic[] = [];
  isDisposed = false;

  subscribe(topics: readonly Topic[]): DisposableDelegate {
    this.topics.push(...topics);
    return new DisposableDelegate(() => {
      for (const topic of topics) {
        this.topics.splice(this.topics.indexOf(topic), 1);
      }
    });
  }

  request(): Promise<Scalar> {
    return Promise.reject(new Error('not asked in these tests'));
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** One kernel at one path, with the clients that a test gives it. */
export class FakeClients implements Clients {
  readonly changed = new Signal<this, void>(this);
  readonly shown = new Signal<this, ShowRequest & { readonly path: string }>(this);
  readonly feed = new FakeFeed();
  readonly run = new Run();
  readonly handles: LiveClient[] = [];
  isDisposed = false;

  constructor(private infos: readonly ClientInfo[] = []) {}

  get kernels(): readonly KernelEntry[] {
    return [
      {
        kernelId: 'k',
        path: 'a.ipynb',
        name: 'a.ipynb',
        kind: 'notebook',
        hosting: false,
        state: 'ready',
        version: '0.1.0',
        reason: '',
        clients: this.infos,
        look: () => undefined,
        addBridge: () => Promise.resolve(),
        options: () => Promise.resolve(null),
        act: action => this.act(action)
      }
    ];
  }

  /** What the kernel does when it is asked to act. */
  act: KernelEntry['act'] = () => Promise.reject(new Error('not asked in these tests'));

  get starting(): boolean {
    return false;
  }

  get active(): KernelEntry | null {
    return this.kernels[0] ?? null;
  }

  get followed(): { readonly path: string; readonly info: ClientInfo } | null {
    const info = this.infos.at(-1);
    return info ? { path: 'a.ipynb', info } : null;
  }

  /** The kernel reports other clients. */
  announce(...infos: ClientInfo[]): void {
    this.infos = infos;
    this.changed.emit();
  }

  resolve(binding: Binding): { readonly path: string; readonly info: ClientInfo } | null {
    if (binding.follow) {
      return this.followed;
    }
    const info = this.infos.find(({ key }) => key === binding.client);
    return info ? { path: 'a.ipynb', info } : null;
  }

  readonly viewers: Clients['viewers'] = new Set();

  holds(key: string): boolean {
    return this.handles.some(live => live.info.key === key && !live.isDisposed);
  }

  acquire(path: string, client: string): LiveClient | null {
    const info = (): ClientInfo => this.infos.find(({ key }) => key === client) ?? this.infos[0];
    const { feed, run } = this;
    const handle = {
      path,
      get info(): ClientInfo {
        return info();
      },
      feed,
      run,
      borrowed: false,
      severed: false,
      isDisposed: false,
      dispose(): void {
        this.isDisposed = true;
      }
    };
    this.handles.push(handle);
    return handle;
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** What a kernel reports of a client. */
export function info(fields: Partial<ClientInfo> = {}): ClientInfo {
  return {
    key: 'Client-1',
    variable: 'client',
    cluster: 'LocalCluster',
    address: 'tcp://127.0.0.1:38215',
    dashboard: 'http://127.0.0.1:8787/status',
    dashboardReason: '',
    status: 'running',
    workers: 2,
    threads: 8,
    memoryLimit: 8 * 2 ** 30,
    created: 1,
    limited: '',
    ...fields
  };
}

/** A worker as a test describes it; bytes in GiB. */
export interface FakeWorker {
  readonly executing?: number;
  readonly status?: WorkerStatus;
  readonly managed?: number;
  readonly unmanaged?: number;
  readonly recent?: number;
  readonly spilled?: number;
  readonly limit?: number;
  readonly threads?: number;
}

const GIB = 2 ** 30;

/** A frame with these topics. */
export function frame(time: number, topics: Record<string, TopicBody>, names: Frame['names'] = {}): Frame {
  return { feed: 'feed', epoch: 0, seq: 0, time, cursor: {}, names, topics };
}

/** Topic `workers`. */
export function workers(...list: readonly FakeWorker[]): TopicBody {
  return rows(
    WORKERS_COLUMNS,
    list.map((worker, id) => {
      const { managed = 0, unmanaged = 0, recent = 0 } = worker;
      return {
        id,
        status: WORKER_STATUS.indexOf(worker.status ?? 'running'),
        nthreads: worker.threads ?? 4,
        memory_limit: (worker.limit ?? 4) * GIB,
        managed: managed * GIB,
        unmanaged_old: unmanaged * GIB,
        unmanaged_recent: recent * GIB,
        process: (managed + unmanaged + recent) * GIB,
        spilled: (worker.spilled ?? 0) * GIB,
        executing: worker.executing ?? 0,
        processing: worker.executing ?? 0
      };
    })
  );
}

/** Topic `prefixes`. */
export function prefixes(...list: readonly Partial<Record<(typeof PREFIXES_COLUMNS)[number], number>>[]): TopicBody {
  return rows(
    PREFIXES_COLUMNS,
    list.map((prefix, id) => ({ id, ...prefix }))
  );
}

/** Topic `tasks`: [lane, prefix, start, duration] of each. */
export function tasks(first: number, ...list: readonly (readonly [number, number, number, number])[]): TopicBody {
  const column = (i: number): number[] => list.map(row => row[i]);
  return {
    scalars: { first, lost: 0 },
    columns: {
      lane: Uint16Array.from(column(0)),
      prefix: Uint16Array.from(column(1)),
      start: Float64Array.from(column(2)),
      duration: Float32Array.from(column(3)),
      status: new Uint8Array(list.length),
      nbytes: new Float32Array(list.length)
    }
  };
}

/** Topic `meta`. */
export function meta(scalars: Record<string, Scalar> = {}): TopicBody {
  return {
    columns: {},
    scalars: {
      idle_since: null,
      thresholds: { target: 0.6, spill: 0.7, pause: 0.8, terminate: 0.95 },
      measures: [...MEASURE],
      ...scalars
    }
  };
}

function rows(names: readonly string[], list: readonly Readonly<Record<string, number>>[]): TopicBody {
  const columns: Record<string, Column> = {};
  for (const name of names) {
    columns[name] = Float64Array.from(list.map(row => row[name] ?? 0));
  }
  return { scalars: {}, columns };
}
