import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { Signal, type ISignal } from '@lumino/signaling';
import type { Milliseconds } from '../../base/units';
import { askServer } from './ask-server';
import { type Arguments, bodyOf, type Reply } from './ask-kernel';
import { sendBridge } from './channel/bridge';
import { ChannelStatus } from './channel/channel-status';
import { ClientFeeds } from './channel/client-feeds';
import { Hello } from './channel/hello';
import { KernelEvents } from './channel/kernel-events';
import { readShow } from './channel/read-show';
import { CONNECTION_CHANGED, KernelRequests } from './channel/requests';
import { Subscription } from './channel/subscription';
import { Upkeep } from './channel/upkeep';
import type { Feed } from '../feed';
import type { ChannelState, ClientInfo, KernelChannel, ShowRequest } from './kernel-channel';
import type { Loss } from './link-watch';
import { parseClients } from './parse-clients';
import { PROTOCOL } from '../schema';

/** Timeout of a single query. */
const REQUEST_PATIENCE: Milliseconds = 30_000;

/**
 * The conversation with one kernel over `debug_request` (`docs/architecture.md`, "2.").
 *
 * Guarantees:
 * 1. One subscription per kernel and tab, whatever the number of panes, documents and connections; a hello before it.
 * 2. After a restart, a reconnection, a lost lease or a change of connection it subscribes again by itself, each feed
 *    from its own cursor. A replaced subscription is refused by the kernel, never renewed.
 * 3. Nothing is sent on the shell channel and no handler is asynchronous, so a running cell is not disturbed.
 * 4. A connection to the Jupyter server that is lost, closed or open, is reported as `disconnected`, never as a silent
 *    kernel.
 * 5. After `dispose` no timer, future or signal connection is left.
 */
export class ControlChannel implements KernelChannel {
  /**
   * @param kernel - a connection, owned by the caller, that stays open. When it closes, the caller continues with
   *   {@link moveTo}
   * @param tab - a unique name of this browser tab
   * @param ask - asks the Jupyter server whether it answers
   */
  constructor(kernel: Kernel.IKernelConnection | null, tab: string, ask: typeof askServer = askServer) {
    this.requests = new KernelRequests(kernel, () => this.answered());
    this.greeting = new Hello(this.requests, {
      asked: () => this.upkeep.watch.asked(),
      accepted: body => this.onHello(body),
      // The bridge gives a reason; ipykernel and its debugger do not.
      refused: refusal => (refusal.explained ? this.status.fail(refusal.message) : this.status.set('missing')),
      missed: reason => this.onMissed(reason)
    });
    this.subscription = new Subscription(this.requests, tab, {
      pushed: message => this.onPush(message),
      asked: () => this.upkeep.watch.asked(),
      renewed: body => this.feeds.beat(body.silent),
      lost: () => this.greeting.send()
    });
    this.feeds = new ClientFeeds(this.requests, this.subscription);
    const { requests, status, greeting, subscription, feeds } = this;
    const [met, reconnect] = [() => this.bridgeVersion !== '', () => this.reconnect()];
    this.upkeep = new Upkeep({ requests, status, greeting, subscription, feeds, met, reconnect }, ask);
    this.events.listenTo(kernel);
    greeting.send();
  }

  get state(): ChannelState {
    return this.status.state;
  }

  get current(): boolean {
    return this.upkeep.current;
  }

  get loss(): Loss | null {
    return this.status.loss;
  }

  get version(): string {
    return this.bridgeVersion;
  }

  get reason(): string {
    return this.status.reason;
  }

  get sessions(): readonly string[] {
    return this.subscription.sessions;
  }

  set sessions(ids: readonly string[]) {
    this.subscription.sessions = ids;
  }

  get clients(): readonly ClientInfo[] {
    return this.knownClients;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get shown(): ISignal<this, ShowRequest> {
    return this.shownSignal;
  }

  get isDisposed(): boolean {
    return this.requests.isDisposed;
  }

  moveTo(kernel: Kernel.IKernelConnection | null): void {
    if (kernel === this.kernel || this.isDisposed) {
      return;
    }
    this.subscription.leave();
    this.dropPending(CONNECTION_CHANGED);
    this.upkeep.watch.restart();
    this.requests.kernel = kernel;
    this.events.listenTo(kernel);
    if (kernel === null && this.state !== 'dead') {
      this.feeds.lose('No document of the kernel is open.');
      this.status.set('asking');
    } else if (kernel !== null) {
      if (this.state === 'dead') {
        this.status.set('asking');
      }
      this.greeting.send();
    }
  }

  open(client: string): Feed {
    const info = this.knownClients.find(({ key }) => key === client);
    return this.feeds.open(client, info);
  }

  reconnect(): void {
    if (this.kernel && !this.kernel.isDisposed) {
      // The connection's status reports whether it succeeds.
      this.kernel.reconnect().catch(() => undefined);
    }
  }

  async addBridge(): Promise<void> {
    await sendBridge(() => this.kernel);
    this.greeting.send();
  }

  async request(op: string, args: Arguments = {}): Promise<unknown> {
    return (await this.requests.ask(op, args, REQUEST_PATIENCE)).value ?? null;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.subscription.leave();
    this.events.listenTo(null);
    this.upkeep.dispose();
    this.requests.dispose();
    this.feeds.sever('The connection to the kernel was closed.');
    Signal.clearData(this);
  }

  // -- answers and messages of the kernel --------------------------------------------------------------------------

  private onHello(body: Reply): void {
    this.bridgeVersion = String(body.version ?? '');
    if (body.protocol !== PROTOCOL) {
      this.status.set('missing');
      return;
    }
    this.setClients(body);
    this.status.set('ready');
    if (!this.subscription.active && this.kernel !== null) {
      this.subscription.begin(this.kernel);
      this.feeds.connect();
    }
  }

  private onMissed(reason: string | null): void {
    if (this.state === 'ready' || this.state === 'silent') {
      this.status.set('silent');
    } else if (reason !== null && this.state !== 'disconnected') {
      this.status.fail(reason);
    }
  }

  private onPush(message: KernelMessage.IDebugReplyMsg): void {
    if (this.isDisposed) {
      return;
    }
    this.answered();
    const { success, body } = bodyOf(message);
    if (!success) {
      return;
    }
    switch (body.kind) {
      case 'frame':
        this.feeds.receive(body, message);
        break;
      case 'clients':
        this.setClients(body);
        this.changedSignal.emit();
        break;
      case 'show':
        this.shownSignal.emit(readShow(body));
        break;
      case 'beat':
        this.feeds.beat(body.silent);
        break;
    }
  }

  private setClients({ clients, notice }: Reply): void {
    this.status.notice = notice;
    this.knownClients = parseClients(clients);
    this.feeds.setClients(this.knownClients);
  }

  private onState(another: boolean): void {
    if (!this.isDisposed) {
      if (another) {
        this.feeds.setChannel(this.state);
      }
      this.changedSignal.emit();
    }
  }

  private answered(): void {
    this.upkeep.heard();
    this.feeds.answered(performance.now());
    if (this.subscription.active && (this.state === 'silent' || this.state === 'disconnected')) {
      this.status.set('ready');
    }
  }

  // -- what happens to the kernel ----------------------------------------------------------------------------------

  private onConnection(status: Kernel.ConnectionStatus): void {
    // Messages in transit when the connection broke are lost: subscribe again, each feed from its cursor.
    this.subscription.end();
    this.dropPending(CONNECTION_CHANGED);
    if (status === 'connected' && this.state !== 'dead') {
      this.greeting.send();
    }
  }

  /** The kernel is another process from now on. */
  private restart(reason: string): void {
    this.upkeep.watch.restart();
    this.subscription.end();
    this.dropPending();
    this.feeds.lose(reason);
    this.greeting.restart();
    this.knownClients = [];
    this.status.set('asking');
    this.changedSignal.emit();
  }

  private dropPending(reason?: string): void {
    this.subscription.dropRenewal();
    this.greeting.forget();
    this.requests.drop(reason);
  }

  private get kernel(): Kernel.IKernelConnection | null {
    return this.requests.kernel;
  }

  private bridgeVersion = '';
  private knownClients: readonly ClientInfo[] = [];
  private readonly status = new ChannelStatus(another => this.onState(another));
  private readonly events = new KernelEvents({
    restarting: () => this.restart('The kernel restarts.'),
    died: () => {
      this.subscription.end();
      this.status.set('dead');
    },
    up: () => {
      if (this.state === 'asking') {
        this.greeting.send();
      }
    },
    connection: status => this.onConnection(status),
    announced: () => {
      // A pending hello may have been answered before the bridge was there.
      this.greeting.forget();
      this.greeting.send();
    }
  });
  private readonly requests: KernelRequests;
  private readonly greeting: Hello;
  private readonly subscription: Subscription;
  private readonly feeds: ClientFeeds;
  private readonly upkeep: Upkeep;
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}
