import type { IDisposable } from '@lumino/disposable';
import type { askServer } from '../ask-server';
import type { Milliseconds } from '../../../base/units';
import { LinkWatch, LOOK, SERVER_PATIENCE } from '../link-watch';
import type { ChannelStatus } from './channel-status';
import type { ClientFeeds } from './client-feeds';
import type { Hello } from './hello';
import type { KernelRequests } from './requests';
import type { Subscription } from './subscription';

/** Timeout of each step of a request over another connection: to open one takes some trips to the server. */
const ELSEWHERE_PATIENCE: Milliseconds = 5_000;
/** A page that has not heard a kernel for this long was asleep, or its connection was lost. */
const AWAY: Milliseconds = 90_000;
/** For so long after that, it learns what has happened meanwhile. */
const BACK: Milliseconds = 15_000;

/** The parts of a channel that are kept up. */
export interface UpkeepParts {
  readonly requests: KernelRequests;
  readonly status: ChannelStatus;
  readonly greeting: Hello;
  readonly subscription: Subscription;
  readonly feeds: ClientFeeds;
  /** Whether the bridge has ever answered. */
  readonly met: () => boolean;
  readonly reconnect: () => void;
}

/**
 * Looks after a channel twice per second: renews its subscription, repeats its hello, and judges its link.
 *
 * Guarantees: it sends nothing by itself that is not due; after `dispose` it has no timer.
 */
export class Upkeep implements IDisposable {
  /** @param ask - asks the Jupyter server whether it answers */
  constructor(
    private readonly parts: UpkeepParts,
    ask: typeof askServer
  ) {
    const { requests } = parts;
    this.watch = new LinkWatch({
      askKernel: () => this.askKernel(),
      askServer: async () => requests.kernel === null || ask(requests.kernel.serverSettings, SERVER_PATIENCE),
      askElsewhere: () => this.askElsewhere(),
      reconnect: () => parts.reconnect()
    });
    this.timer = setInterval(() => this.look(), LOOK);
  }

  readonly watch: LinkWatch;

  /** See `KernelChannel.current`. */
  get current(): boolean {
    const now = Date.now();
    return now - this.heardAt < AWAY && !(now - this.backAt < BACK);
  }

  /** The kernel sent a message. */
  heard(): void {
    const now = Date.now();
    if (now - this.heardAt > AWAY) {
      this.backAt = now;
    }
    this.heardAt = now;
    this.watch.heard();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    clearInterval(this.timer);
  }

  private look(): void {
    const { requests, status, greeting, subscription, feeds, met } = this.parts;
    const { kernel } = requests;
    if (kernel === null || kernel.isDisposed) {
      return;
    }
    const now = performance.now();
    status.judge(this.watch.look({ now, connection: kernel.connectionStatus, watched: feeds.watched }), met());
    if (!requests.connected) {
      return;
    }
    if (subscription.active) {
      if (subscription.due(now)) {
        subscription.renew();
      }
    } else if (status.state !== 'missing' && greeting.due(now)) {
      greeting.send();
    }
  }

  /** Make the kernel send something. */
  private askKernel(): void {
    const { greeting, subscription } = this.parts;
    if (!subscription.active) {
      greeting.send();
    } else if (!subscription.isRenewing) {
      subscription.renew();
    }
  }

  private async askElsewhere(): Promise<boolean> {
    const { kernel } = this.parts.requests;
    // One whose control channel has never answered, as behind a filter of messages, does not anywhere.
    if (kernel === null || !this.parts.met()) {
      return false;
    }
    try {
      // Few pages ever ask.
      const { answersElsewhere } = await import('../ask-elsewhere');
      return await answersElsewhere(kernel, ELSEWHERE_PATIENCE);
    } catch {
      // The code could not be loaded, or the connection has closed: nothing is known.
      return false;
    }
  }

  private disposed = false;
  /** When the kernel was heard last, and when it was after a long time; by the clock, which goes on while the computer sleeps. */
  private heardAt: Milliseconds = Number.NaN;
  private backAt: Milliseconds = Number.NaN;
  private readonly timer: ReturnType<typeof setInterval>;
}
