import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import type { Milliseconds } from '../../../base/units';
import { type Arguments, envelope, Refusal, type Reply, SUBSCRIPTION } from '../ask-kernel';
import type { KernelRequests } from './requests';

/** Renewal interval: a subscription is a lease of 60 s. */
const RENEW: Milliseconds = 25_000;
const PATIENCE: Milliseconds = 30_000;

type DebugFuture = ReturnType<Kernel.IKernelConnection['requestDebug']>;

/** What comes of a subscription. */
export interface SubscriptionEvents {
  /** The kernel sent a message by itself. */
  pushed(message: KernelMessage.IDebugReplyMsg): void;
  /** A renewal was sent: the kernel owes an answer. */
  asked(): void;
  renewed(body: Reply): void;
  /** The lease has expired, the kernel is a new one, or another subscription has replaced this one. */
  lost(): void;
}

/**
 * The subscription of a browser tab in a kernel.
 *
 * Guarantees:
 * 1. There is at most one, with at most one unanswered renewal.
 * 2. One that the kernel refuses is ended and reported, never renewed.
 * 3. An answer about an earlier subscription does not end the present one.
 */
export class Subscription {
  constructor(
    private readonly requests: KernelRequests,
    private readonly tab: string,
    private readonly events: SubscriptionEvents
  ) {}

  /** Whether there is one. */
  get active(): boolean {
    return this.lease !== null;
  }

  get sessions(): readonly string[] {
    return this.known;
  }

  /** Jupyter sessions of the kernel; a change is sent at once. */
  set sessions(ids: readonly string[]) {
    if (ids.join() !== this.known.join()) {
      this.known = ids;
      if (this.active) {
        this.renew();
      }
    }
  }

  /** Subscribe over a connection, in place of an earlier subscription. */
  begin(kernel: Kernel.IKernelConnection): void {
    this.end();
    const id = UUID.uuid4();
    this.sent = this.known;
    const future = kernel.requestDebug(envelope('subscribe', { tab: this.tab, subscription: id, sessions: this.known }), false);
    this.lease = { id, future };
    future.onReply = message => this.events.pushed(message);
    // The promise of a disposed future rejects; this is expected.
    future.done.catch(() => undefined);
  }

  /** Notify the kernel of the end, and end. */
  leave(): void {
    if (this.active) {
      this.notify('unsubscribe');
    }
    this.end();
  }

  /** Forget it: the kernel does not know it any more. */
  end(): void {
    this.lease?.future.dispose();
    this.lease = null;
  }

  /** Send something about the subscription without waiting. */
  notify(op: string, args: Arguments = {}): void {
    this.requests.notify(op, { ...this.address, ...args });
  }

  /** Send what a client's feed wants; the answer is messages, or a refusal if the subscription was replaced. */
  want(client: string, args: Arguments): void {
    if (this.lease !== null) {
      const { id } = this.lease;
      const wish = { ...this.address, client, ...args };
      this.requests.ask('want', wish, PATIENCE).catch((error: unknown) => {
        if (error instanceof Refusal && error.body.reason === SUBSCRIPTION) {
          this.lose(id);
        }
      });
    }
  }

  /** Renew the lease, unless an answer to a renewal is pending. */
  renew(): void {
    if (this.lease === null) {
      return;
    }
    const { id } = this.lease;
    this.renewing = true;
    this.renewedAt = performance.now();
    this.events.asked();
    const sessions = this.known;
    this.requests.ask('renew', { ...this.address, ...(sessions === this.sent ? {} : { sessions }) }, PATIENCE).then(
      body => {
        this.renewing = false;
        this.sent = sessions;
        this.events.renewed(body);
      },
      (error: unknown) => {
        this.renewing = false;
        if (error instanceof Refusal) {
          this.lose(id);
        }
      }
    );
  }

  /** Whether it is time to renew. */
  due(now: Milliseconds): boolean {
    return !this.renewing && now - this.renewedAt >= RENEW;
  }

  /** Whether a renewal is unanswered. */
  get isRenewing(): boolean {
    return this.renewing;
  }

  /** The answer to a renewal will not arrive. */
  dropRenewal(): void {
    this.renewing = false;
  }

  private lose(id: string): void {
    if (this.lease?.id === id && !this.requests.isDisposed) {
      this.end();
      this.events.lost();
    }
  }

  /** Its name and number in the kernel. */
  private get address(): Arguments {
    return { tab: this.tab, subscription: this.lease?.id ?? '' };
  }

  private lease: { readonly id: string; readonly future: DebugFuture } | null = null;
  private known: readonly string[] = [];
  /** The sessions as the kernel last had them, as far as it has answered. */
  private sent: readonly string[] = [];
  private renewedAt: Milliseconds = performance.now();
  private renewing = false;
}
