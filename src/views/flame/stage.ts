import { element, setHidden } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import { CanvasStage } from '../canvas/canvas-stage';

/** The scrolling part of a flame graph: a fixed window over a spacer of the picture's height. */
export class FlameStage extends CanvasStage {
  constructor() {
    super('dp-Flame');
    this.window.append(this.canvas, this.frame);
    this.plot.append(this.window, this.spacer);
  }

  readonly canvas = element('canvas', { attributes: { 'aria-hidden': 'true' } });

  /** Height of a row of boxes. */
  rowHeight: CssPixels = 0;

  get scrollTop(): CssPixels {
    return this.plot.scrollTop;
  }

  /** Scroll position of the window in the content. */
  get scroll(): DevicePixels {
    return Math.round(this.plot.scrollTop * this.ratio);
  }

  /** Adopt the size of the plot, for a number of rows. Returns whether it changed. */
  fit(rows: number): boolean {
    this.spacer.style.height = `${Math.max(0, rows * this.rowHeight - this.plot.clientHeight)}px`;
    const { clientWidth, clientHeight } = this.plot;
    this.window.style.height = `${clientHeight}px`;
    return this.measure(clientWidth, clientHeight);
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
      style.top = `${box.depth * this.rowHeight - this.plot.scrollTop}px`;
      style.height = `${this.rowHeight - 1}px`;
      this.frame.dataset.focused = String(focused);
    }
  }

  /** Scroll a row into view. */
  reveal(depth: number): void {
    const top = depth * this.rowHeight;
    const { scrollTop, clientHeight } = this.plot;
    if (top < scrollTop || top + this.rowHeight > scrollTop + clientHeight) {
      this.plot.scrollTop = Math.max(0, top - clientHeight / 2);
    }
  }

  private readonly window = element('div', { class: 'dp-Flame-window' });
  private readonly frame = element('div', { class: 'dp-Flame-outline' });
  private readonly spacer = element('div');
}
