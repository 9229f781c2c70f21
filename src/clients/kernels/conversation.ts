import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Settings } from '../../base/jupyter/settings';
import { isAnnouncement } from '../../feed/kernel/announcement';
import type { ChannelState, ClientInfo, KernelChannel, KernelOptions, ShowRequest } from '../../feed/kernel/kernel-channel';
import type { Loss } from '../../feed/kernel/link-watch';
import { parseOptions } from '../../feed/kernel/parse-options';
import { Activation, type ActivationSettings } from './activation';
import { KnownClients } from './known-clients';
import { Line } from './line';
import type { KernelAction, LiveClient } from '../model';
import { SharedClient } from '../shared-client';

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

/** `implementation` in the kernel_info of every ipykernel. */
const IPYKERNEL = 'ipython';

/**
 * All communication of this page with one kernel, whatever the number of its documents: hello, activation, the runs of
 * its clients. It outlives connections: when the document of its connection closes, it continues over another one, and
 * each feed continues from its cursor.
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
      return this.language === 'other' ? 'unsupported' : 'asking';
    }
    const answered = state === 'ready' || state === 'silent' || state === 'dead';
    if (this.foreign && !answered) {
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

  /** A message for users if the state is `failed`. */
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

  async options(): Promise<KernelOptions | null> {
    return this.channel?.state === 'ready' ? parseOptions(await this.channel.request('options')) : null;
  }

  /** See {@link KernelEntry.act}. */
  async act({ name, target, args }: KernelAction): Promise<unknown> {
    if (this.channel === null || this.line.current === null) {
      throw new Error('There is no connection to the kernel.');
    }
    return this.channel.request('act', { name, ...target, args });
  }

  /**
   * Open or share a client; `null` until the kernel is known to speak the protocol, and for a client that closed
   * unseen.
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
    this.unlisten();
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
    const { line, known } = this;
    const path = (): string => this.pathOf(this);
    const shared = new SharedClient(
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
    } else if (current !== null && current !== this.asked) {
      this.ask(current);
    }
    this.changedSignal.emit();
  }

  /** A kernel is contacted if its spec, its own reply or our announcement says that it runs Python. */
  private ask(kernel: Kernel.IKernelConnection): void {
    this.unlisten();
    this.asked = kernel;
    kernel.iopubMessage.connect(this.onIOPub, this);
    const learn = (python: boolean): void => {
      if (!this.disposed && this.asked === kernel) {
        this.language = python ? 'python' : this.language === 'unknown' ? 'other' : this.language;
        this.begin();
      }
    };
    // Without waiting for an answer: the user may run a cell at once.
    if (this.services.languageOf(kernel.name)?.toLowerCase() === 'python') {
      learn(true);
    }
    kernel.spec.then(
      spec => learn(spec?.language?.toLowerCase() === 'python'),
      () => learn(false)
    );
    // A client that ends before it was reported is lost with its connection.
    kernel.info.then(
      info => {
        this.foreign = info.implementation !== IPYKERNEL;
        if (this.foreign) {
          this.changedSignal.emit();
        } else {
          learn(true);
        }
      },
      () => undefined
    );
  }

  private begin(): void {
    const { current } = this.line;
    if (this.language === 'python' && this.channel === null && current !== null) {
      this.unlisten();
      this.using = current;
      const channel = this.services.createChannel(current);
      channel.sessions = this.line.sessions;
      this.channel = channel;
      channel.changed.connect(this.onChannel, this);
      channel.shown.connect(this.relay, this);
      this.activation = new Activation(current, channel, { ...this.services.activation, borrowed: this.line.borrowed });
      this.activation.changed.connect(this.emit, this);
    }
    this.changedSignal.emit();
  }

  private onIOPub(_: unknown, message: KernelMessage.IIOPubMessage): void {
    if (isAnnouncement(message)) {
      this.language = 'python';
      this.begin();
    }
  }

  private unlisten(): void {
    this.asked?.iopubMessage.disconnect(this.onIOPub, this);
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
  private asked: Kernel.IKernelConnection | null = null;
  private language: 'unknown' | 'python' | 'other' = 'unknown';
  /** It is known not to be an ipykernel. */
  private foreign = false;
  private channel: KernelChannel | null = null;
  /** The connection used by the channel. */
  private using: Kernel.IKernelConnection | null = null;
  private activation: Activation | null = null;
  private readonly shared = new Map<string, SharedClient>();
  private readonly known = new KnownClients(client => this.shared.has(client));
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}

/** Facts of a client that its kernel has not reported yet. */
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
