/** Ticks of a time axis relative to the start of a run. */
import { formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';
import { niceStep, type Tick } from '../axis';

const MINUTE: Seconds = 60;
const HOUR: Seconds = 3600;
const DAY: Seconds = 86_400;

/** Usual steps of minutes and hours. */
const STEPS: readonly Seconds[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map(step => step * MINUTE),
  ...[1, 2, 3, 6, 12].map(step => step * HOUR),
  DAY
];

/** The smallest clock step that is at least `least`. */
function clockStep(least: Seconds): Seconds {
  return least <= 0.5 ? niceStep(least) : (STEPS.find(step => step >= least) ?? niceStep(least / DAY) * DAY);
}

/**
 * Ticks between two times after the start.
 *
 * @param most - number of labels that fit
 */
export function timeTicks(from: Seconds, to: Seconds, most: number): readonly Tick[] {
  if (!(to > from)) {
    return [];
  }
  const step = clockStep((to - from) / most);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const value = (first + i) * step;
    return { value, label: formatElapsed(value, decimals) };
  });
}
