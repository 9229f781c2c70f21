/** Names of the heads of workers and hosts. */
import { formatCount } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import type { HostLanes, WorkerLanes } from '../lanes/lanes';

/** Name of what is drawn as one, or of a single worker. */
export function headName(workers: readonly WorkerLanes[], trans: Translate): string {
  return workers.length === 1 ? workers[0].name : trans._n('1 worker', '%2 workers', workers.length, formatCount(workers.length));
}

/** Name of a host, or of what is above the pinned workers. */
export function hostName({ host, pinned = false }: HostLanes, trans: Translate): string {
  return pinned ? trans.__('Pinned') : host || trans.__('unknown host');
}
