import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { UUID } from '@lumino/coreutils';
import { Signal, type ISignal } from '@lumino/signaling';
import { isAnnouncement } from './announcement';
import type { Milliseconds } from '../../base/units';
import { askServer } from './ask-server';
import { type Arguments, askKernel, bodyOf, envelope, Refusal, type Reply, SUBSCRIPTION } from './ask-kernel';
import { ClientFeed, type FeedTransport } from '../client-feed';
import type { Feed } from '../feed';
import type { Scalar } from '../frame';
import type { ChannelState, ClientInfo, KernelChannel, ShowRequest } from './kernel-channel';
import { type LinkState, LinkWatch, LOOK, type Loss, SERVER_PATIENCE } from './link-watch';
import { parseClients } from './parse-clients';
import { PROTOCOL } from '../schema';

/**
 * The only line that the extension executes, silently, in a kernel that may have the bridge: it imports neither dask
 * nor distributed, and does nothing if the bridge is missing.
 */
export const ACTIVATE_LINE =
  'try:\n    import dask_panes.kernel.activate as _dask_panes; _dask_panes.install(); del _dask_panes\nexcept ImportError:\n    pass';

/** Renewal interval: a subscription is a lease of 60 s. */
const RENEW: Milliseconds = 25_000;
/** Retry interval of a hello without an answer, or refused. */
const HELLO_AGAIN: Milliseconds = 10_000;
/** An idle kernel that has missed this many is unreachable. */
const HELLOS: number = 3;
/** Timeout of a single query. */
const REQUEST_PATIENCE: Milliseconds = 30_000;

type DebugFuture = ReturnType<Kernel.IKernelConnection['requestDebug']>;

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
export class ControlChannel implements KernelChannel, FeedTransport {
  /**
   * @param kernel - a connection, owned by the caller, that stays open. When it closes, the caller continues with
   *   {@link moveTo}
   * @param tab - a unique name of this browser tab
   * @param ask - asks the Jupyter server whether it answers
   */
  constructor(
    private kernel: Kernel.IKernelConnection | null,
    private readonly tab: string,
    ask: typeof askServer = askServer
  ) {
    this.watch = new LinkWatch({
      askKernel: () => this.askKernel(),
      askServer: async () => this.kernel === null || ask(this.kernel.serverSettings, SERVER_PATIENCE),
      reconnect: () => this.reconnect()
    });
    this.timer = setInterval(() => this.tick(), LOOK);
    this.listen();
    this.hello();
  }

  get state(): ChannelState {
    return this.currentState;
  }

  get loss(): Loss | null {
    return this.currentState === 'disconnected' ? this.currentLoss : null;
  }

  get version(): string {
    return this.bridgeVersion;
  }

  get reason(): string {
    return this.currentState === 'failed' ? this.failure : '';
  }

  get sessions(): readonly string[] {
    return this.knownSessions;
  }

  set sessions(ids: readonly string[]) {
    if (ids.join() !== this.knownSessions.join()) {
      this.knownSessions = ids;
      if (this.subscription) {
        this.renew();
      }
    }
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

  moveTo(kernel: Kernel.IKernelConnection | null): void {
    if (kernel === this.kernel || this.disposed) {
      return;
    }
    this.unsubscribe();
    this.unlisten();
    this.dropPending();
    this.watch.restart();
    this.kernel = kernel;
    if (kernel === null && this.currentState !== 'dead') {
      this.loseFeeds('No document of the kernel is open.');
      this.setState('asking');
    } else if (kernel !== null) {
      if (this.currentState === 'dead') {
        this.setState('asking');
      }
      this.listen();
      this.hello();
    }
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

  reconnect(): void {
    if (this.kernel && !this.kernel.isDisposed) {
      // The connection's status reports whether it succeeds.
      this.kernel.reconnect().catch(() => undefined);
    }
  }

  async addBridge(): Promise<void> {
    const { addBridgeCode } = await import('../bridge-source');
    const { kernel } = this;
    if (kernel === null) {
      throw new Error('The connection to the kernel is closed.');
    }
    const future = kernel.requestExecute({ code: addBridgeCode(), silent: true, store_history: false });
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

  /** {@link FeedTransport}: one request about a client. */
  async requestClient(client: string, name: string, args: Readonly<Record<string, Scalar>>): Promise<Scalar> {
    const body = await this.ask('request', { client, name, args }, REQUEST_PATIENCE);
    return ('value' in body && Object.keys(body).length === 1 ? body.value : body) as Scalar;
  }

  /** {@link FeedTransport}: send a feed's subscription; the answer is frames, or a refusal if it was replaced. */
  want(client: string, args: Arguments): void {
    if (this.subscription) {
      const { id } = this.subscription;
      this.ask('want', { ...this.address, client, ...args }, REQUEST_PATIENCE).catch((error: unknown) =>
        this.onRefused(error, id)
      );
    }
  }

  /** {@link FeedTransport}: a frame was received. */
  acknowledge(client: string, seq: number): void {
    this.tell('ack', { ...this.address, client, seq });
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.unsubscribe();
    this.unlisten();
    this.disposed = true;
    clearInterval(this.timer);
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
    const { kernel } = this;
    if (this.disposed || kernel === null || !this.connected || this.helloing !== null) {
      return;
    }
    this.watch.asked();
    const asked = {};
    this.helloing = asked;
    this.helloAt = performance.now();
    const settle = (act: () => void): void => {
      // Ignore the answer to an earlier hello, from before the kernel or the connection changed.
      if (this.helloing === asked && !this.disposed) {
        this.helloing = null;
        act();
      }
    };
    this.ask('hello', {}, HELLO_AGAIN).then(
      body => settle(() => this.onHello(body)),
      (error: unknown) => settle(() => this.onNoHello(error, kernel))
    );
  }

  private onHello(body: Reply): void {
    this.unanswered = 0;
    this.bridgeVersion = String(body.version ?? '');
    if (body.protocol !== PROTOCOL) {
      this.setState('missing');
      return;
    }
    this.setClients(body.clients);
    this.setState('ready');
    if (!this.subscription) {
      this.subscribe();
    }
  }

  private onNoHello(error: unknown, kernel: Kernel.IKernelConnection): void {
    if (error instanceof Refusal) {
      this.unanswered = 0;
      // The bridge gives a reason; ipykernel and its debugger do not.
      if (error.explained) {
        this.fail(error.message);
      } else {
        this.setState('missing');
      }
      return;
    }
    this.unanswered = kernel.status === 'idle' ? this.unanswered + 1 : 0;
    if (this.currentState === 'ready' || this.currentState === 'silent') {
      this.setState('silent');
    } else if (this.unanswered >= HELLOS && this.currentState !== 'disconnected') {
      this.fail(
        'The kernel is idle and does not answer on its control channel: something between here and it may hold the messages back. A server that lets only some messages through (allowed_message_types) must let debug_request and debug_reply through.'
      );
    }
  }

  private fail(reason: string): void {
    this.failure = reason;
    if (this.currentState === 'failed') {
      this.changedSignal.emit();
    }
    this.setState('failed');
  }

  /** Name and number of our subscription in the kernel. */
  private get address(): Arguments {
    return { tab: this.tab, subscription: this.subscription?.id ?? '' };
  }

  private subscribe(): void {
    const { kernel } = this;
    this.endSubscription();
    if (kernel === null) {
      return;
    }
    const id = UUID.uuid4();
    const args = { tab: this.tab, subscription: id, sessions: this.knownSessions };
    this.toldSessions = this.knownSessions;
    const future = kernel.requestDebug(envelope('subscribe', args), false);
    this.subscription = { id, future };
    future.onReply = message => this.onPush(message);
    // The promise of a disposed future rejects; this is expected.
    future.done.catch(() => undefined);
    for (const feed of this.feeds.values()) {
      feed.connect();
    }
  }

  private unsubscribe(): void {
    if (this.subscription) {
      this.tell('unsubscribe', this.address);
    }
    this.endSubscription();
  }

  private endSubscription(): void {
    this.subscription?.future.dispose();
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
        this.shownSignal.emit({
          what: String(body.what ?? ''),
          client: String(body.client ?? ''),
          session: String(body.session ?? '')
        });
        break;
      case 'beat':
        this.onBeat(body.silent);
        break;
    }
  }

  private onBeat(silent: unknown): void {
    const seconds = new Map(Object.entries(typeof silent === 'object' && silent !== null ? silent : {}));
    for (const [key, feed] of this.feeds) {
      feed.setSchedulerSilence(Number(seconds.get(key) ?? 0));
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
    this.watch.heard();
    for (const feed of this.feeds.values()) {
      feed.answered(now);
    }
    if (this.subscription && (this.currentState === 'silent' || this.currentState === 'disconnected')) {
      this.setState('ready');
    }
  }

  private get connected(): boolean {
    return this.kernel?.isDisposed === false && this.kernel.connectionStatus === 'connected';
  }

  // -- upkeep ----------------------------------------------------------------------------------------------------

  private tick(): void {
    const { kernel } = this;
    if (kernel === null || kernel.isDisposed) {
      return;
    }
    const now = performance.now();
    const watched = [...this.feeds.values()].some(feed => feed.watched);
    this.judge(this.watch.look({ now, connection: kernel.connectionStatus, watched }));
    if (!this.connected) {
      return;
    }
    if (this.subscription) {
      if (!this.renewing && now - this.renewedAt >= RENEW) {
        this.renew();
      }
    } else if (this.currentState !== 'missing' && now - this.helloAt > HELLO_AGAIN) {
      this.hello();
    }
  }

  /** The link counts as good only because of messages from the kernel. */
  private judge(link: LinkState): void {
    if (link === 'good' || this.currentState === 'dead') {
      return;
    }
    if (link !== 'kernel-silent') {
      const news = this.loss !== null && this.loss !== link;
      this.currentLoss = link;
      this.setState('disconnected');
      if (news) {
        this.changedSignal.emit();
      }
    } else if (this.currentState === 'ready' || this.currentState === 'disconnected') {
      this.setState(this.bridgeVersion === '' ? 'asking' : 'silent');
    }
  }

  /** Make the kernel send something. */
  private askKernel(): void {
    if (!this.subscription) {
      this.hello();
    } else if (!this.renewing) {
      this.renew();
    }
  }

  private renew(): void {
    if (!this.subscription) {
      this.hello();
      return;
    }
    const { id } = this.subscription;
    this.renewing = true;
    this.renewedAt = performance.now();
    this.watch.asked();
    const sessions = this.knownSessions === this.toldSessions ? {} : { sessions: this.knownSessions };
    this.toldSessions = this.knownSessions;
    this.ask('renew', { ...this.address, ...sessions }, REQUEST_PATIENCE).then(
      body => {
        this.renewing = false;
        this.onBeat(body.silent);
      },
      (error: unknown) => {
        this.renewing = false;
        this.onRefused(error, id, true);
      }
    );
  }

  /** The lease has expired (after a laptop's sleep), the kernel is a new one, or another subscription replaced ours. */
  private onRefused(error: unknown, id: string, whatever = false): void {
    const ours = this.subscription?.id === id && !this.disposed;
    if (ours && error instanceof Refusal && (whatever || error.body.reason === SUBSCRIPTION)) {
      this.endSubscription();
      this.hello();
    }
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
    // Messages in transit when the connection broke are lost: subscribe again, each feed from its cursor.
    this.endSubscription();
    this.dropPending();
    if (status === 'connected' && this.currentState !== 'dead') {
      this.hello();
    }
  }

  private onIOPub(_: Kernel.IKernelConnection, message: KernelMessage.IIOPubMessage): void {
    if (isAnnouncement(message)) {
      // A pending hello may have been answered before the bridge was there.
      this.helloing = null;
      this.hello();
    }
  }

  private listen(): void {
    this.kernel?.statusChanged.connect(this.onStatus, this);
    this.kernel?.connectionStatusChanged.connect(this.onConnection, this);
    this.kernel?.iopubMessage.connect(this.onIOPub, this);
  }

  private unlisten(): void {
    this.kernel?.statusChanged.disconnect(this.onStatus, this);
    this.kernel?.connectionStatusChanged.disconnect(this.onConnection, this);
    this.kernel?.iopubMessage.disconnect(this.onIOPub, this);
  }

  private loseFeeds(reason: string): void {
    for (const feed of this.feeds.values()) {
      feed.lose(reason);
    }
  }

  private beginAnew(reason: string): void {
    this.watch.restart();
    this.endSubscription();
    this.dropPending();
    this.loseFeeds(reason);
    this.unanswered = 0;
    this.knownClients = [];
    this.setState('asking');
    this.changedSignal.emit();
  }

  private dropPending(): void {
    this.renewing = false;
    this.helloing = null;
    for (const pending of [...this.pending]) {
      pending.dispose();
    }
  }

  // -- requests --------------------------------------------------------------------------------------------------

  /** Send without waiting: the future is disposed at once, or the connection would keep it forever. */
  private tell(op: string, args: Arguments): void {
    if (this.kernel !== null && this.connected) {
      const future = this.kernel.requestDebug(envelope(op, args), true);
      future.done.catch(() => undefined);
      future.dispose();
    }
  }

  private async ask(op: string, args: Arguments, patience: Milliseconds): Promise<Reply> {
    if (this.disposed || this.kernel === null || this.kernel.isDisposed) {
      throw new Error('The connection to the kernel is closed.');
    }
    if (!this.connected) {
      throw new Error('The connection to the Jupyter server is lost.');
    }
    const question = askKernel(this.kernel, op, args, patience);
    this.pending.add(question);
    try {
      const reply = await question.reply;
      this.answered();
      return reply;
    } catch (error) {
      if (error instanceof Refusal) {
        this.answered();
      }
      throw error;
    } finally {
      this.pending.delete(question);
    }
  }

  private currentState: ChannelState = 'asking';
  private bridgeVersion = '';
  private knownClients: readonly ClientInfo[] = [];
  private knownSessions: readonly string[] = [];
  /** The subscription as last sent to the kernel. */
  private toldSessions: readonly string[] = [];
  private subscription: { readonly id: string; readonly future: DebugFuture } | null = null;
  /** The pending hello. */
  private helloing: object | null = null;
  /** Consecutive hellos that an idle kernel has not answered. */
  private unanswered = 0;
  private failure = '';
  private helloAt: Milliseconds = 0;
  private renewedAt: Milliseconds = performance.now();
  /** Whether a renewal is unanswered. */
  private renewing = false;
  private currentLoss: Loss = 'retrying';
  private readonly watch: LinkWatch;
  private disposed = false;
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly feeds = new Map<string, ClientFeed>();
  private readonly pending = new Set<IDisposable>();
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly shownSignal = new Signal<this, ShowRequest>(this);
}
