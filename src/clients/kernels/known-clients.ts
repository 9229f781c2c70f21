import type { ChannelState, ClientInfo } from '../../feed/kernel/kernel-channel';

/** Of clients that are closed, and that nobody shows, so many are remembered: the newest. */
export const CLOSED_KEPT = 10;

/** What was ever told of the clients of one kernel, by key; those that are gone are closed. */
export class KnownClients {
  /**
   * @param shown - whether a client is shown now: it is not forgotten
   */
  constructor(private readonly shown: (client: string) => boolean) {}

  get all(): ReadonlyMap<string, ClientInfo> {
    return this.known;
  }

  /** The kernel says which clients it has; with another state than `ready` the list means nothing. */
  learn(state: ChannelState, clients: readonly ClientInfo[]): void {
    const listed = state === 'ready' || state === 'silent' ? clients : [];
    if (state === 'ready' || state === 'dead' || state === 'missing') {
      const keys = new Set(listed.map(info => info.key));
      for (const key of this.known.keys()) {
        if (!keys.has(key)) {
          this.close(key);
        }
      }
    }
    for (const info of listed) {
      this.known.set(info.key, info);
    }
    this.forget();
  }

  /** The kernel is gone. */
  closeAll(): void {
    for (const key of this.known.keys()) {
      this.close(key);
    }
  }

  private close(key: string): void {
    const info = this.known.get(key);
    if (info && info.status !== 'closed') {
      this.known.set(key, { ...info, status: 'closed', closedAt: Date.now() / 1000 });
    }
  }

  private forget(): void {
    const closed = [...this.known.values()].filter(info => info.status === 'closed' && !this.shown(info.key));
    closed.reverse().sort((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0));
    for (const { key } of closed.slice(CLOSED_KEPT)) {
      this.known.delete(key);
    }
  }

  private readonly known = new Map<string, ClientInfo>();
}
