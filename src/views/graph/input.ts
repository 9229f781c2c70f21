import type { CssPixels, Share } from '../../base/units';

/** What a person can do to a graph. Positions are CSS pixels from the view's upper left corner. */
export interface Controls {
  /** Show `factor` times as much; the place stays where it is, NaN for the middle. */
  zoom(factor: number, x: CssPixels, y: CssPixels): void;
  pan(dx: CssPixels, dy: CssPixels): void;
  /** Pan by a share of the width. */
  panShare(share: Share): void;
  fit(): void;
  /** Go to what the node needs (`x` −1), to what needs it (1), or up and down its column. */
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
  KeyW: controls => controls.zoom(KEY_ZOOM, Number.NaN, Number.NaN),
  KeyS: controls => controls.zoom(1 / KEY_ZOOM, Number.NaN, Number.NaN),
  KeyA: controls => controls.panShare(-KEY_PAN),
  KeyD: controls => controls.panShare(KEY_PAN),
  Digit0: controls => controls.fit(),
  Numpad0: controls => controls.fit(),
  ArrowLeft: controls => controls.walk(-1, 0),
  ArrowRight: controls => controls.walk(1, 0),
  ArrowUp: controls => controls.walk(0, -1),
  ArrowDown: controls => controls.walk(0, 1),
  Enter: controls => controls.enter(),
  Escape: controls => controls.escape()
};

/** Turns events of the picture into {@link Controls}, until disposed. */
export class Input {
  constructor(
    private readonly node: HTMLElement,
    private readonly controls: Controls
  ) {
    const { signal } = this.listening;
    node.addEventListener('keydown', event => this.key(event), { signal });
    node.addEventListener('wheel', event => this.wheel(event), { signal, passive: false });
    node.addEventListener('pointerdown', event => this.down(event), { signal });
    node.addEventListener('pointermove', event => this.move(event), { signal });
    node.addEventListener('pointerup', event => this.up(event), { signal });
    node.addEventListener('pointercancel', () => this.stop(), { signal });
    node.addEventListener('pointerleave', () => controls.leave(), { signal });
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
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.controls.pan((event.deltaX === 0 ? event.deltaY : event.deltaX) * unit, 0);
      return;
    }
    const { x, y } = this.at(event);
    this.controls.zoom(Math.exp(event.deltaY * unit * WHEEL_ZOOM), x, y);
  }

  private down(event: PointerEvent): void {
    if (event.button === 0 || event.button === 1) {
      this.drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    }
  }

  private move(event: PointerEvent): void {
    const { drag } = this;
    if (drag === null || drag.pointer !== event.pointerId) {
      const { x, y } = this.at(event);
      this.controls.hover(x, y);
      return;
    }
    const [dx, dy] = [drag.x - event.clientX, drag.y - event.clientY];
    if (!drag.moved && Math.hypot(dx, dy) < CLICK_RADIUS) {
      return;
    }
    if (!drag.moved) {
      drag.moved = true;
      this.node.setPointerCapture(drag.pointer);
      this.controls.leave();
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.controls.pan(dx, dy);
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    this.stop();
    if (drag !== null && drag.pointer === event.pointerId && !drag.moved && event.button === 0) {
      const { x, y } = this.at(event);
      this.controls.click(x, y);
    }
  }

  private stop(): void {
    if (this.drag !== null && this.node.hasPointerCapture(this.drag.pointer)) {
      this.node.releasePointerCapture(this.drag.pointer);
    }
    this.drag = null;
  }

  private at(event: MouseEvent): { readonly x: CssPixels; readonly y: CssPixels } {
    const box = this.node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly listening = new AbortController();
  private drag: { readonly pointer: number; x: CssPixels; y: CssPixels; moved: boolean } | null = null;
}
