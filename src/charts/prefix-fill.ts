/** Fill of a function's bar in Vega. */
import { mix, type Theme } from '../base/theme';
import type { BarSegment } from './bars';

/** Repeated colours are distinguished by bar patterns in half the background's colour, as in the task stream. */
export function repetition(theme: Theme, slot: number): Pick<BarSegment, 'pattern' | 'ink'> {
  const { colour, pattern } = theme.prefix(slot);
  return pattern === 'none' ? {} : { pattern, ink: mix(colour, pattern === 'dark-bars' ? '#000000' : theme.background, 0.5) };
}
