import { formatBytes } from '../../base/format';
import type { Bytes } from '../../base/units';
import type { Translate } from '../../plot/plot';

/** Current number of workers of a cluster. */
export interface Scaling {
  readonly workers: number;
  /** Requested number of workers. */
  readonly asked: number;
  /** Minimum and maximum number of workers, if Dask scales adaptively. */
  readonly adaptive: readonly [number, number] | null;
  /** Sum of the present workers' limits, and the memory of their machine; 0 or undefined if unknown. */
  readonly memory?: Bytes;
  readonly machine?: Bytes;
  /** Whether jobs have several workers each: Dask then does not know which have started. */
  readonly grouped?: boolean;
}

/**
 * The memory that a number of workers may use together, compared with their shared machine; '' if workers have no
 * limit.
 */
export function scaledMemory({ workers, memory = 0, machine = 0 }: Scaling, wanted: number, trans: Translate): string {
  const total = workers > 0 ? (memory / workers) * wanted : 0;
  if (!(total > 0) || !Number.isFinite(total)) {
    return '';
  }
  if (!(machine > 0)) {
    return trans.__('Up to %1 in total', formatBytes(total));
  }
  return total > machine
    ? trans.__('Up to %1 in total, more than the %2 on their machine', formatBytes(total), formatBytes(machine))
    : trans.__('Up to %1 in total, of %2 on their machine', formatBytes(total), formatBytes(machine));
}
