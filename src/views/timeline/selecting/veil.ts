import { svgElement } from '../../../base/dom/svg';
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { Box } from '../paint/overlay';
import { moveX } from '../time/moving';

/** Rectangles with an outline of their own; further ones are left clear of the veil only. */
const OUTLINED = 100;

/** Size of the plot. */
interface Size {
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Columns on each side of the window that the veil also covers, so that the picture can move below it. */
export function marginOf({ width }: { readonly width: DevicePixels }): DevicePixels {
  return Math.ceil(width / 2);
}

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

  readonly node = svgElement('svg');

  /**
   * Draw the veil, or only move what is drawn: that costs no painting.
   *
   * @param state - identifies what is selected, the lanes and the scale; a veil of the same state is only moved
   * @param first - column at the left edge of the window; the rectangles are counted from there
   * @param selected - the rectangles in a window with {@link marginOf} columns more on each side; `null` to show everything
   */
  update(state: readonly unknown[], first: number, size: Size, ratio: number, selected: () => readonly Box[] | null): void {
    const moved = first - this.first;
    const same = state.length === this.state.length && state.every((part, i) => part === this.state[i]);
    if (!same || Math.abs(moved) > marginOf(size)) {
      this.state = state;
      this.first = first;
      this.write(selected(), size, ratio);
    }
    if (this.node.style.display === 'none') {
      return;
    }
    const shift = (this.first - first) / ratio;
    if (shift !== this.shift) {
      this.shift = shift;
      moveX(this.node, shift);
    }
  }

  private write(selected: readonly Box[] | null, size: Size, ratio: number): void {
    const margin = marginOf(size);
    const holes = selected?.map(box => rectangle(box, ratio)) ?? [];
    const all = rectangle({ x: -margin, y: 0, width: size.width + 2 * margin, height: size.height }, ratio);
    this.node.style.display = selected === null ? 'none' : '';
    this.shade.setAttribute('d', selected === null ? '' : `${all}${holes.join('')}`);
    this.edge.setAttribute('d', holes.slice(0, OUTLINED).join(''));
  }

  private readonly shade = svgElement('path');
  private readonly edge = svgElement('path');
  private state: readonly unknown[] = [];
  /** Column at the left edge of the window for which it was drawn. */
  private first = 0;
  private shift: CssPixels = Number.NaN;
}

function rectangle({ x, y, width, height }: Box, ratio: number): string {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(value => (value / ratio).toFixed(2));
  return `M${left} ${top}H${right}V${bottom}H${left}Z`;
}
