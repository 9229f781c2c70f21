import type { Milliseconds, Seconds } from '../../base/units';
import type { ChannelState, ClientInfo } from '../../feed/kernel/kernel-channel';

/** Number of closed clients remembered that are not shown: the newest. */
export const CLOSED_KEPT = 10;

/** A kernel that is shut down may close its clients so long before it goes. */
const LAST_MOMENTS: Milliseconds = 10_000;

/** All clients ever reported by one kernel, by key; gone ones are marked closed. */
export class KnownClients {
  /**
   * @param shown - whether a client is shown, and so must not be dropped
   * @param current - whether what is noticed now has just happened
   */
  constructor(
    private readonly shown: (client: string) => boolean,
    private readonly current: () => boolean
  ) {}

  get all(): ReadonlyMap<string, ClientInfo> {
    return this.known;
  }

  /** The kernel's list of clients; in any state but `ready` the list is meaningless. */
  learn(state: ChannelState, clients: readonly ClientInfo[]): void {
    const listed = state === 'ready' || state === 'silent' ? clients : [];
    if (state === 'ready' || state === 'dead' || state === 'missing') {
      const keys = new Set(listed.map(info => info.key));
      // A kernel lists its closed clients, too, but only the newest of them.
      const same = listed.some(({ key }) => this.known.has(key));
      for (const key of this.known.keys()) {
        if (!keys.has(key)) {
          this.close(key, !same);
        }
      }
    }
    for (const info of listed) {
      if (info.status === 'closed' && (this.known.get(info.key)?.status ?? 'closed') !== 'closed') {
        this.closedSeen.set(info.key, performance.now());
      }
      this.known.set(info.key, info);
    }
    this.forget();
  }

  /** The kernel is gone. */
  closeAll(): void {
    for (const key of this.known.keys()) {
      this.close(key, true);
    }
  }

  /** A client is not listed any more: it had closed before, or its kernel is gone. */
  private close(key: string, kernelEnded: boolean): void {
    const info = this.known.get(key);
    if (info && info.status !== 'closed') {
      this.closedSeen.set(key, performance.now());
      const closedAt = this.current() ? Date.now() / 1000 : undefined;
      this.known.set(key, { ...info, status: 'closed', closedAt, ...(kernelEnded ? { kernelEnded } : {}) });
    } else if (info && kernelEnded && performance.now() - (this.closedSeen.get(key) ?? Number.NEGATIVE_INFINITY) < LAST_MOMENTS) {
      this.known.set(key, { ...info, kernelEnded: true });
    }
  }

  private forget(): void {
    const closed = [...this.known.values()].filter(info => info.status === 'closed' && !this.shown(info.key));
    closed.reverse().sort((a, b) => this.ended(b) - this.ended(a));
    for (const { key } of closed.slice(CLOSED_KEPT)) {
      this.known.delete(key);
      this.closedSeen.delete(key);
    }
  }

  /** When a client ended, or, if that is not known, when this was noticed. */
  private ended({ key, closedAt }: ClientInfo): Seconds {
    return closedAt ?? (performance.timeOrigin + (this.closedSeen.get(key) ?? 0)) / 1000;
  }

  /** When the kernel first reported a client as closed that had been open, by `performance.now()`. */
  private readonly closedSeen = new Map<string, Milliseconds>();
  private readonly known = new Map<string, ClientInfo>();
}

/** Facts of a client that its kernel has not reported yet. */
export function unknownClient(key: string): ClientInfo {
  return {
    key,
    variable: '',
    cluster: '',
    address: '',
    dashboard: '',
    dashboardReason: '',
    status: 'connecting',
    workers: 0,
    threads: 0,
    memoryLimit: 0,
    created: 0,
    limited: ''
  };
}
