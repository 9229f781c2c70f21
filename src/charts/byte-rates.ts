/** Axes of bytes per second. */
import type { BytesPerSecond } from '../base/units';
import { byteTicks, type Ticks } from './axis';

/** Smaller axes would show noise as if it were traffic. */
export const LEAST_RATE: BytesPerSecond = 1024 * 1024;

/** Ticks of bytes per second; the last one carries the unit. */
export const byteRateTicks: Ticks = (end, most) => {
  const ticks = byteTicks(end, most);
  return ticks.map((tick, i) => (i === ticks.length - 1 ? { ...tick, label: `${tick.label}/s` } : tick));
};
