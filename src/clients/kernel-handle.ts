import type { Kernel } from '@jupyterlab/services';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';
import type { ChannelState, ClientInfo, KernelOptions, ShowRequest } from '../feed/kernel-channel';
import { Conversation, type ConversationServices } from './conversation';
import type { KernelEntry, LiveClient } from './model';

/** A connection of our own is given back when nobody has held a client of its kernel for so long. */
export const GIVE_BACK: Milliseconds = 60_000;

/** What a handle needs of its surroundings. */
export interface KernelServices extends ConversationServices {
  /** Open a connection of our own, with `handleComms: false`. */
  connect(model: Kernel.IModel): Kernel.IKernelConnection;
}

/** Where a kernel is found now: in an open document with a connection, or only in the list of running sessions. */
export type KernelSource =
  | {
      readonly kind: 'notebook' | 'console';
      readonly path: string;
      readonly name: string;
      readonly kernel: Kernel.IKernelConnection;
    }
  | {
      readonly kind: 'other';
      readonly path: string;
      readonly name: string;
      readonly hosting: boolean;
      readonly model: Kernel.IModel;
    };

/** The kernel of one Jupyter session, through restarts, other kernels, renamed, closed and reopened documents. */
export class KernelHandle implements KernelEntry, IDisposable {
  constructor(
    private source: KernelSource,
    private readonly services: KernelServices
  ) {
    this.bind(source);
  }

  get path(): string {
    return this.source.path;
  }

  get name(): string {
    return this.source.name;
  }

  get kind(): KernelEntry['kind'] {
    return this.source.kind;
  }

  get hosting(): boolean {
    return this.source.kind === 'other' && this.source.hosting;
  }

  get activity(): string {
    return this.lastActivity;
  }

  /** Take the server's word on when the kernel was active; returns whether that is news. */
  noteActivity(activity: string): boolean {
    const news = activity !== this.lastActivity;
    this.lastActivity = activity;
    return news;
  }

  get version(): string {
    return this.conversation?.version ?? '';
  }

  get clients(): readonly ClientInfo[] {
    return this.conversation?.clients ?? [];
  }

  get state(): ChannelState | 'unlooked' {
    return this.conversation?.state ?? 'unlooked';
  }

  /** Id of the kernel that is meant now; new after a change of kernel, the same after a restart. */
  get kernelId(): string {
    return this.source.kind === 'other' ? this.source.model.id : this.source.kernel.id;
  }

  /** What was ever known of the clients of this session, by key; those that are gone are closed. */
  get facts(): ReadonlyMap<string, ClientInfo> {
    return this.known;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get shown(): ISignal<this, ShowRequest> {
    return this.shownSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Take over where the session is found now. */
  bind(source: KernelSource): void {
    const before = this.conversation;
    const changed = source.path !== this.path || source.name !== this.name || source.kind !== this.kind;
    this.source = source;
    if (source.kind !== 'other') {
      if (before?.kernel !== source.kernel) {
        this.hangUp();
        this.talk(new Conversation(source.kernel, false, this.services));
      }
    } else if (before && !(before.own && before.kernel.id === source.model.id)) {
      this.hangUp();
    }
    if (changed) {
      this.changedSignal.emit();
    }
  }

  look(): void {
    if (this.source.kind === 'other' && this.conversation === null && !this.disposed) {
      this.talk(new Conversation(this.services.connect(this.source.model), true, this.services));
      this.rest();
    }
  }

  async addBridge(): Promise<void> {
    await this.conversation?.addBridge();
  }

  async options(): Promise<KernelOptions | null> {
    return (await this.conversation?.options()) ?? null;
  }

  /** See {@link Clients.acquire}. */
  acquire(client: string): LiveClient | null {
    const { conversation } = this;
    if (conversation === null) {
      return null;
    }
    const info = (): ClientInfo => this.known.get(client) ?? unknownClient(client);
    const path = (): string => this.path;
    return conversation.acquire(client, {
      get path() {
        return path();
      },
      get info() {
        return info();
      },
      borrowed: conversation.own,
      hold: () => this.hold()
    });
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.hangUp();
      this.closeAll();
      Signal.clearData(this);
    }
  }

  /** Somebody uses a client of this kernel: a connection of our own stays until this is disposed. */
  private hold(): IDisposable {
    this.holders += 1;
    clearTimeout(this.timer);
    return new DisposableDelegate(() => {
      this.holders -= 1;
      this.rest();
    });
  }

  private rest(): void {
    clearTimeout(this.timer);
    if (this.conversation?.own && this.holders === 0) {
      this.timer = setTimeout(() => this.hangUp(), GIVE_BACK);
    }
  }

  private talk(conversation: Conversation): void {
    this.conversation = conversation;
    conversation.changed.connect(this.onConversation, this);
    conversation.shown.connect(this.relay, this);
    this.changedSignal.emit();
  }

  private hangUp(): void {
    clearTimeout(this.timer);
    const { conversation } = this;
    if (conversation) {
      this.conversation = null;
      conversation.dispose();
      this.changedSignal.emit();
    }
  }

  private onConversation(conversation: Conversation): void {
    if (conversation.isDisposed) {
      if (conversation === this.conversation) {
        this.conversation = null;
      }
    } else {
      this.learn(conversation);
    }
    this.changedSignal.emit();
  }

  private learn({ state, clients }: Conversation): void {
    if (state === 'ready' || state === 'dead' || state === 'missing') {
      const listed = new Set(clients.map(info => info.key));
      for (const key of this.known.keys()) {
        if (state === 'dead' || !listed.has(key)) {
          this.close(key);
        }
      }
    }
    if (state !== 'dead') {
      for (const info of clients) {
        this.known.set(info.key, info);
      }
    }
  }

  private closeAll(): void {
    for (const key of this.known.keys()) {
      this.close(key);
    }
  }

  private close(key: string): void {
    const info = this.known.get(key);
    if (info && info.status !== 'closed') {
      this.known.set(key, { ...info, status: 'closed', closedAt: Date.now() / 1000 });
    }
  }

  private relay(_: Conversation, request: ShowRequest): void {
    this.shownSignal.emit(request);
  }

  private disposed = false;
  private conversation: Conversation | null = null;
  private readonly known = new Map<string, ClientInfo>();
  private lastActivity = '';
  private holders = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}

/** Facts of a client that its kernel has not told of yet. */
function unknownClient(key: string): ClientInfo {
  return {
    key,
    variable: '',
    cluster: '',
    address: '',
    dashboard: '',
    dashboardReason: '',
    status: 'connecting',
    workers: 0,
    threads: 0,
    memoryLimit: 0,
    created: 0,
    limited: ''
  };
}
