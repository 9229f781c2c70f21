import type { Clients, KernelAction, KernelEntry } from '../clients/model';
import { Refusal } from '../feed/kernel/ask-kernel';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Translate } from '../plot/plot';
import type { ClientFacts } from './cell/facts';

/** A cluster and its kernel. */
export interface HeldCluster {
  readonly kernel: Pick<KernelEntry, 'act'>;
  readonly target: KernelAction['target'];
  /** Display name. */
  readonly name: string;
}

/** A client and the path of its kernel. */
interface NamedClient {
  readonly path: string;
  readonly info: ClientInfo;
}

/** The same with why it cannot be scaled now; '' if it can. */
export type ScalableCluster = HeldCluster & { readonly refusal: string };

/** The cluster of a client; `null` if its kernel has none that can be scaled. */
export function clusterOf(kernel: KernelEntry, { key, scaling, cluster }: ClientInfo, trans: Translate): ScalableCluster | null {
  return scaling === undefined
    ? null
    : { kernel, target: { client: key }, name: cluster || key, refusal: refusalOf(kernel, scaling, trans) };
}

/** Why a cluster cannot be scaled now: what its kernel says of it, or that the kernel does not answer. */
export function refusalOf(kernel: KernelEntry, scaling: string, trans: Translate): string {
  return scaling || (kernel.state === 'silent' ? trans.__('The kernel does not answer now.') : '');
}

/**
 * The cluster of a card, in the kernel that can scale it.
 *
 * Guarantees: a kernel is asked until it has answered once whether it still has a displayed cluster, since it may be another
 * kernel by now; an answer about another kernel or cluster than the present one is ignored.
 */
export class CardCluster {
  /** @param changed - called when a kernel has answered */
  constructor(
    private readonly clients: Clients | null,
    private readonly trans: Translate,
    private readonly changed: () => void
  ) {}

  /** Whether the kernel asked last is known to have the cluster. */
  get known(): boolean {
    return this.found === true;
  }

  /**
   * The cluster, with why it cannot be scaled now (else empty); `null` if no kernel here can have it, or while one is asked.
   *
   * @param named - the client of the card as its kernel reports it, and the path of that; `null` if none does
   * @param path - of the kernel of the card's document; '' if that is not known
   */
  find(facts: ClientFacts, named: NamedClient | null, path: string): ScalableCluster | null {
    const through = named === null || named.info.status === 'closed' ? null : this.through(named);
    // A client by address may be of another kernel, and knows less of the cluster than the kernel that displayed it.
    if (through !== null && (named?.info.scaling === '' || facts.handle === '')) {
      return through;
    }
    const own = this.entry(path || (named?.path ?? ''));
    if (own === null || facts.handle === '') {
      this.asked = '';
      this.found = false;
      return through;
    }
    const found = this.knows(own, facts.handle);
    return found === true ? this.held(own, facts) : found === null ? null : through;
  }

  private through({ path, info }: NamedClient): ScalableCluster | null {
    const kernel = this.entry(path);
    return kernel && clusterOf(kernel, info, this.trans);
  }

  private held(kernel: KernelEntry, { handle, info }: ClientFacts): ScalableCluster {
    return { kernel, target: { handle }, name: info.cluster, refusal: refusalOf(kernel, info.scaling ?? '', this.trans) };
  }

  /** A kernel that can be asked. */
  private entry(path: string): KernelEntry | null {
    const kernel = this.clients?.kernels.find(entry => entry.path === path);
    return kernel?.state === 'ready' || kernel?.state === 'silent' ? kernel : null;
  }

  /** Whether a kernel has the cluster of a handle; `null` until it has answered. */
  private knows(kernel: KernelEntry, handle: string): boolean | null {
    const question = `${kernel.path}\n${handle}`;
    if (this.asked !== question) {
      this.asked = question;
      this.found = null;
      const answer = (found: boolean): void => {
        if (this.asked === question) {
          this.found = found;
          this.changed();
        }
      };
      kernel.act({ name: 'scaling', target: { handle }, args: {} }).then(
        () => answer(true),
        (error: unknown) => {
          if (error instanceof Refusal) {
            // It is gone or closed.
            answer(false);
          } else if (this.asked === question) {
            // Whether it is there, no answer says: the next call asks again.
            this.asked = '';
          }
        }
      );
    }
    return this.found;
  }

  private asked = '';
  private found: boolean | null = false;
}
