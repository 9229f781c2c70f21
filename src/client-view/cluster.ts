import type { Clients, KernelAction, KernelEntry } from '../clients/model';
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
 * Guarantees: a kernel is asked once whether it still has a displayed cluster, since it may be another kernel by now; an
 * answer about another kernel or cluster than the present one is ignored.
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
    return this.found;
  }

  /**
   * The cluster, with why it cannot be scaled now (else empty); `null` if no kernel here can have it.
   *
   * @param named - the client of the card as its kernel reports it; `null` if none does
   * @param path - of the kernel
   */
  find({ handle, info }: ClientFacts, named: ClientInfo | null, path: string): ScalableCluster | null {
    const kernel = this.clients?.kernels.find(entry => entry.path === path);
    if (kernel?.state !== 'ready' && kernel?.state !== 'silent') {
      this.asked = '';
      this.found = false;
      return null;
    }
    if (named !== null && named.status !== 'closed') {
      return clusterOf(kernel, named, this.trans);
    }
    if (handle === '' || !this.knows(kernel, handle)) {
      return null;
    }
    return { kernel, target: { handle }, name: info.cluster, refusal: refusalOf(kernel, info.scaling ?? '', this.trans) };
  }

  private knows(kernel: KernelEntry, handle: string): boolean {
    const question = `${kernel.path}\n${handle}`;
    if (this.asked !== question) {
      this.asked = question;
      this.found = false;
      kernel.act({ name: 'scaling', target: { handle }, args: {} }).then(
        () => {
          if (this.asked === question) {
            this.found = true;
            this.changed();
          }
        },
        // It is gone or closed: the card does not change.
        () => undefined
      );
    }
    return this.found;
  }

  private asked = '';
  private found = false;
}
