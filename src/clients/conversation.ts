import type { Kernel, KernelSpec } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Settings } from '../base/settings';
import type { ChannelState, ClientInfo, KernelChannel, KernelOptions, ShowRequest } from '../feed/kernel-channel';
import { parseOptions } from '../feed/parse-options';
import { Activation, type ActivationOptions } from './activation';
import type { LiveClient } from './model';
import { SharedClient, type SharedClientFacts } from './shared-client';

/** What a conversation needs of its surroundings. */
export interface ConversationServices {
  /** Begin to talk with a kernel over a connection. */
  createChannel(kernel: Kernel.IKernelConnection): KernelChannel;
  readonly activation: ActivationOptions;
  /** How much is kept of each client. */
  readonly settings: Pick<Settings, 'values' | 'changed'>;
}

/** Only a Python kernel whose spec promises a debugger answers on the control channel (reference, kernel channel 4). */
function speaks(spec: KernelSpec.ISpecModel | undefined): boolean {
  return spec?.language?.toLowerCase() === 'python' && spec.metadata?.debugger === true;
}

/** All that goes over one connection to a kernel: hello, activation, the runs of its clients. Ends with the connection. */
export class Conversation implements IDisposable {
  /**
   * @param own - whether the connection is ours, to be closed with the conversation
   */
  constructor(
    readonly kernel: Kernel.IKernelConnection,
    readonly own: boolean,
    private readonly services: ConversationServices
  ) {
    kernel.disposed.connect(this.dispose, this);
    kernel.spec.then(
      spec => this.begin(speaks(spec)),
      () => this.begin(false)
    );
  }

  get state(): ChannelState {
    if (this.unsupported) {
      return 'unsupported';
    }
    const state = this.channel?.state ?? 'asking';
    return state === 'missing' && this.activation?.pending ? 'asking' : state;
  }

  get version(): string {
    return this.channel?.version ?? '';
  }

  get clients(): readonly ClientInfo[] {
    return this.channel?.clients ?? [];
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

  async addBridge(): Promise<void> {
    await this.channel?.addBridge();
  }

  async options(): Promise<KernelOptions | null> {
    return this.channel?.state === 'ready' ? parseOptions(await this.channel.request('options')) : null;
  }

  /** Open or share a client; `null` until the kernel is known to speak. */
  acquire(client: string, facts: SharedClientFacts): LiveClient | null {
    if (this.channel === null || this.disposed) {
      return null;
    }
    let shared = this.shared.get(client);
    if (!shared) {
      shared = new SharedClient(this.channel.open(client), facts, this.services.settings, () => this.shared.delete(client));
      this.shared.set(client, shared);
    }
    return shared.share();
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    this.kernel.disposed.disconnect(this.dispose, this);
    for (const shared of this.shared.values()) {
      shared.sever();
    }
    this.activation?.dispose();
    this.channel?.dispose();
    if (this.own) {
      this.kernel.dispose();
    }
    this.changedSignal.emit();
    Signal.clearData(this);
  }

  private begin(able: boolean): void {
    if (this.disposed) {
      return;
    }
    this.unsupported = !able;
    if (able) {
      const channel = this.services.createChannel(this.kernel);
      this.channel = channel;
      channel.changed.connect(this.emit, this);
      channel.shown.connect(this.relay, this);
      this.activation = new Activation(this.kernel, channel, this.services.activation);
      this.activation.changed.connect(this.emit, this);
    }
    this.changedSignal.emit();
  }

  private emit(): void {
    this.changedSignal.emit();
  }

  private relay(_: KernelChannel, request: ShowRequest): void {
    this.shownSignal.emit(request);
  }

  private disposed = false;
  private unsupported = false;
  private channel: KernelChannel | null = null;
  private activation: Activation | null = null;
  private readonly shared = new Map<string, SharedClient>();
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}
