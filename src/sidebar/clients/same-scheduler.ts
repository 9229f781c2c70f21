/** What rows of clients that use one scheduler have in common. */
import { clientName } from '../../clients/status';
import type { SharedKernel } from '../../clients/kernels/sharing';
import type { KernelEntry, LiveClient } from '../../clients/model';
import { haveSameScheduler } from '../../client-view/cell/find';
import { isAnswered } from '../../feed/feed';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { openClients, type RowWords, waitingWords } from './kernel-words';

/** Names the first row with the scheduler of a client; empty if it is this one. */
export function sameSchedulerWords(kernels: readonly SharedKernel[], info: ClientInfo, trans: Translate): string {
  const rows = kernels.flatMap(shared => openClients(shared.kernel).map(each => ({ shared, info: each })));
  const first = rows.find(each => haveSameScheduler(each.info, info));
  const own = rows.find(each => each.info.key === info.key);
  if (first === undefined || own === undefined || first === own) {
    return '';
  }
  const { names } = first.shared;
  return trans.__('same scheduler as %1', first.shared === own.shared ? `${names} ${clientName(first.info)}` : names);
}

/** A run that counts the workers of a client now: that of another with its scheduler. */
export function runOfSameScheduler(live: LiveClient | null, info: ClientInfo): Run | null {
  return live !== null && isAnswered(live.feed.state) && haveSameScheduler(live.info, info) ? live.run : null;
}

/**
 * That tasks wait for workers, of which the scheduler of a client has none; `null` if that is not so or not known.
 *
 * @param run - of another client with its scheduler
 */
export function waitingThere(run: Run | null, info: ClientInfo, kernel: KernelEntry, trans: Translate): RowWords | null {
  return run !== null && kernel.state === 'ready' && info.status === 'running' ? waitingWords(run, trans) : null;
}
