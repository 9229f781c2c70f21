/** What a turn of the wheel over a picture does. */
import type { CssPixels } from '../../base/units';

/** Zoom per CSS pixel of wheel movement: one notch of a mouse (100 px) is about a quarter. */
const WHEEL_ZOOM = 0.0025;
const LINE: CssPixels = 16;

/** CSS pixels per unit of a wheel distance. */
export function wheelUnit(event: WheelEvent): CssPixels {
  return event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
}

/** How many times as much is shown after a turn of the wheel that zooms. */
export function wheelFactor(event: WheelEvent): number {
  return Math.exp(event.deltaY * wheelUnit(event) * WHEEL_ZOOM);
}

/** Actions of a wheel over a picture whose horizontal axis is time. */
export interface WheelActions {
  /** Zoom by {@link wheelFactor}. */
  zoom(event: WheelEvent): void;
  pan(distance: CssPixels): void;
  /** Whether the wheel scrolls something here: the picture, or what it is in. A hint tells the user about Ctrl. */
  scrolls(): boolean;
}

/** The wheel zooms, or, where it has something to scroll, does so with Ctrl only; a horizontal wheel pans. */
export function wheelOverTime(event: WheelEvent, actions: WheelActions): void {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    actions.zoom(event);
    return;
  }
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (sideways !== 0) {
    event.preventDefault();
    actions.pan(sideways * wheelUnit(event));
  } else if (!actions.scrolls()) {
    event.preventDefault();
    actions.zoom(event);
  }
}
