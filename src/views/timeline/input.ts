import type { CssPixels, Share } from '../../base/units';

/** What a person can do to a timeline. Positions are CSS pixels from the plot's upper left corner. */
export interface Controls {
  /** Show `factor` times as much time; `x` stays where it is, NaN for the middle. */
  zoom(factor: number, x: CssPixels): void;
  pan(distance: CssPixels): void;
  /** Pan by a share of what is shown. */
  panShare(share: Share): void;
  fit(): void;
  follow(): void;
  /** Go to the next or last task of the lane (`x`) or to another lane (`y`). */
  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void;
  hover(x: CssPixels, y: CssPixels): void;
  leave(): void;
  click(x: CssPixels, y: CssPixels): void;
  escape(): void;
  /** Act on what the keyboard has reached, as a click does. */
  enter(): void;
}

const KEY_ZOOM = 0.8;
const KEY_PAN: Share = 0.15;
/** Zoom per CSS pixel of wheel: a notch of a mouse (100 px) is about a quarter. */
const WHEEL_ZOOM = 0.0025;
/** A pointer that moved less was clicked, not dragged. */
const CLICK_RADIUS: CssPixels = 4;
const LINE: CssPixels = 16;

/** Keys by their place on the keyboard, so that W/A/S/D lie under the fingers on every layout. */
const KEYS: Readonly<Record<string, (controls: Controls) => void>> = {
  KeyW: controls => controls.zoom(KEY_ZOOM, Number.NaN),
  KeyS: controls => controls.zoom(1 / KEY_ZOOM, Number.NaN),
  KeyA: controls => controls.panShare(-KEY_PAN),
  KeyD: controls => controls.panShare(KEY_PAN),
  KeyL: controls => controls.follow(),
  Digit0: controls => controls.fit(),
  Numpad0: controls => controls.fit(),
  ArrowLeft: controls => controls.walk(-1, 0),
  ArrowRight: controls => controls.walk(1, 0),
  ArrowUp: controls => controls.walk(0, -1),
  ArrowDown: controls => controls.walk(0, 1),
  Enter: controls => controls.enter(),
  Escape: controls => controls.escape()
};

/** Turns events of the plot into {@link Controls}, until disposed. */
export class Input {
  constructor(
    private readonly plot: HTMLElement,
    private readonly controls: Controls
  ) {
    const { signal } = this.listening;
    plot.addEventListener('keydown', event => this.key(event), { signal });
    plot.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
    plot.addEventListener('pointerdown', event => this.down(event), { signal });
    plot.addEventListener('pointermove', event => this.move(event), { signal });
    plot.addEventListener('pointerup', event => this.up(event), { signal });
    plot.addEventListener('pointercancel', () => this.stop(), { signal });
    plot.addEventListener('pointerleave', () => controls.leave(), { signal });
    // The middle button would scroll by itself.
    plot.addEventListener('mousedown', event => event.button === 1 && event.preventDefault(), { signal });
  }

  dispose(): void {
    this.listening.abort();
  }

  private key(event: KeyboardEvent): void {
    const act = KEYS[event.code];
    if (act !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act(this.controls);
    }
  }

  private wheel(event: WheelEvent): void {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.controls.zoom(Math.exp(event.deltaY * unit * WHEEL_ZOOM), this.at(event).x);
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways !== 0) {
      event.preventDefault();
      this.controls.pan(sideways * unit);
    }
  }

  private down(event: PointerEvent): void {
    const pans = event.button === 1 || (event.button === 0 && event.shiftKey);
    if (event.button !== 0 && !pans) {
      return;
    }
    this.drag = { pointer: event.pointerId, x: event.clientX, from: { x: event.clientX, y: event.clientY }, pans };
    if (pans) {
      event.preventDefault();
      this.plot.focus({ preventScroll: true });
      this.plot.setPointerCapture(event.pointerId);
      this.controls.leave();
    }
  }

  private move(event: PointerEvent): void {
    if (this.drag?.pans && this.drag.pointer === event.pointerId) {
      this.controls.pan(this.drag.x - event.clientX);
      this.drag.x = event.clientX;
      return;
    }
    const { x, y } = this.at(event);
    this.controls.hover(x, y);
  }

  private up(event: PointerEvent): void {
    const drag = this.drag;
    this.stop();
    if (drag === null || drag.pans || drag.pointer !== event.pointerId) {
      return;
    }
    if (Math.hypot(event.clientX - drag.from.x, event.clientY - drag.from.y) < CLICK_RADIUS) {
      const { x, y } = this.at(event);
      this.controls.click(x, y);
    }
  }

  private stop(): void {
    if (this.drag !== null && this.plot.hasPointerCapture(this.drag.pointer)) {
      this.plot.releasePointerCapture(this.drag.pointer);
    }
    this.drag = null;
  }

  private at(event: MouseEvent): { readonly x: CssPixels; readonly y: CssPixels } {
    const box = this.plot.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly listening = new AbortController();
  private drag: {
    readonly pointer: number;
    x: CssPixels;
    readonly from: { readonly x: CssPixels; readonly y: CssPixels };
    readonly pans: boolean;
  } | null = null;
}
