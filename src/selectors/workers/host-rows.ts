/** Hosts of a run: network and disk are measured of a whole host, so each of its workers reports the same. */
import type { BytesPerSecond } from '../../base/units';
import type { Run } from '../../run/run';
import { liveWorkers, type WorkerRow } from './worker-rows';

/** What the workers of a host say of it; NaN where none says it. */
export interface HostRow {
  /** Least id of its workers. */
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

/** A worker that does not say its host is a host of its own: it must not be merged with others that do not. */
function hostOf({ host, address, label }: WorkerRow): string {
  return host !== '' ? host : address !== '' ? address : label;
}

/** The greatest of what workers report: heartbeats are of different moments. As the collector's series has it. */
function greatest(workers: readonly WorkerRow[], rate: HostRate): BytesPerSecond {
  const known = workers.map(row => row[rate]).filter(Number.isFinite);
  return known.length > 0 ? Math.max(...known) : Number.NaN;
}

/** Hosts of the workers that are there, in the order of their first worker by name. */
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

/** Sum of a rate over hosts; those that do not say it count nothing. */
export function hostTotal(rows: readonly HostRow[], rate: HostRate): BytesPerSecond {
  return rows.reduce((sum, row) => sum + (Number.isFinite(row[rate]) ? row[rate] : 0), 0);
}
