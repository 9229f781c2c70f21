import type { CssPixels } from '../../base/units';
import { CLICK_RADIUS, type Held, PictureInput, type PictureControls } from '../canvas/picture-input';
import { wheelUnit } from '../canvas/wheel';

/** User actions on a graph: `walk` moves to a dependency (`x` −1), to a dependent (1), or within the column. */
export interface Controls extends PictureControls {
  pan(dx: CssPixels, dy: CssPixels): void;
}

interface Drag extends Held {
  x: CssPixels;
  y: CssPixels;
  moved: boolean;
}

/** A wheel zooms, a drag pans. */
export class Input extends PictureInput<Controls, Drag> {
  constructor(plot: HTMLElement, controls: Controls) {
    super('graph', plot, controls);
  }

  protected override wheel(event: WheelEvent): void {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.controls.pan((event.deltaX === 0 ? event.deltaY : event.deltaX) * wheelUnit(event), 0);
    } else {
      this.zoomBy(event);
    }
  }

  protected override down(event: PointerEvent): void {
    if (event.button === 0 || event.button === 1) {
      this.held = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    }
  }

  protected override move(event: PointerEvent): void {
    const { held } = this;
    if (held === null || held.pointer !== event.pointerId) {
      this.hover(event);
      return;
    }
    const [dx, dy] = [held.x - event.clientX, held.y - event.clientY];
    if (!held.moved && Math.hypot(dx, dy) < CLICK_RADIUS) {
      return;
    }
    if (!held.moved) {
      held.moved = true;
      this.node.setPointerCapture(held.pointer);
      this.controls.leave();
    }
    held.x = event.clientX;
    held.y = event.clientY;
    this.controls.pan(dx, dy);
  }

  protected override clicked({ moved }: Drag, { button }: PointerEvent): boolean {
    return !moved && button === 0;
  }
}
