import type { Clients } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { ClientFacts } from './facts';

/**
 * Find the client of an output among those reported by the kernels of this tab.
 *
 * A key is unique across kernels. A cluster displayed before it had a client is found by the address of its scheduler: the
 * newest open client of that address represents it.
 */
export function findClient(clients: Clients, facts: ClientFacts): { readonly path: string; readonly info: ClientInfo } | null {
  const { key, address } = facts.info;
  const known = key === '' ? null : clients.resolve({ follow: false, path: '', client: key });
  // A cluster outlives its client: another one of it reports on it then.
  const over = facts.kind === 'cluster' && known?.info.status === 'closed';
  if ((key !== '' && !over) || address === '') {
    return known;
  }
  const all = clients.kernels.flatMap(({ path, clients: infos }) => infos.map(info => ({ path, info })));
  const open = all.filter(({ info }) => info.status !== 'closed' && haveSameScheduler(info, facts.info));
  // Clients of the cluster itself have more facts than clients by address.
  const own = open.filter(({ info }) => info.cluster === facts.info.cluster);
  const fitting = own.length > 0 ? own : open;
  return fitting.sort((a, b) => b.info.created - a.info.created)[0] ?? known;
}

/** Whether two clients use one scheduler. Ports are reused: an old output must not show a new cluster. */
export function haveSameScheduler(a: ClientInfo, b: ClientInfo): boolean {
  return a.address !== '' && a.address === b.address && (!a.scheduler || !b.scheduler || a.scheduler === b.scheduler);
}
