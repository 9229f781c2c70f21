import { element, setHidden } from '../../base/element';
import type { CssPixels } from '../../base/units';
import { CanvasStage, type PlotBox } from '../canvas/canvas-stage';
import { Sheet } from '../canvas/drawn/drawn';

/** The elements of a graph: lines and nodes have separate canvases, since lines change less often. */
export class Stage extends CanvasStage {
  constructor() {
    super('dp-Graph');
    this.plot.append(this.links.canvas, this.nodes.canvas, this.hovered, this.focused, this.note);
    this.node.append(this.plot, this.live);
  }

  /** Outlines of the hovered and of the selected node. */
  readonly hovered = element('div', { class: 'dp-Graph-hovered', attributes: { hidden: '' } });
  readonly focused = element('div', { class: 'dp-Graph-focused', attributes: { hidden: '' } });
  /** Note about omitted parts of the picture. */
  readonly note = element('div', { class: 'dp-Graph-note', attributes: { hidden: '' } });

  readonly links = sheet();
  readonly nodes = sheet();

  /** Set the size. The canvases are empty afterwards. */
  resize(width: CssPixels, height: CssPixels): void {
    this.measure(width, height);
    for (const { canvas } of [this.links, this.nodes]) {
      canvas.width = this.width;
      canvas.height = this.height;
      canvas.style.width = `${this.width / this.ratio}px`;
      canvas.style.height = `${this.height / this.ratio}px`;
    }
  }
}

function sheet(): Sheet {
  return new Sheet(element('canvas', { class: 'dp-Graph-canvas', attributes: { 'aria-hidden': 'true' } }));
}

/** Show an outline around a position, or hide it. */
export function frame(node: HTMLElement, box: PlotBox | null): void {
  setHidden(node, box === null);
  if (box !== null) {
    node.style.transform = `translate(${box.x - 2}px, ${box.y - 2}px)`;
    node.style.width = `${box.width + 4}px`;
    node.style.height = `${box.height + 4}px`;
  }
}
