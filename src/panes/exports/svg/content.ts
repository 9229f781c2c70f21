/** What elements show besides texts: canvases, charts, symbols, images, fields. */
import { drawingOf } from '../../../views/canvas/drawn/drawn';
import type { Colours } from './colours';
import type { Measure } from './font';
import { figure, permitted, type SvgOutput } from './output';
import { SvgPen } from './svg-pen';

/** Draw what a canvas shows: its shapes, or its pixels where nobody knows them. */
export function drawCanvas(out: SvgOutput, canvas: HTMLCanvasElement, box: DOMRect, measure: Measure): void {
  if (canvas.width === 0 || canvas.height === 0) {
    return;
  }
  const drawing = drawingOf(canvas);
  if (drawing === undefined) {
    addImage(out, canvas, box);
    return;
  }
  out.open('g', { 'clip-path': out.clip(box.x, box.y, box.width, box.height) });
  const scale = `${figure4(box.width / canvas.width)} ${figure4(box.height / canvas.height)}`;
  out.open('g', { transform: `translate(${figure(box.x)} ${figure(box.y)}) scale(${scale})` });
  const pen = new SvgPen(out, measure);
  drawing(pen);
  pen.end();
  out.close('g');
  out.close('g');
}

/** Scales multiply other values: a hundredth would be too coarse. */
function figure4(value: number): string {
  return value.toFixed(6);
}

/** Add an image of this page; one of another site is left out, since it must not be read. */
export function addImage(out: SvgOutput, image: HTMLCanvasElement | HTMLImageElement, { x, y, width, height }: DOMRect): void {
  let canvas = image;
  try {
    if (!(canvas instanceof HTMLCanvasElement)) {
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [Math.round(2 * width), Math.round(2 * height)];
      copy.getContext('2d')?.drawImage(image, 0, 0, copy.width, copy.height);
      canvas = copy;
    }
    out.add('image', { x, y, width, height, preserveAspectRatio: 'none', href: canvas.toDataURL() });
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}

/** Insert SVG as text, such as a chart. */
export function insertChart(out: SvgOutput, markup: string, box: DOMRect): void {
  const chart = new DOMParser().parseFromString(permitted(markup), 'image/svg+xml').documentElement;
  if (chart.localName === 'svg') {
    insert(out, chart, box);
  }
}

/** Properties of symbols that style sheets set. */
const DRAWN = ['fill-rule', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity'] as const;

/** Insert a symbol of the page, in the colours that it has there. */
export function insertSymbol(out: SvgOutput, symbol: SVGSVGElement, box: DOMRect, colours: Colours): void {
  const copy = symbol.cloneNode(true) as SVGSVGElement;
  const originals = [symbol, ...symbol.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [i, node] of copies.entries()) {
    const style = getComputedStyle(originals[i]);
    if (style.display === 'none' && node !== copy) {
      node.remove();
      continue;
    }
    for (const { name } of [...node.attributes]) {
      if (/^(class|style|id|on.*|data-.*|aria-.*|role|tabindex)$/i.test(name)) {
        node.removeAttribute(name);
      }
    }
    for (const kind of ['fill', 'stroke'] as const) {
      const value = style[kind];
      const paint = value === 'none' || value.startsWith('url') ? null : colours.attributes(kind, value);
      node.setAttribute(kind, paint === null ? 'none' : String(paint[kind]));
      if (paint !== null) {
        node.setAttribute(`${kind}-opacity`, String(Number(paint[`${kind}-opacity`] ?? 1) * Number(style[`${kind}Opacity`])));
      }
    }
    for (const name of DRAWN) {
      node.setAttribute(name, style.getPropertyValue(name));
    }
  }
  insert(out, copy, box);
}

function insert(out: SvgOutput, svg: Element, { x, y, width, height }: DOMRect): void {
  if (!svg.hasAttribute('viewBox')) {
    svg.setAttribute('viewBox', `0 0 ${figure(width)} ${figure(height)}`);
  }
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    svg.setAttribute(name, figure(value));
  }
  const markup = permitted(new XMLSerializer().serializeToString(svg));
  out.insert(markup, 1 + svg.querySelectorAll('*').length);
}

/** What a field shows: what is typed or chosen in it, or what it asks for. */
export function textOfField(field: Element): string | null {
  if (field instanceof HTMLSelectElement) {
    return field.selectedOptions[0]?.label ?? '';
  }
  if (field instanceof HTMLTextAreaElement) {
    return field.value || field.placeholder;
  }
  if (field instanceof HTMLInputElement) {
    return field.type === 'checkbox' || field.type === 'radio' ? (field.checked ? '✓' : '') : field.value || field.placeholder;
  }
  return null;
}
