import type { KernelMessage } from '@jupyterlab/services';
import { amountOf, mapOf } from '../../../base/untrusted';
import type { Milliseconds } from '../../../base/units';
import type { ClientFeed, FeedTransport } from '../../client-feed';
import type { Feed } from '../../feed';
import type { Scalar } from '../../frame';
import type { Arguments, Reply } from '../ask-kernel';
import { feedCode } from '../feed-code';
import type { ChannelState, ClientInfo } from '../kernel-channel';
import type { KernelRequests } from './requests';
import type { Subscription } from './subscription';

/** Timeout of a query about a client. */
const PATIENCE: Milliseconds = 30_000;

/**
 * The feeds of a kernel's clients, and their way to the kernel.
 *
 * Guarantees: one feed for each client that anybody shows, however many show it; a feed is dropped when the last of them has
 * disposed it.
 */
export class ClientFeeds implements FeedTransport {
  constructor(
    private readonly requests: KernelRequests,
    private readonly subscription: Subscription
  ) {}

  /** Whether any has a visible subscriber. */
  get watched(): boolean {
    return [...this.feeds.values()].some(feed => feed.watched);
  }

  /**
   * Open or share the feed of a client.
   *
   * @param info - the client as the kernel reported it, if it did
   * @throws Error if the code of feeds has not been loaded
   */
  open(client: string, info: ClientInfo | undefined): Feed {
    const known = this.feeds.get(client);
    if (known) {
      return known.share();
    }
    if (feedCode.ready === null) {
      throw new Error('The code of feeds has not been loaded.');
    }
    const feed = new feedCode.ready.ClientFeed(client, this, () => this.feeds.delete(client));
    this.feeds.set(client, feed);
    feed.setClient(info);
    if (this.subscription.active) {
      feed.connect();
    }
    return feed;
  }

  /** This tab has subscribed: each continues from its own cursor. */
  connect(): void {
    for (const feed of this.feeds.values()) {
      feed.connect();
    }
  }

  /** See {@link ClientFeed.lose}. */
  lose(reason: string): void {
    for (const feed of this.feeds.values()) {
      feed.lose(reason);
    }
  }

  /** See {@link ClientFeed.sever}. */
  sever(reason: string): void {
    for (const feed of this.feeds.values()) {
      feed.sever(reason);
    }
  }

  /** The kernel reported its clients. */
  setClients(clients: readonly ClientInfo[]): void {
    for (const [key, feed] of this.feeds) {
      feed.setClient(clients.find(info => info.key === key));
    }
  }

  setChannel(state: ChannelState): void {
    for (const feed of this.feeds.values()) {
      feed.setChannel(state);
    }
  }

  answered(now: Milliseconds): void {
    for (const feed of this.feeds.values()) {
      feed.answered(now);
    }
  }

  /** @param silent - for how many seconds schedulers have not answered their clients, by client; untrusted */
  beat(silent: unknown): void {
    const seconds = new Map(Object.entries(mapOf(silent)));
    for (const [key, feed] of this.feeds) {
      feed.setSchedulerSilence(amountOf(seconds.get(key)));
    }
  }

  /** A frame for one of them; it is ignored if nobody has that feed open. */
  receive(body: Reply, message: KernelMessage.IDebugReplyMsg): void {
    const feed = this.feeds.get(String(body.client));
    const buffer = message.buffers?.[0];
    if (feed && buffer && typeof body.seq === 'number') {
      feed.receive(buffer, body.seq, Number(body.gen ?? 0));
    }
  }

  // -- for the feeds -----------------------------------------------------------------------------------------------

  want(client: string, args: Arguments): void {
    this.subscription.want(client, args);
  }

  acknowledge(client: string, seq: number): void {
    this.subscription.notify('ack', { client, seq });
  }

  async requestClient(client: string, name: string, args: Readonly<Record<string, Scalar>>): Promise<Scalar> {
    const body = await this.requests.ask('request', { client, name, args }, PATIENCE);
    return ('value' in body && Object.keys(body).length === 1 ? body.value : body) as Scalar;
  }

  private readonly feeds = new Map<string, ClientFeed>();
}
