import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { Signal, type ISignal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';
import { type Arguments, askKernel, bodyOf, envelope, Refusal, type Reply } from './ask-kernel';
import { ClientFeed, type FeedTransport } from './client-feed';
import type { Feed } from './feed';
import type { Scalar } from './frame';
import type { ChannelState, ClientInfo, KernelChannel, ShowRequest } from './kernel-channel';
import { parseClients } from './parse-clients';
import { PROTOCOL } from './schema';

/**
 * The one line that the extension executes, silently, in a kernel that may have the bridge: it imports neither dask
 * nor distributed, and does nothing where the bridge is missing.
 */
export const ACTIVATE_LINE =
  'try:\n    import dask_panes.kernel.activate as _dask_panes; _dask_panes.install(); del _dask_panes\nexcept ImportError:\n    pass';

/** A kernel that has said nothing for so long is asked to: within seconds a person must see that it does not answer. */
const RENEW_WHEN_SILENT: Milliseconds = 2_000;
/** The same while every cluster idles, and at the latest, since a subscription is a lease. */
const RENEW_AT_LATEST: Milliseconds = 10_000;
/** Between two looks at the clock. */
const TICK: Milliseconds = 1_000;
/** A request is overdue after so long: the kernel's GIL may be held. */
const OVERDUE: Milliseconds = 2_000;
/** Between two tries of a hello that nobody answered. */
const HELLO_AGAIN: Milliseconds = 10_000;
/** A request for one thing now fails after so long. */
const REQUEST_PATIENCE: Milliseconds = 30_000;

/** iopub comm id that nobody opens: see `bridge/dask_panes/kernel/channel.py`. */
const ANNOUNCEMENT = 'dask-panes-announce';

type DebugFuture = ReturnType<Kernel.IKernelConnection['requestDebug']>;

/**
 * The conversation with one kernel over `debug_request` (design decision 2).
 *
 * Guarantees:
 * 1. One subscription per kernel and tab, whatever the number of panes; a hello before it.
 * 2. After a restart, a reconnection or a lost lease it subscribes again by itself, each feed from its own cursor.
 * 3. Nothing is sent on the shell channel and no handler is asynchronous, so a running cell is not disturbed.
 * 4. After `dispose` no timer, future or signal of it is left.
 */
export class ControlChannel implements KernelChannel, FeedTransport {
  /**
   * @param kernel - a connection; it is the caller's and stays open
   * @param tab - a name for this browser tab that no other tab has
   */
  constructor(
    private readonly kernel: Kernel.IKernelConnection,
    private readonly tab: string
  ) {
    kernel.statusChanged.connect(this.onStatus, this);
    kernel.connectionStatusChanged.connect(this.onConnection, this);
    kernel.iopubMessage.connect(this.onIOPub, this);
    kernel.disposed.connect(this.onKernelDisposed, this);
    this.timer = setInterval(() => this.tick(), TICK);
    this.hello();
  }

  get state(): ChannelState {
    return this.currentState;
  }

  get version(): string {
    return this.bridgeVersion;
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
    return this.disposed;
  }

  open(client: string): Feed {
    const known = this.feeds.get(client);
    if (known) {
      return known.share();
    }
    const feed = new ClientFeed(client, this, () => this.feeds.delete(client));
    this.feeds.set(client, feed);
    feed.setClient(this.knownClients.find(info => info.key === client));
    if (this.subscription) {
      feed.connect();
    }
    return feed;
  }

  async addBridge(): Promise<void> {
    const { addBridgeCode } = await import('./bridge-source');
    const future = this.kernel.requestExecute({ code: addBridgeCode(), silent: true, store_history: false });
    const reply = await future.done;
    if (reply.content.status !== 'ok') {
      const value = reply.content.status === 'error' ? reply.content.evalue : 'the kernel aborted it';
      throw new Error(`The bridge could not be added: ${value}`);
    }
    this.hello();
  }

  async request(op: string, args: Arguments = {}): Promise<unknown> {
    return (await this.ask(op, args, REQUEST_PATIENCE)).value ?? null;
  }

  /** {@link FeedTransport}: one question about a client. */
  async requestClient(client: string, name: string, args: Readonly<Record<string, Scalar>>): Promise<Scalar> {
    const body = await this.ask('request', { client, name, args }, REQUEST_PATIENCE);
    return ('value' in body && Object.keys(body).length === 1 ? body.value : body) as Scalar;
  }

  /** {@link FeedTransport}: say what a feed wants; fire and forget, frames are the answer. */
  want(client: string, args: Arguments): void {
    if (this.subscription) {
      this.tell('want', { tab: this.tab, client, ...args });
    }
  }

  /** {@link FeedTransport}: a frame was taken. */
  acknowledge(client: string, seq: number): void {
    this.tell('ack', { tab: this.tab, client, seq });
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    if (this.subscription && !this.kernel.isDisposed) {
      this.tell('unsubscribe', { tab: this.tab });
    }
    this.disposed = true;
    clearInterval(this.timer);
    this.endSubscription();
    for (const pending of [...this.pending]) {
      pending.dispose();
    }
    for (const feed of [...this.feeds.values()]) {
      feed.sever('The connection to the kernel was closed.');
    }
    Signal.clearData(this);
  }

  // -- hello and subscription ------------------------------------------------------------------------------------

  private hello(): void {
    if (this.disposed || this.kernel.isDisposed || this.helloing) {
      return;
    }
    this.helloing = true;
    this.helloAt = performance.now();
    this.ask('hello', {}, REQUEST_PATIENCE).then(
      body => {
        this.helloing = false;
        this.onHello(body);
      },
      (error: unknown) => {
        this.helloing = false;
        // An ipykernel without us answers with an empty content: that is "missing", everything else is silence.
        if (error instanceof Refusal) {
          this.setState('missing');
        } else if (!this.disposed) {
          this.setState(this.currentState === 'ready' || this.currentState === 'silent' ? 'silent' : 'asking');
        }
      }
    );
  }

  private onHello(body: Reply): void {
    if (this.disposed) {
      return;
    }
    if (body.protocol !== PROTOCOL) {
      this.bridgeVersion = String(body.version ?? '');
      this.setState('missing');
      return;
    }
    this.bridgeVersion = String(body.version ?? '');
    this.setClients(body.clients);
    this.setState('ready');
    if (!this.subscription) {
      this.subscribe();
    }
  }

  private subscribe(): void {
    this.endSubscription();
    const future = this.kernel.requestDebug(envelope('subscribe', { tab: this.tab }), false);
    this.subscription = future;
    future.onReply = message => this.onPush(message);
    // The promise rejects when the future is disposed; that is how it ends.
    future.done.catch(() => undefined);
    for (const feed of this.feeds.values()) {
      feed.connect();
    }
  }

  private endSubscription(): void {
    this.subscription?.dispose();
    this.subscription = null;
  }

  private onPush(message: KernelMessage.IDebugReplyMsg): void {
    if (this.disposed) {
      return;
    }
    this.answered();
    const { success, body } = bodyOf(message);
    if (!success) {
      return;
    }
    switch (body.kind) {
      case 'frame':
        this.onFrame(body, message);
        break;
      case 'clients':
        this.setClients(body.clients);
        this.changedSignal.emit();
        break;
      case 'show':
        this.shownSignal.emit({ what: String(body.what ?? ''), client: String(body.client ?? '') });
        break;
    }
  }

  private onFrame(body: Reply, message: KernelMessage.IDebugReplyMsg): void {
    const feed = this.feeds.get(String(body.client));
    const buffer = message.buffers?.[0];
    if (feed && buffer && typeof body.seq === 'number') {
      feed.receive(buffer, body.seq, Number(body.gen ?? 0));
    }
  }

  private setClients(value: unknown): void {
    this.knownClients = parseClients(value);
    for (const [key, feed] of this.feeds) {
      feed.setClient(this.knownClients.find(info => info.key === key));
    }
  }

  private setState(state: ChannelState): void {
    if (state !== this.currentState && !this.disposed) {
      this.currentState = state;
      for (const feed of this.feeds.values()) {
        feed.setChannel(state);
      }
      this.changedSignal.emit();
    }
  }

  private answered(): void {
    const now = performance.now();
    this.heardAt = now;
    for (const feed of this.feeds.values()) {
      feed.answered(now);
    }
    if (this.currentState === 'silent') {
      this.setState('ready');
    }
  }

  // -- upkeep ----------------------------------------------------------------------------------------------------

  private tick(): void {
    const now = performance.now();
    if (this.kernel.isDisposed || this.kernel.connectionStatus !== 'connected') {
      return;
    }
    if (this.currentState === 'ready' || this.currentState === 'silent') {
      const idle = [...this.feeds.values()].every(feed => feed.idle);
      const silent = now - Math.max(this.heardAt, this.renewedAt) >= RENEW_WHEN_SILENT;
      if (this.renewing === 0 && ((silent && !idle) || now - this.renewedAt >= RENEW_AT_LATEST)) {
        this.renew(now);
      } else if (this.renewing > 0 && now - this.renewing > OVERDUE) {
        this.setState('silent');
      }
    } else if (this.currentState === 'asking' && now - this.helloAt > HELLO_AGAIN) {
      this.hello();
    }
  }

  private renew(now: Milliseconds): void {
    this.renewing = this.renewedAt = now;
    this.ask('renew', { tab: this.tab }, REQUEST_PATIENCE).then(
      body => {
        this.renewing = 0;
        this.answered();
        const silent = body.silent;
        for (const [key, seconds] of Object.entries(typeof silent === 'object' && silent !== null ? silent : {})) {
          this.feeds.get(key)?.setSchedulerSilence(Number(seconds));
        }
      },
      (error: unknown) => {
        this.renewing = 0;
        // The lease had run out (a laptop that slept), or the kernel is a new one.
        if (error instanceof Refusal && !this.disposed) {
          this.endSubscription();
          this.hello();
        }
      }
    );
  }

  private onStatus(_: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (status === 'starting' || status === 'restarting' || status === 'autorestarting') {
      this.beginAnew('The kernel restarts.');
    } else if (status === 'dead') {
      this.endSubscription();
      this.setState('dead');
    } else if (this.currentState === 'asking' && (status === 'idle' || status === 'busy')) {
      this.hello();
    }
  }

  private onConnection(_: Kernel.IKernelConnection, status: Kernel.ConnectionStatus): void {
    if (status === 'connected' && this.currentState !== 'dead') {
      // What was on its way when the connection broke is lost: subscribe again, each feed from its cursor.
      this.endSubscription();
      this.dropPending();
      this.hello();
    }
  }

  private onIOPub(_: Kernel.IKernelConnection, message: KernelMessage.IIOPubMessage): void {
    if (message.header.msg_type === 'comm_msg' && (message.content as { comm_id?: string }).comm_id === ANNOUNCEMENT) {
      this.hello();
    }
  }

  private onKernelDisposed(): void {
    this.setState('dead');
    this.dispose();
  }

  private beginAnew(reason: string): void {
    this.endSubscription();
    this.dropPending();
    for (const feed of this.feeds.values()) {
      feed.lose(reason);
    }
    this.knownClients = [];
    this.setState('asking');
    this.changedSignal.emit();
  }

  private dropPending(): void {
    this.renewing = 0;
    this.helloing = false;
    for (const pending of [...this.pending]) {
      pending.dispose();
    }
  }

  // -- requests --------------------------------------------------------------------------------------------------

  /** Send without waiting: the future is given up at once, or the connection would keep it for ever. */
  private tell(op: string, args: Arguments): void {
    if (!this.kernel.isDisposed) {
      const future = this.kernel.requestDebug(envelope(op, args), true);
      future.done.catch(() => undefined);
      future.dispose();
    }
  }

  private async ask(op: string, args: Arguments, patience: Milliseconds): Promise<Reply> {
    if (this.disposed || this.kernel.isDisposed) {
      throw new Error('The connection to the kernel is closed.');
    }
    const question = askKernel(this.kernel, op, args, patience);
    this.pending.add(question);
    try {
      return await question.reply;
    } finally {
      this.pending.delete(question);
    }
  }

  private currentState: ChannelState = 'asking';
  private bridgeVersion = '';
  private knownClients: readonly ClientInfo[] = [];
  private subscription: DebugFuture | null = null;
  private helloing = false;
  private helloAt: Milliseconds = 0;
  private renewedAt: Milliseconds = performance.now();
  private heardAt: Milliseconds = performance.now();
  /** When the renewal was sent that is not yet answered; 0 while there is none. */
  private renewing: Milliseconds = 0;
  private disposed = false;
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly feeds = new Map<string, ClientFeed>();
  private readonly pending = new Set<IDisposable>();
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}
