import type { DevicePixels } from '../../../base/units';
import type { Box } from '../paint/overlay';

const SVG = 'http://www.w3.org/2000/svg';

/** Rectangles with an outline of their own; further ones are left clear of the veil only. */
const OUTLINED = 100;

/** Dims what is not selected, and outlines what is. An SVG, so that any number of rectangles is two elements. */
export class Veil {
  constructor() {
    this.node.setAttribute('class', 'dp-Timeline-veil');
    this.node.setAttribute('aria-hidden', 'true');
    this.shade.setAttribute('fill-rule', 'evenodd');
    this.shade.setAttribute('class', 'dp-Timeline-shade');
    this.edge.setAttribute('class', 'dp-Timeline-edge');
    this.node.append(this.shade, this.edge);
    this.node.style.display = 'none';
  }

  readonly node = document.createElementNS(SVG, 'svg');

  /**
   * @param selected - `null` to show everything
   * @param size - of the plot
   */
  update(
    selected: readonly Box[] | null,
    size: { readonly width: DevicePixels; readonly height: DevicePixels },
    ratio: number
  ): void {
    const holes = selected?.map(box => rectangle(box, ratio)) ?? [];
    const all = rectangle({ x: 0, y: 0, ...size }, ratio);
    const print = selected === null ? '' : `${all}${holes.join('')}`;
    if (print === this.print) {
      return;
    }
    this.print = print;
    this.node.style.display = selected === null ? 'none' : '';
    this.shade.setAttribute('d', print);
    this.edge.setAttribute('d', holes.slice(0, OUTLINED).join(''));
  }

  private readonly shade = document.createElementNS(SVG, 'path');
  private readonly edge = document.createElementNS(SVG, 'path');
  private print = '';
}

function rectangle({ x, y, width, height }: Box, ratio: number): string {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(value => (value / ratio).toFixed(2));
  return `M${left} ${top}H${right}V${bottom}H${left}Z`;
}
