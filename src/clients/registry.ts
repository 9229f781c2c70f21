import type { Kernel, Session } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ClientInfo, ShowRequest } from '../feed/kernel/kernel-channel';
import type { OpenDocument, OpenDocuments } from './kernels/documents';
import { announced } from '../run/client-documents';
import { HOSTING_TYPE } from './hosting/model';
import type { ConversationServices } from './kernels/conversation';
import { Conversations } from './kernels/conversations';
import { KernelHandle, type KernelSource } from './kernels/kernel-handle';
import { type Binding, type ClientKind, type Clients, type KernelEntry, type LiveClient, newestOf } from './model';
import { isRecording, type Recordings } from './recordings/recordings';

/** A client with the path of its kernel's session, and its facts. */
type Named = { readonly path: string; readonly info: ClientInfo };

/** Number of clients remembered from ended sessions: the newest. */
const GONE_KEPT = 100;

/** An open document with its session and connection. */
type ConnectedDocument = OpenDocument & {
  readonly session: Session.ISessionConnection;
  readonly kernel: Kernel.IKernelConnection;
};

/** Event sources of the registry. */
export interface RegistryOptions {
  readonly documents: OpenDocuments;
  /** The sessions running on the server. */
  readonly sessions: Pick<Session.IManager, 'running' | 'runningChanged'>;
  readonly kernels: ConversationServices;
  /** The kernels running on the server, with their last activity. */
  readonly running?: Pick<Kernel.IManager, 'running' | 'runningChanged'>;
  readonly recordings?: Recordings;
}

/** All kernels and clients of this tab, followed through every change; see {@link Clients}. */
export class ClientRegistry implements Clients, IDisposable {
  constructor(private readonly options: RegistryOptions) {
    this.conversations = new Conversations(options.kernels);
    this.conversations.shown.connect(this.relay, this);
    options.documents.changed.connect(this.sync, this);
    options.sessions.runningChanged.connect(this.sync, this);
    options.recordings?.changed.connect(this.announce, this);
    options.running?.runningChanged.connect(this.noteActivity, this);
    this.sync();
  }

  get kernels(): readonly KernelEntry[] {
    // Rows keep their position: documents first, each kind in order of appearance.
    const documents = this.handles.filter(({ kind }) => kind !== 'other');
    const others = this.handles.filter(({ kind }) => kind === 'other');
    return [...documents, ...(this.options.recordings?.entries ?? []), ...others];
  }

  get active(): KernelEntry | null {
    return this.handleOf(this.recent[0] ?? '') ?? null;
  }

  get starting(): boolean {
    return this.options.documents.starting;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get shown(): ISignal<this, ShowRequest & { readonly path: string }> {
    return this.shownSignal;
  }

  get followed(): Named | null {
    return this.newest('cluster', info => info.status !== 'closed');
  }

  readonly viewers: Clients['viewers'] = new Set();

  get isDisposed(): boolean {
    return this.disposed;
  }

  resolve(binding: Binding, kind: ClientKind = 'cluster'): Named | null {
    if (binding.follow) {
      const open = this.newest(kind, info => info.status !== 'closed');
      // What the active notebook did is not exchanged for another one's client while a pane shows it.
      const active = this.recent.slice(0, 1);
      const shown = [...this.viewers].map(({ live }) => (live?.isDisposed ? null : live?.info.key));
      const kept = active.includes(open?.path ?? '') ? null : this.newest(kind, ({ key }) => shown.includes(key), active);
      return kept ?? open ?? this.newest(kind, () => true) ?? this.find(this.followedLast.get(kind) ?? '');
    }
    if (isRecording(binding.client)) {
      const info = this.options.recordings?.want(binding.path) ?? null;
      return info && { path: binding.path, info };
    }
    return this.find(binding.client, binding.path);
  }

  acquire(path: string, client: string): LiveClient | null {
    if (isRecording(client)) {
      return this.options.recordings?.acquire(path) ?? null;
    }
    return this.handleOf(path)?.acquire(client) ?? this.conversations.past(client);
  }

  holds(client: string): boolean {
    return this.conversations.holds(client);
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    Signal.disconnectReceiver(this);
    for (const handle of this.handles) {
      handle.dispose();
    }
    this.handles = [];
    this.conversations.dispose();
    announced.documents = [];
    Signal.clearData(this);
  }

  /** The newest client of a kind that satisfies a condition, of the most recently active document with one. */
  private newest(kind: ClientKind, condition: (info: ClientInfo) => boolean, paths = this.recent): Named | null {
    for (const path of paths) {
      const info = newestOf(this.handleOf(path)?.facts.values() ?? [], kind, condition);
      if (info !== null) {
        return { path, info };
      }
    }
    return null;
  }

  /**
   * By key, since a client keeps its key when its notebook is renamed; by `path` if two kernels report the same key.
   */
  private find(client: string, path?: string): Named | null {
    const owners = this.handles.filter(handle => handle.facts.has(client));
    const owner = owners.find(handle => handle.path === path) ?? owners[0];
    const info = owner?.facts.get(client);
    return owner && info ? { path: owner.path, info } : (this.gone.get(client) ?? null);
  }

  private handleOf(path: string): KernelHandle | undefined {
    return this.handles.find(handle => handle.path === path);
  }

  /** Synchronize the handles with the existing documents and sessions. */
  private sync(): void {
    if (this.disposed) {
      return;
    }
    const sources = this.sources();
    this.conversations.offer(this.connections());
    const kept = new Set<KernelHandle>();
    const fresh: KernelSource[] = [];
    for (const source of sources) {
      const handle = this.handleFor(source, sources, kept);
      if (handle) {
        kept.add(handle);
        handle.bind(source);
      } else {
        fresh.push(source);
      }
    }
    const lost = this.handles.filter(handle => !kept.has(handle));
    this.handles = [...this.handles.filter(handle => kept.has(handle)), ...fresh.map(source => this.create(source))];
    for (const handle of lost) {
      this.forget(handle);
    }
    this.announce();
  }

  /**
   * The handle of a session. For a new session, that of the same path (its kernel was started again), or of the same
   * kernel if that session is gone.
   */
  private handleFor(
    source: KernelSource,
    all: readonly KernelSource[],
    taken: ReadonlySet<KernelHandle>
  ): KernelHandle | undefined {
    const own = this.handles.find(handle => handle.session === source.session);
    if (own) {
      return taken.has(own) ? undefined : own;
    }
    const free = this.handles.filter(handle => !taken.has(handle) && !all.some(other => other.session === handle.session));
    return free.find(handle => handle.path === source.path) ?? free.find(handle => handle.kernelId === source.kernelId);
  }

  /** Sessions by id, those of open documents first: the server lists a renamed document under its old path for a while. */
  private sources(): KernelSource[] {
    const sources = new Map<string, KernelSource>();
    for (const { kind, context, session, kernel } of this.connected()) {
      const { id, path } = session;
      const known = sources.get(id);
      // A console of a notebook shares the notebook's session and is listed as the notebook.
      if (known === undefined || (known.kind === 'console' && kind === 'notebook')) {
        sources.set(id, { kind, path, name: nameOf(path, context.name), session: id, kernelId: kernel.id });
      }
    }
    this.recent = [...sources.values()].map(source => source.path);
    const paths = new Set(this.recent);
    for (const { id, path, name, kernel, type } of this.options.sessions.running()) {
      if (kernel && !sources.has(id) && !paths.has(path)) {
        const hosting = type === HOSTING_TYPE;
        const where = { path, name: nameOf(path, name), session: id, kernelId: kernel.id };
        sources.set(id, { ...where, kind: 'other', hosting, model: kernel });
      }
    }
    return [...sources.values()];
  }

  /** The open documents with a kernel, most recently active first. */
  private connected(): ConnectedDocument[] {
    return this.options.documents.list.flatMap(document => {
      const { session } = document.context;
      const kernel = session?.kernel;
      return session && kernel && !kernel.isDisposed ? [{ ...document, session, kernel }] : [];
    });
  }

  private connections(): ReadonlyMap<string, readonly Kernel.IKernelConnection[]> {
    const connections = new Map<string, readonly Kernel.IKernelConnection[]>();
    for (const { kernel } of this.connected()) {
      connections.set(kernel.id, [...new Set([...(connections.get(kernel.id) ?? []), kernel])]);
    }
    return connections;
  }

  private create(source: KernelSource): KernelHandle {
    const handle = new KernelHandle(source, this.conversations);
    handle.changed.connect(this.announce, this);
    return handle;
  }

  private forget(handle: KernelHandle): void {
    handle.dispose();
    for (const [key, info] of handle.facts) {
      this.gone.delete(key);
      this.gone.set(key, { path: handle.path, info });
    }
    for (const key of [...this.gone.keys()].slice(0, -GONE_KEPT)) {
      this.gone.delete(key);
    }
  }

  private noteActivity(): void {
    const models = [...(this.options.running?.running() ?? [])];
    const activity = new Map(models.map(model => [model.id, model.last_activity ?? '']));
    const others = this.handles.filter(handle => handle.kind === 'other');
    const news = others.filter(handle => handle.noteActivity(activity.get(handle.kernelId) ?? ''));
    if (news.length > 0) {
      this.announce();
    }
  }

  /** In the document whose cell asked, else in the one active last. */
  private relay(_: Conversations, { kernelId, ...request }: ShowRequest & { readonly kernelId: string }): void {
    const documents = this.connected().filter(({ kernel }) => kernel.id === kernelId);
    const document = documents.find(({ kernel }) => kernel.clientId === request.session) ?? documents[0];
    if (document) {
      this.shownSignal.emit({ ...request, path: document.session.path });
    }
  }

  private announce(): void {
    if (this.disposed) {
      return;
    }
    for (const kind of ['cluster', 'local'] as const) {
      const open = this.newest(kind, info => info.status !== 'closed');
      if (open) {
        this.followedLast.set(kind, open.info.key);
      }
    }
    announced.documents = this.handles;
    announced.times += 1;
    this.changedSignal.emit();
  }

  private disposed = false;
  private readonly conversations: Conversations;
  private handles: readonly KernelHandle[] = [];
  /** Paths of the open documents, most recently active first. */
  private recent: readonly string[] = [];
  /** Clients of ended sessions. */
  private readonly gone = new Map<string, Named>();
  /** Keys of the clients followed last. */
  private readonly followedLast = new Map<ClientKind, string>();
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest & { readonly path: string }>(this);
}

/** The file name; consoles and kernels without a document have a separate name. */
function nameOf(path: string, name: string): string {
  return name || path.slice(path.lastIndexOf('/') + 1) || path;
}
