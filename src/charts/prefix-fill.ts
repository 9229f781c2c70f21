/** How the bar of a function is filled, where Vega draws it. */
import { mix, type Theme } from '../base/theme';
import type { BarSegment } from './bars';

/** Repeated colours carry bars; lines of half the background's colour tell them apart here as in the task stream. */
export function repetition(theme: Theme, slot: number): Pick<BarSegment, 'pattern' | 'ink'> {
  const { colour, pattern } = theme.prefix(slot);
  return pattern === 'none' ? {} : { pattern, ink: mix(colour, pattern === 'dark-bars' ? '#000000' : theme.background, 0.5) };
}
