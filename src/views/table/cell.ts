import { svgElement } from '../../base/dom/svg';
import { element } from '../../base/element';
import type { Cell, TableColumn } from '../../plot/plot';

const SPARK = { width: 60, height: 14 } as const;

/**
 * Write a cell into its element, if it changed.
 *
 * @param leading - explains where the text of a cell leads; empty if it leads nowhere
 */
export function drawCell(node: HTMLElement, cell: Cell | undefined, column: TableColumn, leading: string): void {
  const print = JSON.stringify(cell) ?? '';
  if (node.dataset.print === print) {
    return;
  }
  node.dataset.print = print;
  node.dataset.align = column.align;
  node.dataset.tone = cell?.tone ?? 'plain';
  if (cell === undefined) {
    node.replaceChildren();
    return;
  }
  const picture =
    cell.spark !== undefined ? [spark(cell.spark, cell.sparkEnd ?? 0)] : cell.bar !== undefined ? [bar(cell.bar)] : [];
  const sign = cell.sign
    ? [element('span', { class: 'dp-Table-sign', text: cell.sign, attributes: { 'aria-hidden': 'true' } })]
    : [];
  const leads = (cell.leads === true && leading !== '') || cell.opens !== undefined;
  const text = element('bdi', { class: leads ? 'dp-Table-text dp-Table-lead' : 'dp-Table-text', text: cell.text });
  // Columns of figures are as wide as these. What may be cut costs each frame of the page its own layer of paint.
  text.classList.toggle('dp-Table-figure', column.align === 'right' && typeof cell.value === 'number');
  node.replaceChildren(...picture, ...sign, text);
  node.title = cell.leads === true && leads ? `${cell.text}\n${leading}` : cell.text;
}

/** Give an element this number of children, which are written elsewhere. */
export function setChildCount(node: HTMLElement, count: number, make: () => HTMLElement): void {
  while (node.childElementCount > count) {
    node.lastElementChild?.remove();
  }
  while (node.childElementCount < count) {
    node.append(make());
  }
}

/** Recent values as a line that begins at zero; the top is `end` or their maximum. */
export function spark(values: readonly number[], end: number): SVGSVGElement {
  const svg = svgElement('svg');
  svg.setAttribute('class', 'dp-Table-spark');
  svg.setAttribute('width', String(SPARK.width));
  svg.setAttribute('height', String(SPARK.height));
  svg.setAttribute('aria-hidden', 'true');
  const known = values.filter(Number.isFinite);
  if (known.length < 2) {
    return svg;
  }
  const most = Math.max(...known, Number.isFinite(end) ? end : 0, 1);
  const points = known.map((value, i) => {
    const x = (i / (known.length - 1)) * SPARK.width;
    const y = SPARK.height - 1 - (Math.max(value, 0) / most) * (SPARK.height - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const line = svgElement('polyline');
  line.setAttribute('points', points.join(' '));
  svg.appendChild(line);
  return svg;
}

/** Fractions of a whole, side by side. */
export function bar(segments: NonNullable<Cell['bar']>): HTMLElement {
  const parts = segments
    .filter(({ share }) => share > 0)
    .map(({ share, colour, pattern }) => {
      const part = element('span', { class: 'dp-Swatch dp-Table-part', data: { pattern: pattern ?? 'none' } });
      part.style.setProperty('--dp-swatch', colour);
      part.style.width = `${Math.min(share, 1) * 100}%`;
      return part;
    });
  return element('span', { class: 'dp-Table-bar', attributes: { 'aria-hidden': 'true' } }, ...parts);
}
