import { element, setHidden } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';

/** The scrolling part of a flame graph: a fixed window over a spacer of the picture's height. */
export class FlameStage {
  constructor() {
    this.window.append(this.canvas, this.outline);
    this.plot.append(this.window, this.spacer);
  }

  /** Receives focus and pointer events, and scrolls. */
  readonly plot = element('div', { class: 'dp-Flame-plot', role: 'application', attributes: { tabindex: '0' } });
  readonly canvas = element('canvas', { attributes: { 'aria-hidden': 'true' } });

  /** Height of a row of boxes. */
  rowHeight: CssPixels = 0;
  /** Device pixels per CSS pixel, and the size of the window. */
  ratio = 1;
  width: DevicePixels = 0;
  height: DevicePixels = 0;

  /** Scroll position of the window in the content. */
  get scroll(): DevicePixels {
    return Math.round(this.plot.scrollTop * this.ratio);
  }

  /** Adopt the size of the plot, for a number of rows. Returns whether it changed. */
  fit(rows: number): boolean {
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    this.spacer.style.height = `${Math.max(0, rows * this.rowHeight - this.plot.clientHeight)}px`;
    const [css, tall]: [CssPixels, CssPixels] = [this.plot.clientWidth, this.plot.clientHeight];
    const [width, height] = [Math.floor(css * ratio), Math.floor(tall * ratio)];
    this.window.style.height = `${tall}px`;
    const changed = width !== this.width || height !== this.height || ratio !== this.ratio;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    return changed;
  }

  /** Outline the box reached by pointer or keyboard. */
  frame(
    box: { readonly left: DevicePixels; readonly width: DevicePixels; readonly depth: number } | null,
    focused: boolean
  ): void {
    setHidden(this.outline, box === null);
    if (box !== null) {
      const { style } = this.outline;
      style.left = `${box.left / this.ratio}px`;
      style.width = `${Math.max(1, box.width / this.ratio - 1)}px`;
      style.top = `${box.depth * this.rowHeight - this.plot.scrollTop}px`;
      style.height = `${this.rowHeight - 1}px`;
      this.outline.dataset.focused = String(focused);
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
  private readonly outline = element('div', { class: 'dp-Flame-outline' });
  private readonly spacer = element('div');
}
