import { textOf } from '../../../base/untrusted';
import type { ChannelState } from '../kernel-channel';
import type { LinkState, Loss } from '../link-watch';

/**
 * The state of a channel, decided by the answers of its bridge and by its link.
 *
 * Guarantees: `changed` is called once for each change that users can see, after it: of the state, and of the reason while
 * the state stays the same.
 */
export class ChannelStatus {
  /** @param changed - called with whether the state itself is another */
  constructor(private readonly changed: (another: boolean) => void) {}

  get state(): ChannelState {
    return this.current;
  }

  /** Why the connection is lost, if it is. */
  get loss(): Loss | null {
    return this.current === 'disconnected' ? this.lastLoss : null;
  }

  /** See `KernelChannel.reason`. */
  get reason(): string {
    return this.current === 'failed' ? this.failure : this.current === 'ready' ? textOf(this.notice) : '';
  }

  /** Why the kernel does not list all clients, as it says with its list; untrusted. */
  notice: unknown;

  /** Set another state than `failed`, which {@link fail} sets with its reason. */
  set(state: ChannelState): void {
    if (state !== this.current) {
      this.current = state;
      this.changed(true);
    }
  }

  /** @param reason - a message for users */
  fail(reason: string): void {
    this.failure = reason;
    if (this.current === 'failed') {
      this.changed(false);
    }
    this.set('failed');
  }

  /**
   * Judge the link. It counts as good only because of messages from the kernel, so a good one changes nothing.
   *
   * @param met - whether the bridge has ever answered
   */
  judge(link: LinkState, met: boolean): void {
    if (link === 'good' || this.current === 'dead') {
      return;
    }
    if (link !== 'kernel-silent') {
      const news = this.loss !== null && this.loss !== link;
      this.lastLoss = link;
      this.set('disconnected');
      if (news) {
        this.changed(false);
      }
    } else if (this.current === 'ready' || this.current === 'disconnected') {
      this.set(met ? 'silent' : 'asking');
    }
  }

  private current: ChannelState = 'asking';
  private lastLoss: Loss = 'retrying';
  private failure = '';
}
