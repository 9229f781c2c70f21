import type { Kernel, Session } from '@jupyterlab/services';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ClientInfo, ShowRequest } from '../feed/kernel-channel';
import type { OpenDocument, OpenDocuments } from './documents';
import { HOSTING_TYPE } from './hosting/model';
import { KernelHandle, type KernelServices, type KernelSource } from './kernel-handle';
import { type Binding, type ClientKind, type Clients, type KernelEntry, kindOf, type LiveClient } from './model';
import { isRecording, type Recordings } from './recordings';

/** A client by name: the path of its kernel's session and what is known of it. */
type Named = { readonly path: string; readonly info: ClientInfo };

/** What the registry listens to. */
export interface RegistryOptions {
  readonly documents: OpenDocuments;
  /** The sessions that run on the server. */
  readonly sessions: Pick<Session.IManager, 'running' | 'runningChanged'>;
  readonly kernels: KernelServices;
  /** The kernels that run on the server: when each was last active. */
  readonly running?: Pick<Kernel.IManager, 'running' | 'runningChanged'>;
  readonly recordings?: Recordings;
}

/** All kernels and clients of this tab, followed through every change; see {@link Clients}. */
export class ClientRegistry implements Clients {
  constructor(private readonly options: RegistryOptions) {
    options.documents.changed.connect(this.sync, this);
    options.sessions.runningChanged.connect(this.sync, this);
    options.recordings?.changed.connect(this.announce, this);
    options.running?.runningChanged.connect(this.noteActivity, this);
    this.sync();
  }

  get kernels(): readonly KernelEntry[] {
    // Rows keep their place: documents first, each kind in the order in which it appeared.
    return [
      ...this.handles.filter(handle => handle.kind !== 'other'),
      ...(this.options.recordings?.entries ?? []),
      ...this.handles.filter(handle => handle.kind === 'other')
    ];
  }

  get active(): KernelEntry | null {
    return this.handleOf(this.recent[0] ?? '') ?? null;
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

  get isDisposed(): boolean {
    return this.disposed;
  }

  resolve(binding: Binding, kind: ClientKind = 'cluster'): Named | null {
    if (binding.follow) {
      const open = this.newest(kind, info => info.status !== 'closed');
      return open ?? this.newest(kind, () => true) ?? this.find(this.followedLast.get(kind) ?? '');
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
    return this.handleOf(path)?.acquire(client) ?? null;
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    this.options.documents.changed.disconnect(this.sync, this);
    this.options.sessions.runningChanged.disconnect(this.sync, this);
    this.options.running?.runningChanged.disconnect(this.noteActivity, this);
    this.options.recordings?.changed.disconnect(this.announce, this);
    for (const handle of this.handles) {
      handle.dispose();
    }
    this.handles = [];
    Signal.clearData(this);
  }

  /** The newest client of a kind that satisfies a condition, of the most recently active document that has one. */
  private newest(kind: ClientKind, condition: (info: ClientInfo) => boolean): Named | null {
    for (const path of this.recent) {
      const known = [...(this.handleOf(path)?.facts.values() ?? [])];
      const clients = known.filter(info => kindOf(info) === kind && condition(info));
      if (clients.length > 0) {
        return { path, info: clients.reduce((newest, info) => (info.created >= newest.created ? info : newest)) };
      }
    }
    return null;
  }

  /** By key, since a client keeps its key when its notebook is renamed; at `path` where two kernels tell the same key. */
  private find(client: string, path?: string): Named | null {
    const owners = this.handles.filter(handle => handle.facts.has(client));
    const owner = owners.find(handle => handle.path === path) ?? owners[0];
    const info = owner?.facts.get(client);
    return owner && info ? { path: owner.path, info } : (this.gone.get(client) ?? null);
  }

  private handleOf(path: string): KernelHandle | undefined {
    return this.handles.find(handle => handle.path === path);
  }

  /** Bring the handles in line with the documents and sessions that exist. */
  private sync(): void {
    if (this.disposed) {
      return;
    }
    const sources = this.sources();
    const kept = new Set<KernelHandle>();
    const fresh: KernelSource[] = [];
    for (const source of sources) {
      const handle = this.handleFor(source, sources);
      if (handle && !kept.has(handle)) {
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

  /** The handle of a path; where the path is new, the handle of the same kernel whose path has gone: it was renamed. */
  private handleFor(source: KernelSource, all: readonly KernelSource[]): KernelHandle | undefined {
    const id = source.kind === 'other' ? source.model.id : source.kernel.id;
    return (
      this.handleOf(source.path) ??
      this.handles.find(handle => handle.kernelId === id && !all.some(other => other.path === handle.path))
    );
  }

  private sources(): KernelSource[] {
    const sources = new Map<string, KernelSource>();
    for (const document of this.options.documents.list) {
      const path = pathOf(document);
      const kernel = document.context.session?.kernel;
      if (kernel && !kernel.isDisposed && !sources.has(path)) {
        sources.set(path, { kind: document.kind, path, name: nameOf(path, document.context.name), kernel });
      }
    }
    this.recent = [...sources.keys()];
    for (const { path, name, kernel, type } of this.options.sessions.running()) {
      if (kernel && !sources.has(path)) {
        sources.set(path, { kind: 'other', path, name: nameOf(path, name), hosting: type === HOSTING_TYPE, model: kernel });
      }
    }
    return [...sources.values()];
  }

  private create(source: KernelSource): KernelHandle {
    const handle = new KernelHandle(source, this.options.kernels);
    handle.changed.connect(this.announce, this);
    handle.shown.connect(this.relay, this);
    return handle;
  }

  private forget(handle: KernelHandle): void {
    handle.dispose();
    for (const [key, info] of handle.facts) {
      this.gone.set(key, { path: handle.path, info });
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

  private relay(handle: KernelHandle, request: ShowRequest): void {
    if (handle.kind !== 'other') {
      this.shownSignal.emit({ ...request, path: handle.path });
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
    this.changedSignal.emit();
  }

  private disposed = false;
  private handles: readonly KernelHandle[] = [];
  /** Paths of the open documents, most recently active first. */
  private recent: readonly string[] = [];
  /** Clients of sessions that are no more. */
  private readonly gone = new Map<string, Named>();
  /** Keys of what was followed last. */
  private readonly followedLast = new Map<ClientKind, string>();
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest & { readonly path: string }>(this);
}

function pathOf(document: OpenDocument): string {
  return document.context.session?.path ?? document.context.path;
}

/** The file name; consoles and kernels without a document have a name of their own. */
function nameOf(path: string, name: string): string {
  return name || path.slice(path.lastIndexOf('/') + 1) || path;
}
