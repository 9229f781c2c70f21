import { element, setHidden } from '../../base/element';
import type { CssPixels, DevicePixels } from '../../base/units';
import { contextOf } from '../timeline/paint/snapshot';

/** The elements of a graph: lines and nodes have separate canvases, since lines change less often. */
export class Stage {
  constructor() {
    this.links = contextOf(this.canvas);
    this.nodes = contextOf(this.over);
    this.plot.append(this.canvas, this.over, this.hovered, this.focused, this.note);
    this.node.append(this.plot, this.live);
  }

  readonly node = element('div', { class: 'dp-Graph' });
  /** Receives focus and pointer events. */
  readonly plot = element('div', { class: 'dp-Graph-plot', role: 'application', attributes: { tabindex: '0' } });
  /** Announces the node at the keyboard cursor. */
  readonly live = element('div', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });
  /** Outlines of the hovered and of the selected node. */
  readonly hovered = element('div', { class: 'dp-Graph-hovered', attributes: { hidden: '' } });
  readonly focused = element('div', { class: 'dp-Graph-focused', attributes: { hidden: '' } });
  /** Note about omitted parts of the picture. */
  readonly note = element('div', { class: 'dp-Graph-note', attributes: { hidden: '' } });

  readonly links: CanvasRenderingContext2D;
  readonly nodes: CanvasRenderingContext2D;
  /** Device pixels per CSS pixel. */
  ratio = 1;
  width: DevicePixels = 0;
  height: DevicePixels = 0;

  /** Set the size. */
  resize(width: CssPixels, height: CssPixels): void {
    this.ratio = Math.max(1, window.devicePixelRatio || 1);
    this.width = Math.max(0, Math.floor(width * this.ratio));
    this.height = Math.max(0, Math.floor(height * this.ratio));
    for (const canvas of [this.canvas, this.over]) {
      canvas.width = this.width;
      canvas.height = this.height;
      canvas.style.width = `${this.width / this.ratio}px`;
      canvas.style.height = `${this.height / this.ratio}px`;
    }
  }

  private readonly canvas = element('canvas', { class: 'dp-Graph-canvas', attributes: { 'aria-hidden': 'true' } });
  private readonly over = element('canvas', { class: 'dp-Graph-canvas', attributes: { 'aria-hidden': 'true' } });
}

/** Show an outline around a position, or hide it. */
export function frame(node: HTMLElement, box: { x: CssPixels; y: CssPixels; width: CssPixels; height: CssPixels } | null): void {
  setHidden(node, box === null);
  if (box !== null) {
    node.style.transform = `translate(${box.x - 2}px, ${box.y - 2}px)`;
    node.style.width = `${box.width + 4}px`;
    node.style.height = `${box.height + 4}px`;
  }
}
