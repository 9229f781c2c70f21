/** How the visible part of a time axis changes: positions in, positions out. */
import type { CssPixels, Share } from '../../../base/units';
import { FIT_MARGIN, STAYS_IN_VIEW } from '../../canvas/time-edges';

/** A part of an axis, as positions on it; `left` is before `right`. */
export interface Part {
  readonly left: CssPixels;
  readonly right: CssPixels;
}

/** Show `factor` times as much; what is at a share of the visible part stays there. */
export function zoomed({ left, right }: Part, factor: number, share: Share): Part {
  const length = (right - left) * factor;
  const begin = left + share * (right - left) - share * length;
  return { left: begin, right: begin + length };
}

/** Move to later times (`distance` > 0). */
export function panned({ left, right }: Part, distance: CssPixels): Part {
  return { left: left + distance, right: right + distance };
}

/** The whole run with a margin. */
export function fitted({ left, right }: Part): Part {
  const margin = FIT_MARGIN * (right - left);
  return { left: left - margin, right: right + margin };
}

/** The nearest part that is not longer than the run, and in which some of the run is visible. */
export function keptIn(part: Part, run: Part): Part {
  const whole = fitted(run);
  const length = part.right - part.left;
  if (length >= whole.right - whole.left) {
    return whole;
  }
  const stays = length * STAYS_IN_VIEW;
  const left = Math.min(Math.max(part.left, run.left + stays - length), run.right - stays);
  return { left, right: left + length };
}
