import { element } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import type { TooltipPlace } from '../../base/dom/tooltip-place';

/** A point, from the upper left corner of an element. */
export interface Point {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/** A rectangle, from the upper left corner of a plot. */
export interface PlotBox extends Point {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/**
 * The elements that every canvas view has.
 *
 * Guarantees:
 * 1. {@link plot} is focusable, is `role="application"` to assistive technology, and its `aria-label` is free for a
 *    summary.
 * 2. `width` and `height` are whole device pixels, never negative, and always fit into the measured size.
 */
export abstract class CanvasStage {
  /** @param name - class of the root element; the plot's is `<name>-plot` */
  constructor(name: string) {
    this.node = element('div', { class: name });
    this.plot = element('div', { class: `${name}-plot`, role: 'application', attributes: { tabindex: '0' } });
  }

  /** The root element. */
  readonly node: HTMLElement;
  /** Receives focus and pointer events. */
  readonly plot: HTMLElement;
  /** Announces what the keyboard cursor has reached. */
  readonly live = element('div', { class: 'dp-Hidden dp-Spoken', attributes: { 'aria-live': 'polite' } });

  /** Device pixels per CSS pixel. */
  ratio = 1;
  /** Size of the visible picture. */
  width: DevicePixels = 0;
  height: DevicePixels = 0;

  focus(): void {
    this.plot.focus({ preventScroll: true });
  }

  /**
   * Tooltip position for an item of the plot.
   *
   * @param pointer - the pointer; without one, the tooltip belongs to the middle of the item
   */
  placeOf({ x, y, width, height }: PlotBox, pointer: Point | null): TooltipPlace {
    const { left, top } = this.plot.getBoundingClientRect();
    const at = pointer ?? { x: x + width / 2, y: y + height / 2 };
    return { x: left + at.x, y: top + at.y, top: top + y, bottom: top + y + height };
  }

  /** Set the size of the picture. Returns whether it, or the ratio of pixels, changed. */
  protected measure(width: CssPixels, height: CssPixels): boolean {
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const wide = Math.max(0, Math.floor(width * ratio));
    const high = Math.max(0, Math.floor(height * ratio));
    const changed = wide !== this.width || high !== this.height || ratio !== this.ratio;
    this.ratio = ratio;
    this.width = wide;
    this.height = high;
    return changed;
  }
}

/**
 * The context of a canvas.
 *
 * @throws Error if the browser provides none
 */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) {
    throw new Error('this browser gives no 2D canvas');
  }
  return context;
}
