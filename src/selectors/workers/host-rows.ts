/** Hosts of a run: network and disk are measured per host, so all workers of a host report the same values. */
import type { BytesPerSecond } from '../../base/units';
import type { Run } from '../../run/run';
import { liveWorkers, type WorkerRow } from './worker-rows';

/** Values reported by the workers of a host; NaN if none reports them. */
export interface HostRow {
  /** Lowest id of its workers. */
  readonly id: number;
  readonly label: string;
  readonly workers: readonly WorkerRow[];
  readonly netRead: BytesPerSecond;
  readonly netWrite: BytesPerSecond;
  readonly diskRead: BytesPerSecond;
  readonly diskWrite: BytesPerSecond;
}

/** A rate of a host. */
export type HostRate = 'netRead' | 'netWrite' | 'diskRead' | 'diskWrite';

/** A worker without a known host counts as a separate host: it must not be merged with other such workers. */
function hostOf({ host, address, label }: WorkerRow): string {
  return host !== '' ? host : address !== '' ? address : label;
}

/** The maximum of the workers' reports, since heartbeats have different times. The collector's series does the same. */
function greatest(workers: readonly WorkerRow[], rate: HostRate): BytesPerSecond {
  const known = workers.map(row => row[rate]).filter(Number.isFinite);
  return known.length > 0 ? Math.max(...known) : Number.NaN;
}

/** Hosts of the current workers, in order of their first worker by name. */
export function hosts(run: Run): readonly HostRow[] {
  const groups = new Map<string, WorkerRow[]>();
  for (const row of liveWorkers(run)) {
    const host = hostOf(row);
    const group = groups.get(host) ?? [];
    groups.set(host, group);
    group.push(row);
  }
  return [...groups].map(([label, workers]) => ({
    id: workers.reduce((least, row) => Math.min(least, row.id), Number.POSITIVE_INFINITY),
    label,
    workers,
    netRead: greatest(workers, 'netRead'),
    netWrite: greatest(workers, 'netWrite'),
    diskRead: greatest(workers, 'diskRead'),
    diskWrite: greatest(workers, 'diskWrite')
  }));
}
