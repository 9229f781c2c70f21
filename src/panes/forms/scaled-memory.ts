import { formatBytes } from '../../base/format';
import type { Bytes } from '../../base/units';
import type { Translate } from '../../plot/plot';

/** How many workers a cluster has now. */
export interface Scaling {
  readonly workers: number;
  /** Workers that the cluster is to have. */
  readonly asked: number;
  /** Least and greatest number of workers, where Dask chooses it. */
  readonly adaptive: readonly [number, number] | null;
  /** Limits of the present workers together, and what their machine has; 0 or nothing where unknown. */
  readonly memory?: Bytes;
  readonly machine?: Bytes;
}

/** What a number of workers may use together, against the machine that they share; '' where workers have no limit. */
export function scaledMemory({ workers, memory = 0, machine = 0 }: Scaling, wanted: number, trans: Translate): string {
  const total = workers > 0 ? (memory / workers) * wanted : 0;
  if (!(total > 0) || !Number.isFinite(total)) {
    return '';
  }
  if (!(machine > 0)) {
    return trans('Together up to %1', formatBytes(total));
  }
  return total > machine
    ? trans('Together up to %1, more than the %2 of their machine', formatBytes(total), formatBytes(machine))
    : trans('Together up to %1 of the %2 of their machine', formatBytes(total), formatBytes(machine));
}
