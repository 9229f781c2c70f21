import type { CssPixels } from '../../base/units';
import { type Keys, onKeys } from '../canvas/keys';
import { positionIn, WALK_KEYS } from '../canvas/picture-input';

/** User actions on a flame graph. Positions are CSS pixels from the upper left corner of its plot. */
export interface Controls {
  /** Move to a neighbour in the row (`x`), to the caller (`y` −1) or to the first callee (`y` 1). */
  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void;
  hover(x: CssPixels, y: CssPixels): void;
  leave(): void;
  click(x: CssPixels, y: CssPixels): void;
  /** Zoom to the box at the keyboard cursor. */
  enter(): void;
  /** Zoom to the caller of the zoomed box. */
  escape(): void;
  /** Show everything. */
  fit(): void;
  /** Move the focus to the search. */
  find(): void;
  /** The plot was scrolled. */
  scrolled(): void;
  /** The plot received or lost the focus. */
  focusMoved(): void;
}

const KEYS: Keys<Controls> = {
  ...WALK_KEYS,
  'show-all': controls => controls.fit(),
  find: controls => controls.find()
};

/** Translate events of a flame graph's plot into control calls, until the signal is aborted. */
export function listenToFlame(plot: HTMLElement, controls: Controls, signal: AbortSignal): void {
  onKeys(plot, 'flame', KEYS, controls, signal);
  plot.addEventListener(
    'pointermove',
    event => {
      const { x, y } = positionIn(plot, event);
      controls.hover(x, y);
    },
    { signal }
  );
  plot.addEventListener(
    'click',
    event => {
      const { x, y } = positionIn(plot, event);
      controls.click(x, y);
    },
    { signal }
  );
  plot.addEventListener('pointerleave', () => controls.leave(), { signal });
  plot.addEventListener('scroll', () => controls.scrolled(), { signal, passive: true });
  plot.addEventListener('focus', () => controls.focusMoved(), { signal });
  plot.addEventListener('blur', () => controls.focusMoved(), { signal });
}
