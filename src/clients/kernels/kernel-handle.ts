import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ChannelState, ClientInfo, KernelOptions } from '../../feed/kernel/kernel-channel';
import type { Loss } from '../../feed/kernel/link-watch';
import type { Conversation } from './conversation';
import type { Conversations, Place } from './conversations';
import { CLOSED_KEPT } from './known-clients';
import type { KernelAction, KernelEntry, LiveClient } from '../model';

/** Location of a kernel: an open document with a connection, or only an entry in the list of running sessions. */
export type KernelSource = {
  readonly path: string;
  readonly name: string;
  /** Id of the Jupyter session: unchanged when its document is renamed or gets another kernel. */
  readonly session: string;
  readonly kernelId: string;
} & (
  | { readonly kind: 'notebook' | 'console' }
  | { readonly kind: 'other'; readonly hosting: boolean; readonly model: Kernel.IModel }
);

/**
 * The kernel of one Jupyter session, through restarts, kernel changes, and renamed, closed and reopened documents. All
 * sessions of the same kernel share its conversation.
 */
export class KernelHandle implements KernelEntry, Place, IDisposable {
  constructor(
    private source: KernelSource,
    private readonly conversations: Conversations
  ) {
    this.conversation = this.join(source.kernelId);
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

  get open(): boolean {
    return this.source.kind !== 'other';
  }

  get hosting(): boolean {
    return this.source.kind === 'other' && this.source.hosting;
  }

  get activity(): string {
    return this.lastActivity;
  }

  /** Update the kernel's last activity from the server; returns whether it changed. */
  noteActivity(activity: string): boolean {
    const news = activity !== this.lastActivity;
    this.lastActivity = activity;
    return news;
  }

  get version(): string {
    return this.conversation.version;
  }

  get loss(): Loss | null {
    return this.conversation?.loss ?? null;
  }

  get clients(): readonly ClientInfo[] {
    return this.conversation.clients;
  }

  get state(): ChannelState | 'unlooked' {
    return this.conversation.state;
  }

  get reason(): string {
    return this.conversation.reason;
  }

  /** Id of the current kernel: new after a change of kernel, unchanged after a restart. */
  get kernelId(): string {
    return this.source.kernelId;
  }

  /** Id of the Jupyter session. */
  get session(): string {
    return this.source.session;
  }

  /** All clients ever reported for this session, by key; gone ones are marked closed. */
  get facts(): ReadonlyMap<string, ClientInfo> {
    const { facts } = this.conversation;
    return this.earlier.size === 0 ? facts : new Map([...this.earlier, ...facts]);
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Update the session's location. */
  bind(source: KernelSource): void {
    const before = this.source;
    const changed = source.path !== before.path || source.name !== before.name || source.kind !== before.kind;
    const { conversation } = this;
    this.source = source;
    if (source.kernelId !== conversation.kernelId) {
      this.leave();
      this.conversation = this.join(source.kernelId);
      this.emit();
    } else if (changed) {
      this.emit();
    }
  }

  look(): void {
    if (this.source.kind === 'other' && !this.disposed) {
      this.conversation.line.look(this.source.model);
    }
  }

  reconnect(): void {
    this.conversation?.reconnect();
  }

  async addBridge(): Promise<void> {
    await this.conversation.addBridge();
  }

  async options(read = false): Promise<KernelOptions | null> {
    return this.conversation.options(read);
  }

  async act(action: KernelAction): Promise<unknown> {
    return this.conversation.act(action);
  }

  /** See `Clients.acquire`. */
  acquire(client: string): LiveClient | null {
    return this.conversation.acquire(client);
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.leave();
      Signal.clearData(this);
    }
  }

  private join(kernelId: string): Conversation {
    const conversation = this.conversations.join(kernelId, this);
    conversation.changed.connect(this.emit, this);
    return conversation;
  }

  /** If the kernel ends with this session, its clients stay known here; otherwise they belong to another session. */
  private leave(): void {
    const { conversation } = this;
    conversation.changed.disconnect(this.emit, this);
    if (!this.conversations.leave(conversation, this)) {
      const rest = [...this.earlier, ...conversation.facts].slice(-CLOSED_KEPT);
      this.earlier = new Map(rest);
    }
  }

  private emit(): void {
    this.changedSignal.emit();
  }

  private disposed = false;
  private conversation: Conversation;
  /** Clients of this session's earlier kernels. */
  private earlier: ReadonlyMap<string, ClientInfo> = new Map();
  private lastActivity = '';
  private readonly changedSignal = new Signal<this, void>(this);
}
