import { element } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import { AXIS_HEIGHT } from '../canvas/axis';
import { gutterWidth } from '../../charts/time-gutter';

/**
 * The elements of a timeline: a scrolling plot with the picture in a fixed window, so that the browser's scroll bar,
 * touch and keyboard scroll the lanes.
 */
export class Stage {
  /** @param over - above the blocks; @param axis - below them, with its grid behind them */
  constructor(gutter: HTMLElement, axis: { readonly node: HTMLElement; readonly grid: HTMLElement }, over: HTMLElement) {
    this.lanes.append(axis.grid, this.data, over);
    this.window.append(this.lanes);
    this.plot.append(this.window, this.spacer);
    this.node.append(this.plot, gutter, axis.node, this.corner, this.live);
  }

  /** The blocks. The canvas is wider than the window: see `Painter`. */
  readonly data = element('canvas', { class: 'dp-Timeline-data', attributes: { 'aria-hidden': 'true' } });
  /** Receives focus and pointer events, and scrolls. */
  readonly plot = element('div', {
    class: 'dp-Timeline-plot',
    role: 'application',
    attributes: { tabindex: '0' }
  });
  /** Text of the axis' origin. */
  readonly corner = element('span', { class: 'dp-Timeline-corner' });
  /** Announces the target of the keyboard cursor. */
  readonly live = element('div', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });
  readonly node = element('div', { class: 'dp-Timeline' });

  /** Device pixels per CSS pixel. */
  ratio = 1;
  /** Size of the visible lanes. */
  width: DevicePixels = 0;
  height: DevicePixels = 0;

  /** Scroll position of the window in the content. */
  scroll: DevicePixels = 0;

  /** Read the plot's scroll position. Reading it in every frame would force a layout each time. */
  readScroll(): void {
    this.scroll = Math.round(this.plot.scrollTop * this.ratio);
  }

  /** Left edge of the plot. */
  get left(): CssPixels {
    return this.gutter;
  }

  /** Whether only short names fit. */
  get narrow(): boolean {
    return this.node.dataset.gutter !== 'wide';
  }

  /**
   * Set the size. Returns whether the picture has another size now.
   *
   * @param font - interface font size relative to the default
   */
  resize(width: CssPixels, height: CssPixels, font: number): boolean {
    this.size = { width, height };
    const gutter = gutterWidth(width / font);
    this.gutter = Math.round(gutter * font);
    this.axis = Math.round(AXIS_HEIGHT * font);
    this.node.dataset.gutter = gutter === 0 ? 'none' : gutter < 84 ? 'narrow' : 'wide';
    this.node.style.setProperty('--dp-axis', `${this.axis}px`);
    this.node.style.setProperty('--dp-gutter', `${this.gutter}px`);
    this.plot.style.left = `${this.gutter}px`;
    return this.fit();
  }

  /** Set the height of the content; a scroll bar that appears or disappears changes the width. */
  setContent(height: DevicePixels): boolean {
    const css = Math.ceil(height / this.ratio) + this.axis;
    this.spacer.style.height = `${Math.max(0, css - this.size.height)}px`;
    const changed = this.fit();
    this.readScroll();
    return changed;
  }

  private fit(): boolean {
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const bar = this.plot.offsetWidth - this.plot.clientWidth;
    const css = Math.max(0, this.size.width - this.gutter - bar);
    const width = Math.max(0, Math.floor(css * ratio));
    const height = Math.max(0, Math.floor((this.size.height - this.axis) * ratio));
    if (width === this.width && height === this.height && ratio === this.ratio) {
      return false;
    }
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.window.style.width = `${css}px`;
    this.window.style.height = `${this.size.height}px`;
    this.node.style.setProperty('--dp-plot', `${css}px`);
    this.lanes.style.width = `${width / ratio}px`;
    this.lanes.style.height = `${height / ratio}px`;
    return true;
  }

  private readonly lanes = element('div', { class: 'dp-Timeline-lanes' });
  private readonly window = element('div', { class: 'dp-Timeline-window' });
  private readonly spacer = element('div', { class: 'dp-Timeline-spacer' });
  private size: { readonly width: CssPixels; readonly height: CssPixels } = { width: 0, height: 0 };
  private gutter: CssPixels = 0;
  private axis: CssPixels = AXIS_HEIGHT;
}
