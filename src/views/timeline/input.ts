import type { CssPixels } from '../../base/units';
import { CLICK_RADIUS, type Held, type Keys, PictureInput, type PictureControls } from '../canvas/picture-input';

/** User actions on a timeline: `walk` moves to the next or previous task of the lane (`x`) or to another lane (`y`). */
export interface Controls extends PictureControls {
  /** Show `factor` times as much time; `x` stays fixed, NaN for the middle. */
  zoom(factor: number, x: CssPixels): void;
  pan(distance: CssPixels): void;
  follow(): void;
}

interface Drag extends Held {
  x: CssPixels;
  readonly from: { readonly x: CssPixels; readonly y: CssPixels };
  readonly pans: boolean;
}

const KEYS: Keys<Controls> = { KeyL: controls => controls.follow() };

/** Wheel with Ctrl zooms; a horizontal wheel pans, as does a drag with Shift or the middle button. */
export class Input extends PictureInput<Controls, Drag> {
  constructor(plot: HTMLElement, controls: Controls) {
    super(plot, controls, KEYS);
  }

  protected override wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      this.zoomBy(event);
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways !== 0) {
      event.preventDefault();
      this.controls.pan(sideways * this.unit(event));
    }
  }

  protected override down(event: PointerEvent): void {
    const pans = event.button === 1 || (event.button === 0 && event.shiftKey);
    if (event.button !== 0 && !pans) {
      return;
    }
    this.held = { pointer: event.pointerId, x: event.clientX, from: { x: event.clientX, y: event.clientY }, pans };
    if (pans) {
      event.preventDefault();
      this.node.focus({ preventScroll: true });
      this.node.setPointerCapture(event.pointerId);
      this.controls.leave();
    }
  }

  protected override move(event: PointerEvent): void {
    if (this.held?.pans && this.held.pointer === event.pointerId) {
      this.controls.pan(this.held.x - event.clientX);
      this.held.x = event.clientX;
    } else {
      this.hover(event);
    }
  }

  protected override clicked({ pans, from }: Drag, event: PointerEvent): boolean {
    return !pans && Math.hypot(event.clientX - from.x, event.clientY - from.y) < CLICK_RADIUS;
  }
}
