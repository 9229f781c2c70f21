import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Settings } from '../../base/jupyter/settings';
import type { ChannelState, ClientInfo, KernelChannel, KernelOptions, ShowRequest } from '../../feed/kernel/kernel-channel';
import type { Loss } from '../../feed/kernel/link-watch';
import { Activation, type ActivationSettings } from './activation';
import { KernelLanguage } from './kernel-language';
import { KnownClients, unknownClient } from './known-clients';
import { Line } from './line';
import type { KernelAction, LiveClient } from '../model';
import { liveCode } from '../live-code';
import type { SharedClient } from '../shared-client';

/** Dependencies of a conversation. */
export interface ConversationServices {
  /** Start a channel to a kernel over a connection. */
  createChannel(kernel: Kernel.IKernelConnection): KernelChannel;
  /** Open our own connection, with `handleComms: false`. */
  connect(model: Kernel.IModel): Kernel.IKernelConnection;
  readonly activation: ActivationSettings;
  /** Language of a kernel spec by name, if known without asking the server. */
  languageOf(spec: string): string | undefined;
  /** How much to keep of each client. */
  readonly settings: Pick<Settings, 'values' | 'changed'>;
}

/**
 * All communication of this page with one kernel, whatever the number of its documents: hello, activation, the runs of
 * its clients.
 *
 * Guarantees:
 * 1. It outlives connections: when the document of its connection closes, it continues over another one, and each feed
 *    continues from its cursor.
 * 2. Nothing is sent to a kernel that is not known to run Python.
 * 3. A client has one run here, however many show it.
 */
export class Conversation implements IDisposable {
  /**
   * @param pathOf - the kernel's current path, for viewers of its clients
   */
  constructor(
    readonly kernelId: string,
    private readonly services: ConversationServices,
    private readonly pathOf: (conversation: Conversation) => string
  ) {
    this.language = new KernelLanguage(services.languageOf, () => this.begin());
    this.line = new Line(model => services.connect(model));
    this.line.changed.connect(this.onLine, this);
  }

  /** The connection in use. */
  readonly line: Line;

  get state(): ChannelState | 'unlooked' {
    const state = this.channel?.state ?? 'asking';
    if (this.line.current === null) {
      return state === 'dead' ? 'dead' : 'unlooked';
    }
    if (this.channel === null) {
      return this.language.name === 'other' ? 'unsupported' : 'asking';
    }
    const answered = state === 'ready' || state === 'silent' || state === 'dead';
    if (this.language.isForeign && !answered) {
      return 'unsupported';
    }
    return state === 'missing' && this.activation?.pending ? 'asking' : state;
  }

  get loss(): Loss | null {
    return this.channel?.loss ?? null;
  }

  get version(): string {
    return this.channel?.version ?? '';
  }

  /** See `KernelEntry.reason`. */
  get reason(): string {
    return this.channel?.reason ?? '';
  }

  get clients(): readonly ClientInfo[] {
    return this.line.current === null ? [] : (this.channel?.clients ?? []);
  }

  /** All clients ever reported by this kernel, by key; gone ones are marked closed. */
  get facts(): ReadonlyMap<string, ClientInfo> {
    return this.known.all;
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

  reconnect(): void {
    this.channel?.reconnect();
  }

  async addBridge(): Promise<void> {
    await this.channel?.addBridge();
  }

  /** See `KernelEntry.options`. */
  async options(read = false): Promise<KernelOptions | null> {
    if (this.channel?.state !== 'ready') {
      return null;
    }
    const answer = await this.channel.request('options', read ? { read } : {});
    // No page asks at its start.
    return (await import('../../feed/kernel/parse-options')).parseOptions(answer);
  }

  /** See `KernelEntry.act`. */
  async act({ name, target, args }: KernelAction): Promise<unknown> {
    if (this.channel === null || this.line.current === null) {
      throw new Error('There is no connection to the kernel.');
    }
    return this.channel.request('act', { name, ...target, args });
  }

  /**
   * Open or share a client; `null` until the kernel is known to speak the protocol and the code of runs is loaded, and for a
   * client that closed unseen.
   */
  acquire(client: string): LiveClient | null {
    const shared = this.shared.get(client) ?? this.open(client);
    return shared?.share() ?? null;
  }

  /** Whether anyone has the run of a client open. */
  holds(client: string): boolean {
    return this.shared.has(client);
  }

  /** End permanently; returns the open clients by key, without a feed. */
  end(): ReadonlyMap<string, SharedClient> {
    const rest = new Map(this.shared);
    this.dispose();
    return rest;
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    this.known.closeAll();
    for (const shared of this.shared.values()) {
      shared.sever();
    }
    this.language.dispose();
    this.activation?.dispose();
    this.channel?.dispose();
    this.line.dispose();
    this.changedSignal.emit();
    Signal.clearData(this);
  }

  private open(client: string): SharedClient | null {
    if (this.channel === null || this.disposed || this.line.current === null || this.facts.get(client)?.status === 'closed') {
      return null;
    }
    const code = liveCode.ready;
    if (code === null) {
      // Panes load it before they ask. Others ask again on `changed`.
      liveCode.get().then(
        () => this.emit(),
        (error: unknown) => console.warn('dask-panes: runs of clients are not available:', error)
      );
      return null;
    }
    const { line, known } = this;
    const path = (): string => this.pathOf(this);
    const shared = new code.SharedClient(
      this.channel.open(client),
      {
        get path() {
          return path();
        },
        get info() {
          return known.all.get(client) ?? unknownClient(client);
        },
        get borrowed() {
          return line.borrowed;
        },
        hold: () => line.hold()
      },
      this.services.settings,
      () => this.shared.delete(client)
    );
    this.shared.set(client, shared);
    return shared;
  }

  // -- beginning ---------------------------------------------------------------------------------------------------

  private onLine(): void {
    const { current, sessions } = this.line;
    if (this.channel !== null) {
      if (current !== this.using) {
        this.using = current;
        this.channel.moveTo(current);
        this.activation?.moveTo(current);
      }
      this.channel.sessions = sessions;
    } else if (current !== null) {
      this.language.ask(current);
    }
    this.changedSignal.emit();
  }

  private begin(): void {
    const { current } = this.line;
    if (this.language.name === 'python' && this.channel === null && current !== null) {
      this.language.stop();
      this.using = current;
      const channel = this.services.createChannel(current);
      channel.sessions = this.line.sessions;
      this.channel = channel;
      channel.changed.connect(this.onChannel, this);
      channel.shown.connect(this.relay, this);
      const { activation, settings } = this.services;
      this.activation = new Activation(current, channel, { ...activation, settings, borrowed: this.line.borrowed });
      this.activation.changed.connect(this.emit, this);
    }
    this.changedSignal.emit();
  }

  private onChannel(channel: KernelChannel): void {
    this.known.learn(channel.state, channel.clients);
    this.emit();
  }

  private emit(): void {
    this.changedSignal.emit();
  }

  private relay(_: KernelChannel, request: ShowRequest): void {
    this.shownSignal.emit(request);
  }

  private disposed = false;
  private readonly language: KernelLanguage;
  private channel: KernelChannel | null = null;
  /** The connection used by the channel. */
  private using: Kernel.IKernelConnection | null = null;
  private activation: Activation | null = null;
  private readonly shared = new Map<string, SharedClient>();
  private readonly known = new KnownClients(
    client => this.shared.has(client),
    () => this.channel?.current ?? false
  );
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}
