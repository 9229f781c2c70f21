import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { Signal, type ISignal } from '@lumino/signaling';
import type { Bytes, Milliseconds, Seconds } from '../base/units';
import type { Feed, FeedState, FeedStatus } from './feed';
import type { Cursor, Frame, Scalar } from './frame';
import { FrameReader } from './frame-reader';
import type { ChannelState, ClientInfo } from './kernel/kernel-channel';
import { CREDIT, type Topic } from './schema';

/** Dependencies of a feed on its channel. */
export interface FeedTransport {
  want(client: string, args: Record<string, unknown>): void;
  acknowledge(client: string, seq: number): void;
  requestClient(client: string, name: string, args: Readonly<Record<string, Scalar>>): Promise<Scalar>;
}

const SCHEDULER_SILENT = 'The scheduler does not answer the kernel.';

/**
 * The feed of one client over a kernel's channel.
 *
 * It remembers its position (feed, epoch, cursor), so that after a gap, a reconnection or a late start it requests only
 * what is missing. Frames of an older numbering (`generation`) are dropped.
 */
export class ClientFeed implements Feed {
  constructor(
    private readonly client: string,
    private readonly transport: FeedTransport,
    private readonly onDispose: () => void
  ) {}

  get frame(): ISignal<this, Frame> {
    return this.frameSignal;
  }

  get stateChanged(): ISignal<this, FeedState> {
    return this.stateSignal;
  }

  get state(): FeedState {
    return {
      status: this.status,
      answered: this.answeredAt,
      reason: this.reason,
      ...(this.status === 'silent' ? { silent: this.schedulerSilent ? ('scheduler' as const) : ('kernel' as const) } : {}),
      ...(this.info?.closedAt === undefined ? {} : { closedAt: this.info.closedAt })
    };
  }

  get isDisposed(): boolean {
    return this.handles === 0;
  }

  /** Another handle on the same feed; each is disposed once. */
  share(): Feed {
    this.handles += 1;
    return this;
  }

  subscribe(topics: readonly Topic[]): IDisposable {
    for (const topic of topics) {
      this.holders.set(topic, (this.holders.get(topic) ?? 0) + 1);
    }
    this.retopic();
    return new DisposableDelegate(() => {
      for (const topic of topics) {
        const left = (this.holders.get(topic) ?? 1) - 1;
        left > 0 ? this.holders.set(topic, left) : this.holders.delete(topic);
      }
      this.retopic();
    });
  }

  async request(op: string, args: Record<string, Scalar> = {}): Promise<Scalar> {
    return this.transport.requestClient(this.client, op, args);
  }

  dispose(): void {
    if (this.handles === 0) {
      return;
    }
    this.handles -= 1;
    if (this.handles === 0) {
      this.transport.want(this.client, { topics: [] });
      this.onDispose();
      Signal.clearData(this);
    }
  }

  /** Whether there is a visible subscriber. */
  get watched(): boolean {
    return this.holders.size > 0;
  }

  // -- called by the channel -------------------------------------------------------------------------------------

  /** Subscribed: send this feed's position. */
  connect(): void {
    this.generation += 1;
    this.nextSeq = 0;
    this.connected = true;
    this.sentTopics = '';
    this.retopic();
  }

  /** The subscription is gone, and after a kernel restart the client too. */
  lose(reason: string): void {
    this.connected = false;
    this.setStatus(this.info?.status === 'closed' ? 'closed' : 'connecting', reason);
  }

  /** The channel ends: nothing more will arrive. */
  sever(reason: string): void {
    this.connected = false;
    this.setStatus('closed', reason);
  }

  /** Facts of the client; `undefined` if the kernel knows no such client. */
  setClient(info: ClientInfo | undefined): void {
    if (info === undefined) {
      if (this.info !== undefined && this.info.status !== 'closed') {
        this.info = { ...this.info, status: 'closed' };
        this.setStatus('closed', 'The kernel was restarted: its client is gone.');
      }
      return;
    }
    const back = this.info?.status === 'connecting' && info.status === 'running';
    this.info = info;
    if (back && this.schedulerSilent) {
      this.endSilence();
    }
    if (info.status === 'closed') {
      this.setStatus('closed', 'The client was closed.');
    } else if (info.status === 'connecting' && this.received) {
      this.schedulerSilent = true;
      this.setStatus('silent', 'The connection to the scheduler is lost: its client tries to reach it again.');
    } else if ((info.limited !== '' && !this.schedulerSilent) || this.status === 'limited') {
      this.resume();
    }
  }

  setChannel(state: ChannelState): void {
    if (this.status === 'closed') {
      return;
    }
    if (state === 'disconnected') {
      this.setStatus('disconnected', 'The connection to the Jupyter server is lost.');
    } else if (state === 'silent') {
      this.schedulerSilent = false;
      this.setStatus('silent', 'The kernel does not answer: its GIL may be held, or the connection slow.');
    } else if (state === 'dead') {
      this.setStatus('closed', 'The kernel is gone.');
    } else if (state === 'ready' && this.schedulerSilent) {
      this.setStatus('silent', SCHEDULER_SILENT);
    } else if (state === 'ready') {
      this.endSilence();
      if (this.status === 'connecting' && this.received) {
        // It continues from its position; an idle cluster sends nothing for that.
        this.resume();
      }
    }
  }

  /** The kernel sent any message. */
  answered(now: Milliseconds): void {
    if (!this.schedulerSilent && this.status !== 'closed') {
      this.answeredAt = now;
    }
  }

  /** How long the scheduler has not answered the kernel; 0 if it answers. */
  setSchedulerSilence(seconds: Seconds): void {
    // Also where nothing has come yet: a pane that was opened meanwhile would load forever.
    if (seconds > 0 && (this.status === 'live' || this.status === 'limited' || this.status === 'connecting')) {
      this.schedulerSilent = true;
      this.answeredAt = performance.now() - seconds * 1000;
      this.setStatus('silent', SCHEDULER_SILENT);
    } else if (seconds === 0 && this.schedulerSilent && this.info?.status !== 'connecting') {
      this.endSilence();
    }
  }

  private endSilence(): void {
    this.schedulerSilent = false;
    if (this.status === 'silent' || this.status === 'disconnected') {
      this.resume();
    }
  }

  /** It answers; what limits it does so as before. */
  private resume(): void {
    const limit = this.reader.missing || this.info?.limited || '';
    this.setStatus(limit ? 'limited' : this.received ? 'live' : 'connecting', limit);
  }

  /** One frame of the subscription. */
  receive(buffer: ArrayBuffer | ArrayBufferView, seq: number, generation: number): void {
    if (generation !== this.generation || !this.connected) {
      return;
    }
    if (seq !== this.nextSeq) {
      // Frames were lost in transit: ask again from the current position.
      this.connect();
      return;
    }
    this.nextSeq = seq + 1;
    const { missing } = this.reader;
    const frame = this.reader.read(buffer);
    this.acknowledge(seq, buffer.byteLength);
    if (frame === null || this.reader.missing !== missing) {
      this.resume();
    }
    if (frame === null) {
      return;
    }
    ({ feed: this.feed, epoch: this.epoch, cursor: this.cursor } = frame);
    this.received = true;
    if (this.status === 'connecting' || this.status === 'silent' || this.status === 'disconnected') {
      this.schedulerSilent = false;
      this.resume();
    }
    this.frameSignal.emit(frame);
  }

  /** Acknowledge at half of the credit: rarely enough to keep the overhead low, often enough that the kernel never waits. */
  private acknowledge(seq: number, size: Bytes): void {
    this.takenFrames += 1;
    this.takenBytes += size;
    if (this.takenFrames >= CREDIT.frames / 2 || this.takenBytes >= CREDIT.bytes / 2) {
      this.takenFrames = this.takenBytes = 0;
      this.transport.acknowledge(this.client, seq);
    }
  }

  private retopic(): void {
    if (!this.connected || this.handles === 0) {
      return;
    }
    const topics = [...this.holders.keys()].sort();
    const text = topics.join(' ');
    if (text === this.sentTopics) {
      return;
    }
    if (this.sentTopics === '') {
      this.generation += 1;
      this.nextSeq = this.takenFrames = this.takenBytes = 0;
      this.transport.want(this.client, { topics, gen: this.generation, feed: this.feed, epoch: this.epoch, cursor: this.cursor });
    } else {
      this.transport.want(this.client, { topics });
    }
    this.sentTopics = text;
  }

  private setStatus(status: FeedStatus, reason: string): void {
    if (status !== this.status || reason !== this.reason) {
      this.status = status;
      this.reason = reason;
      this.stateSignal.emit(this.state);
    }
  }

  private status: FeedStatus = 'connecting';
  private reason = '';
  private answeredAt: Milliseconds = performance.now();
  private info: ClientInfo | undefined;
  private connected = false;
  private received = false;
  private schedulerSilent = false;
  private handles = 1;
  private generation = 0;
  private nextSeq = 0;
  /** Frames and bytes received since the last acknowledgement. */
  private takenFrames = 0;
  private takenBytes: Bytes = 0;
  private feed = '';
  private epoch = -1;
  private cursor: Cursor = {};
  private sentTopics = '';
  private readonly reader = new FrameReader();
  private readonly holders = new Map<Topic, number>();
  private readonly frameSignal = new Signal<this, Frame>(this);
  private readonly stateSignal = new Signal<this, FeedState>(this);
}
