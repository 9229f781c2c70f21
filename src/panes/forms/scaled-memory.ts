import { formatBytes } from '../../base/format';
import type { Translate } from '../../plots/plot';
import type { Scaling } from './scale-dialog';

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
