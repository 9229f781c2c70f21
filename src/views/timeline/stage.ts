import { element } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import { gutterWidth, WIDE_GUTTER } from '../../charts/time-gutter';
import { CanvasStage } from '../canvas/canvas-stage';
import { AXIS_BEFORE, AXIS_HEIGHT } from './paint/axis';

/**
 * The elements of a timeline: a scrolling plot with the picture in a fixed window, so that the browser's scroll bar,
 * touch and keyboard scroll the lanes.
 */
export class Stage extends CanvasStage {
  constructor() {
    super('dp-Timeline');
  }

  /**
   * Insert the elements around the blocks.
   *
   * @param axis - below the blocks, with its grid behind them
   * @param over - above the blocks
   */
  mount(gutter: HTMLElement, axis: { readonly node: HTMLElement; readonly grid: HTMLElement }, over: HTMLElement): void {
    this.lanes.append(axis.grid, this.data, over);
    this.window.append(this.lanes);
    this.plot.append(this.window, this.spacer);
    this.node.append(this.plot, gutter, axis.node, this.corner, this.live);
  }

  /** Insert an element above the blocks and what is mounted. */
  addOver(node: Element): void {
    this.lanes.append(node);
  }

  /** The blocks. The canvas is wider than the window: see `Painter`. */
  readonly data = element('canvas', { class: 'dp-Timeline-data', attributes: { 'aria-hidden': 'true' } });
  /** Text of the axis' origin. */
  readonly corner = element('span', { class: 'dp-Timeline-corner' });

  /** Size of the whole view. */
  get size(): { readonly width: CssPixels; readonly height: CssPixels } {
    return this.whole;
  }

  /** Scroll position of the window in the content. */
  scroll: DevicePixels = 0;

  /** Read the plot's scroll position. Reading it in every frame would force a layout each time. */
  readScroll(): void {
    this.scroll = Math.round(this.plot.scrollTop * this.ratio);
  }

  /** Scroll the lanes by half of the window, down (1) or up (-1). Returns by how much they were. */
  scrollLanes(sign: 1 | -1): CssPixels {
    const before = this.plot.scrollTop;
    this.plot.scrollTop += (sign * this.height) / this.ratio / 2;
    return this.plot.scrollTop - before;
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
    this.whole = { width, height };
    const gutter = gutterWidth(width / font);
    this.gutter = Math.round(gutter * font);
    this.axis = Math.round(AXIS_HEIGHT * font);
    this.node.dataset.gutter = gutter === 0 ? 'none' : gutter < WIDE_GUTTER ? 'narrow' : 'wide';
    this.node.style.setProperty('--dp-axis', `${this.axis}px`);
    this.node.style.setProperty('--dp-axis-before', `${Math.round(AXIS_BEFORE * font)}px`);
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
    const bar = this.plot.offsetWidth - this.plot.clientWidth;
    const css = Math.max(0, this.size.width - this.gutter - bar);
    if (!this.measure(css, this.size.height - this.axis)) {
      return false;
    }
    const { width, height, ratio } = this;
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
  private whole: { readonly width: CssPixels; readonly height: CssPixels } = { width: 0, height: 0 };
  private gutter: CssPixels = 0;
  private axis: CssPixels = AXIS_HEIGHT;
}
