import type { CssPixels } from '../../base/units';
import type { Point } from '../canvas/canvas-stage';
import { CLICK_RADIUS, type Held, pansBy, PictureInput, type PictureControls, positionIn } from '../canvas/picture-input';
import type { Keys } from '../canvas/keys';
import { wheelOverTime } from '../canvas/wheel';

/** User actions on a timeline: `walk` moves to the next or previous task of the lane (`x`) or to another lane (`y`). */
export interface Controls extends PictureControls {
  /** Show `factor` times as much time; `x` stays fixed, NaN for the middle. */
  zoom(factor: number, x: CssPixels): void;
  pan(distance: CssPixels): void;
  follow(): void;
  /** Draw the lanes of the worker, or the workers of the host, at the keyboard cursor as one, or each by itself. */
  collapse(what: 'worker' | 'host'): void;
  /** Pin the worker at the keyboard cursor to the top, or put it back. */
  pin(): void;
  /** Walk, and select from the task where that began to the one it reached, with the rows between them. */
  extend(x: -1 | 0 | 1, y: -1 | 0 | 1): void;
  /** Open the search for tasks. */
  search(): void;
  /** Select the time and the lanes between two points of the plot. */
  brush(from: Point, to: Point): void;
  /** The drag that called {@link brush} has ended. */
  brushed(): void;
  /** Show the selected period, or, outside it, what was shown before. */
  doubleClick(x: CssPixels): void;
  /** Whether the wheel scrolls something here: the lanes, or what the picture is in. A hint tells the user about Ctrl. */
  scrolls(): boolean;
}

interface Drag extends Held {
  x: CssPixels;
  readonly from: { readonly x: CssPixels; readonly y: CssPixels };
  readonly pans: boolean;
  brushes: boolean;
}

const KEYS: Keys<Controls> = {
  follow: controls => controls.follow(),
  'select-left': controls => controls.extend(-1, 0),
  'select-right': controls => controls.extend(1, 0),
  'select-up': controls => controls.extend(0, -1),
  'select-down': controls => controls.extend(0, 1),
  search: controls => controls.search(),
  'collapse-worker': controls => controls.collapse('worker'),
  'collapse-host': controls => controls.collapse('host'),
  pin: controls => controls.pin()
};

/**
 * The wheel zooms, or, where it has something to scroll, does so with Ctrl only; a horizontal wheel pans, as does a drag with
 * Shift or the middle button. Another drag selects, and a double click shows what is selected.
 */
export class Input extends PictureInput<Controls, Drag> {
  constructor(plot: HTMLElement, controls: Controls) {
    super('timeline', plot, controls, KEYS);
    plot.addEventListener('dblclick', event => controls.doubleClick(positionIn(plot, event).x), { signal: this.signal });
  }

  protected override wheel(event: WheelEvent): void {
    wheelOverTime(event, {
      zoom: () => this.zoomBy(event),
      pan: distance => this.controls.pan(distance),
      scrolls: () => this.controls.scrolls()
    });
  }

  protected override down(event: PointerEvent): void {
    const pans = pansBy(event);
    if (event.button !== 0 && !pans) {
      return;
    }
    this.held = {
      pointer: event.pointerId,
      x: event.clientX,
      from: { x: event.clientX, y: event.clientY },
      pans,
      brushes: false
    };
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
      return;
    }
    this.hover(event);
    this.brush(event);
  }

  private brush(event: PointerEvent): void {
    const { held } = this;
    if (held === null || held.pointer !== event.pointerId) {
      return;
    }
    const { from } = held;
    if (!held.brushes && Math.hypot(event.clientX - from.x, event.clientY - from.y) >= CLICK_RADIUS) {
      held.brushes = true;
      this.node.focus({ preventScroll: true });
      this.node.setPointerCapture(event.pointerId);
    }
    if (held.brushes) {
      const box = this.node.getBoundingClientRect();
      this.controls.brush({ x: from.x - box.left, y: from.y - box.top }, positionIn(this.node, event));
    }
  }

  protected override released({ brushes }: Drag): void {
    if (brushes) {
      this.controls.brushed();
    }
  }

  protected override clicked({ pans, brushes, from }: Drag, event: PointerEvent): boolean {
    return !pans && !brushes && Math.hypot(event.clientX - from.x, event.clientY - from.y) < CLICK_RADIUS;
  }
}
