import type { CssPixels } from '../../../base/units';

/** Farthest that {@link moveX} moves. A power of two: whole and half pixels are then exact. */
const FARTHEST: CssPixels = 16_384;

const moves = new WeakMap<Element, Animation>();

/**
 * Move an element that moves in many frames, horizontally from its place.
 *
 * It is a paused animation whose time is the position: for a changed style, `will-change: transform` or not, Chromium builds all
 * layers of the page again (2 to 3 ms in JupyterLab, 2026-11-27), but not for an animation. A transform in the element's style is
 * without effect from then on.
 */
export function moveX(node: HTMLElement | SVGElement, by: CssPixels): void {
  if (typeof node.animate !== 'function') {
    // No animations, as in jsdom.
    node.style.transform = `translateX(${by}px)`;
    return;
  }
  let move = moves.get(node);
  if (move === undefined) {
    const keyframes = [-FARTHEST, FARTHEST].map(x => ({ transform: `translateX(${x}px)` }));
    move = node.animate(keyframes, { duration: 2 * FARTHEST, fill: 'both' });
    move.pause();
    moves.set(node, move);
  }
  const time = by + FARTHEST;
  if (move.currentTime !== time) {
    move.currentTime = time;
  }
}
