/** Kernels, sessions and documents that do what a test says. They stand for the server, not for code of ours. */
import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage, KernelSpec, Session } from '@jupyterlab/services';
import { PromiseDelegate } from '@lumino/coreutils';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import type { OpenDocument, OpenDocuments } from '../../../src/clients/kernels/documents';
import { liveCode } from '../../../src/clients/live-code';
import type { Feed, FeedState } from '../../../src/feed/feed';
import type { Frame } from '../../../src/feed/frame';
import type { ChannelState, ClientInfo, KernelChannel, ShowRequest } from '../../../src/feed/kernel/kernel-channel';
import type { Loss } from '../../../src/feed/kernel/link-watch';
import type { Topic } from '../../../src/feed/schema';

// Panes load it before they ask for clients.
await liveCode.get();

/** Facts of a client. */
export function client(key: string, facts: Partial<ClientInfo> = {}): ClientInfo {
  return {
    key,
    variable: 'client',
    cluster: 'LocalCluster',
    address: 'tcp://127.0.0.1:1',
    dashboard: '',
    dashboardReason: '',
    status: 'running',
    workers: 2,
    threads: 4,
    memoryLimit: 1024 ** 3,
    created: 1,
    limited: '',
    ...facts
  };
}

/** A frame with nothing but a time, or with what the test gives. */
export function frame(facts: Partial<Frame> = {}): Frame {
  return {
    feed: 'f',
    epoch: 0,
    seq: 0,
    time: 1000,
    cursor: {},
    names: {},
    topics: { meta: { columns: {}, scalars: {} } },
    ...facts
  };
}

/** A connection to a kernel. */
export class FakeKernel {
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly connectionStatusChanged = new Signal<this, Kernel.ConnectionStatus>(this);
  readonly pendingInput = new Signal<this, boolean>(this);
  readonly iopubMessage = new Signal<this, unknown>(this);
  readonly unhandledMessage = new Signal<this, unknown>(this);
  readonly anyMessage = new Signal<this, unknown>(this);
  readonly disposed = new Signal<this, void>(this);
  isDisposed = false;
  status: Kernel.Status = 'idle';
  connectionStatus: Kernel.ConnectionStatus = 'connected';
  /** Code that was executed. */
  readonly executed: string[] = [];
  /** Status of the next replies; `ok` where there is none. */
  readonly outcomes: string[] = [];
  private readonly specDelegate = new PromiseDelegate<KernelSpec.ISpecModel | undefined>();
  readonly spec = this.specDelegate.promise;
  private readonly infoDelegate = new PromiseDelegate<KernelMessage.IInfoReply>();
  readonly info = this.infoDelegate.promise;
  readonly name = 'python3';

  /**
   * @param spec - what its kernelspec says, and `implementation` of its kernel_info; without that it has not answered yet
   * @param clientId - of this connection
   */
  constructor(
    readonly id: string,
    spec: { language?: string; implementation?: string } = { language: 'python', implementation: 'ipython' },
    readonly clientId = `connection of ${id}`
  ) {
    this.specDelegate.resolve({ language: spec.language } as unknown as KernelSpec.ISpecModel);
    if (spec.implementation !== undefined) {
      this.reportInfo(spec.implementation);
    }
  }

  /** Answer the request for its info. */
  reportInfo(implementation: string): void {
    this.infoDelegate.resolve({ implementation } as unknown as KernelMessage.IInfoReply);
  }

  /** As the bridge does when it comes into the kernel. */
  announce(): void {
    this.iopubMessage.emit({ header: { msg_type: 'comm_msg' }, content: { comm_id: 'dask-panes-announce' } });
  }

  get connection(): Kernel.IKernelConnection {
    return this as unknown as Kernel.IKernelConnection;
  }

  /** Lose the connection, or have it back. */
  connect(status: Kernel.ConnectionStatus): void {
    this.connectionStatus = status;
    this.connectionStatusChanged.emit(status);
  }

  become(status: Kernel.Status): void {
    this.status = status;
    this.statusChanged.emit(status);
  }

  requestExecute({ code }: { code: string }): { done: Promise<{ content: { status: string } }> } {
    this.executed.push(code);
    return { done: Promise.resolve({ content: { status: this.outcomes.shift() ?? 'ok' } }) };
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.disposed.emit();
    }
  }
}

/** A feed that a test fills. */
export class FakeFeed implements Feed {
  readonly frame = new Signal<this, Frame>(this);
  readonly stateChanged = new Signal<this, FeedState>(this);
  state: FeedState = { status: 'live', answered: 0, reason: '' };
  isDisposed = false;
  /** Topics by number of subscriptions. */
  readonly wanted = new Map<Topic, number>();

  subscribe(topics: readonly Topic[]): IDisposable {
    const count = (step: number): void =>
      topics.forEach(topic => void this.wanted.set(topic, (this.wanted.get(topic) ?? 0) + step));
    count(1);
    return new DisposableDelegate(() => count(-1));
  }

  get topics(): Topic[] {
    return [...this.wanted].filter(([, count]) => count > 0).map(([topic]) => topic);
  }

  become(state: Partial<FeedState>): void {
    this.state = { ...this.state, ...state };
    this.stateChanged.emit(this.state);
  }

  request(): Promise<null> {
    return Promise.resolve(null);
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** The conversation with one kernel. */
export class FakeChannel implements KernelChannel {
  current = true;
  state: ChannelState = 'asking';
  version = '';
  reason = '';
  loss: Loss | null = null;
  sessions: readonly string[] = [];
  clients: readonly ClientInfo[] = [];
  isDisposed = false;
  readonly changed = new Signal<this, void>(this);
  readonly shown = new Signal<this, ShowRequest>(this);
  readonly feeds = new Map<string, FakeFeed>();
  bridges = 0;
  reconnects = 0;
  /** The connections that it was moved to. */
  readonly moves: (string | null)[] = [];

  moveTo(kernel: Kernel.IKernelConnection | null): void {
    this.moves.push(kernel?.clientId ?? null);
  }

  /** Say what the kernel answers. */
  answer(state: ChannelState, ...clients: ClientInfo[]): void {
    this.state = state;
    this.clients = clients;
    this.changed.emit();
  }

  reconnect(): void {
    this.reconnects += 1;
  }

  open(key: string): FakeFeed {
    const feed = new FakeFeed();
    this.feeds.set(key, feed);
    return feed;
  }

  addBridge(): Promise<void> {
    this.bridges += 1;
    return Promise.resolve();
  }

  request(): Promise<null> {
    return Promise.resolve(null);
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** The documents that are open in the tab. */
export class FakeDocuments implements OpenDocuments {
  list: OpenDocument[] = [];
  starting = false;
  isDisposed = false;
  readonly changed = new Signal<this, void>(this);

  /** Set the open notebooks, most recently active first. */
  show(...notebooks: { path: string; kernel: FakeKernel | null; session?: string }[]): void {
    this.list = notebooks.map(({ path, kernel, session = path }) => ({
      kind: 'notebook',
      context: {
        path,
        name: path,
        session: kernel && { id: session, path, kernel: kernel.connection }
      } as unknown as ISessionContext
    }));
    this.changed.emit();
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** The sessions that the server runs. */
export class FakeSessions {
  models: Session.IModel[] = [];
  readonly runningChanged = new Signal<Session.IManager, Session.IModel[]>(this as unknown as Session.IManager);

  running(): IterableIterator<Session.IModel> {
    return this.models[Symbol.iterator]();
  }

  /** Set the running sessions: path and id of the kernel. */
  run(...sessions: [path: string, kernel: string][]): void {
    this.models = sessions.map(([path, id]) => ({
      id: path,
      path,
      name: path,
      type: 'notebook',
      kernel: { id, name: 'python3' }
    }));
    this.runningChanged.emit(this.models);
  }
}
