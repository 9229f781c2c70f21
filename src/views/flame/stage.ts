import { element, setHidden, setStyle } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import { CanvasStage } from '../canvas/canvas-stage';

/** The scrolling part of a flame graph: a fixed window over a spacer of the picture's height. */
export class FlameStage extends CanvasStage {
  constructor() {
    super('dp-Flame');
    this.window.append(this.canvas, this.frame);
    this.plot.append(this.window, this.spacer);
    this.plot.addEventListener('scroll', () => this.measureScroll(), { passive: true });
  }

  readonly canvas = element('canvas', { attributes: { 'aria-hidden': 'true' } });

  /** Height of a row of boxes. */
  rowHeight: CssPixels = 0;

  /** Scroll position as it was measured last: to measure it after a change makes the browser lay out the page. */
  get scrollTop(): CssPixels {
    return this.top;
  }

  /** Scroll position of the window in the content. */
  get scroll(): DevicePixels {
    return Math.round(this.top * this.ratio);
  }

  /** Adopt the size of the plot, for a number of rows. Returns whether it changed. */
  fit(rows: number): boolean {
    this.setRows(rows, this.plot.clientHeight);
    const { clientWidth, clientHeight } = this.plot;
    this.high = clientHeight;
    setStyle(this.window, 'height', `${clientHeight}px`);
    this.measureScroll();
    return this.measure(clientWidth, clientHeight);
  }

  /**
   * Another number of rows since the last {@link fit}, in the same drawing. The plot is measured again only if a scroll bar
   * comes or goes: to measure it makes the browser lay out the page in the middle of the drawing.
   */
  refit(rows: number): boolean {
    const scrolled = this.scrolls;
    this.setRows(rows, this.high);
    return this.scrolls !== scrolled && this.fit(rows);
  }

  private setRows(rows: number, high: CssPixels): void {
    const more = Math.max(0, rows * this.rowHeight - high);
    this.scrolls = more > 0;
    this.top = Math.min(this.top, more);
    setStyle(this.spacer, 'height', `${more}px`);
  }

  /** Outline the box reached by pointer or keyboard. */
  outline(
    box: { readonly left: DevicePixels; readonly width: DevicePixels; readonly depth: number } | null,
    focused: boolean
  ): void {
    setHidden(this.frame, box === null);
    if (box !== null) {
      const { style } = this.frame;
      style.left = `${box.left / this.ratio}px`;
      style.width = `${Math.max(1, box.width / this.ratio - 1)}px`;
      style.top = `${box.depth * this.rowHeight - this.top}px`;
      style.height = `${this.rowHeight - 1}px`;
      this.frame.dataset.focused = String(focused);
    }
  }

  /** Scroll a row into view. */
  reveal(depth: number): void {
    const top = depth * this.rowHeight;
    if (top < this.top || top + this.rowHeight > this.top + this.high) {
      this.plot.scrollTop = Math.max(0, top - this.high / 2);
      this.measureScroll();
    }
  }

  private measureScroll(): void {
    this.top = this.plot.scrollTop;
  }

  private readonly window = element('div', { class: 'dp-Flame-window' });
  private readonly frame = element('div', { class: 'dp-Flame-outline' });
  private readonly spacer = element('div');
  /** Height of the plot when it was measured, and whether its rows are higher. */
  private high: CssPixels = 0;
  private top: CssPixels = 0;
  private scrolls = false;
}
