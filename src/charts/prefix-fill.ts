/** What tells functions, or runs, of one colour apart in charts. */
import { mix, type Theme } from '../base/theme';
import type { Translate } from '../plot/plot';
import type { BarSegment } from './bars';
import type { TimeLine } from './over-time/model';

/** Repeated colours are distinguished by bar patterns in half the background's colour, as in the task stream. */
export function repetition(theme: Theme, slot: number): Pick<BarSegment, 'pattern' | 'ink'> {
  const { colour, pattern } = theme.prefix(slot);
  return pattern === 'none' ? {} : { pattern, ink: mix(colour, pattern === 'dark-bars' ? '#000000' : theme.background, 0.5) };
}

/** Each eight of lines after the other: hues alone are hard to distinguish from the ninth on, and from the 17th on they repeat. */
const DASHES = [false, true, 'dotted', 'dotted', true, false] as const;

/** How the line of a slot is drawn: differently from those of the same colour. */
export function dashOf(slot: number): TimeLine['dashed'] {
  return DASHES[Math.floor(slot / 8) % DASHES.length];
}

/** The name of a line in a legend. */
export function dashWords(name: string, slot: number, trans: Translate): string {
  const dash = dashOf(slot);
  return dash === 'dotted' ? trans.__('%1 (dotted)', name) : dash ? trans.__('%1 (dashed)', name) : name;
}
